//! Value ranges of terms.
//!
//! Clock bounds may be integer expressions (`x <= limit[i] + 1`), and every abstraction of zones needs to know how large they can get; an assignment
//! whose value fits needs no check at run time; a guard that no value satisfies deserves a warning. Plain interval arithmetic over the declared
//! ranges answers all three. Results are computed in 64 bits; where they leave 32, they wrap around and can be anything.

use super::Arithmetic;
use super::term::{Base, Place, Term};
use guidepost_language::model::Quantifier;

const FULL: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

/// The smallest and largest value a term can have (if it does not fault).
pub(crate) fn interval(term: &Term) -> (i64, i64) {
    match term {
        Term::Const(value) => (i64::from(*value), i64::from(*value)),
        Term::Load(place) => place_interval(place),
        Term::Location(_) | Term::Address(..) | Term::Number(_) => (0, FULL.1),
        Term::Negate(value, _) => {
            let (low, high) = interval(value);
            wrapped(-high, -low)
        }
        Term::Abs(value, _) => {
            let (low, high) = interval(value);
            let largest = low.abs().max(high.abs());
            wrapped(if low <= 0 && 0 <= high { 0 } else { low.abs().min(high.abs()) }, largest)
        }
        Term::Not(_) | Term::Truth(_) | Term::Compare(..) | Term::And(_) | Term::Or(_) | Term::Equal(..) => {
            (0, 1)
        }
        Term::Arith(op, left, right, _) => arithmetic(*op, interval(left), interval(right)),
        Term::If(_, then, otherwise) => hull(interval(then), interval(otherwise)),
        Term::Assign(assignment) => place_interval(&assignment.place),
        Term::Call(call) => (i64::from(call.min), i64::from(call.max)),
        Term::Quantified(quantified) => match quantified.quantifier {
            Quantifier::Sum => {
                let count = i64::from(quantified.high) - i64::from(quantified.low) + 1;
                let (low, high) = interval(&quantified.body);
                wrapped(low * count, high * count)
            }
            _ => (0, 1),
        },
        Term::Sequence(terms) => terms.last().map_or(FULL, interval),
        Term::Check(checked) => {
            let (low, high) = interval(&checked.value);
            (low.max(checked.min.into()), high.min(checked.max.into()))
        }
        Term::Fault(..) | Term::Copy(_) | Term::SetClock(..) | Term::CopyClock(..) => FULL,
        Term::Pay(price, _) => interval(price),
    }
}

fn place_interval(place: &Place) -> (i64, i64) {
    match place.base {
        Base::Fixed(_) => (place.min.into(), place.max.into()),
        // The variable behind a reference has its own range, which may be wider than the parameter's.
        Base::Indirect(_) => FULL,
    }
}

fn hull(left: (i64, i64), right: (i64, i64)) -> (i64, i64) {
    (left.0.min(right.0), left.1.max(right.1))
}

/// The range of a result of 32 bits whose mathematical value lies in a range.
pub(super) fn wrapped(low: i64, high: i64) -> (i64, i64) {
    if FULL.0 <= low && high <= FULL.1 { (low, high) } else { FULL }
}

/// The mathematical range of the three operators that can leave 32 bits on small operands.
fn exact(op: Arithmetic, left: (i64, i64), right: (i64, i64)) -> Option<(i64, i64)> {
    match op {
        Arithmetic::Add => Some((left.0 + right.0, left.1 + right.1)),
        Arithmetic::Sub => Some((left.0 - right.1, left.1 - right.0)),
        Arithmetic::Mul => {
            let corners = [left.0 * right.0, left.0 * right.1, left.1 * right.0, left.1 * right.1];
            Some((*corners.iter().min()?, *corners.iter().max()?))
        }
        _ => None,
    }
}

/// The range of the results of an operator, where it has one.
pub(super) fn arithmetic(op: Arithmetic, left: (i64, i64), right: (i64, i64)) -> (i64, i64) {
    if let Some((low, high)) = exact(op, left, right) {
        return wrapped(low, high);
    }
    match op {
        Arithmetic::Min => (left.0.min(right.0), left.1.min(right.1)),
        Arithmetic::Max => (left.0.max(right.0), left.1.max(right.1)),
        Arithmetic::Div => {
            let largest = left.0.abs().max(left.1.abs());
            if right.0 > 0 {
                let quotients = [left.0 / right.0, left.0 / right.1, left.1 / right.0, left.1 / right.1];
                let low = quotients.iter().min().copied().unwrap_or(-largest);
                wrapped(low, quotients.iter().max().copied().unwrap_or(largest))
            } else {
                wrapped(-largest, largest)
            }
        }
        Arithmetic::Mod => {
            let largest = (right.0.abs().max(right.1.abs()) - 1).max(0);
            let low = if left.0 < 0 { -largest } else { 0 };
            let high = if left.1 > 0 { largest.min(left.1) } else { 0 };
            (low, high)
        }
        Arithmetic::ShiftRight if left.0 >= 0 => (0, left.1),
        Arithmetic::BitAnd if left.0 >= 0 && right.0 >= 0 => (0, left.1.min(right.1)),
        Arithmetic::BitOr | Arithmetic::BitXor if left.0 >= 0 && right.0 >= 0 => {
            // No result has a bit above the highest bit of either side.
            let bits = 64 - (left.1 | right.1).leading_zeros();
            (0, (1_i64 << bits) - 1)
        }
        _ => FULL,
    }
}

/// Whether evaluating the term can fail (or have an effect, which must not be folded away either).
pub(crate) fn can_fault(term: &Term) -> bool {
    match term {
        Term::Const(_) | Term::Location(_) => false,
        Term::Load(place) | Term::Address(place, _) | Term::Number(place) => !place.indices.is_empty(),
        Term::Not(value) | Term::Truth(value) | Term::Negate(value, _) | Term::Abs(value, _) => {
            can_fault(value)
        }
        Term::Compare(_, left, right) | Term::Equal(left, right, _) => can_fault(left) || can_fault(right),
        Term::Arith(op, left, right, _) => {
            let (least, most) = interval(right);
            let is_defined = match op {
                Arithmetic::Div | Arithmetic::Mod => least > 0 || most < 0,
                Arithmetic::Power => least >= 0,
                Arithmetic::ShiftLeft | Arithmetic::ShiftRight => least >= 0 && most < 32,
                _ => true,
            };
            !is_defined || can_fault(left) || can_fault(right)
        }
        Term::And(parts) | Term::Or(parts) => parts.iter().any(can_fault),
        Term::If(condition, then, otherwise) => {
            can_fault(condition) || can_fault(then) || can_fault(otherwise)
        }
        Term::Quantified(quantified) => can_fault(&quantified.body),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Subject;
    use crate::code::term::arith;
    use guidepost_language::source::Span;

    fn cell(min: i32, max: i32) -> Term {
        Term::Load(Box::new(Place {
            base: Base::Fixed(0),
            offset: 0,
            indices: Vec::new(),
            extent: None,
            min,
            max,
            subject: Subject::ClockBound,
        }))
    }

    #[test]
    fn ranges_contain_every_result() {
        let ops = [
            Arithmetic::Add,
            Arithmetic::Sub,
            Arithmetic::Mul,
            Arithmetic::Div,
            Arithmetic::Mod,
            Arithmetic::Min,
            Arithmetic::Max,
            Arithmetic::ShiftLeft,
            Arithmetic::ShiftRight,
            Arithmetic::BitAnd,
            Arithmetic::BitOr,
            Arithmetic::BitXor,
            Arithmetic::Power,
        ];
        let (least, most) = (i32::MIN, i32::MAX);
        let ranges =
            [(-3, 5), (0, 7), (2, 4), (-6, -1), (0, 0), (most - 4, most), (least, least + 3), (30, 33)];
        for op in ops {
            for (a, b) in ranges.iter().flat_map(|a| ranges.iter().map(move |b| (*a, *b))) {
                let term = arith(op, cell(a.0, a.1), cell(b.0, b.1), Span::default());
                let (low, high) = interval(&term);
                for (l, r) in (a.0..=a.1).flat_map(|l| (b.0..=b.1).map(move |r| (l, r))) {
                    match op.apply(l, r) {
                        Ok((value, _)) => {
                            assert!(low <= value.into() && i64::from(value) <= high, "{op:?} {l} {r}");
                        }
                        Err(_) => assert!(can_fault(&term), "{op:?} {l} {r}"),
                    }
                }
            }
        }
    }
}
