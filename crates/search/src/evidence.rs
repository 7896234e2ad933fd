//! From symbolic paths to replayed runs.

use guidepost_answer::{Evidence, InternalError, ModelError, Outcome, RunEnding};
use guidepost_explore::{ClockDifference, Explorer, Failure, PathStep, StateId, TraceError};
use guidepost_network::interpreter::{Interpreter, replay};

/// The transitions to a state, such that some constraints hold at their end.
pub(crate) type Ways<'w> =
    dyn Fn(StateId, &[ClockDifference], &mut Explorer<'_>) -> Result<Vec<PathStep>, TraceError> + 'w;

/// A replayed run to a state, such that some constraints hold at its end.
pub(crate) fn evidence(
    explorer: &mut Explorer<'_>,
    ways: &Ways<'_>,
    state: StateId,
    finally: &[ClockDifference],
    optimal: bool,
) -> Result<Evidence, InternalError> {
    let path = ways(state, finally, explorer).map_err(no_run)?;
    let (path, finally) = explorer.straighten(path, finally).map_err(no_run)?;
    replayed(explorer, &path, &finally, optimal, RunEnding::Goal)
}

/// Times for a path, replayed.
pub(crate) fn replayed(
    explorer: &mut Explorer<'_>,
    path: &[PathStep],
    finally: &[ClockDifference],
    optimal: bool,
    ending: RunEnding,
) -> Result<Evidence, InternalError> {
    let steps = explorer.concretise(path, finally).map_err(no_run)?;
    debug_assert!(steps.len() >= path.len(), "every transition is in the run, and perhaps a last delay");
    let network = explorer.network();
    let steps = replay(network, &steps)?;
    Ok(Evidence { initial: Interpreter::new(network).initial(), steps, optimal, ending })
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(crate) fn no_run(error: TraceError) -> InternalError {
    InternalError::NoRun(error.to_string())
}

/// The outcome when the model failed in a state, with the way there if it is wanted.
pub(crate) fn failed_at<D>(
    failure: &Failure,
    state: Option<StateId>,
    ways: &Ways<'_>,
    explorer: &mut Explorer<'_>,
    wants_run: bool,
) -> Outcome<D> {
    let state = state.filter(|_| wants_run);
    let way = state.and_then(|state| evidence(explorer, ways, state, &[], false).ok());
    let path = state.and_then(|state| ways(state, &[], explorer).ok()).unwrap_or_default();
    failed(&explorer.straighten_failure(&path, failure), way)
}

/// The outcome when the model failed, with the way there.
pub(crate) fn failed<D>(failure: &Failure, evidence: Option<Evidence>) -> Outcome<D> {
    let Failure { error, edges } = failure.clone();
    Outcome::Failed(Box::new(ModelError { error, edges, evidence }))
}
