//! The engine `zones`: searches over symbolic state spaces, blind and directed, and the answers they give.
#![forbid(unsafe_code)]

mod beam;
mod beside;
mod best_first;
mod blind;
mod bounds;
mod configuration;
mod deepening;
mod directed;
mod effort;
mod engine;
mod evidence;
mod examination;
mod expansion;
mod finished;
mod frontier;
mod halts;
mod inductive;
mod job;
mod liveness;
mod merging;
mod open;
mod outlook;
mod parallel;
mod prepared_heuristics;
mod queue;
mod reach;
mod shorten;
mod strategy;
mod stuck;
mod survey;
mod turns;

pub use beside::retained_for;
pub use best_first::Allowance;
pub use configuration::Configuration;
pub use engine::{Seek, Zones};
pub use evidence::Ways;
pub use expansion::{Expansion, Fate, Successors};
pub use finished::Finished;
pub use frontier::Order;
pub use guidepost_abstraction::Retained;
pub use guidepost_explore::GoalTest;
pub use guidepost_explore::effort::MILLISECOND;
pub use guidepost_heuristics::{Budget, HeuristicSpec};
pub use halts::{HaltFinder, HaltSearch};
pub use inductive::{InductiveExploration, Widening, inductive_set};
pub use job::{Hit, Job, Lookout, sliced_explorer_for};
pub use liveness::ranked_set;
pub use outlook::Outlook;
pub use reach::{End, Part, Search, Watcher};
pub use shorten::shorten;
pub use strategy::{Algorithm, Directed, Strategy, Ties};
pub use survey::{Recorder, Surveyed, survey};
pub use turns::{BlindTurns, Database, DirectedTurns};

/// What the engine is called in answers.
const ENGINE: &str = "zones";

/// Who hears of the progress of one exploration.
pub type ProgressObserver<'o> = dyn FnMut(&guidepost_answer::Progress) + Send + 'o;
