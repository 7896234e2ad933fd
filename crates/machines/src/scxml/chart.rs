//! A statechart: plain data, resolved. States and transitions are numbered in document order, so the descendants of a state are a range.

use super::expression::Expression;
use crate::Note;
use guidepost_language::source::Span;
use std::ops::Range;
use std::sync::Arc;

/// A state, by its place in document order; 0 is the chart itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(pub u32);

/// A transition, by its place in document order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TransitionId(pub u32);

impl StateId {
    /// The chart itself, `<scxml>`.
    pub const ROOT: StateId = StateId(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl TransitionId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What kind of state it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateKind {
    /// `<state>`, and the chart itself.
    State,
    /// `<parallel>`
    Parallel,
    /// `<final>`
    Final,
    /// `<history type="shallow">`
    ShallowHistory,
    /// `<history type="deep">`
    DeepHistory,
}

/// A state, or a history that stands for some.
#[derive(Clone, Debug)]
pub struct State {
    /// Its id, or where it stands if it has none.
    pub name: String,
    /// What kind of state it is.
    pub kind: StateKind,
    /// The state around it.
    pub parent: Option<StateId>,
    /// The states in it, without histories.
    pub children: Vec<StateId>,
    /// The histories in it.
    pub histories: Vec<StateId>,
    /// The transitions that leave it, in document order.
    pub transitions: Vec<TransitionId>,
    /// Where it begins (a compound state, the chart, a history).
    pub initial: Option<Start>,
    /// One block for each `<onentry>`.
    pub onentry: Vec<Block>,
    /// One block for each `<onexit>`.
    pub onexit: Vec<Block>,
    /// Variables that are declared in it.
    pub data: Vec<usize>,
    /// What `<finalize>` of its invocations does.
    pub finalize: Vec<Block>,
    /// The last of its descendants in document order, itself if there is none.
    pub last: StateId,
    /// The start tag.
    pub span: Span,
}

/// The default of a compound state or of a history.
#[derive(Clone, Debug)]
pub struct Start {
    /// The states to enter.
    pub targets: Vec<StateId>,
    /// What is done on the way.
    pub content: Block,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The state that it leaves.
    pub source: StateId,
    /// What it waits for; empty if it does not wait.
    pub events: Vec<Descriptor>,
    /// The attribute `event` as it is written.
    pub event: String,
    /// When it may be taken.
    pub condition: Option<Arc<Expression>>,
    /// The states to enter; empty if nothing is left.
    pub targets: Vec<StateId>,
    /// Whether its source stays active if all targets are inside.
    pub internal: bool,
    /// What is done on the way.
    pub content: Block,
    /// The start tag.
    pub span: Span,
}

/// Which events are meant: those of this name, and those whose name begins with it and a dot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Descriptor(pub Arc<str>);

impl Descriptor {
    /// A descriptor as it is written; `.` and `.*` at its end say nothing.
    pub fn new(text: &str) -> Self {
        let text = text.strip_suffix(".*").unwrap_or(text);
        Self(text.strip_suffix('.').unwrap_or(text).into())
    }

    /// `*`: every event.
    pub fn is_any(&self) -> bool {
        &*self.0 == "*"
    }

    /// Whether an event of this name is meant.
    pub fn matches(&self, event: &str) -> bool {
        let rest = event.strip_prefix(&*self.0);
        self.is_any() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

/// Executable content: what is done together. An error ends it.
pub type Block = Vec<Action>;

/// One element of executable content.
#[derive(Clone, Debug)]
pub struct Action {
    /// What is done.
    pub kind: ActionKind,
    /// The start tag.
    pub span: Span,
}

/// What an element of executable content does.
#[derive(Clone, Debug)]
pub enum ActionKind {
    /// `<raise>`: an event for the internal queue; the number of the output.
    Raise(Arc<str>, usize),
    /// `<send>`
    Send(Send),
    /// `<assign>` to a variable, or to what is not tracked.
    Assign(Option<usize>, Arc<Expression>),
    /// `<if>`: the first branch whose condition holds; `<else>` has none.
    If(Vec<(Option<Arc<Expression>>, Block)>),
    /// `<foreach>`: nothing is known of the collection; the variables that change with each round.
    Foreach(Vec<usize>, Block),
    /// `<log>`: the number of the output.
    Log(Option<Arc<Expression>>),
    /// `<cancel>` of a known id, or of one that is computed.
    Cancel(Option<Arc<str>>),
    /// `<script>` or an element of another standard: changes these variables, in ways unknown.
    Unknown(Vec<usize>),
    /// `<assign>` to what was never declared: an error of the platform.
    Error,
}

/// `<send>`
#[derive(Clone, Debug)]
pub struct Send {
    /// The number of the output.
    pub output: usize,
    /// The number of the `<send>` among all.
    pub number: usize,
    /// The event: written or computed.
    pub event: Result<Arc<str>, Arc<Expression>>,
    /// To whom.
    pub target: SendTarget,
    /// How long after.
    pub delay: Delay,
    /// Its name for `<cancel>`.
    pub id: Option<Arc<str>>,
    /// The variable that gets the id.
    pub id_location: Option<usize>,
    /// Expressions in it whose evaluation may fail in ways unknown.
    pub is_opaque: bool,
}

/// To whom an event is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SendTarget {
    /// The internal queue.
    Internal,
    /// The external queue of the same machine.
    Itself,
    /// Somebody else.
    Outside,
    /// The target is computed.
    Computed,
}

/// When an event is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delay {
    /// At once.
    None,
    /// So many milliseconds later.
    Milliseconds(u64),
    /// The delay is computed.
    Computed,
}

/// A variable of the datamodel.
#[derive(Clone, Debug)]
pub struct Data {
    /// Its id.
    pub name: Arc<str>,
    /// Its first value; undefined without one.
    pub value: Option<Arc<Expression>>,
    /// The start tag.
    pub span: Span,
}

/// What the machine tells: an event that it raises or sends.
#[derive(Clone, Debug)]
pub struct Output {
    /// The event, or the expression that computes it.
    pub name: String,
    /// Whether only the machine itself can hear it.
    pub internal: bool,
    /// Whether the name is computed.
    pub computed: bool,
    /// The start tag.
    pub span: Span,
}

/// A statechart.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each says something else about the chart")]
pub struct Chart {
    /// The attribute `name`.
    pub name: String,
    /// All states in document order; the first is the chart itself.
    pub states: Vec<State>,
    /// All transitions in document order, defaults of states and histories excluded.
    pub transitions: Vec<Transition>,
    /// The variables.
    pub data: Vec<Data>,
    /// What the machine tells.
    pub outputs: Vec<Output>,
    /// Whether variables of a state get their values when it is entered first.
    pub late_binding: bool,
    /// `<script>` of the chart.
    pub script: Block,
    /// Whether there is an `<invoke>`.
    pub invokes: bool,
    /// The pending sends that `<cancel>` may name.
    pub sends: Vec<Send>,
    /// Whether some transition waits for `error.execution`.
    pub hears_failures: bool,
    /// Whether some transition waits for `error.communication`.
    pub hears_losses: bool,
    /// Whether something may fail whose failing is not executed step by step: then `error.execution` may come at any time.
    pub may_fail_anywhere: bool,
    /// Whether an expression looks at the event.
    pub reads_event: bool,
    /// Whether functions of the author may run in expressions, and change any variable.
    pub has_functions: bool,
    /// For each variable whether its value can matter.
    pub relevant: Vec<bool>,
    /// Numbers in expressions.
    pub numbers: Vec<i64>,
    /// Texts in expressions.
    pub texts: Vec<Arc<str>>,
    /// What is not modelled exactly.
    pub notes: Vec<Note>,
}

impl Chart {
    /// A state.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// A transition.
    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    /// All states but the chart itself and histories.
    pub fn proper_states(&self) -> impl Iterator<Item = StateId> {
        let proper = |id: &StateId| !self.is_history(*id);
        (1..self.states.len() as u32).map(StateId).filter(proper)
    }

    /// All transitions.
    pub fn transition_ids(&self) -> impl Iterator<Item = TransitionId> + use<> {
        (0..self.transitions.len() as u32).map(TransitionId)
    }

    /// Whether it is a history.
    pub fn is_history(&self, id: StateId) -> bool {
        matches!(self.state(id).kind, StateKind::ShallowHistory | StateKind::DeepHistory)
    }

    /// Whether it has no states in it.
    pub fn is_atomic(&self, id: StateId) -> bool {
        self.state(id).children.is_empty() && !self.is_history(id)
    }

    /// A `<state>` with states in it, or the chart.
    pub fn is_compound(&self, id: StateId) -> bool {
        self.state(id).kind == StateKind::State && !self.state(id).children.is_empty()
    }

    /// The numbers of a state's descendants.
    pub fn descendants(&self, id: StateId) -> Range<u32> {
        id.0 + 1..self.state(id).last.0 + 1
    }

    /// The states around a state, the nearest first.
    pub fn ancestors(&self, id: StateId) -> impl Iterator<Item = StateId> + '_ {
        std::iter::successors(self.state(id).parent, |&state| self.state(state).parent)
    }

    /// `source --event--> target`, as findings call a transition.
    pub fn label(&self, id: TransitionId) -> String {
        let transition = self.transition(id);
        let source = &self.state(transition.source).name;
        let targets: Vec<&str> =
            transition.targets.iter().map(|&target| self.state(target).name.as_str()).collect();
        let arrow =
            if transition.event.is_empty() { "-->".into() } else { format!("--{}-->", transition.event) };
        format!("{source} {arrow} {}", targets.join(" ")).trim_end().to_owned()
    }

    /// Whether some transition waits for an event of this name.
    pub fn hears(&self, event: &str) -> bool {
        let hears = |transition: &Transition| transition.events.iter().any(|one| one.matches(event));
        self.transitions.iter().any(hears)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_mean_whole_words() {
        let matches = |descriptor: &str, event: &str| Descriptor::new(descriptor).matches(event);
        assert!(matches("error", "error"));
        assert!(matches("error", "error.send.failed"));
        assert!(matches("error.*", "error"));
        assert!(matches("error.", "error.x"));
        assert!(matches("*", "anything"));
        assert!(!matches("error", "errors"));
        assert!(!matches("error.send", "error"));
    }
}
