//! Terms: expressions with every name an address and every constant folded.
//!
//! The stage between typed expressions and instructions. Here lives everything that wants to look *into* an expression: folding,
//! negation, value ranges, the clocks an update writes. A term is built by the constructor functions below, which fold as they go, so that
//! `N > 3 && v == id` of a template instance is already `v == 2` (or false) when anyone sees it.
//!
//! Other crates can read terms ([`Codes::listing`](super::Codes::listing)), take them apart, and join parts of them to conditions; they cannot make
//! new ones, so that every term makes sense in the network it comes from.

use super::instruction::{CopyPlan, Mode};
use super::interval::{can_fault, interval};
use super::{Arithmetic, Comparison, Fault, Subject};
use guidepost_language::model::FunctionId;
use guidepost_language::source::Span;

/// A resolved expression. Addresses are those of the machine's memory: processes first, then variables.
#[derive(Clone, Debug)]
pub enum Term {
    /// A number.
    Const(i32),
    /// Evaluates to nothing but this fault; for code that may never run.
    Fault(Box<Fault>, Span),
    /// The location cell of a process: a `LocationId`.
    Location(u32),
    /// The value of a data cell.
    Load(Box<Place>),
    /// `-e`
    Negate(Box<Term>, Span),
    /// `abs(e)`
    Abs(Box<Term>, Span),
    /// 1 for zero, 0 for all else.
    Not(Box<Term>),
    /// 0 or 1.
    Truth(Box<Term>),
    /// Arithmetic on two values.
    Arith(Arithmetic, Box<Term>, Box<Term>, Span),
    /// A comparison of two values.
    Compare(Comparison, Box<Term>, Box<Term>),
    /// Short-circuit; 0 or 1.
    And(Vec<Term>),
    /// Short-circuit; 0 or 1.
    Or(Vec<Term>),
    /// `condition ? then : otherwise`
    If(Box<Term>, Box<Term>, Box<Term>),
    /// An assignment to a data cell.
    Assign(Box<Assignment>),
    /// A call.
    Call(Box<Call>),
    /// A quantifier or sum that was not expanded.
    Quantified(Box<Quantified>),
    /// The address of a data place.
    Address(Box<Place>, Mode),
    /// The number of the clock or channel at a place.
    Number(Box<Place>),
    /// Whether so many cells at two addresses are equal.
    Equal(Box<Term>, Box<Term>, u32),
    /// A copy of an array or struct.
    Copy(Box<AggregateCopy>),
    /// A clock is set to a value.
    SetClock(Box<Place>, Box<Term>, Span),
    /// Target, source, offset.
    CopyClock(Box<Place>, Box<Place>, Box<Term>),
    /// `cost += e`: the transition pays so much more.
    Pay(Box<Term>, Span),
    /// One after the other; the value is the last one's.
    Sequence(Vec<Term>),
    /// The value, if it lies within the range.
    Check(Box<Checked>),
}

/// A place in memory (or among the clocks or channels): where it begins, plus constant and computed offsets.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Place {
    /// Where the object begins.
    pub base: Base,
    /// Constant distance from there.
    pub offset: u32,
    /// What is added to that.
    pub indices: Vec<Indexing>,
    /// The whole object, as start and length, when it is known.
    pub extent: Option<(u32, u32)>,
    /// Smallest value in a data cell.
    pub min: i32,
    /// Largest value in a data cell.
    pub max: i32,
    /// What to call the cell when it is not a variable of the state.
    pub subject: Subject,
}

/// Where an object begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// At this address.
    Fixed(u32),
    /// At the address in this cell: a reference parameter of a function.
    Indirect(u32),
}

/// An array index that is not constant.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Indexing {
    /// The index.
    pub index: Term,
    /// The first index of the array.
    pub low: i32,
    /// How many elements it has.
    pub count: u32,
    /// Cells per element.
    pub stride: u32,
    /// Where it stands.
    pub span: Span,
}

impl Place {
    /// The address, when it is known.
    pub fn address(&self) -> Option<u32> {
        match self.base {
            Base::Fixed(base) if self.indices.is_empty() => Some(base + self.offset),
            _ => None,
        }
    }

    /// All addresses that can be meant, when the base is known.
    pub fn candidates(&self) -> Option<Vec<u32>> {
        let Base::Fixed(base) = self.base else { return None };
        let mut addresses = vec![base + self.offset];
        for index in &self.indices {
            let strides = || (0..index.count).map(|k| k * index.stride);
            addresses = addresses.iter().flat_map(|&start| strides().map(move |by| start + by)).collect();
        }
        addresses.sort_unstable();
        addresses.dedup();
        Some(addresses)
    }
}

/// An assignment.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Assignment {
    /// What is written.
    pub place: Place,
    /// `place := place ∘ value` rather than `place := value`.
    pub op: Option<Arithmetic>,
    /// The value.
    pub value: Term,
    /// The value of the whole is the one before the assignment (`v++`).
    pub postfix: bool,
    /// Where it stands.
    pub span: Span,
}

/// A call of a function.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Call {
    /// The function, and the process that it belongs to when it is declared in a template.
    pub origin: (FunctionId, Option<u32>),
    /// Index of the compiled function in its segment.
    pub(crate) function: usize,
    /// Values, or addresses of references and aggregates.
    pub args: Vec<Term>,
    /// Where a returned struct is copied to, and how.
    pub result: Option<(u32, CopyPlan)>,
    /// Smallest result.
    pub min: i32,
    /// Largest result.
    pub max: i32,
    /// Where it stands.
    pub span: Span,
}

/// A quantifier or sum that runs as a loop.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Quantified {
    /// Which one.
    pub quantifier: guidepost_language::model::Quantifier,
    /// The cell of the variable.
    pub cell: u32,
    /// Its first value.
    pub low: i32,
    /// Its last value.
    pub high: i32,
    /// What is evaluated for each value.
    pub body: Term,
    /// Where it stands.
    pub span: Span,
}

/// A copy of an array or struct.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AggregateCopy {
    /// Address of the target.
    pub target: Term,
    /// Address of the source.
    pub source: Term,
    /// How it is done.
    pub plan: CopyPlan,
    /// Where it stands.
    pub span: Span,
}

/// A value that must lie within a range.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The value.
    pub value: Term,
    /// Smallest value that passes.
    pub min: i32,
    /// Largest value that passes.
    pub max: i32,
    /// What the value is meant for.
    pub subject: Subject,
    /// Where it stands.
    pub span: Span,
}

impl Quantified {
    /// The same quantifier over another body, made from parts of the old one.
    pub fn with_body(&self, body: Term) -> Term {
        Term::Quantified(Box::new(Quantified { body, ..self.clone() }))
    }
}

/// A statement of a function.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Eval(Term),
    If(Term, Vec<Statement>, Vec<Statement>),
    While { condition: Term, body: Vec<Statement>, after: Vec<Statement>, test_first: bool },
    Iterate { cell: u32, low: i32, high: i32, body: Vec<Statement> },
    Return(Option<Term>),
    Assert(Term, Span),
}

/// A function, ready to be emitted.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) params: Vec<Parameter>,
    pub(crate) body: Vec<Statement>,
}

/// How an argument gets into the frame.
#[derive(Clone, Debug)]
pub(crate) enum Parameter {
    /// A value, checked against the range.
    Value { cell: u32, min: i32, max: i32, subject: Subject, span: Span },
    /// An address, or the number of a clock.
    Reference { cell: u32 },
    /// An array or struct, copied.
    Aggregate { cell: u32, plan: CopyPlan, span: Span },
}

impl Term {
    /// A condition that always holds.
    pub fn always() -> Self {
        Term::Const(1)
    }

    /// The conjunction, evaluated left to right until one fails.
    pub fn all(parts: impl IntoIterator<Item = Term>) -> Self {
        and(parts)
    }

    /// The disjunction, evaluated left to right until one holds.
    pub fn any(parts: impl IntoIterator<Item = Term>) -> Self {
        or(parts)
    }

    /// `condition ? then : otherwise`
    pub fn conditional(condition: Term, then: Term, otherwise: Term) -> Self {
        conditional(condition, then, otherwise)
    }

    /// Whether evaluating it might fail.
    pub fn can_fault(&self) -> bool {
        can_fault(self)
    }

    /// Shows all terms that it is made of directly, in the order of evaluation.
    pub fn for_each_part(&self, mut show: impl FnMut(&Term)) {
        let mut indices = |place: &Place| place.indices.iter().for_each(|index| show(&index.index));
        match self {
            Term::Const(_) | Term::Fault(..) | Term::Location(_) => {}
            Term::Load(place) | Term::Address(place, _) | Term::Number(place) => indices(place),
            Term::Negate(value, _) | Term::Abs(value, _) | Term::Not(value) | Term::Truth(value) => {
                show(value);
            }
            Term::Arith(_, left, right, _) | Term::Compare(_, left, right) | Term::Equal(left, right, _) => {
                show(left);
                show(right);
            }
            Term::And(parts) | Term::Or(parts) | Term::Sequence(parts) => parts.iter().for_each(show),
            Term::If(condition, then, otherwise) => {
                show(condition);
                show(then);
                show(otherwise);
            }
            Term::Assign(assignment) => {
                indices(&assignment.place);
                show(&assignment.value);
            }
            Term::Call(call) => call.args.iter().for_each(show),
            Term::Quantified(quantified) => show(&quantified.body),
            Term::Copy(copy) => {
                show(&copy.target);
                show(&copy.source);
            }
            Term::SetClock(place, value, _) => {
                indices(place);
                show(value);
            }
            Term::CopyClock(target, source, offset) => {
                indices(target);
                indices(source);
                show(offset);
            }
            Term::Pay(price, _) => show(price),
            Term::Check(checked) => show(&checked.value),
        }
    }

    /// The constant, if it is one.
    pub fn as_const(&self) -> Option<i32> {
        match self {
            Term::Const(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether the value is always 0 or 1.
    pub fn is_boolean(&self) -> bool {
        match self {
            Term::Fault(..) => true,
            other => {
                let (low, high) = interval(other);
                0 <= low && high <= 1
            }
        }
    }
}

/// `left ∘ right`
pub(crate) fn arith(op: Arithmetic, left: Term, right: Term, span: Span) -> Term {
    match (&left, &right) {
        (Term::Const(l), Term::Const(r)) => match op.apply(*l, *r) {
            Ok((value, _)) => Term::Const(value),
            Err(fault) => Term::Fault(Box::new(fault), span),
        },
        (_, Term::Const(0)) if matches!(op, Arithmetic::Add | Arithmetic::Sub) => left,
        (Term::Const(0), _) if op == Arithmetic::Add => right,
        // Constants stand on the right, where instructions want them.
        (Term::Const(_), _) if matches!(op, Arithmetic::Add | Arithmetic::Mul) => {
            Term::Arith(op, Box::new(right), Box::new(left), span)
        }
        (_, Term::Const(0)) if matches!(op, Arithmetic::Div | Arithmetic::Mod) => {
            Term::Fault(Box::new(Fault::DivisionByZero), span)
        }
        _ => Term::Arith(op, Box::new(left), Box::new(right), span),
    }
}

/// `-value`
pub(crate) fn negate(value: Term, span: Span) -> Term {
    match value {
        Term::Const(value) => Term::Const(value.wrapping_neg()),
        Term::Arith(Arithmetic::Sub, left, right, at) => arith(Arithmetic::Sub, *right, *left, at),
        other => Term::Negate(Box::new(other), span),
    }
}

/// `left ⋈ right`, with constants on the right and comparisons that the value ranges decide folded away.
pub(crate) fn compare(op: Comparison, left: Term, right: Term) -> Term {
    if let Term::Const(_) = left
        && right.as_const().is_none()
    {
        return compare(op.mirrored(), right, left);
    }
    if !can_fault(&left)
        && !can_fault(&right)
        && let Some(known) = decided(op, interval(&left), interval(&right))
    {
        return Term::Const(i32::from(known));
    }
    Term::Compare(op, Box::new(left), Box::new(right))
}

/// Whether a comparison holds for all values of two ranges, or for none.
pub(super) fn decided(op: Comparison, left: (i64, i64), right: (i64, i64)) -> Option<bool> {
    let below = left.1 < right.0;
    let above = left.0 > right.1;
    match op {
        Comparison::Lt if below => Some(true),
        Comparison::Lt if left.0 >= right.1 => Some(false),
        Comparison::Ge | Comparison::Gt | Comparison::Le => {
            let (op, flip) = match op {
                Comparison::Ge => (Comparison::Lt, true),
                Comparison::Gt => return decided(Comparison::Lt, right, left),
                _ => return decided(Comparison::Lt, right, left).map(|known| !known),
            };
            decided(op, left, right).map(|known| known != flip)
        }
        Comparison::Eq if below || above => Some(false),
        Comparison::Eq if left.0 == left.1 && left == right => Some(true),
        Comparison::Ne => decided(Comparison::Eq, left, right).map(|known| !known),
        _ => None,
    }
}

/// The truth of a value: 0 or 1.
pub(crate) fn truth(value: Term) -> Term {
    match value {
        Term::Const(value) => Term::Const(i32::from(value != 0)),
        value if value.is_boolean() => value,
        value => Term::Truth(Box::new(value)),
    }
}

/// The opposite of a truth value, pushed inwards.
pub(crate) fn not(value: Term) -> Term {
    match value {
        Term::Const(value) => Term::Const(i32::from(value == 0)),
        Term::Compare(op, left, right) => Term::Compare(op.negated(), left, right),
        Term::Not(inner) => truth(*inner),
        Term::Truth(inner) => Term::Not(inner),
        Term::And(parts) => or(parts.into_iter().map(not)),
        Term::Or(parts) => and(parts.into_iter().map(not)),
        value => Term::Not(Box::new(value)),
    }
}

/// The conjunction, evaluated left to right until one fails.
pub(crate) fn and(parts: impl IntoIterator<Item = Term>) -> Term {
    junction(parts, 0, |part, flat| match part {
        Term::And(inner) => flat.extend(inner),
        part => flat.push(part),
    })
    .unwrap_or_else(Term::And)
}

/// The disjunction, evaluated left to right until one holds.
pub(crate) fn or(parts: impl IntoIterator<Item = Term>) -> Term {
    junction(parts, 1, |part, flat| match part {
        Term::Or(inner) => flat.extend(inner),
        part => flat.push(part),
    })
    .unwrap_or_else(Term::Or)
}

/// Flattens the parts of a junction. `absorbing` decides the whole, its opposite is dropped; what follows an absorbing part is never
/// evaluated, what precedes it still might fault and is kept then.
fn junction(
    parts: impl IntoIterator<Item = Term>,
    absorbing: i32,
    flatten: fn(Term, &mut Vec<Term>),
) -> Result<Term, Vec<Term>> {
    let mut flat = Vec::new();
    for part in parts {
        match truth(part) {
            Term::Const(value) if value == absorbing => {
                if !flat.iter().any(can_fault) {
                    return Ok(Term::Const(absorbing));
                }
                flat.push(Term::Const(absorbing));
                return Err(flat);
            }
            Term::Const(_) => {}
            part => flatten(part, &mut flat),
        }
    }
    match flat.len() {
        0 => Ok(Term::Const(1 - absorbing)),
        1 => Ok(flat.remove(0)),
        _ => Err(flat),
    }
}

/// `condition ? then : otherwise`
pub(crate) fn conditional(condition: Term, then: Term, otherwise: Term) -> Term {
    match condition {
        Term::Const(0) => otherwise,
        Term::Const(_) => then,
        condition => Term::If(Box::new(condition), Box::new(then), Box::new(otherwise)),
    }
}

/// The terms one after the other.
pub(crate) fn sequence(mut terms: Vec<Term>) -> Term {
    if terms.len() == 1 { terms.remove(0) } else { Term::Sequence(terms) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faulty() -> Term {
        Term::Fault(Box::new(Fault::DivisionByZero), Span::default())
    }

    #[test]
    fn junctions_fold_from_the_left() {
        assert!(matches!(and([Term::Const(1), Term::Location(0)]), Term::Truth(_)));
        assert!(matches!(and([Term::Location(0), Term::Const(0), faulty()]), Term::Const(0)));
        assert!(matches!(and([faulty(), Term::Const(0)]), Term::And(parts) if parts.len() == 2));
        assert!(matches!(or([Term::Const(7), faulty()]), Term::Const(1)));
        assert!(matches!(or([Term::Const(0)]), Term::Const(0)));
    }

    #[test]
    fn negation_goes_inwards() {
        let at = compare(Comparison::Eq, Term::Location(0), Term::Const(3));
        assert!(matches!(not(at.clone()), Term::Compare(Comparison::Ne, ..)));
        assert!(matches!(not(and([at.clone(), at])), Term::Or(_)));
        assert!(matches!(not(not(Term::Location(0))), Term::Truth(_)));
        assert!(matches!(not(truth(Term::Location(0))), Term::Not(_)));
    }

    #[test]
    fn constants_move_to_the_right() {
        assert!(matches!(
            compare(Comparison::Lt, Term::Const(3), Term::Location(0)),
            Term::Compare(Comparison::Gt, left, _) if matches!(*left, Term::Location(0))
        ));
        let sum = arith(Arithmetic::Add, Term::Const(3), Term::Location(0), Span::default());
        assert!(matches!(sum, Term::Arith(_, _, right, _) if right.as_const() == Some(3)));
    }
}
