//! A chart as a drawing.

use super::layout::{Rect, TITLE, place};
use crate::drawing::escaped;
use guidepost_machines::scxml::Chart;
use guidepost_machines::scxml::chart::{StateId, StateKind, TransitionId};
use guidepost_machines::{Checked, Kind};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const LONGEST_LABEL: usize = 30;

/// Draws a chart, with what is never reached marked.
pub(super) fn svg(chart: &Chart, checked: &Checked) -> String {
    let rects = place(chart);
    let unreachable =
        checked.findings.iter().filter(|located| located.finding.kind == Kind::UnreachableState);
    let dead_states: BTreeSet<_> = unreachable.filter_map(|located| located.span).collect();
    let (width, height) = (rects[0].width, rects[0].height);
    let mut text = format!(
        "<svg class=\"statechart\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"The statechart\">\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\"><path d=\"M0 0L10 5L0 10z\" class=\"tip\"/></marker></defs>\n"
    );
    for id in (1..chart.states.len() as u32).map(StateId) {
        let dead = if dead_states.contains(&chart.state(id).span) { " dead" } else { "" };
        state(&mut text, chart, id, &rects[id.0 as usize], dead);
    }
    initials(&mut text, chart, &rects);
    let mut drawn: BTreeMap<(StateId, StateId), usize> = BTreeMap::new();
    for id in chart.transition_ids() {
        let transition = chart.transition(id);
        // Several transitions may stand in one line, one for each event; then the event says which is meant.
        let is_meant = |place: &str| place.contains(&format!("--{}-->", transition.event));
        let is_alone = chart.transitions.iter().filter(|other| other.span == transition.span).count() == 1;
        let is_dead = checked.findings.iter().any(|located| {
            located.finding.kind == Kind::DeadTransition
                && located.span == Some(transition.span)
                && (is_alone || is_meant(&located.finding.place))
        });
        let dead = if is_dead { " dead" } else { "" };
        let own = [transition.source];
        let targets = if transition.targets.is_empty() { &own[..] } else { &transition.targets };
        for &target in targets {
            let pair = (transition.source.min(target), transition.source.max(target));
            let nth = drawn.entry(pair).or_default();
            edge(&mut text, chart, id, target, *nth, &rects, dead);
            *nth += 1;
        }
    }
    text.push_str("</svg>\n");
    text
}

fn state(text: &mut String, chart: &Chart, id: StateId, rect: &Rect, dead: &str) {
    let state = chart.state(id);
    let Rect { x, y, width, height } = *rect;
    let name = escaped(&state.name);
    let title = format!("<title>{name}</title>");
    if chart.is_history(id) {
        let (cx, cy) = rect.center();
        let mark = if state.kind == StateKind::DeepHistory { "H*" } else { "H" };
        let _ = writeln!(
            text,
            "<g class=\"history\">{title}<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"{:.1}\"/><text x=\"{cx:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{mark}</text></g>",
            width / 2.0,
            cy + 4.0
        );
        return;
    }
    let kind = match state.kind {
        StateKind::Parallel => "parallel",
        StateKind::Final => "final",
        _ if state.children.is_empty() => "atomic",
        _ => "compound",
    };
    let _ = write!(
        text,
        "<g class=\"state {kind}{dead}\">{title}<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"9\"/>"
    );
    if kind == "final" {
        let _ = write!(
            text,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"6\"/>",
            x + 4.0,
            y + 4.0,
            width - 8.0,
            height - 8.0
        );
    }
    let (cx, cy) = rect.center();
    let _ = if chart.is_atomic(id) {
        write!(text, "<text x=\"{cx:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>", cy + 4.0)
    } else {
        write!(
            text,
            "<path class=\"rule\" d=\"M{x:.1} {0:.1}h{width:.1}\"/><text x=\"{1:.1}\" y=\"{2:.1}\">{name}</text>",
            y + TITLE,
            x + 10.0,
            y + 16.5
        )
    };
    text.push_str("</g>\n");
}

/// Arrows from nowhere to where compound states begin.
fn initials(text: &mut String, chart: &Chart, rects: &[Rect]) {
    for start in chart
        .states
        .iter()
        .filter(|state| state.kind == StateKind::State)
        .filter_map(|state| state.initial.as_ref())
    {
        for target in &start.targets {
            let rect = rects[target.0 as usize];
            let (x, y) = (rect.x - 16.0, rect.y - 10.0);
            let _ = writeln!(
                text,
                "<g class=\"start\"><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/><path d=\"M{x:.1} {y:.1}L{:.1} {:.1}\" marker-end=\"url(#tip)\"/></g>",
                rect.x + 1.0,
                rect.y + 8.0
            );
        }
    }
}

fn edge(
    text: &mut String,
    chart: &Chart,
    id: TransitionId,
    target: StateId,
    nth: usize,
    rects: &[Rect],
    dead: &str,
) {
    let source = chart.transition(id).source;
    let (from, to) = (rects[source.0 as usize], rects[target.0 as usize]);
    let bend = 18.0 + 22.0 * nth as f64;
    let ((x1, y1), (x2, y2), (mx, my)) = if source == target {
        // A loop on top.
        let x = from.x + from.width * 0.6 - 12.0 * nth as f64;
        ((x, from.y), (x + 18.0, from.y), (x + 9.0, from.y - 34.0 - 10.0 * nth as f64))
    } else if chart.descendants(source).contains(&target.0) {
        let start = (from.x, from.y + TITLE + 12.0 + 10.0 * nth as f64);
        let end = (to.x, to.y + to.height / 2.0);
        (start, end, (f64::midpoint(start.0, end.0), f64::midpoint(start.1, end.1) + bend / 2.0))
    } else if chart.descendants(target).contains(&source.0) {
        let start = from.border((to.x + to.width, from.center().1));
        let end = (to.x + to.width, start.1 - 10.0);
        (start, end, (f64::midpoint(start.0, end.0), start.1 - bend))
    } else {
        let (start, end) = (from.border(to.center()), to.border(from.center()));
        let (dx, dy) = (end.0 - start.0, end.1 - start.1);
        let length = dx.hypot(dy).max(1.0);
        let middle = (
            f64::midpoint(start.0, end.0) - dy / length * bend,
            f64::midpoint(start.1, end.1) + dx / length * bend,
        );
        (start, end, middle)
    };
    let label = label(chart, id);
    // Nearer to the source, where the labels of edges that cross are less likely to meet.
    let part = if source == target { 0.5 } else { 0.42 };
    let on_curve = |from: f64, middle: f64, to: f64| {
        from * (1.0 - part) * (1.0 - part) + middle * 2.0 * part * (1.0 - part) + to * part * part
    };
    let (lx, ly) = (on_curve(x1, mx, x2), on_curve(y1, my, y2));
    let _ = writeln!(
        text,
        "<g class=\"transition{dead}\"><title>{}</title><path d=\"M{x1:.1} {y1:.1}Q{mx:.1} {my:.1} {x2:.1} {y2:.1}\" marker-end=\"url(#tip)\"/><text x=\"{lx:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text></g>",
        escaped(&chart.label(id)),
        ly + 4.0,
        escaped(&label)
    );
}

fn label(chart: &Chart, id: TransitionId) -> String {
    let transition = chart.transition(id);
    let condition = if transition.condition.is_some() { " […]" } else { "" };
    let whole = format!("{}{condition}", transition.event);
    match whole.char_indices().nth(LONGEST_LABEL) {
        Some((at, _)) => format!("{}…", &whole[..at]),
        None => whole,
    }
}
