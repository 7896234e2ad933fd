//! Functions of inputs, written out, and the conjunctions that describe them.
//!
//! A program's conditions are small: a handful of inputs with a handful of values. So a function of them is a list of its values, one for each
//! valuation, the first input's value changing slowest. Hiding an input is a union over its values; a guard is read off a set of valuations
//! by a decision tree, in which neighbouring values with equal subtrees share a branch. The conjunctions found that way exclude each
//! other, so a network never has two transitions where the controller has one.

use super::Domain;

/// A function of some inputs of a program.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Table<T> {
    /// The inputs, as indices into the program's, ascending, each with its values.
    pub inputs: Vec<(usize, Domain)>,
    /// One for each valuation.
    pub cells: Vec<T>,
}

/// A conjunction of ranges: input, least and largest value.
pub(crate) type Cube = Vec<(usize, i32, i32)>;

impl<T: Clone> Table<T> {
    /// The function that maps every valuation by `value`; the valuation has a place for each of `width` inputs.
    pub(crate) fn new(
        inputs: Vec<(usize, Domain)>,
        width: usize,
        mut value: impl FnMut(&[i32]) -> T,
    ) -> Self {
        let count = inputs.iter().map(|(_, domain)| domain.size()).product();
        let mut valuation = vec![0; width];
        for (input, domain) in &inputs {
            valuation[*input] = domain.low;
        }
        let mut cells = Vec::with_capacity(count);
        for _ in 0..count {
            cells.push(value(&valuation));
            step(&mut valuation, &inputs);
        }
        Self { inputs, cells }
    }

    /// The value for a valuation of all the program's inputs.
    #[cfg(test)]
    pub(crate) fn at(&self, valuation: &[i32]) -> &T {
        let cell = self.inputs.iter().fold(0, |cell, (input, domain)| {
            cell * domain.size() + usize::try_from(valuation[*input] - domain.low).expect("in its domain")
        });
        &self.cells[cell]
    }

    /// The visible valuations for which some hidden values make `wanted` true.
    pub(crate) fn possible(
        &self,
        is_visible: impl Fn(usize) -> bool,
        wanted: impl Fn(&T) -> bool,
    ) -> Table<bool> {
        let inputs: Vec<_> = self.inputs.iter().copied().filter(|(input, _)| is_visible(*input)).collect();
        let count = inputs.iter().map(|(_, domain)| domain.size()).product();
        let mut cells = vec![false; count];
        for (index, cell) in self.cells.iter().enumerate() {
            if wanted(cell) {
                cells[self.project(index, &is_visible)] = true;
            }
        }
        Table { inputs, cells }
    }

    /// The cell of the table without hidden inputs that a cell belongs to.
    fn project(&self, index: usize, is_visible: &impl Fn(usize) -> bool) -> usize {
        let (mut rest, mut factor, mut cell) = (index, 1, 0);
        for (input, domain) in self.inputs.iter().rev() {
            if is_visible(*input) {
                cell += (rest % domain.size()) * factor;
                factor *= domain.size();
            }
            rest /= domain.size();
        }
        cell
    }
}

impl Table<bool> {
    /// Conjunctions that exclude each other and together say when the function is true.
    pub(crate) fn cubes(&self) -> Vec<Cube> {
        let mut cubes = Vec::new();
        grow(&self.inputs, &self.cells, &mut Vec::new(), &mut cubes);
        cubes
    }

    /// The function that is true where one of the two is. Both are of the same inputs.
    pub(crate) fn without(&self, other: &Table<bool>) -> Table<bool> {
        debug_assert_eq!(self.inputs, other.inputs, "functions of the same inputs");
        let cells = self.cells.iter().zip(&other.cells).map(|(this, that)| *this && !that).collect();
        Table { inputs: self.inputs.clone(), cells }
    }
}

fn step(valuation: &mut [i32], inputs: &[(usize, Domain)]) {
    for (input, domain) in inputs.iter().rev() {
        if valuation[*input] < domain.high {
            valuation[*input] += 1;
            return;
        }
        valuation[*input] = domain.low;
    }
}

fn grow(inputs: &[(usize, Domain)], cells: &[bool], path: &mut Cube, cubes: &mut Vec<Cube>) {
    if cells.iter().all(|cell| !cell) {
        return;
    }
    let Some(((input, domain), rest)) = inputs.split_first() else {
        cubes.push(path.clone());
        return;
    };
    let parts: Vec<&[bool]> = cells.chunks(cells.len() / domain.size()).collect();
    let mut first = 0;
    while first < parts.len() {
        let equal = parts[first..].iter().take_while(|part| **part == parts[first]).count();
        let tests = equal < parts.len();
        if tests {
            path.push((*input, domain.low + first as i32, domain.low + (first + equal) as i32 - 1));
        }
        grow(rest, parts[first], path, cubes);
        if tests {
            path.pop();
        }
        first += equal;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;

    fn inputs() -> Vec<(usize, Domain)> {
        let number = Domain { kind: Kind::Number, low: 0, high: 2 };
        let flag = Domain { kind: Kind::Bool, low: 0, high: 1 };
        vec![(0, number), (2, flag)]
    }

    #[test]
    fn cubes_say_what_the_table_says_and_exclude_each_other() {
        for pattern in 0..64u32 {
            let mut bits = 0;
            let table = Table::new(inputs(), 3, |_| {
                bits += 1;
                pattern >> (bits - 1) & 1 == 1
            });
            let cubes = table.cubes();
            for number in 0..=2 {
                for flag in 0..=1 {
                    let valuation = [number, 0, flag];
                    let covers = |cube: &&Cube| {
                        cube.iter().all(|(input, low, high)| (*low..=*high).contains(&valuation[*input]))
                    };
                    let count = cubes.iter().filter(covers).count();
                    assert_eq!(count, usize::from(*table.at(&valuation)), "{pattern:b} {valuation:?}");
                }
            }
        }
    }

    #[test]
    fn neighbouring_values_share_a_range() {
        let table = Table::new(inputs(), 3, |valuation| valuation[0] >= 1);
        assert_eq!(table.cubes(), [vec![(0, 1, 2)]]);
    }

    #[test]
    fn hiding_is_a_union() {
        let table = Table::new(inputs(), 3, |valuation| valuation[0] == 1 && valuation[2] == 1);
        let number = table.possible(|input| input == 0, |cell| *cell);
        assert_eq!(number.cubes(), [vec![(0, 1, 1)]]);
        let nothing = table.possible(|_| false, |cell| *cell);
        assert_eq!(nothing.cubes(), [Cube::new()]);
    }
}
