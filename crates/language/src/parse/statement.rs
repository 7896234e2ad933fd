//! Statements of functions.

use super::cursor::{Parsed, Parser};
use super::token::TokenKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::{Block, Expr, ExprKind, Stmt, StmtKind};

impl Parser<'_> {
    /// `{ declarations statements }`
    pub(crate) fn block(&mut self, what: &str) -> Parsed<Block> {
        let start = self.expect(TokenKind::BraceOpen, "`{`")?;
        self.open_braces += 1;
        let mut decls = Vec::new();
        let mut statements = Vec::new();
        let mut order_reported = false;
        // Looked at once: the answer is the same all through the block.
        let mut left_open = None;
        while !self.is(TokenKind::BraceClose)
            && !self.at_end()
            && !self.starts_top_level()
            && !self.ends_without_brace(&statements, &mut left_open)
        {
            let before = self.position();
            if self.starts_local_declaration() {
                if !order_reported {
                    order_reported = self.check_declaration_order(&statements);
                }
                decls.extend(self.local_declarations());
            } else {
                match self.nested(Self::statement) {
                    Ok(statement) => statements.push(statement),
                    Err(_) => self.skip_item(),
                }
            }
            if self.position() == before {
                self.advance();
            }
        }
        self.open_braces -= 1;
        if !self.is(TokenKind::BraceClose) {
            // Whether all ways return cannot be told: some statements may stand in a wrong block.
            let span = self.previous_span();
            let value = Some(Expr { kind: ExprKind::Error, span });
            statements.push(Stmt { kind: StmtKind::Return(value), span });
        }
        let end = self.expect_brace(start, what);
        Ok(Block { decls, statements, span: start.to(end) })
    }

    /// Whether the block has lost its `}`: something begins here that no block can have at this place, and the braces do not come out even.
    fn ends_without_brace(&mut self, statements: &[Stmt], left_open: &mut Option<bool>) -> bool {
        if !self.is(TokenKind::Word) || !self.token().starts_line {
            return false;
        }
        let never_local = matches!(self.text(), "chan" | "clock" | "broadcast" | "urgent");
        let late = !statements.is_empty() && self.starts_local_declaration();
        let stranger = never_local || late || self.is_function_ahead();
        self.starts_body_section() || stranger && *left_open.get_or_insert_with(|| self.is_left_open())
    }

    /// `type name(…) {` stands here.
    fn is_function_ahead(&self) -> bool {
        let Some(open) = (1..8).find(|&n| self.ahead(n).kind == TokenKind::ParenOpen) else { return false };
        let is_header = (0..open).all(|n| {
            matches!(
                self.ahead(n).kind,
                TokenKind::Word
                    | TokenKind::BracketOpen
                    | TokenKind::BracketClose
                    | TokenKind::Nat
                    | TokenKind::Comma
            )
        });
        let named = self.ahead(open - 1).kind == TokenKind::Word && open > 1;
        let close = self.distance_to(open + 1, &[TokenKind::ParenClose, TokenKind::Semicolon]);
        is_header
            && named
            && self.starts_local_declaration()
            && self.ahead(close + 1).kind == TokenKind::BraceOpen
    }

    fn starts_local_declaration(&self) -> bool {
        if !self.is(TokenKind::Word) {
            return false;
        }
        match self.text() {
            "const" | "meta" | "urgent" | "broadcast" | "int" | "bool" | "clock" | "chan" | "double"
            | "scalar" | "struct" | "typedef" | "void" => true,
            "hybrid" => self.word_ahead(1, "clock"),
            word => {
                !super::is_reserved(word)
                    && self.ahead(1).kind == TokenKind::Word
                    && !self.is_operator_ahead()
            }
        }
    }

    /// `a and b` is an expression, `T x` a declaration.
    fn is_operator_ahead(&self) -> bool {
        matches!(self.text_ahead(1), "and" | "or" | "xor" | "imply" | "not")
    }

    /// Complains of a declaration behind a statement, once per block.
    fn check_declaration_order(&mut self, statements: &[Stmt]) -> bool {
        let only_empty = statements.iter().all(|statement| matches!(statement.kind, StmtKind::Empty));
        if !only_empty {
            let message = "a declaration after the first statement";
            let hint = "declare all variables of a block before its first statement";
            self.report(Diagnostic::new(Code::UnexpectedToken, self.span(), message).hint(hint));
        }
        !only_empty
    }

    fn local_declarations(&mut self) -> Vec<crate::syntax::Decl> {
        self.nested(Self::declaration_in_block).unwrap_or_else(|_| {
            self.skip_item();
            Vec::new()
        })
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let kind = self.statement_kind()?;
        Ok(Stmt { kind, span: start.to(self.previous_span()) })
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        if self.is(TokenKind::BraceOpen) {
            return Ok(StmtKind::Block(self.block("the block")?));
        }
        if self.eat(TokenKind::Semicolon) {
            return Ok(StmtKind::Empty);
        }
        let word = if self.is(TokenKind::Word) { self.text() } else { "" };
        match word {
            "if" => self.if_statement(),
            "while" => {
                self.advance();
                let condition = self.condition()?;
                Ok(StmtKind::While(condition, Box::new(self.nested(Self::statement)?)))
            }
            "do" => {
                self.advance();
                let body = self.nested(Self::statement)?;
                self.expect_word("while")?;
                let condition = self.condition()?;
                self.expect_semicolon("the loop")?;
                Ok(StmtKind::DoWhile(Box::new(body), condition))
            }
            "for" => self.for_statement(),
            "return" => {
                self.advance();
                let value = if self.is(TokenKind::Semicolon) { None } else { Some(self.expression()?) };
                self.expect_semicolon("the return")?;

                Ok(StmtKind::Return(value))
            }
            "assert" if self.ahead(1).kind != TokenKind::Assign => {
                self.advance();
                let condition = self.expression()?;
                self.expect_semicolon("the assertion")?;
                Ok(StmtKind::Assert(condition))
            }
            "else" => {
                let diagnostic = Diagnostic::new(
                    Code::UnexpectedToken,
                    self.span(),
                    "an `else` without an `if` in front of it",
                );
                self.report(diagnostic);
                self.advance();
                self.nested(Self::statement_kind)
            }
            "switch" if self.ahead(1).kind == TokenKind::ParenOpen => self.switch_statement(),
            _ => {
                let list = self.expression_list()?;
                self.expect_semicolon("the statement")?;
                Ok(StmtKind::Expr(list))
            }
        }
    }

    fn condition(&mut self) -> Parsed<Vec<Expr>> {
        self.expect(TokenKind::ParenOpen, "`(` and a condition")?;
        let list = self.expression_list()?;
        self.expect_closing(TokenKind::ParenClose, "`)` after the condition")?;
        Ok(list)
    }

    /// A function of that name can be called; a statement as in C is refused as a whole.
    fn switch_statement(&mut self) -> Parsed<StmtKind> {
        let start = self.span();
        let list = self.expression_list()?;
        if !self.is(TokenKind::BraceOpen) {
            self.expect_semicolon("the statement")?;
            return Ok(StmtKind::Expr(list));
        }
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, start, "there is no `switch` statement");
        let reported = self.report(diagnostic.hint("use `if … else if … else …`"));
        Err(reported)
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let condition = self.condition()?;
        let then = Box::new(self.nested(Self::statement)?);
        let otherwise =
            if self.eat_word("else") { Some(Box::new(self.nested(Self::statement)?)) } else { None };
        Ok(StmtKind::If(condition, then, otherwise))
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.expect(TokenKind::ParenOpen, "`(` after `for`")?;
        if self.is(TokenKind::Word) && self.ahead(1).kind == TokenKind::Colon {
            let binder = self.name("the name of the loop variable")?;
            self.advance();
            let ty = self.type_expression()?;
            self.expect(TokenKind::ParenClose, "`)` after the type")?;
            return Ok(StmtKind::Iterate(binder, ty, Box::new(self.nested(Self::statement)?)));
        }
        if self.starts_local_declaration() {
            return self.for_with_declaration();
        }
        let start = self.for_part(TokenKind::Semicolon)?;
        self.expect(TokenKind::Semicolon, "`;` in the header of the loop")?;
        self.rest_of_for(start)
    }

    /// `for (int i = 0; …)` is refused, and read as if the declaration stood in front of the loop.
    fn for_with_declaration(&mut self) -> Parsed<StmtKind> {
        let start = self.span();
        let diagnostic =
            Diagnostic::new(Code::UnexpectedToken, start, "a declaration in the header of a loop")
                .hint("declare the variable before the loop, or iterate over a type: `for (i : int[0,3])`");
        self.report(diagnostic);
        let decls = self.declaration_in_block()?;
        let kind = self.rest_of_for(Vec::new())?;
        let span = start.to(self.previous_span());
        Ok(StmtKind::Block(Block { decls, statements: vec![Stmt { kind, span }], span }))
    }

    fn rest_of_for(&mut self, start: Vec<Expr>) -> Parsed<StmtKind> {
        let condition = self.for_part(TokenKind::Semicolon)?;
        self.expect(TokenKind::Semicolon, "`;` in the header of the loop")?;
        let step = self.for_part(TokenKind::ParenClose)?;
        self.expect_closing(TokenKind::ParenClose, "`)` after the header of the loop")?;

        Ok(StmtKind::For(start, condition, step, Box::new(self.nested(Self::statement)?)))
    }

    fn for_part(&mut self, end: TokenKind) -> Parsed<Vec<Expr>> {
        if self.is(end) { Ok(Vec::new()) } else { self.expression_list() }
    }
}
