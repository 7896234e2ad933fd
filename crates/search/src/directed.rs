//! One query, answered by a directed search.

use crate::ProgressObserver;
use crate::beam::Beam;
use crate::best_first::BestFirst;
use crate::configuration::Configuration;
use crate::deepening::Deepening;
use crate::evidence::Ways;
use crate::finished::Finished;
use crate::job::{Job, Lookout, guided_explorer_for};
use crate::merging::Trail;
use crate::prepared_heuristics::PreparedHeuristics;
use crate::strategy::{Algorithm, Directed};
use guidepost_answer::{Answer, Statistics, Unsupported};
use guidepost_explore::{ClockDifference, Explorer, GoalTest, StateId};
use guidepost_network::Network;

/// Looks for the goal of one query.
pub(crate) fn reach(
    network: &Network,
    job: &Job<'_>,
    configuration: &Configuration,
    directed: &Directed,
    observe: &mut ProgressObserver<'_>,
) -> Result<(usize, Answer), Unsupported> {
    let explorer = guided_explorer_for(network, job, configuration, directed)?;
    let limits = &configuration.limits;
    let specs = &directed.heuristics;
    let budget = configuration.budget;
    let mut prepared =
        PreparedHeuristics::prepare(network, job.goals, specs, limits, budget, Some(&mut *observe));
    let remarks = prepared.remarks.clone();
    let mut lookout =
        Lookout { jobs: vec![job.clone()], test: GoalTest::new(network), observe: Some(observe) };
    let (end, statistics, ways, mut explorer): (_, Statistics, Box<Ways<'static>>, _) =
        match directed.algorithm {
            Algorithm::IterativeDeepening => {
                let mut search = Deepening::new(explorer, prepared.heuristics.remove(0), prepared.watch);
                search.statistics.preprocessing_seconds = prepared.seconds;
                let end = search.run(&mut lookout);
                // There is one path, and the search ended at its end.
                let path = search.ordinals();
                let ways = Box::new(move |_: StateId, _: &[ClockDifference], explorer: &mut Explorer<'_>| {
                    explorer.path(&path)
                });
                (end, search.statistics, ways, search.explorer)
            }
            Algorithm::Beam(width) => {
                let heuristic = prepared.heuristics.remove(0);
                let mut search = Beam::new(explorer, heuristic, directed.ties, prepared.watch);
                search.statistics.preprocessing_seconds = prepared.seconds;
                let end = search.run(width, &mut lookout);
                (end, search.statistics, Trail::new(search.store, None).into_ways(), search.explorer)
            }
            _ => {
                let mut search = BestFirst::new(explorer, prepared, directed, job.guideposts);
                let end = search.run(&mut lookout);
                (end, search.statistics, Trail::new(search.store, None).into_ways(), search.explorer)
            }
        };
    let is_exhausted = matches!(end, crate::reach::End::Exhausted);
    let finished = Finished { jobs: lookout.jobs, end, statistics, approximate: false, ways };
    let mut answers =
        finished.answers(&mut explorer, configuration, &directed.method(), directed.is_optimal());
    let (index, answer) = answers.remove(0);
    let mut answer = Answer { remarks, ..answer };
    // Behind states that were forgotten as dead ends, errors of the model may hide.
    if is_exhausted && answer.statistics.dead_ends > 0 {
        answer.note_errors(network);
    }
    Ok((index, answer))
}
