//! From runs to text.

use super::FORMAT_VERSION;
use crate::number::exact;
use crate::trace::{Changes, Trace};
use crate::verdict::{QueryResult, ending_json, model_error_json, property_json, verdict_word};
use guidepost_answer::Evidence;
use guidepost_network::Network;
use guidepost_network::interpreter::Interpreter;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The runs of one check, to be written to a file.
pub struct TraceFile<'a> {
    /// The model's name.
    pub model: &'a str,
    /// Its network.
    pub network: &'a Network,
    /// Answers, and the runs that show them.
    pub runs: Vec<(&'a QueryResult, &'a Evidence)>,
}

impl TraceFile<'_> {
    /// The whole file, one step a line: made to be read and compared.
    pub fn text(&self) -> String {
        let mut text = head(self.model, self.network);
        for (index, (result, evidence)) in self.runs.iter().enumerate() {
            text.push_str(if index > 0 { ",\n" } else { "\n" });
            let property = result.property.as_ref().map(property_json);
            let property =
                property.map_or_else(String::new, |property| format!("\"property\": {property}, "));
            let error = self.error(result);
            let _ = write!(
                text,
                "    {{ \"number\": {}, \"query\": {}, {property}\"verdict\": {},\n      {error}\"trace\": ",
                result.number,
                json!(result.query),
                json!(verdict_word(result.verdict()))
            );
            write_run(&mut text, self.network, evidence);
            text.push_str(" }");
        }
        text.push_str("\n  ] }\n");
        text
    }

    /// The error of the model that the run leads to, without the run itself.
    fn error(&self, result: &QueryResult) -> String {
        let error = result.answer.as_ref().ok().and_then(|answer| answer.model_error());
        error.map_or_else(String::new, |error| {
            let mut value = model_error_json(error, self.network);
            if let Some(map) = value.as_object_mut() {
                map.remove("trace");
            }
            format!("\"model_error\": {value},\n      ")
        })
    }
}

/// A file with one run that answers no query, such as one that somebody has put together step by step.
pub fn lone_run(model: &str, network: &Network, evidence: &Evidence) -> String {
    let mut text = head(model, network);
    text.push_str(
        "\n    { \"number\": 1, \"query\": \"simulation\", \"verdict\": \"simulated\",\n      \"trace\": ",
    );
    write_run(&mut text, network, evidence);
    text.push_str(" }\n  ] }\n");
    text
}

fn head(model: &str, network: &Network) -> String {
    format!(
        "{{ \"tool\": \"guidepost\", \"version\": {}, \"format\": \"trace\", \"format_version\": {FORMAT_VERSION},\n  \
         \"model\": {}, \"fingerprint\": {},\n  \"traces\": [",
        json!(env!("CARGO_PKG_VERSION")),
        json!(model),
        json!(fingerprint(network)),
    )
}

fn write_run(text: &mut String, network: &Network, evidence: &Evidence) {
    let trace = Trace::new(network, &evidence.initial, &evidence.steps);
    let _ = write!(
        text,
        "{{ \"length\": {}, \"duration\": {}, \"optimal\": {}, \"ending\": {},\n        \"initial\": {},\n        \"steps\": [",
        trace.length(),
        json!(trace.duration().map(exact)),
        evidence.optimal,
        ending_json(evidence.ending),
        crate::trace::state_json(network, &evidence.initial),
    );
    let mut interpreter = Interpreter::new(network);
    for index in 0..trace.steps.len() {
        text.push_str(if index > 0 { ",\n          " } else { "\n          " });
        text.push_str(&step_json(&trace, index, &mut interpreter).to_string());
    }
    text.push_str(" ] }");
}

fn step_json(trace: &Trace<'_>, index: usize, interpreter: &mut Interpreter<'_>) -> Value {
    let (step, before) = (&trace.steps[index], trace.before(index));
    let network = trace.network;
    let changes = Changes::of(step, before, interpreter);
    let mut map = Map::new();
    let mut list = |key: &str, entries: Map<String, Value>| {
        if !entries.is_empty() {
            map.insert(key.to_owned(), Value::Object(entries));
        }
    };
    let moved = before.locations.iter().zip(&step.after.locations).enumerate();
    let moved = moved.filter(|(_, (old, new))| old != new).map(|(process, (_, new))| {
        (network.processes[process].name.clone(), json!(network.locations[new.index()].name))
    });
    list("locations", moved.collect());
    let variables = changes.variables.iter().map(|&(id, _, new)| {
        let variable = &network.variables[id.index()];
        (variable.name.clone(), if variable.boolean { json!(new != 0) } else { json!(new) })
    });
    list("variables", variables.collect());
    let clocks = changes
        .clocks
        .iter()
        .map(|&(id, value)| (network.clocks[id.index()].name.clone(), json!(exact(value))));
    list("clocks", clocks.collect());
    json!({
        "delay": exact(step.delay),
        "transition": step.transition.map(|transition| crate::trace::transition_json(network, transition)),
        "changes": map,
    })
}

/// A short text that two networks share when they have the same processes, locations and edges between them, variables, clocks and channels. It tells
/// whether a run was recorded on this model; it proves nothing.
pub fn fingerprint(network: &Network) -> String {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for process in &network.processes {
        hash.text(&process.name);
        hash.number(process.locations.start);
    }
    network.locations.iter().for_each(|location| hash.text(&location.name));
    for edge in &network.edges {
        hash.number(edge.source.0);
        hash.number(edge.target.0);
        for (name, value) in &edge.select {
            hash.text(name);
            hash.number(*value as u32);
        }
    }
    network.variables.iter().for_each(|variable| hash.text(&variable.name));
    network.clocks.iter().for_each(|clock| hash.text(&clock.name));
    network.channels.iter().for_each(|channel| hash.text(&channel.name));
    format!("{:016x}", hash.0)
}

/// The hash of Fowler, Noll and Vo (1991), variant 1a: the standard library's may change from one release to the next.
struct Fnv(u64);

impl Fnv {
    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    fn number(&mut self, number: u32) {
        number.to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
    }

    /// With an end mark, so that `ab`, `c` and `a`, `bc` differ.
    fn text(&mut self, text: &str) {
        text.bytes().chain([0xff]).for_each(|byte| self.byte(byte));
    }
}
