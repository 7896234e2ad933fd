//! Heuristics by name, before they are bound to a network: `hl`, `max(hl,dl)`.

use crate::arguments::{SpecError, specs};
use crate::blind::Blind;
use crate::cartesian::{self, CartesianOptions};
use crate::combination::Maximum;
use crate::graph_distance::{Combination, GraphDistance};
use crate::hamming::Hamming;
use crate::merge_and_shrink::{MergeAndShrink, MergeAndShrinkOptions};
use crate::monotonicity::{ClockLayers, Layers, RelaxedSolution};
use crate::patterns::{self, Charging, Selection};
use crate::predicates::{PredicateDatabases, PredicateOptions};
use crate::registry::{CostClass, Properties, REGISTRY};
use crate::relaxed::{landmarks, lmcut};
use crate::structural::{Coverage, Interleaving};
use crate::target_enlargement::{self, TargetOptions};
use crate::user::{self, UserPriority};
use crate::{Heuristic, Preparation};
use guidepost_abstraction::{SymbolSet, symbols_named};
use guidepost_answer::Arguments;
use guidepost_network::{Goal, Network};
use std::fmt;
use std::str::FromStr;

/// The layers of a cone of influence, when nothing else is said.
pub(crate) const CONE: u32 = 3;

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
    /// Landmark cuts in the relaxed task.
    LandmarkCut,
    /// Landmarks of the relaxed task that are still to come.
    Landmarks,
    /// Cartesian abstractions.
    Cartesian(CartesianOptions),
    /// An enlarged target.
    Target(TargetOptions),
    /// Edges and locations that were seen least.
    Coverage,
    /// Switches between processes.
    Interleaving,
    /// A variable of the model.
    User,
    /// A pattern database of what is within this many layers of influence around the goal.
    Cone(u32),
    /// A pattern database around a solution of the monotonicity abstraction.
    RussianDoll,
    /// A pattern database that leaves out whatever does not make the goal seem nearer.
    Refinement,
    /// A pattern database of the named symbols.
    Pattern(Vec<String>),
    /// Predicate abstraction databases.
    Predicates(PredicateOptions),
    /// The sum of pattern databases, each transition counted by the first that keeps its process.
    Additive(Vec<HeuristicSpec>),
    /// The sum of pattern databases, each leaving to the next what it does not need.
    Saturated(Vec<HeuristicSpec>),
    /// Merge-and-shrink.
    MergeAndShrink(MergeAndShrinkOptions),
    /// The largest of several estimates.
    Maximum(Vec<HeuristicSpec>),
}

impl HeuristicSpec {
    /// What to know about it.
    pub fn properties(&self) -> Properties {
        let registered = |spec: &Self| std::mem::discriminant(spec) == std::mem::discriminant(self);
        let entry = REGISTRY.iter().find(|(spec, _)| registered(spec));
        let properties = entry.expect("every heuristic is registered").1;
        match self {
            HeuristicSpec::Maximum(parts)
            | HeuristicSpec::Additive(parts)
            | HeuristicSpec::Saturated(parts) => combined(properties, parts),
            HeuristicSpec::Predicates(options) if options.sum => {
                Properties { admissible: false, ..properties }
            }
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
        let mut database = |selection| patterns::bind(selection, network, goals, preparation);
        match self {
            HeuristicSpec::Cone(layers) => database(Selection::Cone(*layers)),
            HeuristicSpec::RussianDoll => database(Selection::RussianDoll),
            HeuristicSpec::Refinement => database(Selection::Refinement),
            HeuristicSpec::Pattern(names) => database(Selection::Named(names)),
            HeuristicSpec::None => Box::new(Blind),
            HeuristicSpec::Hamming => Box::new(Hamming::new(network, goals)),
            HeuristicSpec::GraphMaximum => Box::new(GraphDistance::new(network, goals, Combination::Maximum)),
            HeuristicSpec::GraphSum => Box::new(GraphDistance::new(network, goals, Combination::Sum)),
            HeuristicSpec::Layers => Box::new(Layers::new(network, goals, preparation.deadline())),
            HeuristicSpec::ClockLayers => Box::new(ClockLayers::new(network, goals, preparation.deadline())),
            HeuristicSpec::Solution => Box::new(RelaxedSolution::new(network, goals, preparation.deadline())),
            HeuristicSpec::LandmarkCut => lmcut::bind(network, goals, preparation),
            HeuristicSpec::Landmarks => landmarks::bind(network, goals, preparation),
            HeuristicSpec::Cartesian(options) => cartesian::bind(network, goals, options, preparation),
            HeuristicSpec::Target(options) => target_enlargement::bind(network, goals, options, preparation),
            HeuristicSpec::Coverage => Box::new(Coverage::new(network)),
            HeuristicSpec::Interleaving => Box::new(Interleaving::new(network)),
            HeuristicSpec::User => Box::new(UserPriority::new(network)),
            HeuristicSpec::Predicates(options) => {
                Box::new(PredicateDatabases::new(network, goals, *options, preparation))
            }
            HeuristicSpec::Additive(parts) | HeuristicSpec::Saturated(parts) => {
                let first = matches!(self, HeuristicSpec::Additive(_));
                let charging = if first { Charging::First } else { Charging::Saturated };
                let selections: Vec<Selection<'_>> = parts.iter().filter_map(Self::selection).collect();
                patterns::bind_sum(&selections, charging, network, goals, preparation)
            }
            HeuristicSpec::MergeAndShrink(options) => {
                Box::new(MergeAndShrink::new(network, goals, options, preparation))
            }
            HeuristicSpec::Maximum(parts) => {
                let parts = parts.iter().map(|part| part.bind(network, goals, preparation));
                Box::new(Maximum::new(parts.collect()))
            }
        }
    }

    /// How its pattern is chosen, if it is a pattern database.
    fn selection(&self) -> Option<Selection<'_>> {
        match self {
            HeuristicSpec::Cone(layers) => Some(Selection::Cone(*layers)),
            HeuristicSpec::RussianDoll => Some(Selection::RussianDoll),
            HeuristicSpec::Refinement => Some(Selection::Refinement),
            HeuristicSpec::Pattern(names) => Some(Selection::Named(names)),
            _ => None,
        }
    }

    /// The first name in it that nothing in the network has.
    pub fn unknown_name(&self, network: &Network) -> Option<&str> {
        match self {
            HeuristicSpec::Pattern(names) | HeuristicSpec::Target(TargetOptions { hidden: names, .. }) => {
                names.iter().map(String::as_str).find(|name| symbols_named(network, name).is_empty())
            }
            HeuristicSpec::User => symbols_named(network, user::NAME).is_empty().then_some(user::NAME),
            HeuristicSpec::Maximum(parts)
            | HeuristicSpec::Additive(parts)
            | HeuristicSpec::Saturated(parts) => parts.iter().find_map(|part| part.unknown_name(network)),
            _ => None,
        }
    }

    /// What a pattern database hides; `None` for other heuristics, and when all patterns are too large.
    pub fn hidden(
        &self,
        network: &Network,
        goals: &[Goal],
        preparation: &mut Preparation<'_>,
    ) -> Option<SymbolSet> {
        patterns::hidden_by(self.selection()?, network, goals, preparation)
    }

    /// The heuristic that a name and its arguments mean.
    pub(crate) fn named(name: &str, arguments: &mut Arguments) -> Result<Self, SpecError> {
        let entry = REGISTRY.iter().find(|(_, properties)| properties.name == name);
        let Some((spec, _)) = entry else { return Err(SpecError::Unknown(name.to_owned())) };
        let mut spec = spec.clone();
        match &mut spec {
            HeuristicSpec::Cone(layers) => {
                *layers = arguments.option("d")?.unwrap_or(*layers);
            }
            HeuristicSpec::Pattern(names) => {
                *names = arguments.words();
                if names.is_empty() {
                    return Err(SpecError::Argument(format!(
                        "`{name}` needs the symbols to keep: `{name}(P,x)`"
                    )));
                }
            }
            HeuristicSpec::Additive(parts) | HeuristicSpec::Saturated(parts) => {
                *parts = specs(name, arguments)?;
                if let Some(other) = parts.iter().find(|part| part.selection().is_none()) {
                    return Err(SpecError::Argument(format!(
                        "`{name}` adds up pattern databases (coi, rd, dpr, pdb); `{other}` is none"
                    )));
                }
            }
            HeuristicSpec::Maximum(parts) => *parts = specs(name, arguments)?,
            HeuristicSpec::Predicates(options) => *options = PredicateOptions::read(arguments)?,
            HeuristicSpec::MergeAndShrink(options) => *options = MergeAndShrinkOptions::read(arguments)?,
            HeuristicSpec::Cartesian(options) => *options = CartesianOptions::read(arguments)?,
            HeuristicSpec::Target(options) => *options = TargetOptions::read(arguments)?,
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
            HeuristicSpec::Cone(layers) if *layers != CONE => write!(f, "(d={layers})"),
            HeuristicSpec::Pattern(names) => write!(f, "({})", names.join(",")),
            HeuristicSpec::Maximum(parts)
            | HeuristicSpec::Additive(parts)
            | HeuristicSpec::Saturated(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                write!(f, "({})", parts.join(","))
            }
            HeuristicSpec::Predicates(options) => write!(f, "{options}"),
            HeuristicSpec::MergeAndShrink(options) => write!(f, "{options}"),
            HeuristicSpec::Cartesian(options) => write!(f, "{options}"),
            HeuristicSpec::Target(options) => write!(f, "{options}"),
            _ => Ok(()),
        }
    }
}
