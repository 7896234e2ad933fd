//! Flat networks of timed automata, built from a typed model, and their concrete meaning.
#![forbid(unsafe_code)]

pub mod code;
pub mod network;

pub use code::*;
pub use network::*;
