//! JSON, with the place of every value.

use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::source::{FileId, Span};

/// Deeper nesting than this is no machine.
const MOST_DEPTH: usize = 200;

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Json {
    pub(super) value: Value,
    pub(super) span: Span,
}

#[derive(Debug, Clone)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<Member>),
}

/// `"key": value`
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) key: String,
    pub(super) key_span: Span,
    pub(super) value: Json,
}

impl Json {
    /// A member of an object.
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        self.members().iter().find(|member| member.key == key).map(|member| &member.value)
    }

    /// The members of an object; none of anything else.
    pub(super) fn members(&self) -> &[Member] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// The text, if it is one.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list; anything else is a list of itself.
    pub(super) fn list(&self) -> &[Json] {
        match &self.value {
            Value::List(list) => list,
            _ => std::slice::from_ref(self),
        }
    }
}

/// Reads a text that is one value. What is wrong is reported once.
pub(super) fn parse(file: FileId, text: &str, out: &mut Diagnostics) -> Option<Json> {
    let mut parser = Parser { file, text, at: 0, depth: 0 };
    let parsed = parser.value().and_then(|value| {
        parser.space();
        if parser.at == text.len() { Ok(value) } else { Err(parser.expected("the end of the file").into()) }
    });
    parsed.map_err(|diagnostic| out.push(*diagnostic)).ok()
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

struct Parser<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn span(&self, from: usize) -> Span {
        Span::new(self.file, from as u32, self.at as u32)
    }

    fn next(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}']).len();
    }

    fn eat(&mut self, sign: char) -> bool {
        self.space();
        let is_there = self.next() == Some(sign);
        self.at += if is_there { sign.len_utf8() } else { 0 };
        is_there
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found = self.next().map_or_else(|| "the end of the file".to_owned(), |c| format!("`{c}`"));
        let end = self.at + self.next().map_or(0, char::len_utf8);
        let span = Span::new(self.file, self.at as u32, end as u32);
        Diagnostic::new(Code::UnexpectedToken, span, format!("expected {what}, found {found}"))
    }

    fn value(&mut self) -> Parsed<Json> {
        self.space();
        if self.depth == MOST_DEPTH {
            return Err(Box::new(Diagnostic::new(
                Code::NestingTooDeep,
                self.span(self.at),
                "this is nested too deeply",
            )));
        }
        self.depth += 1;
        let from = self.at;
        let value = match self.next() {
            Some('{') => self.object()?,
            Some('[') => self.array()?,
            Some('"') => Value::Text(self.string()?),
            Some(c) if c == '-' || c.is_ascii_digit() => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.word()?,
            _ => return Err(self.expected("a value").into()),
        };
        self.depth -= 1;
        Ok(Json { value, span: self.span(from) })
    }

    fn word(&mut self) -> Parsed<Value> {
        let rest = &self.text[self.at..];
        let known = [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))];
        for (word, value) in known {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        let hint = "a machine in JSON has no code: write `JSON.stringify(machine.config)` into the file";
        Err(Box::new(self.expected("a value").hint(hint)))
    }

    fn number(&mut self) -> Value {
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E'));
        let number = &rest[..length.unwrap_or(rest.len())];
        self.at += number.len();
        Value::Number(number.to_owned())
    }

    fn array(&mut self) -> Parsed<Value> {
        self.eat('[');
        let mut list = Vec::new();
        if self.eat(']') {
            return Ok(Value::List(list));
        }
        loop {
            list.push(self.value()?);
            if self.eat(']') {
                return Ok(Value::List(list));
            }
            if !self.eat(',') {
                return Err(self.expected("`,` or `]`").into());
            }
        }
    }

    fn object(&mut self) -> Parsed<Value> {
        self.eat('{');
        let mut members: Vec<Member> = Vec::new();
        if self.eat('}') {
            return Ok(Value::Object(members));
        }
        loop {
            self.space();
            let from = self.at;
            if self.next() != Some('"') {
                return Err(self.expected("a name in quotation marks").into());
            }
            let key = self.string()?;
            let key_span = self.span(from);
            if members.iter().any(|member| member.key == key) {
                let message = format!("`{key}` stands here twice");
                return Err(Box::new(Diagnostic::new(Code::DuplicateName, key_span, message)));
            }
            if !self.eat(':') {
                return Err(self.expected("`:`").into());
            }
            let value = self.value()?;
            members.push(Member { key, key_span, value });
            if self.eat('}') {
                return Ok(Value::Object(members));
            }
            if !self.eat(',') {
                return Err(self.expected("`,` or `}`").into());
            }
        }
    }

    fn string(&mut self) -> Parsed<String> {
        let from = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(c) = self.next() else { return Err(self.expected("`\"`").into()) };
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(text),
                '\\' => text.push(self.escape(from)?),
                c if c < ' ' => {
                    self.at -= 1;
                    return Err(self.expected("`\"`").into());
                }
                c => text.push(c),
            }
        }
    }

    fn escape(&mut self, from: usize) -> Parsed<char> {
        let c = self.next().unwrap_or(' ');
        self.at += c.len_utf8().min(self.text.len() - self.at);
        Ok(match c {
            '"' | '\\' | '/' => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let first = self.hex(from)?;
                let low = (0xd800..0xdc00).contains(&first) && self.text[self.at..].starts_with("\\u");
                let code = if low {
                    self.at += 2;
                    let second = self.hex(from)?;
                    0x1_0000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff)
                } else {
                    first
                };
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => {
                let message = format!("`\\{c}` means nothing in a text");
                return Err(Box::new(Diagnostic::new(Code::UnexpectedToken, self.span(from), message)));
            }
        })
    }

    fn hex(&mut self, from: usize) -> Parsed<u32> {
        let digits = self.text.get(self.at..self.at + 4);
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at = (self.at + 4).min(self.text.len());
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        code.ok_or_else(|| {
            Box::new(Diagnostic::new(
                Code::UnexpectedToken,
                self.span(from),
                "`\\u` needs four hexadecimal digits",
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Json, String> {
        let mut out = Diagnostics::default();
        parse(FileId(0), text, &mut out).ok_or_else(|| out.iter().map(|one| one.message.clone()).collect())
    }

    #[test]
    fn values_know_where_they_stand() {
        let json = read(" {\"a\": [1, \"x\\u00e9\\n\\ud83d\\ude00\"], \"b\": null}").unwrap();
        let list = json.get("a").unwrap();
        assert_eq!(list.list()[1].text(), Some("xé\n😀"));
        assert_eq!(list.span.range(), 7..list.span.end as usize);
        assert!(matches!(json.get("b").unwrap().value, Value::Null));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(read("{\"a\" 1}").unwrap_err(), "expected `:`, found `1`");
        assert_eq!(read("{a: 1}").unwrap_err(), "expected a name in quotation marks, found `a`");
        assert_eq!(read("[1, 2").unwrap_err(), "expected `,` or `]`, found the end of the file");
        assert_eq!(read("{\"a\": 1, \"a\": 2}").unwrap_err(), "`a` stands here twice");
        assert_eq!(read("\"\\q\"").unwrap_err(), "`\\q` means nothing in a text");
        assert!(read(&"[".repeat(5000)).is_err() && read("\"\\u12").is_err() && read("\"\\").is_err());
    }
}
