//! The parser: text to a [`File`].
//!
//! A statement that cannot be read is reported and skipped up to its semicolon, an item up to the next word that begins one; so one mistake
//! gives one message, and the rest of the file is read.

mod condition;
mod cursor;
mod lexer;
mod program;
mod variant;

use crate::syntax::{
    Constant, Cycle, Device, Domain, File, Ident, Node, Port, Property, PropertyKind, Reaction, Symbol,
    TypeDecl, TypeDefinition, Value, ValueKind,
};
use cursor::Cursor;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::source::FileId;
use guidepost_language::suggest;
use guidepost_language::words::{Parsed, Reported};
pub(crate) use lexer::TokenKind;

/// The words that begin an item.
pub(crate) const ITEMS: &[&str] =
    &["constant", "type", "input", "program", "node", "device", "property", "variant"];

/// Reads a file.
pub(crate) fn parse(file: FileId, text: &str, out: &mut Diagnostics) -> File {
    let mut cursor = Cursor::new(file, text, out);
    let mut parsed = File::default();
    while !cursor.is(TokenKind::End) {
        let lost = cursor.kinds_meant();
        if cursor.item(&mut parsed).is_err() {
            parsed.lost.extend(lost);
            cursor.skip_item(ITEMS);
        }
    }
    parsed
}

impl Cursor<'_> {
    fn item(&mut self, file: &mut File) -> Parsed<()> {
        match self.word() {
            "constant" => file.constants.push(self.constant()?),
            "type" => file.types.push(self.type_declaration()?),
            "input" => file.inputs.extend(self.ports()?),
            "program" => file.programs.push(self.program()?),
            "node" => file.devices.push(self.lone_node()?),
            "device" => {
                let device = self.device(&mut file.lost)?;
                file.devices.push(device);
            }
            "property" => file.properties.push(self.property()?),
            "variant" => file.variants.push(self.variant()?),
            other => {
                let near = suggest::nearest(other, ITEMS.iter().copied()).filter(|_| !other.is_empty());
                let Some(near) = near else { return Err(self.stray()) };
                let message = format!("`{other}` begins no item");
                let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.token().span, message);
                let reported = self.report(diagnostic.hint(format!("did you mean `{near}`?")));
                self.advance();
                return Err(reported);
            }
        }
        Ok(())
    }

    /// The kind of item that begins here. What begins none may have been any.
    fn kinds_meant(&self) -> &'static [&'static str] {
        let near = suggest::nearest(self.word(), ITEMS.iter().copied()).unwrap_or(self.word());
        let at = ITEMS.iter().position(|item| *item == near);
        at.map_or(ITEMS, |at| &ITEMS[at..=at])
    }

    /// Something that begins no item. It is passed over, so that the search for the next one comes to an end.
    fn stray(&mut self) -> Reported {
        let reported = self
            .expected("`constant`, `type`, `input`, `program`, `node`, `device`, `property` or `variant`");
        self.advance();
        reported
    }

    fn constant(&mut self) -> Parsed<Constant> {
        self.advance();
        let name = self.name("the name of the constant")?;
        self.expect_becomes()?;
        let value = self.value("a value")?;
        self.semicolon()?;
        Ok(Constant { name, value })
    }

    fn type_declaration(&mut self) -> Parsed<TypeDecl> {
        self.advance();
        let name = self.name("the name of the type")?;
        self.expect_becomes()?;
        let definition = if self.eat(TokenKind::BraceOpen) {
            let mut values = vec![self.name("a value")?];
            while self.eat(TokenKind::Comma) {
                values.push(self.name("a value")?);
            }
            self.expect(TokenKind::BraceClose, "`,` or `}`")?;
            TypeDefinition::Values(values)
        } else {
            TypeDefinition::Domain(self.domain()?)
        };
        self.semicolon()?;
        Ok(TypeDecl { name, definition })
    }

    fn domain(&mut self) -> Parsed<Domain> {
        if self.eat_word("bool") {
            return Ok(Domain::Bool);
        }
        if self.is(TokenKind::BraceOpen) {
            let span = self.token().span;
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, span, "a set of values needs a name");
            let hint = "declare it by `type NAME := { … };` and write the name here";
            return Err(self.report(diagnostic.hint(hint)));
        }
        let first = self.value("`bool`, a range such as `0..2`, or the name of a type")?;
        if self.eat(TokenKind::Dots) {
            return Ok(Domain::Range(first, self.value("the upper bound")?));
        }
        match first.kind {
            ValueKind::Name(name) => Ok(Domain::Named(name)),
            _ => Err(self.expected("`..`")),
        }
    }

    /// `input a, b : domain := value;`, also with `output`.
    pub(crate) fn ports(&mut self) -> Parsed<Vec<Port>> {
        self.advance();
        let mut names = vec![self.name("the name of a signal")?];
        while self.eat(TokenKind::Comma) {
            names.push(self.name("the name of a signal")?);
        }
        self.expect(TokenKind::Colon, "`:` and the values of the signal")?;
        let domain = self.domain()?;
        let value = if matches!(self.token().kind, TokenKind::Becomes | TokenKind::Equal) {
            self.expect_becomes()?;
            Some(self.value("a value")?)
        } else {
            None
        };
        self.semicolon()?;
        let port = |name| Port { name, domain: domain.clone(), value: value.clone() };
        Ok(names.into_iter().map(port).collect())
    }

    fn cycle(&mut self) -> Parsed<Cycle> {
        let first = self.value("the longest time that a cycle takes")?;
        let (least, most) = if self.eat(TokenKind::Dots) {
            (Some(first), self.value("the longest time that a cycle takes")?)
        } else {
            (None, first)
        };
        Ok(Cycle { least, most, settled: self.eat_word("settled") })
    }

    /// A device; a node that cannot be read is noted as `lost`.
    fn device(&mut self, lost: &mut Vec<&'static str>) -> Parsed<Device> {
        self.advance();
        let name = self.name("the name of the device")?;
        let cycle = if self.eat_word("cycle") { Some(self.cycle()?) } else { None };
        self.expect(TokenKind::BraceOpen, "`{`")?;
        let mut nodes = Vec::new();
        while !matches!(self.token().kind, TokenKind::BraceClose | TokenKind::End) {
            if ITEMS.contains(&self.word()) && self.word() != "node" {
                return Err(self.expected("`node` or `}`"));
            }
            if let Ok(node) = self.node_on_device() {
                nodes.push(node);
            } else {
                lost.push("node");
                self.skip_statement();
            }
        }
        self.expect(TokenKind::BraceClose, "`}`")?;
        Ok(Device { name: Some(name), cycle, nodes })
    }

    fn node_on_device(&mut self) -> Parsed<Node> {
        if self.word() != "node" {
            return Err(self.expected("`node` or `}`"));
        }
        let node = self.node()?;
        if self.word() == "cycle" {
            let message = "a node on a device has the cycle of the device";
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.token().span, message);
            return Err(self.report(diagnostic));
        }
        self.semicolon()?;
        Ok(node)
    }

    fn lone_node(&mut self) -> Parsed<Device> {
        let node = self.node()?;
        let cycle = if self.eat_word("cycle") { Some(self.cycle()?) } else { None };
        self.semicolon()?;
        Ok(Device { name: None, cycle, nodes: vec![node] })
    }

    fn node(&mut self) -> Parsed<Node> {
        self.advance();
        let name = self.name("the name of the node")?;
        self.expect(TokenKind::Colon, "`:` and the node's program")?;
        let program = self.name("the name of a program")?;
        self.expect(TokenKind::ParenOpen, "`(`")?;
        let mut wires = Vec::new();
        while !self.is(TokenKind::ParenClose) {
            let input = self.name("an input of the program")?;
            self.expect_becomes()?;
            wires.push((input, self.symbol("a signal")?));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::ParenClose, "`,` or `)`")?;
        Ok(Node { name, program, wires })
    }

    pub(crate) fn symbol(&mut self, what: &str) -> Parsed<Symbol> {
        let name = self.name(what)?;
        self.members(name)
    }

    /// What may follow a name: a dot and another one. `delay` and `settled` are members, too, though they are keywords.
    pub(crate) fn members(&mut self, name: Ident) -> Parsed<Symbol> {
        if !self.eat(TokenKind::Dot) {
            return Ok(Symbol { name, member: None });
        }
        let member = match self.word() {
            word @ ("delay" | "settled") => Ident::new(word, self.advance().span),
            _ => self.name("a name behind the dot")?,
        };
        Ok(Symbol { name, member: Some(member) })
    }

    fn property(&mut self) -> Parsed<Property> {
        let start = self.advance().span;
        let name = self.name("the name of the property")?;
        self.expect(TokenKind::Colon, "`:`")?;
        let kind = if self.eat_word("never") {
            PropertyKind::Never(self.condition()?)
        } else if self.eat_word("whenever") {
            self.response()?
        } else {
            return Err(self.expected("`never` or `whenever`"));
        };
        let expect = if self.eat_word("expect") { Some(self.verdict()?) } else { None };
        let span = start.to(self.previous());
        self.semicolon()?;
        Ok(Property { name, kind, expect, span })
    }

    fn response(&mut self) -> Parsed<PropertyKind> {
        let trigger = self.condition()?;
        let lasting = if self.word() == "for" {
            let span = self.advance().span;
            self.expect_word("at")?;
            self.expect_word("least")?;
            let time = self.value("a time")?;
            Value { span: span.to(time.span), ..time }
        } else {
            Value { kind: ValueKind::Number(0), span: self.previous().after() }
        };
        self.expect_word("then")?;
        let response = self.condition()?;
        self.expect_word("within")?;
        let within = self.value("a time")?;
        Ok(PropertyKind::Whenever(Box::new(Reaction { trigger, lasting, response, within })))
    }

    /// `holds` or `fails`
    pub(crate) fn verdict(&mut self) -> Parsed<bool> {
        if self.eat_word("holds") {
            return Ok(true);
        }
        if self.eat_word("fails") { Ok(false) } else { Err(self.expected("`holds` or `fails`")) }
    }
}
