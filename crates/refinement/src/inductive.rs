//! The coverage labels of a proof as a set of states that somebody else can check.
//!
//! Well-labelled means closed: whatever happens to a valuation of an expanded node's label leads into the label of a successor, and if that is covered, into the label of whoever covers it, which lies in the same
//! discrete state and is expanded. So the labels of the expanded nodes alone are a set that contains the initial state and all successors, by inclusion and without any simulation, and no goal
//! is in it. There is one label for every expanded node, so the set is as small as the proof.

use crate::data_labels::Data;
use crate::graph::NONE;
use crate::labels::Clocks;
use crate::lazy::{Builder, End};
use guidepost_answer::{ClockBound, Induction, InductiveSet, Limits, Progress, StopReason, Unsupported};
use guidepost_network::{Goal, Network};

/// Makes a set by lazy abstraction that contains all that can be reached and no goal. Goals about `deadlock` are not for it.
///
/// # Errors
/// When the network cannot be explored with zones.
pub fn inductive_labels<'n>(
    network: &'n Network,
    goals: &'n [Goal],
    limits: &Limits,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Induction<'n>, Unsupported> {
    debug_assert!(goals.iter().all(|goal| goal.deadlock.is_none()), "labels say nothing about deadlocks");
    let mut builder = Builder::new(network, goals, Clocks::Backward, Data::Exact)?;
    Ok(match builder.run(limits, observe).0 {
        End::Proved => Induction::Closed(Box::new(Labelled { builder })),
        End::Found(..) => Induction::Reached,
        End::Stopped(reason) => Induction::Stopped(reason),
        // Only whoever takes turns is paused.
        End::Paused => Induction::Stopped(StopReason::Incomplete),
        End::Failed(_, failure) => Induction::Failed(failure.error),
    })
}

/// A graph that is a proof.
struct Labelled<'n> {
    builder: Builder<'n>,
}

impl InductiveSet for Labelled<'_> {
    fn visit(&mut self, visit: &mut dyn FnMut(&[i32], &[ClockBound])) {
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
            visit(cells, &bounds);
        }
    }
}
