//! Random edits, and the time they take.
//!
//! `GUIDEPOST_LSP_EDITS=10000` makes as many edits, `GUIDEPOST_LSP_SEED` chooses others.

mod common;

use common::{Client, root};
use serde_json::json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Steele and Vigna's splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, found);
        } else if path
            .extension()
            .and_then(|end| end.to_str())
            .is_some_and(|end| ["xta", "ta", "xml", "q", "plc", "tck"].contains(&end))
            && entry.metadata().is_ok_and(|data| data.len() < 60_000)
        {
            found.push(path);
        }
    }
}

const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ".",
    "P.",
    "&lt;",
    "<",
    ">",
    "</",
    "/*",
    "*/",
    "//",
    "\n",
    "\"",
    " ",
    "int",
    "clock x;",
    "process ",
    "system ",
    "A[] ",
    "E<> ",
    "->",
    "!",
    "?",
    "= 0",
    "'",
    "😀",
    "ä",
    "\u{feff}",
    "\r",
    "\r\n",
    "0",
    "99999999999",
    "const int N = N;",
    "struct { int a; } s;",
    "typedef ",
    "-",
    "--",
    "#",
    "\\",
    "<!--",
    "<![CDATA[",
    "x",
    "i : int[0,3]",
    "program ",
    "location ",
    "when ",
    "&#0;",
    "&",
];

#[test]
fn random_edits_end_nothing() {
    let edits = number("GUIDEPOST_LSP_EDITS", 300);
    let mut random = Random(number("GUIDEPOST_LSP_SEED", 1));
    let mut files = Vec::new();
    models(&root().join("models"), &mut files);
    models(&root().join("../shared/models"), &mut files);
    files.sort();
    let mut client = Client::start();
    let mut uri = String::new();
    let mut length = 0;
    for edit in 0..edits {
        if edit % 20 == 0 {
            if !uri.is_empty() {
                client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
            }
            let path = &files[random.below(files.len())];
            let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
            uri = format!(
                "file:///nowhere/{}",
                path.file_name().unwrap().to_string_lossy().replace(' ', "%20")
            );
            length = text.matches('\n').count() + 1;
            client.open(&uri, &text);
        }
        let line = random.below(length);
        let (start, more) = (random.below(60), random.below(4));
        let end = if random.below(8) == 0 {
            json!({ "line": line + random.below(3), "character": random.below(20) })
        } else {
            json!({ "line": line, "character": start + more })
        };
        let text = PIECES[random.below(PIECES.len())];
        let change =
            json!({ "range": { "start": { "line": line, "character": start }, "end": end }, "text": text });
        let document = json!({ "uri": uri, "version": edit + 2 });
        client.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [change] }),
        );
        let place =
            json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": start } });
        let mut rename = place.clone();
        rename["newName"] = json!(["x", "renamed", "A"][random.below(3)]);
        let mut references = place.clone();
        references["context"] = json!({ "includeDeclaration": true });
        let requests = [
            ("textDocument/hover", place.clone()),
            ("textDocument/definition", place.clone()),
            ("textDocument/references", references),
            ("textDocument/completion", place.clone()),
            ("textDocument/prepareRename", place.clone()),
            ("textDocument/rename", rename),
            ("textDocument/documentSymbol", place.clone()),
            ("textDocument/semanticTokens/full", place.clone()),
            ("textDocument/foldingRange", place.clone()),
            ("textDocument/codeLens", place.clone()),
            (
                "textDocument/formatting",
                json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 4, "insertSpaces": true } }),
            ),
        ];
        for _ in 0..3 {
            let (method, params) = requests[random.below(requests.len())].clone();
            if let Err(error) = client.request(method, params) {
                assert!(error.starts_with("-32803"), "edit {edit} of {uri}: {method}: {error}");
            }
        }
    }
}

/// A model of about 5,000 lines, as somebody would write one.
fn large() -> String {
    let mut text = String::from("const int N = 5;\nclock x;\nint[0,N] level;\n");
    for process in 0..40 {
        let _ = write!(text, "process P{process}(const int[0,1] id) {{\n    clock y;\n    int[0,9] n;\n");
        text += "    state\n";
        let states: Vec<_> =
            (0..40).map(|state| format!("        S{state} {{ y <= {} }}", state + 3)).collect();
        text += &(states.join(",\n") + ";\n    init S0;\n    trans\n");
        let edges: Vec<_> = (0..78)
            .map(|edge| {
                format!(
                    "        S{} -> S{} {{ guard y >= {} && n < N; assign y = 0, n = id; }}",
                    edge % 40,
                    (edge * 7 + 1) % 40,
                    edge % 3
                )
            })
            .collect();
        text += &(edges.join(",\n") + ";\n}\n");
    }
    let names: Vec<_> = (0..40).map(|process| format!("P{process}")).collect();
    text + &format!("system {};\n", names.join(", "))
}

/// An edit is answered within 100 ms. (Measured in a release build; other builds and busy machines get more.)
#[test]
fn an_edit_in_a_large_model_is_answered_at_once() {
    let text = large();
    assert!((4_800..5_400).contains(&text.lines().count()), "{}", text.lines().count());
    let mut client = Client::start();
    let uri = "file:///nowhere/large.xta";
    client.open(uri, &text);
    client.messages(uri, 1);
    let mut times = Vec::new();
    let last = if cfg!(debug_assertions) { 7 } else { 32 };
    for version in 2..last {
        let change = json!({ "range": { "start": { "line": 2500, "character": 0 }, "end": { "line": 2500, "character": 0 } }, "text": " " });
        let begin = Instant::now();
        client.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [change] }),
        );
        client
            .request(
                "textDocument/hover",
                json!({ "textDocument": { "uri": uri }, "position": { "line": 2510, "character": 30 } }),
            )
            .unwrap();
        times.push(begin.elapsed().as_secs_f64() * 1e3);
        client.messages(uri, version);
    }
    times.sort_by(f64::total_cmp);
    let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
    eprintln!("an edit in {} lines: median {median:.1} ms, slowest {slowest:.1} ms", text.lines().count());
    let most = if cfg!(debug_assertions) { 1_000.0 } else { 100.0 };
    assert!(median < most, "{median} ms");
}
