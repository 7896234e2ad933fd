//! The relaxed task: everything about a network and its goals that growing needs, as tables.

use super::domain::Domains;
use super::effects::{Effect, Program, cost_of, effects_of};
use super::growth::EVALUATION;
use super::synchronisation::{Meeting, Port, handed_over, meeting};
use crate::Deadline;
use crate::rows::Rows;
use guidepost_network::{Code, Goal, LocationId, Machine, Network, ProcessId};
use rustc_hash::FxHashMap;

/// A condition on a cell with at most this many values is a table of facts.
const TABULATED: usize = 1024;

/// The compiled task. *Operators* are the edges of the network, followed by the goals.
pub(super) struct Task {
    pub(super) domains: Domains,
    pub(super) edges: usize,
    /// By operator: how many conditions it waits for. [`NEVER`] when one of them can never hold.
    pub(super) needs: Vec<u16>,
    /// By operator: the conditions.
    pub(super) conditions_of: Rows<u32>,
    /// By condition: the operators that wait for it.
    pub(super) waiting: Rows<u32>,
    /// By fact: the conditions it satisfies.
    pub(super) satisfies: Rows<u32>,
    /// The conditions over several cells; they come behind the tabulated ones.
    pub(super) compounds: Vec<Compound>,
    /// How many conditions are tabulated.
    pub(super) tabulated: usize,
    /// By cell: the compound conditions it occurs in, and at which place.
    pub(super) compounds_on: Rows<(u32, u32)>,
    pub(super) effects: Vec<Effect>,
    pub(super) programs: Vec<Program>,
    /// By edge: its effects, from and to.
    pub(super) effects_of: Vec<(u32, u32)>,
    /// By effect: the edge.
    pub(super) edge_of: Vec<u32>,
    /// By cell: the effects that read it.
    pub(super) uses: Rows<Use>,
    /// By cell: whether anything looks at its list of values.
    pub(super) is_operand: Vec<bool>,
    pub(super) meetings: Vec<Meeting>,
    pub(super) ports: Vec<Port>,
    /// By edge: its ports, from and to.
    pub(super) ports_of: Vec<(u32, u32)>,
    /// By edge: the process.
    pub(super) processes: Vec<u32>,
    /// By channel.
    pub(super) channels: usize,
    /// By vector: how many participants must take part.
    pub(super) strong: Vec<u32>,
    /// By vector and process (row by row): whether it must take part.
    pub(super) is_strong: Vec<Vec<u32>>,
}

/// An operator that waits for this many conditions waits forever.
pub(super) const NEVER: u16 = u16::MAX;

/// A condition that is evaluated for combinations of values.
#[derive(Clone, Debug)]
pub(super) struct Compound {
    pub(super) code: Code,
    pub(super) operands: Vec<usize>,
    /// What evaluating it once costs: the instructions it takes in the initial state, and its operands.
    pub(super) cost: u32,
}

/// An effect reads a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) effect: u32,
    /// The cell's place among the operands.
    pub(super) place: u32,
    /// Values of the layer being grown count at once: a partner may just have written them.
    pub(super) at_once: bool,
}

impl Task {
    /// Compiles a network; after the deadline, into something that is not to be used.
    pub(super) fn new(network: &Network, goals: &[Goal], deadline: &mut Deadline) -> Self {
        let domains = Domains::new(network);
        let mut conditions = Conditions::new(network, goals, &domains, deadline);
        let mut needed: Vec<Option<Vec<ConditionId>>> = Vec::new();
        for edge in &network.edges {
            let at = conditions.place(edge.process, &[edge.source]);
            needed.push(conditions.all(at, &edge.data_guard));
        }
        for goal in goals {
            needed.push(conditions.goal(goal));
        }
        let (compounds, tables) = (conditions.compounds, conditions.tables);
        let tabulated = tables.len();
        let number = |id: &ConditionId| match *id {
            ConditionId::Table(index) => index,
            ConditionId::Compound(index) => tabulated as u32 + index,
        };
        let conditions_of: Vec<Vec<u32>> = needed
            .iter()
            .map(|list| {
                let mut list: Vec<u32> = list.iter().flatten().map(number).collect();
                list.sort_unstable();
                list.dedup();
                list
            })
            .collect();
        let needs = needed.iter().zip(&conditions_of).map(|(needed, list)| match needed {
            Some(_) => list.len().min(usize::from(NEVER) - 1) as u16,
            None => NEVER,
        });
        let mut compounds_on = vec![Vec::new(); domains.cells()];
        for (index, compound) in (0..).zip(&compounds) {
            for (place, &cell) in (0..).zip(&compound.operands) {
                compounds_on[cell].push((index, place));
            }
        }
        let needs = needs.collect();
        Self {
            edges: network.edges.len(),
            needs,
            conditions_of: Rows::new(&conditions_of),
            waiting: Rows::inverse(&conditions_of, tabulated + compounds.len()),
            satisfies: Rows::inverse(&tables, domains.facts()),
            compounds_on: Rows::new(&compounds_on),
            tabulated,
            compounds,
            processes: network.edges.iter().map(|edge| edge.process.0).collect(),
            channels: network.channels.len(),
            strong: Vec::new(),
            is_strong: Vec::new(),
            effects: Vec::new(),
            programs: Vec::new(),
            effects_of: Vec::new(),
            edge_of: Vec::new(),
            uses: Rows::default(),
            is_operand: Vec::new(),
            meetings: Vec::new(),
            ports: Vec::new(),
            ports_of: Vec::new(),
            domains,
        }
        .with_effects(network, deadline)
        .with_meetings(network)
    }

    fn with_effects(mut self, network: &Network, deadline: &mut Deadline) -> Self {
        let handed_over = handed_over(network, deadline);
        let mut uses = vec![Vec::new(); self.domains.cells()];
        let mut machine = Machine::new(&network.program);
        for (edge, handed_over) in handed_over.iter().enumerate() {
            let first = self.effects.len();
            let (edge_id, domains) = (edge as u32, &self.domains);
            let effects = effects_of(network, domains, edge_id, first, &mut self.programs, &mut machine);
            let at_once = |cell: usize| {
                let variable = cell.checked_sub(self.domains.processes);
                variable.is_some_and(|index| handed_over.iter().any(|handed| handed.index() == index))
            };
            for (index, effect) in (first..).zip(&effects) {
                let operands: &[usize] = match effect {
                    Effect::Shift { source, .. } => std::slice::from_ref(source),
                    // The first effect of a program stands for all.
                    Effect::Program { program, .. } if self.programs[*program].first_effect == index => {
                        &self.programs[*program].operands
                    }
                    Effect::Fact(_) | Effect::Program { .. } => &[],
                };
                for (place, &cell) in (0..).zip(operands) {
                    uses[cell].push(Use { effect: index as u32, place, at_once: at_once(cell) });
                }
            }
            self.edge_of.extend(std::iter::repeat_n(edge as u32, effects.len()));
            self.effects.extend(effects);
            self.effects_of.push((first as u32, self.effects.len() as u32));
        }
        self.is_operand = (0..self.domains.cells())
            .map(|cell| !uses[cell].is_empty() || !self.compounds_on.row(cell).is_empty())
            .collect();
        self.uses = Rows::new(&uses);
        self
    }

    fn with_meetings(mut self, network: &Network) -> Self {
        for edge in 0..network.edges.len() {
            let (meeting, channels, sends) = meeting(network, edge);
            let first = self.ports.len() as u32;
            self.ports.extend(channels.iter().map(|channel| Port {
                edge: edge as u32,
                channel: channel.0,
                sends,
            }));
            self.ports_of.push((first, self.ports.len() as u32));
            self.meetings.push(meeting);
        }
        for vector in &network.vectors {
            let strong: Vec<u32> =
                vector.participants.iter().filter(|(_, weak)| !weak).map(|(process, _)| process.0).collect();
            self.strong.push(strong.len() as u32);
            self.is_strong.push(strong);
        }
        self
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ConditionId {
    Table(u32),
    Compound(u32),
}

/// What is known of a condition before anything has grown.
enum Known {
    Always,
    Never,
    Depends(ConditionId),
}

/// Collects conditions; equal tables are one condition.
struct Conditions<'t, 'n> {
    domains: &'t Domains,
    machine: Machine<'n>,
    /// The initial state.
    initial: Vec<i32>,
    tables: Vec<Vec<u32>>,
    known: FxHashMap<Vec<u32>, u32>,
    compounds: Vec<Compound>,
    deadline: &'t mut Deadline,
}

impl<'t, 'n> Conditions<'t, 'n> {
    fn new(network: &'n Network, goals: &[Goal], domains: &'t Domains, deadline: &'t mut Deadline) -> Self {
        Self {
            domains,
            machine: Machine::for_goals(&network.program, goals),
            initial: network.initial_cells(),
            tables: Vec::new(),
            known: FxHashMap::default(),
            compounds: Vec::new(),
            deadline,
        }
    }

    /// A process is in one of the locations.
    fn place(&mut self, process: ProcessId, locations: &[LocationId]) -> Known {
        let cell = process.index();
        let facts = locations.iter().filter_map(|at| self.domains.fact(cell, at.0 as i32)).collect();
        self.table(cell, facts)
    }

    /// All conditions of an operator; `None` when one can never hold.
    fn all(&mut self, first: Known, codes: &[Code]) -> Option<Vec<ConditionId>> {
        let mut list = Vec::new();
        let rest: Vec<Known> = codes.iter().map(|&code| self.code(code)).collect();
        for known in std::iter::once(first).chain(rest) {
            match known {
                Known::Always => {}
                Known::Never => return None,
                Known::Depends(id) => list.push(id),
            }
        }
        Some(list)
    }

    fn goal(&mut self, goal: &Goal) -> Option<Vec<ConditionId>> {
        let mut list = Vec::new();
        for (process, locations) in &goal.locations {
            match self.place(*process, locations) {
                Known::Always => {}
                Known::Never => return None,
                Known::Depends(id) => list.push(id),
            }
        }
        list.extend(self.all(Known::Always, &goal.data)?);
        Some(list)
    }

    fn code(&mut self, code: Code) -> Known {
        let operands = self.machine.codes().cells_read(code);
        if operands.iter().any(|&cell| self.domains.is_free(cell)) {
            return Known::Always;
        }
        match operands[..] {
            [] => {
                // Faulty conditions never hold: a state in which one is met ends the search.
                if matches!(self.machine.eval(code), Ok(value) if value != 0) {
                    Known::Always
                } else {
                    Known::Never
                }
            }
            [cell] if self.domains.size(cell) <= TABULATED => {
                let first = self.domains.first(cell);
                let mut facts = Vec::new();
                for fact in first..self.domains.any(cell) {
                    if self.deadline.is_due(EVALUATION) {
                        return Known::Always;
                    }
                    self.machine.state_mut()[cell] = self.domains.value(fact);
                    if matches!(self.machine.eval(code), Ok(value) if value != 0) {
                        facts.push(fact);
                    }
                }
                self.table(cell, facts)
            }
            _ => {
                let cost = cost_of(&mut self.machine, &self.initial, code, &operands);
                self.compounds.push(Compound { code, operands, cost });
                Known::Depends(ConditionId::Compound(self.compounds.len() as u32 - 1))
            }
        }
    }

    fn table(&mut self, cell: usize, mut facts: Vec<u32>) -> Known {
        if facts.is_empty() {
            return Known::Never;
        }
        if facts.len() == self.domains.size(cell) {
            return Known::Always;
        }
        facts.push(self.domains.any(cell));
        facts.sort_unstable();
        let index = self.tables.len() as u32;
        let id = *self.known.entry(facts.clone()).or_insert(index);
        if id == index {
            self.tables.push(facts);
        }
        Known::Depends(ConditionId::Table(id))
    }
}
