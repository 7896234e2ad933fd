//! Evaluations that fail, and files in which things stand where they should not.

use guidepost_machines::scxml::{Environment, check, load_text};
use guidepost_machines::{Kind, Limits};

/// The kinds and places of all findings of a chart.
fn findings(body: &str) -> Vec<(Kind, String)> {
    let head = "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0' datamodel='ecmascript'>";
    let loaded = load_text("chart.scxml", &format!("{head}{body}</scxml>"));
    assert!(!loaded.diagnostics.has_errors(), "{body}");
    let checked = check(&loaded.chart, Environment::Closed, &Limits::default());
    checked.findings.iter().map(|located| (located.finding.kind, located.finding.place.clone())).collect()
}

/// `m` is not declared, so that its condition fails, and the failure is an event.
#[test]
fn a_failing_condition_may_lead_on() {
    let body = "<state id='a'><transition event='x' cond='m == 1' target='b'/><transition event='error.execution' target='c'/></state>\
                <final id='b'/><state id='c'><transition event='back' target='a'/></state>";
    assert!(findings(body).iter().all(|(kind, _)| *kind != Kind::Deadlock), "{:?}", findings(body));
    let deaf = "<state id='a'><transition event='x' cond='m == 1' target='b'/></state><final id='b'/>";
    assert!(findings(deaf).iter().any(|(kind, _)| *kind == Kind::Deadlock), "{:?}", findings(deaf));
}

#[test]
fn what_is_not_evaluated_may_fail_anywhere() {
    let chart = |data: &str, action: &str, done: &str| {
        format!(
            "{data}<state id='a'><transition event='error.execution' target='c'/>\
             <transition event='x' target='a'>{action}</transition></state><final id='c'>{done}</final>"
        )
    };
    let cases = [
        chart("<datamodel><data id='n' expr='foo.bar()'/></datamodel>", "", ""),
        chart("<datamodel><data id='n' src='nofile.json'/></datamodel>", "", ""),
        chart("", "<cancel sendidexpr='foo()'/>", ""),
        chart("", "", "<donedata><param name='p' expr='foo()'/></donedata>"),
        chart("<datamodel><data id='o'/></datamodel>", "<assign location='o.b.c' expr='1'/>", ""),
    ];
    for case in cases {
        let dead = findings(&case);
        assert!(!dead.contains(&(Kind::UnreachableState, "c".to_owned())), "{case}: {dead:?}");
    }
    let safe = findings(&chart("<datamodel><data id='n' expr='1'/></datamodel>", "", ""));
    assert!(safe.contains(&(Kind::UnreachableState, "c".to_owned())), "{safe:?}");
}

/// None of these is right, and none of them may end the program.
#[test]
fn odd_files_are_read() {
    for body in [
        "<data id='x' expr='0'/><state id='a'><transition event='e' cond='x == 1' target='a'/></state>",
        "<state id='a'><onentry><datamodel><data id='x' expr='0'/></datamodel></onentry><transition event='e' cond='x == 1'/></state>",
        "<state id='a'><history id='h'><datamodel><data id='x'/></datamodel></history><transition event='e' cond='x == 1'/></state>",
        "<datamodel><data id='a' expr='0'/></datamodel><state id='s'><transition event='e' cond='a \u{2265} (3)' target='s'/></state>",
        "<script>// wait\u{2026} (a little)\nlog('\u{2192} (x)');</script><state id='s'/>",
    ] {
        let text = format!("<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'>{body}</scxml>");
        let loaded = load_text("odd.scxml", &text);
        if !loaded.diagnostics.has_errors() {
            check(&loaded.chart, Environment::Closed, &Limits::default());
        }
    }
}
