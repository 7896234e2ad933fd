//! A session with a textual model, request by request.

mod common;

use common::{Client, codes, edited, position};
use serde_json::{Value, json};

const URI: &str = "file:///nowhere/lamp.xta";
const LAMP: &str = "\
// how long it takes
const int N = 2 + 3;
typedef int[0,N] level_t;
typedef struct { int a; level_t deep[2]; } pair_t;
clock y;
urgent chan press;
pair_t both;
int twice(int v) {
    int local = v;
    return 2 * local;
}
process Lamp(const int[0,1] id, clock &x) {
    level_t n; // the level
    state off, low { y <= N }, bright { y <= 10 };
    commit bright;
    init off;
    trans off -> low { select k : int[0,3]; guard n < k && id == 0; sync press?; assign y = 0, both.a = twice(k); },
          low -> bright { guard n < 5; sync press?; },
          bright -> off { };
}
process User() {
    state idle;
    init idle;
    trans idle -> idle { sync press!; };
}
clock z;
L = Lamp(0, z);
system L, User;
";

fn opened() -> Client {
    let mut client = Client::start();
    client.open(URI, LAMP);
    let messages = client.messages(URI, 1);
    assert!(messages.iter().all(|message| message["severity"] != 1), "{messages:?}");
    client
}

fn hover(client: &mut Client, word: &str, n: usize) -> String {
    let found = client.at("textDocument/hover", URI, LAMP, word, n).unwrap();
    found["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn hovering_shows_declarations_values_and_comments() {
    let mut client = opened();
    let text = hover(&mut client, "N]", 0);
    assert_eq!(text, "```guidepost\nconst int N = 2 + 3\n```\n\nvalue: 5\n\nhow long it takes");
    let text = hover(&mut client, "n <", 0);
    assert_eq!(text, "```guidepost\nint[0,5] n\n```\n\nfrom 0 to 5\n\nthe level");
    assert!(hover(&mut client, "twice(k", 0).contains("int twice(int v)"));
    assert!(hover(&mut client, "press?", 0).contains("urgent chan press"));
    assert!(hover(&mut client, "low -> br", 0).contains("state Lamp.low { y <= N }"));
    assert!(hover(&mut client, "bright -> off", 0).contains("committed state Lamp.bright"));
    assert!(hover(&mut client, "L, User", 0).contains("L() = Lamp(0, z)"));
    assert!(hover(&mut client, "Lamp(0", 0).contains("process Lamp(const int[0,1] id, clock &x)"));
    assert!(hover(&mut client, "a = twice", 0).contains("int a"));
    assert!(hover(&mut client, "both.a", 0).contains("int[0,5] deep[2]"));
    assert!(hover(&mut client, "k &&", 0).contains("k : int[0,3]"));
    assert_eq!(hover(&mut client, "return", 0), "");
}

#[test]
fn definitions_and_references() {
    let mut client = opened();
    let found = client.at("textDocument/definition", URI, LAMP, "k &&", 0).unwrap();
    assert_eq!(found["range"]["start"], position(LAMP, "k : int", 0));
    let found = client.at("textDocument/definition", URI, LAMP, "low -> bright", 0).unwrap();
    assert_eq!(found["range"]["start"], position(LAMP, "low {", 0));
    let mut references = |word: &str, declaration: bool| {
        let params = json!({ "textDocument": { "uri": URI }, "position": position(LAMP, word, 0), "context": { "includeDeclaration": declaration } });
        client.request("textDocument/references", params).unwrap().as_array().unwrap().len()
    };
    assert_eq!(references("press?", true), 4);
    assert_eq!(references("press?", false), 3);
    assert_eq!(references("bright {", true), 4);
    assert_eq!(references("Lamp(const", true), 2);
    assert_eq!(references("a; level_t", true), 2);
    let highlights = client.at("textDocument/documentHighlight", URI, LAMP, "y;", 0).unwrap();
    assert_eq!(highlights.as_array().unwrap().len(), 4);
}

#[test]
fn renaming_changes_what_it_should_and_nothing_else() {
    let mut client = opened();
    let edit = client.rename(URI, LAMP, "low {", 0, "dim").unwrap();
    let renamed = edited(LAMP, &edit["changes"][URI]);
    assert_eq!(renamed, LAMP.replace("low", "dim"));
    let edit = client.rename(URI, LAMP, "a = twice", 0, "first").unwrap();
    let renamed = edited(LAMP, &edit["changes"][URI]);
    assert_eq!(renamed, LAMP.replace("int a;", "int first;").replace("both.a", "both.first"));
    let prepared = client.at("textDocument/prepareRename", URI, LAMP, "twice(k", 0).unwrap();
    assert_eq!(prepared["placeholder"], "twice");
}

#[test]
fn renaming_is_refused_where_it_cannot_be_safe() {
    let mut client = opened();
    let mut refused = |word: &str, new: &str| client.rename(URI, LAMP, word, 0, new).unwrap_err();
    assert!(refused("y;", "1y").contains("is no name"));
    assert!(refused("y;", "while").contains("is no name"));
    assert!(refused("y;", "press").contains("declared twice"), "a clash");
    // `n` would mean the parameter in the template from now on, or the other way round.
    assert!(refused("k : int", "n").contains("mean something else"), "capture");
    assert!(refused("N =", "n").contains("something else"), "hidden by a local name");
    assert!(refused("return", "x").contains("no name here"));
    client.replace(URI, 2, &LAMP.replace("clock y;", "clock y; int q = INT8_MAX; nonsense"));
    client.messages(URI, 2);
    let text = LAMP.replace("clock y;", "clock y; int q = INT8_MAX; nonsense");
    assert!(client.rename(URI, &text, "INT8_MAX", 0, "x").unwrap_err().contains("built in"));
    assert!(client.rename(URI, &text, "twice", 0, "x").unwrap_err().contains("has errors"));
}

#[test]
fn completions_know_scopes_and_members() {
    let mut client = opened();
    let has = |list: &[String], words: &[&str], not: &[&str]| {
        assert!(words.iter().all(|word| list.iter().any(|item| item == word)), "{words:?} in {list:?}");
        assert!(!not.iter().any(|word| list.iter().any(|item| item == word)), "none of {not:?} in {list:?}");
    };
    let inside = client.completions(URI, LAMP, "return 2 * l");
    has(&inside, &["local", "v", "N", "twice", "return", "both"], &["k", "id", "off"]);
    let edge = client.completions(URI, LAMP, "guard n < ");
    has(&edge, &["k", "id", "n", "off", "N", "true"], &["local", "v"]);
    let fields = client.completions(URI, LAMP, "both.");
    assert_eq!(fields, ["a", "deep"]);
    let nothing = client.completions(URI, LAMP, "// how ");
    assert!(nothing.is_empty(), "{nothing:?}");
    // While the text is broken.
    let typed = LAMP.replace("assign y = 0, both.a = twice(k);", "assign both.");
    client.replace(URI, 2, &typed);
    assert_eq!(client.completions(URI, &typed, "assign both."), ["a", "deep"]);
}

#[test]
fn outlines_colours_and_foldings() {
    let mut client = opened();
    let text_document = json!({ "textDocument": { "uri": URI } });
    let symbols = client.request("textDocument/documentSymbol", text_document.clone()).unwrap();
    let names: Vec<_> =
        symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["N", "level_t", "pair_t", "y", "press", "both", "twice", "z", "L", "Lamp", "User"]
            .map(|x| x)
            .to_vec()
            .tap_sorted(&names)
    );
    let lamp = symbols.as_array().unwrap().iter().find(|symbol| symbol["name"] == "Lamp").unwrap();
    let children: Vec<_> =
        lamp["children"].as_array().unwrap().iter().map(|child| child["name"].as_str().unwrap()).collect();
    assert_eq!(children, ["id", "x", "n", "off", "low", "bright"]);
    let foldings = client.request("textDocument/foldingRange", text_document.clone()).unwrap();
    let lines: Vec<_> =
        foldings.as_array().unwrap().iter().map(|fold| fold["startLine"].as_u64().unwrap()).collect();
    assert_eq!(lines, [7, 11, 20]);
    let tokens = client.request("textDocument/semanticTokens/full", text_document).unwrap();
    let words = words(LAMP, &tokens["data"]);
    assert!(
        words.contains(&("press", 7)) && words.contains(&("twice", 2)) && words.contains(&("off", 6)),
        "{words:?}"
    );
    assert!(
        words.contains(&("level_t", 3)) && words.contains(&("id", 1)) && words.contains(&("deep", 8)),
        "{words:?}"
    );
}

/// Sorted as another list is, so that a list can be compared whatever its order is.
trait TapSorted<T> {
    fn tap_sorted(self, other: &[T]) -> Vec<T>;
}

impl<'a> TapSorted<&'a str> for Vec<&'a str> {
    fn tap_sorted(mut self, other: &[&'a str]) -> Vec<&'a str> {
        self.sort_by_key(|name| other.iter().position(|own| own == name));
        self
    }
}

/// The words that tokens cover, with their kinds.
fn words<'t>(text: &'t str, data: &Value) -> Vec<(&'t str, u64)> {
    let lines: Vec<&str> = text.split('\n').collect();
    let (mut line, mut column) = (0, 0);
    let numbers: Vec<usize> =
        data.as_array().unwrap().iter().map(|number| number.as_u64().unwrap() as usize).collect();
    let words = numbers.chunks(5).map(|token| {
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        line += token[0];
        (&lines[line][column..column + token[2]], token[3] as u64)
    });
    words.collect()
}

#[test]
fn formatting_keeps_comments_and_is_done_once() {
    let mut client = Client::start();
    let text = "clock x; // time\nprocess P(){state A{x<=5};init A;/* no edges */}\nsystem P;";
    client.open(URI, text);
    let params = json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 4, "insertSpaces": true } });
    let edits = client.request("textDocument/formatting", params.clone()).unwrap();
    let tidied = edited(text, &edits);
    assert_eq!(
        tidied,
        "clock x; // time\nprocess P() {\n    state A { x <= 5 };\n    init A; /* no edges */\n}\nsystem P;\n"
    );
    client.replace(URI, 2, &tidied);
    assert_eq!(client.request("textDocument/formatting", params).unwrap(), json!([]));
}

#[test]
fn messages_follow_every_edit() {
    let mut client = opened();
    let wrong = LAMP.replace("y <= N", "y <= M");
    client.replace(URI, 2, &wrong);
    let messages = client.messages(URI, 2);
    assert_eq!(codes(&messages), ["E020"]);
    assert_eq!(messages[0]["range"]["start"], position(&wrong, "M }", 0));
    assert_eq!(messages[0]["source"], "guidepost");
    client.replace(URI, 3, LAMP);
    assert!(!codes(&client.messages(URI, 3)).contains(&"E020"));
    // Only instantiation shows this.
    let outside = LAMP.replace("level_t n;", "level_t n = 9;");
    client.replace(URI, 4, &outside);
    let messages = client.messages(URI, 4);
    assert!(codes(&messages).iter().any(|code| code.starts_with('E')), "{messages:?}");
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    let gone = client.wait(|message| matches!(message, lsp_server::Message::Notification(n) if n.params["diagnostics"] == json!([])));
    assert!(matches!(gone, lsp_server::Message::Notification(_)));
}

#[test]
fn columns_are_counted_as_agreed() {
    let text = "// 😀ä\nint a; /* 😀 */ int b = a;\nprocess P() { state A; init A; }\nsystem P;\n";
    for (encoding, column) in [("utf-16", 27), ("utf-8", 29), ("utf-32", 26)] {
        let mut client =
            Client::with(json!({ "capabilities": { "general": { "positionEncodings": [encoding] } } }));
        assert_eq!(client.capabilities["positionEncoding"], encoding);
        client.open(URI, text);
        // The use of `a`, behind a character outside the first plane.
        let at =
            json!({ "textDocument": { "uri": URI }, "position": { "line": 1, "character": column - 3 } });
        let found = client.request("textDocument/hover", at).unwrap();
        let start = found["range"]["start"]["character"].as_u64().unwrap_or(999);
        let written: String = text.lines().nth(1).unwrap().to_owned();
        let offset = written.rfind('a').unwrap();
        let expected = match encoding {
            "utf-8" => offset,
            "utf-16" => written[..offset].encode_utf16().count(),
            _ => written[..offset].chars().count(),
        };
        let at = json!({ "textDocument": { "uri": URI }, "position": { "line": 1, "character": expected } });
        let found = client.request("textDocument/hover", at).unwrap();
        assert_eq!(found["range"]["start"]["character"], expected, "{encoding}, {start}");
        // An edit behind it.
        let range = json!({ "start": { "line": 1, "character": expected }, "end": { "line": 1, "character": expected + 1 } });
        let document = json!({ "uri": URI, "version": 2 });
        client.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "range": range, "text": "zz" }] }),
        );
        let messages = client.messages(URI, 2);
        assert!(messages[0]["message"].as_str().unwrap().contains("`zz` is not declared"), "{messages:?}");
    }
}

#[test]
fn requests_about_nothing_are_answered() {
    let mut client = Client::start();
    for method in [
        "textDocument/hover",
        "textDocument/definition",
        "textDocument/completion",
        "textDocument/documentHighlight",
    ] {
        let place = json!({ "textDocument": { "uri": "file:///no/such.xta" }, "position": { "line": 7, "character": 7 } });
        assert_eq!(client.request(method, place), Ok(Value::Null), "{method}");
    }
    let about = json!({ "textDocument": { "uri": "untitled:Untitled-1" } });
    assert_eq!(client.request("textDocument/foldingRange", about.clone()), Ok(Value::Null));
    assert!(
        client
            .request(
                "textDocument/formatting",
                json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 4, "insertSpaces": true } })
            )
            .is_err()
    );
    assert!(client.request("textDocument/nonsense", about).unwrap_err().contains("not supported"));
    assert!(client.request("textDocument/hover", json!({ "position": 3 })).is_err());
    assert!(client.request("workspace/executeCommand", json!({ "command": "rm", "arguments": [] })).is_err());
    // A new text, which has no name yet.
    let document = json!({ "uri": "untitled:Untitled-1", "languageId": "guidepost-xta", "version": 1, "text": "int a; int b = c;" });
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    let messages = client.messages("untitled:Untitled-1", 1);
    assert!(codes(&messages).contains(&"E020"), "{messages:?}");
    client.open("file:///empty.xta", "");
    assert_eq!(codes(&client.messages("file:///empty.xta", 1)).len(), 1);
}
