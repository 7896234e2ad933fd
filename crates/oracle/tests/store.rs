//! The store against a plain list of zones: what is covered, what is dropped, and that nothing stored ever changes.

mod common;

use common::prepare;
use guidepost_explore::{
    Explorer, Inserted, Replace, StateId, Store, Subsumption, SymbolicState, ZoneAbstraction,
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
        Subsumption::Alu => smaller.is_subset_alu(larger, state.bounds()),
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
