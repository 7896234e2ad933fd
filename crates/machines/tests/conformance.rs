//! Public conformance files of the W3C and of SCION, where a folder of public models stands beside the repository; without it, nothing is compared.
//!
//! `cargo test -p guidepost-machines --test conformance -- --nocapture` lists what is not decided, and why.

use guidepost_machines::scxml::chart::Delay;
use guidepost_machines::scxml::{Chart, Event, Interpreter, Plain, load_text};
use std::path::Path;

fn read(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/scxml").join(name);
    std::fs::read_to_string(path).ok()
}

fn load(name: &str, text: &str) -> Chart {
    let loaded = load_text(name, text);
    assert!(!loaded.diagnostics.has_errors(), "{name}: {:?}", loaded.diagnostics);
    loaded.chart
}

/// Lets timers ring, the shortest first, until nothing happens any more. Whether a state was entered on the way, and whether something was open.
fn enters(chart: &Chart, state: &str) -> (bool, bool) {
    let mut chooser = Plain::default();
    let mut interpreter = Interpreter::start(chart, &mut chooser);
    for _ in 0..200 {
        if interpreter.deliver_own() {
            continue;
        }
        let delay = |send: usize| match chart.sends[send].delay {
            Delay::Milliseconds(delay) => delay,
            Delay::None | Delay::Computed => 0,
        };
        let timers = interpreter.session.timers.clone();
        let Some((_, event)) = timers.into_iter().min_by_key(|(send, _)| delay(*send)) else { break };
        interpreter.deliver(&event);
    }
    let entered = interpreter.entered.iter().any(|&id| chart.state(id).name == state);
    (entered, chooser.open > 0)
}

fn runs(name: &str, events: &[&str], expected: &[&str]) {
    let Some(text) = read(name) else { return };
    let chart = load(name, &text);
    let mut chooser = Plain::default();
    let mut interpreter = Interpreter::start(&chart, &mut chooser);
    let place = |interpreter: &Interpreter<'_, Plain>| {
        let active = interpreter.session.configuration.iter().filter(|state| chart.is_atomic(**state));
        active.map(|state| chart.state(*state).name.as_str()).collect::<Vec<_>>().join(" ")
    };
    let mut places = vec![place(&interpreter)];
    for event in events {
        interpreter.deliver(&Event::named(*event));
        places.push(place(&interpreter));
    }
    assert_eq!(places, expected, "{name}");
}

#[test]
fn scions_files_run_as_they_should() {
    runs("history0.scxml", &["t1", "t2", "t3", "t1"], &["a", "b2", "b3", "a", "b3"]);
    // Both transitions leave the whole parallel state, so the second one is preempted.
    runs("parallel7.scxml", &["t"], &["a11 b11", "a22 b11"]);
    let history = ["t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9"];
    let places = [
        "a",
        "b1.1 c1.1",
        "b1.2 c1.2",
        "b2.1 c2.1",
        "b2.2 c2.2",
        "a",
        "b2.2 c2.1",
        "b2.2 c2.2",
        "a",
        "b2.2 c2.2",
    ];
    runs("history4.scxml", &history, &places);
}

#[test]
fn single_files_of_the_w3c_pass() {
    for name in ["w3c-364.scxml", "w3c-387.scxml"] {
        let Some(text) = read(name) else { return };
        assert_eq!(enters(&load(name, &text), "pass"), (true, false), "{name}");
    }
}

/// The tests of a file that has all of them, one behind the other: each as a chart of its own, with its number.
fn tests(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let number = |line: &str| -> Option<String> {
        let id = line.strip_prefix("  <state id=\"")?.split('"').next()?;
        id.strip_suffix("start").map(str::to_owned)
    };
    let begins: Vec<usize> = (0..lines.len()).filter(|&at| number(lines[at]).is_some()).collect();
    let numbers: Vec<String> = begins.iter().filter_map(|&at| number(lines[at])).collect();
    let mut tests = Vec::new();
    for (at, &begin) in begins.iter().enumerate() {
        let length = lines[begin..].iter().position(|line| *line == "  </state>");
        let Some(length) = length else { continue };
        let body = lines[begin..=begin + length].join("\n");
        let stub = |other: &&String| {
            **other != numbers[at]
                && (body.contains(&format!("\"{other}start\"")) || body.contains(&format!("\"{other}start ")))
        };
        let stubs: Vec<String> =
            numbers.iter().filter(stub).map(|other| format!("<state id=\"{other}start\"/>")).collect();
        let stubs = stubs.concat();
        let chart = format!(
            "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" datamodel=\"ecmascript\" version=\"1.0\">\n{body}\n{stubs}<final id=\"pass\"/><final id=\"fail\"/></scxml>"
        );
        tests.push((numbers[at].clone(), chart));
    }
    tests
}

#[test]
fn the_collected_tests_of_the_w3c_pass_as_far_as_they_are_supported() {
    let Some(text) = read("w3c-all.scxml") else { return };
    let (mut passed, mut open, mut failed) = (0, Vec::new(), Vec::new());
    for (number, text) in tests(&text) {
        let loaded = load_text("test.scxml", &text);
        let reason = || {
            let errors =
                loaded.diagnostics.iter().filter(|one| one.is_error()).map(|one| one.message.clone());
            let notes = loaded.chart.notes.iter().map(|note| note.message.clone());
            errors.chain(notes).next().unwrap_or_default()
        };
        if loaded.diagnostics.has_errors() {
            open.push(format!("{number}: {}", reason()));
            continue;
        }
        match enters(&loaded.chart, &format!("{number}pass")) {
            (true, _) => passed += 1,
            (false, false) if loaded.chart.notes.is_empty() => failed.push(number),
            (false, _) => open.push(format!("{number}: {}", reason())),
        }
    }
    println!("{passed} tests of the W3C pass; {} depend on what is not evaluated:", open.len());
    for line in &open {
        println!("  {line}");
    }
    assert_eq!(failed, [] as [String; 0], "tests that use only what is supported");
    assert!(passed >= 70, "{passed} passed; {open:#?}");
}
