//! Controllers from the outside: variants, answers, conversions.

mod common;

use common::{Scratch, guidepost};
use serde_json::Value;

const LINE: &str = "models/plc/line-segment.plc";
const MUTEX: &str = "models/plc/mutex.plc";
const WATCHDOG: &str = "models/plc/watchdog.plc";

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&guidepost(args).expect(0).stdout).expect("JSON")
}

#[test]
fn answers_are_compared_with_what_the_file_expects() {
    guidepost(&["check", "models/plc/watchdog.plc"]).expect(0);
    let answer = json(&[
        "check",
        MUTEX,
        "--variant",
        "naive",
        "--search",
        "bfs",
        "--trace",
        "shortest",
        "--format",
        "json",
    ]);
    assert_eq!(answer["model"], "models/plc/mutex.plc:naive");
    let result = &answer["results"][0];
    assert_eq!(result["verdict"], "not satisfied");
    assert_eq!(result["trace"]["length"], 18);
}

#[test]
fn a_variant_is_an_option_or_a_part_of_the_name() {
    let option = json(&["info", LINE, "--variant", "C9", "--format", "json"]);
    let name = json(&["info", "models/plc/line-segment.plc:C9", "--format", "json"]);
    assert_eq!(option, name);
    assert_eq!(option["format"], "plc");
    assert_eq!(option["sizes"]["processes"], 10);
    let unknown = guidepost(&["info", LINE, "--variant", "C10"]).expect(2);
    assert!(unknown.stderr.contains("there is no variant `C10`"), "{}", unknown.stderr);
    assert!(unknown.stderr.contains("did you mean `C1`?"), "{}", unknown.stderr);
    let other = guidepost(&["info", "models/fischer.xml", "--variant", "C1"]).expect(2);
    assert!(other.stderr.contains("--variant is for models"), "{}", other.stderr);
    let two = guidepost(&["info", "models/plc/line-segment.plc:C9", "--variant", "C1"]).expect(2);
    assert!(two.stderr.contains("two variants are named: `C9` and `C1`"), "{}", two.stderr);
}

/// Whoever proves something of a variant learns what was not asked.
#[test]
fn properties_of_what_is_hidden_are_named() {
    let scratch = Scratch::new();
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/plc/watchdog.plc"));
    let text = text.expect("the model is there") + "variant deaf { hide alive; }\n";
    let model = scratch.file("deaf.plc", text);
    let deaf = format!("{model}:deaf");
    let ran = guidepost(&["check", &deaf]);
    for name in ["in_time", "sooner"] {
        let note = format!("note: property `{name}` is not asked: it speaks of something that is hidden");
        assert!(ran.stderr.contains(&note), "{}", ran.stderr);
    }
    let selected = guidepost(&["check", &deaf, "--select", "in_time"]).expect(2);
    assert!(selected.stderr.contains("`in_time` is not asked"), "{}", selected.stderr);
}

#[test]
fn what_is_no_controller_is_refused() {
    let scratch = Scratch::new();
    let binary = scratch.file("binary.plc", "\u{0}\u{1}\u{2}node");
    let ran = guidepost(&["check", &binary]).expect(2);
    assert!(ran.stderr.contains("this is not a text file"), "{}", ran.stderr);
    let other = scratch.file("other.plc", "input a, b : bool; property p : never (a && !b);");
    let ran = guidepost(&["check", &other]).expect(2);
    assert!(ran.stderr.contains("write `and`") && ran.stderr.contains("write `not`"), "{}", ran.stderr);
}

/// Runs speak of the controller's own cycles, locations, signals and values.
#[test]
fn runs_are_told_in_the_words_of_the_file() {
    let told = |run: &str, expected: &[&str]| {
        let lines: Vec<String> =
            run.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        for words in expected {
            assert!(lines.iter().any(|line| line.contains(words)), "`{words}` in\n{run}");
        }
    };
    let alone = guidepost(&["check", WATCHDOG, "--select", "always_quiet", "--trace", "shortest"]);
    let alone = alone.expect(0).stdout;
    told(
        &alone,
        &[
            "0 0 Guard in Fine",
            "alive = true, Guard.report = fine",
            "environment alive = false",
            "Guard Fine -> Doubt",
            "Guard.signal: true -> false",
            "Guard.report: fine -> doubt",
            "Guard is delayed, for ",
            "Guard Doubt -> Alarm",
        ],
    );
    let shared = guidepost(&["check", LINE, "--variant", "C9", "--trace", "some"]).expect(0).stdout;
    told(
        &shared,
        &[
            ", told in ",
            "Main in Ready1, Light1 in Idle, Light2 in Idle",
            "Plc1 Main: Ready1 -> Drive1, Light1: Demand -> Drive",
            "Main.permit1: false -> true, Light1.light: wait -> go",
            "Main is delayed",
        ],
    );
    assert!(shared.lines().count() < 60, "two screens are enough:\n{shared}");
    let parts = ["check", LINE, "--variant", "C9", "--trace", "some", "--unfold"];
    let opened = guidepost(&parts).expect(0).stdout;
    told(
        &opened,
        &["Plc1 polls: Main.waiting1: 0 -> ", "Main decides for Drive1", "Main goes on: Ready1 -> Drive1"],
    );
    for text in [&alone, &shared, &opened] {
        no_name_of_the_translation(text);
    }
    let table = guidepost(&["check", LINE, "--variant", "C1", "--trace", "some", "--columns"]);
    told(&table.expect(0).stdout, &["Ready1 (decided)"]);
    let asked = ["check", LINE, "--variant", "C1", "--trace", "some", "--translation"];
    told(&guidepost(&asked).expect(0).stdout, &["run_Light1! Light1 Idle_poll -> Idle_react"]);
}

/// Names that only the translation has.
fn no_name_of_the_translation(text: &str) {
    for name in [
        "run_",
        "_poll",
        "_react",
        "_delayed",
        "_check",
        "drive_",
        "watch_",
        "hurry",
        "new_",
        "_next",
        "_cycle",
        "_held",
        "_settled",
        "_at",
        "_since",
        ".next",
        "Run_",
        "Move_",
        "Plc1.Poll",
        "new Main",
    ] {
        assert!(!text.contains(name), "`{name}` in\n{text}");
    }
}

/// The author's steps lead where the run leads: every variable has the value, and every controller is in the location, that the interpreter says.
#[test]
fn stories_end_where_runs_end() {
    let folder = Scratch::new();
    let (run, page) = (folder.path("run.json"), folder.path("run.html"));
    let models = [
        WATCHDOG,
        "models/plc/mutex.plc",
        "models/plc/line-segment.plc:C9",
        "models/plc/line-segment.plc:D9",
    ];
    for (model, seed) in models.into_iter().flat_map(|model| ["1", "2", "3"].map(|seed| (model, seed))) {
        let walk =
            guidepost(&["simulate", model, "--seed", seed, "--steps", "400", "--format", "json"]).expect(0);
        std::fs::write(&run, &walk.stdout).expect("a file");
        guidepost(&["report", model, &run, "--output", &page]).expect(0);
        let html = std::fs::read_to_string(&page).expect("a report");
        let data =
            html.split_once("id=\"data\">").expect("data").1.split_once("</script>").expect("an end").0;
        no_name_of_the_translation(data);
        let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
        let told = &data["runs"][0];
        let list = |value: &serde_json::Value| value.as_array().expect("a list").clone();
        let number = |value: &serde_json::Value| value.as_i64().expect("a number") as usize;
        let (mut locations, mut variables) = (list(&told["locations"]), list(&told["variables"]));
        for step in list(&told["steps"]) {
            for movement in list(&step[2]) {
                locations[number(&movement[0])] = movement[3].clone();
            }
            for change in list(&step[3]).chunks(2) {
                variables[number(&change[0])] = change[1].clone();
            }
        }
        let walk: serde_json::Value = serde_json::from_str(&walk.stdout).expect("JSON");
        let end = walk["trace"]["steps"].as_array().and_then(|steps| steps.last()).expect("a step")["state"]
            .clone();
        assert!(
            told["steps"].as_array().expect("steps").len()
                < walk["trace"]["length"].as_u64().expect("a length") as usize
        );
        for (process, location) in list(&data["processes"]).iter().zip(&locations) {
            let name = process[0].as_str().expect("a name");
            let place = data["templates"][number(&process[1])]["locations"][number(location)].as_str();
            let there = end["locations"][name].as_str().expect("a location");
            let own = there.rsplit_once('_').expect("a phase").0;
            assert_eq!(place, Some(own), "{model}, seed {seed}: {name}");
        }
        for (variable, value) in list(&data["variables"]).iter().zip(&variables) {
            let name = variable[0].as_str().expect("a name").replace('.', "_");
            let there = &end["variables"][&name];
            let there = there.as_i64().or_else(|| there.as_bool().map(i64::from));
            assert_eq!(value.as_i64(), there, "{model}, seed {seed}: {name}");
        }
    }
}

/// Programs get the names of the model, and the words beside them; so runs can be replayed.
#[test]
fn programs_get_names_and_words() {
    let folder = Scratch::new();
    let path = folder.path("run.json");
    let args = ["check", WATCHDOG, "--select", "sooner", "--trace-file", &path, "--format", "json"];
    let answer = json(&args);
    let steps = answer["results"][0]["trace"]["steps"].as_array().expect("steps").clone();
    let edges = || steps.iter().filter_map(|step| step["transition"]["edges"].as_array()).flatten();
    let end = edges().find(|edge| edge["to"] == "Doubt_poll").expect("it goes to Doubt");
    assert_eq!((&end["process"], &end["from"]), (&"Guard".into(), &"Fine_react".into()));
    assert_eq!(end["told"], "ends its cycle: Fine -> Doubt");
    assert_eq!(steps[0]["state"]["variables"]["Guard_report"], 0);
    let replayed = guidepost(&["replay", WATCHDOG, &path]).expect(0).stdout;
    assert!(replayed.starts_with("sooner: whenever not alive"), "{replayed}");
}

#[test]
fn properties_keep_their_names_and_words() {
    let text = guidepost(&["check", WATCHDOG]).expect(0).stdout;
    assert!(text.contains("2  always_quiet: never Guard.report = alarm\n"), "{text}");
    assert!(!text.contains("A[]"), "{text}");
    let both = ["check", WATCHDOG, "--select", "sooner", "--select", "1", "--format", "json"];
    let answer = json(&both);
    let results = answer["results"].as_array().expect("results");
    assert_eq!((&results[0]["number"], &results[1]["number"]), (&4.into(), &1.into()));
    assert_eq!(results[0]["query"], "A[] !watch_sooner.Violated");
    assert_eq!(results[0]["property"]["name"], "sooner");
    assert_eq!(results[1]["property"]["text"], "never (Guard in Alarm and Guard.report <> alarm)");
    let junit = guidepost(&["check", WATCHDOG, "--select", "2", "--format", "junit"]).expect(0).stdout;
    assert!(junit.contains("name=\"always_quiet: never Guard.report = alarm\""), "{junit}");
    let info = guidepost(&["info", WATCHDOG]).expect(0).stdout;
    assert!(info.contains("  2  always_quiet: never Guard.report = alarm\n"), "{info}");
    assert_eq!(json(&["info", WATCHDOG, "--format", "json"])["queries"][3]["property"]["name"], "sooner");
}

#[test]
fn a_property_is_selected_by_its_name() {
    let refused = |args: &[&str], message: &str| {
        let ran = guidepost(args).expect(2);
        assert!(ran.stderr.contains(message) && ran.stdout.is_empty(), "{}", ran.stderr);
    };
    let all = "The properties: no_false_alarm, always_quiet, in_time, sooner";
    refused(&["check", WATCHDOG, "--select", "soner"], &format!("did you mean `sooner`? {all}"));
    refused(&["check", WATCHDOG, "--select", "quorum"], &format!("there is no property `quorum`. {all}"));
    refused(&["check", WATCHDOG, "--select", "5"], "numbered from 1 to 4");
    refused(&["check", "models/fischer.xml", "--select", "first"], "the queries have no names");
    let folder = Scratch::new();
    let path = folder.path("abstract.xml");
    guidepost(&["abstract", WATCHDOG, &path, "--auto", "rd", "--select", "sooner"]).expect(0);
    refused(&["abstract", WATCHDOG, &path, "--auto", "rd", "--select", "soner"], all);
}

/// The report shows the author's words for properties, steps and values.
#[test]
fn reports_are_told_in_the_words_of_the_file() {
    let folder = Scratch::new();
    let path = folder.path("watchdog.html");
    guidepost(&["check", WATCHDOG, "--select", "always_quiet", "--report", &path]).expect(0);
    let page = std::fs::read_to_string(path).expect("a report");
    for words in [
        "<code>always_quiet: never Guard.report = alarm</code>",
        "[\"Guard.report\",0,[\"fine\",\"doubt\",\"alarm\"]]",
        "\"told\":[[\"environment\",\"alive = false\",",
        "<text class=\"invariant\"",
        "report := doubt",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let shown = page.split_once("<main>").expect("a page").1;
    no_name_of_the_translation(&shown.split("<script>").next().expect("no script").replace("view_", ""));
}

/// Nobody can do anything about what is unusual in a translation.
#[test]
fn translations_are_written_without_a_word() {
    let folder = Scratch::new();
    for options in [&[][..], &["--flat"]] {
        let path = folder.path(&format!("watchdog{}.xml", options.len()));
        let ran = guidepost(&[&["convert", WATCHDOG, &path], options].concat()).expect(0);
        assert_eq!(ran.stderr, "");
    }
}

/// What is written is the same model: same sizes, same answer after as many states.
#[test]
fn conversions_keep_sizes_and_answers() {
    let folder = Scratch::new();
    let explored = |model: &str| {
        let args = ["check", model, "--search", "bfs", "--trace", "shortest", "--format", "json"];
        let result = json(&args)["results"][0].clone();
        (
            result["verdict"].clone(),
            result["trace"]["length"].clone(),
            result["statistics"]["explored"].clone(),
        )
    };
    for (file, variant) in [(MUTEX, "M1"), (LINE, "C1")] {
        let original = explored(&format!("{file}:{variant}"));
        for ending in ["xml", "xta"] {
            let path = folder.path(&format!("{variant}.{ending}"));
            guidepost(&["convert", file, &path, "--variant", variant]).expect(0);
            assert_eq!(explored(&path), original, "{variant} as {ending}");
        }
    }
}

#[test]
fn drawings_show_guards_and_updates() {
    let folder = Scratch::new();
    let path = folder.path("mutex.svg");
    guidepost(&["draw", MUTEX, &path, "--translation"]).expect(0);
    let drawing = std::fs::read_to_string(&path).expect("a drawing");
    assert!(drawing.contains("Control_held &gt;= 2000") && drawing.contains("S1_grant = Control_grant1"));
    guidepost(&["draw", MUTEX, &path]).expect(0);
    let drawing = std::fs::read_to_string(path).expect("a drawing");
    assert!(drawing.contains("delay 2000 while"), "the delay as the author says it: {drawing}");
    no_name_of_the_translation(&drawing);
}
