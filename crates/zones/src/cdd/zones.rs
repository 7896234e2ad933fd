//! Zones and diagrams: from one to the other, and questions about valuations.

use super::{Cdd, Cdds, Edge, Question, interval};
use crate::bound::{Bound, Constraint};
use crate::dbm::{Dbm, Zone};
use crate::federation::Federation;

impl Cdds {
    /// The diagram of a zone, by the few constraints that say it all: fewer nodes than all constraints would take.
    pub fn zone<S: AsRef<[Bound]>>(&mut self, zone: &Dbm<S>) -> Cdd {
        if zone.is_empty() {
            return Cdd::FALSE;
        }
        let mut constraints = Vec::new();
        zone.minimal_form(&mut constraints);
        self.constraints(&constraints)
    }

    /// The diagram of a zone, by all its constraints.
    pub fn tight_zone<S: AsRef<[Bound]>>(&mut self, zone: &Dbm<S>) -> Cdd {
        if zone.is_empty() {
            return Cdd::FALSE;
        }
        let dim = self.dim();
        let pairs = (0..dim).flat_map(|i| (0..dim).map(move |j| (i, j))).filter(|(i, j)| i != j);
        let constraints = pairs.map(|(i, j)| Constraint::new(i, j, zone.get(i, j)));
        let finite: Vec<_> = constraints.filter(|constraint| !constraint.bound.is_infinite()).collect();
        self.constraints(&finite)
    }

    /// The valuations that meet some constraints, no two of them on the same difference from the same side.
    fn constraints(&mut self, constraints: &[Constraint]) -> Cdd {
        let mut bounds: Vec<(super::Level, Option<Bound>, Bound)> = Vec::new();
        for constraint in constraints {
            let (left, right) = (usize::from(constraint.left), usize::from(constraint.right));
            let level = self.level_of(left.min(right), left.max(right));
            if !bounds.iter().any(|bound| bound.0 == level) {
                bounds.push((level, None, Bound::INFINITY));
            }
            let own = bounds.iter_mut().find(|bound| bound.0 == level).expect("it was just added");
            if left > right {
                own.2 = constraint.bound;
            } else {
                // `x_low - x_high <= c` keeps out what is below the negated bound.
                own.1 = Some(constraint.negated().bound);
            }
        }
        bounds.sort_unstable_by_key(|bound| std::cmp::Reverse(bound.0));
        let mut child = Cdd::TRUE;
        for (level, below, upper) in bounds {
            let mut edges = Vec::with_capacity(3);
            edges.extend(below.map(|upper| Edge { upper, child: Cdd::FALSE }));
            edges.push(Edge { upper, child });
            if !upper.is_infinite() {
                edges.push(Edge { upper: Bound::INFINITY, child: Cdd::FALSE });
            }
            child = self.node(level, &edges);
        }
        child
    }

    /// Is every valuation of a zone in the set, whatever the Booleans are?
    pub fn includes_zone<S: AsRef<[Bound]>>(&self, set: Cdd, zone: &Dbm<S>) -> bool {
        zone.is_empty() || !self.meets_leaf(set, &zone.to_zone(), Cdd::FALSE)
    }

    /// Does the set have a valuation in common with a zone?
    pub fn meets_zone<S: AsRef<[Bound]>>(&self, set: Cdd, zone: &Dbm<S>) -> bool {
        !zone.is_empty() && self.meets_leaf(set, &zone.to_zone(), Cdd::TRUE)
    }

    /// Does the set have no valuation at all? Clocks are not negative.
    pub fn is_empty(&self, set: Cdd) -> bool {
        !self.meets_leaf(set, &Zone::universe(self.dim()), Cdd::TRUE)
    }

    /// Is every valuation of the second set in the first?
    pub fn includes(&mut self, large: Cdd, small: Cdd) -> bool {
        let outside = self.difference(small, large);
        self.is_empty(outside)
    }

    /// Does a path of a non-empty zone lead to a leaf?
    fn meets_leaf(&self, set: Cdd, zone: &Zone, leaf: Cdd) -> bool {
        if set.is_leaf() {
            return set == leaf;
        }
        self.parts(set, zone).any(|(child, part)| self.meets_leaf(child, part.as_ref().unwrap_or(zone), leaf))
    }

    /// The children that a non-empty zone has a part for, each with its part; `None` if that is all of the zone.
    fn parts<'s>(&'s self, set: Cdd, zone: &'s Zone) -> impl Iterator<Item = (Cdd, Option<Zone>)> + 's {
        let edges = self.edges(set);
        let question = self.question(self.level(set));
        let after =
            (0..edges.len()).map(|position| position.checked_sub(1).map(|before| edges[before].upper));
        edges.iter().zip(after).filter_map(move |(edge, after)| {
            let Question::Difference { low, high } = question else { return Some((edge.child, None)) };
            let mut constraints = [Constraint::new(0, 0, Bound::LE_ZERO); 2];
            let mut count = 0;
            for constraint in interval(low, high, after, edge.upper) {
                if !zone.meets(constraint) {
                    return None;
                }
                if !zone.satisfies(constraint) {
                    constraints[count] = constraint;
                    count += 1;
                }
            }
            if count == 0 {
                return Some((edge.child, None));
            }
            let mut part = zone.clone();
            part.constrain_all(&constraints[..count]).then_some((edge.child, Some(part)))
        })
    }

    /// Removes paths that contradict themselves: no valuation takes them, so they may end wherever a neighbour does. What is
    /// left depends on the way to a node, so that nodes may be shared less than before.
    pub fn reduce(&mut self, set: Cdd) -> Cdd {
        let universe = Zone::universe(self.dim());
        self.reduce_within(set, &universe)
    }

    fn reduce_within(&mut self, set: Cdd, zone: &Zone) -> Cdd {
        if set.is_leaf() {
            return set;
        }
        let level = self.level(set);
        let edges = self.edges(set).to_vec();
        let mut reduced: Vec<Edge> = Vec::with_capacity(edges.len());
        let mut after = None;
        for edge in edges {
            let child = match self.question(level) {
                Question::Boolean => Some(self.reduce_within(edge.child, zone)),
                Question::Difference { low, high } => {
                    let constraints: Vec<Constraint> = interval(low, high, after, edge.upper).collect();
                    let mut part = zone.clone();
                    part.constrain_all(&constraints).then(|| self.reduce_within(edge.child, &part))
                }
            };
            after = Some(edge.upper);
            match (child, reduced.last_mut()) {
                (Some(child), _) => reduced.push(Edge { upper: edge.upper, child }),
                // Nothing comes here: the neighbour may as well have it.
                (None, Some(neighbour)) => neighbour.upper = edge.upper,
                (None, None) => {}
            }
        }
        debug_assert!(!reduced.is_empty(), "the zone has a part somewhere");
        self.node(level, &reduced)
    }

    /// The same set, with the tightest bounds on every path that leads to it.
    pub fn tighten(&mut self, set: Cdd) -> Cdd {
        let mut result = Cdd::FALSE;
        let mut paths = Vec::new();
        self.collect(set, &Zone::universe(self.dim()), &mut Vec::new(), &mut paths);
        for (booleans, zone) in paths {
            let mut path = self.tight_zone(&zone);
            for (number, value) in booleans {
                let boolean = self.boolean(number, value);
                path = self.intersection(path, boolean);
            }
            result = self.union(result, path);
        }
        result
    }

    /// The zones that a set consists of, if it has no Booleans; those of neighbouring paths may touch, and none have a valuation in common.
    pub fn zones(&self, set: Cdd) -> Federation {
        let mut paths = Vec::new();
        self.collect(set, &Zone::universe(self.dim()), &mut Vec::new(), &mut paths);
        let mut federation = Federation::empty(self.dim());
        for (_, zone) in paths {
            federation.add(zone);
        }
        federation
    }

    fn collect(&self, set: Cdd, zone: &Zone, booleans: &mut Vec<(usize, bool)>, paths: &mut Vec<Path>) {
        if set.is_leaf() {
            if set == Cdd::TRUE {
                paths.push((booleans.clone(), zone.clone()));
            }
            return;
        }
        let level = self.level(set);
        let is_boolean = self.question(level) == Question::Boolean;
        for (position, (child, part)) in self.parts(set, zone).enumerate() {
            if is_boolean {
                booleans.push((level as usize, position == 1));
            }
            self.collect(child, part.as_ref().unwrap_or(zone), booleans, paths);
            if is_boolean {
                booleans.pop();
            }
        }
    }

    /// Is a valuation in the set, with the clocks at `point[i] / denominator`? `point[0]` must be 0.
    pub fn contains(&self, set: Cdd, booleans: &[bool], point: &[i64], denominator: i64) -> bool {
        let mut node = set;
        while !node.is_leaf() {
            let level = self.level(node);
            let (value, denominator) = match self.question(level) {
                Question::Boolean => (i64::from(booleans[level as usize]), 1),
                Question::Difference { low, high } => (point[high] - point[low], denominator),
            };
            let edge = self.edges(node).iter().find(|edge| edge.upper.admits(value, denominator));
            node = edge.expect("the last bound admits everything").child;
        }
        node == Cdd::TRUE
    }
}

/// The Booleans and the zone of a path to the set.
type Path = (Vec<(usize, bool)>, Zone);
