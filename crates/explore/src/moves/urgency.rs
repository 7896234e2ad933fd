//! Whether time may pass.

use super::{Moves, index};
use guidepost_network::{EvalError, Sync};

impl Moves<'_> {
    /// Whether time may pass in the machine's state, given what is known of its locations.
    #[inline]
    pub(super) fn lets_time_pass(&mut self, facts: u8) -> Result<bool, EvalError> {
        if facts & index::STOPS_TIME != 0 {
            return Ok(false);
        }
        if facts & index::URGENT_CHANNEL != 0 { Ok(!self.can_synchronise_urgently()?) } else { Ok(true) }
    }

    /// Whether time may pass in the source.
    pub(crate) fn source_lets_time_pass(&mut self) -> Result<bool, EvalError> {
        self.rewind();
        let facts = self.index.facts_of(&self.source[..self.network.processes.len()]);
        self.lets_time_pass(facts)
    }

    /// Whether an urgent channel has a sender and (unless it is a broadcast) a receiver whose data guards hold.
    fn can_synchronise_urgently(&mut self) -> Result<bool, EvalError> {
        let network = self.network;
        let mut sends = Vec::new();
        let mut receives = Vec::new();
        for process in 0..network.processes.len() {
            let location = self.machine.state()[process];
            for position in 0..self.index.urgent(location).len() {
                let id = self.index.urgent(location)[position];
                let edge = &network.edges[id.index()];
                let holds = self.machine.holds(&edge.data_guard);
                if !self.tolerate(holds, false)? {
                    continue;
                }
                match &edge.sync {
                    Sync::Send(channel) => {
                        let Some(channel) = self.channel_if_any(channel)? else { continue };
                        if !network.channels[channel.index()].urgent {
                            continue;
                        }
                        if network.channels[channel.index()].broadcast {
                            return Ok(true);
                        }
                        sends.push((channel, process));
                    }
                    Sync::Receive(channel) => {
                        receives.extend(self.channel_if_any(channel)?.map(|channel| (channel, process)));
                    }
                    Sync::Internal | Sync::Join(_) => {}
                }
            }
        }
        Ok(sends.iter().any(|send| receives.iter().any(|receive| send.0 == receive.0 && send.1 != receive.1)))
    }
}
