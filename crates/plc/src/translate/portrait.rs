//! Controllers as their authors wrote them: the locations of the program, and an edge wherever one of its transitions leads to another location.
//!
//! The translated automaton has several locations for each of these, and an edge for each combination of inputs. A portrait says which of them stand
//! for what, so that a run of the translation can be shown on the author's automaton.

use super::{Translator, wording::ends};
use crate::system::{Delay, Kind, Location};
use guidepost_language::model::Portrait;
use guidepost_language::source::SourceMap;
use guidepost_language::syntax::Template;

impl Translator<'_> {
    /// The portrait of a node, for its template.
    pub(super) fn portrait(&self, node: usize, template: &Template, sources: &SourceMap) -> Portrait {
        let program = self.selection.system.program_of(node);
        let mut portrait = Portrait { initial: program.initial, ..Portrait::default() };
        for (at, location) in program.locations.iter().enumerate() {
            let mut notes = self.outputs(node, location);
            notes.extend(location.delay.as_ref().map(|delay| delay_text(delay, sources)));
            portrait.locations.push((location.name.name.clone(), notes));
            portrait.places.extend(self.phases_of(node, at).iter().map(|_| at));
            for target in (0..program.locations.len()).filter(|target| *target != at) {
                let spans = location.spans.iter().filter(|(to, _)| *to == target);
                let conditions: Vec<String> =
                    spans.map(|(_, span)| condition_text(sources.text(*span))).collect();
                if !conditions.is_empty() {
                    portrait.edges.push((at, target, conditions));
                }
            }
        }
        let completes = |edge| {
            let (from, to) = ends(edge);
            let (from, to) = (portrait.places[from], portrait.places[to]);
            portrait.edges.iter().position(|(source, target, _)| (*source, *target) == (from, to))
        };
        portrait.taken = template.edges.iter().map(completes).collect();
        portrait
    }

    /// What a location writes, as far as it differs from what the program writes where nothing is said.
    fn outputs(&self, node: usize, location: &Location) -> Vec<String> {
        let ports = self.selection.system.program_of(node).outputs.iter().zip(&location.outputs);
        ports
            .filter(|(port, value)| port.value != Some(**value))
            .map(|(port, value)| {
                format!("{} := {}", port.name.name, self.value_text(port.domain.kind, *value))
            })
            .collect()
    }

    /// A value as the author writes it.
    pub(super) fn value_text(&self, kind: Kind, value: i32) -> String {
        match kind {
            Kind::Bool => (value != 0).to_string(),
            Kind::Number | Kind::Unknown => value.to_string(),
            Kind::Member(kind) => {
                let values = &self.selection.system.enumerations[kind].values;
                usize::try_from(value)
                    .ok()
                    .and_then(|at| values.get(at))
                    .map_or_else(|| value.to_string(), |name| name.name.to_string())
            }
        }
    }
}

/// `delay 20 while raw`: with the number in place of a constant's name, since variants give constants other values.
fn delay_text(delay: &Delay, sources: &SourceMap) -> String {
    let written = in_one_line(sources.text(delay.span));
    let condition = written.split_once(" while ").map_or("", |(_, condition)| condition);
    let over = if delay.over { "over " } else { "" };
    format!("delay {over}{} while {}", delay.time, condition.trim_end_matches(';').trim_end())
}

/// The condition of `when CONDITION goto NAME;`, or `otherwise`.
fn condition_text(transition: &str) -> String {
    let text = in_one_line(transition);
    let text = text.trim_end_matches(';').trim_end();
    let text =
        text.rsplit_once(" goto ").map_or_else(|| text.trim_end_matches(" stay"), |(before, _)| before);
    text.strip_prefix("when ").unwrap_or(text).to_owned()
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_what_stands_between_when_and_goto() {
        assert_eq!(condition_text("when a and\n  not b goto There;"), "a and not b");
        assert_eq!(condition_text("when raw stay;"), "raw");
        assert_eq!(condition_text("otherwise goto Free;"), "otherwise");
    }
}
