//! From searches that are over to answers.

use crate::configuration::Configuration;
use crate::evidence::{Ways, evidence, failed_at};
use crate::job::Job;
use crate::reach::End;
use guidepost_answer::{Answer, Evidence, Exploration, Method, Outcome, Statistics, StopReason};
use guidepost_explore::Explorer;

/// A search that is over, with the way to any of its states.
pub struct Finished<'q> {
    /// What was looked for, and found.
    pub jobs: Vec<Job<'q>>,
    /// How it ended.
    pub end: End,
    /// What it did.
    pub statistics: Statistics,
    /// Whether states may contain more than was reached.
    pub approximate: bool,
    /// The ways to all of its states.
    pub ways: Box<Ways<'static>>,
}

impl Finished<'_> {
    /// The answers, with runs where they are wanted; `optimal` says whether those are shortest.
    pub fn answers(
        &self,
        explorer: &mut Explorer<'_>,
        configuration: &Configuration,
        method: &Method,
        optimal: bool,
    ) -> Vec<(usize, Answer)> {
        let approximate = explorer.is_approximate() || self.approximate;
        let renamed = self.statistics.renamed + explorer.renamed();
        // Blind searches have counted theirs.
        let postponed = self.statistics.postponed.max(explorer.postponed());
        let statistics = Statistics { renamed, postponed, ..self.statistics };
        let exploration = Exploration(self.jobs.iter().map(|job| job.index).min().unwrap_or(0));
        let answer = |job: &Job<'_>| {
            let is_open = self.is_in_doubt(job, optimal);
            let outcome = if is_open {
                // The search begins again with finer zones.
                Outcome::Stopped(StopReason::Incomplete)
            } else {
                self.conclude(job, explorer, configuration)
            };
            let mut answer = Answer::new(outcome, method.clone(), exploration, statistics);
            answer.approximate = approximate && job.hit.is_some();
            if let (Some(hit), true, false) = (&job.hit, configuration.wants_run(), is_open) {
                let run = evidence(explorer, &self.ways, hit.state, &hit.finally, optimal);
                answer.attach(run.map(|run| Evidence { ending: hit.ending, ..run }));
            }
            (job.index, answer)
        };
        self.jobs.iter().map(answer).collect()
    }

    /// Whether a deadlock may have gone unseen that would change the answer: one where none was found, or one that is nearer.
    fn is_in_doubt(&self, job: &Job<'_>, optimal: bool) -> bool {
        let is_over = matches!(self.end, End::Satisfied | End::Exhausted);
        is_over && (job.hit.is_none() || optimal) && !job.doubts.are_none()
    }

    fn conclude(
        &self,
        job: &Job<'_>,
        explorer: &mut Explorer<'_>,
        configuration: &Configuration,
    ) -> Outcome<bool> {
        match &self.end {
            _ if job.hit.is_some() => Outcome::Decided(job.holds_if_found),
            End::Satisfied | End::Exhausted => Outcome::Decided(!job.holds_if_found),
            End::Stopped(reason) => Outcome::Stopped(*reason),
            End::Failed(state, failure) => {
                failed_at(failure, *state, &self.ways, explorer, configuration.wants_run())
            }
        }
    }
}
