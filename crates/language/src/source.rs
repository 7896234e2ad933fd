//! Source texts and positions in them.
//!
//! Every position the front end talks about is a byte offset into the text *as the user wrote it*. A label inside
//! an XML file is decoded (`&lt;` becomes `<`) before it is parsed, but its tokens carry offsets into the XML file, so a
//! message can always underline the user's own characters. The reader also records which *place* of the model
//! ("template Train, edge Appr → Stop, guard") each stretch of text belongs to; a diagnostic finds its place by its
//! position, so that no later pass has to carry the place around.

use std::ops::Range;

/// One of the files of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct FileId(pub u32);

/// A stretch of one file, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from `start` up to, not including, `end`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        debug_assert!(start <= end, "a span ends after it starts");
        Self { file, start, end }
    }

    /// The smallest span that contains both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span just behind this one, for "expected … here".
    #[must_use]
    pub fn after(self) -> Span {
        Span { file: self.file, start: self.end, end: self.end }
    }

    /// The span as a range of bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// One text with its name.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name shown to the user, usually the path as given.
    pub name: String,
    /// The whole text.
    pub text: String,
    line_starts: Vec<u32>,
    places: Vec<(Range<u32>, String)>,
}

impl SourceFile {
    fn new(name: String, text: String) -> Self {
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        Self { name, text, line_starts, places: Vec::new() }
    }

    /// Line and column of a byte offset.
    pub fn position(&self, offset: u32) -> Position {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_starts.partition_point(|&start| start as usize <= offset) - 1;
        let start = self.line_starts[line] as usize;
        Position { line: line + 1, column: self.text[start..offset].chars().count() + 1 }
    }

    /// The place of the model that the offset belongs to, when the reader recorded one.
    pub fn place(&self, offset: u32) -> Option<&str> {
        let covering = |(range, _): &&(Range<u32>, String)| range.start <= offset && offset <= range.end;
        // Inner places are recorded after outer ones: the last match is the most precise.
        self.places.iter().rfind(covering).map(|(_, place)| place.as_str())
    }
}

/// All the texts of one run: the model and its query files.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a text and returns its id.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(SourceFile::new(name.into(), text.into()));
        FileId(self.files.len() as u32 - 1)
    }

    /// The file behind an id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files, in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(index as u32), file))
    }

    /// Records that `span` belongs to the named place of the model.
    pub fn add_place(&mut self, span: Span, place: impl Into<String>) {
        self.files[span.file.0 as usize].places.push((span.start..span.end, place.into()));
    }

    /// The text a span covers.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.range()).unwrap_or("")
    }

    /// `file:line:column` of the start of a span.
    pub fn locate(&self, span: Span) -> String {
        let file = self.file(span.file);
        let position = file.position(span.start);
        format!("{}:{}:{}", file.name, position.line, position.column)
    }
}

/// A decoded piece of a source file, with the way back to the file's own offsets.
///
/// Plain text files are one segment; an XML label is cut wherever an entity, a CDATA boundary or a nested comment
/// makes decoded and written text differ.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// The file the text comes from.
    pub file: FileId,
    /// The decoded text.
    pub text: String,
    /// In ascending order, without gaps in the decoded text.
    segments: Vec<Segment>,
    /// Where the fragment stands in the file.
    written: Range<u32>,
}

/// `text[decoded..]` stands at `written` in the file: character by character, or as one entity.
#[derive(Clone, Debug)]
struct Segment {
    decoded: u32,
    written: Range<u32>,
    verbatim: bool,
}

impl Fragment {
    /// A fragment without text, located at `at` in the file.
    pub fn empty(file: FileId, at: u32) -> Self {
        Self { file, text: String::new(), segments: Vec::new(), written: at..at }
    }

    /// A whole file as one fragment.
    pub fn whole(file: FileId, text: &str) -> Self {
        let mut fragment = Self::empty(file, 0);
        fragment.push(text, 0..text.len() as u32);
        fragment
    }

    /// Appends `decoded`, which stands at `written` in the file.
    pub fn push(&mut self, decoded: &str, written: Range<u32>) {
        if self.text.is_empty() {
            self.written.start = written.start;
        }
        self.written.end = written.end;
        if !decoded.is_empty() {
            let verbatim = decoded.len() as u32 == written.end - written.start;
            self.segments.push(Segment { decoded: self.text.len() as u32, written, verbatim });
            self.text.push_str(decoded);
        }
    }

    /// The span in the file of a decoded range.
    pub fn span(&self, range: Range<usize>) -> Span {
        let start = self.start_of(range.start as u32);
        // The end is mapped through the last character, so that a span stops before the next segment's markup.
        let end = if range.end > range.start { self.end_of(range.end as u32 - 1) } else { start };
        Span::new(self.file, start, end.max(start))
    }

    /// The span of the whole fragment in the file.
    pub fn whole_span(&self) -> Span {
        Span::new(self.file, self.written.start, self.written.end)
    }

    fn segment(&self, offset: u32) -> Option<&Segment> {
        let after = self.segments.partition_point(|segment| segment.decoded <= offset);
        self.segments.get(after.checked_sub(1)?)
    }

    fn start_of(&self, offset: u32) -> u32 {
        match self.segment(offset) {
            _ if offset as usize >= self.text.len() => self.written.end,
            Some(segment) if segment.verbatim => segment.written.start + (offset - segment.decoded),
            Some(segment) => segment.written.start,
            None => self.written.start,
        }
    }

    fn end_of(&self, last: u32) -> u32 {
        match self.segment(last) {
            Some(segment) if segment.verbatim => segment.written.start + (last + 1 - segment.decoded),
            Some(segment) => segment.written.end,
            None => self.written.end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters() {
        let mut map = SourceMap::default();
        let id = map.add("m.xta", "ab\ncäd\n");
        let file = map.file(id);
        assert_eq!(file.position(0), Position { line: 1, column: 1 });
        assert_eq!(file.position(3), Position { line: 2, column: 1 });
        assert_eq!(file.position(6), Position { line: 2, column: 3 });
        assert_eq!(file.position(99), Position { line: 3, column: 1 });
    }

    #[test]
    fn fragments_lead_back_through_entities() {
        // File text: `x &lt;= 5` from offset 10.
        let mut fragment = Fragment::empty(FileId(0), 10);
        fragment.push("x ", 10..12);
        fragment.push("<", 12..16);
        fragment.push("= 5", 16..19);
        assert_eq!(fragment.text, "x <= 5");
        assert_eq!(fragment.span(0..1), Span::new(FileId(0), 10, 11));
        assert_eq!(fragment.span(2..4), Span::new(FileId(0), 12, 17));
        assert_eq!(fragment.span(5..6), Span::new(FileId(0), 18, 19));
        assert_eq!(fragment.span(6..6), Span::new(FileId(0), 19, 19));
    }

    #[test]
    fn the_innermost_place_wins() {
        let mut map = SourceMap::default();
        let id = map.add("m.xml", "0123456789");
        map.add_place(Span::new(id, 0, 10), "outer");
        map.add_place(Span::new(id, 2, 5), "inner");
        assert_eq!(map.file(id).place(3), Some("inner"));
        assert_eq!(map.file(id).place(8), Some("outer"));
    }
}
