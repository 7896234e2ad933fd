//! All engines, and the choice among them.
//!
//! An engine is a value with a name, like a heuristic: [`REGISTRY`] lists them, an [`EngineSpec`] names one with its options, and [`EngineSpec::engine`] makes
//! it for some [`Settings`]. [`auto`](REGISTRY) is the engine for those who have not chosen one. Nothing outside of this crate knows an engine by its type.
#![forbid(unsafe_code)]

mod auto;
mod choice;
mod registry;
mod settings;
mod short_runs;
mod spec;

pub use registry::{Entry, REGISTRY};
pub use settings::Settings;
pub use spec::{EngineSpec, SpecError};

/// Why a network cannot be explored exactly by the engines that explore symbolic states, if it cannot.
pub fn obstacle(network: &guidepost_network::Network) -> Option<guidepost_answer::Unsupported> {
    guidepost_explore::supports(network, false).err()
}
