//! From arguments to limits and search settings.

use crate::args::{ExtrapolationKind, ReductionKind, SearchArgs, SubsumptionKind, TraceKind};
use crate::exit::Exit;
use crate::terminal::print_error;
use guidepost_answer::{Limits, Reductions, RunKind};
use guidepost_explore::{Extrapolation, Subsumption};
use guidepost_search::{Order, Strategy};
use guidepost_verify::Settings;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The settings that the arguments ask for, without Ctrl-C, see [`on_interrupt`]; contradictions end the command.
pub(crate) fn settings(
    args: &SearchArgs,
    strategy: Option<Strategy>,
    trace: TraceKind,
) -> Result<Settings, Exit> {
    let is_blind = matches!(strategy, None | Some(Strategy::Blind(Order::BreadthFirst)));
    if args.threads > 1 && !is_blind {
        print_error("`--threads` needs `--search bfs`: other searches run on one thread");
        return Err(Exit::BadInput);
    }
    if args.convex_hull {
        if !is_blind || args.threads > 1 {
            print_error("`--convex-hull` needs `--search bfs` and one thread");
            return Err(Exit::BadInput);
        }
        if !matches!(trace, TraceKind::None | TraceKind::Some) {
            print_error(
                "`--convex-hull` is an over-approximation, in which no run can be proved the best; use `--trace some`",
            );
            return Err(Exit::BadInput);
        }
    }
    // With several threads, or hulls, the search that can use them is chosen.
    let strategy = if args.threads > 1 || args.convex_hull {
        Some(Strategy::Blind(Order::BreadthFirst))
    } else {
        strategy
    };
    let (extrapolation, subsumption) = abstraction(args)?;
    let run = match trace {
        TraceKind::None => RunKind::None,
        TraceKind::Some => RunKind::Any,
        TraceKind::Shortest => RunKind::Shortest,
        TraceKind::Cheapest => RunKind::Cheapest,
        TraceKind::Fastest => RunKind::Fastest,
    };
    Ok(Settings {
        run,
        limits: limits(args.time_limit, args.memory_limit, args.state_limit)?,
        seed: args.seed,
        threads: args.threads.into(),
        approximate: args.approximate,
        hulls: args.convex_hull,
        strategy,
        extrapolation,
        subsumption,
        reductions: reductions(&args.without),
        ..Settings::default()
    })
}

/// All reductions but those that are not wanted.
fn reductions(without: &[ReductionKind]) -> Reductions {
    let has = |kind| !without.contains(&ReductionKind::All) && !without.contains(&kind);
    Reductions {
        order: has(ReductionKind::Order),
        merging: has(ReductionKind::Merging),
        partial_order: has(ReductionKind::PartialOrder),
        slicing: has(ReductionKind::Slicing),
        symmetry: has(ReductionKind::Symmetry),
    }
}

/// Exact zones are only sure to be finitely many under aLU: who asks for inclusion alone gets zones that are widened, and who asks for
/// exact zones with inclusion has to say when to stop.
fn abstraction(args: &SearchArgs) -> Result<(Option<Extrapolation>, Option<Subsumption>), Exit> {
    let is_limited = args.time_limit.is_some() || args.state_limit.is_some();
    match (args.extrapolation, args.subsumption) {
        (Some(ExtrapolationKind::None), Some(SubsumptionKind::Inclusion)) if !is_limited => {
            print_error(
                "with `--extrapolation none --subsumption inclusion` a search may never end; \
                 add `--time-limit` or `--state-limit`, or leave one of them out",
            );
            Err(Exit::BadInput)
        }
        (None, Some(SubsumptionKind::Inclusion)) => {
            Ok((Some(Extrapolation::LuPlus), Some(Subsumption::Inclusion)))
        }
        (zones, covering) => Ok((zones.map(extrapolation), covering.map(subsumption))),
    }
}

fn extrapolation(kind: ExtrapolationKind) -> Extrapolation {
    match kind {
        ExtrapolationKind::None => Extrapolation::None,
        ExtrapolationKind::M => Extrapolation::M,
        ExtrapolationKind::MPlus => Extrapolation::MPlus,
        ExtrapolationKind::Lu => Extrapolation::Lu,
        ExtrapolationKind::LuPlus => Extrapolation::LuPlus,
    }
}

fn subsumption(kind: SubsumptionKind) -> Subsumption {
    match kind {
        SubsumptionKind::Inclusion => Subsumption::Inclusion,
        SubsumptionKind::Alu => Subsumption::Alu,
    }
}

/// Limits as they are given, in seconds, mebibytes and states.
pub(crate) fn limits(
    seconds: Option<f64>,
    mebibytes: Option<usize>,
    states: Option<u64>,
) -> Result<Limits, Exit> {
    let time = match seconds {
        None => None,
        Some(seconds) if seconds > 0.0 && seconds.is_finite() => {
            Some(Duration::from_secs_f64(seconds.min(1e9)))
        }
        Some(seconds) => {
            print_error(format!("a time limit of {seconds} seconds makes no sense"));
            return Err(Exit::BadInput);
        }
    };
    let memory = match mebibytes {
        Some(mebibytes) => Some(mebibytes.saturating_mul(1 << 20)),
        None => guidepost::default_memory_limit(),
    };
    Ok(Limits { time, memory, states, interrupt: None })
}

/// A flag that the first Ctrl-C sets; another one, not at once, ends the program. Signals that follow each other closely (as when both a process and its
/// group get one) count as one, so that the answers found so far are not lost.
pub(crate) fn on_interrupt() -> Arc<AtomicBool> {
    const SAME: Duration = Duration::from_millis(500);
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    let mut first: Option<Instant> = None;
    // Without a handler Ctrl-C ends the program the hard way, which is no reason not to start.
    let _ = ctrlc::set_handler(move || {
        seen.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > SAME {
            std::process::exit(130);
        }
    });
    flag
}

/// Reading and building look at no limits: while a model is read, a thread looks at them and ends the program when one is reached.
pub(crate) struct Reading {
    is_over: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Reading {
    /// How often limits are looked at.
    const PAUSE: Duration = Duration::from_millis(50);
    /// Shorter limits are for the search: on a busy machine, reading a small model may take as long.
    const SHORTEST: Duration = Duration::from_millis(500);

    /// Reading begins; it is over when the value is dropped.
    pub(crate) fn begin(limits: &Limits) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let (over, limits, begin) = (Arc::clone(&is_over), limits.clone(), Instant::now());
        let watch = move || {
            while !over.load(Ordering::Relaxed) {
                let is_interrupted =
                    limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
                let is_late = limits.time.is_some_and(|time| begin.elapsed() >= time.max(Self::SHORTEST));
                if is_interrupted || is_late {
                    let what = if is_interrupted { "interrupted" } else { "the time limit was reached" };
                    print_error(format!("{what} while the model was read; nothing was answered"));
                    std::process::exit(Exit::Undecided as i32);
                }
                std::thread::park_timeout(Self::PAUSE);
            }
        };
        // Without a thread, limits hold from the search on.
        Self { is_over, thread: std::thread::Builder::new().spawn(watch).ok() }
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It has nothing left to do but to end.
            let _ = thread.join();
        }
    }
}
