//! Printing expressions and types.
//!
//! Parentheses are not in the tree; the printer puts back those that are needed. Every shape has a *level* (how tightly it
//! binds) and every position asks for a least level; what binds more loosely is parenthesised. The levels of the infix
//! operators are those of [`BinaryOp::precedence`], the others lie around them.

use super::Printer;
use crate::source::SourceMap;
use crate::syntax::{BinaryOp, Dimension, Expr, ExprKind, FieldDecl, TypeBase, TypeExpr, UnaryOp};

/// Any expression.
const ANY: u8 = 0;
const ASSIGNMENT: u8 = 2;
/// `?:`, and quantifiers, whose bodies extend as far to the right as they can.
const CONDITIONAL: u8 = 3;
const UNARY: u8 = 16;
const PREFIX: u8 = 17;
/// Names, literals, calls, and all that is written behind its operand.
pub(super) const POSTFIX: u8 = 18;

/// An expression as text, in 4.x syntax.
pub fn expression(expr: &Expr, sources: &SourceMap) -> String {
    let mut printer = Printer::new(sources);
    printer.expr(expr);
    printer.text
}

/// A type as text, in 4.x syntax.
pub fn type_name(ty: &TypeExpr, sources: &SourceMap) -> String {
    let mut printer = Printer::new(sources);
    printer.ty(ty);
    printer.text
}

fn level(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Assign(..) => ASSIGNMENT,
        ExprKind::Conditional(..) | ExprKind::Quantified(..) => CONDITIONAL,
        ExprKind::Binary(op, ..) => op.precedence(),
        ExprKind::Unary(..) => UNARY,
        ExprKind::Int(value) if *value < 0 => UNARY,
        ExprKind::Step { prefix: true, .. } => PREFIX,
        ExprKind::Foreign(_) => ANY,
        _ => POSTFIX,
    }
}

impl Printer<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.expr_at(ANY, expr);
    }

    pub(super) fn exprs(&mut self, list: &[Expr]) {
        self.separated(", ", list, Self::expr);
    }

    /// Prints an expression where only those of at least `least` may stand without parentheses.
    pub(super) fn expr_at(&mut self, least: u8, expr: &Expr) {
        if level(&expr.kind) < least {
            self.push("(");
            self.shape(expr);
            self.push(")");
        } else {
            self.shape(expr);
        }
    }

    fn shape(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Bool(value) => self.push(if *value { "true" } else { "false" }),
            ExprKind::Int(value) => self.push(&value.to_string()),
            ExprKind::Double(text) | ExprKind::Name(text) => self.push(text),
            ExprKind::String(text) => self.push(&format!("\"{text}\"")),
            ExprKind::Call(callee, arguments) => {
                self.expr_at(POSTFIX, callee);
                self.push("(");
                self.exprs(arguments);
                self.push(")");
            }
            ExprKind::Index(base, index) => {
                self.expr_at(POSTFIX, base);
                self.push("[");
                self.expr(index);
                self.push("]");
            }
            ExprKind::Field(base, field) => {
                self.expr_at(POSTFIX, base);
                self.push(".");
                self.push(&field.name);
            }
            ExprKind::Rate(clock) => {
                self.expr_at(POSTFIX, clock);
                self.push("'");
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Assign(op, target, value) => {
                self.expr_at(UNARY, target);
                self.push(&format!(" {}= ", op.map_or("", BinaryOp::symbol)));
                self.expr_at(ASSIGNMENT, value);
            }
            ExprKind::Step { increment, prefix, target } => self.step(*increment, *prefix, target),
            ExprKind::Conditional(condition, yes, no) => {
                self.expr_at(CONDITIONAL + 1, condition);
                self.push(" ? ");
                self.expr_at(CONDITIONAL, yes);
                self.push(" : ");
                self.expr_at(CONDITIONAL, no);
            }
            ExprKind::Quantified(quantifier, binder, ty, body) => {
                self.push(&format!("{} ({} : ", quantifier.keyword(), binder.name));
                self.ty(ty);
                self.push(") ");
                self.expr_at(CONDITIONAL, body);
            }
            ExprKind::Deadlock => self.push("deadlock"),
            ExprKind::Foreign(construct) => self.verbatim(expr.span, construct),
            ExprKind::Error => self.not_expressible(expr.span, "an expression that could not be read"),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) {
        let sign = match op {
            UnaryOp::Minus => "-",
            UnaryOp::Plus => "+",
            UnaryOp::Not => "!",
        };
        let text = self.aside(|printer| printer.expr_at(UNARY, operand));
        // `- -x` must not become the token `--`.
        let doubled = op != UnaryOp::Not && text.starts_with(sign);
        self.push(&if doubled { format!("{sign}({text})") } else { format!("{sign}{text}") });
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        self.expr_at(op.precedence(), left);
        self.push(&format!(" {} ", op.symbol()));
        // All infix operators associate to the left.
        self.expr_at(op.precedence() + 1, right);
    }

    fn step(&mut self, increment: bool, prefix: bool, target: &Expr) {
        let sign = if increment { "++" } else { "--" };
        if prefix {
            self.push(sign);
            self.expr_at(PREFIX, target);
        } else {
            self.expr_at(POSTFIX, target);
            self.push(sign);
        }
    }

    pub(super) fn ty(&mut self, ty: &TypeExpr) {
        for prefix in &ty.prefixes {
            self.push(prefix.keyword());
            self.push(" ");
        }
        match &ty.base {
            TypeBase::Name(name) => self.push(&name.name),
            TypeBase::Int(None) => self.push("int"),
            TypeBase::Int(Some(range)) => {
                self.push("int[");
                self.expr(&range.0);
                self.push(", ");
                self.expr(&range.1);
                self.push("]");
            }
            TypeBase::Bool => self.push("bool"),
            TypeBase::Clock => self.push("clock"),
            TypeBase::Chan => self.push("chan"),
            TypeBase::Double => self.push("double"),
            TypeBase::String => self.push("string"),
            TypeBase::Void => self.push("void"),
            TypeBase::Scalar(size) => {
                self.push("scalar[");
                self.expr(size);
                self.push("]");
            }
            TypeBase::Struct(fields) => self.structure(fields),
        }
    }

    fn structure(&mut self, fields: &[FieldDecl]) {
        self.push("struct {");
        self.indent += 1;
        for field in fields {
            self.line();
            self.ty(&field.ty);
            self.push(" ");
            self.separated(", ", &field.names, |printer, name| {
                printer.push(&name.name.name);
                printer.dimensions(&name.dimensions);
            });
            self.push(";");
        }
        self.indent -= 1;
        self.line();
        self.push("}");
    }

    pub(super) fn dimensions(&mut self, dimensions: &[Dimension]) {
        for dimension in dimensions {
            self.push("[");
            match dimension {
                Dimension::Expr(size) => self.expr(size),
                Dimension::Type(ty) => self.ty(ty),
            }
            self.push("]");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;
    use crate::syntax::{Ident, Quantifier};

    fn at(kind: ExprKind) -> Expr {
        Expr { kind, span: Span::default() }
    }

    fn name(text: &str) -> Expr {
        at(ExprKind::Name(text.into()))
    }

    fn op(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        at(ExprKind::Binary(op, Box::new(left), Box::new(right)))
    }

    fn minus(operand: Expr) -> Expr {
        at(ExprKind::Unary(UnaryOp::Minus, Box::new(operand)))
    }

    fn printed(expr: &Expr) -> String {
        let mut sources = SourceMap::default();
        sources.add("none", "");
        expression(expr, &sources)
    }

    #[test]
    fn parentheses_stand_only_where_they_are_needed() {
        use BinaryOp::{Add, And, Imply, Mul, Or, Sub};
        let sum = || op(Add, name("a"), name("b"));
        assert_eq!(printed(&op(Mul, sum(), name("c"))), "(a + b) * c");
        assert_eq!(printed(&op(Sub, sum(), name("c"))), "a + b - c");
        assert_eq!(printed(&op(Sub, name("c"), sum())), "c - (a + b)");
        let imply = op(Imply, name("a"), op(Imply, name("b"), name("c")));
        assert_eq!(printed(&imply), "a imply (b imply c)");
        assert_eq!(printed(&op(And, op(Or, name("a"), name("b")), name("c"))), "(a || b) && c");
    }

    #[test]
    fn signs_never_run_together() {
        let step = at(ExprKind::Step { increment: false, prefix: true, target: Box::new(name("x")) });
        assert_eq!(printed(&minus(minus(name("x")))), "-(-x)");
        assert_eq!(printed(&minus(step)), "-(--x)");
        assert_eq!(printed(&minus(at(ExprKind::Int(i32::MIN)))), "-(-2147483648)");
        assert_eq!(printed(&op(BinaryOp::Sub, name("a"), minus(name("b")))), "a - -b");
        assert_eq!(printed(&minus(op(BinaryOp::Power, name("a"), name("b")))), "-(a ** b)");
    }

    #[test]
    fn quantifiers_are_fenced_in_where_more_follows() {
        let ty = TypeExpr { prefixes: vec![], base: TypeBase::Bool, span: Span::default() };
        let all = |body| {
            let binder = Ident::new("i", Span::default());
            at(ExprKind::Quantified(Quantifier::Forall, binder, Box::new(ty.clone()), Box::new(body)))
        };
        let nested = all(all(op(BinaryOp::And, name("a"), name("b"))));
        assert_eq!(printed(&nested), "forall (i : bool) forall (i : bool) a && b");
        let inner = op(BinaryOp::And, all(name("a")), name("b"));
        assert_eq!(printed(&inner), "(forall (i : bool) a) && b");
        let assigned = at(ExprKind::Assign(None, Box::new(name("x")), Box::new(all(name("a")))));
        assert_eq!(printed(&assigned), "x = forall (i : bool) a");
    }
}
