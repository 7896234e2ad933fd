//! Why an edge cannot be taken, in the names of the model.

use crate::number::decimal;
use crate::trace_file::describe;
use crate::words::Words;
use guidepost_language::Loaded;
use guidepost_language::syntax::LabelKind;
use guidepost_language::write::edge_labels;
use guidepost_network::interpreter::{
    Blocked, Interval, Obstacle, Rational, ReplayReason, State, Transition, TransitionKind,
};
use guidepost_network::{ChannelId, ClockConstraint, ClockId, EdgeId, Network, VarId};

/// What a message about a state is made from.
#[derive(Clone, Copy)]
pub struct Teller<'a> {
    /// The model, for its labels.
    pub loaded: &'a Loaded,
    /// Its network.
    pub network: &'a Network,
    /// The state.
    pub state: &'a State,
}

impl Teller<'_> {
    /// One sentence without a full stop.
    pub fn obstacle(&self, obstacle: &Obstacle) -> String {
        match obstacle {
            Obstacle::Data(edge, variables) => self.data(*edge, variables),
            Obstacle::Clock(edge, index, bound) => {
                let constraint = &self.network.edges[edge.index()].clock_guard[*index];
                self.clocks("the guard needs", constraint, *bound)
            }
            Obstacle::Partner(channel, _) if self.is_silent(*channel) => "it is not its turn".to_owned(),
            Obstacle::Partner(channel, others) => {
                let name = &self.network.channels[channel.index()].name;
                let names: Vec<String> = others.iter().map(|&id| self.edge(id)).collect();
                match names.len() {
                    0 => format!("nobody is where the other side of `{name}` is"),
                    1 => {
                        format!(
                            "nobody is ready on the other side of `{name}`: the guard of {} does not hold",
                            names[0]
                        )
                    }
                    _ => format!(
                        "nobody is ready on the other side of `{name}`: the guards of {} do not hold",
                        names.join(", ")
                    ),
                }
            }
            Obstacle::Vector(vector) => {
                format!("not everybody is ready for `{}`", self.network.vectors[*vector as usize].name)
            }
            Obstacle::Committed(locations) => {
                let places: Vec<String> =
                    locations.iter().filter_map(|&id| Words(self.network).place(id)).collect();
                if places.is_empty() {
                    return "another step has begun, and has to end first".to_owned();
                }
                format!("{} is committed and has to be left first", places.join(" or "))
            }
            Obstacle::Priority(higher) => {
                format!("{} has a higher priority", self.transition(higher))
            }
            Obstacle::Blocked(Blocked::Invariant(location)) => {
                let words = Words(self.network);
                let process = self.network.locations[location.index()].process;
                let place = words.place(*location).unwrap_or_else(|| words.process(process).to_owned());
                format!("the invariant of {place} would not hold behind it")
            }
            Obstacle::Blocked(blocked) => describe(&ReplayReason::Blocked(blocked.clone()), self.network),
            Obstacle::Failure(failure) => {
                let failure = describe(&ReplayReason::Failure(failure.clone()), self.network);
                format!("the model has an error: {failure}")
            }
            Obstacle::Later(delays) => format!("it can be taken after waiting: {}", intervals(delays)),
        }
    }

    fn is_silent(&self, channel: ChannelId) -> bool {
        Words(self.network).channel(TransitionKind::Channel(channel)).is_none()
    }

    /// The label of an edge, as it was written.
    pub fn label(&self, id: EdgeId, kind: LabelKind) -> Option<String> {
        let edge = &self.network.edges[id.index()];
        let template = self.network.processes[edge.process.index()].template as usize;
        let written = self.loaded.document.templates.get(template)?.edges.get(edge.origin.edge as usize)?;
        let labels = edge_labels(written, self.loaded.document.format, &self.loaded.sources);
        labels.into_iter().find(|(found, _)| *found == kind).map(|(_, text)| text)
    }

    fn data(&self, edge: EdgeId, variables: &[VarId]) -> String {
        let words = Words(self.network);
        let values: Vec<String> = variables
            .iter()
            .filter(|id| !words.is_inner(**id))
            .map(|&id| {
                format!("{} is {}", words.variable(id), words.value(id, self.state.variables[id.index()]))
            })
            .collect();
        // The guard of a translation is not what the author wrote.
        let written = self.label(edge, LabelKind::Guard).filter(|_| !self.network.wording.has_cycles());
        let guard = written.map_or_else(String::new, |guard| format!(" `{guard}`"));
        let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
        format!("the guard{guard} does not hold{values}")
    }

    /// `the guard needs x > 2, and x is 1.5`
    fn clocks(&self, needs: &str, constraint: &ClockConstraint, bound: Rational) -> String {
        let name = |clock: ClockId| Words(self.network).clock(clock);
        let value = |clock: ClockId| self.state.clocks[clock.index()];
        let (left, right) = (constraint.left, constraint.right);
        let strict = constraint.strict;
        if left == ClockId::ZERO {
            let bound = Rational::ZERO.minus(bound).map_or_else(|_| "?".to_owned(), decimal);
            let sign = if strict { ">" } else { "≥" };
            return format!("{needs} {0} {sign} {bound}, and {0} is {1}", name(right), decimal(value(right)));
        }
        let sign = if strict { "<" } else { "≤" };
        let bound = decimal(bound);
        if right == ClockId::ZERO {
            return format!("{needs} {0} {sign} {bound}, and {0} is {1}", name(left), decimal(value(left)));
        }
        let difference = value(left).minus(value(right)).map_or_else(|_| "?".to_owned(), decimal);
        format!("{needs} {0} − {1} {sign} {bound}, and that is {difference}", name(left), name(right))
    }

    /// `P(1): Idle -> Trying`
    pub fn edge(&self, id: EdgeId) -> String {
        let words = Words(self.network);
        format!("{}: {}", words.process(self.network.edges[id.index()].process), words.movement(id))
    }

    /// Who does what.
    pub fn transition(&self, transition: &Transition) -> String {
        let channel = Words(self.network).channel(transition.kind);
        let channel = channel.map_or_else(String::new, |name| format!("{name}: "));
        let edges: Vec<String> = transition.edges.iter().map(|&id| self.edge(id)).collect();
        format!("{channel}{}", edges.join(", "))
    }
}

/// `0 ≤ d < 2 or d = 5`
pub fn intervals(delays: &[Interval]) -> String {
    let parts: Vec<String> = delays.iter().map(interval).collect();
    parts.join(" or ")
}

fn interval(interval: &Interval) -> String {
    let (lower, above) = interval.lower;
    let begin = format!("{} {} d", decimal(lower), if above { "<" } else { "≤" });
    match interval.upper {
        Some((upper, _)) if upper == lower => format!("d = {}", decimal(lower)),
        Some((upper, below)) => format!("{begin} {} {}", if below { "<" } else { "≤" }, decimal(upper)),
        None => format!("d {} {}", if above { ">" } else { "≥" }, decimal(lower)),
    }
}
