//! Everything that is known about one model and the queries beside it, at one moment.
//!
//! A model and the `.q` file of the same name belong together: names in the queries are those of the model. Whatever is open in the editor counts as
//! it is there; the rest is read from the disk, and read again when it has changed there.

use crate::names::{Definition, Meaning};
use crate::position::{Encoding, Lines};
use crate::texts::{Language, Open, Texts};
use crate::uri::uri_of;
use guidepost_language::check::{Index, Target};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::load::Beside;
use guidepost_language::source::{FileId, Span};
use guidepost_language::syntax::QueryEntry;
use guidepost_language::{Loaded, load_indexed};
use guidepost_plc::names::Names;
use lsp_types::{Position, Range, Uri};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// What is known about a model.
pub(crate) struct Analysis {
    /// The model, its queries, and what is wrong with them.
    pub(crate) loaded: Loaded,
    /// What its names mean.
    pub(crate) meaning: Meaning,
    /// The queries beside it.
    pub(crate) beside: Option<Beside>,
    /// The files, as [`FileId`] counts them, and the version of those that are open.
    pub(crate) files: Vec<Part>,
    /// In which language the model is; queries without a model have none.
    pub(crate) language: Language,
}

/// One of the files.
pub(crate) struct Part {
    pub(crate) path: PathBuf,
    pub(crate) uri: Option<Uri>,
    pub(crate) version: Option<i32>,
    pub(crate) lines: Arc<Lines>,
}

impl Analysis {
    /// Reads a model with the queries beside it.
    pub(crate) fn of(model: &Source, queries: Option<&Source>) -> Self {
        let name = model.path.display().to_string();
        let parts = |sources: &[&Source]| sources.iter().map(|source| source.part()).collect();
        if model.language == Language::Plc {
            let loaded = guidepost_plc::load_text(&name, &model.text, None);
            let meaning = Meaning::Plc(guidepost_plc::names::names(FileId(0), &model.text));
            return Self { loaded, meaning, beside: None, files: parts(&[model]), language: Language::Plc };
        }
        let beside = queries.map(|queries| (queries.path.display().to_string(), queries));
        let texts = beside.as_ref().map(|(name, queries)| (name.as_str(), queries.text.as_str()));
        let indexed = load_indexed(&name_for(model, &name), &model.text, texts);
        let files = match queries {
            Some(queries) => parts(&[model, queries]),
            None => parts(&[model]),
        };
        Self {
            loaded: indexed.loaded,
            meaning: Meaning::Model(indexed.index),
            beside: indexed.queries,
            files,
            language: model.language,
        }
    }

    /// Queries that no model belongs to: only their grammar can be checked.
    pub(crate) fn of_queries_alone(queries: &Source) -> Self {
        let mut sources = guidepost_language::source::SourceMap::default();
        let file = sources.add(queries.path.display().to_string(), queries.text.as_str());
        let mut diagnostics = Diagnostics::default();
        let fragment = guidepost_language::source::Fragment::whole(file, &queries.text);
        let entries = guidepost_language::parse::queries(&fragment, &mut diagnostics);
        let loaded = Loaded {
            sources,
            document: guidepost_language::syntax::Document::default(),
            model: guidepost_language::model::Model::default(),
            diagnostics: Diagnostics::default(),
            query_diagnostics: Diagnostics::default(),
        };
        Self {
            loaded,
            meaning: Meaning::Model(Index::default()),
            beside: Some(Beside { file, entries, diagnostics }),
            files: vec![queries.part()],
            language: Language::Queries,
        }
    }

    /// Whether these are queries without a model.
    pub(crate) fn is_alone(&self) -> bool {
        self.language == Language::Queries
    }

    /// The number of a file.
    pub(crate) fn file(&self, path: &Path) -> Option<FileId> {
        self.files.iter().position(|part| part.path == path).map(|index| FileId(index as u32))
    }

    /// The text of a file.
    pub(crate) fn text(&self, file: FileId) -> &str {
        &self.loaded.sources.file(file).text
    }

    pub(crate) fn part(&self, file: FileId) -> &Part {
        &self.files[file.0 as usize]
    }

    pub(crate) fn offset(&self, file: FileId, position: Position, encoding: Encoding) -> u32 {
        self.part(file).lines.offset(self.text(file), position, encoding) as u32
    }

    pub(crate) fn range(&self, span: Span, encoding: Encoding) -> Range {
        self.part(span.file).lines.range(self.text(span.file), span.start..span.end, encoding)
    }

    /// The queries that stand in a file, each with its number among the model's if it is one of those.
    pub(crate) fn queries(&self, file: FileId) -> Vec<(usize, &QueryEntry)> {
        let entries = match &self.beside {
            Some(beside) if beside.file == file => &beside.entries,
            _ => &self.loaded.document.queries,
        };
        (1..).zip(entries).filter(|(_, entry)| entry.span.file == file).collect()
    }

    /// What the name at an offset means, and where it stands.
    pub(crate) fn name_at(&self, file: FileId, offset: u32) -> Option<(Span, Definition)> {
        match &self.meaning {
            Meaning::Model(index) => {
                let occurrence = index.at(file, offset)?;
                Some((occurrence.span, Definition::Target(occurrence.target)))
            }
            Meaning::Plc(names) => {
                let found =
                    names.mentions.iter().find(|(span, _)| span.start <= offset && offset <= span.end);
                found.map(|&(span, item)| (span, Definition::Item(item)))
            }
        }
    }

    /// All places of a name, in the order of the text.
    pub(crate) fn places(&self, definition: Definition) -> Vec<Span> {
        match (&self.meaning, definition) {
            (Meaning::Model(index), Definition::Target(target)) => index.places(target).collect(),
            (Meaning::Plc(names), Definition::Item(item)) => {
                names.mentions.iter().filter(|(_, index)| *index == item).map(|(span, _)| *span).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Where something is declared; nowhere, if it is built in.
    pub(crate) fn declared(&self, definition: Definition) -> Option<Span> {
        let span = match (&self.meaning, definition) {
            (Meaning::Model(_), Definition::Target(Target::Symbol(id))) => self.loaded.model.symbol(id).span,
            (Meaning::Model(_), Definition::Target(Target::Field(span) | Target::Branchpoint(span))) => span,
            (Meaning::Plc(Names { items, .. }), Definition::Item(item)) => items[item].span,
            _ => return None,
        };
        (span != Span::default()).then_some(span)
    }
}

/// A new text without a name is read as what its language says.
fn name_for(model: &Source, name: &str) -> String {
    if Language::of_file(&model.path).is_some() {
        return name.to_owned();
    }
    let extension = match model.language {
        Language::Xml => "xml",
        Language::Tck => "tck",
        _ => "xta",
    };
    format!("{name}.{extension}")
}

/// A text, open or on the disk.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) text: Arc<String>,
    pub(crate) version: Option<i32>,
    pub(crate) language: Language,
    uri: Option<Uri>,
    lines: Arc<Lines>,
}

impl Source {
    fn open(path: &Path, open: &Open) -> Self {
        Self {
            path: path.to_owned(),
            text: open.text.clone(),
            version: Some(open.version),
            language: open.language,
            uri: Some(open.uri.clone()),
            lines: open.lines.clone(),
        }
    }

    /// A text that is open, or else on the disk.
    pub(crate) fn find(path: &Path, texts: &Texts) -> Option<Self> {
        if let Some(open) = texts.get(path) {
            return Some(Self::open(path, open));
        }
        let language = Language::of_file(path).filter(|_| path.is_file())?;
        let mut sources = guidepost_language::source::SourceMap::default();
        let name = path.display().to_string();
        let text =
            guidepost_language::load::read_text(path, &name, &mut sources, &mut Diagnostics::default())?;
        let lines = Arc::new(Lines::of(&text));
        let (path, uri) = (path.to_owned(), uri_of(path));
        Some(Self { path, text: Arc::new(text), version: None, language, uri, lines })
    }

    /// A text with other contents, to see what would come of them.
    pub(crate) fn with_text(path: &Path, language: Language, text: String) -> Self {
        let lines = Arc::new(Lines::of(&text));
        Self { path: path.to_owned(), text: Arc::new(text), version: None, language, uri: None, lines }
    }

    fn part(&self) -> Part {
        Part {
            path: self.path.clone(),
            uri: self.uri.clone(),
            version: self.version,
            lines: self.lines.clone(),
        }
    }
}

/// When a file was changed and how long it is: whether it is still the one that was read.
type Stamp = Option<(SystemTime, u64)>;

fn stamp(path: &Path) -> Stamp {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// Models that have been read, until something changes.
#[derive(Default)]
pub(crate) struct Analyses {
    known: BTreeMap<PathBuf, Known>,
}

struct Known {
    analysis: Arc<Analysis>,
    /// The files on the disk that matter, whether they are there or not.
    stamps: Vec<(PathBuf, Stamp)>,
}

impl Analyses {
    /// What is known about the model that a file belongs to.
    pub(crate) fn get(&mut self, path: &Path, texts: &Texts) -> Option<Arc<Analysis>> {
        let model = model_of(path, texts);
        if let Some(known) = self.known.get(&model) {
            let is_same = |(path, was): &(PathBuf, Stamp)| texts.get(path).is_some() || stamp(path) == *was;
            if known.stamps.iter().all(is_same) {
                return Some(known.analysis.clone());
            }
        }
        let source = Source::find(&model, texts)?;
        let queries = model.with_extension("q");
        let analysis = if source.language == Language::Queries {
            Analysis::of_queries_alone(&source)
        } else {
            let beside = Source::find(&queries, texts).filter(|_| queries != model);
            Analysis::of(&source, beside.as_ref())
        };
        let analysis = Arc::new(analysis);
        let stamps = [model.clone(), queries].map(|path| {
            let stamp = stamp(&path);
            (path, stamp)
        });
        self.known.insert(model, Known { analysis: analysis.clone(), stamps: stamps.to_vec() });
        Some(analysis)
    }

    /// Forgets what was known, since a text has changed, was opened or closed.
    pub(crate) fn forget(&mut self, path: &Path) {
        let queries = path.with_extension("q");
        self.known
            .retain(|model, _| model != path && (queries != path || model.with_extension("q") != queries));
    }
}

/// The model that a file belongs to: itself, or for queries the model of the same name.
pub(crate) fn model_of(path: &Path, texts: &Texts) -> PathBuf {
    let language = texts.get(path).map(|open| open.language).or_else(|| Language::of_file(path));
    if language != Some(Language::Queries) {
        return path.to_owned();
    }
    let models = ["xml", "xta", "ta", "tck"].map(|extension| path.with_extension(extension));
    let open = models.iter().find(|model| texts.get(model).is_some());
    let found = open.or_else(|| models.iter().find(|model| model.is_file()));
    found.cloned().unwrap_or_else(|| path.to_owned())
}
