//! Certificates for answers that say that something is unreachable, and their check.

mod making;

use crate::{ModelError, Session};
use guidepost_abstraction::{AbstractNetwork, Structure, hide};
use guidepost_answer::{Answer, Deadline, Limits, Outcome, Progress, StopReason};
use guidepost_certificate::{
    Certificate, Checked, Header, Obstacle, ReadError, Reason, Rejection, fingerprint, obstacle,
};
use guidepost_network::{CompiledQuery, Goal, Question};
use guidepost_search::inductive_set;
use making::{Making, collected, named, names};
use std::io::BufRead;
use std::time::Instant;

/// Why there is no certificate.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoCertificate {
    /// Only unreachability is certified.
    #[error("certificates are for `E<>` and `A[]` only")]
    Question,
    /// A construct that the checker does not know.
    #[error("the checker of certificates does not know {0}")]
    Construct(Obstacle),
    /// A limit was reached.
    #[error("{}", stopped(*.0))]
    Stopped(StopReason),
    /// An error of the model, in a state that the search left out because it leads to no goal.
    #[error("the model has an error: {0}")]
    Failed(String),
    /// What is said to be unreachable was reached: a bug.
    #[error("what the query asks for is reachable")]
    Reachable,
}

fn stopped(reason: StopReason) -> String {
    match reason {
        StopReason::Interrupt => "it was interrupted".to_owned(),
        reason => format!("the {} was reached while it was made", reason.describe()),
    }
}

/// Which states a certificate is to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum States<'a> {
    /// As few as possible.
    Few {
        /// The names of what may be hidden: see [`not_looked_at`].
        unneeded: &'a [String],
        /// How many states the search has stored.
        stored: u64,
    },
    /// Those that an exploration has stored. Each contains what time makes of it, and what follows from one lies within one other: for checkers that want that.
    Explored,
}

impl<'a> States<'a> {
    /// As few as possible, for an answer.
    pub fn of(answer: &'a Answer) -> Self {
        States::Few { unneeded: not_looked_at(answer), stored: answer.statistics.stored }
    }
}

/// What became of the check of a certificate.
#[derive(Debug)]
pub enum Certified {
    /// It proves the answer to its query.
    Accepted(Box<Certificate>),
    /// It proves nothing.
    Rejected(Box<Rejection>),
    /// Its file is broken.
    Broken(ReadError),
    /// No certificate can be about its query.
    Refused(NoCertificate),
    /// A limit was reached, or it was interrupted.
    Stopped(StopReason),
}

/// Whether an answer says that something is unreachable, for certain.
pub fn is_unreachable(query: &CompiledQuery, answer: &Answer) -> bool {
    let Some((_, holds_if_found)) = query.question.target() else { return false };
    matches!(answer.outcome, Outcome::Decided(holds) if holds != holds_if_found) && !answer.approximate
}

/// The names of what an answer says nothing about, because its proof hid it.
pub fn not_looked_at(answer: &Answer) -> &[String] {
    match (&answer.remarks.proof, &answer.refinement) {
        (Some(proof), _) => &proof.hidden,
        (None, Some(refinement)) => &refinement.hidden,
        (None, None) => &[],
    }
}

impl Session {
    /// Whether a certificate can be made for a question, should what it asks for be unreachable.
    ///
    /// # Errors
    /// Why not.
    pub fn certifiable(&self, question: &Question) -> Result<(), NoCertificate> {
        if question.target().is_none() {
            return Err(NoCertificate::Question);
        }
        obstacle(&self.network).map_or(Ok(()), |construct| Err(NoCertificate::Construct(construct)))
    }

    /// Makes a certificate for a query that asks for something unreachable.
    ///
    /// # Errors
    /// Why there is none.
    pub fn certificate(
        &self,
        query: &CompiledQuery,
        states: States<'_>,
        limits: &Limits,
        observe: &mut (dyn FnMut(&Progress) + Send),
    ) -> Result<Certificate, NoCertificate> {
        self.certifiable(&query.question)?;
        let goals = query.question.target().map_or(&[][..], |(goals, _)| goals);
        match states {
            // Whether something is deadlocked is not preserved by abstractions.
            States::Few { unneeded, stored } if goals.iter().all(|goal| goal.deadlock.is_none()) => {
                Making { session: self, query, goals, limits, begin: Instant::now() }
                    .smallest(unneeded, stored, observe)
            }
            _ => {
                let explored = inductive_set(&self.network, query, limits, observe);
                collected(&self.network, &query.text, explored.ok_or(NoCertificate::Question)?)
            }
        }
    }

    /// Reads a certificate and checks that it proves what it says about its query.
    ///
    /// # Errors
    /// When its query cannot be asked of this model.
    pub fn certify(&mut self, input: &mut dyn BufRead, limits: &Limits) -> Result<Certified, ModelError> {
        let header = match Header::read(input) {
            Ok(header) => header,
            Err(error) => return Ok(Certified::Broken(error)),
        };
        // About another model, even the query may make no sense.
        if header.fingerprint != fingerprint(&self.network) {
            return Ok(Certified::Rejected(Box::new(Rejection::OTHER_MODEL)));
        }
        let query = self.compile(&header.query)?;
        Ok(self.certify_rest(header, &query, input, limits))
    }

    /// As [`Session::certify`], for a certificate of a known query.
    pub fn certify_for(&self, query: &CompiledQuery, input: &mut dyn BufRead, limits: &Limits) -> Certified {
        match Header::read(input) {
            Ok(header) => self.certify_rest(header, query, input, limits),
            Err(error) => Certified::Broken(error),
        }
    }

    fn certify_rest(
        &self,
        header: Header,
        query: &CompiledQuery,
        input: &mut dyn BufRead,
        limits: &Limits,
    ) -> Certified {
        if let Err(refusal) = self.certifiable(&query.question) {
            return Certified::Refused(refusal);
        }
        let goals = query.question.target().map_or(&[][..], |(goals, _)| goals);
        let abstraction = match self.abstraction(&header.hides, goals) {
            Ok(abstraction) => abstraction,
            Err(why) => {
                return Certified::Rejected(Box::new(Rejection::because(Reason::Hiding(why.to_owned()))));
            }
        };
        let network = abstraction.as_ref().map_or(&self.network, |abstraction| &abstraction.network);
        let mut stop = None;
        let moment = limits.time.and_then(|time| Instant::now().checked_add(time));
        let mut deadline = Deadline::new(moment, limits.interrupt.clone());
        let mut go_on = |bytes: usize| {
            if limits.memory.is_some_and(|limit| bytes > limit) {
                stop = Some(StopReason::Memory);
            } else if deadline.is_due(WORK) {
                let reason = if deadline.is_interrupted() { StopReason::Interrupt } else { StopReason::Time };
                stop = Some(reason);
            }
            stop.is_none()
        };
        let checked = Certificate::read(header, network, input, &mut go_on).map(|certificate| {
            let mut go_on = || go_on(0);
            let checked = match &abstraction {
                None => certificate.check(&self.network, goals, &mut go_on),
                Some(AbstractNetwork { network, goals, .. }) => {
                    certificate.check_abstraction(&self.network, (network, goals), &mut go_on)
                }
            };
            (certificate, checked)
        });
        match checked {
            Ok((certificate, Checked::Accepted)) => Certified::Accepted(Box::new(certificate)),
            Ok((_, Checked::Rejected(rejection))) => Certified::Rejected(rejection),
            Ok((_, Checked::Stopped)) | Err(ReadError::Stopped) => {
                Certified::Stopped(stop.unwrap_or(StopReason::Interrupt))
            }
            Err(error) => Certified::Broken(error),
        }
    }
}

impl Session {
    /// The network without symbols of these names; `None` if there are no names.
    fn abstraction(&self, hides: &[String], goals: &[Goal]) -> Result<Option<AbstractNetwork>, &'static str> {
        if hides.is_empty() {
            return Ok(None);
        }
        let network = &self.network;
        let mut hidden =
            named(network, hides).ok_or("the model has no such processes, clocks or variables")?;
        let listed = names(network, &hidden);
        Structure::new(network).close(&mut hidden);
        if names(network, &hidden) != listed {
            return Err("what depends on it is not hidden");
        }
        Ok(Some(hide(network, &hidden, goals)))
    }
}

/// What it takes to read or check a zone, in microseconds.
const WORK: u32 = 10;

#[cfg(test)]
mod tests {
    use super::*;
    use guidepost_certificate::Reason;

    const MODEL: &str = "clock x; int[0,3] v;
        process P() { state A { x <= 2 }, B, C; init A;
            trans A -> B { guard x >= 1 && v < 3; assign x = 0, v++; }, B -> A { guard x == 0; }, B -> C { guard v > 3; }; }
        system P;";

    const FEW: States<'_> = States::Few { unneeded: &[], stored: 0 };

    fn written(session: &mut Session, query: &str) -> Vec<u8> {
        let compiled = session.compile(query).unwrap();
        let certificate = session.certificate(&compiled, FEW, &Limits::default(), &mut |_| ()).unwrap();
        let mut bytes = Vec::new();
        certificate.write(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_is_unreachable_is_certified() {
        let mut session = Session::parse("m.xta", MODEL).unwrap();
        for query in ["E<> P.C", "A[] not P.C", "A[] P.A imply x <= 2", "E<> P.C and deadlock"] {
            let bytes = written(&mut session, query);
            let certified = session.certify(&mut &*bytes, &Limits::default()).unwrap();
            let Certified::Accepted(certificate) = certified else { panic!("{query}: {certified:?}") };
            assert_eq!(certificate.query, query);
        }
    }

    #[test]
    fn what_is_reachable_is_not() {
        let mut session = Session::parse("m.xta", MODEL).unwrap();
        for query in ["E<> P.B", "A[] not deadlock"] {
            let query = session.compile(query).unwrap();
            let none = session.certificate(&query, FEW, &Limits::default(), &mut |_| ()).unwrap_err();
            assert!(matches!(none, NoCertificate::Reachable), "{none}");
        }
        let liveness = session.compile("A<> P.B").unwrap();
        let none = session.certificate(&liveness, FEW, &Limits::default(), &mut |_| ()).unwrap_err();
        assert!(matches!(none, NoCertificate::Question), "{none}");
    }

    #[test]
    fn a_certificate_of_another_model_is_rejected() {
        let mut session = Session::parse("m.xta", MODEL).unwrap();
        let bytes = written(&mut session, "E<> P.C");
        let mut other = Session::parse("m.xta", &MODEL.replace("x >= 1", "x >= 2")).unwrap();
        let certified = other.certify(&mut &*bytes, &Limits::default()).unwrap();
        assert!(
            matches!(&certified, Certified::Rejected(rejection) if rejection.reason == Reason::OtherModel),
            "{certified:?}"
        );
        // Whether the fingerprint sees it or the check does.
        let mut other = Session::parse("m.xta", &MODEL.replace("v > 3", "v > 2")).unwrap();
        let certified = other.certify(&mut &*bytes, &Limits::default()).unwrap();
        assert!(matches!(&certified, Certified::Rejected(_)), "{certified:?}");
    }

    #[test]
    fn a_limit_ends_the_check() {
        let mut session = Session::parse("m.xta", MODEL).unwrap();
        let bytes = written(&mut session, "E<> P.C");
        let limits = Limits { memory: Some(10), ..Limits::default() };
        let certified = session.certify(&mut &*bytes, &limits).unwrap();
        assert!(matches!(certified, Certified::Stopped(StopReason::Memory)), "{certified:?}");
    }

    /// A door that others knock at, and a bell that has nothing to do with it.
    const DOOR: &str = "clock x, y; int[0,3] v; int[0,9] rings;
        process Door() { state Shut { x <= 2 }, Open; init Shut;
            trans Shut -> Shut { guard x >= 1 && v < 3; assign x = 0, v++; }, Shut -> Open { guard v > 3; }; }
        process Bell() { state B; init B; trans B -> B { guard y > 3 && rings < 9; assign y = 0, rings++; }; }
        system Door, Bell;";

    #[test]
    fn what_a_proof_does_not_need_is_hidden() {
        let mut session = Session::parse("m.xta", DOOR).unwrap();
        let query = session.compile("E<> Door.Open").unwrap();
        let unneeded = ["Bell", "y", "rings"].map(str::to_owned);
        let states = States::Few { unneeded: &unneeded, stored: 0 };
        let small = session.certificate(&query, states, &Limits::default(), &mut |_| ()).unwrap();
        let whole = session.certificate(&query, FEW, &Limits::default(), &mut |_| ()).unwrap();
        assert_eq!((small.states(), small.hides.len()), (4, 3));
        assert_eq!((whole.states(), whole.hides.len()), (8, 0));
        // What cannot be left out is not.
        let too_much = ["Door".to_owned()];
        let states = States::Few { unneeded: &too_much, stored: 0 };
        let careful = session.certificate(&query, states, &Limits::default(), &mut |_| ()).unwrap();
        assert_eq!(careful, whole);
        for certificate in [small, whole] {
            let mut bytes = Vec::new();
            certificate.write(&mut bytes).unwrap();
            let certified = session.certify(&mut &*bytes, &Limits::default()).unwrap();
            let Certified::Accepted(read) = certified else { panic!("{certified:?}") };
            assert_eq!((read.states(), &read.hides), (certificate.states(), &certificate.hides));
        }
    }

    #[test]
    fn only_what_can_be_hidden_is() {
        let mut session = Session::parse("m.xta", DOOR).unwrap();
        let query = session.compile("E<> Door.Open").unwrap();
        let certificate = session.certificate(&query, FEW, &Limits::default(), &mut |_| ()).unwrap();
        for (hides, why) in [("nobody", "no such"), ("Bell", "depends on it"), ("rings", "")] {
            let mut claim = certificate.clone();
            claim.hides = vec![hides.to_owned()];
            let mut bytes = Vec::new();
            claim.write(&mut bytes).unwrap();
            match session.certify(&mut &*bytes, &Limits::default()).unwrap() {
                Certified::Rejected(rejection) => {
                    assert!(rejection.to_string().contains(why), "{hides}: {rejection}");
                }
                // Its states are others.
                Certified::Broken(_) if why.is_empty() => {}
                other => panic!("{hides}: {other:?}"),
            }
        }
    }
}
