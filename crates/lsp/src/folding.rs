//! What can be folded away: bodies in braces, comments, elements of XML files.

use crate::analysis::Analysis;
use crate::texts::Language;
use guidepost_language::source::FileId;
use lsp_types::{FoldingRange, FoldingRangeKind};

/// The parts of a file that span several lines.
pub(crate) fn foldings(analysis: &Analysis, file: FileId) -> Vec<FoldingRange> {
    let text = analysis.text(file);
    let is_xml = analysis.language == Language::Xml && file == FileId(0);
    let found = if is_xml { elements(text) } else { bodies(text) };
    let lines = &analysis.part(file).lines;
    let ranges = found
        .into_iter()
        .map(|(start, end, is_comment)| (lines.line(start as u32), lines.line(end as u32), is_comment));
    let several = ranges.filter(|(start, end, _)| start < end);
    several.map(|(start_line, end_line, is_comment)| folding(start_line, end_line, is_comment)).collect()
}

fn folding(start_line: u32, end_line: u32, is_comment: bool) -> FoldingRange {
    FoldingRange {
        start_line,
        start_character: None,
        // The closing brace or tag stays visible.
        end_line: if is_comment { end_line } else { end_line - 1 },
        end_character: None,
        kind: is_comment.then_some(FoldingRangeKind::Comment),
        collapsed_text: None,
    }
}

/// From where to where, and whether it is a comment.
type Part = (usize, usize, bool);

/// Braces and comments of a plain text.
fn bodies(text: &str) -> Vec<Part> {
    let bytes = text.as_bytes();
    let (mut parts, mut open, mut at) = (Vec::new(), Vec::new(), 0);
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(bytes.len(), |end| at + end);
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = text[at + 2..].find("*/").map_or(bytes.len(), |end| at + 2 + end + 2);
                parts.push((at, end.min(bytes.len()).saturating_sub(1), true));
                at = end;
                continue;
            }
            b'{' => open.push(at),
            b'}' => parts.extend(open.pop().map(|start| (start, at, false))),
            _ => {}
        }
        at += 1;
    }
    parts.sort_unstable();
    parts
}

/// Elements and comments of XML.
fn elements(text: &str) -> Vec<Part> {
    let (mut parts, mut open, mut at) = (Vec::new(), Vec::<(usize, &str)>::new(), 0);
    while let Some(found) = text[at..].find('<') {
        at += found;
        let rest = &text[at..];
        let end = |pattern: &str| rest.find(pattern).map_or(text.len(), |end| at + end + pattern.len());
        if rest.starts_with("<!--") {
            parts.push((at, end("-->") - 1, true));
            at = end("-->");
        } else if rest.starts_with("<![CDATA[") {
            at = end("]]>");
        } else if let Some(name) = rest.strip_prefix("</") {
            let name = &name[..name.find('>').unwrap_or(name.len())].trim_end();
            // A tag that is not closed ends with the one around it.
            if let Some(depth) = open.iter().rposition(|(_, open)| open == name) {
                parts.push((open[depth].0, at, false));
                open.truncate(depth);
            }
            at = end(">");
        } else {
            let close = end(">");
            let tag = &text[at + 1..close.max(at + 1)];
            let name =
                tag.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next().unwrap_or_default();
            if !tag.ends_with("/>") && !tag.starts_with(['?', '!']) && !name.is_empty() {
                open.push((at, name));
            }
            at = close;
        }
    }
    parts.sort_unstable();
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_and_comments() {
        let text = "/* a\n b */ process P() {\n // {\n  state A { x };\n}";
        let process = text.find('{').unwrap();
        let label = text.rfind('{').unwrap();
        assert_eq!(bodies(text), [(0, 9, true), (process, text.len() - 1, false), (label, label + 4, false)]);
        assert!(bodies("}}{{ /*").iter().all(|part| part.2));
    }

    #[test]
    fn elements_end_with_their_tags() {
        let text = "<?xml?><!DOCTYPE nta><nta>\n<a>\n<b/><c>\n</a>\n<!-- <d> -->\n</nta>";
        let parts = elements(text);
        assert_eq!(parts.len(), 3, "{parts:?}");
        assert!(elements("<a <b> </").is_empty());
    }
}
