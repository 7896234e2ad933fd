//! TChecker models in UPPAAL's semantics.
//!
//! Two things differ. An assignment that leaves its range disables the transition in TChecker and is an error in UPPAAL: the range becomes
//! part of the guard (see [`range`]). And TChecker synchronises any number of processes: a vector of one process is an internal
//! move, one process that must move followed by some that go along if they can is a broadcast; no other vector has a counterpart.
//! A process that goes along must do so whenever it has an edge, even if the edge's guard forbids the whole move; UPPAAL's
//! receivers with a guard would stay behind instead, so only edges without a guard can be written as receivers.

use super::control;
use super::range::{self, Ranges};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Span;
use crate::syntax::{
    Decl, Declarator, Direction, Document, Edge, ExprKind, Format, Ident, Name, Prefix, SyncVector, Template,
    TypeBase, TypeExpr,
};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The document, rewritten when it is TChecker's.
pub(super) fn document<'a>(document: &'a Document, errors: &mut Diagnostics) -> Cow<'a, Document> {
    if document.format != Format::Tck {
        return Cow::Borrowed(document);
    }
    if document.chooses_start {
        let message = "a process with several initial locations has no counterpart in UPPAAL";
        errors.push(Diagnostic::new(Code::NotExpressible, document.system.span, message));
        return Cow::Borrowed(document);
    }
    let mut rewritten = document.clone();
    rewritten.format = Format::Xta;
    rename(&mut rewritten);
    let broadcasts = replace_vectors(&mut rewritten, errors);
    guard_ranges(&mut rewritten, errors);
    forbid_guarded_receivers(&rewritten, &broadcasts, errors);
    Cow::Owned(rewritten)
}

/// Gives processes and locations another name where theirs is a keyword, has dots, or is also that of a variable: `TChecker` keeps these
/// apart, in UPPAAL one would hide the other.
fn rename(document: &mut Document) {
    let variables: HashSet<Name> = declared(document).map(|ident| ident.name.clone()).collect();
    let mut taken = variables.clone();
    taken.extend(document.templates.iter().map(|template| template.name.name.clone()));
    for index in 0..document.templates.len() {
        let old = document.templates[index].name.name.clone();
        let new = usable(&old, &variables, &mut taken);
        rename_process(document, &old, &new);
        let template = &mut document.templates[index];
        template.name.name = new;
        rename_locations(template, &variables);
    }
}

fn rename_process(document: &mut Document, old: &Name, new: &Name) {
    let entries = document.system.processes.iter_mut().map(|entry| &mut entry.name);
    let participants = document.vectors.iter_mut().flat_map(|vector| &mut vector.participants);
    for ident in entries.chain(participants.map(|(ident, _)| ident)).filter(|ident| ident.name == *old) {
        ident.name = new.clone();
    }
}

/// Old names and labels, for which UPPAAL has no place, go to the location's comment.
fn rename_locations(template: &mut Template, variables: &HashSet<Name>) {
    let mut taken = variables.clone();
    taken.extend(template.locations.iter().map(|location| location.name.name.clone()));
    for location in &mut template.locations {
        let name = usable(&location.name.name, variables, &mut taken);
        let mut notes = Vec::new();
        if name != location.name.name {
            notes.push(format!("`{}` in the TChecker model", location.name.name));
            location.name.name = name;
        }
        if !location.labels.is_empty() {
            notes.push(format!("labels: {}", location.labels.join(", ")));
        }
        if !notes.is_empty() {
            location.drawing.comment = Some(notes.join("; "));
        }
    }
}

/// UPPAAL's keywords. Our parser takes some of them as names, UPPAAL's does not.
const KEYWORDS: &[&str] = &[
    "A",
    "E",
    "IO",
    "R",
    "U",
    "W",
    "after_update",
    "and",
    "assert",
    "assign",
    "before_update",
    "bool",
    "branchpoint",
    "broadcast",
    "chan",
    "clock",
    "commit",
    "const",
    "default",
    "do",
    "double",
    "dynamic",
    "else",
    "exists",
    "exit",
    "false",
    "for",
    "forall",
    "gantt",
    "guard",
    "hybrid",
    "if",
    "import",
    "imply",
    "init",
    "int",
    "location",
    "meta",
    "not",
    "or",
    "priority",
    "probability",
    "process",
    "progress",
    "query",
    "return",
    "scalar",
    "select",
    "spawn",
    "state",
    "string",
    "struct",
    "sum",
    "sync",
    "system",
    "trans",
    "true",
    "typedef",
    "urgent",
    "void",
    "while",
    "xor",
];

/// Whether a text is a name and no keyword in UPPAAL, not even in its queries; models get away with some of the latter.
pub fn is_plain_name(text: &str) -> bool {
    is_name(text) && !KEYWORDS.contains(&text)
}

fn usable(name: &Name, variables: &HashSet<Name>, taken: &mut HashSet<Name>) -> Name {
    if is_plain_name(name) && !variables.contains(name) {
        return name.clone();
    }
    let mut changed = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    while !is_plain_name(&changed) || taken.contains(changed.as_str()) {
        changed.push('_');
    }
    taken.insert(changed.as_str().into());
    changed.into()
}

/// The globally declared variables and channels.
fn declared(document: &Document) -> impl Iterator<Item = &Ident> {
    let lists = document.decls.iter().filter_map(|decl| match decl {
        Decl::Variables(_, names) => Some(names),
        _ => None,
    });
    lists.flatten().map(|declarator| &declarator.name)
}

/// Reports names that could not be read back.
pub(super) fn check_names(document: &Document, errors: &mut Diagnostics) {
    let templates = document.templates.iter().flat_map(|template| {
        let locations = template.locations.iter().map(|location| &location.name);
        let points = template.branchpoints.iter().map(|point| &point.name);
        std::iter::once(&template.name).chain(locations).chain(points)
    });
    for ident in declared(document).chain(templates) {
        if !is_name(&ident.name) {
            let message = format!("`{}` cannot be used as a name in UPPAAL's language", ident.name);
            let hint = "names are made of letters, digits and `_` and are no keywords: rename it";
            errors.push(Diagnostic::new(Code::NotExpressible, ident.span, message).hint(hint));
        }
    }
}

/// Whether a text can be declared as a name.
pub fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    text.starts_with(letter)
        && text.chars().all(|c| letter(c) || c.is_ascii_digit() || c == '$' || c == '#')
        && !crate::parse::is_reserved(text)
}

/// What becomes of a vector.
enum Counterpart {
    /// An internal move of its only process.
    Internal,
    /// A broadcast of the named process.
    Broadcast(Name),
}

/// Replaces the vectors by what UPPAAL has for them; returns the names of the new broadcast channels.
fn replace_vectors(document: &mut Document, errors: &mut Diagnostics) -> HashSet<Name> {
    let updates = Updates::of(document);
    let mut counterparts = HashMap::new();
    let mut channels = Vec::new();
    for vector in std::mem::take(&mut document.vectors) {
        match counterpart(&vector, &updates) {
            Ok(found) => {
                if let Counterpart::Broadcast(_) = &found {
                    channels.push(Ident::new(vector.name.clone(), vector.span));
                }
                counterparts.insert(vector.name, found);
            }
            Err(why) => {
                let message = format!("the synchronisation `{}` has no counterpart in UPPAAL", vector.name);
                errors.push(Diagnostic::new(Code::NotExpressible, vector.span, message).label(why));
            }
        }
    }
    for template in &mut document.templates {
        for edge in &mut template.edges {
            replace_join(edge, &template.name.name, &counterparts);
        }
    }
    let names = channels.iter().map(|channel| channel.name.clone()).collect();
    document.decls.extend(channels.into_iter().map(broadcast));
    names
}

fn counterpart(vector: &SyncVector, updates: &Updates) -> Result<Counterpart, String> {
    let strong: Vec<_> = vector.participants.iter().filter(|(_, weak)| !weak).map(|(name, _)| name).collect();
    if vector.participants.len() == 1 {
        return Ok(Counterpart::Internal);
    }
    let [sender] = strong[..] else {
        return Err(match strong.len() {
            0 => "no process must take part: a broadcast needs a sender".to_owned(),
            count if count == vector.participants.len() => {
                format!("{count} processes must move together: UPPAAL joins two, or one and its listeners")
            }
            count => {
                format!("{count} processes must move together, others may join: UPPAAL has no such channel")
            }
        });
    };
    if updates.are_reordered(vector, &sender.name) {
        return Err("its updates run in another order than those of a broadcast in UPPAAL".to_owned());
    }
    Ok(Counterpart::Broadcast(sender.name.clone()))
}

/// Whose updates a change of their order could affect.
struct Updates {
    /// By process, its place on the system line.
    places: HashMap<Name, usize>,
    /// Vectors with the processes that have an update on one of their edges.
    updating: HashSet<(Name, Name)>,
}

impl Updates {
    fn of(document: &Document) -> Self {
        let mut updates = Self { places: HashMap::new(), updating: HashSet::new() };
        for (place, template) in document.templates.iter().enumerate() {
            let process = &template.name.name;
            updates.places.insert(process.clone(), place);
            for edge in template.edges.iter().filter(|edge| !edge.update.is_empty()) {
                if let Some(vector) = channel(edge, Direction::Join) {
                    updates.updating.insert((vector.clone(), process.clone()));
                }
            }
        }
        updates
    }

    /// Whether UPPAAL, which runs the sender's update and then those of the receivers in the order of the system line, runs them in another order.
    fn are_reordered(&self, vector: &SyncVector, sender: &Name) -> bool {
        let names = vector.participants.iter().map(|(ident, _)| &ident.name);
        let updating = names.filter(|name| self.updating.contains(&(vector.name.clone(), (*name).clone())));
        !updating.map(|name| (name != sender, self.places.get(name))).is_sorted()
    }
}

fn broadcast(name: Ident) -> Decl {
    let ty = TypeExpr { prefixes: vec![Prefix::Broadcast], base: TypeBase::Chan, span: name.span };
    Decl::Variables(ty, vec![Declarator { name, dimensions: vec![], init: None }])
}

fn replace_join(edge: &mut Edge, process: &Name, counterparts: &HashMap<Name, Counterpart>) {
    let Some(sync) = &mut edge.sync else { return };
    let ExprKind::Name(vector) = &sync.channel.kind else { return };
    match counterparts.get(vector) {
        Some(Counterpart::Internal) => edge.sync = None,
        Some(Counterpart::Broadcast(sender)) if sender == process => sync.direction = Direction::Send,
        Some(Counterpart::Broadcast(_)) => sync.direction = Direction::Receive,
        None => {}
    }
}

fn channel(edge: &Edge, direction: Direction) -> Option<&Name> {
    let sync = edge.sync.as_ref().filter(|sync| sync.direction == direction)?;
    if let ExprKind::Name(name) = &sync.channel.kind { Some(name) } else { None }
}

/// Adds to every guard what keeps the assigned variables in their ranges.
fn guard_ranges(document: &mut Document, errors: &mut Diagnostics) {
    let ranges = Ranges::of(&document.decls);
    let mut sent: HashMap<Name, HashSet<Name>> = HashMap::new();
    for template in &document.templates {
        for edge in &template.edges {
            if let Some(channel) = channel(edge, Direction::Send) {
                let written = sent.entry(channel.clone()).or_default();
                written.extend(range::written(&edge.update));
                written.extend(control::written(template, &edge.update));
            }
        }
        for function in control::functions(template) {
            if let Some(variable) = control::leaves_range(function, &ranges) {
                errors.push(leaves_range_inside(function.name.span, &variable));
            }
        }
    }
    let nothing = HashSet::new();
    for edge in document.templates.iter_mut().flat_map(|template| &mut template.edges) {
        // The sender's update comes first: the receiver's guard cannot know what it leaves behind.
        let changed = channel(edge, Direction::Receive).and_then(|c| sent.get(c)).unwrap_or(&nothing);
        match range::guarded(edge, &ranges, changed) {
            Ok(guard) => edge.guard = guard,
            Err(variable) => errors.push(depends_on_sender(edge.span, &variable)),
        }
    }
}

fn leaves_range_inside(span: Span, variable: &Name) -> Diagnostic {
    let message = format!("`{variable}` may leave its range in these statements");
    let hint =
        "TChecker then forbids the move; in UPPAAL an assignment under `if` or `while` cannot forbid it";
    Diagnostic::new(Code::NotExpressible, span, message).hint(hint)
}

fn depends_on_sender(span: Span, variable: &Name) -> Diagnostic {
    let message =
        format!("this edge depends on `{variable}` as its partner in the synchronisation leaves it");
    Diagnostic::new(Code::NotExpressible, span, message).label("an assignment here may leave its range").hint(
        "TChecker then forbids the move, but a guard in UPPAAL is evaluated before the partner's update",
    )
}

fn forbid_guarded_receivers(document: &Document, broadcasts: &HashSet<Name>, errors: &mut Diagnostics) {
    for edge in document.templates.iter().flat_map(|template| &template.edges) {
        let listens = channel(edge, Direction::Receive).is_some_and(|name| broadcasts.contains(name));
        if listens && edge.guard.is_some() {
            let message =
                "this edge has a guard and joins a synchronisation that its process may stay out of";
            let hint =
                "TChecker then forbids the whole move, UPPAAL's broadcast would leave this process out";
            errors.push(Diagnostic::new(Code::NotExpressible, edge.span, message).hint(hint));
        }
    }
}
