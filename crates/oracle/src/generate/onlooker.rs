//! Processes that mostly have nothing to do with the others: most can be left out of most questions, and it takes little to make one matter.

use super::Generator;
use super::expression::Scope;
use crate::model::{Edge, Location, Model, Process, Template};
use crate::random::Random;

impl Generator {
    /// Adds one or two, anywhere on the system line. Their random choices are their own, so that the rest of the model is as it would be without them.
    pub(crate) fn add_onlookers(&mut self, model: &mut Model, seed: u64) {
        let others = std::mem::replace(&mut self.random, Random::new(seed ^ 0x6c_6f_6f_6b));
        let is_urgent = self.random.chance(10);
        model.declarations.push(if is_urgent { "urgent chan o;" } else { "chan o;" }.into());
        for index in 0..=self.random.below(2) {
            let template = self.onlooker(index);
            let name = template.name.clone();
            model.templates.push(template);
            let at = self.random.below(model.processes.len() + 1);
            let process = Process { name, template: model.templates.len() - 1, ..Process::default() };
            model.processes.insert(at, process);
        }
        self.random = others;
    }

    fn onlooker(&mut self, index: usize) -> Template {
        let mut template = Template { name: format!("Q{index}"), ..Template::default() };
        template.declarations.push("int[0,1] q;".into());
        let mut own = Scope::default();
        if !self.profile.diagonals && self.random.chance(40) {
            template.declarations.push("clock own;".into());
            own.clocks.push("own".into());
        }
        let count = 2 + self.random.below(2);
        template.locations = (0..count).map(|location| self.place(location, &own)).collect();
        for source in 0..count {
            for _ in 0..=self.random.below(2) {
                let target = self.random.below(count);
                let edge = self.onlook(index, source, target, &own);
                template.edges.push(edge);
            }
        }
        template
    }

    /// A location: the first one mostly is one where time may pass.
    fn place(&mut self, index: usize, own: &Scope) -> Location {
        let percent = if index == 0 { 5 } else { 15 };
        let kind = match self.random.below(100) {
            urgent if urgent < percent => "urgent",
            committed if committed < 2 * percent => "commit",
            _ => "",
        };
        let mut invariant = Vec::new();
        if self.random.chance(2 * percent) {
            let clocks = if self.random.chance(70) { &own.clocks } else { &self.global.clocks };
            if let Some(clock) = clocks.first() {
                invariant.push(format!("{clock} <= {}", self.random.between(0, 2)));
            }
        }
        Location { name: format!("M{index}"), kind, invariant }
    }

    fn onlook(&mut self, onlooker: usize, source: usize, target: usize, own: &Scope) -> Edge {
        let mut edge = Edge { source, target, ..Edge::default() };
        let global = self.global.clone();
        let mut may_test_clocks = !own.clocks.is_empty();
        match self.random.below(10) {
            0..=2 => {
                let calls: Vec<_> =
                    self.channels.iter().filter(|channel| channel.broadcast).cloned().collect();
                let all = self.channels.clone();
                let among = if calls.is_empty() || self.random.chance(15) { &all } else { &calls };
                let channel = self.random.pick(among).clone();
                // Mostly they listen to what is meant for others.
                let receives = self.random.chance(85);
                let is_left_out = !channel.broadcast && self.random.chance(60);
                let index = if channel.array { format!("[{}]", self.random.below(2)) } else { String::new() };
                if !is_left_out {
                    edge.sync = format!("{}{index}{}", channel.name, if receives { "?" } else { "!" });
                    let stays_out = channel.broadcast && receives;
                    may_test_clocks &=
                        if stays_out { self.profile.guarded_receivers } else { !channel.urgent };
                }
            }
            3 | 4 => {
                edge.sync = if onlooker == 0 { "o!" } else { "o?" }.into();
                may_test_clocks = false;
            }
            _ => {}
        }
        if self.random.chance(25) {
            let depth = usize::from(self.random.chance(20));
            let condition = self.condition(&global, depth);
            edge.guard.push(format!("({condition})"));
        }
        if may_test_clocks && self.random.chance(50) {
            edge.guard.push(format!(
                "own {} {}",
                self.random.pick(&["<", ">=", ">"]),
                self.random.between(1, 2)
            ));
        }
        if self.random.chance(60) {
            // What may fail is never left out, and neither is what looks as if it could.
            let step = match self.random.below(50) {
                0 => "q++",
                1 | 2 => "q = 1 - q",
                _ => *self.random.pick(&["q = 1", "q = 0", "q = q == 0"]),
            };
            edge.update.push(step.into());
        }
        if !own.clocks.is_empty() && self.random.chance(50) {
            edge.update.push("own = 0".into());
        }
        if self.random.chance(5) {
            edge.update.push(self.effect(&global));
        }
        edge
    }
}
