//! Labels that are bounds: for each clock the largest constants of lower and upper guards that matter, L and U.
//!
//! A label stands for all valuations that the exact zone simulates up to these constants: `a_LU` of the zone, see [`guidepost_zones::subsumption`]. That is more than a
//! zone could say, and is strengthened without looking at zones (Herbreteau, Srivathsan & Walukiewicz 2013, *Lazy Abstractions for Timed Automata*):
//!
//! - *Disabling*: if the constants of constraints that no valuation of the exact zone satisfies are in the label, none of the label satisfies them.
//! - *Along a transition*: let D be the clocks that the target's label has constants for. The source's label needs these constants, for the clocks their values come from, and those of guards on
//!   these clocks; the target's needs those of invariants on D. That suffices if the exact zone of the target contains, as far as D is concerned, whatever the transition makes of the exact zone of the source
//!   when nothing is known of other clocks there. For let v be in the source's label because of v' in the exact zone, and v take the transition and wait: then so does a valuation that is v' on the clocks that D comes
//!   from, and v elsewhere; what it leads to simulates what v leads to, and agrees on D with something in the exact zone. Where it does not suffice, other clocks of guards and invariants are added to D.
//! - *Covering*: the label has at least the constants of the one that it is to be within.
//!
//! Differences of clocks cannot be bounded in this way: networks that test them have labels that are zones.

use crate::arena::Arena;
use crate::bound_classes::{BoundClass, Hunt};
use crate::graph::{Graph, NONE};
use crate::labels::Witness;
use crate::operation::Operation;
use crate::setting::Setting;
use guidepost_zones::{Bound, Constraint, LuBounds, NO_BOUND, Zone};

/// Labels that are bounds.
pub(crate) struct BoundLabels {
    /// By label: L of all clocks, then U.
    bounds: Arena<i32>,
    classes: Vec<BoundClass>,
    /// How many nodes are listed in them.
    listed: usize,
    query: Vec<Bound>,
    /// Nodes whose label was strengthened.
    pub(crate) strengthened: Vec<u32>,
    pub(crate) rounds: u64,
}

impl BoundLabels {
    pub(crate) fn new() -> Self {
        Self {
            bounds: Arena::new(0),
            classes: Vec::new(),
            listed: 0,
            query: Vec::new(),
            strengthened: Vec::new(),
            rounds: 0,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bounds.bytes()
            + self.classes.capacity() * size_of::<BoundClass>()
            + self.listed * BoundClass::ENTRY
    }

    /// The class of a node.
    fn class(&mut self, graph: &Graph, node: u32) -> &mut BoundClass {
        let class = graph.class(node);
        if class >= self.classes.len() {
            self.classes.resize_with(class + 1, BoundClass::default);
        }
        &mut self.classes[class]
    }

    /// The bounds of a node that has some.
    fn get(&self, graph: &Graph, node: u32) -> Option<LuBounds<'_>> {
        let dim = graph.setting(node).dim();
        match graph.nodes[node as usize].label {
            NONE => None,
            label => {
                let (lower, upper) = self.bounds.get(label, 2 * dim).split_at(dim);
                Some(LuBounds { lower, upper })
            }
        }
    }

    /// The places of clocks that have a bound.
    pub(crate) fn bounded(&self, graph: &Graph, node: u32) -> impl Iterator<Item = usize> {
        let bounds = self.get(graph, node);
        bounds.into_iter().flat_map(|LuBounds { lower, upper }| {
            (1..lower.len()).filter(|&place| lower[place] >= 0 || upper[place] >= 0)
        })
    }

    /// See [`Labels::may_cover`](crate::labels::Labels::may_cover).
    #[inline]
    pub(crate) fn may_cover(&self, graph: &Graph, node: u32, by: u32, witness: &mut Witness) -> bool {
        let Some(bounds) = self.get(graph, by) else { return true };
        let (own, other) = (graph.exact(node), graph.exact(by));
        if own.exceeds_alu_at(&other, bounds, *witness) {
            return false;
        }
        match own.exceeds_alu(&other, bounds) {
            Some(exceeds) => {
                *witness = exceeds;
                false
            }
            None => true,
        }
    }

    fn is_within(&self, graph: &Graph, node: u32, other: u32) -> bool {
        let bounds = self.get(graph, other);
        bounds.is_none_or(|bounds| graph.exact(node).is_subset_alu(&graph.exact(other), bounds))
    }

    /// See [`Labels::fits`](crate::labels::Labels::fits).
    pub(crate) fn fits(&self, graph: &Graph, node: u32, within: u32) -> bool {
        self.has_bounds_of(graph, node, within) && self.is_within(graph, node, within)
    }

    fn has_bounds_of(&self, graph: &Graph, node: u32, other: u32) -> bool {
        let Some(demanded) = self.get(graph, other) else { return true };
        let Some(own) = self.get(graph, node) else { return false };
        demanded.lower.iter().zip(own.lower).all(|(demanded, own)| demanded <= own)
            && demanded.upper.iter().zip(own.upper).all(|(demanded, own)| demanded <= own)
    }

    /// See [`Labels::fit`](crate::labels::Labels::fit).
    pub(crate) fn fit(&mut self, graph: &mut Graph, node: u32, within: u32) -> bool {
        while !self.has_bounds_of(graph, node, within) {
            if let Some(LuBounds { lower, upper }) = self.get(graph, within) {
                let (lower, upper) = (lower.to_vec(), upper.to_vec());
                self.raise(graph, node, &lower, &upper);
            }
        }
        self.is_within(graph, node, within)
    }

    /// See [`Labels::disable`](crate::labels::Labels::disable).
    pub(crate) fn disable(&mut self, graph: &mut Graph, node: u32, constraints: &[Constraint]) {
        if self.exclude(graph, node, constraints) {
            return;
        }
        let zone = graph.exact(node);
        let reason = core(&zone.to_zone(), constraints);
        let dim = zone.dim();
        let mut demanded = nothing(dim);
        let (lower, upper) = demanded.split_at_mut(dim);
        demand(&reason, lower, upper);
        self.raise(graph, node, lower, upper);
    }

    /// See [`Labels::exclude`](crate::labels::Labels::exclude).
    pub(crate) fn exclude(&self, graph: &Graph, node: u32, constraints: &[Constraint]) -> bool {
        if graph.setting(node).restricted(constraints).is_none() {
            return true;
        }
        let has = |c: &&Constraint| self.get(graph, node).is_some_and(|bounds| has_constant(bounds, **c));
        let known: Vec<Constraint> = constraints.iter().filter(has).copied().collect();
        !graph.exact(node).to_zone().constrain_all(&known)
    }

    /// See [`Labels::follows`](crate::labels::Labels::follows).
    pub(crate) fn follows(&self, graph: &Graph, node: u32) -> bool {
        let Some(demands) = self.demands(graph, node) else { return true };
        let parent = graph.nodes[node as usize].parent;
        self.has(graph, node, &demands.own) && self.has(graph, parent, &demands.above)
    }

    /// Whether a node has at least some bounds.
    fn has(&self, graph: &Graph, node: u32, demanded: &[i32]) -> bool {
        match self.get(graph, node) {
            None => is_nothing(demanded),
            Some(LuBounds { lower, upper }) => {
                lower.iter().chain(upper).zip(demanded).all(|(own, demanded)| own >= demanded)
            }
        }
    }

    /// Raises the bounds of a node to at least the given ones, and those of all nodes above that this takes.
    pub(crate) fn raise(&mut self, graph: &mut Graph, node: u32, lower: &[i32], upper: &[i32]) {
        self.rounds += 1;
        let (mut node, mut demanded) = (node, [lower, upper].concat());
        while !self.has(graph, node, &demanded) {
            self.raise_one(graph, node, &demanded);
            if graph.nodes[node as usize].parent == NONE {
                break;
            }
            let Some(Demands { own, above }) = self.demands(graph, node) else { break };
            self.raise_one(graph, node, &own);
            node = graph.nodes[node as usize].parent;
            demanded = above;
        }
    }

    /// Lists a node that is about to be expanded, and raises its bounds to those of others in its class: what they had to learn it would have to learn as well, when it has covered many.
    pub(crate) fn list_expanded(&mut self, graph: &mut Graph, node: u32) {
        self.listed += 1;
        let common = &self.class(graph, node).common;
        if !common.is_empty() {
            let (lower, upper) = common.split_at(common.len() / 2);
            let (lower, upper) = (lower.to_vec(), upper.to_vec());
            self.raise(graph, node, &lower, &upper);
        }
        self.class(graph, node).list(node, graph.exact(node));
    }

    /// Gives a new node the bounds that a node of another graph has there.
    pub(crate) fn restore(&mut self, graph: &mut Graph, node: u32, labels: &Self, old: &Graph, was: u32) {
        if let Some(LuBounds { lower, upper }) = labels.get(old, was) {
            self.raise_one(graph, node, &[lower, upper].concat());
        }
    }

    /// Begins to look for whoever may cover a node.
    pub(crate) fn hunt(&mut self, graph: &Graph, node: u32) -> Hunt {
        let mut query = std::mem::take(&mut self.query);
        let mut class = std::mem::take(self.class(graph, node));
        let hunt = class.hunt(graph.exact(node), &mut query, |other, bounds| self.has(graph, other, bounds));
        *self.class(graph, node) = class;
        self.query = query;
        hunt
    }

    /// The next node that may do so.
    pub(crate) fn next(&mut self, graph: &Graph, node: u32, hunt: &mut Hunt) -> Option<u32> {
        self.class(graph, node).next(hunt)
    }

    fn raise_one(&mut self, graph: &mut Graph, node: u32, demanded: &[i32]) {
        let dim = graph.setting(node).dim();
        debug_assert_eq!(demanded.len(), 2 * dim);
        if graph.nodes[node as usize].label == NONE {
            graph.nodes[node as usize].label = self.bounds.add(&nothing(dim));
        }
        let label = graph.nodes[node as usize].label;
        for (own, &demanded) in self.bounds.get_mut(label, 2 * dim).iter_mut().zip(demanded) {
            *own = demanded.max(*own);
        }
        self.strengthened.push(node);
        let mut class = std::mem::take(self.class(graph, node));
        class.raise(self.bounds.get(label, 2 * dim));
        *self.class(graph, node) = class;
    }

    /// What the label of a node, if it says anything, demands of itself and of its parent's.
    fn demands(&self, graph: &Graph, node: u32) -> Option<Demands> {
        let own = self.get(graph, node)?;
        let parent = graph.nodes[node as usize].parent;
        let step = Step {
            source: graph.setting(parent),
            target: graph.setting(node),
            operation: graph.operation(node),
            from: graph.exact(parent).to_zone(),
            to: graph.exact(node).to_zone(),
            own,
        };
        Some(step.demands())
    }
}

/// What a label demands: of itself, and of that above it.
struct Demands {
    own: Vec<i32>,
    above: Vec<i32>,
}

/// A transition between exact zones, with the label of its target.
struct Step<'g> {
    source: &'g Setting,
    target: &'g Setting,
    operation: &'g Operation,
    from: Zone,
    to: Zone,
    own: LuBounds<'g>,
}

impl Step<'_> {
    /// Few constants that suffice. Clocks of guards and invariants are taken into account one by one only if it would not do without.
    fn demands(&self) -> Demands {
        let has_bound = |&place: &usize| self.own.lower[place] >= 0 || self.own.upper[place] >= 0;
        let mut after: Vec<bool> =
            (0..self.target.dim()).map(|place| place == 0 || has_bound(&place)).collect();
        let mut before = vec![false; self.source.dim()];
        before[0] = true;
        if !self.suffices(&before, &after) {
            let guard = self.operation.guard(self.source).map(clock_of);
            let guards: Vec<usize> = guard.filter(|&clock| !before[clock]).collect();
            let invariants = self.target.invariants.iter().copied().map(clock_of);
            let invariants: Vec<usize> = invariants.filter(|&clock| !after[clock]).collect();
            for &clock in &guards {
                before[clock] = true;
            }
            for &clock in &invariants {
                after[clock] = true;
            }
            for clock in guards {
                before[clock] = false;
                before[clock] = !self.suffices(&before, &after);
            }
            for clock in invariants {
                after[clock] = false;
                after[clock] = !self.suffices(&before, &after);
            }
        }
        self.constants(&before, &after)
    }

    /// The clocks of the source that some clocks of the target come from, and some others.
    fn clocks_before(&self, before: &[bool], after: &[bool]) -> Vec<bool> {
        let mut clocks = before.to_vec();
        for place in (1..after.len()).filter(|&place| after[place]) {
            if let Some((from, _)) = self.operation.clock_before(place, self.source, self.target) {
                clocks[from] = true;
            }
        }
        clocks
    }

    /// Whether the exact zone of the target contains what some clocks of it can be, when nothing is known of the source but some of its clocks.
    fn suffices(&self, before: &[bool], after: &[bool]) -> bool {
        let before = self.clocks_before(before, after);
        let mut from = self.from.clone();
        forget(&mut from, &before);
        for c in self.operation.guard(self.source).filter(|&c| before[clock_of(c)]) {
            if !from.constrain(c.left.into(), c.right.into(), c.bound) {
                return true;
            }
        }
        let invariants: Vec<Constraint> =
            self.target.invariants.iter().copied().filter(|&c| after[clock_of(c)]).collect();
        let mut to = Zone::zero(1);
        if !self.operation.carry_within(&from, self.source, self.target, &invariants, &mut to) {
            return true;
        }
        forget(&mut to, after);
        let mut exact = self.to.clone();
        forget(&mut exact, after);
        to.is_subset(&exact)
    }

    /// The constants of the label, of guards on some clocks of the source and of invariants on some clocks of the target.
    fn constants(&self, before: &[bool], after: &[bool]) -> Demands {
        let before = self.clocks_before(before, after);
        let mut own = [self.own.lower, self.own.upper].concat();
        let dim = self.target.dim();
        let invariants: Vec<Constraint> =
            self.target.invariants.iter().copied().filter(|&c| after[clock_of(c)]).collect();
        let (lower, upper) = own.split_at_mut(dim);
        demand(&invariants, lower, upper);
        let mut above = nothing(self.source.dim());
        let (lower_above, upper_above) = above.split_at_mut(self.source.dim());
        for place in 1..dim {
            let Some((from, offset)) = self.operation.clock_before(place, self.source, self.target) else {
                continue;
            };
            let bound = |bound: i32| if bound < 0 { NO_BOUND } else { bound - offset };
            lower_above[from] = lower_above[from].max(bound(lower[place]));
            upper_above[from] = upper_above[from].max(bound(upper[place]));
        }
        let guard: Vec<Constraint> =
            self.operation.guard(self.source).filter(|&c| before[clock_of(c)]).collect();
        demand(&guard, lower_above, upper_above);
        Demands { own, above }
    }
}

/// The clock that a constraint is about.
fn clock_of(c: Constraint) -> usize {
    debug_assert!(!c.is_diagonal(), "differences of clocks have no bounds");
    c.left.max(c.right).into()
}

/// Forgets clocks that are not to be kept.
fn forget(zone: &mut Zone, kept: &[bool]) {
    for clock in (1..kept.len()).filter(|&clock| !kept[clock]) {
        zone.free(clock);
    }
}

/// Whether no clock has a bound; the zero clock always has.
fn is_nothing(bounds: &[i32]) -> bool {
    let dim = bounds.len() / 2;
    bounds.iter().enumerate().all(|(place, &bound)| place % dim == 0 || bound < 0)
}

/// No bounds at all: L of all clocks, then U.
fn nothing(dim: usize) -> Vec<i32> {
    let mut bounds = vec![NO_BOUND; 2 * dim];
    bounds[0] = 0;
    bounds[dim] = 0;
    bounds
}

/// Raises bounds to the constants of some constraints.
fn demand(constraints: &[Constraint], lower: &mut [i32], upper: &mut [i32]) {
    for c in constraints {
        debug_assert!(!c.is_diagonal(), "differences of clocks have no bounds");
        let constant = c.bound.constant();
        if c.right == 0 {
            let upper = &mut upper[usize::from(c.left)];
            *upper = constant.max(*upper);
        } else {
            let lower = &mut lower[usize::from(c.right)];
            *lower = constant.saturating_neg().max(*lower);
        }
    }
    for bound in lower.iter_mut().chain(upper) {
        if *bound < 0 {
            *bound = NO_BOUND;
        }
    }
}

fn has_constant(bounds: LuBounds<'_>, c: Constraint) -> bool {
    let constant = c.bound.constant();
    if c.right == 0 {
        bounds.upper[usize::from(c.left)] >= constant
    } else {
        bounds.lower[usize::from(c.right)] >= constant.saturating_neg()
    }
}

/// Constraints that no valuation of a zone satisfies together: one if that is enough, otherwise none that can be left out.
fn core(zone: &Zone, constraints: &[Constraint]) -> Vec<Constraint> {
    if let Some(&single) = constraints.iter().find(|&&c| !zone.meets(c)) {
        return vec![single];
    }
    let mut core = constraints.to_vec();
    let mut at = 0;
    while at < core.len() {
        let mut rest = core.clone();
        rest.remove(at);
        if zone.clone().constrain_all(&rest) {
            at += 1;
        } else {
            core = rest;
        }
    }
    core
}
