//! Certificates for answers that say that something is unreachable, and their check.

use crate::{ModelError, Session};
use guidepost_answer::{Answer, Deadline, Limits, Outcome, Progress, StopReason};
use guidepost_certificate::{
    Bound, Builder, Certificate, Checked, Difference, Header, Obstacle, ReadError, Rejection, fingerprint,
    obstacle,
};
use guidepost_network::{CompiledQuery, Question};
use guidepost_search::{Induction, inductive_set};
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
        limits: &Limits,
        observe: &mut (dyn FnMut(&Progress) + Send),
    ) -> Result<Certificate, NoCertificate> {
        self.certifiable(&query.question)?;
        let network = &self.network;
        let explored = inductive_set(network, query, limits, observe);
        let mut set = match explored.ok_or(NoCertificate::Question)? {
            Ok(Induction::Closed(set)) => set,
            Ok(Induction::Reached) => return Err(NoCertificate::Reachable),
            Ok(Induction::Failed(failure)) => {
                return Err(NoCertificate::Failed(failure.error.describe(network)));
            }
            Ok(Induction::Stopped(reason)) => return Err(NoCertificate::Stopped(reason)),
            Err(reason) => return Err(NoCertificate::Failed(reason.to_string())),
        };
        let mut builder = Builder::new(network);
        let mut zone = Vec::new();
        set.visit(&mut |cells, bounds| {
            zone.clear();
            zone.extend(bounds.iter().map(|&(left, right, constant, strict)| Difference {
                left,
                right,
                bound: Bound::new(constant.into(), strict),
            }));
            builder.add(cells, &zone);
        });
        drop(set);
        Ok(builder.finish(network, &query.text))
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
        let checked = Certificate::read(header, &self.network, input, &mut go_on).map(|certificate| {
            let checked = certificate.check(&self.network, goals, &mut || go_on(0));
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

    fn written(session: &mut Session, query: &str) -> Vec<u8> {
        let compiled = session.compile(query).unwrap();
        let certificate = session.certificate(&compiled, &Limits::default(), &mut |_| ()).unwrap();
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
            let none = session.certificate(&query, &Limits::default(), &mut |_| ()).unwrap_err();
            assert!(matches!(none, NoCertificate::Reachable), "{none}");
        }
        let liveness = session.compile("A<> P.B").unwrap();
        let none = session.certificate(&liveness, &Limits::default(), &mut |_| ()).unwrap_err();
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
}
