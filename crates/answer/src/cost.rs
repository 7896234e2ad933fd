//! What the cheapest or fastest run costs, as far as is known.

/// What a run is measured by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// The cost that the model says: rates of locations and prices of steps.
    Cost,
    /// The time that passes.
    Time,
}

impl Measure {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Cost => "cost",
            Measure::Time => "time",
        }
    }
}

/// How far the search for the cheapest run has come: every run to a goal costs at least the bound, and one that costs as little as the value was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// What is measured.
    pub measure: Measure,
    /// The cost of the best run so far, or what it comes arbitrarily near to; `None` when no run was found.
    pub value: Option<i64>,
    /// No run costs less than this; `None` when there is none at all.
    pub lower_bound: Option<i64>,
    /// Whether the run costs the value itself, rather than a little more because a strict bound excludes the best moment.
    pub attained: bool,
    /// Whose word the lower bound rests on.
    pub trust: Trust,
}

/// Whose word a lower bound rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Trust {
    /// Nobody's: it is proved.
    #[default]
    Nobody,
    /// The author's: the variable `remaining` is never more than what is still to be paid.
    Remaining,
    /// Nobody's any more: after so many steps of the run that is shown, `remaining` is too large.
    Broken(usize),
}

impl Cost {
    /// Whether nothing cheaper can be found.
    pub fn is_proved(&self) -> bool {
        self.value.is_some() && self.value == self.lower_bound
    }
}
