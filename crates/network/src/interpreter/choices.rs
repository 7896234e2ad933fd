//! What can be done in a state, and after which delays.
//!
//! Data do not change while time passes, and clocks advance linearly. So there are finitely many moments at which anything changes: guards begin and cease
//! to hold, and so do the invariants behind a transition. At each of them and between any two of them the same transitions are possible, and
//! intervals are put together from these pieces.

use super::transitions::{Offer, priority};
use super::window::{Interval, Window};
use super::{Failure, Fired, Interpreter, Rational, State, Transition};
use crate::network::{ClockOp, LocationId};

/// A transition that can be taken now or later.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Who moves.
    pub transition: Transition,
    /// The delays after which it can be taken, earliest first.
    pub delays: Vec<Interval>,
    /// The error of the model that taking it leads to.
    pub failure: Option<Failure>,
}

/// Everything that can be done in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choices {
    /// The transitions that can be taken, those first that can be taken soonest.
    pub transitions: Vec<Choice>,
    /// The longest delay and whether it is excluded itself; `None` when time can go on for ever.
    pub longest_delay: Option<(Rational, bool)>,
}

/// What happens to a transition whose guards hold.
enum Landing {
    /// It is possible after these delays.
    Within(Window),
    /// That depends on clocks that are copied; it has to be tried.
    Untold,
    /// It is not possible.
    Nowhere,
    /// It is an error.
    Fails(Failure),
}

impl Interpreter<'_> {
    /// The transitions that can be taken, now or after waiting, and when. The state must satisfy its invariants.
    pub fn choices(&mut self, state: &State) -> Result<Choices, Failure> {
        let longest_delay = self.max_delay(state)?;
        let offers = self.offers(state)?;
        let mut found = Found::default();
        for piece in pieces(moments(&offers), longest_delay) {
            let now = piece.sample()?;
            let ready: Vec<Offer> =
                offers.iter().filter(|offer| offer.window.contains(now)).cloned().collect();
            let candidates = self.candidates_among(state, &ready);
            self.add_piece(state, piece, candidates, &mut found)?;
        }
        let mut transitions: Vec<Choice> = found.choices.into_iter().filter_map(Known::choice).collect();
        transitions.sort_by_key(|choice| (choice.delays[0].lower, choice.transition.clone()));
        Ok(Choices { transitions, longest_delay })
    }

    /// Throughout a piece, the candidates are the same; where invariants hold behind them may differ.
    fn add_piece(
        &mut self,
        state: &State,
        piece: Interval,
        candidates: Vec<Transition>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let mut here = Vec::with_capacity(candidates.len());
        let mut moments = vec![piece.lower.0];
        for transition in candidates {
            let at = if let Some(at) = found.position(&transition) {
                at
            } else {
                let landing = self.landing(state, &transition)?;
                found.add(transition, landing)
            };
            if let Landing::Within(window) = &found.choices[at].landing {
                moments.push(window.lower);
                moments.extend(window.upper.map(|(upper, _)| upper));
            }
            here.push(at);
        }
        moments.retain(|&moment| piece.contains(moment) || moment == piece.lower.0);
        for part in pieces(moments, piece.upper) {
            if !piece.contains(part.sample()?) {
                continue;
            }
            for at in self.possible(state, part.sample()?, &here, found)? {
                found.choices[at].extend(part);
            }
        }
        Ok(())
    }

    /// Which of some candidates are possible after a delay: the highest level at which any is.
    fn possible(
        &mut self,
        state: &State,
        delay: Rational,
        candidates: &[usize],
        found: &Found,
    ) -> Result<Vec<usize>, Failure> {
        let mut best = None;
        let mut possible = Vec::new();
        for &at in candidates {
            let Known { transition, landing, .. } = &found.choices[at];
            let level = priority(self.network, transition);
            if best.is_some_and(|best| level < best) {
                continue;
            }
            let lands = match landing {
                Landing::Within(window) => window.contains(delay),
                Landing::Nowhere => false,
                Landing::Fails(_) => true,
                Landing::Untold => {
                    let later = self.delay(state, delay)?;
                    matches!(self.fire(&later, transition)?, Fired::Reached(_))
                }
            };
            if lands {
                if best != Some(level) {
                    possible.clear();
                    best = Some(level);
                }
                possible.push(at);
            }
        }
        Ok(possible)
    }

    /// When the invariants hold behind a transition: with clocks as straight lines.
    fn landing(&mut self, state: &State, transition: &Transition) -> Result<Landing, Failure> {
        let mut advances = self.rates(state)?;
        let (mut next, ops) = match self.update(state, transition) {
            Ok(Ok(updated)) => updated,
            Ok(Err(_)) => return Ok(Landing::Nowhere),
            Err(failure) => return Ok(Landing::Fails(failure)),
        };
        for op in ops {
            match op {
                ClockOp::Set(clock, value) => {
                    next.clocks[clock.index()] = value.into();
                    advances[clock.index()] = false;
                }
                ClockOp::Copy(..) => return Ok(Landing::Untold),
            }
        }
        Ok(match self.invariants_window(&next, &advances) {
            Ok(window) if window.is_empty() => Landing::Nowhere,
            Ok(window) => Landing::Within(window),
            Err(failure) => Landing::Fails(failure),
        })
    }

    fn invariants_window(&mut self, state: &State, advances: &[bool]) -> Result<Window, Failure> {
        self.load(state);
        let network = self.network;
        let mut window = Window::ALWAYS;
        for location in state.locations.iter().map(|id: &LocationId| &network.locations[id.index()]) {
            if !self.machine.holds(&location.data_invariant)? {
                return Ok(Window::NEVER);
            }
            window = window.and(&self.window(state, advances, &location.clock_invariant)?);
        }
        if network.features.costs {
            self.machine.cost_rate(network)?;
        }
        Ok(window)
    }
}

/// The moments at which guards begin or cease to hold.
fn moments(offers: &[Offer]) -> Vec<Rational> {
    let windows = offers.iter().map(|offer| &offer.window).filter(|window| !window.is_empty());
    let mut moments = vec![Rational::ZERO];
    for window in windows {
        moments.push(window.lower);
        moments.extend(window.upper.map(|(upper, _)| upper));
    }
    moments
}

/// The moments up to a limit and what is between them, in their order.
fn pieces(mut moments: Vec<Rational>, limit: Option<(Rational, bool)>) -> Vec<Interval> {
    moments.sort_unstable();
    moments.dedup();
    if let Some((limit, _)) = limit {
        moments.retain(|moment| *moment < limit);
        moments.push(limit);
    }
    let mut pieces = Vec::with_capacity(2 * moments.len());
    for (at, &moment) in moments.iter().enumerate() {
        pieces.push(Interval::moment(moment));
        if let Some(&next) = moments.get(at + 1) {
            pieces.push(Interval::between(moment, Some(next)));
        }
    }
    match limit {
        None => pieces.extend(moments.last().map(|&last| Interval::between(last, None))),
        // Not to wait is always possible.
        Some((limit, true)) if limit != Rational::ZERO => {
            pieces.pop();
        }
        Some(_) => {}
    }
    pieces
}

/// Transitions that were met so far.
#[derive(Default)]
struct Found {
    choices: Vec<Known>,
    positions: std::collections::BTreeMap<Transition, usize>,
}

struct Known {
    transition: Transition,
    landing: Landing,
    delays: Vec<Interval>,
}

impl Found {
    fn position(&self, transition: &Transition) -> Option<usize> {
        self.positions.get(transition).copied()
    }

    fn add(&mut self, transition: Transition, landing: Landing) -> usize {
        self.positions.insert(transition.clone(), self.choices.len());
        self.choices.push(Known { transition, landing, delays: Vec::new() });
        self.choices.len() - 1
    }
}

impl Known {
    /// Adds what comes next; pieces that meet become one.
    fn extend(&mut self, part: Interval) {
        if let Some(last) = self.delays.last_mut()
            && let Some((end, is_open)) = last.upper
            && end == part.lower.0
            && is_open != part.lower.1
        {
            last.upper = part.upper;
        } else {
            self.delays.push(part);
        }
    }

    fn choice(self) -> Option<Choice> {
        let failure = match self.landing {
            Landing::Fails(failure) => Some(failure),
            _ => None,
        };
        let Self { transition, delays, .. } = self;
        (!delays.is_empty()).then_some(Choice { transition, delays, failure })
    }
}
