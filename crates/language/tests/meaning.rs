//! What models mean to the checker: scopes, effects, instantiation, process sets, dialects.

#[allow(dead_code, reason = "shared with other tests")]
mod common;

use common::{declarations, edge, errors, load};
use guidepost_language::diagnostic::Code;
use guidepost_language::model::{Callee, ParamMode, SymbolKind, Type};
use guidepost_language::syntax::Format;
use guidepost_language::{Loaded, load_text};

/// The type of a global variable.
fn type_of<'a>(loaded: &'a Loaded, name: &str) -> &'a Type {
    &loaded.model.symbol(loaded.model.names[name]).ty
}

#[test]
fn inner_names_hide_outer_ones() {
    // A template's variable, parameter and location hide global names; a function's and a block's hide the template's.
    load(
        "int n; clock x; bool a;
          process P(const int n) { bool x; int f(bool n) { int x = 2; { bool x; x = n; } return x; }
              state a { n > 0 && x == false }; init a; trans a -> a { guard f(x) > n; }; }
          Q = P(1); system Q;",
    );
    // Quantifiers hide, and end where their body ends.
    load(&edge("bool i[2]; int k;", "guard forall (i : int[0,1]) i < 2; assign i[0] = true;"));
    assert_eq!(errors(&edge("", "guard (forall (k : int[0,1]) k < 2) && k > 0;")), ["E020"]);
    // Names of one scope are declared once; a parameter and a local of the body are in different ones.
    assert_eq!(errors(&declarations("int i; bool i;")), ["E021"]);
    assert_eq!(errors("process P(const int a) { state a; init a; } Q = P(1); system Q;"), ["E021"]);
    load(&declarations("int f(int a) { int a = 2; return a; }"));
}

#[test]
fn names_are_declared_before_their_use() {
    assert_eq!(errors(&declarations("int a[N]; const int N = 2;")), ["E020"]);
    assert_eq!(errors(&declarations("int f() { return g(); } int g() { return 1; }")), ["E020"]);
    assert_eq!(errors(&declarations("t x; typedef int t;")), ["E020"]);
    // Templates may stand in any order; instantiations may not.
    load("process P() { state a; init a; } process Q() { state a; init a; } R = Q(); S = P(); system R, S;");
    assert_eq!(errors("process P() { state a; init a; } R = S(); S = P(); system R;"), ["E020"]);
}

#[test]
fn built_in_names_may_be_used_for_other_things() {
    load(&declarations(
        "int INT8_MAX = 3; clock abs, exp; bool cost; int sqrt() { return 2; } int pow = sqrt();",
    ));
    load(&declarations("typedef int[0,3] int8_t; int8_t i; int M_PI;"));
    let loaded = load(&declarations("const int A = INT16_MAX; int8_t i; int j = abs(-3);"));
    assert!(matches!(type_of(&loaded, "i"), Type::Int(Some(_))));
    let names = "int sum, exit, query, location, simulate, strategy, control, state_, init_, progress, gantt, priority, dynamic;";
    load(&declarations(names));
}

#[test]
fn only_pure_functions_may_be_asked() {
    let decls = "int g; clock x;
        int pure(int a) { int b = a; b++; return b; }
        int reads() { return g; }
        int writes() { g = 1; return g; }
        int calls() { return writes(); }
        int by_reference(int &r) { r = 2; return r; }
        int only_reads(int &r) { return r; }
        int own() { int l = 1; return by_reference(l); }
        void reset() { x = 0; }
        int resets() { reset(); return 1; }
        int chooses(bool b) { int l; (b ? l : g) = 1; return l; }";
    for pure in ["pure(1)", "reads()", "only_reads(g)", "own()"] {
        assert_eq!(errors(&edge(decls, &format!("guard {pure} > 0;"))), Vec::<&str>::new(), "{pure}");
    }
    for impure in ["writes()", "calls()", "by_reference(g)", "resets()", "chooses(true)", "g++", "(g = 1)"] {
        let labels = format!("guard {impure} > 0;");
        assert_eq!(errors(&edge(decls, &labels)), ["E043"], "{impure}");
        let system = format!("{}query {{ E<> {impure} > 0 }}", edge(decls, ""));
        assert_eq!(errors(&system), ["E043"], "{impure}");
        load(&edge(decls, &format!("assign g = {impure};")));
    }
    // What is constant may be used where the value must be known, what reads the state may not.
    load(&declarations(&format!("{decls}\nconst int N = pure(2); int a[own()];")));
    assert_eq!(errors(&declarations(&format!("{decls}\nint a[reads()];"))), ["E042"]);
    assert_eq!(errors(&declarations(&format!("{decls}\nconst int N = writes();"))), ["E042"]);
}

#[test]
fn instantiation_may_be_partial() {
    let loaded = load(
        "int v[2]; clock y;
         process P(const int id, int &n, clock &x, int[0,3] k) { state a { x <= id }; init a; trans a -> a { assign n = k; }; }
         Q(const int i, int &m) = P(i + 1, m, y, 2);
         R(const int[0,1] j) = Q(j, v[0]);
         S = Q(3, v[1]);
         system R, S;",
    );
    let model = &loaded.model;
    let names: Vec<_> = model.instances.iter().map(|instance| &*instance.name).collect();
    assert_eq!(names, ["Q", "R", "S"]);
    assert!(matches!(model.instances[0].callee, Callee::Template(_)));
    assert!(matches!(model.instances[1].callee, Callee::Instance(_)));
    let modes: Vec<_> = model.instances[0].params.iter().map(|&id| model.symbol(id).kind.clone()).collect();
    assert!(matches!(
        modes[..],
        [SymbolKind::Param(ParamMode::Const), SymbolKind::Param(ParamMode::Reference)]
    ));
    let processes: Vec<_> = model.processes.iter().map(|process| &*process.name).collect();
    assert_eq!(processes, ["R", "S"]);
}

#[test]
fn process_sets_need_finite_parameters() {
    let system = |params: &str| format!("process P({params}) {{ state a; init a; }}\nsystem P;");
    for fine in ["", "const int[0,3] i", "int[0,3] i, const bool b", "const scalar[3] s"] {
        assert_eq!(errors(&system(fine)), Vec::<&str>::new(), "{fine}");
    }
    for open in ["const int i", "int &i", "clock &x", "const int[0,3] i, double d"] {
        assert_eq!(errors(&system(open)), ["E060"], "{open}");
    }
}

#[test]
fn priorities_count_up_along_the_line() {
    let loaded = load("process P() { state a; init a; } Q = P(); R = P(); S = P(); system Q, R < S < P;");
    let levels: Vec<_> = loaded.model.processes.iter().map(|process| process.priority).collect();
    assert_eq!(levels, [0, 0, 1, 2]);
    let loaded = load(&declarations("chan a, b[2]; chan priority a, b[0] < default < b[1];"));
    let levels: Vec<_> = loaded.model.channel_priorities.iter().map(|(_, level)| *level).collect();
    assert_eq!(levels, [0, 0, 1, 2]);
}

#[test]
fn both_dialects_give_the_same_model() {
    let old = "const N 3; clock x; int[0,5] i;
        process P(clock y; int v; const k) { clock z; state a { y <= k, z <= N }, b; init a;
            trans a -> b { guard y >= 1, v == 0; assign v := k, z := 0; }; }
        Q := P(x, i, 2);
        system Q;";
    let new = "const int N = 3; clock x; int[0,5] i;
        process P(clock &y, int &v, const int k) { clock z; state a { y <= k && z <= N }, b; init a;
            trans a -> b { guard y >= 1 && v == 0; assign v = k, z = 0; }; }
        Q = P(x, i, 2);
        system Q;";
    let (old, new) = (load_text("m.ta", old), load_text("m.xta", new));
    common::assert_clean(&old, "old");
    common::assert_clean(&new, "new");
    assert_eq!((old.document.format, new.document.format), (Format::Old, Format::Xta));
    let written =
        |loaded: &Loaded| guidepost_language::write::to_xta(&loaded.document, &loaded.sources).expect("text");
    assert_eq!(written(&old), written(&new));
}

#[test]
fn a_slip_does_not_make_a_model_old() {
    // In the 3.x dialect, `n` would be a reference.
    let text = "typedef int[0,3] id_t; process P(int[0,3] n) { state a; init a; trans a -> a { guard n =< 2; }; } system P;";
    let loaded = load_text("m.xta", text);
    assert_eq!(loaded.document.format, Format::Xta);
    let codes: Vec<_> = loaded.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(codes, [Code::UnexpectedToken]);
}

#[test]
fn warnings_do_not_spoil_a_model() {
    let loaded = load(
        "int unused; clock x; process P() { state a { x < 3 }; init a; trans a -> a { assign x == 0; }; } process Q() { state a; init a; } system P;",
    );
    let codes: Vec<_> = loaded.diagnostics.iter().map(|diagnostic| diagnostic.code.id()).collect();
    assert_eq!(codes, ["W001", "W006", "W005", "W011"]);
}

#[test]
fn types_are_compared_by_structure() {
    let decls = "typedef int[0,3] id_t; id_t i; int[0,3] j; int k; int a[2], b[id_t], c[4];
        struct { int a; bool b; } s; struct { int a; bool b; } t; struct { bool b; int a; } u;
        typedef scalar[2] set; set m, n; scalar[2] o; clock x[2]; chan p; urgent chan q;
        void ref_id(id_t &r) { r = 1; } void ref_array(int &r[4]) { r[0] = 1; }";
    for fine in ["s = t", "ref_id(i)", "ref_id(j)", "b = c", "ref_array(c)", "ref_array(b)", "m = n", "k = i"]
    {
        assert_eq!(errors(&edge(decls, &format!("assign {fine};"))), Vec::<&str>::new(), "{fine}");
    }
    for wrong in ["s = u", "a = c", "ref_array(a)", "m = o", "m = 1", "k = s", "p = p"] {
        assert_eq!(errors(&edge(decls, &format!("assign {wrong};"))).len(), 1, "{wrong}");
    }
}
