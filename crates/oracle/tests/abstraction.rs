//! Abstraction by hiding, on random networks over the whole language.

mod common;

use common::abstractions::{check_databases, check_simulation};
use common::{Plan, hunt};
use guidepost_oracle::Profile;
use guidepost_oracle::generate::QueryKind;

fn plan(first: u64, networks: u64) -> Plan {
    Plan { first, networks, kind: QueryKind::Reachability, queries: 2, profile: Profile::of }
}

#[test]
fn simulation() {
    hunt(&plan(90_000_000, 4000), &check_simulation);
}

#[test]
fn databases() {
    hunt(&plan(95_000_000, 2000), &check_databases);
}
