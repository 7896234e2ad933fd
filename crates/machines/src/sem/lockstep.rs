//! What a flat system does, by the definition for flat systems: every machine that can move moves, the others wait (J. Lind-Nielsen et al., Verification of large
//! state/event systems using compositionality and dependency analysis, 2001).
//!
//! It shares nothing with the [interpreter](super::Interpreter) of hierarchical systems but the data of the system; on flat systems both must agree.

use super::model::{EventId, Guard, StateId, System};

/// The states that the machines of a flat system, in their order, may be in after an event.
///
/// # Panics
/// If the system is not [flat](System::is_flat).
#[must_use]
pub fn successors(system: &System, now: &[StateId], event: EventId) -> Vec<Vec<StateId>> {
    assert!(system.is_flat(), "machines in lock-step have no states within states");
    let mut all = vec![Vec::new()];
    for &local in now {
        let possible = system.transitions.iter().filter(|transition| {
            transition.source == local && transition.event == event && holds(system, now, &transition.guard)
        });
        let mut choices: Vec<StateId> = possible.map(|transition| transition.target).collect();
        if choices.is_empty() {
            choices.push(local);
        }
        choices.sort_unstable();
        choices.dedup();
        all = all
            .into_iter()
            .flat_map(|before| choices.iter().map(move |&choice| [before.as_slice(), &[choice]].concat()))
            .collect();
    }
    all
}

fn holds(system: &System, now: &[StateId], guard: &Guard) -> bool {
    match guard {
        Guard::True => true,
        // A machine, and the whole system, are always active.
        Guard::Active(state) => now.contains(state) || !system.state(*state).children.is_empty(),
        Guard::Not(inner) => !holds(system, now, inner),
        Guard::And(parts) => parts.iter().all(|part| holds(system, now, part)),
        Guard::Or(parts) => parts.iter().any(|part| holds(system, now, part)),
    }
}
