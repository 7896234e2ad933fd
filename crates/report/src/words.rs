//! What things are called in runs: by the author's words where the model was translated, else by their names.

use guidepost_answer::Landmark;
use guidepost_network::{ClockId, EdgeId, LocationId, Network, ProcessId, VarId};

/// The words for the parts of a network.
#[derive(Clone, Copy)]
pub(crate) struct Words<'n>(pub(crate) &'n Network);

impl<'n> Words<'n> {
    pub(crate) fn process(self, id: ProcessId) -> &'n str {
        self.0.wording.name(&self.0.processes[id.index()].name)
    }

    pub(crate) fn variable(self, id: VarId) -> &'n str {
        self.0.wording.name(&self.0.variables[id.index()].name)
    }

    pub(crate) fn clock(self, id: ClockId) -> &'n str {
        self.0.wording.name(&self.0.clocks[id.index()].name)
    }

    /// A variable's value as the model's author thinks of it.
    pub(crate) fn value(self, id: VarId, value: i32) -> String {
        let variable = &self.0.variables[id.index()];
        match self.0.wording.value(&variable.name, value) {
            Some(name) => name.to_owned(),
            None if variable.boolean => (value != 0).to_string(),
            None => value.to_string(),
        }
    }

    /// What a location is called next to its process.
    pub(crate) fn location(self, id: LocationId) -> &'n str {
        let location = &self.0.locations[id.index()];
        let words = self.0.wording.location(self.template(location.process), location.origin as usize);
        words.filter(|words| !words.is_empty()).unwrap_or(&location.name)
    }

    /// `Guard in Alarm`, or `P.l`; nothing where there is nothing to tell.
    pub(crate) fn place(self, id: LocationId) -> Option<String> {
        let location = &self.0.locations[id.index()];
        let process = self.process(location.process);
        match self.0.wording.location(self.template(location.process), location.origin as usize) {
            Some("") => None,
            Some(words) => Some(format!("{process} in {words}")),
            None => Some(format!("{process}.{}", location.name)),
        }
    }

    /// A landmark: `Main.Drive2`, `Light.on == true`, `v == 2 or v == 3`.
    pub(crate) fn landmark(self, landmark: &Landmark) -> String {
        let parts: Vec<String> = match landmark {
            Landmark::Location { process, locations } => {
                let plain = |&id: &LocationId| {
                    let location = &self.0.locations[id.index()];
                    self.place(id).unwrap_or_else(|| format!("{}.{}", self.process(*process), location.name))
                };
                locations.iter().map(plain).collect()
            }
            Landmark::Value { variable, values } => {
                let name = self.variable(*variable);
                values.iter().map(|&value| format!("{name} == {}", self.value(*variable, value))).collect()
            }
        };
        parts.join(" or ")
    }

    /// What a process does that takes an edge, if the author has words for it.
    pub(crate) fn deed(self, id: EdgeId) -> Option<&'n str> {
        let edge = &self.0.edges[id.index()];
        self.0.wording.edge(self.template(edge.process), edge.origin.edge as usize)
    }

    /// The same, or where the edge leads from and to, and the values of its `select`.
    pub(crate) fn movement(self, id: EdgeId) -> String {
        let edge = &self.0.edges[id.index()];
        let name = |location: LocationId| &self.0.locations[location.index()].name;
        let mut text = match self.deed(id) {
            Some(deed) => deed.to_owned(),
            None => format!("{} -> {}", name(edge.source), name(edge.target)),
        };
        if !edge.select.is_empty() {
            let chosen: Vec<String> =
                edge.select.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            text.push_str("  [");
            text.push_str(&chosen.join(", "));
            text.push(']');
        }
        text
    }

    fn template(self, process: ProcessId) -> usize {
        self.0.processes[process.index()].template as usize
    }
}
