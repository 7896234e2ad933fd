//! Summaries for programs. The keys are documented in `docs/json.md` and stay.

use super::{QuerySummary, Sizes, Summary};
use crate::verdict::property_json;
use guidepost_language::model::{Expectation, Format};
use guidepost_language::render;
use guidepost_language::source::SourceMap;
use guidepost_network::Symmetries;
use serde_json::{Value, json};

impl Summary {
    /// `{ "format", "sizes", "features", "foreign", "symmetry", "checkable", "obstacles", "warnings", "queries" }`
    pub fn json(&self) -> Value {
        let format = match self.format {
            Format::Xml => "xml",
            Format::Xta => "xta",
            Format::Old => "old",
            Format::Tck => "tck",
            Format::Plc => "plc",
        };
        let size = |of: fn(&Sizes) -> u64| json!(self.sizes.as_ref().map(of));
        let foreign = |(construct, place): &(&str, String)| json!({ "construct": construct, "place": place });
        json!({
            "format": format,
            "sizes": {
                "templates": self.templates,
                "functions": self.functions,
                "queries": self.queries.len(),
                "processes": size(|sizes| sizes.processes as u64),
                "locations": size(|sizes| sizes.locations as u64),
                "edges": size(|sizes| sizes.edges as u64),
                "clocks": size(|sizes| sizes.clocks as u64),
                "variables": size(|sizes| sizes.variables as u64),
                "channels": size(|sizes| sizes.channels as u64),
                "state_bits": size(|sizes| sizes.state_bits),
            },
            "features": self.features.iter().map(|feature| feature.id()).collect::<Vec<_>>(),
            "foreign": self.foreign.iter().map(foreign).collect::<Vec<_>>(),
            "symmetry": self.network.as_ref().map(|network| symmetry_json(&network.symmetries)),
            "checkable": self.can_be_checked(),
            "obstacles": render::to_json(&self.obstacles, &self.sources),
            "warnings": render::to_json(&self.warnings, &self.sources),
            "queries": (1..).zip(&self.queries).map(|(number, query)| query.json(number, &self.sources)).collect::<Vec<_>>(),
        })
    }
}

impl QuerySummary {
    fn json(&self, number: usize, sources: &SourceMap) -> Value {
        let expect = self.expect.map(|expect| match expect {
            Expectation::Satisfied => json!("satisfied"),
            Expectation::NotSatisfied => json!("not satisfied"),
            Expectation::Value(value) => json!(value),
        });
        let mut value = json!({
            "number": number,
            "text": self.text,
            "kind": self.kind.id(),
            "expect": expect,
            "comment": self.comment,
            "supported": self.supported,
            "problems": render::to_json(&self.problems, sources),
        });
        if let Some(property) = &self.property {
            value["property"] = property_json(property);
        }
        value
    }
}

/// Scalar sets with the number of their members, or why they are not symmetric; and sets of processes that can be exchanged for each other.
fn symmetry_json(symmetries: &Symmetries) -> Value {
    let used = symmetries
        .sets
        .iter()
        .chain(&symmetries.found)
        .map(|set| json!({ "set": set.name, "members": set.size, "refused": null }));
    let refused = symmetries
        .refused
        .iter()
        .map(|(name, reason)| json!({ "set": name, "members": null, "refused": reason.id() }));
    used.chain(refused).collect()
}
