//! Lists that grow without moving.
//!
//! A vector that doubles holds its items twice while it moves, and up to half of it is empty then. Where most of the memory is in a few lists, that is more
//! than a memory limit allows for. So these grow chunk by chunk.

/// Bytes of a chunk, about: large enough for allocators to waste little on it.
const CHUNK: usize = 1 << 20;

/// Rows of a fixed number of items.
#[derive(Clone, Debug)]
pub(crate) struct Rows<T> {
    width: usize,
    /// A chunk has 2 to the power of this many rows.
    shift: u32,
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T: Copy> Rows<T> {
    pub(crate) fn new(width: usize) -> Self {
        let rows = CHUNK.div_ceil((width * size_of::<T>()).max(1));
        let shift = rows.next_power_of_two().ilog2();
        Self { width, shift, chunks: Vec::new(), len: 0 }
    }

    #[inline]
    pub(crate) fn row(&self, index: usize) -> &[T] {
        debug_assert!(index < self.len);
        if self.width == 0 {
            return &[];
        }
        let at = (index & ((1 << self.shift) - 1)) * self.width;
        &self.chunks[index >> self.shift][at..at + self.width]
    }

    #[inline]
    pub(crate) fn row_mut(&mut self, index: usize) -> &mut [T] {
        debug_assert!(index < self.len);
        let at = (index & ((1 << self.shift) - 1)) * self.width;
        &mut self.chunks[index >> self.shift][at..at + self.width]
    }

    pub(crate) fn push(&mut self, row: &[T]) {
        self.push_joined(row, &[]);
    }

    /// Adds a row that is given in two parts.
    pub(crate) fn push_joined(&mut self, front: &[T], back: &[T]) {
        debug_assert_eq!(front.len() + back.len(), self.width);
        if self.len >> self.shift == self.chunks.len() {
            self.chunks.push(Vec::with_capacity(self.width << self.shift));
        }
        let chunk = &mut self.chunks[self.len >> self.shift];
        chunk.extend_from_slice(front);
        chunk.extend_from_slice(back);
        self.len += 1;
    }

    /// Forgets the last row.
    pub(crate) fn pop(&mut self) {
        debug_assert!(self.len > 0);
        self.len -= 1;
        self.chunks.truncate((self.len >> self.shift) + 1);
        let left = (self.len & ((1 << self.shift) - 1)) * self.width;
        self.chunks[self.len >> self.shift].truncate(left);
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Memory in use; what is left of the last chunk was never touched.
    pub(crate) fn bytes(&self) -> usize {
        self.len * self.width * size_of::<T>()
    }
}

/// Single items, which need not be copied to be taken out.
#[derive(Clone, Debug)]
pub(crate) struct Items<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Items<T> {
    /// A chunk has 2 to the power of this many items.
    const SHIFT: u32 = (CHUNK / if size_of::<T>() == 0 { 1 } else { size_of::<T>() }).ilog2();

    pub(crate) fn new() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> &T {
        &self.chunks[index >> Self::SHIFT][index & ((1 << Self::SHIFT) - 1)]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: usize) -> &mut T {
        &mut self.chunks[index >> Self::SHIFT][index & ((1 << Self::SHIFT) - 1)]
    }

    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        if self.len >> Self::SHIFT == self.chunks.len() {
            self.chunks.push(Vec::with_capacity(1 << Self::SHIFT));
        }
        self.chunks[self.len >> Self::SHIFT].push(item);
        self.len += 1;
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Memory in use; what is left of the last chunk was never touched.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
}

/// Pieces of any length, none of them across two chunks; the last one can be taken back.
#[derive(Clone, Debug)]
pub(crate) struct Pieces<T> {
    chunks: Vec<Vec<T>>,
    /// Items in all chunks but the last.
    before: usize,
}

/// Where a piece begins: its chunk, and its place there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    chunk: u32,
    offset: u32,
}

impl<T> Pieces<T> {
    pub(crate) fn new() -> Self {
        Self { chunks: Vec::new(), before: 0 }
    }

    pub(crate) fn push(&mut self, items: impl ExactSizeIterator<Item = T>) -> Place {
        let has_room = self.chunks.last().is_some_and(|last| last.len() + items.len() <= last.capacity());
        if !has_room {
            self.before += self.chunks.last().map_or(0, Vec::len);
            self.chunks.push(Vec::with_capacity(items.len().max(CHUNK / size_of::<T>())));
        }
        let chunk = self.chunks.len() - 1;
        let offset = self.chunks[chunk].len();
        self.chunks[chunk].extend(items);
        Place { chunk: chunk as u32, offset: offset as u32 }
    }

    pub(crate) fn get(&self, place: Place, len: usize) -> &[T] {
        &self.chunks[place.chunk as usize][place.offset as usize..][..len]
    }

    /// Forgets the last piece, given where it begins.
    pub(crate) fn pop(&mut self, place: Place) {
        let chunk = place.chunk as usize;
        debug_assert!(self.chunks[chunk + 1..].iter().all(Vec::is_empty), "it is the last one");
        debug_assert!(self.chunks.len() <= chunk + 2, "only the last chunk can be empty");
        if chunk + 1 < self.chunks.len() {
            self.chunks.truncate(chunk + 1);
            self.before -= self.chunks[chunk].len();
        }
        self.chunks[chunk].truncate(place.offset as usize);
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.before + self.chunks.last().map_or(0, Vec::len)) * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_where_they_are() {
        for width in [0, 1, 3, 700, 40_000] {
            let mut rows = Rows::new(width);
            for number in 0..200_usize {
                rows.push(&vec![number; width]);
            }
            for number in (0..200).rev() {
                assert_eq!(rows.row(number), vec![number; width]);
                rows.pop();
                rows.push(&vec![number; width]);
                assert_eq!(rows.row(number), vec![number; width]);
                rows.pop();
            }
            assert_eq!((rows.len(), rows.bytes()), (0, 0));
            assert!(rows.chunks.len() <= 1, "{width}");
        }
    }

    #[test]
    fn items_stay_where_they_are() {
        let mut items = Items::new();
        for number in 0..300_000_u64 {
            items.push([number; 3]);
        }
        assert!(items.chunks.len() > 3);
        *items.get_mut(200_000) = [1, 2, 3];
        for number in 0..300_000 {
            let expected = if number == 200_000 { [1, 2, 3] } else { [number as u64; 3] };
            assert_eq!(*items.get(number), expected);
        }
        assert_eq!((items.len(), items.bytes()), (300_000, 7_200_000));
    }

    #[test]
    fn the_last_piece_can_be_taken_back() {
        let mut pieces = Pieces::new();
        let lengths: Vec<usize> = (0..300).map(|number| [3, 9000, 0, 100_000][number % 4]).collect();
        let places: Vec<Place> = lengths.iter().map(|&len| pieces.push(vec![len; len].into_iter())).collect();
        assert_eq!(pieces.bytes(), lengths.iter().sum::<usize>() * size_of::<usize>());
        for (&len, &place) in lengths.iter().zip(&places).rev() {
            assert_eq!(pieces.get(place, len), vec![len; len]);
            pieces.pop(place);
        }
        assert_eq!((pieces.bytes(), pieces.chunks.len()), (0, 1));
        let place = pieces.push([7].into_iter());
        assert_eq!(pieces.get(place, 1), [7]);
    }
}
