//! From PLC automata to timed automata.
//!
//! Henning Dierks gave PLC automata their meaning in timed automata ("PLC automata: a new class of implementable real-time automata",
//! Theoretical Computer Science 253, 2001). A controller repeats a cycle: it polls its inputs, computes, and writes its outputs, and the whole
//! takes at most a known time. So each location becomes several, one for each phase of the cycle, and each input that
//! somebody else may change in the middle of a cycle is copied when it is polled.
//!
//! A node with a cycle of its own is one automaton ([`alone`]). Nodes on a device share its cycle ([`device`], [`shared`]): the device is an
//! automaton of its own, which polls for all of them, lets them run one after the other, and writes what they have decided. What
//! nobody writes is driven by the environment ([`driver`]). Properties become queries and observers ([`property`], [`observer`]).
//!
//! The result is a syntax tree, as if somebody had drawn it: it is checked, converted and explored like any other. Its positions are those of the
//! `.plc` file.

mod alone;
mod build;
mod declarations;
mod device;
mod driver;
mod expression;
mod layout;
mod names;
mod observer;
mod property;
mod shared;

use crate::selection::Selection;
use crate::system::PropertyKind;
use crate::variant::Choice;
use guidepost_language::source::{SourceMap, Span};
use guidepost_language::syntax::{Document, Format, Ident, System, SystemEntry, Template};
use names::Names;

/// Translates what is left of a system.
pub(crate) fn translate(selection: &Selection<'_>, choice: &Choice<'_>, sources: &SourceMap) -> Document {
    let names = Names::new(selection);
    let translator = Translator { selection, names: &names };
    let mut templates = Vec::new();
    for (index, device) in selection.system.devices.iter().enumerate() {
        for node in selection.nodes_of(index) {
            templates.push(match device.name {
                Some(_) => translator.node_on_device(node),
                None => translator.node_alone(node),
            });
        }
    }
    let devices = (0..selection.system.devices.len()).filter(|device| names.devices.contains_key(device));
    templates.extend(devices.map(|device| translator.device(device)));
    templates.extend(selection.driven().into_iter().map(|signal| translator.driver(signal)));
    let mut queries = Vec::new();
    for (index, property) in selection.system.properties.iter().enumerate() {
        if !selection.can_tell(&property.kind) {
            continue;
        }
        if let PropertyKind::Whenever { .. } = property.kind {
            templates.push(translator.observer(index));
        }
        queries.push(translator.query(index, choice.expectation(&property.name.name), sources));
    }
    let decls = translator.declarations(selection.driven());
    Document {
        format: Format::Plc,
        decls,
        system: system_line(&templates),
        templates,
        queries,
        vectors: Vec::new(),
    }
}

fn system_line(templates: &[Template]) -> System {
    let entry = |template: &Template| SystemEntry { name: template.name.clone(), raises: false };
    let span = templates.first().map_or_else(Span::default, |template| template.span);
    System { processes: templates.iter().map(entry).collect(), span, ..System::default() }
}

/// A selection with names for everything in it.
struct Translator<'a> {
    selection: &'a Selection<'a>,
    names: &'a Names,
}

impl Translator<'_> {
    /// An empty template for a process with the author's name.
    fn template_for(name: &guidepost_language::syntax::Name, author: &Ident) -> Template {
        build::template(name, author.span)
    }
}
