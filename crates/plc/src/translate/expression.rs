//! Guards and updates.

use super::{Translator, build};
use crate::syntax::Comparison;
use crate::system::{Cube, Domain, Kind, Location, Signal, Term, Test};
use guidepost_language::source::Span;
use guidepost_language::syntax::{BinaryOp, Expr, ExprKind, Ident, Name};

/// How long a location has been held, compared with its delay.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// The delay is still in force.
    Short,
    /// It is over.
    Long,
}

/// Who asks for a condition. Queries see where a process is; processes see only each other's variables.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asker {
    Query,
    Observer,
}

impl Translator<'_> {
    /// A value as the author would write it.
    pub(super) fn value(&self, value: i32, kind: Kind, span: Span) -> Expr {
        match kind {
            Kind::Bool => build::boolean(value != 0, span),
            Kind::Number => build::number(value, span),
            Kind::Unknown => unreachable!("a system with errors is not translated"),
            Kind::Member(index) => build::name(&self.names.members[&(index, value as usize)], span),
        }
    }

    /// The tests of a conjunction of ranges over a node's inputs.
    pub(super) fn cube(&self, node: usize, cube: &Cube, span: Span) -> Vec<Expr> {
        let program = self.selection.system.program_of(node);
        let mut tests = Vec::new();
        for (input, low, high) in cube {
            let variable = self.names.read(self.selection, node, *input);
            tests.extend(self.range(&variable, program.inputs[*input].domain, *low, *high, span));
        }
        tests
    }

    fn range(&self, variable: &Name, domain: Domain, low: i32, high: i32, span: Span) -> Vec<Expr> {
        let name = build::name(variable, span);
        if domain.kind == Kind::Bool && low == high {
            return vec![if low == 0 { build::not(name) } else { name }];
        }
        let test =
            |op, value| build::binary(op, build::name(variable, span), self.value(value, domain.kind, span));
        if low == high {
            return vec![test(BinaryOp::Eq, low)];
        }
        let mut tests = Vec::new();
        if low > domain.low {
            tests.push(test(BinaryOp::Ge, low));
        }
        if high < domain.high {
            tests.push(test(BinaryOp::Le, high));
        }
        tests
    }

    /// Compares the time in a location with its delay; nothing to say where the delay's clock is hidden.
    pub(super) fn held(&self, node: usize, location: &Location, held: Held) -> Option<Expr> {
        let (delay, clock) = (location.delay.as_ref()?, self.names.held.get(&node)?);
        let op = match (held, delay.over) {
            (Held::Short, false) => BinaryOp::Lt,
            (Held::Short, true) => BinaryOp::Le,
            (Held::Long, false) => BinaryOp::Ge,
            (Held::Long, true) => BinaryOp::Gt,
        };
        Some(build::binary(op, build::name(clock, delay.span), build::number(delay.time, delay.span)))
    }

    /// The reset of a node's delay clock, where it goes to another location that has a delay.
    pub(super) fn restart(&self, node: usize, from: usize, to: usize, span: Span) -> Option<Expr> {
        let target = &self.selection.system.program_of(node).locations[to];
        let clock = self.names.held.get(&node)?;
        (from != to && target.delay.is_some()).then(|| build::reset(clock, span))
    }

    /// The note of where a node has gone, for observers that want to know.
    pub(super) fn note(&self, node: usize, from: usize, to: usize, span: Span) -> Option<Expr> {
        let at = self.names.at.get(&node)?;
        (from != to).then(|| build::assign(at, build::number(to as i32, span)))
    }

    /// The outputs that change between two locations, with their new values.
    pub(super) fn changes(&self, node: usize, from: usize, to: usize) -> Vec<(Signal, i32)> {
        let locations = &self.selection.system.program_of(node).locations;
        let (old, new) = (&locations[from].outputs, &locations[to].outputs);
        let changed = (0..new.len()).filter(|output| old[*output] != new[*output]);
        let signals = changed.map(|output| (Signal::Output(node, output), new[output]));
        signals.filter(|(signal, _)| self.selection.is_written(*signal)).collect()
    }

    /// Resets of the settling clocks of all devices that poll one of these signals.
    pub(super) fn unsettle(&self, signals: impl Iterator<Item = Signal>, span: Span) -> Vec<Expr> {
        let mut devices: Vec<usize> =
            signals.flat_map(|signal| self.selection.settled_pollers(signal)).collect();
        devices.sort_unstable();
        devices.dedup();
        devices.iter().map(|device| build::reset(&self.names.settled[device], span)).collect()
    }

    /// The guard under which a device or a lone node polls.
    pub(super) fn may_poll(&self, device: usize, span: Span) -> Option<Expr> {
        let clock =
            |name: &Name, op, value| build::binary(op, build::name(name, span), build::number(value, span));
        let cycle = &self.names.cycle[&device];
        let mut tests = vec![clock(cycle, BinaryOp::Gt, 0)];
        if let Some(settled) = self.names.settled.get(&device) {
            tests.push(clock(cycle, BinaryOp::Lt, self.selection.system.devices[device].cycle.most));
            tests.push(clock(settled, BinaryOp::Gt, 0));
        }
        build::all(tests)
    }

    /// The guard under which a cycle may end.
    pub(super) fn may_end(&self, device: usize, span: Span) -> Option<Expr> {
        let least = self.selection.system.devices[device].cycle.least;
        let cycle = build::name(&self.names.cycle[&device], span);
        (least > 0).then(|| build::binary(BinaryOp::Ge, cycle, build::number(least, span)))
    }

    /// The invariant of every location of a cycle. Who polls only what has settled must not wait until it is too late: time would stop.
    pub(super) fn in_cycle(&self, device: usize, is_polling: bool, span: Span) -> Expr {
        let is_strict = is_polling && self.names.settled.contains_key(&device);
        let op = if is_strict { BinaryOp::Lt } else { BinaryOp::Le };
        let most = build::number(self.selection.system.devices[device].cycle.most, span);
        build::binary(op, build::name(&self.names.cycle[&device], span), most)
    }

    /// The copies of a node's polled inputs.
    pub(super) fn copies(&self, node: usize, span: Span) -> Vec<Expr> {
        let seen = self.selection.seen(node);
        let polled = seen.filter(|(input, _)| self.names.polled.contains_key(&(node, *input)));
        let copy = |(input, signal): (usize, Signal)| {
            build::assign(&self.names.polled[&(node, input)], build::name(&self.names.signals[&signal], span))
        };
        polled.map(copy).collect()
    }

    /// A condition of a property, as a query or an observer asks it.
    pub(super) fn test(&self, test: &Test<Signal>, asker: Asker, span: Span) -> Expr {
        let part = |test: &Test<Signal>| self.test(test, asker, span);
        match test {
            Test::And(a, b) => build::binary(BinaryOp::And, part(a), part(b)),
            Test::Or(a, b) => build::binary(BinaryOp::Or, part(a), part(b)),
            Test::Not(a) => build::not(part(a)),
            Test::In(node, location) => match asker {
                Asker::Query => self.is_in(*node, *location, span),
                Asker::Observer => {
                    let at = build::name(&self.names.at[node], span);
                    build::binary(BinaryOp::Eq, at, build::number(*location as i32, span))
                }
            },
            Test::Compare(Term::Signal(signal), Comparison::Equal, Term::Value(value, Kind::Bool)) => {
                let name = build::name(&self.names.signals[signal], span);
                if *value == 0 { build::not(name) } else { name }
            }
            Test::Compare(a, comparison, b) => {
                let op = match comparison {
                    Comparison::Equal => BinaryOp::Eq,
                    Comparison::Unequal => BinaryOp::Ne,
                    Comparison::Less => BinaryOp::Lt,
                    Comparison::AtMost => BinaryOp::Le,
                    Comparison::Greater => BinaryOp::Gt,
                    Comparison::AtLeast => BinaryOp::Ge,
                };
                build::binary(op, self.term(a, span), self.term(b, span))
            }
        }
    }

    fn term(&self, term: &Term<Signal>, span: Span) -> Expr {
        match term {
            Term::Value(value, kind) => self.value(*value, *kind, span),
            Term::Signal(signal) => build::name(&self.names.signals[signal], span),
        }
    }

    /// A node is in a location as long as it is in one of its phases.
    fn is_in(&self, node: usize, location: usize, span: Span) -> Expr {
        let process = build::name(&self.names.nodes[&node], span);
        let phase = |name: String| {
            let field = Ident::new(name, span);
            Expr { kind: ExprKind::Field(Box::new(process.clone()), field), span }
        };
        let phases = self.phase_names(node, location).into_iter().map(phase);
        phases.reduce(|left, right| build::binary(BinaryOp::Or, left, right)).expect("a location has phases")
    }
}
