//! What goes to standard output and what goes to files, and what must not.

mod common;

use common::{Ran, Scratch, check, guidepost, root};
use std::io::Read;
use std::process::{Command, Stdio};

const GATE: &str = "models/train-gate.xml";

/// Runs the command with its standard output going elsewhere.
fn writing_to(stdout: Stdio, args: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_guidepost"))
        .args(args)
        .current_dir(root())
        .stdout(stdout)
        .stderr(Stdio::piped())
        .output()
        .expect("the command can be started");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    Ran { code: output.status.code().expect("the command is not killed"), stdout: String::new(), stderr }
}

/// One call of every command that writes to standard output.
fn calls(scratch: &Scratch) -> Vec<Vec<String>> {
    let answers = scratch.path("trace.json");
    check(&["models/light-switch.xml", "--query", "E<> true", "--trace-file", &answers]).expect(0);
    let table = scratch.file(
        "table.toml",
        "[[task]]\nid = 'fischer'\ngenerate = 'fischer a 2'\n[[configuration]]\nid = 'bfs'\nsearch = 'bfs'\n",
    );
    let lines = format!(
        "--help\n--version\ncheck --help\ncompletions bash\nheuristics\nheuristics --format json\ngenerate fischer a 2\n\
         bench {table} --list\ncheck {GATE}\ncheck {GATE} --format json\ncheck {GATE} --format junit\ninfo {GATE}\n\
         info {GATE} --format json\nconvert {GATE} - --to xta\ndraw {GATE} -\nsimulate {GATE}\nstates models/light-switch.xml\n\
         replay models/light-switch.xml {answers}\nreport {answers} models/light-switch.xml -o -"
    );
    lines.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_of_every_command() {
    let scratch = Scratch::new();
    for call in calls(&scratch) {
        let args: Vec<&str> = call.iter().map(String::as_str).collect();
        let before = guidepost(&args);
        assert!(before.code <= 1 && !before.stdout.is_empty(), "{args:?}: {before:?}");
        let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let ran = writing_to(full.into(), &args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("cannot write to standard output"), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_reader_that_has_gone_away_is_no_error() {
    let scratch = Scratch::new();
    for call in calls(&scratch) {
        let args: Vec<&str> = call.iter().map(String::as_str).collect();
        let expected = guidepost(&args);
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let ran = writing_to(writer.into(), &args);
        assert_eq!((ran.code, ran.stderr), (expected.code, expected.stderr), "{args:?}");
    }
}

#[test]
fn no_command_overwrites_what_it_reads() {
    let scratch = Scratch::new();
    let text = std::fs::read_to_string(root().join(GATE)).unwrap();
    let model = scratch.file("plain", &text);
    let xml = scratch.file("gate.xml", &text);
    let textual = scratch.path("gate.xta");
    guidepost(&["convert", &xml, &textual]).expect(0);
    let queries = scratch.path("gate.q");
    let stored = std::fs::read_to_string(&queries).unwrap();
    let plc = scratch.file("mutex.plc", std::fs::read(root().join("models/plc/mutex.plc")).unwrap());
    let controller = std::fs::read_to_string(&plc).unwrap();
    let answers = scratch.path("answers.json");
    check(&[&xml, "--trace-file", &answers]).expect(0);
    let recorded = std::fs::read_to_string(&answers).unwrap();
    let query = scratch.file("own.q", "E<> true\n");
    let link = scratch.path("link.svg");
    std::os::unix::fs::symlink(&xml, &link).unwrap();

    let calls: &[&[&str]] = &[
        &["draw", &model, &model],
        &["draw", &xml, &link],
        &["convert", &xml, &xml, "--force"],
        // The queries beside a textual model are read with it.
        &["convert", &textual, &textual, "--force"],
        &["convert", &textual, &queries, "--force"],
        &["abstract", &xml, &xml, "--hide", "Box", "--force"],
        &["report", &xml, &answers, "-o", &xml],
        &["report", &xml, &answers, "-o", &answers],
        &["check", &xml, "--report", &xml],
        &["check", &textual, "--trace-file", &queries],
        &["check", &xml, "--queries", &query, "--trace-file", &query],
        &["check", &plc, "--variant", "M1", "--report", &plc],
    ];
    for args in calls {
        let ran = guidepost(args).expect(2);
        assert!(ran.stderr.contains("is read by this command"), "{args:?}: {}", ran.stderr);
    }
    let same = |path: &str, text: &str| assert_eq!(std::fs::read_to_string(path).unwrap(), text, "{path}");
    same(&model, &text);
    same(&xml, &text);
    same(&queries, &stored);
    same(&plc, &controller);
    same(&answers, &recorded);
    same(&query, "E<> true\n");
    // The queries that an XML file stores are written beside the text, again and again.
    guidepost(&["convert", &xml, &textual, "--force"]).expect(0);
}

#[test]
fn one_document_on_standard_output_is_enough() {
    let calls: &[(&[&str], &str)] = &[
        (&["--format", "json", "--report", "-"], "`--report`"),
        (&["--format", "json", "--trace-file", "-"], "`--trace-file`"),
        (&["--format", "json", "--trace-file", "/dev/stdout"], "`--trace-file`"),
        (&["--format", "junit", "--report", "-"], "`--report`"),
        (&["--report", "-", "--trace-file", "-"], "both"),
    ];
    let scratch = Scratch::new();
    let page = scratch.path("page.html");
    let both = check(&[GATE, "--report", &page, "--trace-file", &page]).expect(2);
    assert!(both.stderr.contains("at once"), "{}", both.stderr);
    for (options, word) in calls {
        let ran = check(&[&[GATE], *options].concat()).expect(2);
        assert!(ran.stdout.is_empty() && ran.stderr.contains(word), "{options:?}: {}", ran.stderr);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn too_little_address_space_is_no_bug_of_ours() {
    let script = format!("ulimit -v 200000; exec '{}' info {GATE}", env!("CARGO_BIN_EXE_guidepost"));
    let output = Command::new("sh").args(["-c", &script]).current_dir(root()).output().expect("a shell");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("address space") && !stderr.contains("bug"), "{stderr}");
}

#[test]
fn junit_has_the_errors_of_a_model() {
    let scratch = Scratch::new();
    let model = scratch
        .file("wrong.xta", "process P() { state a; init a; trans a -> b { }; }\nint i = x;\nsystem P;\n");
    let ran = check(&[&model, "--format", "junit"]).expect(2);
    assert!(ran.stdout.starts_with("<?xml") && ran.stdout.ends_with("</testsuites>\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("tests=\"1\" failures=\"0\" errors=\"1\""), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("<error type=\"model error\"") && ran.stdout.contains("(and 1 more)"),
        "{}",
        ran.stdout
    );
    for code in ["E028", "E020"] {
        assert!(ran.stdout.contains(code) && ran.stderr.contains(code), "{}", ran.stdout);
    }
    let missing = check(&["no-such-model.xml", "--format", "junit"]).expect(2);
    assert!(missing.stdout.contains("errors=\"1\""), "{}", missing.stdout);
    // What the engine refuses is an error of the model as well.
    let stopwatch =
        "clock x; process P() { state a { x' == 0 }; init a; trans a -> a { guard x > 1; }; }\nsystem P;\n";
    let stopwatch = scratch.file("stopwatch.xta", stopwatch);
    let ran = check(&[&stopwatch, "--query", "E<> P.a", "--format", "junit"]).expect(2);
    assert!(ran.stdout.contains("<error type=\"model error\""), "{}", ran.stdout);
}

#[test]
fn a_query_has_one_number_everywhere() {
    let scratch = Scratch::new();
    let query = |text: &str| format!("<query><formula>{text}</formula><comment/></query>");
    let queries = ["", "E&lt;&gt; P.b", "", "A[] P.a"].map(query).concat();
    let model = scratch.file(
        "empty-first.xml",
        format!(
            "<nta><declaration/><template><name>P</name><location id=\"a\"><name>a</name></location>\
             <location id=\"b\"><name>b</name></location><init ref=\"a\"/><transition><source ref=\"a\"/>\
             <target ref=\"b\"/></transition></template><system>system P;</system><queries>{queries}</queries></nta>"
        ),
    );
    let info = guidepost(&["info", &model]).expect(0).stdout;
    assert!(info.contains("  2  E<> P.b") && info.contains("  4  A[] P.a"), "{info}");
    let info = guidepost(&["info", &model, "--format", "json"]).expect(0).json();
    assert_eq!((&info["queries"][1]["number"], &info["queries"][1]["text"]), (&2.into(), &"E<> P.b".into()));
    let text = check(&[&model]).expect(1).stdout;
    assert!(text.contains("2  E<> P.b") && text.contains("4  A[] P.a"), "{text}");
    let json = check(&[&model, "--format", "json", "--select", "4"]).expect(1).json();
    assert_eq!((&json["results"][0]["number"], &json["results"][0]["query"]), (&4.into(), &"A[] P.a".into()));
    let page = scratch.path("page.html");
    check(&[&model, "--select", "2", "--report", &page]).expect(0);
    assert!(std::fs::read_to_string(&page).unwrap().contains("<td class=\"number\">2</td>"));
    let table = scratch.file(
        "table.toml",
        "[[task]]\nid = 'empty'\nfile = 'empty-first.xml'\nselect = 2\n[[configuration]]\nid = 'bfs'\nsearch = 'bfs'\n",
    );
    guidepost(&["bench", &table, "--out", &scratch.path("out")]).expect(0);
    let ran = check(&[&model, "--select", "1"]).expect(2);
    assert!(ran.stderr.contains("numbered from 2 to 4"), "{}", ran.stderr);
}

#[test]
fn info_shows_what_helps_a_query() {
    let scratch = Scratch::new();
    let model = scratch.file("m.xta", "process Train() { state Near; init Near; }\nsystem Train;\n");
    scratch.file("m.q", "E<> Trian.Near\n");
    let ran = guidepost(&["info", &model]).expect(0);
    assert!(
        ran.stdout.contains("E027") && ran.stdout.contains("help: did you mean `Train`?"),
        "{}",
        ran.stdout
    );
}

#[test]
fn output_that_is_read_to_the_end_is_complete() {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let args = ["draw", GATE, "-"];
    let expected = guidepost(&args).expect(0).stdout;
    let read = std::thread::spawn(move || {
        let mut text = String::new();
        reader.read_to_string(&mut text).map(|_| text)
    });
    writing_to(writer.into(), &args).expect(0);
    assert_eq!(read.join().expect("no panic").expect("UTF-8"), expected);
}
