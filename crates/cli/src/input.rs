//! Reading models for commands.

use crate::args::MessageFormat;
use crate::exit::Exit;
use crate::terminal::{print_diagnostics, print_error};
use guidepost_answer::Unsupported;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::source::Span;
use guidepost_language::{Loaded, load_file, model};
use guidepost_network::interpreter::initial_violations;
use guidepost_network::{Edge, Location, Network};
use guidepost_plc::ModelPath;
use std::path::Path;

/// Reads a model of any format.
pub(crate) fn read(path: &Path) -> Loaded {
    match ModelPath::of(path) {
        Some(path) => guidepost_plc::load_file(&path),
        None => load_file(path),
    }
}

/// Reads a model and prints what is wrong with it; errors end the command.
pub(crate) fn load(path: &Path, format: MessageFormat) -> Result<Loaded, Exit> {
    let loaded = read(path);
    print_diagnostics(&loaded.diagnostics, &loaded.sources, format);
    if loaded.diagnostics.has_errors() { Err(Exit::BadInput) } else { Ok(loaded) }
}

/// Reads and builds a model that is to be explored. Errors end the command. Warnings are not what was asked for: people get their number, programs all of
/// them.
pub(crate) fn explorable(path: &Path, format: MessageFormat) -> Result<(Loaded, Network), Exit> {
    let loaded = read(path);
    let mut diagnostics = loaded.diagnostics.clone();
    let network = if diagnostics.has_errors() {
        None
    } else {
        let (network, more) = guidepost_network::build(&loaded.model);
        diagnostics.extend(more);
        network
    };
    if let Some(network) = &network {
        diagnostics.extend(initial_violations(network, &loaded.model));
    }
    print_errors(&diagnostics, &loaded, format, path);
    match network {
        Some(network) if !diagnostics.has_errors() => Ok((loaded, network)),
        _ => Err(Exit::BadInput),
    }
}

fn print_errors(diagnostics: &Diagnostics, loaded: &Loaded, format: MessageFormat, path: &Path) {
    if format == MessageFormat::Json {
        print_diagnostics(diagnostics, &loaded.sources, format);
        return;
    }
    let mut errors = Diagnostics::default();
    for error in diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
        errors.push(error.clone());
    }
    print_diagnostics(&errors, &loaded.sources, format);
    let see = format!("see `guidepost info {}`", path.display());
    match diagnostics.len() - errors.len() {
        0 => {}
        1 => anstream::eprintln!("1 warning; {see}"),
        warnings => anstream::eprintln!("{warnings} warnings; {see}"),
    }
}

fn template_of<'l>(
    process: guidepost_network::ProcessId,
    network: &Network,
    loaded: &'l Loaded,
) -> &'l model::Template {
    &loaded.model.templates[network.processes[process.index()].template as usize]
}

fn invariant_span(location: &Location, network: &Network, loaded: &Loaded) -> Span {
    let written = &template_of(location.process, network, loaded).locations[location.origin as usize];
    written.invariant.as_ref().map_or(written.span, |invariant| invariant.span)
}

/// Says where a model uses what zones cannot express, and what to do about it.
pub(crate) fn refuse(
    reason: &Unsupported,
    network: &Network,
    loaded: &Loaded,
    format: MessageFormat,
) -> Exit {
    match refusal(reason, network, loaded) {
        None => print_error(reason),
        Some(diagnostic) => {
            let mut diagnostics = Diagnostics::default();
            diagnostics.push(diagnostic);
            print_diagnostics(&diagnostics, &loaded.sources, format);
        }
    }
    Exit::BadInput
}

/// The same as a message; `None` when the model has no place that it could point at.
pub(crate) fn refusal(reason: &Unsupported, network: &Network, loaded: &Loaded) -> Option<Diagnostic> {
    let (span, label, hint) = match reason {
        Unsupported::Question { .. } => return None,
        Unsupported::Stopwatches => {
            let stopped = network.locations.iter().find(|location| !location.rates.is_empty());
            let span = stopped.map(|location| invariant_span(location, network, loaded));
            let hint = "`--approximate` forgets how stopped clocks relate to running ones: what is then found to be unreachable is, \
                        and everything else is answered with MAY";
            (span, "a stop-watch", hint)
        }
        Unsupported::GuardedUrgentChannel => {
            let guarded =
                network.edges.iter().find(|edge| !edge.clock_guard.is_empty() && is_urgent(edge, network));
            let span = guarded.map(|edge| {
                let written = &template_of(edge.process, network, loaded).edges[edge.origin.edge as usize];
                written.guard.as_ref().map_or(written.span, |guard| guard.span)
            });
            (
                span,
                "tests a clock",
                "move the clock test to an edge of its own, or make the channel an ordinary one",
            )
        }
    };
    Some(Diagnostic::new(Code::NotSupported, span?, reason.to_string()).label(label).hint(hint))
}

fn is_urgent(edge: &Edge, network: &Network) -> bool {
    edge.sync.channels().iter().any(|id| network.channels[id.index()].urgent)
}
