//! One worker's share of an exploration: the states that it owns.
//!
//! A successor that is one's own is stored at once. Those of others are collected in parcels, one for each of them, as bytes: the state that it was reached from, the number of the successor, its depth, and
//! the state as it is stored. An owner stores what arrives unless a state that it has covers it, and never has to ask.

use crate::parcels::Parcels;
use crate::partition::{Partition, Place};
use crate::waiting::Waiting;
use guidepost_answer::{Statistics, StopReason, Watch};
use guidepost_explore::{
    Covering, Explorer, Inserted, NoState, Packing, Probe, Read, Replace, StateId, Store, Subsumption,
    SymbolicState, hash_packed,
};
use guidepost_network::EdgeId;
use guidepost_search::{End, Expansion, Fate, Part, Successors, Watcher};
use std::ops::ControlFlow;
use std::sync::Arc;

/// States carry who owns the one that they were reached from.
type Origin = u16;

/// Zones alone decide which states cover others.
struct ByZones(Subsumption);

impl Covering<Origin> for ByZones {
    fn zones(&self) -> Subsumption {
        self.0
    }
}

/// Why a share ends before everything is explored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Early {
    /// The watcher has seen enough.
    Satisfied,
    /// A limit was hit.
    Stopped(StopReason),
    /// The model failed: in this state, while its successors were computed, or at the beginning.
    Failed(Option<Place>),
    /// Bytes that came are no states.
    Garbled,
}

impl From<NoState> for Early {
    fn from(_: NoState) -> Self {
        Early::Garbled
    }
}

/// A worker's share.
pub(crate) struct Share<'n, W> {
    pub(crate) explorer: Explorer<'n>,
    pub(crate) watcher: W,
    watch: Watch,
    statistics: Statistics,
    pub(crate) holdings: Holdings,
    /// Whether states must be found on a shortest way.
    pub(crate) shortest: bool,
    /// The depth of the state that was expanded last.
    depth: u32,
    /// The depth of the state that the watcher has looked at last.
    pub(crate) examined: u32,
    /// The packed discrete part of a state that arrived.
    key: Vec<u32>,
    /// A limit was hit, and what is there is to be written: whatever arrives is stored nevertheless.
    pub(crate) is_closing: bool,
}

/// The states of a share, and those on their way to others.
pub(crate) struct Holdings {
    me: u16,
    workers: u16,
    partition: Partition,
    packing: Arc<Packing>,
    store: Store<Origin, ByZones>,
    pub(crate) waiting: Waiting,
    pub(crate) parcels: Parcels,
    probe: Probe,
    /// New states are widened: so which zone is stored depends less on who comes first, and there are fewer different ones.
    widens: bool,
    /// States that the watcher wants to see again, with their depths.
    interesting: Vec<(u32, StateId)>,
    /// A goal could not be evaluated.
    fault: Option<Early>,
}

impl<'n, W: Watcher> Share<'n, W> {
    pub(crate) fn new(
        mut explorer: Explorer<'n>,
        watcher: W,
        (me, workers): (u16, u16),
        partition: Partition,
        shortest: bool,
        watch: Watch,
    ) -> Self {
        let holdings = Holdings {
            me,
            workers,
            partition,
            widens: explorer.widen_kept_states(),
            packing: explorer.packing_handle(),
            store: Store::with_covering(&explorer, ByZones(explorer.abstraction().subsumption)),
            waiting: Waiting::default(),
            parcels: Parcels::new(workers),
            probe: explorer.probe(),
            interesting: Vec::new(),
            fault: None,
        };
        let key = vec![0; explorer.packing().words()];
        let statistics = Statistics::default();
        Self {
            explorer,
            watcher,
            watch,
            statistics,
            holdings,
            shortest,
            depth: 0,
            examined: 0,
            key,
            is_closing: false,
        }
    }

    /// Stores the initial states that are its own.
    pub(crate) fn start(&mut self) -> Result<(), Early> {
        let mut initial = self.explorer.initial_states().map_err(|_| Early::Failed(None))?;
        self.watcher.begins();
        for (ordinal, state) in (0..).zip(&mut initial) {
            self.holdings.probe.set(&self.holdings.packing, state);
            if self.holdings.owner() == self.holdings.me {
                self.holdings.store(state, None, ordinal, 0, Replace::Covered, &mut self.watcher);
            }
        }
        self.examine()
    }

    /// Which stored states a new one may drop, given the one that is being expanded: where runs must be shortest, none that waits and is not as deep.
    fn replace(&self, expanding: Option<(u32, StateId)>) -> Replace<'static> {
        if !self.shortest {
            return Replace::Covered;
        }
        let Holdings { store, waiting, .. } = &self.holdings;
        let end = StateId(store.len() as u32);
        let first = expanding.map(|(_, id)| id).or(waiting.first()).unwrap_or(end);
        let depth = expanding.map(|(depth, _)| depth).or(waiting.depth()).unwrap_or(0);
        Replace::Except(first, waiting.first_below(depth).unwrap_or(end))
    }

    /// Stores the states of a letter. If a limit is hit, that is said after they are stored.
    pub(crate) fn receive(&mut self, from: u16, mut states: &[u8]) -> Result<(), Early> {
        let stopped = self.look_at_limits();
        while !states.is_empty() {
            let [parent, ordinal, depth] = take_words(&mut states)?;
            if self.explorer.read_source(&mut states, &mut self.key)? != Read::State {
                return Err(Early::Garbled);
            }
            let parent = Place { worker: from, state: parent };
            let replace = self.replace(None);
            self.holdings.probe.set_packed(&self.key, hash_packed(&self.key));
            let (state, watcher) = (self.explorer.source_mut(), &mut self.watcher);
            let fate = self.holdings.store(state, Some(parent), ordinal, depth, replace, watcher);
            self.statistics.covered += u64::from(fate == Fate::Covered);
        }
        self.examine()?;
        stopped.map_or(Ok(()), |reason| Err(Early::Stopped(reason)))
    }

    /// Expands the next state, if it is time for those of its depth; says whether there was one.
    pub(crate) fn expand(&mut self, is_time_for: impl Fn(u32) -> bool) -> Result<bool, Early> {
        loop {
            let waiting = &mut self.holdings.waiting;
            if waiting.depth().is_some_and(|depth| !is_time_for(depth)) {
                return Ok(false);
            }
            let Some((depth, id)) = waiting.pop() else { return Ok(false) };
            if self.holdings.store.is_alive(id) {
                self.expand_state(depth, id)?;
                return Ok(true);
            }
        }
    }

    fn expand_state(&mut self, depth: u32, id: StateId) -> Result<(), Early> {
        if let Some(reason) = self.look_at_limits() {
            self.holdings.waiting.put_back(depth, id);
            return Err(Early::Stopped(reason));
        }
        self.depth = depth;
        self.statistics.explored += 1;
        self.holdings.store.load(id, &mut self.explorer);
        let replace = self.replace(Some((depth, id)));
        let mut taking = Taking { holdings: &mut self.holdings, from: id, depth: depth + 1, replace };
        let Self { explorer, watch, statistics, watcher, .. } = self;
        match (Expansion { explorer, watch, statistics, watcher }).run(id, &mut taking) {
            Ok(()) => self.examine(),
            Err(End::Stopped(reason)) => {
                // It has more successors, so it must be expanded again if the run is resumed.
                self.statistics.explored -= 1;
                self.holdings.waiting.put_back(depth, id);
                self.examine()?;
                Err(Early::Stopped(reason))
            }
            Err(_) => Err(Early::Failed(Some(self.own(id)))),
        }
    }

    /// Takes up a state as it was in another run: where it was reached from, its depth if it waits, and the state as bytes.
    pub(crate) fn restore(
        &mut self,
        parent: Option<Place>,
        ordinal: u32,
        depth: Option<u32>,
        mut state: &[u8],
    ) -> Result<(), &'static str> {
        let read = self
            .explorer
            .read_source(&mut state, &mut self.key)
            .map_err(|_| "it has no states of this model")?;
        let Holdings { me, store, probe, waiting, .. } = &mut self.holdings;
        probe.set_packed(&self.key, hash_packed(&self.key));
        let (origin, from) =
            parent.map_or((*me, None), |Place { worker, state }| (worker, Some(StateId(state))));
        let source = (read == Read::State).then(|| self.explorer.source());
        let id = store.restore(probe, source, from, ordinal, origin);
        if let (Some(depth), Some(_)) = (depth, source) {
            waiting.push(depth, id);
        }
        Ok(())
    }

    fn look_at_limits(&mut self) -> Option<StopReason> {
        if self.is_closing {
            return None;
        }
        let (holdings, watcher) = (&self.holdings, &self.watcher);
        let demand = || holdings.demand().saturating_add(watcher.bytes());
        self.watch.check(holdings.store.len() as u64, demand)
    }

    /// Takes the closer looks that the watcher wants.
    fn examine(&mut self) -> Result<(), Early> {
        if let Some(early) = self.holdings.fault.take() {
            return Err(early);
        }
        while let Some((depth, id)) = self.holdings.interesting.pop() {
            self.examined = depth;
            // A state that was covered at once is covered by one that deserves a look as well.
            if !self.holdings.store.is_alive(id) {
                continue;
            }
            self.holdings.store.load(id, &mut self.explorer);
            let state = self.explorer.source().clone();
            match self.watcher.examine(id, &state, self.holdings.part(id), &mut self.explorer) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Err(Early::Satisfied),
                Err(_) => return Err(Early::Failed(Some(self.own(id)))),
            }
        }
        Ok(())
    }

    fn own(&self, id: StateId) -> Place {
        Place { worker: self.holdings.me, state: id.0 }
    }

    /// The depth of the state that was expanded last.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// What it has done so far.
    pub(crate) fn numbers(&self) -> Statistics {
        let store = &self.holdings.store;
        Statistics {
            stored: store.len() as u64 - store.covered(),
            covered: self.statistics.covered + store.covered(),
            discrete: store.discrete_states() as u64,
            bytes: store.bytes() as u64,
            postponed: self.explorer.postponed(),
            left_out: self.explorer.idle_variables() as u64,
            renamed: self.explorer.renamed(),
            seconds: self.watch.elapsed().as_secs_f64(),
            ..self.statistics
        }
    }
}

impl Holdings {
    /// Stores a state that the probe was set to, unless another one covers it.
    #[inline]
    fn store<W: Watcher + ?Sized>(
        &mut self,
        state: &mut SymbolicState,
        parent: Option<Place>,
        ordinal: u32,
        depth: u32,
        replace: Replace<'_>,
        watcher: &mut W,
    ) -> Fate {
        let (origin, id) =
            parent.map_or((self.me, None), |Place { worker, state }| (worker, Some(StateId(state))));
        let inserted = if self.widens {
            self.store.insert_widened(&mut self.probe, state, id, ordinal, replace, origin)
        } else {
            self.store.insert_probed(&mut self.probe, state, id, ordinal, replace, origin)
        };
        match inserted {
            Inserted::Covered(_) => Fate::Covered,
            Inserted::New(new) => {
                self.waiting.push(depth, new);
                match watcher.stored(state, self.part(new)) {
                    Ok(true) => self.interesting.push((depth, new)),
                    Ok(false) => {}
                    Err(_) => self.fault = Some(Early::Failed(parent)),
                }
                Fate::Kept
            }
        }
    }

    /// Who owns the state that the probe was set to.
    #[inline]
    fn owner(&self) -> u16 {
        self.partition.owner(self.probe.key(), self.probe.hash(), self.workers)
    }

    /// How states are shared.
    pub(crate) fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Whose share it is, and among how many.
    pub(crate) fn place(&self) -> (u16, u16) {
        (self.me, self.workers)
    }

    /// How many states were ever stored.
    pub(crate) fn len(&self) -> usize {
        self.store.len()
    }

    /// Those that later ones cover.
    pub(crate) fn dropped(&self) -> u64 {
        self.store.covered()
    }

    /// Where a state was reached from, and its number among the successors there.
    pub(crate) fn origin(&self, state: u32) -> (Option<Place>, u32) {
        let id = StateId(state);
        let worker = *self.store.payload(id);
        let parent = self.store.parent(id).map(|parent| Place { worker, state: parent.0 });
        (parent, self.store.ordinal(id))
    }

    /// Appends a state as bytes.
    pub(crate) fn write(&self, state: u32, out: &mut Vec<u8>) {
        self.store.write(StateId(state), out);
    }

    fn part(&self, id: StateId) -> Part {
        Part(Some((0, self.store.discrete(id))))
    }

    fn demand(&self) -> usize {
        self.store.demand().saturating_add(self.waiting.bytes() + self.parcels.bytes())
    }

    /// The least depth of states that wait to be expanded, or whose successors wait to be sent.
    pub(crate) fn pending(&self) -> Option<u32> {
        self.waiting.depth().into_iter().chain(self.parcels.depth()).min()
    }

    /// The way to one of the states, backwards, until it leaves the share: the numbers of successors, and where it goes on.
    pub(crate) fn way_back(&self, id: u32) -> (Vec<u32>, Option<Place>) {
        let mut ordinals = Vec::new();
        let mut at = StateId(id);
        if at.index() >= self.store.len() {
            return (ordinals, None);
        }
        loop {
            let (parent, ordinal) = self.origin(at.0);
            ordinals.push(ordinal);
            match parent {
                Some(parent) if parent.worker == self.me => at = StateId(parent.state),
                elsewhere => return (ordinals, elsewhere),
            }
        }
    }
}

/// The successors of a state.
struct Taking<'s> {
    holdings: &'s mut Holdings,
    from: StateId,
    /// Their depth.
    depth: u32,
    replace: Replace<'static>,
}

impl<W: Watcher> Successors<W> for Taking<'_> {
    fn demand(&self) -> usize {
        self.holdings.demand()
    }

    fn take(
        &mut self,
        state: &mut SymbolicState,
        _edges: &[EdgeId],
        ordinal: u32,
        watcher: &mut W,
        _statistics: &mut Statistics,
    ) -> Fate {
        self.holdings.probe.set(&self.holdings.packing, state);
        let (owner, me) = (self.holdings.owner(), self.holdings.me);
        if owner == me {
            let parent = Place { worker: me, state: self.from.0 };
            return self.holdings.store(state, Some(parent), ordinal, self.depth, self.replace, watcher);
        }
        let Holdings { probe, parcels, .. } = &mut *self.holdings;
        parcels.put(owner, [self.from.0, ordinal, self.depth], probe, state);
        Fate::Kept
    }
}

/// Numbers from the front of some bytes.
pub(crate) fn take_words<const COUNT: usize>(bytes: &mut &[u8]) -> Result<[u32; COUNT], NoState> {
    let (words, rest) = bytes.split_at_checked(4 * COUNT).ok_or(NoState)?;
    *bytes = rest;
    let mut words = words.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word));
    Ok(std::array::from_fn(|_| words.next().unwrap_or_default()))
}
