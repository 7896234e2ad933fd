//! Sets of values of one cell: bit k stands for the k-th value.

/// Whether the value is in the set.
#[inline]
pub fn has(mask: &[u64], value: usize) -> bool {
    mask.get(value / 64).is_some_and(|word| word >> (value % 64) & 1 != 0)
}

/// Adds a value.
#[inline]
pub fn insert(mask: &mut [u64], value: usize) {
    mask[value / 64] |= 1 << (value % 64);
}

/// Keeps what is in both; says whether that is anything.
#[inline]
pub fn intersect(mask: &mut [u64], other: &[u64]) -> bool {
    let mut any = 0;
    for (word, other) in mask.iter_mut().zip(other) {
        *word &= other;
        any |= *word;
    }
    any != 0
}

/// Whether everything in the first is in the second.
#[inline]
pub fn is_subset(mask: &[u64], other: &[u64]) -> bool {
    mask.iter().zip(other).all(|(word, other)| word & !other == 0)
}

/// Whether the sets have nothing in common.
pub fn is_disjoint(mask: &[u64], other: &[u64]) -> bool {
    mask.iter().zip(other).all(|(word, other)| word & other == 0)
}

/// How many values there are.
#[inline]
pub fn count(mask: &[u64]) -> usize {
    mask.iter().map(|word| word.count_ones() as usize).sum()
}

/// The values, ascending.
pub fn values(mask: &[u64]) -> impl Iterator<Item = usize> + '_ {
    mask.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                index * 64 + bit
            })
        })
    })
}

/// The only value, if there is just one.
#[inline]
pub fn single(mask: &[u64]) -> Option<usize> {
    let mut found = None;
    for (index, &word) in mask.iter().enumerate().filter(|(_, word)| **word != 0) {
        if found.is_some() || word & (word - 1) != 0 {
            return None;
        }
        found = Some(index * 64 + word.trailing_zeros() as usize);
    }
    found
}
