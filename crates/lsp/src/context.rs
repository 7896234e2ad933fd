//! Where in a text something is typed: in which template and function, behind which path of names, in which part of an XML file.

use crate::analysis::Analysis;
use crate::texts::Language;
use guidepost_language::model::TemplateId;
use guidepost_language::source::{FileId, Span};
use guidepost_language::syntax::Decl;

/// The surroundings of an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Context {
    /// Whether it is a place where code stands at all: no comment, no markup.
    pub(crate) is_code: bool,
    /// The template.
    pub(crate) template: Option<TemplateId>,
    /// Names declared in this stretch before the offset are visible: the function or edge around it.
    pub(crate) local: Option<(u32, u32)>,
    /// A query.
    pub(crate) is_query: bool,
    /// `P.`, `a[i].b.`: what stands in front of the name that is being typed.
    pub(crate) path: Option<Vec<String>>,
}

impl Context {
    pub(crate) fn of(analysis: &Analysis, file: FileId, offset: u32) -> Self {
        let text = analysis.text(file);
        let offset = crate::position::boundary(text, offset as usize);
        let is_xml = analysis.language == Language::Xml && file == FileId(0);
        let element = if is_xml { enclosing_element(text, offset) } else { None };
        let beside = analysis.beside.as_ref().is_some_and(|beside| beside.file == file);
        let is_code = match (is_xml, element) {
            (true, Some(name)) => {
                matches!(name, "declaration" | "system" | "label" | "parameter" | "formula")
            }
            (true, None) => false,
            (false, _) => !in_comment(text, offset),
        };
        let template = if beside { None } else { enclosing_template(analysis, file, offset as u32, is_xml) };
        Self {
            is_code,
            template,
            local: if beside { None } else { local(analysis, template, offset as u32, is_xml) },
            is_query: beside || element == Some("formula"),
            path: path(text, offset),
        }
    }
}

/// The name of the innermost XML element around an offset; none inside a tag or a comment.
fn enclosing_element(text: &str, offset: usize) -> Option<&str> {
    let before = &text[..offset];
    if let Some(open) = before.rfind("<!--")
        && !before[open..].contains("-->")
    {
        return None;
    }
    if let Some(open) = before.rfind("<![CDATA[")
        && !before[open..].contains("]]>")
    {
        return enclosing_element(text, open);
    }
    let open = before.rfind('<')?;
    let tag = &text[open..];
    let end = tag.find('>')?;
    if open + end >= offset || tag.starts_with("</") || tag[..end].ends_with('/') {
        return None;
    }
    let name = tag[1..end].split([' ', '\t', '\r', '\n']).next()?;
    Some(name)
}

/// Whether an offset of a plain text is in a comment. A comment of one line ends with it.
fn in_comment(text: &str, offset: usize) -> bool {
    let line = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    if text[line..offset].contains("//") {
        return true;
    }
    let before = &text[..offset];
    before.rfind("/*").is_some_and(|open| !before[open..].contains("*/"))
}

fn enclosing_template(analysis: &Analysis, file: FileId, offset: u32, is_xml: bool) -> Option<TemplateId> {
    let templates = analysis.loaded.document.templates.iter().enumerate();
    let mut around =
        templates.filter(|(_, template)| template.span.file == file && template.span.start <= offset);
    let (index, template) = around.next_back()?;
    let is_inside = if is_xml {
        // In XML, the span is that of the tag.
        !analysis.text(file)[template.span.start as usize..offset as usize].contains("</template")
    } else {
        offset <= template.span.end
    };
    is_inside.then_some(TemplateId(index as u32))
}

/// The function or the edge around an offset.
fn local(analysis: &Analysis, template: Option<TemplateId>, offset: u32, is_xml: bool) -> Option<(u32, u32)> {
    let document = &analysis.loaded.document;
    let template = template.and_then(|id| document.templates.get(id.index()));
    let own = template.map_or(&[][..], |template| &template.decls);
    let functions =
        document.decls.iter().chain(own).chain(&document.system.decls).filter_map(|decl| match decl {
            Decl::Function(function) => Some(function),
            _ => None,
        });
    let contains = |span: Span| span.start <= offset && offset <= span.end;
    for function in functions {
        if contains(function.name.span.to(function.body.span)) {
            return Some((function.name.span.start, function.body.span.end));
        }
    }
    let edges = template.map_or(&[][..], |template| &template.edges);
    if is_xml {
        let edge = edges.iter().rfind(|edge| edge.span.start <= offset)?;
        return Some((edge.span.start, offset));
    }
    edges.iter().find(|edge| contains(edge.span)).map(|edge| (edge.span.start, edge.span.end))
}

/// The names in front of the dot before an offset, outermost first, without indices and arguments.
fn path(text: &str, offset: usize) -> Option<Vec<String>> {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#');
    let mut at = offset;
    while at > 0 && is_word(bytes[at - 1]) {
        at -= 1;
    }
    let mut names = Vec::new();
    while at > 0 && bytes[at - 1] == b'.' {
        at -= 1;
        while at > 0 && matches!(bytes[at - 1], b')' | b']') {
            at = opening(bytes, at - 1)?;
        }
        let end = at;
        while at > 0 && is_word(bytes[at - 1]) {
            at -= 1;
        }
        if at == end {
            return None;
        }
        names.insert(0, text[at..end].to_owned());
    }
    (!names.is_empty()).then_some(names)
}

/// Where the bracket opens that closes at `at`; indices are short.
fn opening(bytes: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0;
    for index in (at.saturating_sub(1000)..=at).rev() {
        match bytes[index] {
            b')' | b']' => depth += 1,
            b'(' | b'[' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_skip_indices() {
        let of = |text: &str| path(text, text.len());
        let names = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(of("E<> P."), names(&["P"]));
        assert_eq!(of("P(a[1], 2).lo"), names(&["P"]));
        assert_eq!(of("x + s.inner[i][j]."), names(&["s", "inner"]));
        assert_eq!(of("x"), None);
        assert_eq!(of(" ."), None);
        assert_eq!(of("(x)."), None);
    }

    #[test]
    fn markup_is_no_code() {
        let text = "<nta><declaration>int a; // x > 3\n</declaration><label kind=\"guard\">a &lt; 3</label><!-- <name> --></nta>";
        let at = |what: &str| enclosing_element(text, text.find(what).unwrap());
        assert_eq!(at("int a"), Some("declaration"));
        assert_eq!(at("3\n"), Some("declaration"));
        assert_eq!(at("a &lt"), Some("label"));
        assert_eq!(at("kind"), None);
        assert_eq!(at("name"), None);
        assert!(in_comment("a /* b", 6) && !in_comment("a /* b */ c", 11) && in_comment("x // y", 6));
    }
}
