//! One query, answered by a directed search.

use crate::answer::Answer;
use crate::beam::Beam;
use crate::best_first::BestFirst;
use crate::deepening::Deepening;
use crate::guidance::Guidance;
use crate::statistics::{Progress, Statistics};
use crate::strategy::{Algorithm, Directed};
use crate::verify::{Configuration, Finished, Job, Lookout, explorer_for};
use guidepost_explore::GoalTest;
use guidepost_explore::{StateId, Unsupported};
use guidepost_network::Network;

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
    let specs = &directed.heuristics;
    let budget = configuration.budget;
    let mut guidance = Guidance::prepare(network, job.goals, specs, limits, budget, Some(&mut *observe));
    let remarks = guidance.remarks.clone();
    let mut lookout =
        Lookout { jobs: vec![job.clone()], test: GoalTest::new(network), observe: Some(observe) };
    let (outcome, statistics, ordinals, mut explorer): (_, Statistics, Ordinals, _) = match directed.algorithm
    {
        Algorithm::IterativeDeepening => {
            let mut search = Deepening::new(explorer, guidance.heuristics.remove(0), guidance.watch);
            search.statistics.preprocessing_seconds = guidance.seconds;
            let outcome = search.run(&mut lookout);
            // There is one path, and the search ended at its end.
            let path = search.ordinals();
            (outcome, search.statistics, Box::new(move |_| path.clone()), search.explorer)
        }
        Algorithm::Beam(width) => {
            let heuristic = guidance.heuristics.remove(0);
            let mut search = Beam::new(explorer, heuristic, directed.ties, guidance.watch);
            search.statistics.preprocessing_seconds = guidance.seconds;
            let outcome = search.run(width, &mut lookout);
            let store = search.store;
            (outcome, search.statistics, Box::new(move |id| store.ordinals(id)), search.explorer)
        }
        _ => {
            let mut search = BestFirst::new(explorer, guidance, directed);
            let outcome = search.run(&mut lookout);
            let store = search.store;
            (outcome, search.statistics, Box::new(move |id| store.ordinals(id)), search.explorer)
        }
    };
    let finished = Finished { jobs: lookout.jobs, outcome, statistics, approximate: false, ordinals };
    let mut answers = finished.answers(&mut explorer, configuration, directed.is_optimal());
    let (index, answer) = answers.remove(0);
    Ok((index, answer.found_by(directed, remarks)))
}
