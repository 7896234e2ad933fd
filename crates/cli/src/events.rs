//! What is heard of a running check: the progress line, the log, and the history that reports show as a plot.

use crate::args::{CheckArgs, LogFormat};
use crate::exit::Exit;
use crate::progress::ProgressLine;
use guidepost_answer::{Cost, Progress, Refinement, Verdict};
use guidepost_network::CompiledQuery;
use guidepost_report::verdict::QueryResult;
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// The log has at most this many progress events a second.
const LOG_EVERY: Duration = Duration::from_millis(100);
/// Samples that are kept for a query; when there are more, every other one is dropped.
const MOST_SAMPLES: usize = 256;

/// Hears of everything and passes it on.
pub(crate) struct Observer {
    line: ProgressLine,
    log: Option<LogFormat>,
    last_logged: Option<Instant>,
    /// The numbers of the queries that are searched for, in the order in which they were compiled.
    numbers: Vec<usize>,
    histories: Vec<History>,
    begin: Instant,
}

impl Observer {
    pub(crate) fn new(args: &CheckArgs, numbers: Vec<usize>) -> Self {
        let histories = numbers.iter().map(|_| History::default()).collect();
        let line = ProgressLine::new(args.search.quiet || args.log.is_some());
        Self { line, log: args.log, last_logged: None, numbers, histories, begin: Instant::now() }
    }

    pub(crate) fn started(&self, args: &CheckArgs, queries: &[CompiledQuery]) {
        let queries: Vec<Value> = (self.numbers.iter().zip(queries))
            .map(|(number, query)| json!({ "number": number, "query": query.text }))
            .collect();
        self.write(&json!({
            "event": "start",
            "version": env!("CARGO_PKG_VERSION"),
            "model": args.model.display().to_string(),
            "queries": queries,
        }));
    }

    /// Progress of the n-th compiled query.
    pub(crate) fn hear(&mut self, query: usize, progress: &Progress) {
        let number = self.numbers.get(query).copied().unwrap_or(query + 1);
        self.line.show_of(number, self.numbers.len() > 1, progress);
        if let Some(history) = self.histories.get_mut(query) {
            history.add(progress);
        }
        if self.log.is_some() && self.last_logged.is_none_or(|last| last.elapsed() >= LOG_EVERY) {
            self.last_logged = Some(Instant::now());
            let mut event = json!({ "event": "progress", "number": self.numbers.get(query) });
            if let (Some(event), Value::Object(mut sample)) =
                (event.as_object_mut(), Sample::of(progress).json())
            {
                event.append(&mut sample);
            }
            self.write(&event);
        }
    }

    /// A better run or bound was found for the n-th compiled query.
    pub(crate) fn improved(&mut self, query: usize, cost: Cost) {
        self.line.improved(cost);
        self.write(&json!({
            "event": "improved",
            "number": self.numbers.get(query),
            "measure": cost.measure.name(),
            "value": cost.value.map(|value| value.to_string()),
            "lower_bound": cost.lower_bound.map(|bound| bound.to_string()),
            "seconds": self.begin.elapsed().as_secs_f64(),
        }));
    }

    /// Something was learned for the n-th compiled query.
    pub(crate) fn refined(&mut self, query: usize, refinement: &Refinement) {
        self.line.refined(refinement.rounds);
        self.write(&json!({
            "event": "refined",
            "number": self.numbers.get(query),
            "rounds": refinement.rounds,
            "nodes": refinement.nodes,
            "covered": refinement.covered,
            "precision": refinement.precision,
            "seconds": self.begin.elapsed().as_secs_f64(),
        }));
    }

    pub(crate) fn finished(&mut self) {
        self.line.finish();
    }

    pub(crate) fn answered(&self, results: &[QueryResult], exit: Exit) {
        for result in results {
            let verdict = match result.verdict() {
                Verdict::Satisfied => "satisfied",
                Verdict::NotSatisfied => "not satisfied",
                Verdict::Undecided => "undecided",
            };
            let seconds = result.answer.as_ref().ok().map(|answer| answer.statistics.seconds);
            let explored = result.answer.as_ref().ok().map(|answer| answer.statistics.explored);
            let event = json!({
                "event": "answer", "number": result.number, "query": result.query, "verdict": verdict,
                "explored": explored, "seconds": seconds,
            });
            self.write(&event);
        }
        self.write(&json!({ "event": "end", "exit": exit as u8 }));
    }

    fn write(&self, event: &Value) {
        if self.log.is_some() {
            let mut err = std::io::stderr().lock();
            let _ = writeln!(err, "{event}");
        }
    }

    /// How the search for a query went, by the query's number; nothing when it was over too soon to tell.
    pub(crate) fn history(&self, number: usize) -> Option<Value> {
        let at = self.numbers.iter().position(|&known| known == number)?;
        let samples = &self.histories[at].samples;
        (samples.len() > 1).then(|| samples.iter().map(Sample::json).collect())
    }
}

/// One moment of a search.
#[derive(Clone, Copy)]
struct Sample {
    progress: Progress,
}

impl Sample {
    fn of(progress: &Progress) -> Self {
        Self { progress: *progress }
    }

    fn json(&self) -> Value {
        let s = &self.progress.statistics;
        json!({
            "seconds": (s.seconds * 1000.0).round() / 1000.0,
            "explored": s.explored,
            "stored": s.stored,
            "waiting": self.progress.waiting,
            "depth": self.progress.depth,
            "estimate": self.progress.best_estimate,
            "memory_bytes": s.bytes,
        })
    }
}

/// Samples at even distances, as many as fit.
struct History {
    samples: Vec<Sample>,
    every: f64,
}

impl Default for History {
    fn default() -> Self {
        Self { samples: Vec::new(), every: 0.005 }
    }
}

impl History {
    fn add(&mut self, progress: &Progress) {
        let now = progress.statistics.seconds;
        let last = self.samples.last().map(|sample| sample.progress.statistics.seconds);
        if last.is_some_and(|last| now < last + self.every) {
            return;
        }
        self.samples.push(Sample::of(progress));
        if self.samples.len() >= MOST_SAMPLES {
            let mut odd = false;
            self.samples.retain(|_| {
                odd = !odd;
                odd
            });
            self.every *= 2.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use guidepost_answer::Statistics;

    #[test]
    fn histories_stay_small_and_reach_to_the_end() {
        let mut history = History::default();
        for tick in 0..100_000_u64 {
            let seconds = tick as f64 * 0.001;
            let statistics = Statistics { explored: tick, seconds, ..Statistics::default() };
            history.add(&Progress { statistics, waiting: 0, depth: 0, best_estimate: None, stage: None });
        }
        assert!(history.samples.len() < MOST_SAMPLES);
        assert!(history.samples.len() > MOST_SAMPLES / 4);
        let times: Vec<f64> =
            history.samples.iter().map(|sample| sample.progress.statistics.seconds).collect();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(times[0] < 0.01 && times[times.len() - 1] > 99.0);
    }
}
