//! From symbolic paths to replayed runs.

use guidepost_answer::{Evidence, InternalError, ModelError, Outcome, RunEnding};
use guidepost_explore::{ClockDifference, Explorer, Failure, PathStep, StateId, TraceError};

/// The transitions to a state, such that some constraints hold at their end.
pub type Ways<'w> =
    dyn Fn(StateId, &[ClockDifference], &mut Explorer<'_>) -> Result<Vec<PathStep>, TraceError> + 'w;

/// A replayed run to a state, such that some constraints hold at its end.
pub(crate) fn evidence(
    explorer: &mut Explorer<'_>,
    ways: &Ways<'_>,
    state: StateId,
    finally: &[ClockDifference],
    optimal: bool,
) -> Result<Evidence, InternalError> {
    let path = ways(state, finally, explorer)?;
    let (path, finally) = explorer.straighten(path, finally)?;
    explorer.run_along(&path, &finally, optimal, RunEnding::Goal)
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
