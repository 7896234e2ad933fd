//! Fischer's mutual exclusion (M. Fischer, in L. Lamport, A fast mutual exclusion algorithm, 1987).
//!
//! A process that finds nobody's number in `id` writes its own within `K`, waits longer than `K`, and enters if its number still stands there: whoever
//! found `id` empty has written by then. The faulty protocol waits *at least* `K`. One instant is enough: a process enters at `K`, another one writes at the same `K`.
//!
//! The variants differ in how two processes in the critical section show. In variant A an observer meets process 1 and then process 2 there; whoever it has
//! met stays, so it cannot meet them one after the other. That takes two steps more than B, where the query names the two processes. In variant C a
//! variable counts who is inside, so that any two will do.

use crate::Query;

/// How a violation of mutual exclusion shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// An observer automaton synchronises with two processes in the critical section.
    A,
    /// The query names two processes.
    B,
    /// A variable counts the processes in the critical section.
    C,
}

impl Variant {
    pub(crate) fn letter(self) -> char {
        match self {
            Self::A => 'a',
            Self::B => 'b',
            Self::C => 'c',
        }
    }
}

const OBSERVER: &str = "
// Meets process 1 and then process 2 in their critical sections.
process Observer()
{
    state Nobody, One, Two;
    init Nobody;
    trans
        Nobody -> One { sync first?; },
        One -> Two { sync second?; };
}
";

pub(crate) fn model(variant: Variant, processes: u32, faulty: bool) -> (String, Vec<Query>) {
    let heading = if faulty {
        "// Fischer's mutual exclusion, with >= where there should be >: two processes can be inside."
    } else {
        "// Fischer's mutual exclusion."
    };
    let wait = if faulty { ">=" } else { ">" };
    let (globals, held, watched) = match variant {
        Variant::A => (
            "chan first, second;             // the observer meets process 1, process 2\n",
            ", Held",
            ",\n        Critical -> Held { guard pid == 1; sync first!; },\n        Critical -> Held { guard pid == 2; sync second!; }",
        ),
        Variant::B => ("", "", ""),
        Variant::C => ("int[0, N] inside;               // processes in the critical section\n", "", ""),
    };
    let (enter, leave) = match variant {
        Variant::C => (" assign inside++;", ", inside--"),
        Variant::A | Variant::B => ("", ""),
    };
    let (observer, system) = match variant {
        Variant::A => (OBSERVER, "P, Observer"),
        Variant::B | Variant::C => ("", "P"),
    };
    let text = format!(
        "{heading}

const int N = {processes};                // processes
const int K = 2;                // a process writes its number within this time, and looks again after it

typedef int[1, N] pid_t;

int[0, N] id;                   // who wrote last; 0: nobody
{globals}
process P(const pid_t pid)
{{
    clock x;
    state Idle, Trying {{ x <= K }}, Pausing, Critical{held};
    init Idle;
    trans
        Idle -> Trying {{ guard id == 0; assign x = 0; }},
        Trying -> Pausing {{ assign id = pid, x = 0; }},
        Pausing -> Trying {{ guard id == 0; assign x = 0; }},
        Pausing -> Critical {{ guard id == pid && x {wait} K;{enter} }},
        Critical -> Idle {{ assign id = 0{leave}; }}{watched};
}}
{observer}
system {system};
"
    );
    let (both, some) = match variant {
        Variant::A => ("E<> Observer.Two", "E<> Observer.One"),
        Variant::B => ("E<> P(1).Critical and P(2).Critical", "E<> P(1).Critical"),
        Variant::C => ("E<> inside > 1", "E<> inside == 1"),
    };
    let queries = vec![
        Query::new("Two processes are in their critical sections.", both, faulty),
        Query::new("A process gets in.", some, true),
    ];
    (text, queries)
}
