//! Labels that are bounds: for each clock the largest constants of lower and upper guards that matter, L and U.
//!
//! A label stands for all valuations that the exact zone simulates up to these constants: `a_LU` of the zone, see [`guidepost_zones::subsumption`]. That is more than a
//! zone could say, and is strengthened without looking at zones (Herbreteau, Srivathsan & Walukiewicz 2013, *Lazy Abstractions for Timed Automata*):
//!
//! - *Disabling*: if the constants of constraints that no valuation of the exact zone satisfies are in the label, none of the label satisfies them.
//! - *Along a transition*: let the label of the target have a constant at all. Then that of the source needs it, for the clock its value comes from; and the constants of those guards that not all of
//!   the exact zone satisfies, and the target those of its invariants. So where v in the source's label is simulated by v' of the exact zone and takes the transition, v' takes it as well, waits as long, and the
//!   result simulates that of v.
//! - *Covering*: the label has at least the constants of the one that it is to be within.
//!
//! Differences of clocks cannot be bounded in this way: networks that test them have labels that are zones.

use crate::arena::Arena;
use crate::graph::{Graph, NONE};
use guidepost_zones::{Constraint, LuBounds, NO_BOUND, Zone};

/// Labels that are bounds.
pub(crate) struct BoundLabels {
    /// By label: L of all clocks, then U.
    bounds: Arena<i32>,
    /// Nodes whose label was strengthened.
    pub(crate) strengthened: Vec<u32>,
    pub(crate) rounds: u64,
}

impl BoundLabels {
    pub(crate) fn new() -> Self {
        Self { bounds: Arena::new(0), strengthened: Vec::new(), rounds: 0 }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bounds.bytes()
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
        let places = bounds.into_iter().flat_map(|LuBounds { lower, upper }| {
            (1..lower.len()).filter(|&place| lower[place] >= 0 || upper[place] >= 0)
        });
        places
    }

    /// See [`Labels::may_cover`](crate::labels::Labels::may_cover).
    #[inline]
    pub(crate) fn may_cover(&self, graph: &Graph, node: u32, by: u32) -> bool {
        let bounds = self.get(graph, by);
        bounds.is_none_or(|bounds| graph.exact(node).is_subset_alu(&graph.exact(by), bounds))
    }

    /// See [`Labels::fits`](crate::labels::Labels::fits).
    pub(crate) fn fits(&self, graph: &Graph, node: u32, within: u32) -> bool {
        self.has_bounds_of(graph, node, within) && self.may_cover(graph, node, within)
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
        self.may_cover(graph, node, within)
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
        let Some(own) = self.get(graph, node) else { return true };
        let parent = graph.nodes[node as usize].parent;
        let demanded = self.demanded_of_parent(graph, node, parent);
        let dim = graph.setting(parent).dim();
        let above = self.get(graph, parent);
        let has_demanded = (0..2 * dim).all(|at| {
            let own =
                |LuBounds { lower, upper }: LuBounds<'_>| if at < dim { lower[at] } else { upper[at - dim] };
            demanded[at] <= 0 && at % dim == 0 || demanded[at] < 0 || above.map(own) >= Some(demanded[at])
        });
        has_demanded && graph.setting(node).invariants.iter().all(|&c| has_constant(own, c))
    }

    /// Raises the bounds of a node to at least the given ones, and those of all nodes above that this takes.
    pub(crate) fn raise(&mut self, graph: &mut Graph, node: u32, lower: &[i32], upper: &[i32]) {
        self.rounds += 1;
        let (mut node, mut demanded) = (node, [lower, upper].concat());
        while self.raise_one(graph, node, &demanded) {
            let parent = graph.nodes[node as usize].parent;
            if parent == NONE {
                break;
            }
            demanded = self.demanded_of_parent(graph, node, parent);
            node = parent;
        }
    }

    /// Says whether anything was raised.
    fn raise_one(&mut self, graph: &mut Graph, node: u32, demanded: &[i32]) -> bool {
        let dim = graph.setting(node).dim();
        debug_assert_eq!(demanded.len(), 2 * dim);
        let is_first = graph.nodes[node as usize].label == NONE;
        if is_first {
            let is_nothing = |demanded: &[i32]| demanded[1..].iter().all(|&bound| bound < 0);
            if is_nothing(&demanded[..dim]) && is_nothing(&demanded[dim..]) {
                return false;
            }
            // With the first bound, those of the invariants.
            let mut bounds = nothing(dim);
            let (lower, upper) = bounds.split_at_mut(dim);
            demand(&graph.setting(node).invariants, lower, upper);
            graph.nodes[node as usize].label = self.bounds.add(&bounds);
        }
        let label = graph.nodes[node as usize].label;
        let mut is_raised = is_first;
        for (own, &demanded) in self.bounds.get_mut(label, 2 * dim).iter_mut().zip(demanded) {
            is_raised |= demanded > *own;
            *own = demanded.max(*own);
        }
        if is_raised {
            self.strengthened.push(node);
        }
        is_raised
    }

    /// What the label of a node demands of its parent's.
    fn demanded_of_parent(&self, graph: &Graph, node: u32, parent: u32) -> Vec<i32> {
        let (source, target) = (graph.setting(parent), graph.setting(node));
        let (operation, dim) = (graph.operation(node), source.dim());
        let mut demanded = nothing(dim);
        let (lower, upper) = demanded.split_at_mut(dim);
        let Some(own) = self.get(graph, node) else { return demanded };
        for place in 1..target.dim() {
            let Some((from, offset)) = operation.clock_before(place, source, target) else { continue };
            let before = |bound: i32| if bound < 0 { NO_BOUND } else { bound - offset };
            lower[from] = lower[from].max(before(own.lower[place]));
            upper[from] = upper[from].max(before(own.upper[place]));
        }
        let exact = graph.exact(parent);
        let open: Vec<Constraint> = operation.guard(source).filter(|&c| !exact.satisfies(c)).collect();
        demand(&open, lower, upper);
        demanded
    }
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
