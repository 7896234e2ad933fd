//! Between which values every variable stays, and what can never happen because of that.
//!
//! A counter that is declared to reach 30 may never pass 15, because a function that counts stops before; an element of an array may never be written; and a query may ask for just that. Searches have to look at all states to see it, although it is a matter of single
//! variables.
//!
//! Suppose that something is known of all variables: ranges that they never leave. Take one variable, and the values that it has been seen to have, at first only its initial one. From each of these values, all edges that write it are tried, with that value and with the ranges of all others
//! ([`RangeMachine`]), and what the variable can be after that is seen as well. When nothing new is seen, the variable never leaves what was seen: by induction over the transitions of a run, since before
//! each of them it has a value that has been seen, and the others are in their ranges. So its range can be made smaller, then that of the next variable, and again from the first one, until nothing changes. At every moment all ranges are
//! true, so one can stop at any time. The same is done with locations, whose edges can be taken if their guards can hold and if there is somebody to take them with.
//!
//! An update of a receiver may begin where that of its sender has ended, which is in the ranges, too, since the sender's edge has been tried. But then its guard says nothing about values, because it held before. What hooks write can change at any moment, and stays as it was declared; so do meta variables.
//!
//! Clocks are left out, and what fails is not possible: what is excluded here is excluded for all runs without errors of the model.

use guidepost_network::{
    ChannelId, Code, EdgeId, Goal, LocationId, Network, ProcessId, Range, RangeMachine, Sync, TooMuch, VarId,
};
use std::collections::BTreeSet;

/// More values of a variable than this are not counted.
const VALUES: u64 = 1024;
/// How much of code is looked at for one variable in one round, about.
const VARIABLE: u64 = 1 << 22;
/// How often all variables are looked at.
const ROUNDS: u32 = 8;
/// In networks with more pairs of edges and variables than this, who writes what takes too much memory.
const PAIRS: usize = 1 << 22;

/// What is known so far.
pub struct Ranges<'n> {
    network: &'n Network,
    machine: RangeMachine<'n>,
    /// By edge: its update and guard, and what they read.
    edges: Vec<Writer>,
    /// By variable: the edges that may write it.
    writers: Vec<Vec<EdgeId>>,
    /// By variable: whether it can be looked at.
    is_followed: Vec<bool>,
    /// By edge: whether it can be taken.
    is_possible: Vec<bool>,
    is_reached: Vec<bool>,
    round: u32,
    next: Step,
    has_changed: bool,
}

/// What is looked at next, in each round.
enum Step {
    /// Whether guards can hold, one edge after the other; those before this one are known.
    Guards(Vec<bool>),
    /// How far variables get, one after the other.
    Variable(usize),
}

struct Writer {
    /// The guard, where it says something about the values that the update begins with.
    guard: Vec<Code>,
    /// What guard and update look at.
    reads: Vec<VarId>,
    /// What the update writes in any case.
    writes: Vec<VarId>,
}

impl<'n> Ranges<'n> {
    /// Whether a network is small enough.
    pub fn can_be_found(network: &Network) -> bool {
        network.edges.len().saturating_mul(network.variables.len()) <= PAIRS
    }

    /// Nothing is known but what variables are declared to be.
    pub fn new(network: &'n Network) -> Self {
        let mut writers = vec![Vec::new(); network.variables.len()];
        for (id, edge) in (0..).map(EdgeId).zip(&network.edges) {
            for variable in edge.update.iter().flat_map(|&update| network.program.writes(update)) {
                writers[variable.index()].push(id);
            }
        }
        let hooked = network.written_by_hooks();
        let is_followed =
            network.variables.iter().zip(hooked).map(|(variable, hooked)| !variable.meta && !hooked);
        let mut machine = RangeMachine::new(&network.program, network.locations.len(), &[]);
        for (cell, process) in network.processes.iter().enumerate() {
            machine.set(cell, Range::new(process.locations.start as i32, process.locations.end as i32 - 1));
        }
        Self {
            network,
            machine,
            edges: network.edges.iter().map(|edge| Writer::new(network, edge)).collect(),
            writers,
            is_followed: is_followed.collect(),
            is_possible: vec![true; network.edges.len()],
            is_reached: vec![true; network.locations.len()],
            round: 0,
            next: Step::Guards(Vec::new()),
            has_changed: false,
        }
    }

    /// Goes on until nothing changes any more, or so much of code has been looked at in all; says which.
    pub fn advance(&mut self, executed: u64) -> bool {
        while self.machine.executed() < executed {
            if self.round == ROUNDS {
                return true;
            }
            self.step();
        }
        self.round == ROUNDS
    }

    fn step(&mut self) {
        match &mut self.next {
            Step::Guards(holds) => {
                if let Some(edge) = self.network.edges.get(holds.len()) {
                    let is_reached = self.is_reached[edge.source.index()];
                    holds.push(is_reached && self.machine.may_hold(&edge.data_guard));
                } else {
                    let holds = std::mem::take(holds);
                    self.has_changed = self.follow_locations(&holds);
                    self.next = Step::Variable(0);
                }
            }
            Step::Variable(variable) if *variable < self.network.variables.len() => {
                let id = VarId(*variable as u32);
                *variable += 1;
                self.has_changed |= self.follow_variable(id);
            }
            Step::Variable(_) => {
                self.round = if self.has_changed { self.round + 1 } else { ROUNDS };
                self.next = Step::Guards(Vec::new());
            }
        }
    }

    /// How much of code has been looked at.
    pub fn executed(&self) -> u64 {
        self.machine.executed()
    }

    /// The range of a variable.
    pub fn of(&self, variable: VarId) -> Range {
        self.machine.range(self.cell(variable))
    }

    /// Whether an edge can be taken.
    pub fn is_possible(&self, edge: EdgeId) -> bool {
        self.is_possible[edge.index()]
    }

    /// Whether no state is one of some goals, which come from one query, as far as is known. Clocks and deadlocks are not looked at.
    pub fn exclude(&self, goals: &[Goal]) -> bool {
        let mut machine = RangeMachine::new(&self.network.program, self.network.locations.len(), goals);
        machine.set_reached(&self.is_reached);
        for cell in 0..self.network.program.state_size() {
            machine.set(cell, self.machine.range(cell));
        }
        let is_there = |(_, locations): &(ProcessId, Vec<LocationId>)| {
            locations.iter().any(|location| self.is_reached[location.index()])
        };
        goals.iter().all(|goal| !goal.locations.iter().all(is_there) || !machine.may_hold(&goal.data))
    }

    fn cell(&self, variable: VarId) -> usize {
        self.network.processes.len() + variable.index()
    }

    /// Finds out how far a variable gets, if every other one may be anything in its range.
    fn follow_variable(&mut self, variable: VarId) -> bool {
        let cell = self.cell(variable);
        let before = self.machine.range(cell);
        if !self.is_followed[variable.index()] || before.value().is_some() {
            return false;
        }
        let seen = self.seen_values(variable, before);
        let after = match seen.as_ref().map(|seen| (seen.first(), seen.last())) {
            Ok((Some(&low), Some(&high))) => Range::new(low, high),
            _ => before,
        };
        debug_assert!(after.meet(before) == Some(after), "what is known becomes more");
        self.machine.set(cell, after);
        after != before
    }

    /// All values that a variable gets, one from another.
    fn seen_values(&mut self, variable: VarId, before: Range) -> Result<BTreeSet<i32>, TooMuch> {
        let initial = self.network.variables[variable.index()].initial;
        let mut seen = BTreeSet::from([initial]);
        let writers = self.writers[variable.index()].clone();
        let writers: Vec<EdgeId> = writers.into_iter().filter(|edge| self.is_possible(*edge)).collect();
        for &edge in &writers {
            if !self.edges[edge.index()].depends_on(variable) {
                self.machine.set(self.cell(variable), before);
                self.take(edge, variable, &mut seen, &mut Vec::new())?;
            }
        }
        let mut open: Vec<i32> = seen.iter().copied().collect();
        let most = self.machine.executed() + VARIABLE;
        while let Some(value) = open.pop() {
            if self.machine.executed() > most {
                return Err(TooMuch);
            }
            self.machine.set(self.cell(variable), Range::of(value));
            for &edge in &writers {
                if self.edges[edge.index()].depends_on(variable) {
                    self.take(edge, variable, &mut seen, &mut open)?;
                }
            }
        }
        Ok(seen)
    }

    /// Takes an edge, and adds the values that a variable can have after it.
    fn take(
        &mut self,
        edge: EdgeId,
        variable: VarId,
        seen: &mut BTreeSet<i32>,
        open: &mut Vec<i32>,
    ) -> Result<(), TooMuch> {
        let cell = self.cell(variable);
        let update = self.network.edges[edge.index()].update;
        let after =
            self.machine.follow(&self.edges[edge.index()].guard, update, |after| after.range(cell))?;
        let Some(after) = after else { return Ok(()) };
        if after.count() > VALUES {
            return Err(TooMuch);
        }
        open.extend((after.low..=after.high).filter(|&value| seen.insert(value)));
        if seen.len() as u64 > VALUES { Err(TooMuch) } else { Ok(()) }
    }

    /// Finds out which locations processes get to by edges whose guards can hold; says whether fewer are left.
    fn follow_locations(&mut self, holds: &[bool]) -> bool {
        let before = self.is_reached.iter().filter(|is_reached| **is_reached).count();
        let network = self.network;
        let mut growth = Growth::new(network, holds);
        while growth.grow() {}
        let Growth { is_reached, is_taken, .. } = growth;
        (self.is_reached, self.is_possible) = (is_reached, is_taken);
        self.machine.set_reached(&self.is_reached);
        for (cell, process) in network.processes.iter().enumerate() {
            let mut reached = process.locations.clone().filter(|&at| self.is_reached[at as usize]);
            if let Some(low) = reached.next() {
                let high = reached.next_back().unwrap_or(low);
                self.machine.set(cell, Range::new(low as i32, high as i32));
            }
        }
        self.is_reached.iter().filter(|is_reached| **is_reached).count() < before
    }
}

impl Writer {
    fn new(network: &Network, edge: &guidepost_network::Edge) -> Self {
        // A receiver's update begins where that of its sender has ended, and a hook may come first.
        let is_first = matches!(edge.sync, Sync::Internal | Sync::Send(_)) && network.before_update.is_none();
        let guard = if is_first { edge.data_guard.clone() } else { Vec::new() };
        let exposure = edge.update.map(|update| network.program.codes().exposure(update)).unwrap_or_default();
        let mut reads = exposure.reads;
        reads.extend(guard.iter().flat_map(|&code| network.program.reads(code)));
        Self { guard, reads, writes: exposure.writes }
    }

    /// Whether the value of a variable after the edge can depend on that before it. What is written in some cases only, stays as it was in others.
    fn depends_on(&self, variable: VarId) -> bool {
        self.reads.contains(&variable) || !self.writes.contains(&variable)
    }
}

/// Locations that are reached, one after the other, by edges whose guards can hold.
struct Growth<'n> {
    network: &'n Network,
    holds: &'n [bool],
    is_reached: Vec<bool>,
    is_taken: Vec<bool>,
    /// By channel: the processes that can send and receive, two of each at most: enough to know that somebody else can.
    sides: [Vec<Vec<ProcessId>>; 2],
    /// By vector: the processes that can join.
    joined: Vec<BTreeSet<ProcessId>>,
}

impl<'n> Growth<'n> {
    fn new(network: &'n Network, holds: &'n [bool]) -> Self {
        let mut is_reached = vec![false; network.locations.len()];
        for process in &network.processes {
            is_reached[process.initial.index()] = true;
        }
        let none = vec![Vec::new(); network.channels.len()];
        Self {
            network,
            holds,
            is_reached,
            is_taken: vec![false; network.edges.len()],
            sides: [none.clone(), none],
            joined: vec![BTreeSet::new(); network.vectors.len()],
        }
    }

    /// Takes every edge that can be taken and has not been; says whether there was one, or somebody who waits for others.
    fn grow(&mut self) -> bool {
        let mut is_news = false;
        for (index, edge) in self.network.edges.iter().enumerate() {
            if self.is_taken[index] || !self.holds[index] || !self.is_reached[edge.source.index()] {
                continue;
            }
            is_news |= self.offer(edge);
            if self.has_partners(edge) {
                self.is_taken[index] = true;
                self.is_reached[edge.target.index()] = true;
                is_news = true;
            }
        }
        is_news
    }

    /// Others can move together with the edge from now on; says whether that is new.
    fn offer(&mut self, edge: &guidepost_network::Edge) -> bool {
        let (side, channel) = match &edge.sync {
            Sync::Internal => return false,
            Sync::Join(vector) => return self.joined[*vector as usize].insert(edge.process),
            Sync::Send(channel) => (0, channel),
            Sync::Receive(channel) => (1, channel),
        };
        let mut is_news = false;
        for id in channel.candidates() {
            let processes = &mut self.sides[side][id.index()];
            if processes.len() < 2 && !processes.contains(&edge.process) {
                processes.push(edge.process);
                is_news = true;
            }
        }
        is_news
    }

    fn has_partners(&self, edge: &guidepost_network::Edge) -> bool {
        let others = |side: usize, id: &ChannelId| {
            self.sides[side][id.index()].iter().any(|&other| other != edge.process)
        };
        match &edge.sync {
            Sync::Internal => true,
            Sync::Join(vector) => {
                let joined = &self.joined[*vector as usize];
                let mut participants = self.network.vectors[*vector as usize].participants.iter();
                participants.all(|(process, is_weak)| *is_weak || joined.contains(process))
            }
            Sync::Send(channel) => channel
                .candidates()
                .iter()
                .any(|id| self.network.channels[id.index()].broadcast || others(1, id)),
            Sync::Receive(channel) => channel.candidates().iter().any(|id| others(0, id)),
        }
    }
}
