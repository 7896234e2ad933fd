//! What the page is told about positions.

use guidepost::network::interpreter::{Choice, Interval, Rational, ReplayReason};
use guidepost::report::html::kit::{self, Channels};
use guidepost::report::trace_file::describe;
use guidepost::report::{Step, Teller, Trace, decimal, exact, intervals};
use guidepost::{NoZone, Position, Simulator, Zone};
use guidepost_network::{ClockId, Network};
use serde_json::{Value, json};

/// Bounds on differences that are told at most; there can be as many as pairs of clocks.
const MOST_DIFFERENCES: usize = 200;
/// Ends of branches that are told at most, the latest ones.
const MOST_BRANCHES: usize = 200;

pub(crate) fn teller(simulator: &Simulator, at: Position) -> Teller<'_> {
    let session = simulator.session();
    Teller { loaded: session.loaded(), network: session.network(), state: simulator.state(at) }
}

/// The whole run that leads to a position, and the positions on it.
pub(crate) fn run(simulator: &Simulator, channels: &Channels, at: Position) -> Value {
    let path = simulator.path(at);
    let mut run = kit::beginning(simulator.network(), simulator.state(path[0]));
    run["steps"] = steps(simulator, channels, &path).into();
    json!({ "at": at.0, "path": numbers(&path), "run": run })
}

/// What comes after a position on a path, for a page that knows the rest.
pub(crate) fn continuation(
    simulator: &Simulator,
    channels: &Channels,
    from: Position,
    to: Position,
) -> Value {
    let path = simulator.path(to);
    let path = &path[simulator.depth(from)..];
    json!({ "at": to.0, "path": numbers(&path[1..]), "steps": steps(simulator, channels, path) })
}

fn numbers(path: &[Position]) -> Vec<u32> {
    path.iter().map(|position| position.0).collect()
}

fn steps(simulator: &Simulator, channels: &Channels, path: &[Position]) -> Vec<Value> {
    let taken = path[1..].iter().map(|&position| {
        let (_, taken) = simulator.came(position).expect("the first position is left out");
        Step {
            delay: taken.delay,
            transition: taken.transition.as_ref(),
            after: simulator.state(position),
            cost: Some(taken.cost),
        }
    });
    let initial = simulator.state(path[0]);
    let trace = Trace { network: simulator.network(), initial, steps: taken.collect(), failing: None };
    kit::steps(&trace, simulator.time(path[0]), &mut channels.clone())
}

/// The zone of a position, or that it is not known yet.
pub(crate) fn zone(simulator: &mut Simulator, at: Position) -> Value {
    match simulator.zone(at) {
        Ok(zone) => zone_json(simulator.network(), &zone),
        Err(NoZone::NotYet) => json!({ "later": true }),
        Err(NoZone::Never(reason)) => json!({ "none": reason }),
    }
}

/// What can happen at a position, and where somebody went from there.
pub(crate) fn position(simulator: &Simulator, channels: &Channels, at: Position) -> Value {
    let children: Vec<Value> =
        simulator.children(at).iter().map(|&child| visited(simulator, child)).collect();
    let mut value = json!({ "at": at.0, "children": children });
    match simulator.choices(at) {
        Err(failure) => {
            let failure = describe(&ReplayReason::Failure(failure), simulator.network());
            value["error"] = json!(format!("The model has an error in this state: {failure}"));
            value["choices"] = json!([]);
        }
        Ok(choices) => {
            let told = choices.transitions.iter().map(|choice| choice_json(simulator, channels, choice));
            value["choices"] = told.collect();
            value["longest"] = match choices.longest_delay {
                None => Value::Null,
                Some((limit, is_excluded)) => json!([exact(limit), is_excluded]),
            };
        }
    }
    value
}

fn choice_json(simulator: &Simulator, channels: &Channels, choice: &Choice) -> Value {
    let network = simulator.network();
    let name = guidepost::report::channel(network, choice.transition.kind);
    let channel = name.and_then(|name| channels.names().iter().position(|known| known == name));
    let failure = choice.failure.clone().map(|failure| describe(&ReplayReason::Failure(failure), network));
    json!({
        "edges": choice.transition.edges.iter().map(|edge| edge.0).collect::<Vec<_>>(),
        "channel": channel.map_or(-1, |number| number as i64),
        "moves": kit::moves(network, &choice.transition.edges),
        "when": intervals(&choice.delays),
        "now": choice.delays.iter().any(|interval| interval.contains(Rational::ZERO)),
        "delay": earliest(&choice.delays).map(exact),
        "failure": failure,
    })
}

/// The delay that is meant where none is said.
pub(crate) fn earliest(delays: &[Interval]) -> Option<Rational> {
    delays.first().and_then(|first| first.sample().ok())
}

fn zone_json(network: &Network, zone: &Zone) -> Value {
    let ranges: Vec<Value> = zone
        .ranges
        .iter()
        .map(|range| json!([range.clock.0 - 1, range.lower.0, range.lower.1, range.upper]))
        .collect();
    let name = |clock: ClockId| network.wording.name(&network.clocks[clock.index()].name);
    let differences: Vec<Value> = zone
        .differences
        .iter()
        .take(MOST_DIFFERENCES)
        .map(|&(left, right, bound)| {
            let sign = if bound.is_strict() { "<" } else { "≤" };
            json!(format!("{} − {} {sign} {}", name(left), name(right), bound.constant()))
        })
        .collect();
    let more = zone.differences.len().saturating_sub(MOST_DIFFERENCES);
    json!({ "ranges": ranges, "differences": differences, "more": more, "exact": zone.exact })
}

/// A position in a few words.
fn visited(simulator: &Simulator, at: Position) -> Value {
    let words = match simulator.came(at) {
        None => "initial state".to_owned(),
        Some((from, taken)) => {
            let wait = if taken.delay == Rational::ZERO {
                String::new()
            } else {
                format!("after {}: ", decimal(taken.delay))
            };
            match &taken.transition {
                None => format!("waited for {}", decimal(taken.delay)),
                Some(transition) => format!("{wait}{}", teller(simulator, from).transition(transition)),
            }
        }
    };
    json!({ "at": at.0, "steps": simulator.depth(at), "words": words })
}

/// The ends of all branches, the latest first.
pub(crate) fn branches(simulator: &Simulator) -> Value {
    let ends = simulator.positions().filter(|&at| simulator.children(at).is_empty());
    let ends: Vec<Position> = ends.collect();
    let told = ends.iter().rev().take(MOST_BRANCHES).map(|&at| visited(simulator, at));
    json!({ "branches": told.collect::<Vec<_>>(), "all": ends.len() })
}
