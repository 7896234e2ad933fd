//! Parts that can be exchanged for each other: the same shortest runs from fewer states, and runs of the network itself.

use guidepost::{RunKind, Session, Settings, Verdict};
use guidepost_answer::{Answer, Reductions};
use guidepost_heuristics::HeuristicSpec;
use guidepost_search::{Algorithm, Directed, Strategy};
use std::fmt::Write;

const WITH: Reductions = Reductions { symmetry: true, ..Reductions::NONE };

fn ask(text: &str, query: &str, heuristic: &str, reductions: Reductions) -> Answer {
    let mut session = Session::parse("model.xta", text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let heuristic: HeuristicSpec = heuristic.parse().expect("a heuristic");
    let strategy = Some(Strategy::Directed(Directed::new(Algorithm::AStar, heuristic)));
    let settings = Settings { run: RunKind::Shortest, reductions, strategy, ..Settings::default() };
    session.ask(query, &settings).unwrap_or_else(|error| panic!("{query}: {error:?}"))
}

fn steps(answer: &Answer) -> Option<usize> {
    let evidence = answer.evidence.as_ref()?;
    Some(evidence.steps.iter().filter(|step| step.transition.is_some()).count())
}

/// Asks with and without exchanges; what both explored, and how often something was exchanged.
fn compare(text: &str, query: &str) -> (u64, u64, u64) {
    let (plain, reduced) = (ask(text, query, "none", Reductions::NONE), ask(text, query, "none", WITH));
    assert_eq!(reduced.verdict(), plain.verdict(), "{query}\n{text}");
    assert_eq!(steps(&reduced), steps(&plain), "shortest runs stay shortest: {query}\n{text}");
    (plain.statistics.explored, reduced.statistics.explored, reduced.statistics.renamed)
}

/// Clients ask an arbiter that knows each of them by a location of its own.
fn clients(extra: &str) -> String {
    let mut arbiter = String::new();
    for client in 0..4 {
        write!(arbiter, ", Free -> Asked{client} {{ sync ask[{client}]?; }}, Asked{client} -> Given{client} {{ sync give[{client}]!; }}, Given{client} -> Free {{ sync back[{client}]?; }}").unwrap();
    }
    let states = (0..4).map(|client| format!("Asked{client}, Given{client}")).collect::<Vec<_>>().join(", ");
    format!(
        "chan ask[4], give[4], back[4]; clock x; int[0,3] n;
         process Client(const int[0,3] i) {{ state Away, Waits, Has; init Away;
           trans Away -> Waits {{ sync ask[i]!; }}, Waits -> Has {{ sync give[i]?; }}, Has -> Away {{ sync back[i]!; }}{extra}; }}
         process Arbiter() {{ state Free, {states}; init Free; trans Free -> Free {{ guard n > 9; }}{arbiter}; }}
         system Client, Arbiter;"
    )
}

#[test]
fn clients_that_do_the_same_are_exchanged() {
    let text = clients("");
    let (plain, reduced, exchanged) = compare(&text, "E<> Client(2).Has");
    assert!(reduced < plain && exchanged > 0, "{reduced} of {plain}");
    // All of them are alike where nothing can be reached, and none where each is named.
    let (plain, reduced, _) = compare(&text, "E<> n == 3");
    assert!(2 * reduced < plain, "{reduced} of {plain}");
    let all = "E<> Client(0).Waits and Client(1).Has and Client(2).Away and Client(3).Away and Arbiter.Free";
    assert!(compare(&text, all).0 > 0);
}

#[test]
fn whoever_looks_at_data_or_clocks_stays_where_it_is() {
    for extra in [
        ", Has -> Has { guard i == 2 && n < 3; assign n = n + 1; }",
        ", Has -> Has { guard x > i; }",
        ", Has -> Waits { assign x = 0; }",
        ", Has -> Has { guard n < 3; assign n = i; }",
    ] {
        let text = clients(extra);
        for query in ["E<> n == 3", "E<> n == 1 and Client(1).Has", "E<> Client(3).Has and x >= 2"] {
            compare(&text, query);
        }
    }
}

#[test]
fn runs_go_through_the_network_itself() {
    let answer = ask(&clients(""), "E<> Client(3).Has and Arbiter.Given3", "lmcut", WITH);
    assert_eq!(answer.verdict(), Verdict::Satisfied);
    // That the interpreter can follow the run is checked before there is any evidence.
    assert_eq!(steps(&answer), Some(2));
}

/// A small generator of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// Four arms of one kind around a hub that may treat them alike or not.
fn arms(dice: &mut Dice) -> String {
    let kind = dice.one(&["chan", "broadcast chan", "urgent chan"]);
    let mut arm = String::new();
    for _ in 0..4 + dice.below(3) {
        let (from, to) = (dice.below(3), dice.below(3));
        let sync = dice.one(&["", "sync a[i]!;", "sync a[i]?;", "sync b[i]!;", "sync b[i]?;", "sync all!;"]);
        let guard = if dice.below(12) > 0 { "" } else { dice.one(&["guard i < 2;", "guard n < 2;"]) };
        write!(arm, "{} L{from} -> L{to} {{ {guard} {sync} }}", if arm.is_empty() { "" } else { "," })
            .unwrap();
    }
    let mut hub = String::new();
    for _ in 0..4 + dice.below(3) {
        let (from, to) = (dice.below(4), dice.below(4));
        let sync = dice.one(&[
            "select i : int[0,3]; sync a[i]?;",
            "select i : int[0,3]; sync b[i]!;",
            "select i : int[0,3]; sync a[i]!;",
            "sync b[2]?;",
            "sync all?;",
            "",
        ]);
        let (select, sync) = sync.split_once("; ").unwrap_or(("", sync));
        let select = if select.is_empty() { String::new() } else { format!("{select};") };
        // Clocks cannot be tested on urgent channels.
        let timed = if kind == "urgent chan" { "" } else { "guard x >= 1;" };
        // What treats all arms alike mostly looks at nothing else.
        let is_plain = !select.is_empty() && dice.below(8) > 0;
        let guard = if is_plain { "" } else { dice.one(&["", "", timed, "guard n < 2;"]) };
        let update = if is_plain {
            ""
        } else {
            dice.one(&["", "", "assign n = n + 1 > 3 ? 3 : n + 1;", "assign x = 0;"])
        };
        write!(
            hub,
            "{} H{from} -> H{to} {{ {select} {guard} {sync} {update} }}",
            if hub.is_empty() { "" } else { "," }
        )
        .unwrap();
    }
    let commit = dice.one(&["", "", "commit L1;", "urgent L2;"]);
    format!(
        "{kind} a[4], b[4]; chan all; clock x; int[0,3] n;
         process Arm(const int[0,3] i) {{ state L0, L1, L2; {commit} init L0; trans {arm}; }}
         process Hub() {{ state H0, H1, H2, H3; init H0; trans {hub}; }}
         system Arm, Hub;"
    )
}

#[test]
fn random_arms_around_a_hub() {
    let mut dice = Dice(7);
    let (mut exchanged, mut reached) = (0, 0);
    for _ in 0..300 {
        let text = arms(&mut dice);
        let query = dice.one(&[
            "E<> Arm(0).L2 and Arm(3).L1",
            "E<> Arm(1).L2 and Arm(2).L2 and Hub.H3",
            "E<> n == 3 and Arm(2).L2",
            "E<> Arm(0).L2 and Arm(1).L2 and Arm(2).L2 and Arm(3).L2",
            "E<> Hub.H2 and x >= 2 and Arm(3).L1",
        ]);
        let (_, found, renamed) = compare(&text, query);
        exchanged += u64::from(renamed > 0);
        reached += u64::from(found > 3);
    }
    assert!(exchanged > 50 && reached > 50, "{exchanged} exchanged, {reached} with some states");
}
