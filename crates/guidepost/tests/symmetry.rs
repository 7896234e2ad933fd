//! Scalar sets: the same answers from fewer states, and runs with the right names.

use guidepost::{RunKind, Session, Settings, Verdict};
use guidepost_answer::{Answer, Limits, Reductions};
use guidepost_network::Asymmetry;
use guidepost_search::{Order, Strategy};

/// More states than this are not compared.
const LARGEST: u64 = 3000;

const FISCHER: &str = "typedef scalar[3] S; S id; bool set;
    process P(const S s) { clock x; state Idle, Req { x <= 2 }, Wait, In; init Idle;
      trans Idle -> Req { guard !set; assign x = 0; }, Req -> Wait { guard x <= 2; assign x = 0, id = s, set = true; },
            Wait -> Req { guard !set; assign x = 0; }, Wait -> In { guard x > 2 && id == s; }, In -> Idle { assign set = false; }; }
    system P;";

/// Who asks first is served first: a queue of scalars, and channels indexed by them.
const QUEUE: &str = "typedef scalar[3] S; S queue[3]; int[0,3] length; chan ask[S], give[S], done[S];
    process Client(const S s) { clock x; state Away, Waits, Has { x <= 4 }; init Away;
      trans Away -> Waits { sync ask[s]!; }, Waits -> Has { sync give[s]?; assign x = 0; }, Has -> Away { guard x >= 1; sync done[s]!; }; }
    process Server() { state Free, Busy; init Free;
      trans Free -> Free { select s : S; guard length < 3; sync ask[s]?; assign queue[length] = s, length = length + 1; },
            Busy -> Busy { select s : S; guard length < 3; sync ask[s]?; assign queue[length] = s, length = length + 1; },
            Free -> Busy { guard length > 0; sync give[queue[0]]!; },
            Busy -> Free { sync done[queue[0]]?; assign queue[0] = queue[1], queue[1] = queue[2], length = length - 1; }; }
    system Client, Server;";

/// Structs with scalars, two sets, processes with two arguments, matrices.
const TWO_SETS: &str = "typedef scalar[3] S; typedef scalar[2] T;
    typedef struct { S owner; int[0,2] level; } Lock; Lock locks[T]; bool met[S][T]; bool done[T][T];
    process P(const S s) { clock x; T last; state A, B { x <= 3 }, C; init A;
      trans A -> B { select t : T; guard locks[t].level < 2; assign last = t, locks[t].owner = s, x = 0; },
            B -> C { guard x >= 1 && locks[last].owner == s && locks[last].level < 2;
                     assign locks[last].level = locks[last].level + 1, met[s][last] = true; }; }
    process Q(const T t, const T u) { state A, B; init A;
      trans A -> B { select s : S; guard met[s][t] && !done[u][t]; assign done[t][u] = true; }; }
    system P, Q;";

fn session(text: &str) -> Session {
    Session::parse("model.xta", text).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

/// The same model with integers.
fn with_integers(text: &str) -> String {
    let text = text.replace("scalar[2]", "int[0,1]").replace("scalar[3]", "int[0,2]");
    text.replace("scalar[4]", "int[0,3]")
}

fn ask(
    session: &mut Session,
    query: &str,
    strategy: Option<Order>,
    run: RunKind,
    reductions: Reductions,
) -> Answer {
    let strategy = strategy.map(Strategy::Blind);
    // Without reductions, spaces may be too large to be of use here.
    let states = (reductions == Reductions::NONE).then_some(LARGEST);
    let limits = Limits { states, ..Limits::default() };
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
    /// Queries that were compared.
    compared: usize,
    /// Successors that were renamed.
    renamed: u64,
    /// Discrete states of whole spaces, without and with symmetry.
    plain: u64,
    reduced: u64,
}

/// Asks in every way, and compares with what there is without reductions and with integers.
fn compare(text: &str, queries: &[&str]) -> Comparison {
    let (mut scalars, mut integers) = (session(text), session(&with_integers(text)));
    assert!(integers.network().symmetries.are_none());
    let symmetry = Reductions { symmetry: true, ..Reductions::NONE };
    let mut total = Comparison::default();
    for query in queries {
        let bfs = Some(Order::BreadthFirst);
        let expected = ask(&mut integers, query, bfs, RunKind::Shortest, Reductions::NONE);
        let plain = ask(&mut scalars, query, bfs, RunKind::Shortest, Reductions::NONE);
        assert_eq!(
            (plain.verdict(), length(&plain)),
            (expected.verdict(), length(&expected)),
            "{query}\n{text}"
        );
        assert_eq!(plain.statistics.renamed, 0);
        if plain.stop_reason().is_some() {
            continue;
        }
        total.compared += 1;
        for reductions in [symmetry, Reductions::default()] {
            for (strategy, run) in [
                (bfs, RunKind::Shortest),
                (bfs, RunKind::Any),
                (Some(Order::DepthFirst), RunKind::Any),
                (None, RunKind::Any),
                (None, RunKind::Shortest),
            ] {
                let answer = ask(&mut scalars, query, strategy, run, reductions);
                let context =
                    || format!("{query}, {strategy:?}, {run:?}, {reductions:?}\n{text}\n{answer:?}");
                assert_eq!(answer.verdict(), expected.verdict(), "{}", context());
                assert!(answer.internal.is_none(), "{}", context());
                assert_eq!(answer.evidence.is_some(), expected.evidence.is_some(), "{}", context());
                if run == RunKind::Shortest {
                    assert_eq!(length(&answer), length(&expected), "{}", context());
                }
                if (strategy, run) == (bfs, RunKind::Shortest) && plain.evidence.is_none() {
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
fn fischer_with_scalars() {
    let queries = [
        "A[] forall (i : S) forall (j : S) P(i).In && P(j).In imply i == j",
        "A[] not deadlock",
        "E<> forall (i : S) P(i).Wait",
        "E<> forall (i : S) P(i).Wait && P(i).x >= 1 && P(i).x <= 2",
        "E<> exists (i : S) exists (j : S) i != j && P(i).In && P(j).Wait && id == j",
        "E<> exists (i : S) P(i).In && id == i && forall (j : S) (i == j || P(j).Wait)",
    ];
    let total = compare(FISCHER, &queries);
    assert!(
        total.compared == queries.len() && total.renamed > 0 && total.reduced * 2 < total.plain,
        "{total:?}"
    );
}

#[test]
fn a_queue_of_scalars() {
    let queries = [
        "A[] forall (i : S) forall (j : S) Client(i).Has && Client(j).Has imply i == j",
        "A[] not deadlock",
        "E<> length == 3 && Server.Busy",
        "E<> length == 3 && queue[0] != queue[1] && queue[0] == queue[2]",
        "E<> exists (i : S) Client(i).Has && Client(i).x > 3 && length == 2 && queue[1] != i",
    ];
    let total = compare(QUEUE, &queries);
    assert!(
        total.compared == queries.len() && total.renamed > 0 && total.reduced * 2 < total.plain,
        "{total:?}"
    );
}

#[test]
fn two_sets_with_structs_and_matrices() {
    let queries = [
        "E<> exists (s : S) exists (t : T) P(s).C && met[s][t] && P(s).x >= 3",
        "E<> exists (t : T) exists (u : T) t != u && done[t][u] && done[u][t]",
        "E<> exists (t : T) Q(t, t).B && locks[t].level == 2",
        "E<> deadlock",
        "A[] forall (t : T) locks[t].level < 2",
    ];
    let total = compare(TWO_SETS, &queries);
    assert!(
        total.compared == queries.len() && total.renamed > 0 && total.reduced * 2 < total.plain,
        "{total:?}"
    );
}

/// The state space of a symmetric protocol grows with the number of processes, not with its factorial.
#[test]
fn representatives_are_few() {
    let mut explored = Vec::new();
    for size in [4, 8] {
        let mut session = session(&FISCHER.replace("scalar[3]", &format!("scalar[{size}]")));
        let query = "A[] forall (i : S) forall (j : S) P(i).In && P(j).In imply i == j";
        let answer =
            ask(&mut session, query, Some(Order::BreadthFirst), RunKind::None, Reductions::default());
        assert_eq!(answer.verdict(), Verdict::Satisfied);
        explored.push(answer.statistics.explored);
    }
    assert!(explored[1] < explored[0] * 8, "{explored:?}");
}

/// The run is one of the network: the process that moves is the one whose number was written.
#[test]
fn runs_have_the_right_names() {
    let mut session = session(FISCHER);
    let query = "E<> exists (i : S) P(i).In && id == i && forall (j : S) (i == j || P(j).Wait)";
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let answer = ask(&mut session, query, Some(order), RunKind::Any, Reductions::default());
        assert!(answer.statistics.renamed > 0);
        let evidence = answer.evidence.expect("a run that was replayed");
        let end = &evidence.steps.last().expect("some steps").after;
        let network = session.network();
        let names: Vec<&str> =
            end.locations.iter().map(|location| network.locations[location.index()].name.as_str()).collect();
        let id = network.variables.iter().position(|variable| variable.name == "id").expect("declared");
        assert_eq!(names[end.variables[id] as usize], "In");
        assert_eq!(names.iter().filter(|name| **name == "Wait").count(), 2);
    }
}

/// An error is told of the process in which it happens at the end of the run.
#[test]
fn failures_have_the_right_names() {
    let text = "typedef scalar[3] S; S last;
        process P(const S s) { int[0,2] n; state A; init A; trans A -> A { guard n == 0 || last == s; assign n = n + 1, last = s; }; }
        system P;";
    let mut session = session(text);
    let answer =
        ask(&mut session, "E<> false", Some(Order::BreadthFirst), RunKind::Any, Reductions::default());
    let guidepost_answer::Outcome::Failed(error) = &answer.outcome else { panic!("{answer:?}") };
    let network = session.network();
    let process = &network.processes[network.edges[error.edges[0].index()].process.index()].name;
    assert!(
        error.error.describe(network).contains(&format!("{process}.n")),
        "{}",
        error.error.describe(network)
    );
    let end = error.evidence.as_ref().and_then(|run| run.steps.last()).expect("a run to it");
    let cell =
        network.variables.iter().position(|variable| variable.name == format!("{process}.n")).expect("there");
    assert_eq!(end.after.variables[cell], 2, "one more is too much");
}

#[test]
fn sets_that_are_told_apart_stay_as_they_are() {
    let head = "typedef scalar[3] S; S a; int[0,9] n; bool b[S]; clock g; broadcast chan all;";
    let cases = [
        ("void f() { for (i : S) if (n < 9) { a = i; n = n + 1; } }", "assign f();", Asymmetry::Loop),
        ("const S first;", "assign a = first;", Asymmetry::Choice),
        ("S f() { S x; return x; }", "assign a = f();", Asymmetry::Choice),
        ("meta S m;", "assign a = m;", Asymmetry::Choice),
        ("int[0,9] q[4];", "guard exists (i : S) b[i] && q[n] == 1;", Asymmetry::FailingQuantifier),
        ("", "sync all?; assign a = s;", Asymmetry::Receivers),
        ("", "guard exists (i : S) b[i] && g > 2;", Asymmetry::Structure),
    ];
    for (declaration, label, reason) in cases {
        let text = format!(
            "{head} {declaration} process P(const S s) {{ state A, B; init A; trans A -> B {{ {label} }}; }}
             process Q() {{ state A; init A; trans A -> A {{ sync all!; }}; }} system P, Q;"
        );
        let Ok(session) = Session::parse("model.xta", &text) else {
            assert!(declaration.contains("const"), "only a constant needs a value: {text}");
            continue;
        };
        let symmetries = &session.network().symmetries;
        assert_eq!(symmetries.refused, [("S".to_owned(), reason)], "{text}");
        assert!(symmetries.are_none());
    }
}

/// A generator of numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % below as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

fn random_model(dice: &mut Dice) -> String {
    let guards = [
        "a == s",
        "b != s",
        "a == b",
        "ptr[s] == a",
        "ptr[s] != s",
        "n[s] < 2",
        "n[s] == 0",
        "x >= 1",
        "x > 2",
        "x <= 2",
        "x < 1",
        "g >= 2",
        "c > 0",
        "k == 1",
        "mine == s",
        "mine != a",
        "m[s][a]",
        "!m[a][s]",
        "forall (i : S) n[i] <= n[s]",
        "exists (i : S) i != s && ptr[i] == s",
        "(sum (i : S) n[i]) > 1",
        "t != s",
        "ptr[t] == s",
        "m[s][t]",
        "lock.owner == s",
    ];
    let updates = [
        "a = s",
        "b = a",
        "a = t",
        "ptr[s] = a",
        "ptr[t] = s",
        "n[s] = n[s] < 2 ? n[s] + 1 : 0",
        "n[s] = 0",
        "x = 0",
        "g = 0",
        "x = 2",
        "c = 1 - c",
        "k = 1 - k",
        "mine = t",
        "mine = a",
        "m[s][t] = true",
        "m[a][s] = !m[a][s]",
        "lock.owner = s",
        "lock.taken = !lock.taken",
    ];
    let syncs = [
        "",
        "",
        "",
        "sync go[s]!;",
        "sync go[t]?;",
        "sync go[a]!;",
        "sync go[s]?;",
        "sync all!;",
        "sync all?;",
    ];
    let mut edges = Vec::new();
    for _ in 0..5 + dice.roll(3) {
        let (from, to) = (dice.roll(3), dice.roll(3));
        let mut label = String::from("select t : S; ");
        let guard: Vec<&str> = (0..dice.roll(3)).map(|_| dice.pick(&guards)).collect();
        if !guard.is_empty() {
            label += "guard ";
            label += &guard.join(" && ");
            label += "; ";
        }
        let sync = dice.pick(&syncs);
        label += sync;
        let own = ["x = 0", "k = 1 - k", "mine = t"];
        let count = 1 + dice.roll(2);
        let update: Vec<&str> = (0..count)
            .map(|_| if sync.contains("all?") { dice.pick(&own) } else { dice.pick(&updates) })
            .collect();
        edges.push(format!("L{from} -> L{to} {{ {label} assign {}; }}", update.join(", ")));
    }
    let invariant = dice.pick(&["", "{ x <= 3 }", "{ x <= 2 && n[s] < 3 }"]);
    format!(
        "typedef scalar[3] S; S a; S b; S ptr[S]; int[0,2] n[S]; int[0,1] c; bool m[S][S]; clock g; chan go[S]; broadcast chan all;
         struct {{ S owner; bool taken; }} lock;
         process P(const S s) {{ clock x; int[0,1] k; S mine; state L0, L1 {invariant}, L2; init L0; trans {}; }}
         system P;",
        edges.join(",\n  ")
    )
}

#[test]
fn random_models() {
    let networks =
        std::env::var("GUIDEPOST_ORACLE_NETWORKS").ok().and_then(|count| count.parse().ok()).unwrap_or(40);
    let seed = std::env::var("GUIDEPOST_ORACLE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut dice = Dice(seed);
    let queries = [
        "E<> exists (i : S) P(i).L2 && n[i] == 1",
        "E<> forall (i : S) P(i).L1",
        "E<> exists (i : S) exists (j : S) i != j && P(i).L1 && P(j).L2 && a == i && ptr[j] == i",
        "E<> exists (i : S) P(i).L1 && P(i).x > 2 && g <= 1",
        "E<> exists (i : S) m[i][i] && a != b",
        "E<> exists (i : S) P(i).L2 && lock.owner == i && lock.taken",
        "A[] not deadlock",
    ];
    let (mut symmetric, mut total) = (0, Comparison::default());
    for _ in 0..networks {
        let text = random_model(&mut dice);
        symmetric += usize::from(!session(&text).network().symmetries.are_none());
        let found = compare(&text, &queries);
        total.compared += found.compared;
        total.plain += found.plain;
        total.reduced += found.reduced;
    }
    assert!(symmetric * 10 >= networks * 9, "{symmetric} of {networks}");
    assert!(total.compared * 2 >= networks * queries.len() && total.reduced < total.plain, "{total:?}");
}
