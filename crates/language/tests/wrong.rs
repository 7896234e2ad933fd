//! Wrong models and the messages they get.
//!
//! Every file of `wrong/` is one mistake, named after it (`many-…` are a dozen at once). Its messages, and those about the queries in the
//! `.q` file beside it, are a snapshot next to it: a change of wording is a change of that file, to be read as a user would.
//! `cargo insta review`, or `INSTA_UPDATE=always cargo test`, takes new snapshots.

use guidepost_language::diagnostic::Code;
use guidepost_language::load_file;
use guidepost_language::render::{Style, render};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Relative to the crate, where tests are run: no path of this machine may get into a snapshot.
const FOLDER: &str = "tests/wrong";

const PLC: &str = "found in .plc files; tested in the crate that reads them";

/// Where the messages about state machines are tested.
const MACHINES: &str = "found in state machines; tested in `machines`";

/// Codes that no wrong model can give, and why.
const NOT_OF_MODELS: &[(Code, &str)] = &[
    (Code::UnreadableFile, "files that cannot be opened; tested in `load`"),
    (Code::NotExpressible, "found when a model is written; tested in `write`"),
    (Code::NonlinearClock, "found when the network is built"),
    (Code::QueryNotSupported, "found when a query is run"),
    (Code::DivisionByZero, "found when the network is built"),
    (Code::WrapsAround, "found when the network is built"),
    (Code::TooLarge, "found when the network is built"),
    (Code::ClockConstantTooLarge, "found when the network is built"),
    (Code::EvaluationLimit, "found when the network is built"),
    (Code::NegativeCost, "found when the network is built"),
    (Code::UnusedChannelDirection, "found when the network is built"),
    (Code::NeverHolds, "found when the network is built"),
    (Code::SelfSynchronisation, "found when the network is built"),
    (Code::BranchNote, "found when the network is built"),
    (Code::UnreachableLocation, "found when the network is built"),
    (Code::AmbiguousName, MACHINES),
    (Code::NoStates, MACHINES),
    (Code::UnknownState, MACHINES),
    (Code::Misplaced, MACHINES),
    (Code::BadTargets, MACHINES),
    (Code::BadHistory, MACHINES),
    (Code::OutsideTheStandard, MACHINES),
    (Code::NotTotal, PLC),
    (Code::OverlappingTransitions, PLC),
    (Code::MissingOutput, PLC),
    (Code::BadDelay, PLC),
    (Code::BadCycle, PLC),
    (Code::BadWire, PLC),
    (Code::BadVariant, PLC),
];

/// Files that get more than one message for one mistake: broken markup hides what stands in it.
const SEVERAL: &[(&str, usize)] = &[
    // The template is not used, which is a message of its own.
    ("error-in-unused-template.xta", 2),
    ("tag-cut-off.xml", 3),
    ("tck-attribute-without-colon.tck", 2),
    ("tck-brace-not-closed.tck", 2),
];

fn models() -> Vec<PathBuf> {
    let is_model = |path: &PathBuf| {
        !path.extension().is_some_and(|ending| matches!(ending.to_str(), Some("q" | "snap" | "new")))
    };
    let entries = std::fs::read_dir(FOLDER).expect("the corpus is there");
    let mut models: Vec<_> = entries.map(|entry| entry.expect("readable").path()).filter(is_model).collect();
    models.sort();
    models
}

/// All messages about a model and its queries.
fn messages(path: &Path) -> (String, Vec<Code>) {
    let loaded = load_file(path);
    let mut text = render(&loaded.diagnostics, &loaded.sources, Style::default());
    text.push_str(&render(&loaded.query_diagnostics, &loaded.sources, Style::default()));
    let codes = loaded.diagnostics.iter().chain(&loaded.query_diagnostics).map(|one| one.code).collect();
    (text, codes)
}

#[test]
fn every_mistake_gets_its_message() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("wrong");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut failed = Vec::new();
    for path in models() {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name").to_owned();
        let (text, codes) = messages(&path);
        if codes.is_empty() {
            failed.push(format!("{name} (nothing is said about it)"));
            continue;
        }
        let check = || settings.bind(|| insta::assert_snapshot!(name.clone(), text));
        // All differences of one run, not only the first.
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).is_err() {
            failed.push(name);
        }
    }
    assert!(failed.is_empty(), "new or different messages: {}", failed.join(", "));
}

#[test]
fn one_mistake_gives_one_message() {
    let mut failed = Vec::new();
    for path in models() {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name").to_owned();
        let count = messages(&path).1.len();
        let fits = match SEVERAL.iter().find(|(file, _)| *file == name) {
            Some((_, expected)) => count == *expected,
            None if name.starts_with("many-") => count >= 10,
            None => count == 1,
        };
        if !fits {
            failed.push(format!("{name} gets {count} messages"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn every_code_occurs() {
    let seen: BTreeSet<Code> = models().iter().flat_map(|path| messages(path).1).collect();
    let excused = |code: Code| NOT_OF_MODELS.iter().any(|(other, _)| *other == code);
    let missing: Vec<_> = Code::ALL.iter().filter(|code| !seen.contains(code) && !excused(**code)).collect();
    assert!(missing.is_empty(), "no wrong model has {missing:?}");
    let surprising: Vec<_> = seen.iter().filter(|code| excused(**code)).collect();
    assert!(surprising.is_empty(), "not expected from a model: {surprising:?}");
}

#[test]
fn every_snapshot_has_its_model() {
    for entry in std::fs::read_dir(FOLDER).expect("the corpus is there") {
        let path = entry.expect("readable").path();
        let model = match path.extension().and_then(|ending| ending.to_str()) {
            Some("snap") => path.with_extension(""),
            Some("q") => ["xta", "xml", "tck", "ta"]
                .map(|ending| path.with_extension(ending))
                .into_iter()
                .find(|model| model.is_file())
                .unwrap_or_default(),
            _ => continue,
        };
        assert!(model.is_file(), "{} belongs to no model", path.display());
    }
}
