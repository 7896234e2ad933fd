//! Abstractions against the original: every step is matched, and what the abstraction cannot reach, the original cannot.

use super::{Mismatch, Subject};
use guidepost_abstraction::{AbstractNetwork, Structure, Symbol, SymbolSet, hide, name_of, symbols_named};
use guidepost_answer::{Engine, Limits, RunKind, Verdict};
use guidepost_heuristics::{Estimate, HeuristicSpec, Preparation};
use guidepost_network::interpreter::{Fired, Interpreter, RunStep, State, simulate};
use guidepost_network::{CompiledQuery, LocationId, Network, Predicate, Question};
use guidepost_oracle::random::Random;
use guidepost_search::{Configuration, Zones};

/// The names of everything that can be hidden.
pub(crate) fn names(network: &Network) -> Vec<String> {
    SymbolSet::all(network).iter().map(|symbol| name_of(network, symbol).to_owned()).collect()
}

/// A random closed set.
fn random_set(network: &Network, structure: &Structure, random: &mut Random) -> SymbolSet {
    let mut hidden = SymbolSet::empty(network);
    let share = 10 + random.below(60);
    for name in names(network) {
        if random.chance(share) {
            hidden.extend(symbols_named(network, &name));
        }
    }
    structure.close(&mut hidden);
    hidden
}

/// Along random runs, under random closed sets: every delay is possible in the abstraction, and every step is matched by one or changes nothing that is kept.
pub(crate) fn check_simulation(subject: &Subject<'_>) -> Result<(), Mismatch> {
    let network = subject.network;
    let structure = Structure::new(network);
    let mut random = Random::new(subject.seed);
    for attempt in 0..4 {
        let hidden = random_set(network, &structure, &mut random);
        assert!(structure.is_closed(&hidden), "closing closes");
        let abstraction = hide(network, &hidden, &[]);
        let mut shadow = Shadow { abstraction: &abstraction, hidden: &hidden };
        let run = simulate(network, subject.seed + attempt, 30);
        let mut state = Interpreter::new(network).initial();
        for step in &run.steps {
            shadow.follow(&state, step).map_err(|message| {
                let names: Vec<&str> = hidden.iter().map(|symbol| name_of(network, symbol)).collect();
                Mismatch::new(None, format!("{message}; hidden: {}", names.join(", ")))
            })?;
            state = step.state.clone();
        }
    }
    Ok(())
}

struct Shadow<'a> {
    abstraction: &'a AbstractNetwork,
    hidden: &'a SymbolSet,
}

impl Shadow<'_> {
    fn project(&self, state: &State) -> State {
        let mut cells: Vec<i32> = state.locations.iter().map(|location| location.0 as i32).collect();
        cells.extend(&state.variables);
        self.abstraction.project(&mut cells);
        let (locations, variables) = cells.split_at(state.locations.len());
        State {
            locations: locations.iter().map(|&location| LocationId(location as u32)).collect(),
            variables: variables.to_vec(),
            ..state.clone()
        }
    }

    fn looks_like(&self, state: &State, other: &State) -> bool {
        let kept = |clock: usize| !self.hidden.hiding().clocks[clock];
        let same_clock = |clock: usize| state.clocks[clock] == other.clocks[clock];
        state.locations == other.locations
            && state.variables == other.variables
            && (0..state.clocks.len()).all(|clock| !kept(clock) || same_clock(clock))
    }

    /// Whether the abstraction can do what the step does.
    fn follow(&mut self, before: &State, step: &RunStep) -> Result<(), String> {
        let mut interpreter = Interpreter::new(&self.abstraction.network);
        let from = self.project(before);
        let to = self.project(&step.state);
        // Where an evaluation fails in the abstraction, the interpreter has nothing to say.
        let Ok(may_wait) = interpreter.can_delay(&from, step.delay) else { return Ok(()) };
        if !may_wait {
            return Err(format!("the abstraction cannot wait for {}", step.delay));
        }
        let Ok(waited) = interpreter.delay(&from, step.delay) else { return Ok(()) };
        if self.looks_like(&waited, &to) {
            return Ok(());
        }
        let Ok(transitions) = interpreter.enabled(&waited) else { return Ok(()) };
        for transition in &transitions {
            match interpreter.fire(&waited, transition) {
                Ok(Fired::Reached(next)) if self.looks_like(&next, &to) => return Ok(()),
                Err(_) => return Ok(()),
                _ => {}
            }
        }
        Err(format!("no step of the abstraction matches {:?}", step.transition.edges))
    }
}

/// A database knows of the initial state what a search in the abstraction finds out: whether the goal can be reached, and no longer way than the shortest.
pub(crate) fn check_databases(subject: &Subject<'_>) -> Result<(), Mismatch> {
    let network = subject.network;
    let structure = Structure::new(network);
    let mut random = Random::new(subject.seed);
    for (index, query) in subject.queries.iter().enumerate() {
        let goals = match &query.question {
            Question::Possibly(predicate) => &predicate.goals,
            Question::Always(predicate) => &predicate.negation,
            _ => continue,
        };
        let hidden = random_set(network, &structure, &mut random);
        let kept: Vec<String> = hidden
            .complement(network)
            .iter()
            .filter(|symbol| !matches!(symbol, Symbol::Channel(_)))
            .map(|symbol| name_of(network, symbol).to_owned())
            .collect();
        let spec = HeuristicSpec::Pattern(kept);
        let mut preparation = Preparation::default();
        let Some(hidden) = spec.hidden(network, goals, &mut preparation) else { continue };
        let abstraction = hide(network, &hidden, goals);
        let predicate = Predicate { goals: abstraction.goals.clone(), negation: Vec::new() };
        let abstract_query = CompiledQuery {
            text: String::new(),
            question: Question::Possibly(predicate),
            expressions: Vec::new(),
            guideposts: Vec::new(),
        };
        let limits = Limits { states: Some(20_000), ..Limits::default() };
        let configuration =
            Configuration { run: RunKind::Shortest, limits, approximate: true, ..Configuration::default() };
        let found =
            Zones { configuration: configuration.clone() }.answers(&abstraction.network, &[abstract_query]);
        let Ok(found) = found else { continue };
        let mut heuristic = spec.bind(network, goals, &mut preparation);
        let mut estimate = Estimate::DEAD_END;
        let list: Vec<_> = goals.iter().collect();
        let Ok(mut explorer) = guidepost_explore::Explorer::new(network, &list, configuration.reachability())
        else {
            continue;
        };
        let Ok(initial) = explorer.initial_states() else { continue };
        for state in &initial {
            estimate = estimate.min(heuristic.estimate(state));
        }
        let fail = |message: String| Err(Mismatch::new(Some(index), format!("{spec}: {message}")));
        match found[0].verdict() {
            Verdict::NotSatisfied if !estimate.is_dead_end() => {
                return fail(format!("{estimate} steps to a goal that the abstraction cannot reach"));
            }
            Verdict::Satisfied if found[0].evidence.is_some() => {
                let length = found[0].evidence.as_ref().map_or(0, |evidence| evidence.length() as u32);
                if estimate > Estimate::steps(length) && !initial.is_empty() {
                    return fail(format!("{estimate} steps, but the abstraction needs only {length}"));
                }
            }
            _ => {}
        }
    }
    Ok(())
}
