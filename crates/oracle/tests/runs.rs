//! The interpreter against the region graph and the zone graph, along random runs.
//!
//! At every state of a run the interpreter and the region graph must agree on the enabled transitions and on how much time may pass, and the run must be
//! possible in the zone graph with exact zones.

mod common;

use common::{Mismatch, Plan, Subject, common_denominator, find, hunt};
use guidepost_explore::{Explorer, SymbolicState, ZoneAbstraction};
use guidepost_network::EdgeId;
use guidepost_network::interpreter::{Interpreter, Random, Rational, RunEnd, State};
use guidepost_oracle::Profile;
use guidepost_oracle::generate::QueryKind;
use guidepost_oracle::regions::Delay;
use std::ops::ControlFlow;

#[test]
fn runs() {
    let plan = Plan {
        first: 50_000_000,
        networks: 4000,
        kind: QueryKind::Reachability,
        queries: 0,
        profile: Profile::of,
    };
    hunt(&plan, &|subject| {
        for round in 0..3 {
            walk(subject, subject.seed + round).map_err(|message| Mismatch::new(None, message))?;
        }
        Ok(())
    });
}

const STEPS: usize = 12;

fn walk(subject: &Subject<'_>, seed: u64) -> Result<(), String> {
    let mut interpreter = Interpreter::new(subject.network);
    let mut random = Random::new(seed);
    let mut state = interpreter.initial();
    let holds = interpreter.invariants_hold(&state).map_err(|error| error.to_string())?;
    if holds == subject.graph.is_empty() {
        return Err(format!("the initial state: interpreter {holds}, {} regions", subject.graph.len()));
    }
    if !holds {
        return Ok(());
    }
    let mut explorer = Explorer::new(subject.network, &[], ZoneAbstraction::REACHABILITY)
        .map_err(|error| error.to_string())?;
    let mut symbolic = Vec::new();
    explorer.initial(&mut |state| symbolic.push(state.clone())).map_err(|failure| failure.to_string())?;
    for _ in 0..STEPS {
        agree(subject, &mut interpreter, &state)?;
        let step = match interpreter.random_step(&state, &mut random) {
            Ok(Ok(step)) => step,
            Ok(Err(end)) => return ended(subject, &state, &end),
            Err(failure) if subject.graph.failures.is_empty() => {
                return Err(format!("interpreter: {failure}"));
            }
            Err(_) => return Ok(()),
        };
        let before = interpreter.delay(&state, step.delay).map_err(|error| error.to_string())?;
        agree(subject, &mut interpreter, &before)?;
        symbolic = follow(&mut explorer, &symbolic, &before, &step.transition.edges, &step.state)?;
        state = step.state;
        if symbolic.is_empty() {
            return Ok(());
        }
    }
    Ok(())
}

/// The same transitions now, and the same time to wait for.
fn agree(subject: &Subject<'_>, interpreter: &mut Interpreter<'_>, state: &State) -> Result<(), String> {
    let graph = subject.graph;
    let here = find(subject, state).ok_or_else(|| format!("not in the region graph: {state:?}"))?;
    match interpreter.enabled(state) {
        Ok(enabled) => {
            let mut enabled: Vec<Vec<EdgeId>> =
                enabled.into_iter().map(|transition| transition.edges).collect();
            let mut expected: Vec<Vec<EdgeId>> =
                graph.actions(here).iter().map(|action| action.edges.clone()).collect();
            enabled.sort();
            expected.sort();
            if enabled != expected && graph.failures.is_empty() {
                return Err(format!("interpreter {enabled:?}, regions {expected:?} in {state:?}"));
            }
        }
        Err(failure) if graph.failures.is_empty() => return Err(format!("interpreter: {failure}")),
        Err(_) => return Ok(()),
    }
    let limit = interpreter.max_delay(state).map_err(|error| error.to_string())?;
    let mut last = here;
    while let Delay::To(next) = graph.delay(last) {
        last = next;
    }
    let (is_forever, got_forever) = (graph.delay(last) == Delay::Forever, limit.is_none());
    if is_forever != got_forever && !graph.has_exact_clocks() {
        return Err(format!("time: interpreter {limit:?}, regions {:?} in {state:?}", graph.delay(last)));
    }
    let Some((longest, strict)) = limit else { return Ok(()) };
    let wait =
        if strict { longest.midpoint(Rational::ZERO).map_err(|error| error.to_string())? } else { longest };
    let later = interpreter.delay(state, wait).map_err(|error| error.to_string())?;
    let arrived =
        find(subject, &later).ok_or_else(|| format!("waiting {wait} leaves the region graph: {state:?}"))?;
    if !strict && arrived != last {
        return Err(format!("time ends after {longest}, but regions go on in {state:?}"));
    }
    Ok(())
}

/// A run that ends is at a state from which no transition is possible any more.
fn ended(subject: &Subject<'_>, state: &State, end: &RunEnd) -> Result<(), String> {
    let here = find(subject, state).ok_or("the run ends outside the region graph")?;
    let is_dead = subject.graph.deadlocked()[here as usize];
    match end {
        RunEnd::Deadlock | RunEnd::TimeLock if !is_dead => {
            Err(format!("{end:?}, but not in the region graph: {state:?}"))
        }
        _ => Ok(()),
    }
}

/// The symbolic states that a step leads to. There must be some, and they must contain the step, unless the model fails.
fn follow(
    explorer: &mut Explorer<'_>,
    from: &[SymbolicState],
    before: &State,
    edges: &[EdgeId],
    after: &State,
) -> Result<Vec<SymbolicState>, String> {
    let (mut next, mut fails) = (Vec::new(), false);
    for state in from.iter().filter(|state| contains(state, before)) {
        let mut visit = |target: &SymbolicState, taken: &[EdgeId]| {
            if taken == edges && contains(target, after) {
                next.push(target.clone());
            }
            ControlFlow::Continue(())
        };
        // The zone may contain a valuation in which another transition fails; then the expansion ends there.
        fails |= explorer.expand(state, &mut visit).is_err();
    }
    if next.is_empty() && !fails {
        return Err(format!("zones do not follow {edges:?} from {before:?} to {after:?}"));
    }
    Ok(next)
}

fn contains(symbolic: &SymbolicState, state: &State) -> bool {
    let locations = state.locations.iter().map(|location| location.0 as i32);
    let same = locations.chain(state.variables.iter().copied()).eq(symbolic.cells.iter().copied());
    let (values, denominator) = common_denominator(&state.clocks);
    let point: Vec<i64> = symbolic.clocks.iter().map(|&clock| values[clock as usize]).collect();
    same && symbolic.zone.contains(&point, denominator)
}

/// A weak participant of a vector stays out only where it has no edge on the vector; a guard that does not hold blocks the vector.
#[test]
fn vectors() {
    let text = "system:s\nevent:go\nevent:tau\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\nlocation:P:B{}\nedge:P:A:B:go{}\n\
        process:Q\nlocation:Q:A{initial:}\nlocation:Q:B{}\nlocation:Q:C{}\nedge:Q:A:B:go{provided:x>1}\nedge:Q:A:C:tau{}\nsync:P@go:Q@go?\n";
    let loaded = guidepost_language::load_text("model.tck", text);
    let network = guidepost_network::build(&loaded.model).0.expect("the model is right");
    let limits = guidepost_oracle::regions::Limits { states: 1000, constant: 9 };
    let graph = guidepost_oracle::explore(&network, &[], &[], limits).expect("the model is small");
    for seed in 0..20 {
        let subject = Subject { network: &network, queries: &[], graph: &graph, seed };
        if let Err(message) = walk(&subject, seed) {
            panic!("{message}");
        }
    }
}
