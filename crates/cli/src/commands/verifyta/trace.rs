//! Traces as verifyta shows and stores them.

use super::options::VerifytaArgs;
use crate::exit::Exit;
use crate::terminal::{print, print_error};
use guidepost::uppaal::{Situation, SymbolicRun, label, to_xtr};
use guidepost::{Evidence, Session, State};
use guidepost_language::syntax::LabelKind;
use guidepost_language::write::edge_labels;
use guidepost_network::{EdgeId, Network};
use guidepost_report::decimal;
use guidepost_report::verdict::QueryResult;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Shows the traces of answers, or stores them.
pub(super) struct Traces<'s> {
    session: &'s Session,
    prefix: Option<PathBuf>,
    with_zones: bool,
    /// The worst that happened.
    pub(super) exit: Exit,
}

impl<'s> Traces<'s> {
    pub(super) fn new(args: &VerifytaArgs, session: &'s Session) -> Self {
        let prefix = args.prefix().map(Path::to_owned);
        Self { session, prefix, with_zones: args.wants_zones(), exit: Exit::Satisfied }
    }

    /// The trace of an answer, if it has one.
    pub(super) fn show(&mut self, result: &QueryResult) {
        let Ok(answer) = &result.answer else { return };
        let Some(evidence) = &answer.evidence else { return };
        let is_counter_example = answer.outcome.decision() == Some(&false);
        let kind = if is_counter_example { "counter example" } else { "example trace" };
        let done = if let Some(prefix) = &self.prefix {
            self.store(prefix, result.number, evidence, kind)
        } else {
            print(&format!("Showing {kind}.\n"));
            self.print(evidence)
        };
        if let Err(message) = done {
            print_error(message);
            self.exit = Exit::BadInput;
        }
    }

    fn store(&self, prefix: &Path, number: usize, evidence: &Evidence, kind: &str) -> Result<(), String> {
        let run = SymbolicRun::of(self.session, evidence).map_err(|error| error.to_string())?;
        let text = to_xtr(self.session.network(), &run).ok_or(
            "there is no .xtr file of this run: it goes through a branch point, for which the format has no number",
        )?;
        let path = format!("{}-{number}.xtr", prefix.display());
        std::fs::write(&path, text).map_err(|error| format!("cannot write `{path}`: {error}"))?;
        anstream::eprintln!("Writing {kind} to {path}");
        Ok(())
    }

    /// The run on standard error: states, delays, transitions.
    fn print(&self, evidence: &Evidence) -> Result<(), String> {
        let network = self.session.network();
        let zones = if self.with_zones {
            Some(SymbolicRun::of(self.session, evidence).map_err(|error| error.to_string())?)
        } else {
            None
        };
        let mut situations = zones.iter().flat_map(|run| {
            std::iter::once(&run.initial).chain(run.steps.iter().map(|(_, situation)| situation))
        });
        let mut depth = 0;
        let mut text = state(network, &evidence.initial, depth, situations.next());
        for step in &evidence.steps {
            if step.delay != guidepost::Rational::ZERO && !self.with_zones {
                let _ = write!(text, "Delay: {}\n\n", decimal(step.delay));
                text.push_str(&state(network, &step.before, depth, None));
            }
            let Some(transition) = &step.transition else { continue };
            text.push_str("Transitions:\n");
            for &edge in &transition.edges {
                let _ = writeln!(text, "  {}", self.edge(edge));
            }
            depth += 1;
            text.push('\n');
            text.push_str(&state(network, &step.after, depth, situations.next()));
        }
        anstream::eprint!("{text}");
        Ok(())
    }

    /// `P.A->P.B { guard, sync, update }`
    fn edge(&self, id: EdgeId) -> String {
        let (network, loaded) = (self.session.network(), self.session.loaded());
        let edge = &network.edges[id.index()];
        let process = &network.processes[edge.process.index()];
        let written = &loaded.document.templates[process.template as usize].edges[edge.origin.edge as usize];
        let labels = edge_labels(written, loaded.model.format, &loaded.sources);
        let name = |location: guidepost_network::LocationId| &network.locations[location.index()].name;
        format!(
            "{0}.{1}->{0}.{2} {{ {3}, {4}, {5} }}",
            process.name,
            name(edge.source),
            name(edge.target),
            label(&labels, LabelKind::Guard, "1"),
            label(&labels, LabelKind::Synchronisation, "tau"),
            label(&labels, LabelKind::Assignment, "1")
        )
    }
}

/// Locations, then values and, where they are wanted, what the clocks can be.
fn state(network: &Network, state: &State, depth: usize, situation: Option<&Situation>) -> String {
    let mut text = "State:\n( ".to_owned();
    for (process, location) in network.processes.iter().zip(&state.locations) {
        let _ = write!(text, "{}.{} ", process.name, network.locations[location.index()].name);
    }
    text.push_str(")\n");
    match situation {
        None => {
            for (clock, &value) in network.clocks.iter().zip(&state.clocks).skip(1) {
                let _ = write!(text, "{}={} ", clock.name, decimal(value));
            }
        }
        Some(situation) => text.push_str(&zone(network, situation)),
    }
    for (variable, value) in network.variables.iter().zip(&state.variables) {
        let _ = write!(text, "{}={value} ", variable.name);
    }
    let _ = write!(text, "#depth={depth}\n\n");
    text
}

/// Constraints like `x<=5` and `x-y<3`.
fn zone(network: &Network, situation: &Situation) -> String {
    let mut text = String::new();
    let name = |clock: guidepost_network::ClockId| &network.clocks[clock.index()].name;
    for constraint in situation.constraints() {
        let (value, zero) = (constraint.value, guidepost_network::ClockId::ZERO);
        let _ = match (constraint.left == zero, constraint.right == zero) {
            (true, _) => {
                let sign = if constraint.strict { ">" } else { ">=" };
                write!(text, "{}{sign}{} ", name(constraint.right), -i64::from(value))
            }
            (_, true) => {
                write!(text, "{}{}{value} ", name(constraint.left), below(constraint.strict))
            }
            _ => write!(
                text,
                "{}-{}{}{value} ",
                name(constraint.left),
                name(constraint.right),
                below(constraint.strict)
            ),
        };
    }
    text
}

fn below(strict: bool) -> &'static str {
    if strict { "<" } else { "<=" }
}
