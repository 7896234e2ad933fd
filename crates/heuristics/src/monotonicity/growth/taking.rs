//! Taking edges, alone or with those that move together with them.

use super::{Growth, NONE, Stage};
use crate::EdgeMask;
use crate::monotonicity::effects::Effect;
use crate::monotonicity::synchronisation::Meeting;
use crate::monotonicity::task::Task;

/// Taking an edge takes as long as looking at so many entries of a table.
const TAKING: u64 = 4;

impl Growth<'_> {
    /// Takes the edges whose conditions came to hold in this layer, with their partners.
    pub(super) fn take_enabled(&mut self, task: &Task, without: &EdgeMask) {
        for position in 0..self.enabled.len() {
            let edge = self.enabled[position];
            if without.contains(edge) {
                continue;
            }
            if self.is_stopped {
                break;
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
        self.touched += TAKING + u64::from(end - first);
        for effect in first..end {
            match task.effects[effect as usize] {
                Effect::Fact(fact) => {
                    self.add_next(fact, effect, NONE);
                }
                Effect::Shift { source, target, by } => {
                    let start = task.domains.first(source);
                    self.touched += u64::from(self.counts[source]);
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
}
