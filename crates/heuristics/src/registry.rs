//! All heuristics and their properties. `guidepost heuristics` and the guide are made from this list.

use crate::predicates::PredicateOptions;
use crate::spec::CONE;
use crate::{CartesianOptions, HeuristicSpec, MergeAndShrinkOptions, TargetOptions};

/// What an estimate costs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CostClass {
    /// A lookup or two per state.
    Lookup,
    /// Looks at the goal's conditions.
    Goal,
    /// Solves a simplified task per state.
    Task,
    /// Solves a simplified task with clocks per state.
    ManyZones,
}

impl CostClass {
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            CostClass::Lookup => "a lookup per state",
            CostClass::Goal => "evaluates the goal per state",
            CostClass::Task => "solves a simplified system per state",
            CostClass::ManyZones => "solves a simplified system with clocks per state",
        }
    }
}

/// What to know about a heuristic.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "a set of independent facts")]
pub struct Properties {
    /// What it is called on the command line.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Never more than the true distance: A* finds shortest traces with it.
    pub admissible: bool,
    /// One step changes it by at most one, so that A* never expands a state twice.
    pub consistent: bool,
    /// Can recognise states from which no goal can be reached.
    pub finds_dead_ends: bool,
    /// Can leave out edges, as search for useless transitions wants it.
    pub masks_edges: bool,
    /// Can say which transitions it would begin with.
    pub prefers_transitions: bool,
    /// What an estimate costs.
    pub cost: CostClass,
    /// What it takes into account, and what it over-approximates.
    pub supports: &'static str,
}

/// What heuristics that look distances up have in common; what they support is that of pattern databases.
const DATABASE: Properties = Properties {
    name: "",
    summary: "",
    admissible: true,
    consistent: false,
    finds_dead_ends: true,
    masks_edges: false,
    prefers_transitions: false,
    cost: CostClass::Lookup,
    supports: "the whole language with the clocks of what is kept; hidden guards count as true",
};

/// What heuristics that estimate no distance have in common.
const STRUCTURAL: Properties = Properties {
    name: "",
    summary: "",
    admissible: false,
    consistent: false,
    finds_dead_ends: false,
    masks_edges: false,
    prefers_transitions: false,
    cost: CostClass::Lookup,
    supports: "everything; looks at how states are reached, and not at the goal",
};

/// Every heuristic there is.
pub const REGISTRY: &[(HeuristicSpec, Properties)] = &[
    (
        HeuristicSpec::None,
        Properties {
            name: "none",
            summary: "says 0 everywhere",
            admissible: true,
            consistent: true,
            finds_dead_ends: false,
            masks_edges: false,
            prefers_transitions: false,
            cost: CostClass::Lookup,
            supports: "everything, by looking at nothing",
        },
    ),
    (
        HeuristicSpec::Hamming,
        Properties {
            name: "hamming",
            summary: "counts the conditions of the goal that do not hold yet",
            admissible: false,
            consistent: false,
            finds_dead_ends: false,
            masks_edges: false,
            prefers_transitions: false,
            cost: CostClass::Goal,
            supports: "locations and data of the goal; clocks and `deadlock` count as settled",
        },
    ),
    (
        HeuristicSpec::GraphMaximum,
        Properties {
            name: "dl",
            summary: "the longest of the processes' distances to their goal locations",
            admissible: true,
            consistent: true,
            finds_dead_ends: true,
            masks_edges: false,
            prefers_transitions: false,
            cost: CostClass::Lookup,
            supports: "goal locations; guards, synchronisation, data and clocks are ignored",
        },
    ),
    (
        HeuristicSpec::GraphSum,
        Properties {
            name: "du",
            summary: "the sum of the processes' distances to their goal locations",
            admissible: false,
            consistent: false,
            finds_dead_ends: true,
            masks_edges: false,
            prefers_transitions: false,
            cost: CostClass::Lookup,
            supports: "goal locations; guards, synchronisation, data and clocks are ignored",
        },
    ),
    (
        HeuristicSpec::Layers,
        Properties {
            name: "hl",
            summary: "layers of the monotonicity abstraction, in which nothing reached is given up",
            admissible: true,
            consistent: true,
            finds_dead_ends: true,
            masks_edges: true,
            prefers_transitions: false,
            cost: CostClass::Task,
            supports: "the whole language; clocks, priorities and committed locations are ignored",
        },
    ),
    (
        HeuristicSpec::Solution,
        Properties {
            name: "hu",
            summary: "transitions of a solution in the monotonicity abstraction",
            admissible: false,
            consistent: false,
            finds_dead_ends: true,
            masks_edges: true,
            prefers_transitions: true,
            cost: CostClass::Task,
            supports: "the whole language; clocks, priorities and committed locations are ignored",
        },
    ),
    (
        HeuristicSpec::ClockLayers,
        Properties {
            name: "hlx",
            summary: "as hl, with a zone of clock values for every location",
            admissible: true,
            consistent: false,
            finds_dead_ends: true,
            masks_edges: false,
            prefers_transitions: false,
            cost: CostClass::ManyZones,
            supports: "the whole language; clocks as the convex hull per location, copies of clocks as any value",
        },
    ),
    (
        HeuristicSpec::LandmarkCut,
        Properties {
            name: "lmcut",
            summary: "cuts that every solution of the monotonicity abstraction has to cross, none of them counted twice",
            admissible: true,
            consistent: false,
            finds_dead_ends: true,
            masks_edges: true,
            prefers_transitions: false,
            cost: CostClass::Task,
            supports: "locations and variables with few values; clocks, priorities and invariants are ignored",
        },
    ),
    (
        HeuristicSpec::Landmarks,
        Properties {
            name: "lm",
            summary: "locations and values that every solution of the monotonicity abstraction has yet to pass",
            admissible: false,
            consistent: false,
            finds_dead_ends: true,
            masks_edges: true,
            prefers_transitions: true,
            cost: CostClass::Task,
            supports: "locations and variables with few values; clocks, priorities and invariants are ignored",
        },
    ),
    (
        HeuristicSpec::Cone(CONE),
        Properties {
            name: "coi",
            summary: "pattern database of what influences the goal within d steps: `coi(d=3)`",
            ..DATABASE
        },
    ),
    (
        HeuristicSpec::RussianDoll,
        Properties {
            name: "rd",
            summary: "pattern database of the processes that take part in a solution of the monotonicity abstraction",
            ..DATABASE
        },
    ),
    (
        HeuristicSpec::Refinement,
        Properties {
            name: "dpr",
            summary: "pattern database without what can be hidden before h^U of the initial state changes",
            ..DATABASE
        },
    ),
    (
        HeuristicSpec::Pattern(Vec::new()),
        Properties {
            name: "pdb",
            summary: "pattern database of the symbols in parentheses: `pdb(P,Q,x)`",
            ..DATABASE
        },
    ),
    (
        HeuristicSpec::MergeAndShrink(MergeAndShrinkOptions::DEFAULT),
        Properties {
            name: "ms",
            summary: "distances in a product of automata, kept small by making states one (merge-and-shrink)",
            consistent: true,
            supports: "locations and variables with few values; clocks, priorities and invariants are ignored",
            ..DATABASE
        },
    ),
    (
        HeuristicSpec::Cartesian(CartesianOptions::DEFAULT),
        Properties {
            name: "cartesian",
            summary: "distances in an abstraction that is refined where its shortest ways are none: `cartesian(states=10000)`, `cartesian(clocks=false)`",
            supports: "locations, variables with few values, lower bounds of clocks; differences of clocks, urgency and priorities are ignored",
            ..DATABASE
        },
    ),
    (
        HeuristicSpec::Target(TargetOptions::DEFAULT),
        Properties {
            name: "te",
            summary: "exact distances of the states within k steps of the goal, k + 1 for all others: `te(k=5)`, without P `te(k=5,P)`",
            consistent: true,
            cost: CostClass::Goal,
            supports: "locations and variables with few values; clocks, priorities and invariants are ignored",
            ..DATABASE
        },
    ),
    (
        HeuristicSpec::Predicates(PredicateOptions::DEFAULT),
        Properties {
            name: "pa",
            summary: "distances in predicate abstractions of parts of the system, added up: `pa(b=3)`, `pa(predicates=ar)`, `pa(sum)`",
            supports: "the whole language; urgent channels and priorities are ignored, copied and stopped clocks are any value",
            ..DATABASE
        },
    ),
    (
        HeuristicSpec::Coverage,
        Properties {
            name: "coverage",
            summary: "prefers edges and locations that were seen least, whatever the goal",
            ..STRUCTURAL
        },
    ),
    (
        HeuristicSpec::Interleaving,
        Properties {
            name: "interleaving",
            summary: "prefers another process than those that have just moved, whatever the goal",
            ..STRUCTURAL
        },
    ),
    (
        HeuristicSpec::User,
        Properties {
            name: "user",
            summary: "the value of the model's own variable `heur`: smaller ones first",
            supports: "whatever the author of the model has put into `heur`",
            ..STRUCTURAL
        },
    ),
    (
        HeuristicSpec::Additive(Vec::new()),
        Properties {
            name: "add",
            summary: "pattern databases added up, a transition counted by the first that keeps its process: `add(pdb(P),pdb(Q))`",
            ..DATABASE
        },
    ),
    (
        HeuristicSpec::Saturated(Vec::new()),
        Properties {
            name: "scp",
            summary: "pattern databases added up by saturated cost partitioning: `scp(rd,pdb(P,x))`",
            ..DATABASE
        },
    ),
    (
        HeuristicSpec::Maximum(Vec::new()),
        Properties {
            name: "max",
            summary: "the largest of the estimates in parentheses: `max(hl,dl)`",
            admissible: true,
            consistent: true,
            finds_dead_ends: true,
            masks_edges: false,
            prefers_transitions: false,
            cost: CostClass::Lookup,
            supports: "what its parts support",
        },
    ),
];
