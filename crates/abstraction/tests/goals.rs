//! Goals of several queries, each with its own code, in one abstraction.

use guidepost_abstraction::{SymbolSet, hide, symbols_named};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_network::{Goal, Machine, Question, build, compile_query};

const MODEL: &str = "int[0,9] v, w; int[0,9] h;
    int twice(int n) { return 2 * n; }
    process P() { state A; init A; trans A -> A { guard h > 2 && twice(v) > 4; assign w = 1; }; }
    system P;";

#[test]
fn every_query_keeps_its_own_code() {
    let mut loaded = guidepost_language::load_text("model.xta", MODEL);
    let network = build(&loaded.model).0.unwrap();
    let mut hidden = SymbolSet::empty(&network);
    hidden.extend(symbols_named(&network, "h"));
    // The goal, and what is left of it in the states v = 3 and v = 4, where w = 0 and h is hidden.
    let cases = [
        ("E<> twice(v) == 6 && v + h > 10", [true, false]),
        ("E<> (v + h > 10 || w == 7) && v == 4", [false, true]),
        ("E<> v * w == 1", [false, false]),
        ("E<> h == 9", [true, true]),
        ("E<> twice(v + 1) == 10", [false, true]),
    ];
    let goals: Vec<Goal> = cases
        .iter()
        .flat_map(|(text, _)| {
            let query = &loaded.queries_from_text("query", text, &mut Diagnostics::default())[0];
            let compiled = compile_query(&network, &loaded.model, query).unwrap();
            let Question::Possibly(mut predicate) = compiled.question else { panic!("{text}") };
            predicate.goals.truncate(1);
            predicate.goals
        })
        .collect();
    let abstraction = hide(&network, &hidden, &goals);
    let mut machine = Machine::new(&abstraction.network.program);
    for round in 0..2 {
        for (goal, (text, expected)) in abstraction.goals.iter().zip(cases) {
            for (value, expected) in [3, 4].into_iter().zip(expected) {
                let mut cells = network.initial_cells();
                cells[1] = value;
                machine.load(&cells);
                machine.attach(&goal.segment);
                assert_eq!(machine.holds(&goal.data), Ok(expected), "{text}, v = {value}, round {round}");
            }
        }
    }
    // The guard lost its first part only.
    assert_eq!(abstraction.network.edges[0].data_guard.len(), 1);
    assert_eq!(network.edges[0].data_guard.len(), 2);
}
