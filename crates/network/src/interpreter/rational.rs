//! Exact fractions for clock values.
//!
//! A concrete run has delays like 1/2 and 7/3; floating point would make replaying it a matter of luck. 64-bit fractions with 128-bit intermediate results are
//! plenty for runs of any sensible length, and where they are not, the operation says so instead of wrapping.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A fraction in lowest terms; the denominator is positive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rational {
    numerator: i64,
    denominator: i64,
}

/// A fraction that does not fit into 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a clock value is too large or too fine to be represented")]
pub struct TooPrecise;

impl Rational {
    /// 0
    pub const ZERO: Rational = Rational { numerator: 0, denominator: 1 };

    /// `numerator / denominator` in lowest terms; `None` when the denominator is zero or the result does not fit.
    pub fn new(numerator: i64, denominator: i64) -> Option<Self> {
        Self::reduce(numerator.into(), denominator.into()).ok()
    }

    fn reduce(numerator: i128, denominator: i128) -> Result<Self, TooPrecise> {
        if denominator == 0 {
            return Err(TooPrecise);
        }
        let divisor =
            gcd(numerator.unsigned_abs(), denominator.unsigned_abs()) as i128 * denominator.signum();
        let fit = |part: i128| i64::try_from(part / divisor).map_err(|_| TooPrecise);
        Ok(Self { numerator: fit(numerator)?, denominator: fit(denominator)? })
    }

    /// The numerator.
    pub fn numerator(self) -> i64 {
        self.numerator
    }

    /// The denominator, always positive.
    pub fn denominator(self) -> i64 {
        self.denominator
    }

    /// The sum.
    pub fn plus(self, other: Rational) -> Result<Rational, TooPrecise> {
        let (a, b) = (i128::from(self.numerator), i128::from(self.denominator));
        let (c, d) = (i128::from(other.numerator), i128::from(other.denominator));
        Self::reduce(a * d + c * b, b * d)
    }

    /// The difference.
    pub fn minus(self, other: Rational) -> Result<Rational, TooPrecise> {
        let negated = other.numerator.checked_neg().ok_or(TooPrecise)?;
        self.plus(Rational { numerator: negated, ..other })
    }

    /// So many times the value.
    pub fn times(self, factor: i64) -> Result<Rational, TooPrecise> {
        Self::reduce(i128::from(self.numerator) * i128::from(factor), self.denominator.into())
    }

    /// The middle between two values.
    pub fn midpoint(self, other: Rational) -> Result<Rational, TooPrecise> {
        let sum = self.plus(other)?;
        Self::reduce(sum.numerator.into(), i128::from(sum.denominator) * 2)
    }

    /// Whether it is below zero.
    pub fn is_negative(self) -> bool {
        self.numerator < 0
    }
}

impl From<i32> for Rational {
    fn from(value: i32) -> Self {
        Self { numerator: value.into(), denominator: 1 }
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Self {
        Self { numerator: value, denominator: 1 }
    }
}

impl Default for Rational {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = i128::from(self.numerator) * i128::from(other.denominator);
        left.cmp(&(i128::from(other.numerator) * i128::from(self.denominator)))
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            write!(f, "{}", self.numerator)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

/// A text that is not a fraction.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a number such as 3, 2.5 or 1/3")]
pub struct NotARational(String);

impl FromStr for Rational {
    type Err = NotARational;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let parse = |part: &str| part.trim().parse::<i64>().ok();
        parse(numerator)
            .zip(parse(denominator))
            .and_then(|(numerator, denominator)| Rational::new(numerator, denominator))
            .or_else(|| of_decimal(text.trim()))
            .ok_or_else(|| NotARational(text.to_owned()))
    }
}

/// `2.5`
fn of_decimal(text: &str) -> Option<Rational> {
    let (whole, digits) = text.split_once('.')?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let scale = 10_i64.checked_pow(digits.len() as u32)?;
    Rational::new(format!("{whole}{digits}").parse().ok()?, scale)
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn r(text: &str) -> Rational {
        text.parse().unwrap()
    }

    #[test]
    fn arithmetic_is_exact_and_normalised() {
        assert_eq!(r("1/2").plus(r("1/3")), Ok(r("5/6")));
        assert_eq!(r("1/2").minus(r("1/2")), Ok(Rational::ZERO));
        assert_eq!(r("2/-4"), r("-1/2"));
        assert_eq!(r("1").midpoint(r("2")), Ok(r("3/2")));
        assert_eq!(r("6/4").to_string(), "3/2");
        assert_eq!((r("2.50"), r("-0.25"), r(".5")), (r("5/2"), r("-1/4"), r("1/2")));
        assert!(r("1/3") < r("1/2"));
        assert!(r("-1/3").is_negative());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let fine = Rational::new(1, i64::MAX).unwrap();
        assert_eq!(fine.plus(Rational::new(1, i64::MAX - 1).unwrap()), Err(TooPrecise));
        assert!("1/0".parse::<Rational>().is_err());
        assert!("x".parse::<Rational>().is_err());
        assert!("".parse::<Rational>().is_err());
        assert!(
            ["1.", ".", "1.-5", "1.5/2", "0.0000000000000000001"]
                .iter()
                .all(|text| text.parse::<Rational>().is_err())
        );
    }
}
