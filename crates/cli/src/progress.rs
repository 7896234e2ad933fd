//! One line of progress on standard error: at most ten times a second on a terminal, periodically where it goes to a file.

use guidepost_answer::{Cost, Progress};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Shows progress.
pub(crate) struct ProgressLine {
    shown: bool,
    last: Instant,
    every: Duration,
    is_terminal: bool,
    quiet: bool,
    /// The best cost so far and the bound, when the cheapest run is looked for.
    cost: Option<Cost>,
    /// How often an abstraction was refined.
    rounds: u64,
}

impl ProgressLine {
    pub(crate) fn new(quiet: bool) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let every = if is_terminal { Duration::from_millis(100) } else { Duration::from_secs(10) };
        Self { shown: false, last: Instant::now(), every, is_terminal, quiet, cost: None, rounds: 0 }
    }

    /// Shows how the search for the answer to one of several queries is getting on.
    pub(crate) fn show_of(&mut self, number: usize, several: bool, progress: &Progress) {
        if self.is_due() {
            let prefix = if several { format!("query {number}: ") } else { String::new() };
            self.show_with(&prefix, progress);
        }
    }

    /// Shows how a search is getting on.
    pub(crate) fn show(&mut self, progress: &Progress) {
        if self.is_due() {
            self.show_with("", progress);
        }
    }

    /// Remembers the best cost and the bound, and shows them with the next line.
    pub(crate) fn improved(&mut self, cost: Cost) {
        self.cost = Some(cost);
    }

    /// Remembers how often an abstraction was refined, and shows it with the next line.
    pub(crate) fn refined(&mut self, rounds: u64) {
        self.rounds = rounds;
    }

    fn is_due(&self) -> bool {
        !self.quiet && self.last.elapsed() >= self.every
    }

    fn show_with(&mut self, prefix: &str, progress: &Progress) {
        self.last = Instant::now();
        let s = &progress.statistics;
        let rate = s.explored as f64 / s.seconds.max(1e-9);
        let estimate = progress.best_estimate.map_or_else(String::new, |best| format!(", nearest {best}"));
        let gap = self.cost.map_or_else(String::new, |cost| {
            let found = cost.value.map_or_else(
                || "nothing found".to_owned(),
                |value| format!("{} {value} found", cost.measure.name()),
            );
            let bound = cost.lower_bound.unwrap_or_default();
            format!("{found}, at least {bound} needed; ")
        });
        let round = match self.rounds {
            0 => String::new(),
            rounds => format!("round {}; ", rounds + 1),
        };
        let search_line = || {
            format!(
                "{prefix}{gap}{round}{} explored, {} waiting, depth {}{estimate}, {:.0} states/s, {} MiB",
                s.explored,
                progress.waiting,
                progress.depth,
                rate,
                s.bytes >> 20
            )
        };
        let line = match progress.stage {
            Some(stage) => format!("{prefix}{}, {} states, {:.1} s", stage.what, stage.states, s.seconds),
            None => search_line(),
        };
        let mut err = std::io::stderr().lock();
        let _ = if self.is_terminal { write!(err, "\r\x1b[2K{line}") } else { writeln!(err, "{line}") };
        let _ = err.flush();
        self.shown = true;
    }

    /// Clears the line.
    pub(crate) fn finish(&mut self) {
        if self.shown && self.is_terminal {
            let mut err = std::io::stderr().lock();
            let _ = write!(err, "\r\x1b[2K");
            let _ = err.flush();
        }
        self.shown = false;
        self.cost = None;
        self.rounds = 0;
    }
}
