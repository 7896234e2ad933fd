//! Rules of TChecker's models, in the zone engine and in the interpreter.

use guidepost::{Configuration, Interpreter, System, Verdict};

fn system(text: &str) -> System {
    System::parse("m.tck", text).unwrap_or_else(|error| panic!("{error}"))
}

/// Whether a query holds; a run that shows it has been replayed by the interpreter.
#[track_caller]
fn holds(text: &str, query: &str) -> bool {
    let with_run = Configuration { trace: true, shortest: true, ..Configuration::default() };
    let answer = system(text).check(query, &with_run).unwrap_or_else(|error| panic!("{query}: {error}"));
    assert!(answer.internal.is_none(), "{query}: {:?}", answer.internal);
    match answer.verdict {
        Verdict::Satisfied => true,
        Verdict::NotSatisfied => false,
        Verdict::Undecided => panic!("{query} is undecided"),
    }
}

/// How many transitions the interpreter finds at the beginning.
fn first_transitions(text: &str) -> usize {
    let system = system(text);
    let mut interpreter = Interpreter::new(system.network());
    let state = interpreter.initial();
    interpreter.enabled(&state).expect("no errors").len()
}

fn pair(sync: &str) -> String {
    format!(
        "system:s\nevent:a\nint:1:0:10:1:v\n\
         process:P\nlocation:P:l{{initial:}}\nlocation:P:m{{}}\nedge:P:l:m:a{{do: v=v+1}}\n\
         process:Q\nlocation:Q:l{{initial:}}\nlocation:Q:m{{}}\nedge:Q:l:m:a{{do: v=v*2}}\n\
         process:R\nlocation:R:l{{initial:}}\nlocation:R:m{{}}\nedge:R:l:m:a{{do: v=v-1}}\n{sync}\n"
    )
}

#[test]
fn updates_run_in_the_order_of_the_sync_line() {
    for (sync, value) in [
        ("sync:P@a:Q@a", 4),
        ("sync:Q@a:P@a", 3),
        ("sync:P@a:Q@a:R@a", 3),
        ("sync:R@a:Q@a:P@a", 1),
        ("sync:Q@a:R@a?:P@a?", 2),
    ] {
        let text = pair(sync);
        assert!(holds(&text, &format!("E<> Q.m and P.m and v == {value}")), "{sync}");
        assert!(holds(&text, &format!("A[] Q.m and P.m imply v == {value} or R.m")), "{sync}");
    }
}

#[test]
fn a_weak_participant_whose_guard_never_holds_blocks_the_others() {
    for guard in ["1 == 2", "v == 7"] {
        let text = format!(
            "system:s\nevent:a\nint:1:0:10:1:v\n\
             process:P\nlocation:P:l{{initial:}}\nlocation:P:m{{}}\nedge:P:l:m:a{{}}\n\
             process:Q\nlocation:Q:l{{initial:}}\nlocation:Q:m{{}}\nedge:Q:l:m:a{{provided: {guard}}}\n\
             sync:P@a:Q@a?\n"
        );
        assert!(!holds(&text, "E<> P.m"), "{guard}");
        assert_eq!(first_transitions(&text), 0, "{guard}");
    }
}

const TWO_STARTS: &str = "system:s\nevent:a\nclock:1:x\nint:1:0:10:1:v\n\
     process:P\nlocation:P:l{initial:}\nlocation:P:m{initial: : labels: there}\nlocation:P:n{}\nedge:P:m:n:a{do: v=2}\n\
     process:Q\nlocation:Q:l{initial: : committed:}\nlocation:Q:k{initial: : invariant: x>=1}\nlocation:Q:m{}\nedge:Q:l:m:a{do: v=v+1}\n";

#[test]
fn every_combination_of_initial_locations_is_a_beginning() {
    assert!(holds(TWO_STARTS, "E<> P.l and Q.l"));
    assert!(holds(TWO_STARTS, "E<> label(there) and Q.l and v == 1"));
    assert!(holds(TWO_STARTS, "E<> P.n and v == 2"));
    // The state before the choice is none of the model, and the invariant of Q.k rules two combinations out.
    assert!(holds(TWO_STARTS, "A[] (P.l or P.m or P.n) and (Q.l or Q.m)"));
    assert!(!holds(TWO_STARTS, "A<> P.n"));
    assert!(holds(TWO_STARTS, "A<> Q.m"));
    assert!(!holds(TWO_STARTS, "E[] P.m and Q.l"));
    assert!(holds(TWO_STARTS, "E[] P.l"));
    assert!(holds(TWO_STARTS, "Q.l --> Q.m"));
    assert!(!holds(TWO_STARTS, "E<> deadlock and Q.l"));
    assert_eq!(first_transitions(TWO_STARTS), 2);
}

/// Both spellings of the ends of statements, a branch without `else`, a loop, and locals.
const SORT: &str = "system:s\nevent:init\nevent:sort\nint:5:0:9:0:A\nint:1:0:9:0:steps\nclock:1:x\n\
     process:P\nlocation:P:a{initial:}\nlocation:P:b{}\nlocation:P:c{}\n\
     edge:P:a:b:init{do: A[0]=5; A[1]=3; A[2]=9; A[3]=1; A[4]=4}\n\
     edge:P:b:c:sort{do: local i = 0; local n; n = 5;\n\
       while i < n - 1 do\n local j = 0; local old[2];\n\
         while (j < n - i - 1) do\n if A[j] > A[j+1] && old[0] == 0 then old[1] = A[j]; A[j] = A[j+1]; A[j+1] = old[1] endif; j = j + 1 done;\n\
         old[1] = 7; i = i + 1\n end;\n\
       if n == 5 then steps = (if i == 4 then i else 0); x = 0 else nop end}\n";

#[test]
fn statements_can_branch_and_loop() {
    assert!(holds(
        SORT,
        "A[] P.c imply A[0] == 1 and A[1] == 3 and A[2] == 4 and A[3] == 5 and A[4] == 9 and steps == 4"
    ));
    assert!(holds(SORT, "E<> P.c"));
    assert!(holds(SORT, "A[] P.c imply steps == 4"));
}

#[test]
fn an_assignment_that_leaves_its_range_in_a_loop_forbids_the_transition() {
    let text = |bound: u32| {
        format!(
            "system:s\nevent:a\nint:1:0:5:0:v\nprocess:P\nlocation:P:l{{initial:}}\nlocation:P:m{{}}\n\
             edge:P:l:m:a{{do: local i; while i < {bound} do v = v + 1; i = i + 1 end; v = 0}}\n"
        )
    };
    assert!(holds(&text(5), "E<> P.m"));
    assert!(!holds(&text(6), "E<> P.m"));
}
