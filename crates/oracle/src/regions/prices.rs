//! The least cost of reaching a state: priced regions.
//!
//! A region with k different fractions above zero is a simplex with k + 1 corners, at which all clocks are integers: the i largest fractions are rounded up, the others down. The
//! cheapest runs go along corners (Behrmann, Fehnker, Hune, Larsen, Pettersson, Romijn & Vaandrager 2001, *Minimum-Cost Reachability for Priced Timed Automata*; as a graph, Bouyer, Brinksma & Larsen
//! 2004, *Staying alive as cheaply as possible*). So the least cost is a shortest path among pairs of a state and a corner: time passes from the lowest corner of
//! an open region to its highest, one time unit at the rate of the state; going on to the next region and transitions keep the corner. Where strict bounds exclude the
//! corners, this is the infimum. Clocks that are far have no corner and need none.

use super::graph::{Delay, RegionGraph};
use guidepost_network::{ClockId, ClockOp, EvalError, Machine};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The integer values of clocks at a corner; `None` for clocks that are far.
type Corner = Vec<Option<i32>>;

impl RegionGraph<'_> {
    /// The least cost of reaching one of the given states, by the rates and prices of the network, or, if only time is to count, the least time; `None` when none
    /// can be reached.
    pub fn least_cost(&self, wanted: &[bool], only_time: bool) -> Result<Option<i64>, EvalError> {
        if self.is_empty() {
            return Ok(None);
        }
        let mut machine = Machine::new(&self.network.program);
        let mut best: Vec<Vec<i64>> =
            (0..self.len() as u32).map(|state| vec![i64::MAX; self.corners(state).len()]).collect();
        let mut open = BinaryHeap::new();
        best[0].fill(0);
        for corner in 0..best[0].len() {
            open.push(Reverse((0, 0_u32, corner)));
        }
        while let Some(Reverse((cost, state, corner))) = open.pop() {
            if cost > best[state as usize][corner] {
                continue;
            }
            if wanted[state as usize] {
                return Ok(Some(cost));
            }
            for (cost, state, corner) in self.steps(cost, state, corner, only_time, &mut machine)? {
                if cost < best[state as usize][corner] {
                    best[state as usize][corner] = cost;
                    open.push(Reverse((cost, state, corner)));
                }
            }
        }
        Ok(None)
    }

    /// Where a corner of a state leads, at which cost.
    fn steps(
        &self,
        cost: i64,
        state: u32,
        corner: usize,
        only_time: bool,
        machine: &mut Machine<'_>,
    ) -> Result<Vec<(i64, u32, usize)>, EvalError> {
        let mut steps = Vec::new();
        let corners = self.corners(state);
        let is_open = corners.len() > 1 && !self.region(state).has_whole_clock();
        if corner == 0 && is_open && self.lets_time_pass(state) {
            machine.load(self.cells(state));
            let rate = if only_time { 1 } else { machine.cost_rate(self.network)? };
            steps.push((cost + rate, state, corners.len() - 1));
        }
        if let Delay::To(later) = self.delay(state) {
            steps.extend(self.matching(later, &corners[corner]).map(|corner| (cost, later, corner)));
        }
        for action in self.actions(state) {
            machine.load(self.cells(state));
            machine.take_price();
            let mut operations = Vec::new();
            let own = action.edges.iter().map(|edge| self.network.edges[edge.index()].update);
            let codes =
                std::iter::once(self.network.before_update).chain(own).chain([self.network.after_update]);
            for code in codes.flatten() {
                machine.run_update(code, &mut operations)?;
            }
            let price = machine.take_price();
            let price = if only_time { 0 } else { price };
            let after = applied(&corners[corner], &operations);
            steps.extend(
                self.matching(action.target, &after).map(|corner| (cost + price, action.target, corner)),
            );
        }
        Ok(steps)
    }

    /// The corners of a state's region, from the lowest to the highest.
    fn corners(&self, state: u32) -> Vec<Corner> {
        let region = self.region(state);
        let clocks = self.network.clocks.len();
        let highest = (1..clocks).filter_map(|clock| region.rank(clock)).max().unwrap_or(0);
        let corner = |raised: u8| -> Corner {
            let value = |clock: usize| {
                let (integer, _) = region.value(clock)?;
                let rank = region.rank(clock)?;
                Some(integer + i32::from(rank > 0 && rank > highest - raised))
            };
            (0..clocks).map(value).collect()
        };
        (0..=highest).map(corner).collect()
    }

    /// The corner of a state that has some values, as far as its clocks have any.
    fn matching(&self, state: u32, values: &Corner) -> Option<usize> {
        let fits =
            |corner: &Corner| corner.iter().zip(values).all(|(own, value)| own.is_none() || own == value);
        self.corners(state).iter().position(fits)
    }
}

/// Clock values after some operations.
fn applied(corner: &Corner, operations: &[ClockOp]) -> Corner {
    let mut after = corner.clone();
    for &operation in operations {
        match operation {
            ClockOp::Set(ClockId(clock), value) => after[clock as usize] = Some(value),
            ClockOp::Copy(ClockId(clock), ClockId(source), offset) => {
                after[clock as usize] = after[source as usize].map(|value| value + offset);
            }
        }
    }
    after
}
