//! Why a model cannot be explored, as a message that points into it.

use crate::error::Trouble;
use crate::{ModelError, Session};
use guidepost_answer::Unsupported;
use guidepost_language::Loaded;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::model::Template;
use guidepost_language::source::Span;
use guidepost_network::{Edge, Location, Network, ProcessId};
use guidepost_report::Summary;

const STOPWATCH_HINT: &str = "with `--approximate`, the engine `zones` forgets how stopped clocks relate to running ones: what is then found to be unreachable is, \
     and everything else is answered with MAY; `--engine walk` tries random runs, which are exact";

const URGENT_HINT: &str = "move the clock test to an edge of its own, or make the channel an ordinary one; `--engine walk` tries random runs";

/// What prevents a network from being explored exactly with symbolic states, if anything does: where in the model, and what to do about it.
pub fn obstacle(network: &Network, loaded: &Loaded) -> Option<Diagnostic> {
    let reason = guidepost_verify::obstacle(network)?;
    Place { network, loaded }.refusal(&reason)
}

/// What there is to say about a model without checking it, and what stands in the way of checking it.
///
/// # Errors
/// What is wrong with the model.
pub fn summary(loaded: &Loaded) -> Result<Summary, Diagnostics> {
    let mut summary = Summary::of(loaded)?;
    if let Some(obstacle) = summary.network().and_then(|network| obstacle(network, loaded)) {
        summary.add_obstacle(obstacle);
    }
    Ok(summary)
}

impl Session {
    /// What an engine refuses, with the place in the model and what to do about it.
    pub(crate) fn refused(&self, reason: &Unsupported) -> ModelError {
        let place = Place { network: &self.network, loaded: &self.loaded };
        let nowhere = || Diagnostic::new(Code::NotSupported, self.last_file(), reason.to_string());
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(place.refusal(reason).unwrap_or_else(nowhere));
        let error = self.error(diagnostics);
        match reason {
            Unsupported::Together(_) => error.about(Trouble::Wrong(reason.to_string())),
            Unsupported::Absent(_) => error.about(Trouble::Absent(reason.to_string())),
            _ => error,
        }
    }
}

/// Where a network's parts stand in its model.
struct Place<'m> {
    network: &'m Network,
    loaded: &'m Loaded,
}

impl Place<'_> {
    /// A refusal as a message; `None` when the model has no place that it could point at.
    fn refusal(&self, reason: &Unsupported) -> Option<Diagnostic> {
        let (span, label, hint) = match reason {
            Unsupported::Stopwatches => (self.stopwatch()?, "a stop-watch", STOPWATCH_HINT),
            Unsupported::GuardedUrgentChannel => {
                (self.guarded_urgent_channel()?, "tests a clock", URGENT_HINT)
            }
            Unsupported::Question { .. } | Unsupported::Together(_) | Unsupported::Absent(_) => {
                return None;
            }
        };
        Some(Diagnostic::new(Code::NotSupported, span, reason.to_string()).label(label).hint(hint))
    }

    fn stopwatch(&self) -> Option<Span> {
        let stopped = self.network.locations.iter().find(|location| !location.rates.is_empty());
        stopped.map(|location| self.invariant(location))
    }

    fn guarded_urgent_channel(&self) -> Option<Span> {
        let is_urgent =
            |edge: &Edge| edge.sync.channels().iter().any(|id| self.network.channels[id.index()].urgent);
        let edge = self.network.edges.iter().find(|edge| !edge.clock_guard.is_empty() && is_urgent(edge))?;
        let written = &self.template(edge.process).edges[edge.origin.edge as usize];
        Some(written.guard.as_ref().map_or(written.span, |guard| guard.span))
    }

    fn template(&self, process: ProcessId) -> &Template {
        &self.loaded.model.templates[self.network.processes[process.index()].template as usize]
    }

    fn invariant(&self, location: &Location) -> Span {
        let written = &self.template(location.process).locations[location.origin as usize];
        written.invariant.as_ref().map_or(written.span, |invariant| invariant.span)
    }
}
