//! Moves over single points, against the interpreter: an engine that brings nothing but a representation of time.
//!
//! Along random runs, both must agree on what is possible now (guards, receivers that stay out, priorities, invariants of the target), on where it
//! leads, and on whether time stands still.

mod common;

use common::{Mismatch, Plan, Subject, hunt};
use guidepost_explore::{Candidates, ClockDifference, Moves, TimeDomain};
use guidepost_network::interpreter::{Fired, Interpreter, Random, Rational, State};
use guidepost_network::{ClockId, EdgeId, EvalError, LocationId, Network};
use guidepost_oracle::Profile;
use guidepost_oracle::generate::QueryKind;

const STEPS: usize = 12;

#[test]
fn moves_over_points_are_the_steps_of_the_interpreter() {
    let plan = Plan {
        first: 60_000_000,
        networks: 1500,
        kind: QueryKind::Reachability,
        queries: 0,
        profile: Profile::of,
    };
    hunt(&plan, &|subject| {
        walk(subject, subject.seed).map_err(|message| Mismatch::new(None, message))?;
        Ok(())
    });
}

/// The clock values of one state: there is one, or none.
struct Point<'s>(&'s [Rational]);

impl Point<'_> {
    fn satisfies(&self, constraint: ClockDifference) -> bool {
        let value = |clock: ClockId| self.0[clock.index()];
        let difference = value(constraint.left).minus(value(constraint.right)).expect("not too precise");
        let limit = i64::from(constraint.bound.constant()) * difference.denominator();
        difference.numerator() < limit || difference.numerator() == limit && !constraint.bound.is_strict()
    }
}

impl TimeDomain for Point<'_> {
    type Subset = bool;

    fn meets(&self, constraint: ClockDifference) -> bool {
        self.satisfies(constraint)
    }

    fn whole(&self) -> bool {
        true
    }

    fn nothing(&self) -> bool {
        false
    }

    fn is_empty(&self, part: &bool) -> bool {
        !part
    }

    fn restrict(&self, part: &mut bool, constraint: ClockDifference) {
        *part &= self.satisfies(constraint);
    }

    fn subtract(&self, part: &mut bool, other: &bool) {
        *part &= !other;
    }

    fn overlap(&self, part: &bool, other: &bool) -> bool {
        *part && *other
    }

    fn may_be_below(&self, part: &bool, clock: ClockId, value: i32) -> bool {
        let now = self.0[clock.index()];
        *part && now.numerator() < i64::from(value) * now.denominator()
    }
}

/// What can happen now: who moves, and where that leads.
type Steps = Vec<(Vec<EdgeId>, State)>;

fn by_moves(
    moves: &mut Moves<'_>,
    candidates: &mut Candidates,
    state: &State,
) -> Result<(Steps, bool), EvalError> {
    let locations = state.locations.iter().map(|location| location.0 as i32);
    let cells: Vec<i32> = locations.chain(state.variables.iter().copied()).collect();
    moves.set_source(&cells);
    let point = Point(&state.clocks);
    moves.find(&point, candidates)?;
    let mut steps = Vec::new();
    for position in 0..candidates.len() {
        let edges = candidates.get(position).edges;
        let possible = moves.possible(candidates, position, &point)?;
        if !possible || !moves.arrive(edges, |clock, value| point.may_be_below(&possible, clock, value))? {
            continue;
        }
        let clocks: Vec<Rational> = (0..state.clocks.len() as u32)
            .map(|clock| {
                let origin = moves.origin(ClockId(clock));
                let offset = Rational::new(origin.offset.into(), 1).expect("a whole number");
                state.clocks[origin.clock.index()].plus(offset).expect("not too precise")
            })
            .collect();
        if moves.invariants().iter().all(|&invariant| Point(&clocks).satisfies(invariant)) {
            steps.push((edges.to_vec(), state_of(moves.network(), moves.cells(), clocks)));
        }
    }
    moves.stay()?;
    Ok((steps, moves.may_delay()))
}

fn state_of(network: &Network, cells: &[i32], clocks: Vec<Rational>) -> State {
    let (locations, variables) = cells.split_at(network.processes.len());
    let locations = locations.iter().map(|&location| LocationId(location as u32)).collect();
    State { locations, variables: variables.to_vec(), clocks }
}

fn by_interpreter(interpreter: &mut Interpreter<'_>, state: &State) -> Result<Steps, String> {
    let enabled = interpreter.enabled(state).map_err(|failure| failure.to_string())?;
    let mut steps = Vec::new();
    for transition in enabled {
        match interpreter.fire(state, &transition).map_err(|failure| failure.to_string())? {
            Fired::Reached(target) => steps.push((transition.edges, target)),
            Fired::Blocked(_) => return Err(format!("{transition:?} is enabled and impossible")),
        }
    }
    Ok(steps)
}

fn agree(
    moves: &mut Moves<'_>,
    candidates: &mut Candidates,
    interpreter: &mut Interpreter<'_>,
    state: &State,
) -> Result<(), String> {
    let (ours, theirs) = (by_moves(moves, candidates, state), by_interpreter(interpreter, state));
    let ((mut ours, may_delay), mut theirs) = match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => (ours, theirs),
        (Ok(_), Err(failure)) => return Err(format!("only the interpreter fails: {failure} in {state:?}")),
        // The interpreter does not try what is outranked.
        (Err(_), _) => return Ok(()),
    };
    ours.sort_by(|left, right| left.0.cmp(&right.0));
    theirs.sort_by(|left, right| left.0.cmp(&right.0));
    if ours != theirs {
        return Err(format!("moves {ours:?}, interpreter {theirs:?} in {state:?}"));
    }
    let limit = interpreter.max_delay(state).map_err(|failure| failure.to_string())?;
    let stands_still = limit.is_some_and(|(longest, _)| longest == Rational::ZERO);
    if !may_delay && !stands_still {
        return Err(format!("time stands still for moves, not for the interpreter: {limit:?} in {state:?}"));
    }
    Ok(())
}

fn walk(subject: &Subject<'_>, seed: u64) -> Result<(), String> {
    let mut interpreter = Interpreter::new(subject.network);
    let mut random = Random::new(seed);
    let (mut moves, mut candidates) = (Moves::new(subject.network), Candidates::new(subject.network));
    let mut state = interpreter.initial();
    if !interpreter.invariants_hold(&state).map_err(|failure| failure.to_string())? {
        return Ok(());
    }
    for _ in 0..STEPS {
        agree(&mut moves, &mut candidates, &mut interpreter, &state)?;
        let Ok(Ok(step)) = interpreter.random_step(&state, &mut random) else { return Ok(()) };
        let later = interpreter.delay(&state, step.delay).map_err(|failure| failure.to_string())?;
        agree(&mut moves, &mut candidates, &mut interpreter, &later)?;
        state = step.state;
    }
    Ok(())
}

/// Edges that would meet nobody are passed over, but not those whose guards fail: that is an error of the model.
#[test]
fn guards_that_fail_are_reported_even_where_nobody_is_met() {
    let model = |guard: &str| {
        format!(
            "int[0,9] i = 7; int a[3]; int b[10]; chan c; broadcast chan d; int f() {{ return a[i]; }}
             process P() {{ state A, B; init A; trans A -> B {{ guard {guard}; sync c!; }}, A -> B {{ sync d?; }}; }}
             system P;"
        )
    };
    let guards = [
        ("a[i] == 0", true),
        ("i < 3 && a[i] == 0", false),
        ("a[2] == 0 && b[i] == 0 && i == 7", false),
        ("b[i + 3] == 0", true),
        ("10 / (i - 7) == 0", true),
        ("(i > 3 ? a[i] : 0) == 0", true),
        ("f() == 0", true),
    ];
    for (guard, fails) in guards {
        let (network, _) = common::prepare(&model(guard), &[]).expect("the model is fine");
        let mut moves = Moves::new(&network);
        let mut candidates = Candidates::new(&network);
        moves.set_source(&network.initial_cells());
        let clocks = vec![Rational::ZERO; network.clocks.len()];
        let found = moves.find(&Point(&clocks), &mut candidates);
        assert_eq!(found.is_err(), fails, "{guard}");
        assert!(candidates.is_empty(), "{guard}");
    }
}

/// Which channel of an array is meant may depend on the data: then nobody is passed over.
#[test]
fn partners_may_come_over_channels_that_depend_on_the_data() {
    let model = "int[0,2] i = 1; chan c[3]; chan d;
        process P() { state A; init A; trans A -> A { sync c[i]!; }; }
        process Q() { state A; init A; trans A -> A { sync c[1]?; }, A -> A { sync c[2]?; }, A -> A { sync d?; }; }
        system P, Q;";
    let (network, _) = common::prepare(model, &[]).expect("the model is fine");
    let mut moves = Moves::new(&network);
    let mut candidates = Candidates::new(&network);
    let clocks = vec![Rational::ZERO; network.clocks.len()];
    let mut cells = network.initial_cells();
    for (i, partners) in [(0, 0), (1, 1), (2, 1)] {
        *cells.last_mut().expect("there is a variable") = i;
        moves.set_source(&cells);
        moves.find(&Point(&clocks), &mut candidates).expect("no guard fails");
        assert_eq!(candidates.len(), partners, "i = {i}");
    }
}
