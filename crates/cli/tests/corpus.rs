//! Random runs of all available models follow the semantics.
//!
//! The rules are checked from the outside, from the network's own guards and invariants, not by asking the simulator again.

mod common;

use common::models;
use guidepost_language::load_file;
use guidepost_network::interpreter::{
    Interpreter, Rational, ReplayStep, Run, RunStep, State, TransitionKind, replay, simulate,
};
use guidepost_network::{Edge, Goal, LocationId, LocationKind, Network, Sync, build};
use std::path::Path;

const STEPS: usize = 30;
const SEEDS: u64 = 2;
/// Interpreting very large networks is slow, and they have no constructs that smaller ones do not have.
const MOST_EDGES: usize = 10_000;

#[test]
fn random_runs_keep_the_rules() {
    let mut steps = 0;
    for path in models() {
        let loaded = load_file(&path);
        if loaded.diagnostics.has_errors() {
            continue;
        }
        let Some(network) = build(&loaded.model).0 else { continue };
        if network.edges.len() > MOST_EDGES {
            continue;
        }
        for seed in 0..SEEDS {
            let run = simulate(&network, seed, STEPS);
            follow(&path, &network, &run);
            steps += run.steps.len();
        }
    }
    assert!(steps > 100, "the runs have steps");
}

fn follow(path: &Path, network: &Network, run: &Run) {
    let mut rules = Rules { path, network, interpreter: Interpreter::new(network) };
    let mut state = &run.initial;
    for step in &run.steps {
        rules.check(state, step);
        state = &step.state;
    }
    let steps: Vec<ReplayStep> = run
        .steps
        .iter()
        .map(|step| ReplayStep { delay: step.delay, edges: step.transition.edges.clone() })
        .collect();
    if !steps.is_empty() {
        let replayed = replay(network, &steps).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(replayed.last().map(|step| &step.after), Some(state), "{}", path.display());
    }
}

struct Rules<'a> {
    path: &'a Path,
    network: &'a Network,
    interpreter: Interpreter<'a>,
}

impl Rules<'_> {
    fn check(&mut self, state: &State, step: &RunStep) {
        let name = self.path.display();
        let network = self.network;
        let kind = |location: &LocationId| network.locations[location.index()].kind;
        let timeless = state.locations.iter().any(|location| kind(location) != LocationKind::Normal);
        assert!(!timeless || step.delay == Rational::ZERO, "{name}: time passes where it may not");
        assert!(!step.delay.is_negative(), "{name}: time goes backwards");
        let waited = self.interpreter.delay(state, step.delay).unwrap();
        assert!(self.interpreter.invariants_hold(&waited).unwrap(), "{name}: an invariant is waited out");

        let edges: Vec<&Edge> = step.transition.edges.iter().map(|id| &network.edges[id.index()]).collect();
        for edge in &edges {
            assert_eq!(state.locations[edge.process.index()], edge.source, "{name}: an edge of elsewhere");
            let guard =
                Goal { data: edge.data_guard.clone(), clocks: edge.clock_guard.clone(), ..Goal::default() };
            assert!(self.interpreter.satisfies(&waited, &guard).unwrap(), "{name}: a guard does not hold");
            assert_eq!(step.state.locations[edge.process.index()], edge.target, "{name}: a wrong target");
        }
        let committed = |location: &LocationId| kind(location) == LocationKind::Committed;
        if state.locations.iter().any(committed) {
            assert!(edges.iter().any(|edge| committed(&edge.source)), "{name}: committed is left first");
        }
        self.synchronisation(step, &edges);
        self.after(state, step, &edges);
    }

    fn synchronisation(&self, step: &RunStep, edges: &[&Edge]) {
        let name = self.path.display();
        let sends = edges.iter().filter(|edge| matches!(edge.sync, Sync::Send(_))).count();
        let receives = edges.iter().filter(|edge| matches!(edge.sync, Sync::Receive(_))).count();
        match step.transition.kind {
            TransitionKind::Internal => assert_eq!((edges.len(), sends, receives), (1, 0, 0), "{name}"),
            TransitionKind::Channel(id) if self.network.channels[id.index()].broadcast => {
                assert_eq!((sends, receives), (1, edges.len() - 1), "{name}");
            }
            TransitionKind::Channel(_) => assert_eq!((edges.len(), sends, receives), (2, 1, 1), "{name}"),
            TransitionKind::Vector(_) => assert_eq!((sends, receives), (0, 0), "{name}"),
        }
        let mut processes: Vec<_> = edges.iter().map(|edge| edge.process).collect();
        processes.sort_unstable();
        processes.dedup();
        assert_eq!(processes.len(), edges.len(), "{name}: a process moves twice");
    }

    fn after(&mut self, before: &State, step: &RunStep, edges: &[&Edge]) {
        let name = self.path.display();
        let after = &step.state;
        assert!(self.interpreter.invariants_hold(after).unwrap(), "{name}: an invariant does not hold");
        for (value, variable) in after.variables.iter().zip(&self.network.variables) {
            assert!((variable.min..=variable.max).contains(value), "{name}: {} = {value}", variable.name);
        }
        assert!(after.clocks.iter().all(|clock| !clock.is_negative()), "{name}: a negative clock");
        assert_eq!(after.clocks[0], Rational::ZERO, "{name}: zero is not zero");
        for (process, location) in before.locations.iter().enumerate() {
            let moves = edges.iter().any(|edge| edge.process.index() == process);
            assert!(moves || after.locations[process] == *location, "{name}: a bystander moves");
        }
    }
}
