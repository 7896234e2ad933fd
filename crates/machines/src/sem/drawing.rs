//! A system as a chart, for those who draw charts. It is no translation: charts mean something else.

use super::model::{Guard, StateId, StateKind, System};
use super::resolve::Places;
use crate::scxml::chart::{self, Chart, Descriptor, Start};
use crate::scxml::{Expression, Opaque};
use guidepost_language::source::{FileId, Span};
use std::sync::Arc;

/// The states and transitions of a system that was read from a file: parents before their children, and these in one piece.
#[must_use]
pub fn drawing(system: &System, places: &Places) -> Chart {
    let nowhere = Span::new(FileId(0), 0, 0);
    let mut chart = Chart::default();
    for id in system.state_ids() {
        let span = places.states.get(id.index()).copied().unwrap_or(nowhere);
        chart.states.push(state(system, id, span));
    }
    for id in system.transition_ids() {
        let transition = system.transition(id);
        let number = chart::TransitionId(chart.transitions.len() as u32);
        chart.states[transition.source.index()].transitions.push(number);
        let event = match system.timer(transition.event) {
            Some(timer) => format!("after {}", timer.time),
            None => system.event(transition.event).to_owned(),
        };
        let open = || Arc::new(Expression::Opaque(Opaque { text: "…".into(), calls: false }));
        chart.transitions.push(chart::Transition {
            source: chart_id(transition.source),
            events: vec![Descriptor(event.as_str().into())],
            event,
            condition: (transition.guard != Guard::True).then(open),
            targets: vec![chart_id(transition.target)],
            internal: false,
            content: vec![],
            span: places.transitions.get(id.index()).copied().unwrap_or(nowhere),
        });
    }
    chart
}

fn chart_id(id: StateId) -> chart::StateId {
    chart::StateId(id.0)
}

fn state(system: &System, id: StateId, span: Span) -> chart::State {
    let state = system.state(id);
    let kind = match state.kind {
        StateKind::Parallel => chart::StateKind::Parallel,
        _ => chart::StateKind::State,
    };
    let remembers = matches!(state.kind, StateKind::History { .. });
    let mut last = id;
    while let Some(&child) = system.state(last).children.last() {
        last = child;
    }
    chart::State {
        name: if remembers { format!("{} (history)", state.name) } else { state.name.clone() },
        kind,
        parent: state.parent.map(chart_id),
        children: state.children.iter().copied().map(chart_id).collect(),
        histories: vec![],
        transitions: vec![],
        initial: system
            .default_child(id)
            .map(|child| Start { targets: vec![chart_id(child)], content: vec![] }),
        onentry: vec![],
        onexit: vec![],
        data: vec![],
        finalize: vec![],
        last: chart_id(last),
        span,
    }
}
