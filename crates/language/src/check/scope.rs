//! Scopes and the declaration of names.

use super::Checker;
use super::effects::SymbolFacts;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Names, Symbol, SymbolId, SymbolKind, Type};
use crate::suggest::nearest;
use crate::syntax::Ident;

/// The nested scopes, innermost last.
#[derive(Default)]
pub(super) struct Scopes {
    frames: Vec<Names>,
}

impl Scopes {
    pub(super) fn open(&mut self) {
        self.frames.push(Names::new());
    }

    pub(super) fn open_with(&mut self, names: Names) {
        self.frames.push(names);
    }

    pub(super) fn close(&mut self) -> Names {
        self.frames.pop().expect("scopes are closed as often as they are opened")
    }

    pub(super) fn find(&self, name: &str) -> Option<SymbolId> {
        self.frames.iter().rev().find_map(|frame| frame.get(name)).copied()
    }

    fn innermost(&mut self) -> &mut Names {
        self.frames.last_mut().expect("a scope is open")
    }

    /// All names that are visible, inner ones hiding outer ones.
    pub(super) fn flatten(&self) -> Names {
        let mut all = Names::new();
        for frame in &self.frames {
            all.extend(frame.iter().map(|(name, id)| (name.clone(), *id)));
        }
        all
    }

    /// All visible names in alphabetical order, for suggestions.
    fn sorted_names(&self) -> Vec<crate::syntax::Name> {
        let mut names: Vec<_> = self.frames.iter().flat_map(|frame| frame.keys().cloned()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Checker<'_> {
    /// Makes a symbol without a name in scope.
    pub(super) fn new_symbol(&mut self, name: &Ident, kind: SymbolKind, ty: Type) -> SymbolId {
        let id = SymbolId(self.model.symbols.len() as u32);
        self.model.symbols.push(Symbol {
            name: name.name.clone(),
            span: name.span,
            kind,
            ty,
            written: false,
        });
        self.facts.push(SymbolFacts::default());
        id
    }

    /// Declares a name in the innermost scope; a second declaration there is an error, and the first one stays.
    pub(super) fn declare(&mut self, name: &Ident, kind: SymbolKind, ty: Type) -> SymbolId {
        let id = self.new_symbol(name, kind, ty);
        self.bring_into_scope(name, id);
        id
    }

    pub(super) fn bring_into_scope(&mut self, name: &Ident, id: SymbolId) {
        if let Some(&first) = self.scopes.innermost().get(&name.name) {
            let first = self.model.symbol(first).span;
            let message = format!("`{}` is declared twice", name.name);
            let mut diagnostic =
                Diagnostic::new(Code::DuplicateName, name.span, message).label("declared again here");
            if first != crate::source::Span::default() {
                diagnostic = diagnostic.related(first, "first declared here");
            }
            self.report(diagnostic);
            return;
        }
        self.scopes.innermost().insert(name.name.clone(), id);
    }

    pub(super) fn lookup(&mut self, name: &Ident) -> Option<SymbolId> {
        let found = self.scopes.find(&name.name);
        if found.is_none() {
            self.report_unknown(name);
        }
        found
    }

    fn report_unknown(&mut self, name: &Ident) {
        let mut diagnostic =
            Diagnostic::new(Code::UnknownName, name.span, format!("`{}` is not declared", name.name));
        let names = self.scopes.sorted_names();
        let processes: Vec<_> = self.model.processes.iter().map(|process| process.name.clone()).collect();
        let candidates = names.iter().chain(&processes).map(|name| &**name);
        if let Some(near) = nearest(&name.name, candidates) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        } else if let Some(hint) = self.later_template_hint(name) {
            diagnostic = diagnostic.hint(hint);
        }
        self.report(diagnostic);
    }

    /// A name that some template declares locally is often used as if it were global.
    fn later_template_hint(&self, name: &Ident) -> Option<String> {
        let owner = self.model.templates.iter().find(|template| template.names.contains_key(&name.name))?;
        Some(format!(
            "`{}` is local to template `{}`; write `P.{}` with a process P in queries, or declare it globally",
            name.name, owner.name, name.name
        ))
    }
}
