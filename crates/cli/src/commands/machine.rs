//! `guidepost machine FILE`

use crate::args::MessageFormat;
use crate::exit::Exit;
use crate::files;
use crate::limits::{limits, on_interrupt};
use crate::strategy::at_least_one;
use crate::terminal::{look, print, print_diagnostics, print_json, refuse};
use clap::{Args, ValueEnum};
use guidepost_diagrams::Method;
use guidepost_language::source::SourceMap;
use guidepost_machines::scxml::chart::StateId;
use guidepost_machines::scxml::{Chart, Environment, Event, Interpreter, Plain, check, load_file};
use guidepost_machines::{Checked, Limits};
use guidepost_report::machine::MachineReport;
use std::borrow::Cow;
use std::fmt::Write;
use std::path::{Path, PathBuf};

mod network;
mod system;

pub(super) use network::timed;

#[derive(Args, Debug)]
pub(crate) struct MachineArgs {
    /// The statechart (SCXML, or `XState`'s JSON), or a system of state/event machines (.sem).
    pub(crate) file: PathBuf,
    /// How the findings are written.
    #[arg(long, value_enum, default_value_t = MachineFormat::Text)]
    format: MachineFormat,
    /// Write an HTML report that draws the statechart.
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
    /// Run the machine with these events instead of checking it, and print the active states after each; `-` reads events from standard input.
    #[arg(long, value_name = "EVENT,…", conflicts_with_all = ["format", "report", "environment", "time_limit", "memory_limit", "state_limit"])]
    run: Option<String>,
    /// What the environment may send.
    #[arg(long, value_enum, default_value_t = EnvironmentKind::Closed)]
    environment: EnvironmentKind,
    /// How reachability is decided (.sem): forward-full, forward, backward-full, backward-closed, compositional, reusable or reusable-compositional [default: reusable-compositional].
    #[arg(long, value_name = "METHOD")]
    pub(super) method: Option<Method>,
    /// Give up after this many seconds.
    #[arg(long, value_name = "S")]
    time_limit: Option<f64>,
    /// Give up when the states take so much memory [default: 80 % of the machine's].
    #[arg(long, value_name = "MiB", value_parser = at_least_one)]
    memory_limit: Option<usize>,
    /// Give up after this many stored states.
    #[arg(long, value_name = "N")]
    state_limit: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum MachineFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// `JUnit`'s XML, for continuous integration.
    Junit,
    /// For editors and code hosts.
    Sarif,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum EnvironmentKind {
    /// Events that the machine waits for and does not make itself.
    Closed,
    /// Also events that the machine raises or sends to itself.
    Open,
}

/// Models of timed automata have commands of their own.
fn refuse_models(file: &Path) -> Result<(), Exit> {
    let kind = match file.extension().and_then(|extension| extension.to_str()) {
        Some("xta" | "ta" | "tck") => "a model of timed automata",
        Some("plc") => "a system of controllers",
        _ => return Ok(()),
    };
    let name = file.display();
    Err(refuse(format!("`{name}` is {kind}, not a state machine; check it with `guidepost check {name}`")))
}

pub(crate) fn run(args: &MachineArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    if args.file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sem")) {
        return system::run(args, messages);
    }
    refuse_models(&args.file)?;
    if args.method.is_some() {
        return Err(refuse("`--method` is for systems of state/event machines (.sem)"));
    }
    if let Some(report) = &args.report {
        check_report(args, report)?;
    }
    let loaded = load_file(&args.file);
    print_diagnostics(&loaded.diagnostics, &loaded.sources, messages);
    if loaded.diagnostics.has_errors() {
        return Err(Exit::BadInput);
    }
    if let Some(events) = &args.run {
        return execute(&loaded.chart, events);
    }
    let given = limits(args.time_limit, args.memory_limit, args.state_limit)?;
    let limits = Limits {
        time: given.time,
        memory: given.memory,
        states: given.states,
        interrupt: Some(on_interrupt()),
    };
    let environment = match args.environment {
        EnvironmentKind::Closed => Environment::Closed,
        EnvironmentKind::Open => Environment::Open,
    };
    let checked = check(&loaded.chart, environment, &limits);
    let exit = show(args, &loaded.sources, &checked);
    let written =
        args.report.as_ref().map(|path| write_report(args, path, &loaded.sources, &loaded.chart, &checked));
    Ok(exit.max(written.unwrap_or(Exit::Satisfied)))
}

/// Prints the findings, and says what they mean for whoever called.
fn show(args: &MachineArgs, sources: &SourceMap, checked: &Checked) -> Exit {
    print_findings(args, sources, checked);
    match (checked.findings.is_empty(), checked.stop) {
        (false, _) => Exit::NotSatisfied,
        (true, Some(_)) => Exit::Undecided,
        (true, None) => Exit::Satisfied,
    }
}

/// Whether the report can be written where it is to be.
fn check_report(args: &MachineArgs, report: &Path) -> Result<(), Exit> {
    if files::is_stdout(report) {
        return Err(refuse("the findings go to standard output; give `--report` the name of a file"));
    }
    files::refuse_inputs([report], std::slice::from_ref(&args.file))?;
    files::check_writable(report)
}

/// Writes the report. What cannot be written makes the command fail, after the findings have been shown.
fn write_report(
    args: &MachineArgs,
    path: &Path,
    sources: &SourceMap,
    chart: &Chart,
    checked: &Checked,
) -> Exit {
    let model = args.file.display().to_string();
    let report = MachineReport { model: &model, checked, sources };
    files::write(path, &report.html(chart)).err().unwrap_or(Exit::Satisfied)
}

fn print_findings(args: &MachineArgs, sources: &SourceMap, checked: &Checked) {
    let model = args.file.display().to_string();
    let report = MachineReport { model: &model, checked, sources };
    match args.format {
        MachineFormat::Text => print(&report.text(look())),
        MachineFormat::Json => print_json(&report.json()),
        MachineFormat::Junit => print(&report.junit()),
        MachineFormat::Sarif => print_json(&report.sarif()),
    }
}

/// What `--run` is given, or standard input for `-`.
fn events_of(given: &str) -> Result<Cow<'_, str>, Exit> {
    if given != "-" {
        return Ok(given.into());
    }
    let read = std::io::read_to_string(std::io::stdin());
    read.map(Cow::from).map_err(|error| refuse(format!("cannot read standard input: {error}")))
}

/// The names of events, between commas and white space.
fn names(events: &str) -> impl Iterator<Item = &str> {
    events.split(|c: char| c == ',' || c.is_whitespace()).filter(|name| !name.is_empty())
}

/// Runs the machine, and prints where it is after each event.
fn execute(chart: &Chart, events: &str) -> Result<Exit, Exit> {
    let events = events_of(events)?;
    let mut chooser = Plain::default();
    let mut interpreter = Interpreter::start(chart, &mut chooser);
    let mut text = line("(start)", chart, &interpreter);
    let mut unheard: Vec<&str> = Vec::new();
    for name in names(&events) {
        let (name, overtakes) = match name.strip_prefix('^') {
            Some(name) => (name, true),
            None => (name, false),
        };
        if !overtakes {
            drain(chart, &mut interpreter, &mut text);
        }
        if !chart.hears(name) && !unheard.contains(&name) {
            unheard.push(name);
        }
        interpreter.deliver(&Event::named(name));
        text.push_str(&line(name, chart, &interpreter));
    }
    drain(chart, &mut interpreter, &mut text);
    for (_, event) in &interpreter.session.timers {
        let _ = writeln!(text, "{:<16} is still to come, after its delay", event.name);
    }
    print(&text);
    for name in unheard {
        anstream::eprintln!("note: no transition waits for `{name}`");
    }
    if chooser.open > 0 {
        anstream::eprintln!(
            "note: conditions that are not evaluated ({} times) were taken not to hold",
            chooser.open
        );
    }
    Ok(Exit::Satisfied)
}

/// What the machine has sent to itself.
fn drain(chart: &Chart, interpreter: &mut Interpreter<'_, Plain>, text: &mut String) {
    const MOST: usize = 1000;
    for _ in 0..MOST {
        let Some(event) = interpreter.session.external.front().cloned() else { return };
        if !interpreter.deliver_own() {
            return;
        }
        text.push_str(&line(&format!("({})", event.name), chart, interpreter));
    }
    text.push_str("(the machine goes on sending events to itself)\n");
}

fn line(event: &str, chart: &Chart, interpreter: &Interpreter<'_, Plain>) -> String {
    let session = &interpreter.session;
    let atomic = |state: &&StateId| chart.is_atomic(**state);
    let names: Vec<&str> =
        session.configuration.iter().filter(atomic).map(|&state| chart.state(state).name.as_str()).collect();
    let end = match (session.ended, session.endless) {
        (true, _) => "  (end)",
        (_, true) => "  (never becomes stable)",
        _ => "",
    };
    format!("{event:<16} {}{end}\n", names.join(" "))
}
