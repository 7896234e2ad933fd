//! Cubes: for each predicate one bit that says that it holds, and one that says that it does not.

const PER_WORD: usize = 16;

/// How many words a cube of so many predicates takes.
pub(crate) fn words(predicates: usize) -> usize {
    predicates.div_ceil(PER_WORD)
}

/// What a cube says about a predicate.
#[inline]
pub(crate) fn get(cube: &[u32], predicate: usize) -> Option<bool> {
    match cube[predicate / PER_WORD] >> (predicate % PER_WORD * 2) & 3 {
        0 => None,
        1 => Some(true),
        _ => Some(false),
    }
}

/// Lets a cube say something else about a predicate.
#[inline]
pub(crate) fn set(cube: &mut [u32], predicate: usize, value: Option<bool>) {
    let shift = predicate % PER_WORD * 2;
    let bits = match value {
        None => 0,
        Some(true) => 1,
        Some(false) => 2,
    };
    let word = &mut cube[predicate / PER_WORD];
    *word = *word & !(3 << shift) | bits << shift;
}

/// Whether a cube says all that another one says.
#[inline]
pub(crate) fn implies(cube: &[u32], other: &[u32]) -> bool {
    cube.iter().zip(other).all(|(own, other)| other & !own == 0)
}
