//! Which values variables can have, as far as a look at single edges tells.
//!
//! Models declare `int v` and count to nine. A set of values for every variable grows along the edges until nothing changes: constants are added, `v := w + k` adds what w
//! can be, but only those values of w with which the edge can be taken, so that a counter with a guard stays small. What functions and arrays do is known from the monotonicity
//! abstraction, which tries combinations of values, or not at all.

use crate::Deadline;
use crate::monotonicity::reached_ranges;
use guidepost_abstraction::regression::{Value, simultaneous};
use guidepost_network::{Code, Edge, Machine, Network, Sync, VarId};
use std::collections::BTreeSet;

/// More values than this are not counted.
const VALUES: usize = 256;
/// Microseconds that a round takes for an edge, at most.
const EDGE: u32 = 4;

/// By variable: the smallest and the largest value, where that is known.
pub(super) fn ranges(network: &Network, mut deadline: Deadline) -> Vec<Option<(i32, i32)>> {
    let grown = reached_ranges(network, deadline.clone());
    let mut search = Search::new(network, &grown);
    while search.round(&mut deadline) {}
    let known = |values: &Values| match values {
        Values::Some(set) => Some((*set.first()?, *set.last()?)),
        Values::Any => None,
    };
    // Both are right.
    search.values.iter().zip(grown).map(|(values, grown)| known(values).or(grown)).collect()
}

#[derive(Clone)]
enum Values {
    Some(BTreeSet<i32>),
    Any,
}

/// What an edge does to variables.
struct Writer {
    assignments: Vec<(VarId, Value)>,
    /// Variables and conditions on them alone, under which the edge can be taken.
    guards: Vec<(VarId, Code)>,
}

struct Search<'n> {
    machine: Machine<'n>,
    processes: usize,
    values: Vec<Values>,
    writers: Vec<Writer>,
    /// By variable: between which values it is declared to stay.
    declared: Vec<(i32, i32)>,
}

impl<'n> Search<'n> {
    fn new(network: &'n Network, grown: &[Option<(i32, i32)>]) -> Self {
        let hooked = network.written_by_hooks();
        let values = network.variables.iter().zip(&hooked).map(|(variable, hooked)| {
            let is_free = variable.meta || *hooked;
            if is_free { Values::Any } else { Values::Some(BTreeSet::from([variable.initial])) }
        });
        let mut search = Self {
            machine: Machine::new(&network.program),
            processes: network.processes.len(),
            values: values.collect(),
            writers: Vec::new(),
            declared: network.variables.iter().map(|variable| (variable.min, variable.max)).collect(),
        };
        for edge in &network.edges {
            let Some(code) = edge.update else { continue };
            match simultaneous(network, code) {
                Some(assignments) => {
                    let guards = search.guards(network, edge);
                    let assignments = assignments.into_iter().collect();
                    search.writers.push(Writer { assignments, guards });
                }
                None => {
                    for variable in network.program.writes(code) {
                        search.add_range(variable, grown[variable.index()]);
                    }
                }
            }
        }
        search
    }

    /// The conditions of an edge on single variables, as long as nobody can change these before the edge's update.
    fn guards(&self, network: &Network, edge: &Edge) -> Vec<(VarId, Code)> {
        if matches!(edge.sync, Sync::Receive(_) | Sync::Join(_)) || network.before_update.is_some() {
            return Vec::new();
        }
        let of = |&code: &Code| match network.program.codes().cells_read(code)[..] {
            [cell] => Some((VarId(cell.checked_sub(self.processes)? as u32), code)),
            _ => None,
        };
        edge.data_guard.iter().filter_map(of).collect()
    }

    fn add_range(&mut self, variable: VarId, range: Option<(i32, i32)>) {
        match (range, &mut self.values[variable.index()]) {
            (Some((low, high)), Values::Some(set)) if (i64::from(high) - i64::from(low)) < VALUES as i64 => {
                set.extend(low..=high);
            }
            (_, values) => *values = Values::Any,
        }
    }

    /// Follows every edge once; says whether anything is new.
    fn round(&mut self, deadline: &mut Deadline) -> bool {
        let mut is_news = false;
        for place in 0..self.writers.len() {
            if deadline.is_due(EDGE) {
                self.values.fill(Values::Any);
                return false;
            }
            for at in 0..self.writers[place].assignments.len() {
                let (variable, value) = self.writers[place].assignments[at];
                is_news |= match value {
                    Value::Const(value) => self.add(variable, value),
                    Value::Of(source, 0) if source == variable => false,
                    Value::Of(source, by) => self.shift(place, variable, source, by),
                };
            }
        }
        is_news
    }

    /// `variable := source + by`
    fn shift(&mut self, writer: usize, variable: VarId, source: VarId, by: i32) -> bool {
        let Values::Some(from) = &self.values[source.index()] else {
            let is_news = matches!(self.values[variable.index()], Values::Some(_));
            self.values[variable.index()] = Values::Any;
            return is_news;
        };
        let from = from.clone();
        let mut is_news = false;
        for value in from {
            let cell = self.processes + source.index();
            self.machine.state_mut()[cell] = value;
            let machine = &mut self.machine;
            let may_be = self.writers[writer]
                .guards
                .iter()
                .all(|&(on, code)| on != source || matches!(machine.eval(code), Ok(truth) if truth != 0));
            if may_be {
                is_news |= self.add(variable, value.wrapping_add(by));
            }
        }
        is_news
    }

    fn add(&mut self, variable: VarId, value: i32) -> bool {
        let (min, max) = self.declared[variable.index()];
        let Values::Some(set) = &mut self.values[variable.index()] else { return false };
        // What leaves its range is an error of the model, and no state.
        if !(min..=max).contains(&value) || !set.insert(value) {
            return false;
        }
        if set.len() > VALUES {
            self.values[variable.index()] = Values::Any;
        }
        true
    }
}
