//! Variants: one file, many systems.
//!
//! A variant changes constants and hides symbols. What it is like comes first, then its own lines: `show` takes back what was hidden before.

use crate::selection::{Hidden, Selection};
use crate::syntax::{File, Ident, Symbol, Value, Variant};
use crate::system::{Resolved, Signal, System};
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::source::Span;
use guidepost_language::suggest;

/// What the user asked for: a variant with all that it is like, or the whole system.
#[derive(Default)]
pub(crate) struct Choice<'f> {
    /// From the most general variant to the one that was asked for.
    chain: Vec<&'f Variant>,
}

impl<'f> Choice<'f> {
    /// The variant of that name; reported if there is none.
    pub(crate) fn named(file: &'f File, name: &Ident, out: &mut Diagnostics) -> Option<Choice<'f>> {
        let mut chain = Vec::new();
        let mut next = Some(name);
        while let Some(name) = next {
            let Some(variant) = file.variants.iter().find(|variant| variant.name.name == name.name) else {
                if !file.has_lost("variant") {
                    out.push(unknown_variant(file, name));
                }
                return None;
            };
            if chain.iter().any(|other: &&Variant| other.name.name == variant.name.name) {
                let message = format!("variant `{}` is like itself", variant.name.name);
                out.push(Diagnostic::new(Code::BadVariant, name.span, message));
                return None;
            }
            chain.push(variant);
            next = variant.like.as_ref();
        }
        chain.reverse();
        Some(Choice { chain })
    }

    /// The constants that are changed, the last change counting.
    pub(crate) fn constants(&self) -> Vec<(Ident, Value)> {
        self.chain.iter().flat_map(|variant| variant.set.iter().cloned()).collect()
    }

    /// What is left of the system. Symbols that do not exist are reported.
    pub(crate) fn select<'s>(&self, system: &'s System, out: &mut Diagnostics) -> Selection<'s> {
        let mut hidden: Vec<Hidden> = Vec::new();
        for variant in &self.chain {
            for symbol in &variant.hide {
                hidden.extend(find(system, symbol, out).filter(|found| !hidden.contains(found)));
            }
            for symbol in &variant.show {
                let Some(shown) = find(system, symbol, out) else { continue };
                if !hidden.contains(&shown) {
                    let message = format!("`{}` is not hidden here", symbol.text());
                    let diagnostic = Diagnostic::new(Code::BadVariant, symbol.span(), message);
                    out.push(
                        diagnostic.hint("`show` takes back what a variant that this one is like has hidden"),
                    );
                }
                hidden.retain(|other| *other != shown);
            }
        }
        Selection::new(system, &hidden)
    }

    /// The answer that is expected for a property.
    pub(crate) fn expectation(&self, property: &str) -> Option<bool> {
        let mut expected = self.chain.iter().rev().flat_map(|variant| variant.expect.iter().rev());
        expected.find(|(name, _)| &*name.name == property).map(|(_, holds)| *holds)
    }

    /// The expectations of the variant itself, not of those it is like.
    fn own_expectations(&self) -> &'f [(Ident, bool)] {
        self.chain.last().map_or(&[], |variant| &variant.expect)
    }
}

/// Looks through all variants, whichever one was asked for.
pub(crate) fn check_variants(file: &File, whole: &Resolved, out: &mut Diagnostics) {
    let system = &whole.system;
    for variant in &file.variants {
        for (name, _) in &variant.set {
            let constants = || file.constants.iter().map(|constant| &*constant.name.name);
            if constants().all(|constant| constant != &*name.name) && !file.has_lost("constant") {
                out.push(unknown("constant", name, suggest::nearest(&name.name, constants())));
            }
        }
        let Some(choice) = Choice::named(file, &variant.name, out) else { continue };
        check_expectations(file, &choice, out);
        if !whole.is_complete {
            continue;
        }
        let selection = choice.select(system, out);
        if (0..system.nodes.len()).all(|node| !selection.keeps(node)) {
            let message = format!("variant `{}` hides every node", variant.name.name);
            out.push(Diagnostic::new(Code::BadVariant, variant.name.span, message));
        }
        for (name, _) in choice.own_expectations() {
            let property = system.properties.iter().find(|property| property.name.name == name.name);
            if let Some(property) = property.filter(|property| !selection.can_tell(&property.kind)) {
                let message = format!("`{}` speaks of what variant `{}` hides", name.name, variant.name.name);
                let diagnostic = Diagnostic::new(Code::BadVariant, name.span, message);
                out.push(diagnostic.related(property.span, "the property"));
            }
        }
    }
}

fn check_expectations(file: &File, choice: &Choice<'_>, out: &mut Diagnostics) {
    let names = || file.properties.iter().map(|property| &*property.name.name);
    for (name, _) in choice.own_expectations() {
        if names().all(|property| property != &*name.name) && !file.has_lost("property") {
            out.push(unknown("property", name, suggest::nearest(&name.name, names())));
        }
    }
}

fn unknown(what: &str, name: &Ident, near: Option<&str>) -> Diagnostic {
    let message = format!("there is no {what} `{}`", name.name);
    let diagnostic = Diagnostic::new(Code::UnknownName, name.span, message);
    match near {
        Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

fn unknown_variant(file: &File, name: &Ident) -> Diagnostic {
    let names: Vec<&str> = file.variants.iter().map(|variant| &*variant.name.name).collect();
    let near = suggest::nearest(&name.name, names.iter().copied());
    let diagnostic = unknown("variant", name, near);
    match near {
        None if names.is_empty() => diagnostic.hint("this file has no variants"),
        None => diagnostic.hint(format!("there are {}", names.join(", "))),
        Some(_) => diagnostic,
    }
}

/// The symbol that a `hide` or `show` names; reported if there is none.
fn find(system: &System, symbol: &Symbol, out: &mut Diagnostics) -> Option<Hidden> {
    let candidates = symbols(system);
    let written = symbol.text();
    if let Some((_, found)) = candidates.iter().find(|(name, _)| *name == written) {
        return Some(*found);
    }
    let near = suggest::nearest(&written, candidates.iter().map(|(name, _)| name.as_str()));
    let span: Span = symbol.span();
    out.push(unknown("node or signal", &Ident::new(written.as_str(), span), near));
    None
}

/// Everything that can be hidden, by name.
fn symbols(system: &System) -> Vec<(String, Hidden)> {
    let mut symbols = Vec::new();
    for (index, input) in system.inputs.iter().enumerate() {
        symbols.push((input.name.name.to_string(), Hidden::Signal(Signal::Input(index))));
    }
    for (index, node) in system.nodes.iter().enumerate() {
        let name = &node.name.name;
        let program = system.program_of(index);
        symbols.push((name.to_string(), Hidden::Node(index)));
        for (input, port) in program.inputs.iter().enumerate() {
            symbols.push((format!("{name}.{}", port.name.name), Hidden::Input(index, input)));
        }
        for (output, port) in program.outputs.iter().enumerate() {
            let hidden = Hidden::Signal(Signal::Output(index, output));
            symbols.push((format!("{name}.{}", port.name.name), hidden));
        }
        if program.locations.iter().any(|location| location.delay.is_some()) {
            symbols.push((format!("{name}.delay"), Hidden::Delay(index)));
        }
    }
    for (index, device) in system.devices.iter().enumerate() {
        let lone = device.nodes.first().map(|node| &system.nodes[*node].name);
        if let Some(name) = device.name.as_ref().or(lone).filter(|_| device.cycle.settled) {
            symbols.push((format!("{}.settled", name.name), Hidden::Settled(index)));
        }
    }
    symbols
}
