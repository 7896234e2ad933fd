//! Values, their kinds, and the names of values.

use super::{Enumeration, resolve::Resolver};
use crate::syntax::{self, TypeDefinition, Value, ValueKind};
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::source::Span;
use guidepost_language::suggest;
use guidepost_language::syntax::Ident;

/// What kind of value something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Bool,
    Number,
    /// Of an enumeration.
    Member(usize),
    /// An error has been reported where it is declared; nothing more is said about it.
    Unknown,
}

/// The values of a signal: a range of numbers, whatever they stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Domain {
    pub kind: Kind,
    pub low: i32,
    pub high: i32,
}

impl Domain {
    pub(crate) const BOOL: Domain = Domain { kind: Kind::Bool, low: 0, high: 1 };
    pub(crate) const UNKNOWN: Domain = Domain { kind: Kind::Unknown, low: 0, high: 0 };

    /// How many values there are.
    pub(crate) fn size(self) -> usize {
        (i64::from(self.high) - i64::from(self.low) + 1).clamp(1, 1 << 32) as usize
    }

    pub(crate) fn contains(self, value: i32) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// A value whose kind is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Typed {
    pub kind: Kind,
    pub value: i32,
}

/// A signal with more values than this is a mistake: guards are tables over them.
const MOST_VALUES: usize = 1 << 12;

impl Resolver<'_> {
    pub(super) fn enumeration(&mut self, name: &Ident, values: &[Ident]) {
        for (index, value) in values.iter().enumerate() {
            if let Some(first) = values[..index].iter().find(|other| other.name == value.name) {
                self.duplicate("value", value, first.span);
            }
        }
        self.types.insert(
            name.name.clone(),
            Domain {
                kind: Kind::Member(self.system.enumerations.len()),
                low: 0,
                high: values.len() as i32 - 1,
            },
        );
        self.system.enumerations.push(Enumeration { name: name.clone(), values: values.to_vec() });
    }

    pub(super) fn type_declaration(&mut self, declaration: &syntax::TypeDecl) {
        match &declaration.definition {
            TypeDefinition::Values(values) => self.enumeration(&declaration.name, values),
            TypeDefinition::Domain(domain) => {
                let domain = self.domain(domain);
                self.types.insert(declaration.name.name.clone(), domain);
            }
        }
    }

    /// What a domain means. A wrong one is reported and unknown from then on.
    pub(super) fn domain(&mut self, domain: &syntax::Domain) -> Domain {
        match domain {
            syntax::Domain::Bool => Domain::BOOL,
            syntax::Domain::Named(name) => {
                if let Some(domain) = self.types.get(&name.name) {
                    return *domain;
                }
                if self.has_lost("type") {
                    return Domain::UNKNOWN;
                }
                let candidates = self.types.keys().map(|name| &**name).chain(["bool"]);
                let near = suggest::nearest(&name.name, candidates).map(str::to_owned);
                self.unknown(Code::UnknownName, "type", name, near);
                Domain::UNKNOWN
            }
            syntax::Domain::Range(low, high) => self.range(low, high),
        }
    }

    fn range(&mut self, low: &Value, high: &Value) -> Domain {
        let span = low.span.to(high.span);
        let (Some(low), Some(high)) = (self.number(low, "bound"), self.number(high, "bound")) else {
            return Domain::UNKNOWN;
        };
        if low > high {
            let message = format!("`{low}..{high}` has no values");
            self.out.push(Diagnostic::new(Code::EmptyRange, span, message));
            return Domain::UNKNOWN;
        }
        let domain = Domain { kind: Kind::Number, low, high };
        if domain.size() > MOST_VALUES {
            let message = format!("a signal cannot have more than {MOST_VALUES} values");
            self.out.push(Diagnostic::new(Code::TooLarge, span, message));
            return Domain::UNKNOWN;
        }
        domain
    }

    /// A value that must be a number.
    pub(super) fn number(&mut self, value: &Value, what: &str) -> Option<i32> {
        let typed = self.value(value, Some(Kind::Number))?;
        if typed.kind == Kind::Number {
            return Some(typed.value);
        }
        let message = format!("a {what} is a number, this is {}", self.kind_name(typed.kind));
        self.out.push(Diagnostic::new(Code::TypeMismatch, value.span, message));
        None
    }

    /// A number that is a duration.
    pub(super) fn time(&mut self, value: &Value) -> Option<i32> {
        let time = self.number(value, "time")?;
        if time >= 0 {
            return Some(time);
        }
        let message = format!("a time cannot be negative, this is {time}");
        self.out.push(Diagnostic::new(Code::OutOfRange, value.span, message));
        None
    }

    /// What a value means; `wanted` decides between enumerations that share a name.
    pub(super) fn value(&mut self, value: &Value, wanted: Option<Kind>) -> Option<Typed> {
        match &value.kind {
            ValueKind::Number(number) => Some(Typed { kind: Kind::Number, value: *number }),
            ValueKind::Bool(flag) => Some(Typed { kind: Kind::Bool, value: i32::from(*flag) }),
            ValueKind::Name(name) => {
                let found = self.named_value(name, wanted);
                if found.is_none() && !self.has_lost_values() {
                    let names = self.value_names();
                    let near = suggest::nearest(&name.name, names.iter().map(|name| &**name));
                    let hint = near.map(|near| format!("did you mean `{near}`?"));
                    let hint = hint.or_else(|| self.values_hint(wanted));
                    self.unknown_with(Code::UnknownName, "value", name, hint);
                }
                found
            }
        }
    }

    /// Whether there are values whose names are not known.
    pub(super) fn has_lost_values(&self) -> bool {
        self.has_lost("constant") || self.has_lost("type")
    }

    pub(super) fn named_value(&self, name: &Ident, wanted: Option<Kind>) -> Option<Typed> {
        if let Some(constant) = self.constants.get(&name.name) {
            return Some(*constant);
        }
        let members = self.system.enumerations.iter().enumerate().filter_map(|(index, enumeration)| {
            let at = enumeration.values.iter().position(|value| value.name == name.name)?;
            Some(Typed { kind: Kind::Member(index), value: at as i32 })
        });
        let members: Vec<_> = members.collect();
        members.iter().find(|member| Some(member.kind) == wanted).or_else(|| members.first()).copied()
    }

    /// What something of this kind can be, where that can be listed.
    pub(super) fn values_hint(&self, wanted: Option<Kind>) -> Option<String> {
        let Some(Kind::Member(index)) = wanted else { return None };
        let Enumeration { name, values } = &self.system.enumerations[index];
        let list: Vec<&str> = values.iter().map(|value| &*value.name).collect();
        (list.len() <= 24).then(|| format!("the values of `{}` are {}", name.name, list.join(", ")))
    }

    pub(super) fn value_names(&self) -> Vec<guidepost_language::syntax::Name> {
        let members = self.system.enumerations.iter().flat_map(|enumeration| &enumeration.values);
        let members = members.map(|value| value.name.clone());
        self.constants.keys().cloned().chain(members).collect()
    }

    /// A value that a signal is to have.
    pub(super) fn value_of(&mut self, value: &Value, domain: Domain, signal: &Ident) -> Option<i32> {
        let typed = self.value(value, Some(domain.kind))?;
        if domain.kind == Kind::Unknown {
            return None;
        }
        if typed.kind != domain.kind {
            self.mismatch(value.span, &signal.name, domain.kind, typed.kind);
            return None;
        }
        if domain.contains(typed.value) {
            return Some(typed.value);
        }
        let message = format!("`{}` cannot be {}", signal.name, typed.value);
        let diagnostic = Diagnostic::new(Code::OutOfRange, value.span, message);
        self.out.push(diagnostic.label(format!("its values are {}..{}", domain.low, domain.high)));
        None
    }

    pub(super) fn mismatch(&mut self, span: Span, signal: &str, wanted: Kind, found: Kind) {
        let (wanted, found) = (self.kind_name(wanted), self.kind_name(found));
        let message = format!("`{signal}` is {wanted}, this is {found}");
        self.out.push(Diagnostic::new(Code::TypeMismatch, span, message));
    }

    pub(super) fn kind_name(&self, kind: Kind) -> String {
        match kind {
            Kind::Bool => "true or false".into(),
            Kind::Number => "a number".into(),
            Kind::Unknown => "unknown".into(),
            Kind::Member(index) => format!("a value of `{}`", self.system.enumerations[index].name.name),
        }
    }
}
