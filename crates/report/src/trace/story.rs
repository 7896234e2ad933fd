//! Runs in the author's steps.
//!
//! A controller repeats a cycle: it polls, decides and writes, and to its author that is one step. In a translated model it is many, and those of other
//! controllers lie in between. A [`Story`] puts them together again: a cycle is told when it ends, since that is when everybody else can see what it did,
//! with the moment at which it polled; what the environment does in one moment is one step. Polled values and moves belong to the cycle that they
//! are a part of, not to the moment at which they happen.

use super::{Changes, Trace};
use crate::number::decimal;
use crate::words::Words;
use guidepost_language::model::{Aside, Phase};
use guidepost_network::interpreter::{Interpreter, Rational, Transition};
use guidepost_network::{ClockId, EdgeId, Network, ProcessId, VarId};
use std::fmt::Write;

/// A run as its author would tell it.
pub(crate) struct Story<'n> {
    pub(crate) chapters: Vec<Chapter<'n>>,
}

/// One of the author's steps.
pub(crate) struct Chapter<'n> {
    /// A device, a controller, the environment or a property.
    pub(crate) who: &'n str,
    /// When it is told; `None` when the time does not fit into a [`Rational`].
    pub(crate) time: Option<Rational>,
    /// The last step of the run that is a part of it.
    pub(crate) last: usize,
    pub(crate) kind: ChapterKind,
    /// Controllers that go from one of their author's locations to another.
    pub(crate) moves: Vec<Movement>,
    /// Controllers that their delay keeps in their location.
    pub(crate) delayed: Vec<ProcessId>,
    /// What was polled and differs from what was polled before.
    pub(crate) seen: Vec<(VarId, i32, i32)>,
    /// What was written.
    pub(crate) changes: Vec<(VarId, i32, i32)>,
    /// The clocks that were set.
    pub(crate) clocks: Vec<(ClockId, Rational)>,
    /// What happens in it, one after the other: the time and the words.
    pub(crate) parts: Vec<(Option<Rational>, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChapterKind {
    /// A cycle, or several in which nothing happens.
    Cycle(Cycle),
    /// A step of its own.
    Single,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cycle {
    /// When it polled, …
    pub(crate) polled: Option<Rational>,
    /// … and, where the time does not say it, before which chapter.
    pub(crate) before: Option<usize>,
    /// The run ends before the cycle does.
    pub(crate) unfinished: bool,
    /// How many cycles are told as one, since they are all alike.
    pub(crate) count: usize,
}

/// A step of a controller, in places and edges of its portrait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Movement {
    pub(crate) process: ProcessId,
    /// Nothing for a step that the author did not write down.
    pub(crate) edge: Option<usize>,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl<'n> Story<'n> {
    /// The story of a run, where its author's steps are others than those of the run.
    pub(crate) fn of(trace: &Trace<'n>) -> Option<Self> {
        trace.network.wording.has_cycles().then(|| Self::told(trace))
    }

    fn told(trace: &Trace<'n>) -> Self {
        let network = trace.network;
        let open = network.processes.iter().map(|_| None).collect();
        let mut narrator = Narrator { network, chapters: Vec::new(), open };
        let mut interpreter = Interpreter::new(network);
        let times = trace.times();
        for (index, (step, &time)) in trace.steps.iter().zip(&times).enumerate() {
            let changes = Changes::of(step, trace.before(index), &mut interpreter);
            match step.transition {
                None => narrator.wait(index, time),
                Some(transition) => {
                    let is_at_once = step.delay == Rational::ZERO;
                    narrator.take(transition, &changes, Moment { step: index, time, is_at_once });
                }
            }
        }
        Self { chapters: narrator.finish(times.last().copied().unwrap_or(Some(Rational::ZERO))) }
    }

    /// The number, from 1, of the chapter that has a step of the run as a part.
    pub(crate) fn chapter_of(&self, step: usize) -> usize {
        self.chapters.iter().position(|chapter| chapter.last >= step).unwrap_or(self.chapters.len()) + 1
    }
}

/// When a step of the run happens.
#[derive(Clone, Copy)]
struct Moment {
    step: usize,
    time: Option<Rational>,
    /// Nobody waited for it.
    is_at_once: bool,
}

/// Tells a run step by step.
struct Narrator<'n> {
    network: &'n Network,
    chapters: Vec<Chapter<'n>>,
    /// By process, the cycle that it is in.
    open: Vec<Option<Chapter<'n>>>,
}

impl<'n> Narrator<'n> {
    fn wait(&mut self, step: usize, time: Option<Rational>) {
        let mut waiting = Chapter::single("", step, time);
        waiting.parts.push((time, "time passes".to_owned()));
        self.chapters.push(waiting);
    }

    fn take(&mut self, transition: &Transition, changes: &Changes, moment: Moment) {
        let network = self.network;
        let Some((process, phase)) = owner(network, transition) else {
            return self.take_single(transition, changes, moment);
        };
        let number = self.chapters.len() + 1;
        let begin = || Chapter::cycle(Words(network).process(process), moment, number);
        let chapter = self.open[process.index()].get_or_insert_with(begin);
        chapter.add(network, transition, changes, moment);
        if phase == Phase::Ends
            && let Some(chapter) = self.open[process.index()].take()
        {
            self.end(chapter);
        }
    }

    /// A step of its own, or a part of the one before.
    fn take_single(&mut self, transition: &Transition, changes: &Changes, moment: Moment) {
        let network = self.network;
        let who = transition.edges.first().map(|id| network.edges[id.index()].process);
        let who = who.map_or("", |process| Words(network).process(process));
        let goes_on = self.chapters.last().is_some_and(|last| last.goes_on(who, moment, changes));
        if !goes_on {
            self.chapters.push(Chapter::single(who, moment.step, moment.time));
        }
        if let Some(last) = self.chapters.last_mut() {
            last.add(network, transition, changes, moment);
        }
    }

    /// Adds a cycle that has ended. Cycles in which the same controller merely waits are told as one.
    fn end(&mut self, chapter: Chapter<'n>) {
        match self.chapters.last_mut() {
            Some(last) if last.is_like(&chapter) => last.absorb(chapter),
            _ => self.chapters.push(chapter),
        }
    }

    /// What was told, and the cycles that the end of the run cuts off.
    fn finish(self, end: Option<Rational>) -> Vec<Chapter<'n>> {
        let mut chapters = self.chapters;
        let mut unfinished: Vec<Chapter<'n>> = self.open.into_iter().flatten().collect();
        unfinished.sort_by_key(|chapter| chapter.last);
        let worth = unfinished.into_iter().filter(Chapter::is_worth_telling);
        chapters.extend(worth.map(|chapter| chapter.cut_off(end)));
        let moments: Vec<Option<Rational>> = chapters.iter().map(|chapter| chapter.time).collect();
        for (number, chapter) in (1..).zip(&mut chapters) {
            chapter.forget_order(number, &moments);
        }
        chapters
    }
}

/// Whose cycle a transition is a part of.
fn owner(network: &Network, transition: &Transition) -> Option<(ProcessId, Phase)> {
    transition.edges.iter().find_map(|&id| {
        let (process, at) = place(network, id);
        network.wording.phases.get(&at).map(|&phase| (process, phase))
    })
}

/// The process of an edge, and the edge in its template.
fn place(network: &Network, id: EdgeId) -> (ProcessId, (usize, usize)) {
    let edge = &network.edges[id.index()];
    let template = network.processes[edge.process.index()].template as usize;
    (edge.process, (template, edge.origin.edge as usize))
}

impl<'n> Chapter<'n> {
    fn new(who: &'n str, kind: ChapterKind, step: usize, time: Option<Rational>) -> Self {
        let (moves, delayed, seen, changes, clocks, parts) = Default::default();
        Self { who, time, last: step, kind, moves, delayed, seen, changes, clocks, parts }
    }

    fn cycle(who: &'n str, Moment { step, time, .. }: Moment, before: usize) -> Self {
        let cycle = Cycle { polled: time, before: Some(before), unfinished: false, count: 1 };
        Self::new(who, ChapterKind::Cycle(cycle), step, time)
    }

    /// The order matters within one moment only: it says which values there were to see.
    fn forget_order(&mut self, number: usize, moments: &[Option<Rational>]) {
        if let ChapterKind::Cycle(Cycle { polled, before, .. }) = &mut self.kind {
            *before = before.filter(|&before| before < number && moments[before - 1] == *polled);
        }
    }

    /// Whether both are cycles of the same controllers, which merely wait in them.
    fn is_like(&self, other: &Self) -> bool {
        let is_quiet =
            |chapter: &Self| matches!(chapter.kind, ChapterKind::Cycle(_)) && !chapter.is_worth_telling();
        is_quiet(self) && is_quiet(other) && self.who == other.who && self.delayed == other.delayed
    }

    fn absorb(&mut self, later: Self) {
        if let ChapterKind::Cycle(cycle) = &mut self.kind {
            cycle.count += 1;
        }
        (self.last, self.time) = (later.last, later.time);
        self.clocks = later.clocks;
        self.parts.extend(later.parts);
    }

    fn single(who: &'n str, step: usize, time: Option<Rational>) -> Self {
        Self::new(who, ChapterKind::Single, step, time)
    }

    /// Whether a step of its own is one with the step before it: of the same party, and about something else.
    fn goes_on(&self, who: &str, moment: Moment, changes: &Changes) -> bool {
        let is_new = |id: VarId| self.changes.iter().all(|(known, ..)| *known != id);
        self.kind == ChapterKind::Single
            && self.who == who
            && moment.is_at_once
            && self.last + 1 == moment.step
            && !changes.variables.is_empty()
            && changes.variables.iter().all(|(id, ..)| is_new(*id))
    }

    /// Somebody moves, or sees or writes something new.
    fn is_worth_telling(&self) -> bool {
        !(self.moves.is_empty() && self.seen.is_empty() && self.changes.is_empty())
    }

    fn cut_off(mut self, end: Option<Rational>) -> Self {
        if let ChapterKind::Cycle(cycle) = &mut self.kind {
            cycle.unfinished = true;
        }
        self.time = end;
        self
    }

    fn add(&mut self, network: &'n Network, transition: &Transition, changes: &Changes, moment: Moment) {
        (self.last, self.time) = (moment.step, moment.time);
        for &id in &transition.edges {
            self.add_edge(network, id);
        }
        let aside = |name: &str| network.wording.asides.get(name).copied();
        for change in &changes.variables {
            match aside(&network.variables[change.0.index()].name) {
                None => self.changes.push(*change),
                Some(Aside::Seen) => self.seen.push(*change),
                Some(Aside::Inner) => {}
            }
        }
        self.clocks.extend(&changes.clocks);
        self.parts.push((moment.time, part(network, transition, changes)));
    }

    fn add_edge(&mut self, network: &Network, id: EdgeId) {
        let (process, at) = place(network, id);
        let edge = &network.edges[id.index()];
        let Some(portrait) = network.wording.portraits.get(&at.0) else { return };
        let place = |location: guidepost_network::LocationId| {
            portrait.places[network.locations[location.index()].origin as usize]
        };
        let (from, to) = (place(edge.source), place(edge.target));
        if from != to {
            self.moves.push(Movement { process, edge: portrait.taken[at.1], from, to });
        } else if network.wording.delays.contains(&at) {
            self.delayed.push(process);
        }
    }
}

/// What a step of the run is to the cycle that it is a part of.
fn part(network: &Network, transition: &Transition, changes: &Changes) -> String {
    let words = Words(network);
    let is_told = |id: &&EdgeId| {
        // Where a device and a controller move together, the controller is the one to speak of.
        transition.edges.len() == 1 || network.wording.portraits.contains_key(&place(network, **id).1.0)
    };
    let deeds: Vec<String> = (transition.edges.iter().filter(is_told))
        .map(|&id| format!("{} {}", words.process(place(network, id).0), words.movement(id)))
        .collect();
    let is_inner = |name: &str| network.wording.asides.get(name) == Some(&Aside::Inner);
    let changes: Vec<String> = (changes.variables.iter())
        .filter(|(id, ..)| !is_inner(&network.variables[id.index()].name))
        .map(|change| words.change(*change))
        .collect();
    let deeds = deeds.join(", ");
    if changes.is_empty() || deeds.starts_with("environment ") {
        return deeds;
    }
    format!("{deeds}: {}", changes.join(", "))
}

/// What a chapter says, in lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Telling {
    /// Who goes where.
    pub(crate) deeds: Vec<String>,
    /// What was polled, and when.
    pub(crate) seen: Vec<String>,
    /// What everybody can see then.
    pub(crate) written: Vec<String>,
}

impl Chapter<'_> {
    /// What it says.
    pub(crate) fn telling(&self, network: &Network) -> Telling {
        let words = Words(network);
        let ChapterKind::Cycle(Cycle { polled, before, unfinished, count }) = self.kind else {
            let deeds = self.parts.iter().map(|(_, words)| {
                words.strip_prefix(self.who).map_or(words.as_str(), str::trim_start).to_owned()
            });
            return Telling { deeds: deeds.collect(), ..Telling::default() };
        };
        let place = |process: ProcessId, at: usize| {
            let template = network.processes[process.index()].template as usize;
            &*network.wording.portraits[&template].locations[at].0
        };
        let movement = |movement: &Movement| {
            let Movement { process, from, to, .. } = *movement;
            let (from, to) = (place(process, from), place(process, to));
            match words.process(process) {
                // A controller with a cycle of its own has said who it is.
                name if name == self.who => format!("{from} -> {to}"),
                name => format!("{name}: {from} -> {to}"),
            }
        };
        let mut deeds: Vec<String> = self.moves.iter().map(movement).collect();
        deeds.extend(self.delayed.iter().map(|&id| match words.process(id) {
            name if name == self.who => "is delayed".to_owned(),
            name => format!("{name} is delayed"),
        }));
        if deeds.is_empty() {
            let quiet = self.seen.is_empty() && self.changes.is_empty();
            deeds.push(if quiet { "nothing changes" } else { "nobody moves" }.to_owned());
        }
        if count > 1 {
            deeds.push(format!("for {count} cycles"));
        }
        if unfinished {
            deeds.push("the cycle has not ended".to_owned());
        }
        let mut seen: Vec<String> = self.seen.iter().map(|change| words.change(*change)).collect();
        let late = (polled != self.time || before.is_some()) && !self.moves.is_empty();
        if let Some(polled) = polled.filter(|_| late || !seen.is_empty()) {
            let mut when = format!("polled at {}", decimal(polled));
            if let Some(before) = before {
                let _ = write!(when, " before step {before}");
            }
            match seen.first_mut() {
                Some(first) => *first = format!("{when}: {first}"),
                None => seen.push(when),
            }
        }
        Telling { deeds, seen, written: self.changes.iter().map(|change| words.change(*change)).collect() }
    }
}
