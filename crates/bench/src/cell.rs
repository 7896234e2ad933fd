//! The runs of a pair, summed up.

use crate::plan::Pair;
use crate::run::{Measured, Outcome, Run};
use crate::table::Published;

/// A pair and its runs.
#[derive(Clone, Debug)]
pub struct Cell<'t> {
    /// What was run.
    pub pair: Pair<'t>,
    /// The runs, in the order of their seeds.
    pub runs: Vec<Run>,
}

/// What came of the runs of a pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// Most of them gave this answer.
    Answered(String),
    /// Most of them gave none, for this reason.
    Undecided(String),
    /// One of them failed like this.
    Failed(String),
    /// What is wrong with the answers.
    Wrong(String),
}

impl Status {
    /// For tables.
    pub fn text(&self) -> String {
        match self {
            Self::Answered(verdict) => verdict.clone(),
            Self::Undecided(reason) => format!("undecided: {reason}"),
            Self::Failed(message) => format!("failed: {message}"),
            Self::Wrong(message) => format!("WRONG: {message}"),
        }
    }

    /// Whether someone has to look at it.
    pub fn is_alarming(&self) -> bool {
        matches!(self, Self::Failed(_) | Self::Wrong(_))
    }
}

impl Cell<'_> {
    fn answers(&self) -> impl Iterator<Item = &Measured> {
        self.runs.iter().filter_map(|run| match &run.outcome {
            Outcome::Answered(measured) => Some(measured),
            _ => None,
        })
    }

    /// How many runs gave an answer.
    pub fn answered(&self) -> usize {
        self.answers().count()
    }

    /// What came of the runs.
    pub fn status(&self) -> Status {
        if let Some(message) = self.mistake() {
            return Status::Wrong(message);
        }
        let failed = self.runs.iter().find_map(|run| match &run.outcome {
            Outcome::Failed(message) => Some(message.clone()),
            _ => None,
        });
        if let Some(message) = failed {
            return Status::Failed(message);
        }
        match self.answers().next() {
            Some(measured) if self.explored().is_some() => Status::Answered(measured.verdict.clone()),
            _ => Status::Undecided(self.reason()),
        }
    }

    /// What contradicts what is known, or another run.
    fn mistake(&self) -> Option<String> {
        let task = self.pair.task;
        let first = self.answers().next()?;
        if self.answers().any(|measured| measured.verdict != first.verdict) {
            return Some("different answers for different seeds".to_owned());
        }
        let unexpected = task.expect.as_ref().is_some_and(|expected| *expected != first.verdict);
        if unexpected || first.expected == Some(false) {
            return Some(format!("{}, not as expected", first.verdict));
        }
        let shortest = task.shortest?;
        self.answers().find_map(|measured| {
            let length = measured.length?;
            let is_wrong = length < shortest || (measured.optimal && length > shortest);
            is_wrong.then(|| {
                format!("a run of {length} steps, though {shortest} is proved to be the shortest length")
            })
        })
    }

    fn reason(&self) -> String {
        let reason = self.runs.iter().find_map(|run| match &run.outcome {
            Outcome::Undecided(reason) => Some(reason.clone()),
            _ => None,
        });
        reason.unwrap_or_else(|| "not run to the end".to_owned())
    }

    /// The median over the runs; a run without an answer counts as endless.
    fn median(&self, value: impl Fn(&Measured) -> Option<f64>) -> Option<f64> {
        let mut values: Vec<f64> = self
            .runs
            .iter()
            .map(|run| match &run.outcome {
                Outcome::Answered(measured) => value(measured).unwrap_or(f64::INFINITY),
                _ => f64::INFINITY,
            })
            .collect();
        values.sort_by(f64::total_cmp);
        let upper = *values.get(values.len() / 2)?;
        let lower = values[(values.len() - 1) / 2];
        let median = f64::midpoint(lower, upper);
        median.is_finite().then_some(median)
    }

    /// Explored states.
    pub fn explored(&self) -> Option<f64> {
        self.median(|measured| Some(measured.explored as f64))
    }

    /// Stored states.
    pub fn stored(&self) -> Option<f64> {
        self.median(|measured| Some(measured.stored as f64))
    }

    /// Transitions of the run that shows the answer.
    pub fn length(&self) -> Option<f64> {
        self.median(|measured| measured.length.map(|length| length as f64))
    }

    /// Seconds of the search.
    pub fn seconds(&self) -> Option<f64> {
        self.median(|measured| Some(measured.seconds))
    }

    /// Memory of the states.
    pub fn bytes(&self) -> Option<f64> {
        self.median(|measured| Some(measured.bytes as f64))
    }

    /// What others have measured.
    pub fn published(&self) -> Option<&Published> {
        self.pair.task.published.get(&self.pair.configuration.id)
    }

    /// Explored states as a multiple of the published ones.
    pub fn ratio(&self) -> Option<f64> {
        let published = self.published()?.explored().filter(|explored| *explored > 0)?;
        Some(self.explored()? / published as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;
    use crate::table::Table;
    use std::path::Path;

    fn answer(verdict: &str, explored: u64, length: u64, optimal: bool) -> Outcome {
        Outcome::Answered(Measured {
            verdict: verdict.into(),
            expected: None,
            explored,
            stored: explored,
            length: Some(length),
            optimal,
            seconds: 0.1,
            bytes: 10,
        })
    }

    fn check(outcomes: Vec<Outcome>, test: impl FnOnce(&Cell<'_>)) {
        let text = "[[configuration]]\nid = 'c'\n[[task]]\nid = 't'\ngenerate = 'fddi 2'\nexpect = 'satisfied'\nshortest = 5\n\
                    published.c = { explored = 10 }";
        let table = Table::read(text).unwrap();
        let pair = Plan::new(&table, Path::new(""), Path::new(""), "").pairs.remove(0);
        let runs = outcomes.into_iter().map(|outcome| Run { seed: 0, outcome, wall_seconds: 1.0 }).collect();
        test(&Cell { pair, runs });
    }

    #[test]
    fn medians_count_runs_without_an_answer_as_endless() {
        let undecided = || Outcome::Undecided("time limit".into());
        let good = |explored| answer("satisfied", explored, 7, false);
        check(vec![good(30), good(10), undecided()], |cell| {
            assert_eq!(cell.explored(), Some(30.0));
            assert_eq!(cell.ratio(), Some(3.0));
            assert_eq!(cell.status(), Status::Answered("satisfied".into()));
            assert_eq!(cell.answered(), 2);
        });
        check(vec![good(30), good(10)], |cell| assert_eq!(cell.explored(), Some(20.0)));
        check(vec![good(30), undecided(), undecided()], |cell| {
            assert_eq!(cell.explored(), None);
            assert_eq!(cell.status(), Status::Undecided("time limit".into()));
        });
    }

    #[test]
    fn contradictions_are_seen() {
        let message = |outcomes, expected: &str| {
            check(outcomes, |cell| assert_eq!(cell.status(), Status::Wrong(expected.into())));
        };
        message(vec![answer("not satisfied", 1, 5, false)], "not satisfied, not as expected");
        message(
            vec![answer("satisfied", 1, 5, false), answer("not satisfied", 1, 5, false)],
            "different answers for different seeds",
        );
        message(
            vec![answer("satisfied", 1, 4, false)],
            "a run of 4 steps, though 5 is proved to be the shortest length",
        );
        message(
            vec![answer("satisfied", 1, 6, true)],
            "a run of 6 steps, though 5 is proved to be the shortest length",
        );
        check(vec![answer("satisfied", 1, 6, false)], |cell| assert!(!cell.status().is_alarming()));
        check(vec![Outcome::Failed("no".into())], |cell| assert!(cell.status().is_alarming()));
    }
}
