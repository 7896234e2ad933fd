//! `guidepost check MODEL`

use crate::args::{CheckArgs, MessageFormat, OutputFormat, SearchOrder};
use crate::exit::Exit;
use crate::input;
use crate::limits::configuration;
use crate::progress::ProgressLine;
use crate::terminal::{print_diagnostics, print_error, print_json};
use guidepost_language::Loaded;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::model::{Expectation, Formula, Query};
use guidepost_network::{CompiledQuery, Network, compile_query};
use guidepost_search::{Answer, Verdict, verify};
use serde_json::{Value, json};

/// A query on its way to an answer.
struct Entry {
    query: Query,
    /// Why it cannot be answered.
    problem: Option<String>,
    answer: Option<Answer>,
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
    let (mut entries, compiled) = compile(queries, &mut network, &loaded, messages);
    let mut line = ProgressLine::new(args.search.quiet);
    let answers = verify(&network, &compiled, &settings, &mut |_, progress| line.show(progress));
    line.finish();
    let answers = answers.map_err(|error| {
        print_error(error);
        Exit::BadInput
    })?;
    let mut answers = answers.into_iter();
    for entry in entries.iter_mut().filter(|entry| entry.problem.is_none()) {
        entry.answer = answers.next();
    }
    let order = match args.search.search {
        SearchOrder::Auto | SearchOrder::Bfs => "bfs",
        SearchOrder::Dfs => "dfs",
        SearchOrder::Rdfs => "rdfs",
    };
    match args.format {
        OutputFormat::Json => print_json(&to_json(args, &entries, &network, order)),
        OutputFormat::Text => {
            for entry in &entries {
                println!("{}: {:?}", entry.query.text, entry.answer.as_ref().map(|a| (a.verdict, &a.reason)));
            }
        }
    }
    Ok(exit_code(&entries))
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
        entries.push(Entry { query, problem, answer: None });
    }
    (entries, compiled)
}

fn exit_code(entries: &[Entry]) -> Exit {
    let mut exit = Exit::Satisfied;
    for entry in entries {
        let this = match &entry.answer {
            None => Exit::BadInput,
            Some(answer) if answer.internal.is_some() => Exit::Internal,
            Some(answer) if answer.model_error.is_some() => Exit::BadInput,
            Some(answer) => match (answer.verdict, entry.query.expect) {
                (Verdict::Undecided, _) => Exit::Undecided,
                (Verdict::Satisfied, None | Some(Expectation::Satisfied))
                | (Verdict::NotSatisfied, Some(Expectation::NotSatisfied)) => Exit::Satisfied,
                _ => Exit::NotSatisfied,
            },
        };
        exit = exit.max(this);
    }
    exit
}

fn to_json(args: &CheckArgs, entries: &[Entry], _network: &Network, order: &str) -> Value {
    let results: Vec<Value> = entries
        .iter()
        .map(|entry| {
            let Some(answer) = &entry.answer else {
                return json!({"query": entry.query.text, "verdict": "undecided", "reason": entry.problem});
            };
            let s = &answer.statistics;
            let mut value = json!({
                "query": entry.query.text,
                "verdict": match answer.verdict {
                    Verdict::Satisfied => "satisfied",
                    Verdict::NotSatisfied => "not satisfied",
                    Verdict::Undecided => "undecided",
                },
                "approximate": answer.approximate,
                "search": order,
                "heuristic": "none",
                "statistics": {
                    "explored": s.explored, "generated": s.generated, "stored": s.stored, "covered": s.covered,
                    "dead_ends": 0, "seconds": s.seconds, "peak_memory_bytes": s.bytes,
                    "states_per_second": s.explored as f64 / s.seconds.max(1e-9),
                },
            });
            if let Some(reason) = &answer.reason {
                value["reason"] = json!(reason);
            }
            if let Some(evidence) = &answer.evidence {
                value["trace"] = json!({"length": evidence.length(), "optimal": evidence.optimal});
            }
            value
        })
        .collect();
    json!({"tool": "guidepost", "version": env!("CARGO_PKG_VERSION"), "model": args.model.display().to_string(), "results": results})
}
