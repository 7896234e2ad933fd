//! Ranges of variables, and what they exclude.

use guidepost_abstraction::Ranges;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::load_text;
use guidepost_network::{Network, VarId, build, compile_query};

fn network(text: &str) -> Network {
    let loaded = load_text("model.xta", text);
    build(&loaded.model).0.expect("a model without errors")
}

/// Name, smallest and largest value of every variable.
fn ranges_of(text: &str) -> Vec<(String, i32, i32)> {
    let network = network(text);
    let mut ranges = Ranges::new(&network);
    assert!(ranges.advance(u64::MAX));
    let range = |(id, variable): (VarId, &guidepost_network::Variable)| {
        (variable.name.clone(), ranges.of(id).low, ranges.of(id).high)
    };
    (0..).map(VarId).zip(&network.variables).map(range).collect()
}

fn range_of(text: &str, name: &str) -> (i32, i32) {
    let all = ranges_of(text);
    let (_, low, high) = all.iter().find(|(known, ..)| known == name).expect("a variable");
    (*low, *high)
}

fn excludes(text: &str, query: &str) -> bool {
    let mut loaded = load_text("model.xta", text);
    let network = build(&loaded.model).0.expect("a model without errors");
    let query = &loaded.queries_from_text("query", query, &mut Diagnostics::default())[0];
    let compiled = compile_query(&network, &loaded.model, query).expect("a query");
    let (goals, _) = compiled.question.target().expect("about reachability");
    let mut ranges = Ranges::new(&network);
    ranges.advance(u64::MAX);
    ranges.exclude(goals)
}

/// A counter that stops at 15 because of another one, in a function.
const ROUNDS: &str = "
    int[0,30] timer[2]; int[0,30] round[2]; bool done[3];
    bool late(int id, int n) { if (timer[id] > 15 + n) { return true; } return false; }
    void tick(int id) {
        if (timer[id] >= 30) { timer[id] = 0; }
        timer[id] += 1;
        if (late(id, round[id])) { round[id] += 1; timer[id] = 0; done[id] = true; }
    }
    bool over() { for (i : int[0,1]) { if (round[i] >= 16) return true; } return false; }
    bool all() { return forall (i : int[0,2]) done[i]; }
    process P(const int[0,1] id) { state Work, Over, All; init Work; trans
        Work -> Work { assign tick(id); }, Work -> Over { guard over(); }, Work -> All { guard all(); }; }
    system P;";

#[test]
fn functions_bound_counters() {
    assert_eq!(range_of(ROUNDS, "round[0]"), (0, 15));
    assert_eq!(range_of(ROUNDS, "timer[1]"), (0, 30));
    assert_eq!(range_of(ROUNDS, "done[2]"), (0, 0));
    assert!(excludes(ROUNDS, "E<> P(0).Over"));
    assert!(excludes(ROUNDS, "E<> exists (i : int[0,1]) P(i).All"));
    assert!(excludes(ROUNDS, "E<> round[0] + round[1] > 30"));
    assert!(!excludes(ROUNDS, "E<> round[0] + round[1] == 30"));
}

#[test]
fn a_receiver_begins_where_its_sender_has_ended() {
    let text = "int[0,9] v; chan c;
        process S() { state A; init A; trans A -> A { sync c!; assign v = 3; }; }
        process R() { state A; init A; trans A -> A { guard v == 0; sync c?; assign v = v + 1; }; }
        system S, R;";
    assert_eq!(range_of(text, "v"), (0, 9));
    // The guard of the sender counts.
    let text = text.replace("{ sync c!; assign v = 3; }", "{ guard v < 4; sync c!; assign v = v + 1; }");
    let text = text.replace("{ guard v == 0; sync c?; assign v = v + 1; }", "{ sync c?; }");
    assert_eq!(range_of(&text, "v"), (0, 4));
}

#[test]
fn what_is_written_in_some_cases_stays_in_others() {
    let text = "int[0,9] v = 1; bool on; void set() { if (on) { v = 3; } }
        process P() { state A; init A; trans A -> A { assign set(); }, A -> A { assign on = !on; }; }
        system P;";
    assert_eq!(range_of(text, "v"), (1, 3));
}

#[test]
fn edges_need_partners_of_other_processes() {
    let text = "chan c, d; broadcast chan b; int[0,1] alone; int[0,1] met; int[0,1] told;
        process P() { state A, B, C; init A;
            trans A -> B { sync c!; assign alone = 1; }, A -> B { sync c?; }, A -> C { sync d!; assign met = 1; },
                  A -> A { sync b!; }, A -> A { sync b!; assign told = 1; }; }
        process Q() { state A; init A; trans A -> A { sync d?; }; }
        system P, Q;";
    let text_of = |name| range_of(text, name);
    assert_eq!((text_of("alone"), text_of("met"), text_of("told")), ((0, 0), (0, 1), (0, 1)));
    assert!(excludes(text, "E<> P.B"));
    assert!(!excludes(text, "E<> P.C"));
    assert!(excludes(text, "E<> P.C and met == 0 and alone == 1"));
}

#[test]
fn many_values_are_not_counted() {
    let counting = |limit: i32| {
        format!(
            "int v; process P() {{ state A; init A; trans A -> A {{ guard v < {limit}; assign v++; }}; }} system P;"
        )
    };
    assert_eq!(range_of(&counting(1023), "v"), (0, 1023));
    assert_eq!(range_of(&counting(1024), "v"), (-32768, 32767));
}

#[test]
fn what_is_known_may_be_asked_for_at_any_time() {
    let network = network(ROUNDS);
    let mut ranges = Ranges::new(&network);
    let mut executed = 1;
    while !ranges.advance(executed) {
        for variable in (0..network.variables.len() as u32).map(VarId) {
            let declared = &network.variables[variable.index()];
            let known = ranges.of(variable);
            assert!(declared.min <= known.low && known.high <= declared.max);
            assert!(known.contains(declared.initial));
        }
        executed += 1000;
    }
}
