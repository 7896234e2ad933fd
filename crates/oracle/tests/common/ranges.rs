//! Ranges of variables against all states.

use super::{Mismatch, Subject};
use guidepost_abstraction::Ranges;
use guidepost_network::VarId;

/// Every value of every state is in its range, every transition possible, and no goal excluded that there is.
pub(crate) fn check_ranges(subject: &Subject<'_>) -> Result<(), Mismatch> {
    let mut ranges = Ranges::new(subject.network);
    // What is known is right at all times, not only in the end.
    for executed in [100, 1000, 10_000, u64::MAX] {
        ranges.advance(executed);
        check_states(subject, &ranges)?;
        check_goals(subject, &ranges)?;
    }
    Ok(())
}

fn check_states(subject: &Subject<'_>, ranges: &Ranges<'_>) -> Result<(), Mismatch> {
    let processes = subject.network.processes.len();
    for state in 0..subject.graph.len() as u32 {
        for (variable, &value) in (0..).map(VarId).zip(&subject.graph.cells(state)[processes..]) {
            if !ranges.of(variable).contains(value) {
                let name = &subject.network.variables[variable.index()].name;
                return Err(Mismatch::new(
                    None,
                    format!("{name} is {value}, not in {:?}", ranges.of(variable)),
                ));
            }
        }
        for edge in subject.graph.actions(state).iter().flat_map(|action| &action.edges) {
            if !ranges.is_possible(*edge) {
                return Err(Mismatch::new(None, format!("{edge:?} is taken")));
            }
        }
    }
    Ok(())
}

fn check_goals(subject: &Subject<'_>, ranges: &Ranges<'_>) -> Result<(), Mismatch> {
    for (index, query) in subject.queries.iter().enumerate() {
        let Some((goals, _)) = query.question.target() else { continue };
        let Ok(satisfying) = subject.graph.satisfying_any(goals) else { continue };
        if ranges.exclude(goals) && satisfying.contains(&true) {
            return Err(Mismatch::new(Some(index), "a goal is excluded that there is"));
        }
    }
    Ok(())
}
