//! The least value of a linear function under difference constraints, exactly.
//!
//! *Minimise `Σ w_i·t_i` such that `t_i - t_j <= c_ij` and `t_0 = 0`.* The dual of this linear programme is a flow of least cost: every constraint is an arc
//! from i to j with cost `c_ij`, a variable with a negative weight sends so much, one with a positive weight takes so much, and `t_0` balances both (Ahuja,
//! Magnanti & Orlin 1993, *Network Flows*, 9.7). All numbers are integers, so the optimum is one, and it is found by successive shortest paths without any
//! rounding. The potentials of the flow are the optimal t.
//!
//! Cost of priced zones, their comparison, and the times of a cheapest run are all of this form.

/// No constraint.
pub const UNBOUNDED: i64 = i64::MAX;

/// Where a linear function is least.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Minimum {
    /// The least value.
    pub value: i64,
    /// A point that has it; the first coordinate is 0.
    pub point: Vec<i64>,
}

/// The least value of `Σ weights[i]·t_i` such that `t_i - t_j <= bounds[i·n + j]` for all i and j, and `t_0 = 0`. The weight of `t_0` does not matter. `None` when
/// the function falls without end, or nothing satisfies the constraints.
///
/// ```
/// use guidepost_zones::minimum::{UNBOUNDED, minimise};
/// // 2 <= x <= 7, 2 <= y <= 6, y - x <= 1, x - y <= 3
/// let bounds = [0, -2, -2, 7, 0, 3, 6, 1, 0];
/// assert_eq!(minimise(3, &bounds, &[0, -1, 2]).unwrap().value, -1); // x = 5, y = 2
/// assert_eq!(minimise(2, &[0, 0, UNBOUNDED, 0], &[0, -1]), None);
/// ```
pub fn minimise(dim: usize, bounds: &[i64], weights: &[i64]) -> Option<Minimum> {
    assert!(
        dim >= 1 && bounds.len() == dim * dim && weights.len() == dim,
        "one bound per pair, one weight each"
    );
    let mut flow = Flow::new(dim, bounds, weights)?;
    while flow.excess.iter().any(|&excess| excess > 0) {
        flow.augment()?;
    }
    let origin = flow.potentials[0];
    let point: Vec<i64> = flow.potentials.iter().map(|potential| origin - potential).collect();
    let value =
        weights.iter().zip(&point).map(|(weight, t)| i128::from(*weight) * i128::from(*t)).sum::<i128>();
    debug_assert!(
        (0..dim).all(|i| (0..dim)
            .all(|j| bounds[i * dim + j] == UNBOUNDED || point[i] - point[j] <= bounds[i * dim + j])),
        "the point satisfies the constraints"
    );
    Some(Minimum { value: i64::try_from(value).ok()?, point })
}

/// A flow on its way to the optimum: reduced costs are never negative, and arcs that carry something have reduced cost 0.
struct Flow<'b> {
    dim: usize,
    costs: &'b [i64],
    /// What each arc carries; it can be sent back at minus its cost.
    carried: Vec<i64>,
    /// What each node still has to send (or, if negative, to take).
    excess: Vec<i64>,
    potentials: Vec<i64>,
    distances: Vec<i64>,
    parents: Vec<usize>,
    settled: Vec<bool>,
}

impl<'b> Flow<'b> {
    /// Potentials without any flow: shortest distances from everywhere. `None`: a negative cycle, that is, contradictory constraints.
    fn new(dim: usize, costs: &'b [i64], weights: &[i64]) -> Option<Self> {
        let mut potentials = vec![0_i64; dim];
        let mut rounds = 0;
        loop {
            let mut is_settled = true;
            for i in 0..dim {
                for j in 0..dim {
                    let cost = costs[i * dim + j];
                    if cost != UNBOUNDED && potentials[i] + cost < potentials[j] {
                        potentials[j] = potentials[i] + cost;
                        is_settled = false;
                    }
                }
            }
            if is_settled {
                break;
            }
            rounds += 1;
            if rounds > dim {
                return None;
            }
        }
        let mut excess: Vec<i64> = weights.iter().map(|weight| -weight).collect();
        excess[0] = weights[1..].iter().sum();
        Some(Self {
            dim,
            costs,
            carried: vec![0; dim * dim],
            excess,
            potentials,
            distances: vec![UNBOUNDED; dim],
            parents: vec![0; dim],
            settled: vec![false; dim],
        })
    }

    /// Sends as much as possible from a node that has something left to the nearest that wants it. `None`: nobody can be reached.
    fn augment(&mut self) -> Option<()> {
        let dim = self.dim;
        let target = self.nearest()?;
        let reach = self.distances[target];
        // Nodes behind the target keep their order by moving as far as the target does.
        for (potential, &distance) in self.potentials.iter_mut().zip(&self.distances) {
            *potential += distance.min(reach);
        }
        let mut amount = -self.excess[target];
        let mut node = target;
        while self.parents[node] != node {
            let parent = self.parents[node];
            if !self.goes_forward(parent, node) {
                amount = amount.min(self.carried[node * dim + parent]);
            }
            node = parent;
        }
        amount = amount.min(self.excess[node]);
        debug_assert!(amount > 0, "every augmentation moves something");
        self.excess[node] -= amount;
        self.excess[target] += amount;
        let mut node = target;
        while self.parents[node] != node {
            let parent = self.parents[node];
            if self.goes_forward(parent, node) {
                self.carried[parent * dim + node] += amount;
            } else {
                self.carried[node * dim + parent] -= amount;
            }
            node = parent;
        }
        Some(())
    }

    /// Whether the tight connection between two nodes is an arc, rather than flow that is sent back. Potentials have been updated.
    fn goes_forward(&self, from: usize, to: usize) -> bool {
        let cost = self.costs[from * self.dim + to];
        cost != UNBOUNDED && cost + self.potentials[from] == self.potentials[to]
    }

    /// Shortest distances in reduced costs from all nodes with something to send, until one is reached that wants something.
    fn nearest(&mut self) -> Option<usize> {
        let dim = self.dim;
        self.settled.fill(false);
        for node in 0..dim {
            self.distances[node] = if self.excess[node] > 0 { 0 } else { UNBOUNDED };
            self.parents[node] = node;
        }
        loop {
            let open = (0..dim).filter(|&node| !self.settled[node] && self.distances[node] != UNBOUNDED);
            let node = open.min_by_key(|&node| self.distances[node])?;
            if self.excess[node] < 0 {
                return Some(node);
            }
            self.settled[node] = true;
            for to in 0..dim {
                if self.settled[to] {
                    continue;
                }
                let cost = self.costs[node * dim + to];
                let mut reduced = UNBOUNDED;
                if cost != UNBOUNDED {
                    reduced = cost + self.potentials[node] - self.potentials[to];
                }
                if self.carried[to * dim + node] > 0 {
                    // Sending back undoes the cost; reduced costs of arcs that carry something are 0.
                    reduced = 0;
                }
                if reduced != UNBOUNDED && self.distances[node] + reduced < self.distances[to] {
                    self.distances[to] = self.distances[node] + reduced;
                    self.parents[to] = node;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries all integer points.
    fn brute_force(dim: usize, bounds: &[i64], weights: &[i64], largest: i64) -> Option<i64> {
        let mut point = vec![0; dim];
        let mut best = None;
        loop {
            let holds = |i: usize, j: usize| {
                bounds[i * dim + j] == UNBOUNDED || point[i] - point[j] <= bounds[i * dim + j]
            };
            if (0..dim).all(|i| (0..dim).all(|j| holds(i, j))) {
                let value = weights.iter().zip(&point).map(|(w, t)| w * t).sum::<i64>();
                best = Some(best.map_or(value, |best: i64| best.min(value)));
            }
            let Some(next) = (1..dim).find(|&i| point[i] < largest) else { return best };
            point[next] += 1;
            point[1..next].fill(0);
        }
    }

    #[test]
    fn the_minimum_is_the_best_of_all_points() {
        let mut seed = 7_u64;
        let mut draw = |below: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % below as u64) as i64
        };
        let mut feasible = 0;
        for _ in 0..3000 {
            let dim = 2 + draw(3) as usize;
            let mut bounds = vec![UNBOUNDED; dim * dim];
            for i in 0..dim {
                for j in 0..dim {
                    bounds[i * dim + j] = match (i, j) {
                        _ if i == j => 0,
                        (0, _) => -draw(3),
                        (_, 0) => draw(6),
                        _ if draw(2) == 0 => draw(8) - 4,
                        _ => UNBOUNDED,
                    };
                }
            }
            let weights: Vec<i64> = (0..dim).map(|_| draw(9) - 4).collect();
            let found = minimise(dim, &bounds, &weights).map(|minimum| minimum.value);
            let zero_weight: Vec<i64> = std::iter::once(0).chain(weights[1..].iter().copied()).collect();
            assert_eq!(found, brute_force(dim, &bounds, &zero_weight, 6), "{bounds:?} {weights:?}");
            feasible += usize::from(found.is_some());
        }
        assert!(feasible > 1000, "{feasible}");
    }
}
