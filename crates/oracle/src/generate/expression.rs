//! Expressions over what is in scope.

use super::Generator;

/// What expressions and updates can refer to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// Integer expressions that are never negative, with their largest values.
    pub(crate) values: Vec<(String, i32)>,
    /// Integer variables that can be assigned to, with their ranges.
    pub(crate) places: Vec<(String, i32, i32)>,
    /// Arrays of two, with the largest value of an element.
    pub(crate) arrays: Vec<(String, i32)>,
    /// Boolean expressions.
    pub(crate) booleans: Vec<String>,
    /// Boolean variables that can be assigned to.
    pub(crate) switches: Vec<String>,
    /// Clocks.
    pub(crate) clocks: Vec<String>,
    /// Functions from an integer to an integer: largest argument, largest result.
    pub(crate) functions: Vec<(String, i32, i32)>,
    /// Predicates on an integer.
    pub(crate) tests: Vec<String>,
    /// Calls with side effects.
    pub(crate) calls: Vec<String>,
}

/// Values larger than this are not built.
const LARGEST: i32 = 9;

impl Generator {
    /// An integer expression and its largest value.
    pub(crate) fn value(&mut self, scope: &Scope, depth: usize) -> (String, i32) {
        if depth == 0 || self.random.chance(35) {
            if scope.values.is_empty() || self.random.chance(25) {
                let value = self.random.between(0, 3);
                return (value.to_string(), value);
            }
            return self.random.pick(&scope.values).clone();
        }
        let (left, most) = self.value(scope, depth - 1);
        let (right, other) = self.value(scope, depth - 1);
        match self.random.below(9) {
            0 | 1 if most + other <= LARGEST => (format!("({left} + {right})"), most + other),
            2 if most * other <= LARGEST => (format!("({left} * {right})"), most * other),
            3 => {
                let condition = self.condition(scope, depth - 1);
                (format!("({condition} ? {left} : {right})"), most.max(other))
            }
            4 => (format!("({left} >? {right})"), most.max(other)),
            5 => (format!("({left} <? {right})"), most.min(other)),
            6 if !scope.arrays.is_empty() => {
                let (array, most) = self.random.pick(&scope.arrays).clone();
                if self.random.chance(30) {
                    return (format!("(sum (q : int[0,1]) {array}[q])"), 2 * most);
                }
                (format!("{array}[{left} % 2]"), most)
            }
            7 if !scope.functions.is_empty() => {
                let (function, argument, result) = self.random.pick(&scope.functions).clone();
                (format!("{function}({})", bounded(&left, most, argument)), result)
            }
            8 => (format!("({left} > {right} ? {left} - {right} : 0)"), most),
            _ => (format!("({left} % 3)"), most.min(2)),
        }
    }

    /// A boolean expression without clocks.
    pub(crate) fn condition(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 || self.random.chance(40) {
            if !scope.booleans.is_empty() && self.random.chance(50) {
                let negation = if self.random.chance(40) { "!" } else { "" };
                return format!("{negation}{}", self.random.pick(&scope.booleans));
            }
            let (left, most) = if scope.values.is_empty() {
                (self.random.between(0, 1).to_string(), 1)
            } else {
                self.random.pick(&scope.values).clone()
            };
            let operator = self.random.pick(&["==", "!=", "!=", "<", "<=", "<=", ">", ">="]);
            let low = i32::from(*operator == "<");
            let high = most.max(1) - i32::from(*operator == ">");
            return format!("{left} {operator} {}", self.random.between(low, high));
        }
        let part = |generator: &mut Self| generator.condition(scope, depth - 1);
        let (left, right) = (part(self), part(self));
        match self.random.below(8) {
            0 => format!("({left} && {right})"),
            1 => format!("({left} || {right})"),
            2 => format!("!({left})"),
            3 => format!("({left} imply {right})"),
            4 if !scope.tests.is_empty() => {
                let argument = self.value(scope, depth - 1).0;
                format!("{}({argument})", self.random.pick(&scope.tests))
            }
            5 if !scope.arrays.is_empty() => {
                let quantifier = self.random.pick(&["forall", "exists"]);
                let (array, most) = self.random.pick(&scope.arrays).clone();
                format!("({quantifier} (q : int[0,1]) {array}[q] >= {})", self.random.between(0, most))
            }
            _ => {
                let (left, right) = (self.value(scope, depth).0, self.value(scope, depth - 1).0);
                let operator = self.random.pick(&["==", "!=", "<", "<="]);
                format!("{left} {operator} {right}")
            }
        }
    }

    /// A bound for clocks: mostly a constant.
    pub(crate) fn bound(&mut self, scope: &Scope) -> String {
        if self.random.chance(75) || scope.values.is_empty() {
            return self.random.between(0, self.constant).to_string();
        }
        let (value, most) = self.value(scope, 1);
        bounded(&value, most, self.constant)
    }

    /// A condition on one clock (or two).
    pub(crate) fn clock_condition(&mut self, scope: &Scope) -> String {
        let clock = self.random.pick(&scope.clocks).clone();
        let bound = self.bound(scope);
        let other = self.random.pick(&scope.clocks).clone();
        if self.profile.diagonals && other != clock && self.random.chance(50) {
            let operator = self.random.pick(&["<", "<=", ">", ">=", "=="]);
            return match self.random.below(3) {
                0 => format!("{clock} - {other} {operator} {bound}"),
                1 => format!("{clock} - {other} {operator} -{}", self.random.between(0, self.constant)),
                _ => format!("{clock} {operator} {other}"),
            };
        }
        match self.random.below(9) {
            0 | 1 if bound == "0" => format!("{clock} <= {bound}"),
            0 | 1 => format!("{clock} < {bound}"),
            2 => format!("{clock} <= {bound}"),
            3 | 4 => format!("{clock} > {bound}"),
            5 | 6 => format!("{clock} >= {bound}"),
            7 => format!("{clock} == {bound}"),
            _ => format!("{bound} {} {clock}", self.random.pick(&["<", ">="])),
        }
    }

    /// One conjunct of a guard over clocks, perhaps under a condition, perhaps a disjunction.
    pub(crate) fn clock_guard(&mut self, scope: &Scope) -> String {
        let clock = self.clock_condition(scope);
        match self.random.below(10) {
            0 => format!("({} || {clock})", self.condition(scope, 0)),
            1 => format!("({} imply {clock})", self.condition(scope, 0)),
            2 => format!("({clock} || {})", self.clock_condition(scope)),
            _ => clock,
        }
    }

    /// One conjunct of an invariant.
    pub(crate) fn invariant(&mut self, scope: &Scope) -> String {
        if scope.clocks.is_empty() || self.random.chance(5) {
            return self.condition(scope, 0);
        }
        let clock = self.random.pick(&scope.clocks).clone();
        let bound = match self.random.between(0, self.constant) {
            0 if self.random.chance(70) => 1,
            bound => bound,
        };
        match self.random.below(12) {
            0 | 1 => format!("{clock} < {}", bound.max(1)),
            2 | 3 => format!("{clock} <= {}", self.bound(scope)),
            4 => format!("({} || {clock} <= {bound})", self.condition(scope, 0)),
            5 if self.random.chance(40) => format!("{clock} >= {}", self.random.between(0, 1)),
            6 if self.profile.diagonals && scope.clocks.len() > 1 => {
                let other = self.random.pick(&scope.clocks).clone();
                if other == clock {
                    format!("{clock} <= {bound}")
                } else {
                    format!("{clock} - {other} <= {bound}")
                }
            }
            _ => format!("{clock} <= {bound}"),
        }
    }

    /// One part of an update.
    pub(crate) fn effect(&mut self, scope: &Scope) -> String {
        for _ in 0..8 {
            match self.random.below(13) {
                0..=2 if !scope.clocks.is_empty() => {
                    return format!("{} = 0", self.random.pick(&scope.clocks));
                }
                3 if !scope.clocks.is_empty() => {
                    let bound = self.bound(scope);
                    return format!("{} = {bound}", self.random.pick(&scope.clocks));
                }
                4 if scope.clocks.len() > 1 => {
                    let (to, from) = (self.random.pick(&scope.clocks), self.random.pick(&scope.clocks));
                    if to != from {
                        let offset = if self.random.chance(15) { " + 1" } else { "" };
                        return format!("{to} = {from}{offset}");
                    }
                }
                5 if !scope.switches.is_empty() => {
                    let condition = self.condition(scope, 1);
                    return format!("{} = {condition}", self.random.pick(&scope.switches));
                }
                6 if !scope.arrays.is_empty() => {
                    let (array, most) = self.random.pick(&scope.arrays).clone();
                    let index = self.value(scope, 1).0;
                    let (value, value_most) = self.value(scope, 1);
                    return format!("{array}[{index} % 2] = {}", bounded(&value, value_most, most));
                }
                7 | 8 if !scope.calls.is_empty() => return self.random.pick(&scope.calls).clone(),
                8..=12 if !scope.places.is_empty() => return self.assignment(scope),
                _ => {}
            }
        }
        match (scope.clocks.first(), scope.switches.first()) {
            (Some(clock), _) => format!("{clock} = 0"),
            (None, Some(switch)) => format!("{switch} = !{switch}"),
            (None, None) => self.assignment(scope),
        }
    }

    /// An assignment to an integer variable that stays in its range, as a rule.
    fn assignment(&mut self, scope: &Scope) -> String {
        let (place, low, high) = self.random.pick(&scope.places).clone();
        if self.profile.range_violations && self.random.chance(20) {
            return format!("{place}{}", self.random.pick(&["++", "--", " += 1", " = 2"]));
        }
        let (value, most) = self.value(scope, 2);
        let value = bounded(&value, most, high - low);
        if low == 0 { format!("{place} = {value}") } else { format!("{place} = {value} - {}", -low) }
    }
}

/// The expression, made no larger than `limit`.
fn bounded(value: &str, most: i32, limit: i32) -> String {
    if most <= limit { value.to_owned() } else { format!("({value} % {})", limit + 1) }
}
