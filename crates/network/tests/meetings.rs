//! The table of who can meet whom.

mod common;

use common::network;
use guidepost_network::{ChannelId, EdgeId, Meetings, Network, ProcessId};

fn edges(network: &Network, ids: &[EdgeId]) -> Vec<String> {
    let name = |id: &EdgeId| {
        let edge = &network.edges[id.index()];
        let location = &network.locations[edge.source.index()].name;
        format!("{}.{location}", network.processes[edge.process.index()].name)
    };
    ids.iter().map(name).collect()
}

#[test]
fn an_edge_stands_in_the_lists_of_all_channels_it_may_mean() {
    let network = network(
        "chan go[3]; broadcast chan all; int[0,2] i;
        process S() { state A, B; init A; trans A -> B { sync go[i]!; }, B -> A { sync all!; }, B -> B { }; }
        process R(const int[1,2] n) { state C, D; init C; trans C -> D { sync go[n]?; }, D -> C { sync all?; }; }
        system S, R;",
    );
    let meetings = Meetings::new(&network);
    assert_eq!(edges(&network, meetings.internal()), ["S.B"]);
    let channel = |name: &str| {
        ChannelId(network.channels.iter().position(|channel| channel.name == name).unwrap() as u32)
    };
    for (name, receivers) in [("go[0]", &[][..]), ("go[1]", &["R(1).C"]), ("go[2]", &["R(2).C"])] {
        assert_eq!(edges(&network, meetings.senders(channel(name))), ["S.A"], "{name}");
        assert_eq!(edges(&network, meetings.receivers(channel(name))), receivers, "{name}");
    }
    assert_eq!(edges(&network, meetings.receivers(channel("all"))), ["R(1).D", "R(2).D"]);
    let processes = Meetings::processes(&network, meetings.receivers(channel("all")));
    assert_eq!(processes.collect::<Vec<_>>(), [ProcessId(1), ProcessId(2)]);
    let pairs: Vec<_> = meetings.pairs(&network).into_iter().collect();
    assert_eq!(pairs, [(ProcessId(0), ProcessId(1)), (ProcessId(0), ProcessId(2))]);
}
