//! What the locations and the data of a state say, whatever the clocks are.

use guidepost_network::{
    ChannelId, ChannelRef, ClockConstraint, ClockId, Code, EdgeId, EvalError, LocationKind, Machine, Network,
    Operand, Sync,
};

/// Why the meaning of a state could not be computed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// An expression has no value.
    #[error(transparent)]
    Evaluation(#[from] EvalError),
    /// A clock would become negative.
    #[error("clock #{} would become negative", .0.0)]
    NegativeClock(ClockId),
}

/// `left - right < bound` or `<= bound`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounded {
    pub(crate) left: usize,
    pub(crate) right: usize,
    pub(crate) strict: bool,
    pub(crate) bound: i32,
}

/// What an edge wants to do, its channel computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    Alone,
    Send(ChannelId),
    Receive(ChannelId),
    Join(u32),
}

/// An edge whose data guard holds.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    pub(crate) edge: EdgeId,
    pub(crate) process: usize,
    pub(crate) act: Act,
    pub(crate) guard: Vec<Bounded>,
}

/// The discrete part of states, and what follows from it.
#[derive(Clone, Debug)]
pub(crate) struct Discrete {
    /// One cell per process, then one per variable.
    pub(crate) cells: Vec<i32>,
    /// Whether the data parts of the invariants hold.
    pub(crate) admissible: bool,
    /// The clock parts of the invariants.
    pub(crate) invariant: Vec<Bounded>,
    /// The edges that data allow, by process, and what went wrong when they were looked for.
    pub(crate) offers: Result<Vec<Offer>, Failure>,
    /// Whether some process is in a committed location.
    pub(crate) committed: bool,
    /// Whether some process is where time may not pass.
    pub(crate) timeless: bool,
}

impl Discrete {
    /// Evaluates everything there is to evaluate.
    pub(crate) fn new(network: &Network, machine: &mut Machine<'_>, cells: &[i32]) -> Result<Self, Failure> {
        machine.load(cells);
        let mut admissible = true;
        let mut invariant = Vec::new();
        for &location in &cells[..network.processes.len()] {
            let location = &network.locations[location as usize];
            if admissible && !all_hold(machine, &location.data_invariant)? {
                admissible = false;
            }
        }
        for &location in cells[..network.processes.len()].iter().filter(|_| admissible) {
            invariant.extend(bounded(machine, &network.locations[location as usize].clock_invariant)?);
        }
        if admissible {
            machine.cost_rate(network)?;
        }
        let kinds = cells[..network.processes.len()].iter().map(|&l| network.locations[l as usize].kind);
        Ok(Self {
            cells: cells.to_vec(),
            admissible,
            invariant,
            offers: offers(network, machine, cells),
            committed: kinds.clone().any(|kind| kind == LocationKind::Committed),
            timeless: kinds.clone().any(|kind| kind != LocationKind::Normal),
        })
    }
}

fn offers(network: &Network, machine: &mut Machine<'_>, cells: &[i32]) -> Result<Vec<Offer>, Failure> {
    let mut offers = Vec::new();
    for (process, &location) in cells[..network.processes.len()].iter().enumerate() {
        for edge in network.locations[location as usize].outgoing.clone().map(EdgeId) {
            let data = &network.edges[edge.index()];
            if !all_hold(machine, &data.data_guard)? {
                continue;
            }
            let act = match &data.sync {
                Sync::Internal => Act::Alone,
                Sync::Send(channel) => Act::Send(resolve(machine, channel)?),
                Sync::Receive(channel) => Act::Receive(resolve(machine, channel)?),
                Sync::Join(vector) => Act::Join(*vector),
            };
            offers.push(Offer { edge, process, act, guard: bounded(machine, &data.clock_guard)? });
        }
    }
    Ok(offers)
}

fn resolve(machine: &mut Machine<'_>, channel: &ChannelRef) -> Result<ChannelId, Failure> {
    Ok(match channel {
        ChannelRef::Static(id) => *id,
        ChannelRef::Dynamic(code, candidates) => {
            let id = ChannelId(machine.eval(*code)? as u32);
            assert!(candidates.contains(&id), "a computed channel is one of its candidates");
            id
        }
    })
}

/// Whether all conditions hold in the machine's state; later ones are not evaluated when an earlier one does not.
pub(crate) fn all_hold(machine: &mut Machine<'_>, conditions: &[Code]) -> Result<bool, Failure> {
    for &condition in conditions {
        if machine.eval(condition)? == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The constraints that count in the machine's state.
pub(crate) fn bounded(
    machine: &mut Machine<'_>,
    constraints: &[ClockConstraint],
) -> Result<Vec<Bounded>, Failure> {
    let mut list = Vec::new();
    for constraint in constraints {
        if let Some(condition) = constraint.condition
            && machine.eval(condition)? == 0
        {
            continue;
        }
        let bound = match constraint.bound {
            Operand::Const(value) => value,
            Operand::Code(code, low, high) => {
                let value = machine.eval(code)?;
                assert!(
                    (low..=high).contains(&value),
                    "bound {value} is outside its announced {low}..{high}"
                );
                value
            }
        };
        let (left, right) = (constraint.left.index(), constraint.right.index());
        list.push(Bounded { left, right, strict: constraint.strict, bound });
    }
    Ok(list)
}
