//! The symbols of a network, and sets of them.

use crate::weaken::Hiding;
use guidepost_network::{ChannelId, ClockId, Network, ProcessId, VarId};

/// Something that can be hidden. Array elements and struct fields are symbols of their own; where an index is computed, closing a set takes
/// care that an array is hidden as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// A process.
    Process(ProcessId),
    /// A clock.
    Clock(ClockId),
    /// An integer cell.
    Variable(VarId),
    /// A channel.
    Channel(ChannelId),
}

/// A set of symbols of one network.
#[derive(Clone, Debug)]
pub struct SymbolSet {
    hiding: Hiding,
    channels: Vec<bool>,
}

impl SymbolSet {
    /// No symbols.
    pub fn empty(network: &Network) -> Self {
        Self::filled(network, false)
    }

    /// All symbols.
    pub fn all(network: &Network) -> Self {
        Self::filled(network, true)
    }

    fn filled(network: &Network, value: bool) -> Self {
        let hiding = Hiding {
            processes: vec![value; network.processes.len()],
            variables: vec![value; network.variables.len()],
            clocks: vec![value; network.clocks.len()],
        };
        let mut set = Self { hiding, channels: vec![value; network.channels.len()] };
        // The zero clock is a constant, not a symbol.
        set.hiding.clocks[0] = false;
        set
    }

    /// The cells and clocks of the set, as code wants to know them.
    pub fn hiding(&self) -> &Hiding {
        &self.hiding
    }

    fn slot(&mut self, symbol: Symbol) -> &mut bool {
        match symbol {
            Symbol::Process(id) => &mut self.hiding.processes[id.index()],
            Symbol::Clock(id) => &mut self.hiding.clocks[id.index()],
            Symbol::Variable(id) => &mut self.hiding.variables[id.index()],
            Symbol::Channel(id) => &mut self.channels[id.index()],
        }
    }

    /// Adds a symbol; says whether it is new.
    pub fn insert(&mut self, symbol: Symbol) -> bool {
        debug_assert_ne!(symbol, Symbol::Clock(ClockId::ZERO), "the zero clock is no symbol");
        !std::mem::replace(self.slot(symbol), true)
    }

    /// Removes a symbol; says whether it was there.
    pub fn remove(&mut self, symbol: Symbol) -> bool {
        std::mem::replace(self.slot(symbol), false)
    }

    /// Whether a symbol is in the set.
    pub fn contains(&self, symbol: Symbol) -> bool {
        match symbol {
            Symbol::Process(id) => self.hiding.processes[id.index()],
            Symbol::Clock(id) => self.hiding.clocks[id.index()],
            Symbol::Variable(id) => self.hiding.variables[id.index()],
            Symbol::Channel(id) => self.channels[id.index()],
        }
    }

    /// The symbols in the set: processes, clocks, variables, channels.
    pub fn iter(&self) -> impl Iterator<Item = Symbol> + '_ {
        let processes = members(&self.hiding.processes).map(|id| Symbol::Process(ProcessId(id)));
        let clocks = members(&self.hiding.clocks).map(|id| Symbol::Clock(ClockId(id)));
        let variables = members(&self.hiding.variables).map(|id| Symbol::Variable(VarId(id)));
        let channels = members(&self.channels).map(|id| Symbol::Channel(ChannelId(id)));
        processes.chain(clocks).chain(variables).chain(channels)
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// All symbols that are not in the set.
    #[must_use]
    pub fn complement(&self, network: &Network) -> Self {
        let mut others = Self::all(network);
        for symbol in self.iter() {
            others.remove(symbol);
        }
        others
    }

    /// Adds all symbols of another set.
    pub fn extend(&mut self, symbols: impl IntoIterator<Item = Symbol>) {
        for symbol in symbols {
            self.insert(symbol);
        }
    }
}

fn members(flags: &[bool]) -> impl Iterator<Item = u32> + '_ {
    (0..).zip(flags).filter(|(_, flag)| **flag).map(|(id, _)| id)
}

/// What a symbol is called in the model.
pub fn name_of(network: &Network, symbol: Symbol) -> &str {
    match symbol {
        Symbol::Process(id) => &network.processes[id.index()].name,
        Symbol::Clock(id) => &network.clocks[id.index()].name,
        Symbol::Variable(id) => &network.variables[id.index()].name,
        Symbol::Channel(id) => &network.channels[id.index()].name,
    }
}

/// The symbols that a name stands for: the one that is called so, the elements and fields of an array or struct of that name, the members of a set of
/// processes. Nothing for a name that nobody has.
pub fn symbols_named(network: &Network, name: &str) -> Vec<Symbol> {
    let is_meant = |own: &str| match own.strip_prefix(name) {
        Some(rest) => rest.is_empty() || rest.starts_with(['[', '.', '(']),
        None => false,
    };
    let meant = |symbol: &Symbol| is_meant(name_of(network, *symbol));
    SymbolSet::all(network).iter().filter(meant).collect()
}
