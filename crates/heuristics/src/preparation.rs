//! What a heuristic may spend before the search begins.
//!
//! Databases pay off only while they are small compared with the search they guide. So their construction asks periodically whether to continue, and when the
//! answer is no, falls back to something smaller that is still right, and leaves a note about it that becomes part of the answer.

use guidepost_answer::{AbstractionProof, Deadline, Landmark, Stage};
use std::fmt;
use std::time::{Duration, Instant};

/// Limits of one preprocessing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Abstract states.
    pub states: u64,
    /// Bytes.
    pub bytes: usize,
    /// Wall-clock time.
    pub time: Duration,
    /// How much of a system's discrete state an abstraction may keep, in percent of its bits.
    pub share: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { states: 1_000_000, bytes: 1 << 30, time: Duration::from_mins(1), share: 100 }
    }
}

/// Why preprocessing has to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exceeded {
    /// There are more abstract states than allowed.
    States,
    /// They take more memory than allowed.
    Memory,
    /// It takes longer than allowed.
    Time,
    /// It keeps more of the system than allowed.
    Share,
    /// Someone wants it to stop.
    Interrupt,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exceeded::States => "too many abstract states",
            Exceeded::Memory => "too much memory",
            Exceeded::Time => "too much time",
            Exceeded::Share => "it keeps too much of the system",
            Exceeded::Interrupt => "interrupted",
        })
    }
}

/// The surroundings of a preprocessing: its limits, who watches it, and what is to be told of it.
pub struct Preparation<'p> {
    budget: Budget,
    /// When whoever wants the heuristic has to end.
    deadline: Deadline,
    /// When the preprocessing has to end.
    own_deadline: Deadline,
    observe: Option<&'p mut dyn FnMut(&Stage)>,
    notes: Vec<String>,
    proof: Option<AbstractionProof>,
    landmarks: Vec<Landmark>,
    exceeded: Option<Exceeded>,
}

impl Default for Preparation<'_> {
    fn default() -> Self {
        Self::new(Budget::default(), Deadline::default())
    }
}

impl<'p> Preparation<'p> {
    /// A preprocessing within limits that ends when asked to, for somebody with a deadline.
    pub fn new(budget: Budget, deadline: Deadline) -> Self {
        let started = Instant::now();
        Self {
            budget,
            own_deadline: deadline.no_later_than(started.checked_add(budget.time)),
            deadline,
            observe: None,
            notes: Vec::new(),
            proof: None,
            landmarks: Vec::new(),
            exceeded: None,
        }
    }

    /// Reports stages to an observer.
    #[must_use]
    pub fn observed(self, observe: &'p mut dyn FnMut(&Stage)) -> Self {
        Self { observe: Some(observe), ..self }
    }

    /// The limits.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// When whoever wants the heuristic has to end: estimates are worth nothing after that.
    pub fn deadline(&self) -> Deadline {
        self.deadline.clone()
    }

    /// When the preprocessing itself has to end.
    pub fn own_deadline(&self) -> Deadline {
        self.own_deadline.clone()
    }

    /// Whether to break off, after some more work: about so many microseconds.
    #[inline]
    pub fn is_due(&mut self, work: u32) -> bool {
        self.own_deadline.is_due(work)
    }

    /// Whether there is time left for something that takes long and asks nobody.
    pub fn has_time(&mut self) -> bool {
        let has_time = !self.own_deadline.is_interrupted() && !self.own_deadline.is_past();
        if !has_time {
            self.break_off();
        }
        has_time
    }

    /// Breaks off what was due; says why.
    pub fn break_off(&mut self) -> Exceeded {
        let exceeded = if self.deadline.is_interrupted() { Exceeded::Interrupt } else { Exceeded::Time };
        self.exceeded = Some(exceeded);
        exceeded
    }

    /// Whether to go on with what now has so many abstract states and bytes. Asking looks at the clock: ask every few hundred states.
    pub fn check(&mut self, what: &'static str, states: u64, bytes: usize) -> Result<(), Exceeded> {
        if let Some(observe) = &mut self.observe {
            observe(&Stage { what, states });
        }
        let exceeded = if states > self.budget.states {
            Exceeded::States
        } else if bytes > self.budget.bytes {
            Exceeded::Memory
        } else if self.own_deadline.is_interrupted() || self.own_deadline.is_past() {
            return Err(self.break_off());
        } else {
            return Ok(());
        };
        self.exceeded = Some(exceeded);
        Err(exceeded)
    }

    /// Whether to begin with an abstraction that keeps so much.
    pub fn check_share(&mut self, percent: u64) -> Result<(), Exceeded> {
        if percent <= self.budget.share {
            return Ok(());
        }
        self.exceeded = Some(Exceeded::Share);
        Err(Exceeded::Share)
    }

    /// Something smaller fits: what was too large before does not count any more.
    pub fn recover(&mut self) {
        self.exceeded = None;
    }

    /// The last limit that was hit and not recovered from.
    pub fn exceeded(&self) -> Option<Exceeded> {
        self.exceeded
    }

    /// Leaves a remark for the answer: what was built, or what could not be.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Keeps a proof that the goal cannot be reached.
    pub fn prove(&mut self, proof: AbstractionProof) {
        self.proof.get_or_insert(proof);
    }

    /// The first proof that was found.
    pub fn proof(&self) -> Option<&AbstractionProof> {
        self.proof.as_ref()
    }

    /// Keeps what every run to the goal has to pass.
    pub fn show_landmarks(&mut self, landmarks: Vec<Landmark>) {
        self.landmarks = landmarks;
    }

    /// What every run to the goal has to pass, where a heuristic has looked for it.
    pub fn landmarks(&self) -> &[Landmark] {
        &self.landmarks
    }

    /// All remarks.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}
