//! What an edge adds.

use super::domain::Domains;
use guidepost_abstraction::regression::{Value, simultaneous};
use guidepost_network::{Code, Machine, Network, VarId};

/// One way in which an edge makes facts.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    /// Always this fact.
    Fact(u32),
    /// `target := source + by`, cells.
    Shift { source: usize, target: usize, by: i32 },
    /// The update is run for every combination of operands; each of its targets has an effect of its own.
    Program { program: usize },
}

/// An update that is not made of simple assignments.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) code: Code,
    /// The cells it reads.
    pub(super) operands: Vec<usize>,
    /// The cells it may write; each has an effect, in this order.
    pub(super) targets: Vec<usize>,
    /// The targets that it does not read.
    pub(super) unread: Vec<usize>,
    /// The first of these effects.
    pub(super) first_effect: usize,
    /// What running it once costs: the instructions it takes in the initial state, and its operands.
    pub(super) cost: u32,
}

/// The effects of an edge's update, and of its change of location.
pub(super) fn effects_of(
    network: &Network,
    domains: &Domains,
    edge: u32,
    first_effect: usize,
    programs: &mut Vec<Program>,
    machine: &mut Machine<'_>,
) -> Vec<Effect> {
    let data = &network.edges[edge as usize];
    let mut effects = Vec::new();
    if data.target != data.source {
        effects.extend(domains.fact(data.process.index(), data.target.0 as i32).map(Effect::Fact));
    }
    let Some(code) = data.update else { return effects };
    let cell = |variable: VarId| domains.processes + variable.index();
    if let Some(assignments) = simultaneous(network, code) {
        for (variable, value) in assignments {
            let target = cell(variable);
            if domains.is_free(target) {
                continue;
            }
            effects.extend(match value {
                Value::Const(value) => domains.fact(target, value).map(Effect::Fact),
                Value::Of(source, 0) if source == variable => None,
                Value::Of(source, _) if domains.is_free(cell(source)) => {
                    Some(Effect::Fact(domains.any(target)))
                }
                Value::Of(source, by) => Some(Effect::Shift { source: cell(source), target, by }),
            });
        }
        return effects;
    }
    let targets: Vec<usize> = network.program.writes(code).into_iter().map(cell).collect();
    let targets: Vec<usize> = targets.into_iter().filter(|&target| !domains.is_free(target)).collect();
    let operands = network.program.codes().cells_read(code);
    if operands.iter().any(|&operand| domains.is_free(operand)) {
        effects.extend(targets.into_iter().map(|target| Effect::Fact(domains.any(target))));
    } else if !targets.is_empty() {
        let program = programs.len();
        let first_effect = first_effect + effects.len();
        effects.extend(targets.iter().map(|_| Effect::Program { program }));
        let unread =
            targets.iter().copied().filter(|target| operands.binary_search(target).is_err()).collect();
        let cost = cost_of(machine, &network.initial_cells(), code, &operands);
        programs.push(Program { code, operands, targets, unread, first_effect, cost });
    }
    effects
}

/// What it costs to run a code once, in the instructions it takes in a state, and its operands.
pub(super) fn cost_of(machine: &mut Machine<'_>, cells: &[i32], code: Code, operands: &[usize]) -> u32 {
    let before = machine.executed();
    machine.load(cells);
    // What it comes to does not matter, an error included.
    let _ = machine.run_update(code, &mut Vec::new());
    let instructions = machine.executed() - before;
    u32::try_from(instructions + operands.len() as u64).unwrap_or(u32::MAX)
}
