//! Certificates that were tampered with: what the checker says of them is what trying all points says.

use super::certificates::{Found, Maker, States, build, certificate, is_so, read, states, written};
use super::{Mismatch, Subject};
use guidepost_certificate::{Bound, Certificate, Checked, Claim, Difference};
use guidepost_network::interpreter::{Fired, Interpreter, Rational, State};
use guidepost_network::{CompiledQuery, Goal, LocationId, Network, Question};
use guidepost_oracle::Random;
use std::ops::Range;

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
    let maker = match query.question.target() {
        None => Maker::Hunt,
        Some(_) if subject.seed.is_multiple_of(2) => Maker::Exploration,
        Some(_) => Maker::Labels,
    };
    let Found::Certificate(certificate) = certificate(network, query, maker)? else { return Ok(()) };
    let Some(claim) = Claim::of(&query.question) else { return Ok(()) };
    if certificate.check(network, claim, None, &mut || true) != Checked::Accepted {
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
    expect(&Tampered { subject, claim, states: without_start, what: "no initial state" })?;
    for _ in 0..12 {
        if original.is_empty() {
            break;
        }
        let (states, what) = change(&original, claim, network, &mut random);
        expect(&Tampered { subject, claim, states, what })?;
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

/// A certificate is accepted for another query only if what it proves of that is so, too.
fn ask_for_something_else(
    subject: &Subject<'_>,
    certificate: &Certificate,
    other: &Question,
) -> Result<(), String> {
    let Some(claim) = Claim::of(other) else { return Ok(()) };
    let Ok(is_so) = is_so(subject, other) else { return Ok(()) };
    if certificate.check(subject.network, claim, None, &mut || true) == Checked::Accepted && !is_so {
        return Err("accepted for a query whose answer is another".into());
    }
    Ok(())
}

/// One random change.
fn change(
    original: &States,
    claim: Claim<'_>,
    network: &Network,
    random: &mut Random,
) -> (States, &'static str) {
    let mut states = original.clone();
    let keys: Vec<Vec<i32>> = states.keys().cloned().collect();
    let key = random.pick(&keys).clone();
    let zones = states.get_mut(&key).expect("it is there");
    let place = random.below(zones.len());
    let goals = claim.awaited.unwrap_or(claim.unreachable);
    match random.below(if claim.awaited.is_some() { 7 } else { 5 }) {
        5.. => {
            let rank = &mut zones[place].1;
            *rank = if random.chance(30) { random.below(4) as u32 } else { rank.saturating_sub(1) };
            (states, "a changed rank")
        }
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
            let rank = random.below(if claim.awaited.is_some() { 3 } else { 1 }) as u32;
            states.entry(cells).or_default().push((Vec::new(), rank));
            (states, "added states")
        }
        kind => {
            let zone = &mut zones[place].0;
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
    claim: Claim<'t>,
    states: States,
    what: &'static str,
}

/// What the checker says of it is what trying all points says.
fn expect(tampered: &Tampered<'_>) -> Result<(), String> {
    let network = tampered.subject.network;
    let certificate = build(network, "tampered", &tampered.states);
    let checked = certificate.check(network, tampered.claim, None, &mut || true);
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
        let zones = self.states.values().flatten().map(|(zone, _)| zone);
        let bounds = zones.flatten().map(|difference| difference.bound.parts().0.abs());
        let largest = bounds.max().unwrap_or(0).max(self.largest_constant());
        let (parts, reach) = (clocks as i64 + 1, 2 * largest + 2);
        if largest > 7 {
            return Err(TooLarge);
        }
        let mut interpreter = Interpreter::new(network);
        let steps = reach * parts;
        let grid = Grid { parts, steps };
        let start = interpreter.initial();
        let is_awaited = self.claim.awaited.is_some() && self.claim.trigger.is_none();
        let ranks = if is_awaited { WAITING } else { IDLE };
        if interpreter.invariants_hold(&start).unwrap_or(true)
            && let Some(missing) = self.first_outside(&mut interpreter, start, grid, &ranks)
        {
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
                let mut ranks = self.ranks_of(&state);
                ranks.dedup();
                for rank in ranks {
                    if let Some(found) = self.violates(&mut interpreter, &state, grid, rank) {
                        return Ok(Some(found));
                    }
                }
            }
        }
        Ok(None)
    }

    fn largest_constant(&self) -> i64 {
        let network = self.subject.network;
        let guards = network.edges.iter().flat_map(|edge| &edge.clock_guard);
        let invariants = network.locations.iter().flat_map(|location| &location.clock_invariant);
        let Claim { unreachable, awaited, trigger, .. } = self.claim;
        let goals = [Some(unreachable), awaited, trigger].into_iter().flatten().flatten();
        let goals = goals.flat_map(|goal: &Goal| &goal.clocks);
        let constants = guards.chain(invariants).chain(goals).map(|constraint| match constraint.bound {
            guidepost_network::Operand::Const(value) => i64::from(value).abs(),
            guidepost_network::Operand::Code(_, low, high) => i64::from(low).abs().max(i64::from(high).abs()),
        });
        constants.max().unwrap_or(0)
    }

    /// The ranks of the zones that contain a state.
    fn ranks_of(&self, state: &State) -> Vec<u32> {
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
        let zones = self.states.get(&cells).into_iter().flatten();
        zones.filter(|(zone, _)| zone.iter().all(within)).map(|(_, rank)| *rank).collect()
    }

    fn contains(&self, state: &State, ranks: &Range<u32>) -> bool {
        self.ranks_of(state).iter().any(|rank| ranks.contains(rank))
    }

    /// The first of the states that time makes of a state, step by step, that is not in the set with one of these ranks; those that wait for something wait until it holds.
    fn first_outside(
        &self,
        interpreter: &mut Interpreter<'_>,
        mut state: State,
        grid: Grid,
        ranks: &Range<u32>,
    ) -> Option<State> {
        let delay = grid.delay();
        for _ in 0..=2 * grid.steps {
            if *ranks != IDLE && self.is_awaited(interpreter, &state) {
                return None;
            }
            if !self.contains(&state, ranks) {
                return Some(state);
            }
            if !interpreter.can_delay(&state, delay).ok()? {
                return None;
            }
            state = interpreter.delay(&state, delay).ok()?;
        }
        None
    }

    fn is_awaited(&self, interpreter: &mut Interpreter<'_>, state: &State) -> bool {
        let goals = self.claim.awaited.unwrap_or(&[]);
        goals.iter().any(|goal| interpreter.satisfies(state, goal).unwrap_or(false))
    }

    /// What is wrong with a state that waits: nothing ever happens from there, or time passes for ever within the set.
    fn never_ends(&self, interpreter: &mut Interpreter<'_>, state: &State, grid: Grid) -> Option<String> {
        let delay = grid.delay();
        let (mut now, mut escapes, mut stays) = (state.clone(), false, true);
        for _ in 0..=2 * grid.steps {
            if self.is_awaited(interpreter, &now) {
                return None;
            }
            let enabled = interpreter.enabled(&now).unwrap_or_default();
            escapes |= enabled
                .iter()
                .any(|step| matches!(interpreter.fire(&now, step), Ok(Fired::Reached(_)) | Err(_)));
            stays &= self.contains(&now, &WAITING);
            if !interpreter.can_delay(&now, delay).ok()? {
                return (!escapes).then(|| format!("nothing is possible in {state:?}"));
            }
            now = interpreter.delay(&now, delay).ok()?;
        }
        (stays || !escapes).then(|| format!("time passes for ever from {state:?}"))
    }

    fn violates(
        &self,
        interpreter: &mut Interpreter<'_>,
        state: &State,
        grid: Grid,
        rank: u32,
    ) -> Option<String> {
        let fails = || Some(format!("{state:?} fails"));
        let Ok(holds) = interpreter.invariants_hold(state) else { return fails() };
        if !holds {
            return None;
        }
        for goal in self.claim.unreachable {
            match interpreter.satisfies(state, goal) {
                Ok(false) => {}
                Ok(true) => return Some(format!("{state:?} is a goal")),
                Err(_) => return fails(),
            }
        }
        let ranks = if rank == 0 { IDLE } else { 1..rank };
        if rank > 0 {
            if self.is_awaited(interpreter, state) {
                return None;
            }
            if let Some(found) = self.never_ends(interpreter, state, grid) {
                return Some(found);
            }
        }
        let triggers = self.claim.trigger.unwrap_or(&[]);
        if rank == 0
            && triggers.iter().any(|goal| interpreter.satisfies(state, goal).unwrap_or(false))
            && let Some(outside) = self.first_outside(interpreter, state.clone(), grid, &WAITING)
        {
            return Some(format!("{outside:?} does not wait after {state:?}"));
        }
        let Ok(transitions) = interpreter.enabled(state) else { return fails() };
        for transition in transitions {
            match interpreter.fire(state, &transition) {
                Ok(Fired::Reached(next)) => {
                    if let Some(outside) = self.first_outside(interpreter, next, grid, &ranks) {
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

/// Ranks as the checker knows them.
const IDLE: Range<u32> = 0..1;
const WAITING: Range<u32> = 1..u32::MAX;

/// Points are multiples of a part, up to a number of steps.
#[derive(Clone, Copy)]
struct Grid {
    parts: i64,
    steps: i64,
}

impl Grid {
    /// Half of a part, so that time passes from one part to the next with a stop between them.
    fn delay(self) -> Rational {
        fraction(1, 2 * self.parts)
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
