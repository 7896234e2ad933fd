//! Which cells decide who owns a state, so that most transitions stay with one owner.
//!
//! A transition changes few cells. If some cells only decide who owns a state, a transition that changes none of these leads to a state of the same owner, which is stored at once; every other one
//! may cost a letter, and what it takes to write, carry and read it. But the fewer cells decide, the more the owners' shares depend on how often each of their values occurs.
//!
//! So a sample of states is looked at, on random walks, with all their transitions: how many of these lead to somebody else, and how uneven the shares are. Walks are taken apart by their length before
//! that, since it is of no use that all have the same share in the end, if everybody's turn comes at another time. But walks are no explorations, and see some values more often than others. So the beginning of the
//! exploration is looked at as well; and, since large state spaces are large because most combinations of values occur, shares must also be even if the values of different cells have nothing to do with each other, and each
//! is somewhere between as frequent as on the walks and as frequent as all others. Voices (a cell, and a function from its values to workers) are added one by one, each time the one that makes the estimate of the work smallest; if nothing is better than a hash
//! of all cells, that decides.

use crate::partition::{FACTOR, Partition, Voice, mix};
use guidepost_explore::{Explorer, Failure, Inserted, Replace, StateId, Store, SymbolicState, hash_packed};
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// States that are looked at, and transitions, at most; and the time that this may take.
const STATES: usize = 2000;
const TRANSITIONS: usize = 5000;
const TIME: Duration = Duration::from_millis(300);
/// States that are explored, at most, and how many of them are looked at; and the time that this may take.
const EXPLORED: usize = 20_000;
const LATEST: usize = 2000;
const EXPLORING: Duration = Duration::from_millis(150);
/// Steps of a walk; states of one part of it are compared with each other.
const STEPS: usize = 192;
const PART: usize = 48;
const PARTS_EXPLORED: usize = 2;
/// Cells that are tried, those that change least; functions of each; and cells that may decide together.
const CELLS: usize = 20;
const FUNCTIONS: u32 = 12;
const VOICES: usize = 8;
/// What sending a state and receiving it takes, where expanding one takes 1.
const LETTER: f64 = 0.25;
/// However even a cell's values seem to be, shares may differ by so much if it decides alone between two workers. Several cells make good for each other.
const DOUBT: f64 = 0.5;
/// With more workers than this, few cells cannot be even.
const MOST: usize = 128;

/// A packed discrete part.
type Key = Vec<u32>;

/// States of random walks.
#[derive(Default)]
struct Sample {
    /// Each state once.
    states: Vec<Key>,
    /// The part of the walks that it is in; behind these, parts of an exploration.
    parts: Vec<usize>,
    /// There was an error of the model, after which an explorer is of no use.
    has_failed: bool,
    /// How many of the states are those of walks.
    walked: usize,
    /// Where transitions lead, and from which of these.
    transitions: Vec<(usize, Key)>,
}

/// The cells that are to decide for some workers.
pub(crate) fn partition(explorer: &mut Explorer<'_>, workers: usize) -> Partition {
    if !(2..=MOST).contains(&workers) {
        return Partition::default();
    }
    let mut sample = Sample::take(explorer);
    sample.walked = sample.states.len();
    if !sample.has_failed {
        sample.explore(explorer);
    }
    let cells: Vec<(usize, u32)> = explorer.packing().cells().collect();
    sample.choose(&cells, workers as u16)
}

impl Sample {
    /// Walks. What goes wrong on the way is left to those who explore.
    fn take(explorer: &mut Explorer<'_>) -> Self {
        let begin = Instant::now();
        let (mut sample, mut random, mut seen, mut steps) =
            (Self::default(), Random(0), HashSet::new(), 0..STATES);
        let Ok(initial) = explorer.initial_states() else { return sample };
        while !initial.is_empty() {
            let mut state = initial[random.below(initial.len())].clone();
            for step in 0..STEPS {
                let is_enough = sample.transitions.len() >= TRANSITIONS || begin.elapsed() > TIME;
                if steps.next().is_none() || is_enough {
                    return sample;
                }
                match sample.look_at(&state, step / PART, explorer, &mut random, &mut seen) {
                    Ok(Some(next)) => state = next,
                    Ok(None) => break,
                    Err(_) => {
                        sample.has_failed = true;
                        return sample;
                    }
                }
            }
        }
        sample
    }

    /// Takes a state into the sample, with its transitions, unless it is there; and takes a step.
    fn look_at(
        &mut self,
        state: &SymbolicState,
        part: usize,
        explorer: &mut Explorer<'_>,
        random: &mut Random,
        seen: &mut HashSet<u64>,
    ) -> Result<Option<SymbolicState>, Failure> {
        let packing = explorer.packing_handle();
        let pack = |state: &SymbolicState| {
            let mut key = vec![0; packing.words()];
            packing.pack(&state.cells, &mut key);
            key
        };
        let (mut next, mut count) = (None, 0);
        let key = pack(state);
        let mut hasher = DefaultHasher::new();
        (&key, state.zone.entries()).hash(&mut hasher);
        let is_new = seen.insert(hasher.finish());
        let from = self.states.len();
        let expanded = explorer.expand(state, &mut |successor, _| {
            count += 1;
            if is_new {
                self.transitions.push((from, pack(successor)));
            }
            if random.below(count) == 0 {
                next = Some(successor.clone());
            }
            ControlFlow::Continue(())
        });
        if is_new {
            self.states.push(key);
            self.parts.push(part);
        }
        expanded.map(|()| next)
    }

    /// Takes some of the latest states of an exploration into the sample.
    fn explore(&mut self, explorer: &mut Explorer<'_>) {
        let begin = Instant::now();
        let (mut store, packing) = (Store::new(explorer), explorer.packing_handle());
        let mut keys: Vec<Key> = Vec::new();
        let insert = |state: &SymbolicState, keys: &mut Vec<Key>, store: &mut Store| {
            if let Inserted::New(_) = store.insert(&packing, state, None, 0, Replace::Covered) {
                let mut key = vec![0; packing.words()];
                packing.pack(&state.cells, &mut key);
                keys.push(key);
            }
        };
        for state in explorer.initial_states().unwrap_or_default() {
            insert(&state, &mut keys, &mut store);
        }
        for id in (0..).map(StateId) {
            if id.index() >= store.len() || store.len() >= EXPLORED || begin.elapsed() > EXPLORING {
                break;
            }
            if store.is_alive(id) {
                store.load(id, explorer);
                let expanded = explorer.expand_source(&mut |state, _| {
                    insert(state, &mut keys, &mut store);
                    ControlFlow::Continue(())
                });
                // After an error, the explorer is of no use.
                if expanded.is_err() {
                    break;
                }
            }
        }
        let latest = keys.split_off(keys.len() / 2);
        let (every, count) = (latest.len().div_ceil(LATEST).max(1), latest.len().max(1));
        for (at, key) in latest.into_iter().enumerate().step_by(every) {
            self.states.push(key);
            self.parts.push(STEPS / PART + at * PARTS_EXPLORED / count);
        }
    }

    fn choose(&self, cells: &[(usize, u32)], workers: u16) -> Partition {
        let mut cells: Vec<(usize, (usize, u32))> =
            cells.iter().map(|&cell| (self.changed(cell), cell)).collect();
        cells.sort_unstable();
        cells.truncate(CELLS);
        let mut cells: Vec<Values> = cells.into_iter().map(|(_, cell)| self.values(cell)).collect();
        let owner = |key: &Key| u32::from(Partition::default().owner(key, hash_packed(key), workers));
        let even = vec![1.0 / f64::from(workers); workers.into()];
        let mut best = (self.work(&self.votes(owner), &even, None), 0);
        let mut chosen: Vec<Voice> = Vec::new();
        let mut all_in_one = vec![0.0; workers.into()];
        all_in_one[0] = 1.0;
        let (mut sums, mut shares) = (self.votes(|_| 0), all_in_one);
        while chosen.len() < VOICES && !cells.is_empty() {
            let voices = cells.iter().flat_map(|values| (0..FUNCTIONS).map(move |salt| (values, salt)));
            let works = voices.map(|(values, salt)| {
                let voice = Voice { word: values.word as u32, mask: values.mask, salt };
                let votes = self.votes(|key| voice.number(key, workers)).added(&sums, workers);
                let shares = values.shares(voice, &shares);
                (self.work(&votes, &shares, Some(chosen.len() + 1)), voice, votes, shares)
            });
            let Some((work, voice, votes, own)) = works.min_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            (sums, shares) = (votes, own);
            chosen.push(voice);
            cells.retain(|values| (values.word as u32, values.mask) != (voice.word, voice.mask));
            if work < best.0 {
                best = (work, chosen.len());
            }
        }
        chosen.truncate(best.1);
        Partition { cells: chosen }
    }

    /// How often a cell has which value.
    fn values(&self, (word, mask): (usize, u32)) -> Values {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for state in &self.states[..self.walked] {
            *counts.entry(state[word] & mask).or_default() += 1;
        }
        let (all, different) = (self.walked.max(1) as f64, counts.len().max(1) as f64);
        let parts =
            counts.iter().map(|(&bits, &count)| (bits, f64::midpoint(count as f64 / all, 1.0 / different)));
        Values { word, mask, parts: parts.collect() }
    }

    /// Transitions that change a cell.
    fn changed(&self, (word, mask): (usize, u32)) -> usize {
        let is_changed = |(from, to): &&(usize, Key)| (self.states[*from][word] ^ to[word]) & mask != 0;
        self.transitions.iter().filter(is_changed).count()
    }

    /// A function of all states and of all targets.
    fn votes(&self, of: impl Fn(&Key) -> u32) -> Votes {
        Votes {
            states: self.states.iter().map(&of).collect(),
            targets: self.transitions.iter().map(|(_, target)| of(target)).collect(),
        }
    }

    /// What the owner with the largest share has to do, where expanding a fair share takes 1: given the owners of all states and targets, the shares that are to be expected of any states, and how many
    /// cells decide, if these are not all.
    fn work(&self, owners: &Votes, shares: &[f64], cells: Option<usize>) -> f64 {
        let is_sent = |((from, _), target): &(&(usize, Key), &u32)| owners.states[*from] != **target;
        let sent = self.transitions.iter().zip(&owners.targets).filter(is_sent).count();
        let letters = sent as f64 / self.walked.max(1) as f64;
        let workers = shares.len();
        let mut sizes = vec![0_u32; (STEPS / PART + PARTS_EXPLORED) * workers];
        for (&part, &owner) in self.parts.iter().zip(&owners.states) {
            sizes[part * workers + owner as usize] += 1;
        }
        let (walked, explored) = sizes.split_at((STEPS / PART) * workers);
        let in_sample = unevenness_of_all(walked, workers).max(unevenness_of_all(explored, workers));
        let expected = workers as f64 * shares.iter().map(|share| share * share).sum::<f64>() - 1.0;
        let uneven = in_sample.max(0.0) + expected.max(0.0);
        let doubt = cells.map_or(0.0, |cells| (workers as f64 - 1.0).sqrt() * DOUBT.powi(cells as i32));
        (1.0 + 1.5 * uneven.sqrt() + doubt) * (1.0 + LETTER * letters)
    }
}

/// The values of a cell.
struct Values {
    word: usize,
    mask: u32,
    /// The bits of each, and how often it is to be expected.
    parts: Vec<(u32, f64)>,
}

impl Values {
    /// The shares of all workers, if the cell adds to the owners that have these.
    fn shares(&self, voice: Voice, before: &[f64]) -> Vec<f64> {
        let mut key = vec![0; self.word + 1];
        let mut steps = vec![0.0; before.len()];
        for &(bits, part) in &self.parts {
            key[self.word] = bits;
            steps[voice.number(&key, before.len() as u16) as usize] += part;
        }
        let from = |owner: usize, step: usize| before[(owner + before.len() - step) % before.len()];
        let share = |owner| steps.iter().enumerate().map(|(step, part)| part * from(owner, step)).sum();
        (0..before.len()).map(share).collect()
    }
}

/// As [`unevenness`], for parts one behind the other: on average.
fn unevenness_of_all(sizes: &[u32], workers: usize) -> f64 {
    let of_part = |sizes: &[u32]| unevenness(sizes) * f64::from(sizes.iter().sum::<u32>());
    sizes.chunks(workers).map(of_part).sum::<f64>() / f64::from(sizes.iter().sum::<u32>().max(1))
}

/// The square of how much shares of some sizes differ from the mean, as a part of it; estimated without the differences that come from a sample being small.
fn unevenness(sizes: &[u32]) -> f64 {
    let pairs = |size: u32| f64::from(size) * f64::from(size.saturating_sub(1));
    let all = pairs(sizes.iter().sum());
    if all == 0.0 {
        0.0
    } else {
        sizes.len() as f64 * sizes.iter().map(|&size| pairs(size)).sum::<f64>() / all - 1.0
    }
}

/// Owners, or what a cell adds to them: of the states of a sample, and of the targets of its transitions.
struct Votes {
    states: Vec<u32>,
    targets: Vec<u32>,
}

impl Votes {
    fn added(mut self, other: &Votes, workers: u16) -> Self {
        let add = |(own, other): (&mut u32, &u32)| *own = (*own + other) % u32::from(workers);
        self.states.iter_mut().zip(&other.states).for_each(add);
        self.targets.iter_mut().zip(&other.targets).for_each(add);
        self
    }
}

/// Numbers that look random, and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(FACTOR);
        (mix(self.0) % bound.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use guidepost_explore::ZoneAbstraction;
    use guidepost_language::load_text;
    use guidepost_network::build;

    /// The partition of a model of some processes, and of all its states and transitions: the share of each worker, and how many transitions lead to another one.
    fn shared(processes: usize, workers: u16) -> (Partition, Vec<usize>, f64) {
        let names: Vec<String> = (0..processes).map(|number| format!("P{number}")).collect();
        let made = names.iter().map(|name| format!("{name} = P();")).collect::<Vec<_>>().join("\n");
        let text = format!(
            "process P() {{ clock x; state A, B {{ x <= 3 }}, C; init A; trans A -> B {{ assign x = 0; }}, B -> C {{ guard x > 1; }}, C -> A {{ }}; }}\n{made}system {};",
            names.join(", ")
        );
        let loaded = load_text("model.xta", &text);
        assert!(!loaded.diagnostics.has_errors(), "{:#?}", loaded.diagnostics);
        let network = build(&loaded.model).0.expect("a network");
        let mut explorer = Explorer::new(&network, &[], ZoneAbstraction::REACHABILITY).unwrap();
        let partition = partition(&mut explorer, workers.into());
        let packing = explorer.packing_handle();
        let key = |state: &SymbolicState| {
            let mut key = vec![0; packing.words()];
            packing.pack(&state.cells, &mut key);
            key
        };
        let owner = |state: &SymbolicState| {
            let key = key(state);
            partition.owner(&key, hash_packed(&key), workers)
        };
        let mut seen = HashSet::new();
        let mut waiting = explorer.initial_states().unwrap();
        seen.extend(waiting.iter().map(key));
        let (mut shares, mut all, mut sent) = (vec![0; workers.into()], 0, 0);
        while let Some(state) = waiting.pop() {
            let own = owner(&state);
            shares[usize::from(own)] += 1;
            let visit = &mut |successor: &SymbolicState, _: &[_]| {
                all += 1;
                sent += usize::from(owner(successor) != own);
                if seen.insert(key(successor)) {
                    waiting.push(successor.clone());
                }
                ControlFlow::Continue(())
            };
            explorer.expand(&state, visit).unwrap();
        }
        (partition, shares, f64::from(sent as u32) / f64::from(all))
    }

    #[test]
    fn few_transitions_leave_their_owner_and_shares_are_even() {
        for workers in [2, 4] {
            let (partition, shares, sent) = shared(9, workers);
            assert!(!partition.cells.is_empty());
            // A hash of everything would send half of them, or three quarters.
            assert!(sent < 0.7 * (1.0 - 1.0 / f64::from(workers)), "{workers}: {sent}");
            let fair = shares.iter().sum::<usize>() / shares.len();
            assert!(shares.iter().all(|&own| own > fair * 4 / 5 && own < fair * 6 / 5), "{shares:?}");
        }
    }

    #[test]
    fn where_no_few_cells_are_even_all_decide() {
        assert_eq!(shared(1, 2).0, Partition::default());
        assert_eq!(shared(2, 1).0, Partition::default());
    }

    #[test]
    fn a_sample_says_how_uneven_shares_are() {
        assert!(unevenness(&[500, 500]).abs() < 0.01);
        assert!((unevenness(&[750, 250]).sqrt() - 0.5).abs() < 0.01);
        assert!(unevenness(&[0, 0]).abs() < f64::EPSILON && unevenness(&[1, 0]).abs() < f64::EPSILON);
    }
}
