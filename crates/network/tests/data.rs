//! Expressions, functions, types: what code computes.

mod common;

use common::{message, network, once, outcome};
use guidepost_network::{Comparison, Fault, Machine, Shape, VarId};

fn result(declarations: &str, update: &str) -> i32 {
    outcome(declarations, update).unwrap()[0]
}

#[test]
fn operators_compute_as_in_c() {
    for (expression, value) in [
        ("7 / 2", 3),
        ("v0 - 7", -7),
        ("(v0 - 7) / 2", -3),
        ("(v0 - 7) % 2", -1),
        ("1 << 4", 16),
        ("(v0 - 8) >> 1", -4),
        ("6 & 3", 2),
        ("6 | 3", 7),
        ("6 ^ 3", 5),
        ("3 <? v0", 0),
        ("3 >? v0", 3),
        ("2 ** 3", 8),
        ("v0 == 0 ? 4 : 5", 4),
        ("v0 != 0 ? 4 : 5", 5),
        ("(v0 == 0) + (v0 <= 0) + (v0 < 0)", 2),
        ("v0 == 0 && v0 > 1", 0),
        ("v0 == 0 || 1 / v0 == 1", 1),
        ("v0 != 0 imply 1 / v0 == 1", 1),
        ("!v0 + !!5", 2),
        ("abs(v0 - 5)", 5),
        ("-(v0 + 3)", -3),
        ("sum (i : int[1,4]) i * (i + v0)", 30),
        ("forall (i : int[1,4]) i > v0", 1),
        ("exists (i : int[1,4]) i == v0 + 3", 1),
        ("forall (i : int[1,100]) i > v0 + 50", 0),
        ("exists (i : int[1,100]) i == v0 + 50", 1),
        ("sum (i : int[1,100]) i + v0", 5050),
        ("sum (i : int[1,100]) (i % 2 == v0)", 50),
        ("v0 xor 1", 1),
    ] {
        assert_eq!(result("int r; int v0;", &format!("r = {expression}")), value, "{expression}");
    }
}

#[test]
fn assignments_are_expressions() {
    assert_eq!(outcome("int a = 5; int b;", "b = a++").unwrap(), [6, 5]);
    assert_eq!(outcome("int a = 5; int b;", "b = ++a").unwrap(), [6, 6]);
    assert_eq!(outcome("int a = 5; int b;", "b = a--, a += 10, b *= a").unwrap(), [14, 70]);
    assert_eq!(outcome("int a; int b;", "a = b = 3").unwrap(), [3, 3]);
    assert_eq!(outcome("int a; int b = 1;", "(a > b ? a : b) = 7").unwrap(), [0, 7]);
    assert_eq!(outcome("int a[3]; int i = 1;", "a[i++] = i, a[i] += 4, a[i] -= 1").unwrap(), [0, 2, 3, 2]);
    assert_eq!(outcome("int a[3]; int i = 1;", "i = a[2]++ + 5").unwrap(), [0, 0, 1, 5]);
}

#[test]
fn arrays_and_structs_are_laid_out_cell_by_cell() {
    let model = network(&once(
        "typedef struct { int[0,3] a; bool b[2]; } S;
         S s[int[1,2]]; int[5,9] low; int m[2][3] = {{1,2,3},{4,5,6}}; S t = {3, {false, true}};",
        "s[2].b[1] = true, m[1][2] = m[0][1], s[1] = t",
    ));
    let names: Vec<&str> = model.variables.iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "s[1].a",
            "s[1].b[0]",
            "s[1].b[1]",
            "s[2].a",
            "s[2].b[0]",
            "s[2].b[1]",
            "low",
            "m[0][0]",
            "m[0][1]",
            "m[0][2]",
            "m[1][0]",
            "m[1][1]",
            "m[1][2]",
            "t.a",
            "t.b[0]",
            "t.b[1]"
        ]
    );
    assert_eq!(model.variables[6].initial, 5, "0 is not in the range");
    assert!(model.variables[1].boolean && !model.variables[0].boolean);
    let declarations = "typedef struct { int[0,3] a; bool b[2]; } S;
         S s[int[1,2]]; int[5,9] low; int m[2][3] = {{1,2,3},{4,5,6}}; S t = {3, {false, true}};";
    let after = outcome(declarations, "s[2].b[1] = true, m[1][2] = m[0][1], s[1] = t").unwrap();
    assert_eq!(after, [3, 0, 1, 0, 0, 1, 5, 1, 2, 3, 4, 5, 2, 3, 0, 1]);
    assert_eq!(outcome(declarations, "low = 5 + (s[1] == s[2]) + (s[1] != t)").unwrap()[6], 7);
}

#[test]
fn functions_run() {
    let declarations = "
        int r; int a[4] = {3, 1, 2, 0};
        const int LIMIT = 3;
        int fib(int n) { int x = 0, y = 1; while (n > 0) { int t = x; x = y; y = t + y; n--; } return x; }
        void sort(int &v[4]) {
            int i; int j;
            for (i = 0; i < 4; i++)
                for (j = 0; j < LIMIT - i; j++)
                    if (v[j] > v[j + 1]) { int t = v[j]; v[j] = v[j + 1]; v[j + 1] = t; }
        }
        int total(int v[4]) { int s; for (i : int[0,3]) { s += v[i]; v[i] = 0; } return s; }
        void swap(int &x, int &y) { int t = x; x = y; y = t; }
        int early(int x) { if (x > 2) return 10; do { x++; } while (x < 2); return x; }";
    assert_eq!(result(declarations, "r = fib(10)"), 55);
    assert_eq!(outcome(declarations, "sort(a)").unwrap(), [0, 0, 1, 2, 3]);
    assert_eq!(outcome(declarations, "r = total(a)").unwrap(), [6, 3, 1, 2, 0]);
    assert_eq!(outcome(declarations, "swap(a[0], a[r + 3])").unwrap(), [0, 0, 1, 2, 3]);
    assert_eq!(result(declarations, "r = early(3) + early(0) * 100"), 210);
    assert_eq!(result(declarations, "r = fib(fib(6))"), 21);
}

#[test]
fn functions_return_structs_and_keep_them_apart() {
    let declarations = "
        typedef struct { int x; int y; } V; int r; V v;
        V make(int x) { V v = {x, x + 1}; return v; }
        int dot(V a, V b) { return a.x * b.x + a.y * b.y; }";
    assert_eq!(result(declarations, "r = dot(make(1), make(3))"), 11);
    assert_eq!(outcome(declarations, "v = make(4)").unwrap(), [0, 4, 5]);
    assert_eq!(result(declarations, "r = make(7).y"), 8);
    assert_eq!(result(declarations, "r = (make(1) == make(2)) + 2 * (make(1) == make(1))"), 2);
}

#[test]
fn locals_start_anew_each_time() {
    let declarations = "int r; int f() { int a[2]; int c; a[1]++; c++; return a[1] * 10 + c; }";
    assert_eq!(result(declarations, "r = f(), r = f()"), 11);
}

#[test]
fn constants_are_computed_by_functions() {
    let model = network(&once(
        "int square(int n) { return n * n; }
         const int N = square(3) + 1;
         const int T[3] = {N, square(2), 7};
         int sumOf(const int v[3]) { return sum (i : int[0,2]) v[i]; }
         int[0, T[1]] v[N]; int r = sumOf(T);",
        "r = T[0]",
    ));
    assert_eq!(model.variables.len(), 11);
    assert_eq!((model.variables[0].min, model.variables[0].max), (0, 4));
    assert_eq!(model.variables[10].initial, 21);
}

#[test]
fn faults_carry_what_the_message_needs() {
    assert_eq!(message("int[0,5] v = 3;", "v = v + 4"), "variable v: value 7 is outside int[0,5]");
    assert_eq!(message("int[0,5] v = 3;", "v += 4"), "variable v: value 7 is outside int[0,5]");
    assert_eq!(message("int[0,5] v;", "v--"), "variable v: value -1 is outside int[0,5]");
    assert_eq!(
        message("int[0,5] a[2]; int i = 1;", "a[i] = 9 * i"),
        "variable a[1]: value 9 is outside int[0,5]"
    );
    assert_eq!(message("int a[2]; int i = 2;", "a[i] = 1"), "array index 2 is outside [0,1]");
    assert_eq!(message("int i; int r;", "r = 1 / i"), "division by zero");
    assert_eq!(message("int i = -1; int r;", "r = 1 << i"), "shift by -1");
    assert_eq!(
        message("int r = 40; int f(int[0,9] k) { return k; }", "r = f(r)"),
        "argument k: value 40 is outside int[0,9]"
    );
    assert_eq!(
        message("int r = 40; int[0,9] f(int k) { return k; }", "r = f(r)"),
        "result of f: value 40 is outside int[0,9]"
    );
    assert_eq!(message("int r = 5; void f() { assert (r < 5); }", "f()"), "the assertion does not hold");
    assert_eq!(
        message("int r = 5; void f(int[0,3] &x) { x = r; } int[0,3] v;", "f(v)"),
        "variable v: value 5 is outside int[0,3]"
    );
    assert_eq!(message("clock x; int i = -1;", "x = i"), "clock x: cannot be set to -1");
    assert_eq!(
        message("int r = 40; void f() { int[0,9] k; k = r; }", "f()"),
        "k: value 40 is outside int[0,9]"
    );
}

#[test]
fn a_computation_that_does_not_end_is_stopped() {
    let declarations = "int r; void f() { while (true) r = 1 - r; }";
    assert_eq!(outcome(declarations, "f()").unwrap_err().fault, Fault::StepLimit);
}

#[test]
fn a_failed_reference_store_names_the_variable_behind_it() {
    let declarations = "int[0,3] a[2]; void put(int[0,3] &x, int v) { x = v; }";
    assert_eq!(message(declarations, "put(a[1], 4)"), "variable a[1]: value 4 is outside int[0,3]");
    assert_eq!(outcome(declarations, "put(a[1], 3)").unwrap(), [0, 3]);
}

#[test]
fn simple_codes_show_their_shape() {
    let text = "int v; int w; clock x;
        process P() { state a, b; init a;
          trans a -> b { guard v == 3 && w <= 4 && v != w; assign v = 5, w = w - 2, v = w, x = 0; },
                b -> a { guard v * 2 == 4; assign v = w * 2; }; }
        system P;";
    let model = network(text);
    let program = &model.program;
    let shapes: Vec<Shape> = model.edges[0].data_guard.iter().map(|&code| program.shape(code)).collect();
    let (v, w) = (VarId(0), VarId(1));
    assert_eq!(
        shapes,
        [
            Shape::VarCmpConst { var: v, op: Comparison::Eq, value: 3 },
            Shape::VarCmpConst { var: w, op: Comparison::Lt, value: 5 },
            Shape::VarCmpVar { left: v, op: Comparison::Ne, right: w },
        ]
    );
    let update = model.edges[0].update.unwrap();
    assert_eq!(
        program.shapes(update).unwrap(),
        [
            Shape::AssignConst { var: v, value: 5 },
            Shape::Increment { var: w, by: -2 },
            Shape::AssignVar { var: v, source: w },
            Shape::ResetClock { clock: guidepost_network::ClockId(1), value: 0 },
        ]
    );
    assert_eq!(program.writes(update), [v, w]);
    assert_eq!(program.shape(model.edges[1].data_guard[0]), Shape::Opaque);
    assert_eq!(program.shapes(model.edges[1].update.unwrap()), None);
}

#[test]
fn footprints_see_through_calls_and_indices() {
    let model = network(&once(
        "int a[3]; int b; int c; int d[2] = {1, 2};
         int f(int &x) { x = b; return d[1]; }",
        "c = f(a[b])",
    ));
    let footprint = model.program.footprint(model.edges[0].update.unwrap());
    assert_eq!(footprint.writes, [0, 1, 2, 4].map(VarId));
    assert_eq!(footprint.reads, [0, 1, 2, 3, 6].map(VarId));
    assert!(footprint.locations.is_empty());
}

#[test]
fn machines_keep_their_own_state() {
    let model = network(&once("int v;", "v++"));
    let mut machine = Machine::new(&model.program);
    assert_eq!(machine.state().len(), 2);
    machine.load(&[0, 41]);
    machine.run_update(model.edges[0].update.unwrap(), &mut Vec::new()).unwrap();
    assert_eq!(machine.state(), [0, 42]);
    assert_eq!(machine.variables(), [42]);
}
