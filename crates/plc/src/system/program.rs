//! Programs: ports, locations, and what a location must say.

use super::condition::Scope;
use super::constants::Domain;
use super::resolve::Resolver;
use super::{Location, Port, Program};
use crate::syntax::{self, Symbol};
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::suggest;
use guidepost_language::syntax::Ident;

/// The names of a program's conditions: its inputs.
pub(super) struct Inputs<'a>(pub &'a [Port]);

impl Scope<usize> for Inputs<'_> {
    fn signal(&self, _: &Resolver<'_>, symbol: &Symbol) -> Option<(usize, Domain)> {
        let is_meant = |port: &Port| symbol.member.is_none() && port.name.name == symbol.name.name;
        let index = self.0.iter().position(is_meant)?;
        Some((index, self.0[index].domain))
    }

    /// A program whose inputs are not all known is not looked at.
    fn is_complete(&self, _: &Resolver<'_>) -> bool {
        true
    }

    fn names(&self, _: &Resolver<'_>) -> Vec<String> {
        self.0.iter().map(|port| port.name.name.to_string()).collect()
    }

    fn location(
        &self,
        resolver: &mut Resolver<'_>,
        node: &Ident,
        location: &Ident,
    ) -> Option<(usize, usize)> {
        let message = "a program does not see in which location a node is";
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, node.span.to(location.span), message);
        resolver.out.push(diagnostic.hint("give the node an output that tells, and the program an input"));
        None
    }
}

impl Resolver<'_> {
    pub(super) fn program(&mut self, program: &syntax::Program) {
        let errors = self.error_count();
        let ports: Vec<_> = program.inputs.iter().chain(&program.outputs).map(|port| &port.name).collect();
        self.check_unique("signal", &ports);
        self.check_unique(
            "location",
            &program.locations.iter().map(|location| &location.name).collect::<Vec<_>>(),
        );
        let inputs: Vec<Port> = program.inputs.iter().map(|port| self.port(port)).collect();
        let outputs: Vec<Port> = program.outputs.iter().map(|port| self.port(port)).collect();
        for (port, input) in inputs.iter().zip(&program.inputs) {
            if let (Some(_), Some(value)) = (port.value, &input.value) {
                let message = format!("the input `{}` has no value of its own", port.name.name);
                let diagnostic = Diagnostic::new(Code::UnexpectedToken, value.span, message);
                self.out.push(diagnostic.hint("it has the value of the signal that it is connected to"));
            }
        }
        let name = program.name.name.clone();
        if program.is_damaged {
            self.programs.entry(name).or_insert(None);
            return;
        }
        let initial = self.initial(program);
        let locations: Vec<Option<Location>> = program
            .locations
            .iter()
            .map(|location| self.location(location, program, &inputs, &outputs))
            .collect();
        if self.error_count() == errors && locations.iter().all(Option::is_some) {
            self.warn_of_unreachable(program, &locations, initial.unwrap_or(0));
        }
        let locations: Option<Vec<_>> = locations.into_iter().collect();
        match (locations, initial) {
            (Some(locations), Some(initial)) if self.error_count() == errors => {
                self.programs.insert(name, Some(self.system.programs.len()));
                self.system.programs.push(Program { inputs, outputs, locations, initial });
            }
            _ => {
                self.programs.entry(name).or_insert(None);
            }
        }
    }

    pub(super) fn error_count(&self) -> usize {
        self.out.iter().filter(|diagnostic| diagnostic.is_error()).count()
    }

    fn initial(&mut self, program: &syntax::Program) -> Option<usize> {
        let marked = |location: &syntax::Location| location.initial.is_some();
        let Some(first) = program.locations.iter().position(marked) else {
            let message = format!("program `{}` does not say where it starts", program.name.name);
            let diagnostic = Diagnostic::new(Code::MissingInitialLocation, program.name.span, message);
            self.out.push(diagnostic.hint("write `initial location …` for one of its locations"));
            return None;
        };
        for again in program.locations[first + 1..].iter().filter(|location| marked(location)) {
            let message = format!("program `{}` starts in two locations", program.name.name);
            let span = again.initial.unwrap_or(again.name.span);
            let diagnostic = Diagnostic::new(Code::DuplicateName, span, message);
            self.out.push(diagnostic.related(program.locations[first].name.span, "here already"));
        }
        Some(first)
    }

    fn warn_of_unreachable(
        &mut self,
        program: &syntax::Program,
        locations: &[Option<Location>],
        initial: usize,
    ) {
        for (index, location) in program.locations.iter().enumerate() {
            let mut others = locations
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index)
                .filter_map(|(_, other)| other.as_ref());
            if index != initial && !others.any(|other| other.targets.cells.contains(&index)) {
                let message = format!("no transition leads to `{}`", location.name.name);
                self.out.push(Diagnostic::new(Code::UnreachableLocation, location.name.span, message));
            }
        }
    }

    /// The values of a location's outputs, with those that are not given replaced by the output's usual one.
    pub(super) fn output_values(
        &mut self,
        location: &syntax::Location,
        outputs: &[Port],
    ) -> Option<Vec<i32>> {
        let mut is_understood = !location.is_damaged;
        let mut values: Vec<Option<i32>> = vec![None; outputs.len()];
        for (index, (name, value)) in location.outputs.iter().enumerate() {
            let Some(output) = outputs.iter().position(|port| port.name.name == name.name) else {
                let near = suggest::nearest(&name.name, outputs.iter().map(|port| &*port.name.name));
                let near = near.map(str::to_owned);
                self.unknown(Code::UnknownName, "output", name, near);
                is_understood = false;
                continue;
            };
            let same = location.outputs[..index].iter().find(|(other, _)| other.name == name.name);
            if let Some((first, _)) = same {
                self.duplicate("output", name, first.span);
                is_understood = false;
            }
            values[output] = self.value_of(value, outputs[output].domain, &outputs[output].name);
            is_understood &= values[output].is_some();
        }
        if !is_understood {
            return None;
        }
        for (value, port) in values.iter_mut().zip(outputs).filter(|(_, port)| port.domain != Domain::UNKNOWN)
        {
            *value = value.or(port.value);
            if value.is_none() {
                let (location, output) = (&location.name, &port.name.name);
                let message = format!("location `{}` gives `{output}` no value", location.name);
                let diagnostic = Diagnostic::new(Code::MissingOutput, location.span, message);
                let hint = format!(
                    "write `{output} := …;` here, or a usual value behind the declaration of `{output}`"
                );
                self.out.push(diagnostic.related(port.name.span, "the output").hint(hint));
            }
        }
        values.into_iter().collect()
    }
}
