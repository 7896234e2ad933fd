//! `guidepost replay MODEL TRACE.json`

use crate::args::{MessageFormat, OutputFormat, ReplayArgs};
use crate::exit::Exit;
use crate::terminal::{look, print, print_error, print_json};
use crate::{files, input};
use guidepost_answer::Evidence;
use guidepost_network::Network;
use guidepost_report::trace_file::{NotReplayed, RecordedRun, RecordedRuns, fingerprint};
use guidepost_report::{Look, Trace, decimal};
use serde_json::{Value, json};

pub(crate) fn run(args: &ReplayArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let session = input::showable(&args.model, args.names, messages)?;
    let network = session.network();
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
        Ok(evidence) => {
            let trace = Trace::new(network, &evidence.initial, &evidence.steps);
            let time =
                trace.duration().map_or_else(String::new, |time| format!(" in {} time units", decimal(time)));
            let length = evidence.length();
            let transitions = if length == 1 { "1 transition" } else { &format!("{length} transitions") };
            print(&format!("{query}The run replays: {transitions}{time}, every step checked.\n"));
            if args.show || args.detail.is_asked_for() {
                print(&trace.text(Look { detail: args.detail.detail(), ..look() }));
            }
        }
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
