//! Statecharts in SCXML, W3C's notation for state machines (<https://www.w3.org/TR/scxml/>).
//!
//! A file becomes a [`Chart`]. The [`Interpreter`] executes it, written after the algorithm of the standard. [`check`] explores everything that a chart can
//! do, with an implementation of its own of what a step is, and lets the interpreter replay what it shows.
//!
//! ```
//! use guidepost_machines::scxml::{Environment, check, load_text};
//! let text = "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'>
//!     <state id='off'><transition event='switch' target='on'/></state>
//!     <state id='on'/>
//!     <state id='broken'/>
//! </scxml>";
//! let loaded = load_text("lamp.scxml", text);
//! assert!(loaded.diagnostics.is_empty());
//! let checked = check(&loaded.chart, Environment::Closed, &Default::default());
//! let found: Vec<_> = checked.findings.iter().map(|one| (one.finding.kind.name(), one.finding.place.as_str())).collect();
//! assert_eq!(found, [("deadlock", "on"), ("unreachable-state", "broken")]);
//! ```

mod bits;
pub mod chart;
mod check;
mod choice;
mod content;
mod environment;
mod explain;
mod explore;
mod expression;
mod interpreter;
mod load;
mod read;
mod replay;
mod step;
mod structure;
mod timed;
mod value;
mod xstate;

pub use chart::Chart;
pub use check::check;
pub use choice::{Chooser, Every, Plain};
pub use content::Event;
pub use environment::Environment;
pub use expression::{Binary, Expression, Opaque, Unary};
pub use interpreter::{Interpreter, Session};
pub use load::{Loaded, load_file, load_text};
pub use timed::timed;
pub use value::Value;
