//! A recorded run, tried on a network.

use super::{RecordedEdge, RecordedRun, RecordedState, RecordedStep, describe};
use crate::number::decimal;
use guidepost_answer::{Evidence, RunEnding};
use guidepost_network::interpreter::{Interpreter, ReplayReason, ReplayStep, ReplayedStep, State};
use guidepost_network::{EdgeId, LocationId, Network};

/// Edges with the same names are tried one after the other; no step has so many that this would not be enough.
const MOST_TRIALS: usize = 4096;

/// Why a recorded run is not one of this network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotReplayed {
    /// The run speaks of something that the network does not have: it belongs to another model.
    #[error("{}: {what}; is this a run of another model?", place(*.step))]
    OtherModel {
        /// The step, from 1; 0 is the initial state.
        step: usize,
        /// What is missing.
        what: String,
    },
    /// The network has everything, but a step is not possible, or leads elsewhere.
    #[error("{}: {why}", place(*.step))]
    Fails {
        /// The step, from 1; 0 is the initial state.
        step: usize,
        /// Why.
        why: String,
    },
}

fn place(step: usize) -> String {
    if step == 0 { "initial state".to_owned() } else { format!("step {step}") }
}

/// The first thing in which a state is not the recorded one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FirstDifference {
    /// There is no such process, location, variable or clock.
    Missing(String),
    /// The value is another.
    Other(String),
}

impl RecordedRun {
    /// Takes every step in the concrete interpreter, from the initial state on.
    pub fn replay(&self, network: &Network) -> Result<Evidence, NotReplayed> {
        let mut interpreter = Interpreter::new(network);
        let initial = interpreter.initial();
        let fails = |step: usize, why: String| NotReplayed::Fails { step, why };
        match interpreter.invariants_hold(&initial) {
            Ok(true) => {}
            Ok(false) => return Err(fails(0, describe(&ReplayReason::Initial, network))),
            Err(failure) => return Err(fails(0, describe(&ReplayReason::Failure(failure), network))),
        }
        compare(&self.initial, &initial, network).map_or(Ok(()), |difference| Err(differs(0, difference)))?;
        let mut steps: Vec<ReplayedStep> = Vec::with_capacity(self.steps.len());
        for (index, step) in self.steps.iter().enumerate() {
            let state = steps.last().map_or(&initial, |step| &step.after);
            steps.push(take(step, index + 1, state, &mut interpreter)?);
        }
        let evidence = Evidence { initial, steps, optimal: self.optimal, ending: self.ending };
        ends(&evidence, &mut interpreter).map_err(|why| fails(self.steps.len(), why))?;
        Ok(evidence)
    }
}

/// Whether a run can go on behind its last step as it says. Of a loop, locations and variables come back; clocks need not, since the next round may wait
/// longer or shorter.
fn ends(run: &Evidence, interpreter: &mut Interpreter<'_>) -> Result<(), String> {
    let network = interpreter.network();
    let last = run.steps.last().map_or(&run.initial, |step| &step.after);
    match run.ending {
        RunEnding::Goal | RunEnding::Stuck => Ok(()),
        RunEnding::Waits => match interpreter.max_delay(last) {
            Ok(None) => Ok(()),
            Ok(Some(_)) => {
                Err("the run is said to wait forever, and time cannot go on for so long".to_owned())
            }
            Err(failure) => Err(describe(&ReplayReason::Failure(failure), network)),
        },
        RunEnding::Loop(at) => {
            let transitions = run.steps.iter().filter(|step| step.transition.is_some());
            let first = transitions.clone().nth(at).ok_or_else(|| {
                let length = transitions.count();
                format!(
                    "the run is said to repeat from transition {} on, and has {length}",
                    at.saturating_add(1)
                )
            })?;
            comes_back(&first.before, last, network).map_or(Ok(()), |what| {
                Err(format!("the run does not come back to transition {}: {what}", at + 1))
            })
        }
    }
}

/// The first thing in which the end of a loop is not its beginning. A `meta` variable is no part of the state.
fn comes_back(first: &State, last: &State, network: &Network) -> Option<String> {
    let name = |id: LocationId| &network.locations[id.index()].name;
    let places = network.processes.iter().zip(first.locations.iter().zip(&last.locations));
    let place = places.map(|(process, (from, to))| (process, *from, *to)).find(|(_, from, to)| from != to);
    if let Some((process, from, to)) = place {
        return Some(format!("`{}` is in {} then and in {} at the end", process.name, name(from), name(to)));
    }
    let values = network.variables.iter().zip(first.variables.iter().zip(&last.variables));
    let mut changed = values.filter(|(variable, (from, to))| !variable.meta && from != to);
    changed
        .next()
        .map(|(variable, (from, to))| format!("`{}` is {from} then and {to} at the end", variable.name))
}

fn differs(step: usize, difference: FirstDifference) -> NotReplayed {
    match difference {
        FirstDifference::Missing(what) => NotReplayed::OtherModel { step, what },
        FirstDifference::Other(why) => NotReplayed::Fails { step, why },
    }
}

/// Takes one step. Where edges cannot be told apart by their names, the first ones that lead to the recorded state are meant.
fn take(
    step: &RecordedStep,
    number: usize,
    state: &State,
    interpreter: &mut Interpreter<'_>,
) -> Result<ReplayedStep, NotReplayed> {
    let network = interpreter.network();
    let mut candidates: Vec<Vec<EdgeId>> = Vec::new();
    for edge in &step.edges {
        let found = matching(edge, network).map_err(|what| NotReplayed::OtherModel { step: number, what })?;
        candidates.push(found);
    }
    let trials = candidates.iter().map(Vec::len).product::<usize>().min(MOST_TRIALS);
    let mut first_trouble = None;
    for trial in 0..trials {
        let edges = combination(&candidates, trial);
        let trouble = match interpreter.replay_step(state, &ReplayStep { delay: step.delay, edges }) {
            Err(reason) => NotReplayed::Fails { step: number, why: describe(&reason, network) },
            Ok(done) => match compare(&step.after, &done.after, network) {
                None => return Ok(done),
                Some(difference) => differs(number, difference),
            },
        };
        first_trouble.get_or_insert(trouble);
    }
    Err(first_trouble.unwrap_or_else(|| NotReplayed::Fails { step: number, why: "no edge fits".to_owned() }))
}

/// The n-th way to choose one candidate from each list, the first list varying fastest.
fn combination(candidates: &[Vec<EdgeId>], mut n: usize) -> Vec<EdgeId> {
    candidates
        .iter()
        .map(|list| {
            let chosen = list[n % list.len()];
            n /= list.len();
            chosen
        })
        .collect()
}

/// The edges with these names, the one with the recorded number first; or what of them does not exist.
fn matching(edge: &RecordedEdge, network: &Network) -> Result<Vec<EdgeId>, String> {
    let process = network.processes.iter().find(|process| process.name == edge.process);
    let process = process.ok_or_else(|| format!("there is no process `{}`", edge.process))?;
    let name = |id: guidepost_network::LocationId| network.locations[id.index()].name.as_str();
    for location in [&edge.from, &edge.to] {
        let mut own = process.locations.clone();
        if !own.any(|id| network.locations[id as usize].name == **location) {
            return Err(format!("process `{}` has no location `{location}`", edge.process));
        }
    }
    let fits = |id: &EdgeId| {
        let found = &network.edges[id.index()];
        name(found.source) == edge.from
            && name(found.target) == edge.to
            && found.select.len() == edge.select.len()
            && found.select.iter().all(|(name, value)| {
                edge.select.iter().any(|(other, wanted)| other == name && *wanted == i64::from(*value))
            })
    };
    let mut found: Vec<EdgeId> = process.edges.clone().map(EdgeId).filter(fits).collect();
    if let Some(at) = found.iter().position(|id| Some(id.0) == edge.number) {
        found[..=at].rotate_right(1);
    }
    if found.is_empty() {
        let select: Vec<String> =
            edge.select.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let with = if select.is_empty() { String::new() } else { format!(" with {}", select.join(", ")) };
        return Err(format!("process `{}` has no edge {} -> {}{with}", edge.process, edge.from, edge.to));
    }
    Ok(found)
}

/// Whether a state is the recorded one, as far as it was recorded.
fn compare(recorded: &RecordedState, state: &State, network: &Network) -> Option<FirstDifference> {
    use FirstDifference::{Missing, Other};
    for (name, wanted) in &recorded.locations {
        let process = network.processes.iter().position(|process| process.name == *name);
        let Some(process) = process else { return Some(Missing(format!("there is no process `{name}`"))) };
        let found = &network.locations[state.locations[process].index()].name;
        if found != wanted {
            return Some(Other(format!("`{name}` was recorded in {wanted} and is in {found}")));
        }
    }
    for (name, wanted) in &recorded.variables {
        let variable = network.variables.iter().position(|variable| variable.name == *name);
        let Some(variable) = variable else { return Some(Missing(format!("there is no variable `{name}`"))) };
        let found = state.variables[variable];
        if i64::from(found) != *wanted {
            return Some(Other(format!("`{name}` was recorded as {wanted} and is {found}")));
        }
    }
    for (name, wanted) in &recorded.clocks {
        let clock = network.clocks.iter().position(|clock| clock.name == *name);
        let Some(clock) = clock else { return Some(Missing(format!("there is no clock `{name}`"))) };
        let found = state.clocks[clock];
        if found != *wanted {
            let (wanted, found) = (decimal(*wanted), decimal(found));
            return Some(Other(format!("clock `{name}` was recorded as {wanted} and is {found}")));
        }
    }
    None
}
