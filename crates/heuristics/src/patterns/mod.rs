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
mod partition;
mod sample;
mod selection;
mod space;

use crate::monotonicity::Layers;
use crate::{Estimate, Heuristic, Preparation};
use database::{Database, distances, estimate};
use guidepost_abstraction::{AbstractNetwork, Symbol, SymbolSet, hide, name_of};
use guidepost_answer::AbstractionProof;
use guidepost_explore::SymbolicState;
use guidepost_network::{Goal, Network};
pub(crate) use partition::Charging;
use selection::Question;
use space::Space;

/// How a pattern is chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Selection<'s> {
    /// Within this many layers of influence around the goal.
    Cone(u32),
    /// Around a solution of the monotonicity abstraction.
    RussianDoll,
    /// As little as possible without h^U getting smaller.
    Refinement,
    /// These symbols.
    Named(&'s [String]),
}

impl Selection<'_> {
    /// The set to hide in an attempt; the next one is made while the one before is too large, until there is none.
    fn hidden_set(
        self,
        question: &Question<'_>,
        attempt: u32,
        preparation: &mut Preparation<'_>,
    ) -> Option<SymbolSet> {
        match (self, attempt) {
            (Selection::Cone(layers), _) => layers.checked_sub(attempt).map(|layers| question.cone(layers)),
            (Selection::RussianDoll, 0) | (Selection::Refinement, 2) => {
                question.russian_doll(true, preparation.own_deadline())
            }
            (Selection::Refinement, 0 | 1) => Some(question.refinement(attempt == 0, preparation)),
            (Selection::Named(names), 0) => Some(question.named(names)),
            _ => None,
        }
    }

    /// What to hide instead, when the database says that the goal is so near.
    fn second_thought(
        self,
        question: &Question<'_>,
        distance: Estimate,
        preparation: &Preparation<'_>,
    ) -> Option<SymbolSet> {
        let deadline = || preparation.own_deadline();
        let is_poor = || distance < question.relaxed_distance(deadline());
        match self {
            Selection::RussianDoll if is_poor() => question.russian_doll(false, deadline()),
            _ => None,
        }
    }
}

/// What a look-up counts for, in units of effort.
const LOOK_UP: u64 = 50;

/// Distances in abstractions, added up.
pub(crate) struct PatternDatabases {
    databases: Vec<Database>,
    look_ups: u64,
}

impl PatternDatabases {
    fn new(databases: Vec<Database>) -> Self {
        Self { databases, look_ups: 0 }
    }
}

impl Heuristic for PatternDatabases {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        let mut sum = 0;
        for database in &mut self.databases {
            self.look_ups += 1;
            match database.look_up(state).as_steps() {
                Some(steps) => sum += steps,
                None => return Estimate::DEAD_END,
            }
        }
        Estimate::steps(sum)
    }

    fn is_discrete(&self) -> bool {
        self.databases.iter().all(Database::is_discrete)
    }

    fn effort(&self) -> u64 {
        LOOK_UP * self.look_ups
    }
}

/// Builds the database of the first pattern that is small enough; if none is, `hl` steps in, which is admissible as well.
pub(crate) fn bind<'n>(
    selection: Selection<'_>,
    network: &'n Network,
    goals: &[Goal],
    preparation: &mut Preparation<'_>,
) -> Box<dyn Heuristic + 'n> {
    let Some(explored) = select(selection, &Question::new(network, goals), preparation) else {
        preparation.note("no pattern database; `hl` is used instead");
        return Box::new(Layers::new(network, goals, preparation.deadline()));
    };
    explored.report(network, preparation);
    Box::new(PatternDatabases::new(vec![explored.into_database()]))
}

/// Builds the databases of several patterns whose distances can be added up.
pub(crate) fn bind_sum<'n>(
    selections: &[Selection<'_>],
    charging: Charging,
    network: &'n Network,
    goals: &[Goal],
    preparation: &mut Preparation<'_>,
) -> Box<dyn Heuristic + 'n> {
    let question = Question::new(network, goals);
    let found = selections.iter().filter_map(|selection| select(*selection, &question, preparation));
    let mut explored: Vec<Explored> = found.collect();
    if explored.is_empty() {
        preparation.note("no pattern database; `hl` is used instead");
        return Box::new(Layers::new(network, goals, preparation.deadline()));
    }
    for one in &explored {
        one.report(network, preparation);
    }
    partition::charge(network, &mut explored, charging);
    Box::new(PatternDatabases::new(explored.into_iter().map(Explored::into_database).collect()))
}

/// What a selection hides; `None` when all that it would keep is too large.
pub(crate) fn hidden_by(
    selection: Selection<'_>,
    network: &Network,
    goals: &[Goal],
    preparation: &mut Preparation<'_>,
) -> Option<SymbolSet> {
    select(selection, &Question::new(network, goals), preparation).map(|explored| explored.hidden)
}

/// The first abstraction that is small enough, or a better one where that one turns out to be poor.
fn select(
    selection: Selection<'_>,
    question: &Question<'_>,
    preparation: &mut Preparation<'_>,
) -> Option<Explored> {
    let mut attempt = 0;
    let first = loop {
        if !preparation.has_time() {
            return None;
        }
        let hidden = selection.hidden_set(question, attempt, preparation)?;
        if let Some(first) = Explored::new(question, hidden, preparation) {
            preparation.recover();
            break first;
        }
        attempt += 1;
    };
    if !preparation.has_time() {
        preparation.recover();
        return Some(first);
    }
    let second = selection.second_thought(question, first.initial(), preparation);
    let second = second.and_then(|hidden| Explored::new(question, hidden, preparation));
    Some(second.filter(|second| second.initial() > first.initial()).unwrap_or(first))
}

/// An abstraction with its state space and the distances in it.
struct Explored {
    hidden: SymbolSet,
    abstraction: AbstractNetwork,
    space: Space,
    distances: Vec<u32>,
}

impl Explored {
    /// Explores an abstraction, unless it is too large.
    fn new(question: &Question<'_>, hidden: SymbolSet, preparation: &mut Preparation<'_>) -> Option<Self> {
        if !preparation.has_time() {
            return None;
        }
        let abstraction = hide(question.network, &hidden, question.goals);
        let kept = share_kept(question.network, &hidden, &abstraction.network);
        let explored = preparation.check_share(kept).and_then(|()| Space::explore(&abstraction, preparation));
        let space = match explored {
            Ok(space) => space?,
            Err(exceeded) => {
                let size = describe(question.network, &hidden);
                preparation.note(format!("a pattern of {size} is too large: {exceeded}"));
                return None;
            }
        };
        let distances = distances(&space, |_| 1);
        Some(Self { hidden, abstraction, space, distances })
    }

    /// The distance of the initial state.
    fn initial(&self) -> Estimate {
        let initial = self.distances[..self.space.initial].iter().copied().min();
        initial.map_or(Estimate::DEAD_END, estimate)
    }

    /// Leaves a note, and a proof where there is one.
    fn report(&self, network: &Network, preparation: &mut Preparation<'_>) {
        let (size, states) = (describe(network, &self.hidden), self.space.states.len());
        preparation.note(format!("pattern database: {size}, {states} states"));
        if self.initial().is_dead_end() {
            preparation.prove(proof(network, &self.hidden, states as u64));
        }
    }

    fn into_database(self) -> Database {
        Database::new(&self.abstraction, self.space, &self.distances)
    }
}

/// How much of a network an abstraction keeps, in percent of its bits. With all processes kept it is the whole: what makes state spaces large, their clocks and the
/// orders in which they move, is still there.
fn share_kept(network: &Network, hidden: &SymbolSet, abstraction: &Network) -> u64 {
    if hidden.hiding().processes.iter().all(|hidden| !hidden) {
        return 100;
    }
    100 * bits(abstraction) / bits(network).max(1)
}

/// A variable counts for no more bits than this: it rarely uses the whole range it is declared with.
const MOST_BITS: u64 = 8;

/// Bits of a network's discrete state.
fn bits(network: &Network) -> u64 {
    let bits = |values: u64| u64::from(u64::BITS - values.leading_zeros()).min(MOST_BITS);
    let locations = network.processes.iter().map(|process| bits(process.locations.len() as u64 - 1));
    let values = network
        .variables
        .iter()
        .map(|variable| bits((i64::from(variable.max) - i64::from(variable.min)).unsigned_abs()));
    locations.chain(values).sum()
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
