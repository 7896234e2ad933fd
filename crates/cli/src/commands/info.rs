//! `guidepost info MODEL`

use crate::args::{InfoArgs, MessageFormat, OutputFormat};
use crate::exit::Exit;
use crate::input;
use crate::terminal::{look, print, print_diagnostics, print_json};
use guidepost_explore::{Abstraction, Explorer};
use guidepost_language::Loaded;
use guidepost_language::diagnostic::Diagnostic;
use guidepost_network::Network;
use guidepost_report::Summary;
use serde_json::json;

pub(crate) fn run(args: &InfoArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let loaded = input::read(&args.model);
    let mut summary = Summary::of(&loaded).map_err(|errors| {
        print_diagnostics(&errors, &loaded.sources, messages);
        Exit::BadInput
    })?;
    if let Some(obstacle) = summary.network().and_then(|network| engine_obstacle(network, &loaded)) {
        summary.add_obstacle(obstacle);
    }
    let name = args.model.display().to_string();
    match args.format {
        OutputFormat::Text => print(&summary.text(&name, look())),
        OutputFormat::Json => {
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

/// What the zone engine will refuse.
fn engine_obstacle(network: &Network, loaded: &Loaded) -> Option<Diagnostic> {
    let reason = Explorer::new(network, &[], Abstraction::REACHABILITY).err()?;
    input::refusal(&reason, network, loaded)
}
