//! The models of the repository build, and their queries compile.

use guidepost_language::load_file;
use std::path::Path;

#[test]
fn every_model_of_the_repository_builds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut built = 0;
    for path in files {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        if !matches!(extension, "xml" | "xta" | "ta" | "tck") {
            continue;
        }
        let loaded = load_file(&path);
        assert!(!loaded.diagnostics.has_errors(), "{}: {:#?}", path.display(), loaded.diagnostics);
        let (network, diagnostics) = guidepost_network::build(&loaded.model);
        assert!(!diagnostics.has_errors(), "{}: {diagnostics:#?}", path.display());
        let network = network.unwrap();
        assert!(!network.processes.is_empty());
        for query in &loaded.model.queries {
            let compiled = guidepost_network::compile_query(&network, &loaded.model, query);
            assert!(compiled.is_ok(), "{}: {}: {:#?}", path.display(), query.text, compiled.err());
        }
        built += 1;
    }
    assert!(built > 5, "the models were found");
}
