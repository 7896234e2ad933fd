//! The engine `zones`: which queries can share an exploration, and who answers what.

use crate::beside::seek_beside;
use crate::configuration::Configuration;
use crate::job::Job;
use crate::strategy::Strategy;
use crate::{ENGINE, ProgressObserver, blind, bounds, directed, liveness};
use guidepost_answer::{Answer, Engine, Event, Observe, Progress, Reductions, StopReason, Unsupported};
use guidepost_network::{CompiledQuery, Goal, Network, Question};
use std::time::Instant;

/// Exploration with zones, blind or directed.
#[derive(Clone, Debug, Default)]
pub struct Zones {
    /// How it is done.
    pub configuration: Configuration,
}

impl Engine for Zones {
    fn name(&self) -> &'static str {
        ENGINE
    }

    fn accepts(&self, network: &Network, query: &CompiledQuery) -> Result<(), Unsupported> {
        if matches!(query.question, Question::LeastCost(_)) {
            return Err(Unsupported::Question { engine: ENGINE, what: "questions about costs" });
        }
        guidepost_explore::supports(network, self.configuration.approximate)
    }

    fn answer(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        observe: &mut Observe<'_>,
    ) -> Result<(), Unsupported> {
        self.answer_with(network, queries, observe, &mut |network, jobs, configuration, observe| {
            seek(network, &jobs, configuration, observe)
        })
    }
}

/// Looks for the goals of reachability queries that share an exploration, in what is left of the network for them.
pub type Seek<'s> = dyn FnMut(
        &Network,
        Vec<Job<'_>>,
        &Configuration,
        &mut ProgressObserver<'_>,
    ) -> Result<Vec<(usize, Answer)>, Unsupported>
    + 's;

impl Zones {
    /// As [`Engine::answer`], with somebody else to look for goals.
    pub fn answer_with(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        observe: &mut Observe<'_>,
        seek: &mut Seek<'_>,
    ) -> Result<(), Unsupported> {
        for group in groups(queries) {
            let first = group[0];
            let mut progress = |progress: &Progress| observe(Event::Progress(first, progress));
            let answers = self.answer_group(network, queries, &group, &mut progress, seek)?;
            for (index, answer) in answers {
                observe(Event::Answered(index, Box::new(weakened(answer, &queries[index], network))));
            }
        }
        Ok(())
    }

    /// Answers queries that share an exploration.
    fn answer_group(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        group: &[usize],
        observe: &mut ProgressObserver<'_>,
        seek: &mut Seek<'_>,
    ) -> Result<Vec<(usize, Answer)>, Unsupported> {
        let first = group[0];
        let configuration = &self.configuration;
        match &queries[first].question {
            Question::Possibly(_) | Question::Always(_) => {
                let jobs = group.iter().filter_map(|&index| Job::new(index, &queries[index]));
                let mut seek = |jobs: Vec<Job<'_>>,
                                configuration: &Configuration,
                                observe: &mut ProgressObserver<'_>| {
                    seek_beside(network, jobs, configuration, observe, seek)
                };
                seek_without_doubt(jobs.collect(), configuration, observe, &mut seek)
            }
            Question::Bound { .. } => {
                Ok(vec![(first, bounds::measure(network, first, &queries[first], configuration, observe)?)])
            }
            question => {
                Ok(vec![(first, liveness::decide(network, first, question, configuration, observe)?)])
            }
        }
    }
}

/// Looks for the goals of some queries.
type SeekJobs<'s> = dyn FnMut(
        Vec<Job<'_>>,
        &Configuration,
        &mut ProgressObserver<'_>,
    ) -> Result<Vec<(usize, Answer)>, Unsupported>
    + 's;

/// Looks for goals: again with finer zones as long as there are doubts about deadlocks, and again without reductions should a run be lost in them.
fn seek_without_doubt(
    mut jobs: Vec<Job<'_>>,
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
    seek: &mut SeekJobs<'_>,
) -> Result<Vec<(usize, Answer)>, Unsupported> {
    let begin = Instant::now();
    let mut answers = seek(jobs.clone(), configuration, observe)?;
    let mut reductions = configuration.reductions;
    loop {
        let has_lost = |answer: &Answer| reductions != Reductions::NONE && answer.internal.is_some();
        let is_open = |job: &Job<'_>| {
            let answer = answers.iter().find(|(index, _)| *index == job.index).map(|(_, answer)| answer);
            answer.is_some_and(|answer| {
                answer.stop_reason() == Some(StopReason::Incomplete) || has_lost(answer)
            })
        };
        jobs.retain(is_open);
        if jobs.is_empty() {
            return Ok(answers);
        }
        if answers.iter().any(|(_, answer)| has_lost(answer)) {
            reductions = Reductions::NONE;
        }
        let limits = configuration.limits.left_since(begin);
        let configuration = Configuration { limits, reductions, ..configuration.clone() };
        jobs = jobs.iter().map(Job::sharpened).collect();
        for (index, mut answer) in seek(jobs.clone(), &configuration, observe)? {
            if let Some((_, before)) = answers.iter_mut().find(|(other, _)| *other == index) {
                answer.statistics.add(&before.statistics);
                *before = answer;
            }
        }
    }
}

/// Looks for goals in the way that was asked for.
fn seek(
    network: &Network,
    jobs: &[Job<'_>],
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
) -> Result<Vec<(usize, Answer)>, Unsupported> {
    match &configuration.strategy {
        Strategy::Blind(_) => blind::reach(network, jobs, configuration, observe),
        Strategy::Directed(directed) => {
            jobs.iter().map(|job| directed::reach(network, job, configuration, directed, observe)).collect()
        }
    }
}

/// With stopped clocks, only what is unreachable is known for sure: that a state can *not* go on is more than an over-approximation can tell, and a run
/// that replays proves how to get there, not what is impossible there.
fn weakened(mut answer: Answer, query: &CompiledQuery, network: &Network) -> Answer {
    let asks_deadlock = |job: Job<'_>| job.goals.iter().any(|goal: &Goal| goal.deadlock.is_some());
    let is_plain = Job::new(0, query).is_some_and(|job| !asks_deadlock(job));
    if network.features.stopwatches && answer.outcome.is_decided() && !is_plain {
        answer.approximate = true;
        answer.evidence = None;
    }
    answer
}

/// Queries that can share an exploration: reachability without clocks and deadlock in the goal.
fn groups(queries: &[CompiledQuery]) -> Vec<Vec<usize>> {
    let mut shared = None;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, query) in queries.iter().enumerate() {
        match Job::new(index, query) {
            Some(job) if job.is_plain() => {
                // Together with the first of them, so that answers come nearly in order.
                let group = *shared.get_or_insert(groups.len());
                if group == groups.len() {
                    groups.push(Vec::new());
                }
                groups[group].push(index);
            }
            _ => groups.push(vec![index]),
        }
    }
    groups
}
