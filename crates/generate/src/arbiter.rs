//! A tree of arbiters: mutual exclusion without clocks and variables.
//!
//! Clients are the leaves of a binary tree of arbiters; above its top stands a root that owns the right to work. A request goes up, the grant comes down,
//! the release goes up again. An arbiter that serves one child accepts the other's request and hands the grant over when it is released.
//! Arbiters do not check who releases: that is right as long as clients release only what they hold. The faulty client does not care.
//!
//! Nodes are numbered as in a heap: the top is 1, the children of node k are 2k and 2k+1, the clients come last. A tree of height h has 2^(h+1)
//! automata. Two clients in different halves work at once after 5h + 2 steps and no fewer: requests on both paths (2h + 1 edges), grants on both (2h + 1), and
//! a release from some leaf of one half to the top (h).

use crate::Query;

/// The faulty client is the first: the second one is in the same half, and the last one in the other.
const FAULTY: &str = "
// Releases whenever it likes.
process Faulty()
{
    state Idle, Waiting, Working;
    init Idle;
    trans
        Idle -> Waiting { sync request[CLIENTS]!; },
        Waiting -> Working { sync grant[CLIENTS]?; },
        Working -> Idle { sync release[CLIENTS]!; },
        Idle -> Idle { sync release[CLIENTS]!; };
}
";

pub(crate) fn model(height: u32, faulty: bool) -> (String, Vec<Query>) {
    let clients = 1_u32 << height;
    let (heading, first, client, system) = if faulty {
        (
            "// A tree of arbiters. Client 1 releases what it does not hold: two others can work at once.",
            2,
            FAULTY,
            "Root, Arbiter, Faulty, Client",
        )
    } else {
        ("// A tree of arbiters lets one client work at a time.", 1, "", "Root, Arbiter, Client")
    };
    let text = format!(
        "{heading}
// Node 1 is the arbiter at the top, 2 * k and 2 * k + 1 are the children of node k; the clients are the leaves.

const int CLIENTS = {clients};

typedef int[1, 2 * CLIENTS - 1] node_t;
typedef int[1, CLIENTS - 1] arbiter_t;
typedef int[{first}, CLIENTS] client_t;

chan request[node_t], grant[node_t], release[node_t];     // between a node and what is above it

// Owns the right to work.
process Root()
{{
    state Free, Asked, Lent;
    init Free;
    trans
        Free -> Asked {{ sync request[1]?; }},
        Asked -> Lent {{ sync grant[1]!; }},
        Lent -> Free {{ sync release[1]?; }};
}}

process Arbiter(const arbiter_t node)
{{
    state Idle, Freed,
        LeftAsks, LeftWaits, LeftNext, Left, LeftThenRight,
        RightAsks, RightWaits, RightNext, Right, RightThenLeft;
    init Idle;
    trans
{left}{right}        Freed -> Idle {{ sync release[node]!; }};
}}

process Client(const client_t number)
{{
    const int node = CLIENTS - 1 + number;
    state Idle, Waiting, Working;
    init Idle;
    trans
        Idle -> Waiting {{ sync request[node]!; }},
        Waiting -> Working {{ sync grant[node]?; }},
        Working -> Idle {{ sync release[node]!; }};
}}
{client}
system {system};
",
        left = side("Left", "Right", "2 * node", "2 * node + 1"),
        right = side("Right", "Left", "2 * node + 1", "2 * node"),
    );
    let queries = vec![
        Query::new(
            "Two clients in different halves of the tree work at once.",
            format!("E<> Client(2).Working and Client({clients}).Working"),
            faulty,
        ),
        Query::new("A client gets its turn.", format!("E<> Client({clients}).Working"), true),
    ];
    (text, queries)
}

/// The edges of an arbiter that serves one of its children.
fn side(this: &str, other: &str, child: &str, sibling: &str) -> String {
    format!(
        "        Idle -> {this}Asks {{ sync request[{child}]?; }},
        {this}Asks -> {this}Waits {{ sync request[node]!; }},
        {this}Waits -> {this}Next {{ sync grant[node]?; }},
        {this}Next -> {this} {{ sync grant[{child}]!; }},
        {this} -> Freed {{ sync release[{child}]?; }},
        {this} -> Freed {{ sync release[{sibling}]?; }},
        {this} -> {this}Then{other} {{ sync request[{sibling}]?; }},
        {this}Then{other} -> {other}Next {{ sync release[{child}]?; }},
        {this}Then{other} -> {other}Next {{ sync release[{sibling}]?; }},
"
    )
}
