//! What a model consists of, what it uses, whether it can be checked, and what looks wrong with it.

mod features;
mod json;
mod queries;
mod text;

pub use features::Feature;
pub(crate) use queries::description;
pub use queries::{QueryKind, QuerySummary};

use guidepost_language::Loaded;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::model::Format;
use guidepost_language::source::SourceMap;
use guidepost_network::Network;

/// What there is to say about a model without checking it.
#[derive(Clone, Debug)]
pub struct Summary {
    /// What the file was read as.
    pub format: Format,
    /// Templates in the file.
    pub templates: usize,
    /// Functions in the file, those of templates included.
    pub functions: usize,
    /// The sizes of the network; `None` when it could not be built.
    pub sizes: Option<Sizes>,
    /// What the model uses, in a fixed order.
    pub features: Vec<Feature>,
    /// Constructs of other analyses, with `file:line:column` of the first place.
    pub foreign: Vec<(&'static str, String)>,
    /// Why it cannot be checked; empty when it can.
    pub obstacles: Diagnostics,
    /// What looks wrong.
    pub warnings: Diagnostics,
    /// The stored queries.
    pub queries: Vec<QuerySummary>,
    /// The network, when it could be built.
    network: Option<Network>,
    /// The texts, for positions.
    sources: SourceMap,
}

/// How large a network is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each counts what it is called")]
pub struct Sizes {
    pub processes: usize,
    pub locations: usize,
    pub edges: usize,
    /// Without the constant zero.
    pub clocks: usize,
    /// Integer cells: every element of an array counts.
    pub variables: usize,
    pub channels: usize,
    /// Bits that tell one discrete state from another: a location per process and every variable but `meta` ones.
    pub state_bits: u64,
}

impl Summary {
    /// Looks through a loaded model and builds its network.
    ///
    /// # Errors
    /// What is wrong with the model. A model that is well formed but cannot be built, because it is too large, beyond what is
    /// supported, or computes something impossible while it is instantiated, is no error; see
    /// [`obstacles`](Summary::obstacles).
    pub fn of(loaded: &Loaded) -> Result<Self, Diagnostics> {
        if loaded.diagnostics.has_errors() {
            return Err(loaded.diagnostics.clone());
        }
        let (network, found) = guidepost_network::build(&loaded.model);
        let (mut obstacles, mut warnings) = (Diagnostics::default(), loaded.diagnostics.clone());
        for diagnostic in &found {
            if diagnostic.is_error() {
                obstacles.push(diagnostic.clone());
            } else if !loaded.diagnostics.iter().any(|known| is_same(known, diagnostic)) {
                warnings.push(diagnostic.clone());
            }
        }
        if obstacles.iter().any(is_mistake) {
            return Err(obstacles);
        }
        warnings.sort();
        let queries = queries::summaries(loaded, network.as_ref());
        let model = &loaded.model;
        Ok(Self {
            format: model.format,
            templates: model.templates.len(),
            functions: model.functions.len(),
            sizes: network.as_ref().map(Sizes::of),
            features: features::features(loaded, network.as_ref()),
            foreign: model.foreign.iter().map(|&(name, span)| (name, loaded.sources.locate(span))).collect(),
            obstacles,
            warnings,
            queries,
            network,
            sources: loaded.sources.clone(),
        })
    }

    /// The network, when it could be built.
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// All messages: why it cannot be checked, what looks wrong, and what is wrong with its queries.
    pub fn messages(&self) -> Diagnostics {
        let queries = self.queries.iter().flat_map(|query| &query.problems);
        self.obstacles.iter().chain(&self.warnings).chain(queries).cloned().collect()
    }

    /// Adds a reason why the model cannot be checked, one that only an engine knows.
    pub fn add_obstacle(&mut self, obstacle: Diagnostic) {
        self.obstacles.push(obstacle);
        for query in &mut self.queries {
            query.supported = false;
        }
    }

    /// Whether nothing stands in the way of checking it.
    pub fn can_be_checked(&self) -> bool {
        self.obstacles.is_empty()
    }
}

/// Whether an error of the network's builder is about the text of the model rather than about values and sizes that only
/// instantiation brings to light.
fn is_mistake(diagnostic: &Diagnostic) -> bool {
    !matches!(
        diagnostic.code,
        Code::OutOfRange
            | Code::DivisionByZero
            | Code::EmptyRange
            | Code::BadArraySize
            | Code::TooLarge
            | Code::NotSupported
            | Code::ClockConstantTooLarge
            | Code::EvaluationLimit
    )
}

/// Whether front end and builder noticed the same thing.
fn is_same(known: &Diagnostic, diagnostic: &Diagnostic) -> bool {
    known.code == diagnostic.code && known.span == diagnostic.span
}

impl Sizes {
    fn of(network: &Network) -> Self {
        let bits = |values: u64| u64::from(u64::BITS - values.saturating_sub(1).leading_zeros());
        let locations = network.processes.iter().map(|process| bits(process.locations.len() as u64));
        let variables = network
            .variables
            .iter()
            .filter(|variable| !variable.meta)
            .map(|variable| bits((i64::from(variable.max) - i64::from(variable.min)).unsigned_abs() + 1));
        Self {
            processes: network.processes.len(),
            locations: network.locations.len(),
            edges: network.edges.len(),
            clocks: network.clocks.len() - 1,
            variables: network.variables.len(),
            channels: network.channels.len(),
            state_bits: locations.chain(variables).sum(),
        }
    }
}
