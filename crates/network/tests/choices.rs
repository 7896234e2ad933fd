//! What can be chosen is what is enabled, after every delay.

use guidepost_network::interpreter::{
    Interpreter, Obstacle, Random, Rational, ReplayStep, State, Transition,
};
use guidepost_network::{EdgeId, Network, build};
use std::path::Path;

fn network(name: &str) -> Network {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let loaded = guidepost_language::load_file(&path);
    build(&loaded.model).0.unwrap_or_else(|| panic!("{name} has a network"))
}

fn network_of(text: &str) -> Network {
    let loaded = guidepost_language::load_text("m.xta", text);
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
    build(&loaded.model).0.expect("a network")
}

/// Delays at which a difference would show: around every end of an interval, and some others.
fn delays(interpreter: &mut Interpreter<'_>, state: &State, random: &mut Random) -> Vec<Rational> {
    let choices = interpreter.choices(state).unwrap();
    let mut moments = vec![Rational::ZERO];
    for interval in choices.transitions.iter().flat_map(|choice| &choice.delays) {
        moments.push(interval.lower.0);
        moments.extend(interval.upper.map(|(upper, _)| upper));
    }
    moments.extend(choices.longest_delay.map(|(limit, _)| limit));
    let little = Rational::new(1, 1000).unwrap();
    let around = moments
        .iter()
        .flat_map(|&moment| [moment.minus(little).unwrap(), moment, moment.plus(little).unwrap()]);
    let mut delays: Vec<Rational> = around.filter(|delay| !delay.is_negative()).collect();
    delays.extend((0..5).map(|_| Rational::new(random.below(4000) as i64, 97).unwrap()));
    delays
}

fn agree(name: &str, network: &Network, seed: u64, steps: usize) {
    let mut interpreter = Interpreter::new(network);
    let mut random = Random::new(seed);
    let mut state = interpreter.initial();
    for step in 0..steps {
        let choices = interpreter.choices(&state).unwrap();
        for delay in delays(&mut interpreter, &state, &mut random) {
            let chosen = choices.transitions.iter();
            let chosen = chosen.filter(|choice| choice.delays.iter().any(|delays| delays.contains(delay)));
            let mut chosen: Vec<Transition> = chosen.map(|choice| choice.transition.clone()).collect();
            chosen.sort();
            let mut enabled = if interpreter.can_delay(&state, delay).unwrap() {
                let later = interpreter.delay(&state, delay).unwrap();
                interpreter.enabled(&later).unwrap()
            } else {
                Vec::new()
            };
            enabled.sort();
            assert_eq!(chosen, enabled, "{name}, seed {seed}, step {step}, after {delay}");
        }
        explained(name, &mut interpreter, &state);
        match interpreter.random_step(&state, &mut random).unwrap() {
            Ok(next) => state = next.state,
            Err(_) => return,
        }
    }
}

/// Every edge is enabled now, or there is a reason why not.
fn explained(name: &str, interpreter: &mut Interpreter<'_>, state: &State) {
    let network = interpreter.network();
    let enabled = interpreter.enabled(state).unwrap();
    for location in &state.locations {
        for edge in network.locations[location.index()].outgoing.clone().map(EdgeId) {
            let obstacles = interpreter.obstacles(state, edge).unwrap();
            let is_enabled = enabled.iter().any(|transition| transition.edges.contains(&edge));
            assert_eq!(is_enabled, obstacles.is_empty(), "{name}: {edge:?}, {obstacles:?}");
        }
    }
}

#[test]
fn choices_are_what_is_enabled() {
    let names = [
        "fischer.xml",
        "train-gate.xml",
        "bridge.xml",
        "csma-cd.xml",
        "priorities.xml",
        "oven.xta",
        "lamp.ta",
        "vending-machine.xml",
        "token-ring.xml",
        "fischer-3.tck",
        "light-switch.xml",
        "job-shop.xml",
    ];
    for name in names {
        let network = network(name);
        (0..4).for_each(|seed| agree(name, &network, seed, 40));
    }
}

#[test]
fn invariants_behind_transitions_and_priorities_split_intervals() {
    let text = "clock x, y; urgent chan u; chan c, d; chan priority c < d; broadcast chan b;
        process P() { state A { x <= 9 }, B { y <= 3 && x >= 2 }, C; init A;
            trans A -> B { guard x != 4; assign y = 1; }, A -> C { guard x > 1; sync c!; }, A -> A { guard x >= 5 && x < 7; sync d!; assign x = y - 1; },
                  B -> C { sync b!; }, C -> A { assign x = 0, y = x + 1; }; }
        process Q() { state A; init A; trans A -> A { sync c?; }, A -> A { guard y < 6; sync d?; }, A -> A { guard y >= 2; sync b?; }; }
        system P, Q;";
    let network = network_of(text);
    (0..20).for_each(|seed| agree("split", &network, seed, 30));
    let mut interpreter = Interpreter::new(&network);
    let initial = interpreter.initial();
    let choices = interpreter.choices(&initial).unwrap();
    let text: Vec<String> = choices
        .transitions
        .iter()
        .map(|choice| format!("{:?}: {:?}", choice.transition.edges, choice.delays.len()))
        .collect();
    assert_eq!(choices.longest_delay, Some((9.into(), false)));
    assert!(text.len() >= 4, "{text:?}");
}

#[test]
fn reasons_are_told_apart() {
    let text = "clock x; int n; chan c; chan priority default < c;
        process P() { state A, B { x <= 1 }; init A; trans A -> B { guard n > 0; }, A -> B { guard x >= 3; }, A -> A { sync c!; }, A -> A { guard x >= 2; }; }
        process Q() { state A, B; init A; trans A -> B { guard n == 1; sync c?; }; }
        system P, Q;";
    let network = network_of(text);
    let mut interpreter = Interpreter::new(&network);
    let initial = interpreter.initial();
    let mut of = |state: &State, edge: u32| interpreter.obstacles(state, EdgeId(edge)).unwrap();
    assert!(matches!(&of(&initial, 0)[..], [Obstacle::Data(_, variables)] if variables.len() == 1));
    // The invariant x <= 1 of B contradicts the guard x >= 3: there is no later.
    assert!(matches!(&of(&initial, 1)[..], [Obstacle::Clock(_, 0, bound)] if *bound == Rational::from(-3)));
    assert!(matches!(&of(&initial, 2)[..], [Obstacle::Partner(_, others)] if others.len() == 1));
    assert!(
        matches!(&of(&initial, 3)[..], [Obstacle::Clock(..), Obstacle::Later(delays)] if delays.len() == 1)
    );
}

#[test]
fn a_network_can_begin_anywhere() {
    let network = network("train-gate.xml");
    let mut interpreter = Interpreter::new(&network);
    let mut random = Random::new(3);
    let mut state = interpreter.initial();
    for _ in 0..50 {
        let later = network.starting_at(&state).unwrap();
        assert_eq!(Interpreter::new(&later).initial(), state);
        let Ok(step) = interpreter.random_step(&state, &mut random).unwrap() else { return };
        let replay = ReplayStep { delay: step.delay, edges: step.transition.edges };
        assert!(Interpreter::new(&later).replay_step(&state, &replay).is_ok());
        state = step.state;
    }
}
