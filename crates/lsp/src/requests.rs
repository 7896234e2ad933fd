//! Requests that are answered at once, each from what is known about a text.

use crate::analysis::Analysis;
use crate::position::Encoding;
use crate::server::Server;
use crate::texts::Language;
use crate::uri::path_of;
use crate::{completion, folding, hover, lens, rename, symbols, tokens};
use guidepost_language::source::{FileId, Span};
use lsp_server::{ErrorCode, Request};
use lsp_types::request::{
    CodeLensRequest, Completion, DocumentHighlightRequest, DocumentSymbolRequest, FoldingRangeRequest,
    Formatting, GotoDefinition, HoverRequest, PrepareRenameRequest, References, Rename, Request as _,
    SemanticTokensFullRequest,
};
use lsp_types::{
    CompletionResponse, DocumentHighlight, DocumentSymbolResponse, Hover, HoverContents, Location,
    MarkupContent, MarkupKind, Position, PrepareRenameResponse, SemanticTokens, SemanticTokensResult,
    TextEdit, Uri, WorkspaceEdit,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

impl Server {
    /// The answer to a request: one about a place, or else about a whole text.
    pub(crate) fn reply(&mut self, request: Request) -> Result<Value, Refusal> {
        let encoding = self.encoding;
        match request.method.as_str() {
            HoverRequest::METHOD => {
                let params = params::<HoverRequest>(request)?;
                let place = params.text_document_position_params;
                self.at(&place.text_document.uri, place.position, |analysis, file, offset| {
                    let (span, definition) = analysis.name_at(file, offset)?;
                    let value = hover::hover(analysis, definition);
                    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
                    Some(Hover { contents, range: Some(analysis.range(span, encoding)) })
                })
            }
            GotoDefinition::METHOD => {
                let params = params::<GotoDefinition>(request)?;
                let place = params.text_document_position_params;
                self.at(&place.text_document.uri, place.position, |analysis, file, offset| {
                    let (_, definition) = analysis.name_at(file, offset)?;
                    location(analysis, analysis.declared(definition)?, encoding)
                })
            }
            References::METHOD => {
                let params = params::<References>(request)?;
                let (place, declaration) =
                    (params.text_document_position, params.context.include_declaration);
                self.at(&place.text_document.uri, place.position, |analysis, file, offset| {
                    let (_, definition) = analysis.name_at(file, offset)?;
                    let declared = analysis.declared(definition);
                    let places = analysis.places(definition).into_iter();
                    let wanted = places.filter(|span| declaration || Some(*span) != declared);
                    Some(wanted.filter_map(|span| location(analysis, span, encoding)).collect::<Vec<_>>())
                })
            }
            DocumentHighlightRequest::METHOD => {
                let params = params::<DocumentHighlightRequest>(request)?;
                let place = params.text_document_position_params;
                self.at(&place.text_document.uri, place.position, |analysis, file, offset| {
                    let (_, definition) = analysis.name_at(file, offset)?;
                    let places = analysis.places(definition).into_iter().filter(|span| span.file == file);
                    let highlight =
                        |span| DocumentHighlight { range: analysis.range(span, encoding), kind: None };
                    Some(places.map(highlight).collect::<Vec<_>>())
                })
            }
            Completion::METHOD => {
                let params = params::<Completion>(request)?;
                let place = params.text_document_position;
                self.at(&place.text_document.uri, place.position, |analysis, file, offset| {
                    Some(CompletionResponse::Array(completion::completions(analysis, file, offset)))
                })
            }
            PrepareRenameRequest::METHOD => {
                let place = params::<PrepareRenameRequest>(request)?;
                let (analysis, file) = self.analysis(&place.text_document.uri)?;
                let offset = analysis.offset(file, place.position, encoding);
                let (span, _) = rename::prepare(&analysis, file, offset).map_err(Refusal::failed)?;
                let placeholder = analysis.loaded.sources.text(span).to_owned();
                let range = analysis.range(span, encoding);
                value(&PrepareRenameResponse::RangeWithPlaceholder { range, placeholder })
            }
            Rename::METHOD => {
                let params = params::<Rename>(request)?;
                let place = params.text_document_position;
                let (analysis, file) = self.analysis(&place.text_document.uri)?;
                let offset = analysis.offset(file, place.position, encoding);
                let places =
                    rename::rename(&analysis, file, offset, &params.new_name).map_err(Refusal::failed)?;
                value(&edits(&analysis, &places, &params.new_name, encoding))
            }
            _ => self.reply_about_text(request),
        }
    }

    /// The answer to a request about a whole text.
    fn reply_about_text(&mut self, request: Request) -> Result<Value, Refusal> {
        let encoding = self.encoding;
        match request.method.as_str() {
            DocumentSymbolRequest::METHOD => {
                let params = params::<DocumentSymbolRequest>(request)?;
                self.about(&params.text_document.uri, |analysis, file, _| {
                    Some(DocumentSymbolResponse::Nested(symbols::outline(analysis, file, encoding)))
                })
            }
            SemanticTokensFullRequest::METHOD => {
                let params = params::<SemanticTokensFullRequest>(request)?;
                self.about(&params.text_document.uri, |analysis, file, _| {
                    let data = tokens::tokens(analysis, file, encoding);
                    Some(SemanticTokensResult::Tokens(SemanticTokens { result_id: None, data }))
                })
            }
            FoldingRangeRequest::METHOD => {
                let params = params::<FoldingRangeRequest>(request)?;
                self.about(&params.text_document.uri, |analysis, file, _| {
                    Some(folding::foldings(analysis, file))
                })
            }
            CodeLensRequest::METHOD => {
                let params = params::<CodeLensRequest>(request)?;
                self.about(&params.text_document.uri, |analysis, file, uri| {
                    Some(lens::lenses(analysis, file, uri, encoding))
                })
            }
            Formatting::METHOD => {
                let params = params::<Formatting>(request)?;
                self.formatting(&params.text_document.uri)
            }
            method => Err(Refusal {
                code: ErrorCode::MethodNotFound,
                reason: format!("`{method}` is not supported"),
            }),
        }
    }

    /// What is known about a text that is open.
    pub(crate) fn analysis(&mut self, uri: &Uri) -> Result<(Arc<Analysis>, FileId), Refusal> {
        let path = path_of(uri);
        let known = self.analyses.get(&path, &self.texts);
        let found = known.and_then(|analysis| analysis.file(&path).map(|file| (analysis, file)));
        found.ok_or_else(|| {
            Refusal::failed(format!("`{}` is not open, or in no language that is known here", uri.as_str()))
        })
    }

    /// Answers a request about a whole text; nothing is known about one that is not open.
    fn about<T: Serialize>(
        &mut self,
        uri: &Uri,
        reply: impl FnOnce(&Analysis, FileId, &Uri) -> Option<T>,
    ) -> Result<Value, Refusal> {
        match self.analysis(uri) {
            Ok((analysis, file)) => value(&reply(&analysis, file, uri)),
            Err(_) => Ok(Value::Null),
        }
    }

    /// Answers a request about a place.
    fn at<T: Serialize>(
        &mut self,
        uri: &Uri,
        position: Position,
        reply: impl FnOnce(&Analysis, FileId, u32) -> Option<T>,
    ) -> Result<Value, Refusal> {
        let encoding = self.encoding;
        self.about(uri, |analysis, file, _| reply(analysis, file, analysis.offset(file, position, encoding)))
    }

    /// The text, tidied up, as one edit; none if it is tidy or has to be left alone.
    fn formatting(&self, uri: &Uri) -> Result<Value, Refusal> {
        let Some(open) = self.texts.get(&path_of(uri)).filter(|open| open.language == Language::Text) else {
            return Err(Refusal::failed("only .xta and .ta files are tidied up".to_owned()));
        };
        let Some(tidied) = guidepost_language::tidy::tidy(&open.text) else {
            return Err(Refusal::failed(
                "the text has parts that cannot be told apart; see its messages".to_owned(),
            ));
        };
        if tidied == *open.text {
            return value(&Vec::<TextEdit>::new());
        }
        let range = open.lines.range(&open.text, 0..open.text.len() as u32, self.encoding);
        value(&vec![TextEdit { range, new_text: tidied }])
    }
}

/// Why a request is not answered.
pub(crate) struct Refusal {
    pub(crate) code: ErrorCode,
    pub(crate) reason: String,
}

impl Refusal {
    fn failed(reason: String) -> Self {
        Self { code: ErrorCode::RequestFailed, reason }
    }
}

fn params<R: lsp_types::request::Request>(request: Request) -> Result<R::Params, Refusal>
where
    R::Params: DeserializeOwned,
{
    let parsed = serde_json::from_value(request.params);
    parsed.map_err(|error| Refusal { code: ErrorCode::InvalidParams, reason: error.to_string() })
}

fn value(answer: &impl Serialize) -> Result<Value, Refusal> {
    let written = serde_json::to_value(answer);
    written.map_err(|error| Refusal { code: ErrorCode::InternalError, reason: error.to_string() })
}

fn location(analysis: &Analysis, span: Span, encoding: Encoding) -> Option<Location> {
    let uri = analysis.part(span.file).uri.clone()?;
    Some(Location { uri, range: analysis.range(span, encoding) })
}

/// The edits that give places a new text.
#[expect(clippy::mutable_key_type, reason = "the protocol's type has URIs as keys, which do not change")]
fn edits(analysis: &Analysis, places: &[Span], text: &str, encoding: Encoding) -> WorkspaceEdit {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for &place in places {
        if let Some(Location { uri, range }) = location(analysis, place, encoding) {
            changes.entry(uri).or_default().push(TextEdit { range, new_text: text.to_owned() });
        }
    }
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}
