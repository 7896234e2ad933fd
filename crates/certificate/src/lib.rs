//! Certificates of what is unreachable or happens on every run, and a checker that did not search.
//!
//! A *certificate* is a set of states: for every discrete state (locations and values) some zones of clock values. It proves that no goal of a query is
//! reachable if it
//!
//! 1. contains the initial state, and what time makes of it,
//! 2. contains, with every state, what transitions lead to, and what time makes of that, and
//! 3. contains no goal.
//!
//! That something happens on every run is proved by *ranks* of zones, which become smaller with every transition until it happens; see `check`.
//!
//! [`Certificate::check`] looks whether that is so, state by state, in one pass. Whoever wants to believe an answer has to believe the code in `zone`, `moves` and
//! `check`, the network that was built from the model, and the machine that evaluates its expressions. Architecture invariant: nothing else is used, no search,
//! store, extrapolation or heuristic.
//!
//! | file | |
//! |---|---|
//! | `zone` | difference bound matrices |
//! | `moves` | transitions, updates, invariants, urgency |
//! | `check` | the conditions |
//! | `verdict` | what the checker says |
//! | `certificate` | the set in memory |
//! | `file` | the set in a file; described in `docs/certificates.md` |
//! | `munta` | the set, and the model, for another checker |
#![forbid(unsafe_code)]

mod certificate;
mod check;
mod file;
mod moves;
mod munta;
mod verdict;
mod zone;

pub use certificate::{Builder, Certificate, Layout};
pub use check::Claim;
pub use file::{Header, ReadError, VERSION, fingerprint};
pub use munta::Munta;
pub use verdict::{Checked, Obstacle, Reason, Rejection, obstacle};
pub use zone::{Bound, Difference};
