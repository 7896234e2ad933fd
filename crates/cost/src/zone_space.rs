//! States whose cost is one number, or one more clock.
//!
//! Where no location has a rate, the cost of a path is the sum of its prices: a state carries a number, and covers another one if its zone does and its number is not larger.
//!
//! Where all locations have one rate, cost is time and prices. A clock of its own counts it, which nothing resets and nothing tests (Behrmann et al. 2001, *Efficient Guiding Towards
//! Cost-Optimality in UPPAAL*): paying moves it forward. What matters is the least value that this clock has for each valuation of the others, so the zones are made upward closed
//! in it from the start; then the usual subsumption compares costs. It is aLU with exact bounds for the cost clock, so a state is also covered by one that is
//! as cheap and whose clocks are further, wherever only lower bounds can be tested of them: the dominance of schedules that finish earlier.

use crate::exchange::Exchange;
use crate::free_moves::FreeMoves;
use crate::remaining::Remaining;
use crate::space::{Found, NEVER, Space, Successors, demands};
use guidepost_answer::InternalError;
use guidepost_explore::{
    ClockDifference, Covering, Explorer, Failure, GoalTest, Inserted, NewState, Packing, PathStep, Replace,
    StateId, Store, StoredState, Subsumption, SymbolicState, TraceError, ZoneAbstraction, differences,
};
use guidepost_network::interpreter::ReplayStep;
use guidepost_network::{Clock, ClockId, EdgeId, Goal, Machine, Network};
use guidepost_zones::{Bound, Zone};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The network with a clock for the cost, and its number.
pub(crate) fn with_cost_clock(network: &Network) -> (Network, ClockId) {
    let mut network = network.clone();
    network.clocks.push(Clock { name: "cost".to_owned(), initial: 0 });
    let clock = ClockId(network.clocks.len() as u32 - 1);
    (network, clock)
}

/// Zones decide, and what was paid.
struct CheaperZones(Subsumption);

impl Covering<i64> for CheaperZones {
    const IS_REFINED: bool = true;

    fn zones(&self) -> Subsumption {
        self.0
    }

    fn covers(&self, stored: StoredState<'_, i64>, new: NewState<'_, i64>) -> bool {
        stored.payload <= new.payload
    }

    fn is_covered(&self, stored: StoredState<'_, i64>, new: NewState<'_, i64>) -> bool {
        new.payload <= stored.payload
    }
}

/// The best way to a goal so far.
struct Best {
    cost: i64,
    trail: Trail,
    finally: Vec<ClockDifference>,
}

/// How to get somewhere: numbers of successors.
#[derive(Clone)]
enum Trail {
    /// From a stored state, or among the initial ones.
    Stored(Option<StateId>, u32),
    /// From the beginning.
    Whole(Vec<u32>),
}

/// The space of a network without rates, or with a cost clock.
pub(crate) struct ZoneSpace<'n> {
    explorer: Explorer<'n>,
    packing: Arc<Packing>,
    store: Store<i64, CheaperZones>,
    judge: Judge<'n>,
    free_moves: FreeMoves,
    closeness: i64,
    exchange: Option<Exchange>,
    /// The cost of the run that exchanges have begun with.
    exchanged: i64,
}

/// A successor of a state.
struct Successor {
    state: SymbolicState,
    edges: Vec<EdgeId>,
    ordinal: u32,
}

/// Whoever decides what a new state is worth.
struct Judge<'n> {
    /// The clock that counts the cost, if it is one.
    clock: Option<ClockId>,
    /// Whether prices count.
    pays: bool,
    goals: &'n [Goal],
    test: GoalTest<'n>,
    machine: Machine<'n>,
    remaining: Remaining,
    best: Option<Best>,
}

impl<'n> ZoneSpace<'n> {
    pub(crate) fn new(
        network: &'n Network,
        goals: &'n [Goal],
        clock: Option<ClockId>,
        (pays, factor): (bool, i64),
        remaining: Remaining,
        reduces: bool,
    ) -> Result<Self, guidepost_answer::Unsupported> {
        let all: Vec<&Goal> = goals.iter().collect();
        let mut explorer = Explorer::new(network, &all, ZoneAbstraction::REACHABILITY)?;
        if let Some(clock) = clock {
            explorer.observe(clock, Bound::FAR);
        }
        let packing = explorer.packing_handle();
        let store = Store::with_covering(&explorer, CheaperZones(explorer.abstraction().subsumption));
        let machine = Machine::for_goals(&network.program, goals);
        let closeness = factor.saturating_mul(10);
        let judge =
            Judge { clock, pays, goals, test: GoalTest::new(network), machine, remaining, best: None };
        // Moves that save time may cost money.
        let is_time = clock.is_some() && (!pays || !network.program.pays());
        let free_moves = if is_time && reduces { FreeMoves::new(network, goals) } else { FreeMoves::none() };
        let exchange = if is_time && reduces { Exchange::new(network) } else { None };
        Ok(Self { explorer, packing, store, judge, free_moves, closeness, exchange, exchanged: NEVER })
    }

    /// The numbers of successors along the best run.
    fn ordinals(&self) -> Option<Vec<u32>> {
        Some(match &self.judge.best.as_ref()?.trail {
            Trail::Whole(ordinals) => ordinals.clone(),
            Trail::Stored(parent, ordinal) => {
                let mut ordinals = parent.map_or_else(Vec::new, |parent| self.store.ordinals(parent));
                ordinals.push(*ordinal);
                ordinals
            }
        })
    }

    /// Follows transitions from the beginning, and looks whether they lead to a goal at less cost than so far.
    fn follow(&mut self, transitions: &[Vec<EdgeId>]) -> Result<(), Failure> {
        let Some(mut state) = self.initial_states()?.into_iter().next() else { return Ok(()) };
        let (mut ordinals, mut paid) = (vec![0], 0);
        for wanted in transitions {
            let Some(next) = self.successor(&state, &mut paid, |_, edges| edges == wanted.as_slice())? else {
                return Ok(());
            };
            ordinals.push(next.ordinal);
            state = next.state;
        }
        self.judge.visit_goals(&state, paid, &Trail::Whole(ordinals))
    }

    /// The first successor of a state that is wanted, by its number and edges, as the search has it.
    fn successor(
        &mut self,
        state: &SymbolicState,
        paid: &mut i64,
        is_wanted: impl Fn(u32, &[EdgeId]) -> bool,
    ) -> Result<Option<Successor>, Failure> {
        let (mut ordinal, mut found) = (0, None);
        self.explorer.expand(state, &mut |state, edges| {
            if is_wanted(ordinal, edges) {
                found = Some(Successor { state: state.clone(), edges: edges.to_vec(), ordinal });
                return ControlFlow::Break(());
            }
            ordinal += 1;
            ControlFlow::Continue(())
        })?;
        if let Some(next) = &mut found {
            *paid = self.judge.pay(&mut next.state, *paid);
        }
        Ok(found)
    }

    fn initial_states(&mut self) -> Result<Vec<SymbolicState>, Failure> {
        let mut states = self.explorer.initial_states()?;
        for state in &mut states {
            self.judge.close(state);
        }
        Ok(states)
    }

    /// The transitions along numbers of successors.
    fn path(&mut self, ordinals: &[u32]) -> Result<Vec<PathStep>, TraceError> {
        let (&first, ordinals) = ordinals.split_first().ok_or(TraceError::Lost(0))?;
        let mut state = self.initial_states()?.into_iter().nth(first as usize).ok_or(TraceError::Lost(0))?;
        let (mut path, mut paid) = (Vec::with_capacity(ordinals.len()), 0);
        for (step, &wanted) in ordinals.iter().enumerate() {
            let next = self.successor(&state, &mut paid, |ordinal, _| ordinal == wanted)?;
            let Successor { state: next, edges, .. } = next.ok_or(TraceError::Lost(step + 1))?;
            let whole = self.explorer.splits_states().then_some(&state.zone);
            let restriction = self.explorer.piece().or(whole).map_or_else(Vec::new, |zone| {
                let mut zone = zone.clone();
                // The cost clock is none of the run, and nothing depends on it.
                if let Some(place) = self.judge.clock.and_then(|clock| state.place(clock)) {
                    zone.free(place);
                }
                differences(&state, &zone)
            });
            path.push(PathStep { edges, restriction, renaming: None });
            state = next;
        }
        Ok(path)
    }

    fn times(
        &mut self,
        ordinals: &[u32],
        finally: &[ClockDifference],
    ) -> Result<Vec<ReplayStep>, InternalError> {
        let lost = |error: TraceError| InternalError::NoRun(error.to_string());
        let path = self.path(ordinals).map_err(lost)?;
        // A little more than the infimum, and never as much as 1.
        self.explorer.concretise_closely(&path, finally, self.closeness).map_err(lost)
    }
}

impl Judge<'_> {
    /// Moves the cost clock by what was paid; says what the state has cost in prices, which is what it carries.
    fn pay(&self, state: &mut SymbolicState, paid: i64) -> i64 {
        let Some(clock) = self.clock else { return paid + state.price };
        // Where broadcasts or priorities cut a zone in pieces, they can cut it anywhere.
        self.close(state);
        if self.pays && state.price > 0 {
            let place = state.place(clock).expect("the cost clock matters everywhere");
            let price = i32::try_from(state.price).unwrap_or(Bound::FAR).min(Bound::FAR);
            state.zone.shift(place, price);
        }
        0
    }

    /// Makes the zone of a state upward closed in the cost clock: any other cost than the least is of no interest.
    fn close(&self, state: &mut SymbolicState) {
        if let Some(place) = self.clock.and_then(|clock| state.place(clock)) {
            close_upwards(&mut state.zone, place);
        }
    }

    /// The least cost of a zone of a state.
    fn cost(&self, state: &SymbolicState, zone: &Zone, paid: i64) -> i64 {
        match self.clock {
            None => paid,
            Some(clock) => {
                let place = state.place(clock).expect("the cost clock matters everywhere");
                -i64::from(zone.get(0, place).constant())
            }
        }
    }

    /// What a new state promises; `None` when it is not worth storing. A goal in it may be the best so far.
    fn judge(
        &mut self,
        state: &SymbolicState,
        paid: i64,
        trail: &Trail,
    ) -> Result<Option<(i64, i64)>, Failure> {
        let cost = self.cost(state, &state.zone, paid);
        if cost >= self.best_cost() {
            return Ok(None);
        }
        self.visit_goals(state, paid, trail)?;
        let (bound, guide) = match self.clock {
            None => {
                let guide = self.remaining.heur(&state.cells).unwrap_or(0);
                (cost.saturating_add(self.remaining.cost(&state.cells)), guide)
            }
            Some(clock) => {
                let place = state.place(clock).expect("the cost clock matters everywhere");
                let since = |tested: ClockId| {
                    let tested = state.place(tested)?;
                    Some(-i64::from(state.zone.get(tested, place).constant()))
                };
                self.remaining.time(&state.cells, cost, &since)
            }
        };
        let bound = bound.max(cost);
        Ok((bound < self.best_cost()).then_some((bound, guide)))
    }

    /// A goal in a state may be the best so far.
    fn visit_goals(&mut self, state: &SymbolicState, paid: i64, trail: &Trail) -> Result<(), Failure> {
        for goal in self.goals {
            if !self.test.meets(goal, state).map_err(Failure::outside)? {
                continue;
            }
            let reached = self.cost(state, self.test.zone(), paid);
            if reached < self.best_cost() {
                // The zone's own bounds would speak of the cost clock.
                let finally = demands(&mut self.machine, goal, &state.cells).map_err(Failure::outside)?;
                self.best = Some(Best { cost: reached, trail: trail.clone(), finally });
            }
        }
        Ok(())
    }

    fn best_cost(&self) -> i64 {
        self.best.as_ref().map_or(NEVER, |best| best.cost)
    }
}

/// Makes a zone upward closed in the cost clock.
fn close_upwards(zone: &mut Zone, clock: usize) {
    for other in (0..zone.dim()).filter(|&other| other != clock) {
        zone.set(clock, other, Bound::INFINITY);
    }
}

impl Space for ZoneSpace<'_> {
    fn begin(&mut self, successors: &mut Successors) -> Result<(), Failure> {
        let states = self.initial_states()?;
        for (ordinal, state) in (0..).zip(states) {
            if let Some((bound, guide)) = self.judge.judge(&state, 0, &Trail::Stored(None, ordinal))? {
                let inserted =
                    self.store.insert_with(&self.packing, &state, None, ordinal, Replace::Covered, 0);
                if let Inserted::New(StateId(id)) = inserted {
                    successors.found.push(Found { id, bound, guide });
                }
            }
        }
        Ok(())
    }

    fn expand(&mut self, id: u32, successors: &mut Successors) -> Result<(), Failure> {
        let parent = StateId(id);
        self.store.load(parent, &mut self.explorer);
        let paid = *self.store.payload(parent);
        let only = self.judge.clock.and_then(|clock| self.free_moves.find(self.explorer.source(), clock));
        let (store, judge, packing) = (&mut self.store, &mut self.judge, &self.packing);
        let mut failure = None;
        let mut ordinal = 0;
        self.explorer.hand_out_successors(&mut |state, edges| {
            let own = ordinal;
            ordinal += 1;
            if only.is_some_and(|only| edges != [only]) {
                return ControlFlow::Continue(());
            }
            successors.generated += 1;
            let paid = judge.pay(state, paid);
            match judge.judge(state, paid, &Trail::Stored(Some(parent), own)) {
                Ok(None) => successors.pruned += 1,
                Ok(Some((bound, guide))) => {
                    match store.insert_with(packing, state, Some(parent), own, Replace::Covered, paid) {
                        Inserted::New(StateId(id)) => successors.found.push(Found { id, bound, guide }),
                        Inserted::Covered(_) => successors.covered += 1,
                    }
                }
                Err(error) => {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        })?;
        failure.map_or(Ok(()), Err)
    }

    fn is_alive(&self, id: u32) -> bool {
        self.store.is_alive(StateId(id))
    }

    fn best(&self) -> i64 {
        self.judge.best_cost()
    }

    fn schedule(&mut self) -> Result<Vec<ReplayStep>, InternalError> {
        let none = || InternalError::NoRun("there is none".to_owned());
        let finally = self.judge.best.as_ref().map(|best| best.finally.clone()).ok_or_else(none)?;
        let ordinals = self.ordinals().ok_or_else(none)?;
        self.times(&ordinals, &finally)
    }

    fn improve(&mut self, effort: usize) {
        let best = self.judge.best_cost();
        if self.exchange.is_none() || best >= NEVER {
            return;
        }
        if best != self.exchanged {
            self.exchanged = best;
            let path = self.ordinals().and_then(|ordinals| self.path(&ordinals).ok());
            let path: Vec<Vec<EdgeId>> =
                path.unwrap_or_default().into_iter().map(|step| step.edges).collect();
            self.exchange.iter_mut().for_each(|exchange| exchange.begin(&path));
        }
        let found = self.exchange.as_mut().and_then(|exchange| exchange.look(effort, best));
        if let Some(transitions) = found {
            // An error on the way is one that the search meets itself, if it matters.
            let is_better = self.follow(&transitions).is_ok() && self.judge.best_cost() < best;
            if is_better {
                self.exchanged = self.judge.best_cost();
            } else {
                self.exchange.iter_mut().for_each(Exchange::reject);
            }
        }
    }

    fn way(&mut self, id: u32) -> Option<Vec<ReplayStep>> {
        let ordinals = self.store.ordinals(StateId(id));
        self.times(&ordinals, &[]).ok()
    }

    fn stored(&self) -> (u64, u64) {
        (self.store.len() as u64, self.store.covered())
    }

    fn discrete(&self) -> u64 {
        self.store.discrete_states() as u64
    }

    fn demand(&self) -> usize {
        self.store.demand()
    }
}
