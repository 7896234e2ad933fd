//! What time may do.
//!
//! Invariants are conjunctions of linear bounds, so they hold throughout a delay when they hold at both ends. Urgency forbids delay in urgent and
//! committed locations, and from the first moment on at which a synchronisation on an urgent channel is enabled (by its guards; whether
//! the target's invariant would let it happen is not asked).

use super::transitions::{Offer, Resolved};
use super::window::{Window, earlier};
use super::{Failure, Interpreter, Rational, State};
use crate::network::{ClockId, LocationKind};

impl Interpreter<'_> {
    /// Whether each clock advances; clock 0 never does.
    pub(crate) fn rates(&mut self, state: &State) -> Result<Vec<bool>, Failure> {
        let mut rates = vec![true; state.clocks.len()];
        rates[ClockId::ZERO.index()] = false;
        self.load(state);
        for location in &state.locations {
            for &(clock, rate) in &self.network.locations[location.index()].rates {
                if self.machine.eval(rate)? == 0 {
                    rates[clock.index()] = false;
                }
            }
        }
        Ok(rates)
    }

    /// The longest delay possible and whether it is excluded itself; `None` when time can go on for ever. The state must satisfy its invariants.
    pub fn max_delay(&mut self, state: &State) -> Result<Option<(Rational, bool)>, Failure> {
        let timeless = |location: &crate::LocationId| {
            self.network.locations[location.index()].kind != LocationKind::Normal
        };
        if state.locations.iter().any(timeless) {
            return Ok(Some((Rational::ZERO, false)));
        }
        let rates = self.rates(state)?;
        let mut limit = None;
        for location in &state.locations {
            let invariant = &self.network.locations[location.index()].clock_invariant;
            let window = self.window(state, &rates, invariant)?;
            limit = tighter(limit, window.upper);
        }
        for window in self.urgent_windows(state)? {
            limit = tighter(limit, Some((window.lower, false)));
        }
        Ok(limit)
    }

    /// Whether that much time may pass. The state must satisfy its invariants.
    pub fn can_delay(&mut self, state: &State, delay: Rational) -> Result<bool, Failure> {
        if delay.is_negative() {
            return Ok(false);
        }
        let limit = self.max_delay(state)?;
        let allowed = limit.is_none_or(|(limit, strict)| delay < limit || (delay == limit && !strict));
        Ok(allowed || delay == Rational::ZERO)
    }

    /// The state after a delay; whether it is allowed is not asked.
    pub fn delay(&mut self, state: &State, delay: Rational) -> Result<State, Failure> {
        let rates = self.rates(state)?;
        let mut later = state.clone();
        for (clock, _) in later.clocks.iter_mut().zip(&rates).filter(|(_, advances)| **advances) {
            *clock = clock.plus(delay)?;
        }
        Ok(later)
    }

    /// What it costs to wait in a state for so long: the rates of all current locations add up.
    pub fn waiting_cost(&mut self, state: &State, delay: Rational) -> Result<Rational, Failure> {
        if delay == Rational::ZERO {
            return Ok(Rational::ZERO);
        }
        self.load(state);
        let rate = self.machine.cost_rate(self.network)?;
        Ok(delay.times(rate)?)
    }

    /// When each synchronisation on an urgent channel is enabled.
    fn urgent_windows(&mut self, state: &State) -> Result<Vec<Window>, Failure> {
        let offers = self.offers(state)?;
        let mut windows = Vec::new();
        for sender in &offers {
            let Resolved::Send(id) = sender.sync else { continue };
            let channel = &self.network.channels[id.index()];
            if !channel.urgent {
                continue;
            }
            if channel.broadcast {
                windows.push(sender.window.clone());
                continue;
            }
            let meets = |receiver: &&Offer| {
                matches!(receiver.sync, Resolved::Receive(other) if other == id)
                    && receiver.process != sender.process
            };
            windows.extend(
                offers.iter().filter(meets).map(|receiver| sender.window.clone().and(&receiver.window)),
            );
        }
        windows.retain(|window| !window.is_empty());
        Ok(windows)
    }

    /// Moments at which something may change: ends of the windows of all guards, and when clocks pass the bounds of the invariants that edges
    /// lead to.
    pub(crate) fn boundaries(&mut self, state: &State) -> Result<Vec<Rational>, Failure> {
        let network = self.network;
        let mut boundaries = vec![Rational::ZERO];
        for offer in self.offers(state)? {
            if offer.window.is_empty() {
                continue;
            }
            boundaries.push(offer.window.lower);
            boundaries.extend(offer.window.upper.map(|(upper, _)| upper));
            let target = network.edges[offer.edge.index()].target;
            self.load(state);
            for (constraint, bound) in self.active(&network.locations[target.index()].clock_invariant)? {
                let (left, right) =
                    (state.clocks[constraint.left.index()], state.clocks[constraint.right.index()]);
                let passed = if constraint.right == ClockId::ZERO {
                    bound.minus(left)?
                } else {
                    Rational::ZERO.minus(bound)?.minus(right)?
                };
                if passed > Rational::ZERO {
                    boundaries.push(passed);
                }
            }
        }
        boundaries.sort_unstable();
        boundaries.dedup();
        Ok(boundaries)
    }
}

fn tighter(left: Option<(Rational, bool)>, right: Option<(Rational, bool)>) -> Option<(Rational, bool)> {
    match (left, right) {
        (Some(left), Some(right)) => Some(earlier(left, right)),
        (left, right) => left.or(right),
    }
}
