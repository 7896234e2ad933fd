//! Types, as they are computed for a process, written out: every size and every range is a number.

use super::names::Scope;
use super::syntax::{ident, literal, plain_type, range_type};
use super::{FlatError, Flattener, Local};
use crate::build::layout::{INT_RANGE, Kind, Layout};
use guidepost_language::model::{Expr, SymbolId, Type};
use guidepost_language::source::Span;
use guidepost_language::syntax::{Declarator, Dimension, FieldDecl, Prefix, TypeBase, TypeExpr};
use std::sync::Arc;

impl Flattener<'_> {
    fn values(&self) -> Vec<(SymbolId, i32)> {
        let known = self.locals.iter().filter_map(|(symbol, local)| match local {
            Local::Value(value) => Some((*symbol, *value)),
            Local::Named(_) => None,
        });
        known.collect()
    }

    /// The layout of a type of the model.
    pub(super) fn layout(
        &mut self,
        scope: Scope,
        ty: &Type,
        unbounded: bool,
    ) -> Result<Arc<Layout>, FlatError> {
        let values = self.values();
        let layout =
            self.builder.within(scope, values, |builder| builder.layout(ty, unbounded, Span::default()));
        layout.ok_or_else(|| FlatError::inexpressible("a type that cannot be computed"))
    }

    /// First and last value of a type.
    pub(super) fn domain(&mut self, scope: Scope, ty: &Type) -> Result<(i32, i32), FlatError> {
        let values = self.values();
        let domain = self.builder.within(scope, values, |builder| builder.domain(ty, Span::default()));
        domain.ok_or_else(|| FlatError::inexpressible("a range that cannot be computed"))
    }

    /// The value of an expression that is known before the run.
    pub(super) fn constant(&mut self, scope: Scope, expr: &Expr) -> Option<i32> {
        let values = self.values();
        self.builder.within(scope, values, |builder| builder.constant(expr))
    }
}

/// The type in front of a name, and the dimensions behind it.
pub(super) fn written(
    layout: &Layout,
    prefix: Option<Prefix>,
) -> Result<(TypeExpr, Vec<Dimension>), FlatError> {
    let mut dimensions = Vec::new();
    let mut inner = layout;
    while let Kind::Array { low, count, element } = &inner.kind {
        dimensions.push(match *low {
            0 => Dimension::Expr(literal(*count as i32)),
            low => Dimension::Type(range_type(low, low + (*count as i32 - 1))),
        });
        inner = element;
    }
    let mut ty = match &inner.kind {
        Kind::Int { boolean: true, .. } => plain_type(TypeBase::Bool),
        Kind::Int { min, max, .. } if (*min, *max) == INT_RANGE || (*min, *max) == (i32::MIN, i32::MAX) => {
            plain_type(TypeBase::Int(None))
        }
        Kind::Int { min, max, .. } => range_type(*min, *max),
        Kind::Clock => plain_type(TypeBase::Clock),
        Kind::Channel { urgent, broadcast } => {
            let prefixes = [(*urgent, Prefix::Urgent), (*broadcast, Prefix::Broadcast)];
            let prefixes = prefixes.into_iter().filter(|(is, _)| *is).map(|(_, prefix)| prefix).collect();
            TypeExpr { prefixes, ..plain_type(TypeBase::Chan) }
        }
        Kind::Struct(fields) => {
            let mut decls = Vec::new();
            for field in fields {
                let (ty, dimensions) = written(&field.layout, None)?;
                let name = ident(&field.name);
                decls.push(FieldDecl { ty, names: vec![Declarator { name, dimensions, init: None }] });
            }
            plain_type(TypeBase::Struct(decls))
        }
        Kind::Unsupported(what) => return Err(FlatError::inexpressible(*what)),
        Kind::Array { .. } => return Err(FlatError::inexpressible("an array")),
    };
    ty.prefixes.extend(prefix);
    Ok((ty, dimensions))
}
