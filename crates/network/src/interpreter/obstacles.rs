//! Why an edge cannot be taken now.

use super::transitions::{Offer, Resolved, priority};
use super::window::Interval;
use super::{Blocked, Failure, Fired, Interpreter, Rational, State, Transition};
use crate::network::{ChannelId, EdgeId, LocationId, LocationKind, Sync};
use crate::{Code, VarId};

/// A reason why an edge cannot be taken now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// A part of a guard does not hold; these variables are what it looks at.
    Data(EdgeId, Vec<VarId>),
    /// A part of a guard about clocks does not hold: the number of the constraint among those of the edge, and its bound here.
    Clock(EdgeId, usize, Rational),
    /// Nobody is ready to synchronise; these edges of others would, if their guards held.
    Partner(ChannelId, Vec<EdgeId>),
    /// Not everybody whom a synchronisation vector needs is ready.
    Vector(u32),
    /// Processes in committed locations have to move first.
    Committed(Vec<LocationId>),
    /// Another transition has a higher priority.
    Priority(Transition),
    /// An invariant would not hold, or a range would be left.
    Blocked(Blocked),
    /// An evaluation fails.
    Failure(Failure),
    /// It becomes possible by waiting.
    Later(Vec<Interval>),
}

impl Interpreter<'_> {
    /// Why an edge that leaves a current location cannot be taken now; nothing when it can. The state must satisfy its invariants.
    pub fn obstacles(&mut self, state: &State, id: EdgeId) -> Result<Vec<Obstacle>, Failure> {
        let mut obstacles = self.guard_obstacles(state, id)?;
        let mut ready = self.offers(state)?;
        ready.retain(|offer| offer.window.contains(Rational::ZERO));
        obstacles.extend(self.partner_obstacle(state, id, &ready)?);
        if obstacles.is_empty() {
            obstacles = self.rule_obstacles(state, id)?;
        }
        if !obstacles.is_empty() {
            let choices = self.choices(state)?.transitions.into_iter();
            let mut delays: Vec<Interval> = choices
                .filter(|choice| choice.transition.edges.contains(&id))
                .flat_map(|choice| choice.delays)
                .collect();
            delays.sort_by_key(|delays| delays.lower);
            delays.dedup();
            if !delays.is_empty() {
                obstacles.push(Obstacle::Later(delays));
            }
        }
        Ok(obstacles)
    }

    fn guard_obstacles(&mut self, state: &State, id: EdgeId) -> Result<Vec<Obstacle>, Failure> {
        let edge = &self.network.edges[id.index()];
        self.load(state);
        let mut obstacles = Vec::new();
        for &code in &edge.data_guard {
            if self.machine.eval(code)? == 0 {
                obstacles.push(Obstacle::Data(id, self.looks_at(code)));
            }
        }
        for (index, constraint) in edge.clock_guard.iter().enumerate() {
            let only = std::slice::from_ref(constraint);
            let bound = self.active(only)?.first().map(|(_, bound)| *bound);
            if let Some(bound) = bound
                && !self.constraints_hold(state, only)?
            {
                obstacles.push(Obstacle::Clock(id, index, bound));
            }
        }
        Ok(obstacles)
    }

    fn looks_at(&self, code: Code) -> Vec<VarId> {
        self.network.program.reads(code)
    }

    fn partner_obstacle(
        &mut self,
        state: &State,
        id: EdgeId,
        ready: &[Offer],
    ) -> Result<Option<Obstacle>, Failure> {
        let process = self.network.edges[id.index()].process;
        self.load(state);
        let (channel, wanted) = match self.resolved(id)? {
            Resolved::Send(channel) if self.network.channels[channel.index()].broadcast => return Ok(None),
            Resolved::Send(channel) => (channel, Resolved::Receive(channel)),
            Resolved::Receive(channel) => (channel, Resolved::Send(channel)),
            Resolved::Internal | Resolved::Join(_) => return Ok(None),
        };
        if ready.iter().any(|offer| offer.sync == wanted && offer.process != process) {
            return Ok(None);
        }
        let mut others = Vec::new();
        for location in &state.locations {
            for other in self.network.locations[location.index()].outgoing.clone().map(EdgeId) {
                if self.network.edges[other.index()].process != process && self.resolved(other)? == wanted {
                    others.push(other);
                }
            }
        }
        Ok(Some(Obstacle::Partner(channel, others)))
    }

    /// Guards hold and partners are ready: the committed rule, invariants and priorities are left.
    fn rule_obstacles(&mut self, state: &State, id: EdgeId) -> Result<Vec<Obstacle>, Failure> {
        let candidates = self.candidates(state)?;
        let own: Vec<Transition> =
            candidates.iter().filter(|candidate| candidate.edges.contains(&id)).cloned().collect();
        if own.is_empty() {
            let network = self.network;
            let committed = state.locations.iter().copied();
            let committed: Vec<LocationId> = committed
                .filter(|id| network.locations[id.index()].kind == LocationKind::Committed)
                .collect();
            return Ok(vec![match self.network.edges[id.index()].sync {
                Sync::Join(vector) if committed.is_empty() => Obstacle::Vector(vector),
                _ => Obstacle::Committed(committed),
            }]);
        }
        let mut obstacles = Vec::new();
        for transition in own {
            match self.fire(state, &transition) {
                Ok(Fired::Blocked(blocked)) => obstacles.push(Obstacle::Blocked(blocked)),
                Err(failure) => obstacles.push(Obstacle::Failure(failure)),
                Ok(Fired::Reached(_)) => {
                    let level = priority(self.network, &transition);
                    let higher =
                        self.enabled(state)?.into_iter().find(|other| priority(self.network, other) > level);
                    match higher {
                        Some(higher) => obstacles.push(Obstacle::Priority(higher)),
                        None => return Ok(Vec::new()),
                    }
                }
            }
        }
        obstacles.dedup();
        Ok(obstacles)
    }
}
