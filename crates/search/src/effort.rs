//! What a search has done, counted: the same on every machine, and proportional to the processor time it takes.
//!
//! Searches that take turns have to agree on what a turn is. Seconds would make answers depend on the machine and its mood, so what is done is counted, and each
//! kind of work is weighted with the time it takes: transitions by the size of their states and zones, instructions of the bytecode machine, and what heuristics
//! count themselves. A unit is about ten nanoseconds on the machine it was calibrated on; `benches/auto calibrate` shows how well that holds for all kinds of
//! searches on a folder of models.

use guidepost_answer::Statistics;
use guidepost_explore::{Explorer, Store};

/// Loading a state, and looking for what is possible in it; and for each of its cells.
const EXPANSION: u64 = 50;
const EXPANSION_CELL: u64 = 1;
/// A transition without clocks: its target is computed, packed and looked up; and for each of its cells.
const TRANSITION: u64 = 50;
const TRANSITION_CELL_TENTHS: u64 = 4;
/// Each entry of a zone.
const ENTRY_TENTHS: u64 = 3;
/// Comparing a zone with a stored one: most differ at first sight.
const COMPARISON: u64 = 1;
/// An instruction of the bytecode machine.
const INSTRUCTION_TENTHS: u64 = 4;
const TENTHS: u64 = 10;

/// Effort in units that a turn may be measured in: a thousandth of a second.
pub const MILLISECOND: u64 = 100_000;

/// What an explorer and its store have done for a search, estimates not included.
pub(crate) fn of_exploration(explorer: &Explorer<'_>, store: &Store, statistics: &Statistics) -> u64 {
    let cells = explorer.packing().initial().len() as u64;
    let transition = TRANSITION + cells * TRANSITION_CELL_TENTHS / TENTHS;
    statistics.explored * (EXPANSION + cells * EXPANSION_CELL)
        + statistics.generated * transition
        + explorer.entries() * ENTRY_TENTHS / TENTHS
        + store.compared() * COMPARISON
        + explorer.machine().executed() * INSTRUCTION_TENTHS / TENTHS
}

/// What it takes to look at so many entries of zones.
pub(crate) fn of_entries(entries: u64) -> u64 {
    entries * ENTRY_TENTHS / TENTHS / TENTHS
}

/// What it takes to follow so many single transitions with an explorer.
pub(crate) fn of_following(explorer: &Explorer<'_>, followed: u64) -> u64 {
    let cells = explorer.packing().initial().len() as u64;
    let each = EXPANSION + cells * EXPANSION_CELL + TRANSITION + cells * TRANSITION_CELL_TENTHS / TENTHS;
    followed * each
        + explorer.entries() * ENTRY_TENTHS / TENTHS
        + explorer.machine().executed() * INSTRUCTION_TENTHS / TENTHS
}
