//! The notation of heuristics: a name, perhaps with arguments in parentheses, which are options (`d=3`), names, or heuristics again.

use crate::HeuristicSpec;
use crate::registry::REGISTRY;
use std::fmt;
use std::str::FromStr;

/// A heuristic that cannot be meant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// No heuristic has this name.
    #[error("there is no heuristic `{0}`; there are {names}", names = Names)]
    Unknown(String),
    /// The parentheses do not match.
    #[error("the parentheses in `{0}` do not match")]
    Parentheses(String),
    /// An argument the heuristic does not take, or one too few.
    #[error("{0}")]
    Argument(String),
}

struct Names;

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = REGISTRY.iter().map(|(_, properties)| properties.name).collect();
        f.write_str(&names.join(", "))
    }
}

/// The arguments of a heuristic; each is taken out by whoever understands it.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    options: Vec<(String, String)>,
    words: Vec<String>,
}

impl Arguments {
    fn new(texts: Vec<&str>) -> Self {
        let mut arguments = Self::default();
        for text in texts {
            match text.split_once('=') {
                Some((key, value)) if !key.contains('(') => {
                    arguments.options.push((key.trim().to_owned(), value.trim().to_owned()));
                }
                _ => arguments.words.push(text.trim().to_owned()),
            }
        }
        arguments
    }

    /// The value of an option, if it is given.
    pub(crate) fn option<T: FromStr>(&mut self, key: &str) -> Result<Option<T>, SpecError> {
        let Some(at) = self.options.iter().position(|(own, _)| own == key) else { return Ok(None) };
        let (_, value) = self.options.remove(at);
        let wrong = || SpecError::Argument(format!("`{value}` is no value for `{key}`"));
        value.parse().map(Some).map_err(|_| wrong())
    }

    /// All arguments that are no options.
    pub(crate) fn words(&mut self) -> Vec<String> {
        std::mem::take(&mut self.words)
    }

    /// All arguments as heuristics; there must be one at least.
    pub(crate) fn specs(&mut self, name: &str) -> Result<Vec<HeuristicSpec>, SpecError> {
        let specs = self.words().iter().map(|word| parse(word)).collect::<Result<Vec<_>, _>>()?;
        if specs.is_empty() {
            let example = if name == "max" { "hl,dl" } else { "rd,pdb(P)" };
            return Err(SpecError::Argument(format!("`{name}` combines heuristics: `{name}({example})`")));
        }
        Ok(specs)
    }

    /// Refuses what nobody understood.
    fn finish(self, name: &str) -> Result<(), SpecError> {
        let rest = self.options.iter().map(|(key, _)| key).chain(&self.words).next();
        match rest {
            Some(extra) => Err(SpecError::Argument(format!("`{name}` does not know `{extra}`"))),
            None => Ok(()),
        }
    }
}

/// Reads one heuristic.
pub(crate) fn parse(text: &str) -> Result<HeuristicSpec, SpecError> {
    let text = text.trim();
    let (name, inner) = match text.split_once('(') {
        None => (text, ""),
        Some((name, rest)) => {
            let inner = rest.strip_suffix(')').ok_or_else(|| SpecError::Parentheses(text.to_owned()))?;
            (name.trim(), inner)
        }
    };
    let texts = split(inner).ok_or_else(|| SpecError::Parentheses(text.to_owned()))?;
    let mut arguments = Arguments::new(texts);
    let spec = HeuristicSpec::named(name, &mut arguments)?;
    arguments.finish(name)?;
    Ok(spec)
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
    fn specs_are_read_as_they_are_written() {
        for text in ["hl", "max(hl,dl)", "max(hl,max(dl,none))", "ms", "ms(n=500)", "max(ms(n=4),hl)"] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        assert_eq!(parse(" max( hl , dl ) ").unwrap().to_string(), "max(hl,dl)");
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(parse("hx"), Err(SpecError::Unknown("hx".into())));
        assert_eq!(parse("max(hl"), Err(SpecError::Parentheses("max(hl".into())));
        assert_eq!(parse("max(hl))"), Err(SpecError::Parentheses("max(hl))".into())));
        for text in ["max", "max()", "hl(3)", "hl(d=3)", "max(hl,d=3)", "ms(n=0)", "ms(n=x)", "ms(m=3)"] {
            assert!(matches!(parse(text), Err(SpecError::Argument(_))), "{text}");
        }
    }
}
