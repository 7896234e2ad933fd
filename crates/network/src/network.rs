//! The network: a model with every template instantiated, every name an index, every expression compiled.
//!
//! Plain data, built once and immutable; the engines keep their own state. Ids are dense, so maps are vectors. `select` is
//! expanded into one edge per value tuple, branch points into one edge per branch, process sets into one process per member, and
//! a guard that is a disjunction over clocks into one edge per alternative, so that the guard of an edge is always a conjunction.

use crate::code::Code;
use crate::interpreter::Rational;
use guidepost_language::source::Span;
use std::ops::Range;
use std::sync::Arc;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
        pub struct $name(pub u32);
        impl $name {
            /// The id as an index.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// Index into [`Network::processes`].
    ProcessId
);
id!(
    /// Index into [`Network::locations`]; the locations of a process are contiguous.
    LocationId
);
id!(
    /// Index into [`Network::edges`]; the edges that leave a location are contiguous.
    EdgeId
);
id!(
    /// Index into [`Network::clocks`]; clock 0 is the constant zero.
    ClockId
);
id!(
    /// Index into [`Network::variables`].
    VarId
);
id!(
    /// Index into [`Network::channels`].
    ChannelId
);

impl ClockId {
    /// The clock that is always zero.
    pub const ZERO: ClockId = ClockId(0);
}

/// A flat network.
#[derive(Clone, Debug)]
pub struct Network {
    /// The processes, in the order of the system line (members of a process set in lexicographic order).
    pub processes: Vec<Process>,
    /// The locations of all processes.
    pub locations: Vec<Location>,
    /// The edges of all processes, sorted by source location.
    pub edges: Vec<Edge>,
    /// The clocks; the first is the constant zero.
    pub clocks: Vec<Clock>,
    /// By clock: what its initial value is beyond [`Clock::initial`], at least 0 and less than 1. Empty when all begin with whole numbers, as in every model;
    /// see [`Network::starting_at`].
    pub initial_fractions: Vec<Rational>,
    /// Every integer cell of the state: arrays and structs are laid out cell by cell.
    pub variables: Vec<Variable>,
    /// The channels; arrays of channels are laid out element by element.
    pub channels: Vec<Channel>,
    /// Synchronisation vectors of `TChecker` models.
    pub vectors: Vec<Vector>,
    /// All compiled code; that of queries comes with them.
    pub program: crate::code::Program,
    /// What an assignment that leaves its range means.
    pub range_violation: RangeViolation,
    /// Run before every transition's updates.
    pub before_update: Option<Code>,
    /// Run after every transition's updates.
    pub after_update: Option<Code>,
    /// What both of these may and will do to clocks, for static analysis.
    pub hook_effects: Vec<ClockEffect>,
    /// The priority of internal moves and vectors, on the scale of [`Channel::priority`].
    pub internal_priority: u32,
    /// What the network uses, for engines that have to choose.
    pub features: Features,
    /// Which of its parts can be exchanged for each other.
    pub symmetries: crate::symmetry::Symmetries,
    /// What the names of the model stand for, for queries that are compiled later.
    pub names: Arc<crate::build::Names>,
    /// How its runs are told.
    pub wording: guidepost_language::model::Wording,
}

/// What happens when an assignment leaves the range of its variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RangeViolation {
    /// The model is wrong; analysis stops and says where (UPPAAL).
    #[default]
    Error,
    /// The transition is not possible (`TChecker`).
    Disables,
    /// No evaluation that fails, whatever the reason, is an error: what it belongs to is not possible, or does not hold. For abstractions, in which
    /// code may run where the original never does.
    Tolerated,
}

/// A process.
#[derive(Clone, Debug)]
pub struct Process {
    /// `Train(2)`, `Gate`, …
    pub name: String,
    /// Index of its template in the model.
    pub template: u32,
    /// Its locations.
    pub locations: Range<u32>,
    /// Its edges.
    pub edges: Range<u32>,
    /// Where it starts.
    pub initial: LocationId,
    /// Higher goes first; all equal when no priorities are declared.
    pub priority: u32,
}

/// What time may do in a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocationKind {
    /// Time may pass.
    Normal,
    /// Time may not pass.
    Urgent,
    /// Time may not pass, and the next transition must leave a committed location.
    Committed,
}

/// A location of one process.
#[derive(Clone, Debug)]
pub struct Location {
    /// The process.
    pub process: ProcessId,
    /// Its name, without the process.
    pub name: String,
    /// What time may do.
    pub kind: LocationKind,
    /// The data part of the invariant: all must be non-zero.
    pub data_invariant: Vec<Code>,
    /// The clock part of the invariant.
    pub clock_invariant: Vec<ClockConstraint>,
    /// Clocks whose rate the location sets: `x' == code`, 0 or 1; a clock stands still when any current location sets it to 0.
    pub rates: Vec<(ClockId, Code)>,
    /// The cost rate of priced models.
    pub cost_rate: Option<Code>,
    /// The edges that leave it.
    pub outgoing: Range<u32>,
    /// `TChecker` labels.
    pub labels: Vec<String>,
    /// Index of the location in its template in the document.
    pub origin: u32,
}

/// An edge of one process.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The process.
    pub process: ProcessId,
    /// Where it starts.
    pub source: LocationId,
    /// Where it ends.
    pub target: LocationId,
    /// The data part of the guard: all must be non-zero.
    pub data_guard: Vec<Code>,
    /// The clock part of the guard.
    pub clock_guard: Vec<ClockConstraint>,
    /// How it synchronises.
    pub sync: Sync,
    /// The update; clock operations are emitted in order, see [`ClockOp`].
    pub update: Option<Code>,
    /// What the update may and will do to clocks, for static analysis.
    pub clock_effects: Vec<ClockEffect>,
    /// The values bound by `select`.
    pub select: Vec<(String, i32)>,
    /// Where the edge comes from.
    pub origin: EdgeOrigin,
}

impl Location {
    /// The codes of its invariant and its rates.
    pub fn codes(&self) -> impl Iterator<Item = Code> {
        let of_rates = self.rates.iter().map(|&(_, rate)| rate).chain(self.cost_rate);
        let of_clocks = self.clock_invariant.iter().flat_map(ClockConstraint::codes);
        self.data_invariant.iter().copied().chain(of_rates).chain(of_clocks)
    }
}

impl Edge {
    /// The codes that say whether it can be taken: those of its guard, and of its channel.
    pub fn condition_codes(&self) -> impl Iterator<Item = Code> {
        let of_clocks = self.clock_guard.iter().flat_map(ClockConstraint::codes);
        self.data_guard.iter().copied().chain(self.sync.code()).chain(of_clocks)
    }

    /// All its codes: the conditions, then the update.
    pub fn codes(&self) -> impl Iterator<Item = Code> {
        self.condition_codes().chain(self.update)
    }
}

/// Which edge of the document an edge comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EdgeOrigin {
    /// Index of the edge in its template in the document.
    pub edge: u32,
    /// The edge that leaves the branch point, when the first one leads to one.
    pub branch: Option<u32>,
    /// Where the (first) edge stands.
    pub span: Span,
}

/// How an edge synchronises.
#[derive(Clone, Debug)]
pub enum Sync {
    /// Alone.
    Internal,
    /// `c!`
    Send(ChannelRef),
    /// `c?`
    Receive(ChannelRef),
    /// Joins a vector of a `TChecker` model. (Rendezvous in CSP style become [`Send`](Sync::Send) and [`Receive`](Sync::Receive) on one
    /// channel per pair of processes, the process with the lower id sending.)
    Join(u32),
}

/// A channel, known now or only in the state.
#[derive(Clone, Debug)]
pub enum ChannelRef {
    /// Always the same.
    Static(ChannelId),
    /// Computed in the source state; the code's value is a [`ChannelId`] among the candidates.
    Dynamic(Code, Vec<ChannelId>),
}

/// `left - right < bound` or `left - right <= bound`, when `condition` holds (or is absent).
#[derive(Clone, Debug)]
pub struct ClockConstraint {
    /// The clock with the positive sign.
    pub left: ClockId,
    /// The clock with the negative sign.
    pub right: ClockId,
    /// `<` rather than `<=`.
    pub strict: bool,
    /// The bound.
    pub bound: Operand,
    /// The constraint only counts in states where this is non-zero.
    pub condition: Option<Code>,
}

impl ClockConstraint {
    /// Whether it compares two clocks with each other.
    pub fn is_diagonal(&self) -> bool {
        self.left != ClockId::ZERO && self.right != ClockId::ZERO
    }

    /// The codes it consists of: its condition, and a bound that is computed.
    pub fn codes(&self) -> impl Iterator<Item = Code> + use<> {
        let of_bound = match self.bound {
            Operand::Code(code, ..) => Some(code),
            Operand::Const(_) => None,
        };
        self.condition.into_iter().chain(of_bound)
    }
}

/// An integer, known now or computed in the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// Always the same.
    Const(i32),
    /// Computed; its value lies within the given bounds (inclusive).
    Code(Code, i32, i32),
}

impl Operand {
    /// The smallest and the largest value that it may have.
    pub fn range(self) -> (i32, i32) {
        match self {
            Operand::Const(value) => (value, value),
            Operand::Code(_, low, high) => (low, high),
        }
    }
}

/// What running an update does to one clock; emitted in execution order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockOp {
    /// `clock := value`, never negative.
    Set(ClockId, i32),
    /// `clock := source + offset`.
    Copy(ClockId, ClockId, i32),
}

/// What an update does to one clock, as far as it is known statically.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockEffect {
    /// The clock that is written.
    pub clock: ClockId,
    /// Whether every run of the update writes it with this effect (and no later write changes that).
    pub always: bool,
    /// What is written.
    pub value: ClockValue,
}

/// What is written to a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockValue {
    /// A value between the bounds (inclusive).
    Constant(i32, i32),
    /// Another clock's value plus an offset between the bounds (inclusive).
    Clock(ClockId, i32, i32),
}

/// A clock.
#[derive(Clone, Debug)]
pub struct Clock {
    /// `P.x`, `x[2]`, …; the zero clock is called `0`.
    pub name: String,
    /// Its initial value.
    pub initial: i32,
}

/// An integer cell of the state.
#[derive(Clone, Debug)]
pub struct Variable {
    /// `P.v`, `a[2].b`, …
    pub name: String,
    /// Smallest value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
    /// Initial value.
    pub initial: i32,
    /// `bool`: shown as a truth value.
    pub boolean: bool,
    /// Not part of the state's identity.
    pub meta: bool,
}

/// A channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// `c`, `go[2]`, `P.done`, …
    pub name: String,
    /// One sender and all ready receivers, rather than one and one.
    pub broadcast: bool,
    /// No time passes while it can synchronise.
    pub urgent: bool,
    /// Higher goes first; all equal when no priorities are declared.
    pub priority: u32,
}

/// A synchronisation of several processes (`TChecker`). The edges of one process that join it are alternatives.
#[derive(Clone, Debug)]
pub struct Vector {
    /// Its name.
    pub name: String,
    /// The processes in the order of their updates, and whether each may stay out (weak). A weak participant stays out where it has
    /// no edge on the vector at all; where it has one it must take part, and a guard that does not hold blocks the vector.
    pub participants: Vec<(ProcessId, bool)>,
}

/// What a network uses. Engines look here before they choose an abstraction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a set of independent facts")]
pub struct Features {
    /// Constraints over two clocks, in guards or invariants.
    pub diagonals: bool,
    /// Updates that copy or shift clocks.
    pub clock_copies: bool,
    /// Rates of clocks: stop-watches.
    pub stopwatches: bool,
    /// Channel or process priorities that differ.
    pub priorities: bool,
    /// A receiver of a broadcast channel has a clock guard.
    pub guarded_broadcast_receivers: bool,
    /// Sends or receives on an urgent channel with a clock guard.
    pub guarded_urgent_channels: bool,
    /// Broadcast channels with a sender and a receiver.
    pub broadcast: bool,
    /// Urgent channels.
    pub urgent_channels: bool,
    /// Committed locations.
    pub committed: bool,
    /// Urgent locations.
    pub urgent_locations: bool,
    /// Cost rates or cost increments.
    pub costs: bool,
    /// Lower bounds in invariants.
    pub lower_bound_invariants: bool,
}

impl ChannelRef {
    /// The channels it may stand for.
    pub fn candidates(&self) -> &[ChannelId] {
        match self {
            ChannelRef::Static(id) => std::slice::from_ref(id),
            ChannelRef::Dynamic(_, candidates) => candidates,
        }
    }
}

impl Sync {
    /// The channels it may be on; none for internal edges and vectors.
    pub fn channels(&self) -> &[ChannelId] {
        match self {
            Sync::Internal | Sync::Join(_) => &[],
            Sync::Send(channel) | Sync::Receive(channel) => channel.candidates(),
        }
    }

    /// The code that says which channel is meant, if that is only known in the state.
    pub fn code(&self) -> Option<Code> {
        match self {
            Sync::Send(ChannelRef::Dynamic(code, _)) | Sync::Receive(ChannelRef::Dynamic(code, _)) => {
                Some(*code)
            }
            _ => None,
        }
    }
}

impl Network {
    /// Locations and values at the beginning: one cell per process, then one per variable.
    pub fn initial_cells(&self) -> Vec<i32> {
        let locations = self.processes.iter().map(|process| process.initial.0 as i32);
        locations.chain(self.variables.iter().map(|variable| variable.initial)).collect()
    }

    /// The initial value of a clock, exactly.
    pub fn initial_value(&self, clock: ClockId) -> Rational {
        let whole = Rational::from(self.clocks[clock.index()].initial);
        match self.initial_fractions.get(clock.index()) {
            Some(&fraction) => {
                whole.plus(fraction).expect("clock values are far from the limits of fractions")
            }
            None => whole,
        }
    }

    /// By variable: whether the updates around every transition may write it, so that it can change with any step.
    pub fn written_by_hooks(&self) -> Vec<bool> {
        let mut written = vec![false; self.variables.len()];
        for code in [self.before_update, self.after_update].into_iter().flatten() {
            for variable in self.program.writes(code) {
                written[variable.index()] = true;
            }
        }
        written
    }
}
