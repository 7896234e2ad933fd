//! From a `.plc` file to a checked model, in one call.

use crate::parse::parse;
use crate::syntax::{File, Ident};
use crate::system::resolve;
use crate::translate::{Translation, translate};
use crate::variant::{Choice, check_variants};
use guidepost_language::Loaded;
use guidepost_language::check::check;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::load::{NOT_A_TEXT, is_text, read_text};
use guidepost_language::model::Model;
use guidepost_language::source::{FileId, SourceMap, Span};
use guidepost_language::syntax::Document;
use std::path::{Path, PathBuf};

/// The name of a `.plc` file, perhaps with one of its variants: `line-segment.plc:C1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelPath {
    /// The file.
    pub file: PathBuf,
    /// The variant; the whole system without one.
    pub variant: Option<String>,
}

impl ModelPath {
    /// What a path means, if it is that of a `.plc` file. A file that exists under the whole name is that file.
    pub fn of(path: &Path) -> Option<ModelPath> {
        let text = path.to_str()?;
        let ends = |name: &str| name.to_ascii_lowercase().ends_with(".plc");
        if ends(text) {
            return Some(ModelPath { file: path.into(), variant: None });
        }
        let (file, variant) = text.rsplit_once(':')?;
        let is_variant = ends(file) && !path.exists();
        is_variant.then(|| ModelPath { file: file.into(), variant: Some(variant.into()) })
    }

    /// The same file, with another variant.
    #[must_use]
    pub fn with_variant(&self, variant: &str) -> PathBuf {
        PathBuf::from(format!("{}:{variant}", self.file.display()))
    }
}

/// Reads a `.plc` file and translates one of its variants, or the whole system.
pub fn load_file(path: &ModelPath) -> Loaded {
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::default();
    let name = path.file.display().to_string();
    match read_text(&path.file, &name, &mut sources, &mut diagnostics) {
        Some(text) if is_text(&text) => load(&name, &text, path.variant.as_deref(), sources),
        Some(_) => {
            let file = sources.add(&name, "");
            diagnostics.push(Diagnostic::new(Code::UnknownFormat, Span::new(file, 0, 0), NOT_A_TEXT));
            nothing(sources, diagnostics)
        }
        None => nothing(sources, diagnostics),
    }
}

/// Reads a system of controllers from a text and translates one of its variants, or all of it. `name` is how messages call the text.
pub fn load_text(name: &str, text: &str, variant: Option<&str>) -> Loaded {
    load(name, text, variant, SourceMap::default())
}

/// The names of the variants of a text, in the order of the text.
pub fn variants(text: &str) -> Vec<String> {
    let file = parse(FileId(0), text, &mut Diagnostics::default());
    file.variants.iter().map(|variant| variant.name.name.to_string()).collect()
}

fn load(name: &str, text: &str, variant: Option<&str>, mut sources: SourceMap) -> Loaded {
    let mut diagnostics = Diagnostics::default();
    let id = sources.add(name, text);
    let file = parse(id, text, &mut diagnostics);
    let document = understand(&file, id, variant, &sources, &mut diagnostics);
    diagnostics.sort();
    let Some(Translation { document, wording, unasked }) = document else {
        return nothing(sources, diagnostics);
    };
    let mut query_diagnostics = Diagnostics::default();
    let mut internal = Diagnostics::default();
    let mut model = check(&document, &mut internal, &mut query_diagnostics);
    model.wording = wording;
    model.unasked = unasked;
    // Warnings about the translation, such as outputs that nobody reads, are no news about the controllers.
    debug_assert!(!internal.has_errors(), "the translation is well-formed: {internal:?}");
    for error in internal.iter().filter(|diagnostic| diagnostic.is_error()) {
        diagnostics.push(error.clone());
    }
    Loaded { sources, document, model, diagnostics, query_diagnostics }
}

/// The translation, unless something is wrong with the file.
fn understand(
    file: &File,
    id: FileId,
    variant: Option<&str>,
    sources: &SourceMap,
    out: &mut Diagnostics,
) -> Option<Translation> {
    let whole = resolve(file, &[], out);
    check_variants(file, &whole, out);
    let choice = match variant {
        None => Choice::default(),
        Some(name) => Choice::named(file, &Ident::new(name, Span::new(id, 0, 0)), out)?,
    };
    if out.has_errors() {
        return None;
    }
    // Warnings of the whole system have been given; constants of a variant can only add errors.
    let mut again = Diagnostics::default();
    let system = resolve(file, &choice.constants(), &mut again).system;
    for error in again.iter().filter(|diagnostic| diagnostic.is_error()) {
        out.push(error.clone());
    }
    let selection = choice.select(&system, out);
    (!out.has_errors()).then(|| translate(&selection, &choice, sources))
}

fn nothing(sources: SourceMap, diagnostics: Diagnostics) -> Loaded {
    Loaded {
        sources,
        document: Document::default(),
        model: Model::default(),
        diagnostics,
        query_diagnostics: Diagnostics::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_may_name_a_variant() {
        let of = |path: &str| ModelPath::of(Path::new(path));
        let plain = ModelPath { file: "a.plc".into(), variant: None };
        assert_eq!(of("a.plc"), Some(plain.clone()));
        assert_eq!(of("a.plc:C1"), Some(ModelPath { variant: Some("C1".into()), ..plain.clone() }));
        assert_eq!(of("a.xml"), None);
        assert_eq!(of("a.xml:C1"), None);
        assert_eq!(plain.with_variant("C1"), Path::new("a.plc:C1"));
    }
}
