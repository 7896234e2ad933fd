//! From the syntax tree back to text: XTA, XML, query files and Graphviz.
//!
//! The writers print what the tree says, in 4.x syntax whatever the input was; reading their output gives the same tree
//! again (up to positions). What cannot be said in the output format is an error that names it, never a silent loss of meaning.
//! TChecker models are first rewritten into UPPAAL's semantics by `portable`.

mod control;
mod declaration;
mod dot;
mod expression;
mod labels;
mod layout;
mod portable;
mod query;
mod range;
#[cfg(test)]
mod roundtrip;
#[cfg(test)]
pub(crate) use roundtrip::models;
mod xml;
mod xta;

pub use dot::to_dot;
pub use expression::{expression, type_name};
pub use labels::{edge_labels, heading, location_labels};
pub use portable::{is_name, is_plain_name};
pub use query::to_q;
pub(crate) use range::integer;
pub use xml::to_xml;
pub use xta::to_xta;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{SourceMap, Span};
use std::borrow::Cow;

/// A text under construction, with what went wrong on the way.
struct Printer<'a> {
    text: String,
    sources: &'a SourceMap,
    errors: Diagnostics,
    /// Depth of nesting, four blanks each.
    indent: usize,
}

impl<'a> Printer<'a> {
    fn new(sources: &'a SourceMap) -> Self {
        Self { text: String::new(), sources, errors: Diagnostics::default(), indent: 0 }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Starts a new line at the current depth.
    fn line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
    }

    /// Prints items with `separator` between them.
    fn separated<T>(&mut self, separator: &str, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.push(separator);
            }
            print(self, item);
        }
    }

    fn not_expressible(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::new(Code::NotExpressible, span, message));
    }

    /// Copies the user's own text, for constructs that the tree knows by name only.
    fn verbatim(&mut self, span: Span, construct: &str) {
        let written = written_text(self.sources, span);
        if written.trim().is_empty() {
            self.not_expressible(
                span,
                format!("`{construct}` cannot be written out without its source text"),
            );
        }
        self.push(written.trim());
    }

    /// What `print` adds, as a text of its own.
    fn aside(&mut self, print: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.text);
        let indent = std::mem::take(&mut self.indent);
        print(self);
        self.indent = indent;
        std::mem::replace(&mut self.text, before)
    }

    fn finish(self) -> Result<String, Diagnostics> {
        if self.errors.has_errors() { Err(self.errors) } else { Ok(self.text) }
    }
}

/// The text of a span, with XML's escapes undone when it stands in an XML file.
fn written_text(sources: &SourceMap, span: Span) -> Cow<'_, str> {
    let raw = sources.text(span);
    let is_xml = sources.file(span.file).text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
    if !is_xml {
        return Cow::Borrowed(raw);
    }
    let plain = raw.replace("<![CDATA[", "").replace("]]>", "");
    let decoded = quick_xml::escape::unescape(&plain).map(Cow::into_owned);
    Cow::Owned(decoded.unwrap_or(plain))
}
