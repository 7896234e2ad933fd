//! The zones of one block: comparing a new one with them, and adding it.

use super::{NONE, Node, Replace, StateId};
use crate::blocks::{Arena, Block};
use crate::matrix::Entry;
use crate::outline::Outlines;
use crate::probe::{Compared, Probe};
use crate::state::SymbolicState;
use guidepost_zones::Bound;

/// Compares a state with the zones of a block, the latest first; drops those that it covers. Says whether one covers it.
#[inline]
pub(super) fn scan<T: Entry + Compared>(
    arena: &mut Arena<T>,
    block: &mut Block,
    nodes: &mut [Node],
    probe: &mut Probe,
    state: &SymbolicState,
    replace: Replace<'_>,
) -> bool {
    if block.count == 0 {
        return false;
    }
    // Compiled twice: small blocks are the rule, and must not pay for large ones.
    if block.is_outlined() {
        let outlines = probe.outlines(state);
        scan_slots::<T, true>(arena, block, nodes, probe, outlines, state, replace)
    } else {
        scan_slots::<T, false>(arena, block, nodes, probe, Outlines::default(), state, replace)
    }
}

#[inline]
fn scan_slots<T: Entry + Compared, const OUTLINED: bool>(
    arena: &mut Arena<T>,
    block: &mut Block,
    nodes: &mut [Node],
    probe: &mut Probe,
    new: Outlines,
    state: &SymbolicState,
    replace: Replace<'_>,
) -> bool {
    let size = Arena::<T>::slot_size(state.zone.dim());
    let first = Arena::<T>::first_slot(*block);
    let (outlines, slots) = arena.parts_mut(*block, state.zone.dim());
    let mut count = usize::from(block.count);
    let mut position = count;
    let mut covered = false;
    while position > 0 {
        position -= 1;
        let (mut may_cover, mut may_go) = (true, true);
        if OUTLINED {
            let stored = T::read_outlines(&outlines[position * T::OUTLINES..][..T::OUTLINES]);
            may_cover = new.query.is_within(stored.zone);
            may_go = stored.query.is_within(new.zone);
            debug_assert!(are_right(may_cover, may_go, &slots[position * size..][..size], probe, state));
            if !may_cover && !may_go {
                continue;
            }
        }
        let at = position * size;
        let slot = &slots[at..at + size];
        let id = T::read_id(slot);
        let (allows_covering, allows_going) = replace.allows(id);
        if may_cover && allows_covering && T::covers(&slot[T::HEADER..], probe) {
            covered = true;
            break;
        }
        if may_go && allows_going && T::is_covered(&slot[T::HEADER..], probe, state) {
            nodes[id as usize].zone = NONE;
            // The last zone, which has been looked at, moves into the gap.
            count -= 1;
            if position != count {
                slots.copy_within(count * size..(count + 1) * size, at);
                nodes[T::read_id(&slots[at..]) as usize].zone = first + at as u32;
                if OUTLINED {
                    let last = count * T::OUTLINES;
                    outlines.copy_within(last..last + T::OUTLINES, position * T::OUTLINES);
                }
            }
        }
    }
    block.count = count as u16;
    covered
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
pub(super) fn grow<T: Entry>(
    arena: &mut Arena<T>,
    block: &mut Block,
    nodes: &mut [Node],
    probe: &mut Probe,
    state: &SymbolicState,
) {
    let dim = state.zone.dim();
    arena.grow(block, dim);
    let size = Arena::<T>::slot_size(dim);
    let first = Arena::<T>::first_slot(*block);
    let (outlines, slots) = arena.parts_mut(*block, dim);
    for (slot, address) in slots.chunks_exact(size).zip((first..).step_by(size)) {
        nodes[T::read_id(slot) as usize].zone = address;
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
) -> u32 {
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
    Arena::<T>::first_slot(*block) + at as u32
}
