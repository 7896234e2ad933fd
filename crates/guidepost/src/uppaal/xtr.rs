//! Symbolic traces as UPPAAL stores them: numbers in lines, each part closed by a line with a dot.
//!
//! A state is the numbers of the locations, constraints `i j b` that say `x_i - x_j` is at most (or below) a bound, and the values of the variables. Bounds are
//! written as twice the value, plus one where it is not reached. A step is the state that it leads to, followed by the edges that are taken. The whole trace ends with
//! one more dot.
//!
//! What is read is not trusted. The transitions are followed from the initial state, times are found for them, and the interpreter replays the run. Zones that
//! the file states are not compared: they may be smaller than ours, or larger.

use super::numbering::{EdgeNumber, Numbering};
use super::symbolic::{Situation, SymbolicRun};
use crate::Session;
use crate::simulator::EXACT;
use guidepost_answer::{Evidence, RunEnding};
use guidepost_explore::{Explorer, PathStep, SymbolicState, differences};
use guidepost_network::{EdgeId, Network};
use std::fmt::Write;
use std::ops::ControlFlow;

/// A symbolic run as the text of an `.xtr` file; `None` when it takes an edge through a branch point, for which the format has no number.
pub fn to_xtr(network: &Network, run: &SymbolicRun) -> Option<String> {
    let numbering = Numbering(network);
    let mut text = String::new();
    write_state(&mut text, numbering, &run.initial);
    for (edges, situation) in &run.steps {
        write_state(&mut text, numbering, situation);
        for &edge in edges {
            let EdgeNumber { process, edge, select } = numbering.edge(edge)?;
            let _ = write!(text, "{process} {edge} ");
            for value in select {
                let _ = write!(text, "{value} ");
            }
            text.push_str("; ");
        }
        text.push_str(".\n");
    }
    text.push_str(".\n");
    Some(text)
}

fn write_state(text: &mut String, numbering: Numbering<'_>, situation: &Situation) {
    for &location in &situation.locations {
        let _ = write!(text, "{} ", numbering.location(location));
    }
    text.push_str("\n.\n");
    for constraint in situation.constraints() {
        let bound = 2 * i64::from(constraint.value) + i64::from(constraint.strict);
        let _ = write!(text, "{} {} {bound}\n.\n", constraint.left.0, constraint.right.0);
    }
    text.push_str(".\n");
    for value in &situation.variables {
        let _ = write!(text, "{value} ");
    }
    text.push_str("\n.\n");
}

/// Why a text is no run of a model.
#[derive(Clone, Debug, thiserror::Error)]
pub enum UnreadableXtr {
    /// Something else is expected.
    #[error("line {line}: {expected} is expected here")]
    Malformed {
        /// The line, from 1.
        line: usize,
        /// What is expected.
        expected: &'static str,
    },
    /// It is about another model.
    #[error("the trace does not fit the model: {0}")]
    OtherModel(String),
    /// A transition is not possible.
    #[error("transition {step} of the trace is not possible in the model")]
    Impossible {
        /// Its number, from 1.
        step: usize,
    },
    /// Every transition is possible, but no times were found for all of them.
    #[error("no times were found at which the transitions of the trace are possible: {0}")]
    NoTimes(String),
}

/// Reads an `.xtr` file, finds times for its transitions and replays them.
///
/// # Errors
/// Why the text is no run of the model.
pub fn read_xtr(session: &Session, text: &str) -> Result<Evidence, UnreadableXtr> {
    let network = session.network();
    let recorded = Lines::new(text).trace(network)?;
    let other = |reason: String| UnreadableXtr::OtherModel(reason);
    let mut explorer = Explorer::new(network, &[], EXACT).map_err(|reason| other(reason.to_string()))?;
    let initial = explorer.initial_states().map_err(|failure| other(failure.error.describe(network)))?;
    let mut current =
        initial.into_iter().next().ok_or_else(|| other("it has no initial state".to_owned()))?;
    let mut path = Vec::with_capacity(recorded.len());
    for (index, edges) in recorded.iter().enumerate() {
        let (state, step) = follow(&mut explorer, &current, edges)
            .map_err(|failure| UnreadableXtr::NoTimes(failure.error.describe(network)))?
            .ok_or(UnreadableXtr::Impossible { step: index + 1 })?;
        path.push(step);
        current = state;
    }
    explorer
        .run_along(&path, &[], false, RunEnding::Goal)
        .map_err(|error| UnreadableXtr::NoTimes(error.to_string()))
}

/// The first successor by edges that the file names.
fn follow(
    explorer: &mut Explorer<'_>,
    from: &SymbolicState,
    wanted: &[EdgeNumber],
) -> Result<Option<(SymbolicState, PathStep)>, guidepost_explore::Failure> {
    let network = explorer.network();
    let fits = |edges: &[EdgeId]| {
        let mut numbers: Vec<_> = edges.iter().filter_map(|&edge| Numbering(network).edge(edge)).collect();
        numbers.sort();
        numbers == wanted
    };
    let mut found = None;
    explorer.follow(from, &fits, &mut |state, edges| {
        found = Some((state.clone(), edges.to_vec()));
        ControlFlow::Break(())
    })?;
    let Some((state, edges)) = found else { return Ok(None) };
    let whole = explorer.splits_states().then_some(&from.zone);
    let restriction = explorer.piece().or(whole).map_or_else(Vec::new, |zone| differences(from, zone));
    Ok(Some((state, PathStep { edges, restriction, renaming: None })))
}

/// The lines of a file that have something in them.
struct Lines<'t> {
    lines: std::iter::Peekable<Box<dyn Iterator<Item = (usize, &'t str)> + 't>>,
    last: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let lines = (1..).zip(text.lines().map(str::trim));
        let lines: Box<dyn Iterator<Item = (usize, &'t str)> + 't> =
            Box::new(lines.filter(|(_, line)| !line.is_empty()));
        Self { lines: lines.peekable(), last: 0 }
    }

    fn line(&mut self, expected: &'static str) -> Result<&'t str, UnreadableXtr> {
        let (number, line) =
            self.lines.next().ok_or(UnreadableXtr::Malformed { line: self.last + 1, expected })?;
        self.last = number;
        Ok(line)
    }

    fn wrong<T>(&self, expected: &'static str) -> Result<T, UnreadableXtr> {
        Err(UnreadableXtr::Malformed { line: self.last, expected })
    }

    fn dot(&mut self) -> Result<(), UnreadableXtr> {
        match self.line("a dot")? {
            "." => Ok(()),
            _ => self.wrong("a dot"),
        }
    }

    fn numbers(&self, line: &str, expected: &'static str) -> Result<Vec<i64>, UnreadableXtr> {
        let numbers: Option<Vec<i64>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
        numbers.map_or_else(|| self.wrong(expected), Ok)
    }

    /// The edges of each step, sorted; states are only compared with what the model has.
    fn trace(&mut self, network: &Network) -> Result<Vec<Vec<EdgeNumber>>, UnreadableXtr> {
        self.state(network)?;
        let mut steps = Vec::new();
        while self.lines.peek().is_none_or(|&(_, line)| line != ".") {
            self.state(network)?;
            steps.push(self.transition()?);
        }
        Ok(steps)
    }

    fn state(&mut self, network: &Network) -> Result<(), UnreadableXtr> {
        let line = self.line("the locations of a state")?;
        let locations = self.numbers(line, "the locations of a state")?;
        let fits = |(&location, process): (&i64, &guidepost_network::Process)| {
            (0..process.locations.len() as i64).contains(&location)
        };
        if locations.len() != network.processes.len() || !locations.iter().zip(&network.processes).all(fits) {
            let count = network.processes.len();
            let reason = format!("line {} is not one location for each of {count} processes", self.last);
            return Err(UnreadableXtr::OtherModel(reason));
        }
        self.dot()?;
        loop {
            let line = self.line("a constraint or a dot")?;
            if line == "." {
                break;
            }
            let constraint = self.numbers(line, "a constraint")?;
            let clocks = 0..network.clocks.len() as i64;
            match constraint[..] {
                [left, right, _] if clocks.contains(&left) && clocks.contains(&right) => self.dot()?,
                [_, _, _] => {
                    let reason = format!("line {} is about a clock that there is not", self.last);
                    return Err(UnreadableXtr::OtherModel(reason));
                }
                _ => return self.wrong("a constraint `i j bound`"),
            }
        }
        // Models without variables have an empty line here.
        let line = self.line("the values of the variables")?;
        let values =
            if line == "." { Vec::new() } else { self.numbers(line, "the values of the variables")? };
        if values.len() != network.variables.len() {
            let count = network.variables.len();
            let reason = format!("line {} does not have the values of {count} variables", self.last);
            return Err(UnreadableXtr::OtherModel(reason));
        }
        if line == "." { Ok(()) } else { self.dot() }
    }

    /// `process edge values ;` for each edge, then a dot: all in one line, or each in its own in older files, which count edges from 1 and have no semicolon.
    fn transition(&mut self) -> Result<Vec<EdgeNumber>, UnreadableXtr> {
        const EXPECTED: &str = "the edges of a transition";
        let mut edges = Vec::new();
        loop {
            let line = self.line(EXPECTED)?;
            if line == "." {
                break;
            }
            let (line, is_last) =
                line.strip_suffix('.').map_or((line, false), |line| (line.trim_end(), true));
            let is_old = !line.contains(';');
            for part in line.split(';').map(str::trim).filter(|part| !part.is_empty()) {
                let numbers = self.numbers(part, EXPECTED)?;
                let numbers: Option<Vec<i32>> = numbers.iter().map(|&n| i32::try_from(n).ok()).collect();
                let Some([process, edge, select @ ..]) = numbers.as_deref() else {
                    return self.wrong(EXPECTED);
                };
                let number = |value: i32| usize::try_from(value).ok();
                let edge = if is_old { edge.checked_sub(1) } else { Some(*edge) };
                let (Some(process), Some(edge)) = (number(*process), edge.and_then(number)) else {
                    return self.wrong(EXPECTED);
                };
                edges.push(EdgeNumber { process, edge, select: select.to_vec() });
            }
            if is_last {
                break;
            }
        }
        edges.sort();
        Ok(edges)
    }
}
