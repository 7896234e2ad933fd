//! From a template to its geometry.

use super::layered::{self, Graph};
use super::paths::{BRANCH_RADIUS, line, middle};
use super::{Course, EdgeFigure, Figure, LINE, LabelFigure, LocationFigure, Point, RADIUS, color};
use guidepost_language::Loaded;
use guidepost_language::model::Portrait;
use guidepost_language::source::Span;
use guidepost_language::syntax::{self, Drawing, Ident, LabelKind, Node, Template};
use guidepost_language::write::{edge_labels, heading, location_labels};

/// Distance between nodes that the author forgot.
const SPACING: f64 = 150.0;
/// Characters in a line of a label, roughly, where we choose.
const WIDEST_LABEL: usize = 34;
/// The same for conditions of controllers, which are longer and would make the drawing wide.
const WIDEST_CONDITION: usize = 24;

impl Figure {
    /// Draws a template of a model.
    pub fn of(template: &Template, loaded: &Loaded) -> Self {
        let format = loaded.model.format;
        let is_drawn = template.locations.iter().any(|location| location.drawing.at.is_some());
        // Authors break their lines so that they fit; ours have to be broken for them.
        let room = if is_drawn { usize::MAX } else { WIDEST_LABEL };
        let locations = template.locations.iter();
        let edges = template.edges.iter();
        let texts = Texts {
            locations: locations
                .map(|location| lines(location_labels(location, format, &loaded.sources), room))
                .collect(),
            edges: edges.map(|edge| lines(edge_labels(edge, format, &loaded.sources), room)).collect(),
        };
        let title = heading(template, &loaded.sources);
        if is_drawn { by_author(template, &texts, title) } else { by_layers(template, &texts, title) }
    }
}

impl Figure {
    /// Draws an automaton as its author wrote it.
    pub fn of_portrait(title: &str, portrait: &Portrait) -> Self {
        let span = Span::default();
        let place =
            |(name, _): &(_, Vec<String>)| syntax::Location::plain(Ident::new(Clone::clone(name), span));
        let line = |(from, to, _): &(usize, usize, _)| {
            syntax::Edge::plain(Node::Location(*from), Node::Location(*to), span)
        };
        let template = Template {
            name: Ident::new(title, span),
            name_at: None,
            params: Vec::new(),
            decls: Vec::new(),
            locations: portrait.locations.iter().map(place).collect(),
            branchpoints: Vec::new(),
            init: Some(portrait.initial),
            edges: portrait.edges.iter().map(line).collect(),
            mentions: Vec::new(),
            span,
        };
        let wrapped =
            |lines: &[String]| lines.iter().flat_map(|line| broken(line, WIDEST_CONDITION)).collect();
        let about = |(name, notes): &(guidepost_language::syntax::Name, Vec<String>)| {
            let mut labels = vec![(LabelKind::Name, vec![name.to_string()])];
            if !notes.is_empty() {
                labels.push((LabelKind::Invariant, wrapped(notes)));
            }
            labels
        };
        let texts = Texts {
            locations: portrait.locations.iter().map(about).collect(),
            edges: (portrait.edges.iter())
                .map(|(.., conditions)| vec![(LabelKind::Guard, wrapped(conditions))])
                .collect(),
        };
        by_layers(&template, &texts, title.to_owned())
    }
}

/// The labels of a template, line by line.
struct Texts {
    locations: Vec<Vec<(LabelKind, Vec<String>)>>,
    edges: Vec<Vec<(LabelKind, Vec<String>)>>,
}

fn lines(labels: Vec<(LabelKind, String)>, room: usize) -> Vec<(LabelKind, Vec<String>)> {
    labels
        .into_iter()
        .filter(|(_, text)| !text.trim().is_empty())
        .map(|(kind, text)| (kind, text.lines().flat_map(|line| broken(line, room)).collect()))
        .collect()
}

/// A line in several, broken behind commas and operators.
fn broken(line: &str, room: usize) -> Vec<String> {
    const BREAKS: [&str; 5] = [", ", " && ", " || ", " and ", " or "];
    let mut lines = vec![String::new()];
    let mut rest = line;
    while !rest.is_empty() {
        let ends = BREAKS.iter().filter_map(|word| rest.find(word).map(|at| at + word.len()));
        let end = ends.min().unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        let last = lines.last_mut().expect("there is always a line");
        if !last.is_empty() && last.chars().count() + piece.trim_end().chars().count() > room {
            lines.push(piece.to_owned());
        } else {
            last.push_str(piece);
        }
        rest = behind;
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
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

fn edge(written: &syntax::Edge, path: Vec<Point>, course: Course, labels: Vec<LabelFigure>) -> EdgeFigure {
    EdgeFigure {
        path,
        course,
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
        edge(written, path, Course::Straight, labels)
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
            let forgotten = || {
                next += SPACING;
                Point::new(next - SPACING, below)
            };
            drawing.at.map_or_else(forgotten, point)
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
    let radius = |node: Node| if matches!(node, Node::Location(_)) { RADIUS } else { BRANCH_RADIUS };
    let edges =
        template.edges.iter().zip(&texts.edges).zip(&layout.edges).map(|((written, labels), route)| {
            let (from, to) = (layout.nodes[index(written.source)], layout.nodes[index(written.target)]);
            let path = line((from, radius(written.source)), &route.bends, (to, radius(written.target)));
            let course = match written.source == written.target {
                true => Course::Rounded,
                false if route.bends.is_empty() => Course::Straight,
                false => Course::Flowing,
            };
            edge(written, path, course, stacked(labels, route.label))
        });
    Figure {
        title,
        locations: locations.collect(),
        branchpoints: layout.nodes[template.locations.len()..].to_vec(),
        edges: edges.collect(),
        by_author: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_behind_operators() {
        assert_eq!(broken("x = 0, y = 0", 40), ["x = 0, y = 0"]);
        assert_eq!(
            broken("first == 1 && second == 2 && third == 3", 28),
            ["first == 1 && second == 2 &&", "third == 3"]
        );
        assert_eq!(broken("one_long_name_without_any_break", 8), ["one_long_name_without_any_break"]);
        assert_eq!(broken("a = 1, b = 2, c = 3", 7), ["a = 1,", "b = 2,", "c = 3"]);
    }
}
