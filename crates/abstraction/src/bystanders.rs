//! Processes that can stand by, whatever the others do.
//!
//! A question about reachability is decided by the processes that it mentions, and by those that influence them: who writes what they read, who has to be there for what they do. The others
//! may be able to do a lot, but nobody who matters would notice. They are left out, with their clocks and what only they look at, if they can *stand by*: stay where they begin and hold up nobody.
//!
//! **Who matters.** Let K be the least set of processes such that p is in K if
//!
//! 1. the question mentions its location, or some code of K looks at it;
//! 2. it writes a variable or sets a clock that *matters*: one that the question mentions, that a condition of K reads, or that a step of an update of K reads which writes something that matters;
//! 3. it shares a binary channel or a vector with a process of K, or sends a broadcast that one receives;
//! 4. it may receive a broadcast of K in a committed location: its taking part could make a transition possible that the committed rule forbids without it;
//! 5. its locations set rates, or its code may fail, wrap around or pay: its author wants to hear of that;
//! 6. it cannot stand by. Let R be its initial location, and whatever broadcasts of K lead to from locations of R. It can stand by if every location of R is one where time may pass
//!    (neither urgent nor committed), without invariant, and without an edge by which an urgent channel could synchronise.
//!
//! D, the *bystanders*, are the others. In a network with priorities or with updates around every transition, everybody matters: transitions of D would forbid others, or run code that matters.
//! Deadlocks are not for it either, since a network in which nobody of K can move is not deadlocked while D can.
//!
//! **Claim.** Projected to the locations of K and to what matters, the reachable states of the network N are those of N', in which D has no edges (and no invariants). So they meet the same goals, with runs of the same length, and
//! evaluations fail in the one exactly if they fail in the other.
//!
//! *What N can do, N' can do.* Take a run of N. A transition in which only D takes part changes nothing that matters (1, 2), and no state of K. Any other has the same edges of K in N'. For, if a process of D takes part, then as the
//! receiver of a broadcast of K (3): it is no part of what the others have to be there for. Guards of K read what matters. The same receivers of K have to take part. The updates of D write nothing that those of K read. If a process is in a committed
//! location in N', then in N, too, and some process of K that takes part leaves one: D does not (4). The invariants of K hold. A delay of N is one of N': locations, invariants and urgent synchronisations of K are the same in both, and
//! no rate is set by D (5).
//!
//! *What N' can do, N can do.* Let D stand by: no process of D takes an edge but where it receives a broadcast of K. Then all of D is in R (6), for ever. A transition of N' is possible in N, together with all receivers in D whose
//! guards hold, by any of their edges: their updates do not fail (5; nor do they leave a range, which would block the transition in some models), their targets are in R and have no invariants, no process of D is in a committed location,
//! and nothing has priority. A delay of N' is possible in N: no location of D stops time, has an invariant, or offers something urgent. Urgent synchronisations between K and D do not exist (3), but for broadcasts, which are urgent whoever receives. ∎
//!
//! K is the least set that is closed under conditions that become weaker as K grows, so it is unique, and permutations that map the network and the question to themselves map it to itself.
//!
//! A question that mentions nothing (`E<> false`) is asked by those who want everything to be explored: for them, everybody matters.

use crate::structure::{Structure, reads, symbols_of_goals, symbols_tested_by, writes};
use crate::symbols::{Symbol, SymbolSet};
use guidepost_network::{
    ChannelId, ClockValue, Code, Edge, EdgeId, Goal, Location, LocationId, LocationKind, Meetings, Network,
    ProcessId, Sync,
};

/// By process: whether it can stand by while the others decide some questions, each given by its goals. `aside` are goals that are looked at on the way.
pub fn bystanders(network: &Network, questions: &[&[Goal]], aside: &[&[Goal]]) -> Vec<bool> {
    let nobody = vec![false; network.processes.len()];
    let mentioned: Vec<Vec<Symbol>> =
        questions.iter().map(|goals| symbols_of_goals(network, goals)).collect();
    let asks_for_everything = mentioned.iter().any(Vec::is_empty);
    let asks_for_deadlocks =
        questions.iter().chain(aside).copied().flatten().any(|goal| goal.deadlock.is_some());
    let has_hooks = network.before_update.is_some() || network.after_update.is_some();
    if asks_for_everything || asks_for_deadlocks || has_hooks || network.features.priorities {
        return nobody;
    }
    let mut matter = SymbolSet::empty(network);
    matter.extend(mentioned.into_iter().flatten());
    matter.extend(aside.iter().flat_map(|goals| symbols_of_goals(network, goals)));
    let mut influence = Influence::new(network, matter);
    // In most networks nobody is left after a glance.
    influence.add_unless(Influence::can_stand_by);
    influence.add_unless(Influence::is_silent);
    if influence.processes().all(|process| influence.matters(process)) {
        return nobody;
    }
    let structure = Structure::new(network);
    while influence.spread(&structure) {}
    influence.processes().map(|process| !influence.matters(process)).collect()
}

struct Influence<'n> {
    network: &'n Network,
    meetings: Meetings,
    /// Processes, variables and clocks that matter, as far as is known.
    matter: SymbolSet,
    /// By process: whether what its conditions look at is among them.
    is_looked_through: Vec<bool>,
    /// By edge: whether its update can do nothing but write variables and set clocks.
    is_silent: Vec<bool>,
}

impl<'n> Influence<'n> {
    fn new(network: &'n Network, matter: SymbolSet) -> Self {
        let codes = network.program.codes();
        let is_silent =
            |edge: &Edge| edge.update.is_none_or(|update| codes.is_silent(update)) && !may_lower_clocks(edge);
        Self {
            network,
            meetings: Meetings::new(network),
            matter,
            is_looked_through: vec![false; network.processes.len()],
            is_silent: network.edges.iter().map(is_silent).collect(),
        }
    }

    fn processes(&self) -> impl Iterator<Item = ProcessId> + use<> {
        (0..self.network.processes.len() as u32).map(ProcessId)
    }

    fn matters(&self, process: ProcessId) -> bool {
        self.matter.contains(Symbol::Process(process))
    }

    /// Whether one of some processes matters, given by the edges of one list of meetings.
    fn some_matter(&self, edges: &[EdgeId]) -> bool {
        Meetings::processes(self.network, edges).any(|process| self.matters(process))
    }

    fn locations_of(&self, process: ProcessId) -> &[Location] {
        let own = &self.network.processes[process.index()].locations;
        &self.network.locations[own.start as usize..own.end as usize]
    }

    fn edges_of(&self, process: ProcessId) -> impl Iterator<Item = EdgeId> + use<> {
        self.network.processes[process.index()].edges.clone().map(EdgeId)
    }

    fn edge(&self, id: EdgeId) -> &Edge {
        &self.network.edges[id.index()]
    }

    fn is_broadcast(&self, channel: ChannelId) -> bool {
        self.network.channels[channel.index()].broadcast
    }

    /// Adds processes of which something is not true.
    fn add_unless(&mut self, is_so: impl Fn(&Self, ProcessId) -> bool) {
        for process in self.processes() {
            if !self.matters(process) && !is_so(self, process) {
                self.matter.insert(Symbol::Process(process));
            }
        }
    }

    /// Whether a process sets no rates, and its code cannot fail, wrap around or pay (5).
    fn is_silent(&self, process: ProcessId) -> bool {
        let codes = self.network.program.codes();
        let is_silent = |code: Code| codes.is_silent(code);
        let mut locations = self.locations_of(process).iter();
        let mut edges = self.edges_of(process);
        edges.all(|id| self.is_silent[id.index()] && self.edge(id).condition_codes().all(is_silent))
            && locations.all(|location| location.rates.is_empty() && location.codes().all(is_silent))
    }

    /// Adds what follows from what is known to matter; says whether anything does.
    fn spread(&mut self, structure: &Structure) -> bool {
        let mut is_new = false;
        for process in self.processes() {
            if self.matters(process) {
                is_new |= self.add_what_counts_for(process, structure);
            } else if self.meddles(process, structure) || !self.can_stand_by(process) {
                is_new |= self.matter.insert(Symbol::Process(process));
            }
        }
        is_new
    }

    /// Adds what a process that matters looks at.
    fn add_what_counts_for(&mut self, process: ProcessId, structure: &Structure) -> bool {
        let is_first = !std::mem::replace(&mut self.is_looked_through[process.index()], true);
        let mut counts = if is_first { self.conditions_of(process, structure) } else { Vec::new() };
        for id in self.edges_of(process) {
            for step in &structure.edges[id.index()].steps {
                let is_silent = self.is_silent[id.index()];
                if !is_silent || writes(step).any(|symbol| self.matter.contains(symbol)) {
                    counts.extend(reads(step));
                }
            }
        }
        counts.into_iter().fold(false, |is_new, symbol| self.matter.insert(symbol) | is_new)
    }

    /// What the conditions of a process look at.
    fn conditions_of(&self, process: ProcessId, structure: &Structure) -> Vec<Symbol> {
        let codes = self.network.program.codes();
        let mut counts = symbols_tested_by(self.network, structure, process);
        for location in self.locations_of(process) {
            counts.extend(location.rates.iter().map(|&(clock, _)| Symbol::Clock(clock)));
            for code in location.codes() {
                let footprint = codes.footprint(code);
                counts.extend(footprint.locations.into_iter().map(Symbol::Process));
                counts.extend(footprint.reads.into_iter().map(Symbol::Variable));
            }
        }
        counts
    }

    /// Whether what a process does makes a difference to those who matter (2, 3, 4).
    fn meddles(&self, process: ProcessId, structure: &Structure) -> bool {
        self.edges_of(process).any(|id| {
            structure.written_by(id).any(|symbol| self.matter.contains(symbol)) || self.is_needed(id)
        })
    }

    /// Whether somebody who matters may need an edge, or hear of it.
    fn is_needed(&self, id: EdgeId) -> bool {
        let edge = self.edge(id);
        let mut channels = edge.sync.channels().iter().copied();
        match edge.sync {
            Sync::Internal => false,
            Sync::Send(_) => channels.any(|channel| self.some_matter(self.meetings.receivers(channel))),
            Sync::Receive(_) => {
                let is_committed =
                    self.network.locations[edge.source.index()].kind == LocationKind::Committed;
                channels.any(|channel| {
                    self.some_matter(self.meetings.senders(channel))
                        && (is_committed || !self.is_broadcast(channel))
                })
            }
            Sync::Join(vector) => {
                let participants = &self.network.vectors[vector as usize].participants;
                participants.iter().any(|&(other, _)| self.matters(other))
            }
        }
    }

    /// Whether a process can stay where it begins, and go where those who matter call it, without holding up anybody (6).
    fn can_stand_by(&self, process: ProcessId) -> bool {
        let initial = self.network.processes[process.index()].initial;
        let (mut seen, mut open) = (vec![initial], vec![initial]);
        while let Some(location) = open.pop() {
            if !self.is_restful(location) {
                return false;
            }
            let outgoing = self.network.locations[location.index()].outgoing.clone().map(EdgeId);
            for target in outgoing.filter(|&id| self.may_be_called(id)).map(|id| self.edge(id).target) {
                if !seen.contains(&target) {
                    seen.push(target);
                    open.push(target);
                }
            }
        }
        true
    }

    /// Whether an edge may receive what somebody who matters broadcasts.
    fn may_be_called(&self, id: EdgeId) -> bool {
        let edge = self.edge(id);
        let is_called = |&channel: &ChannelId| {
            self.is_broadcast(channel) && self.some_matter(self.meetings.senders(channel))
        };
        matches!(edge.sync, Sync::Receive(_)) && edge.sync.channels().iter().any(is_called)
    }

    /// Whether a process can be at a location for ever, as far as time is concerned.
    fn is_restful(&self, location: LocationId) -> bool {
        let here = &self.network.locations[location.index()];
        here.kind == LocationKind::Normal
            && here.data_invariant.is_empty()
            && here.clock_invariant.is_empty()
            && !here.outgoing.clone().any(|id| self.may_be_urgent(EdgeId(id)))
    }

    /// Whether an edge may be what makes an urgent synchronisation possible. Receivers of broadcasts do not.
    fn may_be_urgent(&self, id: EdgeId) -> bool {
        let edge = self.edge(id);
        let has_partner = |edges: &[EdgeId]| {
            Meetings::processes(self.network, edges).any(|process| process != edge.process)
        };
        edge.sync.channels().iter().any(|&channel| {
            self.network.channels[channel.index()].urgent
                && match edge.sync {
                    Sync::Send(_) => {
                        self.is_broadcast(channel) || has_partner(self.meetings.receivers(channel))
                    }
                    Sync::Receive(_) => {
                        !self.is_broadcast(channel) && has_partner(self.meetings.senders(channel))
                    }
                    Sync::Internal | Sync::Join(_) => false,
                }
        })
    }
}

/// Whether an edge may make a clock negative, which is an error of the model.
fn may_lower_clocks(edge: &Edge) -> bool {
    edge.clock_effects.iter().any(|effect| match effect.value {
        ClockValue::Clock(_, low, _) | ClockValue::Constant(low, _) => low < 0,
    })
}
