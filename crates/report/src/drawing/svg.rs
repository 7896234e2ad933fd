//! SVG.
//!
//! Locations and edges carry their numbers (`data-location`, `data-edge`), so that a page can point at them.

use super::paths::{Stretch, stretches};
use super::sheet::{MARGIN, Placed, Sheet, TITLE};
use super::{EdgeFigure, Figure, LINE, LabelFigure, LocationFigure, Point, RADIUS, color};
use std::fmt::Write;

/// How everything looks on a light page.
pub(crate) const STYLE: &str = include_str!("drawing.css");
/// What is different on a dark one.
pub(crate) const DARK: &str = include_str!("dark.css");

impl Sheet {
    /// The whole file. Follows the reader's choice of a light or dark page.
    pub fn svg(&self) -> String {
        let mut body = String::new();
        let Placed { figures, width, height } = self.placed();
        for (figure, at) in figures {
            let extent = figure.extent();
            let (dx, dy) = (at.x - extent.low.x, at.y + TITLE - extent.low.y);
            let _ = writeln!(
                body,
                "<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>",
                number(at.x),
                number(at.y + 12.0),
                escaped(&figure.title)
            );
            let _ = writeln!(body, "<g transform=\"translate({} {})\">", number(dx), number(dy));
            content(&mut body, figure);
            body.push_str("</g>\n");
        }
        let (width, height) = (number(width), number(height));
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
    let Some(first) = edge.path.first() else { return data };
    let _ = write!(data, "M{} {}", number(first.x), number(first.y));
    for stretch in stretches(edge) {
        let _ = match stretch {
            Stretch::Line(to) => write!(data, "L{} {}", number(to.x), number(to.y)),
            Stretch::Curve(a, b, to) => {
                let [ax, ay, bx, by, x, y] = [a.x, a.y, b.x, b.y, to.x, to.y].map(number);
                write!(data, "C{ax} {ay} {bx} {by} {x} {y}")
            }
        };
    }
    data
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
pub(super) fn number(value: f64) -> String {
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
