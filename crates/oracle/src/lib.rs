//! Test support: random networks, and a reference that shares no semantics with the engines it judges.
//!
//! [`generate`] writes small random models that use the whole language, and queries about them. [`regions`] answers the queries by brute
//! force over the region graph (Alur & Dill 1994): no zones, no abstraction but the classic one, nothing clever. [`shrink`] makes a
//! model on which two answers differ as small as it can. The differential tests under `tests/` put them together; see
//! `tests/common/mod.rs` for how to run them for longer.
//!
//! [`machines`] does the same for state/event machines.
//!
//! Architecture invariant: [`regions`] uses the data of a [`Network`](guidepost_network::Network) and the machine that evaluates its
//! expressions, and nothing else: neither the interpreter nor the zones.
#![forbid(unsafe_code)]

pub mod generate;
pub mod machines;
pub mod model;
pub mod random;
pub mod regions;
pub mod shrink;

pub use generate::{Profile, random, random_model, random_queries};
pub use model::Model;
pub use random::Random;
pub use regions::{GiveUp, RegionGraph, explore};
