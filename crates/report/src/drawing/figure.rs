//! From a template to its geometry.

use super::layered::{self, Graph};
use super::paths::{BRANCH_RADIUS, line, middle};
use super::{EdgeFigure, Figure, LINE, LabelFigure, LocationFigure, Point, RADIUS, color};
use guidepost_language::Loaded;
use guidepost_language::syntax::{self, Drawing, LabelKind, Node, Template};
use guidepost_language::write::{edge_labels, heading, location_labels};

/// Distance between nodes that the author forgot.
const SPACING: f64 = 150.0;

impl Figure {
    /// Draws a template of a model.
    pub fn of(template: &Template, loaded: &Loaded) -> Self {
        let format = loaded.model.format;
        let texts = Texts {
            locations: template
                .locations
                .iter()
                .map(|location| lines(location_labels(location, format, &loaded.sources)))
                .collect(),
            edges: template
                .edges
                .iter()
                .map(|edge| lines(edge_labels(edge, format, &loaded.sources)))
                .collect(),
        };
        let title = heading(template, &loaded.sources);
        let is_drawn = template.locations.iter().any(|location| location.drawing.at.is_some());
        if is_drawn { by_author(template, &texts, title) } else { by_layers(template, &texts, title) }
    }
}

/// The labels of a template, line by line.
struct Texts {
    locations: Vec<Vec<(LabelKind, Vec<String>)>>,
    edges: Vec<Vec<(LabelKind, Vec<String>)>>,
}

fn lines(labels: Vec<(LabelKind, String)>) -> Vec<(LabelKind, Vec<String>)> {
    labels
        .into_iter()
        .filter(|(_, text)| !text.trim().is_empty())
        .map(|(kind, text)| (kind, text.lines().map(str::to_owned).collect()))
        .collect()
}

fn location(template: &Template, index: usize, at: Point, labels: Vec<LabelFigure>) -> LocationFigure {
    let written = &template.locations[index];
    LocationFigure {
        name: written.name.name.to_string(),
        at,
        initial: template.init == Some(index),
        urgent: written.urgent,
        committed: written.committed,
        color: written.drawing.color.as_deref().and_then(color::normalised),
        labels,
    }
}

fn edge(written: &syntax::Edge, path: Vec<Point>, curved: bool, labels: Vec<LabelFigure>) -> EdgeFigure {
    EdgeFigure {
        path,
        curved,
        to_branchpoint: matches!(written.target, Node::Branchpoint(_)),
        dashed: !written.controllable,
        color: written.drawing.color.as_deref().and_then(color::normalised),
        labels,
    }
}

fn by_author(template: &Template, texts: &Texts, title: String) -> Figure {
    let places = places(template);
    let at = |node: Node| match node {
        Node::Location(index) => (places[index], RADIUS),
        Node::Branchpoint(index) => (places[template.locations.len() + index], BRANCH_RADIUS),
    };
    let locations = texts.locations.iter().enumerate().map(|(index, labels)| {
        let place = places[index];
        let beside = Point::new(place.x + RADIUS + 4.0, place.y - LINE);
        let labels = placed(labels, &template.locations[index].drawing, beside);
        location(template, index, place, labels)
    });
    let edges = template.edges.iter().zip(&texts.edges).map(|(written, labels)| {
        let bends: Vec<Point> = written.drawing.nails.iter().copied().map(point).collect();
        let path = line(at(written.source), &bends, at(written.target));
        let middle = middle(&path);
        let labels = placed(labels, &written.drawing, Point::new(middle.x + 6.0, middle.y + 2.0));
        edge(written, path, false, labels)
    });
    Figure {
        title,
        locations: locations.collect(),
        branchpoints: places[template.locations.len()..].to_vec(),
        edges: edges.collect(),
        by_author: true,
    }
}

fn point(point: syntax::Point) -> Point {
    Point::new(point.x.into(), point.y.into())
}

/// Where locations and branch points stand; those without a place go to a row below the others.
fn places(template: &Template) -> Vec<Point> {
    let drawings = || {
        let locations = template.locations.iter().map(|location| &location.drawing);
        locations.chain(template.branchpoints.iter().map(|branch| &branch.drawing))
    };
    let known: Vec<Point> = drawings().filter_map(|drawing| drawing.at).map(point).collect();
    let left = known.iter().map(|at| at.x).fold(f64::MAX, f64::min);
    let below = known.iter().map(|at| at.y).fold(f64::MIN, f64::max) + SPACING;
    let mut next = left;
    drawings()
        .map(|drawing| {
            drawing.at.map(point).unwrap_or_else(|| {
                next += SPACING;
                Point::new(next - SPACING, below)
            })
        })
        .collect()
}

/// Labels at the author's places; those without one stand below each other.
fn placed(labels: &[(LabelKind, Vec<String>)], drawing: &Drawing, mut free: Point) -> Vec<LabelFigure> {
    labels
        .iter()
        .map(|(kind, lines)| {
            let own = drawing.labels.iter().find(|(found, _)| found == kind).map(|(_, at)| point(*at));
            let at = own.unwrap_or(free);
            if own.is_none() {
                free.y += lines.len() as f64 * LINE;
            }
            LabelFigure { kind: *kind, at, lines: lines.clone() }
        })
        .collect()
}

/// Labels below each other.
fn stacked(labels: &[(LabelKind, Vec<String>)], at: Point) -> Vec<LabelFigure> {
    placed(labels, &Drawing::default(), at)
}

fn by_layers(template: &Template, texts: &Texts, title: String) -> Figure {
    let size = |labels: &[(LabelKind, Vec<String>)]| {
        let width = labels.iter().map(|(_, lines)| super::text_width(lines)).fold(0.0, f64::max);
        let height = labels.iter().map(|(_, lines)| lines.len() as f64 * LINE).sum::<f64>();
        (width, height)
    };
    let index = |node: Node| match node {
        Node::Location(index) => index,
        Node::Branchpoint(index) => template.locations.len() + index,
    };
    let mut nodes: Vec<(f64, f64)> = texts.locations.iter().map(|labels| size(labels)).collect();
    nodes.extend(template.branchpoints.iter().map(|_| (0.0, 0.0)));
    let graph = Graph {
        nodes,
        edges: template
            .edges
            .iter()
            .zip(&texts.edges)
            .map(|(edge, labels)| (index(edge.source), index(edge.target), size(labels)))
            .collect(),
        root: template.init.unwrap_or(0),
    };
    let layout = layered::place(&graph);
    let locations = texts.locations.iter().enumerate().map(|(index, labels)| {
        let at = layout.nodes[index];
        let height = graph.nodes[index].1;
        let beside = Point::new(at.x + RADIUS + 5.0, at.y - height / 2.0);
        location(template, index, at, stacked(labels, beside))
    });
    let radius =
        |node: Node| if matches!(node, Node::Location(_)) { RADIUS } else { BRANCH_RADIUS };
    let edges = template.edges.iter().zip(&texts.edges).zip(&layout.edges).map(|((written, labels), route)| {
        let (from, to) = (layout.nodes[index(written.source)], layout.nodes[index(written.target)]);
        let path = line((from, radius(written.source)), &route.bends, (to, radius(written.target)));
        edge(written, path, true, stacked(labels, route.label))
    });
    Figure {
        title,
        locations: locations.collect(),
        branchpoints: layout.nodes[template.locations.len()..].to_vec(),
        edges: edges.collect(),
        by_author: false,
    }
}
