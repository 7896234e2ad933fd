//! Union, intersection and complement: as for BDDs, with partitions that are merged.

use super::{Cdd, Cdds, Edge};

impl Cdds {
    /// The valuations in either set.
    pub fn union(&mut self, left: Cdd, right: Cdd) -> Cdd {
        match (left, right) {
            (Cdd::TRUE, _) | (_, Cdd::TRUE) => return Cdd::TRUE,
            (Cdd::FALSE, other) | (other, Cdd::FALSE) => return other,
            _ if left == right => return left,
            _ => {}
        }
        let key = sorted(left, right);
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let result = self.merge(left, right, Self::union);
        self.unions.insert(key, result);
        result
    }

    /// The valuations in both sets.
    pub fn intersection(&mut self, left: Cdd, right: Cdd) -> Cdd {
        match (left, right) {
            (Cdd::FALSE, _) | (_, Cdd::FALSE) => return Cdd::FALSE,
            (Cdd::TRUE, other) | (other, Cdd::TRUE) => return other,
            _ if left == right => return left,
            _ => {}
        }
        let key = sorted(left, right);
        if let Some(&known) = self.intersections.get(&key) {
            return known;
        }
        let result = self.merge(left, right, Self::intersection);
        self.intersections.insert(key, result);
        result
    }

    /// All other valuations.
    pub fn complement(&mut self, of: Cdd) -> Cdd {
        match of {
            Cdd::TRUE => return Cdd::FALSE,
            Cdd::FALSE => return Cdd::TRUE,
            _ => {}
        }
        if let Some(&known) = self.complements.get(&of) {
            return known;
        }
        let mut edges = self.edges(of).to_vec();
        for edge in &mut edges {
            edge.child = self.complement(edge.child);
        }
        let result = self.node(self.level(of), &edges);
        self.complements.insert(of, result);
        self.complements.insert(result, of);
        result
    }

    /// The valuations in the first set alone.
    pub fn difference(&mut self, left: Cdd, right: Cdd) -> Cdd {
        let outside = self.complement(right);
        self.intersection(left, outside)
    }

    /// What is left of a set when all Booleans are known.
    pub fn given(&self, set: Cdd, booleans: &[bool]) -> Cdd {
        let mut node = set;
        while let Some(&value) = booleans.get(self.level(node) as usize) {
            let edges = self.edges(node);
            node = if value { edges[edges.len() - 1].child } else { edges[0].child };
        }
        node
    }

    /// Asks the question that comes first, and combines the children of both for every answer.
    fn merge(&mut self, left: Cdd, right: Cdd, combine: fn(&mut Self, Cdd, Cdd) -> Cdd) -> Cdd {
        let level = self.level(left).min(self.level(right));
        let (left, right) = (self.answers(left, level), self.answers(right, level));
        let mut edges = Vec::with_capacity(left.len() + right.len());
        let (mut i, mut j) = (0, 0);
        // Both end with infinity.
        while i < left.len() && j < right.len() {
            let upper = left[i].upper.min(right[j].upper);
            edges.push(Edge { upper, child: combine(self, left[i].child, right[j].child) });
            i += usize::from(left[i].upper == upper);
            j += usize::from(right[j].upper == upper);
        }
        self.node(level, &edges)
    }

    /// What is left of a diagram after a question that may not concern it.
    fn answers(&self, cdd: Cdd, level: super::Level) -> Vec<Edge> {
        if self.level(cdd) == level {
            self.edges(cdd).to_vec()
        } else {
            vec![Edge { upper: crate::Bound::INFINITY, child: cdd }]
        }
    }
}

fn sorted(left: Cdd, right: Cdd) -> (Cdd, Cdd) {
    if left.0 <= right.0 { (left, right) } else { (right, left) }
}
