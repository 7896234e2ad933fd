//! Reads UPPAAL's XML.
//!
//! The markup becomes a tree of elements first ([`tree`]), forgivingly; then each text in it becomes a fragment, its place in the model is
//! recorded, and the parser reads it. Children may stand in any order and unknown ones are skipped; a warning names those that would
//! have meant something (sequence charts, imports).

mod query;
mod stray;
mod template;
pub mod tree;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::parse::{self, Dialect};
use crate::source::{FileId, Fragment, SourceMap, Span};
use crate::syntax::{Document, Format, Point, System};
use tree::Element;

/// Reads an UPPAAL model in XML, its queries included.
pub fn read_xml(sources: &mut SourceMap, file: FileId, out: &mut Diagnostics) -> Document {
    let text = sources.file(file).text.clone();
    let Some(root) = tree::parse(&text, file, out) else {
        let span = Span::new(file, 0, 0);
        out.push(Diagnostic::new(Code::MissingElement, span, "there is no XML element in this file"));
        return Document::default();
    };
    if !matches!(root.name.as_str(), "nta" | "project") {
        let message = format!("the outermost element is `<{}>`, not `<nta>`", root.name);
        let hint = "this is XML, but not a model of UPPAAL";
        out.push(Diagnostic::new(Code::MissingElement, root.tag, message).hint(hint));
        return Document::default();
    }
    let mut reader = Reader { sources, out, dialect: dialect(&root), has_test_code: false };
    reader.document(&root)
}

/// The syntax of all texts of a model: one old construct makes it an old model.
fn dialect(root: &Element) -> Dialect {
    let mut texts: Vec<Fragment> = Vec::new();
    let mut parameters: Vec<Fragment> = Vec::new();
    for element in std::iter::once(root).chain(root.all("template")) {
        for name in ["declaration", "system", "instantiation"] {
            texts.extend(element.all(name).map(Element::fragment));
        }
        parameters.extend(element.all("parameter").map(Element::fragment));
    }
    let old_parameters = parameters.iter().any(Dialect::detect_parameters);
    if old_parameters { Dialect::Old } else { Dialect::detect(texts.iter().chain(&parameters)) }
}

struct Reader<'a> {
    sources: &'a mut SourceMap,
    out: &'a mut Diagnostics,
    dialect: Dialect,
    /// Whether test code has been met, and told of.
    has_test_code: bool,
}

impl Reader<'_> {
    fn document(&mut self, root: &Element) -> Document {
        let format = if self.dialect == Dialect::Old { Format::Old } else { Format::Xml };
        let mut document = Document { format, ..Document::default() };
        for child in &root.children {
            match child.name.as_str() {
                "declaration" => {
                    let text = self.located(child, "declaration");
                    document.decls.extend(parse::declarations(&text, self.dialect, self.out));
                }
                "template" => document.templates.push(self.template(child, document.templates.len())),
                "queries" => {
                    document.queries.extend(self.queries(child, document.queries.len()));
                    document.query_options.extend(query::options(child));
                }
                "lsc" => self.ignored(child, "a live sequence chart"),
                "imports" if !child.content().is_empty() => self.ignored(child, "an import"),
                _ => {}
            }
        }
        document.system = self.system(root);
        document
    }

    /// The system section; old files have their instantiations in an element of their own, in front of it.
    fn system(&mut self, root: &Element) -> System {
        let mut decls = Vec::new();
        for element in root.all("instantiation") {
            let text = self.located(element, "instantiation");
            decls.extend(parse::declarations(&text, self.dialect, self.out));
        }
        let Some(element) = root.child("system") else {
            // Broken markup may have swallowed it, and has been reported.
            if self.out.iter().any(|diagnostic| diagnostic.code == Code::MalformedXml) {
                return System { decls, ..System::default() };
            }
            let message = "there is no `<system>` element: no process is declared to run";
            let hint = "add `<system>system P, Q;</system>` behind the templates";
            self.out.push(Diagnostic::new(Code::MissingElement, root.tag, message).hint(hint));
            return System { decls, ..System::default() };
        };
        let text = self.located(element, "system declarations");
        let mut system = parse::system(&text, self.dialect, self.out);
        decls.append(&mut system.decls);
        System { decls, ..system }
    }

    /// The text of an element, its place recorded.
    fn located(&mut self, element: &Element, place: impl Into<String>) -> Fragment {
        let fragment = element.fragment();
        self.sources.add_place(fragment.whole_span(), place);
        fragment
    }

    fn ignored(&mut self, element: &Element, what: &str) {
        let name = element.child("name").map(Element::content).unwrap_or_default();
        let named = if name.is_empty() { String::new() } else { format!(" `{name}`") };
        let message = format!("{what}{named} is ignored");
        self.out.push(Diagnostic::new(Code::Ignored, element.tag, message));
    }
}

/// The position of an element, if it has one.
fn point(element: &Element) -> Option<Point> {
    let number = |name: &str| element.value(name).and_then(whole);
    Some(Point { x: number("x")?, y: number("y")? })
}

/// Coordinates are whole numbers, though some tools write fractions.
fn whole(text: &str) -> Option<i32> {
    let text = text.trim();
    text.parse().ok().or_else(|| text.parse::<f64>().ok().map(|value| value.round() as i32))
}

#[cfg(test)]
mod tests;
