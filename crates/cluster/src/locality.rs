//! Which cells decide who owns a state, so that most transitions stay with one owner.
//!
//! A transition changes few cells. If the hash that decides is taken of some cells only, a transition that changes none of these leads to a state of the same owner, which is stored at once; every other one
//! costs a letter, and what it takes to write, carry and read it. But with few cells there are few classes of states, of different sizes, and the owners' shares become uneven.
//!
//! So a sample of states is looked at, on random walks, with all their transitions: how many of these change one of some cells, and how uneven the classes are. If a state drawn at random is in class v with
//! probability p(v), a random owner for each class gives shares of n owners whose deviation from the mean is √(n Σ p(v)²) of it. Walks are taken apart by their length before that, since it is of no use
//! that all have the same share in the end, if everybody's turn comes at another time. Cells are added one by one, each time the one that makes the estimate of the work smallest; if nothing is better than all cells, all decide.

use crate::partition::{FACTOR, Partition, mix};
use guidepost_explore::{Explorer, SymbolicState, hash_packed};
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// States that are looked at, and transitions, at most; and the time that this may take.
const STATES: usize = 1500;
const TRANSITIONS: usize = 8000;
const TIME: Duration = Duration::from_millis(300);
/// Steps of a walk; states of one part of it are compared with each other.
const STEPS: usize = 192;
const PART: usize = 48;
/// Cells that are tried: those that change least.
const CELLS: usize = 24;
/// What a letter's worth of work is, for one state, beside expanding one.
const LETTER: f64 = 0.5;

/// A packed discrete part.
type Key = Vec<u32>;

/// States of random walks.
struct Sample {
    /// Each state once, by part of the walks.
    parts: Vec<Vec<Key>>,
    /// Bits that differ before and after a transition.
    changes: Vec<Key>,
}

/// The cells that are to decide for some workers.
pub(crate) fn partition(explorer: &mut Explorer<'_>, workers: usize) -> Partition {
    if workers < 2 {
        return Partition::default();
    }
    let sample = Sample::take(explorer);
    let cells: Vec<(usize, u32)> = explorer.packing().cells().collect();
    sample.choose(&cells, explorer.packing().words(), workers)
}

impl Sample {
    /// Walks. What goes wrong on the way is left to those who explore.
    fn take(explorer: &mut Explorer<'_>) -> Self {
        let begin = Instant::now();
        let packing = explorer.packing_handle();
        let pack = |state: &SymbolicState| {
            let mut key = vec![0; packing.words()];
            packing.pack(&state.cells, &mut key);
            key
        };
        let mut sample = Sample { parts: vec![Vec::new(); STEPS / PART], changes: Vec::new() };
        let mut seen = HashSet::new();
        let mut states = 0;
        let mut random = Random(0);
        let Ok(initial) = explorer.initial_states() else { return sample };
        let is_enough =
            |sample: &Sample, states| states >= STATES || sample.changes.len() >= TRANSITIONS || begin.elapsed() > TIME;
        while !initial.is_empty() && !is_enough(&sample, states) {
            let mut state = initial[random.below(initial.len())].clone();
            for step in 0..STEPS {
                if is_enough(&sample, states) {
                    break;
                }
                states += 1;
                let key = pack(&state);
                let (mut next, mut count) = (None, 0);
                let is_new = seen.insert(hash_packed(&key));
                let expanded = explorer.expand(&state, &mut |successor, _| {
                    count += 1;
                    if is_new {
                        let changed = pack(successor).iter().zip(&key).map(|(new, old)| new ^ old).collect();
                        sample.changes.push(changed);
                    }
                    if random.below(count) == 0 {
                        next = Some(successor.clone());
                    }
                    ControlFlow::Continue(())
                });
                if is_new {
                    sample.parts[step / PART].push(key);
                }
                match (expanded, next) {
                    (Ok(()), Some(next)) => state = next,
                    _ => break,
                }
            }
        }
        sample
    }

    fn choose(&self, cells: &[(usize, u32)], words: usize, workers: usize) -> Partition {
        let mut cells: Vec<(usize, (usize, u32))> = cells.iter().map(|&cell| (self.changed(&masks(words, &[cell])), cell)).collect();
        cells.sort_unstable();
        cells.truncate(CELLS);
        let all = vec![u32::MAX; words];
        let mut best = (self.work(&all, workers), all);
        let mut chosen: Vec<(usize, u32)> = Vec::new();
        while !cells.is_empty() {
            let works = cells.iter().enumerate().map(|(at, (_, cell))| {
                let with = masks(words, &[&chosen[..], &[*cell]].concat());
                (self.work(&with, workers), at)
            });
            let Some((work, at)) = works.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))) else { break };
            chosen.push(cells.remove(at).1);
            if work < best.0 {
                best = (work, masks(words, &chosen));
            }
        }
        if best.1.iter().all(|&mask| mask == u32::MAX) { Partition::default() } else { Partition::of(&best.1) }
    }

    /// Transitions that change one of some bits.
    fn changed(&self, masks: &[u32]) -> usize {
        let is_changed = |change: &&Key| change.iter().zip(masks).any(|(bits, mask)| bits & mask != 0);
        self.changes.iter().filter(is_changed).count()
    }

    /// What the owner with the largest share has to do if some bits decide, where expanding all fair shares is 1.
    fn work(&self, masks: &[u32], workers: usize) -> f64 {
        let states = self.parts.iter().map(Vec::len).sum::<usize>().max(1) as f64;
        let elsewhere = 1.0 - 1.0 / workers as f64;
        let letters = self.changed(masks) as f64 / states * elsewhere;
        let parts = self.parts.iter().filter(|part| part.len() > 1);
        let alike: f64 = parts.map(|part| likeness(part, masks) * part.len() as f64).sum();
        let deviation = (workers as f64 * alike / states).sqrt();
        (1.0 + deviation) * (1.0 + LETTER * letters)
    }
}

/// The probability that two of some different states are in the same class.
fn likeness(states: &[Key], masks: &[u32]) -> f64 {
    let mut sizes: BTreeMap<Key, usize> = BTreeMap::new();
    for state in states {
        let class = state.iter().zip(masks).map(|(bits, mask)| bits & mask).collect();
        *sizes.entry(class).or_default() += 1;
    }
    let pairs = |count: usize| (count * count.saturating_sub(1)) as f64;
    sizes.values().map(|&size| pairs(size)).sum::<f64>() / pairs(states.len()).max(1.0)
}

/// By word: the bits of some cells.
fn masks(words: usize, cells: &[(usize, u32)]) -> Vec<u32> {
    let mut masks = vec![0; words];
    for &(word, mask) in cells {
        masks[word] |= mask;
    }
    masks
}

/// Numbers that look random, and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(FACTOR);
        (mix(self.0) % bound.max(1) as u64) as usize
    }
}
