//! What the tests of the command share.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a run of the command gave.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}:\n{}", self.stdout))
    }
}

/// Runs the command in the root of the repository.
pub(crate) fn guidepost(args: &[&str]) -> Ran {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_guidepost"))
        .args(args)
        .current_dir(root())
        .output()
        .expect("the command can be started");
    Ran {
        code: output.status.code().expect("the command is not killed"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Runs `guidepost check`.
pub(crate) fn check(args: &[&str]) -> Ran {
    guidepost(&[&["check"], args].concat())
}

/// A folder that is removed again.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("guidepost-test-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a scratch folder can be made");
        Self(path)
    }

    /// The path of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes a file and gives its path.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.join(name), content).expect("a scratch file can be written");
        self.path(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The models of the repository and, where it is present, of the collection beside it, in a fixed order.
pub(crate) fn models() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("models"), root().join("../shared/models")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
            if path.is_dir() {
                folders.push(path);
            } else if matches!(extension, "xml" | "xta" | "ta" | "tck") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 10, "the models of the repository are there");
    found
}
