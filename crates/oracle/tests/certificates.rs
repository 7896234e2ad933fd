//! Certificates on random networks: who gets one, and what is noticed when it was tampered with.
//!
//! For a long run: `GUIDEPOST_ORACLE_NETWORKS=10000 cargo test --release -p guidepost-oracle --test certificates`

mod common;

use common::certificates::check_certificates;
use common::tampering::check_tampering;
use common::{Plan, hunt};
use guidepost_oracle::Profile;
use guidepost_oracle::generate::QueryKind;

fn plan(first: u64, networks: u64, kind: QueryKind) -> Plan {
    Plan { first, networks, kind, queries: 3, profile: Profile::of }
}

#[test]
fn there_is_a_certificate_exactly_where_nothing_is_reachable() {
    hunt(&plan(400_000_000, 2000, QueryKind::Reachability), &check_certificates);
}

#[test]
fn deadlocks_are_certified() {
    hunt(&plan(410_000_000, 1000, QueryKind::Deadlock), &check_certificates);
}

#[test]
fn diagonal_constraints_are_certified() {
    let profile = |seed| Profile { diagonals: true, ..Profile::of(seed) };
    hunt(&Plan { profile, ..plan(420_000_000, 500, QueryKind::Reachability) }, &check_certificates);
}

#[test]
fn tampering_is_noticed() {
    hunt(&plan(430_000_000, 200, QueryKind::Reachability), &check_tampering);
}

#[test]
fn what_happens_on_every_run_is_certified() {
    hunt(&plan(440_000_000, 2000, QueryKind::Liveness), &check_certificates);
}

#[test]
fn what_happens_on_every_run_is_certified_with_diagonal_constraints() {
    let profile = |seed| Profile { diagonals: true, ..Profile::of(seed) };
    hunt(&Plan { profile, ..plan(450_000_000, 500, QueryKind::Liveness) }, &check_certificates);
}

#[test]
fn tampering_with_ranks_is_noticed() {
    hunt(&plan(460_000_000, 200, QueryKind::Liveness), &check_tampering);
}
