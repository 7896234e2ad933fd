//! Guideposts: conditions that states on the way are likely to meet, stored with a query or given beside it.
//!
//! A line `guidepost: P.Waiting and n > 2` in the comment of a query, in the XML or in a `.q` file, is stored with that query.

use crate::{Inquiry, ModelError, Session};
use guidepost_answer::{Answer, Evidence, PassedGuidepost};
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_network::interpreter::{Interpreter, State};
use guidepost_network::{CompiledQuery, Goal, Guidepost, Question, compile_query};

/// What stands in front of a guidepost in a comment.
const PREFIX: &str = "guidepost:";
/// A query may have so many.
const MOST: usize = 64;

/// The guideposts in the comment of a query.
pub(crate) fn in_comment(comment: &str) -> impl Iterator<Item = &str> {
    comment.lines().filter_map(|line| line.trim().strip_prefix(PREFIX)).map(str::trim)
}

impl Session {
    /// Gives all queries of an inquiry that ask whether something can be reached some more guideposts.
    ///
    /// # Errors
    /// What is wrong with a guidepost.
    pub fn guide(&mut self, inquiry: &mut Inquiry, texts: &[String]) -> Result<(), ModelError> {
        for text in texts {
            let guidepost = self.guidepost(text).map_err(|diagnostics| self.bad_query(diagnostics, text))?;
            for query in inquiry.compiled.iter_mut().filter(|query| query.question.target().is_some()) {
                query.guideposts.push(guidepost.clone());
                if query.guideposts.len() > MOST {
                    return Err(self.bad_query(Diagnostics::default(), &too_many()));
                }
            }
        }
        Ok(())
    }

    /// Compiles a guidepost.
    pub(crate) fn guidepost(&mut self, text: &str) -> Result<Guidepost, Diagnostics> {
        let mut diagnostics = Diagnostics::default();
        let queries = self.loaded.condition_from_text("guidepost", text, &mut diagnostics);
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        let place = self.last_file();
        let refused = |message: &str| {
            let mut diagnostics = Diagnostics::default();
            diagnostics.push(Diagnostic::new(Code::BadQuery, place, message.to_owned()));
            diagnostics
        };
        let [query] = &queries[..] else { return Err(refused("a guidepost is one condition")) };
        let compiled = compile_query(&self.network, &self.loaded.model, query)?;
        let Question::Possibly(predicate) = compiled.question else {
            return Err(refused("a guidepost is a condition on a state"));
        };
        let is_timed = |goal: &Goal| !goal.clocks.is_empty() || goal.deadlock.is_some();
        if predicate.goals.iter().any(is_timed) {
            return Err(refused(
                "a guidepost is about locations and variables; clocks and `deadlock` are not looked at",
            ));
        }
        Ok(Guidepost { text: text.to_owned(), goals: predicate.goals })
    }

    /// The guideposts that are stored with a query.
    pub(crate) fn stored_guideposts(&mut self, comment: &str) -> Result<Vec<Guidepost>, Diagnostics> {
        let texts: Vec<&str> = in_comment(comment).collect();
        if texts.len() > MOST {
            let mut diagnostics = Diagnostics::default();
            diagnostics.push(Diagnostic::new(Code::BadQuery, self.last_file(), too_many()));
            return Err(diagnostics);
        }
        texts.into_iter().map(|text| self.guidepost(text)).collect()
    }

    /// Says when the run of an answer has passed each guidepost.
    pub(crate) fn mark_guideposts(&self, query: &CompiledQuery, answer: &mut Answer) {
        let Some(evidence) = &answer.evidence else { return };
        let mut interpreter = Interpreter::new(&self.network);
        let passed = |post: &Guidepost| PassedGuidepost {
            text: post.text.clone(),
            step: first_step(&mut interpreter, &post.goals, evidence),
        };
        answer.guideposts = query.guideposts.iter().map(passed).collect();
    }
}

fn too_many() -> String {
    format!("a query has at most {MOST} guideposts")
}

/// The step after which one of the goals holds first; 0 for the initial state.
fn first_step(interpreter: &mut Interpreter<'_>, goals: &[Goal], evidence: &Evidence) -> Option<usize> {
    let holds = |state: &State| goals.iter().any(|goal| interpreter.satisfies(state, goal).unwrap_or(false));
    let mut states = std::iter::once(&evidence.initial).chain(evidence.steps.iter().map(|step| &step.after));
    states.position(holds)
}

#[cfg(test)]
mod tests {
    use crate::{Queries, RunKind, Session, Settings};
    use guidepost_answer::PassedGuidepost;

    const MODEL: &str = "int n; clock x; process P() { state A, B, C; init A; \
                         trans A -> A { guard n < 5; assign n = n + 1; }, A -> B { guard n > 2; }, B -> C { }; } system P;";

    fn passed(text: &str, step: Option<usize>) -> PassedGuidepost {
        PassedGuidepost { text: text.to_owned(), step }
    }

    #[test]
    fn a_run_shows_when_guideposts_are_passed() {
        let mut session = Session::parse("m.xta", MODEL).unwrap();
        let queries = Queries::Texts(vec!["E<> P.C".to_owned()]);
        let mut inquiry = session.inquire(&queries, &[]).unwrap();
        let posts = ["n == 2", "P.B", "n == 9", "P.A"].map(str::to_owned);
        session.guide(&mut inquiry, &posts).unwrap();
        let settings = Settings { run: RunKind::Shortest, ..Settings::default() };
        let results = session.check(inquiry, &settings, &mut |_| ()).unwrap();
        let expected = [
            passed("n == 2", Some(2)),
            passed("P.B", Some(4)),
            passed("n == 9", None),
            passed("P.A", Some(0)),
        ];
        assert_eq!(results[0].answer.as_ref().unwrap().guideposts, expected);
    }

    #[test]
    fn guideposts_are_stored_in_comments() {
        let mut session = Session::parse("m.xta", MODEL).unwrap();
        let text =
            "// Is C ever reached?\n// guidepost: n == 3\n// guidepost: P.B\nE<> P.C\n\nE<> P.B".to_owned();
        let inquiry = session.inquire(&Queries::Texts(vec![text]), &[]).unwrap();
        let posts: Vec<usize> = inquiry.compiled.iter().map(|query| query.guideposts.len()).collect();
        assert_eq!(posts, [2, 0]);
    }

    #[test]
    fn wrong_guideposts_are_refused() {
        let mut session = Session::parse("m.xta", MODEL).unwrap();
        let queries = Queries::Texts(vec!["E<> P.C".to_owned()]);
        for text in ["n ==", "Q.A", "x > 3", "deadlock", "P.A\nE<> P.B", ""] {
            let mut inquiry = session.inquire(&queries, &[]).unwrap();
            assert!(session.guide(&mut inquiry, &[text.to_owned()]).is_err(), "{text}");
        }
        let mut inquiry = session.inquire(&queries, &[]).unwrap();
        let message = session.guide(&mut inquiry, &["n > 2 and Q.A".to_owned()]).unwrap_err().to_string();
        assert!(message.contains("guidepost:1:11") && !message.contains("E<>"), "{message}");
        let many = vec!["P.A".to_owned(); 65];
        let mut inquiry = session.inquire(&queries, &[]).unwrap();
        assert!(session.guide(&mut inquiry, &many).is_err());
        let stored = "// guidepost: Q.A\nE<> P.C".to_owned();
        let inquiry = session.inquire(&Queries::Texts(vec![stored]), &[]).unwrap();
        assert!(inquiry.entries[0].problem.is_some() && inquiry.diagnostics.has_errors());
    }
}
