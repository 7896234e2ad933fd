//! Where zones are kept: those of one discrete part side by side.
//!
//! Every new zone is compared with all stored zones of its discrete part, hundreds in some models, so these lie in blocks that the comparison
//! streams through. A zone is a slot: the number of its state, then its matrix. Large blocks begin with the outlines of their zones, which most comparisons are
//! done with. Blocks grow in steps until they are large enough to stream, then the list goes on with another block. Blocks live in chunks that never move; the room
//! of blocks that were outgrown is used again.

use crate::matrix::Entry;

const CHUNK: usize = 1 << 18;

/// Entries beyond which a block does not grow: by then the processor has long been streaming, and less room is left empty.
const LARGEST_BLOCK: usize = 1 << 14;

/// The capacity from which on a block has room for outlines: with fewer zones they would not pay for themselves.
const OUTLINED_FROM: usize = 8;

/// How many different capacities blocks have.
const CLASSES: usize = 14;

/// Chunks that 32-bit addresses can tell apart.
const ADDRESSABLE: usize = (1 << 32) / CHUNK;

/// Chunks that are left when an arena calls itself full: enough for whatever is stored before somebody looks.
const RESERVE: usize = 256;

/// Marks the end of a list of blocks.
pub(crate) const END: u32 = u32::MAX;

/// Set in [`Block::room`]: the zones are stored with 32-bit bounds.
const WIDE: u16 = 1 << 15;

/// Set in [`Block::room`]: the outlines are there and tell some of the zones apart.
const OUTLINED: u16 = 1 << 14;

/// Some zones of a discrete part, all of the same width.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Where it begins: with outlines if it has them, then come the slots.
    pub(crate) start: u32,
    /// Slots in use.
    pub(crate) count: u16,
    /// Slots there are, whether they are wide, and whether they have outlines.
    room: u16,
    /// The next block of the list, or [`END`].
    pub(crate) next: u32,
}

impl Block {
    /// A block without any room.
    pub(crate) fn empty(is_wide: bool, next: u32) -> Self {
        Self { start: 0, count: 0, room: if is_wide { WIDE } else { 0 }, next }
    }

    pub(crate) fn is_wide(self) -> bool {
        self.room & WIDE != 0
    }

    pub(crate) fn is_full(self) -> bool {
        usize::from(self.count) == self.capacity()
    }

    /// How many slots there are.
    pub(crate) fn capacity(self) -> usize {
        usize::from(self.room & !(WIDE | OUTLINED))
    }

    /// Whether there are outlines in front of the slots, and comparing them is of use.
    pub(crate) fn is_outlined(self) -> bool {
        self.room & OUTLINED != 0
    }

    /// From now on there are.
    pub(crate) fn set_outlined(&mut self) {
        debug_assert!(self.has_room_for_outlines());
        self.room |= OUTLINED;
    }

    /// Whether there could be.
    pub(crate) fn has_room_for_outlines(self) -> bool {
        self.capacity() >= OUTLINED_FROM
    }

    fn set_capacity(&mut self, capacity: usize) {
        self.room = (self.room & (WIDE | OUTLINED)) | capacity as u16;
    }
}

/// The capacities of blocks: every step adds a half or a third, so little room stays empty.
fn step(class: usize) -> usize {
    // 1, 2, 3, 4, 6, 8, 12, 16, 24, …
    match class {
        0 => 1,
        _ if class.is_multiple_of(2) => 3 << (class / 2 - 1),
        _ => 2 << (class / 2),
    }
}

/// The class of a capacity.
fn class_of(capacity: usize) -> usize {
    (0..CLASSES).find(|&class| step(class) >= capacity).expect("no block is larger")
}

/// Rooms for zones of one entry type.
#[derive(Clone, Debug)]
pub(crate) struct Arena<T> {
    /// Each has its final capacity from the start, and as many entries as are in use. A zone of many hundreds of clocks has a
    /// longer one for itself.
    chunks: Vec<Vec<T>>,
    /// Free rooms by dimension and class.
    free: Vec<Vec<Vec<u32>>>,
    /// How many there are.
    free_count: usize,
    /// Entries of longer chunks beyond the usual size.
    beyond: usize,
    /// How many chunks there may be before it is full.
    most_chunks: usize,
}

impl<T: Entry> Arena<T> {
    pub(crate) fn new() -> Self {
        Self {
            chunks: Vec::new(),
            free: Vec::new(),
            free_count: 0,
            beyond: 0,
            most_chunks: ADDRESSABLE - RESERVE,
        }
    }

    /// Entries of a slot for a zone of the given dimension.
    #[inline]
    pub(crate) fn slot_size(dim: usize) -> usize {
        T::HEADER + dim * dim
    }

    /// Entries for the outlines of a block.
    #[inline]
    fn outlines_size(capacity: usize) -> usize {
        if capacity >= OUTLINED_FROM { capacity * T::OUTLINES } else { 0 }
    }

    /// The address of a block's first slot.
    #[inline]
    pub(crate) fn first_slot(block: Block) -> u32 {
        block.start + Self::outlines_size(block.capacity()) as u32
    }

    /// The largest capacity of a block.
    pub(crate) fn largest(dim: usize) -> usize {
        let fitting = LARGEST_BLOCK / Self::slot_size(dim);
        (0..CLASSES).map(step).take_while(|&capacity| capacity <= fitting).last().unwrap_or(1)
    }

    /// Makes room for at least one more zone in a block; its zones may move.
    pub(crate) fn grow(&mut self, block: &mut Block, dim: usize) {
        let class = class_of(block.capacity() + 1);
        let mut larger = *block;
        larger.start = self.allocate(dim, class);
        larger.set_capacity(step(class));
        if block.count > 0 {
            let count = usize::from(block.count);
            if block.is_outlined() {
                self.copy(block.start, larger.start, count * T::OUTLINES);
            }
            self.copy(Self::first_slot(*block), Self::first_slot(larger), count * Self::slot_size(dim));
        }
        self.release(block, dim);
        *block = larger;
    }

    /// Gives a block's room away.
    pub(crate) fn release(&mut self, block: &mut Block, dim: usize) {
        if block.capacity() > 0 {
            let class = class_of(block.capacity());
            if self.free.len() <= dim {
                self.free.resize_with(dim + 1, Vec::new);
            }
            if self.free[dim].len() <= class {
                self.free[dim].resize_with(class + 1, Vec::new);
            }
            self.free[dim][class].push(block.start);
            self.free_count += 1;
            block.room &= WIDE;
        }
    }

    fn allocate(&mut self, dim: usize, class: usize) -> u32 {
        let capacity = step(class);
        let size = capacity * Self::slot_size(dim) + Self::outlines_size(capacity);
        let free = self.free.get_mut(dim).and_then(|classes| classes.get_mut(class));
        if let Some(address) = free.and_then(Vec::pop) {
            self.free_count -= 1;
            return address;
        }
        let has_room = self.chunks.last().is_some_and(|chunk| chunk.len() + size <= CHUNK);
        if !has_room {
            // Not filled at once: memory is written when the processor is about to use it anyway.
            self.chunks.push(Vec::with_capacity(size.max(CHUNK)));
        }
        let last = self.chunks.len() - 1;
        let used = self.chunks[last].len();
        self.chunks[last].resize(used + size, T::default());
        self.beyond += size.saturating_sub(CHUNK);
        u32::try_from(last * CHUNK + used).expect("a search ends when its store is full")
    }

    fn copy(&mut self, from: u32, to: u32, length: usize) {
        let (from_chunk, from) = (from as usize / CHUNK, from as usize % CHUNK);
        let (to_chunk, to) = (to as usize / CHUNK, to as usize % CHUNK);
        if from_chunk == to_chunk {
            self.chunks[from_chunk].copy_within(from..from + length, to);
        } else {
            let [source, target] =
                self.chunks.get_disjoint_mut([from_chunk, to_chunk]).expect("different chunks");
            target[to..to + length].copy_from_slice(&source[from..from + length]);
        }
    }

    /// Some entries from an address on.
    #[inline]
    pub(crate) fn get(&self, address: u32, length: usize) -> &[T] {
        let (chunk, offset) = (address as usize / CHUNK, address as usize % CHUNK);
        &self.chunks[chunk][offset..offset + length]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, address: u32, length: usize) -> &mut [T] {
        let (chunk, offset) = (address as usize / CHUNK, address as usize % CHUNK);
        &mut self.chunks[chunk][offset..offset + length]
    }

    /// The outlines and the slots of a block that are in use.
    #[inline]
    pub(crate) fn parts_mut(&mut self, block: Block, dim: usize) -> (&mut [T], &mut [T]) {
        let outlines = Self::outlines_size(block.capacity());
        let slots = usize::from(block.count) * Self::slot_size(dim);
        self.get_mut(block.start, outlines + slots).split_at_mut(outlines)
    }

    /// The matrix in the slot at an address.
    #[inline]
    pub(crate) fn matrix(&self, address: u32, dim: usize) -> &[T] {
        &self.get(address, Self::slot_size(dim))[T::HEADER..]
    }

    /// Whether addresses run out: after 8 GiB of zones with 16-bit bounds, 16 GiB with 32-bit bounds.
    pub(crate) fn is_full(&self) -> bool {
        self.chunks.len() > self.most_chunks
    }

    /// Memory in use; asked for often, so nothing is counted here.
    pub(crate) fn bytes(&self) -> usize {
        (self.chunks.len() * CHUNK + self.beyond) * size_of::<T>() + self.free_count * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::{Outline, Outlines};

    #[test]
    fn capacities_grow_in_small_steps() {
        let steps: Vec<usize> = (0..12).map(step).collect();
        assert_eq!(steps, [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]);
        for (class, &capacity) in steps.iter().enumerate() {
            assert_eq!(class_of(capacity), class);
        }
        assert_eq!(class_of(5), 4);
    }

    #[test]
    fn an_arena_is_full_before_addresses_run_out() {
        let mut arena: Arena<i16> = Arena::new();
        assert_eq!((arena.most_chunks + RESERVE) * CHUNK, 1 << 32);
        arena.most_chunks = 2;
        while !arena.is_full() {
            assert!(arena.chunks.len() <= 2);
            arena.grow(&mut Block::empty(false, END), 100);
        }
        assert_eq!(arena.chunks.len(), 3);
    }

    /// 16,384 clocks are what a model may have.
    #[test]
    fn zones_can_be_larger_than_a_chunk() {
        let mut arena: Arena<i16> = Arena::new();
        let mut starts = Vec::new();
        for (number, dim) in (1..).zip([3, 600, 3, 1025, 512, 3]) {
            let mut block = Block::empty(false, END);
            arena.grow(&mut block, dim);
            assert_eq!((Arena::<i16>::largest(600), block.capacity()), (1, 1));
            block.count = 1;
            arena.parts_mut(block, dim).1.fill(number);
            starts.push((block.start, dim, number));
        }
        for (start, dim, number) in starts {
            assert!(arena.matrix(start, dim).iter().all(|&entry| entry == number), "{dim}");
        }
        assert!(arena.bytes() >= (600 * 600 + 1025 * 1025 + 512 * 512) * 2);
    }

    #[test]
    fn a_block_keeps_its_zones_when_it_grows_and_its_room_is_used_again() {
        let mut arena: Arena<i16> = Arena::new();
        let mut block = Block::empty(false, END);
        let size = Arena::<i16>::slot_size(2);
        let mut rooms = Vec::new();
        let outlines = |number: u32| Outlines {
            query: Outline(u64::from(number) << 40),
            zone: Outline(u64::MAX - u64::from(number)),
        };
        for number in 0..30 {
            if block.is_full() {
                arena.grow(&mut block, 2);
                rooms.push(block.start);
            }
            let position = usize::from(block.count);
            block.count += 1;
            let (fronts, slots) = arena.parts_mut(block, 2);
            let slot = &mut slots[position * size..];
            i16::write_id(slot, 70_000 * number);
            slot[2..].fill(number as i16);
            if block.is_outlined() {
                let front = &mut fronts[position * i16::OUTLINES..][..i16::OUTLINES];
                i16::write_outlines(front, outlines(number));
            } else if block.has_room_for_outlines() {
                for (number, front) in (0..=number).zip(fronts.chunks_exact_mut(i16::OUTLINES)) {
                    i16::write_outlines(front, outlines(number));
                }
                block.set_outlined();
            }
        }
        let (fronts, slots) = arena.parts_mut(block, 2);
        let fronts = fronts.chunks_exact(i16::OUTLINES);
        for (number, (slot, front)) in (0..).zip(slots.chunks_exact(size).zip(fronts)) {
            assert_eq!(i16::read_id(slot), 70_000 * number);
            assert_eq!(slot[2..], [number as i16; 4]);
            assert_eq!(i16::read_outlines(front), outlines(number));
        }
        let mut other = Block::empty(false, END);
        arena.grow(&mut other, 2);
        assert_eq!(other.start, rooms[0], "the room for one zone is free again");
        let mut larger = Block::empty(false, END);
        arena.grow(&mut larger, 3);
        assert!(!rooms.contains(&larger.start));
    }
}
