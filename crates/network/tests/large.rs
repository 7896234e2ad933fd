//! Large models: the time to read and build one grows with its size, not with the square of it.

use guidepost_language::load_text;
use guidepost_network::build;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Processor time of this thread, which other programs do not add to; where the system does not tell it, the time of day since `begin`.
fn busy(begin: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|field| field.parse().ok());
    nanoseconds.map_or_else(|| begin.elapsed(), Duration::from_nanos)
}

/// How long it takes to read and build a model; the best of three.
fn time(name: &str, text: &str) -> Duration {
    let once = || {
        let begin = Instant::now();
        let before = busy(begin);
        let loaded = load_text(name, text);
        assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.iter().next());
        let (network, found) = build(&loaded.model);
        assert!(network.is_some(), "{:?}", found.iter().next());
        busy(begin).saturating_sub(before)
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
}

/// Ten times the size must not take a hundred times as long. Small models fit into the cache, so the ratio is somewhat above ten.
#[track_caller]
fn assert_linear(name: &str, size: usize, model: impl Fn(usize) -> String) {
    let (small, large) = (time(name, &model(size)), time(name, &model(10 * size)));
    let ratio = large.as_secs_f64() / small.as_secs_f64();
    assert!(ratio < 40.0, "{small:?} for {size}, {large:?} for ten times as much");
}

fn list(separator: &str, count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(separator)
}

#[test]
fn locations_and_edges_in_text() {
    assert_linear("m.xta", 8000, |size| {
        let states = list(", ", size, |i| format!("L{i} {{ x <= 5 }}"));
        let edges =
            list(", ", size, |i| format!("L{i} -> L{} {{ guard v < 5; assign v = 0; }}", (7 * i + 1) % size));
        format!(
            "int v; clock x; process P() {{ state {states}; init L0; commit L1, L{}; trans {edges}; }} system P;",
            size - 1
        )
    });
}

#[test]
fn locations_and_edges_in_xml() {
    assert_linear("m.xml", 8000, |size| {
        let mut text = "<nta><declaration>int v; clock x;</declaration><template><name>P</name>".to_owned();
        for i in 0..size {
            let _ = write!(
                text,
                "<location id=\"id{i}\"><name>L{i}</name><label kind=\"invariant\">x &lt;= 5</label></location>"
            );
        }
        text.push_str("<init ref=\"id0\"/>");
        for i in 0..size {
            let to = (7 * i + 1) % size;
            let _ = write!(
                text,
                "<transition><source ref=\"id{i}\"/><target ref=\"id{to}\"/><label kind=\"guard\">v &lt; 5</label></transition>"
            );
        }
        text + "</template><system>system P;</system></nta>"
    });
}

#[test]
fn branch_points() {
    assert_linear("m.xta", 6000, |size| {
        let points = list(", ", size, |i| format!("b{i}"));
        let edges = list(", ", size, |i| format!("A -> b{i} {{ }}, b{i} -> A {{ }}"));
        format!("process P() {{ state A; branchpoint {points}; init A; trans {edges}; }} system P;")
    });
}

#[test]
fn processes() {
    assert_linear("m.xta", 5000, |size| {
        let instances = list(" ", size, |i| format!("P{i} = T({i});"));
        let names = list(", ", size, |i| format!("P{i}"));
        format!(
            "int v; chan c; process T(const int i) {{ int w; state A, B; init A; \
             trans A -> B {{ guard v == i; sync c!; assign w = 1; }}, B -> A {{ sync c?; }}; }} {instances} system {names};"
        )
    });
}

#[test]
fn declarations() {
    assert_linear("m.xta", 6000, |size| {
        let globals = list(" ", size, |i| format!("const int K{i} = {i}; int v{i} = K{i} % 100; chan c{i};"));
        let locals = list(" ", size, |i| format!("const int k{i} = K{i}; int w{i} = k{i} % 100;"));
        format!(
            "{globals} process P() {{ {locals} state A; init A; trans A -> A {{ assign v0 = w0; }}; }} system P;"
        )
    });
}

#[test]
fn tchecker_models() {
    assert_linear("m.tck", 1000, |size| {
        let mut text = "system:s\nevent:e\n".to_owned();
        for process in 0..size {
            let _ = writeln!(text, "process:P{process}");
            for i in 0..10 {
                let initial = if i == 0 { "initial:" } else { "" };
                let _ = writeln!(
                    text,
                    "location:P{process}:l{i}{{{initial}}}\nedge:P{process}:l{i}:l{}:e",
                    (i + 1) % 10
                );
            }
        }
        for process in (0..size).step_by(2) {
            let _ = writeln!(text, "sync:P{process}@e:P{}@e", process + 1);
        }
        text
    });
}
