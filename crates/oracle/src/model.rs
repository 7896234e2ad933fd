//! A model as text in parts: what the generator writes and the shrinker takes away from.
//!
//! Guards, invariants and updates are kept as lists of pieces, so that pieces can be dropped; everything else is text.

use std::fmt::{self, Display, Formatter};

/// A model in XTA, part by part.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Global declarations, one per entry.
    pub declarations: Vec<String>,
    /// The templates.
    pub templates: Vec<Template>,
    /// The processes of the system line.
    pub processes: Vec<Process>,
}

/// A template.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// Its parameters, without parentheses.
    pub parameters: String,
    /// Its declarations, one per entry.
    pub declarations: Vec<String>,
    /// Its locations; the first is the initial one.
    pub locations: Vec<Location>,
    /// Its edges.
    pub edges: Vec<Edge>,
}

/// A location.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// `urgent`, `commit`, or nothing.
    pub kind: &'static str,
    /// The conjuncts of its invariant.
    pub invariant: Vec<String>,
}

/// An edge.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    /// Index of the location where it starts.
    pub source: usize,
    /// Index of the location where it ends.
    pub target: usize,
    /// `i : int[0,1]`, or nothing.
    pub select: String,
    /// The conjuncts of its guard.
    pub guard: Vec<String>,
    /// `c!`, `c?`, or nothing.
    pub sync: String,
    /// The parts of its update.
    pub update: Vec<String>,
}

/// An entry of the system line.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// Its name; the template's own when it is not instantiated explicitly.
    pub name: String,
    /// Index of its template.
    pub template: usize,
    /// The arguments, when it is instantiated explicitly.
    pub arguments: Option<String>,
    /// How many processes it stands for, when it has a free parameter.
    pub members: Option<usize>,
    /// Whether its priority is higher than that of the process before.
    pub raised: bool,
}

impl Model {
    /// The names of all processes as queries call them, with their templates.
    pub fn instances(&self) -> Vec<(String, &Template)> {
        let mut instances = Vec::new();
        for process in &self.processes {
            let template = &self.templates[process.template];
            match process.members {
                None => instances.push((process.name.clone(), template)),
                Some(count) => {
                    instances.extend((0..count).map(|i| (format!("{}({i})", process.name), template)));
                }
            }
        }
        instances
    }
}

impl Display for Model {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for declaration in &self.declarations {
            writeln!(f, "{declaration}")?;
        }
        for template in &self.templates {
            write!(f, "{template}")?;
        }
        for process in &self.processes {
            if let Some(arguments) = &process.arguments {
                let template = &self.templates[process.template].name;
                writeln!(f, "{} = {template}({arguments});", process.name)?;
            }
        }
        f.write_str("system ")?;
        for (index, process) in self.processes.iter().enumerate() {
            let separator = match (index, process.raised) {
                (0, _) => "",
                (_, false) => ", ",
                (_, true) => " < ",
            };
            write!(f, "{separator}{}", process.name)?;
        }
        writeln!(f, ";")
    }
}

impl Display for Template {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "process {}({}) {{", self.name, self.parameters)?;
        for declaration in &self.declarations {
            writeln!(f, "  {declaration}")?;
        }
        let states: Vec<String> = self.locations.iter().map(Location::to_string).collect();
        writeln!(f, "  state {};", states.join(", "))?;
        for kind in ["commit", "urgent"] {
            let names: Vec<&str> =
                self.locations.iter().filter(|l| l.kind == kind).map(|l| l.name.as_str()).collect();
            if !names.is_empty() {
                writeln!(f, "  {kind} {};", names.join(", "))?;
            }
        }
        writeln!(f, "  init {};", self.locations[0].name)?;
        if !self.edges.is_empty() {
            let edges: Vec<String> = self.edges.iter().map(|edge| self.edge(edge)).collect();
            writeln!(f, "  trans\n    {};", edges.join(",\n    "))?;
        }
        writeln!(f, "}}")
    }
}

impl Template {
    fn edge(&self, edge: &Edge) -> String {
        let (source, target) = (&self.locations[edge.source].name, &self.locations[edge.target].name);
        let mut text = format!("{source} -> {target} {{ ");
        let mut label = |keyword: &str, content: &str| {
            if !content.is_empty() {
                text.extend([keyword, " ", content, "; "]);
            }
        };
        label("select", &edge.select);
        label("guard", &edge.guard.join(" && "));
        label("sync", &edge.sync);
        label("assign", &edge.update.join(", "));
        text + "}"
    }
}

impl Display for Location {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.invariant.is_empty() { Ok(()) } else { write!(f, " {{ {} }}", self.invariant.join(" && ")) }
    }
}
