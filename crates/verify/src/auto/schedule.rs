//! Who gets how much effort.
//!
//! Every search but the breadth-first one has a *weight*, and a part of a short head start, which is what a small model costs more than breadth-first search.
//! The search that finds the shortest runs of all takes its part at once; the others take theirs in slices that double from round to round, like those of
//! breadth-first search. After that, breadth-first search goes on by a quarter at a time, and the others follow, each with its part of a share of that. So whatever finds the goal after effort t finds it here
//! after a multiple of t that does not depend on how slow the others are; and a proof costs little more than breadth-first search. A search whose estimates have become better in the second half of
//! its work is on its way, and gets more for as long as that goes on: where there is no goal, it soon stops. The one that is to arrive first gets nearly as much as
//! breadth-first search, and the others no more than usual: where every state has hundreds of successors and the goal is hundreds of steps away, nothing but such a search finds it.

use guidepost_search::{MILLISECOND, Outlook};

/// What each search may do in the first round, and the last to which that is doubled.
const FIRST: u64 = MILLISECOND;
const DOUBLINGS: u32 = 4;
/// For each query, all searches beside the breadth-first one together, whatever that does.
const HEAD_START: u64 = 32 * MILLISECOND;
/// And so much more for all that it does, in percent.
const SHARE: u64 = 22;
/// When it has done this, the query is hard: others get more from then on.
const HARD: u64 = 2000 * MILLISECOND;
const SHARE_WHEN_HARD: u64 = 40;
/// A search that comes nearer to its goal gets so many times its part; fewer times of what it gets for being hard, so that a proof takes less than twice as long as breadth-first search alone.
const WHEN_NEARER: u64 = 4;
const NEARER_WHEN_HARD: u64 = 2;
/// What the search that is to arrive first gets for all that breadth-first search does, in percent.
const SHARE_WHEN_ARRIVING: u64 = 80;
/// By how much breadth-first search goes on, in percent.
const GROWTH: u64 = 25;
/// An estimate that takes as long as so many expansions is abandoned.
const PATIENCE: u64 = 500;
/// But no estimate is too long that takes less than this.
const SHORT: u64 = MILLISECOND / 5;
/// Effort of breadth-first search after which it has looked for errors of the model long enough: from then on, proofs count that pass over them.
const ERRORS_SOUGHT: u64 = 1000 * MILLISECOND;
/// Effort of breadth-first search before the first database is tried, and by how much it has to grow before the next.
const FIRST_DATABASE: u64 = ERRORS_SOUGHT;
const NEXT_DATABASE: u64 = 3;
/// So many abstract states for those that breadth-first search has expanded, in percent: each takes about as long, or twice as long. More of them when
/// the query has turned out to be very hard.
const ABSTRACT: u64 = 3;
const VERY_HARD: u64 = 2 * HARD;
const ABSTRACT_WHEN_VERY_HARD: u64 = 40;

/// What finding ranges may take of what breadth-first search does, in percent.
const RANGES: u64 = 8;

/// How far the turns have got.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    queries: u64,
    round: u32,
    /// Effort of breadth-first search so far, and the states it has expanded.
    blind: u64,
    expansions: u64,
}

impl Schedule {
    /// Nothing has begun, for so many queries.
    pub(super) fn new(queries: usize) -> Self {
        Self { queries: queries as u64, round: 0, blind: 0, expansions: 0 }
    }

    /// The next round, breadth-first search having done so much and expanded so many states.
    pub(super) fn next(&mut self, blind: u64, expansions: u64) {
        *self = Self { round: self.round + 1, blind, expansions, ..*self };
    }

    /// The effort in all at which breadth-first search has to pause.
    pub(super) fn breadth_first(self) -> u64 {
        self.slice().max(self.blind + self.blind * GROWTH / 100)
    }

    /// The effort in all at which another search has to pause: it has a part of the weight of all, and perhaps goes first. One that comes nearer to its goal has more.
    pub(super) fn beside(self, weight: u64, weights: u64, goes_first: bool, outlook: Outlook) -> u64 {
        let part =
            |effort: u64| (u128::from(effort) * u128::from(weight) / u128::from(weights.max(1))) as u64;
        let late = self.blind.saturating_sub(HARD);
        let early = self.blind - late;
        let head_start = part(HEAD_START * self.queries);
        let slice = if goes_first { head_start } else { self.slice().min(head_start) };
        let (share, hard) = (part(early / 100 * SHARE), part(late / 100 * SHARE_WHEN_HARD));
        slice
            + match outlook {
                Outlook::Stuck => share + hard,
                Outlook::Nearer | Outlook::Arriving(_) => share * WHEN_NEARER + hard * NEARER_WHEN_HARD,
            }
    }

    /// The effort in all at which the one search of a query has to pause that is to arrive first.
    pub(super) fn arriving(self) -> u64 {
        self.blind / 100 * SHARE_WHEN_ARRIVING / self.queries.max(1)
    }

    /// The effort that one estimate is worth.
    pub(super) fn patience(self) -> u64 {
        let expansion = self.blind.checked_div(self.expansions);
        expansion.map_or(u64::MAX, |effort| effort.saturating_mul(PATIENCE).max(SHORT))
    }

    /// The abstract states of a database that is worth trying when breadth-first search has done so much since `last` tried; `None`: not yet.
    pub(super) fn database(self, last: Option<u64>) -> Option<u64> {
        let due = last.map_or(FIRST_DATABASE, |last| last.saturating_mul(NEXT_DATABASE));
        let percent = if self.blind < VERY_HARD { ABSTRACT } else { ABSTRACT_WHEN_VERY_HARD };
        (self.blind >= due).then_some(self.expansions * percent / 100)
    }

    /// Effort of breadth-first search so far.
    pub(super) fn blind(self) -> u64 {
        self.blind
    }

    /// Whether depth-first search takes part: its runs are long, so the others go first.
    pub(super) fn has_depth_first(self) -> bool {
        self.round >= 2
    }

    /// Whether refinement takes part, whose proofs pass over errors of the model if there can be any.
    pub(super) fn has_refinement(self, can_fail: bool) -> bool {
        if can_fail { self.blind >= ERRORS_SOUGHT } else { self.round >= 2 }
    }

    /// The effort in all at which finding ranges has to pause.
    pub(super) fn ranges(self) -> u64 {
        self.blind / 100 * RANGES
    }

    fn slice(self) -> u64 {
        FIRST << self.round.min(DOUBLINGS)
    }
}
