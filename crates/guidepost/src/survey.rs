//! The whole state space of a model.

use crate::{ModelError, Session};
use guidepost_answer::{Halts, InternalError, Limits, Progress, Survey, WorkerFigures};
use guidepost_cluster::{Cluster, Together};
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
    /// What each worker did, where several processes shared the exploration.
    pub workers: Vec<WorkerFigures>,
    /// What is to be said about the exploration.
    pub notes: Vec<String>,
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
        let deadlock_limits = |survey: &Survey| {
            let budget = DEADLOCK_SECONDS.max(3.0 * survey.statistics.seconds);
            let time = settings.limits.time.unwrap_or(Duration::from_secs_f64(budget));
            Limits { time: Some(time), ..settings.limits.clone() }
        };
        if settings.engine.entry().name == "cluster" {
            return self.survey_together(settings, &deadlock_limits, observe);
        }
        let surveyed = survey(&self.network, &configuration, observe);
        let Surveyed { mut survey, halts } = surveyed.map_err(|reason| self.refused(&reason))?;
        let Some(halts) = halts.filter(|_| survey.outcome.is_decided()) else {
            return Ok(Space { survey, halts: None, workers: Vec::new(), notes: Vec::new() });
        };
        let begin = Instant::now();
        let halts = halts.finish(&self.network, &configuration, &deadlock_limits(&survey), observe);
        let halts = halts.map_err(|reason| self.refused(&reason))??;
        survey.statistics.seconds += begin.elapsed().as_secs_f64();
        Ok(Space { survey, halts: Some(halts), workers: Vec::new(), notes: Vec::new() })
    }

    /// Explores everything with several processes.
    fn survey_together(
        &self,
        settings: &Settings,
        deadlock_limits: &dyn Fn(&Survey) -> Limits,
        observe: &mut (dyn FnMut(&Progress) + Send),
    ) -> Result<Space, SurveyError> {
        let settings = self.with_text(settings);
        let cluster = Cluster { configuration: settings.zones(), team: settings.team };
        let together = cluster.survey(&self.network, deadlock_limits, observe);
        let together = together.map_err(|reason| self.refused(&reason))?;
        let Together { survey, halts, workers, notes } = together;
        Ok(Space { survey, halts: halts.transpose()?, workers, notes })
    }
}
