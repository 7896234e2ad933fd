//! Wrong controllers and the messages they get.
//!
//! Every file of `wrong/` is one mistake, named after it. Its message is a snapshot next to it: a change of wording is a change of that
//! file, to be read as a user would. `cargo insta review`, or `INSTA_UPDATE=always cargo test`, takes new snapshots.

use guidepost_language::diagnostic::Code;
use guidepost_language::render::{Style, render};
use guidepost_plc::{ModelPath, load_file};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Relative to the crate, where tests are run: no path of this machine may get into a snapshot.
const FOLDER: &str = "tests/wrong";

/// The codes that only this front end gives.
const OWN: &[Code] = &[
    Code::NotTotal,
    Code::OverlappingTransitions,
    Code::MissingOutput,
    Code::BadDelay,
    Code::BadCycle,
    Code::BadWire,
    Code::BadVariant,
];

fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(FOLDER).expect("the corpus is there");
    let paths = entries.map(|entry| entry.expect("readable").path());
    let mut files: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "plc")).collect();
    files.sort();
    files
}

fn messages(path: &Path) -> (String, Vec<Code>) {
    let loaded = load_file(&ModelPath::of(path).expect("a .plc file"));
    let text = render(&loaded.diagnostics, &loaded.sources, Style::default());
    (text, loaded.diagnostics.iter().map(|diagnostic| diagnostic.code).collect())
}

#[test]
fn every_mistake_gets_its_message_and_only_that() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("wrong");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut failed = Vec::new();
    for path in files() {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name").to_owned();
        let (text, codes) = messages(&path);
        if codes.len() != 1 {
            failed.push(format!("{name} gets {} messages\n{text}", codes.len()));
        }
        let check = || settings.bind(|| insta::assert_snapshot!(name.clone(), text));
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).is_err() {
            failed.push(format!("{name} gets another message"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn every_code_of_this_front_end_occurs() {
    let seen: BTreeSet<Code> = files().iter().flat_map(|path| messages(path).1).collect();
    let missing: Vec<_> = OWN.iter().filter(|code| !seen.contains(code)).collect();
    assert!(missing.is_empty(), "no wrong file has {missing:?}");
}
