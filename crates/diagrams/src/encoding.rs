//! A system in Boolean variables.
//!
//! Every serial state (a *machine* here, by its place in [`Hierarchy::serial`]) has as many bits as its children need, each with its copy for the next configuration right
//! behind it. Numbers beyond the last child mean nothing; [`Encoding::valid`] excludes them wherever a set could count them.
//!
//! Events are no variables: a step is a disjunction over events, and each event concerns only the machines that it can change. Transitions that exclude each other across
//! several machines have a bit each that says whether they are chosen; all others fire exactly when they are enabled.

use crate::order::order;
use crate::space::{Made, Set, Space, pick};
use guidepost_answer::Limits;
use guidepost_machines::sem::{
    Configuration, Guard, Hierarchy, Interpreter, StateId, StateKind, System, TransitionId,
};
use oxidd::{BooleanFunction, VarNo};

/// The variables of a machine, and sets over them.
struct Machine {
    now: Vec<VarNo>,
    next: Vec<VarNo>,
    /// For every child: it counts now.
    values: Vec<Set>,
    /// For every child: it counts next.
    next_values: Vec<Set>,
    /// The same child counts now and next.
    same: Set,
    /// Some child counts now.
    valid: Set,
}

/// What happens to a machine within the scope of a transition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    Set(StateId),
    Keep,
}

/// A system as sets.
pub(crate) struct Encoding<'s> {
    pub(crate) system: &'s System,
    pub(crate) space: Space,
    pub(crate) interpreter: Interpreter<'s>,
    machines: Vec<Machine>,
    /// For every state, its place among its siblings.
    child: Vec<usize>,
    /// For every transition: its source is active and its guard holds.
    enabled: Vec<Set>,
    /// For every transition, the machines that this depends on, in ascending order.
    needs: Vec<Vec<usize>>,
    /// For every transition, those that exclude it and can be enabled with it.
    rivals: Vec<Vec<TransitionId>>,
    choices: Vec<Option<VarNo>>,
    initial: Configuration,
}

impl<'s> Encoding<'s> {
    pub(crate) fn new(system: &'s System, limits: &Limits, nodes: Option<usize>) -> Made<Self> {
        let interpreter = Interpreter::new(system);
        let hierarchy = interpreter.hierarchy();
        let serial = hierarchy.serial().to_vec();
        let needs: Vec<Vec<usize>> = system.transition_ids().map(|id| needs(system, hierarchy, id)).collect();
        let bits: Vec<usize> = serial.iter().map(|&state| bits(system.state(state).children.len())).collect();
        let space = Space::new(2 * bits.iter().sum::<usize>(), limits, nodes);
        let mut first = vec![0; serial.len()];
        let mut used = 0;
        for machine in order(serial.len(), &groups(system, hierarchy, &needs)) {
            first[machine] = used;
            used += 2 * bits[machine] as VarNo;
        }
        let machines = (0..serial.len())
            .map(|at| machine(&space, first[at], bits[at], system.state(serial[at]).children.len()))
            .collect::<Made<Vec<Machine>>>()?;
        let mut child = vec![0; system.states.len()];
        for state in &system.states {
            state.children.iter().enumerate().for_each(|(place, id)| child[id.index()] = place);
        }
        let initial = interpreter.initial();
        let count = system.transitions.len();
        let (rivals, choices) = (vec![Vec::new(); count], vec![None; count]);
        let mut encoding = Self {
            system,
            space,
            interpreter,
            machines,
            child,
            enabled: Vec::new(),
            needs,
            rivals,
            choices,
            initial,
        };
        for transition in &system.transitions {
            let (source, guard) = (encoding.active(transition.source)?, encoding.guard(&transition.guard)?);
            let enabled = encoding.space.and(&source, &guard)?;
            encoding.enabled.push(enabled);
        }
        encoding.find_rivals()?;
        Ok(encoding)
    }

    fn find_rivals(&mut self) -> Made<()> {
        let mut by_event = vec![Vec::new(); self.system.events.len()];
        for id in self.system.transition_ids() {
            by_event[self.system.transition(id).event.index()].push(id);
        }
        for ids in by_event {
            for (at, &one) in ids.iter().enumerate() {
                for &other in &ids[at + 1..] {
                    let clash = self.hierarchy().clash(one, other);
                    if clash && self.space.overlap(self.enabled(one), self.enabled(other))? {
                        self.rivals[one.index()].push(other);
                        self.rivals[other.index()].push(one);
                    }
                }
            }
        }
        let choosing: Vec<TransitionId> =
            self.system.transition_ids().filter(|&id| self.needs_choice(id)).collect();
        let variables = self.space.add_variables(choosing.len());
        for (id, variable) in choosing.into_iter().zip(variables) {
            self.choices[id.index()] = Some(variable);
        }
        Ok(())
    }

    /// Whether several machines have to agree on which of the rivals fires.
    fn needs_choice(&self, id: TransitionId) -> bool {
        let scope = self.hierarchy().scope(id);
        let has_inner = self.hierarchy().serial().iter().any(|&state| match scope {
            Some(scope) => self.hierarchy().is_above(scope, state),
            None => true,
        });
        let mut rivals = self.rivals(id).iter();
        rivals.any(|&rival| has_inner || self.hierarchy().scope(rival) != scope)
    }

    pub(crate) fn hierarchy(&self) -> &Hierarchy {
        self.interpreter.hierarchy()
    }

    pub(crate) fn initial(&self) -> &Configuration {
        &self.initial
    }

    /// How many machines there are.
    pub(crate) fn machines(&self) -> usize {
        self.machines.len()
    }

    /// The state that a machine is.
    pub(crate) fn state_of(&self, machine: usize) -> StateId {
        self.hierarchy().serial()[machine]
    }

    pub(crate) fn enabled(&self, id: TransitionId) -> &Set {
        &self.enabled[id.index()]
    }

    pub(crate) fn needs(&self, id: TransitionId) -> &[usize] {
        &self.needs[id.index()]
    }

    pub(crate) fn rivals(&self, id: TransitionId) -> &[TransitionId] {
        &self.rivals[id.index()]
    }

    /// The bit that says whether a transition is chosen, if it takes one.
    pub(crate) fn choice(&self, id: TransitionId) -> Option<VarNo> {
        self.choices[id.index()]
    }

    pub(crate) fn now(&self, machine: usize) -> &[VarNo] {
        &self.machines[machine].now
    }

    pub(crate) fn next(&self, machine: usize) -> &[VarNo] {
        &self.machines[machine].next
    }

    pub(crate) fn same(&self, machine: usize) -> &Set {
        &self.machines[machine].same
    }

    /// A machine is at one of its children.
    pub(crate) fn at(&self, machine: usize, child: StateId) -> &Set {
        &self.machines[machine].values[self.child[child.index()]]
    }

    /// A machine is at one of its children next.
    pub(crate) fn next_at(&self, machine: usize, child: StateId) -> &Set {
        &self.machines[machine].next_values[self.child[child.index()]]
    }

    /// All of these machines are at children that exist.
    pub(crate) fn valid(&self, machines: impl IntoIterator<Item = usize>) -> Made {
        let mut set = self.space.all();
        for machine in machines {
            set = self.space.and(&set, &self.machines[machine].valid)?;
        }
        Ok(set)
    }

    /// The machines strictly above a state, from the top.
    pub(crate) fn above(&self, state: StateId) -> Vec<usize> {
        let above = self.system.ancestors(state).skip(1);
        let mut machines: Vec<usize> = above.filter_map(|state| self.hierarchy().place(state)).collect();
        machines.reverse();
        machines
    }

    /// A state is active.
    pub(crate) fn active(&self, state: StateId) -> Made {
        self.active_within(System::ROOT, state)
    }

    /// A state is active, given that one above it is.
    pub(crate) fn active_within(&self, upper: StateId, state: StateId) -> Made {
        let mut set = self.space.all();
        for machine in self.above(state) {
            let above = self.state_of(machine);
            if self.hierarchy().contains(upper, above) {
                let towards = self.hierarchy().child_towards(self.system, above, state);
                set = self.space.and(&set, self.at(machine, towards))?;
            }
        }
        Ok(set)
    }

    fn guard(&self, guard: &Guard) -> Made {
        Ok(match guard {
            Guard::True => self.space.all(),
            Guard::Active(state) => self.active(*state)?,
            Guard::Not(inner) => self.space.not(&self.guard(inner)?)?,
            Guard::And(parts) => {
                let mut set = self.space.all();
                for part in parts {
                    set = self.space.and(&set, &self.guard(part)?)?;
                }
                set
            }
            Guard::Or(parts) => {
                let mut set = self.space.none();
                for part in parts {
                    set = self.space.or(&set, &self.guard(part)?)?;
                }
                set
            }
        })
    }

    /// What a transition does to a machine in its scope.
    pub(crate) fn effect(&self, id: TransitionId, machine: usize) -> Effect {
        let (state, target) = (self.state_of(machine), self.system.transition(id).target);
        if self.hierarchy().is_above(state, target) {
            return Effect::Set(self.hierarchy().child_towards(self.system, state, target));
        }
        match self.system.state(state).kind {
            StateKind::Serial { default } => Effect::Set(default),
            _ => Effect::Keep,
        }
    }

    /// Whether a transition whose scope is above an active state leaves it active.
    pub(crate) fn keeps(&self, id: TransitionId, state: StateId) -> bool {
        let scope = self.hierarchy().scope(id);
        self.above(state).into_iter().all(|machine| {
            !self.hierarchy().covers(scope, self.state_of(machine))
                || match self.effect(id, machine) {
                    Effect::Set(child) => self.hierarchy().contains(child, state),
                    Effect::Keep => true,
                }
        })
    }

    /// Whether the scope of a transition is strictly above a state.
    pub(crate) fn reaches_beyond(&self, id: TransitionId, state: StateId) -> bool {
        self.hierarchy().scope(id).is_none_or(|scope| self.hierarchy().is_above(scope, state))
    }

    /// Whether a configuration is in a set over the current variables.
    pub(crate) fn has(&self, set: &Set, configuration: &Configuration) -> bool {
        let bits = self.machines.iter().zip(&configuration.0).flat_map(|(machine, child)| {
            let code = self.child[child.index()];
            machine.now.iter().enumerate().map(move |(bit, &variable)| (variable, code >> bit & 1 == 1))
        });
        set.eval(bits)
    }

    /// A configuration as a set.
    pub(crate) fn single(&self, configuration: &Configuration) -> Made {
        let mut set = self.space.all();
        for (machine, &child) in configuration.0.iter().enumerate() {
            set = self.space.and(&set, self.at(machine, child))?;
        }
        Ok(set)
    }

    /// Some configuration of a set of valid ones.
    pub(crate) fn some(&self, set: &Set) -> Option<Configuration> {
        let values = pick(set)?;
        let children = (0..self.machines.len()).map(|machine| {
            let bits = self.machines[machine].now.iter().enumerate();
            let code: usize = bits
                .map(|(bit, &variable)| usize::from(values[variable as usize] == Some(true)) << bit)
                .sum();
            self.system.state(self.state_of(machine)).children[code]
        });
        Some(Configuration(children.collect()))
    }
}

/// Bits that tell so many values apart.
fn bits(values: usize) -> usize {
    values.next_power_of_two().trailing_zeros() as usize
}

fn machine(space: &Space, first: VarNo, bits: usize, children: usize) -> Made<Machine> {
    let now: Vec<VarNo> = (0..bits as VarNo).map(|bit| first + 2 * bit).collect();
    let next: Vec<VarNo> = now.iter().map(|variable| variable + 1).collect();
    let code = |variables: &[VarNo], code: usize| {
        let mut set = space.all();
        for (bit, &variable) in variables.iter().enumerate().rev() {
            set = space.and(&set, &space.literal(variable, code >> bit & 1 == 1)?)?;
        }
        Ok(set)
    };
    let values = (0..children).map(|child| code(&now, child)).collect::<Made<Vec<Set>>>()?;
    let next_values = (0..children).map(|child| code(&next, child)).collect::<Made<Vec<Set>>>()?;
    let (mut same, mut valid) = (space.all(), space.none());
    for (&now, &next) in now.iter().zip(&next).rev() {
        let equal = space.equal(&space.literal(now, true)?, &space.literal(next, true)?)?;
        same = space.and(&equal, &same)?;
    }
    for value in &values {
        valid = space.or(&valid, value)?;
    }
    Ok(Machine { now, next, values, next_values, same, valid })
}

/// The machines that say whether a transition is enabled.
fn needs(system: &System, hierarchy: &Hierarchy, id: TransitionId) -> Vec<usize> {
    let transition = system.transition(id);
    let mut states = vec![transition.source];
    transition.guard.for_each_state(&mut |state| states.push(state));
    let above = states.into_iter().flat_map(|state| system.ancestors(state).skip(1));
    let mut machines: Vec<usize> = above.filter_map(|state| hierarchy.place(state)).collect();
    machines.sort_unstable();
    machines.dedup();
    machines
}

/// Machines that should stand together: those of a transition and its scope, and a machine with the one above it.
fn groups(system: &System, hierarchy: &Hierarchy, needs: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let transitions = system.transition_ids().map(|id| {
        let mut group = needs[id.index()].clone();
        group.extend(hierarchy.scope(id).and_then(|scope| hierarchy.place(scope)));
        group.sort_unstable();
        group.dedup();
        group
    });
    let nested = hierarchy.serial().iter().filter_map(|&state| {
        let above = hierarchy.serial_above(state)?;
        Some(vec![hierarchy.place(above)?, hierarchy.place(state)?])
    });
    transitions.chain(nested).filter(|group| group.len() > 1).collect()
}
