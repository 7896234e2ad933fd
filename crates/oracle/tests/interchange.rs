//! Models in the formats of other tools have the same states.
//!
//! Random networks are compared by what their region graphs reach, which is exact; models by the number of symbolic states. `GUIDEPOST_INTERCHANGE_MODELS` names a
//! folder whose models are all compared, with as many states as `GUIDEPOST_INTERCHANGE_STATES` says; `GUIDEPOST_ORACLE_NETWORKS` makes more random networks.

use guidepost_answer::Limits;
use guidepost_interchange::System;
use guidepost_language::{Loaded, load_file, load_text};
use guidepost_network::{Network, build};
use guidepost_oracle::regions::Limits as RegionLimits;
use guidepost_oracle::{Profile, RegionGraph, explore, random};
use guidepost_search::{Configuration, survey};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// What a model is in another format, read again; or why it is nothing there.
type Exchange = fn(&Loaded, &Network) -> Result<Loaded, String>;

fn tck(loaded: &Loaded, network: &Network) -> Result<Loaded, String> {
    let text = System::for_tck("model", loaded, network).and_then(|system| system.to_tck());
    Ok(load_text("model.tck", &text.map_err(|refusal| refusal.to_string())?))
}

/// JANI can say a little more than what is read of it: that is refused when it is read.
fn jani(loaded: &Loaded, network: &Network) -> Result<Loaded, String> {
    let text = System::for_jani("model", loaded, network).and_then(|system| system.to_jani());
    let text = text.map_err(|refusal| refusal.to_string())?;
    let system = System::from_jani(&text)?;
    system.to_tck().map_err(|refusal| refusal.to_string())?;
    Ok(guidepost_interchange::load_text("model.jani", &text))
}

const FORMATS: [(&str, Exchange); 2] = [("tck", tck), ("jani", jani)];

#[track_caller]
fn network(loaded: &Loaded, about: &str) -> Network {
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|message| message.is_error()).collect();
    let text = loaded.sources.files().next().map(|(_, file)| file.text.clone()).unwrap_or_default();
    assert!(errors.is_empty(), "{about}: {errors:?}\n{text}");
    build(&loaded.model).0.unwrap_or_else(|| panic!("{about}: it can be built\n{text}"))
}

/// How many combinations of locations and values are reached. (Regions themselves depend on constants of edges that never happen, which are left out.)
fn discrete(graph: &RegionGraph<'_>) -> usize {
    let cells: BTreeSet<&[i32]> = (0..graph.len() as u32).map(|state| graph.cells(state)).collect();
    cells.len()
}

#[test]
fn random_networks_reach_the_same() {
    let count = number("GUIDEPOST_ORACLE_NETWORKS", 400);
    let limits = RegionLimits { states: 4_000, constant: 40 };
    let mut compared = BTreeMap::new();
    for seed in 910_000_000..910_000_000 + count {
        let profile = Profile { range_violations: false, priorities: false, ..Profile::of(seed) };
        let model = random(seed, profile).to_string();
        let loaded = load_text("model.xta", &model);
        let original = network(&loaded, &model);
        let Ok(graph) = explore(&original, &[], &[], limits) else { continue };
        if !graph.failures.is_empty() {
            continue;
        }
        for (name, exchange) in FORMATS {
            let Ok(again) = exchange(&loaded, &original) else { continue };
            let again = network(&again, &format!("{name} of {model}"));
            let other = explore(&again, &[], &[], limits)
                .unwrap_or_else(|_| panic!("{name}, seed {seed}: more regions\n{model}"));
            assert_eq!(discrete(&graph), discrete(&other), "{name}, seed {seed}\n{model}");
            *compared.entry(name).or_insert(0) += 1;
        }
    }
    println!("compared: {compared:?} of {count}");
    assert!(compared["tck"] * 20 > count, "{compared:?}");
}

/// How many states are stored; `None` if there are too many, or it takes too long.
fn states(network: &Network, most: u64) -> Option<u64> {
    let limits = Limits { states: Some(most), time: Some(Duration::from_secs(10)), ..Limits::default() };
    let found =
        survey(network, &Configuration { limits, ..Configuration::default() }, &mut |_| ()).ok()?.survey;
    found.outcome.is_decided().then_some(found.statistics.stored)
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

/// How often something came of a format.
#[derive(Default, Debug)]
struct Tally {
    same: usize,
    /// One exploration ended and the other did not, for want of time.
    unfinished: usize,
    different: Vec<String>,
    refused: BTreeMap<String, usize>,
}

fn compare(paths: &[PathBuf], most: u64, shows: bool) -> BTreeMap<&'static str, Tally> {
    let mut tallies: BTreeMap<&'static str, Tally> = BTreeMap::new();
    for path in paths {
        let loaded = load_file(path);
        if loaded.diagnostics.has_errors() {
            continue;
        }
        let Some(original) = build(&loaded.model).0 else { continue };
        if original.edges.len() > 3_000 {
            continue;
        }
        let Some(count) = states(&original, most) else { continue };
        for (name, exchange) in FORMATS {
            let tally = tallies.entry(name).or_default();
            match exchange(&loaded, &original) {
                Err(refusal) => {
                    if shows {
                        println!("{}: {refusal}", path.display());
                    }
                    // The kinds of reasons, whatever the names are.
                    let reason: Vec<_> = refusal.split('`').step_by(2).collect();
                    *tally.refused.entry(reason.join("…")).or_insert(0) += 1;
                }
                Ok(again) => match states(&network(&again, &path.display().to_string()), most * 4) {
                    Some(other) if other == count => tally.same += 1,
                    None => tally.unfinished += 1,
                    other => tally.different.push(format!("{}: {count} and {other:?}", path.display())),
                },
            }
        }
    }
    tallies
}

#[test]
fn the_models_of_the_project_have_the_same_states() {
    let paths = models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"));
    let tallies = compare(&paths, 20_000, false);
    for (name, tally) in &tallies {
        assert!(tally.different.is_empty(), "{name}: {tally:#?}");
    }
    assert!(tallies["tck"].same >= 3, "{tallies:#?}");
}

#[test]
fn public_models_have_the_same_states() {
    let (paths, most) = match std::env::var_os("GUIDEPOST_INTERCHANGE_MODELS") {
        Some(folder) => (models(Path::new(&folder)), number("GUIDEPOST_INTERCHANGE_STATES", 100_000)),
        None => {
            let all = models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models"));
            (all.into_iter().step_by(60).collect(), 300)
        }
    };
    let tallies = compare(&paths, most, std::env::var_os("GUIDEPOST_INTERCHANGE_MODELS").is_some());
    println!("{tallies:#?}");
    for (name, tally) in &tallies {
        assert!(tally.different.is_empty(), "{name}: {:#?}", tally.different);
    }
}
