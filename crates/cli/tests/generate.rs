//! `guidepost generate`, end to end.

mod common;

use common::{Scratch, guidepost};

#[test]
fn a_model_goes_to_standard_output_with_its_queries_as_comments() {
    let ran = guidepost(&["generate", "fischer", "b", "4", "--faulty"]).expect(0);
    assert!(ran.stdout.contains("const int N = 4;"), "{}", ran.stdout);
    assert!(ran.stdout.contains("// expect: satisfied\n// E<> P(1).Critical and P(2).Critical\n"));
    let scratch = Scratch::new();
    let model = scratch.file("piped.xta", &ran.stdout);
    guidepost(&["info", &model]).expect(0);
}

#[test]
fn text_has_its_queries_beside_it_and_xml_inside() {
    let scratch = Scratch::new();
    let (text, xml) = (scratch.path("m.xta"), scratch.path("n.xml"));
    for (words, number) in [
        (&["fischer", "c", "3"][..], 2),
        (&["arbiter", "2", "--faulty"], 2),
        (&["csma-cd", "3"], 3),
        (&["fddi", "3"], 3),
        (&["train-gate", "2"], 4),
    ] {
        for path in [&text, &xml] {
            let mut args = vec!["generate"];
            args.extend(words);
            args.extend(["-o", path, "--force"]);
            guidepost(&args).expect(0);
            // The exit code is 0 only if every answer is as expected.
            let answers = guidepost(&["check", path, "--format", "json"]).expect(0).json();
            let results = answers["results"].as_array().unwrap();
            assert_eq!(results.len(), number, "{words:?}");
            assert!(results.iter().all(|result| result["expected"] == true), "{words:?}");
        }
    }
}

#[test]
fn only_the_queries_can_be_written() {
    let scratch = Scratch::new();
    let path = scratch.path("only.q");
    guidepost(&["generate", "fddi", "2", "-o", &path]).expect(0);
    assert!(std::fs::read_to_string(path).unwrap().contains("// expect: not satisfied\nE<> "));
}

#[test]
fn nothing_is_overwritten_by_accident() {
    let scratch = Scratch::new();
    let path = scratch.path("m.xta");
    let queries = scratch.file("m.q", "mine");
    let ran = guidepost(&["generate", "fddi", "2", "-o", &path]).expect(2);
    assert!(ran.stderr.contains("m.q` exists; use --force"), "{}", ran.stderr);
    assert!(!std::path::Path::new(&path).exists());
    assert_eq!(std::fs::read_to_string(queries).unwrap(), "mine");
}

#[test]
fn wrong_words_are_refused_with_what_would_be_right() {
    for (args, message) in [
        (&["fisher", "3"][..], "there is no family `fisher`; there are fischer, arbiter"),
        (&["fischer", "3"], "`3` is not the variant a, b or c; it is `fischer a|b|c N [--faulty]`"),
        (&["fischer", "a"], "the number of processes is missing"),
        (&["arbiter", "40"], "the height of the tree must be between 2 and 16, not 40"),
        (&["csma-cd", "3", "--faulty"], "`--faulty` is too much"),
        (&["fddi", "3", "-o", "ring.dot"], "end it in .xta, .xml (with the queries) or .q"),
    ] {
        let ran = guidepost(&[&["generate"], args].concat()).expect(2);
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
        assert!(ran.stdout.is_empty());
    }
    guidepost(&["generate"]).expect(2);
}

#[test]
fn help_lists_the_families() {
    let help = guidepost(&["generate", "--help"]).expect(0).stdout;
    for family in
        ["fischer a|b|c N [--faulty]", "arbiter HEIGHT [--faulty]", "csma-cd N", "fddi N", "train-gate N"]
    {
        assert!(help.contains(family), "{help}");
    }
}
