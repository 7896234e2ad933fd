//! Engines that abstract first and learn what matters.
//!
//! A correct system is where directed search ends: all of its states have to be looked at. Refinement looks at less. It lets a node of an abstract reachability graph stand for all
//! states of which nothing has shown yet that they behave differently, and finds out what tells them apart only where the proof needs it.
//!
//! [`Lazy`] does so for each node on its own: `graph` is the graph, `labels` are what its nodes stand for and how that is strengthened, `expansion` and `lazy` build it, and `check` verifies in debug
//! builds that what was built is a proof. `inductive` hands the labels of a proof over to whoever wants to check it.
//!
//! [`Eager`], [`Combined`] and [`Hidden`] hide symbols of the network and show them when a run of the abstraction turns out to be none of the original: `turns` is the loop, `cegar` what a round does, `led` lets the original follow a run, `hints` says
//! what to show.
//!
//! [`ByRanges`] refines nothing: it proves what the ranges of single variables exclude.
#![forbid(unsafe_code)]

mod arena;
mod bound_classes;
mod bound_labels;
mod cegar;
mod check;
mod data_labels;
mod dependencies;
mod evidence;
mod exclusion;
mod expansion;
mod goals;
mod graph;
mod hints;
mod inductive;
mod labels;
mod lazy;
mod led;
mod operation;
mod precision;
mod predicates;
mod pruning;
mod ranges;
mod setting;
mod source;
mod turns;
mod waiting;
mod zone_labels;

pub use data_labels::Data;
pub use inductive::{InductiveLabels, inductive_labels};
pub use labels::Clocks;
pub use predicates::Interpolants;
pub use pruning::Prune;
pub use ranges::{ByRanges, RangesInTurns};
pub use setting::Scope;
pub use turns::Turns;
pub use waiting::Order;

use cegar::{Hiding, Loop, Way};
use guidepost_answer::{
    Answer, CompiledQuery, Engine, Event, Exploration, Limits, Method, Observe, Refinement, RunKind,
    Unsupported, answer_each,
};
use guidepost_network::{Goal, Network};
use lazy::Builder;
use std::str::FromStr;

/// The names of the engines [`Lazy`] and [`Hidden`].
const LAZY: &str = "lazy";
const HIDDEN: &str = "hidden";

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
        answer_each(self, network, queries, observe, |goals, holds_if_found, index, observe| {
            self.pursue(network, goals, holds_if_found, index, observe)
        })
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
    can_seek(engine, network, goals)
}

/// Whether the engines of this crate can look for some goals.
fn can_seek(engine: &'static str, network: &Network, goals: &[Goal]) -> Result<(), Unsupported> {
    let refuse = |what| Err(Unsupported::Question { engine, what });
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
        let is_proof = matches!(end, lazy::End::Proved);
        let (method, exploration) = (Method::blind(LAZY, "bfs"), Exploration(index));
        let mut answer = builder.answer(end, holds_if_found, self.run, method, exploration, statistics);
        if is_proof && self.data == Data::Values {
            answer.note_errors(network);
        }
        answer.refinement = Some(Refinement {
            rounds: builder.labels.rounds(),
            nodes: statistics.explored,
            covered: statistics.covered,
            precision: builder.precision(),
            hidden: Vec::new(),
        });
        Ok(answer)
    }
}

/// What data are abstracted to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Domain {
    /// Values of some variables; nothing is known of the others.
    #[default]
    Values,
    /// Whether predicates hold.
    Predicates,
}

impl FromStr for Domain {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "values" => Ok(Domain::Values),
            "predicates" => Ok(Domain::Predicates),
            _ => Err(()),
        }
    }
}

/// Refinement of data guided by counterexamples, with zones as the model has them.
#[derive(Clone, Debug, Default)]
pub struct Eager {
    /// What data are abstracted to.
    pub domain: Domain,
    /// How it is found out what a run was missing.
    pub interpolants: Interpolants,
    /// What is thrown away when something has been learned.
    pub prune: Prune,
    /// Which clocks zones have.
    pub zones: Scope,
    /// The evidence that is wanted.
    pub run: RunKind,
    /// What all rounds for a query may use up.
    pub limits: Limits,
}

/// Refinement of data guided by counterexamples, and lazy abstraction of time.
#[derive(Clone, Debug, Default)]
pub struct Combined {
    /// What data are abstracted to.
    pub domain: Domain,
    /// How it is found out what a run was missing.
    pub interpolants: Interpolants,
    /// How time is abstracted.
    pub clocks: Clocks,
    /// The evidence that is wanted.
    pub run: RunKind,
    /// What all rounds for a query may use up.
    pub limits: Limits,
}

/// Refinement guided by counterexamples that begins with what the goal names, and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Hidden {
    /// How time is abstracted.
    pub clocks: Clocks,
    /// How a goal is looked for in an abstraction.
    pub search: Order,
    /// The evidence that is wanted.
    pub run: RunKind,
    /// What all rounds for a query may use up.
    pub limits: Limits,
}

impl Eager {
    fn way(&self) -> Way {
        let (interpolants, scope) = (self.interpolants, self.zones);
        let order = Order::BreadthFirst;
        Way {
            hiding: Hiding::of_data(self.domain),
            interpolants,
            clocks: None,
            scope,
            order,
            prune: self.prune,
        }
    }
}

impl Combined {
    fn way(&self) -> Way {
        let (interpolants, clocks) = (self.interpolants, Some(self.clocks));
        let (scope, order) = (Scope::Active, Order::BreadthFirst);
        Way { hiding: Hiding::of_data(self.domain), interpolants, clocks, scope, order, prune: Prune::Full }
    }
}

impl Hidden {
    fn way(&self) -> Way {
        let (interpolants, clocks) = (Interpolants::Sequence, Some(self.clocks));
        let (scope, order) = (Scope::Active, self.search);
        Way { hiding: Hiding::Everything, interpolants, clocks, scope, order, prune: Prune::Full }
    }

    /// Looks for the goals of a query in turns, instead of to the end. The limits of the engine are not used: each turn has its own. `holds_if_found` says whether the query holds if a goal is found, `index` which query it is.
    pub fn turns<'q>(
        &self,
        network: &'q Network,
        goals: &'q [Goal],
        holds_if_found: bool,
        index: usize,
    ) -> Result<Turns<'q>, Unsupported> {
        can_seek(HIDDEN, network, goals)?;
        let (way, run) = (self.way(), self.run);
        Ok(Turns::new(Loop { engine: HIDDEN, way, run, network, goals, holds_if_found, index }))
    }

    /// The effort that it takes to begin with turns.
    pub fn effort_to_begin(network: &Network) -> u64 {
        turns::of_preparing(network)
    }
}

/// Engines that are a loop that goes some way.
macro_rules! loops {
    ($($engine:ident, $name:expr;)*) => {$(
        impl Engine for $engine {
            fn name(&self) -> &'static str {
                $name
            }

            fn accepts(&self, network: &Network, query: &CompiledQuery) -> Result<(), Unsupported> {
                accepts($name, network, query, self.run)
            }

            fn answer(
                &self,
                network: &Network,
                queries: &[CompiledQuery],
                observe: &mut Observe<'_>,
            ) -> Result<(), Unsupported> {
                answer_each(self, network, queries, observe, |goals, holds_if_found, index, observe| {
                    let (engine, way, run) = ($name, self.way(), self.run);
                    let task = Loop { engine, way, run, network, goals, holds_if_found, index };
                    task.pursue(&self.limits, observe)
                })
            }
        }
    )*};
}

loops! {
    Eager, "eager";
    Combined, "combined";
    Hidden, HIDDEN;
}
