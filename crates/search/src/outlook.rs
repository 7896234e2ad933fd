//! What the estimates of a search say about how it gets on.
//!
//! A search that comes nearer to its goal at a steady pace is worth more than one that does not, and the pace of the last half of its work says when it will arrive. Where it goes straight ahead, each
//! expansion leading nearer, that does not matter: nothing can be faster, however far it still is. Where there is no goal, both soon come to an end.

use guidepost_answer::Estimate;

/// A search arrives soon when that takes no more than so many times what it has done.
const SOON: u64 = 4;
/// It goes straight ahead if it expands no more than so many states for each step.
const STRAIGHT: u64 = 2;

/// How a search gets on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// It has not come nearer to its goal in the second half of its work.
    Stuck,
    /// It has.
    Nearer,
    /// It has, and if it goes on like this, it soon arrives, or not later than any other could: after so much more effort.
    Arriving(u64),
}

/// A better estimate than all before, and what the search had done when it found it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Advance {
    pub(crate) effort: u64,
    pub(crate) explored: u64,
    pub(crate) estimate: Estimate,
}

/// How a search gets on that began with an estimate, came to better ones, and has done so much by now.
pub(crate) fn outlook(initial: Estimate, advances: &[Advance], effort: u64) -> Outlook {
    let Some(last) = advances.last().filter(|last| 2 * last.effort > effort) else { return Outlook::Stuck };
    let begin = Advance { effort: 0, explored: 0, estimate: initial };
    let half = advances.iter().rfind(|before| 2 * before.effort <= effort).unwrap_or(&begin);
    let (Some(before), Some(left)) = (half.estimate.as_steps(), last.estimate.as_steps()) else {
        return Outlook::Nearer;
    };
    let gained = u64::from(before.saturating_sub(left));
    // Half of its work, for each of the steps gained by it.
    let Some(needed) = (effort / 2).saturating_mul(left.into()).checked_div(gained) else {
        return Outlook::Nearer;
    };
    let is_straight = last.explored - half.explored <= STRAIGHT * gained;
    if is_straight || needed <= effort.saturating_mul(SOON) {
        Outlook::Arriving(needed)
    } else {
        Outlook::Nearer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One state in ten units of effort; so many of them for each better estimate.
    fn advances(states: u64, estimates: &[u32]) -> Vec<Advance> {
        let advance = |(number, &estimate): (u64, &u32)| Advance {
            effort: 10 * states * number,
            explored: states * number,
            estimate: Estimate::steps(estimate),
        };
        (0..).zip(estimates).map(advance).collect()
    }

    #[test]
    fn a_steady_search_says_when_it_arrives() {
        let initial = Estimate::steps(100);
        let steady = advances(10, &[100, 90, 80, 70, 60]);
        assert_eq!(outlook(initial, &steady, 400), Outlook::Arriving(600));
        assert_eq!(outlook(initial, &steady, 790), Outlook::Arriving(2370), "it has become slower");
        assert_eq!(outlook(initial, &steady, 800), Outlook::Stuck);
        assert_eq!(outlook(initial, &[], 10), Outlook::Stuck);
    }

    #[test]
    fn a_goal_far_away_is_no_arrival_unless_the_way_is_straight() {
        let initial = Estimate::steps(1000);
        assert_eq!(outlook(initial, &advances(10, &[1000, 999, 998]), 200), Outlook::Nearer);
        assert_eq!(outlook(initial, &advances(2, &[1000, 999, 998]), 40), Outlook::Arriving(19_960));
    }

    #[test]
    fn without_estimates_nothing_is_said_about_when() {
        assert_eq!(outlook(Estimate::DEAD_END, &advances(1, &[9, 7]), 10), Outlook::Arriving(17));
        assert_eq!(outlook(Estimate::DEAD_END, &advances(1, &[7])[..1], 0), Outlook::Stuck);
        let late = [Advance { effort: 10, explored: 1, estimate: Estimate::steps(7) }];
        assert_eq!(outlook(Estimate::DEAD_END, &late, 12), Outlook::Nearer);
        assert_eq!(outlook(Estimate::steps(7), &late, 12), Outlook::Nearer);
    }
}
