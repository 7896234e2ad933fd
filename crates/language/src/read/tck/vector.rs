//! Synchronisation vectors.
//!
//! `sync:P@a:Q@b` makes the edges of P with event `a` and those of Q with event `b` move together and only so. Two processes that must both move
//! are a plain channel; the first on the line sends, because TChecker runs updates in that order and UPPAAL runs the sender's first.
//! All other vectors stay vectors.

use super::Reader;
use super::line::Declaration;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::suggest;
use crate::syntax::{
    Decl, Declarator, Direction, Expr, ExprKind, Ident, Name, Sync, SyncVector, TypeBase, TypeExpr,
};
use std::collections::HashMap;

/// A vector with its participants resolved.
pub(super) struct Vector {
    name: Name,
    participants: Vec<Participant>,
    span: Span,
}

struct Participant {
    /// Index in process order.
    process: usize,
    event: Name,
    weak: bool,
    ident: Ident,
}

impl Vector {
    fn is_channel(&self) -> bool {
        self.participants.len() == 2 && self.participants.iter().all(|participant| !participant.weak)
    }

    /// How an edge of one of its processes takes part.
    fn sync(&self, process: usize, span: Span) -> Sync {
        let first = self.participants.first().map(|participant| participant.process);
        let direction = match (self.is_channel(), first == Some(process)) {
            (true, true) => Direction::Send,
            (true, false) => Direction::Receive,
            (false, _) => Direction::Join,
        };
        let channel = Expr { kind: ExprKind::Name(self.name.clone()), span };
        Sync { channel, direction, span }
    }
}

/// All vectors of a model.
pub(super) struct Vectors {
    list: Vec<Vector>,
    /// By process and event, the vectors that they take part in.
    of_event: HashMap<(usize, Name), Vec<usize>>,
}

impl Vectors {
    pub(super) fn new(list: Vec<Vector>) -> Self {
        let mut of_event: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, vector) in list.iter().enumerate() {
            for participant in &vector.participants {
                of_event.entry((participant.process, participant.event.clone())).or_default().push(index);
            }
        }
        Self { list, of_event }
    }

    /// How an edge of a process takes part in each of the vectors of its event.
    pub(super) fn syncs<'v>(&'v self, process: usize, event: &Ident) -> impl Iterator<Item = Sync> + 'v {
        let span = event.span;
        let vectors = self.of_event.get(&(process, event.name.clone())).into_iter().flatten();
        vectors.map(move |&vector| self.list[vector].sync(process, span))
    }
}

impl Reader<'_> {
    /// Reads a `sync` declaration.
    pub(super) fn vector(&mut self, declaration: &Declaration) -> Option<Vector> {
        let participants: Option<Vec<_>> =
            declaration.fields.iter().map(|field| self.participant(field)).collect();
        let participants = participants?;
        for (index, participant) in participants.iter().enumerate() {
            let earlier = participants[..index].iter().find(|other| other.process == participant.process);
            if let Some(earlier) = earlier {
                let message = format!("process `{}` takes part twice", participant.ident.name);
                let diagnostic = Diagnostic::new(Code::DuplicateName, participant.ident.span, message);
                self.out.push(diagnostic.related(earlier.ident.span, "first here"));
                return None;
            }
        }
        let parts: Vec<_> = participants.iter().map(|p| format!("{}_{}", p.ident.name, p.event)).collect();
        let name = self.fresh(&parts.join("__"));
        Some(Vector { name, participants, span: declaration.span })
    }

    /// Reads `process@event` or `process@event?`.
    fn participant(&mut self, field: &Ident) -> Option<Participant> {
        let Some((process, event)) = field.name.split_once('@') else {
            let message = "expected `process@event`";
            self.out.push(Diagnostic::new(Code::UnexpectedToken, field.span, message));
            return None;
        };
        let (event, weak) = match event.trim_end().strip_suffix('?') {
            Some(event) => (event, true),
            None => (event, false),
        };
        let part = |text: &str, offset: usize| {
            let start = field.span.start + (offset + text.len() - text.trim_start().len()) as u32;
            let name = text.trim();
            Ident::new(name, Span::new(field.span.file, start, start + name.len() as u32))
        };
        let ident = part(process, 0);
        let event = part(event, process.len() + 1);
        let process = self.process_index(&ident)?;
        self.check_event(&event)?;
        Some(Participant { process, event: event.name, weak, ident })
    }

    pub(super) fn check_event(&mut self, event: &Ident) -> Option<()> {
        if self.events.contains_key(&event.name) {
            return Some(());
        }
        let mut diagnostic =
            Diagnostic::new(Code::UnknownName, event.span, format!("there is no event `{}`", event.name));
        if let Some(near) = suggest::nearest(&event.name, self.events.keys().map(|name| &**name)) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        } else if !event.name.is_empty() {
            diagnostic = diagnostic.hint(format!("declare it: `event:{}`", event.name));
        }
        self.out.push(diagnostic);
        None
    }

    /// Adds the vectors to the document: channels among the declarations, the others as they are.
    pub(super) fn place_vectors(&mut self, vectors: Vectors) {
        for vector in vectors.list {
            if vector.is_channel() {
                let ty = TypeExpr { prefixes: vec![], base: TypeBase::Chan, span: vector.span };
                let name = Ident::new(vector.name, vector.span);
                let channel = Declarator { name, dimensions: vec![], init: None };
                self.document.decls.push(Decl::Variables(ty, vec![channel]));
            } else {
                let participants = vector.participants.into_iter().map(|p| (p.ident, p.weak)).collect();
                self.document.vectors.push(SyncVector { name: vector.name, participants, span: vector.span });
            }
        }
    }

    /// A name that nothing else has.
    pub(super) fn fresh(&mut self, wish: &str) -> Name {
        let clean: String = wish.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let numbered = (2..).map(|number| format!("{clean}_{number}"));
        let mut candidates = std::iter::once(clean.clone()).chain(numbered);
        let name: Name = candidates.find(|name| !self.taken.contains(name.as_str())).unwrap_or(clean).into();
        self.taken.insert(name.clone());
        name
    }
}
