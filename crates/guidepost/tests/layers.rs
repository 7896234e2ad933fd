//! Who may know whom: a crate depends on crates to its left, engines on no other engine, and what shows answers on no engine at all.

use std::path::Path;

/// The crates from left to right. Those of one group do not know each other.
const LAYERS: &[&[&str]] = &[
    &["language", "zones", "generate"],
    &["network", "plc", "machines"],
    &["answer", "certificate", "interchange"],
    &["abstraction", "report"],
    &["explore", "bench"],
    &["heuristics"],
    &["search", "cost", "walk", "refinement", "diagrams"],
    // The engine `zones` on several processes.
    &["cluster"],
    &["verify"],
    &["guidepost"],
    &["explorer", "lsp"],
    &["cli", "python"],
];
/// Crates that show answers: no crate between `answer` and `verify` may be among what they know.
const SHOWING: &[&str] = &["report", "bench"];
const ENGINES: &[&str] = &[
    "abstraction",
    "explore",
    "heuristics",
    "search",
    "cost",
    "walk",
    "refinement",
    "diagrams",
    "cluster",
    "verify",
];

/// The crates of the workspace that a crate depends on, tests aside.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).unwrap_or_else(|error| panic!("{name}: {error}"));
    let section = text.split("[dependencies]").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter_map(|word| match word {
            "guidepost" => Some("guidepost"),
            word => word.strip_prefix("guidepost-"),
        })
        .map(str::to_owned)
        .collect()
}

fn layer(name: &str) -> usize {
    let found = LAYERS.iter().position(|layer| layer.contains(&name));
    found.unwrap_or_else(|| panic!("`{name}` has no place among the layers"))
}

#[test]
fn dependencies_go_to_the_left() {
    for name in LAYERS.iter().copied().flatten() {
        for known in dependencies(name) {
            assert!(layer(&known) < layer(name), "`{name}` depends on `{known}`");
        }
    }
}

#[test]
fn what_shows_answers_knows_no_engine() {
    for name in SHOWING {
        for known in dependencies(name) {
            assert!(!ENGINES.contains(&known.as_str()), "`{name}` depends on `{known}`");
        }
    }
}

#[test]
fn every_crate_has_a_place() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for entry in std::fs::read_dir(crates).expect("the crates are there") {
        let name = entry.expect("a folder").file_name().into_string().expect("a name");
        // The oracle is for tests, and judges all.
        if name != "oracle" {
            layer(&name);
        }
    }
}
