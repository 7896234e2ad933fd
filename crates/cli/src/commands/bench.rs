//! `guidepost bench CONFIG.toml`

use crate::args::{Args, Command};
use crate::commands::check::settings;
use crate::exit::Exit;
use crate::terminal::{print, print_error, refuse};
use crate::{files, limits};
use clap::{Args as ClapArgs, Parser};
use guidepost_bench::{Cell, Outcome, Pair, Plan, Results, Run, Runner, Table, runs_heading, runs_line};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What is written again after every pair should not keep the machine busy.
const BETWEEN_WRITES: Duration = Duration::from_secs(2);

/// Which table, and how it is run.
#[derive(ClapArgs, Debug)]
pub(crate) struct BenchArgs {
    /// The table of tasks and configurations.
    #[arg(value_name = "CONFIG.toml")]
    table: PathBuf,
    /// The folder for results and generated models [default: bench-NAME for NAME.toml].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Run only pairs whose name (task, a space, configuration) contains this.
    #[arg(long, value_name = "SUBSTRING", default_value = "")]
    only: String,
    /// How many runs at a time; more than one makes times less exact.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Only list what would be run.
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(args: &BenchArgs) -> Result<Exit, Exit> {
    let text = files::read(&args.table)?;
    let table = Table::read(&text).map_err(|error| refuse(format!("{}: {error}", args.table.display())))?;
    let name = args.table.file_stem().and_then(|stem| stem.to_str()).unwrap_or("table");
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("bench-{name}")));
    let home = args.table.parent().unwrap_or(Path::new(""));
    let plan = Plan::new(&table, home, &out.join("models"), &args.only);
    for skipped in &plan.skipped {
        anstream::eprintln!("note: task `{}` is skipped: {}", skipped.task, skipped.reason);
    }
    if plan.pairs.is_empty() && plan.skipped.is_empty() {
        return Err(refuse(format!("no pair of a task and a configuration contains `{}`", args.only)));
    }
    check(&plan)?;
    if args.list {
        list(&plan);
        return Ok(Exit::Satisfied);
    }
    measure(args, &table, &plan, &out, name)
}

/// What a configuration asks for has to make sense before hours are spent on the others.
fn check(plan: &Plan<'_>) -> Result<(), Exit> {
    let mut checked = Vec::new();
    for pair in &plan.pairs {
        let id = &pair.configuration.id;
        if checked.contains(&id) {
            continue;
        }
        checked.push(id);
        let words = std::iter::once("guidepost".to_owned()).chain(pair.arguments(1));
        let args = Args::try_parse_from(words).map_err(|error| {
            let error = error.to_string();
            let reason = error.trim_start_matches("error: ").trim_end();
            refuse(format!("configuration `{id}`: {reason}"))
        })?;
        if let Command::Check(args) = args.command {
            settings(&args).inspect_err(|_| print_error(format!("configuration `{id}` asks for that")))?;
        }
    }
    Ok(())
}

fn list(plan: &Plan<'_>) {
    for pair in &plan.pairs {
        let runs = pair.configuration.seeds.list().len();
        let runs = if runs == 1 { String::new() } else { format!("  × {runs}") };
        print(&format!("{}  {}{runs}\n", pair.name(), pair.model.display()));
    }
}

fn measure(args: &BenchArgs, table: &Table, plan: &Plan<'_>, out: &Path, name: &str) -> Result<Exit, Exit> {
    let cannot_write =
        |error: std::io::Error| refuse(format!("cannot write to `{}`: {error}", out.display()));
    std::fs::create_dir_all(out).and_then(|()| plan.generate()).map_err(cannot_write)?;
    let mut runs = File::create(out.join(format!("{name}-runs.csv"))).map_err(cannot_write)?;
    runs.write_all(runs_heading().as_bytes()).map_err(cannot_write)?;
    let command =
        std::env::current_exe().map_err(|error| refuse(format!("cannot find this program: {error}")))?;
    let runner = Runner { command, interrupt: limits::on_interrupt() };

    let results =
        Results { table, cells: Vec::new(), skipped: plan.skipped.clone(), planned: plan.pairs.len() };
    let mut record =
        Record { results, unfinished: vec![Vec::new(); plan.pairs.len()], done: Vec::new(), failure: None };
    let mut written = Instant::now();
    runner.run_all(&plan.pairs, args.jobs.into(), &mut |index, run, last| {
        let pair = &plan.pairs[index];
        // One line a run, at once: what is done is done, whatever happens next.
        if let Err(error) = runs.write_all(runs_line(pair, &run).as_bytes()) {
            record.failure.get_or_insert(cannot_write(error));
        }
        record.add(index, pair, run, last);
        if last && written.elapsed() > BETWEEN_WRITES {
            record.write(out, name);
            written = Instant::now();
        }
    });
    record.write(out, name);
    if let Some(exit) = record.failure {
        return Err(exit);
    }
    let alarming = record.results.cells.iter().filter(|cell| cell.status().is_alarming()).count();
    let finished = record.results.cells.len();
    anstream::eprintln!(
        "{finished} of {} pairs done, {alarming} wrong or failed; see {}",
        plan.pairs.len(),
        out.join(format!("{name}.html")).display()
    );
    if runner.interrupt.load(Ordering::Relaxed) {
        return Ok(Exit::Undecided);
    }
    Ok(if alarming == 0 { Exit::Satisfied } else { Exit::NotSatisfied })
}

/// What has been measured so far.
struct Record<'t> {
    results: Results<'t>,
    /// The runs of pairs that are not done, by index.
    unfinished: Vec<Vec<Run>>,
    /// The indices of the cells of `results`.
    done: Vec<usize>,
    failure: Option<Exit>,
}

impl<'t> Record<'t> {
    fn add(&mut self, index: usize, pair: &Pair<'t>, run: Run, last: bool) {
        self.unfinished[index].push(run);
        if !last {
            return;
        }
        let cell = Cell { pair: pair.clone(), runs: std::mem::take(&mut self.unfinished[index]) };
        // Pairs that run side by side end in any order; tables keep that of the plan.
        let place = self.done.partition_point(|done| *done < index);
        self.done.insert(place, index);
        anstream::eprintln!("{}", progress(&cell, self.done.len(), self.results.planned));
        self.results.cells.insert(place, cell);
    }

    fn write(&mut self, out: &Path, name: &str) {
        let results = &self.results;
        for (extension, text) in
            [("csv", results.csv()), ("md", results.markdown()), ("html", results.html())]
        {
            if let Err(exit) = files::write(&out.join(format!("{name}.{extension}")), &text) {
                self.failure = Some(exit);
            }
        }
    }
}

fn progress(cell: &Cell<'_>, done: usize, planned: usize) -> String {
    use std::fmt::Write;
    let mut text = format!("[{done}/{planned}] {}: {}", cell.pair.name(), cell.status().text());
    if let Some(explored) = cell.explored() {
        let _ = write!(text, ", {explored} explored");
    }
    if let Some(length) = cell.length() {
        let _ = write!(text, ", length {length}");
    }
    let wall: f64 =
        cell.runs.iter().filter(|run| run.outcome != Outcome::Interrupted).map(|run| run.wall_seconds).sum();
    let _ = write!(text, ", {wall:.2} s");
    text
}
