//! Finds out which commit is built, for `--version`. Where there is no git, or no repository, the version stands alone.
//!
//! Also lets the linker put the functions side by side that every short check calls. The kernel maps a program in pieces of 64 KiB around whatever is used, so scattered over the program they make two thirds of it resident.

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
    order_functions();
}

/// Passes `functions.order` to the linker, if that is one that takes it. Names that do not exist in this build are passed over: the file need not be up to date, it is only of less use then.
fn order_functions() {
    let order = Path::new(env!("CARGO_MANIFEST_DIR")).join("functions.order");
    println!("cargo::rerun-if-changed={}", order.display());
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    let is_plain = order.to_str().is_some_and(|path| !path.contains(','));
    if is_plain && order.is_file() && links_with_lld().unwrap_or(false) {
        for option in
            [format!("--symbol-ordering-file={}", order.display()), "--no-warn-symbol-ordering".into()]
        {
            println!("cargo::rustc-link-arg-bin=guidepost=-Wl,{option}");
        }
    }
}

/// Whether the linker is the one that the toolchain brings along, LLD, and nobody has asked for another.
fn links_with_lld() -> Option<bool> {
    let target = std::env::var("TARGET").ok()?;
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    if target != "x86_64-unknown-linux-gnu"
        || std::env::var_os("RUSTC_LINKER").is_some()
        || flags.contains("link")
        || flags.contains("-fuse-ld")
    {
        return Some(false);
    }
    let rustc = std::env::var_os("RUSTC")?;
    let sysroot = Command::new(rustc).args(["--print", "sysroot"]).output().ok()?;
    let sysroot = String::from_utf8(sysroot.stdout).ok()?;
    let lld = Path::new(sysroot.trim()).join("lib/rustlib").join(target).join("bin/gcc-ld/ld.lld");
    Some(lld.is_file())
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
