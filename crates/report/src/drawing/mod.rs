//! Automata as drawings.
//!
//! A [`Figure`] is one template, geometry only: it stands on the coordinates, nails and colours of the author's file, since those are what the author
//! recognises; a template without any gets a layered drawing (`layered`). `svg` turns figures into SVG, alone ([`Sheet`]) or as a part
//! of a page; `tikz` into a document for LaTeX.

mod color;
mod figure;
mod layered;
mod paths;
mod sheet;
mod svg;
mod tikz;

pub use sheet::Sheet;
pub(crate) use svg::{DARK as DARK_STYLE, STYLE, escaped, inline};

use guidepost_language::syntax::LabelKind;

/// The radius of a location; UPPAAL's editor leaves room for about this much.
pub(crate) const RADIUS: f64 = 11.0;
/// Height of a line of text.
pub(crate) const LINE: f64 = 14.0;
/// Mean width of a character. Proportional text is narrower most of the time; what is reserved should be enough.
const CHARACTER: f64 = 7.0;

/// A point of a drawing; y grows downwards.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    pub(crate) fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub(crate) fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    /// The point so far from here towards another.
    pub(crate) fn towards(self, other: Point, distance: f64) -> Point {
        let whole = self.distance(other);
        if whole < 1e-9 {
            return self;
        }
        let part = distance / whole;
        Point::new(self.x + (other.x - self.x) * part, self.y + (other.y - self.y) * part)
    }
}

/// A template, drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// The template with its parameters, or the process.
    pub title: String,
    /// The locations, in the order of the template.
    pub locations: Vec<LocationFigure>,
    /// The branch points, in the order of the template.
    pub branchpoints: Vec<Point>,
    /// The edges, in the order of the template.
    pub edges: Vec<EdgeFigure>,
    /// Whether the author has drawn it.
    pub by_author: bool,
}

/// A location, drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct LocationFigure {
    /// Its name, made up or not.
    pub name: String,
    /// Its centre.
    pub at: Point,
    /// Where processes begin.
    pub initial: bool,
    /// No time passes.
    pub urgent: bool,
    /// Must be left at once.
    pub committed: bool,
    /// The author's colour, as `#rrggbb`.
    pub color: Option<String>,
    /// Name and invariant.
    pub labels: Vec<LabelFigure>,
}

/// How a line goes from point to point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Course {
    /// Straight, as authors draw.
    Straight,
    /// Rounded at every point, for loops.
    Rounded,
    /// Down (or up), and sideways in between: where one point is below another, straight.
    Flowing,
}

/// An edge, drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct EdgeFigure {
    /// From border to border, with the bends in between.
    pub path: Vec<Point>,
    /// How the line goes from point to point.
    pub course: Course,
    /// Whether it ends at a branch point, without an arrow.
    pub to_branchpoint: bool,
    /// A move of the environment.
    pub dashed: bool,
    /// The author's colour, as `#rrggbb`.
    pub color: Option<String>,
    /// Select, guard, synchronisation, update.
    pub labels: Vec<LabelFigure>,
}

/// A label, drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct LabelFigure {
    /// Which label.
    pub kind: LabelKind,
    /// The upper left corner of its text.
    pub at: Point,
    /// Its text.
    pub lines: Vec<String>,
}

impl LabelFigure {
    /// How much room it needs, roughly.
    pub(crate) fn size(&self) -> (f64, f64) {
        (text_width(&self.lines), self.lines.len() as f64 * LINE)
    }
}

pub(crate) fn text_width(lines: &[String]) -> f64 {
    lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) as f64 * CHARACTER
}

/// A rectangle that grows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Extent {
    pub(crate) low: Point,
    pub(crate) high: Point,
}

impl Extent {
    pub(crate) const NOTHING: Extent =
        Extent { low: Point { x: f64::MAX, y: f64::MAX }, high: Point { x: f64::MIN, y: f64::MIN } };

    pub(crate) fn include(&mut self, x: f64, y: f64) {
        self.low = Point::new(self.low.x.min(x), self.low.y.min(y));
        self.high = Point::new(self.high.x.max(x), self.high.y.max(y));
    }

    pub(crate) fn width(&self) -> f64 {
        (self.high.x - self.low.x).max(0.0)
    }

    pub(crate) fn height(&self) -> f64 {
        (self.high.y - self.low.y).max(0.0)
    }
}

impl Figure {
    /// The rectangle that contains everything, title excluded.
    pub(crate) fn extent(&self) -> Extent {
        let mut extent = Extent::NOTHING;
        let mut around = |at: Point, radius: f64| {
            extent.include(at.x - radius, at.y - radius);
            extent.include(at.x + radius, at.y + radius);
        };
        self.locations.iter().for_each(|location| around(location.at, RADIUS + 6.0));
        self.branchpoints.iter().for_each(|&at| around(at, 6.0));
        self.edges.iter().flat_map(|edge| &edge.path).for_each(|&at| around(at, 4.0));
        let labels = self.locations.iter().flat_map(|location| &location.labels);
        for label in labels.chain(self.edges.iter().flat_map(|edge| &edge.labels)) {
            let (width, height) = label.size();
            extent.include(label.at.x, label.at.y);
            extent.include(label.at.x + width, label.at.y + height);
        }
        if extent == Extent::NOTHING {
            extent = Extent { low: Point::default(), high: Point::default() };
        }
        extent
    }
}
