//! A timed circuit: gates with delays, wires that are Boolean variables.
//!
//! Three inverters in a ring oscillate. N further gates listen to the ring, to each other, and each to an input that the environment changes; nothing leads back from them to the ring. A gate whose
//! output is not what its inputs ask for changes it after a delay; if the inputs change their mind before that, it does not. So there are N inputs, N + 3 wires and as many clocks, but what is asked about the ring depends on
//! the ring alone.

use crate::Query;

pub(crate) fn model(gates: u32) -> (String, Vec<Query>) {
    let text = format!(
        "// A ring of three inverters, and gates that listen to it.

const int N = {gates};                // gates beside the ring, each with an input
const int EARLIEST = 3;         // a gate changes its output after at least so long
const int LATEST = 5;           // and at most so long
const int INPUT = 4;            // an input keeps its value for so long

typedef int[0, 2] ring_t;
typedef int[1, N] gate_t;

bool ring[3] = {{ false, true, false }};
bool out[N + 1];                // the first one is always low
bool in[N + 1];

urgent broadcast chan hurry;
broadcast chan change[ring_t];

process Inverter(const ring_t number)
{{
    clock x;
    state Stable, Excited {{ x <= LATEST }};
    init Stable;
    trans
        Stable -> Excited {{ guard ring[number] == ring[(number + 2) % 3]; sync hurry!; assign x = 0; }},
        Excited -> Stable {{ guard x >= EARLIEST; sync change[number]!; assign ring[number] = !ring[number]; }};
}}

process Gate(const gate_t number)
{{
    clock x;
    bool wanted()
    {{
        return ring[number % 3] && in[number] != out[number - 1];
    }}

    state Stable, Excited {{ x <= LATEST }};
    init Stable;
    trans
        Stable -> Excited {{ guard out[number] != wanted(); sync hurry!; assign x = 0; }},
        Excited -> Stable {{ guard x >= EARLIEST && out[number] != wanted(); assign out[number] = !out[number]; }},
        Excited -> Stable {{ guard out[number] == wanted(); sync hurry!; }};
}}

process Input(const gate_t number)
{{
    clock t;
    state Given;
    init Given;
    trans
        Given -> Given {{ guard t >= INPUT; assign in[number] = !in[number], t = 0; }};
}}

// Measures the time from one change of the first inverter to the next.
process Observer()
{{
    clock p;
    state First, Measuring, Early;
    init First;
    trans
        First -> Measuring {{ sync change[0]?; assign p = 0; }},
        Measuring -> Measuring {{ guard p >= 3 * EARLIEST; sync change[0]?; assign p = 0; }},
        Measuring -> Early {{ guard p < 3 * EARLIEST; sync change[0]?; }};
}}

system Inverter, Gate, Input, Observer;
"
    );
    let queries = vec![
        Query::new(
            "The first inverter changes again before a wave can have gone round the ring.",
            "E<> Observer.Early",
            false,
        ),
        Query::new("All wires of the ring are high.", "E<> ring[0] and ring[1] and ring[2]", false),
        Query::new("The last gate becomes high.", "E<> out[N]", true),
    ];
    (text, queries)
}
