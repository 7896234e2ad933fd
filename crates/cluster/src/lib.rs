//! The engine `cluster`: one exploration on several processes and machines.
//!
//! The states are shared among workers by a hash of their discrete part; each has a store of its own, and sends successors that are not its own to their owners. [`Cluster`] is the
//! coordinator: an [`Engine`](guidepost_answer::Engine) that calls workers together, tells them what to look for, and makes answers of what they find. [`Join`] is the other side: a worker
//! that takes part.
//!
//! Letters with states, and the detection that nothing is left, are a dataflow of the crate `timely` (`post`). Everything else (orders, progress, limits, goals, signs of life) goes over a connection
//! of its own between the coordinator and each worker, so that it is never behind a queue of states.
#![forbid(unsafe_code)]

mod checkpoint;
mod connection;
mod coordinator;
mod crew;
mod digest;
mod engine;
mod hosts;
mod join;
mod locality;
mod member;
mod parcels;
mod partition;
mod post;
mod processes;
mod protocol;
mod run;
mod secret;
mod share;
mod spotter;
mod survey;
mod waiting;

pub use checkpoint::Checkpoint;
pub use engine::{Cluster, Team, Workers};
pub use hosts::{Host, Hosts, HostsError};
pub use join::{Join, Joined, Parting};
pub use protocol::Task;
pub use secret::{Secret, SecretError};
pub use survey::Together;

/// The program's version; processes of another one do not work together.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

impl ClusterError {
    /// Whether processes are missing or gone, which may be otherwise the next time; everything else must be put right.
    pub fn is_absence(&self) -> bool {
        matches!(
            self,
            ClusterError::Ended(..)
                | ClusterError::Missing(..)
                | ClusterError::Broken(..)
                | ClusterError::Interrupted
        )
    }
}

/// Why processes do not work together.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClusterError {
    /// There are none, or too many.
    #[error("{0} workers were asked for; between 1 and {1} can work together")]
    Count(usize, usize),
    /// The text of the model is not known.
    #[error("processes need the text of the model, which is not known here")]
    NoText,
    /// The hosts are not as they should be.
    #[error(transparent)]
    Hosts(#[from] HostsError),
    /// The secret is of no use.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// Nobody can listen at an address.
    #[error("cannot listen at `{0}`: {1}")]
    Listen(String, String),
    /// A program does not start.
    #[error("`{0}` does not start: {1}")]
    Start(String, String),
    /// A process ended before it connected.
    #[error("worker {0} ended before it connected ({1})")]
    Ended(usize, String),
    /// A worker did not connect in time.
    #[error("worker {0} ({1}) did not connect in time{2}")]
    Missing(usize, String, String),
    /// A worker cannot take part.
    #[error("worker {0} cannot take part: {1}")]
    Broken(usize, String),
    /// A worker has another program.
    #[error("worker {0} has version {1} of guidepost, and this is {2}")]
    Version(usize, String, &'static str),
    /// A worker reads another model.
    #[error("worker {0} makes something else of the model; is it another build of guidepost?")]
    Model(usize),
    /// The coordinator does not do as it should.
    #[error("the coordinator cannot be worked with: {0}")]
    Coordinator(String),
    /// Another process does not do as it should.
    #[error("{0}: {1}")]
    Peer(String, String),
    /// A run cannot be resumed.
    #[error("the run cannot be resumed: {0}")]
    Resume(String),
    /// Somebody interrupted it.
    #[error("interrupted before all workers were there")]
    Interrupted,
}
