//! What a whole exploration found: sizes, deadlocks, dead code.

use crate::Look;
use crate::appearance::{HEADING, NAME, TROUBLE, count};
use crate::verdict::{lost, run_text, statistics_json, trace_json, worker_json};
use crate::words::Words;
use guidepost_answer::{Evidence, Halts, Outcome, StopReason, Survey, WorkerFigures};
use guidepost_language::model::Aside;
use guidepost_language::source::SourceMap;
use guidepost_network::{ChannelRef, Edge, EdgeId, LocationId, Network, Sync};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Longer lists are cut for people; JSON has them whole.
const LONGEST_LIST: usize = 24;
/// More processes than this are not all named.
const MOST_NAMES: usize = 4;

/// The results of `guidepost states`.
pub struct StateSpace<'a> {
    /// The model's name.
    pub model: &'a str,
    /// The network.
    pub network: &'a Network,
    /// The model's text, to say in which line an edge stands.
    pub sources: &'a SourceMap,
    /// What the exploration found.
    pub survey: &'a Survey,
    /// Deadlocks and time-locks; `None` when they were not searched for.
    pub halts: Option<&'a Halts>,
    /// What each worker did, where several processes shared the exploration.
    pub workers: &'a [WorkerFigures],
    /// What is to be said about the exploration.
    pub notes: &'a [String],
}

/// An edge as it stands in the model, for one process: select and branches give several edges of the network.
type Origin = (u32, u32, Option<u32>);

/// The values a variable takes, and those it may take.
struct Range {
    name: String,
    used: (i32, i32),
    declared: (i32, i32),
    boolean: bool,
}

impl StateSpace<'_> {
    fn is_complete(&self) -> bool {
        self.survey.outcome.is_decided()
    }

    /// Locations that are never reached.
    fn unreached(&self) -> Vec<LocationId> {
        let reached = self.survey.reached.iter().enumerate();
        reached.filter(|(_, reached)| !**reached).map(|(index, _)| LocationId(index as u32)).collect()
    }

    /// Edges of reached locations that are never taken, whatever their select values.
    fn untaken(&self, of_receivers: bool) -> Vec<EdgeId> {
        let mut by_origin: BTreeMap<Origin, (EdgeId, bool)> = BTreeMap::new();
        for (index, edge) in self.network.edges.iter().enumerate() {
            let origin = (edge.process.0, edge.origin.edge, edge.origin.branch);
            let entry = by_origin.entry(origin).or_insert((EdgeId(index as u32), false));
            entry.1 |= self.survey.taken[index];
        }
        let is_dead = |&(id, taken): &(EdgeId, bool)| {
            let edge = &self.network.edges[id.index()];
            let is_receiver = matches!(edge.sync, Sync::Receive(_));
            !taken && self.survey.reached[edge.source.index()] && is_receiver == of_receivers
        };
        by_origin.into_values().filter(is_dead).map(|(id, _)| id).collect()
    }

    fn location_name(&self, id: LocationId) -> &str {
        &self.network.locations[id.index()].name
    }

    fn process_name(&self, id: guidepost_network::ProcessId) -> &str {
        &self.network.processes[id.index()].name
    }

    /// `idle -> busy, go! (line 12)`
    fn edge_name(&self, edge: &Edge) -> String {
        let words = Words(self.network);
        if let Some(deed) = words.deed_of(edge) {
            return format!("{deed} (line {})", self.line(edge));
        }
        let label = sync_label(edge, self.network).map_or_else(String::new, |label| format!(", {label}"));
        let (from, to) = (self.location_name(edge.source), self.location_name(edge.target));
        format!("{from} -> {to}{label} (line {})", self.line(edge))
    }

    /// The line of the model in which an edge stands.
    fn line(&self, edge: &Edge) -> usize {
        let span = edge.origin.span;
        self.sources.file(span.file).position(span.start).line
    }

    fn ranges(&self) -> Vec<Range> {
        let variables = self.network.variables.iter().zip(&self.survey.ranges);
        variables
            .filter(|(_, used)| used.0 <= used.1)
            .map(|(variable, used)| Range {
                name: variable.name.clone(),
                used: *used,
                declared: (variable.min, variable.max),
                boolean: variable.boolean,
            })
            .collect()
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let edge = |id: &EdgeId| {
            let edge = &self.network.edges[id.index()];
            json!({
                "process": self.process_name(edge.process),
                "from": self.location_name(edge.source),
                "to": self.location_name(edge.target),
                "sync": sync_label(edge, self.network),
                "edge": id.0,
                "line": self.line(edge),
            })
        };
        let unreached = |id: &LocationId| {
            let process = self.process_name(self.network.locations[id.index()].process);
            format!("{process}.{}", self.location_name(*id))
        };
        let ranges: Vec<Value> = self
            .ranges()
            .into_iter()
            .map(|range| {
                json!({
                    "variable": range.name,
                    "used": [range.used.0, range.used.1],
                    "declared": [range.declared.0, range.declared.1],
                })
            })
            .collect();
        let halt = |evidence: Option<&Evidence>| evidence.map(|evidence| trace_json(evidence, self.network));
        let mut value = json!({
            "tool": "guidepost",
            "version": env!("CARGO_PKG_VERSION"),
            "model": self.model,
            "complete": self.is_complete(),
            "reason": self.reason(),
            "approximate": self.network.features.stopwatches,
            "statistics": statistics_json(&self.survey.statistics),
            "unreached": self.unreached().iter().map(unreached).collect::<Vec<_>>(),
            "untaken": self.untaken(false).iter().map(edge).collect::<Vec<_>>(),
            "unserved": self.untaken(true).iter().map(edge).collect::<Vec<_>>(),
            "ranges": ranges,
            "deadlocks": self.halts.map(|halts| json!({
                "complete": halts.outcome.is_decided(),
                "reason": self.outcome_reason(&halts.outcome),
                "deadlock": halt(halts.deadlock.as_ref()),
                "timelock": halt(halts.timelock.as_ref()),
            })),
        });
        if !self.workers.is_empty() {
            value["workers"] = self.workers.iter().map(worker_json).collect();
        }
        if !self.notes.is_empty() {
            value["notes"] = json!(self.notes);
        }
        value
    }

    fn reason(&self) -> Option<String> {
        self.outcome_reason(&self.survey.outcome)
    }

    fn outcome_reason(&self, outcome: &Outcome<()>) -> Option<String> {
        match outcome {
            Outcome::Decided(()) => None,
            Outcome::Stopped(StopReason::Lost(number)) => Some(lost(*number, self.workers)),
            Outcome::Stopped(reason) => Some(reason.describe().to_owned()),
            Outcome::Failed(error) => Some(error.error.describe(self.network)),
        }
    }

    /// For people.
    pub fn text(&self, look: Look) -> String {
        let mut text = String::new();
        let s = &self.survey.statistics;
        let _ = writeln!(text, "{}", look.paint(NAME, self.model));
        if self.network.features.stopwatches {
            let _ = writeln!(
                text,
                "  {}",
                look.paint(TROUBLE, "over-approximated, because the model stops clocks")
            );
        }
        if let Some(reason) = self.reason() {
            let words = format!("not explored completely: {reason}");
            let _ = writeln!(text, "  {}", look.paint(TROUBLE, &words));
        }
        let _ = writeln!(
            text,
            "  {}, {} with different locations or data, {}",
            count(s.stored as usize, "symbolic state", "symbolic states"),
            s.discrete,
            count(s.generated as usize, "transition", "transitions")
        );
        let mebibytes = s.bytes as f64 / f64::from(1 << 20);
        let line = format!("{} explored, {:.3} s, {mebibytes:.1} MiB", s.explored, s.seconds);
        for line in std::iter::once(&line).chain(self.notes) {
            let _ = writeln!(text, "  {}", look.paint(HEADING, line));
        }
        match self.halts {
            Some(halts) => self.halts_text(&mut text, halts, look),
            None if self.is_complete() => {
                let _ = writeln!(text, "  deadlocks, time-locks: not looked for; the model stops clocks");
            }
            None => {}
        }
        if self.is_complete() {
            self.dead_code_text(&mut text);
            self.ranges_text(&mut text);
        }
        text
    }

    fn halts_text(&self, text: &mut String, halts: &Halts, look: Look) {
        let none = match self.outcome_reason(&halts.outcome) {
            None => "none".to_owned(),
            Some(reason) => {
                look.paint(TROUBLE, &format!("none found, but the search for them was cut short: {reason}"))
            }
        };
        for (what, found) in [
            ("deadlocks while time goes on", &halts.deadlock),
            ("deadlocks in which time stops (time-locks)", &halts.timelock),
        ] {
            match found {
                None => {
                    let _ = writeln!(text, "  {what}: {none}");
                }
                Some(evidence) if evidence.steps.is_empty() => {
                    let _ = writeln!(text, "  {what}: yes, the initial state is one");
                    run_text(text, evidence, self.network, look);
                }
                Some(evidence) => {
                    let _ = writeln!(text, "  {what}: yes, for example after");
                    run_text(text, evidence, self.network, look);
                }
            }
        }
    }

    fn dead_code_text(&self, text: &mut String) {
        let locations = self.unreached().into_iter().map(|id| {
            let location = &self.network.locations[id.index()];
            (location.process, location.origin, Words(self.network).location(id).to_owned())
        });
        let edges = |of_receivers| {
            self.untaken(of_receivers).into_iter().map(|id| {
                let edge = &self.network.edges[id.index()];
                (edge.process, edge.origin.edge, self.edge_name(edge))
            })
        };
        let lists = [
            ("locations never reached", self.by_template(locations)),
            ("edges never taken", self.by_template(edges(false))),
            ("receivers never served", self.by_template(edges(true))),
        ];
        for (what, list) in lists {
            if list.is_empty() {
                let _ = writeln!(text, "  {what}: none");
            } else {
                let _ = writeln!(text, "  {what}:");
                print_list(text, &list);
            }
        }
    }

    /// `P(0), P(1): name`: what is the same for several processes of a template is one line.
    fn by_template(
        &self,
        items: impl Iterator<Item = (guidepost_network::ProcessId, u32, String)>,
    ) -> Vec<String> {
        let mut groups: BTreeMap<(u32, u32, String), Vec<&str>> = BTreeMap::new();
        for (process, origin, name) in items {
            let template = self.network.processes[process.index()].template;
            groups.entry((template, origin, name)).or_default().push(Words(self.network).process(process));
        }
        let shown = |((template, _, name), processes): ((u32, u32, String), Vec<&str>)| {
            let all = self.network.processes.iter().filter(|process| process.template == template).count();
            let who = match processes.as_slice() {
                few if few.len() <= MOST_NAMES => few.join(", "),
                [first, .., last] if processes.len() == all => format!("{first} to {last}"),
                [first, second, ..] => format!("{first}, {second} and {} more", processes.len() - 2),
                _ => processes.join(", "),
            };
            format!("{who}: {name}")
        };
        groups.into_iter().map(shown).collect()
    }

    /// The cells of an array are one line: nobody declares them one by one.
    fn ranges_text(&self, text: &mut String) {
        let mut merged: Vec<Range> = Vec::new();
        for range in self.ranges() {
            if self.network.wording.asides.get(range.name.as_str()) == Some(&Aside::Inner) {
                continue;
            }
            let name = without_indices(self.network.wording.name(&range.name));
            match merged.iter_mut().find(|other| other.name == name && other.declared == range.declared) {
                Some(other) => other.used = (other.used.0.min(range.used.0), other.used.1.max(range.used.1)),
                None => merged.push(Range { name, ..range }),
            }
        }
        let lines: Vec<String> = merged
            .into_iter()
            .filter(|range| range.used != range.declared)
            .map(|Range { name, used: (low, high), declared: (min, max), boolean }| {
                match (low == high, boolean) {
                    (true, true) => format!("{name} is always {}", low != 0),
                    (true, false) => format!("{name} is always {low}, of {min} to {max}"),
                    (false, _) => format!("{name} is {low} to {high}, of {min} to {max}"),
                }
            })
            .collect();
        if !lines.is_empty() {
            let _ = writeln!(text, "  variables that do not use their whole range:");
            print_list(text, &lines);
        }
    }
}

/// `shelf[2].price` becomes `shelf[..].price`.
fn without_indices(name: &str) -> String {
    let mut general = String::new();
    let mut rest = name;
    while let Some((before, behind)) = rest.split_once('[') {
        general += before;
        general += "[..]";
        rest = behind.split_once(']').map_or("", |(_, behind)| behind);
    }
    general + rest
}

/// `go!`, `go[2]?`; `go[…]!` when the channel depends on the state.
fn sync_label(edge: &Edge, network: &Network) -> Option<String> {
    let (channel, mark) = match &edge.sync {
        Sync::Internal => return None,
        Sync::Join(vector) => return Some(network.vectors[*vector as usize].name.clone()),
        Sync::Send(channel) => (channel, '!'),
        Sync::Receive(channel) => (channel, '?'),
    };
    let name = match channel {
        ChannelRef::Static(id) => network.channels[id.index()].name.clone(),
        ChannelRef::Dynamic(_, candidates) => {
            let first = candidates.first().map_or("", |id| network.channels[id.index()].name.as_str());
            first.split_once('[').map_or(first.to_owned(), |(array, _)| format!("{array}[…]"))
        }
    };
    Some(format!("{name}{mark}"))
}

fn print_list(text: &mut String, lines: &[String]) {
    for line in lines.iter().take(LONGEST_LIST) {
        let _ = writeln!(text, "    {line}");
    }
    if let Some(more) = lines.len().checked_sub(LONGEST_LIST + 1) {
        let _ = writeln!(text, "    and {} more; `--format json` has them all", more + 1);
    }
}
