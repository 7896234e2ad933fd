//! What is left of a system when symbols are hidden.
//!
//! Hiding over-approximates: whatever the whole system can do, what is left of it can do as well, as far as it is still visible. So a property
//! that holds of a variant holds of the system. That comes from these rules:
//! - A hidden node is gone. An output of it that is still read becomes a signal of the environment, which may have any value at any time.
//! - A hidden input is read by nobody: a transition is possible when it is for some value of it. An input whose signal is hidden is hidden, too.
//! - A hidden signal is hidden from everybody who reads it.
//! - Without its delay's clock, a node may or may not be delayed, for any time. Without its settling clock, a device polls at any time.
//!
//! What a node writes depends on nothing but its location, so there is nothing that is computed from what is hidden, and nothing more to hide.

use crate::system::{PropertyKind, Signal, System};

/// Something that can be hidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hidden {
    Node(usize),
    /// A node's input: the node does not look at it.
    Input(usize, usize),
    /// A signal: nobody looks at it.
    Signal(Signal),
    /// The clock of a node's delays.
    Delay(usize),
    /// The clock that keeps a device from polling a signal in the moment of its change.
    Settled(usize),
}

/// A system and what is hidden of it.
pub(crate) struct Selection<'s> {
    pub system: &'s System,
    hidden: Vec<Hidden>,
}

impl<'s> Selection<'s> {
    pub(crate) fn new(system: &'s System, hidden: &[Hidden]) -> Self {
        Self { system, hidden: hidden.to_vec() }
    }

    fn hides(&self, symbol: Hidden) -> bool {
        self.hidden.contains(&symbol)
    }

    /// Whether a node is there.
    pub(crate) fn keeps(&self, node: usize) -> bool {
        !self.hides(Hidden::Node(node))
    }

    /// The nodes of a device that are there, in the order in which they run.
    pub(crate) fn nodes_of(&self, device: usize) -> Vec<usize> {
        self.system.devices[device].nodes.iter().copied().filter(|node| self.keeps(*node)).collect()
    }

    /// Whether a node that is there looks at one of its inputs.
    pub(crate) fn sees(&self, node: usize, input: usize) -> bool {
        let signal = self.system.nodes[node].wires[input];
        !self.hides(Hidden::Input(node, input)) && !self.hides(Hidden::Signal(signal))
    }

    /// The inputs of a node that it looks at.
    pub(crate) fn seen(&self, node: usize) -> impl Iterator<Item = (usize, Signal)> + '_ {
        let wires = self.system.nodes[node].wires.iter().copied().enumerate();
        wires.filter(move |(input, _)| self.sees(node, *input))
    }

    /// Whether a signal is written by a node that is there.
    pub(crate) fn is_written(&self, signal: Signal) -> bool {
        match signal {
            Signal::Input(_) => false,
            Signal::Output(node, _) => self.keeps(node) && !self.hides(Hidden::Signal(signal)),
        }
    }

    pub(crate) fn has_delay(&self, node: usize) -> bool {
        let locations = &self.system.program_of(node).locations;
        !self.hides(Hidden::Delay(node)) && locations.iter().any(|location| location.delay.is_some())
    }

    pub(crate) fn is_settled(&self, device: usize) -> bool {
        self.system.devices[device].cycle.settled && !self.hides(Hidden::Settled(device))
    }

    /// Whether a property speaks only of what is there.
    pub(crate) fn can_tell(&self, property: &PropertyKind) -> bool {
        let mut can = true;
        for test in property.tests() {
            test.nodes(&mut |node| can &= self.keeps(node));
            test.signals(&mut |signal| {
                can &= match signal {
                    Signal::Input(_) => !self.hides(Hidden::Signal(signal)),
                    Signal::Output(..) => self.is_written(signal),
                }
            });
        }
        can
    }

    /// The signals that somebody looks at, but nobody writes, in the order of their declaration.
    pub(crate) fn driven(&self) -> Vec<Signal> {
        let nodes = (0..self.system.nodes.len()).filter(|node| self.keeps(*node));
        let mut signals: Vec<Signal> =
            nodes.flat_map(|node| self.seen(node).map(|(_, signal)| signal)).collect();
        for property in self.system.properties.iter().filter(|property| self.can_tell(&property.kind)) {
            for test in property.kind.tests() {
                test.signals(&mut |signal| signals.push(signal));
            }
        }
        signals.retain(|signal| !self.is_written(*signal));
        signals.sort_unstable();
        signals.dedup();
        signals
    }

    /// The devices whose settling clock a change of a signal resets: those that poll it.
    pub(crate) fn settled_pollers(&self, signal: Signal) -> Vec<usize> {
        let polls = |device: &usize| {
            let mut nodes = self.nodes_of(*device).into_iter();
            self.is_settled(*device)
                && nodes.any(|node| {
                    self.seen(node).any(|(_, other)| other == signal && self.is_polled(node, signal))
                })
        };
        (0..self.system.devices.len()).filter(polls).collect()
    }

    /// Whether a node gets a signal by polling. What is written on its own device is at hand.
    pub(crate) fn is_polled(&self, node: usize, signal: Signal) -> bool {
        match signal {
            Signal::Output(writer, _) if self.is_written(signal) => {
                self.system.nodes[writer].device != self.system.nodes[node].device
            }
            _ => true,
        }
    }
}
