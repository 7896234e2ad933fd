//! Reachability without estimates: several queries in one exploration, by one thread or several.

use crate::configuration::Configuration;
use crate::finished::Finished;
use crate::frontier::Order;
use crate::job::{Job, Lookout, sliced_explorer_for};
use crate::parallel::ParallelSearch;
use crate::reach::{End, Search};
use crate::{ENGINE, ProgressObserver};
use guidepost_answer::{Answer, Method, Statistics, Unsupported};
use guidepost_explore::{ClockDifference, Explorer, GoalTest, StateId};
use guidepost_network::Network;

/// Looks for the goals of some queries, in the order that the strategy says.
pub(crate) fn reach(
    network: &Network,
    jobs: &[Job<'_>],
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
) -> Result<Vec<(usize, Answer)>, Unsupported> {
    if configuration.hulls && jobs.iter().all(|job| job.goals.iter().all(|goal| goal.deadlock.is_none())) {
        let answers = reach_with_hulls(network, jobs, configuration, observe)?;
        if let Some(answers) = answers {
            return Ok(answers);
        }
    }
    let make = || sliced_explorer_for(network, jobs, configuration);
    let (finished, mut explorer) = if configuration.is_parallel() {
        (reach_in_parallel(&make, jobs, configuration, observe)?, make()?)
    } else {
        reach_alone(make()?, jobs.to_vec(), configuration, false, observe)
    };
    let order = configuration.strategy.order();
    let optimal = order == Order::BreadthFirst && configuration.is_shortest();
    let method = Method::blind(ENGINE, order.name());
    Ok(finished.answers(&mut explorer, configuration, &method, optimal))
}

/// Looks for goals in an over-approximation; `None` when an error of the model was met there, which need not be one.
fn reach_with_hulls(
    network: &Network,
    jobs: &[Job<'_>],
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
) -> Result<Option<Vec<(usize, Answer)>>, Unsupported> {
    let explorer = sliced_explorer_for(network, jobs, configuration)?;
    let (finished, mut explorer) = reach_alone(explorer, jobs.to_vec(), configuration, true, observe);
    if matches!(finished.end, End::Failed(..)) {
        return Ok(None);
    }
    let method = Method::blind(ENGINE, configuration.strategy.order().name());
    let mut answers = finished.answers(&mut explorer, configuration, &method, false);
    for (_, answer) in &mut answers {
        answer.remarks.notes.push(HULLS.to_owned());
    }
    Ok(Some(answers))
}

/// What is said of answers that rest on hulls.
const HULLS: &str = "zones with the same locations and data were replaced by their convex hull";

fn reach_alone<'q, 'n>(
    explorer: Explorer<'n>,
    mut jobs: Vec<Job<'q>>,
    configuration: &Configuration,
    hulls: bool,
    observe: &mut ProgressObserver<'_>,
) -> (Finished<'q>, Explorer<'n>) {
    for job in &mut jobs {
        job.gives_up = true;
        job.deadlock_trial = configuration.deadlock_trial;
    }
    let mut lookout = Lookout { jobs, test: GoalTest::new(explorer.network()), observe: Some(observe) };
    let search = Search::new(explorer, configuration.strategy.order(), &configuration.limits);
    let search = search.shortest(configuration.is_shortest()).reduced(configuration.reductions);
    let mut search = search.with_hulls(hulls);
    let end = search.run(&mut lookout);
    let statistics = search.numbers();
    let approximate = search.has_hulls();
    let (explorer, trail) = search.into_trail();
    (Finished { jobs: lookout.jobs, end, statistics, approximate, ways: trail.into_ways() }, explorer)
}

fn reach_in_parallel<'q, 'n>(
    make: &dyn Fn() -> Result<Explorer<'n>, Unsupported>,
    jobs: &[Job<'q>],
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
) -> Result<Finished<'q>, Unsupported> {
    let mut workers = Vec::new();
    for _ in 0..configuration.threads {
        let explorer = make()?;
        let test = GoalTest::new(explorer.network());
        workers.push((explorer, Lookout { jobs: jobs.to_vec(), test, observe: None }));
    }
    let search = ParallelSearch { shortest: configuration.is_shortest(), limits: &configuration.limits };
    let done = search.run(&mut workers, &mut share_hits, observe);
    let approximate = workers.iter().any(|(explorer, _)| explorer.is_approximate());
    let renamed = workers.iter().map(|(explorer, _)| explorer.renamed()).sum();
    let postponed = workers.iter().map(|(explorer, _)| explorer.postponed()).sum();
    let mut lookouts: Vec<Lookout<'q, '_, 'n>> = workers.into_iter().map(|(_, lookout)| lookout).collect();
    share_hits(&mut lookouts.iter_mut().collect::<Vec<_>>());
    let jobs = lookouts.swap_remove(0).jobs;
    let statistics = Statistics { renamed, postponed, ..done.statistics };
    let states = done.states;
    let ways = Box::new(move |id: StateId, _: &[ClockDifference], explorer: &mut Explorer<'_>| {
        explorer.path(&states.ordinals(id))
    });
    Ok(Finished { jobs, end: done.end, statistics, approximate, ways })
}

/// What one worker found need not be looked for by the others; says whether everything is found.
fn share_hits(lookouts: &mut [&mut Lookout<'_, '_, '_>]) -> bool {
    let count = lookouts[0].jobs.len();
    for job in 0..count {
        let hit = lookouts.iter().find_map(|lookout| lookout.jobs[job].hit.clone());
        for lookout in &mut *lookouts {
            lookout.jobs[job].hit.clone_from(&hit);
        }
    }
    lookouts[0].jobs.iter().all(|job| job.hit.is_some())
}
