use super::*;
use crate::syntax::{Direction, ExprKind};
use crate::write::{expression, to_xta};

fn read(text: &str) -> (Document, Diagnostics, SourceMap) {
    let mut sources = SourceMap::default();
    let file = sources.add("m.tck", text);
    let mut out = Diagnostics::default();
    let document = read_tck(&mut sources, file, &mut out);
    (document, out, sources)
}

fn codes(text: &str) -> Vec<&'static str> {
    read(text).1.iter().map(|diagnostic| diagnostic.code.id()).collect()
}

const PAIR: &str = "system:pair
event:a
event:b
process:P
process:Q
clock:1:x
int:1:0:5:2:i
int:2:-1:1:0:j
location:P:l{initial: : invariant: x<=3 && !i==1}
location:P:m{committed:}
location:Q:l{initial: : labels: done, ok : urgent:}
edge:P:l:m:a{provided: x>=1 : do: x=0; i=i+1; nop}
edge:Q:l:l:b{do: j[0]=if i==2 then 1 else 0}
edge:Q:l:l:a
sync:Q@b:P@a
";

#[test]
fn a_vector_of_two_is_a_channel_and_the_first_on_the_line_sends() {
    let (document, out, sources) = read(PAIR);
    assert!(out.is_empty(), "{out:?}");
    assert!(document.vectors.is_empty());
    let edges = |template: usize| &document.templates[template].edges;
    let sync = edges(0)[0].sync.as_ref().expect("synchronises");
    assert_eq!(sync.direction, Direction::Receive);
    assert_eq!(sync.channel.kind, ExprKind::Name("Q_b__P_a".into()));
    assert_eq!(edges(1)[0].sync.as_ref().map(|sync| sync.direction), Some(Direction::Send));
    assert_eq!(edges(1)[1].sync, None);
    assert_eq!(document.templates[1].locations[0].labels.len(), 2);
    let invariant = document.templates[0].locations[0].invariant.as_ref().expect("an invariant");
    assert_eq!(expression(invariant, &sources), "x <= 3 && !(i == 1)");
    assert_eq!(
        sources.file(FileId(0)).place(PAIR.find("x>=1").unwrap() as u32),
        Some("process P, edge l → m, provided")
    );
}

#[test]
fn written_as_text_the_ranges_are_guards() {
    let (document, _, sources) = read(PAIR);
    insta::assert_snapshot!(to_xta(&document, &sources).expect("expressible"), @r"
    clock x;
    int[0, 5] i = 2;
    int[-1, 1] j[2] = { 0, 0 };
    chan Q_b__P_a;

    process P() {
        state
            l { x <= 3 && !(i == 1) },
            m;
        commit m;
        init l;
        trans
            l -> m { guard x >= 1 && i + 1 <= 5; sync Q_b__P_a?; assign x = 0, i = i + 1; };
    }

    process Q() {
        state
            // labels: done, ok
            l;
        urgent l;
        init l;
        trans
            l -> l { sync Q_b__P_a!; assign j[0] = i == 2 ? 1 : 0; },
            l -> l { };
    }

    system P, Q;
    ");
}

#[test]
fn other_vectors_stay_and_edges_are_copied() {
    let text =
        PAIR.to_owned() + "process:R\nlocation:R:l{initial:}\nedge:R:l:l:a\nsync:P@a:Q@a?:R@a?\nsync:R@b\n";
    let (document, out, sources) = read(&text);
    assert!(!out.has_errors(), "{out:?}");
    assert_eq!(document.vectors.len(), 2);
    let directions: Vec<_> = document.templates[0]
        .edges
        .iter()
        .map(|edge| edge.sync.as_ref().map(|sync| sync.direction))
        .collect();
    assert_eq!(directions, [Some(Direction::Receive), Some(Direction::Join)]);
    let written = to_xta(&document, &sources).expect("a broadcast");
    assert!(written.contains("broadcast chan P_a__Q_a__R_a;"), "{written}");
    assert!(written.contains("sync P_a__Q_a__R_a!"), "{written}");
    assert!(written.contains("sync P_a__Q_a__R_a?"), "{written}");
}

#[test]
fn three_processes_that_must_move_cannot_be_written_as_text() {
    let text = PAIR.to_owned() + "process:R\nlocation:R:l{initial:}\nedge:R:l:l:a\nsync:P@b:Q@a:R@a\n";
    let (document, out, sources) = read(&text);
    assert!(!out.has_errors(), "{out:?}");
    let errors = to_xta(&document, &sources).expect_err("not expressible");
    assert_eq!(errors.iter().map(|error| error.code.id()).collect::<Vec<_>>(), ["E010"]);
}

#[test]
fn unknown_names_and_bad_fields_are_reported() {
    let head = "system:s\nprocess:P\nlocation:P:start{initial:}\nevent:go\n";
    let with = |line: &str| codes(&format!("{head}{line}\n"));
    assert_eq!(with("edge:P:start:strat:go"), ["E028"]);
    assert_eq!(with("edge:P:start:start:goo"), ["E020"]);
    assert_eq!(with("edge:Q:start:start:go"), ["E027"]);
    assert_eq!(with("sync:P@go:R@go"), ["E027"]);
    assert_eq!(with("sync:P@go:P@go"), ["E021"]);
    assert_eq!(with("clock:0:x"), ["E083"]);
    assert_eq!(with("clock:x"), ["E008"]);
    assert_eq!(with("int:1:0:99999999999:0:x"), ["E007"]);
    assert_eq!(with("int:1:3:2:0:x"), ["E082"]);
    assert_eq!(with("int:1:0:2:3:x"), ["E080"]);
    assert_eq!(with("locaton:P:x"), ["E008"]);
    assert_eq!(with("location:P:x{invarant: 1}"), ["W013"]);
    assert_eq!(with("process:Q"), ["E029"]);
    assert_eq!(with("edge:P:start:start:go{do: if 1==1 then nop fi}"), ["E008"]);
    assert_eq!(with("edge:P:start:start:go{do: while 1==2 do nop}"), ["E008"]);
    assert_eq!(with("edge:P:start:start:go{do: while do nop end}"), ["E008"]);
    assert_eq!(with("edge:P:start:start:go{do: local 3}"), ["E008"]);
    assert_eq!(codes("process:P\nlocation:P:l{initial:}"), ["E004"]);
}

#[test]
fn names_that_uppaal_would_confuse_are_changed_when_written() {
    let text = "system:s\nevent:e\nprocess:process\nclock:1:x\nlocation:process:init{initial:}\n\
                location:process:x\nedge:process:init:x:e{provided: x>1}\n";
    let (document, out, sources) = read(text);
    assert!(!out.has_errors(), "{out:?}");
    let written = to_xta(&document, &sources).expect("expressible");
    assert!(written.contains("process process_()"), "{written}");
    assert!(written.contains("init_ -> x_ { guard x > 1; }"), "{written}");
    assert!(written.contains("// `init` in the TChecker model"), "{written}");
    assert!(written.contains("system process_;"), "{written}");
}

fn conversion_errors(text: &str) -> Vec<String> {
    let (document, out, sources) = read(text);
    assert!(!out.has_errors(), "{out:?}");
    let errors = to_xta(&document, &sources).err().unwrap_or_default();
    errors.iter().map(|error| error.message.clone()).collect()
}

#[test]
fn an_order_of_updates_that_uppaal_does_not_have_is_refused() {
    let with = |sync: &str| {
        conversion_errors(&format!(
            "{PAIR}process:R\nlocation:R:l{{initial:}}\nedge:R:l:l:b{{do: j[0]=1}}\nprocess:S\nlocation:S:l{{initial:}}\n\
             edge:S:l:l:b{{do: j[1]=1}}\nevent:c\nprocess:T\nlocation:T:l{{initial:}}\nedge:T:l:l:c\n{sync}\n"
        ))
    };
    assert_eq!(with("sync:T@c:R@b?:S@b?"), Vec::<String>::new());
    assert_eq!(with("sync:R@b?:T@c:S@b?"), Vec::<String>::new(), "what T does not do cannot come too late");
    assert_eq!(
        with("sync:T@c:S@b?:R@b?"),
        ["the synchronisation `T_c__S_b__R_b` has no counterpart in UPPAAL"]
    );
    assert_eq!(with("sync:S@b?:R@b"), ["the synchronisation `S_b__R_b` has no counterpart in UPPAAL"]);
}

#[test]
fn several_initial_locations_are_refused_when_written() {
    let errors = conversion_errors(&format!("{PAIR}location:Q:m{{initial:}}\n"));
    assert_eq!(errors, ["a process with several initial locations has no counterpart in UPPAAL"]);
}

#[test]
fn statements_with_control_are_functions() {
    let with = |statements: &str| {
        format!(
            "system:s\nevent:e\nint:1:0:5:2:i\nprocess:P\nlocation:P:l{{initial:}}\nedge:P:l:l:e{{do: {statements}}}\n"
        )
    };
    assert_eq!(
        conversion_errors(&with("while i < 5 do i = i + 1 end")),
        ["`i` may leave its range in these statements"]
    );
    let (document, out, sources) = read(&with("local k = i; if k > 2 then i = i / 2; else i = 4 end"));
    assert!(out.is_empty(), "{out:?}");
    insta::assert_snapshot!(to_xta(&document, &sources).expect("expressible"), @r"
    int[0, 5] i = 2;

    process P() {
        void P_do() {
            int[-2147483648, 2147483647] k;
            k = i;
            if (k > 2) {
                i = i / 2;
            } else {
                i = 4;
            }
        }

        state
            l;
        init l;
        trans
            l -> l { assign P_do(); };
    }

    system P;
    ");
}
