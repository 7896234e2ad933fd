//! One query, looked for with a heuristic.

use crate::answer::Answer;
use crate::beam::Beam;
use crate::best_first::BestFirst;
use crate::deepening::Deepening;
use crate::statistics::{Progress, Statistics};
use crate::strategy::{Algorithm, Directed};
use crate::verify::{Configuration, Finished, Job, Lookout, explorer_for};
use guidepost_explore::GoalTest;
use guidepost_explore::{StateId, Unsupported};
use guidepost_heuristics::Preparation;
use guidepost_network::Network;
use std::time::Instant;

/// The way to a state: numbers of successors.
type Ordinals = Box<dyn Fn(StateId) -> Vec<u32>>;

/// Looks for the goal of one query.
pub(crate) fn reach(
    network: &Network,
    job: &Job<'_>,
    configuration: &Configuration,
    directed: &Directed,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<(usize, Answer), Unsupported> {
    let explorer = explorer_for(network, std::slice::from_ref(job), configuration)?;
    let limits = &configuration.limits;
    let begin = Instant::now();
    let bind = || directed.heuristics[0].bind(network, job.goals, &mut Preparation::default());
    let goals = job.goals;
    let mut lookout =
        Lookout { jobs: vec![job.clone()], test: GoalTest::new(network), observe: Some(observe) };
    let (outcome, statistics, ordinals, mut explorer): (_, Statistics, Ordinals, _) = match directed.algorithm
    {
        Algorithm::IterativeDeepening => {
            let mut search = Deepening::new(explorer, bind(), limits);
            search.statistics.preprocessing_seconds = begin.elapsed().as_secs_f64();
            let outcome = search.run(&mut lookout);
            // There is one path, and the search ended at its end.
            let path = search.ordinals();
            (outcome, search.statistics, Box::new(move |_| path.clone()), search.explorer)
        }
        Algorithm::Beam(width) => {
            let mut search = Beam::new(explorer, bind(), directed.ties, limits);
            search.statistics.preprocessing_seconds = begin.elapsed().as_secs_f64();
            let outcome = search.run(width, &mut lookout);
            let store = search.store;
            (outcome, search.statistics, Box::new(move |id| store.ordinals(id)), search.explorer)
        }
        _ => {
            let mut search = BestFirst::new(explorer, network, goals, directed, limits);
            let outcome = search.run(&mut lookout);
            let store = search.store;
            (outcome, search.statistics, Box::new(move |id| store.ordinals(id)), search.explorer)
        }
    };
    let finished = Finished { jobs: lookout.jobs, outcome, statistics, approximate: false, ordinals };
    let mut answers = finished.answers(&mut explorer, configuration, directed.is_optimal());
    let (index, answer) = answers.remove(0);
    Ok((index, answer.found_by(directed)))
}
