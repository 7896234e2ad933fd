//! Names of the language, as near as possible to those of an author.

use guidepost_language::write::is_plain_name;
use std::collections::HashSet;

/// The names that are taken.
#[derive(Debug, Clone, Default)]
pub(super) struct Names(HashSet<String>);

/// Longer names are cut: a location may be named after very many states.
const LONGEST: usize = 80;

impl Names {
    /// A name like the wanted one that is not taken. `kind` tells it from others if need be.
    pub(super) fn fresh(&mut self, wanted: &str, kind: &str) -> String {
        let mut plain = plain(wanted);
        while !is_plain_name(&plain) {
            plain.push('_');
        }
        let with_kind = (!kind.is_empty()).then(|| format!("{plain}_{kind}"));
        let numbered = (2..).map(|number: usize| format!("{plain}_{number}"));
        let mut candidates = std::iter::once(plain.clone()).chain(with_kind).chain(numbered);
        let free = candidates.find(|name| !self.0.contains(name));
        let name = free.unwrap_or_default();
        self.0.insert(name.clone());
        name
    }

    /// Takes the names of others as well.
    pub(super) fn take(&mut self, others: &Names) {
        self.0.extend(others.0.iter().cloned());
    }
}

/// Letters, digits and `_`, and no digit first.
fn plain(text: &str) -> String {
    let sign = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = text.chars().take(LONGEST).map(sign).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() { format!("_{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_close_and_differ() {
        let mut names = Names::default();
        let made =
            ["cup.taken", "cup taken", "5s", "state", "ärger", "", ""].map(|name| names.fresh(name, "event"));
        assert_eq!(made, ["cup_taken", "cup_taken_event", "_5s", "state_", "_rger", "_", "__event"]);
        assert_eq!(names.fresh("cup.taken", ""), "cup_taken_2");
    }
}
