//! A state on its way into the store: everything about it that comparing with stored states needs, computed once.
//!
//! What is computed here belongs to the thread that computes it.

use crate::matrix::{Demands, Entry, all_at_most, fits, is_below_alu, narrow};
use crate::outline::{Outline, Outlines};
use crate::packing::Packing;
use crate::state::SymbolicState;
use crate::zone_abstraction::Subsumption;
use crate::zone_pool::Matrix;
use guidepost_zones::{Bound, Zone, alu_query};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A state that is to be stored, prepared for comparisons. Its buffers are used again for the next one.
#[derive(Clone, Debug)]
pub struct Probe {
    subsumption: Subsumption,
    key: Vec<u32>,
    hash: u64,
    /// The zone as it is stored: its bounds narrowed, and in 32 bits where that loses something.
    narrow: Vec<i16>,
    is_narrow: bool,
    wide: Vec<i32>,
    /// The zone as others have to cover it: in full, and in either width.
    query: Vec<Bound>,
    narrow_query: Vec<i16>,
    wide_query: Vec<i32>,
    demands: Demands,
    thresholds: Vec<i32>,
    has_zone: bool,
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
            narrow: Vec::new(),
            is_narrow: false,
            wide: Vec::new(),
            query: Vec::new(),
            narrow_query: Vec::new(),
            wide_query: Vec::new(),
            demands: Demands::default(),
            thresholds: Vec::new(),
            has_zone: false,
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
        self.forget();
    }

    /// As [`Probe::set`], for a state that was packed and hashed before.
    #[inline]
    pub fn set_packed(&mut self, key: &[u32], hash: u64) {
        debug_assert_eq!(hash, hash_packed(key));
        self.key.copy_from_slice(key);
        self.hash = hash;
        self.forget();
    }

    /// What is known about the zone was about another one.
    #[inline]
    fn forget(&mut self) {
        self.has_zone = false;
        self.has_query = false;
        self.demanded = Demanded::Never;
        self.outlines = None;
    }

    /// The zone of the state has changed.
    pub(crate) fn renew(&mut self) {
        self.forget();
    }

    /// The packed discrete part.
    #[inline]
    pub fn key(&self) -> &[u32] {
        &self.key
    }

    /// Its hash.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The zone as it is stored.
    #[inline]
    pub(crate) fn zone(&mut self, state: &SymbolicState) -> Matrix<'_> {
        if !self.has_zone {
            self.narrow_zone(state);
        }
        self.parts().1
    }

    /// The packed discrete part and the zone, which was computed.
    pub(crate) fn parts(&self) -> (&[u32], Matrix<'_>) {
        debug_assert!(self.has_zone);
        let zone = if self.is_narrow { Matrix::Narrow(&self.narrow) } else { Matrix::Wide(&self.wide) };
        (&self.key, zone)
    }

    fn narrow_zone(&mut self, state: &SymbolicState) {
        self.has_zone = true;
        let entries = state.zone.entries();
        self.narrow.clear();
        self.narrow.extend(entries.iter().map(|&bound| narrow(bound)));
        self.is_narrow = fits(entries);
        if !self.is_narrow {
            self.wide.clear();
            self.wide.extend(entries.iter().map(|bound| bound.raw()));
        }
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
        if self.subsumption != Subsumption::Inclusion {
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
    pub(crate) fn outlines_of(&mut self, stored: Matrix<'_>, state: &SymbolicState) -> Outlines {
        self.stored.reshape(state.zone.dim());
        stored.widen_into(&mut self.stored);
        self.stored_query.clear();
        self.stored_query.extend_from_slice(self.stored.entries());
        if self.subsumption != Subsumption::Inclusion {
            alu_query(&self.stored, state.bounds(), &mut self.stored_query);
        }
        outlines(&self.stored_query, &self.stored)
    }

    /// Whether a stored zone covers the probed one.
    #[inline]
    pub(crate) fn is_covered_by(&mut self, stored: Matrix<'_>, state: &SymbolicState) -> bool {
        self.prepare(state);
        match stored {
            Matrix::Narrow(stored) => all_at_most(&self.narrow_query, stored),
            Matrix::Wide(stored) => {
                if self.wide_query.is_empty() {
                    self.wide_query.extend(self.query.iter().map(|bound| bound.raw()));
                }
                all_at_most(&self.wide_query, stored)
            }
        }
    }

    /// Whether the probed zone covers a stored one.
    #[inline]
    pub(crate) fn covers(&mut self, stored: Matrix<'_>, state: &SymbolicState) -> bool {
        match stored {
            Matrix::Narrow(stored) => self.covers_narrow(stored, state),
            Matrix::Wide(stored) => self.covers_any(stored, state),
        }
    }

    #[inline]
    fn covers_narrow(&mut self, stored: &[i16], state: &SymbolicState) -> bool {
        // Most lists have one zone or many; preparing for the one would be wasted.
        match self.demanded {
            Demanded::Never => {
                self.demanded = Demanded::Once;
                return self.covers_any(stored, state);
            }
            Demanded::Once => self.prepare_demands(state),
            Demanded::Often => {}
        }
        match self.subsumption {
            Subsumption::Alu | Subsumption::AluWithDiagonals if self.is_narrow => {
                self.demands.is_below(stored, &self.narrow)
            }
            Subsumption::Inclusion if self.is_narrow => all_at_most(stored, &self.narrow),
            _ => self.covers_any(stored, state),
        }
    }

    fn prepare_demands(&mut self, state: &SymbolicState) {
        self.demanded = Demanded::Often;
        self.zone(state);
        if self.is_narrow && self.subsumption != Subsumption::Inclusion {
            self.demands.set(state.zone.entries(), &state.lower, &state.upper);
        }
    }

    /// As [`Probe::covers`], for all widths.
    fn covers_any<T: Entry>(&mut self, stored: &[T], state: &SymbolicState) -> bool {
        let entries = state.zone.entries();
        match self.subsumption {
            Subsumption::Alu | Subsumption::AluWithDiagonals => {
                is_below_alu(stored, entries, &state.lower, &state.upper, &mut self.thresholds)
            }
            Subsumption::Inclusion => stored.iter().zip(entries).all(|(old, new)| old.raw() <= new.raw()),
        }
    }
}

fn outlines(query: &[Bound], zone: &Zone) -> Outlines {
    let dim = zone.dim();
    Outlines { query: Outline::of(query, dim), zone: Outline::of(zone.entries(), dim) }
}

/// The hash of a packed discrete part.
#[inline]
pub fn hash_packed(words: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    let (pairs, last) = words.as_chunks::<2>();
    for &[low, high] in pairs {
        hasher.write_u64(u64::from(low) | u64::from(high) << 32);
    }
    for &word in last {
        hasher.write_u64(word.into());
    }
    hasher.finish()
}
