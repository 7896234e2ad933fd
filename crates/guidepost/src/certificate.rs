//! Certificates for answers that say that something is unreachable, and their check.

mod making;

use crate::{ModelError, Session};
use guidepost_abstraction::{AbstractNetwork, Structure, hide};
use guidepost_answer::{Answer, Deadline, Limits, Outcome, Progress, StopReason};
use guidepost_certificate::{
    Certificate, Checked, Claim, Header, Obstacle, ReadError, Reason, Rejection, fingerprint, obstacle,
};
use guidepost_network::{CompiledQuery, Goal, Question};
use guidepost_search::{Widening, inductive_set, ranked_set};
use making::{Making, collected, named, names};
use std::io::BufRead;
use std::time::Instant;

/// Why there is no certificate.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoCertificate {
    /// Not all answers can be certified.
    #[error("certificates are for `E<>`, `A[]`, `A<>`, `E[]` and `-->` only")]
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
    /// What is said to be unreachable was reached, or a run was found that is said not to exist: a bug.
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
    },
    /// Those that an exploration has stored. Each contains what time makes of it, and what follows from one lies within one other: for checkers that want that.
    Explored,
}

impl<'a> States<'a> {
    /// As few as possible, for an answer.
    pub fn of(answer: &'a Answer) -> Self {
        States::Few { unneeded: not_looked_at(answer) }
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

/// Whether an answer says, for certain, what a certificate can prove: that something is unreachable, or that it happens on every run.
pub fn is_provable(query: &CompiledQuery, answer: &Answer) -> bool {
    let Some(claim) = Claim::of(&query.question) else { return false };
    matches!(answer.outcome, Outcome::Decided(holds) if holds == claim.answer) && !answer.approximate
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
    /// Whether a certificate can be made for a question, should its answer be one that can be proved.
    ///
    /// # Errors
    /// Why not.
    pub fn certifiable(&self, question: &Question) -> Result<(), NoCertificate> {
        if Claim::of(question).is_none() {
            return Err(NoCertificate::Question);
        }
        obstacle(&self.network).map_or(Ok(()), |construct| Err(NoCertificate::Construct(construct)))
    }

    /// Makes a certificate for a query whose answer can be proved.
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
        let network = &self.network;
        let Some((goals, _)) = query.question.target() else {
            let ranked = ranked_set(network, &query.question, limits, observe);
            return collected(network, &query.text, ranked.ok_or(NoCertificate::Question)?);
        };
        let making = Making { session: self, query, goals, limits, begin: Instant::now() };
        match states {
            // Whether something is deadlocked is not preserved by abstractions.
            _ if goals.iter().any(|goal| goal.deadlock.is_some()) => making.about_deadlocks(observe),
            States::Few { unneeded } => making.smallest(unneeded, observe),
            States::Explored => {
                let explored = inductive_set(network, goals, Widening::Simulation, limits, observe);
                collected(network, &query.text, explored)
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
            return Ok(of_intact(&header, input, Certified::Rejected(Box::new(Rejection::OTHER_MODEL))));
        }
        match self.compile(&header.query) {
            Ok(query) => Ok(self.certify_rest(header, &query, input, limits)),
            Err(error) => match header.look_at_rest(input) {
                Ok(()) => Err(error),
                Err(spoilt) => Ok(Certified::Broken(spoilt)),
            },
        }
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
        let refused = self.certifiable(&query.question).err();
        let Some(claim) = Claim::of(&query.question).filter(|_| refused.is_none()) else {
            let refusal = Certified::Refused(refused.unwrap_or(NoCertificate::Question));
            return of_intact(&header, input, refusal);
        };
        let abstraction = match self.abstraction(&header.hides, claim.unreachable) {
            Ok(abstraction) => abstraction,
            Err(why) => {
                let rejection = Rejection::because(Reason::Hiding(why.to_owned()));
                return of_intact(&header, input, Certified::Rejected(Box::new(rejection)));
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
            let abstraction = abstraction.as_ref();
            let abstraction = abstraction.map(|AbstractNetwork { network, goals, .. }| (network, &**goals));
            let checked = certificate.check(&self.network, claim, abstraction, &mut || go_on(0));
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

/// What is said about a certificate because of its first lines, unless they, or the rest, were changed by accident.
fn of_intact(header: &Header, input: &mut dyn BufRead, verdict: Certified) -> Certified {
    header.look_at_rest(input).map_or_else(Certified::Broken, |()| verdict)
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

    const FEW: States<'_> = States::Few { unneeded: &[] };

    fn written(session: &mut Session, query: &str) -> Vec<u8> {
        let compiled = session.compile(query).unwrap();
        let certificate = session.certificate(&compiled, FEW, &Limits::default(), &mut |_| ()).unwrap();
        let mut bytes = Vec::new();
        certificate.write(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_is_so_is_certified() {
        let mut session = Session::parse("m.xta", MODEL).unwrap();
        let never = ["E<> P.C", "A[] not P.C", "A[] P.A imply x <= 2", "E<> P.C and deadlock"];
        let always = ["A<> P.B", "E[] v < 1", "P.A and v < 3 --> P.B and x == 0", "v == 1 --> v == 2 or P.B"];
        for query in never.into_iter().chain(always) {
            let bytes = written(&mut session, query);
            let certified = session.certify(&mut &*bytes, &Limits::default()).unwrap();
            let Certified::Accepted(certificate) = certified else { panic!("{query}: {certified:?}") };
            assert_eq!(certificate.query, query);
        }
    }

    #[test]
    fn what_is_reachable_is_not() {
        let mut session = Session::parse("m.xta", MODEL).unwrap();
        for query in ["E<> P.B", "A[] not deadlock", "A<> P.C", "E[] v < 4", "P.B --> P.A"] {
            let query = session.compile(query).unwrap();
            let none = session.certificate(&query, FEW, &Limits::default(), &mut |_| ()).unwrap_err();
            assert!(matches!(none, NoCertificate::Reachable), "{none}");
        }
        let bound = session.compile("sup: v").unwrap();
        let none = session.certificate(&bound, FEW, &Limits::default(), &mut |_| ()).unwrap_err();
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
        let states = States::Few { unneeded: &unneeded };
        let small = session.certificate(&query, states, &Limits::default(), &mut |_| ()).unwrap();
        let whole = session.certificate(&query, FEW, &Limits::default(), &mut |_| ()).unwrap();
        assert_eq!((small.states(), small.hides.len()), (4, 3));
        assert_eq!((whole.states(), whole.hides.len()), (8, 0));
        // What cannot be left out is not.
        let too_much = ["Door".to_owned()];
        let states = States::Few { unneeded: &too_much };
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
