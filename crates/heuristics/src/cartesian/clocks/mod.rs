//! Clocks as cells of boxes: how large each is at least.
//!
//! # The idea
//!
//! Boxes know nothing of differences between clocks, so in them time passes for each clock alone. Then a clock can always be made larger by waiting, and what excludes a
//! step is only that it is too large already: `x >= 5`, and later `x <= 3` without a reset between. So a clock needs no interval with two ends. Its cell holds a *lower bound*, and
//! the cell's values are the lower bounds that [differ](limits) in which upper bounds of the model they respect: `[0, c1], (c1, c2], …, (ck, ∞)`.
//!
//! Delays then need no transitions. A label waits [no longer than it has to](passage): it raises the lower bound to what guards and invariants demand, is impossible if that is
//! above what they allow, and leaves the bound there unless the clock is set. A label that does not mention a clock leaves its cell alone, as with any other cell.
//!
//! # Why estimates are admissible
//!
//! Say that values s of the cells *cover* a state of the network if locations and data agree and every clock is at least as large as its lower bound in s. For a state that can be reached:
//!
//! - If time passes, s still covers: clocks only grow, or stand still (stop-watches).
//! - If the network takes a step after some delay, the label of that step is possible in s, and leads to values that cover the next state. Let v be the value of a clock when the step is
//!   taken. It satisfies guards and invariants, and is no smaller than clocks of which it is an [elder](elders); so it is at least the lower bounds that these demand. So the raised bound is at most v, and at
//!   most what guards and invariants allow. If the clock keeps its value, the raised bound is a lower bound of it; if it is set, the smallest value that it can be set to is one. What is not known for
//!   sure (conditional and computed bounds, copies of clocks, resets in functions and update hooks) is as weak as it can be: 0 at the worst.
//! - If the state is a goal after some delay, s is one: the same argument, with the conditions of the goal and the invariants of its locations.
//!
//! So a run of n steps to a goal gives a way of n labels from s, and the distance in any abstraction of cells and labels is at most n; if there is no way, there is no run. This holds for
//! all states that s covers, so for a symbolic state **one look-up** will do: its locations and data, and the lower bounds of its zone, each strict or not. Whether the zone is as it was
//! entered or closed under delay, widened, or too far out to be canonical, makes no difference: its bounds are right, if perhaps weak. Abstractions of zones only add valuations that can do no more than one that is in
//! the zone and can be reached; so a goal that is n steps away in the zone graph is at most n steps away from a state that the look-up covers. A clock that is not in the zone may have any value, and is covered by 0.
//!
//! Urgent and committed locations are where time does not pass. Not waiting there would be more precise (`x >= 5` is impossible if x is 3), but then smaller values could do less than larger ones,
//! lower bounds would not cover, and estimates would have to look at all boxes that a zone meets. So labels wait everywhere.
//!
//! # What it costs
//!
//! A clock [decides](deciding) nothing if no label can raise its lower bound, from the initial one, above an upper bound that some label has. Most clocks of most models are of this kind:
//! reset, compared from below, compared from above with something larger. They have no cell, and cost nothing.
//!
//! - [`elders`]: which clocks are never smaller than others.
//! - [`limits`]: where the values of a clock are cut.
//! - [`passage`]: what a step wants of a clock and makes of it.
//! - [`labels`]: labels with clocks.

mod elders;
mod labels;
mod limits;
mod passage;
#[cfg(test)]
mod tests;

use super::abstraction::Abstraction;
use crate::factored::{Factored, LABELS, Label, System};
use elders::Elders;
use guidepost_explore::SymbolicState;
use guidepost_network::{ClockId, Goal, Network};
use labels::{Chosen, Treatments};
use limits::{Limits, are_bounded_below, point, smallest};
use passage::{Passage, Passages};

/// The clocks that have a cell.
pub(super) struct Clocks {
    /// The cell of the first; the others follow.
    first: usize,
    cells: Vec<ClockCell>,
    elders: Elders,
}

struct ClockCell {
    clock: ClockId,
    limits: Limits,
    /// Some label is impossible because of this clock alone.
    refuses_label: bool,
    /// Some abstraction is split along it.
    is_split: bool,
}

impl Clocks {
    /// No clock has a cell.
    pub(super) fn none(factored: &Factored) -> Self {
        Self { first: factored.cells.len(), cells: Vec::new(), elders: Elders::default() }
    }

    /// Adds cells for clocks that can refuse something, and what labels do to them.
    pub(super) fn add_to(factored: &mut Factored, network: &Network, goals: &[Goal]) -> Self {
        let mut clocks = Self::none(factored);
        let limits = deciding(&factored.labels, network, goals);
        for (index, limits) in limits.iter().enumerate().filter(|(_, limits)| !limits.is_empty()) {
            let clock = ClockId(index as u32);
            let initial = limits.number(point(network.initial_value(clock)));
            factored.cells.add(limits.size(), initial);
            clocks.cells.push(ClockCell {
                clock,
                limits: limits.clone(),
                refuses_label: false,
                is_split: false,
            });
        }
        if !clocks.cells.is_empty() {
            clocks.elders = useful_elders(network, goals, &limits);
            clocks.add_relations(factored, &Treatments::new(network, goals, &limits, &clocks.elders));
        }
        clocks
    }

    fn add_relations(&mut self, factored: &mut Factored, treatments: &Treatments) {
        let labels = std::mem::take(&mut factored.labels);
        let mut rest = labels.len();
        for label in labels {
            rest -= 1;
            let may_split = factored.labels.len() + rest < LABELS;
            treatments.for_each(&label, may_split, &mut |chosen, passages| {
                factored.labels.extend(self.with_clocks(&label, chosen, passages));
            });
        }
    }

    /// A label with some choices, and what it does to clocks then; nothing if that is not possible.
    fn with_clocks(&mut self, label: &Label, chosen: &[Chosen<'_>], passages: &Passages) -> Option<Label> {
        let mut label = label.clone();
        for (cell, relation) in &mut label.relations {
            if let Some((_, choice)) = chosen.iter().find(|(chosen, _)| chosen == cell) {
                relation.retain(|&pair| choice.allows(pair));
                if relation.is_empty() {
                    return None;
                }
            }
        }
        for (clock, passage) in passages {
            let place = self.cells.binary_search_by_key(clock, |cell| cell.clock).expect("it has limits");
            let cell = &mut self.cells[place];
            let relation = passage.relation(cell.limits.size());
            if relation.is_empty() {
                cell.refuses_label = true;
                return None;
            }
            let is_idle =
                relation.len() == cell.limits.size() as usize && relation.iter().all(|(from, to)| from == to);
            if !is_idle {
                label.relations.push((self.first + place, relation));
            }
        }
        Some(label)
    }

    /// The value of a cell in a state: the number of the zone's lower bound, if it is that of a clock.
    #[inline]
    pub(super) fn value(&self, cell: usize, state: &SymbolicState) -> i32 {
        let Some(place) = cell.checked_sub(self.first) else { return state.cells[cell] };
        let cell = &self.cells[place];
        if !cell.is_split {
            return 0;
        }
        let number = |place| cell.limits.number(smallest(state.zone.get(0, place))) as i32;
        state.place(cell.clock).map_or(0, number)
    }

    /// An abstraction is kept: its splits matter.
    pub(super) fn heed_splits(&mut self, system: &System, abstraction: &Abstraction) {
        for (place, cell) in self.cells.iter_mut().enumerate() {
            let kept = system.kept.binary_search(&(self.first + place));
            cell.is_split |= kept.is_ok_and(|kept| abstraction.is_split_along(kept as u32));
        }
    }

    /// Whether some abstraction is split along a clock.
    pub(super) fn are_split(&self) -> bool {
        self.cells.iter().any(|cell| cell.is_split)
    }

    /// Whether the abstractions would be the same without the clock.
    pub(super) fn is_ignored(&self, clock: ClockId) -> bool {
        let is_used = |cell: &ClockCell| cell.is_split || cell.refuses_label;
        let elders = self.elders.of(clock);
        !self.cells.iter().any(|cell| is_used(cell) && (cell.clock == clock || elders.contains(&cell.clock)))
    }
}

/// By clock of the network: its upper bounds, if it can ever exceed one of them; none otherwise.
fn deciding(labels: &[Label], network: &Network, goals: &[Goal]) -> Vec<Limits> {
    let mut limits = Limits::of_network(network, goals);
    if limits.iter().all(Limits::is_empty) {
        return limits;
    }
    let treatments = Treatments::new(network, goals, &limits, &useful_elders(network, goals, &limits));
    let mut passages: Vec<Vec<Passage>> = vec![Vec::new(); limits.len()];
    for label in labels {
        treatments.for_each(label, true, &mut |_, of_label| {
            for (clock, passage) in of_label {
                passages[clock.index()].push(*passage);
            }
        });
    }
    for (index, passages) in passages.iter_mut().enumerate() {
        passages.sort_unstable();
        passages.dedup();
        let initial = limits[index].number(point(network.initial_value(ClockId(index as u32))));
        if !can_refuse(passages, initial, limits[index].size()) {
            limits[index] = Limits::default();
        }
    }
    limits
}

/// The elders through which a lower bound may matter.
fn useful_elders(network: &Network, goals: &[Goal], limits: &[Limits]) -> Elders {
    let are_bounded_below = are_bounded_below(network, goals);
    let has_limits = |clock: ClockId| !limits[clock.index()].is_empty();
    Elders::new(network, has_limits, |clock| are_bounded_below[clock.index()])
}

/// Whether some passage is refused to a number that the others lead to.
fn can_refuse(passages: &[Passage], initial: u32, size: u32) -> bool {
    let mut is_reached = vec![false; size as usize];
    let mut next = vec![initial];
    while let Some(from) = next.pop() {
        if std::mem::replace(&mut is_reached[from as usize], true) {
            continue;
        }
        for passage in passages {
            match passage.to(from) {
                Some(to) => next.push(to),
                None => return true,
            }
        }
    }
    false
}
