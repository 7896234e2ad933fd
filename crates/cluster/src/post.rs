//! Letters between workers, and whether any are still on their way: a dataflow of `timely` with one operator.
//!
//! What an operator sends comes back to its own input, at whichever worker it is addressed to, one time later. Times are depths: a worker *holds* the least depth of what it still has to do, and
//! a letter with states is sent at the depth of the states that they were reached from. So the frontier, which the progress tracking of `timely` computes, is the least depth of states that may
//! still arrive; and when it is empty, nobody holds anything and no letter is on its way: everything is explored.
//!
//! Everything else (states, stores, what to do with a letter) happens outside of the dataflow, in the loop that steps it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Write;
use std::rc::Rc;
use timely::Accountable;
use timely::communication::Push;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};
use timely::dataflow::operators::Capability;
use timely::dataflow::operators::generic::builder_rc::OperatorBuilder;
use timely::dataflow::operators::{ConnectLoop, Feedback};
use timely::scheduling::Activator;
use timely::worker::Worker;

/// A letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Letter {
    pub(crate) from: u16,
    pub(crate) to: u16,
    pub(crate) content: Content,
}

/// What a letter is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// States, see `share`.
    States(Vec<u8>),
    /// So many letters of the addressee have been read.
    Read(u32),
}

/// Letters as the dataflow carries them.
#[derive(Clone, Default)]
struct Bag(Vec<Letter>);

impl Accountable for Bag {
    fn record_count(&self) -> i64 {
        self.0.len() as i64
    }
}

/// A letter takes three words and its states, filled up to whole words.
const HEAD: usize = 24;

impl ContainerBytes for Bag {
    fn from_bytes(bytes: timely::bytes::arc::Bytes) -> Self {
        let mut rest = &bytes[..];
        let mut letters = Vec::new();
        while let Some((head, behind)) = rest.split_at_checked(HEAD) {
            let word = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("eight bytes"));
            let (route, kind, len) = (word(0), word(8), word(16) as usize);
            let (from, to) = ((route >> 16) as u16, route as u16);
            let (states, behind) = behind.split_at(len.next_multiple_of(8));
            let content = match kind {
                0 => Content::States(states[..len].to_vec()),
                count => Content::Read((count - 1) as u32),
            };
            letters.push(Letter { from, to, content });
            rest = behind;
        }
        assert!(rest.is_empty(), "a bag has whole letters");
        Self(letters)
    }

    fn length_in_bytes(&self) -> usize {
        let len = |letter: &Letter| HEAD + letter.content.states().len().next_multiple_of(8);
        self.0.iter().map(len).sum()
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        for letter in &self.0 {
            let states = letter.content.states();
            let kind = match letter.content {
                Content::States(_) => 0,
                Content::Read(count) => u64::from(count) + 1,
            };
            let route = u64::from(letter.from) << 16 | u64::from(letter.to);
            let padding = &[0; 8][..states.len().next_multiple_of(8) - states.len()];
            let head = [route, kind, states.len() as u64].map(u64::to_le_bytes).concat();
            for part in [&head[..], states, padding] {
                writer.write_all(part).expect("timely reserves as much as was asked for");
            }
        }
    }
}

impl Content {
    fn states(&self) -> &[u8] {
        match self {
            Content::States(states) => states,
            Content::Read(_) => &[],
        }
    }
}

/// Letters go to whom they are addressed.
struct ByAddress;

impl Distributor<Bag> for ByAddress {
    fn partition<T: Clone, P: Push<Message<T, Bag>>>(&mut self, bag: &mut Bag, time: &T, pushers: &mut [P]) {
        for letter in bag.0.drain(..) {
            let to = usize::from(letter.to);
            Message::push_at(&mut Bag(vec![letter]), time.clone(), &mut pushers[to]);
        }
    }

    fn flush<T: Clone, P: Push<Message<T, Bag>>>(&mut self, _time: &T, _pushers: &mut [P]) {}
}

/// What the operator and its owner share.
#[derive(Default)]
struct Desk {
    received: VecDeque<Letter>,
    /// With the depths at which they are sent.
    outgoing: Vec<(u32, Letter)>,
    /// The right to send letters at a depth or later, as long as there is something to do.
    held: Option<Capability<u64>>,
    /// The least depth at which letters may still come; `None` when none will.
    frontier: Option<u64>,
}

/// A worker's access to the post of one exploration.
pub(crate) struct Post {
    desk: Rc<RefCell<Desk>>,
    activator: Activator,
}

impl Post {
    /// Opens the post of an exploration; all workers do so in the same order. At first, the depth 0 is held.
    pub(crate) fn open(worker: &mut Worker) -> Self {
        let desk = Rc::new(RefCell::new(Desk { frontier: Some(0), ..Desk::default() }));
        let inner = Rc::clone(&desk);
        let activator = worker.dataflow::<u64, _, _>(|scope| {
            let (handle, cycle) = scope.feedback(1);
            let mut builder = OperatorBuilder::new("post".to_owned(), scope);
            let mut input = builder.new_input(cycle, DistributorPact(|_| ByAddress));
            let (mut output, stream) = builder.new_output::<Bag>();
            let activator = scope.activator_for(builder.operator_info().address);
            builder.build(move |mut capabilities| {
                inner.borrow_mut().held = capabilities.pop();
                move |frontiers| {
                    let desk = &mut *inner.borrow_mut();
                    input.for_each(|capability, bag: &mut Bag| {
                        if desk.held.as_ref().is_none_or(|held| held.time() > capability.time()) {
                            desk.held = Some(capability.retain(0));
                        }
                        desk.received.extend(bag.0.drain(..));
                    });
                    let mut session = output.activate();
                    for (depth, letter) in desk.outgoing.drain(..) {
                        let held = desk.held.as_ref().expect("who sends letters holds a depth");
                        let capability = held.delayed(&u64::from(depth).max(*held.time()));
                        session.give(&capability, &mut Bag(vec![letter]));
                    }
                    drop(session);
                    desk.frontier = frontiers[0].frontier().first().copied();
                }
            });
            stream.connect_loop(handle);
            activator
        });
        Self { desk, activator }
    }

    /// Sends a letter when the dataflow is stepped next; with states, at the depth of those that they were reached from.
    pub(crate) fn send(&self, depth: u32, letter: Letter) {
        self.desk.borrow_mut().outgoing.push((depth, letter));
        self.activator.activate();
    }

    /// The letter that came first.
    pub(crate) fn receive(&self) -> Option<Letter> {
        self.desk.borrow_mut().received.pop_front()
    }

    /// From now on, nothing is left to do below a depth; `None`: nothing at all. Letters that wait to be sent go first.
    pub(crate) fn hold(&self, depth: Option<u32>) {
        let desk = &mut *self.desk.borrow_mut();
        let outgoing = &desk.outgoing;
        if !desk.received.is_empty() || (depth.is_none() && !outgoing.is_empty()) {
            return;
        }
        let with_states = outgoing.iter().filter(|(_, letter)| matches!(letter.content, Content::States(_)));
        let depth = depth.into_iter().chain(with_states.map(|(depth, _)| *depth)).min();
        match (&mut desk.held, depth) {
            (Some(held), Some(depth)) if *held.time() < u64::from(depth) => held.downgrade(&u64::from(depth)),
            (held @ Some(_), None) => *held = None,
            _ => return,
        }
        self.activator.activate();
    }

    /// Whether all states of a depth have arrived.
    pub(crate) fn has_all_of(&self, depth: u32) -> bool {
        self.desk.borrow().frontier.is_none_or(|frontier| frontier > u64::from(depth))
    }

    /// Whether somebody may still be busy with states that are so much shallower than this.
    pub(crate) fn is_ahead(&self, depth: u32, lead: u32) -> bool {
        let frontier = self.desk.borrow().frontier;
        // Where the frontier is, states may still come: somebody expands states one step above it.
        frontier.is_some_and(|frontier| frontier + u64::from(lead) <= u64::from(depth))
    }

    /// Whether nobody has anything left to do.
    pub(crate) fn is_closed(&self) -> bool {
        let desk = self.desk.borrow();
        desk.frontier.is_none() && desk.held.is_none() && desk.received.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_survive_as_bytes() {
        let states = |len: u8| Content::States((0..len).collect());
        let letters = [states(0), states(5), Content::Read(0), states(8), Content::Read(u32::MAX)];
        let letters = letters.into_iter().map(|content| Letter { from: 3, to: 4095, content });
        let bag = Bag(letters.collect());
        let mut bytes = Vec::new();
        bag.into_bytes(&mut bytes);
        assert_eq!(bytes.len(), bag.length_in_bytes());
        let bytes = timely::bytes::arc::BytesMut::from(bytes).freeze();
        assert_eq!(Bag::from_bytes(bytes).0, bag.0);
    }
}
