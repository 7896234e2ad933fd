//! PLC automata: a front end for people who program controllers.
//!
//! A programmable logic controller polls its inputs, computes, writes its outputs, and does so again, within a known time. A `.plc` file says what such
//! controllers do: programs with locations, delays and transitions on input conditions; nodes that run them, on devices of their own or shared; what the
//! environment provides; what must never happen. This crate reads such files and translates them into networks of timed
//! automata, which then go the way of every other model. Variants hide parts of a system, so that models of growing size come from one file.
//!
//! ```
//! let text = "
//!     input button : bool;
//!     program Lamp {
//!         input pressed : bool;
//!         output lit : bool;
//!         initial location Off { lit := false; when pressed goto On; otherwise stay; }
//!         location On { lit := true; delay 30 while pressed; when pressed goto Off; otherwise stay; }
//!     }
//!     node Hall : Lamp(pressed := button) cycle 10;
//!     property dark : never Hall.lit expect fails;
//! ";
//! let loaded = guidepost_plc::load_text("lamp.plc", text, None);
//! assert!(loaded.diagnostics.is_empty());
//! assert_eq!(loaded.document.queries[0].text, "A[] !Hall_lit");
//! ```
//!
//! The format is described in `docs/plc.md`.
#![forbid(unsafe_code)]

mod load;
pub mod names;
mod parse;
mod selection;
mod syntax;
mod system;
mod translate;
mod variant;

pub use load::{ModelPath, load_file, load_text, variants};
