//! Reports, drawings, and the other ways in which answers are written.

mod common;

use common::{Scratch, guidepost, root};
use guidepost_network::interpreter::Rational;
use serde_json::Value;

/// The data that a report carries.
fn data(html: &str) -> Value {
    let start = "<script type=\"application/json\" id=\"data\">";
    let text = html.split_once(start).expect("the data are there").1;
    serde_json::from_str(text.split_once("</script>").unwrap().0).unwrap()
}

#[track_caller]
fn is_self_contained(html: &str) {
    for attribute in ["src=", "href="] {
        assert!(!html.contains(attribute), "a report refers to nothing: {attribute}");
    }
    assert!(!html.contains("@import") && !html.contains("url("), "nor do its styles");
    assert!(!html.contains("fetch(") && !html.contains("XMLHttpRequest"), "nor its script");
}

#[test]
fn a_report_has_everything_in_it() {
    let scratch = Scratch::new();
    let path = scratch.path("out.html");
    let query = "E<> Train(0).OnBridge and Train(1).Halted";
    guidepost(&["check", "models/train-gate.xml", "--query", query, "--report", &path]).expect(0);
    let html = std::fs::read_to_string(&path).unwrap();
    is_self_contained(&html);
    assert!(html.len() < 200_000, "{} bytes", html.len());
    assert_eq!(html.matches("<template id=\"drawing-").count(), 2, "each template is drawn once");
    assert!(html.contains("E&lt;&gt; Train(0).OnBridge"), "verdicts are plain HTML");
    let data = data(&html);
    assert_eq!(data["processes"].as_array().unwrap().len(), 4);
    let run = &data["runs"][0];
    assert_eq!(run["steps"].as_array().unwrap().len(), run["length"]);
    assert_eq!(data["configuration"]["trace"], "some");
}

/// Who pays what travels with the run, and the answer says what is known of the least cost.
#[test]
fn a_schedule_says_who_pays() {
    let scratch = Scratch::new();
    let path = scratch.path("oven.html");
    let query = ["--query", "E<> Oven.Done", "--trace", "cheapest", "--report", &path];
    guidepost(&[&["check", "models/oven.xta"], &query[..]].concat()).expect(0);
    let html = std::fs::read_to_string(&path).unwrap();
    assert!(html.contains("<div class=\"remark\">least cost 27</div>"));
    let data = data(&html);
    assert_eq!(data["runs"][0]["costs"], serde_json::json!([[], [[0, "18", "0"], [1, "9", "0"]]]));
    let path = scratch.path("bridge.html");
    let query = ["--query", "E<> Person(0).Safe", "--trace", "fastest", "--report", &path];
    guidepost(&[&["check", "models/bridge.xml"], &query[..]].concat()).expect(0);
    let html = std::fs::read_to_string(&path).unwrap();
    assert!(self::data(&html)["runs"][0]["costs"].is_null(), "nothing has a price");
}

const OVERFLOW: &str = "int[0,2] n;
clock x;
chan go[3];
process P() { state A { x <= 4 }; init A; trans A -> A { guard x >= 1; sync go[n]!; assign n++, x = 0; }; }
process Q() { state A, B; init A; trans A -> B { select i : int[0,2]; sync go[i]?; }, B -> A { select i : int[0,2]; sync go[i]?; }; }
system P, Q;
";

/// A run to an error of the model ends with the step that fails, however the report is made.
#[test]
fn an_error_of_the_model_is_named_with_the_step_that_fails() {
    let scratch = Scratch::new();
    let model = scratch.file("overflow.xta", OVERFLOW);
    let query = ["check", &model, "--query", "A[] n <= 2", "--trace", "some"];
    let (direct, kept) = (scratch.path("direct.html"), scratch.path("runs.json"));
    let ran = guidepost(&[&query[..], &["--report", &direct, "--trace-file", &kept]].concat()).expect(2);
    let lines: Vec<&str> = ran.stdout.lines().map(str::trim).collect();
    let failing = lines.iter().position(|line| line.starts_with("3 ")).expect("there is a third step");
    assert!(lines[failing].ends_with("go[2]!  P        A -> A"), "{}", ran.stdout);
    assert!(lines[failing + 1].ends_with("go[2]?  Q        A -> B  [i = 2]"), "{}", ran.stdout);
    assert_eq!(lines[failing + 2], "fails: variable n: value 3 is outside int[0,2]");

    let answers = guidepost(&[&query[..], &["--format", "json"]].concat()).expect(2);
    let error = &answers.json()["results"][0]["model_error"];
    assert_eq!(error["transition"]["channel"], "go[2]");
    assert_eq!(error["transition"]["edges"][1]["to"], "B");
    let result = scratch.file("result.json", &answers.stdout);
    let (from_answers, from_runs) = (scratch.path("answers.html"), scratch.path("runs.html"));
    guidepost(&["report", &model, &result, "-o", &from_answers]).expect(0);
    guidepost(&["report", &model, &kept, "-o", &from_runs]).expect(0);
    guidepost(&["replay", &model, &kept]).expect(0);

    for path in [direct, from_answers, from_runs] {
        let html = std::fs::read_to_string(&path).unwrap();
        assert!(html.contains("not answered") && html.contains("value 3 is outside int[0,2]"), "{path}");
        let data = data(&html);
        let run = &data["runs"][0];
        assert_eq!(run["error"], "variable n: value 3 is outside int[0,2]", "{path}");
        assert_eq!((&run["fails"], &run["length"]), (&true.into(), &2.into()), "{path}");
        let steps = run["steps"].as_array().unwrap();
        assert_eq!(steps.len(), 3, "{path}: the last step is the one that fails");
        assert_eq!(steps[2][2].as_array().unwrap().len(), 2, "{path}: both processes are in it");
        assert_eq!(data["channels"][steps[2][1].as_u64().unwrap() as usize], "go[2]", "{path}");
    }
}

/// What a search has seen before an error of the model is not the answer.
#[test]
fn bounds_that_were_not_found_are_not_shown() {
    let scratch = Scratch::new();
    let model = scratch.file("overflow.xta", OVERFLOW);
    let path = scratch.path("out.html");
    let query = ["check", &model, "--query", "sup: n", "--report", &path];
    let text = guidepost(&query).expect(2).stdout;
    assert!(!text.contains("n <="), "{text}");
    let html = std::fs::read_to_string(&path).unwrap();
    assert!(!html.contains("n: from 0"), "the report shows a range");
    let answer = guidepost(&[&query[..], &["--format", "json"]].concat()).expect(2).json();
    assert_eq!(answer["results"][0].get("values"), None, "{answer}");
}

#[test]
fn files_that_cannot_be_written_are_noticed_before_the_search() {
    let scratch = Scratch::new();
    let missing = scratch.path("no/such/folder/out.html");
    let folder = scratch.path("");
    for path in [&missing, &folder] {
        for option in ["--report", "--trace-file"] {
            let ran = guidepost(&["check", "models/train-gate.xml", option, path]).expect(2);
            assert!(ran.stderr.contains("cannot write `"), "{}", ran.stderr);
            assert_eq!(ran.stdout, "", "nothing was searched");
        }
    }
}

#[test]
fn a_report_does_not_replace_what_it_is_made_from() {
    let scratch = Scratch::new();
    let answers = guidepost(&["check", "models/train-gate.xml", "--select", "1", "--format", "json"]).stdout;
    let model = scratch.file("gate.xml", std::fs::read(root().join("models/train-gate.xml")).unwrap());
    let result = scratch.file("result.json", &answers);
    for input in [&result, &model] {
        let before = std::fs::read(input).unwrap();
        let ran = guidepost(&["report", &model, &result, "-o", input]).expect(2);
        assert!(ran.stderr.contains("is read by this command"), "{}", ran.stderr);
        assert_eq!(std::fs::read(input).unwrap(), before);
    }
    // Without `-o` the report of a result that is called so would replace it as well.
    let result = scratch.file("result.html", &answers);
    guidepost(&["report", &model, &result]).expect(2);
    assert_eq!(std::fs::read_to_string(&result).unwrap(), answers);
}

#[test]
fn drawings_are_svg_by_name() {
    let scratch = Scratch::new();
    let png = scratch.path("gate.png");
    let ran = guidepost(&["draw", "models/train-gate.xml", &png]).expect(2);
    assert!(ran.stderr.contains("`draw` writes SVG and LaTeX, not `.png`"), "{}", ran.stderr);
    assert!(!std::path::Path::new(&png).exists());
    guidepost(&["draw", "models/train-gate.xml", &scratch.path("gate.SVG")]).expect(0);
}

fn rational(text: &str) -> Rational {
    text.parse().unwrap()
}

/// The script puts states together from differences; so does this test, and compares with the states of the JSON.
#[test]
fn differences_add_up_to_the_states() {
    let scratch = Scratch::new();
    // A clock that stands still now and then.
    let stop_watch = scratch.file(
        "stop-watch.xta",
        "clock x, y; process P() { state Runs { x <= 4 }, Stands { x <= 3 && y' == 0 }; init Runs;
         trans Runs -> Stands { guard x >= 1; assign x = 0; }, Stands -> Runs { guard x >= 2; assign x = 0; }; } system P;",
    );
    let models = [
        "models/train-gate.xml",
        "models/vending-machine.xml",
        "models/csma-cd.xml",
        "models/bridge.xml",
        &stop_watch,
    ];
    for model in models {
        let json =
            guidepost(&["simulate", model, "--steps", "200", "--seed", "5", "--format", "json"]).expect(0);
        let truth = json.json();
        let (from, to) = (scratch.file("run.json", &json.stdout), scratch.path("run.html"));
        guidepost(&["report", model, &from, "--output", &to]).expect(0);
        let data = data(&std::fs::read_to_string(&to).unwrap());
        let run = &data["runs"][0];
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let mut now = Rational::ZERO;
        let mut clocks: Vec<(Rational, Rational)> =
            list(&run["clocks"]).iter().map(|value| (rational(value.as_str().unwrap()), now)).collect();
        let (mut locations, mut variables) = (list(&run["locations"]), list(&run["variables"]));
        for (step, expected) in list(&run["steps"]).iter().zip(list(&truth["trace"]["steps"])) {
            for moved in list(&step[2]) {
                locations[moved[0].as_u64().unwrap() as usize] = moved[3].clone();
            }
            for pair in list(&step[3]).chunks(2) {
                variables[pair[0].as_u64().unwrap() as usize] = pair[1].clone();
            }
            if let Some(text) = step[0].as_str() {
                now = rational(text);
            }
            for pair in list(&step[4]).chunks(2).chain(list(&step[5]).chunks(2)) {
                clocks[pair[0].as_u64().unwrap() as usize] = (rational(pair[1].as_str().unwrap()), now);
            }
            for (name, (set, since)) in list(&data["clocks"]).iter().zip(&clocks) {
                let value = now.minus(*since).and_then(|passed| set.plus(passed)).unwrap();
                let name = name.as_str().unwrap();
                assert_eq!(expected["state"]["clocks"][name], value.to_string(), "{model}: {name}");
            }
            for (process, location) in list(&data["processes"]).iter().zip(&locations) {
                let template = &data["templates"][process[1].as_u64().unwrap() as usize];
                let name = &template["locations"][location.as_u64().unwrap() as usize];
                assert_eq!(expected["state"]["locations"][process[0].as_str().unwrap()], *name, "{model}");
            }
            for (variable, value) in list(&data["variables"]).iter().zip(&variables) {
                let recorded = &expected["state"]["variables"][variable[0].as_str().unwrap()];
                let recorded =
                    recorded.as_bool().map_or(recorded.clone(), |truth| Value::from(u8::from(truth)));
                assert_eq!(recorded, *value, "{model}: {variable}");
            }
        }
    }
}

#[test]
fn a_report_can_be_made_later() {
    let scratch = Scratch::new();
    let args = ["check", "models/fischer-faulty.xml", "--trace", "some", "--format", "json"];
    let result = scratch.file("result.json", guidepost(&args).expect(0).stdout);
    guidepost(&["report", "models/fischer-faulty.xml", &result]).expect(0);
    let html = std::fs::read_to_string(scratch.path("result.html")).unwrap();
    is_self_contained(&html);
    let data = data(&html);
    assert_eq!(data["results"].as_array().unwrap().len(), 5);
    assert!(data["runs"][0].is_object() && data["runs"][3].is_null(), "only some answers have runs");
    assert!(data["results"][0].get("trace").is_none(), "a run is told once");
    let ran = guidepost(&["report", "models/fischer.xml", &result]);
    assert!(ran.code == 1 || ran.code == 2, "{ran:?}");
    assert!(ran.stderr.contains("the run is none of `models/fischer.xml`"), "{}", ran.stderr);
}

#[test]
fn hostile_names_do_not_become_script() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "hostile.xml",
        "<nta><declaration>int i;</declaration><template><name>P</name><location id=\"a\" x=\"0\" y=\"0\"><name>A</name></location>\
         <location id=\"b\" x=\"99\" y=\"0\"><name>B</name></location><init ref=\"a\"/><transition><source ref=\"a\"/><target ref=\"b\"/>\
         <label kind=\"guard\" x=\"9\" y=\"9\">i &lt; 3 &amp;&amp; i /* &lt;/script&gt;&lt;img onerror=x&gt; */ &lt; 5</label></transition></template>\
         <system>system P;</system></nta>",
    );
    let out = scratch.path("out.html");
    guidepost(&["check", &model, "--query", "E<> P.B /* </script><b>{{data}} */", "--report", &out])
        .expect(0);
    let html = std::fs::read_to_string(&out).unwrap();
    assert!(!html.contains("<img") && !html.contains("</script><b>"), "names stay text");
    assert_eq!(html.matches("</script>").count(), 2);
}

#[test]
fn the_model_s_own_chart_is_honoured() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "chart.xta",
        "clock x; int[0,3] v; const int N = 2; process P(const int[0,1] id) { state A { x <= 5 }, B; init A; trans A -> B { guard x >= 2; assign v = v + 1; }; }\n\
         system P; gantt { All : v > 0 -> v; Own(i : int[0, N - 1]) : P(i).B -> i + 1; }",
    );
    let out = scratch.path("out.html");
    guidepost(&["check", &model, "--query", "E<> P(0).B and P(1).B", "--report", &out]).expect(0);
    let data = data(&std::fs::read_to_string(&out).unwrap());
    let lanes = data["runs"][0]["gantt"].as_array().expect("the chart is computed").clone();
    let names: Vec<&str> = lanes.iter().map(|lane| lane["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["All", "Own(0)", "Own(1)"]);
    assert_eq!(lanes[0]["bars"], serde_json::json!([[1, 2, 1], [2, 3, 2]]), "a bar for each value");
    let own: Vec<&Value> = lanes[1..].iter().map(|lane| &lane["bars"][0]).collect();
    assert!(own.iter().any(|bar| bar[0] == 1) && own.iter().any(|bar| bar[0] == 2), "{own:?}");
    assert!(own.iter().all(|bar| bar[1] == 3));
}

#[test]
fn drawings_stand_on_the_author_s_coordinates() {
    let scratch = Scratch::new();
    let out = scratch.path("out.svg");
    guidepost(&["draw", "models/fischer.xml", &out]).expect(0);
    let svg = std::fs::read_to_string(&out).unwrap();
    let model = std::fs::read_to_string(root().join("models/fischer.xml")).unwrap();
    let places: Vec<&str> =
        model.split("<location id=").skip(1).map(|rest| rest.split('>').next().unwrap()).collect();
    assert!(!places.is_empty());
    for place in places {
        let number = |key: &str| place.split_once(&format!("{key}=\"")).unwrap().1.split('"').next().unwrap();
        let circle = format!("cx=\"{}\" cy=\"{}\"", number(" x"), number(" y"));
        assert!(svg.contains(&circle), "{circle}");
    }
    let instances = guidepost(&["draw", "models/fischer.xml", "-", "--instances"]).expect(0).stdout;
    assert!(instances.matches("class=\"title\"").count() > svg.matches("class=\"title\"").count());
    assert!(instances.contains(">P(1)</text>"));
    let one =
        guidepost(&["draw", "models/fischer.xml", "-", "--instances", "--only", "P(1)"]).expect(0).stdout;
    assert_eq!(one.matches("class=\"title\"").count(), 1);
    guidepost(&["draw", "models/fischer.xml", "-", "--only", "nobody"]).expect(2);
    guidepost(&["draw", "models/no-such-model.xml", "-"]).expect(2);
}

#[test]
fn junit_counts_failures_and_errors() {
    let text = guidepost(&["check", "models/fischer-faulty.xml", "--format", "junit", "-q"]).expect(0).stdout;
    assert!(text.starts_with("<?xml"), "{text}");
    assert!(text.contains("tests=\"5\" failures=\"0\" errors=\"0\""), "all are as expected: {text}");
    let args = [
        "check",
        "models/fischer.xml",
        "--query",
        "E<> P(1).Critical and P(2).Critical",
        "--query",
        "E<> nobody",
        "--format",
        "junit",
    ];
    let text = guidepost(&args).expect(2).stdout;
    assert!(text.contains("tests=\"2\" failures=\"1\" errors=\"1\""), "{text}");
    assert!(text.contains("<failure type=\"not satisfied\""), "{text}");
    assert!(text.contains("name=\"E&lt;&gt; nobody\""), "{text}");
    let args = [
        "check",
        "models/csma-cd.xml",
        "--search",
        "bfs",
        "--state-limit",
        "1",
        "--select",
        "1",
        "--format",
        "junit",
        "--query",
        "A[] true",
    ];
    assert!(guidepost(&args).expect(3).stdout.contains("<error type=\"undecided\""));
}

#[test]
fn events_are_json_lines() {
    let ran = guidepost(&["check", "models/csma-cd.xml", "--log", "jsonl"]).expect(0);
    let events: Vec<Value> = ran
        .stderr
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(kinds.first(), Some(&"start"));
    assert_eq!(kinds.last(), Some(&"end"));
    assert_eq!(
        kinds.iter().filter(|kind| **kind == "answer").count(),
        events[0]["queries"].as_array().unwrap().len()
    );
    assert_eq!(events.last().unwrap()["exit"], 0);
}

#[test]
fn runs_are_shown_in_as_much_detail_as_asked_for() {
    let run = |options: &[&str]| {
        let mut args = vec!["simulate", "models/light-switch.xml", "--steps", "3", "--seed", "1"];
        args.extend(options);
        guidepost(&args).expect(0).stdout
    };
    let (plain, clocks, full, columns) =
        (run(&[]), run(&["--clocks"]), run(&["--full"]), run(&["--columns"]));
    assert!(!plain.contains("now = ") && clocks.matches("now = ").count() == 3, "{clocks}");
    assert_eq!(full.matches("User.Anywhere").count(), 4, "{full}");
    let table: Vec<&str> = columns.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(table.len(), 5, "a heading and a line for each state: {columns}");
    assert!(
        table[0].contains("Lamp") && !table[0].contains("User"),
        "who never moves has no column: {columns}"
    );
    assert!(run(&["--columns", "--clocks"]).lines().next().unwrap().contains("Lamp.y"));
    assert!(run(&["--columns", "--full"]).contains("User"));
}

/// What the model says, what its author says about queries, and what else was possible are in the report.
#[test]
fn a_report_has_the_text_of_the_model_and_what_was_not_done() {
    let folder = Scratch::new();
    let model = folder.file(
        "m.xml",
        "<nta><declaration>// three &lt; four\nint a; void count() { a++; }</declaration><template><name>P</name>\
         <location id=\"a\"><name>A</name></location><location id=\"b\"><name>B</name></location><location id=\"c\"><name>C</name></location><init ref=\"a\"/>\
         <transition><source ref=\"a\"/><target ref=\"b\"/><label kind=\"assignment\">count()</label></transition>\
         <transition><source ref=\"a\"/><target ref=\"c\"/></transition></template><system>system P;</system>\
         <queries><query><formula>E&lt;&gt; P.B</formula><comment>B can be &lt;reached&gt;.\nexpect: satisfied</comment></query></queries></nta>",
    );
    let out = folder.path("m.html");
    guidepost(&["check", &model, "--report", &out]).expect(0);
    let html = std::fs::read_to_string(&out).unwrap();
    is_self_contained(&html);
    assert!(
        html.contains("<div class=\"comment\">B can be &lt;reached&gt;.</div>"),
        "the comment, without the expectation"
    );
    assert!(html.contains("<li>// three &lt; four</li>\n<li>int a; void count() { a++; }</li>"));
    let others = &data(&html)["runs"][0]["others"];
    assert_eq!(*others, serde_json::json!([[[-1, [[0, 1, -1, 2, 0]], "d ≥ 0"]]]), "to C, after any delay");
}
