//! Warnings about what a model declares and does not use.

use super::Checker;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{SymbolKind, Type};
use crate::syntax::Document;

impl Checker<'_> {
    /// Only for models without errors: otherwise a use may be hidden behind a mistake.
    pub(super) fn report_usage(&mut self, document: &Document) {
        if self.out.has_errors() || document.format == crate::syntax::Format::Tck {
            return;
        }
        self.report_unread_variables();
        self.report_uncalled_functions();
        self.report_unused_templates();
    }

    fn report_unread_variables(&mut self) {
        let mut unread = Vec::new();
        for (symbol, facts) in self.model.symbols.iter().zip(&self.facts) {
            let is_variable = matches!(symbol.kind, SymbolKind::Variable { .. });
            let is_channel = matches!(super::declaration::innermost(&symbol.ty), Type::Chan { .. });
            if !is_variable || facts.read || facts.builtin {
                continue;
            }
            let name = &symbol.name;
            let (code, message) = if is_channel {
                (Code::UnusedChannel, format!("nothing synchronises on the channel `{name}`"))
            } else if super::types::is_clock(&symbol.ty) {
                (Code::UnusedVariable, format!("the clock `{name}` is never tested"))
            } else {
                (Code::UnusedVariable, format!("the value of `{name}` is never used"))
            };
            unread.push(Diagnostic::new(code, symbol.span, message));
        }
        for diagnostic in unread {
            self.report(diagnostic);
        }
    }

    fn report_uncalled_functions(&mut self) {
        let uncalled: Vec<_> = self
            .model
            .symbols
            .iter()
            .zip(&self.facts)
            .filter(|(symbol, facts)| matches!(symbol.kind, SymbolKind::Function(_)) && !facts.read)
            .map(|(symbol, _)| (symbol.name.clone(), symbol.span))
            .collect();
        for (name, span) in uncalled {
            let message = format!("the function `{name}` is never called");
            self.report(Diagnostic::new(Code::UncalledFunction, span, message));
        }
    }

    fn report_unused_templates(&mut self) {
        let mut used = vec![false; self.model.templates.len()];
        for process in &self.model.processes {
            used[self.template_of(process.callee).index()] = true;
        }
        for instance in &self.model.instances {
            // Named in an instantiation: the author knows of it, even if the instance itself is not run.
            used[self.template_of(instance.callee).index()] = true;
        }
        let unused: Vec<_> = self
            .model
            .templates
            .iter()
            .zip(used)
            .filter(|(_, used)| !used)
            .map(|(template, _)| (template.name.clone(), template.span))
            .collect();
        for (name, span) in unused {
            let message = format!("no process is made from template `{name}`");
            self.report(Diagnostic::new(Code::UnusedTemplate, span, message));
        }
    }
}
