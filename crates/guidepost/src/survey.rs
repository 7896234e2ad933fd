//! The whole state space of a model.

use crate::{ModelError, Session};
use guidepost_answer::{Halts, InternalError, Limits, Progress, Survey};
use guidepost_search::{halts, survey};
use guidepost_verify::Settings;
use std::time::Duration;

/// The search for deadlocks needs finer zones; without a time limit of the user's it gets this much, or three times what the exploration took.
const DEADLOCK_SECONDS: f64 = 10.0;

/// What there is to say about a whole state space.
pub struct Space {
    /// Sizes, and what is never used.
    pub survey: Survey,
    /// Deadlocks and time-locks; `None` when they were not searched for.
    pub halts: Option<Halts>,
}

/// Why a state space was not surveyed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SurveyError {
    /// The model cannot be explored.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A bug.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

impl Session {
    /// Explores everything; then looks for deadlocks, if the exploration came to an end.
    ///
    /// # Errors
    /// When the model has no initial state, or cannot be explored with zones.
    pub fn survey(
        &self,
        settings: &Settings,
        observe: &mut (dyn FnMut(&Progress) + Send),
    ) -> Result<Space, SurveyError> {
        self.has_initial_state()?;
        let configuration = settings.zones();
        let survey =
            survey(&self.network, &configuration, observe).map_err(|reason| self.refused(&reason))?;
        // Whether a state with a stopped clock can wait for something is more than zones can tell.
        if !survey.outcome.is_decided() || self.network.features.stopwatches {
            return Ok(Space { survey, halts: None });
        }
        let budget = DEADLOCK_SECONDS.max(3.0 * survey.statistics.seconds);
        let time = settings.limits.time.unwrap_or(Duration::from_secs_f64(budget));
        let limits = Limits { time: Some(time), ..settings.limits.clone() };
        let halts = halts(&self.network, &configuration, &limits, observe)
            .map_err(|reason| self.refused(&reason))??;
        Ok(Space { survey, halts: Some(halts) })
    }
}
