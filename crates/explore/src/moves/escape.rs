//! Locations whose time never runs out without a way on.
//!
//! Where a clock reaches the bound of an invariant, the process has to move. If it can, by an edge of its own that needs nothing but that moment, its location is an *escape*. In a discrete state in which somebody has a bound, and everybody who has one is at an
//! escape, nothing is deadlocked: wait for the first bound, and whoever has it moves. That is the ordinary case, and needs no zones.

use super::index::{CLOCK_INVARIANT, STOPS_TIME, URGENT_CHANNEL};
use super::interference::{Touch, readers_of_invariants, touch};
use super::{Moves, index};
use crate::time_domain::ClockDifference;
use guidepost_network::{ClockConstraint, ClockId, Edge, Location, Network, Operand, Sync};

/// By location: whether it has no bound, or is an escape.
#[derive(Clone, Debug)]
pub(crate) struct Escapes(Vec<bool>);

impl Escapes {
    pub(crate) fn new(network: &Network) -> Self {
        let features = &network.features;
        // What runs before or after every update may keep any transition from being possible.
        let has_hooks = network.before_update.is_some() || network.after_update.is_some();
        if features.priorities || features.stopwatches || has_hooks {
            return Self(vec![false; network.locations.len()]);
        }
        let bounded = readers_of_invariants(network);
        let is_clear = |edge: &Edge| {
            let Touch { is_entangled, enters_freely, .. } = touch(network, edge, &bounded);
            enters_freely && !is_entangled
        };
        Self(network.locations.iter().map(|location| is_escape(network, location, &is_clear)).collect())
    }
}

impl Moves<'_> {
    /// Visits the bounds that come with a transition in the source, where time may pass.
    pub(crate) fn ends_of_escapes(&self, escapes: &Escapes, mut visit: impl FnMut(ClockDifference)) {
        for &location in &self.source[..self.network.processes.len()] {
            if escapes.0[location as usize] {
                self.index.invariant_of(location).unwrap_or_default().iter().copied().for_each(&mut visit);
            }
        }
    }

    /// Whether the first bound that clocks reach in the source, wherever they start, always comes with a transition.
    pub(crate) fn always_escape(&self, escapes: &Escapes) -> bool {
        let locations = &self.source[..self.network.processes.len()];
        let facts = self.index.facts_of(locations);
        facts & (STOPS_TIME | URGENT_CHANNEL | index::COMMITTED) == 0
            && facts & CLOCK_INVARIANT != 0
            && locations.iter().all(|&location| escapes.0[location as usize])
    }
}

fn is_escape(network: &Network, location: &Location, is_clear: &dyn Fn(&Edge) -> bool) -> bool {
    location.clock_invariant.iter().all(|bound| {
        let Some((clock, last)) = last_moment(bound) else { return false };
        let edges = &network.edges[location.outgoing.start as usize..location.outgoing.end as usize];
        edges.iter().any(|edge| is_way_on(network, edge, clock, last) && is_clear(edge))
    })
}

/// The clock and the value at which an upper bound is reached.
fn last_moment(bound: &ClockConstraint) -> Option<(ClockId, i32)> {
    match bound.bound {
        Operand::Const(value)
            if !bound.strict && bound.right == ClockId::ZERO && bound.condition.is_none() =>
        {
            Some((bound.left, value))
        }
        _ => None,
    }
}

/// Whether an edge can be taken when a clock has some value, whatever else is the case.
fn is_way_on(network: &Network, edge: &Edge, clock: ClockId, value: i32) -> bool {
    let holds = |constraint: &ClockConstraint| {
        let Operand::Const(bound) = constraint.bound else { return false };
        let difference = if (constraint.left, constraint.right) == (clock, ClockId::ZERO) {
            i64::from(value)
        } else if (constraint.left, constraint.right) == (ClockId::ZERO, clock) {
            -i64::from(value)
        } else {
            return false;
        };
        constraint.condition.is_none()
            && (difference < i64::from(bound) || (difference == i64::from(bound) && !constraint.strict))
    };
    matches!(edge.sync, Sync::Internal)
        && edge.data_guard.is_empty()
        && edge.clock_guard.iter().all(holds)
        && edge.update.is_none_or(|update| network.program.codes().is_silent(update))
}
