//! From a file to a checked model, in one call.

use crate::check::{self, Index};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::model::{Model, Query};
use crate::parse;
use crate::read;
use crate::source::{FileId, Fragment, SourceMap, Span};
use crate::syntax::{Document, QueryEntry};
use std::path::Path;

/// Models larger than this are refused: positions are 32-bit, and nobody wrote them by hand.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// Everything that is known about a model file after reading it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The texts, for messages.
    pub sources: SourceMap,
    /// What stands in the file.
    pub document: Document,
    /// What it means; only to be trusted when [`Loaded::diagnostics`] has no errors.
    pub model: Model,
    /// What is wrong with the model.
    pub diagnostics: Diagnostics,
    /// What is wrong with its stored queries. A broken query does not spoil the model.
    pub query_diagnostics: Diagnostics,
}

/// How a text is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TextFormat {
    Xml,
    Xta,
    Tck,
}

/// Reads a model file, and the `.q` file beside it when the model itself stores no queries.
pub fn load_file(path: &Path) -> Loaded {
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::default();
    let name = path.display().to_string();
    let Some(text) = read_text(path, &name, &mut sources, &mut diagnostics) else {
        return Loaded {
            sources,
            document: Document::default(),
            model: Model::default(),
            diagnostics,
            query_diagnostics: Diagnostics::default(),
        };
    };
    let file = sources.add(name, text);
    let mut document = read_document(&mut sources, file, path, &mut diagnostics);
    let mut query_diagnostics = take_query_diagnostics(&document, &mut diagnostics);
    let beside = path.with_extension("q");
    if document.queries.is_empty() && is_model(&diagnostics) && beside != path && beside.is_file() {
        document.queries = load_queries(&beside, &mut sources, &mut query_diagnostics);
    }
    finish(sources, document, diagnostics, query_diagnostics)
}

/// Reads a model from a text; the name's extension says how.
pub fn load_text(name: &str, text: &str) -> Loaded {
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::default();
    let file = sources.add(name, text);
    let document = read_document(&mut sources, file, Path::new(name), &mut diagnostics);
    let query_diagnostics = take_query_diagnostics(&document, &mut diagnostics);
    finish(sources, document, diagnostics, query_diagnostics)
}

/// A model with everything that an editor wants to know about its names.
#[derive(Clone, Debug)]
pub struct Indexed {
    /// The model, as [`load_file`] would read it.
    pub loaded: Loaded,
    /// Its names, and those of the queries.
    pub index: Index,
    /// The text of the queries beside the model, if there is one.
    pub queries: Option<Beside>,
}

/// A file of queries that lies beside a model.
#[derive(Clone, Debug)]
pub struct Beside {
    /// Its text.
    pub file: FileId,
    /// What stands there.
    pub entries: Vec<QueryEntry>,
    /// What is wrong with it.
    pub diagnostics: Diagnostics,
}

/// Reads a model from a text, with the queries beside it: a name and a text. They count as the model's where it stores none itself.
pub fn load_indexed(name: &str, text: &str, queries: Option<(&str, &str)>) -> Indexed {
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::default();
    let file = sources.add(name, text);
    let mut document = read_document(&mut sources, file, Path::new(name), &mut diagnostics);
    let mut query_diagnostics = take_query_diagnostics(&document, &mut diagnostics);
    let stores_queries = !document.queries.is_empty();
    let mut beside = queries.map(|(name, text)| {
        let file = sources.add(name, text);
        let mut diagnostics = Diagnostics::default();
        let entries = parse::queries(&Fragment::whole(file, text), &mut diagnostics);
        Beside { file, entries, diagnostics }
    });
    if let Some(beside) = beside.as_ref().filter(|_| !stores_queries && is_model(&diagnostics)) {
        document.queries.clone_from(&beside.entries);
        query_diagnostics.extend(beside.diagnostics.clone());
    }
    let (mut model, mut index) = check::check_indexed(&document, &mut diagnostics, &mut query_diagnostics);
    if let Some(beside) = &mut beside {
        if stores_queries {
            let (entries, out) = (&beside.entries, &mut beside.diagnostics);
            check::check_more_queries(&mut model, &mut index, entries, out);
        } else {
            beside.diagnostics.clone_from(&query_diagnostics);
        }
        if diagnostics.has_errors() {
            beside.diagnostics = without_unknown_names(&beside.diagnostics);
        }
        beside.diagnostics.sort();
    }
    let loaded = finished(sources, document, model, diagnostics, query_diagnostics);
    Indexed { loaded, index, queries: beside }
}

/// Whether what was read looked like a model at all.
fn is_model(diagnostics: &Diagnostics) -> bool {
    !diagnostics.iter().any(|diagnostic| diagnostic.code == Code::UnknownFormat)
}

fn finish(
    sources: SourceMap,
    document: Document,
    mut diagnostics: Diagnostics,
    mut query_diagnostics: Diagnostics,
) -> Loaded {
    let model = check::check(&document, &mut diagnostics, &mut query_diagnostics);
    finished(sources, document, model, diagnostics, query_diagnostics)
}

fn finished(
    sources: SourceMap,
    document: Document,
    model: Model,
    mut diagnostics: Diagnostics,
    mut query_diagnostics: Diagnostics,
) -> Loaded {
    if diagnostics.has_errors() {
        query_diagnostics = without_unknown_names(&query_diagnostics);
    }
    diagnostics.sort();
    query_diagnostics.sort();
    Loaded { sources, document, model, diagnostics, query_diagnostics }
}

/// A process or variable that a query misses may be one that the model has a mistake in; to say so again helps nobody.
fn without_unknown_names(diagnostics: &Diagnostics) -> Diagnostics {
    let mut kept = Diagnostics::default();
    for diagnostic in diagnostics {
        if !matches!(diagnostic.code, Code::UnknownName | Code::UnknownMember | Code::NotAProcess) {
            kept.push(diagnostic.clone());
        }
    }
    kept
}

/// Reads a query file.
pub fn load_queries(path: &Path, sources: &mut SourceMap, out: &mut Diagnostics) -> Vec<QueryEntry> {
    let name = path.display().to_string();
    let Some(text) = read_text(path, &name, sources, out) else { return Vec::new() };
    let file = sources.add(name, text);
    parse::queries(&Fragment::whole(file, &sources.file(file).text), out)
}

impl Loaded {
    /// Checks the queries of a text against this model, in place of the stored ones. `name` is how messages call the text.
    pub fn queries_from_text(&mut self, name: &str, text: &str, out: &mut Diagnostics) -> Vec<Query> {
        let file = self.sources.add(name, text);
        let entries = parse::queries(&Fragment::whole(file, text), out);
        self.check_queries(&entries, out)
    }

    /// Checks a condition on states against this model: as `E<> condition`, where positions are those in the condition.
    pub fn condition_from_text(&mut self, name: &str, text: &str, out: &mut Diagnostics) -> Vec<Query> {
        let file = self.sources.add(name, text);
        let mut fragment = Fragment::empty(file, 0);
        fragment.push("E<> ", 0..0);
        fragment.push(text, 0..text.len() as u32);
        let entries = parse::queries(&fragment, out);
        self.check_queries(&entries, out)
    }

    /// Checks the queries of a file against this model.
    pub fn queries_from_file(&mut self, path: &Path, out: &mut Diagnostics) -> Vec<Query> {
        let entries = load_queries(path, &mut self.sources, out);
        self.check_queries(&entries, out)
    }

    fn check_queries(&mut self, entries: &[QueryEntry], out: &mut Diagnostics) -> Vec<Query> {
        entries.iter().map(|entry| check::check_query(&mut self.model, entry, out)).collect()
    }
}

fn read_document(sources: &mut SourceMap, file: FileId, path: &Path, out: &mut Diagnostics) -> Document {
    match format_of(path, &sources.file(file).text) {
        Ok(TextFormat::Xml) => read::read_xml(sources, file, out),
        Ok(TextFormat::Tck) => read::read_tck(sources, file, out),
        Ok(TextFormat::Xta) => parse::xta(&Fragment::whole(file, &sources.file(file).text), out),
        Err((message, hint)) => {
            let diagnostic = Diagnostic::new(Code::UnknownFormat, Span::new(file, 0, 0), message);
            out.push(if hint.is_empty() { diagnostic } else { diagnostic.hint(hint) });
            Document::default()
        }
    }
}

/// What is said of a file that is no text.
pub const NOT_A_TEXT: &str = "this is not a text file";

/// Whether the beginning of a file looks like text.
pub fn is_text(text: &str) -> bool {
    text.chars().take(4096).all(|character| character != '\0')
}

/// How a text is to be read, by the name of its file; or why it cannot be a model, and what to do about it.
fn format_of(path: &Path, text: &str) -> Result<TextFormat, (String, &'static str)> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let is_xml = text.starts_with('<');
    if text.is_empty() {
        return Err(("this file is empty".into(), ""));
    }
    if !is_text(text) {
        return Err((NOT_A_TEXT.into(), ""));
    }
    match extension.to_ascii_lowercase().as_str() {
        "scxml" | "sem" => Err(machine()),
        "json" if !is_xml => Err(machine()),
        "xml" if is_xml && text.contains("<scxml") => Err(machine()),
        "xml" if !is_xml => Err((
            "this file is not XML".into(),
            "models in UPPAAL's textual language have names that end in `.xta`",
        )),
        "xta" | "ta" if is_xml => {
            let message = format!("this file is XML, though its name ends in `.{extension}`");
            Err((message, "models in XML have names that end in `.xml`"))
        }
        "xml" => Ok(TextFormat::Xml),
        "xta" | "ta" => Ok(TextFormat::Xta),
        "tck" => Ok(TextFormat::Tck),
        _ => format_by_content(text),
    }
}

/// What is said of a state machine where a network is expected.
fn machine() -> (String, &'static str) {
    let hint = "`guidepost machine FILE` checks it; `guidepost convert FILE MODEL.xml` makes a network of it";
    ("this is a state machine, not a network of timed automata".into(), hint)
}

fn format_by_content(text: &str) -> Result<TextFormat, (String, &'static str)> {
    let starts_line = |word: &str| text.lines().any(|line| line.trim_start().starts_with(word));
    if text.starts_with('<') {
        return Ok(TextFormat::Xml);
    }
    if starts_line("system:") {
        return Ok(TextFormat::Tck);
    }
    if starts_line("system ") || starts_line("process ") {
        return Ok(TextFormat::Xta);
    }
    if ["E<>", "A[]", "A<>", "E[]"].iter().any(|quantifier| starts_line(quantifier)) {
        let hint = "name the model that the queries belong to";
        return Err(("this is a file of queries, not a model".into(), hint));
    }
    let hint = "models have names that end in `.xml`, `.xta`, `.ta` or `.tck`";
    Err(("this does not look like a model".into(), hint))
}

/// Messages about stored formulas go to their own list.
fn take_query_diagnostics(document: &Document, diagnostics: &mut Diagnostics) -> Diagnostics {
    let is_about_query = |span: Span| {
        let spans = document.queries.iter().map(|entry| entry.span);
        spans
            .into_iter()
            .any(|query| query.file == span.file && query.start <= span.start && span.start <= query.end)
    };
    let (mut ours, mut theirs) = (Diagnostics::default(), Diagnostics::default());
    for diagnostic in &*diagnostics {
        if is_about_query(diagnostic.span) { &mut theirs } else { &mut ours }.push(diagnostic.clone());
    }
    *diagnostics = ours;
    theirs
}

/// The text of a file, `name` being how messages call it. What cannot be read is reported.
pub fn read_text(path: &Path, name: &str, sources: &mut SourceMap, out: &mut Diagnostics) -> Option<String> {
    let mut refuse = |message: String| {
        let file = sources.add(name, "");
        out.push(Diagnostic::new(Code::UnreadableFile, Span::new(file, 0, 0), message));
        None
    };
    match std::fs::metadata(path) {
        Err(error) => return refuse(format!("cannot read `{name}`: {error}")),
        Ok(data) if data.is_dir() => return refuse(format!("`{name}` is a folder, not a model")),
        Ok(data) if data.len() > MAX_FILE_BYTES => {
            return refuse(format!("`{name}` is larger than {} MiB", MAX_FILE_BYTES >> 20));
        }
        Ok(_) => {}
    }
    match std::fs::read(path) {
        Ok(bytes) => Some(decode(&bytes)),
        Err(error) => refuse(format!("cannot read `{name}`: {error}")),
    }
}

/// UTF-8, UTF-16 with a mark, or else Latin-1, which old Windows tools wrote.
fn decode(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => decode(rest),
        _ => String::from_utf8(bytes.to_vec())
            .unwrap_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_encodings_are_decoded() {
        assert_eq!(decode(b"\xEF\xBB\xBFabc"), "abc");
        assert_eq!(decode(b"caf\xE9"), "café");
        assert_eq!(decode(b"\xFF\xFEa\0b\0"), "ab");
    }

    #[test]
    fn formats_are_told_by_name_or_by_content() {
        let format = |name: &str, text: &str| format_of(Path::new(name), text).ok();
        assert_eq!(format("a.xml", "\u{feff} <nta/>"), Some(TextFormat::Xml));
        assert_eq!(format("a.TA", "clock x;"), Some(TextFormat::Xta));
        assert_eq!(format("a", "<nta/>"), Some(TextFormat::Xml));
        assert_eq!(format("a.txt", "# c\nsystem:s"), Some(TextFormat::Tck));
        assert_eq!(format("a", "process P() {}\nsystem P;"), Some(TextFormat::Xta));
        assert_eq!(format("a.txt", "hello"), None);
        assert_eq!(format("a.xta", "<nta/>"), None);
        assert_eq!(format("a.xml", "clock x;"), None);
    }

    #[test]
    fn a_missing_file_is_a_diagnostic() {
        let loaded = load_file(Path::new("no/such/model.xml"));
        assert!(loaded.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::UnreadableFile));
    }
}
