//! Symbolic traces that are written are read again, and lead where the run led.

use guidepost::network::interpreter::Random;
use guidepost::uppaal::{SymbolicRun, UnreadableXtr, read_xtr, to_if, to_xtr};
use guidepost::{Rational, Session, Simulator};

fn open(name: &str) -> Session {
    Session::open(format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Random runs, written and read: the same transitions, found possible again, and clocks that lie in the zones that were written.
#[test]
fn random_runs_are_read_back() {
    let names =
        ["fischer.xml", "train-gate.xml", "csma-cd.xml", "bridge.xml", "oven.xta", "vending-machine.xml"];
    for name in names {
        let session = open(name);
        let network = session.network();
        for seed in 0..4 {
            let mut simulator = Simulator::new(session.clone()).unwrap();
            let (end, _) = simulator.wander(simulator.root(), 25, &mut Random::new(seed)).unwrap();
            let run = simulator.evidence(end);
            let symbolic = SymbolicRun::of(&session, &run).unwrap();
            let states = std::iter::once(&run.initial).chain(run.steps.iter().map(|step| &step.after));
            let situations =
                std::iter::once(&symbolic.initial).chain(symbolic.steps.iter().map(|(_, at)| at));
            for (state, situation) in states.zip(situations) {
                for constraint in situation.constraints() {
                    let value = |clock: guidepost::network::ClockId| state.clocks[clock.index()];
                    let difference = value(constraint.left).minus(value(constraint.right)).unwrap();
                    let bound = Rational::from(constraint.value);
                    assert!(
                        difference < bound || (difference == bound && !constraint.strict),
                        "{name}, {seed}"
                    );
                }
            }
            let text = to_xtr(network, &symbolic).unwrap();
            let read =
                read_xtr(&session, &text).unwrap_or_else(|error| panic!("{name}, {seed}: {error}\n{text}"));
            let edges = |run: &guidepost::Evidence| -> Vec<_> {
                run.steps.iter().filter_map(|step| step.transition.clone()).map(|step| step.edges).collect()
            };
            assert_eq!(edges(&read), edges(&run), "{name}, {seed}");
        }
    }
}

#[test]
fn what_is_no_trace_of_the_model_is_refused() {
    let session = open("fischer-faulty.xml");
    let state = "0 0 0 0\n.\n.\n0\n.\n";
    for (text, is) in [
        ("", "line 1: the locations of a state is expected here"),
        ("0 0\n.\n.\n0\n.\n.\n", "line 1 is not one location for each of 4 processes"),
        ("0 0 0 99\n.\n.\n0\n.\n.\n", "line 1 is not one location for each of 4 processes"),
        ("0 0 0 -1\n.\n.\n0\n.\n.\n", "line 1 is not one location for each of 4 processes"),
        ("0 0 0 0\n.\n9 0 4\n.\n.\n0\n.\n.\n", "line 3 is about a clock that there is not"),
        ("0 0 0 0\n.\n1 0\n.\n.\n0\n.\n.\n", "line 3: a constraint `i j bound` is expected here"),
        ("0 0 0 0\n.\n.\n0 0 0\n.\n.\n", "does not have the values of 1 variables"),
        ("0 0 0 0\n.\n.\n0\n.\n", "line 6: the locations of a state is expected here"),
        (&format!("{state}{state}0\n.\n"), "the edges of a transition is expected here"),
        (&format!("{state}{state}0 99999999999 ; .\n.\n"), "the edges of a transition is expected here"),
        (&format!("{state}{state}0 3 ; .\n.\n"), "transition 1 of the trace is not possible in the model"),
        (&format!("{state}{state}7 0 ; .\n.\n"), "transition 1 of the trace is not possible in the model"),
    ] {
        let error: UnreadableXtr = read_xtr(&session, text).unwrap_err();
        assert!(error.to_string().contains(is), "{text:?}: {error}");
    }
    assert_eq!(read_xtr(&session, &format!("{state}.\n")).unwrap().steps.len(), 0);
}

/// Older files have a line for each edge, no semicolons, and count edges from 1.
#[test]
fn older_files_are_read() {
    let session = open("fischer-faulty.xml");
    let state = "0 0 0 0\n.\n.\n0\n.\n";
    let first = read_xtr(&session, &format!("{state}{state}0 0 ; .\n.\n")).unwrap();
    let same = read_xtr(&session, &format!("{state}{state}0 1\n.\n.\n")).unwrap();
    assert_eq!(first.steps, same.steps);
}

/// What the file of the compiled model refers to is there.
#[test]
fn compiled_models_are_consistent() {
    for name in ["fischer.xml", "train-gate.xml", "vending-machine.xml", "oven.xta", "fischer-3.tck"] {
        let session = open(name);
        let text = to_if(&session);
        let section = |title: &str| -> Vec<Vec<String>> {
            let body = text.split(&format!("{title}\n#")).nth(1).unwrap_or_else(|| panic!("{name}: {title}"));
            let lines = body.lines().skip(1).take_while(|line| !line.is_empty());
            lines
                .filter(|line| !line.starts_with('#'))
                .map(|line| line.split(':').map(str::to_owned).collect())
                .collect()
        };
        let (cells, edges, expressions) = (section("layout"), section("edges"), section("expressions"));
        assert!(cells.iter().enumerate().all(|(index, cell)| cell[0] == index.to_string()), "{name}");
        let number = |word: &String| word.parse::<usize>().unwrap();
        for edge in &edges {
            assert!(cells[number(&edge[1])][1] == "location" && cells[number(&edge[2])][1] == "location");
            assert!(edge[3..].iter().all(|address| number(address) < expressions.len()), "{name}");
        }
        assert_eq!(section("processes").len(), session.network().processes.len());
    }
}
