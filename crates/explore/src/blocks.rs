//! The states of one discrete part, side by side.
//!
//! Every new state is compared with all stored ones of its discrete part, hundreds in some models, so these lie in blocks that the comparison streams
//! through. A state takes a slot: its number, and that of its zone. Large blocks begin with the outlines of their zones, which most comparisons are done with.
//! Most discrete parts have one state; its slot is in the block itself, and no room is needed.

use crate::arena::{Address, Arena};
use crate::outline::{Outline, Outlines};
use crate::zone_pool::ZoneId;

/// The capacity from which on a block has room for outlines: with fewer zones they would not pay for themselves.
const OUTLINED_FROM: usize = 8;

/// Numbers of states are below this, and what a block with a room has in their place is not.
pub(crate) const STATES: u32 = 0xFF00_0000;

/// A state of a discrete part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slot {
    pub(crate) zone: ZoneId,
    pub(crate) state: u32,
}

/// Words of a slot.
const SLOT: usize = 2;

impl Slot {
    #[inline]
    pub(crate) fn read(words: [u32; SLOT]) -> Self {
        Self { zone: ZoneId(words[0]), state: words[1] }
    }

    #[inline]
    pub(crate) fn words(self) -> [u32; SLOT] {
        [self.zone.0, self.state]
    }
}

/// Words of the outlines of a zone.
const OUTLINES: usize = 4;

#[inline]
pub(crate) fn read_outlines(words: [u32; OUTLINES]) -> Outlines {
    let [a, b, c, d] = words.map(u64::from);
    Outlines { query: Outline(a | b << 32), zone: Outline(c | d << 32) }
}

pub(crate) fn outlines_words(outlines: Outlines) -> [u32; OUTLINES] {
    let (query, zone) = (outlines.query.0, outlines.zone.0);
    [query as u32, (query >> 32) as u32, zone as u32, (zone >> 32) as u32]
}

/// The states of a discrete part: one, or a room for several. There is one for each discrete part, so every byte counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Block {
    /// The slot, or the room: the low bits of its address, then the high ones, its class, and whether there are outlines.
    words: [u32; SLOT],
    /// Slots in use.
    count: u32,
}

/// Where the class of a room stands in the second word.
const CLASS: u32 = 14;
const CLASS_MASK: u32 = (1 << 6) - 1;

/// Set in the second word: the outlines are there and tell some of the zones apart.
const OUTLINED: u32 = 1 << 20;

/// The parts of a block that are in use.
pub(crate) struct Parts<'b> {
    /// As long as the slots, or empty.
    pub(crate) outlines: &'b mut [[u32; OUTLINES]],
    pub(crate) slots: &'b mut [[u32; SLOT]],
}

impl Block {
    /// Words of a block.
    pub(crate) const WORDS: usize = SLOT + 1;

    #[inline]
    pub(crate) fn read(words: [u32; Self::WORDS]) -> Self {
        Self { words: [words[0], words[1]], count: words[2] }
    }

    #[inline]
    pub(crate) fn words(self) -> [u32; Self::WORDS] {
        [self.words[0], self.words[1], self.count]
    }

    #[inline]
    pub(crate) fn count(self) -> usize {
        self.count as usize
    }

    #[inline]
    fn has_room(self) -> bool {
        self.words[1] >= STATES
    }

    #[inline]
    fn class(self) -> usize {
        if self.has_room() { (self.words[1] >> CLASS & CLASS_MASK) as usize } else { 0 }
    }

    #[inline]
    fn room(self) -> Address {
        debug_assert!(self.has_room());
        Address::from_halves(self.words[0], (self.words[1] & ((1 << CLASS) - 1)) as u16)
    }

    fn move_to(&mut self, room: Address, class: usize) {
        let (low, high) = room.halves();
        let is_outlined = if self.is_outlined() { OUTLINED } else { 0 };
        self.words = [low, STATES | is_outlined | (class as u32) << CLASS | u32::from(high)];
        debug_assert_eq!((self.class(), self.room()), (class, room));
    }

    /// Whether there are outlines, and comparing them is of use.
    #[inline]
    pub(crate) fn is_outlined(self) -> bool {
        self.has_room() && self.words[1] & OUTLINED != 0
    }

    /// From now on there are.
    pub(crate) fn set_outlined(&mut self) {
        debug_assert!(self.has_room_for_outlines());
        self.words[1] |= OUTLINED;
    }

    /// Whether there could be.
    pub(crate) fn has_room_for_outlines(self) -> bool {
        capacity_of(self.class()) >= OUTLINED_FROM
    }

    #[inline]
    pub(crate) fn is_full(self) -> bool {
        debug_assert!(self.count() <= capacity_of(self.class()));
        if self.has_room() { self.count() == capacity_of(self.class()) } else { self.count > 0 }
    }

    /// Leaves only the first slots.
    #[inline]
    pub(crate) fn truncate(&mut self, count: usize) {
        debug_assert!(count <= self.count());
        self.count = count as u32;
    }

    /// What is in use.
    #[inline]
    pub(crate) fn parts<'b>(&'b mut self, rooms: &'b mut Rooms) -> Parts<'b> {
        if !self.has_room() {
            let slots = std::slice::from_mut(&mut self.words);
            return Parts { outlines: &mut [], slots: &mut slots[..self.count as usize] };
        }
        let (capacity, count) = (capacity_of(self.class()), self.count());
        let outlines = outlines_size(capacity);
        let words = rooms.0.get_mut(self.room(), outlines + count * SLOT);
        let (outlines, slots) = words.split_at_mut(outlines);
        let outlines = outlines.as_chunks_mut().0;
        let last = count.min(outlines.len());
        Parts { outlines: &mut outlines[..last], slots: slots.as_chunks_mut().0 }
    }

    /// The slots in use.
    #[inline]
    pub(crate) fn slots<'b>(&'b self, rooms: &'b Rooms) -> impl Iterator<Item = Slot> {
        let words = if self.has_room() {
            let outlines = outlines_size(capacity_of(self.class()));
            &rooms.0.get(self.room(), outlines + self.count() * SLOT)[outlines..]
        } else {
            &self.words[..self.count() * SLOT]
        };
        words.as_chunks().0.iter().map(|&words| Slot::read(words))
    }

    /// Makes room for at least one more.
    pub(crate) fn grow(&mut self, rooms: &mut Rooms) {
        let (old, class) = (*self, self.class() + 1);
        let room = rooms.0.allocate(class, room_size(class));
        self.move_to(room, class);
        let outlines = outlines_size(capacity_of(class));
        if !old.has_room() {
            rooms.0.get_mut(room, outlines + SLOT)[outlines..].copy_from_slice(&old.words);
            return;
        }
        if old.is_outlined() {
            rooms.0.copy((old.room(), 0), (room, 0), old.count() * OUTLINES);
        }
        let before = outlines_size(capacity_of(old.class()));
        rooms.0.copy((old.room(), before), (room, outlines), old.count() * SLOT);
        rooms.0.release(old.class(), old.room());
    }

    /// Adds a state, where there is room.
    #[inline]
    pub(crate) fn push(&mut self, rooms: &mut Rooms, slot: Slot, outlines: impl FnOnce() -> Outlines) {
        debug_assert!(!self.is_full() && slot.state < STATES);
        self.count += 1;
        if !self.has_room() {
            self.words = slot.words();
            return;
        }
        let is_outlined = self.is_outlined();
        let parts = self.parts(rooms);
        if let Some(last) = parts.slots.last_mut() {
            *last = slot.words();
        }
        if is_outlined && let Some(last) = parts.outlines.last_mut() {
            *last = outlines_words(outlines());
        }
    }
}

/// Words for the outlines of a block.
#[inline]
fn outlines_size(capacity: usize) -> usize {
    if capacity >= OUTLINED_FROM { capacity * OUTLINES } else { 0 }
}

fn room_size(class: usize) -> usize {
    let capacity = capacity_of(class);
    capacity * SLOT + outlines_size(capacity)
}

/// The capacities of blocks: every class adds a half or a third, so little room stays empty.
#[inline]
fn capacity_of(class: usize) -> usize {
    // 1, 2, 3, 4, 6, 8, 12, 16, 24, …
    match class {
        0 => 1,
        _ if class.is_multiple_of(2) => 3 << (class / 2 - 1),
        _ => 2 << (class / 2),
    }
}

/// The rooms of all blocks.
#[derive(Clone, Debug)]
pub(crate) struct Rooms(Arena<u32>);

impl Rooms {
    pub(crate) fn new() -> Self {
        Self(Arena::new())
    }

    /// Memory in use, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capacities_grow_in_small_steps_to_all_there_can_be() {
        let steps: Vec<usize> = (0..12).map(capacity_of).collect();
        assert_eq!(steps, [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]);
        assert!(capacity_of(CLASS_MASK as usize) > STATES as usize);
    }

    #[test]
    fn a_block_with_a_room_keeps_all_it_knows() {
        for address in [0, (1 << 32) - 1, 1 << 32, 5 << 40, (1_u64 << Address::BITS) - 1] {
            let room = Address::from_halves(address as u32, (address >> 32) as u16);
            for class in [1, 5, 62] {
                let mut block = Block { words: [7, STATES - 1], count: 1 };
                assert!(!block.has_room() && block.is_full());
                block.move_to(room, class);
                assert!(block.has_room() && !block.is_outlined() && !block.is_full());
                if block.has_room_for_outlines() {
                    block.set_outlined();
                    assert!(block.is_outlined());
                }
                assert_eq!((block.class(), block.room(), block.count()), (class, room, 1));
                assert_eq!(Block::read(block.words()), block);
            }
        }
        assert_eq!(size_of::<Block>(), 12, "there is one for each discrete part");
    }

    #[test]
    fn a_block_keeps_its_states_when_it_grows_and_its_room_is_used_again() {
        let mut rooms = Rooms::new();
        let mut block = Block::default();
        let outlines = |number: u32| Outlines {
            query: Outline(u64::from(number) << 40),
            zone: Outline(u64::MAX - u64::from(number)),
        };
        let slot = |number: u32| Slot { zone: ZoneId(3 * number), state: 70_000 * number };
        for number in 0..30 {
            if block.is_full() {
                block.grow(&mut rooms);
                if block.has_room_for_outlines() && !block.is_outlined() {
                    for (number, words) in (0..).zip(block.parts(&mut rooms).outlines) {
                        *words = outlines_words(outlines(number));
                    }
                    block.set_outlined();
                }
            }
            block.push(&mut rooms, slot(number), || outlines(number));
        }
        let Parts { outlines: fronts, slots } = block.parts(&mut rooms);
        assert_eq!((fronts.len(), slots.len()), (30, 30));
        for (number, (&words, &front)) in (0..).zip(slots.iter().zip(&*fronts)) {
            assert_eq!(Slot::read(words), slot(number));
            assert_eq!(read_outlines(front), outlines(number));
        }
        assert!(block.slots(&rooms).eq((0..30).map(slot)));
        let bytes = rooms.bytes();
        let mut other = Block::default();
        for number in 0..24 {
            if other.is_full() {
                other.grow(&mut rooms);
            }
            other.push(&mut rooms, slot(number), Outlines::default);
        }
        assert!(rooms.bytes() <= bytes, "all rooms it passed through were free");
    }
}
