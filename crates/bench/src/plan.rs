//! From a table to commands: every task with every configuration that it does not skip.

use crate::table::{Configuration, Table, Task};
use guidepost_generate::Family;
use std::path::{Path, PathBuf};

/// Everything that is to be run.
#[derive(Clone, Debug)]
pub struct Plan<'t> {
    /// The pairs, in the order of the table.
    pub pairs: Vec<Pair<'t>>,
    /// Tasks that cannot be run.
    pub skipped: Vec<Skipped>,
}

/// A task under a configuration.
#[derive(Clone, Debug)]
pub struct Pair<'t> {
    /// The task.
    pub task: &'t Task,
    /// How it is searched.
    pub configuration: &'t Configuration,
    /// The model's file.
    pub model: PathBuf,
    /// Seconds for a run.
    pub seconds: f64,
    /// Mebibytes for a run.
    pub mebibytes: Option<u64>,
}

/// A task that cannot be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// Its name.
    pub task: String,
    /// Why.
    pub reason: String,
}

impl<'t> Plan<'t> {
    /// Binds a table to files. `home` is the table's folder; generated models are going to be in `models`. A model that does not exist is skipped: collections of models
    /// are not everywhere. Only pairs whose name contains `only` are taken.
    pub fn new(table: &'t Table, home: &Path, models: &Path, only: &str) -> Self {
        let mut plan = Self { pairs: Vec::new(), skipped: Vec::new() };
        for task in &table.tasks {
            let tried =
                table.configurations.iter().filter(|configuration| !task.skip.contains(&configuration.id));
            let wanted: Vec<&Configuration> =
                tried.filter(|configuration| name(task, configuration).contains(only)).collect();
            if wanted.is_empty() {
                continue;
            }
            let model = match (&task.file, generated(task)) {
                (_, Some(family)) => models.join(format!("{}.xta", family.generate().name)),
                (_, None) => home.join(&table.folder).join(task.file_and_variant().0),
            };
            if task.generate.is_none() && !model.is_file() {
                let reason = format!("there is no file {}", model.display());
                plan.skipped.push(Skipped { task: task.id.clone(), reason });
                continue;
            }
            plan.pairs.extend(wanted.into_iter().map(|configuration| {
                let (seconds, mebibytes) = table.limits(task, configuration);
                Pair { task, configuration, model: model.clone(), seconds, mebibytes }
            }));
        }
        plan
    }

    /// Writes the models that are generated.
    pub fn generate(&self) -> std::io::Result<()> {
        for pair in &self.pairs {
            let Some(family) = generated(pair.task) else { continue };
            let generated = family.generate();
            if let Some(folder) = pair.model.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(&pair.model, &generated.model)?;
            std::fs::write(pair.model.with_extension("q"), generated.query_text())?;
        }
        Ok(())
    }
}

/// The family of a task. The words have been checked when the table was read.
fn generated(task: &Task) -> Option<Family> {
    task.generate.as_deref().and_then(|words| words.parse().ok())
}

fn name(task: &Task, configuration: &Configuration) -> String {
    format!("{} {}", task.id, configuration.id)
}

impl Pair<'_> {
    /// How lists call it.
    pub fn name(&self) -> String {
        name(self.task, self.configuration)
    }

    /// The arguments of the run with a seed.
    pub fn arguments(&self, seed: u64) -> Vec<String> {
        let mut arguments: Vec<String> = vec!["check".into(), self.model.display().to_string()];
        let mut add = |option: &str, value: String| arguments.extend([option.to_owned(), value]);
        if let Some(variant) = self.task.file_and_variant().1 {
            add("--variant", variant.to_owned());
        }
        match (&self.task.query, self.task.select) {
            (Some(query), _) => add("--query", query.clone()),
            (None, number) => add("--select", number.unwrap_or(1).to_string()),
        }
        if let Some(search) = &self.configuration.search {
            add("--search", search.clone());
        }
        if let Some(heuristic) = &self.configuration.heuristic {
            add("--heuristic", heuristic.clone());
        }
        add("--trace", self.configuration.trace.clone());
        add("--seed", seed.to_string());
        add("--time-limit", self.seconds.to_string());
        if let Some(mebibytes) = self.mebibytes {
            add("--memory-limit", mebibytes.to_string());
        }
        add("--format", "json".into());
        arguments.push("--quiet".into());
        arguments.extend(self.configuration.args.iter().cloned());
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "
        [[configuration]]
        id = 'bfs'
        search = 'bfs'
        [[configuration]]
        id = 'ut-hu'
        search = 'ut'
        heuristic = 'hu'
        args = ['--ties', 'fifo']
        [[task]]
        id = 'F'
        generate = 'fischer a 3'
        skip = ['bfs']
        memory_limit = 100
        [[task]]
        id = 'G'
        file = 'no-such-model.xml'
        query = 'E<> P.x'
        [[task]]
        id = 'H'
        generate = 'fddi 2'
        select = 3
    ";

    #[test]
    fn a_plan_has_what_can_be_run() {
        let table = Table::read(TABLE).unwrap();
        let names = |only: &str| {
            let plan = Plan::new(&table, Path::new("home"), Path::new("models"), only);
            (plan.pairs.iter().map(Pair::name).collect::<Vec<_>>(), plan.skipped.len())
        };
        assert_eq!(names(""), (vec!["F ut-hu".to_owned(), "H bfs".into(), "H ut-hu".into()], 1));
        assert_eq!(names("H"), (vec!["H bfs".to_owned(), "H ut-hu".into()], 0));
        assert_eq!(names("ut"), (vec!["F ut-hu".to_owned(), "H ut-hu".into()], 1));
    }

    #[test]
    fn arguments_are_those_of_check() {
        let table = Table::read(TABLE).unwrap();
        let plan = Plan::new(&table, Path::new("home"), Path::new("models"), "F");
        assert_eq!(
            plan.pairs[0].arguments(4).join(" "),
            "check models/fischer-a-3.xta --select 1 --search ut --heuristic hu --trace some --seed 4 --time-limit 60 \
             --memory-limit 100 --format json --quiet --ties fifo"
        );
    }

    #[test]
    fn a_variant_is_handed_on() {
        for file in ["file = 'mutex.plc'\nvariant = 'M1'", "file = 'mutex.plc:M1'"] {
            let table = format!("[[configuration]]\nid = 'bfs'\n[[task]]\nid = 'P'\n{file}");
            let table = Table::read(&table).unwrap();
            let plan = Plan::new(&table, Path::new("../../models/plc"), Path::new("models"), "");
            assert!(plan.pairs[0].arguments(0).join(" ").contains("mutex.plc --variant M1 --select 1"));
        }
    }
}
