//! The inner loops: rows of a matrix, four entries at a time.
//!
//! Matrices are small, eight clocks or fewer most of the time, so what a compiler makes of a plain loop over
//! a row is mostly prologue: it vectorises for eight or sixteen entries per turn and leaves the rest, often
//! the whole row, to a scalar epilogue. Here rows are cut into blocks of exactly four entries, one register
//! of any 128-bit vector unit, as arrays passed by value; the compiler turns each into a few vector
//! instructions without being asked. The tail of a row is done as one more block that *overlaps* the one
//! before: all our row operations are idempotent, so doing an entry twice does no harm, and no scalar
//! epilogue is left. Only rows shorter than four entries go one by one.
//!
//! Rows are walked with [`rows`] and [`rows_mut`] rather than `chunks_exact`, which divides the length by
//! the row length up front. And the kernels are compiled once for each dimension up to 12 ([`by_dimension`],
//! [`by_literal`]), which leaves straight code per row: two constraints, a reset and a delay take 431
//! instead of 703 instructions in dimension 4, 740 instead of 1140 in dimension 8 (callgrind, see
//! `examples/benchmark.rs`). All of it is safe code.

#![allow(clippy::inline_always, reason = "a call per row costs as much as the row")]

use crate::bound::{Bound, raw_sum};

/// Entries per block: one 128-bit register.
const BLOCK: usize = 4;

/// The rows of a matrix, or of a part of one that consists of whole rows.
#[inline]
pub(crate) fn rows(mut entries: &[Bound], n: usize) -> impl Iterator<Item = &[Bound]> {
    debug_assert!(n > 0 && entries.len().is_multiple_of(n));
    core::iter::from_fn(move || entries.split_off(..n))
}

/// Like [`rows`], to write to.
#[inline]
pub(crate) fn rows_mut(mut entries: &mut [Bound], n: usize) -> impl Iterator<Item = &mut [Bound]> {
    debug_assert!(n > 0 && entries.len().is_multiple_of(n));
    core::iter::from_fn(move || entries.split_off_mut(..n))
}

/// A matrix as closing sees it: rows that are improved by one of them.
pub(crate) trait Matrix {
    /// The number of rows and columns.
    fn dim(&self) -> usize;

    /// All entries, row by row.
    fn entries(&mut self) -> &mut [Bound];

    /// The rows from top to bottom.
    fn rows(&mut self) -> impl Iterator<Item = &mut [Bound]>;

    /// Calls `f` with the number and the entries of every row and with the entries of row `k`, which it
    /// must not change by that: for row `k` itself it may be called or not.
    fn through(&mut self, k: usize, f: impl FnMut(usize, &mut [Bound], &[Bound]));
}

/// A matrix whose dimension the compiler knows: row `k` fits into registers, every loop over a row is
/// straight code.
pub(crate) struct Small<'a, const N: usize>(pub(crate) &'a mut [[Bound; N]]);

/// The largest dimension with code of its own.
pub(crate) const LARGEST_SMALL: usize = 12;

/// A matrix of any dimension.
pub(crate) struct Large<'a>(pub(crate) &'a mut [Bound], pub(crate) usize);

impl<const N: usize> Matrix for Small<'_, N> {
    #[inline(always)]
    fn dim(&self) -> usize {
        N
    }

    #[inline(always)]
    fn entries(&mut self) -> &mut [Bound] {
        self.0.as_flattened_mut()
    }

    #[inline(always)]
    fn rows(&mut self) -> impl Iterator<Item = &mut [Bound]> {
        self.0.iter_mut().map(|row| &mut row[..])
    }

    #[inline(always)]
    fn through(&mut self, k: usize, mut f: impl FnMut(usize, &mut [Bound], &[Bound])) {
        let row_k = self.0[k];
        for (i, row) in self.0.iter_mut().enumerate() {
            f(i, row, &row_k);
        }
    }
}

impl Matrix for Large<'_> {
    #[inline(always)]
    fn dim(&self) -> usize {
        self.1
    }

    #[inline(always)]
    fn entries(&mut self) -> &mut [Bound] {
        self.0
    }

    #[inline(always)]
    fn rows(&mut self) -> impl Iterator<Item = &mut [Bound]> {
        rows_mut(self.0, self.1)
    }

    #[inline(always)]
    fn through(&mut self, k: usize, mut f: impl FnMut(usize, &mut [Bound], &[Bound])) {
        let n = self.1;
        let (before, rest) = self.0.split_at_mut(k * n);
        let (row_k, after) = rest.split_at_mut(n);
        for (i, row) in (0..).zip(rows_mut(before, n)) {
            f(i, row, row_k);
        }
        for (i, row) in (k + 1..).zip(rows_mut(after, n)) {
            f(i, row, row_k);
        }
    }
}

/// Calls `$kernel(matrix, arguments...)` with the matrix as [`Small`] if it is, so that the kernel is
/// compiled once for each small dimension and once for all others.
macro_rules! by_dimension {
    ($kernel:ident($entries:expr, $n:expr $(, $argument:expr)*)) => {{
        let entries: &mut [$crate::bound::Bound] = $entries;
        match $n {
            2 => $kernel($crate::rows::Small::<2>(entries.as_chunks_mut().0) $(, $argument)*),
            3 => $kernel($crate::rows::Small::<3>(entries.as_chunks_mut().0) $(, $argument)*),
            4 => $kernel($crate::rows::Small::<4>(entries.as_chunks_mut().0) $(, $argument)*),
            5 => $kernel($crate::rows::Small::<5>(entries.as_chunks_mut().0) $(, $argument)*),
            6 => $kernel($crate::rows::Small::<6>(entries.as_chunks_mut().0) $(, $argument)*),
            7 => $kernel($crate::rows::Small::<7>(entries.as_chunks_mut().0) $(, $argument)*),
            8 => $kernel($crate::rows::Small::<8>(entries.as_chunks_mut().0) $(, $argument)*),
            9 => $kernel($crate::rows::Small::<9>(entries.as_chunks_mut().0) $(, $argument)*),
            10 => $kernel($crate::rows::Small::<10>(entries.as_chunks_mut().0) $(, $argument)*),
            11 => $kernel($crate::rows::Small::<11>(entries.as_chunks_mut().0) $(, $argument)*),
            12 => $kernel($crate::rows::Small::<12>(entries.as_chunks_mut().0) $(, $argument)*),
            n => $kernel($crate::rows::Large(entries, n) $(, $argument)*),
        }
    }};
}
pub(crate) use by_dimension;

/// Calls `$kernel(n, arguments...)` with a small `n` as a literal: a kernel that is always inlined is then
/// compiled once for each small dimension. For kernels that only read.
macro_rules! by_literal {
    ($kernel:ident($n:expr $(, $argument:expr)*)) => {
        match $n {
            2 => $kernel(2 $(, $argument)*),
            3 => $kernel(3 $(, $argument)*),
            4 => $kernel(4 $(, $argument)*),
            5 => $kernel(5 $(, $argument)*),
            6 => $kernel(6 $(, $argument)*),
            7 => $kernel(7 $(, $argument)*),
            8 => $kernel(8 $(, $argument)*),
            9 => $kernel(9 $(, $argument)*),
            10 => $kernel(10 $(, $argument)*),
            11 => $kernel(11 $(, $argument)*),
            12 => $kernel(12 $(, $argument)*),
            n => $kernel(n $(, $argument)*),
        }
    };
}
pub(crate) use by_literal;

/// `row[l] = f(row[l], a[l], b[l])` for all `l`, in blocks; says whether anything changed. `f` is applied
/// twice to some entries, so it must be idempotent: `f(f(r, a, b), a, b) = f(r, a, b)`.
#[inline(always)]
pub(crate) fn update_row<A: Copy, B: Copy>(
    row: &mut [Bound],
    a: &[A],
    b: &[B],
    f: impl Fn(Bound, A, B) -> Bound,
) -> bool {
    debug_assert!(row.len() == a.len() && row.len() == b.len());
    let mut changes = [0; BLOCK];
    let mut update = |row: &mut [Bound; BLOCK], a: &[A; BLOCK], b: &[B; BLOCK]| {
        let (old, a, b) = (*row, *a, *b);
        let new = core::array::from_fn(|l| f(old[l], a[l], b[l]));
        changes = core::array::from_fn(|l| changes[l] | (old[l].0 ^ new[l].0));
        *row = new;
    };
    let (blocks, tail) = row.as_chunks_mut();
    for ((row, a), b) in blocks.iter_mut().zip(a.as_chunks().0).zip(b.as_chunks().0) {
        update(row, a, b);
    }
    if !tail.is_empty() {
        if let (Some(row), Some(a), Some(b)) = (row.last_chunk_mut(), a.last_chunk(), b.last_chunk()) {
            update(row, a, b);
        } else {
            for ((entry, &a), &b) in row.iter_mut().zip(a).zip(b) {
                let new = f(*entry, a, b);
                changes[0] |= entry.0 ^ new.0;
                *entry = new;
            }
        }
    }
    changes.iter().fold(0, |all, change| all | change) != 0
}

/// Is there an `l` with `f(row[l], a[l], b[l])`?
#[inline(always)]
pub(crate) fn any_in_row<A: Copy, B: Copy>(
    row: &[Bound],
    a: &[A],
    b: &[B],
    f: impl Fn(Bound, A, B) -> bool,
) -> bool {
    debug_assert!(row.len() == a.len() && row.len() == b.len());
    let mut found = [0; BLOCK];
    let mut test = |row: &[Bound; BLOCK], a: &[A; BLOCK], b: &[B; BLOCK]| {
        found = core::array::from_fn(|l| found[l] | i32::from(f(row[l], a[l], b[l])));
    };
    let (blocks, tail) = row.as_chunks();
    for ((row, a), b) in blocks.iter().zip(a.as_chunks().0).zip(b.as_chunks().0) {
        test(row, a, b);
    }
    if !tail.is_empty() {
        if let (Some(row), Some(a), Some(b)) = (row.last_chunk(), a.last_chunk(), b.last_chunk()) {
            test(row, a, b);
        } else {
            return row.iter().zip(a).zip(b).any(|((&row, &a), &b)| f(row, a, b));
        }
    }
    found.iter().fold(0, |all, one| all | one) != 0
}

/// `row[l] = min(row[l], via + through[l])` for all `l`; `via` must be finite. Sums beyond infinity lose
/// against `row[l] <= INFINITY`; sums below [`Bound::MIN`] are the caller's business.
#[inline(always)]
pub(crate) fn relax_row(row: &mut [Bound], via: Bound, through: &[Bound]) {
    debug_assert!(!via.is_infinite());
    // The sum `a + b - ((a | b) & 1)` for a fixed `a` in two operations instead of four: if `a` is odd
    // (non-strict), subtracting 1 from it is all; if it is even, the strictness bit of `b` goes.
    let (base, kept) = if via.is_strict() { (via.0, !1) } else { (via.0 - 1, !0) };
    update_row(row, through, through, |old, next, _| {
        let sum = base + (next.0 & kept);
        debug_assert_eq!(sum, raw_sum(via.0, next.0));
        if (sum < old.0) & !next.is_infinite() { Bound(sum) } else { old }
    });
}
