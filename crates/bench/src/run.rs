//! One run in a process of its own, and all of them side by side.

use crate::plan::Pair;
use serde_json::Value;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// A run keeps its limits itself; one that does not is ended when it is late by a quarter and this much.
const GRACE_SECONDS: f64 = 5.0;
/// What a process may take beyond its states before it is ended.
const GRACE_KIBIBYTES: u64 = 512 << 10;
/// Short runs should not wait to be noticed, long ones not be disturbed.
const SHORTEST_NAP: Duration = Duration::from_millis(1);
const LONGEST_NAP: Duration = Duration::from_millis(50);

/// A run that has ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// Its seed.
    pub seed: u64,
    /// What came of it.
    pub outcome: Outcome,
    /// Seconds from the start of the process to its end.
    pub wall_seconds: f64,
}

/// What comes of a run.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// It gave the answer.
    Answered(Measured),
    /// It gave none, and says why: a limit.
    Undecided(String),
    /// It failed: the input is wrong, or a bug.
    Failed(String),
    /// It was interrupted and says nothing.
    Interrupted,
}

/// The numbers of an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// `satisfied` or `not satisfied`.
    pub verdict: String,
    /// Whether the model's author expects that.
    pub expected: Option<bool>,
    /// Explored states.
    pub explored: u64,
    /// Stored states.
    pub stored: u64,
    /// Transitions of the run that shows the answer.
    pub length: Option<u64>,
    /// Whether no run is shorter.
    pub optimal: bool,
    /// Seconds that the search took, preparation included.
    pub seconds: f64,
    /// The memory of the states.
    pub bytes: u64,
}

/// Starts runs.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The `guidepost` command.
    pub command: PathBuf,
    /// Set from outside to stop everything.
    pub interrupt: Arc<AtomicBool>,
}

impl Runner {
    fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Runs all pairs, `jobs` at a time; each pair's seeds one after the other. `tell` hears of every run as soon as it has ended, by the index of its pair, and
    /// whether it is the last of the pair. Interrupted runs are not told.
    pub fn run_all(&self, pairs: &[Pair<'_>], jobs: usize, tell: &mut dyn FnMut(usize, Run, bool)) {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        let sender = Mutex::new(sender);
        thread::scope(|scope| {
            for _ in 0..jobs.max(1) {
                let sender = sender.lock().expect("nobody panics with the lock").clone();
                let next = &next;
                scope.spawn(move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(pair) = pairs.get(index) else { break };
                        self.run_seeds(pair, &mut |run, last| {
                            // The receiver lives as long as the scope.
                            let _ = sender.send((index, run, last));
                        });
                    }
                });
            }
            drop(sender);
            for (index, run, last) in receiver {
                tell(index, run, last);
            }
        });
    }

    /// When most runs of a pair found no answer, the median is none, whatever the others do: they are not run.
    fn run_seeds(&self, pair: &Pair<'_>, tell: &mut dyn FnMut(Run, bool)) {
        let seeds = pair.configuration.seeds.list();
        let mut unanswered = 0;
        for (number, seed) in seeds.iter().enumerate() {
            if self.is_interrupted() {
                return;
            }
            let run = self.run(pair, *seed);
            match run.outcome {
                Outcome::Interrupted => return,
                Outcome::Answered(_) => {}
                Outcome::Undecided(_) | Outcome::Failed(_) => unanswered += 1,
            }
            let last = number + 1 == seeds.len() || unanswered * 2 > seeds.len();
            tell(run, last);
            if last {
                return;
            }
        }
    }

    /// One run.
    pub fn run(&self, pair: &Pair<'_>, seed: u64) -> Run {
        let start = Instant::now();
        let mut command = Command::new(&self.command);
        command.args(pair.arguments(seed)).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let outcome = match command.spawn() {
            Ok(child) => self.watch(child, pair, start),
            Err(error) => Outcome::Failed(format!("cannot start: {error}")),
        };
        Run { seed, outcome, wall_seconds: start.elapsed().as_secs_f64() }
    }

    fn watch(&self, mut child: Child, pair: &Pair<'_>, start: Instant) -> Outcome {
        // Both pipes are emptied all the time, or else a process with much to say would wait for ever.
        let answers = drain(child.stdout.take());
        let messages = drain(child.stderr.take());
        let ended = self.wait(&mut child, pair, start);
        let (answers, messages) = (answers.join().unwrap_or_default(), messages.join().unwrap_or_default());
        match ended {
            Err(outcome) => outcome,
            Ok(_) if self.is_interrupted() => Outcome::Interrupted,
            Ok(code) => outcome(code, &answers, &messages),
        }
    }

    /// Waits for the end; ends what does not keep its limits.
    fn wait(&self, child: &mut Child, pair: &Pair<'_>, start: Instant) -> Result<Option<i32>, Outcome> {
        let latest = pair.seconds * 1.25 + GRACE_SECONDS;
        let largest =
            pair.mebibytes.map(|mebibytes| mebibytes.saturating_mul(1024).saturating_add(GRACE_KIBIBYTES));
        let mut nap = SHORTEST_NAP;
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(status.code()),
                Ok(None) => {}
                Err(error) => return Err(Outcome::Failed(error.to_string())),
            }
            let verdict = if self.is_interrupted() {
                Some(Outcome::Interrupted)
            } else if start.elapsed().as_secs_f64() > latest {
                Some(Outcome::Undecided("time limit".into()))
            } else if largest.is_some_and(|largest| resident_kibibytes(child.id()) > largest) {
                Some(Outcome::Undecided("memory limit".into()))
            } else {
                None
            };
            if let Some(verdict) = verdict {
                // It may have ended by itself in the meantime.
                let _ = child.kill();
                let _ = child.wait();
                return Err(verdict);
            }
            thread::sleep(nap);
            nap = (nap * 2).min(LONGEST_NAP);
        }
    }
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // A process that was ended leaves half an answer, which counts for nothing.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The memory that a process has at present; 0 where the system does not tell.
fn resident_kibibytes(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()).and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// What the answers of `check` say. Exit codes tell verdicts from failures: 0, 1 and 3 come with answers.
fn outcome(code: Option<i32>, answers: &str, messages: &str) -> Outcome {
    let failure = || {
        let line = messages.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message");
        match code {
            Some(code) => Outcome::Failed(format!("exit code {code}: {line}")),
            None => Outcome::Failed(format!("ended by a signal: {line}")),
        }
    };
    let Ok(value) = serde_json::from_str::<Value>(answers) else { return failure() };
    let result = &value["results"][0];
    if let Some(bug) = result["internal_error"].as_str() {
        return Outcome::Failed(bug.to_owned());
    }
    match result["verdict"].as_str() {
        Some(verdict @ ("satisfied" | "not satisfied")) => Outcome::Answered(measured(verdict, result)),
        Some(_) if matches!(code, Some(0 | 1 | 3)) => {
            Outcome::Undecided(result["reason"].as_str().unwrap_or("undecided").to_owned())
        }
        _ => failure(),
    }
}

fn measured(verdict: &str, result: &Value) -> Measured {
    let statistics = &result["statistics"];
    let number = |key: &str| statistics[key].as_u64().unwrap_or(0);
    let seconds = |key: &str| statistics[key].as_f64().unwrap_or(0.0);
    Measured {
        verdict: verdict.to_owned(),
        expected: result["expected"].as_bool(),
        explored: number("explored"),
        stored: number("stored"),
        // As the search found it: what is left out afterwards says nothing about searches.
        length: result["trace"]["found_length"].as_u64().or_else(|| result["trace"]["length"].as_u64()),
        optimal: result["trace"]["optimal"].as_bool().unwrap_or(false),
        seconds: seconds("preprocessing_seconds") + seconds("seconds"),
        bytes: number("peak_memory_bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_from_failures() {
        let answer = r#"{"results": [{"verdict": "satisfied", "expected": true, "statistics": {"explored": 9, "stored": 12, "seconds": 0.5,
            "preprocessing_seconds": 0.25, "peak_memory_bytes": 100}, "trace": {"length": 8, "optimal": true}}]}"#;
        let Outcome::Answered(measured) = outcome(Some(0), answer, "") else { panic!("it is answered") };
        assert_eq!((measured.explored, measured.length, measured.optimal), (9, Some(8), true));
        assert!((measured.seconds - 0.75).abs() < 1e-9);

        let limit = r#"{"results": [{"verdict": "undecided", "reason": "time limit"}]}"#;
        assert_eq!(outcome(Some(3), limit, ""), Outcome::Undecided("time limit".into()));
        assert_eq!(outcome(Some(2), "", "\nerror: no"), Outcome::Failed("exit code 2: error: no".into()));
        assert_eq!(outcome(None, "{\"res", ""), Outcome::Failed("ended by a signal: no message".into()));
    }
}
