//! Zones: the symbolic sets of clock valuations that a model checker for timed automata computes with.
//!
//! Clocks are real-valued, so a timed automaton has uncountably many states. What guards and invariants can
//! distinguish, however, are conjunctions of bounds on clocks and on differences of clocks, and the sets of
//! valuations that satisfy such conjunctions, *zones*, are closed under everything a transition does: guards
//! (intersection), resets, delay. A zone is represented by a *difference bound matrix*, a small square of
//! integers, and all operations are a few loops over it.
//!
//! ```
//! use guidepost_zones::{Bound, Zone};
//!
//! // Two clocks x1, x2 start at 0 and run (clock 0 is the constant zero).
//! let mut zone = Zone::zero(3);
//! zone.up();
//! assert_eq!(zone.to_string(), "x1 - x2 <= 0 and x2 - x1 <= 0");
//!
//! // A transition with guard 2 <= x1 < 5 that resets x2, then time passes again.
//! assert!(zone.constrain(0, 1, Bound::le(-2)) && zone.constrain(1, 0, Bound::lt(5)));
//! zone.reset(2, 0);
//! zone.up();
//! assert_eq!(zone.to_string(), "x1 - x2 < 5 and x2 - x1 <= -2");
//!
//! // The valuation x1 = 7/2, x2 = 1/4 is in it: 3.25 lies between 2 and 5.
//! assert!(zone.contains(&[0, 14, 1], 4));
//! ```
//!
//! # What is where
//!
//! | module | idea |
//! |---|---|
//! | [`bound`] | `< c`, `<= c` and infinity in one `i32`; why nothing overflows |
//! | [`dbm`] | the matrix, over owned or borrowed storage; reading it |
//! | [`closing`] | canonical form; constraining, intersecting |
//! | [`time`] | delay, past, delay with stopped clocks |
//! | [`assignment`] | free, reset, copy, shift |
//! | `rows` (private) | the inner loops: blocks of four, small dimensions compiled apart |
//! | [`relation`] | inclusion, comparison, convex hull |
//! | [`minimal`] | the few constraints that say it all |
//! | [`dimension`] | leaving clocks out and putting them in |
//! | [`extrapolation`] | `Extra_M`, `Extra+_M`, `Extra_LU`, `Extra+_LU` |
//! | [`subsumption`] | aLU subsumption |
//! | [`federation`] | unions; subtraction |
//! | [`cdd`] | unions as decision diagrams |
//! | [`predecessor`] | waiting without passing what is bad |
//! | [`union`] | zones that together are a zone |
//! | [`interpolation`] | why two zones have nothing in common |
//! | [`diagonal`] | normalisation for models with diagonal guards |
//! | [`minimum`] | linear functions under difference constraints, exactly |
//! | [`priced`] | zones with a linear cost function |
//!
//! Architecture invariant: this crate knows numbers only. Which constants and which abstraction are sound
//! for a given model and question is decided elsewhere.

#![forbid(unsafe_code)]
#![allow(clippy::needless_bitwise_bool, reason = "inner loops combine conditions without branches")]

pub mod assignment;
pub mod bound;
pub mod cdd;
pub mod closing;
pub mod dbm;
pub mod diagonal;
pub mod dimension;
pub mod extrapolation;
pub mod federation;
pub mod interpolation;
pub mod minimal;
pub mod minimum;
pub mod predecessor;
pub mod priced;
pub mod relation;
mod rows;
pub mod simulation;
pub mod subsumption;
pub mod time;
pub mod union;

pub use bound::{Bound, BoundOutOfRange, Constraint};
pub use dbm::{Dbm, Zone, ZoneMut, ZoneRef};
pub use dimension::FREE;
pub use extrapolation::{LuBounds, NO_BOUND};
pub use federation::Federation;
pub use predecessor::pred_t;
pub use priced::PricedZone;
pub use relation::Relation;
pub use subsumption::{alu_query, is_covered};
pub use union::Unions;
