//! Bisimulation: states that can do the same with the same consequences are one.
//!
//! Refinement begins with one block per distance to the goal, and splits blocks until all states of a block have transitions of the same classes into the same blocks.
//! If that ends with few enough blocks, nothing is lost, whatever the automaton is multiplied with later. Otherwise it stops early: blocks close to the goal are
//! split first, and those far from it stay large. The distances of this automaton are kept in any case, unless there are more of them than blocks allowed.
//!
//! Only states with a transition into something that was split are looked at again, and the largest part of a block keeps its number (Paige, Tarjan, 1987).

use super::automaton::{Arcs, Automaton};
use super::system::STAGE;
use crate::{Exceeded, Preparation};
use rustc_hash::FxHashMap;

/// The block of every state, and the number of blocks, which is at most the given one. Distances must be known.
pub(super) fn blocks(
    automaton: &Automaton,
    most: usize,
    preparation: &mut Preparation<'_>,
) -> Result<(Vec<u32>, usize), Exceeded> {
    Refinement::new(automaton, most.max(1)).run(preparation)
}

struct Refinement {
    /// By state: class and target.
    next: Arcs<(u32, u32)>,
    /// By state: sources.
    previous: Arcs<u32>,
    block_of: Vec<u32>,
    blocks: Vec<Block>,
    most: usize,
}

struct Block {
    /// The place of its distance to the goal among all distances.
    level: u32,
    members: Vec<u32>,
}

impl Refinement {
    fn new(automaton: &Automaton, most: usize) -> Self {
        let arcs = (0..)
            .zip(&automaton.relations)
            .flat_map(|(class, relation)| relation.iter().map(move |&(from, to)| (from, (class, to))));
        let next = Arcs::new(automaton.states, arcs);
        let back = automaton.relations.iter().flatten().map(|&(from, to)| (to, from));
        let previous = Arcs::new(automaton.states, back);
        let mut distances = automaton.to_goal.clone();
        distances.sort_unstable();
        distances.dedup();
        // Too many distances: the largest ones become one.
        distances.truncate(most);
        let level =
            |distance: &u32| distances.partition_point(|other| other < distance).min(distances.len() - 1);
        let block_of: Vec<u32> = automaton.to_goal.iter().map(|distance| level(distance) as u32).collect();
        let mut blocks: Vec<Block> =
            (0..distances.len() as u32).map(|level| Block { level, members: Vec::new() }).collect();
        for (state, &block) in (0..).zip(&block_of) {
            blocks[block as usize].members.push(state);
        }
        Self { next, previous, block_of, blocks, most }
    }

    fn run(mut self, preparation: &mut Preparation<'_>) -> Result<(Vec<u32>, usize), Exceeded> {
        let mut touched: Vec<u32> = (0..self.block_of.len() as u32).collect();
        while !touched.is_empty() && self.blocks.len() < self.most {
            preparation.check(STAGE, self.block_of.len() as u64, 0)?;
            let moved = self.split(&touched);
            touched = moved.iter().flat_map(|&state| self.previous.of(state)).copied().collect();
            touched.sort_unstable();
            touched.dedup();
        }
        debug_assert!(self.block_of.iter().all(|&block| (block as usize) < self.blocks.len()));
        debug_assert_eq!(
            self.blocks.iter().map(|block| block.members.len()).sum::<usize>(),
            self.block_of.len(),
            "blocks are a partition"
        );
        Ok((self.block_of, self.blocks.len()))
    }

    /// Splits the blocks of the touched states; returns the states that have moved to new blocks.
    fn split(&mut self, touched: &[u32]) -> Vec<u32> {
        let mut blocks: Vec<u32> = touched.iter().map(|&state| self.block_of[state as usize]).collect();
        blocks.sort_unstable_by_key(|&block| (self.blocks[block as usize].level, block));
        blocks.dedup();
        // All parts are found before any block changes, so that every signature is about the same blocks.
        let parts: Vec<(u32, Vec<Vec<u32>>)> =
            blocks.into_iter().map(|block| (block, self.parts(block))).collect();
        let mut moved = Vec::new();
        for (block, mut parts) in parts {
            if self.blocks.len() + parts.len() - 1 > self.most {
                continue;
            }
            let largest = (0..parts.len()).max_by_key(|&part| parts[part].len()).unwrap_or(0);
            let level = self.blocks[block as usize].level;
            self.blocks[block as usize].members = parts.swap_remove(largest);
            for members in parts {
                for &state in &members {
                    self.block_of[state as usize] = self.blocks.len() as u32;
                }
                moved.extend_from_slice(&members);
                self.blocks.push(Block { level, members });
            }
        }
        moved
    }

    /// The members of a block, by what they can do.
    fn parts(&self, block: u32) -> Vec<Vec<u32>> {
        let members = &self.blocks[block as usize].members;
        if members.len() == 1 {
            return vec![members.clone()];
        }
        let mut parts: Vec<Vec<u32>> = Vec::new();
        let mut known: FxHashMap<Vec<(u32, u32)>, usize> = FxHashMap::default();
        for &state in members {
            let arcs = self.next.of(state).iter();
            let mut signature: Vec<(u32, u32)> =
                arcs.map(|&(class, to)| (class, self.block_of[to as usize])).collect();
            signature.sort_unstable();
            signature.dedup();
            let part = *known.entry(signature).or_insert(parts.len());
            if part == parts.len() {
                parts.push(Vec::new());
            }
            parts[part].push(state);
        }
        parts
    }
}
