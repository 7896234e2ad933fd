//! The symbols that regression keeps: locations of some processes, some variables, some clocks.

use guidepost_network::{ClockId, Code, Codes, LocationId, Network};

/// Variables with more values than this are not kept.
const VALUES: i64 = 1 << 12;
/// Not kept.
const ABSENT: u32 = u32::MAX;

/// A cell of the state that is kept: the location of a process, or a variable.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Where it is in the state.
    pub address: usize,
    /// Its smallest value.
    pub low: i32,
    /// How many values it has.
    pub size: usize,
    first: usize,
    end: usize,
}

/// The symbols that are kept. Locations come first among the cells; the first clock is the constant zero.
#[derive(Clone)]
pub struct Kept {
    /// The cells of the state.
    pub cells: Vec<Cell>,
    /// The clocks.
    pub clocks: Vec<ClockId>,
    /// How many of the cells are locations.
    pub processes: usize,
    /// All values of all cells.
    pub full: Vec<u64>,
    cell_at: Vec<u32>,
    clock_at: Vec<u32>,
}

impl Kept {
    /// Keeps the locations of some processes, and what is wanted of variables and clocks as far as it can be kept.
    pub fn new(
        network: &Network,
        processes: &[usize],
        is_wanted: impl Fn(usize) -> bool,
        is_clock_wanted: impl Fn(ClockId) -> bool,
    ) -> Self {
        let cells = network.processes.len() + network.variables.len();
        let mut symbols = Self {
            cells: Vec::new(),
            clocks: vec![ClockId::ZERO],
            processes: 0,
            full: Vec::new(),
            cell_at: vec![ABSENT; cells],
            clock_at: vec![ABSENT; network.clocks.len()],
        };
        symbols.clock_at[0] = 0;
        for &process in processes {
            let locations = &network.processes[process].locations;
            symbols.push(process, locations.start as i32, locations.len() as i64);
        }
        symbols.processes = symbols.cells.len();
        let by_hook = network.written_by_hooks();
        for (index, variable) in network.variables.iter().enumerate() {
            if is_wanted(index) && !variable.meta && !by_hook[index] {
                let size = i64::from(variable.max) - i64::from(variable.min) + 1;
                symbols.push(network.processes.len() + index, variable.min, size);
            }
        }
        let is_steady = steady_clocks(network);
        for clock in (1..network.clocks.len() as u32).map(ClockId) {
            if is_clock_wanted(clock) && is_steady[clock.index()] {
                symbols.clock_at[clock.index()] = symbols.clocks.len() as u32;
                symbols.clocks.push(clock);
            }
        }
        symbols
    }

    fn push(&mut self, address: usize, low: i32, size: i64) {
        if !(1..=VALUES).contains(&size) {
            return;
        }
        let size = size as usize;
        let first = self.full.len();
        self.full.extend((0..size.div_ceil(64)).map(|word| match size - word * 64 {
            rest if rest >= 64 => u64::MAX,
            rest => (1 << rest) - 1,
        }));
        self.cell_at[address] = self.cells.len() as u32;
        self.cells.push(Cell { address, low, size, first, end: self.full.len() });
    }

    /// The kept cell at an address of the state.
    #[inline]
    pub fn cell(&self, address: usize) -> Option<usize> {
        let cell = self.cell_at[address];
        (cell != ABSENT).then_some(cell as usize)
    }

    /// The place of a clock among those that are kept.
    #[inline]
    pub fn clock(&self, clock: ClockId) -> Option<usize> {
        let place = self.clock_at[clock.index()];
        (place != ABSENT).then_some(place as usize)
    }

    /// Where the values of a cell are in a concatenation of all masks.
    #[inline]
    pub fn words(&self, cell: usize) -> std::ops::Range<usize> {
        self.cells[cell].first..self.cells[cell].end
    }

    /// All values of a cell.
    #[inline]
    pub fn all(&self, cell: usize) -> &[u64] {
        &self.full[self.words(cell)]
    }

    /// The number of a value of a cell.
    #[inline]
    pub fn index(&self, cell: usize, value: i32) -> Option<usize> {
        let offset = i64::from(value) - i64::from(self.cells[cell].low);
        (0 <= offset && offset < self.cells[cell].size as i64).then_some(offset as usize)
    }

    /// The location behind a value of a cell that holds locations.
    pub fn location(&self, cell: usize, value: usize) -> LocationId {
        LocationId((self.cells[cell].low + value as i32) as u32)
    }

    /// The kept cells that a code reads; `None` when it reads others, too.
    pub fn operands(&self, codes: Codes<'_>, code: Code) -> Option<Vec<usize>> {
        codes.cells_read(code).into_iter().map(|address| self.cell(address)).collect()
    }
}

/// By clock: whether it always runs, and no update around every transition writes it.
fn steady_clocks(network: &Network) -> Vec<bool> {
    let mut steady = vec![true; network.clocks.len()];
    for effect in &network.hook_effects {
        steady[effect.clock.index()] = false;
    }
    for (clock, _) in network.locations.iter().flat_map(|location| &location.rates) {
        steady[clock.index()] = false;
    }
    steady
}
