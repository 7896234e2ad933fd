//! The loop: messages in, messages out.
//!
//! Requests are answered at once, from the texts as they are at that moment. Edits are taken as they come, and looked at when no more are waiting: what
//! the front end finds wrong is published immediately, and what only the network shows as soon as it is built. Should that take long, what is known is
//! published before.

use crate::analysis::{Analyses, Analysis, model_of};
use crate::position::Encoding;
use crate::texts::Texts;
use crate::uri::{path_of, uri_of};
use crate::work::{self, Check, Checked, Done, Workers};
use crate::{lens, messages, tokens};
use crossbeam_channel::{Sender, TryRecvError, select};
use guidepost_answer::Verdict;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::source::FileId;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument,
    DidSaveTextDocument, Notification as _, PublishDiagnostics, ShowMessage,
};
use lsp_types::request::{ExecuteCommand, Request as _, ShowDocument};
use lsp_types::{
    CancelParams, CodeLensOptions, CompletionOptions, Diagnostic, DiagnosticSeverity, ExecuteCommandOptions,
    FoldingRangeProviderCapability, HoverProviderCapability, InitializeParams, MessageType, NumberOrString,
    OneOf, PublishDiagnosticsParams, RenameOptions, SaveOptions, SemanticTokensFullOptions,
    SemanticTokensOptions, ServerCapabilities, ShowDocumentParams, ShowMessageParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, Uri, WorkDoneProgressOptions,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Checks that run at the same time; more would only slow each other down.
const MOST_CHECKS: usize = 4;
/// How long a query may take, unless the client says something else.
const SECONDS: f64 = 30.0;
/// What the front end says is published after this, if the network is not there yet.
const PATIENCE: Duration = Duration::from_millis(250);

/// Why the server ended.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The client does not follow the protocol.
    #[error("the client does not follow the protocol: {0}")]
    Protocol(#[from] lsp_server::ProtocolError),
    /// Standard input, output or a thread failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The client went away without saying so.
    #[error("the client has gone")]
    Gone,
}

/// Serves a client on standard input and output, until it says that it is done.
///
/// # Errors
/// When the client does not follow the protocol, or goes away.
pub fn serve_stdio() -> Result<(), Failure> {
    let (connection, threads) = Connection::stdio();
    serve(&connection)?;
    drop(connection);
    threads.join()?;
    Ok(())
}

/// Serves a client.
///
/// # Errors
/// When the client does not follow the protocol, or goes away.
pub fn serve(connection: &Connection) -> Result<(), Failure> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params).unwrap_or_default();
    let server = Server::new(connection.sender.clone(), &params)?;
    let answer = json!({
        "capabilities": server.capabilities(),
        "serverInfo": { "name": "guidepost", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer)?;
    server.run(connection)
}

pub(crate) struct Server {
    sender: Sender<Message>,
    pub(crate) encoding: Encoding,
    /// Whether the client opens files for us.
    shows_documents: bool,
    seconds: f64,
    pub(crate) texts: Texts,
    pub(crate) analyses: Analyses,
    workers: Workers,
    /// Texts that have changed since they were looked at.
    changed: BTreeSet<PathBuf>,
    /// Models whose network is being built, and since when.
    waiting: BTreeMap<PathBuf, (Arc<Analysis>, Instant)>,
    /// Checks that run, and how to end them.
    checks: HashMap<RequestId, Arc<AtomicBool>>,
    /// Answers to queries, shown where they stand until the text changes: by file.
    notes: BTreeMap<PathBuf, Vec<Diagnostic>>,
    /// What was last said about the files of a model.
    said: BTreeMap<PathBuf, (Arc<Analysis>, Diagnostics)>,
    next_request: i32,
}

impl Server {
    fn new(sender: Sender<Message>, params: &InitializeParams) -> Result<Self, Failure> {
        let general = params.capabilities.general.as_ref();
        let offered = general.and_then(|general| general.position_encodings.as_deref());
        let window = params.capabilities.window.as_ref();
        let shows_documents =
            window.and_then(|window| window.show_document.as_ref()).is_some_and(|show| show.support);
        let options = params.initialization_options.as_ref();
        let seconds =
            options.and_then(|options| options["timeLimit"].as_f64()).filter(|seconds| *seconds > 0.0);
        Ok(Self {
            sender,
            encoding: Encoding::agreed(offered),
            shows_documents,
            seconds: seconds.unwrap_or(SECONDS),
            texts: Texts::default(),
            analyses: Analyses::default(),
            workers: Workers::start()?,
            changed: BTreeSet::new(),
            waiting: BTreeMap::new(),
            checks: HashMap::new(),
            notes: BTreeMap::new(),
            said: BTreeMap::new(),
            next_request: 0,
        })
    }

    fn capabilities(&self) -> ServerCapabilities {
        ServerCapabilities {
            position_encoding: Some(self.encoding.kind()),
            text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                save: Some(SaveOptions::default().into()),
                ..TextDocumentSyncOptions::default()
            })),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            definition_provider: Some(OneOf::Left(true)),
            references_provider: Some(OneOf::Left(true)),
            document_highlight_provider: Some(OneOf::Left(true)),
            document_symbol_provider: Some(OneOf::Left(true)),
            document_formatting_provider: Some(OneOf::Left(true)),
            folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
            rename_provider: Some(OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            })),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(vec![".".to_owned()]),
                ..CompletionOptions::default()
            }),
            code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
            semantic_tokens_provider: Some(
                SemanticTokensOptions {
                    legend: tokens::legend(),
                    range: Some(false),
                    full: Some(SemanticTokensFullOptions::Bool(true)),
                    work_done_progress_options: WorkDoneProgressOptions::default(),
                }
                .into(),
            ),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: vec![lens::CHECK.to_owned(), lens::RUN.to_owned()],
                work_done_progress_options: WorkDoneProgressOptions::default(),
            }),
            ..ServerCapabilities::default()
        }
    }

    fn run(mut self, connection: &Connection) -> Result<(), Failure> {
        loop {
            let message = match connection.receiver.try_recv() {
                Ok(message) => Some(message),
                Err(TryRecvError::Disconnected) => return Err(Failure::Gone),
                Err(TryRecvError::Empty) => {
                    self.look_at_changes();
                    self.next(connection)?
                }
            };
            match message {
                Some(Message::Request(request)) => {
                    if connection.handle_shutdown(&request)? {
                        self.checks.values().for_each(|interrupt| interrupt.store(true, Ordering::Relaxed));
                        return Ok(());
                    }
                    self.request(request);
                }
                Some(Message::Notification(notification)) => self.notification(notification),
                Some(Message::Response(_)) | None => {}
            }
        }
    }

    /// Waits for a message. Nothing, when a worker had something to say, or when it takes too long to say it.
    fn next(&mut self, connection: &Connection) -> Result<Option<Message>, Failure> {
        let since = self.waiting.values().map(|(_, since)| *since).min();
        let patience =
            since.map_or(Duration::from_hours(1), |since| PATIENCE.saturating_sub(since.elapsed()));
        let done = self.workers.done.clone();
        select! {
            recv(connection.receiver) -> message => return message.map(Some).map_err(|_| Failure::Gone),
            recv(done) -> found => if let Ok(found) = found { self.done(found) },
            default(patience) => self.lose_patience(),
        }
        Ok(None)
    }

    // ---- texts

    fn notification(&mut self, notification: Notification) {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Some(params) = parsed::<DidOpenTextDocument>(notification)
                    && let Some(path) = self.texts.open(params.text_document)
                {
                    self.touch(path);
                }
            }
            DidChangeTextDocument::METHOD => {
                let Some(params) = parsed::<DidChangeTextDocument>(notification) else { return };
                let (uri, version) = (&params.text_document.uri, params.text_document.version);
                if let Some(path) = self.texts.change(uri, version, params.content_changes, self.encoding) {
                    self.touch(path);
                }
            }
            DidCloseTextDocument::METHOD => {
                let Some(params) = parsed::<DidCloseTextDocument>(notification) else { return };
                let path = self.texts.close(&params.text_document.uri);
                self.analyses.forget(&path);
                self.notes.remove(&path);
                self.waiting.remove(&path);
                self.said.remove(&path);
                self.publish(params.text_document.uri, None, Vec::new());
            }
            DidSaveTextDocument::METHOD => {
                if let Some(params) = parsed::<DidSaveTextDocument>(notification) {
                    self.touch(path_of(&params.text_document.uri));
                }
            }
            DidChangeWatchedFiles::METHOD => {
                let open: Vec<_> = self.texts.paths().cloned().collect();
                self.changed.extend(open);
            }
            Cancel::METHOD => {
                let Ok(params) = serde_json::from_value::<CancelParams>(notification.params) else { return };
                let id = match params.id {
                    NumberOrString::Number(number) => RequestId::from(number),
                    NumberOrString::String(text) => RequestId::from(text),
                };
                if let Some(interrupt) = self.checks.get(&id) {
                    interrupt.store(true, Ordering::Relaxed);
                }
            }
            _ => {}
        }
    }

    fn touch(&mut self, path: PathBuf) {
        self.analyses.forget(&path);
        self.notes.remove(&path);
        self.changed.insert(path);
    }

    /// Looks at what has changed, and publishes what is wrong or will be known soon.
    fn look_at_changes(&mut self) {
        let changed = std::mem::take(&mut self.changed);
        let models: BTreeSet<PathBuf> = changed.iter().map(|path| model_of(path, &self.texts)).collect();
        for model in models {
            let (analyses, texts) = (&mut self.analyses, &self.texts);
            let found =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| analyses.get(&model, texts)));
            let Ok(Some(analysis)) = found else { continue };
            if analysis.loaded.diagnostics.has_errors() || analysis.is_alone() {
                let found = messages::of_text(&analysis);
                self.say(&analysis, found);
                self.waiting.remove(&model);
            } else {
                self.workers.inspect(analysis.clone());
                self.waiting.insert(model, (analysis, Instant::now()));
            }
        }
    }

    /// The network takes its time: what is known is published now.
    fn lose_patience(&mut self) {
        let late: Vec<Arc<Analysis>> = self.waiting.values().map(|(analysis, _)| analysis.clone()).collect();
        for analysis in late {
            let found = messages::of_text(&analysis);
            self.say(&analysis, found);
            // The next time is when the network is there.
            if let Some((_, since)) = self.waiting.get_mut(&analysis.files[0].path) {
                *since = Instant::now() + Duration::from_hours(1);
            }
        }
    }

    /// Publishes messages about all files of a model that are open.
    fn say(&mut self, analysis: &Arc<Analysis>, found: Diagnostics) {
        for index in 0..analysis.files.len() {
            let file = FileId(index as u32);
            let part = analysis.part(file);
            let Some(open) = self.texts.get(&part.path) else { continue };
            if Some(open.version) != part.version {
                continue;
            }
            let mut all = messages::of_file(analysis, &found, file, self.encoding);
            all.extend(self.notes.get(&part.path).into_iter().flatten().cloned());
            let (uri, version) = (open.uri.clone(), part.version);
            self.publish(uri, version, all);
        }
        self.said.insert(analysis.files[0].path.clone(), (analysis.clone(), found));
    }

    fn publish(&self, uri: Uri, version: Option<i32>, diagnostics: Vec<Diagnostic>) {
        self.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version });
    }

    // ---- what others found

    fn done(&mut self, done: Done) {
        match done {
            Done::Inspected(analysis, found) => {
                let model = &analysis.files[0].path;
                let is_newest =
                    self.waiting.get(model).is_some_and(|(newest, _)| Arc::ptr_eq(newest, &analysis));
                if is_newest {
                    self.waiting.remove(model);
                    self.say(&analysis, found);
                }
            }
            Done::Checked(id, check, answer) => {
                let was_cancelled =
                    self.checks.remove(&id).is_some_and(|interrupt| interrupt.load(Ordering::Relaxed));
                if was_cancelled {
                    self.refuse(id, ErrorCode::RequestCanceled, "the check was ended".to_owned());
                    return;
                }
                match answer {
                    Ok(checked) => self.show(id, &check, &checked),
                    Err(reason) => {
                        self.message(MessageType::ERROR, reason.clone());
                        self.refuse(id, ErrorCode::RequestFailed, reason);
                    }
                }
            }
        }
    }

    /// Shows an answer: as a message, beside the query, and as a report if there is a run.
    fn show(&mut self, id: RequestId, check: &Check, checked: &Checked) {
        let verdict = match checked.verdict {
            Verdict::Satisfied => "satisfied",
            Verdict::NotSatisfied => "not satisfied",
            Verdict::Undecided => "undecided",
        };
        let report = checked.report.as_deref();
        let result = json!({
            "verdict": verdict,
            "text": checked.text,
            "report": report.map(|path| path.display().to_string()),
        });
        self.answer(id, result);
        let mut headline = checked.headline.clone();
        if let Some(uri) = report.and_then(uri_of) {
            if self.shows_documents {
                let params =
                    ShowDocumentParams { uri, external: Some(true), take_focus: Some(true), selection: None };
                self.ask::<ShowDocument>(params);
            } else {
                headline = format!("{headline}; the run is shown in {}", uri.as_str());
            }
        } else if check.command == lens::RUN {
            headline.push_str("; no run shows that");
        }
        self.message(MessageType::INFO, headline);
        self.note(check, &checked.headline);
    }

    /// Writes an answer beside the query, as long as the text stays as it is.
    fn note(&mut self, check: &Check, headline: &str) {
        let part = check.analysis.part(check.file);
        if self.texts.get(&part.path).map(|open| open.version) != part.version {
            return;
        }
        let range = check.analysis.range(check.span, self.encoding);
        let notes = self.notes.entry(part.path.clone()).or_default();
        notes.retain(|note| note.range != range);
        notes.push(Diagnostic {
            range,
            severity: Some(DiagnosticSeverity::INFORMATION),
            source: Some("guidepost check".to_owned()),
            message: headline.to_owned(),
            ..Diagnostic::default()
        });
        if let Some((analysis, found)) = self.said.get(&check.analysis.files[0].path).cloned() {
            self.say(&analysis, found);
        }
    }

    // ---- requests

    fn request(&mut self, request: Request) {
        let id = request.id.clone();
        if request.method == ExecuteCommand::METHOD {
            if let Err(reason) = self.execute(request) {
                self.refuse(id, ErrorCode::InvalidParams, reason);
            }
            return;
        }
        // What is asked about a text must be known about that text, and a mistake of ours must not end the session.
        let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.reply(request)));
        match answer {
            Ok(Ok(answer)) => self.answer(id, answer),
            Ok(Err(refusal)) => self.refuse(id, refusal.code, refusal.reason),
            Err(_) => self.refuse(
                id,
                ErrorCode::InternalError,
                "guidepost has a bug; please report it with the text".to_owned(),
            ),
        }
    }

    fn execute(&mut self, request: Request) -> Result<(), String> {
        let id = request.id.clone();
        let params: lsp_types::ExecuteCommandParams =
            serde_json::from_value(request.params).map_err(|error| error.to_string())?;
        let command = [lens::CHECK, lens::RUN].into_iter().find(|command| *command == params.command);
        let command = command.ok_or_else(|| format!("there is no command `{}`", params.command))?;
        let [uri, number] = &params.arguments[..] else {
            return Err("a text and the number of a query are expected".to_owned());
        };
        let uri: Uri = serde_json::from_value(uri.clone()).map_err(|error| error.to_string())?;
        let number =
            number.as_u64().and_then(|number| usize::try_from(number).ok()).ok_or("a query has a number")?;
        if self.checks.len() >= MOST_CHECKS {
            return Err(format!("{MOST_CHECKS} checks are running; wait for one of them, or end it"));
        }
        let (analysis, file) = self.analysis(&uri).map_err(|refusal| refusal.reason)?;
        let queries = analysis.queries(file);
        let span = queries.iter().find(|(own, _)| *own == number).map(|(_, entry)| entry.span);
        let span = span.ok_or_else(|| format!("there is no query {number}"))?;
        let (limits, interrupt) = work::limits(self.seconds);
        let check = Check { analysis: analysis.clone(), file, number, span, command, limits };
        self.workers.check(id.clone(), check).map_err(|error| error.to_string())?;
        self.checks.insert(id, interrupt);
        Ok(())
    }

    // ---- messages

    fn answer(&self, id: RequestId, result: Value) {
        self.send(Response::new_ok(id, result).into());
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, reason: String) {
        self.send(Response::new_err(id, code as i32, reason).into());
    }

    fn message(&self, typ: MessageType, message: String) {
        self.notify::<ShowMessage>(ShowMessageParams { typ, message });
    }

    fn notify<N: lsp_types::notification::Notification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_owned(), params).into());
    }

    fn ask<R: lsp_types::request::Request>(&mut self, params: R::Params) {
        self.next_request += 1;
        self.send(Request::new(self.next_request.into(), R::METHOD.to_owned(), params).into());
    }

    /// A client that has gone is noticed where messages are received.
    fn send(&self, message: Message) {
        let _ = self.sender.send(message);
    }
}

fn parsed<N: lsp_types::notification::Notification>(notification: Notification) -> Option<N::Params>
where
    N::Params: DeserializeOwned,
{
    serde_json::from_value(notification.params).ok()
}
