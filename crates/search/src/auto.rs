//! Chooses a search.

use crate::answer::Answer;
use crate::statistics::Progress;
use crate::verify::{self, Configuration, Job};
use guidepost_explore::Unsupported;
use guidepost_network::Network;

/// Looks for the goals of some queries in the way that suits them.
pub(crate) fn reach(
    network: &Network,
    jobs: Vec<Job<'_>>,
    configuration: &Configuration,
    _seed: u64,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Vec<(usize, Answer)>, Unsupported> {
    verify::reach(network, jobs, configuration, observe)
}
