//! The explorer on the loopback interface.

use crate::Explorer;
use crate::gate::{Knock, Refusal, Wanted, admit};
use crate::http::{Connection, Head, NotHttp};
use crate::page::page;
use serde_json::{Value, json};
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Queries nest as deeply as their authors like.
const STACK_BYTES: usize = 64 << 20;
/// Browsers open a handful of connections per tab.
const MOST_CONNECTIONS: usize = 128;

/// A server for one explorer.
pub struct Server {
    listener: TcpListener,
    explorer: Arc<Explorer>,
    port: u16,
    token: Arc<str>,
    is_over: AtomicBool,
    open: Arc<AtomicUsize>,
}

impl Server {
    /// Begins to listen on a port of 127.0.0.1; port 0 is any free one.
    ///
    /// # Errors
    /// When the port is taken, or the system gives no random numbers.
    pub fn bind(explorer: Explorer, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let token = secret()?;
        let (explorer, open) = (Arc::new(explorer), Arc::new(AtomicUsize::new(0)));
        Ok(Self { listener, explorer, port, token: token.into(), is_over: AtomicBool::new(false), open })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Answers until [`Server::stop`] is called: each request in a thread of its own, so that a long search keeps nobody from looking around.
    pub fn serve(&self) {
        for stream in self.listener.incoming() {
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            let Ok(stream) = stream else { continue };
            if self.open.load(Ordering::Relaxed) >= MOST_CONNECTIONS {
                continue;
            }
            let (explorer, token, port) = (Arc::clone(&self.explorer), Arc::clone(&self.token), self.port);
            let guest = Guest::enter(&self.open);
            let work = move || {
                let _guest = guest;
                // Whoever has gone away does not want the answer.
                let _ = respond(stream, &explorer, port, &token);
            };
            // Without a thread there is no answer; the browser sees a closed connection and says so.
            let _ = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
        }
    }

    /// Ends [`Server::serve`], from another thread.
    pub fn stop(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        // Somebody has to knock for it to look up.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
    }
}

/// 128 random bits, in hexadecimal digits.
pub(crate) fn secret() -> io::Result<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

/// A connection that counts while it lives.
struct Guest(Arc<AtomicUsize>);

impl Guest {
    fn enter(open: &Arc<AtomicUsize>) -> Self {
        open.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(open))
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn respond(stream: TcpStream, explorer: &Explorer, port: u16, token: &str) -> io::Result<()> {
    let mut connection = Connection::new(stream)?;
    let (status, kind, policy, body) = match handle(&mut connection, explorer, port, token) {
        Ok(Sent::Page(text, policy)) => (200, "text/html; charset=utf-8", policy, text),
        Ok(Sent::Answer(value)) => (200, "application/json", String::new(), value.to_string()),
        Err(Trouble::Refused(refusal)) => (refusal.status(), TEXT, String::new(), format!("{refusal}\n")),
        Err(Trouble::NotHttp) => (400, TEXT, String::new(), "this is no request\n".to_owned()),
    };
    let policy = if policy.is_empty() { "default-src 'none'" } else { &policy };
    let headers = [
        ("Content-Type", kind),
        ("Content-Security-Policy", policy),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ];
    connection.respond(status, &headers, body.as_bytes())
}

const TEXT: &str = "text/plain; charset=utf-8";

enum Sent {
    /// The page and its policy.
    Page(String, String),
    Answer(Value),
}

enum Trouble {
    Refused(Refusal),
    NotHttp,
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<NotHttp> for Trouble {
    fn from(_: NotHttp) -> Self {
        Self::NotHttp
    }
}

fn handle(connection: &mut Connection, explorer: &Explorer, port: u16, token: &str) -> Result<Sent, Trouble> {
    let head = connection.head()?;
    let length = head.length()?;
    match admit(&knock(&head, length), port, token)? {
        Wanted::Page => {
            let (text, nonce) = page(explorer);
            // Nothing is loaded from anywhere, and nobody can put the page into a frame. Drawings have style attributes.
            let policy = format!(
                "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                 frame-ancestors 'none'"
            );
            Ok(Sent::Page(text, policy))
        }
        Wanted::Answer => Ok(Sent::Answer(answer(explorer, &connection.body(length)?))),
    }
}

fn knock(head: &Head, length: usize) -> Knock<'_> {
    Knock {
        method: &head.method,
        path: &head.path,
        host: head.header("Host"),
        origin: head.header("Origin"),
        site: head.header("Sec-Fetch-Site"),
        content_type: head.header("Content-Type"),
        length,
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
