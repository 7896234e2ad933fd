//! Expressions and assignments of the language, over cells.

use crate::plain::Translator;
use crate::system::{Expr, Operator, Result, Target, refuse};
use crate::variables::{Leaf, Object};
use guidepost_language::syntax::{self, BinaryOp, ExprKind, Name, Quantifier, StmtKind, UnaryOp};

/// Values that a quantifier may range over.
const MOST_VALUES: i64 = 1_000;
/// Functions call functions.
const DEEPEST: usize = 50;

impl Translator<'_> {
    /// The value of a constant expression.
    pub(crate) fn number(&mut self, expr: &syntax::Expr) -> Result<i64> {
        match self.expr(expr)? {
            Expr::Number(value) => Ok(value),
            _ => refuse("something that is computed where a number is wanted"),
        }
    }

    /// A condition as a list of conditions that must all hold.
    pub(crate) fn conjunction(&mut self, expr: Option<&syntax::Expr>) -> Result<Vec<Expr>> {
        let mut all = Vec::new();
        if let Some(expr) = expr {
            split(self.expr(expr)?.truth(), &mut all);
        }
        Ok(all)
    }

    pub(crate) fn expr(&mut self, expr: &syntax::Expr) -> Result<Expr> {
        match &expr.kind {
            ExprKind::Bool(value) => Ok(Expr::Number(i64::from(*value))),
            ExprKind::Int(value) => Ok(Expr::Number(i64::from(*value))),
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Field(..) => self.access(expr),
            ExprKind::Unary(op, operand) => {
                let operand = self.expr(operand)?;
                Ok(match (op, operand) {
                    (UnaryOp::Plus, operand) => operand,
                    (UnaryOp::Minus, Expr::Number(value)) => Expr::Number(-value),
                    (UnaryOp::Minus, operand) => Expr::Minus(Box::new(operand)),
                    (UnaryOp::Not, operand) => operand.truth().negated(),
                })
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                binary(*op, left, right)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.expr(condition)?.truth();
                let (then, otherwise) = (self.expr(then)?, self.expr(otherwise)?);
                if then.has_clocks() || otherwise.has_clocks() {
                    return refuse("a choice between clocks");
                }
                Ok(match condition {
                    Expr::Number(0) => otherwise,
                    Expr::Number(_) => then,
                    condition => Expr::If(Box::new(condition), Box::new(then), Box::new(otherwise)),
                })
            }
            ExprKind::Quantified(quantifier, binder, ty, body) => {
                self.quantified(*quantifier, &binder.name, ty, body)
            }
            ExprKind::Call(callee, args) => self.call(callee, args),
            ExprKind::Rate(_) => refuse("a rate of a clock"),
            ExprKind::Assign(..) | ExprKind::Step { .. } => refuse("an assignment inside an expression"),
            ExprKind::Deadlock => refuse("`deadlock`"),
            ExprKind::Double(_) | ExprKind::String(_) => refuse("a value that is no integer"),
            ExprKind::Foreign(construct) => refuse(format!("`{construct}`")),
            ExprKind::Error => refuse("an expression with an error"),
        }
    }

    /// `forall`, `exists` and `sum`, value by value.
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binder: &Name,
        ty: &syntax::TypeExpr,
        body: &syntax::Expr,
    ) -> Result<Expr> {
        let (low, high) = self.range(ty)?;
        if high - low >= MOST_VALUES {
            return refuse(format!("a quantifier over more than {MOST_VALUES} values"));
        }
        let (operator, mut all) = match quantifier {
            Quantifier::Forall => (Operator::And, Expr::Number(1)),
            Quantifier::Exists => (Operator::Or, Expr::Number(0)),
            Quantifier::Sum => (Operator::Add, Expr::Number(0)),
        };
        for value in low..=high {
            self.locals.push((binder.clone(), Expr::Number(value)));
            let part = self.expr(body);
            self.locals.pop();
            let part = part?;
            let part = if quantifier == Quantifier::Sum { part } else { part.truth() };
            all = match (all, operator) {
                (Expr::Number(0), Operator::Add) => part,
                (all, operator) => all.with(operator, part).folded(),
            };
        }
        Ok(all)
    }

    /// A function that only returns a value is that value.
    fn call(&mut self, callee: &syntax::Expr, args: &[syntax::Expr]) -> Result<Expr> {
        let ExprKind::Name(name) = &callee.kind else { return refuse("a call of this kind") };
        if &**name == "abs"
            && let [value] = args
            && self.object(name).is_none()
        {
            let value = self.expr(value)?;
            let is_negative = value.clone().with(Operator::Lt, Expr::Number(0));
            return Ok(Expr::If(
                Box::new(is_negative),
                Box::new(Expr::Minus(Box::new(value.clone()))),
                Box::new(value),
            ));
        }
        let Some(Object::Function(function)) = self.object(name).cloned() else {
            return refuse(format!("a call of `{name}`"));
        };
        let body = &function.body;
        let [syntax::Stmt { kind: StmtKind::Return(Some(value)), .. }] = &body.statements[..] else {
            return refuse(format!("the function `{name}`, which does more than return a value,"));
        };
        let is_plain = body.decls.is_empty()
            && function.params.iter().all(|param| !param.reference && param.dimensions.is_empty());
        if !is_plain || self.depth >= DEEPEST {
            return refuse(format!("the function `{name}`"));
        }
        let mut bound = Vec::new();
        for (param, arg) in function.params.iter().zip(args) {
            bound.push((param.name.name.clone(), self.expr(arg)?));
        }
        // The body does not see what is local where it is called.
        let outside = std::mem::replace(&mut self.locals, bound);
        self.depth += 1;
        let value = self.expr(value);
        self.depth -= 1;
        self.locals = outside;
        value
    }

    /// A name with fields and indices.
    fn access(&mut self, expr: &syntax::Expr) -> Result<Expr> {
        if let ExprKind::Name(name) = &expr.kind
            && let Some((_, value)) = self.locals.iter().rev().find(|(own, _)| own == name)
        {
            return Ok(value.clone());
        }
        let (group, cell) = self.cell(expr)?;
        group.place(cell)
    }

    /// The group and the cell that an expression names.
    pub(crate) fn cell(&mut self, expr: &syntax::Expr) -> Result<(crate::variables::Group, Expr)> {
        let (mut fields, mut indices, mut inner) = (Vec::new(), Vec::new(), expr);
        let name = loop {
            match &inner.kind {
                ExprKind::Name(name) => break name,
                ExprKind::Index(base, index) => {
                    indices.push(self.expr(index)?);
                    inner = base;
                }
                ExprKind::Field(base, field) => {
                    fields.push(field.name.clone());
                    inner = base;
                }
                _ => return refuse("a part of a computed value"),
            }
        };
        fields.reverse();
        indices.reverse();
        let Some(Object::Groups(groups)) = self.object(name) else { return refuse(format!("`{name}`")) };
        let group = groups.iter().find(|group| group.fields == fields);
        match group {
            Some(group) if group.dimensions.len() == indices.len() => {
                let cell = group.cell(&indices);
                Ok((group.clone(), cell))
            }
            _ => refuse(format!("`{name}` as a whole")),
        }
    }

    /// An update as assignments, in their order.
    pub(crate) fn update(&mut self, list: &[syntax::Expr]) -> Result<Vec<(Target, Expr)>> {
        let mut assignments = Vec::new();
        for item in list {
            self.assignment(item, &mut assignments)?;
        }
        Ok(assignments)
    }

    fn assignment(&mut self, item: &syntax::Expr, to: &mut Vec<(Target, Expr)>) -> Result<()> {
        let (target, value) = match &item.kind {
            ExprKind::Assign(op, target, value) => {
                let value = self.expr(value)?;
                let value = match op {
                    None => value,
                    Some(op) => binary(*op, self.expr(target)?, value)?,
                };
                (target, value)
            }
            ExprKind::Step { increment, target, .. } => {
                let operator = if *increment { Operator::Add } else { Operator::Sub };
                (target, self.expr(target)?.with(operator, Expr::Number(1)))
            }
            // The value of a call that changes nothing is not used.
            ExprKind::Call(..) => return self.expr(item).map(|_| ()),
            _ => return refuse("an update that is no assignment"),
        };
        let (group, cell) = self.cell(target)?;
        if value.has_clocks() && group.leaf != Leaf::Clock {
            return refuse("the value of a clock in an integer");
        }
        match group.place(cell.clone())? {
            Expr::Integer(name, index) => {
                to.push((Target { name, index: index.map(|index| *index), is_clock: false }, value));
                Ok(())
            }
            Expr::Clock(name, index) => {
                to.push((Target { name, index: index.map(|index| *index), is_clock: true }, value));
                Ok(())
            }
            _ => Self::assign_one_of(&group, &cell, &value, to),
        }
    }

    /// An assignment to one of several variables: each gets the new value or keeps its own.
    fn assign_one_of(
        group: &crate::variables::Group,
        cell: &Expr,
        value: &Expr,
        to: &mut Vec<(Target, Expr)>,
    ) -> Result<()> {
        let is_read = |name: &String| cell.mentions(name) || value.mentions(name);
        if group.leaf == Leaf::Constant || group.names.iter().any(is_read) {
            return refuse("an assignment to an element that depends on the others");
        }
        for (number, name) in group.names.iter().enumerate() {
            let is_it = cell.clone().with(Operator::Eq, Expr::Number(number as i64));
            let own = Expr::Integer(name.clone(), None);
            let value = Expr::If(Box::new(is_it), Box::new(value.clone()), Box::new(own));
            to.push((Target { name: name.clone(), index: None, is_clock: false }, value));
        }
        Ok(())
    }
}

/// All that must hold if this does.
pub(crate) fn split(expr: Expr, to: &mut Vec<Expr>) {
    match expr {
        Expr::Binary(Operator::And, left, right) => {
            split(*left, to);
            split(*right, to);
        }
        Expr::Number(value) if value != 0 => {}
        other => to.push(other),
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Result<Expr> {
    let operator = match op {
        BinaryOp::Add => Operator::Add,
        BinaryOp::Sub => Operator::Sub,
        BinaryOp::Mul => Operator::Mul,
        BinaryOp::Div => Operator::Div,
        BinaryOp::Mod => Operator::Mod,
        BinaryOp::Lt => Operator::Lt,
        BinaryOp::Le => Operator::Le,
        BinaryOp::Eq => Operator::Eq,
        BinaryOp::Ne => Operator::Ne,
        BinaryOp::Ge => Operator::Ge,
        BinaryOp::Gt => Operator::Gt,
        BinaryOp::And => return Ok(left.truth().with(Operator::And, right.truth()).folded()),
        BinaryOp::Or => return Ok(left.truth().with(Operator::Or, right.truth()).folded()),
        BinaryOp::Imply => return Ok(left.truth().negated().with(Operator::Or, right.truth()).folded()),
        BinaryOp::Min | BinaryOp::Max => {
            let less = left.clone().with(Operator::Lt, right.clone());
            let (then, otherwise) = if op == BinaryOp::Min { (left, right) } else { (right, left) };
            return Ok(Expr::If(Box::new(less), Box::new(then), Box::new(otherwise)));
        }
        BinaryOp::Power
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::BitAnd
        | BinaryOp::BitXor
        | BinaryOp::BitOr
        | BinaryOp::Xor => {
            return refuse(format!("the operator `{}`", op.symbol()));
        }
    };
    Ok(left.with(operator, right).folded())
}
