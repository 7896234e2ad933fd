//! Carrier sense, multiple access, with collision detection: the medium of the first Ethernets.
//!
//! A station that hears nothing may send. Its signal needs up to `DELAY` to reach everybody, and for that long another station may begin as well. The frames then
//! collide; the bus tells all senders within another `DELAY`. The constants are those of a 10 Mbit/s Ethernet with frames of 808 μs and a delay of
//! 26 μs, the ones that the literature uses since S. Yovine, Kronos: a verification tool for real-time systems, 1997.
//!
//! Two senders never overlap for long: once a station has sent for twice the delay, it is alone.

use crate::Query;

pub(crate) fn model(stations: u32) -> (String, Vec<Query>) {
    let text = format!(
        "// Carrier sense, multiple access, with collision detection: stations on one wire.

const int N = {stations};                // stations
const int DELAY = 26;           // a signal reaches everybody within this time
const int FRAME = 808;          // how long it takes to send a frame

typedef int[1, N] station_t;

chan begin, end, busy;
broadcast chan collision;       // heard by those who send

process Bus()
{{
    clock y;
    state Silent, Carrying, Colliding {{ y <= DELAY }};
    init Silent;
    trans
        Silent -> Carrying {{ sync begin?; assign y = 0; }},
        Carrying -> Silent {{ sync end?; assign y = 0; }},
        Carrying -> Carrying {{ guard y >= DELAY; sync busy!; }},
        Carrying -> Colliding {{ guard y < DELAY; sync begin?; assign y = 0; }},
        Colliding -> Colliding {{ sync begin?; }},
        Colliding -> Silent {{ sync collision!; assign y = 0; }};
}}

process Station(const station_t number)
{{
    clock x;
    state Quiet, Sending {{ x <= FRAME }}, Waiting {{ x <= 2 * DELAY }};
    init Quiet;
    trans
        Quiet -> Sending {{ sync begin!; assign x = 0; }},
        Quiet -> Waiting {{ sync busy?; assign x = 0; }},
        Sending -> Quiet {{ guard x == FRAME; sync end!; assign x = 0; }},
        Sending -> Waiting {{ sync collision?; assign x = 0; }},
        Waiting -> Sending {{ sync begin!; assign x = 0; }},
        Waiting -> Waiting {{ sync busy?; assign x = 0; }};
}}

system Bus, Station;
"
    );
    let queries = vec![
        Query::new(
            "A station still does not know, after twice the delay, that another one sends.",
            "E<> Station(1).Sending and Station(1).x >= 2 * DELAY and Station(2).Sending",
            false,
        ),
        Query::new(
            "Two stations send at once.",
            format!("E<> Station(1).Sending and Station({stations}).Sending"),
            true,
        ),
        Query::new(
            "A station sends a whole frame.",
            format!("E<> Station({stations}).Sending and Station({stations}).x == FRAME"),
            true,
        ),
    ];
    (text, queries)
}
