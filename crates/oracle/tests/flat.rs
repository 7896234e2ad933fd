//! Networks that are written back as models are the same networks.
//!
//! `GUIDEPOST_FLAT_MODELS` names a folder with more models to go through.

mod common;

use common::flat::{Compared, compare};
use guidepost_generate::Family;
use guidepost_language::{load_file, load_text};
use guidepost_oracle::generate::QueryKind;
use guidepost_oracle::{Profile, random, random_queries};
use std::path::{Path, PathBuf};

#[track_caller]
fn assert_same(name: &str, text: &str, queries: &[String]) {
    let outcome = compare(&mut load_text(name, text), queries, 3000);
    assert!(matches!(outcome, Ok(Compared::Same)), "{outcome:?}\n-- original\n{text}");
}

#[test]
fn random_networks() {
    let kinds = [QueryKind::Reachability, QueryKind::Deadlock, QueryKind::Liveness, QueryKind::Bounds];
    for (offset, kind) in kinds.into_iter().enumerate() {
        let first = 700_000_000 + 1_000_000 * offset as u64;
        for seed in first..first + 400 {
            let profile = Profile::of(seed);
            let model = random(seed, profile);
            let queries = random_queries(&model, profile, kind, seed, 2);
            assert_same("model.xta", &model.to_string(), &queries);
        }
    }
}

#[test]
fn families() {
    let all = [
        "fischer a 3",
        "fischer b 3 --faulty",
        "fischer c 3",
        "arbiter 2 --faulty",
        "csma-cd 3",
        "fddi 2",
        "train-gate 3",
    ];
    for words in all {
        let family: Family = words.parse().expect("a family");
        let generated = family.generate();
        let queries: Vec<String> = generated.queries.iter().map(|query| query.formula.clone()).collect();
        assert_same("model.xta", &generated.model, &queries);
    }
}

fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        if path.is_dir() {
            found.extend(models(&path));
        } else if ["xml", "xta", "ta", "tck"].contains(&ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn the_models_of_the_project() {
    let paths = models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"));
    assert!(paths.len() > 10, "the models are where they were");
    for path in paths {
        let outcome = compare(&mut load_file(&path), &[], 3000);
        assert!(matches!(outcome, Ok(Compared::Same)), "{}: {outcome:?}", path.display());
    }
}

#[test]
fn other_models() {
    let Some(folder) = std::env::var_os("GUIDEPOST_FLAT_MODELS") else { return };
    let (mut same, mut wrong) = (0, 0);
    for path in models(Path::new(&folder)) {
        match compare(&mut load_file(&path), &[], 400) {
            Ok(Compared::Same) => same += 1,
            Ok(Compared::Unusable) => {}
            Ok(Compared::Refused(error)) => println!("{}: refused: {error}", path.display()),
            Err(message) => {
                wrong += 1;
                println!("{}: {}", path.display(), message.chars().take(2500).collect::<String>());
            }
        }
    }
    println!("{same} models are the same");
    assert_eq!(wrong, 0);
}
