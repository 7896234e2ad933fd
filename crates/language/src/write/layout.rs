//! A drawing for templates that have none.
//!
//! Up to twelve locations stand on a circle, more on a grid, both in the order a breadth-first walk from the initial location
//! meets them, so that neighbours stay close. Everything snaps to multiples of 17, the grid of UPPAAL's editor. Labels stand at the middle
//! of their edge, one below the other; parallel edges and loops get nails so that they do not cover each other.
//! What the author has placed is never moved.

use crate::syntax::{Edge, LabelKind, Location, Node, Point, Template};
use std::collections::VecDeque;

const STEP: i32 = 17;
/// Distance between neighbours on the grid and, roughly, on the circle.
const SPACING: i32 = 12 * STEP;
const ON_A_CIRCLE: usize = 12;

/// Fills in the positions that a template lacks.
pub(super) fn place(template: &mut Template) {
    let drawn = template.locations.iter().any(|location| location.drawing.at.is_some());
    if drawn {
        place_leftovers(template);
        return;
    }
    let order = walk(template);
    let spots = spots(order.len());
    for (&node, &spot) in order.iter().zip(&spots) {
        *position_of(template, node) = Some(spot);
    }
    template.locations.iter_mut().for_each(place_location_labels);
    place_edges(template);
}

fn position_of(template: &mut Template, node: Node) -> &mut Option<Point> {
    match node {
        Node::Location(index) => &mut template.locations[index].drawing.at,
        Node::Branchpoint(index) => &mut template.branchpoints[index].drawing.at,
    }
}

/// The few nodes without a position in a template that is otherwise drawn go to a row below it.
fn place_leftovers(template: &mut Template) {
    let points = template.locations.iter().filter_map(|location| location.drawing.at);
    let (left, below) = points.fold((i32::MAX, i32::MIN), |(x, y), p| (x.min(p.x), y.max(p.y)));
    let mut next = Point { x: left, y: below.saturating_add(SPACING) };
    for node in nodes(template) {
        let position = position_of(template, node);
        if position.is_none() {
            *position = Some(next);
            next.x = next.x.saturating_add(SPACING);
        }
    }
}

fn nodes(template: &Template) -> Vec<Node> {
    let locations = (0..template.locations.len()).map(Node::Location);
    locations.chain((0..template.branchpoints.len()).map(Node::Branchpoint)).collect()
}

/// All nodes, breadth first from the initial location, then the unreachable ones.
fn walk(template: &Template) -> Vec<Node> {
    let all = nodes(template);
    let index = |node: Node| match node {
        Node::Location(at) => at,
        Node::Branchpoint(at) => template.locations.len() + at,
    };
    let mut met = vec![false; all.len()];
    let mut order = Vec::with_capacity(all.len());
    let starts = template.init.map(Node::Location).into_iter().chain(all.iter().copied());
    for start in starts {
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            if std::mem::replace(&mut met[index(node)], true) {
                continue;
            }
            order.push(node);
            queue.extend(template.edges.iter().filter(|edge| edge.source == node).map(|edge| edge.target));
        }
    }
    order
}

fn spots(count: usize) -> Vec<Point> {
    if count <= 1 {
        return vec![Point { x: 0, y: 0 }; count];
    }
    if count <= ON_A_CIRCLE {
        let radius = (f64::from(SPACING) / 2.0 / (std::f64::consts::PI / count as f64).sin()).max(100.0);
        let at = |index: usize| std::f64::consts::TAU * index as f64 / count as f64 - std::f64::consts::PI;
        return (0..count).map(|i| snapped(radius * at(i).cos(), radius * at(i).sin())).collect();
    }
    let columns = (count as f64).sqrt().ceil() as usize;
    let spot =
        |index: usize| Point { x: (index % columns) as i32 * SPACING, y: (index / columns) as i32 * SPACING };
    (0..count).map(spot).collect()
}

fn snapped(x: f64, y: f64) -> Point {
    let snap = |value: f64| (value / f64::from(STEP)).round() as i32 * STEP;
    Point { x: snap(x), y: snap(y) }
}

fn place_location_labels(location: &mut Location) {
    let Some(at) = location.drawing.at else { return };
    let labels = &mut location.drawing.labels;
    labels.push((LabelKind::Name, Point { x: at.x - STEP, y: at.y - 2 * STEP }));
    if location.invariant.is_some() {
        labels.push((LabelKind::Invariant, Point { x: at.x - STEP, y: at.y + STEP }));
    }
    if location.exponential_rate.is_some() {
        labels.push((LabelKind::ExponentialRate, Point { x: at.x - STEP, y: at.y + 2 * STEP }));
    }
}

fn place_edges(template: &mut Template) {
    for index in 0..template.edges.len() {
        let (from, to) = (template.edges[index].source, template.edges[index].target);
        let rank = template.edges[..index].iter().filter(|edge| joins(edge, from, to)).count();
        let shared = template.edges.iter().filter(|edge| joins(edge, from, to)).count();
        let (Some(start), Some(end)) = (*position_of(template, from), *position_of(template, to)) else {
            continue;
        };
        let edge = &mut template.edges[index];
        let middle =
            if from == to { bend_loop(edge, start, rank) } else { bend(edge, start, end, rank, shared) };
        place_edge_labels(edge, middle);
    }
}

fn joins(edge: &Edge, from: Node, to: Node) -> bool {
    (edge.source, edge.target) == (from, to) || (edge.source, edge.target) == (to, from)
}

/// A loop leaves to the upper left and comes back from the upper right; further loops are larger.
fn bend_loop(edge: &mut Edge, at: Point, rank: usize) -> Point {
    let size = (2 + rank as i32) * STEP;
    edge.drawing.nails =
        vec![Point { x: at.x - size, y: at.y + 2 * size }, Point { x: at.x + size, y: at.y + 2 * size }];
    Point { x: at.x - size, y: at.y + 2 * size }
}

/// Edges between the same two nodes are fanned out; a single edge is straight.
fn bend(edge: &mut Edge, start: Point, end: Point, rank: usize, shared: usize) -> Point {
    let middle = (f64::from(start.x + end.x) / 2.0, f64::from(start.y + end.y) / 2.0);
    let offset = (rank as f64 - (shared as f64 - 1.0) / 2.0) * 3.0 * f64::from(STEP);
    if offset == 0.0 {
        return snapped(middle.0, middle.1);
    }
    // The direction is that of the pair, not of the edge, so that opposite edges bend to opposite sides.
    let (low, high) = if (start.x, start.y) <= (end.x, end.y) { (start, end) } else { (end, start) };
    let (dx, dy) = (f64::from(high.x - low.x), f64::from(high.y - low.y));
    let length = dx.hypot(dy).max(1.0);
    let nail = snapped(middle.0 - dy / length * offset, middle.1 + dx / length * offset);
    edge.drawing.nails = vec![nail];
    nail
}

fn place_edge_labels(edge: &mut Edge, middle: Point) {
    let present = [
        (LabelKind::Select, !edge.select.is_empty()),
        (LabelKind::Guard, edge.guard.is_some()),
        (LabelKind::Synchronisation, edge.sync.is_some()),
        (LabelKind::Assignment, !edge.update.is_empty()),
        (LabelKind::Probability, edge.probability.is_some()),
    ];
    let kinds = present.iter().filter(|(_, present)| *present).map(|(kind, _)| *kind);
    for (line, kind) in kinds.enumerate() {
        edge.drawing.labels.push((kind, Point { x: middle.x, y: middle.y + line as i32 * STEP }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spots_are_distinct_and_on_the_grid() {
        for count in [1, 2, 3, 7, 12, 13, 40] {
            let spots = spots(count);
            assert_eq!(spots.len(), count);
            for (index, spot) in spots.iter().enumerate() {
                assert_eq!((spot.x % STEP, spot.y % STEP), (0, 0));
                assert!(!spots[..index].contains(spot), "{count} nodes, {index}");
            }
        }
    }
}
