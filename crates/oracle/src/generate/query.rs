//! Random queries about a model.

use super::Profile;
use crate::model::Model;
use crate::random::Random;

/// What a query is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryKind {
    /// `E<>` and `A[]` over locations, data and clocks.
    Reachability,
    /// `E<>` and `A[]` with `deadlock`.
    Deadlock,
    /// `E[]`, `A<>`, `-->`.
    Liveness,
    /// `sup` and `inf`.
    Bounds,
}

/// So many queries about a model.
pub fn random_queries(
    model: &Model,
    profile: Profile,
    kind: QueryKind,
    seed: u64,
    count: usize,
) -> Vec<String> {
    // Few ask about onlookers.
    let is_about =
        |template: &str| !profile.onlookers || !template.starts_with('Q') || seed.is_multiple_of(8);
    let atoms = Atoms::of(model, &is_about);
    let mut writer = Writer { random: Random::new(seed ^ 0x5eed), atoms, profile };
    (0..count).map(|_| writer.query(kind)).collect()
}

/// What predicates can be made of.
#[derive(Debug, Default)]
struct Atoms {
    locations: Vec<String>,
    clocks: Vec<String>,
    values: Vec<String>,
    booleans: Vec<String>,
}

impl Atoms {
    /// Those of some templates, by their names.
    fn of(model: &Model, is_about: &dyn Fn(&str) -> bool) -> Self {
        let mut atoms = Self::default();
        for line in &model.declarations {
            atoms.add(line, "");
        }
        for (process, template) in model.instances() {
            if !is_about(&template.name) {
                continue;
            }
            atoms
                .locations
                .extend(template.locations.iter().map(|location| format!("{process}.{}", location.name)));
            for line in &template.declarations {
                atoms.add(line, &format!("{process}."));
            }
        }
        atoms
    }

    fn add(&mut self, line: &str, prefix: &str) {
        let name =
            |text: &str| text.trim_end_matches(';').split([' ', '=']).next().unwrap_or_default().to_owned();
        if let Some(rest) = line.strip_prefix("clock ") {
            self.clocks.push(format!("{prefix}{}", name(rest)));
        } else if let Some(rest) = line.strip_prefix("bool ") {
            if !line.contains('(') {
                self.booleans.push(format!("{prefix}{}", name(rest)));
            }
        } else if line.starts_with("int[") && !line.contains('(') {
            let declared = name(line.split_once("] ").map_or("", |parts| parts.1));
            match declared.strip_suffix("[2]") {
                Some(array) => {
                    self.values.extend([format!("{prefix}{array}[0]"), format!("{prefix}{array}[1]")]);
                }
                None => self.values.push(format!("{prefix}{declared}")),
            }
        } else if line.starts_with("struct") {
            self.values.push("s.f".into());
            self.booleans.push("s.g".into());
        }
    }
}

struct Writer {
    random: Random,
    atoms: Atoms,
    profile: Profile,
}

impl Writer {
    fn query(&mut self, kind: QueryKind) -> String {
        match kind {
            QueryKind::Reachability => {
                let depth = 1 + self.random.below(2);
                let predicate = self.predicate(depth);
                if self.random.chance(70) {
                    format!("E<> {predicate}")
                } else {
                    format!("A[] not ({predicate})")
                }
            }
            QueryKind::Deadlock => {
                let other = self.predicate(1);
                match self.random.below(8) {
                    0..=2 => "E<> deadlock".into(),
                    3 => "A[] not deadlock".into(),
                    4 => format!("E<> deadlock and {other}"),
                    5 => format!("A[] (deadlock imply {other})"),
                    6 => format!("E<> not deadlock and ({other})"),
                    _ => format!("E<> deadlock and not ({other})"),
                }
            }
            QueryKind::Liveness => {
                let (p, q) = (self.predicate(1), self.predicate(1));
                match self.random.below(5) {
                    0 => format!("E[] {p}"),
                    1 => format!("E[] not ({p})"),
                    2 => format!("A<> {p}"),
                    3 => format!("A<> not ({p})"),
                    _ => format!("{p} --> {q}"),
                }
            }
            QueryKind::Bounds => {
                let kind = *self.random.pick(&["sup", "inf"]);
                let items: Vec<String> =
                    self.atoms.clocks.iter().chain(&self.atoms.values).cloned().collect();
                let within = if self.random.chance(50) {
                    format!("{{ {} }}", self.predicate(1))
                } else {
                    String::new()
                };
                let item = if items.is_empty() { "0".into() } else { self.random.pick(&items).clone() };
                format!("{kind}{within}: {item}")
            }
        }
    }

    fn predicate(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.atom();
        }
        let (left, right) = (self.predicate(depth - 1), self.predicate(depth - 1));
        match self.random.below(6) {
            0..=2 => format!("({left} and {right})"),
            3 => format!("({left} or {right})"),
            4 => format!("({left} and not ({right}))"),
            _ => left,
        }
    }

    fn atom(&mut self) -> String {
        match self.random.below(12) {
            0..=2 if !self.atoms.clocks.is_empty() => self.clock_atom(),
            3 | 4 if !self.atoms.values.is_empty() => {
                let operator = self.random.pick(&["==", "!=", ">", "<="]);
                let bound = self.random.between(0, 2);
                format!("{} {operator} {bound}", self.random.pick(&self.atoms.values))
            }
            5 if !self.atoms.booleans.is_empty() => self.random.pick(&self.atoms.booleans).clone(),
            6 => format!("not {}", self.random.pick(&self.atoms.locations)),
            _ => self.random.pick(&self.atoms.locations).clone(),
        }
    }

    fn clock_atom(&mut self) -> String {
        let clock = self.random.pick(&self.atoms.clocks).clone();
        let other = self.random.pick(&self.atoms.clocks).clone();
        let operator = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let bound = self.random.between(0, 2);
        if self.profile.diagonals && other != clock && self.random.chance(40) {
            return format!("{clock} - {other} {operator} {bound}");
        }
        if !self.atoms.values.is_empty() && self.random.chance(10) {
            let value = self.random.pick(&self.atoms.values);
            return format!("{clock} {operator} {value}");
        }
        format!("{clock} {operator} {bound}")
    }
}
