//! The engine `walk`: random timed runs, step by step, until one meets a goal.
//!
//! A walk looks at one concrete state at a time: exact clock values, no zones. So it needs no memory, and it takes what zones do not: stop-watches, and clock
//! guards on urgent channels. What it finds is exact, for it is a run. That it finds nothing proves nothing, and the answer says so. Walks of a model whose
//! errors are frequent find them faster than any systematic search (West 1986, *Protocol validation by random state exploration*).
//!
//! The walks begin in the initial state one after the other, each as long as allowed or until nothing is possible any more. Each draws its delays and
//! transitions by a seed of its own, so that a run can be made again alone.
#![forbid(unsafe_code)]

use guidepost_answer::{
    Answer, CompiledQuery, Engine, Event, Evidence, Exploration, Limits, Method, ModelError, Observe,
    Outcome, Progress, RunEnding, RunKind, Statistics, StopReason, Unsupported, Watch, answer_each,
};
use guidepost_network::interpreter::{
    Failure, Interpreter, Random, Rational, ReplayStep, RunEnd, RunStep, State, replay,
};
use guidepost_network::{Goal, Network};

/// The name of the engine.
const ENGINE: &str = "walk";

/// Random timed runs.
#[derive(Clone, Debug)]
pub struct Walk {
    /// How many walks are tried for a query.
    pub walks: u64,
    /// How many transitions a walk has at most.
    pub length: usize,
    /// The seed of the first walk; the others count on from it.
    pub seed: u64,
    /// The evidence that is wanted.
    pub run: RunKind,
    /// What the walks for a query may use up; they store nothing, so only time and interrupts count.
    pub limits: Limits,
}

impl Default for Walk {
    fn default() -> Self {
        Self { walks: 1000, length: 1000, seed: 0, run: RunKind::None, limits: Limits::default() }
    }
}

impl Engine for Walk {
    fn name(&self) -> &'static str {
        ENGINE
    }

    fn accepts(&self, _network: &Network, query: &CompiledQuery) -> Result<(), Unsupported> {
        let refuse = |what| Err(Unsupported::Question { engine: ENGINE, what });
        match (query.question.target(), self.run) {
            (None, _) => refuse("anything but `E<>` and `A[]`"),
            (Some(_), RunKind::Shortest | RunKind::Fastest | RunKind::Cheapest) => {
                refuse("queries with best runs: shortest, fastest or cheapest")
            }
            (Some(_), RunKind::None | RunKind::Any) => Ok(()),
        }
    }

    fn answer(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        observe: &mut Observe<'_>,
    ) -> Result<(), Unsupported> {
        answer_each(self, network, queries, observe, |goals, holds_if_found, index, observe| {
            let mut hunt = Hunt::new(network, goals, &self.limits);
            let end = hunt.walk(self, &mut |progress| observe(Event::Progress(index, progress)));
            Ok(hunt.conclude(end, index, holds_if_found, self.run))
        })
    }
}

/// How the walks for a query end.
enum End {
    /// The last one has met a goal.
    Found(RunEnding),
    Stopped(StopReason),
    /// The last one has met an error of the model.
    Failed(Failure),
}

/// The walks for one query.
struct Hunt<'n> {
    network: &'n Network,
    goals: &'n [Goal],
    interpreter: Interpreter<'n>,
    watch: Watch,
    statistics: Statistics,
    /// The walk so far; a last step may only wait.
    steps: Vec<ReplayStep>,
}

impl<'n> Hunt<'n> {
    fn new(network: &'n Network, goals: &'n [Goal], limits: &Limits) -> Self {
        Self {
            network,
            goals,
            interpreter: Interpreter::new(network),
            watch: Watch::new(limits),
            statistics: Statistics::default(),
            steps: Vec::new(),
        }
    }

    fn walk(&mut self, options: &Walk, observe: &mut dyn FnMut(&Progress)) -> End {
        for number in 0..options.walks {
            let random = Random::new(options.seed.wrapping_add(number));
            match self.walk_once(random, options.length, observe) {
                Ok(Some(end)) => return end,
                // Numbers that outgrow their representation end a walk, not the search.
                Ok(None) | Err(Failure::TooPrecise(_)) => {}
                Err(failure) => return End::Failed(failure),
            }
        }
        End::Stopped(StopReason::Incomplete)
    }

    /// One walk; `None` when it meets nothing.
    fn walk_once(
        &mut self,
        mut random: Random,
        length: usize,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Option<End>, Failure> {
        self.steps.clear();
        let mut state = self.interpreter.initial();
        if !self.interpreter.invariants_hold(&state)? {
            return Ok(None);
        }
        for depth in 0..=length {
            if let Some(reason) = self.watch.check(0, || 0) {
                return Ok(Some(End::Stopped(reason)));
            }
            if self.watch.is_report_due() {
                observe(&Progress { statistics: self.numbers(), depth: depth as u64, ..Progress::default() });
            }
            self.statistics.explored += 1;
            let next = self.interpreter.random_step(&state, &mut random)?;
            if let Some(ending) = self.meets(&state, &next)? {
                return Ok(Some(End::Found(ending)));
            }
            let Ok(RunStep { delay, transition, state: reached }) = next else { return Ok(None) };
            if depth < length {
                self.steps.push(ReplayStep { delay, edges: transition.edges });
                self.statistics.generated += 1;
                state = reached;
            }
        }
        Ok(None)
    }

    /// Whether a state meets a goal, now or after a delay, given how the walk goes on from it. If so, waits for it, and says how a run that shows it ends.
    fn meets(&mut self, state: &State, next: &Result<RunStep, RunEnd>) -> Result<Option<RunEnding>, Failure> {
        let halt = match next {
            Ok(_) => None,
            Err(RunEnd::Deadlock) => Some(RunEnding::Waits),
            Err(_) => Some(RunEnding::Stuck),
        };
        for goal in self.goals {
            let (delay, ending) = match goal.deadlock {
                // Whether a transition is possible later is not known: only where the walk stands.
                Some(false) if halt.is_some() || !self.interpreter.satisfies(state, goal)? => continue,
                Some(false) => (Some(Rational::ZERO), RunEnding::Goal),
                Some(true) => match halt {
                    Some(ending) => (self.interpreter.delay_to(state, goal)?, ending),
                    None => continue,
                },
                None => (self.interpreter.delay_to(state, goal)?, RunEnding::Goal),
            };
            if let Some(delay) = delay {
                if delay != Rational::ZERO {
                    self.steps.push(ReplayStep { delay, edges: Vec::new() });
                }
                return Ok(Some(ending));
            }
        }
        Ok(None)
    }

    fn numbers(&self) -> Statistics {
        Statistics { seconds: self.watch.elapsed().as_secs_f64(), ..self.statistics }
    }

    fn conclude(mut self, end: End, index: usize, holds_if_found: bool, run: RunKind) -> Answer {
        let statistics = self.numbers();
        let mut evidence = None;
        let outcome = match end {
            End::Found(ending) => {
                evidence = (run != RunKind::None).then(|| self.evidence(ending));
                Outcome::Decided(holds_if_found)
            }
            End::Stopped(reason) => Outcome::Stopped(reason),
            End::Failed(Failure::Evaluation(error)) => {
                let way = (run != RunKind::None).then(|| self.evidence(RunEnding::Goal).ok()).flatten();
                Outcome::Failed(Box::new(ModelError { error, edges: Vec::new(), evidence: way }))
            }
            // The other engines report negative clocks; a walk only knows that it cannot go on.
            End::Failed(_) => Outcome::Stopped(StopReason::Incomplete),
        };
        let mut answer = Answer::new(outcome, Method::blind(ENGINE, ENGINE), Exploration(index), statistics);
        if let Some(evidence) = evidence {
            answer.attach(evidence);
        }
        answer
    }

    fn evidence(&mut self, ending: RunEnding) -> Result<Evidence, guidepost_answer::InternalError> {
        let steps = replay(self.network, &self.steps)?;
        Ok(Evidence { initial: self.interpreter.initial(), steps, optimal: false, ending })
    }
}
