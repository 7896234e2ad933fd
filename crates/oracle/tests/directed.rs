//! Estimates and directed searches against the region graph, on random networks.

mod common;

use common::estimates::{
    check_auto, check_clock_bound_estimates, check_directed, check_estimates, check_label_estimates,
    check_walks, check_zone_estimates,
};
use common::{Plan, hunt};
use guidepost_oracle::Profile;
use guidepost_oracle::generate::QueryKind;

fn plan(first: u64, networks: u64, kind: QueryKind, queries: usize) -> Plan {
    Plan { first, networks, kind, queries, profile: Profile::of }
}

#[test]
fn estimates() {
    hunt(&plan(50_000_000, 3000, QueryKind::Reachability, 3), &check_estimates);
}

#[test]
fn estimates_from_labels() {
    hunt(&plan(52_000_000, 1000, QueryKind::Reachability, 3), &check_label_estimates);
}

#[test]
fn estimates_with_zones() {
    hunt(&plan(55_000_000, 1500, QueryKind::Reachability, 2), &check_zone_estimates);
}

#[test]
fn estimates_from_clock_bounds() {
    hunt(&plan(57_000_000, 1500, QueryKind::Reachability, 3), &check_clock_bound_estimates);
}

#[test]
fn searches() {
    hunt(&plan(60_000_000, 3000, QueryKind::Reachability, 3), &check_directed);
}

#[test]
fn searches_for_deadlocks() {
    hunt(&plan(70_000_000, 1000, QueryKind::Deadlock, 2), &check_directed);
}

#[test]
fn automatic_searches() {
    hunt(&plan(80_000_000, 2000, QueryKind::Reachability, 3), &check_auto);
}

#[test]
fn walks() {
    hunt(&plan(85_000_000, 1000, QueryKind::Reachability, 3), &check_walks);
    hunt(&plan(86_000_000, 500, QueryKind::Deadlock, 2), &check_walks);
}
