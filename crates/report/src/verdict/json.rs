//! Verdicts as JSON. The keys are stable and documented in `docs/json.md`.

use super::{QueryResult, Report, proof, reason, way};
use crate::Trace;
use crate::number::exact;
use crate::trace::transition_json;
use crate::words::Words;
use guidepost_answer::{
    Answer, Cost, Estimate, Evidence, Measure, Measured, ModelError, PassedGuidepost, Refinement, RunEnding,
    Statistics, Trust, Verdict, WorkerFigures,
};
use guidepost_language::model::Property;
use guidepost_network::Network;
use guidepost_network::interpreter::Rational;
use serde_json::{Map, Value, json};

impl Report<'_> {
    /// `{ "tool", "version", "model", "results": […] }`
    pub fn json(&self) -> Value {
        json!({
            "tool": "guidepost",
            "version": env!("CARGO_PKG_VERSION"),
            "model": self.model,
            "results": self.results.iter().map(|result| result_json(result, self.network)).collect::<Vec<_>>(),
        })
    }
}

/// The word for a verdict.
pub(crate) fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Satisfied => "satisfied",
        Verdict::NotSatisfied => "not satisfied",
        Verdict::Undecided => "undecided",
    }
}

fn result_json(result: &QueryResult, network: &Network) -> Value {
    let mut map = Map::new();
    map.insert("number".into(), json!(result.number));
    map.insert("query".into(), json!(result.query));
    if let Some(property) = &result.property {
        map.insert("property".into(), property_json(property));
    }
    map.insert("verdict".into(), json!(verdict_word(result.verdict())));
    if let Some(expected) = result.is_expected() {
        map.insert("expected".into(), json!(expected));
    }
    match &result.answer {
        Err(reason) => {
            map.insert("reason".into(), json!(reason));
        }
        Ok(answer) => answer_json(&mut map, answer, network),
    }
    Value::Object(map)
}

/// `{ "name", "text" }`
pub(crate) fn property_json(property: &Property) -> Value {
    json!({ "name": &*property.name, "text": property.text })
}

/// The property that [`property_json`] wrote.
pub(crate) fn property_of(value: &Value) -> Option<Property> {
    Some(Property { name: value["name"].as_str()?.into(), text: value["text"].as_str()?.to_owned() })
}

/// What one of several processes did.
pub(crate) fn worker_json(worker: &WorkerFigures) -> Value {
    let s = &worker.statistics;
    json!({
        "name": worker.name,
        "explored": s.explored,
        "generated": s.generated,
        "stored": s.stored,
        "waiting": worker.waiting,
        "peak_memory_bytes": s.bytes,
        "sent": worker.sent,
        "sent_bytes": worker.sent_bytes,
        "idle_seconds": worker.idle_seconds,
    })
}

fn answer_json(map: &mut Map<String, Value>, answer: &Answer, network: &Network) {
    if let Some(reason) = reason(answer) {
        map.insert("reason".into(), json!(reason));
    }
    map.insert("approximate".into(), json!(answer.approximate));
    map.insert("engine".into(), json!(answer.method.engine));
    map.insert("search".into(), json!(answer.method.search));
    map.insert("heuristic".into(), json!(answer.method.heuristic));
    map.insert("statistics".into(), statistics(&answer.statistics));
    if !answer.remarks.notes.is_empty() {
        map.insert("notes".into(), json!(answer.remarks.notes));
    }
    if !answer.remarks.landmarks.is_empty() {
        let landmark = |landmark| Words(network).landmark(landmark);
        map.insert("landmarks".into(), answer.remarks.landmarks.iter().map(landmark).collect());
    }
    if let Some(proof) = proof(answer) {
        map.insert(
            "proof".into(),
            json!({
                "kept_processes": proof.kept_processes,
                "processes": proof.processes,
                "states": proof.states,
                "hidden": proof.hidden,
            }),
        );
    }
    if let Some(certificate) = &answer.certificate {
        map.insert(
            "certificate".into(),
            json!({
                "file": certificate.file,
                "states": certificate.states,
                "zones": certificate.zones,
                "bytes": certificate.bytes,
                "hides": certificate.hides,
                "checked": certificate.checked,
            }),
        );
    }
    // What was seen before the search ended is no answer.
    if let Some(measurement) = answer.measured() {
        map.insert("values".into(), measurement.items.iter().map(bound).collect());
    }
    if let Some(cost) = &answer.cost {
        map.insert("cost".into(), cost_json(cost));
    }
    if let Some(refinement) = &answer.refinement {
        map.insert("refinement".into(), refinement_json(refinement));
    }
    if !answer.workers.is_empty() {
        map.insert("workers".into(), answer.workers.iter().map(worker_json).collect());
    }
    if let Some(evidence) = &answer.evidence {
        let mut value = trace(evidence, network);
        if let Some(cost) = &answer.cost {
            add_costs(&mut value, evidence, cost.measure);
        }
        if let Some(shortened) = &answer.shortened {
            value["found_length"] = json!(shortened.found);
            map["statistics"]["shortening_seconds"] = json!(shortened.seconds);
        }
        if !answer.guideposts.is_empty() {
            let passed = |post: &PassedGuidepost| json!({ "condition": post.text, "step": post.step });
            value["guideposts"] = answer.guideposts.iter().map(passed).collect();
        }
        map.insert("trace".into(), value);
    }
    if let Some(error) = answer.model_error() {
        map.insert("model_error".into(), model_error(error, network));
    }
    if let Some(internal) = &answer.internal {
        map.insert("internal_error".into(), json!(internal.to_string()));
    }
}

/// `{ "rounds", "nodes", "covered", "precision" }`
fn refinement_json(refinement: &Refinement) -> Value {
    json!({
        "rounds": refinement.rounds,
        "nodes": refinement.nodes,
        "covered": refinement.covered,
        "precision": refinement.precision,
    })
}

/// `{ "measure", "value", "lower_bound", "proved", "attained" }`, and where the author's `remaining` was used, `trusts` or `broken_after`
pub(crate) fn cost_json(cost: &Cost) -> Value {
    let number = |value: Option<i64>| value.map(|value| value.to_string());
    let mut known = json!({
        "measure": cost.measure.name(),
        "value": number(cost.value),
        "lower_bound": number(cost.lower_bound),
        "proved": cost.is_proved(),
        "attained": cost.attained,
    });
    match cost.trust {
        Trust::Nobody => {}
        Trust::Remaining => known["trusts"] = json!("remaining"),
        Trust::Broken(step) => known["broken_after"] = json!(step),
    }
    known
}

/// Adds what the run has cost after each step, and in all.
fn add_costs(trace: &mut Value, evidence: &Evidence, measure: Measure) {
    let costs = evidence.costs(measure);
    if let Some(steps) = trace["steps"].as_array_mut() {
        for (step, cost) in steps.iter_mut().zip(&costs) {
            step["cost"] = json!(cost.map(exact));
        }
    }
    trace["cost"] = json!(costs.last().copied().unwrap_or(Some(Rational::ZERO)).map(exact));
}

/// `{ "message", "transition", "trace" }`; the transition is the one that fails, behind the trace.
pub(crate) fn model_error(error: &ModelError, network: &Network) -> Value {
    let failing = error.evidence.as_ref().and_then(|evidence| way(error, evidence, network).failing);
    json!({
        "message": error.error.describe(network),
        "transition": failing.map(|failing| transition_json(network, &failing.transition)),
        "trace": error.evidence.as_ref().map(|evidence| trace(evidence, network)),
    })
}

/// The numbers of a search.
pub(crate) fn statistics(s: &Statistics) -> Value {
    json!({
        "explored": s.explored,
        "generated": s.generated,
        "transitions": s.generated,
        "stored": s.stored,
        "covered": s.covered,
        "discrete": s.discrete,
        "early": s.early,
        "merged": s.merged,
        "left_out": s.left_out,
        "bystanders": s.bystanders,
        "renamed": s.renamed,
        "postponed": s.postponed,
        "nodes": s.nodes,
        "dead_ends": s.dead_ends,
        "effort": s.effort,
        "evaluations": s.evaluations,
        "initial_estimate": s.initial_estimate.map_or(Some(0), Estimate::as_steps),
        "preprocessing_seconds": s.preprocessing_seconds,
        "seconds": s.seconds,
        "peak_memory_bytes": s.bytes,
        "states_per_second": (s.explored as f64 / s.seconds.max(1e-9)).round(),
    })
}

fn bound(Measured { expression, value }: &Measured) -> Value {
    let side =
        |side: Option<(i64, bool)>| side.map(|(value, strict)| json!({ "value": value, "strict": strict }));
    json!({
        "expression": expression,
        "inf": side(value.inf),
        "sup": side(value.sup),
        "unbounded": value.inf.is_some() && value.sup.is_none(),
    })
}

/// A run with what it shows.
pub(crate) fn trace(evidence: &Evidence, network: &Network) -> Value {
    let mut value = Trace::new(network, &evidence.initial, &evidence.steps).json();
    value["optimal"] = json!(evidence.optimal);
    value["ending"] = ending_json(evidence.ending);
    value
}

/// How a run goes on.
pub(crate) fn ending_json(ending: RunEnding) -> Value {
    match ending {
        RunEnding::Goal => json!("goal"),
        RunEnding::Loop(at) => json!({ "loop": at }),
        RunEnding::Waits => json!("waits"),
        RunEnding::Stuck => json!("stuck"),
    }
}
