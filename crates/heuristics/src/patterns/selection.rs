//! Which symbols a pattern keeps.
//!
//! - **Cone of influence** (`coi`): what is at most d steps of influence away from the goal.
//! - **Russian doll** (`rd`): what takes part in a solution of the monotonicity abstraction, and what the processes in it look at. The solution takes for
//!   granted the values that assignments read, and so stays with the processes that are immediately responsible for the error.
//! - **Downward pattern refinement** (`dpr`): everything but the safe symbols, less whatever can be hidden without h^U of the initial state getting
//!   smaller (Kupferschmid and Wehrle: *Abstractions and Pattern Databases: The Quest for Succinctness and Accuracy*, 2011). Clocks stay.

use crate::Estimate;
use crate::monotonicity::{RelaxedSolution, direct_solution};
use guidepost_abstraction::{
    Structure, Symbol, SymbolSet, hide, symbols_named, symbols_of_goals, symbols_tested_by,
};
use guidepost_network::{ChannelRef, EdgeId, Goal, Network, Sync};

/// The question that a pattern is chosen for.
pub(crate) struct Question<'q> {
    pub(crate) network: &'q Network,
    pub(crate) goals: &'q [Goal],
    pub(crate) structure: Structure,
}

impl<'q> Question<'q> {
    pub(crate) fn new(network: &'q Network, goals: &'q [Goal]) -> Self {
        Self { network, goals, structure: Structure::new(network) }
    }

    /// Everything but the given symbols is hidden, and what must be hidden as well.
    fn keeping(&self, kept: &SymbolSet) -> SymbolSet {
        let mut hidden = kept.complement(self.network);
        // A channel without hidden partners works as before, one with hidden partners lets its users move alone; there is no need to hide any.
        for channel in 0..self.network.channels.len() as u32 {
            hidden.remove(Symbol::Channel(guidepost_network::ChannelId(channel)));
        }
        self.structure.close(&mut hidden);
        hidden
    }

    /// Hides what is outside of a cone of influence.
    pub(crate) fn cone(&self, layers: u32) -> SymbolSet {
        let centre = symbols_of_goals(self.network, self.goals);
        self.keeping(&self.structure.cone(self.network, &centre, layers))
    }

    /// Hides all but the named symbols.
    pub(crate) fn named(&self, names: &[String]) -> SymbolSet {
        let mut kept = SymbolSet::empty(self.network);
        for name in names {
            kept.extend(symbols_named(self.network, name));
        }
        self.keeping(&kept)
    }

    /// Hides what takes no part in a solution; `None` when there is no solution.
    pub(crate) fn russian_doll(&self) -> Option<SymbolSet> {
        let solution = direct_solution(self.network, self.goals, &initial_cells(self.network))?;
        let mut kept = SymbolSet::empty(self.network);
        kept.extend(symbols_of_goals(self.network, self.goals));
        for &edge in &solution {
            let id = EdgeId(edge);
            kept.insert(Symbol::Process(self.network.edges[id.index()].process));
            kept.extend(self.structure.written_by(id));
            if let Sync::Send(ChannelRef::Static(channel)) | Sync::Receive(ChannelRef::Static(channel)) =
                self.network.edges[id.index()].sync
            {
                kept.insert(Symbol::Channel(channel));
            }
        }
        let processes: Vec<Symbol> = kept.iter().collect();
        for symbol in processes {
            if let Symbol::Process(process) = symbol {
                kept.extend(symbols_tested_by(self.network, &self.structure, process));
            }
        }
        Some(self.keeping(&kept))
    }

    /// Hides whatever can be hidden without the goal seeming nearer.
    pub(crate) fn refinement(&self) -> SymbolSet {
        let mut hidden = self.structure.safe_symbols(self.network);
        self.structure.close(&mut hidden);
        let wanted = self.relaxed_distance(&hidden);
        while self.refine(&mut hidden, wanted) {}
        hidden
    }

    /// One round of attempts to hide one more symbol; whether one succeeded.
    fn refine(&self, hidden: &mut SymbolSet, wanted: Estimate) -> bool {
        let is_candidate = |symbol: &Symbol| matches!(symbol, Symbol::Process(_) | Symbol::Variable(_));
        let candidates: Vec<Symbol> = hidden.complement(self.network).iter().filter(is_candidate).collect();
        let mut succeeded = false;
        for symbol in candidates {
            if hidden.contains(symbol) {
                continue;
            }
            let mut attempt = hidden.clone();
            attempt.insert(symbol);
            self.structure.close(&mut attempt);
            if self.relaxed_distance(&attempt) == wanted {
                *hidden = attempt;
                succeeded = true;
            }
        }
        succeeded
    }

    /// h^U of the initial state in an abstraction.
    fn relaxed_distance(&self, hidden: &SymbolSet) -> Estimate {
        let abstraction = hide(self.network, hidden, self.goals);
        let cells = initial_cells(&abstraction.network);
        RelaxedSolution::new(&abstraction.network, &abstraction.goals).estimate_cells(&cells)
    }
}

fn initial_cells(network: &Network) -> Vec<i32> {
    let locations = network.processes.iter().map(|process| process.initial.0 as i32);
    locations.chain(network.variables.iter().map(|variable| variable.initial)).collect()
}
