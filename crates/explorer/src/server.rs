//! The explorer on the loopback interface.

use crate::Explorer;
use crate::gate::{Knock, LARGEST_BODY, Refusal, Wanted, admit};
use crate::page::page;
use serde_json::{Value, json};
use std::io::{self, Read};
use std::net::{Ipv4Addr, TcpListener};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tiny_http::{Header, Request, Response, StatusCode};

/// Queries nest as deeply as their authors like.
const STACK_BYTES: usize = 64 << 20;

/// A server for one explorer.
pub struct Server {
    http: Arc<tiny_http::Server>,
    explorer: Arc<Explorer>,
    port: u16,
    token: Arc<str>,
}

impl Server {
    /// Begins to listen on a port of 127.0.0.1; port 0 is any free one.
    ///
    /// # Errors
    /// When the port is taken, or the system gives no random numbers.
    pub fn bind(explorer: Explorer, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let http = tiny_http::Server::from_listener(listener, None).map_err(io::Error::other)?;
        let mut secret = [0_u8; 16];
        getrandom::fill(&mut secret).map_err(io::Error::other)?;
        let token: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { http: Arc::new(http), explorer: Arc::new(explorer), port, token: token.into() })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Answers until [`Server::stop`] is called: each request in a thread of its own, so that a long search keeps nobody from looking around.
    pub fn serve(&self) {
        while let Ok(request) = self.http.recv() {
            let (explorer, token, port) = (Arc::clone(&self.explorer), Arc::clone(&self.token), self.port);
            let work = move || respond(request, &explorer, port, &token);
            // Without a thread there is no answer; the browser sees a closed connection and says so.
            let _ = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
        }
    }

    /// Ends [`Server::serve`], from another thread.
    pub fn stop(&self) {
        self.http.unblock();
    }
}

fn respond(mut request: Request, explorer: &Explorer, port: u16, token: &str) {
    let response = match admitted(&request, port, token) {
        Err(refusal) => text(refusal.status(), &refusal.to_string()),
        Ok(Wanted::Page) => html(explorer),
        Ok(Wanted::Answer) => match body(&mut request) {
            Err(refusal) => text(refusal.status(), &refusal.to_string()),
            Ok(body) => json_response(&answer(explorer, &body)),
        },
    };
    // Whoever has gone away does not want the answer.
    let _ = request.respond(response);
}

fn admitted(request: &Request, port: u16, token: &str) -> Result<Wanted, Refusal> {
    let header = |name: &'static str| {
        let found = request.headers().iter().find(|header| header.field.equiv(name));
        found.map(|header| header.value.as_str())
    };
    let method = request.method().to_string();
    let knock = Knock {
        method: &method,
        path: request.url(),
        host: header("Host"),
        origin: header("Origin"),
        site: header("Sec-Fetch-Site"),
        content_type: header("Content-Type"),
        length: request.body_length(),
    };
    admit(&knock, port, token)
}

/// The body, whatever length it claims to have.
fn body(request: &mut Request) -> Result<Vec<u8>, Refusal> {
    let mut body = Vec::new();
    let mut reader = request.as_reader().take(LARGEST_BODY as u64 + 1);
    match reader.read_to_end(&mut body) {
        Ok(length) if length <= LARGEST_BODY => Ok(body),
        Ok(_) => Err(Refusal::TooLong),
        Err(_) => Err(Refusal::Method),
    }
}

fn answer(explorer: &Explorer, body: &[u8]) -> Value {
    let Ok(request) = serde_json::from_slice::<Value>(body) else {
        return json!({ "refused": "the request is not JSON" });
    };
    let answered = catch_unwind(AssertUnwindSafe(|| explorer.answer(&request)));
    answered.unwrap_or_else(
        |_| json!({ "refused": "internal error: guidepost has a bug; please report it with the model" }),
    )
}

type Sent = Response<io::Cursor<Vec<u8>>>;

fn html(explorer: &Explorer) -> Sent {
    let (text, nonce) = page(explorer);
    // Nothing is loaded from anywhere, and nobody can put the page into a frame. Drawings have style attributes.
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    respond_with(200, "text/html; charset=utf-8", text)
        .with_header(header("Content-Security-Policy", &policy))
}

fn json_response(value: &Value) -> Sent {
    respond_with(200, "application/json", value.to_string())
}

fn text(status: u16, message: &str) -> Sent {
    respond_with(status, "text/plain; charset=utf-8", format!("{message}\n"))
}

fn respond_with(status: u16, kind: &str, text: String) -> Sent {
    let headers = [
        ("Content-Type", kind),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ];
    let response = Response::from_data(text).with_status_code(StatusCode(status));
    headers.into_iter().fold(response, |response, (name, value)| response.with_header(header(name, value)))
}

fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name.as_bytes(), value.as_bytes()).expect("our headers are ASCII")
}
