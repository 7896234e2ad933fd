//! Estimates against exact distances, and directed searches against the verdicts of the region graph.

use super::textbook::Textbook;
use super::{Mismatch, Subject};
use guidepost_answer::{Engine, Limits, RunKind, Verdict};
use guidepost_explore::{Explorer, Extrapolation, SymbolicState, ZoneAbstraction};
use guidepost_heuristics::{Estimate, Heuristic, HeuristicSpec, Preparation};
use guidepost_network::Goal;
use guidepost_oracle::regions::Delay;
use guidepost_search::{Algorithm, Configuration, Directed, GoalTest, Strategy, Ties, Zones};
use guidepost_verify::Settings;
use std::collections::BTreeMap;

/// What a reachability query looks for, and whether finding it means that the query holds.
fn wanted<'q>(subject: &'q Subject<'_>, index: usize) -> Option<(&'q [Goal], bool)> {
    subject.queries[index].question.target()
}

/// By state: the smallest number of transitions to a goal; time passes for free.
fn distances(subject: &Subject<'_>, goals: &[Goal]) -> Vec<Option<u32>> {
    let graph = subject.graph;
    let is_goal = graph.satisfying_any(goals).expect("queries do not fail");
    let mut before: Vec<Vec<(u32, u32)>> = vec![Vec::new(); graph.len()];
    for state in 0..graph.len() as u32 {
        if let Delay::To(next) = graph.delay(state) {
            before[next as usize].push((state, 0));
        }
        for action in graph.actions(state) {
            before[action.target as usize].push((state, 1));
        }
    }
    let mut distances: Vec<Option<u32>> = is_goal.iter().map(|&goal| goal.then_some(0)).collect();
    let mut layer: Vec<u32> = (0..graph.len() as u32).filter(|&state| is_goal[state as usize]).collect();
    let mut depth = 0;
    while !layer.is_empty() {
        let mut next = Vec::new();
        while let Some(state) = layer.pop() {
            if distances[state as usize] != Some(depth) {
                continue;
            }
            for &(from, cost) in &before[state as usize] {
                if distances[from as usize].is_none_or(|known| known > depth + cost) {
                    distances[from as usize] = Some(depth + cost);
                    if cost == 0 { layer.push(from) } else { next.push(from) }
                }
            }
        }
        layer = next;
        depth += 1;
    }
    distances
}

/// Admissible estimates never exceed the distance, and whoever sees a dead end is right.
pub(crate) fn check_estimates(subject: &Subject<'_>) -> Result<(), Mismatch> {
    check_all(subject, &specimens())
}

/// The same for those that take a network apart into labels, alone: for long runs.
pub(crate) fn check_label_estimates(subject: &Subject<'_>) -> Result<(), Mismatch> {
    let names =
        ["lmcut", "lm", "cartesian", "cartesian(states=5)", "te", "te(k=40)", "ms", "max(lmcut,cartesian)"];
    check_all(subject, &names.map(|name| name.parse().expect("a heuristic")))
}

fn check_all(subject: &Subject<'_>, specs: &[HeuristicSpec]) -> Result<(), Mismatch> {
    for index in 0..subject.queries.len() {
        let Some((goals, _)) = wanted(subject, index) else { continue };
        let distances = distances(subject, goals);
        let mut nearest: BTreeMap<&[i32], Option<u32>> = BTreeMap::new();
        for state in 0..subject.graph.len() as u32 {
            let distance = distances[state as usize];
            let known = nearest.entry(subject.graph.cells(state)).or_insert(distance);
            *known = [*known, distance].into_iter().flatten().min();
        }
        let fail = |message| Mismatch::new(Some(index), message);
        let mut state = any_state(subject, goals);
        let mut bound: Vec<(HeuristicSpec, Box<dyn Heuristic + '_>)> =
            specs.iter().map(|spec| (spec.clone(), bind(spec, subject, goals))).collect();
        let mut textbook = Textbook::new(subject.network, goals);
        for (cells, distance) in nearest {
            state.cells.copy_from_slice(cells);
            let mut of = BTreeMap::new();
            for (spec, heuristic) in &mut bound {
                if !heuristic.is_discrete() {
                    continue;
                }
                let estimate = heuristic.estimate(&state);
                of.insert(spec.to_string(), estimate);
                judge(spec, estimate, distance).map_err(|message| fail(format!("{message} in {cells:?}")))?;
            }
            if let (Some(&hl), Some(&hu)) = (of.get("hl"), of.get("hu")) {
                compare_with_textbook(&mut textbook, cells, hl, hu).map_err(fail)?;
            }
        }
    }
    Ok(())
}

/// One of each kind.
fn specimens() -> Vec<HeuristicSpec> {
    let names = [
        "none",
        "hamming",
        "dl",
        "du",
        "hl",
        "hu",
        "hlx",
        "lmcut",
        "lm",
        "coi(d=0)",
        "coi(d=1)",
        "rd",
        "dpr",
        "max(hl,rd)",
        "add(coi(d=0),rd)",
        "scp(coi(d=0),rd,dpr)",
        "pa",
        "pa(b=1)",
        "pa(sum)",
        "pa(predicates=ar)",
        "ms",
        "ms(n=1)",
        "ms(n=4)",
        "ms(n=20)",
        "cartesian",
        "cartesian(states=5)",
        "cartesian(clocks=false)",
        "te",
        "te(k=1)",
        "te(k=40)",
        "max(lmcut,cartesian)",
        "coverage",
        "interleaving",
        "user",
    ];
    names.iter().map(|name| name.parse().expect("a heuristic")).collect()
}

/// Pattern databases of some symbols of the network.
fn patterns(subject: &Subject<'_>) -> Vec<HeuristicSpec> {
    let mut random = guidepost_oracle::random::Random::new(subject.seed);
    let mut names = super::abstractions::names(subject.network);
    names.retain(|_| random.chance(50));
    let rest = names.split_off(names.len() / 2);
    let mut specs: Vec<HeuristicSpec> =
        [names, rest].into_iter().filter(|names| !names.is_empty()).map(HeuristicSpec::Pattern).collect();
    if !specs.is_empty() {
        let all = specs.clone();
        specs.extend([HeuristicSpec::Additive(all.clone()), HeuristicSpec::Saturated(all)]);
    }
    specs
}

fn bind<'n>(spec: &HeuristicSpec, subject: &Subject<'n>, goals: &[Goal]) -> Box<dyn Heuristic + 'n> {
    spec.bind(subject.network, goals, &mut Preparation::default())
}

/// An estimate that looks at zones never exceeds the distance of a symbolic state, and is right about dead ends: all states of the zone graph, explored exactly.
pub(crate) fn check_zone_estimates(subject: &Subject<'_>) -> Result<(), Mismatch> {
    let mut specs = specimens();
    specs.extend(patterns(subject));
    check_zones(subject, &specs)
}

/// The same for lower bounds of clocks, alone: for long runs.
pub(crate) fn check_clock_bound_estimates(subject: &Subject<'_>) -> Result<(), Mismatch> {
    let names = [
        "cartesian",
        "cartesian(states=5)",
        "cartesian(states=30)",
        "max(cartesian,cartesian(clocks=false))",
    ];
    check_zones(subject, &names.map(|name| name.parse().expect("a heuristic")))
}

fn check_zones(subject: &Subject<'_>, specs: &[HeuristicSpec]) -> Result<(), Mismatch> {
    let abstraction = ZoneAbstraction { extrapolation: Extrapolation::M, ..ZoneAbstraction::BISIMULATION };
    for index in 0..subject.queries.len() {
        let Some((goals, _)) = wanted(subject, index) else { continue };
        if goals.iter().any(|goal| goal.deadlock.is_some()) {
            continue;
        }
        let list: Vec<&Goal> = goals.iter().collect();
        let Ok(mut explorer) = Explorer::new(subject.network, &list, abstraction) else { return Ok(()) };
        let Some((states, next)) = zone_graph(&mut explorer) else { continue };
        let mut test = GoalTest::new(subject.network);
        let is_goal = |state: &SymbolicState| test.find(goals, state).is_ok_and(|found| found.is_some());
        let goal: Vec<bool> = states.iter().map(is_goal).collect();
        let mut distance: Vec<Option<u32>> = goal.iter().map(|&goal| goal.then_some(0)).collect();
        for round in 1..=states.len() as u32 {
            let before = distance.clone();
            for state in 0..states.len() {
                if before[state].is_none() && next[state].iter().any(|&to| before[to].is_some()) {
                    distance[state] = Some(round);
                }
            }
            if before == distance {
                break;
            }
        }
        for spec in specs {
            let mut heuristic = bind(spec, subject, goals);
            for (state, distance) in states.iter().zip(&distance) {
                judge(spec, heuristic.estimate(state), *distance).map_err(|message| {
                    Mismatch::new(Some(index), format!("{message} in {:?} {}", state.cells, state.zone))
                })?;
            }
        }
    }
    Ok(())
}

/// All states of the zone graph, without any subsumption, and their successors; nothing when there are many or the model fails.
fn zone_graph(explorer: &mut Explorer<'_>) -> Option<(Vec<SymbolicState>, Vec<Vec<usize>>)> {
    const MOST: usize = 60;
    let mut states: Vec<SymbolicState> = Vec::new();
    let mut next: Vec<Vec<usize>> = Vec::new();
    explorer.initial(&mut |state| states.push(state.clone())).ok()?;
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        let mut successors = Vec::new();
        let visit = &mut |state: &SymbolicState, _: &[guidepost_network::EdgeId]| {
            successors.push(state.clone());
            std::ops::ControlFlow::Continue(())
        };
        explorer.expand(&state, visit).ok()?;
        let mut targets = Vec::new();
        for successor in successors {
            let same = |known: &SymbolicState| known.cells == successor.cells && known.zone == successor.zone;
            targets.push(states.iter().position(same).unwrap_or_else(|| {
                states.push(successor.clone());
                states.len() - 1
            }));
        }
        next.push(targets);
        at += 1;
        if states.len() > MOST {
            return None;
        }
    }
    Some((states, next))
}

fn judge(spec: &HeuristicSpec, estimate: Estimate, distance: Option<u32>) -> Result<(), String> {
    match (estimate.as_steps(), distance) {
        (None, Some(distance)) => Err(format!("{spec} sees a dead end {distance} steps from the goal")),
        (Some(steps), Some(distance)) if spec.properties().admissible && steps > distance => {
            Err(format!("{spec} says {steps}, the goal is {distance} steps away"))
        }
        _ => Ok(()),
    }
}

fn compare_with_textbook(
    textbook: &mut Textbook<'_>,
    cells: &[i32],
    hl: Estimate,
    hu: Estimate,
) -> Result<(), String> {
    let (layers, is_exact) = textbook.layers(cells);
    let layers = layers.map_or(Estimate::DEAD_END, Estimate::steps);
    if hl > layers || (is_exact && hl != layers) {
        return Err(format!("hl is {hl}, by the textbook {layers}, in {cells:?}"));
    }
    if hu < hl || hu.is_dead_end() != hl.is_dead_end() {
        return Err(format!("hu is {hu}, but hl is {hl}, in {cells:?}"));
    }
    Ok(())
}

/// A state of the right shape.
fn any_state(subject: &Subject<'_>, goals: &[Goal]) -> SymbolicState {
    let goals: Vec<&Goal> = goals.iter().collect();
    let abstraction = ZoneAbstraction { approximate_stopwatches: true, ..ZoneAbstraction::REACHABILITY };
    let explorer = Explorer::new(subject.network, &goals, abstraction).expect("the network is supported");
    explorer.source().clone()
}

/// Every search finds the right verdict, and those that promise it a shortest run.
pub(crate) fn check_directed(subject: &Subject<'_>) -> Result<(), Mismatch> {
    for directed in searches(subject.seed) {
        let name = format!("{} with {}", directed.search_name(), directed.heuristic_name());
        let is_optimal = directed.is_optimal();
        let limits = Limits { states: Some(20_000), ..Limits::default() };
        let strategy = Strategy::Directed(directed);
        let configuration = Configuration {
            strategy,
            run: if is_optimal { RunKind::Shortest } else { RunKind::Any },
            limits,
            ..Configuration::default()
        };
        compare(subject, &Zones { configuration }, is_optimal)
            .map_err(|mismatch| Mismatch::new(mismatch.query, format!("{name}: {}", mismatch.message)))?;
    }
    Ok(())
}

/// The search that chooses for itself is right, too; with shortest runs where they were asked for.
pub(crate) fn check_auto(subject: &Subject<'_>) -> Result<(), Mismatch> {
    for shortest in [false, true] {
        let limits = Limits { states: Some(20_000), ..Limits::default() };
        let run = if shortest { RunKind::Shortest } else { RunKind::Any };
        let settings = Settings { run, limits, ..Settings::default() };
        compare(subject, settings.engine().as_ref(), shortest)?;
    }
    Ok(())
}

/// What random walks find is there.
pub(crate) fn check_walks(subject: &Subject<'_>) -> Result<(), Mismatch> {
    let engine = "walk(walks=20,length=12)".parse().expect("an engine");
    let settings = Settings { engine, run: RunKind::Any, seed: subject.seed, ..Settings::default() };
    compare(subject, settings.engine().as_ref(), false)
}

fn compare(subject: &Subject<'_>, engine: &dyn Engine, is_optimal: bool) -> Result<(), Mismatch> {
    let answers = engine
        .answers(subject.network, subject.queries)
        .map_err(|unsupported| Mismatch::new(None, unsupported.to_string()))?;
    for (index, answer) in answers.iter().enumerate() {
        let Some((goals, found_means)) = wanted(subject, index) else { continue };
        let fail = |message: String| Err(Mismatch::new(Some(index), message));
        let states = subject.graph.satisfying_any(goals).expect("queries do not fail");
        let distance = subject.graph.distance(&states);
        if let Some(internal) = &answer.internal {
            return fail(format!("internal error: {internal}"));
        }
        // A search that goes elsewhere may or may not meet the failure.
        let may_fail = subject.graph.failure_layer().is_some();
        if answer.model_error().is_some() && may_fail {
            continue;
        }
        // Without a store, a search may visit the same states over and over until its limit; walks see only a part of them.
        if answer.verdict() == Verdict::Undecided && matches!(answer.method.search, "ida" | "walk") {
            continue;
        }
        let holds = distance.is_some() == found_means;
        let expected = if holds { Verdict::Satisfied } else { Verdict::NotSatisfied };
        if answer.verdict() != expected {
            return fail(format!(
                "{:?} ({:?}), expected {expected:?}",
                answer.verdict(),
                answer.stop_reason()
            ));
        }
        if let (Some(evidence), Some(distance)) = (&answer.evidence, distance) {
            let length = evidence.length() as u32;
            if length < distance || (is_optimal && !may_fail && length != distance) {
                return fail(format!("a run of {length} transitions; the shortest has {distance}"));
            }
            if is_optimal != evidence.optimal {
                return fail(format!("says optimal: {}", evidence.optimal));
            }
        }
    }
    Ok(())
}

/// Some of all combinations, others for every network.
fn searches(seed: u64) -> Vec<Directed> {
    let algorithms = [
        Algorithm::Greedy,
        Algorithm::AStar,
        Algorithm::WeightedAStar(2.0),
        Algorithm::UselessTransitions,
        Algorithm::IterativeDeepening,
        Algorithm::Beam(2),
        Algorithm::Alternating,
        Algorithm::Novelty,
        Algorithm::TypeBased,
        Algorithm::EpsilonGreedy(0.3),
        Algorithm::HillClimbing,
    ];
    let mut all = Vec::new();
    for algorithm in algorithms {
        for spec in specimens() {
            if algorithm == Algorithm::UselessTransitions && !spec.properties().masks_edges {
                continue;
            }
            let plain = Directed::new(algorithm, spec.clone());
            all.push(Directed { ties: Ties::Random(seed), ..plain.clone() });
            if algorithm == Algorithm::Greedy || algorithm == Algorithm::Alternating {
                let heuristics = vec![HeuristicSpec::Solution, spec.clone()];
                let heuristics = if algorithm == Algorithm::Alternating { heuristics } else { vec![spec] };
                all.push(Directed { heuristics: heuristics.clone(), deferred: true, ..plain.clone() });
                all.push(Directed { heuristics: heuristics.clone(), preferred: true, ..plain.clone() });
                all.push(Directed { heuristics, preferred: true, deferred: true, ..plain.clone() });
            }
            all.push(plain);
        }
    }
    let start = seed as usize * 7;
    (0..6).map(|place| all[(start + place * 11) % all.len()].clone()).collect()
}
