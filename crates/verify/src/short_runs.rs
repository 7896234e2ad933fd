//! Runs that nobody needs to be that long.

use guidepost_answer::{Answer, CompiledQuery, Engine, Event, Observe, Shortened, Unsupported};
use guidepost_network::Network;
use guidepost_search::{MILLISECOND, shorten};
use std::time::Instant;

/// So much of the effort of a search is spent on making its run shorter.
const PART: u64 = 5;
/// And so much after the shortest search.
const LEAST: u64 = 2 * MILLISECOND;

/// An engine whose runs are made shorter before anybody hears of them.
pub(crate) struct ShortRuns(pub(crate) Box<dyn Engine>);

impl Engine for ShortRuns {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn accepts(&self, network: &Network, query: &CompiledQuery) -> Result<(), Unsupported> {
        self.0.accepts(network, query)
    }

    fn answer(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        observe: &mut Observe<'_>,
    ) -> Result<(), Unsupported> {
        self.0.answer(network, queries, &mut |event| {
            observe(match event {
                Event::Answered(index, mut answer) => {
                    make_shorter(network, &queries[index], &mut answer);
                    Event::Answered(index, answer)
                }
                other => other,
            });
        })
    }
}

fn make_shorter(network: &Network, query: &CompiledQuery, answer: &mut Answer) {
    let (Some((goals, _)), Some(run)) = (query.question.target(), &answer.evidence) else { return };
    let begin = Instant::now();
    let budget = (answer.statistics.effort / PART).max(LEAST);
    let shorter = shorten(network, goals, run, budget);
    let seconds = begin.elapsed().as_secs_f64();
    answer.shortened = Some(Shortened { found: run.length(), seconds });
    if let Some(shorter) = shorter {
        debug_assert!(shorter.length() < run.length());
        answer.evidence = Some(shorter);
    }
}
