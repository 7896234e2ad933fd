//! From a stored state back to a concrete run.
//!
//! The store knows, for each state, its parent and its number among the parent's successors; expanding from the initial state along these numbers
//! gives the transitions. To find *when* they happen no zones are needed: with `t_i` the time of the i-th transition, the value of a clock at `t_i` is
//! `t_i - t_r + v`, where r is the transition that set it last and v the value it got. Every guard and invariant along the path is then a bound on the
//! difference of two times, and the earliest times that satisfy all of them are longest paths in a graph. A strict bound asks for "a little
//! more": times are pairs (n, k) that stand for n + kε, compared lexicographically, and ε is chosen small enough at the end. Where clocks begin with
//! fractions, times are counted in parts of a time unit that make whole numbers of them.

use crate::explorer::Explorer;
use crate::moves::{Failure, Moves};
use crate::state::SymbolicState;
use crate::time_domain::ClockDifference;
use guidepost_answer::{Evidence, InternalError, RunEnding};
use guidepost_network::interpreter::{Interpreter, Rational, ReplayStep, replay};
use guidepost_network::{ClockId, EdgeId, EvalError, Renaming};
use guidepost_zones::minimum::{UNBOUNDED, minimise};
use guidepost_zones::{Bound, Zone};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// One transition of a path.
#[derive(Clone, PartialEq, Debug)]
pub struct PathStep {
    /// Who takes part.
    pub edges: Vec<EdgeId>,
    /// What must hold before it beyond the guards: who does not receive, what has no higher priority.
    pub restriction: Vec<ClockDifference>,
    /// What its target was renamed by to be a representative; steps that follow are those of the representative. See [`Explorer::straighten`].
    pub renaming: Option<Represented>,
}

/// How a state became a representative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Represented {
    /// The members of scalar sets were renamed.
    Renamed(Renaming),
    /// Parts of the network were exchanged: the numbers of the exchanges, in order.
    Exchanged(Vec<u32>),
}

/// Why no run was found for a path. Both are bugs of the engine, except after an over-approximation.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TraceError {
    /// The path could not be followed again.
    #[error("the path to the state cannot be followed again at step {0}")]
    Lost(usize),
    /// Clocks begin with fractions that have no common denominator of a reasonable size.
    #[error("the clocks begin with fractions that are too fine")]
    TooFine,
    /// No times satisfy all guards and invariants.
    #[error("no clock values satisfy the guards along the path")]
    Infeasible,
    /// An expression along the path has no value.
    #[error(transparent)]
    Evaluation(#[from] EvalError),
    /// An expression along the path has no value.
    #[error(transparent)]
    Expansion(#[from] Failure),
}

impl From<TraceError> for InternalError {
    fn from(error: TraceError) -> Self {
        Self::NoRun(error.to_string())
    }
}

/// The constraints of a zone over the clocks of a state.
pub fn differences(state: &SymbolicState, zone: &Zone) -> Vec<ClockDifference> {
    let mut constraints = Vec::new();
    zone.minimal_form(&mut constraints);
    let clock = |place: u16| ClockId(state.clocks[usize::from(place)]);
    constraints
        .iter()
        .map(|constraint| ClockDifference {
            left: clock(constraint.left),
            right: clock(constraint.right),
            bound: constraint.bound,
        })
        .collect()
}

impl Explorer<'_> {
    /// The transitions from the initial state along the numbers of successors (see [`Store::ordinals`](crate::Store::ordinals)).
    pub fn path(&mut self, ordinals: &[u32]) -> Result<Vec<PathStep>, TraceError> {
        self.retrace(ordinals).map(|(path, _)| path)
    }

    /// The state that the numbers of successors lead to, from the initial state.
    pub fn state_at(&mut self, ordinals: &[u32]) -> Result<SymbolicState, TraceError> {
        self.retrace(ordinals).map(|(_, state)| state)
    }

    fn retrace(&mut self, ordinals: &[u32]) -> Result<(Vec<PathStep>, SymbolicState), TraceError> {
        let now = self.first_ordinal();
        let found = self.walk(ordinals);
        self.recall(now);
        found
    }

    fn walk(&mut self, ordinals: &[u32]) -> Result<(Vec<PathStep>, SymbolicState), TraceError> {
        let (&first, ordinals) = ordinals.split_first().ok_or(TraceError::Lost(0))?;
        let mut current = None;
        let mut seen = 0;
        self.initial(&mut |state| {
            if seen == first {
                current = Some(state.clone());
            }
            seen += 1;
        })?;
        let mut current = self.kept(current.ok_or(TraceError::Lost(0))?);
        let mut path = Vec::with_capacity(ordinals.len());
        for (step, &ordinal) in ordinals.iter().enumerate() {
            let mut seen = 0;
            let mut next = None;
            let ordinal = self.recall(ordinal);
            self.expand(&current, &mut |state, edges| {
                if seen == ordinal {
                    next = Some((state.clone(), edges.to_vec()));
                    return ControlFlow::Break(());
                }
                seen += 1;
                ControlFlow::Continue(())
            })?;
            let (state, edges) = next.ok_or(TraceError::Lost(step + 1))?;
            // Who stays out and what goes first can also follow from the side of a diagonal that the state lies on.
            let whole = self.splits_states().then_some(&current.zone);
            let restriction =
                self.piece().or(whole).map_or_else(Vec::new, |zone| differences(&current, zone));
            path.push(PathStep { edges, restriction, renaming: self.renaming() });
            current = self.kept(state);
        }
        Ok((path, current))
    }

    /// Earliest times for a path, such that `finally` holds at its end (perhaps after a last delay).
    pub fn concretise(
        &mut self,
        path: &[PathStep],
        finally: &[ClockDifference],
    ) -> Result<Vec<ReplayStep>, TraceError> {
        self.concretise_closely(path, finally, 1)
    }

    /// A run along a path, replayed: at the earliest times such that `finally` holds at its end.
    pub fn run_along(
        &mut self,
        path: &[PathStep],
        finally: &[ClockDifference],
        optimal: bool,
        ending: RunEnding,
    ) -> Result<Evidence, InternalError> {
        let steps = self.concretise(path, finally)?;
        debug_assert!(steps.len() >= path.len(), "every transition is in the run, and perhaps a last delay");
        let network = self.network();
        let steps = replay(network, &steps)?;
        Ok(Evidence { initial: Interpreter::new(network).initial(), steps, optimal, ending })
    }

    /// As [`Explorer::concretise`], so many times closer to the bounds that strict ones exclude.
    pub fn concretise_closely(
        &mut self,
        path: &[PathStep],
        finally: &[ClockDifference],
        times_closer: i64,
    ) -> Result<Vec<ReplayStep>, TraceError> {
        let (timing, _) = self.timing(path, finally)?;
        let unit = timing.unit;
        timing.solve().map(|times| steps(path, &times, times_closer, unit)).ok_or(TraceError::Infeasible)
    }

    /// Cheapest times for a path of a priced network, such that `finally` holds at its end (perhaps after a last delay).
    pub fn concretise_cheaply(
        &mut self,
        path: &[PathStep],
        finally: &[ClockDifference],
    ) -> Result<Vec<ReplayStep>, TraceError> {
        let (timing, rates) = self.timing(path, finally)?;
        timing.cheapest(&rates).map(|times| fine_steps(path, &times)).ok_or(TraceError::Infeasible)
    }

    /// What a path and its end demand of the times of its events, and what waiting costs before each transition and at the end.
    fn timing(
        &mut self,
        path: &[PathStep],
        finally: &[ClockDifference],
    ) -> Result<(Timing, Vec<i64>), TraceError> {
        let mut rates = Vec::with_capacity(path.len() + 1);
        let clocks = (0..self.network.clocks.len() as u32).map(ClockId);
        let initial: Vec<Rational> = clocks.map(|clock| self.network.initial_value(clock)).collect();
        let mut timing = Timing::new(&initial, path.len()).ok_or(TraceError::TooFine)?;
        let mut cells = self.packing().initial().to_vec();
        for (step, transition) in path.iter().enumerate() {
            let event = step + 1;
            self.wait(&mut timing, &cells, step)?;
            rates.push(self.moves.cost_rate()?);
            self.moves.guard(&transition.edges, |constraint| {
                timing.require(constraint, event);
                true
            })?;
            for difference in &transition.restriction {
                timing.require(*difference, event);
            }
            if !self.moves.arrive(&transition.edges, |_, _| false)? {
                return Err(TraceError::Infeasible);
            }
            cells.copy_from_slice(self.moves.cells());
            timing.apply(&self.moves, event);
        }
        self.wait(&mut timing, &cells, path.len())?;
        rates.push(self.moves.cost_rate()?);
        let end = path.len() + 1;
        for difference in finally {
            timing.require(*difference, end);
        }
        if finally.is_empty() {
            timing.at_most(end, path.len(), Bound::LE_ZERO);
        }
        Ok((timing, rates))
    }

    /// Time passes between event `from` and the next one, in some cells, which become the source of moves.
    fn wait(&mut self, timing: &mut Timing, cells: &[i32], from: usize) -> Result<(), EvalError> {
        let to = from + 1;
        timing.at_most(from, to, Bound::LE_ZERO);
        self.moves.set_source(cells);
        self.moves.stay()?;
        if !self.moves.may_delay() {
            timing.at_most(to, from, Bound::LE_ZERO);
        }
        for event in [from, to] {
            for &invariant in self.moves.invariants() {
                timing.require(invariant, event);
            }
        }
        Ok(())
    }
}

/// A cheapest run costs at most one part in so many more than the infimum that strict bounds exclude.
const FINENESS: i64 = 10;

/// The most parts of a time unit that times are counted in.
const FINEST: i64 = 1 << 24;

fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// A time n + kε.
type Time = (i64, i64);

/// `times[to] >= times[from] + least`.
#[derive(Clone, Copy, Debug)]
struct Distance {
    from: u32,
    to: u32,
    least: Time,
}

/// What is known about the times of events: the start, the transitions, and the end.
struct Timing {
    events: usize,
    /// So many parts, in which times are counted, are a time unit.
    unit: i64,
    /// By clock: the event that set it last, and the value it got.
    set: Vec<(usize, i64)>,
    distances: Vec<Distance>,
}

impl Timing {
    /// `None`: the initial values have no common denominator that leaves room for calculations.
    fn new(initial: &[Rational], transitions: usize) -> Option<Self> {
        let mut unit = 1_i64;
        for value in initial {
            let step = value.denominator() / gcd(unit, value.denominator());
            unit = unit.checked_mul(step).filter(|&unit| unit <= FINEST)?;
        }
        let parts = |value: &Rational| value.numerator().checked_mul(unit / value.denominator());
        let set: Option<Vec<_>> = initial.iter().map(|value| Some((0, parts(value)?))).collect();
        Some(Self { events: transitions + 2, unit, set: set?, distances: Vec::new() })
    }

    /// `times[a] - times[b]` is within the bound.
    fn at_most(&mut self, a: usize, b: usize, bound: Bound) {
        let least = (-i64::from(bound.constant()) * self.unit, i64::from(bound.is_strict()));
        self.add(a, b, least);
    }

    fn add(&mut self, from: usize, to: usize, least: Time) {
        self.distances.push(Distance { from: from as u32, to: to as u32, least });
    }

    /// A bound on clocks at the time of an event.
    fn require(&mut self, difference: ClockDifference, event: usize) {
        let at = |clock: ClockId| if clock == ClockId::ZERO { (event, 0) } else { self.set[clock.index()] };
        let ((left, left_value), (right, right_value)) = (at(difference.left), at(difference.right));
        // (t - t_left + v_left) - (t - t_right + v_right) within c:  t_right - t_left within c - v_left + v_right.
        let limit = i64::from(difference.bound.constant()) * self.unit - left_value + right_value;
        self.add(right, left, (-limit, i64::from(difference.bound.is_strict())));
    }

    /// Clocks get the values that an event gives them.
    fn apply(&mut self, moves: &Moves<'_>, event: usize) {
        let set = |clock| {
            let origin = moves.origin(clock);
            let (since, value) =
                if origin.clock == ClockId::ZERO { (event, 0) } else { self.set[origin.clock.index()] };
            (since, value + i64::from(origin.offset) * self.unit)
        };
        let clocks = (1..self.set.len() as u32).map(ClockId);
        self.set = std::iter::once(self.set[0]).chain(clocks.map(set)).collect();
    }

    /// The cheapest times, the start being 0, when waiting after each event costs so much per time unit; in parts of a time unit, see [`Timing::parts`].
    fn cheapest(&self, rates: &[i64]) -> Option<(Vec<i64>, i64)> {
        let largest = rates.iter().copied().max().unwrap_or(0).max(1);
        let (events, parts) = (self.events, self.parts(largest));
        let mut bounds = vec![UNBOUNDED; events * events];
        for distance in &self.distances {
            let (from, to) = (distance.from as usize, distance.to as usize);
            let (whole, little) = distance.least;
            let bound = &mut bounds[from * events + to];
            *bound = (-(whole * parts + little)).min(*bound);
        }
        let mut weights = vec![0; events];
        for (event, &rate) in rates.iter().enumerate() {
            weights[event] -= rate;
            weights[event + 1] += rate;
        }
        minimise(events, &bounds, &weights).map(|minimum| (minimum.point, parts * self.unit))
    }

    /// So many parts of a time unit tell times apart well enough: one for each strict bound that a chain of events may have to keep, and so fine that waiting for all of
    /// them together costs next to nothing.
    fn parts(&self, largest_rate: i64) -> i64 {
        let is_strict = self.distances.iter().any(|distance| distance.least.1 > 0);
        if is_strict { self.events as i64 * FINENESS * largest_rate } else { 1 }
    }

    /// The earliest times, the start being 0; `None` when the bounds contradict each other.
    fn solve(mut self) -> Option<Vec<Time>> {
        self.distances.sort_by_key(|distance| distance.from);
        let mut first = vec![0u32; self.events + 1];
        for distance in &self.distances {
            first[distance.from as usize + 1] += 1;
        }
        for event in 0..self.events {
            first[event + 1] += first[event];
        }
        let mut times: Vec<Time> = vec![(0, 0); self.events];
        let mut visits = vec![0u32; self.events];
        let mut queued = vec![true; self.events];
        let mut queue: VecDeque<u32> = (0..self.events as u32).collect();
        while let Some(event) = queue.pop_front() {
            queued[event as usize] = false;
            let time = times[event as usize];
            for distance in
                &self.distances[first[event as usize] as usize..first[event as usize + 1] as usize]
            {
                let to = distance.to as usize;
                let earliest = (time.0 + distance.least.0, time.1 + distance.least.1);
                if earliest <= times[to] {
                    continue;
                }
                // Event 0 is the start and does not move.
                if to == 0 {
                    return None;
                }
                times[to] = earliest;
                if !queued[to] {
                    // An event that has to wait in the queue more often than there are events is on a cycle that only grows.
                    visits[to] += 1;
                    if visits[to] > self.events as u32 {
                        return None;
                    }
                    queued[to] = true;
                    queue.push_back(to as u32);
                }
            }
        }
        let holds = |distance: &Distance| {
            let (from, to) = (times[distance.from as usize], times[distance.to as usize]);
            to >= (from.0 + distance.least.0, from.1 + distance.least.1)
        };
        debug_assert!(self.distances.iter().all(holds), "all bounds are kept");
        Some(times)
    }
}

/// Delays from times in parts of a time unit.
fn fine_steps(path: &[PathStep], (times, parts): &(Vec<i64>, i64)) -> Vec<ReplayStep> {
    let delay = |event: usize| {
        Rational::new(times[event] - times[event - 1], *parts).expect("a time unit has at least one part")
    };
    let edges = path.iter().map(|step| step.edges.clone());
    let mut steps: Vec<ReplayStep> =
        edges.enumerate().map(|(index, edges)| ReplayStep { delay: delay(index + 1), edges }).collect();
    if times[path.len() + 1] > times[path.len()] {
        steps.push(ReplayStep { delay: delay(path.len() + 1), edges: Vec::new() });
    }
    steps
}

/// The least denominator from this one on whose parts are short decimals. Sevenths are as right as tenths, but nobody can read them.
fn readable(least: i64) -> i64 {
    const SHORT: [i64; 15] = [1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100, 125, 200, 500, 1000];
    SHORT.into_iter().find(|&denominator| denominator >= least).unwrap_or(least)
}

/// Delays from times. Integer parts that differ do so by at least 1, so any ε that keeps all multiples below 1 will do.
fn steps(path: &[PathStep], times: &[Time], times_closer: i64, unit: i64) -> Vec<ReplayStep> {
    let most = times.iter().map(|time| time.1).max().unwrap_or(0);
    let denominator = if most == 0 { 1 } else { readable((most + 1) * times_closer) };
    let delay = |event: usize| {
        let (from, to) = (times[event - 1], times[event]);
        let numerator = (to.0 - from.0) * denominator + (to.1 - from.1);
        Rational::new(numerator, denominator * unit).expect("denominators are positive")
    };
    let mut steps: Vec<ReplayStep> = path
        .iter()
        .enumerate()
        .map(|(index, step)| ReplayStep { delay: delay(index + 1), edges: step.edges.clone() })
        .collect();
    if times[path.len() + 1] > times[path.len()] {
        steps.push(ReplayStep { delay: delay(path.len() + 1), edges: Vec::new() });
    }
    steps
}
