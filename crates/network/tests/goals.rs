//! Goals mean exactly what the formula means: random formulas, random states, an evaluator of its own.

mod common;

use common::{load, query};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::model::{
    BinaryOp, Expr, ExprKind, Formula, Model, ProcessRef, Quantifier, SymbolId, Type, UnaryOp,
};
use guidepost_network::interpreter::{Interpreter, Random, Rational, State};
use guidepost_network::{BoundItem, Goal, LocationId, Network, Question, build};

const MODEL: &str = "
    clock x, y; clock z[2]; int[0,3] i; int[-2,2] a[4]; bool b;
    typedef struct { int[0,1] k; bool l; } S; S s, t;
    int inc(int n) { return n + 1; }
    process P(const int[0,2] id) { int[0,2] v = id; clock w; state A, B, C; init A; trans A -> B {}, B -> C {}; }
    process Q() { bool f; state D, E; init D; trans D -> E {}; }
    system P, Q;";

/// Plain recursive evaluation of a typed formula, knowing nothing of goals.
struct Plain<'e> {
    model: &'e Model,
    network: &'e Network,
    state: &'e State,
    binders: Vec<(SymbolId, i64)>,
}

impl Plain<'_> {
    fn process(&self, reference: &ProcessRef) -> (usize, String) {
        let decl = &self.model.processes[reference.process];
        let mut name = decl.name.to_string();
        if !reference.args.is_empty() {
            let args: Vec<String> = reference.args.iter().map(|arg| self.number(arg).to_string()).collect();
            name = format!("{name}({})", args.join(","));
        }
        let index = self.network.processes.iter().position(|process| process.name == name);
        (index.expect("the process exists"), name)
    }

    /// The name of the cell or clock an expression denotes.
    fn path(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Symbol(symbol) => self.model.symbol(*symbol).name.to_string(),
            ExprKind::Member(process, symbol) => {
                format!("{}.{}", self.process(process).1, self.model.symbol(*symbol).name)
            }
            ExprKind::Index(base, index) => format!("{}[{}]", self.path(base), self.number(index)),
            ExprKind::Field(base, position) => {
                let Type::Struct(fields) = &base.ty else { panic!("a struct") };
                format!("{}.{}", self.path(base), fields.fields[*position].0)
            }
            other => panic!("{other:?} is no path"),
        }
    }

    fn number(&self, expr: &Expr) -> i64 {
        let flag = |value: bool| i64::from(value);
        match &expr.kind {
            ExprKind::Bool(value) => flag(*value),
            ExprKind::Int(value) => i64::from(*value),
            ExprKind::Symbol(symbol) if self.binders.iter().any(|(binder, _)| binder == symbol) => {
                self.binders.iter().rev().find(|(binder, _)| binder == symbol).unwrap().1
            }
            ExprKind::Symbol(_) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Field(..) => {
                let path = self.path(expr);
                if let Some(parameter) = path.strip_suffix(".id") {
                    return parameter[2..3].parse().unwrap();
                }
                let at = self.network.variables.iter().position(|variable| variable.name == path);
                i64::from(self.state.variables[at.unwrap_or_else(|| panic!("{path}"))])
            }
            ExprKind::Call(_, args) => self.number(&args[0]) + 1,
            ExprKind::Unary(UnaryOp::Minus, operand) => -self.number(operand),
            ExprKind::Binary(BinaryOp::Add, l, r) => self.number(l) + self.number(r),
            ExprKind::Binary(BinaryOp::Sub, l, r) => self.number(l) - self.number(r),
            ExprKind::Binary(BinaryOp::Mul, l, r) => self.number(l) * self.number(r),
            ExprKind::Binary(BinaryOp::Mod, l, r) => self.number(l) % self.number(r),
            ExprKind::Quantified(Quantifier::Sum, binder, body) => {
                self.each(*binder).map(|value| self.with(*binder, value).number(body)).sum()
            }
            _ => flag(self.holds(expr)),
        }
    }

    fn each(&self, binder: SymbolId) -> std::ops::RangeInclusive<i64> {
        let Type::Int(Some(range)) = &self.model.symbol(binder).ty else { panic!("a range") };
        self.number(&range.0)..=self.number(&range.1)
    }

    fn with(&self, binder: SymbolId, value: i64) -> Plain<'_> {
        let mut binders = self.binders.clone();
        binders.push((binder, value));
        Plain { binders, ..*self }
    }

    /// The value of an expression over clocks.
    fn time(&self, expr: &Expr) -> Rational {
        match (&expr.kind, &expr.ty) {
            (ExprKind::Binary(BinaryOp::Add, l, r), Type::Clock { .. } | Type::Difference) => {
                self.time(l).plus(self.time(r)).unwrap()
            }
            (ExprKind::Binary(BinaryOp::Sub, l, r), Type::Clock { .. } | Type::Difference) => {
                self.time(l).minus(self.time(r)).unwrap()
            }
            (_, Type::Clock { .. }) => {
                let path = self.path(expr);
                let at = self.network.clocks.iter().position(|clock| clock.name == path).expect("a clock");
                self.state.clocks[at]
            }
            _ => Rational::new(self.number(expr), 1).unwrap(),
        }
    }

    fn holds(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => !self.holds(operand),
            ExprKind::Binary(BinaryOp::And, l, r) => self.holds(l) && self.holds(r),
            ExprKind::Binary(BinaryOp::Or, l, r) => self.holds(l) || self.holds(r),
            ExprKind::Binary(BinaryOp::Imply, l, r) => !self.holds(l) || self.holds(r),
            ExprKind::Binary(BinaryOp::Xor, l, r) => self.holds(l) != self.holds(r),
            ExprKind::Binary(op, l, r) if op.is_comparison() => {
                if matches!(l.ty, Type::Struct(_)) {
                    let (l, r) = (self.path(l), self.path(r));
                    let cell = |name: String| {
                        let at = self.network.variables.iter().position(|variable| variable.name == name);
                        self.state.variables[at.unwrap()]
                    };
                    let equal =
                        ["k", "l"].iter().all(|f| cell(format!("{l}.{f}")) == cell(format!("{r}.{f}")));
                    return equal == (*op == BinaryOp::Eq);
                }
                let (l, r) = (self.time(l), self.time(r));
                match op {
                    BinaryOp::Lt => l < r,
                    BinaryOp::Le => l <= r,
                    BinaryOp::Eq => l == r,
                    BinaryOp::Ne => l != r,
                    BinaryOp::Ge => l >= r,
                    _ => l > r,
                }
            }
            ExprKind::Quantified(Quantifier::Forall, binder, body) => {
                self.each(*binder).all(|value| self.with(*binder, value).holds(body))
            }
            ExprKind::Quantified(Quantifier::Exists, binder, body) => {
                self.each(*binder).any(|value| self.with(*binder, value).holds(body))
            }
            ExprKind::AtLocation(process, location) => {
                let process = self.process(process).0;
                let first = self.network.processes[process].locations.start;
                self.state.locations[process].0 == first + *location as u32
            }
            ExprKind::Conditional(c, l, r) => {
                if self.holds(c) {
                    self.holds(l)
                } else {
                    self.holds(r)
                }
            }
            _ => self.number(expr) != 0,
        }
    }
}

fn random_formula(random: &mut Random, depth: usize) -> String {
    const ATOMS: &[&str] = &[
        "x < 2",
        "x >= 1",
        "y == 2",
        "y != 1",
        "x - y <= 1",
        "x + 1 > y",
        "z[i % 2] <= 1",
        "P(1).w > i",
        "x <= a[i] + 2",
        "P(0).A",
        "P(1).B",
        "P(2).C",
        "Q.E",
        "not P(0).B",
        "Q.f",
        "b",
        "i",
        "i == 2",
        "i < 3",
        "a[i] > 0",
        "a[i] == a[0]",
        "inc(i) == 3",
        "s == t",
        "s != t",
        "s.l",
        "P(2).v == 1",
        "P(1).id == 1",
        "i != 0 and a[i - 1] == 0",
        "i == 0 or a[i - 1] >= 1",
        "sum (k : int[0,2]) P(k).A <= 1",
        "sum (k : int[0,3]) a[k] > 0",
        "forall (k : int[0,2]) (P(k).v == k or P(k).B)",
        "exists (k : int[0,2]) (P(k).C and P(k).w <= k)",
        "forall (k : int[0,1]) z[k] > 0",
        "forall (k : int[0,2]) forall (m : int[0,2]) (P(k).C and P(m).C imply k == m)",
        "(i > 1 ? b : Q.D)",
        "true",
        "false",
    ];
    if depth == 0 || random.below(5) == 0 {
        return ATOMS[random.below(ATOMS.len())].to_owned();
    }
    let sub = |random: &mut Random| random_formula(random, depth - 1);
    match random.below(6) {
        0 => format!("not ({})", sub(random)),
        1 => format!("(({}) imply ({}))", sub(random), sub(random)),
        2 | 3 => format!("(({}) and ({}))", sub(random), sub(random)),
        _ => format!("(({}) or ({}))", sub(random), sub(random)),
    }
}

fn random_state(network: &Network, random: &mut Random) -> State {
    let location = |process: &guidepost_network::Process, random: &mut Random| {
        LocationId(process.locations.start + random.below(process.locations.len()) as u32)
    };
    State {
        locations: network.processes.iter().map(|process| location(process, random)).collect(),
        variables: network
            .variables
            .iter()
            .map(|variable| variable.min + random.below((variable.max - variable.min + 1) as usize) as i32)
            .collect(),
        clocks: (0..network.clocks.len())
            .map(|clock| Rational::new(if clock == 0 { 0 } else { random.below(9) as i64 }, 2).unwrap())
            .collect(),
    }
}

fn some_goal(interpreter: &mut Interpreter<'_>, state: &State, goals: &[Goal]) -> bool {
    goals.iter().any(|goal| interpreter.satisfies(state, goal).expect("no fault"))
}

#[test]
fn goals_and_their_negation_agree_with_the_formula() {
    let mut random = Random::new(42);
    let mut loaded = load(MODEL);
    let network = build(&loaded.model).0.unwrap();
    let mut compiled = Vec::new();
    while compiled.len() < 400 {
        let text = format!("E<> {}", random_formula(&mut random, 4));
        let mut diagnostics = Diagnostics::default();
        let typed = loaded.queries_from_text("query", &text, &mut diagnostics).remove(0);
        assert!(!diagnostics.has_errors(), "{text}: {diagnostics:#?}");
        match guidepost_network::compile_query(&network, &loaded.model, &typed) {
            Ok(query) => compiled.push((text, typed, query)),
            Err(errors) => panic!("{text}: {errors:#?}"),
        }
    }
    let mut interpreter = Interpreter::new(&network);
    let mut held = 0;
    for (text, typed, query) in &compiled {
        let (Question::Possibly(predicate), Formula::Possibly(formula)) = (&query.question, &typed.formula)
        else {
            panic!("{text}")
        };
        for _ in 0..40 {
            let state = random_state(&network, &mut random);
            let plain = Plain { model: &loaded.model, network: &network, state: &state, binders: Vec::new() };
            let expected = plain.holds(formula);
            held += usize::from(expected);
            assert_eq!(
                some_goal(&mut interpreter, &state, &predicate.goals),
                expected,
                "{text} in {state:?}"
            );
            assert_eq!(
                some_goal(&mut interpreter, &state, &predicate.negation),
                !expected,
                "not {text} in {state:?}"
            );
        }
    }
    assert!((2000..14_000).contains(&held), "both outcomes occur: {held}");
}

#[test]
fn goals_have_the_shape_heuristics_want() {
    let mut loaded = load(MODEL);
    let network = build(&loaded.model).0.unwrap();
    let compiled = query(&mut loaded, &network, "A[] not (P(0).C and P(1).C and i == 2)");
    let Question::Always(predicate) = &compiled.question else { panic!() };
    let [goal] = predicate.negation.as_slice() else { panic!("{:?}", predicate.negation) };
    assert_eq!(goal.locations.len(), 2);
    assert_eq!(goal.data.len(), 1);
    assert_eq!(predicate.goals.len(), 3);
    let compiled = query(&mut loaded, &network, "E<> Q.E && deadlock");
    let Question::Possibly(predicate) = &compiled.question else { panic!() };
    assert_eq!(predicate.goals[0].deadlock, Some(true));
    assert_eq!(predicate.negation.iter().filter(|goal| goal.deadlock == Some(false)).count(), 1);
    assert!(predicate.mentions_deadlock());
}

#[test]
fn large_conjunctions_of_disjunctions_stay_opaque() {
    let text = "process P(const int[0,39] id) { state A, B; init A; trans A -> B {}; } system P;";
    let mut loaded = load(text);
    let network = build(&loaded.model).0.unwrap();
    let compiled = query(
        &mut loaded,
        &network,
        "A[] forall (i : int[0,39]) forall (j : int[0,39]) P(i).B and P(j).B imply i == j",
    );
    let Question::Always(predicate) = &compiled.question else { panic!() };
    assert_eq!(predicate.negation.len(), 40 * 39, "each pair is a goal");
    assert_eq!(predicate.goals.len(), 1, "its negation is evaluated");
}

#[test]
fn bounds_are_clocks_or_values() {
    let mut loaded = load(MODEL);
    let network = build(&loaded.model).0.unwrap();
    let compiled = query(&mut loaded, &network, "sup{P(0).B}: x, a[i] + 1, P(1).w");
    let Question::Bound { within: Some(_), items, .. } = &compiled.question else { panic!() };
    assert!(matches!(items[0], BoundItem::Clock(clock) if network.clocks[clock.index()].name == "x"));
    assert!(matches!(items[1], BoundItem::Value { min: -1, max: 3, .. }));
    assert!(matches!(items[2], BoundItem::Clock(clock) if network.clocks[clock.index()].name == "P(1).w"));
}
