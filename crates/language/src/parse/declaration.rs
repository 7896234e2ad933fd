//! Declarations and types, of both dialects.

use super::Dialect;
use super::cursor::{Parsed, Parser};
use super::token::TokenKind;
use super::types::{is_type_keyword, prefix_of_keyword, unreadable, untyped_constant};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::{
    ChanPriorityItem, Decl, Declarator, Dimension, Expr, ExprKind, FunctionDecl, Ident, Init, Instantiation,
    Param, TypeBase, TypeExpr,
};

impl Parser<'_> {
    /// Declarations up to the end of the text, or to a word or brace that starts something else.
    pub(crate) fn declarations(&mut self) -> Vec<Decl> {
        let mut decls = Vec::new();
        while !self.at_end() && !self.is(TokenKind::BraceClose) && !self.starts_section() {
            let before = self.position();
            match self.declaration() {
                Ok(list) => decls.extend(list),
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
                "process" => true,
                "system" => {
                    self.ahead(1).kind == TokenKind::Word || self.ahead(1).kind == TokenKind::Semicolon
                }
                _ => self.section_ahead().is_some() && !self.starts_declaration_of_channels(),
            }
    }

    /// `urgent` starts a declaration of channels, or lists urgent locations.
    pub(crate) fn starts_declaration_of_channels(&self) -> bool {
        self.text() == "urgent" && (self.word_ahead(1, "chan") || self.word_ahead(1, "broadcast"))
            || self.text() == "urgent"
                && self.ahead(1).kind == TokenKind::Word
                && self.ahead(2).kind == TokenKind::Word
    }

    /// One declaration; none for a stray semicolon.
    fn declaration(&mut self) -> Parsed<Vec<Decl>> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(Vec::new());
        }
        if self.is_enumeration_ahead() {
            return self.enumeration();
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
        Ok(vec![decl])
    }

    /// One declaration inside a function.
    pub(crate) fn declaration_in_block(&mut self) -> Parsed<Vec<Decl>> {
        if self.is_enumeration_ahead() {
            return self.enumeration();
        }
        if self.is_word("typedef") {
            return Ok(vec![self.typedef()?]);
        }
        let start = self.span();
        let decl = self.variables_or_function()?;
        if matches!(decl, Decl::Function(_)) {
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, start, "a function inside a function")
                .hint("declare it before this one");
            self.report(diagnostic);
            return Ok(Vec::new());
        }
        Ok(vec![decl])
    }

    /// `enum {`, `enum T {`, perhaps behind `typedef`.
    fn is_enumeration_ahead(&self) -> bool {
        let at = usize::from(self.is_word("typedef"));
        let named = usize::from(self.ahead(at + 1).kind == TokenKind::Word);
        self.word_ahead(at, "enum") && self.ahead(at + 1 + named).kind == TokenKind::BraceOpen
    }

    /// An enumeration as in C is refused, and read as what it stands for: constants from 0 on, and a type with that range.
    fn enumeration(&mut self) -> Parsed<Vec<Decl>> {
        let is_typedef = self.eat_word("typedef");
        let start = self.advance().span;
        let tag = if self.is(TokenKind::Word) { Some(self.name("a name")?) } else { None };
        self.advance();
        let mut values = Vec::new();
        while self.is(TokenKind::Word) {
            values.push(self.name("the name of a value")?);
            self.skip_to(&[TokenKind::Comma]);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        let end = self.expect(TokenKind::BraceClose, "`}` after the values")?;
        let behind = if self.is(TokenKind::Word) { self.declarators(!is_typedef)? } else { Vec::new() };
        self.expect_semicolon("the declaration")?;
        let names: Vec<&str> = values.iter().map(|value| &*value.name).collect();
        let name = tag.as_ref().or(behind.first().map(|first| &first.name)).map_or("T", |name| &*name.name);
        let hint = format!(
            "declare constants and a type: `const int {}; typedef int[0,{}] {name};`",
            names
                .iter()
                .enumerate()
                .map(|(at, name)| format!("{name} = {at}"))
                .collect::<Vec<_>>()
                .join(", "),
            values.len().saturating_sub(1)
        );
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, start.to(end), "there are no enumerations");
        self.report(diagnostic.hint(hint));
        Ok(meant_by_enumeration(start, values, tag, behind, is_typedef))
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
    pub(super) fn declarators(&mut self, with_init: bool) -> Parsed<Vec<Declarator>> {
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
}

/// Constants and types in place of an enumeration.
fn meant_by_enumeration(
    span: Span,
    values: Vec<Ident>,
    tag: Option<Ident>,
    behind: Vec<Declarator>,
    is_typedef: bool,
) -> Vec<Decl> {
    let unsized_int = || TypeExpr { prefixes: vec![], base: TypeBase::Int(None), span };
    let constants = (0..).zip(values).map(|(value, name)| {
        let init = Some(Init::Expr(Expr { kind: ExprKind::Int(value), span: name.span }));
        Declarator { name, dimensions: Vec::new(), init }
    });
    let mut decls = vec![Decl::Variables(untyped_constant(span), constants.collect())];
    if let Some(name) = tag {
        decls.push(Decl::Typedef(
            unsized_int(),
            vec![Declarator { name, dimensions: Vec::new(), init: None }],
        ));
    }
    if !behind.is_empty() {
        let make = if is_typedef { Decl::Typedef } else { Decl::Variables };
        decls.push(make(unsized_int(), behind));
    }
    decls
}
