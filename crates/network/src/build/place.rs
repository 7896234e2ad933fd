//! Where an expression points: names, elements and fields become places.
//!
//! The same path `s[i].x` may end in data, a clock or a channel, and the three are numbered separately, so a path is first followed with
//! offsets for all three kinds and only then turned into a [`Place`] of the kind it ends in. Constant indices are checked here.

use super::Builder;
use super::layout::{Kind, Layout, Sizes};
use super::names::{Binding, Object, Origin};
use crate::code::instruction::Mode;
use crate::code::term::{Base, Indexing, Place, Term, conditional, sequence};
use crate::code::{Fault, Subject};
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::model::{Expr, ExprKind, SymbolId, Type};
use guidepost_language::source::Span;
use std::sync::Arc;

/// A followed path.
pub(crate) struct Located {
    pub(crate) layout: Arc<Layout>,
    root: Object,
    offset: Sizes,
    pub(crate) indices: Vec<LocatedIndex>,
    /// What has to be evaluated first: a call whose result is looked into, or a fault.
    pub(crate) prelude: Vec<Term>,
    /// The value, when the name stands for a number.
    pub(crate) constant: Option<i32>,
}

pub(crate) struct LocatedIndex {
    index: Term,
    low: i32,
    count: u32,
    stride: Sizes,
    span: Span,
}

/// Which of the three numberings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Data,
    Clocks,
    Channels,
}

impl Sizes {
    /// How many of one kind.
    pub(crate) fn of(self, space: Space) -> u32 {
        match space {
            Space::Data => self.data,
            Space::Clocks => self.clocks,
            Space::Channels => self.channels,
        }
    }
}

impl Located {
    fn of_object(object: Object) -> Self {
        let layout = object.layout.clone();
        let (indices, prelude) = (Vec::new(), Vec::new());
        Self { layout, root: object, offset: Sizes::default(), indices, prelude, constant: None }
    }

    /// The object at the end of a path without computed indices.
    pub(crate) fn into_object(self) -> Object {
        let moved = |origin: Origin, by: u32| match origin {
            Origin::Variable(start) => Origin::Variable(start + by),
            Origin::Constant(start) => Origin::Constant(start + by),
            Origin::Fixed(start) => Origin::Fixed(start + by),
            Origin::Indirect(cell) => Origin::Indirect(cell),
        };
        Object {
            layout: self.layout,
            name: self.root.name,
            data: moved(self.root.data, self.offset.data),
            clocks: moved(self.root.clocks, self.offset.clocks),
            channels: moved(self.root.channels, self.offset.channels),
        }
    }

    /// The cells that the path can mean: the part itself when it is fixed, else the whole object.
    fn extent(&self, space: Space, start: u32) -> (u32, u32) {
        if self.indices.is_empty() {
            (start + self.offset.of(space), self.layout.size.of(space))
        } else {
            (start, self.root.layout.size.of(space))
        }
    }

    fn origin(&self, space: Space) -> Origin {
        match space {
            Space::Data => self.root.data,
            Space::Clocks => self.root.clocks,
            Space::Channels => self.root.channels,
        }
    }
}

/// The term after what has to be evaluated first.
pub(crate) fn after(mut prelude: Vec<Term>, term: Term) -> Term {
    if prelude.is_empty() {
        return term;
    }
    prelude.push(term);
    sequence(prelude)
}

impl Builder<'_> {
    pub(crate) fn binding(&self, symbol: SymbolId) -> Option<&Binding> {
        // No two declarations have the same symbol, so the order does not matter, and there may be many locals.
        if let Some(Some(binding)) = self.names.globals.get(symbol.index()) {
            return Some(binding);
        }
        if let Some((_, binding)) = self.locals.iter().rev().find(|(local, _)| *local == symbol) {
            return Some(binding);
        }
        self.process.and_then(|process| self.names.of_process(process, symbol))
    }

    /// Follows a path.
    pub(crate) fn locate(&mut self, expr: &Expr) -> Option<Located> {
        match &expr.kind {
            ExprKind::Symbol(symbol) => {
                let binding = self.binding(*symbol).cloned();
                self.locate_binding(binding, expr.span)
            }
            ExprKind::Member(process, symbol) => {
                let process = self.process_ref(process)?;
                let own = self.names.of_process(process.0, *symbol).cloned();
                self.locate_binding(own, expr.span)
            }
            ExprKind::Index(base, index) => {
                let base = self.locate(base)?;
                self.locate_element(base, index)
            }
            ExprKind::Field(base, position) => {
                let mut base = self.locate(base)?;
                let Kind::Struct(fields) = &base.layout.kind else {
                    return self.report.error(Code::NoMembers, expr.span, "not a struct");
                };
                let field = fields.get(*position)?;
                base.offset = base.offset.plus(field.offset);
                base.layout = field.layout.clone();
                Some(base)
            }
            ExprKind::Call(..) => {
                let (call, address, layout) = self.struct_call(expr)?;
                let object = Object {
                    layout,
                    name: "result".into(),
                    data: Origin::Fixed(address),
                    clocks: Origin::Fixed(0),
                    channels: Origin::Fixed(0),
                };
                let mut located = Located::of_object(object);
                located.prelude.push(call);
                Some(located)
            }
            ExprKind::Error => self.report.reported(),
            _ => self.report.unsupported(expr.span, "a variable that is computed in this way"),
        }
    }

    fn locate_binding(&mut self, binding: Option<Binding>, span: Span) -> Option<Located> {
        match binding {
            Some(Binding::Object(object)) => Some(Located::of_object(object)),
            Some(Binding::Value(value)) => {
                let kind = Kind::Int { min: value, max: value, boolean: false };
                let object = Object {
                    layout: Arc::new(Layout { kind, size: Sizes { data: 1, ..Sizes::default() } }),
                    name: "constant".into(),
                    data: Origin::Fixed(0),
                    clocks: Origin::Fixed(0),
                    channels: Origin::Fixed(0),
                };
                let mut located = Located::of_object(object);
                located.constant = Some(value);
                Some(located)
            }
            // Its declaration failed, which has been said.
            None if self.report.failed => None,
            None => self.report.error(Code::NotAValue, span, "this name has no value here"),
        }
    }

    fn locate_element(&mut self, mut base: Located, index: &Expr) -> Option<Located> {
        let Kind::Array { low, count, element } = &base.layout.kind else {
            return self.report.error(Code::TypeMismatch, index.span, "not an array");
        };
        let (low, count, element) = (*low, *count, element.clone());
        match self.value(index)? {
            Term::Const(value) => {
                let position = i64::from(value) - i64::from(low);
                if let Some(position) = u32::try_from(position).ok().filter(|position| *position < count) {
                    base.offset = base.offset.plus(element.size.times(position));
                } else {
                    let fault = Fault::Index { index: value, low, high: low + (count as i32 - 1) };
                    let fault = self.certain_fault(fault, index.span)?;
                    base.prelude.push(fault);
                }
            }
            term => {
                let (stride, span) = (element.size, index.span);
                base.indices.push(LocatedIndex { index: term, low, count, stride, span });
            }
        }
        base.layout = element;
        Some(base)
    }

    /// A fault that is known now. In a constant it is an error. On an edge or in an invariant it only matters when the location is ever reached, so
    /// there it becomes a fault at run time, with a warning when nothing else stands in the way.
    pub(crate) fn certain_fault(&mut self, fault: Fault, span: Span) -> Option<Term> {
        if self.constant_only || (self.conditional == 0 && !matches!(fault, Fault::Index { .. })) {
            return self.report.fault(&fault, span);
        }
        if self.conditional == 0 {
            self.report.push(
                Diagnostic::new(Code::ConstantOutOfRange, span, fault.to_string())
                    .hint("the analysis stops with an error when this is evaluated"),
            );
        }
        Some(Term::Fault(Box::new(fault), span))
    }

    /// The place of one kind that a path leads to.
    pub(crate) fn place(&self, located: &Located, space: Space) -> Place {
        let base = match located.origin(space) {
            Origin::Variable(start) => Base::Fixed(self.program.memory.processes + start),
            Origin::Constant(start) => Base::Fixed(self.names.constants + start),
            Origin::Fixed(start) => Base::Fixed(start),
            Origin::Indirect(cell) => Base::Indirect(cell),
        };
        let indices = located.indices.iter().map(|index| Indexing {
            index: index.index.clone(),
            low: index.low,
            count: index.count,
            stride: index.stride.of(space),
            span: index.span,
        });
        let (min, max) = match located.layout.kind {
            Kind::Int { min, max, .. } => (min, max),
            _ => (i32::MIN, i32::MAX),
        };
        let extent = match base {
            Base::Fixed(start) => Some(located.extent(space, start)),
            Base::Indirect(_) => None,
        };
        let (offset, subject) = (located.offset.of(space), Subject::Local(located.root.name.clone()));
        Place { base, offset, indices: indices.collect(), extent, min, max, subject }
    }

    /// The value of the data cell at the end of a path.
    pub(crate) fn load(&mut self, located: Located, span: Span) -> Option<Term> {
        if let Some(value) = located.constant {
            return Some(Term::Const(value));
        }
        match located.layout.kind {
            Kind::Int { .. } => {}
            Kind::Clock => return self.report.unsupported(span, "reading a clock as a number"),
            Kind::Unsupported(what) => return self.report.unsupported(span, what),
            _ => return self.report.error(Code::TypeMismatch, span, "a single value was expected"),
        }
        let origin = located.origin(Space::Data);
        if let (true, Some(initial)) = (self.initialising, self.initial_value(&located)) {
            return Some(Term::Const(initial));
        }
        if self.constant_only && matches!(origin, Origin::Variable(_)) {
            return self.report.error(
                Code::NotConstant,
                span,
                "the value of a variable is not known before the run",
            );
        }
        let place = self.place(&located, Space::Data);
        if let (Origin::Constant(_), Some(address)) = (origin, place.address()) {
            let value = self.program.memory.scratch[address as usize - self.program.state_size()];
            return Some(after(located.prelude, Term::Const(value)));
        }
        Some(after(located.prelude, Term::Load(Box::new(place))))
    }

    /// What a variable starts with: initialisers of a process may look at what a reference parameter stands for.
    fn initial_value(&self, located: &Located) -> Option<i32> {
        let Origin::Variable(start) = located.root.data else { return None };
        let fixed = located.indices.is_empty() && located.prelude.is_empty();
        let variable = self.variables.get((start + located.offset.data) as usize)?;
        fixed.then_some(variable.initial)
    }

    /// The address of an array or struct that is read, with its layout.
    pub(crate) fn aggregate_address(&mut self, expr: &Expr) -> Option<(Term, Arc<Layout>)> {
        match &expr.kind {
            ExprKind::Call(..) => {
                let (call, _, layout) = self.struct_call(expr)?;
                Some((call, layout))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.value(condition)?;
                self.conditional += 1;
                let then = self.aggregate_address(then);
                let otherwise = self.aggregate_address(otherwise);
                self.conditional -= 1;
                let (then, layout) = then?;
                Some((conditional(condition, then, otherwise?.0), layout))
            }
            ExprKind::Assign(_, target, _) => {
                let assign = self.value(expr)?;
                let (address, layout) = self.aggregate_address(target)?;
                Some((sequence(vec![assign, address]), layout))
            }
            _ => {
                let located = self.locate(expr)?;
                self.pure_data(&located.layout, expr.span)?;
                if self.constant_only && matches!(located.origin(Space::Data), Origin::Variable(_)) {
                    let message = "the value of a variable is not known before the run";
                    return self.report.error(Code::NotConstant, expr.span, message);
                }
                let address = Term::Address(Box::new(self.place(&located, Space::Data)), Mode::Read);
                Some((after(located.prelude, address), located.layout))
            }
        }
    }

    /// Complains about arrays and structs that cannot be copied or compared as a whole.
    pub(crate) fn pure_data(&mut self, layout: &Layout, span: Span) -> Option<()> {
        if let Some(what) = layout.unsupported() {
            return self.report.unsupported(span, what);
        }
        if layout.size.clocks > 0 || layout.size.channels > 0 {
            return self.report.unsupported(span, "an array or struct of clocks or channels as one value");
        }
        Some(())
    }
}

/// Whether values of a type are arrays or structs.
pub(crate) fn is_aggregate(ty: &Type) -> bool {
    matches!(ty, Type::Array(_) | Type::Struct(_))
}
