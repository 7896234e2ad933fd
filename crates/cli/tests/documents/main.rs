//! The documents tell what the command does.

#[path = "../common/mod.rs"]
mod common;
mod page;
mod table;
mod transcripts;

use common::{guidepost, root};
use guidepost_language::diagnostic::Code;
use guidepost_report::summary::Feature;
use serde_json::Value;
use std::collections::BTreeSet;

fn document(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Everything that people read, by its path in the repository.
fn pages() -> Vec<String> {
    let mut names: Vec<String> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "models/README.md"]
            .map(str::to_owned)
            .to_vec();
    for folder in ["docs", "docs/journal"] {
        for entry in std::fs::read_dir(root().join(folder)).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "md") {
                names.push(format!("{folder}/{}", path.file_name().unwrap().display()));
            }
        }
    }
    names.sort();
    names
}

#[test]
fn every_code_is_listed_with_its_words() {
    let text = document("docs/diagnostics.md");
    for code in Code::ALL {
        let row = format!("| `{}` | {} |", code.id(), code.title());
        assert!(text.contains(&row), "docs/diagnostics.md lacks: {row}");
    }
    let rows = text.lines().filter(|line| line.starts_with("| `E") || line.starts_with("| `W")).count();
    assert_eq!(rows, Code::ALL.len(), "no codes that do not exist");
}

#[test]
fn every_feature_is_listed() {
    let text = document("docs/json.md");
    for feature in Feature::ALL {
        assert!(text.contains(&format!("`{}`", feature.id())), "docs/json.md lacks {}", feature.id());
    }
}

#[test]
fn every_command_and_option_is_described() {
    let text = document("docs/cli.md");
    let help = guidepost(&["--help"]).expect(0).stdout;
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() >= 5, "{help}");
    for command in commands {
        assert!(text.contains(&format!("\n## {command}\n")), "docs/cli.md has no section about {command}");
        let help = guidepost(&[command, "--help"]).expect(0).stdout;
        let options = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
        for option in options.flat_map(|line| line.split([' ', ',', '='])) {
            if let Some(name) = option.strip_prefix("--").filter(|name| *name != "help") {
                assert!(text.contains(&format!("--{name}")), "docs/cli.md lacks --{name} of {command}");
            }
        }
    }
}

/// All keys of a value, except those of maps whose keys come from the model.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        Value::Object(map) => {
            for (key, value) in map {
                found.insert(key.clone());
                if !matches!(key.as_str(), "locations" | "variables" | "clocks" | "select") {
                    keys(value, found);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn every_key_is_documented() {
    let text = document("docs/json.md");
    let answers = [
        guidepost(&["info", "models/vending-machine.xml", "--format", "json"]),
        guidepost(&["simulate", "models/train-gate.xml", "--format", "json"]),
    ];
    let mut found = BTreeSet::new();
    for answer in answers {
        keys(&answer.expect(0).json(), &mut found);
    }
    assert!(found.len() > 20);
    for key in found {
        let documented = text.contains(&format!("`{key}`")) || text.contains(&format!("\"{key}\":"));
        assert!(documented, "docs/json.md lacks `{key}`");
    }
}

#[test]
fn links_lead_somewhere() {
    for name in pages() {
        let text = document(&name);
        let folder = root().join(&name).parent().unwrap().to_owned();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            if link.starts_with("http") {
                continue;
            }
            let target = if path.is_empty() { root().join(&name) } else { folder.join(path) };
            assert!(target.exists(), "{name}: {link}");
            if !anchor.is_empty() {
                let heading = |line: &str| {
                    line.starts_with('#')
                        && line.trim_start_matches(['#', ' ']).to_lowercase().replace(' ', "-") == anchor
                };
                let target = std::fs::read_to_string(target).unwrap();
                assert!(target.lines().any(heading), "{name}: {link}");
            }
        }
    }
}
