//! What every engine takes and hands over.
//!
//! An [`Engine`] answers questions about a network, under [`Limits`]: each [`Answer`] has a typed [`Outcome`], the [`Evidence`] for it
//! where there is some, and [`Statistics`] about the work. While it works, it reports [`Progress`]. Everything downstream (reports, benchmarks, the
//! command) reads these values. Facts stay typed here; only `report` turns them into sentences.
//!
//! This crate knows networks, and no engine.
#![forbid(unsafe_code)]

mod answer;
mod bounds;
mod cost;
mod deadline;
mod engine;
mod estimate;
mod evidence;
mod induction;
mod limits;
mod notation;
mod outcome;
mod progress;
mod reductions;
mod refinement;
mod remarks;
mod statistics;
mod survey;
mod unsupported;

pub use answer::{
    Answer, Certification, Exploration, InternalError, Method, PassedGuidepost, Shortened, WorkerFigures,
};
pub use bounds::{BoundValue, Measured, Measurement};
pub use cost::{Cost, Measure, Trust};
pub use deadline::Deadline;
pub use engine::{Engine, Event, Observe, RunKind, answer_each};
pub use estimate::Estimate;
pub use evidence::{Evidence, ModelError, RunEnding};
pub use guidepost_network::{CompiledQuery, Question};
pub use induction::{ClockBound, Inducing, Induction, InductiveSet, VisitStates};
pub use limits::{FULL, Limits, StopReason, Watch};
pub use notation::{Arguments, Call, NotationError, split};
pub use outcome::{Outcome, Verdict};
pub use progress::{Progress, Stage};
pub use reductions::Reductions;
pub use refinement::Refinement;
pub use remarks::{AbstractionProof, Landmark, Remarks};
pub use statistics::Statistics;
pub use survey::{Halts, Survey};
pub use unsupported::Unsupported;
