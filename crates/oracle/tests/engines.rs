//! The zone engines against the region graph, on random networks.

mod common;

use common::bystanders::check_bystanders;
use common::compare::{
    check_bounds, check_deadlocks, check_engines, check_hulls, check_liveness, check_reachability,
    check_reductions, check_threads, check_transitions, check_workers,
};
use common::{Plan, hunt};
use guidepost_oracle::Profile;
use guidepost_oracle::generate::QueryKind;
use std::cell::Cell;

fn plan(first: u64, networks: u64, kind: QueryKind, queries: usize) -> Plan {
    Plan { first, networks, kind, queries, profile: Profile::of }
}

#[test]
fn reachability() {
    hunt(&plan(0, 10_000, QueryKind::Reachability, 3), &check_reachability);
}

#[test]
fn transitions() {
    hunt(&plan(10_000_000, 6000, QueryKind::Reachability, 0), &check_transitions);
}

#[test]
fn deadlocks() {
    hunt(&plan(20_000_000, 5000, QueryKind::Deadlock, 3), &check_deadlocks);
}

#[test]
fn liveness() {
    hunt(&plan(30_000_000, 5000, QueryKind::Liveness, 3), &check_liveness);
}

#[test]
fn bounds() {
    hunt(&plan(40_000_000, 1000, QueryKind::Bounds, 2), &check_bounds);
}

#[test]
fn diagonals() {
    let profile = |seed| Profile { diagonals: true, ..Profile::of(seed) };
    let plan = Plan { profile, ..plan(100_000_000, 2000, QueryKind::Reachability, 3) };
    hunt(&plan, &check_reachability);
    hunt(&Plan { first: 110_000_000, ..plan }, &check_reductions);
}

#[test]
fn difference_diagrams() {
    let engines = &["cdd", "cdd(reduce=true)", "cdd(discrete=diagram)"];
    hunt(&plan(130_000_000, 1500, QueryKind::Reachability, 3), &|subject| check_engines(subject, engines));
    let profile = |seed| Profile { diagonals: true, ..Profile::of(seed) };
    let plan = Plan { profile, ..plan(131_000_000, 300, QueryKind::Reachability, 3) };
    hunt(&plan, &|subject| check_engines(subject, engines));
}

#[test]
fn hulls() {
    hunt(&plan(120_000_000, 2000, QueryKind::Reachability, 3), &check_hulls);
}

#[test]
fn reductions() {
    hunt(&plan(70_000_000, 1500, QueryKind::Reachability, 2), &check_reductions);
    hunt(&plan(80_000_000, 1500, QueryKind::Deadlock, 2), &check_reductions);
    hunt(&plan(90_000_000, 1500, QueryKind::Liveness, 2), &check_reductions);
}

/// Processes that can be left out, and some that nearly can.
#[test]
fn bystanders() {
    let profile = |seed| Profile { onlookers: true, ..Profile::of(seed) };
    let plan = Plan { profile, ..plan(150_000_000, 2000, QueryKind::Reachability, 2) };
    let (asked, left_out) = (Cell::new(0), Cell::new(0));
    hunt(&plan, &|subject| check_bystanders(subject, &asked, &left_out));
    println!("{} of {} questions leave out somebody", left_out.get(), asked.get());
    assert!(left_out.get() * 5 > asked.get(), "too few processes that are left out");
    hunt(&Plan { first: 160_000_000, networks: 1000, ..plan }, &check_reductions);
    hunt(&Plan { first: 170_000_000, networks: 200, ..plan }, &check_workers);
    hunt(&Plan { first: 180_000_000, networks: 300, kind: QueryKind::Deadlock, ..plan }, &check_deadlocks);
}

#[test]
fn threads() {
    hunt(&plan(50_000_000, 600, QueryKind::Reachability, 2), &check_threads);
}

#[test]
fn threads_and_deadlocks() {
    hunt(&plan(60_000_000, 200, QueryKind::Deadlock, 1), &check_threads);
}

#[test]
fn workers() {
    hunt(&plan(140_000_000, 1000, QueryKind::Reachability, 2), &check_workers);
}

#[test]
fn workers_and_deadlocks() {
    hunt(&plan(141_000_000, 300, QueryKind::Deadlock, 1), &check_workers);
}
