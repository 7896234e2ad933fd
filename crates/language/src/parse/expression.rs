//! Expressions: a Pratt parser with the precedences of the language reference.

use super::cursor::{Parsed, Parser, Reported};
use super::token::TokenKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::{BinaryOp, Expr, ExprKind, Quantifier, UnaryOp};

/// Operators of one chain `a + b + c + …`: the tree leans to the left and later passes recurse into it.
const MAX_CHAIN: usize = 1000;

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
        self.advance();
        let value = self.expression()?;
        let span = target.span.to(value.span);
        Ok(Expr { kind: ExprKind::Assign(op, Box::new(target), Box::new(value)), span })
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let condition = self.binary(0)?;
        if !self.is(TokenKind::Question) || self.ends_here() || self.question_ends_sync() {
            return Ok(condition);
        }
        self.advance();
        let then = self.expression()?;
        self.expect(TokenKind::Colon, "`:` of the conditional")?;
        let otherwise = self.nested(Self::conditional)?;
        let span = condition.span.to(otherwise.span);
        Ok(Expr {
            kind: ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)),
            span,
        })
    }

    /// In `c?` the question mark is the direction of a synchronisation, not an operator.
    fn question_ends_sync(&self) -> bool {
        matches!(self.ahead(1).kind, TokenKind::End | TokenKind::Semicolon | TokenKind::BraceClose)
    }

    /// In a query, a line break ends an expression where the next token could not belong to it anyway.
    fn ends_here(&self) -> bool {
        self.line_breaks_end && self.token().starts_line && super::query::starts_query(self)
    }

    fn binary(&mut self, minimum: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        let mut chain = 0;
        while let Some(op) = self.binary_operator() {
            if op.precedence() < minimum {
                break;
            }
            chain += 1;
            if chain > MAX_CHAIN {
                let message = format!("more than {MAX_CHAIN} operators in a row");
                self.report(
                    Diagnostic::new(Code::NestingTooDeep, self.span(), message)
                        .hint("use a quantifier, or group the operands with parentheses"),
                );
                return Err(Reported);
            }
            self.advance();
            let right = self.nested(|parser| parser.binary(op.precedence() + 1))?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span };
        }
        Ok(left)
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
            TokenKind::Le => BinaryOp::Le,
            TokenKind::Ge => BinaryOp::Ge,
            TokenKind::Gt => BinaryOp::Gt,
            TokenKind::OldLe if self.dialect == super::Dialect::Old => BinaryOp::Le,
            TokenKind::OldGe if self.dialect == super::Dialect::Old => BinaryOp::Ge,
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
            return Ok(Expr { kind: ExprKind::Int(i32::MIN), span });
        }
        let operand = self.nested(Self::unary)?;
        let span = start.to(operand.span);
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span })
    }

    fn prefix_step(&mut self) -> Parsed<Expr> {
        let token = self.advance();
        let increment = token.kind == TokenKind::Increment;
        let target = Box::new(self.nested(Self::unary)?);
        let span = token.span.to(target.span);
        Ok(Expr { kind: ExprKind::Step { increment, prefix: true, target }, span })
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut expr = self.primary()?;
        let mut chain = 0;
        loop {
            let begins_line = self.line_breaks_end && self.token().starts_line;
            chain += 1;
            if chain > MAX_CHAIN {
                let message = format!("more than {MAX_CHAIN} operators in a row");
                return Err(self.report(Diagnostic::new(Code::NestingTooDeep, self.span(), message)));
            }
            match self.kind() {
                TokenKind::ParenOpen | TokenKind::BracketOpen if begins_line => return Ok(expr),
                TokenKind::ParenOpen => {
                    self.advance();
                    let args = self.separated(TokenKind::Comma, TokenKind::ParenClose, Self::expression)?;
                    let end = self.expect(TokenKind::ParenClose, "`)` after the arguments")?;
                    let span = expr.span.to(end);
                    expr = Expr { kind: ExprKind::Call(Box::new(expr), args), span };
                }
                TokenKind::BracketOpen => {
                    self.advance();
                    let index = self.expression()?;
                    let end = self.expect(TokenKind::BracketClose, "`]` after the index")?;
                    let span = expr.span.to(end);
                    expr = Expr { kind: ExprKind::Index(Box::new(expr), Box::new(index)), span };
                }
                TokenKind::Dot => {
                    self.advance();
                    if !self.is(TokenKind::Word) {
                        return Err(self.expected("the name of a member"));
                    }
                    let text = self.text();
                    let field = crate::syntax::Ident::new(text, self.advance().span);
                    let span = expr.span.to(field.span);
                    expr = Expr { kind: ExprKind::Field(Box::new(expr), field), span };
                }
                TokenKind::Prime => {
                    let span = expr.span.to(self.advance().span);
                    expr = Expr { kind: ExprKind::Rate(Box::new(expr)), span };
                }
                TokenKind::Increment | TokenKind::Decrement => {
                    let token = self.advance();
                    let span = expr.span.to(token.span);
                    let increment = token.kind == TokenKind::Increment;
                    expr = Expr {
                        kind: ExprKind::Step { increment, prefix: false, target: Box::new(expr) },
                        span,
                    };
                }
                _ => return Ok(expr),
            }
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.token();
        let kind = match token.kind {
            TokenKind::Nat => self.integer(),
            TokenKind::Float => ExprKind::Double(self.text().into()),
            TokenKind::Text => ExprKind::String(self.text().trim_matches('"').into()),
            TokenKind::ParenOpen => return self.parenthesised(),
            TokenKind::Word => return self.word(),
            _ => return Err(self.expected("an expression")),
        };
        self.advance();
        Ok(Expr { kind, span: token.span })
    }

    fn integer(&mut self) -> ExprKind {
        let digits = self.text();
        if let Ok(value) = digits.parse::<i32>() {
            return ExprKind::Int(value);
        }
        let message = format!("the number {digits} does not fit into 32 bits");
        if self.in_range_bounds {
            let diagnostic =
                Diagnostic::new(Code::NumberCut, self.span(), message).label("read as 2147483647");
            self.report(diagnostic);
            return ExprKind::Int(i32::MAX);
        }
        self.report(
            Diagnostic::new(Code::NumberTooLarge, self.span(), message).label("the largest is 2147483647"),
        );
        ExprKind::Error
    }

    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.advance().span;
        let line_breaks_end = std::mem::replace(&mut self.line_breaks_end, false);
        let inner = self.expression();
        self.line_breaks_end = line_breaks_end;
        let inner = inner?;
        let end = self.expect(TokenKind::ParenClose, "`)`")?;
        Ok(Expr { kind: inner.kind, span: start.to(end) })
    }

    fn word(&mut self) -> Parsed<Expr> {
        let (text, span) = (self.text(), self.span());
        let opens = self.ahead(1).kind == TokenKind::ParenOpen;
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
                return Err(self.expected("an expression"));
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
        self.expect(TokenKind::ParenClose, "`)` after the type")?;
        let body = self.expression()?;
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
        Ok(Expr { kind: ExprKind::Foreign(construct), span })
    }
}

/// The operator of an assignment token: `Some(None)` is the plain one.
#[expect(clippy::option_option, reason = "the outer option says whether it is an assignment at all")]
fn assignment_operator(kind: TokenKind) -> Option<Option<BinaryOp>> {
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
