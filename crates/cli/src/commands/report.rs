//! `guidepost report MODEL RESULT.json`

use crate::args::{MessageFormat, ReportArgs};
use crate::exit::Exit;
use crate::terminal::print_error;
use crate::{files, input};
use guidepost_answer::Evidence;
use guidepost_report::html::HtmlReport;
use guidepost_report::trace_file::{NotReplayed, answers};

pub(crate) fn run(args: &ReportArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let name = args.result.display();
    let output = args.output.clone().unwrap_or_else(|| args.result.with_extension("html"));
    let inputs = [input::files(&args.model), vec![args.result.clone()]].concat();
    files::refuse_inputs([output.as_path()], &inputs)?;
    let text = files::read(&args.result)?;
    let (answers, recorded) = answers(&text).map_err(|error| {
        print_error(format!("`{name}`: {error}"));
        Exit::BadInput
    })?;
    let session = input::showable(&args.model, args.names, messages)?;
    let (loaded, network) = (session.loaded(), session.network());
    let mut runs: Vec<Option<Evidence>> = Vec::with_capacity(recorded.len());
    for (index, run) in recorded.iter().enumerate() {
        // A report shows nothing that has not been checked.
        let replayed = run.as_ref().map(|run| run.replay(network)).transpose();
        runs.push(replayed.map_err(|trouble| {
            let model = args.model.display();
            print_error(format!("`{name}`, answer {}: the run is none of `{model}`: {trouble}", index + 1));
            match trouble {
                NotReplayed::Fails { .. } => Exit::NotSatisfied,
                NotReplayed::OtherModel { .. } => Exit::BadInput,
            }
        })?);
    }
    let report =
        HtmlReport { loaded, network, answers: &answers, runs: runs.iter().map(Option::as_ref).collect() };
    files::write(&output, &report.html())?;
    Ok(Exit::Satisfied)
}
