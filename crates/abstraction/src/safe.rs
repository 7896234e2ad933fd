//! Safe symbols: those that can be brought into any state at any time, without help and without side effects (Wehrle and Helmert: *The Causal Graph
//! Revisited for Directed Model Checking*, 2009). A path of the abstraction without them can always be turned into one of the original, so they
//! are the first that one leaves out of a pattern.
//!
//! A process is safe if the edges that move it are independent of everything else and connect all of its locations; an input that its driver sets freely is
//! safe in the same way.

use crate::structure::{EdgeFacts, Structure, reads, writes};
use crate::symbols::{Symbol, SymbolSet};
use guidepost_network::{LocationId, Machine, Network, Sync};

/// The values of a variable are only looked at one by one if there are at most this many.
const VALUES: i64 = 4096;

impl Structure {
    /// The safe processes and variables, and processes that do nothing but set safe variables.
    pub fn safe_symbols(&self, network: &Network) -> SymbolSet {
        let mut safe = SymbolSet::empty(network);
        if !self.hooks.is_empty() {
            return safe;
        }
        for (index, variable) in (0..).zip(&network.variables) {
            let symbol = Symbol::Variable(guidepost_network::VarId(index));
            if !variable.meta && self.is_safe_variable(network, symbol) {
                safe.insert(symbol);
            }
        }
        for (index, process) in (0..).zip(&network.processes) {
            let edges = &self.edges[process.edges.start as usize..process.edges.end as usize];
            let drives = |facts: &EdgeFacts| {
                facts.steps.iter().flat_map(writes).all(|symbol| safe.contains(symbol))
                    && facts.channels.is_empty()
                    && !facts.is_joined
            };
            let stands_still = edges.iter().all(|facts| !facts.moves && drives(facts));
            if stands_still || is_safe_process(network, self, index as usize) {
                safe.insert(Symbol::Process(guidepost_network::ProcessId(index)));
            }
        }
        safe
    }

    /// Whether all edges that change a variable change nothing else and need nothing else, and lead back from every value they lead to.
    fn is_safe_variable(&self, network: &Network, symbol: Symbol) -> bool {
        let Symbol::Variable(id) = symbol else { return false };
        let variable = &network.variables[id.index()];
        let values = i64::from(variable.max) - i64::from(variable.min) + 1;
        if values > VALUES {
            return false;
        }
        let mut changing = Vec::new();
        for (index, facts) in self.edges.iter().enumerate() {
            if !facts.steps.iter().flat_map(writes).any(|written| written == symbol) {
                continue;
            }
            let own = |other: Symbol| other == symbol;
            let alone = !facts.moves
                && matches!(network.edges[index].sync, Sync::Internal)
                && facts.guard.iter().all(|read| own(*read))
                && facts.steps.iter().all(|step| writes(step).all(own) && reads(step).all(own));
            if !alone {
                return false;
            }
            changing.push(index);
        }
        // An edge must be possible where the process is; one place for all of them is what drivers have.
        let source = changing.first().map(|&index| network.edges[index].source);
        if changing.iter().any(|&index| Some(network.edges[index].source) != source)
            || source.is_some_and(|at| !is_only_location(network, at))
        {
            return false;
        }
        !changing.is_empty() && connects_values(network, id.index(), &changing)
    }
}

fn is_only_location(network: &Network, at: LocationId) -> bool {
    let location = &network.locations[at.index()];
    let process = &network.processes[location.process.index()];
    process.locations.len() == 1
        && location.data_invariant.is_empty()
        && location.clock_invariant.is_empty()
        && location.outgoing.len() == process.edges.len()
}

/// Whether the edges lead back from every value of a variable that they lead to.
fn connects_values(network: &Network, variable: usize, edges: &[usize]) -> bool {
    let cell = network.processes.len() + variable;
    let (min, max) = (network.variables[variable].min, network.variables[variable].max);
    let mut machine = Machine::new(&network.program);
    let mut cells = network.initial_cells();
    let mut next = |value: i32| -> Option<Vec<u32>> {
        let mut reached = Vec::new();
        for &index in edges {
            let edge = &network.edges[index];
            cells[cell] = value;
            machine.load(&cells);
            if !machine.holds(&edge.data_guard).ok()? {
                continue;
            }
            if let Some(update) = edge.update {
                machine.run_update(update, &mut Vec::new()).ok()?;
            }
            reached.push((i64::from(machine.state()[cell]) - i64::from(min)) as u32);
        }
        Some(reached)
    };
    let successors: Option<Vec<Vec<u32>>> = (min..=max).map(&mut next).collect();
    let initial = (i64::from(network.variables[variable].initial) - i64::from(min)) as usize;
    successors.is_some_and(|successors| comes_back(&successors, initial))
}

/// Whether the edges that move a process need nothing and change nothing else, and connect all of its locations.
fn is_safe_process(network: &Network, structure: &Structure, process: usize) -> bool {
    let own = &network.processes[process];
    let first = own.locations.start;
    let mut successors = vec![Vec::new(); own.locations.len()];
    for id in own.edges.clone() {
        let (edge, facts) = (&network.edges[id as usize], &structure.edges[id as usize]);
        if !facts.moves {
            continue;
        }
        let target = &network.locations[edge.target.index()];
        let free = target.data_invariant.is_empty() && target.clock_invariant.is_empty();
        if !free || !matches!(edge.sync, Sync::Internal) || !facts.guard.is_empty() || !facts.steps.is_empty()
        {
            return false;
        }
        successors[(edge.source.0 - first) as usize].push(edge.target.0 - first);
    }
    let initial = (own.initial.0 - first) as usize;
    successors.len() > 1 && comes_back(&successors, initial)
}

/// Whether there is more than one node to go to, and a way back from each.
fn comes_back(successors: &[Vec<u32>], initial: usize) -> bool {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (from, list) in (0..).zip(successors) {
        for &to in list {
            predecessors[to as usize].push(from);
        }
    }
    let (forward, backward) = (reached(successors, initial), reached(&predecessors, initial));
    let count = forward.iter().filter(|reached| **reached).count();
    count > 1 && forward.iter().zip(&backward).all(|(forward, backward)| !forward || *backward)
}

fn reached(next: &[Vec<u32>], initial: usize) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    let mut open = vec![initial as u32];
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node as usize], true) {
            open.extend(&next[node as usize]);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::symbols_named;

    fn safe(text: &str) -> Vec<String> {
        let loaded = guidepost_language::load_text("test.xta", text);
        let network = guidepost_network::build(&loaded.model).0.expect("a network");
        let safe = Structure::new(&network).safe_symbols(&network);
        safe.iter().map(|symbol| crate::name_of(&network, symbol).to_owned()).collect()
    }

    #[test]
    fn inputs_and_their_drivers_are_safe() {
        let text = "bool on; int[0,2] level; clock x;
            process P() { state A, B; init A; trans A -> B { guard on && level > 1; assign x = 0; }; }
            process Switch() { state S; init S; trans S -> S { assign on = !on; }; }
            process Level() { state L; init L; trans L -> L { guard level < 2; assign level++; }, L -> L { guard level > 0; assign level--; }; }
            system P, Switch, Level;";
        assert_eq!(safe(text), ["Switch", "Level", "on", "level"]);
    }

    #[test]
    fn one_way_changes_and_shared_effects_are_not() {
        let text = "bool on; int[0,2] level; bool other; chan c;
            process Once() { state S; init S; trans S -> S { assign on = true; }; }
            process Both() { state L; init L; trans L -> L { guard level < 2; assign level++, other = true; }, L -> L { guard level > 0; assign level--; }; }
            process Partner() { state A, B; init A; trans A -> B { sync c!; }, B -> A { sync c?; }; }
            process Free() { state A, B; init A; trans A -> B { }, B -> A { }; }
            process Stuck() { state A, B; init A; trans A -> B { }; }
            system Once, Both, Partner, Free, Stuck;";
        assert_eq!(safe(text), ["Free"]);
    }

    #[test]
    fn names_stand_for_all_their_parts() {
        let text = "int a[2]; int ab; clock P_x; process P(const int[1,2] id) { clock x; int v; state A; init A; } system P;";
        let loaded = guidepost_language::load_text("test.xta", text);
        let network = guidepost_network::build(&loaded.model).0.expect("a network");
        let named = |name: &str| -> Vec<String> {
            symbols_named(&network, name).iter().map(|s| crate::name_of(&network, *s).to_owned()).collect()
        };
        assert_eq!(named("a"), ["a[0]", "a[1]"]);
        assert_eq!(named("a[1]"), ["a[1]"]);
        assert_eq!(named("P(1)"), ["P(1)", "P(1).x", "P(1).v"]);
        assert_eq!(named("P").len(), 6);
        assert!(named("nothing").is_empty());
    }
}
