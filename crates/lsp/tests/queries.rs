//! Queries, XML and controllers: names across files, and answers.

mod common;

use common::{Client, codes, edited, root};
use lsp_server::Message;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A folder of files that is removed again.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("guidepost-lsp-test-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.0.join(name).display())
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a file");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const MODEL: &str = "clock x;\nprocess P(const int[1,2] id) {\n    int n;\n    state A { x <= 5 }, B;\n    init A;\n    trans A -> B { guard x >= 2; assign n = id; };\n}\nsystem P;\n";
const QUERIES: &str = "// reachable\nE<> P(1).B\nA[] P(2).A imply x <= 5\n";

#[test]
fn queries_know_the_model_beside_them() {
    let folder = Folder::new("beside");
    folder.write("m.xta", MODEL);
    let (model, queries) = (folder.uri("m.xta"), folder.uri("m.q"));
    let mut client = Client::start();
    client.open(&queries, QUERIES);
    assert_eq!(client.messages(&queries, 1), Vec::<Value>::new());
    // The model is on the disk only.
    let found = client.at("textDocument/definition", &queries, QUERIES, "A imply", 0).unwrap();
    assert_eq!(found["uri"], model.as_str());
    assert_eq!(client.completions(&queries, QUERIES, "E<> P(1)."), ["id", "n", "A", "B"]);
    let words = client.completions(&queries, QUERIES, "A[] ");
    assert!(
        words.contains(&"deadlock".to_owned())
            && words.contains(&"P".to_owned())
            && words.contains(&"x".to_owned()),
        "{words:?}"
    );
    // Renaming in one changes the other, opened or not.
    let edit = client.rename(&queries, QUERIES, "B\n", 0, "Done").unwrap();
    assert_eq!(edited(QUERIES, &edit["changes"][&queries]), QUERIES.replace(".B", ".Done"));
    assert_eq!(edited(MODEL, &edit["changes"][&model]), MODEL.replace('B', "Done"));
    // What is open counts, not what is on the disk.
    client.open(&model, &MODEL.replace("B;", "C;").replace("-> B", "-> C"));
    assert_eq!(codes(&client.messages(&queries, 1)), ["E024"]);
    client.replace(&queries, 2, "E<> P(1).C\nE<> P(1).\n");
    let messages = client.messages(&queries, 2);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_eq!(messages[0]["range"]["start"]["line"], 1);
}

#[test]
fn queries_without_a_model_say_so() {
    let folder = Folder::new("alone");
    let queries = folder.uri("q.q");
    let mut client = Client::start();
    client.open(&queries, "E<> P.B\nA[] (\n");
    let messages = client.messages(&queries, 1);
    assert!(messages.iter().any(|message| message["severity"] == 1), "{messages:?}");
    assert!(
        messages
            .iter()
            .any(|message| message["message"].as_str().unwrap().contains("there is no model `q.xml`"))
    );
    let lenses =
        client.request("textDocument/codeLens", json!({ "textDocument": { "uri": queries } })).unwrap();
    assert_eq!(lenses, json!([]));
}

#[test]
fn queries_are_checked_and_runs_shown() {
    let folder = Folder::new("check");
    let (model, queries) = (folder.uri("m.xta"), folder.uri("m.q"));
    let mut client = Client::start();
    client.open(&model, MODEL);
    client.open(&queries, QUERIES);
    client.messages(&queries, 1);
    let lenses =
        client.request("textDocument/codeLens", json!({ "textDocument": { "uri": queries } })).unwrap();
    let lenses = lenses.as_array().unwrap();
    assert_eq!(lenses.len(), 4);
    assert_eq!(lenses[0]["range"]["start"]["line"], 1);
    let command = |lens: &Value| json!({ "command": lens["command"]["command"], "arguments": lens["command"]["arguments"] });
    let answer = client.request("workspace/executeCommand", command(&lenses[0])).unwrap();
    assert_eq!(answer["verdict"], "satisfied");
    assert_eq!(answer["report"], Value::Null);
    let shown = client.heard("window/showMessage");
    assert!(shown["message"].as_str().unwrap().starts_with("E<> P(1).B: "), "{shown}");
    // The answer stands beside the query until the text changes.
    let notes = client.messages(&queries, 1);
    assert!(
        notes.iter().any(|note| note["source"] == "guidepost check" && note["range"]["start"]["line"] == 1),
        "{notes:?}"
    );
    let answer = client.request("workspace/executeCommand", command(&lenses[1])).unwrap();
    assert!(answer["text"].as_str().unwrap().contains("A -> B"), "{answer}");
    let report = PathBuf::from(answer["report"].as_str().unwrap());
    assert!(std::fs::read_to_string(&report).unwrap().contains("<html"));
    std::fs::remove_dir_all(report.parent().unwrap()).unwrap();
    client.replace(&queries, 2, "A[] P(1).A");
    assert_eq!(client.messages(&queries, 2), Vec::<Value>::new());
    let broken = json!({ "command": "guidepost.check", "arguments": [queries, 7] });
    assert!(client.request("workspace/executeCommand", broken).unwrap_err().contains("there is no query 7"));
}

#[test]
fn checks_can_be_ended() {
    let mut client = Client::start();
    // Nothing is found for a long time: 2^40 states.
    let bits: String = (0..40).map(|bit| format!("bool b{bit};")).collect();
    let edges: Vec<String> = (0..40).map(|bit| format!("A -> A {{ assign b{bit} = !b{bit}; }}")).collect();
    let all: Vec<String> = (0..40).map(|bit| format!("b{bit}")).collect();
    let text = format!("{bits} process P() {{ state A; init A; trans {}; }} system P;", edges.join(", "));
    let (model, queries) = ("file:///nowhere/big.xta", "file:///nowhere/big.q");
    client.open(model, &text);
    client.open(queries, &format!("A[] not ({} and P.A and !P.A)", all.join(" and ")));
    client.messages(queries, 1);
    let id = client
        .send("workspace/executeCommand", json!({ "command": "guidepost.check", "arguments": [queries, 1] }));
    // Others are served meanwhile.
    client.at("textDocument/hover", model, &text, "b7", 0).unwrap();
    client.notify("$/cancelRequest", json!({ "id": id }));
    let answer = client.answer(id);
    assert!(answer.as_ref().is_err_and(|error| error.starts_with("-32800")) || answer.is_ok(), "{answer:?}");
}

#[test]
fn labels_of_xml_are_texts_of_their_own() {
    let text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<nta>\n<declaration>clock x; const int N = 4;\nchan go;</declaration>\n<template><name>P</name><declaration>int n;</declaration>\n\
        <location id=\"id0\"><name>A</name><label kind=\"invariant\">x &lt;= N &amp;&amp; n &lt; 3</label></location>\n<location id=\"id1\"><name>B</name></location>\n<init ref=\"id0\"/>\n\
        <transition><source ref=\"id0\"/><target ref=\"id1\"/><label kind=\"select\">i : int[0,2]</label><label kind=\"guard\">x &gt;= 2 &amp;&amp; i &gt; 0</label><label kind=\"assignment\">n = i</label></transition>\n\
        </template>\n<system>system P;</system>\n<queries><query><formula>E&lt;&gt; P.B and x &lt; N</formula><comment/></query></queries>\n</nta>\n";
    let uri = "file:///nowhere/m.xml";
    let mut client = Client::start();
    client.open(uri, text);
    let messages = client.messages(uri, 1);
    assert!(messages.iter().all(|message| message["severity"] != 1), "{messages:?}");
    let edit = client.rename(uri, text, "N = 4", 0, "LIMIT").unwrap();
    let renamed = edited(text, &edit["changes"][uri]);
    assert_eq!(
        renamed,
        text.replace("N = 4", "LIMIT = 4").replace("&lt;= N", "&lt;= LIMIT").replace("&lt; N", "&lt; LIMIT")
    );
    let edit = client.rename(uri, text, "B and", 0, "Goal").unwrap();
    assert_eq!(
        edited(text, &edit["changes"][uri]),
        text.replace("<name>B<", "<name>Goal<").replace("P.B", "P.Goal")
    );
    let inside = client.completions(uri, text, "&amp;&amp; i");
    assert!(
        ["i", "n", "x", "N", "go"].iter().all(|name| inside.iter().any(|item| item == name)),
        "{inside:?}"
    );
    assert_eq!(client.completions(uri, text, "E&lt;&gt; P."), ["n", "A", "B"]);
    assert!(client.completions(uri, text, "<transition").is_empty());
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } })).unwrap();
    assert_eq!(lenses.as_array().unwrap().len(), 2);
    let answer = client
        .request("workspace/executeCommand", json!({ "command": "guidepost.check", "arguments": [uri, 1] }))
        .unwrap();
    assert_eq!(answer["verdict"], "satisfied");
    let symbols =
        client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } })).unwrap();
    assert!(symbols.to_string().contains("E<> P.B and x < N"), "{symbols}");
    let foldings =
        client.request("textDocument/foldingRange", json!({ "textDocument": { "uri": uri } })).unwrap();
    assert!(foldings.as_array().unwrap().len() >= 3, "{foldings}");
    let wrong = text.replace("x &gt;= 2", "x &gt;= M");
    client.replace(uri, 2, &wrong);
    let messages = client.messages(uri, 2);
    assert_eq!(codes(&messages), ["E020"]);
    assert_eq!(messages[0]["range"]["start"], common::position(&wrong, "M &amp;", 0));
}

#[test]
fn controllers_have_names_too() {
    let path = root().join("models/plc");
    let file = std::fs::read_dir(&path)
        .expect("there are controllers")
        .flatten()
        .find(|entry| entry.path().extension().is_some_and(|end| end == "plc"));
    let file = file.expect("a controller").path();
    let text = std::fs::read_to_string(&file).unwrap();
    let uri = format!("file://{}", file.display());
    let mut client = Client::start();
    client.open(&uri, &text);
    let messages = client.messages(&uri, 1);
    assert!(messages.iter().all(|message| message["severity"] != 1), "{messages:?}");
    let symbols =
        client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } })).unwrap();
    let program = symbols.as_array().unwrap().iter().find(|symbol| symbol["kind"] == 5).expect("a program");
    let (name, at) = (program["name"].as_str().unwrap(), &program["selectionRange"]["start"]);
    let place = json!({ "textDocument": { "uri": uri }, "position": at });
    let found = client.request("textDocument/hover", place.clone()).unwrap();
    assert!(found["contents"]["value"].as_str().unwrap().contains(&format!("program {name}")), "{found}");
    let mut rename = place.clone();
    rename["newName"] = json!("Renamed");
    let edit = client.request("textDocument/rename", rename.clone()).unwrap();
    let renamed = edited(&text, &edit["changes"][&uri]);
    client.replace(&uri, 2, &renamed);
    let after = client.messages(&uri, 2);
    assert_eq!(codes(&after), codes(&messages));
    rename["newName"] = json!("whenever");
    assert!(client.request("textDocument/rename", rename).is_err());
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } })).unwrap();
    assert!(lenses.as_array().is_some_and(|lenses| !lenses.is_empty()), "{lenses}");
    client.replace(&uri, 3, &text.replace("program", "porgram"));
    assert!(client.messages(&uri, 3).iter().any(|message| message["severity"] == 1));
}

#[test]
fn the_server_asks_for_documents_to_be_shown_where_it_can() {
    let mut client = Client::with(
        json!({ "capabilities": { "window": { "showDocument": { "support": true } } }, "initializationOptions": { "timeLimit": 5 } }),
    );
    let uri = "file:///nowhere/m.xta";
    client.open(uri, MODEL);
    client.open("file:///nowhere/m.q", QUERIES);
    let answer = client
        .request(
            "workspace/executeCommand",
            json!({ "command": "guidepost.run", "arguments": ["file:///nowhere/m.q", 1] }),
        )
        .unwrap();
    let asked = client.wait(
        |message| matches!(message, Message::Request(request) if request.method == "window/showDocument"),
    );
    let Message::Request(asked) = asked else { unreachable!() };
    assert!(asked.params["uri"].as_str().unwrap().ends_with(".html"));
    let report = PathBuf::from(answer["report"].as_str().unwrap());
    std::fs::remove_dir_all(report.parent().unwrap()).unwrap();
}

/// As a newcomer writes a model: from nothing, with mistakes, completion and checking.
#[test]
fn a_coffee_machine_is_written_in_the_editor() {
    let folder = Folder::new("coffee");
    let (model, queries) = (folder.uri("coffee.xta"), folder.uri("coffee.q"));
    let mut client = Client::start();
    client.open(&model, "");
    assert_eq!(codes(&client.messages(&model, 1)).len(), 1, "an empty file is said to be empty");
    // The machine, with a misspelt name.
    let machine = "// money in, coffee out\nchan coin, coffee;\nclock brewing;\nprocess Machine() {\n    state idle, paid { brewing <= 5 };\n    init idle;\n    \
        trans idle -> paid { sync coin?; assign brewing = 0; },\n          paid -> idle { guard brewng >= 3; sync coffee!; };\n}\n";
    client.replace(&model, 2, machine);
    let messages = client.messages(&model, 2);
    let unknown =
        messages.iter().find(|message| message["code"] == "E020").expect("the name is not declared");
    assert!(unknown["message"].as_str().unwrap().contains("did you mean `brewing`?"), "{unknown}");
    let machine = machine.replace("brewng", "brewing");
    // Somebody who drinks; `c` offers the channels.
    let typing = format!(
        "{machine}process Person() {{\n    state thirsty, waiting;\n    init thirsty;\n    trans thirsty -> waiting {{ sync c"
    );
    client.replace(&model, 3, &typing);
    let offered = client.completions(&model, &typing, "sync c");
    assert!(offered.contains(&"coin".to_owned()) && offered.contains(&"coffee".to_owned()), "{offered:?}");
    let text = format!(
        "{typing}oin!; }},\n          waiting -> thirsty {{ sync coffee?; }};\n}}\nsystem Machine, Person;\n"
    );
    client.replace(&model, 4, &text);
    let messages = client.messages(&model, 4);
    assert!(messages.iter().all(|message| message["severity"] != 1), "{messages:?}");
    // Questions about it, and their answers.
    let asked = "E<> Machine.paid and brewing == 5\nA[] not deadlock\nMachine.paid --> Machine.idle\n";
    client.open(&queries, asked);
    assert_eq!(client.messages(&queries, 1), Vec::<Value>::new());
    assert_eq!(client.completions(&queries, asked, "E<> Machine."), ["idle", "paid"]);
    for number in 1..=3 {
        let check = json!({ "command": "guidepost.check", "arguments": [queries, number] });
        let answer = client.request("workspace/executeCommand", check).unwrap();
        assert_eq!(answer["verdict"], "satisfied", "{answer}");
    }
}
