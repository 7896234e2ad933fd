//! A network that begins where a run is.

use super::{Rational, State};
use crate::network::Network;
use crate::symmetry::Symmetries;

/// A clock has a value that no search could begin with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a clock is too far advanced to begin a search there")]
pub struct BeyondClocks;

impl Network {
    /// The same network, with a state as its initial state: what can be reached from there is what this network can reach.
    ///
    /// Clock values may be fractions. They are whole numbers and what is left of them ([`Network::initial_fractions`]), which the interpreter and
    /// exploration with zones know about; other engines know whole numbers only and must not be asked. What can be exchanged in the original need
    /// not be exchangeable in a later state, so there are no symmetries.
    pub fn starting_at(&self, state: &State) -> Result<Network, BeyondClocks> {
        let mut network = self.clone();
        for (process, &location) in network.processes.iter_mut().zip(&state.locations) {
            process.initial = location;
        }
        for (variable, &value) in network.variables.iter_mut().zip(&state.variables) {
            // Those are the same in all states, and what they are reset to.
            if !variable.meta {
                variable.initial = value;
            }
        }
        let mut fractions = vec![Rational::ZERO; network.clocks.len()];
        for ((clock, fraction), &value) in network.clocks.iter_mut().zip(&mut fractions).zip(&state.clocks) {
            let whole = value.numerator().div_euclid(value.denominator());
            if whole >= i64::from(crate::code::CLOCK_LIMIT) {
                return Err(BeyondClocks);
            }
            clock.initial = whole as i32;
            *fraction = value.minus(whole.into()).map_err(|_| BeyondClocks)?;
        }
        let has_fractions = fractions.iter().any(|fraction| *fraction != Rational::ZERO);
        network.initial_fractions = if has_fractions { fractions } else { Vec::new() };
        network.symmetries = Symmetries::default();
        Ok(network)
    }
}
