//! `guidepost generate FAMILY ARGS [-o OUT]`

use crate::exit::Exit;
use crate::files;
use crate::terminal::{print_error, refuse};
use clap::Args as ClapArgs;
use guidepost_generate::machines::MachineFamily;
use guidepost_generate::{FAMILIES, Family, FamilyError, Generated, Problem};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::source::Fragment;
use guidepost_language::{load_text, parse, write};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Which model, and where to.
#[derive(ClapArgs, Debug)]
#[command(after_help = families())]
pub(crate) struct GenerateArgs {
    /// The family.
    family: String,
    /// Its parameters, see below.
    #[arg(value_name = "ARGS")]
    arguments: Vec<String>,
    /// With the fault that the family is known for (fischer, arbiter).
    #[arg(long)]
    faulty: bool,
    /// The file with the numbers of the problem (job-shop, aircraft-landing).
    #[arg(long, value_name = "FILE")]
    instance: Option<PathBuf>,
    /// How many runways there are (aircraft-landing) [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    runways: Option<u32>,
    /// The file to write: .xta (queries go to a .q file beside it), .xml (queries inside) or .q (only the queries); .sem for state/event machines [default: standard output].
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Overwrite existing files.
    #[arg(long, short)]
    force: bool,
}

/// The families, for the help.
fn families() -> String {
    let mut text = String::from("Families:");
    for usage in FAMILIES {
        let _ = write!(text, "\n  {}\n      {}", usage.words(), usage.summary);
    }
    text
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The model as text; the queries go beside it.
    Text,
    /// Both, in one XML file.
    Xml,
    /// The queries only.
    Queries,
}

pub(crate) fn run(args: &GenerateArgs) -> Result<Exit, Exit> {
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    let words = words(args);
    if let Some(family) = MachineFamily::from_words(&words) {
        return machines(args, output, family.map_err(refuse)?);
    }
    let form = form(output)?;
    let generated = generated(args, &words)?;
    let queries = output.with_extension("q");
    let is_stdout = output.as_os_str() == "-";
    if !is_stdout && !args.force {
        let beside = (form == Form::Text).then_some(queries.as_path());
        if let Some(path) = [Some(output), beside].into_iter().flatten().find(|path| path.is_file()) {
            return Err(refuse(format!("`{}` exists; use --force to overwrite it", path.display())));
        }
    }
    match form {
        Form::Xml => files::write(output, &xml(&generated)?)?,
        Form::Queries => files::write(output, &generated.query_text())?,
        Form::Text if is_stdout => files::write(output, &with_queries(&generated))?,
        Form::Text => {
            files::write(output, &generated.model)?;
            files::write(&queries, &generated.query_text())?;
        }
    }
    Ok(Exit::Satisfied)
}

/// The family and its parameters, as they were typed.
fn words(args: &GenerateArgs) -> Vec<&str> {
    let mut words: Vec<&str> = vec![&args.family];
    words.extend(args.arguments.iter().map(String::as_str));
    if args.faulty {
        words.push("--faulty");
    }
    words
}

/// Writes a system of state/event machines.
fn machines(args: &GenerateArgs, output: &Path, family: MachineFamily) -> Result<Exit, Exit> {
    let option = args.instance.as_ref().map(|_| "--instance").or(args.runways.map(|_| "--runways"));
    if let Some(option) = option {
        return Err(refuse(format!("`{}` does not take `{option}`", args.family)));
    }
    let is_stdout = output.as_os_str() == "-";
    if !is_stdout && !output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sem")) {
        return Err(refuse(format!(
            "`{}` should end in .sem: these are state/event machines",
            output.display()
        )));
    }
    if !is_stdout && !args.force && output.is_file() {
        return Err(refuse(format!("`{}` exists; use --force to overwrite it", output.display())));
    }
    files::write(output, &family.text())?;
    Ok(Exit::Satisfied)
}

/// The model that is asked for.
fn generated(args: &GenerateArgs, words: &[&str]) -> Result<Generated, Exit> {
    let problem = match args.family.as_str() {
        "job-shop" => Some(Problem::JobShop),
        "aircraft-landing" => Some(Problem::AircraftLanding { runways: args.runways.unwrap_or(1) }),
        _ => None,
    };
    let idle = match problem {
        None if args.instance.is_some() => Some("--instance"),
        Some(Problem::AircraftLanding { .. }) => None,
        _ if args.runways.is_some() => Some("--runways"),
        _ => None,
    };
    if let Some(option) = idle {
        return Err(refuse(format!("`{}` does not take `{option}`", args.family)));
    }
    let too_much = args.arguments.first().map(String::as_str).or(args.faulty.then_some("--faulty"));
    if problem.is_some()
        && let Some(word) = too_much
    {
        return Err(refuse(FamilyError::too_much(&args.family, word)));
    }
    if let (Some(problem), Some(path)) = (problem, &args.instance) {
        let text = std::fs::read_to_string(path)
            .map_err(|error| refuse(format!("cannot read `{}`: {error}", path.display())))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        return problem
            .generate(&name, &text)
            .map_err(|error| refuse(format!("{}: {error}", path.display())));
    }
    Family::from_words(words).map(Family::generate).map_err(refuse)
}

fn form(output: &Path) -> Result<Form, Exit> {
    let extension = output.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    match extension.to_ascii_lowercase().as_str() {
        "xta" => Ok(Form::Text),
        "xml" => Ok(Form::Xml),
        "q" => Ok(Form::Queries),
        _ if output.as_os_str() == "-" => Ok(Form::Text),
        _ => Err(refuse(format!(
            "`{}` does not say what is wanted; end it in .xta, .xml (with the queries) or .q (only the queries)",
            output.display()
        ))),
    }
}

/// On standard output there is no second file; the queries follow as comments, so that the whole can still be read as a model.
fn with_queries(generated: &Generated) -> String {
    let mut text = format!("{}\n// Queries:\n", generated.model);
    for line in generated.query_text().lines() {
        let line = line.strip_prefix("// ").unwrap_or(line);
        text.push_str(format!("// {line}").trim_end());
        text.push('\n');
    }
    text
}

/// The model and its queries in one file, with a drawing.
fn xml(generated: &Generated) -> Result<String, Exit> {
    let mut loaded = load_text("generated.xta", &generated.model);
    let mut diagnostics = Diagnostics::default();
    let text = generated.query_text();
    let file = loaded.sources.add("generated.q", text.as_str());
    loaded.document.queries = parse::queries(&Fragment::whole(file, &text), &mut diagnostics);
    write::to_xml(&loaded.document, &loaded.sources).map_err(|_| {
        print_error("this model cannot be written as XML");
        Exit::Internal
    })
}
