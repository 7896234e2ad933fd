//! A predicate: a set of values of a few variables, written down as a table.
//!
//! Tables make equal predicates equal, however they were written, and weakest preconditions are found by trying out the values before.

use super::COMBINATIONS;
use guidepost_network::{Network, VarId};

/// A set of values of some variables, each of which makes a difference.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Predicate {
    /// In ascending order.
    pub(crate) support: Box<[VarId]>,
    /// By combination of values, the last variable first: whether it is in the set. The first combination never is: a set and its complement say the same.
    table: Box<[bool]>,
}

/// How many values a variable has.
pub(crate) fn size(network: &Network, variable: VarId) -> usize {
    let variable = &network.variables[variable.index()];
    (i64::from(variable.max) - i64::from(variable.min) + 1) as usize
}

/// How many combinations of values some variables have; `None`: too many.
pub(crate) fn combinations(sizes: impl IntoIterator<Item = usize>) -> Option<usize> {
    let product = |so_far: usize, size: usize| so_far.checked_mul(size).filter(|&size| size <= COMBINATIONS);
    sizes.into_iter().try_fold(1, product)
}

impl Predicate {
    /// The combinations of values of some variables, in ascending order, for which something holds. `None`: there are too many combinations, or it makes no difference.
    pub(crate) fn tabulate(
        network: &Network,
        variables: &[VarId],
        mut holds: impl FnMut(&[i32]) -> bool,
    ) -> Option<Self> {
        let count = combinations(variables.iter().map(|&variable| size(network, variable)))?;
        let least = |variable: &VarId| network.variables[variable.index()].min;
        let mut values: Vec<i32> = variables.iter().map(least).collect();
        let mut table = Vec::with_capacity(count);
        for _ in 0..count {
            table.push(holds(&values));
            for (value, variable) in values.iter_mut().zip(variables).rev() {
                if *value < network.variables[variable.index()].max {
                    *value += 1;
                    break;
                }
                *value = least(variable);
            }
        }
        let (support, mut table) = reduce(network, variables.to_vec(), table);
        if table[0] {
            for holds in &mut table {
                *holds = !*holds;
            }
        }
        (!support.is_empty()).then(|| Self { support: support.into(), table: table.into() })
    }

    /// Whether it holds for the values of variables.
    #[inline]
    pub(crate) fn holds(&self, network: &Network, variables: &[i32]) -> bool {
        let mut at = 0;
        for variable in &self.support {
            let offset = variables[variable.index()].wrapping_sub(network.variables[variable.index()].min);
            at = at * size(network, *variable) + offset as usize;
        }
        self.table[at]
    }

    /// The values that it allows, or excludes, where it is about one variable.
    pub(crate) fn is_in(&self, offset: usize) -> bool {
        self.table[offset]
    }

    /// As a person would write it.
    pub(crate) fn describe(&self, network: &Network) -> String {
        let names: Vec<&str> =
            self.support.iter().map(|variable| network.variables[variable.index()].name.as_str()).collect();
        let count = self.table.iter().filter(|holds| **holds).count();
        if let [variable] = *self.support {
            let least = network.variables[variable.index()].min;
            let value = |offset: usize| i64::from(least) + offset as i64;
            let name = names[0];
            let first = self.table.iter().position(|holds| *holds).unwrap_or(0);
            let last = self.table.iter().rposition(|holds| *holds).unwrap_or(0);
            let is_interval = last - first + 1 == count;
            return match () {
                () if count == 1 => format!("{name} == {}", value(first)),
                () if count + 1 == self.table.len() => format!("{name} != {}", value(0)),
                () if is_interval && last + 1 == self.table.len() => format!("{name} >= {}", value(first)),
                () if is_interval => format!("{} <= {name} <= {}", value(first), value(last)),
                () => format!("{name} in a set of {count} values"),
            };
        }
        format!("({}) in a set of {count} values", names.join(", "))
    }
}

/// Leaves out the variables that make no difference.
fn reduce(network: &Network, mut variables: Vec<VarId>, mut table: Vec<bool>) -> (Vec<VarId>, Vec<bool>) {
    let mut at = 0;
    while at < variables.len() {
        let own = size(network, variables[at]);
        let after: usize = variables[at + 1..].iter().map(|&variable| size(network, variable)).product();
        let is_same = table.chunks(own * after).all(|block| {
            let (first, rest) = block.split_at(after);
            rest.chunks(after).all(|other| other == first)
        });
        if is_same {
            table = table.chunks(own * after).flat_map(|block| block[..after].iter().copied()).collect();
            variables.remove(at);
        } else {
            at += 1;
        }
    }
    (variables, table)
}
