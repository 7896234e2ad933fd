//! Messages about files that cannot be used, with their places.

use guidepost_machines::scxml::load_text;

/// `line:column code message`, one for each message.
fn messages(text: &str) -> Vec<String> {
    let loaded = load_text("wrong.scxml", text);
    let message = |one: &guidepost_language::diagnostic::Diagnostic| {
        let at = loaded.sources.file(one.span.file).position(one.span.start);
        let hints: Vec<String> = one.hints.iter().map(|hint| format!(" ({hint})")).collect();
        format!("{}:{} {} {}{}", at.line, at.column, one.code, one.message, hints.concat())
    };
    loaded.diagnostics.iter().map(message).collect()
}

fn chart(body: &str) -> Vec<String> {
    messages(&format!("<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'>\n{body}\n</scxml>"))
}

#[test]
fn targets_that_do_not_exist() {
    assert_eq!(
        chart("<state id='first'><transition event='e' target='frist'/></state>"),
        ["2:49 E100 there is no state `frist` (did you mean `first`?)"]
    );
    assert_eq!(
        chart("<state id='a' initial='b'><state id='c'/></state>"),
        ["2:24 E100 there is no state `b`"]
    );
}

#[test]
fn ids_that_stand_twice() {
    assert_eq!(chart("<state id='a'/>\n<state id='a'/>"), ["3:12 E021 two states have the id `a`"]);
}

#[test]
fn states_where_they_may_not_stand() {
    assert_eq!(
        chart("<final id='f'><state id='a'/></final>"),
        ["2:15 E101 `<state>` may not stand in final `f`"]
    );
    assert_eq!(chart(""), ["1:1 E101 a chart needs at least one state"]);
    assert_eq!(
        chart("<transition target='a'/><state id='a'/>"),
        ["2:1 E101 `<transition>` may not stand in `<scxml>`"]
    );
}

#[test]
fn states_that_cannot_be_active_together() {
    assert_eq!(
        chart("<state id='a'><transition event='e' target='b c'/></state><state id='b'/><state id='c'/>"),
        [
            "2:15 E102 `b` and `c` cannot be entered together (several targets must lie in different regions of a `<parallel>`)"
        ]
    );
    assert_eq!(
        chart("<state id='a' initial='b'><state id='c'/></state><state id='b'/>"),
        ["2:24 E102 `b` is not inside state `a`"]
    );
}

#[test]
fn histories_without_a_default() {
    assert_eq!(
        chart("<state id='a'><history id='h'/><state id='b'/></state>"),
        [
            "2:15 E103 history `h` has no transition that says where to begin (add `<transition target=\"…\"/>`, for when there is no history yet)"
        ]
    );
}

#[test]
fn files_that_are_something_else() {
    assert_eq!(messages("<nta/>"), ["1:1 E002 the outermost element is `<nta>`, not `<scxml>`"]);
    assert_eq!(messages(""), ["1:1 E004 there is no XML element in this file"]);
    assert_eq!(chart("<state id='a'>"), ["2:1 E003 `<state>` is not closed (add `</state>`)"]);
}

#[test]
fn what_the_standard_does_not_know_is_said() {
    assert_eq!(
        chart("<state id='a'><colour/></state>"),
        ["2:15 W023 `<colour>` is no element of SCXML; it is left out"]
    );
}

#[test]
fn nothing_panics_on_broken_texts() {
    let text = "<scxml><state id='a' initial='b'><transition event='e' cond='x + ' target='b'><send eventexpr='f('/></transition>\
         <state id='b'><onentry><if cond=''><else/></if><foreach item='i'/><cancel/></onentry></state></state></scxml>";
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        messages(&text[..end]);
        messages(&text[end..]);
    }
}
