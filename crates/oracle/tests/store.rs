//! The store against a plain list of zones: what is covered, what is dropped, and that nothing stored ever changes.

mod common;

use common::prepare;
use guidepost_explore::{
    Explorer, Inserted, Packing, Replace, StateId, Store, Subsumption, SymbolicState, ZoneAbstraction,
};
use guidepost_oracle::Random;
use guidepost_zones::{Bound, Zone};

/// Constants on both sides of what fits into 16 bits.
const MODEL: &str = "clock x, y, z; int[0,2] n; process P() { state A { x <= 90000 }; init A;
    trans A -> A { guard x >= 80000 and y > 20 and y < 40 and z > 3 and z <= 9000; assign x = 0; }; } system P;";

/// A zone of random bounds; narrow or wide.
fn zone(random: &mut Random, dim: usize) -> Zone {
    let scale = [6, 60, 9000, 90_000][random.below(4)];
    loop {
        let mut zone = Zone::universe(dim);
        let mut possible = true;
        for clock in 1..dim {
            let low = random.below(scale) as i32;
            let high = low + 1 + random.below(scale) as i32;
            possible &= zone.constrain(0, clock, Bound::le(-low));
            if random.below(4) > 0 {
                possible &= zone.constrain(clock, 0, Bound::lt(high));
            }
        }
        if random.below(2) == 0 {
            possible = possible && zone.constrain(1, 2, Bound::le(random.below(scale) as i32));
        }
        if possible {
            return zone;
        }
    }
}

fn covers(subsumption: Subsumption, state: &SymbolicState, larger: &Zone, smaller: &Zone) -> bool {
    match subsumption {
        Subsumption::Inclusion => smaller.is_subset(larger),
        Subsumption::Alu | Subsumption::AluWithDiagonals => smaller.is_subset_alu(larger, state.bounds()),
    }
}

fn compare(subsumption: Subsumption, seed: u64, inserts: usize) {
    let (network, _) = prepare(MODEL, &[]).expect("the model is fine");
    let abstraction = ZoneAbstraction { subsumption, ..ZoneAbstraction::REACHABILITY };
    let mut explorer = Explorer::new(&network, &[], abstraction).expect("the model is supported");
    let packing = explorer.packing_handle();
    let mut initial = None;
    explorer.initial(&mut |state| initial = Some(state.clone())).expect("the model does not fail");
    let mut state = initial.expect("there is an initial state");
    let mut store = Store::new(&explorer);
    let mut random = Random::new(seed);
    // By number: discrete part, zone, and whether it is still there.
    let mut list: Vec<(i32, Zone, bool)> = Vec::new();
    let mut wide = 0;
    for round in 0..inserts {
        let data = random.below(3) as i32;
        *state.cells.last_mut().expect("there is a variable") = data;
        state.zone = zone(&mut random, state.zone.dim());
        wide += usize::from(state.zone.entries().iter().any(|b| !b.is_infinite() && b.raw().abs() > 32_766));
        let kept = (random.below(8) == 0).then(|| {
            let first = random.below(1 + list.len()) as u32;
            (first, first + random.below(1 + list.len()) as u32)
        });
        let replace = match kept {
            Some((first, end)) => Replace::Except(StateId(first), StateId(end)),
            None => Replace::Covered,
        };
        let inserted = store.insert(&packing, &state, None, round as u32, replace);
        let mut others = list.iter().filter(|(other, _, alive)| *alive && *other == data);
        let covered = others.any(|(_, zone, _)| covers(subsumption, &state, zone, &state.zone));
        assert_eq!(matches!(inserted, Inserted::Covered(_)), covered, "insert {round}");
        if let Inserted::New(id) = inserted {
            assert_eq!(id.index(), list.len());
            for (number, (other, zone, alive)) in (0..).zip(&mut list) {
                let may_go = kept.is_none_or(|(first, end)| number < first || number >= end);
                if *other == data && may_go && covers(subsumption, &state, &state.zone, zone) {
                    *alive = false;
                }
            }
            list.push((data, state.zone.clone(), true));
            assert_eq!(store.ordinal(id), round as u32);
        }
        if round % 16 == 0 || round + 1 == inserts {
            check(&store, &mut explorer, &list);
        }
    }
    let alive = (0..store.len() as u32).filter(|&number| store.is_alive(StateId(number))).count();
    assert_eq!(store.len() as u64 - store.covered(), alive as u64);
    assert!(wide > inserts / 10 && wide < inserts / 2, "{wide} of {inserts} are wide");
}

/// What is stored is what was stored.
fn check(store: &Store, explorer: &mut Explorer<'_>, list: &[(i32, Zone, bool)]) {
    for (number, (data, zone, alive)) in (0..).zip(list) {
        let id = StateId(number);
        // A state that turns out to be covered may drop others first, which is sound: the covering one covers them, too.
        assert!(*alive || !store.is_alive(id), "{number} is dropped");
        if store.is_alive(id) {
            store.load(id, explorer);
            assert_eq!(explorer.source().zone.entries(), zone.entries(), "{number}");
            assert_eq!(explorer.source().cells.last(), Some(data));
        }
    }
}

#[test]
fn the_store_keeps_what_a_list_would_keep() {
    for seed in 0..30 {
        compare(Subsumption::Inclusion, seed, 400);
        compare(Subsumption::Alu, seed + 1000, 400);
    }
    compare(Subsumption::Inclusion, 77, 4000);
}

/// The same zones come again and again, in all discrete parts, and are dropped in between.
#[test]
fn states_share_zones_without_noticing() {
    let (network, _) = prepare(MODEL, &[]).expect("the model is fine");
    let mut explorer = Explorer::new(&network, &[], ZoneAbstraction::REACHABILITY).expect("it is supported");
    let packing = explorer.packing_handle();
    let mut states = explorer.initial_states().expect("the model does not fail");
    let mut state = states.pop().expect("there is an initial state");
    let mut random = Random::new(5);
    let zones: Vec<Zone> = (0..40).map(|_| zone(&mut random, state.zone.dim())).collect();
    let mut store = Store::new(&explorer);
    let mut list: Vec<(i32, Zone, bool)> = Vec::new();
    let mut depths = Vec::new();
    let mut dropped_equal = 0;
    for round in 0..3000 {
        let (data, depth) = (random.below(3) as i32, random.below(50) as u32);
        *state.cells.last_mut().expect("there is a variable") = data;
        state.zone = zones[random.below(zones.len())].clone();
        let replace = Replace::Deeper(&depths, depth);
        let inserted = store.insert(&packing, &state, None, round, replace);
        let is_covered = (0..).zip(&list).any(|(number, (other, zone, _))| {
            let shallow: bool = depths[number] <= depth;
            shallow
                && *other == data
                && store.is_alive(StateId(number as u32))
                && covers(Subsumption::Alu, &state, zone, &state.zone)
        });
        let Inserted::New(_) = inserted else {
            assert!(is_covered, "{round}");
            continue;
        };
        for (number, (other, zone, alive)) in list.iter_mut().enumerate() {
            if *other == data
                && depths[number] >= depth
                && covers(Subsumption::Alu, &state, &state.zone, zone)
            {
                dropped_equal += usize::from(*alive && zone.entries() == state.zone.entries());
                *alive = false;
            }
        }
        depths.push(depth);
        list.push((data, state.zone.clone(), true));
        check(&store, &mut explorer, &list);
    }
    assert!(dropped_equal > 20, "{dropped_equal}: some states make room for others with the very same zone");
    let distinct = zones.len() * zones[0].entries().len() * size_of::<Bound>();
    assert!(store.bytes() < 40 * store.len() + 8 * distinct + 4096, "{} bytes", store.bytes());
}

#[test]
fn what_is_packed_is_what_is_unpacked() {
    let model = "int[-5,5] a[20]; int[7,7] seven = 7; int whole; meta int[0,3] m = 2; int[-2147483647,2147483647] all;
        bool b; process P() { state A, B, C; init B; } process Q() { state D; init D; } system P, Q;";
    let (network, _) = prepare(model, &[]).expect("the model is fine");
    let packing = Packing::new(&network);
    let mut cells = packing.initial().to_vec();
    let (mut words, mut unpacked) = (vec![0; packing.words()], cells.clone());
    let first = network.processes.len();
    for round in 0..100_i64 {
        for (cell, variable) in cells[first..].iter_mut().zip(&network.variables) {
            let span = i64::from(variable.max) - i64::from(variable.min);
            *cell = (i64::from(variable.min) + (round * 0x1234_5677) % (span + 1)) as i32;
        }
        cells[0] = (round % 3) as i32;
        packing.pack(&cells, &mut words);
        packing.unpack(&words, &mut unpacked);
        for (index, (&cell, &unpacked)) in cells.iter().zip(&unpacked).enumerate() {
            let is_meta = index >= first && network.variables[index - first].meta;
            assert_eq!(unpacked, if is_meta { 2 } else { cell }, "cell {index} in round {round}");
        }
    }
}
