//! Refinement for the goal of one query.
//!
//! A proof may need little of a large system: then `hidden` finds it at once, however many states there are. It looks for goals as well, but directed searches are better at that.
//!
//! Its proofs hold for runs without errors of the model, since it does not look at all evaluations, and they say so. Whoever asks about a model wants to hear of its errors first: so where evaluations can fail,
//! it does not begin before breadth-first search has looked for errors for a while. Breadth-first search goes on looking while refinement has its turns; what is answered by a proof after that is a query on which blind search has already failed.

use super::schedule::Schedule;
use guidepost_answer::{Answer, Limits, Outcome, RunKind, Statistics, StopReason};
use guidepost_network::Network;
use guidepost_refinement::{Hidden, Turns};
use guidepost_search::{Configuration, Job, Outlook};

/// Its part of the effort, beside what the searches get: they lose nothing to it.
const WEIGHT: u64 = 1;

/// Refinement, which begins later than the searches.
pub(super) enum Refining<'q> {
    Planned,
    Running(Box<Turns<'q>>),
    Over,
}

/// What it works for.
pub(super) struct Inquiry<'a, 'q, 'n> {
    pub(super) network: &'n Network,
    pub(super) job: &'a Job<'q>,
    pub(super) configuration: &'a Configuration,
}

impl<'q> Refining<'q> {
    /// What it has done so far. Nothing is stored from one turn to the next.
    pub(super) fn statistics(&self) -> Statistics {
        match self {
            Refining::Running(turns) => Statistics { stored: 0, bytes: 0, ..turns.statistics() },
            Refining::Planned | Refining::Over => Statistics::default(),
        }
    }

    /// Has its turn; `weights` are those of all searches that take turns. The answer, if that is final.
    pub(super) fn advance<'n: 'q>(
        &mut self,
        inquiry: &Inquiry<'_, 'q, 'n>,
        schedule: Schedule,
        weights: u64,
        limits: &Limits,
    ) -> Option<Answer> {
        let effort = schedule.beside(WEIGHT, weights + WEIGHT, false, Outlook::Stuck);
        if matches!(self, Refining::Planned) {
            let can_fail = inquiry.job.can_fail(inquiry.network);
            if !schedule.has_refinement(can_fail) || effort < Hidden::effort_to_begin(inquiry.network) {
                return None;
            }
            *self = inquiry.begin();
        }
        let Refining::Running(turns) = self else { return None };
        let answer = match turns.advance(limits, effort, &mut |_| {}) {
            Ok(None) => return None,
            Ok(Some(answer)) => answer,
            Err(_) => {
                *self = Refining::Over;
                return None;
            }
        };
        // Breadth-first search will say so.
        if matches!(answer.stop_reason(), Some(StopReason::Time | StopReason::Interrupt)) {
            return None;
        }
        let is_final = inquiry.is_final(&answer);
        *self = Refining::Over;
        is_final.then_some(answer)
    }
}

impl<'q, 'n: 'q> Inquiry<'_, 'q, 'n> {
    fn begin(&self) -> Refining<'q> {
        let run = if self.configuration.is_shortest() { RunKind::None } else { self.configuration.run };
        let hidden = Hidden { run, ..Hidden::default() };
        let (goals, holds_if_found) = (self.job.goals(), self.job.holds_if_found());
        match hidden.turns(self.network, goals, holds_if_found, self.job.index) {
            Ok(turns) => Refining::Running(Box::new(turns)),
            Err(_) => Refining::Over,
        }
    }

    /// Whether nothing better is to be had: not where the model fails, which may be far from what others find first, nor where a run has to be the shortest.
    fn is_final(&self, answer: &Answer) -> bool {
        match answer.outcome {
            Outcome::Decided(holds) if holds == self.job.holds_if_found() => {
                !self.configuration.is_shortest() && !answer.approximate && answer.internal.is_none()
            }
            Outcome::Decided(_) => true,
            Outcome::Stopped(_) | Outcome::Failed(_) => false,
        }
    }
}
