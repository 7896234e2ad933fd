//! A model, ready to be worked with.

use crate::ModelError;
use guidepost_answer::Answer;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::model::Query;
use guidepost_language::source::Span;
use guidepost_language::{Loaded, load_file, load_text};
use guidepost_network::interpreter::{Run, initial_violations, simulate};
use guidepost_network::{CompiledQuery, Network, build, compile_query};
use guidepost_plc::ModelPath;
use guidepost_verify::{EngineSpec, Settings};
use std::path::Path;

/// A model that was read without errors, and its network.
#[derive(Clone, Debug)]
pub struct System {
    loaded: Loaded,
    network: Network,
    warnings: Diagnostics,
}

impl System {
    /// Reads a model file, and the `.q` file beside it when the model itself stores no queries. `FILE.plc:VARIANT` is a variant of a system of
    /// controllers.
    ///
    /// # Errors
    /// What is wrong with the model. A file that cannot be read is a message like any other.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ModelError> {
        let path = path.as_ref();
        Self::new(match ModelPath::of(path) {
            Some(path) => guidepost_plc::load_file(&path),
            None => load_file(path),
        })
    }

    /// Reads a model from a text; the name's extension says how.
    ///
    /// # Errors
    /// What is wrong with the model.
    pub fn parse(name: &str, text: &str) -> Result<Self, ModelError> {
        Self::new(load_text(name, text))
    }

    fn new(loaded: Loaded) -> Result<Self, ModelError> {
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

    /// Compiles a query given as text.
    ///
    /// # Errors
    /// What is wrong with the query, or why it is not supported.
    pub fn compile(&mut self, query: &str) -> Result<CompiledQuery, ModelError> {
        let mut found = Diagnostics::default();
        let queries = self.loaded.queries_from_text("query", query, &mut found);
        match &queries[..] {
            _ if found.has_errors() => {}
            [one] => match compile_query(&self.network, &self.loaded.model, one) {
                Ok(compiled) => return Ok(compiled),
                Err(errors) => found.extend(errors),
            },
            _ => {
                let message = format!("one query was expected, there are {}", queries.len());
                found.push(Diagnostic::new(Code::BadQuery, self.last_file(), message));
            }
        }
        Err(ModelError::new(found, &self.loaded.sources))
    }

    /// Answers a query, such as `A[] not deadlock`.
    ///
    /// # Errors
    /// What is wrong with the query, that the model has no initial state, or why no engine answers it.
    pub fn check(&mut self, query: &str, settings: &Settings) -> Result<Answer, ModelError> {
        let compiled = self.compile(query)?;
        let violations = initial_violations(&self.network, &self.loaded.model);
        if violations.has_errors() {
            return Err(ModelError::new(violations, &self.loaded.sources));
        }
        let engine = EngineSpec::default().engine(settings);
        match engine.answers(&self.network, std::slice::from_ref(&compiled)) {
            Ok(mut answers) => Ok(answers.swap_remove(0)),
            Err(reason) => {
                let mut found = Diagnostics::default();
                found.push(Diagnostic::new(Code::NotSupported, self.last_file(), reason.to_string()));
                Err(ModelError::new(found, &self.loaded.sources))
            }
        }
    }

    /// A random timed run of at most `steps` transitions. Equal seeds give equal runs.
    pub fn simulate(&self, seed: u64, steps: usize) -> Run {
        simulate(&self.network, seed, steps)
    }

    /// The beginning of the text that was added last.
    fn last_file(&self) -> Span {
        self.loaded.sources.files().last().map_or_else(Span::default, |(file, _)| Span::new(file, 0, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str =
        "int[0,3] n; process P() { state A, B; init A; trans A -> B { assign n = 1; }; } system P;";

    #[test]
    fn wrong_queries_are_errors_with_a_place() {
        let mut system = System::parse("m.xta", MODEL).unwrap();
        assert!(system.compile("E<> P.B and n == 1").is_ok());
        for (query, code) in
            [("E<> P.C", "E024"), ("", "E070"), ("E<> P.A\nE<> P.B", "E070"), ("E<> (", "E008")]
        {
            let error = system.compile(query).unwrap_err();
            assert_eq!(
                error.diagnostics().iter().next().map(|d| d.code.id()),
                Some(code),
                "{query}: {error}"
            );
        }
    }

    #[test]
    fn a_model_without_an_initial_state_is_an_error() {
        let text = "clock x; process P() { state A { x >= 2 }; init A; } system P;";
        let mut system = System::parse("m.xta", text).unwrap();
        let error = system.check("A[] false", &Settings::default()).unwrap_err();
        assert!(error.to_string().contains("the initial state violates the invariant of P.A"), "{error}");
    }

    #[test]
    fn a_missing_file_is_an_error() {
        let error = System::open("no/such/model.xml").unwrap_err();
        assert!(error.to_string().contains("no/such/model.xml"), "{error}");
    }

    #[test]
    fn what_cannot_be_built_is_an_error() {
        let text = "int a[1000][1000][1000]; process P() { state A; init A; trans A -> A { guard a[0][0][0] == 0; }; } system P;";
        let error = System::parse("m.xta", text).unwrap_err();
        assert!(error.diagnostics().has_errors());
    }
}
