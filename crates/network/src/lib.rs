//! Flat networks of timed automata, built from a typed model, and their concrete meaning.
//!
//! - [`build()`] turns a checked model into a [`Network`]: plain data, every name an index, every expression compiled;
//! - [`compile_query`] turns a query into [`Goal`]s over that network;
//! - [`Machine`] runs the compiled code of a [`Program`] on a discrete state;
//! - [`interpreter`] is the meaning of a network at concrete points of time: enabled transitions, delays, replay, random runs.
//!
//! ```
//! let text = "int[0,3] v; clock x;
//!     process P() { state A { x <= 5 }, B; init A; trans A -> B { guard x >= 2 && v < 3; assign v++, x = 0; }; }
//!     system P;";
//! let loaded = guidepost_language::load_text("example.xta", text);
//! let (network, diagnostics) = guidepost_network::build(&loaded.model);
//! assert!(diagnostics.is_empty());
//! let network = network.unwrap();
//! let run = guidepost_network::interpreter::simulate(&network, 1, 10);
//! assert_eq!(run.steps.len(), 1);
//! assert_eq!(run.steps[0].state.variables, [1]);
//! ```
#![forbid(unsafe_code)]

pub mod build;
pub mod code;
pub mod exchange;
pub mod flat;
pub mod interpreter;
mod meetings;
pub mod network;
pub mod query;
pub mod symmetry;

pub use build::{Names, build};
pub use code::*;
pub use exchange::Exchange;
pub use meetings::Meetings;
pub use network::*;
pub use query::*;
pub use symmetry::{Asymmetry, Content, EdgeIndex, Family, Renaming, ScalarSet, Symmetries};
