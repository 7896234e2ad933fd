//! How a certificate is made.
//!
//! It is to be as small as a proof can be. An answer that rests on an abstraction gets a set of states of that abstraction, with the names of what it hides. Any other answer gets a set of states of the network without the
//! variables that cannot influence the question. Three ways take turns, each with twice as much effort from round to round, and the first that comes to its end wins: the labels of a lazy abstraction, which are few;
//! a refinement that looks for an abstraction that is enough; and an exploration, which makes more states in less time. So a certificate takes a small multiple of what the best of them takes, and the same one is made on every
//! machine.

use super::{NoCertificate, WORK, is_provable, not_looked_at};
use crate::Session;
use guidepost_abstraction::{Structure, Symbol, SymbolSet, hide, name_of};
use guidepost_answer::{Deadline, Inducing, Induction, Limits, Progress, StopReason, Unsupported};
use guidepost_certificate::{Bound, Builder, Certificate, Checked, Claim, Difference};
use guidepost_explore::idle_variables;
use guidepost_network::{CompiledQuery, Goal, Network};
use guidepost_refinement::{Hidden, InductiveLabels, Turns};
use guidepost_search::{InductiveExploration, MILLISECOND, Widening, inductive_set};
use std::collections::HashSet;
use std::time::Instant;

/// The effort of the first turn.
const FIRST: u64 = 200 * MILLISECOND;

/// A certificate that is being made.
pub(super) struct Making<'a> {
    pub(super) session: &'a Session,
    pub(super) query: &'a CompiledQuery,
    pub(super) goals: &'a [Goal],
    pub(super) limits: &'a Limits,
    pub(super) begin: Instant,
}

/// Who hears of progress.
type Observe<'o> = dyn FnMut(&Progress) + Send + 'o;

/// A certificate, or why there is none at all; `None` if there is none for an abstraction.
type Attempt = Option<Result<Certificate, NoCertificate>>;

impl Making<'_> {
    /// Tries what is promising first, and the whole network last.
    pub(super) fn smallest(
        &self,
        unneeded: &[String],
        observe: &mut Observe<'_>,
    ) -> Result<Certificate, NoCertificate> {
        let network = &self.session.network;
        let nothing = SymbolSet::empty(network);
        if let Some(hidden) = named(network, unneeded).filter(|hidden| !hidden.is_empty())
            && let Some(made) = self.attempt(&self.closed(hidden), None, observe)
        {
            return made;
        }
        let all: Vec<&Goal> = self.goals.iter().collect();
        let mut idle = nothing.clone();
        idle.extend(idle_variables(network, &all).into_iter().map(Symbol::Variable));
        let mut made = None;
        for hidden in [self.closed(idle), nothing] {
            made = made.or_else(|| self.attempt(&hidden, self.refinement(), observe));
        }
        made.unwrap_or(Err(NoCertificate::Reachable))
    }

    /// Explores with coarse zones first, which often contain no deadlock either: the check says whether they do.
    pub(super) fn about_deadlocks(&self, observe: &mut Observe<'_>) -> Result<Certificate, NoCertificate> {
        let network = &self.session.network;
        let mut explored = |widening| {
            let limits = self.limits.left_since(self.begin);
            collected(
                network,
                &self.query.text,
                inductive_set(network, self.goals, widening, &limits, observe),
            )
        };
        let claim = Claim::of(&self.query.question).ok_or(NoCertificate::Question)?;
        match explored(Widening::Simulation) {
            Ok(certificate) => {
                let moment = self.limits.time.and_then(|time| self.begin.checked_add(time));
                let mut deadline = Deadline::new(moment, self.limits.interrupt.clone());
                match certificate.check(network, claim, None, &mut || !deadline.is_due(WORK)) {
                    Checked::Rejected(_) => explored(Widening::Bisimulation),
                    Checked::Accepted => Ok(certificate),
                    Checked::Stopped if deadline.is_interrupted() => {
                        Err(NoCertificate::Stopped(StopReason::Interrupt))
                    }
                    Checked::Stopped => Err(NoCertificate::Stopped(StopReason::Time)),
                }
            }
            Err(NoCertificate::Reachable) => explored(Widening::Bisimulation),
            Err(reason) => Err(reason),
        }
    }

    /// Some symbols, and those that depend on them.
    fn closed(&self, mut hidden: SymbolSet) -> SymbolSet {
        Structure::new(&self.session.network).close(&mut hidden);
        hidden
    }

    /// A search for an abstraction that is enough.
    fn refinement(&self) -> Option<Turns<'_>> {
        let (_, holds_if_found) = self.query.question.target()?;
        Hidden::default().turns(&self.session.network, self.goals, holds_if_found, 0).ok()
    }

    /// A certificate for the network without some symbols; `None` if it can do too much without them.
    fn attempt(
        &self,
        hidden: &SymbolSet,
        refinement: Option<Turns<'_>>,
        observe: &mut Observe<'_>,
    ) -> Attempt {
        let network = &self.session.network;
        let hides = names(network, hidden);
        if hides.is_empty() {
            return Some(self.race(network, self.goals, refinement, observe));
        }
        let abstraction = hide(network, hidden, self.goals);
        match self.race(&abstraction.network, &abstraction.goals, refinement, observe) {
            Ok(certificate) if certificate.hides.is_empty() => {
                Some(Ok(certificate.of_abstraction(network, hides)))
            }
            Err(NoCertificate::Reachable | NoCertificate::Failed(_)) => None,
            made => Some(made),
        }
    }

    /// Lets all ways take turns. An abstraction that is enough is rare, and gets half of what the others get.
    fn race(
        &self,
        network: &Network,
        goals: &[Goal],
        mut refinement: Option<Turns<'_>>,
        observe: &mut Observe<'_>,
    ) -> Result<Certificate, NoCertificate> {
        let limits = self.limits.left_since(self.begin);
        let labels = InductiveLabels::new(network, goals, &limits).map(|way| Some(Box::new(way) as Way<'_>));
        let exploration =
            InductiveExploration::new(network, goals, &limits).map(|way| Some(Box::new(way) as Way<'_>));
        let mut ways = match labels.and_then(|labels| Ok([labels, exploration?])) {
            Ok(ways) => ways,
            Err(reason) => return Err(NoCertificate::Failed(reason.to_string())),
        };
        let mut refusal = NoCertificate::Reachable;
        let mut effort = FIRST;
        while ways.iter().any(Option::is_some) {
            for place in 0..ways.len() {
                if place == 1
                    && let Some(made) = self.refine(&mut refinement, effort / 2, observe)
                {
                    return made;
                }
                let beside = ways.iter().flatten().map(|way| way.bytes()).sum::<usize>();
                let Some(way) = &mut ways[place] else { continue };
                let own = way.bytes();
                let Some(made) = way.advance(effort, beside - own, observe) else { continue };
                match collected(network, &self.query.text, Ok(made)) {
                    // Another way may need less.
                    Err(NoCertificate::Stopped(reason @ (StopReason::States | StopReason::Memory))) => {
                        refusal = NoCertificate::Stopped(reason);
                        ways[place] = None;
                    }
                    made => return made,
                }
            }
            effort = effort.saturating_mul(2);
        }
        Err(refusal)
    }

    /// Continues a search for an abstraction that is enough; a certificate if that is found.
    fn refine(&self, refinement: &mut Option<Turns<'_>>, effort: u64, observe: &mut Observe<'_>) -> Attempt {
        let limits = self.limits.left_since(self.begin);
        let answer = refinement.as_mut()?.advance(&limits, effort, &mut |_| ()).unwrap_or_default()?;
        *refinement = None;
        if !is_provable(self.query, &answer) {
            return None;
        }
        let hidden = named(&self.session.network, not_looked_at(&answer)).filter(|hidden| !hidden.is_empty());
        self.attempt(&self.closed(hidden?), None, observe)
    }
}

/// A way to make a set.
type Way<'w> = Box<dyn Inducing<'w> + 'w>;

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
    set.visit(&mut |cells, bounds, rank| {
        zone.clear();
        zone.extend(bounds.iter().map(|&(left, right, constant, strict)| Difference {
            left,
            right,
            bound: Bound::new(constant.into(), strict),
        }));
        builder.add(cells, &zone, rank);
    });
    drop(set);
    Ok(builder.finish(network, query))
}
