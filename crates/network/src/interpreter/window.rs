//! The delays after which a conjunction of clock constraints holds: an interval, since clocks advance linearly.

use super::Rational;

/// An interval of delays that begins at or after zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) lower: Rational,
    pub(crate) lower_strict: bool,
    /// The end and whether it is excluded; `None` when there is no end.
    pub(crate) upper: Option<(Rational, bool)>,
    never: bool,
}

impl Window {
    /// All delays.
    pub(crate) const ALWAYS: Window =
        Window { lower: Rational::ZERO, lower_strict: false, upper: None, never: false };
    /// No delay.
    pub(crate) const NEVER: Window =
        Window { lower: Rational::ZERO, lower_strict: false, upper: None, never: true };

    /// Delays from `bound` on.
    pub(crate) fn from(bound: Rational, strict: bool) -> Self {
        if bound.is_negative() {
            return Self::ALWAYS;
        }
        Self { lower: bound, lower_strict: strict, ..Self::ALWAYS }
    }

    /// Delays up to `bound`.
    pub(crate) fn until(bound: Rational, strict: bool) -> Self {
        if bound.is_negative() || (strict && bound == Rational::ZERO) {
            return Self::NEVER;
        }
        Self { upper: Some((bound, strict)), ..Self::ALWAYS }
    }

    pub(crate) fn and(mut self, other: &Window) -> Self {
        self.never |= other.never;
        let later = (other.lower, other.lower_strict) > (self.lower, self.lower_strict);
        if later {
            (self.lower, self.lower_strict) = (other.lower, other.lower_strict);
        }
        self.upper = match (self.upper, other.upper) {
            (Some(own), Some(other)) => Some(earlier(own, other)),
            (own, other) => own.or(other),
        };
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.never
            || self.upper.is_some_and(|(upper, strict)| {
                upper < self.lower || (upper == self.lower && (strict || self.lower_strict))
            })
    }

    pub(crate) fn contains(&self, delay: Rational) -> bool {
        !self.never
            && (self.lower < delay || (self.lower == delay && !self.lower_strict))
            && self.upper.is_none_or(|(upper, strict)| delay < upper || (delay == upper && !strict))
    }
}

/// An interval of delays, for those who have to choose one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// Where it begins, and whether that is excluded.
    pub lower: (Rational, bool),
    /// Where it ends, and whether that is excluded; `None` when it does not.
    pub upper: Option<(Rational, bool)>,
}

impl Interval {
    /// A single moment.
    pub(crate) fn moment(at: Rational) -> Self {
        Self { lower: (at, false), upper: Some((at, false)) }
    }

    /// Everything between two moments, or after one.
    pub(crate) fn between(lower: Rational, upper: Option<Rational>) -> Self {
        Self { lower: (lower, true), upper: upper.map(|upper| (upper, true)) }
    }

    /// Whether it contains a delay.
    pub fn contains(&self, delay: Rational) -> bool {
        let (lower, open) = self.lower;
        (lower < delay || (lower == delay && !open))
            && self.upper.is_none_or(|(upper, open)| delay < upper || (delay == upper && !open))
    }

    /// A moment of it that is easy to read: the earliest, or a whole number, or the middle.
    pub fn sample(&self) -> Result<Rational, super::TooPrecise> {
        let (lower, is_open) = self.lower;
        if !is_open {
            return Ok(lower);
        }
        let whole = Rational::from(lower.numerator().div_euclid(lower.denominator())).plus(1.into())?;
        match self.upper {
            Some((upper, _)) if !self.contains(whole) => lower.midpoint(upper),
            _ => Ok(whole),
        }
    }
}

/// The smaller of two upper bounds.
pub(crate) fn earlier(left: (Rational, bool), right: (Rational, bool)) -> (Rational, bool) {
    if left.0 < right.0 || (left.0 == right.0 && left.1) { left } else { right }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_intersect_like_intervals() {
        let r = |value: i32| Rational::from(value);
        let window = Window::from(r(1), true).and(&Window::until(r(3), false));
        assert!(
            !window.contains(r(1))
                && window.contains(r(2))
                && window.contains(r(3))
                && !window.contains(r(4))
        );
        assert!(Window::from(r(3), true).and(&Window::until(r(3), false)).is_empty());
        assert!(!Window::from(r(3), false).and(&Window::until(r(3), false)).is_empty());
        assert!(Window::until(r(-1), false).is_empty());
        assert!(Window::from(r(-1), true).contains(r(0)));
    }
}
