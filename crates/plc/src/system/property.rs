//! Properties: what is to hold of the whole system.

use super::Signal;
use super::condition::{Scope, Test};
use super::constants::Domain;
use super::resolve::Resolver;
use crate::syntax::{self, Symbol};
use guidepost_language::diagnostic::Code;
use guidepost_language::source::Span;
use guidepost_language::suggest;
use guidepost_language::syntax::Ident;

/// A property of the system.
#[derive(Debug)]
pub(crate) struct Property {
    pub name: Ident,
    pub kind: PropertyKind,
    /// Whether it is expected to hold.
    pub expect: Option<bool>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum PropertyKind {
    /// `never P`
    Never(Test<Signal>),
    /// `whenever P for at least T then Q within U`
    Whenever { trigger: Test<Signal>, lasting: i32, response: Test<Signal>, within: i32 },
}

impl PropertyKind {
    /// The conditions in it.
    pub(crate) fn tests(&self) -> Vec<&Test<Signal>> {
        match self {
            PropertyKind::Never(test) => vec![test],
            PropertyKind::Whenever { trigger, response, .. } => vec![trigger, response],
        }
    }
}

/// The names of properties: inputs of the environment, outputs and locations of nodes.
struct Everything;

impl Scope<Signal> for Everything {
    fn signal(&self, resolver: &Resolver<'_>, symbol: &Symbol) -> Option<(Signal, Domain)> {
        let signal = resolver.find_signal(symbol)?;
        Some((signal, resolver.system.port(signal).domain))
    }

    fn is_complete(&self, resolver: &Resolver<'_>) -> bool {
        !resolver.is_incomplete
    }

    fn names(&self, resolver: &Resolver<'_>) -> Vec<String> {
        resolver.signal_names()
    }

    fn location(
        &self,
        resolver: &mut Resolver<'_>,
        node: &Ident,
        location: &Ident,
    ) -> Option<(usize, usize)> {
        let Some(index) = resolver.nodes.get(&node.name).copied() else {
            if resolver.is_incomplete {
                return None;
            }
            let near = suggest::nearest(&node.name, resolver.nodes.keys().map(|name| &**name));
            let near = near.map(str::to_owned);
            resolver.unknown(Code::UnknownName, "node", node, near);
            return None;
        };
        let locations = &resolver.system.program_of(index).locations;
        let found = locations.iter().position(|other| other.name.name == location.name);
        if found.is_none() {
            let near = suggest::nearest(&location.name, locations.iter().map(|other| &*other.name.name));
            let near = near.map(str::to_owned);
            resolver.unknown(Code::UnknownLocation, "location", location, near);
        }
        Some((index, found?))
    }
}

impl Resolver<'_> {
    pub(super) fn properties(&mut self, properties: &[syntax::Property]) {
        for property in properties {
            if let Some(kind) = self.property_kind(&property.kind) {
                let (name, expect, span) = (property.name.clone(), property.expect, property.span);
                self.system.properties.push(Property { name, kind, expect, span });
            }
        }
    }

    fn property_kind(&mut self, kind: &syntax::PropertyKind) -> Option<PropertyKind> {
        match kind {
            syntax::PropertyKind::Never(condition) => {
                Some(PropertyKind::Never(self.condition(condition, &Everything)?))
            }
            syntax::PropertyKind::Whenever(whole) => {
                let syntax::Reaction { trigger, lasting, response, within } = &**whole;
                let trigger = self.condition(trigger, &Everything);
                let response = self.condition(response, &Everything);
                let (lasting, within) = (self.time(lasting), self.time(within));
                Some(PropertyKind::Whenever {
                    trigger: trigger?,
                    lasting: lasting?,
                    response: response?,
                    within: within?,
                })
            }
        }
    }
}
