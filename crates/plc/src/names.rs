//! The names of a `.plc` file, for editors: what is declared, and where it is used.
//!
//! This follows the tree and not the translation, so that it works for files with mistakes. A name that nothing declares is left out; messages speak
//! of it.

use crate::parse::{TokenKind, parse};
use crate::syntax::{
    Condition, Cycle, Domain, File, Operand, Port, Program, PropertyKind, Symbol, TypeDefinition, Value,
    ValueKind,
};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::source::{FileId, Span};
use guidepost_language::syntax::{Ident, Name};
use guidepost_language::words::Kind;
use std::collections::HashMap;

/// What something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are the language's words")]
pub enum ItemKind {
    Constant,
    Type,
    /// One of the values of a type.
    Value,
    Input,
    Output,
    Program,
    Location,
    Device,
    Node,
    Property,
    Variant,
}

/// Something that has a name.
#[derive(Clone, Debug)]
pub struct Item {
    /// The name.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// What it is.
    pub kind: ItemKind,
    /// Where the whole declaration stands, as far as it is known.
    pub extent: Span,
    /// The program, type or device that it belongs to: an index among the items.
    pub owner: Option<usize>,
}

/// All names of a file.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// What is declared, owners before what they own.
    pub items: Vec<Item>,
    /// Where names stand, declarations included, each with an index among the items; in the order of the text.
    pub mentions: Vec<(Span, usize)>,
}

/// The words of the language, which nothing can be called.
pub fn keywords() -> &'static [&'static str] {
    TokenKind::KEYWORDS
}

/// Whether something can be called so.
pub fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    text.starts_with(letter)
        && text.chars().all(|c| letter(c) || c.is_ascii_digit())
        && !keywords().contains(&text)
}

/// The names of a text.
pub fn names(file: FileId, text: &str) -> Names {
    let tree = parse(file, text, &mut Diagnostics::default());
    let mut collector = Collector::default();
    collector.declare(&tree);
    collector.follow(&tree);
    let mut names = collector.names;
    names.mentions.sort_unstable();
    names.mentions.dedup();
    names
}

#[derive(Default)]
struct Collector {
    names: Names,
    /// By owner and name.
    found: HashMap<(Option<usize>, Name), usize>,
    /// Values of enumerations have no owner where they are used.
    values: HashMap<Name, usize>,
    /// By node: its program.
    program_of: HashMap<usize, usize>,
}

impl Collector {
    fn item(&mut self, name: &Ident, kind: ItemKind, owner: Option<usize>) -> usize {
        let index = self.names.items.len();
        let (span, extent) = (name.span, name.span);
        self.names.items.push(Item { name: name.name.clone(), span, kind, extent, owner });
        self.names.mentions.push((span, index));
        self.found.entry((owner, name.name.clone())).or_insert(index);
        index
    }

    fn declare(&mut self, file: &File) {
        for constant in &file.constants {
            self.item(&constant.name, ItemKind::Constant, None);
        }
        for declared in &file.types {
            let owner = self.item(&declared.name, ItemKind::Type, None);
            if let TypeDefinition::Values(values) = &declared.definition {
                for value in values {
                    let index = self.item(value, ItemKind::Value, Some(owner));
                    self.values.entry(value.name.clone()).or_insert(index);
                }
            }
        }
        for input in &file.inputs {
            self.item(&input.name, ItemKind::Input, None);
        }
        for program in &file.programs {
            self.program(program);
        }
        for device in &file.devices {
            let owner = device.name.as_ref().map(|name| self.item(name, ItemKind::Device, None));
            for node in &device.nodes {
                let index = self.item(&node.name, ItemKind::Node, None);
                self.names.items[index].owner = owner;
            }
        }
        for property in &file.properties {
            let index = self.item(&property.name, ItemKind::Property, None);
            self.names.items[index].extent = property.span;
        }
        for variant in &file.variants {
            // Variants are named in commands and by each other only.
            self.item(&variant.name, ItemKind::Variant, None);
        }
    }

    fn program(&mut self, program: &Program) {
        let owner = self.item(&program.name, ItemKind::Program, None);
        for input in &program.inputs {
            self.item(&input.name, ItemKind::Input, Some(owner));
        }
        for output in &program.outputs {
            self.item(&output.name, ItemKind::Output, Some(owner));
        }
        for location in &program.locations {
            self.item(&location.name, ItemKind::Location, Some(owner));
        }
    }

    fn follow(&mut self, file: &File) {
        for constant in &file.constants {
            self.value(&constant.value);
        }
        for declared in &file.types {
            if let TypeDefinition::Domain(domain) = &declared.definition {
                self.domain(domain);
            }
        }
        file.inputs.iter().for_each(|port| self.port(port));
        for program in &file.programs {
            self.follow_program(program);
        }
        for device in &file.devices {
            self.cycle(device.cycle.as_ref());
            for node in &device.nodes {
                self.mention(None, &node.program);
                let program = self.find(None, &node.program.name);
                if let (Some(node), Some(program)) = (self.find(None, &node.name.name), program) {
                    self.program_of.insert(node, program);
                }
            }
        }
        for node in file.devices.iter().flat_map(|device| &device.nodes) {
            let program = self.find(None, &node.program.name);
            for (port, signal) in &node.wires {
                self.mention(program, port);
                self.symbol(signal, None);
            }
        }
        for property in &file.properties {
            match &property.kind {
                PropertyKind::Never(condition) => self.condition(condition, None),
                PropertyKind::Whenever(reaction) => {
                    self.condition(&reaction.trigger, None);
                    self.condition(&reaction.response, None);
                    self.value(&reaction.lasting);
                    self.value(&reaction.within);
                }
            }
        }
        for variant in &file.variants {
            variant.like.iter().for_each(|like| self.mention(None, like));
            variant.hide.iter().chain(&variant.show).for_each(|symbol| self.symbol(symbol, None));
            for (constant, value) in &variant.set {
                self.mention(None, constant);
                self.value(value);
            }
            variant.expect.iter().for_each(|(property, _)| self.mention(None, property));
        }
    }

    fn follow_program(&mut self, program: &Program) {
        let owner = self.find(None, &program.name.name);
        program.inputs.iter().chain(&program.outputs).for_each(|port| self.port(port));
        for location in &program.locations {
            for (output, value) in &location.outputs {
                self.mention(owner, output);
                self.value(value);
            }
            for delay in &location.delays {
                self.value(&delay.time);
                delay.condition.iter().for_each(|condition| self.condition(condition, owner));
            }
            for transition in &location.transitions {
                transition.condition.iter().for_each(|condition| self.condition(condition, owner));
                transition.target.iter().for_each(|target| self.mention(owner, target));
            }
        }
    }

    fn find(&self, owner: Option<usize>, name: &Name) -> Option<usize> {
        self.found.get(&(owner, name.clone())).copied()
    }

    fn mention(&mut self, owner: Option<usize>, name: &Ident) {
        if let Some(index) = self.find(owner, &name.name) {
            self.names.mentions.push((name.span, index));
        }
    }

    fn port(&mut self, port: &Port) {
        self.domain(&port.domain);
        port.value.iter().for_each(|value| self.value(value));
    }

    fn domain(&mut self, domain: &Domain) {
        match domain {
            Domain::Bool => {}
            Domain::Range(low, high) => [low, high].into_iter().for_each(|value| self.value(value)),
            Domain::Named(name) => self.mention(None, name),
        }
    }

    fn cycle(&mut self, cycle: Option<&Cycle>) {
        for value in cycle.into_iter().flat_map(|cycle| cycle.least.iter().chain([&cycle.most])) {
            self.value(value);
        }
    }

    fn value(&mut self, value: &Value) {
        if let ValueKind::Name(name) = &value.kind {
            self.free(name, None);
        }
    }

    /// A name in an expression: of the program, of the file, or a value of an enumeration.
    fn free(&mut self, name: &Ident, program: Option<usize>) {
        let own = program.and_then(|program| self.find(Some(program), &name.name));
        let found =
            own.or_else(|| self.find(None, &name.name)).or_else(|| self.values.get(&name.name).copied());
        if let Some(index) = found {
            self.names.mentions.push((name.span, index));
        }
    }

    /// `signal` or `node.signal`
    fn symbol(&mut self, symbol: &Symbol, program: Option<usize>) {
        self.free(&symbol.name, program);
        if let Some(member) = &symbol.member {
            let node = self.find(None, &symbol.name.name);
            let program = node.and_then(|node| self.program_of.get(&node).copied());
            if program.is_some() {
                self.mention(program, member);
            }
        }
    }

    fn condition(&mut self, condition: &Condition, program: Option<usize>) {
        match condition {
            Condition::And(left, right) | Condition::Or(left, right) => {
                self.condition(left, program);
                self.condition(right, program);
            }
            Condition::Not(inner) => self.condition(inner, program),
            Condition::Compare(left, _, right) => {
                self.operand(left, program);
                self.operand(right, program);
            }
            Condition::Bare(operand) => self.operand(operand, program),
            Condition::In(node, location) => {
                self.mention(None, node);
                let node = self.find(None, &node.name);
                if let Some(program) = node.and_then(|node| self.program_of.get(&node).copied()) {
                    self.mention(Some(program), location);
                }
            }
        }
    }

    fn operand(&mut self, operand: &Operand, program: Option<usize>) {
        match operand {
            Operand::Literal(value) => self.value(value),
            Operand::Symbol(symbol) => self.symbol(symbol, program),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_lead_to_declarations() {
        let text = "constant T := 30; type mode := { low, high }; input button : bool; input level : mode;
            program Lamp { input pressed : bool; input wanted : mode; output lit : bool;
              initial location Off { lit := false; when pressed and wanted = high goto On; otherwise stay; }
              location On { lit := true; delay T while pressed; otherwise goto Off; } }
            node Hall : Lamp(pressed := button, wanted := level) cycle 10;
            property dark : never Hall.lit and Hall in On;";
        let names = names(FileId(0), text);
        let places = |name: &str, kind: ItemKind| {
            let item = names.items.iter().position(|item| &*item.name == name && item.kind == kind).unwrap();
            names.mentions.iter().filter(|(_, index)| *index == item).count()
        };
        assert_eq!(places("T", ItemKind::Constant), 2);
        assert_eq!(places("mode", ItemKind::Type), 3);
        assert_eq!(places("high", ItemKind::Value), 2);
        assert_eq!(places("pressed", ItemKind::Input), 4);
        assert_eq!(places("lit", ItemKind::Output), 4);
        assert_eq!(places("On", ItemKind::Location), 3);
        assert_eq!(places("Hall", ItemKind::Node), 3);
        assert_eq!(places("button", ItemKind::Input), 2);
        for (span, item) in &names.mentions {
            assert_eq!(&text[span.range()], &*names.items[*item].name);
        }
    }
}
