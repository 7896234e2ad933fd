//! The coverage labels of a proof as a set of states that somebody else can check.
//!
//! Well-labelled means closed: whatever happens to a valuation of an expanded node's label leads into the label of a successor, and if that is covered, into the label of whoever covers it, which lies in the same
//! discrete state and is expanded. So the labels of the expanded nodes alone are a set that contains the initial state and all successors, by inclusion and without any simulation, and no goal
//! is in it. There is one label for every expanded node, so the set is as small as the proof.

use crate::data_labels::Data;
use crate::graph::NONE;
use crate::labels::Clocks;
use crate::lazy::{Builder, End};
use guidepost_answer::{
    Inducing, Induction, InductiveSet, Limits, Progress, StopReason, Unsupported, VisitStates,
};
use guidepost_network::{Goal, Network};
use std::time::Instant;

/// Makes a set by lazy abstraction that contains all that can be reached and no goal.
pub struct InductiveLabels<'n> {
    /// `None` when it is over.
    builder: Option<Builder<'n>>,
    limits: Limits,
    begin: Instant,
}

impl<'n> InductiveLabels<'n> {
    /// Nothing is labelled yet. Goals about `deadlock` are not for it.
    ///
    /// # Errors
    /// When the network cannot be explored with zones.
    pub fn new(network: &'n Network, goals: &'n [Goal], limits: &Limits) -> Result<Self, Unsupported> {
        debug_assert!(goals.iter().all(|goal| goal.deadlock.is_none()), "labels say nothing about deadlocks");
        let builder = Builder::new(network, goals, Clocks::Backward, Data::Exact)?;
        Ok(Self { builder: Some(builder), limits: limits.clone(), begin: Instant::now() })
    }
}

impl<'n> Inducing<'n> for InductiveLabels<'n> {
    fn advance(
        &mut self,
        effort: u64,
        beside: usize,
        observe: &mut (dyn FnMut(&Progress) + Send),
    ) -> Option<Induction<'n>> {
        let mut builder = self.builder.take()?;
        let left = self.limits.left_since(self.begin);
        let limits = Limits { memory: left.memory.map(|memory| memory.saturating_sub(beside)), ..left };
        builder.allowance = effort;
        Some(match builder.run(&limits, observe).0 {
            End::Proved => Induction::Closed(Box::new(Labelled { builder })),
            End::Found(..) => Induction::Reached,
            End::Stopped(reason) => Induction::Stopped(reason),
            End::Paused => {
                self.builder = Some(builder);
                return None;
            }
            End::Failed(_, failure) => Induction::Failed(failure.error),
        })
    }

    fn bytes(&self) -> usize {
        self.builder.as_ref().map_or(0, Builder::bytes)
    }
}

/// As [`InductiveLabels`], without a pause.
///
/// # Errors
/// When the network cannot be explored with zones.
pub fn inductive_labels<'n>(
    network: &'n Network,
    goals: &'n [Goal],
    limits: &Limits,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Induction<'n>, Unsupported> {
    let made = InductiveLabels::new(network, goals, limits)?.advance(u64::MAX, 0, observe);
    Ok(made.unwrap_or(Induction::Stopped(StopReason::Incomplete)))
}

/// A graph that is a proof.
struct Labelled<'n> {
    builder: Builder<'n>,
}

impl InductiveSet for Labelled<'_> {
    fn visit(&mut self, visit: &mut VisitStates<'_>) {
        let Builder { graph, cells, .. } = &mut self.builder;
        let (mut minimal, mut bounds) = (Vec::new(), Vec::new());
        for node in (0..graph.nodes.len() as u32).filter(|&node| graph.nodes[node as usize].coverer == NONE) {
            graph.cells(graph.nodes[node as usize].part, cells);
            graph.label_zone(node).to_zone().minimal_form(&mut minimal);
            let clocks = &graph.setting(node).clocks;
            bounds.clear();
            bounds.extend(minimal.iter().map(|constraint| {
                let (left, right) = (clocks[constraint.left as usize], clocks[constraint.right as usize]);
                (left, right, constraint.bound.constant(), constraint.bound.is_strict())
            }));
            visit(cells, &bounds, 0);
        }
    }
}
