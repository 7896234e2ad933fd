//! Forwards from the start: everything that is reachable, ring by ring.

use crate::encoding::Encoding;
use crate::relation::{EventRelation, Relation, Relations};
use crate::sort::Sort;
use crate::space::{Made, Renaming, Set, size};
use crate::statistics::Statistics;
use guidepost_machines::sem::{Configuration, EventId, System};
use std::rc::Rc;

/// All that is reachable.
pub(crate) struct Forward {
    pub(crate) reached: Set,
    /// What is reached by so many events and not by fewer.
    rings: Vec<Set>,
    relation: Relation,
}

/// One relation for everything, over current and next variables of all machines.
struct Monolith {
    relation: Set,
    now: Set,
    to_now: Renaming,
}

impl Forward {
    pub(crate) fn new(
        encoding: &Encoding,
        relations: &mut Relations,
        is_full: bool,
        statistics: &mut Statistics,
    ) -> Made<Self> {
        let space = &encoding.space;
        let relation = relations.of(encoding, &Sort::everything(encoding, System::ROOT), false)?;
        let monolith =
            if is_full { Some(Monolith::new(encoding, &relation.events, statistics)?) } else { None };
        let mut new = encoding.single(encoding.initial())?;
        let mut forward = Self { reached: new.clone(), rings: Vec::new(), relation };
        while new != space.none() {
            statistics.see(encoding.machines(), size(&forward.reached));
            forward.rings.push(new.clone());
            // What is new is often the larger diagram.
            let from = if size(&new) < size(&forward.reached) { &new } else { &forward.reached };
            let mut next = space.none();
            match &monolith {
                Some(whole) => {
                    next = space.and_exists(&whole.relation, from, &whole.now)?;
                    next = space.rename(&next, &whole.to_now)?;
                }
                None => {
                    for event in &forward.relation.events {
                        next = space.or(&next, &event.after(encoding, from)?)?;
                    }
                }
            }
            new = space.minus(&next, &forward.reached)?;
            forward.reached = space.or(&forward.reached, &next)?;
        }
        Ok(forward)
    }

    /// A shortest sequence of events to a set that overlaps what is reachable.
    pub(crate) fn path(&self, encoding: &Encoding, set: &Set) -> Made<Option<Vec<EventId>>> {
        let space = &encoding.space;
        for (length, ring) in self.rings.iter().enumerate() {
            let hits = space.and(ring, set)?;
            if let Some(end) = encoding.some(&hits) {
                return self.back(encoding, length, end).map(Some);
            }
        }
        Ok(None)
    }

    /// From ring to ring, by a configuration that leads to the one behind it.
    fn back(&self, encoding: &Encoding, length: usize, end: Configuration) -> Made<Vec<EventId>> {
        let mut events = Vec::new();
        let mut after = end;
        for ring in self.rings[..length].iter().rev() {
            let before = self.relation.before(encoding, &encoding.single(&after)?, None)?;
            let before = encoding.space.and(&before, ring)?;
            let Some(now) = encoding.some(&before) else { break };
            let leads = |event: &EventId| {
                encoding.interpreter.steps(&now, *event).iter().any(|step| step.target == after)
            };
            events.extend(encoding.system.event_ids().find(leads));
            after = now;
        }
        events.reverse();
        Ok(events)
    }
}

impl Monolith {
    fn new(encoding: &Encoding, events: &[Rc<EventRelation>], statistics: &mut Statistics) -> Made<Self> {
        let space = &encoding.space;
        let mut relation = space.none();
        for event in events {
            let mut whole = event.whole(encoding)?;
            for machine in (0..encoding.machines()).filter(|machine| !event.moved.contains(machine)) {
                whole = space.and(&whole, encoding.same(machine))?;
            }
            relation = space.or(&relation, &whole)?;
        }
        statistics.see(encoding.machines(), size(&relation));
        let variables = |next: bool| -> Vec<_> {
            let of = |machine: usize| if next { encoding.next(machine) } else { encoding.now(machine) };
            (0..encoding.machines()).flat_map(of).copied().collect()
        };
        let (now, next) = (variables(false), variables(true));
        let to_now = space.renaming(&next, &now)?;
        Ok(Self { relation, now: space.cube(now)?, to_now })
    }
}
