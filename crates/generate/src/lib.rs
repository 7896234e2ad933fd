//! Families of models of any size: protocols that everybody measures with, written for guidepost.
//!
//! A measurement over one model says little; over a family it shows how a search scales. Each family is one file with one pure function from its
//! parameters to a text in UPPAAL's language and queries with their expected answers. The templates stay the same for all sizes: a constant and a process set
//! make the size, so that the text of a hundred processes can be read like that of two.
//!
//! ```
//! use guidepost_generate::Family;
//!
//! let family: Family = "fischer b 3 --faulty".parse().unwrap();
//! let model = family.generate();
//! assert_eq!(model.name, "fischer-b-3-faulty");
//! assert!(model.model.contains("const int N = 3;"));
//! assert!(model.query_text().contains("// expect: satisfied\nE<> P(1).Critical and P(2).Critical\n"));
//! ```
#![forbid(unsafe_code)]

mod aircraft_landing;
mod arbiter;
mod biphase_mark;
mod bridge;
mod circuit;
mod csma_cd;
mod family;
mod fddi;
mod fischer;
mod instance;
mod job_shop;
pub mod machines;
mod steel_plant;
mod train_gate;

pub use family::{FAMILIES, Family, FamilyError, Usage};
pub use fischer::Variant;
pub use instance::InstanceError;

/// A problem that an instance file describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// Jobs that visit machines.
    JobShop,
    /// Planes that land.
    AircraftLanding {
        /// On so many runways.
        runways: u32,
    },
}

impl Problem {
    /// The model of an instance, which has a name.
    pub fn generate(self, name: &str, instance: &str) -> Result<Generated, InstanceError> {
        let (model, queries) = match self {
            Self::JobShop => job_shop::model(instance)?,
            Self::AircraftLanding { runways } => aircraft_landing::model(instance, runways)?,
        };
        Ok(Generated { name: name.to_owned(), model, queries })
    }
}

/// A model, its queries, and a name for both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generated {
    /// What a file of it may be called, without an extension.
    pub name: String,
    /// The model, in UPPAAL's textual form.
    pub model: String,
    /// What to ask, the question that the family is known for first.
    pub queries: Vec<Query>,
}

/// A question with its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// What is asked, in words.
    pub comment: &'static str,
    /// The query.
    pub formula: String,
    /// Whether it is satisfied.
    pub satisfied: bool,
}

impl Query {
    fn new(comment: &'static str, formula: impl Into<String>, satisfied: bool) -> Self {
        Self { comment, formula: formula.into(), satisfied }
    }
}

impl Generated {
    /// The queries as the text of a `.q` file.
    pub fn query_text(&self) -> String {
        let entries: Vec<String> = self.queries.iter().map(entry).collect();
        entries.join("\n")
    }
}

fn entry(query: &Query) -> String {
    let answer = if query.satisfied { "satisfied" } else { "not satisfied" };
    format!("// {}\n// expect: {answer}\n{}\n", query.comment, query.formula)
}
