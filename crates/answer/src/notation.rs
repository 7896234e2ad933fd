//! The notation of heuristics and engines: a name, perhaps with arguments in parentheses, which are options (`d=3`), words, or the same again.

use std::str::FromStr;

/// A notation that cannot be meant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotationError {
    /// The parentheses do not match.
    #[error("the parentheses in `{0}` do not match")]
    Parentheses(String),
    /// An option has a value that it cannot have.
    #[error("`{value}` is no value for `{key}`")]
    Value {
        /// The option.
        key: String,
        /// Its value.
        value: String,
    },
    /// An option is given twice.
    #[error("`{0}` is given twice")]
    Twice(String),
    /// Two options that exclude each other.
    #[error("`{0}` and `{1}` exclude each other")]
    Together(&'static str, &'static str),
    /// An argument that is not understood.
    #[error("`{name}` does not know `{argument}`")]
    Argument {
        /// What was called.
        name: String,
        /// Its argument.
        argument: String,
    },
}

/// A name with its arguments.
#[derive(Debug)]
pub struct Call<'t> {
    /// The name.
    pub name: &'t str,
    /// What stands in the parentheses.
    pub arguments: Arguments,
}

impl<'t> Call<'t> {
    /// Reads `name`, `name()` or `name(argument,option=value,…)`.
    pub fn parse(text: &'t str) -> Result<Self, NotationError> {
        let text = text.trim();
        let wrong = || NotationError::Parentheses(text.to_owned());
        let (name, inner) = match text.split_once('(') {
            None => (text, ""),
            Some((name, rest)) => (name.trim(), rest.strip_suffix(')').ok_or_else(wrong)?),
        };
        let arguments = Arguments::new(split(inner).ok_or_else(wrong)?)?;
        Ok(Self { name, arguments })
    }

    /// Refuses what nobody understood.
    pub fn finish(self) -> Result<(), NotationError> {
        match self.arguments.rest() {
            Some(extra) => {
                Err(NotationError::Argument { name: self.name.to_owned(), argument: extra.to_owned() })
            }
            None => Ok(()),
        }
    }
}

/// Arguments; each is taken out by whoever understands it.
#[derive(Debug, Default)]
pub struct Arguments {
    options: Vec<(String, String)>,
    words: Vec<String>,
}

impl Arguments {
    fn new(texts: Vec<&str>) -> Result<Self, NotationError> {
        let mut arguments = Self::default();
        for text in texts {
            match text.split_once('=') {
                Some((key, value)) if !key.contains('(') => {
                    let key = key.trim().to_owned();
                    if arguments.options.iter().any(|(known, _)| *known == key) {
                        return Err(NotationError::Twice(key));
                    }
                    arguments.options.push((key, value.trim().to_owned()));
                }
                _ => arguments.words.push(text.trim().to_owned()),
            }
        }
        Ok(arguments)
    }

    /// The value of an option, if it is given.
    pub fn option<T: FromStr>(&mut self, key: &str) -> Result<Option<T>, NotationError> {
        let Some(at) = self.options.iter().position(|(own, _)| own == key) else { return Ok(None) };
        let (key, value) = self.options.remove(at);
        match value.parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(NotationError::Value { key, value }),
        }
    }

    /// All arguments that are no options.
    pub fn words(&mut self) -> Vec<String> {
        std::mem::take(&mut self.words)
    }

    /// An argument that nobody has taken out.
    fn rest(&self) -> Option<&str> {
        self.options.iter().map(|(key, _)| key).chain(&self.words).next().map(String::as_str)
    }
}

/// Splits at the commas outside of parentheses; `None` when those do not match.
pub fn split(text: &str) -> Option<Vec<&str>> {
    let mut depth = 0_usize;
    let mut parts = Vec::new();
    let mut begin = 0;
    for (at, symbol) in text.char_indices() {
        match symbol {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                parts.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        return None;
    }
    if !text[begin..].trim().is_empty() {
        parts.push(&text[begin..]);
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_taken_apart() {
        let mut call = Call::parse(" max( hl , ms(n=4), d=3 ) ").unwrap();
        assert_eq!(call.name, "max");
        assert_eq!(call.arguments.option::<u32>("d"), Ok(Some(3)));
        assert_eq!(call.arguments.option::<u32>("d"), Ok(None));
        assert_eq!(call.arguments.words(), ["hl", "ms(n=4)"]);
        assert_eq!(call.finish(), Ok(()));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["max(hl", "max(hl))", "max((hl)"] {
            assert_eq!(Call::parse(text).unwrap_err(), NotationError::Parentheses(text.into()));
        }
        assert_eq!(Call::parse("ms(n=4, n=5)").unwrap_err(), NotationError::Twice("n".into()));
        let mut call = Call::parse("ms(n=x)").unwrap();
        let wrong = NotationError::Value { key: "n".into(), value: "x".into() };
        assert_eq!(call.arguments.option::<u32>("n"), Err(wrong));
        let extra = NotationError::Argument { name: "hl".into(), argument: "3".into() };
        assert_eq!(Call::parse("hl(3)").unwrap().finish(), Err(extra));
    }
}
