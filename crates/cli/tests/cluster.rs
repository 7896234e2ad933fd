//! `--processes`, `--cluster`, checkpoints and `guidepost worker`.

mod common;

use common::{Scratch, check, guidepost};

const FISCHER: &str = "models/fischer.xml";
const FAULTY: &str = "models/fischer-faulty.xml";

#[test]
fn processes_find_what_one_search_finds() {
    let alone = check(&[
        FISCHER,
        "--select",
        "1,2,3,4",
        "--search",
        "bfs",
        "--without",
        "order,merging",
        "--format",
        "json",
    ])
    .expect(0)
    .json();
    for processes in ["1", "2", "3"] {
        let answers = check(&[FISCHER, "--select", "1,2,3,4", "--processes", processes, "--format", "json"])
            .expect(0)
            .json();
        for (own, other) in
            answers["results"].as_array().unwrap().iter().zip(alone["results"].as_array().unwrap())
        {
            if own["engine"] == "cluster" {
                assert_eq!(own["verdict"], other["verdict"], "{}", own["query"]);
                let workers = own["workers"].as_array().unwrap();
                assert_eq!(workers.len().to_string(), processes);
                let stored: u64 = workers.iter().filter_map(|worker| worker["stored"].as_u64()).sum();
                assert_eq!(own["statistics"]["stored"], stored);
            }
        }
    }
}

#[test]
fn runs_lead_through_several_processes() {
    let shortest =
        check(&[FAULTY, "--select", "2", "--trace", "shortest", "--format", "json"]).expect(0).json();
    let together =
        check(&[FAULTY, "--select", "2", "--trace", "shortest", "--processes", "3", "--format", "json"])
            .expect(0)
            .json();
    let trace = |answer: &serde_json::Value| answer["results"][0]["trace"].clone();
    assert_eq!(trace(&together)["length"], trace(&shortest)["length"]);
    assert_eq!(trace(&together)["optimal"], true);
    assert!(together["results"][0]["internal_error"].is_null());
}

#[test]
fn the_whole_state_space_is_the_same() {
    let alone =
        guidepost(&["states", "models/train-gate.xml", "--without", "order,merging", "--format", "json"])
            .expect(0)
            .json();
    let together = guidepost(&["states", "models/train-gate.xml", "--processes", "2", "--format", "json"])
        .expect(0)
        .json();
    for key in ["complete", "unreached", "untaken", "unserved", "ranges"] {
        assert_eq!(together[key], alone[key], "{key}");
    }
    assert_eq!(together["statistics"]["stored"], alone["statistics"]["stored"]);
    assert_eq!(together["workers"].as_array().map(Vec::len), Some(2));
}

#[test]
fn an_error_of_the_model_is_found_and_shown() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "wrong.xta",
        "int[0,3] n; process P() { state A; init A; trans A -> A { assign n = n + 1; }; } system P;",
    );
    let ran = check(&[&model, "--query", "A[] n < 9", "--processes", "2", "--trace", "some"]).expect(2);
    assert!(
        ran.stdout.contains("the model has an error") && ran.stdout.contains("3 transitions"),
        "{}",
        ran.stdout
    );
}

#[test]
fn other_questions_and_options_are_refused() {
    let ran = check(&[FISCHER, "--query", "A<> P(1).Critical", "--processes", "2"]).expect(2);
    assert!(
        ran.stdout.contains("the engine `cluster` does not answer questions about liveness"),
        "{}",
        ran.stdout
    );
    for options in [
        &["--search", "dfs"][..],
        &["--threads", "2"],
        &["--heuristic", "hl"],
        &["--convex-hull"],
        &["--trace", "fastest"],
        &["--engine", "lazy"],
        &["--store", "cdd"],
    ] {
        let ran = check(&[&[FISCHER, "--processes", "2"], options].concat()).expect(2);
        assert!(ran.stderr.contains("process"), "{options:?}: {}", ran.stderr);
    }
}

#[test]
fn limits_end_all_processes() {
    let scratch = Scratch::new();
    let model = scratch.path("large.xta");
    guidepost(&["generate", "fischer", "b", "12", "-o", &model]).expect(0);
    for (option, value, reason) in [
        ("--time-limit", "1", "time limit"),
        ("--memory-limit", "1", "memory limit"),
        ("--state-limit", "100", "state limit"),
    ] {
        let options = ["--processes", "2", "--without", "symmetry", option, value, "--format", "json"];
        let answer = check(&[&[&model[..], "--select", "1"], &options[..]].concat()).expect(3).json();
        let result = &answer["results"][0];
        assert_eq!(result["reason"], reason);
        assert!(result["statistics"]["explored"].as_u64() > Some(0), "{result}");
        // Each of the two keeps to it by itself, whenever they are added up.
        let is_small = result["statistics"]["stored"].as_u64() < Some(1000);
        assert!(is_small || option != "--state-limit", "{result}");
    }
}

#[test]
fn a_run_is_resumed_with_another_number_of_processes() {
    let scratch = Scratch::new();
    let (model, folder) = (scratch.path("large.xta"), scratch.path("kept"));
    guidepost(&["generate", "fischer", "b", "9", "-o", &model]).expect(0);
    let common = ["--select", "1", "--format", "json", "--without", "symmetry"];
    let ask = |options: &[&str]| check(&[&[&model[..]], &common[..], options].concat());
    let cut = ask(&["--processes", "2", "--checkpoint", &folder, "--every", "1", "--time-limit", "2"]);
    let none = check(&[FISCHER, "--processes", "2", "--resume", &scratch.path("nowhere")]).expect(2);
    assert!(none.stderr.contains("cannot be resumed: there is no checkpoint in"), "{}", none.stderr);
    if !std::path::Path::new(&folder).join("checkpoint.json").exists() {
        // A fast machine is done before there is one, a slow one has none in time.
        assert!([0, 3].contains(&cut.code), "{}", cut.stderr);
        return;
    }
    let whole = ask(&["--processes", "1"]).expect(0).json();
    for processes in ["2", "3"] {
        let resumed = ask(&["--processes", processes, "--resume", &folder]).expect(0).json();
        let (resumed, whole) = (&resumed["results"][0], &whole["results"][0]);
        assert_eq!(resumed["verdict"], whole["verdict"]);
        assert_eq!(resumed["statistics"]["stored"], whole["statistics"]["stored"]);
    }
    // Where the folder is does not matter.
    let (kept, folder) = (folder, scratch.path("moved"));
    std::fs::rename(&kept, &folder).unwrap();
    ask(&["--processes", "2", "--resume", &folder]).expect(0);
    let begun_again =
        ask(&["--processes", "2", "--resume", &folder, "--without", "slicing"]).expect(0).json();
    assert!(begun_again["results"][0]["notes"].to_string().contains("with other options"), "{begun_again}");
    let entries = std::fs::read_dir(&folder).expect("a checkpoint").filter_map(Result::ok);
    let is_states = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "states");
    let state_files: Vec<_> = entries.map(|entry| entry.path()).filter(is_states).collect();
    if let [first, second] = &state_files[..] {
        // Whole, but of somebody else.
        let own = std::fs::read(first).unwrap();
        std::fs::copy(second, first).unwrap();
        let mixed = ask(&["--processes", "2", "--resume", &folder]).expect(3);
        assert!(mixed.stdout.contains("it is a file of another checkpoint"), "{}", mixed.stdout);
        std::fs::write(first, own).unwrap();
    }
    if let Some(path) = state_files.first() {
        let mut bytes = std::fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(path, bytes).unwrap();
        let damaged = ask(&["--processes", "3", "--resume", &folder]).expect(3);
        assert!(damaged.stdout.contains(".states`: "), "{}", damaged.stdout);
    }
    let other = check(&[FISCHER, "--processes", "2", "--resume", &folder]).expect(2);
    assert!(other.stderr.contains("the checkpoint is of another model"), "{}", other.stderr);
}

#[test]
fn nothing_that_is_explored_before_a_limit_is_lost() {
    let scratch = Scratch::new();
    let model = scratch.path("large.xta");
    guidepost(&["generate", "fischer", "b", "8", "-o", &model]).expect(0);
    let ask = |options: &[&str]| check(&[&[&model, "--select", "1", "--format", "json"], options].concat());
    let whole = ask(&["--processes", "1"]).expect(0).json();
    let whole = &whole["results"][0];
    for (number, (option, value)) in
        [("--time-limit", "0.4"), ("--state-limit", "4000"), ("--memory-limit", "1")].into_iter().enumerate()
    {
        let folder = scratch.path(&format!("kept-{number}"));
        let checkpoint = ["--processes", "2", "--checkpoint", &folder, "--every", "1000"];
        let cut = ask(&[&checkpoint[..], &[option, value]].concat());
        if cut.code == 0 {
            // So fast a machine has no use for limits.
            continue;
        }
        let cut = cut.expect(3).json();
        let cut = &cut["results"][0];
        assert!(cut["notes"].to_string().contains("--resume"), "{option}: {cut}");
        for processes in ["2", "3"] {
            let resumed = ask(&["--processes", processes, "--resume", &folder]).expect(0).json();
            let resumed = &resumed["results"][0];
            assert_eq!(resumed["verdict"], whole["verdict"], "{option}");
            assert_eq!(resumed["statistics"]["stored"], whole["statistics"]["stored"], "{option}");
            let explored = |answer: &serde_json::Value| answer["statistics"]["explored"].as_u64();
            assert!(explored(resumed) >= explored(cut), "{option}: what was explored counts");
        }
    }
}

#[test]
fn wrong_hosts_and_lonely_workers_are_told_so() {
    let scratch = Scratch::new();
    let hosts = scratch.file(
        "hosts.toml",
        "coordinator = \"127.0.0.1:0\"\nsecret = \"none\"\n[[worker]]\naddress = \"127.0.0.1:0\"\n",
    );
    let ran = check(&[FISCHER, "--cluster", &hosts]).expect(2);
    assert!(ran.stderr.contains("none` cannot be read"), "{}", ran.stderr);
    scratch.file("none", "short\n");
    let ran = check(&[FISCHER, "--cluster", &hosts]).expect(2);
    assert!(ran.stderr.contains("the secret has 5 characters"), "{}", ran.stderr);
    let ran = guidepost(&["worker", "--cluster", &hosts, "--index", "2"]).expect(2);
    assert!(ran.stderr.contains("there is no worker 2") || ran.stderr.contains("secret"), "{}", ran.stderr);
    let ran = guidepost(&["worker", "--coordinator", "127.0.0.1:1", "--index", "1"]).expect(2);
    assert!(ran.stderr.contains("`--secret -` for standard input"), "{}", ran.stderr);
    let failing = scratch.file(
        "failing.toml",
        "coordinator = \"127.0.0.1:0\"\nsecret = \"long\"\n[[worker]]\naddress = \"127.0.0.1:0\"\nstart = [\"false\"]\n",
    );
    scratch.file("long", "long enough to be a secret\n");
    // Nothing is wrong with the model or the file; another time there may be a worker.
    let ran = check(&[FISCHER, "--cluster", &failing]).expect(3);
    assert!(
        ran.stderr.starts_with("error: the workers cannot work together: worker 1 ended before it connected"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("-->") && !ran.stderr.contains("E085"), "{}", ran.stderr);
    let ran = guidepost(&["states", FISCHER, "--cluster", &failing]).expect(3);
    assert!(ran.stderr.starts_with("error: the workers cannot work together: worker 1"), "{}", ran.stderr);
}
