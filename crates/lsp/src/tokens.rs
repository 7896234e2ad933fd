//! Colours of names by what they mean. Words, numbers and comments are the grammar's business, which editors have.

use crate::analysis::Analysis;
use crate::names::{Meaning, Sort};
use crate::position::Encoding;
use guidepost_language::check::Target;
use guidepost_language::model::SymbolKind;
use guidepost_language::source::{FileId, Span};
use lsp_types::{SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokensLegend};

/// The kinds of tokens, in the order of their numbers.
const TYPES: [SemanticTokenType; 9] = [
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::TYPE,
    SemanticTokenType::CLASS,
    SemanticTokenType::NAMESPACE,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::EVENT,
    SemanticTokenType::PROPERTY,
];
const DECLARATION: u32 = 1;
const READONLY: u32 = 2;
const BUILT_IN: u32 = 4;

pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: vec![
            SemanticTokenModifier::DECLARATION,
            SemanticTokenModifier::READONLY,
            SemanticTokenModifier::DEFAULT_LIBRARY,
        ],
    }
}

/// The names of a file, each relative to the one before it, as the protocol has it.
pub(crate) fn tokens(analysis: &Analysis, file: FileId, encoding: Encoding) -> Vec<SemanticToken> {
    let text = analysis.text(file);
    let lines = &analysis.part(file).lines;
    let mut tokens = Vec::new();
    // Where the last one begins: its line, its column, its offset; and where it ends.
    let (mut last_line, mut last_column, mut last_start, mut end) = (0, 0, 0, 0);
    for (span, kind, modifiers) in colored(analysis, file) {
        let written = text.get(span.range()).unwrap_or_default();
        // Names that were made up stand for longer texts; a name is on one line, and no two overlap.
        let is_name = !written.is_empty() && !written.contains(|c: char| c.is_whitespace() || c == '<');
        if !is_name || span.start < end {
            continue;
        }
        end = span.end;
        let delta_line = lines.line(span.start) - last_line;
        // Lines may be long: columns are counted from the last name.
        let column = if delta_line == 0 {
            last_column + encoding.width(&text[last_start..span.start as usize])
        } else {
            lines.position(text, span.start, encoding).character
        };
        let delta_start = if delta_line == 0 { column - last_column } else { column };
        (last_line, last_column, last_start) = (last_line + delta_line, column, span.start as usize);
        tokens.push(SemanticToken {
            delta_line,
            delta_start,
            length: encoding.width(written),
            token_type: kind,
            token_modifiers_bitset: modifiers,
        });
    }
    tokens
}

fn colored(analysis: &Analysis, file: FileId) -> Vec<(Span, u32, u32)> {
    let model = &analysis.loaded.model;
    match &analysis.meaning {
        Meaning::Model(index) => {
            let own = index.occurrences().iter().filter(|occurrence| occurrence.span.file == file);
            own.map(|occurrence| match occurrence.target {
                Target::Symbol(id) => {
                    let symbol = model.symbol(id);
                    let is_constant = matches!(symbol.kind, SymbolKind::Constant(_) | SymbolKind::Binder);
                    let is_built_in = symbol.span == Span::default();
                    let modifiers = if symbol.span == occurrence.span { DECLARATION } else { 0 }
                        | if is_constant { READONLY } else { 0 }
                        | if is_built_in { BUILT_IN } else { 0 };
                    (occurrence.span, number(Sort::of_symbol(symbol)), modifiers)
                }
                Target::Field(declared) => {
                    (occurrence.span, number(Sort::Field), u32::from(declared == occurrence.span))
                }
                Target::Branchpoint(declared) => {
                    (occurrence.span, number(Sort::Branchpoint), u32::from(declared == occurrence.span))
                }
            })
            .collect()
        }
        Meaning::Plc(names) => {
            let mentions = names.mentions.iter().map(|&(span, item)| {
                let item = &names.items[item];
                (span, number(Sort::of_item(item.kind)), u32::from(item.span == span))
            });
            mentions.collect()
        }
    }
}

/// The number of a kind among [`TYPES`].
fn number(sort: Sort) -> u32 {
    match sort {
        Sort::Constant | Sort::Variable | Sort::Clock | Sort::Binder => 0,
        Sort::Parameter => 1,
        Sort::Function => 2,
        Sort::Type => 3,
        Sort::Template => 4,
        Sort::Process => 5,
        Sort::Location | Sort::Branchpoint => 6,
        Sort::Channel => 7,
        Sort::Field | Sort::Property => 8,
    }
}
