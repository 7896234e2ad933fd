//! Proofs by the ranges of variables, for all queries at once.
//!
//! They take what the code of the model takes, however many states there are, and little of that while the query is not known to be hard. Like those of refinement they pass over errors of the model, so that breadth-first search looks for these first.

use super::schedule::Schedule;
use guidepost_answer::Answer;
use guidepost_network::Network;
use guidepost_refinement::RangesInTurns;
use guidepost_search::Job;

/// Finding ranges, which begins later than the searches.
pub(super) enum Ranging<'n> {
    Planned,
    Running(Box<RangesInTurns<'n>>),
    Over,
}

impl<'n> Ranging<'n> {
    /// Has its turn, and then answers those of the queries whose goals the ranges exclude.
    pub(super) fn advance<'j, 'q: 'j>(
        &mut self,
        network: &'n Network,
        schedule: Schedule,
        jobs: impl Iterator<Item = &'j Job<'q>> + Clone,
    ) -> Vec<(usize, Answer)> {
        if matches!(self, Ranging::Planned) {
            let can_fail = jobs.clone().any(|job| job.can_fail(network));
            if !schedule.has_refinement(can_fail)
                || schedule.ranges() < RangesInTurns::effort_to_begin(network)
            {
                return Vec::new();
            }
            *self = Ranging::Running(Box::new(RangesInTurns::new(network)));
        }
        let Ranging::Running(ranges) = self else { return Vec::new() };
        if !ranges.advance(schedule.ranges()) {
            return Vec::new();
        }
        let answer =
            |job: &Job<'_>| Some((job.index, ranges.answer(job.goals(), job.holds_if_found(), job.index)?));
        let answers = jobs.filter_map(answer).collect();
        *self = Ranging::Over;
        answers
    }
}
