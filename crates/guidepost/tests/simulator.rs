//! Step by step: branches, searches that begin where a run is, and what is saved.

use guidepost::network::interpreter::{Random, ReplayStep};
use guidepost::report::trace_file::{RecordedRuns, lone_run};
use guidepost::{Outcome, Rational, RunKind, Session, Settings, Simulator};

fn open(name: &str) -> Simulator {
    let path = format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"));
    Simulator::new(Session::open(path).unwrap()).unwrap()
}

fn parse(text: &str) -> Simulator {
    Simulator::new(Session::parse("m.xta", text).unwrap()).unwrap()
}

fn any_run() -> Settings {
    Settings { run: RunKind::Any, ..Settings::default() }
}

#[test]
fn doing_the_same_again_leads_to_the_same_state_and_something_else_is_a_branch() {
    let mut simulator = open("fischer.xml");
    let root = simulator.root();
    let choices = simulator.choices(root).unwrap().transitions;
    let step = |choice: usize, delay: i32| ReplayStep {
        delay: delay.into(),
        edges: choices[choice].transition.edges.clone(),
    };
    let first = simulator.take(root, &step(0, 0)).unwrap();
    let second = simulator.take(root, &step(1, 2)).unwrap();
    assert_eq!(simulator.take(root, &step(0, 0)), Ok(first));
    assert_eq!(simulator.children(root), [first, second]);
    assert_eq!((simulator.depth(second), simulator.time(second)), (1, Some(2.into())));
    assert_eq!(simulator.path(second), [root, second]);
}

/// What a run reaches from a state can be reached from there, whatever fractions its clocks have; and the way that is found begins exactly there.
#[test]
fn ways_begin_where_the_run_is() {
    for name in [
        "fischer.xml",
        "train-gate.xml",
        "csma-cd.xml",
        "bridge.xml",
        "oven.xta",
        "priorities.xml",
        "fischer-3.tck",
    ] {
        let mut simulator = open(name);
        let mut at = simulator.root();
        let mut between_whole_numbers = 0;
        for seed in 0..12 {
            (at, _) = simulator.wander(at, 3, &mut Random::new(seed)).unwrap();
            let (there, _) = simulator.wander(at, 4, &mut Random::new(seed + 100)).unwrap();
            let network = simulator.network();
            let places = network.processes.iter().zip(&simulator.state(there).locations);
            let places: Vec<String> = places
                .filter(|(_, location)| !network.locations[location.index()].name.contains(['[', ' ']))
                .map(|(process, location)| {
                    format!("{}.{}", process.name, network.locations[location.index()].name)
                })
                .collect();
            let answer = simulator.way(at, &places.join(" and ")).unwrap().search(&any_run()).unwrap();
            assert!(
                matches!(answer.outcome, Outcome::Decided(true)),
                "{name}, {seed}: {places:?} {:?}",
                answer.internal
            );
            let run = answer.evidence.expect("a run");
            assert_eq!(&run.initial, simulator.state(at), "{name}, {seed}");
            let end = simulator.graft(at, &run.steps).unwrap();
            assert_eq!(simulator.state(end).locations, simulator.state(there).locations, "{name}, {seed}");
            between_whole_numbers +=
                usize::from(run.initial.clocks.iter().any(|clock| clock.denominator() > 1));
        }
        println!("{name}: {between_whole_numbers} of 12 ways begin between whole numbers");
    }
}

/// From x = 1/2 and y = 0 the guard x - y > 0 && x == 2 && y < 2 can hold; from x = y = 0 it cannot. And a window that has been missed is missed.
#[test]
fn ways_know_the_exact_clock_values() {
    let text = "clock x, y; process P() { state A, B, C, D; init A;
        trans A -> B { assign y = 0; }, B -> C { guard x == 2 && y < 2; }, B -> D { guard y == 1 && x < 2; }; } system P;";
    let mut simulator = parse(text);
    let root = simulator.root();
    let enter = |simulator: &mut Simulator, delay: &str| {
        let edges = simulator.choices(root).unwrap().transitions[0].transition.edges.clone();
        simulator.take(root, &ReplayStep { delay: delay.parse().unwrap(), edges }).unwrap()
    };
    let reaches = |simulator: &Simulator, at, goal: &str| {
        let answer = simulator.way(at, goal).unwrap().search(&any_run()).unwrap();
        let decided = answer.outcome.decision().copied().expect("decided");
        if let Some(run) = &answer.evidence {
            assert_eq!(run.initial, *simulator.state(at));
        }
        decided
    };
    for (delay, c, d) in [
        ("0", false, true),
        ("1/2", true, true),
        ("1/3", true, true),
        ("1", true, false),
        ("5/2", false, false),
    ] {
        let at = enter(&mut simulator, delay);
        assert_eq!(
            (reaches(&simulator, at, "P.C"), reaches(&simulator, at, "E<> P.D")),
            (c, d),
            "after {delay}"
        );
    }
    let at = enter(&mut simulator, "1/3");
    let way = simulator.way(at, "P.C and x == 2").unwrap().search(&any_run()).unwrap();
    assert_eq!(way.evidence.unwrap().steps[0].delay, Rational::new(5, 3).unwrap());
}

#[test]
fn what_is_no_goal_is_refused() {
    let simulator = open("fischer.xml");
    let wrong = |goal: &str| simulator.way(simulator.root(), goal).err().expect("wrong").to_string();
    assert!(wrong("A[] true").contains("a way leads to states"));
    assert!(wrong("P(1).Nowhere").contains("Nowhere"));
    assert!(wrong("P(1).Critical and").contains("E070") || !wrong("P(1).Critical and").is_empty());
}

#[test]
fn what_was_put_together_replays() {
    for name in ["train-gate.xml", "csma-cd.xml", "fischer-3.tck"] {
        let mut simulator = open(name);
        let (at, _) = simulator.wander(simulator.root(), 20, &mut Random::new(5)).unwrap();
        let wait = simulator
            .choices(at)
            .unwrap()
            .longest_delay
            .map_or(1.into(), |(limit, _)| limit.midpoint(Rational::ZERO).unwrap());
        let at = simulator.take(at, &ReplayStep { delay: wait, edges: Vec::new() }).unwrap();
        let text = lone_run(name, simulator.network(), &simulator.evidence(at));
        let recorded = RecordedRuns::parse(&text).unwrap();
        let run = recorded.runs[0].replay(simulator.network()).unwrap();
        assert_eq!(run.steps, simulator.evidence(at).steps);
        let mut other = open(name);
        let end = other.graft(other.root(), &run.steps).unwrap();
        assert_eq!(other.state(end), simulator.state(at));
    }
}
