//! `guidepost certify MODEL CERT`

use crate::args::{CertifyArgs, MessageFormat, OutputFormat};
use crate::exit::Exit;
use crate::input;
use crate::limits::{Reading, limits, on_interrupt};
use crate::terminal::{print, print_error, print_json};
use guidepost::certificates::{Certificate, Claim, ReadError};
use guidepost::{Certified, Session};
use guidepost_report::verdict::first_names;
use serde_json::{Value, json};
use std::fs::File;
use std::io::BufReader;
use std::time::Instant;

pub(crate) fn run(args: &CertifyArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let mut limits = limits(args.time_limit, args.memory_limit, None)?;
    limits.interrupt = Some(on_interrupt());
    let reading = Reading::begin(&limits);
    let mut session = input::explorable(&args.model, messages)?;
    drop(reading);
    let file = File::open(&args.certificate).map_err(|error| unreadable(args, &error))?;
    let wanted = args.query.as_ref().map(|query| session.compile(query)).transpose();
    let wanted = wanted.map_err(|error| input::refuse(&error, messages))?.map(|query| query.text);
    let begin = Instant::now();
    let certified = session.certify(&mut BufReader::new(file), &limits);
    let certified = certified.map_err(|error| input::refuse(&error, messages))?;
    let seconds = begin.elapsed().as_secs_f64();
    match certified {
        Certified::Accepted(certificate) => match wanted {
            Some(wanted) if wanted != certificate.query => {
                Ok(rejected(args, &format!("it is about `{}`", certificate.query)))
            }
            _ => Ok(accepted(args, &mut session, &certificate, seconds)),
        },
        Certified::Rejected(rejection) => Ok(rejected(args, &rejection.to_string())),
        Certified::Broken(ReadError::Broken(what)) => Ok(rejected(args, &what)),
        Certified::Broken(error) => Err(unreadable(args, &error)),
        Certified::Refused(reason) => {
            print_error(format!("`{}` cannot be checked: {reason}", args.certificate.display()));
            Err(Exit::BadInput)
        }
        Certified::Stopped(reason) => {
            print_error(format!("the check was not finished: {}", reason.describe()));
            Err(Exit::Undecided)
        }
    }
}

fn unreadable(args: &CertifyArgs, error: &dyn std::fmt::Display) -> Exit {
    print_error(format!("cannot read `{}`: {error}", args.certificate.display()));
    Exit::BadInput
}

fn accepted(args: &CertifyArgs, session: &mut Session, certificate: &Certificate, seconds: f64) -> Exit {
    let query = session.compile(&certificate.query).ok();
    let is_satisfied = query.and_then(|query| Some(Claim::of(&query.question)?.answer)).unwrap_or(false);
    let (states, zones) = (certificate.states(), certificate.zones());
    match args.format {
        OutputFormat::Text => {
            let verdict = if is_satisfied { "satisfied" } else { "NOT satisfied" };
            let hides = match &*certificate.hides {
                [] => String::new(),
                names => format!("  of an abstraction without {}\n", first_names(names)),
            };
            print(&format!(
                "{}\n  The certificate is accepted: the formula is {verdict}.\n  {states} states with {zones} zones checked, {seconds:.3} s\n{hides}",
                certificate.query
            ));
        }
        OutputFormat::Json => {
            let verdict = if is_satisfied { "satisfied" } else { "not satisfied" };
            let mut value = head(args, true);
            value["query"] = json!(certificate.query);
            value["verdict"] = json!(verdict);
            value["states"] = json!(states);
            value["zones"] = json!(zones);
            value["hides"] = json!(certificate.hides);
            value["seconds"] = json!(seconds);
            print_json(&value);
        }
    }
    Exit::Satisfied
}

fn rejected(args: &CertifyArgs, reason: &str) -> Exit {
    match args.format {
        OutputFormat::Text => print(&format!("The certificate is REJECTED: {reason}\n")),
        OutputFormat::Json => {
            let mut value = head(args, false);
            value["reason"] = json!(reason);
            print_json(&value);
        }
    }
    Exit::NotSatisfied
}

fn head(args: &CertifyArgs, accepted: bool) -> Value {
    json!({
        "tool": "guidepost",
        "version": env!("CARGO_PKG_VERSION"),
        "model": args.model.display().to_string(),
        "certificate": args.certificate.display().to_string(),
        "accepted": accepted,
    })
}
