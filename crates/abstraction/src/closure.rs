//! Closed sets: what must be hidden as well.
//!
//! A hidden symbol takes with it whatever it can change. If a kept variable could be changed by something that the abstraction does not show, the abstraction
//! would miss behaviour. So a hidden process hides all that it writes, and a step that mentions anything hidden hides all that the step writes; again and again
//! until nothing is added. Channels need not be hidden: a kept process whose partner is hidden can move alone (see [`hide`](crate::hide())).

use crate::structure::{Structure, mentions, reads, writes};
use crate::symbols::{Symbol, SymbolSet};
use guidepost_network::{Network, ProcessId};

impl Structure {
    /// Adds what must be hidden together with the symbols of a set.
    pub fn close(&self, hidden: &mut SymbolSet) {
        while self.close_once(hidden) {}
    }

    fn close_once(&self, hidden: &mut SymbolSet) -> bool {
        let mut grows = false;
        let mut hide_writes = |steps: &[crate::weaken::UpdateStep], all: bool, hidden: &mut SymbolSet| {
            for step in steps {
                if all || mentions(step, hidden) {
                    for symbol in writes(step) {
                        grows |= hidden.insert(symbol);
                    }
                }
            }
        };
        let mut moves_unseen = false;
        for facts in &self.edges {
            let is_hidden = hidden.contains(Symbol::Process(facts.process));
            moves_unseen |= is_hidden;
            hide_writes(&facts.steps, is_hidden, hidden);
        }
        // Hooks run with the transitions of hidden processes, too.
        hide_writes(&self.hooks, moves_unseen, hidden);
        for (process, clock, symbols) in &self.rates {
            let depends = symbols.iter().any(|symbol| hidden.contains(*symbol));
            if depends || hidden.contains(Symbol::Process(*process)) {
                grows |= hidden.insert(Symbol::Clock(*clock));
            }
        }
        grows
    }

    /// Processes that change nothing but hidden symbols and meet nobody: with those hidden, they have nothing left to do.
    pub fn idle_processes(&self, network: &Network, hidden: &SymbolSet) -> Vec<Symbol> {
        let mut idle = vec![true; network.processes.len()];
        for facts in &self.edges {
            let alone = facts.channels.is_empty() && !facts.is_joined;
            let unseen = facts.steps.iter().flat_map(writes).all(|symbol| hidden.contains(symbol));
            idle[facts.process.index()] &= alone && unseen && !facts.moves;
        }
        let ids = (0..).map(ProcessId).zip(idle);
        ids.filter(|(_, idle)| *idle).map(|(id, _)| Symbol::Process(id)).collect()
    }

    /// Whether nothing is missing in a set.
    pub fn is_closed(&self, hidden: &SymbolSet) -> bool {
        !self.close_once(&mut hidden.clone())
    }
}

impl Structure {
    /// Takes symbols out of a closed set, and all others that would hide them again: what is assigned to them, and who assigns it. The set stays closed.
    pub fn reveal(&self, hidden: &mut SymbolSet, symbols: impl IntoIterator<Item = Symbol>) {
        for symbol in symbols {
            hidden.remove(symbol);
        }
        while self.reveal_once(hidden) {}
        self.close(hidden);
    }

    fn reveal_once(&self, hidden: &mut SymbolSet) -> bool {
        let mut shrinks = false;
        let mut reveal = |symbol: Symbol, hidden: &mut SymbolSet| shrinks |= hidden.remove(symbol);
        let is_shown = |step: &crate::weaken::UpdateStep, hidden: &SymbolSet| {
            writes(step).any(|symbol| !hidden.contains(symbol))
        };
        for facts in &self.edges {
            for step in &facts.steps {
                if is_shown(step, hidden) {
                    reads(step).chain(writes(step)).for_each(|symbol| reveal(symbol, hidden));
                    reveal(Symbol::Process(facts.process), hidden);
                }
            }
        }
        for step in &self.hooks {
            if is_shown(step, hidden) {
                reads(step).chain(writes(step)).for_each(|symbol| reveal(symbol, hidden));
                for facts in &self.edges {
                    reveal(Symbol::Process(facts.process), hidden);
                }
            }
        }
        for (process, clock, symbols) in &self.rates {
            if !hidden.contains(Symbol::Clock(*clock)) {
                reveal(Symbol::Process(*process), hidden);
                for &symbol in symbols {
                    reveal(symbol, hidden);
                }
            }
        }
        shrinks
    }
}
