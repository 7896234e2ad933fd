//! Why something is never reached, as far as that is cheap to say.

use super::chart::{Chart, StateId, TransitionId};
use super::explore::Exploration;

/// More reasons than this are not listed.
const MOST: usize = 4;

/// Why a transition is never taken.
pub(crate) fn transition(exploration: &Exploration<'_>, id: TransitionId) -> Vec<String> {
    let chart = exploration.steps.chart;
    let transition = chart.transition(id);
    let source = &chart.state(transition.source).name;
    let obstacle = exploration.obstacles[id.index()];
    if !exploration.active.contains(transition.source) {
        return vec![format!("`{source}` is never active")];
    }
    let mut reasons = Vec::new();
    if obstacle.refused {
        reasons.push(format!(
            "its condition never holds when `{source}` is active{}",
            after_event(&transition.event)
        ));
    }
    if let Some(by) = obstacle.behind {
        let by = chart.label(by);
        let words = if obstacle.refused { "otherwise" } else { "always" };
        reasons.push(format!("{words} `{by}` goes first"));
    }
    if reasons.is_empty() {
        reasons.push(match transition.event.as_str() {
            "" => format!("`{source}` is left before its turn comes"),
            event => format!("`{event}` never comes when `{source}` is active"),
        });
    }
    reasons
}

fn after_event(event: &str) -> String {
    if event.is_empty() { String::new() } else { format!(" and `{event}` comes") }
}

/// Why a state is never active.
pub(crate) fn state(exploration: &Exploration<'_>, state: StateId) -> Vec<String> {
    let chart = exploration.steps.chart;
    let parent = chart.state(state).parent.filter(|&parent| parent != StateId::ROOT);
    if let Some(parent) = parent.filter(|&parent| !exploration.active.contains(parent)) {
        return vec![format!("`{}` is never active", chart.state(parent).name)];
    }
    let leads_here = |target: StateId| target == state || chart.descendants(state).contains(&target.0);
    let leading = |id: &TransitionId| chart.transition(*id).targets.iter().any(|&target| leads_here(target));
    let ways: Vec<TransitionId> = chart.transition_ids().filter(leading).collect();
    if ways.is_empty() {
        return vec![no_way(chart, state)];
    }
    let mut reasons: Vec<String> =
        ways.iter().take(MOST).map(|&id| format!("`{}` is never taken", chart.label(id))).collect();
    if ways.len() > MOST {
        reasons.push(format!("nor are {} other transitions that lead to it", ways.len() - MOST));
    }
    reasons
}

fn no_way(chart: &Chart, state: StateId) -> String {
    let parent = chart.state(state).parent.unwrap_or(StateId::ROOT);
    let start = chart.state(parent).initial.as_ref();
    let first = start.and_then(|start| start.targets.first()).filter(|first| **first != state);
    match first {
        Some(first) if parent != StateId::ROOT => format!(
            "no transition leads to it, and `{}` begins with `{}`",
            chart.state(parent).name,
            chart.state(*first).name
        ),
        _ => "no transition leads to it".to_owned(),
    }
}
