//! Colour, columns and line breaks.

use anstyle::{AnsiColor, Style};

/// How text is to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// With ANSI colours.
    pub color: bool,
    /// Columns available.
    pub width: usize,
    /// How much of a run is shown.
    pub detail: Detail,
}

/// How much of a run is shown; by default only what changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is asked for on its own")]
pub struct Detail {
    /// All clocks after each step.
    pub clocks: bool,
    /// The whole state after each step.
    pub full: bool,
    /// One line a step, with a column for everything that ever changes.
    pub columns: bool,
    /// The parts of the author's steps, where those are others than the model's.
    pub unfolded: bool,
}

impl Default for Look {
    /// Plain, for files and pipes.
    fn default() -> Self {
        Self { color: false, width: 100, detail: Detail::default() }
    }
}

pub(crate) const HEADING: Style = Style::new().dimmed();
pub(crate) const NAME: Style = Style::new().bold();
pub(crate) const CHANNEL: Style = AnsiColor::Cyan.on_default();
pub(crate) const CHANGE: Style = AnsiColor::Green.on_default();
pub(crate) const TROUBLE: Style = AnsiColor::Yellow.on_default();

impl Look {
    /// A text in a style, when there is colour.
    pub(crate) fn paint(self, style: Style, text: &str) -> String {
        if self.color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// A text padded on the right, then painted.
    pub(crate) fn left(self, style: Style, text: &str, width: usize) -> String {
        self.paint(style, text) + &" ".repeat(width.saturating_sub(columns(text)))
    }

    /// A text padded on the left, then painted.
    pub(crate) fn right(self, style: Style, text: &str, width: usize) -> String {
        " ".repeat(width.saturating_sub(columns(text))) + &self.paint(style, text)
    }

    /// Items with commas between them, broken into lines that fit behind an indentation. An item is never broken.
    pub(crate) fn list(self, items: &[String], indent: usize) -> Vec<String> {
        let room = self.width.saturating_sub(indent).max(24);
        let mut lines: Vec<String> = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let comma = if at + 1 < items.len() { "," } else { "" };
            match lines.last_mut() {
                Some(line) if columns(line) + 1 + columns(item) + comma.len() <= room => {
                    line.push(' ');
                    line.push_str(item);
                    line.push_str(comma);
                }
                _ => lines.push(format!("{item}{comma}")),
            }
        }
        lines
    }
}

/// How many columns a text takes. Names of models are ASCII; what else comes along is close enough.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().count()
}

/// `1 clock`, `2 clocks`
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_break_between_items() {
        let look = Look { width: 40, ..Look::default() };
        let items: Vec<String> = (0..8).map(|i| format!("a[{i}] = {}", i * 100)).collect();
        let lines = look.list(&items, 10);
        assert!(lines.len() > 1);
        assert!(lines.iter().all(|line| columns(line) <= 30), "{lines:?}");
        assert_eq!(lines.join(" "), items.join(", "));
    }

    #[test]
    fn paint_pads_outside_the_colour() {
        let look = Look { color: true, width: 80, ..Look::default() };
        assert!(look.left(NAME, "ab", 4).ends_with("  "));
        assert_eq!(Look::default().right(NAME, "ab", 4), "  ab");
    }
}
