//! Certificates in the form of Munta, whose checker is proved correct in Isabelle.
//!
//! It wants three files: the model in its own language, numbers for all names, and the set of states. Its language is small; what does not fit into it is named.

use crate::certificate::Certificate;
use crate::zone::Zone;
use guidepost_network::{
    ChannelRef, ClockConstraint, ClockId, Code, Codes, Comparison, Edge, Goal, LocationKind, Network,
    Operand, ProcessId, Shape, Sync,
};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Stands first in a file of states.
const MAGIC: i64 = 42;

/// A model in Munta's language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Munta {
    /// The model and the query, as JSON.
    pub model: String,
    /// Numbers for names, as JSON.
    pub renaming: String,
}

/// A construct that Munta's language does not have, in words.
type Foreign = String;

impl Munta {
    /// A network, and the goals that are unreachable.
    ///
    /// # Errors
    /// A construct that Munta's language does not have.
    pub fn new(network: &Network, goals: &[Goal]) -> Result<Self, Foreign> {
        refuse_unknown(network)?;
        let names = Names::new(network);
        let formula = formula(network, &names, goals)?;
        let mut automata = Vec::new();
        for (index, process) in network.processes.iter().enumerate() {
            let locations = process.locations.clone();
            let mut nodes = Vec::new();
            for at in locations.clone() {
                let location = &network.locations[at as usize];
                let invariant = constraints(&names, &location.clock_invariant)?.join(" && ");
                let (id, name) = (at - locations.start, &names.locations[at as usize]);
                nodes.push(format!(r#"{{"id": {id}, "name": "{name}", "invariant": "{invariant}"}}"#));
            }
            let mut edges = Vec::new();
            for edge in &network.edges[process.edges.start as usize..process.edges.end as usize] {
                edges.extend(edge_text(network, &names, edge, locations.start)?);
            }
            automata.push(format!(
                "  {{\"name\": \"{}\", \"initial\": {}, \"committed\": [], \"nodes\": [\n    {}],\n   \"edges\": [\n    {}]}}",
                names.processes[index],
                process.initial.0 - locations.start,
                nodes.join(",\n    "),
                edges.join(",\n    ")
            ));
        }
        let ranged = network.variables.iter().zip(&names.variables);
        let variables = ranged.map(|(variable, name)| format!("{name}[{}:{}]", variable.min, variable.max));
        let model = format!(
            "{{\"automata\": [\n{}],\n \"clocks\": \"{}\",\n \"vars\": \"{}\",\n \"formula\": \"{formula}\"}}\n",
            automata.join(",\n"),
            names.clocks[1..].join(", "),
            variables.collect::<Vec<_>>().join(", ")
        );
        Ok(Self { model, renaming: names.renaming(network) })
    }
}

fn refuse_unknown(network: &Network) -> Result<(), Foreign> {
    let features = &network.features;
    let kinds = |kind| network.locations.iter().any(|location| location.kind == kind);
    let initial = network.variables.iter().find(|variable| variable.initial != 0);
    let foreign = [
        (!network.vectors.is_empty(), "synchronisation vectors"),
        (
            features.broadcast || network.channels.iter().any(|channel| channel.broadcast),
            "broadcast channels",
        ),
        (features.urgent_channels, "urgent channels"),
        (kinds(LocationKind::Urgent), "urgent locations"),
        (kinds(LocationKind::Committed), "committed locations"),
        (features.priorities, "priorities"),
        (features.stopwatches, "stop-watches"),
        (
            network.before_update.is_some() || network.after_update.is_some(),
            "updates around every transition",
        ),
        (network.variables.iter().any(|variable| variable.meta), "meta variables"),
        (
            network.locations.iter().any(|location| !location.data_invariant.is_empty()),
            "invariants about data",
        ),
        (network.clocks.len() == 1, "models without clocks"),
        (network.clocks.iter().any(|clock| clock.initial != 0), "clocks that do not begin with zero"),
    ];
    if let Some((_, what)) = foreign.iter().find(|(occurs, _)| *occurs) {
        return Err((*what).to_owned());
    }
    match initial {
        Some(variable) => Err(format!("a variable that does not begin with zero: {}", variable.name)),
        None => Ok(()),
    }
}

fn edge_text(network: &Network, names: &Names, edge: &Edge, first: u32) -> Result<Option<String>, Foreign> {
    let mut guard = constraints(names, &edge.clock_guard)?;
    for &code in &edge.data_guard {
        if matches!(network.program.shape(code), Shape::AtLocation { .. }) {
            return Err("guards about locations".to_owned());
        }
        match condition(network, names, &network.program.codes(), code)? {
            Condition::Always => {}
            Condition::Never => return Ok(None),
            Condition::Text(text) => guard.push(text),
        }
    }
    let label = match &edge.sync {
        Sync::Internal => String::new(),
        Sync::Send(ChannelRef::Static(id)) => format!("{}!", names.channels[id.index()]),
        Sync::Receive(ChannelRef::Static(id)) => format!("{}?", names.channels[id.index()]),
        _ => return Err("channels that are computed".to_owned()),
    };
    let steps = match edge.update {
        None => Vec::new(),
        Some(code) => {
            network.program.shapes(code).ok_or("updates other than `v = 3`, `v = w` and `v += 3`")?
        }
    };
    let updates: Result<Vec<String>, Foreign> = steps.iter().map(|step| update(names, step)).collect();
    Ok(Some(format!(
        r#"{{"source": {}, "target": {}, "guard": "{}", "label": "{label}", "update": "{}"}}"#,
        edge.source.0 - first,
        edge.target.0 - first,
        guard.join(" && "),
        updates?.join(", ")
    )))
}

fn update(names: &Names, step: &Shape) -> Result<String, Foreign> {
    let variable = |id: guidepost_network::VarId| &names.variables[id.index()];
    Ok(match *step {
        Shape::AssignConst { var, value } => format!("{} := {value}", variable(var)),
        Shape::AssignVar { var, source } => format!("{} := {}", variable(var), variable(source)),
        Shape::Increment { var, by } if by < 0 => format!("{0} := {0} - {1}", variable(var), -i64::from(by)),
        Shape::Increment { var, by } => format!("{0} := {0} + {by}", variable(var)),
        Shape::ResetClock { clock, value: 0 } => format!("{} := 0", names.clocks[clock.index()]),
        _ => return Err("clocks that are set to other values than zero".to_owned()),
    })
}

/// A condition about data.
enum Condition {
    Always,
    Never,
    Text(String),
}

fn condition(network: &Network, names: &Names, codes: &Codes<'_>, code: Code) -> Result<Condition, Foreign> {
    let text = match codes.shape(code) {
        Shape::Const(0) => return Ok(Condition::Never),
        Shape::Const(_) => return Ok(Condition::Always),
        Shape::Var(var) => differs(&names.variables[var.index()], 0),
        Shape::VarCmpConst { var, op, value } => compared(&names.variables[var.index()], op, value),
        Shape::AtLocation { process, location, inside } => {
            let at = format!("{}.{}", names.processes[process.index()], names.locations[location.index()]);
            debug_assert!(network.processes[process.index()].locations.contains(&location.0));
            if inside { at } else { format!("~ ({at})") }
        }
        _ => return Err("conditions other than comparisons of a variable with a number".to_owned()),
    };
    Ok(Condition::Text(text))
}

fn compared(name: &str, op: Comparison, value: i32) -> String {
    let sign = match op {
        Comparison::Eq => "==",
        Comparison::Ne => return differs(name, value),
        Comparison::Lt => "<",
        Comparison::Le => "<=",
        Comparison::Gt => ">",
        Comparison::Ge => ">=",
    };
    format!("{name} {sign} {value}")
}

/// There is no `!=`, and no negation in guards.
fn differs(name: &str, value: i32) -> String {
    format!("({name} < {value} || {name} > {value})")
}

/// Bounds on clocks, one comparison each.
fn constraints(names: &Names, constraints: &[ClockConstraint]) -> Result<Vec<String>, Foreign> {
    let text = |constraint: &ClockConstraint| {
        let Operand::Const(bound) = constraint.bound else {
            return Err("clock bounds that are computed".to_owned());
        };
        if constraint.condition.is_some() {
            return Err("clock constraints that depend on data".to_owned());
        }
        let equals = if constraint.strict { "" } else { "=" };
        match (constraint.left, constraint.right) {
            (ClockId::ZERO, clock) => {
                Ok(format!("{} >{equals} {}", names.clocks[clock.index()], -i64::from(bound)))
            }
            (clock, ClockId::ZERO) => Ok(format!("{} <{equals} {bound}", names.clocks[clock.index()])),
            _ => Err("comparisons of two clocks".to_owned()),
        }
    };
    constraints.iter().map(text).collect()
}

fn formula(network: &Network, names: &Names, goals: &[Goal]) -> Result<String, Foreign> {
    let mut alternatives = Vec::new();
    for goal in goals {
        if goal.deadlock.is_some() || !goal.clocks.is_empty() {
            return Err("queries about clocks or deadlocks".to_owned());
        }
        let mut parts = Vec::new();
        for (process, locations) in &goal.locations {
            let at = |location: &guidepost_network::LocationId| {
                format!("{}.{}", names.processes[process.index()], names.locations[location.index()])
            };
            parts.push(format!("({})", locations.iter().map(at).collect::<Vec<_>>().join(" || ")));
        }
        let codes = goal.codes(&network.program);
        let mut is_possible = goal.locations.iter().all(|(_, locations)| !locations.is_empty());
        for &code in &goal.data {
            match condition(network, names, &codes, code)? {
                Condition::Always => {}
                Condition::Never => is_possible = false,
                Condition::Text(text) => parts.push(text),
            }
        }
        if parts.is_empty() {
            parts.push(format!("~ ({})", nowhere(network, names)?));
        }
        if is_possible {
            alternatives.push(format!("({})", parts.join(" && ")));
        }
    }
    if alternatives.is_empty() {
        alternatives.push(nowhere(network, names)?);
    }
    Ok(format!("E<> ({})", alternatives.join(" || ")))
}

/// A condition that never holds.
fn nowhere(network: &Network, names: &Names) -> Result<String, Foreign> {
    let process = network.processes.first().ok_or("models without processes")?;
    let at =
        format!("{}.{}", names.processes[ProcessId(0).index()], names.locations[process.initial.index()]);
    Ok(format!("{at} && ~ ({at})"))
}

/// Names that Munta can read, each for one thing only.
struct Names {
    processes: Vec<String>,
    locations: Vec<String>,
    variables: Vec<String>,
    clocks: Vec<String>,
    channels: Vec<String>,
}

impl Names {
    fn new(network: &Network) -> Self {
        // Variables and clocks are told apart by their names alone.
        let mut data = HashSet::new();
        let mut processes = HashSet::new();
        let mut channels = HashSet::new();
        let mut locations = Vec::new();
        for process in &network.processes {
            let mut own = HashSet::new();
            let range = process.locations.start as usize..process.locations.end as usize;
            locations.extend(network.locations[range].iter().map(|location| fresh(&location.name, &mut own)));
        }
        Self {
            clocks: network.clocks.iter().map(|clock| fresh(&clock.name, &mut data)).collect(),
            variables: network.variables.iter().map(|variable| fresh(&variable.name, &mut data)).collect(),
            processes: network.processes.iter().map(|process| fresh(&process.name, &mut processes)).collect(),
            channels: network.channels.iter().map(|channel| fresh(&channel.name, &mut channels)).collect(),
            locations,
        }
    }

    fn renaming(&self, network: &Network) -> String {
        let numbered = |names: &[String], first: usize| {
            let numbered = names.iter().zip(first..).map(|(name, number)| format!("\"{name}\": {number}"));
            numbered.collect::<Vec<_>>().join(", ")
        };
        let locations = network.processes.iter().zip(&self.processes).map(|(process, name)| {
            let count = process.locations.end - process.locations.start;
            let nodes: Vec<String> = (0..count).map(|node| format!("\"{node}\": {node}")).collect();
            format!("\"{name}\": {{{}}}", nodes.join(", "))
        });
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{{\"vars\": {{{}}},\n \"clocks\": {{{}}},\n \"processes\": {{{}}},\n \"locations\": {{\n  {}}}}}",
            numbered(&self.variables, 0),
            numbered(&self.clocks[1..], 1),
            numbered(&self.processes, 0),
            locations.collect::<Vec<_>>().join(",\n  ")
        );
        text
    }
}

/// Letters, digits and underscores, with a letter in front, and a number behind where a name would come twice.
fn fresh(name: &str, taken: &mut HashSet<String>) -> String {
    let plain: String =
        name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    let plain = plain.trim_end_matches('_');
    let is_word = plain.starts_with(|letter: char| letter.is_ascii_alphabetic()) && plain != "true";
    let plain = if is_word { plain.to_owned() } else { format!("n{plain}") };
    let numbered = (2..).map(|number| format!("{plain}_{number}"));
    let found = std::iter::once(plain.clone()).chain(numbered).find(|name| !taken.contains(name));
    let found = found.expect("there are enough numbers");
    taken.insert(found.clone());
    found
}

impl Certificate {
    /// Writes the set of states as Munta reads it; says how many bytes that took.
    ///
    /// # Errors
    /// What the disk says.
    pub fn write_munta(&self, network: &Network, out: &mut dyn Write) -> io::Result<u64> {
        let mut words = 0;
        let mut put = |word: i64| {
            words += 1;
            out.write_all(&word.to_be_bytes())
        };
        let clocks = network.clocks.len();
        let sizes = [network.processes.len(), clocks, network.variables.len(), self.states()];
        put(MAGIC)?;
        sizes.iter().try_for_each(|&size| put(size as i64))?;
        for state in 0..self.states() {
            let cells = self.cells(state);
            let (locations, values) = cells.split_at(network.processes.len());
            for (&at, process) in locations.iter().zip(&network.processes) {
                put(i64::from(at) - i64::from(process.locations.start))?;
            }
            values.iter().try_for_each(|&value| put(value.into()))?;
            let zones: Vec<Zone> =
                self.zones_of(state).filter_map(|(bounds, _)| Zone::within(clocks, &bounds)).collect();
            put(zones.len() as i64)?;
            for zone in zones {
                for left in 0..clocks {
                    for right in 0..clocks {
                        // Bounds are packed alike, and the largest number is no bound in both.
                        put(zone.get(left, right).0)?;
                    }
                }
            }
        }
        out.flush()?;
        Ok(8 * words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_differ() {
        let mut taken = HashSet::new();
        let names = ["P(1).x", "P_1_.x", "P[1].x", "0", "true", "a-b"].map(|name| fresh(name, &mut taken));
        assert_eq!(names, ["P_1__x", "P_1__x_2", "P_1__x_3", "n0", "ntrue", "a_b"]);
    }
}
