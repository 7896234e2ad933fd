//! Zones, each of them once.
//!
//! The same few zones come with many discrete parts: where processes are alike, what a zone says depends on how many of them wait for what, and not on which. Of the
//! zones in a store, one in ten to one in a thousand is different (Fischer's protocol with 10 processes: 9,282 of 260,998; CSMA/CD with 11 stations: 1,848 of
//! 369,666), so a matrix is kept once and counts how often it is used. Where all are different, a zone costs about 20 bytes more than its matrix.
//!
//! Keeping zones once pays in time, too: equal zones are equal numbers, and the matrices that comparisons read stay in the processor's cache.

use crate::arena::{Address, Arena};
use crate::chunks::Items;
use crate::matrix::{Entry, widen};
use guidepost_zones::Zone;
use hashbrown::HashTable;

/// The number of a zone in a pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ZoneId(pub(crate) u32);

/// Set in [`Pooled::high`]: the matrix has 32-bit bounds.
const WIDE: u16 = 1 << 15;

/// Marks the end of the list of unused numbers.
const END: u32 = u32::MAX;

/// A zone, or an unused number.
#[derive(Clone, Copy, Debug)]
struct Pooled {
    /// Where its matrix is, see [`Address::halves`]. Of an unused number: the next one.
    low: u32,
    /// The rest of the address, and its width.
    high: u16,
    dim: u16,
    /// How many states have it; none, if the number is unused.
    uses: u32,
}

impl Pooled {
    #[inline]
    fn is_wide(self) -> bool {
        self.high & WIDE != 0
    }

    #[inline]
    fn address(self) -> Address {
        debug_assert!(self.uses > 0, "the zone is in use");
        Address::from_halves(self.low, self.high & !WIDE)
    }

    #[inline]
    fn len(self) -> usize {
        usize::from(self.dim) * usize::from(self.dim)
    }
}

/// A stored matrix of either width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Matrix<'s> {
    Narrow(&'s [i16]),
    Wide(&'s [i32]),
}

impl Matrix<'_> {
    /// Writes it into a zone of the right dimension.
    #[inline]
    pub(crate) fn widen_into(self, zone: &mut Zone) {
        match self {
            Matrix::Narrow(entries) => widen(entries, zone),
            Matrix::Wide(entries) => widen(entries, zone),
        }
    }

    fn hash(self) -> u64 {
        match self {
            Matrix::Narrow(entries) => i16::hash(entries),
            Matrix::Wide(entries) => i32::hash(entries),
        }
    }
}

/// All zones of a store.
#[derive(Debug)]
pub(crate) struct ZonePool {
    table: HashTable<u32>,
    zones: Items<Pooled>,
    /// The first unused number; the others follow.
    unused: u32,
    /// The zone that was looked for last, if it was found: the next one is often the same.
    recent: u32,
    narrow: Arena<i16>,
    wide: Arena<i32>,
}

impl ZonePool {
    pub(crate) fn new() -> Self {
        Self {
            table: HashTable::new(),
            zones: Items::new(),
            unused: END,
            recent: END,
            narrow: Arena::new(),
            wide: Arena::new(),
        }
    }

    /// The matrix of a zone in use.
    #[inline]
    pub(crate) fn matrix(&self, id: ZoneId) -> Matrix<'_> {
        matrix_of(&self.narrow, &self.wide, self.zones.get(id.0 as usize))
    }

    /// Whether some state has the zone of this number.
    #[inline]
    pub(crate) fn is_used(&self, id: ZoneId) -> bool {
        self.zones.get(id.0 as usize).uses > 0
    }

    /// The number of a zone, if some state has it.
    #[inline]
    pub(crate) fn find(&mut self, zone: Matrix<'_>) -> Option<ZoneId> {
        let recent = ZoneId(self.recent);
        if self.recent != END && self.is_used(recent) && self.matrix(recent) == zone {
            return Some(recent);
        }
        let same = |&id: &u32| self.matrix(ZoneId(id)) == zone;
        let found = self.table.find(zone.hash(), same).copied();
        self.recent = found.unwrap_or(self.recent);
        found.map(ZoneId)
    }

    /// Another state has a zone. `found` is what [`ZonePool::find`] says.
    pub(crate) fn take(&mut self, zone: Matrix<'_>, dim: usize, found: Option<ZoneId>) -> ZoneId {
        debug_assert_eq!(self.find(zone), found);
        match found {
            Some(id) => {
                self.zones.get_mut(id.0 as usize).uses += 1;
                id
            }
            None => self.insert(zone, dim),
        }
    }

    fn insert(&mut self, zone: Matrix<'_>, dim: usize) -> ZoneId {
        let (address, width) = match zone {
            Matrix::Narrow(entries) => (put(&mut self.narrow, dim, entries), 0),
            Matrix::Wide(entries) => (put(&mut self.wide, dim, entries), WIDE),
        };
        let (low, high) = address.halves();
        let dim = u16::try_from(dim).expect("models have at most 16,384 clocks");
        let pooled = Pooled { low, high: high | width, dim, uses: 1 };
        let id = self.unused;
        let id = if id == END {
            self.zones.push(pooled);
            self.zones.len() as u32 - 1
        } else {
            self.unused = std::mem::replace(self.zones.get_mut(id as usize), pooled).low;
            id
        };
        let Self { table, zones, narrow, wide, .. } = self;
        let hash_of = |&id: &u32| matrix_of(narrow, wide, zones.get(id as usize)).hash();
        table.insert_unique(zone.hash(), id, hash_of);
        ZoneId(id)
    }

    /// A state that had a zone is gone.
    pub(crate) fn release(&mut self, id: ZoneId) {
        let pooled = self.zones.get_mut(id.0 as usize);
        debug_assert!(pooled.uses > 0);
        pooled.uses -= 1;
        if pooled.uses > 0 {
            return;
        }
        pooled.uses = 1;
        let hash = self.matrix(id).hash();
        let entry = self.table.find_entry(hash, |&other| other == id.0);
        entry.expect("every zone is in the table").remove();
        let pooled = self.zones.get_mut(id.0 as usize);
        let (address, dim, is_wide) = (pooled.address(), usize::from(pooled.dim), pooled.is_wide());
        *pooled = Pooled { low: self.unused, high: 0, dim: 0, uses: 0 };
        self.unused = id.0;
        if is_wide {
            self.wide.release(dim, address);
        } else {
            self.narrow.release(dim, address);
        }
    }

    /// Memory in use, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.table.allocation_size() + self.zones.bytes() + self.narrow.bytes() + self.wide.bytes()
    }
}

#[inline]
fn matrix_of<'s>(narrow: &'s Arena<i16>, wide: &'s Arena<i32>, zone: &Pooled) -> Matrix<'s> {
    if zone.is_wide() {
        Matrix::Wide(wide.get(zone.address(), zone.len()))
    } else {
        Matrix::Narrow(narrow.get(zone.address(), zone.len()))
    }
}

fn put<T: Entry>(arena: &mut Arena<T>, dim: usize, entries: &[T]) -> Address {
    let address = arena.allocate(dim, entries.len());
    arena.get_mut(address, entries.len()).copy_from_slice(entries);
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrow(entries: &[i16]) -> Matrix<'_> {
        Matrix::Narrow(entries)
    }

    fn wide(entries: &[i32]) -> Matrix<'_> {
        Matrix::Wide(entries)
    }

    #[test]
    fn a_zone_is_kept_once_and_as_long_as_somebody_has_it() {
        let mut pool = ZonePool::new();
        let (first, second, third) = ([0, 1, 2, 0], [0, 1, 3, 0], [0, -70_000, 80_000, 0]);
        let one = pool.take(narrow(&first), 2, None);
        let two = pool.take(narrow(&second), 2, None);
        let three = pool.take(wide(&third), 2, None);
        assert!(one != two && two != three);
        for _ in 0..3 {
            let found = pool.find(narrow(&first));
            assert_eq!(pool.take(narrow(&first), 2, found), one);
        }
        for _ in 0..4 {
            assert_eq!(pool.matrix(one), Matrix::Narrow(&first));
            pool.release(one);
        }
        assert_eq!(pool.find(narrow(&first)), None);
        assert_eq!((pool.find(narrow(&second)), pool.find(wide(&third))), (Some(two), Some(three)));
        let bytes = pool.bytes();
        assert_eq!(pool.take(narrow(&first), 2, None), one, "the number and the room are used again");
        assert!(pool.bytes() <= bytes);
        assert_eq!(pool.matrix(three), Matrix::Wide(&third));
    }

    #[test]
    fn many_zones_come_and_go() {
        let mut pool = ZonePool::new();
        let zone = |number: i16| [0, number, number, number / 2, 0, 1, number / 3, 2, 0];
        let ids: Vec<ZoneId> = (0..3000).map(|number| pool.take(narrow(&zone(number)), 3, None)).collect();
        for &id in ids.iter().step_by(2) {
            pool.release(id);
        }
        for (number, &id) in (0..3000).zip(&ids) {
            let expected = (number % 2 == 1).then_some(id);
            assert_eq!(pool.find(narrow(&zone(number))), expected);
        }
        assert_eq!(size_of::<Pooled>(), 12);
    }
}
