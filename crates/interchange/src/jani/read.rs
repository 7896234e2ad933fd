//! JANI as systems: models of type `ta` (and `lts`) with bounded integers, Booleans and clocks.
//!
//! Time-progress conditions are read as invariants: a location cannot be entered while its condition does not hold. Properties are left out.

use crate::expression::split;
use crate::names::Taken;
use crate::system::{Edge, Expr, Integers, Location, Operator, Process, System, Target, Vector};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

type Result<T> = std::result::Result<T, String>;

impl System {
    /// The system that a JANI text describes.
    ///
    /// # Errors
    /// What is wrong with the text, or has no meaning for timed automata: where, and what.
    pub fn from_jani(text: &str) -> Result<System> {
        let text = text.trim_start_matches('\u{feff}');
        let value: Value =
            serde_json::from_str(text).map_err(|error| format!("this is not JSON: {error}"))?;
        Reader::default().read(&value)
    }
}

/// What a name stands for.
#[derive(Clone)]
enum Named {
    Value(Expr),
    Integer(String),
    Clock(String),
}

type Names = HashMap<String, Named>;

#[derive(Default)]
struct Reader {
    system: System,
    taken: Taken,
    global: Names,
    /// By process: the action of each edge, and the indices of its assignments.
    notes: Vec<Vec<Note>>,
}

struct Note {
    action: Option<String>,
    indices: Vec<i64>,
}

impl Reader {
    fn read(mut self, model: &Value) -> Result<System> {
        if model.get("jani-version").is_none() {
            return Err("this is JSON, but not JANI: there is no `jani-version`".into());
        }
        match text(model, "type")? {
            "ta" | "lts" => {}
            other => return Err(format!("models of type `{other}` are not supported, only `ta` and `lts`")),
        }
        for unknown in ["restrict-initial", "functions"] {
            if model.get(unknown).is_some_and(|value| *value != Value::Array(vec![])) {
                return Err(format!("`{unknown}` is not supported"));
            }
        }
        self.system.name = Taken::default().fresh(model["name"].as_str().unwrap_or("model"));
        for constant in list(model, "constants") {
            let name = text(constant, "name")?;
            let value = constant.get("value").ok_or_else(|| format!("the constant `{name}` has no value"))?;
            let value =
                expression(value, &self.global).map_err(|error| format!("constant `{name}`: {error}"))?;
            self.global.insert(name.to_owned(), Named::Value(value));
        }
        let mut global = std::mem::take(&mut self.global);
        for variable in list(model, "variables") {
            self.variable(variable, "", &mut global)?;
        }
        self.global = global;
        let automata: HashMap<&str, &Value> = list(model, "automata")
            .iter()
            .map(|automaton| Ok((text(automaton, "name")?, automaton)))
            .collect::<Result<_>>()?;
        let composition = model.get("system").ok_or("there is no `system`")?;
        for element in list(composition, "elements") {
            let name = text(element, "automaton")?;
            if element.get("input-enable").is_some_and(|list| *list != Value::Array(vec![])) {
                return Err(format!("`input-enable` of `{name}` is not supported"));
            }
            let automaton = automata.get(name).ok_or_else(|| format!("there is no automaton `{name}`"))?;
            self.automaton(name, automaton).map_err(|error| format!("automaton `{name}`: {error}"))?;
        }
        if self.system.processes.is_empty() {
            return Err("the system has no elements".into());
        }
        self.synchronise(composition)?;
        Ok(self.system)
    }

    fn variable(&mut self, variable: &Value, owner: &str, names: &mut Names) -> Result<()> {
        let name = text(variable, "name")?;
        let fail = |what: &str| Err(format!("the variable `{name}`: {what}"));
        if variable["transient"] == true {
            return fail("transient variables are not supported");
        }
        let wish = if owner.is_empty() { name.to_owned() } else { format!("{owner}_{name}") };
        let initial = variable.get("initial-value");
        let (min, max) = match &variable["type"] {
            Value::String(kind) if kind == "bool" => (0, 1),
            Value::String(kind) if kind == "clock" => {
                if initial.is_some_and(|value| value.as_f64() != Some(0.0)) {
                    return fail("clocks begin at 0");
                }
                let own = self.taken.fresh(&wish);
                self.system.clocks.push((own.clone(), 1));
                names.insert(name.to_owned(), Named::Clock(own));
                return Ok(());
            }
            Value::String(kind) if kind == "int" => return fail("integers need bounds"),
            Value::Object(kind)
                if kind.get("kind").is_some_and(|kind| kind == "bounded")
                    && kind.get("base").is_some_and(|base| base == "int") =>
            {
                let bound = |key: &str| match kind.get(key).map(|value| expression(value, &self.global)) {
                    Some(Ok(Expr::Number(value))) => Ok(value),
                    _ => Err(format!("the variable `{name}`: `{key}` must be a number")),
                };
                (bound("lower-bound")?, bound("upper-bound")?)
            }
            other => return fail(&format!("the type {other} is not supported")),
        };
        let initial = match initial.map(|value| expression(value, &self.global)) {
            Some(Ok(Expr::Number(value))) if (min..=max).contains(&value) => value,
            Some(Ok(Expr::Number(_))) => return fail("the initial value is outside its range"),
            Some(Ok(_) | Err(_)) => return fail("the initial value must be a number"),
            None => return fail("there is no initial value"),
        };
        let in_range = |value: i64| i32::try_from(value).is_ok();
        if min > max || !in_range(min) || !in_range(max) {
            return fail("the range is empty or too large");
        }
        let own = self.taken.fresh(&wish);
        self.system.integers.push(Integers { name: own.clone(), size: 1, min, max, initial });
        names.insert(name.to_owned(), Named::Integer(own));
        Ok(())
    }

    fn automaton(&mut self, name: &str, automaton: &Value) -> Result<()> {
        let process = self.taken.fresh(name);
        let mut names = self.global.clone();
        for variable in list(automaton, "variables") {
            self.variable(variable, &process, &mut names)?;
        }
        if automaton.get("restrict-initial").is_some() {
            return Err("`restrict-initial` is not supported".into());
        }
        let mut taken = Taken::default();
        let (mut locations, mut numbers) = (Vec::new(), HashMap::new());
        for location in list(automaton, "locations") {
            let name = text(location, "name")?;
            if location.get("transient-values").is_some_and(|list| *list != Value::Array(vec![])) {
                return Err(format!("location `{name}`: `transient-values` is not supported"));
            }
            let (mut invariant, mut urgent) = (Vec::new(), false);
            if let Some(condition) = location.get("time-progress") {
                let condition = expression(&condition["exp"], &names)
                    .map_err(|error| format!("location `{name}`: {error}"))?
                    .truth();
                urgent = condition == Expr::Number(0);
                if !urgent {
                    split(condition, &mut invariant);
                }
            }
            numbers.insert(name.to_owned(), locations.len());
            locations.push(Location { name: taken.fresh(name), invariant, urgent, committed: false });
        }
        let initial: Vec<&Value> = list(automaton, "initial-locations").iter().collect();
        let [initial] = initial[..] else { return Err("there must be one initial location".into()) };
        let find = |value: &Value| {
            let name = value.as_str().unwrap_or_default();
            numbers.get(name).copied().ok_or_else(|| format!("there is no location `{name}`"))
        };
        let initial = find(initial)?;
        let (mut edges, mut notes) = (Vec::new(), Vec::new());
        for (number, edge) in list(automaton, "edges").iter().enumerate() {
            let (edge, note) =
                self::edge(edge, &names, &find).map_err(|error| format!("edge {}: {error}", number + 1))?;
            edges.push(edge);
            notes.push(note);
        }
        self.system.processes.push(Process { name: process, locations, initial, edges });
        self.notes.push(notes);
        Ok(())
    }

    /// Makes vectors, and gives edges events. An action that is in no vector never happens.
    fn synchronise(&mut self, composition: &Value) -> Result<()> {
        let mut events: BTreeMap<String, String> = BTreeMap::new();
        let mut taking_part = BTreeSet::new();
        for sync in list(composition, "syncs") {
            let parts = list(sync, "synchronise");
            if parts.len() != self.system.processes.len() {
                return Err("a synchronisation vector needs an entry for every element".into());
            }
            let mut participants = Vec::new();
            for (process, action) in parts.iter().enumerate() {
                let Some(action) = action.as_str() else { continue };
                let taken = &mut self.taken;
                let event = events.entry(action.to_owned()).or_insert_with(|| taken.fresh(action));
                taking_part.insert((process, action.to_owned()));
                participants.push((process, action.to_owned(), event.clone()));
            }
            let participants = self.in_order(participants)?;
            if !participants.is_empty() {
                self.system.vectors.push(Vector { participants });
            }
        }
        let is_open = composition.get("syncs").is_none();
        for (index, process) in self.system.processes.iter_mut().enumerate() {
            let mut notes = self.notes[index].iter();
            process.edges.retain_mut(|edge| {
                let Some(action) = notes.next().and_then(|note| note.action.as_ref()) else { return true };
                let happens = taking_part.contains(&(index, action.clone()));
                edge.event = events.get(action).filter(|_| happens).cloned();
                happens || is_open
            });
        }
        Ok(())
    }

    /// Participants in the order of their assignments. Assignments of all of them are sorted by index; here those of one follow those of another, which must make
    /// no difference.
    fn in_order(&self, mut participants: Vec<(usize, String, String)>) -> Result<Vec<(usize, String, bool)>> {
        let own = |process: usize, action: &str| -> Vec<(i64, &Target, &Expr)> {
            let edges = self.system.processes[process].edges.iter().zip(&self.notes[process]);
            let of_action = edges.filter(|(_, note)| note.action.as_deref() == Some(action));
            of_action
                .flat_map(|(edge, note)| {
                    note.indices
                        .iter()
                        .zip(&edge.update)
                        .map(|(index, (target, value))| (*index, target, value))
                })
                .collect()
        };
        let first = |(process, action, _): &(usize, String, String)| {
            own(*process, action).iter().map(|(index, ..)| *index).min().unwrap_or(i64::MAX)
        };
        participants.sort_by_key(first);
        for (at, (earlier, action, _)) in participants.iter().enumerate() {
            for (later, other, _) in &participants[at + 1..] {
                for (i, target, value) in own(*earlier, action) {
                    for (j, other_target, other_value) in own(*later, other) {
                        let reads_new = i < j || !other_value.mentions(&target.name);
                        let reads_old = j >= i || !value.mentions(&other_target.name);
                        let is_last = target.name != other_target.name || i < j;
                        if !(reads_new && reads_old && is_last) {
                            return Err(format!(
                                "the assignments to `{}` and `{}` in one transition cannot be put into an order",
                                target.name, other_target.name
                            ));
                        }
                    }
                }
            }
        }
        Ok(participants.into_iter().map(|(process, _, event)| (process, event, false)).collect())
    }
}

fn edge(edge: &Value, names: &Names, find: &dyn Fn(&Value) -> Result<usize>) -> Result<(Edge, Note)> {
    if edge.get("rate").is_some() {
        return Err("rates are not supported".into());
    }
    let [destination] = &list(edge, "destinations")[..] else {
        return Err("an edge with several destinations is not supported".into());
    };
    if let Some(probability) = destination.get("probability")
        && expression(&probability["exp"], names) != Ok(Expr::Number(1))
    {
        return Err("probabilities other than 1 are not supported".into());
    }
    let mut guard = Vec::new();
    if let Some(condition) = edge.get("guard") {
        split(expression(&condition["exp"], names)?.truth(), &mut guard);
    }
    let mut assignments = Vec::new();
    for assignment in list(destination, "assignments") {
        let name = assignment["ref"].as_str().ok_or("only variables can be assigned to")?;
        let (name, is_clock) = match names.get(name) {
            Some(Named::Integer(own)) => (own.clone(), false),
            Some(Named::Clock(own)) => (own.clone(), true),
            _ => return Err(format!("`{name}` is no variable")),
        };
        let value = expression(&assignment["value"], names)?;
        let index = assignment.get("index").and_then(Value::as_i64).unwrap_or(0);
        assignments.push((index, (Target { name, index: None, is_clock }, value)));
    }
    assignments.sort_by_key(|(index, _)| *index);
    check_simultaneous(&assignments)?;
    let (indices, update) = assignments.into_iter().unzip();
    let action = edge.get("action").and_then(Value::as_str).map(str::to_owned);
    let (source, target) = (find(&edge["location"])?, find(&destination["location"])?);
    Ok((Edge { source, target, event: None, guard, update }, Note { action, indices }))
}

/// Assignments of one index happen at once: none may read what another one before it has changed.
fn check_simultaneous(assignments: &[(i64, (Target, Expr))]) -> Result<()> {
    for (at, (index, (_, value))) in assignments.iter().enumerate() {
        let before = assignments[..at].iter().filter(|(other, _)| other == index);
        for (_, (target, _)) in before {
            if value.mentions(&target.name) {
                return Err(format!(
                    "assignments that happen at once and read `{}`, which one of them changes, are not supported",
                    target.name
                ));
            }
        }
    }
    Ok(())
}

fn expression(value: &Value, names: &Names) -> Result<Expr> {
    match value {
        Value::Bool(value) => Ok(Expr::Number(i64::from(*value))),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(value), _) => Ok(Expr::Number(value)),
            (None, Some(value)) if value.fract() == 0.0 && value.abs() < 1e15 => {
                Ok(Expr::Number(value as i64))
            }
            _ => Err(format!("{number} is no integer")),
        },
        Value::String(name) => match names.get(name) {
            Some(Named::Value(value)) => Ok(value.clone()),
            Some(Named::Integer(own)) => Ok(Expr::Integer(own.clone(), None)),
            Some(Named::Clock(own)) => Ok(Expr::Clock(own.clone(), None)),
            None => Err(format!("`{name}` is not declared")),
        },
        Value::Object(_) => operation(value, names),
        _ => Err("an expression is expected".into()),
    }
}

fn operation(value: &Value, names: &Names) -> Result<Expr> {
    let op = value["op"].as_str().ok_or("an expression without `op` is not supported")?;
    let part = |key: &str| expression(&value[key], names);
    if op == "ite" {
        let (condition, then, otherwise) = (part("if")?.truth(), part("then")?, part("else")?);
        return Ok(Expr::If(Box::new(condition), Box::new(then), Box::new(otherwise)));
    }
    if op == "¬" {
        return Ok(part("exp")?.truth().negated());
    }
    let operator = match op {
        "+" => Operator::Add,
        "-" => Operator::Sub,
        "*" => Operator::Mul,
        "<" => Operator::Lt,
        "≤" => Operator::Le,
        "=" => Operator::Eq,
        "≠" => Operator::Ne,
        "≥" => Operator::Ge,
        ">" => Operator::Gt,
        "∧" | "∨" | "⇒" | "min" | "max" => {
            let (left, right) = (part("left")?, part("right")?);
            return Ok(match op {
                "∧" => left.truth().with(Operator::And, right.truth()).folded(),
                "∨" => left.truth().with(Operator::Or, right.truth()).folded(),
                "⇒" => left.truth().negated().with(Operator::Or, right.truth()).folded(),
                _ => {
                    let less = left.clone().with(Operator::Lt, right.clone());
                    let (then, otherwise) = if op == "min" { (left, right) } else { (right, left) };
                    Expr::If(Box::new(less), Box::new(then), Box::new(otherwise))
                }
            });
        }
        other => return Err(format!("the operator `{other}` is not supported")),
    };
    let (left, right) = (part("left")?, part("right")?);
    Ok(match (operator, left) {
        (Operator::Sub, Expr::Number(0)) => match right {
            Expr::Number(value) => Expr::Number(-value),
            right => Expr::Minus(Box::new(right)),
        },
        (operator, left) => left.with(operator, right).folded(),
    })
}

fn list<'v>(value: &'v Value, key: &str) -> &'v Vec<Value> {
    static NOTHING: Vec<Value> = Vec::new();
    value.get(key).and_then(Value::as_array).unwrap_or(&NOTHING)
}

fn text<'v>(value: &'v Value, key: &str) -> Result<&'v str> {
    value.get(key).and_then(Value::as_str).ok_or_else(|| format!("`{key}` is missing"))
}
