//! `sup`, `inf` and `bounds`: how large and how small a value gets.
//!
//! Integers are simply watched. For a clock, the abstraction must not change its value: it is exact up to a horizon, on exact zones. A result below
//! the horizon is exact, since nothing beyond it was seen; otherwise the horizon is moved and the exploration starts again.

use crate::configuration::Configuration;
use crate::evidence::failed_at;
use crate::frontier::Order;
use crate::reach::{End, Part, Search, Watcher};
use crate::{ENGINE, ProgressObserver};
use guidepost_answer::{
    Answer, BoundValue, Exploration, Measured, Measurement, Method, Outcome, Progress, Unsupported,
};
use guidepost_explore::{Explorer, Extrapolation, GoalTest, Subsumption, SymbolicState, ZoneAbstraction};
use guidepost_language::model::BoundKind;
use guidepost_network::{BoundItem, CompiledQuery, EvalError, Goal, Machine, Network, Operand, Question};
use guidepost_zones::{Bound, Zone};

/// Clocks are first told apart up to this value.
const FIRST_HORIZON: i32 = 256;
/// A clock that grows beyond this is called unbounded, and beyond so many times the largest constant of the model.
const LAST_HORIZON: i32 = 1 << 20;
const LAST_MULTIPLE: i32 = 16;

/// Answers a question about bounds.
pub(crate) fn measure(
    network: &Network,
    index: usize,
    query: &CompiledQuery,
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
) -> Result<Answer, Unsupported> {
    let Question::Bound { kind, within, items } = &query.question else {
        unreachable!("only questions about bounds come here");
    };
    let goals: Option<&[Goal]> = within.as_ref().map(|predicate| predicate.goals.as_slice());
    let mut horizon = FIRST_HORIZON;
    let last = last_horizon(network);
    loop {
        let mut pass = Pass::up_to(horizon, network, goals, items, configuration, observe)?;
        let is_beyond = pass.reaches(horizon, *kind, items) && pass.answer.outcome.is_decided();
        if is_beyond && horizon < last {
            horizon = horizon.saturating_mul(16).min(last);
            continue;
        }
        if is_beyond {
            pass.call_unbounded(horizon, items);
        }
        let values = query.expressions.iter().zip(pass.values);
        let measured = values.map(|(expression, value)| Measured { expression: expression.clone(), value });
        let measurement = Some(Measurement { kind: *kind, items: measured.collect() });
        return Ok(Answer { exploration: Exploration(index), measurement, ..pass.answer });
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

/// One exploration, with clocks told apart up to a horizon.
struct Pass {
    /// The answer so far, without the values.
    answer: Answer,
    /// By item of the query.
    values: Vec<BoundValue>,
}

impl Pass {
    fn up_to(
        horizon: i32,
        network: &Network,
        within: Option<&[Goal]>,
        items: &[BoundItem],
        configuration: &Configuration,
        observe: &mut ProgressObserver<'_>,
    ) -> Result<Self, Unsupported> {
        let goals: Vec<&Goal> = within.unwrap_or(&[]).iter().collect();
        let abstraction = ZoneAbstraction {
            extrapolation: Extrapolation::None,
            subsumption: Subsumption::Alu,
            approximate_stopwatches: configuration.approximate,
            ..ZoneAbstraction::REACHABILITY
        };
        let mut explorer = Explorer::new(network, &goals, abstraction)?;
        for item in items {
            if let BoundItem::Clock(clock) = item {
                explorer.observe(*clock, horizon);
            }
        }
        let mut meter = Meter {
            within,
            items,
            test: GoalTest::new(network),
            machine: Machine::new(&network.program),
            values: vec![Extent::default(); items.len()],
            observe,
        };
        let search = Search::new(explorer, Order::BreadthFirst, &configuration.limits);
        let mut search = search.reduced(configuration.reductions);
        let end = search.run(&mut meter);
        let statistics = search.numbers();
        let (mut explorer, trail) = search.into_trail();
        let outcome = match end {
            End::Stopped(reason) => Outcome::Stopped(reason),
            End::Failed(state, failure) => {
                failed_at(&failure, state, &trail.into_ways(), &mut explorer, configuration.wants_run())
            }
            End::Satisfied | End::Exhausted => Outcome::Decided(true),
        };
        let method = Method::blind(ENGINE, Order::BreadthFirst.name());
        let mut answer = Answer::new(outcome, method, Exploration(0), statistics);
        answer.approximate = explorer.is_approximate();
        let nothing = BoundValue { inf: None, sup: None };
        let values = meter.values.iter().map(|extent| extent.seen.unwrap_or(nothing)).collect();
        Ok(Self { answer, values })
    }

    /// Whether a clock goes so far, in a direction that was asked about.
    fn reaches(&self, horizon: i32, kind: BoundKind, items: &[BoundItem]) -> bool {
        let beyond = |bound: Option<(i64, bool)>| bound.is_some_and(|(value, _)| value >= i64::from(horizon));
        self.values.iter().zip(items).any(|(value, item)| {
            let asks_sup = kind != BoundKind::Inf && beyond(value.sup);
            let asks_inf = kind != BoundKind::Sup && beyond(value.inf);
            matches!(item, BoundItem::Clock(_)) && (asks_sup || asks_inf)
        })
    }

    /// Clocks that go beyond the last horizon have no bound.
    fn call_unbounded(&mut self, horizon: i32, items: &[BoundItem]) {
        let clocks =
            self.values.iter_mut().zip(items).filter(|(_, item)| matches!(item, BoundItem::Clock(_)));
        for (value, _) in clocks {
            value.sup = value.sup.filter(|(sup, _)| *sup < i64::from(horizon));
        }
    }
}

/// One end of a range: a value and whether it is excluded, or none at all.
type Extreme = Option<(i64, bool)>;

/// What has been seen of a value.
#[derive(Clone, Copy, Default)]
struct Extent {
    seen: Option<BoundValue>,
}

impl Extent {
    fn include(&mut self, inf: Extreme, sup: Extreme) {
        debug_assert!(
            inf.zip(sup).is_none_or(|(inf, sup)| inf.0 <= sup.0),
            "a range goes from its least to its largest value"
        );
        self.seen = Some(match self.seen {
            None => BoundValue { inf, sup },
            Some(old) => BoundValue { inf: further(old.inf, inf, -1), sup: further(old.sup, sup, 1) },
        });
    }
}

/// The one of two ends that is further out, in the direction of growing or of falling values.
fn further(left: Extreme, right: Extreme, direction: i64) -> Extreme {
    let reach = |(value, is_excluded): (i64, bool)| (value * direction, !is_excluded);
    left.zip(right).map(|(left, right)| if reach(left) >= reach(right) { left } else { right })
}

/// A bound of a zone as an end.
fn end(bound: Bound) -> Extreme {
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
                BoundItem::Value { expression, .. } => {
                    self.machine.load(&state.cells);
                    let value = Some((i64::from(self.machine.evaluate(expression)?), false));
                    extent.include(value, value);
                }
            }
        }
        Ok(())
    }
}

impl Watcher for Meter<'_, '_, '_> {
    fn stored(&mut self, state: &SymbolicState, _part: Part) -> Result<bool, EvalError> {
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
