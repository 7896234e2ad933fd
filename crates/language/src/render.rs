//! Diagnostics for people and for programs.
//!
//! For people: the message with its code, the file's own text underlined, the place in the model ("in template Train, edge Appr →
//! Stop, guard"), and hints, drawn by `annotate-snippets`. Only the lines concerned are handed to it: a declaration of thousands of
//! characters on one line is cut around the underlined part, a span over many lines is shown by its first.
//! For programs: a JSON list with lines and columns.

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::source::{SourceFile, SourceMap, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use serde_json::{Value, json};
use std::fmt::Write;
use std::ops::Range;

/// Spans over more lines than this are shown by their first line.
const MOST_LINES: usize = 5;

/// How diagnostics are shown.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// With ANSI colours.
    pub color: bool,
    /// Columns available.
    pub width: usize,
    /// At most so many messages; errors go first.
    pub limit: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, width: 120, limit: 100 }
    }
}

/// All messages as text, in the order of the list, with a closing line when some were left out.
pub fn render(diagnostics: &Diagnostics, sources: &SourceMap, style: Style) -> String {
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(style.width);
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count().min(style.limit);
    let mut places = [errors, style.limit - errors];
    let mut text = String::new();
    let mut hidden = 0;
    for diagnostic in diagnostics {
        let left = &mut places[usize::from(!diagnostic.is_error())];
        if *left == 0 {
            hidden += 1;
            continue;
        }
        *left -= 1;
        text.push_str(renderer.render(&[group(diagnostic, sources)]).trim_end());
        text.push_str("\n\n");
    }
    if hidden > 0 {
        let _ = writeln!(text, "… and {hidden} more");
    }
    text
}

/// One message as text.
pub fn render_one(diagnostic: &Diagnostic, sources: &SourceMap, style: Style) -> String {
    let mut one = Diagnostics::default();
    one.push(diagnostic.clone());
    render(&one, sources, style)
}

fn group<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Group<'a> {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.id());
    let mut group = Group::with_title(title);
    // A file that cannot be read has no text to show.
    if diagnostic.code != Code::UnreadableFile {
        for snippet in snippets(diagnostic, sources) {
            group = group.element(snippet);
        }
    }
    if let Some(place) = sources.file(diagnostic.span.file).place(diagnostic.span.start) {
        group = group.element(Level::NOTE.message(format!("in {place}")));
    }
    group.elements(diagnostic.hints.iter().map(|hint| Level::HELP.message(hint.as_str())))
}

/// A mark under the text of one file.
struct Mark<'a> {
    span: Span,
    label: &'a str,
    kind: AnnotationKind,
}

/// One snippet per file, the primary span's file first.
fn snippets<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Snippet<'a, Annotation<'a>>> {
    let primary = Mark { span: diagnostic.span, label: &diagnostic.label, kind: AnnotationKind::Primary };
    let related = diagnostic.related.iter().map(|(span, label)| Mark {
        span: *span,
        label,
        kind: AnnotationKind::Context,
    });
    let mut rest: Vec<_> = std::iter::once(primary).chain(related).collect();
    let mut snippets = Vec::new();
    while let Some(first) = rest.first() {
        let file = first.span.file;
        let (here, elsewhere) = rest.into_iter().partition(|mark| mark.span.file == file);
        snippets.push(snippet(sources.file(file), here));
        rest = elsewhere;
    }
    snippets
}

fn snippet<'a>(file: &'a SourceFile, marks: Vec<Mark<'a>>) -> Snippet<'a, Annotation<'a>> {
    let ranges: Vec<_> = marks.iter().map(|mark| shown(file, mark.span)).collect();
    let start = ranges.iter().map(|range| range.start).min().unwrap_or(0);
    let end = ranges.iter().map(|range| range.end).max().unwrap_or(0);
    let window = whole_lines(&file.text, start..end);
    let line = file.position(window.start as u32).line;
    let mut snippet = Snippet::source(&file.text[window.clone()]).path(file.name.as_str()).line_start(line);
    for (mark, range) in marks.into_iter().zip(ranges) {
        let within = |offset: usize| offset.min(window.end) - window.start;
        let annotation = mark.kind.span(within(range.start)..within(range.end));
        let label = Some(mark.label).filter(|label| !label.is_empty());
        snippet = snippet.annotation(match label {
            Some(label) => annotation.label(label),
            None => annotation,
        });
    }
    snippet
}

/// The part of a span that is underlined, on character boundaries.
fn shown(file: &SourceFile, span: Span) -> Range<usize> {
    let text = &file.text;
    let start = boundary(text, span.start as usize);
    let end = boundary(text, span.end as usize).max(start);
    let lines = text[start..end].matches('\n').count();
    let cut = if lines < MOST_LINES { end } else { text[start..].find('\n').map_or(end, |at| start + at) };
    // White space at the end of a span would only lengthen the underline.
    start..start + text[start..cut].trim_end().len()
}

fn boundary(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn whole_lines(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    start..start + text[start..end].trim_end_matches('\r').len()
}

/// The messages as a JSON list: code, severity, message, label, where, place, hints, related.
pub fn to_json(diagnostics: &Diagnostics, sources: &SourceMap) -> Value {
    diagnostics.iter().map(|diagnostic| json_of(diagnostic, sources)).collect()
}

fn json_of(diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
    let severity = match diagnostic.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let related: Vec<_> = diagnostic
        .related
        .iter()
        .map(|(span, label)| with_span(json!({ "label": label }), *span, sources))
        .collect();
    let head = json!({
        "code": diagnostic.code.id(),
        "severity": severity,
        "message": diagnostic.message,
        "label": diagnostic.label,
    });
    let mut value = with_span(head, diagnostic.span, sources);
    value["place"] = json!(sources.file(diagnostic.span.file).place(diagnostic.span.start));
    value["hints"] = json!(diagnostic.hints);
    value["related"] = Value::Array(related);
    value
}

fn with_span(mut value: Value, span: Span, sources: &SourceMap) -> Value {
    let file = sources.file(span.file);
    let (start, end) = (file.position(span.start), file.position(span.end));
    value["file"] = json!(file.name);
    value["line"] = json!(start.line);
    value["column"] = json!(start.column);
    value["end_line"] = json!(end.line);
    value["end_column"] = json!(end.column);
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::source::FileId;

    fn sources(text: &str) -> (SourceMap, FileId) {
        let mut sources = SourceMap::default();
        let file = sources.add("train.xml", text);
        (sources, file)
    }

    fn all(diagnostic: Diagnostic) -> Diagnostics {
        let mut list = Diagnostics::default();
        list.push(diagnostic);
        list
    }

    #[test]
    fn the_text_is_underlined_and_the_place_is_named() {
        let (mut sources, file) = sources("clock x;\n\tguard x <= lenght\n");
        sources.add_place(Span::new(file, 10, 27), "template Train, edge Appr → Stop, guard");
        let span = Span::new(file, 21, 27);
        let diagnostic = Diagnostic::new(Code::UnknownName, span, "`lenght` is not declared")
            .label("unknown name")
            .related(Span::new(file, 6, 7), "declared here")
            .hint("did you mean `length`?");
        let text = render(&all(diagnostic), &sources, Style::default());
        insta::assert_snapshot!(text, @r"
        error[E020]: `lenght` is not declared
         --> train.xml:2:13
          |
        1 | clock x;
          |       - declared here
        2 |     guard x <= lenght
          |                ^^^^^^ unknown name
          |
          = note: in template Train, edge Appr → Stop, guard
          = help: did you mean `length`?
        ");
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let line = "x".repeat(4000) + " bad " + &"y".repeat(4000);
        let (sources, file) = sources(&line);
        let diagnostic = Diagnostic::new(Code::UnknownName, Span::new(file, 4001, 4004), "no").label("here");
        let text = render(&all(diagnostic), &sources, Style::default());
        assert!(text.lines().all(|line| line.chars().count() < 160), "{text}");
        assert!(text.contains("bad") && text.contains("^^^ here"), "{text}");
    }

    #[test]
    fn a_span_over_many_lines_is_shown_by_its_first() {
        let (sources, file) = sources(&"one line\n".repeat(50));
        let diagnostic = Diagnostic::new(Code::UnknownName, Span::new(file, 4, 200), "no");
        let text = render(&all(diagnostic), &sources, Style::default());
        assert!(text.lines().count() < 8, "{text}");
    }

    #[test]
    fn errors_come_before_warnings_when_there_are_too_many() {
        let (sources, file) = sources(&"a ".repeat(300));
        let mut list = Diagnostics::default();
        for at in 0..150 {
            list.push(Diagnostic::new(Code::UnusedVariable, Span::new(file, 2 * at, 2 * at + 1), "unused"));
        }
        list.push(Diagnostic::new(Code::UnknownName, Span::new(file, 400, 401), "wrong"));
        let text = render(&list, &sources, Style::default());
        assert!(text.contains("wrong"));
        assert!(text.ends_with("… and 51 more\n"), "{text}");
    }

    #[test]
    fn json_has_lines_and_columns() {
        let (mut sources, file) = sources("ab\ncd ef\n");
        sources.add_place(Span::new(file, 3, 8), "declaration");
        let diagnostic = Diagnostic::new(Code::UnknownName, Span::new(file, 6, 8), "no").hint("yes");
        let value = to_json(&all(diagnostic), &sources);
        assert_eq!(
            value.to_string(),
            r#"[{"code":"E020","severity":"error","message":"no","label":"","file":"train.xml","line":2,"column":4,"end_line":2,"end_column":6,"place":"declaration","hints":["yes"],"related":[]}]"#
        );
    }

    #[test]
    fn an_empty_span_at_the_end_of_the_file_is_fine() {
        let (sources, file) = sources("abc");
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, Span::new(file, 3, 3), "expected `;`");
        assert!(render(&all(diagnostic), &sources, Style::default()).contains("train.xml:1:4"));
    }
}
