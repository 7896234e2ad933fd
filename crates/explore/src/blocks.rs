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

/// Marks the end of a list of blocks.
pub(crate) const END: u32 = u32::MAX;

/// Where something lies in an arena: the number of its first entry, through all chunks.
///
/// 46 bits, which is more than any machine has memory for. Blocks and states keep it as 32 low bits and the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Address(u64);

impl Address {
    const BITS: u32 = 46;

    fn new(chunk: usize, offset: usize) -> Self {
        let address = (chunk * CHUNK + offset) as u64;
        debug_assert!(address < 1 << Self::BITS, "there is no such memory");
        Self(address)
    }

    #[inline]
    pub(crate) fn from_halves(low: u32, high: u16) -> Self {
        Self(u64::from(high) << 32 | u64::from(low))
    }

    #[inline]
    pub(crate) fn halves(self) -> (u32, u16) {
        (self.0 as u32, (self.0 >> 32) as u16)
    }

    /// So many entries further on.
    #[inline]
    pub(crate) fn plus(self, entries: usize) -> Self {
        Self(self.0 + entries as u64)
    }

    #[inline]
    fn split(self) -> (usize, usize) {
        (self.0 as usize / CHUNK, self.0 as usize % CHUNK)
    }
}

/// Set in [`Block::high`]: the zones are stored with 32-bit bounds.
const WIDE: u16 = 1 << 15;

/// Set in [`Block::high`]: the outlines are there and tell some of the zones apart.
const OUTLINED: u16 = 1 << 14;

/// Some zones of a discrete part, all of the same width. One or more for each discrete part, so every byte counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Where it begins, see [`Address::halves`]: with outlines if it has them, then come the slots.
    low: u32,
    /// The rest of the address, whether the slots are wide, and whether they have outlines.
    high: u16,
    /// Slots in use.
    pub(crate) count: u8,
    /// Slots there are.
    capacity: u8,
    /// The next block of the list, or [`END`].
    pub(crate) next: u32,
}

impl Block {
    /// A block without any room.
    pub(crate) fn empty(is_wide: bool, next: u32) -> Self {
        Self { low: 0, high: if is_wide { WIDE } else { 0 }, count: 0, capacity: 0, next }
    }

    #[inline]
    pub(crate) fn is_wide(self) -> bool {
        self.high & WIDE != 0
    }

    #[inline]
    pub(crate) fn is_full(self) -> bool {
        debug_assert!(self.count <= self.capacity);
        self.count == self.capacity
    }

    /// How many slots there are.
    #[inline]
    pub(crate) fn capacity(self) -> usize {
        usize::from(self.capacity)
    }

    /// Whether there are outlines in front of the slots, and comparing them is of use.
    #[inline]
    pub(crate) fn is_outlined(self) -> bool {
        self.high & OUTLINED != 0
    }

    /// From now on there are.
    pub(crate) fn set_outlined(&mut self) {
        debug_assert!(self.has_room_for_outlines());
        self.high |= OUTLINED;
    }

    /// Whether there could be.
    pub(crate) fn has_room_for_outlines(self) -> bool {
        self.capacity() >= OUTLINED_FROM
    }

    /// Where it begins.
    #[inline]
    pub(crate) fn start(self) -> Address {
        Address::from_halves(self.low, self.high & !(WIDE | OUTLINED))
    }

    /// Puts it into a larger room.
    fn move_to(&mut self, start: Address, capacity: usize) {
        debug_assert!(usize::from(self.count) <= capacity && capacity <= LARGEST_CAPACITY);
        let (low, high) = start.halves();
        self.low = low;
        self.high = self.high & (WIDE | OUTLINED) | high;
        self.capacity = capacity as u8;
    }

    /// It has no room any more.
    fn leave(&mut self) {
        *self = Self { count: self.count, ..Self::empty(self.is_wide(), self.next) };
    }
}

/// What the largest class has room for.
const LARGEST_CAPACITY: usize = 128;

/// The capacities of blocks: every class adds a half or a third, so little room stays empty.
fn capacity_of(class: usize) -> usize {
    // 1, 2, 3, 4, 6, 8, 12, 16, 24, …
    match class {
        0 => 1,
        _ if class.is_multiple_of(2) => 3 << (class / 2 - 1),
        _ => 2 << (class / 2),
    }
}

/// The class of a capacity.
fn class_of(capacity: usize) -> usize {
    (0..CLASSES).find(|&class| capacity_of(class) >= capacity).expect("no block is larger")
}

/// Rooms for zones of one entry type.
#[derive(Clone, Debug)]
pub(crate) struct Arena<T> {
    /// Each has its final capacity from the start, and as many entries as are in use. A zone of many hundreds of clocks has a
    /// longer one for itself.
    chunks: Vec<Vec<T>>,
    /// Free rooms by dimension and class.
    free: Vec<Vec<Vec<Address>>>,
    /// How many there are.
    free_count: usize,
    /// Entries of longer chunks beyond the usual size.
    beyond: usize,
}

impl<T: Entry> Arena<T> {
    pub(crate) fn new() -> Self {
        Self { chunks: Vec::new(), free: Vec::new(), free_count: 0, beyond: 0 }
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
    pub(crate) fn first_slot(block: Block) -> Address {
        block.start().plus(Self::outlines_size(block.capacity()))
    }

    /// The largest capacity of a block.
    pub(crate) fn largest(dim: usize) -> usize {
        let fitting = LARGEST_BLOCK / Self::slot_size(dim);
        (0..CLASSES).map(capacity_of).take_while(|&capacity| capacity <= fitting).last().unwrap_or(1)
    }

    /// Makes room for at least one more zone in a block; its zones may move.
    pub(crate) fn grow(&mut self, block: &mut Block, dim: usize) {
        let class = class_of(block.capacity() + 1);
        let mut larger = *block;
        larger.move_to(self.allocate(dim, class), capacity_of(class));
        if block.count > 0 {
            let count = usize::from(block.count);
            if block.is_outlined() {
                self.copy(block.start(), larger.start(), count * T::OUTLINES);
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
            self.free[dim][class].push(block.start());
            self.free_count += 1;
            block.leave();
        }
    }

    fn allocate(&mut self, dim: usize, class: usize) -> Address {
        let capacity = capacity_of(class);
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
        debug_assert!(used < CHUNK, "a block begins within its chunk");
        Address::new(last, used)
    }

    fn copy(&mut self, from: Address, to: Address, length: usize) {
        let ((from_chunk, from), (to_chunk, to)) = (from.split(), to.split());
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
    pub(crate) fn get(&self, address: Address, length: usize) -> &[T] {
        let (chunk, offset) = address.split();
        &self.chunks[chunk][offset..offset + length]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, address: Address, length: usize) -> &mut [T] {
        let (chunk, offset) = address.split();
        &mut self.chunks[chunk][offset..offset + length]
    }

    /// The outlines and the slots of a block that are in use.
    #[inline]
    pub(crate) fn parts_mut(&mut self, block: Block, dim: usize) -> (&mut [T], &mut [T]) {
        let outlines = Self::outlines_size(block.capacity());
        let slots = usize::from(block.count) * Self::slot_size(dim);
        self.get_mut(block.start(), outlines + slots).split_at_mut(outlines)
    }

    /// The matrix in the slot at an address.
    #[inline]
    pub(crate) fn matrix(&self, address: Address, dim: usize) -> &[T] {
        &self.get(address, Self::slot_size(dim))[T::HEADER..]
    }

    /// The number of the state whose slot is at an address.
    pub(crate) fn id(&self, address: Address) -> u32 {
        T::read_id(self.get(address, T::HEADER))
    }

    /// Memory in use; asked for often, so nothing is counted here.
    pub(crate) fn bytes(&self) -> usize {
        (self.chunks.len() * CHUNK + self.beyond) * size_of::<T>() + self.free_count * size_of::<Address>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::{Outline, Outlines};

    #[test]
    fn capacities_grow_in_small_steps() {
        let steps: Vec<usize> = (0..12).map(capacity_of).collect();
        assert_eq!(steps, [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]);
        for (class, &capacity) in steps.iter().enumerate() {
            assert_eq!(class_of(capacity), class);
        }
        assert_eq!(class_of(5), 4);
    }

    #[test]
    fn addresses_reach_beyond_32_bits() {
        for address in [0, (1 << 32) - 1, 1 << 32, 5 << 40, (1 << Address::BITS) - 1] {
            let address = Address(address);
            let (low, high) = address.halves();
            assert_eq!(Address::from_halves(low, high), address);
            let mut block = Block::empty(true, 7);
            block.move_to(address, 8);
            block.set_outlined();
            assert_eq!((block.start(), block.capacity(), block.next), (address, 8, 7));
            assert!(block.is_wide() && block.is_outlined());
            let (chunk, offset) = address.split();
            assert_eq!(Address::new(chunk, offset), address);
        }
        assert_eq!(size_of::<Block>(), 12, "there is one for each discrete part");
        assert_eq!(capacity_of(CLASSES - 1), LARGEST_CAPACITY);
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
            starts.push((block.start(), dim, number));
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
                rooms.push(block.start());
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
        assert_eq!(other.start(), rooms[0], "the room for one zone is free again");
        let mut larger = Block::empty(false, END);
        arena.grow(&mut larger, 3);
        assert!(!rooms.contains(&larger.start()));
    }
}
