//! Declarations and types, of both dialects.

use super::Dialect;
use super::cursor::{Parsed, Parser};
use super::token::TokenKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::{
    ChanPriorityItem, Decl, Declarator, Dimension, Expr, ExprKind, FieldDecl, FunctionDecl, Ident, Init,
    Instantiation, Param, Prefix, TypeBase, TypeExpr,
};

impl Parser<'_> {
    /// Declarations up to the end of the text, or to a word or brace that starts something else.
    pub(crate) fn declarations(&mut self) -> Vec<Decl> {
        let mut decls = Vec::new();
        while !self.at_end() && !self.is(TokenKind::BraceClose) && !self.starts_section() {
            let before = self.position();
            match self.declaration() {
                Ok(decl) => decls.extend(decl),
                Err(_) => self.skip_item(),
            }
            if self.position() == before && !self.starts_section() {
                self.advance();
            }
        }
        decls
    }

    /// A word that ends the declarations: of a template's body, or of the file.
    fn starts_section(&self) -> bool {
        self.is(TokenKind::Word)
            && match self.text() {
                "state" | "commit" | "urgent" | "init" | "trans" | "branchpoint" => {
                    !self.is_declaration_ahead()
                }
                "process" => true,
                "system" => {
                    self.ahead(1).kind == TokenKind::Word || self.ahead(1).kind == TokenKind::Semicolon
                }
                _ => false,
            }
    }

    /// `urgent` starts a declaration of channels, or lists urgent locations.
    fn is_declaration_ahead(&self) -> bool {
        self.text() == "urgent" && (self.word_ahead(1, "chan") || self.word_ahead(1, "broadcast"))
            || self.text() == "urgent"
                && self.ahead(1).kind == TokenKind::Word
                && self.ahead(2).kind == TokenKind::Word
    }

    /// One declaration; `None` for a stray semicolon.
    fn declaration(&mut self) -> Parsed<Option<Decl>> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(None);
        }
        if !self.is(TokenKind::Word) {
            return Err(self.expected("a declaration"));
        }
        let next = self.ahead(1).kind;
        let decl = match self.text() {
            "typedef" => self.typedef()?,
            "chan" if self.word_ahead(1, "priority") => self.channel_priority()?,
            "before_update" if next == TokenKind::BraceOpen => self.update_hook(Decl::BeforeUpdate)?,
            "after_update" if next == TokenKind::BraceOpen => self.update_hook(Decl::AfterUpdate)?,
            "import" if next == TokenKind::Text => self.import(),
            "dynamic" if next == TokenKind::Word => self.foreign_declaration("dynamic"),
            "IO" if next == TokenKind::Word => self.foreign_declaration("IO"),
            "config" if next == TokenKind::Word => self.foreign_declaration("config"),
            _ if matches!(next, TokenKind::Assign | TokenKind::ParenOpen) => self.instantiation()?,
            _ => self.variables_or_function()?,
        };
        Ok(Some(decl))
    }

    /// One declaration inside a function.
    pub(crate) fn declaration_in_block(&mut self) -> Parsed<Option<Decl>> {
        if self.is_word("typedef") {
            return self.typedef().map(Some);
        }
        let start = self.span();
        let decl = self.variables_or_function()?;
        if matches!(decl, Decl::Function(_)) {
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, start, "a function inside a function")
                .hint("declare it before this one");
            self.report(diagnostic);
            return Ok(None);
        }
        Ok(Some(decl))
    }

    fn typedef(&mut self) -> Parsed<Decl> {
        self.advance();
        self.typedef_of()
    }

    /// What stands behind `typedef`.
    fn typedef_of(&mut self) -> Parsed<Decl> {
        let ty = self.type_expression()?;
        let names = self.declarators(false)?;
        self.expect_semicolon("the type definition")?;
        Ok(Decl::Typedef(ty, names))
    }

    fn channel_priority(&mut self) -> Parsed<Decl> {
        let start = self.advance().span;
        self.advance();
        let mut items = vec![self.channel_priority_item(false)?];
        loop {
            let raises = self.is(TokenKind::Lt);
            if !raises && !self.is(TokenKind::Comma) {
                break;
            }
            self.advance();
            items.push(self.channel_priority_item(raises)?);
        }
        self.expect_semicolon("the priorities")?;
        Ok(Decl::ChanPriority(items, start.to(self.previous_span())))
    }

    fn channel_priority_item(&mut self, raises: bool) -> Parsed<ChanPriorityItem> {
        let span = self.span();
        if self.eat_word("default") {
            return Ok(ChanPriorityItem { channel: None, raises, span });
        }
        let name = self.name("a channel")?;
        let mut channel = Expr { kind: ExprKind::Name(name.name), span };
        while self.eat(TokenKind::BracketOpen) {
            let index = self.expression()?;
            let end = self.expect(TokenKind::BracketClose, "`]`")?;
            let span = span.to(end);
            channel = Expr { kind: ExprKind::Index(Box::new(channel), Box::new(index)), span };
        }
        let span = channel.span;
        Ok(ChanPriorityItem { channel: Some(channel), raises, span })
    }

    fn update_hook(&mut self, make: fn(Vec<Expr>, Span) -> Decl) -> Parsed<Decl> {
        let start = self.advance().span;
        let open = self.advance().span;
        let list = if self.is(TokenKind::BraceClose) { Vec::new() } else { self.expression_list()? };
        self.eat(TokenKind::Semicolon);
        let end = self.expect_brace(open, "the updates");
        Ok(make(list, start.to(end)))
    }

    /// `import "lib" { int f(int); … };`: the names before each parameter list are what it declares.
    fn import(&mut self) -> Decl {
        let start = self.span();
        let from = self.position();
        self.skip_item();
        let to = self.position();
        let distance = to - from;
        let declares = (0..distance)
            .filter_map(|back| {
                let (name, open) =
                    (self.behind(distance - back), self.behind((distance - back).saturating_sub(1)));
                let is_function = name.kind == TokenKind::Word && open.kind == TokenKind::ParenOpen;
                is_function.then(|| Ident::new(name.text(self.fragment), name.span))
            })
            .collect();
        Decl::Foreign { construct: "import", declares, span: start.to(self.previous_span()) }
    }

    fn foreign_declaration(&mut self, construct: &'static str) -> Decl {
        let start = self.advance().span;
        let name = Ident::new(self.text(), self.span());
        self.skip_item();
        Decl::Foreign { construct, declares: vec![name], span: start.to(self.previous_span()) }
    }

    /// An instantiation with a mistake keeps its name, so that the system line does not complain of it again.
    fn instantiation(&mut self) -> Parsed<Decl> {
        let name = self.name("the name of a process")?;
        let parts = self.instantiation_parts(&name);
        if parts.is_err() {
            self.skip_item();
        }
        let span = name.span.to(self.previous_span());
        let (params, template, args) = parts.unwrap_or_else(|_| (None, unreadable(span), Vec::new()));
        Ok(Decl::Instantiation(Instantiation { name, params, template, args, span }))
    }

    fn instantiation_parts(&mut self, name: &Ident) -> Parsed<(Option<Vec<Param>>, Ident, Vec<Expr>)> {
        let params = if self.eat(TokenKind::ParenOpen) {
            let params = self.parameters(TokenKind::ParenClose);
            self.expect(TokenKind::ParenClose, "`)` after the parameters")?;
            Some(params)
        } else {
            None
        };
        if !self.is(TokenKind::Assign) {
            let message = format!("expected `=` and a template, found {}", self.describe());
            let hint = format!("an instantiation reads `{} = Template(arguments);`", name.name);
            return Err(self.report(Diagnostic::new(Code::UnexpectedToken, self.span(), message).hint(hint)));
        }
        self.advance();
        let template = self.name("the name of a template")?;
        let mut args = Vec::new();
        if self.eat(TokenKind::ParenOpen) {
            args = self.separated(TokenKind::Comma, TokenKind::ParenClose, Self::expression)?;
            self.expect_closing(TokenKind::ParenClose, "`)` after the arguments")?;
        } else if self.dialect == Dialect::New {
            let missing = self.missing("`(` and the arguments of the template");
            if !self.is(TokenKind::Semicolon) {
                return Err(missing);
            }
            args.push(Expr { kind: ExprKind::Error, span: template.span });
        }
        self.expect_semicolon("the instantiation")?;
        Ok((params, template, args))
    }

    fn variables_or_function(&mut self) -> Parsed<Decl> {
        if let Some(decl) = self.untyped_constants()? {
            return Ok(decl);
        }
        let mut ty = self.type_expression()?;
        if let TypeBase::Name(word) = &ty.base
            && self.is(TokenKind::Word)
            && is_type_keyword(self.text())
        {
            let prefix = self.misspelt_prefix(word);
            if prefix == Some("typedef") {
                return self.typedef_of();
            }
            ty = self.type_expression()?;
            ty.prefixes.extend(prefix.and_then(prefix_of_keyword));
        }
        if self.is(TokenKind::Word) && self.ahead(1).kind == TokenKind::ParenOpen {
            return self.function(ty);
        }
        let names = self.declarators(true)?;
        self.expect_semicolon("the declaration")?;
        Ok(Decl::Variables(ty, names))
    }

    /// `cons int N = 3;`: the word in front of a type is no type itself.
    fn misspelt_prefix(&mut self, word: &Ident) -> Option<&'static str> {
        let near = nearest(&word.name, ["const", "meta", "urgent", "broadcast", "hybrid", "typedef"]);
        let message = format!("`{}` has no meaning in front of a type", word.name);
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, word.span, message);
        self.report(match near {
            Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
            None => diagnostic,
        });
        near
    }

    /// `const N 3, a[2] {1, 2};` of the 3.x dialect (also met as `const N = 3;`).
    fn untyped_constants(&mut self) -> Parsed<Option<Decl>> {
        let untyped = self.is_word("const")
            && self.ahead(1).kind == TokenKind::Word
            && !super::is_reserved(self.text_ahead(1))
            && self.ahead(2).kind != TokenKind::Word;
        if !untyped {
            return Ok(None);
        }
        let ty = untyped_constant(self.advance().span);
        let mut names = Vec::new();
        loop {
            let name = self.name("the name of a constant")?;
            let dimensions = self.dimensions()?;
            self.eat(TokenKind::Assign);
            // Without a value it is for the checker to complain.
            let has_value = !self.is(TokenKind::Comma) && !self.is(TokenKind::Semicolon);
            let init = if has_value { Some(self.initialiser()?) } else { None };
            names.push(Declarator { name, dimensions, init });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect_semicolon("the declaration")?;
        Ok(Some(Decl::Variables(ty, names)))
    }

    /// Names with their dimensions and initial values. A name survives mistakes behind it.
    fn declarators(&mut self, with_init: bool) -> Parsed<Vec<Declarator>> {
        let mut list = Vec::new();
        loop {
            let name = self.name("a name")?;
            let dimensions = self.dimensions().unwrap_or_else(|_| {
                self.skip_to(&[TokenKind::Comma, TokenKind::Assign]);
                vec![Dimension::Expr(Expr { kind: ExprKind::Error, span: name.span })]
            });
            let mut init = None;
            if with_init && self.eat(TokenKind::Assign) {
                init = Some(self.initialiser().unwrap_or_else(|_| {
                    self.skip_to(&[TokenKind::Comma]);
                    Init::Expr(Expr { kind: ExprKind::Error, span: name.span })
                }));
            }
            list.push(Declarator { name, dimensions, init });
            if !self.eat(TokenKind::Comma) {
                return Ok(list);
            }
        }
    }

    pub(crate) fn dimensions(&mut self) -> Parsed<Vec<Dimension>> {
        let mut list = Vec::new();
        while self.eat(TokenKind::BracketOpen) {
            if self.is(TokenKind::BracketClose) {
                return Err(self.expected("the size of the array"));
            }
            let is_type = self.is(TokenKind::Word) && matches!(self.text(), "int" | "scalar" | "bool");
            list.push(if is_type {
                Dimension::Type(self.type_expression()?)
            } else {
                Dimension::Expr(self.expression()?)
            });
            self.expect_closing(TokenKind::BracketClose, "`]` after the array size")?;
        }
        Ok(list)
    }

    fn initialiser(&mut self) -> Parsed<Init> {
        if !self.is(TokenKind::BraceOpen) {
            return Ok(Init::Expr(self.expression()?));
        }
        self.nested(|parser| {
            let start = parser.advance().span;
            let items = parser.separated(TokenKind::Comma, TokenKind::BraceClose, |parser| {
                let is_named = parser.is(TokenKind::Word) && parser.ahead(1).kind == TokenKind::Colon;
                let field = if is_named { Some(parser.name("a field")?) } else { None };
                if field.is_some() {
                    parser.advance();
                }
                Ok((field, parser.initialiser()?))
            })?;
            let end = parser.expect(TokenKind::BraceClose, "`}` after the initialisers")?;
            Ok(Init::List(items, start.to(end)))
        })
    }

    fn function(&mut self, result: TypeExpr) -> Parsed<Decl> {
        let name = self.name("the name of a function")?;
        self.advance();
        let params = self.parameters(TokenKind::ParenClose);
        self.expect_closing(TokenKind::ParenClose, "`)` after the parameters")?;
        if !self.is(TokenKind::BraceOpen) {
            return self.function_without_body(result, name);
        }
        let body = self.block("the function")?;
        Ok(Decl::Function(FunctionDecl { result, name, params, body }))
    }

    /// `P Template(x);`: an instantiation without its `=`, or a declaration as in C.
    fn function_without_body(&mut self, result: TypeExpr, template: Ident) -> Parsed<Decl> {
        let message = format!("expected `{{` and the body of the function, found {}", self.describe());
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.previous_span().after(), message);
        let TypeBase::Name(name) = result.base else {
            return Err(self.report(diagnostic.hint("a function is declared where its body stands")));
        };
        let hint = format!("an instantiation reads `{} = {}(…);`", name.name, template.name);
        self.report(diagnostic.hint(hint));
        self.eat(TokenKind::Semicolon);
        let span = name.span.to(self.previous_span());
        let args = vec![Expr { kind: ExprKind::Error, span }];
        Ok(Decl::Instantiation(Instantiation { name, params: None, template, args, span }))
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
}

/// Stands for a name that could not be read; the checker says nothing about it.
fn unreadable(span: Span) -> Ident {
    Ident::new("", span)
}

/// Stands for a type that could not be read.
pub(crate) fn unreadable_type(span: Span) -> TypeExpr {
    TypeExpr { prefixes: vec![], base: TypeBase::Name(unreadable(span)), span }
}

fn unreadable_parameter(span: Span) -> Param {
    Param { ty: unreadable_type(span), reference: false, name: unreadable(span), dimensions: vec![] }
}

/// Words that a type starts with.
fn is_type_keyword(word: &str) -> bool {
    matches!(word, "int" | "bool" | "clock" | "chan" | "double" | "scalar" | "struct" | "void")
}

/// The type of a constant that is declared without one.
fn untyped_constant(span: Span) -> TypeExpr {
    TypeExpr { prefixes: vec![Prefix::Const], base: TypeBase::Int(None), span }
}

fn prefix_of_keyword(word: &str) -> Option<Prefix> {
    [Prefix::Const, Prefix::Meta, Prefix::Urgent, Prefix::Broadcast, Prefix::Hybrid]
        .into_iter()
        .find(|prefix| prefix.keyword() == word)
}
