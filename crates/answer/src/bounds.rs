//! How large and how small values get.

use guidepost_language::model::BoundKind;

/// What a `sup`, `inf` or `bounds` query measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measurement {
    /// Which bounds were asked for.
    pub kind: BoundKind,
    /// One per expression of the query.
    pub items: Vec<Measured>,
}

/// One expression and its range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    /// The expression, as written.
    pub expression: String,
    /// Its range.
    pub value: BoundValue,
}

/// The range of a value over all states that were asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundValue {
    /// The greatest lower bound, and whether it is only approached; `None` when no state qualifies.
    pub inf: Option<(i64, bool)>,
    /// The least upper bound, and whether it is only approached; `None` when there is none (or no state qualifies, see [`BoundValue::inf`]).
    pub sup: Option<(i64, bool)>,
}

impl Measurement {
    /// The one bound that a `sup` or `inf` query with one expression asks for: `None` for other queries, `Some(None)` when there is none.
    pub fn single(&self) -> Option<Option<i64>> {
        let [Measured { value, .. }] = self.items.as_slice() else { return None };
        let bound = match self.kind {
            BoundKind::Sup => value.sup.filter(|_| value.inf.is_some()),
            BoundKind::Inf => value.inf,
            BoundKind::Bounds => return None,
        };
        Some(bound.map(|(bound, _)| bound))
    }
}
