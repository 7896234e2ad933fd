//! `guidepost bench`, end to end.

mod common;

use common::{Scratch, guidepost};

const TABLE: &str = r#"
title = "A <small> table"
time_limit = 30
memory_limit = 500

[[configuration]]
id = "bfs"
search = "bfs"

[[configuration]]
id = "ut-hu"
search = "ut"
heuristic = "hu"
seeds = 3

[[task]]
id = "F3 B"
generate = "fischer b 3 --faulty"
shortest = 6
[task.published]
bfs = { explored = 1, length = 6 }
ut-hu = { explored = 100000 }

[[task]]
id = "F2 A"
generate = "fischer a 2"
skip = ["ut-hu"]

[[task]]
id = "elsewhere"
file = "no/such/model.xml"
"#;

fn read(folder: &str, name: &str) -> String {
    std::fs::read_to_string(format!("{folder}/{name}")).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn a_small_table_is_run_and_written() {
    let scratch = Scratch::new();
    let table = scratch.file("small.toml", TABLE);
    let out = scratch.path("results");
    let ran = guidepost(&["bench", &table, "--out", &out, "--jobs", "2"]).expect(0);
    assert!(ran.stderr.contains("note: task `elsewhere` is skipped: there is no file"), "{}", ran.stderr);
    assert!(ran.stderr.contains("3 of 3 pairs done, 0 wrong or failed"), "{}", ran.stderr);

    let csv = read(&out, "small.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 4, "{csv}");
    let column = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    assert_eq!(rows[1][..3], ["F3 B", "bfs", "satisfied"]);
    assert_eq!(rows[1][column("length")], "6");
    assert_eq!(rows[2][..5], ["F3 B", "ut-hu", "satisfied", "3", "3"]);
    assert!(rows[2][column("ratio")].parse::<f64>().unwrap() < 0.1);
    assert_eq!(rows[3][..3], ["F2 A", "bfs", "not satisfied"]);
    assert_eq!(rows[3][column("length")], "");

    assert_eq!(read(&out, "small-runs.csv").lines().count(), 1 + 1 + 3 + 1);
    let markdown = read(&out, "small.md");
    // More states than published: bold.
    let row = markdown.lines().find(|line| line.starts_with("| F3 B |")).unwrap();
    assert!(row.contains("**/6 (1/6)"), "{markdown}");
    assert!(markdown.contains("- elsewhere: there is no file"));
    let page = read(&out, "small.html");
    assert!(page.contains("<h1>A &lt;small&gt; table</h1>"));
    assert!(page.contains("id=\"cactus\"") && page.contains("id=\"scatter\""));
    for outside in ["src=", "href=", "url(", "@import"] {
        assert!(!page.contains(outside), "the page needs something: {outside}");
    }
}

#[test]
fn pairs_can_be_listed_and_chosen() {
    let scratch = Scratch::new();
    let table = scratch.file("small.toml", TABLE);
    let out = scratch.path("results");
    let ran = guidepost(&["bench", &table, "--out", &out, "--list", "--only", "F3 B ut"]).expect(0);
    assert_eq!(ran.stdout, format!("F3 B ut-hu  {out}/models/fischer-b-3-faulty.xta  × 3\n"));
    assert!(!std::path::Path::new(&out).exists(), "nothing is run or written");
    let ran = guidepost(&["bench", &table, "--only", "F99"]).expect(2);
    assert!(ran.stderr.contains("no pair of a task and a configuration contains `F99`"), "{}", ran.stderr);
}

#[test]
fn wrong_answers_are_noticed() {
    let scratch = Scratch::new();
    let wrong = "[[configuration]]\nid = 'bfs'\nsearch = 'bfs'\n\
                 [[task]]\nid = 'F'\ngenerate = 'fischer b 2 --faulty'\nexpect = 'not satisfied'\n\
                 [[task]]\nid = 'G'\ngenerate = 'fischer b 2'\nquery = 'E<> Nobody.There'\n";
    let table = scratch.file("wrong.toml", wrong);
    let out = scratch.path("results");
    guidepost(&["bench", &table, "--out", &out]).expect(1);
    let markdown = read(&out, "wrong.md");
    assert!(markdown.contains("WRONG: satisfied, not as expected"), "{markdown}");
    assert!(markdown.contains("failed: exit code 2: error"), "{markdown}");
}

#[test]
fn wrong_configurations_are_noticed_before_anything_runs() {
    let scratch = Scratch::new();
    let out = scratch.path("results");
    for (options, reason) in [
        ("search = 'sideways'", "configuration `second`: invalid value 'sideways'"),
        ("search = 'bfs'\nheuristic = 'hu'", "`--search bfs` takes no heuristic"),
        ("search = 'ut'\nargs = ['--threads', '2']", "`--threads` needs `--search bfs`"),
        (
            "args = ['--time-limit', '7']",
            "configuration `second`: the argument '--time-limit <S>' cannot be used multiple times",
        ),
    ] {
        let table = format!(
            "[[configuration]]\nid = 'first'\nsearch = 'bfs'\n[[configuration]]\nid = 'second'\n{options}\n\
             [[task]]\nid = 'F'\ngenerate = 'fischer b 2'\n"
        );
        let table = scratch.file("wrong.toml", table);
        let ran = guidepost(&["bench", &table, "--out", &out]).expect(2);
        assert!(ran.stderr.contains(reason), "{}", ran.stderr);
        assert!(ran.stderr.contains("configuration `second`"), "{}", ran.stderr);
        assert!(!std::path::Path::new(&out).exists(), "nothing is run or written");
    }
}

#[test]
fn limits_leave_a_task_undecided() {
    let scratch = Scratch::new();
    let table = "time_limit = 0.2\n[[configuration]]\nid = 'bfs'\nsearch = 'bfs'\nseeds = 5\n\
                 [[task]]\nid = 'F'\ngenerate = 'fischer b 30'\n";
    let table = scratch.file("slow.toml", table);
    let out = scratch.path("results");
    guidepost(&["bench", &table, "--out", &out]).expect(0);
    let csv = read(&out, "slow.csv");
    assert!(csv.contains("F,bfs,undecided: time limit,3,0,,"), "three of five decide the median: {csv}");
}

#[test]
fn wrong_tables_are_refused() {
    let scratch = Scratch::new();
    let syntax = scratch.file("syntax.toml", "title = \n");
    assert!(
        guidepost(&["bench", &syntax]).expect(2).stderr.contains("syntax.toml: TOML parse error at line 1")
    );
    let family = scratch.file("family.toml", TABLE.replace("fischer a 2", "fischer a 1"));
    let message = guidepost(&["bench", &family]).expect(2).stderr;
    assert!(
        message.contains("task `F2 A`: the number of processes must be between 2 and 10000, not 1"),
        "{message}"
    );
    assert!(guidepost(&["bench", "no-such.toml"]).expect(2).stderr.contains("cannot read `no-such.toml`"));
}

#[test]
fn the_table_of_the_repository_is_in_order() {
    let ran = guidepost(&["bench", "benches/thesis.toml", "--list"]).expect(0);
    let own = ran.stdout.lines().filter(|line| line.starts_with('F')).count();
    assert_eq!(own, 6 * 8, "{}", ran.stdout);
    let rows = ["A2", "A6", "C1", "C9", "M1", "M4", "N1", "N4"];
    for row in rows {
        let listed = ran.stdout.lines().any(|line| line.starts_with(row));
        let skipped = ran.stderr.contains(&format!("task `{row}` is skipped"));
        assert!(listed != skipped, "{row}: {}{}", ran.stdout, ran.stderr);
    }
}

/// Ctrl-C ends the run at hand and keeps what was done before.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_done() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let scratch = Scratch::new();
    let table = "time_limit = 300\n[[configuration]]\nid = 'bfs'\nsearch = 'bfs'\n\
                 [[task]]\nid = 'quick'\ngenerate = 'fischer b 2'\n[[task]]\nid = 'endless'\ngenerate = 'fischer b 40'\n";
    let table = scratch.file("long.toml", table);
    let out = scratch.path("results");
    let mut bench = Command::new(env!("CARGO_BIN_EXE_guidepost"))
        .args(["bench", &table, "--out", &out])
        .stderr(Stdio::null())
        .spawn()
        .expect("the command can be started");
    let start = Instant::now();
    let is_quick_done =
        || std::fs::read_to_string(format!("{out}/long-runs.csv")).is_ok_and(|text| text.contains("quick"));
    while !is_quick_done() {
        assert!(start.elapsed() < Duration::from_mins(1), "the quick task is done quickly");
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args(["-INT", &bench.id().to_string()]).status().expect("kill is there");
    assert!(sent.success());
    assert_eq!(bench.wait().expect("it ends").code(), Some(3));
    assert!(start.elapsed() < Duration::from_secs(100), "nobody waits for the endless task");
    let csv = read(&out, "long.csv");
    assert!(csv.contains("quick,bfs,not satisfied") && !csv.contains("endless"), "{csv}");
    assert!(read(&out, "long.md").contains("Not complete: 1 of 2 pairs."));
}
