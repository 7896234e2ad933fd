//! SVG.
//!
//! Locations and edges carry their numbers (`data-location`, `data-edge`), so that a page can point at them.

use super::{Course, EdgeFigure, Figure, LINE, LabelFigure, LocationFigure, Point, RADIUS, color};
use std::fmt::Write;

/// How everything looks on a light page.
pub(crate) const STYLE: &str = include_str!("drawing.css");
/// What is different on a dark one.
pub(crate) const DARK: &str = include_str!("dark.css");

const MARGIN: f64 = 16.0;
const TITLE: f64 = 26.0;
/// Figures that would make a row wider than this go to the next one.
const SHEET_WIDTH: f64 = 1700.0;

/// Figures on one sheet, as a file of its own.
pub struct Sheet {
    /// The figures, with their titles.
    pub figures: Vec<Figure>,
}

impl Sheet {
    /// The whole file. Follows the reader's choice of a light or dark page.
    pub fn svg(&self) -> String {
        let mut body = String::new();
        let (mut x, mut y, mut row, mut widest) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
        for figure in &self.figures {
            let extent = figure.extent();
            let title = super::text_width(std::slice::from_ref(&figure.title)) * 1.2;
            let (width, height) =
                (extent.width().max(title) + 2.0 * MARGIN, extent.height() + TITLE + 2.0 * MARGIN);
            if x > 0.0 && x + width > SHEET_WIDTH {
                (x, y, row) = (0.0, y + row, 0.0);
            }
            let (dx, dy) = (x + MARGIN - extent.low.x, y + MARGIN + TITLE - extent.low.y);
            let _ = writeln!(
                body,
                "<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>",
                number(x + MARGIN),
                number(y + MARGIN + 12.0),
                escaped(&figure.title)
            );
            let _ = writeln!(body, "<g transform=\"translate({} {})\">", number(dx), number(dy));
            content(&mut body, figure);
            body.push_str("</g>\n");
            x += width;
            row = row.max(height);
            widest = widest.max(x);
        }
        let (width, height) = (number(widest.max(40.0)), number((y + row).max(40.0)));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawing\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <style>\n{STYLE}@media (prefers-color-scheme: dark) {{\n{DARK}}}\n</style>\n\
             <rect width=\"100%\" height=\"100%\" style=\"fill: var(--halo)\"/>\n{body}</svg>\n"
        )
    }
}

/// One figure as a part of a page, which brings the style.
pub(crate) fn inline(figure: &Figure) -> String {
    let extent = figure.extent();
    let (low, width, height) = (extent.low, extent.width() + 2.0 * MARGIN, extent.height() + 2.0 * MARGIN);
    let mut text = format!(
        "<svg class=\"drawing\" width=\"{0}\" height=\"{1}\" viewBox=\"{2} {3} {0} {1}\" role=\"img\">\n",
        number(width),
        number(height),
        number(low.x - MARGIN),
        number(low.y - MARGIN)
    );
    content(&mut text, figure);
    text.push_str("</svg>");
    text
}

/// Lines first, then what must stay readable on top of them.
fn content(text: &mut String, figure: &Figure) {
    for (index, edge) in figure.edges.iter().enumerate() {
        edge_lines(text, index, edge);
    }
    for (index, location) in figure.locations.iter().enumerate() {
        location_shape(text, index, location);
    }
    for at in &figure.branchpoints {
        let _ = writeln!(
            text,
            "<circle class=\"branch\" cx=\"{}\" cy=\"{}\" r=\"3.5\"/>",
            number(at.x),
            number(at.y)
        );
    }
    for (index, edge) in figure.edges.iter().enumerate() {
        let _ = write!(text, "<g class=\"edge-labels\" data-edge=\"{index}\">");
        edge.labels.iter().for_each(|label| label_text(text, label));
        text.push_str("</g>\n");
    }
    for (index, location) in figure.locations.iter().enumerate() {
        let _ = write!(text, "<g class=\"location-labels\" data-location=\"{index}\">");
        location.labels.iter().for_each(|label| label_text(text, label));
        text.push_str("</g>\n");
    }
}

fn edge_lines(text: &mut String, index: usize, edge: &EdgeFigure) {
    let style =
        edge.color.as_deref().and_then(color::line_colors).map_or_else(String::new, |(light, dark)| {
            format!(" style=\"--line-light:{light};--line-dark:{dark}\"")
        });
    let _ = write!(text, "<g class=\"edge\" data-edge=\"{index}\"{style}>");
    let class = if edge.dashed { " class=\"environment\"" } else { "" };
    let _ = write!(text, "<path{class} d=\"{}\"/>", path(edge));
    if !edge.to_branchpoint
        && let [.., before, end] = edge.path[..]
    {
        let _ = write!(text, "<path class=\"head\" d=\"{}\"/>", head(before, end));
    }
    text.push_str("</g>\n");
}

fn path(edge: &EdgeFigure) -> String {
    let mut data = String::new();
    let Some((first, rest)) = edge.path.split_first() else { return data };
    let _ = write!(data, "M{} {}", number(first.x), number(first.y));
    if edge.course == Course::Flowing {
        flow(&mut data, &edge.path);
        return data;
    }
    if edge.course == Course::Straight || rest.len() < 2 {
        for point in rest {
            let _ = write!(data, "L{} {}", number(point.x), number(point.y));
        }
        return data;
    }
    // Catmull and Rom (1974): through every bend, with the tangent of its neighbours.
    let points = &edge.path;
    for at in 0..points.len() - 1 {
        let (before, from, to) = (points[at.saturating_sub(1)], points[at], points[at + 1]);
        let after = points[(at + 2).min(points.len() - 1)];
        let pull = |a: f64, b: f64| (b - a) / 6.0;
        let _ = write!(
            data,
            "C{} {} {} {} {} {}",
            number(from.x + pull(before.x, to.x)),
            number(from.y + pull(before.y, to.y)),
            number(to.x - pull(from.x, after.x)),
            number(to.y - pull(from.y, after.y)),
            number(to.x),
            number(to.y)
        );
    }
    data
}

/// From point to point, downwards or upwards at each of them.
fn flow(data: &mut String, path: &[Point]) {
    let last = path.len() - 1;
    for (at, pair) in path.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[1]);
        // The ends are cut towards the middle of their nodes: short enough to be straight.
        if at == 0 || at + 1 == last || (from.x - to.x).abs() < 0.05 {
            let _ = write!(data, "L{} {}", number(to.x), number(to.y));
        } else {
            let middle = number(f64::midpoint(from.y, to.y));
            let (from, to, below) = (number(from.x), number(to.x), number(to.y));
            let _ = write!(data, "C{from} {middle} {to} {middle} {to} {below}");
        }
    }
}

/// The head of an arrow that comes from `before`.
fn head(before: Point, tip: Point) -> String {
    let back = tip.towards(before, 9.0);
    let (dx, dy) = ((tip.y - back.y) * 0.42, (back.x - tip.x) * 0.42);
    let corner = |x: f64, y: f64| format!("{} {}", number(x), number(y));
    format!(
        "M{}L{}L{}Z",
        corner(tip.x, tip.y),
        corner(back.x + dx, back.y + dy),
        corner(back.x - dx, back.y - dy)
    )
}

fn location_shape(text: &mut String, index: usize, location: &LocationFigure) {
    let (x, y) = (number(location.at.x), number(location.at.y));
    let _ = write!(
        text,
        "<g class=\"location\" data-location=\"{index}\"><title>{}</title>",
        escaped(&location.name)
    );
    let fill = location.color.as_ref().map_or_else(String::new, |color| format!(" style=\"fill:{color}\""));
    let _ = write!(text, "<circle class=\"disc\" cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\"{fill}/>");
    if location.initial {
        let _ = write!(text, "<circle class=\"ring\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", RADIUS - 3.5);
    }
    let mark = match (location.committed, location.urgent) {
        (true, _) => "C",
        (_, true) => "U",
        _ => "",
    };
    if !mark.is_empty() {
        let ink = location
            .color
            .as_deref()
            .map_or_else(String::new, |color| format!(" style=\"fill:{}\"", color::ink_on(color)));
        let _ = write!(
            text,
            "<text class=\"mark\" x=\"{x}\" y=\"{}\"{ink}>{mark}</text>",
            number(location.at.y + 4.0)
        );
    }
    text.push_str("</g>\n");
}

fn label_text(text: &mut String, label: &LabelFigure) {
    for (index, line) in label.lines.iter().enumerate() {
        let _ = write!(
            text,
            "<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>",
            label.kind.xml_name(),
            number(label.at.x),
            number(label.at.y + LINE * (index as f64 + 1.0) - 3.5),
            escaped(line)
        );
    }
}

/// At most one digit behind the point, and no `-0`.
fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// A text for XML and HTML, in elements and attributes. Control characters are none.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' | '\r' => safe.push(character),
            character if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => {
                safe.push('\u{fffd}');
            }
            character => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use guidepost_language::load_text;

    fn sheet(name: &str, text: &str) -> String {
        let loaded = load_text(name, text);
        assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
        let figures = loaded.document.templates.iter().map(|template| Figure::of(template, &loaded));
        Sheet { figures: figures.collect() }.svg()
    }

    #[test]
    fn the_author_s_coordinates_nails_and_colours_are_kept() {
        let svg = sheet(
            "p.xml",
            "<nta><declaration>clock x;</declaration><template><name>P</name>
             <location id=\"a\" x=\"-340\" y=\"70\" color=\"#ff8000\"><name x=\"-350\" y=\"40\">A</name></location>
             <location id=\"b\" x=\"100\" y=\"70\"><name x=\"90\" y=\"40\">B</name><committed/></location><init ref=\"a\"/>
             <transition color=\"#0000ff\"><source ref=\"a\"/><target ref=\"b\"/>
             <label kind=\"guard\" x=\"-200\" y=\"-33\">x &lt; 3</label><nail x=\"-120\" y=\"-17\"/></transition>
             </template><system>system P;</system></nta>",
        );
        assert!(svg.contains("cx=\"-340\" cy=\"70\""), "{svg}");
        assert!(svg.contains("fill:#ff8000"));
        assert!(svg.contains("--line-light:#0000ff"));
        assert!(svg.contains("L-120 -17L"), "the nail is a bend: {svg}");
        assert!(svg.contains("class=\"guard\" x=\"-200\""));
        assert!(svg.contains("x &lt; 3"));
        assert!(svg.contains(">C</text>"), "committed is a letter, not only a colour");
    }

    #[test]
    fn hostile_names_stay_text() {
        let svg = sheet(
            "p.xml",
            "<nta><template><name>P</name><location id=\"a\" x=\"0\" y=\"0\" color=\"&quot;&gt;&lt;script&gt;\"/><init ref=\"a\"/>
             </template><system>system P;</system></nta>",
        );
        assert!(!svg.contains("<script"), "{svg}");
        assert_eq!(escaped("<a b='\"'>&\u{1}"), "&lt;a b=&#39;&quot;&#39;&gt;&amp;\u{fffd}");
    }

    #[test]
    fn drawings_are_well_formed() {
        let text = "clock x; process P() { state A { x <= 5 }, B, C; init A; trans A -> B { guard x >= 2; assign x = 0; }, B -> A { },
            B -> B { guard x > 1; }, A -> C { }, C -> A { }; } system P;";
        let svg = sheet("p.xta", text);
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
        assert_eq!(svg.matches("class=\"location\"").count(), 3);
        assert_eq!(svg.matches("class=\"edge\"").count(), 5);
        assert!(!svg.contains("NaN"), "{svg}");
    }
}
