//! Slices of different lengths, side by side in memory that never moves.

/// Entries of a chunk; more only for a slice that is longer.
const CHUNK: usize = 1 << 18;
/// Entries of the first chunk: each is twice as long as the one before, up to that.
const FIRST: usize = 1 << 10;
/// Slices begin at multiples of this.
const UNIT: usize = 4;
/// Bits of a handle for the place within a chunk.
const BITS: u32 = (CHUNK / UNIT).trailing_zeros();

/// Slices of `T`, by handle. The length of a slice is known to whoever has the handle.
pub(crate) struct Arena<T> {
    chunks: Vec<Vec<T>>,
    /// What stands between slices.
    filling: T,
    bytes: usize,
}

impl<T: Copy> Arena<T> {
    pub(crate) fn new(filling: T) -> Self {
        Self { chunks: Vec::new(), filling, bytes: 0 }
    }

    /// Keeps a copy of a slice.
    pub(crate) fn add(&mut self, slice: &[T]) -> u32 {
        let size = slice.len().next_multiple_of(UNIT);
        let has_room = self.chunks.last().is_some_and(|chunk| chunk.capacity() - chunk.len() >= size);
        if !has_room {
            let usual = FIRST << self.chunks.len().min((CHUNK / FIRST).trailing_zeros() as usize);
            let capacity = size.max(usual);
            self.bytes += capacity * size_of::<T>();
            self.chunks.push(Vec::with_capacity(capacity));
        }
        let number = self.chunks.len() - 1;
        let chunk = &mut self.chunks[number];
        let start = chunk.len();
        chunk.extend_from_slice(slice);
        chunk.resize(start + size, self.filling);
        (number as u32) << BITS | (start / UNIT) as u32
    }

    #[inline]
    pub(crate) fn get(&self, handle: u32, length: usize) -> &[T] {
        let (chunk, start) = place(handle);
        &self.chunks[chunk][start..start + length]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, handle: u32, length: usize) -> &mut [T] {
        let (chunk, start) = place(handle);
        &mut self.chunks[chunk][start..start + length]
    }

    /// Whether there are handles for more.
    pub(crate) fn is_full(&self) -> bool {
        self.chunks.len() >= 1 << (u32::BITS - BITS)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[inline]
fn place(handle: u32) -> (usize, usize) {
    ((handle >> BITS) as usize, (handle & ((1 << BITS) - 1)) as usize * UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_keep_their_places() {
        let mut arena = Arena::new(0);
        let slices: Vec<Vec<u32>> =
            (0..3000).map(|n| (0..=n % 700).map(|entry| entry * n).collect()).collect();
        let handles: Vec<u32> = slices.iter().map(|slice| arena.add(slice)).collect();
        let long = arena.add(&vec![7; CHUNK + 5]);
        for (handle, slice) in handles.iter().zip(&slices) {
            assert_eq!(arena.get(*handle, slice.len()), slice);
        }
        assert_eq!(arena.get(long, CHUNK + 5), vec![7; CHUNK + 5]);
        arena.get_mut(handles[9], 1)[0] = 11;
        assert_eq!(arena.get(handles[9], 2)[..2], [11, 9]);
        assert!(arena.bytes() >= 4 * (CHUNK + 5));
    }
}
