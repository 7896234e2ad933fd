//! The notation of heuristics: see [`guidepost_answer::Call`].

use crate::HeuristicSpec;
use crate::registry::REGISTRY;
use guidepost_answer::{Arguments, Call, NotationError};
use std::fmt;

/// A heuristic that cannot be meant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// No heuristic has this name.
    #[error("there is no heuristic `{0}`; there are {names}", names = Names)]
    Unknown(String),
    /// It is not written as heuristics are, or has an argument that it does not take.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Arguments that do not go together, or one too few.
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

/// All arguments as heuristics; there must be one at least.
pub(crate) fn specs(name: &str, arguments: &mut Arguments) -> Result<Vec<HeuristicSpec>, SpecError> {
    let specs = arguments.words().iter().map(|word| parse(word)).collect::<Result<Vec<_>, _>>()?;
    if specs.is_empty() {
        let example = if name == "max" { "hl,dl" } else { "rd,pdb(P)" };
        return Err(SpecError::Argument(format!("`{name}` combines heuristics: `{name}({example})`")));
    }
    Ok(specs)
}

/// Reads one heuristic.
pub(crate) fn parse(text: &str) -> Result<HeuristicSpec, SpecError> {
    let mut call = Call::parse(text)?;
    let spec = HeuristicSpec::named(call.name, &mut call.arguments)?;
    call.finish()?;
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read_as_they_are_written() {
        for text in [
            "hl",
            "max(hl,dl)",
            "max(hl,max(dl,none))",
            "ms",
            "ms(n=500)",
            "max(ms(n=4),hl)",
            "cartesian(states=7,clocks=false)",
        ] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        assert_eq!(parse(" max( hl , dl ) ").unwrap().to_string(), "max(hl,dl)");
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(parse("hx"), Err(SpecError::Unknown("hx".into())));
        for text in [
            "max(hl",
            "max(hl))",
            "max",
            "max()",
            "hl(3)",
            "hl(d=3)",
            "max(hl,d=3)",
            "ms(n=0)",
            "ms(n=x)",
            "ms(m=3)",
        ] {
            assert!(
                matches!(parse(text), Err(SpecError::Argument(_) | SpecError::Notation(_))),
                "{text} was read"
            );
        }
    }
}
