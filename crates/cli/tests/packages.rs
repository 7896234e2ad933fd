//! What packages are made of: manual pages, completions, the version; and what code hosts read.

mod common;

use common::{Scratch, guidepost, root};

#[test]
fn manual_pages_are_there_for_every_command() {
    let scratch = Scratch::new();
    let folder = scratch.path("man/man1");
    guidepost(&["man", &folder]).expect(0);
    for (page, word) in [
        ("guidepost.1", "directed model checker"),
        ("guidepost-check.1", "search"),
        ("guidepost-verifyta.1", "trace"),
    ] {
        let text = std::fs::read_to_string(format!("{folder}/{page}"))
            .unwrap_or_else(|error| panic!("{page}: {error}"));
        assert!(text.contains(".TH") && text.contains(word), "{page}");
        assert!(!text.contains("bitstate"), "{page} lists what is not supported");
    }
    let file = scratch.file("file", "in the way");
    let ran = guidepost(&["man", &file]).expect(2);
    assert!(ran.stderr.contains("cannot write to"), "{}", ran.stderr);
}

#[test]
fn the_version_names_the_commit() {
    let ran = guidepost(&["--version"]).expect(0);
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    assert_eq!(words[..2], ["guidepost", env!("CARGO_PKG_VERSION")]);
    if let Some(commit) = words.get(2) {
        let commit = commit.trim_matches(['(', ')']);
        assert!(commit.len() >= 7 && commit.chars().all(|c| c.is_ascii_hexdigit()), "{}", ran.stdout);
    }
}

/// Files that the Debian package takes from the repository; those that are built are not there yet.
#[test]
fn what_is_packaged_exists() {
    let manifest = std::fs::read_to_string(root().join("crates/cli/Cargo.toml")).unwrap();
    let assets = manifest.lines().filter_map(|line| line.trim().strip_prefix("[\"../../"));
    let assets: Vec<&str> = assets.filter_map(|line| line.split('"').next()).collect();
    assert!(assets.len() >= 6, "{assets:?}");
    for asset in assets.iter().filter(|asset| !asset.starts_with("target/")) {
        let folder = asset.split_once("/*").map_or(*asset, |(folder, _)| folder);
        assert!(root().join(folder).exists(), "{asset}");
    }
}

#[test]
fn mistakes_and_warnings_are_written_for_code_hosts() {
    let scratch = Scratch::new();
    let wrong =
        scratch.file("wrong.xta", "clock x;\nprocess P() { state A { x <= n }; init A; } system P, Q;");
    let ran = guidepost(&["info", &wrong, "--format", "sarif"]).expect(2);
    let log = ran.json();
    assert_eq!(log["version"], "2.1.0");
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    assert_eq!(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    assert_eq!(ran.stderr, "");

    let model = scratch.file("m.xta", "process P() { state A, B; init A; trans A -> B { }; } system P;");
    scratch.file("m.q", "E<> P.B\nE<> P.C\n");
    let log = guidepost(&["info", &model, "--format", "sarif"]).expect(0).json();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let wrong = results.iter().find(|result| result["level"] == "error").expect("the query is wrong");
    let place = &wrong["locations"][0]["physicalLocation"];
    assert!(place["artifactLocation"]["uri"].as_str().unwrap().ends_with("m.q"), "{place}");
    assert_eq!(place["region"]["startLine"], 2);

    let fine = guidepost(&["info", "models/fischer.xml", "--format", "sarif"]).expect(0).json();
    assert_eq!(fine["runs"][0]["results"].as_array().map(Vec::len), Some(0));
}
