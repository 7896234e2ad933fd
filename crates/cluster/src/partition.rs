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

/// Which cells decide who owns a state.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Partition {
    /// Words of the packed discrete part, and the bits of them that matter; none: all of them do.
    words: Vec<(u32, u32)>,
}

impl Partition {
    /// Some bits of the packed discrete part decide: words and masks.
    pub(crate) fn of(masks: &[u32]) -> Self {
        Self { words: (0..).zip(masks.iter().copied()).filter(|&(_, mask)| mask != 0).collect() }
    }

    /// The owner of a discrete part among some workers, given its hash. The same on every machine.
    #[inline]
    pub(crate) fn owner(&self, key: &[u32], hash: u64, workers: u16) -> u16 {
        if self.words.is_empty() { owner(hash, workers) } else { owner(self.hash(key), workers) }
    }

    /// A hash of the bits that matter.
    #[inline]
    fn hash(&self, key: &[u32]) -> u64 {
        let mixed = |hash: u64, &(word, mask): &(u32, u32)| {
            let bits = key.get(word as usize).map_or(0, |bits| bits & mask);
            mix(hash ^ u64::from(bits)).wrapping_add(FACTOR)
        };
        self.words.iter().fold(0, mixed)
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
    fn bits_that_do_not_matter_do_not_decide() {
        let partition = Partition::of(&[0, 0xff0, 0]);
        let owner = |key: [u32; 3]| partition.owner(&key, hash_packed(&key), 64);
        for value in 0..256_u32 {
            assert_eq!(owner([7, value << 4, 3]), owner([value, value << 4 | 0xf00f, 0]));
        }
        let owners: std::collections::BTreeSet<u16> = (0..256).map(|value| owner([0, value << 4, 0])).collect();
        assert!(owners.len() > 48, "{owners:?}");
    }
}
