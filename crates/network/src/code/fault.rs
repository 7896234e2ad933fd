//! What can go wrong while code runs: values, not panics.
//!
//! A fault ends the analysis with a message, as UPPAAL's *invalid evaluation* does (only out-of-range assignments of `TChecker` models
//! disable the transition instead, see [`RangeViolation`](crate::RangeViolation)). So it carries the place in the source and everything
//! the message needs; making it is off the hot path and may allocate.

use crate::network::{ClockId, Network, VarId};
use guidepost_language::diagnostic::{Code as DiagnosticCode, Diagnostic};
use guidepost_language::source::Span;
use std::fmt;
use std::sync::Arc;

/// An evaluation that has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{fault}")]
pub struct EvalError {
    /// What went wrong.
    pub fault: Fault,
    /// Where in the source.
    pub span: Span,
}

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A value outside the range of what it was meant for.
    OutOfRange {
        /// What it was meant for.
        subject: Subject,
        /// The value.
        value: i32,
        /// Smallest admissible value.
        min: i32,
        /// Largest admissible value.
        max: i32,
    },
    /// An array index outside the array.
    Index {
        /// The index.
        index: i32,
        /// First valid index.
        low: i32,
        /// Last valid index.
        high: i32,
    },
    /// A division or remainder by zero.
    DivisionByZero,
    /// A shift by less than 0 or more than 31.
    BadShift(i32),
    /// A power with a negative exponent.
    NegativeExponent(i32),
    /// A clock was set to a negative or an enormous value.
    ClockValue(ClockId, i32),
    /// `x = y - 3` made a clock negative.
    NegativeClock(ClockId),
    /// `cost += e` with an `e` below zero.
    NegativePrice(i32),
    /// A location whose cost rate is below zero.
    NegativeRate(i32),
    /// An `assert` that does not hold.
    Assertion,
    /// A loop that does not come to an end.
    StepLimit,
}

/// What a value was meant for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A variable of the state.
    Variable(VarId),
    /// A local variable of a function, or a constant.
    Local(Arc<str>),
    /// An argument of a function or template, by the parameter's name.
    Argument(Arc<str>),
    /// The result of a function.
    Result(Arc<str>),
    /// A bound of a clock constraint.
    ClockBound,
    /// The rate of a clock.
    Rate,
    /// The rate at which cost grows.
    CostRate,
}

impl EvalError {
    /// The message, with the names of the network: `variable P.v: value 7 is outside int[0,5]`.
    pub fn describe(&self, network: &Network) -> String {
        match &self.fault {
            Fault::OutOfRange { subject: Subject::Variable(id), value, min, max } => {
                let name = network.variables.get(id.index()).map_or("?", |variable| variable.name.as_str());
                format!("variable {name}: value {value} is outside int[{min},{max}]")
            }
            Fault::ClockValue(clock, value) => {
                let name = network.clocks.get(clock.index()).map_or("?", |clock| clock.name.as_str());
                format!("clock {name}: cannot be set to {value}")
            }
            Fault::NegativeClock(clock) => {
                let name = network.clocks.get(clock.index()).map_or("?", |clock| clock.name.as_str());
                format!("clock {name} would become negative")
            }
            other => other.to_string(),
        }
    }

    /// The error as a diagnostic.
    pub fn diagnostic(&self, network: &Network) -> Diagnostic {
        Diagnostic::new(self.fault.code(), self.span, self.describe(network))
    }
}

impl Fault {
    /// The diagnostic code of this kind of fault.
    pub fn code(&self) -> DiagnosticCode {
        match self {
            Fault::OutOfRange { .. }
            | Fault::Index { .. }
            | Fault::ClockValue(..)
            | Fault::NegativeClock(_) => DiagnosticCode::OutOfRange,
            Fault::NegativePrice(_) | Fault::NegativeRate(_) => DiagnosticCode::NegativeCost,
            Fault::StepLimit => DiagnosticCode::EvaluationLimit,
            _ => DiagnosticCode::DivisionByZero,
        }
    }

    /// Whether a variable of the state was about to leave its range: what `TChecker` models answer by disabling the transition.
    pub fn is_variable_range(&self) -> bool {
        matches!(self, Fault::OutOfRange { subject: Subject::Variable(_), .. })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::OutOfRange { subject, value, min, max } => {
                write!(f, "{subject}: value {value} is outside int[{min},{max}]")
            }
            Fault::Index { index, low, high } => write!(f, "array index {index} is outside [{low},{high}]"),
            Fault::DivisionByZero => f.write_str("division by zero"),
            Fault::BadShift(count) => write!(f, "shift by {count}"),
            Fault::NegativeExponent(exponent) => write!(f, "power with the negative exponent {exponent}"),
            Fault::ClockValue(clock, value) => write!(f, "clock #{}: cannot be set to {value}", clock.0),
            Fault::NegativeClock(clock) => write!(f, "clock #{} would become negative", clock.0),
            Fault::NegativePrice(price) => write!(f, "the price {price} is negative"),
            Fault::NegativeRate(rate) => write!(f, "the cost rate {rate} is negative"),
            Fault::Assertion => f.write_str("the assertion does not hold"),
            Fault::StepLimit => {
                write!(
                    f,
                    "the computation did not end within {} loop iterations and calls",
                    super::STEP_LIMIT
                )
            }
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Variable(id) => write!(f, "variable #{}", id.0),
            Subject::Local(name) => write!(f, "{name}"),
            Subject::Argument(name) => write!(f, "argument {name}"),
            Subject::Result(name) => write!(f, "result of {name}"),
            Subject::ClockBound => f.write_str("bound of a clock constraint"),
            Subject::Rate => f.write_str("rate of a clock"),
            Subject::CostRate => f.write_str("rate of the cost"),
        }
    }
}
