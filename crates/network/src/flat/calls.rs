//! Calls, and arrays and structs as a whole.
//!
//! An address does not say whether it means `s`, its first field or that field's first element; what it is used for does: the type of a parameter, or the other side
//! of a copy or comparison.

use super::names::Scope;
use super::objects::{Found, same_shape};
use super::places::of_shape;
use super::syntax::{assign, call, conditional};
use super::{FlatError, Flattener};
use crate::build::place::Space;
use crate::code::term::{AggregateCopy, Call, Term};
use guidepost_language::model::{FunctionId, ParamMode, SymbolId, SymbolKind};
use guidepost_language::syntax::Expr;

impl Flattener<'_> {
    /// A call, and the function.
    pub(super) fn call(
        &mut self,
        scope: Scope,
        term: &Call,
    ) -> Result<(Expr, (FunctionId, Scope)), FlatError> {
        let unknown = || FlatError::inexpressible("a call of an unknown function");
        let key = term.origin;
        if key.1.is_some() && key.1 != scope {
            return Err(FlatError::inexpressible("a call of a function of a process, from outside"));
        }
        let params = &self.model.function(key.0).params;
        let mut args = Vec::new();
        for (param, arg) in params.iter().zip(&term.args) {
            args.push(self.argument(scope, key.1, *param, arg)?);
        }
        let function = self.functions.get(&key).ok_or_else(unknown)?;
        self.called.insert(key);
        Ok((call(function, args), key))
    }

    fn argument(
        &mut self,
        scope: Scope,
        owner: Scope,
        param: SymbolId,
        arg: &Term,
    ) -> Result<Expr, FlatError> {
        let symbol = self.model.symbol(param);
        let layout = self.layout(owner, &symbol.ty, crate::build::is_const(symbol))?;
        let by_reference = matches!(symbol.kind, SymbolKind::Param(ParamMode::Reference));
        match arg {
            Term::Const(cell) if by_reference => Ok(self.constant_at(*cell as u32, &layout)),
            Term::Address(place, _) if by_reference => {
                let stops = self.place_stops(scope, Space::Data, place)?;
                of_shape(stops, &layout)
            }
            Term::Number(place) => {
                let space = if layout.size.clocks > 0 { Space::Clocks } else { Space::Channels };
                let stops = self.place_stops(scope, space, place)?;
                of_shape(stops, &layout)
            }
            Term::Sequence(terms) if matches!(terms[..], [Term::Fault(..), ..]) => {
                Err(FlatError::inexpressible("an argument outside of its array"))
            }
            arg if layout.is_aggregate() => {
                let candidates = self.aggregate(scope, arg)?;
                of_shape(candidates, &layout)
            }
            arg => self.term(scope, arg),
        }
    }

    /// What has to be evaluated first, and a look at it: `f(v).x`, or a fault.
    pub(super) fn sequence(&mut self, scope: Scope, terms: &[Term]) -> Result<Expr, FlatError> {
        match terms {
            [Term::Fault(..), ..] => Ok(self.fault()),
            [Term::Call(call), rest] => {
                self.with_result(scope, call, |flattener| flattener.term(scope, rest))
            }
            _ => Err(FlatError::inexpressible("a sequence of expressions")),
        }
    }

    fn with_result<T>(
        &mut self,
        scope: Scope,
        call: &Call,
        look: impl FnOnce(&mut Self) -> Result<T, FlatError>,
    ) -> Result<T, FlatError> {
        let Some((cell, _)) = call.result else {
            return Err(FlatError::inexpressible("a sequence of expressions"));
        };
        let (expr, layout) = self.struct_call(scope, call)?;
        self.results.push((cell, expr, layout));
        let result = look(self);
        self.results.pop();
        result
    }

    fn struct_call(&mut self, scope: Scope, call: &Call) -> Result<Found, FlatError> {
        let (expr, (function, owner)) = self.call(scope, call)?;
        let layout = self.layout(owner, &self.model.function(function).result, false)?;
        Ok((expr, layout))
    }

    /// The arrays and structs that an address can be meant as, outermost first.
    fn aggregate(&mut self, scope: Scope, term: &Term) -> Result<Vec<Found>, FlatError> {
        match term {
            Term::Address(place, _) => self.place_stops(scope, Space::Data, place),
            Term::Call(call) => Ok(vec![self.struct_call(scope, call)?]),
            Term::If(condition, then, otherwise) => {
                let condition = self.condition(scope, condition)?;
                let (then, otherwise) = (self.aggregate(scope, then)?, self.aggregate(scope, otherwise)?);
                let mut both = Vec::new();
                for (left, layout) in then {
                    let same = otherwise.iter().find(|(_, other)| same_shape(&layout, other));
                    if let Some((right, _)) = same {
                        both.push((conditional(condition.clone(), left, right.clone()), layout));
                    }
                }
                Ok(both)
            }
            Term::Sequence(terms) => match &terms[..] {
                [Term::Copy(copy), Term::Address(..)] => Ok(vec![self.copy(scope, copy)?]),
                [Term::Call(call), rest] => {
                    self.with_result(scope, call, |flattener| flattener.aggregate(scope, rest))
                }
                _ => Err(FlatError::inexpressible("an array or struct that does not exist")),
            },
            _ => Err(FlatError::inexpressible("an array or struct that is computed in this way")),
        }
    }

    /// Two arrays or structs of this many cells and of one type.
    pub(super) fn same_aggregates(
        &mut self,
        scope: Scope,
        left: &Term,
        right: &Term,
        size: u32,
    ) -> Result<(Found, Found), FlatError> {
        let (left, right) = (self.aggregate(scope, left)?, self.aggregate(scope, right)?);
        for one in left.iter().filter(|(_, layout)| layout.is_aggregate() && layout.size.data == size) {
            if let Some(other) = right.iter().find(|(_, layout)| same_shape(&one.1, layout)) {
                return Ok((one.clone(), other.clone()));
            }
        }
        Err(FlatError::inexpressible("arrays or structs of different types as one"))
    }

    pub(super) fn copy(&mut self, scope: Scope, copy: &AggregateCopy) -> Result<Found, FlatError> {
        let (target, source) = self.same_aggregates(scope, &copy.target, &copy.source, copy.plan.length)?;
        Ok((assign(None, target.0, source.0), target.1))
    }
}
