//! Rooms of any size that never move, with addresses for all the memory there is.
//!
//! What is stored by the million lies in a few long chunks. A room that is given away is used again for the next one of its kind.

/// Items of a chunk; one that a room of its own is too large for is longer.
const CHUNK: usize = 1 << 18;

/// Where a room begins: the number of its first item, through all chunks.
///
/// 46 bits, which is more than any machine has memory for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Address(u64);

impl Address {
    pub(crate) const BITS: u32 = 46;

    fn new(chunk: usize, offset: usize) -> Self {
        let address = (chunk * CHUNK + offset) as u64;
        debug_assert!(address < 1 << Self::BITS, "there is no such memory");
        Self(address)
    }

    /// From what [`Address::halves`] gave.
    #[inline]
    pub(crate) fn from_halves(low: u32, high: u16) -> Self {
        Self(u64::from(high) << 32 | u64::from(low))
    }

    /// The 32 low bits, and the 14 others.
    #[inline]
    pub(crate) fn halves(self) -> (u32, u16) {
        (self.0 as u32, (self.0 >> 32) as u16)
    }

    #[inline]
    fn split(self) -> (usize, usize) {
        (self.0 as usize / CHUNK, self.0 as usize % CHUNK)
    }
}

/// Rooms for items of one type.
#[derive(Clone, Debug)]
pub(crate) struct Arena<T> {
    /// Each has its final capacity from the start, and as many items as are in use.
    chunks: Vec<Vec<T>>,
    /// Free rooms by kind.
    free: Vec<Vec<Address>>,
    /// How many there are.
    free_count: usize,
    /// Items of all rooms, free ones included.
    len: usize,
}

impl<T: Copy + Default> Arena<T> {
    pub(crate) fn new() -> Self {
        Self { chunks: Vec::new(), free: Vec::new(), free_count: 0, len: 0 }
    }

    /// A room of a kind; all rooms of a kind have the same size. What is in it is not defined.
    pub(crate) fn allocate(&mut self, kind: usize, size: usize) -> Address {
        if let Some(address) = self.free.get_mut(kind).and_then(Vec::pop) {
            self.free_count -= 1;
            return address;
        }
        let has_room = self.chunks.last().is_some_and(|chunk| chunk.len() + size <= CHUNK);
        if !has_room {
            // Not filled at once: memory that was never written costs nothing.
            self.chunks.push(Vec::with_capacity(size.max(CHUNK)));
        }
        let last = self.chunks.len() - 1;
        let used = self.chunks[last].len();
        debug_assert!(used < CHUNK, "a room begins within its chunk");
        self.chunks[last].resize(used + size, T::default());
        self.len += size;
        Address::new(last, used)
    }

    /// Gives a room away.
    pub(crate) fn release(&mut self, kind: usize, address: Address) {
        if self.free.len() <= kind {
            self.free.resize_with(kind + 1, Vec::new);
        }
        debug_assert!(!self.free[kind].contains(&address) || self.free[kind].len() > 64, "given away once");
        self.free[kind].push(address);
        self.free_count += 1;
    }

    /// Copies items from one room to another; both are given with where to begin.
    pub(crate) fn copy(&mut self, from: (Address, usize), to: (Address, usize), length: usize) {
        let ((from_chunk, first), (to_chunk, target)) = (from.0.split(), to.0.split());
        let (first, target) = (first + from.1, target + to.1);
        if from_chunk == to_chunk {
            self.chunks[from_chunk].copy_within(first..first + length, target);
        } else {
            let [source, other] =
                self.chunks.get_disjoint_mut([from_chunk, to_chunk]).expect("different chunks");
            other[target..target + length].copy_from_slice(&source[first..first + length]);
        }
    }

    /// Some items from an address on.
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

    /// Memory in use; asked for often, so nothing is counted here.
    pub(crate) fn bytes(&self) -> usize {
        self.len * size_of::<T>() + self.free_count * size_of::<Address>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_reach_beyond_32_bits() {
        for address in [0, (1 << 32) - 1, 1 << 32, 5 << 40, (1 << Address::BITS) - 1] {
            let address = Address(address);
            let (low, high) = address.halves();
            assert_eq!(Address::from_halves(low, high), address);
            let (chunk, offset) = address.split();
            assert_eq!(Address::new(chunk, offset), address);
        }
    }

    /// 16,384 clocks are what a model may have.
    #[test]
    fn rooms_can_be_larger_than_a_chunk() {
        let mut arena: Arena<i16> = Arena::new();
        let mut rooms = Vec::new();
        for (number, size) in (1..).zip([3 * 3, 600 * 600, 3 * 3, 1025 * 1025, 512 * 512, 3 * 3]) {
            let address = arena.allocate(size, size);
            arena.get_mut(address, size).fill(number);
            rooms.push((address, size, number));
        }
        for (address, size, number) in rooms {
            assert!(arena.get(address, size).iter().all(|&item| item == number), "{size}");
        }
        assert_eq!(arena.bytes(), (600 * 600 + 1025 * 1025 + 512 * 512 + 27) * 2);
    }

    #[test]
    fn a_room_is_used_again_for_one_of_its_kind() {
        let mut arena: Arena<u32> = Arena::new();
        let rooms: Vec<Address> = (0..4).map(|_| arena.allocate(1, 10)).collect();
        let bytes = arena.bytes();
        arena.release(1, rooms[2]);
        let other = arena.allocate(2, 5);
        assert!(!rooms.contains(&other));
        assert_eq!(arena.allocate(1, 10), rooms[2]);
        assert_eq!(arena.bytes(), bytes + 5 * size_of::<u32>());
    }
}
