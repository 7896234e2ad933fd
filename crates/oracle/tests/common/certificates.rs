//! Certificates against the region graph: there is one exactly where no goal is reachable, and what was tampered with is found out.

use super::{Mismatch, Subject};
use guidepost_abstraction::{Structure, SymbolSet, hide, name_of};
use guidepost_answer::{Induction, InductiveSet, Limits};
use guidepost_certificate::{
    Bound, Builder, Certificate, Checked, Difference, Header, ReadError, Reason, obstacle,
};
use guidepost_network::interpreter::{Fired, Interpreter, Rational, State};
use guidepost_network::{CompiledQuery, Goal, LocationId, Network, Question};
use guidepost_oracle::Random;
use guidepost_refinement::inductive_labels;
use guidepost_search::inductive_set;
use std::collections::BTreeMap;

/// Discrete states, each with what its zones demand.
type States = BTreeMap<Vec<i32>, Vec<Vec<Difference>>>;

/// There is a certificate exactly where no goal is reachable, it survives being written and read, and it is accepted.
pub(crate) fn check_certificates(subject: &Subject<'_>) -> Result<(), Mismatch> {
    // Models without an initial state are refused before.
    if subject.graph.is_empty() {
        return Ok(());
    }
    for (index, query) in subject.queries.iter().enumerate() {
        let compared = compare(subject, query, Maker::Exploration)
            .and_then(|()| compare(subject, query, Maker::Labels))
            .and_then(|()| compare_abstraction(subject, query));
        compared.map_err(|message| Mismatch::new(Some(index), message))?;
    }
    Ok(())
}

/// Who makes the set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Maker {
    /// An exploration with widened zones.
    Exploration,
    /// Lazy abstraction.
    Labels,
}

fn compare(subject: &Subject<'_>, query: &CompiledQuery, maker: Maker) -> Result<(), String> {
    let Some((goals, _)) = query.question.target() else { return Ok(()) };
    let fails = !subject.graph.failures.is_empty();
    let found = match certificate(subject.network, query, maker)? {
        Found::Certificate(certificate) => certificate,
        Found::Goal => {
            let holding = subject.graph.satisfying_any(goals).map_err(|error| error.to_string())?;
            let is_reachable = subject.graph.distance(&holding).is_some();
            return if is_reachable {
                Ok(())
            } else {
                Err("no certificate, though no goal is reachable".into())
            };
        }
        Found::Failure if fails => return Ok(()),
        Found::Failure => return Err("the model fails, and should not".into()),
        Found::Nothing => return Ok(()),
    };
    // Where something fails that only one of them evaluates, there is nothing to compare.
    let Ok(holding) = subject.graph.satisfying_any(goals) else { return Ok(()) };
    if !fails && subject.graph.distance(&holding).is_some() {
        return Err("there is a certificate, though a goal is reachable".into());
    }
    match read(&written(&found), subject.network).map_err(|error| error.to_string())? {
        read if states(&read) != states(&found) => Err("what was written was not read".into()),
        read => match read.check(subject.network, goals, &mut || true) {
            Checked::Accepted => Ok(()),
            Checked::Rejected(rejection) if fails && matches!(rejection.reason, Reason::Error(_)) => Ok(()),
            other => Err(format!("not accepted ({maker:?}): {other:?}")),
        },
    }
}

/// With some symbols hidden there may be no certificate, but one that there is proves that no goal is reachable, and is accepted.
fn compare_abstraction(subject: &Subject<'_>, query: &CompiledQuery) -> Result<(), String> {
    let network = subject.network;
    let Some((goals, _)) = query.question.target() else { return Ok(()) };
    if obstacle(network).is_some() {
        return Ok(());
    }
    let mut random = Random::new(subject.seed);
    let mut hidden = SymbolSet::empty(network);
    hidden.extend(SymbolSet::all(network).iter().filter(|_| random.chance(25)));
    Structure::new(network).close(&mut hidden);
    let abstraction = hide(network, &hidden, goals);
    let hides = hidden.iter().map(|symbol| name_of(network, symbol).to_owned()).collect();
    let limits = Limits { states: Some(20_000), ..Limits::default() };
    let made = inductive_labels(&abstraction.network, &abstraction.goals, &limits, &mut |_| ());
    let Ok(Induction::Closed(set)) = made else { return Ok(()) };
    let found = build(&abstraction.network, &query.text, &collected(set)).of_abstraction(network, hides);
    let Ok(holding) = subject.graph.satisfying_any(goals) else { return Ok(()) };
    if subject.graph.failures.is_empty() && subject.graph.distance(&holding).is_some() {
        return Err("there is a certificate of an abstraction, though a goal is reachable".into());
    }
    let read = read(&written(&found), &abstraction.network).map_err(|error| error.to_string())?;
    if read != found {
        return Err("what was written of an abstraction was not read".into());
    }
    match read.check_abstraction(network, (&abstraction.network, &abstraction.goals), &mut || true) {
        Checked::Accepted => Ok(()),
        other => Err(format!("not accepted, hiding {:?}: {other:?}", found.hides)),
    }
}

/// What an exploration for a certificate finds.
enum Found {
    Certificate(Certificate),
    Goal,
    Failure,
    /// A limit, or a network that is refused.
    Nothing,
}

fn certificate(network: &Network, query: &CompiledQuery, maker: Maker) -> Result<Found, String> {
    let goals = query.question.target().map_or(&[][..], |(goals, _)| goals);
    let about_deadlocks = goals.iter().any(|goal| goal.deadlock.is_some());
    if obstacle(network).is_some() || (maker == Maker::Labels && about_deadlocks) {
        return Ok(Found::Nothing);
    }
    let limits = Limits { states: Some(20_000), ..Limits::default() };
    let made = match maker {
        Maker::Exploration => inductive_set(network, query, &limits, &mut |_| ()).ok_or("not asked for")?,
        Maker::Labels => inductive_labels(network, goals, &limits, &mut |_| ()),
    };
    Ok(match made.map_err(|unsupported| unsupported.to_string())? {
        Induction::Closed(set) => Found::Certificate(build(network, &query.text, &collected(set))),
        Induction::Reached => Found::Goal,
        Induction::Failed(_) => Found::Failure,
        Induction::Stopped(_) => Found::Nothing,
    })
}

fn collected(mut set: Box<dyn InductiveSet + '_>) -> States {
    let mut all = States::new();
    set.visit(&mut |cells, bounds| {
        let zone = bounds.iter().map(|&(left, right, constant, strict)| Difference {
            left,
            right,
            bound: Bound::new(constant.into(), strict),
        });
        all.entry(cells.to_vec()).or_default().push(zone.collect());
    });
    all
}

fn build(network: &Network, query: &str, states: &States) -> Certificate {
    let mut builder = Builder::new(network);
    for (cells, zones) in states {
        for zone in zones {
            builder.add(cells, zone);
        }
    }
    builder.finish(network, query)
}

fn states(certificate: &Certificate) -> States {
    let zones = |state| certificate.zones_of(state).collect();
    (0..certificate.states()).map(|state| (certificate.cells(state), zones(state))).collect()
}

fn written(certificate: &Certificate) -> Vec<u8> {
    let mut bytes = Vec::new();
    let length = certificate.write(&mut bytes).expect("there is room");
    assert_eq!(length, bytes.len() as u64);
    bytes
}

fn read(bytes: &[u8], network: &Network) -> Result<Certificate, ReadError> {
    let mut input = bytes;
    let header = Header::read(&mut input)?;
    Certificate::read(header, network, &mut input, &mut |_| true)
}

/// Certificates that were tampered with are rejected, unless they still prove what they should, which is tried point by point.
pub(crate) fn check_tampering(subject: &Subject<'_>) -> Result<(), Mismatch> {
    if subject.graph.is_empty() {
        return Ok(());
    }
    for (index, query) in subject.queries.iter().enumerate() {
        tamper(subject, query).map_err(|message| Mismatch::new(Some(index), message))?;
    }
    Ok(())
}

fn tamper(subject: &Subject<'_>, query: &CompiledQuery) -> Result<(), String> {
    let network = subject.network;
    // Both kinds of sets, by turns.
    let maker = if subject.seed.is_multiple_of(2) { Maker::Exploration } else { Maker::Labels };
    let Found::Certificate(certificate) = certificate(network, query, maker)? else { return Ok(()) };
    let Some((goals, _)) = query.question.target() else { return Ok(()) };
    if certificate.check(network, goals, &mut || true) != Checked::Accepted {
        // An error of the model that only the checker comes to; see `compare`.
        return Ok(());
    }
    let mut random = Random::new(subject.seed);
    spoil(&certificate, network, &mut random)?;
    for other in subject.queries {
        ask_for_something_else(subject, &certificate, &other.question)?;
    }
    let original = states(&certificate);
    let without_start = {
        let mut states = original.clone();
        states.remove(&network.initial_cells());
        states
    };
    expect(&Tampered { subject, goals, states: without_start, what: "no initial state" })?;
    for _ in 0..12 {
        let (states, what) = change(&original, goals, network, &mut random);
        expect(&Tampered { subject, goals, states, what })?;
    }
    Ok(())
}

/// Whatever a disk does to a file is noticed when it is read.
fn spoil(certificate: &Certificate, network: &Network, random: &mut Random) -> Result<(), String> {
    let bytes = written(certificate);
    let cut = random.below(bytes.len());
    if read(&bytes[..cut], network).is_ok() {
        return Err(format!("cut off after {cut} of {} bytes, and read", bytes.len()));
    }
    let mut flipped = bytes.clone();
    let at = random.below(bytes.len());
    flipped[at] ^= 1 << random.below(8);
    if read(&flipped, network).is_ok() {
        return Err(format!("byte {at} is wrong, and read"));
    }
    if read(&[&*bytes, b"."].concat(), network).is_ok() {
        return Err("something follows, and read".into());
    }
    Ok(())
}

/// A certificate is accepted for another query only if what that asks for is unreachable, too.
fn ask_for_something_else(
    subject: &Subject<'_>,
    certificate: &Certificate,
    other: &Question,
) -> Result<(), String> {
    let Some((goals, _)) = other.target() else { return Ok(()) };
    let Ok(holding) = subject.graph.satisfying_any(goals) else { return Ok(()) };
    let accepted = certificate.check(subject.network, goals, &mut || true) == Checked::Accepted;
    if accepted && subject.graph.distance(&holding).is_some() {
        return Err("accepted for a query whose goal is reachable".into());
    }
    Ok(())
}

/// One random change.
fn change(
    original: &States,
    goals: &[Goal],
    network: &Network,
    random: &mut Random,
) -> (States, &'static str) {
    let mut states = original.clone();
    let keys: Vec<Vec<i32>> = states.keys().cloned().collect();
    let key = random.pick(&keys).clone();
    let zones = states.get_mut(&key).expect("it is there");
    let place = random.below(zones.len());
    match random.below(5) {
        0 => {
            zones.remove(place);
            (states, "a dropped zone")
        }
        1 => {
            states.remove(&key);
            (states, "a dropped state")
        }
        2 => {
            let mut cells = key;
            for (process, locations) in goals.first().iter().flat_map(|goal| &goal.locations) {
                cells[process.index()] = random.pick(locations).0 as i32;
            }
            states.entry(cells).or_default().push(Vec::new());
            (states, "added states")
        }
        kind => {
            let zone = &mut zones[place];
            let by = if kind == 3 { 1 } else { -1 };
            if zone.is_empty() {
                let clocks = network.clocks.len();
                if clocks > 1 && by < 0 {
                    let bound = Bound::new(random.between(0, 4).into(), random.chance(50));
                    zone.push(Difference { left: 1 + random.below(clocks - 1) as u32, right: 0, bound });
                }
            } else {
                let at = random.below(zone.len());
                let (constant, strict) = zone[at].bound.parts();
                zone[at].bound = Bound::new(constant + by, strict);
            }
            (states, if by > 0 { "a loosened bound" } else { "a tightened bound" })
        }
    }
}

struct Tampered<'t> {
    subject: &'t Subject<'t>,
    goals: &'t [Goal],
    states: States,
    what: &'static str,
}

/// What the checker says of it is what trying all points says.
fn expect(tampered: &Tampered<'_>) -> Result<(), String> {
    let network = tampered.subject.network;
    let certificate = build(network, "tampered", &tampered.states);
    let checked = certificate.check(network, tampered.goals, &mut || true);
    match (tampered.violation(), &checked) {
        (Ok(None) | Err(_), Checked::Accepted) | (Ok(Some(_)) | Err(_), Checked::Rejected(_)) => Ok(()),
        (Ok(Some(point)), _) => Err(format!("{}: accepted, but {point}", tampered.what)),
        (Ok(None), _) => Err(format!("{}: {checked:?}, but all points are fine", tampered.what)),
        (Err(_), Checked::Stopped) => Err("nobody stops it".into()),
    }
}

/// The network is too large to try all points.
struct TooLarge;

impl Tampered<'_> {
    /// A point of the set that is a goal or has a successor outside of it.
    ///
    /// Zones and guards have integer bounds, so a violation has a witness among the points that are multiples of 1/(clocks + 1), not far beyond the largest constants.
    fn violation(&self) -> Result<Option<String>, TooLarge> {
        let network = self.subject.network;
        let clocks = network.clocks.len() - 1;
        let is_simple = !network.features.priorities && !network.features.diagonals;
        if clocks > 2 || self.states.len() > 60 || !is_simple || network.features.clock_copies {
            return Err(TooLarge);
        }
        let bounds =
            self.states.values().flatten().flatten().map(|difference| difference.bound.parts().0.abs());
        let largest = bounds.max().unwrap_or(0).max(self.largest_constant());
        let (parts, reach) = (clocks as i64 + 1, 2 * largest + 2);
        if largest > 7 {
            return Err(TooLarge);
        }
        let mut interpreter = Interpreter::new(network);
        let steps = reach * parts;
        let start = interpreter.initial();
        if let Some(missing) = self.first_outside(&mut interpreter, start, parts, steps) {
            return Ok(Some(format!("{missing:?} is missing, which time makes of the initial state")));
        }
        for cells in self.states.keys() {
            for number in 0..(steps + 1).pow(clocks as u32) {
                let mut values = vec![Rational::from(0)];
                let mut rest = number;
                for _ in 0..clocks {
                    values.push(fraction(rest % (steps + 1), parts));
                    rest /= steps + 1;
                }
                let state = state(network, cells, values);
                if self.contains(&state)
                    && let Some(found) = self.violates(&mut interpreter, &state, parts, steps)
                {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    fn largest_constant(&self) -> i64 {
        let network = self.subject.network;
        let guards = network.edges.iter().flat_map(|edge| &edge.clock_guard);
        let invariants = network.locations.iter().flat_map(|location| &location.clock_invariant);
        let goals = self.goals.iter().flat_map(|goal| &goal.clocks);
        let constants = guards.chain(invariants).chain(goals).map(|constraint| match constraint.bound {
            guidepost_network::Operand::Const(value) => i64::from(value).abs(),
            guidepost_network::Operand::Code(_, low, high) => i64::from(low).abs().max(i64::from(high).abs()),
        });
        constants.max().unwrap_or(0)
    }

    fn contains(&self, state: &State) -> bool {
        let cells: Vec<i32> =
            state.locations.iter().map(|at| at.0 as i32).chain(state.variables.iter().copied()).collect();
        let within = |difference: &Difference| {
            let (left, right) =
                (state.clocks[difference.left as usize], state.clocks[difference.right as usize]);
            let value = left.minus(right).expect("points are coarse");
            let (constant, strict) = difference.bound.parts();
            let constant = Rational::from(constant);
            value < constant || (value == constant && !strict)
        };
        self.states.get(&cells).is_some_and(|zones| zones.iter().any(|zone| zone.iter().all(within)))
    }

    /// The first of the states that time makes of a state, step by step, that is not in the set.
    fn first_outside(
        &self,
        interpreter: &mut Interpreter<'_>,
        mut state: State,
        parts: i64,
        steps: i64,
    ) -> Option<State> {
        let delay = fraction(1, parts);
        for _ in 0..=steps {
            if !self.contains(&state) {
                return Some(state);
            }
            if !interpreter.can_delay(&state, delay).ok()? {
                return None;
            }
            state = interpreter.delay(&state, delay).ok()?;
        }
        None
    }

    fn violates(
        &self,
        interpreter: &mut Interpreter<'_>,
        state: &State,
        parts: i64,
        steps: i64,
    ) -> Option<String> {
        let fails = || Some(format!("{state:?} fails"));
        let Ok(holds) = interpreter.invariants_hold(state) else { return fails() };
        if !holds {
            return None;
        }
        for goal in self.goals {
            match interpreter.satisfies(state, goal) {
                Ok(false) => {}
                Ok(true) => return Some(format!("{state:?} is a goal")),
                Err(_) => return fails(),
            }
        }
        let Ok(transitions) = interpreter.enabled(state) else { return fails() };
        for transition in transitions {
            match interpreter.fire(state, &transition) {
                Ok(Fired::Reached(next)) => {
                    if let Some(outside) = self.first_outside(interpreter, next, parts, steps) {
                        return Some(format!("{transition:?} leads from {state:?} to {outside:?}"));
                    }
                }
                Ok(_) => {}
                Err(_) => return fails(),
            }
        }
        None
    }
}

fn fraction(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator, denominator).expect("the denominator is positive")
}

fn state(network: &Network, cells: &[i32], clocks: Vec<Rational>) -> State {
    let (locations, variables) = cells.split_at(network.processes.len());
    State {
        locations: locations.iter().map(|&at| LocationId(at as u32)).collect(),
        variables: variables.to_vec(),
        clocks,
    }
}
