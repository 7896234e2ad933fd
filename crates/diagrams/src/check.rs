//! All checks of a system.

use crate::backward::{Answer, Backward, Goal, Known, Trail};
use crate::encoding::Encoding;
use crate::evidence::witness;
use crate::forward::Forward;
use crate::method::Method;
use crate::patience::within;
use crate::space::{Made, Set, Stopped};
use crate::statistics::Statistics;
use crate::walks::{Seen, walk};
use guidepost_answer::Limits;
use guidepost_machines::sem::{EventId, OutputId, StateId, StateKind, System, TransitionId};
use guidepost_machines::{Finding, Kind};
use std::time::Instant;

/// How to check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How reachability is decided.
    pub method: Method,
    /// The most nodes of all sets together; by default as many as the memory limit allows.
    pub nodes: Option<usize>,
    /// Whether random walks settle what is easily reached.
    pub walks: bool,
    /// Whether goals that follow from reachable ones are not decided again.
    pub implications: bool,
    /// Whether to look for machines that never change again.
    pub deadlocks: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { method: Method::default(), nodes: None, walks: true, implications: true, deadlocks: true }
    }
}

/// Something that no answer was found for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecided {
    /// What could be wrong.
    pub kind: Kind,
    /// With what.
    pub place: String,
    /// Why it is not known.
    pub stopped: Stopped,
}

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A state, or the machine that it is.
    State(StateId),
    /// A transition.
    Transition(TransitionId),
    /// Two transitions that exclude each other.
    Pair(TransitionId, TransitionId),
    /// An event.
    Event(EventId),
    /// An output.
    Output(OutputId),
}

impl Subject {
    /// What people call it.
    #[must_use]
    pub fn place(self, system: &System) -> String {
        match self {
            Subject::State(state) => system.path(state),
            Subject::Transition(id) => system.arrow(id),
            Subject::Pair(one, other) => format!("{} and {}", system.arrow(one), system.arrow(other)),
            Subject::Event(event) => system.event(event).to_owned(),
            Subject::Output(output) => system.outputs[output.index()].clone(),
        }
    }
}

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// What is wrong, by kind and place.
    pub findings: Vec<Finding>,
    /// What each of them is about.
    pub subjects: Vec<Subject>,
    /// What is not known.
    pub undecided: Vec<Undecided>,
    /// The findings whose evidence is right, but perhaps not shortest: by their places in the list.
    pub not_shortest: Vec<usize>,
    /// What it took.
    pub statistics: Statistics,
}

/// Checks a system for unreachable states, dead transitions, conflicts, dead outputs, unused events, and machines that never change again.
///
/// What a limit leaves open is among the undecided; an error means that the limits are too small for the system itself.
///
/// ```
/// use guidepost_diagrams::{Options, check};
/// use guidepost_machines::{Kind, sem};
///
/// let text = "event e; machine A { state X; state Y; X -> Y on e if B.Q; } machine B { state P; state Q; }";
/// let system = sem::load_text("small.sem", text).system.unwrap();
/// let found = check(&system, &Options::default(), &Default::default()).unwrap();
/// let dead = found.findings.iter().find(|finding| finding.kind == Kind::DeadTransition).unwrap();
/// assert_eq!(dead.place, "A.X --e--> A.Y");
/// assert_eq!(dead.because, ["A", "B"]);
/// ```
pub fn check(system: &System, options: &Options, limits: &Limits) -> Result<Findings, Stopped> {
    if limits.time.is_none() && limits.interrupt.is_none() {
        return check_here(system, options, limits);
    }
    let (system, options, given) = (system.clone(), options.clone(), limits.clone());
    within(limits, move || check_here(&system, &options, &given))
}

fn check_here(system: &System, options: &Options, limits: &Limits) -> Result<Findings, Stopped> {
    let begin = Instant::now();
    let encoding = Encoding::new(system, limits, options.nodes)?;
    let mut backward = Backward::new(&encoding, options.method);
    let mut statistics = Statistics::default();
    let forward = if options.method.is_forward() {
        let is_full = options.method == Method::ForwardFull;
        Some(Forward::new(&encoding, &mut backward.relations, is_full, &mut statistics)?)
    } else {
        None
    };
    let seen = if options.walks {
        walk(system, &encoding.interpreter, || encoding.space.poll().is_ok())
    } else {
        Seen::nothing(system)
    };
    let mut checker = Checker {
        encoding: &encoding,
        options,
        backward,
        exact: Backward::new(&encoding, Method::BackwardClosed),
        forward,
        seen,
        reachable: vec![Vec::new(); encoding.machines() + 1],
        transitions: vec![None; system.transitions.len()],
        found: Findings { statistics, ..Findings::default() },
        evidence: Vec::new(),
    };
    checker.run();
    let mut found = checker.finish();
    found.statistics.operations = encoding.space.operations();
    found.statistics.time = begin.elapsed();
    Ok(found)
}

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    State(StateId),
    Transition(TransitionId),
    Pair(TransitionId, TransitionId),
}

impl Question {
    /// What is wrong if the answer is not as it should be, and with what.
    fn fault(self) -> (Kind, Subject) {
        match self {
            Question::State(state) => (Kind::UnreachableState, Subject::State(state)),
            Question::Transition(id) => (Kind::DeadTransition, Subject::Transition(id)),
            Question::Pair(one, other) => (Kind::Conflict, Subject::Pair(one, other)),
        }
    }
}

struct Checker<'e, 's> {
    encoding: &'e Encoding<'s>,
    options: &'e Options,
    backward: Backward,
    /// For shortest evidence.
    exact: Backward,
    forward: Option<Forward>,
    seen: Seen,
    /// Sets that are known to be reachable, under the machines they depend on; those that depend on none come last.
    reachable: Vec<Vec<Set>>,
    transitions: Vec<Option<Known>>,
    found: Findings,
    /// For each finding, whether its evidence may be too long.
    evidence: Vec<bool>,
}

impl Checker<'_, '_> {
    fn run(&mut self) {
        let system = self.encoding.system;
        for state in self.in_preorder() {
            if system.state(state).kind != StateKind::Primitive {
                self.ask(Question::State(state));
            }
        }
        let mut questions: Vec<Question> = Vec::new();
        for one in system.transition_ids() {
            questions.push(Question::Transition(one));
            let rivals = self.encoding.rivals(one).iter().copied().filter(|&other| one < other);
            questions.extend(rivals.map(|other| Question::Pair(one, other)));
        }
        // The most specific first: what it implies need not be asked.
        questions.sort_by_key(|&question| std::cmp::Reverse(self.machines(question).len()));
        for question in questions {
            self.ask(question);
        }
        for state in system.state_ids().skip(1) {
            if system.state(state).kind == StateKind::Primitive {
                self.ask(Question::State(state));
            }
        }
        self.outputs();
        self.events();
        if self.options.deadlocks {
            for machine in 0..self.encoding.machines() {
                self.deadlock(machine);
            }
        }
    }

    fn in_preorder(&self) -> Vec<StateId> {
        let mut states = Vec::new();
        let mut next = vec![System::ROOT];
        while let Some(state) = next.pop() {
            next.extend(self.encoding.system.state(state).children.iter().rev());
            states.push(state);
        }
        states.remove(0);
        states
    }

    /// The machines that a question is about.
    fn machines(&self, question: Question) -> Vec<usize> {
        let mut machines = match question {
            Question::State(state) => self.encoding.above(state),
            Question::Transition(id) => self.encoding.needs(id).to_vec(),
            Question::Pair(one, other) => [self.encoding.needs(one), self.encoding.needs(other)].concat(),
        };
        machines.sort_unstable();
        machines.dedup();
        machines
    }

    fn set(&self, question: Question) -> Made {
        match question {
            Question::State(state) => self.encoding.active(state),
            Question::Transition(id) => Ok(self.encoding.enabled(id).clone()),
            Question::Pair(one, other) => {
                self.encoding.space.and(self.encoding.enabled(one), self.encoding.enabled(other))
            }
        }
    }

    fn goal(&self, question: Question, set: &Set) -> Made<Goal> {
        let system = self.encoding.system;
        let mut states = Vec::new();
        let mut mention = |id: TransitionId| {
            let transition = system.transition(id);
            states.push(transition.source);
            transition.guard.for_each_state(&mut |state| states.push(state));
            transition.source
        };
        let source = match question {
            Question::State(state) => state,
            Question::Transition(id) => mention(id),
            Question::Pair(one, other) => {
                mention(other);
                mention(one)
            }
        };
        self.backward.goal(self.encoding, set, source, states)
    }

    fn ask(&mut self, question: Question) {
        self.found.statistics.goals += 1;
        let known = self.settle(question);
        match (question, &known) {
            (Question::State(state), _) => self.backward.known[state.index()] = Some(known.clone()),
            (Question::Transition(id), _) => {
                self.transitions[id.index()] = Some(known.clone());
                if known == Ok(Answer::Reachable) {
                    // It can be taken.
                    let system = self.encoding.system;
                    let target = system.transition(id).target;
                    system.ancestors(target).for_each(|state| self.seen.states[state.index()] = true);
                }
            }
            (Question::Pair(..), _) => {}
        }
        self.report(question, known);
    }

    fn settle(&mut self, question: Question) -> Known {
        let is_seen = match question {
            Question::State(state) => self.seen.states[state.index()],
            Question::Transition(id) => self.seen.transitions[id.index()],
            Question::Pair(one, other) => self.seen.pairs.contains(&(one, other)),
        };
        if is_seen {
            self.found.statistics.walked += 1;
            return Ok(Answer::Reachable);
        }
        let set = self.set(question)?;
        if set == self.encoding.space.none() {
            return Ok(Answer::Unreachable(self.machines(question)));
        }
        let mut machines = self.machines(question);
        if machines.is_empty() {
            machines.push(self.encoding.machines());
        }
        if self.options.implications && self.is_implied(&set, machines[machines.len() - 1])? {
            self.found.statistics.implied += 1;
            return Ok(Answer::Reachable);
        }
        self.found.statistics.decided += 1;
        let answer = match &self.forward {
            Some(forward) if self.encoding.space.overlap(&forward.reached, &set)? => Answer::Reachable,
            Some(_) => Answer::Unreachable((0..self.encoding.machines()).collect()),
            None => {
                let goal = self.goal(question, &set)?;
                let statistics = &mut self.found.statistics;
                self.backward.decide(self.encoding, &goal, &mut Trail::default(), statistics)?
            }
        };
        if answer == Answer::Reachable {
            for machine in machines {
                self.reachable[machine].push(set.clone());
            }
        }
        Ok(answer)
    }

    /// Whether something reachable, of those that depend on the machine, is part of the set.
    fn is_implied(&self, set: &Set, machine: usize) -> Made<bool> {
        for known in &self.reachable[machine] {
            if self.encoding.space.is_subset(known, set)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn report(&mut self, question: Question, known: Known) {
        let (kind, subject) = question.fault();
        match (question, known) {
            (_, Err(stopped)) => self.leave_open(kind, subject, stopped),
            (Question::Pair(..), Ok(Answer::Reachable)) => {
                let goal = self.set(question).and_then(|set| Ok((self.goal(question, &set)?, set)));
                let evidence = goal.and_then(|(goal, set)| self.show(&goal, &set));
                self.shown(kind, subject, evidence);
            }
            (Question::Pair(..), Ok(_)) | (_, Ok(Answer::Reachable)) => {}
            (_, Ok(Answer::Unreachable(because))) => self.add(kind, subject, None, because, false),
        }
    }

    /// Events that lead to a goal, and whether they are as few as can be.
    fn show(&mut self, goal: &Goal, set: &Set) -> Made<Option<(Vec<EventId>, bool)>> {
        if let Some(forward) = &self.forward {
            return Ok(forward.path(self.encoding, set)?.map(|events| (events, true)));
        }
        let searches = (&mut self.backward, &mut self.exact);
        let found = witness(self.encoding, searches, goal, &mut self.found.statistics)?;
        // What is shown is what the interpreter did.
        debug_assert!(found.as_ref().is_none_or(|found| self.encoding.has(set, &found.end)));
        Ok(found.map(|found| (found.events, found.is_shortest)))
    }

    fn shown(&mut self, kind: Kind, subject: Subject, evidence: Made<Option<(Vec<EventId>, bool)>>) {
        let (evidence, is_shortest) = match evidence {
            Ok(Some((events, is_shortest))) => (Some(events), is_shortest),
            Ok(None) | Err(_) => (None, false),
        };
        self.add(kind, subject, evidence, Vec::new(), !is_shortest);
    }

    fn leave_open(&mut self, kind: Kind, subject: Subject, stopped: Stopped) {
        let place = subject.place(self.encoding.system);
        self.found.undecided.push(Undecided { kind, place, stopped });
    }

    fn add(
        &mut self,
        kind: Kind,
        subject: Subject,
        evidence: Option<Vec<EventId>>,
        because: Vec<usize>,
        may_be_shorter: bool,
    ) {
        let system = self.encoding.system;
        // When a timer rings is not looked at here, so a sequence with one may be none in time.
        let rings = |events: &Vec<EventId>| events.iter().any(|&event| system.timer(event).is_some());
        let certain = !evidence.as_ref().is_some_and(rings);
        let name = |event: EventId| system.event(event).to_owned();
        let evidence = evidence.map(|events| events.into_iter().map(name).collect());
        let machine = |machine: usize| system.path(self.encoding.state_of(machine));
        let because = because.into_iter().map(machine).collect();
        let place = subject.place(system);
        self.found.subjects.push(subject);
        self.found.findings.push(Finding { kind, place, evidence, certain, because });
        self.evidence.push(may_be_shorter);
    }

    /// Outputs that only dead transitions generate, or none.
    fn outputs(&mut self) {
        let system = self.encoding.system;
        for at in 0..system.outputs.len() {
            let subject = Subject::Output(OutputId(at as u32));
            let generates =
                |id: &TransitionId| system.transition(*id).outputs.iter().any(|output| output.index() == at);
            let mut because = Vec::new();
            let mut open = None;
            let mut lives = false;
            for id in system.transition_ids().filter(generates) {
                match self.transitions[id.index()].clone() {
                    Some(Ok(Answer::Unreachable(machines))) => because.extend(machines),
                    Some(Err(stopped)) => open = Some(stopped),
                    _ => lives = true,
                }
            }
            because.sort_unstable();
            because.dedup();
            match open {
                _ if lives => {}
                Some(stopped) => self.leave_open(Kind::DeadOutput, subject, stopped),
                None => self.add(Kind::DeadOutput, subject, None, because, false),
            }
        }
    }

    fn events(&mut self) {
        let system = self.encoding.system;
        for event in system.event_ids() {
            if system.transitions.iter().all(|transition| transition.event != event) {
                self.add(Kind::UnusedEvent, Subject::Event(event), None, Vec::new(), false);
            }
        }
    }

    /// Whether a machine with something to choose from may stay where it is for ever.
    fn deadlock(&mut self, machine: usize) {
        let state = self.encoding.state_of(machine);
        let system = self.encoding.system;
        if system.state(state).children.len() < 2 {
            return;
        }
        self.found.statistics.goals += 1;
        let (kind, subject) = (Kind::Deadlock, Subject::State(state));
        match self.find_deadlock(machine, state) {
            Ok(None) => {}
            Ok(Some(evidence)) => self.shown(kind, subject, Ok(evidence)),
            Err(stopped) => self.leave_open(kind, subject, stopped),
        }
    }

    /// The evidence of a deadlock, if there is one; it may be missing where a limit is near.
    #[allow(clippy::type_complexity)]
    fn find_deadlock(
        &mut self,
        machine: usize,
        state: StateId,
    ) -> Made<Option<Option<(Vec<EventId>, bool)>>> {
        if matches!(self.backward.known[state.index()], Some(Ok(Answer::Unreachable(_)))) {
            return Ok(None);
        }
        self.found.statistics.decided += 1;
        let statistics = &mut self.found.statistics;
        let Some(goal) = self.backward.stuck(self.encoding, machine, statistics)? else { return Ok(None) };
        let set = goal.at_root(self.encoding)?.set;
        let is_reachable = if let Some(forward) = &self.forward {
            self.encoding.space.overlap(&forward.reached, &set)?
        } else {
            let trail = &mut Trail::default();
            self.backward.decide(self.encoding, &goal, trail, statistics)? == Answer::Reachable
        };
        if !is_reachable {
            return Ok(None);
        }
        Ok(Some(self.show(&goal, &set).unwrap_or(None)))
    }

    fn finish(self) -> Findings {
        let mut found = self.found;
        let details = found.subjects.into_iter().zip(self.evidence);
        let mut all: Vec<(Finding, (Subject, bool))> = found.findings.into_iter().zip(details).collect();
        all.sort_by(|(one, _), (other, _)| (one.kind, &one.place).cmp(&(other.kind, &other.place)));
        let longer = all.iter().enumerate().filter(|(_, (_, (_, longer)))| *longer);
        found.not_shortest = longer.map(|(place, _)| place).collect();
        found.subjects = all.iter().map(|(_, (subject, _))| *subject).collect();
        found.findings = all.into_iter().map(|(finding, _)| finding).collect();
        found.undecided.sort_by(|one, other| (one.kind, &one.place).cmp(&(other.kind, &other.place)));
        found
    }
}
