//! Scopes and the declaration of names.

use super::Checker;
use super::effects::SymbolFacts;
use super::index::Target;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Names, Symbol, SymbolId, SymbolKind, Type};
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::{Ident, Name};

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

    /// The visible names that are wanted, in alphabetical order, for suggestions.
    pub(super) fn sorted_names(&self, wanted: impl Fn(SymbolId) -> bool) -> Vec<Name> {
        let names = self.frames.iter().flatten().filter(|(_, id)| wanted(**id));
        let mut names: Vec<_> = names.map(|(name, _)| name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// What a name is expected to stand for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Wanted {
    /// A variable, a constant, …
    Value,
    /// Something with arguments.
    Function,
    /// A template or an instance of one.
    Template,
}

/// More suggestions than this nobody reads, and finding them takes time.
const MOST_SUGGESTIONS: u32 = 100;

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
        self.note(name.span, Target::Symbol(id));
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
            if first != Span::default() {
                diagnostic = diagnostic.related(first, "first declared here");
            }
            self.report(diagnostic);
            return;
        }
        self.warn_of_hiding(name, id);
        self.scopes.innermost().insert(name.name.clone(), id);
    }

    /// A declaration that hides another: both are in the author's mind, and only one is meant. Parameters are often called like what is passed, and a location
    /// cannot be taken for a value: they hide without a word.
    fn warn_of_hiding(&mut self, name: &Ident, id: SymbolId) {
        let is_quiet = matches!(
            self.model.symbol(id).kind,
            SymbolKind::Param(_)
                | SymbolKind::Location(..)
                | SymbolKind::Template(_)
                | SymbolKind::Instance(_)
        );
        let Some(hidden) = self.scopes.find(&name.name).filter(|_| !is_quiet) else { return };
        let facts = &mut self.facts[hidden.index()];
        if facts.builtin {
            return;
        }
        // The name is used after all, though not the variable: one warning is enough.
        facts.read = true;
        let message = format!("`{}` hides a declaration of the same name", name.name);
        let declared = self.model.symbol(hidden).span;
        self.report(Diagnostic::new(Code::Shadowing, name.span, message).related(declared, "the hidden one"));
    }

    pub(super) fn lookup(&mut self, name: &Ident, wanted: Wanted) -> Option<SymbolId> {
        let found = self.scopes.find(&name.name);
        if found.is_none() {
            self.report_unknown(name, wanted);
        }
        found
    }

    fn report_unknown(&mut self, name: &Ident, wanted: Wanted) {
        if &*name.name == "reward" && wanted == Wanted::Value {
            let message = "`reward` is not supported: ratios of cost and reward are another analysis";
            self.report(Diagnostic::new(Code::NotSupported, name.span, message));
            return;
        }
        let message = match wanted {
            Wanted::Value => format!("`{}` is not declared", name.name),
            Wanted::Function => format!("there is no function `{}`", name.name),
            Wanted::Template => format!("there is no template or process `{}`", name.name),
        };
        let mut diagnostic = Diagnostic::new(Code::UnknownName, name.span, message);
        if let Some(span) = self.declared_later(&name.name) {
            diagnostic = diagnostic.related(span, "declared only here, behind its use");
        } else if let Some(hint) = self.hint_for_unknown(name, wanted) {
            diagnostic = diagnostic.hint(hint);
        }
        self.report(diagnostic);
    }

    fn hint_for_unknown(&mut self, name: &Ident, wanted: Wanted) -> Option<String> {
        if self.suggestions == MOST_SUGGESTIONS {
            return None;
        }
        self.suggestions += 1;
        let fits = |id: SymbolId| match self.model.symbol(id).kind {
            SymbolKind::Function(_) => wanted == Wanted::Function,
            SymbolKind::Template(_) | SymbolKind::Instance(_) => wanted == Wanted::Template,
            SymbolKind::Type | SymbolKind::Location(..) => false,
            _ => wanted == Wanted::Value,
        };
        let names = self.scopes.sorted_names(fits);
        let keyword = (self.in_query && wanted == Wanted::Value).then_some("deadlock");
        if let Some(near) = nearest(&name.name, names.iter().map(|name| &**name).chain(keyword)) {
            return Some(format!("did you mean `{near}`?"));
        }
        if matches!(&*name.name, "break" | "continue") && self.function.is_some() {
            return Some(format!("there is no `{}`; end the loop by its condition, or return", name.name));
        }
        self.local_elsewhere(name)
    }

    /// Where a name is declared that is not visible yet.
    pub(super) fn declared_later(&self, name: &str) -> Option<Span> {
        let of_template = self.later_in_template.iter().chain(&self.later).find(|later| &*later.name == name);
        of_template.map(|later| later.span)
    }

    /// A name that some template declares locally is often used as if it were global.
    fn local_elsewhere(&self, name: &Ident) -> Option<String> {
        let owner = self.model.templates.iter().find(|template| template.names.contains_key(&name.name))?;
        let name = &name.name;
        if !self.in_query {
            return Some(format!(
                "`{name}` is local to template `{}`; declare it globally to share it",
                owner.name
            ));
        }
        let made_from = |process: &&crate::model::ProcessDecl| {
            let template = self.model.template(self.template_of(process.callee));
            template.name == owner.name
        };
        let process = self.model.processes.iter().find(made_from)?;
        let example = self.example_process(process);
        Some(format!("`{name}` belongs to template `{}`; write `{example}.{name}`", owner.name))
    }
}
