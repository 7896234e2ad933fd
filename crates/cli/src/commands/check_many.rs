//! `guidepost check DIR|FILES…`: several models, one table.

use super::check;
use crate::args::{AnswerFormat, CheckArgs, MessageFormat};
use crate::exit::Exit;
use crate::input;
use crate::limits::on_interrupt;
use crate::terminal::{look, print, print_error, print_json, refuse};
use guidepost::{Queries, RunKind, Settings, Verdict};
use guidepost_language::diagnostic::{Diagnostic, Diagnostics};
use guidepost_language::source::SourceMap;
use guidepost_report::Trace;
use guidepost_report::verdict::{QueryResult, Report, Suite, bounds, junit};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// What of a folder is a model.
const EXTENSIONS: [&str; 5] = ["xml", "xta", "ta", "tck", "plc"];
/// Models nest as deeply as their authors like.
const STACK_BYTES: usize = 256 << 20;

/// Whether several models are meant.
pub(crate) fn is_meant(args: &CheckArgs) -> bool {
    !args.more.is_empty() || args.model.is_dir()
}

pub(crate) fn run(args: &CheckArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    refuse_options_for_one(args)?;
    let models = models(args)?;
    let mut settings = check::settings(args)?;
    let interrupt = on_interrupt();
    settings.limits.interrupt = Some(interrupt.clone());
    let jobs = usize::from(args.jobs).min(models.len()).max(1);
    settings.limits.memory = settings.limits.memory.map(|memory| memory / jobs);
    let mut table = Table::new(args.format, &models);
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, settings, models, next) = (sender.clone(), &settings, &models, &next);
            let work = move || {
                while let Some(model) = models.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if is_set(settings) || sender.send(check_one(args, model, settings, messages)).is_err() {
                        return;
                    }
                }
            };
            let started = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
            if let Err(error) = started {
                print_error(format!("cannot start a thread: {error}"));
            }
        }
        drop(sender);
        for checked in receiver {
            let is_failure = checked.exit != Exit::Satisfied;
            table.add(checked);
            if args.fail_fast && is_failure {
                // What is under way ends soon; its answers would be those of an interrupted search, and are not taken.
                interrupt.store(true, Ordering::Relaxed);
                return;
            }
        }
    });
    Ok(table.finish(is_set(&settings) && !args.fail_fast))
}

fn is_set(settings: &Settings) -> bool {
    settings.limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
}

/// Files that belong to one model would be written over by the next.
fn refuse_options_for_one(args: &CheckArgs) -> Result<(), Exit> {
    let given = [
        ("--report", args.report.is_some()),
        ("--trace-file", args.trace_file.is_some()),
        ("--certificate", args.certificate.is_some()),
        ("--certified", args.certified),
        ("--log", args.log.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(refuse(format!("{option} is for one model; there are several"))),
        None => Ok(()),
    }
}

/// The models that are meant: files as they are given, folders with all models in them, by name.
fn models(args: &CheckArgs) -> Result<Vec<PathBuf>, Exit> {
    let mut models = Vec::new();
    if std::iter::once(&args.model).chain(&args.more).filter(|path| path.as_os_str() == "-").count() > 1 {
        return Err(refuse("`-` is given twice; standard input can be read once"));
    }
    for path in std::iter::once(&args.model).chain(&args.more) {
        if path.is_dir() {
            let before = models.len();
            collect(path, &mut models)
                .map_err(|error| refuse(format!("cannot read `{}`: {error}", path.display())))?;
            if models.len() == before {
                let kinds = EXTENSIONS.map(|extension| format!(".{extension}")).join(", ");
                return Err(refuse(format!("`{}` contains no models ({kinds})", path.display())));
            }
        } else if path.extension().is_some_and(|extension| extension == "q") {
            return Err(refuse(format!(
                "`{}` has queries: give one model and then its queries, `check MODEL FILE.q`, or `--queries`",
                path.display()
            )));
        } else {
            models.push(path.clone());
        }
    }
    Ok(models)
}

fn collect(folder: &Path, models: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        // A link to a folder may lead back.
        if kind.is_dir() {
            collect(&path, models)?;
        } else if path.extension().and_then(|e| e.to_str()).is_some_and(|e| EXTENSIONS.contains(&e)) {
            models.push(path);
        }
    }
    Ok(())
}

/// What is left of a model when it has been checked.
struct Checked {
    model: PathBuf,
    exit: Exit,
    rows: Vec<Row>,
    json: Value,
    suite: Option<Suite>,
    /// The runs, where they are asked for.
    runs: String,
}

struct Row {
    number: String,
    answer: String,
    states: String,
    seconds: String,
    query: String,
}

fn check_one(args: &CheckArgs, model: &Path, settings: &Settings, messages: MessageFormat) -> Checked {
    let checked =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| try_one(args, model, settings, messages)));
    checked.unwrap_or_else(|_| Checked::broken(model, Exit::Internal, "internal error: guidepost has a bug"))
}

fn try_one(args: &CheckArgs, model: &Path, settings: &Settings, messages: MessageFormat) -> Checked {
    let name = model.display().to_string();
    let wrong = |diagnostics: &Diagnostics, sources: &SourceMap| {
        let errors = input::errors(diagnostics);
        let told = |error: &Diagnostic| format!("{}: {}", sources.locate(error.span), error.message);
        let first = errors.iter().next().map_or_else(|| "the model cannot be checked".to_owned(), told);
        let suite = Some(Suite::of_errors(&name, &errors, sources));
        Checked { suite, ..Checked::broken(model, Exit::BadInput, &first) }
    };
    let mut session = match input::open(model, messages) {
        Ok(session) => session,
        Err(error) => return wrong(error.diagnostics(), error.sources()),
    };
    let asks_stored = args.query.is_empty() && args.queries.is_none();
    if asks_stored && session.queries().is_empty() && !session.loaded().query_diagnostics.has_errors() {
        return Checked::without_queries(model);
    }
    let queries = match &args.queries {
        Some(path) => Queries::File(path.clone()),
        None if asks_stored => Queries::Stored,
        None => Queries::Texts(args.query.clone()),
    };
    let mut inquiry = match session.inquire(&queries, &args.select) {
        Ok(inquiry) => inquiry,
        Err(nothing) if nothing.message.is_empty() => {
            return wrong(&nothing.diagnostics, &session.loaded().sources);
        }
        Err(nothing) => return Checked::broken(model, Exit::BadInput, &nothing.message),
    };
    let entries = inquiry.entries.iter().filter(|entry| entry.problem.is_some());
    let places: HashMap<usize, String> =
        entries.map(|entry| (entry.number, session.loaded().sources.locate(entry.query.span))).collect();
    if let Err(error) = session.guide(&mut inquiry, &args.guide.guidepost) {
        return wrong(error.diagnostics(), error.sources());
    }
    let results = match session.check(inquiry, settings, &mut |_| ()) {
        Ok(results) => results,
        Err(error) => return wrong(error.diagnostics(), error.sources()),
    };
    let exit = check::exit_code(&results);
    let report = Report { model: &name, network: session.network(), results };
    let mut json = report.json();
    if let Some(map) = json.as_object_mut() {
        map.remove("tool");
        map.remove("version");
    }
    let rows = report.results.iter().map(|result| Row::of(result, places.get(&result.number))).collect();
    let runs = if settings.run == RunKind::None { String::new() } else { runs(&report) };
    Checked { model: model.to_owned(), exit, rows, json, suite: Some(report.suite()), runs }
}

/// The runs that were asked for, one below the other.
fn runs(report: &Report<'_>) -> String {
    let mut text = String::new();
    for result in &report.results {
        let Some(evidence) = result.answer.as_ref().ok().and_then(|answer| answer.evidence.as_ref()) else {
            continue;
        };
        let trace = Trace::new(report.network, &evidence.initial, &evidence.steps);
        let _ = writeln!(text, "\n{}, {}: {}", report.model, result.number, result.title());
        text.push_str(&trace.text(look()));
    }
    text
}

impl Checked {
    fn broken(model: &Path, exit: Exit, reason: &str) -> Self {
        let name = model.display().to_string();
        let row = Row::plain("ERROR", reason);
        let json = json!({ "model": name, "error": reason });
        let suite = Some(Suite::broken(&name, reason, reason));
        Self { model: model.to_owned(), exit, rows: vec![row], json, suite, runs: String::new() }
    }

    fn without_queries(model: &Path) -> Self {
        let json = json!({ "model": model.display().to_string(), "results": [] });
        let rows = vec![Row::plain("no queries", "")];
        Self { model: model.to_owned(), exit: Exit::Satisfied, rows, json, suite: None, runs: String::new() }
    }
}

impl Row {
    fn plain(answer: &str, query: &str) -> Self {
        let nothing = String::new;
        Self {
            number: nothing(),
            answer: answer.to_owned(),
            states: nothing(),
            seconds: nothing(),
            query: query.to_owned(),
        }
    }

    /// `place` is where a query stands that has no answer.
    fn of(result: &QueryResult, place: Option<&String>) -> Self {
        let answer = result.answer.as_ref().ok();
        let verdict = match (answer, result.verdict()) {
            (None, _) => "not answered",
            (Some(answer), _) if answer.model_error().is_some() => "model error",
            (Some(answer), Verdict::Satisfied) if answer.approximate => "may be satisfied",
            (Some(answer), Verdict::NotSatisfied) if answer.approximate => "may not be satisfied",
            (Some(answer), Verdict::Satisfied) if answer.measured().is_some() => "measured",
            (_, Verdict::Satisfied) => "satisfied",
            (_, Verdict::NotSatisfied) => "NOT satisfied",
            (_, Verdict::Undecided) => "undecided",
        };
        let expected = match result.is_expected() {
            Some(true) => ", as expected",
            Some(false) => ", UNEXPECTED",
            None => "",
        };
        let statistics = answer.map(|answer| &answer.statistics);
        Self {
            number: result.number.to_string(),
            answer: format!("{verdict}{expected}"),
            states: statistics.map_or_else(String::new, |statistics| statistics.explored.to_string()),
            seconds: statistics.map_or_else(String::new, |statistics| format!("{:.3} s", statistics.seconds)),
            query: match &result.answer {
                Ok(answer) => match answer.measured() {
                    Some(measurement) => format!("{}: {}", result.title(), bounds(measurement).join(", ")),
                    None => result.title(),
                },
                Err(reason) => place.map_or_else(|| reason.clone(), |place| format!("{place}: {reason}")),
            },
        }
    }
}

/// Collects, and writes in the order of the models.
struct Table {
    format: AnswerFormat,
    models: Vec<PathBuf>,
    width: usize,
    checked: Vec<Option<Checked>>,
    written: usize,
}

impl Table {
    fn new(format: AnswerFormat, models: &[PathBuf]) -> Self {
        let width = models.iter().map(|model| model.display().to_string().chars().count()).max();
        let width = width.unwrap_or(0).max("model".len());
        if format == AnswerFormat::Text {
            print(&format!(
                "{:width$}  no.  {:26}  {:>9}  {:>9}  query\n",
                "model", "answer", "states", "time"
            ));
        }
        let checked = models.iter().map(|_| None).collect();
        Self { format, models: models.to_vec(), width, checked, written: 0 }
    }

    fn add(&mut self, checked: Checked) {
        // The same model may be named twice.
        let places = self.models.iter().zip(&self.checked);
        let at = places.enumerate().find(|(_, (model, known))| **model == checked.model && known.is_none());
        if let Some((at, _)) = at {
            self.checked[at] = Some(checked);
        }
        while let Some(Some(checked)) = self.checked.get(self.written) {
            self.write(checked);
            self.written += 1;
        }
    }

    fn write(&self, checked: &Checked) {
        if self.format != AnswerFormat::Text {
            return;
        }
        let mut text = String::new();
        let mut name = checked.model.display().to_string();
        for row in &checked.rows {
            let mut line = format!(
                "{name:width$}  {:>3}  {:26}  {:>9}  {:>9}  {}",
                row.number,
                row.answer,
                row.states,
                row.seconds,
                row.query,
                width = self.width
            );
            name.clear();
            let most = look().width.max(self.width + 100);
            if line.chars().count() > most {
                line = line.chars().take(most - 1).chain(['…']).collect();
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        print(&text);
    }

    fn finish(self, is_interrupted: bool) -> Exit {
        // Behind a gap there may be more, where somebody stopped the rest.
        for checked in self.checked.iter().skip(self.written).flatten() {
            self.write(checked);
        }
        let known: Vec<&Checked> = self.checked.iter().flatten().collect();
        let left = self.models.len() - known.len();
        let exit = known.iter().map(|checked| checked.exit).max().unwrap_or(Exit::Satisfied);
        match self.format {
            AnswerFormat::Text => {
                for checked in &known {
                    print(&checked.runs);
                }
                print(&summary(&known, left));
            }
            AnswerFormat::Json => print_json(&json!({
                "tool": "guidepost",
                "version": env!("CARGO_PKG_VERSION"),
                "models": known.iter().map(|checked| &checked.json).collect::<Vec<_>>(),
                "left_out": left,
            })),
            AnswerFormat::Junit => {
                let suites: Vec<Suite> = known.iter().filter_map(|checked| checked.suite.clone()).collect();
                print(&junit(&suites));
            }
        }
        if is_interrupted { exit.max(Exit::Undecided) } else { exit }
    }
}

fn summary(known: &[&Checked], left: usize) -> String {
    let count = |wanted: &dyn Fn(&Checked) -> bool| known.iter().filter(|checked| wanted(checked)).count();
    let fine = count(&|checked| checked.exit == Exit::Satisfied);
    let mut text = format!("{fine} of {} models have no surprise", known.len());
    for (exit, words) in [
        (Exit::NotSatisfied, "with queries that are not satisfied or not as expected"),
        (Exit::BadInput, "with errors"),
        (Exit::Undecided, "undecided"),
        (Exit::Internal, "with internal errors"),
    ] {
        let number = count(&|checked| checked.exit == exit);
        if number > 0 {
            let _ = write!(text, "; {number} {words}");
        }
    }
    if left > 0 {
        let _ = write!(text, "; {left} left out");
    }
    text.push_str(".\n");
    text
}
