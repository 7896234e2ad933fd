//! Templates: parameters, locations, edges.

use super::expression::Scope;
use super::{Channel, Generator, Rates, Use};
use crate::model::{Edge, Location, Template};

impl Generator {
    /// A template, and for each of its parameters the arguments it can be given.
    pub(crate) fn template(&mut self, index: usize, how: Use) -> (Template, Vec<Vec<String>>) {
        let mut template = Template { name: format!("T{index}"), ..Template::default() };
        let mut scope = self.global.clone();
        let mut channels = self.channels.clone();
        let arguments = self.parameters(&mut template, &mut scope, &mut channels, how);
        self.locals(&mut template, &mut scope, how);
        let count = self.random.between(2, 4) as usize;
        for location in 0..count {
            let mut location = self.location(location, &scope);
            self.add_rate(index, &mut location, &scope);
            template.locations.push(location);
        }
        // A way through all locations, as a rule, so that much is reachable; then anything.
        for source in 0..count {
            if self.random.chance(85) {
                let target =
                    if self.random.chance(85) { (source + 1) % count } else { self.random.below(count) };
                let edge = self.edge(index, source, target, &scope, &channels);
                template.edges.push(edge);
            }
        }
        for _ in 0..self.random.below(4) {
            let (source, target) = (self.random.below(count), self.random.below(count));
            let edge = self.edge(index, source, target, &scope, &channels);
            template.edges.push(edge);
        }
        (template, arguments)
    }

    fn parameters(
        &mut self,
        template: &mut Template,
        scope: &mut Scope,
        channels: &mut Vec<Channel>,
        how: Use,
    ) -> Vec<Vec<String>> {
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        match how {
            Use::Plain => {}
            Use::Set(_) => {
                parameters.push("const id_t i".to_owned());
                scope.values.push(("i".into(), 1));
            }
            Use::Instances(_) => {
                parameters.push("const int[0,2] k".to_owned());
                arguments.push(vec!["0".into(), "1".into(), "2".into()]);
                scope.values.push(("k".into(), 2));
                if self.random.chance(60) && !scope.clocks.is_empty() {
                    parameters.push("clock &r".into());
                    arguments.push(scope.clocks.clone());
                    scope.clocks.push("r".into());
                }
                if let Some((place, 0, most)) = scope.places.first().cloned()
                    && self.random.chance(50)
                {
                    parameters.push(format!("int[0,{most}] &p"));
                    arguments.push(vec![place]);
                    scope.values.push(("p".into(), most));
                    scope.places.push(("p".into(), 0, most));
                }
                if let Some(channel) = channels.iter().find(|channel| !channel.urgent).cloned()
                    && self.random.chance(50)
                {
                    let prefix = if channel.broadcast { "broadcast " } else { "" };
                    parameters.push(format!("{prefix}chan &e"));
                    let name = &channel.name;
                    let choices = if channel.array {
                        vec![format!("{name}[0]"), format!("{name}[1]")]
                    } else {
                        vec![name.clone()]
                    };
                    arguments.push(choices);
                    channels.push(Channel { name: "e".into(), array: false, ..channel });
                }
            }
        }
        template.parameters = parameters.join(", ");
        arguments
    }

    fn locals(&mut self, template: &mut Template, scope: &mut Scope, how: Use) {
        let wants_clock = self.random.chance(60) || scope.clocks.is_empty();
        if wants_clock && self.clocks >= how.count() {
            self.clocks -= how.count();
            template.declarations.push("clock t;".into());
            scope.clocks.push("t".into());
        }
        if self.random.chance(25) {
            template.declarations.push("int[0,1] l;".into());
            scope.values.push(("l".into(), 1));
            scope.places.push(("l".into(), 0, 1));
            if self.random.chance(40) {
                let has_clock = scope.clocks.contains(&"t".to_owned());
                let reset =
                    if has_clock { *self.random.pick(&[" t = 0;", " if (l > 0) t = 0;"]) } else { "" };
                template.declarations.push(format!("void flip() {{ l = 1 - l;{reset} }}"));
                scope.calls.push("flip()".into());
            }
        }
    }

    fn location(&mut self, index: usize, scope: &Scope) -> Location {
        let kind = match self.random.below(20) {
            0 | 1 if index > 0 => "urgent",
            2 | 3 if index > 0 => "commit",
            _ => "",
        };
        let mut invariant = Vec::new();
        if self.random.chance(40) && !(index == 0 && scope.clocks.is_empty()) {
            invariant.push(self.invariant(scope));
            if self.random.chance(15) {
                invariant.push(self.invariant(scope));
            }
        }
        Location { name: format!("L{index}"), kind, invariant }
    }

    /// Gives a location the rate that it has to have.
    fn add_rate(&mut self, template: usize, location: &mut Location, scope: &Scope) {
        match self.rates {
            Rates::Common(rate) if template == 0 => location.invariant.push(format!("cost' == {rate}")),
            Rates::Some if self.random.chance(60) => {
                let rate = if self.random.chance(15) {
                    self.value(scope, 1).0
                } else {
                    self.random.below(4).to_string()
                };
                location.invariant.push(format!("cost' == {rate}"));
            }
            _ => {}
        }
    }

    fn edge(
        &mut self,
        template: usize,
        source: usize,
        target: usize,
        scope: &Scope,
        channels: &[Channel],
    ) -> Edge {
        let mut scope = scope.clone();
        let mut edge = Edge { source, target, ..Edge::default() };
        if self.random.chance(15) {
            let kind = self.random.pick(&["int[0,1]", "id_t", "int[1,2]"]);
            edge.select = format!("j : {kind}");
            scope.values.push(("j".into(), 2));
        }
        let mut may_test_clocks = !scope.clocks.is_empty();
        if self.random.chance(40) {
            let position = self.random.below(channels.len());
            let channel = channels[position].clone();
            // Who sends and who receives is mostly settled, so that partners are found.
            let receives =
                if self.random.chance(70) { (template + position) % 2 == 1 } else { self.random.chance(50) };
            let index = match channel.array {
                true if self.random.chance(60) => format!("[{}]", self.random.below(2)),
                true => format!("[{} % 2]", self.value(&scope, 1).0),
                false => String::new(),
            };
            edge.sync = format!("{}{index}{}", channel.name, if receives { "?" } else { "!" });
            let stays_out = channel.broadcast && receives;
            may_test_clocks &= !channel.urgent || stays_out;
            may_test_clocks &= !stays_out || self.profile.guarded_receivers;
        }
        if self.random.chance(25) {
            edge.guard.push(self.guard_on_data(&scope));
        }
        let eager = self.profile.guarded_receivers && edge.sync.starts_with('h');
        if may_test_clocks && self.random.chance(if eager { 75 } else { 45 }) {
            edge.guard.push(self.clock_guard(&scope));
            if self.random.chance(25) {
                edge.guard.push(self.clock_guard(&scope));
            }
        }
        while edge.update.len() < 4 && self.random.chance(55) {
            edge.update.push(self.effect(&scope));
        }
        if self.profile.prices && self.random.chance(40) {
            let price = if self.random.chance(20) {
                self.value(&scope, 1).0
            } else {
                self.random.below(5).to_string()
            };
            let at = self.random.below(edge.update.len() + 1);
            edge.update.insert(at, format!("cost += {price}"));
        }
        edge
    }

    /// Parenthesised where it has to be a conjunct.
    fn guard_on_data(&mut self, scope: &Scope) -> String {
        let condition = self.condition(scope, 1);
        if condition.starts_with('(') { condition } else { format!("({condition})") }
    }
}
