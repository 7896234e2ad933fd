//! The command from the outside: exit codes, streams, formats, bad input.

mod common;

use common::{Scratch, guidepost, root};
use serde_json::Value;

const LAMP: &str = "models/lamp.ta";
const GATE: &str = "models/train-gate.xml";

const THREE_MISTAKES: &str = "clock x;
int n = 0;
process P() {
    state A { x <= lenght }, B;
    init A;
    trans A -> B { guard m > 0; assign n = y; };
}
system P;
";

/// Runs out of the range of `n` on its first step.
const OVERFLOW: &str = "int[0,1] n = 1;
process P() { state A; init A; trans A -> A { assign n = n + 1; }; }
system P;
";

const TIME_LOCK: &str = "clock x;
process P() { state A { x <= 3 }; init A; }
system P;
";

fn is_plain(text: &str) -> bool {
    !text.contains('\u{1b}')
}

#[test]
fn help_and_version_go_to_standard_output() {
    for args in [&["--help"][..], &["--version"], &["info", "--help"], &["help", "simulate"]] {
        let ran = guidepost(args).expect(0);
        assert!(!ran.stdout.is_empty() && ran.stderr.is_empty(), "{args:?}");
        assert!(is_plain(&ran.stdout));
    }
    assert!(guidepost(&["--version"]).stdout.starts_with("guidepost "));
}

#[test]
fn a_wrong_command_line_is_2_and_goes_to_standard_error() {
    let wrong: [&[&str]; 10] = [
        &[],
        &["frobnicate"],
        &["info"],
        &["info", "--nonsense", GATE],
        &["info", GATE, "--format", "yaml"],
        &["simulate", GATE, "--steps", "many"],
        &["convert", GATE],
        &["completions", "cobol"],
        &["check", GATE, "--memory-limit", "0"],
        &["check", GATE, "--search", "beam", "--beam-width", "0"],
    ];
    for args in wrong {
        let ran = guidepost(args).expect(2);
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty(), "{args:?}");
        assert!(is_plain(&ran.stderr));
    }
}

#[test]
fn bad_files_are_2_with_a_message() {
    let scratch = Scratch::new();
    let nonsense: Vec<u8> = (0..=255).cycle().take(4096).collect();
    let files = [
        scratch.path("missing.xml"),
        scratch.path(""),
        scratch.file("empty.xml", ""),
        scratch.file("empty.xta", ""),
        scratch.file("empty.tck", ""),
        scratch.file("binary.xml", &nonsense),
        scratch.file("binary.xta", &nonsense),
        scratch.file("binary.tck", &nonsense),
        scratch.file("zeros.xml", [0; 100]),
        scratch.file("half.xml", "<nta><template><name>P</name>"),
        scratch.file("other.xml", "<html><body>not a model</body></html>"),
    ];
    for file in &files {
        for command in ["info", "simulate"] {
            let ran = guidepost(&[command, file]).expect(2);
            assert!(ran.stdout.is_empty(), "{command} {file}: {}", ran.stdout);
            assert!(ran.stderr.starts_with("error"), "{command} {file}: {}", ran.stderr);
            assert!(is_plain(&ran.stderr));
        }
        let ran = guidepost(&["convert", file, &scratch.path("out.xta")]).expect(2);
        assert!(ran.stderr.starts_with("error"), "convert {file}: {}", ran.stderr);
    }
    assert!(!std::path::Path::new(&scratch.path("out.xta")).exists());
}

#[test]
fn three_mistakes_are_three_messages() {
    let scratch = Scratch::new();
    let model = scratch.file("wrong.xta", THREE_MISTAKES);
    let ran = guidepost(&["info", &model]).expect(2);
    assert!(ran.stdout.is_empty());
    let messages: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("error[")).collect();
    assert_eq!(messages.len(), 3, "{}", ran.stderr);
    for (name, place) in [("lenght", ":4:20"), ("`m`", ":6:26"), ("`y`", ":6:44")] {
        assert!(messages.iter().any(|message| message.contains(name)), "{name}: {messages:?}");
        assert!(ran.stderr.contains(place), "{place}: {}", ran.stderr);
    }
}

#[test]
fn messages_as_json_are_one_object_a_line() {
    let scratch = Scratch::new();
    let model = scratch.file("wrong.xta", THREE_MISTAKES);
    let ran = guidepost(&["info", &model, "--message-format", "json"]).expect(2);
    let messages: Vec<Value> =
        ran.stderr.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect();
    let errors: Vec<_> = messages.iter().filter(|message| message["severity"] == "error").collect();
    assert_eq!(errors.len(), 3);
    for error in errors {
        assert!(error["code"].as_str().is_some_and(|code| code.starts_with('E')));
        assert_eq!(error["file"], model.as_str());
        assert!(error["line"].is_u64() && error["column"].is_u64() && error["message"].is_string());
    }
}

#[test]
fn info_is_plain_text_on_standard_output() {
    let ran = guidepost(&["info", GATE]).expect(0);
    assert!(ran.stderr.is_empty() && is_plain(&ran.stdout));
    for part in ["train-gate.xml", "4 processes", "process sets", "checkable   yes", "A[] not deadlock"] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
}

#[test]
fn info_as_json_has_its_keys() {
    let info = guidepost(&["info", GATE, "--format", "json"]).expect(0).json();
    assert_eq!(info["tool"], "guidepost");
    assert_eq!(info["model"], GATE);
    assert_eq!(info["format"], "xml");
    assert_eq!(info["checkable"], true);
    assert_eq!(info["sizes"]["processes"], 4);
    assert_eq!(info["sizes"]["queries"], 8);
    let features = info["features"].as_array().unwrap();
    for feature in ["process-sets", "select", "functions", "arrays", "urgent-channels", "urgent-locations"] {
        assert!(features.iter().any(|used| used == feature), "{feature}: {features:?}");
    }
    for query in info["queries"].as_array().unwrap() {
        assert_eq!(query["supported"], true, "{query}");
        assert!(query["expect"].is_string() || query["expect"].is_number(), "{query}");
    }
    assert_eq!(info["queries"][0]["kind"], "always");
    assert_eq!(info["queries"][3]["kind"], "leads-to");
    assert_eq!(info["queries"][7]["kind"], "sup");
}

#[test]
fn info_says_what_is_wrong_with_a_query_and_goes_on() {
    let scratch = Scratch::new();
    let model = scratch.file("m.xta", "process P() { state A; init A; }\nsystem P;\n");
    scratch.file("m.q", "E<> P.A\nE<> P.B\nPr[<=10](<> P.A)\n");
    let info = guidepost(&["info", &model, "--format", "json"]).expect(0).json();
    assert_eq!(info["queries"][0]["supported"], true);
    assert_eq!(info["queries"][1]["supported"], false);
    assert_eq!(info["queries"][1]["problems"][0]["code"], "E024");
    assert_eq!(info["queries"][2]["kind"], "foreign");
    assert_eq!(info["queries"][2]["problems"][0]["code"], "E071");
    assert!(guidepost(&["info", &model]).expect(0).stdout.contains("E024"));
}

#[test]
fn info_says_why_a_model_cannot_be_checked() {
    let scratch = Scratch::new();
    let large = "int a[1000][1000][1000];\nprocess P() { state A; init A; trans A -> A { guard a[0][0][0] == 0; }; }\nsystem P;\n";
    let double = "double d = 0.5;\nprocess P() { state A; init A; trans A -> A { assign d = d + 1.0; }; }\nsystem P;\n";
    for (name, text, code) in [("large.xta", large, "E084"), ("double.xta", double, "E085")] {
        let model = scratch.file(name, text);
        let info = guidepost(&["info", &model, "--format", "json"]).expect(0).json();
        assert_eq!(info["checkable"], false, "{name}");
        assert_eq!(info["sizes"]["processes"], Value::Null);
        assert_eq!(info["obstacles"][0]["code"], code, "{name}");
        assert!(guidepost(&["info", &model]).expect(0).stdout.contains("checkable   no"));
        guidepost(&["simulate", &model]).expect(2);
    }
}

#[test]
fn simulate_prints_a_plain_table() {
    let ran = guidepost(&["simulate", LAMP, "--steps", "50"]).expect(0);
    assert!(ran.stderr.is_empty() && is_plain(&ran.stdout));
    let mut lines = ran.stdout.lines();
    assert_eq!(lines.next(), Some("step  time  delay  sync    process  move"));
    assert!(ran.stdout.contains("press!  Visitor  here -> here"), "{}", ran.stdout);
    assert!(ran.stdout.contains("press?  Lamp     off -> low"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Visitor.presses: 0 -> 1"), "{}", ran.stdout);
    // The visitor leaves for good.
    assert!(ran.stdout.lines().last().is_some_and(|line| line.starts_with("Deadlock after")));
}

#[test]
fn a_seed_fixes_the_run() {
    let run = |seed: &str| guidepost(&["simulate", GATE, "--seed", seed, "--steps", "15"]).expect(0).stdout;
    assert_eq!(run("3"), run("3"));
    assert_ne!(run("3"), run("4"));
    assert!(run("3").ends_with("Stopped after 15 steps, as asked for.\n"));
}

#[test]
fn simulate_as_json_is_a_trace() {
    let answer = guidepost(&["simulate", GATE, "--steps", "10", "--format", "json"]).expect(0).json();
    assert_eq!(answer["end"], "steps");
    assert_eq!(answer["seed"], 0);
    let trace = &answer["trace"];
    assert_eq!(trace["length"], 10);
    assert!(trace["duration"].is_string());
    assert_eq!(trace["initial"]["locations"]["Box"], "Clear");
    let steps = trace["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 10);
    for step in steps {
        assert!(step["delay"].is_string());
        assert!(step["state"]["locations"]["Train(0)"].is_string());
        assert!(step["state"]["variables"]["Box.count"].is_i64());
        assert!(step["state"]["clocks"]["Train(0).x"].is_string());
        let transition = &step["transition"];
        for edge in transition["edges"].as_array().unwrap() {
            assert!(edge["process"].is_string() && edge["from"].is_string() && edge["to"].is_string());
        }
    }
    assert_eq!(steps[0]["transition"]["kind"], "binary");
    assert_eq!(steps[0]["transition"]["edges"][0]["role"], "sends");
}

#[test]
fn truth_values_are_truth_values() {
    let model = "models/vending-machine.xml";
    let answer = guidepost(&["simulate", model, "--steps", "1", "--format", "json"]).expect(0).json();
    assert_eq!(answer["trace"]["initial"]["variables"]["Customer.repaid"], false);
    assert!(guidepost(&["simulate", model, "--steps", "1"]).stdout.contains("Customer.repaid = false"));
}

#[test]
fn a_run_that_leaves_a_range_is_a_mistake_of_the_model() {
    let scratch = Scratch::new();
    let model = scratch.file("overflow.xta", OVERFLOW);
    let ran = guidepost(&["simulate", &model]).expect(2);
    assert!(ran.stdout.contains("Error after 0 steps"), "{}", ran.stdout);
    assert!(ran.stderr.contains("error[E080]"), "{}", ran.stderr);
    assert!(ran.stderr.contains("overflow.xta:2:54"), "{}", ran.stderr);
    let ran = guidepost(&["simulate", &model, "--format", "json"]).expect(2);
    assert_eq!(ran.json()["end"], "error");
}

#[test]
fn a_time_lock_is_called_by_its_name() {
    let scratch = Scratch::new();
    let model = scratch.file("lock.xta", TIME_LOCK);
    let ran = guidepost(&["simulate", &model]).expect(0);
    assert!(
        ran.stdout.ends_with(
            "Time-lock after 0 steps: no transition is possible, and time cannot go on beyond 3.\n"
        ),
        "{}",
        ran.stdout
    );
}

#[test]
fn an_initial_state_outside_its_invariant_is_a_mistake() {
    let scratch = Scratch::new();
    let model =
        scratch.file("never.xta", "int n = 1;\nprocess P() { state A { n == 0 }; init A; }\nsystem P;\n");
    let ran = guidepost(&["simulate", &model]).expect(2);
    assert!(ran.stderr.contains("the initial state violates the invariant of P.A"), "{}", ran.stderr);
}

#[test]
fn convert_writes_files_and_leaves_existing_ones_alone() {
    let scratch = Scratch::new();
    let (text, queries) = (scratch.path("gate.xta"), scratch.path("gate.q"));
    let ran = guidepost(&["convert", GATE, &text]).expect(0);
    assert!(ran.stdout.is_empty() && ran.stderr.is_empty(), "{}", ran.stderr);
    let written = std::fs::read_to_string(&text).unwrap();
    assert!(written.contains("process Train("), "{written}");
    let asked = std::fs::read_to_string(&queries).unwrap();
    assert!(asked.contains("// expect: satisfied\nA[] not deadlock\n"), "{asked}");

    // Either of the two files is reason enough to stop, and nothing is written then.
    std::fs::write(&queries, "mine").unwrap();
    std::fs::remove_file(&text).unwrap();
    let ran = guidepost(&["convert", GATE, &text]).expect(2);
    assert!(ran.stderr.contains("gate.q") && ran.stderr.contains("--force"), "{}", ran.stderr);
    assert!(!std::path::Path::new(&text).exists());
    assert_eq!(std::fs::read_to_string(&queries).unwrap(), "mine");
    guidepost(&["convert", GATE, &text, "--force"]).expect(0);
    assert_eq!(std::fs::read_to_string(&text).unwrap(), written);
    assert_eq!(std::fs::read_to_string(&queries).unwrap(), asked);

    // What was written is a model, with the same queries.
    let info = |path: &str| guidepost(&["info", path, "--format", "json"]).expect(0).json();
    let (before, after) = (info(GATE), info(&text));
    assert_eq!(before["sizes"], after["sizes"]);
    assert_eq!(before["features"], after["features"]);
    let asked = |info: &Value| {
        let queries = info["queries"].as_array().unwrap().clone();
        queries.iter().map(|query| (query["text"].clone(), query["expect"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(asked(&before), asked(&after));
}

#[test]
fn convert_knows_its_formats() {
    let scratch = Scratch::new();
    for (to, begins) in [("xml", "<?xml"), ("xta", ""), ("dot", "digraph"), ("q", "")] {
        let file = scratch.path(&format!("out-{to}.{to}"));
        guidepost(&["convert", GATE, &file]).expect(0);
        let ran = guidepost(&["convert", GATE, "-", "--to", to]).expect(0);
        assert!(ran.stdout.starts_with(begins) && !ran.stdout.is_empty(), "{to}: {}", ran.stdout);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), ran.stdout, "{to}");
    }
    for output in ["-", &scratch.path("out.pdf"), &scratch.path("out")] {
        let ran = guidepost(&["convert", GATE, output]).expect(2);
        assert!(ran.stderr.contains("--to"), "{}", ran.stderr);
    }
    guidepost(&["convert", GATE, &scratch.path("no/such/folder.xml")]).expect(2);
}

#[test]
fn convert_writes_flat_networks() {
    let scratch = Scratch::new();
    for ending in ["xml", "xta"] {
        let file = scratch.path(&format!("flat.{ending}"));
        guidepost(&["convert", "--flat", GATE, &file]).expect(0);
        let written = std::fs::read_to_string(&file).unwrap();
        assert!(written.contains("Train_1") && !written.contains("select"), "{written}");
        let sizes =
            |path: &str| guidepost(&["info", path, "--format", "json"]).expect(0).json()["sizes"].clone();
        assert_eq!(sizes(GATE)["processes"], sizes(&file)["processes"]);
        assert_eq!(sizes(GATE)["edges"], sizes(&file)["edges"]);
        // The queries have come along, with the answers that are expected.
        let ran = guidepost(&["check", &file]).expect(0);
        assert!(ran.stdout.contains("E<> Train_0.OnBridge && Train_1.Halted"), "{}", ran.stdout);
    }
    let three = "system:s\nevent:e\nprocess:P\nlocation:P:a{initial:}\nedge:P:a:a:e\nprocess:Q\nlocation:Q:a{initial:}\n\
        edge:Q:a:a:e\nprocess:R\nlocation:R:a{initial:}\nedge:R:a:a:e\nsync:P@e:Q@e:R@e\n";
    let model = scratch.file("three.tck", three);
    let ran = guidepost(&["convert", "--flat", &model, &scratch.path("three.xta")]).expect(2);
    assert!(ran.stderr.contains("3 processes must move together"), "{}", ran.stderr);
}

#[test]
fn headings_among_the_queries_become_comments() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "m.xml",
        "<nta><declaration/><template><name>P</name><location id=\"l\"><name>A</name></location>\
         <init ref=\"l\"/></template><system>system P;</system><queries>\
         <query><formula>E&lt;&gt; P.A</formula></query><query><formula>=== second part ===</formula></query>\
         <query><formula>A[] P.A</formula></query></queries></nta>",
    );
    let text = scratch.path("m.xta");
    guidepost(&["convert", &model, &text]).expect(0);
    let queries = std::fs::read_to_string(scratch.path("m.q")).unwrap();
    assert_eq!(queries, "E<> P.A\n\n// === second part ===\n\nA[] P.A\n");
    let info = guidepost(&["info", &text, "--format", "json"]).expect(0).json();
    let supported: Vec<_> =
        info["queries"].as_array().unwrap().iter().filter(|query| query["supported"] == true).collect();
    assert_eq!(supported.len(), 2);
}

#[test]
fn there_are_completions_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = guidepost(&["completions", shell]).expect(0);
        assert!(ran.stderr.is_empty(), "{shell}");
        for command in ["info", "simulate", "convert"] {
            assert!(ran.stdout.contains(command), "{shell} {command}");
        }
    }
}

#[test]
fn every_model_of_the_repository_is_informative_and_runs() {
    let mut seen = 0;
    for entry in std::fs::read_dir(root().join("models")).unwrap() {
        let path = entry.unwrap().path();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        if !matches!(extension, "xml" | "xta" | "ta" | "tck") {
            continue;
        }
        let name = path.display().to_string();
        let info = guidepost(&["info", &name, "--format", "json"]).expect(0).json();
        assert_eq!(info["checkable"], true, "{name}");
        for query in info["queries"].as_array().unwrap() {
            assert_eq!(query["supported"], true, "{name}: {query}");
        }
        guidepost(&["simulate", &name, "--steps", "30"]).expect(0);
        seen += 1;
    }
    assert!(seen > 10);
}
