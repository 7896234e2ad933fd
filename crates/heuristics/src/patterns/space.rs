//! The complete state space of an abstraction: states, transitions, and which states satisfy the goal.
//!
//! A successor that a stored state simulates (aLU) is identified with it: whatever the covered one can do, the covering one can do, so distances can only become
//! smaller. A stored state that a later one covers before it was expanded takes that one's distance. The covering zone need not *contain* the covered one:
//! look-ups therefore ask the same question as the exploration did, whether a zone is simulated, and not whether zones have something in common.

use super::cover::CoverTest;
use crate::{Exceeded, Preparation};
use guidepost_abstraction::AbstractNetwork;
use guidepost_explore::{Explorer, GoalTest, Packing, SymbolicState, ZoneAbstraction, hash_packed};
use guidepost_network::{EdgeId, Goal};
use guidepost_zones::Bound;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::ops::ControlFlow;

/// How many states are expanded between two looks at the budget.
const PATIENCE: usize = 256;
/// How many transitions are computed between two looks at the budget.
const TRANSITIONS: usize = 4096;
/// Microseconds for a successor, at most.
const SUCCESSOR: u32 = 16;

/// Up to this many states, all are expanded: distances are most exact then. Beyond, states that a later one covers are not.
const EXACT: usize = 50_000;

/// A state of the abstraction.
#[derive(Clone, Copy, Debug)]
pub(super) struct AbstractState {
    pub(super) discrete: u32,
    /// Where its zone begins in [`Space::bounds`].
    pub(super) zone: usize,
}

/// A transition of the abstraction.
#[derive(Clone, Copy, Debug)]
pub(super) struct AbstractTransition {
    pub(super) from: u32,
    pub(super) to: u32,
    /// The edge of the abstraction that leads it; `None` from a state to one that covers it, which is no step.
    pub(super) leader: Option<EdgeId>,
}

/// The clocks of the zones of one discrete part, and up to which constants they count.
#[derive(Clone, Debug)]
pub(super) struct PartClocks {
    /// The first is the zero clock.
    pub(super) clocks: Vec<u32>,
    pub(super) lower: Vec<i32>,
    pub(super) upper: Vec<i32>,
}

/// The state space.
pub(super) struct Space {
    pub(super) packing: Packing,
    pub(super) table: HashTable<u32>,
    /// The packed discrete parts, one after the other.
    pub(super) packed: Vec<u32>,
    /// By discrete part.
    pub(super) clocks: Vec<PartClocks>,
    pub(super) states: Vec<AbstractState>,
    pub(super) bounds: Vec<Bound>,
    pub(super) transitions: Vec<AbstractTransition>,
    pub(super) is_goal: Vec<bool>,
    /// How many states there are at first: the initial one, or its pieces.
    pub(super) initial: usize,
    pub(super) test: CoverTest,
    /// By discrete part: its states.
    by_discrete: Vec<Vec<u32>>,
    words: Vec<u32>,
    /// By state: a later one covers it, so that it need not be expanded.
    is_replaced: Vec<bool>,
    /// How many states have been taken up; the others are waiting.
    taken: usize,
}

const ABSTRACTION: ZoneAbstraction =
    ZoneAbstraction { approximate_stopwatches: true, ..ZoneAbstraction::REACHABILITY };

impl Space {
    /// Explores an abstraction completely; `None` when the engine does not support it.
    pub(super) fn explore(
        abstraction: &AbstractNetwork,
        preparation: &mut Preparation<'_>,
    ) -> Result<Option<Self>, Exceeded> {
        let goals: Vec<&Goal> = abstraction.goals.iter().collect();
        let Ok(mut explorer) = Explorer::new(&abstraction.network, &goals, ABSTRACTION) else {
            return Ok(None);
        };
        let mut space = Self::empty(&explorer);
        let mut test = GoalTest::new(&abstraction.network);
        // A goal that cannot be evaluated does not hold; the original could not be there.
        let mut is_goal = |state: &SymbolicState| matches!(test.find(&abstraction.goals, state), Ok(Some(_)));
        let Ok(initial) = explorer.initial_states() else { return Ok(None) };
        for state in &initial {
            space.insert(state, &mut is_goal);
        }
        space.initial = space.states.len();
        let mut looked = 0;
        while let Some(from) = space.take() {
            if from.is_multiple_of(PATIENCE) || space.transitions.len() >= looked + TRANSITIONS {
                looked = space.transitions.len();
                preparation.check("exploring an abstraction", space.states.len() as u64, space.bytes())?;
            }
            space.load(from, &mut explorer);
            let expanded = explorer.expand_source(&mut |state, edges| {
                let to = space.insert(state, &mut is_goal);
                let leader = edges.first().copied();
                space.transitions.push(AbstractTransition { from: from as u32, to, leader });
                if preparation.is_due(SUCCESSOR) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if expanded.is_err() {
                return Ok(None);
            }
            if preparation.is_due(0) {
                return Err(preparation.break_off());
            }
        }
        Ok(Some(space))
    }

    fn empty(explorer: &Explorer<'_>) -> Self {
        let packing = explorer.packing().clone();
        Self {
            words: vec![0; packing.words()],
            packing,
            table: HashTable::new(),
            packed: Vec::new(),
            clocks: Vec::new(),
            states: Vec::new(),
            bounds: Vec::new(),
            transitions: Vec::new(),
            is_goal: Vec::new(),
            initial: 0,
            test: CoverTest::new(explorer.abstraction().subsumption),
            by_discrete: Vec::new(),
            is_replaced: Vec::new(),
            taken: 0,
        }
    }

    /// The next state to expand.
    fn take(&mut self) -> Option<usize> {
        while self.taken < self.states.len() {
            self.taken += 1;
            if !self.is_replaced[self.taken - 1] {
                return Some(self.taken - 1);
            }
        }
        None
    }

    fn load(&self, state: usize, explorer: &mut Explorer<'_>) {
        let AbstractState { discrete, zone } = self.states[state];
        let words = self.packing.words();
        let start = discrete as usize * words;
        explorer.load_source(
            |packing, cells| packing.unpack(&self.packed[start..start + words], cells),
            |target| {
                let size = target.entries().len();
                target.entries_mut().copy_from_slice(&self.bounds[zone..zone + size]);
            },
        );
    }

    /// The state that stands for a state: itself, or one that covers it.
    fn insert(&mut self, state: &SymbolicState, is_goal: &mut dyn FnMut(&SymbolicState) -> bool) -> u32 {
        let discrete = self.intern(state);
        let size = state.zone.entries().len();
        self.test.set(&state.zone, state.bounds());
        for &known in &self.by_discrete[discrete as usize] {
            let start = self.states[known as usize].zone;
            if self.test.is_covered_by(&self.bounds[start..start + size]) {
                return known;
            }
        }
        let id = self.states.len() as u32;
        if self.states.len() >= EXACT {
            self.replace_waiting(discrete, id, state);
        }
        self.is_replaced.push(false);
        self.by_discrete[discrete as usize].push(id);
        self.states.push(AbstractState { discrete, zone: self.bounds.len() });
        self.bounds.extend_from_slice(state.zone.entries());
        self.is_goal.push(is_goal(state));
        debug_assert!(self.is_goal.len() == self.states.len() && self.is_replaced.len() == self.states.len());
        id
    }

    /// States that wait and that the new one covers need not be expanded.
    fn replace_waiting(&mut self, discrete: u32, id: u32, state: &SymbolicState) {
        let size = state.zone.entries().len();
        for &known in self.by_discrete[discrete as usize].iter().rev() {
            debug_assert!(known < id, "states are compared with older ones");
            if (known as usize) < self.taken {
                break;
            }
            let start = self.states[known as usize].zone;
            if self.test.covers(state, &self.bounds[start..start + size])
                && !std::mem::replace(&mut self.is_replaced[known as usize], true)
            {
                self.transitions.push(AbstractTransition { from: known, to: id, leader: None });
            }
        }
    }

    fn intern(&mut self, state: &SymbolicState) -> u32 {
        let Self { packing, table, packed, words, .. } = self;
        let size = packing.words();
        packing.pack(&state.cells, words);
        let part = |id: u32| id as usize * size..(id as usize + 1) * size;
        let entry = table.entry(
            hash_packed(words),
            |&id| packed[part(id)] == words[..],
            |&id| hash_packed(&packed[part(id)]),
        );
        match entry {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let id = self.by_discrete.len() as u32;
                entry.insert(id);
                packed.extend_from_slice(words);
                self.clocks.push(PartClocks {
                    clocks: state.clocks.clone(),
                    lower: state.lower.clone(),
                    upper: state.upper.clone(),
                });
                self.by_discrete.push(Vec::new());
                id
            }
        }
    }

    fn bytes(&self) -> usize {
        let clocks = self.clocks.first().map_or(0, |own| own.clocks.len());
        let part = size_of::<PartClocks>() + 12 * clocks + size_of::<Vec<u32>>();
        self.packed.capacity() * size_of::<u32>()
            + self.bounds.capacity() * size_of::<Bound>()
            + self.states.capacity() * (size_of::<AbstractState>() + size_of::<u32>() + 2)
            + self.transitions.capacity() * size_of::<AbstractTransition>()
            + self.clocks.len() * part
    }
}
