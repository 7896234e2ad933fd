//! Splitting a system into parts that are small enough to be looked at one by one.
//!
//! Greedily (Kupferschmid 2009, Fig. 6.2): a part begins with a process that affects the goal, and takes in the one with the most synchronisations and
//! interactions with it, then the one that affects the most constraints of the goal, until it has b processes. *Affects* is transitive over assignments: a
//! process affects a condition if it writes a variable whose value may find its way into one that the condition reads.

use crate::Preparation;
use guidepost_abstraction::regression::{Kept, Value, simultaneous};
use guidepost_network::{ClockConstraint, ClockId, Code, Codes, Goal, Meetings, Network, Operand, ProcessId};
use std::collections::BTreeSet;

/// Microseconds to see what an edge reads and writes, or to follow all flows once, in a model with large arrays.
const EDGE: u32 = 1000;

/// The parts.
pub(super) struct Division {
    /// Processes, by part.
    pub(super) parts: Vec<Vec<usize>>,
    /// By process: its part, if it has one.
    pub(super) part_of: Vec<Option<usize>>,
}

/// Something that conditions read and updates write: a cell of the state, or a clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Symbol {
    Cell(usize),
    Clock(ClockId),
}

/// What the processes and the goals read and write.
pub(super) struct Interactions {
    /// By process: what its guards and invariants read.
    reads: Vec<BTreeSet<Symbol>>,
    /// By process: what it writes.
    writes: Vec<BTreeSet<Symbol>>,
    /// By process: what it writes, and what that may find its way into.
    affects: Vec<BTreeSet<Symbol>>,
    /// The pairs of processes that can synchronise.
    meet: BTreeSet<(ProcessId, ProcessId)>,
    /// By constraint of the goals: what it reads.
    wanted: Vec<BTreeSet<Symbol>>,
    /// By process: where what it assigns comes from: target, source.
    flows: Vec<BTreeSet<(Symbol, Symbol)>>,
}

fn read_by_codes<'c>(codes: Codes<'_>, read: impl Iterator<Item = &'c Code>) -> BTreeSet<Symbol> {
    read.flat_map(|&code| codes.cells_read(code)).map(Symbol::Cell).collect()
}

fn read_by_clocks(codes: Codes<'_>, constraints: &[ClockConstraint]) -> BTreeSet<Symbol> {
    let mut read = BTreeSet::new();
    for constraint in constraints {
        let clocks = [constraint.left, constraint.right];
        read.extend(clocks.into_iter().filter(|&clock| clock != ClockId::ZERO).map(Symbol::Clock));
        let bound = match &constraint.bound {
            Operand::Const(_) => None,
            Operand::Code(code, ..) => Some(code),
        };
        read.append(&mut read_by_codes(codes, constraint.condition.iter().chain(bound)));
    }
    read
}

impl Interactions {
    /// `None` when it takes too long to find out.
    pub(super) fn new(network: &Network, goals: &[Goal], preparation: &mut Preparation<'_>) -> Option<Self> {
        let processes = network.processes.len();
        let none = || vec![BTreeSet::new(); processes];
        let mut all = Self {
            reads: none(),
            writes: (0..processes).map(|process| BTreeSet::from([Symbol::Cell(process)])).collect(),
            affects: Vec::new(),
            meet: Meetings::new(network).pairs(network),
            wanted: Vec::new(),
            flows: vec![BTreeSet::new(); processes],
        };
        for location in &network.locations {
            let reads = &mut all.reads[location.process.index()];
            reads.append(&mut read_by_codes(network.program.codes(), location.data_invariant.iter()));
            reads.append(&mut read_by_clocks(network.program.codes(), &location.clock_invariant));
        }
        for edge in &network.edges {
            if preparation.is_due(EDGE) {
                return None;
            }
            all.add_edge(network, edge);
        }
        all.affects = all.closed(preparation)?;
        for goal in goals {
            let places =
                goal.locations.iter().map(|(process, _)| BTreeSet::from([Symbol::Cell(process.index())]));
            all.wanted.extend(places);
            let codes = goal.codes(&network.program);
            all.wanted.extend(goal.data.iter().map(|code| read_by_codes(codes, std::iter::once(code))));
            all.wanted
                .extend(goal.clocks.iter().map(|clock| read_by_clocks(codes, std::slice::from_ref(clock))));
        }
        Some(all)
    }

    fn add_edge(&mut self, network: &Network, edge: &guidepost_network::Edge) {
        let process = edge.process.index();
        self.reads[process].append(&mut read_by_codes(network.program.codes(), edge.data_guard.iter()));
        self.reads[process].append(&mut read_by_clocks(network.program.codes(), &edge.clock_guard));
        let clocks = edge.clock_effects.iter().map(|effect| Symbol::Clock(effect.clock));
        self.writes[process].extend(clocks);
        if let Some(code) = edge.update {
            let writes = network.program.writes(code);
            let cell =
                |variable: guidepost_network::VarId| Symbol::Cell(network.processes.len() + variable.index());
            self.writes[process].extend(writes.iter().copied().map(cell));
            if let Some(assignments) = simultaneous(network, code) {
                for (target, value) in assignments {
                    if let Value::Of(source, _) = value {
                        self.flows[process].insert((cell(target), cell(source)));
                    }
                }
            } else {
                let sources: Vec<usize> = network.program.codes().cells_read(code);
                for target in writes {
                    self.flows[process]
                        .extend(sources.iter().map(|&source| (cell(target), Symbol::Cell(source))));
                }
            }
        }
    }

    /// What every process writes, closed under all flows.
    fn closed(&self, preparation: &mut Preparation<'_>) -> Option<Vec<BTreeSet<Symbol>>> {
        let flows: BTreeSet<(Symbol, Symbol)> = self.flows.iter().flatten().copied().collect();
        let mut close = |writes: &BTreeSet<Symbol>| {
            let mut all = writes.clone();
            loop {
                if preparation.is_due(EDGE) {
                    return None;
                }
                let before = all.len();
                let reached = flows.iter().filter(|(_, source)| all.contains(source));
                let targets: Vec<Symbol> = reached.map(|&(target, _)| target).collect();
                all.extend(targets);
                if all.len() == before {
                    return Some(all);
                }
            }
        };
        self.writes.iter().map(&mut close).collect()
    }

    /// How many constraints of the goals a process affects.
    fn goals_affected(&self, process: usize) -> usize {
        self.wanted.iter().filter(|wanted| !wanted.is_disjoint(&self.affects[process])).count()
    }

    /// How many constraints of the goals look at what a process writes itself.
    fn goals_written(&self, process: usize) -> usize {
        self.wanted.iter().filter(|wanted| !wanted.is_disjoint(&self.writes[process])).count()
    }

    fn can_synchronise(&self, a: usize, b: usize) -> bool {
        self.meet.contains(&(ProcessId(a.min(b) as u32), ProcessId(a.max(b) as u32)))
    }

    fn interact(&self, a: usize, b: usize) -> bool {
        !self.affects[a].is_disjoint(&self.reads[b]) || !self.affects[b].is_disjoint(&self.reads[a])
    }

    /// Splits the system into parts of at most this many processes. Processes that do not affect the goals remain without one.
    pub(super) fn split(&self, bound: usize) -> Division {
        let processes = self.reads.len();
        let mut part_of: Vec<Option<usize>> = vec![None; processes];
        let mut parts: Vec<Vec<usize>> = Vec::new();
        loop {
            let free = (0..processes).filter(|&process| part_of[process].is_none());
            let affecting = free.filter(|&process| self.goals_affected(process) > 0);
            let rank = |&process: &usize| (self.goals_written(process), std::cmp::Reverse(process));
            let Some(seed) = affecting.max_by_key(rank) else { break };
            let mut part = vec![seed];
            part_of[seed] = Some(parts.len());
            while part.len() < bound {
                let near = |process: usize| {
                    let meets = part.iter().filter(|&&own| self.can_synchronise(process, own)).count();
                    let touches = part.iter().filter(|&&own| self.interact(process, own)).count();
                    meets + touches
                };
                let rank = |&process: &usize| {
                    (near(process), self.goals_affected(process), std::cmp::Reverse(process))
                };
                let free = (0..processes).filter(|&process| part_of[process].is_none());
                let Some(next) = free.max_by_key(rank) else { break };
                part_of[next] = Some(parts.len());
                part.push(next);
            }
            part.sort_unstable();
            parts.push(part);
        }
        Division { parts, part_of }
    }

    /// What a part keeps: the locations of its processes; the variables and clocks that their guards and invariants read, and the goals', if they write them;
    /// and what is assigned to any of these.
    pub(super) fn symbols(&self, network: &Network, part: &[usize]) -> Kept {
        let mut kept: BTreeSet<Symbol> =
            part.iter().flat_map(|&process| &self.reads[process]).copied().collect();
        let written: BTreeSet<Symbol> =
            part.iter().flat_map(|&process| &self.writes[process]).copied().collect();
        kept.extend(self.wanted.iter().flatten().filter(|symbol| written.contains(symbol)).copied());
        let flows: Vec<(Symbol, Symbol)> =
            part.iter().flat_map(|&process| &self.flows[process]).copied().collect();
        loop {
            let before = kept.len();
            let sources: Vec<Symbol> =
                flows.iter().filter(|(target, _)| kept.contains(target)).map(|&(_, source)| source).collect();
            kept.extend(sources);
            if kept.len() == before {
                break;
            }
        }
        let is_variable = |index: usize| kept.contains(&Symbol::Cell(network.processes.len() + index));
        Kept::new(network, part, is_variable, |clock| kept.contains(&Symbol::Clock(clock)))
    }
}
