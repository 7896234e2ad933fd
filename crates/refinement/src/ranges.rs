//! Proofs by the ranges of single variables: [`guidepost_abstraction::Ranges`] says how they are found, and why they are right.
//!
//! There is nothing to refine: either the ranges exclude all goals, or this engine has nothing to say. It takes as long as the code of the network is large, not as its states are many.

use crate::can_seek;
use crate::turns::of_preparing;
use guidepost_abstraction::Ranges;
use guidepost_answer::{
    Answer, CompiledQuery, Engine, Exploration, Limits, Method, Observe, Outcome, Statistics, StopReason,
    Unsupported, Watch, answer_each,
};
use guidepost_explore::effort::MILLISECOND;
use guidepost_network::{Goal, Network};
use std::time::Instant;

/// The name of the engine.
const NAME: &str = "ranges";
/// What looking at a term of the code takes, in units of effort.
const TERM: u64 = 2;

/// Said where there is no proof.
const NOT_EXCLUDED: &str = "the ranges of variables do not exclude it";

/// Proofs by ranges.
#[derive(Clone, Debug, Default)]
pub struct ByRanges {
    /// What finding ranges may use up.
    pub limits: Limits,
}

impl Engine for ByRanges {
    fn name(&self) -> &'static str {
        NAME
    }

    fn accepts(&self, network: &Network, query: &CompiledQuery) -> Result<(), Unsupported> {
        match query.question.target() {
            Some((goals, _)) => can_seek(NAME, network, goals),
            None => Err(Unsupported::Question { engine: NAME, what: "anything but `E<>` and `A[]`" }),
        }
    }

    fn answer(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        observe: &mut Observe<'_>,
    ) -> Result<(), Unsupported> {
        let mut ranges = RangesInTurns::new(network);
        let mut watch = Watch::new(&self.limits);
        let mut stopped = None;
        while stopped.is_none() && !ranges.advance(ranges.effort() + MILLISECOND) {
            stopped = watch.check(0, || 0);
        }
        answer_each(self, network, queries, observe, |goals, holds_if_found, index, _| {
            let answer = ranges.answer(goals, holds_if_found, index);
            Ok(answer.unwrap_or_else(|| ranges.left_open(stopped, index)))
        })
    }
}

/// Finding ranges, which can be continued in turns; for all queries about a network together.
pub struct RangesInTurns<'n> {
    network: &'n Network,
    /// Nothing in networks that are too large.
    ranges: Option<Ranges<'n>>,
    seconds: f64,
}

impl<'n> RangesInTurns<'n> {
    /// Nothing is known yet.
    pub fn new(network: &'n Network) -> Self {
        let ranges = Ranges::can_be_found(network).then(|| Ranges::new(network));
        Self { network, ranges, seconds: 0.0 }
    }

    /// The effort that it takes to begin: who writes what is found out, at worst every edge everything.
    pub fn effort_to_begin(network: &Network) -> u64 {
        of_preparing(network)
    }

    /// Goes on until so much effort has been spent in all, or nothing changes any more; says whether that is so.
    pub fn advance(&mut self, effort: u64) -> bool {
        let begin = Instant::now();
        let is_over = self.ranges.as_mut().is_none_or(|ranges| ranges.advance(effort / TERM));
        self.seconds += begin.elapsed().as_secs_f64();
        is_over
    }

    /// The effort so far.
    pub fn effort(&self) -> u64 {
        self.ranges.as_ref().map_or(0, Ranges::executed) * TERM
    }

    /// The answer to a query, if the goals are excluded. It holds for runs without errors of the model, and says so.
    pub fn answer(&self, goals: &[Goal], holds_if_found: bool, index: usize) -> Option<Answer> {
        self.ranges.as_ref().is_some_and(|ranges| ranges.exclude(goals)).then(|| {
            let mut answer = self.outcome(Outcome::Decided(!holds_if_found), index);
            answer.note_errors(self.network);
            answer
        })
    }

    /// The goals are not excluded; perhaps it was stopped before that.
    fn left_open(&self, stopped: Option<StopReason>, index: usize) -> Answer {
        let reason = stopped.unwrap_or(StopReason::Incomplete);
        let mut answer = self.outcome(Outcome::Stopped(reason), index);
        if stopped.is_none() {
            answer.remarks.notes.push(NOT_EXCLUDED.to_owned());
        }
        answer
    }

    fn outcome(&self, outcome: Outcome<bool>, index: usize) -> Answer {
        let statistics = Statistics { effort: self.effort(), seconds: self.seconds, ..Statistics::default() };
        Answer::new(outcome, Method::blind(NAME, NAME), Exploration(index), statistics)
    }
}
