//! Operations: what a transition does to clocks, apart from the invariants of where it leads.
//!
//! Labels are carried through transitions forwards and backwards long after the transition was found, so what it does is kept beside the graph: its edges,
//! its guard with all bounds evaluated, and where clocks come from. Each is kept once, however many nodes it leads to.

use crate::setting::Setting;
use guidepost_explore::{ClockDifference, Origin};
use guidepost_network::{ClockId, EdgeId};
use guidepost_zones::{Bound, Constraint, Zone};
use rustc_hash::FxHashMap;

/// What a transition does to clocks.
#[derive(Clone)]
pub(crate) struct Operation {
    pub(crate) edges: Box<[EdgeId]>,
    /// What must hold before it: its guards, that receivers stay out, that nothing has priority.
    pub(crate) guard: Box<[ClockDifference]>,
    /// Whether the guard says more than the guards of the edges.
    pub(crate) is_split: bool,
    /// Clocks that do not keep their value.
    origins: Box<[(ClockId, Origin)]>,
}

impl Operation {
    /// Where the value of a clock comes from.
    #[inline]
    fn origin(&self, clock: ClockId) -> Origin {
        let found = self.origins.iter().find(|(own, _)| *own == clock);
        found.map_or(Origin { clock, offset: 0 }, |&(_, origin)| origin)
    }

    /// The guard in terms of the zones of the source.
    pub(crate) fn guard<'o>(&'o self, source: &'o Setting) -> impl Iterator<Item = Constraint> + 'o {
        self.guard.iter().map(|&difference| source.constraint(difference))
    }

    /// A bound on clocks of the target as one on clocks of the source; `Err` says whether it holds, where no clock of the source is left in it.
    pub(crate) fn before(
        &self,
        constraint: Constraint,
        source: &Setting,
        target: &Setting,
    ) -> Result<Constraint, bool> {
        let origin = |place: u16| self.origin(ClockId(target.clocks[usize::from(place)]));
        let (left, right) = (origin(constraint.left), origin(constraint.right));
        let value = i64::from(constraint.bound.constant()) - i64::from(left.offset) + i64::from(right.offset);
        // What is beyond all bounds restricts nothing.
        let Ok(bound) = Bound::new(value, constraint.bound.is_strict()) else { return Err(true) };
        let (left, right) = (source.place(left.clock), source.place(right.clock));
        if left == right { Err(bound >= Bound::LE_ZERO) } else { Ok(Constraint::new(left, right, bound)) }
    }

    /// What must hold before it so that it leads into the invariants of the target. `None`: it never does.
    pub(crate) fn entry(&self, source: &Setting, target: &Setting) -> Option<Vec<Constraint>> {
        let mut constraints: Vec<Constraint> = self.guard(source).collect();
        // A clock that would become negative does not go on.
        for (_, origin) in self.origins.iter().filter(|(_, origin)| origin.offset < 0) {
            if origin.clock == ClockId::ZERO {
                return None;
            }
            constraints.push(Constraint::new(0, source.place(origin.clock), Bound::le(origin.offset)));
        }
        for &invariant in &target.invariants {
            match self.before(invariant, source, target) {
                Ok(constraint) => constraints.push(constraint),
                Err(true) => {}
                Err(false) => return None,
            }
        }
        Some(constraints)
    }

    /// A bound on the size of a clock of the target, as one of the clock of the source that its value comes from; `None` where that is a constant.
    pub(crate) fn clock_before(
        &self,
        place: usize,
        source: &Setting,
        target: &Setting,
    ) -> Option<(usize, i32)> {
        let origin = self.origin(ClockId(target.clocks[place]));
        (origin.clock != ClockId::ZERO).then(|| (source.place(origin.clock), origin.offset))
    }

    /// What becomes of valuations of the source that satisfy the guard, after the transition and the delay behind it. `false`: nothing.
    pub(crate) fn carry(&self, from: &Zone, source: &Setting, target: &Setting, to: &mut Zone) -> bool {
        self.carry_within(from, source, target, &target.invariants, to)
    }

    /// As [`Operation::carry`], with some of the invariants.
    pub(crate) fn carry_within(
        &self,
        from: &Zone,
        source: &Setting,
        target: &Setting,
        invariants: &[Constraint],
        to: &mut Zone,
    ) -> bool {
        let origins = || target.clocks.iter().map(|&clock| self.origin(ClockId(clock)));
        let sources: Vec<usize> = origins().map(|origin| source.place(origin.clock)).collect();
        to.reshape(target.dim());
        from.gather(&sources, to);
        if !self.origins.is_empty() {
            for (place, origin) in origins().enumerate() {
                if origin.offset != 0 && !to.shift(place, origin.offset) {
                    return false;
                }
            }
        }
        if !to.constrain_all(invariants) {
            return false;
        }
        if target.may_delay {
            if invariants.iter().all(|constraint| constraint.right == 0) {
                to.up_below(invariants);
            } else {
                to.up();
                let is_possible = to.constrain_all(invariants);
                debug_assert!(is_possible, "the invariants held before");
            }
        }
        true
    }

    /// What becomes of some valuations of the source. `false`: nothing.
    pub(crate) fn post(&self, mut from: Zone, source: &Setting, target: &Setting, to: &mut Zone) -> bool {
        let mut guard = self.guard(source);
        guard.all(|c| from.constrain(c.left.into(), c.right.into(), c.bound))
            && self.carry(&from, source, target, to)
    }

    /// The valuations of the source, within its invariants, that the transition and the delay behind it can lead to some valuations of the target, within its
    /// invariants. `None`: there are none.
    pub(crate) fn pre(&self, mut to: Zone, source: &Setting, target: &Setting) -> Option<Zone> {
        debug_assert!(!to.is_empty() && to.is_subset(&target.whole));
        if target.may_delay {
            to.down();
            if !to.constrain_all(&target.invariants) {
                return None;
            }
        }
        let mut from = source.whole.clone();
        for c in self.guard(source) {
            tighten(&mut from, c);
        }
        let dim = to.dim();
        for left in 0..dim {
            for right in (0..dim).filter(|&right| right != left) {
                let bound = to.get(left, right);
                if bound.is_infinite() {
                    continue;
                }
                match self.before(Constraint::new(left, right, bound), source, target) {
                    Ok(c) => tighten(&mut from, c),
                    Err(true) => {}
                    Err(false) => return None,
                }
            }
        }
        from.close().then_some(from)
    }
}

/// Overwrites an entry by a tighter bound; the matrix has to be closed afterwards.
fn tighten(zone: &mut Zone, c: Constraint) {
    let (i, j) = (c.left.into(), c.right.into());
    zone.set(i, j, zone.get(i, j).min(c.bound));
}

/// All operations of a graph, by number.
#[derive(Clone, Default)]
pub(crate) struct Operations {
    list: Vec<Operation>,
    numbers: FxHashMap<Box<[i32]>, u32>,
    key: Vec<i32>,
    bytes: usize,
}

impl Operations {
    /// The number of an operation.
    pub(crate) fn intern(
        &mut self,
        edges: &[EdgeId],
        guard: &[ClockDifference],
        is_split: bool,
        origins: impl Iterator<Item = (ClockId, Origin)>,
    ) -> u32 {
        self.key.clear();
        self.key.push(edges.len() as i32 * 2 + i32::from(is_split));
        self.key.push(guard.len() as i32);
        self.key.extend(edges.iter().map(|edge| edge.0 as i32));
        for &ClockDifference { left, right, bound } in guard {
            self.key.extend([left.0 as i32, right.0 as i32, bound.raw()]);
        }
        let start = self.key.len();
        for (clock, origin) in origins.filter(|(clock, origin)| origin.offset != 0 || origin.clock != *clock)
        {
            self.key.extend([clock.0 as i32, origin.clock.0 as i32, origin.offset]);
        }
        if let Some(&number) = self.numbers.get(self.key.as_slice()) {
            return number;
        }
        let origins = self.key[start..].chunks_exact(3).map(|entry| {
            (ClockId(entry[0] as u32), Origin { clock: ClockId(entry[1] as u32), offset: entry[2] })
        });
        let operation =
            Operation { edges: edges.into(), guard: guard.into(), is_split, origins: origins.collect() };
        let number = self.list.len() as u32;
        self.bytes += 8 * self.key.len() + 160;
        self.list.push(operation);
        self.numbers.insert(self.key.as_slice().into(), number);
        number
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> &Operation {
        &self.list[number as usize]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}
