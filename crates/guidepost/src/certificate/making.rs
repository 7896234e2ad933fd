//! How a certificate is made.
//!
//! It is to be as small as a proof can be. An answer that rests on an abstraction gets a set of states of that abstraction, with the names of what it hides. Any other answer gets a set of states of the network without the
//! variables that cannot influence the question. If that grows far beyond what the search has looked at, because of reductions that leave no closed set behind, an abstraction is looked for that is enough. The sets are the
//! labels of a lazy abstraction.

use super::{NoCertificate, is_unreachable, not_looked_at};
use crate::Session;
use guidepost_abstraction::{Structure, Symbol, SymbolSet, hide, name_of};
use guidepost_answer::{Engine, Induction, Limits, Progress, StopReason, Unsupported};
use guidepost_certificate::{Bound, Builder, Certificate, Difference};
use guidepost_explore::idle_variables;
use guidepost_network::{CompiledQuery, Goal, Network};
use guidepost_refinement::{Hidden, inductive_labels};
use std::collections::HashSet;
use std::time::Instant;

/// An abstraction is looked for when there are so many states for each that the search has stored,
const PATIENCE: u64 = 4;
/// and so many in any case.
const LEAST_PATIENCE: u64 = 20_000;

/// A certificate that is being made.
pub(super) struct Making<'a> {
    pub(super) session: &'a Session,
    pub(super) query: &'a CompiledQuery,
    pub(super) goals: &'a [Goal],
    pub(super) limits: &'a Limits,
    pub(super) begin: Instant,
}

impl Making<'_> {
    /// Tries what is promising first, and the whole network last.
    pub(super) fn smallest(
        &self,
        unneeded: &[String],
        stored: u64,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Certificate, NoCertificate> {
        let network = &self.session.network;
        let structure = Structure::new(network);
        let closed = |mut hidden: SymbolSet| {
            structure.close(&mut hidden);
            hidden
        };
        if let Some(hidden) = named(network, unneeded).filter(|hidden| !hidden.is_empty())
            && let Some(made) = self.attempt(&closed(hidden), None, observe)
        {
            return made;
        }
        let all: Vec<&Goal> = self.goals.iter().collect();
        let mut idle = SymbolSet::empty(network);
        idle.extend(idle_variables(network, &all).into_iter().map(Symbol::Variable));
        let idle = closed(idle);
        let patience = stored.saturating_mul(PATIENCE).saturating_add(LEAST_PATIENCE);
        if let Some(made) = self.attempt(&idle, Some(patience), observe) {
            return made;
        }
        if let Some(hidden) = self.abstraction(patience).and_then(|names| named(network, &names))
            && let Some(made) = self.attempt(&closed(hidden), None, observe)
        {
            return made;
        }
        let nothing = SymbolSet::empty(network);
        let made = self.attempt(&idle, None, observe).or_else(|| self.attempt(&nothing, None, observe));
        made.unwrap_or(Err(NoCertificate::Reachable))
    }

    /// A certificate for the network without some symbols, or why there is none at all; `None` if it can do too much without them, or if there are too many states.
    fn attempt(
        &self,
        hidden: &SymbolSet,
        patience: Option<u64>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Option<Result<Certificate, NoCertificate>> {
        let network = &self.session.network;
        let limits = self.limits_within(patience);
        let abstraction = (!hidden.is_empty()).then(|| hide(network, hidden, self.goals));
        let (own, goals) = match &abstraction {
            Some(abstraction) => (&abstraction.network, &*abstraction.goals),
            None => (network, self.goals),
        };
        let made = collected(own, &self.query.text, inductive_labels(own, goals, &limits, observe));
        match made {
            Ok(certificate) if abstraction.is_some() => {
                Some(Ok(certificate.of_abstraction(network, names(network, hidden))))
            }
            Err(NoCertificate::Reachable | NoCertificate::Failed(_)) if abstraction.is_some() => None,
            Err(NoCertificate::Stopped(StopReason::States)) if patience.is_some() => None,
            made => Some(made),
        }
    }

    /// What is left of the limits, and no more states than patience allows.
    fn limits_within(&self, patience: Option<u64>) -> Limits {
        let left = self.limits.left_since(self.begin);
        Limits { states: [left.states, patience].into_iter().flatten().min(), ..left }
    }

    /// The names of what a proof by refinement does not need, if there is one that does not take too many states.
    fn abstraction(&self, patience: u64) -> Option<Vec<String>> {
        let limits = self.limits_within(Some(patience));
        let engine = Hidden { limits, ..Hidden::default() };
        let answers = engine.answers(&self.session.network, std::slice::from_ref(self.query)).ok()?;
        let answer = answers.into_iter().next()?;
        is_unreachable(self.query, &answer).then(|| not_looked_at(&answer).to_vec())
    }
}

/// The names of the processes, clocks and variables of a set.
pub(super) fn names(network: &Network, symbols: &SymbolSet) -> Vec<String> {
    let own = symbols.iter().filter(|symbol| !matches!(symbol, Symbol::Channel(_)));
    own.map(|symbol| name_of(network, symbol).to_owned()).collect()
}

/// The processes, clocks and variables of these names; `None` if there are not as many.
pub(super) fn named(network: &Network, names: &[String]) -> Option<SymbolSet> {
    let wanted: HashSet<&str> = names.iter().map(String::as_str).collect();
    let is_wanted =
        |symbol: &Symbol| !matches!(symbol, Symbol::Channel(_)) && wanted.contains(name_of(network, *symbol));
    let mut symbols = SymbolSet::empty(network);
    symbols.extend(SymbolSet::all(network).iter().filter(is_wanted));
    (symbols.iter().count() == names.len()).then_some(symbols)
}

/// The certificate that a set of states is.
pub(super) fn collected(
    network: &Network,
    query: &str,
    made: Result<Induction<'_>, Unsupported>,
) -> Result<Certificate, NoCertificate> {
    let mut set = match made {
        Ok(Induction::Closed(set)) => set,
        Ok(Induction::Reached) => return Err(NoCertificate::Reachable),
        Ok(Induction::Failed(error)) => return Err(NoCertificate::Failed(error.describe(network))),
        Ok(Induction::Stopped(reason)) => return Err(NoCertificate::Stopped(reason)),
        Err(reason) => return Err(NoCertificate::Failed(reason.to_string())),
    };
    let mut builder = Builder::new(network);
    let mut zone = Vec::new();
    set.visit(&mut |cells, bounds| {
        zone.clear();
        zone.extend(bounds.iter().map(|&(left, right, constant, strict)| Difference {
            left,
            right,
            bound: Bound::new(constant.into(), strict),
        }));
        builder.add(cells, &zone);
    });
    drop(set);
    Ok(builder.finish(network, query))
}
