//! What can happen in a discrete state, whatever the clocks say: the semantics of docs/semantics.md, once more, from the network alone.

use crate::zone::{Bound, Difference};
use guidepost_network::{
    ChannelId, ChannelRef, ClockConstraint, ClockOp, EdgeId, EvalError, LocationKind, Machine, Network,
    RangeViolation, Sync,
};

/// A transition that locations and data allow.
pub(crate) struct Move {
    /// Who takes part, in the order of their updates.
    pub(crate) edges: Vec<EdgeId>,
    /// What their guards demand of clocks.
    pub(crate) guard: Vec<Difference>,
    /// The guards of receivers that stay out: none of them holds.
    pub(crate) refused: Vec<Vec<Difference>>,
    /// Channel first, then process; higher goes first.
    pub(crate) priority: (u32, u32),
}

/// A clock, or zero, and a number.
pub(crate) type Origin = (usize, i64);

/// Where a transition leads.
pub(crate) struct Target {
    /// One cell per process, then one per variable.
    pub(crate) cells: Vec<i32>,
    /// What holds there.
    pub(crate) stay: Stay,
    /// By clock: the clock (or zero) that its value comes from, and what is added.
    pub(crate) origins: Vec<Origin>,
    /// What the invariants demand of the clocks *before* the transition.
    pub(crate) demanded: Vec<Difference>,
    /// How large clocks must be before it, or others become negative, which is an error of the model.
    pub(crate) lowered: Vec<Difference>,
}

/// What being in a discrete state means for clocks.
pub(crate) struct Stay {
    /// What the invariants demand.
    pub(crate) invariant: Vec<Difference>,
    pub(crate) lets_time_pass: bool,
}

/// Evaluates the code of a network in a discrete state.
pub(crate) struct Semantics<'n> {
    pub(crate) network: &'n Network,
    pub(crate) machine: Machine<'n>,
}

/// An edge, what it does, and what its guard demands of clocks: `None` where its data guard does not hold.
struct Offer {
    edge: EdgeId,
    process: usize,
    act: Act,
    guard: Result<Option<Vec<Difference>>, EvalError>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    Alone,
    Send(ChannelId),
    Receive(ChannelId),
    Join(u32),
}

impl<'n> Semantics<'n> {
    pub(crate) fn new(network: &'n Network) -> Self {
        Self { network, machine: Machine::new(&network.program) }
    }

    /// What it means to be in a discrete state; `None` where its data violate an invariant.
    pub(crate) fn stay(&mut self, cells: &[i32]) -> Result<Option<Stay>, EvalError> {
        let invariant = self.invariant(cells);
        let Some(invariant) = self.tolerate(invariant)? else { return Ok(None) };
        Ok(Some(Stay { invariant, lets_time_pass: self.lets_time_pass(cells)? }))
    }

    /// What the invariants demand of clocks; `None` where the data of the state violate one.
    fn invariant(&mut self, cells: &[i32]) -> Result<Option<Vec<Difference>>, EvalError> {
        self.machine.load(cells);
        let network = self.network;
        let locations = cells[..network.processes.len()].iter().map(|&at| &network.locations[at as usize]);
        let mut differences = Vec::new();
        for location in locations.clone() {
            if !self.machine.holds(&location.data_invariant)? {
                return Ok(None);
            }
        }
        for location in locations {
            differences.extend(self.differences(&location.clock_invariant)?);
        }
        Ok(Some(differences))
    }

    /// The constraints that count in the machine's state.
    pub(crate) fn differences(
        &mut self,
        constraints: &[ClockConstraint],
    ) -> Result<Vec<Difference>, EvalError> {
        let mut list = Vec::new();
        for constraint in constraints {
            if let Some(value) = self.machine.bound(constraint)? {
                let bound = Bound::new(value.into(), constraint.strict);
                list.push(Difference { left: constraint.left.0, right: constraint.right.0, bound });
            }
        }
        Ok(list)
    }

    /// Whether time may pass. Urgent channels count as soon as guards about data hold: models with guards about clocks there are refused.
    fn lets_time_pass(&mut self, cells: &[i32]) -> Result<bool, EvalError> {
        let network = self.network;
        let mut locations =
            cells[..network.processes.len()].iter().map(|&at| &network.locations[at as usize]);
        if locations.any(|location| location.kind != LocationKind::Normal) {
            return Ok(false);
        }
        if !network.features.urgent_channels {
            return Ok(true);
        }
        let is_urgent = |edge: &guidepost_network::Edge| {
            edge.sync.channels().iter().any(|id| network.channels[id.index()].urgent)
        };
        let offers = self.offers(cells, is_urgent)?;
        for sender in &offers {
            let Act::Send(id) = sender.act else { continue };
            let channel = &network.channels[id.index()];
            if !channel.urgent || sender.guard.clone()?.is_none() {
                continue;
            }
            if channel.broadcast {
                return Ok(false);
            }
            for receiver in receivers(&offers, id, sender.process) {
                if receiver.guard.clone()?.is_some() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// All transitions that locations, data and the committed rule allow, those of higher priority first.
    pub(crate) fn moves(&mut self, cells: &[i32]) -> Result<Vec<Move>, EvalError> {
        let network = self.network;
        let offers = self.offers(cells, |_| true)?;
        let kind = |location: usize| network.locations[location].kind;
        let is_committed =
            cells[..network.processes.len()].iter().any(|&at| kind(at as usize) == LocationKind::Committed);
        let leaves =
            |edge: &EdgeId| kind(network.edges[edge.index()].source.index()) == LocationKind::Committed;
        let mut found = Found { network, moves: Vec::new() };
        for offer in &offers {
            match offer.act {
                Act::Alone if !is_committed || leaves(&offer.edge) => {
                    found.combine(&[vec![offer]], network.internal_priority)?;
                }
                Act::Send(id) if network.channels[id.index()].broadcast => {
                    found.broadcast(offer, id, &offers)?;
                }
                Act::Send(id) => {
                    for receiver in receivers(&offers, id, offer.process) {
                        if !is_committed || leaves(&offer.edge) || leaves(&receiver.edge) {
                            let priority = network.channels[id.index()].priority;
                            found.combine(&[vec![offer], vec![receiver]], priority)?;
                        }
                    }
                }
                Act::Alone | Act::Receive(_) | Act::Join(_) => {}
            }
        }
        for vector in 0..network.vectors.len() as u32 {
            found.join(vector, &offers)?;
        }
        let mut moves = found.moves;
        moves.retain(|step| !is_committed || step.edges.iter().any(leaves));
        moves.sort_by_key(|step| std::cmp::Reverse(step.priority));
        Ok(moves)
    }

    /// The edges that leave the current locations.
    fn offers(
        &mut self,
        cells: &[i32],
        is_wanted: impl Fn(&guidepost_network::Edge) -> bool,
    ) -> Result<Vec<Offer>, EvalError> {
        let network = self.network;
        self.machine.load(cells);
        let mut offers = Vec::new();
        for (process, &at) in cells[..network.processes.len()].iter().enumerate() {
            for edge in network.locations[at as usize].outgoing.clone().map(EdgeId) {
                let data = &network.edges[edge.index()];
                if !is_wanted(data) {
                    continue;
                }
                let guard = self.guard(data);
                let act = match &data.sync {
                    Sync::Internal => Act::Alone,
                    Sync::Join(vector) => Act::Join(*vector),
                    Sync::Send(ChannelRef::Static(id)) => Act::Send(*id),
                    Sync::Receive(ChannelRef::Static(id)) => Act::Receive(*id),
                    Sync::Send(ChannelRef::Dynamic(code, _))
                    | Sync::Receive(ChannelRef::Dynamic(code, _)) => {
                        if guard.clone()?.is_none() {
                            continue;
                        }
                        let id = self.machine.eval(*code).map(Some);
                        let Some(id) = self.tolerate(id)? else { continue };
                        let id = ChannelId(id as u32);
                        if matches!(data.sync, Sync::Send(_)) { Act::Send(id) } else { Act::Receive(id) }
                    }
                };
                offers.push(Offer { edge, process, act, guard });
            }
        }
        Ok(offers)
    }

    fn guard(&mut self, edge: &guidepost_network::Edge) -> Result<Option<Vec<Difference>>, EvalError> {
        let guard = match self.machine.holds(&edge.data_guard) {
            Ok(true) => self.differences(&edge.clock_guard).map(Some),
            Ok(false) => Ok(None),
            Err(error) => Err(error),
        };
        self.tolerate(guard)
    }

    /// In abstractions, what fails does not hold, or is not possible: it runs where the original never does.
    fn tolerate<T>(&self, result: Result<Option<T>, EvalError>) -> Result<Option<T>, EvalError> {
        match result {
            Err(_) if self.network.range_violation == RangeViolation::Tolerated => Ok(None),
            result => result,
        }
    }

    /// Takes some edges in a discrete state; `None` if the data of the target forbid it.
    pub(crate) fn take(&mut self, cells: &[i32], edges: &[EdgeId]) -> Result<Option<Target>, EvalError> {
        let network = self.network;
        self.machine.load(cells);
        let mut operations = Vec::new();
        let own = edges.iter().map(|edge| network.edges[edge.index()].update);
        for code in std::iter::once(network.before_update).chain(own).chain([network.after_update]).flatten()
        {
            match self.machine.run_update(code, &mut operations) {
                Ok(()) => {}
                Err(error) if disables(network, &error) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        let mut cells = self.machine.state().to_vec();
        for edge in edges.iter().map(|edge| &network.edges[edge.index()]) {
            cells[edge.process.index()] = edge.target.0 as i32;
        }
        for (cell, variable) in cells[network.processes.len()..].iter_mut().zip(&network.variables) {
            if variable.meta {
                *cell = variable.initial;
            }
        }
        let Some(stay) = self.stay(&cells)? else { return Ok(None) };
        let (origins, lowered) = origins(network.clocks.len(), &operations);
        let before = |difference: &Difference| {
            let (left, right) = (origins[difference.left as usize], origins[difference.right as usize]);
            let bound = difference.bound.raised(right.1 - left.1);
            Difference { left: left.0 as u32, right: right.0 as u32, bound }
        };
        let mut demanded: Vec<Difference> = stay.invariant.iter().map(before).collect();
        let enough = |(clock, least): Origin| {
            let bound = Bound::new(-least, false);
            Difference { left: 0, right: clock as u32, bound }
        };
        let mut lowered: Vec<Difference> = lowered.into_iter().map(enough).collect();
        if network.range_violation == RangeViolation::Tolerated {
            // What would fail is not possible.
            demanded.append(&mut lowered);
        }
        Ok(Some(Target { cells, stay, origins, demanded, lowered }))
    }
}

/// In models of `TChecker`, an assignment that leaves its range makes the transition impossible; in abstractions, whatever fails does.
fn disables(network: &Network, error: &EvalError) -> bool {
    match network.range_violation {
        RangeViolation::Error => false,
        RangeViolation::Disables => error.fault.is_variable_range(),
        RangeViolation::Tolerated => true,
    }
}

/// Where the values of clocks come from after some operations, and what those lower: see [`Target`].
fn origins(clocks: usize, operations: &[ClockOp]) -> (Vec<Origin>, Vec<Origin>) {
    let mut origins: Vec<Origin> = (0..clocks).map(|clock| (clock, 0)).collect();
    let mut lowered = Vec::new();
    for &operation in operations {
        match operation {
            ClockOp::Set(clock, value) => origins[clock.index()] = (0, value.into()),
            ClockOp::Copy(clock, from, offset) => {
                let (source, sum) = origins[from.index()];
                let sum = sum + i64::from(offset);
                origins[clock.index()] = (source, sum);
                if sum < 0 {
                    lowered.push((source, -sum));
                }
            }
        }
    }
    (origins, lowered)
}

/// The edges of others that receive on a channel.
fn receivers(offers: &[Offer], channel: ChannelId, sender: usize) -> impl Iterator<Item = &Offer> {
    offers.iter().filter(move |offer| offer.act == Act::Receive(channel) && offer.process != sender)
}

/// Puts moves together.
struct Found<'n> {
    network: &'n Network,
    moves: Vec<Move>,
}

impl Found<'_> {
    /// A sender, and one edge of every other process that can receive; where all of its edges test clocks, none may hold, and it stays out.
    fn broadcast(&mut self, sender: &Offer, channel: ChannelId, offers: &[Offer]) -> Result<(), EvalError> {
        if sender.guard.clone()?.is_none() {
            return Ok(());
        }
        let mut choices = vec![vec![sender]];
        let mut silent = Vec::new();
        for process in 0..self.network.processes.len() {
            let mut edges = Vec::new();
            for receiver in
                receivers(offers, channel, sender.process).filter(|offer| offer.process == process)
            {
                if receiver.guard.clone()?.is_some() {
                    edges.push(receiver);
                }
            }
            if !edges.is_empty() {
                let tests_clocks =
                    |offer: &&Offer| matches!(&offer.guard, Ok(Some(guard)) if !guard.is_empty());
                silent.push(edges.iter().all(tests_clocks));
                choices.push(edges);
            }
        }
        let priority = self.network.channels[channel.index()].priority;
        // Every subset of the processes that may stay out does.
        let may_stay: Vec<usize> =
            (0..silent.len()).filter(|&place| silent[place]).map(|place| place + 1).collect();
        let mut subsets = vec![Vec::new()];
        for place in may_stay {
            let with = |subset: &Vec<usize>| subset.iter().copied().chain([place]).collect();
            subsets.extend(subsets.iter().map(with).collect::<Vec<Vec<usize>>>());
        }
        for out in subsets {
            let (refused, chosen): (Vec<_>, Vec<_>) =
                choices.iter().cloned().enumerate().partition(|(place, _)| out.contains(place));
            let chosen: Vec<Vec<&Offer>> = chosen.into_iter().map(|(_, edges)| edges).collect();
            let before = self.moves.len();
            self.combine(&chosen, priority)?;
            let guards =
                refused.iter().flat_map(|(_, edges)| edges).filter_map(|offer| offer.guard.clone().ok()?);
            let guards: Vec<_> = guards.collect();
            for step in &mut self.moves[before..] {
                step.refused.clone_from(&guards);
            }
        }
        Ok(())
    }

    /// One edge of every participant of a vector; a weak one stays out where it has no edge on the vector at all.
    fn join(&mut self, vector: u32, offers: &[Offer]) -> Result<(), EvalError> {
        let mut choices = Vec::new();
        for &(process, weak) in &self.network.vectors[vector as usize].participants {
            let joins = |offer: &&Offer| offer.process == process.index() && offer.act == Act::Join(vector);
            let edges: Vec<&Offer> = offers.iter().filter(joins).collect();
            if !(weak && edges.is_empty()) {
                choices.push(edges);
            }
        }
        if choices.is_empty() || choices.iter().any(Vec::is_empty) {
            return Ok(());
        }
        self.combine(&choices, self.network.internal_priority)
    }

    /// One move for every way to choose an edge of each list whose data guards hold.
    fn combine(&mut self, choices: &[Vec<&Offer>], channel: u32) -> Result<(), EvalError> {
        let mut partial: Vec<(Vec<EdgeId>, Vec<Difference>)> = vec![Default::default()];
        for edges in choices {
            let mut longer = Vec::new();
            for (chosen, guard) in &partial {
                for offer in edges {
                    let Some(own) = offer.guard.clone()? else { continue };
                    let chosen = chosen.iter().copied().chain([offer.edge]).collect();
                    longer.push((chosen, guard.iter().copied().chain(own).collect()));
                }
            }
            partial = longer;
        }
        let process =
            |edge: &EdgeId| self.network.processes[self.network.edges[edge.index()].process.index()].priority;
        for (edges, guard) in partial {
            let priority = (channel, edges.iter().map(process).max().unwrap_or(0));
            self.moves.push(Move { edges, guard, refused: Vec::new(), priority });
        }
        Ok(())
    }
}
