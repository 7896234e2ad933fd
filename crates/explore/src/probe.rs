//! A state on its way into the store: everything about it that comparing with stored states needs, computed once.
//!
//! What is computed here belongs to the thread that computes it.

use crate::matrix::{Demands, Entry, all_at_most, fits, is_below_alu, narrow, widen};
use crate::outline::{Outline, Outlines};
use crate::packing::Packing;
use crate::state::SymbolicState;
use crate::zone_abstraction::Subsumption;
use guidepost_zones::{Bound, Zone, alu_query};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A state that is to be stored, prepared for comparisons. Its buffers are used again for the next one.
#[derive(Clone, Debug)]
pub struct Probe {
    subsumption: Subsumption,
    key: Vec<u64>,
    hash: u64,
    /// The zone as others have to cover it: in full, and in either width.
    query: Vec<Bound>,
    narrow_query: Vec<i16>,
    wide_query: Vec<i32>,
    /// The zone as it covers others.
    narrow: Vec<i16>,
    is_narrow: bool,
    demands: Demands,
    thresholds: Vec<i32>,
    has_query: bool,
    demanded: Demanded,
    outlines: Option<Outlines>,
    /// A stored zone whose outlines are computed, and its query.
    stored: Zone,
    stored_query: Vec<Bound>,
}

/// How often the state was compared with stored zones as the one that covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Demanded {
    Never,
    Once,
    /// And the demands are prepared.
    Often,
}

impl Probe {
    /// A probe for states that are packed in this way and compared in this order.
    pub fn new(packing: &Packing, subsumption: Subsumption) -> Self {
        Self {
            subsumption,
            key: vec![0; packing.words()],
            hash: 0,
            query: Vec::new(),
            narrow_query: Vec::new(),
            wide_query: Vec::new(),
            narrow: Vec::new(),
            is_narrow: false,
            demands: Demands::default(),
            thresholds: Vec::new(),
            has_query: false,
            demanded: Demanded::Never,
            outlines: None,
            stored: Zone::zero(1),
            stored_query: Vec::new(),
        }
    }

    /// Packs the discrete part of a state. What comparisons need is computed when it is needed, or by [`Probe::prepare`].
    #[inline]
    pub fn set(&mut self, packing: &Packing, state: &SymbolicState) {
        packing.pack(&state.cells, &mut self.key);
        self.hash = hash_packed(&self.key);
        self.has_query = false;
        self.demanded = Demanded::Never;
        self.outlines = None;
    }

    /// As [`Probe::set`], for a state that was packed and hashed before.
    #[inline]
    pub fn set_packed(&mut self, key: &[u64], hash: u64) {
        debug_assert_eq!(hash, hash_packed(key));
        self.key.copy_from_slice(key);
        self.hash = hash;
        self.has_query = false;
        self.demanded = Demanded::Never;
        self.outlines = None;
    }

    /// The packed discrete part.
    #[inline]
    pub fn key(&self) -> &[u64] {
        &self.key
    }

    /// Its hash.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Computes what the first comparison needs.
    #[inline]
    pub fn prepare(&mut self, state: &SymbolicState) {
        if self.has_query {
            return;
        }
        self.has_query = true;
        self.query.clear();
        self.query.extend_from_slice(state.zone.entries());
        if self.subsumption == Subsumption::Alu {
            alu_query(&state.zone, state.bounds(), &mut self.query);
        }
        self.narrow_query.clear();
        self.narrow_query.extend(self.query.iter().map(|&bound| narrow(bound)));
        // Most stores never hold a wide zone.
        self.wide_query.clear();
    }

    /// The outlines of the probed zone.
    #[inline]
    pub(crate) fn outlines(&mut self, state: &SymbolicState) -> Outlines {
        if let Some(outlines) = self.outlines {
            return outlines;
        }
        self.prepare(state);
        let outlines = outlines(&self.query, &state.zone);
        self.outlines = Some(outlines);
        outlines
    }

    /// The outlines of a stored zone with the same discrete part.
    pub(crate) fn outlines_of<T: Entry>(&mut self, stored: &[T], state: &SymbolicState) -> Outlines {
        self.stored.reshape(state.zone.dim());
        widen(stored, &mut self.stored);
        self.stored_query.clear();
        self.stored_query.extend_from_slice(self.stored.entries());
        if self.subsumption == Subsumption::Alu {
            alu_query(&self.stored, state.bounds(), &mut self.stored_query);
        }
        outlines(&self.stored_query, &self.stored)
    }

    fn prepare_demands(&mut self, state: &SymbolicState) {
        self.demanded = Demanded::Often;
        let entries = state.zone.entries();
        self.is_narrow = fits(entries);
        if self.is_narrow {
            self.narrow.clear();
            self.narrow.extend(entries.iter().map(|&bound| narrow(bound)));
        }
        if self.is_narrow && self.subsumption == Subsumption::Alu {
            self.demands.set(entries, &state.lower, &state.upper);
        }
    }
}

/// A stored matrix of either width, as a probe compares itself with it.
pub(crate) trait Compared: Sized {
    /// Whether the stored zone covers the probed one. The probe is prepared.
    fn covers(stored: &[Self], probe: &mut Probe) -> bool;

    /// Whether the probed zone covers the stored one.
    fn is_covered(stored: &[Self], probe: &mut Probe, state: &SymbolicState) -> bool;
}

impl Compared for i16 {
    #[inline]
    fn covers(stored: &[i16], probe: &mut Probe) -> bool {
        all_at_most(&probe.narrow_query, stored)
    }

    #[inline]
    fn is_covered(stored: &[i16], probe: &mut Probe, state: &SymbolicState) -> bool {
        // Most lists have one zone or many; preparing for the one would be wasted.
        match probe.demanded {
            Demanded::Never => {
                probe.demanded = Demanded::Once;
                return is_covered(stored, probe, state);
            }
            Demanded::Once => probe.prepare_demands(state),
            Demanded::Often => {}
        }
        match probe.subsumption {
            Subsumption::Alu if probe.is_narrow => probe.demands.is_below(stored, &probe.narrow),
            Subsumption::Inclusion if probe.is_narrow => all_at_most(stored, &probe.narrow),
            _ => is_covered(stored, probe, state),
        }
    }
}

impl Compared for i32 {
    fn covers(stored: &[i32], probe: &mut Probe) -> bool {
        if probe.wide_query.is_empty() {
            probe.wide_query.extend(probe.query.iter().map(|bound| bound.raw()));
        }
        all_at_most(&probe.wide_query, stored)
    }

    fn is_covered(stored: &[i32], probe: &mut Probe, state: &SymbolicState) -> bool {
        is_covered(stored, probe, state)
    }
}

fn outlines(query: &[Bound], zone: &Zone) -> Outlines {
    let dim = zone.dim();
    Outlines { query: Outline::of(query, dim), zone: Outline::of(zone.entries(), dim) }
}

/// As [`Compared::is_covered`], for all widths.
fn is_covered<T: Entry>(stored: &[T], probe: &mut Probe, state: &SymbolicState) -> bool {
    let entries = state.zone.entries();
    match probe.subsumption {
        Subsumption::Alu => is_below_alu(stored, entries, &state.lower, &state.upper, &mut probe.thresholds),
        Subsumption::Inclusion => stored.iter().zip(entries).all(|(old, new)| old.raw() <= new.raw()),
    }
}

/// The hash of a packed discrete part.
#[inline]
pub fn hash_packed(words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    for &word in words {
        hasher.write_u64(word);
    }
    hasher.finish()
}
