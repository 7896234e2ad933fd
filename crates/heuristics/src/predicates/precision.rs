//! Predicates, and what they can say of a region.
//!
//! The Cartesian abstraction of a region is the set of literals that hold in all of it. Literals on one cell are kept together: their conjunction is again a
//! set of values, which stands for them as one *element*; so `v == 1`, `v != 0` and `v < 3` are one element when the first implies the others. Of the
//! constraints on a pair of clocks in one direction the tightest is kept, since it implies the others.

use guidepost_abstraction::regression::{Kept, Region, mask};
use guidepost_explore::SymbolicState;
use guidepost_zones::{Bound, Constraint};
use rustc_hash::FxHashMap;

/// A set of predicates.
#[derive(Clone)]
pub(super) struct Precision {
    /// By cell: the sets of values that can be told apart from their complements.
    atoms: Vec<Vec<Vec<u64>>>,
    /// By cell: whether every set of values is one.
    is_exact: Vec<bool>,
    /// By pair of clocks (row by row): the bounds that can be remembered, ascending.
    bounds: Vec<Vec<Bound>>,
    clocks: usize,
}

impl Precision {
    /// No predicates.
    pub(super) fn new(symbols: &Kept) -> Self {
        let clocks = symbols.clocks.len();
        Self {
            atoms: vec![Vec::new(); symbols.cells.len()],
            is_exact: vec![false; symbols.cells.len()],
            bounds: vec![Vec::new(); clocks * clocks],
            clocks,
        }
    }

    /// Adds `cell = v` for every value v.
    pub(super) fn add_values(&mut self, cell: usize) -> bool {
        !std::mem::replace(&mut self.is_exact[cell], true)
    }

    /// Adds the predicate that a cell has one of some values; says whether it is new.
    pub(super) fn add_atom(&mut self, symbols: &Kept, cell: usize, atom: &[u64]) -> bool {
        let complement: Vec<u64> = symbols.all(cell).iter().zip(atom).map(|(all, own)| all & !own).collect();
        let known = &self.atoms[cell];
        let is_new = !self.is_exact[cell]
            && atom.iter().any(|&word| word != 0)
            && complement.iter().any(|&word| word != 0)
            && !known.iter().any(|known| known == atom || *known == complement);
        if is_new {
            self.atoms[cell].push(atom.to_vec());
        }
        is_new
    }

    /// Adds a constraint on clocks (with its negation); says whether it is new.
    pub(super) fn add_bound(&mut self, (left, right, bound): (usize, usize, Bound)) -> bool {
        let constraint = Constraint::new(left, right, bound);
        let mut is_new = false;
        for literal in [constraint, constraint.negated()] {
            let (left, right) = (usize::from(literal.left), usize::from(literal.right));
            if literal.bound.is_infinite() || (left == 0 && literal.bound >= Bound::LE_ZERO) {
                continue;
            }
            let list = &mut self.bounds[left * self.clocks + right];
            if let Err(place) = list.binary_search(&literal.bound) {
                list.insert(place, literal.bound);
                is_new = true;
            }
        }
        is_new
    }

    /// What the literals say of a cell, given its values.
    fn project(&self, symbols: &Kept, cell: usize, values: &[u64]) -> Vec<u64> {
        if self.is_exact[cell] {
            return values.to_vec();
        }
        let mut known = symbols.all(cell).to_vec();
        for atom in &self.atoms[cell] {
            if mask::is_subset(values, atom) {
                mask::intersect(&mut known, atom);
            } else if mask::is_disjoint(values, atom) {
                for (word, atom) in known.iter_mut().zip(atom) {
                    *word &= !atom;
                }
            }
        }
        known
    }
}

/// A conjunction of literals on one cell, or a literal on clocks.
#[derive(Clone, Debug)]
pub(super) enum Element {
    /// A cell has one of some values.
    Values { cell: usize, mask: Box<[u64]> },
    /// A difference of clocks is bounded.
    Bound { left: usize, right: usize, bound: Bound },
}

impl Element {
    /// Whether it holds in all of a region.
    #[inline]
    pub(super) fn is_entailed(&self, symbols: &Kept, region: &Region) -> bool {
        match self {
            Element::Values { cell, mask } => mask::is_subset(region.mask(symbols, *cell), mask),
            Element::Bound { left, right, bound } => region.zone.get(*left, *right) <= *bound,
        }
    }

    /// Keeps what satisfies it.
    pub(super) fn impose(&self, symbols: &Kept, region: &mut Region) -> bool {
        match self {
            Element::Values { cell, mask } => mask::intersect(region.mask_mut(symbols, *cell), mask),
            Element::Bound { left, right, bound } => region.constrain(&[(*left, *right, *bound)]),
        }
    }

    /// Whether it may hold in a state.
    #[inline]
    pub(super) fn may_hold(&self, symbols: &Kept, state: &SymbolicState) -> bool {
        match self {
            Element::Values { cell, mask } => {
                let value = symbols.index(*cell, state.cells[symbols.cells[*cell].address]);
                value.is_none_or(|value| mask::has(mask, value))
            }
            Element::Bound { left, right, bound } => {
                let places = (state.place(symbols.clocks[*left]), state.place(symbols.clocks[*right]));
                match places {
                    (Some(left), Some(right)) => state.zone.get(right, left) + *bound >= Bound::LE_ZERO,
                    // The value does not matter, so it can be anything.
                    _ => true,
                }
            }
        }
    }
}

/// The elements that occur, numbered.
pub(super) struct Elements {
    pub(super) list: Vec<Element>,
    /// By cell: the element that a set of values becomes, if any.
    values: Vec<FxHashMap<Box<[u64]>, Option<u32>>>,
    bounds: FxHashMap<(usize, usize, i32), u32>,
}

impl Elements {
    pub(super) fn new(symbols: &Kept) -> Self {
        let values = symbols.cells.iter().map(|_| FxHashMap::default()).collect();
        Self { list: Vec::new(), values, bounds: FxHashMap::default() }
    }

    /// The Cartesian abstraction of a region: elements in the order of cells, then pairs of clocks.
    pub(super) fn abstraction(
        &mut self,
        symbols: &Kept,
        precision: &Precision,
        region: &Region,
        vector: &mut Vec<u32>,
    ) {
        vector.clear();
        for cell in 0..symbols.cells.len() {
            if region.is_constrained(symbols, cell) {
                vector.extend(self.values(symbols, precision, cell, region.mask(symbols, cell)));
            }
        }
        for (pair, list) in precision.bounds.iter().enumerate() {
            let (left, right) = (pair / precision.clocks, pair % precision.clocks);
            let tightest = region.zone.get(left, right);
            if let Some(&bound) = list.get(list.partition_point(|&bound| bound < tightest)) {
                vector.push(self.bound(left, right, bound));
            }
        }
    }

    fn values(&mut self, symbols: &Kept, precision: &Precision, cell: usize, mask: &[u64]) -> Option<u32> {
        if let Some(&known) = self.values[cell].get(mask) {
            return known;
        }
        let projected = precision.project(symbols, cell, mask).into_boxed_slice();
        let element = match self.values[cell].get(&projected) {
            Some(&known) => known,
            None if *projected == *symbols.all(cell) => None,
            None => {
                self.list.push(Element::Values { cell, mask: projected.clone() });
                let element = Some(self.list.len() as u32 - 1);
                self.values[cell].insert(projected, element);
                element
            }
        };
        self.values[cell].insert(mask.into(), element);
        element
    }

    fn bound(&mut self, left: usize, right: usize, bound: Bound) -> u32 {
        let list = &mut self.list;
        *self.bounds.entry((left, right, bound.raw())).or_insert_with(|| {
            list.push(Element::Bound { left, right, bound });
            list.len() as u32 - 1
        })
    }
}
