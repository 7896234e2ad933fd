//! Best-first search: greedy, A*, weighted A*, useless transitions, several queues in turns, and ways out of plateaus: novelty, types, chance, hill climbing.
//!
//! One loop for all: take the most promising state, expand it, estimate what is new and put it into the queue. What differs is how an estimate becomes a
//! priority, and when a state is tested for the goal: where the first goal must be a nearest one, a state is tested when its turn comes,
//! otherwise as soon as it is found.
//!
//! **Why `optimal` is a theorem.** A state is dropped only if a stored one simulates it *and was reached with no more steps* ([`Replace::Deeper`]), so that
//! whatever the dropped one could have led to can be reached as early. A state that is found again on a shorter way replaces the stored one and is expanded
//! again. With an admissible heuristic, the first goal whose turn comes has the smallest c + h, and no other way is shorter. States that the heuristic
//! calls dead ends are forgotten; all heuristics are right about that.

mod chance;
mod guide;
mod guided;
mod guideposts;
mod novelty;

use crate::effort;
use crate::examination::Examination;
use crate::expansion::{Expansion, Storing};
use crate::open::{Open, Priority, UNITS};
use crate::prepared_heuristics::PreparedHeuristics;
use crate::reach::{End, Watcher};
use crate::strategy::{Algorithm, Directed};
use chance::Chance;
use guide::Guide;
use guided::{Estimation, Guided};
use guidepost_answer::{Estimate, Progress, Remarks, Statistics, Watch};
use guidepost_explore::{Explorer, Inserted, Replace, StateId, Store, SymbolicState};
use guidepost_heuristics::{EdgeMask, Heuristic, Interference};
use guidepost_network::{EdgeId, Guidepost};
use guideposts::Guideposts;
use novelty::Novelty;

/// So many more turns for a queue that led to a better estimate than ever.
const BOOST: i64 = 1000;

/// A directed search that can be continued.
pub(crate) struct BestFirst<'n> {
    pub(crate) explorer: Explorer<'n>,
    pub(crate) store: Store,
    pub(crate) statistics: Statistics,
    /// What the heuristics have to say.
    pub(crate) remarks: Remarks,
    directed: Directed,
    guides: Vec<Guide<'n>>,
    /// By state: the number of steps to it.
    depths: Vec<u32>,
    /// By state: whether it has been expanded.
    expanded: Vec<bool>,
    watch: Watch,
    started: bool,
    depth: u32,
    fresh: Vec<Fresh>,
    examination: Examination,
    useless: Option<Useless>,
    guideposts: Guideposts<'n>,
    novelty: Option<Novelty>,
    /// States that may be taken out of turn.
    chance: Option<Chance>,
    /// How often hill climbing has found a better state than all before.
    summit: u32,
    /// Edges that the heuristics would begin with in the state under expansion.
    preferred: EdgeMask,
    /// The guide from whose queues the state under expansion came.
    turn: usize,
    allowance: Allowance,
    /// Estimates that were abandoned because they took too long.
    pub(crate) abandoned: u64,
}

/// How far a search may go on before others have their turn.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Effort in all.
    pub effort: u64,
    /// Effort of a single estimate: one that takes more is abandoned, and the state has that of its parent.
    pub estimate: u64,
}

impl Allowance {
    const ENDLESS: Self = Self { effort: u64::MAX, estimate: u64::MAX };
}

/// What search for useless transitions needs.
struct Useless {
    interference: Interference,
    mask: EdgeMask,
    source: SymbolicState,
}

/// A state that was just stored.
struct Fresh {
    id: StateId,
    is_useless: bool,
    is_preferred: bool,
    /// How new it is; see [`Novelty`].
    novelty: u64,
}

impl<'n> BestFirst<'n> {
    pub(crate) fn new(
        explorer: Explorer<'n>,
        prepared: PreparedHeuristics<'n>,
        directed: &Directed,
        guideposts: &[Guidepost],
    ) -> Self {
        let network = explorer.network();
        let guides = prepared.heuristics.into_iter().map(|heuristic| Guide::new(heuristic, directed));
        let useless = (directed.algorithm == Algorithm::UselessTransitions).then(|| Useless {
            interference: Interference::new(network),
            mask: EdgeMask::new(network.edges.len()),
            source: explorer.source().clone(),
        });
        let mut search = Self {
            store: Store::new(&explorer),
            explorer,
            statistics: Statistics::default(),
            directed: directed.clone(),
            guides: guides.collect(),
            depths: Vec::new(),
            expanded: Vec::new(),
            watch: prepared.watch,
            remarks: prepared.remarks,
            started: false,
            depth: 0,
            fresh: Vec::new(),
            examination: Examination::default(),
            useless,
            guideposts: Guideposts::new(network, guideposts),
            novelty: (directed.algorithm == Algorithm::Novelty).then(Novelty::default),
            chance: Chance::new(directed),
            summit: 0,
            preferred: EdgeMask::new(network.edges.len()),
            turn: 0,
            allowance: Allowance::ENDLESS,
            abandoned: 0,
        };
        search.statistics.preprocessing_seconds = prepared.seconds;
        search
    }

    /// Runs to the end.
    pub(crate) fn run(&mut self, watcher: &mut dyn Watcher) -> End {
        self.advance(watcher, Allowance::ENDLESS).unwrap_or(End::Exhausted)
    }

    /// Continues until it is over or has used up what it is allowed; `None` when it is not over.
    pub(crate) fn advance(&mut self, watcher: &mut dyn Watcher, allowance: Allowance) -> Option<End> {
        self.allowance = allowance;
        let end = self.go_on(watcher).unwrap_or_else(Some);
        self.count();
        end
    }

    /// Work so far; see [`effort`].
    pub(crate) fn effort(&self) -> u64 {
        effort::of_exploration(&self.explorer, &self.store, &self.statistics)
            + estimation_effort(&self.guides)
    }

    /// The smallest estimate so far, of the first heuristic.
    pub(crate) fn best_estimate(&self) -> Estimate {
        self.guides[0].best
    }

    /// From now on, so many states of others, and their bytes, count against the limits as well.
    pub(crate) fn count_beside(&mut self, states: u64, bytes: usize) {
        self.watch.count_beside(states, bytes);
    }

    /// States that were ever stored, and the memory in use.
    pub(crate) fn usage(&self) -> (u64, usize) {
        (self.store.len() as u64, self.bytes())
    }

    fn go_on(&mut self, watcher: &mut dyn Watcher) -> Result<Option<End>, End> {
        if !std::mem::replace(&mut self.started, true) {
            self.start(watcher)?;
        }
        while let Some(id) = self.pop() {
            if !self.store.is_alive(id) || std::mem::replace(&mut self.expanded[id.index()], true) {
                continue;
            }
            let (store, guides, beside) = (&self.store, &self.guides, self.bytes_beside());
            if let Some(reason) = self.watch.check(store.len() as u64, || demand(store, guides) + beside) {
                return Ok(Some(End::Stopped(reason)));
            }
            if self.watch.is_report_due() {
                watcher.progress(&self.progress());
            }
            self.expand(id, watcher)?;
            if self.effort() >= self.allowance.effort {
                return Ok(None);
            }
        }
        Ok(Some(End::Exhausted))
    }

    fn start(&mut self, watcher: &mut dyn Watcher) -> Result<(), End> {
        let packing = self.explorer.packing_handle();
        let initial = self.explorer.initial_states().map_err(|failure| End::Failed(None, failure))?;
        watcher.begins();
        let mut best = None;
        for (ordinal, state) in (0..).zip(&initial) {
            let inserted = self.store.insert(&packing, state, None, ordinal, Replace::Covered);
            if let Inserted::New(id) = inserted {
                self.depths.push(0);
                self.expanded.push(false);
                if !self.directed.is_optimal() {
                    self.examination.consider(watcher, id, state, &self.store);
                }
                self.guideposts.arrive(state, None);
                let patience = self.allowance.estimate.min(self.allowance.effort);
                for guide in 0..self.guides.len() {
                    let guide_of = &mut self.guides[guide];
                    let estimate = guide_of.estimate(&self.store, id, state, &mut self.statistics, patience);
                    self.statistics.dead_ends += u64::from(estimate.is_some_and(Estimate::is_dead_end));
                    if guide == 0 {
                        best = [best, estimate].into_iter().flatten().min();
                    }
                }
                let novelty = self.novelty.as_mut().map_or(0, |novelty| novelty.of(&state.cells, best));
                self.fresh.push(Fresh { id, is_useless: false, is_preferred: false, novelty });
            }
        }
        self.statistics.initial_estimate = best;
        self.examination.run(None, &self.store, &mut self.explorer, watcher)?;
        self.enqueue(0, None);
        Ok(())
    }

    /// The next state, from the queue whose turn it is.
    fn pop(&mut self) -> Option<StateId> {
        if let Some(id) = self.chance.as_mut().and_then(Chance::draw) {
            return Some(id);
        }
        let mut choice: Option<(i64, usize, bool)> = None;
        for (index, guide) in self.guides.iter().enumerate() {
            if guide.open.len() > 0 && choice.is_none_or(|(turns, ..)| guide.turns < turns) {
                choice = Some((guide.turns, index, false));
            }
            let preferred = guide.preferred.as_ref().is_some_and(|open| open.len() > 0);
            if preferred && choice.is_none_or(|(turns, ..)| guide.preferred_turns < turns) {
                choice = Some((guide.preferred_turns, index, true));
            }
        }
        let (_, index, is_preferred) = choice?;
        self.turn = index;
        let guide = &mut self.guides[index];
        let popped = if is_preferred {
            guide.preferred_turns += 1;
            guide.preferred.as_mut().and_then(Open::pop)
        } else {
            guide.turns += 1;
            guide.open.pop()
        };
        popped.map(|(id, _)| id)
    }

    fn expand(&mut self, id: StateId, watcher: &mut dyn Watcher) -> Result<(), End> {
        self.store.load(id, &mut self.explorer);
        self.depth = self.depths[id.index()];
        debug_assert_eq!(self.depths.len(), self.store.len(), "every stored state has a depth");
        debug_assert_eq!(self.expanded.len(), self.store.len());
        debug_assert!(self.fresh.is_empty(), "all new states are in the queues");
        self.statistics.explored += 1;
        if self.directed.is_optimal() {
            self.test(id, watcher)?;
        }
        if let Some(useless) = &mut self.useless {
            useless.source.assign(self.explorer.source());
        }
        if self.estimate_source(id).is_dead_end() {
            return Ok(());
        }
        self.generate(id, watcher)?;
        self.enqueue(self.depth + 1, Some(id));
        Ok(())
    }

    /// Estimates the state under expansion where that was put off until now or its preferred transitions are wanted.
    fn estimate_source(&mut self, id: StateId) -> Estimate {
        let mut worst = Estimate::ZERO;
        if !self.directed.deferred && !self.directed.preferred {
            return worst;
        }
        self.preferred.clear();
        let mut progress = false;
        for guide in &mut self.guides {
            let estimate = guide.heuristic.estimate(self.explorer.source());
            self.statistics.evaluations += 1;
            guide.remember(guide.key(&self.store, id), estimate);
            guide.heuristic.preferred(&mut self.preferred);
            progress |= guide.comes_nearer(estimate);
            worst = worst.max(estimate);
        }
        self.statistics.dead_ends += u64::from(worst.is_dead_end());
        if progress {
            self.reward();
        }
        worst
    }

    /// Stores the successors of the explorer's source that are new.
    fn generate(&mut self, id: StateId, watcher: &mut dyn Watcher) -> Result<(), End> {
        // States without an estimate of their own lead a search astray, so an expansion that has begun may go on until twice as much is used up.
        let left = self.allowance.effort.saturating_sub(self.effort());
        let guides = &mut self.guides;
        let estimation = Estimation {
            patience: self.allowance.estimate,
            end: estimation_effort(guides).saturating_add(left).saturating_add(self.allowance.effort),
            abandoned: &mut self.abandoned,
        };
        let newcomers = Guided {
            directed: &self.directed,
            source_estimate: guides[0].known(guides[0].key(&self.store, id)),
            guides,
            depths: &mut self.depths,
            expanded: &mut self.expanded,
            useless: self.useless.as_mut(),
            guideposts: &mut self.guideposts,
            novelty: self.novelty.as_mut(),
            source: id,
            fresh: &mut self.fresh,
            depth: self.depth + 1,
            preferred: &self.preferred,
            estimation,
        };
        let mut storing = Storing {
            store: &mut self.store,
            packing: self.explorer.packing_handle(),
            parent: Some(id),
            examination: &mut self.examination,
            reports_expansions: false,
            newcomers,
        };
        let (explorer, watch, statistics) = (&mut self.explorer, &mut self.watch, &mut self.statistics);
        Expansion { explorer, watch, statistics, watcher }.run(id, &mut storing)
    }

    /// Puts the new states into the queues. Those not estimated yet have their parent's estimate; where estimates must not be too large, one less.
    fn enqueue(&mut self, depth: u32, parent: Option<StateId>) {
        for guide in &mut self.guides {
            guide.open.next_age();
        }
        let mut progress = false;
        for fresh in self.fresh.drain(..) {
            debug_assert_eq!(self.depths[fresh.id.index()], depth, "these states were just found");
            for guide in &mut self.guides {
                let own = guide.known(guide.key(&self.store, fresh.id));
                let less = u32::from(self.directed.is_optimal());
                let inherited = || {
                    let known = parent.and_then(|id| guide.known(guide.key(&self.store, id)))?;
                    Some(known.as_steps().map_or(known, |steps| Estimate::steps(steps.saturating_sub(less))))
                };
                let estimate = own.or_else(inherited).unwrap_or(Estimate::ZERO);
                let Some(steps) = estimate.as_steps() else { continue };
                let value = match self.directed.algorithm {
                    Algorithm::AStar => UNITS * u64::from(depth) + UNITS * u64::from(steps),
                    Algorithm::WeightedAStar(weight) => {
                        UNITS * u64::from(depth) + (weight * UNITS as f64 * f64::from(steps)) as u64
                    }
                    Algorithm::UselessTransitions if fresh.is_useless => {
                        UNITS * u64::from(depth) + UNITS * u64::from(steps)
                    }
                    Algorithm::Novelty => fresh.novelty + UNITS * u64::from(steps),
                    Algorithm::HillClimbing => {
                        self.summit += u32::from(own.is_some() && estimate < guide.best);
                        u64::from(u32::MAX - self.summit) << 32 | u64::from(depth)
                    }
                    _ => UNITS * u64::from(steps),
                };
                let missing = self.guideposts.missing(fresh.id);
                let (ahead, behind) = if self.directed.is_optimal() { (0, missing) } else { (missing, 0) };
                let is_useless = fresh.is_useless;
                let priority = Priority { ahead, value, is_useless, behind, estimate: steps };
                progress |= own.is_some() && guide.comes_nearer(estimate);
                guide.open.push(fresh.id, priority);
                if let Some(chance) = &mut self.chance {
                    chance.push(fresh.id, depth, steps);
                }
                if let (Some(preferred), true) = (&mut guide.preferred, fresh.is_preferred) {
                    preferred.push(fresh.id, priority);
                }
            }
        }
        if progress {
            self.reward();
        }
    }

    /// More turns for the queues of the heuristic whose state led nearer to the goal than ever.
    fn reward(&mut self) {
        let guide = &mut self.guides[self.turn];
        guide.turns -= BOOST;
        guide.preferred_turns -= BOOST;
    }

    /// Tests the state whose turn it is for the goal.
    fn test(&mut self, id: StateId, watcher: &mut dyn Watcher) -> Result<(), End> {
        self.examination.consider(watcher, id, self.explorer.source(), &self.store);
        if !self.examination.is_idle() {
            self.examination.run(Some(id), &self.store, &mut self.explorer, watcher)?;
            self.store.load(id, &mut self.explorer);
        }
        Ok(())
    }

    fn count(&mut self) {
        let covered = self.statistics.generated.saturating_sub(self.store.len() as u64);
        self.statistics.stored = self.store.len() as u64 - self.store.covered();
        self.statistics.covered = covered + self.store.covered();
        self.statistics.discrete = self.store.discrete_states() as u64;
        self.statistics.bytes = self.bytes() as u64;
        self.statistics.effort = self.effort();
        self.statistics.seconds = self.watch.elapsed().as_secs_f64();
    }

    /// Memory in use.
    fn bytes(&self) -> usize {
        bytes(&self.store, &self.guides) + self.bytes_beside()
    }

    /// Memory of what only some searches have.
    fn bytes_beside(&self) -> usize {
        let chance = self.chance.as_ref().map_or(0, Chance::bytes);
        self.guideposts.bytes() + chance + self.novelty.as_ref().map_or(0, Novelty::bytes)
    }

    fn progress(&mut self) -> Progress {
        self.count();
        Progress {
            statistics: self.statistics,
            waiting: self.guides[0].open.len() as u64,
            depth: self.depth.into(),
            best_estimate: self.guides[0].best.as_steps(),
            stage: None,
        }
    }
}

impl Useless {
    /// Whether the goal seems as near from the source without the transition as it is from the target; `None` when that takes too long to find out.
    fn is_useless(
        &mut self,
        edges: &[EdgeId],
        estimate: Estimate,
        heuristic: &mut dyn Heuristic,
        statistics: &mut Statistics,
        patience: u64,
    ) -> Option<bool> {
        self.interference.mask(edges, &mut self.mask);
        statistics.evaluations += 1;
        let without = heuristic.estimate_without(&self.source, &self.mask, estimate, patience)?;
        Some(without <= estimate)
    }
}

/// What the estimates have taken so far.
fn estimation_effort(guides: &[Guide<'_>]) -> u64 {
    guides.iter().map(|guide| guide.heuristic.effort()).sum()
}

/// [`bytes`] as limits see them, see [`Store::demand`].
fn demand(store: &Store, guides: &[Guide<'_>]) -> usize {
    bytes(store, guides).max(store.demand())
}

/// Memory in use: the states, and per state its depth, its estimates and its places in the queues.
fn bytes(store: &Store, guides: &[Guide<'_>]) -> usize {
    store.bytes() + 5 * store.len() + guides.iter().map(Guide::bytes).sum::<usize>()
}
