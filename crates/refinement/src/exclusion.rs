//! Excluding a run by showing little.
//!
//! A run of an abstraction that the network cannot follow may be excluded in many ways, and what stops the network at the end of the way need not be the simplest. Whether showing some symbols excludes the run can be
//! tried out: it does if the abstraction that shows them, and what they depend on, cannot follow it. Such abstractions are small, and following a run is a short search. So two sets are looked for, among the symbols that
//! the run has to do with: the single symbol that adds the least to the state, and several that add even less, none of which can be left out. Nobody has to look for the run in the network then.

use crate::cegar::{of_closing, of_hiding};
use crate::led::{DeadEnd, Done, Halt, Led, LedSearch, Stage};
use guidepost_abstraction::{Structure, Symbol, SymbolSet, hide};
use guidepost_answer::{Unsupported, Watch};
use guidepost_explore::{Explorer, ZoneAbstraction};
use guidepost_network::{Goal, Network};

/// A clock adds to the state what so many bits would: it leaves out runs, and lazy abstraction forgets what does not matter of it.
const CLOCK: u32 = 2;
/// More than anything that is tried.
const DEFERRED: u32 = 1 << 16;

/// A run that is to be excluded.
pub(crate) struct Exclusion<'e> {
    pub(crate) network: &'e Network,
    pub(crate) goals: &'e [Goal],
    pub(crate) structure: &'e Structure,
    /// What is hidden where the run was found.
    pub(crate) hidden: &'e SymbolSet,
    /// To be shown last: not tried.
    pub(crate) deferred: &'e SymbolSet,
    pub(crate) is_shown: &'e [bool],
    pub(crate) stages: &'e [Stage],
    /// How many states may be expanded, in all trials.
    pub(crate) patience: u64,
    /// The effort at which to pause.
    pub(crate) allowance: u64,
    pub(crate) done: Done,
    /// Why there are no more trials: what was found out is of no use then.
    pub(crate) halt: Option<Halt>,
}

impl Exclusion<'_> {
    /// Those of some symbols that exclude the run and add little to the state; empty: none do, as far as was tried.
    pub(crate) fn least(
        &mut self,
        symbols: Vec<Symbol>,
        watch: &mut Watch,
    ) -> Result<Vec<Symbol>, Unsupported> {
        let weighted = symbols.into_iter().map(|symbol| (self.weight(&[symbol]), symbol));
        let mut weighted: Vec<(u32, Symbol)> = weighted.filter(|(weight, _)| *weight < DEFERRED).collect();
        weighted.sort_unstable();
        let symbols: Vec<Symbol> = weighted.into_iter().map(|(_, symbol)| symbol).collect();
        let mut lighter = symbols.len();
        for (index, &symbol) in symbols.iter().enumerate() {
            if self.excludes(&[symbol], watch)? {
                lighter = index;
                break;
            }
        }
        let single = symbols.get(lighter..=lighter).unwrap_or_default();
        let several = self.irreducible(symbols[..lighter].to_vec(), watch)?;
        let is_better =
            !several.is_empty() && (single.is_empty() || self.weight(&several) < self.weight(single));
        Ok(if is_better { several } else { single.to_vec() })
    }

    /// Those of some symbols, the lightest first, that exclude the run, such that none can be left out; the heaviest are left out first. Empty: all together do not.
    fn irreducible(
        &mut self,
        mut symbols: Vec<Symbol>,
        watch: &mut Watch,
    ) -> Result<Vec<Symbol>, Unsupported> {
        if symbols.len() < 2 || !self.excludes(&symbols, watch)? {
            return Ok(Vec::new());
        }
        for index in (0..symbols.len()).rev() {
            let left_out = symbols.remove(index);
            if !self.excludes(&symbols, watch)? {
                symbols.insert(index, left_out);
            }
        }
        Ok(symbols)
    }

    /// What is hidden once some symbols are shown.
    fn hidden_without(&self, symbols: &[Symbol]) -> SymbolSet {
        let mut hidden = self.hidden.clone();
        self.structure.reveal(&mut hidden, symbols.iter().copied());
        hidden
    }

    /// The bits that symbols add to the state, with what they depend on; or more than anything that is tried.
    fn weight(&mut self, symbols: &[Symbol]) -> u32 {
        self.done.effort += of_closing(self.network);
        let (network, hidden) = (self.network, self.hidden_without(symbols));
        let added = self.hidden.iter().filter(|&symbol| !hidden.contains(symbol));
        let bits = |span: u64| u64::BITS - span.leading_zeros();
        let weigh = |symbol: Symbol| match symbol {
            _ if self.deferred.contains(symbol) => DEFERRED,
            Symbol::Process(id) => bits(network.processes[id.index()].locations.len() as u64),
            Symbol::Variable(id) => {
                let variable = &network.variables[id.index()];
                bits(i64::from(variable.max).abs_diff(variable.min.into()))
            }
            Symbol::Clock(_) => CLOCK,
            Symbol::Channel(_) => 0,
        };
        added.map(weigh).fold(0, u32::saturating_add)
    }

    /// Whether the abstraction that shows some symbols cannot follow the run.
    fn excludes(&mut self, symbols: &[Symbol], watch: &mut Watch) -> Result<bool, Unsupported> {
        if symbols.is_empty() || self.patience == 0 || self.halt.is_some() {
            return Ok(false);
        }
        self.done.effort += of_hiding(self.network);
        if self.done.effort >= self.allowance {
            self.halt = Some(Halt::Paused);
            return Ok(false);
        }
        let abstraction = hide(self.network, &self.hidden_without(symbols), self.goals);
        let all: Vec<&Goal> = abstraction.goals.iter().collect();
        let mut explorer = Explorer::new(&abstraction.network, &all, ZoneAbstraction::REACHABILITY)?;
        let mut search = LedSearch {
            explorer: &mut explorer,
            network: &abstraction.network,
            goals: &abstraction.goals,
            original: Some((&abstraction, self.network)),
            is_shown: self.is_shown,
            stages: self.stages,
            watch,
            patience: self.patience,
            allowance: self.allowance - self.done.effort,
            done: Done::default(),
        };
        let led = search.run();
        self.patience = self.patience.saturating_sub(search.done.explored);
        self.done.add(search.done);
        if let Led::Halted(halt) = led {
            self.halt = Some(halt);
        }
        Ok(matches!(led, Led::Stuck(DeadEnd { is_certain: true, .. })))
    }
}
