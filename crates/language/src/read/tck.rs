//! Reads TChecker's format.
//!
//! A file declares events, global clocks and bounded integers, processes, and their locations and edges, in any order; a second pass reads
//! edges and synchronisations when all names are known. Each process becomes a template without parameters and a process of the
//! same name, in file order. The updates of a synchronisation run in the order of its `sync` line.

mod declare;
mod edge;
mod expression;
mod line;
mod start;
mod statement;
mod vector;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{FileId, Fragment, SourceMap, Span};
use crate::suggest;
use crate::syntax::{Document, Format, Ident, Name, System, SystemEntry};
use indexmap::IndexMap;
use line::{Attribute, Declaration};
use std::collections::{HashMap, HashSet};
use vector::Vectors;

/// The keywords a line can begin with, and the fields that follow.
const FORMS: &[(&str, &str)] = &[
    ("system", "system:name"),
    ("event", "event:name"),
    ("clock", "clock:size:name"),
    ("int", "int:size:min:max:initial:name"),
    ("process", "process:name"),
    ("location", "location:process:name"),
    ("edge", "edge:process:source:target:event"),
    ("sync", "sync:process@event:process@event"),
];

/// Reads a TChecker model.
pub fn read_tck(sources: &mut SourceMap, file: FileId, out: &mut Diagnostics) -> Document {
    let text = sources.file(file).text.clone();
    let declarations = line::declarations(&text, file, out);
    let mut reader = Reader {
        text: &text,
        file,
        out,
        document: Document { format: Format::Tck, ..Document::default() },
        events: IndexMap::new(),
        variables: IndexMap::new(),
        cells: 0,
        processes: IndexMap::new(),
        initial: Vec::new(),
        locations: Vec::new(),
        taken: HashSet::new(),
        places: Vec::new(),
    };
    reader.read(&declarations);
    let Reader { document, places, .. } = reader;
    for (span, place) in places {
        sources.add_place(span, place);
    }
    document
}

struct Reader<'a> {
    text: &'a str,
    file: FileId,
    out: &'a mut Diagnostics,
    document: Document,
    events: IndexMap<Name, Span>,
    variables: IndexMap<Name, Span>,
    /// Processes in order; the index is that of the template.
    processes: IndexMap<Name, Span>,
    /// By process: its initial locations.
    initial: Vec<Vec<usize>>,
    /// By process: where its locations are.
    locations: Vec<HashMap<Name, usize>>,
    /// Elements of all arrays so far: initial values are written out, so their number is limited.
    cells: i64,
    /// All names that a new global name must not have.
    taken: HashSet<Name>,
    places: Vec<(Span, String)>,
}

impl Reader<'_> {
    fn read(&mut self, declarations: &[Declaration]) {
        let (links, names): (Vec<_>, Vec<_>) =
            declarations.iter().partition(|d| matches!(&*d.keyword.name, "edge" | "sync"));
        self.system(&names);
        // Processes first: their locations may be declared before them.
        let (processes, others): (Vec<_>, Vec<_>) =
            names.into_iter().partition(|d| &*d.keyword.name == "process");
        for declaration in processes {
            self.with_fields(declaration, Self::process);
        }
        for declaration in others {
            self.named(declaration);
        }
        self.check_initial_locations();
        let (syncs, edges): (Vec<_>, Vec<_>) = links.into_iter().partition(|d| &*d.keyword.name == "sync");
        let vectors =
            Vectors::new(syncs.into_iter().filter_map(|declaration| self.vector(declaration)).collect());
        for declaration in edges {
            self.with_fields(declaration, |reader, declaration| reader.edge(declaration, &vectors));
        }
        self.place_vectors(vectors);
        self.choose_start();
    }

    fn system(&mut self, names: &[&Declaration]) {
        let mut systems = names.iter().filter(|declaration| &*declaration.keyword.name == "system");
        let Some(first) = systems.next() else {
            let span = Span::new(self.file, 0, 0);
            let message = "there is no `system` declaration";
            let hint = "a model begins with `system:name`";
            self.out.push(Diagnostic::new(Code::MissingElement, span, message).hint(hint));
            return;
        };
        self.document.system = System { span: first.span, ..System::default() };
        for again in systems {
            let diagnostic = Diagnostic::new(Code::DuplicateName, again.span, "the system is declared twice");
            self.out.push(diagnostic.related(first.span, "first here"));
        }
    }

    /// Reads a declaration of something with a name.
    fn named(&mut self, declaration: &Declaration) {
        match &*declaration.keyword.name {
            "system" => self.with_fields(declaration, |reader, d| reader.unknown_attributes(d, &[])),
            "event" => self.with_fields(declaration, Self::event),
            "clock" => self.with_fields(declaration, Self::clock),
            "int" => self.with_fields(declaration, Self::int),
            "location" => self.with_fields(declaration, Self::location),
            _ => self.unknown_keyword(&declaration.keyword),
        }
    }

    /// Calls `read` if the declaration has as many fields as its form.
    fn with_fields(&mut self, declaration: &Declaration, read: impl FnOnce(&mut Self, &Declaration)) {
        let keyword = &*declaration.keyword.name;
        let form = FORMS.iter().find(|(name, _)| *name == keyword).map_or("", |(_, form)| form);
        let complete = declaration.fields.len() == form.matches(':').count();
        if complete && declaration.fields.iter().all(|field| !field.name.is_empty()) {
            read(self, declaration);
        } else {
            let message = format!("this is not a complete `{keyword}` declaration");
            let hint = format!("the form is `{form}`");
            self.out.push(Diagnostic::new(Code::UnexpectedToken, declaration.span, message).hint(hint));
        }
    }

    fn unknown_keyword(&mut self, keyword: &Ident) {
        let message = format!("`{}` declares nothing", keyword.name);
        let mut diagnostic = Diagnostic::new(Code::UnexpectedToken, keyword.span, message);
        diagnostic = match suggest::nearest(&keyword.name, FORMS.iter().map(|(name, _)| *name)) {
            Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
            None => diagnostic.hint(
                "a line begins with `system`, `event`, `clock`, `int`, `process`, `location`, `edge` or `sync`",
            ),
        };
        self.out.push(diagnostic);
    }

    fn process(&mut self, declaration: &Declaration) {
        let name = &declaration.fields[0];
        self.unknown_attributes(declaration, &[]);
        if let Some(span) = self.processes.get(&name.name) {
            let message = format!("process `{}` is declared twice", name.name);
            let diagnostic = Diagnostic::new(Code::DuplicateProcess, name.span, message);
            self.out.push(diagnostic.related(*span, "first here"));
            return;
        }
        self.processes.insert(name.name.clone(), name.span);
        self.taken.insert(name.name.clone());
        self.initial.push(Vec::new());
        self.locations.push(HashMap::new());
        self.document.templates.push(declare::template(name, declaration.span));
        self.document.system.processes.push(SystemEntry { name: name.clone(), raises: false });
    }

    fn process_index(&mut self, name: &Ident) -> Option<usize> {
        if let Some(index) = self.processes.get_index_of(&name.name) {
            return Some(index);
        }
        let message = format!("there is no process `{}`", name.name);
        let mut diagnostic = Diagnostic::new(Code::NotAProcess, name.span, message);
        if let Some(near) = suggest::nearest(&name.name, self.processes.keys().map(|name| &**name)) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        self.out.push(diagnostic);
        None
    }

    /// Warns of attributes that have no meaning here.
    fn unknown_attributes(&mut self, declaration: &Declaration, known: &[&'static str]) {
        for attribute in &declaration.attributes {
            let key = &attribute.key;
            if known.contains(&&*key.name) {
                continue;
            }
            let message = format!("the attribute `{}` is ignored", key.name);
            let mut diagnostic = Diagnostic::new(Code::Ignored, key.span, message);
            if let Some(near) = suggest::nearest(&key.name, known.iter().copied()) {
                diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
            }
            self.out.push(diagnostic);
        }
    }

    /// The value of an attribute as a fragment in UPPAAL's syntax, its place recorded.
    fn value(&mut self, attribute: &Attribute, owner: &str) -> Fragment {
        let fragment = expression::fragment(self.text, self.file, attribute.value.clone());
        self.places.push((fragment.whole_span(), format!("{owner}, {}", attribute.key.name)));
        fragment
    }
}

#[cfg(test)]
mod tests;
