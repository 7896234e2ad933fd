//! Checks of machines by diagrams, against listing all configurations: every method, with and without shortcuts, on flat and on nested systems.
//!
//! For a long run: `GUIDEPOST_ORACLE_NETWORKS=100000 GUIDEPOST_ORACLE_SEED=1 cargo test --release -p guidepost-oracle --test machines -- --nocapture`

use guidepost_answer::Limits;
use guidepost_diagrams::{Method, Options, check};
use guidepost_machines::sem::{Configuration, Interpreter, System, load_text, lockstep, write};
use guidepost_oracle::machines::{Explored, Faults, Shape, explore_machines, random_system};

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn hunt(first: u64, systems: u64, shape: Shape, examine: impl Fn(u64, &System)) {
    let first = first + number("GUIDEPOST_ORACLE_SEED", 0);
    for seed in first..first + number("GUIDEPOST_ORACLE_NETWORKS", systems) {
        examine(seed, &random_system(seed, shape));
    }
}

/// Everything that one method finds must be what the list says; each evidence is replayed.
fn compare(seed: u64, system: &System, explored: &Explored, expected: &Faults, options: &Options) {
    let context = || format!("seed {seed}, {options:?}\n{}", write(system));
    let found =
        check(system, options, &Limits::default()).unwrap_or_else(|stop| panic!("{stop} {}", context()));
    assert_eq!(found.undecided, [], "{}", context());
    assert_eq!(found.not_shortest, [] as [usize; 0], "{}", context());
    let mut faults = Faults::new();
    for finding in &found.findings {
        let length = finding.evidence.as_ref().map(Vec::len);
        faults.entry((finding.kind, finding.place.clone())).or_default().push(length);
        if let Some(events) = &finding.evidence {
            assert!(explored.shows(finding.kind, &finding.place, events), "{finding:?} {}", context());
        }
    }
    for lengths in faults.values_mut() {
        lengths.sort_unstable();
    }
    assert_eq!(&faults, expected, "{}", context());
}

fn all_methods(seed: u64, system: &System) {
    let Some(explored) = explore_machines(system, 1000) else { return };
    let mut expected = explored.faults();
    for lengths in expected.values_mut() {
        lengths.sort_unstable();
    }
    for (method, _) in Method::ALL {
        let shortcuts = seed.is_multiple_of(2);
        let options = Options {
            method,
            // Far more than needed: unused nodes are collected at the side, and later on a busy machine.
            nodes: Some(1 << 18),
            walks: shortcuts,
            implications: shortcuts,
            ..Options::default()
        };
        compare(seed, system, &explored, &expected, &options);
    }
}

#[test]
fn all_methods_agree_with_the_list_of_flat_configurations() {
    hunt(0, 1000, Shape { depth: 1, size: 3.0 }, all_methods);
}

#[test]
fn all_methods_agree_with_the_list_of_nested_configurations() {
    hunt(1_000_000, 600, Shape { depth: 3, size: 2.0 }, all_methods);
}

#[test]
fn all_methods_agree_on_deep_systems() {
    hunt(2_000_000, 250, Shape { depth: 5, size: 2.5 }, all_methods);
}

#[test]
fn both_interpreters_agree_on_flat_systems() {
    hunt(3_000_000, 1000, Shape { depth: 1, size: 3.0 }, |seed, system| {
        let interpreter = Interpreter::new(system);
        let mut now = interpreter.initial();
        for step in 0..20 {
            for event in system.event_ids() {
                let steps = interpreter.steps(&now, event).into_iter().map(|step| step.target);
                let mut steps: Vec<Configuration> = steps.collect();
                steps.sort();
                steps.dedup();
                let others = lockstep::successors(system, &now.0, event).into_iter().map(Configuration);
                let mut others: Vec<Configuration> = others.collect();
                others.sort();
                assert_eq!(steps, others, "seed {seed}, step {step}\n{}", write(system));
                now = steps.swap_remove((seed as usize + step) % steps.len());
            }
        }
    });
}

#[test]
fn what_is_written_is_read_again() {
    hunt(4_000_000, 2000, Shape { depth: 4, size: 3.0 }, |seed, system| {
        let text = write(system);
        let again = load_text("random.sem", &text).system.unwrap_or_else(|| panic!("seed {seed}\n{text}"));
        let sorted = |system: &System| {
            let mut transitions: Vec<String> =
                system.transitions.iter().map(|transition| format!("{transition:?}")).collect();
            transitions.sort();
            transitions
        };
        assert_eq!(again.states.len(), system.states.len(), "seed {seed}\n{text}");
        let same_names = |a: &System, b: &System| a.state_ids().all(|id| a.path(id) == b.path(id));
        if same_names(&again, system) {
            assert_eq!(again.states, system.states, "seed {seed}\n{text}");
            assert_eq!(sorted(&again), sorted(system), "seed {seed}\n{text}");
        }
        assert_eq!(write(&again), text, "seed {seed}");
    });
}
