//! Which cells of a step are tied together.
//!
//! A condition ties the cells it looks at, a statement those that it reads and writes. What belongs to different clusters is independent.

use super::cells::Cells;
use super::part::{Condition, Statement};
use guidepost_network::Codes;

/// Cells that are tied together.
#[derive(Debug, Default)]
pub(crate) struct Cluster<'s> {
    pub(crate) cells: Vec<usize>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) statements: Vec<&'s Statement>,
}

impl Cluster<'_> {
    /// The cells whose values matter.
    pub(crate) fn inputs(&self, codes: Codes<'_>) -> Vec<usize> {
        let read = self.statements.iter().flat_map(|statement| match statement {
            Statement::Copy { source, .. } => std::slice::from_ref(source),
            Statement::Add { target, .. } => std::slice::from_ref(target),
            Statement::Run { reads, .. } => reads,
            Statement::Set { .. } | Statement::Lose { .. } => &[],
        });
        let conditions = self.conditions.iter().flat_map(|condition| codes.cells_read(condition.code));
        let mut inputs: Vec<usize> = read.copied().chain(conditions).collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }

    /// Whether a statement may write the cell.
    pub(crate) fn writes(&self, cell: usize) -> bool {
        self.statements.iter().any(|statement| match statement {
            Statement::Set { target, .. }
            | Statement::Copy { target, .. }
            | Statement::Add { target, .. }
            | Statement::Lose { target } => *target == cell,
            Statement::Run { writes, .. } => writes.contains(&cell),
        })
    }
}

/// Groups what is tied together by conditions and statements.
pub(crate) fn clusters<'s>(
    cells: &Cells,
    tied: &[(Condition, Vec<usize>)],
    statements: &[&'s Statement],
) -> Vec<Cluster<'s>> {
    let mut clusters: Vec<Cluster<'s>> = Vec::new();
    let mut join = |members: &[usize], condition: Option<Condition>, statement: Option<&'s Statement>| {
        let mut whole = Cluster::default();
        let mut others = Vec::new();
        for cluster in clusters.drain(..) {
            if cluster.cells.iter().any(|cell| members.contains(cell)) {
                whole.cells.extend(cluster.cells);
                whole.conditions.extend(cluster.conditions);
                whole.statements.extend(cluster.statements);
            } else {
                others.push(cluster);
            }
        }
        whole.cells.extend(members.iter().filter(|&&cell| !cells.is_left_out(cell)));
        whole.cells.sort_unstable();
        whole.cells.dedup();
        whole.conditions.extend(condition);
        whole.statements.extend(statement);
        others.push(whole);
        clusters = others;
    };
    for (condition, operands) in tied {
        join(operands, Some(*condition), None);
    }
    for statement in statements {
        match statement {
            Statement::Set { target, .. } | Statement::Add { target, .. } | Statement::Lose { target } => {
                join(&[*target], None, Some(statement));
            }
            Statement::Copy { target, source } => join(&[*target, *source], None, Some(statement)),
            Statement::Run { reads, writes, .. } => {
                let members: Vec<usize> = reads.iter().chain(writes).copied().collect();
                join(&members, None, Some(statement));
            }
        }
    }
    // Statements of clusters that were joined late keep their order in the update.
    for cluster in &mut clusters {
        let position = |statement: &&Statement| {
            statements.iter().position(|other| std::ptr::eq(*other, *statement)).unwrap_or(usize::MAX)
        };
        cluster.statements.sort_by_key(position);
    }
    clusters
}
