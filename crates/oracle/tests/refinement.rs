//! Engines that refine abstractions against the region graph, on random networks.

mod common;

use common::compare::check_refinement;
use common::{Plan, hunt};
use guidepost_oracle::Profile;
use guidepost_oracle::generate::QueryKind;

#[test]
fn refinement() {
    let (kind, profile) = (QueryKind::Reachability, Profile::of);
    hunt(&Plan { first: 110_000_000, networks: 4000, kind, queries: 3, profile }, &check_refinement);
}
