//! `guidepost info MODEL`

use crate::args::{InfoArgs, MessageFormat, OutputFormat};
use crate::exit::Exit;
use crate::input;
use crate::terminal::print_json;
use serde_json::json;

pub(crate) fn run(args: &InfoArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let loaded = input::load(&args.model, messages)?;
    if args.format == OutputFormat::Json {
        print_json(&json!({"tool": "guidepost", "templates": loaded.model.templates.len()}));
    }
    Ok(Exit::Satisfied)
}
