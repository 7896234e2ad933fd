//! Choosing predicates: by syntax, or by refinement from spurious paths.

use super::database::{Part, Regression};
use super::precision::Precision;
use crate::preparation::{Exceeded, Preparation};
use guidepost_abstraction::regression::{Condition, Kept, Region, Transition, mask};
use guidepost_network::{Machine, Network};
use guidepost_zones::Bound;
use std::collections::BTreeSet;

/// Variables with at most this many values are told apart value by value.
const TOLD_APART: usize = 16;

/// Every location, and every condition that is written in a guard, an invariant or the goal. Variables of few values are told apart completely: that is
/// what conditions on them become in regression, and it keeps assignments such as `v = v + 1` from losing them.
pub(super) fn syntactic(part: &Part) -> Precision {
    let symbols = &part.symbols;
    let mut precision = of_goals(part);
    for cell in 0..symbols.cells.len() {
        if cell < symbols.processes || symbols.cells[cell].size <= TOLD_APART {
            precision.add_values(cell);
        }
    }
    let guards = part.steps.iter().flat_map(|step| &step.transition.guards);
    for condition in guards.chain(part.invariants.data()) {
        if let Condition::Values { cell, mask } = condition {
            precision.add_atom(symbols, *cell, mask);
        }
    }
    let guards = part.steps.iter().flat_map(|step| step.transition.clock_guards.iter().copied());
    for bound in guards.chain(part.invariants.clocks()) {
        precision.add_bound(bound);
    }
    precision
}

/// What the goals say.
fn of_goals(part: &Part) -> Precision {
    let mut precision = Precision::new(&part.symbols);
    for goal in &part.goals {
        add_region(&part.symbols, &mut precision, goal, |_| true);
    }
    precision
}

/// Adds what a region says of some cells, and of all clocks.
fn add_region(
    symbols: &Kept,
    precision: &mut Precision,
    region: &Region,
    is_wanted: impl Fn(usize) -> bool,
) -> bool {
    let mut is_new = false;
    for cell in (0..symbols.cells.len()).filter(|&cell| is_wanted(cell)) {
        is_new |= precision.add_atom(symbols, cell, region.mask(symbols, cell));
    }
    let universe = Region::all(symbols).zone;
    for left in 0..symbols.clocks.len() {
        for right in (0..symbols.clocks.len()).filter(|&right| right != left) {
            let bound: Bound = region.zone.get(left, right);
            if bound < universe.get(left, right) {
                is_new |= precision.add_bound((left, right, bound));
            }
        }
    }
    is_new
}

/// Begins with the predicates of the goals. In every round a shortest abstract path from the initial state is regressed without any abstraction: if that fails or
/// does not meet the initial state, the path is spurious, and what was known along it of the cells that were in the way becomes predicates.
pub(super) fn refined(
    network: &Network,
    part: &Part,
    rounds: u32,
    spent: &mut u64,
    preparation: &mut Preparation<'_>,
) -> Result<Precision, Exceeded> {
    let mut precision = of_goals(part);
    let mut initial: Vec<i32> = network.processes.iter().map(|process| process.initial.0 as i32).collect();
    initial.extend(network.variables.iter().map(|variable| variable.initial));
    for _ in 0..rounds {
        let (regression, outcome) = Regression::run(network, part, &precision, spent, preparation);
        outcome?;
        let Some(path) = regression.path(&initial) else { break };
        drop(regression);
        if !learn(network, part, &path, &initial, &mut precision) {
            break;
        }
    }
    Ok(precision)
}

/// Adds predicates that rule out a path, if it is spurious; says whether there are any.
fn learn(network: &Network, part: &Part, path: &[usize], initial: &[i32], precision: &mut Precision) -> bool {
    part.goals.iter().any(|goal| learn_for(network, part, goal, path, initial, precision))
}

fn learn_for(
    network: &Network,
    part: &Part,
    goal: &Region,
    path: &[usize],
    initial: &[i32],
    precision: &mut Precision,
) -> bool {
    let symbols = &part.symbols;
    let mut machine = Machine::new(&network.program);
    let mut region = goal.clone();
    if !settle(part, &mut machine, &mut region) {
        return false;
    }
    // The exact regions along the path, from the goal backwards.
    let mut regions = vec![region.clone()];
    let mut conflict: Option<BTreeSet<usize>> = None;
    for &index in path.iter().rev() {
        let transition = &part.steps[index].transition;
        let is_possible = transition.regress(&part.invariants, symbols, &mut machine, &mut region)
            && settle(part, &mut machine, &mut region);
        if !is_possible {
            conflict = Some(touched(transition));
            break;
        }
        regions.push(region.clone());
    }
    let blamed = conflict.unwrap_or_else(|| {
        let is_wrong = |&cell: &usize| {
            let value = symbols.index(cell, initial[symbols.cells[cell].address]);
            value.is_some_and(|value| !mask::has(region.mask(symbols, cell), value))
        };
        (0..symbols.cells.len()).filter(is_wrong).collect()
    });
    let first = path.len() + 1 - regions.len();
    explain(part, &path[first..], &regions, blamed, precision)
}

fn settle(part: &Part, machine: &mut Machine<'_>, region: &mut Region) -> bool {
    part.invariants.impose(&part.symbols, machine, region) && part.invariants.wait(&part.symbols, region)
}

/// The cells that a step looks at or writes.
fn touched(transition: &Transition) -> BTreeSet<usize> {
    let guards = transition.guards.iter().flat_map(|guard| match guard {
        Condition::Values { cell, .. } => std::slice::from_ref(cell),
        Condition::Code { operands, .. } => &operands[..],
    });
    guards.copied().chain(transition.written().iter().copied()).chain(transition.moved()).collect()
}

/// Follows the blamed cells along the path, and with them what is assigned from them; remembers what the exact regions say of them.
fn explain(
    part: &Part,
    path: &[usize],
    regions: &[Region],
    mut blamed: BTreeSet<usize>,
    precision: &mut Precision,
) -> bool {
    let mut is_new = false;
    let along = path.iter().map(|&index| Some(&part.steps[index])).chain([None]);
    for (region, step) in regions.iter().rev().zip(along) {
        is_new |= add_region(&part.symbols, precision, region, |cell| blamed.contains(&cell));
        for update in step.iter().flat_map(|step| &step.transition.updates) {
            if update.sources().iter().any(|source| blamed.contains(source)) {
                blamed.extend(update.targets());
            }
        }
    }
    is_new
}
