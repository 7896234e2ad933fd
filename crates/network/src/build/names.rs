//! What every name stands for, in every process.
//!
//! Built while the processes are instantiated and kept beside the network, because queries arrive later and speak of `P(2).x`.

use super::layout::Layout;
use crate::network::ProcessId;
use guidepost_language::model::{FunctionId, SymbolId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Frame cells of each function (`None`: of code outside functions), as address and size; reused from process to process.
pub(crate) type Frames = BTreeMap<Option<FunctionId>, Vec<(u32, u32)>>;

/// What the names of a model stand for in its network; needed to compile queries later.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Global names, by symbol.
    pub(crate) globals: Vec<Option<Binding>>,
    /// The names of each process.
    pub(crate) processes: Vec<ProcessNames>,
    /// The processes of each name on the system line.
    pub(crate) sets: Vec<ProcessSet>,
    /// Address of the first constant cell.
    pub(crate) constants: u32,
    /// Frame cells of each function.
    pub(crate) frames: Frames,
}

/// The names of one process.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProcessNames {
    /// Parameters and local declarations, sorted by symbol.
    pub(crate) bindings: Vec<(SymbolId, Binding)>,
    /// Number of its first location.
    pub(crate) first_location: u32,
    /// How many locations it has.
    pub(crate) location_count: u32,
}

/// The processes that one name on the system line stands for.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProcessSet {
    pub(crate) first: u32,
    /// First value and number of values of each open parameter.
    pub(crate) dimensions: Vec<(i32, u32)>,
}

impl ProcessSet {
    /// The member with these arguments; `Err` says which argument is out of range.
    pub(crate) fn member(&self, args: &[i32]) -> Result<ProcessId, usize> {
        let mut index = 0;
        for (position, (&(low, count), &arg)) in self.dimensions.iter().zip(args).enumerate() {
            let offset = u32::try_from(i64::from(arg) - i64::from(low)).map_err(|_| position)?;
            if offset >= count {
                return Err(position);
            }
            index = index * count + offset;
        }
        Ok(ProcessId(self.first + index))
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// A number known now.
    Value(i32),
    /// Something with a place.
    Object(Object),
}

/// An object: its shape and where its data cells, clocks and channels begin.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) layout: Arc<Layout>,
    pub(crate) name: Arc<str>,
    pub(crate) data: Origin,
    pub(crate) clocks: Origin,
    pub(crate) channels: Origin,
}

/// Where the parts of one kind begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// At this variable.
    Variable(u32),
    /// At this offset among the constants.
    Constant(u32),
    /// At this address, clock or channel.
    Fixed(u32),
    /// At the address, clock or channel whose number stands in this cell.
    Indirect(u32),
}

impl Names {
    pub(crate) fn of_process(&self, process: u32, symbol: SymbolId) -> Option<&Binding> {
        let bindings = &self.processes.get(process as usize)?.bindings;
        let at = bindings.binary_search_by_key(&symbol, |(symbol, _)| *symbol).ok()?;
        Some(&bindings[at].1)
    }
}
