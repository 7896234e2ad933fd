//! Where a process stands in its program: its location, and what its counters say.
//!
//! Many automata keep a part of their control in variables: `pc == 1` stands in the guards, `pc := 2` in the updates, and a single location has the whole cycle of a controller. What holds *at a location* is little
//! then. So small variables that only the process itself writes, and that its guards test against nothing else, count as a part of where it is: a *node* is a location with one value for each of them. An edge leaves those nodes of its
//! source in which no test of its guard fails, and enters the nodes that its update may lead to.
//!
//! What is said of nodes is true of states because nobody else can change the values: neither other processes nor the updates that come with every transition.

use guidepost_network::{Code, Edge, Machine, Network, Process, Shape, VarId};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

/// Values of the counters of one process, combined: at most so many, since they are bits of a word.
const MOST_VALUES: u32 = u64::BITS;

/// A set of combinations of values of a process's counters.
type Values = u64;

/// A variable that is a part of where its process is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counter {
    variable: VarId,
    cell: usize,
    min: i32,
    size: u32,
    /// By how much the number of a combination grows with the value.
    stride: u32,
}

impl Counter {
    /// Its share of the number of a combination.
    #[inline]
    fn share(self, value: i32) -> u32 {
        debug_assert!(self.has(value), "a value of its own");
        (value - self.min) as u32 * self.stride
    }

    /// Whether it can have a value.
    fn has(self, value: i32) -> bool {
        (self.min..=self.min + (self.size - 1) as i32).contains(&value)
    }

    /// Its value in a combination.
    fn value(self, combination: u32) -> i32 {
        self.min + (combination / self.stride % self.size) as i32
    }
}

/// The nodes of one process.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    pub(crate) process: usize,
    /// The number of the first node of its first location, and that location.
    first: usize,
    first_location: usize,
    /// How many nodes each location has.
    pub(crate) values: u32,
    counters: Vec<Counter>,
}

impl Nodes {
    /// The node of a combination of values at a location.
    pub(crate) fn at(&self, location: usize, combination: u32) -> usize {
        self.first + (location - self.first_location) * self.values as usize + combination as usize
    }

    /// All nodes of the process.
    pub(crate) fn all(&self, network: &Network) -> Range<usize> {
        self.first..self.first + network.processes[self.process].locations.len() * self.values as usize
    }

    /// Where the process is in a state.
    #[inline]
    pub(crate) fn of(&self, cells: &[i32]) -> usize {
        let combination = self.counters.iter().map(|counter| counter.share(cells[counter.cell])).sum();
        self.at(cells[self.process] as usize, combination)
    }
}

/// What an edge has to do with the nodes of its process.
#[derive(Debug)]
pub(crate) struct Passage {
    /// The combinations in which no test of its guard fails.
    pub(crate) open: Values,
    /// Combinations in which a test fails, with the counter that it looks at: one failure is reason enough.
    pub(crate) closed: Vec<(VarId, Values)>,
    steps: Vec<(Counter, Step)>,
    all: Values,
}

/// What an edge does to a counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Keep,
    Set(i32),
    Add(i32),
    Any,
}

impl Passage {
    /// The combinations to which one may lead.
    pub(crate) fn next(&self, combination: u32) -> Values {
        let mut next = self.all;
        for &(counter, step) in &self.steps {
            let now = counter.value(combination);
            let wanted = match step {
                Step::Keep => now,
                Step::Set(value) => value,
                Step::Add(by) => now.saturating_add(by),
                Step::Any => continue,
            };
            // What fails is left to whoever looks for errors; nothing is said about what comes after.
            if counter.has(wanted) {
                next &= select(self.all, |other| counter.value(other) == wanted);
            }
        }
        next
    }
}

/// The combinations of a set of which something is true.
fn select(of: Values, mut is_so: impl FnMut(u32) -> bool) -> Values {
    members(of).filter(|&combination| is_so(combination)).fold(0, |set, combination| set | 1 << combination)
}

/// The combinations of a set.
pub(crate) fn members(mut values: Values) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let first = (values != 0).then(|| values.trailing_zeros())?;
        values &= values - 1;
        Some(first)
    })
}

/// The nodes of all processes.
#[derive(Debug)]
pub(crate) struct Control {
    /// By process.
    pub(crate) nodes: Vec<Nodes>,
    /// By edge.
    pub(crate) passages: Vec<Passage>,
    /// Nodes in all.
    pub(crate) len: usize,
}

impl Control {
    /// The nodes of a network; locations alone where `most` nodes of all edges would not be enough otherwise.
    pub(crate) fn new(network: &Network, most: usize) -> Self {
        let tests: Vec<Vec<Test>> = network.edges.iter().map(|edge| tests_of(network, edge)).collect();
        let found = counters(network, &tests);
        let of_edge = |edge: &Edge| combinations(&found[edge.process.index()]) as usize;
        let is_too_large = network.edges.iter().map(of_edge).sum::<usize>() > most;
        let counters = if is_too_large { vec![Vec::new(); found.len()] } else { found };
        let mut len = 0;
        let mut nodes = Vec::new();
        for (process, counters) in counters.into_iter().enumerate() {
            let locations = &network.processes[process].locations;
            let values = combinations(&counters);
            nodes.push(Nodes {
                process,
                first: len,
                first_location: locations.start as usize,
                values,
                counters,
            });
            len += locations.len() * values as usize;
        }
        let mut machine = Machine::new(&network.program);
        let passages = network.edges.iter().zip(&tests);
        let passages = passages
            .map(|(edge, tests)| passage(&mut machine, network, edge, tests, &nodes[edge.process.index()]))
            .collect();
        Self { nodes, passages, len }
    }

    /// By node: whether its process may come there, as far as its own edges say.
    pub(crate) fn reachable(&self, network: &Network) -> Vec<bool> {
        let mut reachable = vec![false; self.len];
        for nodes in &self.nodes {
            self.reach(network, nodes, &mut reachable);
        }
        reachable
    }

    fn reach(&self, network: &Network, nodes: &Nodes, reachable: &mut [bool]) {
        let start = network.processes[nodes.process].initial.index();
        let initial = |counter: &Counter| counter.share(network.variables[counter.variable.index()].initial);
        let combination = nodes.counters.iter().map(initial).sum();
        reachable[nodes.at(start, combination)] = true;
        let mut open = vec![(start, combination)];
        while let Some((location, combination)) = open.pop() {
            for edge in network.locations[location].outgoing.clone() {
                let (passage, target) = (&self.passages[edge as usize], network.edges[edge as usize].target);
                if passage.open & (1 << combination) == 0 {
                    continue;
                }
                for next in members(passage.next(combination)) {
                    let node = nodes.at(target.index(), next);
                    if !std::mem::replace(&mut reachable[node], true) {
                        open.push((target.index(), next));
                    }
                }
            }
        }
    }
}

/// How many combinations of values some counters have.
fn combinations(counters: &[Counter]) -> u32 {
    counters.iter().map(|counter| counter.size).product()
}

/// All combinations of values of some counters.
fn all(counters: &[Counter]) -> Values {
    Values::MAX >> (Values::BITS - combinations(counters))
}

/// The counters of each process; `tests` are those of each edge.
fn counters(network: &Network, tests: &[Vec<Test>]) -> Vec<Vec<Counter>> {
    let owners = owners(network);
    let of_process = |(index, process): (usize, &Process)| {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        let tests = process.edges.clone().flat_map(|edge| &tests[edge as usize]);
        for variable in tests.map(|test| test.variable.index()) {
            if owners[variable] == Owner::One(index) {
                *counts.entry(variable).or_default() += 1;
            }
        }
        let mut candidates: Vec<usize> = counts.keys().copied().collect();
        candidates.sort_by_key(|variable| Reverse(counts[variable]));
        choose(network, &candidates)
    };
    network.processes.iter().enumerate().map(of_process).collect()
}

/// Those of some variables whose values can be combined, the first ones first.
fn choose(network: &Network, candidates: &[usize]) -> Vec<Counter> {
    let mut counters = Vec::new();
    for &index in candidates {
        let variable = &network.variables[index];
        let size = i64::from(variable.max) - i64::from(variable.min) + 1;
        let stride = combinations(&counters);
        if !variable.meta && size * i64::from(stride) <= i64::from(MOST_VALUES) {
            let (variable, cell, min) = (VarId(index as u32), network.processes.len() + index, variable.min);
            counters.push(Counter { variable, cell, min, size: size as u32, stride });
        }
    }
    counters
}

/// Who writes a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Nobody,
    One(usize),
    Several,
}

/// By variable: whose it is.
fn owners(network: &Network) -> Vec<Owner> {
    let mut owners = vec![Owner::Nobody; network.variables.len()];
    for edge in &network.edges {
        for variable in edge.update.into_iter().flat_map(|update| network.program.writes(update)) {
            let owner = &mut owners[variable.index()];
            *owner = match *owner {
                Owner::Nobody => Owner::One(edge.process.index()),
                Owner::One(process) if process == edge.process.index() => continue,
                Owner::One(_) | Owner::Several => Owner::Several,
            };
        }
    }
    for hook in [network.before_update, network.after_update].into_iter().flatten() {
        for variable in network.program.writes(hook) {
            owners[variable.index()] = Owner::Several;
        }
    }
    owners
}

/// A condition that looks at a single variable and nothing else.
#[derive(Clone, Copy, Debug)]
struct Test {
    code: Code,
    variable: VarId,
}

/// The tests of an edge's guard. None where the guard can fail to be evaluated: whether it does must not depend on what is left out.
fn tests_of(network: &Network, edge: &Edge) -> Vec<Test> {
    let codes = network.program.codes();
    if edge.condition_codes().any(|code| codes.may_fail(code)) {
        return Vec::new();
    }
    let first = network.processes.len();
    let test = |&code: &Code| match codes.cells_read(code)[..] {
        [cell] if cell >= first => Some(Test { code, variable: VarId((cell - first) as u32) }),
        _ => None,
    };
    edge.data_guard.iter().filter_map(test).collect()
}

fn passage(
    machine: &mut Machine<'_>,
    network: &Network,
    edge: &Edge,
    tests: &[Test],
    nodes: &Nodes,
) -> Passage {
    let all = all(&nodes.counters);
    let (mut open, mut closed) = (all, Vec::new());
    // Those that are tested most come first, and say where the process is.
    for &counter in &nodes.counters {
        for test in tests.iter().filter(|test| test.variable == counter.variable) {
            let passed = select(open, |combination| {
                machine.state_mut()[counter.cell] = counter.value(combination);
                // Whatever cannot be evaluated is not excluded.
                machine.eval(test.code) != Ok(0)
            });
            closed.push((test.variable, open & !passed));
            open = passed;
        }
    }
    let steps =
        nodes.counters.iter().map(|&counter| (counter, step_of(network, edge, counter.variable))).collect();
    Passage { open, closed, steps, all }
}

/// What an edge does to a variable.
fn step_of(network: &Network, edge: &Edge, variable: VarId) -> Step {
    let Some(update) = edge.update else { return Step::Keep };
    if !network.program.writes(update).contains(&variable) {
        return Step::Keep;
    }
    let Some(shapes) = network.program.shapes(update) else { return Step::Any };
    let then = |step, shape: &Shape| match (*shape, step) {
        (Shape::AssignConst { var, value }, _) if var == variable => Step::Set(value),
        (Shape::AssignVar { var, .. }, _) if var == variable => Step::Any,
        (Shape::Increment { var, by }, _) if var == variable => match step {
            Step::Keep => Step::Add(by),
            Step::Add(before) => Step::Add(before.saturating_add(by)),
            Step::Set(value) => Step::Set(value.saturating_add(by)),
            Step::Any => Step::Any,
        },
        _ => step,
    };
    shapes.iter().fold(Step::Keep, then)
}
