//! The set of states in memory: discrete states as rows of bytes in ascending order, zones once each.

use crate::zone::{Bound, Difference};
use guidepost_network::Network;
use std::collections::HashMap;

/// How the cells of a discrete state become bytes: locations count from the first one of their process, values from the least of their variable, high bytes first. `meta`
/// variables, which have their initial value between transitions, take no room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// By cell: the smallest value, the number of values, and the number of bytes.
    cells: Vec<(i64, i64, usize)>,
    stride: usize,
}

impl Layout {
    /// The layout for the states of a network.
    pub fn new(network: &Network) -> Self {
        let processes = network.processes.iter().map(|process| {
            (i64::from(process.locations.start), i64::from(process.locations.end - process.locations.start))
        });
        let variables = network.variables.iter().map(|variable| {
            let (min, max) = (i64::from(variable.min), i64::from(variable.max));
            if variable.meta { (i64::from(variable.initial), 1) } else { (min, max - min + 1) }
        });
        let bytes = |values: i64| (0..8).find(|&bytes| values <= 1 << (8 * bytes)).unwrap_or(8);
        let cells: Vec<_> =
            processes.chain(variables).map(|(least, values)| (least, values, bytes(values))).collect();
        let stride = cells.iter().map(|cell| cell.2).sum();
        Self { cells, stride }
    }

    /// Bytes of a row.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// Appends the row of some cells; `false` if they are no state of the network.
    pub(crate) fn pack(&self, cells: &[i32], row: &mut Vec<u8>) -> bool {
        let mut fits = cells.len() == self.cells.len();
        for (&cell, &(least, values, bytes)) in cells.iter().zip(&self.cells) {
            let value = i64::from(cell) - least;
            fits &= (0..values).contains(&value);
            row.extend_from_slice(&value.to_be_bytes()[8 - bytes..]);
        }
        fits
    }

    /// The cells of a row; `None` if there are no such locations or values.
    pub(crate) fn unpack(&self, mut row: &[u8]) -> Option<Vec<i32>> {
        let mut cells = Vec::with_capacity(self.cells.len());
        for &(least, values, bytes) in &self.cells {
            let (own, rest) = row.split_at_checked(bytes)?;
            row = rest;
            let value = own.iter().fold(0, |value, &byte| value << 8 | i64::from(byte));
            if value >= values {
                return None;
            }
            cells.push(i32::try_from(least + value).ok()?);
        }
        row.is_empty().then_some(cells)
    }
}

/// A [`Difference`] in half of the room, since there may be millions of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stored {
    left: u16,
    right: u16,
    bound: i32,
}

impl From<Difference> for Stored {
    fn from(difference: Difference) -> Self {
        let Difference { left, right, bound } = difference;
        assert!(left.max(right) <= u16::MAX.into() && bound.parts().0.abs() <= Bound::LARGEST, "it fits");
        Self { left: left as u16, right: right as u16, bound: bound.0 as i32 }
    }
}

impl From<Stored> for Difference {
    fn from(stored: Stored) -> Self {
        let Stored { left, right, bound } = stored;
        Self { left: left.into(), right: right.into(), bound: Bound(bound.into()) }
    }
}

/// Zones by number, side by side: what they demand beside that no clock is negative.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Zones {
    bounds: Vec<Stored>,
    /// By zone: where its bounds end.
    ends: Vec<usize>,
}

impl Zones {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn push(&mut self, zone: &[Difference]) {
        self.bounds.extend(zone.iter().map(|&difference| Stored::from(difference)));
        self.ends.push(self.bounds.len());
    }

    pub(crate) fn get(&self, number: u32) -> impl Iterator<Item = Difference> {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        self.bounds[start..self.ends[number]].iter().map(|&stored| stored.into())
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.bounds) + size_of_val(&*self.ends)
    }
}

/// A set of states, and what it is said to prove.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The query, as a line of text.
    pub query: String,
    /// Says which model it is about; see [`fingerprint`](crate::fingerprint).
    pub fingerprint: u64,
    /// Processes, clocks and variables that are hidden: its states are those of an abstraction without them.
    pub hides: Vec<String>,
    pub(crate) layout: Layout,
    /// How many clocks there are, the zero clock included.
    pub(crate) clocks: u32,
    /// The discrete states, row by row, ascending.
    pub(crate) rows: Vec<u8>,
    /// By discrete state: where its zones end in `members`.
    pub(crate) ends: Vec<u32>,
    /// The zones of discrete states, by number.
    pub(crate) members: Vec<u32>,
    /// Their ranks; none, if all of them are 0.
    pub(crate) ranks: Vec<u32>,
    /// The different zones.
    pub(crate) zones: Zones,
}

impl Certificate {
    /// The same set, as one of an abstraction of a network that hides some of its symbols.
    #[must_use]
    pub fn of_abstraction(self, original: &Network, hides: Vec<String>) -> Self {
        Self { fingerprint: crate::fingerprint(original), hides, ..self }
    }

    /// How many discrete states there are.
    pub fn states(&self) -> usize {
        self.ends.len()
    }

    /// How many zones they have in all.
    pub fn zones(&self) -> usize {
        self.members.len()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.rows.len() + 4 * (self.ends.len() + self.members.len() + self.ranks.len()) + self.zones.bytes()
    }

    /// The row of a discrete state.
    pub(crate) fn row(&self, state: usize) -> &[u8] {
        let stride = self.layout.stride();
        &self.rows[state * stride..(state + 1) * stride]
    }

    /// Locations and values of a discrete state.
    pub fn cells(&self, state: usize) -> Vec<i32> {
        self.layout.unpack(self.row(state)).expect("rows are checked when they are added")
    }

    /// The zones of a discrete state, by number, and their ranks.
    pub(crate) fn members(&self, state: usize) -> impl ExactSizeIterator<Item = (u32, u32)> {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        let rank = |member: usize| self.ranks.get(member).copied().unwrap_or(0);
        (start as usize..self.ends[state] as usize).map(move |member| (self.members[member], rank(member)))
    }

    /// The zones of a discrete state, and their ranks.
    pub fn zones_of(&self, state: usize) -> impl Iterator<Item = (Vec<Difference>, u32)> {
        self.members(state).map(|(zone, rank)| (self.zones.get(zone).collect(), rank))
    }

    /// The discrete state with these bytes.
    pub(crate) fn find(&self, row: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.states());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.row(middle).cmp(row) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

/// Collects states in any order.
pub struct Builder {
    layout: Layout,
    rows: Vec<u8>,
    /// By row: the rank of its zone, and the zone.
    of_row: Vec<(u32, u32)>,
    zones: Zones,
    numbers: HashMap<Box<[Difference]>, u32>,
}

impl Builder {
    /// No states of a network.
    pub fn new(network: &Network) -> Self {
        Self {
            layout: Layout::new(network),
            rows: Vec::new(),
            of_row: Vec::new(),
            zones: Zones::default(),
            numbers: HashMap::new(),
        }
    }

    /// Adds the states with these cells whose clocks are within the bounds, with a rank.
    ///
    /// # Panics
    /// When the cells are no discrete state of the network.
    pub fn add(&mut self, cells: &[i32], zone: &[Difference], rank: u32) {
        assert!(self.layout.pack(cells, &mut self.rows), "cells are those of a state");
        let next = self.zones.len() as u32;
        let number = self.numbers.get(zone).copied().unwrap_or_else(|| {
            self.zones.push(zone);
            self.numbers.insert(zone.into(), next);
            next
        });
        self.of_row.push((rank, number));
    }

    /// The certificate.
    pub fn finish(self, network: &Network, query: &str) -> Certificate {
        let stride = self.layout.stride();
        let row = |at: u32| &self.rows[at as usize * stride..(at as usize + 1) * stride];
        let mut order: Vec<u32> = (0..self.of_row.len() as u32).collect();
        order.sort_unstable_by_key(|&at| (row(at), self.of_row[at as usize]));
        let mut certificate = Certificate {
            query: query.to_owned(),
            fingerprint: crate::fingerprint(network),
            hides: Vec::new(),
            clocks: network.clocks.len() as u32,
            layout: self.layout.clone(),
            rows: Vec::new(),
            ends: Vec::new(),
            members: Vec::new(),
            ranks: Vec::new(),
            zones: self.zones,
        };
        let is_ranked = self.of_row.iter().any(|(rank, _)| *rank > 0);
        let mut previous = None;
        for at in order {
            if previous != Some(row(at)) {
                certificate.rows.extend_from_slice(row(at));
                certificate.ends.push(0);
                previous = Some(row(at));
            }
            let (rank, zone) = self.of_row[at as usize];
            certificate.members.push(zone);
            if is_ranked {
                certificate.ranks.push(rank);
            }
            *certificate.ends.last_mut().expect("there is a state") = certificate.members.len() as u32;
        }
        certificate
    }
}
