//! Sets of states, as regression computes with them: a set of values for every cell and a zone, all independent of each other.

use super::kept::Kept;
use super::mask;
use guidepost_network::{ClockConstraint, Code, Machine, Operand};
use guidepost_zones::{Bound, Zone};

/// More combinations of values than this are not tried out.
pub const COMBINATIONS: usize = 1 << 10;

/// A set of states. Never empty, unless an operation has just said so.
#[derive(Clone)]
pub struct Region {
    /// The values of all cells, one mask behind the other.
    pub masks: Vec<u64>,
    /// The values of the clocks that are kept.
    pub zone: Zone,
}

impl Region {
    /// All states.
    pub fn all(symbols: &Kept) -> Self {
        Self { masks: symbols.full.clone(), zone: Zone::universe(symbols.clocks.len()) }
    }

    /// Becomes the other one.
    pub fn assign(&mut self, other: &Region) {
        debug_assert_eq!(self.zone.dim(), other.zone.dim(), "regions over the same symbols");
        self.masks.copy_from_slice(&other.masks);
        self.zone.copy_from(&other.zone);
    }

    /// Becomes the set of all states.
    pub fn set_all(&mut self, symbols: &Kept) {
        self.masks.copy_from_slice(&symbols.full);
        self.zone.set_universe();
    }

    /// The values of a cell.
    #[inline]
    pub fn mask(&self, symbols: &Kept, cell: usize) -> &[u64] {
        &self.masks[symbols.words(cell)]
    }

    /// The values of a cell, to be changed.
    #[inline]
    pub fn mask_mut(&mut self, symbols: &Kept, cell: usize) -> &mut [u64] {
        &mut self.masks[symbols.words(cell)]
    }

    /// Lets a cell have any value.
    pub fn free(&mut self, symbols: &Kept, cell: usize) {
        let words = symbols.words(cell);
        self.masks[words.clone()].copy_from_slice(&symbols.full[words]);
    }

    /// Whether something is known of a cell.
    #[inline]
    pub fn is_constrained(&self, symbols: &Kept, cell: usize) -> bool {
        let words = symbols.words(cell);
        self.masks[words.clone()] != symbols.full[words]
    }

    /// Gives a cell one value.
    #[inline]
    pub fn set(&mut self, symbols: &Kept, cell: usize, value: usize) {
        let mask = self.mask_mut(symbols, cell);
        mask.fill(0);
        mask::insert(mask, value);
    }

    /// Keeps what satisfies some constraints on clocks.
    #[inline]
    pub fn constrain(&mut self, bounds: &[(usize, usize, Bound)]) -> bool {
        bounds.iter().all(|&(left, right, bound)| self.zone.constrain(left, right, bound))
    }
}

/// A condition on the cells.
#[derive(Clone, Debug)]
pub enum Condition {
    /// One cell has one of these values.
    Values {
        /// The cell.
        cell: usize,
        /// The values.
        mask: Vec<u64>,
    },
    /// To be evaluated for combinations of values.
    Code {
        /// The code.
        code: Code,
        /// The cells it reads.
        operands: Vec<usize>,
    },
}

impl Condition {
    /// The condition that a code is; `None` when it always holds, or is about what is not kept.
    pub fn new(symbols: &Kept, machine: &mut Machine<'_>, code: Code) -> Option<Self> {
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
    pub fn impose(&self, symbols: &Kept, machine: &mut Machine<'_>, region: &mut Region) -> bool {
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
    symbols: &Kept,
    machine: &mut Machine<'p>,
    region: &mut Region,
    cells: &[usize],
    mut passes: impl FnMut(&mut Machine<'p>, &[usize]) -> bool,
) -> Option<bool> {
    debug_assert_eq!(region.masks.len(), symbols.full.len(), "a region over these symbols");
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
pub fn bounds(symbols: &Kept, constraints: &[ClockConstraint]) -> Vec<(usize, usize, Bound)> {
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
