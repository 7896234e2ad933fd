//! Who may cover a node, where labels are bounds.
//!
//! Such labels cannot forget the order in which clocks were reset, so a class may have thousands of expanded nodes, and hardly any of them covers a given one. Each has a *sketch*: the
//! pairs of clocks of which the first is never the larger one. What a node demands of whoever is to cover it ([`alu_query`]) has one, too: the pairs of which the first must be able to be the larger one. If they have
//! a pair in common, that is a no, without looking at a zone.
//!
//! What a node demands depends on the bounds of the other one's label. Nearly always those are the common ones of the class, and less would be demanded with smaller ones. So sketches decide
//! where the label is known to have at least the bounds that the demands were made with; the others have to be looked at.

use guidepost_zones::{Bound, LuBounds, ZoneRef, alu_query};

/// Pairs of clocks.
type Sketch = u128;

/// Nodes that may cover each other.
#[derive(Default)]
pub(crate) struct BoundClass {
    /// What some node of it had to have: L of all clocks, then U. Empty at first.
    pub(crate) common: Box<[i32]>,
    /// How often that has changed.
    version: u32,
    /// Those that are expanded.
    entries: Vec<Entry>,
}

/// A node that is expanded.
struct Entry {
    sketch: Sketch,
    node: u32,
    /// Its label has at least the bounds that were common then.
    version: u32,
}

/// A way through a class, the latest first.
pub(crate) struct Hunt {
    demands: Sketch,
    /// When the demands were made.
    version: u32,
    /// How many entries are left.
    left: usize,
}

impl BoundClass {
    /// The memory that a node takes in it, in bytes.
    pub(crate) const ENTRY: usize = size_of::<Entry>();

    /// Raises the common bounds to at least the given ones.
    pub(crate) fn raise(&mut self, bounds: &[i32]) {
        if self.common.is_empty() {
            self.common = bounds.into();
            self.version += 1;
        } else if self.common.iter().zip(bounds).any(|(common, own)| own > common) {
            self.common.iter_mut().zip(bounds).for_each(|(common, &own)| *common = own.max(*common));
            self.version += 1;
        }
    }

    /// Lists a node that is expanded.
    pub(crate) fn list(&mut self, node: u32, exact: ZoneRef<'_>) {
        let sketch = sketch(exact.dim(), |x, y| exact.get(x, y) <= Bound::LE_ZERO);
        self.entries.push(Entry { sketch, node, version: 0 });
    }

    /// Begins to look for whoever covers a zone.
    pub(crate) fn hunt(&self, exact: ZoneRef<'_>, query: &mut Vec<Bound>) -> Hunt {
        let dim = exact.dim();
        let mut hunt = Hunt { demands: 0, version: self.version.max(1), left: self.entries.len() };
        if hunt.left > 0 && self.common.len() == 2 * dim {
            let (lower, upper) = self.common.split_at(dim);
            query.resize(dim * dim, Bound::LE_ZERO);
            alu_query(&exact, LuBounds { lower, upper }, query);
            hunt.demands = sketch(dim, |x, y| query[x * dim + y] > Bound::LE_ZERO);
        }
        hunt
    }

    /// The next node that sketches do not rule out; `has` says whether a node has at least some bounds.
    pub(crate) fn next(&mut self, hunt: &mut Hunt, has: impl Fn(u32, &[i32]) -> bool) -> Option<u32> {
        while hunt.left > 0 {
            hunt.left -= 1;
            let entry = &mut self.entries[hunt.left];
            if entry.sketch & hunt.demands == 0 {
                return Some(entry.node);
            }
            if entry.version < hunt.version {
                if !has(entry.node, &self.common) {
                    return Some(entry.node);
                }
                entry.version = self.version;
            }
        }
        None
    }
}

/// The pairs of clocks for which something holds, as far as there is room for them.
fn sketch(dim: usize, mut holds: impl FnMut(usize, usize) -> bool) -> Sketch {
    let mut sketch = 0;
    let pairs = (1..dim).flat_map(|x| (1..dim).filter(move |&y| y != x).map(move |y| (x, y)));
    for (bit, (x, y)) in (0..Sketch::BITS).zip(pairs) {
        sketch |= Sketch::from(holds(x, y)) << bit;
    }
    sketch
}
