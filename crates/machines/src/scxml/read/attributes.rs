//! Attributes that the standard does not know: most of them are slips.

use super::{is_foreign, local};
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::read::markup::Element;
use guidepost_language::suggest::nearest;

/// The attributes of an element of SCXML; nothing for what is no element of it.
fn known(element: &str) -> Option<&'static [&'static str]> {
    Some(match element {
        "scxml" => &["initial", "name", "xmlns", "version", "datamodel", "binding", "exmode", "profile"],
        // `initial` of the last two gets a message of its own.
        "state" | "parallel" | "final" => &["id", "initial", "src"],
        "transition" => &["event", "cond", "target", "type"],
        "history" => &["id", "type"],
        "raise" => &["event"],
        "if" | "elseif" => &["cond"],
        "initial" | "onentry" | "onexit" | "else" | "datamodel" | "donedata" | "finalize" => &[],
        "foreach" => &["array", "item", "index"],
        "log" => &["label", "expr"],
        "data" => &["id", "src", "expr"],
        "assign" => &["location", "expr", "type", "attr"],
        "content" => &["expr"],
        "param" => &["name", "expr", "location"],
        "script" => &["src"],
        "send" => &[
            "event",
            "eventexpr",
            "target",
            "targetexpr",
            "type",
            "typeexpr",
            "id",
            "idlocation",
            "delay",
            "delayexpr",
            "namelist",
        ],
        "cancel" => &["sendid", "sendidexpr"],
        "invoke" => &["type", "typeexpr", "src", "srcexpr", "id", "idlocation", "namelist", "autoforward"],
        _ => return None,
    })
}

/// Warns of attributes that are left out. Those with a prefix belong to somebody else.
pub(super) fn check(element: &Element, out: &mut Diagnostics) {
    let Some(known) = known(local(&element.name)).filter(|_| !is_foreign(&element.name)) else { return };
    for attribute in &element.attributes {
        let name = attribute.name.as_str();
        if known.contains(&name) || name.contains(':') || name.starts_with("xmlns") {
            continue;
        }
        let message = format!("`<{}>` has no attribute `{name}`; it is left out", element.name);
        let diagnostic = Diagnostic::new(Code::OutsideTheStandard, attribute.span, message);
        out.push(match nearest(name, known.iter().copied()) {
            Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
            None => diagnostic,
        });
    }
    // What data and messages consist of is their own affair.
    if !matches!(local(&element.name), "data" | "content" | "script") {
        element.children.iter().for_each(|child| check(child, out));
    }
}
