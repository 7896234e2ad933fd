//! `guidepost info MODEL`

use crate::args::{InfoArgs, InfoFormat, MessageFormat};
use crate::exit::Exit;
use crate::terminal::{look, print, print_diagnostics, print_json};
use guidepost_report::sarif::sarif;
use serde_json::json;

pub(crate) fn run(args: &InfoArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let loaded = guidepost::read(&args.model);
    let summary = guidepost::summary(&loaded);
    if args.format == InfoFormat::Sarif {
        let (exit, found) = match &summary {
            Ok(summary) => (Exit::Satisfied, summary.messages()),
            Err(errors) => (Exit::BadInput, errors.clone()),
        };
        print_json(&sarif(&found, &loaded.sources));
        return Ok(exit);
    }
    let summary = summary.map_err(|errors| {
        print_diagnostics(&errors, &loaded.sources, messages);
        Exit::BadInput
    })?;
    let name = args.model.display().to_string();
    match args.format {
        InfoFormat::Text => print(&summary.text(&name, look())),
        InfoFormat::Json | InfoFormat::Sarif => {
            let mut answer =
                json!({ "tool": "guidepost", "version": env!("CARGO_PKG_VERSION"), "model": name });
            if let (Some(answer), Some(summary)) = (answer.as_object_mut(), summary.json().as_object_mut()) {
                answer.append(summary);
            }
            print_json(&answer);
        }
    }
    Ok(Exit::Satisfied)
}
