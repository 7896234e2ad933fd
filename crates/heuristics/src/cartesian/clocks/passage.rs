//! What a step wants of a clock, and what it makes of it.

use super::limits::{Limits, Side};
use crate::factored::Relation;
use guidepost_network::ClockId;

/// Numbers of a clock from and to which something is allowed. Nothing is, if they are the wrong way round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Span {
    least: u32,
    most: u32,
}

impl Span {
    const ANY: Self = Self { least: 0, most: u32::MAX };

    fn restrict(&mut self, side: Side, limits: &Limits) {
        match side {
            Side::Least(point) => self.least = self.least.max(limits.number(point)),
            Side::Most(point) => self.most = self.most.min(limits.number(point)),
        }
    }

    fn and(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    fn or(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// The smallest number allowed that is not below another.
    fn from(self, number: u32) -> Option<u32> {
        let first = number.max(self.least);
        (first <= self.most).then_some(first)
    }
}

/// How a clock passes a step, in numbers of its lower bound: wait until the step is possible, no longer; then it is set, or keeps its value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Passage {
    /// Guards, and the invariants of what is left.
    before: Span,
    /// The invariants of what is entered.
    after: Span,
    /// The smallest number that it may be set to.
    set: Option<u32>,
    /// Whether it may be left as it is.
    may_keep: bool,
}

impl Passage {
    /// Nothing happens to the clock.
    pub(super) const FREE: Self = Self { before: Span::ANY, after: Span::ANY, set: None, may_keep: true };

    pub(super) fn restrict_before(&mut self, side: Side, limits: &Limits) {
        self.before.restrict(side, limits);
    }

    pub(super) fn restrict_after(&mut self, side: Side, limits: &Limits) {
        self.after.restrict(side, limits);
    }

    /// Something may be written, this number at least, or will be.
    pub(super) fn write(&mut self, number: u32, always: bool) {
        *self = self.and(Self { set: Some(number), may_keep: !always, ..Self::FREE });
    }

    /// Both at once.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            before: self.before.and(other.before),
            after: self.after.and(other.after),
            set: smaller(self.set, other.set),
            may_keep: self.may_keep && other.may_keep,
        }
    }

    /// One or the other.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            before: self.before.or(other.before),
            after: self.after.or(other.after),
            set: smaller(self.set, other.set),
            may_keep: self.may_keep || other.may_keep,
        }
    }

    /// The smallest number afterwards; none if the step is not possible.
    pub(super) fn to(self, from: u32) -> Option<u32> {
        let waited = self.before.from(from)?;
        let set = self.set.and_then(|number| self.after.from(number));
        // What keeps its value was in the target's invariant before, so waiting for that is waiting before.
        let kept = self.before.and(self.after).from(waited).filter(|_| self.may_keep);
        smaller(set, kept)
    }

    /// As pairs, for a clock with so many numbers.
    pub(super) fn relation(self, size: u32) -> Relation {
        (0..size).filter_map(|from| Some((from, self.to(from)?))).collect()
    }
}

fn smaller(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    one.into_iter().chain(other).min()
}

/// Passages of some clocks, by ascending clock; the others pass freely.
pub(super) type Passages = Vec<(ClockId, Passage)>;

/// The passages that two lists make together.
pub(super) fn joined(
    one: &Passages,
    other: &Passages,
    join: impl Fn(Passage, Passage) -> Passage,
) -> Passages {
    let mut clocks: Vec<ClockId> = one.iter().chain(other).map(|(clock, _)| *clock).collect();
    clocks.sort_unstable();
    clocks.dedup();
    let of = |list: &Passages, clock| {
        list.binary_search_by_key(&clock, |(clock, _)| *clock).map_or(Passage::FREE, |at| list[at].1)
    };
    clocks.into_iter().map(|clock| (clock, join(of(one, clock), of(other, clock)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(least: u32, most: u32) -> Span {
        Span { least, most }
    }

    #[test]
    fn what_keeps_its_value_waits_no_longer_than_it_has_to() {
        let passage = Passage { before: span(2, 4), ..Passage::FREE };
        assert_eq!(passage.relation(6), [(0, 2), (1, 2), (2, 2), (3, 3), (4, 4)]);
        let passage = Passage { before: span(0, 4), after: span(1, 3), ..Passage::FREE };
        assert_eq!(passage.relation(6), [(0, 1), (1, 1), (2, 2), (3, 3)]);
    }

    #[test]
    fn what_is_set_forgets() {
        let mut passage = Passage { before: span(2, 4), ..Passage::FREE };
        passage.write(1, true);
        assert_eq!(passage.relation(6), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)]);
        passage.after = span(0, 0);
        assert!(passage.relation(6).is_empty(), "it is set to what it must not be");
    }

    #[test]
    fn the_smaller_value_counts_where_either_is_possible() {
        let mut passage = Passage::FREE;
        passage.write(2, false);
        assert_eq!(passage.relation(4), [(0, 0), (1, 1), (2, 2), (3, 2)]);
        // Set by one, perhaps set by another: never kept.
        passage.write(1, true);
        assert_eq!(passage.relation(3), [(0, 1), (1, 1), (2, 1)]);
    }

    #[test]
    fn alternatives_allow_what_one_of_them_allows() {
        let early = Passage { before: span(0, 1), ..Passage::FREE };
        let late = Passage { before: span(2, 9), set: Some(0), may_keep: false, ..Passage::FREE };
        let either = early.or(late);
        for from in 0..12 {
            for one in [early, late] {
                assert!(one.to(from).is_none_or(|to| either.to(from).is_some_and(|least| least <= to)));
            }
        }
        assert_eq!(early.and(late).to(0), None, "2 is above 1");
    }
}
