//! What a finished network uses.

use crate::network::{ClockConstraint, ClockId, ClockValue, Edge, Features, LocationKind, Network, Sync};

impl Network {
    /// Finds out again what the network uses, after a change.
    pub fn refresh_features(&mut self) {
        self.features = features(self);
    }
}

/// Looks through a network.
fn features(network: &Network) -> Features {
    let mut features = Features::default();
    for location in &network.locations {
        constraints(&location.clock_invariant, &mut features);
        features.lower_bound_invariants |= location.clock_invariant.iter().any(is_lower_bound);
        features.stopwatches |= !location.rates.is_empty();
        features.costs |= location.cost_rate.is_some();
        features.committed |= location.kind == LocationKind::Committed;
        features.urgent_locations |= location.kind == LocationKind::Urgent;
    }
    let effects = network.edges.iter().flat_map(|edge| &edge.clock_effects).chain(&network.hook_effects);
    features.clock_copies = effects.into_iter().any(|effect| matches!(effect.value, ClockValue::Clock(..)));
    let (mut sent, mut received) = (vec![false; network.channels.len()], vec![false; network.channels.len()]);
    for edge in &network.edges {
        constraints(&edge.clock_guard, &mut features);
        synchronisation(network, edge, &mut features, &mut sent, &mut received);
    }
    features.costs |= network.program.pays();
    let channels = network.channels.iter().enumerate();
    features.broadcast = channels.clone().any(|(id, channel)| channel.broadcast && sent[id] && received[id]);
    features.urgent_channels =
        channels.clone().any(|(id, channel)| channel.urgent && (sent[id] || received[id]));
    let differ = |first: Option<u32>, mut all: Box<dyn Iterator<Item = u32> + '_>| {
        all.any(|priority| Some(priority) != first)
    };
    let used = network.channels.iter().enumerate().filter(|(id, _)| sent[*id]).map(|(_, c)| c.priority);
    features.priorities = differ(Some(network.internal_priority), Box::new(used))
        || differ(
            network.processes.first().map(|process| process.priority),
            Box::new(network.processes.iter().map(|process| process.priority)),
        );
    features
}

fn constraints(constraints: &[ClockConstraint], features: &mut Features) {
    features.diagonals |= constraints.iter().any(ClockConstraint::is_diagonal);
}

fn is_lower_bound(constraint: &ClockConstraint) -> bool {
    constraint.left == ClockId::ZERO
}

fn synchronisation(
    network: &Network,
    edge: &Edge,
    features: &mut Features,
    sent: &mut [bool],
    received: &mut [bool],
) {
    let receives = matches!(edge.sync, Sync::Receive(_));
    for id in edge.sync.channels() {
        let channel = &network.channels[id.index()];
        let used = if receives { &mut *received } else { &mut *sent };
        used[id.index()] = true;
        let guarded = !edge.clock_guard.is_empty();
        features.guarded_broadcast_receivers |= channel.broadcast && receives && guarded;
        // Receivers of a broadcast do not decide whether it is enabled.
        features.guarded_urgent_channels |= channel.urgent && guarded && !(channel.broadcast && receives);
    }
}
