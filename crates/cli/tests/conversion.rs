//! Conversion keeps the meaning: a model and what `convert` makes of it give the same network and the same goals.

mod common;

use common::{Scratch, guidepost, models};
use guidepost_language::diagnostic::{Code, Diagnostics};
use guidepost_language::model::{Format, Formula};
use guidepost_language::{Loaded, load_file, load_text, syntax, write};
use guidepost_network::{Network, build, compile_query};
use std::path::Path;

/// Larger networks take their time, and have no constructs that smaller ones do not have.
const MOST_EDGES: usize = 20_000;

/// Everything that a network consists of, its code as listings, without positions in the source.
fn fingerprint(network: &Network) -> String {
    without_spans(&format!(
        "{:?}",
        (
            (&network.processes, &network.locations, &network.edges),
            (&network.clocks, &network.variables, &network.channels, &network.vectors),
            (&network.before_update, &network.after_update, network.internal_priority),
            (&network.program, network.range_violation, &network.features),
        )
    ))
}

/// Cuts `Span { file: FileId(…), start: …, end: … }` and the list of the places of instructions out of a debug listing.
fn without_spans(listing: &str) -> String {
    let mut kept = String::with_capacity(listing.len());
    let mut rest = listing;
    while let Some(at) = rest.find("Span {") {
        kept.push_str(&rest[..at]);
        rest = rest[at..].split_once('}').map_or("", |(_, rest)| rest);
    }
    kept.push_str(rest);
    let Some(start) = kept.find("spans: [") else { return kept };
    let end = kept[start..].find(']').map_or(kept.len(), |end| start + end);
    kept.replace_range(start..end, "");
    kept
}

/// What a model means: its network, and what its queries compile to.
struct Meaning {
    network: Network,
    fingerprint: String,
    goals: String,
}

/// `None` when the model has errors or cannot be built.
fn meaning(loaded: &Loaded) -> Option<Meaning> {
    if loaded.diagnostics.has_errors() {
        return None;
    }
    let network = build(&loaded.model).0?;
    let fingerprint = fingerprint(&network);
    let mut goals = String::new();
    for query in loaded.model.queries.iter().filter(|query| is_query(&query.formula)) {
        let compiled = compile_query(&network, &loaded.model, query);
        let question = compiled.map_or_else(|_| "not supported".to_owned(), |c| format!("{:?}", c.question));
        goals.extend([&query.text, ": ", &without_spans(&question), "\n"]);
    }
    Some(Meaning { network, fingerprint, goals })
}

/// The graphical editor stores empty queries and headings; as text they are comments.
fn is_query(formula: &Formula) -> bool {
    !matches!(formula, Formula::Empty | Formula::Error)
}

/// The queries of a model as text.
fn queries_of(loaded: &Loaded) -> String {
    let mut document = loaded.document.clone();
    document
        .queries
        .retain(|query| !matches!(query.formula, syntax::Formula::Empty | syntax::Formula::Error));
    write::to_q(&document)
}

/// Loads what was written, with the queries that textual models keep in a file of their own.
fn again(name: &str, text: &str, queries: Option<&str>) -> Loaded {
    let mut loaded = load_text(name, text);
    if let Some(queries) = queries {
        loaded.model.queries = loaded.queries_from_text("model.q", queries, &mut Diagnostics::default());
    }
    loaded
}

/// `Ok` when the written model means what the original means.
fn same(original: &Meaning, written: &Loaded, text: &str) -> Result<(), String> {
    let Some(meaning) = meaning(written) else {
        let style = guidepost_language::render::Style::default();
        let problems = guidepost_language::render::render(&written.diagnostics, &written.sources, style);
        return Err(format!("what was written cannot be read\n{problems}\n{text}"));
    };
    difference("network", &original.fingerprint, &meaning.fingerprint)?;
    difference("list of goals", &original.goals, &meaning.goals)
}

fn difference(what: &str, before: &str, after: &str) -> Result<(), String> {
    if before == after {
        return Ok(());
    }
    let at =
        before.bytes().zip(after.bytes()).position(|(a, b)| a != b).unwrap_or(before.len().min(after.len()));
    let around = |text: &str| text.chars().skip(at.saturating_sub(200)).take(400).collect::<String>();
    Err(format!("the {what} differs:\n{}\n-- became --\n{}", around(before), around(after)))
}

/// Whether a model could be written, or what is wrong with what was written.
type Checked = Result<bool, String>;

/// Runs `check` for every model that can be read, built and written; gives how many there were.
fn each(wanted: impl Fn(&Loaded) -> bool, check: impl Fn(&Path, &Loaded, &Meaning) -> Checked) -> usize {
    let (mut checked, mut problems) = (0, Vec::new());
    for path in models() {
        let loaded = load_file(&path);
        if !wanted(&loaded) {
            continue;
        }
        let Some(original) = meaning(&loaded) else { continue };
        if original.network.edges.len() > MOST_EDGES {
            continue;
        }
        match check(&path, &loaded, &original) {
            Ok(written) => checked += usize::from(written),
            Err(problem) => problems.push(format!("{}: {problem}", path.display())),
        }
    }
    assert!(problems.is_empty(), "{} models\n{}", problems.len(), problems.join("\n\n"));
    checked
}

/// A model that the other format has no words for is refused with E010, never changed silently.
fn expressible(path: &Path, written: Result<String, Diagnostics>) -> Option<String> {
    match written {
        Ok(text) => Some(text),
        Err(refused) => {
            assert!(
                refused.iter().all(|refusal| refusal.code == Code::NotExpressible),
                "{}: {refused:#?}",
                path.display()
            );
            None
        }
    }
}

fn is_uppaal(loaded: &Loaded) -> bool {
    loaded.document.format != Format::Tck
}

#[test]
fn a_model_written_as_text_has_the_same_network() {
    let checked = each(is_uppaal, |path, loaded, original| {
        let written = write::to_xta(&loaded.document, &loaded.sources);
        let Some(text) = expressible(path, written) else { return Ok(false) };
        let queries = queries_of(loaded);
        same(original, &again("model.xta", &text, Some(&queries)), &text)?;
        Ok(true)
    });
    assert!(checked >= 10, "only {checked} models");
}

#[test]
fn a_model_written_as_xml_has_the_same_network() {
    let checked = each(is_uppaal, |path, loaded, original| {
        let written = write::to_xml(&loaded.document, &loaded.sources);
        let Some(text) = expressible(path, written) else { return Ok(false) };
        same(original, &again("model.xml", &text, None), &text)?;
        Ok(true)
    });
    assert!(checked >= 10, "only {checked} models");
}

#[test]
fn there_and_back_again_changes_nothing() {
    each(is_uppaal, |path, loaded, original| {
        let written = write::to_xta(&loaded.document, &loaded.sources);
        let Some(text) = expressible(path, written) else { return Ok(false) };
        let queries = queries_of(loaded);
        let mut textual = again("model.xta", &text, None);
        let fragment = guidepost_language::source::Fragment::whole(
            textual.sources.add("model.q", queries.as_str()),
            &queries,
        );
        textual.document.queries = guidepost_language::parse::queries(&fragment, &mut Diagnostics::default());
        let xml = write::to_xml(&textual.document, &textual.sources).expect("text can be said in XML");
        same(original, &again("model.xml", &xml, None), &xml)?;
        Ok(true)
    });
}

/// A range violation disables a transition there and is an error here, so the writer adds guards; names and sizes stay.
#[test]
fn tchecker_models_keep_their_processes_clocks_and_variables() {
    let checked = each(|loaded| !is_uppaal(loaded), tchecker);
    assert!(checked >= 1, "only {checked} models");
}

fn tchecker(path: &Path, loaded: &Loaded, original: &Meaning) -> Checked {
    let written = write::to_xta(&loaded.document, &loaded.sources);
    let Some(text) = expressible(path, written) else { return Ok(false) };
    let textual = meaning(&again("model.xta", &text, None)).ok_or("the text cannot be read")?;
    let xml = write::to_xml(&loaded.document, &loaded.sources).expect("what text can say, XML can");
    let xml = meaning(&again("model.xml", &xml, None)).ok_or("the XML cannot be read")?;
    difference("network", &textual.fingerprint, &xml.fingerprint)?;
    let names = |network: &Network| {
        let processes = network.processes.iter().map(|process| process.name.as_str());
        let clocks = network.clocks.iter().map(|clock| clock.name.as_str());
        let variables = network.variables.iter().map(|variable| variable.name.as_str());
        let locations = network.locations.iter().map(|location| location.name.as_str());
        // A name that is a keyword there gets an underscore.
        let names = processes.chain(clocks).chain(variables).chain(locations);
        names.map(|name| name.trim_end_matches('_')).collect::<Vec<_>>().join(" ")
    };
    difference("list of names", &names(&original.network), &names(&textual.network))?;
    Ok(true)
}

/// The state spaces of TChecker models that are small enough to be explored whole are as large as before.
#[test]
fn tchecker_models_keep_their_behaviour() {
    let scratch = Scratch::new();
    let (mut checked, mut problems) = (0, Vec::new());
    // Long files have many clocks, with which even a few states take their time.
    let is_small = |path: &Path| path.metadata().is_ok_and(|data| data.len() < 6000);
    let is_tchecker = |path: &Path| path.extension().is_some_and(|extension| extension == "tck");
    for path in models().iter().filter(|path| is_tchecker(path) && is_small(path)) {
        let (name, text) = (path.display().to_string(), scratch.path("model.xta"));
        if guidepost(&["convert", &name, &text, "--force"]).code != 0 {
            continue;
        }
        let explore = |model: &str| {
            let query = ["--query", "A[] true", "--state-limit", "1000"];
            let ran = guidepost(&[&["check", model, "--format", "json", "--quiet"][..], &query].concat());
            (ran.code == 0).then(|| {
                let answer = ran.json();
                let number = |key: &str| answer["results"][0]["statistics"][key].as_u64().expect("a number");
                (number("discrete"), number("stored"), number("transitions"))
            })
        };
        let Some(before) = explore(&name) else { continue };
        let after = explore(&text);
        if after != Some(before) {
            problems.push(format!("{name}: {before:?} became {after:?}"));
        }
        checked += 1;
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(checked >= 1, "only {checked} models");
}
