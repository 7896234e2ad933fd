//! The labels of locations and edges, for drawings.
//!
//! Authors break long labels into lines so that they fit into their drawing; a label is therefore shown in the author's own words and lines
//! wherever these can be found again, and printed from the tree where they cannot (`TChecker` models, controllers, made-up parts).

use super::{Printer, written_text};
use crate::source::{SourceMap, Span};
use crate::syntax::{Edge, Format, LabelKind, Location, Template};

/// The labels of a location that has any, in the order in which they are drawn. The name comes first, unless it was made up.
pub fn location_labels(location: &Location, format: Format, sources: &SourceMap) -> Vec<(LabelKind, String)> {
    let mut labels = Vec::new();
    if !location.anonymous {
        labels.push((LabelKind::Name, location.name.name.to_string()));
    }
    if let Some(invariant) = &location.invariant {
        let text = own_words(invariant.span, format, sources)
            .unwrap_or_else(|| Printer::new(sources).aside(|p| p.expr(invariant)));
        labels.push((LabelKind::Invariant, text));
    }
    if let Some((rate, None)) = &location.exponential_rate {
        labels.push((LabelKind::ExponentialRate, Printer::new(sources).aside(|p| p.expr(rate))));
    }
    labels
}

/// The labels of an edge, in the order in which they are drawn.
pub fn edge_labels(edge: &Edge, format: Format, sources: &SourceMap) -> Vec<(LabelKind, String)> {
    let mut printer = Printer::new(sources);
    let mut labels = Vec::new();
    if !edge.select.is_empty() {
        labels.push((LabelKind::Select, printer.aside(|p| p.binders(&edge.select))));
    }
    if let Some(guard) = &edge.guard {
        let text = own_words(guard.span, format, sources).unwrap_or_else(|| printer.aside(|p| p.expr(guard)));
        labels.push((LabelKind::Guard, text));
    }
    if let Some(sync) = &edge.sync {
        labels.push((LabelKind::Synchronisation, printer.aside(|p| p.sync(sync))));
    }
    if let (Some(first), Some(last)) = (edge.update.first(), edge.update.last()) {
        let text = own_words(first.span.to(last.span), format, sources)
            .unwrap_or_else(|| printer.aside(|p| p.exprs(&edge.update)));
        labels.push((LabelKind::Assignment, text));
    }
    if let Some(weight) = &edge.probability {
        labels.push((LabelKind::Probability, printer.aside(|p| p.expr(weight))));
    }
    labels
}

/// The name of a template with its parameters.
pub fn heading(template: &Template, sources: &SourceMap) -> String {
    let mut printer = Printer::new(sources);
    printer.push(&template.name.name);
    if !template.params.is_empty() {
        printer.push("(");
        printer.params(&template.params);
        printer.push(")");
    }
    printer.text
}

/// The text of a span as it was written, without the space around and at the ends of its lines.
fn own_words(span: Span, format: Format, sources: &SourceMap) -> Option<String> {
    if matches!(format, Format::Tck | Format::Plc) {
        return None;
    }
    let text = written_text(sources, span);
    // The span of a whole expression can reach out of its label only by mistake; nobody wants to see tags in a drawing.
    if text.trim().is_empty() || text.contains("</") {
        return None;
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_the_lines_of_their_author() {
        let text = "<nta><declaration>clock x; int i;</declaration><template><name>P</name>
            <location id=\"a\"><name>A</name><label kind=\"invariant\">x &lt;= 5</label></location><init ref=\"a\"/>
            <transition><source ref=\"a\"/><target ref=\"a\"/>
            <label kind=\"guard\">x &gt;= 2 &amp;&amp;\n   i &lt; 3</label>
            <label kind=\"assignment\">i = 1,\nx = 0</label></transition></template><system>system P;</system></nta>";
        let loaded = crate::load_text("p.xml", text);
        let template = &loaded.document.templates[0];
        let format = loaded.model.format;
        let of = |labels: Vec<(LabelKind, String)>, kind| {
            labels.into_iter().find(|(found, _)| *found == kind).map(|(_, text)| text)
        };
        let location = location_labels(&template.locations[0], format, &loaded.sources);
        assert_eq!(location.len(), 2);
        assert_eq!(of(location, LabelKind::Invariant).as_deref(), Some("x <= 5"));
        let edge = || edge_labels(&template.edges[0], format, &loaded.sources);
        assert_eq!(of(edge(), LabelKind::Guard).as_deref(), Some("x >= 2 &&\ni < 3"));
        assert_eq!(of(edge(), LabelKind::Assignment).as_deref(), Some("i = 1,\nx = 0"));
        assert_eq!(of(edge(), LabelKind::Select), None);
    }

    #[test]
    fn tchecker_models_are_printed() {
        let text = "system:s\nclock:1:x\nevent:e\nprocess:P\nlocation:P:a{initial:}\nedge:P:a:a:e{provided: x>=2 : do: x=0}";
        let loaded = crate::load_text("s.tck", text);
        let template = &loaded.document.templates[0];
        let labels = edge_labels(&template.edges[0], loaded.model.format, &loaded.sources);
        assert!(labels.contains(&(LabelKind::Guard, "x >= 2".to_owned())), "{labels:?}");
    }
}
