//! guidepost is a directed model checker for real-time systems: networks of timed automata with bounded data, written in UPPAAL's
//! language or in `TChecker`'s. This crate is its face towards Rust programs; the `guidepost` command is built from the same parts.
//!
//! # A first model
//!
//! A model is text. [`Session::parse`] reads it; the name says which format it is in (`.xml`, `.xta`, `.ta` or `.tck`).
//!
//! ```
//! use guidepost::Session;
//!
//! let lamp = Session::parse(
//!     "lamp.xta",
//!     "
//!     clock y;
//!     chan press;
//!     process Lamp() {
//!         state off, low { y <= 10 }, bright { y <= 10 };
//!         init off;
//!         trans off -> low { sync press?; assign y = 0; },
//!               low -> bright { guard y < 5; sync press?; },
//!               low -> off { guard y == 10; },
//!               bright -> off { guard y == 10; };
//!     }
//!     process User() { state idle; init idle; trans idle -> idle { sync press!; }; }
//!     system Lamp, User;
//!     ",
//! )?;
//! let network = lamp.network();
//! assert_eq!(network.processes.len(), 2);
//! assert_eq!(network.locations.len(), 4);
//! assert_eq!(network.clocks[1].name, "y"); // clock 0 is the constant zero
//! # Ok::<(), guidepost::ModelError>(())
//! ```
//!
//! Files are read with [`Session::open`]; queries come with them, from the XML or from the `.q` file beside the model.
//!
//! ```
//! # fn main() -> Result<(), guidepost::ModelError> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/fischer.xml");
//! let fischer = guidepost::Session::open(path)?;
//! assert_eq!(fischer.queries().len(), 7);
//! # Ok(())
//! # }
//! ```
//!
//! # When a model is wrong
//!
//! Reading does not stop at the first mistake. A [`ModelError`] holds them all, each with its code, its place and a hint, and
//! prints them the way the command does.
//!
//! ```
//! use guidepost::Session;
//!
//! let wrong = "
//!     clock x;
//!     process P() { state A { x <= lenght }; init A; trans A -> A { guard n > 0; }; }
//!     system P;
//! ";
//! let error = Session::parse("wrong.xta", wrong).unwrap_err();
//! let codes: Vec<&str> = error.diagnostics().iter().map(|message| message.code.id()).collect();
//! assert_eq!(codes, ["E020", "E020"]); // two names that are not declared
//! assert!(error.to_string().contains("wrong.xta:3:34"));
//! ```
//!
//! # Runs
//!
//! [`Session::simulate`] makes a random timed run. Its choices follow from the seed, delays and clock values are exact fractions.
//! [`Trace`] shows it, as text or as JSON.
//!
//! ```
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/fischer.xml");
//! use guidepost::{Look, RunEnd, Session, Trace};
//!
//! let fischer = Session::open(path)?;
//! let run = fischer.simulate(1, 20);
//! assert_eq!(run.end, RunEnd::Length); // nobody gets stuck
//!
//! let trace = Trace::of_run(fischer.network(), &run);
//! assert_eq!(trace.length(), 20);
//! let text = trace.text(Look::default());
//! assert!(text.contains("Idle -> Trying"), "{text}");
//! let json = trace.json();
//! assert_eq!(json["steps"].as_array().unwrap().len(), 20);
//! # Ok::<(), guidepost::ModelError>(())
//! ```
//!
//! # States and goals
//!
//! A query is compiled against the network; what it asks about states becomes a list of goals, and an [`Interpreter`] says whether
//! a concrete state satisfies one. So a run can be searched for a state of interest:
//!
//! ```
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/fischer.xml");
//! use guidepost::{Interpreter, Question, Session};
//!
//! let mut fischer = Session::open(path)?;
//! let query = fischer.compile("E<> exists (i : pid_t) P(i).Critical")?;
//! let Question::Possibly(critical) = query.question else { unreachable!() };
//!
//! let run = fischer.simulate(1, 200);
//! let mut interpreter = Interpreter::new(fischer.network());
//! let reached = run.steps.iter().position(|step| {
//!     critical.goals.iter().any(|goal| interpreter.satisfies(&step.state, goal).unwrap())
//! });
//! assert!(reached.is_some(), "somebody gets in");
//! # Ok::<(), guidepost::ModelError>(())
//! ```
//!
//! # Answers
//!
//! [`Session::ask`] answers a query: the verdict, what the engine did, and, where a run shows it, that run, replayed step by step. [`Trace`] shows the run,
//! as the command does.
//!
//! ```
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/fischer-faulty.xml");
//! use guidepost::{Look, RunKind, Session, Settings, Trace, Verdict};
//!
//! let mut faulty = Session::open(path)?;
//! let shortest = Settings { run: RunKind::Shortest, ..Settings::default() };
//! let answer = faulty.ask("E<> P(1).Critical and P(2).Critical", &shortest)?;
//! assert_eq!(answer.verdict(), Verdict::Satisfied);
//! let run = answer.evidence.expect("a run was asked for");
//! assert!(run.optimal && run.length() == 6);
//!
//! let text = Trace::new(faulty.network(), &run.initial, &run.steps).text(Look::default());
//! println!("{text}");
//! assert!(text.lines().last().is_some_and(|last| last.contains("P(2)     Pausing -> Critical")), "{text}");
//! # Ok::<(), guidepost::ModelError>(())
//! ```
//!
//! Several queries at once are an [`Inquiry`]: those that came with the model, of a file, or given as texts. [`Session::check`] answers them and tells each
//! result as soon as it is known; queries that can share an exploration do. [`default_settings`] are those of the command.
//!
//! ```
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/fischer.xml");
//! use guidepost::{CheckEvent, Queries, Session, default_settings};
//!
//! let mut fischer = Session::open(path)?;
//! let inquiry = fischer.inquire(&Queries::Stored, &[]).expect("there are queries");
//! let results = fischer.check(inquiry, &default_settings(), &mut |event| {
//!     if let CheckEvent::Result(known) = event {
//!         println!("{}", known.last().unwrap().title());
//!     }
//! })?;
//! assert!(results.iter().all(|result| result.is_expected() == Some(true)));
//! # Ok::<(), guidepost::ModelError>(())
//! ```
//!
//! # Step by step
//!
//! A [`Simulator`] goes through a model by hand: what can happen in a state and after which delays, one step, back and somewhere else; and the way from a state to
//! another, found by a directed search that begins there.
//!
//! ```
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/fischer-faulty.xml");
//! use guidepost::{Session, Settings, Simulator, RunKind};
//! use guidepost::network::interpreter::ReplayStep;
//!
//! let mut simulator = Simulator::new(Session::open(path)?)?;
//! let start = simulator.root();
//! let choices = simulator.choices(start).unwrap();
//! let first = &choices.transitions[0];
//! let delay = first.delays[0].sample().unwrap();
//! let next = simulator.take(start, &ReplayStep { delay, edges: first.transition.edges.clone() }).unwrap();
//!
//! let way = simulator.way(next, "P(1).Critical and P(2).Critical")?;
//! let settings = Settings { run: RunKind::Any, ..Settings::default() };
//! let answer = way.search(&settings).unwrap();
//! let there = simulator.graft(next, &answer.evidence.unwrap().steps).unwrap();
//! assert_eq!(simulator.path(there)[1], next);
//! # Ok::<(), guidepost::ModelError>(())
//! ```
//!
//! # What is inside
//!
//! | module | what it holds |
//! |---|---|
//! | [`language`] | readers, syntax tree, typed model, diagnostics, writers |
//! | [`network`] | the flat network, compiled code, queries as goals, the interpreter |
//! | [`answer`] | answers, evidence, limits, progress |
//! | [`cluster`] | one exploration on several processes and machines |
//! | [`certificates`] | proofs of unreachability, and their checker |
//! | [`search`] | searches over zones |
//! | [`verify`] | all engines, and the choice among them |
//! | [`report`] | traces, summaries and verdicts as text and JSON |
#![forbid(unsafe_code)]

mod attained;
mod certificate;
mod check;
mod error;
mod guideposts;
mod inquiry;
mod machine;
pub mod options;
mod refusal;
mod selection;
mod session;
mod simulator;
mod survey;
pub mod uppaal;
mod worker;

pub use guidepost_answer as answer;
pub use guidepost_certificate as certificates;
pub use guidepost_cluster as cluster;
pub use guidepost_language as language;
pub use guidepost_network as network;
pub use guidepost_report as report;
pub use guidepost_search as search;
pub use guidepost_verify as verify;

pub use certificate::{Certified, NoCertificate, States, is_provable, not_looked_at};
pub use check::{CheckEvent, Complete};
pub use error::{ModelError, Trouble};
pub use guidepost_answer::{Answer, Evidence, Outcome, RunKind, Verdict};
pub use guidepost_language::Loaded;
pub use guidepost_language::diagnostic::{Diagnostic, Diagnostics};
pub use guidepost_network::interpreter::{Interpreter, Rational, Run, RunEnd, State, Transition};
pub use guidepost_network::{CompiledQuery, Goal, Network, Predicate, Question};
pub use guidepost_report::{Look, Summary, Trace};
pub use guidepost_verify::Settings;
pub use inquiry::{Entry, Inquiry, NothingAsked, Queries};
pub use machine::{default_memory_limit, default_settings};
pub use refusal::{obstacle, summary};
pub use selection::{numbered, select};
pub use session::{Session, read};
pub use simulator::{ClockRange, NoZone, Position, Refused, Simulator, Taken, Way, Zone};
pub use survey::{Space, SurveyError};
pub use worker::{WorkerError, take_part};
