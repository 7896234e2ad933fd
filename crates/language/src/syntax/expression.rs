//! Expressions, as written.

use super::{Ident, Name, TypeExpr};
use crate::source::Span;

/// An expression and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The shapes of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// `true`, `false`.
    Bool(bool),
    /// An integer literal; `-2147483648` is the only negative one.
    Int(i32),
    /// A floating-point literal, as written.
    Double(Name),
    /// A string literal, without the quotes.
    String(Name),
    /// A name.
    Name(Name),
    /// `callee(arguments)`: a function, a built-in, or a member of a process set.
    Call(Box<Expr>, Vec<Expr>),
    /// `base[index]`.
    Index(Box<Expr>, Box<Expr>),
    /// `base.field`.
    Field(Box<Expr>, Ident),
    /// `clock'`.
    Rate(Box<Expr>),
    /// A prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// An infix operator.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `target = value` and its compound forms (`None` is the plain one).
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `++x`, `x--`, …
    Step {
        /// `++` rather than `--`.
        increment: bool,
        /// Written before the operand.
        prefix: bool,
        /// What is stepped.
        target: Box<Expr>,
    },
    /// `condition ? then : else`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall (binder : ty) body` and the other quantifiers.
    Quantified(Quantifier, Ident, Box<TypeExpr>, Box<Expr>),
    /// `deadlock`.
    Deadlock,
    /// A construct of another analysis (`spawn`, `exit()`, `numOf`, …), recognised by name only.
    Foreign(&'static str),
    /// Something that could not be parsed; a diagnostic has been given.
    Error,
}

/// Prefix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `!`, `not`
    Not,
}

/// Infix operators without assignments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the operators' names")]
pub enum BinaryOp {
    Power,
    Mul,
    Div,
    Mod,
    Add,
    Sub,
    ShiftLeft,
    ShiftRight,
    Min,
    Max,
    Lt,
    Le,
    Ge,
    Gt,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
    Xor,
    Imply,
}

impl BinaryOp {
    /// How the operator is written (the symbol, not the word, where there are both).
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Power => "**",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "%",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Min => "<?",
            BinaryOp::Max => ">?",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Gt => ">",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::Xor => "xor",
            BinaryOp::Imply => "imply",
        }
    }

    /// Binding strength, higher binds tighter; all are left-associative.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Power => 15,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => 14,
            BinaryOp::Add | BinaryOp::Sub => 13,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 12,
            BinaryOp::Min | BinaryOp::Max => 11,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Gt => 10,
            BinaryOp::Eq | BinaryOp::Ne => 9,
            BinaryOp::BitAnd => 8,
            BinaryOp::BitXor => 7,
            BinaryOp::BitOr => 6,
            BinaryOp::And => 5,
            BinaryOp::Or | BinaryOp::Xor | BinaryOp::Imply => 4,
        }
    }

    /// Whether this compares two values.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Gt | BinaryOp::Eq | BinaryOp::Ne
        )
    }
}

/// Operators that bind a name over a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `sum`
    Sum,
}

impl Quantifier {
    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
            Quantifier::Sum => "sum",
        }
    }
}
