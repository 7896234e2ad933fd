//! The states of one block: comparing a new one with them.

use super::{Node, Replace, StateId};
use crate::blocks::{Block, Parts, Rooms, Slot, outlines_words, read_outlines};
use crate::chunks::Items;
use crate::covering::{Covering, NewState, StoredState};
use crate::diagonals::DiagonalRange;
use crate::outline::Outlines;
use crate::probe::Probe;
use crate::state::SymbolicState;
use crate::zone_pool::{Matrix, ZoneId, ZonePool};

/// A state that is compared with stored ones.
pub(super) struct Newcomer<'s, 'd, P, C> {
    pub(super) probe: &'s mut Probe,
    pub(super) state: &'s SymbolicState,
    /// The number of its zone, if it is stored already.
    pub(super) zone: Option<ZoneId>,
    pub(super) replace: Replace<'d>,
    pub(super) payload: &'s P,
    pub(super) covering: &'s C,
    /// Diagonals that are respected.
    pub(super) diagonals: &'s [DiagonalRange],
    /// The states that it drops.
    pub(super) dropped: &'s mut Vec<StateId>,
}

impl<P, C: Covering<P>> Newcomer<'_, '_, P, C> {
    /// Whether a stored state covers it, given that its zone does.
    #[inline]
    fn is_covered_by(&self, id: u32, zone: Matrix<'_>, nodes: &Items<Node<P>>) -> bool {
        (self.diagonals.is_empty() || self.is_on_sides(zone, true))
            && (!C::IS_REFINED || self.covering.covers(stored(id, zone, nodes), self.as_new()))
    }

    /// Whether it covers a stored state, given that its zone does.
    #[inline]
    fn covers(&self, id: u32, zone: Matrix<'_>, nodes: &Items<Node<P>>) -> bool {
        (self.diagonals.is_empty() || self.is_on_sides(zone, false))
            && (!C::IS_REFINED || self.covering.is_covered(stored(id, zone, nodes), self.as_new()))
    }

    /// Whether a stored zone covers the new one, or the other way round, given the sides of diagonals that they are on.
    #[cold]
    fn is_on_sides(&self, stored: Matrix<'_>, covers_new: bool) -> bool {
        let mut zone = self.state.zone.clone();
        stored.widen_into(&mut zone);
        let (covered, by) = if covers_new { (&self.state.zone, &zone) } else { (&zone, &self.state.zone) };
        DiagonalRange::is_simulated(self.diagonals, covered, by, self.state)
    }

    fn as_new(&self) -> NewState<'_, P> {
        NewState { state: self.state, payload: self.payload }
    }
}

fn stored<'s, P>(id: u32, zone: Matrix<'s>, nodes: &'s Items<Node<P>>) -> StoredState<'s, P> {
    StoredState { id: StateId(id), payload: &nodes.get(id as usize).payload, zone }
}

/// Compares a state with those of a block, the latest first; drops those that it covers. Says which one covers it.
#[inline]
pub(super) fn scan<P, C: Covering<P>>(
    rooms: &mut Rooms,
    zones: &mut ZonePool,
    block: &mut Block,
    nodes: &mut Items<Node<P>>,
    new: &mut Newcomer<'_, '_, P, C>,
) -> Option<u32> {
    let is_outlined = block.is_outlined();
    let parts = block.parts(rooms);
    if let Some(equal) = find_equal(&parts, zones, nodes, new) {
        return Some(equal);
    }
    // Compiled twice: small blocks are the rule, and must not pay for large ones.
    let (left, covering) = if is_outlined {
        let outlines = new.probe.outlines(new.state);
        scan_slots::<P, C, true>(parts, zones, nodes, outlines, new)
    } else {
        scan_slots::<P, C, false>(parts, zones, nodes, Outlines::default(), new)
    };
    block.truncate(left);
    covering
}

/// A state with the same zone covers the new one, and nothing needs to be compared to know that. Most states that are covered are covered like this.
#[inline]
fn find_equal<P, C: Covering<P>>(
    parts: &Parts<'_>,
    zones: &ZonePool,
    nodes: &Items<Node<P>>,
    new: &Newcomer<'_, '_, P, C>,
) -> Option<u32> {
    let zone = new.zone?;
    let slots = parts.slots.iter().rev().map(|&words| Slot::read(words));
    let mut equal = slots.filter(|slot| slot.zone == zone);
    let covers = |slot: &Slot| {
        new.replace.allows(slot.state).0 && new.is_covered_by(slot.state, zones.matrix(zone), nodes)
    };
    equal.find(covers).map(|slot| slot.state)
}

/// Says how many of the states are left, too.
#[inline]
fn scan_slots<P, C: Covering<P>, const OUTLINED: bool>(
    parts: Parts<'_>,
    zones: &mut ZonePool,
    nodes: &mut Items<Node<P>>,
    own: Outlines,
    new: &mut Newcomer<'_, '_, P, C>,
) -> (usize, Option<u32>) {
    let state = new.state;
    let Parts { outlines, slots } = parts;
    let mut count = slots.len();
    for position in (0..count).rev() {
        let (mut may_cover, mut may_go) = (true, true);
        let slot = Slot::read(slots[position]);
        if OUTLINED {
            let stored = read_outlines(outlines[position]);
            may_cover = own.query.is_within(stored.zone);
            may_go = stored.query.is_within(own.zone);
            debug_assert!(are_right(may_cover, may_go, zones.matrix(slot.zone), new.probe, state));
            if !may_cover && !may_go {
                continue;
            }
        }
        debug_assert_eq!(nodes.get(slot.state as usize).zone(), slot.zone, "a state knows its zone");
        let zone = zones.matrix(slot.zone);
        let (allows_covering, allows_going) = new.replace.allows(slot.state);
        if may_cover
            && allows_covering
            && new.probe.is_covered_by(zone, state)
            && new.is_covered_by(slot.state, zone, nodes)
        {
            return (count, Some(slot.state));
        }
        if may_go && allows_going && new.probe.covers(zone, state) && new.covers(slot.state, zone, nodes) {
            new.dropped.push(StateId(slot.state));
            nodes.get_mut(slot.state as usize).cover();
            zones.release(slot.zone);
            // The last one, which has been looked at, moves into the gap.
            count -= 1;
            slots[position] = slots[count];
            if OUTLINED {
                outlines[position] = outlines[count];
            }
        }
    }
    (count, None)
}

/// Whether outlines have hidden nothing: what they rule out is not so.
fn are_right(
    may_cover: bool,
    may_go: bool,
    stored: Matrix<'_>,
    probe: &mut Probe,
    state: &SymbolicState,
) -> bool {
    (may_cover || !probe.is_covered_by(stored, state)) && (may_go || !probe.covers(stored, state))
}

/// Gives a block with room for them outlines, if these tell its zones and the new one apart.
pub(super) fn outline_zones(
    block: &mut Block,
    rooms: &mut Rooms,
    zones: &ZonePool,
    probe: &mut Probe,
    state: &SymbolicState,
) {
    let own = probe.outlines(state);
    let mut is_useful = false;
    let Parts { outlines, slots } = block.parts(rooms);
    for (&slot, words) in slots.iter().zip(outlines) {
        let stored = probe.outlines_of(zones.matrix(Slot::read(slot).zone), state);
        is_useful |= stored != own;
        *words = outlines_words(stored);
    }
    // Where zones differ in values only, outlines would be compared in vain; that may have changed when the block grows again.
    if is_useful {
        block.set_outlined();
    }
}
