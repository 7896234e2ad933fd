//! UPPAAL's XML, DTD flat-1_6.
//!
//! Positions, nails, colours and label positions are those of the tree; a template without any is laid out by [`layout`].
//! Locations without a name keep the id their made-up name was built from, so that queries go on finding them.

use super::query::description;
use super::{Printer, layout, portable};
use crate::diagnostic::Diagnostics;
use crate::source::SourceMap;
use crate::syntax::{Document, Drawing, Edge, Expectation, LabelKind, Location, Node, Point, Template};
use std::collections::HashSet;
use std::fmt::Write;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
";

/// Writes a model with its queries as UPPAAL XML.
///
/// # Errors
/// What the format cannot say, each with the code `E010`.
pub fn to_xml(document: &Document, sources: &SourceMap) -> Result<String, Diagnostics> {
    let mut printer = Printer::new(sources);
    let mut document = portable::document(document, &mut printer.errors).into_owned();
    portable::check_names(&document, &mut printer.errors);
    document.templates.iter_mut().for_each(layout::place);
    let mut writer = Writer { printer, xml: String::from(HEAD), ids: Ids::new(&document) };
    writer.document(&document);
    writer.printer.finish()?;
    Ok(writer.xml)
}

struct Writer<'a> {
    /// Prints the texts inside the elements.
    printer: Printer<'a>,
    xml: String,
    ids: Ids,
}

impl Writer<'_> {
    fn document(&mut self, document: &Document) {
        self.xml.push_str("<nta>\n");
        let text = self.printer.aside(|p| p.decls(&document.decls));
        self.element(1, "declaration", "", &text);
        for template in &document.templates {
            self.template(template);
        }
        let text = self.printer.aside(|p| p.system(&document.system));
        self.element(1, "system", "", &text);
        self.queries(document);
        self.xml.push_str("</nta>\n");
    }

    fn open(&mut self, depth: usize, tag: &str, attributes: &str) {
        let _ = writeln!(self.xml, "{}<{tag}{attributes}>", "\t".repeat(depth));
    }

    fn close(&mut self, depth: usize, tag: &str) {
        let _ = writeln!(self.xml, "{}</{tag}>", "\t".repeat(depth));
    }

    fn empty(&mut self, depth: usize, tag: &str, attributes: &str) {
        let _ = writeln!(self.xml, "{}<{tag}{attributes}/>", "\t".repeat(depth));
    }

    fn element(&mut self, depth: usize, tag: &str, attributes: &str, text: &str) {
        let _ = writeln!(self.xml, "{}<{tag}{attributes}>{}</{tag}>", "\t".repeat(depth), escaped(text));
    }

    fn template(&mut self, template: &Template) {
        let ids = self.ids.of(template);
        self.open(1, "template", "");
        self.element(2, "name", &position(template.name_at), &template.name.name);
        if !template.params.is_empty() {
            let text = self.printer.aside(|p| p.params(&template.params));
            self.element(2, "parameter", "", &text);
        }
        if !template.decls.is_empty() {
            let text = self.printer.aside(|p| p.decls(&template.decls));
            self.element(2, "declaration", "", &text);
        }
        for (location, id) in template.locations.iter().zip(&ids.locations) {
            self.location(location, id);
        }
        for (point, id) in template.branchpoints.iter().zip(&ids.branchpoints) {
            self.open(2, "branchpoint", &node_attributes(id, &point.drawing));
            self.close(2, "branchpoint");
        }
        if let Some(init) = template.init {
            self.empty(2, "init", &attribute("ref", &ids.locations[init]));
        }
        for edge in &template.edges {
            self.transition(edge, &ids);
        }
        self.close(1, "template");
    }

    fn location(&mut self, location: &Location, id: &str) {
        self.open(2, "location", &node_attributes(id, &location.drawing));
        // An anonymous location whose id had to change keeps its name explicitly.
        if !location.anonymous || location.name.name.strip_prefix('_') != Some(id) {
            let at = label_position(&location.drawing, LabelKind::Name);
            self.element(3, "name", &position(at), &location.name.name);
        }
        if let Some(invariant) = &location.invariant {
            let text = self.printer.aside(|p| p.expr(invariant));
            self.label(&location.drawing, LabelKind::Invariant, &text);
        }
        if let Some((rate, divisor)) = &location.exponential_rate {
            let text = self.printer.aside(|p| p.rate(rate, divisor.as_ref()));
            self.label(&location.drawing, LabelKind::ExponentialRate, &text);
        }
        self.annotations(&location.drawing);
        if location.urgent {
            self.empty(3, "urgent", "");
        }
        if location.committed {
            self.empty(3, "committed", "");
        }
        self.close(2, "location");
    }

    fn transition(&mut self, edge: &Edge, ids: &TemplateIds) {
        let mut attributes = String::new();
        if !edge.controllable {
            attributes += &attribute("controllable", "false");
        }
        if let Some(color) = &edge.drawing.color {
            attributes += &attribute("color", color);
        }
        self.open(2, "transition", &attributes);
        self.empty(3, "source", &attribute("ref", ids.node(edge.source)));
        self.empty(3, "target", &attribute("ref", ids.node(edge.target)));
        self.edge_labels(edge);
        for nail in &edge.drawing.nails {
            self.empty(3, "nail", &position(Some(*nail)));
        }
        self.close(2, "transition");
    }

    fn edge_labels(&mut self, edge: &Edge) {
        if !edge.select.is_empty() {
            let text = self.printer.aside(|p| p.binders(&edge.select));
            self.label(&edge.drawing, LabelKind::Select, &text);
        }
        if let Some(guard) = &edge.guard {
            let text = self.printer.aside(|p| p.expr(guard));
            self.label(&edge.drawing, LabelKind::Guard, &text);
        }
        if let Some(sync) = &edge.sync {
            let text = self.printer.aside(|p| p.sync(sync));
            self.label(&edge.drawing, LabelKind::Synchronisation, &text);
        }
        if !edge.update.is_empty() {
            let text = self.printer.aside(|p| p.exprs(&edge.update));
            self.label(&edge.drawing, LabelKind::Assignment, &text);
        }
        if let Some(weight) = &edge.probability {
            let text = self.printer.aside(|p| p.expr(weight));
            self.label(&edge.drawing, LabelKind::Probability, &text);
        }
        self.annotations(&edge.drawing);
    }

    fn label(&mut self, drawing: &Drawing, kind: LabelKind, text: &str) {
        let attributes = attribute("kind", kind.xml_name()) + &position(label_position(drawing, kind));
        self.element(3, "label", &attributes, text);
    }

    /// Comments and test code.
    fn annotations(&mut self, drawing: &Drawing) {
        if let Some(comment) = &drawing.comment {
            self.label(drawing, LabelKind::Comments, comment);
        }
        for code in &drawing.test_code {
            let attributes = attribute("kind", &code.kind) + &position(code.at);
            self.element(3, "label", &attributes, &code.text);
        }
    }

    fn options(&mut self, depth: usize, options: &[(String, String)]) {
        for (key, value) in options {
            self.empty(depth, "option", &(attribute("key", key) + &attribute("value", value)));
        }
    }

    fn queries(&mut self, document: &Document) {
        if document.queries.is_empty() && document.query_options.is_empty() {
            return;
        }
        self.open(1, "queries", "");
        self.options(2, &document.query_options);
        for query in &document.queries {
            self.open(2, "query", "");
            self.element(3, "formula", "", &query.text);
            self.element(3, "comment", "", &description(query));
            self.options(3, &query.options);
            if let Some(expect) = query.expect {
                let symbolic = |outcome| attribute("outcome", outcome) + &attribute("type", "symbolic");
                let attributes = match expect {
                    Expectation::Satisfied => symbolic("success"),
                    Expectation::NotSatisfied => symbolic("failure"),
                    Expectation::Value(value) => {
                        let value = attribute("value", &value.to_string());
                        attribute("outcome", "success") + &attribute("type", "value") + &value
                    }
                };
                self.empty(3, "expect", &attributes);
            }
            self.close(2, "query");
        }
        self.close(1, "queries");
    }
}

/// Hands out ids that are unique in the file, keeping those that names are made of.
struct Ids {
    used: HashSet<String>,
    /// Ids that some anonymous location or branch point asks for.
    wanted: HashSet<String>,
    next: usize,
}

struct TemplateIds {
    locations: Vec<String>,
    branchpoints: Vec<String>,
}

impl Ids {
    fn new(document: &Document) -> Self {
        let wishes = document.templates.iter().flat_map(|template| {
            let locations = template.locations.iter().filter_map(wish);
            locations.chain(template.branchpoints.iter().map(|point| &*point.name.name))
        });
        Self { used: HashSet::new(), wanted: wishes.map(str::to_owned).collect(), next: 0 }
    }

    fn of(&mut self, template: &Template) -> TemplateIds {
        let locations = template.locations.iter().map(|location| self.take(wish(location))).collect();
        let points = template.branchpoints.iter().map(|point| self.take(Some(&point.name.name))).collect();
        TemplateIds { locations, branchpoints: points }
    }

    fn take(&mut self, wish: Option<&str>) -> String {
        if let Some(wish) = wish
            && self.used.insert(wish.to_owned())
        {
            return wish.to_owned();
        }
        loop {
            let id = format!("id{}", self.next);
            self.next += 1;
            if !self.wanted.contains(&id) && self.used.insert(id.clone()) {
                return id;
            }
        }
    }
}

fn wish(location: &Location) -> Option<&str> {
    if location.anonymous { location.name.name.strip_prefix('_') } else { None }
}

impl TemplateIds {
    fn node(&self, node: Node) -> &str {
        match node {
            Node::Location(index) => &self.locations[index],
            Node::Branchpoint(index) => &self.branchpoints[index],
        }
    }
}

fn node_attributes(id: &str, drawing: &Drawing) -> String {
    let color = drawing.color.as_deref().map_or(String::new(), |color| attribute("color", color));
    attribute("id", id) + &position(drawing.at) + &color
}

fn label_position(drawing: &Drawing, kind: LabelKind) -> Option<Point> {
    drawing.labels.iter().find(|(found, _)| *found == kind).map(|(_, at)| *at)
}

fn position(at: Option<Point>) -> String {
    at.map_or(String::new(), |at| format!(" x=\"{}\" y=\"{}\"", at.x, at.y))
}

fn attribute(key: &str, value: &str) -> String {
    format!(" {key}=\"{}\"", quick_xml::escape::escape(value))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
