//! Labels with clocks.
//!
//! A label may stand for several edges of a process, those that do the same to locations and data. Where they treat clocks in different ways, the label is split, so that each
//! way has its own pairs of locations. Where that would be too many labels, it stays one, and allows what one of the ways allows.

use super::elders::Elders;
use super::limits::{Limits, Side, side, whole};
use super::passage::{Passage, Passages, joined};
use crate::factored::{Label, Mover};
use guidepost_network::{ClockConstraint, ClockEffect, ClockId, ClockValue, Edge, Goal, LocationId, Network};
use rustc_hash::FxHashMap;

/// So many labels may become of one.
const SPLIT: usize = 64;
/// The way that leaves all clocks alone.
const IDLE: u32 = 0;

/// What the edges, the goals and the updates around every step do to clocks.
pub(super) struct Treatments {
    /// Different ways to treat clocks, the first of which is [`IDLE`].
    ways: Vec<Passages>,
    /// By edge: its way.
    of_edge: Vec<u32>,
    of_goal: Vec<Passages>,
    around: Passages,
}

/// The edges of a process that treat clocks in one way.
pub(super) struct Choice {
    way: u32,
    /// Their locations, from and to.
    pairs: Vec<(u32, u32)>,
    /// Or none: the process stays where it is.
    may_stay: bool,
}

/// The cell of a process, and what it has chosen.
pub(super) type Chosen<'c> = (usize, &'c Choice);

impl Choice {
    /// Whether the process may move like this.
    pub(super) fn allows(&self, pair: (u32, u32)) -> bool {
        (self.may_stay && pair.0 == pair.1) || self.pairs.contains(&pair)
    }
}

impl Treatments {
    /// As far as clocks with limits are concerned.
    pub(super) fn new(network: &Network, goals: &[Goal], limits: &[Limits], elders: &Elders) -> Self {
        let writer = || Writer { limits, elders, passages: Passages::new() };
        let mut ways = vec![Passages::new()];
        let mut known = FxHashMap::from_iter([(Passages::new(), IDLE)]);
        let mut number = |passages: Passages| {
            *known.entry(passages).or_insert_with_key(|passages| {
                ways.push(passages.clone());
                ways.len() as u32 - 1
            })
        };
        let of_edge = network.edges.iter().map(|edge| number(of_edge(network, edge, writer()))).collect();
        let of_goal = goals.iter().map(|goal| of_goal(network, goal, writer)).collect();
        let mut around = writer();
        around.write(&network.hook_effects);
        Self { around: around.finish(), ways, of_edge, of_goal }
    }

    /// Visits everything that becomes of a label: the choices of processes that have several, and what happens to clocks then.
    pub(super) fn for_each(
        &self,
        label: &Label,
        may_split: bool,
        visit: &mut dyn FnMut(&[Chosen<'_>], &Passages),
    ) {
        if let Some(goal) = label.goal {
            return visit(&[], &self.of_goal[goal]);
        }
        let choices: Vec<(usize, Vec<Choice>)> =
            label.movers.iter().map(|mover| (mover.cell, self.choices(mover))).collect();
        let combinations =
            choices.iter().fold(1_usize, |product, (_, list)| product.saturating_mul(list.len()));
        if combinations > SPLIT || !may_split {
            return visit(&[], &self.any(&choices));
        }
        let mut at = vec![0; choices.len()];
        loop {
            let mut passages = self.around.clone();
            let mut chosen = Vec::new();
            for ((cell, list), &at) in choices.iter().zip(&at) {
                passages = joined(&passages, &self.ways[list[at].way as usize], Passage::and);
                if list.len() > 1 {
                    chosen.push((*cell, &list[at]));
                }
            }
            visit(&chosen, &passages);
            let more = |place: &usize| at[*place] + 1 < choices[*place].1.len();
            let Some(place) = (0..at.len()).find(more) else { return };
            at[..place].fill(0);
            at[place] += 1;
        }
    }

    /// A process' edges, by what they do to clocks.
    fn choices(&self, mover: &Mover) -> Vec<Choice> {
        let mut list: Vec<Choice> = Vec::new();
        if mover.may_stay {
            list.push(Choice { way: IDLE, pairs: Vec::new(), may_stay: true });
        }
        for edge in &mover.edges {
            let way = self.of_edge[edge.edge as usize];
            match list.iter_mut().find(|choice| choice.way == way) {
                Some(choice) => choice.pairs.push(edge.pair),
                None => list.push(Choice { way, pairs: vec![edge.pair], may_stay: false }),
            }
        }
        list
    }

    /// What one of the choices of every process allows.
    fn any(&self, choices: &[(usize, Vec<Choice>)]) -> Passages {
        let mut passages = self.around.clone();
        for (_, list) in choices {
            let ways = list.iter().map(|choice| self.ways[choice.way as usize].clone());
            let any = ways.reduce(|one, other| joined(&one, &other, Passage::or)).unwrap_or_default();
            passages = joined(&passages, &any, Passage::and);
        }
        passages
    }
}

/// What an edge does to clocks.
fn of_edge(network: &Network, edge: &Edge, mut writer: Writer<'_>) -> Passages {
    let invariant = |location: LocationId| &network.locations[location.index()].clock_invariant;
    writer.before(&edge.clock_guard);
    writer.before(invariant(edge.source));
    writer.after(invariant(edge.target));
    writer.write(&edge.clock_effects);
    writer.finish()
}

/// What a goal wants of clocks: its own conditions, and one of the invariants of each process.
fn of_goal<'l>(network: &Network, goal: &Goal, writer: impl Fn() -> Writer<'l>) -> Passages {
    let wants = |constraints: &[ClockConstraint]| {
        let mut writer = writer();
        writer.before(constraints);
        writer.finish()
    };
    let mut passages = wants(&goal.clocks);
    for (_, locations) in &goal.locations {
        let invariants =
            locations.iter().map(|location| wants(&network.locations[location.index()].clock_invariant));
        let any = invariants.reduce(|one, other| joined(&one, &other, Passage::or)).unwrap_or_default();
        passages = joined(&passages, &any, Passage::and);
    }
    passages
}

/// Collects what happens to clocks that have limits.
struct Writer<'l> {
    limits: &'l [Limits],
    elders: &'l Elders,
    passages: Passages,
}

impl Writer<'_> {
    fn passage(&mut self, clock: ClockId) -> Option<(&mut Passage, &Limits)> {
        let limits = &self.limits[clock.index()];
        if limits.is_empty() {
            return None;
        }
        let at = self.passages.binary_search_by_key(&clock, |(clock, _)| *clock).unwrap_or_else(|at| {
            self.passages.insert(at, (clock, Passage::FREE));
            at
        });
        Some((&mut self.passages[at].1, limits))
    }

    /// Something holds before the step.
    fn before(&mut self, constraints: &[ClockConstraint]) {
        self.restrict(constraints, Passage::restrict_before);
    }

    /// Something holds after the step.
    fn after(&mut self, constraints: &[ClockConstraint]) {
        self.restrict(constraints, Passage::restrict_after);
    }

    fn restrict(&mut self, constraints: &[ClockConstraint], restrict: impl Fn(&mut Passage, Side, &Limits)) {
        let elders = self.elders;
        for (clock, side) in constraints.iter().filter_map(side) {
            let elders = if matches!(side, Side::Least(_)) { elders.of(clock) } else { &[] };
            for &clock in std::iter::once(&clock).chain(elders) {
                if let Some((passage, limits)) = self.passage(clock) {
                    restrict(passage, side, limits);
                }
            }
        }
    }

    fn write(&mut self, effects: &[ClockEffect]) {
        for effect in effects {
            if let Some((passage, limits)) = self.passage(effect.clock) {
                // Clocks are never negative, so what comes from one is at least what is added to it.
                let (ClockValue::Constant(least, _) | ClockValue::Clock(_, least, _)) = effect.value;
                passage.write(limits.number(whole(least.max(0))), effect.always);
            }
        }
    }

    /// Without those to which nothing happens.
    fn finish(mut self) -> Passages {
        self.passages.retain(|(_, passage)| *passage != Passage::FREE);
        self.passages
    }
}
