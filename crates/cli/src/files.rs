//! Reading and writing files that are not models.

use crate::exit::Exit;
use crate::terminal::print_error;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

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

/// Where a path leads, whatever it is called; also where nothing is there yet.
pub(crate) fn place(path: &Path) -> PathBuf {
    let beside = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(std::fs::canonicalize(folder).ok()?.join(path.file_name()?))
    };
    std::fs::canonicalize(path).ok().or_else(beside).unwrap_or_else(|| path.to_owned())
}

/// Whether a path stands for standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-" || path == Path::new("/dev/stdout")
}

/// Refuses to write over what the command reads: a model is too easily lost to a slip of the fingers.
pub(crate) fn refuse_inputs<'p>(
    outputs: impl IntoIterator<Item = &'p Path>,
    inputs: &[PathBuf],
) -> Result<(), Exit> {
    let inputs: Vec<PathBuf> = inputs.iter().map(|input| place(input)).collect();
    for output in outputs {
        if inputs.contains(&place(output)) {
            print_error(format!("`{}` is read by this command; write to another file", output.display()));
            return Err(Exit::BadInput);
        }
    }
    Ok(())
}

/// Whether [`write`] has a chance later: with hours of work in between, that is worth knowing. Leaves nothing behind.
pub(crate) fn check_writable(path: &Path) -> Result<(), Exit> {
    if path.as_os_str() == "-" || (path.exists() && !path.is_file() && !path.is_dir()) {
        return Ok(());
    }
    let beside = beside(path);
    let result = if path.is_dir() {
        Err(std::io::Error::from(std::io::ErrorKind::IsADirectory))
    } else {
        std::fs::write(&beside, "").and_then(|()| std::fs::remove_file(&beside))
    };
    result.map_err(|error| cannot_write(path, &error))
}

/// A name in the same folder that nobody else uses.
fn beside(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    beside.into()
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Exit {
    print_error(format!("cannot write `{}`: {error}", path.display()));
    Exit::BadInput
}

/// Writes a file as a whole: into a new one beside it first, so that nobody finds half of it. `-` is standard output.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Exit> {
    if path.as_os_str() == "-" {
        crate::terminal::print(text);
        return Ok(());
    }
    write_with(path, |out| out.write_all(text.as_bytes())).map_err(|error| cannot_write(path, &error))
}

/// As [`write`], piece by piece and not to standard output.
pub(crate) fn write_with<T>(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> std::io::Result<T>,
) -> std::io::Result<T> {
    let into = |path: &Path| {
        let mut out = BufWriter::new(std::fs::File::create(path)?);
        let written = content(&mut out)?;
        out.flush()?;
        Ok(written)
    };
    if path.exists() && !path.is_file() {
        // A device or a pipe, such as /dev/stdout, is written to and not replaced.
        return into(path);
    }
    let beside = beside(path);
    let written = into(&beside).and_then(|written| std::fs::rename(&beside, path).map(|()| written));
    written.inspect_err(|_| {
        let _ = std::fs::remove_file(&beside);
    })
}
