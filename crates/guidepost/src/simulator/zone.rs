//! The zone beside a state: all clock values that the same transitions can lead to.

use super::{Position, Simulator};
use guidepost_explore::{
    Explorer, Extrapolation, Preserved, Subsumption, SymbolicState, ZoneAbstraction, differences,
};
use guidepost_network::interpreter::{Rational, State};
use guidepost_network::{ClockId, EdgeId};
use guidepost_zones::Bound;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// What the values of clocks can be.
#[derive(Clone, PartialEq, Debug)]
pub struct Zone {
    /// By clock, the zero clock left out.
    pub ranges: Vec<ClockRange>,
    /// Differences of two clocks that are bounded more tightly than the ranges tell: `left - right`.
    pub differences: Vec<(ClockId, ClockId, Bound)>,
    /// Whether these are exactly the values that are possible.
    pub exact: bool,
}

/// What the value of a clock can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockRange {
    /// The clock.
    pub clock: ClockId,
    /// At least this; more than it when `true`.
    pub lower: (i32, bool),
    /// At most this; less than it when `true`. `None`: there is no bound.
    pub upper: Option<(i32, bool)>,
}

/// Why there is no zone.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoZone {
    /// It takes longer. What was computed is kept: whoever asks again gets it, or more of it.
    #[error("the zone is not known yet")]
    NotYet,
    /// Zones cannot tell what happens in this model, or not here.
    #[error("{0}")]
    Never(String),
}

/// Symbolic states on the way to positions that were asked for: one in so many steps is kept, and the last one.
#[derive(Default)]
pub(super) struct Zones {
    kept: BTreeMap<Position, SymbolicState>,
    last: Option<(Position, SymbolicState)>,
}

const EVERY: usize = 128;
/// How long anybody waits for a zone at a time.
const PATIENCE: Duration = Duration::from_millis(400);

/// Exact zones; states are not compared with each other.
pub(crate) const EXACT: ZoneAbstraction = ZoneAbstraction {
    extrapolation: Extrapolation::None,
    subsumption: Subsumption::AluWithDiagonals,
    preserved: Preserved::Simulation,
    approximate_stopwatches: false,
};

impl Zones {
    pub(super) fn zone(&mut self, simulator: &Simulator, at: Position) -> Result<Zone, NoZone> {
        let network = simulator.network();
        let mut explorer =
            Explorer::new(network, &[], EXACT).map_err(|reason| NoZone::Never(reason.to_string()))?;
        for clock in (1..network.clocks.len() as u32).map(ClockId) {
            explorer.observe(clock, 0);
        }
        let path = simulator.path(at);
        let known = |position: &Position| {
            self.kept.get(position).or(self
                .last
                .as_ref()
                .filter(|(last, _)| last == position)
                .map(|(_, state)| state))
        };
        let begin = path.iter().rposition(|position| known(position).is_some());
        let found = if let Some(begin) = begin {
            known(&path[begin]).cloned()
        } else {
            let states = explorer.initial_states();
            let states = states.map_err(|failure| NoZone::Never(failure.error.describe(network)))?;
            containing(states, simulator.state(path[0]))
        };
        let mut state = found.ok_or_else(lost)?;
        let started = Instant::now();
        for &position in &path[begin.unwrap_or(0) + 1..] {
            state = next(&mut explorer, simulator, &state, position)?;
            if started.elapsed() > PATIENCE && position != at {
                self.last = Some((position, state));
                return Err(NoZone::NotYet);
            }
            if simulator.depth(position).is_multiple_of(EVERY) {
                self.kept.insert(position, state.clone());
            }
        }
        let zone = readable(
            &state,
            explorer.abstraction().extrapolation == Extrapolation::None && !explorer.is_approximate(),
        );
        self.last = Some((at, state));
        Ok(zone)
    }
}

/// The symbolic state behind a step. Zones are closed under delay, so to wait changes nothing.
fn next(
    explorer: &mut Explorer<'_>,
    simulator: &Simulator,
    state: &SymbolicState,
    position: Position,
) -> Result<SymbolicState, NoZone> {
    let transition = simulator.came(position).and_then(|(_, taken)| taken.transition.as_ref());
    let Some(transition) = transition else { return Ok(state.clone()) };
    let mut states = Vec::new();
    let sorted = |edges: &[EdgeId]| {
        let mut edges = edges.to_vec();
        edges.sort_unstable();
        edges
    };
    let wanted = sorted(&transition.edges);
    let fits = |edges: &[EdgeId]| edges.len() == wanted.len() && sorted(edges) == wanted;
    let found = explorer.follow(state, &fits, &mut |state, _| {
        states.push(state.clone());
        ControlFlow::Continue(())
    });
    found.map_err(|failure| NoZone::Never(failure.error.describe(simulator.network())))?;
    containing(states, simulator.state(position)).ok_or_else(lost)
}

fn lost() -> NoZone {
    NoZone::Never("there is no zone for this state".to_owned())
}

/// The symbolic state that a state belongs to: where zones are split, there are several.
fn containing(mut states: Vec<SymbolicState>, state: &State) -> Option<SymbolicState> {
    if states.len() < 2 {
        return states.pop();
    }
    let at = states.iter().position(|symbolic| contains(symbolic, state))?;
    Some(states.swap_remove(at))
}

/// Whether the clocks of a state lie in a zone.
fn contains(symbolic: &SymbolicState, state: &State) -> bool {
    let value = |&clock: &u32| state.clocks[clock as usize];
    let values: Vec<Rational> = symbolic.clocks.iter().map(value).collect();
    values.iter().enumerate().all(|(i, left)| {
        values.iter().enumerate().all(|(j, &right)| {
            let bound = symbolic.zone.get(i, j);
            let difference = left.minus(right).ok();
            bound.is_infinite()
                || difference
                    .is_some_and(|difference| bound.admits(difference.numerator(), difference.denominator()))
        })
    })
}

fn readable(state: &SymbolicState, exact: bool) -> Zone {
    let range = |(place, &clock): (usize, &u32)| {
        let (upper, lower) = (state.zone.get(place, 0), state.zone.get(0, place));
        ClockRange {
            clock: ClockId(clock),
            lower: (-lower.constant(), lower.is_strict()),
            upper: (!upper.is_infinite()).then(|| (upper.constant(), upper.is_strict())),
        }
    };
    let ranges = state.clocks.iter().enumerate().skip(1).map(range).collect();
    let between = differences(state, &state.zone).into_iter();
    let between =
        between.filter(|difference| difference.left != ClockId::ZERO && difference.right != ClockId::ZERO);
    let differences =
        between.map(|difference| (difference.left, difference.right, difference.bound)).collect();
    Zone { ranges, differences, exact }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Session;
    use guidepost_network::interpreter::Random;

    /// Wherever a random run goes, its clocks are in the zone of its transitions.
    #[test]
    fn states_lie_in_their_zones() {
        for name in
            ["fischer.xml", "train-gate.xml", "bridge.xml", "csma-cd.xml", "priorities.xml", "oven.xta"]
        {
            let path = format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"));
            let mut simulator = Simulator::new(Session::open(path).unwrap()).unwrap();
            let mut at = simulator.root();
            for seed in 0..30 {
                (at, _) = simulator.wander(at, 5, &mut Random::new(seed)).unwrap();
                let zone = simulator.zone(at).unwrap();
                for range in &zone.ranges {
                    let value = simulator.state(at).clocks[range.clock.index()];
                    let above = value > Rational::from(range.lower.0)
                        || (value == Rational::from(range.lower.0) && !range.lower.1);
                    let below = range.upper.is_none_or(|(upper, strict)| {
                        value < Rational::from(upper) || (value == Rational::from(upper) && !strict)
                    });
                    assert!(above && below, "{name}: {value} is not in {range:?}");
                }
            }
        }
    }
}
