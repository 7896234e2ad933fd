//! What a search has done, in [units of effort](guidepost_explore::effort).

use guidepost_answer::Statistics;
use guidepost_explore::effort::{of_entries, of_instructions, of_steps};
use guidepost_explore::{Explorer, Store};

/// Comparing a zone with a stored one: most differ at first sight.
const COMPARISON: u64 = 1;
/// So many entries of zones that are only looked at cost what one does that is made.
const LOOKED_AT: u64 = 10;

/// What an explorer and its store have done for a search, estimates not included.
pub(crate) fn of_exploration(explorer: &Explorer<'_>, store: &Store, statistics: &Statistics) -> u64 {
    let cells = explorer.packing().initial().len();
    of_steps(cells, statistics.explored, statistics.generated)
        + of_entries(explorer.entries())
        + store.compared() * COMPARISON
        + of_instructions(explorer.machine().executed())
}

/// What it takes to look at so many entries of zones.
pub(crate) fn of_looking(entries: u64) -> u64 {
    of_entries(entries) / LOOKED_AT
}

/// What it takes to follow so many single transitions with an explorer.
pub(crate) fn of_following(explorer: &Explorer<'_>, followed: u64) -> u64 {
    of_steps(explorer.packing().initial().len(), followed, followed)
        + of_entries(explorer.entries())
        + of_instructions(explorer.machine().executed())
}
