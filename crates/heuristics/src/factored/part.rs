//! What one process contributes to a step: moves of its location, conditions, and assignments.

use super::Move;
use super::cells::Cells;
use guidepost_network::{ChannelId, ChannelRef, Code, EdgeId, LocationKind, Network, Shape, Sync};

/// Something that has to hold in the source state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Condition {
    pub(crate) code: Code,
    /// The value the code has to have; any but 0 if there is none.
    pub(crate) value: Option<i32>,
}

impl Condition {
    pub(crate) fn holds(code: Code) -> Self {
        Self { code, value: None }
    }
}

/// A piece of an update; cells instead of variables.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Set {
        target: usize,
        value: i32,
    },
    Copy {
        target: usize,
        source: usize,
    },
    Add {
        target: usize,
        by: i32,
    },
    Run {
        code: Code,
        reads: Vec<usize>,
        writes: Vec<usize>,
    },
    /// Any value.
    Lose {
        target: usize,
    },
}

/// Whether a process leaves a committed location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaves {
    Committed,
    Other,
    Either,
}

/// One way in which a process takes part in a step.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) process: usize,
    /// Numbers of locations, from and to.
    pub(crate) moves: Vec<(u32, u32)>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) leaves: Leaves,
    /// The edges it may take; none if it stays.
    pub(crate) edges: Vec<Move>,
    /// It may also stay where it is, without an edge.
    pub(crate) may_stay: bool,
}

impl Part {
    /// Takes an edge, on a channel if it synchronises on one.
    pub(crate) fn of_edge(network: &Network, cells: &Cells, id: EdgeId, channel: Option<ChannelId>) -> Self {
        let edge = &network.edges[id.index()];
        let first = network.processes[edge.process.index()].locations.start;
        let mut conditions: Vec<Condition> = edge.data_guard.iter().copied().map(Condition::holds).collect();
        if let (
            Sync::Send(ChannelRef::Dynamic(code, _)) | Sync::Receive(ChannelRef::Dynamic(code, _)),
            Some(channel),
        ) = (&edge.sync, channel)
        {
            conditions.push(Condition { code: *code, value: Some(channel.0 as i32) });
        }
        let pair = (edge.source.0 - first, edge.target.0 - first);
        let is_committed = network.locations[edge.source.index()].kind == LocationKind::Committed;
        Self {
            process: edge.process.index(),
            moves: vec![pair],
            edges: vec![Move { edge: id.0, pair }],
            conditions,
            statements: edge.update.map_or_else(Vec::new, |code| statements(network, cells, code)),
            leaves: if is_committed { Leaves::Committed } else { Leaves::Other },
            may_stay: false,
        }
    }

    /// Stays in one of some locations.
    pub(crate) fn stays(process: usize, locations: impl Iterator<Item = u32>) -> Self {
        let moves = locations.map(|at| (at, at)).collect();
        Self {
            process,
            moves,
            conditions: Vec::new(),
            statements: Vec::new(),
            leaves: Leaves::Other,
            edges: Vec::new(),
            may_stay: true,
        }
    }

    /// All alternatives in one: whatever one of them allows, conditions forgotten, anything they write lost. Exact if they only move.
    pub(crate) fn any_of(parts: Vec<Part>) -> Option<Part> {
        let mut parts = parts.into_iter();
        let mut all = parts.next()?;
        all.blur();
        for mut part in parts {
            part.blur();
            all.moves.extend(part.moves);
            all.edges.extend(part.edges);
            all.statements.extend(part.statements);
            all.may_stay |= part.may_stay;
            if part.leaves != all.leaves {
                all.leaves = Leaves::Either;
            }
        }
        Some(all)
    }

    /// Whether it is about the location alone.
    pub(crate) fn only_moves(&self) -> bool {
        self.conditions.is_empty() && self.statements.is_empty()
    }

    fn blur(&mut self) {
        self.conditions.clear();
        let lost = self.statements.drain(..).flat_map(|statement| match statement {
            Statement::Set { target, .. }
            | Statement::Copy { target, .. }
            | Statement::Add { target, .. }
            | Statement::Lose { target } => vec![target],
            Statement::Run { writes, .. } => writes,
        });
        let mut lost: Vec<usize> = lost.collect();
        lost.sort_unstable();
        lost.dedup();
        self.statements.extend(lost.into_iter().map(|target| Statement::Lose { target }));
    }
}

/// An update in pieces; one piece if it is not made of simple assignments.
fn statements(network: &Network, cells: &Cells, code: Code) -> Vec<Statement> {
    let cell = |variable| cells.of_variable(variable);
    let Some(shapes) = network.program.shapes(code) else {
        let (reads, writes) = (network.program.codes().cells_read(code), cells.written_by(network, code));
        return vec![Statement::Run { code, reads, writes }];
    };
    let simple = |shape| match shape {
        Shape::AssignConst { var, value } => Some(Statement::Set { target: cell(var), value }),
        Shape::AssignVar { var, source } => Some(Statement::Copy { target: cell(var), source: cell(source) }),
        Shape::Increment { var, by } => Some(Statement::Add { target: cell(var), by }),
        // Clocks are left out; conditions do not occur in updates.
        _ => None,
    };
    shapes.into_iter().filter_map(simple).collect()
}
