//! `guidepost check MODEL`

use crate::args::{CheckArgs, MessageFormat, OutputFormat, SearchOrder, TraceKind};
use crate::exit::Exit;
use crate::input;
use crate::limits::configuration;
use crate::progress::ProgressLine;
use crate::terminal::{look, print, print_diagnostics, print_error, print_json};
use guidepost_language::Loaded;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::model::{Formula, Query};
use guidepost_language::source::Span;
use guidepost_network::{ClockConstraint, ClockId, CompiledQuery, Network, Question, compile_query};
use guidepost_report::verdict::{QueryResult, Report, closing_text, latest_text};
use guidepost_search::{Answer, Event, Verdict, verify_each};

/// A query on its way to an answer.
struct Entry {
    /// Its place among the stored or given queries, from 1.
    number: usize,
    query: Query,
    /// Why it cannot be answered.
    problem: Option<String>,
}

pub(crate) fn run(args: &CheckArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let settings = configuration(&args.search, args.trace)?;
    let (mut loaded, mut network) = input::explorable(&args.model, messages)?;
    let mut diagnostics = Diagnostics::default();
    let queries = queries(args, &mut loaded, &mut diagnostics);
    let compiled = queries.map(|queries| compile(queries, &mut network, &loaded, &mut diagnostics));
    print_diagnostics(&diagnostics, &loaded.sources, messages);
    let (entries, compiled) = compiled?;
    note_overruled(args, &network, &compiled);
    let mut line = ProgressLine::new(args.search.quiet);
    let searches = compiled.iter().map(|query| search_name(&query.question, args.search.search));
    let mut results = Results::new(entries, searches.collect(), &network, args.format);
    let numbers = results.numbers();
    let outcome = verify_each(&network, &compiled, &settings, &mut |event| match event {
        Event::Progress(index, progress) => line.show_of(numbers[index], results.count, progress),
        Event::Answered(index, answer) => {
            line.finish();
            results.answer(index, *answer);
        }
    });
    line.finish();
    outcome.map_err(|reason| input::refuse(&reason, &network, &loaded, messages))?;
    let results = results.close();
    let exit = exit_code(&results);
    report_errors(args, &results, &network, &loaded, messages);
    if args.format == OutputFormat::Json {
        let model = args.model.display().to_string();
        print_json(&Report { model: &model, network: &network, results }.json());
    }
    Ok(exit)
}

/// Results as they come: in text they are shown in order, each as soon as it and all before it are known.
struct Results<'n> {
    network: &'n Network,
    count: usize,
    is_text: bool,
    waiting: std::collections::VecDeque<Entry>,
    searches: Vec<&'static str>,
    answers: Vec<Option<Answer>>,
    /// The next answer that belongs to a waiting entry.
    next: usize,
    known: Vec<QueryResult>,
}

impl<'n> Results<'n> {
    fn new(
        entries: Vec<Entry>,
        searches: Vec<&'static str>,
        network: &'n Network,
        format: OutputFormat,
    ) -> Self {
        Self {
            network,
            count: entries.len(),
            is_text: format == OutputFormat::Text,
            waiting: entries.into(),
            answers: vec![None; searches.len()],
            searches,
            next: 0,
            known: Vec::new(),
        }
    }

    /// By compiled query: its place among all, from 1.
    fn numbers(&self) -> Vec<usize> {
        let places = (1..).zip(&self.waiting);
        places.filter(|(_, entry)| entry.problem.is_none()).map(|(place, _)| place).collect()
    }

    fn answer(&mut self, index: usize, answer: Answer) {
        self.answers[index] = Some(answer);
        self.show();
    }

    fn show(&mut self) {
        while let Some(result) = self.take() {
            self.known.push(result);
            if self.is_text {
                print(&latest_text(&self.known, self.count > 1, self.network, look()));
            }
        }
    }

    /// The result of the first entry that waits, if it is known.
    fn take(&mut self) -> Option<QueryResult> {
        let entry = self.waiting.front()?;
        let (search, answer) = if let Some(problem) = &entry.problem {
            ("none", Err(problem.clone()))
        } else {
            let answer = self.answers.get_mut(self.next)?.take()?;
            self.next += 1;
            (self.searches[self.next - 1], Ok(answer))
        };
        let Entry { number, query, .. } = self.waiting.pop_front()?;
        Some(QueryResult { number, query: query.text, expect: query.expect, search, answer })
    }

    /// Shows what is left to show.
    fn close(mut self) -> Vec<QueryResult> {
        self.show();
        if self.is_text {
            print(&closing_text(&self.known, look()));
        }
        self.known
    }
}

/// An abstraction that was asked for is not used where it would give wrong answers; nobody should compare numbers without knowing that.
fn note_overruled(args: &CheckArgs, network: &Network, queries: &[CompiledQuery]) {
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

/// The order in which states were expanded. Only reachability leaves a choice: a run that never ends is looked for depth-first, and bounds need all states.
fn search_name(question: &Question, order: SearchOrder) -> &'static str {
    let order = match question {
        Question::Possibly(_) | Question::Always(_) => order,
        Question::Bound { .. } => SearchOrder::Bfs,
        Question::PotentiallyAlways(_) | Question::Eventually(_) | Question::LeadsTo(..) => SearchOrder::Dfs,
    };
    match order {
        SearchOrder::Auto | SearchOrder::Bfs => "bfs",
        SearchOrder::Dfs => "dfs",
        SearchOrder::Rdfs => "rdfs",
    }
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
            diagnostics.push(if args.trace == TraceKind::None { diagnostic.hint(hint) } else { diagnostic });
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
    let queries: Vec<(usize, Query)> =
        (1..).zip(queries.into_iter().filter(|query| !matches!(query.formula, Formula::Empty))).collect();
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

fn select(queries: Vec<(usize, Query)>, numbers: &[usize]) -> Result<Vec<(usize, Query)>, Exit> {
    if numbers.is_empty() {
        return Ok(queries);
    }
    numbers
        .iter()
        .map(|&number| {
            number.checked_sub(1).and_then(|index| queries.get(index)).cloned().ok_or_else(|| {
                print_error(match queries.len() {
                    1 => format!("there is no query {number}: there is only one"),
                    last => format!("there is no query {number}: the queries are numbered from 1 to {last}"),
                });
                Exit::BadInput
            })
        })
        .collect()
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
