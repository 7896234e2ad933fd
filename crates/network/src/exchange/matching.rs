//! What follows when two processes are taken for images of each other.

use super::graph::{Graph, Tie};

const NOBODY: u32 = u32::MAX;

impl Graph {
    /// A permutation that exchanges two processes and leaves everything as it is, if one is found.
    pub(super) fn exchange(&self, one: u32, other: u32) -> Option<Vec<u32>> {
        let mut matching = Matching {
            graph: self,
            image: vec![NOBODY; self.ties.len()],
            open: Vec::new(),
            choices: Vec::new(),
        };
        if !(matching.assign(one, other) && matching.complete()) {
            return None;
        }
        // Whatever nothing follows for stays where it is.
        let image: Vec<u32> =
            (0..).zip(matching.image).map(|(own, image)| if image == NOBODY { own } else { image }).collect();
        self.is_kept_by(&image).then_some(image)
    }
}

/// Images that are known so far.
struct Matching<'g> {
    graph: &'g Graph,
    image: Vec<u32>,
    /// Vertices whose neighbours were not looked at.
    open: Vec<u32>,
    /// Vertices with neighbours that have several possible images.
    choices: Vec<u32>,
}

impl Matching<'_> {
    /// Two vertices are images of each other; says whether that can be.
    fn assign(&mut self, one: u32, other: u32) -> bool {
        let (known, back) = (self.image[one as usize], self.image[other as usize]);
        if known != NOBODY || back != NOBODY {
            return known == other && back == one;
        }
        if self.graph.colours[one as usize] != self.graph.colours[other as usize] {
            return false;
        }
        self.image[one as usize] = other;
        self.image[other as usize] = one;
        self.open.push(one);
        true
    }

    /// Draws all conclusions, and makes choices where no more can be drawn.
    fn complete(&mut self) -> bool {
        loop {
            if let Some(vertex) = self.open.pop() {
                if !self.conclude(vertex, false) {
                    return false;
                }
            } else if let Some(vertex) = self.choices.pop() {
                if !self.conclude(vertex, true) {
                    return false;
                }
            } else {
                return true;
            }
        }
    }

    /// Matches the neighbours of a vertex with those of its image, where there is no choice, or else one of them.
    fn conclude(&mut self, vertex: u32, chooses: bool) -> bool {
        let (mine, theirs) = (self.unmatched(vertex), self.unmatched(self.image[vertex as usize]));
        let mut has_choice = false;
        for &(tie, neighbour) in &mine {
            if self.image[neighbour as usize] != NOBODY {
                continue;
            }
            let candidates: Vec<u32> = theirs
                .iter()
                .filter(|&&(other_tie, other)| other_tie == tie && self.may_be_images(neighbour, other))
                .map(|&(_, other)| other)
                .collect();
            let Some(&first) = candidates.first() else { return false };
            if candidates.len() > 1 && !chooses {
                has_choice = true;
                continue;
            }
            let stays = candidates.contains(&neighbour);
            if !self.assign(neighbour, if stays { neighbour } else { first }) {
                return false;
            }
            if chooses {
                // What follows from that comes first.
                self.choices.push(vertex);
                return true;
            }
        }
        if has_choice {
            self.choices.push(vertex);
        }
        true
    }

    /// Whether two vertices may be images of each other, as far as is known of their neighbours.
    fn may_be_images(&self, one: u32, other: u32) -> bool {
        let Graph { ties, colours, .. } = self.graph;
        let agrees = |&(tie, neighbour): &(Tie, u32)| {
            let image = self.image[neighbour as usize];
            image == NOBODY || ties[other as usize].binary_search(&(tie, image)).is_ok()
        };
        self.image[other as usize] == NOBODY
            && colours[one as usize] == colours[other as usize]
            && ties[one as usize].iter().all(agrees)
    }

    /// The neighbours of a vertex without an image.
    fn unmatched(&self, vertex: u32) -> Vec<(Tie, u32)> {
        let ties = &self.graph.ties[vertex as usize];
        ties.iter().filter(|&&(_, other)| self.image[other as usize] == NOBODY).copied().collect()
    }
}
