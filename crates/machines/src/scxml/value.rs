//! Values of expressions, and how they are computed. What cannot be known is `Unknown`, and stays so.

use super::chart::{Chart, StateId};
use super::expression::{Binary, Expression, Unary};
use std::sync::Arc;

/// Beyond this, numbers of ECMAScript are not exact any more.
const EXACT: i64 = 1 << 53;
/// Longer texts are not followed.
const LONGEST_TEXT: usize = 64;

/// A value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// `undefined`
    Undefined,
    /// `null`
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A text.
    Text(Arc<str>),
    /// Some name that begins with this and a dot (with anything, if it is empty), and that the chart does not mention.
    Name(Arc<str>),
    /// Anything.
    Unknown,
}

impl Value {
    /// Whether it counts as true, if that is known.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Value::Undefined | Value::Null => Some(false),
            Value::Bool(value) => Some(*value),
            Value::Integer(value) => Some(*value != 0),
            Value::Text(text) => Some(!text.is_empty()),
            Value::Name(_) => Some(true),
            Value::Unknown => None,
        }
    }

    fn of(truth: Option<bool>) -> Value {
        truth.map_or(Value::Unknown, Value::Bool)
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Undefined => f.write_str("undefined"),
            Value::Null => f.write_str("null"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Integer(value) => write!(f, "{value}"),
            Value::Text(text) => write!(f, "'{text}'"),
            Value::Name(start) => write!(f, "'{start}.…'"),
            Value::Unknown => f.write_str("?"),
        }
    }
}

/// What expressions are evaluated in: a configuration with its data.
pub(super) trait World {
    /// The chart.
    fn chart(&self) -> &Chart;
    /// The value of a variable.
    fn read(&self, variable: usize) -> Value;
    /// Whether a state is active.
    fn is_active(&self, state: StateId) -> bool;
    /// The name of the event that is being processed.
    fn event_name(&self) -> Value;
    /// Something is open: one of so many options is taken. `sure` is the one that happens when nothing goes wrong.
    fn choose(&mut self, options: usize, sure: Option<usize>) -> usize;
    /// An expression of unknown value was evaluated; whether it calls something.
    fn evaluated_opaque(&mut self, calls: bool);
    /// What was decided before about a condition that is open, while nothing has changed.
    fn recall(&self, condition: &Expression) -> Option<bool>;
    /// An open condition was decided.
    fn remember(&mut self, condition: &Expression, holds: bool);
}

/// An evaluation that fails: `error.execution`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Failure;

/// The value of an expression.
pub(super) fn evaluate<W: World + ?Sized>(expression: &Expression, world: &mut W) -> Result<Value, Failure> {
    Ok(match expression {
        Expression::Constant(value) => value.clone(),
        Expression::Variable(variable) => world.read(*variable),
        Expression::EventName => world.event_name(),
        Expression::In(state) => Value::Bool(state.is_some_and(|state| world.is_active(state))),
        Expression::Undeclared(_) => return Err(Failure),
        Expression::Opaque(opaque) => {
            world.evaluated_opaque(opaque.calls);
            Value::Unknown
        }
        Expression::Unary(Unary::Not, inner) => {
            Value::of(evaluate(inner, world)?.truth().map(|truth| !truth))
        }
        Expression::Unary(Unary::Minus, inner) => match evaluate(inner, world)? {
            Value::Integer(value) => Value::Integer(-value),
            _ => Value::Unknown,
        },
        Expression::Binary(Binary::And, left, right) => {
            let left = evaluate(left, world)?;
            match left.truth() {
                // Evaluated perhaps where the left is open; what it calls counts.
                Some(false) => left,
                Some(true) => evaluate(right, world)?,
                None => {
                    let _ = evaluate(right, world);
                    Value::Unknown
                }
            }
        }
        Expression::Binary(Binary::Or, left, right) => {
            let left = evaluate(left, world)?;
            match left.truth() {
                Some(true) => left,
                Some(false) => evaluate(right, world)?,
                None => {
                    let _ = evaluate(right, world);
                    Value::Unknown
                }
            }
        }
        Expression::Binary(operator, left, right) => {
            let (left, right) = (evaluate(left, world)?, evaluate(right, world)?);
            binary(*operator, &left, &right)
        }
        Expression::Choice(condition, then, otherwise) => match evaluate(condition, world)?.truth() {
            Some(true) => evaluate(then, world)?,
            Some(false) => evaluate(otherwise, world)?,
            None => {
                // Both may be evaluated; what they call counts.
                let _ = evaluate(then, world);
                let _ = evaluate(otherwise, world);
                Value::Unknown
            }
        },
    })
}

fn binary(operator: Binary, left: &Value, right: &Value) -> Value {
    match operator {
        Binary::Plus => plus(left, right),
        Binary::Minus => number(left, right, i64::checked_sub),
        Binary::Times => number(left, right, i64::checked_mul),
        Binary::Remainder => match (left, right) {
            // -1 % 2 is -1 as here, but -2 % 2 is -0, which differs from 0 in no comparison.
            (Value::Integer(left), Value::Integer(right)) if *right != 0 => Value::Integer(left % right),
            _ => Value::Unknown,
        },
        Binary::Equal => Value::of(equal(left, right)),
        Binary::NotEqual => Value::of(equal(left, right).map(|equal| !equal)),
        Binary::Same => Value::of(same(left, right)),
        Binary::NotSame => Value::of(same(left, right).map(|same| !same)),
        Binary::Less => compare(left, right, std::cmp::Ordering::is_lt),
        Binary::LessEqual => compare(left, right, std::cmp::Ordering::is_le),
        Binary::Greater => compare(left, right, std::cmp::Ordering::is_gt),
        Binary::GreaterEqual => compare(left, right, std::cmp::Ordering::is_ge),
        Binary::And | Binary::Or => unreachable!("evaluated lazily"),
    }
}

fn plus(left: &Value, right: &Value) -> Value {
    let text = |left: &str, right: &str| {
        if left.len() + right.len() > LONGEST_TEXT {
            Value::Unknown
        } else {
            Value::Text(format!("{left}{right}").into())
        }
    };
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => text(left, right),
        (Value::Text(left), Value::Integer(right)) => text(left, &right.to_string()),
        (Value::Integer(left), Value::Text(right)) => text(&left.to_string(), right),
        _ => number(left, right, i64::checked_add),
    }
}

fn number(left: &Value, right: &Value, operator: fn(i64, i64) -> Option<i64>) -> Value {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => match operator(*left, *right) {
            Some(value) if value.abs() <= EXACT => Value::Integer(value),
            _ => Value::Unknown,
        },
        _ => Value::Unknown,
    }
}

fn compare(left: &Value, right: &Value, holds: fn(std::cmp::Ordering) -> bool) -> Value {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => Value::Bool(holds(left.cmp(right))),
        _ => Value::Unknown,
    }
}

/// `===`, as far as it is known.
fn same(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Unknown, _) | (_, Value::Unknown) | (Value::Name(_), Value::Name(_)) => None,
        (Value::Name(start), Value::Text(text)) | (Value::Text(text), Value::Name(start)) => {
            let may_be =
                start.is_empty() || text.strip_prefix(&**start).is_some_and(|rest| rest.starts_with('.'));
            if may_be { None } else { Some(false) }
        }
        _ => Some(left == right),
    }
}

/// `==`, as far as it is known: values of one type, and the absent ones among each other.
fn equal(left: &Value, right: &Value) -> Option<bool> {
    use Value::{Bool, Integer, Null, Undefined, Unknown};
    match (left, right) {
        (Unknown, _)
        | (_, Unknown)
        | (Value::Text(_) | Value::Name(_), Integer(_) | Bool(_))
        | (Integer(_) | Bool(_), Value::Text(_) | Value::Name(_)) => None,
        (Undefined | Null, Undefined | Null) => Some(true),
        (Undefined | Null, _) | (_, Undefined | Null) => Some(false),
        (Bool(truth), Integer(number)) | (Integer(number), Bool(truth)) => Some(*number == i64::from(*truth)),
        _ => same(left, right),
    }
}

/// Whether a condition holds. What is open is chosen, the same for the same text as long as nothing changes.
pub(super) fn holds<W: World + ?Sized>(condition: &Expression, world: &mut W) -> Result<bool, Failure> {
    match condition {
        Expression::Unary(Unary::Not, inner) => Ok(!holds(inner, world)?),
        Expression::Binary(Binary::And, left, right) => Ok(holds(left, world)? && holds(right, world)?),
        Expression::Binary(Binary::Or, left, right) => Ok(holds(left, world)? || holds(right, world)?),
        leaf => {
            if let Some(truth) = evaluate(leaf, world)?.truth() {
                return Ok(truth);
            }
            let varies = leaf.opaque_parts().iter().any(|opaque| opaque.calls);
            if let Some(truth) = world.recall(leaf).filter(|_| !varies) {
                return Ok(truth);
            }
            let truth = world.choose(2, None) == 1;
            if !varies {
                world.remember(leaf, truth);
            }
            Ok(truth)
        }
    }
}
