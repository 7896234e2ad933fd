//! The database of a part: abstract states that lead to the goal, with their distances, found by regression from the goal.
//!
//! Breadth first (steps that cost nothing at once): every abstract state is regressed through every step, and time is let pass backwards. What is contained in
//! a known abstract state of no greater distance adds nothing and is forgotten.
//!
//! Why the distances are lower bounds: let a state s be n charged steps away from the goal. Then some stored abstract state of distance at most n contains s.
//! For n = 0 steps it is the abstraction of the goal; otherwise let s wait and step to s'; a stored state contains s', its regression through the step contains
//! s, and abstraction only adds states.

use super::precision::{Element, Elements, Precision};
use super::set_trie::{FrozenTrie, SetTrie};
use super::transitions::Step;
use crate::preparation::{Exceeded, Preparation};
use guidepost_abstraction::regression::{Condition, Invariants, Kept, Region, bounds, mask};
use guidepost_explore::SymbolicState;
use guidepost_network::{Goal, Machine, Network};
use std::collections::VecDeque;

/// So many abstract states are regressed between two looks at the budget.
const CHECKED: u64 = 64;
/// Microseconds for regressing through a step; conditions over several cells take longer.
const STEP: u32 = 16;

/// A part of the system, with everything regression needs.
pub(super) struct Part {
    pub(super) symbols: Kept,
    pub(super) invariants: Invariants,
    pub(super) steps: Vec<Step>,
    /// The goals, as far as the part can tell.
    pub(super) goals: Vec<Region>,
}

impl Part {
    pub(super) fn new(network: &Network, goals: &[Goal], symbols: Kept, steps: Vec<Step>) -> Self {
        let mut machine = Machine::for_goals(&network.program, goals);
        let invariants = Invariants::new(network, &symbols, &mut machine);
        let region = |goal: &Goal| {
            let mut region = Region::all(&symbols);
            for (process, locations) in &goal.locations {
                let Some(cell) = symbols.cell(process.index()) else { continue };
                region.mask_mut(&symbols, cell).fill(0);
                for value in locations.iter().filter_map(|at| symbols.index(cell, at.0 as i32)) {
                    mask::insert(region.mask_mut(&symbols, cell), value);
                }
                if mask::count(region.mask(&symbols, cell)) == 0 {
                    return None;
                }
            }
            for &code in &goal.data {
                let condition = Condition::new(&symbols, &mut machine, code);
                if condition.is_some_and(|condition| !condition.impose(&symbols, &mut machine, &mut region)) {
                    return None;
                }
            }
            region.constrain(&bounds(&symbols, &goal.clocks)).then_some(region)
        };
        let goals = goals.iter().map(region).collect::<Vec<_>>();
        Self { goals: goals.into_iter().flatten().collect(), symbols, invariants, steps }
    }

    /// The processes, for messages.
    pub(super) fn name(&self, network: &Network) -> String {
        let processes = &self.symbols.cells[..self.symbols.processes];
        let names: Vec<&str> =
            processes.iter().map(|cell| network.processes[cell.address].name.as_str()).collect();
        format!("part {}", names.join(", "))
    }

    /// Whether every state is a goal, as far as the part can tell.
    pub(super) fn is_idle(&self) -> bool {
        let all = Region::all(&self.symbols);
        self.goals.iter().any(|goal| goal.masks == all.masks && goal.zone == all.zone)
    }
}

/// Distances for the states of one part.
pub(super) struct Database {
    symbols: Kept,
    elements: Vec<Element>,
    trie: FrozenTrie,
    /// What is said of states that are not stored; `None` when none is missing.
    beyond: Option<u32>,
}

impl Database {
    /// A lower bound on the distance of a state, `None` when no goal can be reached; and how much work that was.
    #[inline]
    pub(super) fn look_up(&self, state: &SymbolicState) -> (Option<u32>, u32) {
        let passes = |element: u32| self.elements[element as usize].may_hold(&self.symbols, state);
        let (least, work) = self.trie.least(passes);
        (least.or(self.beyond), work)
    }

    /// Whether it looks at clocks.
    pub(super) fn has_clocks(&self) -> bool {
        self.trie.elements().any(|element| matches!(self.elements[element as usize], Element::Bound { .. }))
    }
}

/// How far regression has come.
pub(super) struct Regression<'r, 'n> {
    pub(super) part: &'r Part,
    precision: &'r Precision,
    machine: Machine<'n>,
    elements: Elements,
    trie: SetTrie,
    /// The abstract states, one behind the other.
    vectors: Vec<u32>,
    nodes: Vec<Node>,
    open: VecDeque<u32>,
    /// When the budget was used up: everything that is nearer is known.
    beyond: Option<u32>,
}

/// An abstract state.
#[derive(Clone, Copy)]
struct Node {
    first: u32,
    end: u32,
    distance: u32,
    /// The state it was regressed from, and the step.
    origin: Option<(u32, u32)>,
}

impl<'r, 'n> Regression<'r, 'n> {
    /// Regresses until there is nothing new, or the budget is used up.
    pub(super) fn run(
        network: &'n Network,
        part: &'r Part,
        precision: &'r Precision,
        spent: &mut u64,
        preparation: &mut Preparation<'_>,
    ) -> (Self, Result<(), Exceeded>) {
        let mut regression = Self {
            part,
            precision,
            machine: Machine::new(&network.program),
            elements: Elements::new(&part.symbols),
            trie: SetTrie::new(),
            vectors: Vec::new(),
            nodes: Vec::new(),
            open: VecDeque::new(),
            beyond: None,
        };
        let outcome = regression.explore(spent, preparation);
        (regression, outcome)
    }

    fn explore(&mut self, spent: &mut u64, preparation: &mut Preparation<'_>) -> Result<(), Exceeded> {
        let part = self.part;
        let mut vector = Vec::new();
        for goal in &part.goals {
            self.settle(&mut goal.clone(), 0, None, &mut vector);
        }
        let mut after = Region::all(&part.symbols);
        let mut before = after.clone();
        for turn in 0_u64.. {
            let Some(id) = self.open.pop_front() else { break };
            let distance = self.nodes[id as usize].distance;
            let states = *spent + self.nodes.len() as u64;
            if turn % CHECKED == 0
                && let Err(exceeded) = preparation.check("predicate abstraction", states, self.bytes())
            {
                self.beyond = Some(distance);
                *spent = states;
                return Err(exceeded);
            }
            if !self.load(id, &mut after) || self.is_known(&after, distance.wrapping_sub(1)) {
                continue;
            }
            let is_closed = self.is_closed_under_delay(id, &after, &mut before);
            for (index, step) in (0..).zip(&part.steps) {
                if preparation.is_due(STEP) {
                    self.beyond = Some(distance);
                    *spent = states;
                    return Err(preparation.break_off());
                }
                if is_closed && !step.transition.concerns(&part.symbols, &after) {
                    continue;
                }
                before.assign(&after);
                if step.transition.regress(&part.invariants, &part.symbols, &mut self.machine, &mut before) {
                    self.settle(&mut before, distance + step.cost, Some((id, index)), &mut vector);
                }
            }
        }
        *spent += self.nodes.len() as u64;
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.trie.bytes() + self.vectors.len() * 4 + self.nodes.len() * size_of::<Node>()
    }

    /// Whether a stored state of at most this distance contains the region; none has a distance below zero.
    fn is_known(&mut self, region: &Region, distance: u32) -> bool {
        let (elements, symbols) = (&self.elements.list, &self.part.symbols);
        distance != u32::MAX
            && self
                .trie
                .has_within(distance, |element| elements[element as usize].is_entailed(symbols, region))
    }

    /// Makes the region of an abstract state, with the invariants it lives under; says whether there is anything in it.
    fn load(&mut self, id: u32, region: &mut Region) -> bool {
        let node = self.nodes[id as usize];
        let symbols = &self.part.symbols;
        region.set_all(symbols);
        self.vectors[node.first as usize..node.end as usize]
            .iter()
            .all(|&element| self.elements.list[element as usize].impose(symbols, region))
            && self.part.invariants.impose(symbols, &mut self.machine, region)
    }

    /// Whether waiting cannot lead into the abstract state from outside. Then a step that changes nothing of what is known leads from inside as well, delay included.
    fn is_closed_under_delay(&self, id: u32, region: &Region, waited: &mut Region) -> bool {
        let node = self.nodes[id as usize];
        waited.assign(region);
        self.part.invariants.wait(&self.part.symbols, waited)
            && self.vectors[node.first as usize..node.end as usize]
                .iter()
                .all(|&element| self.elements.list[element as usize].is_entailed(&self.part.symbols, waited))
    }

    /// Lets time pass backwards from a region, abstracts and stores it, unless it is known.
    fn settle(
        &mut self,
        region: &mut Region,
        distance: u32,
        origin: Option<(u32, u32)>,
        vector: &mut Vec<u32>,
    ) {
        let part = self.part;
        if !part.invariants.impose(&part.symbols, &mut self.machine, region)
            || !part.invariants.wait(&part.symbols, region)
            || self.is_known(region, distance)
        {
            return;
        }
        self.elements.abstraction(&part.symbols, self.precision, region, vector);
        self.trie.insert(vector, distance);
        let first = self.vectors.len() as u32;
        self.vectors.extend_from_slice(vector);
        let id = self.nodes.len() as u32;
        self.nodes.push(Node { first, end: self.vectors.len() as u32, distance, origin });
        let is_free = origin.is_some_and(|(from, _)| self.nodes[from as usize].distance == distance);
        if is_free { self.open.push_front(id) } else { self.open.push_back(id) }
    }

    /// What is said of states that are not stored, when the budget was used up.
    pub(super) fn beyond(&self) -> Option<u32> {
        self.beyond
    }

    /// The steps of a shortest abstract path from a state to the goal, if there is one.
    pub(super) fn path(&self, cells: &[i32]) -> Option<Vec<usize>> {
        let symbols = &self.part.symbols;
        let holds = |&element: &u32| match &self.elements.list[element as usize] {
            Element::Values { cell, mask } => symbols
                .index(*cell, cells[symbols.cells[*cell].address])
                .is_none_or(|value| mask::has(mask, value)),
            Element::Bound { .. } => true,
        };
        let is_here = |node: &&Node| self.vectors[node.first as usize..node.end as usize].iter().all(holds);
        let mut node = self.nodes.iter().filter(is_here).min_by_key(|node| node.distance)?;
        let mut path = Vec::new();
        while let Some((from, step)) = node.origin {
            path.push(step as usize);
            node = &self.nodes[from as usize];
        }
        Some(path)
    }

    /// The distances for look-up.
    pub(super) fn freeze(self) -> (FrozenTrie, Vec<Element>, Option<u32>) {
        (self.trie.freeze(self.beyond.unwrap_or(u32::MAX - 1)), self.elements.list, self.beyond)
    }
}

impl Database {
    /// The database of a part from its regression.
    pub(super) fn new(
        symbols: Kept,
        (trie, elements, beyond): (FrozenTrie, Vec<Element>, Option<u32>),
    ) -> Self {
        Self { symbols, elements, trie, beyond }
    }
}
