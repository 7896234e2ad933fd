//! The example models, with all that is wrong with them.

use guidepost_answer::{Limits, StopReason};
use guidepost_diagrams::{Findings, Method, Options, Stopped, check};
use guidepost_machines::Kind;
use guidepost_machines::sem::{System, load_file};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn model(name: &str) -> System {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/machines").join(name);
    load_file(&path).system.expect("nothing is wrong with it")
}

fn findings(system: &System, method: Method, walks: bool) -> Findings {
    let options = Options { method, walks, ..Options::default() };
    check(system, &options, &Limits::default()).expect("nothing stops it")
}

#[test]
fn nothing_is_wrong_with_the_trains() {
    for name in ["train.sem", "flat-train.sem"] {
        for (method, _) in Method::ALL {
            let found = findings(&model(name), method, false);
            assert_eq!((found.findings, found.undecided), (vec![], vec![]), "{name}, {method}");
        }
    }
}

#[test]
fn the_hi_fi_set_has_six_faults() {
    let system = model("hi-fi.sem");
    for (method, _) in Method::ALL {
        for walks in [false, true] {
            let found = findings(&system, method, walks);
            let told: Vec<(Kind, &str, Option<usize>)> = found
                .findings
                .iter()
                .map(|finding| {
                    (finding.kind, finding.place.as_str(), finding.evidence.as_ref().map(Vec::len))
                })
                .collect();
            let both = "Display.Dark --light--> Display.Dim and Display.Dark --light--> Display.Bright";
            assert_eq!(
                told,
                [
                    (Kind::UnreachableState, "Tape.Jammed", None),
                    (Kind::DeadTransition, "Tape.Playing --tick--> Tape.Jammed", None),
                    (Kind::Conflict, both, Some(2)),
                    (Kind::DeadOutput, "alarm", None),
                    (Kind::UnusedEvent, "rewind", None),
                    (Kind::Deadlock, "Disc", Some(6)),
                ],
                "{method}"
            );
        }
    }
}

#[test]
fn a_proof_names_the_machines_that_it_needs() {
    let found = findings(&model("hi-fi.sem"), Method::Compositional, true);
    let dead =
        found.findings.iter().find(|finding| finding.kind == Kind::DeadTransition).expect("there is one");
    assert_eq!(dead.because, ["Source", "Power", "Tape", "Door"]);
    // Four machines at most, of nine: as few as the question depends on.
    assert_eq!(found.statistics.machines, 4);
}

#[test]
fn limits_leave_questions_open() {
    let system = model("hi-fi.sem");
    let interrupt = Some(Arc::new(AtomicBool::new(true)));
    let limits = Limits { interrupt, ..Limits::default() };
    match check(&system, &Options::default(), &limits) {
        Err(stopped) => assert_eq!(stopped, Stopped::Limit(StopReason::Interrupt)),
        Ok(found) => assert!(!found.undecided.is_empty()),
    }
}
