//! The semantics of the standard, rule by rule: what the interpreter does, and that the checker finds nothing wrong with what must happen.

use guidepost_machines::scxml::{Chart, Environment, Event, Interpreter, Plain, check, load_text};
use guidepost_machines::{Kind, Limits};

fn load(body: &str) -> Chart {
    let text = format!(
        "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" datamodel=\"ecmascript\">{body}</scxml>"
    );
    let loaded = load_text("chart.scxml", &text);
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
    loaded.chart
}

/// The atomic states after each event, the beginning included.
fn run(chart: &Chart, events: &[&str]) -> Vec<String> {
    let mut chooser = Plain::default();
    let mut interpreter = Interpreter::start(chart, &mut chooser);
    let place = |interpreter: &mut Interpreter<'_, Plain>| {
        while interpreter.deliver_own() {}
        let configuration = interpreter.session.configuration.iter();
        let atomic = configuration.filter(|state| chart.is_atomic(**state));
        atomic.map(|state| chart.state(*state).name.clone()).collect::<Vec<_>>().join(" ")
    };
    let mut places = vec![place(&mut interpreter)];
    for event in events {
        interpreter.deliver(&Event::named(*event));
        places.push(place(&mut interpreter));
    }
    places
}

fn found(chart: &Chart, kind: Kind) -> Vec<String> {
    let checked = check(chart, Environment::Closed, &Limits::default());
    let of_kind = checked.findings.into_iter().filter(|located| located.finding.kind == kind);
    of_kind.map(|located| located.finding.place).collect()
}

/// What is reachable is what the runs of the standard reach.
fn unreachable(body: &str) -> Vec<String> {
    found(&load(body), Kind::UnreachableState)
}

#[test]
fn the_first_child_is_the_default() {
    let chart = load("<state id='a'><state id='b'/><state id='c'/></state>");
    assert_eq!(run(&chart, &[]), ["b"]);
}

#[test]
fn initial_may_name_deep_states_of_several_regions() {
    let chart = load(
        "<state id='s' initial='a2 b2'><state id='x'/><parallel id='p'><state id='a'><state id='a1'/><state id='a2'/></state>
         <state id='b'><state id='b1'/><state id='b2'/></state></parallel></state>",
    );
    assert_eq!(run(&chart, &[]), ["a2 b2"]);
}

#[test]
fn inner_transitions_come_before_outer_ones() {
    let body = "<state id='p'><transition event='e' target='x'/><state id='a'><transition event='e' target='b'/></state>
         <state id='b'/></state><state id='x'/>";
    assert_eq!(run(&load(body), &["e", "e"]), ["a", "b", "x"]);
    assert_eq!(unreachable(body), Vec::<String>::new());
}

#[test]
fn document_order_decides_within_a_state() {
    let body = "<state id='a'><transition event='e' target='b'/><transition event='e' target='c'/></state><state id='b'/><state id='c'/>";
    assert_eq!(run(&load(body), &["e"]), ["a", "b"]);
    assert_eq!(unreachable(body), ["c"]);
}

#[test]
fn the_first_region_preempts_the_second() {
    let body = "<parallel id='p'><state id='a'><transition event='e' target='x'/></state><state id='b'><transition event='e' target='y'/></state></parallel>
         <state id='x'/><state id='y'/>";
    assert_eq!(run(&load(body), &["e"]), ["a b", "x"]);
    assert_eq!(found(&load(body), Kind::Conflict), ["a --e--> x and b --e--> y"]);
}

#[test]
fn a_later_inner_transition_preempts_an_earlier_outer_one() {
    // Region b's own transition stays within b; region a has none, so the one of p is selected for it, and preempted.
    let body = "<parallel id='p'><transition event='e' target='x'/><state id='a'/><state id='b'><state id='b1'><transition event='e' target='b2'/></state>
         <state id='b2'/></state></parallel><state id='x'/>";
    assert_eq!(run(&load(body), &["e", "e"]), ["a b1", "a b2", "x"]);
    assert_eq!(found(&load(body), Kind::Conflict), Vec::<String>::new());
}

#[test]
fn regions_move_together_where_they_can() {
    let body = "<parallel id='p'><state id='a'><state id='a1'><transition event='e' target='a2'/></state><state id='a2'/></state>
         <state id='b'><state id='b1'><transition event='e' target='b2'/></state><state id='b2'/></state></parallel>";
    assert_eq!(run(&load(body), &["e"]), ["a1 b1", "a2 b2"]);
}

#[test]
fn eventless_transitions_and_raised_events_come_before_the_next_event() {
    let body = "<state id='a'><transition event='e' target='b'><raise event='i'/></transition></state>
         <state id='b'><transition event='i' target='c'/><transition event='f' target='z'/></state>
         <state id='c'><transition target='d'/><transition event='f' target='z'/></state>
         <state id='d'><transition event='f' target='a'/></state><state id='z'/>";
    assert_eq!(run(&load(body), &["e", "f"]), ["a", "d", "a"]);
    assert_eq!(unreachable(body), ["z"]);
}

#[test]
fn raised_events_come_before_sent_ones() {
    let body = "<state id='a'><onentry><send event='outer'/><raise event='inner'/></onentry>
         <transition event='outer' target='wrong'/><transition event='inner' target='b'/></state>
         <state id='b'><transition event='outer' target='right'/></state><state id='right'/><state id='wrong'/>";
    assert_eq!(run(&load(body), &[]), ["right"]);
    assert_eq!(unreachable(body), ["wrong"]);
}

#[test]
fn done_events_of_states_and_of_all_regions() {
    let body = "<parallel id='p'><transition event='done.state.p' target='end'/>
         <state id='a'><state id='a1'><transition event='e' target='a2'/></state><final id='a2'/></state>
         <state id='b'><state id='b1'><transition event='f' target='b2'/></state><final id='b2'/></state></parallel><final id='end'/>";
    assert_eq!(run(&load(body), &["e", "f"]), ["a1 b1", "a2 b1", "end"]);
    assert_eq!(unreachable(body), Vec::<String>::new());
    assert_eq!(found(&load(body), Kind::Deadlock), Vec::<String>::new());
}

const HISTORY: &str = "<state id='o'><transition event='in' target='h'/></state>
    <state id='p'><history id='h' type='KIND'><transition target='q'/></history><transition event='out' target='o'/>
    <state id='q'><state id='q1'><transition event='n' target='q2'/></state><state id='q2'><transition event='m' target='r'/></state></state>
    <state id='r'><transition event='m' target='q2'/></state></state>";

#[test]
fn shallow_history_remembers_children() {
    let chart = load(&HISTORY.replace("KIND", "shallow"));
    assert_eq!(run(&chart, &["in", "n", "out", "in"]), ["o", "q1", "q2", "o", "q1"]);
    assert_eq!(run(&chart, &["in", "n", "m", "out", "in"]).last().unwrap(), "r");
}

#[test]
fn deep_history_remembers_everything() {
    let chart = load(&HISTORY.replace("KIND", "deep"));
    assert_eq!(run(&chart, &["in", "n", "out", "in"]), ["o", "q1", "q2", "o", "q2"]);
}

#[test]
fn internal_transitions_do_not_leave_their_source() {
    let body = |kind: &str| {
        format!(
            "<state id='p'><onentry><raise event='again'/></onentry><transition event='e' target='b' type='{kind}'/>
             <transition event='again' cond='In(\"b\")' target='again'/><state id='a'/><state id='b'/></state><state id='again'/>"
        )
    };
    assert_eq!(run(&load(&body("internal")), &["e"]), ["a", "b"]);
    assert_eq!(run(&load(&body("external")), &["e"]), ["a", "again"]);
    assert_eq!(unreachable(&body("internal")), ["again"]);
    assert_eq!(unreachable(&body("external")), Vec::<String>::new());
}

#[test]
fn a_transition_without_a_target_leaves_nothing() {
    let body = "<state id='a'><onexit><raise event='left'/></onexit><transition event='e'/><transition event='left' target='b'/></state><state id='b'/>";
    assert_eq!(run(&load(body), &["e"]), ["a", "a"]);
    assert_eq!(unreachable(body), ["b"]);
}

#[test]
fn content_runs_from_the_inside_out_and_back() {
    // onexit of the source, then the transition, then onentry of the target, then its initial transition.
    let body = "<datamodel><data id='x' expr='0'/></datamodel>
         <state id='a'><onexit><assign location='x' expr='x * 2 + 1'/></onexit><transition event='e' target='b'><assign location='x' expr='x * 3'/></transition></state>
         <state id='b'><onentry><assign location='x' expr='x + 4'/></onentry><initial><transition target='c'><assign location='x' expr='x * 2'/></transition></initial>
         <state id='c'><transition cond='x == 14' target='right'/></state></state><state id='right'/>";
    assert_eq!(run(&load(body), &["e"]), ["a", "right"]);
    assert_eq!(unreachable(body), Vec::<String>::new());
}

#[test]
fn an_error_ends_its_block_and_is_an_event() {
    let body = "<datamodel><data id='x' expr='0'/></datamodel><state id='a'>
         <onentry><assign location='nothing' expr='1'/><assign location='x' expr='1'/></onentry><onentry><assign location='x' expr='x + 2'/></onentry>
         <transition event='error.execution' cond='x == 2' target='right'/></state><state id='right'/>";
    assert_eq!(run(&load(body), &[]), ["right"]);
    assert_eq!(unreachable(body), Vec::<String>::new());
}

#[test]
fn timers_ring_until_they_are_cancelled() {
    let body = "<state id='a'><onentry><send event='late' delay='1s' id='t'/></onentry><transition event='late' target='b'/><transition event='go' target='c'/></state>
         <state id='b'/><state id='c'><onentry><cancel sendid='t'/></onentry><transition event='late' target='d'/></state><state id='d'/>";
    assert_eq!(run(&load(body), &["late"]), ["a", "b"]);
    assert_eq!(unreachable(body), ["d"]);
}

#[test]
fn what_is_open_is_not_called_unreachable() {
    let body = "<datamodel><data id='x'/></datamodel><state id='a'><transition event='e' cond='x.y > 3' target='b'/></state><state id='b'/>";
    let chart = load(body);
    assert_eq!(found(&chart, Kind::UnreachableState), Vec::<String>::new());
    let checked = check(&chart, Environment::Closed, &Limits::default());
    let deadlock = checked.findings.iter().find(|one| one.finding.kind == Kind::Deadlock).expect("b is one");
    assert!(!deadlock.finding.certain, "b may never be reached");
    assert!(checked.notes.iter().any(|note| note.message.contains("x.y")), "{:?}", checked.notes);
}

#[test]
fn counters_are_followed_and_then_unknown() {
    let count = |limit: &str| {
        format!(
            "<datamodel><data id='x' expr='0'/></datamodel><state id='a'><transition event='e' cond='x == {limit}' target='b'/>
             <transition event='e'><assign location='x' expr='x + 1'/></transition></state><state id='b'/>"
        )
    };
    assert_eq!(unreachable(&count("40")), Vec::<String>::new());
    assert_eq!(unreachable(&count("-3")), Vec::<String>::new(), "beyond what is followed, anything may be");
}

#[test]
fn a_chart_that_never_waits_is_found() {
    let body = "<state id='a'><transition event='e' target='b'/></state><state id='b'><transition target='c'/></state><state id='c'><transition target='b'/></state>";
    let checked = check(&load(body), Environment::Closed, &Limits::default());
    let endless =
        checked.findings.iter().find(|one| one.finding.kind == Kind::Endless).expect("it is endless");
    assert_eq!(endless.finding.evidence, Some(vec!["e".to_owned()]));
    assert!(endless.finding.certain);
}

#[test]
fn evidence_is_shortest() {
    let body = "<state id='a'><transition event='n' target='b'/><transition event='far' target='b'/></state><state id='b'><transition event='n' target='c'/></state><state id='c'/>";
    let checked = check(&load(body), Environment::Closed, &Limits::default());
    let deadlock = checked.findings.iter().find(|one| one.finding.kind == Kind::Deadlock).expect("c is one");
    assert_eq!(deadlock.finding.evidence.as_ref().map(Vec::len), Some(2));
}

#[test]
fn limits_end_a_check() {
    let chart = load(
        "<state id='a'><transition event='e' target='b'/></state><state id='b'><transition event='e' target='a'/></state><state id='c'/>",
    );
    let checked = check(&chart, Environment::Closed, &Limits { states: Some(1), ..Limits::default() });
    assert!(checked.stop.is_some());
    let found: Vec<&str> = checked.findings.iter().map(|one| one.finding.place.as_str()).collect();
    assert_eq!(found, ["c"], "nothing is said about what was not looked at, but nothing leads to c");
}

#[test]
fn a_region_that_is_stuck_is_a_deadlock_of_its_own() {
    let body = "<parallel id='p'><state id='a'><state id='a1'><transition event='e' target='a2'/></state><state id='a2'/></state>
         <state id='b'><state id='b1'><transition event='f' target='b2'/></state><state id='b2'><transition event='f' target='b1'/></state></state></parallel>";
    assert_eq!(found(&load(body), Kind::Deadlock), ["a2"]);
}
