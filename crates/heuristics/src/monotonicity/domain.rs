//! Facts: the values of every cell of the state, numbered.

use guidepost_network::Network;

/// Variables with more values than this are not counted value by value.
const COUNTED: i64 = 1 << 16;
/// Of a variable with more values than this, so many around its initial value have facts; all others are one: any value.
const WINDOW: i64 = 1 << 12;
/// How much of the window lies below the initial value.
const BELOW: i64 = WINDOW / 8;
/// How many facts there may be in all.
const FACTS: u64 = 1 << 22;

/// The numbering. The facts of a cell are contiguous, in the order of the values; behind them stands the fact that the cell may have any value.
pub(super) struct Domains {
    /// Cells that hold locations.
    pub(super) processes: usize,
    first: Vec<u32>,
    low: Vec<i32>,
    size: Vec<u32>,
    /// The range of the cell, where that is larger than its window.
    range: Vec<Option<(i32, i32)>>,
    /// The cell of each fact.
    cells: Vec<u32>,
}

impl Domains {
    pub(super) fn new(network: &Network) -> Self {
        let processes = network.processes.len();
        let mut domains = Self {
            processes,
            first: Vec::new(),
            low: Vec::new(),
            size: Vec::new(),
            range: Vec::new(),
            cells: Vec::new(),
        };
        for process in &network.processes {
            domains.push(process.locations.start as i32, process.locations.len() as u32);
        }
        let hooked = network.written_by_hooks();
        for (variable, hooked) in network.variables.iter().zip(hooked) {
            let values = i64::from(variable.max) - i64::from(variable.min) + 1;
            let room = FACTS.saturating_sub(domains.cells.len() as u64);
            let counted = values.min(WINDOW);
            let is_free = variable.meta || hooked || values > COUNTED || counted as u64 > room;
            if is_free {
                domains.push(variable.min, 0);
            } else if values == counted {
                domains.push(variable.min, values as u32);
            } else {
                let (min, max) = (i64::from(variable.min), i64::from(variable.max));
                let low = (i64::from(variable.initial) - BELOW).clamp(min, max + 1 - WINDOW);
                domains.push(low as i32, WINDOW as u32);
                domains.range[domains.first.len() - 1] = Some((variable.min, variable.max));
            }
        }
        domains
    }

    fn push(&mut self, low: i32, size: u32) {
        let cell = self.first.len() as u32;
        self.first.push(self.cells.len() as u32);
        self.low.push(low);
        self.size.push(size);
        self.range.push(None);
        self.cells.extend(std::iter::repeat_n(cell, size as usize + 1));
    }

    pub(super) fn cells(&self) -> usize {
        self.first.len()
    }

    pub(super) fn facts(&self) -> usize {
        self.cells.len()
    }

    /// Whether the cell may have any value from the start.
    pub(super) fn is_free(&self, cell: usize) -> bool {
        self.size[cell] == 0
    }

    /// How many values the cell can have.
    pub(super) fn size(&self, cell: usize) -> usize {
        self.size[cell] as usize
    }

    /// The fact that the cell may have any value.
    #[inline]
    pub(super) fn any(&self, cell: usize) -> u32 {
        self.first[cell] + self.size[cell]
    }

    /// The first fact of the cell.
    #[inline]
    pub(super) fn first(&self, cell: usize) -> u32 {
        self.first[cell]
    }

    /// The fact that the cell has a value, if it can: that it may have any, outside its window.
    #[inline]
    pub(super) fn fact(&self, cell: usize, value: i32) -> Option<u32> {
        let offset = i64::from(value) - i64::from(self.low[cell]);
        if 0 <= offset && offset < i64::from(self.size[cell]) {
            return Some(self.first[cell] + offset as u32);
        }
        let (min, max) = self.range[cell]?;
        (min <= value && value <= max).then(|| self.any(cell))
    }

    /// The cell of a fact.
    #[inline]
    pub(super) fn cell(&self, fact: u32) -> usize {
        self.cells[fact as usize] as usize
    }

    /// The value of a fact that is not "any".
    #[inline]
    pub(super) fn value(&self, fact: u32) -> i32 {
        let cell = self.cell(fact);
        self.low[cell] + (fact - self.first[cell]) as i32
    }
}
