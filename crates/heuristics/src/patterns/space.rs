//! The complete state space of an abstraction: states, transitions, and which states satisfy the goal.
//!
//! Zones are widened and compared by plain inclusion. Then every valuation that the abstraction can reach lies in some stored zone, which is what a look-up
//! relies on; with aLU subsumption a covered zone need not lie in the covering one. A successor whose zone lies in a stored one is identified with it, which
//! can only make distances smaller.

use crate::{Exceeded, Preparation};
use guidepost_abstraction::AbstractNetwork;
use guidepost_explore::{
    Abstraction, Explorer, Extrapolation, GoalTest, Packing, Precision, Subsumption, SymbolicState,
    hash_packed,
};
use guidepost_network::{EdgeId, Goal};
use guidepost_zones::{Bound, ZoneRef};
use hashbrown::HashTable;
use std::ops::ControlFlow;

/// How many states are expanded between two looks at the budget.
const PATIENCE: usize = 256;

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
    /// The edge of the abstraction that leads it.
    pub(super) leader: EdgeId,
}

/// The state space.
pub(super) struct Space {
    pub(super) packing: Packing,
    pub(super) table: HashTable<u32>,
    /// The packed discrete parts, one after the other.
    pub(super) packed: Vec<u64>,
    /// By discrete part: the clocks of its zones; the first is the zero clock.
    pub(super) clocks: Vec<Vec<u32>>,
    pub(super) states: Vec<AbstractState>,
    pub(super) bounds: Vec<Bound>,
    pub(super) transitions: Vec<AbstractTransition>,
    pub(super) is_goal: Vec<bool>,
    /// How many states there are at first: the initial one, or its pieces.
    pub(super) initial: usize,
    /// By discrete part: its states.
    by_discrete: Vec<Vec<u32>>,
    words: Vec<u64>,
}

const ABSTRACTION: Abstraction = Abstraction {
    extrapolation: Extrapolation::LuPlus,
    subsumption: Subsumption::Inclusion,
    precision: Precision::Simulation,
    approximate_stopwatches: true,
};

impl Space {
    /// Explores an abstraction completely.
    pub(super) fn explore(
        abstraction: &AbstractNetwork,
        preparation: &mut Preparation<'_>,
    ) -> Result<Option<Self>, Exceeded> {
        let goals: Vec<&Goal> = abstraction.goals.iter().collect();
        let Ok(mut explorer) = Explorer::new(&abstraction.network, &goals, ABSTRACTION) else {
            return Ok(None);
        };
        let packing = explorer.packing().clone();
        let mut space = Self {
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
            by_discrete: Vec::new(),
        };
        let mut test = GoalTest::new(&abstraction.network);
        // A goal that cannot be evaluated does not hold; the original could not be there.
        let mut is_goal = |state: &SymbolicState| matches!(test.find(&abstraction.goals, state), Ok(Some(_)));
        let Ok(initial) = explorer.initial_states() else { return Ok(None) };
        for state in &initial {
            space.insert(state, &mut is_goal);
        }
        space.initial = space.states.len();
        let mut next = 0;
        while next < space.states.len() {
            if next.is_multiple_of(PATIENCE) {
                preparation.check("exploring an abstraction", space.states.len() as u64, space.bytes())?;
            }
            space.load(next, &mut explorer);
            let expanded = explorer.expand_source(&mut |state, edges| {
                let to = space.insert(state, &mut is_goal);
                space.transitions.push(AbstractTransition { from: next as u32, to, leader: edges[0] });
                ControlFlow::Continue(())
            });
            if expanded.is_err() {
                return Ok(None);
            }
            next += 1;
        }
        Ok(Some(space))
    }

    fn load(&self, state: usize, explorer: &mut Explorer<'_>) {
        let AbstractState { discrete, zone } = self.states[state];
        let words = self.packing.words();
        let start = discrete as usize * words;
        explorer.load_source(
            |packing, cells| packing.unpack(&self.packed[start..start + words], cells),
            |target| {
                let size = target.dim() * target.dim();
                target.entries_mut().copy_from_slice(&self.bounds[zone..zone + size]);
            },
        );
    }

    /// The state that stands for a state: itself, or one whose zone contains its zone.
    fn insert(&mut self, state: &SymbolicState, is_goal: &mut dyn FnMut(&SymbolicState) -> bool) -> u32 {
        let discrete = self.intern(state);
        let (dim, size) = (state.zone.dim(), state.zone.entries().len());
        for &known in &self.by_discrete[discrete as usize] {
            let start = self.states[known as usize].zone;
            let stored = ZoneRef::from_entries(dim, &self.bounds[start..start + size]);
            if state.zone.is_subset(&stored) {
                return known;
            }
        }
        let id = self.states.len() as u32;
        self.by_discrete[discrete as usize].push(id);
        self.states.push(AbstractState { discrete, zone: self.bounds.len() });
        self.bounds.extend_from_slice(state.zone.entries());
        self.is_goal.push(is_goal(state));
        id
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
            hashbrown::hash_table::Entry::Occupied(entry) => *entry.get(),
            hashbrown::hash_table::Entry::Vacant(entry) => {
                let id = self.by_discrete.len() as u32;
                entry.insert(id);
                packed.extend_from_slice(words);
                self.clocks.push(state.clocks.clone());
                self.by_discrete.push(Vec::new());
                id
            }
        }
    }

    fn bytes(&self) -> usize {
        self.packed.capacity() * size_of::<u64>()
            + self.bounds.capacity() * size_of::<Bound>()
            + self.states.capacity() * size_of::<AbstractState>()
            + self.transitions.capacity() * size_of::<AbstractTransition>()
            + self.by_discrete.len() * 64
    }
}
