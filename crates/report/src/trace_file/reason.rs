//! Why a step is not possible, in the names of the model.

use crate::number::decimal;
use crate::words::Words;
use guidepost_network::interpreter::{Blocked, Failure, ReplayReason};
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
            let channel = Words(network).channel(higher.kind);
            let channel = channel.map_or_else(String::new, |name| format!(" on {name}"));
            let who: Vec<&str> = higher.edges.iter().map(|&id| process(id, network)).collect();
            format!("a transition{channel} of {} has a higher priority", who.join(" and "))
        }
        ReplayReason::Blocked(Blocked::Invariant(id)) => {
            let words = Words(network);
            let process = network.locations[id.index()].process;
            let place = words.place(*id).unwrap_or_else(|| words.process(process).to_owned());
            format!("the invariant of {place} would not hold")
        }
        ReplayReason::Blocked(Blocked::Range(error)) | ReplayReason::Failure(Failure::Evaluation(error)) => {
            error.describe(network)
        }
        ReplayReason::Failure(Failure::NegativeClock(clock)) => {
            format!("clock {} would become negative", Words(network).clock(*clock))
        }
        ReplayReason::Failure(failure @ Failure::TooPrecise(_)) => failure.to_string(),
    }
}

fn process(id: EdgeId, network: &Network) -> &str {
    network.edges.get(id.index()).map_or("?", |edge| Words(network).process(edge.process))
}

fn edge(id: EdgeId, network: &Network) -> String {
    let is_known = id.index() < network.edges.len();
    if is_known { Words(network).course(id) } else { format!("number {}", id.0) }
}
