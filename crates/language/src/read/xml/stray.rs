//! Less-than signs that should have been escaped.
//!
//! People write `<label kind="guard">x < 5 && y<z</label>` by hand. A `<` that cannot begin a tag is meant as the operator: the
//! check replaces it, in a copy of the text of the same length, by a control character that the XML tokenizer takes for text. Texts are
//! cut out of the original afterwards.

use std::borrow::Cow;

/// Stands for a `<` that is no markup; not allowed in XML itself.
const PLACEHOLDER: u8 = 1;

/// The text with stray `<` replaced; all offsets stay the same.
pub(super) fn hidden(text: &str) -> Cow<'_, str> {
    let strays = strays(text);
    if strays.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for at in strays {
        bytes[at] = PLACEHOLDER;
    }
    // Only ASCII bytes were replaced by an ASCII byte.
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

fn strays(text: &str) -> Vec<usize> {
    let mut strays = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let rest = &text[start..];
        at = start
            + match rest {
                _ if rest.starts_with("<!--") => until(rest, "-->"),
                _ if rest.starts_with("<![CDATA[") => until(rest, "]]>"),
                _ if rest.starts_with("<?") => until(rest, "?>"),
                _ if rest.starts_with("<!") => doctype_length(rest),
                _ => tag_length(rest).unwrap_or_else(|| {
                    strays.push(start);
                    1
                }),
            };
    }
    strays
}

fn until(text: &str, end: &str) -> usize {
    text.find(end).map_or(text.len(), |at| at + end.len())
}

fn doctype_length(text: &str) -> usize {
    let bracket = text.find('[');
    match (bracket, text.find('>')) {
        (Some(open), Some(close)) if open < close => until(text, "]>"),
        (_, Some(close)) => close + 1,
        (_, None) => text.len(),
    }
}

/// The length of the tag at the start of `text`, if it is one.
fn tag_length(text: &str) -> Option<usize> {
    let mut rest = text[1..].strip_prefix('/').unwrap_or(&text[1..]);
    rest = skip_name(rest)?;
    loop {
        let trimmed = rest.trim_start();
        if let Some(behind) = trimmed.strip_prefix("/>").or_else(|| trimmed.strip_prefix('>')) {
            return Some(text.len() - behind.len());
        }
        if trimmed.is_empty() {
            // Cut off in the middle of a tag: for the tokenizer to report.
            return Some(text.len());
        }
        if trimmed.len() == rest.len() {
            return None;
        }
        rest = skip_attribute(trimmed)?;
    }
}

fn skip_name(text: &str) -> Option<&str> {
    let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.');
    let rest = text.trim_start_matches(name);
    (rest.len() < text.len() && text.starts_with(|c: char| c.is_alphabetic() || c == '_')).then_some(rest)
}

fn skip_attribute(text: &str) -> Option<&str> {
    let rest = skip_name(text)?;
    let Some(value) = rest.trim_start().strip_prefix('=') else { return Some(rest) };
    let value = value.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    match quote {
        Some(quote) => value[1..].split_once(quote).map(|(_, rest)| rest),
        None => Some(value.trim_start_matches(|c: char| !c.is_whitespace() && !matches!(c, '<' | '>' | '/'))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(hidden(text).replace('\u{1}', "%"), expected);
    }

    #[test]
    fn operators_are_told_from_tags() {
        check("<a>x < 5</a>", "<a>x % 5</a>");
        check("<a>x<=5 && y<z</a>", "<a>x%=5 && y%z</a>");
        check("<a>x<y && z>3</a>", "<a>x%y && z>3</a>");
        check("<a>i<N)</a>", "<a>i%N)</a>");
        check("<a>1<2</a>", "<a>1%2</a>");
    }

    #[test]
    fn markup_is_left_alone() {
        let fine = "<?xml version='1.0'?><!DOCTYPE a [<!ELEMENT a ANY>]><a b=\"1<2\" c='>' d=3>\
                    <!-- 1 < 2 --><![CDATA[ 1 < 2 ]]><br/><b\n/></a>";
        check(fine, fine);
        check("<a", "<a");
    }
}
