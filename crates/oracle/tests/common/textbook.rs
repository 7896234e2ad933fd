//! The monotonicity abstraction as a textbook would write it: sets of values, all transitions tried in every layer, every combination of values evaluated.

use guidepost_network::{ChannelRef, Code, EdgeId, Goal, Machine, Network, Sync, VarId};
use std::collections::BTreeSet;

type Sets = Vec<BTreeSet<i32>>;

/// Computes h^L, slowly.
pub(crate) struct Textbook<'n> {
    network: &'n Network,
    goals: Vec<Goal>,
    machine: Machine<'n>,
    /// A value left its range, or an update read what its partner wrote: then the quick implementation may be coarser.
    is_exact: bool,
}

impl<'n> Textbook<'n> {
    pub(crate) fn new(network: &'n Network, goals: &[Goal]) -> Self {
        Self {
            network,
            goals: goals.to_vec(),
            machine: Machine::for_goals(&network.program, goals),
            is_exact: true,
        }
    }

    /// The number of layers to a goal, and whether the quick implementation must say the same.
    pub(crate) fn layers(&mut self, cells: &[i32]) -> (Option<u32>, bool) {
        let hooks = self.network.before_update.or(self.network.after_update).is_some();
        let metas = self.network.variables.iter().any(|variable| variable.meta);
        self.is_exact = !hooks && !metas && self.network.vectors.is_empty();
        if hooks || metas {
            // Those variables may have any value; nothing to compare with.
            return (None, false);
        }
        let mut sets: Sets = cells.iter().map(|&value| BTreeSet::from([value])).collect();
        for layer in 0.. {
            if self.is_goal(&sets) {
                return (Some(layer), self.is_exact);
            }
            let next = self.grow(&sets);
            if next == sets {
                break;
            }
            sets = next;
        }
        (None, self.is_exact)
    }

    fn is_goal(&mut self, sets: &Sets) -> bool {
        let goals = self.goals.clone();
        goals.iter().any(|goal| {
            goal.locations.iter().all(|(process, targets)| {
                targets.iter().any(|target| sets[process.index()].contains(&(target.0 as i32)))
            }) && goal.data.iter().all(|&code| self.can_hold(code, sets))
        })
    }

    /// Every assignment of values to the cells that a code reads.
    fn combinations(&self, code: Code, sets: &Sets) -> Vec<Vec<(usize, i32)>> {
        let mut all = vec![Vec::new()];
        for cell in self.machine.codes().cells_read(code) {
            let extend = |partial: &Vec<(usize, i32)>| {
                let with = |&value: &i32| partial.iter().copied().chain([(cell, value)]).collect();
                sets[cell].iter().map(with).collect::<Vec<Vec<(usize, i32)>>>()
            };
            all = all.iter().flat_map(extend).collect();
            assert!(all.len() <= 4096, "the random networks are smaller than that");
        }
        all
    }

    fn can_hold(&mut self, code: Code, sets: &Sets) -> bool {
        self.combinations(code, sets).into_iter().any(|values| {
            for (cell, value) in values {
                self.machine.state_mut()[cell] = value;
            }
            matches!(self.machine.eval(code), Ok(value) if value != 0)
        })
    }

    fn is_enabled(&mut self, edge: usize, sets: &Sets) -> bool {
        let data = &self.network.edges[edge];
        sets[data.process.index()].contains(&(data.source.0 as i32))
            && data.data_guard.iter().all(|&code| self.can_hold(code, sets))
    }

    fn channels(&self, edge: usize) -> BTreeSet<u32> {
        match &self.network.edges[edge].sync {
            Sync::Send(reference) | Sync::Receive(reference) => match reference {
                ChannelRef::Static(channel) => BTreeSet::from([channel.0]),
                ChannelRef::Dynamic(_, channels) => channels.iter().map(|channel| channel.0).collect(),
            },
            _ => BTreeSet::new(),
        }
    }

    /// Edges that could be the partner in a synchronisation.
    fn partners(&self, edge: usize, wants_sender: bool) -> Vec<usize> {
        let channels = self.channels(edge);
        let process = self.network.edges[edge].process;
        (0..self.network.edges.len())
            .filter(|&other| {
                let data = &self.network.edges[other];
                let is_sender = matches!(data.sync, Sync::Send(_));
                let is_receiver = matches!(data.sync, Sync::Receive(_));
                data.process != process
                    && (if wants_sender { is_sender } else { is_receiver })
                    && !self.channels(other).is_disjoint(&channels)
            })
            .collect()
    }

    fn is_broadcast(&self, edge: usize) -> bool {
        self.channels(edge).iter().any(|&channel| self.network.channels[channel as usize].broadcast)
    }

    fn grow(&mut self, sets: &Sets) -> Sets {
        let enabled: Vec<bool> =
            (0..self.network.edges.len()).map(|edge| self.is_enabled(edge, sets)).collect();
        let mut next = sets.clone();
        let mut taken = Vec::new();
        for edge in (0..enabled.len()).filter(|&edge| enabled[edge]) {
            let goes = match &self.network.edges[edge].sync {
                Sync::Internal | Sync::Join(_) => true,
                Sync::Send(_) => {
                    self.is_broadcast(edge) || self.partners(edge, false).iter().any(|&other| enabled[other])
                }
                Sync::Receive(_) => self.partners(edge, true).iter().any(|&other| enabled[other]),
            };
            if goes {
                let data = &self.network.edges[edge];
                next[data.process.index()].insert(data.target.0 as i32);
                taken.push(edge);
            }
        }
        for &edge in &taken {
            self.update(EdgeId(edge as u32), sets, &mut next);
        }
        self.hand_over(&taken, sets, next)
    }

    /// Receivers whose update reads what others of the same transition write see the new values, too.
    fn hand_over(&mut self, taken: &[usize], sets: &Sets, mut next: Sets) -> Sets {
        let processes = self.network.processes.len();
        let writes = |network: &Network, edge: usize| -> Vec<VarId> {
            network.edges[edge].update.map_or_else(Vec::new, |code| network.program.writes(code))
        };
        loop {
            let before = next.clone();
            for &edge in taken {
                let Some(code) = self.network.edges[edge].update else { continue };
                if !matches!(self.network.edges[edge].sync, Sync::Receive(_)) {
                    continue;
                }
                let mut others = self.partners(edge, true);
                if self.is_broadcast(edge) {
                    others.extend(self.partners(edge, false));
                }
                let written: BTreeSet<VarId> =
                    others.iter().flat_map(|&other| writes(self.network, other)).collect();
                let handed: Vec<VarId> =
                    self.network.program.reads(code).into_iter().filter(|v| written.contains(v)).collect();
                if handed.is_empty() {
                    continue;
                }
                self.is_exact = false;
                let mut seen = sets.clone();
                for variable in handed {
                    let cell = processes + variable.index();
                    seen[cell].clone_from(&before[cell]);
                }
                self.update(EdgeId(edge as u32), &seen, &mut next);
            }
            if next == before {
                return next;
            }
        }
    }

    fn update(&mut self, edge: EdgeId, sets: &Sets, next: &mut Sets) {
        const UNTOUCHED: i32 = i32::MIN;
        let Some(code) = self.network.edges[edge.index()].update else { return };
        let processes = self.network.processes.len();
        let writes: Vec<usize> =
            self.network.program.writes(code).iter().map(|variable| processes + variable.index()).collect();
        for values in self.combinations(code, sets) {
            for &cell in &writes {
                self.machine.state_mut()[cell] = UNTOUCHED;
            }
            for (cell, value) in values {
                self.machine.state_mut()[cell] = value;
            }
            if self.machine.run_update(code, &mut Vec::new()).is_err() {
                self.is_exact = false;
                continue;
            }
            for &cell in &writes {
                let value = self.machine.state()[cell];
                if value != UNTOUCHED {
                    next[cell].insert(value);
                }
            }
        }
    }
}
