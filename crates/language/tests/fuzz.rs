//! Random mutants of all available models: no input may make the front end panic, hang, or exhaust the memory.
//!
//! Deterministic: the same seed gives the same mutants. Every mutant is read, its messages are rendered, and if it has no errors it is
//! written out and read again. A run in passing is part of the tests; for a long one:
//!
//! ```text
//! GUIDEPOST_FUZZ_SECONDS=600 GUIDEPOST_FUZZ_SEED=7 cargo test -p guidepost-language --test fuzz -- --nocapture
//! ```
//!
//! A mutant that fails is left in `target/tmp/fuzz-current-*`, also when the process dies of it. Cut it down, and put it into
//! `regressions/`, whose files go through the same mill.

mod mill;

use mill::{MAX_BYTES, Memory, Verdict};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

#[global_allocator]
static MEMORY: Memory = Memory::new();

/// Mutants of a run without a time limit.
const MUTANTS: u64 = 2500;
/// A mutant may take so long, …
const MOST_TIME: Duration = Duration::from_secs(1);
/// … and needs so much memory at most.
const MOST_BYTES: usize = 256 << 20;
/// Test threads have stacks of this size, and so may have the threads of a user of the library.
const STACK: usize = 2 << 20;

/// Runs on a thread with a small stack, away from which a hang can be noticed.
fn on_small_stack(name: &str, work: impl FnOnce(&mut dyn FnMut(&str)) + Send + 'static) {
    let (beat, heard) = mpsc::channel::<String>();
    let run = move || work(&mut |what| drop(beat.send(what.to_owned())));
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    let mut last = String::from("the start");
    loop {
        match heard.recv_timeout(Duration::from_mins(1)) {
            Ok(what) => last = what,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("{name} hangs at {last}"),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// How long this thread has been at work, where the system tells; else the time of day.
fn processor_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let worked = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let worked = worked.and_then(|text| text.split(' ').next()?.parse().ok());
    worked.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// Exercises a text within the limits; what is wrong otherwise.
fn exercise(name: &str, text: &str) -> Result<Verdict, String> {
    let once = || {
        let (start, before) = (processor_time(), MEMORY.reset_peak());
        let name = name.to_owned();
        let verdict = std::panic::catch_unwind(|| mill::exercise(&name, text))
            .map_err(|panic| format!("panic: {}", message(&*panic)))?;
        let (time, bytes) = (processor_time().saturating_sub(start), MEMORY.peak().saturating_sub(before));
        verdict.map(|verdict| (verdict, time, bytes))
    };
    let (verdict, mut time, bytes) = once()?;
    if time > MOST_TIME {
        // The machine may have been busy with something else.
        time = once()?.1;
    }
    if time > MOST_TIME {
        return Err(format!("takes {time:?}"));
    }
    if bytes > MOST_BYTES {
        return Err(format!("needs {} MiB", bytes >> 20));
    }
    Ok(verdict)
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn mutants_do_no_harm() {
    let seed = number("GUIDEPOST_FUZZ_SEED").unwrap_or(1);
    let seconds = number("GUIDEPOST_FUZZ_SECONDS");
    let current = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-current-{seed}"));

    on_small_stack("a mutant", move |beat| {
        let corpus = mill::corpus(seconds.is_some());
        let mut random = mill::Random::new(seed);
        let (start, mut count, mut clean) = (Instant::now(), 0, 0);
        let mut failures: Vec<String> = Vec::new();
        let goes_on = |count| seconds.map_or(count < MUTANTS, |s| start.elapsed().as_secs() < s);
        while goes_on(count) && failures.len() < 10 {
            count += 1;
            let (ending, text) = corpus.mutant(&mut random);
            debug_assert!(text.len() <= MAX_BYTES);
            let file = current.with_extension(ending);
            std::fs::write(&file, &text).expect("target/tmp can be written");
            beat(&format!("mutant {count}, left in {}", file.display()));
            match exercise(&format!("mutant.{ending}"), &text) {
                Ok(verdict) => clean += u64::from(verdict == Verdict::Clean),
                Err(problem) => {
                    let kept = current.with_file_name(format!("fuzz-{seed}-{count}.{ending}"));
                    std::fs::copy(&file, &kept).expect("target/tmp can be written");
                    failures.push(format!("{}: {problem}", kept.display()));
                }
            }
            drop(std::fs::remove_file(&file));
        }
        println!("{count} mutants, {clean} of them without errors, {:?}", start.elapsed());
        assert!(failures.is_empty(), "{}", failures.join("\n"));
        assert!(clean > count / 100, "mutants should sometimes be right: {clean} of {count}");
    });
}

#[test]
fn old_findings_stay_fixed() {
    on_small_stack("a regression", |beat| {
        let folder = Path::new("tests/regressions");
        let entries = std::fs::read_dir(folder).expect("the regressions are there");
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
        files.sort();
        for path in files {
            beat(&path.display().to_string());
            let bytes = std::fs::read(&path).expect("readable");
            let text = String::from_utf8_lossy(&bytes);
            let problem = exercise(&path.display().to_string(), &text).err();
            assert_eq!(problem, None, "{}", path.display());
        }
    });
}

/// What is too large to be kept in a file.
#[test]
fn long_and_deep_texts_do_no_harm() {
    on_small_stack("a long text", |beat| {
        for (what, ending, text) in mill::long_texts() {
            beat(&what);
            let problem = exercise(&format!("long.{ending}"), &text).err();
            assert_eq!(problem, None, "{what}");
        }
    });
}
