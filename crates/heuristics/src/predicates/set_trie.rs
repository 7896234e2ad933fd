//! A tree of sets that answers: which of the stored sets that are contained in a given one has the least distance?
//!
//! A stored set is a way down from the root, its elements in a fixed order; sets share their beginnings. A query walks all ways whose elements pass a test, and
//! leaves a branch as soon as nothing in it can be nearer than what was found (Hoffmann and Koehler 1999: *A New Method to Index and Query Sets*, there called
//! unlimited branching trees).
//!
//! While it grows the tree is linked; afterwards it is frozen into one array in the order of a walk, nearest branches first, in which leaving a branch is one
//! jump.

/// No node.
const NONE: u32 = u32::MAX;

/// A tree to which sets can be added.
pub(super) struct SetTrie {
    nodes: Vec<Node>,
    open: Vec<u32>,
}

struct Node {
    element: u32,
    child: u32,
    sibling: u32,
    /// The distance of the set that ends here.
    distance: u32,
    /// The least distance of the sets that end here or further down.
    least: u32,
}

impl SetTrie {
    pub(super) fn new() -> Self {
        let root = Node { element: NONE, child: NONE, sibling: NONE, distance: NONE, least: NONE };
        Self { nodes: vec![root], open: Vec::new() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
    }

    /// Adds a set, its elements in the order that all sets follow. The lesser distance counts if it is there already.
    pub(super) fn insert(&mut self, elements: &[u32], distance: u32) {
        let mut at = 0;
        self.nodes[0].least = self.nodes[0].least.min(distance);
        for &element in elements {
            let mut child = self.nodes[at].child;
            while child != NONE && self.nodes[child as usize].element != element {
                child = self.nodes[child as usize].sibling;
            }
            if child == NONE {
                child = self.nodes.len() as u32;
                let sibling = self.nodes[at].child;
                self.nodes.push(Node { element, child: NONE, sibling, distance: NONE, least: NONE });
                self.nodes[at].child = child;
            }
            at = child as usize;
            self.nodes[at].least = self.nodes[at].least.min(distance);
        }
        self.nodes[at].distance = self.nodes[at].distance.min(distance);
    }

    /// Whether there is a set of at most this distance all of whose elements pass.
    pub(super) fn has_within(&mut self, limit: u32, mut passes: impl FnMut(u32) -> bool) -> bool {
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        open.push(0);
        let mut found = false;
        while let Some(at) = open.pop() {
            let node = &self.nodes[at as usize];
            if node.distance <= limit {
                found = true;
                break;
            }
            let mut child = node.child;
            while child != NONE {
                let node = &self.nodes[child as usize];
                if node.least <= limit && passes(node.element) {
                    open.push(child);
                }
                child = node.sibling;
            }
        }
        self.open = open;
        found
    }

    /// Freezes the tree. Distances beyond a limit become the limit.
    pub(super) fn freeze(&self, limit: u32) -> FrozenTrie {
        let mut frozen = FrozenTrie { nodes: Vec::with_capacity(self.nodes.len()) };
        self.freeze_below(0, limit, &mut frozen);
        frozen
    }

    fn freeze_below(&self, at: u32, limit: u32, frozen: &mut FrozenTrie) {
        let node = &self.nodes[at as usize];
        let place = frozen.nodes.len();
        let cap = |distance: u32| if distance == NONE { NONE } else { distance.min(limit) };
        frozen.nodes.push(FrozenNode {
            element: node.element,
            distance: cap(node.distance),
            least: cap(node.least),
            skip: 0,
        });
        let mut children = Vec::new();
        let mut child = node.child;
        while child != NONE {
            children.push(child);
            child = self.nodes[child as usize].sibling;
        }
        children.sort_by_key(|&child| (self.nodes[child as usize].least, child));
        for child in children {
            self.freeze_below(child, limit, frozen);
        }
        frozen.nodes[place].skip = frozen.nodes.len() as u32;
    }
}

/// A tree that is only asked.
pub(super) struct FrozenTrie {
    nodes: Vec<FrozenNode>,
}

#[derive(Clone, Copy)]
struct FrozenNode {
    element: u32,
    distance: u32,
    least: u32,
    /// The first node behind this branch.
    skip: u32,
}

impl FrozenTrie {
    /// The least distance of a set all of whose elements pass, and how many nodes that took.
    #[inline]
    pub(super) fn least(&self, mut passes: impl FnMut(u32) -> bool) -> (Option<u32>, u32) {
        let (mut best, mut visited) = (NONE, 0);
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            visited += 1;
            if node.least < best && (at == 0 || passes(node.element)) {
                best = best.min(node.distance);
                at += 1;
            } else {
                at = node.skip as usize;
            }
        }
        ((best != NONE).then_some(best), visited)
    }

    /// All elements that occur.
    pub(super) fn elements(&self) -> impl Iterator<Item = u32> + '_ {
        self.nodes[1..].iter().map(|node| node.element)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets of small numbers from a linear congruential generator.
    fn sets() -> Vec<(Vec<u32>, u32)> {
        let mut seed = 7_u32;
        let mut random = move |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % below
        };
        let set =
            |random: &mut dyn FnMut(u32) -> u32| (0..12).filter(|_| random(3) == 0).collect::<Vec<u32>>();
        (0..300).map(|_| (set(&mut random), random(40))).collect()
    }

    fn scan(sets: &[(Vec<u32>, u32)], inside: &[u32]) -> Option<u32> {
        let fitting = sets.iter().filter(|(set, _)| set.iter().all(|element| inside.contains(element)));
        fitting.map(|&(_, distance)| distance).min()
    }

    #[test]
    fn answers_are_those_of_a_linear_scan() {
        let sets = sets();
        let mut trie = SetTrie::new();
        for (known, (set, distance)) in sets.iter().enumerate() {
            let expected = scan(&sets[..known], set);
            for limit in [0, 5, 39] {
                let has = trie.has_within(limit, |element| set.contains(&element));
                assert_eq!(has, expected.is_some_and(|least| least <= limit), "{set:?} within {limit}");
            }
            trie.insert(set, *distance);
        }
        let frozen = trie.freeze(u32::MAX - 1);
        let capped = trie.freeze(9);
        for query in 0..1_u32 << 12 {
            let inside: Vec<u32> = (0..12).filter(|bit| query >> bit & 1 != 0).collect();
            let expected = scan(&sets, &inside);
            assert_eq!(frozen.least(|element| inside.contains(&element)).0, expected);
            assert_eq!(
                capped.least(|element| inside.contains(&element)).0,
                expected.map(|least| least.min(9))
            );
        }
    }

    #[test]
    fn the_empty_tree_contains_nothing() {
        let mut trie = SetTrie::new();
        assert!(!trie.has_within(u32::MAX - 1, |_| true));
        assert_eq!(trie.freeze(0).least(|_| true).0, None);
        trie.insert(&[], 3);
        assert_eq!(trie.freeze(9).least(|_| false).0, Some(3));
    }
}
