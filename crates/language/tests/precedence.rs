//! Which operator binds tighter: the table of the language reference (§2), by comparing trees.

use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::parse::{self, Dialect};
use guidepost_language::source::{FileId, Fragment, SourceMap};
use guidepost_language::syntax::{Expr, ExprKind};
use guidepost_language::write;

fn parse(text: &str) -> Expr {
    let mut out = Diagnostics::default();
    let expr = parse::expression(&Fragment::whole(FileId(0), text), Dialect::New, &mut out);
    assert!(out.is_empty(), "{text}: {out:?}");
    expr.expect("an expression")
}

/// The tree with every operator in parentheses.
fn grouped(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Double(text) | ExprKind::String(text) | ExprKind::Name(text) => text.to_string(),
        ExprKind::Call(callee, args) => {
            let args: Vec<_> = args.iter().map(grouped).collect();
            format!("{}({})", grouped(callee), args.join(", "))
        }
        ExprKind::Index(base, index) => format!("{}[{}]", grouped(base), grouped(index)),
        ExprKind::Field(base, field) => format!("{}.{}", grouped(base), field.name),
        ExprKind::Rate(clock) => format!("{}'", grouped(clock)),
        ExprKind::Unary(op, operand) => format!("({op:?} {})", grouped(operand)),
        ExprKind::Binary(op, left, right) => {
            format!("({} {} {})", grouped(left), op.symbol(), grouped(right))
        }
        ExprKind::Assign(op, target, value) => {
            let op = op.map_or("", |op| op.symbol());
            format!("({} {op}= {})", grouped(target), grouped(value))
        }
        ExprKind::Step { increment, prefix, target } => {
            let sign = if *increment { "++" } else { "--" };
            let target = grouped(target);
            if *prefix { format!("({sign}{target})") } else { format!("({target}{sign})") }
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            format!("({} ? {} : {})", grouped(condition), grouped(then), grouped(otherwise))
        }
        ExprKind::Quantified(quantifier, name, _, body) => {
            format!("({} {} {})", quantifier.keyword(), name.name, grouped(body))
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn operators_bind_as_the_reference_says() {
    for (text, expected) in [
        ("a.b[1]'", "a.b[1]'"),
        ("-a.b", "(Minus a.b)"),
        ("!a++", "(Not (a++))"),
        ("-++a", "(Minus (++a))"),
        ("not a == b", "((Not a) == b)"),
        ("-2**2", "((Minus 2) ** 2)"),
        ("2**3**4", "((2 ** 3) ** 4)"),
        ("a*b**c", "(a * (b ** c))"),
        ("a+b*c-d/e%f", "((a + (b * c)) - ((d / e) % f))"),
        ("a-b-c", "((a - b) - c)"),
        ("a<<b+c", "(a << (b + c))"),
        ("a<?b<<c>?d", "((a <? (b << c)) >? d)"),
        ("a<b<?c", "(a < (b <? c))"),
        ("a==b<c", "(a == (b < c))"),
        ("x & 1 == 0", "(x & (1 == 0))"),
        ("a|b^c&d", "(a | (b ^ (c & d)))"),
        ("a && b | c", "(a && (b | c))"),
        ("a or b and c", "(a || (b && c))"),
        ("a || b imply c", "((a || b) imply c)"),
        ("a imply b imply c", "((a imply b) imply c)"),
        ("a xor b or c", "((a xor b) || c)"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a or b ? c : d", "((a || b) ? c : d)"),
        ("a = b = c", "(a = (b = c))"),
        ("a = b ? c : d", "(a = (b ? c : d))"),
        ("a += b or c", "(a += (b || c))"),
        ("a := 1", "(a = 1)"),
        ("forall (i : int[0,1]) p(i) && q", "(forall i (p(i) && q))"),
        ("r && exists (i : T) p && q", "(r && (exists i (p && q)))"),
        ("sum (i : T) a[i] <= 1", "(sum i (a[i] <= 1))"),
        ("forall (i : T) a ? b : c", "(forall i (a ? b : c))"),
        ("a && !b || c", "((a && (Not b)) || c)"),
        ("a - -b", "(a - (Minus b))"),
        ("-2147483648", "-2147483648"),
        ("a < b == c > d", "((a < b) == (c > d))"),
    ] {
        assert_eq!(grouped(&parse(text)), expected, "{text}");
    }
}

#[test]
fn what_is_printed_is_read_as_the_same_tree() {
    let atoms = [
        "a",
        "1",
        "f(x)",
        "b[i]",
        "!c",
        "-d",
        "(e + 1)",
        "x'",
        "i++",
        "(p ? q : r)",
        "(forall (k : int[0,1]) s)",
    ];
    let operators = [
        "**", "*", "/", "%", "+", "-", "<<", ">>", "<?", ">?", "<", "<=", ">=", ">", "==", "!=", "&", "^",
        "|", "&&", "||", "xor", "imply",
    ];
    let sources = SourceMap::default();
    for (index, first) in operators.iter().enumerate() {
        for (other, second) in operators.iter().enumerate() {
            let (a, b, c) = (atoms[index % 11], atoms[other % 11], atoms[(index + other) % 11]);
            for text in [format!("{a} {first} {b} {second} {c}"), format!("{a} {first} ({b} {second} {c})")] {
                let expr = parse(&text);
                let printed = write::expression(&expr, &sources);
                assert_eq!(grouped(&parse(&printed)), grouped(&expr), "{text} became {printed}");
            }
        }
    }
}
