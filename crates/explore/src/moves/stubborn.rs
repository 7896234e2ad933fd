//! Partial orders: where time stands still, independent steps are taken in one order only.
//!
//! Several processes that have something to do at the same moment can do it in any order; n independent steps have n! orders and 2^n states in between, and one order shows all there is to see. A *stubborn set* of a state is
//! a set of transitions such that
//!
//! 1. whatever others do, no delay is possible before one of the set is taken;
//! 2. no goal is met, and no evaluation fails, before one of the set is taken;
//! 3. if one of the set can be taken after some of the others, it can be taken first, with the same result.
//!
//! So a run to a goal takes one of the set at some time, and that one may as well be the first: expanding only the set keeps all goals reachable, with as few steps as before. By induction over the number of steps that are still
//! to go, which covering zones, representatives and forgotten variables leave as it is, this is also true of states that stand for others. (Valmari, *Stubborn sets for reduced state space generation*, 1989;
//! Bønneland and others, *Start pruning when time gets urgent*, 2018.)
//!
//! The set is found by processes: it has all transitions in which a process of some *crowd* takes part. The crowd begins with a process that makes time stand still, by an urgent or committed location or an invariant whose
//! bound is reached in the whole zone (1). It grows by those who can change what unmet goals need, and who evaluate what may fail (2). And for each edge that a process of the crowd has where it is (3):
//! if its guard is false, by those who may write what the guard reads; otherwise by those who may write what it reads, or read or write what it writes, and by those it may synchronise with. "May" means that the process can get from its
//! location to such an edge. A step into a committed location stops everybody else, so it is not taken first (unless there are committed locations already: then everybody else's steps leave those, and one of them belongs to the crowd). The same is true
//! of steps that write what invariants of others read. For goals that are deadlocks, some transition of the set must be possible whatever the clocks say: it stays possible, so nobody is deadlocked before it. Only a committed location could keep it back, so whoever may enter one belongs to the crowd then.
//!
//! Who must take part in a broadcast, and who may stay out of a vector, depends on where others are and on their guards: a step that makes somebody listen changes what the sender does. Networks with those are explored as they are.

use super::Moves;
use super::candidates::{Candidate, Candidates};
use super::index::{CLOCK_INVARIANT, COMMITTED, IndexedEdge, Role, STOPS_TIME};
use super::interference::Interference;
use crate::slice::goal_reads;
use crate::time_domain::{ClockDifference, TimeDomain};
use guidepost_network::{ClockId, Edge, Goal, Location, Network, RangeViolation, Sync};
use guidepost_zones::Bound;

/// How many locations of lists are looked at for a candidate that may be saved.
const PATIENCE: usize = 64;

/// What must change before a goal is met.
#[derive(Debug)]
struct Needs {
    /// Processes and where they must be.
    locations: Vec<(u32, Vec<u32>)>,
    /// Locations of edges that write something that the goal reads.
    writers: Vec<u32>,
    deadlock: Option<bool>,
}

/// Finds stubborn sets.
#[derive(Debug)]
pub(crate) struct Stubborn {
    tables: Interference,
    goals: Vec<Needs>,
    /// Some of them are deadlocks.
    seeks_deadlock: bool,
    /// Locations of edges that may fail to be evaluated, where that is an error.
    failing: Vec<u32>,
    /// By process: whether it belongs to the crowd.
    is_in: Vec<bool>,
    /// Processes of the crowd whose edges were not looked at.
    open: Vec<u32>,
    /// How much work is left.
    patience: usize,
    /// Transitions that were not taken.
    postponed: u64,
}

impl Stubborn {
    /// For a search for some goals; `None` where stubborn sets are not known to be right, or of no use.
    pub(crate) fn new(network: &Network, goals: &[&Goal]) -> Option<Self> {
        let features = &network.features;
        let is_simple = !(features.priorities
            || features.stopwatches
            || features.clock_copies
            || features.lower_bound_invariants
            || features.broadcast
            || has_weak_participants(network))
            && network.before_update.is_none()
            && network.after_update.is_none();
        let fails_outside = goals.iter().any(|goal| goal.segment.can_fail());
        if !is_simple || fails_outside || network.processes.len() < 2 || looks_at_locations(network) {
            return None;
        }
        let tables = Interference::new(network);
        let goals =
            goals.iter().map(|goal| Needs::new(network, goal, &tables)).collect::<Option<Vec<_>>>()?;
        let failing = match network.range_violation {
            RangeViolation::Tolerated => Vec::new(),
            _ => tables.failing.clone(),
        };
        let is_in = vec![false; network.processes.len()];
        let seeks_deadlock = goals.iter().any(|goal| goal.deadlock == Some(true));
        Some(Self {
            tables,
            goals,
            seeks_deadlock,
            failing,
            is_in,
            open: Vec::new(),
            patience: 0,
            postponed: 0,
        })
    }

    /// How many transitions were not taken so far.
    pub(crate) fn postponed(&self) -> u64 {
        self.postponed
    }

    /// Finds a stubborn set that leaves some of the candidates out; says whether there is one.
    pub(crate) fn choose(
        &mut self,
        moves: &Moves<'_>,
        domain: &impl TimeDomain,
        candidates: &Candidates,
    ) -> bool {
        let facts = moves.source_facts;
        if candidates.len() < 2 || facts & (STOPS_TIME | CLOCK_INVARIANT) == 0 {
            return false;
        }
        self.patience = PATIENCE * candidates.len();
        for process in 0..self.is_in.len() {
            if stops_time(moves, domain, moves.source[process])
                && !candidates.iter().all(|candidate| takes_part(moves, process, &candidate))
                && self.is_crowd(process, moves, domain, candidates)
            {
                let left_out = candidates.iter().filter(|candidate| !self.takes(moves, candidate)).count();
                self.postponed += left_out as u64;
                return true;
            }
            if self.patience == 0 {
                return false;
            }
        }
        false
    }

    /// Whether a candidate belongs to the set.
    #[inline]
    pub(crate) fn takes(&self, moves: &Moves<'_>, candidate: &Candidate<'_>) -> bool {
        candidate.edges.iter().any(|&edge| self.is_in[moves.index.process_of(edge).index()])
    }

    /// Whether the crowd that begins with a process leaves some candidate out.
    fn is_crowd(
        &mut self,
        first: usize,
        moves: &Moves<'_>,
        domain: &impl TimeDomain,
        candidates: &Candidates,
    ) -> bool {
        self.is_in.fill(false);
        self.open.clear();
        self.add(first as u32);
        let is_committed = moves.source_facts & COMMITTED != 0;
        let is_complete = self.add_releasing(first, moves)
            && self.add_all(moves, |this| &this.failing)
            && (!self.seeks_deadlock || is_committed || self.add_all(moves, |this| &this.tables.committing))
            && self.add_goals(moves)
            && self.close(moves, domain);
        is_complete
            && !candidates.iter().all(|candidate| self.takes(moves, &candidate))
            && self.is_sound(moves, domain, candidates)
    }

    fn add(&mut self, process: u32) {
        if !self.is_in[process as usize] {
            self.is_in[process as usize] = true;
            self.open.push(process);
        }
    }

    /// Adds the processes that may come to some locations. `false`: that takes too long.
    fn add_all(&mut self, moves: &Moves<'_>, list: impl Fn(&Self) -> &[u32]) -> bool {
        let length = list(self).len();
        if length > self.patience {
            self.patience = 0;
            return false;
        }
        self.patience -= length;
        for position in 0..length {
            let location = list(self)[position];
            let process = self.tables.processes[location as usize];
            if !self.is_in[process as usize]
                && self.tables.may_reach(process, moves.source[process as usize], location)
            {
                self.add(process);
            }
        }
        true
    }

    /// Adds those who may set a clock back that makes time stand still where a process is.
    fn add_releasing(&mut self, process: usize, moves: &Moves<'_>) -> bool {
        let location = moves.source[process];
        if moves.index.facts(location) & STOPS_TIME != 0 {
            return true;
        }
        let invariant = moves.index.invariant_of(location).unwrap_or_default();
        invariant.iter().all(|constraint| {
            let clock = self.tables.clock(constraint.left.index());
            self.add_all(moves, |this| &this.tables.writers[clock])
        })
    }

    /// Adds, for each goal, those who can bring about something that is missing.
    fn add_goals(&mut self, moves: &Moves<'_>) -> bool {
        for goal in 0..self.goals.len() {
            let Needs { locations, deadlock, .. } = &self.goals[goal];
            let is_elsewhere = |(process, there): &&(u32, Vec<u32>)| {
                !there.contains(&(moves.source[*process as usize] as u32))
            };
            let missing = || locations.iter().filter(is_elsewhere).map(|(process, _)| *process);
            let somebody =
                missing().find(|&process| self.is_in[process as usize]).or_else(|| missing().next());
            // Nobody is deadlocked while somebody of the crowd can move.
            let is_deadlock = *deadlock == Some(true);
            if let Some(process) = somebody {
                self.add(process);
            } else if !is_deadlock && !self.add_all(moves, |this| &this.goals[goal].writers) {
                return false;
            }
        }
        true
    }

    /// Adds those who could interfere with the crowd, until nobody can.
    fn close(&mut self, moves: &Moves<'_>, domain: &impl TimeDomain) -> bool {
        while let Some(process) = self.open.pop() {
            let location = moves.source[process as usize];
            for edge in moves.index.alone(location) {
                if !self.add_rivals(moves, domain, edge) {
                    return false;
                }
            }
            for (_, edge) in moves.index.shared(location) {
                if !(self.add_rivals(moves, domain, edge) && self.add_partners(moves, domain, edge)) {
                    return false;
                }
            }
            if self.open.is_empty() && moves.source_facts & COMMITTED != 0 {
                self.add_committed(moves);
            }
        }
        true
    }

    /// Adds those who can change whether an edge can be taken, or what it does, or would see what it does.
    fn add_rivals(&mut self, moves: &Moves<'_>, domain: &impl TimeDomain, edge: &IndexedEdge) -> bool {
        let id = edge.id.index();
        if !may_be_ready(moves, domain, edge) {
            return (0..self.tables.touches[id].guard.len()).all(|position| {
                self.add_all(moves, |this| {
                    &this.tables.writers[this.tables.touches[id].guard[position] as usize]
                })
            });
        }
        let Self { tables, .. } = self;
        let (reads, writes) = (tables.touches[id].reads.len(), tables.touches[id].writes.len());
        let readers_done = (0..writes).all(|position| {
            self.add_all(moves, |this| &this.tables.users[this.tables.touches[id].writes[position] as usize])
        });
        readers_done
            && (0..reads).all(|position| {
                self.add_all(moves, |this| {
                    &this.tables.writers[this.tables.touches[id].reads[position] as usize]
                })
            })
    }

    /// Adds those an edge may synchronise with.
    fn add_partners(&mut self, moves: &Moves<'_>, domain: &impl TimeDomain, edge: &IndexedEdge) -> bool {
        if !may_be_ready(moves, domain, edge) {
            return true;
        }
        let network = moves.network;
        if let Role::Join(vector) = edge.role {
            for &(process, _) in &network.vectors[vector as usize].participants {
                self.add(process.0);
            }
            return true;
        }
        let sync = &network.edges[edge.id.index()].sync;
        let is_sender = matches!(sync, Sync::Send(_));
        sync.channels().iter().all(|channel| {
            self.add_all(moves, |this| {
                let partners = if is_sender { &this.tables.receivers } else { &this.tables.senders };
                &partners[channel.index()]
            })
        })
    }

    /// Others move only after somebody has left a committed location, so one who is in one belongs to the crowd.
    fn add_committed(&mut self, moves: &Moves<'_>) {
        let is_committed = |process: &usize| moves.index.facts(moves.source[*process]) & COMMITTED != 0;
        let mut committed = (0..self.is_in.len()).filter(is_committed);
        if let Some(first) = committed.next()
            && !self.is_in[first]
            && !committed.any(|process| self.is_in[process])
        {
            self.add(first as u32);
        }
    }

    /// Whether nothing that the set takes blocks others, and where goals are deadlocks, some of it is possible for certain.
    fn is_sound(&self, moves: &Moves<'_>, domain: &impl TimeDomain, candidates: &Candidates) -> bool {
        let is_committed = moves.source_facts & COMMITTED != 0;
        let blocks = |candidate: &Candidate<'_>| {
            candidate.edges.iter().any(|edge| {
                let touch = &self.tables.touches[edge.index()];
                touch.is_entangled || (touch.commits && !is_committed)
            })
        };
        let is_possible = |candidate: &Candidate<'_>| {
            candidate.excluded.is_empty()
                && candidate.edges.iter().all(|&edge| {
                    let holds = |&constraint: &ClockDifference| is_sure(domain, constraint);
                    self.tables.touches[edge.index()].enters_freely
                        && moves.index.guard_of(edge).is_some_and(|guard| guard.iter().all(holds))
                })
        };
        let taken = || candidates.iter().filter(|candidate| self.takes(moves, candidate));
        taken().all(|candidate| !blocks(&candidate))
            && (!self.seeks_deadlock || taken().any(|candidate| is_possible(&candidate)))
    }
}

impl Needs {
    /// What a goal needs; `None` where it may be met by anything.
    fn new(network: &Network, goal: &Goal, tables: &Interference) -> Option<Self> {
        let clocks = goal.clocks.iter().flat_map(|constraint| [constraint.left, constraint.right]);
        let items = goal_reads(network, goal).into_iter().map(guidepost_network::VarId::index);
        let items = items
            .chain(clocks.filter(|&clock| clock != ClockId::ZERO).map(|clock| tables.clock(clock.index())));
        let mut writers: Vec<u32> = items.flat_map(|item| &tables.writers[item]).copied().collect();
        writers.sort_unstable();
        writers.dedup();
        let reads_locations = || {
            let codes = goal.codes(&network.program);
            goal.data.iter().any(|&code| !codes.footprint(code).locations.is_empty())
        };
        let is_anything = goal.locations.is_empty()
            && goal.data.is_empty()
            && goal.clocks.is_empty()
            && goal.deadlock != Some(true);
        let locations = goal
            .locations
            .iter()
            .map(|(process, there)| (process.0, there.iter().map(|location| location.0).collect()));
        (!is_anything && !reads_locations() && goal.deadlock != Some(false)).then(|| Self {
            locations: locations.collect(),
            writers,
            deadlock: goal.deadlock,
        })
    }
}

/// Whether somebody may stay out of a vector.
fn has_weak_participants(network: &Network) -> bool {
    network.vectors.iter().any(|vector| vector.participants.iter().any(|&(_, is_weak)| is_weak))
}

/// Whether a process moves in a candidate.
fn takes_part(moves: &Moves<'_>, process: usize, candidate: &Candidate<'_>) -> bool {
    candidate.edges.iter().any(|&edge| moves.index.process_of(edge).index() == process)
}

/// Whether the guard of an edge may hold, as far as can be said without evaluating much.
fn may_be_ready(moves: &Moves<'_>, domain: &impl TimeDomain, edge: &IndexedEdge) -> bool {
    moves.index.passes(edge, &moves.source)
        && moves.index.clock_guard(edge).iter().all(|&constraint| domain.meets(constraint))
}

/// Whether all clock values meet a constraint.
fn is_sure(domain: &impl TimeDomain, constraint: ClockDifference) -> bool {
    let ClockDifference { left, right, bound } = constraint;
    !domain.meets(ClockDifference { left: right, right: left, bound: -bound })
}

/// Whether a process makes time stand still where it is: by an urgent or committed location, or an upper bound that its clock has reached in all values.
fn stops_time(moves: &Moves<'_>, domain: &impl TimeDomain, location: i32) -> bool {
    let facts = moves.index.facts(location);
    if facts & STOPS_TIME != 0 {
        return true;
    }
    let is_reached = |invariant: &ClockDifference| {
        let before = ClockDifference { bound: Bound::lt(invariant.bound.constant()), ..*invariant };
        !invariant.bound.is_strict() && !domain.meets(before)
    };
    facts & CLOCK_INVARIANT != 0
        && moves.index.invariant_of(location).is_some_and(|invariant| invariant.iter().any(is_reached))
}

/// Whether something in the network looks at the locations of processes, or an invariant may fail.
fn looks_at_locations(network: &Network) -> bool {
    let codes = network.program.codes();
    let of_edges = network.edges.iter().flat_map(Edge::codes);
    let of_locations = || network.locations.iter().flat_map(Location::codes);
    of_edges.chain(of_locations()).any(|code| !codes.footprint(code).locations.is_empty())
        || of_locations().any(|code| !codes.is_silent(code))
}
