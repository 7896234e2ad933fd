//! `guidepost verifyta MODEL [QUERIES]`: the command line and the output of UPPAAL's verifyta, for the scripts that are written for it.
//!
//! What such scripts rely on is kept: the options, the lines about formulas, which of them go to standard output and which to standard error, the names of trace
//! files, and that the exit code says whether there are answers, not which. Everything else is `check`'s.

mod foreign;
mod options;
mod output;
mod trace;

pub(crate) use options::VerifytaArgs;

use crate::exit::Exit;
use crate::files;
use crate::limits::on_interrupt;
use crate::terminal::{print, print_error};
use guidepost::{CheckEvent, Inquiry, NothingAsked, Outcome, Queries, Session};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::source::SourceMap;
use guidepost_report::verdict::QueryResult;
use output::Place;
use std::path::Path;
use trace::Traces;

/// The version of UPPAAL whose options, output and names of files these are.
const LIKE: &str = "4.1.26";

pub(crate) fn run(args: &VerifytaArgs) -> Result<Exit, Exit> {
    if args.is_version() {
        print(&format!("guidepost {} (command line of UPPAAL {LIKE})\n", env!("GUIDEPOST_VERSION")));
        return Ok(Exit::Satisfied);
    }
    args.refuse_foreign()?;
    let mut settings = args.settings()?;
    settings.limits.interrupt = Some(on_interrupt());
    let mut session = open(args.model())?;
    if std::env::var_os("UPPAAL_COMPILE_ONLY").is_some_and(|value| !value.is_empty()) {
        print(&guidepost::uppaal::to_if(&session));
        return Ok(Exit::Satisfied);
    }
    let inquiry = inquire(args, &mut session)?;
    let inquiry = session.accepted(inquiry, &settings).map_err(|error| {
        output::print_messages(error.diagnostics(), error.sources());
        Exit::BadInput
    })?;
    if !args.is_quiet() {
        print(&args.summary());
    }
    let places: Vec<Place> = inquiry.entries.iter().map(|entry| Place::of(entry, &session)).collect();
    let mut traces = Traces::new(args, &session);
    let mut hear = |event: CheckEvent<'_>| {
        if let CheckEvent::Result(known) = event
            && let Some(result) = known.last()
        {
            print(&output::result(result, &places[known.len() - 1], args.wants_statistics()));
            traces.show(result);
        }
    };
    let results = session.check(inquiry, &settings, &mut hear).map_err(|error| {
        output::print_messages(error.diagnostics(), error.sources());
        Exit::BadInput
    })?;
    print_model_errors(&results, &session);
    Ok(results.iter().map(exit_code).max().unwrap_or(Exit::Satisfied).max(traces.exit))
}

/// Reads a model. Its warnings are not printed: wrappers take a word on standard error for a failure, and `guidepost info` tells them.
fn open(path: &Path) -> Result<Session, Exit> {
    let opened = Session::open(path).and_then(|session| session.has_initial_state().map(|()| session));
    opened.map_err(|error| {
        output::print_messages(&crate::input::errors(error.diagnostics()), error.sources());
        Exit::BadInput
    })
}

fn inquire(args: &VerifytaArgs, session: &mut Session) -> Result<Inquiry, Exit> {
    let queries = match args.queries() {
        Some(path) => {
            files::read(path)?;
            Queries::File(path.to_owned())
        }
        None => Queries::Stored,
    };
    let asked = session.inquire(&queries, &[]);
    let sources: &SourceMap = &session.loaded().sources;
    let said: &Diagnostics = match &asked {
        Ok(inquiry) => &inquiry.diagnostics,
        Err(NothingAsked { diagnostics, message }) => {
            if !message.is_empty() {
                print_error(message);
            }
            diagnostics
        }
    };
    output::print_messages(&crate::input::errors(said), sources);
    asked.map_err(|_| Exit::BadInput)
}

/// Errors of the model that were met on the way.
fn print_model_errors(results: &[QueryResult], session: &Session) {
    let answers = results.iter().filter_map(|result| result.answer.as_ref().ok());
    let errors = answers.filter_map(|answer| answer.model_error());
    let mut messages = Diagnostics::default();
    errors.for_each(|error| messages.push(error.error.diagnostic(session.network())));
    output::print_messages(&messages, &session.loaded().sources);
}

/// Whether there is an answer; which one is in the output.
fn exit_code(result: &QueryResult) -> Exit {
    match &result.answer {
        Err(_) => Exit::BadInput,
        Ok(answer) if answer.internal.is_some() => Exit::Internal,
        Ok(answer) => match answer.outcome {
            Outcome::Decided(_) => Exit::Satisfied,
            Outcome::Stopped(_) => Exit::Undecided,
            Outcome::Failed(_) => Exit::BadInput,
        },
    }
}
