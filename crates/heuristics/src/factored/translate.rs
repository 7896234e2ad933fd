//! From a step to labels: transitions of every cell on its own.
//!
//! A label is a set of relations, one per cell it concerns: the label is taken when every cell takes a pair (from, to) of its relation. That is exact
//! for conditions on one cell and for assignments that only look at the cell itself or at constants. What ties several cells together (`x == y`, `x := y`,
//! a function) is taken apart by cases: the cells that are looked at get one label for every combination of their values. Cells that are tied together
//! form a *cluster*; clusters are independent of each other, so their cases are multiplied.
//!
//! Where there are too many combinations to look at, the conditions of the cluster are dropped and what it writes is lost; where there are too
//! many labels, the cases of a cluster become one label in which the cells are no longer tied together. Both allow more than the step does.

use super::cells::Cells;
use super::clusters::{Cluster, clusters};
use super::knowledge::Known;
use super::part::{Condition, Statement};
use super::steps::Step;
use guidepost_network::{ClockOp, Goal, Machine, Network};

/// How many combinations of values are tried for one cluster.
const COMBINATIONS: usize = 4096;
/// Pairs (from, to) of states, in ascending order.
pub(crate) type Relation = Vec<(u32, u32)>;

/// What a label does to the cells it concerns, by ascending cell.
pub(crate) type Relations = Vec<(usize, Relation)>;

/// Makes labels of steps.
pub(crate) struct Translator<'n> {
    cells: &'n Cells,
    machine: Machine<'n>,
    /// How many labels a step may become.
    most: usize,
    clock_operations: Vec<ClockOp>,
    /// Room for a task: one place per cell.
    scratch: Vec<Option<Access>>,
}

/// What a step wants of one cell, apart from clusters.
#[derive(Clone, Debug)]
struct Access {
    /// The values it may have.
    allowed: Vec<u32>,
    /// How the step moves it: only for processes.
    moves: Option<Relation>,
}

impl<'n> Translator<'n> {
    /// Every step becomes at most this many labels.
    pub(crate) fn new(network: &'n Network, goals: &[Goal], cells: &'n Cells, most: usize) -> Self {
        Self {
            cells,
            most,
            machine: Machine::for_goals(&network.program, goals),
            clock_operations: Vec::new(),
            scratch: vec![None; cells.len()],
        }
    }

    /// The labels of a step; none if it can never be taken.
    pub(crate) fn labels(&mut self, step: &Step) -> Vec<Relations> {
        let mut task = Task { accesses: std::mem::take(&mut self.scratch), touched: Vec::new() };
        let labels = self.translate(step, &mut task).unwrap_or_default();
        for &cell in &task.touched {
            task.accesses[cell] = None;
        }
        self.scratch = task.accesses;
        labels
    }

    fn translate(&mut self, step: &Step, task: &mut Task) -> Option<Vec<Relations>> {
        for part in &step.parts {
            let access = task.access(self.cells, part.process);
            access.allowed.retain(|&at| part.moves.iter().any(|&(from, _)| from == at));
            access.moves = Some(part.moves.clone());
        }
        let mut tied: Vec<(Condition, Vec<usize>)> = Vec::new();
        for &condition in step.parts.iter().flat_map(|part| &part.conditions).chain(&step.conditions) {
            let operands = self.machine.codes().cells_read(condition.code);
            if operands.iter().any(|&cell| self.cells.is_left_out(cell)) {
                continue;
            }
            match operands[..] {
                [] if !self.holds(condition) => return None,
                [] => {}
                [cell] => self.restrict(task.access(self.cells, cell), cell, condition),
                _ => tied.push((condition, operands)),
            }
        }
        let statements = step.parts.iter().flat_map(|part| &part.statements);
        let known = Known::of(statements, self.cells);
        for &cell in &known.lost {
            task.access(self.cells, cell);
        }
        let clusters = clusters(self.cells, &tied, &known.statements);
        for cluster in &clusters {
            cluster.cells.iter().for_each(|&cell| {
                task.access(self.cells, cell);
            });
        }
        if task.touched.iter().any(|&cell| task.get(cell).allowed.is_empty()) {
            return None;
        }
        let mut cases = Vec::new();
        for cluster in &clusters {
            let of_cluster = self.cases(cluster, task, &known.lost);
            if of_cluster.is_empty() {
                return None;
            }
            cases.push(of_cluster);
        }
        let is_tied = |cell: &usize| clusters.iter().any(|cluster| cluster.cells.contains(cell));
        let loose: Relations = (task.touched.iter().filter(|cell| !is_tied(cell)))
            .map(|&cell| (cell, self.relation(task.get(cell), cell, None, known.lost.contains(&cell))))
            .collect();
        Some(multiply(loose, cases, self.most))
    }

    fn holds(&mut self, condition: Condition) -> bool {
        // Faulty conditions never hold: a state in which one is met ends the search.
        self.machine.eval(condition.code).is_ok_and(|value| match condition.value {
            Some(wanted) => value == wanted,
            None => value != 0,
        })
    }

    fn restrict(&mut self, access: &mut Access, cell: usize, condition: Condition) {
        access.allowed.retain(|&number| {
            self.machine.state_mut()[cell] = self.cells.value(cell, number);
            self.holds(condition)
        });
    }

    /// The relation of a cell whose value becomes the given one, is lost, or stays as it is.
    fn relation(&self, access: &Access, cell: usize, becomes: Option<u32>, is_lost: bool) -> Relation {
        let mut relation = Relation::new();
        for &from in &access.allowed {
            match (&access.moves, becomes) {
                (Some(moves), _) => {
                    relation.extend(moves.iter().filter(|&&(source, _)| source == from));
                }
                (None, _) if is_lost => {
                    relation.extend((0..self.cells.size(cell)).map(|to| (from, to)));
                }
                (None, Some(to)) => relation.push((from, to)),
                (None, None) => relation.push((from, from)),
            }
        }
        relation.sort_unstable();
        relation.dedup();
        relation
    }

    /// All cases of a cluster: one per combination of the values that are looked at.
    fn cases(&mut self, cluster: &Cluster<'_>, task: &Task, lost: &[usize]) -> Vec<Relations> {
        let inputs = cluster.inputs(self.machine.codes());
        let combinations = inputs
            .iter()
            .fold(1_usize, |product, &cell| product.saturating_mul(task.get(cell).allowed.len()));
        if combinations > COMBINATIONS {
            let loose = cluster.cells.iter().map(|cell| {
                let is_lost = cluster.writes(*cell) || lost.contains(cell);
                (*cell, self.relation(task.get(*cell), *cell, None, is_lost))
            });
            return vec![loose.collect()];
        }
        let mut cases = Vec::new();
        let mut at = vec![0; inputs.len()];
        loop {
            let chosen: Vec<u32> =
                inputs.iter().zip(&at).map(|(&cell, &at)| task.get(cell).allowed[at]).collect();
            cases.extend(self.case(cluster, task, lost, &inputs, &chosen));
            let more = |place: &usize| at[*place] + 1 < task.get(inputs[*place]).allowed.len();
            let Some(place) = (0..at.len()).find(more) else { break };
            at[..place].fill(0);
            at[place] += 1;
        }
        if cluster.cells.len() == 1 || cases.len() > self.most {
            return untied(cases).into_iter().collect();
        }
        cases
    }

    /// What happens with these values of the inputs; nothing if it is not possible.
    fn case(
        &mut self,
        cluster: &Cluster<'_>,
        task: &Task,
        lost: &[usize],
        inputs: &[usize],
        chosen: &[u32],
    ) -> Option<Relations> {
        let input = |cell: usize| inputs.binary_search(&cell).ok().map(|place| chosen[place]);
        // A cell that is written but not read may keep its value: then it has the smallest one after a run that began with that, and the largest one
        // after a run that began with that.
        let smallest = self.outcome(cluster, input, |_| 0)?;
        let cells = self.cells;
        let largest = self.outcome(cluster, input, |cell| cells.size(cell) - 1)?;
        let mut case = Relations::new();
        for (place, &cell) in cluster.cells.iter().enumerate() {
            let mut access = task.get(cell).clone();
            let mut becomes = Some(smallest[place]);
            match input(cell) {
                Some(value) => access.allowed = vec![value],
                None if smallest[place] == 0 && largest[place] == cells.size(cell) - 1 => {
                    // Kept, or there is only one value anyway.
                    becomes = None;
                }
                None => {}
            }
            case.push((cell, self.relation(&access, cell, becomes, lost.contains(&cell))));
        }
        Some(case)
    }

    /// The values of the cluster's cells afterwards, when those that are not looked at have the given ones before.
    fn outcome(
        &mut self,
        cluster: &Cluster<'_>,
        input: impl Fn(usize) -> Option<u32>,
        otherwise: impl Fn(usize) -> u32,
    ) -> Option<Vec<u32>> {
        self.machine.load(self.cells.initial());
        for &cell in &cluster.cells {
            let number = input(cell).unwrap_or_else(|| otherwise(cell));
            self.machine.state_mut()[cell] = self.cells.value(cell, number);
        }
        if !cluster.conditions.iter().all(|&condition| self.holds(condition)) {
            return None;
        }
        cluster.statements.iter().try_for_each(|statement| self.execute(statement))?;
        let number = |&cell: &usize| self.cells.number(cell, self.machine.state()[cell]);
        cluster.cells.iter().map(number).collect()
    }

    /// Executes a statement; an update that fails is not possible, or ends the search.
    fn execute(&mut self, statement: &Statement) -> Option<()> {
        let state = self.machine.state_mut();
        let (target, value) = match statement {
            Statement::Set { target, value } => (*target, *value),
            Statement::Copy { target, source } => (*target, state[*source]),
            Statement::Add { target, by } => (*target, state[*target].wrapping_add(*by)),
            Statement::Run { code, .. } => {
                self.clock_operations.clear();
                return self.machine.run_update(*code, &mut self.clock_operations).ok();
            }
            Statement::Lose { .. } => return Some(()),
        };
        let may_be = self.cells.may_hold(target, value);
        state[target] = value;
        may_be.then_some(())
    }
}

/// What is known of the cells that a step touches.
struct Task {
    accesses: Vec<Option<Access>>,
    touched: Vec<usize>,
}

impl Task {
    fn access(&mut self, cells: &Cells, cell: usize) -> &mut Access {
        let touched = &mut self.touched;
        self.accesses[cell].get_or_insert_with(|| {
            touched.push(cell);
            Access { allowed: (0..cells.size(cell)).collect(), moves: None }
        })
    }

    fn get(&self, cell: usize) -> &Access {
        self.accesses[cell].as_ref().expect("a cell that the step touches")
    }
}

/// One label for all cases, in which the cells are not tied together.
fn untied(cases: Vec<Relations>) -> Option<Relations> {
    let mut cases = cases.into_iter();
    let mut whole = cases.next()?;
    for case in cases {
        for ((_, all), (_, relation)) in whole.iter_mut().zip(case) {
            all.extend(relation);
        }
    }
    for (_, relation) in &mut whole {
        relation.sort_unstable();
        relation.dedup();
    }
    Some(whole)
}

/// A label for every combination of the clusters' cases.
fn multiply(loose: Relations, mut cases: Vec<Vec<Relations>>, most: usize) -> Vec<Relations> {
    let labels = |cases: &[Vec<Relations>]| {
        cases.iter().fold(1_usize, |product, list| product.saturating_mul(list.len()))
    };
    while labels(&cases) > most {
        let Some(longest) = cases.iter_mut().max_by_key(|list| list.len()) else { break };
        *longest = untied(std::mem::take(longest)).into_iter().collect();
    }
    let mut labels = vec![loose];
    for list in cases {
        let with = |label: &Relations| {
            let label = label.clone();
            list.iter()
                .map(move |case| label.iter().chain(case).cloned().collect())
                .collect::<Vec<Relations>>()
        };
        labels = labels.iter().flat_map(with).collect();
    }
    for label in &mut labels {
        label.sort_unstable_by_key(|&(cell, _)| cell);
    }
    labels
}
