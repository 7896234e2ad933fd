//! The relaxed task, fact by fact: what the monotonicity abstraction would do, as operators that need some facts and add some.
//!
//! `hl` and `hu` grow sets of values and look at conditions as they are met. To ask *which* facts or transitions every solution needs, one wants to see
//! all transitions at once, each with what it needs and what it makes. So the [labels](crate::factored) of a network become operators:
//!
//! - A *fact* is a value of a cell, or that a cell has one of some values (a condition), or that something has happened.
//! - An *operator* costs 1 if it is a transition of the network and 0 if it only draws a conclusion: a value satisfies a condition, a goal holds.
//! - A label that does different things to a cell, depending on the cell's value, becomes an operator for every value: `v := v + 1` is another operator for every
//!   v. Each transition of a real run is one of them, so each may cost 1 (*context splitting*; Röger, Pommerening, Helmert 2014). Where that would be too many,
//!   one operator costs 1 and says that it has happened, and what follows from it is free.
//!
//! A real run of n transitions is a sequence of operators that cost n, so what every sequence costs at least is admissible. [`lmcut`] finds such a bound,
//! [`landmarks`] the facts that every sequence passes.

pub(crate) mod landmarks;
pub(crate) mod lmcut;
#[cfg(test)]
mod tests;

use crate::factored::{Cells, Factored, Label, Move, Relation};
use crate::rows::Rows;
use crate::{EdgeMask, Exceeded, Preparation};
use guidepost_network::{Goal, Network};
use rustc_hash::FxHashMap;

/// A label may become so many operators by splitting it.
const SPLIT: usize = 64;
/// Operators in all.
const OPERATORS: usize = 1 << 19;
/// Entries of tables that are looked at in a unit of effort.
const TOUCHES: u64 = 2;
/// Entries that are filled in the time that looking at one takes.
const FILLED_AT_ONCE: u64 = 8;

/// Facts and operators.
pub(crate) struct Relaxed {
    pub(crate) cells: Cells,
    /// By cell: its first fact.
    first: Vec<u32>,
    /// By fact of a cell: the cell.
    cell_of: Vec<u32>,
    /// Facts in all; those of cells come first, then [`Relaxed::always`] and the others.
    pub(crate) facts: usize,
    /// The conditions among the facts, with the facts that satisfy each.
    conditions: Vec<(u32, Vec<u32>)>,
    /// The goal holds.
    pub(crate) goal: u32,
    /// By operator: what it needs; one fact at least.
    pub(crate) needs: Rows<u32>,
    /// By operator: what it makes.
    pub(crate) makes: Rows<u32>,
    /// By operator: 0 or 1.
    pub(crate) costs: Vec<u8>,
    /// By operator: the groups of edges of which it takes one each.
    groups_of: Rows<u32>,
    /// By group: the edges.
    groups: Rows<u32>,
    /// By fact: the operators that need it.
    pub(crate) needed_by: Rows<u32>,
    /// By fact: the operators that make it.
    pub(crate) made_by: Rows<u32>,
}

impl Relaxed {
    /// Takes a network apart and makes operators of its labels; those that can never be taken are left out.
    pub(crate) fn new(
        network: &Network,
        goals: &[Goal],
        preparation: &mut Preparation<'_>,
    ) -> Result<Self, Exceeded> {
        let Factored { cells, labels } = Factored::new(network, goals, preparation)?;
        let mut builder = Builder::new(cells);
        for label in &labels {
            builder.add(label);
            if builder.operators.len() > OPERATORS {
                return Err(Exceeded::Memory);
            }
        }
        if !preparation.has_time() {
            return Err(preparation.break_off());
        }
        Ok(builder.finish())
    }

    /// How many facts there are about single values.
    pub(crate) fn values(&self) -> usize {
        self.cell_of.len()
    }

    /// The fact that is true in all states.
    pub(crate) fn always(&self) -> u32 {
        self.cell_of.len() as u32
    }

    /// The cell and the value of a fact about one.
    pub(crate) fn value(&self, fact: u32) -> Option<(usize, i32)> {
        let cell = *self.cell_of.get(fact as usize)? as usize;
        Some((cell, self.cells.value(cell, fact - self.first[cell])))
    }

    /// The facts of a state; says whether all of its values are known.
    pub(crate) fn facts_of(&self, cells: &[i32], facts: &mut Vec<u32>) -> bool {
        facts.clear();
        facts.push(self.always());
        for cell in (0..self.first.len()).filter(|&cell| !self.cells.is_left_out(cell)) {
            match self.cells.number(cell, cells[cell]) {
                Some(number) => facts.push(self.first[cell] + number),
                None => return false,
            }
        }
        true
    }

    /// Marks the operators that need an edge of the mask.
    pub(crate) fn mark_masked(&self, edges: &EdgeMask, marks: &mut Vec<bool>) {
        let is_masked =
            |group: &u32| self.groups.row(*group as usize).iter().all(|&edge| edges.contains(edge));
        marks.clear();
        marks
            .extend((0..self.costs.len()).map(|operator| self.groups_of.row(operator).iter().any(is_masked)));
    }

    /// The edges that an operator may take.
    pub(crate) fn edges_of(&self, operator: u32) -> impl Iterator<Item = u32> + '_ {
        let groups = self.groups_of.row(operator as usize).iter();
        groups.flat_map(|&group| self.groups.row(group as usize).iter().copied())
    }
}

/// An operator that is being made.
#[derive(Default)]
struct Operator {
    needs: Vec<u32>,
    makes: Vec<u32>,
    cost: u8,
    groups: Vec<u32>,
}

/// A value before, and the values that it may become.
type Cases = Vec<(u32, Vec<u32>)>;

/// What a relation does to its cell.
enum Change {
    /// The cell must have one of some values.
    Test(Vec<u32>),
    /// Whatever it was before, it has one of the others afterwards.
    Set(Vec<u32>, Vec<u32>),
    /// What it is afterwards depends on what it was before.
    Depends(Cases),
}

impl Change {
    fn of(relation: &Relation) -> Self {
        let mut cases: Cases = Vec::new();
        for &(from, to) in relation {
            match cases.last_mut() {
                Some((last, targets)) if *last == from => targets.push(to),
                _ => cases.push((from, vec![to])),
            }
        }
        let before = || cases.iter().map(|&(from, _)| from).collect();
        if cases.iter().all(|(from, targets)| targets == &[*from]) {
            Change::Test(before())
        } else if cases.windows(2).all(|pair| pair[0].1 == pair[1].1) {
            Change::Set(before(), cases[0].1.clone())
        } else {
            Change::Depends(cases)
        }
    }
}

struct Builder {
    cells: Cells,
    first: Vec<u32>,
    cell_of: Vec<u32>,
    facts: u32,
    goal: u32,
    conditions: FxHashMap<Vec<u32>, u32>,
    groups: FxHashMap<Vec<u32>, u32>,
    operators: Vec<Operator>,
}

impl Builder {
    fn new(cells: Cells) -> Self {
        let mut first = Vec::new();
        let mut cell_of = Vec::new();
        for cell in 0..cells.len() {
            first.push(cell_of.len() as u32);
            cell_of.extend(std::iter::repeat_n(cell as u32, cells.size(cell) as usize));
        }
        let values = cell_of.len() as u32;
        Self {
            cells,
            first,
            cell_of,
            facts: values + 2,
            goal: values + 1,
            conditions: FxHashMap::default(),
            groups: FxHashMap::default(),
            operators: Vec::new(),
        }
    }

    /// Makes operators of a label.
    fn add(&mut self, label: &Label) {
        let changes: Vec<(usize, Change)> =
            label.relations.iter().map(|(cell, relation)| (*cell, Change::of(relation))).collect();
        let mut needs = Vec::new();
        let mut makes = Vec::new();
        let mut depends = Vec::new();
        for (cell, change) in &changes {
            match change {
                Change::Test(values) => needs.extend(self.condition(*cell, values)),
                Change::Set(values, targets) => {
                    needs.extend(self.condition(*cell, values));
                    makes.extend(targets.iter().map(|target| self.first[*cell] + target));
                }
                Change::Depends(cases) => depends.push((*cell, cases)),
            }
        }
        if label.goal.is_some() {
            debug_assert!(depends.is_empty(), "a goal changes nothing");
            self.operators.push(Operator { needs, makes: vec![self.goal], ..Operator::default() });
            return;
        }
        let combinations =
            depends.iter().fold(1, |product: usize, (_, cases)| product.saturating_mul(cases.len()));
        if combinations <= SPLIT {
            self.split(label, &needs, &makes, &depends);
            return;
        }
        let happened = self.new_fact();
        makes.push(happened);
        for (cell, cases) in depends {
            let values: Vec<u32> = cases.iter().map(|&(from, _)| from).collect();
            needs.extend(self.condition(cell, &values));
            for (from, targets) in cases {
                let made = targets.iter().map(|target| self.first[cell] + target).collect();
                let needs = vec![happened, self.first[cell] + from];
                self.operators.push(Operator { needs, makes: made, ..Operator::default() });
            }
        }
        let groups = label.movers.iter().map(|mover| self.group(&mover.edges, None)).collect();
        self.operators.push(Operator { needs, makes, cost: 1, groups });
    }

    /// An operator for every combination of the values on which something depends.
    fn split(&mut self, label: &Label, needs: &[u32], makes: &[u32], depends: &[(usize, &Cases)]) {
        let mut at = vec![0; depends.len()];
        loop {
            let mut operator =
                Operator { needs: needs.to_vec(), makes: makes.to_vec(), cost: 1, groups: Vec::new() };
            let mut before = Vec::new();
            for ((cell, cases), &at) in depends.iter().zip(&at) {
                let (from, targets) = &cases[at];
                operator.needs.push(self.first[*cell] + from);
                operator.makes.extend(targets.iter().map(|target| self.first[*cell] + target));
                before.push((*cell, *from));
            }
            let place = |cell: usize| before.iter().find(|&&(known, _)| known == cell).map(|&(_, from)| from);
            operator.groups =
                label.movers.iter().map(|mover| self.group(&mover.edges, place(mover.cell))).collect();
            self.operators.push(operator);
            let Some(place) = (0..at.len()).find(|&place| at[place] + 1 < depends[place].1.len()) else {
                return;
            };
            at[..place].fill(0);
            at[place] += 1;
        }
    }

    /// The edges that a process may take, from one place if that is known.
    fn group(&mut self, moves: &[Move], from: Option<u32>) -> u32 {
        let mut edges: Vec<u32> = moves
            .iter()
            .filter(|one| from.is_none_or(|from| one.pair.0 == from))
            .map(|one| one.edge)
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let next = self.groups.len() as u32;
        *self.groups.entry(edges).or_insert(next)
    }

    /// The fact that a cell has one of some values; none if it always has.
    fn condition(&mut self, cell: usize, values: &[u32]) -> Option<u32> {
        if values.len() == self.cells.size(cell) as usize {
            return None;
        }
        let facts: Vec<u32> = values.iter().map(|value| self.first[cell] + value).collect();
        if let [fact] = facts[..] {
            return Some(fact);
        }
        if let Some(&known) = self.conditions.get(&facts) {
            return Some(known);
        }
        let condition = self.new_fact();
        for &fact in &facts {
            self.operators.push(Operator {
                needs: vec![fact],
                makes: vec![condition],
                ..Operator::default()
            });
        }
        self.conditions.insert(facts, condition);
        Some(condition)
    }

    fn new_fact(&mut self) -> u32 {
        self.facts += 1;
        self.facts - 1
    }

    fn finish(mut self) -> Relaxed {
        let always = self.cell_of.len() as u32;
        for operator in &mut self.operators {
            for list in [&mut operator.needs, &mut operator.makes] {
                list.sort_unstable();
                list.dedup();
            }
            operator.makes.retain(|fact| operator.needs.binary_search(fact).is_err());
            if operator.needs.is_empty() {
                operator.needs.push(always);
            }
        }
        let reached =
            reached_from_initial(&self.operators, &self.first, &self.cells, always, self.facts as usize);
        self.operators.retain(|operator| {
            !operator.makes.is_empty() && operator.needs.iter().all(|&fact| reached[fact as usize])
        });
        let facts = self.facts as usize;
        let needs: Vec<Vec<u32>> = self.operators.iter().map(|operator| operator.needs.clone()).collect();
        let makes: Vec<Vec<u32>> = self.operators.iter().map(|operator| operator.makes.clone()).collect();
        let groups_of: Vec<Vec<u32>> =
            self.operators.iter().map(|operator| operator.groups.clone()).collect();
        let mut groups: Vec<(Vec<u32>, u32)> = self.groups.into_iter().collect();
        groups.sort_unstable_by_key(|&(_, number)| number);
        let groups: Vec<Vec<u32>> = groups.into_iter().map(|(edges, _)| edges).collect();
        let mut conditions: Vec<(u32, Vec<u32>)> =
            self.conditions.into_iter().map(|(facts, condition)| (condition, facts)).collect();
        conditions.sort_unstable();
        Relaxed {
            cells: self.cells,
            first: self.first,
            cell_of: self.cell_of,
            facts,
            conditions,
            goal: self.goal,
            costs: self.operators.iter().map(|operator| operator.cost).collect(),
            needed_by: Rows::inverse(&needs, facts),
            made_by: Rows::inverse(&makes, facts),
            needs: Rows::new(&needs),
            makes: Rows::new(&makes),
            groups_of: Rows::new(&groups_of),
            groups: Rows::new(&groups),
        }
    }
}

/// By fact: whether it can ever hold.
fn reached_from_initial(
    operators: &[Operator],
    first: &[u32],
    cells: &Cells,
    always: u32,
    facts: usize,
) -> Vec<bool> {
    let needs: Vec<Vec<u32>> = operators.iter().map(|operator| operator.needs.clone()).collect();
    let needed_by = Rows::inverse(&needs, facts);
    let mut missing: Vec<usize> = needs.iter().map(Vec::len).collect();
    let mut reached = vec![false; facts];
    let initial =
        (0..first.len()).filter_map(|cell| Some(first[cell] + cells.number(cell, cells.initial()[cell])?));
    let mut waiting: Vec<u32> = initial.chain([always]).collect();
    while let Some(fact) = waiting.pop() {
        if std::mem::replace(&mut reached[fact as usize], true) {
            continue;
        }
        for &operator in needed_by.row(fact as usize) {
            missing[operator as usize] -= 1;
            if missing[operator as usize] == 0 {
                waiting.extend(&operators[operator as usize].makes);
            }
        }
    }
    reached
}
