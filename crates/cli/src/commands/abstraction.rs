//! `guidepost abstract MODEL --hide a,b OUT`

use super::convert::{format_by_name, write_converted};
use crate::args::{ConvertFormat, MessageFormat};
use crate::exit::Exit;
use crate::input;
use crate::limits::on_interrupt;
use crate::terminal::{print_diagnostics, print_error, refuse};
use clap::Args as ClapArgs;
use guidepost::{numbered, select};
use guidepost_abstraction::{
    AbstractNetwork, Structure, Symbol, SymbolSet, hide, name_of, symbols_named, symbols_of_goals,
};
use guidepost_heuristics::{Budget, Deadline, HeuristicSpec, Preparation};
use guidepost_language::Loaded;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::model::Query;
use guidepost_network::flat::{Flattener, Omitted};
use guidepost_network::{Goal, Network, Question, compile_query};
use std::path::PathBuf;

#[derive(ClapArgs, Debug)]
pub(crate) struct AbstractArgs {
    /// The model to read.
    pub(crate) input: PathBuf,
    /// The file to write: .xml, or .xta with the queries in a .q file beside it.
    pub(crate) output: PathBuf,
    /// Processes, variables, clocks and channels to hide, separated by commas; an array or a set of processes stands for all of its members.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) hide: Vec<String>,
    /// Hide what a pattern database would hide: rd, dpr, coi, coi(d=2), pdb(P,x).
    #[arg(long, value_name = "HEURISTIC")]
    pub(crate) auto: Option<String>,
    /// The query whose error `--auto` keeps, instead of those of the model.
    #[arg(long, value_name = "QUERY")]
    pub(crate) query: Option<String>,
    /// Only this query of the model: its number, from 1, or the name of a property.
    #[arg(long, value_name = "N|NAME")]
    pub(crate) select: Option<String>,
    /// Overwrite an existing file.
    #[arg(long, short)]
    pub(crate) force: bool,
}

pub(crate) fn run(args: &AbstractArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let format = format_by_name(&args.output);
    let Some(format @ (ConvertFormat::Xml | ConvertFormat::Xta)) = format else {
        print_error("an abstraction is written to a file whose name ends in .xml or .xta");
        return Err(Exit::BadInput);
    };
    if args.hide.iter().all(|name| name.trim().is_empty()) && args.auto.is_none() {
        print_error("say what to hide: `--hide P,x`, or `--auto rd`");
        return Err(Exit::BadInput);
    }
    let (mut loaded, network) = input::explorable(&args.input, messages)?.into_parts();
    let questions = questions(args, &mut loaded, &network, messages)?;
    let hidden = hidden(args, &network, &questions)?;
    let flat = {
        let goals: Vec<Goal> = questions.iter().flat_map(|question| question.goals.clone()).collect();
        let abstraction = hide(&network, &hidden, &goals);
        let omitted = omitted(&abstraction, &hidden);
        let mut flattener = Flattener::new(&abstraction.network, &loaded.model, &loaded.document, omitted);
        let mut rest = abstraction.goals.as_slice();
        let mut asked = Ok(());
        for question in &questions {
            let (own, others) = rest.split_at(question.goals.len());
            rest = others;
            let comment = format!("abstraction of {}", question.text);
            asked = asked.and_then(|()| {
                if question.is_denied {
                    flattener.deny_goals(own, &comment)
                } else {
                    flattener.ask_goals(own, &comment)
                }
            });
        }
        asked.and_then(|()| flattener.finish()).map_err(refuse)?
    };
    for note in &flat.notes {
        anstream::eprintln!("note: {note}");
    }
    loaded.document = flat.document;
    write_converted(&loaded, format, &args.output, args.force, messages)?;
    anstream::eprintln!("{}", summary(&network, &hidden));
    Ok(Exit::Satisfied)
}

/// A query about reachability, and what it looks for.
struct Sought {
    text: String,
    goals: Vec<Goal>,
    /// The query says that there is no such state.
    is_denied: bool,
}

/// The reachability queries that the abstraction is made for.
fn questions(
    args: &AbstractArgs,
    loaded: &mut Loaded,
    network: &Network,
    messages: MessageFormat,
) -> Result<Vec<Sought>, Exit> {
    let mut diagnostics = Diagnostics::default();
    let queries: Vec<Query> = match &args.query {
        Some(text) => loaded.queries_from_text("--query", text, &mut diagnostics),
        None => loaded.model.queries.clone(),
    };
    let chosen = select(numbered(queries), args.select.as_slice()).map_err(refuse)?;
    let mut sought = Vec::new();
    for (_, query) in chosen {
        match compile_query(network, &loaded.model, &query) {
            Ok(compiled) => match compiled.question {
                Question::Possibly(predicate) => {
                    sought.push(Sought { text: compiled.text, goals: predicate.goals, is_denied: false });
                }
                Question::Always(predicate) => {
                    sought.push(Sought { text: compiled.text, goals: predicate.negation, is_denied: true });
                }
                _ => anstream::eprintln!(
                    "note: `{}` is left out: abstractions preserve reachability only",
                    compiled.text
                ),
            },
            // A query that was asked for must be understood; one that merely stands in the model need not be.
            Err(found) if args.query.is_some() || args.select.is_some() => diagnostics.extend(found),
            Err(_) => {}
        }
    }
    print_diagnostics(&diagnostics, &loaded.sources, messages);
    if diagnostics.has_errors() {
        return Err(Exit::BadInput);
    }
    if let (Some(wanted), true) = (&args.select, sought.is_empty()) {
        return Err(refuse(format!("query {wanted} is not about reachability (`E<>`, `A[]`)")));
    }
    Ok(sought)
}

/// The closed set of symbols to hide.
fn hidden(args: &AbstractArgs, network: &Network, questions: &[Sought]) -> Result<SymbolSet, Exit> {
    let mut hidden = SymbolSet::empty(network);
    if let Some(auto) = &args.auto {
        let spec: HeuristicSpec = auto.parse().map_err(refuse)?;
        let [question] = questions else {
            return Err(refuse(
                "`--auto` keeps what one error needs; choose it with `--select N` or `--query`",
            ));
        };
        check_names(&spec, network)?;
        let deadline = Deadline::new(None, Some(on_interrupt()));
        let mut preparation = Preparation::new(Budget::default(), deadline);
        let Some(chosen) = spec.hidden(network, &question.goals, &mut preparation) else {
            for note in preparation.notes() {
                anstream::eprintln!("note: {note}");
            }
            return Err(refuse(format!(
                "`{spec}` finds no pattern here; rd, dpr, coi and pdb choose patterns"
            )));
        };
        hidden.extend(chosen.iter());
    }
    for name in args.hide.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
        let symbols = symbols_named(network, name);
        if symbols.is_empty() {
            return Err(unknown(network, name));
        }
        hidden.extend(symbols);
    }
    let structure = Structure::new(network);
    structure.close(&mut hidden);
    let goals: Vec<Goal> = questions.iter().flat_map(|question| question.goals.clone()).collect();
    let wanted = symbols_of_goals(network, &goals);
    hidden
        .extend(structure.idle_processes(network, &hidden).into_iter().filter(|idle| !wanted.contains(idle)));
    if hidden.hiding().processes.iter().all(|hidden| *hidden) {
        return Err(refuse("nothing would be left: every process is hidden"));
    }
    Ok(hidden)
}

/// Refuses patterns of symbols that do not exist.
pub(crate) fn check_names(spec: &HeuristicSpec, network: &Network) -> Result<(), Exit> {
    spec.unknown_name(network).map_or(Ok(()), |name| Err(unknown(network, name)))
}

fn unknown(network: &Network, name: &str) -> Exit {
    let all = SymbolSet::all(network);
    let names = all.iter().map(|symbol| name_of(network, symbol));
    let hint = match guidepost_language::suggest::nearest(name, names) {
        Some(closest) => format!("; did you mean `{closest}`?"),
        None => String::new(),
    };
    refuse(format!("nothing is called `{name}`{hint}"))
}

/// What need not be written: hidden symbols, and channels that nobody uses any more. A hidden process that may still send broadcasts stays.
fn omitted(abstraction: &AbstractNetwork, hidden: &SymbolSet) -> Omitted {
    let network = &abstraction.network;
    let mut omitted = Omitted::nothing(network);
    omitted.variables.clone_from(&hidden.hiding().variables);
    omitted.clocks.clone_from(&hidden.hiding().clocks);
    for (index, process) in network.processes.iter().enumerate() {
        omitted.processes[index] = hidden.hiding().processes[index] && process.edges.is_empty();
    }
    omitted
}

/// What was hidden, for the user.
fn summary(network: &Network, hidden: &SymbolSet) -> String {
    let count = |is_kind: fn(&Symbol) -> bool| hidden.iter().filter(is_kind).count();
    format!(
        "hidden: {} of {} processes, {} of {} clocks, {} of {} variables, {} of {} channels",
        count(|symbol| matches!(symbol, Symbol::Process(_))),
        network.processes.len(),
        count(|symbol| matches!(symbol, Symbol::Clock(_))),
        network.clocks.len() - 1,
        count(|symbol| matches!(symbol, Symbol::Variable(_))),
        network.variables.len(),
        count(|symbol| matches!(symbol, Symbol::Channel(_))),
        network.channels.len(),
    )
}
