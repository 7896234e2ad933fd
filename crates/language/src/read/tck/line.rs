//! The lexical level of TChecker's format: declarations of colon-separated fields, with attributes in braces.
//!
//! A declaration ends with its line; inside the braces line breaks are white space. `#` starts a comment.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{FileId, Span};
use crate::syntax::Ident;
use std::ops::Range;

/// `keyword:field:field{key:value:key:value}`
pub(super) struct Declaration {
    /// What is declared.
    pub keyword: Ident,
    /// The fields, without white space around them.
    pub fields: Vec<Ident>,
    /// The attributes in order.
    pub attributes: Vec<Attribute>,
    /// From the keyword to the last field.
    pub span: Span,
}

/// `key:value`
pub(super) struct Attribute {
    pub key: Ident,
    /// Where the value stands in the file, white space included.
    pub value: Range<usize>,
}

/// Cuts a file into declarations.
pub(super) fn declarations(text: &str, file: FileId, out: &mut Diagnostics) -> Vec<Declaration> {
    let mut scanner = Scanner { text, file, at: 0, out };
    let mut list = Vec::new();
    while let Some(declaration) = scanner.declaration() {
        list.push(declaration);
    }
    list
}

struct Scanner<'a> {
    text: &'a str,
    file: FileId,
    at: usize,
    out: &'a mut Diagnostics,
}

impl Scanner<'_> {
    fn declaration(&mut self) -> Option<Declaration> {
        self.skip_blank_lines();
        if self.at >= self.text.len() {
            return None;
        }
        let start = self.at;
        let end = self.find(start, &['\n', '#', '{']);
        let mut parts = self.split(start..end);
        let span = self.span(start..end);
        let keyword = parts.remove(0);
        self.at = end;
        let mut attributes = Vec::new();
        if self.text[end..].starts_with('{') {
            attributes = self.attributes();
        }
        self.end_of_line();
        Some(Declaration { keyword, fields: parts, attributes, span })
    }

    fn skip_blank_lines(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let blank =
                rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
            self.at += blank;
            if !self.text[self.at..].starts_with('#') {
                return;
            }
            self.at = self.find(self.at, &['\n']);
        }
    }

    fn attributes(&mut self) -> Vec<Attribute> {
        let open = self.at;
        let start = open + 1;
        let end = self.find(start, &['}', '{']);
        if !self.text[end..].starts_with('}') {
            let span = self.span(open..open + 1);
            let message = "this `{` is not closed before the next one or the end of the file";
            self.out.push(Diagnostic::new(Code::UnexpectedToken, span, message).hint("add a `}`"));
            self.at = self.find(open, &['\n']);
            return Vec::new();
        }
        self.at = end + 1;
        self.pairs(start..end)
    }

    fn pairs(&mut self, range: Range<usize>) -> Vec<Attribute> {
        let mut pieces = Vec::new();
        let mut from = range.start;
        for (at, _) in self.text[range.clone()].match_indices(':') {
            pieces.push(from..range.start + at);
            from = range.start + at + 1;
        }
        pieces.push(from..range.end);
        let mut list = Vec::new();
        for pair in pieces.chunks(2) {
            let key = self.ident(pair[0].clone());
            if let [_, value] = pair {
                list.push(Attribute { key, value: value.clone() });
            } else if !key.name.is_empty() {
                let message = format!("the attribute `{}` has no `:`", key.name);
                let hint = format!("write `{}:`, with a value behind it if it has one", key.name);
                self.out.push(Diagnostic::new(Code::UnexpectedToken, key.span, message).hint(hint));
            }
        }
        list
    }

    fn end_of_line(&mut self) {
        let end = self.find(self.at, &['\n', '#']);
        let left = &self.text[self.at..end];
        if !left.trim().is_empty() {
            let from = self.at + left.len() - left.trim_start().len();
            let span = self.span(from..self.at + left.trim_end().len());
            self.out.push(Diagnostic::new(Code::UnexpectedToken, span, "expected the end of the line"));
        }
        self.at = end;
    }

    fn split(&self, range: Range<usize>) -> Vec<Ident> {
        let mut from = range.start;
        let mut parts = Vec::new();
        for piece in self.text[range].split(':') {
            parts.push(self.ident(from..from + piece.len()));
            from += piece.len() + 1;
        }
        parts
    }

    fn ident(&self, range: Range<usize>) -> Ident {
        let piece = &self.text[range.clone()];
        let start = range.start + piece.len() - piece.trim_start().len();
        let name = piece.trim();
        Ident::new(name, self.span(start..start + name.len()))
    }

    /// The first of some characters at or behind `from`, or the end of the text.
    fn find(&self, from: usize, any: &[char]) -> usize {
        self.text[from..].find(any).map_or(self.text.len(), |at| from + at)
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range.start as u32, range.end.max(range.start) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str) -> (Vec<String>, usize) {
        let mut out = Diagnostics::default();
        let list = declarations(text, FileId(0), &mut out);
        let show = |declaration: &Declaration| {
            let fields: Vec<_> = declaration.fields.iter().map(|field| &*field.name).collect();
            let attributes = declaration.attributes.iter();
            let attributes: Vec<_> =
                attributes.map(|a| format!("{}={}", a.key.name, text[a.value.clone()].trim())).collect();
            format!("{} {} {}", declaration.keyword.name, fields.join(","), attributes.join(","))
        };
        (list.iter().map(show).collect(), out.len())
    }

    #[test]
    fn fields_and_attributes_are_told_apart() {
        let (list, problems) = scan(
            "# comment\n\nclock : 1 : x # c\nlocation:P:l{initial: : invariant: x<=1}\r\nedge:P:a:b:e{do : x=0;\n y=1 : provided: x>1}",
        );
        let expected =
            ["clock 1,x ", "location P,l initial=,invariant=x<=1", "edge P,a,b,e do=x=0;\n y=1,provided=x>1"];
        assert_eq!(list, expected);
        assert_eq!(problems, 0);
    }

    #[test]
    fn slips_are_reported_and_reading_goes_on() {
        let (list, problems) = scan("location:P:l{initial} junk\nlocation:P:m{ invariant: x<1\nevent:e");
        assert_eq!(list, ["location P,l ", "location P,m ", "event e "]);
        assert_eq!(problems, 3);
    }
}
