//! Types of symbols and expressions.

use super::{Expr, Name, ScalarId};
use crate::source::Span;
use std::sync::Arc;

/// A type; cheap to clone.
#[derive(Clone, Debug)]
pub enum Type {
    /// Of functions that return nothing.
    Void,
    /// `bool`
    Bool,
    /// `int` (`None`: the default range for variables, unbounded for constants and intermediate values) or `int[low,high]`.
    Int(Option<Arc<(Expr, Expr)>>),
    /// `double`: recognised, not checked symbolically.
    Double,
    /// `string`: recognised.
    String,
    /// `clock`, and the sum of a clock and an integer.
    Clock {
        /// `hybrid clock`: ignored by symbolic analysis.
        hybrid: bool,
    },
    /// The difference of two clocks, possibly plus an integer.
    Difference,
    /// `chan`
    Chan {
        /// No time passes while it can synchronise.
        urgent: bool,
        /// One sender, all ready receivers.
        broadcast: bool,
    },
    /// A scalar set and its size.
    Scalar(ScalarId, Arc<Expr>),
    /// An array.
    Array(Arc<ArrayType>),
    /// A struct.
    Struct(Arc<StructType>),
    /// A truth value that depends on clocks; what it may be used for follows from its kind.
    Constraint(ConstraintKind),
    /// `x'`, the rate of a clock or of the cost.
    Rate,
    /// The cost variable of priced models.
    Cost,
    /// A process or process set, before a member is selected.
    Process,
    /// A template, a type name or another thing that is no value.
    NoValue,
    /// The type of an expression with an error; compatible with everything.
    Error,
}

/// An array type.
#[derive(Clone, Debug)]
pub struct ArrayType {
    /// What it is indexed by.
    pub index: IndexType,
    /// What it holds.
    pub element: Type,
}

/// What an array is indexed by.
#[derive(Clone, Debug)]
pub enum IndexType {
    /// `0 … size-1`
    Size(Expr),
    /// A bounded integer type, `bool` or a scalar set.
    Type(Type),
}

/// A struct type.
#[derive(Clone, Debug)]
pub struct StructType {
    /// The fields in order.
    pub fields: Vec<(Name, Type)>,
    /// Where each is declared.
    pub declared: Vec<Span>,
}

/// What a clock-dependent truth value may be used for; each kind includes the ones before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ConstraintKind {
    /// Bounds and conjunctions of bounds, each possibly under an integer condition: invariants and everything below.
    Invariant,
    /// With rates `x' == e`: invariants only.
    InvariantWithRates,
    /// With equalities: guards and queries.
    Guard,
    /// Any Boolean combination: queries (and guards, which are then split into several edges).
    Any,
}
