//! Certificates against the region graph: there is one exactly where what it proves is so.

use super::{Mismatch, Subject};
use guidepost_abstraction::{Structure, SymbolSet, hide, name_of};
use guidepost_answer::{Induction, InductiveSet, Limits};
use guidepost_certificate::{
    Bound, Builder, Certificate, Checked, Claim, Difference, Header, ReadError, Reason, obstacle,
};
use guidepost_network::{CompiledQuery, Network, Question};
use guidepost_oracle::Random;
use guidepost_refinement::inductive_labels;
use guidepost_search::{Widening, inductive_set, ranked_set};
use std::collections::BTreeMap;

/// Discrete states, each with what its zones demand, and their ranks.
pub(crate) type States = BTreeMap<Vec<i32>, Vec<(Vec<Difference>, u32)>>;

/// There is a certificate exactly where what it proves is so, it survives being written and read, and it is accepted.
pub(crate) fn check_certificates(subject: &Subject<'_>) -> Result<(), Mismatch> {
    // Models without an initial state are refused before.
    if subject.graph.is_empty() {
        return Ok(());
    }
    for (index, query) in subject.queries.iter().enumerate() {
        let compared = if query.question.target().is_none() {
            compare(subject, query, Maker::Hunt)
        } else {
            compare(subject, query, Maker::Exploration)
                .and_then(|()| compare(subject, query, Maker::Labels))
                .and_then(|()| compare_abstraction(subject, query))
        };
        compared.map_err(|message| Mismatch::new(Some(index), message))?;
    }
    Ok(())
}

/// Whether an answer that a certificate can prove is right.
pub(crate) fn is_so(subject: &Subject<'_>, question: &Question) -> Result<bool, String> {
    let graph = subject.graph;
    let so = match question {
        Question::PotentiallyAlways(p) => graph.potentially_always(p).map(|holds| !holds),
        Question::Eventually(p) => graph.eventually(p),
        Question::LeadsTo(p, q) => graph.leads_to(p, q),
        other => {
            let (goals, _) = other.target().ok_or("no certificate is about that")?;
            graph.satisfying_any(goals).map(|holding| graph.distance(&holding).is_none())
        }
    };
    so.map_err(|error| error.to_string())
}

/// Who makes the set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Maker {
    /// An exploration with widened zones.
    Exploration,
    /// Lazy abstraction.
    Labels,
    /// A search for a run on which something does not happen.
    Hunt,
}

fn compare(subject: &Subject<'_>, query: &CompiledQuery, maker: Maker) -> Result<(), String> {
    let Some(claim) = Claim::of(&query.question) else { return Ok(()) };
    let fails = !subject.graph.failures.is_empty();
    let found = match certificate(subject.network, query, maker)? {
        Found::Certificate(certificate) => certificate,
        // Where the model fails, the reference goes no further, and a goal may lie behind that.
        Found::Goal if !fails && is_so(subject, &query.question)? => {
            return Err("no certificate, and there should be".into());
        }
        Found::Goal | Found::Nothing => return Ok(()),
        Found::Failure if fails => return Ok(()),
        Found::Failure => return Err("the model fails, and should not".into()),
    };
    // Where something fails that only one of them evaluates, there is nothing to compare.
    let Ok(is_so) = is_so(subject, &query.question) else { return Ok(()) };
    if !fails && !is_so {
        return Err("there is a certificate, and should not be".into());
    }
    match read(&written(&found), subject.network).map_err(|error| error.to_string())? {
        read if states(&read) != states(&found) => Err("what was written was not read".into()),
        read => match read.check(subject.network, claim, None, &mut || true) {
            Checked::Accepted => Ok(()),
            Checked::Rejected(rejection) if fails && matches!(rejection.reason, Reason::Error(_)) => Ok(()),
            other => Err(format!("not accepted ({maker:?}): {other:?}")),
        },
    }
}

/// With some symbols hidden there may be no certificate, but one that there is proves that no goal is reachable, and is accepted.
fn compare_abstraction(subject: &Subject<'_>, query: &CompiledQuery) -> Result<(), String> {
    let network = subject.network;
    let Some((goals, _)) = query.question.target() else { return Ok(()) };
    if obstacle(network).is_some() {
        return Ok(());
    }
    let mut random = Random::new(subject.seed);
    let mut hidden = SymbolSet::empty(network);
    hidden.extend(SymbolSet::all(network).iter().filter(|_| random.chance(25)));
    Structure::new(network).close(&mut hidden);
    if hidden.is_empty() {
        return Ok(());
    }
    let abstraction = hide(network, &hidden, goals);
    let hides: Vec<String> = hidden.iter().map(|symbol| name_of(network, symbol).to_owned()).collect();
    let limits = Limits { states: Some(20_000), ..Limits::default() };
    // Both kinds of sets, by turns.
    let about_deadlocks = goals.iter().any(|goal| goal.deadlock.is_some());
    let made = if subject.seed.is_multiple_of(2) && !about_deadlocks {
        inductive_set(&abstraction.network, &abstraction.goals, Widening::Simulation, &limits, &mut |_| ())
    } else {
        inductive_labels(&abstraction.network, &abstraction.goals, &limits, &mut |_| ())
    };
    let Ok(Induction::Closed(set)) = made else { return Ok(()) };
    let found = build(&abstraction.network, &query.text, &collected(set)).of_abstraction(network, hides);
    let Ok(holding) = subject.graph.satisfying_any(goals) else { return Ok(()) };
    if subject.graph.failures.is_empty() && subject.graph.distance(&holding).is_some() {
        return Err("there is a certificate of an abstraction, though a goal is reachable".into());
    }
    let read = read(&written(&found), &abstraction.network).map_err(|error| error.to_string())?;
    if read != found {
        return Err("what was written of an abstraction was not read".into());
    }
    let claim = Claim::of(&query.question).ok_or("no certificate is about that")?;
    let own = (&abstraction.network, &*abstraction.goals);
    match read.check(network, claim, Some(own), &mut || true) {
        Checked::Accepted => Ok(()),
        other => Err(format!("not accepted, hiding {:?}: {other:?}", found.hides)),
    }
}

/// What an exploration for a certificate finds.
pub(crate) enum Found {
    Certificate(Box<Certificate>),
    Goal,
    Failure,
    /// A limit, or a network that is refused.
    Nothing,
}

pub(crate) fn certificate(network: &Network, query: &CompiledQuery, maker: Maker) -> Result<Found, String> {
    let goals = query.question.target().map_or(&[][..], |(goals, _)| goals);
    let about_deadlocks = goals.iter().any(|goal| goal.deadlock.is_some());
    if obstacle(network).is_some() || (maker == Maker::Labels && about_deadlocks) {
        return Ok(Found::Nothing);
    }
    let limits = Limits { states: Some(20_000), ..Limits::default() };
    let widening = if about_deadlocks { Widening::Bisimulation } else { Widening::Simulation };
    let made = match maker {
        Maker::Exploration => inductive_set(network, goals, widening, &limits, &mut |_| ()),
        Maker::Hunt => ranked_set(network, &query.question, &limits, &mut |_| ()).ok_or("not asked for")?,
        Maker::Labels => inductive_labels(network, goals, &limits, &mut |_| ()),
    };
    Ok(match made.map_err(|unsupported| unsupported.to_string())? {
        Induction::Closed(set) => Found::Certificate(Box::new(build(network, &query.text, &collected(set)))),
        Induction::Reached => Found::Goal,
        Induction::Failed(_) => Found::Failure,
        Induction::Stopped(_) => Found::Nothing,
    })
}

fn collected(mut set: Box<dyn InductiveSet + '_>) -> States {
    let mut all = States::new();
    set.visit(&mut |cells, bounds, rank| {
        let zone = bounds.iter().map(|&(left, right, constant, strict)| Difference {
            left,
            right,
            bound: Bound::new(constant.into(), strict),
        });
        all.entry(cells.to_vec()).or_default().push((zone.collect(), rank));
    });
    all
}

pub(crate) fn build(network: &Network, query: &str, states: &States) -> Certificate {
    let mut builder = Builder::new(network);
    for (cells, zones) in states {
        for (zone, rank) in zones {
            builder.add(cells, zone, *rank);
        }
    }
    builder.finish(network, query)
}

pub(crate) fn states(certificate: &Certificate) -> States {
    let zones = |state| certificate.zones_of(state).collect();
    (0..certificate.states()).map(|state| (certificate.cells(state), zones(state))).collect()
}

pub(crate) fn written(certificate: &Certificate) -> Vec<u8> {
    let mut bytes = Vec::new();
    let length = certificate.write(&mut bytes).expect("there is room");
    assert_eq!(length, bytes.len() as u64);
    bytes
}

pub(crate) fn read(bytes: &[u8], network: &Network) -> Result<Certificate, ReadError> {
    let mut input = bytes;
    let header = Header::read(&mut input)?;
    Certificate::read(header, network, &mut input, &mut |_| true)
}
