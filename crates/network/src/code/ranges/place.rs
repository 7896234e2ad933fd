//! Reading and writing places whose address is not certain.

use super::evaluate::combined;
use super::{Evaluated, Range, RangeMachine, Stop};
use crate::code::Arithmetic;
use crate::code::term::{Assignment, Base, Place, Term};

/// More cells than this are not looked at one by one.
const CELLS: u64 = 4096;

/// The addresses that a place can have, ascending.
pub(super) enum Addresses {
    One(u32),
    Many(Vec<u32>),
}

impl Addresses {
    pub(super) fn as_slice(&self) -> &[u32] {
        match self {
            Addresses::One(address) => std::slice::from_ref(address),
            Addresses::Many(addresses) => addresses,
        }
    }

    pub(super) fn hull(&self) -> Range {
        let all = self.as_slice();
        let (first, last) = (all.first().copied().unwrap_or(0), all.last().copied().unwrap_or(0));
        Range::new(first as i32, last as i32)
    }
}

impl<'p> RangeMachine<'p> {
    /// Where a place can be.
    pub(super) fn addresses(&mut self, place: &'p Place) -> Result<Addresses, Stop> {
        let base = match place.base {
            Base::Fixed(base) => Range::of((base + place.offset) as i32),
            // Cells in between are none that is meant, and do no harm.
            Base::Indirect(cell) => {
                let Range { low, high } = self.memory[cell as usize];
                Range::new(low + place.offset as i32, high + place.offset as i32)
            }
        };
        let mut starts = vec![base.low as u32];
        if base.value().is_none() {
            starts = self.between(base, 0)?.collect();
        }
        for index in &place.indices {
            let within = Range::new(index.low, index.low.saturating_add(index.count as i32 - 1));
            let found = self.evaluate(&index.index)?.meet(within).ok_or(Stop::Nowhere)?;
            let steps = found.low.abs_diff(index.low)..=found.high.abs_diff(index.low);
            if starts.len() as u64 * found.count() > CELLS {
                return Err(Stop::TooMuch);
            }
            starts = starts
                .iter()
                .flat_map(|start| steps.clone().map(move |at| start + at * index.stride))
                .collect();
        }
        if let [address] = starts[..] {
            return Ok(Addresses::One(address));
        }
        starts.sort_unstable();
        starts.dedup();
        Ok(Addresses::Many(starts))
    }

    /// Addresses of cells, so far behind each of a range.
    fn between(&self, addresses: Range, at: u32) -> Result<impl Iterator<Item = u32> + use<>, Stop> {
        let end = i64::from(addresses.high) + i64::from(at);
        if addresses.low < 0 || end >= self.memory.len() as i64 || addresses.count() > CELLS {
            return Err(Stop::TooMuch);
        }
        Ok((addresses.low as u32..=addresses.high as u32).map(move |address| address + at))
    }

    pub(super) fn load(&mut self, place: &'p Place) -> Evaluated {
        if let Some(address) = place.address() {
            return Ok(self.memory[address as usize]);
        }
        let addresses = self.addresses(place)?;
        Ok(self.load_any(addresses.as_slice()))
    }

    /// What one of some cells can hold.
    fn load_any(&self, addresses: &[u32]) -> Range {
        let ranges = addresses.iter().map(|&address| self.memory[address as usize]);
        ranges.reduce(Range::hull).unwrap_or(Range::FULL)
    }

    pub(super) fn load_between(&mut self, addresses: Range, at: u32) -> Evaluated {
        let ranges = self.between(addresses, at)?.map(|address| self.memory[address as usize]);
        Ok(ranges.reduce(Range::hull).unwrap_or(Range::FULL))
    }

    pub(super) fn store_between(&mut self, addresses: Range, at: u32, value: Range) -> Result<(), Stop> {
        if let Some(address) = addresses.value() {
            self.write(address as u32 + at, value);
            return Ok(());
        }
        for address in self.between(addresses, at)? {
            let joined = self.memory[address as usize].hull(value);
            self.write(address, joined);
        }
        Ok(())
    }

    pub(super) fn assign(&mut self, assignment: &'p Assignment) -> Evaluated {
        let Assignment { place, op, value, postfix, .. } = assignment;
        let addresses = self.addresses(place)?;
        let old = self.load_any(addresses.as_slice());
        let given = self.evaluate(value)?;
        let stored = match addresses {
            Addresses::One(address) => {
                // What the operator takes was loaded before the value was computed.
                let made = self.made(*op, old, given, address, place)?;
                self.write(address, made);
                made
            }
            Addresses::Many(addresses) => self.assign_any(*op, &addresses, given, place)?,
        };
        let is_old = *postfix && matches!((op, value), (Some(_), Term::Const(_)));
        Ok(if is_old { old } else { stored })
    }

    /// Assigns to one of some cells.
    fn assign_any(
        &mut self,
        op: Option<Arithmetic>,
        addresses: &[u32],
        given: Range,
        place: &Place,
    ) -> Evaluated {
        let mut all: Option<Range> = None;
        for &address in addresses {
            let old = self.memory[address as usize];
            let made = match self.made(op, old, given, address, place) {
                Err(Stop::Nowhere) => continue,
                made => made?,
            };
            self.write(address, old.hull(made));
            all = Some(all.map_or(made, |all| all.hull(made)));
        }
        all.ok_or(Stop::Nowhere)
    }

    /// What an assignment stores, as far as that is in the range of the cell.
    fn made(
        &self,
        op: Option<Arithmetic>,
        old: Range,
        given: Range,
        address: u32,
        place: &Place,
    ) -> Evaluated {
        let made = op.map_or(Ok(given), |op| combined(op, old, given))?;
        let layout = &self.program.memory;
        let variable = address.wrapping_sub(layout.processes) as usize;
        let &(min, max) = layout.bounds.get(variable).unwrap_or(&(place.min, place.max));
        made.meet(Range::new(min, max)).ok_or(Stop::Nowhere)
    }
}
