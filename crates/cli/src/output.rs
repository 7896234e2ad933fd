//! What a check leaves behind: answers on standard output, a report, a trace file.

use crate::args::{AnswerFormat, CheckArgs, TraceKind};
use crate::events::Observer;
use crate::exit::Exit;
use crate::terminal::{print, print_error, print_json};
use crate::{files, input};
use clap::ValueEnum;
use guidepost_answer::Evidence;
use guidepost_language::Loaded;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::source::SourceMap;
use guidepost_report::html::HtmlReport;
use guidepost_report::trace_file::TraceFile;
use guidepost_report::verdict::{QueryResult, Report, Suite, junit};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The run that is asked for: a file that is to show runs needs some.
pub(crate) fn trace_kind(args: &CheckArgs) -> TraceKind {
    let needs_runs = args.report.is_some() || args.trace_file.is_some();
    if needs_runs && args.trace == TraceKind::None { TraceKind::Some } else { args.trace }
}

/// Files that are to be written must not be what is read, nor each other, and there must be a way to write them: better asked before the search than
/// regretted after it.
pub(crate) fn check_files(args: &CheckArgs) -> Result<(), Exit> {
    let outputs: Vec<&Path> =
        [&args.trace_file, &args.report].into_iter().flatten().map(|path| &**path).collect();
    check_streams(args, &outputs)?;
    if args.certificate.as_deref().is_some_and(files::is_stdout) {
        print_error("a certificate is not a text; give `--certificate` the name of a file");
        return Err(Exit::BadInput);
    }
    let outputs: Vec<&Path> = outputs.into_iter().chain(args.certificate.as_deref()).collect();
    let mut inputs = input::files(&args.model);
    inputs.extend(args.queries.clone());
    files::refuse_inputs(outputs.iter().copied(), &inputs)?;
    let places: Vec<PathBuf> = outputs.iter().map(|output| files::place(output)).collect();
    if let Some(at) = (1..places.len()).find(|&at| places[..at].contains(&places[at])) {
        let names =
            [("trace file", &args.trace_file), ("report", &args.report), ("certificate", &args.certificate)];
        let is_it =
            |path: &&Option<PathBuf>| path.as_ref().is_some_and(|path| files::place(path) == places[at]);
        let names: Vec<&str> = names.iter().filter(|(_, path)| is_it(path)).map(|(name, _)| *name).collect();
        let names = names.join(" and the ");
        print_error(format!("`{}` cannot be the {names} at once", outputs[at].display()));
        return Err(Exit::BadInput);
    }
    outputs.into_iter().try_for_each(files::check_writable)
}

/// Standard output has the answers; one more document on it would spoil both.
fn check_streams(args: &CheckArgs, outputs: &[&Path]) -> Result<(), Exit> {
    let option =
        if args.report.as_deref().is_some_and(files::is_stdout) { "--report" } else { "--trace-file" };
    let on_stdout = outputs.iter().filter(|path| files::is_stdout(path)).count();
    let message = match args.format {
        AnswerFormat::Text if on_stdout > 1 => {
            "`--report` and `--trace-file` cannot both go to standard output".to_owned()
        }
        AnswerFormat::Json | AnswerFormat::Junit if on_stdout > 0 => {
            let format = word(&args.format).unwrap_or_default();
            format!("`--format {format}` writes to standard output; give `{option}` the name of a file")
        }
        _ => return Ok(()),
    };
    print_error(message);
    Err(Exit::BadInput)
}

/// Answers on standard output; text has been written as the answers came.
pub(crate) fn write_answers(args: &CheckArgs, report: &Report<'_>, observer: &Observer) {
    match args.format {
        AnswerFormat::Json => print_json(&answers(args, report, observer)),
        AnswerFormat::Text => {}
        AnswerFormat::Junit => print(&report.junit()),
    }
}

/// What stands on standard output when the model cannot be checked: programs that read test results do not read messages.
pub(crate) fn write_errors(args: &CheckArgs, errors: &Diagnostics, sources: &SourceMap) {
    if args.format == AnswerFormat::Junit {
        print(&junit(&[Suite::of_errors(&args.model.display().to_string(), errors, sources)]));
    }
}

/// The report and the trace file, where they were asked for. What cannot be written makes the command fail, after the answers have been given.
pub(crate) fn write_files(
    args: &CheckArgs,
    report: &Report<'_>,
    observer: &Observer,
    loaded: &Loaded,
) -> Exit {
    let mut exit = Exit::Satisfied;
    if let Some(path) = &args.trace_file {
        let runs: Vec<_> = report.results.iter().filter_map(|result| Some((result, run(result)?))).collect();
        if runs.is_empty() {
            anstream::eprintln!("note: no answer has a run; `{}` is not written", path.display());
        } else {
            let file = TraceFile { model: report.model, network: report.network, runs };
            exit = exit.max(files::write(path, &file.text()).err().unwrap_or(Exit::Satisfied));
        }
    }
    if let Some(path) = &args.report {
        let answers = answers(args, report, observer);
        let runs = report.results.iter().map(run).collect();
        let html = HtmlReport { loaded, network: report.network, answers: &answers, runs }.html();
        exit = exit.max(files::write(path, &html).err().unwrap_or(Exit::Satisfied));
    }
    exit
}

/// The run of an answer: the one that shows it, or the way to an error of the model.
fn run(result: &QueryResult) -> Option<&Evidence> {
    let answer = result.answer.as_ref().ok()?;
    let way = || answer.model_error().and_then(|error| error.evidence.as_ref());
    answer.evidence.as_ref().or_else(way)
}

/// The answers as JSON, with what was asked for and how the searches went.
fn answers(args: &CheckArgs, report: &Report<'_>, observer: &Observer) -> Value {
    let mut value = report.json();
    value["configuration"] = configuration(args);
    for (result, value) in report.results.iter().zip(value["results"].as_array_mut().into_iter().flatten()) {
        if let Some(history) = observer.history(result.number) {
            value["progress"] = history;
        }
    }
    value
}

fn configuration(args: &CheckArgs) -> Value {
    let search = &args.search;
    json!({
        "engine": args.engine.to_string(),
        "store": word(&args.store),
        "search": word(&search.search),
        "heuristic": args.guide.heuristic,
        "weight": args.guide.weight(),
        "beam_width": args.guide.beam_width(),
        "epsilon": args.guide.epsilon(),
        "guideposts": args.guide.guidepost,
        "ties": word(&args.guide.ties),
        "deferred": args.guide.deferred,
        "preferred": args.guide.preferred,
        "extrapolation": search.extrapolation.as_ref().map(word),
        "subsumption": search.subsumption.as_ref().map(word),
        "without": search.without.iter().map(word).collect::<Vec<_>>(),
        "approximate": search.approximate,
        "convex_hull": search.convex_hull,
        "trace": word(&trace_kind(args)),
        "threads": search.threads,
        "seed": search.seed,
        "time_limit": search.time_limit,
        "memory_limit": search.memory_limit,
        "state_limit": search.state_limit,
    })
}

/// A value as it is typed.
fn word(value: &impl ValueEnum) -> Option<String> {
    value.to_possible_value().map(|value| value.get_name().to_owned())
}
