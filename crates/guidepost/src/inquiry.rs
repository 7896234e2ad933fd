//! Questions to a model: which queries are asked, under which numbers, and what is wrong with them.

use crate::selection::{numbered, select};
use crate::{ModelError, Session};
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::model::{Formula, Query};
use guidepost_language::source::Span;
use guidepost_network::{CompiledQuery, compile_query};
use std::path::PathBuf;

/// Where queries come from.
#[derive(Clone, Debug, Default)]
pub enum Queries {
    /// The model stores them, or the `.q` file beside it.
    #[default]
    Stored,
    /// They are given as texts.
    Texts(Vec<String>),
    /// A file of queries.
    File(PathBuf),
}

/// Queries that are asked, each compiled or with the reason why it cannot be answered.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// One per query, in the order in which they are asked.
    pub entries: Vec<Entry>,
    /// What can be answered, in the order of the entries.
    pub compiled: Vec<CompiledQuery>,
    /// What is to be said about the queries.
    pub diagnostics: Diagnostics,
}

/// A query on its way to an answer.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its number among the stored or given queries, from 1.
    pub number: usize,
    /// The query.
    pub query: Query,
    /// Why it cannot be answered.
    pub problem: Option<String>,
}

/// Nothing is asked.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct NothingAsked {
    /// Why, in a sentence; empty when the messages say it.
    pub message: String,
    /// What is wrong with the queries.
    pub diagnostics: Diagnostics,
}

impl Inquiry {
    /// The numbers of the queries that can be answered, in the order in which they were compiled.
    pub fn numbers(&self) -> Vec<usize> {
        self.entries.iter().filter(|entry| entry.problem.is_none()).map(|entry| entry.number).collect()
    }
}

impl Session {
    /// Collects queries and compiles them. `wanted` chooses some of them by number or name; all are asked if it is empty.
    ///
    /// A query with a mistake is part of the inquiry, so that the others are answered.
    ///
    /// # Errors
    /// When there is no query at all, or a chosen one does not exist.
    pub fn inquire(&mut self, queries: &Queries, wanted: &[String]) -> Result<Inquiry, NothingAsked> {
        let mut diagnostics = Diagnostics::default();
        let found = numbered(self.collect(queries, &mut diagnostics));
        if found.is_empty() {
            let message = if diagnostics.has_errors() { String::new() } else { self.no_queries(queries) };
            return Err(NothingAsked { message, diagnostics });
        }
        match select(found, wanted) {
            Ok(chosen) => Ok(self.compile_all(chosen, diagnostics)),
            Err(message) => Err(NothingAsked { message, diagnostics }),
        }
    }

    /// One query, given as a text.
    ///
    /// # Errors
    /// What is wrong with the query, or why it is not supported.
    pub fn compile(&mut self, query: &str) -> Result<CompiledQuery, ModelError> {
        let queries = Queries::Texts(vec![query.to_owned()]);
        match self.inquire(&queries, &[]) {
            Ok(Inquiry { mut compiled, entries, .. }) if compiled.len() == 1 && entries.len() == 1 => {
                Ok(compiled.remove(0))
            }
            Ok(Inquiry { diagnostics, entries, .. }) => {
                let several = format!("one query was expected, there are {}", entries.len());
                Err(self.bad_query(diagnostics, &several))
            }
            Err(NothingAsked { diagnostics, message }) => Err(self.bad_query(diagnostics, &message)),
        }
    }

    fn collect(&mut self, queries: &Queries, diagnostics: &mut Diagnostics) -> Vec<Query> {
        match queries {
            Queries::Stored => {
                *diagnostics = self.loaded.query_diagnostics.clone();
                self.loaded.model.queries.clone()
            }
            Queries::File(path) => self.loaded.queries_from_file(path, diagnostics),
            Queries::Texts(texts) => {
                let name = |number| match texts.len() {
                    1 => "--query".to_owned(),
                    _ => format!("--query {number}"),
                };
                let texts = (1..).zip(texts);
                texts
                    .flat_map(|(number, text)| {
                        self.loaded.queries_from_text(&name(number), text, diagnostics)
                    })
                    .collect()
            }
        }
    }

    fn no_queries(&self, queries: &Queries) -> String {
        match queries {
            Queries::File(path) => format!("`{}` contains no queries", path.display()),
            Queries::Texts(_) => "the query is empty; ask for something like --query 'E<> P.done'".to_owned(),
            Queries::Stored => {
                let name =
                    self.loaded.sources.files().next().map_or("the model", |(_, file)| file.name.as_str());
                format!("`{name}` stores no queries; ask with --query 'E<> …' or --queries FILE.q")
            }
        }
    }

    fn compile_all(&mut self, queries: Vec<(usize, Query)>, mut diagnostics: Diagnostics) -> Inquiry {
        let mut compiled = Vec::new();
        let mut entries = Vec::new();
        for (number, query) in queries {
            let problem = match &query.formula {
                Formula::Error => Some(problem(&query, &diagnostics)),
                Formula::Foreign(word) => Some(format!("`{word}` queries are not supported")),
                _ => match self.compile_guided(&query) {
                    Ok(query) => {
                        compiled.push(query);
                        None
                    }
                    Err(errors) => {
                        let problem = problem(&query, &errors);
                        diagnostics.extend(errors);
                        Some(problem)
                    }
                },
            };
            entries.push(Entry { number, query, problem });
        }
        Inquiry { entries, compiled, diagnostics }
    }

    /// A query with the guideposts that are stored with it.
    fn compile_guided(&mut self, query: &Query) -> Result<CompiledQuery, Diagnostics> {
        let compiled = compile_query(&self.network, &self.loaded.model, query)?;
        let guideposts = self.stored_guideposts(&query.comment)?;
        Ok(CompiledQuery { guideposts, ..compiled })
    }
}

impl Session {
    /// An error about a query: the messages, or a sentence where there are none.
    pub(crate) fn bad_query(&self, mut diagnostics: Diagnostics, sentence: &str) -> ModelError {
        if !diagnostics.has_errors() {
            diagnostics.push(Diagnostic::new(Code::BadQuery, self.last_file(), sentence));
        }
        self.error(diagnostics)
    }

    /// The beginning of the text that was added last.
    pub(crate) fn last_file(&self) -> Span {
        self.loaded.sources.files().last().map_or_else(Span::default, |(file, _)| Span::new(file, 0, 0))
    }
}

/// What is wrong with a query, in the words of the first message about it.
fn problem(query: &Query, diagnostics: &Diagnostics) -> String {
    let is_about =
        |at: Span| at.file == query.span.file && at.start >= query.span.start && at.start <= query.span.end;
    let first = diagnostics.iter().find(|diagnostic| diagnostic.is_error() && is_about(diagnostic.span));
    // A guidepost that is stored with it has a place of its own.
    let first = first.or_else(|| diagnostics.iter().find(|diagnostic| diagnostic.is_error()));
    first.map_or_else(|| "the query has an error".to_owned(), |error| error.message.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str =
        "int[0,3] n; process P() { state A, B; init A; trans A -> B { assign n = 1; }; } system P;";

    #[test]
    fn wrong_queries_are_errors_with_a_place() {
        let mut session = Session::parse("m.xta", MODEL).unwrap();
        assert!(session.compile("E<> P.B and n == 1").is_ok());
        for (query, code) in
            [("E<> P.C", "E024"), ("", "E070"), ("E<> P.A\nE<> P.B", "E070"), ("E<> (", "E008")]
        {
            let error = session.compile(query).unwrap_err();
            assert_eq!(
                error.diagnostics().iter().next().map(|d| d.code.id()),
                Some(code),
                "{query}: {error}"
            );
        }
    }

    #[test]
    fn a_wrong_query_does_not_stop_the_others() {
        let mut session = Session::parse("m.xta", MODEL).unwrap();
        let texts = ["E<> P.B", "E<> P.C", "A[] n < 3"].map(str::to_owned).to_vec();
        let inquiry = session.inquire(&Queries::Texts(texts), &[]).unwrap();
        assert_eq!(inquiry.numbers(), [1, 3]);
        assert!(inquiry.entries[1].problem.as_ref().is_some_and(|problem| problem.contains('C')));
        assert!(inquiry.diagnostics.has_errors());
    }
}
