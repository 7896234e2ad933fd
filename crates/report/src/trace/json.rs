//! Traces as JSON. The keys are stable and documented in `docs/json.md`.

use super::{Step, Trace};
use crate::number::exact;
use crate::words::Words;
use guidepost_network::interpreter::{State, Transition, TransitionKind};
use guidepost_network::{EdgeId, Network, Sync};
use serde_json::{Map, Value, json};

impl Trace<'_> {
    /// `{ "length", "duration", "initial", "steps" }`
    pub fn json(&self) -> Value {
        json!({
            "length": self.length(),
            "duration": self.duration().map(exact),
            "initial": state(self.network, self.initial),
            "steps": self.steps.iter().map(|step| step_json(self.network, step)).collect::<Vec<_>>(),
        })
    }
}

fn step_json(network: &Network, step: &Step<'_>) -> Value {
    json!({
        "delay": exact(step.delay),
        "transition": step.transition.map(|transition| transition_json(network, transition)),
        "state": state(network, step.after),
    })
}

/// `{ "kind", "channel", "edges" }`
pub fn transition_json(network: &Network, transition: &Transition) -> Value {
    let (kind, channel) = match transition.kind {
        TransitionKind::Internal => ("internal", None),
        TransitionKind::Channel(id) => {
            let channel = &network.channels[id.index()];
            (if channel.broadcast { "broadcast" } else { "binary" }, Some(&channel.name))
        }
        TransitionKind::Vector(id) => ("vector", Some(&network.vectors[id as usize].name)),
    };
    json!({
        "kind": kind,
        "channel": channel,
        "edges": transition.edges.iter().map(|&id| edge_json(network, id)).collect::<Vec<_>>(),
    })
}

fn edge_json(network: &Network, id: EdgeId) -> Value {
    let edge = &network.edges[id.index()];
    let role = match edge.sync {
        Sync::Internal => None,
        Sync::Send(_) => Some("sends"),
        Sync::Receive(_) => Some("receives"),
        Sync::Join(_) => Some("joins"),
    };
    let select: Map<String, Value> =
        edge.select.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let mut value = json!({
        "process": network.processes[edge.process.index()].name,
        "from": network.locations[edge.source.index()].name,
        "to": network.locations[edge.target.index()].name,
        "role": role,
        "select": select,
        "edge": id.0,
    });
    if let Some(deed) = Words(network).deed(id) {
        value["told"] = json!(deed);
    }
    value
}

/// `{ "locations", "variables", "clocks" }`, each a map from names to values.
pub fn state(network: &Network, state: &State) -> Value {
    let locations: Map<String, Value> = network
        .processes
        .iter()
        .zip(&state.locations)
        .map(|(process, location)| (process.name.clone(), json!(network.locations[location.index()].name)))
        .collect();
    let variables: Map<String, Value> = network
        .variables
        .iter()
        .zip(&state.variables)
        .map(|(variable, &value)| {
            (variable.name.clone(), if variable.boolean { json!(value != 0) } else { json!(value) })
        })
        .collect();
    let clocks: Map<String, Value> = network
        .clocks
        .iter()
        .zip(&state.clocks)
        .skip(1)
        .map(|(clock, &value)| (clock.name.clone(), json!(exact(value))))
        .collect();
    json!({ "locations": locations, "variables": variables, "clocks": clocks })
}
