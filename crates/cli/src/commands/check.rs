//! `guidepost check MODEL`

use super::check_names;
use crate::args::{AnswerFormat, CheckArgs, MessageFormat, SearchOrder, StoreKind, TraceKind};
use crate::certificates::Certifier;
use crate::events::Observer;
use crate::exit::Exit;
use crate::input;
use crate::limits::{self, Reading, on_interrupt};
use crate::output;
use crate::strategy::named;
use crate::terminal::{self, look, print, print_diagnostics, print_error};
use guidepost::options::Options;
use guidepost::verify::EngineSpec;
use guidepost::{CheckEvent, Inquiry, ModelError, Queries, RunKind, Session, Settings};
use guidepost_answer::{Answer, CompiledQuery, Outcome, Question};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_report::Look;
use guidepost_report::verdict::{QueryResult, Report, closing_text, latest_text};
use guidepost_search::Strategy;

pub(crate) fn run(args: &CheckArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    output::check_files(args)?;
    let mut settings = settings(args)?;
    settings.limits.interrupt = Some(on_interrupt());
    let reading = Reading::begin(&settings.limits);
    let mut session = open(args, messages)?;
    if let Some(Strategy::Directed(directed)) = &settings.strategy {
        directed.heuristics.iter().try_for_each(|spec| check_names(spec, session.network()))?;
    }
    let inquiry = inquire(args, &mut session, messages)?;
    let inquiry = session.accepted(inquiry, &settings).map_err(|error| refuse(args, &error, messages))?;
    drop(reading);
    let mut certifier = Certifier::new(args, &session, &inquiry, &settings.limits)?;
    note_overruled(args, &session, &inquiry, &settings);
    if args.detail.is_asked_for() && settings.run == RunKind::None {
        anstream::eprintln!(
            "note: --clocks, --full, --columns and --unfold are about runs; `--trace some` shows them"
        );
    }
    let mut observer = Observer::new(args, inquiry.numbers());
    observer.started(args, &inquiry.compiled);
    let results = answer(args, &session, inquiry, &settings, &mut observer, &mut certifier, messages)?;
    let exit = exit_code(&results).max(certifier.finish());
    let model = args.model.display().to_string();
    let report = Report { model: &model, network: session.network(), results };
    observer.answered(&report.results, exit);
    output::write_answers(args, &report, &observer);
    let exit = exit.max(output::write_files(args, &report, &observer, session.loaded()));
    report_errors(args, &report.results, &session, messages);
    hint_at_runs(args, &report.results, &settings);
    Ok(exit)
}

/// Reads and builds the model; what is wrong with it is printed, and part of the answers where their format has a place for it.
fn open(args: &CheckArgs, messages: MessageFormat) -> Result<Session, Exit> {
    let mut session = input::open(&args.model, messages).map_err(|error| {
        output::write_errors(args, &input::errors(error.diagnostics()), error.sources());
        Exit::BadInput
    })?;
    if args.names.translation {
        session.use_names_of_the_translation();
    }
    Ok(session)
}

/// How the arguments want queries to be answered; contradictions end the command.
pub(crate) fn settings(args: &CheckArgs) -> Result<Settings, Exit> {
    let trace = output::trace_kind(args);
    let options = Options {
        engine: engine(args)?,
        store: named(args.store),
        guide: args.guide.guide(),
        ..limits::options(&args.search, trace)
    };
    let mut settings = options.settings().map_err(terminal::refuse)?;
    if settings.engine.entry().name == "cluster" {
        if args.guide.is_directed() {
            return Err(terminal::refuse("several processes explore breadth-first, without a heuristic"));
        }
        if !args.guide.guidepost.is_empty() {
            return Err(terminal::refuse(
                "several processes explore breadth-first; `--guidepost` is not for them",
            ));
        }
        settings.team = args.cluster.team(&args.model, &args.search, trace)?;
        args.cluster.share_memory(&args.search, &mut settings.limits);
    }
    Ok(settings)
}

/// The engine that is asked for: with several processes, that is another one.
fn engine(args: &CheckArgs) -> Result<EngineSpec, Exit> {
    if !args.cluster.is_asked_for() {
        return Ok(args.engine.clone());
    }
    match (args.store, args.engine.entry().name) {
        (StoreKind::Zones, "auto" | "zones" | "cluster") => {
            Ok("cluster".parse().expect("it is among the engines"))
        }
        _ => Err(terminal::refuse("--processes and --cluster are for the engine `cluster`")),
    }
}

/// What was asked for and is not used for all queries; nobody should compare numbers without knowing that.
fn note_overruled(args: &CheckArgs, session: &Session, inquiry: &Inquiry, settings: &Settings) {
    let is_about_cost = |query: &&CompiledQuery| settings.is_about_cost(query);
    let others = || inquiry.compiled.iter().filter(|query| !is_about_cost(query));
    let given = [
        ("--search", args.search.search != SearchOrder::Auto),
        ("--heuristic", args.guide.is_directed()),
        ("--threads", args.search.threads > 1),
    ];
    if others().any(|query| query.question.target().is_none()) {
        note_idle(&given, "used for E<> and A[] only");
    }
    if inquiry.compiled.iter().any(|query| is_about_cost(&query)) {
        note_idle_for_costs(args, settings);
        note_prices(session, inquiry, settings);
    }
    if others().next().is_some()
        && let Some(note) = session.overruled(inquiry, settings)
    {
        anstream::eprintln!("note: {note}");
    }
}

/// Names those of some options that are given.
fn note_idle(options: &[(&str, bool)], use_of_them: &str) {
    let idle: Vec<&str> =
        options.iter().filter(|(_, is_given)| *is_given).map(|(option, _)| *option).collect();
    if !idle.is_empty() {
        let (options, verb) = (idle.join(" and "), if idle.len() == 1 { "is" } else { "are" });
        anstream::eprintln!("note: {options} {verb} {use_of_them}");
    }
}

/// What the search for the best run has no use for.
fn note_idle_for_costs(args: &CheckArgs, settings: &Settings) {
    use SearchOrder::{Astar, Auto, Bfs, Dfs};
    if !matches!(args.search.search, Auto | Astar | Bfs | Dfs) {
        let note = "used for the least cost, which is found by `--search auto`, `astar`, `bfs` or `dfs`";
        note_idle(&[("--search", true)], &format!("not {note}"));
    }
    let given = [
        ("--heuristic", !matches!(args.guide.heuristic.as_str(), "auto" | "none")),
        ("--threads", args.search.threads > 1),
        ("--extrapolation", settings.extrapolation.is_some()),
        ("--subsumption", settings.subsumption.is_some()),
        ("--without", !args.search.without.is_empty()),
    ];
    note_idle(&given, "not used for the least cost or time");
}

/// Without prices every run is a cheapest one.
fn note_prices(session: &Session, inquiry: &Inquiry, settings: &Settings) {
    let network = session.network();
    let asks_for_cost = |query: &CompiledQuery| matches!(query.question, Question::LeastCost(_));
    let is_wanted = settings.run == RunKind::Cheapest || inquiry.compiled.iter().any(asks_for_cost);
    let has_prices = network.features.costs || network.clocks.iter().any(|clock| clock.name == "cost");
    if is_wanted && !has_prices {
        anstream::eprintln!(
            "note: the model has no prices, so every run costs 0; `--trace fastest` asks for the least time"
        );
    }
}

/// The queries that were asked for; what is wrong with them is printed.
fn inquire(args: &CheckArgs, session: &mut Session, messages: MessageFormat) -> Result<Inquiry, Exit> {
    let queries = match &args.queries {
        Some(path) => Queries::File(path.clone()),
        None if args.query.is_empty() => Queries::Stored,
        None => Queries::Texts(args.query.clone()),
    };
    if matches!(queries, Queries::Stored) {
        for name in &session.loaded().model.unasked {
            anstream::eprintln!(
                "note: property `{name}` is not asked: it speaks of something that is hidden"
            );
        }
    }
    match session.inquire(&queries, &args.select) {
        Ok(mut inquiry) => {
            print_diagnostics(&inquiry.diagnostics, &session.loaded().sources, messages);
            session
                .guide(&mut inquiry, &args.guide.guidepost)
                .map_err(|error| refuse(args, &error, messages))?;
            Ok(inquiry)
        }
        Err(nothing) => {
            if !nothing.message.is_empty() {
                print_error(&nothing.message);
            }
            print_diagnostics(&nothing.diagnostics, &session.loaded().sources, messages);
            Err(Exit::BadInput)
        }
    }
}

/// Says why nothing is answered, in messages and, where their format has a place for it, in the answers.
fn refuse(args: &CheckArgs, error: &ModelError, messages: MessageFormat) -> Exit {
    output::write_errors(args, error.diagnostics(), error.sources());
    input::refuse(error, messages)
}

/// Answers the queries. In text, each result is shown as soon as it is known.
fn answer(
    args: &CheckArgs,
    session: &Session,
    inquiry: Inquiry,
    settings: &Settings,
    observer: &mut Observer,
    certifier: &mut Certifier<'_>,
    messages: MessageFormat,
) -> Result<Vec<QueryResult>, Exit> {
    let is_text = args.format == AnswerFormat::Text;
    let several = inquiry.entries.len() > 1;
    let look = Look { detail: args.detail.detail(), ..look() };
    let mut hear = |event: CheckEvent<'_>| match event {
        CheckEvent::Progress(index, progress) => observer.hear(index, progress),
        CheckEvent::Improved(index, cost) => observer.improved(index, cost),
        CheckEvent::Refined(index, refinement) => observer.refined(index, refinement),
        CheckEvent::Result(known) => {
            observer.finished();
            if is_text {
                print(&latest_text(known, several, session.network(), look));
            }
        }
    };
    let mut complete =
        |number: usize, query: &CompiledQuery, answer: &mut Answer| certifier.complete(number, query, answer);
    let results = session.check_with(inquiry, settings, &mut hear, &mut complete);
    observer.finished();
    let results = results.map_err(|error| refuse(args, &error, messages))?;
    if is_text {
        print(&closing_text(&results, look));
    }
    Ok(results)
}

/// Model errors are shown where they are in the model, once for all queries that met them; a failed safety net is our bug.
fn report_errors(args: &CheckArgs, results: &[QueryResult], session: &Session, messages: MessageFormat) {
    let mut diagnostics = Diagnostics::default();
    for answer in results.iter().filter_map(|result| result.answer.as_ref().ok()) {
        if let Some(error) = answer.model_error() {
            let diagnostic = error.error.diagnostic(session.network());
            let hint = "`--trace some` shows the run that leads there";
            diagnostics.push(if output::trace_kind(args) == TraceKind::None {
                diagnostic.hint(hint)
            } else {
                diagnostic
            });
        }
        if let Some(internal) = &answer.internal {
            print_error(format!(
                "internal error: {internal}. Please report it with the model and the command line"
            ));
        }
    }
    print_diagnostics(&diagnostics, &session.loaded().sources, messages);
}

/// A "no" that nobody expects is a question for the reason.
fn hint_at_runs(args: &CheckArgs, results: &[QueryResult], settings: &Settings) {
    let has_reason = |result: &QueryResult| {
        let answer = result.answer.as_ref().ok();
        let is_no =
            answer.is_some_and(|answer| answer.outcome.decision() == Some(&false) && answer.cost.is_none());
        // What cannot be reached has no run.
        let is_about_all = !matches!(result.query.trim_start().get(..2), Some("E<" | "E["));
        is_no && is_about_all && result.is_expected() != Some(true)
    };
    let is_wanted = args.format == AnswerFormat::Text && settings.run == RunKind::None;
    if is_wanted && results.iter().any(has_reason) {
        anstream::eprintln!("note: `--trace some` shows a run that violates the query");
    }
}

/// The worst of all. An answer that rests on an approximation decides nothing.
pub(crate) fn exit_code(results: &[QueryResult]) -> Exit {
    let of = |result: &QueryResult| match &result.answer {
        Err(_) => Exit::BadInput,
        Ok(answer) if answer.internal.is_some() => Exit::Internal,
        Ok(answer) => match (&answer.outcome, result.is_expected()) {
            (Outcome::Failed(_), _) => Exit::BadInput,
            (Outcome::Stopped(_), _) => Exit::Undecided,
            _ if answer.approximate => Exit::Undecided,
            (_, Some(true)) | (Outcome::Decided(true), None) => Exit::Satisfied,
            _ => Exit::NotSatisfied,
        },
    };
    results.iter().map(of).max().unwrap_or(Exit::Satisfied)
}
