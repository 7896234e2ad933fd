//! The loop of rounds, which can be paused: for those who let several engines take turns.
//!
//! What was learned is kept from one turn to the next, and nothing else, so a loop that pauses needs no memory. A round that is not over when its turn is, is given up. It is begun again when there is twice as much
//! effort for it, so that all of a round takes at most four times what it would take without pauses.

use crate::cegar::{Loop, Record, Round, Turn};
use crate::precision::Precision;
use guidepost_abstraction::Structure;
use guidepost_answer::{Answer, Event, Limits, Observe, Refinement, Statistics, Unsupported};
use guidepost_explore::effort::of_instructions;
use guidepost_network::Network;
use std::time::{Duration, Instant};

/// Refinement for one query, to be continued in turns.
pub struct Turns<'q> {
    task: Loop<'q>,
    structure: Structure,
    precision: Precision<'q>,
    record: Record,
    /// The effort that the present round has been given in vain.
    in_vain: u64,
    /// Time that was spent so far.
    elapsed: Duration,
}

impl<'q> Turns<'q> {
    /// Nothing has been learned yet.
    pub(crate) fn new(task: Loop<'q>) -> Self {
        let begin = Instant::now();
        let structure = Structure::new(task.network);
        let precision = task.precision(&structure);
        let mut record = Record::default();
        record.statistics.effort = of_preparing(task.network);
        Self { task, structure, precision, record, in_vain: 0, elapsed: begin.elapsed() }
    }

    /// What it has done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics { seconds: self.elapsed.as_secs_f64(), ..self.record.statistics }
    }

    /// Continues until the answer is known, within limits, or so much effort has been spent in all.
    pub fn advance(
        &mut self,
        limits: &Limits,
        effort: u64,
        observe: &mut Observe<'_>,
    ) -> Result<Option<Answer>, Unsupported> {
        let turn = Turn { limits, begin: Instant::now(), effort };
        let answer = self.go_on(turn, observe);
        self.elapsed += turn.begin.elapsed();
        Ok(answer?.map(|answer| Answer {
            statistics: self.statistics(),
            refinement: Some(self.refinement()),
            ..answer
        }))
    }

    fn go_on(&mut self, turn: Turn<'_>, observe: &mut Observe<'_>) -> Result<Option<Answer>, Unsupported> {
        loop {
            let left = turn.effort.saturating_sub(self.record.statistics.effort);
            if left == 0 || left < self.in_vain.saturating_mul(2) {
                return Ok(None);
            }
            self.in_vain = 0;
            let Self { precision, structure, record, .. } = self;
            match self.task.round(precision, structure, turn, record, observe)? {
                Round::Over(answer) => return Ok(Some(*answer)),
                Round::Show(symbols) => {
                    record.rounds += 1;
                    precision.show(structure, symbols);
                }
                Round::Learn(predicates, _, kept) => {
                    record.rounds += 1;
                    // What is shown has other transitions.
                    let hides_the_same = precision.learn(structure, predicates);
                    record.kept = kept.filter(|_| hides_the_same);
                }
                Round::Again => {}
                Round::Paused => {
                    self.in_vain = left;
                    return Ok(None);
                }
            }
            observe(Event::Refined(self.task.index, &self.refinement()));
        }
    }

    fn refinement(&self) -> Refinement {
        let Record { rounds, nodes, covered, .. } = self.record;
        let (precision, hidden) = (self.precision.names(), self.precision.hidden_names());
        Refinement { rounds, nodes, covered, precision, hidden }
    }
}

impl Loop<'_> {
    /// The answer to the query, without pauses.
    pub(crate) fn pursue(self, limits: &Limits, observe: &mut Observe<'_>) -> Result<Answer, Unsupported> {
        let begin = Instant::now();
        let mut turns = Turns::new(self);
        let answer = turns.advance(&limits.left_since(begin), u64::MAX, observe)?;
        Ok(answer.expect("it does not pause"))
    }
}

/// What it takes to begin: who reads and writes what is found out, at worst everybody everything.
pub(crate) fn of_preparing(network: &Network) -> u64 {
    of_instructions((network.edges.len() * network.variables.len()) as u64)
}
