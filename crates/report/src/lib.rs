//! The output of guidepost, as text and as JSON.
//!
//! This crate renders; it decides nothing. A [`Trace`] is a concrete timed run, however it was found; a [`Summary`] says what a model
//! consists of; a [`verdict::Report`] gives the answers of a check, a [`space::StateSpace`] those of a whole exploration. All become text for a terminal ([`Look`] says how wide and whether in colour) and JSON with stable keys.
//! Of the engines it knows only the types of their answers.
#![forbid(unsafe_code)]

mod appearance;
pub mod drawing;
pub mod html;
pub mod machine;
mod number;
mod obstacle;
pub mod sarif;
pub mod space;
pub mod summary;
pub mod trace;
pub mod trace_file;
pub mod verdict;
mod words;

pub use appearance::{Detail, Look};
pub use number::{decimal, exact};
pub use obstacle::{Teller, intervals};
pub use summary::Summary;
pub use trace::{Changes, Step, Trace};

/// What holds the edges of a transition together, if that is something that the author of the model knows.
pub fn channel(
    network: &guidepost_network::Network,
    kind: guidepost_network::interpreter::TransitionKind,
) -> Option<&str> {
    words::Words(network).channel(kind)
}
