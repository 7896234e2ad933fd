//! Points in time and durations.
//!
//! `2.5` is easier to read than `5/2`, but `0.333` would be wrong. So text shows a short decimal where it is exact and the
//! fraction otherwise; JSON always has the fraction, which every program can parse without rounding.

use guidepost_network::interpreter::Rational;

/// Decimals with more digits than this behind the point are no easier to read than the fraction.
const MOST_DIGITS: u32 = 3;

/// For people: `3`, `2.5`, `0.125`, `1/3`.
pub fn decimal(value: Rational) -> String {
    let (numerator, denominator) = (i128::from(value.numerator()), i128::from(value.denominator()));
    for digits in 1..=MOST_DIGITS {
        let scale = 10_i128.pow(digits);
        if denominator > 1 && scale % denominator == 0 {
            let scaled = (numerator * (scale / denominator)).unsigned_abs();
            let sign = if numerator < 0 { "-" } else { "" };
            let (whole, rest) = (scaled / scale.unsigned_abs(), scaled % scale.unsigned_abs());
            return format!("{sign}{whole}.{rest:0width$}", width = digits as usize);
        }
    }
    exact(value)
}

/// For programs: `3`, `5/2`.
pub fn exact(value: Rational) -> String {
    value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_short_or_not_used() {
        let shown = |text: &str| decimal(text.parse().unwrap());
        assert_eq!(shown("3"), "3");
        assert_eq!(shown("5/2"), "2.5");
        assert_eq!(shown("1/8"), "0.125");
        assert_eq!(shown("-1/4"), "-0.25");
        assert_eq!(shown("1/3"), "1/3");
        assert_eq!(shown("1/16"), "1/16");
        assert_eq!(shown("101/100"), "1.01");
    }
}
