//! Who pays for a step.

use super::{Failure, Interpreter, Rational, ReplayedStep, State};
use crate::network::ProcessId;

/// What a process pays in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// The process; `None` for what is paid around every transition, whoever takes it.
    pub process: Option<ProcessId>,
    /// For waiting where it is.
    pub waiting: Rational,
    /// For its edge.
    pub price: Rational,
}

impl Interpreter<'_> {
    /// Who pays how much in a replayed step that begins in a state; those that pay nothing are left out. All shares together are what the step costs.
    pub fn shares(&mut self, from: &State, step: &ReplayedStep) -> Result<Vec<Share>, Failure> {
        let network = self.network;
        let mut waiting = vec![Rational::ZERO; network.processes.len()];
        let mut prices = vec![Rational::ZERO; network.processes.len()];
        self.load(from);
        for (own, location) in waiting.iter_mut().zip(&from.locations) {
            if let Some(rate) = network.locations[location.index()].cost_rate {
                *own = step.delay.times(i64::from(self.machine.eval(rate)?))?;
            }
        }
        let mut around = Rational::ZERO;
        if let Some(transition) = &step.transition {
            self.load(&step.before);
            self.machine.take_price();
            let mut unused = Vec::new();
            if let Some(update) = network.before_update {
                self.machine.run_update(update, &mut unused)?;
                around = self.price();
            }
            for edge in transition.edges.iter().map(|edge| &network.edges[edge.index()]) {
                if let Some(update) = edge.update {
                    self.machine.run_update(update, &mut unused)?;
                    let own = &mut prices[edge.process.index()];
                    *own = own.plus(self.price())?;
                }
            }
            if let Some(update) = network.after_update {
                self.machine.run_update(update, &mut unused)?;
                around = around.plus(self.price())?;
            }
        }
        let of_processes = (0..).map(ProcessId).zip(waiting.into_iter().zip(prices));
        let mut shares: Vec<Share> = of_processes
            .map(|(process, (waiting, price))| Share { process: Some(process), waiting, price })
            .collect();
        shares.push(Share { process: None, waiting: Rational::ZERO, price: around });
        shares.retain(|share| share.waiting != Rational::ZERO || share.price != Rational::ZERO);
        Ok(shares)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ReplayStep, replay};
    use super::*;
    use crate::EdgeId;

    #[test]
    fn shares_are_the_cost() {
        let text = "int n = 2; clock x; chan c; \
                    process P() { state A { cost' == 3 }, B; init A; trans A -> B { guard x >= 2; sync c!; assign n = 5, cost += n; }; } \
                    process Q() { state A { cost' == n }, B; init A; trans A -> B { sync c?; assign cost += n + 1; }; } \
                    process R() { state A; init A; } system P, Q, R;";
        let loaded = guidepost_language::load_text("shares.xta", text);
        let network = crate::build(&loaded.model).0.unwrap();
        let edges = vec![EdgeId(0), EdgeId(1)];
        let delay = Rational::new(5, 2).unwrap();
        let steps = replay(&network, &[ReplayStep { delay, edges }]).unwrap();
        let mut interpreter = Interpreter::new(&network);
        let initial = interpreter.initial();
        let shares = interpreter.shares(&initial, &steps[0]).unwrap();
        let of = |process| shares.iter().find(|share| share.process == Some(ProcessId(process)));
        assert_eq!(of(0).map(|share| share.waiting), Rational::new(15, 2));
        assert_eq!(of(0).map(|share| share.price), Some(5.into()));
        assert_eq!(of(1).map(|share| (share.waiting, share.price)), Some((5.into(), 6.into())));
        assert_eq!(of(2), None);
        let sum =
            shares.iter().try_fold(Rational::ZERO, |sum, share| sum.plus(share.waiting)?.plus(share.price));
        assert_eq!(sum, Ok(steps[0].cost));
    }
}
