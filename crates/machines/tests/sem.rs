//! The text format `.sem`: what it means, what is said about mistakes, and that writing and reading are inverse.

use guidepost_language::render::{Style, render};
use guidepost_machines::sem::{
    Configuration, EventId, Interpreter, StateKind, System, load_file, load_text, lockstep, write,
};
use std::path::{Path, PathBuf};

fn read(text: &str) -> System {
    let loaded = load_text("test.sem", text);
    let messages = render(&loaded.diagnostics, &loaded.sources, Style::default());
    loaded.system.unwrap_or_else(|| panic!("{messages}"))
}

fn messages(text: &str) -> String {
    let loaded = load_text("test.sem", text);
    assert!(loaded.system.is_none(), "this should be wrong");
    render(&loaded.diagnostics, &loaded.sources, Style::default())
}

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/machines");
    let entries = std::fs::read_dir(folder).expect("the models are there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "sem"));
    files.sort();
    files
}

fn model(name: &str) -> System {
    let path = models().into_iter().find(|path| path.ends_with(name)).expect("the model is there");
    load_file(&path).system.expect("nothing is wrong with it")
}

fn event(system: &System, name: &str) -> EventId {
    let at = system.events.iter().position(|event| event == name).expect("there is such an event");
    EventId(at as u32)
}

/// Runs a deterministic system and describes where it gets.
fn run(system: &System, events: &[&str]) -> Vec<String> {
    let interpreter = Interpreter::new(system);
    let mut now = interpreter.initial();
    let mut trace = vec![interpreter.describe(&now)];
    for name in events {
        let mut steps = interpreter.steps(&now, event(system, name));
        assert_eq!(steps.len(), 1, "{name}");
        now = steps.remove(0).target;
        trace.push(interpreter.describe(&now));
    }
    trace
}

fn sorted(mut system: System) -> System {
    system.transitions.sort_by_key(|transition| format!("{transition:?}"));
    system
}

#[test]
fn the_train_remembers_its_direction() {
    let train = model("train.sem");
    let trace = run(&train, &["Go", "Down", "Go", "GoRight", "Up", "GoLeft", "Down", "Go"]);
    assert_eq!(
        trace,
        [
            "Train.Stop, Crossing.Open",
            "Train.Stop, Crossing.Open",
            "Train.Stop, Crossing.Closed",
            "Train.Move.Left, Crossing.Closed",
            "Train.Move.Right, Crossing.Closed",
            "Train.Stop, Crossing.Open",
            "Train.Stop, Crossing.Open",
            "Train.Stop, Crossing.Closed",
            "Train.Move.Right, Crossing.Closed",
        ]
    );
}

#[test]
fn without_history_a_state_begins_at_its_default() {
    let text = write(&model("train.sem")).replace("history Move", "state Move");
    let trace = run(&read(&text), &["Down", "Go", "GoRight", "Up", "Down", "Go"]);
    assert_eq!(trace[3], "Train.Move.Right, Crossing.Closed");
    assert_eq!(trace[6], "Train.Move.Left, Crossing.Closed");
}

#[test]
fn outputs_are_multisets() {
    let train = model("train.sem");
    let interpreter = Interpreter::new(&train);
    let closed = interpreter.after(&[event(&train, "Down")]).remove(0);
    let step = interpreter.steps(&closed, event(&train, "Go")).remove(0);
    let names: Vec<&str> = step.outputs.iter().map(|output| train.outputs[output.index()].as_str()).collect();
    assert_eq!(names, ["Bell", "Bell", "Horn"]);
}

#[test]
fn a_transition_into_the_depth_sets_everything_on_its_way() {
    let system = read(
        "event in, out, deep;
         machine M {
             state Off;
             state On {
                 default A;
                 state B { state X; state Y; }
                 state A;
             }
             Off -> On on in;
             Off -> On.B.Y on deep;
             On -> Off on out;
         }",
    );
    assert_eq!(run(&system, &["in"])[1], "M.On.A");
    assert_eq!(run(&system, &["deep", "out", "in"])[1..], ["M.On.B.Y", "M.Off", "M.On.A"]);
}

#[test]
fn nested_scopes_exclude_each_other_and_neither_has_priority() {
    let system = read(
        "event e;
         machine M {
             state P { state A; state B; A -> B on e; }
             state Q;
             P -> Q on e;
         }
         machine N { state X; state Y; X -> Y on e; }",
    );
    let interpreter = Interpreter::new(&system);
    let after = interpreter.after(&[EventId(0)]);
    let mut ends: Vec<String> = after.iter().map(|end| interpreter.describe(end)).collect();
    ends.sort();
    assert_eq!(ends, ["M.P.B, N.Y", "M.Q, N.Y"]);
}

#[test]
fn both_interpreters_agree_on_flat_systems() {
    let train = model("flat-train.sem");
    let interpreter = Interpreter::new(&train);
    let mut seen = vec![interpreter.initial()];
    let mut at = 0;
    while at < seen.len() {
        let now = seen[at].clone();
        for event in train.event_ids() {
            let mut steps: Vec<_> =
                interpreter.steps(&now, event).into_iter().map(|step| step.target).collect();
            steps.sort();
            let mut others: Vec<_> =
                lockstep::successors(&train, &now.0, event).into_iter().map(Configuration).collect();
            others.sort();
            assert_eq!(steps, others);
            let new: Vec<_> = steps.into_iter().filter(|step| !seen.contains(step)).collect();
            seen.extend(new);
        }
        at += 1;
    }
    assert_eq!(seen.len(), 6, "the train never moves over an open crossing");
}

#[test]
fn what_is_written_is_read_again() {
    for path in models() {
        let system = load_file(&path).system.unwrap_or_else(|| panic!("{}", path.display()));
        let text = write(&system);
        let again = read(&text);
        assert_eq!(sorted(again.clone()), sorted(system), "{text}");
        assert_eq!(write(&again), text);
    }
}

#[test]
fn names_that_hide_others_are_written_from_the_top() {
    let system = read(
        "event e;
         machine A { state X; }
         machine B { state A { state X; state Z; X -> Z on e if .A.X and not (A.Z or true); } state C; C -> A on e; }",
    );
    let text = write(&system);
    assert!(text.contains("X -> Z on e if .A.X and not (Z or true);"), "{text}");
    assert_eq!(read(&text), system);
}

#[test]
fn parallel_states_may_be_nested() {
    let system = read(
        "event e;
         machine M { state Off; parallel On { machine A { state X; state Y; } history B { state V; state W; } } Off -> On.B.W on e; }",
    );
    let interpreter = Interpreter::new(&system);
    let on = interpreter.after(&[EventId(0)]).remove(0);
    assert_eq!(interpreter.describe(&on), "M.On.A.X, M.On.B.W");
    let kinds = system.states.iter().filter(|state| matches!(state.kind, StateKind::History { .. })).count();
    assert_eq!(kinds, 1);
    assert_eq!(read(&write(&system)), system);
}

#[test]
fn several_mistakes_are_reported_together() {
    insta::assert_snapshot!(messages(
        "event go, stop, go;
output bell;
machine Train {
    state Stop
    state Move;
    Stop -> Mvoe on go;
    Move -> Stop on stp / bel;
    Move -> Stop [go];
}
machine Crossing { state Open; state Closed; default Shut; Open -> Closed on go if Train.Stopp & true; }
machine Empty { }
"
    ));
}

#[test]
fn names_that_could_mean_several_states_are_refused() {
    insta::assert_snapshot!(messages(
        "event e;
machine A { state On; state Off; }
machine B { state On; state Off; }
machine C { state X; state Y; X -> Y on e if On; }
"
    ));
}

#[test]
fn what_is_open_at_the_end_is_named() {
    insta::assert_snapshot!(messages("event e;\nmachine A {\n    state X;\n    parallel P;\n"));
}

#[test]
fn declarations_belong_to_the_top() {
    insta::assert_snapshot!(messages(
        "machine A { event e; state X; state on; X -> X on e / 0 x; }\n}\ndefault A;\nmachin B { state Y; }\n"
    ));
}
