//! What formats of timed automata have in common.

use std::fmt;

/// A network of timed automata with bounded integers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct System {
    /// Its name.
    pub name: String,
    /// Clocks: a name, and how many there are under it.
    pub clocks: Vec<(String, usize)>,
    /// Integers.
    pub integers: Vec<Integers>,
    /// The processes.
    pub processes: Vec<Process>,
    /// What happens together.
    pub vectors: Vec<Vector>,
}

/// Integers under one name.
#[derive(Clone, PartialEq, Debug)]
pub struct Integers {
    /// The name.
    pub name: String,
    /// How many there are.
    pub size: usize,
    /// The least value.
    pub min: i64,
    /// The largest value.
    pub max: i64,
    /// What all of them begin with.
    pub initial: i64,
}

/// A process.
#[derive(Clone, PartialEq, Debug)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Where it begins.
    pub initial: usize,
    /// Its edges.
    pub edges: Vec<Edge>,
}

/// A location.
#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    /// Its name, unique within its process.
    pub name: String,
    /// What must hold here.
    pub invariant: Vec<Expr>,
    /// No time passes.
    pub urgent: bool,
    /// Must be left at once.
    pub committed: bool,
}

/// An edge.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// Where it begins.
    pub source: usize,
    /// Where it ends.
    pub target: usize,
    /// The event; one without an event happens alone.
    pub event: Option<String>,
    /// When it is possible: all of these.
    pub guard: Vec<Expr>,
    /// What it does, in this order.
    pub update: Vec<(Target, Expr)>,
}

/// What an assignment changes.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// The name of integers or clocks.
    pub name: String,
    /// Which of them.
    pub index: Option<Expr>,
    /// Whether it is a clock.
    pub is_clock: bool,
}

/// Events that happen together: a process, an event, and whether the process stays out where it has no edge with that event. Updates run in this order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Vector {
    /// Who takes part.
    pub participants: Vec<(usize, String, bool)>,
}

/// An expression over integers and clocks; truth values are 0 and 1.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// A number.
    Number(i64),
    /// One of the integers under a name.
    Integer(String, Option<Box<Expr>>),
    /// One of the clocks under a name.
    Clock(String, Option<Box<Expr>>),
    /// `-e`
    Minus(Box<Expr>),
    /// Whether something does not hold.
    Not(Box<Expr>),
    /// Two values.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// One of two values, as the first says.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// What becomes of two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are the operators' names")]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Lt,
    Le,
    Eq,
    Ne,
    Ge,
    Gt,
    And,
    Or,
}

impl Operator {
    /// Whether it compares.
    pub fn is_comparison(self) -> bool {
        use Operator::{Eq, Ge, Gt, Le, Lt, Ne};
        matches!(self, Lt | Le | Eq | Ne | Ge | Gt)
    }

    /// The comparison that holds where this one does not.
    #[must_use]
    pub fn negated(self) -> Self {
        use Operator::{Eq, Ge, Gt, Le, Lt, Ne};
        match self {
            Lt => Ge,
            Le => Gt,
            Eq => Ne,
            Ne => Eq,
            Ge => Lt,
            Gt => Le,
            other => other,
        }
    }

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        use Operator::{Add, And, Div, Eq, Ge, Gt, Le, Lt, Mod, Mul, Ne, Or, Sub};
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Mod => "%",
            Lt => "<",
            Le => "<=",
            Eq => "==",
            Ne => "!=",
            Ge => ">=",
            Gt => ">",
            And => "&&",
            Or => "||",
        }
    }
}

impl Expr {
    /// `self operator other`
    #[must_use]
    pub fn with(self, operator: Operator, other: Expr) -> Expr {
        Expr::Binary(operator, Box::new(self), Box::new(other))
    }

    /// The opposite truth value.
    #[must_use]
    pub fn negated(self) -> Expr {
        match self {
            Expr::Number(value) => Expr::Number(i64::from(value == 0)),
            Expr::Not(inner) => inner.truth(),
            Expr::Binary(operator, left, right) if operator.is_comparison() => {
                Expr::Binary(operator.negated(), left, right)
            }
            Expr::Binary(Operator::And, left, right) => left.negated().with(Operator::Or, right.negated()),
            Expr::Binary(Operator::Or, left, right) => left.negated().with(Operator::And, right.negated()),
            other => other.with(Operator::Eq, Expr::Number(0)),
        }
    }

    /// The truth value of a number: whether it is not 0.
    #[must_use]
    pub fn truth(self) -> Expr {
        match self {
            Expr::Number(value) => Expr::Number(i64::from(value != 0)),
            expr if expr.is_truth() => expr,
            other => other.with(Operator::Ne, Expr::Number(0)),
        }
    }

    /// Whether it is 0 or 1 by its form.
    pub fn is_truth(&self) -> bool {
        match self {
            Expr::Number(value) => matches!(value, 0 | 1),
            Expr::Not(_) => true,
            Expr::Binary(operator, ..) => {
                operator.is_comparison() || matches!(operator, Operator::And | Operator::Or)
            }
            _ => false,
        }
    }

    /// Calls `visit` for this and all parts.
    pub fn visit<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        match self {
            Expr::Number(_) => {}
            Expr::Integer(_, index) | Expr::Clock(_, index) => {
                if let Some(index) = index {
                    index.visit(visit);
                }
            }
            Expr::Minus(inner) | Expr::Not(inner) => inner.visit(visit),
            Expr::Binary(_, left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            Expr::If(condition, then, otherwise) => {
                condition.visit(visit);
                then.visit(visit);
                otherwise.visit(visit);
            }
        }
    }

    /// Whether it depends on clocks.
    pub fn has_clocks(&self) -> bool {
        let mut found = false;
        self.visit(&mut |part| found |= matches!(part, Expr::Clock(..)));
        found
    }

    /// Whether it speaks of integers or clocks under a name.
    pub fn mentions(&self, name: &str) -> bool {
        let mut found = false;
        self.visit(&mut |part| {
            found |= matches!(part, Expr::Integer(own, _) | Expr::Clock(own, _) if own == name);
        });
        found
    }

    /// The same, with constants computed as far as that cannot go wrong.
    #[must_use]
    pub fn folded(self) -> Expr {
        use Operator::{Add, And, Div, Eq, Ge, Gt, Le, Lt, Mod, Mul, Ne, Or, Sub};
        let Expr::Binary(operator, left, right) = self else { return self };
        let (Expr::Number(a), Expr::Number(b)) = (&*left, &*right) else {
            return match (operator, &*left, &*right) {
                (And, Expr::Number(0), _) | (And, _, Expr::Number(0)) => Expr::Number(0),
                (And, Expr::Number(_), _) | (Or, Expr::Number(0), _) => right.truth(),
                (And, _, Expr::Number(_)) | (Or, _, Expr::Number(0)) => left.truth(),
                (Or, Expr::Number(_), _) | (Or, _, Expr::Number(_)) => Expr::Number(1),
                _ => Expr::Binary(operator, left, right),
            };
        };
        let value = match operator {
            Add => a.checked_add(*b),
            Sub => a.checked_sub(*b),
            Mul => a.checked_mul(*b),
            Div => a.checked_div(*b),
            Mod => a.checked_rem(*b),
            Lt => Some(i64::from(a < b)),
            Le => Some(i64::from(a <= b)),
            Eq => Some(i64::from(a == b)),
            Ne => Some(i64::from(a != b)),
            Ge => Some(i64::from(a >= b)),
            Gt => Some(i64::from(a > b)),
            And => Some(i64::from(*a != 0 && *b != 0)),
            Or => Some(i64::from(*a != 0 || *b != 0)),
        };
        value.map_or(Expr::Binary(operator, left, right), Expr::Number)
    }
}

/// What a format has no words for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct Refusal {
    /// What.
    pub what: String,
    /// Where, if it can be said.
    pub place: String,
    /// The format.
    pub format: &'static str,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "{} cannot be written {}", self.what, self.format)
    }
}

pub(crate) type Result<T> = std::result::Result<T, Refusal>;

/// The formats, as messages call them.
pub(crate) const TCK: &str = "in TChecker's language";
pub(crate) const JANI: &str = "as JANI";
/// What all formats lack.
pub(crate) const NEITHER: &str = "in another tool's language";

pub(crate) fn refuse<T>(what: impl Into<String>) -> Result<T> {
    Err(Refusal { what: what.into(), place: String::new(), format: NEITHER })
}

pub(crate) trait At<T> {
    /// Says where it is, unless that is known.
    fn at(self, place: impl FnOnce() -> String) -> Result<T>;
    /// Says which format it is about, unless that is known.
    fn about(self, format: &'static str) -> Result<T>;
}

impl<T> At<T> for Result<T> {
    fn at(self, place: impl FnOnce() -> String) -> Result<T> {
        self.map_err(
            |refusal| if refusal.place.is_empty() { Refusal { place: place(), ..refusal } } else { refusal },
        )
    }

    fn about(self, format: &'static str) -> Result<T> {
        self.map_err(
            |refusal| if refusal.format == NEITHER { Refusal { format, ..refusal } } else { refusal },
        )
    }
}
