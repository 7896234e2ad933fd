//! Engines that refine abstractions against the region graph, on random networks: all of them, in all configurations.

mod common;

use common::compare::{check_engines, check_turns};
use common::ranges::check_ranges;
use common::{Plan, hunt};
use guidepost_oracle::Profile;
use guidepost_oracle::generate::QueryKind;

fn plan(first: u64) -> Plan {
    Plan { first, networks: 4000, kind: QueryKind::Reachability, queries: 3, profile: Profile::of }
}

#[test]
fn lazy_abstraction() {
    let engines = &[
        "lazy(clocks=bw,data=exact)",
        "lazy(clocks=fw,data=exact)",
        "lazy(clocks=lu,data=exact)",
        "lazy(clocks=bw,data=values)",
        "lazy(clocks=fw,data=values)",
        "lazy(clocks=lu,data=values)",
    ];
    hunt(&plan(110_000_000), &|subject| check_engines(subject, engines));
}

#[test]
fn hidden_data() {
    let engines = &[
        "combined(domain=values,clocks=bw)",
        "combined(domain=values,clocks=fw)",
        "combined(domain=values,clocks=lu)",
        "eager(domain=values)",
    ];
    hunt(&plan(111_000_000), &|subject| check_engines(subject, engines));
}

#[test]
fn hidden_symbols() {
    let engines = &[
        "hidden(clocks=bw)",
        "hidden(clocks=bw,search=bfs)",
        "hidden(clocks=fw,search=greedy)",
        "hidden(clocks=lu)",
    ];
    hunt(&plan(112_000_000), &|subject| check_engines(subject, engines));
}

#[test]
fn predicates() {
    let engines = &[
        "combined(domain=predicates,clocks=bw)",
        "combined(domain=predicates,clocks=lu,interpolants=newton)",
        "eager(domain=predicates)",
        "eager(domain=predicates,prune=lazy)",
        "eager(domain=predicates,prune=lazy,interpolants=newton,zones=global)",
        "eager(domain=predicates,interpolants=newton,zones=global)",
        "eager(domain=values,zones=global)",
    ];
    hunt(&plan(113_000_000), &|subject| check_engines(subject, engines));
}

#[test]
fn hidden_symbols_in_turns() {
    hunt(&plan(114_000_000), &check_turns);
}

#[test]
fn ranges() {
    hunt(&plan(115_000_000), &check_ranges);
}
