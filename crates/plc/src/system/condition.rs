//! Conditions with resolved names.

use super::constants::{Domain, Kind, Typed};
use super::resolve::Resolver;
use crate::syntax::{Comparison, Condition, Operand, Symbol, ValueKind};
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::source::Span;
use guidepost_language::syntax::Ident;

/// A condition over signals of type `S`: inputs of a program, or signals of the system.
#[derive(Clone, Debug)]
pub(crate) enum Test<S> {
    And(Box<Test<S>>, Box<Test<S>>),
    Or(Box<Test<S>>, Box<Test<S>>),
    Not(Box<Test<S>>),
    Compare(Term<S>, Comparison, Term<S>),
    /// A node is in a location.
    In(usize, usize),
}

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Term<S> {
    Value(i32, Kind),
    Signal(S),
}

impl<S: Copy> Test<S> {
    /// Whether the condition holds, given the values of signals. Only for conditions that name no locations.
    pub(crate) fn holds(&self, value: &impl Fn(S) -> i32) -> bool {
        let term = |term: &Term<S>| match term {
            Term::Value(number, _) => *number,
            Term::Signal(signal) => value(*signal),
        };
        match self {
            Test::And(a, b) => a.holds(value) && b.holds(value),
            Test::Or(a, b) => a.holds(value) || b.holds(value),
            Test::Not(a) => !a.holds(value),
            Test::Compare(a, comparison, b) => comparison.holds(term(a), term(b)),
            Test::In(..) => unreachable!("programs cannot name locations of nodes"),
        }
    }

    /// Calls `visit` for every signal.
    pub(crate) fn signals(&self, visit: &mut impl FnMut(S)) {
        match self {
            Test::And(a, b) | Test::Or(a, b) => {
                a.signals(visit);
                b.signals(visit);
            }
            Test::Not(a) => a.signals(visit),
            Test::Compare(a, _, b) => {
                for term in [a, b] {
                    if let Term::Signal(signal) = term {
                        visit(*signal);
                    }
                }
            }
            Test::In(..) => {}
        }
    }

    /// Calls `visit` for every node whose location is asked for.
    pub(crate) fn nodes(&self, visit: &mut impl FnMut(usize)) {
        match self {
            Test::And(a, b) | Test::Or(a, b) => {
                a.nodes(visit);
                b.nodes(visit);
            }
            Test::Not(a) => a.nodes(visit),
            Test::Compare(..) => {}
            Test::In(node, _) => visit(*node),
        }
    }
}

/// Where a condition stands: which names it may use.
pub(super) trait Scope<S> {
    /// The signal of that name with its values; `None` if the name is none.
    fn signal(&self, resolver: &Resolver<'_>, symbol: &Symbol) -> Option<(S, Domain)>;
    /// Whether all signals are known; otherwise nothing is said about names that are not.
    fn is_complete(&self, resolver: &Resolver<'_>) -> bool;
    /// Names that a slip may have meant.
    fn names(&self, resolver: &Resolver<'_>) -> Vec<String>;
    /// `NODE in LOCATION`; an error is reported.
    fn location(&self, resolver: &mut Resolver<'_>, node: &Ident, location: &Ident)
    -> Option<(usize, usize)>;
}

impl Resolver<'_> {
    /// Resolves a condition; `None` after an error.
    pub(super) fn condition<S: Copy>(
        &mut self,
        condition: &Condition,
        scope: &impl Scope<S>,
    ) -> Option<Test<S>> {
        match condition {
            Condition::And(a, b) => {
                let (a, b) = (self.condition(a, scope), self.condition(b, scope));
                Some(Test::And(Box::new(a?), Box::new(b?)))
            }
            Condition::Or(a, b) => {
                let (a, b) = (self.condition(a, scope), self.condition(b, scope));
                Some(Test::Or(Box::new(a?), Box::new(b?)))
            }
            Condition::Not(a) => Some(Test::Not(Box::new(self.condition(a, scope)?))),
            Condition::Compare(a, comparison, b) => self.comparison(a, *comparison, b, scope),
            Condition::Bare(operand) => self.bare(operand, scope),
            Condition::In(node, location) => {
                let (node, location) = scope.location(self, node, location)?;
                Some(Test::In(node, location))
            }
        }
    }

    fn bare<S: Copy>(&mut self, operand: &Operand, scope: &impl Scope<S>) -> Option<Test<S>> {
        let (term, domain) = self.term(operand, None, scope)?;
        if domain.kind == Kind::Bool {
            return Some(Test::Compare(term, Comparison::Equal, Term::Value(1, Kind::Bool)));
        }
        if domain.kind == Kind::Unknown {
            return None;
        }
        let message = format!("a condition is true or false, this is {}", self.kind_name(domain.kind));
        let diagnostic = Diagnostic::new(Code::TypeMismatch, operand.span(), message);
        self.out.push(diagnostic.hint("compare it with a value: `=`, `<>`, `<`, `<=`, `>`, `>=`"));
        None
    }

    fn comparison<S: Copy>(
        &mut self,
        left: &Operand,
        comparison: Comparison,
        right: &Operand,
        scope: &impl Scope<S>,
    ) -> Option<Test<S>> {
        // A name of several enumerations means the one of the other side.
        let kind = self.quiet_kind(left, scope).or_else(|| self.quiet_kind(right, scope));
        let (a, b) = (self.term(left, kind, scope), self.term(right, kind, scope));
        let ((a, left_domain), (b, right_domain)) = (a?, b?);
        if [left_domain, right_domain].contains(&Domain::UNKNOWN) {
            return None;
        }
        let span = left.span().to(right.span());
        if left_domain.kind != right_domain.kind {
            let (a, b) = (self.kind_name(left_domain.kind), self.kind_name(right_domain.kind));
            let message = format!("cannot compare {a} with {b}");
            self.out.push(Diagnostic::new(Code::TypeMismatch, span, message));
            return None;
        }
        let orders = !matches!(comparison, Comparison::Equal | Comparison::Unequal);
        if orders && left_domain.kind != Kind::Number {
            let message = format!("{} has no order", self.kind_name(left_domain.kind));
            let diagnostic = Diagnostic::new(Code::TypeMismatch, span, message);
            self.out.push(diagnostic.hint("only `=` and `<>` compare such values"));
            return None;
        }
        self.warn_of_missing_value(&a, left_domain, &b, right_domain, span);
        Some(Test::Compare(a, comparison, b))
    }

    fn warn_of_missing_value<S>(
        &mut self,
        a: &Term<S>,
        a_domain: Domain,
        b: &Term<S>,
        b_domain: Domain,
        span: Span,
    ) {
        let (value, domain) = match (a, b) {
            (Term::Value(value, _), Term::Signal(_)) => (*value, b_domain),
            (Term::Signal(_), Term::Value(value, _)) => (*value, a_domain),
            _ => return,
        };
        if !domain.contains(value) {
            let message = format!("the signal is never {value}");
            let diagnostic = Diagnostic::new(Code::ConstantOutOfRange, span, message);
            self.out.push(diagnostic.label(format!("its values are {}..{}", domain.low, domain.high)));
        }
    }

    /// The kind of a signal, without a word about what is none.
    fn quiet_kind<S>(&self, operand: &Operand, scope: &impl Scope<S>) -> Option<Kind> {
        match operand {
            Operand::Literal(_) => None,
            Operand::Symbol(symbol) => scope.signal(self, symbol).map(|(_, domain)| domain.kind),
        }
    }

    fn term<S: Copy>(
        &mut self,
        operand: &Operand,
        wanted: Option<Kind>,
        scope: &impl Scope<S>,
    ) -> Option<(Term<S>, Domain)> {
        let constant = |typed: Typed| {
            let domain = Domain { kind: typed.kind, low: typed.value, high: typed.value };
            (Term::Value(typed.value, typed.kind), domain)
        };
        let symbol = match operand {
            Operand::Literal(value) => {
                debug_assert!(!matches!(value.kind, ValueKind::Name(_)), "names are symbols");
                return self.value(value, wanted).map(constant);
            }
            Operand::Symbol(symbol) => symbol,
        };
        if let Some((signal, domain)) = scope.signal(self, symbol) {
            return Some((Term::Signal(signal), domain));
        }
        if symbol.member.is_none()
            && let Some(typed) = self.named_value(&symbol.name, wanted)
        {
            return Some(constant(typed));
        }
        if !scope.is_complete(self) || self.has_lost_values() && symbol.member.is_none() {
            return None;
        }
        let mut names = scope.names(self);
        names.extend(self.value_names().iter().map(ToString::to_string));
        let written = symbol.text();
        let near = guidepost_language::suggest::nearest(&written, names.iter().map(String::as_str));
        let near = near.map(|near| format!("did you mean `{near}`?"));
        let hint = self.location_hint(symbol).or(near).or_else(|| self.values_hint(wanted));
        let whole = Ident::new(written, symbol.span());
        self.unknown_with(Code::UnknownName, "signal or value", &whole, hint);
        None
    }

    /// `C.Green` for a location of a node is not how it is written.
    fn location_hint(&self, symbol: &Symbol) -> Option<String> {
        let (node, member) = (self.nodes.get(&symbol.name.name)?, symbol.member.as_ref()?);
        let mut locations = self.system.program_of(*node).locations.iter();
        let is_location = locations.any(|location| location.name.name == member.name);
        is_location.then(|| format!("a location is asked for by `{} in {}`", symbol.name.name, member.name))
    }
}
