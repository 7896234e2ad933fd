//! Who owns a state: a hash of its discrete part decides, so that states that could cover each other always meet.

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

/// The owner of a discrete part among some workers, given its hash. The same on every machine.
///
/// The hash table of a store uses the lowest and the highest bits as they are; so bits are mixed here, and the parts of one owner still differ in all of them.
#[inline]
pub(crate) fn owner(hash: u64, workers: u16) -> u16 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
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
}
