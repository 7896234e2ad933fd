//! `guidepost draw MODEL OUT.svg|OUT.tex`

use crate::args::{DrawArgs, DrawFormat, MessageFormat};
use crate::exit::Exit;
use crate::terminal::{print_diagnostics, print_error};
use crate::{files, input};
use guidepost_language::Loaded;
use guidepost_report::drawing::{Figure, Sheet};

pub(crate) fn run(args: &DrawArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let format = format_of(args)?;
    files::refuse_inputs([args.output.as_path()], &input::files(&args.model))?;
    let loaded = input::load(&args.model, messages)?;
    let portraits = &loaded.model.wording.portraits;
    let is_told = !portraits.is_empty() && !args.names.translation;
    let mut figures: Vec<Figure> = if is_told {
        let templates = loaded.document.templates.iter().enumerate();
        templates
            .filter_map(|(at, template)| Some(Figure::of_portrait(&template.name.name, portraits.get(&at)?)))
            .collect()
    } else {
        loaded.document.templates.iter().map(|template| Figure::of(template, &loaded)).collect()
    };
    // A controller is a process and a template of its own.
    if args.instances && !is_told {
        figures = instances(&loaded, &figures, messages)?;
    }
    if let Some(wanted) = &args.only {
        figures.retain(|figure| figure.title.contains(wanted.as_str()));
        if figures.is_empty() {
            print_error(format!("nothing is called `{wanted}`"));
            return Err(Exit::BadInput);
        }
    }
    let sheet = Sheet { figures };
    let text = match format {
        DrawFormat::Svg => sheet.svg(),
        DrawFormat::Tikz => sheet.tikz(),
    };
    files::write(&args.output, &text)?;
    Ok(Exit::Satisfied)
}

/// The format asked for, or else the one that the output's extension names.
fn format_of(args: &DrawArgs) -> Result<DrawFormat, Exit> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    let extension = args.output.extension().and_then(|extension| extension.to_str()).unwrap_or("svg");
    match extension.to_ascii_lowercase().as_str() {
        "svg" => Ok(DrawFormat::Svg),
        "tex" | "tikz" => Ok(DrawFormat::Tikz),
        other => {
            print_error(format!(
                "`draw` writes SVG and LaTeX, not `.{other}`; call the file `….svg` or `….tex`, and let another program convert it"
            ));
            Err(Exit::BadInput)
        }
    }
}

/// One figure per process, under its name.
fn instances(loaded: &Loaded, templates: &[Figure], messages: MessageFormat) -> Result<Vec<Figure>, Exit> {
    let (network, diagnostics) = guidepost_network::build(&loaded.model);
    let Some(network) = network else {
        print_diagnostics(&diagnostics, &loaded.sources, messages);
        return Err(Exit::BadInput);
    };
    let figure = |process: &guidepost_network::Process| {
        let figure = templates[process.template as usize].clone();
        Figure { title: process.name.clone(), ..figure }
    };
    Ok(network.processes.iter().map(figure).collect())
}
