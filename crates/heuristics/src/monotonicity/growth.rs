//! Growing the sets, layer by layer.

mod combinations;
mod taking;

use super::effects::Effect;
use super::synchronisation::Meeting;
use super::task::{NEVER, Task};
use crate::{Deadline, EdgeMask, Estimate};
use guidepost_network::{ClockOp, Goal, Machine, Network};

/// So many combinations of values are tried for one condition or update.
pub(super) const COMBINATIONS: usize = 4096;
/// A cell with this many values (and more to come) may have any.
pub(super) const VALUES: u32 = 1024;

pub(super) const NONE: u32 = u32::MAX;
/// What a cell holds that the update under evaluation may write and does not read.
pub(super) const UNTOUCHED: i32 = i32::MIN;

/// Evaluating code may take much longer than a microsecond, so the clock is looked at every few times.
pub(super) const EVALUATION: u32 = 64;
/// Facts processed in a microsecond, at least.
const FACTS_PER_WORK: u32 = 8;

/// Trying combinations for one condition or update may take so many instructions, and operands looked up, in one growth.
const TRIAL: u32 = 1 << 15;
/// And for all of them together.
const TRIALS: u64 = 1 << 19;
/// Conclusions from a fact take at least as long as looking at so many entries of a table.
const FACT: u64 = 4;
/// Entries that are filled in the time that looking at one takes.
const FILLED_AT_ONCE: usize = 8;
/// What an entry of a table and an instruction of the machine count for, in tenths of a unit of effort.
const TOUCH: u64 = 4;
const INSTRUCTION: u64 = 3;
const TENTHS: u64 = 10;

/// How growing ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grown {
    /// The goal of an operator holds in a layer.
    Goal { operator: u32, layer: u32 },
    /// Nothing grows any more.
    Fixpoint,
    /// The goal is not reached within the bound.
    Beyond(u32),
    /// The deadline has come, or it took more effort than allowed: nothing is known.
    Stopped,
}

impl Grown {
    pub(super) fn layers(self) -> Estimate {
        match self {
            Grown::Goal { layer, .. } => Estimate::steps(layer),
            Grown::Fixpoint => Estimate::DEAD_END,
            Grown::Beyond(bound) => Estimate::steps(bound.saturating_add(1)),
            Grown::Stopped => Estimate::ZERO,
        }
    }
}

/// How far an edge has got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Its own conditions do not hold yet.
    Blocked,
    /// They hold, but nobody moves with it yet.
    Waiting,
    /// It has been taken.
    Taken,
}

/// Work space, and what the last growth found.
pub(super) struct Growth<'n> {
    machine: Machine<'n>,
    /// By fact: the layer in which it appeared, or [`NONE`].
    layers: Vec<u32>,
    /// By fact: the effect that made it, or [`NONE`] when it held from the start.
    makers: Vec<u32>,
    /// By fact: where the operands are that its maker used (updates that are run).
    evidence: Vec<u32>,
    /// By operator: conditions still missing.
    missing: Vec<u16>,
    /// By condition: the fact that satisfied it, or where the facts are (compounds), or [`NONE`].
    satisfied: Vec<u32>,
    stages: Vec<Stage>,
    /// By edge: the layer in which its own conditions held.
    ready_at: Vec<u32>,
    current: Vec<u32>,
    next: Vec<u32>,
    seen: Vec<u32>,
    enabled: Vec<u32>,
    layer: u32,
    goal: Option<u32>,
    /// Operands of compound conditions and updates, as facts.
    pool: Vec<u32>,
    /// By fact slot of a cell: its values so far, those processed.
    values: Vec<i32>,
    counts: Vec<u32>,
    /// By port: the next one at the same channel and side.
    next_port: Vec<u32>,
    /// By channel and side: ready ports, first and last; and ports that wait for a partner.
    ready: Vec<(u32, u32)>,
    next_waiting: Vec<u32>,
    waiting: Vec<u32>,
    /// By vector: participants that are not ready.
    absent: Vec<u32>,
    /// By vector and participant: the first ready edge.
    joined: Vec<Vec<u32>>,
    /// By vector: edges that wait.
    joiners: Vec<Vec<u32>>,
    odometer: Vec<u32>,
    /// Clock operations of updates; of no interest here.
    operations: Vec<ClockOp>,
    no_edges: EdgeMask,
    /// By edge: how late its conditions came to hold, added up.
    difficulties: Vec<u32>,
    /// By fact: the difficulty of the transition that made it; of several in one layer, the easiest counts.
    made_by: Vec<u32>,
    /// The difficulty of the transition that is being taken.
    difficulty: u32,
    /// By compound condition, then by program: what trying combinations has cost since the growth began.
    tried: Vec<u32>,
    tried_in_all: u64,
    /// By program: the layer from which on all that it writes may have any value, whatever else its operands may be; [`NONE`]: not yet.
    vague_from: Vec<u32>,
    /// The growth has run into the deadline, or has taken more effort than allowed.
    is_stopped: bool,
    /// Entries of tables looked at in all.
    touched: u64,
    /// No growth goes on when the effort of all of them has come to this.
    patience: u64,
    deadline: Deadline,
}

impl<'n> Growth<'n> {
    pub(super) fn new(network: &'n Network, goals: &[Goal], task: &Task, deadline: Deadline) -> Self {
        let facts = task.domains.facts();
        Self {
            machine: Machine::for_goals(&network.program, goals),
            layers: vec![NONE; facts],
            makers: vec![0; facts],
            evidence: vec![0; facts],
            missing: task.needs.clone(),
            satisfied: vec![NONE; task.tabulated + task.compounds.len()],
            stages: vec![Stage::Blocked; task.edges],
            ready_at: vec![NONE; task.edges],
            current: Vec::with_capacity(256),
            next: Vec::with_capacity(256),
            seen: Vec::with_capacity(256),
            enabled: Vec::with_capacity(task.needs.len()),
            layer: 0,
            goal: None,
            pool: Vec::with_capacity(1024),
            values: vec![0; facts],
            counts: vec![0; task.domains.cells()],
            next_port: vec![NONE; task.ports.len()],
            ready: vec![(NONE, NONE); 2 * task.channels],
            next_waiting: vec![NONE; task.ports.len()],
            waiting: vec![NONE; 2 * task.channels],
            absent: task.strong.clone(),
            joined: task.is_strong.iter().map(|strong| vec![NONE; strong.len()]).collect(),
            joiners: vec![Vec::new(); task.strong.len()],
            odometer: Vec::with_capacity(16),
            operations: Vec::new(),
            no_edges: EdgeMask::new(task.edges),
            tried: vec![0; task.compounds.len() + task.programs.len()],
            tried_in_all: 0,
            vague_from: vec![NONE; task.programs.len()],
            is_stopped: false,
            touched: 0,
            patience: u64::MAX,
            deadline,
            difficulties: vec![0; task.edges],
            made_by: vec![0; facts],
            difficulty: 0,
        }
    }

    /// Grows from a state until a goal holds, nothing grows, or there are more layers than the bound.
    pub(super) fn run(
        &mut self,
        task: &Task,
        cells: &[i32],
        without: Option<&EdgeMask>,
        bound: u32,
    ) -> Grown {
        if self.deadline.is_due(1) {
            return Grown::Stopped;
        }
        self.reset(task);
        let no_edges = std::mem::take(&mut self.no_edges);
        let grown = self.grow(task, cells, without.unwrap_or(&no_edges), bound);
        self.no_edges = no_edges;
        grown
    }

    /// What comes of a growth that may take so much effort; `None` when it was not enough.
    pub(super) fn patiently<T>(&mut self, effort: u64, grow: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.patience = self.effort().saturating_add(effort);
        let grown = grow(self);
        let is_enough = self.effort() < self.patience;
        self.patience = u64::MAX;
        is_enough.then_some(grown)
    }

    /// Whether to stop, after some more evaluations.
    fn is_due(&mut self, evaluations: u32) -> bool {
        self.is_stopped |= self.deadline.is_due(evaluations * EVALUATION) || self.effort() >= self.patience;
        self.is_stopped
    }

    fn reset(&mut self, task: &Task) {
        for &fact in &self.seen {
            self.layers[fact as usize] = NONE;
        }
        self.seen.clear();
        self.current.clear();
        self.next.clear();
        self.enabled.clear();
        self.pool.clear();
        self.missing.copy_from_slice(&task.needs);
        self.satisfied.fill(NONE);
        self.stages.fill(Stage::Blocked);
        self.counts.fill(0);
        self.ready.fill((NONE, NONE));
        self.waiting.fill(NONE);
        self.absent.copy_from_slice(&task.strong);
        for joined in &mut self.joined {
            joined.fill(NONE);
        }
        for joiners in &mut self.joiners {
            joiners.clear();
        }
        self.tried.fill(0);
        self.tried_in_all = 0;
        self.vague_from.fill(NONE);
        self.is_stopped = false;
        self.goal = None;
        self.layer = 0;
        let tables = self.missing.len() + self.satisfied.len() + self.stages.len() + self.counts.len();
        self.touched += (tables / FILLED_AT_ONCE + self.joined.len()) as u64;
    }

    fn grow(&mut self, task: &Task, cells: &[i32], without: &EdgeMask, bound: u32) -> Grown {
        for operator in 0..task.needs.len() as u32 {
            if task.needs[operator as usize] == 0 {
                self.enable(task, operator);
            }
        }
        for (cell, &value) in cells.iter().enumerate() {
            let fact = task.domains.fact(cell, value).unwrap_or_else(|| task.domains.any(cell));
            self.add_now(fact, NONE, NONE);
        }
        loop {
            let mut position = 0;
            while position < self.current.len() && self.goal.is_none() && !self.is_stopped {
                let fact = self.current[position];
                position += 1;
                // A fact may have moved to an earlier layer since it was put here.
                if self.layers[fact as usize] == self.layer {
                    self.process(task, fact);
                }
            }
            let is_due = self.deadline.is_due(position as u32 / FACTS_PER_WORK);
            if is_due || self.is_stopped || self.effort() >= self.patience {
                return Grown::Stopped;
            }
            debug_assert!(self.layer <= bound, "layers beyond the bound are not looked at");
            if let Some(operator) = self.goal {
                return Grown::Goal { operator, layer: self.layer };
            }
            if self.layer >= bound {
                return Grown::Beyond(bound);
            }
            self.take_enabled(task, without);
            std::mem::swap(&mut self.current, &mut self.next);
            self.next.clear();
            if self.current.is_empty() {
                return Grown::Fixpoint;
            }
            self.layer += 1;
        }
    }

    /// An operator's last condition holds.
    #[inline]
    fn enable(&mut self, task: &Task, operator: u32) {
        if (operator as usize) < task.edges {
            self.enabled.push(operator);
        } else if self.goal.is_none() {
            self.goal = Some(operator);
        }
    }

    /// A fact of the next layer; says whether it is new, or this is an easier way to make it.
    #[inline]
    fn add_next(&mut self, fact: u32, maker: u32, evidence: u32) -> bool {
        let at = self.layers[fact as usize];
        if at == NONE {
            self.layers[fact as usize] = self.layer + 1;
            self.seen.push(fact);
            self.next.push(fact);
        } else if at != self.layer + 1 || self.difficulty >= self.made_by[fact as usize] {
            return false;
        }
        self.record(fact, maker, evidence);
        true
    }

    /// A fact of this layer; says whether that is news.
    fn add_now(&mut self, fact: u32, maker: u32, evidence: u32) -> bool {
        let at = self.layers[fact as usize];
        if at <= self.layer {
            return false;
        }
        if at == NONE {
            self.seen.push(fact);
        }
        debug_assert!(at == NONE || at == self.layer + 1, "facts move forward by one layer at most");
        self.layers[fact as usize] = self.layer;
        self.current.push(fact);
        self.record(fact, maker, evidence);
        true
    }

    fn record(&mut self, fact: u32, maker: u32, evidence: u32) {
        self.makers[fact as usize] = maker;
        self.evidence[fact as usize] = evidence;
        self.made_by[fact as usize] = self.difficulty;
    }

    fn add(&mut self, fact: u32, maker: u32, evidence: u32, now: bool) -> bool {
        if now { self.add_now(fact, maker, evidence) } else { self.add_next(fact, maker, evidence) }
    }

    /// Draws the conclusions from a fact.
    #[inline]
    fn process(&mut self, task: &Task, fact: u32) {
        let satisfied = task.satisfies.row(fact as usize);
        self.touched += FACT + satisfied.len() as u64;
        for &condition in satisfied {
            if self.satisfied[condition as usize] == NONE {
                self.satisfied[condition as usize] = fact;
                self.count_down(task, condition);
            }
        }
        let cell = task.domains.cell(fact);
        if task.is_operand[cell] {
            self.process_operand(task, cell, fact);
        }
    }

    #[inline]
    fn count_down(&mut self, task: &Task, condition: u32) {
        let waiting = task.waiting.row(condition as usize);
        self.touched += waiting.len() as u64;
        for &operator in waiting {
            let missing = &mut self.missing[operator as usize];
            if *missing != NEVER {
                *missing -= 1;
                if *missing == 0 {
                    self.enable(task, operator);
                }
            }
        }
    }

    /// A fact about a cell that compound conditions or effects read.
    fn process_operand(&mut self, task: &Task, cell: usize, fact: u32) {
        let is_any = fact == task.domains.any(cell);
        if !is_any {
            let count = self.counts[cell];
            self.values[task.domains.first(cell) as usize + count as usize] = task.domains.value(fact);
            self.counts[cell] = count + 1;
            if count + 1 == VALUES && task.domains.size(cell) > VALUES as usize {
                self.add_now(
                    task.domains.any(cell),
                    self.makers[fact as usize],
                    self.evidence[fact as usize],
                );
            }
        }
        self.touched += (task.compounds_on.row(cell).len() + task.uses.row(cell).len()) as u64;
        for &(index, place) in task.compounds_on.row(cell) {
            if self.satisfied[task.tabulated + index as usize] == NONE {
                self.try_compound(task, index as usize, place as usize, fact, is_any);
            }
        }
        for used in task.uses.row(cell) {
            let edge = task.edge_of[used.effect as usize];
            if self.stages[edge as usize] != Stage::Taken {
                continue;
            }
            // Nothing that was made before is replaced.
            self.difficulty = u32::MAX;
            match task.effects[used.effect as usize] {
                Effect::Fact(_) => {}
                Effect::Shift { target, by, .. } => {
                    self.shift(task, used.effect, target, by, fact, used.at_once);
                }
                Effect::Program { program, .. } => {
                    self.run_program(task, program, Some((used.place as usize, fact)), used.at_once);
                }
            }
        }
    }

    fn shift(&mut self, task: &Task, effect: u32, target: usize, by: i32, from: u32, now: bool) {
        let made = if from == task.domains.any(task.domains.cell(from)) {
            Some(task.domains.any(target))
        } else {
            task.domains.fact(target, task.domains.value(from).wrapping_add(by))
        };
        if let Some(made) = made {
            self.add(made, effect, from, now);
        }
    }

    /// Whether a cell may have any value by now.
    fn is_any(&self, task: &Task, cell: usize) -> bool {
        self.layers[task.domains.any(cell) as usize] <= self.layer
    }

    /// Work so far, in the units of [`Heuristic::effort`](crate::Heuristic::effort).
    #[inline]
    pub(super) fn effort(&self) -> u64 {
        (self.touched * TOUCH + self.machine.executed() * INSTRUCTION) / TENTHS
    }

    /// Counts what others do with the layers.
    pub(super) fn count(&mut self, touched: u64) {
        self.touched += touched;
    }

    /// The layer in which a fact appeared.
    pub(super) fn layer(&self, fact: u32) -> u32 {
        self.layers[fact as usize]
    }

    /// The effect that made a fact; `None` when it held from the start.
    pub(super) fn maker(&self, fact: u32) -> Option<u32> {
        let maker = self.makers[fact as usize];
        (maker != NONE).then_some(maker)
    }

    /// The operands with which a fact was made.
    pub(super) fn operands<'g>(&'g self, task: &Task, fact: u32, effect: u32) -> &'g [u32] {
        match &task.effects[effect as usize] {
            Effect::Fact(_) => &[],
            Effect::Shift { .. } => std::slice::from_ref(&self.evidence[fact as usize]),
            Effect::Program { program, .. } => {
                let start = self.evidence[fact as usize] as usize;
                &self.pool[start..start + task.programs[*program].operands.len()]
            }
        }
    }

    /// The facts that satisfied a condition.
    pub(super) fn reasons<'g>(&'g self, task: &Task, condition: u32) -> &'g [u32] {
        let satisfied = &self.satisfied[condition as usize];
        debug_assert_ne!(*satisfied, NONE, "only conditions that hold are asked about");
        match (condition as usize).checked_sub(task.tabulated) {
            None => std::slice::from_ref(satisfied),
            Some(compound) => {
                let start = *satisfied as usize;
                &self.pool[start..start + task.compounds[compound].operands.len()]
            }
        }
    }

    /// The edges that an edge could be taken with before a layer.
    pub(super) fn partners<'g>(
        &'g self,
        task: &'g Task,
        edge: u32,
        layer: u32,
    ) -> impl Iterator<Item = u32> + 'g {
        let (first, end) = task.ports_of[edge as usize];
        let ports = if task.meetings[edge as usize] == Meeting::Partner { first..end } else { 0..0 };
        let ready = ports.flat_map(move |port| {
            let port = task.ports[port as usize];
            let head = self.ready[2 * port.channel as usize + usize::from(!port.sends)].0;
            let next = |&port: &u32| Some(self.next_port[port as usize]).filter(|&next| next != NONE);
            std::iter::successors(Some(head).filter(|&head| head != NONE), next)
        });
        let edges = ready.map(|port| task.ports[port as usize].edge);
        edges
            .filter(move |&other| self.ready_at[other as usize] < layer)
            .filter(move |&other| task.processes[other as usize] != task.processes[edge as usize])
    }

    /// The partner whose conditions came to hold first.
    pub(super) fn easiest_partner(&self, task: &Task, edge: u32, layer: u32) -> Option<u32> {
        self.partners(task, edge, layer).min_by_key(|&partner| self.difficulties[partner as usize])
    }

    /// The first ready edges of the strong participants of a vector.
    pub(super) fn participants(&self, vector: u32) -> &[u32] {
        &self.joined[vector as usize]
    }

    /// Whether all conditions of an operator hold in the state itself.
    pub(super) fn is_enabled_at_once(&self, task: &Task, operator: u32) -> bool {
        task.needs[operator as usize] != NEVER
            && task.conditions_of.row(operator as usize).iter().all(|&condition| {
                self.satisfied[condition as usize] != NONE
                    && self.reasons(task, condition).iter().all(|&fact| self.layers[fact as usize] == 0)
            })
    }
}
