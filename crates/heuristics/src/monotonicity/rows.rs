//! Lists of numbers by index, end to end in one vector.

/// One list per row.
#[derive(Clone, Debug)]
pub(super) struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Rows<T> {
    pub(super) fn new(lists: &[Vec<T>]) -> Self {
        let mut starts = Vec::with_capacity(lists.len() + 1);
        let mut items = Vec::new();
        for list in lists {
            starts.push(items.len() as u32);
            items.extend_from_slice(list);
        }
        starts.push(items.len() as u32);
        Self { starts, items }
    }

    #[inline]
    pub(super) fn row(&self, row: usize) -> &[T] {
        &self.items[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}
