//! Traces for people: one line per moving process, then what changed.
//!
//! ```text
//! step  time  delay  sync    process  move
//!    0     0                 User.Idle, Lamp.Off
//!    1   2.5   +2.5  press!  User     Idle -> Idle
//!                    press?  Lamp     Off -> Low
//!                            presses: 0 -> 1, Lamp.y := 0
//! ```

use super::story::Story;
use super::{Changes, Failing, Step, Trace};
use crate::appearance::{CHANGE, CHANNEL, HEADING, Look, NAME, TROUBLE, columns};
use crate::number::decimal;
use crate::words::Words;
use anstyle::Style;
use guidepost_network::interpreter::{Interpreter, Rational, State, Transition};
use guidepost_network::{ClockId, EdgeId, Network, Sync, VarId};

/// Longer names are not allowed to push the columns behind them to the right; they overhang.
const WIDEST_SYNC: usize = 24;
const WIDEST_PROCESS: usize = 24;

/// One line of the table: the six columns and what follows.
struct Row {
    step: String,
    time: String,
    delay: String,
    cost: String,
    sync: String,
    process: String,
    rest: String,
    kind: RowKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RowKind {
    /// A process moves.
    Move,
    /// A list that begins in the process column: what the initial state is, …
    State,
    /// … what changed, …
    Changes,
    /// … or why the step fails.
    Failure,
}

#[derive(Clone, Copy)]
struct Widths {
    step: usize,
    time: usize,
    delay: usize,
    cost: usize,
    sync: usize,
    process: usize,
}

impl Widths {
    /// Where the process column begins.
    fn indent(self) -> usize {
        self.step + self.time + self.delay + self.price() + self.gap() + 6
    }

    /// The column of costs with the space behind it; nothing when nothing has a price.
    fn price(self) -> usize {
        if self.cost == 0 { 0 } else { self.cost + 2 }
    }

    /// The column of synchronisations with the space behind it; nothing when nobody synchronises.
    fn gap(self) -> usize {
        if self.sync == 0 { 0 } else { self.sync + 2 }
    }
}

impl Trace<'_> {
    /// The run as a table; every line ends with a line break.
    pub fn text(&self, look: Look) -> String {
        if look.detail.columns {
            return self.table(look);
        }
        if let Some(story) = Story::of(self) {
            return self.story_text(&story, look);
        }
        let mut rows = self.initial_rows();
        let costs = self.costs().unwrap_or_default();
        let mut interpreter = Interpreter::new(self.network);
        for (index, (step, time)) in self.steps.iter().zip(self.times()).enumerate() {
            let changes = Changes::of(step, self.before(index), &mut interpreter);
            self.step_rows(index + 1, step, time, &changes, &mut rows);
            if let (Some(cost), Some(row)) =
                (costs.get(index), rows.last_mut().and_then(|own| own.first_mut()))
            {
                row.cost = decimal(*cost);
            }
            if let Some(own) = rows.last_mut() {
                own.extend(facts(RowKind::State, self.asked_for(step.after, look).into_iter()));
            }
        }
        if let Some(failing) = &self.failing {
            rows.push(self.failing_rows(failing));
        }
        layout(&rows, look)
    }

    /// The author's steps: who, what they do, what they have polled for that, and what they write.
    fn story_text(&self, story: &Story<'_>, look: Look) -> String {
        let mut rows = self.initial_rows();
        let mut before = Some(Rational::ZERO);
        for (index, chapter) in story.chapters.iter().enumerate() {
            let telling = chapter.telling(self.network);
            let mut own = vec![Row::of("", chapter.who, telling.deeds.join(", "))];
            own[0].step = (index + 1).to_string();
            own[0].time = chapter.time.map_or_else(|| "?".to_owned(), decimal);
            let delay = chapter.time.zip(before).and_then(|(now, before)| now.minus(before).ok());
            own[0].delay = delay
                .filter(|delay| *delay != Rational::ZERO)
                .map_or_else(String::new, |delay| format!("+{}", decimal(delay)));
            own.extend(facts(RowKind::State, telling.seen.into_iter()));
            own.extend(facts(RowKind::Changes, telling.written.into_iter()));
            if look.detail.unfolded && chapter.parts.len() > 1 {
                own.extend(chapter.parts.iter().map(|(time, words)| Row {
                    delay: time.map_or_else(String::new, |time| format!("@{}", decimal(time))),
                    ..Row::of("", "", words.clone())
                }));
            }
            own.extend(facts(
                RowKind::State,
                self.asked_for(self.steps[chapter.last].after, look).into_iter(),
            ));
            before = chapter.time;
            rows.push(own);
        }
        if let Some(failing) = &self.failing {
            rows.push(self.failing_rows(failing));
        }
        layout(&rows, look)
    }

    fn initial_rows(&self) -> Vec<Vec<Row>> {
        let words = Words(self.network);
        let places = self.initial.locations.iter().filter_map(|location| words.place(*location));
        let mut first = facts(RowKind::State, places);
        if let Some(row) = first.first_mut() {
            (row.step, row.time) = ("0".to_owned(), "0".to_owned());
        }
        first.extend(facts(RowKind::State, values(self.network, self.initial).into_iter()));
        vec![first]
    }

    /// What the reader wants to see of every state, changed or not.
    fn asked_for(&self, state: &State, look: Look) -> Vec<String> {
        let words = Words(self.network);
        let mut items = Vec::new();
        if look.detail.full {
            items.extend(state.locations.iter().filter_map(|location| words.place(*location)));
            let cells = (0..).map(VarId).zip(&state.variables).filter(|(id, _)| !words.is_inner(*id));
            items.extend(
                cells.map(|(id, &value)| format!("{} = {}", words.variable(id), words.value(id, value))),
            );
        }
        if look.detail.full || look.detail.clocks {
            let clocks = (0..).map(ClockId).zip(&state.clocks).skip(1);
            items.extend(clocks.map(|(id, &value)| format!("{} = {}", words.clock(id), decimal(value))));
        }
        items
    }

    fn step_rows(
        &self,
        number: usize,
        step: &Step<'_>,
        time: Option<Rational>,
        changes: &Changes,
        rows: &mut Vec<Vec<Row>>,
    ) {
        let mut own: Vec<Row> = match step.transition {
            None => vec![Row::of("", "", "time passes".to_owned())],
            Some(transition) => self.move_rows(transition),
        };
        if let Some(row) = own.first_mut() {
            row.step = number.to_string();
            row.time = time.map_or_else(|| "?".to_owned(), decimal);
            if step.delay != Rational::ZERO {
                row.delay = format!("+{}", decimal(step.delay));
            }
        }
        own.extend(facts(RowKind::Changes, change_texts(self.network, changes).into_iter()));
        rows.push(own);
    }

    /// The step that fails has a number, but no time: it is never taken.
    fn failing_rows(&self, failing: &Failing) -> Vec<Row> {
        let mut own = self.move_rows(&failing.transition);
        if let Some(row) = own.first_mut() {
            row.step = (self.steps.len() + 1).to_string();
        }
        own.extend(facts(RowKind::Failure, std::iter::once(format!("fails: {}", failing.message))));
        own
    }

    fn move_rows(&self, transition: &Transition) -> Vec<Row> {
        let name = Words(self.network).channel(transition.kind).unwrap_or_default();
        transition.edges.iter().map(|&edge| self.move_row(edge, name)).collect()
    }

    fn move_row(&self, id: EdgeId, channel: &str) -> Row {
        let edge = &self.network.edges[id.index()];
        let sync = match edge.sync {
            _ if channel.is_empty() => String::new(),
            Sync::Internal => String::new(),
            Sync::Send(_) => format!("{channel}!"),
            Sync::Receive(_) => format!("{channel}?"),
            Sync::Join(_) => channel.to_owned(),
        };
        let words = Words(self.network);
        Row::of(&sync, words.process(edge.process), words.movement(id))
    }
}

impl Row {
    fn of(sync: &str, process: &str, rest: String) -> Self {
        Self {
            step: String::new(),
            time: String::new(),
            delay: String::new(),
            cost: String::new(),
            sync: sync.to_owned(),
            process: process.to_owned(),
            rest,
            kind: RowKind::Move,
        }
    }
}

/// A row whose `rest` holds the facts, one a line, until the layout is known.
fn facts(kind: RowKind, items: impl Iterator<Item = String>) -> Vec<Row> {
    let items: Vec<String> = items.collect();
    if items.is_empty() {
        return Vec::new();
    }
    vec![Row { kind, ..Row::of("", "", items.join("\n")) }]
}

fn change_texts(network: &Network, changes: &Changes) -> Vec<String> {
    let words = Words(network);
    let variables = changes.variables.iter().map(|change| words.change(*change));
    let clocks =
        changes.clocks.iter().map(|&(id, value)| format!("{} := {}", words.clock(id), decimal(value)));
    variables.chain(clocks).collect()
}

/// All variables, neighbouring cells of an array with the same value as one, and the clocks that do not start at zero.
fn values(network: &Network, state: &State) -> Vec<String> {
    let mut groups: Vec<(&str, String, usize)> = Vec::new();
    let words = Words(network);
    for (id, &value) in (0..).map(VarId).zip(&state.variables).filter(|(id, _)| !words.is_aside(*id)) {
        let name = words.variable(id);
        let array = name.split_once('[').map_or("", |(array, _)| array);
        let value = words.value(id, value);
        match groups.last_mut() {
            Some((first, other, cells))
                if !array.is_empty() && array_of(first) == array && *other == value =>
            {
                *cells += 1;
            }
            _ => groups.push((name, value, 1)),
        }
    }
    let variables = groups.into_iter().map(|(name, value, cells)| match cells {
        1 => format!("{name} = {value}"),
        _ => format!("{}[..] = {value}", array_of(name)),
    });
    let late = (0..).map(ClockId).zip(&state.clocks).skip(1);
    let clocks = late
        .filter(|(_, value)| **value != Rational::ZERO)
        .map(|(id, &value)| format!("{} = {}", words.clock(id), decimal(value)));
    variables.chain(clocks).collect()
}

fn array_of(name: &str) -> &str {
    name.split_once('[').map_or(name, |(array, _)| array)
}

fn layout(steps: &[Vec<Row>], look: Look) -> String {
    let synchronises = steps.iter().flatten().any(|row| !row.sync.is_empty());
    let has_costs = steps.iter().flatten().any(|row| !row.cost.is_empty());
    let heading = Row {
        step: "step".into(),
        time: "time".into(),
        delay: "delay".into(),
        cost: if has_costs { "cost".into() } else { String::new() },
        ..Row::of(if synchronises { "sync" } else { "" }, "process", "move".into())
    };
    let rows = || steps.iter().flatten().filter(|row| row.kind == RowKind::Move || !row.step.is_empty());
    let widest = |column: fn(&Row) -> &str, most: usize| {
        let widths = rows().map(|row| columns(column(row))).filter(|width| *width <= most);
        widths.max().unwrap_or(0).max(columns(column(&heading)))
    };
    let widths = Widths {
        step: widest(|row| &row.step, usize::MAX),
        time: widest(|row| &row.time, usize::MAX),
        delay: widest(|row| &row.delay, usize::MAX),
        cost: widest(|row| &row.cost, usize::MAX),
        sync: widest(|row| &row.sync, WIDEST_SYNC),
        process: widest(|row| &row.process, WIDEST_PROCESS),
    };
    let mut text = String::new();
    line(&mut text, &heading, widths, look, true);
    for row in steps.iter().flatten() {
        match row.kind {
            RowKind::Move => line(&mut text, row, widths, look, false),
            RowKind::State | RowKind::Changes | RowKind::Failure => fact_lines(&mut text, row, widths, look),
        }
    }
    text
}

fn line(text: &mut String, row: &Row, widths: Widths, look: Look, heading: bool) {
    let style = |style: Style| if heading { HEADING } else { style };
    text.push_str(&margin(row, widths, look, style(NAME)));
    let mut rest = look.left(style(CHANNEL), &row.sync, widths.gap());
    if columns(&row.sync) >= widths.gap() && !row.sync.is_empty() {
        rest.push_str("  ");
    }
    if !row.process.is_empty() {
        rest += &look.left(style(NAME), &row.process, widths.process);
        rest.push_str("  ");
    }
    rest += &look.paint(style(Style::new()), &row.rest);
    text.push_str(rest.trim_end());
    text.push('\n');
}

/// Step, time, delay and cost.
fn margin(row: &Row, widths: Widths, look: Look, time: Style) -> String {
    let step = look.right(HEADING, &row.step, widths.step);
    let time = look.right(time, &row.time, widths.time);
    let delay = look.right(HEADING, &row.delay, widths.delay);
    let cost = look.right(HEADING, &row.cost, widths.price().saturating_sub(2));
    let gap = if widths.price() == 0 { "" } else { "  " };
    format!("{step}  {time}  {delay}  {cost}{gap}")
}

fn fact_lines(text: &mut String, row: &Row, widths: Widths, look: Look) {
    let items: Vec<String> = row.rest.lines().map(str::to_owned).collect();
    let style = match row.kind {
        RowKind::Changes => CHANGE,
        RowKind::Failure => TROUBLE,
        RowKind::Move | RowKind::State => Style::new(),
    };
    let blank = Row::of("", "", String::new());
    for (index, facts) in look.list(&items, widths.indent()).iter().enumerate() {
        text.push_str(&margin(if index == 0 { row } else { &blank }, widths, look, NAME));
        text.push_str(&" ".repeat(widths.gap()));
        text.push_str(&look.paint(style, facts));
        text.push('\n');
    }
}
