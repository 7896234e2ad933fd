//! Which symbols a pattern keeps.
//!
//! - **Cone of influence** (`coi`): what is at most d steps of influence away from the goal.
//! - **Russian doll** (`rd`): what takes part in a solution of the monotonicity abstraction, and what the processes in it look at. The small doll's solution takes
//!   for granted the values that assignments read, and so stays with the processes that are immediately responsible for the error. Where the small doll
//!   reaches the goal in fewer steps than h^U says, it lacks something, and the large one is taken, whose solution explains those values as well.
//! - **Downward pattern refinement** (`dpr`): everything but the safe symbols, less whatever can be hidden without h^U getting smaller (Kupferschmid and Wehrle:
//!   *Abstractions and Pattern Databases: The Quest for Succinctness and Accuracy*, 2011). The original asks for h^U of the initial state only; asking for that of
//!   states on a few random walks as well keeps what matters later. Clocks stay.

use super::sample::sample;
use crate::monotonicity::{RelaxedSolution, solution_edges};
use crate::{Deadline, Estimate, Heuristic, Preparation};
use guidepost_abstraction::{
    Structure, Symbol, SymbolSet, hide, symbols_named, symbols_of_goals, symbols_tested_by,
};
use guidepost_network::{ChannelRef, EdgeId, Goal, Network, Sync};

/// Looking at so many edges in a relaxed task takes about as long as exploring a state.
const EDGES_PER_STATE: u64 = 2;
/// So does so much effort of a heuristic.
const EFFORT_PER_STATE: u64 = 600;
const STAGE: &str = "refining a pattern";

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

    /// Hides what takes no part in a solution, small or large; `None` when there is no solution.
    pub(crate) fn russian_doll(&self, is_small: bool, deadline: Deadline) -> Option<SymbolSet> {
        let initial = self.network.initial_cells();
        let solution = solution_edges(self.network, self.goals, &initial, is_small, deadline)?;
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

    /// Hides whatever can be hidden without the goal seeming nearer, from the initial state and from states on random walks.
    ///
    /// Ends early, with more kept than necessary, when the budget says so: an attempt counts as so many states as take about as long.
    pub(crate) fn refinement(&self, is_sampled: bool, preparation: &mut Preparation<'_>) -> SymbolSet {
        let mut states = vec![self.network.initial_cells()];
        if is_sampled {
            states.extend(sample(self.network, self.goals, preparation.own_deadline()));
        }
        let mut hidden = self.structure.safe_symbols(self.network);
        self.structure.close(&mut hidden);
        let mut effort = 0;
        let Some(wanted) = self.relaxed_distances(&hidden, &states, &mut effort, preparation) else {
            return hidden;
        };
        while self.refine(&mut hidden, &states, &wanted, &mut effort, preparation) {}
        hidden
    }

    /// One round of attempts to hide one more symbol; whether one succeeded.
    fn refine(
        &self,
        hidden: &mut SymbolSet,
        states: &[Vec<i32>],
        wanted: &[Estimate],
        effort: &mut u64,
        preparation: &mut Preparation<'_>,
    ) -> bool {
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
            let Some(distances) = self.relaxed_distances(&attempt, states, effort, preparation) else {
                return false;
            };
            if distances == wanted {
                *hidden = attempt;
                succeeded = true;
            }
        }
        succeeded
    }

    /// h^U of the initial state.
    pub(crate) fn relaxed_distance(&self, deadline: Deadline) -> Estimate {
        RelaxedSolution::new(self.network, self.goals, deadline).estimate_cells(&self.network.initial_cells())
    }

    /// h^U of some states in an abstraction; `None` when that is too much.
    fn relaxed_distances(
        &self,
        hidden: &SymbolSet,
        states: &[Vec<i32>],
        effort: &mut u64,
        preparation: &mut Preparation<'_>,
    ) -> Option<Vec<Estimate>> {
        let before = *effort;
        *effort += 1 + (self.network.edges.len() * states.len()) as u64 / EDGES_PER_STATE;
        preparation.check(STAGE, *effort, 0).ok()?;
        let abstraction = hide(self.network, hidden, self.goals);
        let mut heuristic =
            RelaxedSolution::new(&abstraction.network, &abstraction.goals, preparation.own_deadline());
        let mut distances = Vec::with_capacity(states.len());
        for cells in states {
            let mut cells = cells.clone();
            abstraction.project(&mut cells);
            distances.push(heuristic.estimate_cells(&cells));
            // With large domains an estimate takes longer than its edges tell.
            *effort = (*effort).max(before + heuristic.effort() / EFFORT_PER_STATE);
            preparation.check(STAGE, *effort, 0).ok()?;
        }
        Some(distances)
    }
}
