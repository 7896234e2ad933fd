//! States as bytes: on their way to another process, or into a file.
//!
//! As small as in the store: how the bounds are written, the packed discrete part, then the bounds of the zone, in 16 bits where that loses nothing. How many bounds there are follows from the
//! discrete part. Numbers are little-endian, so that machines of all kinds understand each other.

use crate::Explorer;
use crate::matrix::Entry;
use crate::probe::Probe;
use crate::state::SymbolicState;
use crate::zone_pool::Matrix;
use guidepost_zones::{Bound, Zone};

/// How the bounds of a zone are written.
const NARROW: u8 = 1;
const WIDE: u8 = 2;
/// There is no zone: the state is known only as one that others were reached from.
const COVERED: u8 = 0;

/// Bytes that are no state of the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("these bytes are no state of the model")]
pub struct NoState;

/// What was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read {
    /// A state; it is the explorer's source now.
    State,
    /// The discrete part of a state that a later one covered.
    Covered,
}

/// Appends a packed discrete part and a zone.
pub(crate) fn write_parts(key: &[u32], zone: Option<Matrix<'_>>, out: &mut Vec<u8>) {
    out.push(match zone {
        None => COVERED,
        Some(Matrix::Narrow(_)) => NARROW,
        Some(Matrix::Wide(_)) => WIDE,
    });
    out.extend(key.iter().flat_map(|word| word.to_le_bytes()));
    match zone {
        None => {}
        Some(Matrix::Narrow(entries)) => out.extend(entries.iter().flat_map(|entry| entry.to_le_bytes())),
        Some(Matrix::Wide(entries)) => out.extend(entries.iter().flat_map(|entry| entry.to_le_bytes())),
    }
}

impl Probe {
    /// Appends the state that it was set to.
    pub fn write(&mut self, state: &SymbolicState, out: &mut Vec<u8>) {
        // The zone is computed first, since it needs the probe for itself.
        self.zone(state);
        let (key, zone) = self.parts();
        write_parts(key, Some(zone), out);
    }
}

impl Explorer<'_> {
    /// Reads a state from the front of some bytes, and loads it as the source; the packed discrete part is kept, too.
    ///
    /// # Errors
    /// When the bytes are too few, or no state of the network. What they say about clocks is believed.
    pub fn read_source(&mut self, bytes: &mut &[u8], key: &mut [u32]) -> Result<Read, NoState> {
        let form = take(bytes, 1)?[0];
        for word in &mut *key {
            *word = u32::from_le_bytes(take_array(bytes)?);
        }
        if form == COVERED {
            return Ok(Read::Covered);
        }
        if !self.packing().may_be(key) {
            return Err(NoState);
        }
        let mut is_whole = true;
        self.load_source(
            |packing, cells| packing.unpack(key, cells),
            |zone| {
                is_whole = match form {
                    NARROW => read_zone(bytes, zone, i16::from_le_bytes),
                    WIDE => read_zone(bytes, zone, i32::from_le_bytes),
                    _ => false,
                };
            },
        );
        is_whole.then_some(Read::State).ok_or(NoState)
    }
}

/// Reads the bounds of a zone; whether they were there.
fn read_zone<T: Entry, const BYTES: usize>(
    bytes: &mut &[u8],
    zone: &mut Zone,
    entry: fn([u8; BYTES]) -> T,
) -> bool {
    let Ok(own) = take(bytes, zone.entries().len() * BYTES) else {
        zone.set_zero();
        return false;
    };
    for (bound, &bytes) in zone.entries_mut().iter_mut().zip(own.as_chunks().0) {
        *bound = Bound::from_raw(entry(bytes).raw());
    }
    true
}

fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Result<&'b [u8], NoState> {
    let (front, rest) = bytes.split_at_checked(count).ok_or(NoState)?;
    *bytes = rest;
    Ok(front)
}

fn take_array<const COUNT: usize>(bytes: &mut &[u8]) -> Result<[u8; COUNT], NoState> {
    let (front, rest) = bytes.split_first_chunk().ok_or(NoState)?;
    *bytes = rest;
    Ok(*front)
}
