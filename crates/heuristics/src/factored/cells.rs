//! Which cells of the state become automata.
//!
//! Every process does, and every variable with a moderate number of values that nothing changes behind our back. The others are *left out*: what a condition says
//! about them counts as true, and what is computed from them as any value.

use guidepost_network::{Code, Network};

/// Variables with more values than this are left out: a step that sets one to any value has this many transitions squared.
const VALUES: i64 = 128;

/// The cells of the state: one per process, one per variable, then those that were added. Values are numbered from 0.
pub(crate) struct Cells {
    processes: usize,
    low: Vec<i32>,
    /// 0 for cells that are left out.
    size: Vec<u32>,
    initial: Vec<i32>,
    /// The values that the cell is declared to have: during an update it may have others than before and after one.
    declared: Vec<(i32, i32)>,
}

impl Cells {
    /// With all values that variables are declared to have.
    pub(crate) fn new(network: &Network) -> Self {
        Self::within(network, &vec![None; network.variables.len()])
    }

    /// With the values that variables can have as far as that is known, and those that they are declared to have otherwise.
    pub(crate) fn within(network: &Network, ranges: &[Option<(i32, i32)>]) -> Self {
        let processes = network.processes.len();
        let mut cells =
            Self { processes, low: Vec::new(), size: Vec::new(), initial: Vec::new(), declared: Vec::new() };
        for process in &network.processes {
            let size = process.locations.len() as u32;
            cells.push(process.locations.start as i32, size, process.initial.0 as i32);
            cells.declared.push((i32::MIN, i32::MAX));
        }
        let hooks = [network.before_update, network.after_update].into_iter().flatten();
        let hooked: Vec<_> = hooks.flat_map(|code| network.program.writes(code)).collect();
        for ((id, variable), range) in (0..).zip(&network.variables).zip(ranges) {
            let (min, max) = range.unwrap_or((variable.min, variable.max));
            let values = i64::from(max) - i64::from(min) + 1;
            let is_hooked = hooked.iter().any(|hooked| hooked.0 == id);
            let is_left_out = variable.meta || is_hooked || values > VALUES;
            cells.push(min, if is_left_out { 0 } else { values as u32 }, variable.initial);
            cells.declared.push((variable.min, variable.max));
        }
        cells
    }

    /// Adds a cell with so many values that is neither a process nor a variable; says which it is.
    pub(crate) fn add(&mut self, size: u32, initial: u32) -> usize {
        debug_assert!(initial < size);
        self.push(0, size, initial as i32);
        self.declared.push((0, size as i32 - 1));
        self.len() - 1
    }

    fn push(&mut self, low: i32, size: u32, initial: i32) {
        self.low.push(low);
        self.size.push(size);
        self.initial.push(initial);
    }

    /// How many there are, with those that are left out.
    pub(crate) fn len(&self) -> usize {
        self.low.len()
    }

    /// The cell of a variable.
    pub(crate) fn of_variable(&self, variable: guidepost_network::VarId) -> usize {
        self.processes + variable.index()
    }

    pub(crate) fn is_left_out(&self, cell: usize) -> bool {
        self.size[cell] == 0
    }

    /// How many values a cell has; none if it is left out.
    pub(crate) fn size(&self, cell: usize) -> u32 {
        self.size[cell]
    }

    /// The number of a value, if the cell can have it.
    pub(crate) fn number(&self, cell: usize, value: i32) -> Option<u32> {
        let offset = i64::from(value) - i64::from(self.low[cell]);
        (0 <= offset && offset < i64::from(self.size[cell])).then_some(offset as u32)
    }

    /// Whether a cell may have a value, if only during an update.
    pub(crate) fn may_hold(&self, cell: usize, value: i32) -> bool {
        let (min, max) = self.declared[cell];
        (min..=max).contains(&value)
    }

    /// The value with a number.
    pub(crate) fn value(&self, cell: usize, number: u32) -> i32 {
        self.low[cell] + number as i32
    }

    /// The smallest value.
    pub(crate) fn low(&self, cell: usize) -> i32 {
        self.low[cell]
    }

    /// The initial state.
    pub(crate) fn initial(&self) -> &[i32] {
        &self.initial
    }

    /// The cells a code may write.
    pub(crate) fn written_by(&self, network: &Network, code: Code) -> Vec<usize> {
        network.program.writes(code).into_iter().map(|variable| self.of_variable(variable)).collect()
    }
}
