//! `guidepost simulate MODEL`

use crate::args::{MessageFormat, OutputFormat, SimulateArgs};
use crate::exit::Exit;
use crate::input;
use crate::terminal::{look, print, print_diagnostics, print_error, print_json, print_wraps};
use guidepost_language::Loaded;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_network::Network;
use guidepost_network::interpreter::{Failure, Interpreter, Run, RunEnd, State};
use guidepost_report::{Look, Trace, decimal};
use serde_json::json;

pub(crate) fn run(args: &SimulateArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let session = input::showable(&args.model, args.names, messages)?;
    let (loaded, network) = (session.loaded(), session.network());
    let run = session.simulate(args.seed, args.steps);
    let trace = Trace::of_run(network, &run);
    let (reason, sentence) = end(network, &run, &trace);
    match args.format {
        OutputFormat::Text => {
            let look = Look { detail: args.detail.detail(), ..look() };
            print(&format!("{}\n{sentence}\n", trace.text(look)));
        }
        OutputFormat::Json => print_json(&json!({
            "tool": "guidepost",
            "version": env!("CARGO_PKG_VERSION"),
            "model": args.model.display().to_string(),
            "seed": args.seed,
            "end": reason,
            "message": sentence,
            "trace": trace.json(),
        })),
    }
    print_wraps(&run.wraps, &loaded.sources, messages);
    complain(loaded, network, &run, messages)
}

/// Why the run ends: a word for programs and a sentence for people.
fn end(network: &Network, run: &Run, trace: &Trace<'_>) -> (&'static str, String) {
    let steps = match run.steps.len() {
        1 => "1 step".to_owned(),
        steps => format!("{steps} steps"),
    };
    match &run.end {
        RunEnd::Length => ("steps", format!("Stopped after {steps}, as asked for.")),
        RunEnd::Deadlock => (
            "deadlock",
            format!("Deadlock after {steps}: no transition is possible, now or later; time goes on."),
        ),
        RunEnd::TimeLock => {
            let limit = time_limit(network, run, trace).map_or_else(String::new, |time| format!(" {time}"));
            (
                "time-lock",
                format!("Time-lock after {steps}: no transition is possible, and time cannot go on{limit}."),
            )
        }
        RunEnd::Initial => {
            ("initial", "There is no run: the initial state violates an invariant.".to_owned())
        }
        RunEnd::Failure(Failure::TooPrecise(reason)) => {
            ("precision", format!("Stopped after {steps}: {reason}."))
        }
        RunEnd::Failure(failure) => {
            ("error", format!("Error after {steps}: {}.", describe(network, failure)))
        }
    }
}

fn describe(network: &Network, failure: &Failure) -> String {
    match failure {
        Failure::Evaluation(error) => error.describe(network),
        Failure::NegativeClock(clock) => {
            format!("clock {} would become negative", network.clocks[clock.index()].name)
        }
        Failure::TooPrecise(reason) => reason.to_string(),
    }
}

fn last(run: &Run) -> &State {
    run.steps.last().map_or(&run.initial, |step| &step.state)
}

/// `beyond 12`, `up to 12`: the last moment that a time-lock lets come.
fn time_limit(network: &Network, run: &Run, trace: &Trace<'_>) -> Option<String> {
    let (delay, strict) = Interpreter::new(network).max_delay(last(run)).ok()??;
    let moment = decimal(trace.duration()?.plus(delay).ok()?);
    Some(if strict { format!("to {moment}") } else { format!("beyond {moment}") })
}

/// A model with a mistake gets a message about it, and the exit code says so.
fn complain(loaded: &Loaded, network: &Network, run: &Run, messages: MessageFormat) -> Result<Exit, Exit> {
    match &run.end {
        RunEnd::Failure(Failure::Evaluation(error)) => {
            let mut diagnostics = Diagnostics::default();
            diagnostics.push(error.diagnostic(network));
            print_diagnostics(&diagnostics, &loaded.sources, messages);
            Err(Exit::BadInput)
        }
        RunEnd::Failure(failure @ Failure::NegativeClock(_)) => {
            print_error(describe(network, failure));
            Err(Exit::BadInput)
        }
        _ => Ok(Exit::Satisfied),
    }
}
