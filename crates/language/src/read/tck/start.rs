//! Several initial locations.
//!
//! TChecker begins in every combination of initial locations whose invariants hold. Where a process has several, every process begins in a made-up location,
//! and one synchronisation of all of them, before which nothing else can happen, chooses the combination. Queries do not count the state before
//! it (see [`Document::chooses_start`](crate::syntax::Document::chooses_start)).

use super::Reader;
use crate::source::Span;
use crate::syntax::{Direction, Edge, Expr, ExprKind, Ident, Location, Node, Sync, SyncVector, Template};

impl Reader<'_> {
    /// Adds the choice, if there is one.
    pub(super) fn choose_start(&mut self) {
        if self.initial.iter().all(|locations| locations.len() < 2) || self.out.has_errors() {
            return;
        }
        let location = self.fresh("start");
        let vector = self.fresh("choose_initial");
        let mut participants = Vec::new();
        let span = self.document.system.span;
        for (template, initial) in self.document.templates.iter_mut().zip(&self.initial) {
            participants.push((template.name.clone(), false));
            let channel = Expr { kind: ExprKind::Name(vector.clone()), span };
            let sync = Sync { channel, direction: Direction::Join, span };
            add_start(template, initial, Ident::new(location.clone(), template.name.span), &sync);
        }
        self.document.vectors.push(SyncVector { name: vector, participants, span });
        self.document.chooses_start = true;
    }
}

fn add_start(template: &mut Template, initial: &[usize], name: Ident, sync: &Sync) {
    let start = template.locations.len();
    template.init = Some(start);
    for &target in initial {
        let span: Span = template.locations[target].span;
        let edge = Edge::plain(Node::Location(start), Node::Location(target), span);
        template.edges.push(Edge { sync: Some(sync.clone()), ..edge });
    }
    template.locations.push(Location { anonymous: true, committed: true, ..Location::plain(name) });
}
