//! Certificates of the answers of a check.

use crate::args::{CertificateFormat, CheckArgs};
use crate::exit::Exit;
use crate::files;
use crate::input;
use crate::terminal::print_error;
use guidepost::certificates::{Certificate, Munta};
use guidepost::{Certified, Inquiry, NoCertificate, Session, States, is_provable};
use guidepost_answer::{Answer, Certification, CompiledQuery, InternalError, Limits, StopReason};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Makes certificates of answers before they are shown, where the arguments ask for that.
pub(crate) struct Certifier<'a> {
    /// Where they are written, if they are.
    file: Option<&'a Path>,
    format: CertificateFormat,
    /// Whether they are checked.
    is_checked: bool,
    /// Whether numbers tell their files apart.
    several: bool,
    session: &'a Session,
    limits: Limits,
    /// Why some could not be made or written, and what that means for the command.
    troubles: Vec<(String, Exit)>,
    written: bool,
}

/// What Munta reads beside the certificate: the model, and the numbers of its names.
const MUNTA_EXTENSIONS: [&str; 2] = ["muntax", "renaming"];

impl<'a> Certifier<'a> {
    /// For the answers to some queries; ends the command if none of them can have a certificate.
    pub(crate) fn new(
        args: &'a CheckArgs,
        session: &'a Session,
        inquiry: &Inquiry,
        limits: &Limits,
    ) -> Result<Self, Exit> {
        let several = inquiry.entries.len() > 1;
        let certifier = Self {
            file: args.certificate.as_deref(),
            format: args.certificate_format,
            is_checked: args.certified,
            several,
            session,
            limits: limits.clone(),
            troubles: Vec::new(),
            written: false,
        };
        if certifier.is_asked_for() {
            certifier.refuse_others(inquiry)?;
            certifier.refuse_files(args, inquiry)?;
        }
        Ok(certifier)
    }

    fn is_asked_for(&self) -> bool {
        self.file.is_some() || self.is_checked
    }

    /// Whether a query can have a certificate.
    fn accepts(&self, query: &CompiledQuery) -> Result<(), String> {
        self.session.certifiable(&query.question).map_err(|refusal| refusal.to_string())?;
        if self.format == CertificateFormat::Munta {
            self.munta(query)?;
        }
        Ok(())
    }

    /// The model in Munta's language.
    fn munta(&self, query: &CompiledQuery) -> Result<Munta, String> {
        let Some((goals, _)) = query.question.target() else {
            return Err("Munta's certificates are for `E<>` and `A[]` only".to_owned());
        };
        let munta = Munta::new(self.session.network(), goals);
        munta.map_err(|construct| format!("Munta's language does not have {construct}"))
    }

    /// Names the queries that cannot have a certificate. If there are no others, nobody gets what was asked for.
    fn refuse_others(&self, inquiry: &Inquiry) -> Result<(), Exit> {
        let mut refusals = Vec::new();
        for (number, query) in inquiry.numbers().into_iter().zip(&inquiry.compiled) {
            if let Err(refusal) = self.accepts(query) {
                refusals.push((number, query, refusal));
            }
        }
        match refusals.first() {
            Some((_, query, refusal)) if refusals.len() == inquiry.compiled.len() => {
                print_error(format!("there is no certificate for `{}`: {refusal}", query.text));
                Err(Exit::BadInput)
            }
            _ => {
                for (number, _, refusal) in refusals {
                    anstream::eprintln!("note: no certificate for query {number}: {refusal}");
                }
                Ok(())
            }
        }
    }

    /// Files that get a number or another extension must not be what is read or written elsewhere either.
    fn refuse_files(&self, args: &CheckArgs, inquiry: &Inquiry) -> Result<(), Exit> {
        let paths: Vec<PathBuf> =
            inquiry.numbers().into_iter().flat_map(|number| self.paths(number)).collect();
        let mut taken = input::files(&args.model);
        taken.extend(args.queries.clone());
        files::refuse_inputs(paths.iter().map(|path| &**path), &taken)?;
        let others: Vec<PathBuf> =
            [&args.trace_file, &args.report].into_iter().flatten().map(|path| files::place(path)).collect();
        match paths.iter().find(|path| others.contains(&files::place(path))) {
            Some(path) => {
                let path = path.display();
                print_error(format!("`{path}` cannot be a certificate and another file at once"));
                Err(Exit::BadInput)
            }
            None => Ok(()),
        }
    }

    /// The files of the certificate for a query; the certificate itself comes first.
    fn paths(&self, number: usize) -> Vec<PathBuf> {
        let Some(path) = self.file else { return Vec::new() };
        let path = if self.several { numbered(path, number) } else { path.to_owned() };
        match self.format {
            CertificateFormat::Guidepost => vec![path],
            CertificateFormat::Munta => {
                let beside = MUNTA_EXTENSIONS.map(|extension| path.with_extension(extension));
                std::iter::once(path).chain(beside).collect()
            }
        }
    }

    /// Adds a certificate to an answer that can be proved by one. One that should be certified and cannot be is no answer.
    pub(crate) fn complete(&mut self, number: usize, query: &CompiledQuery, answer: &mut Answer) {
        let is_wanted = self.is_asked_for() && self.accepts(query).is_ok();
        if !is_wanted || !is_provable(query, answer) {
            return;
        }
        let states = match self.format {
            CertificateFormat::Guidepost => States::of(answer),
            CertificateFormat::Munta => States::Explored,
        };
        match self.session.certificate(query, states, &self.limits, &mut |_| ()) {
            Ok(certificate) => self.hand_over(number, query, &certificate, answer),
            Err(NoCertificate::Stopped(reason)) if self.is_checked => answer.remain_uncertified(reason),
            Err(NoCertificate::Reachable) => {
                answer.internal = Some(InternalError::NoCertificate(NoCertificate::Reachable.to_string()));
            }
            Err(reason) => {
                let exit = match reason {
                    NoCertificate::Stopped(_) => Exit::Undecided,
                    _ => Exit::BadInput,
                };
                if self.is_checked {
                    answer.remain_uncertified(StopReason::Incomplete);
                }
                self.troubles.push((format!("there is no certificate for `{}`: {reason}", query.text), exit));
            }
        }
    }

    fn hand_over(
        &mut self,
        number: usize,
        query: &CompiledQuery,
        certificate: &Certificate,
        answer: &mut Answer,
    ) {
        let path = self.paths(number).into_iter().next();
        let mut text = Vec::new();
        let written = match &path {
            Some(path) if self.format == CertificateFormat::Munta => {
                self.write_munta(path, query, certificate)
            }
            Some(path) => files::write_with(path, |out| certificate.write(out)),
            None => certificate.write(&mut text),
        };
        let bytes = match (written, &path) {
            (Ok(bytes), _) => bytes,
            (Err(error), path) => {
                let name = path.as_ref().map_or_else(String::new, |path| path.display().to_string());
                self.troubles.push((format!("cannot write `{name}`: {error}"), Exit::BadInput));
                return;
            }
        };
        self.written |= path.is_some();
        let (states, zones) = (certificate.states(), certificate.zones());
        // What another checker reads is not checked here, but the same set is.
        let is_foreign = self.format == CertificateFormat::Munta;
        if self.is_checked && is_foreign {
            let _ = certificate.write(&mut text);
        }
        let own = path.as_deref().filter(|_| !is_foreign);
        if self.is_checked && !self.check(query, own, &text, answer) {
            return;
        }
        let file = path.map(|path| path.display().to_string());
        let (hides, checked) = (certificate.hides.clone(), self.is_checked);
        answer.certificate = Some(Certification { file, states, zones, bytes, hides, checked });
    }

    /// Writes the three files that Munta reads: the certificate, and beside it the model and the numbers of its names.
    fn write_munta(
        &self,
        path: &Path,
        query: &CompiledQuery,
        certificate: &Certificate,
    ) -> std::io::Result<u64> {
        let munta = self.munta(query).map_err(std::io::Error::other)?;
        for (extension, text) in MUNTA_EXTENSIONS.into_iter().zip([&munta.model, &munta.renaming]) {
            files::write_with(&path.with_extension(extension), |out| out.write_all(text.as_bytes()))?;
        }
        files::write_with(path, |out| certificate.write_munta(self.session.network(), out))
    }

    /// Checks a certificate as it was written; says whether it is accepted.
    fn check(
        &mut self,
        query: &CompiledQuery,
        path: Option<&Path>,
        text: &[u8],
        answer: &mut Answer,
    ) -> bool {
        let certified = match path.map(File::open) {
            None => self.session.certify_for(query, &mut &*text, &self.limits),
            Some(Ok(file)) => self.session.certify_for(query, &mut BufReader::new(file), &self.limits),
            Some(Err(error)) => Certified::Broken(error.into()),
        };
        match certified {
            Certified::Accepted(_) => return true,
            Certified::Stopped(reason) => answer.remain_uncertified(reason),
            Certified::Rejected(reason) => {
                answer.internal = Some(InternalError::Certificate(reason.to_string()));
            }
            Certified::Broken(reason) => {
                answer.internal = Some(InternalError::Certificate(reason.to_string()));
            }
            Certified::Refused(reason) => {
                answer.internal = Some(InternalError::Certificate(reason.to_string()));
            }
        }
        false
    }

    /// Says what went wrong, after the answers have been given.
    pub(crate) fn finish(&self) -> Exit {
        for (message, _) in &self.troubles {
            print_error(message);
        }
        if let Some(path) = self.file
            && !self.written
            && self.troubles.is_empty()
        {
            anstream::eprintln!(
                "note: no answer says that something is unreachable, or happens on every run; `{}` is not written",
                path.display()
            );
        }
        self.troubles.iter().map(|(_, exit)| *exit).max().unwrap_or(Exit::Satisfied)
    }
}

/// `fischer-2.cert` for the second query and `fischer.cert`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
