//! Lines and columns of the protocol, and byte offsets.
//!
//! Columns count UTF-16 units unless client and server have agreed on something else.

use lsp_types::{Position, PositionEncodingKind, Range};
use std::ops::Range as Bytes;

/// What columns count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

impl Encoding {
    /// The first that both sides know, in the client's order; UTF-16 is always possible.
    pub(crate) fn agreed(offered: Option<&[PositionEncodingKind]>) -> Self {
        let known = offered.unwrap_or_default().iter().find_map(|kind| match kind.as_str() {
            "utf-8" => Some(Encoding::Utf8),
            "utf-16" => Some(Encoding::Utf16),
            "utf-32" => Some(Encoding::Utf32),
            _ => None,
        });
        known.unwrap_or(Encoding::Utf16)
    }

    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    /// How many columns a text is wide.
    pub(crate) fn width(self, text: &str) -> u32 {
        let width = match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => text.chars().count(),
        };
        width as u32
    }

    fn of(self, character: char) -> usize {
        match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }
}

/// Where the lines of a text begin. Lines end with `\n`, `\r\n` or `\r`, as the protocol has it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = bytes
            .iter()
            .enumerate()
            .filter(|&(at, &byte)| byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')));
        Self { starts: std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect() }
    }

    /// How many lines there are.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.starts.len()
    }

    /// The line of an offset, from 0.
    pub(crate) fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32 - 1
    }

    /// The bytes of a line, without what ends it.
    pub(crate) fn bytes(&self, text: &str, line: u32) -> Bytes<usize> {
        let Some(&start) = self.starts.get(line as usize) else { return text.len()..text.len() };
        let start = start as usize;
        let end = self.starts.get(line as usize + 1).map_or(text.len(), |&next| next as usize);
        start..start + text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// The position of an offset. One inside a character counts as its beginning.
    pub(crate) fn position(&self, text: &str, offset: u32, encoding: Encoding) -> Position {
        let offset = boundary(text, offset as usize);
        let line = self.line(offset as u32);
        let start = self.starts[line as usize] as usize;
        Position { line, character: encoding.width(&text[start..offset]) }
    }

    /// The range of some bytes.
    pub(crate) fn range(&self, text: &str, bytes: Bytes<u32>, encoding: Encoding) -> Range {
        let start = self.position(text, bytes.start, encoding);
        let end = self.position(text, bytes.end.max(bytes.start), encoding);
        Range { start, end }
    }

    /// The offset of a position. Positions behind a line or the text are at its end, as the protocol has it.
    pub(crate) fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let line = self.bytes(text, position.line);
        let mut left = position.character as usize;
        for (at, character) in text[line.clone()].char_indices() {
            let width = encoding.of(character);
            if left < width {
                return line.start + at;
            }
            left -= width;
        }
        line.end
    }
}

/// The beginning of the character that an offset is in.
pub(crate) fn boundary(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_what_was_agreed() {
        let text = "a\r\nx😀y\rä";
        let lines = Lines::of(text);
        assert_eq!(lines.count(), 3);
        let at = |line, character| Position { line, character };
        for (encoding, column) in [(Encoding::Utf8, 5), (Encoding::Utf16, 3), (Encoding::Utf32, 2)] {
            let offset = text.find('y').unwrap();
            assert_eq!(lines.position(text, offset as u32, encoding), at(1, column));
            assert_eq!(lines.offset(text, at(1, column), encoding), offset);
        }
        assert_eq!(lines.offset(text, at(1, 2), Encoding::Utf16), 4, "inside a pair is its beginning");
        assert_eq!(lines.offset(text, at(0, 99), Encoding::Utf16), 1, "behind the line is its end");
        assert_eq!(lines.offset(text, at(99, 0), Encoding::Utf16), text.len());
        assert_eq!(lines.position(text, 999, Encoding::Utf16), at(2, 1));
        assert_eq!(Lines::of("").count(), 1);
    }

    #[test]
    fn the_client_s_order_decides() {
        let offered = [PositionEncodingKind::UTF32, PositionEncodingKind::UTF8];
        assert_eq!(Encoding::agreed(Some(&offered)), Encoding::Utf32);
        assert_eq!(Encoding::agreed(None), Encoding::Utf16);
        assert_eq!(
            Encoding::agreed(Some(&[PositionEncodingKind::from("utf-7".to_owned())])),
            Encoding::Utf16
        );
    }
}
