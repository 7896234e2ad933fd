//! Places in memory as expressions.

use super::names::Scope;
use super::objects::{Found, Step, descend, root, same_shape, starts};
use super::{FlatError, Flattener};
use crate::build::layout::Layout;
use crate::build::names::Object;
use crate::build::place::Space;
use crate::code::term::{Base, Place};
use crate::network::{ChannelId, ClockId};
use guidepost_language::syntax::Expr;

impl Flattener<'_> {
    /// The stops on the way down to an address; the object it belongs to is mentioned.
    fn stops(
        &mut self,
        scope: Scope,
        space: Space,
        address: u32,
        steps: Vec<Step>,
    ) -> Result<Vec<Found>, FlatError> {
        self.stops_from(scope, space, address, 0, steps)
    }

    fn stops_from(
        &mut self,
        scope: Scope,
        space: Space,
        base: u32,
        offset: u32,
        steps: Vec<Step>,
    ) -> Result<Vec<Found>, FlatError> {
        let nowhere = || FlatError::inexpressible("a cell without a name");
        let found = self.objects.find(space, base).ok_or_else(nowhere)?;
        let declared = self.objects.get(found);
        if let Some(owner) = declared.owner
            && self.omitted.processes[owner as usize]
        {
            return Err(FlatError::Omitted(self.network.processes[owner as usize].name.clone()));
        }
        let name = root(declared, scope, |process| self.processes.get(process as usize).cloned());
        let name = name.ok_or_else(|| FlatError::inexpressible("a variable of another process"))?;
        let offset = base - declared.start(space) + offset;
        let start = (name, declared.layout.clone());
        self.mentioned.insert(found);
        Ok(descend(start, space, offset, steps))
    }

    /// The stops on the way down to a place.
    pub(super) fn place_stops(
        &mut self,
        scope: Scope,
        space: Space,
        place: &Place,
    ) -> Result<Vec<Found>, FlatError> {
        let Base::Fixed(base) = place.base else {
            return Err(FlatError::inexpressible("a reference outside of its function"));
        };
        let mut steps = Vec::new();
        for index in &place.indices {
            let (low, count, stride) = (index.low, index.count, index.stride);
            steps.push(Step { low, count, stride, index: self.term(scope, &index.index)? });
        }
        if let (Space::Data, Some((_, name))) =
            (space, self.binders.iter().rev().find(|(cell, _)| *cell == base))
        {
            return Ok(vec![(super::syntax::name(name), std::sync::Arc::new(integer_layout(place)))]);
        }
        let result = self.results.iter().rev().find(|(cell, ..)| *cell == base);
        if let (Space::Data, Some((_, call, layout))) = (space, result) {
            return Ok(descend((call.clone(), layout.clone()), space, place.offset, steps));
        }
        self.stops_from(scope, space, base, place.offset, steps)
    }

    /// The cell, clock or channel at a place.
    pub(super) fn leaf(&mut self, scope: Scope, space: Space, place: &Place) -> Result<Expr, FlatError> {
        innermost(self.place_stops(scope, space, place)?)
    }

    /// A clock.
    pub(super) fn clock(&mut self, scope: Scope, clock: ClockId) -> Result<Expr, FlatError> {
        innermost(self.stops(scope, Space::Clocks, clock.0, Vec::new())?)
    }

    /// A channel.
    pub(super) fn channel(&mut self, scope: Scope, channel: ChannelId) -> Result<Expr, FlatError> {
        innermost(self.stops(scope, Space::Channels, channel.0, Vec::new())?)
    }

    /// What a name of the model stands for.
    pub(super) fn object(&mut self, scope: Scope, object: &Object) -> Result<Expr, FlatError> {
        let size = object.layout.size;
        let spaces = [Space::Data, Space::Clocks, Space::Channels];
        let Some(space) = spaces.into_iter().find(|space| size.of(*space) > 0) else {
            return Err(FlatError::inexpressible(format!("`{}`", object.name)));
        };
        let address = starts(self.network, object)[space as usize];
        let stops = self.stops(scope, space, address, Vec::new())?;
        of_shape(stops, &object.layout)
    }
}

fn integer_layout(place: &Place) -> Layout {
    Layout::leaf(crate::build::layout::Kind::Int { min: place.min, max: place.max, boolean: false })
}

fn innermost(mut stops: Vec<Found>) -> Result<Expr, FlatError> {
    let (expr, layout) = stops.pop().ok_or_else(|| FlatError::inexpressible("a cell without a name"))?;
    if layout.is_aggregate() { Err(FlatError::inexpressible("a part of a variable")) } else { Ok(expr) }
}

/// The outermost stop that is of the given type.
pub(super) fn of_shape(stops: Vec<Found>, layout: &Layout) -> Result<Expr, FlatError> {
    let mut stops = stops.into_iter();
    let found = stops.find(|(_, stop)| same_shape(stop, layout));
    found.map(|(expr, _)| expr).ok_or_else(|| FlatError::inexpressible("a part of a variable"))
}
