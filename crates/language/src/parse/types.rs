//! Types and parameters, of both dialects.

use super::Dialect;
use super::cursor::{Parsed, Parser};
use super::token::TokenKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::{Expr, FieldDecl, Ident, Param, Prefix, TypeBase, TypeExpr};

impl Parser<'_> {
    /// A type without array dimensions.
    pub(crate) fn type_expression(&mut self) -> Parsed<TypeExpr> {
        self.nested(|parser| {
            let start = parser.span();
            let mut prefixes = Vec::new();
            while let Some(prefix) = parser.prefix() {
                prefixes.push(prefix);
                parser.advance();
            }
            parser.tree_depth = 0;
            let base = parser.type_base()?;
            parser.deepen(0)?;
            Ok(TypeExpr { prefixes, base, span: start.to(parser.previous_span()) })
        })
    }

    fn prefix(&self) -> Option<Prefix> {
        if !self.is(TokenKind::Word) {
            return None;
        }
        Some(match self.text() {
            "const" => Prefix::Const,
            "meta" => Prefix::Meta,
            "urgent" => Prefix::Urgent,
            "broadcast" => Prefix::Broadcast,
            "hybrid" if self.word_ahead(1, "clock") => Prefix::Hybrid,
            _ => return None,
        })
    }

    fn type_base(&mut self) -> Parsed<TypeBase> {
        if !self.is(TokenKind::Word) {
            return Err(self.expected("a type"));
        }
        let base = match self.text() {
            "bool" => TypeBase::Bool,
            "clock" => TypeBase::Clock,
            "chan" => TypeBase::Chan,
            "double" => TypeBase::Double,
            "string" if self.ahead(1).kind == TokenKind::Word => TypeBase::String,
            "void" => TypeBase::Void,
            "int" => {
                self.advance();
                return self.integer_range();
            }
            "scalar" => {
                self.advance();
                self.expect(TokenKind::BracketOpen, "`[` and the size of the scalar set")?;
                let size = self.expression()?;
                self.expect(TokenKind::BracketClose, "`]`")?;
                return Ok(TypeBase::Scalar(Box::new(size)));
            }
            "struct" => {
                self.advance();
                return self.structure();
            }
            _ => return Ok(TypeBase::Name(self.name("a type")?)),
        };
        self.advance();
        Ok(base)
    }

    fn integer_range(&mut self) -> Parsed<TypeBase> {
        if !self.eat(TokenKind::BracketOpen) {
            return Ok(TypeBase::Int(None));
        }
        let outer = std::mem::replace(&mut self.in_range_bounds, true);
        let bounds = self.range_bounds();
        self.in_range_bounds = outer;
        Ok(TypeBase::Int(Some(Box::new(bounds?))))
    }

    fn range_bounds(&mut self) -> Parsed<(Expr, Expr)> {
        let low = self.expression()?;
        let depth = self.tree_depth;
        self.expect(TokenKind::Comma, "`,` between the bounds")?;
        let high = self.expression()?;
        self.tree_depth = self.tree_depth.max(depth);
        self.expect(TokenKind::BracketClose, "`]` after the bounds")?;
        Ok((low, high))
    }

    fn structure(&mut self) -> Parsed<TypeBase> {
        let open = self.expect(TokenKind::BraceOpen, "`{` and the fields")?;
        let mut fields = Vec::new();
        let mut depth = 0;
        if self.is(TokenKind::BraceClose) {
            self.expected("the fields of the struct");
        }
        while !self.is(TokenKind::BraceClose) && !self.at_end() && !self.starts_top_level() {
            match self.field() {
                Ok(field) => fields.push(field),
                Err(_) => self.skip_item(),
            }
            depth = depth.max(self.tree_depth);
        }
        self.tree_depth = depth;
        self.expect_brace(open, "the fields");
        Ok(TypeBase::Struct(fields))
    }

    fn field(&mut self) -> Parsed<FieldDecl> {
        let ty = self.type_expression()?;
        let depth = self.tree_depth;
        let names = self.declarators(false)?;
        self.tree_depth = self.tree_depth.max(depth);
        self.expect_semicolon("the field")?;
        Ok(FieldDecl { ty, names })
    }

    /// Parameters of a function or template, up to `close`. A mistake among them is kept as a parameter without a name.
    pub(crate) fn parameters(&mut self, close: TokenKind) -> Vec<Param> {
        let mut params: Vec<Param> = Vec::new();
        if self.is_word("void") && self.ahead(1).kind == close {
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.span(), "`void` is no parameter");
            self.report(diagnostic.hint("write nothing between the parentheses"));
            self.advance();
        }
        while !self.is(close) && !self.at_end() {
            if self.parameter_group(&mut params).is_err() {
                self.skip_parameters(close);
                params.push(unreadable_parameter(self.previous_span()));
                break;
            }
            if self.is(TokenKind::Word) {
                self.report_missing("`,` between the parameters", "`,` is missing");
                continue;
            }
            let separated = self.eat(TokenKind::Comma) || self.eat(TokenKind::Semicolon);
            if !separated {
                break;
            }
        }
        params
    }

    /// Skips to the end of a parameter list, or to where its body starts.
    fn skip_parameters(&mut self, close: TokenKind) {
        let mut depth = 0u32;
        while !self.at_end() && !self.is(TokenKind::BraceOpen) && !self.starts_top_level() {
            match self.kind() {
                kind if kind == close && depth == 0 => return,
                TokenKind::ParenOpen | TokenKind::BracketOpen => depth += 1,
                TokenKind::ParenClose | TokenKind::BracketClose => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.advance();
        }
    }

    /// One parameter; in the 3.x dialect `int i, j` are two of one type.
    fn parameter_group(&mut self, params: &mut Vec<Param>) -> Parsed<()> {
        let untyped_const = self.is_word("const")
            && self.ahead(1).kind == TokenKind::Word
            && !super::is_reserved(self.text_ahead(1))
            && !matches!(self.ahead(2).kind, TokenKind::Word | TokenKind::Ampersand);
        let ends = matches!(self.ahead(1).kind, TokenKind::Comma | TokenKind::ParenClose | TokenKind::End);
        if self.is(TokenKind::Word) && !super::is_reserved(self.text()) && ends {
            self.untyped_parameter(params)?;
            return Ok(());
        }
        let ty = if untyped_const { untyped_constant(self.advance().span) } else { self.type_expression()? };
        loop {
            let mut reference = self.eat(TokenKind::Ampersand);
            let name = self.name("the name of a parameter")?;
            let dimensions = self.dimensions()?;
            if self.dialect == Dialect::Old && !ty.has(Prefix::Const) {
                reference = true;
            }
            params.push(Param { ty: ty.clone(), reference, name, dimensions });
            let continues = self.dialect == Dialect::Old
                && self.is(TokenKind::Comma)
                && self.ahead(1).kind == TokenKind::Word
                && !super::is_reserved(self.text_ahead(1))
                && self.ahead(2).kind != TokenKind::Word;
            if !continues {
                return Ok(());
            }
            self.advance();
        }
    }

    /// `a` without a type; said once per list.
    fn untyped_parameter(&mut self, params: &mut Vec<Param>) -> Parsed<()> {
        let name = self.name("the name of a parameter")?;
        let ty = unreadable_type(name.span);
        if params.last().is_none_or(|last| last.ty.base != TypeBase::Name(unreadable(last.ty.span))) {
            let message = format!("the parameter `{}` has no type", name.name);
            self.report(Diagnostic::new(Code::UnexpectedToken, name.span, message));
        }
        params.push(Param { ty, reference: false, name, dimensions: vec![] });
        Ok(())
    }
}

/// Stands for a name that could not be read; the checker says nothing about it.
pub(super) fn unreadable(span: Span) -> Ident {
    Ident::new("", span)
}

/// Stands for a type that could not be read.
pub(super) fn unreadable_type(span: Span) -> TypeExpr {
    TypeExpr { prefixes: vec![], base: TypeBase::Name(unreadable(span)), span }
}

fn unreadable_parameter(span: Span) -> Param {
    Param { ty: unreadable_type(span), reference: false, name: unreadable(span), dimensions: vec![] }
}

/// Words that a type starts with.
pub(super) fn is_type_keyword(word: &str) -> bool {
    matches!(word, "int" | "bool" | "clock" | "chan" | "double" | "scalar" | "struct" | "void")
}

/// The type of a constant that is declared without one.
pub(super) fn untyped_constant(span: Span) -> TypeExpr {
    TypeExpr { prefixes: vec![Prefix::Const], base: TypeBase::Int(None), span }
}

pub(super) fn prefix_of_keyword(word: &str) -> Option<Prefix> {
    [Prefix::Const, Prefix::Meta, Prefix::Urgent, Prefix::Broadcast, Prefix::Hybrid]
        .into_iter()
        .find(|prefix| prefix.keyword() == word)
}
