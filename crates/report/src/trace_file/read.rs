//! From text to recorded runs: everything that can be wrong with a file is said here, with its place.

use super::{
    FORMAT_VERSION, RecordedEdge, RecordedRun, RecordedRuns, RecordedState, RecordedStep, UnreadableRuns,
};
use crate::verdict::property_of;
use guidepost_answer::RunEnding;
use guidepost_network::interpreter::Rational;
use serde_json::{Map, Value, json};

impl RecordedRuns {
    /// Reads a trace file, or the JSON of `check` or `simulate`.
    pub fn parse(text: &str) -> Result<Self, UnreadableRuns> {
        Self::of(&document(text)?)
    }

    /// The runs of a file whose JSON has been read.
    pub fn of(value: &Value) -> Result<Self, UnreadableRuns> {
        let word = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let version = word("version");
        let mut runs = Vec::new();
        for (entry, place) in entries(value) {
            let Some(trace) = entry.get("trace").filter(|trace| !trace.is_null()) else { continue };
            let reader = Reader { by: version.as_deref(), place };
            runs.push(RecordedRun {
                number: entry.get("number").and_then(Value::as_u64),
                query: entry.get("query").and_then(Value::as_str).map(str::to_owned),
                property: entry.get("property").and_then(property_of),
                ..reader.run(trace)?
            });
        }
        if runs.is_empty() {
            return Err(UnreadableRuns::NoRun);
        }
        Ok(Self { model: word("model"), fingerprint: word("fingerprint"), version, runs })
    }
}

/// Reads answers with their runs, in the form of `check --format json`, from any of the files that guidepost writes: a trace file has answers without
/// statistics, a simulation is a run without a question.
pub fn answers(text: &str) -> Result<(Value, Vec<Option<RecordedRun>>), UnreadableRuns> {
    let mut value = document(text)?;
    if let Some(traces) = value.get_mut("traces").map(Value::take) {
        value["results"] = traces;
    } else if value.get("trace").is_some() {
        let reason = value.get("message").cloned().unwrap_or(Value::Null);
        let trace = value["trace"].take();
        value["results"] =
            json!([{ "query": "simulation", "verdict": "simulated", "reason": reason, "trace": trace }]);
    }
    let version = value.get("version").and_then(Value::as_str);
    let results = value.get("results").and_then(Value::as_array);
    let results = results.ok_or_else(|| UnreadableRuns::Foreign("there are no `results`".to_owned()))?;
    let mut runs = Vec::with_capacity(results.len());
    for (index, entry) in results.iter().enumerate() {
        let reader = Reader { by: version, place: format!("`results`, item {}", index + 1) };
        let is_run = |trace: &&Value| !trace.is_null();
        let way = entry.get("model_error").and_then(|error| error.get("trace"));
        let trace = entry.get("trace").filter(is_run).or(way.filter(is_run));
        runs.push(trace.map(|trace| reader.run(trace)).transpose()?);
    }
    Ok((value, runs))
}

/// Reads the JSON of a file and makes sure that it is one of ours.
pub(crate) fn document(text: &str) -> Result<Value, UnreadableRuns> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        if error.is_eof() { UnreadableRuns::Truncated(error.line()) } else { UnreadableRuns::NotJson(error) }
    })?;
    if value.get("tool").and_then(Value::as_str) != Some("guidepost") {
        return Err(UnreadableRuns::Foreign("it does not begin with `\"tool\": \"guidepost\"`".to_owned()));
    }
    if let Some(format) = value.get("format_version") {
        let found = format.as_u64().unwrap_or(0);
        if found != FORMAT_VERSION {
            let by = value.get("version").and_then(Value::as_str).unwrap_or("of unknown version").to_owned();
            return Err(UnreadableRuns::OtherFormat { found, by });
        }
    }
    Ok(value)
}

/// Everything that may have a `trace`: the runs of a trace file, the results of a check, a model error's, a simulation itself.
fn entries(value: &Value) -> Vec<(&Value, String)> {
    let mut entries = Vec::new();
    for key in ["traces", "results"] {
        for (index, entry) in value.get(key).and_then(Value::as_array).into_iter().flatten().enumerate() {
            entries.push((entry, format!("`{key}`, item {}", index + 1)));
            if let Some(error) = entry.get("model_error") {
                entries.push((error, format!("`{key}`, item {}, `model_error`", index + 1)));
            }
        }
    }
    entries.push((value, "`trace`".to_owned()));
    entries
}

struct Reader<'a> {
    by: Option<&'a str>,
    place: String,
}

impl Reader<'_> {
    fn malformed(&self, place: &str, problem: impl Into<String>) -> UnreadableRuns {
        let place = if place.is_empty() { self.place.clone() } else { format!("{}, {place}", self.place) };
        UnreadableRuns::Malformed { place, problem: problem.into(), by: self.by.map(str::to_owned) }
    }

    fn run(&self, trace: &Value) -> Result<RecordedRun, UnreadableRuns> {
        let steps = trace
            .get("steps")
            .and_then(Value::as_array)
            .ok_or_else(|| self.malformed("", "the run has no list of `steps`"))?;
        let initial = match trace.get("initial") {
            Some(state) => self.state(state, "the initial state")?,
            None => RecordedState::default(),
        };
        let steps = steps.iter().enumerate();
        Ok(RecordedRun {
            number: None,
            query: None,
            property: None,
            optimal: trace.get("optimal").and_then(Value::as_bool).unwrap_or(false),
            ending: self.ending(trace.get("ending"))?,
            initial,
            steps: steps
                .map(|(index, step)| self.step(step, &format!("step {}", index + 1)))
                .collect::<Result<_, _>>()?,
        })
    }

    fn ending(&self, ending: Option<&Value>) -> Result<RunEnding, UnreadableRuns> {
        let known = |value: &Value| match value.as_str() {
            Some("goal") => Some(RunEnding::Goal),
            Some("waits") => Some(RunEnding::Waits),
            Some("stuck") => Some(RunEnding::Stuck),
            _ => value.get("loop").and_then(Value::as_u64).map(|at| RunEnding::Loop(at as usize)),
        };
        match ending {
            None => Ok(RunEnding::Goal),
            Some(value) => {
                known(value).ok_or_else(|| self.malformed("", format!("`ending` cannot be {value}")))
            }
        }
    }

    fn step(&self, step: &Value, place: &str) -> Result<RecordedStep, UnreadableRuns> {
        let delay = step.get("delay").ok_or_else(|| self.malformed(place, "there is no `delay`"))?;
        let delay = self.time(delay, place, "delay")?;
        if delay.is_negative() {
            return Err(self.malformed(place, format!("the delay {delay} is negative")));
        }
        let edges = match step.get("transition") {
            None => return Err(self.malformed(place, "there is no `transition`")),
            Some(Value::Null) => Vec::new(),
            Some(transition) => {
                let edges = transition.get("edges").and_then(Value::as_array);
                let edges =
                    edges.ok_or_else(|| self.malformed(place, "the transition has no list of `edges`"))?;
                if edges.is_empty() {
                    return Err(self.malformed(place, "the transition has no edges"));
                }
                edges.iter().map(|edge| self.edge(edge, place)).collect::<Result<_, _>>()?
            }
        };
        let after = match step.get("state").or_else(|| step.get("changes")) {
            Some(state) => self.state(state, place)?,
            None => RecordedState::default(),
        };
        Ok(RecordedStep { delay, edges, after })
    }

    fn edge(&self, edge: &Value, place: &str) -> Result<RecordedEdge, UnreadableRuns> {
        let word = |key: &str| {
            let word = edge.get(key).and_then(Value::as_str).map(str::to_owned);
            word.ok_or_else(|| self.malformed(place, format!("an edge has no `{key}`")))
        };
        let empty = Map::new();
        let select = edge.get("select").and_then(Value::as_object).unwrap_or(&empty);
        let chosen = |(name, value): (&String, &Value)| {
            let value = value.as_i64().ok_or_else(|| {
                self.malformed(place, format!("`{name}` of an edge's `select` is no integer"))
            });
            Ok((name.clone(), value?))
        };
        Ok(RecordedEdge {
            process: word("process")?,
            from: word("from")?,
            to: word("to")?,
            select: select.iter().map(chosen).collect::<Result<_, _>>()?,
            number: edge.get("edge").and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok()),
        })
    }

    fn state(&self, state: &Value, place: &str) -> Result<RecordedState, UnreadableRuns> {
        let entries = |key: &str| {
            let map = state.get(key).and_then(Value::as_object);
            map.into_iter().flatten().map(|(name, value)| (name.clone(), value)).collect::<Vec<_>>()
        };
        let mut recorded = RecordedState::default();
        for (process, location) in entries("locations") {
            let location = location.as_str().map(str::to_owned);
            let location = location
                .ok_or_else(|| self.malformed(place, format!("the location of `{process}` is no text")));
            recorded.locations.push((process, location?));
        }
        for (variable, value) in entries("variables") {
            let value = value.as_i64().or_else(|| value.as_bool().map(i64::from));
            let value = value
                .ok_or_else(|| self.malformed(place, format!("the value of `{variable}` is no integer")));
            recorded.variables.push((variable, value?));
        }
        for (clock, value) in entries("clocks") {
            let value = self.time(value, place, &clock)?;
            recorded.clocks.push((clock, value));
        }
        Ok(recorded)
    }

    fn time(&self, value: &Value, place: &str, what: &str) -> Result<Rational, UnreadableRuns> {
        let parsed = match value {
            Value::String(text) => text.parse().ok(),
            Value::Number(number) => number.as_i64().and_then(|number| Rational::new(number, 1)),
            _ => None,
        };
        parsed.ok_or_else(|| {
            self.malformed(place, format!("`{what}` is {value}, not a time such as \"3\" or \"5/2\""))
        })
    }
}
