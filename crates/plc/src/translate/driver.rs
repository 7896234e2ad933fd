//! Drivers: what no controller writes changes at any time, to any other value.

use super::{Translator, build};
use crate::system::{Kind, Signal};
use guidepost_language::source::Span;
use guidepost_language::syntax::{BinaryOp, Edge, Expr, Template};

impl Translator<'_> {
    pub(super) fn driver(&self, signal: Signal) -> Template {
        let port = self.selection.system.port(signal);
        let span = port.name.span;
        let mut template = build::template(&self.names.drivers[&signal], span);
        template.locations.push(build::location("any", span));
        template.edges = (port.domain.low..=port.domain.high)
            .map(|value| Edge {
                guard: Some(self.differs(signal, value, span)),
                update: self.drive(signal, value, span),
                ..build::edge(0, 0, span)
            })
            .collect();
        template
    }

    fn differs(&self, signal: Signal, value: i32, span: Span) -> Expr {
        let name = build::name(&self.names.signals[&signal], span);
        let kind = self.selection.system.port(signal).domain.kind;
        match kind {
            Kind::Bool if value == 0 => name,
            Kind::Bool => build::not(name),
            _ => build::binary(BinaryOp::Ne, name, self.value(value, kind, span)),
        }
    }

    fn drive(&self, signal: Signal, value: i32, span: Span) -> Vec<Expr> {
        let kind = self.selection.system.port(signal).domain.kind;
        let mut update = vec![build::assign(&self.names.signals[&signal], self.value(value, kind, span))];
        update.extend(self.unsettle(std::iter::once(signal), span));
        update
    }
}
