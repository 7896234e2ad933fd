//! From nodes to replayed runs.

use crate::graph::{Graph, NONE};
use guidepost_answer::{Evidence, InternalError, RunEnding};
use guidepost_explore::{ClockDifference, Explorer, PathStep};

/// A replayed run along the path to a node, such that some constraints hold at its end.
pub(crate) fn evidence(
    graph: &Graph,
    node: u32,
    finally: &[ClockDifference],
    explorer: &mut Explorer<'_>,
) -> Result<Evidence, InternalError> {
    explorer.run_along(&path(graph, node), finally, false, RunEnding::Goal)
}

/// A replayed run along the numbers of successors, see [`Explorer::path`], such that some constraints hold at its end.
pub(crate) fn replayed(
    ordinals: &[u32],
    finally: &[ClockDifference],
    explorer: &mut Explorer<'_>,
) -> Result<Evidence, InternalError> {
    let path = explorer.path(ordinals)?;
    explorer.run_along(&path, finally, false, RunEnding::Goal)
}

/// The transitions to a node.
pub(crate) fn path(graph: &Graph, node: u32) -> Vec<PathStep> {
    let above = |&node: &u32| Some(graph.nodes[node as usize].parent).filter(|&parent| parent != NONE);
    let mut path: Vec<PathStep> = std::iter::successors(Some(node), above)
        .filter(|&node| graph.nodes[node as usize].parent != NONE)
        .map(|node| {
            let operation = graph.operation(node);
            let restriction = if operation.is_split { operation.guard.to_vec() } else { Vec::new() };
            PathStep { edges: operation.edges.to_vec(), restriction, renaming: None }
        })
        .collect();
    path.reverse();
    path
}
