//! verifyta's command line: the verdicts of `check`, in the words that scripts look for.

mod common;

use common::{Ran, Scratch, check, guidepost, models, root};
use serde_json::Value;
use std::path::Path;

fn verifyta(args: &[&str]) -> Ran {
    guidepost(&[&["verifyta"], args].concat())
}

/// The lines about formulas, by the number of the formula.
fn verdicts(output: &str) -> Vec<(u64, String)> {
    let mut found = Vec::new();
    let mut number = 0;
    for line in output.lines() {
        if let Some(rest) = line.strip_prefix("Verifying formula ") {
            number = rest.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap();
        } else if let Some(verdict) = line.strip_prefix(" -- Formula ") {
            found.push((number, verdict.to_owned()));
        }
    }
    found
}

/// What verifyta would say of an answer of `check`.
fn words(result: &Value) -> String {
    let approximate = result["approximate"].as_bool().unwrap_or(false);
    match (result["verdict"].as_str(), approximate) {
        (Some("satisfied"), false) => "is satisfied.",
        (Some("not satisfied"), false) => "is NOT satisfied.",
        (Some("satisfied"), true) => "MAY be satisfied.",
        (Some("not satisfied"), true) => "MAY NOT be satisfied.",
        _ => "is undecided or not answered",
    }
    .to_owned()
}

/// The verdicts of a model, both ways; nothing when `check` takes too long or there is nothing to check.
fn compare(model: &Path) -> Option<usize> {
    let model = model.to_str()?;
    let ran = check(&[model, "--format", "json", "--approximate", "--time-limit", "2", "--quiet"]);
    let answers: Value = serde_json::from_str(&ran.stdout).ok()?;
    let answers = answers["results"].as_array()?;
    let expected: Vec<(u64, String)> =
        answers.iter().map(|result| (result["number"].as_u64().unwrap(), words(result))).collect();
    if expected.iter().any(|(_, words)| words.contains("undecided")) {
        return None;
    }
    let ran = verifyta(&[model, "-q"]);
    assert_eq!(verdicts(&ran.stdout), expected, "{model}: {}", ran.stderr);
    assert_eq!(ran.code, 0, "{model}");
    Some(expected.len())
}

#[test]
fn the_verdicts_are_those_of_check() {
    // Own models always; of the public ones as many as are asked for.
    let most = std::env::var("GUIDEPOST_VERIFYTA_MODELS").ok().and_then(|text| text.parse().ok());
    let most: usize = most.unwrap_or(0);
    let own = models().into_iter().filter(|path| path.starts_with(root().join("models")));
    let own: usize = own.filter_map(|path| compare(&path)).sum();
    assert!(own > 60, "{own} verdicts");
    let public = models().into_iter().filter(|path| !path.starts_with(root().join("models")));
    let small = public.filter(|path| path.metadata().is_ok_and(|data| data.len() < 20_000));
    let compared: Vec<usize> = small.filter_map(|path| compare(&path)).take(most).collect();
    println!("{own} own verdicts; {} of {} public models", compared.iter().sum::<usize>(), compared.len());
}

#[test]
fn options_and_places_are_printed_as_scripts_expect_them() {
    let ran = verifyta(&["models/fischer.xta", "-o1", "-S2", "-r", "7", "-C", "-u"]).expect(0);
    let head = "Options for the verification:\n  Generating no trace\n  Search order is depth first\n  \
                Using aggressive space optimisation\n  Seed is 7\n  \
                State space representation uses difference bound matrices\n\nVerifying formula 1 at line ";
    assert!(ran.stdout.starts_with(head), "{}", ran.stdout);
    for line in [
        " -- States stored : ",
        " -- States explored : ",
        " -- CPU user time used : ",
        " -- Virtual memory used : ",
        " -- Resident memory used : ",
    ] {
        assert!(ran.stdout.contains(line), "{line}");
    }
    assert_eq!(ran.stderr, "", "wrappers take a word on standard error for a failure");
    let ran = verifyta(&["models/fischer.xml", "-q"]).expect(0);
    assert!(ran.stdout.starts_with("\nVerifying formula 1 at /nta/queries/query[1]/formula\n -- Formula is"));
}

#[test]
fn the_version_names_what_it_is_like() {
    let ran = verifyta(&["-v"]).expect(0);
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "UPPAAL").unwrap();
    assert!(words[0] == "guidepost" && words[at + 1].starts_with("4."), "{}", ran.stdout);
}

#[test]
fn traces_go_to_standard_error_or_to_files() {
    let ran = verifyta(&["models/fischer-faulty.xml", "-t1", "-q"]).expect(0);
    assert!(
        ran.stdout.contains("-- Formula is NOT satisfied.\nShowing counter example.\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr.starts_with("State:\n( P(1).Idle P(2).Idle P(3).Idle P(4).Idle )\n"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("\nTransitions:\n  P(1).Idle->P(1).Trying { turn == 0, tau, x = 0 }\n"));
    assert!(ran.stderr.contains("Delay: 2\n") && ran.stderr.contains("#depth=6"), "{}", ran.stderr);

    let scratch = Scratch::new();
    let prefix = scratch.path("trace");
    let ran = verifyta(&["models/fischer-faulty.xml", "-t", "1", "-q", "-f", &prefix]).expect(0);
    assert!(
        ran.stderr.starts_with(&format!("Writing counter example to {prefix}-1.xtr\n")),
        "{}",
        ran.stderr
    );
    assert!(!ran.stdout.contains("Showing"));
    let replayed = guidepost(&["replay", "models/fischer-faulty.xml", &format!("{prefix}-2.xtr")]).expect(0);
    assert_eq!(replayed.stdout, "The run replays: 6 transitions in 4 time units, every step checked.\n");
    let right = guidepost(&["replay", "models/fischer.xml", &format!("{prefix}-2.xtr")]).expect(1);
    assert!(right.stderr.contains("transition 4 of the trace is not possible"), "{}", right.stderr);
    let other = guidepost(&["replay", "models/train-gate.xml", &format!("{prefix}-2.xtr")]).expect(2);
    assert!(other.stderr.contains("the trace does not fit the model"), "{}", other.stderr);
}

#[test]
fn zones_are_shown_on_request() {
    let ran = verifyta(&["models/light-switch.xml", "-t0", "-y", "-q"]).expect(0);
    assert!(ran.stderr.contains("Lamp.y<=") || ran.stderr.contains("Lamp.y>="), "{}", ran.stderr);
    assert!(!ran.stderr.contains("Delay:"), "zones know no delays");
}

#[test]
fn what_cannot_be_had_is_named() {
    for (args, is) in [
        (&["-Z", "models/fischer.xml"][..], "verifyta's `-Z`, `--bitstate-hashing` is not supported"),
        (
            &["models/fischer.xml", "-X", "trace"],
            "verifyta's `-X`, `--save-trace` is not supported: traces in XML",
        ),
        (&["models/fischer.xml", "-E", "0.1"], "verifyta's `-E`, `--epsilon` is not supported: statistics"),
        (&["models/fischer.xml", "--good-runs", "5"], "`--good-runs` is not supported: learning strategies"),
        (&["models/fischer.xml", "--state-representation", "2"], "bit-state hashing"),
        (&["models/fischer.xml", "-o", "3"], "`-o 3` and `-o 4` look for a best trace"),
        (&["models/fischer.xml", "-A", "-t1"], "no trace can be proved the best"),
        (&["models/fischer.xml", "-t", "9"], "9 is not in 0..=3"),
        (&["models/fischer.xml", "no-such.q"], "no-such.q"),
        (&["no-such.xml"], "no-such.xml"),
        (&["models/fischer.xml", "--nonsense"], "--nonsense"),
        (&[], "MODEL"),
    ] {
        let ran = verifyta(args).expect(2);
        assert!(ran.stderr.contains(is), "{args:?}: {}", ran.stderr);
        assert!(!ran.stdout.contains("Formula"), "{args:?}");
    }
    // A licence is not needed.
    verifyta(&["models/light-switch.xml", "-k", "0000", "-q"]).expect(0);
}

#[test]
fn mistakes_are_one_line_each() {
    let scratch = Scratch::new();
    let wrong =
        scratch.file("wrong.xta", "clock x; process P() { state A { x <= n }; init A; } system P, Q;");
    let ran = verifyta(&[&wrong]).expect(2);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.stderr);
    assert_eq!(lines[0], format!("{wrong}:1:39: [error] `n` is not declared."));
    let model = scratch.file("m.xta", "process P() { state A, B; init A; trans A -> B { }; } system P;");
    let queries = scratch.file("m.q", "E<> P.B\nE<> P.C\n");
    let ran = verifyta(&[&model, &queries, "-q"]).expect(2);
    assert!(ran.stderr.contains("m.q:2:") && ran.stderr.contains("[error]"), "{}", ran.stderr);
    assert!(ran.stdout.contains(" at line 1\n -- Formula is satisfied."), "{}", ran.stdout);
}

#[test]
fn over_approximations_say_may() {
    let ran = verifyta(&["models/fischer.xml", "-A", "-q"]);
    assert!(ran.stdout.contains("MAY") || ran.stdout.contains("is satisfied"), "{}", ran.stdout);
    let exact = verifyta(&["models/fischer.xml", "-q"]).expect(0);
    for ((number, hull), (_, exact)) in verdicts(&ran.stdout).iter().zip(verdicts(&exact.stdout)) {
        assert!(hull.contains("MAY") || *hull == exact, "{number}: {hull}, {exact}");
    }
}

#[test]
fn a_link_of_that_name_is_the_command() {
    let scratch = Scratch::new();
    let link = scratch.path("verifyta");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_guidepost"), &link).unwrap();
        let output = std::process::Command::new(&link).arg("-v").output().unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains("UPPAAL"));
    }
}

/// The compiled model, which readers of traces ask for.
#[test]
fn the_compiled_model_is_written_on_request() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_guidepost"))
        .args(["verifyta", "models/train-gate.xml"])
        .env("UPPAAL_COMPILE_ONLY", "1")
        .current_dir(root())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("layout\n") && text.contains("\nexpressions\n"), "{text}");
    assert!(!text.contains("Verifying"));
}
