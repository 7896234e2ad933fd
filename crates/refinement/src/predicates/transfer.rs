//! What a transition makes of a cube.
//!
//! The transition is one of the network with hidden variables: who takes part is known, what is hidden is not. It is impossible if a guard, or an invariant on data of where it leads, holds for none of the values that the
//! cube allows. Otherwise each predicate that it may change, or that guards say something about, holds afterwards if it does for all values that the cube and the guards allow. Values for which the model
//! would fail lead nowhere, as in every abstraction. A receiver that was let out takes no part; it is not used that its guard does not hold.
//!
//! What was computed once is remembered, by what it depends on.

use super::cube::{get, set, words};
use super::predicate::Predicate;
use super::trial::{Condition, Known, Trial};
use crate::dependencies::Dependencies;
use guidepost_abstraction::{AbstractNetwork, SymbolSet};
use guidepost_explore::Packing;
use guidepost_network::{Code, Codes, EdgeId, Goal, Machine, Network, VarId};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// The predicates of an abstraction, and what transitions do to them.
pub(crate) struct Predicates<'n> {
    network: &'n Network,
    dependencies: Dependencies,
    /// By variable.
    hidden: &'n [bool],
    list: &'n [Predicate],
    goals: &'n [Goal],
    machine: Machine<'n>,
    abstraction: &'n AbstractNetwork,
    plans: FxHashMap<Box<[EdgeId]>, u32>,
    /// By plan.
    steps: Vec<Plan>,
    results: FxHashMap<Box<[u32]>, Option<Box<[u32]>>>,
    key: Vec<u32>,
}

/// What there is to know about a transition whatever the cube.
struct Plan {
    edges: Vec<EdgeId>,
    guards: Vec<Condition>,
    /// Invariants of where it leads, with what they depend on before.
    invariants: Vec<Condition>,
    /// Predicates that may be known differently afterwards; whether it writes one of their variables, and what they depend on before.
    affected: Vec<Affected>,
    /// Predicates that make a difference.
    relevant: Vec<usize>,
    /// Variables that are not hidden and make a difference: their cells.
    shown: Vec<usize>,
}

struct Affected {
    predicate: usize,
    is_written: bool,
    depends: Vec<VarId>,
}

impl<'n> Predicates<'n> {
    pub(crate) fn new(
        network: &'n Network,
        abstraction: &'n AbstractNetwork,
        hidden: &'n SymbolSet,
        goals: &'n [Goal],
        list: &'n [Predicate],
    ) -> Self {
        Self {
            network,
            dependencies: Dependencies::new(network, goals, &Packing::new(network)),
            hidden: &hidden.hiding().variables,
            list,
            goals,
            machine: Machine::for_goals(&network.program, goals),
            abstraction,
            plans: FxHashMap::default(),
            steps: Vec::new(),
            results: FxHashMap::default(),
            key: Vec::new(),
        }
    }

    /// How many words a cube has.
    pub(crate) fn words(&self) -> usize {
        words(self.list.len())
    }

    /// What is known at first: everything.
    pub(crate) fn initial(&self) -> Vec<u32> {
        let cells = self.network.initial_cells();
        let mut cube = vec![0; self.words()];
        for (at, predicate) in self.list.iter().enumerate() {
            set(&mut cube, at, Some(predicate.holds(self.network, &cells[self.network.processes.len()..])));
        }
        cube
    }

    /// What some edges of the abstraction make of a cube; `None`: they cannot be taken.
    pub(crate) fn after(&mut self, cells: &[i32], cube: &[u32], edges: &[EdgeId]) -> Option<Vec<u32>> {
        let plan = self.plan(edges);
        let Plan { relevant, shown, .. } = &self.steps[plan as usize];
        self.key.clear();
        self.key.push(plan);
        self.key.extend(shown.iter().map(|&cell| cells[cell] as u32));
        let start = self.key.len();
        self.key.resize(start + words(relevant.len()), 0);
        for (at, &predicate) in relevant.iter().enumerate() {
            set(&mut self.key[start..], at, get(cube, predicate));
        }
        if !self.results.contains_key(self.key.as_slice()) {
            let result = self.compute(plan, cells, cube);
            self.results.insert(self.key.as_slice().into(), result);
        }
        let result = self.results[self.key.as_slice()].as_deref()?;
        let mut after = cube.to_vec();
        for (at, affected) in self.steps[plan as usize].affected.iter().enumerate() {
            set(&mut after, affected.predicate, get(result, at));
        }
        Some(after)
    }

    /// Whether a goal may be met, as far as data say.
    pub(crate) fn admits(&mut self, cells: &[i32], cube: &[u32], goal: usize) -> bool {
        let goal = &self.goals[goal];
        let conditions = self.conditions(goal.codes(&self.network.program), &goal.data);
        self.machine.attach(&goal.segment);
        self.is_possible(cells, cube, &conditions)
    }

    fn plan(&mut self, edges: &[EdgeId]) -> u32 {
        if let Some(&plan) = self.plans.get(edges) {
            return plan;
        }
        let plan = self.make_plan(self.abstraction.taken(edges));
        let number = self.steps.len() as u32;
        self.steps.push(plan);
        self.plans.insert(edges.into(), number);
        number
    }

    fn make_plan(&self, edges: Vec<EdgeId>) -> Plan {
        let codes = self.network.program.codes();
        let own = |edge: &EdgeId| &self.network.edges[edge.index()];
        let guards: Vec<Condition> =
            edges.iter().flat_map(|edge| self.conditions(codes, &own(edge).data_guard)).collect();
        let invariants = edges.iter().flat_map(|edge| {
            self.conditions(codes, &self.network.locations[own(edge).target.index()].data_invariant)
        });
        let before = |condition: Condition| {
            let reads = self.depends_on(&edges, &codes.reads(condition.code));
            Condition { reads, ..condition }
        };
        // Locations are still those before the transition when invariants are tried out.
        let invariants = invariants.filter(|own| codes.footprint(own.code).locations.is_empty());
        let invariants: Vec<Condition> = invariants.map(before).collect();
        let mut written = vec![false; self.network.variables.len()];
        let hooks = [self.network.before_update, self.network.after_update];
        for code in edges.iter().map(|edge| own(edge).update).chain(hooks).flatten() {
            for variable in codes.writes(code) {
                written[variable.index()] = true;
            }
        }
        // What guards and invariants say carries over to whatever is connected by predicates.
        let mut tested = vec![false; self.network.variables.len()];
        for variable in guards.iter().chain(&invariants).flat_map(|condition| &condition.reads) {
            tested[variable.index()] = true;
        }
        let is_near = |predicate: &Predicate, set: &[bool]| {
            predicate.support.iter().any(|variable| self.hidden[variable.index()] && set[variable.index()])
        };
        self.connect(&mut tested);
        let mut affected = Vec::new();
        for (at, predicate) in self.list.iter().enumerate() {
            let is_written = predicate.support.iter().any(|variable| written[variable.index()]);
            if is_written || is_near(predicate, &tested) {
                let support: Vec<VarId> = predicate.support.to_vec();
                let depends =
                    if is_written { self.depends_on(&edges, &support) } else { self.only_hidden(&support) };
                affected.push(Affected { predicate: at, is_written, depends });
            }
        }
        let mut matters = tested;
        for variable in affected.iter().flat_map(|affected| &affected.depends) {
            matters[variable.index()] = true;
        }
        self.connect(&mut matters);
        let relevant: Vec<usize> =
            (0..self.list.len()).filter(|&at| is_near(&self.list[at], &matters)).collect();
        let shown = self.shown_cells(&edges, &relevant, &affected);
        Plan { edges, guards, invariants, affected, relevant, shown }
    }

    /// Adds all hidden variables that predicates connect with those of a set.
    fn connect(&self, set: &mut [bool]) {
        loop {
            let mut grows = false;
            for predicate in self.list {
                let hidden = || predicate.support.iter().filter(|variable| self.hidden[variable.index()]);
                if hidden().any(|variable| set[variable.index()]) {
                    for variable in hidden() {
                        grows |= !std::mem::replace(&mut set[variable.index()], true);
                    }
                }
            }
            if !grows {
                return;
            }
        }
    }

    /// The cells that are not hidden and that the effect of some edges may depend on.
    fn shown_cells(&self, edges: &[EdgeId], relevant: &[usize], affected: &[Affected]) -> Vec<usize> {
        let codes = self.network.program.codes();
        let mut cells: Vec<usize> = Vec::new();
        let mut read = |code: Code| cells.extend(codes.cells_read(code));
        for edge in edges.iter().map(|edge| &self.network.edges[edge.index()]) {
            edge.data_guard.iter().copied().chain(edge.update).for_each(&mut read);
            let target = &self.network.locations[edge.target.index()];
            target.data_invariant.iter().copied().for_each(&mut read);
        }
        [self.network.before_update, self.network.after_update].into_iter().flatten().for_each(read);
        let first = self.network.processes.len();
        let named = relevant.iter().copied().chain(affected.iter().map(|affected| affected.predicate));
        for predicate in named {
            cells.extend(self.list[predicate].support.iter().map(|variable| first + variable.index()));
        }
        cells.sort_unstable();
        cells.dedup();
        cells.retain(|&cell| cell < first || !self.hidden[cell - first]);
        cells
    }

    /// Conditions that say something about hidden variables.
    fn conditions(&self, codes: Codes<'_>, list: &[Code]) -> Vec<Condition> {
        let conditions =
            list.iter().map(|&code| Condition { code, reads: self.only_hidden(&codes.reads(code)) });
        conditions.filter(|condition| !condition.reads.is_empty()).collect()
    }

    fn only_hidden(&self, variables: &[VarId]) -> Vec<VarId> {
        variables.iter().copied().filter(|variable| self.hidden[variable.index()]).collect()
    }

    /// The hidden variables that the values of some variables after some edges depend on.
    fn depends_on(&self, edges: &[EdgeId], variables: &[VarId]) -> Vec<VarId> {
        let before = self.dependencies.variables_before(edges, variables);
        self.only_hidden(&before)
    }

    fn literals(&self, cube: &[u32]) -> Vec<(&'n Predicate, bool)> {
        let known = |(at, predicate): (usize, &'n Predicate)| Some((predicate, get(cube, at)?));
        self.list.iter().enumerate().filter_map(known).collect()
    }

    /// What is known afterwards of the predicates that are affected; `None`: the edges cannot be taken.
    fn compute(&mut self, plan: u32, cells: &[i32], cube: &[u32]) -> Option<Box<[u32]>> {
        let guards = std::mem::take(&mut self.steps[plan as usize].guards);
        let is_possible = self.is_possible(cells, cube, &guards);
        self.steps[plan as usize].guards = guards;
        if !is_possible {
            return None;
        }
        let plan = &self.steps[plan as usize];
        let (network, hidden) = (self.network, self.hidden);
        let literals = self.literals(cube);
        let known = Known { network, hidden, cells, literals: &literals, conditions: &plan.guards };
        for invariant in &plan.invariants {
            let Some(trial) = Trial::new(known, &invariant.reads) else { continue };
            let mut holds = false;
            trial.run(&mut self.machine, |machine| {
                holds = update(network, &plan.edges, machine)
                    && machine.eval(invariant.code).is_ok_and(|value| value != 0);
                if holds { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if !holds {
                return None;
            }
        }
        let mut result = vec![0; words(plan.affected.len())];
        for (at, affected) in plan.affected.iter().enumerate() {
            let before = get(cube, affected.predicate);
            if before.is_some() && !affected.is_written {
                set(&mut result, at, before);
                continue;
            }
            let Some(trial) = Trial::new(known, &affected.depends) else { continue };
            let invariants: Vec<Code> =
                plan.invariants.iter().filter(|own| trial.includes(&own.reads)).map(|own| own.code).collect();
            let needs_update = affected.is_written || !invariants.is_empty();
            let predicate = &self.list[affected.predicate];
            let mut seen = [false; 2];
            trial.run(&mut self.machine, |machine| {
                if needs_update && !update(network, &plan.edges, machine) {
                    return ControlFlow::Continue(());
                }
                if invariants.iter().all(|&code| machine.eval(code).is_ok_and(|value| value != 0)) {
                    seen[usize::from(predicate.holds(network, machine.variables()))] = true;
                }
                if seen == [true; 2] { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            match seen {
                [false, false] => return None,
                [true, true] => {}
                [_, holds] => set(&mut result, at, Some(holds)),
            }
        }
        Some(result.into())
    }

    /// Whether some values that a cube allows satisfy some conditions.
    fn is_possible(&mut self, cells: &[i32], cube: &[u32], conditions: &[Condition]) -> bool {
        let literals = self.literals(cube);
        let (network, hidden) = (self.network, self.hidden);
        let known = Known { network, hidden, cells, literals: &literals, conditions };
        let mut considered = vec![false; conditions.len()];
        for at in 0..conditions.len() {
            if considered[at] {
                continue;
            }
            let Some(trial) = Trial::new(known, &conditions[at].reads) else { continue };
            for (considered, considers) in considered.iter_mut().zip(&trial.considers) {
                *considered |= considers;
            }
            if !trial.is_possible(&mut self.machine) {
                return false;
            }
        }
        true
    }
}

/// Runs the update of a transition. `false`: it fails.
pub(crate) fn update(network: &Network, edges: &[EdgeId], machine: &mut Machine<'_>) -> bool {
    let mut operations = Vec::new();
    let updates = edges.iter().map(|edge| network.edges[edge.index()].update);
    let mut all = std::iter::once(network.before_update).chain(updates).chain([network.after_update]);
    all.all(|code| code.is_none_or(|code| machine.run_update(code, &mut operations).is_ok()))
}
