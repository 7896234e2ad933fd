//! Sets as binary decision diagrams, under limits.
//!
//! Every operation looks at the clock now and then and fails when the time is over, the user wants to stop, or there are more nodes than allowed. A single operation is never
//! interrupted: the number of nodes bounds how long it takes.

use guidepost_answer::{Deadline, Limits, StopReason};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::util::{AllocResult, OptBool};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager, ManagerRef,
    Subst, VarNo,
};
use std::cell::{Cell, RefCell};
use std::time::Instant;
use thiserror::Error;

/// A set of assignments. Equal sets are equal diagrams, so that comparing takes no time.
pub(crate) type Set = BCDDFunction;

/// Why something was not decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Stopped {
    /// The sets need more nodes than allowed.
    #[error("more than {0} nodes")]
    Nodes(usize),
    /// The time is over, or the user wants to stop.
    #[error("{}", .0.describe())]
    Limit(StopReason),
}

impl Stopped {
    /// The reason in the words of all engines: too many nodes are too much memory.
    #[must_use]
    pub fn reason(self) -> StopReason {
        match self {
            Stopped::Nodes(_) => StopReason::Memory,
            Stopped::Limit(reason) => reason,
        }
    }
}

/// The result of an operation on sets.
pub(crate) type Made<T = Set> = Result<T, Stopped>;

/// A node and its place in the table of all nodes take so many bytes.
const NODE_BYTES: usize = 24;
/// More would not help: what needs so many nodes needs ten times as many next.
const MOST_NODES: usize = 16_000_000;
/// Work that an operation stands for, in the units of [`Deadline`].
const WORK: u32 = 20;

/// The nodes, and the limits that hold for all of them.
pub(crate) struct Space {
    manager: BCDDManagerRef,
    deadline: RefCell<Deadline>,
    nodes: usize,
    operations: Cell<u64>,
    yes: Set,
    no: Set,
}

/// Variables by their numbers, and what they are replaced by.
pub(crate) type Renaming = Subst<Set>;

impl Space {
    /// A space for sets over some variables.
    pub(crate) fn new(variables: usize, limits: &Limits, nodes: Option<usize>) -> Self {
        let affordable = limits.memory.map_or(MOST_NODES, |bytes| bytes / NODE_BYTES);
        let nodes = nodes.unwrap_or(affordable.min(MOST_NODES)).clamp(1 << 10, 1 << 30);
        // Remembered results must be in proportion to the nodes, or large operations forget what they have done and take for ever.
        let cache = if variables < 64 { 1 << 14 } else { (nodes / 2).clamp(1 << 14, 1 << 22) };
        let manager = new_manager(nodes, cache.min(nodes), 1);
        manager.with_manager_exclusive(|manager| manager.add_vars(variables as VarNo));
        let (yes, no) = manager.with_manager_shared(|manager| (Set::t(manager), Set::f(manager)));
        let moment = limits.time.and_then(|time| Instant::now().checked_add(time));
        let deadline = RefCell::new(Deadline::new(moment, limits.interrupt.clone()));
        Self { manager, deadline, nodes, operations: Cell::new(0), yes, no }
    }

    /// Adds variables below all others.
    pub(crate) fn add_variables(&self, count: usize) -> std::ops::Range<VarNo> {
        self.manager.with_manager_exclusive(|manager| manager.add_vars(count as VarNo))
    }

    /// Everything.
    pub(crate) fn all(&self) -> Set {
        self.yes.clone()
    }

    /// Nothing.
    pub(crate) fn none(&self) -> Set {
        self.no.clone()
    }

    /// Whether there is still time.
    pub(crate) fn poll(&self) -> Made<()> {
        let mut deadline = self.deadline.borrow_mut();
        if !deadline.is_due(WORK) {
            return Ok(());
        }
        let reason = if deadline.is_interrupted() { StopReason::Interrupt } else { StopReason::Time };
        Err(Stopped::Limit(reason))
    }

    /// From now on the time ends no later than that, until it is put back.
    pub(crate) fn hurry(&self, moment: Instant) -> Deadline {
        let mut deadline = self.deadline.borrow_mut();
        let hurried = deadline.no_later_than(Some(moment));
        std::mem::replace(&mut *deadline, hurried)
    }

    /// The deadline as it was.
    pub(crate) fn put_back(&self, deadline: Deadline) {
        *self.deadline.borrow_mut() = deadline;
    }

    /// Runs an operation; where nodes are used up, what nobody needs any more goes first.
    fn run(&self, operation: impl Fn() -> AllocResult<Set>) -> Made {
        self.poll()?;
        self.operations.set(self.operations.get() + 1);
        if let Ok(set) = operation() {
            return Ok(set);
        }
        self.manager.with_manager_shared(|manager| manager.gc());
        operation().map_err(|_| Stopped::Nodes(self.nodes))
    }

    /// Operations so far.
    pub(crate) fn operations(&self) -> u64 {
        self.operations.get()
    }

    /// A variable is as said.
    pub(crate) fn literal(&self, variable: VarNo, value: bool) -> Made {
        self.run(|| {
            self.manager.with_manager_shared(|manager| {
                if value { Set::var(manager, variable) } else { Set::not_var(manager, variable) }
            })
        })
    }

    /// The variables, as quantifiers want them.
    pub(crate) fn cube(&self, variables: impl IntoIterator<Item = VarNo>) -> Made {
        let mut variables: Vec<VarNo> = variables.into_iter().collect();
        variables.sort_unstable();
        variables.dedup();
        let mut cube = self.all();
        for variable in variables.into_iter().rev() {
            cube = self.and(&self.literal(variable, true)?, &cube)?;
        }
        Ok(cube)
    }

    pub(crate) fn not(&self, set: &Set) -> Made {
        self.run(|| set.not())
    }

    pub(crate) fn and(&self, left: &Set, right: &Set) -> Made {
        self.run(|| left.and(right))
    }

    pub(crate) fn or(&self, left: &Set, right: &Set) -> Made {
        self.run(|| left.or(right))
    }

    /// Where both agree.
    pub(crate) fn equal(&self, left: &Set, right: &Set) -> Made {
        self.run(|| left.equiv(right))
    }

    /// The left without the right.
    pub(crate) fn minus(&self, left: &Set, right: &Set) -> Made {
        self.run(|| right.imp_strict(left))
    }

    /// Whether the left is part of the right.
    pub(crate) fn is_subset(&self, left: &Set, right: &Set) -> Made<bool> {
        Ok(self.minus(left, right)? == self.no)
    }

    /// Whether both have something in common.
    pub(crate) fn overlap(&self, left: &Set, right: &Set) -> Made<bool> {
        Ok(self.and(left, right)? != self.no)
    }

    /// `∃ variables. left ∧ right`.
    pub(crate) fn and_exists(&self, left: &Set, right: &Set, variables: &Set) -> Made {
        self.run(|| left.apply_exists(BooleanOperator::And, right, variables))
    }

    /// `∃ variables. set`.
    pub(crate) fn exists(&self, set: &Set, variables: &Set) -> Made {
        self.run(|| set.exists(variables))
    }

    /// `∀ variables. condition ⇒ set`.
    pub(crate) fn for_all(&self, condition: &Set, set: &Set, variables: &Set) -> Made {
        self.run(|| condition.apply_forall(BooleanOperator::Imp, set, variables))
    }

    /// What is left of a set where the literals of a cube hold.
    pub(crate) fn under(&self, set: &Set, cube: &Set) -> Made {
        self.run(|| set.restrict(cube))
    }

    pub(crate) fn rename(&self, set: &Set, renaming: &Renaming) -> Made {
        self.run(|| set.substitute(renaming))
    }

    /// Replaces each variable of the first list by that of the second.
    pub(crate) fn renaming(&self, from: &[VarNo], to: &[VarNo]) -> Made<Renaming> {
        let to = to.iter().map(|&variable| self.literal(variable, true)).collect::<Made<Vec<Set>>>()?;
        Ok(Subst::new(from.to_vec(), to))
    }
}

/// One assignment of a set that is not empty: a value for each variable that matters.
pub(crate) fn pick(set: &Set) -> Option<Vec<Option<bool>>> {
    let value = |value| match value {
        OptBool::True => Some(true),
        OptBool::False => Some(false),
        OptBool::None => None,
    };
    Some(set.pick_cube(|_, _, _| false)?.into_iter().map(value).collect())
}

/// How many nodes a set has.
pub(crate) fn size(set: &Set) -> usize {
    set.node_count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use biodivine_lib_bdd::{Bdd, BddVariableSet};

    /// A random expression, as two libraries see it.
    fn pair(
        space: &Space,
        other: &BddVariableSet,
        random: &mut impl FnMut() -> u32,
        depth: u32,
    ) -> (Set, Bdd) {
        if depth == 0 {
            let variable = random() % 8;
            let (ours, theirs) =
                (space.literal(variable, true).unwrap(), other.variables()[variable as usize]);
            return (ours, other.mk_var(theirs));
        }
        let (a, x) = pair(space, other, random, depth - 1);
        let (b, y) = pair(space, other, random, depth - 1);
        let quantified: Vec<u32> = (0..8).filter(|_| random().is_multiple_of(4)).collect();
        let theirs: Vec<_> =
            quantified.iter().map(|&variable| other.variables()[variable as usize]).collect();
        let cube = space.cube(quantified).unwrap();
        match random() % 6 {
            0 => (space.and(&a, &b).unwrap(), x.and(&y)),
            1 => (space.or(&a, &b).unwrap(), x.or(&y)),
            2 => (space.minus(&a, &b).unwrap(), x.and_not(&y)),
            3 => (space.not(&a).unwrap(), x.not()),
            4 => (space.and_exists(&a, &b, &cube).unwrap(), x.and(&y).exists(&theirs)),
            _ => (space.for_all(&a, &b, &cube).unwrap(), x.imp(&y).for_all(&theirs)),
        }
    }

    #[test]
    fn another_library_agrees() {
        let space = Space::new(8, &Limits::default(), None);
        let other = BddVariableSet::new_anonymous(8);
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as u32
        };
        for _ in 0..200 {
            let (ours, theirs) = pair(&space, &other, &mut random, 5);
            for point in 0..256u32 {
                let value = ours.eval((0..8).map(|variable| (variable, point >> variable & 1 == 1)));
                let point = (0..8).map(|variable| point >> variable & 1 == 1).collect();
                assert_eq!(value, theirs.eval_in(&biodivine_lib_bdd::BddValuation::new(point)));
            }
        }
    }

    #[test]
    fn too_many_nodes_are_a_value() {
        let space = Space::new(60, &Limits::default(), Some(1 << 10));
        // Pairs far apart: every subset of the first half is told apart.
        let mut set = space.all();
        let result = (0..30).try_for_each(|at| {
            let (one, other) = (space.literal(at, true)?, space.literal(at + 30, true)?);
            set = space.and(&set, &space.equal(&one, &other)?)?;
            Ok(())
        });
        assert_eq!(result, Err(Stopped::Nodes(1 << 10)));
        drop(set);
        // The space is still good for something, once what was dropped is collected, which happens beside it.
        let is_good = (0..200).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            space.literal(3, true).is_ok()
        });
        assert!(is_good);
    }

    #[test]
    fn time_and_the_user_end_it() {
        let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
        let space = Space::new(4, &limits, None);
        let mut polls = (0..100).map(|_| space.poll());
        assert!(polls.any(|poll| poll == Err(Stopped::Limit(StopReason::Time))));
    }
}
