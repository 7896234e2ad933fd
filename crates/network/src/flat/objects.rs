//! Addresses back to names.
//!
//! A *declared object* is a variable, constant, clock or channel with all its elements and fields. Its cells are contiguous in each of the three
//! numberings, so the object at an address is found by a search for intervals, and the way down to the cell follows from the layout: at an array the
//! next computed index is taken if its stride is the array's, else the constant offset says which element is meant.

use super::names::{Scope, Taken};
use super::syntax::{field, index, literal, name};
use crate::build::layout::{Field, Kind, Layout};
use crate::build::names::{Binding, Object, Origin};
use crate::build::place::Space;
use crate::network::Network;
use guidepost_language::model::Model;
use guidepost_language::syntax::Expr;
use std::sync::Arc;

/// A declared object.
pub(super) struct DeclaredObject {
    /// The process it belongs to.
    pub(super) owner: Scope,
    /// What it is called in its declaration.
    pub(super) name: String,
    pub(super) layout: Arc<Layout>,
    /// Where its data cells begin in memory.
    pub(super) data: u32,
    pub(super) clocks: u32,
    pub(super) channels: u32,
    pub(super) constant: bool,
}

impl DeclaredObject {
    pub(super) fn start(&self, space: Space) -> u32 {
        match space {
            Space::Data => self.data,
            Space::Clocks => self.clocks,
            Space::Channels => self.channels,
        }
    }
}

/// All objects, with what is needed to find them.
pub(super) struct DeclaredObjects {
    all: Vec<DeclaredObject>,
    /// Start, end and object, by ascending start, for each numbering.
    spans: [Vec<(u32, u32, usize)>; 3],
}

/// A computed index: the array it belongs to, and the expression.
pub(super) struct Step {
    pub(super) low: i32,
    pub(super) count: u32,
    pub(super) stride: u32,
    pub(super) index: Expr,
}

/// An expression and what it stands for.
pub(super) type Found = (Expr, Arc<Layout>);

const SPACES: [Space; 3] = [Space::Data, Space::Clocks, Space::Channels];

/// The same layout without urgent channels.
fn calmed(layout: &Arc<Layout>) -> Arc<Layout> {
    let kind = match &layout.kind {
        Kind::Channel { broadcast, .. } => Kind::Channel { urgent: false, broadcast: *broadcast },
        Kind::Array { low, count, element } => {
            Kind::Array { low: *low, count: *count, element: calmed(element) }
        }
        Kind::Struct(fields) => {
            let calm = |field: &Field| Field { layout: calmed(&field.layout), ..field.clone() };
            Kind::Struct(fields.iter().map(calm).collect())
        }
        other => other.clone(),
    };
    Arc::new(Layout { kind, size: layout.size })
}

impl DeclaredObjects {
    /// The global objects. Those of processes are added later, when all global names are taken.
    pub(super) fn global(network: &Network, model: &Model, taken: &mut Taken) -> Self {
        let mut objects = Self { all: Vec::new(), spans: Default::default() };
        for &symbol in &model.globals {
            if let Some(Some(Binding::Object(object))) = network.names.globals.get(symbol.index()) {
                objects.add(network, object, None, &model.symbol(symbol).name, taken);
            }
        }
        objects.add_rendezvous(network, taken);
        objects
    }

    /// Adds the objects of the processes. Parameters that refer to something else are no objects of their own.
    pub(super) fn add_local(&mut self, network: &Network, model: &Model, taken: &mut Taken) {
        for (process, names) in network.names.processes.iter().enumerate() {
            for (symbol, binding) in &names.bindings {
                if let Binding::Object(object) = binding {
                    self.add(network, object, Some(process as u32), &model.symbol(*symbol).name, taken);
                }
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &DeclaredObject)> {
        self.all.iter().enumerate()
    }

    fn add(&mut self, network: &Network, object: &Object, owner: Scope, wish: &str, taken: &mut Taken) {
        let start = starts(network, object);
        let size = object.layout.size;
        let Some(space) = SPACES.into_iter().find(|space| size.of(*space) > 0) else { return };
        if self.find(space, start[space as usize]).is_some() {
            return;
        }
        let name = taken.declare(owner, wish);
        let constant = matches!(object.data, Origin::Constant(_));
        let [data, clocks, channels] = start;
        let own = channels as usize..(channels + size.channels) as usize;
        // What was declared urgent need not be so any more: an abstraction may have dropped it.
        let is_calm = network.channels.get(own).is_some_and(|own| own.iter().any(|channel| !channel.urgent));
        let layout = if is_calm { calmed(&object.layout) } else { object.layout.clone() };
        self.push(DeclaredObject { owner, name, layout, data, clocks, channels, constant });
    }

    /// The channels that pairs of processes got for themselves (see `build::sync`) stand behind those that are declared.
    fn add_rendezvous(&mut self, network: &Network, taken: &mut Taken) {
        let global = network.names.globals.iter().flatten();
        let local = network.names.processes.iter().flat_map(|names| &names.bindings);
        let declared = global.chain(local.map(|(_, binding)| binding)).map(|binding| match binding {
            Binding::Object(Object { channels: Origin::Fixed(start), layout, .. }) => {
                start + layout.size.channels
            }
            _ => 0,
        });
        let declared = declared.max().unwrap_or(0);
        for (id, channel) in network.channels.iter().enumerate().skip(declared as usize) {
            let kind = Kind::Channel { urgent: channel.urgent, broadcast: channel.broadcast };
            let layout = Arc::new(Layout::leaf(kind));
            let name = taken.declare(None, &channel.name);
            let (channels, constant) = (id as u32, false);
            self.push(DeclaredObject { owner: None, name, layout, data: 0, clocks: 0, channels, constant });
        }
    }

    fn push(&mut self, declared: DeclaredObject) {
        for space in SPACES {
            let (start, size) = (declared.start(space), declared.layout.size.of(space));
            if size > 0 {
                let spans = &mut self.spans[space as usize];
                let at = spans.partition_point(|(other, ..)| *other < start);
                spans.insert(at, (start, start + size, self.all.len()));
            }
        }
        self.all.push(declared);
    }

    /// The object at an address.
    pub(super) fn find(&self, space: Space, address: u32) -> Option<usize> {
        let spans = &self.spans[space as usize];
        let (_, end, declared) = spans[..spans.partition_point(|(start, ..)| *start <= address)].last()?;
        (address < *end).then_some(*declared)
    }

    pub(super) fn get(&self, declared: usize) -> &DeclaredObject {
        &self.all[declared]
    }
}

/// Where an object begins in each of the numberings.
pub(super) fn starts(network: &Network, object: &Object) -> [u32; 3] {
    [object.data, object.clocks, object.channels].map(|origin| match origin {
        Origin::Variable(start) => network.program.memory.processes + start,
        Origin::Constant(start) => network.names.constants + start,
        Origin::Fixed(start) | Origin::Indirect(start) => start,
    })
}

/// The ways down from a root to the cell at an offset: every stop at which the offset and all computed indices are used up, outermost first.
pub(super) fn descend(root: Found, space: Space, mut offset: u32, steps: Vec<Step>) -> Vec<Found> {
    let (mut expr, mut layout) = root;
    let mut steps = steps.into_iter().peekable();
    let mut stops = Vec::new();
    loop {
        if steps.peek().is_none() && offset == 0 {
            stops.push((expr.clone(), layout.clone()));
        }
        let next = match &layout.kind {
            Kind::Array { low, count, element } => {
                let stride = element.size.of(space);
                let fits = |step: &Step| (step.low, step.count, step.stride) == (*low, *count, stride);
                let at = match steps.next_if(fits) {
                    Some(step) => step.index,
                    None if stride == 0 => return stops,
                    None => {
                        let position = offset / stride;
                        offset %= stride;
                        literal(low + position as i32)
                    }
                };
                expr = index(expr, at);
                element.clone()
            }
            Kind::Struct(fields) => {
                let holds = |start: u32, size: u32| (start..start + size).contains(&offset);
                let inside =
                    fields.iter().find(|field| holds(field.offset.of(space), field.layout.size.of(space)));
                let Some(inside) = inside else { return stops };
                offset -= inside.offset.of(space);
                expr = field(expr, &inside.name);
                inside.layout.clone()
            }
            _ => return stops,
        };
        layout = next;
    }
}

/// Whether two layouts are those of one type, up to the ranges of integers.
pub(super) fn same_shape(left: &Layout, right: &Layout) -> bool {
    match (&left.kind, &right.kind) {
        (Kind::Array { low, count, element }, Kind::Array { low: l, count: c, element: e }) => {
            (low, count) == (l, c) && same_shape(element, e)
        }
        (Kind::Struct(fields), Kind::Struct(others)) => {
            fields.len() == others.len()
                && fields.iter().zip(others).all(|(field, other)| {
                    field.name == other.name && same_shape(&field.layout, &other.layout)
                })
        }
        (left, right) => std::mem::discriminant(left) == std::mem::discriminant(right),
    }
}

/// The name of an object, with its process where it is seen from outside.
pub(super) fn root(
    declared: &DeclaredObject,
    scope: Scope,
    process: impl Fn(u32) -> Option<String>,
) -> Option<Expr> {
    match declared.owner {
        Some(owner) if scope.is_none() => Some(field(name(&process(owner)?), &declared.name)),
        Some(owner) if scope != Some(owner) => None,
        _ => Some(name(&declared.name)),
    }
}
