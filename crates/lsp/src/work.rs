//! What takes longer than a key stroke.
//!
//! Building the network of a model can take seconds, and answering a query as long as it likes. Both happen on threads of their own, on what was known
//! when they began, and send what they found to the loop of the server. Only the newest text of a model is worth a network.

use crate::analysis::Analysis;
use crate::lens;
use crate::messages;
use crossbeam_channel::{Receiver, Sender, unbounded};
use guidepost::{Queries, RunKind, Session, Settings, default_settings};
use guidepost_answer::{Limits, Verdict};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::source::{FileId, Span};
use guidepost_report::Look;
use guidepost_report::html::HtmlReport;
use guidepost_report::verdict::{QueryResult, Report, latest_text};
use lsp_server::RequestId;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::Builder;
use std::time::{Duration, SystemTime};

/// Deeply nested models recurse deeply.
const STACK_BYTES: usize = 256 << 20;

/// What was found.
pub(crate) enum Done {
    /// Everything that `guidepost info` says about a model.
    Inspected(Arc<Analysis>, Diagnostics),
    /// A query was answered, or why it was not.
    Checked(RequestId, Box<Check>, Result<Checked, String>),
}

/// A query to be answered.
#[derive(Clone)]
pub(crate) struct Check {
    pub(crate) analysis: Arc<Analysis>,
    /// The file that the query stands in, and its number there.
    pub(crate) file: FileId,
    pub(crate) number: usize,
    /// Where it stands.
    pub(crate) span: Span,
    /// [`lens::CHECK`] or [`lens::RUN`]
    pub(crate) command: &'static str,
    pub(crate) limits: Limits,
}

/// An answer.
pub(crate) struct Checked {
    pub(crate) verdict: Verdict,
    /// The query and its answer as the command shows them.
    pub(crate) text: String,
    /// The answer in a line.
    pub(crate) headline: String,
    /// The file with the run.
    pub(crate) report: Option<PathBuf>,
}

/// The threads.
pub(crate) struct Workers {
    inspect: Sender<Arc<Analysis>>,
    sender: Sender<Done>,
    pub(crate) done: Receiver<Done>,
}

impl Workers {
    /// Starts the thread that builds networks.
    pub(crate) fn start() -> std::io::Result<Self> {
        let (inspect, inspections) = unbounded::<Arc<Analysis>>();
        let (sender, done) = unbounded();
        let results = sender.clone();
        Builder::new()
            .stack_size(STACK_BYTES)
            .name("inspector".into())
            .spawn(move || inspector(&inspections, &results))?;
        Ok(Self { inspect, sender, done })
    }

    /// Asks for everything that is to be said about a model.
    pub(crate) fn inspect(&self, analysis: Arc<Analysis>) {
        let _ = self.inspect.send(analysis);
    }

    /// Answers a query on a thread of its own.
    pub(crate) fn check(&self, id: RequestId, check: Check) -> std::io::Result<()> {
        let results = self.sender.clone();
        let work = move || {
            let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| answer(&check)));
            let answer = answer.unwrap_or_else(|_| {
                Err("internal error: guidepost has a bug; please report it with the model".into())
            });
            let _ = results.send(Done::Checked(id, Box::new(check), answer));
        };
        Builder::new().stack_size(STACK_BYTES).name("check".into()).spawn(work).map(|_| ())
    }
}

/// Builds networks, until nobody asks any more.
fn inspector(inspections: &Receiver<Arc<Analysis>>, results: &Sender<Done>) {
    while let Ok(first) = inspections.recv() {
        let mut waiting = vec![first];
        for newer in inspections.try_iter() {
            waiting.retain(|older| older.files[0].path != newer.files[0].path);
            waiting.push(newer);
        }
        for analysis in waiting {
            let found =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| messages::of_network(&analysis)));
            let found = found.unwrap_or_else(|_| messages::of_text(&analysis));
            if results.send(Done::Inspected(analysis, found)).is_err() {
                return;
            }
        }
    }
}

fn answer(check: &Check) -> Result<Checked, String> {
    let mut session = Session::new(check.analysis.loaded.clone()).map_err(|error| error.to_string())?;
    let beside = check.analysis.beside.as_ref().filter(|beside| beside.file == check.file);
    let stored = check.analysis.loaded.document.queries.get(check.number - 1);
    let gone = "there is no such query any more";
    let (queries, wanted) = if let Some(beside) = beside {
        let entry = beside.entries.get(check.number - 1).ok_or(gone)?;
        (Queries::Texts(vec![entry.text.clone()]), vec![])
    } else {
        stored.ok_or(gone)?;
        (Queries::Stored, vec![check.number.to_string()])
    };
    let inquiry = session.inquire(&queries, &wanted).map_err(|nothing| nothing.message)?;
    let run = if check.command == lens::RUN { RunKind::Any } else { RunKind::None };
    let settings = Settings { run, limits: check.limits.clone(), ..default_settings() };
    let results = session.check(inquiry, &settings, &mut |_| ()).map_err(|error| error.to_string())?;
    let result = results.first().ok_or(gone)?;
    if let Err(reason) = &result.answer {
        return Err(reason.clone());
    }
    let text = latest_text(&results[..1], false, session.network(), Look::default());
    let verdict = result.verdict();
    let headline = headline(result, &text);
    let report =
        (run != RunKind::None).then(|| write_report(check, &session, results)).transpose()?.flatten();
    Ok(Checked { verdict, text, headline, report })
}

/// The query and the first line of its answer.
fn headline(result: &QueryResult, text: &str) -> String {
    let answer = text.lines().nth(1).unwrap_or_default().trim();
    format!("{}: {answer}", result.title())
}

/// Writes the report of a run where nobody else writes; nothing, if there is no run.
fn write_report(
    check: &Check,
    session: &Session,
    results: Vec<QueryResult>,
) -> Result<Option<PathBuf>, String> {
    let model = check.analysis.files[0].path.display().to_string();
    let report = Report { model: &model, network: session.network(), results };
    let run = |result: &QueryResult| result.answer.as_ref().ok()?.evidence.clone();
    let runs: Vec<_> = report.results.iter().map(run).collect();
    if runs.iter().all(Option::is_none) {
        return Ok(None);
    }
    let answers = report.json();
    let runs = runs.iter().map(Option::as_ref).collect();
    let html =
        HtmlReport { loaded: session.loaded(), network: session.network(), answers: &answers, runs }.html();
    let path = fresh_folder()?.join(format!("{}-{}.html", stem(&model), check.number));
    std::fs::write(&path, html).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    Ok(Some(path))
}

fn stem(model: &str) -> String {
    Path::new(model).file_stem().map_or_else(|| "run".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// A folder that nobody else has.
fn fresh_folder() -> Result<PathBuf, String> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_nanos();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("guidepost-{}-{time:x}-{number}", std::process::id()));
    // An error where it exists already, so that nobody can have put it there.
    std::fs::create_dir(&path)
        .map_err(|error| format!("cannot make the folder `{}`: {error}", path.display()))?;
    Ok(path)
}

/// Limits that somebody can end.
pub(crate) fn limits(seconds: f64) -> (Limits, Arc<AtomicBool>) {
    let interrupt = Arc::new(AtomicBool::new(false));
    let time = Duration::try_from_secs_f64(seconds).ok();
    let memory = guidepost::default_memory_limit();
    (Limits { time, memory, interrupt: Some(interrupt.clone()), ..Limits::default() }, interrupt)
}
