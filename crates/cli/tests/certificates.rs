//! Certificates: `check --certificate`, `check --certified` and `certify`.

mod common;

use common::{Ran, Scratch, check, guidepost};

const FISCHER: &str = "models/fischer.xml";

/// Writes a certificate of Fischer's mutual exclusion, and gives its path.
fn mutual_exclusion(scratch: &Scratch) -> String {
    let file = scratch.path("fischer.cert");
    check(&[FISCHER, "--select", "1", "--certificate", &file]).expect(0);
    file
}

fn rejected(args: &[&str], reason: &str) {
    let ran: Ran = guidepost(&[&["certify"], args].concat()).expect(1);
    assert!(ran.stdout.contains("REJECTED") && ran.stdout.contains(reason), "{}", ran.stdout);
}

#[test]
fn a_certificate_is_written_and_accepted() {
    let scratch = Scratch::new();
    let file = mutual_exclusion(&scratch);
    let ran = guidepost(&["certify", FISCHER, &file]).expect(0);
    assert!(ran.stdout.contains("The certificate is accepted: the formula is satisfied."), "{}", ran.stdout);
    let ran = guidepost(&["certify", FISCHER, &file, "--format", "json"]).expect(0).json();
    assert_eq!((&ran["accepted"], &ran["verdict"]), (&true.into(), &"satisfied".into()), "{ran}");
    assert_eq!(ran["states"], 220);
}

#[test]
fn every_engine_and_search_is_certified() {
    let ways: [&[&str]; 18] = [
        &[],
        &["--search", "bfs"],
        &["--search", "dfs"],
        &["--search", "astar", "--heuristic", "hl"],
        &["--search", "greedy", "--heuristic", "dpr"],
        &["--search", "bfs", "--threads", "2"],
        &["--engine", "zones"],
        &["--engine", "cluster(processes=2)"],
        &["--engine", "lazy"],
        &["--engine", "lazy(clocks=lu,data=values)"],
        &["--engine", "lazy(clocks=fw)"],
        &["--engine", "eager"],
        &["--engine", "eager(domain=predicates)"],
        &["--engine", "combined"],
        &["--engine", "combined(domain=predicates)"],
        &["--engine", "hidden"],
        &["--engine", "cdd"],
        &["--engine", "cost"],
    ];
    let models = [(FISCHER, "1"), ("models/train-gate.xml", "1")];
    for (model, query) in models {
        for way in ways {
            let ran = check(&[&[model, "--select", query, "--certified", "--format", "json"], way].concat());
            let certificate = &ran.expect(0).json()["results"][0]["certificate"];
            assert_eq!(certificate["checked"], true, "{model} {way:?}: {certificate}");
            assert!(
                certificate["file"].is_null() && certificate["bytes"].as_u64() > Some(100),
                "{certificate}"
            );
        }
    }
}

/// `bdd` is for systems without clocks.
#[test]
fn systems_without_clocks_are_certified_by_every_engine() {
    let scratch = Scratch::new();
    let text = "int[0,9] n; process P() { state A, B, C; init A; trans A -> B { guard n < 5; assign n++; }, B -> A { }, A -> C { guard n > 5; }; } system P;";
    let model = scratch.file("counter.xta", text);
    for engine in ["auto", "zones", "lazy", "hidden", "combined", "eager", "cdd"] {
        let args = [&*model, "--query", "E<> P.C", "--certified", "--format", "json", "--engine", engine];
        let answer = check(&args).expect(1).json();
        assert_eq!(answer["results"][0]["certificate"]["checked"], true, "{engine}: {answer}");
    }
}

#[test]
fn what_happens_on_every_run_is_certified() {
    let scratch = Scratch::new();
    let file = scratch.path("response.cert");
    check(&["models/train-gate.xml", "--select", "4", "--certificate", &file]).expect(0);
    let ran = guidepost(&["certify", "models/train-gate.xml", &file]).expect(0);
    assert!(ran.stdout.contains("The certificate is accepted: the formula is satisfied."), "{}", ran.stdout);
    let text = "clock x; process P() { state A { x <= 3 }, B; init A; trans A -> A { guard x < 1; }, A -> B { guard x >= 2; }; } system P;";
    let model = scratch.file("slow.xta", text);
    // `A -> A` can be taken for ever, in no time.
    for (query, exit) in [("A<> P.B", 1), ("A<> x > 2 or P.A", 0), ("E[] P.A", 0), ("P.B --> P.B", 0)] {
        let ran = check(&[&*model, "--query", query, "--certified", "--format", "json"]).expect(exit).json();
        let is_proved = exit == 0 && !query.starts_with('E');
        assert_eq!(ran["results"][0]["certificate"]["checked"] == true, is_proved, "{query}: {ran}");
    }
    let model = scratch.file("sure.xta", text.replace("guard x < 1;", "guard x == 3; assign x = 4;"));
    for (query, exit) in [("A<> P.B", 0), ("E[] P.A and x <= 2", 1), ("A<> x == 2", 0)] {
        let ran = check(&[&*model, "--query", query, "--certified", "--format", "json"]).expect(exit).json();
        assert_eq!(ran["results"][0]["certificate"]["checked"], true, "{query}: {ran}");
    }
}

#[test]
fn several_queries_have_several_files() {
    let scratch = Scratch::new();
    let file = scratch.path("all.cert");
    let ran = check(&[FISCHER, "--select", "1,2,3,4,5", "--certificate", &file, "--certified"]).expect(0);
    assert!(!ran.stderr.contains("no certificate"), "{}", ran.stderr);
    for number in [1, 2, 4, 5] {
        guidepost(&["certify", FISCHER, &scratch.path(&format!("all-{number}.cert"))]).expect(0);
    }
    assert!(!std::path::Path::new(&scratch.path("all-3.cert")).exists(), "a run shows that");
}

#[test]
fn what_is_wrong_is_rejected() {
    let scratch = Scratch::new();
    let file = mutual_exclusion(&scratch);
    let bytes = std::fs::read(&file).unwrap();
    let cut = scratch.file("cut.cert", &bytes[..bytes.len() - 1]);
    rejected(&[FISCHER, &cut], "the file is cut off");
    let mut flipped = bytes.clone();
    *flipped.last_mut().unwrap() ^= 1;
    rejected(
        &[FISCHER, &scratch.file("flipped.cert", &flipped)],
        "the file is spoilt: its checksum is wrong",
    );
    // A byte of the query is told as what it is, whether there is such a query or not.
    let place = bytes.windows(6).position(|part| part == b"query ").unwrap() + 6;
    let digit = if bytes[place - 10] == b'0' { b'1' } else { b'0' };
    for (at, byte) in [(place, b'B'), (place, b'E'), (place + 4, b'#'), (place - 10, digit)] {
        let mut changed = bytes.clone();
        assert_ne!(std::mem::replace(&mut changed[at], byte), byte);
        rejected(
            &[FISCHER, &scratch.file("changed.cert", &changed)],
            "the file is spoilt: its checksum is wrong",
        );
    }
    rejected(&["models/fischer-faulty.xml", &file], "it is about another model");
    rejected(&[FISCHER, &file, "--query", "A[] not P(1).Critical"], "it is about `A[] forall");
    let ran = guidepost(&["certify", FISCHER, &cut, "--format", "json"]).expect(1).json();
    assert_eq!((&ran["accepted"], &ran["reason"]), (&false.into(), &"the file is cut off".into()), "{ran}");
}

#[test]
fn what_is_no_certificate_is_wrong_input() {
    let scratch = Scratch::new();
    let ran = guidepost(&["certify", FISCHER, FISCHER]).expect(2);
    assert!(ran.stderr.contains("it is not a certificate"), "{}", ran.stderr);
    let ran = guidepost(&["certify", FISCHER, &scratch.path("nothing.cert")]).expect(2);
    assert!(ran.stderr.contains("cannot read"), "{}", ran.stderr);
    let newer = scratch.file("newer.cert", "guidepost certificate 7\n");
    let ran = guidepost(&["certify", FISCHER, &newer]).expect(2);
    assert!(
        ran.stderr.contains("it is a certificate of version 7; this program reads version 3"),
        "{}",
        ran.stderr
    );
}

/// With several queries, files have numbers, and with Munta other extensions: those must not be what is read either.
#[test]
fn no_file_of_a_certificate_is_one_that_is_read_or_written_elsewhere() {
    let scratch = Scratch::new();
    let text = "int[0,9] n; process P() { state A, B, C; init A; trans A -> B { }, B -> C { guard n == 9; }; } system P;";
    let model = scratch.file("m-2.xta", text);
    let queries = ["--query", "E<> P.C", "--query", "A[] not P.C"];
    let certificate = scratch.path("m.xta");
    check(&[&[model.as_str(), "--certificate", &certificate], &queries[..]].concat()).expect(2);
    assert_eq!(std::fs::read_to_string(&model).unwrap(), text, "the model is as it was");
    let (certificate, trace) = (scratch.path("a.cert"), scratch.path("a-1.cert"));
    let both = [model.as_str(), "--certificate", &certificate, "--trace-file", &trace];
    check(&[&both[..], &queries[..]].concat()).expect(2);
    let model = scratch.file("mv.muntax", text);
    let certificate = scratch.path("mv.cert");
    let munta = [model.as_str(), "--certificate", &certificate, "--certificate-format", "munta"];
    check(&[&munta[..], &queries[..2]].concat()).expect(2);
    assert_eq!(std::fs::read_to_string(&model).unwrap(), text, "the model is as it was");
}

/// An engine may not meet an error of the model that the set of a certificate meets: then nothing is certified, and nothing is said.
/// An abstraction has no errors, and the answer says so; a certificate of all states meets them.
#[test]
fn certificates_of_abstractions_pass_over_errors_of_the_model() {
    let scratch = Scratch::new();
    let text = "clock x; int[0,2] n; process P() { state A { x <= 3 }, B; init A;
        trans A -> A { guard x >= 1; assign x = 0, n++; }, A -> B { guard x > 5; }; } system P;";
    let model = scratch.file("error.xta", text);
    let query = ["--query", "E<> P.B", "--engine", "combined", "--certified", "--format", "json"];
    let answer = check(&[&[model.as_str()], &query[..]].concat()).expect(1).json();
    let result = &answer["results"][0];
    assert_eq!(result["certificate"]["hides"], serde_json::json!(["n"]), "{answer}");
    assert!(result["notes"].to_string().contains("for runs without errors of the model"), "{answer}");
    let query = ["--query", "E<> P.B", "--search", "bfs", "--certified", "--format", "json"];
    let answer = check(&[&[model.as_str()], &query[..]].concat()).expect(2).json();
    assert_eq!(answer["results"][0]["verdict"], "undecided", "{answer}");
}

#[test]
fn what_cannot_be_certified_is_refused_by_name() {
    let scratch = Scratch::new();
    let file = scratch.path("none.cert");
    let ran = check(&[FISCHER, "--query", "sup: turn", "--certificate", &file]).expect(2);
    assert!(
        ran.stderr.contains("certificates are for `E<>`, `A[]`, `A<>`, `E[]` and `-->` only"),
        "{}",
        ran.stderr
    );
    let munta = ["--certificate", &file, "--certificate-format", "munta"];
    let ran = check(&[&[FISCHER, "--select", "5"], &munta[..]].concat()).expect(2);
    assert!(ran.stderr.contains("Munta's certificates are for `E<>` and `A[]` only"), "{}", ran.stderr);
    let model = "clock x, y; process P() { state A { y' == 0 }, B; init A; trans A -> B { guard x < 0; }; } system P;";
    let model = scratch.file("stopped.xta", model);
    let ran = check(&[&model, "--query", "E<> P.B", "--approximate", "--certificate", &file]).expect(2);
    assert!(ran.stderr.contains("does not know stop-watches"), "{}", ran.stderr);
    let ran = check(&["models/fischer-faulty.xml", "--select", "1", "--certificate", &file]).expect(0);
    assert!(ran.stderr.contains("note: no answer says that something is unreachable"), "{}", ran.stderr);
    assert!(!std::path::Path::new(&file).exists());
}

#[test]
fn a_certificate_is_not_for_the_terminal_and_not_the_model() {
    let ran = check(&[FISCHER, "--select", "1", "--certificate", "-"]).expect(2);
    assert!(ran.stderr.contains("give `--certificate` the name of a file"), "{}", ran.stderr);
    let ran = check(&[FISCHER, "--select", "1", "--certificate", FISCHER]).expect(2);
    assert!(ran.stderr.contains("is read by this command"), "{}", ran.stderr);
    let scratch = Scratch::new();
    let same = scratch.path("same");
    let ran = check(&[FISCHER, "--select", "1", "--certificate", &same, "--report", &same]).expect(2);
    assert!(ran.stderr.contains("cannot be the report and the certificate at once"), "{}", ran.stderr);
}

#[test]
fn without_a_certificate_within_the_limits_nothing_is_certified() {
    let scratch = Scratch::new();
    // The search needs 35 states, since one stands for all that are symmetric to it; a certificate takes all of them.
    let model = "typedef scalar[4] id_t; bool taken; id_t turn;
        process P(const id_t me) { clock x; state A, Req { x <= 2 }, Wait, Cs; init A;
            trans A -> Req { guard !taken; assign x = 0; }, Req -> Wait { assign x = 0, taken = true, turn = me; }, Wait -> Req { guard !taken; assign x = 0; },
                  Wait -> Cs { guard x > 2 && taken && turn == me; }, Cs -> A { assign taken = false; }; }
        system P;";
    let model = scratch.file("count.xta", model);
    let query = "A[] forall (i : id_t) forall (j : id_t) P(i).Cs and P(j).Cs imply i == j";
    let args = [&*model, "--query", query, "--search", "bfs", "--state-limit", "100"];
    check(&args).expect(0);
    let ran = check(&[&args[..], &["--certified"]].concat()).expect(3);
    assert!(ran.stdout.contains("Undecided: the state limit was reached."), "{}", ran.stdout);
    let file = scratch.path("count.cert");
    let ran = check(&[&args[..], &["--certificate", &file]].concat()).expect(3);
    assert!(ran.stdout.contains("Formula is satisfied."), "{}", ran.stdout);
    assert!(ran.stderr.contains("the state limit was reached while it was made"), "{}", ran.stderr);
}

/// The protocol as it stands in textbooks: nothing that Munta's language does not have.
const PLAIN_FISCHER: &str = "int[0,3] id;
    process P(const int[1,3] pid) { clock x; state A, Req { x <= 2 }, Wait, Cs; init A;
        trans A -> Req { guard id == 0; assign x = 0; }, Req -> Wait { guard x <= 2; assign x = 0, id = pid; },
              Wait -> Req { guard id == 0; assign x = 0; }, Wait -> Cs { guard x > 2 && id == pid; }, Cs -> A { assign id = 0; }; }
    system P;";

#[test]
fn munta_gets_three_files() {
    let scratch = Scratch::new();
    let model = scratch.file("fischer.xta", PLAIN_FISCHER);
    let cert = scratch.path("fischer.cert");
    let query = "E<> P(1).Cs and P(2).Cs";
    let args =
        [&*model, "--query", query, "--certificate", &cert, "--certificate-format", "munta", "--certified"];
    let ran = check(&args).expect(1);
    assert!(ran.stdout.contains("checked."), "{}", ran.stdout);
    let read = |name: &str| std::fs::read_to_string(scratch.path(name)).unwrap();
    let munta: serde_json::Value = serde_json::from_str(&read("fischer.muntax")).unwrap();
    assert_eq!(munta["formula"], "E<> (((P_1.Cs) && (P_2.Cs)))");
    assert_eq!((&munta["clocks"], &munta["vars"]), (&"P_1__x, P_2__x, P_3__x".into(), &"id[0:3]".into()));
    let edge = &munta["automata"][1]["edges"][1];
    assert_eq!(edge["guard"], "P_2__x <= 2");
    assert_eq!(edge["update"], "P_2__x := 0, id := 2");
    let renaming: serde_json::Value = serde_json::from_str(&read("fischer.renaming")).unwrap();
    assert_eq!((&renaming["clocks"]["P_1__x"], &renaming["processes"]["P_3"]), (&1.into(), &2.into()));
    let bytes = std::fs::read(&cert).unwrap();
    let words: Vec<i64> = bytes.chunks(8).map(|word| i64::from_be_bytes(word.try_into().unwrap())).collect();
    assert_eq!(words[..4], [42, 3, 4, 1]);
    // The first state is the initial one: three locations, a variable, one zone in which nothing matters.
    assert_eq!(words[5..10], [0, 0, 0, 0, 1]);
    assert_eq!(words[10..14], [1; 4], "no clock is below zero");
    assert_eq!(words[14..16], [i64::MAX, 1], "nor bounded from above");
    ask_munta(&scratch);
}

/// The verified checker has the last word, where it is installed.
fn ask_munta(scratch: &Scratch) {
    let [model, renaming, cert] =
        ["muntax", "renaming", "cert"].map(|kind| scratch.path(&format!("fischer.{kind}")));
    let ran =
        std::process::Command::new("muntac").args(["-m", &model, "-r", &renaming, "-c", &cert]).output();
    match ran {
        Ok(ran) => {
            let said = String::from_utf8_lossy(&ran.stdout);
            assert!(said.contains("Certificate was accepted"), "{said}");
        }
        Err(_) => println!("skipped: `muntac` is not installed"),
    }
}

#[test]
fn what_munta_does_not_know_is_named() {
    let scratch = Scratch::new();
    let cert = scratch.path("out.cert");
    let munta = ["--certificate", &cert, "--certificate-format", "munta"];
    let cases = [
        (
            "broadcast chan c; clock x; process P() { state A, B; init A; trans A -> B { guard x < 0; sync c!; }; } system P;",
            "broadcast channels",
        ),
        (
            "clock x, y; process P() { state A, B; init A; trans A -> B { guard x - y > 3; }; } system P;",
            "comparisons of two clocks",
        ),
        (
            "clock x; int v = 3; process P() { state A, B; init A; trans A -> B { guard x < 0; }; } system P;",
            "a variable that does not begin with zero: v",
        ),
    ];
    for (text, construct) in cases {
        let model = scratch.file("model.xta", text);
        let ran = check(&[&[&*model, "--query", "E<> P.B"], &munta[..]].concat()).expect(2);
        assert!(
            ran.stderr.contains(&format!("Munta's language does not have {construct}")),
            "{}",
            ran.stderr
        );
    }
    check(&[FISCHER, "--certificate-format", "munta"]).expect(2);
}
