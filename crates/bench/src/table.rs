//! What is to be measured, as a TOML file says it.

use guidepost_generate::{Family, FamilyError};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// A run that says nothing else gets a minute.
const DEFAULT_SECONDS: f64 = 60.0;

/// Tasks and configurations.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// What the table shows.
    #[serde(default)]
    pub title: String,
    /// The folder that files of tasks are relative to, itself relative to the table.
    #[serde(default)]
    pub folder: String,
    /// Seconds for every run.
    pub time_limit: Option<f64>,
    /// Mebibytes for every run.
    pub memory_limit: Option<u64>,
    /// What is tried.
    #[serde(rename = "configuration")]
    pub configurations: Vec<Configuration>,
    /// What it is tried on.
    #[serde(rename = "task")]
    pub tasks: Vec<Task>,
}

/// A way to search.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// How tables call it.
    pub id: String,
    /// `--search`.
    pub search: Option<String>,
    /// `--heuristic`.
    pub heuristic: Option<String>,
    /// `--trace`; a run is asked for, so that its length can be told.
    #[serde(default = "some_trace")]
    pub trace: String,
    /// The seeds of the runs; the median of them counts.
    #[serde(default)]
    pub seeds: Seeds,
    /// More arguments of `check`.
    #[serde(default)]
    pub args: Vec<String>,
    /// Seconds for its runs, if not the table's.
    pub time_limit: Option<f64>,
    /// Mebibytes for its runs, if not the table's.
    pub memory_limit: Option<u64>,
}

fn some_trace() -> String {
    "some".to_owned()
}

/// Seeds: so many from 1 on, or these.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Seeds {
    /// How many.
    Count(u64),
    /// Which.
    List(Vec<u64>),
}

impl Default for Seeds {
    /// One run with the seed 0, which stands for no random choices.
    fn default() -> Self {
        Self::List(vec![0])
    }
}

impl Seeds {
    /// All seeds, in order.
    pub fn list(&self) -> Vec<u64> {
        match self {
            Self::Count(count) => (1..=*count).collect(),
            Self::List(list) => list.clone(),
        }
    }
}

/// A question about a model.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// How tables call it.
    pub id: String,
    /// The model's file.
    pub file: Option<String>,
    /// Which variant of a `.plc` file.
    pub variant: Option<String>,
    /// Or the family that it is generated from, as typed behind `guidepost generate`.
    pub generate: Option<String>,
    /// The query.
    pub query: Option<String>,
    /// Or the number of a stored one; without both it is the first.
    pub select: Option<usize>,
    /// The known answer: `satisfied` or `not satisfied`.
    pub expect: Option<String>,
    /// The proved length of a shortest run.
    pub shortest: Option<u64>,
    /// Configurations that are not tried.
    #[serde(default)]
    pub skip: Vec<String>,
    /// What others have measured, by configuration.
    #[serde(default)]
    pub published: BTreeMap<String, Published>,
    /// Seconds for its runs, if not the configuration's or the table's.
    pub time_limit: Option<f64>,
    /// Mebibytes for its runs, if not the configuration's or the table's.
    pub memory_limit: Option<u64>,
}

impl Task {
    /// The model's file and which variant of it is meant; `FILE.plc:VARIANT` says both.
    pub fn file_and_variant(&self) -> (&str, Option<&str>) {
        let file = self.file.as_deref().unwrap_or_default();
        match file.split_once(".plc:") {
            Some((name, variant)) if self.variant.is_none() => {
                (&file[..name.len() + ".plc".len()], Some(variant))
            }
            _ => (file, self.variant.as_deref()),
        }
    }
}

/// What others have measured.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Published {
    /// Numbers.
    Numbers {
        /// Explored states.
        explored: Option<u64>,
        /// Length of the trace.
        length: Option<u64>,
    },
    /// A word, such as `-` for out of memory.
    Word(String),
}

impl Published {
    /// Explored states, if they were told.
    pub fn explored(&self) -> Option<u64> {
        match self {
            Self::Numbers { explored, .. } => *explored,
            Self::Word(_) => None,
        }
    }

    /// The length of the trace, if it was told.
    pub fn length(&self) -> Option<u64> {
        match self {
            Self::Numbers { length, .. } => *length,
            Self::Word(_) => None,
        }
    }
}

/// Why a table makes no sense.
#[derive(Debug, Error)]
pub enum TableError {
    /// It is not TOML, or not of this shape.
    #[error("{0}")]
    Syntax(#[from] toml::de::Error),
    /// There is nothing to do.
    #[error("there is no [[{0}]]")]
    Empty(&'static str),
    /// Two entries have the same name.
    #[error("two {0} are called `{1}`")]
    Twice(&'static str, String),
    /// A name is used that nothing has.
    #[error("task `{task}`: there is no configuration `{name}`")]
    NoConfiguration {
        /// Where.
        task: String,
        /// The name.
        name: String,
    },
    /// A task does not say what its model is, or says it twice.
    #[error("task `{0}` needs either `file` or `generate`")]
    NoModel(String),
    /// A task asks two questions.
    #[error("task `{0}` has both `query` and `select`; only one of them can be asked")]
    TwoQuestions(String),
    /// The expected answer is none.
    #[error("task `{task}`: `{word}` is no answer; expect `satisfied` or `not satisfied`")]
    NoAnswer {
        /// Where.
        task: String,
        /// What stands there.
        word: String,
    },
    /// The family does not exist, or has other parameters.
    #[error("task `{task}`: {reason}")]
    Family {
        /// Where.
        task: String,
        /// Why.
        reason: FamilyError,
    },
    /// A configuration without runs.
    #[error("configuration `{0}` has no seeds")]
    NoSeeds(String),
    /// A limit that nothing can keep.
    #[error("a time limit of {0} seconds makes no sense")]
    NoTime(f64),
}

impl Table {
    /// Reads a table.
    pub fn read(text: &str) -> Result<Self, TableError> {
        let table: Self = toml::from_str(text)?;
        table.check()?;
        Ok(table)
    }

    fn check(&self) -> Result<(), TableError> {
        let ids = unique("configurations", self.configurations.iter().map(|entry| entry.id.as_str()))?;
        unique("tasks", self.tasks.iter().map(|task| task.id.as_str()))?;
        if ids.is_empty() {
            return Err(TableError::Empty("configuration"));
        }
        if self.tasks.is_empty() {
            return Err(TableError::Empty("task"));
        }
        for configuration in &self.configurations {
            if configuration.seeds.list().is_empty() {
                return Err(TableError::NoSeeds(configuration.id.clone()));
            }
        }
        self.tasks.iter().try_for_each(|task| task.check(&ids))?;
        let limits = self.tasks.iter().map(|task| task.time_limit);
        let limits = limits.chain(self.configurations.iter().map(|entry| entry.time_limit));
        let wrong = |seconds: &f64| !(*seconds > 0.0 && *seconds <= 1e9);
        match limits.chain([self.time_limit]).flatten().find(wrong) {
            Some(seconds) => Err(TableError::NoTime(seconds)),
            None => Ok(()),
        }
    }

    /// What a run of a pair may use up: the task's limits, or else the configuration's, or else the table's.
    pub fn limits(&self, task: &Task, configuration: &Configuration) -> (f64, Option<u64>) {
        let time = task.time_limit.or(configuration.time_limit).or(self.time_limit);
        let memory = task.memory_limit.or(configuration.memory_limit).or(self.memory_limit);
        (time.unwrap_or(DEFAULT_SECONDS), memory)
    }
}

fn unique<'a>(
    what: &'static str,
    ids: impl Iterator<Item = &'a str>,
) -> Result<BTreeSet<&'a str>, TableError> {
    let mut seen = BTreeSet::new();
    for id in ids {
        if !seen.insert(id) {
            return Err(TableError::Twice(what, id.to_owned()));
        }
    }
    Ok(seen)
}

impl Task {
    fn check(&self, configurations: &BTreeSet<&str>) -> Result<(), TableError> {
        match (&self.file, &self.generate) {
            (Some(_), None) => {}
            (None, Some(words)) => {
                let wrong = |reason| TableError::Family { task: self.id.clone(), reason };
                words.parse::<Family>().map_err(wrong)?;
            }
            _ => return Err(TableError::NoModel(self.id.clone())),
        }
        if self.query.is_some() && self.select.is_some() {
            return Err(TableError::TwoQuestions(self.id.clone()));
        }
        if let Some(word) =
            self.expect.as_deref().filter(|word| !matches!(*word, "satisfied" | "not satisfied"))
        {
            return Err(TableError::NoAnswer { task: self.id.clone(), word: word.to_owned() });
        }
        match self
            .skip
            .iter()
            .chain(self.published.keys())
            .find(|name| !configurations.contains(name.as_str()))
        {
            Some(name) => Err(TableError::NoConfiguration { task: self.id.clone(), name: name.clone() }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "[[configuration]]\nid = 'bfs'\nsearch = 'bfs'\n[[task]]\nid = 't'\n";

    fn message(text: &str) -> String {
        Table::read(text).unwrap_err().to_string()
    }

    #[test]
    fn a_table_is_read_with_its_defaults() {
        let text = format!(
            "title = 'T'\ntime_limit = 5\n{BASE}generate = 'fischer a 3'\n[task.published]\nbfs = {{ explored = 7 }}\n"
        );
        let table = Table::read(&text).unwrap();
        let (task, configuration) = (&table.tasks[0], &table.configurations[0]);
        assert_eq!(configuration.seeds.list(), [0]);
        assert_eq!(configuration.trace, "some");
        assert_eq!(task.published["bfs"].explored(), Some(7));
        assert_eq!(table.limits(task, configuration), (5.0, None));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(message(BASE), "task `t` needs either `file` or `generate`");
        assert_eq!(
            message(&format!("{BASE}file = 'a'\ngenerate = 'fddi 3'")),
            "task `t` needs either `file` or `generate`"
        );
        assert!(
            message(&format!("{BASE}generate = 'fddy 3'")).starts_with("task `t`: there is no family `fddy`")
        );
        assert_eq!(
            message(&format!("{BASE}file = 'a'\nskip = ['dfs']")),
            "task `t`: there is no configuration `dfs`"
        );
        assert_eq!(
            message(&format!("{BASE}file = 'a'\nexpect = 'yes'")),
            "task `t`: `yes` is no answer; expect `satisfied` or `not satisfied`"
        );
        assert_eq!(
            message(&format!("{BASE}file = 'a'\nquery = 'x'\nselect = 1")),
            "task `t` has both `query` and `select`; only one of them can be asked"
        );
        assert_eq!(
            message(&format!("{BASE}file = 'a'\n[[task]]\nid = 't'\nfile = 'b'")),
            "two tasks are called `t`"
        );
        assert_eq!(
            message(&format!("time_limit = -1\n{BASE}file = 'a'")),
            "a time limit of -1 seconds makes no sense"
        );
        assert!(message(&format!("{BASE}fil = 'a'")).contains("unknown field `fil`"));
        assert!(message(&format!("tim_limit = 3\n{BASE}file = 'a'")).contains("tim_limit"));
        assert_eq!(message("configuration = []\ntask = []"), "there is no [[configuration]]");
    }
}
