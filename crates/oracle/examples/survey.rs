//! How large random networks are and what they use: `cargo run -p guidepost-oracle --example survey -- 2000`.

use guidepost_language::load_text;
use guidepost_network::build;
use guidepost_oracle::regions::Limits;
use guidepost_oracle::{Profile, explore, random};
use std::collections::BTreeMap;

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse::<u64>().ok());
    let count = arguments.next().unwrap_or(1000);
    let shown = arguments.next().unwrap_or(0);
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    let mut features: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut edges, mut fired) = (0, 0);
    for seed in 0..count {
        let model = random(seed, Profile::of(seed));
        let loaded = load_text("model.xta", &model.to_string());
        let Some(network) = build(&loaded.model).0 else {
            println!("seed {seed} does not load");
            continue;
        };
        let f = &network.features;
        let uses = [
            ("diagonals", f.diagonals),
            ("clock copies", f.clock_copies),
            ("priorities", f.priorities),
            ("guarded receivers", f.guarded_broadcast_receivers),
            ("broadcast", f.broadcast),
            ("urgent channels", f.urgent_channels),
            ("committed", f.committed),
            ("urgent locations", f.urgent_locations),
        ];
        for (name, _) in uses.into_iter().filter(|(_, used)| *used) {
            *features.entry(name).or_default() += 1;
        }
        let size = match explore(&network, &[], &[], Limits { states: 20_000, constant: 9 }) {
            Ok(graph) => {
                let mut used = vec![false; network.edges.len()];
                for state in 0..graph.len() as u32 {
                    graph
                        .actions(state)
                        .iter()
                        .flat_map(|a| &a.edges)
                        .for_each(|edge| used[edge.index()] = true);
                }
                edges += used.len();
                fired += used.iter().filter(|used| **used).count();
                if seed < shown {
                    println!("seed {seed}, {} states\n{model}", graph.len());
                }
                format!("{:5} states or more", if graph.is_empty() { 0 } else { 1 << graph.len().ilog2() })
            }
            Err(reason) => format!("{reason:?}"),
        };
        *sizes.entry(size).or_default() += 1;
    }
    println!("{sizes:#?}\n{features:#?}\n{fired} of {edges} edges fire");
}
