//! States on their way to their owners.
//!
//! For each owner a parcel is filled, and sent when it is full, or when there is nothing better to do. An owner says how many letters it has read, and nobody has more than some letters on
//! the way to another: so states wait where they are counted, and who is slow slows others down instead of drowning.

use crate::post::{Content, Letter, Post};
use guidepost_explore::{Probe, SymbolicState};

/// A parcel is full when it has so many bytes.
const FULL: usize = 16 << 10;
/// Letters to one owner that may be on their way.
const WINDOW: u32 = 8;
/// Parcels that may wait for one owner before no more states are expanded.
const PATIENCE: usize = 2;

/// States that are to be sent.
#[derive(Default)]
struct Parcel {
    bytes: Vec<u8>,
    /// The least depth of the states that they were reached from.
    depth: Option<u32>,
    states: u64,
}

/// What is on its way to one owner.
#[derive(Default)]
struct Route {
    filling: Parcel,
    full: Vec<Parcel>,
    /// Letters that the owner has not read yet.
    unread: u32,
}

/// States on their way to their owners.
pub(crate) struct Parcels {
    routes: Vec<Route>,
    pub(crate) sent: Traffic,
}

/// What was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Traffic {
    pub(crate) letters: u64,
    pub(crate) states: u64,
    pub(crate) bytes: u64,
}

impl Parcels {
    pub(crate) fn new(workers: u16) -> Self {
        Self { routes: (0..workers).map(|_| Route::default()).collect(), sent: Traffic::default() }
    }

    /// Puts a state into the parcel for its owner, behind where it comes from: a state, the number of the successor, and the depth.
    #[inline]
    pub(crate) fn put(&mut self, owner: u16, origin: [u32; 3], probe: &mut Probe, state: &SymbolicState) {
        let route = &mut self.routes[usize::from(owner)];
        let parcel = &mut route.filling;
        parcel.bytes.extend(origin.iter().flat_map(|word| word.to_le_bytes()));
        probe.write(state, &mut parcel.bytes);
        let from = origin[2] - 1;
        parcel.depth = Some(parcel.depth.map_or(from, |depth| depth.min(from)));
        parcel.states += 1;
        if parcel.bytes.len() >= FULL {
            route.full.push(std::mem::take(parcel));
        }
    }

    /// The least depth of states that others were reached from, which wait to be sent.
    pub(crate) fn depth(&self) -> Option<u32> {
        self.routes
            .iter()
            .flat_map(|route| route.full.iter().chain([&route.filling]))
            .filter_map(|p| p.depth)
            .min()
    }

    /// Whether states should not be expanded before somebody has read more letters.
    pub(crate) fn are_too_many(&self) -> bool {
        self.routes.iter().any(|route| route.full.len() > PATIENCE)
    }

    /// Whether there are none.
    pub(crate) fn are_none(&self) -> bool {
        self.routes.iter().all(|route| route.full.is_empty() && route.filling.bytes.is_empty())
    }

    /// An owner has read letters.
    pub(crate) fn were_read(&mut self, by: u16, count: u32) {
        let route = &mut self.routes[usize::from(by)];
        route.unread = route.unread.saturating_sub(count);
    }

    /// Sends what may be sent: full parcels; others where nothing is on its way, or all if there is nothing better to do.
    pub(crate) fn ship(&mut self, me: u16, post: &Post, all: bool) {
        for (to, route) in (0..).zip(&mut self.routes) {
            let is_worth_it = all || route.unread == 0;
            if is_worth_it && route.full.is_empty() && !route.filling.bytes.is_empty() {
                route.full.push(std::mem::take(&mut route.filling));
            }
            let count = route.full.len().min((WINDOW - route.unread.min(WINDOW)) as usize);
            for parcel in route.full.drain(..count) {
                let depth = parcel.depth.unwrap_or(0);
                self.sent.letters += 1;
                self.sent.states += parcel.states;
                self.sent.bytes += parcel.bytes.len() as u64;
                route.unread += 1;
                post.send(depth, Letter { from: me, to, content: Content::States(parcel.bytes) });
            }
        }
    }

    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        for route in &mut self.routes {
            (route.filling, route.full) = (Parcel::default(), Vec::new());
        }
    }

    /// Memory in use, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let waiting = |route: &Route| route.full.len() * FULL + route.filling.bytes.capacity();
        self.routes.iter().map(waiting).sum()
    }
}
