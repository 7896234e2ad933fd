//! What a coordinator and its workers say to each other: orders and reports, as JSON.

use crate::partition::{Partition, Place, Spot};
use guidepost_answer::{Reductions, Statistics, StopReason};
use guidepost_explore::{Extrapolation, Subsumption};
use guidepost_search::Configuration;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a coordinator asks of a worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum Order {
    /// Build this model and compile these queries.
    Prepare(Task),
    /// Connect with the other workers, who listen at these addresses.
    Meet(Vec<String>),
    /// Explore.
    Explore(Exploration),
    /// Somebody has found goals of these queries: numbers of the exploration's.
    Settled(Vec<usize>),
    /// Expand nothing for now, send what waits to be sent.
    Pause,
    /// Write the states to a file. Only after all have paused.
    Save {
        /// The folder.
        folder: String,
        /// How its name begins: nobody else's does, and no earlier one's of this run.
        mark: String,
        /// Milliseconds that it may take.
        within: Option<u64>,
    },
    /// Go on after a pause.
    Continue,
    /// End the exploration.
    Stop,
    /// Say how one of the states was reached.
    Way(u32),
    /// A sign of life.
    Alive,
    /// All is said.
    Bye,
}

/// What a worker tells its coordinator.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    /// Who it is: the version of the program, and where it listens for other workers.
    Hello {
        /// The version.
        version: String,
        /// `address:port`.
        listens: String,
    },
    /// The model is built; this digest says which one.
    Prepared(String),
    /// The worker does not take part.
    Refused(String),
    /// All workers are connected.
    Met,
    /// How its share is getting on.
    Progress(Figures),
    /// A goal of a query was found, at a depth.
    Hit(Found),
    /// Its share ends before everything is explored.
    Early(Ending),
    /// Its share is over.
    Done(Figures, Findings),
    /// It has paused, and nothing waits to be sent: so many letters were sent and received so far.
    Still {
        /// Letters that were sent.
        sent: u64,
        /// Letters that were received.
        received: u64,
    },
    /// The states are written, or why not. What was found so far is not in the file.
    Saved(Result<Findings, String>),
    /// The numbers of successors on the way to a state, backwards, and where the way goes on.
    Way(Vec<u32>, Option<Place>),
    /// A sign of life.
    Alive,
}

/// A goal that was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Found {
    /// Which query of the exploration it is about.
    pub(crate) job: usize,
    /// The state that meets it.
    pub(crate) spot: Spot,
    /// How many steps it is away at most.
    pub(crate) depth: u32,
}

/// Why a share ends early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Ending {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The limit on states.
    States,
    /// A store that is full.
    Full,
    /// Somebody interrupted the worker.
    Interrupt,
    /// The model failed in a state, or at the beginning.
    Failed(Option<Place>),
    /// Another worker sent what are no states.
    Garbled,
}

impl Ending {
    /// The limit that was hit, if one was.
    pub(crate) fn reason(self) -> Option<StopReason> {
        match self {
            Ending::Time => Some(StopReason::Time),
            Ending::Memory => Some(StopReason::Memory),
            Ending::States => Some(StopReason::States),
            Ending::Full => Some(StopReason::Full),
            Ending::Interrupt => Some(StopReason::Interrupt),
            Ending::Failed(_) | Ending::Garbled => None,
        }
    }
}

impl From<StopReason> for Ending {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::Time => Ending::Time,
            StopReason::Full => Ending::Full,
            StopReason::Interrupt => Ending::Interrupt,
            StopReason::States => Ending::States,
            // What else there is to run out of is memory.
            _ => Ending::Memory,
        }
    }
}

/// The model and the questions, as they are given.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Task {
    /// The program's version; workers must have the same.
    pub version: String,
    /// What the model is called; the extension says how it is read.
    pub name: String,
    /// The model.
    pub text: String,
    /// The queries.
    pub queries: Vec<String>,
}

/// An exploration, as a worker has to know it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Exploration {
    /// What is looked for.
    pub(crate) aim: Aim,
    /// Whether states must be found on a shortest way.
    pub(crate) shortest: bool,
    /// What is left of the time limit, in milliseconds.
    pub(crate) time: Option<u64>,
    /// Bytes of a worker's states.
    pub(crate) memory: Option<usize>,
    /// States of all workers: whoever has more than that alone need not wait for the coordinator's sum.
    pub(crate) states: Option<u64>,
    /// How zones are widened and compared.
    pub(crate) manner: Manner,
    /// Who owns which states.
    pub(crate) partition: Partition,
    /// What is there when a limit is hit is to be written to files: so who hits one pauses, and waits for orders.
    pub(crate) is_kept: bool,
    /// The files of a checkpoint that it goes on from.
    pub(crate) resume: Option<Vec<String>>,
}

/// What an exploration looks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Aim {
    /// Goals of queries: the number of each, and the locations where zones must show deadlocks.
    Goals(Vec<(usize, Vec<u32>)>),
    /// Everything, and deadlocks on the way.
    Survey,
    /// Deadlocks, with the locations where zones must show them.
    Halts(Vec<u32>),
}

/// How zones are widened and compared, and what is left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each can be switched off alone")]
pub(crate) struct Manner {
    extrapolation: Option<u8>,
    subsumption: Option<u8>,
    partial_order: bool,
    slicing: bool,
    symmetry: bool,
    approximate: bool,
}

const EXTRAPOLATIONS: [Extrapolation; 5] =
    [Extrapolation::None, Extrapolation::M, Extrapolation::MPlus, Extrapolation::Lu, Extrapolation::LuPlus];
const SUBSUMPTIONS: [Subsumption; 3] =
    [Subsumption::Inclusion, Subsumption::Alu, Subsumption::AluWithDiagonals];

impl Manner {
    pub(crate) fn of(configuration: &Configuration) -> Self {
        let position = |found: Option<usize>| found.map(|position| position as u8);
        let Reductions { partial_order, slicing, symmetry, .. } = configuration.reductions;
        Self {
            extrapolation: configuration
                .extrapolation
                .and_then(|own| position(EXTRAPOLATIONS.iter().position(|&one| one == own))),
            subsumption: configuration
                .subsumption
                .and_then(|own| position(SUBSUMPTIONS.iter().position(|&one| one == own))),
            partial_order,
            slicing,
            symmetry,
            approximate: configuration.approximate,
        }
    }

    pub(crate) fn configuration(&self) -> Configuration {
        let Self { partial_order, slicing, symmetry, approximate, .. } = *self;
        Configuration {
            extrapolation: self.extrapolation.and_then(|at| EXTRAPOLATIONS.get(usize::from(at)).copied()),
            subsumption: self.subsumption.and_then(|at| SUBSUMPTIONS.get(usize::from(at)).copied()),
            reductions: Reductions { partial_order, slicing, symmetry, order: false, merging: false },
            approximate,
            ..Configuration::default()
        }
    }
}

impl Exploration {
    /// What is left of the time limit.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.time.map(Duration::from_millis)
    }
}

/// What a worker has done.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Figures {
    pub(crate) explored: u64,
    pub(crate) generated: u64,
    pub(crate) stored: u64,
    pub(crate) covered: u64,
    /// Those of these that were stored.
    pub(crate) dropped: u64,
    pub(crate) discrete: u64,
    pub(crate) bytes: u64,
    pub(crate) postponed: u64,
    pub(crate) renamed: u64,
    pub(crate) left_out: u64,
    /// States that wait to be expanded.
    pub(crate) waiting: u64,
    /// The depth of the state that was expanded last.
    pub(crate) depth: u32,
    /// States that were sent to others, in so many bytes and letters.
    pub(crate) sent: u64,
    pub(crate) sent_bytes: u64,
    pub(crate) letters: u64,
    /// Seconds in which there was nothing to do.
    pub(crate) idle: f64,
    /// Some zone was widened beyond what is exact.
    pub(crate) approximate: bool,
}

impl Figures {
    /// As numbers about a search.
    pub(crate) fn statistics(&self) -> Statistics {
        Statistics {
            explored: self.explored,
            generated: self.generated,
            stored: self.stored,
            covered: self.covered,
            discrete: self.discrete,
            bytes: self.bytes,
            postponed: self.postponed,
            renamed: self.renamed,
            left_out: self.left_out,
            ..Statistics::default()
        }
    }
}

/// What a worker has found.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Findings {
    /// By query of the exploration: the locations where zones may hide deadlocks.
    pub(crate) doubts: Vec<Vec<u32>>,
    /// What was seen, where everything is looked at.
    pub(crate) recorded: Option<Recorded>,
}

/// What was seen where everything is looked at.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Recorded {
    /// Locations that were reached.
    pub(crate) reached: Vec<u32>,
    /// Edges that were taken.
    pub(crate) taken: Vec<u32>,
    /// By variable: smallest and largest value.
    pub(crate) ranges: Vec<(i32, i32)>,
    /// Where results wrapped around: file, start and end.
    pub(crate) wraps: Vec<(u32, u32, u32)>,
    /// Deadlocks where time goes on, and where it does not: a state, if one was found.
    pub(crate) halts: [Option<Spot>; 2],
    /// And where there may be some that do not show.
    pub(crate) doubts: [Vec<u32>; 2],
}

impl Recorded {
    /// Adds what another worker has seen.
    pub(crate) fn merge(&mut self, other: Recorded) {
        self.reached.extend(other.reached);
        self.taken.extend(other.taken);
        self.wraps.extend(other.wraps);
        if self.ranges.is_empty() {
            self.ranges = other.ranges;
        } else {
            for (mine, theirs) in self.ranges.iter_mut().zip(other.ranges) {
                *mine = (mine.0.min(theirs.0), mine.1.max(theirs.1));
            }
        }
        for (mine, theirs) in self.halts.iter_mut().zip(other.halts) {
            *mine = mine.take().or(theirs);
        }
        for (mine, theirs) in self.doubts.iter_mut().zip(other.doubts) {
            mine.extend(theirs);
        }
        for list in [&mut self.reached, &mut self.taken].into_iter().chain(&mut self.doubts) {
            list.sort_unstable();
            list.dedup();
        }
        self.wraps.sort_unstable();
        self.wraps.dedup();
    }
}
