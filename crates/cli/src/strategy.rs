//! From `--search` and `--heuristic` to a strategy.

use crate::args::{SearchOrder, TraceKind};
use crate::exit::Exit;
use crate::terminal::refuse;
use clap::{Args as ClapArgs, ValueEnum};
use guidepost_answer::{NotationError, split};
use guidepost_heuristics::{HeuristicSpec, REGISTRY};
use guidepost_search::{Algorithm, Budget, Directed, Order, Strategy, Ties};
use std::time::Duration;

/// What guides a search, and how.
#[derive(ClapArgs, Debug, Clone)]
pub(crate) struct GuideArgs {
    /// What guides the search: a name that `guidepost heuristics` lists, several for `--search multi`, or `auto`.
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub(crate) heuristic: String,
    /// How much estimates count in `--search wastar` [default: 3].
    #[arg(long, value_name = "W")]
    weight: Option<f64>,
    /// How many states of each depth `--search beam` keeps at first [default: 100].
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    beam_width: Option<usize>,
    /// How often `--search epsilon` takes any state, from 0 to 1 [default: 0.2].
    #[arg(long, value_name = "P")]
    epsilon: Option<f64>,
    /// A condition that states on the way are likely to meet, as in 'P.Waiting and n > 2'; states that have passed more of them come first; may be repeated.
    #[arg(long, value_name = "CONDITION")]
    pub(crate) guidepost: Vec<String>,
    /// Which of two equally good states goes first.
    #[arg(long, value_enum, default_value_t = TieKind::Auto)]
    pub(crate) ties: TieKind,
    /// Estimate states only when their turn comes (greedy, multi).
    #[arg(long)]
    pub(crate) deferred: bool,
    /// Prefer transitions that the heuristic would begin with (`hu`, `lm`; greedy, multi).
    #[arg(long)]
    pub(crate) preferred: bool,
    /// Abstract states that a heuristic may build before the search begins; beyond that it uses something smaller [default: 1000000].
    #[arg(long, value_name = "N")]
    abstract_states: Option<u64>,
    /// Seconds that a heuristic may prepare before the search begins; beyond that it uses something smaller [default: 60].
    #[arg(long, value_name = "SECONDS")]
    abstract_time: Option<u64>,
}

impl GuideArgs {
    /// What heuristics may use up before the search begins.
    pub(crate) fn budget(&self) -> Budget {
        let usual = Budget::default();
        let time = self.abstract_time.map_or(usual.time, Duration::from_secs);
        Budget { states: self.abstract_states.unwrap_or(usual.states), time, ..usual }
    }

    /// How much estimates count in weighted A*.
    pub(crate) fn weight(&self) -> f64 {
        self.weight.unwrap_or(3.0)
    }

    /// How many states of each depth beam search keeps at first.
    pub(crate) fn beam_width(&self) -> usize {
        self.beam_width.unwrap_or(100)
    }

    /// How often epsilon-greedy search takes any state.
    pub(crate) fn epsilon(&self) -> f64 {
        self.epsilon.unwrap_or(0.2)
    }

    /// Whether a search was asked for that only reachability has a use for.
    pub(crate) fn is_directed(&self) -> bool {
        self.heuristic != "auto"
    }

    /// Refuses options that a search has no use for; nobody should think that they made a difference.
    fn refuse_idle(&self, order: SearchOrder) -> Result<(), Exit> {
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
                !self.guidepost.is_empty(),
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
            Some((option, _, _, search)) => Err(refuse(format!("`{option}` needs {search}"))),
            None => Ok(()),
        }
    }
}

/// A number of which nothing would be left at zero.
pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(error) => Err(error.to_string()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TieKind {
    /// Whatever suits the search: fifo for astar, wastar and ida, random for the others.
    Auto,
    /// The older one.
    Fifo,
    /// The newer one.
    Lifo,
    /// Any of those found at about the same time, by `--seed`; newer ones first.
    Random,
}

/// The strategy that the arguments ask for, or none if they leave the choice to us; contradictions end the command.
pub(crate) fn strategy(
    order: SearchOrder,
    guide: &GuideArgs,
    seed: u64,
    trace: TraceKind,
) -> Result<Option<Strategy>, Exit> {
    guide.refuse_idle(order)?;
    let algorithm = match order {
        SearchOrder::Auto if guide.heuristic == "auto" => return Ok(None),
        SearchOrder::Bfs => return blind(Order::BreadthFirst, guide, trace),
        SearchOrder::Dfs => return blind(Order::DepthFirst, guide, trace),
        SearchOrder::Rdfs => return blind(Order::RandomDepthFirst(seed), guide, trace),
        SearchOrder::Auto if trace == TraceKind::Shortest => Algorithm::AStar,
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

fn blind(order: Order, guide: &GuideArgs, trace: TraceKind) -> Result<Option<Strategy>, Exit> {
    if guide.heuristic != "auto" && guide.heuristic != "none" {
        return Err(refuse(format!(
            "`--search {}` takes no heuristic; use greedy, astar, wastar, ut, ida, beam or multi",
            order.name()
        )));
    }
    if trace == TraceKind::Shortest && order != Order::BreadthFirst {
        return Err(refuse(
            "`--trace shortest` needs `--search bfs`, `astar` or `ida`: depth-first search does not find shortest runs",
        ));
    }
    Ok(Some(Strategy::Blind(order)))
}

fn weight(weight: f64) -> Result<f64, Exit> {
    if (1.0..=1000.0).contains(&weight) {
        Ok(weight)
    } else {
        Err(refuse(format!("a weight of {weight} makes no sense; it must be between 1 and 1000")))
    }
}

fn probability(epsilon: f64) -> Result<f64, Exit> {
    if (0.0..=1.0).contains(&epsilon) {
        Ok(epsilon)
    } else {
        Err(refuse(format!("{epsilon} is no probability; `--epsilon` is between 0 and 1")))
    }
}

fn heuristics(guide: &GuideArgs, algorithm: Algorithm) -> Result<Vec<HeuristicSpec>, Exit> {
    if guide.heuristic == "auto" {
        return Ok(match algorithm {
            Algorithm::AStar | Algorithm::IterativeDeepening => vec![HeuristicSpec::Layers],
            Algorithm::Alternating => vec![HeuristicSpec::Solution, HeuristicSpec::Layers],
            _ => vec![HeuristicSpec::Solution],
        });
    }
    let parse = |name: &str| name.trim().parse::<HeuristicSpec>().map_err(refuse);
    let parts =
        split(&guide.heuristic).ok_or_else(|| refuse(NotationError::Parentheses(guide.heuristic.clone())))?;
    let list = parts.into_iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    if list.is_empty() {
        return Err(refuse("`--heuristic` names no heuristic"));
    }
    if list.len() > 1 && algorithm != Algorithm::Alternating {
        return Err(refuse("several heuristics need `--search multi`"));
    }
    Ok(list)
}

fn check(directed: &Directed, trace: TraceKind) -> Result<(), Exit> {
    let is_best = matches!(trace, TraceKind::Cheapest | TraceKind::Fastest);
    if is_best && (directed.algorithm != Algorithm::AStar || directed.heuristics.len() != 1) {
        return Err(refuse(
            "cheapest and fastest runs are found by `--search auto`, `astar`, `bfs` or `dfs`; `guidepost engines` lists more orders for `--engine cost`",
        ));
    }
    if trace == TraceKind::Shortest && !directed.is_optimal() {
        let admissible: Vec<&str> = REGISTRY
            .iter()
            .filter(|(_, properties)| properties.admissible)
            .map(|(_, properties)| properties.name)
            .collect();
        return Err(refuse(format!(
            "`--search {} --heuristic {}` does not find shortest runs; `--trace shortest` needs `bfs`, or `astar` or `ida` with {}",
            directed.search_name(),
            directed.heuristic_name(),
            admissible.join(", ")
        )));
    }
    let is_greedy = matches!(directed.algorithm, Algorithm::Greedy | Algorithm::Alternating);
    if (directed.deferred || directed.preferred) && !is_greedy {
        return Err(refuse("`--deferred` and `--preferred` need `--search greedy` or `multi`"));
    }
    if directed.preferred && !directed.heuristics.iter().any(|spec| spec.properties().prefers_transitions) {
        return Err(refuse("`--preferred` needs a heuristic that prefers transitions: `hu` or `lm`"));
    }
    let masks = |spec: &HeuristicSpec| spec.properties().masks_edges;
    if directed.algorithm == Algorithm::UselessTransitions && !directed.heuristics.iter().all(masks) {
        return Err(refuse(format!(
            "`--search ut` needs a heuristic that can leave out edges, such as `hu` or `hl`; `{}` cannot",
            directed.heuristic_name()
        )));
    }
    Ok(())
}
