//! Random runs keep the rules: invariants, committed locations, urgency, ranges; and they replay.

mod common;

use common::r;
use guidepost_network::interpreter::{Failure, Interpreter, ReplayStep, RunEnd, replay, simulate};
use guidepost_network::{LocationKind, Network, build};
use std::path::Path;

fn models() -> Vec<(String, Network)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut models = Vec::new();
    for path in files {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        if matches!(extension, "xml" | "xta" | "ta" | "tck") {
            let loaded = guidepost_language::load_file(&path);
            if let (Some(network), _) = build(&loaded.model) {
                models.push((path.display().to_string(), network));
            }
        }
    }
    assert!(models.len() > 5);
    models
}

#[test]
fn random_runs_keep_the_rules_and_replay() {
    for (name, network) in models() {
        for seed in 0..8 {
            let run = simulate(&network, seed, 60);
            if let RunEnd::Failure(Failure::Evaluation(error)) = &run.end {
                panic!("{name}: {}", error.describe(&network));
            }
            let mut interpreter = Interpreter::new(&network);
            let mut state = run.initial.clone();
            for step in &run.steps {
                let committed = |location: &guidepost_network::LocationId| {
                    network.locations[location.index()].kind == LocationKind::Committed
                };
                let still = state
                    .locations
                    .iter()
                    .any(|location| network.locations[location.index()].kind != LocationKind::Normal);
                assert!(
                    !still || step.delay == r("0"),
                    "{name}: time passes in an urgent or committed location"
                );
                if state.locations.iter().any(committed) {
                    let sources = step.transition.edges.iter().map(|edge| network.edges[edge.index()].source);
                    assert!(
                        sources.into_iter().any(|source| committed(&source)),
                        "{name}: committed is left first"
                    );
                }
                state = step.state.clone();
                assert!(interpreter.invariants_hold(&state).unwrap(), "{name}: invariants hold");
                for (value, variable) in state.variables.iter().zip(&network.variables) {
                    assert!((variable.min..=variable.max).contains(value), "{name}: {}", variable.name);
                }
                assert!(state.clocks.iter().all(|clock| !clock.is_negative()));
            }
            let steps: Vec<ReplayStep> = run
                .steps
                .iter()
                .map(|step| ReplayStep { delay: step.delay, edges: step.transition.edges.clone() })
                .collect();
            let replayed = replay(&network, &steps).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(replayed.last().map(|step| &step.after), run.steps.last().map(|step| &step.state));
        }
    }
}

#[test]
fn a_seed_fixes_the_run() {
    for (name, network) in models() {
        assert_eq!(simulate(&network, 7, 30), simulate(&network, 7, 30), "{name}");
    }
}
