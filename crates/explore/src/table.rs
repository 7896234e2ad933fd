//! Numbers by hash, for what is only ever added.
//!
//! Looking up a discrete part is waiting for memory, in most models more than for anything else. So the number lies beside its hash, in one word, and what is looked for
//! is nearly always found, or not found, in a single cache line. Growing needs no look at what the numbers stand for either.

/// Numbers that can be found by hash.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// 0, or the upper half of a hash and, below it, a number plus one. A number is found from where its hash points to onwards, before any 0.
    words: Vec<u64>,
    len: usize,
}

impl Table {
    pub(crate) fn new() -> Self {
        Self { words: Vec::new(), len: 0 }
    }

    /// The number with this hash that is the one that is looked for.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.words.is_empty() {
            return None;
        }
        let tag = hash >> 32;
        let mut at = place(tag, self.words.len());
        loop {
            let word = self.words[at];
            if word == 0 {
                return None;
            }
            if word >> 32 == tag && is_it(word as u32 - 1) {
                return Some(word as u32 - 1);
            }
            at += 1;
            if at == self.words.len() {
                at = 0;
            }
        }
    }

    /// Adds a number that is not there.
    pub(crate) fn insert(&mut self, hash: u64, number: u32) {
        debug_assert!(number < u32::MAX);
        // Four of five places are taken at most.
        if (self.len + 1) * 5 > self.words.len() * 4 {
            self.grow();
        }
        self.len += 1;
        put(&mut self.words, hash >> 32 << 32 | u64::from(number + 1));
    }

    /// Makes room for half as many again.
    fn grow(&mut self) {
        let size = (self.words.len() + self.words.len() / 2).max(64);
        let old = std::mem::replace(&mut self.words, vec![0; size]);
        for word in old.into_iter().filter(|&word| word != 0) {
            put(&mut self.words, word);
        }
    }

    /// Memory in use, in bytes.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }
}

/// Where the search for a hash begins.
#[inline]
fn place(tag: u64, size: usize) -> usize {
    ((u128::from(tag) * size as u128) >> 32) as usize
}

fn put(words: &mut [u64], word: u64) {
    let mut at = place(word >> 32, words.len());
    while words[at] != 0 {
        at = if at + 1 == words.len() { 0 } else { at + 1 };
    }
    words[at] = word;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_found_by_its_hash() {
        let mut table = Table::new();
        // Many share a hash, and many more a beginning.
        let hash = |number: u32| u64::from(number / 3).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 0xFFFF;
        assert_eq!(table.find(hash(1), |_| true), None);
        for number in 0..20_000 {
            assert_eq!(table.find(hash(number), |other| other == number), None);
            table.insert(hash(number), number);
        }
        for number in 0..20_000 {
            assert_eq!(table.find(hash(number), |other| other == number), Some(number));
        }
        assert!(table.bytes() < 20_000 * 8 * 2);
    }

    #[test]
    fn the_search_goes_on_at_the_beginning() {
        let mut table = Table::new();
        for number in 0..40 {
            table.insert(u64::MAX, number);
        }
        for number in 0..40 {
            assert_eq!(table.find(u64::MAX, |other| other == number), Some(number));
        }
        assert_eq!(table.find(u64::MAX, |_| false), None);
        assert_eq!(table.find(0, |_| true), None);
    }
}
