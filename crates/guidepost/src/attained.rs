//! Runs for `sup` and `inf`: to a state that has the bound.

use crate::Session;
use guidepost_answer::{Answer, CompiledQuery, Evidence, RunKind};
use guidepost_language::model::BoundKind;
use guidepost_verify::{EngineSpec, Settings};

impl Session {
    /// Adds the run to an answer about the bound of one expression, if runs are wanted and some state has the bound: found by a search for such a state, which is
    /// known to exist.
    pub(crate) fn show_bound(&self, query: &CompiledQuery, answer: &mut Answer, settings: &Settings) {
        if settings.run != RunKind::None && answer.evidence.is_none() {
            answer.evidence = self.attaining(query, answer, settings);
        }
    }

    fn attaining(&self, query: &CompiledQuery, answer: &Answer, settings: &Settings) -> Option<Evidence> {
        let measurement = answer.measured()?;
        let [item] = measurement.items.as_slice() else { return None };
        let (bound, sign) = match measurement.kind {
            BoundKind::Sup => (item.value.sup, ">="),
            BoundKind::Inf => (item.value.inf, "<="),
            BoundKind::Bounds => return None,
        };
        // What is only approached is shown by no state.
        let (value, false) = bound? else { return None };
        let condition = condition(&query.text);
        let goal = format!("E<> ({condition}) and ({}) {sign} {value}", item.expression);
        let goal = self.clone().compile(&goal).ok()?;
        let settings = Settings { engine: EngineSpec::default(), ..settings.clone() };
        let answers = settings.engine().answers(&self.network, std::slice::from_ref(&goal)).ok()?;
        answers.into_iter().next()?.evidence
    }
}

/// `p` of `sup{p}: e`.
fn condition(query: &str) -> &str {
    let inside = query.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
    inside.map_or("true", |(condition, _)| condition)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_shown_by_states_that_have_them() {
        let text = "clock x; int n; process P() { state A { x <= 7 }, B, C { x < 5 }; init A; \
                    trans A -> B { guard n < 3; assign n = n + 1; }, B -> A { assign x = 0; }, B -> C { assign x = 0; }; } system P;";
        let mut session = Session::parse("m.xta", text).unwrap();
        let settings = Settings { run: RunKind::Any, ..Settings::default() };
        let mut run = |query: &str| session.ask(query, &settings).unwrap().evidence;
        let last = |run: &Evidence| run.steps.last().map_or(run.initial.clone(), |step| step.after.clone());
        assert_eq!(last(&run("sup: n").unwrap()).variables, [3]);
        assert_eq!(last(&run("sup{P.A}: x").unwrap()).clocks[1], 7.into());
        assert_eq!(last(&run("inf{P.B}: n").unwrap()).variables, [1]);
        assert!(run("sup{P.C}: x").is_none(), "x comes near to 5 and never has it");
        assert!(run("sup: x").is_none(), "there is no bound");
        assert!(run("bounds: n").is_none());
    }
}
