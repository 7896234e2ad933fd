//! A model, step by step.
//!
//! Where somebody has been is a tree: its nodes are concrete states, what leads from one to the next is a delay and a transition that the interpreter has
//! checked. Nothing is ever forgotten, so going back is going to another node, and doing something else there is a branch. A simulator has no
//! cursor: whoever uses it knows where they are, and several may use the same one.

mod way;
mod zone;

pub use way::Way;
pub(crate) use zone::EXACT;
pub use zone::{ClockRange, NoZone, Zone};

use crate::{ModelError, Session};
use guidepost_answer::{Evidence, RunEnding};
use guidepost_network::interpreter::{
    Choices, Failure, Interpreter, Obstacle, Random, Rational, ReplayReason, ReplayStep, ReplayedStep,
    RunEnd, RunStep, State, Transition,
};
use guidepost_network::{EdgeId, Network};
use zone::Zones;

/// A state that was visited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position(pub u32);

/// A step that was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// How long was waited.
    pub delay: Rational,
    /// The transition; `None` when the step only waits.
    pub transition: Option<Transition>,
    /// What it cost.
    pub cost: Rational,
}

impl Taken {
    fn of(step: &ReplayedStep) -> Self {
        Self { delay: step.delay, transition: step.transition.clone(), cost: step.cost }
    }
}

/// Why a step was not taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// It is not possible.
    #[error("{0}")]
    Impossible(ReplayReason),
    /// So many states are kept that no more are.
    #[error("{MOST_STATES} states have been visited, and no more are kept; save the run and begin anew")]
    Full,
}

impl From<ReplayReason> for Refused {
    fn from(reason: ReplayReason) -> Self {
        Self::Impossible(reason)
    }
}

/// A state of a hundred processes with their clocks takes some kilobytes; this many are enough for anybody's patience, and fit into memory.
const MOST_STATES: usize = 200_000;

/// A model, step by step.
pub struct Simulator {
    session: Session,
    nodes: Vec<Node>,
    zones: Zones,
}

struct Node {
    state: State,
    /// What led here, and from where; nothing for the root.
    came: Option<(Position, Taken)>,
    children: Vec<Position>,
    depth: usize,
    /// The time that has passed; `None` when it does not fit into a fraction.
    time: Option<Rational>,
}

impl Simulator {
    /// Begins in the initial state.
    ///
    /// # Errors
    /// When the initial state violates an invariant.
    pub fn new(session: Session) -> Result<Self, ModelError> {
        session.has_initial_state()?;
        let state = Interpreter::new(session.network()).initial();
        let root = Node { state, came: None, children: Vec::new(), depth: 0, time: Some(Rational::ZERO) };
        Ok(Self { session, nodes: vec![root], zones: Zones::default() })
    }

    /// The model.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Its network.
    pub fn network(&self) -> &Network {
        self.session.network()
    }

    /// The initial state.
    pub fn root(&self) -> Position {
        Position(0)
    }

    /// A position by its number, if there is one.
    pub fn position(&self, number: u64) -> Option<Position> {
        let position = Position(u32::try_from(number).ok()?);
        (self.nodes.len() > position.0 as usize).then_some(position)
    }

    /// All positions, in the order in which they were visited first.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        (0..self.nodes.len() as u32).map(Position)
    }

    fn node(&self, at: Position) -> &Node {
        &self.nodes[at.0 as usize]
    }

    /// The state at a position.
    pub fn state(&self, at: Position) -> &State {
        &self.node(at).state
    }

    /// How many steps lead to a position.
    pub fn depth(&self, at: Position) -> usize {
        self.node(at).depth
    }

    /// The time that has passed; `None` when it does not fit into a fraction.
    pub fn time(&self, at: Position) -> Option<Rational> {
        self.node(at).time
    }

    /// Where a position was reached from, and how; `None` for the root.
    pub fn came(&self, at: Position) -> Option<(Position, &Taken)> {
        self.node(at).came.as_ref().map(|(from, taken)| (*from, taken))
    }

    /// Where somebody went from here, oldest first.
    pub fn children(&self, at: Position) -> &[Position] {
        &self.node(at).children
    }

    /// The positions from the root to this one, both included.
    pub fn path(&self, at: Position) -> Vec<Position> {
        let mut path = vec![at];
        while let Some((from, _)) = self.came(path[path.len() - 1]) {
            path.push(from);
        }
        path.reverse();
        path
    }

    /// What can be done at a position, and when.
    ///
    /// # Errors
    /// When a guard has no value there: an error of the model.
    pub fn choices(&self, at: Position) -> Result<Choices, Failure> {
        Interpreter::new(self.network()).choices(self.state(at))
    }

    /// The edges that leave the location of a process, each with what is in its way.
    ///
    /// # Errors
    /// When a guard has no value there: an error of the model.
    pub fn obstacles(&self, at: Position, process: usize) -> Result<Vec<(EdgeId, Vec<Obstacle>)>, Failure> {
        let state = self.state(at);
        let mut interpreter = Interpreter::new(self.network());
        let location = state.locations[process];
        let edges = self.network().locations[location.index()].outgoing.clone().map(EdgeId);
        edges.map(|edge| Ok((edge, interpreter.obstacles(state, edge)?))).collect()
    }

    /// Waits, then takes the edges, if there are any. What was done before leads to where it led before.
    ///
    /// # Errors
    /// Why that is not possible.
    pub fn take(&mut self, at: Position, step: &ReplayStep) -> Result<Position, Refused> {
        let known = self.children(at).iter().copied().find(|&child| {
            self.came(child).is_some_and(|(_, taken)| {
                let edges = taken.transition.as_ref().map_or(&[][..], |transition| &transition.edges);
                taken.delay == step.delay && edges == step.edges
            })
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let step = Interpreter::new(self.network()).replay_step(self.state(at), step)?;
        self.add(at, Taken::of(&step), step.after)
    }

    fn add(&mut self, from: Position, taken: Taken, state: State) -> Result<Position, Refused> {
        if self.nodes.len() >= MOST_STATES {
            return Err(Refused::Full);
        }
        if let Some(&known) =
            self.children(from).iter().find(|&&child| self.came(child).is_some_and(|(_, old)| *old == taken))
        {
            return Ok(known);
        }
        let position = Position(self.nodes.len() as u32);
        let parent = &mut self.nodes[from.0 as usize];
        parent.children.push(position);
        let (depth, time) = (parent.depth + 1, parent.time.and_then(|time| time.plus(taken.delay).ok()));
        self.nodes.push(Node { state, came: Some((from, taken)), children: Vec::new(), depth, time });
        Ok(position)
    }

    /// Goes on at random for some steps; says where that leads, and why it ends sooner, if it does.
    ///
    /// # Errors
    /// When no more states are kept.
    pub fn wander(
        &mut self,
        mut at: Position,
        steps: usize,
        random: &mut Random,
    ) -> Result<(Position, RunEnd), Refused> {
        for _ in 0..steps {
            let mut interpreter = Interpreter::new(self.session.network());
            match interpreter.random_step(self.state(at), random) {
                Ok(Ok(step)) if self.network().features.costs => {
                    let edges = step.transition.edges;
                    at = self.take(at, &ReplayStep { delay: step.delay, edges })?;
                }
                // Without prices there is no more to know about it.
                Ok(Ok(RunStep { delay, transition, state })) => {
                    let taken = Taken { delay, transition: Some(transition), cost: Rational::ZERO };
                    at = self.add(at, taken, state)?;
                }
                Ok(Err(end)) => return Ok((at, end)),
                Err(failure) => return Ok((at, RunEnd::Failure(failure))),
            }
        }
        Ok((at, RunEnd::Length))
    }

    /// Adds a run that begins at a position and was replayed from there; gives its last position.
    ///
    /// # Errors
    /// When no more states are kept.
    pub fn graft(&mut self, at: Position, steps: &[ReplayedStep]) -> Result<Position, Refused> {
        steps.iter().try_fold(at, |at, step| self.add(at, Taken::of(step), step.after.clone()))
    }

    /// The run that leads to a position.
    pub fn evidence(&self, at: Position) -> Evidence {
        let path = self.path(at);
        let mut interpreter = Interpreter::new(self.network());
        let steps = path.iter().filter_map(|&position| {
            let (from, taken) = self.came(position)?;
            let before = interpreter.delay(self.state(from), taken.delay).ok()?;
            let (after, transition) = (self.state(position).clone(), taken.transition.clone());
            Some(ReplayedStep { delay: taken.delay, before, transition, after, cost: taken.cost })
        });
        let steps: Vec<ReplayedStep> = steps.collect();
        debug_assert_eq!(steps.len() + 1, path.len(), "every step was computed once");
        Evidence { initial: self.state(self.root()).clone(), steps, optimal: false, ending: RunEnding::Goal }
    }

    /// All clock values that the same transitions can lead to, at whatever times: the zone of a position.
    ///
    /// # Errors
    /// Why there is none, or not yet.
    pub fn zone(&mut self, at: Position) -> Result<Zone, NoZone> {
        let mut zones = std::mem::take(&mut self.zones);
        let zone = zones.zone(self, at);
        self.zones = zones;
        zone
    }
}
