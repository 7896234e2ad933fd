//! What things are called in runs: by the author's words where the model was translated, else by their names.

use guidepost_answer::Landmark;
use guidepost_language::model::Aside;
use guidepost_network::interpreter::TransitionKind;
use guidepost_network::{ClockId, Edge, EdgeId, LocationId, Network, ProcessId, VarId};

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

    /// Whether a variable is no part of the state to the author.
    pub(crate) fn is_aside(self, id: VarId) -> bool {
        self.0.wording.asides.contains_key(self.0.variables[id.index()].name.as_str())
    }

    /// Whether the author has never heard of a variable.
    pub(crate) fn is_inner(self, id: VarId) -> bool {
        self.0.wording.asides.get(self.0.variables[id.index()].name.as_str()) == Some(&Aside::Inner)
    }

    /// Whether a process is an automaton to the author.
    pub(crate) fn is_automaton(self, id: ProcessId) -> bool {
        let wording = &self.0.wording;
        !wording.has_cycles() || wording.portraits.contains_key(&self.template(id))
    }

    /// `name: old -> new`
    pub(crate) fn change(self, (id, old, new): (VarId, i32, i32)) -> String {
        format!("{}: {} -> {}", self.variable(id), self.value(id, old), self.value(id, new))
    }

    /// What holds the edges of a transition together, if that is something that the author knows.
    pub(crate) fn channel(self, kind: TransitionKind) -> Option<&'n str> {
        let name = match kind {
            TransitionKind::Internal => return None,
            TransitionKind::Channel(id) => &self.0.channels[id.index()].name,
            TransitionKind::Vector(id) => &self.0.vectors[id as usize].name,
        };
        (!self.0.wording.silent.contains(name.as_str())).then_some(name)
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
            _ if !self.is_automaton(location.process) => None,
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
        self.deed_of(&self.0.edges[id.index()])
    }

    pub(crate) fn deed_of(self, edge: &Edge) -> Option<&'n str> {
        self.0.wording.edge(self.template(edge.process), edge.origin.edge as usize)
    }

    /// The same, or where the edge leads from and to.
    pub(crate) fn course(self, id: EdgeId) -> String {
        let edge = &self.0.edges[id.index()];
        let name = |location: LocationId| &self.0.locations[location.index()].name;
        match self.deed(id) {
            Some(deed) => deed.to_owned(),
            None => format!("{} -> {}", name(edge.source), name(edge.target)),
        }
    }

    /// The same, with the values of its `select`.
    pub(crate) fn movement(self, id: EdgeId) -> String {
        let edge = &self.0.edges[id.index()];
        let mut text = self.course(id);
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
