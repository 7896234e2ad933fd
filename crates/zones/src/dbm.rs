//! The matrix itself: where its entries live, how it is read.
//!
//! A *difference bound matrix* over clocks `x_1 .. x_{n-1}` and the constant `x_0 = 0` holds in entry
//! `(i, j)` a bound on `x_i - x_j`. It describes a *zone*, a convex set of clock valuations. Many matrices
//! describe the same zone; the *canonical* one has the tightest bounds (it is closed under shortest paths),
//! and on canonical matrices inclusion, equality and most operations are entrywise.
//!
//! **Invariant.** Every public operation takes a canonical, non-empty matrix whose clocks are non-negative
//! and leaves one, or says that the result is empty. An empty zone is marked in entry `(0, 0)`; its other
//! entries mean nothing. Debug builds check this before and after every operation.
//!
//! **Where the entries live** is not the matrix's business. The exploration engine works on one scratch
//! buffer and keeps thousands of zones in an arena; tests and federations want values they own. So [`Dbm`]
//! is generic in its storage, in the way of `ndarray`: [`ZoneRef`] borrows, [`ZoneMut`] borrows mutably,
//! [`Zone`] owns, and every operation is written once. No operation allocates, except those on [`Zone`]
//! that change the dimension beyond what its buffer has held before.

use core::fmt;

use crate::bound::{Bound, Constraint};

/// A difference bound matrix over some storage of `dim * dim` entries, row by row.
#[derive(Clone, Copy)]
pub struct Dbm<S> {
    dim: usize,
    entries: S,
}

/// A zone that owns its entries.
pub type Zone = Dbm<Vec<Bound>>;
/// A borrowed, immutable zone.
pub type ZoneRef<'a> = Dbm<&'a [Bound]>;
/// A borrowed zone to work on.
pub type ZoneMut<'a> = Dbm<&'a mut [Bound]>;

impl<S: AsRef<[Bound]>> Dbm<S> {
    /// Takes entries, row by row, as a matrix. They must be canonical, or be overwritten
    /// ([`set_zero`](Dbm::set_zero) and its like) or [closed](Dbm::close) before anything else.
    #[inline]
    pub fn from_entries(dim: usize, entries: S) -> Self {
        assert!(dim >= 1 && entries.as_ref().len() == dim * dim, "a matrix has dim * dim entries");
        Self { dim, entries }
    }

    /// The number of clocks, the constant zero included.
    #[inline]
    pub const fn dim(&self) -> usize {
        self.dim
    }

    /// All entries, row by row.
    #[inline]
    pub fn entries(&self) -> &[Bound] {
        self.entries.as_ref()
    }

    /// Gives the storage back.
    #[inline]
    pub fn into_entries(self) -> S {
        self.entries
    }

    /// The bound on `x_i - x_j`.
    #[inline]
    pub fn get(&self, i: usize, j: usize) -> Bound {
        debug_assert!(i < self.dim && j < self.dim);
        self.entries()[i * self.dim + j]
    }

    /// The bounds on `x_i - x_0, x_i - x_1, ...`.
    #[inline]
    pub fn row(&self, i: usize) -> &[Bound] {
        &self.entries()[i * self.dim..][..self.dim]
    }

    /// The same zone, borrowed.
    #[inline]
    pub fn view(&self) -> ZoneRef<'_> {
        Dbm { dim: self.dim, entries: self.entries.as_ref() }
    }

    /// A copy that owns its entries.
    pub fn to_zone(&self) -> Zone {
        Dbm { dim: self.dim, entries: self.entries().to_vec() }
    }

    /// Is there no valuation in this zone?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries()[0] < Bound::LE_ZERO
    }

    /// Is the valuation with `x_i = point[i] / denominator` in this zone? `point[0]` must be 0.
    pub fn contains(&self, point: &[i64], denominator: i64) -> bool {
        assert!(
            point.len() == self.dim && point[0] == 0 && denominator > 0,
            "not a valuation of these clocks"
        );
        !self.is_empty()
            && self.entries().chunks_exact(self.dim).zip(point).all(|(row, &left)| {
                row.iter().zip(point).all(|(bound, &right)| bound.admits(left - right, denominator))
            })
    }

    /// Does every valuation satisfy the constraint? O(1).
    #[inline]
    pub fn satisfies(&self, constraint: Constraint) -> bool {
        debug_assert!(!self.is_empty());
        self.get(constraint.left.into(), constraint.right.into()) <= constraint.bound
    }

    /// Does some valuation satisfy the constraint? O(1).
    #[inline]
    pub fn meets(&self, constraint: Constraint) -> bool {
        debug_assert!(!self.is_empty());
        self.get(constraint.right.into(), constraint.left.into()) + constraint.bound >= Bound::LE_ZERO
    }

    /// Are there finite bounds so far out (beyond [`Bound::FAR`]) that further operations might saturate?
    /// Extrapolate such a zone before going on with it.
    pub fn is_far(&self) -> bool {
        const FAR: i32 = 2 * Bound::FAR;
        self.entries().iter().fold(false, |far, bound| {
            far | (bound.0 < -FAR) | ((bound.0 > FAR) & (bound.0 != Bound::INFINITY.0))
        })
    }

    /// Is the matrix closed under shortest paths, with a diagonal of zeros and non-negative clocks? O(n³);
    /// the check behind the debug assertions.
    pub fn is_canonical(&self) -> bool {
        let n = self.dim;
        (0..n).all(|i| {
            self.get(i, i) == Bound::LE_ZERO
                && self.get(0, i) <= Bound::LE_ZERO
                && (0..n).all(|k| {
                    let via = self.get(i, k);
                    via <= Bound::INFINITY && (0..n).all(|j| self.get(i, j) <= via + self.get(k, j))
                })
        })
    }

    /// What the debug assertions demand: canonical, unless bounds near the limit have been saturated.
    pub(crate) fn is_valid(&self) -> bool {
        self.is_far() || self.is_canonical()
    }
}

impl<S: AsRef<[Bound]> + AsMut<[Bound]>> Dbm<S> {
    /// The entries to write to. The caller ensures that the matrix is canonical again.
    #[inline]
    pub fn entries_mut(&mut self) -> &mut [Bound] {
        self.entries.as_mut()
    }

    /// The same zone, borrowed mutably.
    #[inline]
    pub fn view_mut(&mut self) -> ZoneMut<'_> {
        Dbm { dim: self.dim, entries: self.entries.as_mut() }
    }

    /// Overwrites one entry. The caller ensures that the matrix is canonical again.
    #[inline]
    pub fn set(&mut self, i: usize, j: usize, bound: Bound) {
        let at = i * self.dim + j;
        self.entries_mut()[at] = bound;
    }

    /// Becomes the zone in which every clock is 0.
    pub fn set_zero(&mut self) {
        self.entries_mut().fill(Bound::LE_ZERO);
    }

    /// Becomes the zone of all valuations (clocks are never negative).
    pub fn set_universe(&mut self) {
        let n = self.dim;
        let entries = self.entries_mut();
        entries.fill(Bound::INFINITY);
        entries[..n].fill(Bound::LE_ZERO);
        entries.iter_mut().step_by(n + 1).for_each(|diagonal| *diagonal = Bound::LE_ZERO);
    }

    /// Becomes the empty zone.
    #[inline]
    pub fn set_empty(&mut self) {
        self.entries_mut()[0] = Bound::LT_ZERO;
    }

    /// Becomes a copy of a zone of the same dimension.
    #[inline]
    pub fn copy_from<T: AsRef<[Bound]>>(&mut self, other: &Dbm<T>) {
        assert_eq!(self.dim, other.dim);
        self.entries_mut().copy_from_slice(other.entries());
    }
}

impl Zone {
    /// The zone in which every clock is 0. `dim` counts the constant zero: `dim - 1` proper clocks.
    pub fn zero(dim: usize) -> Self {
        Self::from_entries(dim, vec![Bound::LE_ZERO; dim * dim])
    }

    /// The zone of all valuations of `dim - 1` proper clocks.
    pub fn universe(dim: usize) -> Self {
        let mut zone = Self::zero(dim);
        zone.set_universe();
        zone
    }

    /// The empty zone.
    pub fn empty(dim: usize) -> Self {
        let mut zone = Self::zero(dim);
        zone.set_empty();
        zone
    }

    /// The valuations that satisfy all constraints; possibly none.
    ///
    /// ```
    /// use guidepost_zones::{Bound, Constraint, Zone};
    /// let x = Zone::from_constraints(3, &[Constraint::new(1, 0, Bound::le(5)), Constraint::new(2, 1, Bound::lt(-1))]);
    /// assert_eq!(x.to_string(), "x1 <= 5 and x2 - x1 < -1");
    /// assert_eq!(x.get(2, 0), Bound::lt(4)); // x2 < 4 follows
    /// ```
    pub fn from_constraints(dim: usize, constraints: &[Constraint]) -> Self {
        let mut zone = Self::zero(dim);
        zone.set_constraints(constraints);
        zone
    }

    /// Becomes a copy of a zone of any dimension, reusing the buffer.
    pub fn assign<T: AsRef<[Bound]>>(&mut self, other: &Dbm<T>) {
        self.dim = other.dim;
        self.entries.clear();
        self.entries.extend_from_slice(other.entries());
    }

    /// Changes the dimension, reusing the buffer. The entries are arbitrary afterwards: overwrite them.
    pub fn reshape(&mut self, dim: usize) {
        assert!(dim >= 1);
        self.dim = dim;
        self.entries.resize(dim * dim, Bound::LE_ZERO);
    }
}

impl<S: AsRef<[Bound]>, T: AsRef<[Bound]>> PartialEq<Dbm<T>> for Dbm<S> {
    /// Do both describe the same set of valuations?
    fn eq(&self, other: &Dbm<T>) -> bool {
        self.dim == other.dim
            && self.is_empty() == other.is_empty()
            && (self.is_empty() || self.entries() == other.entries())
    }
}

impl<S: AsRef<[Bound]>> Eq for Dbm<S> {}

impl<S: AsRef<[Bound]>> fmt::Display for Dbm<S> {
    /// The zone as a conjunction without redundant parts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("false");
        }
        let mut constraints = Vec::new();
        self.minimal_form(&mut constraints);
        if constraints.is_empty() {
            return f.write_str("true");
        }
        // Clocks against constants first: they are what people look for.
        constraints.sort_by_key(|c| (c.is_diagonal(), c.left.max(c.right), c.left, c.right));
        for (index, constraint) in constraints.iter().enumerate() {
            write!(f, "{}{constraint}", if index == 0 { "" } else { " and " })?;
        }
        Ok(())
    }
}

impl<S: AsRef<[Bound]>> fmt::Debug for Dbm<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Zone[{}]({self})", self.dim)
    }
}
