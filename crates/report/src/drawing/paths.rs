//! Lines between locations.

use super::{Course, EdgeFigure, Point, RADIUS};

/// A part of a line, from where the last one ended.
pub(super) enum Stretch {
    Line(Point),
    /// A cubic curve: two points that pull, and where it ends.
    Curve(Point, Point, Point),
}

/// The parts of an edge behind its first point.
pub(super) fn stretches(edge: &EdgeFigure) -> Vec<Stretch> {
    match edge.course {
        Course::Flowing => flowing(&edge.path),
        Course::Rounded if edge.path.len() > 2 => rounded(&edge.path),
        Course::Straight | Course::Rounded => {
            edge.path.iter().skip(1).map(|&point| Stretch::Line(point)).collect()
        }
    }
}

/// Through every bend, with the tangent of its neighbours (Catmull and Rom, 1974).
fn rounded(points: &[Point]) -> Vec<Stretch> {
    let curve = |at: usize| {
        let (before, from, to) = (points[at.saturating_sub(1)], points[at], points[at + 1]);
        let after = points[(at + 2).min(points.len() - 1)];
        let pull = |a: f64, b: f64| (b - a) / 6.0;
        let first = Point::new(from.x + pull(before.x, to.x), from.y + pull(before.y, to.y));
        let second = Point::new(to.x - pull(from.x, after.x), to.y - pull(from.y, after.y));
        Stretch::Curve(first, second, to)
    };
    (0..points.len() - 1).map(curve).collect()
}

/// From point to point, downwards or upwards at each of them.
fn flowing(points: &[Point]) -> Vec<Stretch> {
    let last = points.len().saturating_sub(1);
    let stretch = |(at, pair): (usize, &[Point])| {
        let (from, to) = (pair[0], pair[1]);
        // The ends are cut towards the middle of their nodes: short enough to be straight.
        if at == 0 || at + 1 == last || (from.x - to.x).abs() < 0.05 {
            return Stretch::Line(to);
        }
        let middle = f64::midpoint(from.y, to.y);
        Stretch::Curve(Point::new(from.x, middle), Point::new(to.x, middle), to)
    };
    points.windows(2).enumerate().map(stretch).collect()
}

/// How far a branch point's edges stay away from its middle.
pub(super) const BRANCH_RADIUS: f64 = 4.0;

/// A line from one node through the bends to another, cut where the nodes begin.
pub(super) fn line(from: (Point, f64), bends: &[Point], to: (Point, f64)) -> Vec<Point> {
    let ((from, from_radius), (to, to_radius)) = (from, to);
    let mut path = vec![from];
    path.extend_from_slice(bends);
    path.push(to);
    if bends.is_empty() && from.distance(to) < 1.0 {
        return loop_above(from);
    }
    let last = path.len() - 1;
    path[0] = from.towards(path[1], from_radius.min(from.distance(path[1])));
    path[last] = to.towards(path[last - 1], to_radius.min(to.distance(path[last - 1])));
    path
}

/// A small loop for edges that lead back without saying how.
fn loop_above(at: Point) -> Vec<Point> {
    let (start, end) = (Point::new(at.x - 14.0, at.y - 38.0), Point::new(at.x + 14.0, at.y - 38.0));
    vec![at.towards(start, RADIUS), start, end, at.towards(end, RADIUS)]
}

/// The point half way along a line.
pub(super) fn middle(path: &[Point]) -> Point {
    let lengths = path.windows(2).map(|pair| pair[0].distance(pair[1]));
    let mut left = lengths.sum::<f64>() / 2.0;
    for pair in path.windows(2) {
        let length = pair[0].distance(pair[1]);
        if length >= left {
            return pair[0].towards(pair[1], left);
        }
        left -= length;
    }
    path.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_border() {
        let path = line((Point::new(0.0, 0.0), 10.0), &[], (Point::new(100.0, 0.0), 10.0));
        assert_eq!(path, [Point::new(10.0, 0.0), Point::new(90.0, 0.0)]);
        assert_eq!(middle(&path), Point::new(50.0, 0.0));
    }

    #[test]
    fn a_loop_without_bends_gets_some() {
        let at = Point::new(5.0, 5.0);
        let path = line((at, RADIUS), &[], (at, RADIUS));
        assert_eq!(path.len(), 4);
        assert!(path.iter().all(|point| point.y < 5.0));
    }
}
