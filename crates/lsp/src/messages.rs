//! Messages about models, for the editor: the same as `guidepost info` gives, with the same codes, places and hints.

use crate::analysis::Analysis;
use crate::position::Encoding;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use guidepost_language::source::FileId;
use lsp_types::{
    CodeDescription, Diagnostic as Message, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    Location, NumberOrString,
};

/// What is said about a model before its network is built. If these are errors, that is all there is to say.
pub(crate) fn of_text(analysis: &Analysis) -> Diagnostics {
    let loaded = &analysis.loaded;
    let mut all = loaded.diagnostics.clone();
    if !all.has_errors() {
        all.extend(loaded.query_diagnostics.clone());
    }
    all
}

/// What `guidepost info` says about a model: what is wrong with it, what stands in its way, what is wrong with its queries.
pub(crate) fn of_network(analysis: &Analysis) -> Diagnostics {
    if analysis.is_alone() {
        return Diagnostics::default();
    }
    match guidepost::summary(&analysis.loaded) {
        Err(errors) => errors,
        Ok(summary) => {
            let mut all = summary.obstacles.clone();
            all.extend(summary.warnings.clone());
            for query in &summary.queries {
                all.extend(query.problems.clone());
            }
            all.sort();
            all
        }
    }
}

/// The messages about one of the files, for the editor.
pub(crate) fn of_file(
    analysis: &Analysis,
    found: &Diagnostics,
    file: FileId,
    encoding: Encoding,
) -> Vec<Message> {
    let mut all: Vec<&Diagnostic> = found.iter().filter(|message| message.span.file == file).collect();
    if let Some(beside) = analysis.beside.as_ref().filter(|beside| beside.file == file) {
        for message in &beside.diagnostics {
            if message.span.file == file && !all.contains(&message) {
                all.push(message);
            }
        }
    }
    let mut messages: Vec<Message> =
        all.into_iter().map(|message| converted(analysis, message, encoding)).collect();
    if analysis.is_alone() {
        messages.push(no_model(analysis));
    }
    messages
}

fn converted(analysis: &Analysis, message: &Diagnostic, encoding: Encoding) -> Message {
    let severity = match message.severity() {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
    };
    let related = message.related.iter().filter_map(|(span, label)| {
        let uri = analysis.files.get(span.file.0 as usize)?.uri.clone()?;
        let location = Location { uri, range: analysis.range(*span, encoding) };
        Some(DiagnosticRelatedInformation { location, message: label.clone() })
    });
    let related: Vec<_> = related.collect();
    let mut text = message.message.clone();
    if !message.label.is_empty() {
        text.push_str(": ");
        text.push_str(&message.label);
    }
    for hint in &message.hints {
        text.push_str("\nhelp: ");
        text.push_str(hint);
    }
    Message {
        range: analysis.range(message.span, encoding),
        severity: Some(severity),
        code: Some(NumberOrString::String(message.code.id().to_owned())),
        code_description: None::<CodeDescription>,
        source: Some("guidepost".to_owned()),
        message: text,
        related_information: (!related.is_empty()).then_some(related),
        tags: is_unused(message.code).then(|| vec![DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}

/// Editors show in grey what nobody uses.
fn is_unused(code: Code) -> bool {
    matches!(code, Code::UnusedVariable | Code::UnusedTemplate)
}

fn no_model(analysis: &Analysis) -> Message {
    let path = &analysis.files[0].path;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    Message {
        severity: Some(DiagnosticSeverity::INFORMATION),
        source: Some("guidepost".to_owned()),
        message: format!(
            "there is no model `{stem}.xml`, `.xta`, `.ta` or `.tck` beside these queries: their names are not checked"
        ),
        ..Message::default()
    }
}
