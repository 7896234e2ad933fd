//! `guidepost check MODEL`

use crate::args::{CheckArgs, MessageFormat, OutputFormat, SearchOrder};
use crate::exit::Exit;
use crate::input;
use crate::limits::configuration;
use crate::progress::ProgressLine;
use crate::terminal::{look, print, print_diagnostics, print_error, print_json};
use guidepost_language::Loaded;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::model::{Formula, Query};
use guidepost_network::{CompiledQuery, Network, compile_query};
use guidepost_report::verdict::{QueryResult, Report};
use guidepost_search::{Answer, Verdict, verify};

/// A query on its way to an answer.
struct Entry {
    query: Query,
    /// Why it cannot be answered.
    problem: Option<String>,
}

pub(crate) fn run(args: &CheckArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let settings = configuration(&args.search, args.trace)?;
    let mut loaded = input::load(&args.model, messages)?;
    let queries = queries(args, &mut loaded, messages)?;
    let (network, diagnostics) = guidepost_network::build(&loaded.model);
    let Some(mut network) = network else {
        print_diagnostics(&diagnostics, &loaded.sources, messages);
        return Err(Exit::BadInput);
    };
    let (entries, compiled) = compile(queries, &mut network, &loaded, messages);
    let mut line = ProgressLine::new(args.search.quiet);
    let answers = verify(&network, &compiled, &settings, &mut |_, progress| line.show(progress));
    line.finish();
    let answers = answers.map_err(|error| {
        print_error(error);
        Exit::BadInput
    })?;
    let results = results(entries, answers, order_name(args.search.search));
    let exit = exit_code(&results);
    let model = args.model.display().to_string();
    let report = Report { model: &model, network: &network, results };
    match args.format {
        OutputFormat::Json => print_json(&report.json()),
        OutputFormat::Text => print(&report.text(look())),
    }
    for error in report.results.iter().filter_map(|result| result.answer.as_ref().ok()) {
        report_errors(error, &network, &loaded, messages);
    }
    Ok(exit)
}

fn order_name(order: SearchOrder) -> &'static str {
    match order {
        SearchOrder::Auto | SearchOrder::Bfs => "bfs",
        SearchOrder::Dfs => "dfs",
        SearchOrder::Rdfs => "rdfs",
    }
}

/// Model errors are shown where they are in the model; a failed safety net is our bug.
fn report_errors(answer: &Answer, network: &Network, loaded: &Loaded, messages: MessageFormat) {
    if let Some(error) = &answer.model_error {
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(error.error.diagnostic(network));
        print_diagnostics(&diagnostics, &loaded.sources, messages);
    }
    if let Some(internal) = &answer.internal {
        print_error(format!("internal error: {internal}. Please report it with the model and the command line"));
    }
}

/// The queries that were asked for.
fn queries(args: &CheckArgs, loaded: &mut Loaded, messages: MessageFormat) -> Result<Vec<Query>, Exit> {
    let mut diagnostics = Diagnostics::default();
    let queries = if let Some(path) = &args.queries {
        loaded.queries_from_file(path, &mut diagnostics)
    } else if args.query.is_empty() {
        diagnostics = loaded.query_diagnostics.clone();
        loaded.model.queries.clone()
    } else {
        let texts = args.query.iter();
        texts.flat_map(|text| loaded.queries_from_text("--query", text, &mut diagnostics)).collect()
    };
    print_diagnostics(&diagnostics, &loaded.sources, messages);
    let queries: Vec<Query> =
        queries.into_iter().filter(|query| !matches!(query.formula, Formula::Empty)).collect();
    if queries.is_empty() {
        if !diagnostics.has_errors() {
            print_error(format!("`{}` stores no queries; ask with --query 'E<> …' or --queries FILE.q", args.model.display()));
        }
        return Err(Exit::BadInput);
    }
    select(queries, &args.select)
}

fn select(queries: Vec<Query>, numbers: &[usize]) -> Result<Vec<Query>, Exit> {
    if numbers.is_empty() {
        return Ok(queries);
    }
    numbers
        .iter()
        .map(|&number| {
            number.checked_sub(1).and_then(|index| queries.get(index)).cloned().ok_or_else(|| {
                print_error(format!("there is no query {number}: the queries are numbered from 1 to {}", queries.len()));
                Exit::BadInput
            })
        })
        .collect()
}

fn compile(
    queries: Vec<Query>,
    network: &mut Network,
    loaded: &Loaded,
    messages: MessageFormat,
) -> (Vec<Entry>, Vec<CompiledQuery>) {
    let mut compiled = Vec::new();
    let mut entries = Vec::new();
    for query in queries {
        let problem = match &query.formula {
            Formula::Error => Some("the query has an error".to_owned()),
            Formula::Foreign(word) => Some(format!("`{word}` queries are not supported")),
            _ => match compile_query(network, &loaded.model, &query) {
                Ok(query) => {
                    compiled.push(query);
                    None
                }
                Err(diagnostics) => {
                    print_diagnostics(&diagnostics, &loaded.sources, messages);
                    Some("the query has an error".to_owned())
                }
            },
        };
        entries.push(Entry { query, problem });
    }
    (entries, compiled)
}

fn results(entries: Vec<Entry>, answers: Vec<Answer>, search: &'static str) -> Vec<QueryResult> {
    let mut answers = answers.into_iter();
    entries
        .into_iter()
        .map(|entry| {
            let answer = match entry.problem {
                Some(problem) => Err(problem),
                None => answers.next().ok_or_else(|| "not answered".to_owned()),
            };
            QueryResult { query: entry.query.text, expect: entry.query.expect, search, answer }
        })
        .collect()
}

fn exit_code(results: &[QueryResult]) -> Exit {
    let of = |result: &QueryResult| match &result.answer {
        Err(_) => Exit::BadInput,
        Ok(answer) if answer.internal.is_some() => Exit::Internal,
        Ok(answer) if answer.model_error.is_some() => Exit::BadInput,
        Ok(answer) => match (answer.verdict, result.is_expected()) {
            (Verdict::Undecided, _) => Exit::Undecided,
            (_, Some(true)) | (Verdict::Satisfied, None) => Exit::Satisfied,
            _ => Exit::NotSatisfied,
        },
    };
    results.iter().map(of).max().unwrap_or(Exit::Satisfied)
}
