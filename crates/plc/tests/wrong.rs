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

/// A system with something of everything.
const RIGHT: &str = "
    constant time := 10;
    type Light := { go, stop };
    type Count := 0..time;
    input button : bool;
    program Lamp {
        input pressed : bool;
        output light : Light;
        initial location Off { light := stop; when pressed goto On; otherwise stay; }
        location On { light := go; delay time while pressed; when pressed stay; otherwise goto Off; }
    }
    program Counter {
        input light : Light;
        output count : Count := 1;
        initial location Zero { when light = go goto One; otherwise stay; }
        location One { count := 2; otherwise goto Zero; }
    }
    node Hall : Lamp(pressed := button) cycle time;
    device Box cycle 5 { node Some : Counter(light := Hall.light); node Others : Counter(light := Hall.light); }
    property dark : never Hall in On expect fails;
    property few : never Others.count = 2 expect fails;
    variant small { hide Others; expect dark fails; }
    variant slow like small { set time := 20; }
";

/// One mistake does not hide the others, and brings no others along: whatever item has it, all others are looked at.
#[test]
fn mistakes_are_reported_together() {
    // Each makes one thing wrong that concerns nothing else.
    let slips = [
        ("constant time := 10", "constant time 10"),
        ("{ go, stop }", "{ go stop }"),
        ("0..time", "0.time"),
        ("input button : bool", "input button bool"),
        ("output light : Light", "output light Light"),
        ("light := stop;", "light stop;"),
        ("goto Off;", "goto;"),
        ("location One {", "locaton One {"),
        ("program Counter {", "program {"),
        ("node Hall :", "node Hall"),
        ("node Some :", "node Some"),
        ("never Hall in On", "never Hall in"),
        ("variant small {", "variant small"),
        ("otherwise stay;", "otherwise stay"),
        ("cycle 5", "cycle 5ms"),
        ("cycle time", "cycle 10 ms"),
    ];
    let further = "
        property late : whenever button then not button within -1;
        program Twice { input a : bool; input a : bool; initial location L { otherwise stay; otherwise stay; } }
        variant again { set time := 1; set time := true; }
        variant again { }
    ";
    let codes = |text: &str| -> Vec<Code> {
        let loaded = guidepost_plc::load_text("wrong.plc", text, None);
        loaded.diagnostics.iter().filter(|message| message.is_error()).map(|message| message.code).collect()
    };
    assert_eq!(codes(RIGHT), []);
    let others = codes(&format!("{RIGHT}{further}"));
    assert!(others.len() >= 4, "{others:?}");
    let mut trouble = Vec::new();
    for (right, wrong) in slips {
        assert!(RIGHT.contains(right), "{right}");
        let text = RIGHT.replacen(right, wrong, 1);
        let (alone, together) = (codes(&text), codes(&format!("{text}{further}")));
        if alone.len() != 1 {
            trouble.push(format!("`{wrong}` alone: {alone:?}"));
        }
        let expected = others.len() + 1;
        if together.len() != expected {
            trouble.push(format!("`{wrong}` with {others:?}: {together:?}"));
        }
    }
    assert!(trouble.is_empty(), "{}", trouble.join("\n"));
}

/// Whatever is cut off or left out, the rest is read to its end, and what is translated is well-formed.
#[test]
fn no_slip_makes_the_front_end_stumble() {
    let words: Vec<(usize, &str)> =
        RIGHT.match_indices(|character: char| !character.is_alphanumeric()).collect();
    for (index, (at, _)) in words.iter().enumerate() {
        let behind = words.get(index + 1).map_or(RIGHT.len(), |(next, _)| *next);
        let (before, rest) = (&RIGHT[..*at], &RIGHT[behind..]);
        for text in [before, &RIGHT[*at..], &format!("{before}{rest}"), &format!("{before} ; {rest}")] {
            guidepost_plc::load_text("slip.plc", text, Some("slow"));
        }
    }
}
