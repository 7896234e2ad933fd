//! All engines. `guidepost engines`, `--engine` and its messages are made from this list.

use crate::Settings;
use crate::auto::Auto;
use crate::choice::{Choice, cheapest};
use guidepost_answer::{Arguments, Engine, NotationError};
use guidepost_cost::Cheapest;
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
    /// Its options: name, values, meaning.
    pub options: &'static [(&'static str, &'static str, &'static str)],
    /// Makes it from its options, for some settings.
    pub(crate) make: Make,
}

/// Every engine there is.
pub const REGISTRY: &[Entry] = &[
    Entry {
        name: "auto",
        summary: "lets directed, breadth-first and depth-first search take turns, and tries databases on large systems",
        answers: "what `zones` answers",
        searches: true,
        options: &[],
        make: |_, settings| Ok(zones(settings)),
    },
    Entry {
        name: "zones",
        summary: "explores symbolic states with difference bound matrices, in the order of --search; without one, as auto does",
        answers: "all queries; stop-watches only approximately; no clock guards on urgent channels",
        searches: true,
        options: &[],
        make: |_, settings| Ok(zones(settings)),
    },
    Entry {
        name: "cost",
        summary: "finds the cheapest or fastest run by branch and bound, and proves that none is better",
        answers: "E<>, A[] and inf{…}: cost, without `deadlock`; no stop-watches, no clock guards on urgent channels",
        searches: true,
        options: &[
            (
                "order",
                "cyclic|best|depth|breadth|heur",
                "in which order states are expanded; cyclic if nothing is said; heur: by the model's own variable of that name",
            ),
            (
                "bound",
                "model|process|locks|pairs|user|none",
                "which lower bounds are used, see `guidepost heuristics`; all of the model if nothing is said; user: also the model's own variable `remaining`",
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
        name: "walk",
        summary: "tries random timed runs: finds what is frequent, and proves nothing where it finds nothing",
        answers: "E<> and A[], without shortest runs; exactly also with stop-watches and guards on urgent channels",
        searches: false,
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
