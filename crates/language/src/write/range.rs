//! The condition under which an update keeps every variable in its range.
//!
//! The update is run symbolically: each assigned value is expressed in the values before the update, and where its interval
//! is not inside the variable's range a comparison is added to the guard. Intervals know the declared ranges and what the guard itself says.

use crate::source::Span;
use crate::syntax::{BinaryOp, Decl, Edge, Expr, ExprKind, Name, TypeBase, UnaryOp};
use std::collections::{HashMap, HashSet};

type Interval = (i64, i64);

/// The ranges of the integer variables; an array has the range of its elements.
#[derive(Clone)]
pub(super) struct Ranges(HashMap<Name, Interval>);

impl Ranges {
    pub(super) fn of(decls: &[Decl]) -> Self {
        let mut ranges = Self(HashMap::new());
        for decl in decls {
            let Decl::Variables(ty, names) = decl else { continue };
            let TypeBase::Int(Some(bounds)) = &ty.base else { continue };
            let (Some(low), Some(high)) = (ranges.constant(&bounds.0), ranges.constant(&bounds.1)) else {
                continue;
            };
            for declarator in names {
                ranges.0.insert(declarator.name.name.clone(), (low, high));
            }
        }
        ranges
    }

    /// Whether a value is always in the range of a variable; what is no integer variable has none.
    pub(super) fn contain(&self, variable: &Name, value: &Expr) -> bool {
        let Some(&(low, high)) = self.0.get(variable) else { return true };
        self.interval(value).is_some_and(|(least, most)| low <= least && most <= high)
    }

    fn constant(&self, expr: &Expr) -> Option<i64> {
        self.interval(expr).filter(|(low, high)| low == high).map(|(low, _)| low)
    }

    /// Where the value of an integer expression lies, if that can be told. What does not fit into 32 bits wraps around.
    fn interval(&self, expr: &Expr) -> Option<Interval> {
        let fits = |value: i64| i32::try_from(value).is_ok();
        self.unwrapped(expr).filter(|(low, high)| fits(*low) && fits(*high))
    }

    fn unwrapped(&self, expr: &Expr) -> Option<Interval> {
        match &expr.kind {
            ExprKind::Int(value) => Some((i64::from(*value), i64::from(*value))),
            ExprKind::Bool(value) => Some((i64::from(*value), i64::from(*value))),
            ExprKind::Name(name) => self.0.get(name).copied(),
            ExprKind::Index(base, _) => self.interval(base),
            ExprKind::Unary(UnaryOp::Minus, operand) => {
                self.interval(operand).map(|(low, high)| (-high, -low))
            }
            ExprKind::Unary(UnaryOp::Plus, operand) => self.interval(operand),
            ExprKind::Unary(UnaryOp::Not, _) => Some((0, 1)),
            ExprKind::Conditional(_, yes, no) => {
                let (yes, no) = (self.interval(yes)?, self.interval(no)?);
                Some((yes.0.min(no.0), yes.1.max(no.1)))
            }
            ExprKind::Binary(op, left, right) => self.combined(*op, left, right),
            _ => None,
        }
    }

    fn combined(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Interval> {
        if op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or) {
            return Some((0, 1));
        }
        let ((a, b), (c, d)) = (self.interval(left)?, self.interval(right)?);
        match op {
            BinaryOp::Add => Some((a.saturating_add(c), b.saturating_add(d))),
            BinaryOp::Sub => Some((a.saturating_sub(d), b.saturating_sub(c))),
            BinaryOp::Mul => {
                let corners =
                    [a.saturating_mul(c), a.saturating_mul(d), b.saturating_mul(c), b.saturating_mul(d)];
                Some((*corners.iter().min()?, *corners.iter().max()?))
            }
            BinaryOp::Div if c > 0 => Some(((a / c).min(a / d), (b / c).max(b / d))),
            BinaryOp::Mod if c > 0 => Some((a.clamp(1 - d, 0), b.clamp(0, d - 1))),
            _ => None,
        }
    }

    /// Narrows the ranges of plain variables by the comparisons of a guard, leaving out `except`.
    fn narrow(&mut self, guard: &Expr, except: &HashSet<Name>) {
        let ExprKind::Binary(op, left, right) = &guard.kind else { return };
        if *op == BinaryOp::And {
            self.narrow(left, except);
            self.narrow(right, except);
        } else if let (ExprKind::Name(name), Some(bound)) = (&left.kind, self.constant(right)) {
            self.narrow_one(*op, name, bound, except);
        } else if let (Some(bound), ExprKind::Name(name)) = (self.constant(left), &right.kind) {
            self.narrow_one(mirrored(*op), name, bound, except);
        }
    }

    fn narrow_one(&mut self, op: BinaryOp, name: &Name, bound: i64, except: &HashSet<Name>) {
        if except.contains(name) {
            return;
        }
        let Some((low, high)) = self.0.get_mut(name) else { return };
        let (least, most) = match op {
            BinaryOp::Lt => (*low, bound - 1),
            BinaryOp::Le => (*low, bound),
            BinaryOp::Eq => (bound, bound),
            BinaryOp::Ge => (bound, *high),
            BinaryOp::Gt => (bound + 1, *high),
            _ => return,
        };
        (*low, *high) = (least.max(*low), most.min(*high));
    }
}

fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Gt => BinaryOp::Lt,
        other => other,
    }
}

/// The variables an update assigns.
pub(super) fn written(update: &[Expr]) -> impl Iterator<Item = Name> {
    update.iter().filter_map(|item| Some(assignment(item)?.target))
}

/// The edge's guard with the range conditions of its update.
///
/// `changed` holds the variables that another process changes before this edge's update runs; the name of one on which a condition depends is
/// returned as an error.
pub(super) fn guarded(edge: &Edge, ranges: &Ranges, changed: &HashSet<Name>) -> Result<Option<Expr>, Name> {
    let mut known = ranges.clone();
    if let Some(guard) = &edge.guard {
        known.narrow(guard, changed);
    }
    let mut guard = edge.guard.clone();
    let mut before = Before::default();
    for step in edge.update.iter().filter_map(assignment) {
        let value = before.value(&step.value);
        if let Some(&range) = ranges.0.get(&step.target) {
            for condition in conditions(&value, range, &known) {
                if let Some(variable) = reads(&condition, changed) {
                    return Err(variable);
                }
                guard = Some(match guard {
                    Some(guard) => binary(BinaryOp::And, guard, condition),
                    None => condition,
                });
            }
        }
        let index = step.index.map(|index| before.value(&index));
        before.writes.push(Assignment { target: step.target, index, value });
    }
    Ok(guard)
}

fn conditions(value: &Expr, (low, high): Interval, known: &Ranges) -> Vec<Expr> {
    let interval = known.interval(value);
    let mut conditions = Vec::new();
    if interval.is_none_or(|(least, _)| least < low) {
        conditions.push(binary(BinaryOp::Ge, value.clone(), integer(low, value.span)));
    }
    if interval.is_none_or(|(_, most)| most > high) {
        conditions.push(binary(BinaryOp::Le, value.clone(), integer(high, value.span)));
    }
    conditions
}

/// `target[index] = value`
pub(super) struct Assignment {
    pub(super) target: Name,
    index: Option<Expr>,
    pub(super) value: Expr,
}

/// What an item of an update assigns, if it does.
pub(super) fn assignment(item: &Expr) -> Option<Assignment> {
    let ExprKind::Assign(op, target, value) = &item.kind else { return None };
    let value = match op {
        Some(op) => binary(*op, (**target).clone(), (**value).clone()),
        None => (**value).clone(),
    };
    match &target.kind {
        ExprKind::Name(name) => Some(Assignment { target: name.clone(), index: None, value }),
        ExprKind::Index(base, index) => match &base.kind {
            ExprKind::Name(name) => {
                Some(Assignment { target: name.clone(), index: Some((**index).clone()), value })
            }
            _ => None,
        },
        _ => None,
    }
}

/// What has been assigned so far, in terms of the values before the update.
#[derive(Default)]
struct Before {
    writes: Vec<Assignment>,
}

impl Before {
    /// An expression evaluated now, in terms of the values before.
    fn value(&self, expr: &Expr) -> Expr {
        let boxed = |operand: &Expr| Box::new(self.value(operand));
        let kind = match &expr.kind {
            ExprKind::Name(name) => {
                let write =
                    self.writes.iter().rev().find(|write| write.target == *name && write.index.is_none());
                return write.map_or_else(|| expr.clone(), |write| write.value.clone());
            }
            ExprKind::Index(base, index) => return self.element(expr, base, &self.value(index)),
            ExprKind::Unary(op, operand) => ExprKind::Unary(*op, boxed(operand)),
            ExprKind::Binary(op, left, right) => ExprKind::Binary(*op, boxed(left), boxed(right)),
            ExprKind::Conditional(condition, yes, no) => {
                ExprKind::Conditional(boxed(condition), boxed(yes), boxed(no))
            }
            other => other.clone(),
        };
        Expr { kind, span: expr.span }
    }

    fn element(&self, whole: &Expr, base: &Expr, index: &Expr) -> Expr {
        let read = ExprKind::Index(Box::new(base.clone()), Box::new(index.clone()));
        let mut value = Expr { kind: read, span: whole.span };
        let ExprKind::Name(array) = &base.kind else { return value };
        for write in self.writes.iter().filter(|write| write.target == *array) {
            let Some(at) = &write.index else { continue };
            value = match (&at.kind, &index.kind) {
                (ExprKind::Int(a), ExprKind::Int(b)) if a == b => write.value.clone(),
                (ExprKind::Int(_), ExprKind::Int(_)) => value,
                _ => {
                    let same = binary(BinaryOp::Eq, index.clone(), at.clone());
                    let branches = (Box::new(write.value.clone()), Box::new(value));
                    let kind = ExprKind::Conditional(Box::new(same), branches.0, branches.1);
                    Expr { kind, span: whole.span }
                }
            };
        }
        value
    }
}

fn reads(expr: &Expr, variables: &HashSet<Name>) -> Option<Name> {
    let either = |left: &Expr, right: &Expr| reads(left, variables).or_else(|| reads(right, variables));
    match &expr.kind {
        ExprKind::Name(name) => variables.contains(name).then(|| name.clone()),
        ExprKind::Unary(_, operand) => reads(operand, variables),
        ExprKind::Index(left, right) | ExprKind::Binary(_, left, right) => either(left, right),
        ExprKind::Conditional(condition, yes, no) => reads(condition, variables).or_else(|| either(yes, no)),
        _ => None,
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}

/// An integer literal; negative numbers are a sign and a literal, as the parser reads them.
pub(crate) fn integer(value: i64, span: Span) -> Expr {
    let literal = |value: i32| Expr { kind: ExprKind::Int(value), span };
    match i32::try_from(value.abs()) {
        Ok(size) if value < 0 => {
            Expr { kind: ExprKind::Unary(UnaryOp::Minus, Box::new(literal(size))), span }
        }
        Ok(size) => literal(size),
        Err(_) => literal(if value < 0 { i32::MIN } else { i32::MAX }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Diagnostics;
    use crate::parse::{self, Dialect};
    use crate::source::{FileId, Fragment, SourceMap};
    use crate::syntax::{Drawing, Node};

    fn fragment(text: &str) -> Fragment {
        Fragment::whole(FileId(0), text)
    }

    fn guard_of(guard: &str, update: &str, changed: &[&str]) -> Result<String, Name> {
        let mut out = Diagnostics::default();
        let decls = fragment("int[0,5] i, j; int[0,3] a[2]; clock x;");
        let ranges = Ranges::of(&parse::declarations(&decls, Dialect::New, &mut out));
        let edge = Edge {
            source: Node::Location(0),
            target: Node::Location(0),
            select: vec![],
            guard: parse::guard(&fragment(guard), Dialect::New, &mut out),
            sync: None,
            update: parse::update(&fragment(update), Dialect::New, &mut out),
            probability: None,
            controllable: true,
            drawing: Drawing::default(),
            span: Span::default(),
        };
        assert!(!out.has_errors(), "{out:?}");
        let changed = changed.iter().map(|&name| name.into()).collect();
        let guard = guarded(&edge, &ranges, &changed)?;
        Ok(guard.map_or(String::new(), |guard| crate::write::expression(&guard, &SourceMap::default())))
    }

    #[test]
    fn only_what_can_leave_its_range_is_guarded() {
        assert_eq!(guard_of("", "i = 5, x = 0", &[]), Ok(String::new()));
        assert_eq!(guard_of("", "i = i + 1", &[]), Ok("i + 1 <= 5".into()));
        assert_eq!(guard_of("", "i = i - 1", &[]), Ok("i - 1 >= 0".into()));
        assert_eq!(guard_of("i < 5", "i = i + 1", &[]), Ok("i < 5".into()));
        assert_eq!(guard_of("", "i = 7", &[]), Ok("7 <= 5".into()));
        assert_eq!(guard_of("", "i = j % 3", &[]), Ok(String::new()));
        assert_eq!(guard_of("", "a[1] = i", &[]), Ok("i <= 3".into()));
    }

    #[test]
    fn earlier_assignments_are_followed() {
        assert_eq!(guard_of("", "i = 2, i = i + 1", &[]), Ok(String::new()));
        assert_eq!(guard_of("", "j = i + 1, i = j + 1", &[]), Ok("i + 1 <= 5 && i + 1 + 1 <= 5".into()));
        assert_eq!(guard_of("", "a[0] = 3, i = a[0] + 3", &[]), Ok("3 + 3 <= 5".into()));
        let same = guard_of("", "a[j] = 3, i = a[0] + 3", &[]);
        assert_eq!(same, Ok("(0 == j ? 3 : a[0]) + 3 <= 5".into()));
    }

    #[test]
    fn what_a_partner_changes_first_is_refused() {
        assert_eq!(guard_of("i < 5", "i = i + 1", &["i"]), Err("i".into()));
        assert_eq!(guard_of("i < 5", "j = 0", &["i"]), Ok("i < 5".into()));
    }
}
