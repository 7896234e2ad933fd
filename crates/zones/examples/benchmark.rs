//! Nanoseconds per operation, for matrices of 4, 8 and 12 clocks (the zero clock included).
//!
//! `cargo run --release -p guidepost-zones --example benchmark [ROUNDS [NAME-PART [DIMENSION]]]`. Plain loops over prepared zones
//! and nothing else, so that `valgrind --tool=callgrind` shows the operations themselves.

use std::hint::black_box;
use std::time::Instant;

use guidepost_zones::{Bound, LuBounds, Zone, alu_query, is_covered};

/// A generator of its own: examples depend on nothing.
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}

struct Step {
    clock: usize,
    at_least: Bound,
    invariant: Bound,
    reset: usize,
}

/// What an exploration does: delay, invariant, guard, reset; bounded so that zones stay interesting.
fn workload(dim: usize) -> (Vec<Zone>, Vec<Step>, Vec<i32>, Vec<i32>) {
    let mut rng = Rng(0x2545_F491_4F6C_DD1D);
    let lower: Vec<i32> = (0..dim).map(|x| if x == 0 { 0 } else { 5 + rng.below(20) as i32 }).collect();
    let upper: Vec<i32> = (0..dim).map(|x| if x == 0 { 0 } else { 5 + rng.below(20) as i32 }).collect();
    let (mut zones, mut steps) = (Vec::new(), Vec::new());
    let mut zone = Zone::zero(dim);
    zone.up();
    while zones.len() < 256 {
        let step = Step {
            clock: 1 + rng.below(dim as u64 - 1) as usize,
            at_least: Bound::le(-(rng.below(6) as i32)),
            invariant: Bound::le(4 + rng.below(20) as i32),
            reset: 1 + rng.below(dim as u64 - 1) as usize,
        };
        zones.push(zone.clone());
        if !successor(&mut zone, &step) || rng.below(16) == 0 {
            zone.set_zero();
            zone.up();
        }
        steps.push(step);
    }
    (zones, steps, lower, upper)
}

fn successor(zone: &mut Zone, step: &Step) -> bool {
    if !zone.constrain(0, step.clock, step.at_least) {
        return false;
    }
    zone.reset(step.reset, 0);
    zone.up();
    zone.constrain(step.clock, 0, step.invariant)
}

fn measure(name: &str, rounds: usize, per_round: usize, mut body: impl FnMut() -> usize) {
    if std::env::args().nth(2).is_some_and(|wanted| !name.contains(&wanted)) {
        return;
    }
    let mut check = 0_usize;
    let mut best = f64::INFINITY;
    for _ in 0..25 {
        let start = Instant::now();
        for _ in 0..rounds {
            check = check.wrapping_add(black_box(body()));
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("  {name:<34} {:8.1} ns   ({check})", best * 1e9 / (rounds * per_round) as f64);
}

fn main() {
    let rounds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(400);
    let only = std::env::args().nth(3).and_then(|text| text.parse().ok());
    for dim in [4, 8, 12].into_iter().filter(|&dim| only.is_none_or(|only: usize| dim == only)) {
        let (zones, steps, lower, upper) = workload(dim);
        let bounds = LuBounds { lower: &lower, upper: &upper };
        let mut scratch = Zone::zero(dim);
        let count = zones.len();
        println!("dimension {dim}");
        measure("copy", rounds, count, || {
            zones
                .iter()
                .map(|zone| {
                    scratch.copy_from(zone);
                    usize::from(black_box(&scratch).is_empty())
                })
                .sum()
        });
        measure("copy, 2 constrain, reset, up", rounds, count, || {
            zones
                .iter()
                .zip(&steps)
                .map(|(zone, step)| {
                    scratch.copy_from(zone);
                    usize::from(successor(&mut scratch, step))
                })
                .sum()
        });
        for plus in [false, true] {
            let name = if plus { "... and Extra+_LU" } else { "... and Extra_LU" };
            measure(name, rounds, count, || {
                zones
                    .iter()
                    .zip(&steps)
                    .map(|(zone, step)| {
                        scratch.copy_from(zone);
                        usize::from(
                            successor(&mut scratch, step)
                                && if plus {
                                    scratch.extrapolate_lu_plus(bounds)
                                } else {
                                    scratch.extrapolate_lu(bounds)
                                },
                        )
                    })
                    .sum()
            });
        }
        measure("close", rounds / 4, count, || {
            zones
                .iter()
                .map(|zone| {
                    scratch.copy_from(zone);
                    usize::from(scratch.close())
                })
                .sum()
        });
        measure("is_subset, as it comes", rounds, count, || {
            zones.windows(2).map(|pair| usize::from(pair[0].is_subset(&pair[1]))).sum()
        });
        measure("is_subset, true", rounds, count, || {
            zones.iter().map(|zone| usize::from(zone.is_subset(black_box(zone)))).sum()
        });
        measure("relation, as it comes", rounds, count, || {
            zones.windows(2).map(|pair| pair[0].relation(&pair[1]) as usize).sum()
        });
        measure("aLU direct, as it comes", rounds, count, || {
            zones.windows(2).map(|pair| usize::from(pair[0].is_subset_alu(&pair[1], bounds))).sum()
        });
        measure("aLU direct, true", rounds, count, || {
            zones.iter().map(|zone| usize::from(zone.is_subset_alu(black_box(zone), bounds))).sum()
        });
        let mut query = vec![Bound::LE_ZERO; dim * dim];
        measure("aLU query, preparation", rounds, count, || {
            zones
                .iter()
                .map(|zone| {
                    alu_query(zone, bounds, &mut query);
                    black_box(&query).len()
                })
                .sum()
        });
        measure("aLU query, test as it comes", rounds, count, || {
            zones.iter().map(|zone| usize::from(is_covered(&query, zone.entries()))).sum()
        });
        let mut form = Vec::new();
        measure("minimal form", rounds / 4, count, || {
            zones
                .iter()
                .map(|zone| {
                    zone.minimal_form(&mut form);
                    form.len()
                })
                .sum()
        });
    }
}
