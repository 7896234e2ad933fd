//! Messages about a model: one type for all of them, rendered elsewhere.
//!
//! A diagnostic has a stable [`Code`], a severity, a primary span with a short label, optional secondary spans, and hints.
//! Passes push diagnostics and go on; nothing in this crate stops at the first error.

use crate::source::Span;

pub use crate::codes::Code;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model can be used; something in it is probably a mistake.
    Warning,
}

/// One message about the input.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnostic {
    /// The stable code, `E0xx` or `W0xx`.
    pub code: Code,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// A few words under the underlined text; may be empty.
    pub label: String,
    /// Other places that matter, each with a few words.
    pub related: Vec<(Span, String)>,
    /// What to do about it.
    pub hints: Vec<String>,
}

impl Diagnostic {
    /// A message at a place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            hints: Vec::new(),
        }
    }

    /// Adds the words under the underlined text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The message as a warning, if it is an error: about a template that no process uses, so that nothing depends on it.
    #[must_use]
    pub fn in_unused_template(self) -> Self {
        if !self.is_error() {
            return self;
        }
        let message = format!("{} ({}), in a template that no process uses", self.message, self.code);
        Self { code: Code::UnusedTemplateError, message, ..self }
    }

    /// The severity, which follows from the code.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Whether this is an error.
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }
}

/// A list of messages that passes append to.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Appends a message. A message of the same code at the same place is kept once.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let repeated = self.list.iter().rev().take(8).any(|old| *old == diagnostic);
        if !repeated {
            self.list.push(diagnostic);
        }
    }

    /// Appends all of `other`.
    pub fn extend(&mut self, other: Diagnostics) {
        for diagnostic in other.list {
            self.push(diagnostic);
        }
    }

    /// Whether any message is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(Diagnostic::is_error)
    }

    /// The messages in the order they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Sorts the messages by their place in the text (errors and warnings interleaved, as a reader goes through the file).
    pub fn sort(&mut self) {
        self.list.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<T: IntoIterator<Item = Diagnostic>>(diagnostics: T) -> Self {
        let mut all = Diagnostics::default();
        diagnostics.into_iter().for_each(|diagnostic| all.push(diagnostic));
        all
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
