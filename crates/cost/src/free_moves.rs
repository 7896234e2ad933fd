//! Moves that can only help, and need no time: they are taken at once, and nothing else is tried before.
//!
//! An edge only gives locks back if its update does nothing else, and if whoever reads these variables asks whether they are free. Taking it earlier than some run does keeps that run possible: what
//! was free stays free, and who waits for the lock may get it sooner. If it is the only edge that leaves its location, and every goal wants the process elsewhere, every run to a goal takes
//! it; and if it can be taken now, without waiting, a run that takes it first takes no longer. So the other transitions of the state need not be looked at: they lead to
//! the same states in another order. (It is the ample set of partial-order reduction with one transition, Peled 1993, for orders that are not only independent but favourable.)
//!
//! All that is argued for a state as it is at its earliest time, with all clocks as far as they can be. That stands for the whole state if no clock is compared from above: then
//! larger values can do whatever smaller ones can. Where time may be cut short by what happens earlier (urgent channels, broadcasts, committed or urgent locations, priorities), the rule is not used.

use guidepost_explore::SymbolicState;
use guidepost_network::{
    ChannelRef, ClockConstraint, ClockId, Code, Comparison, EdgeId, Goal, LocationKind, Network, Operand,
    Shape, Sync, VarId,
};
use guidepost_zones::NO_BOUND;

/// By location: the edge that is free as soon as its clocks allow it, and what they have to reach.
pub(crate) struct FreeMoves {
    exits: Vec<Option<Exit>>,
    processes: usize,
    is_empty: bool,
}

struct Exit {
    edge: EdgeId,
    waits: Vec<(ClockId, i64)>,
}

impl FreeMoves {
    /// None at all.
    pub(crate) fn none() -> Self {
        Self { exits: Vec::new(), processes: 0, is_empty: true }
    }

    /// The free moves of a network on the way to some goals, where nothing but time is measured.
    pub(crate) fn new(network: &Network, goals: &[Goal]) -> Self {
        let features = &network.features;
        let is_simple = !features.priorities
            && !features.broadcast
            && !features.urgent_channels
            && !features.diagonals
            && !features.clock_copies
            && network.before_update.is_none()
            && network.after_update.is_none()
            // Goals are about locations only: nobody asks for a lock, or for a clock that must not be too large.
            && goals.iter().all(|goal| goal.data.is_empty() && goal.clocks.is_empty());
        if !is_simple {
            return Self::none();
        }
        let is_lock: Vec<bool> = (0..network.variables.len() as u32)
            .map(|var| is_only_asked_for_freedom(network, VarId(var)))
            .collect();
        let exits: Vec<Option<Exit>> =
            (0..network.locations.len() as u32).map(|id| free_exit(network, goals, &is_lock, id)).collect();
        let is_empty = exits.iter().all(Option::is_none);
        Self { exits, processes: network.processes.len(), is_empty }
    }

    /// The free move of a state, whose cost clock is the last, if it has one.
    pub(crate) fn find(&self, state: &SymbolicState, cost_clock: ClockId) -> Option<EdgeId> {
        if self.is_empty {
            return None;
        }
        let cost = state.place(cost_clock)?;
        let is_bounded = |place: usize| place != cost && state.upper[place] != NO_BOUND;
        if (1..state.clocks.len()).any(is_bounded) {
            return None;
        }
        let now = -i64::from(state.zone.get(0, cost).constant());
        let is_due = |exit: &&Exit| {
            exit.waits.iter().all(|&(clock, value)| {
                let Some(place) = state.place(clock) else { return false };
                // The least difference of the time and the clock, and what the clock has to reach.
                let since = state.zone.get(place, cost);
                !since.is_strict() && value - i64::from(since.constant()) <= now
            })
        };
        let at = state.cells[..self.processes].iter();
        at.filter_map(|&location| self.exits[location as usize].as_ref()).find(is_due).map(|exit| exit.edge)
    }
}

/// The free exit of a location, if it has one.
fn free_exit(network: &Network, goals: &[Goal], is_lock: &[bool], id: u32) -> Option<Exit> {
    let location = &network.locations[id as usize];
    if location.outgoing.len() != 1 || location.kind != LocationKind::Normal {
        return None;
    }
    let edge_id = EdgeId(location.outgoing.start);
    let edge = &network.edges[edge_id.index()];
    let target = &network.locations[edge.target.index()];
    let is_plain = matches!(edge.sync, Sync::Internal)
        && edge.data_guard.is_empty()
        && edge.clock_effects.is_empty()
        && target.kind == LocationKind::Normal
        && target.data_invariant.is_empty()
        && target.clock_invariant.is_empty();
    // Every run has to leave the location: a goal must not be left, and who has no goal may go round in circles.
    let must_leave = goals.iter().all(|goal| {
        let own = goal.locations.iter().find(|(process, _)| *process == location.process);
        own.is_some_and(|(_, admissible)| admissible.iter().all(|goal| goal.0 != id))
    });
    if !is_plain || !must_leave {
        return None;
    }
    let steps = edge.update.map_or_else(|| Some(Vec::new()), |update| network.program.shapes(update))?;
    let gives_back = |step: &Shape| match *step {
        Shape::AssignConst { var, value } => {
            is_lock[var.index()] && value == network.variables[var.index()].initial
        }
        _ => false,
    };
    if !steps.iter().all(gives_back) {
        return None;
    }
    let waits = edge.clock_guard.iter().map(lower_bound).collect::<Option<Vec<_>>>()?;
    Some(Exit { edge: edge_id, waits })
}

fn lower_bound(constraint: &ClockConstraint) -> Option<(ClockId, i64)> {
    match constraint.bound {
        Operand::Const(bound)
            if constraint.left == ClockId::ZERO && constraint.condition.is_none() && !constraint.strict =>
        {
            Some((constraint.right, -i64::from(bound)))
        }
        _ => None,
    }
}

/// Whether everybody who reads a variable asks only whether it has its first value.
fn is_only_asked_for_freedom(network: &Network, var: VarId) -> bool {
    let program = &network.program;
    let reads = |code: &Code| program.reads(*code).contains(&var);
    let asks = Shape::VarCmpConst { var, op: Comparison::Eq, value: network.variables[var.index()].initial };
    let of_clocks = |constraints: &[ClockConstraint]| {
        constraints.iter().any(|constraint| {
            let bound = match constraint.bound {
                Operand::Const(_) => None,
                Operand::Code(code, ..) => Some(code),
            };
            constraint.condition.iter().chain(&bound).any(reads)
        })
    };
    let is_computed_by = |sync: &Sync| match sync {
        Sync::Send(ChannelRef::Dynamic(code, _)) | Sync::Receive(ChannelRef::Dynamic(code, _)) => reads(code),
        _ => false,
    };
    let in_edges = network.edges.iter().all(|edge| {
        edge.data_guard.iter().filter(|code| reads(code)).all(|&code| program.shape(code) == asks)
            && !edge.update.iter().any(reads)
            && !of_clocks(&edge.clock_guard)
            && !is_computed_by(&edge.sync)
    });
    let in_locations = network.locations.iter().all(|location| {
        let rates = location.rates.iter().map(|(_, code)| code).chain(&location.cost_rate);
        !location.data_invariant.iter().chain(rates).any(reads) && !of_clocks(&location.clock_invariant)
    });
    in_edges && in_locations
}
