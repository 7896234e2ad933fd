//! The shape of the flat network: processes, edges, guards, channels, messages.

mod common;

use common::{clock, codes, location, network, process, variable};
use guidepost_language::diagnostic::Code;
use guidepost_network::{
    ChannelRef, ClockConstraint, ClockEffect, ClockId, ClockValue, EdgeId, LocationKind, Machine, Network,
    Operand, RangeViolation, Sync, build,
};

/// The clock guard of the first edge as text: `x-0<=5`, with `?` when conditional and `[a,b]` for computed bounds.
fn bounds(network: &Network, constraints: &[ClockConstraint]) -> Vec<String> {
    let show = |constraint: &ClockConstraint| {
        let name = |id: ClockId| network.clocks[id.index()].name.as_str();
        let bound = match constraint.bound {
            Operand::Const(value) => value.to_string(),
            Operand::Code(_, low, high) => format!("[{low},{high}]"),
        };
        let (relation, conditional) = (
            if constraint.strict { "<" } else { "<=" },
            if constraint.condition.is_some() { "?" } else { "" },
        );
        format!("{}-{}{relation}{bound}{conditional}", name(constraint.left), name(constraint.right))
    };
    constraints.iter().map(show).collect()
}

fn guard(declarations: &str, guard: &str) -> Vec<Vec<String>> {
    let text = format!(
        "{declarations} process P() {{ state L0; init L0; trans L0 -> L0 {{ guard {guard}; }}; }} system P;"
    );
    let network = network(&text);
    network.edges.iter().map(|edge| bounds(&network, &edge.clock_guard)).collect()
}

#[test]
fn clock_guards_are_normalised() {
    let clocks = "clock x, y; int[0,3] i; bool b; clock z[3]; const int C = 4;";
    for (text, expected) in [
        ("x < 5", vec!["x-0<5"]),
        ("5 < x", vec!["0-x<-5"]),
        ("x >= C + 1", vec!["0-x<=-5"]),
        ("x == 5", vec!["x-0<=5", "0-x<=-5"]),
        ("x + 1 < y", vec!["x-y<-1"]),
        ("x - y < 5 - i", vec!["x-y<[2,5]"]),
        ("x <= i * 2 && y > 1", vec!["x-0<=[0,6]", "0-y<-1"]),
        ("x > i", vec!["0-x<[-3,0]"]),
        ("b || x < 2", vec!["x-0<2?"]),
        ("b imply x <= 5", vec!["x-0<=5?"]),
        ("C > 3 || x < 2", vec![]),
        ("C > 4 || x < 2", vec!["x-0<2"]),
        ("forall (k : int[0,2]) z[k] <= k", vec!["z[0]-0<=0", "z[1]-0<=1", "z[2]-0<=2"]),
        ("forall (k : int[0,2]) (k == 1 or z[k] <= 7)", vec!["z[0]-0<=7", "z[2]-0<=7"]),
        ("z[i] <= 5", vec!["z[0]-0<=5?", "z[1]-0<=5?", "z[2]-0<=5?"]),
        ("x - x < 1", vec![]),
    ] {
        assert_eq!(guard(clocks, text), [expected], "{text}");
    }
}

#[test]
fn tchecker_negations_and_disjunctions_split_edges() {
    // UPPAAL refuses these guards; `TChecker`'s format has them.
    let text = "system:s\nevent:e\nclock:1:x\nint:1:0:3:0:i\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:e{provided: x<1 && i==0}\n";
    let loaded = guidepost_language::load_text("m.tck", text);
    assert!(!loaded.diagnostics.has_errors(), "{:#?}", loaded.diagnostics);
    let (network, _) = build(&loaded.model);
    let network = network.unwrap();
    assert_eq!(network.range_violation, RangeViolation::Disables);
    assert_eq!(bounds(&network, &network.edges[0].clock_guard), ["x-0<1"]);
}

#[test]
fn templates_are_instantiated() {
    let network = network(
        "int[0,9] g[3]; chan c[2]; clock t;
         process P(const int[0,1] id, int[0,9] &v, clock &x, chan &k) {
             const int LAST = id + 1; int[0,LAST] w = id; clock y;
             int twice() { return 2 * id; }
             state A { x <= LAST }, B; init A;
             trans A -> B { guard v < 3; sync k!; assign v = twice(), y = 0; };
         }
         Q(const int[0,1] n) = P(n, g[n + 1], t, c[n]);
         R = Q(1);
         system Q, R;",
    );
    let names: Vec<&str> = network.processes.iter().map(|process| process.name.as_str()).collect();
    assert_eq!(names, ["Q(0)", "Q(1)", "R"]);
    let variables: Vec<&str> = network.variables.iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(variables, ["g[0]", "g[1]", "g[2]", "Q(0).w", "Q(1).w", "R.w"]);
    let clocks: Vec<&str> = network.clocks.iter().map(|clock| clock.name.as_str()).collect();
    assert_eq!(clocks, ["0", "t", "Q(0).y", "Q(1).y", "R.y"]);
    let w = &network.variables[variable(&network, "Q(1).w").index()];
    assert_eq!((w.min, w.max, w.initial), (0, 2, 1));
    let edge = &network.edges[network.processes[1].edges.start as usize];
    assert!(
        matches!(&edge.sync, Sync::Send(ChannelRef::Static(id)) if network.channels[id.index()].name == "c[1]")
    );
    assert_eq!(network.program.writes(edge.update.unwrap()), [variable(&network, "g[2]")]);
    assert_eq!(bounds(&network, &network.locations[0].clock_invariant), ["t-0<=1"]);
    assert_eq!(bounds(&network, &network.locations[2].clock_invariant), ["t-0<=2"]);
    assert_eq!(edge.clock_effects[0].clock, clock(&network, "Q(1).y"));
}

#[test]
fn ids_are_contiguous() {
    let network = network(
        "process P(const int[0,2] i) { state A, B, C; init B;
            trans C -> A {}, A -> B { select k : int[0,i]; }, B -> C {}, A -> A {}; } system P;",
    );
    for (index, process) in network.processes.iter().enumerate() {
        assert_eq!(network.locations[process.initial.index()].name, "B");
        for location in process.locations.clone() {
            assert_eq!(network.locations[location as usize].process.index(), index);
            for edge in network.locations[location as usize].outgoing.clone() {
                assert_eq!(network.edges[edge as usize].source.0, location);
                assert!(process.edges.contains(&edge));
            }
        }
        assert_eq!(process.edges.len(), 4 + index);
    }
    let first = &network.edges[EdgeId(0).index()];
    assert_eq!(first.select, [("k".to_owned(), 0)]);
    assert_eq!(first.origin.edge, 1);
}

#[test]
fn edges_that_can_never_be_taken_are_dropped() {
    let text = "int v; process P() { state A; init A;
        trans A -> A { select i : int[0,3]; guard i != 2; assign v = i; },
              A -> A { guard v > 40000; assign v = 0; }; } system P;";
    assert_eq!(network(text).edges.len(), 3);
    assert_eq!(codes(text), [Code::NeverHolds]);
}

#[test]
fn dead_code_of_an_instance_is_no_error() {
    let network = network(
        "int a[3]; process P(const int[0,2] id) { state A; init A;
            trans A -> A { guard id > 0 && a[id - 1] == 0; assign a[id - 1] = 1; },
                  A -> A { assign a[id] = (id < 2 ? a[id + 1] : 0); }; } system P;",
    );
    assert_eq!(network.edges.len(), 5);
}

#[test]
fn branch_points_become_edges() {
    let text = "int v, w; clock x; chan c; process P() { state A, B, C; branchpoint k; init A;
        trans A -> k { guard v == 0; sync c!; assign v = 1; }, k -> B { assign w = v; probability 2; },
              k -> C { assign x = 0; probability 1; }; }
        process Q() { state A; init A; trans A -> A { sync c?; }; } system P, Q;";
    let network = network(text);
    assert_eq!(network.processes[0].edges.len(), 2);
    for edge in &network.edges[..2] {
        assert_eq!(edge.data_guard.len(), 1);
        assert!(matches!(edge.sync, Sync::Send(_)));
        assert!(edge.origin.branch.is_some());
    }
    assert_eq!(network.program.shapes(network.edges[0].update.unwrap()).unwrap().len(), 2);
    assert_eq!(codes(text), [Code::BranchNote]);
}

#[test]
fn channels_may_be_computed() {
    let network = network(
        "chan a[3]; chan b; int[0,2] i; bool f;
         process P() { state A; init A; trans A -> A { sync a[i]!; }, A -> A { sync (f ? a[0] : b)!; },
            A -> A { sync a[1]?; }; } system P;",
    );
    let Sync::Send(ChannelRef::Dynamic(code, candidates)) = &network.edges[0].sync else { panic!() };
    assert_eq!(candidates.len(), 3);
    let mut machine = Machine::new(&network.program);
    machine.variables_mut()[0] = 2;
    assert_eq!(machine.eval(*code), Ok(2));
    let Sync::Send(ChannelRef::Dynamic(code, candidates)) = &network.edges[1].sync else { panic!() };
    assert_eq!(candidates.len(), 2);
    assert_eq!(machine.eval(*code), Ok(3));
}

#[test]
fn clock_effects_are_known() {
    let effects = |update: &str| {
        let text = format!(
            "clock x, y; clock z[2]; int[0,3] i; bool b;
             void maybe(clock &c) {{ if (b) c = i; }}
             void either(clock &c) {{ if (b) {{ c = 1; return; }} c = 2; }}
             process P() {{ state A; init A; trans A -> A {{ assign {update}; }}; }} system P;"
        );
        network(&text).edges[0].clock_effects.clone()
    };
    let (x, y) = (ClockId(1), ClockId(2));
    let always = |clock, value| ClockEffect { clock, always: true, value };
    let maybe = |clock, value| ClockEffect { clock, always: false, value };
    assert_eq!(effects("x = 0"), [always(x, ClockValue::Constant(0, 0))]);
    assert_eq!(effects("x = i + 1"), [always(x, ClockValue::Constant(1, 4))]);
    assert_eq!(effects("x = y"), [always(x, ClockValue::Clock(y, 0, 0))]);
    assert_eq!(effects("x = y + 2"), [always(x, ClockValue::Clock(y, 2, 2))]);
    assert_eq!(
        effects("y = 3, x = y + 1, y = 0"),
        [always(x, ClockValue::Constant(4, 4)), always(y, ClockValue::Constant(0, 0))]
    );
    assert_eq!(effects("z[i] = 0").len(), 2);
    assert!(effects("z[i] = 0").iter().all(|effect| !effect.always));
    assert_eq!(effects("maybe(y)"), [maybe(y, ClockValue::Constant(0, 3))]);
    assert_eq!(effects("either(y)"), [always(y, ClockValue::Constant(1, 2))]);
}

#[test]
fn priorities_and_kinds() {
    let network = network(
        "chan a, b[2], c; chan priority b[0] < default < b[1], c;
         process P() { state A, B, C; commit B; urgent C; init A; trans A -> B { sync a!; }, B -> C { sync b[1]!; }; }
         process Q() { state A; init A; trans A -> A { sync a?; }; }
         system P < Q;",
    );
    let level = |name: &str| network.channels.iter().find(|channel| channel.name == name).unwrap().priority;
    assert_eq!(level("a"), network.internal_priority);
    assert!(level("b[0]") < level("a") && level("a") < level("b[1]") && level("b[1]") == level("c"));
    assert!(network.processes[0].priority < network.processes[1].priority);
    assert!(network.features.priorities && network.features.committed && network.features.urgent_locations);
    assert_eq!(network.locations[location(&network, "P", "B").index()].kind, LocationKind::Committed);
    assert_eq!(process(&network, "Q").0, 1);
}

#[test]
fn rates_and_costs() {
    let network = network(
        "clock x[2]; bool stop;
         process P() { state A { x[0]' == 0 && x[1]' == !stop && x[1] <= 5 }, B; init A; trans A -> B {}; } system P;",
    );
    assert!(network.features.stopwatches);
    let rates = &network.locations[0].rates;
    assert_eq!(rates.iter().map(|(clock, _)| clock.0).collect::<Vec<_>>(), [1, 2]);
    let mut machine = Machine::new(&network.program);
    assert_eq!(machine.eval(rates[0].1), Ok(0));
    assert_eq!(machine.eval(rates[1].1), Ok(1));
    machine.variables_mut()[0] = 1;
    assert_eq!(machine.eval(rates[1].1), Ok(0));
}

#[test]
fn rendezvous_of_equals_become_senders_and_receivers() {
    let network = network(
        "chan c; int v; process P(const int[0,2] id) { state A; init A; trans A -> A { sync c; assign v = id; }; } system P;",
    );
    assert_eq!(network.edges.len(), 6);
    assert_eq!(network.channels.len(), 4);
    let sends = |edge: &&guidepost_network::Edge| matches!(edge.sync, Sync::Send(_));
    assert_eq!(network.edges.iter().filter(sends).map(|edge| edge.process.0).collect::<Vec<_>>(), [0, 0, 1]);
}

#[test]
fn what_is_too_large_is_refused_before_it_is_built() {
    let process = "process P() { state A; init A; } system P;";
    for text in [
        format!("int a[100000][100000]; {process}"),
        format!("int a[2000000]; {process}"),
        format!("clock x[100000]; {process}"),
        format!("chan c[3000][3000]; {process}"),
        "process P(const int[0,999] i, const int[0,999] j) { state A; init A; } system P;".to_owned(),
        "process P() { state A; init A; trans A -> A { select i : int[0,9999], j : int[0,9999]; }; } system P;".to_owned(),
        "clock x; process P() { state A { forall (i : int[0,9999]) forall (j : int[0,9999]) x <= i + j }; init A; } system P;".to_owned(),
    ] {
        assert_eq!(codes(&text), [Code::TooLarge], "{text}");
    }
}

#[test]
fn wrong_values_are_errors() {
    let process = "process P() { state A; init A; } system P;";
    for (text, code) in [
        (format!("int[0,3] v = 7; {process}"), Code::OutOfRange),
        (format!("const int[0,3] v = 7; {process}"), Code::OutOfRange),
        (format!("const int v = 1 / 0; {process}"), Code::DivisionByZero),
        (format!("const int N = -1; int a[N]; {process}"), Code::BadArraySize),
        (format!("const int N = 3; int[N,1] v; {process}"), Code::EmptyRange),
        (
            format!("int f(int n) {{ while (true) n = 1 - n; return n; }} const int K = f(0); {process}"),
            Code::EvaluationLimit,
        ),
        (
            "clock x; process P() { state A { x <= 600000000 }; init A; } system P;".to_owned(),
            Code::ClockConstantTooLarge,
        ),
        ("process P(const int[0,3] i) { state A; init A; } Q = P(5); system Q;".to_owned(), Code::OutOfRange),
    ] {
        let found = codes(&text);
        assert!(found.contains(&code), "{text}: {found:?}");
    }
}

#[test]
fn what_is_not_supported_is_named() {
    let text = "double d; hybrid clock h; clock x; int v;
        process P() { state A; init A; trans A -> A { assign v = 1; }; } system P;";
    assert_eq!(codes(text), [], "declaring is harmless");
    let used = "double d; process P() { state A; init A; trans A -> A { assign d = 1.5; }; } system P;";
    assert_eq!(codes(used), [Code::NotSupported]);
    let read = "clock x; int v; void f() { if (x < 5) v = 1; } process P() { state A; init A; trans A -> A { assign f(); }; } system P;";
    let found = codes(read);
    assert!(found.contains(&Code::NotSupported) || found.contains(&Code::ReadsClock), "{found:?}");
}

#[test]
fn a_constant_assignment_outside_the_range_is_a_warning() {
    let text = "int[0,3] v; process P(const int[0,1] i) { state A; init A; trans A -> A { assign v = 7; }; } system P;";
    assert_eq!(codes(text), [Code::ConstantOutOfRange], "once, not per process");
}

#[test]
fn a_constant_index_outside_the_array_fails_where_it_is_evaluated() {
    let text = "const int N = 3; int a[3]; chan c[3]; clock x[3];
        process P(const int[3,4] i) { state A, B, C; init A;
            trans A -> A { assign a[N + i] = 1; }, B -> B { guard a[i] == 0; sync c[i]!; }, C -> C { guard x[i] < 1; }; } system P;";
    let mut found = codes(text);
    // Nothing leads to B and C; that is not the point here.
    found.retain(|code| *code != Code::UnreachableLocation);
    assert!(found.iter().all(|code| *code == Code::ConstantOutOfRange) && !found.is_empty(), "{found:?}");
    let network = network(text);
    let mut machine = Machine::new(&network.program);
    assert!(machine.run_update(network.edges[0].update.unwrap(), &mut Vec::new()).is_err());
    assert!(machine.holds(&network.edges[1].data_guard).is_err());
    assert!(machine.holds(&network.edges[2].data_guard).is_err());
    let constant = "const int a[2] = {1, 2}; const int K = a[2]; process P() { state A; init A; } system P;";
    assert!(
        codes(constant).contains(&Code::OutOfRange) || codes(constant).contains(&Code::ConstantOutOfRange)
    );
}

#[test]
fn a_parameter_that_the_template_changes_is_a_variable() {
    let network = network(
        "process P(int[1,3] pid, const int[0,1] k) { state A, B; init A; trans A -> B { guard pid < 3; assign pid++; }; } system P;",
    );
    let names: Vec<_> =
        network.variables.iter().map(|v| (v.name.as_str(), v.min, v.max, v.initial)).collect();
    assert_eq!(names[..3], [("P(1,0).pid", 1, 3, 1), ("P(1,1).pid", 1, 3, 1), ("P(2,0).pid", 1, 3, 2)]);
}

#[test]
fn initialisers_may_look_at_reference_parameters() {
    let network =
        network("int x = 7; process P(int &i) { int k = i + 1; state A; init A; } Q = P(x); system Q;");
    assert_eq!(network.variables[1].initial, 8);
}

#[test]
fn models_with_errors_of_the_front_end_do_not_panic() {
    for text in [
        "broadcast chan a; process P(broadcast chan b) { state A; init A; trans A -> A { sync b!; }; } Q = P(a); system Q;",
        "clock x; process P(clock y) { state A { y < 3 }; init A; trans A -> A { assign y = 0; }; } Q = P(x); system Q;",
        "int a[0]; process P() { state A; init A; trans A -> A { guard a[0] == b; sync c!; assign a[1] = 2; }; } system P, R;",
        "process P(int x) { state A; init A; } system P;",
        "",
    ] {
        let loaded = guidepost_language::load_text("m.xta", text);
        let (network, _) = build(&loaded.model);
        assert!(network.is_none() || loaded.diagnostics.has_errors(), "{text}");
    }
}
