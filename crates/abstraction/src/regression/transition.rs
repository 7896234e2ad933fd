//! Transitions as far as they concern what is kept, and regression through one of them.

use super::kept::Kept;
use super::mask;
use super::region::{Condition, Region, bounds};
use super::update::Update;
use guidepost_network::{ClockEffect, ClockValue, EdgeId, LocationId, LocationKind, Machine, Network};
use guidepost_zones::Bound;

/// A transition, or several that look alike.
pub struct Transition {
    /// The processes that move: cell, location before, location after.
    moves: Vec<(usize, usize, usize)>,
    /// The guards on data.
    pub guards: Vec<Condition>,
    /// The guards on clocks.
    pub clock_guards: Vec<(usize, usize, Bound)>,
    /// In the order in which they run.
    pub updates: Vec<Update>,
    /// Cells that anything may have happened to.
    havoc: Vec<usize>,
    resets: Vec<Reset>,
    /// Whether it may leave a committed location.
    may_leave_committed: bool,
    /// The cells it may write.
    written: Vec<usize>,
}

/// What a transition does to a clock.
#[derive(Clone, Copy, Debug)]
struct Reset {
    clock: usize,
    /// Between which values it is afterwards, if that is known.
    value: Option<(i32, i32)>,
}

/// What happens beside the edges that matter.
#[derive(Clone, Default, Debug)]
pub struct Beside {
    /// Others may take part, of whom nothing is known.
    pub has_partners: bool,
    /// Edges that may take part or not.
    pub perhaps: Vec<EdgeId>,
}

impl Transition {
    /// The transitions of some edges, with what may happen beside them. The machine knows the network's code.
    pub fn new(
        network: &Network,
        symbols: &Kept,
        machine: &mut Machine<'_>,
        edges: &[EdgeId],
        beside: &Beside,
    ) -> Self {
        let data = edges.iter().map(|&edge| &network.edges[edge.index()]);
        let perhaps = beside.perhaps.iter().map(|&edge| &network.edges[edge.index()]);
        let is_committed =
            |location: LocationId| network.locations[location.index()].kind == LocationKind::Committed;
        let mut transition = Self {
            moves: Vec::new(),
            guards: Vec::new(),
            clock_guards: Vec::new(),
            updates: Vec::new(),
            havoc: Vec::new(),
            resets: Vec::new(),
            may_leave_committed: beside.has_partners
                || data.clone().chain(perhaps.clone()).any(|edge| is_committed(edge.source)),
            written: Vec::new(),
        };
        let mut effects: Vec<ClockEffect> = Vec::new();
        for edge in data {
            if let Some(cell) = symbols.cell(edge.process.index()) {
                let value = |location: LocationId| symbols.index(cell, location.0 as i32).unwrap_or(0);
                transition.moves.push((cell, value(edge.source), value(edge.target)));
            }
            for &code in &edge.data_guard {
                transition.guards.extend(Condition::new(symbols, machine, code));
            }
            transition.clock_guards.extend(bounds(symbols, &edge.clock_guard));
            transition.updates.extend(edge.update.map(|code| Update::new(network, symbols, code)));
            effects.extend(&edge.clock_effects);
        }
        for edge in perhaps {
            transition.havoc.extend(symbols.cell(edge.process.index()));
            transition
                .havoc
                .extend(edge.update.iter().flat_map(|&code| Update::new(network, symbols, code).targets()));
            effects.extend(edge.clock_effects.iter().map(|effect| ClockEffect { always: false, ..*effect }));
        }
        transition.havoc.sort_unstable();
        transition.havoc.dedup();
        transition.resets = resets(symbols, &effects);
        let moved = transition.moves.iter().filter(|(_, from, to)| from != to).map(|&(cell, ..)| cell);
        let written = transition.updates.iter().flat_map(Update::targets);
        transition.written = moved.chain(written).chain(transition.havoc.iter().copied()).collect();
        transition.written.sort_unstable();
        transition.written.dedup();
        transition
    }

    /// Whether it changes anything that is kept.
    pub fn has_effect(&self) -> bool {
        !self.written.is_empty() || !self.resets.is_empty()
    }

    /// The cells of the processes that move.
    pub fn moved(&self) -> impl Iterator<Item = usize> + '_ {
        self.moves.iter().map(|&(cell, ..)| cell)
    }

    /// The cells it may write.
    pub fn written(&self) -> &[usize] {
        &self.written
    }

    /// Whether something is known of what the transition writes. If not, the states before it are among those after it.
    pub fn concerns(&self, symbols: &Kept, region: &Region) -> bool {
        let is_bounded = |reset: &Reset| {
            let zone = &region.zone;
            (0..zone.dim()).any(|other| {
                other != reset.clock
                    && (!zone.get(reset.clock, other).is_infinite()
                        || zone.get(other, reset.clock) < zone.get(other, 0))
            })
        };
        self.written.iter().any(|&cell| region.is_constrained(symbols, cell))
            || self.resets.iter().any(is_bounded)
    }

    /// Goes from the states after the transition to (at least) those before it, without delay; says whether there are any. What holds in all states of a location is
    /// the caller's to add.
    pub fn regress(
        &self,
        invariants: &Invariants,
        symbols: &Kept,
        machine: &mut Machine<'_>,
        region: &mut Region,
    ) -> bool {
        debug_assert_eq!(region.zone.dim(), symbols.clocks.len(), "a region over these symbols");
        debug_assert!(self.moves.iter().all(|&(cell, ..)| cell < symbols.processes), "processes move");
        for &(cell, _, to) in &self.moves {
            if !mask::has(region.mask(symbols, cell), to) {
                return false;
            }
        }
        for &(cell, _, to) in &self.moves {
            if mask::single(region.mask(symbols, cell)).is_none() {
                region.set(symbols, cell, to);
                if !invariants.impose_one(symbols, machine, region, cell, to) {
                    return false;
                }
            }
        }
        for &cell in &self.havoc {
            region.free(symbols, cell);
        }
        // Updates still see the old locations.
        for &(cell, from, _) in &self.moves {
            region.set(symbols, cell, from);
        }
        if !self.updates.iter().rev().all(|update| update.regress(symbols, machine, region)) {
            return false;
        }
        if !self.may_leave_committed && invariants.is_committed(symbols, region) {
            return false;
        }
        for guard in &self.guards {
            if !guard.impose(symbols, machine, region) {
                return false;
            }
        }
        self.regress_clocks(region) && region.constrain(&self.clock_guards)
    }

    fn regress_clocks(&self, region: &mut Region) -> bool {
        for reset in &self.resets {
            if let Some((low, high)) = reset.value
                && !region.constrain(&[(reset.clock, 0, Bound::le(high)), (0, reset.clock, Bound::le(-low))])
            {
                return false;
            }
        }
        for reset in &self.resets {
            region.zone.free(reset.clock);
        }
        true
    }
}

/// What happens to the kept clocks. A clock that several effects write is known to have no particular value.
fn resets(symbols: &Kept, effects: &[ClockEffect]) -> Vec<Reset> {
    let mut resets: Vec<Reset> = Vec::new();
    for effect in effects {
        let Some(clock) = symbols.clock(effect.clock) else { continue };
        let value = match effect.value {
            ClockValue::Constant(low, high) if effect.always && low >= 0 => Some((low, high)),
            ClockValue::Constant(..) | ClockValue::Clock(..) => None,
        };
        match resets.iter_mut().find(|reset| reset.clock == clock) {
            Some(known) => known.value = None,
            None => resets.push(Reset { clock, value }),
        }
    }
    resets
}

/// What holds by itself in the locations of the processes that are kept.
pub struct Invariants {
    /// By cell of a process and value.
    of: Vec<Vec<Invariant>>,
}

struct Invariant {
    kind: LocationKind,
    data: Vec<Condition>,
    clocks: Vec<(usize, usize, Bound)>,
}

impl Invariants {
    /// Looks through the locations of the processes that are kept.
    pub fn new(network: &Network, symbols: &Kept, machine: &mut Machine<'_>) -> Self {
        let mut invariant = |cell: usize, value: usize| {
            let location = &network.locations[symbols.location(cell, value).index()];
            let data = location.data_invariant.iter();
            Invariant {
                kind: location.kind,
                data: data.filter_map(|&code| Condition::new(symbols, machine, code)).collect(),
                clocks: bounds(symbols, &location.clock_invariant),
            }
        };
        let of = (0..symbols.processes)
            .map(|cell| (0..symbols.cells[cell].size).map(|value| invariant(cell, value)).collect());
        Self { of: of.collect() }
    }

    /// All conditions and constraints that occur.
    pub fn data(&self) -> impl Iterator<Item = &Condition> {
        self.of.iter().flatten().flat_map(|invariant| &invariant.data)
    }

    /// All constraints on clocks that occur.
    pub fn clocks(&self) -> impl Iterator<Item = (usize, usize, Bound)> + '_ {
        self.of.iter().flatten().flat_map(|invariant| invariant.clocks.iter().copied())
    }

    fn impose_one(
        &self,
        symbols: &Kept,
        machine: &mut Machine<'_>,
        region: &mut Region,
        cell: usize,
        value: usize,
    ) -> bool {
        let invariant = &self.of[cell][value];
        region.constrain(&invariant.clocks)
            && invariant.data.iter().all(|condition| condition.impose(symbols, machine, region))
    }

    /// Adds the invariants of all locations that are known.
    pub fn impose(&self, symbols: &Kept, machine: &mut Machine<'_>, region: &mut Region) -> bool {
        (0..symbols.processes).all(|cell| {
            mask::single(region.mask(symbols, cell))
                .is_none_or(|value| self.impose_one(symbols, machine, region, cell, value))
        })
    }

    fn kinds<'r>(
        &'r self,
        symbols: &'r Kept,
        region: &'r Region,
        cell: usize,
    ) -> impl Iterator<Item = LocationKind> + 'r {
        mask::values(region.mask(symbols, cell)).map(move |value| self.of[cell][value].kind)
    }

    /// Whether some process is in a committed location for sure.
    fn is_committed(&self, symbols: &Kept, region: &Region) -> bool {
        let is_committed = |kind| kind == LocationKind::Committed;
        (0..symbols.processes).any(|cell| self.kinds(symbols, region, cell).all(is_committed))
    }

    /// Goes back in time as far as invariants and urgent locations allow. All invariants hold in the region, and do so afterwards.
    pub fn wait(&self, symbols: &Kept, region: &mut Region) -> bool {
        let is_urgent = |kind| kind != LocationKind::Normal;
        if (0..symbols.processes).any(|cell| self.kinds(symbols, region, cell).all(is_urgent)) {
            return true;
        }
        region.zone.down();
        (0..symbols.processes).all(|cell| {
            mask::single(region.mask(symbols, cell))
                .is_none_or(|value| region.constrain(&self.of[cell][value].clocks))
        })
    }
}
