//! Trying out values of hidden variables.
//!
//! A trial begins with the variables that a question depends on. What is known about these, literals of a cube and conditions that must hold, is taken into account with whatever other variables it mentions, as long as
//! there are not too many combinations. To leave something out is to try out more than is possible, and so to know less.

use super::predicate::{Predicate, combinations, size};
use guidepost_network::{Code, Machine, Network, VarId};
use std::ops::ControlFlow;

/// A condition that must hold.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) code: Code,
    /// The hidden variables it reads.
    pub(crate) reads: Vec<VarId>,
}

/// What is known before something is tried out.
#[derive(Clone, Copy)]
pub(crate) struct Known<'k> {
    pub(crate) network: &'k Network,
    /// By variable.
    pub(crate) hidden: &'k [bool],
    /// Locations and variables; the values of hidden ones mean nothing.
    pub(crate) cells: &'k [i32],
    pub(crate) literals: &'k [(&'k Predicate, bool)],
    pub(crate) conditions: &'k [Condition],
}

/// Values that are to be tried out.
pub(crate) struct Trial<'k> {
    known: Known<'k>,
    variables: Vec<VarId>,
    domains: Vec<Vec<i32>>,
    literals: Vec<&'k (&'k Predicate, bool)>,
    /// Which conditions are taken into account.
    pub(crate) considers: Vec<bool>,
}

impl<'k> Trial<'k> {
    /// Begins with some hidden variables; `None`: they have too many values.
    pub(crate) fn new(known: Known<'k>, variables: &[VarId]) -> Option<Self> {
        let mut trial = Self {
            known,
            variables: Vec::new(),
            domains: Vec::new(),
            literals: Vec::new(),
            considers: vec![false; known.conditions.len()],
        };
        if !trial.add(variables) {
            return None;
        }
        while trial.grow() {}
        Some(trial)
    }

    /// Adds variables, if that does not make too many combinations.
    fn add(&mut self, variables: &[VarId]) -> bool {
        let new: Vec<VarId> =
            variables.iter().copied().filter(|variable| !self.variables.contains(variable)).collect();
        let domains: Vec<Vec<i32>> = new.iter().map(|&variable| self.domain(variable)).collect();
        let fits = combinations(self.domains.iter().chain(&domains).map(Vec::len)).is_some();
        if fits {
            self.variables.extend(new);
            self.domains.extend(domains);
        }
        fits
    }

    /// The values of a variable that literals about it alone leave.
    fn domain(&self, variable: VarId) -> Vec<i32> {
        let is_alone = |(predicate, _): &&(&Predicate, bool)| *predicate.support == [variable];
        let literals: Vec<_> = self.known.literals.iter().filter(is_alone).collect();
        let possible =
            |offset: &usize| literals.iter().all(|(predicate, value)| predicate.is_in(*offset) == *value);
        let least = self.known.network.variables[variable.index()].min;
        let offsets = (0..size(self.known.network, variable)).filter(possible);
        offsets.map(|offset| least.wrapping_add(offset as i32)).collect()
    }

    /// Takes one more thing that is known into account.
    fn grow(&mut self) -> bool {
        for at in 0..self.known.conditions.len() {
            let reads = &self.known.conditions[at].reads;
            let is_near = reads.iter().any(|variable| self.variables.contains(variable));
            if is_near && !self.considers[at] && self.add(reads) {
                self.considers[at] = true;
                return true;
            }
        }
        for literal in self.known.literals {
            let support = literal.0.support.iter().copied();
            let hidden: Vec<VarId> = support.filter(|variable| self.known.hidden[variable.index()]).collect();
            let is_near = hidden.iter().any(|variable| self.variables.contains(variable));
            let is_in = self.literals.iter().any(|own| std::ptr::eq(*own, literal));
            if is_near && !is_in && literal.0.support.len() > 1 && self.add(&hidden) {
                self.literals.push(literal);
                return true;
            }
        }
        false
    }

    /// Whether some hidden variables are all tried out.
    pub(crate) fn includes(&self, variables: &[VarId]) -> bool {
        variables.iter().all(|variable| self.variables.contains(variable))
    }

    /// Loads all combinations of values into a machine that satisfy what is known, one after the other.
    pub(crate) fn run(
        &self,
        machine: &mut Machine<'_>,
        mut visit: impl FnMut(&mut Machine<'_>) -> ControlFlow<()>,
    ) {
        if self.domains.iter().any(Vec::is_empty) {
            return;
        }
        let mut at = vec![0; self.domains.len()];
        loop {
            machine.load(self.known.cells);
            for ((&variable, domain), &at) in self.variables.iter().zip(&self.domains).zip(&at) {
                machine.variables_mut()[variable.index()] = domain[at];
            }
            if self.admits(machine) && visit(machine).is_break() {
                return;
            }
            let Some(next) = (0..at.len()).find(|&place| at[place] + 1 < self.domains[place].len()) else {
                return;
            };
            at[next] += 1;
            at[..next].fill(0);
        }
    }

    /// Whether the values in a machine satisfy what is known. A condition that cannot be evaluated does not hold: either one that stands before it does not, or the model fails.
    fn admits(&self, machine: &mut Machine<'_>) -> bool {
        let network = self.known.network;
        let is_so = |(predicate, value): &&(&Predicate, bool)| {
            predicate.holds(network, machine.variables()) == *value
        };
        if !self.literals.iter().copied().all(|literal| is_so(&literal)) {
            return false;
        }
        let conditions =
            self.known.conditions.iter().zip(&self.considers).filter(|(_, considers)| **considers);
        conditions
            .into_iter()
            .all(|(condition, _)| machine.eval(condition.code).is_ok_and(|value| value != 0))
    }

    /// Whether some values satisfy what is known.
    pub(crate) fn is_possible(&self, machine: &mut Machine<'_>) -> bool {
        let mut possible = false;
        self.run(machine, |_| {
            possible = true;
            ControlFlow::Break(())
        });
        possible
    }
}
