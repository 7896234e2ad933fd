//! Which constants a clock may still be compared with: the L and U bounds behind every abstraction.
//!
//! L(x) is the largest c of a constraint x > c or x >= c that may still matter, U(x) likewise for x < c and x <= c (Behrmann, Bouyer, Larsen & Pelánek
//! 2004). They are computed separately for each location of each process, backwards: an edge passes the bounds of its target on to
//! its source, unless it resets the clock. In a state, the maximum over the current locations counts. A clock without any bound is *inactive*: its value
//! does not matter before it is reset, so it is left out of the zone.
//!
//! A copy `x := y` hands the bounds of x on to y, and they may come from any process, so with copies in the network every clock has the same bounds
//! everywhere: the largest of all locations, closed under copying.
//!
//! Where the engine needs the complement of a guard (who does *not* receive a broadcast, what a higher priority does *not* allow), a bound counts on
//! both sides, since the negation of x < c is x >= c.

use crate::diagonals::{BoundBefore, Diagonals};
use crate::sharp::SharpLocations;
use guidepost_network::{ClockConstraint, ClockId, ClockValue, Goal, LocationId, Network, Sync};
use guidepost_zones::{Bound, NO_BOUND};

/// The bounds of one clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockBound {
    /// The clock.
    pub clock: u32,
    /// L, or [`NO_BOUND`].
    pub lower: i32,
    /// U, or [`NO_BOUND`].
    pub upper: i32,
}

/// The bounds of all locations.
#[derive(Clone, Debug)]
pub struct LocalBounds {
    /// The clocks with a bound, location by location.
    bounds: Vec<ClockBound>,
    /// By location: where its bounds begin and end.
    spans: Vec<(u32, u32)>,
    /// Bounds that hold everywhere: the query's own, and all of them when clocks are copied.
    everywhere: Vec<ClockBound>,
    /// Copies `x := y + offset`: x, y and the smallest offset.
    copies: Vec<(usize, usize, i32)>,
    /// How many clocks the network has, the zero clock included.
    clocks: usize,
    /// Whether the bounds of the current locations, process by process, are already those of the state: by clock, and each clock once.
    is_in_order: bool,
}

/// Bounds grow by backward propagation through `x := y - c`; beyond this they are kept where they are.
pub(crate) const LARGEST_BOUND: i32 = Bound::FAR;

/// Which relation between states an abstraction preserves: how much it tells apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preserved {
    /// Lower and upper bounds apart: enough for reachability.
    Simulation,
    /// As before, and zones are never widened further than bisimulation allows: whatever a zone contains can do exactly what some reachable valuation can.
    Reachable,
    /// One bound for both: also for what a state can *not* do.
    Bisimulation,
}

impl LocalBounds {
    /// Computes the bounds of a network; the constraints of `goals` count everywhere, and `diagonals` wherever a clock of theirs is set. At `sharp`
    /// locations, bounds count on both sides.
    pub(crate) fn new(
        network: &Network,
        goals: &[&Goal],
        diagonals: &Diagonals,
        preserved: Preserved,
        sharp: &SharpLocations,
    ) -> Self {
        let copies = copies(network);
        // Copies make one row of all locations.
        let all_sharp = !sharp.is_empty() && !copies.is_empty();
        let preserved = if all_sharp { Preserved::Bisimulation } else { preserved };
        let mut table = Table::new(network, preserved, diagonals.compared_ranges().is_some());
        table.seed(diagonals, sharp);
        let mut everywhere = vec![(NO_BOUND, NO_BOUND); network.clocks.len()];
        for constraint in goals.iter().flat_map(|goal| &goal.clocks) {
            table.add(&mut everywhere, constraint, false);
        }
        for before in network.hook_effects.iter().flat_map(|effect| diagonals.bounds_before(effect)) {
            raise_before(&mut everywhere, &before);
        }
        if copies.is_empty() {
            while table.propagate() {}
        } else {
            table.lift(&mut everywhere);
            // `x := y - c` fails where y is below c, like a guard that says so.
            for &(_, from, offset) in &copies {
                if offset < 0 && from != 0 {
                    raise(&mut everywhere[from], offset.saturating_neg(), true, true);
                }
            }
            close_under_copies(&mut everywhere, &copies);
        }
        let mut bounds = Vec::new();
        let mut spans = Vec::new();
        for location in 0..network.locations.len() {
            let start = bounds.len() as u32;
            bounds.extend(table.sparse(location));
            spans.push((start, bounds.len() as u32));
        }
        let everywhere = sparse(&everywhere);
        debug_assert!(everywhere.iter().all(|bound| bound.clock != 0), "the zero clock has no bounds");
        debug_assert_eq!(spans.len(), network.locations.len());
        let mut local =
            Self { bounds, spans, everywhere, copies, clocks: network.clocks.len(), is_in_order: false };
        local.is_in_order = local.everywhere.is_empty() && local.follows_processes(network);
        local
    }

    /// Whether every process has clocks of its own, with higher numbers than those of the processes before. Clocks of templates are.
    fn follows_processes(&self, network: &Network) -> bool {
        let mut past = 0;
        network.processes.iter().all(|process| {
            let locations = process.locations.start as usize..process.locations.end as usize;
            let clocks = || locations.clone().flat_map(|at| self.at(at)).map(|bound| bound.clock);
            let follows = clocks().all(|clock| clock >= past);
            past = clocks().max().map_or(past, |clock| clock + 1);
            follows
        })
    }

    /// Whether the bounds of the current locations, process by process, are those of the state: by clock, and each clock once.
    #[inline]
    pub(crate) fn is_in_order(&self) -> bool {
        self.is_in_order
    }

    /// Makes a clock count up to a value everywhere, on both sides.
    pub fn observe(&mut self, clock: ClockId, value: i32) {
        let mut row = vec![(NO_BOUND, NO_BOUND); self.clocks];
        for bound in &self.everywhere {
            row[bound.clock as usize] = (bound.lower, bound.upper);
        }
        raise(&mut row[clock.index()], value, true, true);
        close_under_copies(&mut row, &self.copies);
        self.everywhere = sparse(&row);
        self.is_in_order &= self.everywhere.is_empty();
    }

    /// The bounds at a location.
    #[inline]
    pub fn at(&self, location: usize) -> &[ClockBound] {
        let (start, end) = self.spans[location];
        &self.bounds[start as usize..end as usize]
    }

    /// How many clocks have bounds at a location.
    #[inline]
    pub(crate) fn count_at(&self, location: usize) -> usize {
        let (start, end) = self.spans[location];
        (end - start) as usize
    }

    /// The bounds that hold everywhere.
    #[inline]
    pub fn everywhere(&self) -> &[ClockBound] {
        &self.everywhere
    }
}

type Row = [(i32, i32)];

struct Table<'n> {
    network: &'n Network,
    preserved: Preserved,
    /// Whether diagonals are respected when zones are compared.
    compares_diagonals: bool,
    clocks: usize,
    /// L and U by location and clock.
    rows: Vec<(i32, i32)>,
}

impl<'n> Table<'n> {
    fn new(network: &'n Network, preserved: Preserved, compares_diagonals: bool) -> Self {
        let clocks = network.clocks.len();
        let rows = vec![(NO_BOUND, NO_BOUND); clocks * network.locations.len()];
        Self { network, preserved, compares_diagonals, clocks, rows }
    }

    fn row_mut(&mut self, location: usize) -> &mut Row {
        &mut self.rows[location * self.clocks..(location + 1) * self.clocks]
    }

    fn seed(&mut self, diagonals: &Diagonals, sharp: &SharpLocations) {
        let network = self.network;
        for (index, location) in network.locations.iter().enumerate() {
            let mut row = self.row_mut(index).to_vec();
            let both = network.features.priorities || sharp.contains(LocationId(index as u32));
            for constraint in &location.clock_invariant {
                self.add(&mut row, constraint, both);
            }
            for edge in &network.edges[location.outgoing.start as usize..location.outgoing.end as usize] {
                let negated = both || may_stay_out(network, &edge.sync);
                for constraint in &edge.clock_guard {
                    self.add(&mut row, constraint, negated);
                }
                for before in edge.clock_effects.iter().flat_map(|effect| diagonals.bounds_before(effect)) {
                    raise_before(&mut row, &before);
                }
                // The invariant of the target is tested with the values after the update.
                let target = &network.locations[edge.target.index()];
                if both {
                    for constraint in &target.clock_invariant {
                        self.add(&mut row, constraint, true);
                    }
                }
            }
            self.row_mut(index).copy_from_slice(&row);
        }
    }

    /// Adds a constraint's constant; with `negated` its complement may be needed, too.
    fn add(&self, row: &mut Row, constraint: &ClockConstraint, negated: bool) {
        let (low, high) = constraint.bound.range();
        let (left, right) = (constraint.left.index(), constraint.right.index());
        let both = negated || self.preserved == Preserved::Bisimulation;
        if left != 0 && right != 0 {
            // Where diagonals are respected anyway, their clocks only have to be there.
            let reach =
                if self.compares_diagonals { 0 } else { low.saturating_abs().max(high.saturating_abs()) };
            for clock in [left, right] {
                raise(&mut row[clock], reach, true, true);
            }
        } else if right == 0 {
            raise(&mut row[left], high, both, true);
        } else {
            raise(&mut row[right], low.saturating_neg(), true, both);
        }
    }

    /// Raises `row` to the bounds of all locations, which then have none of their own.
    fn lift(&mut self, row: &mut Row) {
        for (index, bound) in self.rows.iter_mut().enumerate() {
            let entry = &mut row[index % self.clocks];
            *entry = (entry.0.max(bound.0), entry.1.max(bound.1));
            *bound = (NO_BOUND, NO_BOUND);
        }
    }

    /// Passes bounds from targets to sources once; says whether anything changed.
    fn propagate(&mut self) -> bool {
        let mut changed = false;
        for edge in &self.network.edges {
            for clock in 1..self.clocks {
                let bound = self.rows[edge.target.index() * self.clocks + clock];
                if bound == (NO_BOUND, NO_BOUND) {
                    continue;
                }
                let is_reset =
                    edge.clock_effects.iter().any(|effect| effect.clock.index() == clock && effect.always);
                if !is_reset {
                    changed |= self.pass(edge.source.index(), clock, bound);
                }
            }
        }
        changed
    }

    fn pass(&mut self, location: usize, clock: usize, bound: (i32, i32)) -> bool {
        let entry = &mut self.rows[location * self.clocks + clock];
        let before = *entry;
        *entry = (entry.0.max(bound.0), entry.1.max(bound.1));
        *entry != before
    }

    fn sparse(&self, location: usize) -> Vec<ClockBound> {
        sparse(&self.rows[location * self.clocks..(location + 1) * self.clocks])
    }
}

fn raise(entry: &mut (i32, i32), value: i32, lower: bool, upper: bool) {
    // A bound below zero never matters to a clock, but the clock is looked at.
    let value = value.clamp(0, LARGEST_BOUND);
    if lower {
        entry.0 = entry.0.max(value);
    }
    if upper {
        entry.1 = entry.1.max(value);
    }
}

fn raise_before(row: &mut Row, before: &BoundBefore) {
    raise(&mut row[before.clock.index()], before.bound, before.is_lower, before.is_upper);
}

/// All copies of clocks.
fn copies(network: &Network) -> Vec<(usize, usize, i32)> {
    let effects = network.edges.iter().flat_map(|edge| &edge.clock_effects).chain(&network.hook_effects);
    let mut copies: Vec<_> = effects
        .filter_map(|effect| match effect.value {
            ClockValue::Clock(source, low, _) => Some((effect.clock.index(), source.index(), low)),
            ClockValue::Constant(..) => None,
        })
        .collect();
    copies.sort_unstable();
    copies.dedup();
    copies
}

/// Hands bounds on along copies until nothing changes. A cycle of copies that raises a bound forever raises it to the ceiling.
fn close_under_copies(row: &mut Row, copies: &[(usize, usize, i32)]) {
    let enough = row.len() + 1;
    for round in 0.. {
        let mut changed = false;
        for &(to, from, offset) in copies {
            let (lower, upper) = shifted(row[to], if round < enough { offset } else { -LARGEST_BOUND });
            let before = row[from];
            row[from] = (before.0.max(lower), before.1.max(upper));
            changed |= from != 0 && row[from] != before;
        }
        row[0] = (NO_BOUND, NO_BOUND);
        if !changed {
            return;
        }
    }
}

/// `x := y + offset` turns a bound on x into one on y.
fn shifted((lower, upper): (i32, i32), offset: i32) -> (i32, i32) {
    let shift = |bound: i32| {
        if bound == NO_BOUND { NO_BOUND } else { bound.saturating_sub(offset).clamp(0, LARGEST_BOUND) }
    };
    (shift(lower), shift(upper))
}

/// Whether a process with this edge can be left out of a synchronisation because its guard does not hold.
fn may_stay_out(network: &Network, sync: &Sync) -> bool {
    match sync {
        Sync::Receive(channel) => {
            channel.candidates().iter().any(|id| network.channels[id.index()].broadcast)
        }
        Sync::Internal | Sync::Send(_) | Sync::Join(_) => false,
    }
}

fn sparse(row: &Row) -> Vec<ClockBound> {
    let bounded = |(_, bound): &(usize, &(i32, i32))| **bound != (NO_BOUND, NO_BOUND);
    let entry =
        |(clock, &(lower, upper)): (usize, &(i32, i32))| ClockBound { clock: clock as u32, lower, upper };
    let bounds: Vec<ClockBound> = row.iter().enumerate().filter(bounded).map(entry).collect();
    debug_assert!(bounds.iter().all(|bound| bound.lower.max(bound.upper) <= LARGEST_BOUND));
    bounds
}
