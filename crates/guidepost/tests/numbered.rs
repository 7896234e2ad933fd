//! Processes with numbers that can be exchanged for each other all the same: the same answers from fewer states, whatever the question tells apart.

use guidepost::{RunKind, Session, Settings, Verdict};
use guidepost_answer::{Answer, Limits, Reductions};
use guidepost_network::ScalarSet;
use guidepost_search::{Order, Strategy};

const SYMMETRY: Reductions = Reductions { symmetry: true, ..Reductions::NONE };
/// More states than this are not compared.
const LARGEST: u64 = 5000;

/// Fischer's protocol in the usual form: 0 is nobody.
fn fischer(processes: u32) -> String {
    format!(
        "typedef int[1,{processes}] pid_t; int[0,{processes}] id;
         process P(const pid_t pid) {{ clock x; state Idle, Req {{ x <= 2 }}, Wait, In; init Idle;
           trans Idle -> Req {{ guard id == 0; assign x = 0; }}, Req -> Wait {{ guard x <= 2; assign x = 0, id = pid; }},
                 Wait -> Req {{ guard id == 0; assign x = 0; }}, Wait -> In {{ guard x > 2 && id == pid; }}, In -> Idle {{ assign id = 0; }}; }}
         system P;"
    )
}

fn session(text: &str) -> Session {
    Session::parse("model.xta", text).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

fn sets(text: &str) -> Vec<(String, u32)> {
    let describe = |set: &ScalarSet| (set.name.clone(), set.size);
    session(text).network().symmetries.found.iter().map(describe).collect()
}

fn ask(
    session: &mut Session,
    query: &str,
    order: Option<Order>,
    run: RunKind,
    reductions: Reductions,
) -> Answer {
    // Without reductions, spaces may be too large to be of use here.
    let states = (reductions == Reductions::NONE).then_some(LARGEST);
    let limits = Limits { states, ..Limits::default() };
    let strategy = order.map(Strategy::Blind);
    let settings = Settings { run, reductions, strategy, limits, ..Settings::default() };
    session.ask(query, &settings).unwrap_or_else(|error| panic!("{query}: {error:?}"))
}

fn length(answer: &Answer) -> Option<usize> {
    let evidence = answer.evidence.as_ref()?;
    Some(evidence.steps.iter().filter(|step| step.transition.is_some()).count())
}

/// What came of comparing answers.
#[derive(Default, Debug)]
struct Comparison {
    compared: usize,
    renamed: u64,
    plain: u64,
    reduced: u64,
}

/// Asks with and without symmetry, in several orders.
fn compare(text: &str, queries: &[&str]) -> Comparison {
    let mut session = session(text);
    let mut total = Comparison::default();
    for query in queries {
        let bfs = Some(Order::BreadthFirst);
        let plain = ask(&mut session, query, bfs, RunKind::Shortest, Reductions::NONE);
        assert_eq!(plain.statistics.renamed, 0);
        if plain.verdict() == Verdict::Undecided {
            continue;
        }
        total.compared += 1;
        for reductions in [SYMMETRY, Reductions::default()] {
            for (order, run) in [
                (bfs, RunKind::Shortest),
                (bfs, RunKind::Any),
                (Some(Order::DepthFirst), RunKind::Any),
                (None, RunKind::Shortest),
            ] {
                let answer = ask(&mut session, query, order, run, reductions);
                let context = || format!("{query}, {order:?}, {run:?}, {reductions:?}\n{text}\n{answer:?}");
                assert_eq!(answer.verdict(), plain.verdict(), "{}", context());
                assert!(answer.internal.is_none(), "{}", context());
                assert_eq!(answer.evidence.is_some(), plain.evidence.is_some(), "{}", context());
                if run == RunKind::Shortest {
                    assert_eq!(length(&answer), length(&plain), "{}", context());
                }
                if (order, run, reductions) == (bfs, RunKind::Shortest, SYMMETRY) && plain.evidence.is_none()
                {
                    total.plain += plain.statistics.discrete;
                    total.reduced += answer.statistics.discrete;
                }
                total.renamed += answer.statistics.renamed;
            }
        }
    }
    total
}

#[test]
fn fischer_with_numbers() {
    let text = fischer(4);
    assert_eq!(sets(&text), [("P".to_owned(), 4)]);
    let queries = [
        "A[] forall (i : pid_t) forall (j : pid_t) P(i).In && P(j).In imply i == j",
        "A[] not deadlock",
        "E<> P(1).In && P(2).Wait",
        "E<> P(4).In && id != 4",
        "A[] not (P(2).In && P(3).In)",
        "A[] P(1).In imply id == 1",
        "E<> id == 3 && P(3).Wait && P(3).x >= 2 && P(1).x <= 1",
        "E<> forall (i : pid_t) P(i).Wait",
        "E<> P(1).x > 3 && P(2).x < 2 && P(1).Wait && P(2).Req",
    ];
    let total = compare(&text, &queries);
    assert!(total.compared == queries.len() && total.renamed > 0, "{total:?}");
    assert!(total.reduced * 2 < total.plain, "{total:?}");
}

/// The state space of a symmetric protocol grows with the number of processes, not with its factorial, also when the question names two of them.
#[test]
fn representatives_are_few() {
    let count = |processes: u32, query: &str| {
        let settings = Settings {
            reductions: SYMMETRY,
            strategy: Some(Strategy::Blind(Order::BreadthFirst)),
            ..Settings::default()
        };
        let answer = session(&fischer(processes)).ask(query, &settings).expect("an answer");
        assert_eq!(answer.verdict(), Verdict::Satisfied, "{query}");
        answer.statistics.discrete
    };
    for query in [
        "A[] forall (i : pid_t) forall (j : pid_t) P(i).In && P(j).In imply i == j",
        "A[] not (P(1).In && P(2).In)",
    ] {
        let (few, many) = (count(5, query), count(7, query));
        assert!(many < few * 4, "{query}: {few} {many}");
    }
}

/// Instances one by one, an array of channels, and a server with one edge for each client.
#[test]
fn a_server_with_an_edge_for_each() {
    let text = "const int N = 3; typedef int[1,N] id_t; chan ask[id_t], done[id_t]; bool served[id_t]; int[0,N] owner;
        process Client(const id_t id) { clock x; state Away, Has { x <= 4 }; init Away;
          trans Away -> Has { guard !served[id]; sync ask[id]!; assign x = 0; }, Has -> Away { guard x >= 1; sync done[id]!; }; }
        process Server() { state Free, Busy; init Free;
          trans Free -> Busy { select i : id_t; sync ask[i]?; assign owner = i; },
                Busy -> Free { select i : id_t; guard owner == i; sync done[i]?; assign served[i] = true, owner = 0; }; }
        A = Client(1); B = Client(2); C = Client(3); S = Server(); system A, B, C, S;";
    assert_eq!(sets(text), [("A".to_owned(), 3)]);
    let queries = [
        "E<> deadlock",
        "E<> served[2] && !served[1]",
        "A[] not (A.Has && B.Has)",
        "E<> C.Has && owner != 3",
        "E<> A.x > 3 && B.Has",
    ];
    let total = compare(text, &queries);
    assert!(total.compared == queries.len() && total.renamed > 0, "{total:?}");
}

/// Who waits, in order: cells of an array with a computed index hold the numbers.
#[test]
fn a_queue_of_numbers() {
    let text = "typedef int[1,4] id_t; int[1,4] queue[4]; int[0,3] head; int[0,4] length; chan ask[id_t], go[id_t], leave[id_t];
        process Train(const id_t id) { clock x; state Away, Near { x <= 20 }, Waits, On { x <= 5 }; init Away;
          trans Away -> Near { sync ask[id]!; assign x = 0; }, Near -> Waits { guard x <= 10; }, Waits -> On { sync go[id]?; assign x = 0; },
                On -> Away { guard x >= 3; sync leave[id]!; }; }
        process Gate() { state Free, Busy; init Free;
          trans Free -> Free { select i : id_t; guard length < 4; sync ask[i]?; assign queue[(head + length) % 4] = i, length = length + 1; },
                Busy -> Busy { select i : id_t; guard length < 4; sync ask[i]?; assign queue[(head + length) % 4] = i, length = length + 1; },
                Free -> Busy { select i : id_t; guard length > 0 && queue[head] == i; sync go[i]!; },
                Busy -> Free { select i : id_t; guard length > 0 && queue[head] == i; sync leave[i]?; assign head = (head + 1) % 4, length = length - 1; }; }
        system Train, Gate;";
    assert_eq!(sets(text), [("Train".to_owned(), 4)]);
    let mut session = session(text);
    // How many times fewer states there are, nearly: by the permutations of those that are not named.
    for (query, times) in [
        ("A[] not (Train(1).On && Train(2).On)", 2),
        ("A[] length <= 4", 24),
        ("A[] Train(3).On imply queue[head] == 3", 6),
    ] {
        let with = |reductions| {
            let strategy = Some(Strategy::Blind(Order::BreadthFirst));
            Settings { reductions, strategy, ..Settings::default() }
        };
        let plain = session.ask(query, &with(Reductions::NONE)).expect("an answer");
        let reduced = session.ask(query, &with(SYMMETRY)).expect("an answer");
        assert_eq!(reduced.verdict(), plain.verdict(), "{query}");
        let (few, many) = (reduced.statistics.discrete, plain.statistics.discrete);
        assert!(few * times < many * 2, "{query}: {few} of {many}");
    }
}

#[test]
fn what_tells_processes_apart() {
    let with = |guard: &str, update: &str| {
        format!(
            "const int N = 3; typedef int[0,2] id_t; int[0,5] v; int[-1,2] who = -1; bool flag[id_t]; chan next[3];
             int[0,5] twice(int[0,5] n) {{ return n; }}
             process P(const id_t id) {{ clock x; state A, B; init A; trans A -> B {{ guard {guard}; assign {update}; }}, B -> A {{ }}; }}
             process Q() {{ state A; init A; trans A -> A {{ guard who == 2 && v < 4; }}; }}
             system P, Q;"
        )
    };
    // Some of them may still be exchanged.
    let is_found = |text: &str| sets(text).iter().any(|(_, size)| *size == 3);
    // What only one process of the model asks about.
    assert!(!is_found(&with("true", "who = id")), "Q looks for a certain number");
    let alone = |guard: &str, update: &str| with(guard, update).replace("who == 2", "who == -1");
    assert!(is_found(&alone("true", "who = id")));
    assert!(is_found(&alone("flag[id] && who == id", "flag[id] = false, who = -1")));
    assert!(is_found(&alone("x > 2", "x = 0")));
    for (guard, update) in [
        ("id < 2", "who = id"),
        ("x > id", "who = id"),
        ("who <= id", "who = id"),
        ("true", "v = id + 1"),
        ("true", "v = twice(id)"),
        ("flag[id] && flag[(id + 1) % N]", "who = id"),
        ("who >= 0 && flag[who]", "who = id"),
        ("true", "who = id, v = who + 1"),
        ("who == id", "who = (id + 1) % N"),
        ("id == 0 || who == id", "who = id"),
    ] {
        assert!(!is_found(&alone(guard, update)), "{guard}, {update}");
    }
}

#[test]
fn rings_are_not_symmetric() {
    let text = "chan pass[4]; process P(const int[0,3] id) { clock x; state Has, Waits; init Waits;
          trans Waits -> Has { sync pass[id]?; assign x = 0; }, Has -> Waits { guard x > 1; sync pass[(id + 1) % 4]!; }; }
        process Start() { state A, B; init A; trans A -> B { sync pass[0]!; }; }
        system P, Start;";
    assert!(sets(text).is_empty());
}

/// Receivers of a broadcast that all write the same variable have an order.
#[test]
fn receivers_with_an_order() {
    let with = |update: &str| {
        format!(
            "typedef int[1,3] id_t; int[0,3] last; broadcast chan all; process P(const id_t id) {{ bool heard; state A; init A; trans A -> A {{ sync all?; assign {update}; }}; }}
             process Q() {{ state A; init A; trans A -> A {{ sync all!; }}; }} system P, Q;"
        )
    };
    assert!(sets(&with("last = id")).is_empty());
    assert_eq!(sets(&with("heard = true")).len(), 1);
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.roll(texts.len() as u64) as usize]
    }
}

/// A model whose processes can often be exchanged for each other.
fn random_model(dice: &mut Dice) -> String {
    let guards = [
        "a == s",
        "a != s",
        "a == 0",
        "mine == s",
        "mine == a",
        "n[s] > 0",
        "c == 1",
        "k == 0",
        "x >= 1",
        "x < 2",
        "g > 1",
        "a != b",
        "q[h] == s",
        "q[h] != a",
        "q[1 - h] == 0",
    ];
    let updates = [
        "a = s",
        "a = 0",
        "b = a",
        "a = b",
        "mine = a",
        "mine = s",
        "n[s] = n[s] < 2 ? n[s] + 1 : 0",
        "k = 1 - k",
        "c = 1 - c",
        "x = 0",
        "g = 0",
        "x = 1",
        "q[h] = s",
        "q[h] = a",
        "h = 1 - h",
        "a = q[h]",
        "q[0] = q[1]",
    ];
    let syncs = [
        "",
        "",
        "",
        "",
        "sync go[s]!;",
        "sync go[s]?;",
        "sync all!;",
        "sync all?;",
        "sync tell!;",
        "sync tell?;",
    ];
    let own = ["x = 0", "k = 1 - k", "n[s] = 0", "mine = s"];
    let mut edges = Vec::new();
    for _ in 0..4 + dice.roll(3) {
        let (from, to) = (dice.roll(3), dice.roll(3));
        let guard: Vec<&str> = (0..dice.roll(3)).map(|_| dice.pick(&guards)).collect();
        let guard = if guard.is_empty() { String::new() } else { format!("guard {};", guard.join(" && ")) };
        let sync = dice.pick(&syncs);
        let update: Vec<&str> = (0..=dice.roll(2))
            .map(|_| if sync.contains("all?") { dice.pick(&own) } else { dice.pick(&updates) })
            .collect();
        edges.push(format!("L{from} -> L{to} {{ {guard} {sync} assign {}; }}", update.join(", ")));
    }
    // Sometimes something tells processes apart after all.
    let odd = dice.pick(&["", "", "", "guard s > 1;", "guard a == 2;", "guard x >= s;"]);
    edges.push(format!("L2 -> L0 {{ {odd} }}"));
    let invariant = dice.pick(&["", "{ x <= 3 }", "{ x <= 2 && n[s] < 3 }"]);
    let kind = dice.pick(&["", "", "commit L2;", "urgent L2;"]);
    let server = dice.pick(&[
        "",
        "process Q() { state A, B; init A; trans A -> B { select i : id_t; sync go[i]?; assign a = i; }, B -> A { select i : id_t; guard n[i] > 0; assign n[i] = 0; }; }",
        "process Q() { clock y; state A { y <= 4 }; init A; trans A -> A { guard y >= 2; sync all!; assign y = 0, a = 0; }; }",
    ]);
    let system = if server.is_empty() { "system P;" } else { "system P, Q;" };
    format!(
        "typedef int[1,3] id_t; int[0,3] a; int[0,3] b; int[0,2] n[id_t]; int[0,1] c; int[0,3] q[2]; int[0,1] h; clock g; chan go[id_t]; chan tell; broadcast chan all;
         process P(const id_t s) {{ clock x; int[0,1] k; int[0,3] mine; state L0, L1 {invariant}, L2; {kind} init L0; trans {}; }}
         {server} {system}",
        edges.join(",\n  ")
    )
}

#[test]
fn random_models() {
    let number =
        |name: &str, usual| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let networks = number("GUIDEPOST_ORACLE_NETWORKS", 60);
    let mut dice = Dice(number("GUIDEPOST_ORACLE_SEED", 1));
    let queries = [
        "E<> P(1).L2",
        "E<> P(2).L1 && P(3).L2",
        "E<> a == 2 && P(3).L1",
        "E<> exists (i : id_t) P(i).L2 && n[i] == 1",
        "E<> forall (i : id_t) P(i).L1",
        "E<> P(1).mine == 2 && a == 1",
        "E<> P(2).x > 2 && P(1).x < 1 && P(1).L1",
        "E<> n[1] == 2 && n[2] == 0 && g < 1",
        "E<> q[0] == 2 && q[1] == 1",
        "E<> q[h] == 3 && P(3).L2",
        "A[] not deadlock",
    ];
    let (mut symmetric, mut total) = (0, Comparison::default());
    for _ in 0..networks {
        let text = random_model(&mut dice);
        symmetric += u64::from(!sets(&text).is_empty());
        let found = compare(&text, &queries);
        total.compared += found.compared;
        total.renamed += found.renamed;
        total.plain += found.plain;
        total.reduced += found.reduced;
    }
    assert!(symmetric * 3 >= networks, "{symmetric} of {networks}");
    assert!(
        total.compared as u64 >= networks * 4 && total.renamed > 0 && total.reduced < total.plain,
        "{total:?}"
    );
}
