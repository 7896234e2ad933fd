//! Readers of the file formats that have a structure of their own: UPPAAL's XML and TChecker's line format.
//!
//! Both produce the same [`Document`](crate::syntax::Document) as the parser of textual models does, and both hand every
//! expression they find to [`parse`](crate::parse) as a [`Fragment`](crate::source::Fragment) that leads back to the file.

mod tck;
mod xml;

pub use tck::read_tck;
pub use xml::read_xml;
pub use xml::tree as markup;

#[cfg(test)]
mod corpus;
