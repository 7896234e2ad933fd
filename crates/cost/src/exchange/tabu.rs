//! A tabu search among orders of the users of locks.

use super::events::Events;
use guidepost_network::EdgeId;
use guidepost_network::interpreter::Random;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// After so many rounds without a better run, the search goes back to the best one and shakes it.
const PATIENCE: u32 = 2500;

/// The walk through neighbours.
pub(super) struct Tabu {
    events: Events,
    /// By lock: its uses in turn.
    orders: Vec<Vec<u32>>,
    /// By use: the lock.
    lock_of: Vec<u32>,
    /// By use: its place among the users of the lock.
    place: Vec<u32>,
    /// By event: the uses that begin with it, and those that end.
    begins: Vec<Vec<u32>>,
    ends: Vec<Vec<u32>>,
    /// By event: when it can happen at the earliest, in the current order.
    heads: Vec<i64>,
    /// Work space: events in an order that respects everything.
    queue: Vec<u32>,
    open: Vec<u32>,
    /// Pairs of uses that must not get this order again, and until which round.
    forbidden: FxHashMap<(u32, u32), u64>,
    round: u64,
    best: i64,
    best_orders: Vec<Vec<u32>>,
    idle: u32,
    /// How many events may still be looked at; below zero, others have their turn first.
    credit: i64,
}

impl Tabu {
    pub(super) fn new(events: Events) -> Option<Self> {
        let orders = events.orders.clone();
        let mut lock_of = vec![0; events.uses.len()];
        for (lock, order) in (0..).zip(&orders) {
            for &used in order {
                lock_of[used as usize] = lock;
            }
        }
        let count = events.len();
        let (mut begins, mut ends) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for (number, used) in (0..).zip(&events.uses) {
            begins[used.take as usize].push(number);
            if let Some(give) = used.give {
                ends[give as usize].push(number);
            }
        }
        let mut tabu = Self {
            place: vec![0; lock_of.len()],
            lock_of,
            best_orders: orders.clone(),
            orders,
            begins,
            ends,
            heads: vec![0; count],
            queue: Vec::with_capacity(count),
            open: vec![0; count],
            forbidden: FxHashMap::default(),
            round: 0,
            best: i64::MAX,
            idle: 0,
            credit: 0,
            events,
        };
        tabu.take_places();
        tabu.best = tabu.evaluate()?;
        Some(tabu)
    }

    /// Goes from neighbour to neighbour with an effort of so many events, until a run takes less time than `best`: its transitions in order.
    pub(super) fn look(&mut self, effort: usize, best: i64, random: &mut Random) -> Option<Vec<Vec<EdgeId>>> {
        // What was left over is not saved up.
        self.credit = self.credit.min(0) + effort as i64;
        while self.credit > 0 {
            let Some(time) = self.step(random) else {
                // Nobody waits for a lock on this chain; there may be others.
                self.shake(random);
                continue;
            };
            if time < self.best {
                self.best = time;
                self.best_orders.clone_from(&self.orders);
                self.idle = 0;
                if time < best {
                    return Some(self.transitions());
                }
            } else {
                self.idle += 1;
            }
            if self.idle >= PATIENCE {
                self.shake(random);
            }
        }
        None
    }

    /// Moves to the best neighbour that is not forbidden; says how long the run takes then. `None` if there is none at all.
    fn step(&mut self, random: &mut Random) -> Option<i64> {
        self.round += 1;
        let moves = self.moves(random);
        let mut chosen: Option<(i64, (u32, u32))> = None;
        let mut ties = 0;
        for &(first, second) in &moves {
            let is_forbidden = self.forbidden.get(&(second, first)).is_some_and(|&until| until >= self.round);
            self.swap(first, second);
            let time = self.evaluate();
            self.swap(second, first);
            let Some(time) = time else { continue };
            if is_forbidden && time >= self.best {
                continue;
            }
            let known = chosen.map_or(i64::MAX, |(known, _)| known);
            ties = if time == known { ties + 1 } else { 1 };
            if time < known || (time == known && random.below(ties) == 0) {
                chosen = Some((time, (first, second)));
            }
        }
        // All are forbidden: any of them.
        let (first, second) = match chosen {
            Some((_, pair)) => pair,
            None => *random.choose(&moves)?,
        };
        self.swap(first, second);
        let Some(time) = self.evaluate() else {
            self.swap(second, first);
            return self.evaluate();
        };
        let tenure = 8 + random.below(8) as u64;
        self.forbidden.insert((first, second), self.round + tenure);
        if self.forbidden.len() > 4096 {
            let round = self.round;
            self.forbidden.retain(|_, until| *until >= round);
        }
        Some(time)
    }

    /// Goes back to the best orders, and from there some random steps.
    fn shake(&mut self, random: &mut Random) {
        self.idle = 0;
        self.forbidden.clear();
        self.orders.clone_from(&self.best_orders);
        self.take_places();
        self.evaluate();
        for _ in 0..3 + random.below(15) {
            let moves = self.moves(random);
            let Some(&(first, second)) = random.choose(&moves) else { return };
            self.swap(first, second);
            if self.evaluate().is_none() {
                self.swap(second, first);
                self.evaluate();
            }
        }
    }

    /// Neighbours: pairs of uses, one right after the other, at the ends of blocks of handovers on a longest chain of events.
    fn moves(&self, random: &mut Random) -> Vec<(u32, u32)> {
        let mut moves = Vec::new();
        for block in self.blocks(random) {
            // From the last use to the first.
            let pair = |at: usize| (block[at + 1], block[at]);
            moves.push(pair(0));
            if block.len() > 2 {
                moves.push(pair(block.len() - 2));
            }
        }
        moves
    }

    /// The blocks of a longest chain, from its end to its start: at least two uses of one lock, each handing it over to the one before it in the list, which waits for it.
    fn blocks(&self, random: &mut Random) -> Vec<Vec<u32>> {
        let latest = (0..self.heads.len()).max_by_key(|&event| (self.heads[event], event));
        let mut at = latest.unwrap_or(0);
        let mut blocks: Vec<Vec<u32>> = Vec::new();
        let mut ways: Vec<(u32, Option<(u32, u32)>)> = Vec::new();
        // What an event waits for comes before it, so this ends.
        while at != 0 {
            ways.clear();
            let is_tight = |from: u32, least: i64| self.heads[from as usize] + least == self.heads[at];
            let fixed = self.events.before[at].iter().filter(|&&(from, least)| is_tight(from, least));
            ways.extend(fixed.map(|&(from, _)| (from, None)));
            for &used in &self.begins[at] {
                if let Some(earlier) = self.before(used)
                    && let Some(give) = self.events.uses[earlier as usize].give
                    && is_tight(give, 0)
                {
                    ways.push((give, Some((earlier, used))));
                }
            }
            let Some(&(from, handover)) = random.choose(&ways) else { break };
            if let Some((earlier, used)) = handover {
                match blocks.last_mut() {
                    Some(block) if block.last() == Some(&used) => block.push(earlier),
                    _ => blocks.push(vec![used, earlier]),
                }
            }
            at = from as usize;
        }
        blocks
    }

    fn before(&self, used: u32) -> Option<u32> {
        let place = self.place[used as usize];
        (place > 0).then(|| self.orders[self.lock_of[used as usize] as usize][place as usize - 1])
    }

    fn after(&self, used: u32) -> Option<u32> {
        let order = &self.orders[self.lock_of[used as usize] as usize];
        order.get(self.place[used as usize] as usize + 1).copied()
    }

    /// Two uses, one right after the other, change places.
    fn swap(&mut self, first: u32, second: u32) {
        let order = &mut self.orders[self.lock_of[first as usize] as usize];
        let at = self.place[first as usize] as usize;
        debug_assert_eq!(order[at + 1], second);
        order.swap(at, at + 1);
        self.place[first as usize] += 1;
        self.place[second as usize] -= 1;
    }

    fn take_places(&mut self) {
        for order in &self.orders {
            for (place, &used) in (0..).zip(order) {
                self.place[used as usize] = place;
            }
        }
    }

    /// The earliest time of each event and of the end; `None` if the orders contradict each other.
    fn evaluate(&mut self) -> Option<i64> {
        self.credit -= self.events.len() as i64;
        self.queue.clear();
        for event in 0..self.events.len() {
            let mut open = self.events.before[event].len() as u32;
            for &used in &self.begins[event] {
                if let Some(earlier) = self.before(used) {
                    // Who never gives it back cannot hand it over.
                    self.events.uses[earlier as usize].give?;
                    open += 1;
                }
            }
            self.open[event] = open;
            self.heads[event] = 0;
            if open == 0 {
                self.queue.push(event as u32);
            }
        }
        let (mut next, mut last) = (0, 0);
        while let Some(&event) = self.queue.get(next) {
            next += 1;
            let head = self.heads[event as usize];
            last = last.max(head);
            for index in 0..self.events.after[event as usize].len() {
                let (to, least) = self.events.after[event as usize][index];
                self.reach(to, head + least);
            }
            for index in 0..self.ends[event as usize].len() {
                if let Some(later) = self.after(self.ends[event as usize][index]) {
                    self.reach(self.events.uses[later as usize].take, head);
                }
            }
        }
        (next == self.events.len()).then_some(last)
    }

    fn reach(&mut self, event: u32, time: i64) {
        let event = event as usize;
        self.heads[event] = self.heads[event].max(time);
        self.open[event] -= 1;
        if self.open[event] == 0 {
            self.queue.push(event as u32);
        }
    }

    /// The transitions in an order that respects the orders of all users, the earliest first.
    fn transitions(&mut self) -> Vec<Vec<EdgeId>> {
        let mut open: Vec<u32> = (0..self.events.len())
            .map(|event| {
                let handed = self.begins[event].iter().filter(|&&used| self.before(used).is_some()).count();
                (self.events.before[event].len() + handed) as u32
            })
            .collect();
        let mut ready = BinaryHeap::from([Reverse((0, 0_u32))]);
        let mut transitions = Vec::with_capacity(self.events.transitions.len());
        while let Some(Reverse((_, event))) = ready.pop() {
            if event > 0 {
                transitions.push(self.events.transitions[event as usize - 1].clone());
            }
            let fixed = self.events.after[event as usize].iter().map(|&(to, _)| to);
            let handed = self.ends[event as usize].iter().filter_map(|&used| self.after(used));
            let handed = handed.map(|later| self.events.uses[later as usize].take);
            for to in fixed.chain(handed) {
                open[to as usize] -= 1;
                if open[to as usize] == 0 {
                    ready.push(Reverse((self.heads[to as usize], to)));
                }
            }
        }
        transitions
    }
}
