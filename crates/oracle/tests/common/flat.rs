//! A model against its flat form: written, read again, explored side by side.
//!
//! Edges come out in the order in which they went in, so both explorations take the same steps and every number must agree, also where a limit
//! ends them. Only choices of `select` that make no difference are written once.

use guidepost_answer::{Answer, BoundValue, Engine, Limits, Outcome, Survey};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::model::{Formula, Query};
use guidepost_language::{Loaded, load_text};
use guidepost_network::flat::{Flat, FlatError, Flattener, Omitted};
use guidepost_network::{CompiledQuery, Network, Question, build, compile_query};
use guidepost_search::{Configuration, Zones, survey};

/// What became of a comparison.
#[derive(Debug)]
pub(crate) enum Compared {
    /// Both are the same, as far as they were explored.
    Same,
    /// There is nothing to compare: the model has errors, or cannot be explored.
    Unusable,
    /// The model cannot be written.
    Refused(FlatError),
}

/// Larger networks take their time, and have no constructs that smaller ones do not have.
const MOST_EDGES: usize = 3000;

/// A network with queries.
struct Subject {
    network: Network,
    queries: Vec<CompiledQuery>,
}

impl Subject {
    /// Builds a model; queries that cannot be compiled, or ask for costs, are left out.
    fn of(loaded: &Loaded, queries: &[Query]) -> Option<(Self, Vec<Query>)> {
        if loaded.diagnostics.has_errors() {
            return None;
        }
        let network = build(&loaded.model).0?;
        if network.edges.len() > MOST_EDGES {
            return None;
        }
        let (mut compiled, mut asked) = (Vec::new(), Vec::new());
        for query in queries {
            if let Ok(ready) = compile_query(&network, &loaded.model, query)
                && !matches!(ready.question, Question::LeastCost(_))
            {
                compiled.push(ready);
                asked.push(query.clone());
            }
        }
        Some((Self { network, queries: compiled }, asked))
    }

    fn configuration(states: u64) -> Configuration {
        let limits = Limits { states: Some(states), ..Limits::default() };
        Configuration { limits, ..Configuration::default() }
    }

    fn survey(&self, states: u64) -> Option<Survey> {
        survey(&self.network, &Self::configuration(states), &mut |_| ()).ok().map(|surveyed| surveyed.survey)
    }

    fn answers(&self, states: u64) -> Option<Vec<Answer>> {
        Zones { configuration: Self::configuration(states) }.answers(&self.network, &self.queries).ok()
    }
}

/// Writes a model flat, with its queries and with their goals as queries of their own.
fn flatten(loaded: &Loaded, subject: &Subject, queries: &[Query]) -> Result<Flat, FlatError> {
    let nothing = Omitted::nothing(&subject.network);
    let mut flattener = Flattener::new(&subject.network, &loaded.model, &loaded.document, nothing);
    for query in queries {
        flattener.ask(query)?;
    }
    for query in &subject.queries {
        match &query.question {
            Question::Possibly(predicate) => flattener.ask_goals(&predicate.goals, "")?,
            Question::Always(predicate) => flattener.ask_goals(&predicate.negation, "")?,
            _ => {}
        }
    }
    flattener.finish()
}

/// Compares a model with its flat form, in text and in XML; `Err` says what differs.
pub(crate) fn compare(loaded: &mut Loaded, queries: &[String], states: u64) -> Result<Compared, String> {
    let mut asked = loaded.model.queries.clone();
    for query in queries {
        asked.extend(loaded.queries_from_text("query", query, &mut Diagnostics::default()));
    }
    asked.retain(|query| !matches!(query.formula, Formula::Empty | Formula::Error | Formula::Foreign(_)));
    let Some((subject, asked)) = Subject::of(loaded, &asked) else { return Ok(Compared::Unusable) };
    let flat = match flatten(loaded, &subject, &asked) {
        Ok(flat) => flat,
        Err(error) => return Ok(Compared::Refused(error)),
    };
    let (text, xml) = match (flat.to_xta(), flat.to_xml()) {
        (Ok(text), Ok(xml)) => (text, xml),
        (Err(error), _) | (_, Err(error)) => return Ok(Compared::Refused(error)),
    };
    let (Some(expected), Some(answers)) = (subject.survey(states), subject.answers(states)) else {
        return Ok(Compared::Unusable);
    };
    for (name, text) in [("flat.xta", &text), ("flat.xml", &xml)] {
        let explain = |message: String| format!("{name}: {message}\n{text}\n{}", flat.to_q());
        let again = reread(name, text, &flat.to_q()).map_err(explain)?;
        compare_surveys(&subject, &again, &expected, states).map_err(explain)?;
        compare_answers(&subject, &again, &answers, states).map_err(explain)?;
    }
    Ok(Compared::Same)
}

fn reread(name: &str, text: &str, queries: &str) -> Result<Subject, String> {
    let mut loaded = load_text(name, text);
    if loaded.diagnostics.has_errors() {
        return Err(format!("{:#?}", loaded.diagnostics));
    }
    let mut problems = Diagnostics::default();
    let queries = loaded.queries_from_text("query", queries, &mut problems);
    if problems.has_errors() {
        return Err(format!("{problems:#?}"));
    }
    let count = queries.len();
    let Some((subject, asked)) = Subject::of(&loaded, &queries) else {
        return Err(format!("no network: {:#?}", build(&loaded.model).1));
    };
    if asked.len() < count { Err("a query cannot be compiled".to_owned()) } else { Ok(subject) }
}

fn kind(outcome: &Outcome<()>) -> String {
    match outcome {
        Outcome::Failed(_) => "failed".to_owned(),
        outcome => format!("{outcome:?}"),
    }
}

/// What a question about bounds measured, whatever its expressions are called.
fn ranges(answer: &Answer) -> Vec<BoundValue> {
    answer.measurement.iter().flat_map(|measurement| &measurement.items).map(|item| item.value).collect()
}

fn compare_surveys(subject: &Subject, again: &Subject, expected: &Survey, states: u64) -> Result<(), String> {
    let Some(found) = again.survey(states) else { return Err("cannot be explored".to_owned()) };
    let (mine, theirs) = (kind(&found.outcome), kind(&expected.outcome));
    if mine != theirs {
        return Err(format!("{mine}, expected {theirs}"));
    }
    if found.reached != expected.reached || found.ranges != expected.ranges {
        return Err("other locations or values are reached".to_owned());
    }
    let numbers = |survey: &Survey| (survey.statistics.stored, survey.statistics.discrete);
    if numbers(&found) != numbers(expected) {
        return Err(format!("{:?} states, expected {:?}", numbers(&found), numbers(expected)));
    }
    let same_edges = subject.network.edges.len() == again.network.edges.len();
    let (generated, wanted) = (found.statistics.generated, expected.statistics.generated);
    if same_edges && (generated != wanted || found.taken != expected.taken) {
        return Err(format!("{generated} transitions, expected {wanted}"));
    }
    Ok(())
}

/// The queries come first, then what stands for those of reachability as goals.
fn compare_answers(
    subject: &Subject,
    again: &Subject,
    expected: &[Answer],
    states: u64,
) -> Result<(), String> {
    let Some(found) = again.answers(states) else { return Err("queries cannot be answered".to_owned()) };
    for (index, answer) in expected.iter().enumerate() {
        let (mine, theirs) = (&found[index], &subject.queries[index].text);
        let same = mine.verdict() == answer.verdict()
            && mine.model_error().is_some() == answer.model_error().is_some()
            && ranges(mine) == ranges(answer);
        if !same {
            return Err(format!("{theirs}: {:?}, expected {:?}", mine.verdict(), answer.verdict()));
        }
    }
    let reaches =
        |query: &CompiledQuery| matches!(query.question, Question::Possibly(_) | Question::Always(_));
    let positions = subject.queries.iter().enumerate().filter(|(_, query)| reaches(query));
    for ((index, query), goals) in positions.zip(&found[expected.len()..]) {
        use guidepost_answer::Verdict::{NotSatisfied, Satisfied};
        let wanted = match (&query.question, expected[index].verdict()) {
            (Question::Always(_), Satisfied) => NotSatisfied,
            (Question::Always(_), NotSatisfied) => Satisfied,
            (_, verdict) => verdict,
        };
        if goals.verdict() != wanted {
            return Err(format!("goals of {}: {:?}, expected {wanted:?}", query.text, goals.verdict()));
        }
    }
    Ok(())
}
