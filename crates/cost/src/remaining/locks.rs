//! Locks: variables that at most one process holds at a time, found in the model.
//!
//! A variable is a lock if every edge that changes it either takes it, from its first value to another one and guarded by having that first value, or gives it back; and if in every process
//! each location either holds it or does not, whatever way leads there, so that only who holds it gives it back. Then at most one process is in a holding location, by induction
//! over the steps of a run.
//!
//! A process that cannot get to its goal without taking the lock is a job of that lock: it takes it not before some time, holds it for a while, and has some way to go afterwards. All jobs
//! of a lock together give the bound of [`one_machine`](super::one_machine). Nothing here knows what a machine is.

use super::graph::{Place, ProcessGraph};
use super::{Job, Machine, Since};
use crate::space::NEVER;
use guidepost_network::{Comparison, EdgeId, Network, Shape, VarId};

/// A lock, and who needs it.
pub(super) struct Lock {
    /// By position of the process among those with a goal; those that never use it have none.
    users: Vec<Option<User>>,
}

/// What a process does with a lock.
struct User {
    /// By location: whether it holds the lock there.
    holds: Vec<bool>,
    /// By location that holds it: how long it goes on holding it at least, counted from entering.
    hold: Vec<i64>,
    /// By location that does not hold it: the use of it that is unavoidable from there on, counted from entering.
    uses: Vec<Option<Use>>,
    /// The edges that take it.
    takes: Vec<EdgeId>,
}

/// An unavoidable use of a lock: when it begins, how long it takes, and the way to go afterwards, each at least.
#[derive(Clone, Copy)]
struct Use {
    head: i64,
    length: i64,
    tail: i64,
}

/// What an edge does to a lock.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    Takes,
    Gives,
}

/// The locks that some of the processes need.
pub(super) fn locks(network: &Network, processes: &[ProcessGraph]) -> Vec<Lock> {
    let locks = candidates(network).filter_map(|(_, deeds)| Lock::new(network, processes, &deeds));
    locks.collect()
}

/// All locks of a network, with what each edge does to them.
pub(crate) fn find_locks(network: &Network) -> Vec<(VarId, Vec<Option<Deed>>)> {
    let is_lock = |deeds: &[Option<Deed>]| {
        (0..network.processes.len()).all(|process| holding_locations(network, process, deeds).is_some())
    };
    candidates(network).filter(|(_, deeds)| is_lock(deeds)).collect()
}

/// Variables that are changed like locks.
fn candidates(network: &Network) -> impl Iterator<Item = (VarId, Vec<Option<Deed>>)> {
    let written = network.written_by_hooks();
    let variables = (0..network.variables.len() as u32).map(VarId);
    let ours = variables.filter(move |var| !written[var.index()] && !network.variables[var.index()].meta);
    ours.filter_map(|var| Some((var, deeds(network, var)?)))
}

/// What each edge does to a variable, if it is used like a lock.
fn deeds(network: &Network, var: VarId) -> Option<Vec<Option<Deed>>> {
    let free = network.variables[var.index()].initial;
    let mut deeds = vec![None; network.edges.len()];
    for (deed, edge) in deeds.iter_mut().zip(&network.edges) {
        let Some(update) = edge.update else { continue };
        if !network.program.writes(update).contains(&var) {
            continue;
        }
        let steps = network.program.shapes(update)?;
        let mut values = steps.iter().filter_map(|step| match step {
            Shape::AssignConst { var: written, value } if *written == var => Some(Some(*value)),
            Shape::AssignVar { var: written, .. } | Shape::Increment { var: written, .. }
                if *written == var =>
            {
                Some(None)
            }
            _ => None,
        });
        let (value, None) = (values.next()??, values.next()) else { return None };
        *deed = Some(if value == free { Deed::Gives } else { Deed::Takes });
        let asks = Shape::VarCmpConst { var, op: Comparison::Eq, value: free };
        if value != free && !edge.data_guard.iter().any(|&code| network.program.shape(code) == asks) {
            return None;
        }
    }
    deeds.contains(&Some(Deed::Takes)).then_some(deeds)
}

impl Lock {
    fn new(network: &Network, processes: &[ProcessGraph], deeds: &[Option<Deed>]) -> Option<Self> {
        let mut holding = Vec::new();
        for process in 0..network.processes.len() {
            holding.push(holding_locations(network, process, deeds)?);
        }
        let users = processes.iter().map(|graph| User::new(graph, &holding[graph.cell], deeds));
        let users: Vec<Option<User>> = users.collect();
        users.iter().any(Option::is_some).then_some(Self { users })
    }

    /// Collects the jobs that still need the lock.
    pub(super) fn collect(
        &self,
        processes: &[ProcessGraph],
        cells: &[i32],
        now: i64,
        since: &Since<'_>,
        machine: &mut Machine,
    ) {
        let mut free_from = now;
        for (process, user) in processes.iter().zip(&self.users) {
            let Some(user) = user else { continue };
            let place = process.at(cells);
            if user.holds[process.index(cells)] {
                let given = place.exits.iter().map(|exit| {
                    let goes_on = if user.holds[exit.target] { user.hold[exit.target] } else { 0 };
                    exit.earliest(now, since) + goes_on
                });
                // Who holds it in a goal location need not give it back.
                free_from = free_from.max(if place.is_goal { now } else { given.min().unwrap_or(now) });
            } else if let Some(job) = user.job(place, now, since) {
                machine.add(job);
            }
        }
        machine.free_from(free_from);
    }
}

/// By location of a process: whether it holds the lock there; `None` if that depends on the way.
fn holding_locations(network: &Network, process: usize, deeds: &[Option<Deed>]) -> Option<Vec<bool>> {
    let own = &network.processes[process];
    let first = own.locations.start;
    let mut holds: Vec<Option<bool>> = vec![None; own.locations.len()];
    let start = (own.initial.0 - first) as usize;
    holds[start] = Some(false);
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        let before = holds[at]?;
        for edge in network.locations[at + first as usize].outgoing.clone() {
            let after = match deeds[edge as usize] {
                None => before,
                Some(Deed::Takes) if !before => true,
                Some(Deed::Gives) if before => false,
                Some(_) => return None,
            };
            let target = (network.edges[edge as usize].target.0 - first) as usize;
            match holds[target] {
                None => {
                    holds[target] = Some(after);
                    open.push(target);
                }
                Some(known) if known != after => return None,
                Some(_) => {}
            }
        }
    }
    Some(holds.into_iter().map(|holds| holds.unwrap_or(false)).collect())
}

impl User {
    fn new(graph: &ProcessGraph, holds: &[bool], deeds: &[Option<Deed>]) -> Option<Self> {
        let exits = graph.locations.iter().flat_map(|place| &place.exits);
        let takes: Vec<EdgeId> =
            exits.map(|exit| exit.edge).filter(|edge| deeds[edge.index()] == Some(Deed::Takes)).collect();
        if takes.is_empty() {
            return None;
        }
        let hold = fixpoint(graph, |place, hold| {
            let ways = place
                .exits
                .iter()
                .map(|exit| exit.dwell + if holds[exit.target] { hold[exit.target] } else { 0 });
            if place.is_goal { 0 } else { ways.min().unwrap_or(NEVER).min(NEVER) }
        });
        let tail = fixpoint(graph, |place, tail: &[i64]| {
            let ways = place.exits.iter().map(|exit| {
                if holds[exit.target] { tail[exit.target] } else { graph.locations[exit.target].time }
            });
            if place.is_goal { 0 } else { ways.min().unwrap_or(NEVER).min(NEVER) }
        });
        let uses = unavoidable(graph, &takes, &hold, &tail);
        Some(Self { holds: holds.to_vec(), hold, uses, takes })
    }

    /// The use that is unavoidable from where the process is, in absolute times.
    fn job(&self, place: &Place, now: i64, since: &Since<'_>) -> Option<Job> {
        if place.is_goal {
            return None;
        }
        let mut job: Option<Job> = None;
        for exit in &place.exits {
            let from = exit.earliest(now, since);
            let Use { head, length, tail } = self.first_use(exit.edge, exit.target)?;
            let own = Job { head: from + head, length, tail };
            job = Some(job.map_or(own, |job| Job {
                head: job.head.min(own.head),
                length: job.length.min(own.length),
                tail: job.tail.min(own.tail),
            }));
        }
        job
    }

    /// The unavoidable use after an edge to a location, counted from taking the edge.
    fn first_use(&self, edge: EdgeId, target: usize) -> Option<Use> {
        let used = self.uses[target]?;
        Some(if self.takes.contains(&edge) { Use { head: 0, ..used } } else { used })
    }
}

/// The least solution, from below, of an equation for every location: a lower bound for each, whatever the cycles.
fn fixpoint(graph: &ProcessGraph, of: impl Fn(&Place, &[i64]) -> i64) -> Vec<i64> {
    let mut values = vec![0; graph.locations.len()];
    // Values only grow, and along a simple way they settle within as many rounds as there are locations.
    for _ in 0..=graph.locations.len() {
        let next: Vec<i64> = graph.locations.iter().map(|place| of(place, &values)).collect();
        if next == values {
            break;
        }
        values = next;
    }
    values
}

/// By location: the use that is unavoidable from there on. For locations behind an edge that takes the lock it is the one that goes on there.
fn unavoidable(graph: &ProcessGraph, takes: &[EdgeId], hold: &[i64], tail: &[i64]) -> Vec<Option<Use>> {
    let count = graph.locations.len();
    // Locations from which a goal can be reached without taking the lock.
    let mut avoids: Vec<bool> = graph.locations.iter().map(|place| place.is_goal).collect();
    for _ in 0..count {
        for index in 0..count {
            let way = |exit: &super::graph::Exit| !takes.contains(&exit.edge) && avoids[exit.target];
            avoids[index] |= graph.locations[index].exits.iter().any(way);
        }
    }
    let is_taken: Vec<bool> = (0..count)
        .map(|index| {
            let mut exits = graph.locations.iter().flat_map(|place| &place.exits);
            exits.any(|exit| exit.target == index && takes.contains(&exit.edge))
        })
        .collect();
    let taken = |index: usize| Use { head: 0, length: hold[index], tail: tail[index] };
    // Uses along all ways, the least of each number: they shrink until nothing changes.
    let mut uses: Vec<Option<Use>> = (0..count)
        .map(|index| (!avoids[index]).then_some(Use { head: NEVER, length: NEVER, tail: NEVER }))
        .collect();
    for _ in 0..=count {
        for index in 0..count {
            if uses[index].is_none() {
                continue;
            }
            let mut least = Use { head: NEVER, length: NEVER, tail: NEVER };
            for exit in &graph.locations[index].exits {
                let after =
                    if takes.contains(&exit.edge) { Some(taken(exit.target)) } else { uses[exit.target] };
                let Some(after) = after else { continue };
                least.head = least.head.min(after.head.saturating_add(exit.dwell));
                least.length = least.length.min(after.length);
                least.tail = least.tail.min(after.tail);
            }
            uses[index] = Some(least);
        }
    }
    // A location that is entered by taking the lock stands for that use.
    for index in (0..count).filter(|&index| is_taken[index]) {
        uses[index] = Some(taken(index));
    }
    uses
}
