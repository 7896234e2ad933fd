//! `sup`, `inf` and `bounds`: how large and how small a value gets.
//!
//! Integers are simply watched. For a clock, the abstraction must not change its value: it is exact up to a horizon, on exact zones. A result below
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
use guidepost_network::{BoundItem, EvalError, Goal, Machine, Network, Question};
use guidepost_zones::{Bound, Zone};

/// Clocks are first told apart up to this value.
const FIRST_HORIZON: i32 = 256;
/// A clock that grows beyond this is called unbounded.
const LAST_HORIZON: i32 = 1 << 20;

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
        if horizon >= LAST_HORIZON {
            let mut answer = answer;
            for (value, _) in
                answer.values.iter_mut().zip(items).filter(|(_, item)| matches!(item, BoundItem::Clock(_)))
            {
                value.sup = value.sup.filter(|(sup, _)| *sup < i64::from(horizon));
            }
            return Ok(answer);
        }
        horizon = horizon.saturating_mul(16).min(LAST_HORIZON);
    }
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
    let values = meter.values.iter().map(|extent| extent.value().unwrap_or(nothing)).collect();
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

/// What has been seen of a value: bounds on it from above and, negated, from below.
#[derive(Clone, Copy, Default)]
struct Extent {
    seen: Option<(Bound, Bound)>,
}

impl Extent {
    fn include(&mut self, upper: Bound, negated_lower: Bound) {
        self.seen = Some(match self.seen {
            None => (upper, negated_lower),
            Some((old_upper, old_lower)) => (old_upper.max(upper), old_lower.max(negated_lower)),
        });
    }

    fn value(self) -> Option<BoundValue> {
        let (upper, lower) = self.seen?;
        let finite =
            |bound: Bound| (!bound.is_infinite()).then(|| (i64::from(bound.constant()), bound.is_strict()));
        let sup = finite(upper);
        let inf = finite(lower).map(|(value, strict)| (-value, strict));
        Some(BoundValue { inf, sup })
    }
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
                    extent.include(zone.get(place, 0), zone.get(0, place));
                }
                BoundItem::Value { code, .. } => {
                    self.machine.load(&state.cells);
                    let value = self.machine.eval(*code)?;
                    let limit = Bound::LIMIT - 1;
                    extent.include(
                        Bound::le(value.clamp(-limit, limit)),
                        Bound::le((-value).clamp(-limit, limit)),
                    );
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
