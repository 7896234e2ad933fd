//! From a search and a heuristic to a strategy.

use super::{BadOptions, Guide, Options, SearchOrder, TieKind};
use guidepost_answer::{NotationError, RunKind, split};
use guidepost_heuristics::{HeuristicSpec, REGISTRY};
use guidepost_search::{Algorithm, Directed, Order, Strategy, Ties};

impl Guide {
    /// Refuses options that a search has no use for; nobody should think that they made a difference.
    fn refuse_idle(&self, order: SearchOrder) -> Result<(), BadOptions> {
        use SearchOrder::{Auto, Beam, Bfs, Dfs, Epsilon, Greedy, Ida, Multi, Rdfs, Wastar};
        let is_blind = matches!(order, Bfs | Dfs | Rdfs);
        // Without a heuristic, `auto` makes its own choices.
        let is_free = order == Auto && self.heuristic == "auto";
        let has_queue = !is_blind && !is_free && order != Ida;
        let is_greedy = matches!(order, Greedy | Multi) || (order == Auto && !is_free);
        let idle = [
            ("--weight", self.weight.is_some(), order == Wastar, "`--search wastar`"),
            ("--beam-width", self.beam_width.is_some(), order == Beam, "`--search beam`"),
            ("--epsilon", self.epsilon.is_some(), order == Epsilon, "`--search epsilon`"),
            (
                "--guidepost",
                !self.guideposts.is_empty(),
                !is_blind && !matches!(order, Ida | Beam),
                "a directed search with one queue, such as `greedy`, or `auto`",
            ),
            (
                "--ties",
                self.ties != TieKind::Auto,
                has_queue,
                "a directed search with a queue, such as `greedy`",
            ),
            ("--deferred", self.deferred, is_greedy, "`--search greedy` or `multi`"),
            ("--preferred", self.preferred, is_greedy, "`--search greedy` or `multi`"),
            ("--abstract-states", self.abstract_states.is_some(), !is_blind, "a directed search"),
            ("--abstract-time", self.abstract_time.is_some(), !is_blind, "a directed search"),
        ];
        match idle.into_iter().find(|(_, is_given, is_of_use, _)| *is_given && !is_of_use) {
            Some((option, _, _, search)) => Err(BadOptions::new(format!("`{option}` needs {search}"))),
            None => Ok(()),
        }
    }
}

/// The strategy that the arguments ask for, or none if they leave the choice to us; contradictions end the command.
pub(super) fn strategy(options: &Options) -> Result<Option<Strategy>, BadOptions> {
    let Options { search: order, guide, seed, run: trace, .. } = options;
    let (order, seed, trace) = (*order, *seed, *trace);
    guide.refuse_idle(order)?;
    let algorithm = match order {
        SearchOrder::Auto if guide.heuristic == "auto" => return Ok(None),
        SearchOrder::Bfs => return blind(Order::BreadthFirst, guide, trace),
        SearchOrder::Dfs => return blind(Order::DepthFirst, guide, trace),
        SearchOrder::Rdfs => return blind(Order::RandomDepthFirst(seed), guide, trace),
        SearchOrder::Auto if trace == RunKind::Shortest => Algorithm::AStar,
        SearchOrder::Auto => suits(&guide.heuristic),
        SearchOrder::Ut => Algorithm::UselessTransitions,
        SearchOrder::Greedy => Algorithm::Greedy,
        SearchOrder::Astar => Algorithm::AStar,
        SearchOrder::Wastar => Algorithm::WeightedAStar(weight(guide.weight())?),
        SearchOrder::Ida => Algorithm::IterativeDeepening,
        SearchOrder::Beam => Algorithm::Beam(guide.beam_width()),
        SearchOrder::Multi => Algorithm::Alternating,
        SearchOrder::Novelty => Algorithm::Novelty,
        SearchOrder::Types => Algorithm::TypeBased,
        SearchOrder::Epsilon => Algorithm::EpsilonGreedy(probability(guide.epsilon())?),
        SearchOrder::Ehc => Algorithm::HillClimbing,
    };
    let heuristics = heuristics(guide, algorithm)?;
    let ties = match guide.ties {
        TieKind::Auto => algorithm.usual_ties(seed),
        TieKind::Fifo => Ties::Fifo,
        TieKind::Lifo => Ties::Lifo,
        TieKind::Random => Ties::Random(seed),
    };
    let directed =
        Directed { algorithm, heuristics, ties, deferred: guide.deferred, preferred: guide.preferred };
    check(&directed, trace)?;
    Ok(Some(Strategy::Directed(directed)))
}

/// The search for a heuristic that was chosen without one.
fn suits(heuristics: &str) -> Algorithm {
    let masks =
        |name: &str| name.trim().parse::<HeuristicSpec>().is_ok_and(|spec| spec.properties().masks_edges);
    if split(heuristics).is_some_and(|parts| parts.len() > 1) {
        Algorithm::Alternating
    } else if masks(heuristics) {
        Algorithm::UselessTransitions
    } else {
        Algorithm::Greedy
    }
}

fn blind(order: Order, guide: &Guide, trace: RunKind) -> Result<Option<Strategy>, BadOptions> {
    if guide.heuristic != "auto" && guide.heuristic != "none" {
        return Err(BadOptions::new(format!(
            "`--search {}` takes no heuristic; use greedy, astar, wastar, ut, ida, beam or multi",
            order.name()
        )));
    }
    if trace == RunKind::Shortest && order != Order::BreadthFirst {
        return Err(BadOptions::new(
            "`--trace shortest` needs `--search bfs`, `astar` or `ida`: depth-first search does not find shortest runs",
        ));
    }
    Ok(Some(Strategy::Blind(order)))
}

fn weight(weight: f64) -> Result<f64, BadOptions> {
    if (1.0..=1000.0).contains(&weight) {
        Ok(weight)
    } else {
        Err(BadOptions::new(format!("a weight of {weight} makes no sense; it must be between 1 and 1000")))
    }
}

fn probability(epsilon: f64) -> Result<f64, BadOptions> {
    if (0.0..=1.0).contains(&epsilon) {
        Ok(epsilon)
    } else {
        Err(BadOptions::new(format!("{epsilon} is no probability; `--epsilon` is between 0 and 1")))
    }
}

fn heuristics(guide: &Guide, algorithm: Algorithm) -> Result<Vec<HeuristicSpec>, BadOptions> {
    if guide.heuristic == "auto" {
        return Ok(match algorithm {
            Algorithm::AStar | Algorithm::IterativeDeepening => vec![HeuristicSpec::Layers],
            Algorithm::Alternating => vec![HeuristicSpec::Solution, HeuristicSpec::Layers],
            _ => vec![HeuristicSpec::Solution],
        });
    }
    let parse =
        |name: &str| name.trim().parse::<HeuristicSpec>().map_err(|error| BadOptions::new(error.to_string()));
    let parts = split(&guide.heuristic)
        .ok_or_else(|| BadOptions::new(NotationError::Parentheses(guide.heuristic.clone()).to_string()))?;
    let list = parts.into_iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    if list.is_empty() {
        return Err(BadOptions::new("`--heuristic` names no heuristic"));
    }
    if list.len() > 1 && algorithm != Algorithm::Alternating {
        return Err(BadOptions::new("several heuristics need `--search multi`"));
    }
    Ok(list)
}

fn check(directed: &Directed, trace: RunKind) -> Result<(), BadOptions> {
    let is_best = matches!(trace, RunKind::Cheapest | RunKind::Fastest);
    if is_best && (directed.algorithm != Algorithm::AStar || directed.heuristics.len() != 1) {
        return Err(BadOptions::new(
            "cheapest and fastest runs are found by `--search auto`, `astar`, `bfs` or `dfs`; `guidepost engines` lists more orders for `--engine cost`",
        ));
    }
    if trace == RunKind::Shortest && !directed.is_optimal() {
        let admissible: Vec<&str> = REGISTRY
            .iter()
            .filter(|(_, properties)| properties.admissible)
            .map(|(_, properties)| properties.name)
            .collect();
        return Err(BadOptions::new(format!(
            "`--search {} --heuristic {}` does not find shortest runs; `--trace shortest` needs `bfs`, or `astar` or `ida` with {}",
            directed.search_name(),
            directed.heuristic_name(),
            admissible.join(", ")
        )));
    }
    let is_greedy = matches!(directed.algorithm, Algorithm::Greedy | Algorithm::Alternating);
    if (directed.deferred || directed.preferred) && !is_greedy {
        return Err(BadOptions::new("`--deferred` and `--preferred` need `--search greedy` or `multi`"));
    }
    if directed.preferred && !directed.heuristics.iter().any(|spec| spec.properties().prefers_transitions) {
        return Err(BadOptions::new(
            "`--preferred` needs a heuristic that prefers transitions: `hu` or `lm`",
        ));
    }
    let masks = |spec: &HeuristicSpec| spec.properties().masks_edges;
    if directed.algorithm == Algorithm::UselessTransitions && !directed.heuristics.iter().all(masks) {
        return Err(BadOptions::new(format!(
            "`--search ut` needs a heuristic that can leave out edges, such as `hu` or `hl`; `{}` cannot",
            directed.heuristic_name()
        )));
    }
    Ok(())
}
