//! Properties about time, through observers: what a controller promises, and what it cannot promise.

use guidepost_answer::{Engine, Verdict};
use guidepost_language::model::Query;
use guidepost_network::interpreter::{Interpreter, Rational, simulate};
use guidepost_network::{build, compile_query};
use guidepost_plc::load_text;
use guidepost_search::Zones;

const LAMP: &str = "
    input button : bool;
    program Lamp {
        input pressed : bool;
        output lit : bool;
        initial location Off { lit := false; when pressed goto On; otherwise stay; }
        location On { lit := true; when pressed stay; otherwise goto Off; }
    }
    node Hall : Lamp(pressed := button) cycle 10 settled;
";

fn verdicts(properties: &str) -> Vec<Verdict> {
    let loaded = load_text("lamp.plc", &format!("{LAMP}{properties}"), None);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let (network, found) = build(&loaded.model);
    let network = network.expect("a network");
    assert!(found.is_empty(), "{found:?}");
    let compile = |query: &Query| compile_query(&network, &loaded.model, query).expect("supported");
    let queries: Vec<_> = loaded.model.queries.iter().map(compile).collect();
    let answers = Zones::default().answers(&network, &queries).expect("supported");
    answers.iter().map(guidepost_answer::Answer::verdict).collect()
}

/// Pressed just after a poll, the lamp polls in the next cycle, and is lit at its end: after nearly two cycles.
#[test]
fn a_press_is_noticed_within_two_cycles_and_no_sooner() {
    let within = |time: u32| {
        verdicts(&format!("property p : whenever button then Hall.lit or not button within {time};"))[0]
    };
    assert_eq!(within(20), Verdict::Satisfied);
    assert_eq!(within(19), Verdict::NotSatisfied);
}

/// The time that the trigger lasts counts.
#[test]
fn what_has_lasted_need_not_be_waited_for() {
    let lasting = |time: u32| {
        verdicts(&format!("property p : whenever button for at least {time} then Hall.lit within 5;"))[0]
    };
    assert_eq!(lasting(20), Verdict::Satisfied);
    assert_eq!(lasting(14), Verdict::NotSatisfied);
}

#[test]
fn locations_and_signals_tell_the_same() {
    let both = verdicts(
        "property a : never (Hall in On and not Hall.lit); property b : never (Hall in Off and not Hall.lit);",
    );
    assert_eq!(both, [Verdict::Satisfied, Verdict::NotSatisfied]);
}

/// An observer sees where a node is, alone or on a device, as it sees what it writes.
#[test]
fn reactions_may_speak_of_locations() {
    let within = |time: u32| {
        verdicts(&format!(
            "property p : whenever button then Hall in On or not button within {time};
             property q : whenever Hall in On and not button then Hall in Off or button within {time};"
        ))
    };
    assert_eq!(within(20), [Verdict::Satisfied; 2]);
    assert_eq!(within(19), [Verdict::NotSatisfied; 2]);
    let on_device = "device Box cycle 10 settled { node Attic : Lamp(pressed := button); }";
    let both = verdicts(&format!(
        "{on_device} property p : whenever Attic in On for at least 0 then Attic.lit within 0;
         property q : whenever button then Attic in On or not button within 19;
         property r : whenever button then Attic in On or not button within 20;"
    ));
    assert_eq!(both, [Verdict::Satisfied, Verdict::NotSatisfied, Verdict::Satisfied]);
}

/// However late the button is pressed, the lamp can still poll: time does not stop.
#[test]
fn settling_never_stops_time() {
    let loaded = load_text("lamp.plc", LAMP, None);
    let network = build(&loaded.model).0.expect("a network");
    for seed in 0..20 {
        let run = simulate(&network, seed, 400);
        let end = run.steps.last().map(|step| step.state.clone()).expect("steps");
        let mut interpreter = Interpreter::new(&network);
        let room = interpreter.max_delay(&end).expect("computable");
        let polls = |edge: &guidepost_network::EdgeId| {
            network.locations[network.edges[edge.index()].source.index()].name.ends_with("_poll")
        };
        let moves = interpreter.candidates(&end).expect("computable");
        let can_move = moves.iter().any(|transition| transition.edges.iter().any(polls));
        let can_wait = room.is_none_or(|(delay, _)| delay != Rational::ZERO);
        let is_polling = end.locations.iter().any(|at| network.locations[at.index()].name.ends_with("_poll"));
        assert!(!is_polling || can_wait || can_move, "seed {seed}");
    }
}
