//! What a round of refinement knows: which symbols are hidden, and which predicates are followed.

use crate::cegar::Hiding;
use crate::predicates::{Learner, Predicate};
use guidepost_abstraction::{Structure, Symbol, SymbolSet, name_of, symbols_of_goals, symbols_tested_by};
use guidepost_network::{Goal, Network, ProcessId, VarId};

/// A variable that so many predicates are about is better shown: its value says all of them.
const MOST: usize = 12;

/// What is known.
pub(crate) struct Precision<'n> {
    network: &'n Network,
    pub(crate) hidden: SymbolSet,
    /// What was hidden before the goals were looked at.
    concerned: SymbolSet,
    /// To be shown last.
    pub(crate) deferred: SymbolSet,
    /// Each about some hidden variable.
    pub(crate) predicates: Vec<Predicate>,
}

impl<'n> Precision<'n> {
    /// What is known at first: what the goals name.
    pub(crate) fn new(
        network: &'n Network,
        goals: &'n [Goal],
        structure: &Structure,
        hiding: Hiding,
    ) -> Self {
        let mut hidden = SymbolSet::empty(network);
        hidden.extend(SymbolSet::all(network).iter().filter(|symbol| hiding.concerns(*symbol)));
        structure.close(&mut hidden);
        if hiding == Hiding::Data {
            hide_carriers(network, structure, &mut hidden);
        }
        let mut deferred = structure.safe_symbols(network);
        structure.close(&mut deferred);
        let concerned = hidden.clone();
        let mut precision = Self { network, hidden, concerned, deferred, predicates: Vec::new() };
        if hiding != Hiding::DataBehindPredicates {
            structure.reveal(&mut precision.hidden, symbols_of_goals(network, goals));
            return precision;
        }
        let mut learner = Learner::new(network, goals);
        let mut predicates = Vec::new();
        for (index, goal) in goals.iter().enumerate() {
            // What cannot be said by a predicate is shown.
            let is_said = |&code: &guidepost_network::Code| {
                let predicate = learner.predicate(code, Some(index));
                let is_said = predicate.is_some();
                predicates.extend(predicate);
                !is_said
            };
            let rest: Vec<_> = goal.data.iter().copied().filter(is_said).collect();
            let rest = Goal { data: rest, ..goal.clone() };
            structure.reveal(&mut precision.hidden, symbols_of_goals(network, &[rest]));
        }
        precision.learn(structure, predicates);
        precision
    }

    /// Shows symbols, with what they depend on. Where that shows nothing new, all that is not to be shown last; if that is nothing either, everything.
    pub(crate) fn show(&mut self, structure: &Structure, symbols: Vec<Symbol>) {
        let before = self.hidden.iter().count();
        structure.reveal(&mut self.hidden, symbols);
        if self.hidden.iter().count() == before {
            let rest: Vec<Symbol> =
                self.hidden.iter().filter(|&symbol| !self.deferred.contains(symbol)).collect();
            structure.reveal(&mut self.hidden, rest);
        }
        if self.hidden.iter().count() == before {
            self.hidden = SymbolSet::empty(self.network);
        }
        let is_hidden = |variable: &VarId| self.hidden.contains(Symbol::Variable(*variable));
        self.predicates.retain(|predicate| predicate.support.iter().any(is_hidden));
    }

    /// Whether everything that is hidden is to be shown last.
    pub(crate) fn is_only_deferred(&self) -> bool {
        self.hidden.iter().all(|symbol| self.deferred.contains(symbol))
    }

    /// Those of some predicates that say something new; `None`: there are none.
    pub(crate) fn new_among(&self, predicates: Vec<Predicate>) -> Option<Vec<Predicate>> {
        let is_hidden = |variable: &VarId| self.hidden.contains(Symbol::Variable(*variable));
        let is_new = |predicate: &Predicate| {
            predicate.support.iter().any(is_hidden) && !self.predicates.contains(predicate)
        };
        let new: Vec<Predicate> = predicates.into_iter().filter(is_new).collect();
        (!new.is_empty()).then_some(new)
    }

    /// Follows more predicates. Variables that too many of them are about are shown; says whether there are none.
    pub(crate) fn learn(&mut self, structure: &Structure, predicates: Vec<Predicate>) -> bool {
        for predicate in predicates {
            if !self.predicates.contains(&predicate) {
                self.predicates.push(predicate);
            }
        }
        let mut counts = vec![0; self.network.variables.len()];
        for variable in self.predicates.iter().flat_map(|predicate| &predicate.support) {
            counts[variable.index()] += 1;
        }
        let ids = (0..).map(VarId).zip(counts).filter(|(_, count)| *count > MOST);
        let symbols: Vec<Symbol> = ids.map(|(variable, _)| Symbol::Variable(variable)).collect();
        let symbols: Vec<Symbol> = symbols.into_iter().filter(|own| self.hidden.contains(*own)).collect();
        let hides_the_same = symbols.is_empty();
        if !hides_the_same {
            self.show(structure, symbols);
        }
        hides_the_same
    }

    /// The names of all processes, clocks and variables that are hidden; none where predicates say something about them.
    pub(crate) fn hidden_names(&self) -> Vec<String> {
        if !self.predicates.is_empty() {
            return Vec::new();
        }
        let own = self.hidden.iter().filter(|symbol| !matches!(symbol, Symbol::Channel(_)));
        own.map(|symbol| name_of(self.network, symbol).to_owned()).collect()
    }

    /// The names of what is not hidden any more, and predicates.
    pub(crate) fn names(&self) -> Vec<String> {
        let shown = self.concerned.iter().filter(|&symbol| !self.hidden.contains(symbol));
        let shown = shown.map(|symbol| name_of(self.network, symbol).to_owned());
        shown.chain(self.predicates.iter().map(|predicate| predicate.describe(self.network))).collect()
    }
}

/// Hides processes that have nothing to do with clocks and change nothing but hidden variables: where they are is a part of the data.
fn hide_carriers(network: &Network, structure: &Structure, hidden: &mut SymbolSet) {
    for id in (0..network.processes.len() as u32).map(ProcessId) {
        let symbol = Symbol::Process(id);
        let tests_clock = |symbol: &Symbol| matches!(symbol, Symbol::Clock(_));
        if !symbols_tested_by(network, structure, id).iter().any(tests_clock) {
            hidden.insert(symbol);
            if !structure.is_closed(hidden) {
                hidden.remove(symbol);
            }
        }
    }
}

impl Hiding {
    /// Whether a symbol is among those that may be hidden at first.
    fn concerns(self, symbol: Symbol) -> bool {
        match symbol {
            Symbol::Variable(_) => true,
            Symbol::Process(_) | Symbol::Clock(_) => self == Hiding::Everything,
            Symbol::Channel(_) => false,
        }
    }
}
