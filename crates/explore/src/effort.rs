//! What has been done, counted: the same on every machine, and proportional to the processor time it takes.
//!
//! Engines that take turns have to agree on what a turn is. Seconds would make answers depend on the machine and its mood, so what is done is counted, and each
//! kind of work is weighted with the time it takes: steps by the size of their states, entries of zones, instructions of the bytecode machine, and what heuristics
//! count themselves. A unit is about ten nanoseconds on the machine it was calibrated on; `benches/auto calibrate` shows how well that holds for all kinds of
//! searches on a folder of models.

/// Loading a state, and looking for what is possible in it; and for each of its cells.
const EXPANSION: u64 = 50;
const EXPANSION_CELL: u64 = 1;
/// A transition without clocks: its target is computed, packed and looked up; and for each of its cells.
const TRANSITION: u64 = 50;
const TRANSITION_CELL_TENTHS: u64 = 4;
/// Each entry of a zone.
const ENTRY_TENTHS: u64 = 3;
/// An instruction of the bytecode machine: in the loops of functions, which is where there are many, one takes a nanosecond or two.
const INSTRUCTION_TENTHS: u64 = 2;
const TENTHS: u64 = 10;

/// Effort in units that a turn may be measured in: a thousandth of a second.
pub const MILLISECOND: u64 = 100_000;

/// Expanding so many states that have so many cells, and taking so many transitions.
pub fn of_steps(cells: usize, expansions: u64, transitions: u64) -> u64 {
    let cells = cells as u64;
    expansions * (EXPANSION + cells * EXPANSION_CELL)
        + transitions * (TRANSITION + cells * TRANSITION_CELL_TENTHS / TENTHS)
}

/// Making so many entries of zones.
pub fn of_entries(entries: u64) -> u64 {
    entries * ENTRY_TENTHS / TENTHS
}

/// Executing so many instructions.
pub fn of_instructions(executed: u64) -> u64 {
    executed * INSTRUCTION_TENTHS / TENTHS
}
