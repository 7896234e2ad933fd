//! In which order the machines stand in the diagrams: those that ask about each other side by side.
//!
//! Every transition pulls the machines that it mentions together; each round moves a machine to the middle of what pulls at it (F. Aloul, I. Markov, K. Sakallah, FORCE: a
//! fast and easy-to-implement variable-ordering heuristic, 2003). The order with the smallest sum of spans is kept.

/// Rounds without a better order before giving up.
const PATIENCE: usize = 8;

/// An order of `count` machines, given groups of them that belong together. Position to machine.
pub(crate) fn order(count: usize, groups: &[Vec<usize>]) -> Vec<usize> {
    let mut best: Vec<usize> = (0..count).collect();
    let mut least = total_span(&best, groups);
    let mut now = best.clone();
    let mut idle = 0;
    while idle < PATIENCE && least > 0 {
        now = pulled(&now, groups);
        let span = total_span(&now, groups);
        if span < least {
            (best, least, idle) = (now.clone(), span, 0);
        } else {
            idle += 1;
        }
    }
    best
}

fn positions(order: &[usize]) -> Vec<usize> {
    let mut positions = vec![0; order.len()];
    for (position, &machine) in order.iter().enumerate() {
        positions[machine] = position;
    }
    positions
}

fn total_span(order: &[usize], groups: &[Vec<usize>]) -> usize {
    let positions = positions(order);
    let span = |group: &Vec<usize>| {
        let places = || group.iter().map(|&machine| positions[machine]);
        places().max().unwrap_or(0) - places().min().unwrap_or(0)
    };
    groups.iter().map(span).sum()
}

/// One round: every machine goes to the mean of the middles of its groups.
fn pulled(order: &[usize], groups: &[Vec<usize>]) -> Vec<usize> {
    let positions = positions(order);
    let mut pulls = vec![(0.0, 0.0); order.len()];
    for group in groups {
        let sum: usize = group.iter().map(|&machine| positions[machine]).sum();
        let middle = sum as f64 / group.len().max(1) as f64;
        for &machine in group {
            pulls[machine].0 += middle;
            pulls[machine].1 += 1.0;
        }
    }
    let mean = |machine: usize| match pulls[machine] {
        (_, 0.0) => positions[machine] as f64,
        (sum, count) => sum / count,
    };
    let mut next = order.to_vec();
    next.sort_by(|&one, &other| mean(one).total_cmp(&mean(other)));
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_that_belong_together_stand_together() {
        // A chain, its links far apart at first.
        let chain = [0, 5, 1, 4, 2, 3];
        let groups: Vec<Vec<usize>> = chain.windows(2).map(<[usize]>::to_vec).collect();
        let order = order(6, &groups);
        let before = total_span(&[0, 1, 2, 3, 4, 5], &groups);
        assert!(total_span(&order, &groups) < before, "{order:?}");
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4, 5]);
    }
}
