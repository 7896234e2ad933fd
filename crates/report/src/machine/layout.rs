//! Where the states of a chart stand: boxes in boxes. In a compound state, children stand in columns, by how many transitions away from the initial one
//! they are; the regions of a parallel state stand below each other.

use crate::drawing::text_width;
use guidepost_machines::scxml::Chart;
use guidepost_machines::scxml::chart::{StateId, StateKind};

/// The height of a line with a name.
pub(super) const TITLE: f64 = 24.0;
const ATOMIC: f64 = 38.0;
const GAP_ACROSS: f64 = 120.0;
const GAP_DOWN: f64 = 46.0;
const MARGIN: f64 = 22.0;
const HISTORY: f64 = 26.0;

/// A box.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rect {
    pub(super) fn center(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Where the line from the centre towards a point crosses the border.
    pub(super) fn border(&self, towards: (f64, f64)) -> (f64, f64) {
        let (x, y) = self.center();
        let (dx, dy) = (towards.0 - x, towards.1 - y);
        let across = if dx.abs() < 1e-9 { f64::MAX } else { self.width / 2.0 / dx.abs() };
        let down = if dy.abs() < 1e-9 { f64::MAX } else { self.height / 2.0 / dy.abs() };
        let part = across.min(down).min(1e6);
        (x + dx * part, y + dy * part)
    }
}

/// The boxes of all states, in document order; the first is the whole drawing.
pub(super) fn place(chart: &Chart) -> Vec<Rect> {
    let mut rects = vec![Rect::default(); chart.states.len()];
    arrange(chart, StateId::ROOT, &mut rects);
    for at in 1..rects.len() {
        let parent = chart.states[at].parent.map_or(0, |parent| parent.0 as usize);
        let (x, y) = (rects[parent].x, rects[parent].y);
        rects[at].x += x;
        rects[at].y += y;
    }
    rects
}

/// Gives a state its size, and its children their places in it.
fn arrange(chart: &Chart, state: StateId, rects: &mut [Rect]) {
    let here = chart.state(state);
    let at = state.0 as usize;
    let title = text_width(std::slice::from_ref(&here.name)) + 24.0;
    if matches!(here.kind, StateKind::ShallowHistory | StateKind::DeepHistory) {
        (rects[at].width, rects[at].height) = (HISTORY, HISTORY);
        return;
    }
    let mut children: Vec<StateId> = here.children.iter().chain(&here.histories).copied().collect();
    children.sort_unstable();
    if children.is_empty() {
        (rects[at].width, rects[at].height) = (title.max(84.0), ATOMIC);
        return;
    }
    for &child in &children {
        arrange(chart, child, rects);
    }
    let columns = match here.kind {
        StateKind::Parallel => vec![children],
        _ => columns(chart, state, &children),
    };
    let (mut x, mut height) = (MARGIN, 0.0_f64);
    for column in columns {
        let mut y = TITLE + MARGIN;
        let mut width = 0.0_f64;
        for child in column {
            let rect = &mut rects[child.0 as usize];
            (rect.x, rect.y) = (x, y);
            y += rect.height + GAP_DOWN;
            width = width.max(rect.width);
        }
        height = height.max(y - GAP_DOWN);
        x += width + GAP_ACROSS;
    }
    rects[at].width = (x - GAP_ACROSS + MARGIN).max(title);
    rects[at].height = height + MARGIN;
}

/// The children of a compound state, by their distance from the initial ones.
fn columns(chart: &Chart, state: StateId, children: &[StateId]) -> Vec<Vec<StateId>> {
    let index = |inner: StateId| {
        let inside = |child: &StateId| *child == inner || chart.descendants(*child).contains(&inner.0);
        children.iter().position(inside)
    };
    let mut next: Vec<Vec<usize>> = vec![vec![]; children.len()];
    for transition in &chart.transitions {
        if let Some(from) = index(transition.source) {
            next[from].extend(transition.targets.iter().filter_map(|&target| index(target)));
        }
    }
    let start = chart.state(state).initial.iter().flat_map(|start| &start.targets);
    let mut rank: Vec<Option<usize>> = vec![None; children.len()];
    let mut wave: Vec<usize> = start.filter_map(|&target| index(target)).collect();
    let mut depth = 0;
    loop {
        while !wave.is_empty() {
            let mut following: Vec<usize> = Vec::new();
            for at in wave {
                if rank[at].is_none() {
                    rank[at] = Some(depth);
                    following.extend(&next[at]);
                }
            }
            following.retain(|&at| rank[at].is_none());
            wave = following;
            depth += usize::from(!wave.is_empty());
        }
        // What nothing leads to comes last.
        match rank.iter().position(Option::is_none) {
            Some(left) => wave = vec![left],
            None => break,
        }
    }
    let mut columns = vec![Vec::new(); depth + 1];
    for (at, rank) in rank.iter().enumerate() {
        columns[rank.unwrap_or(depth)].push(children[at]);
    }
    columns
}
