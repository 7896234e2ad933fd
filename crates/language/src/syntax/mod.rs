//! The syntax tree: what stands in the file, not yet what it means.
//!
//! All input formats (XML, XTA, the 3.x dialect, TChecker's) become one [`Document`]. The tree is what `convert` writes out
//! again, so it keeps names, layout and comments; the 3.x dialect is normalised while it is parsed (a comma between guards becomes
//! `&&`, `const N 3` becomes `const int N = 3`), so that no later pass knows of it.

mod declaration;
mod document;
mod expression;
mod query;
mod template;

pub use declaration::*;
pub use document::*;
pub use expression::*;
pub use query::*;
pub use template::*;

use crate::source::Span;
use std::sync::Arc;

/// A name; cheap to clone.
pub type Name = Arc<str>;

/// A name and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

impl Ident {
    /// A name at a place.
    pub fn new(name: impl Into<Name>, span: Span) -> Self {
        Self { name: name.into(), span }
    }
}
