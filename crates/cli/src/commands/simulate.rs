//! `guidepost simulate MODEL`

use crate::args::{MessageFormat, SimulateArgs};
use crate::exit::Exit;
use crate::input;

pub(crate) fn run(args: &SimulateArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let _loaded = input::load(&args.model, messages)?;
    Ok(Exit::Satisfied)
}
