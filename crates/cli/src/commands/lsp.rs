//! `guidepost lsp`

use crate::exit::Exit;
use crate::terminal::refuse;
use std::io::IsTerminal;

pub(crate) fn run() -> Result<Exit, Exit> {
    if std::io::stdin().is_terminal() {
        return Err(refuse("`guidepost lsp` is started by an editor, which talks to it; see docs/editor.md"));
    }
    guidepost_lsp::serve_stdio().map_err(|failure| refuse(failure.to_string()))?;
    Ok(Exit::Satisfied)
}
