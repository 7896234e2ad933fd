//! Partial orders: independent steps are taken in one order only.
//!
//! Several processes that have something to do at the same moment can do it in any order; n independent steps have n! orders and 2^n states in between, and one order shows all there is to see. A *stubborn set* of a state is
//! a set of transitions such that
//!
//! 1. whatever others do, no delay is possible before one of the set is taken, or delays make no difference to the set;
//! 2. no goal is met, and no evaluation fails, before one of the set is taken;
//! 3. if one of the set can be taken after some of the others, it can be taken first, with the same result.
//!
//! So a run to a goal takes one of the set at some time, and that one may as well be the first: expanding only the set keeps all goals reachable, with as few steps as before. By induction over the number of steps that are still
//! to go, which covering zones, representatives and forgotten variables leave as it is, this is also true of states that stand for others. (Valmari, *Stubborn sets for reduced state space generation*, 1989;
//! Bønneland and others, *Start pruning when time gets urgent*, 2018.)
//!
//! The set is found by processes: it has all transitions in which a process of some *crowd* takes part. The crowd begins with a process that makes time stand still, by an urgent or committed location or an invariant whose
//! bound is reached in the whole zone (1), or with any process that can move, see below. It grows by those who can change what unmet goals need, and who evaluate what may fail (2). And for each edge that a process of the crowd has where it is (3):
//! if a condition of its guard is false, by those who may write what this one reads; otherwise by those who may write what it reads, or read or write what it writes, and by those it may synchronise with. "May" means that the process can get from its
//! location to such an edge. A step into a committed location stops everybody else, so it is not taken first (unless there are committed locations already: then everybody else's steps leave those, and one of them belongs to the crowd). The same is true
//! of steps that write what invariants of others read. For goals that are deadlocks, some transition of the set must be possible whatever the clocks say: it stays possible, so nobody is deadlocked before it. Only a committed location could keep it back, so whoever may enter one belongs to the crowd then.
//! The values of the zone are not enough: what stands for a state with a run to a deadlock has a run to the same locations and data, but may not be deadlocked there. Let it get there without the set. Neither time nor others have changed the clocks of the transition, which is possible there. In the deadlock it is, too,
//! if for x ≥ c in its guard there is an upper bound of x where it begins that is at least c, and for x ≤ c a lower bound that is at least c: then a clock that meets the one in what stands for a state meets it in the state (`shows_in_all`). But in a deadlock nothing is possible. So it gets there by a transition of the set.
//!
//! **Where time passes.** A step that looks at no clock and sets none, and leads to a location where time passes without bound, is *timeless*: whoever takes it before a delay instead of after it comes to the same state, and
//! afterwards time may pass as long as before. So a crowd can begin with any process, if all edges of the crowd are timeless, apart from those that a false condition about data blocks. A goal that time alone may bring about, because
//! nothing but clocks is missing, rules such sets out, and so do urgent channels, since whether time may pass there depends on others.
//!
//! **Broadcasts.** Who takes part in a broadcast depends on who listens. So whoever may come to listen to what a process of the crowd sends belongs to the crowd; and so does whoever may send on a channel to which an edge of the crowd makes a
//! process listen, be it by leading to a location with a receiver, or by writing what the guard of a receiver reads (such a guard counts as read by the senders). What a process of the crowd hears already, its edges say: its senders are those it may synchronise with.
//!
//! Who may stay out of a vector depends on where others are in more complicated ways. Networks with that are explored as they are.

use super::Moves;
use super::candidates::{Candidate, Candidates};
use super::index::{CLOCK_INVARIANT, COMMITTED, IndexedEdge, Role, STOPS_TIME};
use super::interference::{Interference, Touch};
use crate::slice::goal_reads;
use crate::time_domain::{ClockDifference, TimeDomain};
use guidepost_network::{ClockId, Edge, EdgeId, Goal, Location, Network, RangeViolation, Sync};
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
    /// Time alone may bring about the rest.
    has_clocks: bool,
}

/// What time may do before one of a set is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Time {
    StandsStill,
    Passes,
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
    /// What time may do before one of the crowd moves.
    time: Time,
    /// Some steps have nothing to do with time, and nothing stops time that is not looked at.
    has_timeless: bool,
    /// Somebody wants sets where time passes.
    looks_over_time: bool,
    /// How much work is left.
    patience: usize,
    postponed: Postponed,
}

/// How many transitions were not taken.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Postponed {
    pub(crate) in_all: u64,
    /// Where time passes.
    pub(crate) over_time: u64,
}

impl Stubborn {
    /// For a search for some goals; `None` where stubborn sets are not known to be right, or of no use.
    pub(crate) fn new(network: &Network, goals: &[&Goal]) -> Option<Self> {
        let features = &network.features;
        let is_simple = !(features.priorities
            || features.stopwatches
            || features.clock_copies
            || features.lower_bound_invariants
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
        let has_timeless = !features.urgent_channels && tables.touches.iter().any(|touch| touch.is_timeless);
        let seeks_deadlock = goals.iter().any(|goal| goal.deadlock == Some(true));
        Some(Self {
            tables,
            goals,
            seeks_deadlock,
            failing,
            is_in,
            open: Vec::new(),
            time: Time::StandsStill,
            has_timeless,
            looks_over_time: true,
            patience: 0,
            postponed: Postponed::default(),
        })
    }

    /// How many transitions were not taken so far.
    pub(crate) fn postponed(&self) -> Postponed {
        self.postponed
    }

    /// Looks for sets where time stands still, and where time passes only if wanted.
    pub(crate) fn look_over_time(&mut self, wanted: bool) {
        self.looks_over_time = wanted;
    }

    /// Whether it looks for sets where time passes, if there can be any.
    pub(crate) fn looks_over_time(&self) -> bool {
        self.looks_over_time
    }

    /// Finds a stubborn set that leaves some of the candidates out; says whether there is one.
    pub(crate) fn choose(
        &mut self,
        moves: &Moves<'_>,
        domain: &impl TimeDomain,
        candidates: &Candidates,
    ) -> bool {
        let may_stand_still = moves.source_facts & (STOPS_TIME | CLOCK_INVARIANT) != 0;
        if candidates.len() < 2 || !(may_stand_still || (self.has_timeless && self.looks_over_time)) {
            return false;
        }
        self.patience = PATIENCE * candidates.len();
        for process in 0..self.is_in.len() {
            let Some(time) = self.time_before(process, moves, domain, candidates) else { continue };
            self.time = time;
            if !candidates.iter().all(|candidate| takes_part(moves, process, &candidate))
                && self.is_crowd(process, moves, domain, candidates)
            {
                let left_out =
                    candidates.iter().filter(|candidate| !self.takes(moves, candidate)).count() as u64;
                self.postponed.in_all += left_out;
                self.postponed.over_time += if time == Time::Passes { left_out } else { 0 };
                return true;
            }
            if self.patience == 0 {
                return false;
            }
        }
        false
    }

    /// What time may do before a crowd moves that begins with some process; `None`: the process is no beginning.
    fn time_before(
        &self,
        process: usize,
        moves: &Moves<'_>,
        domain: &impl TimeDomain,
        candidates: &Candidates,
    ) -> Option<Time> {
        if stops_time(moves, domain, moves.source[process]) {
            return Some(Time::StandsStill);
        }
        let is_timeless = |candidate: &Candidate<'_>| {
            candidate.edges.iter().all(|edge| self.tables.touches[edge.index()].is_timeless)
        };
        let mut own = candidates.iter().filter(|candidate| takes_part(moves, process, candidate)).peekable();
        (self.has_timeless
            && self.looks_over_time
            && own.peek().is_some()
            && own.all(|candidate| is_timeless(&candidate)))
        .then_some(Time::Passes)
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
            let Needs { locations, deadlock, has_clocks, .. } = &self.goals[goal];
            let may_come_by_itself = *has_clocks && self.time == Time::Passes;
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
            } else if may_come_by_itself
                || (!is_deadlock && !self.add_all(moves, |this| &this.goals[goal].writers))
            {
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
        let first = moves.network.processes.len();
        let failed = moves.index.failed_cells(edge, &moves.source).map(|cell| cell - first);
        // It cannot be taken before this variable is written.
        if let Some(item) = failed.min_by_key(|&item| self.tables.writers[item].len()) {
            return self.add_all(moves, |this| &this.tables.writers[item]);
        }
        if self.time == Time::Passes && !self.tables.touches[id].is_timeless {
            return false;
        }
        if !may_be_ready(moves, domain, edge) {
            return (0..self.tables.touches[id].guard.len()).all(|position| {
                self.add_all(moves, |this| {
                    &this.tables.writers[this.tables.touches[id].guard[position] as usize]
                })
            });
        }
        let Touch { reads, writes, hears, .. } = &self.tables.touches[id];
        let (reads, writes, hears) = (reads.len(), writes.len(), hears.len());
        let readers_done = (0..writes).all(|position| {
            self.add_all(moves, |this| &this.tables.users[this.tables.touches[id].writes[position] as usize])
        });
        let writers_done = readers_done
            && (0..reads).all(|position| {
                self.add_all(moves, |this| {
                    &this.tables.writers[this.tables.touches[id].reads[position] as usize]
                })
            });
        writers_done
            && (0..hears).all(|position| {
                self.add_all(moves, |this| {
                    &this.tables.senders[this.tables.touches[id].hears[position] as usize]
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
                    self.tables.touches[edge.index()].enters_freely && stays_possible(moves, domain, edge)
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
            has_clocks: !goal.clocks.is_empty(),
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

/// Whether the clocks meet the guard of an edge, in the zone and in all that it stands for.
fn stays_possible(moves: &Moves<'_>, domain: &impl TimeDomain, edge: EdgeId) -> bool {
    let source = moves.network.edges[edge.index()].source;
    let invariant = moves.index.invariant_of(source.0 as i32).unwrap_or_default();
    moves.index.guard_of(edge).is_some_and(|guard| {
        guard.iter().all(|constraint| {
            let is_sure = || is_sure(domain, *constraint);
            always_holds(constraint) || (is_sure() && shows_in_all(moves, constraint, guard, invariant))
        })
    })
}

/// Whether states for which others stand meet a constraint of a guard if those do, by the bounds that the guard and the invariant contribute.
fn shows_in_all(
    moves: &Moves<'_>,
    constraint: &ClockDifference,
    guard: &[ClockDifference],
    invariant: &[ClockDifference],
) -> bool {
    if moves.network.features.diagonals
        || (constraint.left != ClockId::ZERO && constraint.right != ClockId::ZERO)
    {
        return false;
    }
    let is_opposite = |other: &&ClockDifference| {
        (other.left, other.right) == (constraint.right, constraint.left) && !other.bound.is_infinite()
    };
    // One is x - 0 <= u, the other is 0 - x <= -c.
    let (own, is_lower) = (constraint.bound.constant(), constraint.left == ClockId::ZERO);
    let mut opposites = guard.iter().chain(invariant).filter(is_opposite);
    opposites
        .any(|other| if is_lower { other.bound.constant() >= -own } else { -other.bound.constant() >= own })
}

/// Whether whatever values of clocks meet a constraint: a clock is never negative.
fn always_holds(constraint: &ClockDifference) -> bool {
    let ClockDifference { left, bound, .. } = *constraint;
    bound.is_infinite() || (left == ClockId::ZERO && bound >= Bound::LE_ZERO)
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
