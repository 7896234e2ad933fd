//! Variables that cannot influence a question are left out of states.
//!
//! A variable *matters* if a condition reads it (a guard, an invariant, a channel's index, a rate, the goal), or if an assignment reads it that
//! writes one that matters or sets a clock, or if an update reads it that pays, or may fail or wrap around, of which the user wants to hear. All others are written and never looked at, except to write them again. States that
//! differ in those alone have the same transitions into states that differ in those alone, with the same clocks: they are bisimilar, and the first that is found stands for all of them. So
//! the explorer gives such variables their initial value in every state. Runs are replayed in the network as it is, with all its variables.
//!
//! Searches work on a network without the processes that cannot influence the question (`abstraction/src/bystanders.rs`): so a variable that only these look at is among those that do not matter.

use guidepost_network::{ClockConstraint, Code, Edge, Footprint, Goal, Location, Network, VarId, Variable};

/// The cells that do not matter, with the values that they get.
pub(crate) fn idle_cells(network: &Network, goals: &[&Goal]) -> Vec<(usize, i32)> {
    let first = network.processes.len();
    let cell = |id: VarId| (first + id.index(), network.variables[id.index()].initial);
    idle_variables(network, goals).into_iter().map(cell).collect()
}

/// The variables that do not matter.
pub fn idle_variables(network: &Network, goals: &[&Goal]) -> Vec<VarId> {
    let mut slice = Slice { network, matters: vec![false; network.variables.len()] };
    slice.add_conditions();
    for goal in goals {
        slice.add_variables(&goal_reads(network, goal));
    }
    let updates: Vec<Code> = network.edges.iter().filter_map(|edge| edge.update).collect();
    for hook in [network.before_update, network.after_update].into_iter().flatten() {
        slice.add(hook);
        slice.add_variables(&network.program.writes(hook));
    }
    let codes = network.program.codes();
    let mut open: Vec<Footprint> = Vec::new();
    for &update in &updates {
        if codes.is_silent(update) {
            let listing = codes.listing(update);
            for term in listing.terms() {
                let footprint = listing.footprint(term);
                if listing.clock_effects(term).is_empty() {
                    open.push(footprint);
                } else {
                    slice.add_variables(&footprint.reads);
                }
            }
        } else {
            slice.add(update);
        }
    }
    while slice.absorb(&mut open) {}
    let idle = |(id, variable): &(VarId, &Variable)| !slice.matters[id.index()] && !variable.meta;
    (0..).map(VarId).zip(&network.variables).filter(idle).map(|(id, _)| id).collect()
}

struct Slice<'n> {
    network: &'n Network,
    matters: Vec<bool>,
}

impl Slice<'_> {
    fn add_variables(&mut self, variables: &[VarId]) {
        for variable in variables {
            self.matters[variable.index()] = true;
        }
    }

    /// What a code reads matters.
    fn add(&mut self, code: Code) {
        self.add_variables(&self.network.program.reads(code));
    }

    fn add_conditions(&mut self) {
        let network = self.network;
        for location in &network.locations {
            self.add_variables(&location_reads(network, location));
        }
        for edge in &network.edges {
            self.add_variables(&condition_reads(network, edge));
        }
    }

    /// Adds what assignments read that write something that matters; says whether there were any.
    fn absorb(&mut self, open: &mut Vec<Footprint>) -> bool {
        let before = open.len();
        let matters = &mut self.matters;
        open.retain(|assignment| {
            let is_absorbed = assignment.writes.iter().any(|variable| matters[variable.index()]);
            if is_absorbed {
                for variable in &assignment.reads {
                    matters[variable.index()] = true;
                }
            }
            !is_absorbed
        });
        open.len() < before
    }
}

/// Variables that staying in a location depends on.
pub(crate) fn location_reads(network: &Network, location: &Location) -> Vec<VarId> {
    location.codes().flat_map(|code| network.program.reads(code)).collect()
}

/// Variables that taking an edge depends on.
pub(crate) fn condition_reads(network: &Network, edge: &Edge) -> Vec<VarId> {
    edge.condition_codes().flat_map(|code| network.program.reads(code)).collect()
}

/// Variables that a goal depends on.
pub(crate) fn goal_reads(network: &Network, goal: &Goal) -> Vec<VarId> {
    let codes = goal.codes(&network.program);
    let of_clocks = goal.clocks.iter().flat_map(ClockConstraint::codes);
    goal.data.iter().copied().chain(of_clocks).flat_map(|code| codes.reads(code)).collect()
}
