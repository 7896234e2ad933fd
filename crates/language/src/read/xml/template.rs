//! Templates: locations, branch points, edges, and their drawing.

use super::tree::{Attribute, Element};
use super::{Reader, point};
use crate::diagnostic::{Code, Diagnostic};
use crate::parse;
use crate::source::Fragment;
use crate::suggest;
use crate::syntax::{
    Branchpoint, Drawing, Edge, Ident, LabelKind, Location, Name, Node, Point, Template, TestCode,
};
use indexmap::IndexMap;

const EDGE_LABELS: &[LabelKind] = &[
    LabelKind::Select,
    LabelKind::Guard,
    LabelKind::Synchronisation,
    LabelKind::Assignment,
    LabelKind::Probability,
    LabelKind::Comments,
];
const LOCATION_LABELS: &[LabelKind] =
    &[LabelKind::Invariant, LabelKind::ExponentialRate, LabelKind::Comments];

/// The nodes of a template by their ids, with their names for messages.
type Nodes = IndexMap<String, (Node, Name)>;

impl Reader<'_> {
    pub(super) fn template(&mut self, element: &Element, index: usize) -> Template {
        let (name, name_at) = self.template_name(element, index);
        let owner = format!("template {}", name.name);
        self.sources.add_place(element.tag, owner.clone());
        let mut params = Vec::new();
        for parameter in element.all("parameter") {
            let text = self.located(parameter, format!("{owner}, parameter"));
            params.extend(parse::parameters(&text, self.dialect, self.out));
        }
        let mut decls = Vec::new();
        for declaration in element.all("declaration") {
            let text = self.located(declaration, format!("{owner}, declaration"));
            decls.extend(parse::declarations(&text, self.dialect, self.out));
        }
        let mut nodes = Nodes::new();
        let mut locations = Vec::new();
        for child in element.all("location") {
            let location = self.location(child, &owner);
            self.add_node(&mut nodes, child, Node::Location(locations.len()), &location.name.name);
            locations.push(location);
        }
        let mut branchpoints = Vec::new();
        for child in element.all("branchpoint") {
            let point = branchpoint(child, branchpoints.len());
            self.add_node(&mut nodes, child, Node::Branchpoint(branchpoints.len()), &point.name.name);
            branchpoints.push(point);
        }
        let init = self.initial(element, &nodes, &name.name);
        let edges = element.all("transition").filter_map(|child| self.edge(child, &nodes, &owner)).collect();
        let (mentions, span) = (Vec::new(), element.tag);
        Template { name, name_at, params, decls, locations, branchpoints, init, edges, mentions, span }
    }

    fn template_name(&mut self, element: &Element, index: usize) -> (Ident, Option<Point>) {
        let name = element.child("name");
        let text = name.map(|name| self.located(name, "the name of a template"));
        let ident = text.as_ref().and_then(|text| parse::identifier(text, self.out));
        let blank = text.as_ref().is_none_or(|text| text.text.trim().is_empty());
        if blank {
            let message = "this template has no name";
            let span = name.map_or(element.tag, |name| name.tag);
            let hint = "add `<name>Name</name>`";
            self.out.push(Diagnostic::new(Code::MissingElement, span, message).hint(hint));
        }
        let ident = ident.unwrap_or_else(|| Ident::new(format!("_template{}", index + 1), element.tag));
        (ident, name.and_then(point))
    }

    fn location(&mut self, element: &Element, owner: &str) -> Location {
        let (name, anonymous, name_at) = self.location_name(element, owner);
        let owner = format!("{owner}, location {}", name.name);
        self.sources.add_place(element.tag, owner.clone());
        let mut drawing = drawing(element);
        if let Some(at) = name_at.filter(|_| !anonymous) {
            drawing.labels.insert(0, (LabelKind::Name, at));
        }
        let labels = self.labels(element, LOCATION_LABELS, &owner, &mut drawing);
        let (mut invariant, mut exponential_rate) = (None, None);
        for (kind, text) in &labels {
            match kind {
                LabelKind::Invariant => invariant = parse::invariant(text, self.dialect, self.out),
                LabelKind::ExponentialRate => {
                    exponential_rate = parse::exponential_rate(text, self.dialect, self.out);
                }
                _ => {}
            }
        }
        Location {
            name,
            anonymous,
            invariant,
            exponential_rate,
            urgent: element.child("urgent").is_some(),
            committed: element.child("committed").is_some(),
            labels: Vec::new(),
            drawing,
            span: element.tag,
        }
    }

    fn location_name(&mut self, element: &Element, owner: &str) -> (Ident, bool, Option<Point>) {
        let name = element.child("name");
        let text = name.map(|name| self.located(name, format!("{owner}, the name of a location")));
        if let Some(ident) = text.as_ref().and_then(|text| parse::identifier(text, self.out)) {
            return (ident, false, name.and_then(point));
        }
        let id = element.value("id").unwrap_or("unnamed");
        (Ident::new(format!("_{id}"), element.tag), true, None)
    }

    fn add_node(&mut self, nodes: &mut Nodes, element: &Element, node: Node, name: &Name) {
        let Some(id) = element.attribute("id") else {
            let message = format!("this `<{}>` has no id: no edge can refer to it", element.name);
            let hint = "add an attribute `id`";
            self.out.push(Diagnostic::new(Code::MissingElement, element.tag, message).hint(hint));
            return;
        };
        if nodes.contains_key(&id.value) {
            let message = format!("the id `{}` is used twice in this template", id.value);
            let diagnostic = Diagnostic::new(Code::DuplicateId, id.span, message);
            self.out.push(diagnostic.hint("edges refer to the first one"));
            return;
        }
        nodes.insert(id.value.clone(), (node, name.clone()));
    }

    fn initial(&mut self, element: &Element, nodes: &Nodes, name: &Name) -> Option<usize> {
        let Some(init) = element.child("init") else {
            let message = format!("template `{name}` has no initial location");
            let hint = "add `<init ref=\"…\"/>` with the id of a location";
            let diagnostic = Diagnostic::new(Code::MissingInitialLocation, element.tag, message);
            self.out.push(diagnostic.hint(hint));
            return None;
        };
        match self.node(init, nodes)? {
            (Node::Location(index), _) => Some(index),
            (Node::Branchpoint(_), name) => {
                let message = format!("`{name}` is a branch point: it cannot be the initial location");
                self.out.push(Diagnostic::new(Code::UnknownLocation, init.tag, message));
                None
            }
        }
    }

    /// The node that the attribute `ref` of an element names.
    fn node<'n>(&mut self, element: &Element, nodes: &'n Nodes) -> Option<(Node, &'n Name)> {
        let Some(reference) = element.attribute("ref") else {
            let message = format!("this `<{}>` has no attribute `ref`", element.name);
            self.out.push(Diagnostic::new(Code::MissingElement, element.tag, message));
            return None;
        };
        if let Some((node, name)) = nodes.get(&reference.value) {
            return Some((*node, name));
        }
        self.out.push(unknown_node(reference, nodes));
        None
    }

    fn edge(&mut self, element: &Element, nodes: &Nodes, template: &str) -> Option<Edge> {
        let source = self.end("source", element, nodes);
        let target = self.end("target", element, nodes);
        let name = |end: &Option<(Node, &Name)>| end.map_or("?".into(), |(_, name)| name.clone());
        let owner = format!("{template}, edge {} → {}", name(&source), name(&target));
        self.sources.add_place(element.tag, owner.clone());
        let mut drawing = drawing(element);
        drawing.nails = element.all("nail").filter_map(point).collect();
        let labels = self.labels(element, EDGE_LABELS, &owner, &mut drawing);
        let mut edge = Edge {
            controllable: element.value("controllable") != Some("false"),
            drawing,
            ..Edge::plain(Node::Location(0), Node::Location(0), element.tag)
        };
        for (kind, text) in &labels {
            self.edge_label(&mut edge, *kind, text);
        }
        (edge.source, edge.target) = (source?.0, target?.0);
        Some(edge)
    }

    fn end<'n>(&mut self, name: &str, element: &Element, nodes: &'n Nodes) -> Option<(Node, &'n Name)> {
        let Some(end) = element.child(name) else {
            let message = format!("this transition has no `<{name}>`");
            self.out.push(Diagnostic::new(Code::MissingElement, element.tag, message));
            return None;
        };
        self.node(end, nodes)
    }

    fn edge_label(&mut self, edge: &mut Edge, kind: LabelKind, text: &Fragment) {
        match kind {
            LabelKind::Select => edge.select = parse::select(text, self.dialect, self.out),
            LabelKind::Guard => edge.guard = parse::guard(text, self.dialect, self.out),
            LabelKind::Synchronisation => edge.sync = parse::sync(text, self.dialect, self.out),
            LabelKind::Assignment => edge.update = parse::update(text, self.dialect, self.out),
            LabelKind::Probability => edge.probability = parse::probability(text, self.dialect, self.out),
            _ => {}
        }
    }

    /// The texts of the labels of the given kinds; positions and comments go to the drawing.
    fn labels(
        &mut self,
        element: &Element,
        kinds: &[LabelKind],
        owner: &str,
        drawing: &mut Drawing,
    ) -> Vec<(LabelKind, Fragment)> {
        let mut texts: Vec<(LabelKind, Fragment)> = Vec::new();
        for label in element.all("label") {
            if let Some(code) = test_code(label) {
                self.note_test_code(label);
                drawing.test_code.push(code);
                continue;
            }
            let Some(kind) = self.label_kind(label, kinds) else { continue };
            let text = self.located(label, format!("{owner}, {}", described(kind)));
            if text.text.trim().is_empty() {
                continue;
            }
            if let Some((_, first)) = texts.iter().find(|(other, _)| *other == kind) {
                let message = format!("a second `{}` label", kind.xml_name());
                let diagnostic = Diagnostic::new(Code::UnexpectedToken, text.whole_span(), message);
                self.out.push(diagnostic.related(first.whole_span(), "the first one"));
                continue;
            }
            if let Some(at) = point(label) {
                drawing.labels.push((kind, at));
            }
            if kind == LabelKind::Comments {
                drawing.comment = Some(text.text.clone());
            }
            texts.push((kind, text));
        }
        drawing.labels.sort_by_key(|(kind, _)| *kind);
        texts
    }

    /// Said once for a model: where there is test code, there is much of it.
    fn note_test_code(&mut self, label: &Element) {
        if !std::mem::replace(&mut self.has_test_code, true) {
            let message = "test code has no meaning here; it is kept where XML is written";
            self.out.push(Diagnostic::new(Code::Ignored, label.tag, message));
        }
    }

    fn label_kind(&mut self, label: &Element, kinds: &[LabelKind]) -> Option<LabelKind> {
        let Some(written) = label.attribute("kind") else {
            let message = "this label has no kind";
            self.out.push(Diagnostic::new(Code::MissingElement, label.tag, message));
            return None;
        };
        let found = kinds.iter().copied().find(|kind| kind.xml_name() == written.value);
        // An empty label says nothing.
        if found.is_none() && !label.content().is_empty() {
            self.out.push(unknown_kind(written, kinds));
        }
        found
    }
}

/// A guard or a synchronisation that is passed over makes another model of this one: that is an error. What has no meaning here anyway is not.
fn unknown_kind(written: &Attribute, kinds: &[LabelKind]) -> Diagnostic {
    let word = &written.value;
    let near = suggest::nearest(word, kinds.iter().map(|kind| kind.xml_name()));
    let meant = kinds.iter().copied().find(|kind| Some(kind.xml_name()) == near || is_alias(word, *kind));
    let diagnostic = match meant {
        Some(LabelKind::Comments) | None => {
            let message = format!("a label of kind `{word}` has no meaning here: it is ignored");
            Diagnostic::new(Code::Ignored, written.span, message)
        }
        Some(_) => {
            let message = format!("there is no label of kind `{word}`");
            Diagnostic::new(Code::UnexpectedToken, written.span, message)
        }
    };
    match meant {
        Some(meant) => diagnostic.hint(format!("did you mean `{}`?", meant.xml_name())),
        None => diagnostic,
    }
}

/// Words that people use for a kind of label.
fn is_alias(word: &str, kind: LabelKind) -> bool {
    let aliases: &[&str] = match kind {
        LabelKind::Synchronisation => &["sync", "synchronization", "synchronize", "channel"],
        LabelKind::Assignment => &["assign", "update", "updates", "reset", "action"],
        LabelKind::Guard => &["condition", "provided"],
        LabelKind::Invariant => &["inv"],
        LabelKind::ExponentialRate => &["rate", "exponential_rate", "exponential"],
        LabelKind::Probability => &["weight", "prob"],
        LabelKind::Comments => &["comment"],
        LabelKind::Name | LabelKind::Select => &[],
    };
    aliases.iter().any(|alias| alias.eq_ignore_ascii_case(word))
}

/// Code for a test generator, if the label is that.
fn test_code(label: &Element) -> Option<TestCode> {
    let kind = label.value("kind").filter(|kind| kind.starts_with("testcode"))?;
    let text = label.fragment().text;
    (!text.trim().is_empty()).then(|| TestCode { kind: kind.to_owned(), text, at: point(label) })
}

fn branchpoint(element: &Element, index: usize) -> Branchpoint {
    let (name, span) = match element.attribute("id") {
        Some(id) => (id.value.clone(), id.span),
        None => (format!("_branchpoint{}", index + 1), element.tag),
    };
    Branchpoint { name: Ident::new(name, span), drawing: drawing(element) }
}

fn drawing(element: &Element) -> Drawing {
    let color = element.value("color").map(str::to_owned);
    Drawing { at: point(element), color, ..Drawing::default() }
}

fn unknown_node(reference: &Attribute, nodes: &Nodes) -> Diagnostic {
    let message = format!("no location or branch point has the id `{}`", reference.value);
    let diagnostic = Diagnostic::new(Code::UnknownLocation, reference.span, message);
    if let Some((id, _)) = nodes.iter().find(|(_, (_, name))| **name == *reference.value) {
        return diagnostic.hint(format!("`{}` is a name; its id is `{id}`", reference.value));
    }
    match suggest::nearest(&reference.value, nodes.keys().map(String::as_str)) {
        Some(near) => {
            let name = nodes.get(near).map_or("", |(_, name)| &**name);
            diagnostic.hint(format!("did you mean `{near}` (`{name}`)?"))
        }
        None => diagnostic,
    }
}

/// What a label is called in messages.
fn described(kind: LabelKind) -> &'static str {
    match kind {
        LabelKind::Assignment => "update",
        LabelKind::ExponentialRate => "exponential rate",
        LabelKind::Comments => "comment",
        other => other.xml_name(),
    }
}
