//! Numbers by hash, for what is only ever added.
//!
//! Looking up a discrete part is waiting for memory, in most models more than for anything else. So the number lies beside its hash, in one word, and what is looked for
//! is nearly always found, or not found, in a single cache line. Growing needs no look at what the numbers stand for either.

/// Numbers that can be found by hash, in shares that grow one by one: what a share leaves behind when it grows is small, and of use to the others.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    shares: Vec<Share>,
    /// Words of all shares.
    size: usize,
}

#[derive(Clone, Debug, Default)]
struct Share {
    /// 0, or a tag and, below it, a number plus one. A number is found from where its tag points to onwards, before any 0.
    words: Vec<u64>,
    len: usize,
}

const SHARES: usize = 64;

impl Table {
    pub(crate) fn new() -> Self {
        Self { shares: vec![Share::default(); SHARES], size: 0 }
    }

    /// Fetches the line of memory where a number with this hash would be. Nobody waits for it: who looks the number up a little later finds it near.
    #[inline]
    pub(crate) fn fetch(&self, hash: u64) {
        let words = self.shares[hash as usize % SHARES].words.as_slice();
        if !words.is_empty() {
            std::hint::black_box(words[place(tag(hash), words.len())]);
        }
    }

    /// The number with this hash that is the one that is looked for.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let words = self.shares[hash as usize % SHARES].words.as_slice();
        if words.is_empty() {
            return None;
        }
        let tag = tag(hash);
        let mut at = place(tag, words.len());
        loop {
            let word = words[at];
            if word == 0 {
                return None;
            }
            if word >> 32 == tag && is_it(word as u32 - 1) {
                return Some(word as u32 - 1);
            }
            at += 1;
            if at == words.len() {
                at = 0;
            }
        }
    }

    /// Adds a number that is not there.
    pub(crate) fn insert(&mut self, hash: u64, number: u32) {
        debug_assert!(number < u32::MAX);
        let share = &mut self.shares[hash as usize % SHARES];
        // Four of five places are taken at most.
        if (share.len + 1) * 5 > share.words.len() * 4 {
            self.size += share.grow();
        }
        share.len += 1;
        put(&mut share.words, tag(hash) << 32 | u64::from(number + 1));
    }

    /// Memory in use, in bytes.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.size * size_of::<u64>()
    }
}

impl Share {
    /// Makes room for half as many again; says how many words that are more.
    fn grow(&mut self) -> usize {
        let more = (self.words.len() / 2).max(8);
        let old = std::mem::take(&mut self.words);
        self.words = vec![0; old.len() + more];
        for word in old.into_iter().filter(|&word| word != 0) {
            put(&mut self.words, word);
        }
        more
    }
}

/// What of a hash is kept. The hash is a product, whose lower half knows little of the last cells: it is mixed once more.
#[inline]
fn tag(hash: u64) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    hash.wrapping_mul(FACTOR) >> 32
}

/// Where the search for a tag begins.
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
    use crate::probe::hash_packed;

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
        assert!(table.bytes() < 20_000 * 8 * 2 && table.bytes() > 20_000 * 8);
    }

    /// Cells that are packed last must count as much as others: a hash is a product, and they are in its upper half alone.
    #[test]
    fn states_that_differ_in_their_last_cells_are_told_apart() {
        let tags = |hash: &dyn Fn(u32) -> u64| {
            let mut tags: Vec<u64> = (0..4096).map(|number| tag(hash(number))).collect();
            tags.sort_unstable();
            tags.dedup();
            tags.len()
        };
        assert!(tags(&|number| hash_packed(&[7, number << 20])) > 4000);
        assert!(tags(&|number| hash_packed(&[number << 20])) > 4000);
        assert!(tags(&|number| hash_packed(&[7, 1, number << 20])) > 4000);
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
