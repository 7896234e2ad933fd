//! The language server as an editor meets it: a process that is talked to over its standard streams.
//!
//! Models are opened, edited, renamed in and completed; what the server says after every edit is compared with what `guidepost info` says about the same text in a
//! file. Public models are used where they are; `GUIDEPOST_LSP_MODELS` says how many.

mod common;

use common::{Scratch, guidepost, root};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A client: no library, so that the framing of messages is tested, too.
struct Editor {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: i64,
    heard: Vec<Value>,
}

impl Editor {
    fn start() -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_guidepost"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let (input, output) = (server.stdin.take().unwrap(), BufReader::new(server.stdout.take().unwrap()));
        let mut editor = Self { server, input, output, next: 0, heard: Vec::new() };
        let answer = editor.request("initialize", &json!({ "capabilities": {} })).expect("the server begins");
        assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
        editor.notify("initialized", &json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server listens");
        self.input.flush().expect("the server listens");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("the server answers") > 0, "the server has gone");
            match line.trim_end() {
                "" => break,
                header => {
                    if let Some(value) = header.strip_prefix("Content-Length: ") {
                        length = value.parse().expect("a length");
                    }
                }
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).expect("the server answers");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    fn wait(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.heard.iter().position(&is_it) {
            return self.heard.remove(at);
        }
        loop {
            let message = self.receive();
            if is_it(&message) {
                return message;
            }
            self.heard.push(message);
        }
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let answer = self.wait(|message| message["id"] == id && message.get("method").is_none());
        match answer.get("error") {
            Some(error) => Err(error["message"].as_str().unwrap_or_default().to_owned()),
            None => Ok(answer["result"].clone()),
        }
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn messages(&mut self, uri: &str, version: u64) -> Vec<Value> {
        let found = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        });
        found["params"]["diagnostics"].as_array().cloned().unwrap_or_default()
    }

    fn finish(mut self) {
        self.request("shutdown", &Value::Null).expect("the server ends");
        self.notify("exit", &Value::Null);
        drop(self.input);
        assert_eq!(self.server.wait().expect("the server ends").code(), Some(0));
    }
}

/// A message: code, line and column where it begins, in characters from 1, and its text.
type Message = (String, u64, u64, String);

/// What the server says, in the words of `info`.
fn said(messages: &[Value], text: &str) -> Vec<Message> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut said: Vec<Message> = messages
        .iter()
        .map(|message| {
            let start = &message["range"]["start"];
            let line = start["line"].as_u64().unwrap();
            let units = start["character"].as_u64().unwrap() as usize;
            let written: Vec<u16> =
                lines.get(line as usize).copied().unwrap_or_default().encode_utf16().take(units).collect();
            let column = String::from_utf16_lossy(&written).chars().count() as u64 + 1;
            (
                message["code"].as_str().unwrap_or_default().to_owned(),
                line + 1,
                column,
                message["message"].as_str().unwrap().to_owned(),
            )
        })
        .collect();
    said.sort();
    said
}

/// What `info` says about a file: errors, or else obstacles, warnings and problems of queries.
fn informed(path: &Path) -> Vec<Message> {
    let ran = guidepost(&["--message-format", "json", "info", path.to_str().unwrap(), "--format", "json"]);
    let mut all: Vec<Value> = ran.stderr.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if ran.code == 0 {
        let answer = ran.json();
        for key in ["obstacles", "warnings"] {
            all.extend(answer[key].as_array().cloned().unwrap_or_default());
        }
        for query in answer["queries"].as_array().into_iter().flatten() {
            all.extend(query["problems"].as_array().cloned().unwrap_or_default());
        }
    }
    let own =
        all.iter().filter(|message| message["file"].as_str().is_some_and(|file| Path::new(file) == path));
    let mut informed: Vec<Message> = own
        .map(|message| {
            let mut text = message["message"].as_str().unwrap().to_owned();
            if let Some(label) = message["label"].as_str().filter(|label| !label.is_empty()) {
                text = format!("{text}: {label}");
            }
            for hint in message["hints"].as_array().into_iter().flatten() {
                text = format!("{text}\nhelp: {}", hint.as_str().unwrap());
            }
            (
                message["code"].as_str().unwrap().to_owned(),
                message["line"].as_u64().unwrap(),
                message["column"].as_u64().unwrap(),
                text,
            )
        })
        .collect();
    informed.sort();
    informed.dedup();
    informed
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, found);
        } else if path
            .extension()
            .and_then(|end| end.to_str())
            .is_some_and(|end| ["xml", "xta", "ta"].contains(&end))
            && entry.metadata().is_ok_and(|data| (500..100_000).contains(&data.len()))
        {
            found.push(path);
        }
    }
}

/// Edits as people make them: something is left out, misspelt, or written in addition.
fn edits(text: &str) -> Vec<(usize, usize, &'static str)> {
    let find = |what: &str| text.find(what);
    let mut edits = Vec::new();
    edits.extend(find("clock").map(|at| (at, at + 5, "clok")));
    edits.extend(find("system").map(|at| (at, at, "int unused_here = 1;\n")));
    edits.extend(text.rfind("==").map(|at| (at, at + 2, "=")));
    edits.extend(text.rfind(';').map(|at| (at, at + 1, "")));
    edits
}

fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    json!({ "line": before.matches('\n').count(), "character": before.rsplit('\n').next().unwrap_or_default().encode_utf16().count() })
}

/// Goes through a model; how many edits were compared.
fn visit(editor: &mut Editor, path: &Path, scratch: &Scratch) -> usize {
    let Ok(text) = std::fs::read_to_string(path) else { return 0 };
    if text.contains('\r') || text.starts_with('\u{feff}') {
        // `info` counts lines otherwise than the protocol.
        return 0;
    }
    let copy = PathBuf::from(scratch.path(path.file_name().unwrap().to_str().unwrap()));
    let uri = format!("file://{}", copy.display());
    let mut version = 1;
    let compare = |editor: &mut Editor, text: &str, version: u64| {
        std::fs::write(&copy, text).expect("the copy is written");
        let expected = informed(&copy);
        let mut found = said(&editor.messages(&uri, version), text);
        found.dedup();
        if found != expected {
            // The network may have taken its time.
            found = said(&editor.messages(&uri, version), text);
            found.dedup();
        }
        assert_eq!(found, expected, "{}", path.display());
    };
    std::fs::write(&copy, &text).expect("the copy is written");
    let document = json!({ "uri": uri, "languageId": "", "version": version, "text": text });
    editor.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    compare(editor, &text, version);
    // Everything has a name, and the first one can be renamed and named again.
    let symbols = editor
        .request("textDocument/documentSymbol", &json!({ "textDocument": { "uri": uri } }))
        .expect("an outline");
    if let Some(symbol) = symbols.as_array().and_then(|symbols| symbols.first()) {
        let params = json!({ "textDocument": { "uri": uri }, "position": symbol["selectionRange"]["start"], "newName": "renamed_by_test" });
        match editor.request("textDocument/rename", &params) {
            Ok(edit) => assert!(
                edit["changes"].as_object().is_some_and(|changes| !changes.is_empty()),
                "{}: {edit}",
                path.display()
            ),
            Err(reason) => assert!(!reason.contains("bug"), "{}: {reason}", path.display()),
        }
    }
    // At the system line; tags and words in comments are called so, too.
    let line = [">system ", "\nsystem "].iter().filter_map(|begin| text.rfind(begin)).max();
    if let Some(at) = line.map(|at| at + 1) {
        let params = json!({ "textDocument": { "uri": uri }, "position": position(&text, at) });
        let items = editor.request("textDocument/completion", &params).expect("completions");
        assert!(
            items.as_array().is_some_and(|items| items.iter().any(|item| item["label"] == "int")),
            "{}",
            path.display()
        );
    }
    let mut compared = 1;
    for (start, end, with) in edits(&text) {
        let range = json!({ "start": position(&text, start), "end": position(&text, end) });
        let edited = format!("{}{with}{}", &text[..start], &text[end..]);
        version += 1;
        let document = json!({ "uri": uri, "version": version });
        editor.notify(
            "textDocument/didChange",
            &json!({ "textDocument": document, "contentChanges": [{ "range": range, "text": with }] }),
        );
        compare(editor, &edited, version);
        // Back again, as undo does it.
        version += 1;
        let behind =
            json!({ "start": position(&edited, start), "end": position(&edited, start + with.len()) });
        let document = json!({ "uri": uri, "version": version });
        editor.notify("textDocument/didChange", &json!({ "textDocument": document, "contentChanges": [{ "range": behind, "text": &text[start..end] }] }));
        compare(editor, &text, version);
        compared += 2;
    }
    editor.notify("textDocument/didClose", &json!({ "textDocument": { "uri": uri } }));
    compared
}

#[test]
fn the_models_of_the_project_are_edited() {
    let mut paths = Vec::new();
    models(&root().join("models"), &mut paths);
    paths.sort();
    let scratch = Scratch::new();
    let mut editor = Editor::start();
    let compared: usize = paths.iter().take(4).map(|path| visit(&mut editor, path, &scratch)).sum();
    assert!(compared > 10, "{compared} edits");
    editor.finish();
}

#[test]
fn public_models_are_edited() {
    let folder = root().join("../shared/models");
    if !folder.is_dir() {
        eprintln!("skipped: there are no public models beside the repository");
        return;
    }
    let wanted = std::env::var("GUIDEPOST_LSP_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    let mut paths = Vec::new();
    models(&folder, &mut paths);
    paths.sort();
    let step = (paths.len() / wanted).max(1);
    let scratch = Scratch::new();
    let mut editor = Editor::start();
    let (mut visited, mut compared) = (0, 0);
    for path in paths.iter().step_by(step) {
        let edits = visit(&mut editor, path, &scratch);
        visited += usize::from(edits > 0);
        compared += edits;
    }
    eprintln!("{visited} models, {compared} texts compared");
    editor.finish();
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    let mut editor = Editor::start();
    drop(editor.input);
    let code = editor.server.wait().expect("the server ends").code();
    assert_eq!(code, Some(2));
}
