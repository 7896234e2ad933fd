//! A model, step by step.

use crate::errors::{bad_options, impossible, model_error};
use crate::options::options;
use crate::watch::watched;
use guidepost::network::EdgeId;
use guidepost::network::interpreter::{Choice, Random, Rational, ReplayReason, ReplayStep, RunEnd};
use guidepost::report::trace::{state_json, transition_json};
use guidepost::report::trace_file::describe;
use guidepost::report::{Look, Trace, exact, intervals};
use guidepost::{Outcome, Position, Refused, Session};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A model, step by step. Positions are numbers.
#[pyclass(frozen, module = "guidepost._native")]
pub(crate) struct Simulator {
    simulator: Mutex<guidepost::Simulator>,
}

impl Simulator {
    pub(crate) fn new(py: Python<'_>, session: Session) -> PyResult<Self> {
        let simulator = guidepost::Simulator::new(session).map_err(|error| model_error(py, &error))?;
        Ok(Self { simulator: Mutex::new(simulator) })
    }

    fn lock(&self) -> MutexGuard<'_, guidepost::Simulator> {
        self.simulator.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn position(simulator: &guidepost::Simulator, at: u64) -> PyResult<Position> {
    simulator.position(at).ok_or_else(|| PyIndexError::new_err(format!("there is no state {at}")))
}

fn refused(py: Python<'_>, simulator: &guidepost::Simulator, refused: &Refused) -> PyErr {
    let reason = match refused {
        Refused::Impossible(reason) => describe(reason, simulator.network()),
        Refused::Full => refused.to_string(),
    };
    impossible(py, &reason)
}

#[pymethods]
impl Simulator {
    /// The state at a position: its JSON, the time that has passed, how many steps lead there, and from where.
    fn state(&self, at: u64) -> PyResult<(String, Option<String>, usize, Option<u32>)> {
        let simulator = self.lock();
        let at = position(&simulator, at)?;
        let state = state_json(simulator.network(), simulator.state(at)).to_string();
        let from = simulator.came(at).map(|(from, _)| from.0);
        Ok((state, simulator.time(at).map(exact), simulator.depth(at), from))
    }

    /// What can happen at a position, and when, as JSON.
    fn choices(&self, py: Python<'_>, at: u64) -> PyResult<String> {
        let simulator = self.lock();
        let at = position(&simulator, at)?;
        let network = simulator.network();
        let choices = simulator
            .choices(at)
            .map_err(|failure| impossible(py, &describe(&ReplayReason::Failure(failure), network)))?;
        let told = |choice: &Choice| {
            let delay = choice.delays.first().and_then(|first| first.sample().ok());
            let failure =
                choice.failure.clone().map(|failure| describe(&ReplayReason::Failure(failure), network));
            json!({
                "transition": transition_json(network, &choice.transition),
                "when": intervals(&choice.delays),
                "delay": delay.map(exact),
                "failure": failure,
            })
        };
        let longest = choices.longest_delay.map(|(limit, excluded)| json!([exact(limit), excluded]));
        let told: Vec<_> = choices.transitions.iter().map(told).collect();
        Ok(json!({ "choices": told, "longest": longest }).to_string())
    }

    /// Waits, then takes edges by their numbers, if there are any.
    fn take(&self, py: Python<'_>, at: u64, delay: &str, edges: Vec<u32>) -> PyResult<u32> {
        let delay: Rational = delay.parse().map_err(|error| bad_options(py, &error))?;
        let mut simulator = self.lock();
        let at = position(&simulator, at)?;
        let count = simulator.network().edges.len() as u32;
        if let Some(edge) = edges.iter().find(|&&edge| edge >= count) {
            return Err(PyIndexError::new_err(format!("there is no edge {edge}")));
        }
        let step = ReplayStep { delay, edges: edges.into_iter().map(EdgeId).collect() };
        simulator.take(at, &step).map(|to| to.0).map_err(|error| refused(py, &simulator, &error))
    }

    /// Goes on at random: where that leads, and why it ends sooner, if it does.
    fn wander(
        &self,
        py: Python<'_>,
        at: u64,
        steps: usize,
        seed: u64,
    ) -> PyResult<(u32, Option<&'static str>)> {
        let mut simulator = self.lock();
        let at = position(&simulator, at)?;
        let (to, end) = simulator
            .wander(at, steps, &mut Random::new(seed))
            .map_err(|error| impossible(py, &error.to_string()))?;
        let end = match end {
            RunEnd::Length | RunEnd::Initial => None,
            RunEnd::Deadlock => Some("deadlock"),
            RunEnd::TimeLock => Some("time-lock"),
            RunEnd::Failure(_) => Some("error"),
        };
        Ok((to.0, end))
    }

    /// The run that leads to a position: its JSON and its text.
    fn run(&self, at: u64) -> PyResult<(String, String)> {
        let simulator = self.lock();
        let evidence = simulator.evidence(position(&simulator, at)?);
        let trace = Trace::new(simulator.network(), &evidence.initial, &evidence.steps);
        Ok((trace.json().to_string(), trace.text(Look::default())))
    }

    /// Searches for a way from a position to a goal: where it leads, or `None` when there is none.
    #[pyo3(signature = (at, goal, options_given))]
    fn go(
        &self,
        py: Python<'_>,
        at: u64,
        goal: &str,
        options_given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<u32>> {
        let mut options = options(options_given)?;
        if options.run == guidepost::RunKind::None {
            options.run = guidepost::RunKind::Any;
        }
        let mut settings = options.settings().map_err(|error| bad_options(py, &error))?;
        let interrupt = Arc::new(AtomicBool::new(false));
        settings.limits.interrupt = Some(Arc::clone(&interrupt));
        let simulator = self.lock();
        let at = position(&simulator, at)?;
        let way = simulator.way(at, goal).map_err(|error| model_error(py, &error))?;
        // Others may use it meanwhile: whoever waited for it would keep Python's lock, for which the search waits.
        drop(simulator);
        let answer = watched(py, &interrupt, None, |_| way.search(&settings))?;
        let answer = answer.map_err(|error| impossible(py, &error.to_string()))?;
        let mut simulator = self.lock();
        match (&answer.outcome, &answer.evidence) {
            (Outcome::Decided(false), _) => Ok(None),
            (Outcome::Decided(true), Some(evidence)) => simulator
                .graft(at, &evidence.steps)
                .map(|to| Some(to.0))
                .map_err(|error| impossible(py, &error.to_string())),
            (Outcome::Stopped(reason), _) => {
                Err(impossible(py, &format!("undecided: {}", reason.describe())))
            }
            _ => Err(impossible(py, "undecided: the model has an error on the way")),
        }
    }
}
