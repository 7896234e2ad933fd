//! What the behaviour tests share: models from text, names to ids.
#![allow(dead_code, reason = "every test file uses its own part")]

use guidepost_language::diagnostic::{Code, Diagnostics};
use guidepost_language::{Loaded, load_text};
use guidepost_network::interpreter::{Fired, Interpreter, Rational, State, Transition};
use guidepost_network::{
    ClockId, CompiledQuery, EvalError, LocationId, Machine, Network, ProcessId, VarId, build, compile_query,
};

/// Loads a model that the front end accepts.
pub(crate) fn load(text: &str) -> Loaded {
    let loaded = load_text("model.xta", text);
    assert!(!loaded.diagnostics.has_errors(), "{:#?}", loaded.diagnostics);
    loaded
}

/// Builds a model that has no errors.
pub(crate) fn network(text: &str) -> Network {
    let loaded = load(text);
    let (network, diagnostics) = build(&loaded.model);
    assert!(!diagnostics.has_errors(), "{diagnostics:#?}");
    network.expect("a model without errors has a network")
}

/// The codes of the messages about a model; errors of the front end count as well.
pub(crate) fn codes(text: &str) -> Vec<Code> {
    let loaded = load_text("model.xta", text);
    if loaded.diagnostics.has_errors() {
        return loaded.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code).collect();
    }
    let (network, diagnostics) = build(&loaded.model);
    assert_eq!(network.is_none(), diagnostics.has_errors(), "{diagnostics:#?}");
    list(&diagnostics)
}

pub(crate) fn list(diagnostics: &Diagnostics) -> Vec<Code> {
    diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

/// Compiles a query given as text.
pub(crate) fn query(loaded: &mut Loaded, network: &Network, text: &str) -> CompiledQuery {
    let mut diagnostics = Diagnostics::default();
    let queries = loaded.queries_from_text("query", text, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{text}: {diagnostics:#?}");
    compile_query(network, &loaded.model, &queries[0]).unwrap_or_else(|errors| panic!("{text}: {errors:#?}"))
}

/// A template with one self-loop that runs the update once.
pub(crate) fn once(declarations: &str, update: &str) -> String {
    format!(
        "{declarations}\nprocess P() {{ state L0, L1; init L0; trans L0 -> L1 {{ assign {update}; }}; }}\nsystem P;"
    )
}

/// The variables after the single transition of [`once`], or what went wrong.
pub(crate) fn outcome(declarations: &str, update: &str) -> Result<Vec<i32>, EvalError> {
    let network = network(&once(declarations, update));
    let mut machine = Machine::new(&network.program);
    let initial: Vec<i32> = network.variables.iter().map(|variable| variable.initial).collect();
    machine.variables_mut().copy_from_slice(&initial);
    let update = network.edges[0].update.expect("there is an update");
    machine.run_update(update, &mut Vec::new())?;
    Ok(machine.variables().to_vec())
}

/// The message of the failing transition of [`once`].
pub(crate) fn message(declarations: &str, update: &str) -> String {
    let network = network(&once(declarations, update));
    let mut machine = Machine::new(&network.program);
    let initial: Vec<i32> = network.variables.iter().map(|variable| variable.initial).collect();
    machine.variables_mut().copy_from_slice(&initial);
    let update = network.edges[0].update.expect("there is an update");
    let error = machine.run_update(update, &mut Vec::new()).expect_err("the update fails");
    error.describe(&network)
}

pub(crate) fn variable(network: &Network, name: &str) -> VarId {
    let at = network.variables.iter().position(|variable| variable.name == name);
    VarId(at.unwrap_or_else(|| panic!("no variable {name}")) as u32)
}

pub(crate) fn clock(network: &Network, name: &str) -> ClockId {
    let at = network.clocks.iter().position(|clock| clock.name == name);
    ClockId(at.unwrap_or_else(|| panic!("no clock {name}")) as u32)
}

pub(crate) fn process(network: &Network, name: &str) -> ProcessId {
    let at = network.processes.iter().position(|process| process.name == name);
    ProcessId(at.unwrap_or_else(|| panic!("no process {name}")) as u32)
}

pub(crate) fn location(network: &Network, process_name: &str, name: &str) -> LocationId {
    let process = process(network, process_name);
    let range = network.processes[process.index()].locations.clone();
    let found = range.clone().find(|&at| network.locations[at as usize].name == name);
    LocationId(found.unwrap_or_else(|| panic!("no location {process_name}.{name}")))
}

/// Names of the locations of a state.
pub(crate) fn places(network: &Network, state: &State) -> Vec<String> {
    state.locations.iter().map(|location| network.locations[location.index()].name.clone()).collect()
}

pub(crate) fn r(text: &str) -> Rational {
    text.parse().expect("a fraction")
}

/// The transitions enabled after a delay, each as `process:from->to` joined by `+`.
pub(crate) fn enabled_after(interpreter: &mut Interpreter<'_>, state: &State, delay: &str) -> Vec<String> {
    let delay = r(delay);
    assert!(interpreter.can_delay(state, delay).unwrap(), "the delay {delay} is possible");
    let later = interpreter.delay(state, delay).unwrap();
    let network = interpreter.network();
    interpreter.enabled(&later).unwrap().iter().map(|transition| show(network, transition)).collect()
}

pub(crate) fn show(network: &Network, transition: &Transition) -> String {
    let edge = |id: &guidepost_network::EdgeId| {
        let edge = &network.edges[id.index()];
        format!(
            "{}:{}->{}",
            network.processes[edge.process.index()].name,
            network.locations[edge.source.index()].name,
            network.locations[edge.target.index()].name
        )
    };
    transition.edges.iter().map(edge).collect::<Vec<_>>().join("+")
}

/// Takes the only enabled transition after a delay.
pub(crate) fn step(interpreter: &mut Interpreter<'_>, state: &State, delay: &str) -> State {
    let later = interpreter.delay(state, r(delay)).unwrap();
    let enabled = interpreter.enabled(&later).unwrap();
    assert_eq!(enabled.len(), 1, "one transition is enabled");
    match interpreter.fire(&later, &enabled[0]).unwrap() {
        Fired::Reached(state) => state,
        Fired::Blocked(blocked) => panic!("{blocked:?}"),
    }
}
