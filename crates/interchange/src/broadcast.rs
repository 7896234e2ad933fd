//! Receivers of a broadcast that cannot receive stay where they are.
//!
//! In a vector, a process with a weak part stays out where it has no edge with the event at all; where it has one, its guard can block everybody. A receiver of a
//! broadcast never blocks. So where all edges with the event have guards, another edge is added that does nothing, for when none of them holds. Formats
//! without weak parts get such an edge everywhere, and strong parts.

use crate::expression::split;
use crate::system::{Edge, Expr, Operator, Result, System, refuse};
use std::collections::BTreeSet;

impl System {
    pub(crate) fn complete_broadcasts(&mut self, weak: bool, of_broadcasts: &BTreeSet<String>) -> Result<()> {
        let parts = self.vectors.iter().flat_map(|vector| &vector.participants);
        let staying: BTreeSet<(usize, String)> =
            parts.filter(|(_, _, weak)| *weak).map(|(process, event, _)| (*process, event.clone())).collect();
        for (process, event) in staying {
            // Weak parts of a model of TChecker's mean what they mean there.
            if !of_broadcasts.contains(&event) && weak {
                continue;
            }
            for location in 0..self.processes[process].locations.len() {
                self.complete(process, location, &event, weak, !of_broadcasts.contains(&event))?;
            }
        }
        if !weak {
            let parts = self.vectors.iter_mut().flat_map(|vector| &mut vector.participants);
            parts.for_each(|(_, _, weak)| *weak = false);
        }
        Ok(())
    }

    /// Adds the edge that stays, where one is needed. `can_block`: only for a location without any edge, since others block on purpose.
    fn complete(
        &mut self,
        process: usize,
        location: usize,
        event: &str,
        weak: bool,
        can_block: bool,
    ) -> Result<()> {
        let process = &mut self.processes[process];
        let edges = process
            .edges
            .iter()
            .filter(|edge| edge.source == location && edge.event.as_deref() == Some(event));
        let guards: Vec<&Vec<Expr>> = edges.map(|edge| &edge.guard).collect();
        if guards.iter().any(|guard| guard.is_empty())
            || (guards.is_empty() && weak)
            || (can_block && !guards.is_empty())
        {
            return Ok(());
        }
        let mut nothing = Expr::Number(1);
        for guard in guards {
            let holds = guard
                .iter()
                .cloned()
                .reduce(|all, next| all.with(Operator::And, next))
                .unwrap_or(Expr::Number(1));
            nothing = nothing.with(Operator::And, holds.negated()).folded();
        }
        if process.locations[location].committed {
            return refuse(format!(
                "the committed location `{}`, which may or may not receive a broadcast,",
                process.locations[location].name
            ));
        }
        let mut guard = Vec::new();
        split(nothing, &mut guard);
        process.edges.push(Edge {
            source: location,
            target: location,
            event: Some(event.to_owned()),
            guard,
            update: Vec::new(),
        });
        Ok(())
    }
}
