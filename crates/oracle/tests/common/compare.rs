//! One comparison per question: what an engine answers against what the region graph says.

use super::{HORIZON, Mismatch, Subject, find};
use guidepost_answer::{
    Answer, Engine, Evidence, Limits, Outcome, Reductions, RunKind, Unsupported, Verdict,
};
use guidepost_cluster::{Cluster, Team, Workers};
use guidepost_explore::{Explorer, Extrapolation, Subsumption, SymbolicState, ZoneAbstraction};
use guidepost_language::model::BoundKind;
use guidepost_network::{BoundItem, ClockId, EdgeId, Goal, Question};
use guidepost_oracle::regions::Extreme;
use guidepost_refinement::Hidden;
use guidepost_search::{Configuration, End, Order, Part, Search, Strategy, Watcher, Zones, survey};
use guidepost_verify::Settings;
use std::collections::BTreeSet;

/// Verdicts, shortest lengths and runs, under two of the sound abstractions.
pub(crate) fn check_reachability(subject: &Subject<'_>) -> Result<(), Mismatch> {
    let shortest = Configuration { run: RunKind::Shortest, ..limited() };
    let others = configurations(subject.seed);
    for (name, configuration) in std::iter::once(("default".to_owned(), shortest)).chain(others) {
        for (index, answer) in answer(subject, &configuration)?.iter().enumerate() {
            compare_reachability(subject, index, answer, configuration.is_shortest())
                .map_err(|message| Mismatch::new(Some(index), format!("{name}: {message}")))?;
        }
    }
    Ok(())
}

/// Verdicts and runs of engines by their names.
pub(crate) fn check_engines(subject: &Subject<'_>, engines: &[&str]) -> Result<(), Mismatch> {
    let limits = Limits { states: Some(20_000), ..Limits::default() };
    // Diagrams also keep zones that are widened in another way.
    let widened =
        engines.iter().filter(|name| name.starts_with("cdd")).map(|name| (name, Some(Extrapolation::M)));
    for (name, extrapolation) in engines.iter().map(|name| (name, None)).chain(widened) {
        let engine = name.parse().expect("an engine");
        let settings = Settings {
            engine,
            run: RunKind::Any,
            limits: limits.clone(),
            extrapolation,
            ..Settings::default()
        };
        let answers = settings.engine().answers(subject.network, subject.queries);
        let answers = answers.map_err(|unsupported| Mismatch::new(None, format!("{name}: {unsupported}")))?;
        for (index, answer) in answers.iter().enumerate() {
            // A proof by hiding, or by keeping few values, need not meet the errors of a model.
            let hides = ["combined", "eager", "hidden"].iter().any(|hiding| name.starts_with(hiding))
                || name.contains("data=values");
            if subject.graph.failure_layer().is_some() && hides {
                continue;
            }
            compare_reachability(subject, index, answer, false)
                .map_err(|message| Mismatch::new(Some(index), format!("{name}: {message}")))?;
        }
    }
    Ok(())
}

/// Verdicts and runs of refinement that is paused over and over again: each turn may do a quarter more than all before it.
pub(crate) fn check_turns(subject: &Subject<'_>) -> Result<(), Mismatch> {
    // A proof by hiding need not meet the errors of a model.
    if subject.graph.failure_layer().is_some() {
        return Ok(());
    }
    for (index, query) in subject.queries.iter().enumerate() {
        let Some((goals, holds_if_found)) = query.question.target() else { continue };
        let fail = |message: String| Mismatch::new(Some(index), format!("hidden in turns: {message}"));
        let hidden = Hidden { run: RunKind::Any, ..Hidden::default() };
        let turns = hidden.turns(subject.network, goals, holds_if_found, index);
        let mut turns = turns.map_err(|unsupported| fail(unsupported.to_string()))?;
        let mut effort = 1000;
        let answer = loop {
            let turn = turns.advance(&Limits::default(), effort, &mut |_| {});
            match turn.map_err(|unsupported| fail(unsupported.to_string()))? {
                Some(answer) => break answer,
                None => effort += effort / 4,
            }
        };
        compare_reachability(subject, index, &answer, false).map_err(fail)?;
    }
    Ok(())
}

/// The same answers from several threads: verdicts, shortest lengths, and where all is explored the numbers that do not depend on who came first.
pub(crate) fn check_threads(subject: &Subject<'_>) -> Result<(), Mismatch> {
    for threads in [2, 3] {
        for shortest in [true, false] {
            let alone =
                Configuration { run: if shortest { RunKind::Shortest } else { RunKind::Any }, ..limited() };
            let together = Configuration { threads, ..alone.clone() };
            let others = answer(subject, &alone)?;
            for (index, answer) in answer(subject, &together)?.iter().enumerate() {
                let fail = |message| {
                    Mismatch::new(Some(index), format!("{threads} threads, shortest {shortest}: {message}"))
                };
                compare_reachability(subject, index, answer, shortest).map_err(fail)?;
                compare_numbers(answer, &others[index]).map_err(fail)?;
            }
        }
        compare_state_spaces(subject, threads)
            .map_err(|message| Mismatch::new(None, format!("{threads} threads: {message}")))?;
    }
    Ok(())
}

/// The same answers from workers that share nothing and send each other states: verdicts, shortest lengths, runs, and where all is explored the discrete states.
pub(crate) fn check_workers(subject: &Subject<'_>) -> Result<(), Mismatch> {
    let workers = 2 + subject.seed as usize % 2;
    for shortest in [true, false] {
        let run = if shortest { RunKind::Shortest } else { RunKind::Any };
        let configuration = Configuration { run, ..limited() };
        let others = answer(subject, &configuration)?;
        let team = Team { workers: Workers::Threads(workers), ..Team::default() };
        let answers = Cluster { configuration, team }.answers(subject.network, subject.queries);
        let answers = answers.map_err(|unsupported| Mismatch::new(None, unsupported.to_string()))?;
        for (index, answer) in answers.iter().enumerate() {
            let fail = |message| {
                Mismatch::new(Some(index), format!("{workers} workers, shortest {shortest}: {message}"))
            };
            compare_reachability(subject, index, answer, shortest).map_err(fail)?;
            compare_numbers(answer, &others[index]).map_err(fail)?;
        }
    }
    Ok(())
}

/// Of a search that ended without a goal, every thread count finds the same discrete states.
fn compare_numbers(answer: &Answer, other: &Answer) -> Result<(), String> {
    if answer.evidence.is_some() || answer.model_error().is_some() || other.model_error().is_some() {
        return Ok(());
    }
    let (found, expected) = (answer.statistics.discrete, other.statistics.discrete);
    if found == expected { Ok(()) } else { Err(format!("{found} discrete states, expected {expected}")) }
}

/// With plain inclusion what remains stored are the largest zones, whichever came first. Not with `Extra+_M`, which may widen a zone beyond a larger one; and not
/// where zones are split, since pieces depend on the zone they are cut from.
fn compare_state_spaces(subject: &Subject<'_>, threads: usize) -> Result<(), String> {
    let alone = Configuration {
        extrapolation: Some(Extrapolation::M),
        subsumption: Some(Subsumption::Inclusion),
        ..limited()
    };
    let together = Configuration { threads, ..alone.clone() };
    let look = |configuration| {
        let surveyed = survey(subject.network, configuration, &mut |_| ());
        surveyed.map(|surveyed| surveyed.survey).map_err(|unsupported| unsupported.to_string())
    };
    let (one, many) = (look(&alone)?, look(&together)?);
    match (&one.outcome, &many.outcome) {
        (Outcome::Failed(_), Outcome::Failed(_)) => return Ok(()),
        (Outcome::Decided(()), Outcome::Decided(())) => {}
        (one, many) => return Err(format!("{many:?}, expected {one:?}")),
    }
    if (&one.reached, &one.taken, &one.ranges) != (&many.reached, &many.taken, &many.ranges) {
        return Err("other locations, edges or values".to_owned());
    }
    let may_split = {
        let network = subject.network;
        let broadcasts = network.channels.iter().any(|channel| channel.broadcast);
        network.features.priorities || network.features.diagonals || broadcasts
    };
    let (found, expected) = (many.statistics.stored, one.statistics.stored);
    if may_split || found == expected {
        Ok(())
    } else {
        Err(format!("{found} states stored, expected {expected}"))
    }
}

/// The same discrete states through the same transitions under every abstraction.
pub(crate) fn check_transitions(subject: &Subject<'_>) -> Result<(), Mismatch> {
    let abstractions = [
        ZoneAbstraction::REACHABILITY,
        ZoneAbstraction::BISIMULATION,
        ZoneAbstraction { extrapolation: Extrapolation::MPlus, ..ZoneAbstraction::BISIMULATION },
        ZoneAbstraction { extrapolation: Extrapolation::LuPlus, ..ZoneAbstraction::REACHABILITY },
    ];
    for abstraction in abstractions {
        compare_transitions(subject, abstraction)
            .map_err(|message| Mismatch::new(None, format!("{abstraction:?}: {message}")))?;
    }
    Ok(())
}

/// Goals with `deadlock`, in two orders.
pub(crate) fn check_deadlocks(subject: &Subject<'_>) -> Result<(), Mismatch> {
    let shortest = Configuration { run: RunKind::Shortest, ..limited() };
    let deep = Configuration { strategy: Strategy::Blind(Order::DepthFirst), run: RunKind::Any, ..limited() };
    let wide = Configuration { run: RunKind::Any, ..limited() };
    // Looking when states are stored, and when they have been expanded.
    for deadlock_trial in [limited().deadlock_trial, 0] {
        for configuration in [&shortest, &deep, &wide] {
            let configuration = Configuration { deadlock_trial, ..configuration.clone() };
            for (index, answer) in answer(subject, &configuration)?.iter().enumerate() {
                compare_reachability(subject, index, answer, configuration.is_shortest()).map_err(
                    |message| Mismatch::new(Some(index), format!("trial {deadlock_trial}: {message}")),
                )?;
            }
        }
        compare_halts(subject, deadlock_trial).map_err(|message| Mismatch::new(None, message))?;
    }
    compare_moves_at_once(subject).map_err(|message| Mismatch::new(None, message))
}

/// Discrete states whose expansion showed that they move at once, whatever clocks say.
#[derive(Default)]
struct MovesAtOnce {
    cells: Vec<Vec<i32>>,
    are_moving: BTreeSet<Vec<i32>>,
}

impl Watcher for MovesAtOnce {
    fn stored(&mut self, state: &SymbolicState, part: Part) -> Result<bool, guidepost_network::EvalError> {
        let (_, number) = part.0.expect("there is one store");
        if number as usize == self.cells.len() {
            self.cells.push(state.cells.clone());
        }
        Ok(false)
    }

    fn wants_expansions(&mut self) -> bool {
        true
    }

    fn expanded(&mut self, part: Part, moves_at_once: bool) -> bool {
        let (_, number) = part.0.expect("there is one store");
        if moves_at_once {
            self.are_moving.insert(self.cells[number as usize].clone());
        }
        false
    }
}

/// What moves at once has no deadlock, in whatever region.
fn compare_moves_at_once(subject: &Subject<'_>) -> Result<(), String> {
    let graph = subject.graph;
    if graph.failure_layer().is_some() {
        return Ok(());
    }
    let abstraction = limited().deadlocks(subject.network);
    let explorer = Explorer::new(subject.network, &[], abstraction).map_err(|error| error.to_string())?;
    let mut seen = MovesAtOnce::default();
    Search::new(explorer, Order::BreadthFirst, &limited().limits).run(&mut seen);
    let deadlocked = graph.deadlocked();
    let is_wrong = |&state: &u32| deadlocked[state as usize] && seen.are_moving.contains(graph.cells(state));
    match (0..graph.len() as u32).find(is_wrong) {
        None => Ok(()),
        Some(state) => Err(format!("{:?} moves at once, and is deadlocked", graph.cells(state))),
    }
}

/// A look at everything finds a deadlock exactly if there is one.
fn compare_halts(subject: &Subject<'_>, deadlock_trial: u32) -> Result<(), String> {
    let graph = subject.graph;
    if graph.failure_layer().is_some() || subject.network.features.stopwatches {
        return Ok(());
    }
    let configuration = Configuration { deadlock_trial, ..limited() };
    let refused = |unsupported: Unsupported| unsupported.to_string();
    let surveyed = survey(subject.network, &configuration, &mut |_| ()).map_err(refused)?;
    let halts = surveyed.halts.ok_or("deadlocks are not looked for")?;
    let halts = halts.finish(subject.network, &configuration, &configuration.limits, &mut |_| ());
    let halts = halts.map_err(refused)?.map_err(|error| error.to_string())?;
    let found = halts.deadlock.is_some() || halts.timelock.is_some();
    let expected = graph.distance(&graph.deadlocked()).is_some();
    if found == expected { Ok(()) } else { Err(format!("deadlocks: {found}, expected {expected}")) }
}

/// `E[]`, `A<>` and `-->`, with runs.
pub(crate) fn check_liveness(subject: &Subject<'_>) -> Result<(), Mismatch> {
    let configuration = Configuration { run: RunKind::Any, ..limited() };
    for (index, answer) in answer(subject, &configuration)?.iter().enumerate() {
        compare_liveness(subject, &subject.queries[index].question, answer)
            .map_err(|message| Mismatch::new(Some(index), message))?;
    }
    Ok(())
}

fn compare_liveness(subject: &Subject<'_>, question: &Question, answer: &Answer) -> Result<(), String> {
    let graph = subject.graph;
    if graph.failure_layer().is_some() {
        return Ok(());
    }
    let expected = match question {
        Question::PotentiallyAlways(p) => graph.potentially_always(p),
        Question::Eventually(p) => graph.eventually(p),
        Question::LeadsTo(p, q) => graph.leads_to(p, q),
        _ => return Ok(()),
    };
    compare_verdict(subject, answer, expected.expect("queries do not fail"))
}

/// Verdicts and runs with each reduction alone and with all of them, where runs need not be shortest.
pub(crate) fn check_reductions(subject: &Subject<'_>) -> Result<(), Mismatch> {
    let alone = [
        ("order", Reductions { order: true, ..Reductions::NONE }),
        ("merging", Reductions { merging: true, ..Reductions::NONE }),
        ("partial order", Reductions { partial_order: true, ..Reductions::NONE }),
        ("slicing", Reductions { slicing: true, ..Reductions::NONE }),
        ("symmetry", Reductions { symmetry: true, ..Reductions::NONE }),
        ("all", Reductions::default()),
        ("none", Reductions::NONE),
    ];
    for (name, reductions) in alone {
        let configuration = Configuration { run: RunKind::Any, reductions, ..limited() };
        for (index, answer) in answer(subject, &configuration)?.iter().enumerate() {
            let compared = match &subject.queries[index].question {
                Question::Possibly(_) | Question::Always(_) => {
                    compare_reachability(subject, index, answer, false)
                }
                question => compare_liveness(subject, question, answer),
            };
            compared.map_err(|message| Mismatch::new(Some(index), format!("{name}: {message}")))?;
        }
    }
    Ok(())
}

/// With convex hulls, what is not found is unreachable, and what is found is only claimed with a run.
pub(crate) fn check_hulls(subject: &Subject<'_>) -> Result<(), Mismatch> {
    let configuration = Configuration { run: RunKind::Any, hulls: true, ..limited() };
    for (index, answer) in answer(subject, &configuration)?.iter().enumerate() {
        if !answer.approximate {
            compare_reachability(subject, index, answer, false)
                .map_err(|message| Mismatch::new(Some(index), message))?;
        }
    }
    Ok(())
}

/// `sup` and `inf`.
pub(crate) fn check_bounds(subject: &Subject<'_>) -> Result<(), Mismatch> {
    if subject.graph.failure_layer().is_some() {
        return Ok(());
    }
    let limits = Limits { states: Some(2000), ..Limits::default() };
    let configuration = Configuration { limits, ..Configuration::default() };
    for (index, answer) in answer(subject, &configuration)?.iter().enumerate() {
        compare_bounds(subject, index, answer).map_err(|message| Mismatch::new(Some(index), message))?;
    }
    Ok(())
}

/// A search that does not end is a mismatch, too.
pub(crate) fn limited() -> Configuration {
    let limits = Limits { states: Some(20_000), ..Limits::default() };
    Configuration { limits, ..Configuration::default() }
}

/// Two of the many ways, another two for every network.
fn configurations(seed: u64) -> Vec<(String, Configuration)> {
    let abstractions = [
        (Extrapolation::Lu, Subsumption::Inclusion),
        (Extrapolation::LuPlus, Subsumption::Inclusion),
        (Extrapolation::M, Subsumption::Inclusion),
        (Extrapolation::MPlus, Subsumption::Inclusion),
        (Extrapolation::LuPlus, Subsumption::Alu),
        (Extrapolation::None, Subsumption::Alu),
    ];
    let orders = [Order::BreadthFirst, Order::DepthFirst, Order::RandomDepthFirst(seed)];
    let pick = |abstraction: usize, order: usize, shortest: bool| {
        let (extrapolation, subsumption) = abstractions[abstraction % abstractions.len()];
        let order = if shortest { Order::BreadthFirst } else { orders[order % orders.len()] };
        let configuration = Configuration {
            strategy: Strategy::Blind(order),
            run: match (shortest, seed.is_multiple_of(2)) {
                (true, _) => RunKind::Shortest,
                (false, true) => RunKind::Any,
                (false, false) => RunKind::None,
            },
            extrapolation: Some(extrapolation),
            subsumption: Some(subsumption),
            ..limited()
        };
        (format!("{extrapolation:?}, {subsumption:?}, {order:?}"), configuration)
    };
    let seed = seed as usize;
    vec![pick(seed, 0, true), pick(seed / 3, seed, false)]
}

pub(crate) fn answer(subject: &Subject<'_>, configuration: &Configuration) -> Result<Vec<Answer>, Mismatch> {
    Zones { configuration: configuration.clone() }
        .answers(subject.network, subject.queries)
        .map_err(|unsupported| Mismatch::new(None, unsupported.to_string()))
}

pub(crate) fn compare_reachability(
    subject: &Subject<'_>,
    index: usize,
    answer: &Answer,
    shortest: bool,
) -> Result<(), String> {
    let graph = subject.graph;
    let (predicate, is_possibly) = match &subject.queries[index].question {
        Question::Possibly(p) => (p, true),
        Question::Always(p) => (p, false),
        _ => return Ok(()),
    };
    let holding = graph.holding(predicate).expect("queries do not fail");
    let wanted: Vec<bool> = holding.into_iter().map(|holds| holds == is_possibly).collect();
    let distance = graph.distance(&wanted);
    if let Some(layer) = graph.failure_layer() {
        // Searches stop at the failure, unless they have found the goal before.
        let found_first =
            shortest && !predicate.mentions_deadlock() && distance.is_some_and(|goal| goal <= layer);
        // Where the model fails, the reference does not know whether something else is possible, and so nothing of deadlocks.
        let may_be_found =
            predicate.mentions_deadlock() || distance.is_some_and(|goal| !shortest || goal <= layer + 1);
        return match (answer.model_error(), answer.verdict()) {
            (Some(_), _) if found_first => Err("the model fails only behind the goal".into()),
            (Some(_), _) => Ok(()),
            (None, Verdict::Undecided) => Err(format!("undecided: {:?}", answer.stop_reason())),
            (None, _) if may_be_found => compare_verdict(subject, answer, is_possibly),
            (None, verdict) => {
                let length = answer.evidence.as_ref().map(Evidence::length);
                Err(format!(
                    "the model fails after {layer} steps, and that was not noticed: {verdict:?} with a run of {length:?} steps, the goal is {distance:?} steps away"
                ))
            }
        };
    }
    compare_verdict(subject, answer, distance.is_some() == is_possibly)?;
    match (&answer.evidence, distance) {
        (Some(evidence), Some(distance)) => {
            let length = evidence.length();
            if length < distance as usize || (shortest && length > distance as usize) {
                return Err(format!("a run of {length} transitions; the shortest has {distance}"));
            }
            let last = evidence.steps.last().map_or(&evidence.initial, |step| &step.after);
            match find(subject, last) {
                Some(state) if wanted[state as usize] => Ok(()),
                _ => Err(format!("the run ends in a state that is not wanted: {last:?}")),
            }
        }
        _ => Ok(()),
    }
}

fn compare_verdict(subject: &Subject<'_>, answer: &Answer, expected: bool) -> Result<(), String> {
    if let Some(internal) = &answer.internal {
        return Err(format!("internal error: {internal}"));
    }
    let expected = if expected { Verdict::Satisfied } else { Verdict::NotSatisfied };
    if answer.verdict() != expected {
        let reason = answer.stop_reason();
        return Err(format!("expected {expected:?}, got {:?} {reason:?}", answer.verdict()));
    }
    let Some(evidence) = &answer.evidence else { return Ok(()) };
    for step in &evidence.steps {
        let before = find(subject, &step.before).ok_or("a run leaves the region graph while waiting")?;
        let after = find(subject, &step.after).ok_or("a run leaves the region graph")?;
        let Some(transition) = &step.transition else { continue };
        let actions = subject.graph.actions(before);
        if !actions.iter().any(|action| action.edges == transition.edges && action.target == after) {
            return Err(format!("a run takes a transition that does not exist: {transition:?}"));
        }
    }
    Ok(())
}

#[derive(Default)]
struct Recorder {
    cells: BTreeSet<Vec<i32>>,
    transitions: BTreeSet<(Vec<EdgeId>, Vec<i32>)>,
}

impl Watcher for Recorder {
    fn transition(&mut self, edges: &[EdgeId], target: &SymbolicState) {
        self.transitions.insert((edges.to_vec(), target.cells.clone()));
    }

    fn stored(&mut self, state: &SymbolicState, _part: Part) -> Result<bool, guidepost_network::EvalError> {
        self.cells.insert(state.cells.clone());
        Ok(false)
    }
}

fn compare_transitions(subject: &Subject<'_>, abstraction: ZoneAbstraction) -> Result<(), String> {
    let goals: Vec<&Goal> = Vec::new();
    let explorer = Explorer::new(subject.network, &goals, abstraction).map_err(|error| error.to_string())?;
    let mut recorder = Recorder::default();
    let end = Search::new(explorer, Order::BreadthFirst, &limited().limits).run(&mut recorder);
    let graph = subject.graph;
    match (&end, graph.failure_layer()) {
        (End::Failed(..), Some(_)) => return Ok(()),
        (End::Exhausted, None) => {}
        _ => return Err(format!("search: {end:?}, regions: {:?}", graph.failures.first())),
    }
    let mut expected = Recorder::default();
    for state in 0..graph.len() as u32 {
        expected.cells.insert(graph.cells(state).to_vec());
        for action in graph.actions(state) {
            expected.transitions.insert((action.edges.clone(), graph.cells(action.target).to_vec()));
        }
    }
    let list = |left: &Recorder, right: &Recorder| {
        let cells: Vec<_> = left.cells.difference(&right.cells).take(3).collect();
        let transitions: Vec<_> = left.transitions.difference(&right.transitions).take(3).collect();
        (!cells.is_empty() || !transitions.is_empty()).then(|| format!("{cells:?} {transitions:?}"))
    };
    if let Some(list) = list(&expected, &recorder) {
        return Err(format!("not reached by zones: {list}"));
    }
    list(&recorder, &expected).map_or(Ok(()), |list| Err(format!("reached by zones only: {list}")))
}

fn compare_bounds(subject: &Subject<'_>, index: usize, answer: &Answer) -> Result<(), String> {
    let graph = subject.graph;
    let Question::Bound { kind, within, items } = &subject.queries[index].question else { return Ok(()) };
    let within = match within {
        Some(predicate) => graph.holding(predicate).expect("queries do not fail"),
        None => vec![true; graph.len()],
    };
    let is_supremum = *kind == BoundKind::Sup;
    for (position, item) in items.iter().enumerate() {
        let expected = match item {
            BoundItem::Clock(clock) => graph.extreme_of_clock(*clock, &within, is_supremum),
            BoundItem::Value { expression, .. } => {
                match graph.range_of(expression, &within).expect("queries do not fail") {
                    Some((low, high)) => Extreme::Value(if is_supremum { high } else { low }, false),
                    None => Extreme::Nothing,
                }
            }
        };
        if answer.verdict() == Verdict::Undecided {
            // The search may hit its limit where some clock grows without end.
            let grows = |clock: u32| {
                graph.extreme_of_clock(ClockId(clock), &vec![true; graph.len()], true) == Extreme::Far
            };
            if (1..subject.network.clocks.len() as u32).any(grows) {
                continue;
            }
            return Err(format!("undecided: {:?}; expected {expected:?}", answer.stop_reason()));
        }
        let Some(measurement) = &answer.measurement else { return Err("nothing measured".to_owned()) };
        let value = measurement.items[position].value;
        let got = if is_supremum { value.sup } else { value.inf };
        let agrees = match expected {
            Extreme::Nothing => value.inf.is_none(),
            Extreme::Far => value.inf.is_some() && got.is_none_or(|(value, _)| value >= i64::from(HORIZON)),
            Extreme::Value(value, strict) => got == Some((value.into(), strict)),
        };
        if !agrees {
            return Err(format!("expected {expected:?}, got {value:?}"));
        }
    }
    Ok(())
}
