//! What is open in the editor, as it is edited.

use crate::position::{Encoding, Lines};
use crate::uri::path_of;
use lsp_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// In which language a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    /// `.xta` and `.ta`
    Text,
    /// `.xml`
    Xml,
    /// `.tck`
    Tck,
    /// `.plc`
    Plc,
    /// `.q`
    Queries,
}

impl Language {
    /// By the name of the file, or else by what the editor calls the language.
    fn of(path: &Path, id: &str) -> Option<Self> {
        let by_name = |name: &str| match name {
            "xta" | "ta" => Some(Language::Text),
            "xml" => Some(Language::Xml),
            "tck" => Some(Language::Tck),
            "plc" => Some(Language::Plc),
            "q" => Some(Language::Queries),
            _ => None,
        };
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let id = id.rsplit('-').next().unwrap_or(id);
        by_name(&extension.to_ascii_lowercase()).or_else(|| by_name(id))
    }

    /// The language of a file that is not open.
    pub(crate) fn of_file(path: &Path) -> Option<Self> {
        Self::of(path, "")
    }
}

/// A text that is open.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) language: Language,
    pub(crate) text: Arc<String>,
    pub(crate) lines: Arc<Lines>,
}

/// All texts that are open, by path.
#[derive(Default)]
pub(crate) struct Texts {
    open: BTreeMap<PathBuf, Open>,
}

/// Texts longer than this are not looked at: positions have 32 bits, and models of that size are not edited.
const MOST_BYTES: usize = 64 << 20;

impl Texts {
    /// Opens a text; `None` if it is in no language that is known here.
    pub(crate) fn open(&mut self, item: TextDocumentItem) -> Option<PathBuf> {
        let path = path_of(&item.uri);
        let language = Language::of(&path, &item.language_id)?;
        // Most XML is no model, and nothing is to be said about it.
        let is_foreign =
            language == Language::Xml && !["<nta", "<project"].iter().any(|root| item.text.contains(root));
        if item.text.len() > MOST_BYTES || is_foreign {
            return None;
        }
        let (text, lines) = (Arc::new(item.text), Arc::default());
        let mut open = Open { uri: item.uri, version: item.version, language, text, lines };
        open.lines = Arc::new(Lines::of(&open.text));
        self.open.insert(path.clone(), open);
        Some(path)
    }

    /// Changes a text; `None` if it is not open.
    pub(crate) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Option<PathBuf> {
        let path = path_of(uri);
        let open = self.open.get_mut(&path)?;
        open.version = version;
        let text = Arc::make_mut(&mut open.text);
        for change in changes {
            match change.range {
                None => *text = change.text,
                Some(range) => {
                    // The changes of one message build on each other.
                    let start = open.lines.offset(text, range.start, encoding);
                    let end = open.lines.offset(text, range.end, encoding).max(start);
                    text.replace_range(start..end, &change.text);
                }
            }
            if text.len() > MOST_BYTES {
                self.open.remove(&path);
                return Some(path);
            }
            open.lines = Arc::new(Lines::of(text));
        }
        Some(path)
    }

    pub(crate) fn close(&mut self, uri: &Uri) -> PathBuf {
        let path = path_of(uri);
        self.open.remove(&path);
        path
    }

    pub(crate) fn get(&self, path: &Path) -> Option<&Open> {
        self.open.get(path)
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.open.keys()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};
    use std::str::FromStr;

    #[test]
    fn edits_build_on_each_other() {
        let uri = Uri::from_str("file:///m.xta").unwrap();
        let mut texts = Texts::default();
        let item = |text: &str| TextDocumentItem::new(uri.clone(), "xta".into(), 1, text.into());
        let path = texts.open(item("clock x;\nint n;\n")).unwrap();
        let at = |line, character| Position { line, character };
        let edit = |start, end, text: &str| TextDocumentContentChangeEvent {
            range: Some(Range { start, end }),
            range_length: None,
            text: text.into(),
        };
        let changes = vec![
            edit(at(0, 6), at(0, 7), "ä😀"),
            edit(at(0, 9), at(1, 3), ";\nbool"),
            edit(at(9, 9), at(9, 9), "// end"),
        ];
        texts.change(&uri, 2, changes, Encoding::Utf16).unwrap();
        let open = texts.get(&path).unwrap();
        assert_eq!(&*open.text, "clock ä😀;\nbool n;\n// end");
        assert_eq!((open.version, open.lines.count()), (2, 3));
    }

    #[test]
    fn languages_are_told_by_name_or_id() {
        let of = |name: &str, id: &str| Language::of(Path::new(name), id);
        assert_eq!(of("a.XTA", ""), Some(Language::Text));
        assert_eq!(of("untitled:Untitled-1", "guidepost-plc"), Some(Language::Plc));
        assert_eq!(of("a.txt", "plaintext"), None);
    }
}
