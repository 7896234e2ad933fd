//! Splitting boxes until a shortest way of boxes can be followed.

use super::UNREACHABLE;
use super::abstraction::{Abstraction, Arc};
use crate::factored::{Part, System};
use crate::{Exceeded, Preparation};
use guidepost_abstraction::regression::mask;

/// The clock is looked at, and those who watch are told, once in so many splits.
const SPLITS: usize = 64;
/// An abstraction may ask so often whether a label leads from one box to another: some seconds.
const QUESTIONS: u64 = 1 << 28;

/// Refines an abstraction until it has so many states, its shortest way can be followed, or there is none. What does not last is used as it is.
pub(super) fn refine(
    system: &System,
    goals: Vec<Vec<Part>>,
    states: usize,
    preparation: &mut Preparation<'_>,
) -> Result<Abstraction, Exceeded> {
    let mut abstraction = Abstraction::new(system, goals);
    let mut ways = Ways::default();
    while abstraction.len() < states && abstraction.asked < QUESTIONS {
        let Some(way) = ways.shortest(&abstraction, system) else { break };
        let Some(flaw) = flaw(&abstraction, system, &way) else { break };
        let new = abstraction.split(system, flaw.state, flaw.cell, &flaw.values);
        ways.split(flaw.state, new);
        if abstraction.len().is_multiple_of(SPLITS)
            && let Err(exceeded) =
                preparation.check("Cartesian abstraction", abstraction.len() as u64, abstraction.bytes())
        {
            if exceeded == Exceeded::Interrupt {
                return Err(exceeded);
            }
            preparation.recover();
            break;
        }
    }
    Ok(abstraction)
}

/// A cell and values that make the difference between the real state and those that could go on.
struct Flaw {
    state: u32,
    cell: u32,
    values: Vec<u64>,
}

/// Follows a way with real values; says where it fails first.
fn flaw(abstraction: &Abstraction, system: &System, way: &[(u32, Arc)]) -> Option<Flaw> {
    let mut numbers = system.initial.clone();
    for &(from, arc) in way {
        debug_assert_eq!(abstraction.state_of(&numbers), from, "the real state is in the box");
        let goes_on = |cell: u32, number: u32| {
            let to = system.values(abstraction.values(arc.other), cell);
            match system.labels[arc.label as usize].relation(cell) {
                None => mask::has(to, number as usize),
                Some(pairs) => {
                    pairs.iter().any(|&(one, other)| one == number && mask::has(to, other as usize))
                }
            }
        };
        let flaw = fails(abstraction, system, &numbers, goes_on, |cell| {
            let box_values = system.values(abstraction.values(from), cell);
            let to = system.values(abstraction.values(arc.other), cell);
            going_on(system, arc.label, cell, box_values, to)
        });
        if let Some((cell, values)) = flaw {
            return Some(Flaw { state: from, cell, values });
        }
        for (cell, relation) in &system.labels[arc.label as usize].relations {
            let to = system.values(abstraction.values(arc.other), *cell);
            let at = &mut numbers[*cell as usize];
            let next = relation.iter().find(|&&(from, next)| from == *at && mask::has(to, next as usize));
            *at = next.expect("a value that can go on").1;
        }
    }
    let last = way.last().map_or_else(|| abstraction.state_of(&numbers), |(_, arc)| arc.other);
    let is_met = |(cell, wanted): &Part| mask::has(wanted, numbers[*cell as usize] as usize);
    if abstraction.goals.iter().any(|goal| goal.iter().all(is_met)) {
        return None;
    }
    // The first goal that the box seems to be.
    let goal = abstraction.goals.iter().find(|goal| {
        goal.iter()
            .all(|(cell, wanted)| !mask::is_disjoint(system.values(abstraction.values(last), *cell), wanted))
    })?;
    let wanted = |cell: u32| goal.iter().find(|(wanted, _)| *wanted == cell).map(|(_, values)| values);
    let goes_on =
        |cell: u32, number: u32| wanted(cell).is_none_or(|values| mask::has(values, number as usize));
    let flaw = fails(abstraction, system, &numbers, goes_on, |cell| {
        let mut values = system.values(abstraction.values(last), cell).to_vec();
        if let Some(wanted) = wanted(cell) {
            mask::intersect(&mut values, wanted);
        }
        values
    });
    flaw.map(|(cell, values)| Flaw { state: last, cell, values })
}

/// The values of a cell in a box from which a label leads into another one.
fn going_on(system: &System, label: u32, cell: u32, from: &[u64], to: &[u64]) -> Vec<u64> {
    match system.labels[label as usize].relation(cell) {
        None => {
            let mut values = from.to_vec();
            mask::intersect(&mut values, to);
            values
        }
        Some(pairs) => {
            let mut values = vec![0; from.len()];
            for &(one, other) in pairs {
                if mask::has(from, one as usize) && mask::has(to, other as usize) {
                    mask::insert(&mut values, one as usize);
                }
            }
            values
        }
    }
}

/// A cell whose real value is not among those that could go on: the one of which least is left already, since that is where the abstraction is becoming precise.
fn fails(
    abstraction: &Abstraction,
    system: &System,
    numbers: &[u32],
    goes_on: impl Fn(u32, u32) -> bool,
    going_on: impl Fn(u32) -> Vec<u64>,
) -> Option<(u32, Vec<u64>)> {
    let state = abstraction.state_of(numbers);
    let mut best: Option<(u64, u32)> = None;
    for cell in 0..numbers.len() as u32 {
        if goes_on(cell, numbers[cell as usize]) {
            continue;
        }
        let left = mask::count(system.values(abstraction.values(state), cell)) as u64;
        // Parts of a thousand that are left.
        let share = 1000 * left / u64::from(system.sizes[cell as usize]);
        if best.is_none_or(|(known, _)| share < known) {
            best = Some((share, cell));
        }
    }
    best.map(|(_, cell)| {
        let values = going_on(cell);
        debug_assert!(mask::count(&values) > 0 && !mask::has(&values, numbers[cell as usize] as usize));
        (cell, values)
    })
}

/// Shortest ways, found by A*: what was a lower bound of a distance stays one when boxes are split.
#[derive(Default)]
struct Ways {
    /// By box: at least so many steps lead to a goal.
    bounds: Vec<u32>,
    /// By box: the steps to it in the search of this number.
    steps: Vec<(u32, u32)>,
    before: Vec<(u32, Arc)>,
    search: u32,
    /// Boxes that wait, by steps and bound together.
    open: Vec<Vec<(u32, u32)>>,
    closed: Vec<u32>,
}

impl Ways {
    /// A box was split: whatever was known of it is true of both parts.
    fn split(&mut self, state: u32, new: u32) {
        debug_assert_eq!(self.bounds.len(), new as usize);
        self.bounds.push(self.bounds[state as usize]);
    }

    /// A way from the initial state to a goal, as boxes with the arcs by which they are left; `None` if there is none.
    fn shortest(&mut self, abstraction: &Abstraction, system: &System) -> Option<Vec<(u32, Arc)>> {
        let nobody = Arc { label: u32::MAX, other: u32::MAX };
        self.bounds.resize(abstraction.len(), 0);
        self.steps.resize(abstraction.len(), (0, 0));
        self.before.resize(abstraction.len(), (u32::MAX, nobody));
        self.search += 1;
        self.closed.clear();
        self.open.iter_mut().for_each(Vec::clear);
        let initial = abstraction.state_of(&system.initial);
        self.reach(initial, 0, 0, (u32::MAX, nobody));
        let mut value = 0;
        while value < self.open.len() {
            let Some((state, steps)) = self.open[value].pop() else {
                value += 1;
                continue;
            };
            if self.steps[state as usize] != (self.search, steps) {
                continue;
            }
            if abstraction.is_goal[state as usize] {
                self.learn(value as u32);
                return Some(self.way_to(state));
            }
            self.closed.push(state);
            for &arc in &abstraction.outgoing[state as usize] {
                self.reach(arc.other, steps + 1, value, (state, arc));
            }
        }
        self.learn(UNREACHABLE);
        None
    }

    /// A box is reached; no way through the one before has less than the value.
    fn reach(&mut self, state: u32, steps: u32, value: usize, before: (u32, Arc)) {
        let (search, known) = self.steps[state as usize];
        if self.bounds[state as usize] == UNREACHABLE || (search == self.search && known <= steps) {
            return;
        }
        self.steps[state as usize] = (self.search, steps);
        self.before[state as usize] = before;
        let value = value.max((steps + self.bounds[state as usize]) as usize);
        while self.open.len() <= value {
            self.open.push(Vec::new());
        }
        self.open[value].push((state, steps));
    }

    /// Every way through a box that was looked at has at least so many steps.
    fn learn(&mut self, length: u32) {
        for &state in &self.closed {
            let steps = self.steps[state as usize].1;
            let bound = if length == UNREACHABLE { UNREACHABLE } else { length.saturating_sub(steps) };
            self.bounds[state as usize] = self.bounds[state as usize].max(bound);
        }
    }

    fn way_to(&self, goal: u32) -> Vec<(u32, Arc)> {
        let mut way = Vec::new();
        let mut state = goal;
        while self.before[state as usize].0 != u32::MAX {
            let before = self.before[state as usize];
            way.push(before);
            state = before.0;
        }
        way.reverse();
        way
    }
}
