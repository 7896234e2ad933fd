//! The front end of guidepost: reads UPPAAL's language (.xml, .xta, .ta, .q) and TChecker's (.tck).
//!
//! Text becomes a [`syntax::Document`], a document becomes a typed [`model::Model`]. Both steps always return what they
//! understood *and* a list of [`diagnostic::Diagnostics`]; neither stops at the first error.
#![forbid(unsafe_code)]

pub mod check;
pub mod codes;
pub mod diagnostic;
pub mod load;
pub mod model;
pub mod parse;
pub mod read;
pub mod render;
pub mod source;
pub mod suggest;
pub mod syntax;
pub mod tidy;
pub mod words;
pub mod write;

pub use load::{Indexed, Loaded, load_file, load_indexed, load_queries, load_text};
