//! What must be accepted: the check-list of the language reference (§16), where we are more generous than UPPAAL, and all our models.

#[allow(dead_code, reason = "shared with other tests")]
mod common;

use common::{assert_clean, declarations, edge, invariant, load};
use guidepost_language::load_file;
use std::path::Path;

#[test]
fn constraints_on_clocks() {
    let decls = "clock x, y, c[2]; int i, n; bool b; const int N = 3;";
    for text in [
        "x >= 5",
        "x <= i",
        "x < 5 - i",
        "x'==i && x<=5",
        "x' == 0",
        "b imply x <= 5",
        "x <= (b ? 5 : 7)",
        "forall (k : int[0,1]) c[k] <= 3",
        "i > 0 && x <= 3",
        "i == 1 || x <= 2",
        "x - y <= 3",
        "x == 5",
        "true",
        "5 >= x",
        "x <= N * 2",
        "x' == (b ? 0 : 1) && x <= 3",
        "i >= 0",
        "x + 1 <= 7",
        "c[0] <= c[1]",
    ] {
        load(&invariant(decls, text));
    }
    for text in [
        "x >= 5 && x < 7",
        "i == 1 || x < 2",
        "x - y < 5 - i",
        "x + 1 < y",
        "x == 5",
        "x == y",
        "x - y == 3",
        "5 < x",
        "x > i + n",
        "forall (k : int[0,1]) c[k] > k",
        "x > 5 || x < 2",
        "!(x < 5)",
        "x != 5",
        "exists (k : int[0,1]) c[k] < 3",
        "not b",
        "i",
        "1",
        "x > 3 and y < 2 or i == 1",
        "i imply x > 3",
        "b xor i > 2",
        "i <? n > 3",
        "i >? 2 < n",
        "2 ** 3 > i",
        "i & 1 == 0",
        "(i << 2 | n >> 1 ^ 3) > 0",
        "i % 2 == 0",
        "sum (k : int[0,3]) k > i",
        "abs(i) > 2",
        "-i < +n",
        "i > 0 ? b : true",
    ] {
        load(&edge(decls, &format!("guard {text};")));
    }
}

#[test]
fn updates() {
    let decls = "clock x, y; int i, j, a[2], c[2]; bool b; struct { int f; bool g; } s, t; \
                 void reset() { x = 0; } int next(int n) { return n + 1; }";
    for text in [
        "x = 0",
        "x = y",
        "x = y + 1",
        "x := 3, i := 2",
        "i++",
        "--j",
        "i += 2, j -= i, i *= 2, j /= 3, i %= 2",
        "i |= 1, j &= 3, i ^= j",
        "i <<= 1, j >>= 2",
        "a = c",
        "s = t",
        "s.f = a[1]",
        "(i > j ? i : j) = 0",
        "b = i > 0",
        "i = b",
        "reset()",
        "i = next(j)",
        "i = j = 2",
        "a[i > 0] = 1",
        "b = s == t",
        "b = a != c",
        "x = i * 2 + j",
        "b |= true",
        "i = (b ? 1 : 2)",
    ] {
        load(&edge(decls, &format!("assign {text};")));
    }
}

#[test]
fn synchronisations() {
    let decls = "chan c, d, e[2]; broadcast chan all; urgent chan now; urgent broadcast chan both; broadcast urgent chan other; \
                 int i;";
    for text in ["c!", "c?", "e[1]!", "e[i]?", "(i == 1 ? c : d)!", "all!", "now?", "both!", "other?", "c"] {
        load(&edge(decls, &format!("sync {text};")));
    }
    let local =
        "process P() { chan c; state a; init a; trans a -> a { sync c!; }, a -> a { sync c?; }; }\nsystem P;";
    load(local);
}

#[test]
fn declarations_and_types() {
    for text in [
        "int i, j = 3, a[2] = { 1, 2 };",
        "int[0,5] k; int[-3,3] m = -1;",
        "const int N = 3; int a[N], b[N+1];",
        "typedef int[0,3] id_t; int a[id_t]; bool b[id_t][2];",
        "int a[int[1,3]]; int b[bool];",
        "typedef scalar[3] set_t; set_t s; int a[set_t];",
        "struct { int a; bool b; } s = { 1, true };",
        "struct { int a; bool b; } s = { b: true, a: 3 };",
        "typedef struct { int a[2]; } T; T t = { { 1, 2 } };",
        "int f() { return 3; } const int N = f();",
        "clock x = 3;",
        "meta int m; const bool B = true;",
        "chan a, b[2]; chan priority a < default < b[0], b[1];",
        "int X; int A, E, U, R, W;",
        "int a$b, c#d;",
        "const int P2 = 2**3; int i = 3 <? 2;",
        "const string s = \"abc\";",
        "double d = 1.5e3;",
        "hybrid clock h;",
        "const int MIN = -2147483648, MAX = 2147483647;",
        "int i = 007;",
        "const N 3; int a[N];",
        "before_update { } after_update { }",
        "int switch, case, break_;",
        ";;; int i;;",
        "int f(int a, int &b, const int c, int d[2], int &e[2]) { b = a; e[0] = d[1]; return c; }",
        "void f() { int i = 0; for (i = 0; i < 3; i++) ; while (i > 0) i--; do { i++; } while (i < 2); for (k : int[0,3]) i += k; ; }",
        "int f(bool b) { if (b) return 1; else return 2; }",
        "int f() { while (true) { return 1; } }",
        "bool f(int i) { { return i; } }",
        "clock x; void f() { x = 0; }",
        "void f() { int a; { int a; a = 1; } a = 2; }",
        "void f() { assert 1 < 2; }",
    ] {
        load(&declarations(text));
    }
}

#[test]
fn templates() {
    for text in [
        // Labels in any order, sources left out, branch points, rates, edges of the environment.
        "process P() { state a, b; init a; trans a -> b { assign i = 1; guard i == 0; }, -> a { }, b -u-> a { }; }",
        "process P() { state a, b, c; branchpoint p; init a; trans a -> p { guard i > 0; }, p -> b { probability 2; }, p -> c { probability 1; assign i = 0; }; }",
        "process P() { state a { ; 3:2 }, b { 1; 5 }, A, E, U, R, W; init a; }",
        "process P() { state a; urgent a; init a; }",
        "process P() { state a, b; commit a, b; init a; }",
        "process P() { int i; int f() { return i; } typedef int[0,1] t; t v; state a; init a; trans a -> a { select k : t, l : int[0,k]; guard k > l; assign v = k; }; }",
        "process P { state a; init a; }",
        "process P() { state a { }, b; init a; trans ; }",
        "process P() { state a; init a; trans a -> a { guard ; sync c!; assign ; }; }",
        "process P() { }",
    ] {
        load(&format!("int i; chan c;\n{text}\nsystem P;\n"));
    }
}

#[test]
fn systems() {
    let template = "int v[3]; clock x; chan c; process P(const int[0,2] id, int &n) { state a { x <= id }; init a; trans a -> a { sync c!; assign n = id; }; }\n\
                    process Q(const int[0,1] i, const int[0,1] j) { state a; init a; trans a -> a { guard i > j; sync c?; }; }\n\
                    process R() { state a; init a; }\n";
    for text in [
        "system R;",
        "P1 = P(1, v[1]); P2 := P(2, v[2]); system P1, P2, Q;",
        "system R < Q;",
        "P1(const int[0,2] k) = P(k, v[k]); system P1;",
        "P1(int &n) = P(0, n); P2 = P1(v[0]); system P2, R;",
        "const int K = 1; int w; P1 = P(K + 1, w); system P1, R;",
        "system Q; progress { v[0]; Q(0,1).a : v[1]; }",
        "system R, Q; gantt { G(k : int[0,1]) : Q(k, 0).a -> k, for (l : int[0,1]) Q(k, l).a -> 2; }",
        "system R; query { E<> R.a } query { A[] not deadlock }",
    ] {
        load(&format!("{template}{text}\n"));
    }
    // Sizes may depend on parameters that the system line leaves open.
    load(
        "process P(const int[1,3] n) { int a[n]; state s; init s; trans s -> s { guard a[0] == 0; }; }\nsystem P;",
    );
}

#[test]
fn our_models_have_no_errors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the models are there").flatten() {
        let path = entry.path();
        if path
            .extension()
            .is_some_and(|ending| matches!(ending.to_str(), Some("xml" | "xta" | "ta" | "tck")))
        {
            let loaded = load_file(&path);
            assert_clean(&loaded, &path.display().to_string());
            assert!(!loaded.model.processes.is_empty(), "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 10, "{count} models");
}
