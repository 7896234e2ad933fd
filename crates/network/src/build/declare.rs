//! Constants, variables, clocks and channels come into being.

use super::Builder;
use super::constants::Initial;
use super::layout::{Kind, Layout, Sizes};
use super::limits::{MAX_CELLS, MAX_CHANNELS, MAX_CLOCKS};
use super::names::{Binding, Object, Origin};
use crate::network::{Channel, Clock, Variable};
use guidepost_language::diagnostic::Code;
use guidepost_language::model::{Expr, Init, ParamMode, Symbol, SymbolId, SymbolKind};
use guidepost_language::source::Span;
use std::sync::Arc;

impl Builder<'_> {
    /// Declares a global name, or one of a process when `prefix` is not empty (`P.`).
    pub(crate) fn declare(&mut self, id: SymbolId, prefix: &str) -> Option<Binding> {
        let symbol: &Symbol = self.model.symbol(id);
        match &symbol.kind {
            SymbolKind::Constant(init) => self.declare_constant(symbol, init.as_ref()),
            SymbolKind::Variable { meta, init } => {
                let layout = self.layout(&symbol.ty, false, symbol.span)?;
                let outer = std::mem::replace(&mut self.initialising, true);
                let initial = self.initial_values(&layout, init.as_ref(), &symbol.name);
                self.initialising = outer;
                self.note_scalars(&symbol.ty, &layout);
                self.declare_object(
                    &layout,
                    &initial?,
                    &format!("{prefix}{}", symbol.name),
                    *meta,
                    symbol.span,
                )
            }
            // The cost of priced models is no clock of the network; edges and locations say what it does.
            _ => Some(Binding::Value(0)),
        }
    }

    fn declare_constant(&mut self, symbol: &Symbol, init: Option<&Init>) -> Option<Binding> {
        let layout = self.layout(&symbol.ty, true, symbol.span)?;
        if layout.unsupported().is_some() {
            return Some(object(layout, &symbol.name, Sizes::default()));
        }
        self.pure_data(&layout, symbol.span)?;
        let initial = self.initial_values(&layout, init, &symbol.name)?;
        match layout.kind {
            Kind::Int { .. } => initial.data.first().map(|&value| Binding::Value(value)),
            _ => self.constant_object(layout, &initial.data, &symbol.name, symbol.span),
        }
    }

    /// Stores a constant array or struct.
    pub(crate) fn constant_object(
        &mut self,
        layout: Arc<Layout>,
        cells: &[i32],
        name: &Arc<str>,
        span: Span,
    ) -> Option<Binding> {
        let total = self.program.memory.scratch.len() as u64 + cells.len() as u64;
        if total > MAX_CELLS {
            return self.report.error(Code::TooLarge, span, "the constants are too large");
        }
        let offset = self.program.memory.scratch.len() as u32;
        self.program.memory.allocate(cells.iter().copied());
        let Binding::Object(mut object) = object(layout, name, Sizes::default()) else { return None };
        object.data = Origin::Constant(offset);
        Some(Binding::Object(object))
    }

    pub(crate) fn declare_object(
        &mut self,
        layout: &Arc<Layout>,
        initial: &Initial,
        name: &str,
        meta: bool,
        span: Span,
    ) -> Option<Binding> {
        let start = Sizes {
            data: self.variables.len() as u32,
            clocks: self.clocks.len() as u32,
            channels: self.channels.len() as u32,
        };
        let over = |have: u32, more: u32, limit: u64| u64::from(have) + u64::from(more) > limit;
        if over(start.data, layout.size.data, MAX_CELLS)
            || over(start.clocks, layout.size.clocks, MAX_CLOCKS)
            || over(start.channels, layout.size.channels, MAX_CHANNELS)
        {
            let message = format!("the model has too many variables, clocks or channels ({name})");
            return self.report.error(Code::TooLarge, span, message);
        }
        let (mut data, mut clocks) = (initial.data.iter(), initial.clocks.iter());
        let mut path = name.to_owned();
        self.add_leaves(layout, &mut path, meta, &mut data, &mut clocks);
        Some(object(layout.clone(), &name.into(), start))
    }

    fn add_leaves(
        &mut self,
        layout: &Layout,
        path: &mut String,
        meta: bool,
        data: &mut std::slice::Iter<'_, i32>,
        clocks: &mut std::slice::Iter<'_, i32>,
    ) {
        let length = path.len();
        match &layout.kind {
            Kind::Int { min, max, boolean } => {
                let initial = data.next().copied().unwrap_or_default();
                let (name, min, max, boolean) = (path.clone(), *min, *max, *boolean);
                self.variables.push(Variable { name, min, max, initial, boolean, meta });
            }
            Kind::Clock => {
                let initial = clocks.next().copied().unwrap_or_default();
                self.clocks.push(Clock { name: path.clone(), initial });
            }
            Kind::Channel { urgent, broadcast } => {
                let (name, urgent, broadcast) = (path.clone(), *urgent, *broadcast);
                self.channels.push(Channel { name, broadcast, urgent, priority: 0 });
            }
            Kind::Array { low, count, element } => {
                for position in 0..*count {
                    let index = i64::from(*low) + i64::from(position);
                    path.extend(["[", &index.to_string(), "]"]);
                    self.add_leaves(element, path, meta, data, clocks);
                    path.truncate(length);
                }
            }
            Kind::Struct(fields) => {
                for field in fields {
                    path.push('.');
                    path.push_str(&field.name);
                    self.add_leaves(&field.layout, path, meta, data, clocks);
                    path.truncate(length);
                }
            }
            Kind::Unsupported(_) => {}
        }
    }

    /// What an argument of an instantiation binds its parameter to.
    pub(crate) fn argument(&mut self, param: SymbolId, arg: &Expr) -> Option<Binding> {
        let symbol: &Symbol = self.model.symbol(param);
        if matches!(symbol.kind, SymbolKind::Param(ParamMode::Reference)) {
            return self.reference_argument(arg);
        }
        let layout = self.layout(&symbol.ty, is_const(symbol), symbol.span)?;
        self.pure_data(&layout, arg.span)?;
        let init = Init::Expr(arg.clone());
        let initial = self.initial_values(&layout, Some(&init), &symbol.name)?;
        match layout.kind {
            Kind::Int { .. } => initial.data.first().map(|&value| Binding::Value(value)),
            _ => self.constant_object(layout, &initial.data, &symbol.name, arg.span),
        }
    }

    fn reference_argument(&mut self, arg: &Expr) -> Option<Binding> {
        let located = self.locate(arg)?;
        if let Some(value) = located.constant {
            return Some(Binding::Value(value));
        }
        if !located.indices.is_empty() || !located.prelude.is_empty() {
            let message = "a reference argument must name one variable; the index is not constant";
            return self.report.error(Code::BadReference, arg.span, message);
        }
        Some(Binding::Object(located.into_object()))
    }
}

/// Whether a parameter or local is `const`, so that plain `int` is unbounded.
pub(crate) fn is_const(symbol: &Symbol) -> bool {
    matches!(symbol.kind, SymbolKind::Constant(_) | SymbolKind::Param(ParamMode::Const))
}

/// A binding to an object that begins at the given variable, clock and channel.
fn object(layout: Arc<Layout>, name: &Arc<str>, start: Sizes) -> Binding {
    Binding::Object(Object {
        layout,
        name: name.clone(),
        data: Origin::Variable(start.data),
        clocks: Origin::Fixed(start.clocks),
        channels: Origin::Fixed(start.channels),
    })
}
