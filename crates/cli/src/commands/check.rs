//! `guidepost check MODEL`

use super::check_names;
use crate::args::{CheckArgs, MessageFormat, SearchOrder, TraceKind};
use crate::events::Observer;
use crate::exit::Exit;
use crate::input;
use crate::limits::{configuration, on_interrupt};
use crate::output;
use crate::results::{Entry, Results};
use crate::selection::{numbered, select};
use crate::strategy::strategy;
use crate::terminal::{print_diagnostics, print_error};
use guidepost_language::Loaded;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::model::{Formula, Query};
use guidepost_language::source::Span;
use guidepost_network::{ClockConstraint, ClockId, CompiledQuery, Network, Question, compile_query};
use guidepost_report::verdict::{QueryResult, Report};
use guidepost_search::{Configuration, Event, Strategy, Verdict, verify_each};

pub(crate) fn run(args: &CheckArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    output::check_files(args)?;
    let mut settings = settings(args)?;
    settings.limits.interrupt = Some(on_interrupt());
    let (mut loaded, mut network) = input::explorable(&args.model, messages)?;
    if let Strategy::Directed(directed) = &settings.strategy {
        directed.heuristics.iter().try_for_each(|spec| check_names(spec, &network))?;
    }
    let mut diagnostics = Diagnostics::default();
    let queries = queries(args, &mut loaded, &mut diagnostics);
    let compiled = queries.map(|queries| compile(queries, &mut network, &loaded, &mut diagnostics));
    print_diagnostics(&diagnostics, &loaded.sources, messages);
    let (entries, compiled) = compiled?;
    note_overruled(args, &network, &compiled);
    let mut results = Results::new(entries, &network, args);
    let mut observer = Observer::new(args, results.numbers());
    observer.started(args, &compiled);
    let outcome = verify_each(&network, &compiled, &settings, &mut |event| match event {
        Event::Progress(index, progress) => observer.hear(index, progress),
        Event::Answered(index, answer) => {
            observer.finished();
            results.answer(index, *answer);
        }
    });
    observer.finished();
    outcome.map_err(|reason| input::refuse(&reason, &network, &loaded, messages))?;
    let results = results.close();
    let exit = exit_code(&results);
    let model = args.model.display().to_string();
    let report = Report { model: &model, network: &network, results };
    observer.answered(&report.results, exit);
    output::write_answers(args, &report, &observer);
    let exit = exit.max(output::write_files(args, &report, &observer, &loaded));
    report_errors(args, &report.results, &network, &loaded, messages);
    Ok(exit)
}

/// How the arguments want queries to be answered; contradictions end the command.
pub(crate) fn settings(args: &CheckArgs) -> Result<Configuration, Exit> {
    let trace = output::trace_kind(args);
    let strategy = strategy(args.search.search, &args.guide, args.search.seed, trace)?;
    Ok(Configuration { budget: args.guide.budget(), ..configuration(&args.search, strategy, trace)? })
}

/// What was asked for and is not used for all queries; nobody should compare numbers without knowing that.
fn note_overruled(args: &CheckArgs, network: &Network, queries: &[CompiledQuery]) {
    note_idle(args, queries);
    note_abstraction(args, network, queries);
}

/// Searches are for reachability.
fn note_idle(args: &CheckArgs, queries: &[CompiledQuery]) {
    let is_reachability =
        |query: &CompiledQuery| matches!(query.question, Question::Possibly(_) | Question::Always(_));
    if queries.iter().all(is_reachability) {
        return;
    }
    let given = [
        ("--search", args.search.search != SearchOrder::Auto),
        ("--heuristic", args.guide.is_directed()),
        ("--threads", args.search.threads > 1),
    ];
    let idle: Vec<&str> = given.iter().filter(|(_, is_given)| *is_given).map(|(option, _)| *option).collect();
    if !idle.is_empty() {
        let (options, verb) = (idle.join(" and "), if idle.len() == 1 { "is" } else { "are" });
        anstream::eprintln!("note: {options} {verb} used for E<> and A[] only");
    }
}

/// An abstraction is not used where it would give wrong answers.
fn note_abstraction(args: &CheckArgs, network: &Network, queries: &[CompiledQuery]) {
    if args.search.extrapolation.is_none() && args.search.subsumption.is_none() {
        return;
    }
    if network.features.diagonals {
        anstream::eprintln!(
            "note: the model compares clocks with each other; --extrapolation and --subsumption are not used"
        );
    } else if !queries.iter().all(is_plain_reachability) {
        anstream::eprintln!(
            "note: --extrapolation and --subsumption are used for E<> and A[] without `deadlock` only; nothing else would be answered correctly"
        );
    }
}

fn is_plain_reachability(query: &CompiledQuery) -> bool {
    let (Question::Possibly(predicate) | Question::Always(predicate)) = &query.question else { return false };
    let is_diagonal =
        |constraint: &ClockConstraint| constraint.left != ClockId::ZERO && constraint.right != ClockId::ZERO;
    let mut goals = predicate.goals.iter().chain(&predicate.negation);
    goals.all(|goal| goal.deadlock.is_none() && !goal.clocks.iter().any(is_diagonal))
}

/// Model errors are shown where they are in the model, once for all queries that met them; a failed safety net is our bug.
fn report_errors(
    args: &CheckArgs,
    results: &[QueryResult],
    network: &Network,
    loaded: &Loaded,
    messages: MessageFormat,
) {
    let mut diagnostics = Diagnostics::default();
    for answer in results.iter().filter_map(|result| result.answer.as_ref().ok()) {
        if let Some(error) = &answer.model_error {
            let diagnostic = error.error.diagnostic(network);
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
    print_diagnostics(&diagnostics, &loaded.sources, messages);
}

/// The queries that were asked for, numbered.
fn queries(
    args: &CheckArgs,
    loaded: &mut Loaded,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<(usize, Query)>, Exit> {
    let queries = if let Some(path) = &args.queries {
        loaded.queries_from_file(path, diagnostics)
    } else if args.query.is_empty() {
        *diagnostics = loaded.query_diagnostics.clone();
        loaded.model.queries.clone()
    } else {
        let name = |number| match args.query.len() {
            1 => "--query".to_owned(),
            _ => format!("--query {number}"),
        };
        let texts = (1..).zip(&args.query);
        texts.flat_map(|(number, text)| loaded.queries_from_text(&name(number), text, diagnostics)).collect()
    };
    let queries = numbered(queries);
    if args.query.is_empty() && args.queries.is_none() {
        for name in &loaded.model.unasked {
            anstream::eprintln!(
                "note: property `{name}` is not asked: it speaks of something that is hidden"
            );
        }
    }
    if queries.is_empty() {
        if !diagnostics.has_errors() {
            print_error(no_queries(args));
        }
        return Err(Exit::BadInput);
    }
    select(queries, &args.select)
}

fn no_queries(args: &CheckArgs) -> String {
    match &args.queries {
        Some(path) => format!("`{}` contains no queries", path.display()),
        None if !args.query.is_empty() => {
            "the query is empty; ask for something like --query 'E<> P.done'".to_owned()
        }
        None => format!(
            "`{}` stores no queries; ask with --query 'E<> …' or --queries FILE.q",
            args.model.display()
        ),
    }
}

fn compile(
    queries: Vec<(usize, Query)>,
    network: &mut Network,
    loaded: &Loaded,
    diagnostics: &mut Diagnostics,
) -> (Vec<Entry>, Vec<CompiledQuery>) {
    let mut compiled = Vec::new();
    let mut entries = Vec::new();
    for (number, query) in queries {
        let problem = match &query.formula {
            Formula::Error => Some(problem(&query, diagnostics)),
            Formula::Foreign(word) => Some(format!("`{word}` queries are not supported")),
            _ => match compile_query(network, &loaded.model, &query) {
                Ok(query) => {
                    compiled.push(query);
                    None
                }
                Err(errors) => {
                    let problem = problem(&query, &errors);
                    diagnostics.extend(errors);
                    Some(problem)
                }
            },
        };
        entries.push(Entry { number, query, problem });
    }
    (entries, compiled)
}

/// What is wrong with a query, in the words of the first message about it.
fn problem(query: &Query, diagnostics: &Diagnostics) -> String {
    let is_about =
        |at: Span| at.file == query.span.file && at.start >= query.span.start && at.start <= query.span.end;
    let first = diagnostics.iter().find(|diagnostic| diagnostic.is_error() && is_about(diagnostic.span));
    first.map_or_else(|| "the query has an error".to_owned(), |error| error.message.clone())
}

/// The worst of all. An answer that rests on an approximation decides nothing.
fn exit_code(results: &[QueryResult]) -> Exit {
    let of = |result: &QueryResult| match &result.answer {
        Err(_) => Exit::BadInput,
        Ok(answer) if answer.internal.is_some() => Exit::Internal,
        Ok(answer) if answer.model_error.is_some() => Exit::BadInput,
        Ok(answer) if answer.approximate => Exit::Undecided,
        Ok(answer) => match (answer.verdict, result.is_expected()) {
            (Verdict::Undecided, _) => Exit::Undecided,
            (_, Some(true)) | (Verdict::Satisfied, None) => Exit::Satisfied,
            _ => Exit::NotSatisfied,
        },
    };
    results.iter().map(of).max().unwrap_or(Exit::Satisfied)
}
