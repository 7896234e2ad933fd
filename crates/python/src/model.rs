//! Models and answers about them.

use crate::errors::{bad_options, internal, messages_json, model_error, nothing_asked};
use crate::options::options;
use crate::watch::watched;
use guidepost::report::html::HtmlReport;
use guidepost::report::space::StateSpace;
use guidepost::report::verdict::{QueryResult, Report};
use guidepost::report::{Look, Summary, Trace};
use guidepost::{CheckEvent, ModelError, NothingAsked, Queries, RunEnd, Session, SurveyError};
use guidepost_generate::Family;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// A model that was read without errors.
#[pyclass(frozen, module = "guidepost._native")]
pub(crate) struct Model {
    session: Arc<Session>,
    name: String,
}

/// Deeply nested models recurse deeply: they are read by a thread with a large stack.
fn read(
    py: Python<'_>,
    name: String,
    session: impl FnOnce() -> Result<Session, ModelError> + Send,
) -> PyResult<Model> {
    let session = watched(py, &Arc::default(), None, |_| session())?;
    let session = session.map_err(|error| model_error(py, &error))?;
    Ok(Model { session: Arc::new(session), name })
}

/// Why nothing is answered.
enum Refusal {
    Nothing(NothingAsked),
    Model(ModelError),
}

#[pymethods]
impl Model {
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        read(py, path.display().to_string(), move || Session::open(path))
    }

    #[staticmethod]
    fn parse(py: Python<'_>, text: String, name: String) -> PyResult<Self> {
        read(py, name.clone(), move || Session::parse(&name, &text))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The summary of `guidepost info`, as JSON.
    fn info(&self, py: Python<'_>) -> PyResult<String> {
        let summary = Summary::of(self.session.loaded());
        summary.map(|summary| summary.json().to_string()).map_err(|_| internal(py, "there is no summary"))
    }

    /// What looks wrong, as JSON.
    fn warnings(&self) -> String {
        messages_json(self.session.warnings(), &self.session.loaded().sources)
    }

    /// Answers queries: texts, those of a file, or those that came with the model.
    #[pyo3(signature = (queries, file, select, progress, options_given))]
    fn check(
        &self,
        py: Python<'_>,
        queries: Option<Vec<String>>,
        file: Option<PathBuf>,
        select: Vec<String>,
        progress: Option<Py<PyAny>>,
        options_given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Checked> {
        let mut settings = options(options_given)?.settings().map_err(|error| bad_options(py, &error))?;
        let interrupt = Arc::new(AtomicBool::new(false));
        settings.limits.interrupt = Some(Arc::clone(&interrupt));
        let queries = match (queries, file) {
            (Some(texts), _) => Queries::Texts(texts),
            (None, Some(path)) => Queries::File(path),
            (None, None) => Queries::Stored,
        };
        let mut session = Session::clone(&self.session);
        let (session, outcome) = watched(py, &interrupt, progress.as_ref(), move |reporter| {
            let outcome = match session.inquire(&queries, &select) {
                Err(nothing) => Err(Refusal::Nothing(nothing)),
                Ok(inquiry) => {
                    let messages = messages_json(&inquiry.diagnostics, &session.loaded().sources);
                    let results = session.check(inquiry, &settings, &mut |event| {
                        if let CheckEvent::Progress(query, progress) = event {
                            reporter.progress(query, progress);
                        }
                    });
                    results.map(|results| (results, messages)).map_err(Refusal::Model)
                }
            };
            (session, outcome)
        })?;
        let (results, messages) = outcome.map_err(|refusal| match refusal {
            Refusal::Nothing(nothing) => nothing_asked(py, &nothing, &session.loaded().sources),
            Refusal::Model(error) => model_error(py, &error),
        })?;
        let results = Mutex::new(results);
        Ok(Checked { session: Arc::new(session), name: self.name.clone(), results, messages })
    }

    /// Explores the whole state space: the JSON of `guidepost states`.
    #[pyo3(signature = (progress, options_given))]
    fn states(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        options_given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        let options = options(options_given)?;
        let mut settings = options.survey_settings().map_err(|error| bad_options(py, &error))?;
        let interrupt = Arc::new(AtomicBool::new(false));
        settings.limits.interrupt = Some(Arc::clone(&interrupt));
        let session = &self.session;
        let space = watched(py, &interrupt, progress.as_ref(), |reporter| {
            session.survey(&settings, &mut |progress| reporter.progress(0, progress))
        })?;
        let space = space.map_err(|error| match error {
            SurveyError::Model(error) => model_error(py, &error),
            SurveyError::Internal(error) => internal(py, &error.to_string()),
        })?;
        let space = StateSpace {
            model: &self.name,
            network: session.network(),
            sources: &session.loaded().sources,
            survey: &space.survey,
            halts: space.halts.as_ref(),
            workers: &space.workers,
            notes: &space.notes,
        };
        Ok(space.json().to_string())
    }

    /// A random run: why it ends, its JSON, and its text.
    fn simulate(&self, py: Python<'_>, steps: usize, seed: u64) -> PyResult<(String, String, String)> {
        self.session.has_initial_state().map_err(|error| model_error(py, &error))?;
        let run = py.detach(|| self.session.simulate(seed, steps));
        let trace = Trace::of_run(self.session.network(), &run);
        let end = match &run.end {
            RunEnd::Length => "steps",
            RunEnd::Deadlock => "deadlock",
            RunEnd::TimeLock => "time-lock",
            RunEnd::Initial => "initial",
            RunEnd::Failure(_) => "error",
        };
        Ok((end.to_owned(), trace.json().to_string(), trace.text(Look::default())))
    }

    /// Begins to go through the model step by step.
    fn simulator(&self, py: Python<'_>) -> PyResult<crate::simulator::Simulator> {
        crate::simulator::Simulator::new(py, Session::clone(&self.session))
    }
}

/// Answers to the queries of a check.
#[pyclass(frozen, module = "guidepost._native")]
pub(crate) struct Checked {
    session: Arc<Session>,
    name: String,
    /// Reports own the results that they show; they get them for a while.
    results: Mutex<Vec<QueryResult>>,
    messages: String,
}

#[pymethods]
impl Checked {
    /// The answers, as `guidepost check --format json` gives them.
    fn json(&self) -> String {
        self.with_report(|report| report.json().to_string())
    }

    /// What is to be said about the queries, as JSON.
    #[getter]
    fn messages(&self) -> &str {
        &self.messages
    }

    /// The answers, as `guidepost check` prints them.
    fn text(&self) -> String {
        self.with_report(|report| report.text(Look::default()))
    }

    /// The run of an answer, as text.
    fn run_text(&self, index: usize) -> Option<String> {
        self.with_report(|report| {
            let evidence = report.results.get(index)?.answer.as_ref().ok()?.evidence.as_ref()?;
            let trace = Trace::new(report.network, &evidence.initial, &evidence.steps);
            Some(trace.text(Look::default()))
        })
    }

    /// The report, as `guidepost check --report` writes it.
    fn html(&self) -> String {
        self.with_report(|report| {
            let run = |result: &'_ QueryResult| result.answer.as_ref().ok()?.evidence.clone();
            let runs: Vec<_> = report.results.iter().map(run).collect();
            let runs = runs.iter().map(Option::as_ref).collect();
            let loaded = self.session.loaded();
            HtmlReport { loaded, network: report.network, answers: &report.json(), runs }.html()
        })
    }
}

impl Checked {
    fn with_report<T>(&self, show: impl FnOnce(&Report<'_>) -> T) -> T {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let network = self.session.network();
        let report = Report { model: &self.name, network, results: std::mem::take(&mut results) };
        let shown = show(&report);
        *results = report.results;
        shown
    }
}

/// A model of a well-known family, as text, and its queries.
#[pyfunction]
pub(crate) fn generate(words: Vec<String>) -> PyResult<(String, String)> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let family = Family::from_words(&words).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let generated = family.generate();
    Ok((generated.model.clone(), generated.query_text()))
}
