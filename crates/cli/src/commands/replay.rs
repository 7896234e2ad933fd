//! `guidepost replay MODEL TRACE`

use crate::args::{MessageFormat, OutputFormat, ReplayArgs};
use crate::exit::Exit;
use crate::terminal::{look, print, print_error, print_json, refuse};
use crate::{files, input};
use guidepost::Session;
use guidepost::uppaal::{UnreadableXtr, read_xtr};
use guidepost_answer::Evidence;
use guidepost_network::Network;
use guidepost_report::trace_file::{NotReplayed, RecordedRun, RecordedRuns, fingerprint};
use guidepost_report::{Look, Trace, decimal};
use serde_json::{Value, json};

pub(crate) fn run(args: &ReplayArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let session = input::showable(&args.model, args.names, messages)?;
    let network = session.network();
    if args.trace.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xtr")) {
        return symbolic(args, &session);
    }
    let recorded = read(args)?;
    note_other_model(&recorded, args, network);
    let tried: Vec<_> = recorded.runs.iter().map(|run| (run, run.replay(network))).collect();
    match args.format {
        OutputFormat::Json => print_json(&json!({
            "tool": "guidepost",
            "version": env!("CARGO_PKG_VERSION"),
            "model": args.model.display().to_string(),
            "results": tried.iter().map(|(run, result)| result_json(run, result)).collect::<Vec<_>>(),
        })),
        OutputFormat::Text => {
            for (run, result) in &tried {
                show(run, result, args, network);
            }
        }
    }
    let exit = |result: &Result<Evidence, NotReplayed>| match result {
        Ok(_) => Exit::Satisfied,
        Err(NotReplayed::Fails { .. }) => Exit::NotSatisfied,
        Err(NotReplayed::OtherModel { .. }) => Exit::BadInput,
    };
    Ok(tried.iter().map(|(_, result)| exit(result)).max().unwrap_or(Exit::Satisfied))
}

/// A symbolic trace of UPPAAL: transitions without times, which are found first.
fn symbolic(args: &ReplayArgs, session: &Session) -> Result<Exit, Exit> {
    let text = files::read(&args.trace)?;
    let replayed = read_xtr(session, &text);
    let (is_run, exit) = match &replayed {
        Ok(_) => (true, Exit::Satisfied),
        Err(UnreadableXtr::Impossible { .. } | UnreadableXtr::NoTimes(_)) => (false, Exit::NotSatisfied),
        Err(error) => return Err(refuse(format!("`{}`: {error}", args.trace.display()))),
    };
    match (args.format, replayed) {
        (OutputFormat::Json, replayed) => print_json(&json!({
            "tool": "guidepost",
            "version": env!("CARGO_PKG_VERSION"),
            "model": args.model.display().to_string(),
            "results": [{
                "number": null,
                "query": null,
                "replays": is_run,
                "steps": replayed.as_ref().ok().map(|evidence| evidence.steps.len()),
                "failing_step": match &replayed {
                    Err(UnreadableXtr::Impossible { step }) => Some(step),
                    _ => None,
                },
                "reason": replayed.as_ref().err().map(ToString::to_string),
            }],
        })),
        (OutputFormat::Text, Ok(evidence)) => show_run("", &evidence, args, session.network()),
        (OutputFormat::Text, Err(error)) => {
            print("The run does NOT replay.\n");
            print_error(error);
        }
    }
    Ok(exit)
}

fn read(args: &ReplayArgs) -> Result<RecordedRuns, Exit> {
    let text = files::read(&args.trace)?;
    RecordedRuns::parse(&text).map_err(|error| {
        print_error(format!("`{}`: {error}", args.trace.display()));
        Exit::BadInput
    })
}

/// To try a run on a model that was edited since is what replaying is for; only, nobody should do so without knowing.
fn note_other_model(recorded: &RecordedRuns, args: &ReplayArgs, network: &Network) {
    if recorded.fingerprint.as_ref().is_some_and(|recorded| *recorded != fingerprint(network)) {
        let on = recorded.model.as_deref().unwrap_or("another model");
        anstream::eprintln!(
            "note: the run was recorded on `{on}` as it was then; `{}` has other processes, edges or variables",
            args.model.display()
        );
    }
}

fn show(run: &RecordedRun, result: &Result<Evidence, NotReplayed>, args: &ReplayArgs, network: &Network) {
    let title = run.property.as_ref().map(ToString::to_string).or_else(|| run.query.clone());
    let query = title.map_or_else(String::new, |title| format!("{title}\n  "));
    match result {
        Ok(evidence) => show_run(&query, evidence, args, network),
        Err(trouble) => {
            print(&query);
            let after = match trouble {
                NotReplayed::Fails { step, .. } | NotReplayed::OtherModel { step, .. } => {
                    step.saturating_sub(1)
                }
            };
            print(&format!("The run does NOT replay; {after} of {} steps do.\n", run.steps.len()));
            print_error(trouble);
        }
    }
}

fn show_run(query: &str, evidence: &Evidence, args: &ReplayArgs, network: &Network) {
    let trace = Trace::new(network, &evidence.initial, &evidence.steps);
    let time = trace.duration().map_or_else(String::new, |time| format!(" in {} time units", decimal(time)));
    let length = evidence.length();
    let transitions = if length == 1 { "1 transition" } else { &format!("{length} transitions") };
    print(&format!("{query}The run replays: {transitions}{time}, every step checked.\n"));
    if args.show || args.detail.is_asked_for() {
        print(&trace.text(Look { detail: args.detail.detail(), ..look() }));
    }
}

fn result_json(run: &RecordedRun, result: &Result<Evidence, NotReplayed>) -> Value {
    let (step, reason) = match result {
        Ok(_) => (None, None),
        Err(NotReplayed::Fails { step, why }) => (Some(step), Some(why)),
        Err(NotReplayed::OtherModel { step, what }) => (Some(step), Some(what)),
    };
    json!({
        "number": run.number,
        "query": run.query,
        "replays": result.is_ok(),
        "steps": run.steps.len(),
        "failing_step": step,
        "reason": reason,
    })
}
