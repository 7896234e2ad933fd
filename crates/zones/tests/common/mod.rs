//! The naive model that every operation is compared with: valuations on a grid, and matrices of
//! (constant, strict) pairs closed by the textbook. Shares no code with the crate beyond the data types.

#![allow(dead_code, reason = "each test binary uses its own part")]

use guidepost_zones::{Bound, Constraint, Zone};

/// Valuations are in eighths: tested ones on the quarters, witnesses for "there is ..." in between, too.
pub(crate) const UNIT: i64 = 8;

/// A small deterministic generator (Steele, Lea & Flood 2014, `SplitMix64`).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: i64) -> i64 {
        (self.next() % limit as u64) as i64
    }

    pub(crate) fn index(&mut self, limit: usize) -> usize {
        self.below(limit as i64) as usize
    }

    pub(crate) fn clock(&mut self, dim: usize) -> usize {
        1 + self.index(dim - 1)
    }

    pub(crate) fn chance(&mut self, percent: i64) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn bound(&mut self, max: i64) -> Bound {
        Bound::new(self.below(2 * max + 1) - max, self.chance(50)).unwrap()
    }

    pub(crate) fn constraint(&mut self, dim: usize, max: i64) -> Constraint {
        loop {
            let (i, j) = (self.index(dim), self.index(dim));
            if i != j {
                return Constraint::new(i, j, self.bound(max));
            }
        }
    }

    /// A non-empty zone with constants up to `max`, from the kind of history that explorations have.
    pub(crate) fn zone(&mut self, dim: usize, max: i64) -> Zone {
        loop {
            let mut zone = if self.chance(40) { Zone::zero(dim) } else { Zone::universe(dim) };
            for _ in 0..2 + self.below(10) {
                match self.below(10) {
                    0 => zone.up(),
                    1 => {
                        let (x, value) = (self.clock(dim), self.below(3) as i32);
                        zone.reset(x, value);
                    }
                    2 => zone.free(self.clock(dim)),
                    _ => {
                        let c = self.constraint(dim, max);
                        if zone.meets(c) {
                            assert!(zone.constrain_all(&[c]));
                        }
                    }
                }
            }
            let small = |b: &Bound| b.is_infinite() || i64::from(b.constant().abs()) <= max;
            if zone.entries().iter().all(small) {
                return zone;
            }
        }
    }

    /// L or U values: mostly small constants, sometimes none.
    pub(crate) fn maxima(&mut self, dim: usize, max: i64) -> Vec<i32> {
        let mut maxima = vec![0];
        for _ in 1..dim {
            maxima.push(if self.chance(20) { guidepost_zones::NO_BOUND } else { self.below(max + 1) as i32 });
        }
        maxima
    }

    /// A valuation on the quarters up to `limit`.
    pub(crate) fn point(&mut self, dim: usize, limit: i64) -> Vec<i64> {
        let mut point = vec![0];
        point.extend((1..dim).map(|_| 2 * self.below(4 * limit + 1)));
        point
    }

    /// A valuation on the quarters in or near the zone, mostly.
    pub(crate) fn point_near(&mut self, zone: &Zone, limit: i64) -> Vec<i64> {
        let dim = zone.dim();
        let mut point = vec![0; dim];
        let first = self.index(dim);
        let order: Vec<_> = (1..dim).map(|k| 1 + (k + first) % (dim - 1)).collect();
        let mut chosen = vec![0];
        for x in order {
            let fits = |value: &i64| {
                chosen.iter().all(|&y| {
                    zone.get(x, y).admits(value - point[y], UNIT)
                        && zone.get(y, x).admits(point[y] - value, UNIT)
                })
            };
            let values: Vec<i64> = (0..=4 * limit).map(|q| 2 * q).filter(fits).collect();
            point[x] = if values.is_empty() {
                2 * self.below(4 * limit + 1)
            } else {
                values[self.index(values.len())]
            };
            chosen.push(x);
        }
        if self.chance(30) {
            let x = self.clock(dim);
            point[x] = (point[x] + 2 * (self.below(3) - 1)).max(0);
        }
        point
    }
}

/// All valuations with coordinates 0, step, 2 step, ... up to `limit` units.
pub(crate) fn grid(dim: usize, limit: i64, step: i64) -> Vec<Vec<i64>> {
    let mut points = vec![vec![0]];
    for _ in 1..dim {
        points = points
            .into_iter()
            .flat_map(|p| {
                (0..=limit * UNIT / step).map(move |k| {
                    let mut q = p.clone();
                    q.push(k * step);
                    q
                })
            })
            .collect();
    }
    points
}

pub(crate) fn has(zone: &Zone, point: &[i64]) -> bool {
    zone.contains(point, UNIT)
}

pub(crate) fn with(point: &[i64], x: usize, value: i64) -> Vec<i64> {
    let mut changed = point.to_vec();
    changed[x] = value;
    changed
}

/// The valuation after a delay (before one, if negative); `None` if a clock would be negative.
pub(crate) fn delayed(point: &[i64], delay: i64) -> Option<Vec<i64>> {
    let moved: Vec<i64> = point.iter().enumerate().map(|(x, v)| if x == 0 { 0 } else { v + delay }).collect();
    moved.iter().all(|&v| v >= 0).then_some(moved)
}

/// `Some((constant, strict))`, or `None` for no bound.
pub(crate) type Entry = Option<(i64, bool)>;
pub(crate) type Naive = Vec<Vec<Entry>>;

pub(crate) fn tighter(a: Entry, b: Entry) -> bool {
    match (a, b) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some((c, s)), Some((d, t))) => c < d || (c == d && s && !t),
    }
}

pub(crate) fn naive(zone: &Zone) -> Naive {
    let entry = |b: Bound| (!b.is_infinite()).then(|| (i64::from(b.constant()), b.is_strict()));
    (0..zone.dim()).map(|i| (0..zone.dim()).map(|j| entry(zone.get(i, j))).collect()).collect()
}

/// Floyd-Warshall by the textbook; says whether the zone is non-empty.
pub(crate) fn naive_close(m: &mut Naive) -> bool {
    let n = m.len();
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                if let (Some((c, s)), Some((d, t))) = (m[i][k], m[k][j]) {
                    let sum = Some((c + d, s || t));
                    if tighter(sum, m[i][j]) {
                        m[i][j] = sum;
                    }
                }
            }
        }
        if (0..n).any(|i| tighter(m[i][i], Some((0, false)))) {
            return false;
        }
    }
    true
}

/// Is the matrix what the textbook makes of it?
pub(crate) fn assert_canonical(zone: &Zone) {
    assert!(zone.is_canonical(), "{zone:?}");
    let mut closed = naive(zone);
    assert!(naive_close(&mut closed), "empty, but not marked so");
    assert_eq!(closed, naive(zone), "not canonical");
}

/// The region of a valuation: for clocks up to their maximum the integral part and the order of the
/// fractions, and on which side of each diagonal it lies.
pub(crate) fn region(point: &[i64], max: &[i32], diagonals: &[Constraint]) -> Vec<i64> {
    let relevant: Vec<usize> =
        (1..point.len()).filter(|&x| max[x] >= 0 && point[x] <= i64::from(max[x]) * UNIT).collect();
    let mut signature = vec![];
    for x in 1..point.len() {
        if relevant.contains(&x) {
            signature.extend([point[x] / UNIT, i64::from(point[x] % UNIT == 0)]);
            for &y in &relevant {
                signature.push((point[x] % UNIT).cmp(&(point[y] % UNIT)) as i64);
            }
        } else {
            signature.push(-1);
        }
    }
    for d in diagonals {
        let difference = point[usize::from(d.left)] - point[usize::from(d.right)];
        signature.push(i64::from(d.bound.admits(difference, UNIT)));
    }
    signature
}
