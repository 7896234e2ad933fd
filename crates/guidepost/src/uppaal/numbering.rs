//! How UPPAAL's files count what a network consists of.

use guidepost_network::{EdgeId, LocationId, Network};

/// An edge as UPPAAL's files name it: the number of its process, its number in the template, and the values that `select` chose.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct EdgeNumber {
    /// The number of its process.
    pub process: usize,
    /// Its number in the template.
    pub edge: usize,
    /// The values that `select` chose.
    pub select: Vec<i32>,
}

/// How UPPAAL's files count what a network consists of.
#[derive(Clone, Copy, Debug)]
pub struct Numbering<'n>(pub &'n Network);

impl Numbering<'_> {
    /// The number of a location in its template.
    pub fn location(self, location: LocationId) -> usize {
        self.0.locations[location.index()].origin as usize
    }

    /// The names of an edge; `None` for one that goes through a branch point, for which the files have no number.
    pub fn edge(self, edge: EdgeId) -> Option<EdgeNumber> {
        let edge = &self.0.edges[edge.index()];
        let select = edge.select.iter().map(|&(_, value)| value).collect();
        let number = EdgeNumber { process: edge.process.index(), edge: edge.origin.edge as usize, select };
        edge.origin.branch.is_none().then_some(number)
    }
}
