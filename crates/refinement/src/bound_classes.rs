//! Who may cover a node, where labels are bounds.
//!
//! Such labels cannot forget the order in which clocks were reset, so a class may have thousands of expanded nodes, and hardly any of them covers a given one. Each has a *sketch*: the
//! pairs of clocks of which the first is never the larger one. What a node demands of whoever is to cover it ([`alu_query`]) has one, too: the pairs of which the first must be able to be the larger one. If they have
//! a pair in common, that is a no, without looking at a zone.
//!
//! What a node demands depends on the bounds of the other one's label. Nearly always those are the common ones of the class, and less would be demanded with smaller ones. So sketches decide
//! about nodes whose labels had at least the common bounds when it was last looked; the few others, the *laggards*, have to be looked at one by one.

use guidepost_zones::{Bound, LuBounds, ZoneRef, alu_query};

/// Pairs of clocks, in two parts: nearly always the first one decides.
type Sketch = [u64; 2];

/// Nodes that may cover each other.
#[derive(Default)]
pub(crate) struct BoundClass {
    /// What some node of it had to have: L of all clocks, then U. Empty at first.
    pub(crate) common: Box<[i32]>,
    /// Whether that has changed since it was last looked who lags behind.
    has_changed: bool,
    /// Those that are expanded: the parts of their sketches, and their numbers.
    sketches: [Vec<u64>; 2],
    nodes: Vec<u32>,
    /// Those that are expanded and lag behind.
    laggards: Vec<(Sketch, u32)>,
}

/// A way through a class: first the laggards, then the others, the latest first.
pub(crate) struct Hunt {
    demands: Sketch,
    /// How many are left.
    laggards: usize,
    others: usize,
}

impl BoundClass {
    /// The memory that a node takes in it, in bytes.
    pub(crate) const ENTRY: usize = size_of::<Sketch>() + size_of::<u32>();

    /// Raises the common bounds to at least the given ones.
    pub(crate) fn raise(&mut self, bounds: &[i32]) {
        if self.common.is_empty() {
            self.common = bounds.into();
            self.has_changed = true;
        } else if self.common.iter().zip(bounds).any(|(common, own)| own > common) {
            self.common.iter_mut().zip(bounds).for_each(|(common, &own)| *common = own.max(*common));
            self.has_changed = true;
        }
    }

    /// Lists a node that is expanded and whose label has the common bounds.
    pub(crate) fn list(&mut self, node: u32, exact: ZoneRef<'_>) {
        self.add(sketch(exact.dim(), |x, y| exact.get(x, y) <= Bound::LE_ZERO), node);
    }

    fn add(&mut self, sketch: Sketch, node: u32) {
        self.sketches.iter_mut().zip(sketch).for_each(|(all, part)| all.push(part));
        self.nodes.push(node);
    }

    /// Looks who lags behind; `has` says whether a node has at least some bounds.
    fn sort_out(&mut self, has: impl Fn(u32, &[i32]) -> bool) {
        let [first, second] = std::mem::take(&mut self.sketches);
        let listed = first.into_iter().zip(second).zip(std::mem::take(&mut self.nodes));
        let listed = listed.map(|((first, second), node)| ([first, second], node));
        for (sketch, node) in std::mem::take(&mut self.laggards).into_iter().chain(listed) {
            if has(node, &self.common) {
                self.add(sketch, node);
            } else {
                self.laggards.push((sketch, node));
            }
        }
        self.has_changed = false;
    }

    /// Begins to look for whoever covers a zone; `has` says whether a node has at least some bounds.
    pub(crate) fn hunt(
        &mut self,
        exact: ZoneRef<'_>,
        query: &mut Vec<Bound>,
        has: impl Fn(u32, &[i32]) -> bool,
    ) -> Hunt {
        let dim = exact.dim();
        if self.has_changed {
            self.sort_out(has);
        }
        let mut hunt = Hunt { demands: [0; 2], laggards: self.laggards.len(), others: self.nodes.len() };
        if hunt.others > 0 && self.common.len() == 2 * dim {
            let (lower, upper) = self.common.split_at(dim);
            query.resize(dim * dim, Bound::LE_ZERO);
            alu_query(&exact, LuBounds { lower, upper }, query);
            hunt.demands = sketch(dim, |x, y| query[x * dim + y] > Bound::LE_ZERO);
        }
        hunt
    }

    /// The next node that is not ruled out.
    pub(crate) fn next(&self, hunt: &mut Hunt) -> Option<u32> {
        if hunt.laggards > 0 {
            hunt.laggards -= 1;
            return Some(self.laggards[hunt.laggards].1);
        }
        let ([first, second], demands) = (&self.sketches, hunt.demands);
        while let Some(at) = first[..hunt.others].iter().rposition(|own| own & demands[0] == 0) {
            hunt.others = at;
            if second[at] & demands[1] == 0 {
                return Some(self.nodes[at]);
            }
        }
        None
    }
}

/// The pairs of clocks for which something holds, as far as there is room for them.
fn sketch(dim: usize, mut holds: impl FnMut(usize, usize) -> bool) -> Sketch {
    let mut sketch = [0; 2];
    let pairs = (1..dim).flat_map(|x| (1..dim).filter(move |&y| y != x).map(move |y| (x, y)));
    for (bit, (x, y)) in (0..2 * u64::BITS).zip(pairs) {
        sketch[(bit / u64::BITS) as usize] |= u64::from(holds(x, y)) << (bit % u64::BITS);
    }
    sketch
}
