//! Requests and their answers.
//!
//! A request is an object with `do` and what belongs to it; see [`Explorer::answer`]. What cannot be done is answered with `refused`, a sentence for people.

use crate::searches::Searches;
use crate::view;
use guidepost::language::model::Query;
use guidepost::network::interpreter::{Random, Rational, ReplayReason, ReplayStep, RunEnd};
use guidepost::report::html::kit::Channels;
use guidepost::report::intervals;
use guidepost::report::trace_file::{RecordedRuns, describe, lone_run};
use guidepost::{Answer, Position, Refused, RunKind, Settings, Simulator, Verdict};
use guidepost_answer::{Evidence, Outcome};
use guidepost_network::EdgeId;
use serde_json::{Value, json};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Random steps at once, at most: what takes a second or two.
const MOST_RANDOM_STEPS: u64 = 10_000;

/// A model that can be explored.
pub struct Explorer {
    simulator: Mutex<Simulator>,
    channels: Channels,
    random: Mutex<Random>,
    searches: Searches,
    settings: Settings,
    model: String,
    begin: Mutex<Position>,
}

type Reply = Result<Value, String>;

impl Explorer {
    /// An explorer of a model that has a name. Searches have these settings; the seed is for random steps as well.
    pub fn new(simulator: Simulator, model: String, settings: Settings) -> Self {
        let channels = Channels::of(simulator.network());
        let begin = Mutex::new(simulator.root());
        let random = Mutex::new(Random::new(settings.seed));
        let simulator = Mutex::new(simulator);
        Self { simulator, channels, random, searches: Searches::default(), settings, model, begin }
    }

    /// The name of the model.
    pub fn model(&self) -> &str {
        &self.model
    }

    pub(crate) fn channels(&self) -> &Channels {
        &self.channels
    }

    pub(crate) fn simulator(&self) -> MutexGuard<'_, Simulator> {
        self.simulator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the page begins that has not been told otherwise.
    pub(crate) fn beginning(&self) -> Position {
        *self.begin.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads recorded runs; the page begins at the end of the first one. Says how many there are.
    ///
    /// # Errors
    /// Why they are no runs of this model.
    pub fn open_runs(&self, text: &str) -> Result<usize, String> {
        let ends = self.load(text)?;
        *self.begin.lock().unwrap_or_else(PoisonError::into_inner) = ends[0].1;
        Ok(ends.len())
    }

    /// Answers a request:
    ///
    /// | `do` | with | answer |
    /// |---|---|---|
    /// | `run` | `at` | the whole run to a position |
    /// | `look` | `at` | what can happen there, and when; where somebody went |
    /// | `zone` | `at` | the clock values that the same transitions allow; `later` when that takes longer |
    /// | `take` | `at`, `edges`, `delay` | the step; `edges` empty only waits, without `delay` the earliest is meant |
    /// | `random` | `at`, `steps` | the steps |
    /// | `why` | `at`, `process` | the edges that leave its location, and what is in their way |
    /// | `branches` | | the ends of all branches |
    /// | `way` | `at`, `goal`, `search` | a way from a position to a goal |
    /// | `ask` | `query`, `search` | the answer to a query about the model, and its run |
    /// | `stop` | `search` | |
    /// | `save` | `at` | a trace file |
    /// | `load` | `text` | where the runs of a trace file lead |
    /// | `hello` | | that the server is there |
    pub fn answer(&self, request: &Value) -> Value {
        let reply = match request["do"].as_str() {
            Some("run") => self.at(request).map(|at| view::run(&self.simulator(), &self.channels, at)),
            Some("look") => self.at(request).map(|at| view::position(&self.simulator(), &self.channels, at)),
            Some("zone") => self.at(request).map(|at| view::zone(&mut self.simulator(), at)),
            Some("take") => self.take(request),
            Some("random") => self.wander(request),
            Some("why") => self.why(request),
            Some("branches") => Ok(view::branches(&self.simulator())),
            Some("way") => self.way(request),
            Some("ask") => self.ask(request),
            Some("stop") => {
                self.searches.stop(text(request, "search"));
                Ok(json!({}))
            }
            Some("save") => self.save(request),
            Some("load") => self.load(text(request, "text")).map(|ends| loaded(&ends)),
            Some("hello") => Ok(json!({})),
            _ => Err("there is no such request".to_owned()),
        };
        reply.unwrap_or_else(|refused| json!({ "refused": refused }))
    }

    fn at(&self, request: &Value) -> Result<Position, String> {
        let number = request["at"].as_u64();
        let found = number.and_then(|number| self.simulator().position(number));
        found.ok_or_else(|| "this state is not known; the server was started anew since".to_owned())
    }

    fn take(&self, request: &Value) -> Reply {
        let at = self.at(request)?;
        let edges = request["edges"].as_array().into_iter().flatten();
        let edges: Option<Vec<EdgeId>> =
            edges.map(|edge| Some(EdgeId(u32::try_from(edge.as_u64()?).ok()?))).collect();
        let edges = edges.ok_or("`edges` are numbers")?;
        let mut simulator = self.simulator();
        let given = text(request, "delay").trim().replace(',', ".");
        let delay = if given.is_empty() {
            let choices = simulator
                .choices(at)
                .map_err(|failure| describe(&ReplayReason::Failure(failure), simulator.network()))?;
            let choice = choices.transitions.into_iter().find(|choice| choice.transition.edges == edges);
            let earliest = choice.and_then(|choice| view::earliest(&choice.delays));
            if edges.is_empty() {
                return Err("say how long to wait".to_owned());
            }
            earliest.unwrap_or_default()
        } else {
            given.parse::<Rational>().map_err(|error| error.to_string())?
        };
        if delay.is_negative() {
            return Err("a delay is not negative".to_owned());
        }
        let step = ReplayStep { delay, edges };
        let to = simulator.take(at, &step).map_err(|refused| refusal(&simulator, at, &step, &refused))?;
        Ok(view::continuation(&simulator, &self.channels, at, to))
    }

    fn wander(&self, request: &Value) -> Reply {
        let at = self.at(request)?;
        let steps = request["steps"].as_u64().unwrap_or(1).min(MOST_RANDOM_STEPS) as usize;
        let mut simulator = self.simulator();
        let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
        let (to, end) = simulator.wander(at, steps, &mut random).map_err(|refused| refused.to_string())?;
        let mut value = view::continuation(&simulator, &self.channels, at, to);
        value["end"] = match end {
            RunEnd::Length => Value::Null,
            RunEnd::Deadlock => {
                json!("No transition is possible any more, however long one waits: a deadlock.")
            }
            RunEnd::TimeLock => {
                json!("No transition is possible any more, and time cannot go on: a time lock.")
            }
            RunEnd::Initial => json!("The initial state violates an invariant."),
            RunEnd::Failure(failure) => {
                let failure = describe(&ReplayReason::Failure(failure), simulator.network());
                json!(format!("The model has an error: {failure}."))
            }
        };
        Ok(value)
    }

    fn why(&self, request: &Value) -> Reply {
        let at = self.at(request)?;
        let simulator = self.simulator();
        let process = request["process"].as_u64().map(|process| process as usize);
        let process = process.filter(|&process| process < simulator.network().processes.len());
        let process = process.ok_or("there is no such process")?;
        let obstacles = simulator.obstacles(at, process);
        let obstacles =
            obstacles.map_err(|failure| describe(&ReplayReason::Failure(failure), simulator.network()))?;
        let teller = view::teller(&simulator, at);
        let edges = obstacles.iter().map(|(edge, obstacles)| {
            json!({
                "edge": simulator.network().edges[edge.index()].origin.edge,
                "words": teller.edge(*edge),
                "reasons": obstacles.iter().map(|obstacle| teller.obstacle(obstacle)).collect::<Vec<_>>(),
            })
        });
        Ok(json!({ "edges": edges.collect::<Vec<_>>() }))
    }

    fn way(&self, request: &Value) -> Reply {
        let at = self.at(request)?;
        let way = self.simulator().way(at, text(request, "goal")).map_err(|error| plain(&error))?;
        let answer =
            self.searching(request, |settings| way.search(settings).map_err(|reason| reason.to_string()))?;
        let words = match (&answer.outcome, &answer.evidence) {
            (Outcome::Decided(true), Some(run)) if run.length() == 0 && run.steps.is_empty() => {
                "You are there.".to_owned()
            }
            (Outcome::Decided(true), Some(run)) => format!("A way of {}.", transitions(run)),
            (Outcome::Decided(false), _) => {
                "There is no way from here, whatever one does and however long one waits.".to_owned()
            }
            _ => self.undecided(&answer),
        };
        self.arrived(at, &answer, &words)
    }

    fn ask(&self, request: &Value) -> Reply {
        let mut session = self.simulator().session().clone();
        let query = text(request, "query").trim();
        // A property may be asked for in its author's words.
        let is_meant = |own: &&Query| own.property.as_ref().is_some_and(|own| own.to_string() == query);
        let known = session.queries().iter().find(is_meant).map(|own| own.text.clone());
        let query = known.unwrap_or_else(|| query.to_owned());
        let answer =
            self.searching(request, |settings| session.ask(&query, settings).map_err(|error| plain(&error)))?;
        let verdict = match answer.verdict() {
            _ if answer.measured().is_some() => {
                let bounds = answer.measured().map(guidepost::report::verdict::bounds).unwrap_or_default();
                format!("{}.", bounds.join(", "))
            }
            Verdict::Satisfied => "Satisfied.".to_owned(),
            Verdict::NotSatisfied => "Not satisfied.".to_owned(),
            Verdict::Undecided => self.undecided(&answer),
        };
        let words = match &answer.evidence {
            Some(run) => format!("{verdict} Shown by a run of {}.", transitions(run)),
            None => verdict,
        };
        let root = self.simulator().root();
        self.arrived(root, &answer, &words)
    }

    /// Searches without keeping anybody from looking around.
    fn searching(
        &self,
        request: &Value,
        search: impl FnOnce(&Settings) -> Result<Answer, String>,
    ) -> Result<Answer, String> {
        let name = text(request, "search");
        let flag = self.searches.begin(name);
        let mut settings = Settings { run: RunKind::Any, ..self.settings.clone() };
        if request["shortest"].as_bool() == Some(true) {
            settings.run = RunKind::Shortest;
        }
        settings.limits.interrupt = Some(flag.clone());
        let answer = search(&settings);
        self.searches.end(name, &flag);
        answer
    }

    /// Where the run of an answer leads that begins at a position.
    fn arrived(&self, at: Position, answer: &Answer, words: &str) -> Reply {
        let mut value = json!({ "words": words, "verdict": answer.outcome.decision() });
        let way = answer.model_error().and_then(|error| error.evidence.as_ref());
        if let Some(run) = answer.evidence.as_ref().or(way) {
            let end = self.simulator().graft(at, &run.steps).map_err(|refused| refused.to_string())?;
            value["at"] = json!(end.0);
        }
        Ok(value)
    }

    fn undecided(&self, answer: &Answer) -> String {
        if let Some(error) = answer.model_error() {
            return format!("The model has an error: {}.", error.error.describe(self.simulator().network()));
        }
        if let Some(error) = &answer.internal {
            return format!("Undecided: {error}.");
        }
        match answer.stop_reason() {
            Some(reason) => format!("Undecided: {}.", reason.describe()),
            None => "Undecided.".to_owned(),
        }
    }

    fn save(&self, request: &Value) -> Reply {
        let at = self.at(request)?;
        let simulator = self.simulator();
        let evidence = simulator.evidence(at);
        Ok(json!({ "text": lone_run(&self.model, simulator.network(), &evidence) }))
    }

    /// The titles of recorded runs, and where they lead.
    fn load(&self, text: &str) -> Result<Vec<(String, Position)>, String> {
        let recorded = RecordedRuns::parse(text).map_err(|error| error.to_string())?;
        let mut simulator = self.simulator();
        let root = simulator.root();
        let mut ends = Vec::new();
        for run in &recorded.runs {
            let evidence: Evidence = run
                .replay(simulator.network())
                .map_err(|error| format!("the run is none of this model: {error}"))?;
            let end = simulator.graft(root, &evidence.steps).map_err(|refused| refused.to_string())?;
            ends.push((run.query.clone().unwrap_or_else(|| "run".to_owned()), end));
        }
        Ok(ends)
    }
}

/// Why a step is not possible: when it is, if it is ever.
fn refusal(simulator: &Simulator, at: Position, step: &ReplayStep, refused: &Refused) -> String {
    let Refused::Impossible(reason) = refused else { return refused.to_string() };
    let why = describe(reason, simulator.network());
    let choices = simulator.choices(at).ok();
    let choice = choices.and_then(|choices| {
        choices.transitions.into_iter().find(|choice| choice.transition.edges == step.edges)
    });
    let delay = guidepost::report::decimal(step.delay);
    match choice {
        Some(choice) => {
            format!("Not after d = {delay}: {why}. This is possible for {}.", intervals(&choice.delays))
        }
        None if step.edges.is_empty() => format!("It is not possible to wait for {delay}: {why}."),
        None => format!("This is not possible here: {why}."),
    }
}

fn loaded(ends: &[(String, Position)]) -> Value {
    let runs: Vec<Value> = ends.iter().map(|(title, end)| json!({ "title": title, "at": end.0 })).collect();
    json!({ "runs": runs, "at": ends[0].1.0 })
}

fn text<'r>(request: &'r Value, key: &str) -> &'r str {
    request[key].as_str().unwrap_or_default()
}

fn transitions(run: &Evidence) -> String {
    match run.length() {
        0 => "no transition, after waiting".to_owned(),
        1 => "1 transition".to_owned(),
        length => format!("{length} transitions"),
    }
}

/// Messages without what belongs to a terminal.
fn plain(error: &guidepost::ModelError) -> String {
    let messages = error.diagnostics().iter().filter(|message| message.is_error());
    let messages: Vec<String> = messages.map(|message| message.message.clone()).collect();
    messages.join("; ")
}
