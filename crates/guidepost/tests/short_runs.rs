//! What a run does not need is left out, and what is left is a run.

use guidepost::network::interpreter::{Random, ReplayStep, replay};
use guidepost::search::{MILLISECOND, shorten};
use guidepost::{Interpreter, RunKind, Session, Settings, Simulator};

fn open(name: &str) -> Session {
    Session::open(format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Random runs to places, made shorter: they replay, end where they should, and are never shorter than the shortest.
#[test]
fn random_runs_become_short_runs() {
    let names = [
        "fischer.xml",
        "train-gate.xml",
        "csma-cd.xml",
        "bridge.xml",
        "oven.xta",
        "priorities.xml",
        "vending-machine.xml",
    ];
    for name in names {
        let mut session = open(name);
        let (mut before, mut after, mut least) = (0, 0, 0);
        for seed in 0..6 {
            let mut simulator = Simulator::new(session.clone()).unwrap();
            let (end, _) = simulator.wander(simulator.root(), 40, &mut Random::new(seed)).unwrap();
            let network = simulator.network();
            let places = network.processes.iter().zip(&simulator.state(end).locations);
            let places: Vec<String> = places
                .map(|(process, at)| format!("{}.{}", process.name, network.locations[at.index()].name))
                .collect();
            let query = format!("E<> {}", places.join(" and "));
            let compiled = session.compile(&query).unwrap();
            let (goals, _) = compiled.question.target().unwrap();
            let run = simulator.evidence(end);
            let short = shorten(network, goals, &run, 100 * MILLISECOND);
            let short = short.as_ref().unwrap_or(&run);
            let steps: Vec<ReplayStep> = short.steps.iter().map(ReplayStep::from).collect();
            let replayed = replay(network, &steps).unwrap();
            assert_eq!(replayed, short.steps);
            let last = short.steps.last().map_or(&short.initial, |step| &step.after);
            let mut interpreter = Interpreter::new(network);
            assert!(goals.iter().any(|goal| interpreter.satisfies(last, goal).unwrap()), "{name}, {seed}");
            let shortest = Settings { run: RunKind::Shortest, ..Settings::default() };
            let shortest = session.ask(&query, &shortest).unwrap().evidence.unwrap().length();
            assert!(shortest <= short.length() && short.length() <= run.length(), "{name}, {seed}");
            (before, after, least) = (before + run.length(), after + short.length(), least + shortest);
        }
        println!("{name}: {before} transitions, {after} needed, {least} in the shortest runs");
        assert!(after * 3 < before * 2 || after * 2 <= least * 3, "{name}: {before}, {after}, {least}");
    }
}

#[test]
fn detours_are_left_out_and_other_receivers_are_no_obstacle() {
    // Q wanders about; R listens to P and need not be where it was when P sends.
    let text = "broadcast chan go; clock x; int n;
        process P() { state A, B, C; init A; trans A -> B { guard x >= 1; sync go!; assign n = n + 1; }, B -> A { guard n < 30; assign x = 0; }, B -> C { guard x >= 2; }; }
        process Q() { state A, B; init A; trans A -> B { }, B -> A { }; }
        process R() { state A, B; init A; trans A -> B { sync go?; }, B -> A { }; }
        system P, Q, R;";
    let mut session = Session::parse("m.xta", text).unwrap();
    let depth_first = Settings { run: RunKind::Any, seed: 3, ..Settings::default() };
    let answer = session.ask("E<> P.C", &depth_first).unwrap();
    assert_eq!(answer.evidence.unwrap().length(), 2);
    let mut simulator = Simulator::new(session.clone()).unwrap();
    let mut random = Random::new(1);
    let mut at = simulator.root();
    let network = session.network().clone();
    let is_there =
        |simulator: &Simulator, at| network.locations[simulator.state(at).locations[0].index()].name == "C";
    while !is_there(&simulator, at) {
        (at, _) = simulator.wander(at, 1, &mut random).unwrap();
    }
    let run = simulator.evidence(at);
    let compiled = session.compile("E<> P.C").unwrap();
    let short = shorten(&network, compiled.question.target().unwrap().0, &run, 100 * MILLISECOND);
    assert_eq!(short.map_or(run.length(), |short| short.length()), 2);
}

#[test]
fn what_blocks_is_not_left_out() {
    let mut session = open("priorities.xml");
    let settings = Settings { run: RunKind::Any, ..Settings::default() };
    let answer = session.ask("E<> deadlock", &settings).unwrap();
    assert!(answer.internal.is_none());
}
