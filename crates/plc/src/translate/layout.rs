//! Where things are drawn.
//!
//! A controller's locations are rows, one below the other in the order of the program: on the left the phase in which it polls, to the right those that
//! follow in a cycle. Edges that end a cycle leave their row downwards, each on a track of its own with its labels on it, go right to the
//! lane of the location they lead to, and come back to it from above. A device is drawn as the circuit that it is.

use super::build::point;
use guidepost_language::syntax::{Edge, LabelKind, Location, Node, Point, Template};

const STEP: i32 = 17;
/// Between two phases of a row.
const COLUMN: i32 = 28 * STEP;
/// Between two tracks: room for a guard, a synchronisation and an assignment.
const TRACK: i32 = 4 * STEP;
/// Above and below a row.
const MARGIN: i32 = 5 * STEP;
/// Between two lanes.
const LANE: i32 = 2 * STEP;

/// The phases of one location of a controller, as places in its template.
#[derive(Clone, Copy)]
pub(super) struct Row {
    first: usize,
    count: usize,
}

impl Row {
    pub(super) fn new(first: usize, count: usize) -> Self {
        Self { first, count }
    }

    pub(super) fn poll(self) -> usize {
        self.first
    }

    pub(super) fn react(self) -> usize {
        self.first + 1
    }

    pub(super) fn delayed(self) -> usize {
        self.first + 2
    }

    pub(super) fn check(self) -> usize {
        self.first + 3
    }

    /// Where a phase stands in its row: as far to the right as a cycle has come.
    fn column(self, phase: usize) -> i32 {
        let has_check = self.count == 4;
        match phase - self.first {
            0 => 0,
            1 | 2 if has_check => 2,
            _ => 1,
        }
    }
}

/// Draws the template of a controller.
pub(super) fn rows(template: &mut Template, rows: &[Row]) {
    let row_of = |node: Node| match node {
        Node::Location(at) => rows.iter().position(|row| (row.first..row.first + row.count).contains(&at)),
        Node::Branchpoint(_) => None,
    };
    let place: Vec<(usize, usize)> =
        template.edges.iter().filter_map(|edge| Some((row_of(edge.source)?, row_of(edge.target)?))).collect();
    let mut tops = Vec::new();
    let mut bottom = 0;
    for index in 0..rows.len() {
        tops.push(bottom);
        let edges = place.iter().filter(|(from, _)| *from == index).count() as i32;
        bottom += 2 * MARGIN + edges * TRACK;
    }
    for (row, top) in rows.iter().zip(&tops) {
        for at in row.first..row.first + row.count {
            // What is delayed stands below what reacts.
            let lower = if at == row.first + 2 { 2 * STEP } else { 0 };
            let spot = point(row.column(at) * COLUMN, top + MARGIN + lower);
            place_location(&mut template.locations[at], spot);
        }
    }
    let spots: Vec<Point> = template.locations.iter().filter_map(|location| location.drawing.at).collect();
    let width = spots.iter().map(|spot| spot.x).max().unwrap_or(0);
    let mut tracks = vec![0; rows.len()];
    for (edge, (from, to)) in template.edges.iter_mut().zip(place) {
        let (Node::Location(source), Node::Location(target)) = (edge.source, edge.target) else { continue };
        tracks[from] += 1;
        let y = tops[from] + MARGIN + 2 * STEP + tracks[from] * TRACK;
        let (start, end) = (spots[source], spots[target]);
        if target == rows[to].poll() {
            let lane = width + COLUMN + LANE * to as i32;
            let above = end.y - 3 * STEP;
            edge.drawing.nails =
                vec![point(start.x, y), point(lane, y), point(lane, above), point(end.x, above)];
        } else {
            edge.drawing.nails = vec![point(start.x + 2 * STEP, y), point(end.x - 2 * STEP, y)];
        }
        place_labels(edge, point(start.x + 3 * STEP, y - 3 * STEP));
    }
}

/// Draws a device: the phases up to writing go down on the left, those after it come up on the right.
pub(super) fn circuit(template: &mut Template, write: usize) {
    let count = template.locations.len();
    for (at, location) in template.locations.iter_mut().enumerate() {
        let (column, row) = if at <= write { (0, at) } else { (1, count - at) };
        place_location(location, point(column * COLUMN, row as i32 * 7 * STEP));
    }
    let spots: Vec<Point> = template.locations.iter().filter_map(|location| location.drawing.at).collect();
    for edge in &mut template.edges {
        let (Node::Location(source), Node::Location(target)) = (edge.source, edge.target) else { continue };
        let (start, end) = (spots[source], spots[target]);
        let middle = point(i32::midpoint(start.x, end.x), i32::midpoint(start.y, end.y));
        place_labels(edge, point(middle.x + STEP, middle.y - STEP));
    }
}

fn place_location(location: &mut Location, spot: Point) {
    location.drawing.at = Some(spot);
    location.drawing.labels = vec![
        (LabelKind::Name, point(spot.x + STEP / 2, spot.y - 2 * STEP)),
        (LabelKind::Invariant, point(spot.x + STEP / 2, spot.y - STEP)),
    ];
}

/// The labels of an edge, one below the other.
fn place_labels(edge: &mut Edge, first: Point) {
    let kinds = [
        (LabelKind::Guard, edge.guard.is_some()),
        (LabelKind::Synchronisation, edge.sync.is_some()),
        (LabelKind::Assignment, !edge.update.is_empty()),
    ];
    let present = kinds.into_iter().filter(|(_, is_there)| *is_there);
    let at =
        |(line, (kind, _)): (usize, (LabelKind, bool))| (kind, point(first.x, first.y + line as i32 * STEP));
    edge.drawing.labels = present.enumerate().map(at).collect();
}
