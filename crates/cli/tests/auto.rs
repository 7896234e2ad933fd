//! `auto` loses little against any of the searches that it is made of, whatever the model is like.
//!
//! Compared are efforts, which are the same on every machine. What a unit of effort is worth is a matter of measurement: `benches/auto calibrate`.

mod common;

use common::{Scratch, check};
use serde_json::Value;

/// What `auto` may spend beside breadth-first search before that has done anything, with some reserve.
const HEAD_START: u64 = 6_000_000;

/// Every step may copy rows of a matrix, by a function with a loop: an estimate that tries all combinations of values takes longer than the search.
const GOSSIP: &str = "
const int N = 5;
typedef int[0, N - 1] person;
bool known[N][N];
chan call[N];
int[0, 40] calls;
void exchange(person a, person b)
{
    for (i : person)
    {
        bool either = known[a][i] || known[b][i];
        known[a][i] = either;
        known[b][i] = either;
    }
}
process Person(const person id)
{
    state Init, Ready;
    init Init;
    trans Init -> Ready { assign known[id][id] = true; },
          Ready -> Ready { select other : person; guard other != id && calls < 9; sync call[other]!; assign exchange(id, other), calls++; },
          Ready -> Ready { sync call[id]?; };
}
system Person;
";

/// The value takes a detour through a function that no estimate sees through, and many bits toggle meanwhile.
const MAZE: &str = "
int[0, 1023] value = 1;
int[0, 120] steps;
bool bit[14];
int[0, 1023] next(int[0, 1023] v)
{
    int[0, 4095] twice = v * 2;
    int[0, 3] round;
    for (round = 0; round < 2; round++) { twice = (twice * 3 + 1) % 1024; }
    return twice % 1024;
}
process Walker() { state A; init A; trans A -> A { guard steps < 120; assign value = next(value), steps++; }; }
process Bit(const int[0, 13] id) { state Off, On; init Off;
    trans Off -> On { assign bit[id] = true; }, On -> Off { assign bit[id] = false; }; }
system Walker, Bit;
";

/// Each lane can be lost, and then the goal is; what follows is large, and nothing in it can fail.
const LANES: &str = "
typedef int[0, 4] lane;
process Lane(const lane id)
{
    clock x;
    state Start { x <= 3 }, Lost, A, B, C, Gone, Goal;
    init Start;
    trans Start -> Lost { guard x >= 1; }, Start -> Gone { guard x >= 2; },
          Lost -> A { assign x = 0; }, A -> B { guard x >= 1; assign x = 0; }, B -> C { guard x >= 2; assign x = 0; },
          C -> A { assign x = 0; }, Gone -> Goal { guard x < 1; };
}
system Lane;
";

/// One clock says why there is no alarm. There are more states than anybody can look at.
const CROWD: &str = "
typedef int[0, 29] id_t;
process Clerk(const id_t id)
{
    state Home, Way, Desk;
    init Home;
    trans Home -> Way { }, Way -> Desk { }, Desk -> Home { };
}
process Guard()
{
    clock y;
    state Calm { y <= 5 }, Alarm;
    init Calm;
    trans Calm -> Calm { guard y >= 5; assign y = 0; }, Calm -> Alarm { guard y > 5; };
}
system Clerk, Guard;
";

fn effort(answer: &Value) -> u64 {
    answer["results"][0]["statistics"]["effort"].as_u64().expect("a number")
}

fn explored(answer: &Value) -> u64 {
    answer["results"][0]["statistics"]["explored"].as_u64().expect("a number")
}

fn run(model: &str, query: &str, options: &[&str]) -> Value {
    let ran = check(&[&[model, "--query", query, "--format", "json"], options].concat());
    assert!(ran.code <= 1, "{}", ran.stderr);
    ran.json()
}

#[test]
fn a_proof_costs_little_more_than_breadth_first_search() {
    let scratch = Scratch::new();
    let gossip = scratch.file("gossip.xta", GOSSIP);
    let lanes = scratch.file("lanes.xta", LANES.replace("C -> A", "C -> Start"));
    for (model, query) in [
        (&gossip, "E<> calls == 9 && known[0][1] && !known[1][1]"),
        (&lanes, "E<> forall (i : lane) Lane(i).Goal"),
    ] {
        let (auto, blind) = (run(model, query, &[]), run(model, query, &["--search", "bfs"]));
        assert_eq!(auto["results"][0]["verdict"], blind["results"][0]["verdict"]);
        let most = HEAD_START + effort(&blind) * 13 / 10;
        assert!(effort(&auto) <= most, "{query}: {} of {most}", effort(&auto));
    }
}

#[test]
fn expensive_estimates_are_abandoned() {
    let scratch = Scratch::new();
    let gossip = scratch.file("gossip.xta", GOSSIP);
    let query = "E<> forall (i : person) forall (j : person) known[i][j]";
    let (auto, blind) = (run(&gossip, query, &[]), run(&gossip, query, &["--search", "bfs"]));
    let most = HEAD_START + effort(&blind) * 13 / 10;
    assert!(effort(&auto) <= most, "{} of {most}", effort(&auto));
}

#[test]
fn what_depth_first_search_finds_is_found() {
    let scratch = Scratch::new();
    let maze = scratch.file("maze.xta", MAZE);
    let query = "E<> steps == 100 && Walker.A";
    let deep = run(&maze, query, &["--search", "dfs"]);
    let auto = run(&maze, query, &["--state-limit", "100000"]);
    assert_eq!(auto["results"][0]["verdict"], "satisfied");
    let most = HEAD_START + 12 * effort(&deep);
    assert!(effort(&auto) <= most, "{} of {most}", effort(&auto));
}

/// States from which a location cannot be reached need not be explored, if nothing can go wrong in them.
#[test]
fn dead_ends_serve_breadth_first_search() {
    let scratch = Scratch::new();
    let lanes = scratch.file("lanes.xta", LANES);
    let query = "E<> forall (i : lane) Lane(i).Goal";
    let (auto, blind) = (run(&lanes, query, &[]), run(&lanes, query, &["--search", "bfs"]));
    assert_eq!(auto["results"][0]["verdict"], "not satisfied");
    assert!(20 * explored(&auto) < explored(&blind), "{} of {}", explored(&auto), explored(&blind));
}

#[test]
fn an_error_of_the_model_behind_a_dead_end_is_reported() {
    let scratch = Scratch::new();
    let faulty = LANES
        .replace("typedef", "int[0,3] turns;\ntypedef")
        .replace("C -> A { assign x = 0; }", "C -> A { assign x = 0, turns = turns + 1; }");
    let lanes = scratch.file("lanes.xta", faulty);
    let ran = check(&[&lanes, "--query", "E<> forall (i : lane) Lane(i).Goal"]).expect(2);
    assert!(ran.stderr.contains("value 4 is outside int[0,3]"), "{}", ran.stderr);
}

#[test]
fn refinement_proves_what_concerns_a_small_part_of_the_system() {
    let scratch = Scratch::new();
    let crowd = scratch.file("crowd.xta", CROWD);
    // The crowd could be left out, or exchanged for each other, which would be enough.
    let without = "symmetry,slicing";
    for options in [&["--without", without][..], &["--without", without, "--trace", "shortest"]] {
        let answer = run(&crowd, "A[] not Guard.Alarm", options);
        let result = &answer["results"][0];
        assert_eq!((&result["verdict"], &result["engine"]), (&"satisfied".into(), &"hidden".into()));
        assert_eq!(result["refinement"]["precision"], serde_json::json!(["Guard", "Guard.y"]));
        assert!(effort(&answer) < 3 * HEAD_START, "{}", effort(&answer));
    }
    let ran = check(&[&crowd, "--query", "A[] not Guard.Alarm", "--without", without]).expect(0);
    assert!(ran.stdout.contains("hidden: ") && ran.stdout.contains("what matters: Guard"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("errors of the model"), "nothing can fail: {}", ran.stdout);
}

/// Where evaluations can fail, breadth-first search looks for errors first, and the proof says what it does not look at.
#[test]
fn a_proof_by_refinement_comes_after_the_search_for_errors() {
    let scratch = Scratch::new();
    let counting = |most: u32| {
        CROWD
            .replace("typedef", &format!("int[0, {most}] visits;\ntypedef"))
            .replace("Desk -> Home { }", "Desk -> Home { guard visits < 90; assign visits = visits + 1; }")
    };
    let sound = scratch.file("sound.xta", counting(90));
    let ran = check(&[&sound, "--query", "A[] not Guard.Alarm", "--without", "symmetry"]).expect(0);
    assert!(ran.stdout.contains("hidden: "), "{}", ran.stdout);
    assert!(ran.stdout.contains("proved for runs without errors of the model"), "{}", ran.stdout);
    let faulty = scratch.file("faulty.xta", counting(0));
    let ran = check(&[&faulty, "--query", "A[] not Guard.Alarm"]).expect(2);
    assert!(ran.stderr.contains("value 1 is outside int[0,0]"), "{}", ran.stderr);
}

#[test]
fn limits_hold_for_refinement_as_well() {
    let scratch = Scratch::new();
    let crowd = scratch.file("crowd.xta", CROWD);
    // The proof has some ten states, and every search a part of the limit only.
    let common = ["--without", "slicing", "--state-limit", "20", "--format", "json"];
    let answer = check(&[&[&crowd, "--query", "A[] not Guard.Alarm"][..], &common].concat());
    assert_eq!(answer.expect(3).json()["results"][0]["reason"], "state limit");
}

#[test]
fn the_same_question_is_answered_in_the_same_way() {
    let scratch = Scratch::new();
    let (gossip, maze) = (scratch.file("gossip.xta", GOSSIP), scratch.file("maze.xta", MAZE));
    let crowd = scratch.file("crowd.xta", CROWD);
    for (model, query) in [
        (&gossip, "E<> calls == 9 && known[0][1] && !known[1][1]"),
        (&gossip, "E<> forall (i : person) forall (j : person) known[i][j]"),
        (&maze, "E<> steps == 100 && Walker.A"),
        (&crowd, "A[] not Guard.Alarm"),
    ] {
        let counts = || {
            let answer = run(model, query, &["--state-limit", "100000"]);
            let mut statistics = answer["results"][0]["statistics"].clone();
            for name in ["seconds", "preprocessing_seconds", "states_per_second"] {
                statistics[name] = Value::Null;
            }
            (answer["results"][0]["search"].clone(), statistics)
        };
        assert_eq!(counts(), counts());
    }
}
