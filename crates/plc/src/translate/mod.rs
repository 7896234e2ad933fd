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
mod portrait;
mod property;
mod shared;
mod wording;

use crate::selection::Selection;
use crate::system::Signal;
use crate::variant::Choice;
use guidepost_language::model::Wording;
use guidepost_language::source::{SourceMap, Span};
use guidepost_language::syntax::{Document, Format, Ident, Name, System, SystemEntry, Template};
use names::Names;

/// What a system becomes.
pub(crate) struct Translation {
    pub(crate) document: Document,
    /// How its runs are told.
    pub(crate) wording: Wording,
    /// Properties that cannot be asked.
    pub(crate) unasked: Vec<Name>,
}

/// Translates what is left of a system.
pub(crate) fn translate(selection: &Selection<'_>, choice: &Choice<'_>, sources: &SourceMap) -> Translation {
    let names = Names::new(selection);
    let translator = Translator { selection, names: &names };
    let parts = translator.parts();
    let templates: Vec<Template> = parts.iter().map(|part| translator.template(*part)).collect();
    let wording = translator.wording(&parts, &templates, sources);
    let properties = selection.system.properties.iter().enumerate();
    let (told, untold): (Vec<_>, Vec<_>) =
        properties.partition(|(_, property)| selection.can_tell(&property.kind));
    let queries = told
        .into_iter()
        .map(|(index, property)| translator.query(index, choice.expectation(&property.name.name), sources));
    let document = Document {
        format: Format::Plc,
        decls: translator.declarations(selection.driven()),
        queries: queries.collect(),
        query_options: Vec::new(),
        system: system_line(&templates),
        templates,
        chooses_start: false,
        vectors: Vec::new(),
    };
    let unasked = untold.into_iter().map(|(_, property)| property.name.name.clone()).collect();
    Translation { document, wording, unasked }
}

/// What becomes an automaton.
#[derive(Clone, Copy)]
enum Part {
    Node(usize),
    Device(usize),
    /// The environment, as far as it changes one signal.
    Driver(Signal),
    /// The observer of a property.
    Observer(usize),
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
    /// All automata, in the order of the system line.
    fn parts(&self) -> Vec<Part> {
        let system = self.selection.system;
        let devices = 0..system.devices.len();
        let nodes = devices.clone().flat_map(|device| self.selection.nodes_of(device)).map(Part::Node);
        let devices = devices.filter(|device| self.names.devices.contains_key(device)).map(Part::Device);
        let drivers = self.selection.driven().into_iter().map(Part::Driver);
        let observers = (0..system.properties.len())
            .filter(|property| self.names.observers.contains_key(property))
            .map(Part::Observer);
        nodes.chain(devices).chain(drivers).chain(observers).collect()
    }

    fn template(&self, part: Part) -> Template {
        match part {
            Part::Node(node) if self.names.run.contains_key(&node) => self.node_on_device(node),
            Part::Node(node) => self.node_alone(node),
            Part::Device(device) => self.device(device),
            Part::Driver(signal) => self.driver(signal),
            Part::Observer(property) => self.observer(property),
        }
    }

    /// An empty template for a process with the author's name.
    fn template_for(name: &guidepost_language::syntax::Name, author: &Ident) -> Template {
        build::template(name, author.span)
    }
}
