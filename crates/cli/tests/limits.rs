//! Limits of time, memory and states, and Ctrl-C: what is known then is told.

mod common;

use common::{Scratch, check};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Fischer's protocol for this many processes, with too many states to wait for.
fn fischer(processes: usize) -> String {
    format!(
        "typedef int[1,{processes}] id_t;
int[0,{processes}] turn;
process P(id_t id) {{
    clock x;
    state Idle, Trying {{ x <= 2 }}, Pausing, Critical;
    init Idle;
    trans Idle -> Trying {{ guard turn == 0; assign x = 0; }},
        Trying -> Pausing {{ guard x <= 2; assign turn = id, x = 0; }},
        Pausing -> Critical {{ guard x > 2 && turn == id; }},
        Pausing -> Trying {{ guard turn == 0; assign x = 0; }},
        Critical -> Idle {{ assign turn = 0; }};
}}
system P;
"
    )
}

const EXCLUSION: &str = "A[] forall (i : id_t) forall (j : id_t) P(i).Critical && P(j).Critical imply i == j";

/// Counters that take half a kilobyte a state, and no end of states.
const COUNTERS: &str = "typedef int[0,127] index_t;
int a[index_t];
process P() { state L; init L; trans L -> L { select i : index_t; assign a[i]++; }; }
system P;
";

/// States of half a kilobyte, each with a few successors: memory runs out soon.
const LARGE_STATES: &str = "int a[256];
process P() { state L; init L; trans L -> L { select i : int[0,3]; assign a[i]++; }; }
system P;
";

#[test]
fn limits_leave_a_query_undecided_with_statistics() {
    let scratch = Scratch::new();
    let fischer = scratch.file("fischer.xta", fischer(12));
    let large = scratch.file("large.xta", LARGE_STATES);
    let cases: [(&str, &str, &[&str], &str); 3] = [
        (&fischer, EXCLUSION, &["--without", "symmetry", "--time-limit", "1"], "time limit"),
        (&fischer, EXCLUSION, &["--without", "symmetry", "--state-limit", "1000"], "state limit"),
        (&large, "A[] a[3] < 20000 || a[0] > 10", &["--memory-limit", "64"], "memory limit"),
    ];
    for (model, query, limit, reason) in cases {
        let started = Instant::now();
        let answer =
            check(&[&[model, "--format", "json", "--query", query], limit].concat()).expect(3).json();
        let result = &answer["results"][0];
        assert_eq!(
            (&result["verdict"], &result["reason"]),
            (&"undecided".into(), &reason.into()),
            "{limit:?}"
        );
        assert!(result["statistics"]["explored"].as_u64().is_some_and(|explored| explored > 0), "{limit:?}");
        assert!(result["statistics"]["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{limit:?}");
        if reason == "time limit" {
            assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
        }
        if reason == "memory limit" {
            let bytes = result["statistics"]["peak_memory_bytes"].as_u64().expect("a number");
            assert!((60 << 20..128 << 20).contains(&bytes), "{bytes}");
        }
    }
    let ran = check(&[
        &fischer,
        "--query",
        EXCLUSION,
        "--query",
        "E<> P(3).Critical",
        "--without",
        "symmetry",
        "--state-limit",
        "1000",
    ])
    .expect(3);
    assert!(ran.stdout.contains("Undecided: the state limit was reached."), "{}", ran.stdout);
    assert!(ran.stdout.contains("1 satisfied, 1 undecided"), "what was found stands: {}", ran.stdout);
}

/// A state with many successors must not keep a search from looking at the clock.
#[test]
fn a_time_limit_holds_within_an_expansion() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "choices.xta",
        "broadcast chan go;
         process Sender() { state A, B; init A; trans A -> B { sync go!; }; }
         process R(const int[1, 18] id) { state A, B, C, D; init A;
             trans A -> B { sync go?; }, A -> C { sync go?; }, B -> D { }; }
         system Sender, R;",
    );
    for search in [&["bfs"][..], &["bfs", "--threads", "2"], &["greedy"], &["beam"], &["ida"]] {
        let common = [&model, "--format", "json", "--query", "E<> R(1).D and R(2).D", "--time-limit", "0.02"];
        let answer = check(&[&common[..], &["--without", "slicing", "--search"], search].concat());
        let answer = answer.expect(3).json();
        let result = &answer["results"][0];
        assert_eq!(result["reason"], "time limit", "{search:?}");
        let transitions = result["statistics"]["transitions"].as_u64().expect("a number");
        assert!(transitions < 1 << 18, "{search:?}: {transitions} of 2^18 successors");
    }
}

#[test]
fn an_interrupt_gives_the_statistics_so_far() {
    let scratch = Scratch::new();
    let model = scratch.file("fischer.xta", fischer(12));
    let check =
        ["check", &model, "--query", EXCLUSION, "--query", "A[] not deadlock", "--without", "symmetry"];
    let commands: [&[&str]; 2] = [&check, &["states", &model]];
    for command in commands {
        let child = Command::new(env!("CARGO_BIN_EXE_guidepost"))
            .args(command)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command can be started");
        std::thread::sleep(Duration::from_millis(1500));
        let interrupted = Instant::now();
        let killed = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .expect("kill can be started");
        assert!(killed.success());
        let output = child.wait_with_output().expect("the command ends");
        // A second is what we promise; machines that run tests are busy.
        assert!(interrupted.elapsed() < Duration::from_secs(3), "{:?}", interrupted.elapsed());
        assert_eq!(output.status.code(), Some(3));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains("interrupted") && text.contains("explored") && text.contains("MiB"), "{text}");
    }
}

/// Engines that refine end within a second as well, with what they know.
#[test]
fn refinement_is_interrupted_and_limited() {
    let scratch = Scratch::new();
    let model = scratch.file("fischer.xta", fischer(12));
    let engines = [
        "lazy(clocks=bw)",
        "lazy(clocks=lu,data=values)",
        "eager",
        "eager(domain=predicates,prune=lazy)",
        "combined",
        "combined(domain=predicates)",
        "hidden",
    ];
    let command = |engine: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_guidepost"));
        command.args(["check", &model, "--query", EXCLUSION, "--engine", engine]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the command can be started")
    };
    let children = engines.map(|engine| (engine, command(engine)));
    std::thread::sleep(Duration::from_millis(1500));
    for (engine, child) in children {
        let interrupted = Instant::now();
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(killed.expect("kill can be started").success(), "{engine}");
        let output = child.wait_with_output().expect("the command ends");
        // Seven of them share the machine.
        assert!(interrupted.elapsed() < Duration::from_secs(5), "{engine}: {:?}", interrupted.elapsed());
        assert_eq!(output.status.code(), Some(3), "{engine}");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains("interrupted") && text.contains("explored"), "{engine}: {text}");
    }
    for engine in engines {
        for (limit, reason) in
            [(["--state-limit", "500"], "state limit"), (["--memory-limit", "1"], "memory limit")]
        {
            let common = [&model, "--query", EXCLUSION, "--engine", engine, "--format", "json"];
            let answer = check(&[&common[..], &limit].concat()).expect(3).json();
            assert_eq!(answer["results"][0]["reason"], reason, "{engine}");
        }
    }
}

/// A model that takes seconds to read.
fn enormous() -> String {
    let count = 400_000;
    let states: Vec<String> = (0..count).map(|i| format!("L{i}")).collect();
    let edges: Vec<String> = (0..count)
        .map(|i| format!("L{i} -> L{} {{ guard v < 5; assign v = 0; }}", (i + 1) % count))
        .collect();
    format!(
        "int v;\nprocess P() {{ state {}; init L0; trans {}; }}\nsystem P;\n",
        states.join(", "),
        edges.join(",\n")
    )
}

#[test]
fn limits_and_signals_end_the_reading_of_a_model() {
    let scratch = Scratch::new();
    let model = scratch.file("enormous.xta", enormous());
    let started = Instant::now();
    let ran = check(&[&model, "--query", "E<> P.L1", "--time-limit", "0.5"]).expect(3);
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert!(ran.stderr.contains("the time limit was reached while the model was read"), "{}", ran.stderr);
    for (command, signal) in [("check", "-INT"), ("check", "-TERM"), ("states", "-TERM")] {
        let query: &[&str] = if command == "check" { &["--query", "E<> P.L1"] } else { &[] };
        let child = Command::new(env!("CARGO_BIN_EXE_guidepost"))
            .arg(command)
            .arg(&model)
            .args(query)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command can be started");
        std::thread::sleep(Duration::from_millis(500));
        let interrupted = Instant::now();
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(killed.expect("kill can be started").success());
        let output = child.wait_with_output().expect("the command ends");
        assert!(interrupted.elapsed() < Duration::from_secs(3), "{:?}", interrupted.elapsed());
        assert_eq!(output.status.code(), Some(3), "{command} {signal}");
        let text = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(text.contains("interrupted while the model was read"), "{text}");
    }
}

/// The searches that `auto` lets take turns share the limits.
#[test]
fn all_searches_of_auto_together_stay_within_the_limits() {
    let scratch = Scratch::new();
    let model = scratch.file("fischer.xta", fischer(12));
    let common = [&model, "--format", "json", "--query", EXCLUSION, "--without", "symmetry"];
    let limited = |limit: &[&str]| check(&[&common[..], limit].concat()).expect(3).json();
    let answer = limited(&["--state-limit", "20000"]);
    let statistics = &answer["results"][0]["statistics"];
    let number = |name: &str| statistics[name].as_u64().expect("a number");
    assert!((10_000..=20_100).contains(&(number("stored"))), "{statistics}");
    let answer = limited(&["--memory-limit", "16"]);
    assert_eq!(answer["results"][0]["reason"], "memory limit");
    let bytes = answer["results"][0]["statistics"]["peak_memory_bytes"].as_u64().expect("a number");
    assert!((8 << 20..=17 << 20).contains(&bytes), "{bytes}");
}

/// Liveness keeps its states, and what waits beside its path, where the limit sees them.
#[cfg(target_os = "linux")]
#[test]
fn liveness_stays_within_the_memory_limit() {
    let scratch = Scratch::new();
    // No time passes, and no state comes again: the path only grows, with 127 states that wait beside each of its own.
    let counters = scratch.file("counters.xta", COUNTERS.replace("init L;", "urgent L; init L;"));
    for query in ["A<> a[0] < 0", "a[0] == 0 --> a[0] < 0"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_guidepost"))
            .args(["check", &counters, "--quiet", "--memory-limit", "256", "--query", query])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command can be started");
        let status = format!("/proc/{}/status", child.id());
        let mut peak = 0;
        while child.try_wait().expect("the child can be asked").is_none() {
            let text = std::fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
            peak = peak.max(kibibytes.unwrap_or(0));
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().expect("the child has ended");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains("Undecided: the memory limit was reached."), "{query}: {text}");
        assert!((128 << 10..(256 << 10) * 13 / 10).contains(&peak), "{query}: {peak} KiB");
    }
}

/// A state with many successors, each of which takes long to estimate, must not keep breadth-first search from its turn.
#[test]
fn an_expensive_heuristic_does_not_hold_auto_up() {
    let scratch = Scratch::new();
    let counters = scratch.file("counters.xta", COUNTERS);
    let query = "E<> a[0] == 2 and a[1] == 1 and a[99] < 0";
    let answer =
        check(&[&counters, "--format", "json", "--query", query, "--state-limit", "3000"]).expect(3).json();
    let statistics = &answer["results"][0]["statistics"];
    let evaluations = statistics["evaluations"].as_u64().expect("a number");
    assert!(evaluations < 2000, "{statistics}");
}

/// No estimate and no preprocessing is so long that the limit is forgotten.
#[test]
fn a_time_limit_holds_within_an_estimate() {
    let scratch = Scratch::new();
    let counters = scratch.file("counters.xta", COUNTERS);
    let clocks: Vec<String> = (0..150)
        .map(|i| format!("A -> A {{ guard x[{i}] >= {i} && x[{i}] <= {}; assign x[{i}] = 0; }}", 3 * i + 7))
        .collect();
    let clocks = scratch.file(
        "clocks.xta",
        format!("clock x[150]; process P() {{ state A, B; init A; trans {}, A -> B {{ guard x[3] > x[5] + 4; }}; }} system P;", clocks.join(", ")),
    );
    let slow = scratch.file(
        "slow.xta",
        "int[0,30000] n; int[0,3000] m;
         bool slow(int a, int b) { int i; int s; for (i = 0; i < 20000; i++) { s = (s + a * b) % 7; } return s >= 0; }
         process P() { state A, B; init A; trans A -> A { guard slow(n, 3); assign n = (n + 1) % 30000; },
             A -> A { guard slow(n, m); assign m = (m + 1) % 3000; }, A -> B { guard n > 20000 && m > 2000; }; }
         system P;",
    );
    for (model, query, heuristic) in [
        (&counters, "E<> a[0] > 30000", "hlx"),
        (&counters, "E<> a[0] > 30000", "hu"),
        (&clocks, "E<> P.B", "hlx"),
        (&slow, "E<> P.B", "hl"),
        (&slow, "E<> P.B", "hlx"),
        (&slow, "E<> P.B", "dpr"),
        (&slow, "E<> P.B", "rd"),
        (&slow, "E<> P.B", "pa"),
        (&slow, "E<> P.B", "ms"),
        (&slow, "E<> P.B", "add(rd,pdb(n))"),
    ] {
        let started = Instant::now();
        let search = ["--search", "greedy", "--heuristic", heuristic, "--time-limit", "1"];
        check(&[&[model.as_str(), "--query", query], &search[..]].concat()).expect(3);
        // One second more is what we promise; machines that run tests are busy.
        assert!(started.elapsed() < Duration::from_secs(5), "{heuristic}: {:?}", started.elapsed());
    }
}
