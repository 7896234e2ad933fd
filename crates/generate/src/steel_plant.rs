//! A steel plant: ladles of iron are treated by machines along two tracks, and two cranes that share one rail bring them to a caster. The structure is that of a plant in Ghent, a case study of the European project VHS
//! (A. Fehnker, Scheduling a steel plant with timed automata, 1999); all numbers are our own.
//!
//! What makes schedules hard: the tracks are lines, so that nobody overtakes; the cranes cannot pass each other; and the caster, once it has begun, must not run dry.

use crate::Query;

pub(crate) fn model(ladles: u32) -> (String, Vec<Query>) {
    let text = format!(
        "// A steel plant. Ladles of iron are treated by machines along two tracks, carried to a caster by two cranes, cast one right after the other, and put away.
// How long does it take? guidepost check MODEL --select 1 --trace fastest

const int N = {ladles};                // ladles

typedef int[0, N - 1] ladle_t;
typedef int[0, 1] track_t;
typedef int[0, 1] crane_t;
typedef int[0, 1] kind_t;       // treatments: 0 blows oxygen, 1 adds alloys

// Qualities of steel: minutes in the treatments.
const int TREATMENT[3][2] = {{ {{ 4, 3 }}, {{ 6, 0 }}, {{ 3, 5 }} }};
const int CASTING = 8;          // minutes that a ladle is cast
const int SHIFT = 1;            // minutes from one place of a track to the next
const int STEP = 1;             // minutes of a crane from one place to the next

// Each track has a machine for either treatment, and ends under the cranes.
typedef int[0, 2] spot_t;
const spot_t END = 2;
bool taken[track_t][spot_t];    // a ladle is there

// Places under the rail of the cranes, from left to right. Crane 0 is always to the left of crane 1.
typedef int[0, 4] place_t;      // aside, the ends of both tracks, the caster, the store
const place_t CASTER = 3;
const place_t STORE = 4;
place_t at[crane_t] = {{ 0, 4 }};

bool waiting;                   // a full ladle is at the caster
bool emptied;                   // and an empty one
int[0, N] cast;                 // ladles that have been cast

chan lift[crane_t][place_t], put[crane_t][place_t];
chan pour, dry;

process Ladle(const ladle_t id)
{{
    clock x;
    track_t track;
    spot_t spot;
    crane_t crane;

    int treatment() {{ return spot == END ? 0 : TREATMENT[id % 3][spot]; }}

    state Iron, OnTrack, Shifting {{ x <= SHIFT }}, Full, Waiting, Casting, Empty, Away, Stored;
    init Iron;
    trans
        Iron -> OnTrack {{ select t : track_t; guard !taken[t][0]; assign track = t, taken[t][0] = true, x = 0; }},
        // It stays for its treatment, and for as long as the next spot is taken.
        OnTrack -> Shifting {{ guard spot < END && x >= treatment() && !taken[track][spot + 1]; assign taken[track][spot + 1] = true, x = 0; }},
        Shifting -> OnTrack {{ guard x >= SHIFT; assign taken[track][spot] = false, spot++, x = 0; }},
        OnTrack -> Full {{ select c : crane_t; guard spot == END; sync lift[c][track + 1]?; assign crane = c, taken[track][END] = false; }},
        Full -> Waiting {{ guard !waiting; sync put[crane][CASTER]?; assign waiting = true; }},
        Waiting -> Casting {{ sync pour?; assign waiting = false; }},
        Casting -> Empty {{ guard !emptied; sync dry?; assign emptied = true, cast++; }},
        Empty -> Away {{ select c : crane_t; sync lift[c][CASTER]?; assign crane = c, emptied = false; }},
        Away -> Stored {{ sync put[crane][STORE]?; }};
}}

process Crane(const crane_t id)
{{
    clock x;

    // A place is free if the other crane stays on its side.
    bool free(int place) {{ return id == 0 ? place < at[1] : place > at[0]; }}

    state Unloaded, Moving {{ x <= STEP }}, Loaded, Carrying {{ x <= STEP }};
    init Unloaded;
    trans
        Unloaded -> Moving {{ guard at[id] > 0 && free(at[id] - 1); assign at[id]--, x = 0; }},
        Unloaded -> Moving {{ guard at[id] < STORE && free(at[id] + 1); assign at[id]++, x = 0; }},
        Moving -> Unloaded {{ guard x >= STEP; }},
        Unloaded -> Loaded {{ select p : place_t; guard at[id] == p; sync lift[id][p]!; }},
        Loaded -> Carrying {{ guard at[id] > 0 && free(at[id] - 1); assign at[id]--, x = 0; }},
        Loaded -> Carrying {{ guard at[id] < STORE && free(at[id] + 1); assign at[id]++, x = 0; }},
        Carrying -> Loaded {{ guard x >= STEP; }},
        Loaded -> Unloaded {{ select p : place_t; guard at[id] == p; sync put[id][p]!; }};
}}

process Caster()
{{
    clock x;
    state Cold, Running {{ x <= CASTING }}, Changing, Done;
    urgent Changing;            // the next ladle has to be there
    init Cold;
    trans
        Cold -> Running {{ sync pour!; assign x = 0; }},
        Running -> Changing {{ guard x >= CASTING; sync dry!; }},
        Changing -> Running {{ guard cast < N; sync pour!; assign x = 0; }},
        Changing -> Done {{ guard cast == N; }};
}}

system Ladle, Crane, Caster;
"
    );
    let queries = vec![
        Query::new("All ladles are cast and put away.", "E<> forall (i : ladle_t) Ladle(i).Stored", true),
        Query::new("The cranes meet.", "E<> at[0] >= at[1]", false),
    ];
    (text, queries)
}
