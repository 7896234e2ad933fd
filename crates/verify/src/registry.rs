//! All engines. `guidepost engines`, `--engine` and its messages are made from this list.

use crate::Settings;
use crate::auto::Auto;
use crate::choice::{Choice, cheapest};
use guidepost_answer::{Arguments, Engine, NotationError};
use guidepost_cluster::{Cluster, Team, Workers};
use guidepost_cost::Cheapest;
use guidepost_diagrams::{Differences, Discrete};
use guidepost_refinement::{ByRanges, Combined, Eager, Hidden, Lazy};
use guidepost_search::Zones;
use guidepost_walk::Walk;

/// Makes an engine from its options, for some settings.
type Make = fn(&mut Arguments, &Settings) -> Result<Box<dyn Engine>, NotationError>;

/// An engine, with what to know about it.
pub struct Entry {
    /// What it is called on the command line and in answers.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Which questions it answers, and about which networks.
    pub answers: &'static str,
    /// Whether the strategy of the settings is for it.
    pub searches: bool,
    /// Whether it stores states, so that a limit on their number is for it.
    pub stores: bool,
    /// Its options: name, values, meaning.
    pub options: &'static [Described],
    /// Makes it from its options, for some settings.
    pub(crate) make: Make,
}

/// An option: name, values, meaning.
type Described = (&'static str, &'static str, &'static str);

const DOMAIN: Described = (
    "domain",
    "values|predicates",
    "what data are abstracted to: the values of some variables, or whether predicates hold; values if nothing is said",
);

const INTERPOLANTS: Described = (
    "interpolants",
    "sequence|newton",
    "what is learned from a run that is none: why it ends, backwards, or what led there, forwards; sequence if nothing is said",
);

/// Every engine there is.
pub const REGISTRY: &[Entry] = &[
    Entry {
        name: "auto",
        summary: "lets directed, breadth-first and depth-first search, refinement and ranges take turns, and tries databases on large systems",
        answers: "what `zones` answers",
        searches: true,
        stores: true,
        options: &[],
        make: |_, settings| Ok(zones(settings)),
    },
    Entry {
        name: "zones",
        summary: "explores symbolic states with difference bound matrices, in the order of --search; without one, as auto does",
        answers: "all queries; stop-watches only approximately; no clock guards on urgent channels",
        searches: true,
        stores: true,
        options: &[],
        make: |_, settings| Ok(zones(settings)),
    },
    Entry {
        name: "cluster",
        summary: "explores breadth-first with several processes, here or on other machines; see --processes and --cluster",
        answers: "E<> and A[]; stop-watches only approximately; no clock guards on urgent channels",
        searches: true,
        stores: true,
        options: &[(
            "processes",
            "N",
            "how many processes of this machine take part; as many as it has processors if nothing is said",
        )],
        make: |options, settings| {
            let workers = options.option("processes")?.map(Workers::Processes);
            let workers = workers.unwrap_or_else(|| settings.team.workers.clone());
            let team = Team { workers, ..settings.team.clone() };
            Ok(Box::new(Cluster { configuration: settings.zones(), team }))
        },
    },
    Entry {
        name: "cost",
        summary: "finds the cheapest or fastest run by branch and bound, and proves that none is better",
        answers: "E<>, A[] and inf{…}: cost, without `deadlock`; no stop-watches, no clock guards on urgent channels",
        searches: true,
        stores: true,
        options: &[
            (
                "order",
                "cyclic|best|depth|breadth|heur",
                "in which order states are expanded; cyclic if nothing is said; heur: by the model's own variable of that name",
            ),
            (
                "bound",
                "model|process|locks|pairs|layers|user|none",
                "which lower bounds are used, see `guidepost heuristics`; `model` if nothing is said; user: also the model's own variable `remaining`",
            ),
        ],
        make: |options, settings| {
            let usual = cheapest(settings);
            let order = options.option("order")?.unwrap_or(usual.order);
            let bounds = options.option("bound")?.unwrap_or(usual.bounds);
            Ok(Box::new(Cheapest { order, bounds, ..usual }))
        },
    },
    Entry {
        name: "lazy",
        summary: "proves with a graph whose nodes stand for all states that nothing has told apart: lazy abstraction",
        answers: "E<> and A[], without `deadlock` and shortest runs; no stop-watches, no clock guards on urgent channels",
        searches: false,
        stores: true,
        options: &[
            (
                "clocks",
                "bw|fw|lu",
                "how time is abstracted: by zones learned backwards or forwards, or by bounds; bw if nothing is said",
            ),
            (
                "data",
                "exact|values",
                "whether nodes keep the values of all variables or only of those that matter; exact if nothing is said",
            ),
        ],
        make: |options, settings| {
            let clocks = options.option("clocks")?.unwrap_or_default();
            let data = options.option("data")?.unwrap_or_default();
            Ok(Box::new(Lazy { clocks, data, run: settings.run, limits: settings.limits.clone() }))
        },
    },
    Entry {
        name: "combined",
        summary: "hides data, and learns from runs that are none which to show; lazy abstraction of time in each round",
        answers: "what `lazy` answers",
        searches: false,
        stores: true,
        options: &[
            DOMAIN,
            ("clocks", "bw|fw|lu", "how time is abstracted, as with `lazy`; bw if nothing is said"),
            INTERPOLANTS,
        ],
        make: |options, settings| {
            let domain = options.option("domain")?.unwrap_or_default();
            let clocks = options.option("clocks")?.unwrap_or_default();
            let interpolants = options.option("interpolants")?.unwrap_or_default();
            let (run, limits) = (settings.run, settings.limits.clone());
            Ok(Box::new(Combined { domain, interpolants, clocks, run, limits }))
        },
    },
    Entry {
        name: "eager",
        summary: "hides data, and learns from runs that are none which to show; exact time in each round",
        answers: "what `lazy` answers",
        searches: false,
        stores: true,
        options: &[
            DOMAIN,
            INTERPOLANTS,
            (
                "prune",
                "full|lazy",
                "what is built again when a predicate has been learned: everything, or what it is about; full if nothing is said",
            ),
            (
                "zones",
                "active|global",
                "whether zones have the clocks that still matter or all of them; active if nothing is said",
            ),
        ],
        make: |options, settings| {
            let domain = options.option("domain")?.unwrap_or_default();
            let interpolants = options.option("interpolants")?.unwrap_or_default();
            let prune = options.option("prune")?.unwrap_or_default();
            let zones = options.option("zones")?.unwrap_or_default();
            let (run, limits) = (settings.run, settings.limits.clone());
            Ok(Box::new(Eager { domain, interpolants, prune, zones, run, limits }))
        },
    },
    Entry {
        name: "hidden",
        summary: "hides all processes, clocks and data that the goal does not name, and learns from runs that are none which to show",
        answers: "what `lazy` answers",
        searches: false,
        stores: true,
        options: &[
            ("clocks", "bw|fw|lu", "how time is abstracted, as with `lazy`; bw if nothing is said"),
            (
                "search",
                "astar|greedy|bfs",
                "how a run is looked for in each round; astar, with `hl`, if nothing is said",
            ),
        ],
        make: |options, settings| {
            let clocks = options.option("clocks")?.unwrap_or_default();
            let search = options.option("search")?.unwrap_or_default();
            Ok(Box::new(Hidden { clocks, search, run: settings.run, limits: settings.limits.clone() }))
        },
    },
    Entry {
        name: "ranges",
        summary: "finds out between which values every variable stays, and proves what that excludes; says nothing about the rest",
        answers: "E<> and A[], without `deadlock`, if nothing is found; no stop-watches, no clock guards on urgent channels",
        searches: false,
        stores: false,
        options: &[],
        make: |_, settings| Ok(Box::new(ByRanges { limits: settings.limits.clone() })),
    },
    Entry {
        name: "cdd",
        summary: "explores breadth-first, and keeps zones in clock difference diagrams: a zone may be covered by many together",
        answers: "E<> and A[], without `deadlock`; no stop-watches, no clock guards on urgent channels",
        searches: false,
        stores: true,
        options: &[
            (
                "discrete",
                "table|diagram",
                "whether locations and data are kept in a table of diagrams or in one diagram; table if nothing is said",
            ),
            (
                "reduce",
                "true|false",
                "whether paths that contradict themselves are removed; false if nothing is said; in a table only",
            ),
        ],
        make: |options, settings| {
            let discrete = options.option("discrete")?.unwrap_or_default();
            let reduce = options.option("reduce")?.unwrap_or(false);
            if reduce && discrete == Discrete::Diagram {
                return Err(NotationError::Together("reduce=true", "discrete=diagram"));
            }
            let (extrapolation, run) = (settings.extrapolation, settings.run);
            Ok(Box::new(Differences {
                discrete,
                reduce,
                extrapolation,
                run,
                limits: settings.limits.clone(),
            }))
        },
    },
    Entry {
        name: "walk",
        summary: "tries random timed runs: finds what is frequent, and proves nothing where it finds nothing",
        answers: "E<> and A[], without shortest runs; exactly also with stop-watches and guards on urgent channels",
        searches: false,
        stores: false,
        options: &[
            ("walks", "N", "how many runs are tried for a query; 1000 if nothing is said"),
            ("length", "N", "how many transitions a run has at most; 1000 if nothing is said"),
        ],
        make: |options, settings| {
            let usual = Walk::default();
            Ok(Box::new(Walk {
                walks: options.option("walks")?.unwrap_or(usual.walks),
                length: options.option("length")?.unwrap_or(usual.length),
                seed: settings.seed,
                run: settings.run,
                limits: settings.limits.clone(),
            }))
        },
    },
];

/// Zones in the way that was asked for; where nothing was, by turns.
fn zones(settings: &Settings) -> Box<dyn Engine> {
    let configuration = settings.zones();
    let zones: Box<dyn Engine> = match settings.strategy {
        Some(_) => Box::new(Zones { configuration }),
        None => Box::new(Auto { configuration, seed: settings.seed }),
    };
    Box::new(Choice { zones, cheapest: cheapest(settings) })
}
