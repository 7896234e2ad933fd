//! How large a network may get.
//!
//! A model is a few lines of text, but `int a[1000000][1000000]` or a `select` over four ranges asks for more than any
//! machine has. Every product is computed in 64 bits and compared with these limits *before* anything is allocated.

/// Integer cells of the state, and likewise constant cells and frame cells.
pub const MAX_CELLS: u64 = 1 << 20;
/// Clocks.
pub const MAX_CLOCKS: u64 = 1 << 14;
/// Channels.
pub const MAX_CHANNELS: u64 = 1 << 20;
/// Processes.
pub const MAX_PROCESSES: u64 = 1 << 16;
/// Locations of all processes.
pub const MAX_LOCATIONS: u64 = 1 << 22;
/// Edges of all processes, after expansion.
pub const MAX_EDGES: u64 = 1 << 20;
/// Edges that one edge becomes because its guard is a disjunction over clocks.
pub const MAX_ALTERNATIVES: usize = 256;
/// Parts that quantifiers of one label or query become when they are expanded.
pub const MAX_EXPANSION: u64 = 1 << 18;
/// Quantifiers over at most this many values become straight-line code, larger ones loops.
pub const UNROLLED: u64 = 32;
/// Goals of one query.
pub const MAX_GOALS: usize = 4096;
