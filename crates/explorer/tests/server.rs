//! The server, from outside: what it answers, and whom it refuses.

use guidepost::{Session, Settings, Simulator};
use guidepost_explorer::{Explorer, Server};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

struct Running {
    server: Arc<Server>,
    thread: Option<std::thread::JoinHandle<()>>,
    port: u16,
    token: String,
}

impl Running {
    fn begin(session: Session) -> Self {
        let simulator = Simulator::new(session).unwrap();
        let explorer = Explorer::new(simulator, "model.xta".to_owned(), Settings::default());
        let server = Arc::new(Server::bind(explorer, 0).unwrap());
        let address = server.address();
        let rest = address.strip_prefix("http://127.0.0.1:").expect("only the loopback interface");
        let (port, token) = rest.trim_end_matches('/').split_once('/').unwrap();
        let serving = Arc::clone(&server);
        let thread = Some(std::thread::spawn(move || serving.serve()));
        Self { server, thread, port: port.parse().unwrap(), token: token.to_owned() }
    }

    /// Sends bytes as they are; gives the status and all of the answer.
    fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(std::time::Duration::from_mins(2))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        (status, answer)
    }

    fn post(&self, headers: &str, body: &str) -> (u16, String) {
        self.raw(&format!(
            "POST /{}/api HTTP/1.1\r\n{headers}Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.token,
            body.len()
        ))
    }

    fn ask(&self, request: &Value) -> Value {
        let (status, answer) = self.post(&format!("Host: 127.0.0.1:{}\r\n", self.port), &request.to_string());
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.server.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

fn fischer() -> Session {
    Session::open(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/fischer-faulty.xml")).unwrap()
}

#[test]
fn the_page_is_for_those_who_know_the_address() {
    let running = Running::begin(fischer());
    let get = |path: &str, headers: &str| {
        running.raw(&format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"))
    };
    let host = format!("Host: 127.0.0.1:{}\r\n", running.port);
    let page = format!("/{}/", running.token);
    let (status, answer) = get(&page, &host);
    assert_eq!(status, 200);
    assert!(answer.contains("Content-Security-Policy: default-src 'none'"));
    assert!(
        !answer.contains("src=\"") && !answer.contains("@import") && !answer.contains("url("),
        "nothing is loaded"
    );
    assert_eq!(running.token.len(), 32);
    assert_eq!(get("/", &host).0, 404);
    assert_eq!(get("/00000000000000000000000000000000/", &host).0, 404);
    assert_eq!(get(&page, "Host: evil.example\r\n").0, 403);
    assert_eq!(get(&page, "").0, 403);
    let (status, answer) = get(&page, &format!("{host}Origin: http://evil.example\r\n"));
    assert_eq!(status, 403);
    assert!(!answer.contains("Access-Control-Allow"), "{answer}");
}

#[test]
fn requests_from_elsewhere_are_refused() {
    let running = Running::begin(fischer());
    let host = format!("Host: 127.0.0.1:{}\r\n", running.port);
    let hello = r#"{"do":"hello"}"#;
    assert_eq!(running.post(&host, hello).0, 200);
    assert_eq!(running.post("Host: rebound.example\r\n", hello).0, 403);
    assert_eq!(running.post(&format!("{host}Origin: http://evil.example\r\n"), hello).0, 403);
    assert_eq!(running.post(&format!("{host}Origin: null\r\n"), hello).0, 403);
    assert_eq!(running.post(&format!("{host}Sec-Fetch-Site: cross-site\r\n"), hello).0, 403);
    let own = format!("{host}Origin: http://127.0.0.1:{}\r\nSec-Fetch-Site: same-origin\r\n", running.port);
    assert_eq!(running.post(&own, hello).0, 200);
    let form = format!(
        "POST /{}/api HTTP/1.1\r\n{host}Content-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}",
        running.token
    );
    assert_eq!(running.raw(&form).0, 415);
}

#[test]
fn bodies_are_bounded_and_nonsense_is_refused() {
    let running = Running::begin(fischer());
    let host = format!("Host: 127.0.0.1:{}\r\n", running.port);
    // The length that is claimed is enough to refuse it; the body never comes.
    let claimed = format!(
        "POST /{}/api HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\n",
        running.token
    );
    let mut stream = TcpStream::connect(("127.0.0.1", running.port)).unwrap();
    stream.write_all(claimed.as_bytes()).unwrap();
    let mut first = [0_u8; 12];
    stream.set_read_timeout(Some(std::time::Duration::from_secs(20))).unwrap();
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 413");
    drop(stream);
    for body in [
        "",
        "{",
        "[]",
        "7",
        r#"{"do":"take"}"#,
        r#"{"do":"take","at":0,"edges":["x"]}"#,
        r#"{"do":"look","at":999999}"#,
        r#"{"do":"why","at":0,"process":99}"#,
        r#"{"do":"take","at":0,"edges":[4000000000],"delay":"1"}"#,
    ] {
        let (status, answer) = running.post(&host, body);
        assert!(status == 200 && answer.contains("refused"), "{body}: {answer}");
    }
}

#[test]
fn delays_inside_and_outside_of_intervals() {
    let running = Running::begin(fischer());
    let look = running.ask(&json!({ "do": "look", "at": 0 }));
    let first = &look["choices"][0];
    let step = running.ask(&json!({ "do": "take", "at": 0, "edges": first["edges"], "delay": "0,5" }));
    let at = step["at"].as_u64().unwrap();
    assert_eq!(step["steps"][0][0], "1/2");
    // One process has begun to try; its invariant limits time.
    let look = running.ask(&json!({ "do": "look", "at": at }));
    let limit = look["longest"][0].as_str().expect("time is limited here");
    let limit: i64 = limit.parse().unwrap();
    let late = running.ask(&json!({ "do": "take", "at": at, "edges": [], "delay": (limit + 1).to_string() }));
    let refused = late["refused"].as_str().unwrap();
    assert!(refused.contains(&format!("the delay must be at most {limit}")), "{refused}");
    let choice = look["choices"]
        .as_array()
        .unwrap()
        .iter()
        .find(|choice| choice["when"].as_str().unwrap().contains('≤'))
        .unwrap();
    let late = running
        .ask(&json!({ "do": "take", "at": at, "edges": choice["edges"], "delay": (limit + 1).to_string() }));
    let refused = late["refused"].as_str().unwrap();
    assert!(refused.contains("This is possible for"), "{refused}");
    assert!(
        running.ask(&json!({ "do": "take", "at": at, "edges": [], "delay": "soon" }))["refused"]
            .as_str()
            .unwrap()
            .contains("not a number")
    );
    assert!(
        running.ask(&json!({ "do": "take", "at": at, "edges": [], "delay": "-1" }))["refused"].is_string()
    );
}

#[test]
fn ways_answers_and_files() {
    let running = Running::begin(fischer());
    let way = running.ask(&json!({ "do": "way", "at": 0, "goal": "P(1).Critical and P(2).Critical" }));
    assert_eq!(way["verdict"], true, "{way}");
    let run = running.ask(&json!({ "do": "run", "at": way["at"] }));
    assert_eq!(run["path"].as_array().unwrap().len(), run["run"]["steps"].as_array().unwrap().len() + 1);
    let saved = running.ask(&json!({ "do": "save", "at": way["at"] }));
    let other = Running::begin(fischer());
    let loaded = other.ask(&json!({ "do": "load", "text": saved["text"] }));
    assert_eq!(other.ask(&json!({ "do": "run", "at": loaded["at"] }))["run"], run["run"]);
    let no = running.ask(&json!({ "do": "way", "at": 0, "goal": "false" }));
    assert_eq!((no["verdict"].as_bool(), &no["at"]), (Some(false), &Value::Null));
    let asked = running.ask(&json!({ "do": "ask", "query": "A[] not deadlock" }));
    assert_eq!(asked["verdict"], true, "{asked}");
    let wrong = running.ask(&json!({ "do": "way", "at": 0, "goal": "P(1).Nowhere" }));
    assert!(wrong["refused"].as_str().unwrap().contains("Nowhere"), "{wrong}");
    let branches = running.ask(&json!({ "do": "branches" }));
    assert_eq!(branches["all"], 1);
}

#[test]
fn a_search_can_be_stopped() {
    let running = Running::begin(Session::parse("big.xta", ENDLESS).unwrap());
    let begin = std::time::Instant::now();
    std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            running.ask(
                &json!({ "do": "ask", "query": "A[] n == (sum (i : int[0,39]) a[i]) % 2", "search": "tab" }),
            )
        });
        std::thread::sleep(std::time::Duration::from_millis(300));
        // Meanwhile, others look around.
        assert!(running.ask(&json!({ "do": "look", "at": 0 }))["choices"].is_array());
        running.ask(&json!({ "do": "stop", "search": "tab" }));
        let answer = search.join().unwrap();
        assert_eq!(answer["words"], "Undecided: interrupted.");
    });
    assert!(begin.elapsed().as_secs() < 20);
}

/// A model with more states than anybody has time for, and something that only all of them together rule out.
const ENDLESS: &str = "int[0,1] n; int[0,1] a[40]; \
    process P(const int[0,39] id) { state A; init A; trans A -> A { assign a[id] = 1 - a[id], n = 1 - n; }; } system P;";

#[test]
fn names_do_not_become_parts_of_the_page() {
    let text = "<nta><declaration>clock x;</declaration><template><name>T</name><location id=\"a\"><name>A</name></location><location id=\"b\"><name>B</name></location><init ref=\"a\"/>\
                <transition><source ref=\"a\"/><target ref=\"b\"/><label kind=\"guard\">x &lt; 3 &amp;&amp; x &gt; 1</label><label kind=\"comments\">&lt;script&gt;alert(1)&lt;/script&gt;</label></transition></template>\
                <system>P = T(); system P;</system><queries><query><formula>E&lt;&gt; P.B &amp;&amp; x &lt; 3</formula><comment>&lt;/script&gt;&lt;script&gt;alert(2)&lt;/script&gt;</comment></query></queries></nta>";
    let simulator = Simulator::new(Session::parse("m.xml", text).unwrap()).unwrap();
    let explorer =
        Explorer::new(simulator, "</title><script>alert(3)</script>.xml".to_owned(), Settings::default());
    let server = Arc::new(Server::bind(explorer, 0).unwrap());
    let serving = Arc::clone(&server);
    let thread = std::thread::spawn(move || serving.serve());
    let address = server.address();
    let (port, path) = address.strip_prefix("http://127.0.0.1:").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", port.parse::<u16>().unwrap())).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    server.stop();
    thread.join().unwrap();
    assert!(answer.contains("&lt;script&gt;alert(3)"));
    assert!(!answer.contains("<script>alert"), "names are escaped");
    assert_eq!(answer.matches("</script>").count(), 2, "the data and the script");
}

/// A hundred processes and ten thousand steps: what a tab asks for comes quickly.
#[test]
fn large_models_and_long_runs() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/fischer-faulty.xml");
    let text = std::fs::read_to_string(path).unwrap();
    let at = text.find("const int N = ").expect("the number of processes") + "const int N = ".len();
    let end = at + text[at..].find(';').unwrap();
    let text = format!("{}100{}", &text[..at], &text[end..]);
    let running = Running::begin(Session::parse("hundred.xml", &text).unwrap());
    let timed = |request: Value| {
        let begin = std::time::Instant::now();
        let answer = running.ask(&request);
        (answer, begin.elapsed())
    };
    let (steps, wandering) = timed(json!({ "do": "random", "at": 0, "steps": 10_000 }));
    assert_eq!(steps["path"].as_array().unwrap().len(), 10_000);
    let at = steps["at"].clone();
    let (look, looking) = timed(json!({ "do": "look", "at": at }));
    // Nobody waits long for a zone, however long the run is; it is told later.
    let (zone, waiting) = timed(json!({ "do": "zone", "at": at }));
    assert!(zone["ranges"].is_array() || zone["later"] == true, "{zone}");
    let (_, run) = timed(json!({ "do": "run", "at": at }));
    let (_, save) = timed(json!({ "do": "save", "at": at }));
    let (_, take) = timed(json!({ "do": "take", "at": at, "edges": look["choices"][0]["edges"] }));
    println!(
        "10,000 random steps of 100 processes: {wandering:?}; look: {looking:?}; zone: {waiting:?}; whole run: {run:?}; save: {save:?}; one step: {take:?}"
    );
    assert!(take.as_secs() < 3 && looking.as_secs() < 3 && waiting.as_secs() < 5);
}
