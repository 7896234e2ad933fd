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
use std::path::{Path, PathBuf};

/// Reads a model of any format.
pub(crate) fn read(path: &Path) -> Loaded {
    match ModelPath::of(path) {
        Some(path) => guidepost_plc::load_file(&path),
        None => load_file(path),
    }
}

/// The files that a model is read from: its own, and the queries beside it. (`FILE.plc:VARIANT` is no name of a file.)
pub(crate) fn files(path: &Path) -> Vec<PathBuf> {
    let model = ModelPath::of(path).map_or_else(|| path.to_owned(), |path| path.file);
    let queries = model.with_extension("q");
    [model, queries].into_iter().filter(|file| file.is_file()).collect()
}

/// Reads a model and prints what is wrong with it; errors end the command.
pub(crate) fn load(path: &Path, format: MessageFormat) -> Result<Loaded, Exit> {
    let loaded = read(path);
    print_diagnostics(&loaded.diagnostics, &loaded.sources, format);
    if loaded.diagnostics.has_errors() { Err(Exit::BadInput) } else { Ok(loaded) }
}

/// A model that was read and, if that was possible, built, with all there is to say about it.
pub(crate) struct Opened {
    pub(crate) loaded: Loaded,
    network: Option<Network>,
    diagnostics: Diagnostics,
}

impl Opened {
    /// Reads and builds a model.
    pub(crate) fn read(path: &Path) -> Self {
        let loaded = read(path);
        let mut diagnostics = loaded.diagnostics.clone();
        let mut network = None;
        if !diagnostics.has_errors() {
            let (built, more) = guidepost_network::build(&loaded.model);
            diagnostics.extend(more);
            network = built;
        }
        if let Some(network) = &network {
            diagnostics.extend(initial_violations(network, &loaded.model));
        }
        Self { loaded, network, diagnostics }
    }

    /// What can be explored; the model itself where it has errors.
    pub(crate) fn explorable(self) -> Result<(Loaded, Network), Box<Self>> {
        match self {
            Self { loaded, network: Some(network), diagnostics } if !diagnostics.has_errors() => {
                Ok((loaded, network))
            }
            broken => Err(Box::new(broken)),
        }
    }

    /// Prints the errors. Warnings are not what was asked for: people get their number, programs all of them.
    pub(crate) fn print_errors(&self, format: MessageFormat, path: &Path) {
        print_errors(&self.diagnostics, &self.loaded, format, path);
    }

    /// The errors alone.
    pub(crate) fn errors(&self) -> Diagnostics {
        errors(&self.diagnostics)
    }
}

/// Reads and builds a model that is to be explored, and prints what is wrong with it. Errors end the command.
pub(crate) fn explorable(path: &Path, format: MessageFormat) -> Result<(Loaded, Network), Exit> {
    let opened = Opened::read(path);
    opened.print_errors(format, path);
    opened.explorable().map_err(|_| Exit::BadInput)
}

fn errors(diagnostics: &Diagnostics) -> Diagnostics {
    diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).cloned().collect()
}

fn print_errors(diagnostics: &Diagnostics, loaded: &Loaded, format: MessageFormat, path: &Path) {
    if format == MessageFormat::Json {
        print_diagnostics(diagnostics, &loaded.sources, format);
        return;
    }
    let errors = errors(diagnostics);
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
