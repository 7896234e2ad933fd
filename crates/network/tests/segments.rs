//! Queries compile into segments of their own: the network stays as it is, and one machine evaluates them all.

mod common;

use common::{load, query};
use guidepost_network::interpreter::Interpreter;
use guidepost_network::{BoundItem, Goal, Machine, Network, Question, build};

const MODEL: &str = "int[0,9] v = 3; int[0,9] a[3] = { 1, 2, 4 };
    const int TWO = 2, THREE = 3, LARGE = 40;
    int weigh(const int &factor, int[0,9] b[3]) { int s = 0; for (i : int[0,2]) s += b[i] * factor; return s; }
    int twice(int n) { int list[2] = { n, n }; return list[0] + list[1]; }
    process P() { state A, B; init A; trans A -> B { guard twice(v) == 6; assign v = v + 1; }; }
    system P;";

fn goals(question: &Question) -> &[Goal] {
    let Question::Possibly(predicate) = question else { panic!("a question of possibility") };
    &predicate.goals
}

fn network() -> (guidepost_language::Loaded, Network) {
    let loaded = load(MODEL);
    let network = build(&loaded.model).0.unwrap();
    (loaded, network)
}

#[test]
fn the_network_does_not_change() {
    let (mut loaded, network) = network();
    let before = format!("{network:?}");
    query(&mut loaded, &network, "E<> weigh(TWO, a) == 14 && forall (i : int[0,999]) i >= v - v");
    query(&mut loaded, &network, "sup: twice(v), sum (i : int[0,999]) i");
    assert_eq!(format!("{network:?}"), before);
}

#[test]
fn one_machine_serves_many_queries() {
    let (mut loaded, network) = network();
    let texts = [
        ("E<> weigh(TWO, a) == 14", true),
        ("E<> weigh(LARGE, a) == 280", true),
        ("E<> twice(v) + weigh(THREE, a) == 27", true),
        ("E<> (sum (i : int[0,199]) i * v) == 59700", true),
        ("E<> (sum (i : int[0,199]) i * v) == 1", false),
        ("E<> v == 3", true),
    ];
    let compiled: Vec<_> = texts.iter().map(|(text, _)| query(&mut loaded, &network, text)).collect();
    let mut machine = Machine::new(&network.program);
    machine.load(&network.initial_cells());
    let mut interpreter = Interpreter::new(&network);
    let initial = interpreter.initial();
    // Twice and back and forth: what one query leaves in its cells is none of the others' business.
    for round in [0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0] {
        let [goal] = goals(&compiled[round].question) else { panic!("{}: one goal", texts[round].0) };
        machine.attach(&goal.segment);
        assert_eq!(machine.holds(&goal.data), Ok(texts[round].1), "{}", texts[round].0);
        assert_eq!(interpreter.satisfies(&initial, goal), Ok(texts[round].1), "{}", texts[round].0);
        assert_eq!(machine.holds(&network.edges[0].data_guard), Ok(true));
    }
}

#[test]
fn expressions_carry_their_code() {
    let (mut loaded, network) = network();
    let compiled = query(&mut loaded, &network, "sup: twice(v), a[v - 1] + 1");
    let Question::Bound { items, .. } = compiled.question else { panic!("bounds") };
    let mut machine = Machine::new(&network.program);
    machine.load(&network.initial_cells());
    let values = items.iter().map(|item| match item {
        BoundItem::Value { expression, .. } => machine.evaluate(expression),
        BoundItem::Clock(_) => panic!("no clock"),
    });
    assert_eq!(values.collect::<Result<Vec<_>, _>>(), Ok(vec![6, 5]));
}

#[test]
fn goals_are_looked_into_with_their_code() {
    let (mut loaded, network) = network();
    let compiled = query(&mut loaded, &network, "E<> a[v - 1] == twice(v)");
    let goal = &goals(&compiled.question)[0];
    let codes = goal.codes(&network.program);
    assert!(goal.data[0].is_of_query());
    assert_eq!(codes.cells_read(goal.data[0]), [1, 2, 3, 4], "v and all of a");
    assert_eq!(codes.listing(goal.data[0]).terms().len(), 1);
}

#[test]
#[should_panic(expected = "another segment")]
#[cfg(debug_assertions)]
fn code_of_a_goal_is_nothing_to_a_machine_that_does_not_know_it() {
    let (mut loaded, network) = network();
    let compiled = query(&mut loaded, &network, "E<> v == 4");
    let goal = &goals(&compiled.question)[0];
    let _ = Machine::new(&network.program).eval(goal.data[0]);
}

#[test]
#[should_panic(expected = "another segment")]
#[cfg(debug_assertions)]
fn code_of_one_query_is_nothing_to_another() {
    let (mut loaded, network) = network();
    let [one, other] = ["E<> v == 4", "E<> v == 5"].map(|text| query(&mut loaded, &network, text));
    let mut machine = Machine::for_goals(&network.program, goals(&one.question));
    let _ = machine.eval(goals(&other.question)[0].data[0]);
}

#[test]
#[should_panic(expected = "another network")]
fn goals_belong_to_a_network() {
    let (mut loaded, network) = network();
    let compiled = query(&mut loaded, &network, "E<> v == 4");
    let small = load("int[0,9] v; process P() { state A; init A; } system P;");
    let small = build(&small.model).0.unwrap();
    let _ = Machine::for_goals(&small.program, goals(&compiled.question));
}
