//! Reading and writing files that are not models.

use crate::exit::Exit;
use crate::terminal::print_error;
use std::path::Path;

/// Reads a text; what cannot be read ends the command.
pub(crate) fn read(path: &Path) -> Result<String, Exit> {
    let bytes = std::fs::read(path).map_err(|error| {
        print_error(format!("cannot read `{}`: {error}", path.display()));
        Exit::BadInput
    })?;
    String::from_utf8(bytes).map_err(|_| {
        print_error(format!("`{}` is not a text file", path.display()));
        Exit::BadInput
    })
}

/// Writes a file as a whole: into a new one beside it first, so that nobody finds half of it. `-` is standard output.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Exit> {
    if path.as_os_str() == "-" {
        crate::terminal::print(text);
        return Ok(());
    }
    let result = if path.exists() && !path.is_file() {
        // A device or a pipe, such as /dev/stdout, is written to and not replaced.
        std::fs::write(path, text)
    } else {
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{}.part", std::process::id()));
        std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path)).inspect_err(|_| {
            let _ = std::fs::remove_file(&beside);
        })
    };
    result.map_err(|error| {
        print_error(format!("cannot write `{}`: {error}", path.display()));
        Exit::BadInput
    })
}
