//! The data for the script.
//!
//! A step is a short array, see [`step`]; `run.js` reads it. Clocks are not written while they merely run: the script knows what time does to them.

use super::others::Others;
use super::told::Cast;
use super::{HtmlReport, gantt};
use crate::number::{decimal, exact};
use crate::trace::story::Story;
use crate::trace::{Changes, Step, Trace};
use crate::verdict::ending_json;
use crate::words::Words;
use guidepost_answer::{Evidence, RunEnding};
use guidepost_language::Loaded;
use guidepost_language::model::{Aside, Wording};
use guidepost_language::syntax::Template;
use guidepost_network::interpreter::{Interpreter, Rational, Share, State};
use guidepost_network::{Edge, EdgeId, LocationId, Network, Sync, Variable};
use serde_json::{Map, Value, json};

impl HtmlReport<'_> {
    pub(super) fn data(&self) -> Value {
        let mut channels = Channels::default();
        let mut others = Others::new(self.network);
        let runs: Vec<Value> = self
            .runs
            .iter()
            .enumerate()
            .map(|(index, run)| {
                let error = &self.answers["results"][index]["model_error"];
                run.map_or(Value::Null, |evidence| self.run(evidence, error, &mut channels, &mut others))
            })
            .collect();
        let cast = Cast::of(self.network);
        let mut data = cast.map_or_else(|| model(self.loaded, self.network), |cast| cast.model());
        data["version"] = self.answers["version"].clone();
        data["model"] = self.answers["model"].clone();
        data["configuration"] = self.answers["configuration"].clone();
        let results = self.answers["results"].as_array().into_iter().flatten();
        data["results"] = results.map(without_run).collect();
        data["runs"] = runs.into();
        data["channels"] = json!(channels.names);
        data
    }

    /// A run. One that leads to an error of the model has the message in `error`; if `fails` is true, its last step is the one that fails.
    fn run(
        &self,
        evidence: &Evidence,
        error: &Value,
        channels: &mut Channels,
        others: &mut Others<'_>,
    ) -> Value {
        let network = self.network;
        let trace = Trace::new(network, &evidence.initial, &evidence.steps);
        if let (Some(cast), Some(story)) = (Cast::of(network), Story::of(&trace)) {
            let mut run = cast.run(&trace, &story, channels);
            run["error"] = error["message"].clone();
            run["optimal"] = evidence.optimal.into();
            run["ending"] = match evidence.ending {
                RunEnding::Loop(at) => json!({ "loop": story.chapter_of(at) - 1 }),
                ending => ending_json(ending),
            };
            run["length"] = story.chapters.len().into();
            run["transitions"] = trace.length().into();
            run["duration"] = json!(trace.duration().map(decimal));
            return run;
        }
        let mut steps = run_steps(&trace, Some(Rational::ZERO), channels);
        let failing = failing_edges(network, &error["transition"]);
        if let Some(edges) = &failing {
            let channel = error["transition"]["channel"].as_str();
            let channel = channel.map_or(-1, |name| channels.number(name) as i64);
            steps.push(json!([0, channel, moves(network, edges)]));
        }
        let mut run = beginning(network, &evidence.initial);
        run["error"] = error["message"].clone();
        run["fails"] = failing.is_some().into();
        run["optimal"] = evidence.optimal.into();
        run["ending"] = ending_json(evidence.ending);
        run["length"] = trace.length().into();
        run["duration"] = json!(trace.duration().map(decimal));
        run["steps"] = steps.into();
        run["gantt"] = gantt::lanes(self.loaded, network, evidence);
        run["costs"] = costs(network, evidence);
        run["others"] = others.of(&trace, channels).into();
        run
    }
}

/// The names of everything.
pub(super) fn model(loaded: &Loaded, network: &Network) -> Value {
    let wording = &network.wording;
    let templates = loaded.document.templates.iter().enumerate();
    let templates: Vec<Value> =
        templates.map(|(index, template)| template_data(wording, index, template)).collect();
    let is_inner = |name: &str| wording.asides.get(name) == Some(&Aside::Inner);
    let inner_variables: Vec<usize> =
        network.variables.iter().enumerate().filter(|(_, v)| is_inner(&v.name)).map(|(id, _)| id).collect();
    let clocks = network.clocks.iter().skip(1).enumerate();
    let inner_clocks: Vec<usize> = clocks.filter(|(_, c)| is_inner(&c.name)).map(|(id, _)| id).collect();
    json!({
        "inner": [inner_variables, inner_clocks],
        "templates": templates,
        "processes": network.processes.iter().map(|p| json!([wording.name(&p.name), p.template])).collect::<Vec<_>>(),
        "variables": network.variables.iter().map(|variable| variable_data(wording, variable)).collect::<Vec<_>>(),
        "clocks": network.clocks.iter().skip(1).map(|clock| wording.name(&clock.name)).collect::<Vec<_>>(),
    })
}

/// The names of its locations and, where the author has words for them, what its edges are called.
fn template_data(wording: &Wording, index: usize, template: &Template) -> Value {
    let locations = template
        .locations
        .iter()
        .enumerate()
        .map(|(at, location)| wording.location(index, at).unwrap_or(&location.name.name));
    let mut value =
        json!({ "name": wording.name(&template.name.name), "locations": locations.collect::<Vec<_>>() });
    let told: Vec<_> = (0..template.edges.len()).map(|edge| wording.edge(index, edge)).collect();
    if told.iter().any(Option::is_some) {
        value["told"] = json!(told);
    }
    if let Some(portrait) = wording.portraits.get(&index) {
        value["places"] = json!(portrait.places);
        value["taken"] = json!(portrait.taken);
    }
    value
}

/// The state in which a run begins.
pub(super) fn beginning(network: &Network, initial: &State) -> Value {
    json!({
        "locations": initial.locations.iter().map(|id| network.locations[id.index()].origin).collect::<Vec<_>>(),
        "variables": initial.variables,
        "clocks": initial.clocks.iter().skip(1).map(|value| exact(*value)).collect::<Vec<_>>(),
    })
}

/// The steps of a run that begins at some time, where it is known.
pub(super) fn run_steps(trace: &Trace<'_>, begin: Option<Rational>, channels: &mut Channels) -> Vec<Value> {
    let mut interpreter = Interpreter::new(trace.network);
    let mut steps = Vec::with_capacity(trace.steps.len());
    let mut now = begin;
    for (index, current) in trace.steps.iter().enumerate() {
        let then = now.and_then(|now| now.plus(current.delay).ok());
        let time = if then == now { Value::from(0) } else { json!(then.map(exact)) };
        steps.push(step(trace.network, current, trace.before(index), time, &mut interpreter, channels));
        now = then;
    }
    steps
}

/// By step: `[process, for waiting, for the transition]` of those who pay, -1 for what is paid around every transition; null when the model has no prices.
fn costs(network: &Network, evidence: &Evidence) -> Value {
    if !network.features.costs {
        return Value::Null;
    }
    let mut interpreter = Interpreter::new(network);
    let mut from = &evidence.initial;
    let mut steps = Vec::with_capacity(evidence.steps.len());
    for step in &evidence.steps {
        let Ok(shares) = interpreter.shares(from, step) else { return Value::Null };
        let share = |share: Share| {
            let process = share.process.map_or(-1, |process| i64::from(process.0));
            json!([process, exact(share.waiting), exact(share.price)])
        };
        steps.push(Value::Array(shares.into_iter().map(share).collect()));
        from = &step.after;
    }
    Value::Array(steps)
}

/// `[name, boolean]`, and the names of the values where they have some.
pub(super) fn variable_data(wording: &Wording, variable: &Variable) -> Value {
    let (name, boolean) = (wording.name(&variable.name), u8::from(variable.boolean));
    match wording.values.get(variable.name.as_str()) {
        Some(values) => json!([name, boolean, values.iter().map(|value| &**value).collect::<Vec<_>>()]),
        None => json!([name, boolean]),
    }
}

/// An answer without its run, which is told in another way.
fn without_run(result: &Value) -> Value {
    let Some(map) = result.as_object() else { return Value::Null };
    let kept: Map<String, Value> = map
        .iter()
        .filter(|(key, _)| !matches!(key.as_str(), "trace" | "model_error"))
        // The author's words say it.
        .filter(|(key, _)| key.as_str() != "query" || result["property"].is_null())
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    Value::Object(kept)
}

/// The names of channels and vectors, each once.
#[derive(Clone, Debug, Default)]
pub struct Channels {
    names: Vec<String>,
}

impl Channels {
    /// Those of a network, so that nobody has to be told of new ones.
    pub fn of(network: &Network) -> Self {
        let names = network.channels.iter().map(|channel| &channel.name);
        let mut channels = Self::default();
        for name in names.chain(network.vectors.iter().map(|vector| &vector.name)) {
            channels.number(name);
        }
        channels
    }

    /// The names, in the order of their numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn number(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }
}

/// `[time, channel, moves, variables, clocks, stopped]`, with empty lists at the end left out.
///
/// `time` is the moment of the transition, 0 when no time passes, null when it cannot be told; `channel` a number, -1 for none, -2 when the step only
/// waits; `moves` has for each edge the process, the edge of the template, the edge behind a branch point or -1, the location it leads to,
/// the role (0 alone, 1 sends, 2 receives, 3 joins) and the values of `select`; `variables` and `clocks` have pairs of number and new value. Clocks that
/// stood still while time passed are in `stopped`, in the same way.
fn step(
    network: &Network,
    step: &Step<'_>,
    before: &State,
    time: Value,
    interpreter: &mut Interpreter<'_>,
    channels: &mut Channels,
) -> Value {
    let channel = match step.transition.map(|transition| Words(network).channel(transition.kind)) {
        None => -2,
        Some(None) => -1,
        Some(Some(name)) => channels.number(name) as i64,
    };
    let changes = Changes::of(step, before, interpreter);
    let variables = changes.variables.iter().flat_map(|&(id, _, new)| [json!(id.0), json!(new)]);
    let clocks = changes.clocks.iter().flat_map(|&(id, value)| [json!(id.0 - 1), json!(exact(value))]);
    let mut parts = vec![
        time,
        json!(channel),
        Value::Array(moves(network, step.transition.map_or(&[], |transition| &transition.edges))),
        variables.collect(),
        clocks.collect(),
        Value::Array(stopped(step, before, &changes, interpreter)),
    ];
    while parts.last().and_then(Value::as_array).is_some_and(Vec::is_empty) {
        parts.pop();
    }
    Value::Array(parts)
}

/// The edges of a transition that was written as JSON; `None` when there is none, or the network does not have them.
fn failing_edges(network: &Network, transition: &Value) -> Option<Vec<EdgeId>> {
    let name = |id: LocationId| network.locations[id.index()].name.as_str();
    let find = |value: &Value| {
        let fits = |edge: &Edge| {
            Some(network.processes[edge.process.index()].name.as_str()) == value["process"].as_str()
                && Some(name(edge.source)) == value["from"].as_str()
                && Some(name(edge.target)) == value["to"].as_str()
        };
        let recorded = value["edge"].as_u64().map(|number| number as usize);
        let recorded = recorded.filter(|&number| network.edges.get(number).is_some_and(fits));
        let number = recorded.or_else(|| network.edges.iter().position(fits))?;
        Some(EdgeId(number as u32))
    };
    transition["edges"].as_array()?.iter().map(find).collect()
}

pub(super) fn moves(network: &Network, edges: &[EdgeId]) -> Vec<Value> {
    let origin = |id: LocationId| network.locations[id.index()].origin;
    edges
        .iter()
        .map(|id| {
            let edge = &network.edges[id.index()];
            let role = match edge.sync {
                Sync::Internal => 0,
                Sync::Send(_) => 1,
                Sync::Receive(_) => 2,
                Sync::Join(_) => 3,
            };
            let select: Vec<String> =
                edge.select.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let branch = edge.origin.branch.map_or(-1, i64::from);
            let mut parts = vec![
                json!(edge.process.0),
                json!(edge.origin.edge),
                json!(branch),
                json!(origin(edge.target)),
                json!(role),
            ];
            if !select.is_empty() {
                parts.push(json!(select.join(", ")));
            }
            Value::Array(parts)
        })
        .collect()
}

/// Clocks that are not where running freely would have brought them, although nobody set them.
fn stopped(
    step: &Step<'_>,
    before: &State,
    changes: &Changes,
    interpreter: &mut Interpreter<'_>,
) -> Vec<Value> {
    if step.delay == Rational::ZERO || !interpreter.network().features.stopwatches {
        return Vec::new();
    }
    let Ok(waited) = interpreter.delay(before, step.delay) else { return Vec::new() };
    let mut list = Vec::new();
    for (clock, (old, new)) in before.clocks.iter().zip(&waited.clocks).enumerate().skip(1) {
        let is_set = changes.clocks.iter().any(|(id, _)| id.index() == clock);
        if !is_set && old.plus(step.delay).ok() != Some(*new) {
            list.extend([json!(clock - 1), json!(exact(*new))]);
        }
    }
    list
}

/// JSON inside of a script element: nothing in it may look like the element's end.
pub(super) fn embedded(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_leave_its_element() {
        let value = json!({ "query": "</script><!-- x" });
        let text = embedded(&value);
        assert!(!text.contains('<'));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
