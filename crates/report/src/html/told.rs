//! Runs in the author's steps, for the script.
//!
//! The data has the same form as that of any run ([`super::data`]), but its processes, locations and edges are those that the author wrote, and its
//! steps are the chapters of a [`Story`]. So every pane shows the author's model, and nothing of the translation can get in.

use super::data::{Channels, variable_data};
use crate::drawing::Figure;
use crate::number::exact;
use crate::trace::Trace;
use crate::trace::story::{Chapter, Story};
use crate::words::Words;
use guidepost_language::model::{Aside, Portrait};
use guidepost_network::interpreter::{Rational, State};
use guidepost_network::{ClockId, Network, ProcessId, VarId};
use serde_json::{Value, json};

/// The parts of a network that its author knows, in the order in which the page numbers them.
pub(super) struct Cast<'n> {
    network: &'n Network,
    processes: Vec<(ProcessId, &'n Portrait)>,
    variables: Vec<VarId>,
    clocks: Vec<ClockId>,
}

impl<'n> Cast<'n> {
    /// The author's parts, where they are others than those of the network.
    pub(super) fn of(network: &'n Network) -> Option<Self> {
        let wording = &network.wording;
        if !wording.has_cycles() {
            return None;
        }
        let is_known = |name: &str| wording.asides.get(name) != Some(&Aside::Inner);
        let processes = (0..).map(ProcessId).zip(&network.processes);
        Some(Self {
            network,
            processes: processes
                .filter_map(|(id, process)| Some((id, wording.portraits.get(&(process.template as usize))?)))
                .collect(),
            variables: (0..)
                .map(VarId)
                .zip(&network.variables)
                .filter(|(_, variable)| is_known(&variable.name))
                .map(|(id, _)| id)
                .collect(),
            clocks: (0..)
                .map(ClockId)
                .zip(&network.clocks)
                .skip(1)
                .filter(|(_, clock)| is_known(&clock.name))
                .map(|(id, _)| id)
                .collect(),
        })
    }

    /// The names of everything.
    pub(super) fn model(&self) -> Value {
        let words = Words(self.network);
        let template = |(id, portrait): &(ProcessId, &Portrait)| {
            let locations: Vec<&str> = portrait.locations.iter().map(|(name, _)| &**name).collect();
            json!({ "name": words.process(*id), "locations": locations })
        };
        let named = self.processes.iter().enumerate().map(|(at, (id, _))| json!([words.process(*id), at]));
        let variable = |id: &VarId| variable_data(&self.network.wording, &self.network.variables[id.index()]);
        json!({
            "templates": self.processes.iter().map(template).collect::<Vec<_>>(),
            "processes": named.collect::<Vec<_>>(),
            "variables": self.variables.iter().map(variable).collect::<Vec<_>>(),
            "clocks": self.clocks.iter().map(|id| words.clock(*id)).collect::<Vec<_>>(),
        })
    }

    /// The drawing of each process.
    pub(super) fn figures(&self) -> Vec<Figure> {
        let words = Words(self.network);
        self.processes
            .iter()
            .map(|(id, portrait)| Figure::of_portrait(words.process(*id), portrait))
            .collect()
    }

    /// The state in which a run begins.
    fn beginning(&self, initial: &State) -> Value {
        let place = |(id, portrait): &(ProcessId, &Portrait)| {
            let location = initial.locations[id.index()];
            portrait.places[self.network.locations[location.index()].origin as usize]
        };
        json!({
            "locations": self.processes.iter().map(place).collect::<Vec<_>>(),
            "variables": self.variables.iter().map(|id| initial.variables[id.index()]).collect::<Vec<_>>(),
            "clocks": self.clocks.iter().map(|id| exact(initial.clocks[id.index()])).collect::<Vec<_>>(),
        })
    }

    /// A run: where it begins, its steps, and for each of them in `told` what it says and what happens in it.
    pub(super) fn run(&self, trace: &Trace<'n>, story: &Story<'n>, channels: &mut Channels) -> Value {
        let mut run = self.beginning(trace.initial);
        let (mut steps, mut told) = (Vec::new(), Vec::new());
        let mut now = Some(Rational::ZERO);
        for chapter in &story.chapters {
            let time = if chapter.time == now { json!(0) } else { json!(chapter.time.map(exact)) };
            now = chapter.time;
            steps.push(self.step(chapter, &time, channels));
            told.push(self.told(chapter));
        }
        run["steps"] = steps.into();
        run["told"] = told.into();
        run
    }

    fn step(&self, chapter: &Chapter<'n>, time: &Value, channels: &mut Channels) -> Value {
        let moves = chapter.moves.iter().filter_map(|movement| {
            let process = self.processes.iter().position(|(id, _)| *id == movement.process)?;
            let edge = movement.edge.map_or(-1, |edge| edge as i64);
            Some(json!([process, edge, -1, movement.to, 3]))
        });
        let values = chapter.seen.iter().chain(&chapter.changes).filter_map(|&(id, _, new)| {
            let variable = self.variables.iter().position(|known| *known == id)?;
            Some([json!(variable), json!(new)])
        });
        let clocks = chapter.clocks.iter().filter_map(|&(id, value)| {
            let clock = self.clocks.iter().position(|known| *known == id)?;
            Some([json!(clock), json!(exact(value))])
        });
        json!([
            time,
            channels.number(chapter.who),
            moves.collect::<Vec<_>>(),
            values.flatten().collect::<Vec<_>>(),
            clocks.flatten().collect::<Vec<_>>(),
        ])
    }

    /// `[who, deeds, what was polled, what was written, [[time, part], …]]`
    fn told(&self, chapter: &Chapter<'n>) -> Value {
        let telling = chapter.telling(self.network);
        let part = |(time, words): &(Option<Rational>, String)| json!([time.map(exact), words]);
        let parts: Vec<Value> = match chapter.parts.len() {
            1 => Vec::new(),
            _ => chapter.parts.iter().map(part).collect(),
        };
        let joined = |list: Vec<String>| list.join(", ");
        json!([chapter.who, joined(telling.deeds), joined(telling.seen), joined(telling.written), parts])
    }
}
