//! Code that runs on ranges of values instead of values.
//!
//! Given that every variable lies within some range, what can a condition be, and within which ranges does an update leave the variables? Functions count here: a bound that a counter never passes often stands in one. The terms and
//! statements that code was compiled from are run with a range in every cell of the memory. Where a condition can go both ways, both ways are run, each with what the condition says about single cells (`assume`), and their ends are
//! joined, cell by cell. What fails, runs nowhere: a value outside of the range of its variable is cut off.
//!
//! Architecture invariant: whatever the [`Machine`](super::Machine) makes of values, the ranges that this one makes of ranges contain it, or it says that this is [too much](TooMuch).

mod assume;
mod evaluate;
mod place;
mod statement;

use super::interval::wrapped;
use super::term::Term;
use super::{Code, Program, Segment};
use crate::query::Goal;

/// How many terms and statements one run may take.
const FUEL: u32 = 1 << 17;

/// All values from one to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    /// The smallest.
    pub low: i32,
    /// The largest, which is not less.
    pub high: i32,
}

impl Range {
    /// All values there are.
    pub const FULL: Range = Range { low: i32::MIN, high: i32::MAX };
    const ZERO: Range = Range::of(0);
    const ONE: Range = Range::of(1);
    const UNKNOWN: Range = Range { low: 0, high: 1 };

    /// One value.
    pub const fn of(value: i32) -> Self {
        Self { low: value, high: value }
    }

    /// From a value to one that is not less.
    pub fn new(low: i32, high: i32) -> Self {
        debug_assert!(low <= high, "a range has values");
        Self { low, high }
    }

    /// The value, where there is only one.
    pub fn value(self) -> Option<i32> {
        (self.low == self.high).then_some(self.low)
    }

    /// How many values there are.
    pub fn count(self) -> u64 {
        u64::from(self.low.abs_diff(self.high)) + 1
    }

    /// Whether a value is among them.
    pub fn contains(self, value: i32) -> bool {
        self.low <= value && value <= self.high
    }

    /// What lies in both.
    pub fn meet(self, other: Self) -> Option<Self> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Self { low, high })
    }

    /// What lies between values of either.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn wide(self) -> (i64, i64) {
        (self.low.into(), self.high.into())
    }

    /// The range of results of 32 bits whose mathematical values lie between two numbers.
    fn narrow((low, high): (i64, i64)) -> Self {
        let (low, high) = wrapped(low, high);
        Self { low: low as i32, high: high as i32 }
    }

    /// Whether the values count as true, where all of them agree.
    fn truth(self) -> Option<bool> {
        match self {
            Range::ZERO => Some(false),
            _ if !self.contains(0) => Some(true),
            _ => None,
        }
    }

    fn of_truth(truth: Option<bool>) -> Self {
        truth.map_or(Range::UNKNOWN, |truth| Range::of(i32::from(truth)))
    }
}

/// A run on ranges takes too long, or meets something of which ranges say nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMuch;

/// Why something has no range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stop {
    /// No run gets there.
    Nowhere,
    TooMuch,
}

type Evaluated = Result<Range, Stop>;

/// Cells, ascending, with the ranges that they have after some of a run.
type Written = Vec<(u32, Range)>;

/// Memory for running code on ranges.
pub struct RangeMachine<'p> {
    program: &'p Program,
    query: &'p Segment,
    /// Where the code stands that is being run.
    segment: &'p Segment,
    memory: Vec<Range>,
    /// By location: whether its process can be there.
    is_reached: Vec<bool>,
    /// What cells held before they were written, in the order of the writes.
    trail: Vec<(u32, Range)>,
    /// By active function: its length of the trail at its beginning, and how it ended so far.
    calls: Vec<ActiveCall>,
    fuel: u32,
    executed: u64,
}

struct ActiveCall {
    begin: usize,
    endings: Vec<(Written, Range)>,
}

impl<'p> RangeMachine<'p> {
    /// A machine for the code of a program and of some goals, which come from one query. Nothing is known of the variables but what they are declared to be; there are so many locations.
    pub fn new(program: &'p Program, locations: usize, goals: &'p [Goal]) -> Self {
        let query: &Segment = Goal::common_segment(goals);
        let layout = &program.memory;
        let mut memory = vec![Range::new(0, locations.max(1) as i32 - 1); layout.processes as usize];
        memory.extend(layout.bounds.iter().map(|&(min, max)| Range::new(min, max)));
        memory.extend(layout.scratch.iter().chain(&query.cells).map(|&value| Range::of(value)));
        Self {
            program,
            query,
            segment: &program.segment,
            memory,
            is_reached: vec![true; locations],
            trail: Vec::new(),
            calls: Vec::new(),
            fuel: 0,
            executed: 0,
        }
    }

    /// What is known of a cell of the state: one per process, then one per variable.
    pub fn range(&self, cell: usize) -> Range {
        self.memory[cell]
    }

    /// Says what is known of a cell of the state.
    pub fn set(&mut self, cell: usize, range: Range) {
        debug_assert!(self.trail.is_empty(), "nothing is being run");
        self.memory[cell] = range;
    }

    /// Says which locations processes can be in. The cells of processes are not changed by that.
    pub fn set_reached(&mut self, is_reached: &[bool]) {
        self.is_reached.copy_from_slice(is_reached);
    }

    /// How many terms and statements have been looked at in all runs so far: what they cost, the same on every machine.
    pub fn executed(&self) -> u64 {
        self.executed
    }

    /// Whether all conditions can hold, one after the other.
    pub fn may_hold(&mut self, conditions: &[Code]) -> bool {
        !matches!(self.follow(conditions, None, |_| ()), Ok(None))
    }

    /// Looks at the ranges after an update that is run where all conditions hold; `None` if that is nowhere. Nothing has changed afterwards.
    pub fn follow<T>(
        &mut self,
        conditions: &[Code],
        update: Option<Code>,
        look: impl FnOnce(&Self) -> T,
    ) -> Result<Option<T>, TooMuch> {
        debug_assert!(self.trail.is_empty(), "nothing is being run");
        self.fuel = FUEL;
        let outcome = self.follow_through(conditions, update);
        let seen = outcome.is_ok().then(|| look(self));
        self.take_back(0);
        self.calls.clear();
        match outcome {
            Ok(()) | Err(Stop::Nowhere) => Ok(seen),
            Err(Stop::TooMuch) => Err(TooMuch),
        }
    }

    fn follow_through(&mut self, conditions: &[Code], update: Option<Code>) -> Result<(), Stop> {
        for &condition in conditions {
            for term in self.enter(condition) {
                if self.evaluate(term)?.truth() == Some(false) {
                    return Err(Stop::Nowhere);
                }
                self.assume(term, true)?;
            }
        }
        if let Some(update) = update {
            for term in self.enter(update) {
                self.evaluate(term)?;
            }
        }
        Ok(())
    }

    /// The terms of a code, which is the one that is run now.
    fn enter(&mut self, code: Code) -> &'p [Term] {
        self.segment = if code.is_of_query() { self.query } else { &self.program.segment };
        self.segment.terms(code)
    }

    fn spend(&mut self) -> Result<(), Stop> {
        self.executed += 1;
        self.fuel = self.fuel.checked_sub(1).ok_or(Stop::TooMuch)?;
        Ok(())
    }

    /// Counts work that is not a term: whoever runs out of fuel by that finds out with the next one.
    fn charge(&mut self, work: usize) {
        self.executed += work as u64;
        self.fuel = self.fuel.saturating_sub(u32::try_from(work).unwrap_or(u32::MAX));
    }

    fn write(&mut self, cell: u32, range: Range) {
        let old = std::mem::replace(&mut self.memory[cell as usize], range);
        if old != range {
            self.trail.push((cell, old));
        }
    }

    /// What has been written since the trail was so long.
    fn written_since(&mut self, mark: usize) -> Written {
        self.charge(self.trail.len() - mark);
        let mut cells: Vec<u32> = self.trail[mark..].iter().map(|&(cell, _)| cell).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.into_iter().map(|cell| (cell, self.memory[cell as usize])).collect()
    }

    /// Undoes what has been written since the trail was so long.
    fn take_back(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some((cell, old)) = self.trail.pop() {
                self.memory[cell as usize] = old;
            }
        }
    }

    /// Goes back to where the trail was so long, and on to all of some ends that were reached from there.
    fn join(&mut self, mark: usize, ends: &[Written]) -> Result<(), Stop> {
        self.take_back(mark);
        let Some((first, others)) = ends.split_first() else { return Err(Stop::Nowhere) };
        let mut cells: Vec<u32> = ends.iter().flatten().map(|&(cell, _)| cell).collect();
        self.charge(cells.len());
        cells.sort_unstable();
        cells.dedup();
        for cell in cells {
            let at = |end: &Written| match end.binary_search_by_key(&cell, |&(cell, _)| cell) {
                Ok(place) => end[place].1,
                Err(_) => self.memory[cell as usize],
            };
            let joined = others.iter().map(at).fold(at(first), Range::hull);
            self.write(cell, joined);
        }
        Ok(())
    }
}
