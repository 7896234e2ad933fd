//! Backwards through updates and transitions.

use guidepost_abstraction::regression::{Beside, Invariants, Kept, Region, Transition, Update, mask};
use guidepost_network::{EdgeId, Machine, Network, build};

fn network(text: &str) -> Network {
    build(&guidepost_language::load_text("model.xta", text).model).0.unwrap()
}

/// Values of a cell.
fn values(region: &Region, kept: &Kept, cell: usize) -> Vec<i32> {
    mask::values(region.mask(kept, cell)).map(|value| kept.cells[cell].low + value as i32).collect()
}

/// The states before the update of the only edge, if `v` has one of the values afterwards: the values of `v` and `w`.
fn before(update: &str, after: &[i32]) -> Option<(Vec<i32>, Vec<i32>)> {
    let text = format!(
        "int[0,5] v; int[0,5] w; process P() {{ state A; init A; trans A -> A {{ assign {update}; }}; }} system P;"
    );
    let network = network(&text);
    let kept = Kept::new(&network, &[0], |_| true, |_| true);
    let mut machine = Machine::new(&network.program);
    let mut region = Region::all(&kept);
    region.mask_mut(&kept, 1).fill(0);
    for &value in after {
        mask::insert(region.mask_mut(&kept, 1), kept.index(1, value).unwrap());
    }
    let update = Update::new(&network, &kept, network.edges[0].update.unwrap());
    let possible = update.regress(&kept, &mut machine, &mut region);
    possible.then(|| (values(&region, &kept, 1), values(&region, &kept, 2)))
}

#[test]
fn updates_are_undone() {
    let all = vec![0, 1, 2, 3, 4, 5];
    assert_eq!(before("v = 3", &[3, 4]), Some((all.clone(), all.clone())));
    assert_eq!(before("v = 3", &[4]), None);
    assert_eq!(before("v++", &[0, 3, 5]), Some((vec![2, 4], all.clone())));
    assert_eq!(before("v = w, w = 0", &[1, 2]), Some((all.clone(), vec![1, 2])));
    // Not an assignment of a cell plus a constant: tried out.
    assert_eq!(before("v = w * w", &[1, 4]), Some((all.clone(), vec![1, 2])));
    assert_eq!(before("v = v * 2", &[4, 5]), Some((vec![2], all)));
}

#[test]
fn transitions_go_back_through_guards_moves_and_resets() {
    let network = network(
        "int[0,5] v; clock x;
        process P() { state A { x <= 4 }, B; init A; trans A -> B { guard v > 2 && x >= 3; assign v = v - 1, x = 0; }; }
        system P;",
    );
    let kept = Kept::new(&network, &[0], |_| true, |_| true);
    let mut machine = Machine::new(&network.program);
    let invariants = Invariants::new(&network, &kept, &mut machine);
    let transition = Transition::new(&network, &kept, &mut machine, &[EdgeId(0)], &Beside::default());
    let mut region = Region::all(&kept);
    region.set(&kept, 0, 1);
    assert!(transition.regress(&invariants, &kept, &mut machine, &mut region));
    assert!(invariants.impose(&kept, &mut machine, &mut region));
    assert_eq!(values(&region, &kept, 0), [0], "in A");
    assert_eq!(values(&region, &kept, 1), [3, 4, 5]);
    let bounds = (region.zone.get(1, 0).constant(), region.zone.get(0, 1).constant());
    assert_eq!(bounds, (4, -3), "x between guard and invariant");
    // Nothing leads to A.
    let mut region = Region::all(&kept);
    region.set(&kept, 0, 0);
    assert!(!transition.regress(&invariants, &kept, &mut machine, &mut region));
}

#[test]
fn masks_are_sets() {
    let mut set = vec![0; 2];
    for value in [3, 64, 100] {
        mask::insert(&mut set, value);
    }
    assert_eq!(mask::values(&set).collect::<Vec<_>>(), [3, 64, 100]);
    assert_eq!((mask::count(&set), mask::single(&set)), (3, None));
    assert_eq!(mask::single(&[0, 1 << 5]), Some(69));
    assert!(mask::has(&set, 64) && !mask::has(&set, 65) && !mask::has(&set, 1000));
}
