//! `cartesian`: Cartesian abstractions, refined by counterexamples (Seipp, Helmert: *Counterexample-Guided Cartesian Abstraction Refinement*, 2013; *for Classical Planning*, 2018).
//!
//! An abstract state is a set of values for every cell, all independent of each other: a *box*. At first there is one box with everything in it. Then, again and again: find a
//! shortest way of boxes to the goal, and try to follow it with the real values of the initial state. Where that fails, a box contains both the real state and those that
//! could have gone on; it is split in two, along the cell that makes the difference. So the abstraction becomes finer only where it matters, and the distance of the initial
//! state grows until the way can be followed, no way is left (then the goal is proved to be unreachable), or there are enough boxes.
//!
//! - [`abstraction`]: the boxes, the labels that lead from one to another, and splitting.
//! - [`clocks`]: lower bounds of clocks.
//! - [`refinement`]: the loop, with ways found by A* whose estimates are the distances found before.
//!
//! What is taken apart are the [labels](crate::factored) of the network; what is over-approximated there is so here, except for [`clocks`]: those that can be too large for something
//! have a cell that says how large they are at least. Differences of clocks are not known.
//!
//! **Additive.** A goal that is about several cells has an abstraction for each of them as well. Their distances are added up by *saturated cost partitioning*: each keeps
//! for every label only what its own distances need, and leaves the rest to the next. The estimate is the larger one: of the abstraction of the whole goal, or of the sum.

mod abstraction;
mod clocks;
mod options;
mod refinement;
#[cfg(test)]
mod tests;

use crate::factored::{Factored, System};
use crate::monotonicity::Layers;
use crate::{Estimate, Heuristic, Preparation};
use abstraction::Abstraction;
use clocks::Clocks;
use guidepost_answer::AbstractionProof;
use guidepost_explore::SymbolicState;
use guidepost_network::{ClockId, Goal, Network};
pub use options::CartesianOptions;
use refinement::refine;

/// What a look-up counts for, in units of effort: for every abstraction.
const LOOK_UP: u64 = 10;
/// Abstractions of single parts of the goal, at most.
const PARTS: usize = 16;

pub(crate) struct Cartesian {
    system: System,
    clocks: Clocks,
    /// The whole goal.
    whole: (Abstraction, Vec<u32>),
    /// Its parts, whose distances can be added up.
    parts: Vec<(Abstraction, Vec<u32>)>,
    numbers: Vec<u32>,
    look_ups: u64,
}

/// A distance that is none.
const UNREACHABLE: u32 = u32::MAX;

/// `cartesian`, or `hl` where the network has too many labels.
pub(crate) fn bind<'n>(
    network: &'n Network,
    goals: &[Goal],
    options: &CartesianOptions,
    preparation: &mut Preparation<'_>,
) -> Box<dyn Heuristic + 'n> {
    let factored = Factored::new(network, goals, preparation);
    match factored.and_then(|factored| Cartesian::new(network, goals, factored, options, preparation)) {
        Ok(cartesian) => Box::new(cartesian),
        Err(exceeded) => {
            preparation.note(format!("no Cartesian abstraction ({exceeded}); `hl` is used instead"));
            Box::new(Layers::new(network, goals, preparation.deadline()))
        }
    }
}

impl Cartesian {
    pub(crate) fn new(
        network: &Network,
        goals: &[Goal],
        mut factored: Factored,
        options: &CartesianOptions,
        preparation: &mut Preparation<'_>,
    ) -> Result<Self, crate::Exceeded> {
        let states =
            options.states.min(u32::try_from(preparation.budget().states).unwrap_or(u32::MAX)) as usize;
        let mut clocks = if options.clocks {
            Clocks::add_to(&mut factored, network, goals)
        } else {
            Clocks::none(&factored)
        };
        let (system, goals) = System::new(factored);
        let parts = match &goals[..] {
            [goal] if goal.len() > 1 && goal.len() <= PARTS => goal.len(),
            _ => 0,
        };
        let share = if parts == 0 { states } else { states.div_ceil(2) };
        let whole = refine(&system, goals.clone(), share, preparation)?;
        let unit = vec![1; system.labels.len()];
        let distances = whole.distances(&unit);
        clocks.heed_splits(&system, &whole);
        let mut cartesian = Self {
            numbers: Vec::new(),
            look_ups: 0,
            parts: Vec::new(),
            whole: (whole, distances),
            clocks,
            system,
        };
        cartesian.report(network, preparation);
        if parts > 0 && cartesian.initial() != UNREACHABLE {
            let mut abstractions = Vec::new();
            for part in &goals[0] {
                let goal = vec![vec![part.clone()]];
                abstractions.push(refine(&cartesian.system, goal, share / parts, preparation)?);
            }
            cartesian.share_costs(abstractions);
        }
        Ok(cartesian)
    }

    /// The distance of the initial state to the whole goal.
    fn initial(&self) -> u32 {
        self.whole.1[self.whole.0.state_of(&self.system.initial) as usize]
    }

    /// Each abstraction keeps of the costs what its distances need; those that tell most come first.
    fn share_costs(&mut self, mut abstractions: Vec<Abstraction>) {
        let mut costs = vec![1; self.system.labels.len()];
        let initial = |abstraction: &Abstraction| {
            abstraction.distances(&costs)[abstraction.state_of(&self.system.initial) as usize]
        };
        abstractions.sort_by_key(|abstraction| std::cmp::Reverse(initial(abstraction)));
        for abstraction in abstractions {
            let distances = abstraction.distances(&costs);
            for (left, needed) in costs.iter_mut().zip(abstraction.needed(&distances)) {
                *left -= needed.min(*left);
            }
            self.clocks.heed_splits(&self.system, &abstraction);
            self.parts.push((abstraction, distances));
        }
    }

    fn report(&self, network: &Network, preparation: &mut Preparation<'_>) {
        let states = self.whole.0.len();
        preparation.note(format!("Cartesian abstraction: {states} states"));
        if self.initial() == UNREACHABLE {
            let clocks = (1..network.clocks.len() as u32).map(ClockId);
            let clocks = clocks.filter(|&clock| self.clocks.is_ignored(clock));
            let clocks = clocks.map(|clock| network.clocks[clock.index()].name.clone());
            let variables = network
                .variables
                .iter()
                .enumerate()
                .filter(|(index, _)| self.system.cells.is_left_out(network.processes.len() + index));
            preparation.prove(AbstractionProof {
                kept_processes: network.processes.len(),
                processes: network.processes.len(),
                states: states as u64,
                hidden: clocks.chain(variables.map(|(_, variable)| variable.name.clone())).collect(),
            });
        }
    }
}

impl Heuristic for Cartesian {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        if !self.system.numbers(|cell| self.clocks.value(cell, state), &mut self.numbers) {
            return Estimate::ZERO;
        }
        self.look_ups += 1 + self.parts.len() as u64;
        let look_up = |(abstraction, distances): &(Abstraction, Vec<u32>)| {
            distances[abstraction.state_of(&self.numbers) as usize]
        };
        let whole = look_up(&self.whole);
        let sum = self.parts.iter().map(look_up).fold(0, u32::saturating_add);
        match whole.max(sum) {
            UNREACHABLE => Estimate::DEAD_END,
            steps => Estimate::steps(steps),
        }
    }

    fn is_discrete(&self) -> bool {
        !self.clocks.are_split()
    }

    fn effort(&self) -> u64 {
        LOOK_UP * self.look_ups
    }
}
