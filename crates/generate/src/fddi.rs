//! A timed token ring in the manner of FDDI (R. Jain, FDDI handbook, 1994).
//!
//! Who has the token sends its urgent data for exactly `SEND`. If the token has come early, the rest of the time is for everything else: a station may keep the token
//! until the target rotation time `TARGET` has passed since the token came *the time before*. That needs two clocks, which take turns: one
//! measures from the last arrival while the other is still needed. The token then goes on without delay.
//!
//! The theorem of the protocol is the first query: if the urgent data of all stations fit into `TARGET`, no station waits longer than twice `TARGET` for the token.

use crate::Query;

pub(crate) fn model(stations: u32) -> (String, Vec<Query>) {
    let text = format!(
        "// A timed token ring in the manner of FDDI.

const int N = {stations};                // stations
const int SEND = 20;            // urgent data of a station
const int TARGET = 50 * N;      // target of the token's rotation time

typedef int[1, N] station_t;

chan token[station_t];

process Station(const station_t number)
{{
    const int next = number == N ? 1 : number + 1;
    clock hold;                 // since the token came
    clock even, odd;            // since the token came the time before; in turns
    state
        Even, EvenUrgent {{ hold <= SEND }}, EvenOther {{ even <= TARGET }},
        Odd, OddUrgent {{ hold <= SEND }}, OddOther {{ odd <= TARGET }};
    init Even;
    trans
{even}{odd};
}}

// Puts the token on the ring.
process Start()
{{
    state Begin, Done;
    commit Begin;
    init Begin;
    trans Begin -> Done {{ sync token[1]!; }};
}}

system Station, Start;
",
        even = turn("Even", "even", "Odd", "odd"),
        odd = turn("Odd", "odd", "Even", "even").trim_end_matches(",\n"),
    );
    let queries = vec![
        Query::new(
            "A station waits longer than twice the target time for the token.",
            "E<> Station(1).EvenUrgent and Station(1).even > 2 * TARGET",
            false,
        ),
        Query::new(
            "Two stations have the token.",
            "E<> (Station(1).EvenUrgent or Station(1).EvenOther) and (Station(2).EvenUrgent or Station(2).EvenOther)",
            false,
        ),
        Query::new(
            "The last station has time for more than urgent data, in its second turn.",
            format!("E<> Station({stations}).OddOther"),
            true,
        ),
    ];
    (text, queries)
}

/// The edges of one turn. `before` has run since the token came the time before; `since` begins now.
fn turn(this: &str, before: &str, other: &str, since: &str) -> String {
    format!(
        "        {this} -> {this}Urgent {{ sync token[number]?; assign hold = 0, {since} = 0; }},
        {this}Urgent -> {this}Other {{ guard hold == SEND && {before} < TARGET; }},
        {this}Urgent -> {other} {{ guard hold == SEND && {before} >= TARGET; sync token[next]!; }},
        {this}Other -> {other} {{ sync token[next]!; }},
"
    )
}
