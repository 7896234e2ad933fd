//! A digest of what is explored: processes that have the same one mean the same.

use guidepost_network::{CompiledQuery, Network};
use std::fmt::{Debug, Write};

struct Hashing(blake3::Hasher);

impl Write for Hashing {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

/// The digest of a network and its queries.
pub(crate) fn digest(network: &Network, queries: &[CompiledQuery]) -> String {
    let mut hashing = Hashing(blake3::Hasher::new());
    // What a query means follows from its text; where it stands does not matter.
    let queries: Vec<&str> = queries.iter().map(|query| query.text.as_str()).collect();
    let parts: [&dyn Debug; 11] = [
        &crate::VERSION,
        &network.processes,
        &network.locations,
        &network.edges,
        &network.clocks,
        &network.initial_fractions,
        &network.variables,
        &network.channels,
        &network.vectors,
        &network.program,
        &queries,
    ];
    for part in parts {
        // Nothing here fails to be written.
        let _ = write!(hashing, "{part:?};");
    }
    hashing.0.finalize().to_hex().to_string()
}
