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
mod selection;
mod space;

use crate::monotonicity::Layers;
use crate::preparation::AbstractionProof;
use crate::{Estimate, Heuristic, Preparation};
use database::{Database, distances};
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
        match self {
            Selection::Cone(layers) => (0..=layers).rev().map(|layers| question.cone(layers)).collect(),
            Selection::RussianDoll => question.russian_doll().into_iter().collect(),
            Selection::Refinement => {
                std::iter::once(question.refinement()).chain(question.russian_doll()).collect()
            }
            Selection::Named(names) => vec![question.named(names)],
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
    let question = Question::new(network, goals);
    for hidden in selection.hidden_sets(&question) {
        let abstraction = hide(network, &hidden, goals);
        match Space::explore(&abstraction, preparation) {
            Ok(Some(space)) => {
                let distances = distances(&space, |_| 1);
                let size = describe(network, &hidden);
                preparation.note(format!("pattern database: {size}, {} states", space.states.len()));
                if distances[..space.initial].iter().all(|distance| *distance == u32::MAX) {
                    preparation.prove(proof(network, &hidden, space.states.len() as u64));
                }
                return Box::new(PatternDatabase {
                    database: Database::new(&abstraction, space, &distances),
                    look_ups: 0,
                });
            }
            Ok(None) => {}
            Err(exceeded) => {
                preparation
                    .note(format!("a pattern of {} is too large: {exceeded}", describe(network, &hidden)));
            }
        }
    }
    preparation.note("no pattern database; `hl` is used instead");
    Box::new(Layers::new(network, goals))
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
