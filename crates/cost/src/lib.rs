//! The engine `cost`: cheapest and fastest runs.
//!
//! Asked for the cheapest (or fastest) run to a goal, it searches states with costs by branch and bound (`search`), reports each better run as soon as it is found, and proves in the end that none is
//! better. Costs are represented as simply as the network allows ([`Representation`]): a number, a clock, or a linear function on each zone. What is still to be paid from a
//! state on is bounded from below by what the model says about each process (`remaining`). The run that it shows has been replayed by the interpreter, which adds up its cost again.
#![forbid(unsafe_code)]

mod advice;
mod bounds;
mod exchange;
mod free_moves;
mod open;
mod priced_space;
mod remaining;
mod representation;
mod search;
mod source;
mod space;
mod zone_space;

pub use bounds::{BoundsEntry, LowerBounds};
pub use open::Order;
pub use representation::Representation;

use advice::{Advice, HEUR, REMAINING};
use guidepost_answer::{
    Answer, BoundValue, CompiledQuery, Cost, Engine, Event, Evidence, Exploration, InternalError, Limits,
    Measure, Measured, Measurement, Method, ModelError, Observe, Outcome, Question, RunEnding, RunKind,
    StopReason, Trust, Unsupported,
};
use guidepost_language::model::BoundKind;
use guidepost_network::interpreter::{Interpreter, Rational, ReplayStep, State, replay};
use guidepost_network::{Goal, Network};
use priced_space::PricedSpace;
use remaining::{Remaining, Tariff};
use search::{End, Heard, Search};
use space::{NEVER, Space};
use zone_space::{ZoneSpace, with_cost_clock};

/// The name of the engine.
const ENGINE: &str = "cost";

/// Cheapest and fastest runs.
#[derive(Clone, Debug, Default)]
pub struct Cheapest {
    /// The run that is wanted; without a measure, the cheapest.
    pub run: RunKind,
    /// In which order states are expanded.
    pub order: Order,
    /// How costs are represented; `None` chooses the simplest. One that the network does not allow is not used.
    pub representation: Option<Representation>,
    /// Where lower bounds come from; with [`LowerBounds::None`], moves that can only help are not looked for, either.
    pub bounds: LowerBounds,
    /// What the search for each query may use up.
    pub limits: Limits,
}

impl Engine for Cheapest {
    fn name(&self) -> &'static str {
        ENGINE
    }

    fn accepts(&self, network: &Network, query: &CompiledQuery) -> Result<(), Unsupported> {
        let refuse = |what| Err(Unsupported::Question { engine: ENGINE, what });
        let Some((goals, _)) = target(&query.question) else {
            return refuse("anything but `E<>`, `A[]` and `inf{…}: cost`");
        };
        if goals.iter().any(|goal| goal.deadlock.is_some()) {
            return refuse(
                "questions about `deadlock`; `--trace some` or `shortest` does, and the least cost of stopping in \
                 certain locations can be asked for by their names",
            );
        }
        if self.wants_remaining() && advice::find(network, REMAINING).is_none() {
            return refuse("with `bound=user` without a variable `remaining` in the model");
        }
        if self.order == Order::Heur && advice::find(network, HEUR).is_none() {
            return refuse("with `order=heur` without a variable `heur` in the model");
        }
        if self.wants_remaining() && self.run == RunKind::Fastest && network.features.costs {
            return refuse("with `bound=user` for the least time: `remaining` is about cost");
        }
        guidepost_explore::supports(network, false)
    }

    fn answer(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        observe: &mut Observe<'_>,
    ) -> Result<(), Unsupported> {
        for (index, query) in queries.iter().enumerate() {
            self.accepts(network, query)?;
            let Some((goals, holds_if_found)) = target(&query.question) else { continue };
            let asks_for_cost = matches!(query.question, Question::LeastCost(_));
            let job = Job { network, original: network, goals, holds_if_found, asks_for_cost, index };
            let answer = self.pursue(&job, observe)?;
            observe(Event::Answered(index, Box::new(answer)));
        }
        Ok(())
    }
}

/// What a question looks for, and whether it holds if that is found.
fn target(question: &Question) -> Option<(&[Goal], bool)> {
    match question {
        Question::LeastCost(predicate) => Some((&predicate.goals, true)),
        question => question.target(),
    }
}

/// One question.
#[derive(Clone, Copy)]
struct Job<'q> {
    /// The network that is searched, in which the author's advice is kept.
    network: &'q Network,
    /// The network as it is.
    original: &'q Network,
    goals: &'q [Goal],
    holds_if_found: bool,
    asks_for_cost: bool,
    index: usize,
}

/// How a search went.
struct Outgoing {
    end: End,
    /// No run costs less, in units of the space.
    bound: i64,
    best: i64,
    schedule: Option<Result<Vec<ReplayStep>, InternalError>>,
    way: Option<Vec<ReplayStep>>,
    statistics: guidepost_answer::Statistics,
}

impl Cheapest {
    fn measure(&self, job: &Job<'_>) -> Measure {
        let is_clock = || job.network.clocks.iter().any(|clock| clock.name == "cost");
        match self.run.measure() {
            Some(Measure::Time) if !job.asks_for_cost => Measure::Time,
            // `clock cost;` without prices: the cost is the time.
            _ if !job.network.features.costs && is_clock() => Measure::Time,
            _ => Measure::Cost,
        }
    }

    fn wants_remaining(&self) -> bool {
        self.bounds == LowerBounds::User
    }

    fn pursue(&self, job: &Job<'_>, observe: &mut Observe<'_>) -> Result<Answer, Unsupported> {
        let advice = Advice::new(job.network, self.wants_remaining(), self.order == Order::Heur);
        if !advice.is_some() {
            return self.pursue_with(job, advice, observe);
        }
        let kept = advice.kept(job.network);
        self.pursue_with(&Job { network: &kept, ..*job }, advice, observe)
    }

    fn pursue_with(
        &self,
        job: &Job<'_>,
        advice: Advice,
        observe: &mut Observe<'_>,
    ) -> Result<Answer, Unsupported> {
        let measure = self.measure(job);
        let is_blind = self.bounds == LowerBounds::None;
        let simplest = Representation::of(job.network, measure);
        let representation = match self.representation {
            // A function can represent everything, if time itself has a price.
            Some(Representation::Function) if measure == Measure::Cost => Representation::Function,
            _ => simplest,
        };
        let tariff = match representation {
            Representation::Number => Tariff::Prices,
            Representation::Clock { .. } if measure == Measure::Time => Tariff::Time,
            Representation::Clock { .. } => Tariff::TimeAndPrices,
            Representation::Function => Tariff::RatesAndPrices,
        };
        let remaining = Remaining::new(job.network, job.goals, self.bounds, tariff);
        let factor = if let Representation::Clock { factor } = representation { factor } else { 1 };
        let remaining = remaining.with_advice(advice, factor);
        let (outgoing, factor) = match representation {
            Representation::Number => {
                let mut space = ZoneSpace::new(job.network, job.goals, None, (true, 1), remaining, false)?;
                (self.search(&mut space, job, measure, 1, observe), 1)
            }
            Representation::Clock { factor } => {
                let (network, clock) = with_cost_clock(job.network);
                let mut space = ZoneSpace::new(
                    &network,
                    job.goals,
                    Some(clock),
                    (measure == Measure::Cost, factor),
                    remaining,
                    !is_blind && self.order != Order::Heur,
                )?;
                (self.search(&mut space, job, measure, factor, observe), factor)
            }
            Representation::Function => {
                let mut space = PricedSpace::new(job.network, job.goals, remaining)?;
                (self.search(&mut space, job, measure, 1, observe), 1)
            }
        };
        Ok(self.conclude(job, measure, outgoing, factor))
    }

    fn search(
        &self,
        space: &mut dyn Space,
        job: &Job<'_>,
        measure: Measure,
        factor: i64,
        observe: &mut Observe<'_>,
    ) -> Outgoing {
        let mut search = Search::new(space, self.order, &self.limits);
        let end = search.run(&mut |heard| match heard {
            Heard::Progress(progress) => observe(Event::Progress(job.index, &progress)),
            Heard::Improved(best, bound) => {
                let cost = cost_of(measure, best, bound, factor);
                observe(Event::Improved(job.index, cost));
            }
        });
        let (bound, statistics) = (search.bound(), search.numbers());
        let best = space.best();
        let schedule = (best < NEVER).then(|| space.schedule());
        let way = match &end {
            End::Failed(Some(id), _) => space.way(*id),
            _ => None,
        };
        Outgoing { end, bound, best, schedule, way, statistics }
    }

    fn conclude(&self, job: &Job<'_>, measure: Measure, outgoing: Outgoing, factor: i64) -> Answer {
        let Outgoing { end, bound, mut best, schedule, way, statistics } = outgoing;
        let is_found = best < NEVER;
        let shown = schedule.map(|steps| steps.and_then(|steps| evidence(job.original, &steps)));
        if let (End::Stopped(_), Some(Ok(evidence))) = (&end, &shown) {
            best = best.min(least_of_path(evidence, measure, factor));
        }
        let trust = match &shown {
            Some(Ok(shown)) if self.wants_remaining() => {
                let steps: Vec<ReplayStep> = shown.steps.iter().map(ReplayStep::from).collect();
                let kept = evidence(job.network, &steps);
                kept.map_or(Trust::Remaining, |kept| check_remaining(job.network, &kept, measure))
            }
            _ => Trust::Remaining,
        };
        let outcome = match end {
            End::Exhausted => Outcome::Decided(job.asks_for_cost || is_found == job.holds_if_found),
            // The bound may say what the search did not come to.
            End::Stopped(_) if is_found && bound == best => Outcome::Decided(job.holds_if_found),
            End::Stopped(reason) => Outcome::Stopped(reason),
            End::Failed(_, failure) => {
                let evidence = way.and_then(|steps| evidence(job.original, &steps).ok());
                Outcome::Failed(Box::new(ModelError { error: failure.error, edges: failure.edges, evidence }))
            }
        };
        let heuristic = match self.bounds {
            LowerBounds::Model => "remaining",
            other => other.name(),
        };
        let method = Method { engine: ENGINE, search: self.order.name(), heuristic: heuristic.into() };
        let mut answer = Answer::new(outcome, method, Exploration(job.index), statistics);
        let mut cost = cost_of(measure, best, bound, factor);
        if let Some(shown) = shown {
            match shown {
                Ok(evidence) => {
                    let total = total(&evidence, measure);
                    cost.attained = total.is_some_and(|total| Some(total) == cost.value.map(Rational::from));
                    let excess =
                        total.zip(cost.value).and_then(|(total, value)| total.minus(value.into()).ok());
                    let is_wrong = |excess: Rational| excess.is_negative() || excess > Rational::from(1);
                    if excess.is_none_or(is_wrong) {
                        let message = format!("the run costs {total:?} instead of {:?}", cost.value);
                        answer.internal = Some(InternalError::NoRun(message));
                    }
                    if self.run != RunKind::None {
                        answer.attach(Ok(evidence));
                    }
                }
                Err(error) => answer.internal = Some(error),
            }
        }
        if job.asks_for_cost {
            // If the run that was found does not attain the value, another may.
            let inf = cost.value.map(|value| (value, false));
            let measured = Measured { expression: "cost".to_owned(), value: BoundValue { inf, sup: None } };
            answer.measurement = Some(Measurement { kind: BoundKind::Inf, items: vec![measured] });
        }
        if self.wants_remaining() {
            cost.trust = trust;
            if matches!(trust, Trust::Broken(_)) {
                cost.lower_bound = None;
                if job.asks_for_cost {
                    // The least cost is not known, and nothing else was asked for.
                    answer.outcome = Outcome::Stopped(StopReason::Incomplete);
                    answer.measurement = None;
                }
            }
        }
        if is_found || matches!(answer.outcome, Outcome::Stopped(_)) {
            answer.cost = Some(cost);
        }
        answer
    }
}

/// What is known of the cost, in units of the model.
fn cost_of(measure: Measure, best: i64, bound: i64, factor: i64) -> Cost {
    let known = |value: i64| (value < NEVER).then_some(value.saturating_mul(factor));
    let (value, lower_bound) = (known(best), known(bound));
    Cost { measure, value, lower_bound, attained: best < NEVER, trust: Trust::Nobody }
}

/// The least cost of the path that a run takes, in units of the space. The search may know more of it: a state is a piece of what its path leads to, and where the search was stopped, the
/// piece in which the goal is cheapest may still wait, while times are found for the whole path. The least cost of a path is an integer, and its run costs less than 1 more.
fn least_of_path(evidence: &Evidence, measure: Measure, factor: i64) -> i64 {
    let floor = |total: Rational| total.numerator().div_euclid(total.denominator());
    total(evidence, measure).map_or(NEVER, |total| floor(total).div_euclid(factor.max(1)))
}

/// Whether the variable `remaining` is nowhere along a run more than what the run still pays.
fn check_remaining(network: &Network, evidence: &Evidence, measure: Measure) -> Trust {
    let Some(var) = advice::find(network, REMAINING) else { return Trust::Remaining };
    let costs = std::iter::once(Some(Rational::ZERO)).chain(evidence.costs(measure));
    let states = std::iter::once(&evidence.initial).chain(evidence.steps.iter().map(|step| &step.after));
    let Some(total) = total(evidence, measure) else { return Trust::Remaining };
    let is_too_large = |(cost, state): (Option<Rational>, &State)| {
        let rest = cost.and_then(|cost| total.minus(cost).ok());
        rest.is_some_and(|rest| rest < Rational::from(i64::from(state.variables[var.index()])))
    };
    let broken = costs.zip(states).position(is_too_large);
    broken.map_or(Trust::Remaining, Trust::Broken)
}

/// The replayed run.
fn evidence(network: &Network, steps: &[ReplayStep]) -> Result<Evidence, InternalError> {
    let steps = replay(network, steps)?;
    let initial = Interpreter::new(network).initial();
    Ok(Evidence { initial, steps, optimal: false, ending: RunEnding::Goal })
}

/// What a run costs.
fn total(evidence: &Evidence, measure: Measure) -> Option<Rational> {
    evidence.costs(measure).pop().unwrap_or(Some(Rational::ZERO))
}
