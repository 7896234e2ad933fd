//! `te`: target enlargement (Yang, Dill: *Validation with Guided Search of the State Space*, 1998).
//!
//! Before the search, go back from the goal: which states lead to it in one step, in two, in k? What is found is a larger target, and easier to hit. A state in it knows its way: its estimate
//! is the exact number of steps, as far as locations and data go, and a search that takes the smallest estimate first completes it forward to the goal. Everything else is more
//! than k steps away. So the estimate is admissible, and it is sharp where others are vague: near the goal.
//!
//! Sets of states are boxes, a set of values for each cell; a step back through a [label](crate::factored) makes a box of a box, exactly. Boxes that others contain are left
//! out. If no new ones appear, the target is complete and all other states are dead ends. Cells that are [hidden](TargetOptions::hidden) may have any value in every box, which makes
//! boxes larger and fewer, and distances smaller.

use crate::arguments::SpecError;
use crate::factored::{Factored, System};
use crate::monotonicity::Layers;
use crate::{Estimate, Exceeded, Heuristic, Preparation};
use guidepost_abstraction::regression::mask;
use guidepost_abstraction::{Symbol, symbols_named};
use guidepost_answer::Arguments;
use guidepost_explore::SymbolicState;
use guidepost_network::{Goal, Network};
use std::fmt;

/// Boxes in all.
const BOXES: usize = 4096;
/// Boxes that are looked at in a unit of effort.
const BOXES_PER_UNIT: u64 = 2;

/// The options of target enlargement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TargetOptions {
    /// `k`: so many steps back.
    pub steps: u32,
    /// Names of processes and variables that may have any value.
    pub hidden: Vec<String>,
}

impl TargetOptions {
    /// What is taken when nothing is said.
    pub const DEFAULT: Self = Self { steps: 5, hidden: Vec::new() };

    pub(crate) fn read(arguments: &mut Arguments) -> Result<Self, SpecError> {
        let steps = arguments.option("k")?.unwrap_or(Self::DEFAULT.steps);
        Ok(Self { steps, hidden: arguments.words() })
    }
}

/// Options that are not the usual ones, in parentheses.
impl fmt::Display for TargetOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = (self.steps != Self::DEFAULT.steps).then(|| format!("k={}", self.steps));
        let parts: Vec<String> = steps.into_iter().chain(self.hidden.iter().cloned()).collect();
        if parts.is_empty() { Ok(()) } else { write!(f, "({})", parts.join(",")) }
    }
}

/// `te`, or `hl` where the network has too many labels.
pub(crate) fn bind<'n>(
    network: &'n Network,
    goals: &[Goal],
    options: &TargetOptions,
    preparation: &mut Preparation<'_>,
) -> Box<dyn Heuristic + 'n> {
    match Target::new(network, goals, options, preparation) {
        Ok(target) => Box::new(target),
        Err(exceeded) => {
            preparation.note(format!("no enlarged target ({exceeded}); `hl` is used instead"));
            Box::new(Layers::new(network, goals, preparation.deadline()))
        }
    }
}

/// The cells of which a box does not have all values, with those that it has.
type Sides = Vec<(u32, Vec<u64>)>;

pub(crate) struct Target {
    system: System,
    /// All boxes, by ascending distance.
    boxes: Vec<(u32, Sides)>,
    /// The distance of everything else.
    beyond: Estimate,
    numbers: Vec<u32>,
    looked_at: u64,
}

impl Target {
    fn new(
        network: &Network,
        goals: &[Goal],
        options: &TargetOptions,
        preparation: &mut Preparation<'_>,
    ) -> Result<Self, Exceeded> {
        let (system, goals) = System::new(Factored::new(network, goals, preparation)?);
        let mut enlargement = Enlargement::new(&system, &hidden(network, &options.hidden));
        enlargement.add_all(goals);
        let mut layer = 0..enlargement.boxes.len();
        let mut steps = 0;
        let mut beyond = Estimate::DEAD_END;
        while !layer.is_empty() {
            if steps == options.steps {
                beyond = Estimate::steps(steps + 1);
                break;
            }
            let end = layer.end;
            if !enlargement.go_back(layer.clone(), steps + 1, preparation)? {
                // What is incomplete is worth nothing: a box that is missing may contain what others do not.
                enlargement.boxes.truncate(end);
                beyond = Estimate::steps(steps + 1);
                break;
            }
            layer = end..enlargement.boxes.len();
            steps += 1;
        }
        let boxes = enlargement.boxes;
        preparation.note(format!("target: {} boxes within {steps} steps", boxes.len()));
        Ok(Self { system, boxes, beyond, numbers: Vec::new(), looked_at: 0 })
    }
}

impl Heuristic for Target {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        if !self.system.numbers(|cell| state.cells[cell], &mut self.numbers) {
            return Estimate::ZERO;
        }
        let numbers = &self.numbers;
        let contains = |(cell, values): &(u32, Vec<u64>)| mask::has(values, numbers[*cell as usize] as usize);
        let found = self.boxes.iter().position(|(_, sides)| sides.iter().all(contains));
        self.looked_at += found.unwrap_or(self.boxes.len()) as u64 + 1;
        found.map_or(self.beyond, |place| Estimate::steps(self.boxes[place].0))
    }

    fn effort(&self) -> u64 {
        self.looked_at / BOXES_PER_UNIT
    }
}

/// The cells of the symbols with these names.
fn hidden(network: &Network, names: &[String]) -> Vec<usize> {
    let cell = |symbol: &Symbol| match symbol {
        Symbol::Process(process) => Some(process.index()),
        Symbol::Variable(variable) => Some(network.processes.len() + variable.index()),
        Symbol::Clock(_) | Symbol::Channel(_) => None,
    };
    names.iter().flat_map(|name| symbols_named(network, name)).filter_map(|symbol| cell(&symbol)).collect()
}

/// Boxes that are being found.
struct Enlargement<'s> {
    system: &'s System,
    everything: Vec<u64>,
    /// By kept cell: whether it may have any value.
    is_hidden: Vec<bool>,
    /// By kept cell: the labels that change it.
    writers: Vec<Vec<u32>>,
    boxes: Vec<(u32, Sides)>,
}

impl<'s> Enlargement<'s> {
    fn new(system: &'s System, hidden: &[usize]) -> Self {
        let mut writers = vec![Vec::new(); system.kept.len()];
        for (label, data) in (0..).zip(&system.labels) {
            for (cell, relation) in &data.relations {
                if relation.iter().any(|(from, to)| from != to) {
                    writers[*cell as usize].push(label);
                }
            }
        }
        let is_hidden = system.kept.iter().map(|cell| hidden.contains(cell)).collect();
        Self { system, everything: system.everything(), is_hidden, writers, boxes: Vec::new() }
    }

    /// Adds the goals themselves.
    fn add_all(&mut self, goals: Vec<Sides>) {
        for goal in goals {
            self.add(0, goal);
        }
    }

    /// Adds a box unless another one contains it.
    fn add(&mut self, distance: u32, mut sides: Sides) {
        let all = |cell: u32| self.system.values(&self.everything, cell);
        sides.retain(|(cell, values)| !self.is_hidden[*cell as usize] && values != all(*cell));
        let contains = |(_, others): &(u32, Sides)| {
            others.iter().all(|(cell, values)| {
                let at = sides.binary_search_by_key(cell, |(cell, _)| *cell);
                at.is_ok_and(|at| mask::is_subset(&sides[at].1, values))
            })
        };
        if !self.boxes.iter().any(contains) {
            self.boxes.push((distance, sides));
        }
    }

    /// Goes one step back from some boxes; says whether that was completed.
    fn go_back(
        &mut self,
        layer: std::ops::Range<usize>,
        distance: u32,
        preparation: &mut Preparation<'_>,
    ) -> Result<bool, Exceeded> {
        for place in layer {
            let sides = self.boxes[place].1.clone();
            let mut labels: Vec<u32> =
                sides.iter().flat_map(|(cell, _)| &self.writers[*cell as usize]).copied().collect();
            labels.sort_unstable();
            labels.dedup();
            for label in labels {
                if let Some(before) = self.before(label, &sides) {
                    self.add(distance, before);
                }
            }
            match preparation.check("enlarged target", self.boxes.len() as u64, 0) {
                Err(Exceeded::Interrupt) => return Err(Exceeded::Interrupt),
                Err(_) => {
                    preparation.recover();
                    return Ok(false);
                }
                Ok(()) if self.boxes.len() > BOXES => return Ok(false),
                Ok(()) => {}
            }
        }
        Ok(true)
    }

    /// The states from which a label leads into a box.
    fn before(&self, label: u32, sides: &Sides) -> Option<Sides> {
        let label = &self.system.labels[label as usize];
        let mut before: Sides = Vec::new();
        for (cell, relation) in &label.relations {
            let all = self.system.values(&self.everything, *cell);
            let at = sides.binary_search_by_key(cell, |(cell, _)| *cell);
            let after = at.map_or(all, |at| &sides[at].1);
            let mut values = vec![0; all.len()];
            for &(from, to) in relation {
                if mask::has(after, to as usize) {
                    mask::insert(&mut values, from as usize);
                }
            }
            if mask::count(&values) == 0 {
                return None;
            }
            before.push((*cell, values));
        }
        before.extend(sides.iter().filter(|(cell, _)| label.relation(*cell).is_none()).cloned());
        before.sort_unstable_by_key(|(cell, _)| *cell);
        Some(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_networks::{compiled, distances};

    const MODEL: &str = "int[0,3] x; int[0,2] y; chan c; process P() { state A, B, C, D; init A; trans
        A -> B { assign x++; }, A -> C { assign y++; }, B -> A { guard x < 3; }, C -> A { guard y < 2; },
        B -> D { guard x + y > 2; sync c!; }, C -> D { guard x > 0; }; }
        process Q() { state A, B, C; init A; trans A -> B { guard x > 1; }, A -> C { guard y == 2; }, B -> C { sync c?; }; } system P, Q;";

    fn target(network: &Network, goals: &[Goal], steps: u32, hidden: &[&str]) -> Target {
        let hidden = hidden.iter().map(|&name| name.to_owned()).collect();
        let options = TargetOptions { steps, hidden };
        Target::new(network, goals, &options, &mut Preparation::default()).expect("a small network")
    }

    #[test]
    fn within_the_target_distances_are_exact() {
        let (network, goals) = compiled(MODEL, "E<> Q.C && P.D || x == 3 && y == 1");
        let all = distances(&network, &goals);
        for steps in [0, 1, 2, 3, 20] {
            let mut target = target(&network, &goals, steps, &[]);
            for (state, distance) in &all {
                let expected = match distance {
                    Some(distance) => Estimate::steps((*distance).min(steps + 1)),
                    None if steps == 20 => Estimate::DEAD_END,
                    None => Estimate::steps(steps + 1),
                };
                let estimate = target.estimate(state);
                assert!(estimate == expected || distance.is_none(), "{estimate} instead of {expected}");
            }
        }
    }

    #[test]
    fn what_is_hidden_makes_distances_smaller() {
        let (network, goals) = compiled(MODEL, "E<> Q.C && P.D");
        let all = distances(&network, &goals);
        let (mut whole, mut part) =
            (target(&network, &goals, 20, &[]), target(&network, &goals, 20, &["x", "P"]));
        for (state, distance) in &all {
            assert!(part.estimate(state) <= whole.estimate(state));
            assert!(distance.is_none_or(|distance| part.estimate(state) <= Estimate::steps(distance)));
        }
    }

    /// A goal without any condition is everywhere.
    #[test]
    fn everything_is_a_goal() {
        let (network, goals) = compiled(MODEL, "E<> true");
        let mut target = target(&network, &goals, 5, &[]);
        assert!(
            distances(&network, &goals).iter().all(|(state, _)| target.estimate(state) == Estimate::ZERO)
        );
    }
}
