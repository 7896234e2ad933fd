//! Declarations and types, of both dialects.

use super::Dialect;
use super::cursor::{Parsed, Parser};
use super::token::TokenKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
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
            "import" if next == TokenKind::Text => self.import()?,
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
        let ty = self.type_expression()?;
        let names = self.declarators(false)?;
        self.expect(TokenKind::Semicolon, "`;` after the type definition")?;
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
        let end = self.expect(TokenKind::Semicolon, "`;` after the priorities")?;
        Ok(Decl::ChanPriority(items, start.to(end)))
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
        self.advance();
        let list = if self.is(TokenKind::BraceClose) { Vec::new() } else { self.expression_list()? };
        self.eat(TokenKind::Semicolon);
        let end = self.expect(TokenKind::BraceClose, "`}`")?;
        Ok(make(list, start.to(end)))
    }

    /// `import "lib" { int f(int); … };`: the names before each parameter list are what it declares.
    fn import(&mut self) -> Parsed<Decl> {
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
        Ok(Decl::Foreign { construct: "import", declares, span: start.to(self.previous_span()) })
    }

    fn foreign_declaration(&mut self, construct: &'static str) -> Decl {
        let start = self.advance().span;
        let name = Ident::new(self.text(), self.span());
        self.skip_item();
        Decl::Foreign { construct, declares: vec![name], span: start.to(self.previous_span()) }
    }

    fn instantiation(&mut self) -> Parsed<Decl> {
        let name = self.name("the name of a process")?;
        let params = if self.eat(TokenKind::ParenOpen) {
            let params = self.parameters(TokenKind::ParenClose)?;
            self.expect(TokenKind::ParenClose, "`)` after the parameters")?;
            Some(params)
        } else {
            None
        };
        if !self.is(TokenKind::Assign) {
            let found = self.describe();
            let message = format!("expected `=` and a template, found {found}");
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.span(), message).hint(format!(
                "`{}` is no type; an instantiation reads `P = Template(arguments);`",
                name.name
            ));
            return Err(self.report(diagnostic));
        }
        self.advance();
        let template = self.name("the name of a template")?;
        let mut args = Vec::new();
        if self.eat(TokenKind::ParenOpen) {
            args = self.separated(TokenKind::Comma, TokenKind::ParenClose, Self::expression)?;
            self.expect(TokenKind::ParenClose, "`)` after the arguments")?;
        } else if self.dialect == Dialect::New {
            return Err(self.expected("`(` and the arguments of the template"));
        }
        let end = self.expect(TokenKind::Semicolon, "`;` after the instantiation")?;
        let span = name.span.to(end);
        Ok(Decl::Instantiation(Instantiation { name, params, template, args, span }))
    }

    fn variables_or_function(&mut self) -> Parsed<Decl> {
        if let Some(decl) = self.untyped_constants()? {
            return Ok(decl);
        }
        let ty = self.type_expression()?;
        if self.is(TokenKind::Word) && self.ahead(1).kind == TokenKind::ParenOpen {
            return self.function(ty);
        }
        let names = self.declarators(true)?;
        self.expect_semicolon_after_declaration()?;
        Ok(Decl::Variables(ty, names))
    }

    /// A forgotten semicolon is reported, but does not cost the declarations around it.
    fn expect_semicolon_after_declaration(&mut self) -> Parsed<()> {
        if self.is(TokenKind::Semicolon) {
            self.advance();
            return Ok(());
        }
        let on_new_line = self.token().starts_line && self.is(TokenKind::Word);
        if on_new_line || self.at_end() || self.is(TokenKind::BraceClose) {
            let diagnostic = Diagnostic::new(
                Code::UnexpectedToken,
                self.previous_span().after(),
                "expected `;` after the declaration",
            )
            .label("`;` is missing");
            self.report(diagnostic);
            return Ok(());
        }
        Err(self.expected("`;` after the declaration"))
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
            let init = self.initialiser()?;
            names.push(Declarator { name, dimensions, init: Some(init) });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect_semicolon_after_declaration()?;
        Ok(Some(Decl::Variables(ty, names)))
    }

    fn declarators(&mut self, with_init: bool) -> Parsed<Vec<Declarator>> {
        let mut list = Vec::new();
        loop {
            let name = self.name("a name")?;
            let dimensions = self.dimensions()?;
            let init =
                if with_init && self.eat(TokenKind::Assign) { Some(self.initialiser()?) } else { None };
            list.push(Declarator { name, dimensions, init });
            if !self.eat(TokenKind::Comma) {
                return Ok(list);
            }
        }
    }

    pub(crate) fn dimensions(&mut self) -> Parsed<Vec<Dimension>> {
        let mut list = Vec::new();
        while self.eat(TokenKind::BracketOpen) {
            let is_type = self.is(TokenKind::Word) && matches!(self.text(), "int" | "scalar" | "bool");
            list.push(if is_type {
                Dimension::Type(self.type_expression()?)
            } else {
                Dimension::Expr(self.expression()?)
            });
            self.expect(TokenKind::BracketClose, "`]` after the array size")?;
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
        self.expect(TokenKind::ParenOpen, "`(`")?;
        let params = self.parameters(TokenKind::ParenClose)?;
        self.expect(TokenKind::ParenClose, "`)` after the parameters")?;
        let body = self.block()?;
        Ok(Decl::Function(FunctionDecl { result, name, params, body }))
    }

    /// Parameters of a function or template, up to `close`.
    pub(crate) fn parameters(&mut self, close: TokenKind) -> Parsed<Vec<Param>> {
        let mut params: Vec<Param> = Vec::new();
        while !self.is(close) && !self.at_end() {
            self.parameter_group(&mut params)?;
            let separated = self.eat(TokenKind::Comma) || self.eat(TokenKind::Semicolon);
            if !separated {
                break;
            }
        }
        Ok(params)
    }

    /// One parameter; in the 3.x dialect `int i, j` are two of one type.
    fn parameter_group(&mut self, params: &mut Vec<Param>) -> Parsed<()> {
        let untyped_const = self.is_word("const")
            && self.ahead(1).kind == TokenKind::Word
            && !super::is_reserved(self.text_ahead(1))
            && !matches!(self.ahead(2).kind, TokenKind::Word | TokenKind::Ampersand);
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

    /// A type without array dimensions.
    pub(crate) fn type_expression(&mut self) -> Parsed<TypeExpr> {
        self.nested(|parser| {
            let start = parser.span();
            let mut prefixes = Vec::new();
            while let Some(prefix) = parser.prefix() {
                prefixes.push(prefix);
                parser.advance();
            }
            let base = parser.type_base()?;
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
        self.expect(TokenKind::Comma, "`,` between the bounds")?;
        let high = self.expression()?;
        self.expect(TokenKind::BracketClose, "`]` after the bounds")?;
        Ok((low, high))
    }

    fn structure(&mut self) -> Parsed<TypeBase> {
        self.expect(TokenKind::BraceOpen, "`{` and the fields")?;
        let mut fields = Vec::new();
        while !self.is(TokenKind::BraceClose) && !self.at_end() {
            let ty = self.type_expression()?;
            let names = self.declarators(false)?;
            self.expect(TokenKind::Semicolon, "`;` after the field")?;
            fields.push(FieldDecl { ty, names });
        }
        self.expect(TokenKind::BraceClose, "`}` after the fields")?;
        Ok(TypeBase::Struct(fields))
    }
}

/// The type of a constant that is declared without one.
fn untyped_constant(span: Span) -> TypeExpr {
    TypeExpr { prefixes: vec![Prefix::Const], base: TypeBase::Int(None), span }
}
