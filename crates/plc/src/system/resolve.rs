//! From the syntax tree to the system: names, in the order in which they can depend on each other.

use super::constants::{Domain, Typed};
use super::{Port, System};
use crate::syntax;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::source::Span;
use guidepost_language::syntax::{Ident, Name};
use indexmap::IndexMap;

/// What a file means, as far as it was understood.
pub(crate) struct Resolved {
    pub system: System,
    /// Every node and every input is there.
    pub is_complete: bool,
}

/// Resolves a file. `changes` replaces values of constants. What is wrong is reported and left out, so the result is to be trusted only when
/// nothing was.
pub(crate) fn resolve(
    file: &syntax::File,
    changes: &[(Ident, syntax::Value)],
    out: &mut Diagnostics,
) -> Resolved {
    let mut resolver = Resolver {
        out,
        system: System::default(),
        constants: IndexMap::new(),
        types: IndexMap::new(),
        programs: IndexMap::new(),
        nodes: IndexMap::new(),
        inputs: IndexMap::new(),
        is_incomplete: ["input", "node", "device"].iter().any(|item| file.has_lost(item)),
        lost: &file.lost,
    };
    resolver.check_global_names(file);
    for declaration in &file.types {
        if let syntax::TypeDefinition::Values(_) = declaration.definition {
            resolver.type_declaration(declaration);
        }
    }
    resolver.constants(file, changes);
    for declaration in &file.types {
        if let syntax::TypeDefinition::Domain(_) = declaration.definition {
            resolver.type_declaration(declaration);
        }
    }
    resolver.inputs(&file.inputs);
    for program in &file.programs {
        resolver.program(program);
    }
    resolver.devices(&file.devices, &file.programs);
    resolver.properties(&file.properties);
    resolver.finish()
}

pub(super) struct Resolver<'a> {
    pub out: &'a mut Diagnostics,
    pub system: System,
    pub constants: IndexMap<Name, Typed>,
    pub types: IndexMap<Name, Domain>,
    /// Names of programs; the index is that of the system's list, `None` for programs with errors.
    pub programs: IndexMap<Name, Option<usize>>,
    pub nodes: IndexMap<Name, usize>,
    pub inputs: IndexMap<Name, usize>,
    /// Nodes or inputs are missing because they, or the programs of nodes, could not be understood: nothing is said about names that may be theirs.
    pub is_incomplete: bool,
    /// The kinds of items that the file is known to have more of than could be read.
    pub lost: &'a [&'static str],
}

impl Resolver<'_> {
    fn finish(self) -> Resolved {
        Resolved { system: self.system, is_complete: !self.is_incomplete }
    }

    pub(super) fn has_lost(&self, item: &str) -> bool {
        self.lost.contains(&item)
    }

    /// Constants, inputs, nodes and devices share the names that conditions, wires and `hide` use; programs, types, properties and variants have their own.
    fn check_global_names(&mut self, file: &syntax::File) {
        let constants = file.constants.iter().map(|constant| &constant.name);
        let inputs = file.inputs.iter().map(|input| &input.name);
        let devices = file.devices.iter().filter_map(|device| device.name.as_ref());
        let nodes = file.devices.iter().flat_map(|device| &device.nodes).map(|node| &node.name);
        let mut named: Vec<&Ident> = constants.chain(inputs).chain(devices).chain(nodes).collect();
        named.sort_by_key(|name| name.span);
        self.check_unique("name", &named);
        self.check_unique(
            "type",
            &file.types.iter().map(|declaration| &declaration.name).collect::<Vec<_>>(),
        );
        self.check_unique("program", &file.programs.iter().map(|program| &program.name).collect::<Vec<_>>());
        let properties: Vec<_> = file.properties.iter().map(|property| &property.name).collect();
        self.check_unique("property", &properties);
        self.check_unique("variant", &file.variants.iter().map(|variant| &variant.name).collect::<Vec<_>>());
    }

    pub(super) fn check_unique(&mut self, what: &str, names: &[&Ident]) {
        for (index, name) in names.iter().enumerate() {
            if let Some(first) = names[..index].iter().find(|other| other.name == name.name) {
                self.duplicate(what, name, first.span);
            }
        }
    }

    pub(super) fn duplicate(&mut self, what: &str, name: &Ident, first: Span) {
        let message = format!("the {what} `{}` is used twice", name.name);
        let diagnostic = Diagnostic::new(Code::DuplicateName, name.span, message);
        self.out.push(diagnostic.related(first, "first here"));
    }

    pub(super) fn unknown(&mut self, code: Code, what: &str, name: &Ident, near: Option<String>) {
        self.unknown_with(code, what, name, near.map(|near| format!("did you mean `{near}`?")));
    }

    /// As [`Resolver::unknown`], with this hint.
    pub(super) fn unknown_with(&mut self, code: Code, what: &str, name: &Ident, hint: Option<String>) {
        let message = format!("there is no {what} `{}`", name.name);
        let mut diagnostic = Diagnostic::new(code, name.span, message);
        diagnostic.hints.extend(hint);
        self.out.push(diagnostic);
    }

    fn constants(&mut self, file: &syntax::File, changes: &[(Ident, syntax::Value)]) {
        for constant in &file.constants {
            let Some(mut typed) = self.value(&constant.value, None) else { continue };
            // The last change counts: variants are listed from the most general one.
            let change = changes.iter().rev().find(|(name, _)| name.name == constant.name.name);
            if let Some((name, value)) = change
                && let Some(changed) = self.value(value, Some(typed.kind))
            {
                if changed.kind == typed.kind {
                    typed = changed;
                } else {
                    self.mismatch(value.span, &name.name, typed.kind, changed.kind);
                }
            }
            self.constants.insert(constant.name.name.clone(), typed);
        }
    }

    fn inputs(&mut self, inputs: &[syntax::Port]) {
        for input in inputs {
            let port = self.port(input);
            self.inputs.insert(input.name.name.clone(), self.system.inputs.len());
            self.system.inputs.push(port);
        }
    }

    pub(super) fn port(&mut self, port: &syntax::Port) -> Port {
        let domain = self.domain(&port.domain);
        let value = port.value.as_ref().and_then(|value| self.value_of(value, domain, &port.name));
        let is_understood = value.is_some() == port.value.is_some();
        let domain = if is_understood { domain } else { Domain::UNKNOWN };
        Port { name: port.name.clone(), domain, value }
    }
}
