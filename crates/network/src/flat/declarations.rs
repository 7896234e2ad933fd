//! What is declared: objects with their types and initial values, constants that had to be made up, priorities, hooks.

use super::functions::Functions;
use super::names::Scope;
use super::objects::DeclaredObject;
use super::syntax::{ident, literal, name, truth};
use super::types::written;
use super::{FlatError, Flattener};
use crate::build::layout::{Kind, Layout, default_value};
use crate::build::place::Space;
use guidepost_language::source::Span;
use guidepost_language::syntax::{
    ChanPriorityItem, Decl, Declarator, Expr, Init, Prefix, Template, TypeExpr,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Constants that the model does not have.
#[derive(Default)]
pub(super) struct MadeUp {
    /// Arrays that hold their own indices from the first to the last.
    identities: BTreeMap<(i32, i32), String>,
    /// Single constants, by value and range.
    constants: BTreeMap<(i32, i32, i32, bool), String>,
    /// Channels for vectors of two processes.
    pub(super) channels: BTreeMap<u32, String>,
    /// Other vectors.
    pub(super) vectors: BTreeMap<u32, String>,
}

/// Initial values, cell by cell.
struct Cells<'c> {
    data: std::slice::Iter<'c, i32>,
    clocks: std::slice::Iter<'c, i32>,
}

impl Flattener<'_> {
    /// An array with `a[i] == i`: looking into it checks the index and changes nothing.
    pub(super) fn identity(&mut self, low: i32, high: i32) -> String {
        let taken = &mut self.taken;
        self.made_up.identities.entry((low, high)).or_insert_with(|| taken.declare_late("checked")).clone()
    }

    /// A constant that is passed by reference.
    pub(super) fn constant_at(&mut self, cell: u32, layout: &Layout) -> Expr {
        let memory = &self.network.program.memory;
        let value = match (cell as usize).checked_sub(memory.size()) {
            Some(own) => self.goal.cells[own],
            None => memory.scratch[cell as usize - memory.state_size()],
        };
        self.constant_of(value, layout)
    }

    /// The name of a constant of this value and type.
    pub(super) fn constant_of(&mut self, value: i32, layout: &Layout) -> Expr {
        let (min, max, boolean) = match layout.kind {
            Kind::Int { min, max, boolean } => (min, max, boolean),
            _ => (i32::MIN, i32::MAX, false),
        };
        let taken = &mut self.taken;
        let key = (value, min, max, boolean);
        let made_up = self.made_up.constants.entry(key);
        name(made_up.or_insert_with(|| taken.declare_late("value")))
    }

    pub(super) fn global_declarations(
        &mut self,
        functions: &Functions,
        before: Vec<Expr>,
        after: Vec<Expr>,
    ) -> Result<Vec<Decl>, FlatError> {
        let mut decls = self.objects_of(None)?;
        decls.extend(self.made_up_declarations()?);
        decls.extend(functions.of(None));
        decls.extend(self.channel_priorities()?);
        if !before.is_empty() {
            decls.push(Decl::BeforeUpdate(before, Span::default()));
        }
        if !after.is_empty() {
            decls.push(Decl::AfterUpdate(after, Span::default()));
        }
        Ok(decls)
    }

    pub(super) fn declare_locals(
        &mut self,
        (process, template): &mut (u32, Template),
        functions: &Functions,
    ) -> Result<(), FlatError> {
        template.decls = self.objects_of(Some(*process))?;
        template.decls.extend(functions.of(Some(*process)));
        Ok(())
    }

    fn objects_of(&self, owner: Scope) -> Result<Vec<Decl>, FlatError> {
        let mut decls = Vec::new();
        for (index, declared) in self.objects.iter().filter(|(_, declared)| declared.owner == owner) {
            if self.mentioned.contains(&index) || self.is_kept(declared) {
                decls.push(self.declaration(declared)?);
            }
        }
        Ok(decls)
    }

    /// Whether an object that nothing mentions is declared anyway.
    fn is_kept(&self, declared: &DeclaredObject) -> bool {
        let size = declared.layout.size;
        let some = |omitted: &[bool], start: u32, count: u32| {
            omitted.iter().skip(start as usize).take(count as usize).any(|omitted| !omitted)
        };
        let processes = self.network.program.memory.processes;
        !declared.constant
            && declared.layout.unsupported().is_none()
            && ((size.data > 0 && some(&self.omitted.variables, declared.data - processes, size.data))
                || some(&self.omitted.clocks, declared.clocks, size.clocks)
                || some(&self.omitted.channels, declared.channels, size.channels))
    }

    fn declaration(&self, declared: &DeclaredObject) -> Result<Decl, FlatError> {
        let (data, meta) = self.initial_data(declared);
        let clocks = self.network.clocks.iter().skip(declared.clocks as usize);
        let clocks: Vec<i32> =
            clocks.take(declared.layout.size.clocks as usize).map(|clock| clock.initial).collect();
        let prefix = match (declared.constant, meta) {
            (true, _) => Some(Prefix::Const),
            (false, true) => Some(Prefix::Meta),
            (false, false) => None,
        };
        let (ty, dimensions) = written(&declared.layout, prefix)?;
        let starts_by_default = is_default(&declared.layout, &data) && clocks.iter().all(|value| *value == 0);
        let init = if starts_by_default && !declared.constant {
            None
        } else {
            let mut cells = Cells { data: data.iter(), clocks: clocks.iter() };
            Some(initialiser(&declared.layout, &mut cells, &declared.name)?)
        };
        Ok(Decl::Variables(ty, vec![Declarator { name: ident(&declared.name), dimensions, init }]))
    }

    /// The values that the cells of an object start with, and whether it is `meta`.
    fn initial_data(&self, declared: &DeclaredObject) -> (Vec<i32>, bool) {
        let (program, count) = (&self.network.program, declared.layout.size.data as usize);
        if count == 0 {
            return (Vec::new(), false);
        }
        if declared.constant {
            let start = declared.data as usize - program.state_size();
            return (program.memory.scratch[start..start + count].to_vec(), false);
        }
        let start = (declared.data - program.memory.processes) as usize;
        let variables = &self.network.variables[start..start + count];
        (variables.iter().map(|variable| variable.initial).collect(), variables[0].meta)
    }

    fn made_up_declarations(&self) -> Result<Vec<Decl>, FlatError> {
        let mut decls = Vec::new();
        for (&(low, high), name) in &self.made_up.identities {
            let element = Arc::new(Layout::leaf(Kind::Int { min: low, max: high, boolean: false }));
            let count = (high - low + 1) as u32;
            let size = element.size.times(count);
            let layout = Layout { kind: Kind::Array { low, count, element }, size };
            let items = (low..=high).map(|value| (None, Init::Expr(literal(value)))).collect();
            decls.push(constant(&layout, name, Init::List(items, Span::default()))?);
        }
        for (&(value, min, max, boolean), name) in &self.made_up.constants {
            let layout = Layout::leaf(Kind::Int { min, max, boolean });
            decls.push(constant(&layout, name, Init::Expr(literal(value)))?);
        }
        for name in self.made_up.channels.values() {
            let layout = Layout::leaf(Kind::Channel { urgent: false, broadcast: false });
            let (ty, dimensions) = written(&layout, None)?;
            decls.push(variable(ty, name, dimensions, None));
        }
        Ok(decls)
    }

    /// Channels by their priority, where these differ from that of internal moves.
    fn channel_priorities(&mut self) -> Result<Option<Decl>, FlatError> {
        let default = self.network.internal_priority;
        let mut levels: BTreeMap<u32, Vec<Option<Expr>>> = BTreeMap::from([(default, vec![None])]);
        for (index, declared) in self.objects.iter() {
            let count = declared.layout.size.channels as usize;
            if count == 0 || !(self.is_kept(declared) || self.mentioned.contains(&index)) {
                continue;
            }
            let channels = &self.network.channels[declared.channels as usize..][..count];
            let first = channels[0].priority;
            if channels.iter().all(|channel| channel.priority == default) {
                continue;
            }
            if declared.owner.is_some() {
                return Err(FlatError::inexpressible("the priority of a channel of a process"));
            }
            if channels.iter().all(|channel| channel.priority == first) {
                levels.entry(first).or_default().push(Some(name(&declared.name)));
                continue;
            }
            for (position, channel) in channels.iter().enumerate() {
                let root = (name(&declared.name), declared.layout.clone());
                let stops = super::objects::descend(root, Space::Channels, position as u32, Vec::new());
                levels
                    .entry(channel.priority)
                    .or_default()
                    .extend(stops.into_iter().last().map(|stop| Some(stop.0)));
            }
        }
        if levels.len() == 1 {
            return Ok(None);
        }
        let mut items = Vec::new();
        for channels in levels.into_values() {
            for (position, channel) in channels.into_iter().enumerate() {
                items.push(ChanPriorityItem { channel, raises: position == 0, span: Span::default() });
            }
        }
        Ok(Some(Decl::ChanPriority(items, Span::default())))
    }
}

fn is_default(layout: &Layout, data: &[i32]) -> bool {
    let mut ranges = Vec::new();
    layout.ranges(&mut ranges);
    data.iter().zip(ranges).all(|(value, (min, max))| *value == default_value(min, max))
}

fn variable(
    ty: TypeExpr,
    name: &str,
    dimensions: Vec<guidepost_language::syntax::Dimension>,
    init: Option<Init>,
) -> Decl {
    Decl::Variables(ty, vec![Declarator { name: ident(name), dimensions, init }])
}

fn constant(layout: &Layout, name: &str, init: Init) -> Result<Decl, FlatError> {
    let (ty, dimensions) = written(layout, Some(Prefix::Const))?;
    Ok(variable(ty, name, dimensions, Some(init)))
}

fn initialiser(layout: &Layout, cells: &mut Cells<'_>, declared: &str) -> Result<Init, FlatError> {
    let list =
        |items: Vec<Init>| Init::List(items.into_iter().map(|item| (None, item)).collect(), Span::default());
    Ok(match &layout.kind {
        Kind::Int { boolean: true, .. } => {
            Init::Expr(truth(cells.data.next().is_some_and(|value| *value != 0)))
        }
        Kind::Int { .. } => Init::Expr(literal(cells.data.next().copied().unwrap_or_default())),
        Kind::Clock => Init::Expr(literal(cells.clocks.next().copied().unwrap_or_default())),
        Kind::Array { count, element, .. } => {
            let items = (0..*count).map(|_| initialiser(element, cells, declared));
            list(items.collect::<Result<_, _>>()?)
        }
        Kind::Struct(fields) => {
            let items = fields.iter().map(|field| initialiser(&field.layout, cells, declared));
            list(items.collect::<Result<_, _>>()?)
        }
        Kind::Channel { .. } | Kind::Unsupported(_) => {
            return Err(FlatError::inexpressible(format!("the initial value of `{declared}`")));
        }
    })
}
