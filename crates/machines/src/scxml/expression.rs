//! Expressions of the datamodel, as far as their values can be known.
//!
//! The forms that most charts use are read: numbers, Booleans, texts, variables, `In('state')`, `_event.name`, arithmetic, comparisons, Boolean operators and
//! `a ? b : c`. Everything else is *opaque*: its value is unknown, and only its text is kept.

use super::chart::StateId;
use super::value::Value;
use std::sync::Arc;

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Expression {
    /// A value.
    Constant(Value),
    /// A variable.
    Variable(usize),
    /// `_event.name`
    EventName,
    /// `In('state')`; a name that no state has is never active.
    In(Option<StateId>),
    /// `-a`, `!a`
    Unary(Unary, Box<Expression>),
    /// `a + b`, …
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `a ? b : c`
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
    /// A name that nobody declared: an error when it is evaluated.
    Undeclared(Arc<str>),
    /// Something whose value is unknown.
    Opaque(Opaque),
}

/// An expression whose value is unknown.
#[derive(Clone, PartialEq, Debug)]
pub struct Opaque {
    /// As it is written.
    pub text: Arc<str>,
    /// Whether it calls something, so that it may change variables and have another value each time.
    pub calls: bool,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    /// `-`
    Minus,
    /// `!`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `%`
    Remainder,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `===`
    Same,
    /// `!==`
    NotSame,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Who knows what names mean.
pub(super) trait Names {
    /// The number of a variable.
    fn variable(&self, name: &str) -> Option<usize>;
    /// A state.
    fn state(&self, id: &str) -> Option<StateId>;
    /// Whether a name that is not declared is an error, and not something that nobody here knows.
    fn is_strict(&self) -> bool;
}

/// Reads an expression of a datamodel that has `In('state')` and Boolean operators, and nothing else that is known here.
pub(super) fn parse_null(text: &str, names: &dyn Names) -> Expression {
    let is_known = |expression: &Expression| {
        let mut known = true;
        expression.visit(&mut |part| {
            known &= match part {
                Expression::In(_) | Expression::Unary(Unary::Not, _) => true,
                Expression::Binary(operator, ..) => matches!(operator, Binary::And | Binary::Or),
                Expression::Constant(value) => matches!(value, Value::Bool(_)),
                _ => false,
            };
        });
        known
    };
    match parse(text, names) {
        known if is_known(&known) => known,
        _ => Expression::Opaque(Opaque { text: one_line(text).into(), calls: text.contains('(') }),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads an expression; what is not understood is opaque as a whole.
pub(super) fn parse(text: &str, names: &dyn Names) -> Expression {
    let opaque = || {
        let text = one_line(text);
        // A function that is defined does not run yet.
        let is_definition = text.starts_with("function");
        let changes = calls(&text) || text.contains("++") || text.contains("--") || assigns(&text);
        let calls = changes && !is_definition;
        Expression::Opaque(Opaque { text: text.into(), calls })
    };
    let Some(tokens) = tokens(text) else { return opaque() };
    let mut parser = Parser { tokens: &tokens, names };
    match parser.choice() {
        Some(expression) if parser.tokens.is_empty() => expression,
        _ => opaque(),
    }
}

/// Whether something stands before a bracket that is no keyword.
pub(super) fn calls(text: &str) -> bool {
    text.match_indices('(').any(|(at, _)| {
        let before = text[..at].trim_end();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let word = &before[before.trim_end_matches(is_part).len()..];
        !matches!(word, "if" | "while" | "for" | "switch")
            && (!word.is_empty() || before.ends_with([')', ']']))
    })
}

/// Whether there is a `=` that is no comparison.
fn assigns(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is = |at: usize, set: &[u8]| bytes.get(at).is_some_and(|byte| set.contains(byte));
    (0..bytes.len()).any(|at| bytes[at] == b'=' && !is(at + 1, b"=>") && (at == 0 || !is(at - 1, b"=!<>")))
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Number(i64),
    Text(Arc<str>),
    Name(String),
    Sign(&'static str),
}

const SIGNS: [&str; 24] = [
    "===", "!==", "==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "%", "!", "?", ":", "(", ")",
    ".", ",", "[", "]", "/",
];

/// The tokens, unless there is something that none of them begins with.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            if rest[length..].starts_with(|c: char| c == '.' || c.is_alphanumeric()) {
                return None;
            }
            tokens.push(Token::Number(rest[..length].parse().ok()?));
            length
        } else if first == '\'' || first == '"' {
            let end = rest[1..].find(first)? + 1;
            let inside = &rest[1..end];
            if inside.contains('\\') {
                return None;
            }
            tokens.push(Token::Text(inside.into()));
            end + 1
        } else if first.is_alphabetic() || first == '_' || first == '$' {
            let ends = |c: char| !(c.is_alphanumeric() || c == '_' || c == '$');
            let length = rest.find(ends).unwrap_or(rest.len());
            tokens.push(Token::Name(rest[..length].to_owned()));
            length
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
            if rest.starts_with("++") || rest.starts_with("--") {
                return None;
            }
            tokens.push(Token::Sign(sign));
            sign.len()
        };
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

/// Binary operators, those that bind weakest first.
const LEVELS: [&[(&str, Binary)]; 6] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("===", Binary::Same), ("!==", Binary::NotSame), ("==", Binary::Equal), ("!=", Binary::NotEqual)],
    &[("<=", Binary::LessEqual), (">=", Binary::GreaterEqual), ("<", Binary::Less), (">", Binary::Greater)],
    &[("+", Binary::Plus), ("-", Binary::Minus)],
    &[("*", Binary::Times), ("%", Binary::Remainder)],
];

struct Parser<'a> {
    tokens: &'a [Token],
    names: &'a dyn Names,
}

impl Parser<'_> {
    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.tokens.first(), Some(Token::Sign(first)) if *first == sign);
        if found {
            self.tokens = &self.tokens[1..];
        }
        found
    }

    fn choice(&mut self) -> Option<Expression> {
        let condition = self.binary(0)?;
        if !self.sign("?") {
            return Some(condition);
        }
        let then = self.choice()?;
        if !self.sign(":") {
            return None;
        }
        let otherwise = self.choice()?;
        Some(Expression::Choice(condition.into(), then.into(), otherwise.into()))
    }

    fn binary(&mut self, level: usize) -> Option<Expression> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(&(_, operator)) = operators.iter().find(|(sign, _)| self.sign(sign)) {
            let right = self.binary(level + 1)?;
            left = Expression::Binary(operator, left.into(), right.into());
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Expression> {
        if self.sign("!") {
            return Some(Expression::Unary(Unary::Not, self.unary()?.into()));
        }
        if self.sign("-") {
            return Some(Expression::Unary(Unary::Minus, self.unary()?.into()));
        }
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        match first {
            Token::Number(number) => Some(Expression::Constant(Value::Integer(*number))),
            Token::Text(text) => Some(Expression::Constant(Value::Text(Arc::clone(text)))),
            Token::Sign("(") => {
                let inside = self.choice()?;
                self.sign(")").then_some(inside)
            }
            Token::Sign(_) => None,
            Token::Name(name) => self.name(name),
        }
    }

    /// What begins with a name: members, calls and elements are opaque, with some exceptions.
    fn name(&mut self, name: &str) -> Option<Expression> {
        match name {
            "true" | "false" => return Some(Expression::Constant(Value::Bool(name == "true"))),
            "null" => return Some(Expression::Constant(Value::Null)),
            "undefined" => return Some(Expression::Constant(Value::Undefined)),
            "typeof" | "new" | "function" | "in" | "instanceof" | "void" | "delete" => return None,
            _ => {}
        }
        if name == "In"
            && let [Token::Sign("("), Token::Text(id), Token::Sign(")"), rest @ ..] = self.tokens
        {
            self.tokens = rest;
            return Some(Expression::In(self.names.state(id)));
        }
        if name == "_event"
            && let [Token::Sign("."), Token::Name(member), rest @ ..] = self.tokens
            && member == "name"
            && !matches!(rest.first(), Some(Token::Sign("." | "[" | "(")))
        {
            self.tokens = rest;
            return Some(Expression::EventName);
        }
        let known = self.names.variable(name);
        if !matches!(self.tokens.first(), Some(Token::Sign("." | "[" | "("))) {
            if matches!(self.tokens.first(), Some(Token::Name(_))) {
                return None;
            }
            let undeclared = || {
                if name.starts_with('_') || matches!(name, "NaN" | "Infinity") || !self.names.is_strict() {
                    Expression::Opaque(Opaque { text: name.into(), calls: false })
                } else {
                    Expression::Undeclared(name.into())
                }
            };
            return Some(known.map_or_else(undeclared, Expression::Variable));
        }
        self.path(name)
    }

    /// `a.b[c](d)`: opaque, up to its end.
    fn path(&mut self, name: &str) -> Option<Expression> {
        let mut text = name.to_owned();
        let mut calls = false;
        loop {
            match self.tokens {
                [Token::Sign("."), Token::Name(member), rest @ ..] => {
                    text.push('.');
                    text.push_str(member);
                    self.tokens = rest;
                }
                [Token::Sign(open @ ("(" | "[")), ..] => {
                    calls |= *open == "(";
                    self.bracket(&mut text)?;
                }
                _ => return Some(Expression::Opaque(Opaque { text: text.into(), calls })),
            }
        }
    }

    /// Everything up to the bracket that closes this one.
    fn bracket(&mut self, text: &mut String) -> Option<()> {
        let mut depth = 0;
        loop {
            let (first, rest) = self.tokens.split_first()?;
            self.tokens = rest;
            match first {
                Token::Sign(sign) => {
                    text.push_str(sign);
                    match *sign {
                        "(" | "[" => depth += 1,
                        ")" | "]" => depth -= 1,
                        _ => {}
                    }
                }
                Token::Name(name) => text.push_str(name),
                Token::Number(number) => text.push_str(&number.to_string()),
                Token::Text(inside) => {
                    text.push('\'');
                    text.push_str(inside);
                    text.push('\'');
                }
            }
            if depth == 0 {
                return Some(());
            }
        }
    }
}

impl Expression {
    /// Calls `visit` for this expression and all its parts.
    pub fn visit(&self, visit: &mut dyn FnMut(&Expression)) {
        visit(self);
        match self {
            Expression::Unary(_, inner) => inner.visit(visit),
            Expression::Binary(_, left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            Expression::Choice(condition, then, otherwise) => {
                condition.visit(visit);
                then.visit(visit);
                otherwise.visit(visit);
            }
            _ => {}
        }
    }

    /// The parts whose values are unknown.
    pub fn opaque_parts(&self) -> Vec<&Opaque> {
        fn collect<'e>(expression: &'e Expression, found: &mut Vec<&'e Opaque>) {
            match expression {
                Expression::Opaque(opaque) => found.push(opaque),
                Expression::Unary(_, inner) => collect(inner, found),
                Expression::Binary(_, left, right) => {
                    collect(left, found);
                    collect(right, found);
                }
                Expression::Choice(condition, then, otherwise) => {
                    collect(condition, found);
                    collect(then, found);
                    collect(otherwise, found);
                }
                _ => {}
            }
        }
        let mut found = Vec::new();
        collect(self, &mut found);
        found
    }
}
