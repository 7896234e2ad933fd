//! One query, looked for with a heuristic.

use crate::answer::Answer;
use crate::best_first::BestFirst;
use crate::goal::GoalTest;
use crate::statistics::Progress;
use crate::strategy::Directed;
use crate::verify::{Configuration, Finished, Job, Lookout, explorer_for};
use guidepost_explore::Unsupported;
use guidepost_network::Network;

/// Looks for the goal of one query.
pub(crate) fn reach(
    network: &Network,
    job: Job<'_>,
    configuration: &Configuration,
    directed: &Directed,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<(usize, Answer), Unsupported> {
    let explorer = explorer_for(network, std::slice::from_ref(&job), configuration)?;
    let mut search = BestFirst::new(explorer, network, job.goals, directed, &configuration.limits);
    let test = GoalTest::new(network);
    let mut lookout = Lookout { jobs: vec![job], test, observe: Some(observe) };
    let outcome = search.run(&mut lookout);
    let (statistics, store, mut explorer) = (search.statistics, search.store, search.explorer);
    let ordinals = Box::new(move |id| store.ordinals(id));
    let finished = Finished { jobs: lookout.jobs, outcome, statistics, approximate: false, ordinals };
    let mut answers = finished.answers(&mut explorer, configuration, directed.is_optimal());
    let (index, mut answer) = answers.remove(0);
    answer.search = directed.search_name();
    answer.heuristic = directed.heuristic_name().into();
    Ok((index, answer))
}
