//! Guideposts: conditions that the user expects on the way (Yang, Dill: *Validation with Guided Search of the State Space*, 1998).
//!
//! Which of them a state has passed is a matter of its history: those of the state it was reached from, and those that it meets itself. States that have passed more
//! of them come first, whatever the search; where the first goal must be a nearest one, they only break ties. A guidepost is about locations and data. One that cannot be evaluated
//! in a state is not met there.
//!
//! A state that another one covers is dropped even if it has passed more guideposts. That may cost a detour, and no answer.

use guidepost_explore::{GoalTest, StateId, SymbolicState};
use guidepost_network::{Guidepost, Network};

/// Guideposts, and which of them states have passed.
pub(super) struct Guideposts<'n> {
    test: GoalTest<'n>,
    posts: Vec<Guidepost>,
    /// By state: a bit for every guidepost; nothing where there are none.
    passed: Vec<u64>,
}

impl<'n> Guideposts<'n> {
    /// No more than 64 are looked at.
    pub(super) fn new(network: &'n Network, posts: &[Guidepost]) -> Self {
        let posts = posts.iter().take(u64::BITS as usize).cloned().collect();
        Self { test: GoalTest::new(network), posts, passed: Vec::new() }
    }

    /// The next state was stored, reached from another one.
    pub(super) fn arrive(&mut self, state: &SymbolicState, from: Option<StateId>) {
        if self.posts.is_empty() {
            return;
        }
        let mut passed = from.map_or(0, |from| self.passed[from.index()]);
        for (place, post) in self.posts.iter().enumerate() {
            let test = &mut self.test;
            if passed >> place & 1 == 0
                && post.goals.iter().any(|goal| test.admits_data(goal, state).unwrap_or(false))
            {
                passed |= 1 << place;
            }
        }
        self.passed.push(passed);
    }

    /// How many guideposts a state has not passed.
    pub(super) fn missing(&self, id: StateId) -> u32 {
        if self.posts.is_empty() {
            return 0;
        }
        self.posts.len() as u32 - self.passed[id.index()].count_ones()
    }

    /// Memory in use.
    pub(super) fn bytes(&self) -> usize {
        self.passed.capacity() * size_of::<u64>()
    }
}
