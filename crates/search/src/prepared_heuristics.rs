//! Heuristics, prepared for a search within its limits.

use guidepost_answer::{Limits, Progress, Remarks, Stage, Statistics, Watch};
use guidepost_heuristics::{Budget, Heuristic, HeuristicSpec, Preparation};
use guidepost_network::{Goal, Network};
use std::time::Instant;

/// Preprocessing gets one of this many parts of the memory.
const MEMORY_SHARE: usize = 4;

/// The heuristics of a search.
pub(crate) struct PreparedHeuristics<'n> {
    pub(crate) heuristics: Vec<Box<dyn Heuristic + 'n>>,
    pub(crate) remarks: Remarks,
    /// Watches the limits since the preprocessing began.
    pub(crate) watch: Watch,
    /// How long the preprocessing took.
    pub(crate) seconds: f64,
    /// Whether everything was built as it was asked for.
    pub(crate) is_complete: bool,
}

/// Who hears of progress.
pub(crate) type Observer<'o> = Option<&'o mut (dyn FnMut(&Progress) + Send)>;

impl<'n> PreparedHeuristics<'n> {
    /// Binds heuristics to a network and its goals.
    pub(crate) fn prepare(
        network: &'n Network,
        goals: &[Goal],
        specs: &[HeuristicSpec],
        limits: &Limits,
        budget: Budget,
        observe: Observer<'_>,
    ) -> Self {
        let watch = Watch::new(limits);
        let begin = Instant::now();
        let budget = Budget {
            bytes: limits.memory.map_or(budget.bytes, |bytes| budget.bytes.min(bytes / MEMORY_SHARE)),
            time: limits.time.map_or(budget.time, |time| budget.time.min(time)),
            ..budget
        };
        let mut preparation = Preparation::new(budget, watch.deadline());
        let mut relay;
        if let Some(observe) = observe {
            relay = move |stage: &Stage| observe(&progress_of(stage, begin));
            preparation = preparation.observed(&mut relay);
        }
        let heuristics: Vec<_> =
            specs.iter().map(|spec| spec.bind(network, goals, &mut preparation)).collect();
        debug_assert_eq!(heuristics.len(), specs.len(), "one for each that was asked for");
        let remarks = Remarks {
            notes: preparation.notes().to_vec(),
            proof: preparation.proof().cloned(),
            landmarks: preparation.landmarks().to_vec(),
        };
        let is_complete = preparation.exceeded().is_none();
        Self { heuristics, remarks, watch, seconds: begin.elapsed().as_secs_f64(), is_complete }
    }
}

fn progress_of(stage: &Stage, begin: Instant) -> Progress {
    let seconds = begin.elapsed().as_secs_f64();
    Progress {
        statistics: Statistics { seconds, preprocessing_seconds: seconds, ..Statistics::default() },
        waiting: 0,
        depth: 0,
        best_estimate: None,
        stage: Some(*stage),
    }
}
