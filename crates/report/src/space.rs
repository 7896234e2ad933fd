//! What a whole exploration found: sizes, deadlocks, dead code.

use crate::Look;
use crate::look::{HEADING, NAME};
use crate::verdict::{run_text, statistics_json, trace_json};
use guidepost_network::{Edge, EdgeId, Network, Sync};
use guidepost_search::{Evidence, Halts, Outcome, Survey};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The results of `guidepost states`.
pub struct StateSpace<'a> {
    /// The model's name.
    pub model: &'a str,
    /// The network.
    pub network: &'a Network,
    /// What the exploration found.
    pub survey: &'a Survey,
    /// Deadlocks and time-locks; `None` when they were not looked for.
    pub halts: Option<&'a Halts>,
}

/// An edge as it stands in the model, for one process: select and branches give several edges of the network.
type Origin = (u32, u32, Option<u32>);

impl StateSpace<'_> {
    fn is_complete(&self) -> bool {
        self.survey.outcome == Outcome::Exhausted
    }

    /// `Process.location` of locations that are never reached.
    fn unreached(&self) -> Vec<String> {
        let locations = self.network.locations.iter().zip(&self.survey.reached);
        locations
            .filter(|(_, reached)| !**reached)
            .map(|(location, _)| {
                format!("{}.{}", self.network.processes[location.process.index()].name, location.name)
            })
            .collect()
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

    fn edge_name(&self, edge: &Edge) -> String {
        let name = |location: guidepost_network::LocationId| &self.network.locations[location.index()].name;
        let process = &self.network.processes[edge.process.index()].name;
        format!("{process}: {} → {}", name(edge.source), name(edge.target))
    }

    /// Variables whose values stay well within their range.
    fn ranges(&self) -> Vec<(&str, (i32, i32), (i32, i32))> {
        let variables = self.network.variables.iter().zip(&self.survey.ranges);
        variables
            .filter(|(_, used)| used.0 <= used.1)
            .map(|(variable, used)| (variable.name.as_str(), *used, (variable.min, variable.max)))
            .collect()
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let edge = |id: &EdgeId| {
            let edge = &self.network.edges[id.index()];
            json!({
                "process": self.network.processes[edge.process.index()].name,
                "from": self.network.locations[edge.source.index()].name,
                "to": self.network.locations[edge.target.index()].name,
            })
        };
        let ranges: Vec<Value> = self
            .ranges()
            .into_iter()
            .map(|(name, used, declared)| {
                json!({ "variable": name, "used": [used.0, used.1], "declared": [declared.0, declared.1] })
            })
            .collect();
        let halt = |evidence: Option<&Evidence>| evidence.map(|evidence| trace_json(evidence, self.network));
        json!({
            "tool": "guidepost",
            "version": env!("CARGO_PKG_VERSION"),
            "model": self.model,
            "complete": self.is_complete(),
            "reason": self.reason(),
            "statistics": statistics_json(&self.survey.statistics),
            "unreached": self.unreached(),
            "untaken": self.untaken(false).iter().map(edge).collect::<Vec<_>>(),
            "unserved": self.untaken(true).iter().map(edge).collect::<Vec<_>>(),
            "ranges": ranges,
            "deadlocks": self.halts.map(|halts| json!({
                "complete": halts.outcome == Outcome::Exhausted,
                "deadlock": halt(halts.deadlock.as_ref()),
                "timelock": halt(halts.timelock.as_ref()),
            })),
        })
    }

    fn reason(&self) -> Option<String> {
        match &self.survey.outcome {
            Outcome::Satisfied | Outcome::Exhausted => None,
            Outcome::Stopped(reason) => Some(reason.describe().to_owned()),
            Outcome::Failed(_, failure) => Some(failure.error.describe(self.network)),
        }
    }

    /// For people.
    pub fn text(&self, look: Look) -> String {
        let mut text = String::new();
        let s = &self.survey.statistics;
        let _ = writeln!(text, "{}", look.paint(NAME, self.model));
        if let Some(reason) = self.reason() {
            let _ = writeln!(text, "  not explored completely: {reason}");
        }
        let _ = writeln!(
            text,
            "  {} symbolic states with {} discrete parts, {} transitions",
            s.stored, s.discrete, s.generated
        );
        let line = format!("{} expanded, {:.3} s, {:.1} MiB", s.explored, s.seconds, s.bytes as f64 / f64::from(1 << 20));
        let _ = writeln!(text, "  {}", look.paint(HEADING, &line));
        if let Some(halts) = self.halts {
            self.halts_text(&mut text, halts, look);
        }
        if self.is_complete() {
            self.dead_code_text(&mut text);
        }
        self.ranges_text(&mut text);
        text
    }

    fn halts_text(&self, text: &mut String, halts: &Halts, look: Look) {
        let complete = halts.outcome == Outcome::Exhausted;
        let none = if complete { "none" } else { "none found before the search was cut short" };
        for (what, found) in [("deadlocks", &halts.deadlock), ("time-locks", &halts.timelock)] {
            match found {
                None => {
                    let _ = writeln!(text, "  {what}: {none}");
                }
                Some(evidence) => {
                    let _ = writeln!(text, "  {what}: yes, for example");
                    run_text(text, evidence, self.network, look);
                }
            }
        }
    }

    fn dead_code_text(&self, text: &mut String) {
        let unreached = self.unreached();
        let untaken: Vec<String> =
            self.untaken(false).iter().map(|id| self.edge_name(&self.network.edges[id.index()])).collect();
        let unserved: Vec<String> =
            self.untaken(true).iter().map(|id| self.edge_name(&self.network.edges[id.index()])).collect();
        let lists = [
            ("locations never reached", unreached),
            ("edges never taken", untaken),
            ("receivers never served", unserved),
        ];
        for (what, list) in lists {
            if list.is_empty() {
                let _ = writeln!(text, "  {what}: none");
                continue;
            }
            let _ = writeln!(text, "  {what}:");
            for name in list {
                let _ = writeln!(text, "    {name}");
            }
        }
    }

    fn ranges_text(&self, text: &mut String) {
        let unused: Vec<_> = self
            .ranges()
            .into_iter()
            .filter(|(_, used, declared)| used != declared)
            .collect();
        if unused.is_empty() {
            return;
        }
        let _ = writeln!(text, "  variables that do not use their whole range:");
        for (name, (low, high), (min, max)) in unused {
            let _ = writeln!(text, "    {name}: {low}..{high} of {min}..{max}");
        }
    }
}
