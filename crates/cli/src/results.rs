//! Results on their way to the reader.

use crate::args::{AnswerFormat, CheckArgs};
use crate::terminal::{look, print};
use guidepost_answer::Answer;
use guidepost_language::model::Query;
use guidepost_network::Network;
use guidepost_report::Look;
use guidepost_report::verdict::{QueryResult, closing_text, latest_text};
use std::collections::VecDeque;

/// A query on its way to an answer.
pub(crate) struct Entry {
    /// Its place among the stored or given queries, from 1.
    pub(crate) number: usize,
    pub(crate) query: Query,
    /// Why it cannot be answered.
    pub(crate) problem: Option<String>,
}

/// Results as they come: in text they are shown in order, each as soon as it and all before it are known.
pub(crate) struct Results<'n> {
    network: &'n Network,
    several: bool,
    is_text: bool,
    look: Look,
    waiting: VecDeque<Entry>,
    answers: Vec<Option<Answer>>,
    /// The next answer that belongs to a waiting entry.
    next: usize,
    known: Vec<QueryResult>,
}

impl<'n> Results<'n> {
    pub(crate) fn new(entries: Vec<Entry>, network: &'n Network, args: &CheckArgs) -> Self {
        Self {
            network,
            several: entries.len() > 1,
            is_text: args.format == AnswerFormat::Text,
            look: Look { detail: args.detail.detail(), ..look() },
            answers: entries.iter().filter(|entry| entry.problem.is_none()).map(|_| None).collect(),
            waiting: entries.into(),
            next: 0,
            known: Vec::new(),
        }
    }

    /// The numbers of the queries that can be answered, in the order in which they were compiled.
    pub(crate) fn numbers(&self) -> Vec<usize> {
        self.waiting.iter().filter(|entry| entry.problem.is_none()).map(|entry| entry.number).collect()
    }

    pub(crate) fn answer(&mut self, index: usize, answer: Answer) {
        self.answers[index] = Some(answer);
        self.show();
    }

    fn show(&mut self) {
        while let Some(result) = self.take() {
            self.known.push(result);
            if self.is_text {
                print(&latest_text(&self.known, self.several, self.network, self.look));
            }
        }
    }

    /// The result of the first entry that waits, if it is known.
    fn take(&mut self) -> Option<QueryResult> {
        let entry = self.waiting.front()?;
        let answer = if let Some(problem) = &entry.problem {
            Err(problem.clone())
        } else {
            let answer = self.answers.get_mut(self.next)?.take()?;
            self.next += 1;
            Ok(answer)
        };
        let Entry { number, query, .. } = self.waiting.pop_front()?;
        let Query { text, property, expect, .. } = query;
        Some(QueryResult { number, query: text, property, expect, answer })
    }

    /// Shows what is left to show.
    pub(crate) fn close(mut self) -> Vec<QueryResult> {
        self.show();
        if self.is_text {
            print(&closing_text(&self.known, self.look));
        }
        self.known
    }
}
