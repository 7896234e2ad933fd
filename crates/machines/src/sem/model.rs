//! A system of state/event machines as plain data: dense ids, no names to look up, no text.

/// One of the states of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);
/// One of the events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub u32);
/// One of the outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutputId(pub u32);
/// One of the transitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransitionId(pub u32);

macro_rules! indices {
    ($($id:ident),*) => {$(
        impl $id {
            /// The id as an index.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
indices!(StateId, EventId, OutputId, TransitionId);

/// How the children of a state are active while it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StateKind {
    /// It has no children.
    Primitive,
    /// One child is active; the default one whenever nothing else is said on the way in.
    Serial {
        /// That child.
        default: StateId,
    },
    /// One child is active; on the way in, the one that was active last.
    History {
        /// The child that is active the first time.
        default: StateId,
    },
    /// All children are active.
    Parallel,
}

/// A state and its place in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Its name, which no sibling has.
    pub name: String,
    /// The state it belongs to. Only the root has none.
    pub parent: Option<StateId>,
    /// How its children are active.
    pub kind: StateKind,
    /// The states that belong to it.
    pub children: Vec<StateId>,
}

/// A condition on which states are active.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Guard {
    /// Always.
    True,
    /// The state is active.
    Active(StateId),
    /// It is not so.
    Not(Box<Guard>),
    /// All of them.
    And(Vec<Guard>),
    /// One of them at least.
    Or(Vec<Guard>),
}

impl Guard {
    /// Calls `visit` with every state that the guard names.
    pub fn for_each_state(&self, visit: &mut impl FnMut(StateId)) {
        match self {
            Guard::True => {}
            Guard::Active(state) => visit(*state),
            Guard::Not(inner) => inner.for_each_state(visit),
            Guard::And(parts) | Guard::Or(parts) => parts.iter().for_each(|part| part.for_each_state(visit)),
        }
    }
}

/// From one state to another, when an event comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// It is possible while this state is active.
    pub source: StateId,
    /// The event that it waits for.
    pub event: EventId,
    /// What else has to hold.
    pub guard: Guard,
    /// What it generates, each output as often as it stands here, in ascending order.
    pub outputs: Vec<OutputId>,
    /// The state that is active afterwards.
    pub target: StateId,
}

/// What `after` means: an event that comes when a state has been active for a time, once for each time that the state becomes active.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timer {
    /// The event, which nothing else makes.
    pub event: EventId,
    /// The state.
    pub state: StateId,
    /// The time.
    pub time: u32,
}

/// Machines that run side by side: a tree of states under a parallel root that has no name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct System {
    /// The names of the events, those of timers included.
    pub events: Vec<String>,
    /// The timers.
    pub timers: Vec<Timer>,
    /// The names of the outputs.
    pub outputs: Vec<String>,
    /// The states; the root is the first, and parents come before their children.
    pub states: Vec<State>,
    /// The transitions.
    pub transitions: Vec<Transition>,
}

impl Default for System {
    fn default() -> Self {
        let root =
            State { name: String::new(), parent: None, kind: StateKind::Parallel, children: Vec::new() };
        let (events, timers, outputs, transitions) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { events, timers, outputs, states: vec![root], transitions }
    }
}

impl System {
    /// The state above all others.
    pub const ROOT: StateId = StateId(0);

    /// Adds an event.
    pub fn add_event(&mut self, name: impl Into<String>) -> EventId {
        self.events.push(name.into());
        EventId(self.events.len() as u32 - 1)
    }

    /// The event that comes when a state has been active for a time, `Train.Stop@5`.
    pub fn add_timer(&mut self, state: StateId, time: u32) -> EventId {
        if let Some(known) = self.timers.iter().find(|timer| (timer.state, timer.time) == (state, time)) {
            return known.event;
        }
        let event = self.add_event(format!("{}@{time}", self.path(state)));
        self.timers.push(Timer { event, state, time });
        event
    }

    /// The timer that makes an event, if one does.
    #[must_use]
    pub fn timer(&self, event: EventId) -> Option<Timer> {
        self.timers.iter().copied().find(|timer| timer.event == event)
    }

    /// Adds an output.
    pub fn add_output(&mut self, name: impl Into<String>) -> OutputId {
        self.outputs.push(name.into());
        OutputId(self.outputs.len() as u32 - 1)
    }

    /// Adds a state without children. The first child of a primitive state makes it serial, with that child as the default.
    pub fn add_state(&mut self, parent: StateId, name: impl Into<String>) -> StateId {
        let id = StateId(self.states.len() as u32);
        let above = &mut self.states[parent.index()];
        if above.kind == StateKind::Primitive {
            above.kind = StateKind::Serial { default: id };
        }
        above.children.push(id);
        let kind = StateKind::Primitive;
        self.states.push(State { name: name.into(), parent: Some(parent), kind, children: Vec::new() });
        id
    }

    /// Adds a transition; its outputs may stand in any order.
    pub fn add_transition(&mut self, mut transition: Transition) -> TransitionId {
        transition.outputs.sort_unstable();
        self.transitions.push(transition);
        TransitionId(self.transitions.len() as u32 - 1)
    }

    /// A state by its id.
    #[must_use]
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// A transition by its id.
    #[must_use]
    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    /// The name of an event.
    #[must_use]
    pub fn event(&self, id: EventId) -> &str {
        &self.events[id.index()]
    }

    /// All states.
    pub fn state_ids(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.states.len() as u32).map(StateId)
    }

    /// All events.
    pub fn event_ids(&self) -> impl Iterator<Item = EventId> + use<> {
        (0..self.events.len() as u32).map(EventId)
    }

    /// All transitions.
    pub fn transition_ids(&self) -> impl Iterator<Item = TransitionId> + use<> {
        (0..self.transitions.len() as u32).map(TransitionId)
    }

    /// Whether a state is one of several, one of which is active at a time.
    #[must_use]
    pub fn default_child(&self, state: StateId) -> Option<StateId> {
        match self.state(state).kind {
            StateKind::Serial { default } | StateKind::History { default } => Some(default),
            StateKind::Primitive | StateKind::Parallel => None,
        }
    }

    /// Whether every machine is a list of states without states in them, and no transition leads from one machine to another.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        let is_primitive = |child: &StateId| self.state(*child).kind == StateKind::Primitive;
        let are_lists = self.state(Self::ROOT).children.iter().all(|&machine| {
            self.default_child(machine).is_some() && self.state(machine).children.iter().all(is_primitive)
        });
        let stays = |transition: &Transition| {
            let [source, target] = [transition.source, transition.target].map(|end| self.state(end));
            is_primitive(&transition.source) && source.parent == target.parent
        };
        are_lists && self.transitions.iter().all(stays)
    }

    /// The name of a state with those above it: `Train.Move.Left`.
    #[must_use]
    pub fn path(&self, state: StateId) -> String {
        let mut names: Vec<&str> =
            self.ancestors(state).map(|above| self.state(above).name.as_str()).collect();
        names.pop();
        names.reverse();
        names.join(".")
    }

    /// A transition as `source --event--> target`.
    #[must_use]
    pub fn arrow(&self, transition: TransitionId) -> String {
        let Transition { source, event, target, .. } = self.transition(transition);
        format!("{} --{}--> {}", self.path(*source), self.event(*event), self.path(*target))
    }

    /// The state itself, then those above it, up to the root.
    pub fn ancestors(&self, state: StateId) -> impl Iterator<Item = StateId> + '_ {
        std::iter::successors(Some(state), |&below| self.state(below).parent)
    }

    /// How many configurations there are on paper: the product of the numbers of children, as a power of ten.
    #[must_use]
    pub fn declared(&self) -> f64 {
        let serial = self.state_ids().filter(|&state| self.default_child(state).is_some());
        serial.map(|state| (self.state(state).children.len() as f64).log10()).sum()
    }
}
