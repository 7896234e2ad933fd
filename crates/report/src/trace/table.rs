//! Runs as a table: one line a step, one column for everything that ever changes.
//!
//! ```text
//! step  time  action   Lamp  User      presses
//!    0     0           Off   Anywhere        0
//!    1   2.5  press    Low   ·               1
//! ```
//!
//! What stays as it was is a dot (unless everything is asked for). A table that is too wide continues below, with the steps again in front.

use super::Trace;
use crate::appearance::{CHANGE, HEADING, Look, NAME, columns};
use crate::number::decimal;
use crate::words::Words;
use guidepost_network::interpreter::State;
use guidepost_network::{ClockId, ProcessId, VarId};

/// Longer cells are cut.
const WIDEST: usize = 28;
const SAME: &str = "·";

struct Column {
    heading: String,
    /// One per state, the initial one first.
    cells: Vec<String>,
    /// Numbers are set to the right.
    numeric: bool,
}

impl Column {
    fn width(&self) -> usize {
        self.cells.iter().chain([&self.heading]).map(|cell| columns(cell)).max().unwrap_or(0)
    }

    /// Whether a cell differs from the one above it.
    fn is_new(&self, row: usize) -> bool {
        row == 0 || self.cells[row] != self.cells[row - 1]
    }
}

impl Trace<'_> {
    /// The run as a table; every line ends with a line break.
    pub(super) fn table(&self, look: Look) -> String {
        let states: Vec<&State> =
            std::iter::once(self.initial).chain(self.steps.iter().map(|step| step.after)).collect();
        let margin = self.margin_columns();
        let mut data = self.data_columns(&states, look);
        if !look.detail.full {
            data.retain(|column| (1..states.len()).any(|row| column.is_new(row)));
        }
        let mut text = String::new();
        for (index, block) in blocks(&margin, &data, look.width).iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            render(&mut text, &margin, block, look);
        }
        text
    }

    fn margin_columns(&self) -> Vec<Column> {
        let count = self.steps.len() + 1;
        let times = self.times().into_iter().map(|time| time.map_or_else(|| "?".to_owned(), decimal));
        let action = |transition: Option<&guidepost_network::interpreter::Transition>| match transition {
            None => "waits".to_owned(),
            Some(transition) => {
                let who = || transition.edges.first().map(|id| self.network.edges[id.index()].process);
                let words = Words(self.network);
                let channel = words.channel(transition.kind).map(str::to_owned);
                channel.or_else(|| who().map(|process| words.process(process).to_owned())).unwrap_or_default()
            }
        };
        let actions = self.steps.iter().map(|step| cut(action(step.transition)));
        let column = |heading: &str, cells: Vec<String>, numeric| Column {
            heading: heading.to_owned(),
            cells,
            numeric,
        };
        let mut margin = vec![
            column("step", (0..count).map(|step| step.to_string()).collect(), true),
            column("time", std::iter::once("0".to_owned()).chain(times).collect(), true),
            column("action", std::iter::once(String::new()).chain(actions).collect(), false),
        ];
        if let Some(costs) = self.costs() {
            let cells = std::iter::once("0".to_owned()).chain(costs.into_iter().map(decimal)).collect();
            margin.insert(2, column("cost", cells, true));
        }
        margin
    }

    fn data_columns(&self, states: &[&State], look: Look) -> Vec<Column> {
        let network = self.network;
        let mut all = Vec::new();
        let words = Words(network);
        for (index, id) in (0..network.processes.len()).zip((0..).map(ProcessId)) {
            let cell = |state: &&State| cut(words.location(state.locations[index]).to_owned());
            let cells = states.iter().map(cell).collect();
            all.push(Column { heading: cut(words.process(id).to_owned()), cells, numeric: false });
        }
        for (index, id) in
            (0..network.variables.len()).zip((0..).map(VarId)).filter(|(_, id)| !words.is_inner(*id))
        {
            let cells = states.iter().map(|state| words.value(id, state.variables[index])).collect();
            all.push(Column { heading: cut(words.variable(id).to_owned()), cells, numeric: true });
        }
        if look.detail.clocks || look.detail.full {
            for (index, id) in (0..network.clocks.len()).zip((0..).map(ClockId)).skip(1) {
                let cells = states.iter().map(|state| decimal(state.clocks[index])).collect();
                all.push(Column { heading: cut(words.clock(id).to_owned()), cells, numeric: true });
            }
        }
        all
    }
}

fn cut(text: String) -> String {
    if columns(&text) <= WIDEST {
        return text;
    }
    text.chars().take(WIDEST - 1).chain(['…']).collect()
}

/// Columns that fit beside each other; each block has at least one.
fn blocks<'c>(margin: &[Column], data: &'c [Column], width: usize) -> Vec<Vec<&'c Column>> {
    let reserved: usize = margin.iter().map(|column| column.width() + 2).sum();
    let mut blocks: Vec<Vec<&Column>> = vec![Vec::new()];
    let mut used = reserved;
    for column in data {
        let needed = column.width() + 2;
        let block = blocks.last_mut().expect("there is always a block");
        if used + needed > width + 2 && !block.is_empty() {
            blocks.push(vec![column]);
            used = reserved + needed;
        } else {
            block.push(column);
            used += needed;
        }
    }
    blocks
}

fn render(text: &mut String, margin: &[Column], data: &[&Column], look: Look) {
    let cell = |column: &Column, content: &str, style| {
        let width = column.width();
        if column.numeric { look.right(style, content, width) } else { look.left(style, content, width) }
    };
    let line = |cells: Vec<String>| format!("{}\n", cells.join("  ").trim_end());
    let all = || margin.iter().chain(data.iter().copied());
    text.push_str(&line(all().map(|column| cell(column, &column.heading, HEADING)).collect()));
    for row in 0..margin[0].cells.len() {
        let mut cells: Vec<String> =
            margin.iter().map(|column| cell(column, &column.cells[row], NAME)).collect();
        cells.extend(data.iter().map(|column| match (column.is_new(row), look.detail.full) {
            (true, _) => {
                cell(column, &column.cells[row], if row > 0 { CHANGE } else { anstyle::Style::new() })
            }
            (false, true) => cell(column, &column.cells[row], HEADING),
            (false, false) => cell(column, SAME, HEADING),
        }));
        text.push_str(&line(cells));
    }
}
