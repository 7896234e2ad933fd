//! The zones of one block: comparing a new one with them, and adding it.

use super::{Node, Replace, StateId};
use crate::blocks::{Address, Arena, Block};
use crate::covering::{Covering, NewState, StoredState};
use crate::matrix::Entry;
use crate::outline::Outlines;
use crate::probe::{Compared, Probe};
use crate::state::SymbolicState;
use guidepost_zones::Bound;

/// A state that is compared with stored ones.
pub(super) struct Newcomer<'s, 'd, P, C> {
    pub(super) probe: &'s mut Probe,
    pub(super) state: &'s SymbolicState,
    pub(super) replace: Replace<'d>,
    pub(super) payload: &'s P,
    pub(super) covering: &'s C,
}

impl<P, C: Covering<P>> Newcomer<'_, '_, P, C> {
    /// Whether a stored state covers it.
    #[inline]
    fn is_covered_by<T: Entry + Compared>(&mut self, id: u32, zone: &[T], nodes: &[Node<P>]) -> bool {
        T::covers(zone, self.probe)
            && (!C::IS_REFINED || self.covering.covers(stored(id, zone, nodes), self.as_new()))
    }

    /// Whether it covers a stored state.
    #[inline]
    fn covers<T: Entry + Compared>(&mut self, id: u32, zone: &[T], nodes: &[Node<P>]) -> bool {
        T::is_covered(zone, self.probe, self.state)
            && (!C::IS_REFINED || self.covering.is_covered(stored(id, zone, nodes), self.as_new()))
    }

    fn as_new(&self) -> NewState<'_, P> {
        NewState { state: self.state, payload: self.payload }
    }
}

fn stored<'s, T: Entry, P>(id: u32, zone: &'s [T], nodes: &'s [Node<P>]) -> StoredState<'s, P> {
    StoredState { id: StateId(id), payload: &nodes[id as usize].payload, zone: T::stored(zone) }
}

/// Compares a state with the zones of a block, the latest first; drops those that it covers. Says which one covers it.
#[inline]
pub(super) fn scan<T: Entry + Compared, P, C: Covering<P>>(
    arena: &mut Arena<T>,
    block: &mut Block,
    nodes: &mut [Node<P>],
    new: &mut Newcomer<'_, '_, P, C>,
) -> Option<u32> {
    if block.count == 0 {
        return None;
    }
    // Compiled twice: small blocks are the rule, and must not pay for large ones.
    if block.is_outlined() {
        let outlines = new.probe.outlines(new.state);
        scan_slots::<T, P, C, true>(arena, block, nodes, outlines, new)
    } else {
        scan_slots::<T, P, C, false>(arena, block, nodes, Outlines::default(), new)
    }
}

#[inline]
fn scan_slots<T: Entry + Compared, P, C: Covering<P>, const OUTLINED: bool>(
    arena: &mut Arena<T>,
    block: &mut Block,
    nodes: &mut [Node<P>],
    own: Outlines,
    new: &mut Newcomer<'_, '_, P, C>,
) -> Option<u32> {
    let state = new.state;
    let size = Arena::<T>::slot_size(state.zone.dim());
    let first = Arena::<T>::first_slot(*block);
    let (outlines, slots) = arena.parts_mut(*block, state.zone.dim());
    let mut count = usize::from(block.count);
    let mut position = count;
    let mut covering = None;
    while position > 0 {
        position -= 1;
        let (mut may_cover, mut may_go) = (true, true);
        if OUTLINED {
            let stored = T::read_outlines(&outlines[position * T::OUTLINES..][..T::OUTLINES]);
            may_cover = own.query.is_within(stored.zone);
            may_go = stored.query.is_within(own.zone);
            debug_assert!(are_right(may_cover, may_go, &slots[position * size..][..size], new.probe, state));
            if !may_cover && !may_go {
                continue;
            }
        }
        let at = position * size;
        let slot = &slots[at..at + size];
        let id = T::read_id(slot);
        debug_assert_eq!(nodes[id as usize].zone(), first.plus(at), "a state knows its slot");
        let (allows_covering, allows_going) = new.replace.allows(id);
        if may_cover && allows_covering && new.is_covered_by(id, &slot[T::HEADER..], nodes) {
            covering = Some(id);
            break;
        }
        if may_go && allows_going && new.covers(id, &slot[T::HEADER..], nodes) {
            nodes[id as usize].cover();
            // The last zone, which has been looked at, moves into the gap.
            count -= 1;
            if position != count {
                slots.copy_within(count * size..(count + 1) * size, at);
                nodes[T::read_id(&slots[at..]) as usize].set_zone(first.plus(at));
                if OUTLINED {
                    let last = count * T::OUTLINES;
                    outlines.copy_within(last..last + T::OUTLINES, position * T::OUTLINES);
                }
            }
        }
    }
    block.count = count as u8;
    covering
}

/// Whether outlines have hidden nothing: what they rule out is not so.
fn are_right<T: Entry + Compared>(
    may_cover: bool,
    may_go: bool,
    slot: &[T],
    probe: &mut Probe,
    state: &SymbolicState,
) -> bool {
    let stored = &slot[T::HEADER..];
    (may_cover || !T::covers(stored, probe)) && (may_go || !T::is_covered(stored, probe, state))
}

/// Makes a block larger; gives it outlines if they tell its zones and the new one apart.
pub(super) fn grow<T: Entry, P>(
    arena: &mut Arena<T>,
    block: &mut Block,
    nodes: &mut [Node<P>],
    probe: &mut Probe,
    state: &SymbolicState,
) {
    let dim = state.zone.dim();
    arena.grow(block, dim);
    let size = Arena::<T>::slot_size(dim);
    let first = Arena::<T>::first_slot(*block);
    let (outlines, slots) = arena.parts_mut(*block, dim);
    for (slot, offset) in slots.chunks_exact(size).zip((0..).step_by(size)) {
        nodes[T::read_id(slot) as usize].set_zone(first.plus(offset));
    }
    if block.has_room_for_outlines() && !block.is_outlined() {
        let own = probe.outlines(state);
        let mut is_useful = false;
        for (slot, outlines) in slots.chunks_exact(size).zip(outlines.chunks_exact_mut(T::OUTLINES)) {
            let stored = probe.outlines_of(&slot[T::HEADER..], state);
            is_useful |= stored != own;
            T::write_outlines(outlines, stored);
        }
        // Where zones differ in values only, outlines would be compared in vain; that may have changed when the block grows again.
        if is_useful {
            block.set_outlined();
        }
    }
}

/// Puts a zone into a block with room; says where.
#[inline]
pub(super) fn append<T: Entry>(
    arena: &mut Arena<T>,
    block: &mut Block,
    probe: &mut Probe,
    state: &SymbolicState,
    id: StateId,
    bound: impl Fn(Bound) -> T,
) -> Address {
    debug_assert!(!block.is_full());
    let position = usize::from(block.count);
    block.count += 1;
    let dim = state.zone.dim();
    let (outlines, slots) = arena.parts_mut(*block, dim);
    let at = position * Arena::<T>::slot_size(dim);
    let slot = &mut slots[at..];
    T::write_id(slot, id.0);
    for (to, &from) in slot[T::HEADER..].iter_mut().zip(state.zone.entries()) {
        *to = bound(from);
    }
    if block.is_outlined() {
        let outlines = &mut outlines[position * T::OUTLINES..][..T::OUTLINES];
        T::write_outlines(outlines, probe.outlines(state));
    }
    Arena::<T>::first_slot(*block).plus(at)
}
