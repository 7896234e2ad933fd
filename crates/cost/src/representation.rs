//! How the costs of a network are represented: as simply as they allow.

use guidepost_answer::Measure;
use guidepost_network::{LocationKind, Network};

/// How costs are represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Representation {
    /// A number for each state: no location has a rate.
    Number,
    /// One more clock, whose value times the factor is the cost: all locations have one rate in common.
    Clock {
        /// What a time unit costs.
        factor: i64,
    },
    /// A linear function for each zone.
    Function,
}

impl Representation {
    /// The simplest that is possible.
    pub fn of(network: &Network, measure: Measure) -> Self {
        if measure == Measure::Time {
            return Representation::Clock { factor: 1 };
        }
        let pays = network.program.pays();
        match common_rate(network) {
            Some(0) => Representation::Number,
            Some(1) => Representation::Clock { factor: 1 },
            // A price need not be a multiple of the rate.
            Some(factor) if !pays => Representation::Clock { factor },
            _ => Representation::Function,
        }
    }

    /// A few words for it.
    pub fn name(self) -> &'static str {
        match self {
            Representation::Number => "number",
            Representation::Clock { .. } => "clock",
            Representation::Function => "function",
        }
    }
}

/// The rate of every state in which time passes, if there is only one.
fn common_rate(network: &Network) -> Option<i64> {
    let mut sum = 0;
    for process in &network.processes {
        let locations = process.locations.clone().map(|id| &network.locations[id as usize]);
        let mut rates = locations.filter(|location| location.kind == LocationKind::Normal).map(|location| {
            location.cost_rate.map_or(Some(0), |code| {
                let (low, high) = network.program.codes().range(code);
                (low == high).then_some(low)
            })
        });
        // A process without such a location never lets time pass.
        let Some(first) = rates.next() else { return Some(0) };
        let rate = first?;
        if !rates.all(|other| other == Some(rate)) {
            return None;
        }
        sum += rate;
    }
    Some(sum)
}
