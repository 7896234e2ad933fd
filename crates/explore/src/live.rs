//! Variables whose value nobody will look at again are forgotten.
//!
//! A process at a [node](crate::control) *may look at* a variable if there is a way through its automaton, from there on, on which the variable is read before the process itself has written it for certain. Where no process may look at
//! a variable, whoever reads it next has written it before, so that the present value makes no difference: two states that differ in such variables alone have the same transitions, into states of which the same is
//! true, and the first that is found stands for both. Writes of other processes could only make more variables dead; they are not looked at. Conditions are read where they are evaluated: guards and the indices of channels at
//! the source of the edge, invariants and rates at the location. Where a counter alone excludes an edge, only the counter is read. What goals, deadlock included, and the updates before and after all others read is never dead.
//!
//! Temporaries, selected values and the contents of messages that were delivered are of this kind (Bozga, Fernandez, Ghirvu, *State space reduction based on live variables analysis*, 1999).

use crate::control::{Control, Nodes, Passage, members};
use crate::slice::{condition_reads, goal_reads, location_reads};
use guidepost_network::{Edge, Goal, Network, VarId};

/// A set of variables.
type Variables = Vec<u64>;

/// Sets of variables of all edges together take at most this many words; there is no analysis of networks beyond.
const MOST_WORDS: usize = 1 << 22;

/// Which of the variables that are dead somewhere may be looked at, node by node.
#[derive(Debug, Default)]
pub(crate) struct LiveVariables {
    /// The variables' cells, and the values that they get when they are dead.
    cells: Vec<(usize, i32)>,
    /// Processes that may look at some of them.
    readers: Vec<Nodes>,
    /// Words of a set of these variables.
    words: usize,
    /// By node: who may be looked at.
    live: Vec<u64>,
    /// Who may be looked at in the present state.
    present: Vec<u64>,
}

impl LiveVariables {
    /// Finds the variables of a network that are dead somewhere, `idle` ones aside.
    pub(crate) fn new(network: &Network, goals: &[&Goal], idle: &[(usize, i32)]) -> Self {
        let words = words(network);
        if network.edges.len() * words > MOST_WORDS {
            return Self::default();
        }
        let control = Control::new(network, MOST_WORDS / words.max(1));
        let live = live_variables(network, &control);
        let first = network.processes.len();
        let mut never = always_live(network, goals);
        for (cell, _) in idle {
            insert(&mut never, cell - first);
        }
        // Whatever the others do, a variable that a process may look at everywhere is not dead.
        let reachable = control.reachable(network);
        for nodes in &control.nodes {
            let mut everywhere = vec![u64::MAX; words];
            for node in nodes.all(network).filter(|&node| reachable[node]) {
                intersect(&mut everywhere, &live[node]);
            }
            unite(&mut never, &everywhere);
        }
        let variables = network.variables.iter().enumerate();
        let dead_somewhere: Vec<usize> = variables
            .filter(|(index, variable)| !contains(&never, *index) && !variable.meta)
            .map(|(index, _)| index)
            .collect();
        Self::of(network, &dead_somewhere, control, &live)
    }

    fn of(network: &Network, variables: &[usize], control: Control, live: &[Variables]) -> Self {
        let words = variables.len().div_ceil(64);
        let mut of_nodes = vec![0; words * live.len()];
        for (node, live) in live.iter().enumerate() {
            let row = &mut of_nodes[node * words..][..words];
            for (place, &variable) in variables.iter().enumerate() {
                if contains(live, variable) {
                    row[place / 64] |= 1 << (place % 64);
                }
            }
        }
        let looks = |nodes: &Nodes| {
            let mut all = nodes.all(network);
            all.any(|node| of_nodes[node * words..][..words].iter().any(|&word| word != 0))
        };
        let first = network.processes.len();
        Self {
            cells: variables.iter().map(|&index| (first + index, network.variables[index].initial)).collect(),
            readers: control.nodes.into_iter().filter(looks).collect(),
            words,
            live: of_nodes,
            present: vec![0; words],
        }
    }

    /// How many variables are dead somewhere.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Gives variables that are dead the values that they began with.
    #[inline]
    pub(crate) fn forget(&mut self, cells: &mut [i32]) {
        if self.cells.is_empty() {
            return;
        }
        self.present.fill(0);
        for nodes in &self.readers {
            let row = nodes.of(cells) * self.words;
            unite(&mut self.present, &self.live[row..row + self.words]);
        }
        for (place, &(cell, initial)) in self.cells.iter().enumerate() {
            if !contains(&self.present, place) {
                cells[cell] = initial;
            }
        }
    }
}

/// By node: the variables that its process may look at from there on.
fn live_variables(network: &Network, control: &Control) -> Vec<Variables> {
    let mut live: Vec<Variables> = Vec::with_capacity(control.len);
    for nodes in &control.nodes {
        for location in network.processes[nodes.process].locations.clone() {
            let reads = set_of(network, location_reads(network, &network.locations[location as usize]));
            live.extend(std::iter::repeat_n(reads, nodes.values as usize));
        }
    }
    let effects: Vec<(Variables, Variables)> =
        network.edges.iter().map(|edge| effect_of(network, edge)).collect();
    look_at_counters(network, control, &mut live);
    // Against the direction of the edges, until nothing is added.
    let mut is_changing = true;
    while is_changing {
        is_changing = false;
        for (index, edge) in network.edges.iter().enumerate().rev() {
            is_changing |= carry_back(
                edge,
                &control.passages[index],
                &control.nodes[edge.process.index()],
                &effects[index],
                &mut live,
            );
        }
    }
    live
}

/// Where a counter excludes an edge, it is looked at.
fn look_at_counters(network: &Network, control: &Control, live: &mut [Variables]) {
    for (edge, passage) in network.edges.iter().zip(&control.passages) {
        let nodes = &control.nodes[edge.process.index()];
        for &(variable, closed) in &passage.closed {
            for combination in members(closed) {
                insert(&mut live[nodes.at(edge.source.index(), combination)], variable.index());
            }
        }
    }
}

/// What is seen on an edge, or behind it unless it writes that, may be looked at before it. Says whether that is new.
fn carry_back(
    edge: &Edge,
    passage: &Passage,
    nodes: &Nodes,
    (seen, written): &(Variables, Variables),
    live: &mut [Variables],
) -> bool {
    let mut is_new = false;
    for combination in members(passage.open) {
        let mut all = seen.clone();
        for next in members(passage.next(combination)) {
            let behind = &live[nodes.at(edge.target.index(), next)];
            for ((word, behind), written) in all.iter_mut().zip(behind).zip(written) {
                *word |= behind & !written;
            }
        }
        let before = &mut live[nodes.at(edge.source.index(), combination)];
        is_new |= before.iter().zip(&all).any(|(before, all)| all & !before != 0);
        unite(before, &all);
    }
    is_new
}

/// What taking an edge looks at, and what it writes for certain.
fn effect_of(network: &Network, edge: &Edge) -> (Variables, Variables) {
    let mut seen = set_of(network, condition_reads(network, edge));
    let Some(update) = edge.update else { return (seen, vec![0; words(network)]) };
    let exposure = network.program.codes().exposure(update);
    unite(&mut seen, &set_of(network, exposure.reads));
    (seen, set_of(network, exposure.writes))
}

fn always_live(network: &Network, goals: &[&Goal]) -> Variables {
    let hooks = [network.before_update, network.after_update].into_iter().flatten();
    let of_hooks = hooks.flat_map(|hook| network.program.reads(hook));
    let of_goals = goals.iter().flat_map(|goal| goal_reads(network, goal));
    set_of(network, of_hooks.chain(of_goals))
}

fn words(network: &Network) -> usize {
    network.variables.len().div_ceil(64)
}

fn set_of(network: &Network, variables: impl IntoIterator<Item = VarId>) -> Variables {
    let mut set = vec![0; words(network)];
    for variable in variables {
        insert(&mut set, variable.index());
    }
    set
}

fn insert(set: &mut [u64], index: usize) {
    set[index / 64] |= 1 << (index % 64);
}

fn contains(set: &[u64], index: usize) -> bool {
    set[index / 64] & (1 << (index % 64)) != 0
}

fn unite(set: &mut [u64], other: &[u64]) {
    for (word, other) in set.iter_mut().zip(other) {
        *word |= other;
    }
}

fn intersect(set: &mut [u64], other: &[u64]) {
    for (word, other) in set.iter_mut().zip(other) {
        *word &= other;
    }
}
