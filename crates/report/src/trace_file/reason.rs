//! Why a step is not possible, in the names of the model.

use crate::number::decimal;
use guidepost_network::interpreter::{Blocked, Failure, ReplayReason, TransitionKind};
use guidepost_network::{EdgeId, Network};

/// One sentence without a full stop.
pub fn describe(reason: &ReplayReason, network: &Network) -> String {
    match reason {
        ReplayReason::Initial => "the initial state violates an invariant".to_owned(),
        ReplayReason::Delay(limit, _) if limit.numerator() == 0 => "no time may pass here".to_owned(),
        ReplayReason::Delay(limit, true) => format!("the delay must be less than {}", decimal(*limit)),
        ReplayReason::Delay(limit, false) => format!("the delay must be at most {}", decimal(*limit)),
        ReplayReason::Source(id) => {
            format!("{} is not where its edge {} begins", process(*id, network), edge(*id, network))
        }
        ReplayReason::Guard(id) => {
            format!("the guard of {}'s edge {} does not hold", process(*id, network), edge(*id, network))
        }
        ReplayReason::Synchronisation => {
            "these edges do not synchronise with each other here, or others would have to take part"
                .to_owned()
        }
        ReplayReason::Committed => "a process in a committed location has to move first".to_owned(),
        ReplayReason::Priority(higher) => {
            let channel = match higher.kind {
                TransitionKind::Channel(id) => format!(" on {}", network.channels[id.index()].name),
                _ => String::new(),
            };
            let who: Vec<&str> = higher.edges.iter().map(|&id| process(id, network)).collect();
            format!("a transition{channel} of {} has a higher priority", who.join(" and "))
        }
        ReplayReason::Blocked(Blocked::Invariant(id)) => {
            let location = &network.locations[id.index()];
            let process = &network.processes[location.process.index()].name;
            format!("the invariant of {process}.{} would not hold", location.name)
        }
        ReplayReason::Blocked(Blocked::Range(error)) | ReplayReason::Failure(Failure::Evaluation(error)) => {
            error.describe(network)
        }
        ReplayReason::Failure(Failure::NegativeClock(clock)) => {
            format!("clock {} would become negative", network.clocks[clock.index()].name)
        }
        ReplayReason::Failure(failure @ Failure::TooPrecise(_)) => failure.to_string(),
    }
}

fn process(id: EdgeId, network: &Network) -> &str {
    network.edges.get(id.index()).map_or("?", |edge| &network.processes[edge.process.index()].name)
}

fn edge(id: EdgeId, network: &Network) -> String {
    let name = |location: guidepost_network::LocationId| &network.locations[location.index()].name;
    network.edges.get(id.index()).map_or_else(
        || format!("number {}", id.0),
        |edge| format!("{} -> {}", name(edge.source), name(edge.target)),
    )
}
