//! Flat networks of timed automata, built from a typed model, and their concrete meaning.
#![forbid(unsafe_code)]

pub mod build;
pub mod code;
pub mod interpreter;
pub mod network;
pub mod query;

pub use build::{Names, build};
pub use code::*;
pub use network::*;
pub use query::*;
