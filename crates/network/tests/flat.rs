//! Networks written back as models, looked at construct by construct.
//!
//! That nothing changes is shown on whole state spaces elsewhere (the differential tests explore originals and flat models side by side); here the words are looked at.

mod common;

use common::{load, query};
use guidepost_language::{Loaded, load_text};
use guidepost_network::flat::{Flat, FlatError, Flattener, Omitted};
use guidepost_network::{Network, Question, build};

fn built(loaded: &Loaded) -> Network {
    build(&loaded.model).0.expect("a network")
}

/// The flat form of a model, with its queries.
fn flat(text: &str, queries: &str) -> Flat {
    let mut loaded = load(text);
    let network = built(&loaded);
    let mut problems = guidepost_language::diagnostic::Diagnostics::default();
    let queries = loaded.queries_from_text("query", queries, &mut problems);
    assert!(!problems.has_errors(), "{problems:#?}");
    let mut flattener = Flattener::new(&network, &loaded.model, &loaded.document, Omitted::nothing(&network));
    for query in &queries {
        flattener.ask(query).expect("the query can be said");
    }
    flattener.finish().expect("the model can be said")
}

/// The flat text, which must be readable, and must not change when it is flattened again.
#[track_caller]
fn flat_text(text: &str) -> String {
    let written = flat(text, "").to_xta().expect("the model can be written");
    let loaded = load_text("flat.xta", &written);
    assert!(!loaded.diagnostics.has_errors(), "{:#?}\n{written}", loaded.diagnostics);
    assert!(build(&loaded.model).0.is_some(), "{:#?}\n{written}", build(&loaded.model).1);
    assert_eq!(flat(&written, "").to_xta().expect("again"), written, "flattening is idempotent");
    written
}

#[track_caller]
fn assert_lines(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(
            text.lines().any(|own| own.trim().trim_end_matches(',') == *line),
            "`{line}` is not in\n{text}"
        );
    }
}

#[test]
fn members_of_sets_become_templates() {
    let text = flat_text(
        "const int N = 3; typedef int[0,N-1] id_t; chan go[N]; int[0,N] count; clock x[N];
        process Train(const id_t id) {
            bool waiting = true;
            state Safe { x[id] <= 5 + id }, Cross; init Safe;
            trans Safe -> Cross { guard x[id] >= 2 && waiting; sync go[id]!; assign count++, waiting = false, x[id] = 0; };
        }
        process Gate() {
            state L; init L;
            trans L -> L { select e : id_t; sync go[e]?; };
        }
        system Train, Gate;",
    );
    assert_lines(
        &text,
        &[
            "process Train_2() {",
            "bool waiting = true;",
            "Safe { x[2] <= 7 }",
            "Safe -> Cross { guard waiting && x[2] >= 2; sync go[2]!; assign count++, waiting = 0, x[2] = 0; };",
            "L -> L { sync go[1]?; }",
            "system Train_0, Train_1, Train_2, Gate;",
        ],
    );
}

#[test]
fn references_name_what_they_stand_for() {
    // The local `v` would catch the global one that `a` stands for.
    let text = flat_text(
        "int[0,5] v; int[0,5] w;
        process T(int[0,5] &a) {
            int[0,9] v = 3;
            void step(int[0,5] &r) { int[0,5] w = 1; r = w + a; }
            state A; init A;
            trans A -> A { guard v < 5; assign a = v, step(w); };
        }
        P = T(v);
        system P;",
    );
    assert_lines(
        &text,
        &[
            "int[0, 9] v_1 = 3;",
            "void step(int[0, 5] &r) {",
            "int[0, 5] w_1 = 1;",
            "r = w_1 + v;",
            "A -> A { guard v_1 < 5; assign v = v_1, step(w); };",
        ],
    );
}

#[test]
fn indices_find_their_brackets() {
    let text = flat_text(
        "typedef struct { int[0,3] q[2]; bool b; } cell_t;
        cell_t s[3]; cell_t t; int[0,2] i; int[0,1] j; const int table[2][2] = { { 1, 2 }, { 3, 0 } };
        chan c[3][2]; int[1,3] k; int[0,3] r[int[1,3]];
        process P() {
            state A; init A;
            trans A -> A { guard s[i].q[j] == table[j][1] && s[1].q[j] > 0 && s[i].b && r[k] > 0;
                sync c[i][j]!; assign s[i].q[1] = 2, t = s[i], s[2].q = t.q; };
        }
        system P;",
    );
    assert!(
        text.contains("guard s[i].q[j] == table[j][1] && s[1].q[j] > 0 && s[i].b && r[k] > 0;"),
        "{text}"
    );
    assert!(text.contains("sync c[i][j]!; assign s[i].q[1] = 2, t = s[i], s[2].q = t.q;"), "{text}");
    assert!(text.contains("const int table[2][2] = { { 1, 2 }, { 3, 0 } };"), "{text}");
    assert!(text.contains("int[0, 3] r[int[1, 3]];"), "{text}");
}

#[test]
fn conditions_on_clocks_keep_their_premises() {
    let text = flat_text(
        "clock x[2], y; int[0,3] n = 2; bool b;
        process P() {
            state A { (b || y <= n) && x[0]' == 0 }, B; init A;
            trans A -> B { guard x[n] > n && x[0] - y < 3 && y == 2; };
        }
        system P;",
    );
    assert!(text.contains("A { (b || y <= n) && x[0]' == 0 }"), "{text}");
    // An index outside of the array is an error before and after.
    assert!(text.contains("checked[n] != 0 || x[0] > n"), "{text}");
    assert!(text.contains("x[0] - y < 3"), "{text}");
}

#[test]
fn priorities_kinds_and_hooks_stay() {
    let text = flat_text(
        "broadcast chan a; urgent chan u[2]; chan low; chan priority low < default < a, u[1]; meta int[0,4] m = 1; int[0,9] n;
        clock x; before_update { n = (n + 1) % 10 } after_update { x = 0 }
        process P() { state A, B, C; commit B; urgent C; init A;
            trans A -> B { sync a!; }, B -> C { sync u[0]!; }, C -> A { sync u[1]?; assign m = 2; }, A -> A { sync low!; }; }
        process Q() { state A; init A; trans A -> A { sync a?; }, A -> A { sync u[0]?; }; }
        system P < Q;",
    );
    assert_lines(
        &text,
        &[
            "broadcast chan a;",
            "urgent chan u[2];",
            "chan priority low < default, u[0] < a, u[1];",
            "meta int[0, 4] m = 1;",
            "before_update { n = (n + 1) % 10 }",
            "after_update { x = 0 }",
            "commit B;",
            "urgent C;",
            "system P < Q;",
        ],
    );
}

#[test]
fn queries_speak_of_the_new_names() {
    let model = "typedef int[0,1] id_t; int[0,2] n; process T(const id_t id) { clock x; int[0,3] n; state A, B; init A; trans A -> B { guard x > 1; }; } system T;";
    let queries = "E<> T(0).B && T(1).n == n\nA[] forall (i : id_t) T(i).A imply T(i).x >= T(i).id\nT(1).A --> T(1).B\nsup{T(0).A}: T(0).x";
    let written = flat(model, queries).to_q();
    let expected = [
        "E<> T_0.B && T_1.n_1 == n",
        "A[] (T_0.A imply T_0.x >= 0) && (T_1.A imply T_1.x >= 1)",
        "T_1.A --> T_1.B",
        "sup{T_0.A}: T_0.x",
    ];
    assert_eq!(written.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(), expected);
}

#[test]
fn goals_become_queries() {
    let mut loaded = load(
        "int[0,5] v; clock x; process P() { state A, B, C; init A; trans A -> B { assign v = 3; }; } system P;",
    );
    let network = built(&loaded);
    let compiled = query(&mut loaded, &network, "E<> (P.A || P.C) && v > 2 && x <= 4 || deadlock");
    let Question::Possibly(predicate) = &compiled.question else { panic!("reachability") };
    let mut flattener = Flattener::new(&network, &loaded.model, &loaded.document, Omitted::nothing(&network));
    flattener.ask_goals(&predicate.goals, "weaker").expect("can be said");
    flattener.ask_goals(&[], "never").expect("can be said");
    let text = flattener.finish().expect("can be said").to_q();
    assert!(text.starts_with("// weaker\nE<> "), "{text}");
    assert!(text.contains("v > 2 && x <= 4"), "{text}");
    assert!(text.contains("deadlock"), "{text}");
    assert!(text.ends_with("// never\nE<> false\n"), "{text}");
}

#[test]
fn goals_can_be_denied() {
    let mut loaded = load("process P() { state A, B; init A; trans A -> B { }; } system P;");
    let network = built(&loaded);
    let compiled = query(&mut loaded, &network, "E<> P.A || P.B");
    let Question::Possibly(predicate) = &compiled.question else { panic!("reachability") };
    let mut flattener = Flattener::new(&network, &loaded.model, &loaded.document, Omitted::nothing(&network));
    flattener.deny_goals(&predicate.goals, "safe").expect("can be said");
    let text = flattener.finish().expect("can be said").to_q();
    assert_eq!(text, "// safe\nA[] !(P.A || P.B)\n");
}

#[test]
fn what_is_omitted_is_not_declared() {
    let loaded = load(
        "int[0,1] v[2]; int[0,1] w; clock x, y; chan c; process P() { state A; init A; trans A -> A { guard x > 1; assign v[1] = 1; }; }
        process Q() { clock z; state A; init A; } system P, Q;",
    );
    let network = built(&loaded);
    let mut omitted = Omitted::nothing(&network);
    omitted.processes[1] = true;
    let mark = |names: Vec<&str>, hidden: &[&str], flags: &mut [bool]| {
        names.iter().zip(flags).for_each(|(name, flag)| *flag = hidden.contains(name));
    };
    mark(network.variables.iter().map(|v| v.name.as_str()).collect(), &["v[0]", "w"], &mut omitted.variables);
    mark(network.clocks.iter().map(|c| c.name.as_str()).collect(), &["y", "Q.z"], &mut omitted.clocks);
    omitted.channels[0] = true;
    let mut flattener = Flattener::new(&network, &loaded.model, &loaded.document, omitted);
    let text = {
        let goal = guidepost_network::Goal {
            locations: vec![(guidepost_network::ProcessId(1), vec![network.processes[1].initial])],
            ..Default::default()
        };
        assert_eq!(flattener.ask_goals(&[goal], ""), Err(FlatError::Omitted("Q".into())));
        flattener.finish().expect("can be said").to_xta().expect("can be written")
    };
    let declared: Vec<&str> = text.lines().take_while(|line| !line.starts_with("process")).collect();
    assert_eq!(declared, ["int[0, 1] v[2];", "clock x;", ""]);
    assert!(text.contains("system P;"), "{text}");
}

#[test]
fn drawings_stay() {
    let text = "<nta><declaration>clock x;</declaration><template><name>P</name><parameter>int[0,1] id</parameter>
        <location id=\"a\" x=\"10\" y=\"20\"><name>A</name></location><location id=\"b\" x=\"90\" y=\"20\" color=\"#ff0000\"><name>B</name></location>
        <branchpoint id=\"c\" x=\"50\" y=\"60\"/><init ref=\"a\"/>
        <transition><source ref=\"a\"/><target ref=\"c\"/><label kind=\"guard\" x=\"1\" y=\"2\">x &gt; id</label><nail x=\"3\" y=\"4\"/></transition>
        <transition><source ref=\"c\"/><target ref=\"b\"/><label kind=\"assignment\" x=\"5\" y=\"6\">x = 0</label></transition></template>
        <system>system P;</system></nta>";
    let loaded = load_text("p.xml", text);
    let network = built(&loaded);
    let flattener = Flattener::new(&network, &loaded.model, &loaded.document, Omitted::nothing(&network));
    let xml = flattener.finish().expect("can be said").to_xml().expect("can be written");
    let expected = [
        "<name>P_1</name>",
        "x=\"90\" y=\"20\" color=\"#ff0000\"",
        "<label kind=\"guard\" x=\"1\" y=\"2\">x &gt; 1</label>",
        "<label kind=\"assignment\" x=\"5\" y=\"6\">x = 0</label>",
        "<nail x=\"3\" y=\"4\"/>",
        "<nail x=\"50\" y=\"60\"/>",
    ];
    for part in expected {
        assert!(xml.contains(part), "{part}\n{xml}");
    }
}

#[test]
fn synchronisations_of_three_are_refused_by_name() {
    let text = "system:s\nevent:e\nprocess:P\nlocation:P:a{initial:}\nedge:P:a:a:e\nprocess:Q\nlocation:Q:a{initial:}\nedge:Q:a:a:e
process:R\nlocation:R:a{initial:}\nedge:R:a:a:e\nsync:P@e:Q@e:R@e";
    let loaded = load_text("s.tck", text);
    let network = built(&loaded);
    let mut omitted = Omitted::nothing(&network);
    let written = |omitted: &Omitted| {
        let flattener = Flattener::new(&network, &loaded.model, &loaded.document, omitted.clone());
        flattener.finish().and_then(|flat| flat.to_xta())
    };
    let refused = written(&omitted).expect_err("UPPAAL has no such channel");
    assert!(refused.to_string().contains("3 processes must move together"), "{refused}");
    omitted.processes[2] = true;
    assert_eq!(written(&omitted), Err(FlatError::Omitted("R".into())));
}
