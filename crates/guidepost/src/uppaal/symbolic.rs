//! A run as a symbolic trace: all clock values that its transitions allow, state by state.
//!
//! A zone here holds what the transitions so far can lead to, waiting included. So every valuation in it has a predecessor in the zone before it, which is what
//! readers of such traces rely on; not every valuation has a successor.

use crate::{NoZone, Session, Simulator, Zone};
use guidepost_answer::Evidence;
use guidepost_network::interpreter::State;
use guidepost_network::{ClockId, EdgeId, LocationId};

/// A run, with zones instead of times.
#[derive(Clone, Debug)]
pub struct SymbolicRun {
    /// Where it begins.
    pub initial: Situation,
    /// The edges of each transition, senders first, and where it leads.
    pub steps: Vec<(Vec<EdgeId>, Situation)>,
}

/// A symbolic state of a run.
#[derive(Clone, Debug)]
pub struct Situation {
    /// Where the processes are.
    pub locations: Vec<LocationId>,
    /// The values of the variables.
    pub variables: Vec<i32>,
    /// What the clocks can be.
    pub zone: Zone,
}

/// Why a run is no symbolic trace.
#[derive(Clone, Debug, thiserror::Error)]
#[error("there is no symbolic trace of this run: {0}")]
pub struct NotSymbolic(String);

impl SymbolicRun {
    /// The transitions of a run, with the zones that they lead to. Steps that only wait change nothing.
    ///
    /// # Errors
    /// Where zones cannot tell what happens in the model.
    pub fn of(session: &Session, evidence: &Evidence) -> Result<Self, NotSymbolic> {
        let because = |reason: String| NotSymbolic(reason);
        let mut simulator = Simulator::new(session.clone()).map_err(|error| because(error.to_string()))?;
        let root = simulator.root();
        let end = simulator.graft(root, &evidence.steps).map_err(|error| because(error.to_string()))?;
        let initial = situation(&evidence.initial, zone(&mut simulator, root)?);
        let mut steps = Vec::new();
        for position in simulator.path(end).into_iter().skip(1) {
            let zone = zone(&mut simulator, position)?;
            let transition = simulator.came(position).and_then(|(_, taken)| taken.transition.as_ref());
            let Some(transition) = transition else { continue };
            steps.push((transition.edges.clone(), situation(simulator.state(position), zone)));
        }
        Ok(Self { initial, steps })
    }
}

fn situation(state: &State, zone: Zone) -> Situation {
    Situation { locations: state.locations.clone(), variables: state.variables.clone(), zone }
}

/// The zone of a position, however long it takes: each attempt gets further.
fn zone(simulator: &mut Simulator, at: crate::Position) -> Result<Zone, NotSymbolic> {
    loop {
        match simulator.zone(at) {
            Ok(zone) => return Ok(zone),
            Err(NoZone::NotYet) => {}
            Err(NoZone::Never(reason)) => return Err(NotSymbolic(reason)),
        }
    }
}

/// `left - right <= value`, or `<` where it is strict. The clock 0 is the constant zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// The clock with the positive sign.
    pub left: ClockId,
    /// The clock with the negative sign.
    pub right: ClockId,
    /// The bound.
    pub value: i32,
    /// `<` rather than `<=`.
    pub strict: bool,
}

impl Situation {
    /// Constraints that together are the zone: the range of each clock, and the differences that ranges do not tell.
    pub fn constraints(&self) -> Vec<Constraint> {
        let mut constraints = Vec::new();
        for range in &self.zone.ranges {
            let (value, strict) = range.lower;
            constraints.push(Constraint { left: ClockId::ZERO, right: range.clock, value: -value, strict });
            if let Some((value, strict)) = range.upper {
                constraints.push(Constraint { left: range.clock, right: ClockId::ZERO, value, strict });
            }
        }
        constraints.extend(self.zone.differences.iter().map(|&(left, right, bound)| Constraint {
            left,
            right,
            value: bound.constant(),
            strict: bound.is_strict(),
        }));
        constraints
    }
}
