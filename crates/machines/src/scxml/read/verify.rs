//! Whether the targets of transitions can be active together.

use super::super::chart::{Chart, StateId, StateKind};
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::source::Span;

/// Reports sets of targets that no configuration has.
pub(super) fn targets(chart: &Chart, out: &mut Diagnostics) {
    for transition in &chart.transitions {
        check(chart, &transition.targets, transition.span, out);
    }
    for state in &chart.states {
        if let Some(start) = &state.initial {
            check(chart, &start.targets, state.span, out);
        }
        let is_history = matches!(state.kind, StateKind::ShallowHistory | StateKind::DeepHistory);
        if let (Some(start), Some(parent), true) = (&state.initial, state.parent, is_history) {
            history(chart, state.name.as_str(), state.kind, parent, &start.targets, state.span, out);
        }
    }
}

fn check(chart: &Chart, targets: &[StateId], span: Span, out: &mut Diagnostics) {
    for (at, &second) in targets.iter().enumerate() {
        for &first in &targets[..at] {
            if !orthogonal(chart, first, second) {
                let (first, second) = (&chart.state(first).name, &chart.state(second).name);
                let message = format!("`{first}` and `{second}` cannot be entered together");
                let hint = "several targets must lie in different regions of a `<parallel>`";
                out.push(Diagnostic::new(Code::BadTargets, span, message).hint(hint));
                return;
            }
        }
    }
}

/// Whether two states lie in different regions of a parallel state.
fn orthogonal(chart: &Chart, first: StateId, second: StateId) -> bool {
    let contains =
        |outer: StateId, inner: StateId| outer == inner || chart.descendants(outer).contains(&inner.0);
    let mut common = chart.ancestors(first).filter(|&outer| contains(outer, second));
    let is_nested = contains(first, second) || contains(second, first);
    !is_nested && common.next().is_some_and(|outer| chart.state(outer).kind == StateKind::Parallel)
}

fn history(
    chart: &Chart,
    name: &str,
    kind: StateKind,
    parent: StateId,
    targets: &[StateId],
    span: Span,
    out: &mut Diagnostics,
) {
    for &target in targets {
        let is_child = chart.state(target).parent == Some(parent);
        if chart.descendants(parent).contains(&target.0) {
            if kind == StateKind::ShallowHistory && !is_child {
                let (target, parent) = (&chart.state(target).name, &chart.state(parent).name);
                let message = format!(
                    "the default `{target}` of the shallow history `{name}` is no child of `{parent}`; it is entered all the same"
                );
                out.push(Diagnostic::new(Code::OutsideTheStandard, span, message));
            }
        } else {
            let (target, parent) = (&chart.state(target).name, &chart.state(parent).name);
            let message = format!("the default `{target}` of history `{name}` is not in `{parent}`");
            out.push(Diagnostic::new(Code::BadTargets, span, message));
        }
    }
}
