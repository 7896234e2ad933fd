//! Answers to the queries of an inquiry, in their order.

use crate::{Inquiry, ModelError, Session};
use guidepost_answer::{Answer, Cost, Event, Progress, Refinement, Unsupported};
use guidepost_language::model::Query;
use guidepost_network::{ClockConstraint, CompiledQuery, Question};
use guidepost_report::verdict::QueryResult;
use guidepost_verify::Settings;

/// What is heard of a check.
pub enum CheckEvent<'e> {
    /// How the search for the answer to a query is getting on: its index among those of [`Session::accepted`].
    Progress(usize, &'e Progress),
    /// A better run or bound was found while the cheapest or fastest run for a query is looked for.
    Improved(usize, Cost),
    /// Something was learned, and an abstraction is refined.
    Refined(usize, &'e Refinement),
    /// One more result is known, the last of these. Results come in the order of the inquiry, each as soon as it and all before it are known.
    Result(&'e [QueryResult]),
}

/// Completes the answer to a query, which has a number.
pub type Complete<'c> = dyn FnMut(usize, &CompiledQuery, &mut Answer) + Send + 'c;

impl Session {
    /// Answers the queries of an inquiry. What the engine does not answer has the reason in its result.
    ///
    /// # Errors
    /// When the model has no initial state, or the engine cannot work with the model.
    pub fn check(
        &self,
        inquiry: Inquiry,
        settings: &Settings,
        observe: &mut (dyn FnMut(CheckEvent<'_>) + Send),
    ) -> Result<Vec<QueryResult>, ModelError> {
        self.check_with(inquiry, settings, observe, &mut |_, _, _| ())
    }

    /// As [`Session::check`]; every answer, with the number of its query, is completed by somebody before it is heard of.
    ///
    /// # Errors
    /// As those of [`Session::check`].
    pub fn check_with(
        &self,
        inquiry: Inquiry,
        settings: &Settings,
        observe: &mut (dyn FnMut(CheckEvent<'_>) + Send),
        complete: &mut Complete<'_>,
    ) -> Result<Vec<QueryResult>, ModelError> {
        self.has_initial_state()?;
        let engine = self.with_text(settings).engine();
        let inquiry = self.accepted(inquiry, settings)?;
        let numbers = inquiry.numbers();
        let Inquiry { entries, compiled, .. } = inquiry;
        let mut results = InOrder::new(entries);
        results.hand_over(observe);
        let outcome = engine.answer(&self.network, &compiled, &mut |event| match event {
            Event::Progress(index, progress) => observe(CheckEvent::Progress(index, progress)),
            Event::Improved(index, cost) => observe(CheckEvent::Improved(index, cost)),
            Event::Refined(index, refinement) => observe(CheckEvent::Refined(index, refinement)),
            Event::Answered(index, mut answer) => {
                self.show_bound(&compiled[index], &mut answer, settings);
                self.mark_guideposts(&compiled[index], &mut answer);
                complete(numbers[index], &compiled[index], &mut answer);
                results.answers[index] = Some(*answer);
                results.hand_over(observe);
            }
        });
        outcome.map_err(|reason| self.refused(&reason))?;
        debug_assert!(results.waiting.is_empty(), "an engine answers every query");
        Ok(results.known)
    }

    /// The inquiry, with the reason beside each query that the engine does not answer.
    ///
    /// # Errors
    /// When the engine cannot work with the model.
    pub fn accepted(&self, inquiry: Inquiry, settings: &Settings) -> Result<Inquiry, ModelError> {
        let engine = settings.engine();
        let Inquiry { mut entries, compiled, diagnostics } = inquiry;
        let mut accepted = Vec::new();
        let asked = entries.iter_mut().filter(|entry| entry.problem.is_none());
        for (entry, query) in asked.zip(compiled) {
            match engine.accepts(&self.network, &query) {
                Ok(()) => accepted.push(query),
                Err(reason @ Unsupported::Question { .. }) => entry.problem = Some(reason.to_string()),
                Err(reason) => return Err(self.refused(&reason)),
            }
        }
        Ok(Inquiry { entries, compiled: accepted, diagnostics })
    }

    /// Answers one query, such as `A[] not deadlock`.
    ///
    /// # Errors
    /// What is wrong with the query, that the model has no initial state, or why no engine answers it.
    pub fn ask(&mut self, query: &str, settings: &Settings) -> Result<Answer, ModelError> {
        let compiled = self.compile(query)?;
        self.has_initial_state()?;
        let engine = self.with_text(settings).engine();
        let answers = engine
            .accepts(&self.network, &compiled)
            .and_then(|()| engine.answers(&self.network, std::slice::from_ref(&compiled)));
        let mut answer =
            answers.map(|mut answers| answers.swap_remove(0)).map_err(|reason| self.refused(&reason))?;
        self.show_bound(&compiled, &mut answer, settings);
        self.mark_guideposts(&compiled, &mut answer);
        Ok(answer)
    }

    /// What the settings ask for and these queries do not get, because the answers would be wrong: nobody should compare numbers without knowing that.
    pub fn overruled(&self, inquiry: &Inquiry, settings: &Settings) -> Option<&'static str> {
        if settings.extrapolation.is_none() && settings.subsumption.is_none() {
            None
        } else if self.network.features.diagonals && !settings.leaves_zones() {
            Some("the model compares clocks with each other; --extrapolation and --subsumption are not used")
        } else if !inquiry.compiled.iter().all(is_plain_reachability) {
            Some(
                "--extrapolation and --subsumption are used for E<> and A[] without `deadlock` only; \
                 nothing else would be answered correctly",
            )
        } else {
            None
        }
    }
}

fn is_plain_reachability(query: &CompiledQuery) -> bool {
    let (Question::Possibly(predicate) | Question::Always(predicate)) = &query.question else { return false };
    let mut goals = predicate.goals.iter().chain(&predicate.negation);
    goals.all(|goal| goal.deadlock.is_none() && !goal.clocks.iter().any(ClockConstraint::is_diagonal))
}

/// Brings answers, which come in any order, into the order of the queries.
struct InOrder {
    waiting: std::collections::VecDeque<crate::Entry>,
    answers: Vec<Option<Answer>>,
    /// The next answer that belongs to a waiting entry.
    next: usize,
    known: Vec<QueryResult>,
}

impl InOrder {
    fn new(entries: Vec<crate::Entry>) -> Self {
        let answers = entries.iter().filter(|entry| entry.problem.is_none()).map(|_| None).collect();
        Self { waiting: entries.into(), answers, next: 0, known: Vec::new() }
    }

    /// Hands over what is known by now.
    fn hand_over(&mut self, observe: &mut (dyn FnMut(CheckEvent<'_>) + Send)) {
        while let Some(result) = self.take() {
            self.known.push(result);
            observe(CheckEvent::Result(&self.known));
        }
    }

    /// The result of the first entry that waits, if it is known.
    fn take(&mut self) -> Option<QueryResult> {
        let entry = self.waiting.front()?;
        let answer = if let Some(problem) = &entry.problem {
            Err(problem.clone())
        } else {
            let answer = self.answers.get_mut(self.next)?.take()?;
            self.next += 1;
            Ok(answer)
        };
        let crate::Entry { number, query, .. } = self.waiting.pop_front()?;
        let Query { text, property, expect, .. } = query;
        Some(QueryResult { number, query: text, property, expect, answer })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Queries;

    #[test]
    fn a_model_without_an_initial_state_is_an_error() {
        let text = "clock x; process P() { state A { x >= 2 }; init A; } system P;";
        let mut session = Session::parse("m.xta", text).unwrap();
        let error = session.ask("A[] false", &Settings::default()).unwrap_err();
        assert!(error.to_string().contains("the initial state violates the invariant of P.A"), "{error}");
    }

    #[test]
    fn a_query_that_the_engine_does_not_answer_does_not_stop_the_others() {
        let text = "process P() { state A, B; init A; trans A -> B { }; } system P;";
        let mut session = Session::parse("m.xta", text).unwrap();
        let texts = ["A<> P.B", "E<> P.B"].map(str::to_owned).to_vec();
        let inquiry = session.inquire(&Queries::Texts(texts), &[]).unwrap();
        let settings = Settings { engine: "walk".parse().unwrap(), ..Settings::default() };
        let results = session.check(inquiry, &settings, &mut |_| ()).unwrap();
        let reason = results[0].answer.as_ref().unwrap_err();
        assert!(reason.contains("the engine `walk` does not answer"), "{reason}");
        assert!(results[1].answer.as_ref().is_ok_and(|answer| answer.outcome.is_decided()));
    }

    #[test]
    fn results_come_in_the_order_of_the_queries() {
        let text = "clock x; process P() { state A, B; init A; trans A -> B { guard x > 2; }; } system P;";
        let mut session = Session::parse("m.xta", text).unwrap();
        // The first and the last share an exploration, so their answers come together, before the one in between.
        let texts = ["E<> P.B", "E<> P.B and x < 2", "A[] P.Nowhere", "A[] P.A"].map(str::to_owned).to_vec();
        let inquiry = session.inquire(&Queries::Texts(texts), &[]).unwrap();
        let mut seen = Vec::new();
        let results = session.check(inquiry, &Settings::default(), &mut |event| {
            if let CheckEvent::Result(known) = event {
                seen.push(known.last().map(|result| result.number));
            }
        });
        assert_eq!(seen, [Some(1), Some(2), Some(3), Some(4)]);
        let holds: Vec<Option<bool>> = results
            .unwrap()
            .iter()
            .map(|result| result.answer.as_ref().ok().and_then(|answer| answer.outcome.decision().copied()))
            .collect();
        assert_eq!(holds, [Some(true), Some(false), None, Some(false)]);
    }
}
