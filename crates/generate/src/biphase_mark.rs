//! The biphase mark protocol: bits over one wire, with the clock in the signal (after F. Vaandrager, A. de Groot, Analysis of a biphase mark protocol with Uppaal and PVS, 2006).
//!
//! Whether the receiver can go wrong follows from three conditions, for the shortest and longest cycles `MIN` and `MAX` of both sides and the time `EDGE` for which a change is not to be relied on:
//!
//! * the change at the start of a cell is noticed within the mark: `EDGE + MAX < MARK * MIN`;
//! * the sample is not taken before the change after the mark has settled: `MARK * MAX + EDGE < SAMPLE * MIN`;
//! * it is taken before the cell ends: `EDGE + MAX + SAMPLE * MAX < CELL * MIN`.

use crate::Query;

const MIN: u32 = 20;
const MAX: u32 = 21;
const EDGE: u32 = 60;

/// Whether every bit arrives.
fn is_correct(cell: u32, mark: u32, sample: u32) -> bool {
    let noticed = EDGE + MAX;
    noticed < mark * MIN && mark * MAX + EDGE < sample * MIN && noticed + sample * MAX < cell * MIN
}

pub(crate) fn model(cell: u32, mark: u32, sample: u32) -> (String, Vec<Query>) {
    let text = format!(
        "// The biphase mark protocol: bits go over one wire, with the clock in the signal.
//
// Every bit has a cell of the sender's cycles. The signal changes when a cell begins, and again after the mark if the bit is 1. The receiver looks at the signal once
// in each of its own cycles. When it has changed, it counts cycles and looks again: has it changed once more? The cycles of both sides vary a little, and for a
// while after a change the signal may be read as either value.

const int CELL = {cell};               // cycles of a cell
const int MARK = {mark};                // cycles before the second change
const int SAMPLE = {sample};             // cycles from the first change to the second look
const int MIN = {MIN};              // the shortest and the longest cycle
const int MAX = {MAX};
const int EDGE = {EDGE};             // how long a change is not to be relied on

bool signal;                    // what the sender wants it to be
bool unsure;                    // it has just changed
bool bit;                       // what is being sent
bool pending;                   // the receiver has not got it yet
chan change;

process Sender()
{{
    clock x;
    state Begin, Mark {{ x <= MARK * MAX }}, Rest {{ x <= (CELL - MARK) * MAX }}, Late;
    commit Begin;
    init Begin;
    trans
        Begin -> Mark {{ select next : int[0, 1]; sync change!; assign bit = next, pending = true, signal = !signal, x = 0; }},
        Mark -> Rest {{ guard x >= MARK * MIN && bit; sync change!; assign signal = !signal, x = 0; }},
        Mark -> Rest {{ guard x >= MARK * MIN && !bit; assign x = 0; }},
        Rest -> Begin {{ guard x >= (CELL - MARK) * MIN && !pending; }},
        Rest -> Late {{ guard x >= (CELL - MARK) * MIN && pending; }};
}}

process Wire()
{{
    clock x;
    state Sure, Unsure {{ x <= EDGE }};
    init Sure;
    trans
        Sure -> Unsure {{ sync change?; assign unsure = true, x = 0; }},
        Unsure -> Unsure {{ sync change?; assign x = 0; }},
        Unsure -> Sure {{ guard x >= EDGE; assign unsure = false; }};
}}

process Receiver()
{{
    clock x;
    bool seen;                  // what was read last
    state Watching {{ x <= MAX }}, Counting {{ x <= SAMPLE * MAX }}, Wrong;
    init Watching;
    trans
        Watching -> Watching {{ guard x >= MIN && (unsure || seen == signal); assign x = 0; }},
        Watching -> Counting {{ guard x >= MIN && (unsure || seen != signal); assign seen = !seen, x = 0; }},
        Counting -> Watching {{ guard x >= SAMPLE * MIN && pending && !bit && (unsure || seen == signal); assign pending = false, x = 0; }},
        Counting -> Watching {{ guard x >= SAMPLE * MIN && pending && bit && (unsure || seen != signal); assign seen = !seen, pending = false, x = 0; }},
        Counting -> Wrong {{ guard x >= SAMPLE * MIN && (!pending || bit) && (unsure || seen == signal); }},
        Counting -> Wrong {{ guard x >= SAMPLE * MIN && (!pending || !bit) && (unsure || seen != signal); }};
}}

system Sender, Wire, Receiver;
"
    );
    let queries = vec![
        Query::new(
            "A bit is read wrongly or too late.",
            "E<> Receiver.Wrong or Sender.Late",
            !is_correct(cell, mark, sample),
        ),
        Query::new("A 1 gets to the receiver.", "E<> Sender.Rest and bit and not pending", true),
    ];
    (text, queries)
}
