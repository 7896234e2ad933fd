//! Pattern databases: distances in an abstraction, computed once and looked up (Culberson and Schaeffer 1998; for timed automata Kupferschmid, Hoffmann, Larsen
//! 2008).
//!
//! A *pattern* is the part of a network that is kept; the rest is hidden, which leaves a network that can do at least what the original can do. It is explored
//! completely ([`space`]), and the distance of each of its states to the goal becomes the estimate of all states that look the same ([`database`]). What
//! differs between `coi`, `rd` and `dpr` is which pattern they keep ([`selection`]).
//!
//! If the abstraction cannot reach its goal, the original cannot either: the property is proved before the search begins.

mod cover;
mod database;
mod sample;
mod selection;
mod space;

use crate::monotonicity::Layers;
use crate::preparation::AbstractionProof;
use crate::{Estimate, Heuristic, Preparation};
use database::{Database, distances, estimate};
use guidepost_abstraction::{Symbol, SymbolSet, hide, name_of};
use guidepost_explore::SymbolicState;
use guidepost_network::{Goal, Network};
use selection::Question;
use space::Space;

/// How a pattern is chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Selection<'s> {
    /// Within so many layers of influence around the goal.
    Cone(u32),
    /// Around a solution of the monotonicity abstraction.
    RussianDoll,
    /// As little as possible without h^U getting smaller.
    Refinement,
    /// These symbols.
    Named(&'s [String]),
}

impl Selection<'_> {
    /// The sets to hide, in the order in which they are tried while the one before is too large.
    fn hidden_sets(self, question: &Question<'_>) -> Vec<SymbolSet> {
        let small = || question.russian_doll(true);
        match self {
            Selection::Cone(layers) => (0..=layers).rev().map(|layers| question.cone(layers)).collect(),
            Selection::RussianDoll => small().into_iter().collect(),
            Selection::Refinement => {
                let refined = [question.refinement(true), question.refinement(false)];
                refined.into_iter().chain(small()).collect()
            }
            Selection::Named(names) => vec![question.named(names)],
        }
    }

    /// What to hide instead, when the database says that the goal is so near.
    fn second_thought(self, question: &Question<'_>, distance: Estimate) -> Option<SymbolSet> {
        let is_poor = || distance < question.relaxed_distance();
        match self {
            Selection::RussianDoll if is_poor() => question.russian_doll(false),
            _ => None,
        }
    }
}

/// Distances in an abstraction.
pub(crate) struct PatternDatabase {
    database: Database,
    look_ups: u64,
}

impl Heuristic for PatternDatabase {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        self.look_ups += 1;
        self.database.look_up(state)
    }

    fn is_discrete(&self) -> bool {
        self.database.is_discrete()
    }

    fn effort(&self) -> u64 {
        self.look_ups / 2
    }
}

/// Builds the database of the first pattern that is small enough; if none is, `hl` steps in, which is admissible as well.
pub(crate) fn bind<'n>(
    selection: Selection<'_>,
    network: &'n Network,
    goals: &[Goal],
    preparation: &mut Preparation<'_>,
) -> Box<dyn Heuristic + 'n> {
    let Some(built) = select(selection, &Question::new(network, goals), preparation) else {
        preparation.note("no pattern database; `hl` is used instead");
        return Box::new(Layers::new(network, goals));
    };
    preparation.note(built.note);
    if let Some(proof) = built.proof {
        preparation.prove(proof);
    }
    Box::new(PatternDatabase { database: built.database, look_ups: 0 })
}

/// What a selection hides; `None` when all that it would keep is too large.
pub(crate) fn hidden_by(
    selection: Selection<'_>,
    network: &Network,
    goals: &[Goal],
    preparation: &mut Preparation<'_>,
) -> Option<SymbolSet> {
    select(selection, &Question::new(network, goals), preparation).map(|built| built.hidden)
}

/// The first database that is small enough, or a better one where that one turns out to be poor.
fn select(
    selection: Selection<'_>,
    question: &Question<'_>,
    preparation: &mut Preparation<'_>,
) -> Option<Built> {
    let sets = selection.hidden_sets(question);
    let first = sets.into_iter().find_map(|hidden| build(question, hidden, preparation))?;
    let second = selection.second_thought(question, first.initial);
    let second = second.and_then(|hidden| build(question, hidden, preparation));
    Some(second.filter(|second| second.initial > first.initial).unwrap_or(first))
}

/// A database, and what is to be said of it.
struct Built {
    hidden: SymbolSet,
    database: Database,
    /// The distance of the initial state.
    initial: Estimate,
    note: String,
    proof: Option<AbstractionProof>,
}

/// Builds the database of an abstraction, unless it is too large.
fn build(question: &Question<'_>, hidden: SymbolSet, preparation: &mut Preparation<'_>) -> Option<Built> {
    let network = question.network;
    let abstraction = hide(network, &hidden, question.goals);
    let size = describe(network, &hidden);
    let space = match Space::explore(&abstraction, preparation) {
        Ok(space) => space?,
        Err(exceeded) => {
            preparation.note(format!("a pattern of {size} is too large: {exceeded}"));
            return None;
        }
    };
    let distances = distances(&space, |_| 1);
    let initial = distances[..space.initial].iter().copied().min().map_or(Estimate::DEAD_END, estimate);
    let states = space.states.len();
    Some(Built {
        initial,
        note: format!("pattern database: {size}, {states} states"),
        proof: initial.is_dead_end().then(|| proof(network, &hidden, states as u64)),
        hidden,
        database: Database::new(&abstraction, space, &distances),
    })
}

/// How much of a network is kept, in words.
fn describe(network: &Network, hidden: &SymbolSet) -> String {
    let kept = |flags: &[bool]| flags.iter().filter(|hidden| !**hidden).count();
    let hiding = hidden.hiding();
    format!(
        "{} of {} processes, {} of {} clocks, {} of {} variables",
        kept(&hiding.processes),
        network.processes.len(),
        kept(&hiding.clocks) - 1,
        network.clocks.len() - 1,
        kept(&hiding.variables),
        network.variables.len(),
    )
}

fn proof(network: &Network, hidden: &SymbolSet, states: u64) -> AbstractionProof {
    let processes = hidden.hiding().processes.iter().filter(|hidden| !**hidden).count();
    let is_named = |symbol: &Symbol| !matches!(symbol, Symbol::Channel(_));
    let names = hidden.iter().filter(is_named).map(|symbol| name_of(network, symbol).to_owned());
    AbstractionProof {
        kept_processes: processes,
        processes: network.processes.len(),
        states,
        hidden: names.collect(),
    }
}
