//! States as bytes, and back.

use guidepost_explore::{
    Explorer, Inserted, NoState, Read, Replace, StateId, Store, SymbolicState, ZoneAbstraction, hash_packed,
};
use guidepost_language::load_text;
use guidepost_network::{Network, build};
use std::ops::ControlFlow;

/// Three locations, a variable with three values, and bounds that need more than 16 bits.
const MODEL: &str = "clock x, y; int[0,2] n; process P() { state A { x <= 100000 }, B, C; init A; trans \
    A -> B { guard x >= 3; assign y = 0; }, B -> C { guard y > 40000; assign n = 2; }, C -> A { assign x = 0, n = 1; }, \
    B -> A { guard y <= 7; assign x = 0; }; } system P;";

fn network() -> Network {
    let loaded = load_text("model.xta", MODEL);
    assert!(!loaded.diagnostics.has_errors(), "{:#?}", loaded.diagnostics);
    build(&loaded.model).0.expect("a network")
}

fn explorer(network: &Network) -> Explorer<'_> {
    Explorer::new(network, &[], ZoneAbstraction::REACHABILITY).expect("zones can do that")
}

/// All states, without those that others cover.
fn explore(network: &Network) -> (Store, Vec<SymbolicState>) {
    let mut explorer = explorer(network);
    let (mut store, packing) = (Store::new(&explorer), explorer.packing_handle());
    let mut states = explorer.initial_states().expect("it has an initial state");
    for state in &states {
        store.insert(&packing, state, None, 0, Replace::Nothing);
    }
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        let mut found = Vec::new();
        let visit = &mut |state: &SymbolicState, _: &[_]| {
            found.push(state.clone());
            ControlFlow::Continue(())
        };
        explorer.expand(&state, visit).expect("nothing fails");
        for state in found {
            let inserted = store.insert(&packing, &state, Some(StateId(next as u32)), 0, Replace::Nothing);
            if matches!(inserted, Inserted::New(_)) {
                states.push(state);
            }
        }
        next += 1;
    }
    (store, states)
}

#[test]
fn what_is_written_is_read_again() {
    let network = network();
    let (store, states) = explore(&network);
    assert!(states.len() > 3);
    let (mut reader, mut probe) = (explorer(&network), explorer(&network).probe());
    let mut key = vec![0; reader.packing().words()];
    let mut is_wide = false;
    for (number, state) in states.iter().enumerate() {
        let (mut sent, mut kept) = (Vec::new(), Vec::new());
        probe.set(reader.packing(), state);
        probe.write(state, &mut sent);
        store.write(StateId(number as u32), &mut kept);
        assert_eq!(sent, kept, "a state is written as it is stored");
        is_wide |= sent[0] == 2;
        sent.push(77);
        let mut bytes = &sent[..];
        assert_eq!(reader.read_source(&mut bytes, &mut key), Ok(Read::State));
        assert_eq!(bytes, [77], "and no more is read than was written");
        let read = reader.source();
        assert_eq!((&read.cells, read.zone.entries()), (&state.cells, state.zone.entries()));
        assert_eq!(hash_packed(&key), probe.hash());
        for end in 0..kept.len() {
            assert_eq!(reader.read_source(&mut &kept[..end], &mut key), Err(NoState), "{end} bytes");
        }
    }
    assert!(is_wide, "some bounds need 32 bits");
}

#[test]
fn values_out_of_range_are_no_state() {
    let network = network();
    let mut reader = explorer(&network);
    let mut key = vec![0; reader.packing().words()];
    // Two bits each for three locations and three values: the fourth is nobody's.
    for word in 0..16_u32 {
        let is_one = word % 4 < 3 && word / 4 < 3;
        assert_eq!(reader.packing().may_be(&[word]), is_one, "{word}");
        let bytes = [&[1][..], &word.to_le_bytes(), &[0; 32]].concat();
        if !is_one {
            assert_eq!(reader.read_source(&mut &bytes[..], &mut key), Err(NoState));
        }
        let unknown = [&[9][..], &bytes[1..]].concat();
        assert_eq!(reader.read_source(&mut &unknown[..], &mut key), Err(NoState));
    }
    let mut covered = &[0, 1, 0, 0, 0][..];
    assert_eq!(reader.read_source(&mut covered, &mut key), Ok(Read::Covered));
}

#[test]
fn a_store_is_restored_as_it_was() {
    let network = network();
    let (store, states) = explore(&network);
    let mut reader = explorer(&network);
    let mut again: Store = Store::new(&reader);
    let (mut probe, mut key) = (reader.probe(), vec![0; reader.packing().words()]);
    for number in 0..states.len() as u32 {
        let id = StateId(number);
        let mut bytes = Vec::new();
        store.write(id, &mut bytes);
        reader.read_source(&mut &bytes[..], &mut key).expect("a state");
        probe.set_packed(&key, hash_packed(&key));
        // Every third is known only as one that others were reached from.
        let state = (number % 3 != 2).then(|| reader.source());
        assert_eq!(again.restore(&mut probe, state, store.parent(id), store.ordinal(id), ()), id);
        assert_eq!(again.is_alive(id), number % 3 != 2);
        assert_eq!(again.ordinals(id), store.ordinals(id));
    }
    assert_eq!((again.len(), again.covered()), (states.len(), states.len() as u64 / 3));
    assert_eq!(again.discrete_states(), store.discrete_states());
}
