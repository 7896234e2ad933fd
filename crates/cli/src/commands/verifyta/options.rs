//! verifyta's options, and what they mean here.

use super::foreign::ForeignOptions;
use crate::exit::Exit;
use crate::terminal::refuse;
use clap::Args as ClapArgs;
use guidepost::search::{Order, Strategy};
use guidepost::{RunKind, Settings, default_settings};
use guidepost_explore::Extrapolation;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(ClapArgs, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are verifyta's switches")]
pub(crate) struct VerifytaArgs {
    /// The model.
    #[arg(required_unless_present = "version")]
    model: Option<PathBuf>,
    /// The queries; without it those of the model, or of the .q file beside it.
    queries: Option<PathBuf>,
    /// Trace: 0 some, 1 shortest, 2 fastest, 3 cheapest.
    #[arg(long = "diagnostic", short = 't', value_name = "N", value_parser = clap::value_parser!(u8).range(0..=3))]
    diagnostic: Option<u8>,
    /// Order: 0 breadth first, 1 depth first, 2 random depth first, 3 and 4 best first (with -t). guidepost chooses without it.
    #[arg(long, short = 'o', value_name = "N", value_parser = clap::value_parser!(u8).range(0..=4))]
    search_order: Option<u8>,
    /// The same as -o 0.
    #[arg(short = 'b', conflicts_with_all = ["search_order", "depth_first"])]
    breadth_first: bool,
    /// The same as -o 1.
    #[arg(short = 'd', conflicts_with = "search_order")]
    depth_first: bool,
    /// Extrapolation: 0 automatic, 1 none, 2 by differences, 3 by location, 4 by lower and upper bounds.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=4))]
    extrapolation: u8,
    /// Write traces to PREFIX-N.xtr, N being the number of the query; asks for traces.
    #[arg(long, short = 'f', value_name = "PREFIX")]
    prefix: Option<PathBuf>,
    /// Show the zones of traces, too: all clock values that their transitions allow.
    #[arg(short = 'y')]
    zones: bool,
    /// The same as -y.
    #[arg(short = 'Y')]
    stable_zones: bool,
    /// Over-approximate: one zone for all states with the same locations and data.
    #[arg(short = 'A')]
    convex_hull: bool,
    /// Plain zones. They are stored in the same way without it.
    #[arg(short = 'C', conflicts_with = "convex_hull")]
    plain_zones: bool,
    /// Representation of zones: 0 as -C, 1 usual, 2 bit-state hashing (not supported), 3 as -A.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=3))]
    state_representation: Option<u8>,
    /// Space optimisation; guidepost's own reductions are used with each.
    #[arg(long, short = 'S', value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=3))]
    statespace_consumption: u8,
    /// Size of the table for bit-state hashing, which is not supported: no effect.
    #[arg(long, short = 'H', value_name = "N")]
    hashtable_size: Option<u32>,
    /// Queries share explorations; they do so without it.
    #[arg(long, short = 'T')]
    reuse_statespace: bool,
    /// The seed of random choices.
    #[arg(long, short = 'r', value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print how many states there were, and what they took.
    #[arg(long, short = 'u')]
    summary: bool,
    /// Do not print the options.
    #[arg(short = 'q')]
    quiet: bool,
    /// No progress; there is none without it.
    #[arg(short = 's')]
    silence: bool,
    /// No warnings; there are none without it.
    #[arg(short = 'W')]
    no_warnings: bool,
    /// Print the version.
    #[arg(long, short = 'v')]
    version: bool,
    #[command(flatten)]
    foreign: ForeignOptions,
}

/// The order that is asked for, by its number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Any,
    Breadth,
    Depth,
    Random,
    Best,
}

impl VerifytaArgs {
    pub(super) fn is_version(&self) -> bool {
        self.version
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    pub(super) fn wants_statistics(&self) -> bool {
        self.summary
    }

    pub(super) fn wants_zones(&self) -> bool {
        self.zones || self.stable_zones
    }

    pub(super) fn model(&self) -> &Path {
        self.model.as_deref().unwrap_or(Path::new(""))
    }

    pub(super) fn queries(&self) -> Option<&Path> {
        self.queries.as_deref()
    }

    pub(super) fn prefix(&self) -> Option<&Path> {
        self.prefix.as_deref()
    }

    /// Options that cannot be had end the command.
    pub(super) fn refuse_foreign(&self) -> Result<(), Exit> {
        if self.state_representation == Some(2) {
            return Err(refuse("verifyta's `--state-representation 2` is not supported: bit-state hashing"));
        }
        match self.foreign.refused.first() {
            Some(refusal) => Err(refuse(refusal)),
            None => Ok(()),
        }
    }

    fn wants_hulls(&self) -> bool {
        self.convex_hull || self.state_representation == Some(3)
    }

    fn order(&self) -> Wanted {
        match self.search_order {
            Some(0) => Wanted::Breadth,
            Some(1) => Wanted::Depth,
            Some(2) => Wanted::Random,
            Some(_) => Wanted::Best,
            None if self.breadth_first => Wanted::Breadth,
            None if self.depth_first => Wanted::Depth,
            None => Wanted::Any,
        }
    }

    fn run(&self) -> RunKind {
        match self.diagnostic {
            None if self.prefix.is_some() || self.wants_zones() => RunKind::Any,
            None => RunKind::None,
            Some(0) => RunKind::Any,
            Some(1) => RunKind::Shortest,
            Some(2) => RunKind::Fastest,
            Some(_) => RunKind::Cheapest,
        }
    }

    /// What is asked of the engines. verifyta over-approximates stop-watches without being asked, and says MAY; so does this.
    pub(super) fn settings(&self) -> Result<Settings, Exit> {
        let (run, order) = (self.run(), self.order());
        let is_best = !matches!(run, RunKind::None | RunKind::Any);
        if order == Wanted::Best && !is_best {
            return Err(refuse("`-o 3` and `-o 4` look for a best trace; add `-t 1`, `-t 2` or `-t 3`"));
        }
        if self.wants_hulls() && is_best {
            return Err(refuse(
                "`-A` is an over-approximation, in which no trace can be proved the best; use `-t 0`",
            ));
        }
        let strategy = match order {
            _ if self.wants_hulls() => Some(Strategy::Blind(Order::BreadthFirst)),
            Wanted::Breadth => Some(Strategy::Blind(Order::BreadthFirst)),
            Wanted::Depth if !is_best => Some(Strategy::Blind(Order::DepthFirst)),
            Wanted::Random if !is_best => Some(Strategy::Blind(Order::RandomDepthFirst(self.seed))),
            // A best trace is found in the order that finds it.
            Wanted::Any | Wanted::Best | Wanted::Depth | Wanted::Random => None,
        };
        let extrapolation = match self.extrapolation {
            0 => None,
            1 => Some(Extrapolation::None),
            2 => Some(Extrapolation::M),
            3 => Some(Extrapolation::MPlus),
            _ => Some(Extrapolation::LuPlus),
        };
        Ok(Settings {
            run,
            strategy,
            extrapolation,
            seed: self.seed,
            hulls: self.wants_hulls(),
            approximate: true,
            ..default_settings()
        })
    }

    /// The options, as verifyta prints them.
    pub(super) fn summary(&self) -> String {
        let trace = match self.run() {
            RunKind::None => "no",
            RunKind::Any => "some",
            RunKind::Shortest => "shortest",
            RunKind::Fastest => "fastest",
            RunKind::Cheapest => "cheapest",
        };
        let order = match self.order() {
            Wanted::Any => "chosen by guidepost",
            Wanted::Breadth => "breadth first",
            Wanted::Depth => "depth first",
            Wanted::Random => "random depth first",
            Wanted::Best => "optimal first",
        };
        let space = match self.statespace_consumption {
            0 => "no",
            1 => "conservative",
            2 => "aggressive",
            _ => "extreme",
        };
        let zones = if self.wants_hulls() {
            "convex-hull over-approximation"
        } else if self.plain_zones || self.state_representation == Some(0) {
            "difference bound matrices"
        } else {
            "minimal constraint systems"
        };
        let mut text = "Options for the verification:\n".to_owned();
        let _ = writeln!(text, "  Generating {trace} trace");
        let _ = writeln!(text, "  Search order is {order}");
        let _ = writeln!(text, "  Using {space} space optimisation");
        let _ = writeln!(text, "  Seed is {}", self.seed);
        let _ = writeln!(text, "  State space representation uses {zones}");
        text
    }
}
