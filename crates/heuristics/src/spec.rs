//! Heuristics by name, before they are bound to a network: `hl`, `max(hl,dl)`.

use crate::arguments::{Arguments, SpecError};
use crate::blind::Blind;
use crate::combination::Maximum;
use crate::graph_distance::{Combination, GraphDistance};
use crate::hamming::Hamming;
use crate::merge_and_shrink::{MergeAndShrink, MergeAndShrinkOptions};
use crate::monotonicity::{ClockLayers, Layers, RelaxedSolution};
use crate::registry::{CostClass, Properties, REGISTRY};
use crate::{Heuristic, Preparation};
use guidepost_network::{Goal, Network};
use std::fmt;
use std::str::FromStr;

/// A heuristic that is not yet bound to a network.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum HeuristicSpec {
    /// No estimate at all.
    None,
    /// Unsettled conditions.
    Hamming,
    /// The maximum of the graph distances.
    GraphMaximum,
    /// The sum of the graph distances.
    GraphSum,
    /// The layers of the monotonicity abstraction.
    Layers,
    /// A solution in the monotonicity abstraction.
    Solution,
    /// The layers of the monotonicity abstraction with a zone per location.
    ClockLayers,
    /// Merge-and-shrink.
    MergeAndShrink(MergeAndShrinkOptions),
    /// The largest of several estimates.
    Maximum(Vec<HeuristicSpec>),
}

impl HeuristicSpec {
    /// What is to be known of it.
    pub fn properties(&self) -> Properties {
        let registered = |spec: &Self| std::mem::discriminant(spec) == std::mem::discriminant(self);
        let entry = REGISTRY.iter().find(|(spec, _)| registered(spec));
        let properties = entry.expect("every heuristic is registered").1;
        match self {
            HeuristicSpec::Maximum(parts) => combined(properties, parts),
            _ => properties,
        }
    }

    /// The heuristic for a network and its goals: a state is a goal if one of them holds.
    pub fn bind<'n>(
        &self,
        network: &'n Network,
        goals: &[Goal],
        preparation: &mut Preparation<'_>,
    ) -> Box<dyn Heuristic + 'n> {
        match self {
            HeuristicSpec::None => Box::new(Blind),
            HeuristicSpec::Hamming => Box::new(Hamming::new(network, goals)),
            HeuristicSpec::GraphMaximum => Box::new(GraphDistance::new(network, goals, Combination::Maximum)),
            HeuristicSpec::GraphSum => Box::new(GraphDistance::new(network, goals, Combination::Sum)),
            HeuristicSpec::Layers => Box::new(Layers::new(network, goals)),
            HeuristicSpec::ClockLayers => Box::new(ClockLayers::new(network, goals)),
            HeuristicSpec::Solution => Box::new(RelaxedSolution::new(network, goals)),
            HeuristicSpec::MergeAndShrink(options) => {
                Box::new(MergeAndShrink::new(network, goals, options, preparation))
            }
            HeuristicSpec::Maximum(parts) => {
                let parts = parts.iter().map(|part| part.bind(network, goals, preparation));
                Box::new(Maximum::new(parts.collect()))
            }
        }
    }

    /// The heuristic that a name and its arguments mean.
    pub(crate) fn named(name: &str, arguments: &mut Arguments) -> Result<Self, SpecError> {
        let entry = REGISTRY.iter().find(|(_, properties)| properties.name == name);
        let Some((spec, _)) = entry else { return Err(SpecError::Unknown(name.to_owned())) };
        let mut spec = spec.clone();
        match &mut spec {
            HeuristicSpec::Maximum(parts) => *parts = arguments.specs(name)?,
            HeuristicSpec::MergeAndShrink(options) => *options = MergeAndShrinkOptions::read(arguments)?,
            _ => {}
        }
        Ok(spec)
    }
}

/// A combination can do what all of its parts can.
fn combined(own: Properties, parts: &[HeuristicSpec]) -> Properties {
    let parts: Vec<Properties> = parts.iter().map(HeuristicSpec::properties).collect();
    let all = |fact: fn(&Properties) -> bool| parts.iter().all(fact);
    let any = |fact: fn(&Properties) -> bool| parts.iter().any(fact);
    Properties {
        admissible: own.admissible && all(|part| part.admissible),
        consistent: own.consistent && all(|part| part.consistent),
        finds_dead_ends: any(|part| part.finds_dead_ends),
        cost: parts.iter().map(|part| part.cost).max().unwrap_or(CostClass::Lookup),
        ..own
    }
}

impl FromStr for HeuristicSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        crate::arguments::parse(text)
    }
}

impl fmt::Display for HeuristicSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.properties().name)?;
        match self {
            HeuristicSpec::Maximum(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                write!(f, "({})", parts.join(","))
            }
            HeuristicSpec::MergeAndShrink(options) => write!(f, "{options}"),
            _ => Ok(()),
        }
    }
}
