//! Markup as a tree of elements, with the place of every piece of text.
//!
//! The reader forgives as libxml2's recovering parser does: a lone `&` stands for itself, unquoted attributes are taken, a missing or
//! surplus end tag is reported and worked around. Documents are small, so the tree is built as a whole; that makes the order of children
//! irrelevant to those who read it.

use super::stray;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{FileId, Fragment, Span};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::ops::Range;

/// Deeper nesting than this is no model.
const MOST_DEPTH: usize = 100;

/// An element with everything inside it.
#[derive(Debug)]
pub struct Element {
    /// The name of the tag.
    pub name: String,
    /// In the order of the text.
    pub attributes: Vec<Attribute>,
    /// In the order of the text.
    pub children: Vec<Element>,
    /// The decoded text directly inside, piece by piece.
    text: Vec<(String, Range<u32>)>,
    /// The start tag.
    pub tag: Span,
    /// From the start tag to the end tag.
    pub span: Span,
}

/// `name="value"`
#[derive(Debug)]
pub struct Attribute {
    /// What stands before `=`.
    pub name: String,
    /// What stands between the quotation marks, decoded.
    pub value: String,
    /// Where the value stands.
    pub span: Span,
}

impl Element {
    /// An element with nothing in it, for those who make markup of something else.
    pub fn empty(name: &str, tag: Span) -> Self {
        let (attributes, children, text) = (Vec::new(), Vec::new(), Vec::new());
        Self { name: name.to_owned(), attributes, children, text, tag, span: tag }
    }

    /// The first child of a name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// All children of a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// An attribute.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The value of an attribute.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|attribute| attribute.value.as_str())
    }

    /// The text inside, located.
    pub fn fragment(&self) -> Fragment {
        let mut fragment = Fragment::empty(self.tag.file, self.tag.end);
        for (decoded, written) in &self.text {
            fragment.push(decoded, written.clone());
        }
        fragment
    }

    /// The text inside, without white space around it.
    pub fn content(&self) -> String {
        let text: String = self.text.iter().map(|(decoded, _)| decoded.as_str()).collect();
        text.trim().to_owned()
    }
}

/// Parses markup; the outermost element, if there is one.
pub fn parse(text: &str, file: FileId, out: &mut Diagnostics) -> Option<Element> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let tokens = stray::hidden(&text[start..]);
    let mut reader = Reader::from_str(&tokens);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    let mut builder = Builder { text, base: start, file, out, open: Vec::new(), root: None };
    loop {
        let before = start + reader.buffer_position() as usize;
        let event = reader.read_event();
        let range = before..start + reader.buffer_position() as usize;
        match event {
            Ok(Event::Eof) => break,
            Ok(event) => builder.event(&event, range, &tokens),
            Err(error) => {
                let at = start + reader.error_position() as usize;
                builder.report(at..range.end.min(at + 1), format!("the XML is broken here: {error}"));
                break;
            }
        }
    }
    builder.finish()
}

struct Builder<'a> {
    text: &'a str,
    /// Where the tokens begin in the text.
    base: usize,
    file: FileId,
    out: &'a mut Diagnostics,
    open: Vec<Element>,
    root: Option<Element>,
}

impl Builder<'_> {
    fn event(&mut self, event: &Event<'_>, range: Range<usize>, tokens: &str) {
        match event {
            Event::Start(tag) => self.start(tag, range, tokens),
            Event::Empty(tag) => {
                self.start(tag, range.clone(), tokens);
                self.close(range.end);
            }
            Event::End(tag) => self.end(tag.name().as_ref(), range),
            Event::Text(_) => self.push_text(range.clone(), range),
            Event::CData(_) => {
                let inner = range.start + "<![CDATA[".len()..range.end - "]]>".len();
                self.push_text(inner.clone(), inner);
            }
            Event::GeneralRef(_) => self.reference(range),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) | Event::Eof => {}
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>, range: Range<usize>, tokens: &str) {
        let span = self.span(range.clone());
        if self.open.len() == MOST_DEPTH {
            self.out.push(Diagnostic::new(Code::NestingTooDeep, span, "elements are nested too deeply"));
        }
        let attributes = self.attributes(tag, tokens);
        let name = tag.name().as_ref().to_owned();
        self.end_template_before(&name, range.start);
        self.open.push(Element { name, attributes, children: vec![], text: vec![], tag: span, span });
    }

    fn attributes(&mut self, tag: &BytesStart<'_>, tokens: &str) -> Vec<Attribute> {
        let mut list = Vec::new();
        for attribute in tag.html_attributes().with_checks(false).flatten() {
            let raw = &*attribute.value;
            // The value is a slice of the tokens, whose offsets are those of the text.
            let offset = (raw.as_ptr() as usize).wrapping_sub(tokens.as_ptr() as usize);
            let range = if offset <= tokens.len() {
                self.base + offset..self.base + offset + raw.len()
            } else {
                self.base..self.base
            };
            let span = self.span(range.clone());
            let written = &self.text[range];
            let value = quick_xml::escape::unescape(written).map_or_else(|_| written.to_owned(), Into::into);
            list.push(Attribute { name: attribute.key.as_ref().to_owned(), value, span });
        }
        list
    }

    fn end(&mut self, name: &str, range: Range<usize>) {
        let Some(depth) = self.open.iter().rposition(|element| element.name == name) else {
            self.report(range, format!("`</{name}>` closes nothing"));
            return;
        };
        while self.open.len() > depth + 1 {
            self.unclosed();
            self.close(range.start);
        }
        self.close(range.end);
    }

    /// A template has no template in it, nor what stands behind the templates: it ends where those begin, whether it is closed or not.
    fn end_template_before(&mut self, name: &str, at: usize) {
        let template = self.open.iter().position(|element| element.name == "template");
        let Some(depth) = template.filter(|_| matches!(name, "template" | "system" | "queries")) else {
            return;
        };
        while self.open.len() > depth {
            self.unclosed();
            self.close(at);
        }
    }

    fn unclosed(&mut self) {
        let Some(element) = self.open.last() else { return };
        let (span, name) = (element.tag, &element.name);
        let message = format!("`<{name}>` is not closed");
        self.out.push(Diagnostic::new(Code::MalformedXml, span, message).hint(format!("add `</{name}>`")));
    }

    fn close(&mut self, end: usize) {
        let Some(mut element) = self.open.pop() else { return };
        element.span.end = (end as u32).max(element.span.end);
        // Too deep: reported when it was opened, and left out so that nobody recurses into it.
        if self.open.len() >= MOST_DEPTH {
            return;
        }
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None if self.root.is_none() => self.root = Some(element),
            None => {
                let message = format!("`<{}>` stands behind the end of the model", element.name);
                self.out.push(Diagnostic::new(Code::MalformedXml, element.tag, message));
            }
        }
    }

    fn push_text(&mut self, decoded: Range<usize>, written: Range<usize>) {
        let text = self.text[decoded].to_owned();
        self.push_decoded(text, written);
    }

    fn push_decoded(&mut self, text: String, written: Range<usize>) {
        if let Some(element) = self.open.last_mut() {
            element.text.push((text, written.start as u32..written.end as u32));
        }
    }

    /// `&name;` or `&#number;`
    fn reference(&mut self, range: Range<usize>) {
        let written = &self.text[range.clone()];
        let name = &written[1..written.len() - 1];
        let decoded = match name.strip_prefix('#') {
            Some(number) => character(number).map(String::from),
            None => quick_xml::escape::resolve_predefined_entity(name).map(str::to_owned),
        };
        // `a && b; c`: written without a thought for XML.
        let plain =
            self.text[..range.start].ends_with('&') || !name.chars().all(|c| c.is_alphanumeric() || c == '#');
        match decoded {
            Some(decoded) => self.push_decoded(decoded, range),
            None if plain => self.push_text(range.clone(), range),
            None => {
                let span = self.span(range.clone());
                let message = format!("`{written}` is no character that XML knows");
                let meant = operator(name);
                let hint = match meant {
                    Some(meant) => format!("write `{}`", quick_xml::escape::escape(meant)),
                    None => "write `&amp;` for an ampersand".to_owned(),
                };
                self.out.push(Diagnostic::new(Code::MalformedXml, span, message).hint(hint));
                match meant {
                    Some(meant) => self.push_decoded(meant.to_owned(), range),
                    None => self.push_text(range.clone(), range),
                }
            }
        }
    }

    fn finish(mut self) -> Option<Element> {
        while !self.open.is_empty() {
            self.unclosed();
            self.close(self.text.len());
        }
        self.root
    }

    fn report(&mut self, range: Range<usize>, message: String) {
        let span = self.span(range);
        self.out.push(Diagnostic::new(Code::MalformedXml, span, message));
    }

    fn span(&self, range: Range<usize>) -> Span {
        let end = range.end.min(self.text.len());
        Span::new(self.file, range.start.min(end) as u32, end as u32)
    }
}

/// What is meant by an entity that HTML has and XML has not.
fn operator(name: &str) -> Option<&'static str> {
    Some(match name {
        "ge" | "geq" => ">=",
        "le" | "leq" => "<=",
        "ne" | "neq" => "!=",
        "and" | "land" => "&&",
        "or" | "lor" => "||",
        "not" | "lnot" => "!",
        "rarr" => "->",
        "minus" => "-",
        "times" => "*",
        "nbsp" => " ",
        _ => return None,
    })
}

fn character(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    code.ok().and_then(char::from_u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> (Element, Vec<String>) {
        let mut out = Diagnostics::default();
        let root = parse(text, FileId(0), &mut out).expect("a root");
        let messages = out.iter().map(|diagnostic| diagnostic.message.clone()).collect();
        (root, messages)
    }

    #[test]
    fn texts_lead_back_to_the_file() {
        let text = "\u{feff}<?xml version=\"1.0\"?>\n<!DOCTYPE a SYSTEM 'x'>\n<a>x &lt;= <!-- n --><![CDATA[y<z]]>&#65;</a>";
        let (root, messages) = tree(text);
        assert_eq!(messages, Vec::<String>::new());
        let fragment = root.fragment();
        assert_eq!(fragment.text, "x <= y<zA");
        for (decoded, written) in [(0..1, "x"), (2..3, "&lt;"), (5..6, "y"), (6..7, "<"), (8..9, "&#65;")] {
            assert_eq!(&text[fragment.span(decoded).range()], written);
        }
    }

    #[test]
    fn sloppy_texts_are_understood() {
        let (root, messages) = tree("<a>x < 5 && y<z & b; &&c; &lt 3</a>");
        assert_eq!(root.content(), "x < 5 && y<z & b; &&c; &lt 3");
        assert_eq!(messages, Vec::<String>::new());
        let (root, messages) = tree("<a>x &foo; y</a>");
        assert_eq!((root.content().as_str(), messages.len()), ("x &foo; y", 1));
    }

    #[test]
    fn broken_nesting_is_reported_and_mended() {
        let (root, messages) = tree("<a><b><c>1</b></d><e/></a>");
        let names: Vec<_> = root.children.iter().map(|child| child.name.as_str()).collect();
        assert_eq!(names, ["b", "e"]);
        assert_eq!(messages, ["`<c>` is not closed", "`</d>` closes nothing"]);
        let (root, messages) = tree("<a><b>1");
        assert_eq!(root.children[0].content(), "1");
        assert_eq!(messages.len(), 2);
        assert!(!tree("<a><!-- no end").1.is_empty());
    }

    #[test]
    fn attributes_are_located() {
        let text = "<a><b id='x' ref = \"y&amp;\" n=3/></a>";
        let (root, _) = tree(text);
        let attributes = &root.children[0].attributes;
        let found: Vec<_> =
            attributes.iter().map(|a| (a.name.as_str(), a.value.as_str(), &text[a.span.range()])).collect();
        assert_eq!(found, [("id", "x", "x"), ("ref", "y&", "y&amp;"), ("n", "3", "3")]);
    }

    #[test]
    fn deep_nesting_is_an_error_not_a_crash() {
        let text = "<a>".repeat(100_000);
        let mut out = Diagnostics::default();
        parse(&text, FileId(0), &mut out);
        assert!(out.iter().any(|diagnostic| diagnostic.code == Code::NestingTooDeep));
    }
}
