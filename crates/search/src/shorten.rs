//! Shorter runs from long ones.
//!
//! Greedy and depth-first searches find runs in which much happens that does not matter. What can be left out is left out before anybody sees the run: action
//! elimination (Nakhost, Müller 2010: Action elimination and plan neighborhood graph search), adapted to networks. A *trial* leaves out some steps and follows
//! the others with exact zones; steps that are not possible any more are left out as well, and if a goal is met in the end, what is left is a shorter run. Tried are, in this order:
//!
//! 1. what happens between two visits of the same locations and values;
//! 2. what a process does between two visits of a location;
//! 3. single steps;
//!
//! the latter two at first in trials that have to come back to the path soon, then in others.
//!
//! All of it happens in what is left of the network for the goals ([`Retained`]): what bystanders do is left out at once.
//!
//! Each trial is counted in the units of [`crate::MILLISECOND`], and nothing is begun beyond the budget: so the same run becomes the same shorter run on every machine. The times of the result are
//! computed anew and replayed, as those of every run.

use crate::beside::run_of_whole;
use crate::effort;
use guidepost_abstraction::Retained;
use guidepost_answer::{Evidence, RunEnding};
use guidepost_explore::{
    ClockDifference, Explorer, GoalTest, PathStep, SymbolicState, ZoneAbstraction, differences,
};
use guidepost_network::{EdgeId, Goal, Network, Sync};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Matrix entries and cells of the states of a run that are kept; longer runs are shown as they are.
const MOST_NUMBERS: usize = 16 << 20;

/// Leaves out what a run to one of some goals does not need, for so much effort. `None`: nothing, or not within it.
///
/// Goals about deadlocks are not for it: what is left out may be what blocks.
pub fn shorten(network: &Network, goals: &[Goal], run: &Evidence, budget: u64) -> Option<Evidence> {
    let is_for_it = run.ending == RunEnding::Goal && !run.optimal && run.length() > 1;
    if !is_for_it || goals.iter().any(|goal| goal.deadlock.is_some()) {
        return None;
    }
    let steps = transitions_of(run);
    let Some(retained) = Retained::new(network, &[goals], &[]) else {
        return shorten_path(network, goals, &steps, steps.len(), budget);
    };
    let left: Path =
        steps.iter().map(|edges| retained.edges_left_of(edges)).filter(|e| !e.is_empty()).collect();
    let shorter = shorten_path(&retained.network, goals, &left, steps.len(), budget)?;
    run_of_whole(&shorter, &retained, network).ok()
}

/// Leaves out what a path to one of some goals does not need; `None`: nothing, as compared to so many steps.
fn shorten_path(
    network: &Network,
    goals: &[Goal],
    all_steps: &Path,
    length: usize,
    budget: u64,
) -> Option<Evidence> {
    let all: Vec<&Goal> = goals.iter().collect();
    let mut explorer = Explorer::new(network, &all, ZoneAbstraction::REACHABILITY).ok()?;
    let initial = explorer.initial_states().ok()?.into_iter().next()?;
    let test = GoalTest::new(network);
    let (states, path) = (vec![initial.clone()], Path::new());
    let mut shortener = Shortener { network, goals, explorer, test, followed: 0, budget, path, states };
    let found = shortener.trial(&initial, all_steps.iter().map(|edges| (edges, false)), None)?;
    shortener.accept(0, found);
    shortener.cut_revisits();
    let is_long = shortener.path.len() > 4 * SOON;
    for reach in [Reach::Near, Reach::Far].into_iter().skip(usize::from(!is_long)) {
        shortener.cut_detours(reach);
        shortener.leave_out_steps(reach);
    }
    (shortener.path.len() < length).then(|| shortener.run()).flatten()
}

fn transitions_of(run: &Evidence) -> Path {
    let transitions = run.steps.iter().filter_map(|step| step.transition.as_ref());
    transitions.map(|transition| transition.edges.clone()).collect()
}

/// Who moves in each step.
type Path = Vec<Vec<EdgeId>>;

/// How far trials go. Most of what can be left out makes no difference soon after; trials that go on to the end find more, for more effort.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Until soon after the last step that is left out.
    Near,
    /// To the end.
    Far,
}

/// Steps behind those that are left out, within which a near trial is back on the path.
const SOON: usize = 24;

/// What a trial leaves: the steps behind its beginning, and the states that they lead to.
struct Found {
    path: Path,
    states: Vec<SymbolicState>,
}

/// Where a trial takes its steps from: its end need not be followed again once the trial leads to the same state, or a larger one.
struct Rest<'p> {
    /// The number of the first step.
    first: usize,
    /// The number of the step at which a trial that is not back gives up.
    limit: usize,
    path: &'p Path,
    states: &'p [SymbolicState],
}

struct Shortener<'n, 'g> {
    network: &'n Network,
    goals: &'g [Goal],
    explorer: Explorer<'n>,
    test: GoalTest<'n>,
    /// Steps that were followed.
    followed: u64,
    budget: u64,
    path: Path,
    /// Before each step, and at the end.
    states: Vec<SymbolicState>,
}

impl Shortener<'_, '_> {
    fn is_over(&self) -> bool {
        effort::of_following(&self.explorer, self.followed) > self.budget
    }

    /// Follows steps from a state on. Those that are marked, and those that are not possible, are left out. What is left, up to the first goal, if one is met.
    fn trial<'p>(
        &mut self,
        begin: &SymbolicState,
        steps: impl Iterator<Item = (&'p Vec<EdgeId>, bool)>,
        rest: Option<&Rest<'_>>,
    ) -> Option<Found> {
        let mut found = Found { path: Vec::new(), states: Vec::new() };
        let mut state = begin.clone();
        for (number, (edges, is_left_out)) in steps.enumerate() {
            if self.meets_goal(&state)? {
                return Some(found);
            }
            if rest.is_some_and(|rest| rest.first + number > rest.limit || self.is_over()) {
                return None;
            }
            if is_left_out || !self.begins(&state, edges[0]) {
                continue;
            }
            let Some((next, edges)) = self.follow(&state, edges) else { continue };
            if found.states.len() * (next.cells.len() + next.zone.entries().len()) > MOST_NUMBERS {
                return None;
            }
            found.states.push(next.clone());
            found.path.push(edges);
            state = next;
            if let Some(rest) = rest {
                let at = rest.first + number + 1;
                let there = &rest.states[at];
                if there.cells == state.cells && there.zone.is_subset(&state.zone) {
                    found.path.extend_from_slice(&rest.path[at..]);
                    found.states.extend_from_slice(&rest.states[at + 1..]);
                    return Some(found);
                }
            }
        }
        self.meets_goal(&state)?.then_some(found)
    }

    /// Whether the process of an edge is where it begins: tells most steps that are not possible at a glance.
    fn begins(&self, state: &SymbolicState, edge: EdgeId) -> bool {
        let edge = &self.network.edges[edge.index()];
        state.cells[edge.process.index()] == edge.source.0 as i32
    }

    /// The first successor by these edges. Others may receive a broadcast than did before.
    fn follow(&mut self, state: &SymbolicState, wanted: &[EdgeId]) -> Option<(SymbolicState, Vec<EdgeId>)> {
        self.followed += 1;
        let is_broadcast = self.is_broadcast(wanted[0]);
        let fits = |edges: &[EdgeId]| edges == wanted || (is_broadcast && edges[0] == wanted[0]);
        let mut found = None;
        let followed = self.explorer.follow(state, &fits, &mut |next, edges| {
            found = Some((next.clone(), edges.to_vec()));
            ControlFlow::Break(())
        });
        followed.ok().and(found)
    }

    fn is_broadcast(&self, edge: EdgeId) -> bool {
        match &self.network.edges[edge.index()].sync {
            Sync::Send(channel) => {
                channel.candidates().iter().any(|id| self.network.channels[id.index()].broadcast)
            }
            _ => false,
        }
    }

    fn meets_goal(&mut self, state: &SymbolicState) -> Option<bool> {
        self.test.find(self.goals, state).ok().map(|found| found.is_some())
    }

    fn accept(&mut self, from: usize, found: Found) {
        self.path.truncate(from);
        self.path.extend(found.path);
        self.states.truncate(from + 1);
        self.states.extend(found.states);
    }

    /// Tries to do without some of the steps from one on, up to a limit; says whether that makes the run shorter.
    fn leave_out(
        &mut self,
        from: usize,
        limit: usize,
        is_left_out: impl Fn(usize, &[EdgeId]) -> bool,
    ) -> bool {
        let (path, states) = (std::mem::take(&mut self.path), std::mem::take(&mut self.states));
        let steps = path.iter().enumerate().skip(from);
        let steps = steps.map(|(at, edges)| (edges, is_left_out(at, edges)));
        let rest = Rest { first: from, limit, path: &path, states: &states };
        let found = self.trial(&states[from], steps, Some(&rest));
        let is_shorter = found.as_ref().is_some_and(|found| from + found.path.len() < path.len());
        (self.path, self.states) = (path, states);
        if let Some(found) = found.filter(|_| is_shorter) {
            self.accept(from, found);
        }
        is_shorter
    }

    /// What happens between two visits of the same locations and values.
    fn cut_revisits(&mut self) {
        let mut last = self.last_visits();
        let mut at = 0;
        while at < self.path.len() && !self.is_over() {
            let again = last[at];
            if again > at && self.leave_out(at, usize::MAX, |step, _| step < again) {
                last = self.last_visits();
            }
            at += 1;
        }
    }

    /// By state: the last one with the same locations and values.
    fn last_visits(&self) -> Vec<usize> {
        let visits: HashMap<&[i32], usize> =
            self.states.iter().enumerate().map(|(at, state)| (state.cells.as_slice(), at)).collect();
        self.states.iter().map(|state| visits[state.cells.as_slice()]).collect()
    }

    /// What a process does between two visits of a location: to the next one, or to the last.
    fn cut_detours(&mut self, reach: Reach) {
        let mut at = 0;
        while at < self.path.len() && !self.is_over() {
            let is_shorter = self.path[at].clone().into_iter().any(|edge| {
                let (process, location) = {
                    let edge = &self.network.edges[edge.index()];
                    (edge.process, edge.source.0 as i32)
                };
                let returns = |state: &usize| self.states[*state].cells[process.index()] == location;
                let mut later = at + 1..self.states.len();
                let end = match reach {
                    Reach::Near => later.find(returns),
                    Reach::Far => later.rev().find(returns),
                };
                let network = self.network;
                let takes_part = |edges: &[EdgeId]| {
                    edges.iter().any(|edge| network.edges[edge.index()].process == process)
                };
                end.is_some_and(|end| {
                    !self.is_over()
                        && self
                            .leave_out(at, limit(reach, end), |step, edges| step < end && takes_part(edges))
                })
            });
            if !is_shorter {
                at += 1;
            }
        }
    }

    /// Single steps, and what is not possible without them.
    fn leave_out_steps(&mut self, reach: Reach) {
        let mut at = 0;
        while at < self.path.len() && !self.is_over() {
            if !self.leave_out(at, limit(reach, at), |step, _| step == at) {
                at += 1;
            }
        }
    }

    /// The run along the path, replayed.
    fn run(mut self) -> Option<Evidence> {
        let end = self.states.pop()?;
        let goal = self.test.find(self.goals, &end).ok()??;
        let finally =
            if self.goals[goal].clocks.is_empty() { Vec::new() } else { differences(&end, self.test.zone()) };
        let path = self.path.iter().zip(&self.states).map(|(edges, state)| {
            // Who stays out and what goes first may depend on clocks.
            let restriction = restriction(&mut self.explorer, state, edges);
            PathStep { edges: edges.clone(), restriction, renaming: None }
        });
        let path: Vec<PathStep> = path.collect();
        self.explorer.run_along(&path, &finally, false, RunEnding::Goal).ok()
    }
}

/// Where a trial gives up that leaves out nothing behind a step.
fn limit(reach: Reach, end: usize) -> usize {
    match reach {
        Reach::Near => end + SOON,
        Reach::Far => usize::MAX,
    }
}

/// What must hold before a step beyond its guards.
fn restriction(
    explorer: &mut Explorer<'_>,
    state: &SymbolicState,
    wanted: &[EdgeId],
) -> Vec<ClockDifference> {
    let mut is_there = false;
    let followed = explorer.follow(state, &|edges| edges == wanted, &mut |_, _| {
        is_there = true;
        ControlFlow::Break(())
    });
    debug_assert!(followed.is_ok() && is_there, "the step was followed before");
    let whole = explorer.splits_states().then_some(&state.zone);
    explorer.piece().or(whole).map_or_else(Vec::new, |zone| differences(state, zone))
}
