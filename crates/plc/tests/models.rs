//! The case studies of `models/plc`: every variant can be read and built, has its size, and the small ones their answers.

use guidepost_answer::{Evidence, RunKind, Verdict};
use guidepost_language::syntax::Expectation;
use guidepost_network::{Network, build, compile_query};
use guidepost_plc::{ModelPath, load_file, variants};
use guidepost_search::{Order, Strategy};
use guidepost_verify::Settings;
use std::path::{Path, PathBuf};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/plc").join(name)
}

fn names(file: &str) -> Vec<String> {
    variants(&std::fs::read_to_string(path(file)).expect("the case study is there"))
}

fn network(file: &str, variant: Option<&str>) -> (guidepost_language::Loaded, Network) {
    let loaded = load_file(&ModelPath { file: path(file), variant: variant.map(str::to_owned) });
    assert!(loaded.diagnostics.is_empty(), "{file} {variant:?}: {:?}", loaded.diagnostics);
    assert!(loaded.query_diagnostics.is_empty(), "{file} {variant:?}: {:?}", loaded.query_diagnostics);
    let (network, found) = build(&loaded.model);
    assert!(found.is_empty(), "{file} {variant:?}: {found:?}");
    (loaded, network.expect("a network without messages"))
}

/// The shortest errors of a variant, or `None` for properties that hold; compared with what the file expects.
fn shortest_errors(file: &str, variant: Option<&str>, strategy: Option<Strategy>) -> Vec<Option<usize>> {
    let (loaded, network) = network(file, variant);
    let queries = loaded.model.queries.iter();
    let compiled: Vec<_> =
        queries.map(|query| compile_query(&network, &loaded.model, query).expect("supported")).collect();
    let settings = Settings { strategy, run: RunKind::Shortest, ..Settings::default() };
    let answers = settings.engine().answers(&network, &compiled).expect("supported");
    for (answer, entry) in answers.iter().zip(&loaded.document.queries) {
        let found = match answer.verdict() {
            Verdict::Satisfied => Expectation::Satisfied,
            Verdict::NotSatisfied => Expectation::NotSatisfied,
            Verdict::Undecided => panic!("{:?}", answer.stop_reason()),
        };
        assert_eq!(entry.expect, Some(found), "{file} {variant:?}: {}", entry.comment);
    }
    answers.iter().map(|answer| answer.evidence.as_ref().map(Evidence::length)).collect()
}

/// The same for systems with one property, by breadth-first search.
fn shortest_error(file: &str, variant: Option<&str>) -> Option<usize> {
    let errors = shortest_errors(file, variant, Some(Strategy::Blind(Order::BreadthFirst)));
    assert_eq!(errors.len(), 1);
    errors[0]
}

/// Processes, clocks, variables, channels.
fn size(file: &str, variant: &str) -> [usize; 4] {
    let (_, network) = network(file, Some(variant));
    [network.processes.len(), network.clocks.len() - 1, network.variables.len(), network.channels.len()]
}

#[test]
fn every_variant_is_read_and_built_without_a_message() {
    for file in ["watchdog.plc", "mutex.plc", "line-segment.plc"] {
        network(file, None);
        for variant in names(file) {
            network(file, Some(&variant));
        }
    }
}

/// The sizes of the C series are those that Kupferschmid (Directed model checking for timed automata, 2009) gives.
#[test]
fn the_line_segment_has_the_published_sizes() {
    let published = [
        ("C1", [5, 3, 12, 3]),
        ("C2", [6, 3, 14, 3]),
        ("C3", [6, 3, 15, 3]),
        ("C4", [7, 3, 17, 3]),
        ("C5", [8, 3, 19, 3]),
        ("C6", [9, 3, 21, 3]),
        ("C7", [10, 3, 23, 3]),
        ("C8", [10, 3, 24, 3]),
        ("C9", [10, 3, 25, 3]),
    ];
    for (variant, expected) in published {
        assert_eq!(size("line-segment.plc", variant), expected, "{variant}");
    }
    assert_eq!(size("line-segment.plc", "D1")[0], 7);
    assert_eq!(size("line-segment.plc", "D9")[0], 13);
    assert_eq!(size("line-segment.plc", "E1")[0], 9);
    assert_eq!(size("line-segment.plc", "E9")[0], 13);
}

#[test]
fn the_hand_over_must_take_long_enough() {
    assert_eq!(shortest_error("line-segment.plc", Some("C1")), Some(52));
    assert_eq!(shortest_error("line-segment.plc", Some("C2")), Some(52));
    assert_eq!(shortest_error("line-segment.plc", Some("core")), None);
    // C9 is too large for breadth-first search, and not for a search that chooses its own heuristics.
    let by_itself = |variant| shortest_errors("line-segment.plc", Some(variant), None);
    assert_eq!(by_itself("C9"), [Some(55)]);
    assert_eq!(by_itself("C9_correct"), [None]);
}

#[test]
fn mutual_exclusion_needs_patience_and_the_right_bound() {
    assert_eq!(shortest_error("mutex.plc", Some("naive")), Some(18));
    assert_eq!(shortest_error("mutex.plc", Some("M1")), Some(50));
    assert_eq!(shortest_error("mutex.plc", Some("N1")), Some(52));
    assert_eq!(shortest_error("mutex.plc", Some("abstract")), None);
}

#[test]
fn the_watchdog_keeps_its_promises() {
    let errors = shortest_errors("watchdog.plc", None, Some(Strategy::Blind(Order::BreadthFirst)));
    assert_eq!(errors.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, false, true]);
}
