//! Expressions: a Pratt parser with the precedences of the language reference.

use super::Dialect;
use super::cursor::{Parsed, Parser};

use super::token::TokenKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::{BinaryOp, Expr, ExprKind, Ident, Quantifier, UnaryOp};

/// Expressions may be this deep as trees: `a + b + c + …` leans to the left, and every later pass recurses into it.
const MAX_TREE_DEPTH: u32 = 1000;

impl Parser<'_> {
    /// A comma list of expressions, at least one.
    pub(crate) fn expression_list(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = vec![self.expression()?];
        while self.eat(TokenKind::Comma) {
            list.push(self.expression()?);
        }
        Ok(list)
    }

    /// An expression, assignments included.
    pub(crate) fn expression(&mut self) -> Parsed<Expr> {
        self.nested(Self::assignment)
    }

    fn assignment(&mut self) -> Parsed<Expr> {
        let target = self.conditional()?;
        let Some(op) = assignment_operator(self.kind()) else { return Ok(target) };
        let depth = self.tree_depth;
        self.advance();
        let value = self.expression()?;
        self.deepen(depth)?;
        let span = target.span.to(value.span);
        Ok(Expr { kind: ExprKind::Assign(op, Box::new(target), Box::new(value)), span })
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let condition = self.binary(0)?;
        if !self.is(TokenKind::Question) || self.ends_here() || self.question_ends_sync() {
            return Ok(condition);
        }
        let mut depth = self.tree_depth;
        self.advance();
        let then = self.expression()?;
        depth = depth.max(self.tree_depth);
        self.expect(TokenKind::Colon, "`:` of the conditional")?;
        let otherwise = self.nested(Self::conditional)?;
        self.deepen(depth)?;
        let span = condition.span.to(otherwise.span);
        Ok(Expr {
            kind: ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)),
            span,
        })
    }

    /// Notes that the expression parsed last became part of one whose other parts are `others` deep.
    pub(crate) fn deepen(&mut self, others: u32) -> Parsed<()> {
        self.tree_depth = self.tree_depth.max(others) + 1;
        if self.tree_depth <= MAX_TREE_DEPTH {
            return Ok(());
        }
        let message = format!("more than {MAX_TREE_DEPTH} operators in a row");
        let diagnostic = Diagnostic::new(Code::NestingTooDeep, self.previous_span(), message)
            .hint("use a quantifier, or group the operands with parentheses");
        Err(self.report(diagnostic))
    }

    /// In `c?` the question mark is the direction of a synchronisation, not an operator.
    fn question_ends_sync(&self) -> bool {
        matches!(self.ahead(1).kind, TokenKind::End | TokenKind::Semicolon | TokenKind::BraceClose)
    }

    /// In a query, a line break ends an expression where the next line starts another query.
    fn ends_here(&self) -> bool {
        self.in_query && self.token().starts_line && super::query::starts_query(self)
    }

    fn binary(&mut self, minimum: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        loop {
            if self.is(TokenKind::Bad) {
                left = self.beyond_bad(left.span)?;
            }
            let Some(op) = self.binary_operator().filter(|op| op.precedence() >= minimum) else { break };
            if self.dialect == Dialect::New {
                self.refuse_old_operator();
            }
            let depth = self.tree_depth;
            self.advance();
            let right = self.nested(|parser| parser.binary(op.precedence() + 1))?;
            self.deepen(depth)?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    /// Skips characters that the lexer has complained of, and the operand behind them.
    fn beyond_bad(&mut self, start: Span) -> Parsed<Expr> {
        while self.eat(TokenKind::Bad) {}
        let starts_operand = match self.kind() {
            TokenKind::Word => !super::is_reserved(self.text()) && !self.token().starts_line,
            kind => kind.is_number() || matches!(kind, TokenKind::ParenOpen | TokenKind::BadNumber),
        };
        let span = if starts_operand { start.to(self.nested(Self::unary)?.span) } else { start };
        self.tree_depth = 1;
        Ok(Expr { kind: ExprKind::Error, span })
    }

    /// `=<` and `=>` went out with the 3.x dialect.
    fn refuse_old_operator(&mut self) {
        let meant = match self.kind() {
            TokenKind::OldLe => "<=",
            TokenKind::OldGe => ">=",
            _ => return,
        };
        let message = format!("{} is no operator", self.describe());
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.span(), message);
        self.report(diagnostic.hint(format!("did you mean `{meant}`?")));
    }

    fn binary_operator(&self) -> Option<BinaryOp> {
        if self.ends_here() {
            return None;
        }
        Some(match self.kind() {
            TokenKind::Power => BinaryOp::Power,
            TokenKind::Star => BinaryOp::Mul,
            TokenKind::Slash => BinaryOp::Div,
            TokenKind::Percent => BinaryOp::Mod,
            TokenKind::Plus => BinaryOp::Add,
            TokenKind::Minus => BinaryOp::Sub,
            TokenKind::Shl => BinaryOp::ShiftLeft,
            TokenKind::Shr => BinaryOp::ShiftRight,
            TokenKind::Min => BinaryOp::Min,
            TokenKind::Max => BinaryOp::Max,
            TokenKind::Lt => BinaryOp::Lt,
            TokenKind::Le | TokenKind::OldLe => BinaryOp::Le,
            TokenKind::Ge | TokenKind::OldGe => BinaryOp::Ge,
            TokenKind::Gt => BinaryOp::Gt,
            TokenKind::EqEq => BinaryOp::Eq,
            TokenKind::Ne => BinaryOp::Ne,
            TokenKind::Ampersand => BinaryOp::BitAnd,
            TokenKind::Caret => BinaryOp::BitXor,
            TokenKind::Pipe => BinaryOp::BitOr,
            TokenKind::AndAnd => BinaryOp::And,
            TokenKind::OrOr => BinaryOp::Or,
            TokenKind::Word => match self.text() {
                "and" => BinaryOp::And,
                "or" => BinaryOp::Or,
                "xor" => BinaryOp::Xor,
                "imply" => BinaryOp::Imply,
                _ => return None,
            },
            _ => return None,
        })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let op = match self.kind() {
            TokenKind::Minus => UnaryOp::Minus,
            TokenKind::Plus => UnaryOp::Plus,
            TokenKind::Bang => UnaryOp::Not,
            TokenKind::Word if self.text() == "not" => UnaryOp::Not,
            TokenKind::Increment | TokenKind::Decrement => return self.prefix_step(),
            _ => return self.postfix(),
        };
        self.advance();
        if op == UnaryOp::Minus
            && self.is(TokenKind::Nat)
            && self.text().trim_start_matches('0') == "2147483648"
        {
            let span = start.to(self.advance().span);
            self.tree_depth = 1;
            return Ok(Expr { kind: ExprKind::Int(i32::MIN), span });
        }
        let operand = self.nested(Self::unary)?;
        self.deepen(0)?;
        let span = start.to(operand.span);
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span })
    }

    fn prefix_step(&mut self) -> Parsed<Expr> {
        let token = self.advance();
        let increment = token.kind == TokenKind::Increment;
        let target = Box::new(self.nested(Self::unary)?);
        self.deepen(0)?;
        let span = token.span.to(target.span);
        Ok(Expr { kind: ExprKind::Step { increment, prefix: true, target }, span })
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut expr = self.primary()?;
        loop {
            let begins_line = self.line_breaks_end && self.token().starts_line;
            let depth = self.tree_depth;
            let base = expr.span;
            let kind = match self.kind() {
                TokenKind::ParenOpen | TokenKind::BracketOpen if begins_line => return Ok(expr),
                TokenKind::ParenOpen => ExprKind::Call(Box::new(expr), self.arguments()?),
                TokenKind::BracketOpen => {
                    self.advance();
                    let index = self.expression()?;
                    self.expect_closing(TokenKind::BracketClose, "`]` after the index")?;
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                TokenKind::Dot => {
                    self.advance();
                    if !self.is(TokenKind::Word) {
                        return Err(self.missing("the name of a member"));
                    }
                    let text = self.text();
                    ExprKind::Field(Box::new(expr), Ident::new(text, self.advance().span))
                }
                TokenKind::Prime => {
                    self.advance();
                    ExprKind::Rate(Box::new(expr))
                }
                TokenKind::Increment | TokenKind::Decrement => {
                    let increment = self.advance().kind == TokenKind::Increment;
                    ExprKind::Step { increment, prefix: false, target: Box::new(expr) }
                }
                _ => return Ok(expr),
            };
            self.deepen(depth)?;
            expr = Expr { kind, span: base.to(self.previous_span()) };
        }
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.advance();
        let mut depth = 0;
        let args = self.separated(TokenKind::Comma, TokenKind::ParenClose, |parser| {
            let arg = parser.expression();
            depth = depth.max(parser.tree_depth);
            arg
        })?;
        self.expect_closing(TokenKind::ParenClose, "`)` after the arguments")?;
        self.tree_depth = depth;
        Ok(args)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.token();
        self.tree_depth = 1;
        let kind = match token.kind {
            TokenKind::Nat => self.integer(),
            TokenKind::Float => ExprKind::Double(self.text().into()),
            TokenKind::BadNumber => ExprKind::Error,
            TokenKind::Text => ExprKind::String(self.text().trim_matches(['"', '“', '”', '„']).into()),
            TokenKind::ParenOpen => return self.parenthesised(),
            TokenKind::Word => return self.word(),
            TokenKind::Bad => return self.beyond_bad(token.span),
            TokenKind::Dot if self.ahead(1).kind == TokenKind::Nat => return Ok(self.fraction()),
            _ => return Err(self.missing("an expression")),
        };
        self.advance();
        Ok(Expr { kind, span: token.span })
    }

    /// `.5` is no number.
    fn fraction(&mut self) -> Expr {
        let span = self.advance().span.to(self.span());
        let digits = self.text();
        self.advance();
        let message = format!("expected an expression, found `.{digits}`");
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, span, message);
        self.report(diagnostic.hint(format!("write `0.{digits}`")));
        Expr { kind: ExprKind::Error, span }
    }

    fn integer(&mut self) -> ExprKind {
        let digits = self.text();
        if let Ok(value) = digits.parse::<i32>() {
            return ExprKind::Int(value);
        }
        let message = if digits.len() <= 40 {
            format!("the number {digits} does not fit into 32 bits")
        } else {
            format!("a number of {} digits does not fit into 32 bits", digits.len())
        };
        if self.in_range_bounds {
            let diagnostic =
                Diagnostic::new(Code::NumberCut, self.span(), message).label("read as 2147483647");
            self.report(diagnostic);
            return ExprKind::Int(i32::MAX);
        }
        let diagnostic = Diagnostic::new(Code::NumberTooLarge, self.span(), message);
        self.report(diagnostic.label("the largest is 2147483647"));
        ExprKind::Error
    }

    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.advance().span;
        let line_breaks_end = std::mem::replace(&mut self.line_breaks_end, false);
        let inner = self.expression();
        self.line_breaks_end = line_breaks_end;
        let inner = inner?;
        let end = self.expect_closing(TokenKind::ParenClose, "`)`")?;
        Ok(Expr { kind: inner.kind, span: start.to(end) })
    }

    fn word(&mut self) -> Parsed<Expr> {
        let (text, span) = (self.text(), self.span());
        let opens = self.ahead(1).kind == TokenKind::ParenOpen;
        if self.in_query && matches!(text, "A" | "E") && super::query::path_quantifier(self).is_some() {
            return Err(self.nested_quantifier());
        }
        let kind = match text {
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            "deadlock" => ExprKind::Deadlock,
            "forall" => return self.quantified(Quantifier::Forall),
            "exists" => return self.quantified(Quantifier::Exists),
            "sum" if opens && self.is_binder(2) => return self.quantified(Quantifier::Sum),
            "foreach" if opens && self.is_binder(2) => return self.foreign_call("foreach"),
            "spawn" if self.ahead(1).kind == TokenKind::Word => return self.foreign_call("spawn"),
            "exit" if opens && self.ahead(2).kind == TokenKind::ParenClose => {
                return self.foreign_call("exit");
            }
            "numOf" if opens => return self.foreign_call("numOf"),
            _ if super::is_reserved(text) => {
                return Err(self.missing("an expression"));
            }
            _ => ExprKind::Name(text.into()),
        };
        self.advance();
        Ok(Expr { kind, span })
    }

    /// `( name :` follows.
    fn is_binder(&self, n: usize) -> bool {
        self.ahead(n).kind == TokenKind::Word && self.ahead(n + 1).kind == TokenKind::Colon
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<Expr> {
        let start = self.advance().span;
        self.expect(TokenKind::ParenOpen, &format!("`(` after `{}`", quantifier.keyword()))?;
        let binder = self.name("the name of the bound variable")?;
        self.expect(TokenKind::Colon, "`:` and a type")?;
        let ty = self.type_expression()?;
        let depth = self.tree_depth;
        self.expect(TokenKind::ParenClose, "`)` after the type")?;
        let body = self.expression()?;
        self.deepen(depth)?;
        let span = start.to(body.span);
        Ok(Expr { kind: ExprKind::Quantified(quantifier, binder, Box::new(ty), Box::new(body)), span })
    }

    /// A construct of another analysis: its parentheses are skipped, its name is kept.
    fn foreign_call(&mut self, construct: &'static str) -> Parsed<Expr> {
        let start = self.advance().span;
        while self.is(TokenKind::Word) {
            self.advance();
        }
        self.expect(TokenKind::ParenOpen, &format!("`(` after `{construct}`"))?;
        let mut depth = 1;
        while depth > 0 {
            match self.kind() {
                TokenKind::ParenOpen => depth += 1,
                TokenKind::ParenClose => depth -= 1,
                TokenKind::End => return Err(self.expected("`)`")),
                _ => {}
            }
            self.advance();
        }
        let mut span = start.to(self.previous_span());
        if construct == "foreach" {
            span = span.to(self.expression()?.span);
        }
        self.tree_depth = 1;
        Ok(Expr { kind: ExprKind::Foreign(construct), span })
    }
}

/// The operator of an assignment token: `Some(None)` is the plain one.
#[expect(clippy::option_option, reason = "the outer option says whether it is an assignment at all")]
pub(super) fn assignment_operator(kind: TokenKind) -> Option<Option<BinaryOp>> {
    Some(match kind {
        TokenKind::Assign => None,
        TokenKind::AddAssign => Some(BinaryOp::Add),
        TokenKind::SubAssign => Some(BinaryOp::Sub),
        TokenKind::MulAssign => Some(BinaryOp::Mul),
        TokenKind::DivAssign => Some(BinaryOp::Div),
        TokenKind::ModAssign => Some(BinaryOp::Mod),
        TokenKind::OrAssign => Some(BinaryOp::BitOr),
        TokenKind::AndAssign => Some(BinaryOp::BitAnd),
        TokenKind::XorAssign => Some(BinaryOp::BitXor),
        TokenKind::ShlAssign => Some(BinaryOp::ShiftLeft),
        TokenKind::ShrAssign => Some(BinaryOp::ShiftRight),
        _ => return None,
    })
}
