//! Typed expressions.

use super::{FunctionId, Name, Quantifier, SymbolId, Type};
use crate::source::Span;
pub use crate::syntax::{BinaryOp, UnaryOp};

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// The shapes of a typed expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `true`, `false`
    Bool(bool),
    /// An integer.
    Int(i32),
    /// A floating-point number.
    Double(f64),
    /// A string.
    String(Name),
    /// A constant, variable, clock, channel, parameter or binder.
    Symbol(SymbolId),
    /// `base[index]`
    Index(Box<Expr>, Box<Expr>),
    /// `base.field`, by the field's position.
    Field(Box<Expr>, usize),
    /// A call of a function of the model.
    Call(FunctionId, Vec<Expr>),
    /// A call of a built-in function.
    Builtin(Builtin, Vec<Expr>),
    /// A prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// An infix operator. On clocks: `+ -` shift a clock or form a difference, comparisons form constraints.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// An assignment; its value is the assigned target.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `++x`, `x--`, …
    Step {
        /// `++` rather than `--`.
        increment: bool,
        /// The value is the one after the step.
        prefix: bool,
        /// What is stepped.
        target: Box<Expr>,
    },
    /// `condition ? then : else`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A quantifier or sum; the binder's type is the domain.
    Quantified(Quantifier, SymbolId, Box<Expr>),
    /// `x'`
    Rate(Box<Expr>),
    /// `P.v`: a constant, parameter, variable or clock of a process.
    Member(Box<ProcessRef>, SymbolId),
    /// `P.l`: the process is in that location of its template.
    AtLocation(Box<ProcessRef>, usize),
    /// `P.location`: the index of the current location.
    LocationIndex(Box<ProcessRef>),
    /// TChecker: some process is in a location with this label.
    Label(Name),
    /// `deadlock`
    Deadlock,
    /// Has been reported.
    Error,
}

/// A process, or a member of a process set.
#[derive(Clone, Debug)]
pub struct ProcessRef {
    /// Index into [`Model::processes`](super::Model::processes).
    pub process: usize,
    /// One argument per open parameter of a process set; may contain binders.
    pub args: Vec<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// Built-in functions that symbolic analysis knows. All others are named in messages as foreign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// `abs(i)`
    Abs,
    /// `fint(d)` and the floating-point functions, by name: not computed here.
    Float(&'static str),
}
