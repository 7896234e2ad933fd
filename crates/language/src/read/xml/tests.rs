use super::*;
use crate::syntax::{Direction, Expectation, LabelKind, Node};

fn read(text: &str) -> (Document, Diagnostics, SourceMap) {
    let mut sources = SourceMap::default();
    let file = sources.add("m.xml", text);
    let mut out = Diagnostics::default();
    let document = read_xml(&mut sources, file, &mut out);
    (document, out, sources)
}

fn codes(text: &str) -> Vec<&'static str> {
    read(text).1.iter().map(|diagnostic| diagnostic.code.id()).collect()
}

const TRAIN: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<nta>
<declaration>clock x; chan appr;</declaration>
<template>
  <name x="5" y="6">Train</name>
  <parameter>const int id</parameter>
  <declaration>clock y;</declaration>
  <location id="id0" x="-10" y="20" color="#ff0000"><name x="1" y="2">Safe</name></location>
  <location id="id1"><committed/><label kind="invariant" x="3" y="4">x &lt;= 5</label><label kind="comments">far</label></location>
  <branchpoint id="id2" x="7" y="8"/>
  <init ref="id0"/>
  <transition controllable="false"><label kind="synchronisation">appr!</label><source ref="id0"/><nail x="1" y="1"/><target ref="id2"/>
    <label kind="guard" x="9" y="9">x &gt;= 1 && y < 3</label><label kind="assignment">x = 0, y = 0</label><nail x="2" y="2"/></transition>
  <transition><source ref="id2"/><target ref="id1"/><label kind="probability">2</label></transition>
</template>
<instantiation>T = Train(1);</instantiation>
<system>system T;</system>
<queries><option key="--x" value="1"/><query><formula>E&lt;&gt; T.Safe</formula><comment> why </comment>
  <option key="--search-order" value="0"/><expect outcome="failure" type="symbolic"/></query><query><formula/><comment/></query></queries>
</nta>"##;

#[test]
fn everything_finds_its_place_in_the_tree() {
    let (document, out, sources) = read(TRAIN);
    assert!(out.is_empty(), "{out:?}");
    let template = &document.templates[0];
    assert_eq!((&*template.name.name, template.params.len(), template.decls.len()), ("Train", 1, 1));
    assert_eq!(template.init, Some(0));
    let location = &template.locations[1];
    assert_eq!((&*location.name.name, location.anonymous, location.committed), ("_id1", true, true));
    assert_eq!(location.drawing.comment.as_deref(), Some("far"));
    assert_eq!(template.locations[0].drawing.color.as_deref(), Some("#ff0000"));
    let edge = &template.edges[0];
    assert_eq!((edge.source, edge.target), (Node::Location(0), Node::Branchpoint(0)));
    assert_eq!(edge.drawing.nails.len(), 2);
    assert_eq!(edge.drawing.labels, [(LabelKind::Guard, Point { x: 9, y: 9 })]);
    assert_eq!((edge.update.len(), edge.controllable), (2, false));
    assert_eq!(edge.sync.as_ref().map(|sync| sync.direction), Some(Direction::Send));
    assert!(template.edges[1].probability.is_some());
    assert_eq!((document.system.decls.len(), document.system.processes.len()), (1, 1));
    let query = &document.queries[0];
    assert_eq!((query.text.as_str(), query.comment.as_str()), ("E<> T.Safe", "why"));
    assert_eq!((query.expect, query.options.len()), (Some(Expectation::NotSatisfied), 1));
    assert_eq!((document.queries.len(), document.queries[1].expect), (2, None));

    let place = |text: &str| sources.file(FileId(0)).place(TRAIN.find(text).unwrap() as u32).unwrap();
    assert_eq!(place("x &gt;= 1"), "template Train, edge Safe → id2, guard");
    assert_eq!(place("x &lt;= 5"), "template Train, location _id1, invariant");
    assert_eq!(place("clock x"), "declaration");
    assert_eq!(place("clock y"), "template Train, declaration");
    assert_eq!(place("const int"), "template Train, parameter");
    assert_eq!(place("system T"), "system declarations");
    assert_eq!(place("E&lt;"), "query 1");
}

#[test]
fn missing_parts_are_reported() {
    assert_eq!(codes(""), ["E004"]);
    assert_eq!(codes("<html/>"), ["E004"]);
    assert_eq!(codes("<nta></nta>"), ["E004"]);
    let template = |inside: &str| {
        let named =
            format!("<nta><template><name>P</name>{inside}</template><system>system P;</system></nta>");
        codes(&named)
    };
    let fine = "<location id=\"a\"/><init ref=\"a\"/>";
    assert_eq!(template(fine), Vec::<&str>::new());
    assert_eq!(template("<location id=\"a\"/>"), ["E029"]);
    assert_eq!(template("<location id=\"a\"/><init ref=\"b\"/>"), ["E028"]);
    assert_eq!(template("<location id=\"a\"/><init/>"), ["E004"]);
    assert_eq!(template(&format!("{fine}<location/>")), ["E004"]);
    assert_eq!(template(&format!("{fine}<location id=\"a\"/>")), ["W014"]);
    assert_eq!(template(&format!("{fine}<transition><source ref=\"a\"/></transition>")), ["E004"]);
    assert_eq!(template(&format!("{fine}<unknown/>")), Vec::<&str>::new());
    let ends = "<source ref=\"a\"/><target ref=\"a\"/>";
    assert_eq!(
        template(&format!("{fine}<transition>{ends}<label kind=\"gaurd\">1</label></transition>")),
        ["E008"]
    );
    assert_eq!(
        template(&format!("{fine}<transition>{ends}<label kind=\"colour\">1</label></transition>")),
        ["W013"]
    );
    let twice = "<label kind=\"guard\">1</label>".repeat(2);
    assert_eq!(template(&format!("{fine}<transition>{ends}{twice}</transition>")), ["E008"]);
    let nameless =
        "<nta><template><location id=\"a\"/><init ref=\"a\"/></template><system>system P;</system></nta>";
    assert_eq!(codes(nameless), ["E004"]);
    let chart = "<nta><lsc><name>Chart</name></lsc><system>system P;</system></nta>";
    assert_eq!(codes(chart), ["W013"]);
}

#[test]
fn errors_point_into_the_file() {
    let text = TRAIN.replace("x &lt;= 5", "x &lt;= ) 5");
    let (_, out, sources) = read(&text);
    let first = out.iter().next().expect("an error");
    assert_eq!(sources.text(first.span), ")");
}

#[test]
fn old_models_are_recognised() {
    let text = "<nta><declaration>const N 3;</declaration><system>system P;</system></nta>";
    assert_eq!(read(text).0.format, Format::Old);
}

#[test]
fn what_other_tools_need_is_kept() {
    let code = |kind: &str| format!("<label kind=\"{kind}\" x=\"1\" y=\"2\">print(&lt;{kind}&gt;);</label>");
    let text = format!(
        "<nta><template><name>P</name><location id=\"a\">{}{}</location><init ref=\"a\"/><transition><source ref=\"a\"/><target ref=\"a\"/>{}</transition>\
         </template><system>system P;</system><queries><option key=\"--diagnostic\" value=\"1\"/></queries></nta>",
        code("testcodeEnter"),
        code("testcodeExit"),
        code("testcode")
    );
    let (document, out, sources) = read(&text);
    assert_eq!(out.iter().map(|diagnostic| diagnostic.code.id()).collect::<Vec<_>>(), ["W013"], "said once");
    let written = crate::write::to_xml(&document, &sources).expect("nothing is in the way");
    for kind in ["testcodeEnter", "testcodeExit", "testcode"] {
        assert!(written.contains(&code(kind)), "{kind}: {written}");
    }
    assert!(written.contains("<option key=\"--diagnostic\" value=\"1\"/>"), "{written}");
    let (again, _, _) = read(&written);
    assert_eq!(again.query_options, document.query_options);
    assert_eq!(
        again.templates[0].edges[0].drawing.test_code,
        document.templates[0].edges[0].drawing.test_code
    );
}

#[test]
fn a_template_ends_where_the_next_thing_begins() {
    let part =
        |name: &str| format!("<template><name>{name}</name><location id=\"{name}\"/><init ref=\"{name}\"/>");
    let text = format!("<nta>{}{}<system>system P, Q;</system></nta>", part("P"), part("Q"));
    let (document, out, _) = read(&text);
    let messages: Vec<_> = out.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(messages, ["`<template>` is not closed"; 2]);
    assert_eq!((document.templates.len(), document.system.processes.len()), (2, 2));
}
