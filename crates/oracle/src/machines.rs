//! Random systems of state/event machines, and what is wrong with them by trying everything.
//!
//! The reference lists all reachable configurations with the interpreter of machines, and reads every answer off the list.

use crate::random::Random;
use guidepost_machines::Kind;
use guidepost_machines::sem::{
    Configuration, EventId, Guard, Interpreter, StateId, StateKind, System, Transition, TransitionId,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What systems look like.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// How deeply states are nested; 1 is flat.
    pub depth: usize,
    /// The most configurations on paper, as a power of ten.
    pub size: f64,
}

/// A random system.
pub fn random_system(seed: u64, shape: Shape) -> System {
    let mut random = Random::new(seed);
    let mut system = System::default();
    for at in 0..2 + random.below(2) {
        system.add_event(format!("e{at}"));
    }
    for at in 0..random.below(3) {
        system.add_output(format!("o{at}"));
    }
    let machines = 1 + random.below(4);
    for _ in 0..machines {
        grow(&mut system, &mut random, System::ROOT, shape, 1);
    }
    let count = 2 + random.below(3 * system.states.len().min(8));
    for _ in 0..count {
        transition(&mut system, &mut random, shape);
    }
    system
}

/// Adds a state with states in it.
fn grow(system: &mut System, random: &mut Random, parent: StateId, shape: Shape, depth: usize) {
    let name = |system: &System| format!("s{}", system.states.len());
    let state = system.add_state(parent, name(system));
    let is_parallel = depth > 1 && depth < shape.depth && random.chance(25);
    if is_parallel {
        system.states[state.index()].kind = StateKind::Parallel;
    }
    for _ in 0..=random.below(3) {
        let inner = depth < shape.depth
            && system.declared() < shape.size
            && random.chance(if is_parallel { 80 } else { 40 });
        if inner {
            grow(system, random, state, shape, depth + 1);
        } else {
            system.add_state(state, name(system));
        }
    }
    if !is_parallel {
        let default = *random.pick(&system.state(state).children.clone());
        let has_history = shape.depth > 1 && random.chance(35);
        system.states[state.index()].kind =
            if has_history { StateKind::History { default } } else { StateKind::Serial { default } };
    }
}

fn transition(system: &mut System, random: &mut Random, shape: Shape) {
    let any =
        |system: &System, random: &mut Random| StateId(1 + random.below(system.states.len() - 1) as u32);
    let mut source = any(system, random);
    let mut target = any(system, random);
    if shape.depth == 1 {
        let machine = *random.pick(&system.state(System::ROOT).children.clone());
        source = *random.pick(&system.state(machine).children.clone());
        target = *random.pick(&system.state(machine).children.clone());
    } else if random.chance(70) {
        // Most transitions lead to a sibling.
        let parent = system.state(source).parent.unwrap_or(System::ROOT);
        target = *random.pick(&system.state(parent).children.clone());
    }
    let event = EventId(random.below(system.events.len()) as u32);
    let guard = if random.chance(50) { Guard::True } else { guard(system, random, 2) };
    let outputs = (0..system.outputs.len() as u32)
        .filter(|_| random.chance(30))
        .map(guidepost_machines::sem::OutputId)
        .collect();
    system.add_transition(Transition { source, event, guard, outputs, target });
}

fn guard(system: &System, random: &mut Random, depth: usize) -> Guard {
    if depth == 0 || random.chance(40) {
        return Guard::Active(StateId(1 + random.below(system.states.len() - 1) as u32));
    }
    let two = |random: &mut Random| vec![guard(system, random, depth - 1), guard(system, random, depth - 1)];
    match random.below(3) {
        0 => Guard::Not(Box::new(guard(system, random, depth - 1))),
        1 => Guard::And(two(random)),
        _ => Guard::Or(two(random)),
    }
}

/// Everything that is wrong, each with the number of events that a shortest evidence has, if events show it.
pub type Faults = BTreeMap<(Kind, String), Vec<Option<usize>>>;

/// All reachable configurations, with their distances from the start.
pub struct Explored<'s> {
    system: &'s System,
    interpreter: Interpreter<'s>,
    configurations: Vec<(Configuration, usize)>,
    /// Where each of them leads.
    successors: Vec<Vec<usize>>,
}

/// Explores a system, unless it has more configurations than `most`.
pub fn explore_machines(system: &System, most: usize) -> Option<Explored<'_>> {
    let interpreter = Interpreter::new(system);
    let mut numbers = HashMap::from([(interpreter.initial(), 0)]);
    let mut configurations = vec![(interpreter.initial(), 0)];
    let mut successors = Vec::new();
    while successors.len() < configurations.len() {
        let (now, distance) = configurations[successors.len()].clone();
        let mut leads = BTreeSet::new();
        for event in system.event_ids() {
            for step in interpreter.steps(&now, event) {
                let number = *numbers.entry(step.target.clone()).or_insert_with(|| {
                    configurations.push((step.target, distance + 1));
                    configurations.len() - 1
                });
                leads.insert(number);
            }
        }
        successors.push(leads.into_iter().collect());
        if configurations.len() > most {
            return None;
        }
    }
    Some(Explored { system, interpreter, configurations, successors })
}

impl Explored<'_> {
    /// How many configurations are reachable.
    pub fn len(&self) -> usize {
        self.configurations.len()
    }

    /// There is always the start.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The distance of the nearest configuration with a property.
    fn distance(&self, mut has: impl FnMut(usize, &Configuration) -> bool) -> Option<usize> {
        let mut all = self.configurations.iter().enumerate();
        all.find(|(at, (configuration, _))| has(*at, configuration)).map(|(_, (_, distance))| *distance)
    }

    fn is_enabled(&self, configuration: &Configuration, id: TransitionId) -> bool {
        let transition = self.system.transition(id);
        self.interpreter.is_active(configuration, transition.source)
            && self.interpreter.holds(configuration, &transition.guard)
    }

    /// Everything that is wrong.
    pub fn faults(&self) -> Faults {
        let mut faults = Faults::new();
        let mut add = |kind, place: String, length| faults.entry((kind, place)).or_default().push(length);
        let system = self.system;
        for state in system.state_ids().skip(1) {
            if self.distance(|_, now| self.interpreter.is_active(now, state)).is_none() {
                add(Kind::UnreachableState, system.path(state), None);
            }
        }
        let is_dead = |id: TransitionId| self.distance(|_, now| self.is_enabled(now, id)).is_none();
        let dead: BTreeSet<TransitionId> = system.transition_ids().filter(|&id| is_dead(id)).collect();
        for &id in &dead {
            add(Kind::DeadTransition, system.arrow(id), None);
        }
        for one in system.transition_ids() {
            for other in system.transition_ids().filter(|&other| one < other) {
                let same = system.transition(one).event == system.transition(other).event;
                if !same || !self.interpreter.hierarchy().clash(one, other) {
                    continue;
                }
                let both = |_, now: &Configuration| self.is_enabled(now, one) && self.is_enabled(now, other);
                if let Some(length) = self.distance(both) {
                    let place = format!("{} and {}", system.arrow(one), system.arrow(other));
                    add(Kind::Conflict, place, Some(length));
                }
            }
        }
        for (at, name) in system.outputs.iter().enumerate() {
            let generates =
                |id: &TransitionId| system.transition(*id).outputs.iter().any(|output| output.index() == at);
            if system.transition_ids().filter(generates).all(|id| dead.contains(&id)) {
                add(Kind::DeadOutput, name.clone(), None);
            }
        }
        for event in system.event_ids() {
            if system.transitions.iter().all(|transition| transition.event != event) {
                add(Kind::UnusedEvent, system.event(event).to_owned(), None);
            }
        }
        for place in 0..self.interpreter.hierarchy().serial().len() {
            let state = self.interpreter.hierarchy().serial()[place];
            if system.state(state).children.len() > 1
                && let Some(length) = self.distance(|at, _| self.is_stuck(at, place, state))
            {
                add(Kind::Deadlock, system.path(state), Some(length));
            }
        }
        faults
    }

    /// Whether a machine is active in a configuration, and never changes or ends again.
    fn is_stuck(&self, at: usize, place: usize, state: StateId) -> bool {
        let (now, _) = &self.configurations[at];
        if !self.interpreter.is_active(now, state) {
            return false;
        }
        let mut seen = BTreeSet::from([at]);
        let mut next = vec![at];
        while let Some(at) = next.pop() {
            let (here, _) = &self.configurations[at];
            if here.0[place] != now.0[place] || !self.interpreter.is_active(here, state) {
                return false;
            }
            next.extend(self.successors[at].iter().filter(|&&target| seen.insert(target)));
        }
        true
    }

    /// Whether a sequence of events may lead to what a finding says: a conflict or a machine that is stuck.
    pub fn shows(&self, kind: Kind, place: &str, events: &[String]) -> bool {
        let number = |name: &String| {
            let at = self.system.events.iter().position(|event| event == name)?;
            Some(EventId(at as u32))
        };
        let Some(events) = events.iter().map(number).collect::<Option<Vec<EventId>>>() else { return false };
        let ends = self.interpreter.after(&events);
        let serial = self.interpreter.hierarchy().serial();
        ends.iter().any(|end| match kind {
            Kind::Conflict => {
                let named: Vec<TransitionId> = self
                    .system
                    .transition_ids()
                    .filter(|&id| place.split(" and ").any(|arrow| arrow == self.system.arrow(id)))
                    .filter(|&id| self.is_enabled(end, id))
                    .collect();
                named.len() >= 2
            }
            Kind::Deadlock => {
                let at = self.configurations.iter().position(|(now, _)| now == end);
                let mut machines = serial.iter().enumerate();
                at.is_some_and(|at| {
                    machines.any(|(number, &state)| {
                        self.system.path(state) == place && self.is_stuck(at, number, state)
                    })
                })
            }
            _ => false,
        })
    }
}
