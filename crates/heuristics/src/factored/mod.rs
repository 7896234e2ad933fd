//! A network taken apart into its cells: what every step does to each location and each variable on its own.
//!
//! Every process and every variable with a moderate number of values is a [cell](Cells); a step of the network becomes some *labels*. A label has a relation
//! for every cell that it concerns, and is taken when each of them takes a pair (from, to) of its relation; the others stay as they are. A goal is a label, too: states
//! in which it could be taken are goals. So whatever looks at cells one by one (products of automata, facts that are never lost, sets of values per cell) needs no
//! expressions and no synchronisation.
//!
//! - [`steps`], [`part`]: who moves together with whom.
//! - [`translate`], [`clusters`], [`knowledge`]: from a step to labels.
//! - [`ranges`]: which values variables can have.
//! - [`boxes`]: sets of values for every cell.
//!
//! # What is over-approximated
//!
//! - Clocks, priorities, urgency and invariants are ignored; so are clock conditions and `deadlock` in goals. Committed locations are respected.
//! - Variables with more than 128 values, meta variables and those written by update hooks of the whole system are left out: conditions that mention one count as
//!   true, and what is computed from one may be anything.
//! - Conditions and updates that look at too many combinations of values at once: the former count as true, the latter as any value.
//! - A receiver of a broadcast that has a condition may stay out even where it holds.

mod boxes;
mod cells;
mod clusters;
mod knowledge;
mod part;
mod ranges;
mod steps;
mod translate;

use crate::{Exceeded, Preparation};
pub(crate) use boxes::{Part, System};
pub(crate) use cells::Cells;
use guidepost_network::{Goal, Network};
pub(crate) use steps::Steps;
pub(crate) use translate::{Relation, Relations, Translator};

/// How many labels there may be, and how many a step may become: if the first way leads to too many, the next one is taken.
pub(crate) const LABELS: usize = 1 << 16;
pub(crate) const LABELS_OF_STEP: [usize; 3] = [1024, 32, 1];
/// Pairs of all relations together.
const PAIRS: usize = 1 << 22;

/// Something that happens at once, or a goal.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    /// By ascending cell.
    pub(crate) relations: Relations,
    /// Not a step, but this one of the goals: states in which it can be taken are goals.
    pub(crate) goal: Option<usize>,
    /// The processes that move.
    pub(crate) movers: Vec<Mover>,
}

/// A process that may take one of some edges.
#[derive(Clone, Debug)]
pub(crate) struct Mover {
    pub(crate) cell: usize,
    pub(crate) edges: Vec<Move>,
    /// It may also stay where it is: a receiver of a broadcast that is not ready.
    pub(crate) may_stay: bool,
}

/// An edge, and the pair of its cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Move {
    pub(crate) edge: u32,
    pub(crate) pair: (u32, u32),
}

/// A network and its goals as labels over cells.
pub(crate) struct Factored {
    pub(crate) cells: Cells,
    pub(crate) labels: Vec<Label>,
}

impl Factored {
    /// Takes a network apart; what variables can be is narrowed down first.
    pub(crate) fn new(
        network: &Network,
        goals: &[Goal],
        preparation: &mut Preparation<'_>,
    ) -> Result<Self, Exceeded> {
        let ranges = ranges::ranges(network, preparation.own_deadline());
        let cells = Cells::within(network, &ranges);
        let mut result = Err(Exceeded::Memory);
        for most in LABELS_OF_STEP {
            result = labels(network, goals, &cells, most, preparation);
            if !matches!(result, Err(Exceeded::Memory)) {
                break;
            }
        }
        result.map(|labels| Self { cells, labels })
    }
}

fn labels(
    network: &Network,
    goals: &[Goal],
    cells: &Cells,
    most: usize,
    preparation: &mut Preparation<'_>,
) -> Result<Vec<Label>, Exceeded> {
    let mut translator = Translator::new(network, goals, cells, most);
    let mut labels = Vec::new();
    let mut pairs = 0;
    Steps::new(network, cells).for_each(goals, &mut |step| {
        for relations in translator.labels(step) {
            pairs += relations.iter().map(|(_, relation)| relation.len()).sum::<usize>();
            let movers = step.parts.iter().filter(|part| !part.edges.is_empty());
            let mover = |part: &part::Part| Mover {
                cell: part.process,
                edges: part.edges.clone(),
                may_stay: part.may_stay,
            };
            labels.push(Label { relations, goal: step.goal, movers: movers.map(mover).collect() });
        }
        if labels.len() > LABELS || pairs > PAIRS {
            return Err(Exceeded::Memory);
        }
        preparation.check("labels", labels.len() as u64, pairs * size_of::<(u32, u32)>())
    })?;
    Ok(labels)
}
