//! Sets of states of a part, as regression computes with them: a set of values for every cell and a zone, all independent of each other.

use super::mask;
use super::symbols::Symbols;
use guidepost_network::{ClockConstraint, Code, Machine, Operand};
use guidepost_zones::{Bound, Zone};

/// More combinations of values than this are not tried out.
pub(super) const COMBINATIONS: usize = 1 << 10;

/// A set of states. Never empty, unless an operation has just said so.
#[derive(Clone)]
pub(super) struct Region {
    /// The values of all cells, one mask behind the other.
    pub(super) masks: Vec<u64>,
    /// The values of the clocks that are kept.
    pub(super) zone: Zone,
}

impl Region {
    /// All states.
    pub(super) fn all(symbols: &Symbols) -> Self {
        Self { masks: symbols.full.clone(), zone: Zone::universe(symbols.clocks.len()) }
    }

    pub(super) fn assign(&mut self, other: &Region) {
        self.masks.copy_from_slice(&other.masks);
        self.zone.copy_from(&other.zone);
    }

    pub(super) fn set_all(&mut self, symbols: &Symbols) {
        self.masks.copy_from_slice(&symbols.full);
        self.zone.set_universe();
    }

    #[inline]
    pub(super) fn mask(&self, symbols: &Symbols, cell: usize) -> &[u64] {
        &self.masks[symbols.words(cell)]
    }

    #[inline]
    pub(super) fn mask_mut(&mut self, symbols: &Symbols, cell: usize) -> &mut [u64] {
        &mut self.masks[symbols.words(cell)]
    }

    /// Lets a cell have any value.
    pub(super) fn free(&mut self, symbols: &Symbols, cell: usize) {
        let words = symbols.words(cell);
        self.masks[words.clone()].copy_from_slice(&symbols.full[words]);
    }

    /// Whether something is known of a cell.
    #[inline]
    pub(super) fn is_constrained(&self, symbols: &Symbols, cell: usize) -> bool {
        let words = symbols.words(cell);
        self.masks[words.clone()] != symbols.full[words]
    }

    /// Gives a cell one value.
    #[inline]
    pub(super) fn set(&mut self, symbols: &Symbols, cell: usize, value: usize) {
        let mask = self.mask_mut(symbols, cell);
        mask.fill(0);
        mask::insert(mask, value);
    }

    /// Keeps what satisfies some constraints on clocks.
    #[inline]
    pub(super) fn constrain(&mut self, bounds: &[(usize, usize, Bound)]) -> bool {
        bounds.iter().all(|&(left, right, bound)| self.zone.constrain(left, right, bound))
    }
}

/// A condition on the cells.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// One cell has one of these values.
    Values { cell: usize, mask: Vec<u64> },
    /// To be evaluated for combinations of values.
    Code { code: Code, operands: Vec<usize> },
}

impl Condition {
    /// The condition that a code is; `None` when it always holds, or is about what is not kept.
    pub(super) fn new(symbols: &Symbols, machine: &mut Machine<'_>, code: Code) -> Option<Self> {
        let operands = symbols.operands(machine.codes(), code)?;
        let &[cell] = &operands[..] else { return Some(Condition::Code { code, operands }) };
        let mut mask = vec![0; symbols.words(cell).len()];
        for value in 0..symbols.cells[cell].size {
            machine.state_mut()[symbols.cells[cell].address] = symbols.cells[cell].low + value as i32;
            // A condition that fails never holds: a state in which that happens ends the search.
            if matches!(machine.eval(code), Ok(truth) if truth != 0) {
                mask::insert(&mut mask, value);
            }
        }
        (mask != symbols.all(cell)).then_some(Condition::Values { cell, mask })
    }

    /// Keeps the states that may satisfy the condition; says whether there are any.
    pub(super) fn impose(&self, symbols: &Symbols, machine: &mut Machine<'_>, region: &mut Region) -> bool {
        match self {
            Condition::Values { cell, mask } => mask::intersect(region.mask_mut(symbols, *cell), mask),
            Condition::Code { code, operands } => {
                let holds = |machine: &mut Machine<'_>, _: &[usize]| matches!(machine.eval(*code), Ok(truth) if truth != 0);
                try_out(symbols, machine, region, operands, holds).unwrap_or(true)
            }
        }
    }
}

/// Keeps those values of some cells that occur in a combination that passes; says whether there is one. `None` when there are too many combinations to
/// try; nothing is changed then.
pub(super) fn try_out<'p>(
    symbols: &Symbols,
    machine: &mut Machine<'p>,
    region: &mut Region,
    cells: &[usize],
    mut passes: impl FnMut(&mut Machine<'p>, &[usize]) -> bool,
) -> Option<bool> {
    let mut combinations = 1_usize;
    for &cell in cells {
        combinations = combinations.saturating_mul(mask::count(region.mask(symbols, cell)));
    }
    if combinations > COMBINATIONS {
        return None;
    }
    let domains: Vec<Vec<usize>> =
        cells.iter().map(|&cell| mask::values(region.mask(symbols, cell)).collect()).collect();
    let mut kept: Vec<Vec<u64>> = cells.iter().map(|&cell| vec![0; symbols.words(cell).len()]).collect();
    let mut choice = vec![0; cells.len()];
    let mut values = vec![0; cells.len()];
    let mut any = false;
    for number in 0..combinations {
        let mut rest = number;
        for (at, domain) in domains.iter().enumerate() {
            choice[at] = rest % domain.len();
            rest /= domain.len();
            values[at] = domain[choice[at]];
            let cell = &symbols.cells[cells[at]];
            machine.state_mut()[cell.address] = cell.low + values[at] as i32;
        }
        if passes(machine, &values) {
            any = true;
            for (mask, &value) in kept.iter_mut().zip(&values) {
                mask::insert(mask, value);
            }
        }
    }
    for (&cell, mask) in cells.iter().zip(&kept) {
        region.mask_mut(symbols, cell).copy_from_slice(mask);
    }
    Some(any)
}

/// Constraints on kept clocks, each with the weakest bound it can have; those that count only in some states are left out.
pub(super) fn bounds(symbols: &Symbols, constraints: &[ClockConstraint]) -> Vec<(usize, usize, Bound)> {
    let mut list = Vec::new();
    for constraint in constraints.iter().filter(|constraint| constraint.condition.is_none()) {
        let value = match constraint.bound {
            Operand::Const(value) | Operand::Code(_, _, value) => value,
        };
        let bound = if constraint.strict { Bound::lt(value) } else { Bound::le(value) };
        let places = (symbols.clock(constraint.left), symbols.clock(constraint.right));
        if let (Some(left), Some(right)) = places
            && left != right
        {
            list.push((left, right, bound));
        }
    }
    list
}
