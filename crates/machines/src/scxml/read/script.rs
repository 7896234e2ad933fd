//! Scripts, as far as they are plain assignments.

use super::super::expression::calls;
use std::sync::Arc;

/// The assignments that a script consists of, if it consists of nothing else: variable and expression.
pub(super) fn assignments(text: &str) -> Option<Vec<(String, String)>> {
    let statements = text.split([';', '\n']).map(str::trim).filter(|statement| !statement.is_empty());
    statements.map(assignment).collect()
}

fn assignment(statement: &str) -> Option<(String, String)> {
    let is_name = |text: &str| {
        text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
            && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    for (sign, change) in [("++", "+"), ("--", "-")] {
        if let Some(name) = statement.strip_suffix(sign).filter(|name| is_name(name)) {
            return Some((name.to_owned(), format!("{name} {change} 1")));
        }
    }
    let at = statement.find('=')?;
    let (left, right) = (statement[..at].trim_end(), statement[at + 1..].trim());
    let is_comparison = right.starts_with('=') || left.ends_with(['!', '<', '>']);
    let is_plain = !right.contains(['{', '}', '"', '\'', '(', '[', '=', '?', '/']) && !right.is_empty();
    if is_comparison || !is_plain {
        return None;
    }
    let (name, operator) = match left.strip_suffix(['+', '-', '*']) {
        Some(name) => (name.trim_end(), left.chars().last()),
        None => (left, None),
    };
    let value = match operator {
        Some(operator) => format!("{name} {operator} ({right})"),
        None => right.to_owned(),
    };
    is_name(name).then(|| (name.to_owned(), value))
}

/// The variables that a script may change: those that it mentions, or all if it calls something.
pub(super) fn changed(text: &str, variables: &[Arc<str>]) -> Vec<usize> {
    let words: Vec<&str> = text
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .filter(|word| !word.is_empty())
        .collect();
    if calls(text) {
        return (0..variables.len()).collect();
    }
    let mentioned = |variable: &Arc<str>| words.contains(&&**variable);
    (0..variables.len()).filter(|&at| mentioned(&variables[at])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_assignments_are_read() {
        let read = |text| assignments(text);
        let pairs = |list: &[(&str, &str)]| {
            Some(
                list.iter()
                    .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(read("x = 1; y += x\nz++"), pairs(&[("x", "1"), ("y", "y + (x)"), ("z", "z + 1")]));
        assert_eq!(read("f(x)"), None);
        assert_eq!(read("x.y = 1"), None);
        assert_eq!(read("if (x) y = 1"), None);
    }

    #[test]
    fn calls_may_change_everything() {
        let variables: Vec<Arc<str>> = vec!["a".into(), "b".into()];
        assert_eq!(changed("if (a > 1) { a = [1] }", &variables), [0]);
        assert_eq!(changed("f(a)", &variables), [0, 1]);
    }
}
