//! Sequences of events that show what was found, step by step by the interpreter.

use crate::backward::{Answer, Backward, Goal, Trail};
use crate::encoding::Encoding;
use crate::space::Made;
use crate::statistics::Statistics;
use guidepost_machines::sem::{Configuration, EventId};
use std::time::{Duration, Instant};

/// A shortest sequence may take so long; then any sequence is good enough.
const PATIENCE: Duration = Duration::from_secs(10);

/// Events, where they lead, and whether no fewer do.
pub(crate) struct Witness {
    pub(crate) events: Vec<EventId>,
    pub(crate) end: Configuration,
    pub(crate) is_shortest: bool,
}

impl Witness {
    fn nothing(encoding: &Encoding) -> Self {
        Self { events: Vec::new(), end: encoding.initial().clone(), is_shortest: false }
    }

    /// Goes along a trail as long as it leads nearer to its goal. `None` if it is not on the trail, or the trail ends before the goal.
    fn follow(mut self, encoding: &Encoding, trail: &Trail) -> Option<Self> {
        let rank = |configuration: &Configuration| {
            trail.rings.iter().position(|(base, set)| {
                encoding.interpreter.is_active(configuration, *base) && encoding.has(set, configuration)
            })
        };
        let mut now = rank(&self.end)?;
        while now > 0 {
            let steps = encoding.system.event_ids().flat_map(|event| {
                let steps = encoding.interpreter.steps(&self.end, event);
                steps.into_iter().map(move |step| (event, step.target))
            });
            let ranked = steps.filter_map(|(event, target)| Some((rank(&target)?, event, target)));
            let (next, event, target) = ranked.min_by_key(|(rank, ..)| *rank)?;
            if next >= now {
                return None;
            }
            self.events.push(event);
            (now, self.end) = (next, target);
        }
        Some(self)
    }
}

/// A shortest sequence of events to a goal, or at least one, if it is reachable. `exact` goes backwards from the root, with everything that a goal depends on.
pub(crate) fn witness(
    encoding: &Encoding,
    (backward, exact): (&mut Backward, &mut Backward),
    goal: &Goal,
    statistics: &mut Statistics,
) -> Made<Option<Witness>> {
    let deadline = encoding.space.hurry(Instant::now() + PATIENCE);
    let shortest = shortest(encoding, exact, goal);
    encoding.space.put_back(deadline);
    match shortest {
        Ok(found) => Ok(found),
        Err(_) => some(encoding, backward, goal, statistics),
    }
}

/// Backwards with everything that the goal depends on: the rings are exact distances.
fn shortest(encoding: &Encoding, exact: &mut Backward, goal: &Goal) -> Made<Option<Witness>> {
    let goal = goal.at_root(encoding)?;
    let mut trail = Trail::default();
    let answer = exact.decide(encoding, &goal, &mut trail, &mut Statistics::default())?;
    if answer != Answer::Reachable {
        return Ok(None);
    }
    let found = Witness::nothing(encoding).follow(encoding, &trail);
    Ok(found.map(|witness| Witness { is_shortest: true, ..witness }))
}

/// Any sequence: into the state that the proof begins in, then along the proof.
fn some(
    encoding: &Encoding,
    backward: &mut Backward,
    goal: &Goal,
    statistics: &mut Statistics,
) -> Made<Option<Witness>> {
    let mut trail = Trail::default();
    let answer = backward.decide(encoding, goal, &mut trail, statistics)?;
    if answer != Answer::Reachable {
        return Ok(None);
    }
    let begin = match trail.entered {
        None => Some(Witness::nothing(encoding)),
        Some(base) => {
            let goal = backward.goal(encoding, &encoding.active(base)?, base, [])?;
            some(encoding, backward, &goal, statistics)?
        }
    };
    Ok(begin.and_then(|begin| begin.follow(encoding, &trail)))
}
