//! Which edges get in each other's way.
//!
//! Two transitions interfere when one reads what the other writes or both lead to the same location. The search for useless transitions removes,
//! together with a transition, everything that could only repeat what it does.

use crate::EdgeMask;
use guidepost_network::{ChannelRef, Code, EdgeId, Network, Operand, Sync, VarId};

/// For every edge what it writes, and for every variable and location who is concerned.
pub struct Interference {
    writes: Vec<Vec<VarId>>,
    targets: Vec<u32>,
    readers: Vec<Vec<u32>>,
    incoming: Vec<Vec<u32>>,
}

impl Interference {
    /// The interferences of a network.
    pub fn new(network: &Network) -> Self {
        let mut readers = vec![Vec::new(); network.variables.len()];
        let mut incoming = vec![Vec::new(); network.locations.len()];
        let mut writes = Vec::with_capacity(network.edges.len());
        for (id, edge) in (0..).zip(&network.edges) {
            incoming[edge.target.index()].push(id);
            let mut read: Vec<VarId> =
                codes(edge).flat_map(|code| network.program.footprint(code).reads).collect();
            read.sort_unstable();
            read.dedup();
            for variable in read {
                readers[variable.index()].push(id);
            }
            writes.push(edge.update.map_or_else(Vec::new, |code| network.program.writes(code)));
        }
        let targets = network.edges.iter().map(|edge| edge.target.0).collect();
        Self { writes, targets, readers, incoming }
    }

    /// Fills the mask with a transition's edges, every edge that reads a variable they may write, and every edge that leads to the same location
    /// as one of them.
    pub fn mask(&self, transition: &[EdgeId], mask: &mut EdgeMask) {
        mask.clear();
        for edge in transition {
            mask.insert(edge.0);
            let target = self.targets[edge.index()];
            for &other in &self.incoming[target as usize] {
                mask.insert(other);
            }
            for variable in &self.writes[edge.index()] {
                for &other in &self.readers[variable.index()] {
                    mask.insert(other);
                }
            }
        }
    }
}

/// All code of an edge.
fn codes(edge: &guidepost_network::Edge) -> impl Iterator<Item = Code> + '_ {
    let channel = match &edge.sync {
        Sync::Send(ChannelRef::Dynamic(code, _)) | Sync::Receive(ChannelRef::Dynamic(code, _)) => Some(*code),
        _ => None,
    };
    let clocks = edge.clock_guard.iter().flat_map(|constraint| {
        let bound = match constraint.bound {
            Operand::Code(code, ..) => Some(code),
            Operand::Const(_) => None,
        };
        [bound, constraint.condition].into_iter().flatten()
    });
    edge.data_guard.iter().copied().chain(channel).chain(clocks)
}
