//! Traces as people and programs see them.

use guidepost_language::load_text;
use guidepost_network::interpreter::{Interpreter, ReplayStep, replay, simulate};
use guidepost_network::{EdgeId, Network, build};
use guidepost_report::{Look, Trace};

const MODEL: &str = "
    clock x, y;
    int[0,9] count[3];
    bool on;
    chan go[2];
    broadcast chan all;
    process Sender() {
        state Idle { x <= 4 }, Sent;
        init Idle;
        trans Idle -> Sent { select i : int[0,1]; guard x >= 2; sync go[i]!; assign x = 0, count[i] = 7; },
              Sent -> Idle { sync all!; };
    }
    process Receiver(int[0,1] id) {
        state Wait, Done { y' == 0 };
        init Wait;
        trans Wait -> Done { sync go[id]?; assign on = true; },
              Done -> Wait { sync all?; assign on = false, y = 0; };
    }
    system Sender, Receiver;
";

fn network() -> Network {
    let loaded = load_text("model.xta", MODEL);
    assert!(!loaded.diagnostics.has_errors(), "{:#?}", loaded.diagnostics);
    build(&loaded.model).0.expect("the model is right")
}

fn edge(network: &Network, process: &str, from: &str, select: Option<i32>) -> EdgeId {
    let found = network.edges.iter().position(|edge| {
        network.processes[edge.process.index()].name == process
            && network.locations[edge.source.index()].name == from
            && select.is_none_or(|value| edge.select[0].1 == value)
    });
    EdgeId(found.expect("there is such an edge") as u32)
}

/// Wait, send to the second receiver, wait, call everybody back, wait.
fn steps(network: &Network) -> Vec<ReplayStep> {
    let step = |delay: &str, edges: Vec<EdgeId>| ReplayStep { delay: delay.parse().unwrap(), edges };
    vec![
        step(
            "5/2",
            vec![edge(network, "Sender", "Idle", Some(1)), edge(network, "Receiver(1)", "Wait", None)],
        ),
        step("1/3", vec![edge(network, "Sender", "Sent", None), edge(network, "Receiver(1)", "Done", None)]),
        step("1", vec![]),
    ]
}

#[test]
fn a_trace_shows_who_moves_and_what_changes() {
    let network = network();
    let initial = Interpreter::new(&network).initial();
    let steps = replay(&network, &steps(&network)).unwrap();
    let trace = Trace::new(&network, &initial, &steps);
    // Done stops y; that alone is no change, only that it is set in the end.
    insta::assert_snapshot!(trace.text(Look::default()), @r"
    step  time  delay  sync    process      move
       0     0                 Sender.Idle, Receiver(0).Wait, Receiver(1).Wait
                               count[..] = 0, on = false
       1   2.5   +2.5  go[1]!  Sender       Idle -> Sent  [i = 1]
                       go[1]?  Receiver(1)  Wait -> Done
                               count[1]: 0 -> 7, on: false -> true, x := 0
       2  17/6   +1/3  all!    Sender       Sent -> Idle
                       all?    Receiver(1)  Done -> Wait
                               on: true -> false, y := 0
       3  23/6     +1          time passes
    ");
    assert_eq!(trace.length(), 2);
    assert_eq!(trace.duration(), Some("23/6".parse().unwrap()));
}

#[test]
fn json_has_the_documented_shape() {
    let network = network();
    let initial = Interpreter::new(&network).initial();
    let steps = replay(&network, &steps(&network)).unwrap();
    let json = Trace::new(&network, &initial, &steps[..]).json();
    assert_eq!(json["length"], 2);
    assert_eq!(json["duration"], "23/6");
    insta::assert_snapshot!(json["steps"][0].to_string(), @r#"{"delay":"5/2","transition":{"kind":"binary","channel":"go[1]","edges":[{"process":"Sender","from":"Idle","to":"Sent","role":"sends","select":{"i":1},"edge":1},{"process":"Receiver(1)","from":"Wait","to":"Done","role":"receives","select":{},"edge":5}]},"state":{"locations":{"Sender":"Sent","Receiver(0)":"Wait","Receiver(1)":"Done"},"variables":{"count[0]":0,"count[1]":7,"count[2]":0,"on":true},"clocks":{"x":"0","y":"5/2"}}}"#);
    assert!(json["steps"][2]["transition"].is_null());
}

#[test]
fn long_lists_are_broken_to_the_width() {
    let network = network();
    for width in [20, 60, 80, 200] {
        let run = simulate(&network, 5, 12);
        let text = Trace::of_run(&network, &run).text(Look { width, ..Look::default() });
        let facts = text.lines().filter(|line| line.contains(": ") || line.contains(":="));
        for line in facts {
            assert!(line.chars().count() <= width.max(80), "{width}: {line}");
        }
        assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
    }
}

#[test]
fn colour_changes_nothing_but_the_colour() {
    let network = network();
    let run = simulate(&network, 5, 12);
    let trace = Trace::of_run(&network, &run);
    let painted = trace.text(Look { color: true, width: 80, ..Look::default() });
    assert!(painted.contains("\u{1b}["));
    let mut plain = String::new();
    let mut rest = painted.as_str();
    while let Some((before, escape)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = escape.split_once('m').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    assert_eq!(plain, trace.text(Look { width: 80, ..Look::default() }));
}

#[test]
fn an_empty_run_is_its_initial_state() {
    let network = network();
    let run = simulate(&network, 0, 0);
    let text = Trace::of_run(&network, &run).text(Look::default());
    assert_eq!(text.lines().count(), 3, "{text}");
}
