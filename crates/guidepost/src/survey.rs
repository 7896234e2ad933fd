//! The whole state space of a model.

use crate::{ModelError, Session};
use guidepost_answer::{Halts, InternalError, Limits, Progress, Survey};
use guidepost_search::{Surveyed, survey};
use guidepost_verify::Settings;
use std::time::{Duration, Instant};

/// Where the exploration leaves doubts about deadlocks, finer zones are needed; without a time limit of the user's that gets this much, or three times what the
/// exploration took.
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
    /// Explores everything, and looks for deadlocks on the way.
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
        let surveyed = survey(&self.network, &configuration, observe);
        let Surveyed { mut survey, halts } = surveyed.map_err(|reason| self.refused(&reason))?;
        let Some(halts) = halts.filter(|_| survey.outcome.is_decided()) else {
            return Ok(Space { survey, halts: None });
        };
        let begin = Instant::now();
        let budget = DEADLOCK_SECONDS.max(3.0 * survey.statistics.seconds);
        let time = settings.limits.time.unwrap_or(Duration::from_secs_f64(budget));
        let limits = Limits { time: Some(time), ..settings.limits.clone() };
        let halts = halts.finish(&self.network, &configuration, &limits, observe);
        let halts = halts.map_err(|reason| self.refused(&reason))??;
        survey.statistics.seconds += begin.elapsed().as_secs_f64();
        Ok(Space { survey, halts: Some(halts) })
    }
}
