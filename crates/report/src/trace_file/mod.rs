//! Runs in files: written by one guidepost, checked again by another.
//!
//! A trace file names what happens instead of numbering it: processes, locations, values of `select`. So a run can be tried on a model that was edited since,
//! and a person can read or write one. Each step says only what changed; see `docs/json.md`. The answers of `check` and `simulate` in JSON are
//! read as well: they contain the same runs, with whole states.
//!
//! A recorded run is not trusted: [`RecordedRun::replay`] takes every step in the concrete interpreter and compares the state that it reaches
//! with the one that was recorded.

mod read;
mod reason;
mod replay;
mod write;

pub use read::answers;
pub use reason::describe;
pub use replay::{FirstDifference, NotReplayed};
pub use write::{TraceFile, fingerprint, lone_run};

use guidepost_answer::RunEnding;
use guidepost_language::model::Property;
use guidepost_network::interpreter::Rational;

/// The version of the format. A change that older readers would misunderstand makes it one larger.
pub const FORMAT_VERSION: u64 = 1;

/// A file with runs, as read.
#[derive(Clone, Debug)]
pub struct RecordedRuns {
    /// The model's name when they were recorded.
    pub model: Option<String>,
    /// The version of guidepost that recorded them.
    pub version: Option<String>,
    /// The [`fingerprint`] of the network they were recorded on.
    pub fingerprint: Option<String>,
    /// The runs.
    pub runs: Vec<RecordedRun>,
}

/// One run of a file.
#[derive(Clone, Debug)]
pub struct RecordedRun {
    /// The number of the query that it answers.
    pub number: Option<u64>,
    /// That query.
    pub query: Option<String>,
    /// The same in its author's words, with a name.
    pub property: Option<Property>,
    /// Whether it was recorded as a shortest one.
    pub optimal: bool,
    /// How it goes on behind its last step.
    pub ending: RunEnding,
    /// The state in which it begins, as far as recorded.
    pub initial: RecordedState,
    /// Its steps.
    pub steps: Vec<RecordedStep>,
}

/// One step of a recorded run.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedStep {
    /// How long is waited.
    pub delay: Rational,
    /// Who moves then; nobody when the step only waits.
    pub edges: Vec<RecordedEdge>,
    /// What was recorded of the state after it.
    pub after: RecordedState,
}

/// An edge by its names.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedEdge {
    /// Whose edge.
    pub process: String,
    /// Where it starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// The values chosen by `select`.
    pub select: Vec<(String, i64)>,
    /// Its number in the network that it was recorded on: tells edges apart that have the same names.
    pub number: Option<u32>,
}

/// A state, or a part of one, by names.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RecordedState {
    /// Processes and where they are.
    pub locations: Vec<(String, String)>,
    /// Variables and their values.
    pub variables: Vec<(String, i64)>,
    /// Clocks and their values.
    pub clocks: Vec<(String, Rational)>,
}

/// Why a file is not one with runs.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableRuns {
    /// It stops in the middle.
    #[error("the file is cut off: its JSON ends in the middle, in line {0}; write it again")]
    Truncated(usize),
    /// It is something else.
    #[error("the file is not JSON: {0}")]
    NotJson(serde_json::Error),
    /// JSON, but not ours.
    #[error("the file is JSON, but not one that guidepost wrote: {0}")]
    Foreign(String),
    /// The format has changed since.
    #[error(
        "the file has format {found} and was written by {} guidepost ({by}); this one reads format {FORMAT_VERSION}. Record the run again with \
         `guidepost check MODEL --trace some --trace-file FILE`", if *found < FORMAT_VERSION { "an older" } else { "a newer" }
    )]
    OtherFormat {
        /// The format of the file.
        found: u64,
        /// Who wrote it.
        by: String,
    },
    /// Ours, but something is missing or makes no sense.
    #[error("{place}: {problem}{}", hint(.by.as_deref()))]
    Malformed {
        /// Where in the file.
        place: String,
        /// What is wrong there.
        problem: String,
        /// The version of guidepost that wrote it.
        by: Option<String>,
    },
    /// Ours, but there is no run in it.
    #[error(
        "the file contains no run; `guidepost check --trace some` looks for one, and only some answers have one"
    )]
    NoRun,
}

fn hint(by: Option<&str>) -> String {
    match by {
        Some(version) if version != env!("CARGO_PKG_VERSION") => format!(
            " (the file was written by guidepost {version}, this is {}; record the run again)",
            env!("CARGO_PKG_VERSION")
        ),
        _ => String::new(),
    }
}
