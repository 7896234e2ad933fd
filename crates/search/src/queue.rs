//! The states that a breadth-first search has waiting.
//!
//! States are stored in the order they are found, so a queue is a position: whoever comes after it waits.
//!
//! **Catching up.** A state may cover one that was expanded long ago: its zone came on a longer way, and it is larger. All that was found from the smaller one is now found
//! again, larger, and if the newcomer waits for its turn, it stays behind forever: the small ones keep going ahead, and everything is expanded as often as zones
//! grow. So a state that drops an expanded one is expanded next, and so are those of its successors that drop expanded ones in turn, until they have caught up: what still waits
//! further down is dropped before it was expanded. (Herbreteau and Tran 2015, *Improving search order for reachability testing in timed automata*, rank states for it, by the
//! trees below those that were dropped.) Every state is still expanded once or dropped, and the rest stay in breadth-first order. What is lost is that the first run found is a
//! shortest one, so nobody catches up where that is wanted.
//!
//! It does not always pay. Where even larger zones come soon, as in Fischer's protocol, who catches up is dropped in turn, and breadth-first order wastes less. So the queue counts how
//! many states were expanded in vain of late, and changes its mind; the share of those that it bears was found by trying, on some ten models.

use guidepost_explore::StateId;
use std::collections::VecDeque;

/// Whether a state that was stored has been expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    Waits,
    /// It is expanded before those that only wait.
    IsNext,
    Over,
}

/// The states that a breadth-first search has waiting.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// All states before this one have had their turn.
    next: u32,
    /// By state from there on; only where states catch up.
    turns: VecDeque<Turn>,
    /// States that are expanded before their turn.
    late: VecDeque<StateId>,
    /// Whether late states may catch up.
    catches_up: bool,
    /// States that were expanded before their turn and are not before `next` yet.
    over: u32,
    /// Whether late states catch up at the moment.
    is_hasty: bool,
    /// States expanded of late, and how many expanded states were dropped meanwhile.
    expanded: u32,
    wasted: u32,
    /// How many are expanded when it is decided again whether late states catch up.
    due: u32,
}

/// States between decisions.
const WINDOW: u32 = 512;
/// So many expanded states may be dropped for each hundred that are expanded: where late states catch up, and where they do not.
const MOST_WASTED: (u32, u32) = (55, 65);

impl Queue {
    /// An empty queue, in which late states catch up or not.
    pub(crate) fn new(catches_up: bool) -> Self {
        Self { catches_up, is_hasty: catches_up, due: WINDOW, ..Self::default() }
    }

    /// A state was stored, and others were dropped for it.
    #[inline]
    pub(crate) fn push(&mut self, id: StateId, dropped: &[StateId]) {
        if !self.catches_up {
            return;
        }
        debug_assert_eq!(id.index(), self.next as usize + self.turns.len(), "states are stored in order");
        self.wasted += dropped.iter().filter(|&&dropped| self.turn(dropped) == Turn::Over).count() as u32;
        let is_late = self.is_hasty && dropped.iter().any(|&dropped| self.turn(dropped) != Turn::Waits);
        if is_late {
            self.late.push_back(id);
        }
        self.turns.push_back(if is_late { Turn::IsNext } else { Turn::Waits });
    }

    /// The next state of so many that were stored; it may have been dropped in the meantime. Also, whether it is its turn.
    #[inline]
    pub(crate) fn pop(&mut self, stored: usize) -> Option<(StateId, bool)> {
        if self.catches_up {
            self.expanded += 1;
            if self.expanded >= self.due {
                self.reconsider();
            }
        }
        if let Some(id) = self.late.pop_front() {
            self.turns[(id.0 - self.next) as usize] = Turn::Over;
            self.over += 1;
            return Some((id, false));
        }
        while (self.next as usize) < stored {
            let id = StateId(self.next);
            self.next += 1;
            if self.turns.pop_front() != Some(Turn::Over) {
                return Some((id, true));
            }
            self.over -= 1;
        }
        None
    }

    /// Decides whether late states catch up from now on.
    #[cold]
    fn reconsider(&mut self) {
        let share = self.wasted * 100 / self.expanded;
        let was_hasty = self.is_hasty;
        self.is_hasty = if was_hasty { share <= MOST_WASTED.0 } else { share > MOST_WASTED.1 };
        if self.is_hasty == was_hasty {
            (self.expanded, self.wasted) = (self.expanded / 4 * 3, self.wasted / 4 * 3);
        } else {
            (self.expanded, self.wasted) = (0, 0);
        }
        self.due = self.expanded + WINDOW;
    }

    #[inline]
    fn turn(&self, id: StateId) -> Turn {
        let from_next = id.0.checked_sub(self.next);
        from_next.map_or(Turn::Over, |at| self.turns.get(at as usize).copied().unwrap_or(Turn::Waits))
    }

    /// Whether a stored state was not expanded yet.
    #[inline]
    pub(crate) fn waits(&self, id: StateId) -> bool {
        self.turn(id) != Turn::Over
    }

    /// The first state that has not had its turn.
    #[inline]
    pub(crate) fn next(&self) -> StateId {
        StateId(self.next)
    }

    /// How many of so many stored states wait, those dropped in the meantime included.
    pub(crate) fn waiting(&self, stored: usize) -> u64 {
        stored as u64 - u64::from(self.next) - u64::from(self.over)
    }

    /// Memory in use.
    pub(crate) fn bytes(&self) -> usize {
        self.turns.capacity() + self.late.capacity() * size_of::<StateId>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(queue: &mut Queue, stored: usize) -> Vec<u32> {
        std::iter::from_fn(|| queue.pop(stored)).map(|(id, _)| id.0).collect()
    }

    #[test]
    fn states_have_their_turns_in_the_order_they_were_found() {
        let mut queue = Queue::new(true);
        for id in 0..4 {
            queue.push(StateId(id), &[]);
        }
        assert_eq!(order(&mut queue, 4), [0, 1, 2, 3]);
        assert_eq!(queue.waiting(4), 0);
    }

    #[test]
    fn a_state_that_drops_an_expanded_one_is_next() {
        let mut queue = Queue::new(true);
        for id in 0..3 {
            queue.push(StateId(id), &[]);
        }
        assert_eq!(queue.pop(3), Some((StateId(0), true)));
        queue.push(StateId(3), &[StateId(2)]);
        queue.push(StateId(4), &[StateId(0)]);
        assert_eq!(queue.pop(5), Some((StateId(4), false)));
        assert!(!queue.waits(StateId(4)) && queue.waits(StateId(3)));
        // One that drops a state that caught up goes on catching up.
        queue.push(StateId(5), &[StateId(4)]);
        assert_eq!(queue.waiting(6), 4);
        assert_eq!(order(&mut queue, 6), [5, 1, 2, 3]);
        assert_eq!(queue.waiting(6), 0);
    }

    /// Where most of those who catch up are dropped in turn, they wait like all others.
    #[test]
    fn haste_that_is_in_vain_ends() {
        let mut queue = Queue::new(true);
        queue.push(StateId(0), &[]);
        assert_eq!(queue.pop(1), Some((StateId(0), true)));
        let mut hasty = 0;
        for id in 1..2 * WINDOW {
            queue.push(StateId(id), &[StateId(id - 1)]);
            let (popped, is_its_turn) = queue.pop(id as usize + 1).expect("one waits");
            assert_eq!(popped, StateId(id));
            hasty += u32::from(!is_its_turn);
        }
        assert!((WINDOW - 2..=WINDOW).contains(&hasty), "{hasty}");
    }

    #[test]
    fn nobody_catches_up_where_runs_must_be_shortest() {
        let mut queue = Queue::new(false);
        queue.push(StateId(0), &[]);
        assert_eq!(queue.pop(1), Some((StateId(0), true)));
        queue.push(StateId(1), &[]);
        queue.push(StateId(2), &[StateId(0)]);
        assert_eq!(order(&mut queue, 3), [1, 2]);
    }
}
