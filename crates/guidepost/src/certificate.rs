//! Certificates for answers that say that something is unreachable, and their check.

use crate::{ModelError, Session};
use guidepost_answer::{Answer, Deadline, Limits, Outcome, Progress, StopReason};
use guidepost_certificate::{
    Bound, Builder, Certificate, Checked, Difference, Header, Obstacle, ReadError, Rejection, obstacle,
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
    /// There is a goal, or an error of the model, where none should be.
    #[error("{0}")]
    Contradiction(String),
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
    /// It proves the answer.
    Accepted(Box<Certificate>),
    /// It proves nothing.
    Rejected(Box<Rejection>),
    /// Its file is broken.
    Broken(ReadError),
    /// The query is none that a certificate can be about.
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
    /// Whether a certificate can be made for a query, should what it asks for be unreachable.
    ///
    /// # Errors
    /// Why not.
    pub fn certifiable(&self, question: &Question) -> Result<(), NoCertificate> {
        if question.target().is_none() {
            return Err(NoCertificate::Question);
        }
        obstacle(&self.network).map_or(Ok(()), |construct| Err(NoCertificate::Construct(construct)))
    }

    /// Makes a certificate for a query whose goal is unreachable.
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
        let explored = inductive_set(network, &query.question, limits, observe);
        let contradiction = |what: String| Err(NoCertificate::Contradiction(what));
        let mut set = match explored.ok_or(NoCertificate::Question)? {
            Ok(Induction::Closed(set)) => set,
            Ok(Induction::Reached) => {
                return contradiction("what the query asks for is reachable".to_owned());
            }
            Ok(Induction::Failed(failure)) => return contradiction(failure.error.describe(network)),
            Ok(Induction::Stopped(reason)) => return Err(NoCertificate::Stopped(reason)),
            Err(reason) => return contradiction(reason.to_string()),
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

    /// Reads a certificate and checks it.
    ///
    /// # Errors
    /// When its query cannot be asked of this model.
    pub fn certify(&mut self, input: &mut dyn BufRead, limits: &Limits) -> Result<Certified, ModelError> {
        let header = match Header::read(input) {
            Ok(header) => header,
            Err(error) => return Ok(Certified::Broken(error)),
        };
        // Of another model even the query may make no sense.
        if header.fingerprint != guidepost_certificate::fingerprint(&self.network) {
            return Ok(Certified::Rejected(Box::new(Rejection::OTHER_MODEL)));
        }
        let query = self.compile(&header.query)?;
        if let Err(refusal) = self.certifiable(&query.question) {
            return Ok(Certified::Refused(refusal));
        }
        let begin = Instant::now();
        let mut stop = None;
        let moment = limits.time.and_then(|time| begin.checked_add(time));
        let mut deadline = Deadline::new(moment, limits.interrupt.clone());
        let mut go_on = |bytes: usize| {
            if limits.memory.is_some_and(|limit| bytes > limit) {
                stop = Some(StopReason::Memory);
            } else if deadline.is_due(10) {
                let interrupted = deadline.is_interrupted();
                stop = Some(if interrupted { StopReason::Interrupt } else { StopReason::Time });
            }
            stop.is_none()
        };
        let certificate = match Certificate::read(header, &self.network, input, &mut go_on) {
            Ok(certificate) => certificate,
            Err(ReadError::Stopped) => return Ok(Certified::Stopped(stop.unwrap_or(StopReason::Interrupt))),
            Err(error) => return Ok(Certified::Broken(error)),
        };
        let checked = check(self, &certificate, &query, &mut || go_on(0));
        Ok(match checked {
            Checked::Accepted => Certified::Accepted(Box::new(certificate)),
            Checked::Rejected(rejection) => Certified::Rejected(rejection),
            Checked::Stopped => Certified::Stopped(stop.unwrap_or(StopReason::Interrupt)),
        })
    }
}

/// Checks a certificate of a query that asks about reachability.
fn check(
    session: &Session,
    certificate: &Certificate,
    query: &CompiledQuery,
    go_on: &mut dyn FnMut() -> bool,
) -> Checked {
    let goals = query.question.target().map_or(&[][..], |(goals, _)| goals);
    certificate.check(&session.network, goals, go_on)
}
