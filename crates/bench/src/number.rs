//! Numbers as tables show them.

/// A count: halves only where a median is one.
pub(crate) fn count(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// Seconds, to the millisecond.
pub(crate) fn seconds(value: f64) -> String {
    format!("{value:.3}")
}

/// Bytes as mebibytes.
pub(crate) fn mebibytes(value: f64) -> String {
    format!("{:.1}", value / f64::from(1 << 20))
}

/// A multiple.
pub(crate) fn ratio(value: f64) -> String {
    format!("{value:.2}")
}
