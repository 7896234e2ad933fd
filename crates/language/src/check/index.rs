//! Where names stand and what they mean, for editors.
//!
//! Checking resolves every name and forgets where it stood. Whoever wants to know asks for an [`Index`]: the checker then notes each name that it
//! meets, declared or used. Nothing is noted otherwise.

use super::Checker;
use super::effects::constant;
use crate::model::{Expr, Model, SymbolId};
use crate::source::{FileId, Span};
use crate::syntax::{self, Node};

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Target {
    /// A symbol of the model.
    Symbol(SymbolId),
    /// The field of a struct that is declared there.
    Field(Span),
    /// The branch point that is declared there.
    Branchpoint(Span),
}

/// A name in the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Occurrence {
    /// Where it stands.
    pub span: Span,
    /// What it means.
    pub target: Target,
}

/// All names of a model in the order of the text, and the values of its constants.
#[derive(Clone, Debug, Default)]
pub struct Index {
    occurrences: Vec<Occurrence>,
    /// By symbol: the value of a constant, where it can be told without instantiating anything.
    values: Vec<Option<i64>>,
}

impl Index {
    /// All names, in the order of the text.
    pub fn occurrences(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// The name at an offset: one that contains it, or that ends there.
    pub fn at(&self, file: FileId, offset: u32) -> Option<Occurrence> {
        let before = self
            .occurrences
            .partition_point(|occurrence| (occurrence.span.file, occurrence.span.start) <= (file, offset));
        let nearest = self.occurrences[..before].iter().rev().take(2);
        nearest.copied().find(|occurrence| occurrence.span.file == file && occurrence.span.end >= offset)
    }

    /// All places of a name.
    pub fn places(&self, target: Target) -> impl Iterator<Item = Span> + '_ {
        let same = self.occurrences.iter().filter(move |occurrence| occurrence.target == target);
        same.map(|occurrence| occurrence.span)
    }

    /// The value of a constant expression, where it can be told without instantiating anything.
    pub fn constant(&self, expr: &Expr) -> Option<i64> {
        constant(expr, &|id| self.value(id))
    }

    /// The value of a constant, where it can be told without instantiating anything.
    pub fn value(&self, id: SymbolId) -> Option<i64> {
        self.values.get(id.index()).copied().flatten()
    }

    pub(super) fn into_occurrences(self) -> Vec<Occurrence> {
        self.occurrences
    }
}

impl Checker<'_> {
    /// Notes what a name means.
    pub(super) fn note(&mut self, span: Span, target: Target) {
        if let Some(occurrences) = &mut self.occurrences
            && span.start < span.end
        {
            occurrences.push(Occurrence { span, target });
        }
    }

    /// Notes where the text names locations and branch points.
    pub(super) fn note_nodes(&mut self, template: &syntax::Template, locations: &[SymbolId]) {
        if self.occurrences.is_none() {
            return;
        }
        for point in &template.branchpoints {
            self.note(point.name.span, Target::Branchpoint(point.name.span));
        }
        for &(span, node) in &template.mentions {
            let target = match node {
                Node::Location(index) => Target::Symbol(locations[index]),
                Node::Branchpoint(index) => Target::Branchpoint(template.branchpoints[index].name.span),
            };
            self.note(span, target);
        }
    }

    /// The model and its index.
    pub(super) fn into_index(self) -> (Model, Index) {
        let mut occurrences = self.occurrences.unwrap_or_default();
        // What is checked twice is noted twice.
        occurrences.sort_unstable();
        occurrences.dedup();
        let values = self.facts.iter().map(|facts| facts.value).collect();
        (self.model, Index { occurrences, values })
    }
}
