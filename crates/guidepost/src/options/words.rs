//! The words that options take as values.

use guidepost_answer::RunKind;
use std::str::FromStr;

/// A word that an option does not know.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no {what} `{word}`; there are {}", known.join(", "))]
pub struct UnknownWord {
    /// What the option is about.
    pub what: &'static str,
    /// The word.
    pub word: String,
    /// The words that it knows.
    pub known: Vec<&'static str>,
}

/// An enumeration whose variants have names.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident: $what:literal { $($(#[$of:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $($(#[$of])* $variant,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;

            fn from_str(word: &str) -> Result<Self, UnknownWord> {
                Self::ALL.iter().copied().find(|known| known.name() == word).ok_or_else(|| UnknownWord {
                    what: $what,
                    word: word.to_owned(),
                    known: Self::ALL.iter().map(|known| known.name()).collect(),
                })
            }
        }
    };
}

words!(
    /// The order in which states are expanded.
    SearchOrder: "search" {
        /// Whatever suits the question.
        Auto = "auto",
        /// Breadth-first.
        Bfs = "bfs",
        /// Depth-first.
        Dfs = "dfs",
        /// Depth-first with successors in random order.
        Rdfs = "rdfs",
        /// The state that seems nearest to the goal first.
        Greedy = "greedy",
        /// Steps so far plus steps to go, smallest first.
        Astar = "astar",
        /// As A*, but steps to go count more.
        Wastar = "wastar",
        /// Greedy, but steps count behind transitions that seem useless.
        Ut = "ut",
        /// As A*, without storing states.
        Ida = "ida",
        /// The best states of each depth, then more of them.
        Beam = "beam",
        /// Greedy with several heuristics in turns.
        Multi = "multi",
        /// States that show something new first, then the nearest.
        Novelty = "novelty",
        /// Greedy, in turns with any state of any combination of steps and estimate.
        Types = "types",
        /// Greedy, but any state now and then.
        Epsilon = "epsilon",
        /// Breadth-first from the best state to a better one.
        Ehc = "ehc",
    }
);

words!(
    /// Which of two equally good states goes first.
    TieKind: "way to break ties" {
        /// Whatever suits the search.
        Auto = "auto",
        /// The older one.
        Fifo = "fifo",
        /// The newer one.
        Lifo = "lifo",
        /// Any of those found at about the same time.
        Random = "random",
    }
);

words!(
    /// The run that is wanted.
    TraceKind: "trace" {
        /// Only the verdict.
        None = "none",
        /// Any run.
        Some = "some",
        /// A run with the fewest transitions.
        Shortest = "shortest",
        /// A run that costs least.
        Cheapest = "cheapest",
        /// A run that takes the least time.
        Fastest = "fastest",
    }
);

impl From<TraceKind> for RunKind {
    fn from(kind: TraceKind) -> Self {
        match kind {
            TraceKind::None => RunKind::None,
            TraceKind::Some => RunKind::Any,
            TraceKind::Shortest => RunKind::Shortest,
            TraceKind::Cheapest => RunKind::Cheapest,
            TraceKind::Fastest => RunKind::Fastest,
        }
    }
}

words!(
    /// How explored zones are kept.
    StoreKind: "store" {
        /// Each for itself.
        Zones = "zones",
        /// As clock difference diagrams.
        Cdd = "cdd",
    }
);

words!(
    /// How zones are widened.
    ExtrapolationKind: "extrapolation" {
        /// Exact zones.
        None = "none",
        /// By the largest constants.
        M = "m",
        /// By the largest constants, more coarsely.
        MPlus = "m+",
        /// By the largest lower and upper bounds.
        Lu = "lu",
        /// By the largest lower and upper bounds, more coarsely.
        LuPlus = "lu+",
    }
);

words!(
    /// When one zone covers another.
    SubsumptionKind: "subsumption" {
        /// Inclusion of zones.
        Inclusion = "inclusion",
        /// aLU simulation.
        Alu = "alu",
    }
);

words!(
    /// A reduction of the state space.
    ReductionKind: "reduction" {
        /// All of them.
        All = "all",
        /// States with larger zones than before are expanded first.
        Order = "order",
        /// Zones that together are a zone become one.
        Merging = "merging",
        /// Independent steps are taken in one order only where time stands still.
        PartialOrder = "partial-order",
        /// Variables that cannot influence the question are left out.
        Slicing = "slicing",
        /// States that differ in the names of scalars only become one.
        Symmetry = "symmetry",
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back_and_others_are_refused() {
        for kind in SearchOrder::ALL {
            assert_eq!(kind.name().parse(), Ok(*kind));
        }
        let error = "bsf".parse::<SearchOrder>().unwrap_err().to_string();
        assert!(error.starts_with("there is no search `bsf`; there are auto, bfs, dfs"), "{error}");
    }
}
