//! Locations: where each valuation of the inputs leads, and which of them are ignored for a while.

use super::condition::Test;
use super::constants::{Domain, Kind};
use super::program::Inputs;
use super::resolve::Resolver;
use super::table::Table;
use super::{Delay, Location, Port};
use crate::syntax;
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::source::Span;
use guidepost_language::suggest;

/// The valuations of a location's inputs are written out, so their number is limited.
const MOST_VALUATIONS: usize = 1 << 16;

/// A transition with resolved names: no condition for `otherwise`.
struct Reaction {
    test: Option<Test<usize>>,
    target: usize,
    span: Span,
}

impl Resolver<'_> {
    pub(super) fn location(
        &mut self,
        location: &syntax::Location,
        program: &syntax::Program,
        inputs: &[Port],
        outputs: &[Port],
    ) -> Option<Location> {
        let values = self.output_values(location, outputs);
        let reactions = self.reactions(location, program, inputs);
        let delay = self.delay(location, inputs);
        let (values, reactions, delay) = (values?, reactions?, delay?);
        debug_assert!(!location.is_damaged, "what is missing may be what was not read");
        let mut used = vec![false; inputs.len()];
        let tests = reactions.iter().filter_map(|reaction| reaction.test.as_ref());
        for test in tests.chain(delay.iter().map(|(_, test)| test)) {
            test.signals(&mut |input| used[input] = true);
        }
        let scope: Vec<(usize, Domain)> = (0..inputs.len())
            .filter(|input| used[*input])
            .map(|input| (input, inputs[input].domain))
            .collect();
        let count = scope.iter().fold(1usize, |count, (_, domain)| count.saturating_mul(domain.size()));
        if count > MOST_VALUATIONS {
            let message = format!("the conditions of `{}` depend on too many values", location.name.name);
            let diagnostic = Diagnostic::new(Code::TooLarge, location.name.span, message);
            self.out.push(diagnostic.label(format!("{count} combinations, at most {MOST_VALUATIONS}")));
            return None;
        }
        let targets = self.targets(location, &reactions, &scope, inputs)?;
        let delay = delay.map(|(delay, test)| Delay {
            ignored: Table::new(scope, inputs.len(), |values| test.holds(&|input| values[input])),
            ..delay
        });
        let spans = reactions.iter().map(|reaction| (reaction.target, reaction.span)).collect();
        Some(Location { name: location.name.clone(), outputs: values, delay, targets, spans })
    }

    fn reactions(
        &mut self,
        location: &syntax::Location,
        program: &syntax::Program,
        inputs: &[Port],
    ) -> Option<Vec<Reaction>> {
        let own = program.locations.iter().position(|other| other.name.name == location.name.name)?;
        let mut reactions = Some(Vec::new());
        for transition in &location.transitions {
            let target = match &transition.target {
                None => Some(own),
                Some(name) => self.target(name, program),
            };
            let test = match &transition.condition {
                None => Some(None),
                Some(condition) => self.condition(condition, &Inputs(inputs)).map(Some),
            };
            match (target, test, &mut reactions) {
                (Some(target), Some(test), Some(list)) => {
                    list.push(Reaction { test, target, span: transition.span });
                }
                _ => reactions = None,
            }
        }
        reactions
    }

    fn target(&mut self, name: &syntax::Ident, program: &syntax::Program) -> Option<usize> {
        let found = program.locations.iter().position(|other| other.name.name == name.name);
        if found.is_none() {
            let names = program.locations.iter().map(|location| &*location.name.name);
            let near = suggest::nearest(&name.name, names).map(str::to_owned);
            self.unknown(Code::UnknownLocation, "location", name, near);
        }
        found
    }

    /// The delay of a location and its condition. `None` after an error; a delay of no time is none.
    #[expect(clippy::option_option, reason = "an error is something else than no delay")]
    fn delay(
        &mut self,
        location: &syntax::Location,
        inputs: &[Port],
    ) -> Option<Option<(Delay, Test<usize>)>> {
        let Some(delay) = location.delays.first() else { return Some(None) };
        if let Some(second) = location.delays.get(1) {
            let message = format!("location `{}` has two delays", location.name.name);
            let diagnostic = Diagnostic::new(Code::BadDelay, second.span, message);
            self.out.push(diagnostic.related(delay.span, "the first").hint("join their conditions by `or`"));
            return None;
        }
        let time = self.time(&delay.time);
        let Some(condition) = &delay.condition else {
            let message = "this delay does not say which inputs it ignores";
            let diagnostic = Diagnostic::new(Code::BadDelay, delay.span, message);
            self.out.push(diagnostic.hint("write `delay … while CONDITION;`; `while true` ignores them all"));
            return None;
        };
        let test = self.condition(condition, &Inputs(inputs));
        let (time, test) = (time?, test?);
        let ignored = Table { inputs: Vec::new(), cells: Vec::new() };
        let resolved = Delay { time, over: delay.over, ignored, span: delay.span };
        Some((time > 0 || delay.over).then_some((resolved, test)))
    }

    /// Where each valuation leads, or what is wrong with the first that leads nowhere or to two places.
    fn targets(
        &mut self,
        location: &syntax::Location,
        reactions: &[Reaction],
        scope: &[(usize, Domain)],
        inputs: &[Port],
    ) -> Option<Table<usize>> {
        let otherwise: Vec<&Reaction> = reactions.iter().filter(|reaction| reaction.test.is_none()).collect();
        if let [first, second, ..] = otherwise[..] {
            let message = format!("location `{}` says `otherwise` twice", location.name.name);
            let diagnostic = Diagnostic::new(Code::OverlappingTransitions, second.span, message);
            self.out.push(diagnostic.related(first.span, "the first"));
            return None;
        }
        let (mut unsaid, mut overlap) = (None, None);
        let table = Table::new(scope.to_vec(), inputs.len(), |values| {
            let holds = |reaction: &&Reaction| {
                reaction.test.as_ref().is_some_and(|test| test.holds(&|input| values[input]))
            };
            let mut enabled = reactions.iter().filter(holds);
            let Some(first) = enabled.next().or(otherwise.first().copied()) else {
                unsaid.get_or_insert_with(|| values.to_vec());
                return 0;
            };
            if let Some(second) = enabled.find(|reaction| reaction.target != first.target) {
                overlap.get_or_insert_with(|| (values.to_vec(), first.span, second.span));
            }
            first.target
        });
        if let Some((values, first, second)) = overlap {
            let message = format!("two transitions for {}", self.valuation(&values, scope, inputs));
            let diagnostic = Diagnostic::new(Code::OverlappingTransitions, second, message);
            let hint = "a controller does one thing: make the conditions exclude each other";
            self.out.push(diagnostic.related(first, "the other").hint(hint));
            return None;
        }
        if let Some(values) = unsaid {
            let (name, valuation) = (&location.name, self.valuation(&values, scope, inputs));
            let message = format!(
                "location `{}` does not say what to do{valuation}",
                name.name,
                valuation = prefixed(&valuation)
            );
            let diagnostic = Diagnostic::new(Code::NotTotal, name.span, message);
            self.out.push(diagnostic.hint("add a transition, or `otherwise stay;`"));
            return None;
        }
        Some(table)
    }

    /// `a = 1, not b`, the inputs' values as the author would write them.
    fn valuation(&self, values: &[i32], scope: &[(usize, Domain)], inputs: &[Port]) -> String {
        let parts = scope.iter().map(|(input, domain)| {
            let (name, value) = (&inputs[*input].name.name, values[*input]);
            match domain.kind {
                Kind::Bool if value == 0 => format!("not {name}"),
                Kind::Bool => name.to_string(),
                Kind::Number | Kind::Unknown => format!("{name} = {value}"),
                Kind::Member(index) => {
                    format!("{name} = {}", self.system.enumerations[index].values[value as usize].name)
                }
            }
        });
        let parts: Vec<_> = parts.collect();
        if parts.is_empty() { String::new() } else { format!("`{}`", parts.join(" and ")) }
    }
}

fn prefixed(valuation: &str) -> String {
    if valuation.is_empty() { String::new() } else { format!(" when {valuation}") }
}
