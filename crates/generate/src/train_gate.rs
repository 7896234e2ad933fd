//! Trains share a bridge with a single track (after W. Yi, P. Pettersson, M. Daniels, Automatic verification of real-time communicating systems by
//! constraint solving, 1994).
//!
//! A train that comes tells the gate. If the bridge is taken it is stopped, which works in its first `BRAKE` time units only, and let go again in the order of arrival. The
//! gate answers at once, so no train gets past the point of no return unseen.

use crate::Query;

pub(crate) fn model(trains: u32) -> (String, Vec<Query>) {
    let text = format!(
        "// Trains share a bridge with a single track; a gate stops them and keeps them in a queue.

const int N = {trains};                // trains
const int BRAKE = 10;           // a train can be stopped up to here
const int NEAR = 20;            // the latest time at which a train that is not stopped is on the bridge
const int START = 15;           // the longest time from standstill to the bridge
const int CROSS = 5;            // the longest time on the bridge

typedef int[1, N] train_t;

chan coming[train_t], leaving[train_t], stop[train_t];
urgent chan go[train_t];

process Train(const train_t number)
{{
    clock x;
    state Away, Coming {{ x <= NEAR }}, Stopped, Starting {{ x <= START }}, Crossing {{ x <= CROSS }};
    init Away;
    trans
        Away -> Coming {{ sync coming[number]!; assign x = 0; }},
        Coming -> Stopped {{ guard x <= BRAKE; sync stop[number]?; }},
        Coming -> Crossing {{ guard x >= BRAKE; assign x = 0; }},
        Stopped -> Starting {{ sync go[number]?; assign x = 0; }},
        Starting -> Crossing {{ guard x >= 7; assign x = 0; }},
        Crossing -> Away {{ guard x >= 3; sync leaving[number]!; }};
}}

process Gate()
{{
    int[0, N] queue[N];         // in the order of arrival; the first one owns the bridge; 0: nobody
    int[0, N] length;

    void arrive(train_t train)
    {{
        queue[length] = train;
        length++;
    }}

    void leave()
    {{
        length--;
        for (i : int[0, N - 2])
            queue[i] = queue[i + 1];
        queue[N - 1] = 0;
    }}

    state Free, Taken, Refusing;
    commit Refusing;
    init Free;
    trans
        Free -> Taken {{ select t : train_t; guard length == 0; sync coming[t]?; assign arrive(t); }},
        Free -> Taken {{ select t : train_t; guard length > 0 && queue[0] == t; sync go[t]!; }},
        Taken -> Refusing {{ select t : train_t; sync coming[t]?; assign arrive(t); }},
        Refusing -> Taken {{ select t : train_t; guard queue[length - 1] == t; sync stop[t]!; }},
        Taken -> Free {{ select t : train_t; guard queue[0] == t; sync leaving[t]?; assign leave(); }};
}}

system Train, Gate;
"
    );
    let queries = vec![
        Query::new("Two trains are on the bridge.", "E<> (sum (t : train_t) Train(t).Crossing) > 1", false),
        Query::new(
            "One train crosses while all others wait.",
            "E<> Train(1).Crossing and (sum (t : train_t) Train(t).Stopped) == N - 1",
            true,
        ),
        Query::new("Nothing can happen any more.", "E<> deadlock", false),
        Query::new("Whoever comes gets over the bridge.", "Train(1).Coming --> Train(1).Crossing", true),
    ];
    (text, queries)
}
