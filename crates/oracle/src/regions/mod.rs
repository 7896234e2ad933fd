//! The reference: explicit exploration of the region graph.
//!
//! A state is ⟨locations, values, [`Region`]⟩. There are finitely many, they are all built, and every question is a fixpoint over them. Nothing is
//! abstracted beyond what defines regions: clocks are exact up to the largest constant they are compared with. With diagonal
//! constraints not even that is sound (Bouyer 2003), so there clocks stay exact and networks whose clocks grow without end are given up.
//!
//! | file | |
//! |---|---|
//! | `region` | clock values that behave alike; time, resets |
//! | `discrete` | what locations and data allow: offers, invariants, urgency |
//! | `moves` | joining offers to transitions: channels, broadcasts, vectors, the committed rule, priorities |
//! | `graph` | all reachable states, shallow ones first |
//! | `prices` | least costs, by the corners of regions |
//! | `questions` | goals, distances, deadlock, E\[\], A<>, -->, sup and inf |

mod discrete;
mod graph;
mod moves;
mod prices;
mod questions;
mod region;

pub use discrete::Failure;
pub use graph::{Action, Delay, GiveUp, Limits, RegionGraph, explore};
pub use questions::Extreme;
pub use region::Region;
