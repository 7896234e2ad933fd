//! `guidepost states MODEL`

use crate::args::{MessageFormat, OutputFormat, StatesArgs, TraceKind};
use crate::exit::Exit;
use crate::input;
use crate::limits::{self, Reading, on_interrupt};
use crate::progress::ProgressLine;
use crate::terminal::{look, print, print_diagnostics, print_error, print_json, print_wraps, refuse};
use guidepost::{Space, SurveyError};
use guidepost_answer::Outcome;
use guidepost_language::Loaded;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_network::Network;
use guidepost_report::space::StateSpace;

pub(crate) fn run(args: &StatesArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let options = limits::options(&args.search, TraceKind::Some);
    let mut settings = options.survey_settings().map_err(refuse)?;
    if args.cluster.is_asked_for() {
        settings.engine = "cluster".parse().expect("it is among the engines");
        settings.team = args.cluster.team(&args.model, &args.search, TraceKind::Some)?;
        args.cluster.share_memory(&args.search, &mut settings.limits);
    }
    settings.limits.interrupt = Some(on_interrupt());
    let reading = Reading::begin(&settings.limits);
    let session = input::explorable(&args.model, messages)?;
    drop(reading);
    let mut line = ProgressLine::new(args.search.quiet);
    let space = session.survey(&settings, &mut |progress| line.show(progress));
    line.finish();
    let Space { survey, halts, workers, notes } = space.map_err(|error| match error {
        SurveyError::Model(error) => input::refuse(&error, messages),
        SurveyError::Internal(internal) => {
            print_error(format!(
                "internal error: {internal}. Please report it with the model and the command line"
            ));
            Exit::Internal
        }
    })?;
    let (loaded, network) = (session.loaded(), session.network());
    let model = args.model.display().to_string();
    let space = StateSpace {
        model: &model,
        network,
        sources: &loaded.sources,
        survey: &survey,
        halts: halts.as_ref(),
        workers: &workers,
        notes: &notes,
    };
    match args.format {
        OutputFormat::Json => print_json(&space.json()),
        OutputFormat::Text => print(&space.text(look())),
    }
    print_wraps(&survey.wraps, &loaded.sources, messages);
    let outcomes = std::iter::once(&survey.outcome).chain(halts.as_ref().map(|halts| &halts.outcome));
    Ok(outcomes
        .map(|outcome| exit(outcome, &model, network, loaded, messages))
        .max()
        .unwrap_or(Exit::Satisfied))
}

/// What the end of an exploration means for the command; an error of the model is shown where it is.
fn exit(
    outcome: &Outcome<()>,
    model: &str,
    network: &Network,
    loaded: &Loaded,
    messages: MessageFormat,
) -> Exit {
    match outcome {
        Outcome::Decided(()) => Exit::Satisfied,
        Outcome::Stopped(_) => Exit::Undecided,
        Outcome::Failed(failure) => {
            let mut diagnostics = Diagnostics::default();
            let hint = format!(
                "`guidepost check {model} --query 'A[] true' --trace some` shows a run that leads there"
            );
            diagnostics.push(failure.error.diagnostic(network).hint(hint));
            print_diagnostics(&diagnostics, &loaded.sources, messages);
            Exit::BadInput
        }
    }
}
