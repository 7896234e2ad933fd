//! Collects the messages about a model while it is built.
//!
//! A template is instantiated many times, and each instance would repeat the same complaint; a message is kept once per code and place.

use crate::code::{EvalError, Fault};
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::source::Span;
use std::collections::BTreeSet;

/// The messages so far.
#[derive(Default)]
pub(crate) struct Reporter {
    pub(crate) diagnostics: Diagnostics,
    seen: BTreeSet<(Code, Span)>,
    /// Something could not be built; perhaps because of an error that the front end has already reported.
    pub(crate) failed: bool,
}

impl Reporter {
    /// Adds a message unless the same was said about the same place.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.failed |= diagnostic.is_error();
        if self.seen.insert((diagnostic.code, diagnostic.span)) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Adds a message and gives back nothing, for `return self.report.error(…)`.
    pub(crate) fn error<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Option<T> {
        self.push(Diagnostic::new(code, span, message));
        None
    }

    /// A construct that is understood but not analysed.
    pub(crate) fn unsupported<T>(&mut self, span: Span, what: &str) -> Option<T> {
        let message = format!("{what} is not supported in symbolic analysis");
        self.push(Diagnostic::new(Code::NotSupported, span, message).label("not supported here"));
        None
    }

    /// A clock called `cost` that is used like the cost of CORA's models.
    pub(crate) fn declared_cost<T>(&mut self, span: Span) -> Option<T> {
        let message = "this is about the cost of a run, but `cost` is declared as a clock";
        let hint = "leave out `clock cost;`: the cost needs no declaration";
        self.push(Diagnostic::new(Code::NotSupported, span, message).hint(hint));
        None
    }

    /// An evaluation at build time went wrong.
    pub(crate) fn fault<T>(&mut self, fault: &Fault, span: Span) -> Option<T> {
        self.error(fault.code(), span, fault.to_string())
    }

    /// An evaluation at build time went wrong.
    pub(crate) fn eval_error<T>(&mut self, error: &EvalError, fallback: Span) -> Option<T> {
        let span = if error.span == Span::default() { fallback } else { error.span };
        self.fault(&error.fault, span)
    }

    /// The front end has already reported it.
    pub(crate) fn reported<T>(&mut self) -> Option<T> {
        self.failed = true;
        None
    }
}
