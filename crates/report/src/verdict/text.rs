//! Verdicts as text, in the terms of UPPAAL.

use super::{QueryResult, Report, lost, proof, way};
use crate::appearance::{CHANGE, HEADING, NAME, TROUBLE, count};
use crate::trace::story::Story;
use crate::words::Words;
use crate::{Look, Trace, decimal};
use guidepost_answer::{
    Answer, Certification, Cost, Evidence, Exploration, Measure, Measured, Measurement, ModelError, Outcome,
    Refinement, RunEnding, StopReason, Trust, Verdict,
};
use guidepost_language::model::BoundKind;
use guidepost_network::interpreter::Rational;
use guidepost_network::{EdgeId, Network, ProcessId};
use std::fmt::Write;

impl Report<'_> {
    /// All results; when there are several, how many of each kind, and after long runs a table to look them up in.
    pub fn text(&self, look: Look) -> String {
        let known = (1..=self.results.len()).map(|count| &self.results[..count]);
        let several = self.results.len() > 1;
        let texts: String = known.map(|known| latest_text(known, several, self.network, look)).collect();
        texts + &closing_text(&self.results, look)
    }
}

/// The last of the results known so far, as it stands in [`Report::text`]: for showing results as they come.
pub fn latest_text(known: &[QueryResult], several: bool, network: &Network, look: Look) -> String {
    let mut text = String::new();
    let Some((result, before)) = known.split_last() else { return text };
    let number = if several { format!("{}  ", result.number) } else { String::new() };
    let _ = writeln!(text, "{}{}", look.paint(HEADING, &number), look.paint(NAME, &result.title()));
    let earlier = before.iter().find(|earlier| is_shared(earlier, result));
    result_text(&mut text, result, earlier, network, look);
    if several {
        text.push('\n');
    }
    text
}

/// What stands below several results.
pub fn closing_text(results: &[QueryResult], look: Look) -> String {
    let mut text = String::new();
    if results.len() > 1 {
        if results.iter().any(has_run) {
            table(&mut text, results, look);
            text.push('\n');
        }
        summary(&mut text, results, look);
    }
    text
}

/// Whether two queries were answered by one exploration.
fn is_shared(earlier: &QueryResult, later: &QueryResult) -> bool {
    let exploration =
        |result: &QueryResult| -> Option<Exploration> { Some(result.answer.as_ref().ok()?.exploration) };
    exploration(earlier).is_some() && exploration(earlier) == exploration(later)
}

fn has_run(result: &QueryResult) -> bool {
    let shows = |answer: &Answer| {
        let way = answer.model_error().and_then(|error| error.evidence.as_ref());
        answer.evidence.is_some() || way.is_some()
    };
    result.answer.as_ref().is_ok_and(shows)
}

fn result_text(
    text: &mut String,
    result: &QueryResult,
    earlier: Option<&QueryResult>,
    network: &Network,
    look: Look,
) {
    let answer = match &result.answer {
        Ok(answer) => answer,
        Err(reason) => {
            let _ = writeln!(text, "  {}", look.paint(TROUBLE, &format!("Not answered: {reason}.")));
            return;
        }
    };
    let expected = match result.is_expected() {
        Some(true) => " As expected.".to_owned(),
        Some(false) => look.paint(TROUBLE, " This is NOT what the author expects."),
        None => String::new(),
    };
    match answer.measured() {
        None => {
            let _ = writeln!(text, "  {}{expected}", sentence(answer, look));
        }
        Some(measurement) => {
            values(text, measurement, answer.approximate);
            if !expected.is_empty() {
                let _ = writeln!(text, "  {}", expected.trim_start());
            }
        }
    }
    if let Some(cost) = &answer.cost {
        let _ = writeln!(text, "  {}", cost_sentence(cost));
    }
    numbers(text, answer, earlier, look);
    if let Some(refinement) = &answer.refinement {
        let _ = writeln!(text, "  {}", look.paint(HEADING, &learned(answer, refinement, network)));
    }
    if let Some(certificate) = &answer.certificate {
        let _ = writeln!(text, "  {}", certificate_sentence(certificate));
    }
    remarks(text, &result.query, answer, network, look);
    if let Some(error) = answer.model_error() {
        model_error(text, error, earlier, network, look);
    }
    if let Some(evidence) = &answer.evidence {
        headline(text, evidence, answer.cost.as_ref(), network);
        run(text, evidence, network, look);
        guideposts(text, answer, look);
        if answer.cost.is_some() {
            schedule(text, evidence, network, look);
        }
    }
}

fn sentence(answer: &Answer, look: Look) -> String {
    let (style, sentence) = match (&answer.outcome, answer.approximate) {
        (Outcome::Decided(true), false) => (CHANGE, "Formula is satisfied.".into()),
        (Outcome::Decided(false), false) => (TROUBLE, "Formula is NOT satisfied.".into()),
        (Outcome::Decided(true), true) => (TROUBLE, "Formula MAY be satisfied.".into()),
        (Outcome::Decided(false), true) => (TROUBLE, "Formula MAY NOT be satisfied.".into()),
        (Outcome::Failed(_), _) => (TROUBLE, "Not answered: the model has an error.".into()),
        (Outcome::Stopped(reason), _) => (TROUBLE, format!("Undecided: {}.", undecided(*reason, answer))),
    };
    look.paint(style, &sentence)
}

/// What refinement learned.
fn learned(answer: &Answer, refinement: &Refinement, network: &Network) -> String {
    let Refinement { rounds, nodes, precision, .. } = refinement;
    let size = format!(
        "{}: {} after {}",
        answer.method.engine,
        count(*nodes as usize, "node", "nodes"),
        count(*rounds as usize, "refinement", "refinements")
    );
    let told: Vec<String> = precision.iter().map(|name| network.wording.name(name).into()).collect();
    let names = first_names(&told);
    match (precision.is_empty(), answer.outcome.is_decided()) {
        (true, true) => format!("{size}; nothing had to be learned about clocks and variables"),
        (true, false) => size,
        (false, _) => format!("{size}; what matters: {names}"),
    }
}

/// Some names, and how many there are beside them.
pub fn first_names(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut text = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if let Some(more @ 1..) = names.len().checked_sub(SHOWN) {
        let _ = write!(text, " and {more} more");
    }
    text
}

/// `Certificate: 96 states with 220 zones, 1904 bytes in fischer.cert, checked.`
fn certificate_sentence(certificate: &Certification) -> String {
    let (states, zones) =
        (count(certificate.states, "state", "states"), count(certificate.zones, "zone", "zones"));
    let file = certificate.file.as_ref().map_or_else(String::new, |file| format!(" in {file}"));
    let checked = if certificate.checked { ", checked" } else { "" };
    let hides = match &*certificate.hides {
        [] => String::new(),
        names => format!(" It does not need {}.", first_names(names)),
    };
    format!("Certificate: {states} with {zones}, {} bytes{file}{checked}.{hides}", certificate.bytes)
}

/// What is known of the best run, and whose word that rests on.
fn cost_sentence(cost: &Cost) -> String {
    let trust = match cost.trust {
        Trust::Nobody => String::new(),
        Trust::Remaining => {
            format!(" This holds if `remaining` is never more than the {} to come.", cost.measure.name())
        }
        Trust::Broken(0) => {
            " Nothing is proved: `remaining` is too large at the start of this run.".to_owned()
        }
        Trust::Broken(step) => format!(" Nothing is proved: `remaining` is too large after step {step}."),
    };
    known_cost(cost) + &trust
}

fn known_cost(cost: &Cost) -> String {
    let what = cost.measure.name();
    match (cost.value, cost.lower_bound) {
        (Some(value), _) if cost.is_proved() && cost.attained => format!("The least {what} is {value}."),
        (Some(value), _) if cost.is_proved() => {
            format!(
                "The least {what} is {value}. The run found comes near it: on its way, a strict bound excludes the value itself."
            )
        }
        (Some(value), Some(bound)) => format!("{} {value} found, at least {bound} needed.", capital(what)),
        (Some(value), None) => format!("{} {value} found.", capital(what)),
        (None, Some(bound)) => format!("No run found; every one needs {what} of at least {bound}."),
        (None, None) => "No run found.".to_owned(),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn undecided(reason: StopReason, answer: &Answer) -> String {
    match reason {
        StopReason::Lost(number) => lost(number, &answer.workers),
        StopReason::Interrupt | StopReason::Incomplete => reason.describe().to_owned(),
        StopReason::Full => "the store is full, which it is after 4 billion states".into(),
        StopReason::Time | StopReason::Memory | StopReason::States => {
            format!("the {} was reached", reason.describe())
        }
    }
}

fn numbers(text: &mut String, answer: &Answer, earlier: Option<&QueryResult>, look: Look) {
    let s = &answer.statistics;
    let line = match earlier {
        Some(earlier) if answer.outcome.is_decided() => {
            format!("found in the same exploration as {}", earlier.number)
        }
        Some(earlier) => format!("looked for in the same exploration as {}", earlier.number),
        None => format!(
            "{}: {} explored, {} stored{}, {}, {:.3} s, {:.1} MiB",
            method(answer),
            count(s.explored as usize, "state", "states"),
            s.stored,
            if s.nodes == 0 {
                String::new()
            } else {
                format!(" in {}", count(s.nodes as usize, "node", "nodes"))
            },
            count(s.generated as usize, "transition", "transitions"),
            s.seconds,
            s.bytes as f64 / f64::from(1 << 20)
        ),
    };
    let _ = writeln!(text, "  {}", look.paint(HEADING, &line));
}

/// Remarks of the heuristic.
fn remarks(text: &mut String, query: &str, answer: &Answer, network: &Network, look: Look) {
    if let Some(proof) = proof(answer) {
        let _ = writeln!(
            text,
            "  Proved on an abstraction with {} of {} and {}.",
            proof.kept_processes,
            count(proof.processes, "process", "processes"),
            count(proof.states as usize, "state", "states"),
        );
        if !proof.hidden.is_empty() {
            let hidden = proof.hidden.join(",");
            let query = query.replace('\'', "'\\''");
            let _ = writeln!(
                text,
                "  To check: guidepost abstract MODEL OUT --hide '{hidden}' --query '{query}'"
            );
        }
    }
    for note in &answer.remarks.notes {
        let _ = writeln!(text, "  {}", look.paint(HEADING, note));
    }
    if !answer.remarks.landmarks.is_empty() {
        let line = format!("On the way: {}", way_points(answer, network));
        let _ = writeln!(text, "  {}", look.paint(HEADING, &line));
    }
}

/// The landmarks, in their order; of many, the first ones.
fn way_points(answer: &Answer, network: &Network) -> String {
    const SHOWN: usize = 12;
    let landmarks = &answer.remarks.landmarks;
    let mut names: Vec<String> =
        landmarks.iter().take(SHOWN).map(|landmark| Words(network).landmark(landmark)).collect();
    if landmarks.len() > SHOWN {
        names.push(format!("and {} more", landmarks.len() - SHOWN));
    }
    names.join(", then ")
}

/// When a run has passed each guidepost.
fn guideposts(text: &mut String, answer: &Answer, look: Look) {
    for post in &answer.guideposts {
        let when = match post.step {
            None => "not passed".to_owned(),
            Some(0) => "holds in the initial state".to_owned(),
            Some(step) => format!("passed in step {step}"),
        };
        let _ = writeln!(text, "  {}", look.paint(HEADING, &format!("Guidepost `{}`: {when}", post.text)));
    }
}

/// The search, and what guided it.
fn method(answer: &Answer) -> String {
    let method = &answer.method;
    if method.heuristic == "none" {
        method.search.to_owned()
    } else {
        format!("{} with {}", method.search, method.heuristic)
    }
}

fn values(text: &mut String, measurement: &Measurement, approximate: bool) {
    let may = if approximate { " (over-approximated: the true bounds MAY be tighter)" } else { "" };
    for bound in bounds(measurement) {
        let _ = writeln!(text, "  {bound}{may}");
    }
}

/// What was measured, expression by expression: `x <= 5`.
pub fn bounds(measurement: &Measurement) -> Vec<String> {
    measurement.items.iter().map(|item| bound(measurement.kind, item)).collect()
}

/// `sup` is answered with the upper bound, `inf` with the lower one, `bounds` with both.
fn bound(kind: BoundKind, Measured { expression, value }: &Measured) -> String {
    let Some((inf, inf_strict)) = value.inf else { return format!("{expression}: no state qualifies") };
    let lower = format!("{expression} {} {inf}", if inf_strict { ">" } else { ">=" });
    let upper = match value.sup {
        None => format!("{expression} has no upper bound"),
        Some((sup, strict)) => format!("{expression} {} {sup}", if strict { "<" } else { "<=" }),
    };
    match kind {
        BoundKind::Sup => upper,
        BoundKind::Inf => lower,
        BoundKind::Bounds => format!("{lower} and {upper}"),
    }
}

fn model_error(
    text: &mut String,
    error: &ModelError,
    earlier: Option<&QueryResult>,
    network: &Network,
    look: Look,
) {
    let mut message = error.error.describe(network);
    if !error.edges.is_empty() {
        let _ = write!(message, ", when {}", moves(&error.edges, network));
    }
    let _ = writeln!(text, "  {}", look.paint(TROUBLE, &format!("Error: {message}.")));
    let same =
        earlier.and_then(|earlier| earlier.answer.as_ref().ok()?.model_error().map(|_| earlier.number));
    match (&error.evidence, same) {
        (Some(_), Some(number)) => {
            let _ = writeln!(text, "  The way there is shown at {number}.");
        }
        (Some(evidence), None) if evidence.steps.is_empty() && error.edges.is_empty() => {
            let _ = writeln!(text, "  It happens in the initial state.");
        }
        (Some(evidence), None) => {
            let _ = writeln!(text, "  The way there:");
            trace_text(text, &way(error, evidence, network), look);
        }
        (None, _) => {}
    }
}

/// `P goes from A to B and Q from C to D`
fn moves(edges: &[EdgeId], network: &Network) -> String {
    let shown: Vec<String> = edges
        .iter()
        .map(|id| {
            let edge = &network.edges[id.index()];
            let process = Words(network).process(edge.process);
            if let Some(deed) = Words(network).deed(*id) {
                return format!("{process} {deed}");
            }
            let (from, to) =
                (&network.locations[edge.source.index()].name, &network.locations[edge.target.index()].name);
            format!("{process} goes from {from} to {to}")
        })
        .collect();
    shown.join(" and ")
}

fn headline(text: &mut String, evidence: &Evidence, cost: Option<&Cost>, network: &Network) {
    let best = cost.filter(|cost| cost.is_proved()).map(|cost| match cost.measure {
        Measure::Cost => "a cheapest run",
        Measure::Time => "a fastest run",
    });
    let shortest = best.unwrap_or(if evidence.optimal { "a shortest run" } else { "a run" });
    let length = count(evidence.length(), "transition", "transitions");
    let trace = Trace::new(network, &evidence.initial, &evidence.steps);
    let told = Story::of(&trace).map_or_else(String::new, |story| {
        format!(", told in {}", count(story.chapters.len(), "step", "steps"))
    });
    let time = match trace.duration() {
        Some(duration) if duration == Rational::ZERO => " that takes no time".to_owned(),
        Some(duration) => format!(" that takes {} time units", decimal(duration)),
        None => String::new(),
    };
    let _ = if evidence.steps.is_empty() {
        writeln!(text, "  Shown by the initial state:")
    } else {
        writeln!(text, "  Shown by {shortest} of {length}{time}{told}:")
    };
}

/// Who is where and when, one line for each process that moves: the run as a schedule. Places that are left at once are left out.
fn schedule(text: &mut String, evidence: &Evidence, network: &Network, look: Look) {
    let words = Words(network);
    let trace = Trace::new(network, &evidence.initial, &evidence.steps);
    let Some(times) = trace.times().into_iter().collect::<Option<Vec<Rational>>>() else { return };
    let end = times.last().copied().unwrap_or(Rational::ZERO);
    let mut lines = Vec::new();
    for (index, process) in (0..network.processes.len()).zip((0..).map(ProcessId)) {
        let mut stays = Vec::new();
        let (mut at, mut since) = (evidence.initial.locations[index], Rational::ZERO);
        for (step, &time) in evidence.steps.iter().zip(&times) {
            let next = step.after.locations[index];
            if next != at {
                stays.push((at, since, time));
                (at, since) = (next, time);
            }
        }
        if stays.is_empty() {
            continue;
        }
        stays.push((at, since, end));
        let shown = stays.iter().filter(|(_, from, to)| from < to);
        let shown: Vec<String> = shown
            .map(|(place, from, to)| {
                format!("{} {}-{}", words.location(*place), decimal(*from), decimal(*to))
            })
            .collect();
        if !shown.is_empty() {
            lines.push((words.process(process).to_owned(), shown));
        }
    }
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(text, "  Schedule:");
    let width = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, stays) in lines {
        for (index, list) in look.list(&stays, width + 4).iter().enumerate() {
            let name = if index == 0 { name.as_str() } else { "" };
            let _ = writeln!(text, "  {}  {list}", look.left(NAME, name, width));
        }
    }
}

fn trace_text(text: &mut String, trace: &Trace<'_>, look: Look) {
    let narrower = Look { width: look.width.saturating_sub(2), ..look };
    for line in trace.text(narrower).lines() {
        let _ = writeln!(text, "  {line}");
    }
}

/// A run with its ending.
pub(crate) fn run(text: &mut String, evidence: &Evidence, network: &Network, look: Look) {
    let trace = Trace::new(network, &evidence.initial, &evidence.steps);
    trace_text(text, &trace, look);
    let ending = match evidence.ending {
        RunEnding::Goal => return,
        RunEnding::Loop(at) => match Story::of(&trace) {
            Some(story) => format!("From step {} on this can go on forever.", story.chapter_of(at)),
            None => format!("From transition {} on this can go on forever.", at + 1),
        },
        RunEnding::Waits => "From here on time passes forever, and nothing else happens.".to_owned(),
        RunEnding::Stuck => "From here on no transition is possible, and time comes to a halt.".to_owned(),
    };
    let _ = writeln!(text, "  {ending}");
}

fn table(text: &mut String, results: &[QueryResult], look: Look) {
    let digits = results.iter().map(|result| result.number.to_string().len()).max().unwrap_or(1);
    let marked = results.iter().any(|result| result.is_expected().is_some());
    for result in results {
        let number = format!("{:>digits$}", result.number);
        let (style, word) = match &result.answer {
            Err(_) => (TROUBLE, "not answered"),
            Ok(answer) if answer.model_error().is_some() => (TROUBLE, "not answered"),
            Ok(answer) => match (answer.verdict(), answer.approximate) {
                (Verdict::Satisfied, false) if answer.measurement.is_some() => (CHANGE, "measured"),
                (Verdict::Satisfied, true) => (TROUBLE, "may hold"),
                (Verdict::NotSatisfied, true) => (TROUBLE, "may not hold"),
                (Verdict::Satisfied, false) => (CHANGE, "satisfied"),
                (Verdict::NotSatisfied, false) => (TROUBLE, "not satisfied"),
                (Verdict::Undecided, _) => (TROUBLE, "undecided"),
            },
        };
        let mark = match result.is_expected() {
            Some(true) => "as expected",
            Some(false) => "UNEXPECTED",
            None => "",
        };
        let mark = if marked { format!("{mark:<11}  ") } else { String::new() };
        let room = look.width.saturating_sub(digits + 17 + mark.len()).max(20);
        let line =
            format!("{number}  {}  {mark}{}", look.left(style, word, 13), shortened(&result.title(), room));
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// A text that fits into this many columns.
fn shortened(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    text.chars().take(room - 1).chain(['…']).collect()
}

fn summary(text: &mut String, results: &[QueryResult], look: Look) {
    let is_may = |result: &&QueryResult| result.answer.as_ref().is_ok_and(|answer| answer.approximate);
    let is_failed = |result: &&QueryResult| match &result.answer {
        Err(_) => true,
        Ok(answer) => answer.model_error().is_some(),
    };
    // `sup` and its like have values, which nobody can satisfy.
    let is_measured = |result: &&QueryResult| {
        result.answer.as_ref().is_ok_and(|answer| answer.measured().is_some() && !answer.approximate)
    };
    let of = |verdict| {
        let sure =
            results.iter().filter(|result| !is_may(result) && !is_failed(result) && !is_measured(result));
        sure.filter(|result| result.verdict() == verdict).count()
    };
    let counts = [
        (of(Verdict::Satisfied), "satisfied"),
        (of(Verdict::NotSatisfied), "not satisfied"),
        (results.iter().filter(is_measured).count(), "measured"),
        (results.iter().filter(is_may).count(), "may or may not be"),
        (of(Verdict::Undecided), "undecided"),
        (results.iter().filter(is_failed).count(), "not answered"),
    ];
    let parts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let surprises = results.iter().filter(|result| result.is_expected() == Some(false)).count();
    let expecting = results.iter().filter(|result| result.is_expected().is_some()).count();
    let expected = match (surprises, expecting) {
        (_, 0) => String::new(),
        (0, all) if all == results.len() => "; all as expected".to_owned(),
        (0, some) => format!("; {some} as expected"),
        (surprises, _) => look.paint(TROUBLE, &format!("; {surprises} NOT as expected")),
    };
    let _ = writeln!(text, "{}: {}{expected}.", count(results.len(), "query", "queries"), parts.join(", "));
}
