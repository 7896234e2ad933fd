//! Better schedules from good ones: two processes that need the same lock one after the other exchange their turns.
//!
//! A branch-and-bound search improves its best run by luck, once the space is large. But a run to the goal says more than its cost. It has a longest chain of events, each
//! waiting for the one before: durations within a process, and locks that are handed over. As long as all handovers on that chain stay, no order of the
//! other events is faster. So the neighbours of a run are those in which the first or last two users of a lock in a block of handovers on the chain change places, and a tabu search walks through
//! them (Nowicki & Smutnicki 1996, *A fast taboo search algorithm for the job shop problem*). Nothing here knows what a job shop is: locks are found in the model
//! ([`find_locks`](crate::remaining::find_locks)), events in the run ([`events`]).
//!
//! What the search believes about a neighbour need not be true: bounds from above, invariants and priorities are not looked at. So a run that looks better is followed in the space, transition by
//! transition, before it counts ([`ZoneSpace`](crate::zone_space::ZoneSpace)). A model in which that fails too often is left alone.

mod events;
mod tabu;

use events::{EdgeFacts, Events};
use guidepost_network::interpreter::Random;
use guidepost_network::{EdgeId, Network};
use tabu::Tabu;

/// So many improvements that turn out to be none end the attempts.
const MOST_FAILURES: u32 = 50;

/// The search among the neighbours of the best run.
pub(crate) struct Exchange {
    facts: EdgeFacts,
    tabu: Option<Tabu>,
    random: Random,
    failures: u32,
}

impl Exchange {
    /// For a network; `None` if it has no locks.
    pub(crate) fn new(network: &Network) -> Option<Self> {
        let facts = EdgeFacts::new(network);
        facts.has_locks().then(|| Self { facts, tabu: None, random: Random::new(1), failures: 0 })
    }

    /// Begins from a run, which is the best so far.
    pub(crate) fn begin(&mut self, path: &[Vec<EdgeId>]) {
        self.tabu = Events::new(&self.facts, path).and_then(Tabu::new);
    }

    /// Goes from neighbour to neighbour with an effort of so many events, until a run seems to take less time than `best`: its transitions.
    pub(crate) fn look(&mut self, effort: usize, best: i64) -> Option<Vec<Vec<EdgeId>>> {
        if self.failures >= MOST_FAILURES {
            return None;
        }
        self.tabu.as_mut()?.look(effort, best, &mut self.random)
    }

    /// The run that was found is not possible, or not better.
    pub(crate) fn reject(&mut self) {
        self.failures += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three jobs on two machines, one after the other, take 18; the best order takes 11, which is what the second machine and the shortest way to it need.
    #[test]
    fn exchanges_find_the_best_order() {
        let job = |number: u32, first: u32, second: u32| {
            format!(
                "process J{number}() {{ clock x; state A, B, C, D, E; init A; trans A -> B {{ guard !p; assign p = true, x = 0; }}, \
                 B -> C {{ guard x >= {first}; assign p = false; }}, C -> D {{ guard !q; assign q = true, x = 0; }}, \
                 D -> E {{ guard x >= {second}; assign q = false; }}; }} "
            )
        };
        let jobs = [job(0, 4, 2), job(1, 3, 4), job(2, 1, 4)].concat();
        let text = format!("bool p, q; {jobs} system J0, J1, J2;");
        let loaded = guidepost_language::load_text("shop.xta", &text);
        let network = guidepost_network::build(&loaded.model).0.unwrap();
        let mut exchange = Exchange::new(&network).unwrap();
        let sequence: Vec<Vec<EdgeId>> =
            (0..network.edges.len() as u32).map(|edge| vec![EdgeId(edge)]).collect();
        exchange.begin(&sequence);
        let (mut best, mut found) = (18, Vec::new());
        while let Some(transitions) = exchange.look(2000, best) {
            best = time_of(&transitions, &network);
            found = transitions;
        }
        assert_eq!(best, 11);
        found.sort();
        assert_eq!(found, sequence, "every transition is taken once");
    }

    /// How long a sequence of transitions takes: each as early as possible.
    fn time_of(transitions: &[Vec<EdgeId>], network: &Network) -> i64 {
        use guidepost_network::interpreter::{Interpreter, Rational};
        let mut interpreter = Interpreter::new(network);
        let mut state = interpreter.initial();
        let mut now = 0;
        for edges in transitions {
            let mut delay = 0;
            loop {
                let waited = interpreter.delay(&state, Rational::from(delay)).unwrap();
                let transition =
                    interpreter.candidates(&waited).unwrap().into_iter().find(|one| one.edges == *edges);
                if let Some(transition) = transition
                    && let guidepost_network::interpreter::Fired::Reached(next) =
                        interpreter.fire(&waited, &transition).unwrap()
                {
                    state = next;
                    break;
                }
                delay += 1;
                assert!(delay < 100, "every transition becomes possible");
            }
            now += delay;
        }
        now
    }
}
