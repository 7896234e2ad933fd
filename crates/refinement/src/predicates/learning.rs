//! Predicates that exclude a run.
//!
//! The network cannot follow a run of an abstraction because some condition on data does not hold. There are two ways to say so with predicates, after each transition of the run:
//!
//! - *Sequence*: the condition, and its weakest preconditions along the run. What is false after a transition was false before it in this sense, back to the initial state.
//! - *Newton*: the strongest postconditions of the run, of the variables that the condition depends on there: each has the one value that the run gives it.
//!
//! Either way the initial cube contains the first of them, each implies the next, and the last contradicts the condition. So no cube admits the run any more, provided that the predicates could be written down.

use super::predicate::Predicate;
use super::transfer::update;
use crate::dependencies::Dependencies;
use guidepost_explore::Packing;
use guidepost_network::{Code, EdgeId, Goal, Machine, Network, VarId};
use std::str::FromStr;

/// How predicates, or variables, are found that exclude a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Interpolants {
    /// Weakest preconditions of what does not hold.
    #[default]
    Sequence,
    /// Strongest postconditions of what it depends on.
    Newton,
}

impl FromStr for Interpolants {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "sequence" => Ok(Interpolants::Sequence),
            "newton" => Ok(Interpolants::Newton),
            _ => Err(()),
        }
    }
}

/// A condition on data that does not hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dead {
    /// After so many transitions of the run.
    pub(crate) after: usize,
    pub(crate) condition: Code,
    /// The goal that it belongs to, if it is not of the network.
    pub(crate) goal: Option<usize>,
}

/// Finds predicates.
pub(crate) struct Learner<'n> {
    network: &'n Network,
    goals: &'n [Goal],
    dependencies: Dependencies,
    machine: Machine<'n>,
}

impl<'n> Learner<'n> {
    pub(crate) fn new(network: &'n Network, goals: &'n [Goal]) -> Self {
        Self {
            network,
            goals,
            dependencies: Dependencies::new(network, goals, &Packing::new(network)),
            machine: Machine::for_goals(&network.program, goals),
        }
    }

    /// Predicates that exclude a run, by its edges, each with the number of transitions before the node that it is about.
    pub(crate) fn exclude(
        &mut self,
        run: &[Vec<EdgeId>],
        dead: Dead,
        interpolants: Interpolants,
    ) -> Vec<(Predicate, usize)> {
        match interpolants {
            Interpolants::Sequence => self.preconditions(&run[..dead.after], dead),
            Interpolants::Newton => self.postconditions(&run[..dead.after], dead),
        }
    }

    /// A condition as a predicate; `None` when it cannot be written down.
    pub(crate) fn predicate(&mut self, condition: Code, goal: Option<usize>) -> Option<Predicate> {
        if let Some(goal) = goal {
            self.machine.attach(&self.goals[goal].segment);
        }
        let footprint = self.machine.codes().footprint(condition);
        if !footprint.locations.is_empty() {
            return None;
        }
        self.tabulate(&footprint.reads, |_, machine| machine.eval(condition).is_ok_and(|value| value != 0))
    }

    fn tabulate(
        &mut self,
        variables: &[VarId],
        holds: impl Fn(&Network, &mut Machine<'n>) -> bool,
    ) -> Option<Predicate> {
        let (network, machine) = (self.network, &mut self.machine);
        let cells = network.initial_cells();
        Predicate::tabulate(network, variables, |values| {
            machine.load(&cells);
            for (variable, &value) in variables.iter().zip(values) {
                machine.variables_mut()[variable.index()] = value;
            }
            holds(network, machine)
        })
    }

    fn preconditions(&mut self, run: &[Vec<EdgeId>], dead: Dead) -> Vec<(Predicate, usize)> {
        let mut all = Vec::new();
        let mut predicate = self.predicate(dead.condition, dead.goal);
        for (at, edges) in run.iter().enumerate().rev() {
            let Some(after) = predicate else { return all };
            predicate = self.before(&after, edges);
            all.push((after, at + 1));
        }
        all.extend(predicate.map(|predicate| (predicate, 0)));
        all
    }

    /// What must hold before some edges for a predicate to hold afterwards.
    fn before(&mut self, predicate: &Predicate, edges: &[EdgeId]) -> Option<Predicate> {
        let codes = self.network.program.codes();
        let updates = edges.iter().filter_map(|edge| self.network.edges[edge.index()].update);
        let hooks = [self.network.before_update, self.network.after_update].into_iter().flatten();
        let footprints: Vec<_> = updates.chain(hooks).map(|code| codes.footprint(code)).collect();
        if !footprints.iter().flat_map(|own| &own.writes).any(|variable| predicate.support.contains(variable))
        {
            return Some(predicate.clone());
        }
        if footprints.iter().any(|footprint| !footprint.locations.is_empty()) {
            return None;
        }
        let variables = self.dependencies.variables_before(edges, &predicate.support);
        self.tabulate(&variables, |network, machine| {
            update(network, edges, machine) && predicate.holds(network, machine.variables())
        })
    }

    fn postconditions(&mut self, run: &[Vec<EdgeId>], dead: Dead) -> Vec<(Predicate, usize)> {
        if let Some(goal) = dead.goal {
            self.machine.attach(&self.goals[goal].segment);
        }
        let mut depends = vec![self.machine.codes().reads(dead.condition)];
        for edges in run.iter().rev() {
            let after = depends.last().map_or(&[][..], Vec::as_slice);
            depends.push(self.dependencies.variables_before(edges, after));
        }
        let mut all = Vec::new();
        let mut cells = self.network.initial_cells();
        for (at, variables) in depends.iter().rev().enumerate() {
            for &variable in variables {
                let own = cells[self.network.processes.len() + variable.index()];
                let predicate = Predicate::tabulate(self.network, &[variable], |values| values[0] == own);
                all.extend(predicate.map(|predicate| (predicate, at)));
            }
            let Some(edges) = run.get(at) else { break };
            self.machine.load(&cells);
            if !update(self.network, edges, &mut self.machine) {
                break;
            }
            cells.copy_from_slice(self.machine.state());
            for edge in edges.iter().map(|edge| &self.network.edges[edge.index()]) {
                cells[edge.process.index()] = edge.target.0 as i32;
            }
        }
        all
    }
}
