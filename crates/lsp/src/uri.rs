//! URIs of files, and the paths behind them.

use lsp_types::Uri;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The path behind a URI. What is no file (`untitled:…`) gets its whole URI as a name, so that it can be told apart.
pub(crate) fn path_of(uri: &Uri) -> PathBuf {
    let text = uri.as_str();
    let Some(rest) = text.strip_prefix("file://") else { return PathBuf::from(text) };
    // Behind the name of a host, which is empty.
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    let path = decoded(path);
    // `/c:/models` on Windows.
    let is_drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    PathBuf::from(if is_drive { path[1..].to_owned() } else { path })
}

/// The URI of a file.
pub(crate) fn uri_of(path: &Path) -> Option<Uri> {
    let text = path.to_str()?.replace('\\', "/");
    let mut uri = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b':' => {
                uri.push(char::from(byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    Uri::from_str(&uri).ok()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let code = (first == b'%').then(|| behind.get(..2)).flatten();
        let code = code.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive() {
        for path in ["/a/b c/ä.xta", "/tmp/100%.xml", "/x/a#b?.q"] {
            let uri = uri_of(Path::new(path)).unwrap();
            assert_eq!(path_of(&uri), Path::new(path), "{}", uri.as_str());
        }
        assert_eq!(path_of(&Uri::from_str("untitled:Untitled-1").unwrap()), Path::new("untitled:Untitled-1"));
        assert_eq!(
            path_of(&Uri::from_str("file:///a%2").unwrap_or_else(|_| Uri::from_str("file:///a").unwrap()))
                .parent(),
            Some(Path::new("/"))
        );
    }
}
