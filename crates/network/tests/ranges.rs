//! Code on ranges of values contains what code makes of values.

mod common;

use common::network;
use guidepost_network::{Code, Machine, Network, Range, RangeMachine};

/// Functions with everything that the language has, over variables that are small enough to try all values.
const MODEL: &str = "
    int[0,3] a; int[0,3] b; int[-2,2] c; bool on; int[0,3] q[3];
    typedef struct { int[0,3] first; bool second; } Pair;
    Pair pair; Pair pairs[2];
    const int LIMIT[3] = {1, 2, 3};

    int[0,3] capped(int n) { if (n > 3) return 3; if (n < 0) { return 0; } return n; }
    int total() { int sum = 0; for (i : int[0,2]) { sum += q[i]; } return sum; }
    void push(int[0,3] v) { int i = 0; while (i < 2 && q[i] != 0) i++; q[i] = v; }
    void raise(int &r) { r = r + 1; }
    void swap(int &r, int &s) { int t = r; r = s; s = t; }
    bool full() { return forall (i : int[0,2]) q[i] > 0; }
    bool some(int v) { return exists (i : int[0,2]) q[i] == v; }
    bool long() { return forall (i : int[0,99]) i < 50 or q[i % 3] > a; }
    bool rare() { return exists (i : int[0,99]) i > 90 and q[i % 3] == 3; }
    int many() { return sum (i : int[0,99]) q[i % 3]; }
    Pair made(int v) { Pair p; p.first = v; p.second = v > 1; return p; }
    int weight(Pair p) { p.first = 3 - p.first; return p.first + p.second; }
    void shift() { int i; for (i = 0; i < 2; i++) { q[i] = q[i + 1]; } q[2] = 0; }
    void halve() { do { a /= 2; b++; } while (a > 0 && b < 3); }
    int[0,3] found(int v) { int[0,2] i; for (i = 0; i < 2; i++) { if (q[i] == v) { return i; } } return 3; }
    void clamp() { if (a >= 3) a = 0; a++; if (on) { if (b > LIMIT[0]) b = 0; else b += 1; } }
    void nested() { if (a > b) { if (c > 0) { return; } b = a; } c = b - a; }

    process P() { state S; init S; trans
        S -> S { guard a < 3; assign a++; },
        S -> S { guard a + 1 < 3 and b > 1; assign b = a; },
        S -> S { assign a = capped(b + c); },
        S -> S { guard total() > 4; assign b = capped(total() - 4); },
        S -> S { assign push(b); },
        S -> S { assign raise(a), raise(q[b]); },
        S -> S { assign swap(a, b); },
        S -> S { assign swap(q[a], b); },
        S -> S { guard full() or some(2); assign q[a] = b, on = !on; },
        S -> S { guard not full() and not some(b); assign q[0] = capped(weight(pair)); },
        S -> S { assign pair = made(a); },
        S -> S { assign pairs[b] = made(a), pair = pairs[1 - b]; },
        S -> S { guard pairs[0] == pair; assign a = pair.first; },
        S -> S { guard pairs[on] != pair; assign b = weight(pairs[on]); },
        S -> S { guard long(); assign a = 3; },
        S -> S { guard not long(); assign a = 2, b = rare(); },
        S -> S { guard rare(); assign c = 1; },
        S -> S { guard not rare() and many() > 100; assign c = many() / 100; },
        S -> S { assign shift(); },
        S -> S { assign halve(); },
        S -> S { assign a = found(b); },
        S -> S { assign clamp(); },
        S -> S { assign nested(); },
        S -> S { guard c != 0; assign a = 3 / c; },
        S -> S { assign c = a % b, b = a << c; },
        S -> S { assign c = (a <? b) - (b >? q[0]); },
        S -> S { assign q[a] += b, b = q[1]--; },
        S -> S { assign a = b++ + c, c = -c; },
        S -> S { assign a = on && b++ > 1 ? b : q[b]; },
        S -> S { assign c = abs(c) - (sum (i : int[0,2]) (q[i] > a)); },
        S -> S { guard a > 1 && (b > 2 || c < 0) && !(on && a == 3); assign c = a - b; },
        S -> S { assign b = a & q[1] | 1, c = a ^ b; };
    }
    system P;";

/// Pseudo-random numbers below a bound.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// A part of a range, often a single value.
    fn part(&mut self, (min, max): (i32, i32)) -> Range {
        let values = (max - min + 1) as u64;
        let (one, other) = (min + self.below(values) as i32, min + self.below(values) as i32);
        if self.below(3) > 0 { Range::of(one) } else { Range::new(one.min(other), one.max(other)) }
    }
}

/// All states within ranges.
fn states(ranges: &[Range]) -> Vec<Vec<i32>> {
    ranges.iter().fold(vec![Vec::new()], |states, range| {
        let longer = |state: &Vec<i32>| {
            (range.low..=range.high).map(|value| [state.as_slice(), &[value]].concat()).collect::<Vec<_>>()
        };
        states.iter().flat_map(longer).collect()
    })
}

/// Where an update ends that begins in a state in which conditions hold.
fn after(machine: &mut Machine<'_>, state: &[i32], guard: &[Code], update: Code) -> Option<Vec<i32>> {
    machine.load(state);
    if !machine.holds(guard).ok()? {
        return None;
    }
    machine.run_update(update, &mut Vec::new()).ok()?;
    Some(machine.state().to_vec())
}

fn compare(network: &Network, ranges: &[Range], edge: usize) {
    let (mut machine, mut coarse) =
        (Machine::new(&network.program), RangeMachine::new(&network.program, network.locations.len(), &[]));
    for (cell, range) in ranges.iter().enumerate() {
        coarse.set(cell, *range);
    }
    let data = &network.edges[edge];
    let update = data.update.unwrap();
    let cells = 0..ranges.len();
    let followed = coarse.follow(&data.data_guard, Some(update), |after| {
        cells.map(|cell| after.range(cell)).collect::<Vec<_>>()
    });
    let followed = followed.expect("nothing here is too much");
    for state in states(ranges) {
        let Some(end) = after(&mut machine, &state, &data.data_guard, update) else { continue };
        let followed =
            followed.as_ref().unwrap_or_else(|| panic!("edge {edge} from {state:?} in {ranges:?}"));
        for (value, range) in end.iter().zip(followed) {
            assert!(range.contains(*value), "edge {edge} from {state:?} to {end:?}, not in {followed:?}");
        }
    }
    for (cell, range) in ranges.iter().enumerate() {
        assert_eq!(coarse.range(cell), *range, "nothing has changed");
    }
}

#[test]
fn ranges_contain_what_becomes_of_values() {
    let network = network(MODEL);
    let mut random = Random(1);
    for edge in 0..network.edges.len() {
        for _ in 0..500 {
            let mut ranges = vec![Range::of(0)];
            ranges.extend(network.variables.iter().map(|variable| random.part((variable.min, variable.max))));
            compare(&network, &ranges, edge);
        }
    }
}

/// The ranges of the variables after the only edge of a process, whose update is the text.
fn ranges_after(declarations: &str, update: &str) -> Option<Vec<(i32, i32)>> {
    let text = format!(
        "{declarations} process P() {{ state S; init S; trans S -> S {{ assign {update}; }}; }} system P;"
    );
    let network = network(&text);
    let mut machine = RangeMachine::new(&network.program, network.locations.len(), &[]);
    let cells = 1..=network.variables.len();
    let look = |after: &RangeMachine<'_>| {
        cells.map(|cell| (after.range(cell).low, after.range(cell).high)).collect::<Vec<_>>()
    };
    machine.follow(&[], network.edges[0].update, look).expect("not too much")
}

#[test]
fn conditions_are_known_in_their_branches() {
    let only = |text: &str| ranges_after("int[0,30] t; int[0,30] u;", text).unwrap();
    assert_eq!(only("t = t >= 30 ? 0 : t + 1"), [(0, 30), (0, 30)]);
    assert_eq!(only("t = t < 10 && u > 3 ? t : 9"), [(0, 9), (0, 30)]);
    assert_eq!(only("t = t + 3 <= 7 ? t : 0"), [(0, 4), (0, 30)]);
    assert_eq!(only("t = !(t > 5 || u == 0) ? t + u : 1"), [(1, 30), (0, 30)]);
    // What leaves its range fails.
    assert_eq!(only("t += 5"), [(5, 30), (0, 30)]);
    assert_eq!(ranges_after("int[0,3] t;", "t = 4"), None);
}

#[test]
fn borders_of_integers() {
    let (least, most) = (i32::MIN, i32::MAX);
    let int = format!("int[{least},{most}] v;", least = i64::from(least) + 1);
    // A result that may wrap around can be anything.
    assert_eq!(ranges_after(&int, "v = v + 1"), Some(vec![(least + 1, most)]));
    assert_eq!(ranges_after(&int, "v = v > 2147483646 ? v - 2147483646 : 1"), Some(vec![(1, 1)]));
    assert_eq!(ranges_after(&int, "v = v < -2147483646 ? v + 2147483647 : 0"), Some(vec![(0, 0)]));
    assert_eq!(ranges_after(&int, "v = -v"), Some(vec![(least + 1, most)]));
}

#[test]
fn endless_loops_are_too_much() {
    let text = "int[0,9] v; void spin() { while (v < 10) { v = v > 3 ? 0 : 1; } }
        process P() { state S; init S; trans S -> S { assign spin(); }; } system P;";
    let network = network(text);
    let mut machine = RangeMachine::new(&network.program, network.locations.len(), &[]);
    assert!(machine.follow(&[], network.edges[0].update, |_| ()).is_err());
    // The machine is as it was.
    assert_eq!(machine.range(1), Range::new(0, 9));
    assert_eq!(machine.follow(&[], None, |_| ()), Ok(Some(())));
}
