//! Queries: stored, beside the model, and given later.

#[allow(dead_code, reason = "shared with other tests")]
mod common;

use common::load;
use guidepost_language::diagnostic::{Code, Diagnostics};
use guidepost_language::load_text;
use guidepost_language::model::{Expectation, Formula};
use guidepost_language::render::{Style, render};

const MODEL: &str = "clock x, c[2]; int i, v[3]; const int N = 2; typedef int[0,N-1] id_t; typedef scalar[2] set; int w[set];
    bool even(int n) { return n % 2 == 0; }
    process Train(const id_t id) { clock y; int n; const int K = 4; state Safe, Cross { y <= K }; init Safe; trans Safe -> Cross { guard i == id; assign n = 1; }; }
    process Gate(int &k) { state Free { x <= 5 }, E; init Free; trans Free -> E { guard k > 2; }; }
    G = Gate(i);
    system Train, G;";

/// The codes of what is wrong with a query.
fn codes(query: &str) -> Vec<&'static str> {
    let mut loaded = load(MODEL);
    let mut out = Diagnostics::default();
    loaded.queries_from_text("query", query, &mut out);
    out.iter().filter(|diagnostic| diagnostic.is_error()).map(|diagnostic| diagnostic.code.id()).collect()
}

#[test]
fn these_can_be_asked() {
    for query in [
        "E<> G.Free",
        "A[] not deadlock",
        "E<> deadlock and i > 0",
        "A<> G.E",
        "E[] G.Free",
        "G.Free --> Train(0).Cross",
        "E<> Train(1).Safe && x > 3",
        "A[] forall (t : id_t) Train(t).Cross imply x <= 5",
        "A[] forall (t : int[0,N-1]) not Train(t).Cross",
        "E<> exists (s : set) w[s] > 0",
        "E<> sum (t : id_t) Train(t).Cross <= 1",
        "E<> Train(0).y > 2 && Train(0).n == 1",
        "E<> Train(0).y - x < 3",
        "E<> x != 3",
        "E<> !(x < 3 || x > 5)",
        "E<> v[i] == Train(1).K",
        "sup: x",
        "inf{G.Free}: x, i",
        "bounds: i, v[1]",
        "sup{}: i",
        "E<> even(i)",
        "E<> G.location == 1",
        "E<> c[0] < c[1]",
        "A[] i",
        "E<> true",
        "E<> Train[1].Cross",
        "E<> G.k == 2",
        "A[] (G.Free or\n  G.E)",
        "E<> G.Free and \\\n G.E",
        "// only a comment",
        "",
        "E<> Train(0).id == 0",
    ] {
        assert_eq!(codes(query), Vec::<&str>::new(), "{query}");
    }
}

#[test]
fn these_cannot() {
    for (query, code) in [
        ("G.Free", "E070"),
        ("A [] G.Free", "E070"),
        ("E<> E<> G.Free", "E070"),
        ("A[] (G.Free imply A<> G.E)", "E070"),
        ("E<> G.Free --> G.E", "E070"),
        ("E<> H.Free", "E027"),
        ("E<> Gate.Free", "E027"),
        ("E<> Train.Cross", "E027"),
        ("E<> Train(7).Cross", "E027"),
        ("E<> G.Busy", "E024"),
        ("E<> Train(0, 1).Cross", "E050"),
        ("E<> Train(x).Cross", "E050"),
        ("E<> G", "E023"),
        ("E<> even", "E023"),
        ("E<> i = 1", "E043"),
        ("E<> i++ > 0", "E043"),
        ("A<> deadlock", "E072"),
        ("E[] not deadlock", "E072"),
        ("deadlock --> G.E", "E072"),
        ("sup: deadlock ? 1 : 0", "E072"),
        ("E<> x", "E040"),
        ("E<> v", "E040"),
        ("sup: x - c[0]", "E040"),
        ("sup: x + 1", "E040"),
        ("E<> y > 1", "E020"),
        ("E<>", "E008"),
        ("E<> (i > 0", "E008"),
        ("E<> i > 0 i", "E008"),
        ("sup i", "E070"),
        ("E<> forall (t : int) t > 0", "E055"),
        ("E<> x' == 1", "E040"),
        ("E<> even(1, 2)", "E050"),
    ] {
        assert_eq!(codes(query), [code], "{query}");
    }
}

#[test]
fn queries_of_other_analyses_are_kept_by_name() {
    let mut loaded = load(MODEL);
    let mut out = Diagnostics::default();
    let text = "Pr[<=10](<> G.E)\nE<> G.E\ncontrol: A<> G.E\nsimulate [<=10] { x }\nstrategy s = control: A[] G.Free\n";
    let queries = loaded.queries_from_text("q", text, &mut out);
    assert!(out.is_empty(), "{}", render(&out, &loaded.sources, Style::default()));
    let foreign = queries.iter().filter(|query| matches!(query.formula, Formula::Foreign(_))).count();
    assert_eq!((queries.len(), foreign), (5, 4));
}

#[test]
fn a_broken_query_does_not_spoil_the_model_or_its_neighbours() {
    let text = format!(
        "{MODEL}\nquery {{ E<> G.Busy }} query {{ E<> G.E }} query {{ A[] ( }} query {{ E<> G.E ≤ 1 }}"
    );
    let loaded = load_text("m.xta", &text);
    assert!(
        !loaded.diagnostics.has_errors(),
        "{}",
        render(&loaded.diagnostics, &loaded.sources, Style::default())
    );
    let codes: Vec<_> = loaded.query_diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(codes, [Code::UnknownMember, Code::UnexpectedToken, Code::UnexpectedCharacter]);
    let wrong: Vec<_> =
        loaded.model.queries.iter().map(|query| matches!(query.formula, Formula::Error)).collect();
    assert_eq!(wrong, [true, false, true, true]);
}

#[test]
fn expectations_stand_in_comments() {
    let mut loaded = load(MODEL);
    let text = "// expect: satisfied\nE<> G.E\n/* The gate stays.\n expect: not satisfied */\nA[] G.Free\nE<> i > 0\n";
    let queries = loaded.queries_from_text("q", text, &mut Diagnostics::default());
    let expected: Vec<_> = queries.iter().map(|query| query.expect).collect();
    assert_eq!(expected, [Some(Expectation::Satisfied), Some(Expectation::NotSatisfied), None]);
}

#[test]
fn processes_are_seen_in_measures_and_charts_too() {
    load(&format!(
        "{MODEL}\nprogress {{ Train(0).n; G.Free : i; }}\ngantt {{ L(t : id_t): Train(t).Cross -> 1; }}"
    ));
}
