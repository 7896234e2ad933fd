//! What the checker says.

use guidepost_network::{EdgeId, EvalError, Network};

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// No goal is reachable.
    Accepted,
    /// The certificate proves nothing.
    Rejected(Box<Rejection>),
    /// Whoever checks it was told to stop.
    Stopped,
}

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// What is wrong.
    pub reason: Reason,
    /// The state of the certificate where that shows.
    pub state: Option<String>,
    /// The transition that leads out of the set, or fails.
    pub transition: Option<String>,
    /// What it leads to.
    pub target: Option<String>,
}

/// What is wrong with a certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It is about another model.
    OtherModel,
    /// It does not contain the initial state, or not all that time makes of it.
    NoInitialState,
    /// A transition leads out of it, or time after a transition.
    Transition,
    /// It contains a goal.
    Goal,
    /// What has to happen after one of its states has no state of its own.
    Trigger,
    /// A transition does not lead to smaller ranks.
    Rank,
    /// In one of its states, time can pass for ever before anything happens.
    Forever,
    /// In one of its states nothing can happen any more.
    Stuck,
    /// An expression cannot be evaluated in one of its states.
    Error(String),
    /// What it hides cannot be hidden, for this reason.
    Hiding(String),
}

impl Rejection {
    /// It is about another model.
    pub const OTHER_MODEL: Self = Self::because(Reason::OtherModel);

    /// Something is wrong with the whole of it.
    pub const fn because(reason: Reason) -> Self {
        Self { reason, state: None, transition: None, target: None }
    }
}

impl std::fmt::Display for Rejection {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.reason {
            Reason::OtherModel => write!(out, "it is about another model, or this model has changed")?,
            Reason::NoInitialState => write!(out, "it does not contain the initial state")?,
            Reason::Transition => write!(out, "it is not closed: a transition leads out of it")?,
            Reason::Goal => write!(out, "it contains a state that the query is about")?,
            Reason::Trigger => {
                write!(out, "it does not contain what follows a state that the query is about")?;
            }
            Reason::Rank => write!(out, "a transition does not lead to a smaller rank")?,
            Reason::Forever => write!(out, "time can pass for ever before what has to happen")?,
            Reason::Stuck => write!(out, "nothing is possible any more before what has to happen")?,
            Reason::Error(error) => write!(out, "the model fails in a state that it contains: {error}")?,
            Reason::Hiding(why) => write!(out, "what it hides cannot be hidden: {why}")?,
        }
        for (name, value) in
            [("state", &self.state), ("transition", &self.transition), ("leads to", &self.target)]
        {
            if let Some(value) = value {
                write!(out, "\n  {name}: {value}")?;
            }
        }
        Ok(())
    }
}

/// A construct that the checker does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// Clocks that stand still.
    Stopwatches,
    /// Urgency that begins at some clock value.
    GuardedUrgentChannel,
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Obstacle::Stopwatches => "stop-watches (`x' == 0`)",
            Obstacle::GuardedUrgentChannel => "clock guards on urgent channels",
        })
    }
}

/// What of a network the checker does not know.
pub fn obstacle(network: &Network) -> Option<Obstacle> {
    if network.locations.iter().any(|location| !location.rates.is_empty()) {
        return Some(Obstacle::Stopwatches);
    }
    network.features.guarded_urgent_channels.then_some(Obstacle::GuardedUrgentChannel)
}

pub(crate) fn rejected(network: &Network, cells: &[i32], error: &EvalError, edges: &[EdgeId]) -> Rejection {
    Rejection {
        reason: Reason::Error(error.describe(network)),
        state: Some(describe_cells(network, cells)),
        transition: describe_edges(network, edges),
        target: None,
    }
}

pub(crate) fn describe_cells(network: &Network, cells: &[i32]) -> String {
    let (locations, values) = cells.split_at(network.processes.len());
    let located = network.processes.iter().zip(locations);
    let located =
        located.map(|(process, &at)| format!("{}.{}", process.name, network.locations[at as usize].name));
    let valued = network.variables.iter().zip(values).filter(|(variable, _)| !variable.meta);
    let valued = valued.map(|(variable, value)| format!("{} = {value}", variable.name));
    located.chain(valued).collect::<Vec<_>>().join(", ")
}

pub(crate) fn describe_edges(network: &Network, edges: &[EdgeId]) -> Option<String> {
    let describe = |edge: &EdgeId| {
        let edge = &network.edges[edge.index()];
        let (from, to) = (&network.locations[edge.source.index()], &network.locations[edge.target.index()]);
        format!("{} from {} to {}", network.processes[edge.process.index()].name, from.name, to.name)
    };
    (!edges.is_empty()).then(|| edges.iter().map(describe).collect::<Vec<_>>().join(", "))
}
