//! Searches in what is left of a network when nobody looks at those who stand by.
//!
//! The network without bystanders is one like any other, so that every search, heuristic and reduction works on it as it is. What is found there is told in terms of the whole network: runs are
//! followed in it and replayed, and the answer says who was left out. Should a run be lost on the way, which is a bug, the engine looks again without reductions, as always.

use crate::ProgressObserver;
use crate::configuration::Configuration;
use crate::engine::Seek;
use crate::job::Job;
use guidepost_abstraction::Retained;
use guidepost_answer::{Answer, Evidence, InternalError, Outcome, Unsupported};
use guidepost_network::interpreter::Interpreter;
use guidepost_network::{Goal, Network};

/// So many names of bystanders are mentioned.
const NAMED: usize = 8;

/// What is left of a network for some queries that share an exploration; `None`: all of it.
pub fn retained_for(network: &Network, jobs: &[Job<'_>], configuration: &Configuration) -> Option<Retained> {
    if !configuration.reductions.slicing {
        return None;
    }
    let questions: Vec<&[Goal]> = jobs.iter().map(|job| job.goals).collect();
    let guideposts: Vec<&[Goal]> =
        jobs.iter().flat_map(|job| job.guideposts).map(|guidepost| &guidepost.goals[..]).collect();
    Retained::new(network, &questions, &guideposts)
}

/// Looks for goals in what is left of a network for them.
pub(crate) fn seek_beside(
    whole: &Network,
    jobs: Vec<Job<'_>>,
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
    seek: &mut Seek<'_>,
) -> Result<Vec<(usize, Answer)>, Unsupported> {
    let Some(retained) = retained_for(whole, &jobs, configuration) else {
        return seek(whole, jobs, configuration, observe);
    };
    let mut answers = seek(&retained.network, jobs, configuration, observe)?;
    let names = retained.names();
    for (_, answer) in &mut answers {
        tell(answer, &retained, whole);
        answer.statistics.bystanders = names.len() as u64;
        answer.remarks.notes.push(note(&names));
    }
    Ok(answers)
}

/// Tells an answer in terms of the whole network.
fn tell(answer: &mut Answer, retained: &Retained, whole: &Network) {
    if let Some(run) = answer.evidence.take() {
        answer.attach(run_of_whole(&run, retained, whole));
    }
    if let Outcome::Failed(error) = &mut answer.outcome {
        error.edges = retained.edges_of_whole(&error.edges);
        error.evidence = error.evidence.take().and_then(|run| run_of_whole(&run, retained, whole).ok());
    }
}

/// A run in what is left, as one of the whole network.
pub(crate) fn run_of_whole(
    run: &Evidence,
    retained: &Retained,
    whole: &Network,
) -> Result<Evidence, InternalError> {
    let steps = retained.run_of_whole(whole, &run.steps)?;
    Ok(Evidence {
        initial: Interpreter::new(whole).initial(),
        steps,
        optimal: run.optimal,
        ending: run.ending,
    })
}

/// What is said of an answer for which some processes were left out.
fn note(names: &[String]) -> String {
    let named = names[..names.len().min(NAMED)].join(", ");
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("left out, since nothing they do can influence the question: {named}{more}")
}
