//! Engines that abstract first and learn what matters.
//!
//! A correct system is where directed search ends: all of its states have to be looked at. Refinement looks at less. It lets a node of an abstract reachability graph stand for all
//! states of which nothing has shown yet that they behave differently, and finds out what tells them apart only where the proof needs it.
//!
//! [`Lazy`] does so for each node on its own: `graph` is the graph, `labels` are what its nodes stand for and how that is strengthened, `expansion` and `lazy` build it, and `check` verifies in debug
//! builds that what was built is a proof.
#![forbid(unsafe_code)]

mod arena;
mod bound_labels;
mod check;
mod data_labels;
mod dependencies;
mod evidence;
mod expansion;
mod goals;
mod graph;
mod labels;
mod lazy;
mod operation;
mod setting;
mod source;
mod zone_labels;

pub use data_labels::Data;
pub use labels::Clocks;

use guidepost_answer::{
    Answer, CompiledQuery, Engine, Event, Exploration, Limits, Method, ModelError, Observe, Outcome,
    Refinement, RunKind, Unsupported,
};
use guidepost_network::{Goal, Network};
use lazy::{Builder, End};

/// The name of the engine [`Lazy`].
const LAZY: &str = "lazy";

/// Lazy abstraction.
#[derive(Clone, Debug, Default)]
pub struct Lazy {
    /// How time is abstracted.
    pub clocks: Clocks,
    /// How data are abstracted.
    pub data: Data,
    /// The evidence that is wanted.
    pub run: RunKind,
    /// What the graph for each query may use up.
    pub limits: Limits,
}

impl Engine for Lazy {
    fn name(&self) -> &'static str {
        LAZY
    }

    fn accepts(&self, network: &Network, query: &CompiledQuery) -> Result<(), Unsupported> {
        accepts(LAZY, network, query, self.run)
    }

    fn answer(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        observe: &mut Observe<'_>,
    ) -> Result<(), Unsupported> {
        for (index, query) in queries.iter().enumerate() {
            self.accepts(network, query)?;
            let Some((goals, holds_if_found)) = query.question.target() else { continue };
            let answer = self.pursue(network, goals, holds_if_found, index, observe)?;
            observe(Event::Answered(index, Box::new(answer)));
        }
        Ok(())
    }
}

/// What the engines of this crate answer.
fn accepts(
    engine: &'static str,
    network: &Network,
    query: &CompiledQuery,
    run: RunKind,
) -> Result<(), Unsupported> {
    let refuse = |what| Err(Unsupported::Question { engine, what });
    let Some((goals, _)) = query.question.target() else {
        return refuse("anything but `E<>` and `A[]`");
    };
    if matches!(run, RunKind::Shortest | RunKind::Fastest | RunKind::Cheapest) {
        return refuse("queries with best runs: shortest, fastest or cheapest");
    }
    if goals.iter().any(|goal| goal.deadlock.is_some()) {
        return refuse("questions about `deadlock`");
    }
    guidepost_explore::supports(network, false)
}

impl Lazy {
    fn pursue(
        &self,
        network: &Network,
        goals: &[Goal],
        holds_if_found: bool,
        index: usize,
        observe: &mut Observe<'_>,
    ) -> Result<Answer, Unsupported> {
        let mut builder = Builder::new(network, goals, self.clocks, self.data)?;
        let (end, statistics) =
            builder.run(&self.limits, &mut |progress| observe(Event::Progress(index, progress)));
        let wants_run = self.run != RunKind::None;
        let (outcome, found) = match end {
            End::Found(node, finally) => (Outcome::Decided(holds_if_found), Some((node, finally))),
            End::Proved => (Outcome::Decided(!holds_if_found), None),
            End::Stopped(reason) => (Outcome::Stopped(reason), None),
            End::Failed(node, failure) => {
                let evidence = wants_run.then(|| builder.evidence(node, &[]).ok()).flatten();
                let error = ModelError { error: failure.error, edges: failure.edges, evidence };
                (Outcome::Failed(Box::new(error)), None)
            }
        };
        let refinement = Refinement {
            rounds: builder.labels.rounds(),
            nodes: statistics.explored,
            covered: statistics.covered,
            precision: builder.precision(),
        };
        let mut answer = Answer::new(outcome, Method::blind(LAZY, "bfs"), Exploration(index), statistics);
        answer.refinement = Some(refinement);
        if let Some((node, finally)) = found {
            answer.approximate = builder.is_approximate;
            if wants_run {
                answer.attach(builder.evidence(node, &finally));
            }
        }
        Ok(answer)
    }
}
