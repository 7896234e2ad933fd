//! A client of the protocol, over the in-memory connection.
#![allow(dead_code, reason = "each test file uses its own part")]

use lsp_server::{Connection, Message, Notification, Request, Response};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

/// The longest that anything may take.
const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) struct Client {
    connection: Connection,
    server: Option<JoinHandle<()>>,
    next: i32,
    /// Notifications and requests of the server that nobody has waited for yet.
    heard: Vec<Message>,
    pub(crate) capabilities: Value,
}

impl Client {
    pub(crate) fn start() -> Self {
        Self::with(json!({ "capabilities": {} }))
    }

    pub(crate) fn with(params: Value) -> Self {
        let (here, there) = Connection::memory();
        let serve = move || guidepost_lsp::serve(&there).expect("the server ends well");
        let server = std::thread::Builder::new().stack_size(64 << 20).spawn(serve).expect("a thread");
        let mut client = Self {
            connection: here,
            server: Some(server),
            next: 0,
            heard: Vec::new(),
            capabilities: Value::Null,
        };
        let answer = client.request("initialize", params).expect("the server begins");
        client.capabilities = answer["capabilities"].clone();
        client.notify("initialized", json!({}));
        client
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        self.connection
            .sender
            .send(Notification::new(method.to_owned(), params).into())
            .expect("the server listens");
    }

    /// Sends a request; its id.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> i32 {
        self.next += 1;
        self.connection
            .sender
            .send(Request::new(self.next.into(), method.to_owned(), params).into())
            .expect("the server listens");
        self.next
    }

    /// Waits for the answer to a request.
    pub(crate) fn answer(&mut self, id: i32) -> Result<Value, String> {
        let is_it =
            |message: &Message| matches!(message, Message::Response(response) if response.id == id.into());
        match self.wait(is_it) {
            Message::Response(Response { response_result, .. }) => {
                response_result.map_err(|error| format!("{}: {}", error.code, error.message))
            }
            _ => unreachable!("it is a response"),
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// Waits for a message.
    pub(crate) fn wait(&mut self, is_it: impl Fn(&Message) -> bool) -> Message {
        if let Some(at) = self.heard.iter().position(&is_it) {
            return self.heard.remove(at);
        }
        let until = Instant::now() + PATIENCE;
        loop {
            let message = self.connection.receiver.recv_deadline(until).expect("the server answers");
            if is_it(&message) {
                return message;
            }
            self.heard.push(message);
        }
    }

    /// Waits for a notification; its parameters.
    pub(crate) fn heard(&mut self, method: &str) -> Value {
        match self.wait(|message| matches!(message, Message::Notification(n) if n.method == method)) {
            Message::Notification(notification) => notification.params,
            _ => unreachable!("it is a notification"),
        }
    }

    pub(crate) fn open(&self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces the whole text.
    pub(crate) fn replace(&self, uri: &str, version: i32, text: &str) {
        let document = json!({ "uri": uri, "version": version });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    /// Waits for the messages about a version of a text.
    pub(crate) fn messages(&mut self, uri: &str, version: i32) -> Vec<Value> {
        let is_it = |message: &Message| match message {
            Message::Notification(n) => {
                n.method == "textDocument/publishDiagnostics"
                    && n.params["uri"] == uri
                    && n.params["version"] == version
            }
            _ => false,
        };
        match self.wait(is_it) {
            Message::Notification(n) => n.params["diagnostics"].as_array().cloned().unwrap_or_default(),
            _ => unreachable!("it is a notification"),
        }
    }

    /// A request about a place: the first character of the `n`-th occurrence of a word in a text.
    pub(crate) fn at(
        &mut self,
        method: &str,
        uri: &str,
        text: &str,
        word: &str,
        n: usize,
    ) -> Result<Value, String> {
        let position = position(text, word, n);
        self.request(method, json!({ "textDocument": { "uri": uri }, "position": position }))
    }

    pub(crate) fn rename(
        &mut self,
        uri: &str,
        text: &str,
        word: &str,
        n: usize,
        new: &str,
    ) -> Result<Value, String> {
        let position = position(text, word, n);
        self.request(
            "textDocument/rename",
            json!({ "textDocument": { "uri": uri }, "position": position, "newName": new }),
        )
    }

    /// The labels of what could be typed behind a text in a text.
    pub(crate) fn completions(&mut self, uri: &str, text: &str, behind: &str) -> Vec<String> {
        let mut position = position(text, behind, 0);
        position["character"] =
            json!(position["character"].as_u64().unwrap() + behind.encode_utf16().count() as u64);
        let found = self
            .request(
                "textDocument/completion",
                json!({ "textDocument": { "uri": uri }, "position": position }),
            )
            .unwrap();
        let items = found.as_array().cloned().unwrap_or_default();
        items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let id = self.send("shutdown", Value::Null);
        self.answer(id).expect("the server ends");
        self.notify("exit", Value::Null);
        self.server.take().expect("it was started").join().expect("the server does not panic");
    }
}

/// Line and column, in UTF-16 units, of the `n`-th occurrence of a word.
pub(crate) fn position(text: &str, word: &str, n: usize) -> Value {
    let (at, _) = text.match_indices(word).nth(n).unwrap_or_else(|| panic!("`{word}` occurs"));
    let before = &text[..at];
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().encode_utf16().count();
    json!({ "line": line, "character": column })
}

/// A text after edits of the protocol, columns in UTF-16 units.
pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let offset = |position: &Value| {
        let lines: Vec<&str> = text.split('\n').collect();
        let line = position["line"].as_u64().unwrap() as usize;
        let start: usize = lines[..line].iter().map(|line| line.len() + 1).sum();
        let mut units = position["character"].as_u64().unwrap() as usize;
        let mut at = start;
        for character in lines.get(line).copied().unwrap_or_default().chars() {
            if units == 0 {
                break;
            }
            units -= character.len_utf16().min(units);
            at += character.len_utf8();
        }
        at
    };
    let mut edits: Vec<_> = edits.as_array().expect("edits").iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(offset(&edit["range"]["start"])));
    let mut result = text.to_owned();
    for edit in edits {
        let (start, end) = (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]));
        result.replace_range(start..end, edit["newText"].as_str().unwrap());
    }
    result
}

/// The codes of messages.
pub(crate) fn codes(messages: &[Value]) -> Vec<&str> {
    messages.iter().filter_map(|message| message["code"].as_str()).collect()
}
