//! Iterative-deepening A*: depth-first within a bound on c + h that grows from round to round (Korf 1985).
//!
//! Only the current path is stored, so memory is never a problem; but states are visited again in every round and on every path that leads to them, which takes
//! time. A state that an earlier one on the path covers is not followed: whatever it leads to can be reached from there with fewer steps. That also makes
//! every round end. With an admissible heuristic the first goal found is a nearest one: all shorter paths were tried in the rounds before.

use crate::expansion::{Expansion, Fate, Successors};
use crate::reach::{End, Part, Watcher};
use guidepost_answer::{Estimate, Progress, Statistics, Watch};
use guidepost_explore::{DiagonalRange, Explorer, Failure, StateId, Subsumption, SymbolicState};
use guidepost_heuristics::Heuristic;
use guidepost_network::EdgeId;
use std::sync::Arc;

/// An iterative-deepening search.
pub(crate) struct Deepening<'n> {
    pub(crate) explorer: Explorer<'n>,
    pub(crate) statistics: Statistics,
    heuristic: Box<dyn Heuristic + 'n>,
    watch: Watch,
    /// c + h may not exceed this.
    bound: u64,
    /// The smallest c + h above the bound.
    next_bound: Option<u64>,
    path: Vec<Level>,
    best: Estimate,
}

/// A state on the path, with the ways that lead on from it.
struct Level {
    state: SymbolicState,
    /// Its number among the successors of the state before.
    ordinal: u32,
    /// Successors within the bound, the best last.
    open: Vec<Successor>,
}

/// A successor with its estimate and its number among all of them.
type Successor = (Estimate, u32, SymbolicState);

impl<'n> Deepening<'n> {
    pub(crate) fn new(explorer: Explorer<'n>, heuristic: Box<dyn Heuristic + 'n>, watch: Watch) -> Self {
        Self {
            explorer,
            statistics: Statistics::default(),
            heuristic,
            watch,
            bound: 0,
            next_bound: None,
            path: Vec::new(),
            best: Estimate::DEAD_END,
        }
    }

    /// The way to the state where the search ended: numbers of successors.
    pub(crate) fn ordinals(&self) -> Vec<u32> {
        self.path.iter().map(|level| level.ordinal).collect()
    }

    pub(crate) fn run(&mut self, watcher: &mut dyn Watcher) -> End {
        let end = self.rounds(watcher).unwrap_or_else(|end| end);
        self.statistics.seconds = self.watch.elapsed().as_secs_f64();
        end
    }

    fn rounds(&mut self, watcher: &mut dyn Watcher) -> Result<End, End> {
        let pieces = self.explorer.initial_states().map_err(|failure| End::Failed(None, failure))?;
        let estimates: Vec<Estimate> = pieces.iter().map(|state| self.heuristic.estimate(state)).collect();
        let best = estimates.iter().copied().min().unwrap_or(Estimate::DEAD_END);
        self.statistics.initial_estimate = Some(best);
        let mut bound = best.as_steps().map(u64::from);
        while let Some(limit) = bound {
            debug_assert!(self.next_bound.is_none() || limit > self.bound, "bounds grow from round to round");
            self.bound = limit;
            self.next_bound = None;
            for (ordinal, (state, estimate)) in (0..).zip(pieces.iter().zip(&estimates)) {
                if self.is_within(0, *estimate) {
                    self.descend(state.clone(), ordinal, watcher)?;
                }
            }
            bound = self.next_bound;
        }
        Ok(End::Exhausted)
    }

    /// Whether a state may be visited in this round.
    fn is_within(&mut self, steps: u64, estimate: Estimate) -> bool {
        let Some(estimate) = estimate.as_steps() else { return false };
        let total = steps + u64::from(estimate);
        if total > self.bound {
            self.next_bound = Some(self.next_bound.map_or(total, |known| known.min(total)));
        }
        total <= self.bound
    }

    /// Visits everything within the bound from a state.
    fn descend(&mut self, state: SymbolicState, ordinal: u32, watcher: &mut dyn Watcher) -> Result<(), End> {
        self.path.clear();
        self.enter(state, ordinal, watcher)?;
        while let Some(level) = self.path.last_mut() {
            match level.open.pop() {
                Some((_, ordinal, state)) => self.enter(state, ordinal, watcher)?,
                None => {
                    self.path.pop();
                }
            }
        }
        Ok(())
    }

    /// Puts a state on the path: tests it for the goal and computes its successors.
    fn enter(&mut self, state: SymbolicState, ordinal: u32, watcher: &mut dyn Watcher) -> Result<(), End> {
        self.path.push(Level { state, ordinal, open: Vec::new() });
        self.statistics.explored += 1;
        let path = &self.path;
        if let Some(reason) = self.watch.check(self.statistics.explored, || bytes(path)) {
            return Err(End::Stopped(reason));
        }
        if self.watch.is_report_due() {
            self.statistics.seconds = self.watch.elapsed().as_secs_f64();
            let (depth, best_estimate) = (self.path.len() as u64 - 1, self.best.as_steps());
            watcher.progress(&Progress {
                statistics: self.statistics,
                waiting: 0,
                depth,
                best_estimate,
                stage: None,
            });
        }
        let here = StateId(self.path.len() as u32 - 1);
        let fail = |failure| End::Failed(Some(here), failure);
        let level = self.path.last().expect("just pushed");
        let is_interesting =
            watcher.stored(&level.state, Part::default()).map_err(|error| fail(Failure::outside(error)))?;
        if is_interesting
            && watcher
                .examine(here, &level.state, Part::default(), &mut self.explorer)
                .map_err(fail)?
                .is_break()
        {
            return Err(End::Satisfied);
        }
        let mut successors = self.successors(here, watcher)?;
        let steps = self.path.len() as u64;
        successors.retain(|(estimate, ..)| self.is_within(steps, *estimate));
        successors.sort_by_key(|(estimate, ordinal, _)| std::cmp::Reverse((*estimate, *ordinal)));
        debug_assert!(successors.is_sorted_by(|a, b| (a.0, a.1) >= (b.0, b.1)), "the best is last");
        self.path.last_mut().expect("just pushed").open = successors;
        Ok(())
    }

    /// The successors of the last state on the path, with estimates; without those that a state on the path covers.
    fn successors(&mut self, here: StateId, watcher: &mut dyn Watcher) -> Result<Vec<Successor>, End> {
        let Self { explorer, statistics, heuristic, watch, path, best, .. } = self;
        let level = path.last().expect("a state was just entered");
        let (subsumption, diagonals) = (explorer.abstraction().subsumption, explorer.compared_diagonals());
        explorer.set_source(&level.state);
        let mut beside = BesidePath {
            path,
            subsumption,
            diagonals,
            heuristic: &mut **heuristic,
            best,
            successors: Vec::new(),
        };
        Expansion { explorer, watch, statistics, watcher }.run(here, &mut beside)?;
        Ok(beside.successors)
    }
}

/// Successors that no state on the path covers, with estimates.
struct BesidePath<'s, 'n> {
    path: &'s [Level],
    subsumption: Subsumption,
    diagonals: Arc<[DiagonalRange]>,
    heuristic: &'s mut (dyn Heuristic + 'n),
    best: &'s mut Estimate,
    successors: Vec<Successor>,
}

impl Successors<dyn Watcher + '_> for BesidePath<'_, '_> {
    fn demand(&self) -> usize {
        bytes(self.path)
    }

    fn take(
        &mut self,
        state: &mut SymbolicState,
        _edges: &[EdgeId],
        ordinal: u32,
        _watcher: &mut (dyn Watcher + '_),
        statistics: &mut Statistics,
    ) -> Fate {
        if self.path.iter().any(|level| covers(&level.state, state, self.subsumption, &self.diagonals)) {
            return Fate::Covered;
        }
        let estimate = self.heuristic.estimate(state);
        statistics.evaluations += 1;
        statistics.dead_ends += u64::from(estimate.is_dead_end());
        *self.best = (*self.best).min(estimate);
        self.successors.push((estimate, ordinal, state.clone()));
        Fate::Kept
    }
}

/// Memory in use: states on the path, and those that wait beside it.
fn bytes(path: &[Level]) -> usize {
    let Some(state) = path.first().map(|level| &level.state) else { return 0 };
    let states: usize = path.iter().map(|level| 1 + level.open.len()).sum();
    states * (size_of::<Successor>() + size_of_val(&state.cells[..]) + size_of_val(state.zone.entries()))
}

/// Whether whatever the second state leads to can be reached from the first.
fn covers(
    first: &SymbolicState,
    second: &SymbolicState,
    subsumption: Subsumption,
    diagonals: &[DiagonalRange],
) -> bool {
    first.cells == second.cells
        && match subsumption {
            Subsumption::Inclusion => second.zone.is_subset(&first.zone),
            Subsumption::Alu => second.zone.is_subset_alu(&first.zone, second.bounds()),
            Subsumption::AluWithDiagonals => {
                DiagonalRange::is_simulated(diagonals, &second.zone, &first.zone, second)
            }
        }
}
