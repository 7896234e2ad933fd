//! Systems as `TChecker`'s `.tck`.
//!
//! Guards there are conjunctions. Disjunctions over integers become `(if … then 1 else 0) == 1`; those over clocks become several edges, and are refused in
//! invariants.

use crate::plain::Abilities;
use crate::system::{At, Edge, Expr, Operator, Process, Result, System, TCK, Target, refuse};
use guidepost_language::Loaded;
use guidepost_network::Network;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Edges that a guard may be split into.
const MOST_EDGES: usize = 256;

impl System {
    /// The system that a model describes, for [`System::to_tck`].
    ///
    /// # Errors
    /// What `TChecker`'s language has no words for.
    pub fn for_tck(name: &str, loaded: &Loaded, network: &Network) -> Result<System> {
        System::with(name, loaded, network, Abilities { arrays: true, weak: true }).about(TCK)
    }

    /// The text of a `.tck` file.
    ///
    /// # Errors
    /// What `TChecker`'s language has no words for.
    pub fn to_tck(&self) -> Result<String> {
        self.tck().about(TCK)
    }

    fn tck(&self) -> Result<String> {
        let mut text = format!("system:{}\n\n", self.name);
        let internal = self.internal_event();
        let events = self.processes.iter().flat_map(|process| &process.edges);
        let events: BTreeSet<&str> = events.map(|edge| edge.event.as_deref().unwrap_or(&internal)).collect();
        for event in events {
            let _ = writeln!(text, "event:{event}");
        }
        for (name, size) in &self.clocks {
            let _ = writeln!(text, "clock:{size}:{name}");
        }
        for integers in &self.integers {
            let crate::system::Integers { name, size, min, max, initial } = integers;
            let _ = writeln!(text, "int:{size}:{min}:{max}:{initial}:{name}");
        }
        for process in &self.processes {
            write_process(&mut text, process, &internal).at(|| format!("process `{}`", process.name))?;
        }
        text.push('\n');
        for vector in &self.vectors {
            text.push_str("sync");
            for (process, event, weak) in &vector.participants {
                let _ = write!(
                    text,
                    ":{}@{event}{}",
                    self.processes[*process].name,
                    if *weak { "?" } else { "" }
                );
            }
            text.push('\n');
        }
        Ok(text)
    }

    /// The event of edges that happen alone: one that is in no vector.
    fn internal_event(&self) -> String {
        let used = |name: &String| {
            self.vectors.iter().flat_map(|vector| &vector.participants).any(|(_, event, _)| event == name)
        };
        let mut names = std::iter::once("tau".to_owned()).chain((2..).map(|number| format!("tau_{number}")));
        names.find(|name| !used(name)).expect("there are more numbers than events")
    }
}

fn write_process(text: &mut String, process: &Process, internal: &str) -> Result<()> {
    let _ = writeln!(text, "\nprocess:{}", process.name);
    for (index, location) in process.locations.iter().enumerate() {
        let mut attributes = Vec::new();
        let flags = [
            ("initial:", index == process.initial),
            ("urgent:", location.urgent),
            ("committed:", location.committed),
        ];
        attributes.extend(flags.iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| (*flag).to_owned()));
        let invariant =
            alternatives(&location.invariant).at(|| format!("the invariant of `{}`", location.name))?;
        match &invariant[..] {
            [one] if one.is_empty() => {}
            [one] => attributes.push(format!("invariant: {}", one.join(" && "))),
            [] => attributes.push("invariant: 1 == 0".to_owned()),
            _ => {
                return refuse("a disjunction of bounds on clocks")
                    .at(|| format!("the invariant of `{}`", location.name));
            }
        }
        let _ = writeln!(text, "location:{}:{}{}", process.name, location.name, braces(&attributes));
    }
    for edge in &process.edges {
        let names = [edge.source, edge.target].map(|at| &process.locations[at].name);
        let event = edge.event.as_deref().unwrap_or(internal);
        let place = || format!("the edge {} -> {}", names[0], names[1]);
        for guard in alternatives(&edge.guard).at(place)? {
            let mut attributes = Vec::new();
            if !guard.is_empty() {
                attributes.push(format!("provided: {}", guard.join(" && ")));
            }
            if !edge.update.is_empty() {
                attributes.push(format!("do: {}", update(edge).at(place)?));
            }
            let _ = writeln!(
                text,
                "edge:{}:{}:{}:{event}{}",
                process.name,
                names[0],
                names[1],
                braces(&attributes)
            );
        }
    }
    Ok(())
}

fn braces(attributes: &[String]) -> String {
    if attributes.is_empty() { String::new() } else { format!("{{{}}}", attributes.join(" : ")) }
}

fn update(edge: &Edge) -> Result<String> {
    let mut statements = Vec::new();
    for (Target { name, index, is_clock }, value) in &edge.update {
        let target = place(name, index.as_ref())?;
        let value = if *is_clock { clock_value(value)? } else { self::value(value)? };
        statements.push(format!("{target} = {value}"));
    }
    Ok(statements.join("; "))
}

/// The ways in which conditions can hold, each a list of atoms; none if they cannot.
fn alternatives(conditions: &[Expr]) -> Result<Vec<Vec<String>>> {
    let mut all = vec![Vec::new()];
    for condition in conditions {
        let ways = ways(condition)?;
        let mut joined = Vec::new();
        for one in &all {
            for way in &ways {
                let mut both: Vec<String> = one.clone();
                both.extend(way.iter().filter(|atom| !one.contains(atom)).cloned());
                joined.push(both);
            }
        }
        if joined.len() > MOST_EDGES {
            return refuse(format!("a condition on clocks with more than {MOST_EDGES} cases"));
        }
        all = joined;
    }
    Ok(all)
}

fn ways(condition: &Expr) -> Result<Vec<Vec<String>>> {
    if !condition.has_clocks() {
        return Ok(match condition {
            Expr::Number(0) => vec![],
            Expr::Number(_) => vec![vec![]],
            condition => vec![vec![holds(condition)?]],
        });
    }
    match condition {
        Expr::Not(inner) => ways(&inner.clone().negated()),
        Expr::Binary(Operator::And, left, right) => alternatives(&[(**left).clone(), (**right).clone()]),
        Expr::Binary(Operator::Or, left, right) => {
            let mut both = ways(left)?;
            both.extend(ways(right)?);
            Ok(both)
        }
        Expr::Binary(Operator::Ne, left, right) => {
            let both = [Operator::Lt, Operator::Gt]
                .map(|operator| constraint(operator, left, right).map(|atom| vec![atom]));
            both.into_iter().collect()
        }
        Expr::Binary(operator, left, right) if operator.is_comparison() => {
            Ok(vec![vec![constraint(*operator, left, right)?]])
        }
        _ => refuse("a value that depends on clocks"),
    }
}

/// Clocks that are added, clocks that are taken away, and the rest.
type Sum = (Vec<String>, Vec<String>, Vec<(bool, String)>);

fn sum(expr: &Expr, is_added: bool, to: &mut Sum) -> Result<()> {
    match expr {
        Expr::Clock(name, index) => {
            let clock = place(name, index.as_deref())?;
            if is_added { to.0.push(clock) } else { to.1.push(clock) }
        }
        Expr::Binary(Operator::Add, left, right) if expr.has_clocks() => {
            sum(left, is_added, to)?;
            sum(right, is_added, to)?;
        }
        Expr::Binary(Operator::Sub, left, right) if expr.has_clocks() => {
            sum(left, is_added, to)?;
            sum(right, !is_added, to)?;
        }
        Expr::Minus(inner) if expr.has_clocks() => sum(inner, !is_added, to)?,
        other if other.has_clocks() => return refuse("arithmetic on clocks"),
        Expr::Number(0) => {}
        other => to.2.push((is_added, value(other)?)),
    }
    Ok(())
}

/// `x < e` or `x - y < e`.
fn constraint(operator: Operator, left: &Expr, right: &Expr) -> Result<String> {
    let mut all = Sum::default();
    sum(left, true, &mut all)?;
    sum(right, false, &mut all)?;
    let (mut added, mut taken, mut rest) = all;
    // A clock against itself is nothing.
    added.retain(|clock| match taken.iter().position(|other| other == clock) {
        Some(at) => {
            taken.remove(at);
            false
        }
        None => true,
    });
    let (clocks, operator) = match (&added[..], &taken[..]) {
        ([x], []) => (x.clone(), operator),
        ([x], [y]) => (format!("{x} - {y}"), operator),
        ([], [y]) => {
            for (is_added, _) in &mut rest {
                *is_added = !*is_added;
            }
            (y.clone(), flipped(operator))
        }
        _ => return refuse("arithmetic on clocks"),
    };
    // The rest goes to the other side.
    let mut bound = String::new();
    for (is_added, value) in rest {
        match (bound.is_empty(), is_added) {
            (true, true) if value.parse::<i64>().is_ok() => {
                bound = format!("{}", -value.parse::<i64>().unwrap_or(0));
            }
            (true, true) => bound = format!("-({value})"),
            (true, false) => bound = value,
            (false, true) => bound = format!("{bound} - ({value})"),
            (false, false) => bound = format!("{bound} + ({value})"),
        }
    }
    let bound = if bound.is_empty() { "0".to_owned() } else { bound };
    Ok(format!("{clocks} {} {bound}", operator.symbol()))
}

fn flipped(operator: Operator) -> Operator {
    match operator {
        Operator::Lt => Operator::Gt,
        Operator::Le => Operator::Ge,
        Operator::Ge => Operator::Le,
        Operator::Gt => Operator::Lt,
        other => other,
    }
}

/// A condition on integers, as one atom.
fn holds(condition: &Expr) -> Result<String> {
    match condition {
        Expr::Binary(operator, left, right) if operator.is_comparison() => {
            Ok(format!("{} {} {}", value(left)?, operator.symbol(), value(right)?))
        }
        Expr::Binary(Operator::And, left, right) => Ok(format!("{} && {}", holds(left)?, holds(right)?)),
        Expr::Not(inner) => holds(&inner.clone().negated()),
        other => Ok(format!("{} != 0", value(other)?)),
    }
}

/// A number.
fn value(expr: &Expr) -> Result<String> {
    match expr {
        Expr::Number(value) => Ok(value.to_string()),
        Expr::Integer(name, index) => place(name, index.as_deref()),
        Expr::Clock(..) => refuse("the value of a clock"),
        Expr::Minus(inner) => Ok(format!("-({})", value(inner)?)),
        Expr::If(condition, then, otherwise) => choice(condition, &value(then)?, &value(otherwise)?),
        Expr::Binary(operator, left, right) if !expr.is_truth() => {
            Ok(format!("({} {} {})", value(left)?, operator.symbol(), value(right)?))
        }
        truth => choice(truth, "1", "0"),
    }
}

/// One of two values.
fn choice(condition: &Expr, then: &str, otherwise: &str) -> Result<String> {
    match condition {
        Expr::Number(0) => Ok(otherwise.to_owned()),
        Expr::Number(_) => Ok(then.to_owned()),
        Expr::Binary(Operator::Or, left, right) => choice(left, then, &choice(right, then, otherwise)?),
        Expr::Binary(Operator::And, left, right) => choice(left, &choice(right, then, otherwise)?, otherwise),
        Expr::Not(inner) => choice(&inner.clone().negated(), then, otherwise),
        atom => Ok(format!("(if {} then {then} else {otherwise})", holds(atom)?)),
    }
}

fn clock_value(expr: &Expr) -> Result<String> {
    match expr {
        Expr::Clock(name, index) => place(name, index.as_deref()),
        Expr::Binary(Operator::Add, left, right) if left.has_clocks() && !right.has_clocks() => {
            Ok(format!("{} + {}", clock_value(left)?, value(right)?))
        }
        Expr::Binary(Operator::Add, left, right) if right.has_clocks() && !left.has_clocks() => {
            Ok(format!("{} + {}", clock_value(right)?, value(left)?))
        }
        other if other.has_clocks() => refuse("arithmetic on clocks"),
        other => value(other),
    }
}

fn place(name: &str, index: Option<&Expr>) -> Result<String> {
    match index {
        None => Ok(name.to_owned()),
        Some(index) => Ok(format!("{name}[{}]", value(index)?)),
    }
}
