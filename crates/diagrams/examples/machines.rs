//! Measures the methods on random systems and prints a table for `docs/machines-performance.md`:
//!
//!     cargo run --release -p guidepost-diagrams --example machines -- flat 40 100 200
//!     cargo run --release -p guidepost-diagrams --example machines -- cells 1 2 4 8
//!
//! Every reachability question is decided by diagrams (no walks); `--seconds N` is the limit for each system and method, `--nodes N` the limit on nodes, `--method NAME` one method only,
//! `--deadlocks` asks for deadlocks, too, `--walks` lets random walks settle what is easily reached, `--machines N` is the number of machines in cells, `--seeds N` the number of systems.

use guidepost_answer::Limits;
use guidepost_diagrams::{Findings, Method, Options, check};
use guidepost_generate::machines::{cells, machines};
use guidepost_machines::sem::{System, load_text};
use std::time::Duration;

struct Plan {
    kind: String,
    sizes: Vec<u32>,
    methods: Vec<Method>,
    options: Options,
    limits: Limits,
    count: u32,
    seeds: u64,
}

fn main() {
    let plan = plan();
    println!(
        "| system | 10^ states | transitions | method | goals | decided | open | machines | nodes | operations | time |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for &size in &plan.sizes {
        for seed in 1..=plan.seeds {
            let text = match plan.kind.as_str() {
                "flat" => machines(size, seed),
                "cells" => cells(plan.count, size, 3, 4, seed),
                other => panic!("`{other}`: flat or cells"),
            };
            let system = load_text("generated.sem", &text).system.expect("what is generated is well-formed");
            for &method in &plan.methods {
                measure(&plan, &system, &format!("{} {size}, {seed}", plan.kind), method);
            }
        }
    }
}

fn measure(plan: &Plan, system: &System, name: &str, method: Method) {
    let options = Options { method, ..plan.options.clone() };
    let head = format!("| {name} | {:.0} | {} | {method} |", system.declared(), system.transitions.len());
    let begin = processor_time();
    let result = check(system, &options, &plan.limits);
    let seconds = processor_time() - begin;
    match result {
        Ok(Findings { statistics, undecided, .. }) => println!(
            "{head} {} | {} | {} | {} | {} | {} | {:.2} s |",
            statistics.goals,
            statistics.decided,
            undecided.len(),
            statistics.machines,
            statistics.nodes,
            statistics.operations,
            seconds
        ),
        Err(stopped) => println!("{head} – | – | all | – | – | – | {stopped} |"),
    }
}

/// Seconds of processor time so far, where the system tells (Linux).
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = fields.get(11..13).unwrap_or_default().iter();
    ticks.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn plan() -> Plan {
    let mut words = std::env::args().skip(1);
    let kind = words.next().unwrap_or_else(|| "flat".to_owned());
    let mut plan = Plan {
        kind,
        sizes: Vec::new(),
        methods: Vec::new(),
        options: Options { walks: false, deadlocks: false, nodes: Some(5_000_000), ..Options::default() },
        limits: Limits { time: Some(Duration::from_mins(1)), ..Limits::default() },
        count: 100,
        seeds: 1,
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().expect("a value");
        match word.as_str() {
            "--seconds" => {
                plan.limits.time = Some(Duration::from_secs(value().parse().expect("seconds")));
            }
            "--nodes" => plan.options.nodes = Some(value().parse().expect("a number of nodes")),
            "--method" => plan.methods.push(value().parse().expect("a method")),
            "--machines" => plan.count = value().parse().expect("a number of machines"),
            "--seeds" => plan.seeds = value().parse().expect("a number of systems"),
            "--deadlocks" => plan.options.deadlocks = true,
            "--walks" => plan.options.walks = true,
            "--no-implications" => plan.options.implications = false,
            size => plan.sizes.push(size.parse().expect("a size")),
        }
    }
    if plan.methods.is_empty() {
        plan.methods = Method::ALL.map(|(method, _)| method).to_vec();
    }
    plan
}
