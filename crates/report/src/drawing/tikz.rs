//! Drawings for papers: a document for LaTeX that draws with `TikZ`.
//!
//! The picture inside can be copied into a paper; what it needs stands above it.

use super::paths::{Stretch, stretches};
use super::sheet::{Placed, Sheet, TITLE};
use super::svg::number;
use super::{EdgeFigure, Figure, LINE, LabelFigure, LocationFigure, Point, RADIUS};
use std::fmt::Write;

/// What the picture needs. Colours are those of the other drawings, on paper.
const PREAMBLE: &str = r"\documentclass[tikz,border=6pt]{standalone}
\usepackage[T1]{fontenc}
\usetikzlibrary{arrows.meta}
\definecolor{automaton ink}{HTML}{1D2733}
\definecolor{automaton name}{HTML}{7A1F1F}
\definecolor{automaton invariant}{HTML}{8A1F7A}
\definecolor{automaton select}{HTML}{7A5A00}
\definecolor{automaton guard}{HTML}{1F6A2A}
\definecolor{automaton synchronisation}{HTML}{0B5F7D}
\definecolor{automaton assignment}{HTML}{23449B}
\tikzset{
  automaton/.style={x=0.75bp, y=-0.75bp, line width=0.8pt, draw=automaton ink},
  location/.style={draw=automaton ink, fill=white},
  edge/.style={draw=automaton ink, -{Stealth[length=5pt]}},
  branch/.style={draw=automaton ink},
  environment/.style={dashed},
  label/.style={anchor=base west, inner sep=0pt, font=\sffamily\scriptsize},
  title/.style={label, font=\sffamily\small\bfseries},
  mark/.style={inner sep=0pt, font=\sffamily\tiny\bfseries},
  name/.style={label, font=\sffamily\scriptsize\bfseries, text=automaton name},
  invariant/.style={label, text=automaton invariant},
  exponentialrate/.style={label, text=automaton invariant},
  select/.style={label, text=automaton select},
  guard/.style={label, text=automaton guard},
  synchronisation/.style={label, text=automaton synchronisation},
  assignment/.style={label, text=automaton assignment},
  probability/.style={label},
  comments/.style={label},
}
";

impl Sheet {
    /// A document of its own for LaTeX.
    pub fn tikz(&self) -> String {
        let mut text = format!("{PREAMBLE}\\begin{{document}}\n\\begin{{tikzpicture}}[automaton]\n");
        let Placed { figures, .. } = self.placed();
        for (figure, at) in figures {
            let extent = figure.extent();
            let (dx, dy) = (at.x - extent.low.x, at.y + TITLE - extent.low.y);
            let _ = writeln!(
                text,
                "\\node[title] at {} {{{}}};",
                point(Point::new(at.x, at.y + 12.0)),
                escaped(&figure.title)
            );
            let _ = writeln!(text, "\\begin{{scope}}[shift={{{}}}]", point(Point::new(dx, dy)));
            content(&mut text, figure);
            text.push_str("\\end{scope}\n");
        }
        text.push_str("\\end{tikzpicture}\n\\end{document}\n");
        text
    }
}

/// Lines first, then what must stay readable on top of them.
fn content(text: &mut String, figure: &Figure) {
    for edge in &figure.edges {
        edge_line(text, edge);
    }
    for location in &figure.locations {
        location_shape(text, location);
    }
    for &at in &figure.branchpoints {
        let _ = writeln!(text, "\\fill {} circle [radius=3.5];", point(at));
    }
    let labels = figure.edges.iter().flat_map(|edge| &edge.labels);
    labels
        .chain(figure.locations.iter().flat_map(|location| &location.labels))
        .for_each(|label| label_text(text, label));
}

fn edge_line(text: &mut String, edge: &EdgeFigure) {
    let Some(&first) = edge.path.first() else { return };
    let mut style = String::from(if edge.to_branchpoint { "branch" } else { "edge" });
    if edge.dashed {
        style.push_str(", environment");
    }
    if let Some(color) = edge.color.as_deref().and_then(color) {
        let _ = write!(style, ", draw={color}");
    }
    let _ = write!(text, "\\draw[{style}] {}", point(first));
    for stretch in stretches(edge) {
        let _ = match stretch {
            Stretch::Line(to) => write!(text, " -- {}", point(to)),
            Stretch::Curve(a, b, to) => {
                write!(text, " .. controls {} and {} .. {}", point(a), point(b), point(to))
            }
        };
    }
    text.push_str(";\n");
}

fn location_shape(text: &mut String, location: &LocationFigure) {
    let at = point(location.at);
    let fill =
        location.color.as_deref().and_then(color).map_or_else(String::new, |color| format!(", fill={color}"));
    let _ = writeln!(text, "\\draw[location{fill}] {at} circle [radius={RADIUS}];");
    if location.initial {
        let _ = writeln!(text, "\\draw {at} circle [radius={}];", RADIUS - 3.5);
    }
    let mark = match (location.committed, location.urgent) {
        (true, _) => "C",
        (_, true) => "U",
        _ => return,
    };
    let _ = writeln!(text, "\\node[mark] at {at} {{{mark}}};");
}

fn label_text(text: &mut String, label: &LabelFigure) {
    for (index, line) in label.lines.iter().enumerate() {
        let base = Point::new(label.at.x, label.at.y + LINE * (index as f64 + 1.0) - 3.5);
        let _ = writeln!(text, "\\node[{}] at {} {{{}}};", label.kind.xml_name(), point(base), escaped(line));
    }
}

fn point(at: Point) -> String {
    format!("({},{})", number(at.x), number(at.y))
}

/// `#rrggbb` as a colour that needs no definition.
fn color(text: &str) -> Option<String> {
    let color = super::color::normalised(text)?;
    let part = |at: usize| u8::from_str_radix(color.get(at..at + 2)?, 16).ok();
    Some(format!("{{rgb,255:red,{};green,{};blue,{}}}", part(1)?, part(3)?, part(5)?))
}

/// A text that TeX sets as it is.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => safe.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                safe.push('\\');
                safe.push(character);
            }
            '^' => safe.push_str("\\textasciicircum{}"),
            '~' => safe.push_str("\\textasciitilde{}"),
            '<' => safe.push_str("\\textless{}"),
            '>' => safe.push_str("\\textgreater{}"),
            '|' => safe.push_str("\\textbar{}"),
            '"' => safe.push_str("\\textquotedbl{}"),
            // A pair would become a dash.
            '-' => safe.push_str("{-}"),
            '→' => safe.push_str("$\\to$"),
            character if character.is_control() => safe.push(' '),
            character => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use guidepost_language::load_text;

    #[test]
    fn pictures_are_balanced_and_texts_stay_texts() {
        let text = "clock x; int under_score; chan c; process P() { state A { x <= 5 }, B, C; commit C; init A;
            trans A -> B { guard x >= 2 && under_score < 3; sync c!; assign x = 0; }, B -> C { }, C -> A { }; } system P;";
        let loaded = load_text("p.xta", text);
        let figures =
            loaded.document.templates.iter().map(|template| Figure::of(template, &loaded)).collect();
        let tikz = Sheet { figures }.tikz();
        assert!(tikz.contains("under\\_score \\textless{} 3"), "{tikz}");
        assert!(tikz.contains("\\node[mark]"), "committed is a letter");
        assert_eq!(tikz.matches("circle [radius=11]").count(), 3);
        assert_eq!(tikz.matches("\\draw[edge").count(), 3);
        assert_eq!(tikz.matches("\\begin").count(), tikz.matches("\\end{").count());
        // Braces that are not escaped are balanced on every line of the picture.
        let picture = tikz.split("\\begin{tikzpicture}").nth(1).unwrap();
        for line in picture.lines() {
            let plain = line.replace("\\{", "").replace("\\}", "");
            assert_eq!(plain.matches('{').count(), plain.matches('}').count(), "{line}");
        }
        assert!(!tikz.contains("NaN"));
    }

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(escaped("a_b{c}% #&$"), "a\\_b\\{c\\}\\% \\#\\&\\$");
        assert_eq!(
            escaped("x' \\ ^~|\"--"),
            "x' \\textbackslash{} \\textasciicircum{}\\textasciitilde{}\\textbar{}\\textquotedbl{}{-}{-}"
        );
        assert_eq!(color("#f80"), Some("{rgb,255:red,255;green,136;blue,0}".to_owned()));
        assert_eq!(color("\\write18"), None);
    }
}
