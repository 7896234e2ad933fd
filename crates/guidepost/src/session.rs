//! A model, ready to be worked with.

use crate::ModelError;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::model::{Query, Wording};
use guidepost_language::{Loaded, load_file, load_text};
use guidepost_network::interpreter::{Run, initial_violations, simulate};
use guidepost_network::{Network, build};
use guidepost_plc::ModelPath;
use guidepost_verify::Settings;
use std::path::Path;

/// A model that was read without errors, its network, and everything that can be done with them.
#[derive(Clone, Debug)]
pub struct Session {
    pub(crate) loaded: Loaded,
    pub(crate) network: Network,
    warnings: Diagnostics,
}

/// Reads a model of any format. `FILE.plc:VARIANT` is a variant of a system of controllers. Reading does not fail: what is wrong is among the messages.
pub fn read(path: &Path) -> Loaded {
    match ModelPath::of(path) {
        Some(path) => guidepost_plc::load_file(&path),
        None if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("jani")) => {
            guidepost_interchange::load_file(path)
        }
        None => load_file(path),
    }
}

impl Session {
    /// Reads a model file, and the `.q` file beside it when the model itself stores no queries. `FILE.plc:VARIANT` is a variant of a system of
    /// controllers.
    ///
    /// # Errors
    /// What is wrong with the model. A file that cannot be read is a message like any other.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ModelError> {
        Self::new(read(path.as_ref()))
    }

    /// Reads a model from a text; the name's extension says how.
    ///
    /// # Errors
    /// What is wrong with the model.
    pub fn parse(name: &str, text: &str) -> Result<Self, ModelError> {
        Self::new(match ModelPath::of(Path::new(name)) {
            Some(path) => guidepost_plc::load_text(name, text, path.variant.as_deref()),
            None => load_text(name, text),
        })
    }

    /// The settings with the model as processes read it again: its name, unless it has one there, and its text.
    pub(crate) fn with_text(&self, settings: &Settings) -> Settings {
        let mut settings = settings.clone();
        if let Some((_, file)) = self.loaded.sources.files().next() {
            let named = settings.team.model.take().map(|(name, _)| name);
            settings.team.model = Some((named.unwrap_or_else(|| file.name.clone()), file.text.clone()));
        }
        settings
    }

    /// Builds the network of a model that was read.
    ///
    /// # Errors
    /// What is wrong with the model.
    pub fn new(loaded: Loaded) -> Result<Self, ModelError> {
        if loaded.diagnostics.has_errors() {
            return Err(ModelError::new(loaded.diagnostics, &loaded.sources));
        }
        let (network, found) = build(&loaded.model);
        let mut warnings = loaded.diagnostics.clone();
        warnings.extend(found);
        match network {
            Some(network) => Ok(Self { loaded, network, warnings }),
            None => Err(ModelError::new(warnings, &loaded.sources)),
        }
    }

    /// Whether there is anything to explore: a model whose initial state violates an invariant has no states at all, and everything would hold of them.
    ///
    /// # Errors
    /// The invariants that the initial state violates.
    pub fn has_initial_state(&self) -> Result<(), ModelError> {
        let violations = initial_violations(&self.network, &self.loaded.model);
        if !violations.has_errors() {
            return Ok(());
        }
        let mut diagnostics = self.warnings.clone();
        diagnostics.extend(violations);
        Err(self.error(diagnostics))
    }

    /// Tells runs in the names of the model, also where it was translated and its author has other words.
    pub fn use_names_of_the_translation(&mut self) {
        self.loaded.model.wording = Wording::default();
        self.network.wording = Wording::default();
    }

    /// The document and the network, to be changed.
    pub fn into_parts(self) -> (Loaded, Network) {
        (self.loaded, self.network)
    }

    /// The flat network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The document, the typed model and the texts behind the network.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// What looks wrong with the model, though it can be used.
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// The queries that came with the model.
    pub fn queries(&self) -> &[Query] {
        &self.loaded.model.queries
    }

    /// A random timed run of at most `steps` transitions. Equal seeds give equal runs.
    pub fn simulate(&self, seed: u64, steps: usize) -> Run {
        simulate(&self.network, seed, steps)
    }

    /// Messages about this model, as an error.
    pub(crate) fn error(&self, diagnostics: Diagnostics) -> ModelError {
        ModelError::new(diagnostics, &self.loaded.sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_an_error() {
        let error = Session::open("no/such/model.xml").unwrap_err();
        assert!(error.to_string().contains("no/such/model.xml"), "{error}");
    }

    #[test]
    fn what_cannot_be_built_is_an_error() {
        let text = "int a[1000][1000][1000]; process P() { state A; init A; trans A -> A { guard a[0][0][0] == 0; }; } system P;";
        let error = Session::parse("m.xta", text).unwrap_err();
        assert!(error.diagnostics().has_errors());
    }
}
