//! Finds out which commit is built, for `--version`. Where there is no git, or no repository, the version stands alone.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=GUIDEPOST_COMMIT");
    let version = env!("CARGO_PKG_VERSION");
    let commit = std::env::var("GUIDEPOST_COMMIT").ok().filter(|commit| !commit.is_empty()).or_else(commit);
    match commit {
        Some(commit) => println!("cargo::rustc-env=GUIDEPOST_VERSION={version} ({commit})"),
        None => println!("cargo::rustc-env=GUIDEPOST_VERSION={version}"),
    }
}

/// The commit, short. It is looked up again when another one is checked out, and at no other time.
fn commit() -> Option<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let git = |args: &[&str]| -> Option<String> {
        let output = Command::new("git").args(args).current_dir(here).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && !text.is_empty()).then_some(text)
    };
    // A copy of these files inside another repository is not a commit of that one.
    let root = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?);
    if root.canonicalize().ok()? != here.join("../..").canonicalize().ok()? {
        return None;
    }
    for path in ["HEAD", "packed-refs"].into_iter().map(str::to_owned).chain(git(&["symbolic-ref", "HEAD"])) {
        // Cargo builds again and again for a file that is not there.
        let file = git(&["rev-parse", "--path-format=absolute", "--git-path", &path])?;
        if Path::new(&file).is_file() {
            println!("cargo::rerun-if-changed={file}");
        }
    }
    git(&["rev-parse", "--short=10", "HEAD"])
}
