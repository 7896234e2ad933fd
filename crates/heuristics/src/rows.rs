//! Lists of numbers by index, end to end in one vector.

/// One list per row.
#[derive(Clone, Debug)]
pub(crate) struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Rows<T> {
    pub(crate) fn new(lists: &[Vec<T>]) -> Self {
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
    pub(crate) fn row(&self, row: usize) -> &[T] {
        &self.items[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

impl Rows<u32> {
    /// By number, below `rows`: the lists that contain it.
    pub(crate) fn inverse(lists: &[Vec<u32>], rows: usize) -> Self {
        let mut starts = vec![0_u32; rows + 1];
        for &number in lists.iter().flatten() {
            starts[number as usize + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut items = vec![0; starts[rows] as usize];
        let mut ends = starts.clone();
        for (list, numbers) in (0..).zip(lists) {
            for &number in numbers {
                let end = &mut ends[number as usize];
                items[*end as usize] = list;
                *end += 1;
            }
        }
        Self { starts, items }
    }
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}
