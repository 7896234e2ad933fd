//! A plan as the text of a model, in UPPAAL's textual language.

use super::Timed;
use super::names::Names;
use super::plan::{Arrow, Due, Part, Place, Plan, Sync, Value};
use crate::Note;
use crate::sem::Guard;
use std::collections::HashSet;
use std::fmt::Write;

/// How a model says that a state of the machine is active.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Says {
    /// It always is, or never.
    Known(bool),
    /// The automaton is at its only location with it.
    At(usize, usize),
    /// A Boolean variable.
    Variable(String),
}

/// What became of a variable of the machine.
struct Data {
    name: String,
    low: i32,
    high: i32,
    is_bool: bool,
}

struct Writer<'p> {
    plan: &'p Plan,
    processes: Vec<String>,
    locations: Vec<Vec<String>>,
    channels: Vec<String>,
    clocks: Vec<String>,
    states: Vec<Says>,
    data: Vec<Option<Data>>,
    environment: String,
}

impl Plan {
    /// The text of the model, and for every state of the machine the condition that says it is active.
    pub(crate) fn write(&self, notes: Vec<Note>) -> Timed {
        let writer = Writer::new(self);
        Timed { model: writer.model(), states: writer.conditions(), notes }
    }
}

impl<'p> Writer<'p> {
    /// Names what queries speak of first: those keep the author's names.
    fn new(plan: &'p Plan) -> Self {
        let mut names = Names::default();
        let processes = plan.parts.iter().map(|part| names.fresh(&part.name, "machine")).collect();
        let environment = names.fresh("Environment", "");
        let mut all = names.clone();
        let mut locations = Vec::new();
        for part in &plan.parts {
            let mut own = Names::default();
            let name = |place: &Place| own.fresh(&place.words.join("_"), "");
            locations.push(part.places.iter().map(name).collect());
            all.take(&own);
        }
        let channels = plan.events.iter().map(|event| all.fresh(event, "event")).collect();
        let asked = plan.asked();
        let states = (0..plan.states.len()).map(|state| says(plan, state, &asked, &mut all)).collect();
        let data = (0..plan.data.len()).map(|at| data(plan, at, &mut all)).collect();
        let clocks = plan.clocks.iter().map(|clock| all.fresh(&format!("since_{clock}"), "")).collect();
        Self { plan, processes, locations, channels, clocks, states, data, environment }
    }

    fn model(&self) -> String {
        let mut text = String::new();
        self.declarations(&mut text);
        let mut system = self.processes.clone();
        if !self.plan.offered.is_empty() {
            self.environment(&mut text);
            system.insert(0, self.environment.clone());
        }
        for (at, part) in self.plan.parts.iter().enumerate() {
            self.process(&mut text, at, part);
        }
        let _ = writeln!(text, "system {};", system.join(", "));
        text
    }

    fn declarations(&self, text: &mut String) {
        for name in &self.channels {
            let _ = writeln!(text, "broadcast chan {name};");
        }
        for name in &self.clocks {
            let _ = writeln!(text, "clock {name};");
        }
        for (state, says) in self.states.iter().enumerate() {
            if let Says::Variable(name) = says {
                let begins = self.begins(|place| place.active.contains(&state)).unwrap_or(false);
                let _ = writeln!(text, "bool {name} = {begins};");
            }
        }
        for (at, data) in self.data.iter().enumerate() {
            let Some(data) = data else { continue };
            let value = self.begins(|place| (place.values.len() > at).then(|| place.values[at])).flatten();
            let value = number(value.unwrap_or(Value::Other)).unwrap_or(data.low);
            let Data { name, low, high, is_bool } = data;
            let _ = if *is_bool {
                writeln!(text, "bool {name} = {};", value != 0)
            } else {
                writeln!(text, "int[{low},{high}] {name} = {value};")
            };
        }
    }

    /// Something about the only place where the part that knows begins; nothing where there are several.
    fn begins<T>(&self, of: impl Fn(&Place) -> T) -> Option<T>
    where
        T: PartialEq + Default,
    {
        let only = self.plan.parts.iter().filter(|part| part.starts.len() == 1);
        let mut values = only.map(|part| of(&part.places[part.starts[0]]));
        values.find(|value| *value != T::default())
    }

    /// Whoever sends events from outside: any of them, at any time.
    fn environment(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "\nprocess {}() {{\n    state sends;\n    init sends;\n    trans",
            self.environment
        );
        let send = |&event: &usize| format!("        sends -> sends {{ sync {}!; }}", self.channels[event]);
        let edges: Vec<String> = self.plan.offered.iter().map(send).collect();
        let _ = writeln!(text, "{};\n}}", edges.join(",\n"));
    }

    fn process(&self, text: &mut String, at: usize, part: &Part) {
        let names = &self.locations[at];
        let start = Names::start(names);
        let is_open = part.starts.len() > 1;
        let location = |(place, name): (&Place, &String)| match &place.limits[..] {
            [] => name.clone(),
            limits => {
                let bounds: Vec<String> =
                    limits.iter().map(|(clock, most)| format!("{} <= {most}", self.clocks[*clock])).collect();
                format!("{name} {{ {} }}", bounds.join(" && "))
            }
        };
        let mut locations: Vec<String> = part.places.iter().zip(names).map(location).collect();
        locations.extend(is_open.then(|| start.clone()));
        let _ = writeln!(text, "\nprocess {}() {{\n    state {};", self.processes[at], locations.join(", "));
        if is_open {
            let _ = writeln!(text, "    commit {start};");
        }
        let urgent: Vec<&str> = part
            .places
            .iter()
            .zip(names)
            .filter(|(place, _)| place.urgent)
            .map(|(_, name)| name.as_str())
            .collect();
        if !urgent.is_empty() {
            let _ = writeln!(text, "    urgent {};", urgent.join(", "));
        }
        let init = if is_open { &start } else { &names[part.starts[0]] };
        let _ = writeln!(text, "    init {init};");
        let mut edges: Vec<String> = Vec::new();
        if is_open {
            let nowhere = Place::default();
            edges.extend(part.starts.iter().map(|&to| {
                let updates = self.updates(part, &nowhere, &part.places[to]);
                format!("        {start} -> {} {{ {}}}", names[to], assign(&updates))
            }));
        }
        edges.extend(part.arrows.iter().map(|arrow| self.edge(part, names, arrow)));
        if !edges.is_empty() {
            let _ = writeln!(text, "    trans\n{};", edges.join(",\n"));
        }
        text.push_str("}\n");
    }

    fn edge(&self, part: &Part, names: &[String], arrow: &Arrow) -> String {
        let mut guards = Vec::new();
        match arrow.due {
            Due::Always => {}
            Due::Exactly(clock, time) => guards.push(format!("{} == {time}", self.clocks[clock])),
            Due::AtMost(clock, time) => guards.push(format!("{} <= {time}", self.clocks[clock])),
        }
        if arrow.guard != Guard::True {
            guards.push(self.guard(&arrow.guard));
        }
        let guard =
            if guards.is_empty() { String::new() } else { format!("guard {}; ", guards.join(" && ")) };
        let sync = match arrow.sync {
            Sync::Hears(event) => format!("{}?", self.channels[event]),
            Sync::Makes(event) => format!("{}!", self.channels[event]),
        };
        let mut updates = self.updates(part, &part.places[arrow.from], &part.places[arrow.to]);
        updates.extend(arrow.restarts.iter().map(|&clock| format!("{} = 0", self.clocks[clock])));
        let (from, to) = (&names[arrow.from], &names[arrow.to]);
        format!("        {from} -> {to} {{ {guard}sync {sync}; {}}}", assign(&updates))
    }

    /// What variables have to be told on the way from one place to another.
    fn updates(&self, part: &Part, from: &Place, to: &Place) -> Vec<String> {
        let mut updates = Vec::new();
        for &state in &part.states {
            let Says::Variable(name) = &self.states[state] else { continue };
            let [before, after] = [from, to].map(|place| place.active.binary_search(&state).is_ok());
            if before != after {
                updates.push(format!("{name} = {after}"));
            }
        }
        for (at, &value) in to.values.iter().enumerate() {
            let Some(data) = &self.data[at] else { continue };
            let Some(after) = number(value).filter(|_| from.values.get(at) != Some(&value)) else { continue };
            let after = if data.is_bool { (after != 0).to_string() } else { after.to_string() };
            updates.push(format!("{} = {after}", data.name));
        }
        updates
    }

    /// A condition on states of other parts. Each operand is in parentheses unless it is a name.
    fn guard(&self, guard: &Guard) -> String {
        let join = |parts: &[Guard], sign: &str, none: &str| match parts {
            [] => none.to_owned(),
            parts => {
                let parts: Vec<String> = parts.iter().map(|part| self.guard(part)).collect();
                format!("({})", parts.join(sign))
            }
        };
        match guard {
            Guard::True => "true".to_owned(),
            Guard::Active(state) => match &self.states[state.index()] {
                Says::Known(is_active) => is_active.to_string(),
                Says::Variable(name) => name.clone(),
                Says::At(..) => unreachable!("a state that guards ask for has a variable"),
            },
            Guard::Not(inner) => format!("!{}", self.guard(inner)),
            Guard::And(parts) => join(parts, " && ", "true"),
            Guard::Or(parts) => join(parts, " || ", "false"),
        }
    }

    /// The states of the machine, each with the condition that says it is active.
    fn conditions(&self) -> Vec<(String, String)> {
        let condition = |says: &Says| match says {
            Says::Known(is_active) => is_active.to_string(),
            Says::At(part, place) => format!("{}.{}", self.processes[*part], self.locations[*part][*place]),
            Says::Variable(name) => name.clone(),
        };
        self.plan.states.iter().cloned().zip(self.states.iter().map(condition)).skip(1).collect()
    }
}

impl Names {
    /// A name for the place before all others.
    fn start(locations: &[String]) -> String {
        let mut name = "start".to_owned();
        while locations.contains(&name) {
            name.push('_');
        }
        name
    }
}

fn assign(updates: &[String]) -> String {
    if updates.is_empty() { String::new() } else { format!("assign {}; ", updates.join(", ")) }
}

fn says(plan: &Plan, state: usize, asked: &HashSet<usize>, names: &mut Names) -> Says {
    let Some(at) = plan.parts.iter().position(|part| part.states.contains(&state)) else {
        return Says::Known(true);
    };
    let places = &plan.parts[at].places;
    let holds = |place: &Place| place.active.binary_search(&state).is_ok();
    let active: Vec<usize> = (0..places.len()).filter(|&place| holds(&places[place])).collect();
    match active[..] {
        [] => Says::Known(false),
        _ if active.len() == places.len() => Says::Known(true),
        [only] if !asked.contains(&state) => Says::At(at, only),
        _ => Says::Variable(names.fresh(&format!("in_{}", plan.states[state]), "")),
    }
}

impl Plan {
    /// The states that guards ask for.
    fn asked(&self) -> HashSet<usize> {
        let mut asked = HashSet::new();
        let arrows = self.parts.iter().flat_map(|part| &part.arrows);
        arrows.for_each(|arrow| {
            arrow.guard.for_each_state(&mut |state| {
                asked.insert(state.index());
            });
        });
        asked
    }
}

/// A variable of the machine that always has a value which automata know.
fn data(plan: &Plan, at: usize, names: &mut Names) -> Option<Data> {
    let places = plan.parts.iter().flat_map(|part| &part.places);
    let values: Vec<Value> = places.filter_map(|place| place.values.get(at).copied()).collect();
    let is_bool = values.iter().all(|value| matches!(value, Value::Bool(_)));
    let is_integer = values.iter().all(|value| matches!(value, Value::Integer(_)));
    let numbers = || values.iter().copied().filter_map(number);
    let (low, high) = (numbers().min()?, numbers().max()?);
    // A constant tells nobody anything.
    let is_told = low < high && (is_bool || is_integer);
    is_told.then(|| Data { name: names.fresh(&plan.data[at], "data"), low, high, is_bool })
}

fn number(value: Value) -> Option<i32> {
    match value {
        Value::Other => None,
        Value::Bool(value) => Some(i32::from(value)),
        Value::Integer(value) => Some(value),
    }
}
