//! Statements of functions.

use super::cursor::{Parsed, Parser};
use super::token::TokenKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::{Block, Expr, Stmt, StmtKind};

impl Parser<'_> {
    /// `{ declarations statements }`
    pub(crate) fn block(&mut self) -> Parsed<Block> {
        let start = self.expect(TokenKind::BraceOpen, "`{`")?;
        let mut decls = Vec::new();
        let mut statements = Vec::new();
        while !self.is(TokenKind::BraceClose) && !self.at_end() {
            let before = self.position();
            if self.starts_local_declaration() {
                self.check_declaration_order(&statements);
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
        let end = self.expect(TokenKind::BraceClose, "`}`")?;
        Ok(Block { decls, statements, span: start.to(end) })
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

    fn check_declaration_order(&mut self, statements: &[Stmt]) {
        let only_empty = statements.iter().all(|statement| matches!(statement.kind, StmtKind::Empty));
        if !only_empty {
            let diagnostic = Diagnostic::new(
                Code::UnexpectedToken,
                self.span(),
                "a declaration after the first statement",
            )
            .hint("declare all variables of a block before its first statement");
            self.report(diagnostic);
        }
    }

    fn local_declarations(&mut self) -> Vec<crate::syntax::Decl> {
        match self.declaration_in_block() {
            Ok(decl) => decl.into_iter().collect(),
            Err(_) => {
                self.skip_item();
                Vec::new()
            }
        }
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let kind = self.statement_kind()?;
        Ok(Stmt { kind, span: start.to(self.previous_span()) })
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        if self.is(TokenKind::BraceOpen) {
            return Ok(StmtKind::Block(self.block()?));
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
                self.expect(TokenKind::Semicolon, "`;`")?;
                Ok(StmtKind::DoWhile(Box::new(body), condition))
            }
            "for" => self.for_statement(),
            "return" => {
                self.advance();
                let value = if self.is(TokenKind::Semicolon) { None } else { Some(self.expression()?) };
                self.expect(TokenKind::Semicolon, "`;` after the return")?;
                Ok(StmtKind::Return(value))
            }
            "assert" if self.ahead(1).kind != TokenKind::Assign => {
                self.advance();
                let condition = self.expression()?;
                self.expect(TokenKind::Semicolon, "`;`")?;
                Ok(StmtKind::Assert(condition))
            }
            _ => {
                let list = self.expression_list()?;
                self.expect(TokenKind::Semicolon, "`;` after the statement")?;
                Ok(StmtKind::Expr(list))
            }
        }
    }

    fn condition(&mut self) -> Parsed<Vec<Expr>> {
        self.expect(TokenKind::ParenOpen, "`(` and a condition")?;
        let list = self.expression_list()?;
        self.expect(TokenKind::ParenClose, "`)` after the condition")?;
        Ok(list)
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
            let diagnostic =
                Diagnostic::new(Code::UnexpectedToken, self.span(), "a declaration in the header of a loop")
                    .hint(
                        "declare the variable before the loop, or iterate over a type: `for (i : int[0,3])`",
                    );
            return Err(self.report(diagnostic));
        }
        let start = self.for_part(TokenKind::Semicolon)?;
        self.expect(TokenKind::Semicolon, "`;` in the header of the loop")?;
        let condition = self.for_part(TokenKind::Semicolon)?;
        self.expect(TokenKind::Semicolon, "`;` in the header of the loop")?;
        let step = self.for_part(TokenKind::ParenClose)?;
        self.expect(TokenKind::ParenClose, "`)` after the header of the loop")?;
        Ok(StmtKind::For(start, condition, step, Box::new(self.nested(Self::statement)?)))
    }

    fn for_part(&mut self, end: TokenKind) -> Parsed<Vec<Expr>> {
        if self.is(end) { Ok(Vec::new()) } else { self.expression_list() }
    }
}
