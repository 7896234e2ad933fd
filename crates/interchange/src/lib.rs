//! Models in the formats of other tools.
//!
//! A [`System`] is what these formats have in common: processes with locations and edges, bounded integers, clocks, events and vectors of events that happen
//! together. A model becomes one by way of its flat network ([`System::for_tck`], [`System::for_jani`]), and a system is written as `TChecker`'s `.tck` ([`System::to_tck`]) or as JANI
//! ([`System::to_jani`]). JANI is read into a system as well ([`System::from_jani`]), which the front end then reads as `.tck`.
//!
//! What a format has no words for is refused by name: a file that means something else would be worse than none.
#![forbid(unsafe_code)]

mod broadcast;
mod channels;
mod expression;
mod jani;
mod load;
mod names;
mod plain;
mod system;
mod tck;
mod variables;

pub use load::{load_file, load_text};
pub use system::{Edge, Expr, Integers, Location, Operator, Process, Refusal, System, Target, Vector};
