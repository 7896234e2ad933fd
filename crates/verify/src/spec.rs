//! Engines by name, before they are made.

use crate::registry::{Entry, REGISTRY};
use crate::settings::Settings;
use guidepost_answer::{Call, Engine, NotationError};
use std::fmt;
use std::str::FromStr;

/// An engine with its options: `zones`, `name(option=value,…)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec(String);

/// An engine that cannot be meant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// No engine has this name.
    #[error("there is no engine `{0}`{suggestion} There are {names}", suggestion = Suggestion(.0), names = Names)]
    Unknown(String),
    /// An argument that the engine does not take.
    #[error("`{engine}` does not know `{argument}`; {}", options_of(engine))]
    Argument {
        /// The engine.
        engine: &'static str,
        /// The argument.
        argument: String,
    },
    /// An option has a value that it cannot have.
    #[error("`{value}` is no value for `{key}` of `{engine}`; {}", values_of(engine, key))]
    Value {
        /// The engine.
        engine: &'static str,
        /// The option.
        key: String,
        /// Its value.
        value: String,
    },
    /// It is not written as engines are, or has an option that it does not take.
    #[error(transparent)]
    Notation(#[from] NotationError),
}

struct Names;

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = REGISTRY.iter().map(|entry| entry.name).collect();
        f.write_str(&names.join(", "))
    }
}

/// The end of a sentence: `; did you mean …?` where a name is near.
struct Suggestion<'t>(&'t str);

impl fmt::Display for Suggestion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = REGISTRY.iter().map(|entry| entry.name);
        match guidepost_language::suggest::nearest(&self.0.to_lowercase(), names) {
            Some(near) => write!(f, "; did you mean `{near}`?"),
            None => f.write_str("."),
        }
    }
}

/// What an engine takes, in words.
fn options_of(engine: &str) -> String {
    let entry = REGISTRY.iter().find(|entry| entry.name == engine);
    let options: Vec<String> = entry
        .into_iter()
        .flat_map(|entry| entry.options)
        .map(|(name, values, _)| format!("{name}={values}"))
        .collect();
    if options.is_empty() {
        "it has no options".to_owned()
    } else {
        format!("its options are {}", options.join(", "))
    }
}

/// What an option of an engine can be, in words.
fn values_of(engine: &str, option: &str) -> String {
    let entry = REGISTRY.iter().find(|entry| entry.name == engine);
    let mut options = entry.into_iter().flat_map(|entry| entry.options);
    let values = options.find(|(name, ..)| *name == option).map_or("", |(_, values, _)| values);
    match values.rsplit_once('|') {
        Some((others, last)) => format!("possible are {} and {last}", others.replace('|', ", ")),
        None => "it is a whole number".to_owned(),
    }
}

impl Default for EngineSpec {
    fn default() -> Self {
        Self("auto".to_owned())
    }
}

impl EngineSpec {
    /// The entry of the registry.
    pub fn entry(&self) -> &'static Entry {
        let name = self.0.split_once('(').map_or(self.0.as_str(), |(name, _)| name).trim();
        REGISTRY.iter().find(|entry| entry.name == name).expect("a specification names a registered engine")
    }

    /// The engine, for some settings.
    pub fn engine(&self, settings: &Settings) -> Box<dyn Engine> {
        make(&self.0, settings).expect("a specification was tried when it was read")
    }
}

fn make(text: &str, settings: &Settings) -> Result<Box<dyn Engine>, SpecError> {
    let mut call = Call::parse(text)?;
    let entry = REGISTRY.iter().find(|entry| entry.name == call.name);
    let entry = entry.ok_or_else(|| SpecError::Unknown(call.name.to_owned()))?;
    let engine = (entry.make)(&mut call.arguments, settings).map_err(|error| match error {
        NotationError::Value { key, value } => SpecError::Value { engine: entry.name, key, value },
        other => SpecError::Notation(other),
    })?;
    match call.finish() {
        Err(NotationError::Argument { argument, .. }) => {
            Err(SpecError::Argument { engine: entry.name, argument })
        }
        finished => finished.map(|()| engine).map_err(SpecError::from),
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        make(text, &Settings::default())?;
        Ok(Self(text.trim().to_owned()))
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_registered_engine_can_be_named() {
        for entry in REGISTRY {
            let spec: EngineSpec = entry.name.parse().unwrap();
            assert_eq!(spec.entry().name, entry.name);
            let _ = spec.engine(&Settings::default());
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!("zone".parse::<EngineSpec>(), Err(SpecError::Unknown("zone".into())));
        let message = |text: &str| text.parse::<EngineSpec>().unwrap_err().to_string();
        assert_eq!(message("zones(x=1)"), "`zones` does not know `x`; it has no options");
        assert_eq!(message("walk(walks)"), "`walk` does not know `walks`; its options are walks=N, length=N");
        assert_eq!(message("walk(walks=1,walks=2)"), "`walks` is given twice");
        assert_eq!(
            message("lazy(clocks=xx)"),
            "`xx` is no value for `clocks` of `lazy`; possible are bw, fw and lu"
        );
        assert_eq!(message("walk(walks=x)"), "`x` is no value for `walks` of `walk`; it is a whole number");
        assert!(matches!("zones(".parse::<EngineSpec>(), Err(SpecError::Notation(_))));
        assert!(
            message("zone").starts_with("there is no engine `zone`; did you mean `zones`? There are auto,")
        );
    }
}
