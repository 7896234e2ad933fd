//! What is open, and who decides it.

/// Decides what a chart leaves open: conditions that cannot be evaluated, and what the platform may do.
pub trait Chooser {
    /// One of so many options. `sure` is the one that happens when nothing goes wrong.
    fn choose(&mut self, options: usize, sure: Option<usize>) -> usize;
}

/// Takes what happens when nothing goes wrong; a condition that is open does not hold.
#[derive(Clone, Default, Debug)]
pub struct Plain {
    /// How often something was open.
    pub open: usize,
}

impl Chooser for Plain {
    fn choose(&mut self, _: usize, sure: Option<usize>) -> usize {
        self.open += usize::from(sure.is_none());
        sure.unwrap_or(0)
    }
}

/// Goes through all combinations of decisions, one after the other: each run of a step asks the same questions as long as it gets the same answers.
#[derive(Clone, Default, Debug)]
pub struct Every {
    /// Decisions and numbers of options.
    path: Vec<(usize, usize)>,
    at: usize,
    /// Whether this run has taken what is not sure to happen.
    is_uncertain: bool,
    /// Whether something has gone wrong in this run. Two failures in one step are not looked at: combinations would be too many.
    has_failed: bool,
}

impl Every {
    /// Whether this run has taken what is not sure to happen.
    pub fn is_uncertain(&self) -> bool {
        self.is_uncertain
    }

    /// Goes on to the next combination, if there is one.
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.at);
        self.at = 0;
        self.is_uncertain = false;
        self.has_failed = false;
        while let Some((taken, options)) = self.path.pop() {
            if taken + 1 < options {
                self.path.push((taken + 1, options));
                return true;
            }
        }
        false
    }
}

impl Chooser for Every {
    fn choose(&mut self, options: usize, sure: Option<usize>) -> usize {
        if let Some(sure) = sure.filter(|_| self.has_failed) {
            return sure;
        }
        if self.at == self.path.len() {
            self.path.push((0, options));
        }
        let (taken, _) = self.path[self.at];
        self.at += 1;
        self.is_uncertain |= sure != Some(taken);
        self.has_failed |= sure.is_some_and(|sure| sure != taken);
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_combinations_come_once() {
        let mut every = Every::default();
        let mut seen = Vec::new();
        loop {
            let first = every.choose(2, Some(0));
            let second = if first == 1 { every.choose(3, None) } else { 9 };
            seen.push((first, second, every.is_uncertain()));
            if !every.advance() {
                break;
            }
        }
        assert_eq!(seen, [(0, 9, false), (1, 0, true), (1, 1, true), (1, 2, true)]);
    }
}
