//! When a stored state makes another one superfluous.
//!
//! The order of zones decides in most engines, and a store compares zones fast. An engine whose states carry more than a zone (a cost, a label, their place on a
//! path) has more to say: it implements [`Covering`] for what its states carry, and is asked wherever the zones alone would do.

use crate::StateId;
use crate::matrix::Entry;
use crate::state::SymbolicState;
use crate::zone_abstraction::Subsumption;
use crate::zone_pool::Matrix;
use guidepost_zones::Zone;

/// The order that decides which states cover others; `P` is what stored states carry. Must be transitive where new states may drop stored ones.
pub trait Covering<P> {
    /// Whether more than the order of zones decides. Otherwise the other questions are never asked.
    const IS_REFINED: bool = false;

    /// The order of zones: what it does not say, no state covers.
    fn zones(&self) -> Subsumption;

    /// Whether a stored state covers a new one, given that its zone does.
    fn covers(&self, _stored: StoredState<'_, P>, _new: NewState<'_, P>) -> bool {
        true
    }

    /// Whether a new state covers a stored one, given that its zone does.
    fn is_covered(&self, _stored: StoredState<'_, P>, _new: NewState<'_, P>) -> bool {
        true
    }
}

impl Covering<()> for Subsumption {
    fn zones(&self) -> Subsumption {
        *self
    }
}

/// A state that is to be stored.
pub struct NewState<'s, P> {
    /// The state.
    pub state: &'s SymbolicState,
    /// What it carries.
    pub payload: &'s P,
}

impl<P> Clone for NewState<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for NewState<'_, P> {}

/// A stored state with the same discrete part.
pub struct StoredState<'s, P> {
    /// Its number.
    pub id: StateId,
    /// What it carries.
    pub payload: &'s P,
    pub(crate) zone: Matrix<'s>,
}

impl<P> StoredState<'_, P> {
    /// Copies its zone.
    pub fn load_zone(&self, zone: &mut Zone, dim: usize) {
        zone.reshape(dim);
        self.zone.widen_into(zone);
    }

    /// Whether its zone lies within another one.
    pub fn is_within(&self, zone: &Zone) -> bool {
        match self.zone {
            Matrix::Narrow(entries) => is_within(entries, zone),
            Matrix::Wide(entries) => is_within(entries, zone),
        }
    }
}

fn is_within<T: Entry>(entries: &[T], zone: &Zone) -> bool {
    debug_assert_eq!(entries.len(), zone.entries().len());
    entries.iter().zip(zone.entries()).all(|(stored, bound)| stored.raw() <= bound.raw())
}
