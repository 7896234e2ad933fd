//! Arithmetic and comparison on 32-bit integers.
//!
//! As in UPPAAL, a result that does not fit wraps around, and a division by zero or a bad shift is an *invalid evaluation* that ends the analysis. Whether
//! a result wrapped around is told as well, since few authors mean it. Bits that a shift pushes out are not missed.

use super::Fault;
use guidepost_language::model::BinaryOp;

/// A comparison of two integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `>=`
    Ge,
    /// `>`
    Gt,
}

impl Comparison {
    /// Whether it holds.
    #[inline]
    pub fn test(self, left: i32, right: i32) -> bool {
        match self {
            Comparison::Lt => left < right,
            Comparison::Le => left <= right,
            Comparison::Eq => left == right,
            Comparison::Ne => left != right,
            Comparison::Ge => left >= right,
            Comparison::Gt => left > right,
        }
    }

    /// The comparison that holds exactly when this one does not.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Comparison::Lt => Comparison::Ge,
            Comparison::Le => Comparison::Gt,
            Comparison::Eq => Comparison::Ne,
            Comparison::Ne => Comparison::Eq,
            Comparison::Ge => Comparison::Lt,
            Comparison::Gt => Comparison::Le,
        }
    }

    /// The comparison with its sides exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Comparison::Lt => Comparison::Gt,
            Comparison::Le => Comparison::Ge,
            Comparison::Ge => Comparison::Le,
            Comparison::Gt => Comparison::Lt,
            same => same,
        }
    }

    /// The operator of the language.
    pub(crate) fn operator(self) -> BinaryOp {
        match self {
            Comparison::Lt => BinaryOp::Lt,
            Comparison::Le => BinaryOp::Le,
            Comparison::Eq => BinaryOp::Eq,
            Comparison::Ne => BinaryOp::Ne,
            Comparison::Ge => BinaryOp::Ge,
            Comparison::Gt => BinaryOp::Gt,
        }
    }

    /// The comparison an operator of the language stands for.
    pub(crate) fn of(op: BinaryOp) -> Option<Self> {
        Some(match op {
            BinaryOp::Lt => Comparison::Lt,
            BinaryOp::Le => Comparison::Le,
            BinaryOp::Eq => Comparison::Eq,
            BinaryOp::Ne => Comparison::Ne,
            BinaryOp::Ge => Comparison::Ge,
            BinaryOp::Gt => Comparison::Gt,
            _ => return None,
        })
    }
}

/// An arithmetic operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
    /// `**`
    Power,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `<?`
    Min,
    /// `>?`
    Max,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
}

impl Arithmetic {
    /// Whether it has no result for some right operands.
    pub(crate) fn is_partial(self) -> bool {
        matches!(
            self,
            Arithmetic::Div
                | Arithmetic::Mod
                | Arithmetic::Power
                | Arithmetic::ShiftLeft
                | Arithmetic::ShiftRight
        )
    }

    /// The operator of the language.
    pub(crate) fn operator(self) -> BinaryOp {
        match self {
            Arithmetic::Add => BinaryOp::Add,
            Arithmetic::Sub => BinaryOp::Sub,
            Arithmetic::Mul => BinaryOp::Mul,
            Arithmetic::Div => BinaryOp::Div,
            Arithmetic::Mod => BinaryOp::Mod,
            Arithmetic::Power => BinaryOp::Power,
            Arithmetic::ShiftLeft => BinaryOp::ShiftLeft,
            Arithmetic::ShiftRight => BinaryOp::ShiftRight,
            Arithmetic::Min => BinaryOp::Min,
            Arithmetic::Max => BinaryOp::Max,
            Arithmetic::BitAnd => BinaryOp::BitAnd,
            Arithmetic::BitOr => BinaryOp::BitOr,
            Arithmetic::BitXor => BinaryOp::BitXor,
        }
    }

    /// The arithmetic an operator of the language stands for.
    pub(crate) fn of(op: BinaryOp) -> Option<Self> {
        Some(match op {
            BinaryOp::Add => Arithmetic::Add,
            BinaryOp::Sub => Arithmetic::Sub,
            BinaryOp::Mul => Arithmetic::Mul,
            BinaryOp::Div => Arithmetic::Div,
            BinaryOp::Mod => Arithmetic::Mod,
            BinaryOp::Power => Arithmetic::Power,
            BinaryOp::ShiftLeft => Arithmetic::ShiftLeft,
            BinaryOp::ShiftRight => Arithmetic::ShiftRight,
            BinaryOp::Min => Arithmetic::Min,
            BinaryOp::Max => Arithmetic::Max,
            BinaryOp::BitAnd => Arithmetic::BitAnd,
            BinaryOp::BitOr => Arithmetic::BitOr,
            BinaryOp::BitXor => Arithmetic::BitXor,
            _ => return None,
        })
    }

    /// The result and whether it wrapped around, or why there is none.
    #[inline]
    pub(crate) fn apply(self, left: i32, right: i32) -> Result<(i32, bool), Fault> {
        Ok(match self {
            Arithmetic::Add => left.overflowing_add(right),
            Arithmetic::Sub => left.overflowing_sub(right),
            Arithmetic::Mul => left.overflowing_mul(right),
            Arithmetic::Div | Arithmetic::Mod if right == 0 => return Err(Fault::DivisionByZero),
            Arithmetic::Div => left.overflowing_div(right),
            // INT_MIN % -1 is 0 mathematically; only the machine instruction minds.
            Arithmetic::Mod => (left.wrapping_rem(right), false),
            Arithmetic::Power => {
                let exponent = u32::try_from(right).map_err(|_| Fault::NegativeExponent(right))?;
                left.overflowing_pow(exponent)
            }
            Arithmetic::ShiftLeft | Arithmetic::ShiftRight if !(0..32).contains(&right) => {
                return Err(Fault::BadShift(right));
            }
            Arithmetic::ShiftLeft => (left << right, false),
            Arithmetic::ShiftRight => (left >> right, false),
            Arithmetic::Min => (left.min(right), false),
            Arithmetic::Max => (left.max(right), false),
            Arithmetic::BitAnd => (left & right, false),
            Arithmetic::BitOr => (left | right, false),
            Arithmetic::BitXor => (left ^ right, false),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_truncates_and_the_remainder_has_the_sign_of_the_dividend() {
        assert_eq!(Arithmetic::Div.apply(-7, 2), Ok((-3, false)));
        assert_eq!(Arithmetic::Mod.apply(-7, 2), Ok((-1, false)));
        assert_eq!(Arithmetic::Mod.apply(i32::MIN, -1), Ok((0, false)));
        assert_eq!(Arithmetic::Div.apply(i32::MIN, -1), Ok((i32::MIN, true)));
        assert_eq!(Arithmetic::Div.apply(1, 0), Err(Fault::DivisionByZero));
        assert_eq!(Arithmetic::Mod.apply(1, 0), Err(Fault::DivisionByZero));
    }

    #[test]
    fn shifts_and_powers_are_checked() {
        assert_eq!(Arithmetic::ShiftLeft.apply(3, 4), Ok((48, false)));
        assert_eq!(Arithmetic::ShiftLeft.apply(1, 31), Ok((i32::MIN, false)));
        assert_eq!(Arithmetic::ShiftLeft.apply(1, -1), Err(Fault::BadShift(-1)));
        assert_eq!(Arithmetic::ShiftRight.apply(-8, 1), Ok((-4, false)));
        assert_eq!(Arithmetic::ShiftRight.apply(1, 32), Err(Fault::BadShift(32)));
        assert_eq!(Arithmetic::Power.apply(-2, 3), Ok((-8, false)));
        assert_eq!(Arithmetic::Power.apply(2, -1), Err(Fault::NegativeExponent(-1)));
        assert_eq!(Arithmetic::Power.apply(10, 10), Ok((1_410_065_408, true)));
    }

    #[test]
    fn what_does_not_fit_wraps_around() {
        assert_eq!(Arithmetic::Add.apply(i32::MAX, 1), Ok((i32::MIN, true)));
        assert_eq!(Arithmetic::Sub.apply(i32::MIN, 1), Ok((i32::MAX, true)));
        assert_eq!(Arithmetic::Mul.apply(1 << 16, 1 << 16), Ok((0, true)));
    }

    #[test]
    fn negation_and_mirroring_agree_with_the_test() {
        let all =
            [Comparison::Lt, Comparison::Le, Comparison::Eq, Comparison::Ne, Comparison::Ge, Comparison::Gt];
        for op in all {
            for (l, r) in [(1, 2), (2, 2), (3, 2)] {
                assert_eq!(op.negated().test(l, r), !op.test(l, r));
                assert_eq!(op.mirrored().test(r, l), op.test(l, r));
            }
        }
    }
}
