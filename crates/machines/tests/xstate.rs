//! Machines in the JSON of `XState`.

use guidepost_machines::scxml::chart::StateKind;
use guidepost_machines::scxml::{Chart, Environment, Event, Interpreter, Plain, check, load_text};
use guidepost_machines::{Kind, Limits};

fn load(text: &str) -> Chart {
    let loaded = load_text("machine.json", text);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    loaded.chart
}

fn messages(text: &str) -> Vec<String> {
    let loaded = load_text("machine.json", text);
    let at = |start: u32| loaded.sources.files().next().map(|(_, file)| file.position(start));
    let line = |one: &guidepost_language::diagnostic::Diagnostic| {
        let place = at(one.span.start).map(|at| format!("{}:{}", at.line, at.column)).unwrap_or_default();
        format!("{place} {}", one.message)
    };
    loaded.diagnostics.iter().map(line).collect()
}

/// The atomic states after each event, the beginning included.
fn run(chart: &Chart, events: &[&str]) -> Vec<String> {
    let mut chooser = Plain::default();
    let mut interpreter = Interpreter::start(chart, &mut chooser);
    let place = |interpreter: &Interpreter<'_, Plain>| {
        let active = interpreter.session.configuration.iter().filter(|state| chart.is_atomic(**state));
        active.map(|state| chart.state(*state).name.as_str()).collect::<Vec<_>>().join(" ")
    };
    let mut places = vec![place(&interpreter)];
    for event in events {
        interpreter.deliver(&Event::named(*event));
        places.push(place(&interpreter));
    }
    places
}

#[test]
fn targets_beside_inside_and_by_id() {
    let chart = load(
        r##"{"id": "m", "initial": "off", "states": {
            "off": {"on": {"ON": "on.slow", "DEEP": {"target": "#far"}, "PATH": "#m.on.fast"}},
            "on": {"initial": "slow", "on": {"RESET": ".slow", "OFF": {"target": "off"}, "AGAIN": "on"}, "states": {
                "slow": {"on": {"FASTER": "fast"}},
                "fast": {"id": "far"}}}}}"##,
    );
    assert_eq!(
        run(&chart, &["ON", "FASTER", "RESET", "OFF", "DEEP"]),
        ["off", "slow", "fast", "slow", "off", "fast"]
    );
    assert_eq!(run(&chart, &["PATH", "AGAIN"]), ["off", "fast", "slow"]);
}

#[test]
fn regions_histories_and_ends() {
    let chart = load(
        r#"{"initial": "work", "states": {
            "work": {"type": "parallel", "onDone": "done", "on": {"PAUSE": "paused"}, "states": {
                "left": {"initial": "a", "states": {"a": {"on": {"L": "b"}}, "b": {"type": "final"}}},
                "right": {"initial": "c", "states": {"c": {"on": {"R": "d"}}, "d": {"type": "final"}}},
                "last": {"type": "history", "history": "deep"}}},
            "paused": {"on": {"GO": "work.last"}},
            "done": {"type": "final"}}}"#,
    );
    assert_eq!(run(&chart, &["L", "PAUSE", "GO", "R"]), ["a c", "b c", "paused", "b c", "done"]);
    let kinds = chart.states.iter().filter(|state| state.kind == StateKind::DeepHistory).count();
    assert_eq!(kinds, 1);
}

#[test]
fn guards_are_open_and_actions_are_noted() {
    let chart = load(
        r#"{"initial": "a", "states": {
            "a": {"entry": "beep", "on": {"E": [{"target": "b", "guard": "isReady"}, {"target": "c"}]}},
            "b": {"always": {"target": "c", "guard": {"type": "isLate"}}}, "c": {"on": {"E": "a"}}, "d": {}}}"#,
    );
    let notes: Vec<&str> = chart.notes.iter().map(|note| note.message.as_str()).collect();
    assert!(notes.iter().any(|note| note.contains("`isReady()` is not evaluated")), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("actions are code")), "{notes:?}");
    let checked = check(&chart, Environment::Closed, &Limits::default());
    let never = checked.findings.iter().filter(|one| one.finding.kind == Kind::UnreachableState);
    assert_eq!(never.map(|one| one.finding.place.as_str()).collect::<Vec<_>>(), ["d"]);
}

#[test]
fn timers_begin_with_their_state_and_end_with_it() {
    let chart = load(
        r#"{"initial": "red", "states": {
            "red": {"after": {"1000": "green"}, "on": {"SKIP": "green"}},
            "green": {"after": {"SHORT": {"target": "red"}}}}}"#,
    );
    assert_eq!(run(&chart, &["red@1000", "green@SHORT"]), ["red", "green", "red"]);
    let mut chooser = Plain::default();
    let mut interpreter = Interpreter::start(&chart, &mut chooser);
    interpreter.deliver(&Event::named("SKIP"));
    let pending: Vec<&str> = interpreter.session.timers.iter().map(|(_, event)| &*event.name).collect();
    assert_eq!(pending, ["green@SHORT"]);
    let model = guidepost_machines::scxml::timed(&chart, Environment::Closed).expect("it can be translated");
    assert!(model.model.contains("since_red_1000 <= 1"), "{}", model.model);
}

#[test]
fn a_machine_may_have_transitions_of_its_own() {
    let chart = load(
        r##"{"id": "m", "initial": "a", "on": {"RESET": ".a", "STOP": "#m.z"}, "states": {
            "a": {"on": {"E": "b"}}, "b": {}, "z": {"type": "final"}}}"##,
    );
    assert_eq!(run(&chart, &["E", "RESET"]), ["a", "b", "a"]);
    assert_eq!(run(&chart, &["STOP"]).last().map(String::as_str), Some("(end)"));
    let checked = check(&chart, Environment::Closed, &Limits::default());
    assert!(
        checked.findings.iter().all(|one| one.finding.kind != Kind::UnreachableState),
        "{:?}",
        checked.findings
    );
}

#[test]
fn versions_differ_in_what_is_left() {
    // Version 5: a state that is its own target is not left, so its timer goes on; version 4 leaves it.
    let text = |word: &str| {
        format!(
            r#"{{"initial": "a", "states": {{"a": {{"after": {{"5": "b"}}, "on": {{"E": {{"target": "a"{word}}}}}}}, "b": {{}}}}}}"#
        )
    };
    let left = |word: &str| {
        let chart = load(&text(word));
        let mut chooser = Plain::default();
        let mut interpreter = Interpreter::start(&chart, &mut chooser);
        interpreter.deliver(&Event::named("E"));
        interpreter.left.len()
    };
    assert_eq!([left(""), left(r#", "reenter": true"#), left(r#", "internal": false"#)], [0, 1, 1]);
}

#[test]
fn what_is_not_understood_is_named_with_its_place() {
    let found = messages(
        "{\"initial\": \"a\", \"states\": {\n  \"a\": {\"on\": {\"E\": \"bb\"}, \"onn\": {}},\n  \"b\": {\"type\": \"choice\"}}}",
    );
    assert_eq!(
        found,
        [
            "2:21 there is no state `bb` from here",
            "2:28 `onn` is no member of a state in XState; it is left out",
            "3:17 `choice` is no type of a state"
        ]
    );
    let found = messages(
        "{\"initial\": \"a\", \"states\": {\"a\": {\"on\": {\"x\": \"a\", \"x.y\": \"a\", \"u v\": \"a\"}}}}",
    );
    assert!(found[0].contains("`x` and `x.y`") && found[1].contains("white space"), "{found:?}");
    assert_eq!(messages("{\"a\": 1}"), ["1:1 this is no machine of XState: it has no `states`"]);
    assert_eq!(messages("{states: {}}"), ["1:2 expected a name in quotation marks, found `s`"]);
}
