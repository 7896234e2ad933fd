//! Updates, backwards: what held before, if something holds afterwards.

use super::assignments::{Value, simultaneous};
use super::kept::Kept;
use super::mask;
use super::region::{Region, try_out};
use guidepost_network::{ClockOp, Code, Machine, Network, VarId};

/// Left in a cell that is about to be written, to see whether it was.
const UNTOUCHED: i32 = i32::MIN;

/// What an update does to the cells that are kept.
#[derive(Clone, Debug)]
pub enum Update {
    /// Assignments that happen at once.
    Assignments(Vec<(usize, Source)>),
    /// To be run for combinations of values.
    Code {
        /// The code.
        code: Code,
        /// The cells it reads.
        operands: Vec<usize>,
        /// The cells it may write.
        targets: Vec<usize>,
    },
}

/// What is assigned.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// The value with this number; `None` is out of range.
    Value(Option<usize>),
    /// The value of a cell, plus a constant.
    Cell(usize, i32),
    /// Something that is not kept.
    Unknown,
}

impl Update {
    /// What a code of the network does.
    pub fn new(network: &Network, symbols: &Kept, code: Code) -> Self {
        let kept = |variable: VarId| symbols.cell(network.processes.len() + variable.index());
        if let Some(assignments) = simultaneous(network, code) {
            let source = |target: usize, value: Value| match value {
                Value::Const(value) => Source::Value(symbols.index(target, value)),
                Value::Of(variable, by) => {
                    kept(variable).map_or(Source::Unknown, |cell| Source::Cell(cell, by))
                }
            };
            let assigned = assignments.into_iter().filter_map(|(variable, value)| {
                let target = kept(variable)?;
                Some((target, source(target, value)))
            });
            return Update::Assignments(assigned.collect());
        }
        let targets: Vec<usize> = network.program.writes(code).into_iter().filter_map(kept).collect();
        match symbols.operands(network.program.codes(), code) {
            Some(operands) => Update::Code { code, operands, targets },
            None => Update::Assignments(targets.into_iter().map(|cell| (cell, Source::Unknown)).collect()),
        }
    }

    /// The cells it may write.
    pub fn targets(&self) -> Vec<usize> {
        match self {
            Update::Assignments(list) => list.iter().map(|&(target, _)| target).collect(),
            Update::Code { targets, .. } => targets.clone(),
        }
    }

    /// The cells it may read.
    pub fn sources(&self) -> Vec<usize> {
        let source = |&(_, source): &(usize, Source)| match source {
            Source::Cell(cell, _) => Some(cell),
            Source::Value(_) | Source::Unknown => None,
        };
        match self {
            Update::Assignments(list) => list.iter().filter_map(source).collect(),
            Update::Code { operands, .. } => operands.clone(),
        }
    }

    /// Goes from the states after the update to (at least) the states before it; says whether there are any.
    pub fn regress(&self, symbols: &Kept, machine: &mut Machine<'_>, region: &mut Region) -> bool {
        match self {
            Update::Assignments(list) => regress_assignments(symbols, list, region),
            Update::Code { code, operands, targets } => {
                regress_code(symbols, machine, region, *code, operands, targets)
            }
        }
    }
}

fn regress_assignments(symbols: &Kept, list: &[(usize, Source)], region: &mut Region) -> bool {
    let mut known: Vec<(usize, Vec<u64>)> = Vec::new();
    for &(target, source) in list {
        match source {
            Source::Value(value) => {
                if !value.is_some_and(|value| mask::has(region.mask(symbols, target), value)) {
                    return false;
                }
            }
            Source::Cell(cell, by) => {
                let mut before = vec![0; symbols.words(cell).len()];
                for value in mask::values(region.mask(symbols, target)) {
                    let old = (symbols.cells[target].low.wrapping_add(value as i32)).wrapping_sub(by);
                    if let Some(old) = symbols.index(cell, old) {
                        mask::insert(&mut before, old);
                    }
                }
                known.push((cell, before));
            }
            Source::Unknown => {}
        }
    }
    for &(target, _) in list {
        region.free(symbols, target);
    }
    known.iter().all(|(cell, before)| mask::intersect(region.mask_mut(symbols, *cell), before))
}

fn regress_code(
    symbols: &Kept,
    machine: &mut Machine<'_>,
    region: &mut Region,
    code: Code,
    operands: &[usize],
    targets: &[usize],
) -> bool {
    let after = region.clone();
    // An operand that is written can have been anything before.
    for target in targets.iter().filter(|target| operands.contains(target)) {
        region.free(symbols, *target);
    }
    let overwritten: Vec<usize> =
        targets.iter().copied().filter(|target| !operands.contains(target)).collect();
    let mut is_written = vec![false; overwritten.len()];
    let mut operations: Vec<ClockOp> = Vec::new();
    let tried = try_out(symbols, machine, region, operands, |machine, _| {
        for &target in &overwritten {
            machine.state_mut()[symbols.cells[target].address] = UNTOUCHED;
        }
        operations.clear();
        // An update that fails has no states after it.
        if machine.run_update(code, &mut operations).is_err() {
            return false;
        }
        let value = |target: usize| machine.state()[symbols.cells[target].address];
        let fits = |target: usize| {
            let value = symbols.index(target, value(target));
            value.is_some_and(|value| mask::has(after.mask(symbols, target), value))
        };
        let possible = targets
            .iter()
            .all(|&target| (value(target) == UNTOUCHED && overwritten.contains(&target)) || fits(target));
        if possible {
            for (flag, &target) in is_written.iter_mut().zip(&overwritten) {
                *flag |= value(target) != UNTOUCHED;
            }
        }
        possible
    });
    match tried {
        Some(false) => false,
        Some(true) => {
            for (&target, _) in overwritten.iter().zip(&is_written).filter(|(_, written)| **written) {
                region.free(symbols, target);
            }
            true
        }
        None => {
            for &target in targets {
                region.free(symbols, target);
            }
            true
        }
    }
}
