//! `guidepost machine FILE.sem`: systems of state/event machines.

use super::{EnvironmentKind, MachineArgs, check_report, events_of, names, show, write_report};
use crate::args::MessageFormat;
use crate::exit::Exit;
use crate::limits::{limits, on_interrupt};
use crate::terminal::{print, print_diagnostics, refuse};
use guidepost_answer::Limits;
use guidepost_diagrams::{Options, check};
use guidepost_machines::sem::{EventId, Interpreter, System, drawing, load_file};
use std::fmt::Write;

pub(super) fn run(args: &MachineArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    if args.environment == EnvironmentKind::Open {
        return Err(refuse("`--environment` is for statecharts (SCXML): these machines send no events"));
    }
    if args.state_limit.is_some() {
        return Err(refuse("`--state-limit` is for statecharts (SCXML): here states are not listed"));
    }
    if let Some(report) = &args.report {
        check_report(args, report)?;
    }
    let loaded = load_file(&args.file);
    print_diagnostics(&loaded.diagnostics, &loaded.sources, messages);
    let Some(system) = loaded.system else { return Err(Exit::BadInput) };
    if let Some(events) = &args.run {
        return execute(&system, events);
    }
    let given = limits(args.time_limit, args.memory_limit, None)?;
    let limits = Limits { interrupt: Some(on_interrupt()), ..given };
    let options = Options { method: args.method.unwrap_or_default(), ..Options::default() };
    match check(&system, &options, &limits) {
        Ok(found) => {
            let checked = found.checked(&system, &loaded.places);
            let exit = show(args, &loaded.sources, &checked);
            let chart = drawing(&system, &loaded.places);
            let written =
                args.report.as_ref().map(|path| write_report(args, path, &loaded.sources, &chart, &checked));
            Ok(exit.max(written.unwrap_or(Exit::Satisfied)))
        }
        Err(stopped) => {
            anstream::eprintln!("nothing is decided: {stopped}");
            Ok(Exit::Undecided)
        }
    }
}

/// Runs the machines, and prints where they may be after each event.
fn execute(system: &System, events: &str) -> Result<Exit, Exit> {
    let events = events_of(events)?;
    let interpreter = Interpreter::new(system);
    let mut now = vec![interpreter.initial()];
    let mut text = format!("{:<16} {}\n", "(start)", interpreter.describe(&now[0]));
    for name in names(&events) {
        let Some(at) = system.events.iter().position(|event| event == name) else {
            return Err(refuse(format!("there is no event `{name}`")));
        };
        let event = EventId(at as u32);
        now = now.iter().flat_map(|now| interpreter.steps(now, event)).map(|step| step.target).collect();
        now.sort_unstable();
        now.dedup();
        for (number, end) in now.iter().enumerate() {
            let name = if number == 0 { name } else { "  or" };
            let _ = writeln!(text, "{name:<16} {}", interpreter.describe(end));
        }
    }
    print(&text);
    Ok(Exit::Satisfied)
}
