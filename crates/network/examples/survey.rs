//! Builds every model under a folder and prints what came of it: `cargo run --example survey -- FOLDER`.

use guidepost_language::load_file;
use guidepost_network::interpreter::{RunEnd, simulate};
use guidepost_network::{build, compile_query};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let mut files = Vec::new();
    for root in std::env::args().skip(1) {
        collect(Path::new(&root), &mut files);
    }
    files.sort();
    for path in files {
        survey(&path);
    }
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            collect(&entry.path(), files);
        }
    } else if path.extension().is_some_and(|e| ["xml", "xta", "ta", "tck"].iter().any(|known| e == *known)) {
        files.push(path.to_owned());
    }
}

fn survey(path: &Path) {
    let loaded = load_file(path);
    if let Some(error) = loaded.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        println!("front {} {} {}", path.display(), error.code, error.message);
        return;
    }
    let start = Instant::now();
    let (network, diagnostics) = build(&loaded.model);
    let built = start.elapsed();
    let Some(mut network) = network else {
        for error in diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).take(3) {
            println!(
                "BUILD {} {} {} at {}",
                path.display(),
                error.code,
                error.message,
                loaded.sources.locate(error.span)
            );
        }
        return;
    };
    for query in &loaded.model.queries {
        if let Err(errors) = compile_query(&mut network, &loaded.model, query) {
            for error in errors.iter().take(1) {
                println!("QUERY {} {} {} in {}", path.display(), error.code, error.message, query.text);
            }
        }
    }
    let start = Instant::now();
    let run = simulate(&network, 1, 50);
    let end = match &run.end {
        RunEnd::Failure(guidepost_network::interpreter::Failure::Evaluation(error)) => {
            error.describe(&network)
        }
        other => format!("{other:?}"),
    };
    println!(
        "ok {} p={} l={} e={} v={} c={} code={} build={built:?} run={:?} steps={} {end}",
        path.display(),
        network.processes.len(),
        network.locations.len(),
        network.edges.len(),
        network.variables.len(),
        network.clocks.len(),
        network.program.len(),
        start.elapsed(),
        run.steps.len(),
    );
}
