//! Engines: whoever can answer questions about a network.

use crate::{Answer, Cost, Measure, Progress, Refinement, Unsupported};
use guidepost_network::{CompiledQuery, Goal, Network};

/// The evidence that is wanted, where a run can be evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RunKind {
    /// None.
    #[default]
    None,
    /// Any run.
    Any,
    /// A run with as few transitions as possible.
    Shortest,
    /// A run that takes as little time as possible.
    Fastest,
    /// A run that costs as little as possible.
    Cheapest,
}

impl RunKind {
    /// What the best run is measured by, if one is wanted.
    pub fn measure(self) -> Option<Measure> {
        match self {
            RunKind::Fastest => Some(Measure::Time),
            RunKind::Cheapest => Some(Measure::Cost),
            RunKind::None | RunKind::Any | RunKind::Shortest => None,
        }
    }
}

/// What happens while queries are answered. They are named by their index among those that were asked.
pub enum Event<'e> {
    /// How the search for the answer to a query is getting on.
    Progress(usize, &'e Progress),
    /// A better run was found, or a better bound, while the cheapest or fastest run for a query is looked for.
    Improved(usize, Cost),
    /// Something was learned, and an abstraction is refined.
    Refined(usize, &'e Refinement),
    /// The answer to a query is known.
    Answered(usize, Box<Answer>),
}

/// Who hears of events.
pub type Observe<'o> = dyn FnMut(Event<'_>) + Send + 'o;

/// Answers questions.
///
/// An engine is a value: a name with its options, its limits and the evidence that is wanted of it. Adding one is a crate that implements this
/// trait and a line in the registry of `verify`.
pub trait Engine {
    /// What it is called on the command line and in answers.
    fn name(&self) -> &'static str;

    /// Whether it can answer a query about a network, and if not, why.
    fn accepts(&self, network: &Network, query: &CompiledQuery) -> Result<(), Unsupported>;

    /// Answers queries that it accepts, each once, in any order; several may share an exploration. A limit that is reached is an answer.
    fn answer(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        observe: &mut Observe<'_>,
    ) -> Result<(), Unsupported>;

    /// As [`Engine::answer`], with the answers in the order of the queries.
    fn answers(&self, network: &Network, queries: &[CompiledQuery]) -> Result<Vec<Answer>, Unsupported> {
        let mut answers: Vec<Option<Answer>> = vec![None; queries.len()];
        self.answer(network, queries, &mut |event| {
            if let Event::Answered(index, answer) = event {
                debug_assert!(answers[index].is_none(), "each query is answered once");
                answers[index] = Some(*answer);
            }
        })?;
        Ok(answers.into_iter().map(|answer| answer.expect("each query is answered")).collect())
    }
}

/// Answers queries for an engine that takes one after the other: each is accepted first, then its goals are pursued. `pursue` is told what to look for, whether the query holds if that is found, and which
/// query it is.
pub fn answer_each(
    engine: &dyn Engine,
    network: &Network,
    queries: &[CompiledQuery],
    observe: &mut Observe<'_>,
    mut pursue: impl FnMut(&[Goal], bool, usize, &mut Observe<'_>) -> Result<Answer, Unsupported>,
) -> Result<(), Unsupported> {
    for (index, query) in queries.iter().enumerate() {
        engine.accepts(network, query)?;
        let Some((goals, holds_if_found)) = query.question.target() else { continue };
        let answer = pursue(goals, holds_if_found, index, observe)?;
        observe(Event::Answered(index, Box::new(answer)));
    }
    Ok(())
}
