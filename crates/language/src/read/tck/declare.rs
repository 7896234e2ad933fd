//! Events, clocks, integers and locations.

use super::Reader;
use super::line::Declaration;
use crate::diagnostic::{Code, Diagnostic};
use crate::parse::{self, Dialect};
use crate::source::Span;
use crate::syntax::{
    BinaryOp, Decl, Declarator, Dimension, Drawing, Expr, ExprKind, Ident, Init, Location, Name, Template,
    TypeBase, TypeExpr,
};
use crate::write::integer;

const LOCATION_ATTRIBUTES: &[&str] = &["initial", "urgent", "committed", "invariant", "labels"];

/// A template without locations yet.
pub(super) fn template(name: &Ident, span: Span) -> Template {
    Template {
        name: name.clone(),
        name_at: None,
        params: Vec::new(),
        decls: Vec::new(),
        locations: Vec::new(),
        branchpoints: Vec::new(),
        init: None,
        edges: Vec::new(),
        mentions: Vec::new(),
        span,
    }
}

/// Elements of all arrays of a model.
const MOST_CELLS: i64 = 1_000_000;

/// How often an attribute may be repeated; the conjunction of all is a tree that later passes recurse into.
pub(super) const MOST_REPETITIONS: usize = 100;

/// `left && right`, or the one there is.
pub(super) fn conjunction(left: Option<Expr>, right: Option<Expr>) -> Option<Expr> {
    match (left, right) {
        (Some(left), Some(right)) => {
            let span = left.span.to(right.span);
            Some(Expr { kind: ExprKind::Binary(BinaryOp::And, Box::new(left), Box::new(right)), span })
        }
        (left, right) => left.or(right),
    }
}

impl Reader<'_> {
    pub(super) fn event(&mut self, declaration: &Declaration) {
        let name = &declaration.fields[0];
        self.unknown_attributes(declaration, &[]);
        if let Some(span) = self.events.get(&name.name) {
            let message = format!("event `{}` is declared twice", name.name);
            let diagnostic = Diagnostic::new(Code::DuplicateName, name.span, message);
            self.out.push(diagnostic.related(*span, "first here"));
        } else {
            self.events.insert(name.name.clone(), name.span);
        }
    }

    pub(super) fn clock(&mut self, declaration: &Declaration) {
        let [size, name] = &declaration.fields[..] else { return };
        self.unknown_attributes(declaration, &[]);
        let Some(size) = self.size(size) else { return };
        let ty = TypeExpr { prefixes: vec![], base: TypeBase::Clock, span: declaration.span };
        self.variable(ty, name, size, None);
    }

    pub(super) fn int(&mut self, declaration: &Declaration) {
        let [size, low, high, init, name] = &declaration.fields[..] else { return };
        self.unknown_attributes(declaration, &[]);
        let (size, least, most, first) =
            (self.size(size), self.number(low), self.number(high), self.number(init));
        let (Some(size), Some(least), Some(most), Some(first)) = (size, least, most, first) else { return };
        if least > most {
            let message = format!("the range from {least} to {most} has no values");
            self.out.push(Diagnostic::new(Code::EmptyRange, low.span.to(high.span), message));
            return;
        }
        if !(least..=most).contains(&first) {
            let message = format!("the initial value {first} is outside the range from {least} to {most}");
            self.out.push(Diagnostic::new(Code::OutOfRange, init.span, message));
        }
        let bounds = Box::new((integer(least, low.span), integer(most, high.span)));
        let ty = TypeExpr { prefixes: vec![], base: TypeBase::Int(Some(bounds)), span: declaration.span };
        let value = || Init::Expr(integer(first, init.span));
        let init = match size {
            1 => value(),
            _ => Init::List((0..size).map(|_| (None, value())).collect(), init.span),
        };
        self.variable(ty, name, size, Some(init));
    }

    fn variable(&mut self, ty: TypeExpr, name: &Ident, size: i64, init: Option<Init>) {
        if let Some(span) = self.variables.get(&name.name) {
            let message = format!("variable `{}` is declared twice", name.name);
            let diagnostic = Diagnostic::new(Code::DuplicateName, name.span, message);
            self.out.push(diagnostic.related(*span, "first here"));
            return;
        }
        self.variables.insert(name.name.clone(), name.span);
        self.taken.insert(name.name.clone());
        let dimensions = if size == 1 { vec![] } else { vec![Dimension::Expr(integer(size, name.span))] };
        let declarator = Declarator { name: name.clone(), dimensions, init };
        self.document.decls.push(Decl::Variables(ty, vec![declarator]));
    }

    fn size(&mut self, field: &Ident) -> Option<i64> {
        let size = self.number(field)?;
        // Initial values are written out: absurd sizes must not exhaust the memory.
        self.cells = self.cells.saturating_add(size.max(0));
        let message = if !(1..=MOST_CELLS).contains(&size) {
            format!("{size} is no size: expected a number from 1 to {MOST_CELLS}")
        } else if self.cells > MOST_CELLS {
            format!("all arrays together have more than {MOST_CELLS} elements")
        } else {
            return Some(size);
        };
        self.out.push(Diagnostic::new(Code::BadArraySize, field.span, message));
        None
    }

    fn number(&mut self, field: &Ident) -> Option<i64> {
        let text = field.name.strip_prefix('+').unwrap_or(&field.name);
        match text.parse::<i64>() {
            Ok(number) if i32::try_from(number).is_ok() => Some(number),
            Err(error)
                if !matches!(
                    error.kind(),
                    std::num::IntErrorKind::PosOverflow | std::num::IntErrorKind::NegOverflow
                ) =>
            {
                let message = format!("expected a number, not `{}`", field.name);
                self.out.push(Diagnostic::new(Code::UnexpectedToken, field.span, message));
                None
            }
            _ => {
                let message = format!("{} does not fit into 32 bits", field.name);
                self.out.push(Diagnostic::new(Code::NumberTooLarge, field.span, message));
                None
            }
        }
    }

    pub(super) fn location(&mut self, declaration: &Declaration) {
        let [process, name] = &declaration.fields[..] else { return };
        let Some(index) = self.process_index(process) else { return };
        self.unknown_attributes(declaration, LOCATION_ATTRIBUTES);
        if let Some(&earlier) = self.locations[index].get(&name.name) {
            let earlier = self.document.templates[index].locations[earlier].name.span;
            let message = format!("location `{}` of process `{}` is declared twice", name.name, process.name);
            let diagnostic = Diagnostic::new(Code::DuplicateName, name.span, message);
            self.out.push(diagnostic.related(earlier, "first here"));
            return;
        }
        self.taken.insert(name.name.clone());
        let flag = |key: &str| declaration.attributes.iter().any(|attribute| &*attribute.key.name == key);
        let location = Location {
            name: name.clone(),
            anonymous: false,
            invariant: self.invariant(declaration),
            exponential_rate: None,
            urgent: flag("urgent"),
            committed: flag("committed"),
            labels: self.labels(declaration),
            drawing: Drawing::default(),
            span: declaration.span,
        };
        let template = &mut self.document.templates[index];
        let position = template.locations.len();
        if flag("initial") {
            template.init.get_or_insert(position);
            self.initial[index].push(position);
        }
        self.locations[index].insert(name.name.clone(), position);
        template.locations.push(location);
    }

    /// Reports an attribute that is repeated too often.
    pub(super) fn check_repetitions(&mut self, declaration: &Declaration, key: &str) {
        let mut repeated = declaration.attributes.iter().filter(|attribute| &*attribute.key.name == key);
        if let Some(first) = repeated.nth(MOST_REPETITIONS) {
            let message = format!("`{key}` is given more than {MOST_REPETITIONS} times");
            self.out.push(Diagnostic::new(Code::NestingTooDeep, first.key.span, message));
        }
    }

    fn invariant(&mut self, declaration: &Declaration) -> Option<Expr> {
        let [process, name] = &declaration.fields[..] else { return None };
        let owner = format!("process {}, location {}", process.name, name.name);
        let mut invariant = None;
        self.check_repetitions(declaration, "invariant");
        let attributes = declaration.attributes.iter().filter(|a| &*a.key.name == "invariant");
        for attribute in attributes.take(MOST_REPETITIONS) {
            let fragment = self.value(attribute, &owner);
            invariant = conjunction(invariant, parse::invariant(&fragment, Dialect::New, self.out));
        }
        invariant
    }

    fn labels(&self, declaration: &Declaration) -> Vec<Name> {
        let values = declaration.attributes.iter().filter(|attribute| &*attribute.key.name == "labels");
        let labels = values.flat_map(|attribute| self.text[attribute.value.clone()].split(','));
        labels.map(str::trim).filter(|label| !label.is_empty()).map(Name::from).collect()
    }

    pub(super) fn check_initial_locations(&mut self) {
        for template in self.document.templates.iter().filter(|template| template.init.is_none()) {
            let message = format!("process `{}` has no initial location", template.name.name);
            let hint = format!("mark one: `location:{}:name{{initial:}}`", template.name.name);
            let diagnostic = Diagnostic::new(Code::MissingInitialLocation, template.name.span, message);
            self.out.push(diagnostic.hint(hint));
        }
    }
}
