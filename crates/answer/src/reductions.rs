//! What explorations leave out because it changes no answer.

/// Reductions of the state space, each of which can be switched off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each can be switched off alone")]
pub struct Reductions {
    /// States whose zones are larger than those of states that were expanded before are expanded next.
    pub order: bool,
    /// States that wait with the same locations and data are merged where their zones together are a zone.
    pub merging: bool,
    /// Independent steps are taken in one order only.
    pub partial_order: bool,
    /// Processes, clocks and variables that cannot influence the question are left out.
    pub slicing: bool,
    /// States that differ only by members of scalar sets, or by processes, that can be exchanged have one representative.
    pub symmetry: bool,
}

impl Reductions {
    /// None of them.
    pub const NONE: Self =
        Self { order: false, merging: false, partial_order: false, slicing: false, symmetry: false };
}

impl Default for Reductions {
    /// All of them.
    fn default() -> Self {
        Self { order: true, merging: true, partial_order: true, slicing: true, symmetry: true }
    }
}
