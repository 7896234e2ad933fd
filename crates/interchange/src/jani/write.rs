//! Systems as JANI.
//!
//! A *time-progress condition* says how long time may pass in a location, not that the location can only be entered while it holds. So the invariant of the
//! target, seen from before the assignments, is added to every guard. What others do to an invariant cannot be put into guards, and is refused unless it is a
//! clock that is set to 0 under an upper bound.
//!
//! Assignments of one index happen at once, and indices in their order: so every assignment of a transition gets an index of its own.

use crate::plain::Abilities;
use crate::system::{At, Edge, Expr, JANI, Operator, Process, Result, System, Target, refuse};
use guidepost_language::Loaded;
use guidepost_network::Network;
use serde_json::{Value, json};
use std::collections::BTreeSet;

impl System {
    /// The system that a model describes, for [`System::to_jani`].
    ///
    /// # Errors
    /// What JANI has no words for.
    pub fn for_jani(name: &str, loaded: &Loaded, network: &Network) -> Result<System> {
        System::with(name, loaded, network, Abilities { arrays: false, weak: false }).about(JANI)
    }

    /// The text of a JANI file.
    ///
    /// # Errors
    /// What JANI has no words for.
    pub fn to_jani(&self) -> Result<String> {
        let value = self.jani().about(JANI)?;
        Ok(format!("{value:#}\n"))
    }

    fn jani(&self) -> Result<Value> {
        let actions: BTreeSet<&str> = self
            .vectors
            .iter()
            .flat_map(|vector| &vector.participants)
            .map(|(_, event, _)| event.as_str())
            .collect();
        let mut variables = Vec::new();
        for (name, size) in &self.clocks {
            one(*size)?;
            variables.push(json!({ "name": name, "type": "clock", "initial-value": 0 }));
        }
        for integers in &self.integers {
            one(integers.size)?;
            let bounds = json!({ "kind": "bounded", "base": "int", "lower-bound": integers.min, "upper-bound": integers.max });
            variables
                .push(json!({ "name": integers.name, "type": bounds, "initial-value": integers.initial }));
        }
        let automata = self.processes.iter().enumerate().map(|(index, process)| {
            self.automaton(index, process).at(|| format!("process `{}`", process.name))
        });
        let automata = automata.collect::<Result<Vec<_>>>()?;
        Ok(json!({
            "jani-version": 1,
            "name": self.name,
            "type": "ta",
            "features": ["derived-operators"],
            "actions": actions.into_iter().map(|name| json!({ "name": name })).collect::<Vec<_>>(),
            "variables": variables,
            "automata": automata,
            "system": self.composition(),
        }))
    }

    fn composition(&self) -> Value {
        let elements: Vec<_> =
            self.processes.iter().map(|process| json!({ "automaton": process.name })).collect();
        let syncs = self.vectors.iter().map(|vector| {
            let mut parts = vec![Value::Null; self.processes.len()];
            for (process, event, _) in &vector.participants {
                parts[*process] = json!(event);
            }
            let result = vector.participants.first().map(|(_, event, _)| event);
            json!({ "synchronise": parts, "result": result })
        });
        json!({ "elements": elements, "syncs": syncs.collect::<Vec<_>>() })
    }

    fn automaton(&self, index: usize, process: &Process) -> Result<Value> {
        let mut locations = Vec::new();
        for location in &process.locations {
            if location.committed {
                return refuse(format!("the committed location `{}`", location.name));
            }
            self.check_invariant(index, &location.invariant)
                .at(|| format!("the invariant of `{}`", location.name))?;
            let mut value = json!({ "name": location.name });
            if location.urgent {
                value["time-progress"] = json!({ "exp": false });
            } else if !location.invariant.is_empty() {
                value["time-progress"] = json!({ "exp": conjunction(&location.invariant)? });
            }
            locations.push(value);
        }
        let edges = process.edges.iter().map(|edge| {
            let place = || {
                format!(
                    "the edge {} -> {}",
                    process.locations[edge.source].name, process.locations[edge.target].name
                )
            };
            self.edge(index, process, edge).at(place)
        });
        Ok(json!({
            "name": process.name,
            "locations": locations,
            "initial-locations": [process.locations[process.initial].name],
            "edges": edges.collect::<Result<Vec<_>>>()?,
        }))
    }

    /// Whether nobody else can violate an invariant.
    fn check_invariant(&self, own: usize, invariant: &[Expr]) -> Result<()> {
        let others = self.processes.iter().enumerate().filter(|(index, _)| *index != own);
        let updates = others.flat_map(|(_, process)| &process.edges).flat_map(|edge| &edge.update);
        for (target, value) in updates {
            let is_reset = target.is_clock && *value == Expr::Number(0);
            for part in invariant.iter().filter(|part| part.mentions(&target.name)) {
                if !(is_reset && is_upper_bound(part)) {
                    return refuse(format!(
                        "`{}`, which another process changes, in an invariant",
                        target.name
                    ));
                }
            }
        }
        Ok(())
    }

    fn edge(&self, index: usize, process: &Process, edge: &Edge) -> Result<Value> {
        let target = &process.locations[edge.target];
        let mut guard = edge.guard.clone();
        for part in &target.invariant {
            let before = before(part, &edge.update);
            if !is_certain(&before) && !guard.contains(&before) {
                guard.push(before);
            }
        }
        // The sender comes first, the others in the order of the processes.
        let is_first = edge.event.as_ref().is_some_and(|event| {
            self.vectors
                .iter()
                .any(|vector| vector.participants.first().is_some_and(|(_, first, _)| first == event))
        });
        let base = if is_first || edge.event.is_none() { 0 } else { 1_000 * (index as i64 + 1) };
        let mut assignments = Vec::new();
        for (number, (Target { name, .. }, value)) in (base..).zip(&edge.update) {
            assignments.push(json!({ "ref": name, "value": expression(value)?, "index": number }));
        }
        let mut written = json!({ "location": process.locations[edge.source].name });
        if let Some(event) = &edge.event {
            written["action"] = json!(event);
        }
        if !guard.is_empty() {
            written["guard"] = json!({ "exp": conjunction(&guard)? });
        }
        let mut destination = json!({ "location": target.name });
        if !assignments.is_empty() {
            destination["assignments"] = json!(assignments);
        }
        written["destinations"] = json!([destination]);
        Ok(written)
    }
}

fn one(size: usize) -> Result<()> {
    if size == 1 { Ok(()) } else { refuse("an array") }
}

/// `x <= c` or `x < c`, for a constant that 0 satisfies.
fn is_upper_bound(part: &Expr) -> bool {
    match part {
        Expr::Binary(Operator::Le, left, right) => {
            matches!((&**left, &**right), (Expr::Clock(..), Expr::Number(bound)) if *bound >= 0)
        }
        Expr::Binary(Operator::Lt, left, right) => {
            matches!((&**left, &**right), (Expr::Clock(..), Expr::Number(bound)) if *bound > 0)
        }
        _ => false,
    }
}

/// A condition as it must be before assignments, so that it holds after them.
fn before(condition: &Expr, update: &[(Target, Expr)]) -> Expr {
    let mut condition = condition.clone();
    for (target, value) in update.iter().rev() {
        condition = replaced(&condition, &target.name, value);
    }
    condition
}

fn replaced(expr: &Expr, name: &str, value: &Expr) -> Expr {
    let again = |part: &Expr| Box::new(replaced(part, name, value));
    match expr {
        Expr::Integer(own, None) | Expr::Clock(own, None) if own == name => value.clone(),
        Expr::Number(_) | Expr::Integer(..) | Expr::Clock(..) => expr.clone(),
        Expr::Minus(inner) => Expr::Minus(again(inner)),
        Expr::Not(inner) => Expr::Not(again(inner)),
        Expr::Binary(operator, left, right) => Expr::Binary(*operator, again(left), again(right)).folded(),
        Expr::If(condition, then, otherwise) => Expr::If(again(condition), again(then), again(otherwise)),
    }
}

fn is_certain(expr: &Expr) -> bool {
    matches!(expr, Expr::Number(value) if *value != 0)
}

fn conjunction(parts: &[Expr]) -> Result<Value> {
    let mut all = Value::Null;
    for part in parts {
        let part = condition(part)?;
        all = if all.is_null() { part } else { json!({ "op": "∧", "left": all, "right": part }) };
    }
    Ok(all)
}

/// A truth value.
fn condition(expr: &Expr) -> Result<Value> {
    let binary = |op: &str, left: Value, right: Value| json!({ "op": op, "left": left, "right": right });
    match expr {
        Expr::Number(value) => Ok(json!(*value != 0)),
        Expr::Not(inner) => Ok(json!({ "op": "¬", "exp": condition(inner)? })),
        Expr::Binary(Operator::And, left, right) => Ok(binary("∧", condition(left)?, condition(right)?)),
        Expr::Binary(Operator::Or, left, right) => Ok(binary("∨", condition(left)?, condition(right)?)),
        Expr::Binary(operator, left, right) if operator.is_comparison() => {
            Ok(binary(symbol(*operator)?, expression(left)?, expression(right)?))
        }
        other => Ok(binary("≠", expression(other)?, json!(0))),
    }
}

/// A number.
fn expression(expr: &Expr) -> Result<Value> {
    match expr {
        Expr::Number(value) => Ok(json!(value)),
        Expr::Integer(name, None) | Expr::Clock(name, None) => Ok(json!(name)),
        Expr::Integer(..) | Expr::Clock(..) => refuse("an element of an array"),
        Expr::Minus(inner) => Ok(json!({ "op": "-", "left": 0, "right": expression(inner)? })),
        Expr::If(when, then, otherwise) => Ok(
            json!({ "op": "ite", "if": condition(when)?, "then": expression(then)?, "else": expression(otherwise)? }),
        ),
        truth if truth.is_truth() => {
            Ok(json!({ "op": "ite", "if": condition(truth)?, "then": 1, "else": 0 }))
        }
        Expr::Binary(operator, left, right) => {
            Ok(json!({ "op": symbol(*operator)?, "left": expression(left)?, "right": expression(right)? }))
        }
        Expr::Not(_) => unreachable!("a truth value"),
    }
}

fn symbol(operator: Operator) -> Result<&'static str> {
    Ok(match operator {
        Operator::Add => "+",
        Operator::Sub => "-",
        Operator::Mul => "*",
        // There, division gives real numbers, and the remainder is never negative.
        Operator::Div => return refuse("the division of integers"),
        Operator::Mod => return refuse("the remainder of a division"),
        Operator::Lt => "<",
        Operator::Le => "≤",
        Operator::Eq => "=",
        Operator::Ne => "≠",
        Operator::Ge => "≥",
        Operator::Gt => ">",
        Operator::And => "∧",
        Operator::Or => "∨",
    })
}
