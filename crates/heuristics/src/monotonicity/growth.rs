//! Growing the sets, layer by layer.

use super::effects::Effect;
use super::synchronisation::Meeting;
use super::task::{NEVER, Task};
use crate::{EdgeMask, Estimate};
use guidepost_network::{ClockOp, Code, Machine, Network};

/// So many combinations of values are tried for one condition or update.
pub(super) const COMBINATIONS: usize = 4096;
/// A cell with so many values (and more to come) may have any.
pub(super) const VALUES: u32 = 1024;

pub(super) const NONE: u32 = u32::MAX;
/// What a cell holds that the update under evaluation may write and does not read.
const UNTOUCHED: i32 = i32::MIN;

/// How growing ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grown {
    /// The goal of an operator holds in a layer.
    Goal { operator: u32, layer: u32 },
    /// Nothing grows any more.
    Fixpoint,
    /// The goal is not reached within the bound.
    Beyond(u32),
}

impl Grown {
    pub(super) fn layers(self) -> Estimate {
        match self {
            Grown::Goal { layer, .. } => Estimate::steps(layer),
            Grown::Fixpoint => Estimate::DEAD_END,
            Grown::Beyond(bound) => Estimate::steps(bound.saturating_add(1)),
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
    /// Facts processed, in all.
    processed: u64,
}

impl<'n> Growth<'n> {
    pub(super) fn new(network: &'n Network, task: &Task) -> Self {
        let facts = task.domains.facts();
        Self {
            machine: Machine::new(&network.program),
            layers: vec![NONE; facts],
            makers: vec![NONE; facts],
            evidence: vec![NONE; facts],
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
            processed: 0,
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
        self.reset(task);
        let no_edges = std::mem::take(&mut self.no_edges);
        let grown = self.grow(task, cells, without.unwrap_or(&no_edges), bound);
        self.processed += self.seen.len() as u64;
        self.no_edges = no_edges;
        grown
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
        self.goal = None;
        self.layer = 0;
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
            while position < self.current.len() && self.goal.is_none() {
                let fact = self.current[position];
                position += 1;
                // A fact may have moved to an earlier layer since it was put here.
                if self.layers[fact as usize] == self.layer {
                    self.process(task, fact);
                }
            }
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
        for &condition in task.satisfies.row(fact as usize) {
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
        for &operator in task.waiting.row(condition as usize) {
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
            task.domains.value(from).checked_add(by).and_then(|value| task.domains.fact(target, value))
        };
        if let Some(made) = made {
            self.add(made, effect, from, now);
        }
    }

    /// Whether a cell may have any value by now.
    fn is_any(&self, task: &Task, cell: usize) -> bool {
        self.layers[task.domains.any(cell) as usize] <= self.layer
    }

    /// Whether a condition over several cells holds for some combination with a new value.
    fn try_compound(&mut self, task: &Task, index: usize, place: usize, fact: u32, is_any: bool) {
        let compound = &task.compounds[index];
        let operands = &compound.operands;
        if operands
            .iter()
            .enumerate()
            .any(|(other, &cell)| other != place && self.counts[cell] == 0 && !self.is_any(task, cell))
        {
            return;
        }
        let mut product = 1_usize;
        for (other, &cell) in operands.iter().enumerate() {
            if other != place {
                product = product.saturating_mul(self.counts[cell].max(1) as usize);
            }
        }
        let is_vague =
            is_any || product > COMBINATIONS || operands.iter().any(|&cell| self.is_any(task, cell));
        let found = is_vague || self.search_combinations(task, operands, place, fact, compound.code);
        if found {
            let at = self.pool.len() as u32;
            for (other, &cell) in operands.iter().enumerate() {
                let operand = if is_vague && other == place {
                    fact
                } else if is_vague {
                    self.first_fact(task, cell)
                } else {
                    let value = self.machine.state()[cell];
                    task.domains.fact(cell, value).expect("a value of the cell")
                };
                self.pool.push(operand);
            }
            self.satisfied[task.tabulated + index] = at;
            self.count_down(task, (task.tabulated + index) as u32);
        }
    }

    /// Something that holds for the cell.
    fn first_fact(&self, task: &Task, cell: usize) -> u32 {
        if self.counts[cell] == 0 {
            return task.domains.any(cell);
        }
        let value = self.values[task.domains.first(cell) as usize];
        task.domains.fact(cell, value).expect("a value of the cell")
    }

    /// Tries all combinations in which the operand at a place has a given value; leaves the first that satisfies the condition in the machine.
    fn search_combinations(
        &mut self,
        task: &Task,
        operands: &[usize],
        place: usize,
        fact: u32,
        code: Code,
    ) -> bool {
        self.start_odometer(task, operands, Some((place, fact)));
        loop {
            if matches!(self.machine.eval(code), Ok(value) if value != 0) {
                return true;
            }
            if !self.turn_odometer(task, operands, Some(place)) {
                return false;
            }
        }
    }

    fn start_odometer(&mut self, task: &Task, operands: &[usize], fixed: Option<(usize, u32)>) {
        self.odometer.clear();
        for (place, &cell) in operands.iter().enumerate() {
            let value = match fixed {
                Some((at, fact)) if at == place => task.domains.value(fact),
                _ => self.values[task.domains.first(cell) as usize],
            };
            self.machine.state_mut()[cell] = value;
            self.odometer.push(0);
        }
    }

    /// The next combination; false when there is none.
    fn turn_odometer(&mut self, task: &Task, operands: &[usize], fixed: Option<usize>) -> bool {
        for (place, &cell) in operands.iter().enumerate() {
            if fixed == Some(place) {
                continue;
            }
            let digit = &mut self.odometer[place];
            *digit = if *digit + 1 < self.counts[cell] { *digit + 1 } else { 0 };
            let value = self.values[task.domains.first(cell) as usize + *digit as usize];
            self.machine.state_mut()[cell] = value;
            if *digit != 0 {
                return true;
            }
        }
        false
    }

    /// Runs an update for all combinations (in which the operand at a place has a given value).
    fn run_program(&mut self, task: &Task, index: usize, fixed: Option<(usize, u32)>, now: bool) {
        let program = &task.programs[index];
        let operands = &program.operands;
        let is_missing = |growth: &Self, place: usize, cell: usize| {
            fixed.is_none_or(|(at, _)| at != place) && growth.counts[cell] == 0 && !growth.is_any(task, cell)
        };
        if operands.iter().enumerate().any(|(place, &cell)| is_missing(self, place, cell)) {
            return;
        }
        let mut product = 1_usize;
        for (place, &cell) in operands.iter().enumerate() {
            if fixed.is_none_or(|(at, _)| at != place) {
                product = product.saturating_mul(self.counts[cell].max(1) as usize);
            }
        }
        let is_fixed_any = fixed.is_some_and(|(_, fact)| fact == task.domains.any(task.domains.cell(fact)));
        if is_fixed_any || product > COMBINATIONS || operands.iter().any(|&cell| self.is_any(task, cell)) {
            let evidence = self.pool.len() as u32;
            for &cell in operands {
                let fact = self.first_fact(task, cell);
                self.pool.push(fact);
            }
            for (effect, &target) in (program.first_effect as u32..).zip(&program.targets) {
                self.add(task.domains.any(target), effect, evidence, now);
            }
            return;
        }
        let place = fixed.map(|(place, _)| place);
        self.start_odometer(task, operands, fixed);
        loop {
            self.run_once(task, index, now);
            if !self.turn_odometer(task, operands, place) {
                break;
            }
        }
    }

    /// Runs an update on the values in the machine and collects what it writes.
    fn run_once(&mut self, task: &Task, index: usize, now: bool) {
        let program = &task.programs[index];
        let evidence = self.pool.len() as u32;
        for &cell in &program.operands {
            let value = self.machine.state()[cell];
            self.pool.push(task.domains.fact(cell, value).expect("a value of the cell"));
        }
        let operands_end = self.pool.len();
        for &target in &program.targets {
            if !program.operands.contains(&target) {
                self.machine.state_mut()[target] = UNTOUCHED;
            }
        }
        self.operations.clear();
        let result = self.machine.run_update(program.code, &mut self.operations);
        let mut is_used = false;
        if result.is_ok() {
            for (effect, &target) in (program.first_effect as u32..).zip(&program.targets) {
                let value = self.machine.state()[target];
                if let Some(fact) = task.domains.fact(target, value) {
                    is_used |= self.add(fact, effect, evidence, now);
                }
            }
        }
        // The operands were overwritten; put them back for the next combination.
        for (place, &cell) in program.operands.iter().enumerate() {
            self.machine.state_mut()[cell] = task.domains.value(self.pool[evidence as usize + place]);
        }
        self.pool.truncate(if is_used { operands_end } else { evidence as usize });
    }

    /// Takes the edges whose conditions came to hold in this layer, with their partners.
    fn take_enabled(&mut self, task: &Task, without: &EdgeMask) {
        for position in 0..self.enabled.len() {
            let edge = self.enabled[position];
            if without.contains(edge) {
                continue;
            }
            self.difficulties[edge as usize] = self.difficulty_of(task, edge);
            self.ready_at[edge as usize] = self.layer;
            match task.meetings[edge as usize] {
                Meeting::Alone => {
                    self.take(task, edge, NONE);
                    self.offer(task, edge);
                }
                Meeting::Partner => {
                    let partner = self.find_partner(task, edge);
                    if partner == NONE {
                        self.wait(task, edge);
                    } else {
                        self.take(task, edge, partner);
                    }
                    self.offer(task, edge);
                }
                Meeting::Vector(vector) => self.join(task, edge, vector as usize),
            }
        }
        self.enabled.clear();
    }

    /// How late the conditions of an edge came to hold, added up.
    fn difficulty_of(&self, task: &Task, edge: u32) -> u32 {
        let conditions = task.conditions_of.row(edge as usize).iter();
        let facts = conditions.flat_map(|&condition| self.reasons(task, condition));
        facts.map(|&fact| self.layers[fact as usize]).sum()
    }

    /// Puts an edge among those ready at its channels and takes the edges that waited for one like it.
    fn offer(&mut self, task: &Task, edge: u32) {
        let (first, end) = task.ports_of[edge as usize];
        for port in first..end {
            let data = task.ports[port as usize];
            let side = 2 * data.channel as usize + usize::from(data.sends);
            self.next_port[port as usize] = NONE;
            let (head, last) = self.ready[side];
            if head == NONE {
                self.ready[side] = (port, port);
            } else {
                self.next_port[last as usize] = port;
                self.ready[side].1 = port;
            }
            // A receiver is no help to the sender of a broadcast, which waits for nobody.
            self.wake(task, edge, side ^ 1);
        }
    }

    fn wake(&mut self, task: &Task, edge: u32, side: usize) {
        let mut port = std::mem::replace(&mut self.waiting[side], NONE);
        while port != NONE {
            let next = self.next_waiting[port as usize];
            let other = task.ports[port as usize].edge;
            if task.processes[other as usize] == task.processes[edge as usize] {
                self.next_waiting[port as usize] = self.waiting[side];
                self.waiting[side] = port;
            } else if self.stages[other as usize] == Stage::Waiting {
                self.take(task, other, edge);
            }
            port = next;
        }
    }

    fn wait(&mut self, task: &Task, edge: u32) {
        self.stages[edge as usize] = Stage::Waiting;
        let (first, end) = task.ports_of[edge as usize];
        for port in first..end {
            let data = task.ports[port as usize];
            let side = 2 * data.channel as usize + usize::from(data.sends);
            self.next_waiting[port as usize] = self.waiting[side];
            self.waiting[side] = port;
        }
    }

    /// A ready edge of another process at one of the edge's channels.
    fn find_partner(&self, task: &Task, edge: u32) -> u32 {
        let (first, end) = task.ports_of[edge as usize];
        for port in first..end {
            let data = task.ports[port as usize];
            let mut other = self.ready[2 * data.channel as usize + usize::from(!data.sends)].0;
            while other != NONE {
                let partner = task.ports[other as usize].edge;
                if task.processes[partner as usize] != task.processes[edge as usize] {
                    return partner;
                }
                other = self.next_port[other as usize];
            }
        }
        NONE
    }

    /// An edge joins a vector; it is taken when an edge of every strong participant is ready.
    fn join(&mut self, task: &Task, edge: u32, vector: usize) {
        let process = task.processes[edge as usize];
        if let Some(place) = task.is_strong[vector].iter().position(|&strong| strong == process)
            && self.joined[vector][place] == NONE
        {
            self.joined[vector][place] = edge;
            self.absent[vector] -= 1;
        }
        self.stages[edge as usize] = Stage::Waiting;
        if self.absent[vector] > 0 {
            self.joiners[vector].push(edge);
            return;
        }
        self.take(task, edge, NONE);
        let mut joiners = std::mem::take(&mut self.joiners[vector]);
        for waiting in joiners.drain(..) {
            self.take(task, waiting, NONE);
        }
        self.joiners[vector] = joiners;
    }

    /// Takes an edge: its effects appear in the next layer.
    fn take(&mut self, task: &Task, edge: u32, partner: u32) {
        self.difficulty = self.difficulties[edge as usize];
        if partner != NONE {
            self.difficulty += self.difficulties[partner as usize];
        }
        self.stages[edge as usize] = Stage::Taken;
        let (first, end) = task.effects_of[edge as usize];
        for effect in first..end {
            match task.effects[effect as usize] {
                Effect::Fact(fact) => {
                    self.add_next(fact, effect, NONE);
                }
                Effect::Shift { source, target, by } => {
                    let start = task.domains.first(source);
                    for position in start..start + self.counts[source] {
                        let value = self.values[position as usize];
                        let from = task.domains.fact(source, value).expect("a value of the cell");
                        self.shift(task, effect, target, by, from, false);
                    }
                    if self.is_any(task, source) {
                        self.shift(task, effect, target, by, task.domains.any(source), false);
                    }
                }
                Effect::Program { program, .. } => {
                    if task.programs[program].first_effect == effect as usize {
                        self.run_program(task, program, None, false);
                    }
                }
            }
        }
    }

    /// Work so far, in transitions: a fact takes a small part of the time of one.
    pub(super) fn effort(&self) -> u64 {
        self.processed / 8
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
