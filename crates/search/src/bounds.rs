//! `sup`, `inf` and `bounds`: how large and how small a value gets.
//!
//! Integers are simply watched. For a clock, the abstraction must not blur its value: it is told apart up to a horizon, on exact zones. A result below
//! the horizon is exact, since nothing beyond it was seen; otherwise the horizon is moved and the exploration starts again.

use crate::answer::{Answer, BoundValue, Verdict};
use crate::frontier::Order;
use crate::reach::{Outcome, Search, Watcher};
use crate::statistics::Progress;
use crate::verify::{Configuration, model_failed};
use guidepost_explore::GoalTest;
use guidepost_explore::{
    Abstraction, Explorer, Extrapolation, Store, Subsumption, SymbolicState, Unsupported,
};
use guidepost_language::model::BoundKind;
use guidepost_network::{BoundItem, EvalError, Goal, Machine, Network, Operand, Question};
use guidepost_zones::{Bound, Zone};

/// Clocks are first told apart up to this value.
const FIRST_HORIZON: i32 = 256;
/// A clock that grows beyond this is called unbounded, and beyond so many times the largest constant of the model.
const LAST_HORIZON: i32 = 1 << 20;
const LAST_MULTIPLE: i32 = 16;

/// Answers a question about bounds.
pub(crate) fn measure(
    network: &Network,
    question: &Question,
    configuration: &Configuration,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Answer, Unsupported> {
    let Question::Bound { kind, within, items } = question else {
        unreachable!("only questions about bounds come here");
    };
    let mut horizon = FIRST_HORIZON;
    let last = last_horizon(network);
    loop {
        let goals: Option<&[Goal]> = within.as_ref().map(|predicate| predicate.goals.as_slice());
        let answer = measure_up_to(network, goals, items, horizon, configuration, observe)?;
        let too_short = answer.values.iter().zip(items).any(|(value, item)| {
            let beyond =
                |bound: Option<(i64, bool)>| bound.is_some_and(|(value, _)| value >= i64::from(horizon));
            let asks_sup = *kind != BoundKind::Inf && beyond(value.sup);
            let asks_inf = *kind != BoundKind::Sup && beyond(value.inf);
            matches!(item, BoundItem::Clock(_)) && (asks_sup || asks_inf)
        });
        if !too_short || answer.verdict == Verdict::Undecided {
            return Ok(answer);
        }
        if horizon >= last {
            let mut answer = answer;
            for (value, _) in
                answer.values.iter_mut().zip(items).filter(|(_, item)| matches!(item, BoundItem::Clock(_)))
            {
                value.sup = value.sup.filter(|(sup, _)| *sup < i64::from(horizon));
            }
            return Ok(answer);
        }
        horizon = horizon.saturating_mul(16).min(last);
    }
}

/// Up to where clocks are told apart at most.
fn last_horizon(network: &Network) -> i32 {
    let guards = network.edges.iter().flat_map(|edge| &edge.clock_guard);
    let invariants = network.locations.iter().flat_map(|location| &location.clock_invariant);
    let constants = guards.chain(invariants).map(|constraint| match constraint.bound {
        Operand::Const(value) => value.saturating_abs(),
        Operand::Code(_, low, high) => low.saturating_abs().max(high.saturating_abs()),
    });
    let largest = constants.max().unwrap_or(0);
    largest.saturating_mul(LAST_MULTIPLE).clamp(LAST_HORIZON, Bound::FAR)
}

fn measure_up_to(
    network: &Network,
    within: Option<&[Goal]>,
    items: &[BoundItem],
    horizon: i32,
    configuration: &Configuration,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Answer, Unsupported> {
    let goals: Vec<&Goal> = within.unwrap_or(&[]).iter().collect();
    let abstraction = Abstraction {
        extrapolation: Extrapolation::None,
        subsumption: Subsumption::Alu,
        approximate_stopwatches: configuration.approximate,
        ..Abstraction::REACHABILITY
    };
    let mut explorer = Explorer::new(network, &goals, abstraction)?;
    for item in items {
        if let BoundItem::Clock(clock) = item {
            explorer.observe(*clock, horizon);
        }
    }
    let mut store = Store::new(&explorer);
    let nothing = BoundValue { inf: None, sup: None };
    let mut meter = Meter {
        within,
        items,
        test: GoalTest::new(network),
        machine: Machine::new(&network.program),
        values: vec![Extent::default(); items.len()],
        observe,
    };
    let search = Search {
        explorer: &mut explorer,
        store: &mut store,
        order: Order::BreadthFirst,
        shortest: false,
        limits: &configuration.limits,
    };
    let (outcome, statistics) = search.run(&mut meter);
    let values = meter.values.iter().map(|extent| extent.seen.unwrap_or(nothing)).collect();
    let mut answer = match outcome {
        Outcome::Stopped(reason) => Answer::undecided(reason.describe(), statistics),
        Outcome::Failed(state, failure) => {
            let ordinals = state.map(|state| store.ordinals(state));
            model_failed(&failure, ordinals.as_deref(), statistics, &mut explorer, configuration.trace)
        }
        Outcome::Satisfied | Outcome::Exhausted => Answer::new(Verdict::Satisfied, statistics),
    };
    answer.approximate = explorer.is_approximate();
    answer.values = values;
    Ok(answer)
}

/// One end of a range: a value and whether it is excluded, or none at all.
type End = Option<(i64, bool)>;

/// What has been seen of a value.
#[derive(Clone, Copy, Default)]
struct Extent {
    seen: Option<BoundValue>,
}

impl Extent {
    fn include(&mut self, inf: End, sup: End) {
        self.seen = Some(match self.seen {
            None => BoundValue { inf, sup },
            Some(old) => BoundValue { inf: further(old.inf, inf, -1), sup: further(old.sup, sup, 1) },
        });
    }
}

/// The one of two ends that is further out, in the direction of growing or of falling values.
fn further(left: End, right: End, direction: i64) -> End {
    let reach = |(value, is_excluded): (i64, bool)| (value * direction, !is_excluded);
    left.zip(right).map(|(left, right)| if reach(left) >= reach(right) { left } else { right })
}

/// A bound of a zone as an end.
fn end(bound: Bound) -> End {
    (!bound.is_infinite()).then(|| (i64::from(bound.constant()), bound.is_strict()))
}

struct Meter<'q, 'o, 'n> {
    within: Option<&'q [Goal]>,
    items: &'q [BoundItem],
    test: GoalTest<'n>,
    machine: Machine<'n>,
    values: Vec<Extent>,
    observe: &'o mut (dyn FnMut(&Progress) + Send),
}

impl Meter<'_, '_, '_> {
    fn include(&mut self, state: &SymbolicState, zone: &Zone) -> Result<(), EvalError> {
        for (extent, item) in self.values.iter_mut().zip(self.items) {
            match item {
                BoundItem::Clock(clock) => {
                    let place = state.place(*clock).expect("observed clocks are active everywhere");
                    let inf = end(zone.get(0, place)).map(|(value, is_excluded)| (-value, is_excluded));
                    extent.include(inf, end(zone.get(place, 0)));
                }
                BoundItem::Value { code, .. } => {
                    self.machine.load(&state.cells);
                    let value = Some((i64::from(self.machine.eval(*code)?), false));
                    extent.include(value, value);
                }
            }
        }
        Ok(())
    }
}

impl Watcher for Meter<'_, '_, '_> {
    fn stored(&mut self, state: &SymbolicState) -> Result<bool, EvalError> {
        match self.within {
            None => self.include(state, &state.zone)?,
            Some(goals) => {
                for goal in goals {
                    if self.test.meets(goal, state)? {
                        let zone = self.test.zone().clone();
                        self.include(state, &zone)?;
                    }
                }
            }
        }
        Ok(false)
    }

    fn progress(&mut self, progress: &Progress) {
        (self.observe)(progress);
    }
}
