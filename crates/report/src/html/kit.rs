//! What other pages in the report's look are made from.

pub use super::data::Channels;
use super::{DARK_STYLE, dark, data, drawing, templates};
use crate::trace::Trace;
use guidepost_language::Loaded;
use guidepost_network::Network;
use guidepost_network::interpreter::{Rational, State};
use serde_json::Value;

/// The panes that show a run: the list of its steps, the automata, the values, the messages and the time line. They follow an object `page` that has the run, the
/// step and what can be read off them; see `page.js` for the report's.
pub const PANES: [&str; 5] = [
    include_str!("run.js"),
    include_str!("automata.js"),
    include_str!("steps.js"),
    include_str!("chart.js"),
    include_str!("timeline.js"),
];

/// The style of the page and of the drawings in it, light and dark.
pub fn style() -> String {
    format!("{}{}{STYLE}", drawing::STYLE, dark(DARK_STYLE))
}

/// The drawing of each template that has a process, as `<template id="drawing-N">`.
pub fn drawings(loaded: &Loaded, network: &Network) -> String {
    templates(loaded, network)
}

/// The names of processes, locations, variables and clocks.
pub fn model(loaded: &Loaded, network: &Network) -> Value {
    data::model(loaded, network)
}

/// The state in which a run begins.
pub fn beginning(network: &Network, initial: &State) -> Value {
    data::beginning(network, initial)
}

/// The steps of a run, or of a part of one that begins at some time, as differences.
pub fn steps(trace: &Trace<'_>, begin: Option<Rational>, channels: &mut Channels) -> Vec<Value> {
    data::run_steps(trace, begin, channels)
}

/// Edges as the panes know them: `[process, edge of the template, edge behind a branch point or -1, location it leads to, role, values of select]`.
pub fn moves(network: &Network, edges: &[guidepost_network::EdgeId]) -> Vec<Value> {
    data::moves(network, edges)
}

/// Colours, tables, buttons and figures, light and dark.
pub const STYLE: &str = super::STYLE;

/// Fills the places `{{name}}` of a page in one pass, so that nothing inside a part is taken for a place. Every place has to have its part.
pub fn fill(page: &str, parts: &[(&str, String)]) -> String {
    super::fill(page, parts)
}

/// A text for HTML, in elements and attributes.
pub fn escaped(text: &str) -> String {
    super::escaped(text)
}

/// JSON inside of a script element.
pub fn embedded(value: &Value) -> String {
    super::data::embedded(value)
}
