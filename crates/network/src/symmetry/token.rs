//! Locations, edges and goals as sequences of tokens, in which names can be exchanged for others.
//!
//! Two edges do the same if their tokens are the same. What a permutation of processes moves stands in tokens of its own: cells, clocks, channels, and constants that a cell is compared with or set to. Everything else
//! must stay as it is. Not all accesses can be written down like this: a function does whatever it does. Cells that are used in such a way are *exposed*: they can be
//! neither moved nor renamed. A computed index may reach any cell of an array: those cannot be moved, but all of them may hold numbers of members, as in a queue of processes that wait.

use crate::code::{Code, Codes, Comparison, Term, term::Place};
use crate::network::{ChannelId, ChannelRef, ClockConstraint, Edge, Location, Network, Operand, Sync};
use crate::query::Goal;
use std::collections::HashMap;

/// A part of a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Token {
    /// Structure.
    Tag(Tag),
    /// A number that nothing changes.
    Number(i64),
    /// A cell of the state.
    Cell(u32),
    /// A constant that a cell is compared with or set to.
    Valued(u32, i32),
    Clock(u32),
    Channel(u32),
}

/// What follows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Tag {
    Location,
    Edge,
    Guard,
    Constraint,
    Condition,
    Send,
    Receive,
    Dynamic,
    Join,
    Update,
    Goal,
    At,
    Load,
    Equal,
    Differs,
    Assign,
    Operation,
    Indexed,
    SetClock,
    CopyClock,
    End,
    /// In place of a name, where only the structure counts.
    Name,
}

impl Token {
    /// The token without names.
    pub(super) fn blank(self) -> Self {
        match self {
            Token::Cell(_) | Token::Valued(..) | Token::Clock(_) | Token::Channel(_) => Token::Tag(Tag::Name),
            other => other,
        }
    }
}

/// How cells, clocks and channels are used, beside what tokens say.
#[derive(Debug)]
pub(super) struct Uses {
    /// By cell: it is reached in a way that tokens do not show.
    pub(super) is_exposed: Vec<bool>,
    /// By cell: it is reached by a computed index.
    pub(super) is_indexed: Vec<bool>,
    /// By cell: its value counts as a number, not only as equal to another one.
    pub(super) is_number: Vec<bool>,
    pub(super) is_exposed_clock: Vec<bool>,
    pub(super) is_exposed_channel: Vec<bool>,
    /// Cells that are compared with or copied to each other, or reached by the same index.
    pub(super) links: Vec<(u32, u32)>,
    /// Numbers for what is compared as a whole.
    wholes: HashMap<String, i64>,
}

impl Uses {
    pub(super) fn new(network: &Network) -> Self {
        let cells = network.processes.len() + network.variables.len();
        Self {
            is_exposed: vec![false; cells],
            is_indexed: vec![false; cells],
            is_number: vec![false; cells],
            is_exposed_clock: vec![false; network.clocks.len()],
            is_exposed_channel: vec![false; network.channels.len()],
            links: Vec::new(),
            wholes: HashMap::new(),
        }
    }

    fn expose(&mut self, cell: usize) {
        if let Some(is_exposed) = self.is_exposed.get_mut(cell) {
            *is_exposed = true;
        }
    }

    fn count(&mut self, cell: u32) {
        if let Some(is_number) = self.is_number.get_mut(cell as usize) {
            *is_number = true;
        }
    }
}

/// Writes tokens.
pub(super) struct Writer<'n, 'u> {
    network: &'n Network,
    codes: Codes<'n>,
    uses: &'u mut Uses,
    out: Vec<Token>,
}

impl<'n, 'u> Writer<'n, 'u> {
    pub(super) fn new(network: &'n Network, codes: Codes<'n>, uses: &'u mut Uses) -> Self {
        Self { network, codes, uses, out: Vec::new() }
    }

    /// The tokens of a location.
    pub(super) fn location(&mut self, location: &Location) -> Vec<Token> {
        self.tag(Tag::Location);
        self.number(location.kind as i64);
        self.conditions(&location.data_invariant);
        self.constraints(&location.clock_invariant);
        for &(clock, rate) in &location.rates {
            self.out.push(Token::Clock(clock.0));
            self.code(rate);
        }
        if let Some(rate) = location.cost_rate {
            self.tag(Tag::Update);
            self.code(rate);
        }
        std::mem::take(&mut self.out)
    }

    /// The tokens of an edge; its locations are counted from the first one of its process.
    pub(super) fn edge(&mut self, edge: &Edge) -> Vec<Token> {
        let first = self.network.processes[edge.process.index()].locations.start;
        self.tag(Tag::Edge);
        self.number((edge.source.0 - first).into());
        self.number((edge.target.0 - first).into());
        self.conditions(&edge.data_guard);
        self.constraints(&edge.clock_guard);
        match &edge.sync {
            Sync::Internal => {}
            Sync::Send(channel) => self.channel(Tag::Send, channel),
            Sync::Receive(channel) => self.channel(Tag::Receive, channel),
            Sync::Join(vector) => {
                self.tag(Tag::Join);
                self.number((*vector).into());
            }
        }
        if let Some(update) = edge.update {
            self.tag(Tag::Update);
            if self.code(update) {
                for effect in &edge.clock_effects {
                    self.uses.is_exposed_clock[effect.clock.index()] = true;
                }
            }
        }
        std::mem::take(&mut self.out)
    }

    /// The tokens of the conditions of a goal, whose order does not matter.
    pub(super) fn goal(&mut self, goal: &Goal) -> Vec<Vec<Token>> {
        let mut parts = Vec::new();
        for (process, locations) in &goal.locations {
            self.tag(Tag::At);
            self.out.push(Token::Cell(process.0));
            self.out.extend(locations.iter().map(|location| Token::Valued(process.0, location.0 as i32)));
            parts.push(std::mem::take(&mut self.out));
        }
        for &code in &goal.data {
            self.tag(Tag::Guard);
            self.code(code);
            parts.push(std::mem::take(&mut self.out));
        }
        for constraint in &goal.clocks {
            self.constraints(std::slice::from_ref(constraint));
            parts.push(std::mem::take(&mut self.out));
        }
        parts.push(vec![Token::Tag(Tag::Goal), Token::Number(goal.deadlock.map_or(2, i64::from))]);
        parts
    }

    fn tag(&mut self, tag: Tag) {
        self.out.push(Token::Tag(tag));
    }

    fn number(&mut self, number: i64) {
        self.out.push(Token::Number(number));
    }

    /// What is compared as a whole.
    fn whole(&mut self, what: String) {
        let next = self.uses.wholes.len() as i64;
        let number = *self.uses.wholes.entry(what).or_insert(next);
        self.number(number);
    }

    fn conditions(&mut self, codes: &[Code]) {
        for &code in codes {
            self.tag(Tag::Guard);
            self.code(code);
        }
    }

    fn constraints(&mut self, constraints: &[ClockConstraint]) {
        for constraint in constraints {
            self.tag(Tag::Constraint);
            self.out.extend([Token::Clock(constraint.left.0), Token::Clock(constraint.right.0)]);
            self.number(constraint.strict.into());
            match constraint.bound {
                Operand::Const(value) => self.number(value.into()),
                Operand::Code(code, low, high) => {
                    self.tag(Tag::Operation);
                    self.out.extend([Token::Number(low.into()), Token::Number(high.into())]);
                    self.code(code);
                }
            }
            if let Some(condition) = constraint.condition {
                self.tag(Tag::Condition);
                self.code(condition);
            }
        }
    }

    fn channel(&mut self, tag: Tag, channel: &ChannelRef) {
        self.tag(tag);
        match channel {
            ChannelRef::Static(ChannelId(id)) => self.out.push(Token::Channel(*id)),
            ChannelRef::Dynamic(code, candidates) => {
                self.tag(Tag::Dynamic);
                for candidate in candidates {
                    self.uses.is_exposed_channel[candidate.index()] = true;
                }
                self.code(*code);
            }
        }
    }

    /// Writes a code; says whether it does things that tokens do not show.
    fn code(&mut self, code: Code) -> bool {
        let listing = self.codes.listing(code);
        let mut hides = false;
        for term in listing.terms() {
            self.term(term);
            hides |= is_hiding(term);
        }
        if hides {
            let footprint = self.codes.footprint(code);
            let first = self.network.processes.len();
            let variables = footprint.reads.iter().chain(&footprint.writes).map(|var| first + var.index());
            for cell in variables.chain(footprint.locations.iter().map(|process| process.index())) {
                self.uses.expose(cell);
            }
        }
        self.tag(Tag::End);
        hides
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Const(value) => self.number((*value).into()),
            Term::Location(process) => {
                self.uses.expose(*process as usize);
                self.out.extend([Token::Tag(Tag::Operation), Token::Cell(*process)]);
            }
            Term::Load(place) => {
                self.tag(Tag::Load);
                if let Some(cell) = self.place(place) {
                    self.count(cell, place);
                }
            }
            Term::Compare(op, left, right) => self.comparison(*op, left, right),
            Term::Assign(assignment) => {
                self.tag(Tag::Assign);
                let cell = self.place(&assignment.place);
                let how = (assignment.op, assignment.postfix, assignment.place.min, assignment.place.max);
                self.whole(format!("{how:?}"));
                let is_plain = assignment.op.is_none() && !assignment.postfix;
                match (cell, name_of(&assignment.value)) {
                    (Some(cell), Some(name)) if is_plain => self.named(cell, name),
                    (cell, _) => {
                        if let Some(cell) = cell {
                            self.count(cell, &assignment.place);
                        }
                        self.term(&assignment.value);
                    }
                }
            }
            Term::SetClock(place, value, _) => {
                self.tag(Tag::SetClock);
                self.clock(place);
                self.term(value);
            }
            Term::CopyClock(target, source, offset) => {
                self.tag(Tag::CopyClock);
                self.clock(target);
                self.clock(source);
                self.term(offset);
            }
            other => self.operation(other),
        }
        self.tag(Tag::End);
    }

    /// A term whose parts follow; what distinguishes it from others of its kind is a number.
    fn operation(&mut self, term: &Term) {
        self.tag(Tag::Operation);
        let kind = std::mem::discriminant(term);
        let detail = match term {
            Term::Fault(fault, _) => format!("{fault:?}"),
            Term::Arith(op, ..) => format!("{op:?}"),
            Term::Call(call) => format!("{:?} {:?}", call.origin, call.result),
            Term::Quantified(each) => format!("{:?} {:?}", each.quantifier, (each.cell, each.low, each.high)),
            Term::Address(place, mode) => format!("{mode:?} {:?}", (place.base, place.offset)),
            Term::Number(place) => format!("{:?}", (place.base, place.offset)),
            Term::Equal(_, _, count) => count.to_string(),
            Term::Copy(copy) => format!("{:?}", copy.plan),
            Term::Check(checked) => format!("{:?}", (checked.min, checked.max)),
            _ => String::new(),
        };
        self.whole(format!("{kind:?} {detail}"));
        if let Term::Number(place) | Term::Address(place, _) = term {
            self.expose_numbered(place);
        }
        term.for_each_part(|part| self.term(part));
    }

    /// The number of a clock or a channel is taken: either may be meant.
    fn expose_numbered(&mut self, place: &Place) {
        for number in place.candidates().unwrap_or_default() {
            let lists = [&mut self.uses.is_exposed_clock, &mut self.uses.is_exposed_channel];
            for is_exposed in lists.into_iter().filter_map(|list| list.get_mut(number as usize)) {
                *is_exposed = true;
            }
        }
    }

    fn comparison(&mut self, op: Comparison, left: &Term, right: &Term) {
        let tag = match op {
            Comparison::Eq => Some(Tag::Equal),
            Comparison::Ne => Some(Tag::Differs),
            _ => None,
        };
        match (tag, left, name_of(right)) {
            (Some(tag), Term::Load(place), Some(name)) if place.candidates().is_some() => {
                self.tag(tag);
                if let Some(cell) = self.place(place) {
                    self.named(cell, name);
                }
            }
            (Some(tag), Term::Location(process), Some(name @ Name::Constant(_))) => {
                self.out.extend([Token::Tag(tag), Token::Cell(*process)]);
                self.named(*process, name);
            }
            _ => {
                self.tag(Tag::Operation);
                self.whole(format!("{op:?}"));
                self.term(left);
                self.term(right);
            }
        }
    }

    /// What a cell is compared with or set to.
    fn named(&mut self, cell: u32, name: Name<'_>) {
        match name {
            Name::Constant(value) => self.out.push(Token::Valued(cell, value)),
            Name::Place(place) => {
                let other = self.place(place);
                self.uses.links.extend(other.map(|other| (cell, other)));
            }
        }
    }

    /// The value of a cell, or of any that a computed index may reach, counts as a number.
    fn count(&mut self, cell: u32, place: &Place) {
        self.uses.count(cell);
        for other in place.candidates().unwrap_or_default() {
            self.uses.count(other);
        }
    }

    /// Writes a place; the cell, or the first of those that a computed index may reach.
    fn place(&mut self, place: &Place) -> Option<u32> {
        if let Some(address) = place.address() {
            self.out.push(Token::Cell(address));
            return Some(address);
        }
        self.tag(Tag::Indexed);
        self.whole(format!("{:?}", (place.base, place.offset, place.min, place.max)));
        let cells = place.candidates().unwrap_or_default();
        for &cell in &cells {
            if let Some(is_indexed) = self.uses.is_indexed.get_mut(cell as usize) {
                *is_indexed = true;
            }
            self.uses.links.push((cells[0], cell));
        }
        for index in &place.indices {
            self.out.extend([index.low.into(), index.count.into(), index.stride.into()].map(Token::Number));
            self.term(&index.index);
        }
        cells.first().copied()
    }

    fn clock(&mut self, place: &Place) {
        if let Some(clock) = place.address() {
            return self.out.push(Token::Clock(clock));
        }
        self.expose_numbered(place);
        self.tag(Tag::Indexed);
        self.whole(format!("{:?}", (place.base, place.offset)));
        for index in &place.indices {
            self.out.extend([index.low.into(), index.count.into(), index.stride.into()].map(Token::Number));
            self.term(&index.index);
        }
    }
}

/// Something that has no meaning but to be equal to others.
#[derive(Clone, Copy)]
enum Name<'t> {
    Constant(i32),
    Place(&'t Place),
}

fn name_of(term: &Term) -> Option<Name<'_>> {
    match term {
        Term::Const(value) => Some(Name::Constant(*value)),
        Term::Load(place) if place.candidates().is_some() => Some(Name::Place(place)),
        _ => None,
    }
}

/// Whether a term does things that tokens do not show.
fn is_hiding(term: &Term) -> bool {
    let mut hides = matches!(
        term,
        Term::Call(_) | Term::Quantified(_) | Term::Copy(_) | Term::Address(..) | Term::Equal(..)
    );
    term.for_each_part(|part| hides |= is_hiding(part));
    hides
}
