//! `hlx`: the layers of `hl`, with clocks split over locations.
//!
//! As in `hl` nothing is given up, but every location carries a zone: the convex hull of the clock values with which it may be occupied. An edge is possible only
//! if some of them satisfy its clock guard and lead into the invariant of its target. In words: X(l) contains the clocks of every state that so many steps
//! can reach with its process in l. What keeps that true from layer to layer:
//!
//! - an edge l → l' adds up(reset(X(l) ∧ guard)) ∧ I(l') to X(l'); clocks that somebody else in the same transition may write have any value then, since
//!   the invariant is asked for when all of them have moved;
//! - a reset by one process is felt by all others: every zone is joined with itself after each reset of the layer, which also covers several resets in
//!   one transition, since the joins follow one another;
//! - every zone is closed under delay up to its own invariant, since the invariants of the others may cease to hold it back.
//!
//! Zones are widened to the largest constants, so that they cannot grow for ever. A goal holds when the zones of its locations and its clock constraints have
//! a point in common. Barely better informed than `hl` and much slower (Kupferschmid 2009, ch. 5.5, found the same): no allocation is avoided here and no
//! layer is kept. Copies of clocks count as "any value"; with stop-watches all zones are everything.

use super::effects::Effect;
use super::growth::{COMBINATIONS, EVALUATION, UNTOUCHED};
use super::synchronisation::Meeting;
use super::task::{NEVER, Task};
use crate::{Deadline, Estimate, Heuristic};
use guidepost_explore::SymbolicState;
use guidepost_network::{
    ChannelId, ClockConstraint, ClockEffect, ClockId, ClockOp, ClockValue, Edge, Goal, Machine, Meetings,
    Network, Operand, Sync,
};
use guidepost_zones::{Bound, FREE, Zone};

/// Entries of a zone that are worked on in a microsecond, over all steps of an operation.
const ENTRIES_PER_WORK: u32 = 4;
/// Edges that are looked at in a microsecond.
const EDGES_PER_WORK: u32 = 64;

/// `hlx`
pub(crate) struct ClockLayers<'n> {
    network: &'n Network,
    goals: Vec<Goal>,
    task: Task,
    machine: Machine<'n>,
    /// By clock: the largest constant it is compared with.
    maxima: Vec<i32>,
    /// By edge: whether its update reads what a partner may just have written.
    is_handed: Vec<bool>,
    /// By edge: the clocks that somebody else in the same transition may write.
    shared: Vec<Vec<ClockId>>,
    deadline: Deadline,
}

/// Everything reached so far.
#[derive(Clone, PartialEq)]
struct Reached {
    facts: Vec<bool>,
    /// By location.
    zones: Vec<Option<Zone>>,
}

impl<'n> ClockLayers<'n> {
    pub(crate) fn new(network: &'n Network, goals: &[Goal], mut deadline: Deadline) -> Self {
        let task = Task::new(network, goals, &mut deadline);
        let is_handed = super::synchronisation::handed_over(network, &mut deadline)
            .iter()
            .map(|list| !list.is_empty())
            .collect();
        let maxima = maxima(network, goals);
        let meetings = Meetings::new(network);
        Self {
            network,
            goals: goals.to_vec(),
            task,
            machine: Machine::for_goals(&network.program, goals),
            maxima,
            is_handed,
            shared: network
                .edges
                .iter()
                .map(|edge| {
                    let is_due = deadline.is_due(1 + network.edges.len() as u32 / EDGES_PER_WORK);
                    if is_due { Vec::new() } else { clocks_of_partners(network, &meetings, edge) }
                })
                .collect(),
            deadline,
        }
    }

    /// How long an operation on a zone takes, in microseconds.
    fn work_with_a_zone(&self) -> u32 {
        let clocks = self.network.clocks.len() as u32;
        1 + clocks.saturating_mul(clocks) / ENTRIES_PER_WORK
    }

    fn start(&mut self, state: &SymbolicState) -> Reached {
        let domains = &self.task.domains;
        let mut facts = vec![false; domains.facts()];
        for (cell, &value) in state.cells.iter().enumerate() {
            let fact = domains.fact(cell, value).unwrap_or_else(|| domains.any(cell));
            facts[fact as usize] = true;
        }
        let clocks = self.network.clocks.len();
        let sources: Vec<usize> =
            (0..clocks as u32).map(|clock| state.place(ClockId(clock)).unwrap_or(FREE)).collect();
        let mut zone = Zone::universe(clocks);
        if !self.network.features.stopwatches {
            state.zone.gather(&sources, &mut zone);
        }
        let mut zones = vec![None; self.network.locations.len()];
        let work = self.work_with_a_zone();
        for process in 0..self.network.processes.len() {
            if self.deadline.is_due(work) {
                break;
            }
            let at = state.cells[process] as usize;
            zones[at] = self.settled(at, zone.clone());
        }
        Reached { facts, zones }
    }

    /// The zone after any delay that the location allows, widened; `None` if nothing is left.
    fn settled(&self, location: usize, mut zone: Zone) -> Option<Zone> {
        let invariant = &self.network.locations[location].clock_invariant;
        if !constrain(&mut zone, invariant) {
            return None;
        }
        zone.up();
        if !constrain(&mut zone, invariant) {
            return None;
        }
        zone.extrapolate_m(&self.maxima);
        Some(zone)
    }

    fn grow(&mut self, reached: &Reached) -> Reached {
        let satisfied = self.satisfied(reached);
        let mut deadline = std::mem::take(&mut self.deadline);
        let work = self.work_with_a_zone();
        let mut next = reached.clone();
        let holds = |&condition: &u32| satisfied[condition as usize];
        let mut enter = |edge: usize| {
            let is_enabled =
                self.task.needs[edge] != NEVER && self.task.conditions_of.row(edge).iter().all(holds);
            if is_enabled && !deadline.is_due(work) { self.entered(edge, reached) } else { None }
        };
        let mut entered: Vec<Option<Zone>> = (0..self.task.edges).map(&mut enter).collect();
        let taken: Vec<usize> = (0..self.task.edges).filter(|&edge| self.is_taken(edge, &entered)).collect();
        for &edge in &taken {
            let target = self.network.edges[edge].target.index();
            let Some(zone) = entered[edge].take() else { continue };
            join(&mut next.zones[target], &zone);
            let (process, location) = (self.network.edges[edge].process.index(), target as i32);
            if let Some(fact) = self.task.domains.fact(process, location) {
                next.facts[fact as usize] = true;
            }
        }
        self.feel_resets(&taken, &mut next, &mut deadline);
        self.deadline = deadline;
        for &edge in &taken {
            self.update(edge, &reached.facts, &mut next.facts);
        }
        let handed: Vec<usize> = taken.into_iter().filter(|&edge| self.is_handed[edge]).collect();
        while !handed.is_empty() && !self.deadline.is_due(1) {
            let before = next.facts.clone();
            for &edge in &handed {
                self.update(edge, &before, &mut next.facts);
            }
            if next.facts == before {
                break;
            }
        }
        next
    }

    /// The clocks with which an edge enters its target.
    fn entered(&self, edge: usize, reached: &Reached) -> Option<Zone> {
        let data = &self.network.edges[edge];
        let mut zone = reached.zones[data.source.index()].clone()?;
        if !constrain(&mut zone, &data.clock_guard) {
            return None;
        }
        // Some hooks come before the update and some after it; all of them count as possible on both sides.
        let hooks = || self.network.hook_effects.iter().map(|effect| (effect, false));
        let own = data.clock_effects.iter().map(|effect| (effect, effect.always));
        for (effect, is_certain) in hooks().chain(own).chain(hooks()) {
            let mut reset = zone.clone();
            write(&mut reset, effect);
            if !is_certain {
                reset.convex_hull(&zone);
            }
            zone = reset;
        }
        for clock in &self.shared[edge] {
            zone.free(clock.index());
        }
        self.settled(data.target.index(), zone)
    }

    /// Whether an edge that is possible by itself has somebody to move with.
    fn is_taken(&self, edge: usize, entered: &[Option<Zone>]) -> bool {
        if entered[edge].is_none() {
            return false;
        }
        let process = |edge: u32| self.task.processes[edge as usize];
        match self.task.meetings[edge] {
            Meeting::Alone => true,
            Meeting::Partner => {
                let (first, end) = self.task.ports_of[edge];
                let own = &self.task.ports[first as usize..end as usize];
                self.task.ports.iter().any(|other| {
                    entered[other.edge as usize].is_some()
                        && process(other.edge) != process(edge as u32)
                        && own.iter().any(|port| port.channel == other.channel && port.sends != other.sends)
                })
            }
            Meeting::Vector(vector) => self.task.is_strong[vector as usize].iter().all(|&strong| {
                (0..self.task.edges as u32).any(|other| {
                    entered[other as usize].is_some()
                        && process(other) == strong
                        && self.task.meetings[other as usize] == Meeting::Vector(vector)
                })
            }),
        }
    }

    /// The resets of a layer, as the other processes feel them.
    fn feel_resets(&self, taken: &[usize], next: &mut Reached, deadline: &mut Deadline) {
        let of_edges = taken.iter().flat_map(|&edge| &self.network.edges[edge].clock_effects);
        let hooks = if taken.is_empty() { &[][..] } else { &self.network.hook_effects[..] };
        let mut effects: Vec<ClockEffect> = of_edges.chain(hooks).copied().collect();
        effects.sort_by_key(|effect| (effect.clock, format!("{:?}", effect.value)));
        effects.dedup_by_key(|effect| (effect.clock, effect.value));
        for location in 0..next.zones.len() {
            let Some(mut zone) = next.zones[location].take() else { continue };
            for effect in &effects {
                if deadline.is_due(self.work_with_a_zone()) {
                    return;
                }
                let mut reset = zone.clone();
                write(&mut reset, effect);
                zone.convex_hull(&reset);
            }
            next.zones[location] = self.settled(location, zone.clone()).map(|mut settled| {
                settled.convex_hull(&zone);
                settled
            });
        }
    }

    /// Which conditions hold for some combination of values.
    fn satisfied(&mut self, reached: &Reached) -> Vec<bool> {
        let mut satisfied = vec![false; self.task.tabulated + self.task.compounds.len()];
        for fact in (0..reached.facts.len()).filter(|&fact| reached.facts[fact]) {
            for &condition in self.task.satisfies.row(fact) {
                satisfied[condition as usize] = true;
            }
        }
        for index in 0..self.task.compounds.len() {
            let compound = self.task.compounds[index].clone();
            satisfied[self.task.tabulated + index] =
                match self.combinations(&compound.operands, &reached.facts) {
                    None => true,
                    Some(all) => all.iter().any(|values| {
                        self.load(&compound.operands, values);
                        matches!(self.machine.eval(compound.code), Ok(value) if value != 0)
                            || self.deadline.is_due(EVALUATION)
                    }),
                };
        }
        satisfied
    }

    fn load(&mut self, cells: &[usize], values: &[i32]) {
        for (&cell, &value) in cells.iter().zip(values) {
            self.machine.state_mut()[cell] = value;
        }
    }

    /// All combinations of values; `None` when there are too many or a cell may have any value.
    fn combinations(&self, cells: &[usize], facts: &[bool]) -> Option<Vec<Vec<i32>>> {
        let domains = &self.task.domains;
        let mut all: Vec<Vec<i32>> = vec![Vec::new()];
        for &cell in cells {
            if facts[domains.any(cell) as usize] {
                return None;
            }
            let values = (domains.first(cell)..domains.any(cell)).filter(|&fact| facts[fact as usize]);
            let values: Vec<i32> = values.map(|fact| domains.value(fact)).collect();
            if all.len() * values.len() > COMBINATIONS {
                return None;
            }
            let extend = |partial: &Vec<i32>| {
                let with = |&value: &i32| partial.iter().copied().chain([value]).collect();
                values.iter().map(with).collect::<Vec<Vec<i32>>>()
            };
            all = all.iter().flat_map(extend).collect();
        }
        Some(all)
    }

    /// What the update of an edge makes of some facts.
    fn update(&mut self, edge: usize, facts: &[bool], next: &mut [bool]) {
        let (first, end) = self.task.effects_of[edge];
        for effect in first as usize..end as usize {
            match self.task.effects[effect].clone() {
                Effect::Fact(fact) => next[fact as usize] = true,
                Effect::Shift { source, target, by } => {
                    let domains = &self.task.domains;
                    match self.combinations(&[source], facts) {
                        None => next[domains.any(target) as usize] = true,
                        Some(values) => {
                            for value in values {
                                let made = value[0].wrapping_add(by);
                                if let Some(fact) = domains.fact(target, made) {
                                    next[fact as usize] = true;
                                }
                            }
                        }
                    }
                }
                Effect::Program { program } => {
                    if self.task.programs[program].first_effect == effect {
                        self.run(program, facts, next);
                    }
                }
            }
        }
    }

    fn run(&mut self, program: usize, facts: &[bool], next: &mut [bool]) {
        let program = self.task.programs[program].clone();
        let Some(all) = self.combinations(&program.operands, facts) else {
            for &target in &program.targets {
                next[self.task.domains.any(target) as usize] = true;
            }
            return;
        };
        let mut operations: Vec<ClockOp> = Vec::new();
        for values in all {
            if self.deadline.is_due(EVALUATION) {
                return;
            }
            for &target in &program.targets {
                self.machine.state_mut()[target] = UNTOUCHED;
            }
            self.load(&program.operands, &values);
            operations.clear();
            if self.machine.run_update(program.code, &mut operations).is_err() {
                continue;
            }
            for &target in &program.targets {
                let value = self.machine.state()[target];
                if let Some(fact) = self.task.domains.fact(target, value) {
                    next[fact as usize] = true;
                }
            }
        }
    }

    fn is_goal(&mut self, reached: &Reached) -> bool {
        let satisfied = self.satisfied(reached);
        (0..self.goals.len()).any(|index| {
            let operator = self.task.edges + index;
            self.task.needs[operator] != NEVER
                && self
                    .task
                    .conditions_of
                    .row(operator)
                    .iter()
                    .all(|&condition| satisfied[condition as usize])
                && self.clocks_agree(&self.goals[index], reached)
        })
    }

    /// Whether the goal's locations can be occupied at the same time as far as clocks go, with the goal's own constraints.
    fn clocks_agree(&self, goal: &Goal, reached: &Reached) -> bool {
        let mut common = Zone::universe(self.network.clocks.len());
        if !constrain(&mut common, &goal.clocks) {
            return false;
        }
        for (_, locations) in &goal.locations {
            let mut hull: Option<Zone> = None;
            for zone in locations.iter().filter_map(|location| reached.zones[location.index()].as_ref()) {
                join(&mut hull, zone);
            }
            match hull {
                Some(hull) if common.intersects(&hull) => {
                    common.intersect(&hull);
                }
                _ => return false,
            }
        }
        true
    }
}

impl Heuristic for ClockLayers<'_> {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        if self.deadline.is_due(1) {
            return Estimate::ZERO;
        }
        let mut reached = self.start(state);
        for layer in 0.. {
            let is_goal = self.is_goal(&reached);
            if self.deadline.is_due(1) {
                return Estimate::ZERO;
            }
            if is_goal {
                return Estimate::steps(layer);
            }
            let next = self.grow(&reached);
            if self.deadline.is_due(1) {
                return Estimate::ZERO;
            }
            if next == reached {
                break;
            }
            reached = next;
        }
        Estimate::DEAD_END
    }

    fn is_discrete(&self) -> bool {
        false
    }
}

/// The clocks written by edges that may be taken together with an edge.
fn clocks_of_partners(network: &Network, meetings: &Meetings, edge: &Edge) -> Vec<ClockId> {
    let joiners = match edge.sync {
        Sync::Join(vector) => meetings.joiners(vector as usize),
        _ => &[],
    };
    let on = |channel: &ChannelId| meetings.senders(*channel).iter().chain(meetings.receivers(*channel));
    let together = joiners.iter().chain(edge.sync.channels().iter().flat_map(on));
    let others = together.map(|id| &network.edges[id.index()]).filter(|other| other.process != edge.process);
    let mut clocks: Vec<ClockId> =
        others.flat_map(|other| other.clock_effects.iter().map(|effect| effect.clock)).collect();
    clocks.sort_unstable();
    clocks.dedup();
    clocks
}

/// Restricts a zone by constraints; those that depend on the state count with the weakest bound they can have.
fn constrain(zone: &mut Zone, constraints: &[ClockConstraint]) -> bool {
    constraints.iter().filter(|constraint| constraint.condition.is_none()).all(|constraint| {
        let value = match constraint.bound {
            Operand::Const(value) | Operand::Code(_, _, value) => value,
        };
        let bound = if constraint.strict { Bound::lt(value) } else { Bound::le(value) };
        zone.constrain(constraint.left.index(), constraint.right.index(), bound)
    })
}

/// What an effect does to a clock when it happens.
fn write(zone: &mut Zone, effect: &ClockEffect) {
    let clock = effect.clock.index();
    match effect.value {
        ClockValue::Constant(low, high) if low == high && low >= 0 => zone.reset(clock, low),
        ClockValue::Constant(..) | ClockValue::Clock(..) => zone.free(clock),
    }
}

fn join(zone: &mut Option<Zone>, other: &Zone) {
    match zone {
        None => *zone = Some(other.clone()),
        Some(zone) => zone.convex_hull(other),
    }
}

/// The largest constant that each clock is compared with.
fn maxima(network: &Network, goals: &[Goal]) -> Vec<i32> {
    let mut maxima = vec![0; network.clocks.len()];
    let guards = network.edges.iter().flat_map(|edge| &edge.clock_guard);
    let invariants = network.locations.iter().flat_map(|location| &location.clock_invariant);
    let wanted = goals.iter().flat_map(|goal| &goal.clocks);
    for constraint in guards.chain(invariants).chain(wanted) {
        let size = match constraint.bound {
            Operand::Const(value) => value.saturating_abs(),
            Operand::Code(_, low, high) => low.saturating_abs().max(high.saturating_abs()),
        };
        for clock in [constraint.left, constraint.right] {
            if clock != ClockId::ZERO {
                maxima[clock.index()] = maxima[clock.index()].max(size);
            }
        }
    }
    maxima
}
