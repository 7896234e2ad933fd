//! Who owns a state: a hash of its discrete part decides, so that states that could cover each other always meet.
//!
//! It may be a hash of some cells of it only. A transition that changes none of them stays with its owner, and needs no letter; see `locality`.

/// A state, by its owner and its number there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Place {
    /// Who owns it.
    pub(crate) worker: u16,
    /// Its number in the owner's store.
    pub(crate) state: u32,
}

/// A state that somebody has to find the way to.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Spot {
    pub(crate) place: Place,
    /// The way, where it is known already: places change their meaning when a run is resumed.
    pub(crate) way: Option<Vec<u32>>,
}

impl From<Place> for Spot {
    fn from(place: Place) -> Self {
        Self { place, way: None }
    }
}

/// The most workers that there can be.
pub(crate) const MOST_WORKERS: usize = 1 << 12;

/// Which cells decide who owns a state: each adds a number that depends on its value, and the sum modulo the number of workers is the owner. (A hash of all of them together would be as uneven as
/// their values; the sum is as even as the most even of them, and more.)
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Partition {
    /// If there are none, a hash of the whole discrete part decides.
    pub(crate) cells: Vec<Voice>,
}

/// A cell that has a say in who owns a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Voice {
    /// The word of the packed discrete part that it is in, and its bits there.
    pub(crate) word: u32,
    pub(crate) mask: u32,
    /// Tells one function of its values from others.
    pub(crate) salt: u32,
}

impl Voice {
    /// What it adds.
    #[inline]
    pub(crate) fn number(self, key: &[u32], workers: u16) -> u32 {
        let bits = key.get(self.word as usize).map_or(0, |bits| bits & self.mask);
        let mixed = mix(u64::from(self.salt) << 32 | u64::from(bits)) >> 32;
        ((mixed * u64::from(workers)) >> 32) as u32
    }
}

impl Partition {
    /// The owner of a discrete part among some workers, given its hash. The same on every machine.
    #[inline]
    pub(crate) fn owner(&self, key: &[u32], hash: u64, workers: u16) -> u16 {
        if self.cells.is_empty() {
            return owner(hash, workers);
        }
        let sum: u32 = self.cells.iter().map(|cell| cell.number(key, workers)).sum();
        (sum % u32::from(workers)) as u16
    }
}

/// Every bit of the result depends on all of the number (Steele, Lea, Flood 2014: Fast splittable pseudorandom number generators).
#[inline]
pub(crate) fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

/// 2^64 divided by the golden ratio.
pub(crate) const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// The owner of a discrete part among some workers, given its hash. The same on every machine.
///
/// The hash table of a store uses the lowest and the highest bits as they are; so bits are mixed here, and the parts of one owner still differ in all of them.
#[inline]
fn owner(hash: u64, workers: u16) -> u16 {
    let mixed = (hash ^ hash >> 29).wrapping_mul(FACTOR) >> 32;
    ((mixed * u64::from(workers)) >> 32) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use guidepost_explore::hash_packed;

    #[test]
    fn everybody_owns_about_the_same() {
        for workers in [1, 2, 3, 7, 64] {
            let mut owned = vec![0_u32; usize::from(workers)];
            let parts = (0..200_u32).flat_map(|low| (0..200_u32).map(move |high| [low, high << 9]));
            for part in parts {
                owned[usize::from(owner(hash_packed(&part), workers))] += 1;
            }
            let fair = 40_000 / u32::from(workers);
            assert!(owned.iter().all(|&own| own > fair / 2 && own < fair * 2), "{workers}: {owned:?}");
        }
    }

    #[test]
    fn cells_that_do_not_matter_do_not_decide() {
        let cell = |word, mask| Voice { word, mask, salt: 5 };
        let partition = Partition { cells: vec![cell(1, 0xff0), cell(2, 1)] };
        let owner = |key: [u32; 3]| partition.owner(&key, hash_packed(&key), 64);
        for value in 0..256_u32 {
            assert_eq!(owner([7, value << 4, 3]), owner([value, value << 4 | 0xf00f, 1]));
        }
        let owners: std::collections::BTreeSet<u16> =
            (0..256).map(|value| owner([0, value << 4, 0])).collect();
        assert!(owners.len() > 48, "{owners:?}");
    }
}
